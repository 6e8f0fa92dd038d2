//! Weights from counts for and against a class.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::weights;

use super::{WeightedPairs, are_rows, interruptible, into_arrays};
use crate::rows::{Classes, LabelledRows, Reals, checked, copied};
use crate::statistics::Statistics;

/// How weights are learned from counts for and against; initial biases are −∞ for a class without documents.
#[pyclass(frozen, module = "textbayes._native")]
pub struct OneVsRestSettings {
    alpha: f64,
    biases: Vec<f64>,
    learn_biases: bool,
    multilabel: bool,
    block_size: usize,
}

#[pymethods]
impl OneVsRestSettings {
    #[new]
    fn new(
        alpha: f64,
        biases: Reals,
        learn_biases: bool,
        multilabel: bool,
        block_size: usize,
    ) -> PyResult<Self> {
        Ok(Self { alpha, biases: copied(&biases)?, learn_biases, multilabel, block_size })
    }
}

/// (starts of the terms' pairs, their classes and weights, biases by class), the mean over several orders of visits,
/// which follow each other in `visits`.
#[pyfunction]
pub fn one_vs_rest_weights<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    visits: Classes,
    orders: usize,
    settings: &OneVsRestSettings,
    threads: usize,
) -> PyResult<WeightedPairs<'py>> {
    let statistics = &*statistics.read(py)?.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics.shape())?;
    let terms = statistics.terms().len();
    let visits = visits.as_slice()?;
    if settings.biases.len() != statistics.classes().len() || !are_rows(visits, documents) {
        return Err(PyValueError::new_err("visits or biases do not fit the rows"));
    }
    let orders: Vec<&[u32]> = visits.chunks((visits.len() / orders.max(1)).max(1)).collect();
    let OneVsRestSettings { alpha, ref biases, learn_biases, multilabel, block_size } = *settings;
    let settings = weights::OneVsRestSettings { alpha, block_size, biases, learn_biases, multilabel };
    let found = interruptible(py, |watch| {
        weights::one_vs_rest_weights(documents, terms, &orders, settings, threads, watch)
    })?;
    into_arrays(py, found)
}
