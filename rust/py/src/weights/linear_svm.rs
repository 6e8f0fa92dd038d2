//! A linear SVM.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::weights;

use super::{WeightedPairs, are_rows, interruptible, into_arrays};
use crate::rows::{Classes, LabelledRows, checked, copied};
use crate::statistics::Statistics;

/// How a linear SVM learns; `classes` are those with documents, in order.
#[pyclass(frozen, module = "textbayes._native")]
pub struct SvmSettings {
    c: f64,
    tolerance: f64,
    classes: Vec<u32>,
}

#[pymethods]
impl SvmSettings {
    #[new]
    fn new(c: f64, tolerance: f64, classes: Classes) -> PyResult<Self> {
        Ok(Self { c, tolerance, classes: copied(&classes)? })
    }
}

/// ((starts of the terms' pairs, their classes and weights, biases by class), rounds needed) of a linear SVM. `visits`
/// are rounds, each an order of all rows.
#[pyfunction]
pub fn svm_weights<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    visits: Classes,
    settings: &SvmSettings,
    threads: usize,
) -> PyResult<(WeightedPairs<'py>, usize)> {
    let statistics = &*statistics.read(py)?.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics.shape())?;
    let (terms, slots) = (statistics.terms().len(), statistics.classes().len());
    let visits = visits.as_slice()?;
    let SvmSettings { c, tolerance, ref classes } = *settings;
    let sound = are_rows(visits, documents)
        && classes.is_sorted()
        && classes.last().is_none_or(|&class| (class as usize) < slots);
    if !sound {
        return Err(PyValueError::new_err("visits or classes do not fit the rows"));
    }
    let rounds: Vec<&[u32]> = visits.chunks(documents.rows.len().max(1)).collect();
    let settings = weights::SvmSettings { c, tolerance, classes, slots };
    let (found, needed) =
        interruptible(py, |watch| weights::svm_weights(documents, terms, &rounds, settings, threads, watch))?;
    Ok((into_arrays(py, found)?, needed))
}
