//! The discriminative frequency estimate.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::weights;

use super::are_rows;
use crate::arrays::IntoArray;
use crate::guard::detached;
use crate::rows::{Classes, LabelledRows, Reals, checked, copied};
use crate::statistics::Statistics;

type Columns<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// How the discriminative frequency estimate learns; `prior` is log P(c), −∞ for a class without documents.
#[pyclass(frozen, module = "textbayes._native")]
pub struct EstimateSettings {
    alpha: f64,
    prior: Vec<f64>,
    block_size: usize,
}

#[pymethods]
impl EstimateSettings {
    #[new]
    fn new(alpha: f64, prior: Reals, block_size: usize) -> PyResult<Self> {
        Ok(Self { alpha, prior: copied(&prior)?, block_size })
    }
}

/// (counts of the pairs, by term, then class; counts of the classes) after visiting rows in blocks.
#[pyfunction]
pub fn discriminative_counts<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    visits: Classes,
    settings: &EstimateSettings,
    threads: usize,
) -> PyResult<Columns<'py>> {
    let statistics = &*statistics.read(py)?.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics.shape())?;
    let visits = visits.as_slice()?;
    let sound = documents.labels.are_single()
        && settings.prior.len() == statistics.classes().len()
        && are_rows(visits, documents);
    if !sound {
        return Err(PyValueError::new_err("classes, visits or prior do not fit the rows"));
    }
    let EstimateSettings { alpha, ref prior, block_size } = *settings;
    let settings = weights::EstimateSettings { alpha, prior, block_size };
    let found =
        detached(py, || weights::discriminative_counts(statistics, documents, visits, settings, threads))?;
    Ok((found.pairs.into_array(py)?, found.classes.into_array(py)?))
}
