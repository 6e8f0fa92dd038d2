//! Scores of terms.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::Versioned;
use textbayes_core::statistics::WeightedSums;
use textbayes_core::terms;
use textbayes_core::terms::{Event, Mixing};

use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::rows::{Classes, Labels, Reals, Rows, checked_labels, with_values};
use crate::statistics::Statistics;
use crate::versioned::{copy, read};

type Scores<'py> = Bound<'py, PyArray1<f64>>;

/// Mutual information of each term.
#[pyfunction]
pub fn mutual_information<'py>(py: Python<'py>, statistics: &Statistics) -> PyResult<Scores<'py>> {
    let statistics = statistics.read(py)?;
    let scores = detached(py, || terms::mutual_information(&statistics.0))?;
    statistics.check(py)?;
    scores.into_array(py)
}

/// Schneider's divergence score of each term, with p(w) counted, or the mean over the classes.
#[pyfunction]
pub fn divergences<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    mean_of_classes: bool,
) -> PyResult<Scores<'py>> {
    let statistics = statistics.read(py)?;
    let scores = detached(py, || terms::divergence(&statistics.0, mean_of_classes))?;
    statistics.check(py)?;
    scores.into_array(py)
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
    let (order, statistics) = (order.as_slice()?, statistics.read(py)?);
    if order.iter().any(|&class| class as usize >= statistics.0.classes().len()) {
        return Err(PyValueError::new_err("the order names classes that do not exist"));
    }
    let scores = detached(py, || terms::document_events(&statistics.0, order, measure))?;
    statistics.check(py)?;
    scores.into_array(py)
}

/// Sums of weight · value of the pairs seen, by term, then class, and of each term over documents once.
#[pyfunction]
pub fn weighted_sums<'py>(
    py: Python<'py>,
    rows: Rows,
    labels: Labels,
    classes: usize,
    weights: Reals,
) -> PyResult<(Scores<'py>, Scores<'py>)> {
    let (weights, width) = (weights.as_slice()?, rows.width);
    with_values!(rows, values => {
        let rows = rows.checked(values, width)?;
        let labels = checked_labels(&labels, rows.len(), classes)?;
        check_length(weights, rows.len())?;
        let sums = detached(py, || WeightedSums::new(rows, labels, weights, width))?;
        Ok((sums.pairs.into_array(py)?, sums.terms.into_array(py)?))
    })
}

/// λ/μ + μ/λ of each class and term, class by class. `weights` are 1/D and dl/D of each row; `mixing` has three numbers
/// for each class, and for its complement.
#[pyfunction]
pub fn probability_ratios<'py>(
    py: Python<'py>,
    rows: Rows,
    labels: Labels,
    weights: (Reals, Reals),
    mixing: (Reals, Reals),
) -> PyResult<Scores<'py>> {
    let (own, rest) = (mixing.0.as_slice()?, mixing.1.as_slice()?);
    let mixing = |numbers: &[f64]| Mixing { uniform: numbers[0], by_length: numbers[1], floor: numbers[2] };
    let mixing: Vec<[Mixing; 2]> = own
        .chunks_exact(3)
        .zip(rest.chunks_exact(3))
        .map(|(own, rest)| [mixing(own), mixing(rest)])
        .collect();
    let (weights, width) = ([weights.0.as_slice()?, weights.1.as_slice()?], rows.width);
    with_values!(rows, values => {
        let rows = rows.checked(values, width)?;
        let labels = checked_labels(&labels, rows.len(), mixing.len())?;
        weights.iter().try_for_each(|weights| check_length(weights, rows.len()))?;
        detached(py, || terms::probability_ratios(rows, labels, weights, &mixing, width))?.into_array(py)
    })
}

fn check_length(weights: &[f64], rows: usize) -> PyResult<()> {
    if weights.len() == rows { Ok(()) } else { Err(PyValueError::new_err("the weights do not fit the rows")) }
}

/// Kim's sums of pairs and terms, refreshed after the statistics change.
#[pyclass(frozen, module = "textbayes._native")]
pub struct PoissonSums(pub Versioned<terms::PoissonSums>);

#[pymethods]
impl PoissonSums {
    /// `added` is θ|V|.
    #[new]
    fn new(added: f64) -> Self {
        Self(Versioned::new(terms::PoissonSums::new(added)))
    }

    /// A copy, which shares the sums until one of the two changes.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(copy(py, &self.0))
    }

    /// How many groups of documents are known.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(read(py, &self.0)?.groups())
    }

    /// Bring the sums up to date; classes (2**32 − 1 for all) and lengths are those of the new groups.
    fn refresh(
        &self,
        py: Python<'_>,
        statistics: &Statistics,
        by_length: &Statistics,
        classes: Classes,
        lengths: Reals,
    ) -> PyResult<()> {
        let (classes, lengths) = (classes.as_slice()?, lengths.as_slice()?);
        let (statistics, by_length) = (statistics.read(py)?, by_length.read(py)?);
        let known = |&class: &u32| class == u32::MAX || (class as usize) < statistics.0.classes().len();
        let fit = classes.len() == lengths.len()
            && classes.iter().all(known)
            && statistics.0.terms().len() == by_length.0.terms().len()
            && detached(py, || self.0.refresh((classes, lengths), &statistics.0, &by_length.0))?;
        if !fit {
            return Err(PyValueError::new_err("the groups of documents do not fit the statistics"));
        }
        statistics.check(py)?;
        by_length.check(py)
    }

    /// Σ 1, Σ dl, Σ 1/D and Σ dl/D over the documents of each class, and last over all.
    fn of_classes<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        by_length: &Statistics,
    ) -> PyResult<(Scores<'py>, Scores<'py>, Scores<'py>, Scores<'py>)> {
        let (sums, by_length) = (read(py, &self.0)?, by_length.read(py)?);
        if sums.groups() > by_length.0.classes().len() {
            return Err(PyValueError::new_err("the sums are of other statistics"));
        }
        let classes = statistics.read(py)?.0.classes().len();
        let found = attached(py, || sums.of_classes(&by_length.0, classes))?;
        let [documents, lengths, uniform, by_length] = found;
        Ok((
            documents.into_array(py)?,
            lengths.into_array(py)?,
            uniform.into_array(py)?,
            by_length.into_array(py)?,
        ))
    }
}
