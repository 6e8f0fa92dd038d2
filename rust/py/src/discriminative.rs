//! Counts weighted by how badly a model knows them.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::scores::{Lessons, Margins, Opposing};

use crate::statistics::{Statistics, checked_labels, checked_rows, checked_weights};

type Reals<'py> = PyReadonlyArray1<'py, f64>;
type Classes<'py> = PyReadonlyArray1<'py, u32>;
type WeighedPairs<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);
type Columns<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// (counts of the pairs, by term, then class; counts of the classes) after visiting rows in blocks.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn discriminative_counts<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    starts: PyReadonlyArray1<i64>,
    columns: PyReadonlyArray1<i32>,
    values: Reals,
    label_starts: PyReadonlyArray1<i64>,
    classes: Classes,
    weights: Option<Reals>,
    visits: Classes,
    alpha: f64,
    prior: Reals,
    block: usize,
    threads: usize,
) -> PyResult<Columns<'py>> {
    let documents = (&starts, &columns, &values);
    let lessons = checked_lessons(statistics, documents, (&label_starts, &classes), weights.as_ref())?;
    let statistics = &statistics.0;
    let (visits, prior) = (visits.as_slice()?, prior.as_slice()?);
    let sound = lessons.labels.starts.windows(2).all(|ends| ends[1] - ends[0] == 1)
        && prior.len() == statistics.classes().len()
        && are_rows(visits, lessons);
    if !sound {
        return Err(PyValueError::new_err("classes, visits or prior do not fit the rows"));
    }
    let found = py
        .detach(|| scores::discriminative_counts(statistics, lessons, visits, alpha, prior, block, threads));
    Ok((found.pairs.into_pyarray(py), found.classes.into_pyarray(py)))
}

/// (starts of the terms' pairs, their classes and weights, biases by class), the mean over several orders of visits,
/// which follow each other in `visits`. The biases that classes start from are −∞ for a class that is none.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn opposed_weights<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    starts: PyReadonlyArray1<i64>,
    columns: PyReadonlyArray1<i32>,
    values: Reals,
    label_starts: PyReadonlyArray1<i64>,
    classes: Classes,
    weights: Option<Reals>,
    visits: Classes,
    orders: usize,
    alpha: f64,
    biases: Reals,
    learn_biases: bool,
    several: bool,
    block: usize,
    threads: usize,
) -> PyResult<WeighedPairs<'py>> {
    let documents = (&starts, &columns, &values);
    let lessons = checked_lessons(statistics, documents, (&label_starts, &classes), weights.as_ref())?;
    let (terms, known) = (statistics.0.terms().len(), statistics.0.classes().len());
    let (visits, biases) = (visits.as_slice()?, biases.as_slice()?);
    if biases.len() != known || !are_rows(visits, lessons) {
        return Err(PyValueError::new_err("visits or biases do not fit the rows"));
    }
    let orders: Vec<&[u32]> = visits.chunks((visits.len() / orders.max(1)).max(1)).collect();
    let how = Opposing { alpha, block, biases, learn_biases, several };
    let found =
        interruptible(py, |look_up| scores::opposed_weights(lessons, terms, &orders, how, threads, look_up))?;
    Ok(into_arrays(py, found))
}

/// (starts of the terms' pairs, their classes and weights, biases by class; rounds needed) of rows that count by what
/// they fall short of a margin. `visits` are rounds, each an order of all rows.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn margin_weights<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    starts: PyReadonlyArray1<i64>,
    columns: PyReadonlyArray1<i32>,
    values: Reals,
    label_starts: PyReadonlyArray1<i64>,
    classes: Classes,
    weights: Option<Reals>,
    visits: Classes,
    live: Classes,
    cost: f64,
    tolerance: f64,
    threads: usize,
) -> PyResult<(WeighedPairs<'py>, usize)> {
    let documents = (&starts, &columns, &values);
    let lessons = checked_lessons(statistics, documents, (&label_starts, &classes), weights.as_ref())?;
    let (terms, slots) = (statistics.0.terms().len(), statistics.0.classes().len());
    let (visits, classes) = (visits.as_slice()?, live.as_slice()?);
    let sound = are_rows(visits, lessons)
        && classes.is_sorted()
        && classes.last().is_none_or(|&class| (class as usize) < slots);
    if !sound {
        return Err(PyValueError::new_err("visits or classes do not fit the rows"));
    }
    let rounds: Vec<&[u32]> = visits.chunks(lessons.rows.len().max(1)).collect();
    let how = Margins { cost, tolerance, classes, slots };
    let (found, needed) =
        interruptible(py, |look_up| scores::margin_weights(lessons, terms, &rounds, how, threads, look_up))?;
    Ok((into_arrays(py, found), needed))
}

/// Check labelled rows that come from Python: (starts, columns, values) and (starts, classes).
fn checked_lessons<'a>(
    statistics: &Statistics,
    (starts, columns, values): (&'a PyReadonlyArray1<i64>, &'a PyReadonlyArray1<i32>, &'a Reals),
    (label_starts, classes): (&'a PyReadonlyArray1<i64>, &'a Classes),
    weights: Option<&'a Reals>,
) -> PyResult<Lessons<'a>> {
    let rows = checked_rows(starts, columns, values, statistics.0.terms().len())?;
    let labels = checked_labels(label_starts, classes, rows.len(), statistics.0.classes().len())?;
    Ok(Lessons { rows, labels, weights: checked_weights(weights, rows.len())? })
}

fn are_rows(visits: &[u32], lessons: Lessons) -> bool {
    visits.iter().all(|&row| (row as usize) < lessons.rows.len())
}

/// Work without the interpreter's lock, until it is done or a signal raises an exception.
fn interruptible<T: Send>(
    py: Python,
    work: impl FnOnce(&mut (dyn FnMut(usize) -> bool + Send)) -> Option<T> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let mut look_up = |_| {
        raised = Python::attach(|py| py.check_signals()).err();
        raised.is_none()
    };
    let found = py.detach(|| work(&mut look_up));
    match (found, raised) {
        (Some(found), None) => Ok(found),
        (_, raised) => Err(raised.unwrap_or_else(|| PyValueError::new_err("nothing was learned"))),
    }
}

fn into_arrays(py: Python, found: scores::WeighedPairs) -> WeighedPairs {
    (
        found.starts.into_pyarray(py),
        found.classes.into_pyarray(py),
        found.weights.into_pyarray(py),
        found.biases.into_pyarray(py),
    )
}
