//! Scores of a Poisson model without weights of terms (Kim 2003), without a table of classes × terms.
//!
//! With X and Y a term's sums over the documents without a class, its mean there is m_c (1 + P_c X + Q_c Y); so only the
//! logarithm of the bracket needs both the class and the term. Over the pairs not seen the bracket is a short power
//! series around that of all documents ([`series`]); over the pairs seen only their product is needed ([`product`]).

mod product;
mod scorer;
mod series;

pub use scorer::{Mixing, PoissonScorer};
