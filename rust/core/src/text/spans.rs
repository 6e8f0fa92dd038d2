//! The position of each term in a text, for explanations.

use super::characters::{SPACE, class_of};
use super::grams::{each_character_gram, each_run_of_spans, each_word_character_gram};
use super::lowercase::push_lowercase;
use super::rules::{CHARACTERS_MARK, Rules, Unit};
use crate::memory;

/// A term, and the characters of the text from which it comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The number of its first character.
    pub start: usize,
    /// The number of the character behind its last.
    pub end: usize,
    /// The term.
    pub term: String,
}

/// A text that was changed, and for each byte the characters of the original that it comes from.
#[derive(Default)]
struct Traced {
    text: String,
    from: Vec<(usize, usize)>,
}

impl Traced {
    fn push(&mut self, text: &str, from: (usize, usize)) {
        self.text.push_str(text);
        self.from.resize(self.text.len(), from);
    }

    fn span(&self, start: usize, end: usize, term: String) -> Span {
        Span { start: self.from[start].0, end: self.from[end - 1].1, term }
    }

    /// The text, in lower case if wanted: a character may become several, or one of another width.
    fn new(text: &str, lowercase: bool) -> Self {
        let mut from = memory::with_capacity(text.len());
        let mut whole = String::with_capacity(text.len());
        if lowercase {
            push_lowercase(text, &mut whole);
        } else {
            whole.push_str(text);
        }
        for (number, c) in text.chars().enumerate() {
            let width = if lowercase { c.to_lowercase().map(char::len_utf8).sum() } else { c.len_utf8() };
            from.resize(from.len() + width, (number, number + 1));
        }
        Self { text: whole, from }
    }

    /// As [`super::grams::push_squeezed`] changes it: a run of white space becomes one character.
    fn squeezed(&self) -> Self {
        let mut out = Self::default();
        let mut blank: Option<(usize, usize)> = None;
        let flush = |out: &mut Self, blank: &mut Option<(usize, usize)>| {
            if let Some((start, end)) = blank.take() {
                let (first, last) = (self.from[start].0, self.from[end - 1].1);
                let one = self.text[start..end].chars().nth(1).is_none();
                out.push(if one { &self.text[start..end] } else { " " }, (first, last));
            }
        };
        for (at, c) in self.text.char_indices() {
            let end = at + c.len_utf8();
            if class_of(c) & SPACE != 0 {
                blank = Some((blank.map_or(at, |(start, _)| start), end));
            } else {
                flush(&mut out, &mut blank);
                out.push(&self.text[at..end], self.from[at]);
            }
        }
        flush(&mut out, &mut blank);
        out
    }

    /// As [`super::grams::push_padded_words`] changes it; the spaces around a word come from no character.
    fn padded(&self) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        for word in self.text.split(|c| class_of(c) & SPACE != 0) {
            let end = at + word.len();
            if !word.is_empty() {
                let (first, last) = (self.from[at].0, self.from[end - 1].1);
                out.push(" ", (first, first));
                for (place, c) in word.char_indices() {
                    out.push(&word[place..place + c.len_utf8()], self.from[at + place]);
                }
                out.push(" ", (last, last));
            }
            at = end + self.text[end..].chars().next().map_or(0, char::len_utf8);
        }
        out
    }
}

impl Rules {
    /// The terms of `text` in the order of [`Rules::terms_of`], each with the characters it comes from.
    pub fn spans_of(&self, text: &str) -> Vec<Span> {
        let mut lower = Traced::new(text, self.lowercase);
        let (min, max) = self.grams;
        let characters = self.characters_of(&lower);
        let mut found = Vec::new();
        let mut emit = |traced: &Traced, start: usize, end: usize| {
            found.push(traced.span(start, end, traced.text[start..end].to_owned()));
        };
        match self.unit {
            Unit::Word => {
                self.hide_marks(&mut lower.text);
                found = self.runs_of_terms(&lower);
            }
            Unit::Character => {
                let squeezed = lower.squeezed();
                each_character_gram(&squeezed.text, min, max, |start, end| emit(&squeezed, start, end));
            }
            Unit::CharacterInWord => {
                let padded = lower.padded();
                each_word_character_gram(&padded.text, min, max, |start, end| emit(&padded, start, end));
            }
        }
        found.extend(characters);
        found
    }

