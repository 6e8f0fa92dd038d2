//! Statistics or labelled rows → weights.

mod compiled;
mod discriminative;
mod linear;
mod linear_svm;
mod mixture;
mod one_vs_rest;

pub use compiled::{
    BlendColumns, BlendSettings, Compiled, CompiledWeights, CountedTable, Form, LearnedTable, LiveParts,
    Rule, live_of,
};
pub use discriminative::{EstimateSettings, discriminative_counts};
pub use linear::{CorrectionCache, Weights};
pub use linear_svm::{SvmSettings, svm_weights};
pub use mixture::{MixtureSettings, fit_mixtures, mixture_background};
pub use one_vs_rest::{OneVsRestSettings, one_vs_rest_weights};

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::statistics;
use textbayes_core::weights;

use crate::arrays::IntoArray;
use crate::guard::detached;

/// Starts of the terms' pairs, their classes and weights, and biases by class.
type WeightedPairs<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

fn are_rows(visits: &[u32], documents: statistics::LabelledRows) -> bool {
    visits.iter().all(|&row| (row as usize) < documents.rows.len())
}

/// Work without the interpreter's lock, until it is done or a signal raises an exception.
fn interruptible<T: Send>(
    py: Python,
    work: impl FnOnce(&mut (dyn FnMut(usize) -> bool + Send)) -> Option<T> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let mut watch = |_| {
        raised = Python::attach(|py| py.check_signals()).err();
        raised.is_none()
    };
    let found = detached(py, || work(&mut watch))?;
    match (found, raised) {
        (Some(found), None) => Ok(found),
        (_, raised) => Err(raised.unwrap_or_else(|| PyValueError::new_err("nothing was learned"))),
    }
}

fn into_arrays(py: Python, found: weights::WeightedPairs) -> PyResult<WeightedPairs> {
    Ok((
        found.starts.into_array(py)?,
        found.classes.into_array(py)?,
        found.weights.into_array(py)?,
        found.biases.into_array(py)?,
    ))
}
