//! Scores of terms.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::statistics::WeightedSums;
use textbayes_core::terms;
use textbayes_core::terms::{Event, Mixing};

use crate::statistics::{
    Classes, Columns, Ints, Reals, Statistics, Values, checked_labels, checked_rows, with_values,
};

type Scores<'py> = Bound<'py, PyArray1<f64>>;

/// Mutual information of each term.
#[pyfunction]
pub fn mutual_information<'py>(py: Python<'py>, statistics: &Statistics) -> PyResult<Scores<'py>> {
    let scores = py.detach(|| terms::mutual_information(&statistics.0));
    statistics.check(py)?;
    Ok(scores.into_pyarray(py))
}

/// Schneider's divergence score of each term, with p(w) counted, or the mean over the classes.
#[pyfunction]
pub fn divergences<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    mean_of_classes: bool,
) -> PyResult<Scores<'py>> {
    let scores = py.detach(|| terms::divergence(&statistics.0, mean_of_classes));
    statistics.check(py)?;
    Ok(scores.into_pyarray(py))
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
    let scores = py.detach(|| terms::document_events(&statistics.0, order, measure));
    statistics.check(py)?;
    Ok(scores.into_pyarray(py))
}

/// Sums of weight · value of the pairs seen, by term, then class, and of each term over documents once.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn weighted_sums<'py>(
    py: Python<'py>,
    starts: Ints,
    columns: Columns,
    values: Values,
    width: usize,
    label_starts: Ints,
    classes: Classes,
    known_classes: usize,
    weights: Reals,
) -> PyResult<(Scores<'py>, Scores<'py>)> {
    let weights = weights.as_slice()?;
    with_values!(values, values => {
        let rows = checked_rows(&starts, &columns, values, width)?;
        let labels = checked_labels(&label_starts, &classes, rows.len(), known_classes)?;
        check_length(weights, rows.len())?;
        let sums = py.detach(|| WeightedSums::new(rows, labels, weights, width));
        Ok((sums.pairs.into_pyarray(py), sums.terms.into_pyarray(py)))
    })
}

/// λ/μ + μ/λ of each class and term, class by class. Of `own` and `rest`, each class has three numbers.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn probability_ratios<'py>(
    py: Python<'py>,
    starts: Ints,
    columns: Columns,
    values: Values,
    width: usize,
    label_starts: Ints,
    classes: Classes,
    uniform: Reals,
    by_length: Reals,
    own: Reals,
    rest: Reals,
) -> PyResult<Scores<'py>> {
    let mixing = |numbers: &[f64]| Mixing { uniform: numbers[0], by_length: numbers[1], floor: numbers[2] };
    let (own, rest) = (own.as_slice()?, rest.as_slice()?);
    let mixing: Vec<[Mixing; 2]> = own
        .chunks_exact(3)
        .zip(rest.chunks_exact(3))
        .map(|(own, rest)| [mixing(own), mixing(rest)])
        .collect();
    let weights = [uniform.as_slice()?, by_length.as_slice()?];
    with_values!(values, values => {
        let rows = checked_rows(&starts, &columns, values, width)?;
        let labels = checked_labels(&label_starts, &classes, rows.len(), mixing.len())?;
        weights.iter().try_for_each(|weights| check_length(weights, rows.len()))?;
        Ok(py.detach(|| terms::probability_ratios(rows, labels, weights, &mixing, width)).into_pyarray(py))
    })
}

fn check_length(weights: &[f64], rows: usize) -> PyResult<()> {
    if weights.len() == rows { Ok(()) } else { Err(PyValueError::new_err("the weights do not fit the rows")) }
}
