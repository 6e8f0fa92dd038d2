//! Characters → tokens → terms.

mod characters;
mod grams;
mod lowercase;
mod rules;
mod runs;
mod spans;
mod symbols;
mod terms;
mod tokens;

pub use rules::{CHARACTERS_MARK, Kind, PADDING, Rules, RulesError, Scratch, Unit};
pub use spans::Span;
pub use terms::{NUMBER_TERM, Numbers, TermRules, stemmer_names};
pub use tokens::TokenRule;
