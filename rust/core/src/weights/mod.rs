//! Statistics or labelled rows → weights.

pub mod compiled;
mod discriminative;
mod linear;
mod linear_svm;
pub mod mixture;
mod one_vs_rest;
mod shared_terms;

pub use discriminative::{Estimate, EstimateSettings, discriminative_counts};
pub use linear::{Correction, CorrectionCache, Weights};
pub use linear_svm::{SvmSettings, svm_weights};
pub use one_vs_rest::{OneVsRestSettings, one_vs_rest_weights};

/// Biases by class, and weights of pairs: by term, then class.
#[derive(Default)]
pub struct WeightedPairs {
    /// Where each term's pairs start; one more than there are terms.
    pub starts: Vec<i64>,
    /// The class of each pair.
    pub classes: Vec<u32>,
    /// The weight of each pair.
    pub weights: Vec<f64>,
    /// For each class.
    pub biases: Vec<f64>,
}
