//! Everything that decides which terms a text has.

use std::borrow::Cow;
use std::collections::HashSet;

use regex::Regex;

use super::grams::{
    each_character_gram, each_run_of_spans, each_word_character_gram, push_padded_words, push_squeezed,
};
use super::lowercase::push_lowercase;
use super::terms::{Numbers, TermRules};
use super::tokens::TokenRule;
use crate::memory;

/// What a term is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Tokens.
    Word,
    /// Characters, across white space.
    Character,
    /// Characters inside words padded with a space on either side.
    CharacterInWord,
}

/// What precedes the characters of an n-gram that is counted beside words: never in a word.
pub const CHARACTERS_MARK: &str = "\0";

/// How a token that [`Rules::each_batch`] hands over becomes a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By [`Rules::deferred_terms`], or as it is.
    Token,
    /// Behind [`CHARACTERS_MARK`]: characters beside words.
    Characters,
}

/// Why the names do not make a set of rules.
#[derive(Debug)]
pub enum RulesError {
    /// Neither a token rule nor a regular expression: the reason.
    Pattern(String),
    /// An unknown unit.
    Unit(String),
    /// An unknown way to treat numbers.
    Numbers(String),
    /// An unknown stemmer.
    Stemmer(String),
}

/// Everything that decides which terms a text has.
pub struct Rules {
    pub(super) lowercase: bool,
    pub(super) unit: Unit,
    pub(super) tokens: TokenRule,
    pub(super) terms: TermRules,
    pub(super) grams: (usize, usize),
    /// The lengths of the character n-grams that are counted beside words.
    pub(super) characters: Option<(usize, usize)>,
}

impl Rules {
    /// Rules from the names that the settings use.
    pub fn new(
        lowercase: bool,
        tokens: &str,
        unit: &str,
        numbers: &str,
        stop_words: HashSet<String>,
        stemmer: Option<&str>,
        grams: (usize, usize),
    ) -> Result<Self, RulesError> {
        let tokens = match tokens {
            "words" => TokenRule::Words,
            "letters" => TokenRule::Letters,
            "unicode" => TokenRule::Unicode,
            "symbols" => TokenRule::Symbols,
            pattern => TokenRule::Pattern(Box::new(compile(pattern)?)),
        };
        let unit = match unit {
            "word" => Unit::Word,
            "char" => Unit::Character,
            "char_wb" => Unit::CharacterInWord,
            other => return Err(RulesError::Unit(other.to_owned())),
        };
        let numbers = match numbers {
            "keep" => Numbers::Keep,
            "drop" => Numbers::Drop,
            "mark" => Numbers::Mark,
            other => return Err(RulesError::Numbers(other.to_owned())),
        };
        let terms = TermRules::new(numbers, stop_words, stemmer).map_err(RulesError::Stemmer)?;
        Ok(Self { lowercase, unit, tokens, terms, grams, characters: None })
    }

    /// Count character n-grams inside words too, of these lengths.
    pub fn with_characters(self, characters: Option<(usize, usize)>) -> Self {
        Self { characters, ..self }
    }

    /// What a counted token becomes after counting; `None` when it is a term already.
    pub fn deferred_terms(&self) -> Option<&TermRules> {
        (self.unit == Unit::Word && !self.joins_tokens() && !self.terms.is_identity()).then_some(&self.terms)
    }

    /// True when terms are runs of tokens, so that tokens must become terms before they are joined.
    fn joins_tokens(&self) -> bool {
        self.grams != (1, 1)
    }

    /// Call `emit(kind, buffer, tokens)` until every token of `text`, or every n-gram of its terms, was handed over.
    ///
    /// A token is the slice of the buffer between a start and an end. Its kind says what is left to make a term of
    /// it. [`PADDING`] stands behind the last token of the buffer.
    pub fn each_batch(
        &self,
        text: &str,
        scratch: &mut Scratch,
        mut emit: impl FnMut(Kind, &[u8], &[(usize, usize)]),
    ) {
        let Scratch { lower, joined, padded, spans, batch } = scratch;
        lower.clear();
        joined.clear();
        padded.clear();
        if text.len() > LONG_TEXT {
            // For the three buffers, which grow by doubling.
            memory::check_room::<u8>(text.len().saturating_mul(6));
        }
        if self.lowercase {
            push_lowercase(text, lower);
        } else {
            lower.push_str(text);
        }
        if self.characters.is_some() {
            push_padded_words(lower, padded);
        }
        self.hide_marks(lower);
        let (min, max) = self.grams;
        let token = |buffer: &[u8], tokens: &[Span]| emit(Kind::Token, buffer, tokens);
        match self.unit {
            Unit::Word if self.joins_tokens() => {
                self.join_terms(lower, joined, spans);
                in_batches(pad(joined), batch, token, |_, push| each_run_of_spans(spans, min, max, push));
            }
            Unit::Word => {
                let whole_numbers = self.terms.mark_numbers();
                in_batches(pad(lower), batch, token, |text, push| {
                    self.tokens.for_each(text, whole_numbers, push)
                });
            }
            Unit::Character => {
                push_squeezed(lower, joined);
                in_batches(pad(joined), batch, token, |text, push| each_character_gram(text, min, max, push));
            }
            Unit::CharacterInWord => {
                push_padded_words(lower, joined);
                in_batches(pad(joined), batch, token, |text, push| {
                    each_word_character_gram(text, min, max, push)
                });
            }
        }
        if let Some((min, max)) = self.characters {
            let characters = |buffer: &[u8], tokens: &[Span]| emit(Kind::Characters, buffer, tokens);
            in_batches(pad(padded), batch, characters, |text, push| {
                each_word_character_gram(text, min, max, push)
            });
        }
    }

