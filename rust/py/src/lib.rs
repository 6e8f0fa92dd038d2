//! The textbayes core as Python sees it: converts values and maps errors, and does nothing else.

mod counts;
mod mapped;
mod scores;
mod statistics;
mod text;

/// The hot loops of textbayes.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::counts::{Counting, Vocabulary, available_threads, count_text_hashed, digest, hashed_column};
    #[pymodule_export]
    use crate::scores::{Scorer, Weights};
    #[pymodule_export]
    use crate::statistics::{NotLearnedAt, Statistics};
    #[pymodule_export]
    use crate::text::{NotTextAt, NotUtf8At, Rules, stemmer_names};
}
