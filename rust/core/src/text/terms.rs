//! Tokens → terms: stop words, numbers, stems. Applied once to each distinct token.

use std::borrow::Cow;
use std::collections::HashSet;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::tokens::is_number;

/// The term that stands for every number when numbers are marked (Schneider 2004, section 4).
pub const NUMBER_TERM: &str = "NUM";

/// What becomes of a token that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// It is a term like any other.
    Keep,
    /// It is left out.
    Drop,
    /// It becomes [`NUMBER_TERM`].
    Mark,
}

/// The stemmers by name.
const STEMMERS: [(&str, Algorithm); 38] = [
    ("porter", Algorithm::Porter),
    ("arabic", Algorithm::Arabic),
    ("armenian", Algorithm::Armenian),
    ("basque", Algorithm::Basque),
    ("catalan", Algorithm::Catalan),
    ("czech", Algorithm::Czech),
    ("danish", Algorithm::Danish),
    ("dutch", Algorithm::Dutch),
    ("dutch_porter", Algorithm::DutchPorter),
    ("english", Algorithm::English),
    ("esperanto", Algorithm::Esperanto),
    ("estonian", Algorithm::Estonian),
    ("finnish", Algorithm::Finnish),
    ("french", Algorithm::French),
    ("german", Algorithm::German),
    ("greek", Algorithm::Greek),
    ("hindi", Algorithm::Hindi),
    ("hungarian", Algorithm::Hungarian),
    ("indonesian", Algorithm::Indonesian),
    ("irish", Algorithm::Irish),
    ("italian", Algorithm::Italian),
    ("lithuanian", Algorithm::Lithuanian),
    ("lovins", Algorithm::Lovins),
    ("nepali", Algorithm::Nepali),
    ("norwegian", Algorithm::Norwegian),
    ("persian", Algorithm::Persian),
    ("polish", Algorithm::Polish),
    ("portuguese", Algorithm::Portuguese),
    ("romanian", Algorithm::Romanian),
    ("russian", Algorithm::Russian),
    ("serbian", Algorithm::Serbian),
    ("sesotho", Algorithm::Sesotho),
    ("spanish", Algorithm::Spanish),
    ("swedish", Algorithm::Swedish),
    ("tamil", Algorithm::Tamil),
    ("turkish", Algorithm::Turkish),
    ("ukrainian", Algorithm::Ukrainian),
    ("yiddish", Algorithm::Yiddish),
];

/// The names that [`TermRules::new`] takes for a stemmer.
pub fn stemmer_names() -> impl Iterator<Item = &'static str> {
    STEMMERS.iter().map(|(name, _)| *name)
}

/// What a token becomes.
pub struct TermRules {
    numbers: Numbers,
    stop_words: HashSet<String>,
    stemmer: Option<Stemmer>,
}

impl TermRules {
    /// Rules from their names; `Err` holds the name of an unknown stemmer.
    pub fn new(numbers: Numbers, stop_words: HashSet<String>, stemmer: Option<&str>) -> Result<Self, String> {
        let stemmer = match stemmer {
            None => None,
            Some(name) => {
                let found = STEMMERS.iter().find(|(known, _)| *known == name);
                Some(Stemmer::create(found.ok_or_else(|| name.to_owned())?.1))
            }
        };
        Ok(Self { numbers, stop_words, stemmer })
    }

    /// True when every token is its own term.
    pub fn is_identity(&self) -> bool {
        self.numbers == Numbers::Keep && self.stop_words.is_empty() && self.stemmer.is_none()
    }

    /// True when a number of any length is one token.
    pub fn mark_numbers(&self) -> bool {
        self.numbers == Numbers::Mark
    }

    /// The term of a token, or `None` when the token is left out.
    pub fn term<'a>(&self, token: &'a str) -> Option<Cow<'a, str>> {
        if self.stop_words.contains(token) {
            return None;
        }
        if self.numbers != Numbers::Keep && is_number(token) {
            return match self.numbers {
                Numbers::Mark => Some(Cow::Borrowed(NUMBER_TERM)),
                _ => None,
            };
        }
        let term = match &self.stemmer {
            Some(stemmer) => stemmer.stem(token),
            None => Cow::Borrowed(token),
        };
        // Some stemmers can strip a token to nothing; a term has at least one character.
        (!term.is_empty()).then_some(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(numbers: Numbers, stop: &[&str], stemmer: Option<&str>) -> TermRules {
        TermRules::new(numbers, stop.iter().map(|&word| word.to_owned()).collect(), stemmer).expect("known")
    }

    #[test]
    fn stop_words_go_before_stems() {
        let rules = rules(Numbers::Keep, &["running"], Some("porter"));
        assert_eq!(rules.term("running"), None);
        assert_eq!(rules.term("runs").as_deref(), Some("run"));
    }

    #[test]
    fn numbers() {
        assert_eq!(rules(Numbers::Keep, &[], None).term("12").as_deref(), Some("12"));
        assert_eq!(rules(Numbers::Drop, &[], None).term("12"), None);
        assert_eq!(rules(Numbers::Mark, &[], Some("english")).term("1,000").as_deref(), Some(NUMBER_TERM));
        assert_eq!(rules(Numbers::Mark, &[], None).term("x12").as_deref(), Some("x12"));
    }

    #[test]
    fn every_stemmer_is_known_by_name() {
        for name in stemmer_names() {
            assert!(TermRules::new(Numbers::Keep, HashSet::new(), Some(name)).is_ok());
        }
        assert_eq!(TermRules::new(Numbers::Keep, HashSet::new(), Some("x")).err(), Some("x".to_owned()));
    }
}