    /// Put a space in place of every mark that a pattern could match, so that no word begins like characters.
    pub(super) fn hide_marks(&self, text: &mut String) {
        let pattern = matches!(self.tokens, TokenRule::Pattern(_));
        if self.characters.is_some() && pattern && text.contains(CHARACTERS_MARK) {
            *text = text.replace(CHARACTERS_MARK, " ");
        }
    }

    /// Write the terms of `text` to `joined`, a space between them, and the position of each to `spans`.
    fn join_terms(&self, text: &str, joined: &mut String, spans: &mut Vec<(usize, usize)>) {
        spans.clear();
        self.tokens.for_each(text, self.terms.mark_numbers(), |start, end| {
            if let Some(term) = self.terms.term(&text[start..end]) {
                let place = joined.len();
                joined.push_str(&term);
                spans.push((place, joined.len()));
                joined.push(' ');
            }
        });
    }

    /// The terms of `text`, in the order of the text; characters beside words come behind the words.
    pub fn terms_of(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.each_batch(text, &mut Scratch::default(), |kind, buffer, tokens| {
            for &(start, end) in tokens {
                let token = String::from_utf8_lossy(&buffer[start..end]);
                match (kind, self.deferred_terms()) {
                    (Kind::Characters, _) => found.push(format!("{CHARACTERS_MARK}{token}")),
                    (Kind::Token, None) => found.push(token.into_owned()),
                    (Kind::Token, Some(rules)) => found.extend(rules.term(&token).map(Cow::into_owned)),
                }
            }
        });
        found
    }
}

/// Bytes behind the last token of a buffer, so that sixteen bytes can be read at the start of any token.
pub const PADDING: &str = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

fn pad(text: &mut String) -> (&str, &[u8]) {
    let length = text.len();
    text.push_str(PADDING);
    (&text[..length], text.as_bytes())
}

/// A text of more bytes is long: the memory for its buffers is asked for first.
const LONG_TEXT: usize = 1 << 20;

/// Buffers that are used again for every text.
#[derive(Default)]
pub struct Scratch {
    lower: String,
    joined: String,
    padded: String,
    spans: Vec<Span>,
    batch: Vec<Span>,
}

type Span = (usize, usize);

/// The number of tokens in a batch: enough to work on together, few enough that memory does not grow with the text.
const BATCH: usize = 1 << 10;

fn in_batches(
    (text, buffer): (&str, &[u8]),
    batch: &mut Vec<Span>,
    mut emit: impl FnMut(&[u8], &[Span]),
    each: impl FnOnce(&str, &mut dyn FnMut(usize, usize)),
) {
    each(text, &mut |start, end| {
        batch.push((start, end));
        if batch.len() == BATCH {
            emit(buffer, batch);
            batch.clear();
        }
    });
    emit(buffer, batch);
    batch.clear();
}

fn compile(pattern: &str) -> Result<Regex, RulesError> {
    let regex = Regex::new(pattern).map_err(|error| RulesError::Pattern(error.to_string()))?;
    match regex.captures_len() - 1 {
        0 | 1 => Ok(regex),
        groups => Err(RulesError::Pattern(format!(
            "it has {groups} groups; a token is one group or the whole match"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(tokens: &str, unit: &str, stop: &[&str], stemmer: Option<&str>, grams: (usize, usize)) -> Rules {
        let stop = stop.iter().map(|&word| word.to_owned()).collect();
        Rules::new(true, tokens, unit, "keep", stop, stemmer, grams).expect("rules")
    }

    #[test]
    fn stop_words_and_stems_come_before_pairs() {
        let rules = rules("words", "word", &["the"], Some("porter"), (1, 2));
        assert_eq!(rules.terms_of("The running of the bulls"), ["run", "of", "bull", "run of", "of bull"]);
    }

    #[test]
    fn patterns_give_their_group_or_match() {
        assert_eq!(rules(r"[a-z]+", "word", &[], None, (1, 1)).terms_of("Ab1c"), ["ab", "c"]);
        assert_eq!(rules(r"#(\w+)", "word", &[], None, (1, 1)).terms_of("#a b #cd"), ["a", "cd"]);
        assert!(matches!(compile("(a)(b)"), Err(RulesError::Pattern(_))));
        assert!(matches!(compile("(?=a)"), Err(RulesError::Pattern(_))));
    }

    #[test]
    fn characters() {
        assert_eq!(rules("words", "char", &[], None, (2, 2)).terms_of("aB c"), ["ab", "b ", " c"]);
    }

    #[test]
    fn characters_beside_words() {
        let stemmed = rules("words", "word", &["of"], Some("porter"), (1, 1)).with_characters(Some((3, 3)));
        assert_eq!(
            stemmed.terms_of("Cats of"),
            ["cat", "\0 ca", "\0cat", "\0ats", "\0ts ", "\0 of", "\0of "]
        );
        let pairs = rules("words", "word", &[], None, (2, 2)).with_characters(Some((4, 4)));
        assert_eq!(pairs.terms_of("an ox"), ["an ox", "\0 an ", "\0 ox "]);
    }

    #[test]
    fn a_word_never_begins_with_the_mark() {
        let pattern = rules(r"[^ ]+", "word", &[], None, (1, 1)).with_characters(Some((4, 9)));
        assert_eq!(pattern.terms_of("\0ab"), ["ab", "\0 \0ab", "\0\0ab ", "\0 \0ab "]);
        assert_eq!(rules(r"[^ ]+", "word", &[], None, (1, 1)).terms_of("\0ab"), ["\0ab"]);
    }
}
