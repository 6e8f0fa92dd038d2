//! The textbayes core as Python sees it: converts values and maps errors, and does nothing else.

mod allocator;
mod arrays;
mod counts;
mod guard;
mod mapped;
mod packed;
mod rows;
mod scores;
mod statistics;
mod terms;
mod text;
mod versioned;
mod weights;

/// The hot loops of textbayes.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::counts::{
        Counting, Vocabulary, available_threads, count_text_hashed, digest, hashed_column, hashed_row_keys,
        limit_threads,
    };
    #[pymodule_export]
    use crate::packed::{pack_rows, split_packed, unpack_rows};
    #[pymodule_export]
    use crate::scores::{
        CompiledScorer, MixtureScorer, PoissonScorer, Scorer, complement_falls, evidence_sums, factor_falls,
        length_changes, mixture_loo_scores, own_changes,
    };
    #[pymodule_export]
    use crate::statistics::{NotLearnedAt, Statistics};
    #[pymodule_export]
    use crate::terms::{
        PoissonSums, chi_squares, divergences, information_gains, mutual_information, probability_ratios,
        weighted_sums,
    };
    #[pymodule_export]
    use crate::text::{NotTextAt, NotUtf8At, Rules, stemmer_names};
    #[pymodule_export]
    use crate::weights::{
        BlendColumns, BlendSettings, CompiledWeights, CorrectionCache, CountedTable, EstimateSettings, Form,
        LearnedTable, MixtureSettings, OneVsRestSettings, Rule, SvmSettings, Weights, discriminative_counts,
        fit_mixtures, mixture_background, one_vs_rest_weights, svm_weights,
    };

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::guard::keep_panics();
        Ok(())
    }
}
