//! Scores of terms.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::terms;
use textbayes_core::terms::Event;

use crate::statistics::Statistics;

type Scores<'py> = Bound<'py, PyArray1<f64>>;

/// Mutual information of each term.
#[pyfunction]
pub fn mutual_information<'py>(py: Python<'py>, statistics: &Statistics) -> Scores<'py> {
    py.detach(|| terms::mutual_information(&statistics.0)).into_pyarray(py)
}

/// Schneider's divergence score of each term, with p(w) counted, or the mean over the classes.
#[pyfunction]
pub fn divergences<'py>(py: Python<'py>, statistics: &Statistics, mean_of_classes: bool) -> Scores<'py> {
    py.detach(|| terms::divergence(&statistics.0, mean_of_classes)).into_pyarray(py)
}

/// Information gain of each class of `order` and each term, class by class.
#[pyfunction]
pub fn information_gains<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    order: PyReadonlyArray1<u32>,
) -> PyResult<Scores<'py>> {
    document_events(py, statistics, &order, terms::information_gain)
}

/// χ² of each class of `order` and each term, class by class.
#[pyfunction]
pub fn chi_squares<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    order: PyReadonlyArray1<u32>,
) -> PyResult<Scores<'py>> {
    document_events(py, statistics, &order, terms::chi_square)
}

fn document_events<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    order: &PyReadonlyArray1<u32>,
    measure: impl Fn(Event) -> f64 + Sync + Send,
) -> PyResult<Scores<'py>> {
    let order = order.as_slice()?;
    if order.iter().any(|&class| class as usize >= statistics.0.classes().len()) {
        return Err(PyValueError::new_err("the order names classes that there are not"));
    }
    Ok(py.detach(|| terms::document_events(&statistics.0, order, measure)).into_pyarray(py))
}
