//! Rows × weights → scores.

mod compiled;
mod leave_one_out;
mod mixture;
mod poisson;
mod scorer;

pub use compiled::CompiledScorer;
pub use leave_one_out::{
    complement_falls, evidence_sums, factor_falls, length_changes, mixture_loo_scores, own_changes,
};
pub use mixture::MixtureScorer;
pub use poisson::PoissonScorer;
pub use scorer::Scorer;

use numpy::PyArray1;
use pyo3::prelude::*;

/// The best classes of each row, and their scores.
type Best<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);
