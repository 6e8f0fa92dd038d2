//! The textbayes core as Python sees it: converts values and maps errors, and does nothing else.

mod counts;
mod leave_one_out;
mod mapped;
mod mixture;
mod poisson;
mod rows;
mod scores;
mod statistics;
mod terms;
mod text;
mod weights;

/// The hot loops of textbayes.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::counts::{Counting, Vocabulary, available_threads, count_text_hashed, digest, hashed_column};
    #[pymodule_export]
    use crate::leave_one_out::{complement_falls, evidence_sums, factor_falls, length_changes, own_changes};
    #[pymodule_export]
    use crate::mixture::{MixtureScorer, MixtureSettings, fit_mixtures, mixture_background};
    #[pymodule_export]
    use crate::poisson::{PoissonScorer, PoissonSums};
    #[pymodule_export]
    use crate::scores::Scorer;
    #[pymodule_export]
    use crate::statistics::{NotLearnedAt, Statistics};
    #[pymodule_export]
    use crate::terms::{
        chi_squares, divergences, information_gains, mutual_information, probability_ratios, weighted_sums,
    };
    #[pymodule_export]
    use crate::text::{NotTextAt, NotUtf8At, Rules, stemmer_names};
    #[pymodule_export]
    use crate::weights::{
        CorrectionCache, EstimateSettings, OpposedSettings, SvmSettings, Weights, discriminative_counts,
        opposed_weights, svm_weights,
    };
}