    /// The character n-grams that are counted beside words.
    fn characters_of(&self, lower: &Traced) -> Vec<Span> {
        let mut found = Vec::new();
        if let Some((min, max)) = self.characters {
            let padded = lower.padded();
            each_word_character_gram(&padded.text, min, max, |start, end| {
                let term = [CHARACTERS_MARK, &padded.text[start..end]].concat();
                found.push(padded.span(start, end, term));
            });
        }
        found
    }

    fn runs_of_terms(&self, lower: &Traced) -> Vec<Span> {
        let mut single = Vec::new();
        self.tokens.for_each(&lower.text, self.terms.mark_numbers(), |start, end| {
            if let Some(term) = self.terms.term(&lower.text[start..end]) {
                single.push(lower.span(start, end, term.into_owned()));
            }
        });
        let numbers: Vec<(usize, usize)> = (0..single.len()).map(|number| (number, number)).collect();
        let (min, max) = self.grams;
        let mut found = Vec::new();
        each_run_of_spans(&numbers, min, max, |first, last| {
            let terms: Vec<&str> = single[first..=last].iter().map(|span| span.term.as_str()).collect();
            found.push(Span { start: single[first].start, end: single[last].end, term: terms.join(" ") });
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn rules(tokens: &str, unit: &str, stemmer: Option<&str>, grams: (usize, usize)) -> Rules {
        let stop = HashSet::from(["the".to_owned()]);
        let stop = if unit == "word" { stop } else { HashSet::new() };
        Rules::new(true, tokens, unit, "keep", stop, stemmer, grams).expect("rules")
    }

    fn shown(rules: &Rules, text: &str) -> Vec<(String, String)> {
        let characters: Vec<char> = text.chars().collect();
        let spans = rules.spans_of(text);
        let terms: Vec<String> = spans.iter().map(|span| span.term.clone()).collect();
        assert_eq!(terms, rules.terms_of(text));
        let place = |span: Span| (characters[span.start..span.end].iter().collect(), span.term);
        spans.into_iter().map(place).collect()
    }

    fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(place, term)| ((*place).to_owned(), (*term).to_owned())).collect()
    }

    #[test]
    fn characters_that_change_their_width() {
        // İ becomes two characters, the Kelvin sign one byte of three.
        let found = shown(&rules("unicode", "word", None, (1, 1)), "İİ \u{212a}g ΟΔΟΣ 東京都 x");
        let expected =
            [("İİ", "i̇i̇"), ("\u{212a}g", "kg"), ("ΟΔΟΣ", "οδος"), ("東京", "東京"), ("京都", "京都")];
        assert_eq!(found, owned(&expected));
    }

    #[test]
    fn runs_cover_what_was_left_out_between() {
        let found = shown(&rules("words", "word", Some("porter"), (1, 2)), "Running the CATS");
        assert_eq!(found, owned(&[("Running", "run"), ("CATS", "cat"), ("Running the CATS", "run cat")]));
    }

    #[test]
    fn characters_and_padding() {
        let found = shown(&rules("words", "char", None, (2, 2)), "İ  b\tc");
        let expected = [("İ", "i̇"), ("İ  ", "\u{307} "), ("  b", " b"), ("b\t", "b\t"), ("\tc", "\tc")];
        assert_eq!(found, owned(&expected));
        let found = shown(&rules("words", "char_wb", None, (2, 2)), " aB  É\u{2003}");
        assert_eq!(found, owned(&[("a", " a"), ("aB", "ab"), ("B", "b "), ("É", " é"), ("É", "é ")]));
    }

    #[test]
    fn characters_beside_words() {
        let both = rules(r"[^ ]+", "word", None, (1, 1)).with_characters(Some((4, 4)));
        let found = shown(&both, "\0É aB");
        let expected = [("É", "é"), ("aB", "ab"), ("\0É", "\0 \0é "), ("aB", "\0 ab ")];
        assert_eq!(found, owned(&expected));
    }
}
