//! Labelled rows as Python hands them over, checked so that no index can be out of bounds.

use std::borrow::Cow;

use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::statistics::Value;
use textbayes_core::{memory, statistics};

use crate::guard::attached;

pub type Ints<'py> = PyReadonlyArray1<'py, i64>;
pub type Columns<'py> = PyReadonlyArray1<'py, i32>;
pub type Classes<'py> = PyReadonlyArray1<'py, u32>;
pub type Reals<'py> = PyReadonlyArray1<'py, f64>;

/// The values of rows: counts as they are, anything else as doubles.
pub enum Values<'py> {
    Counts(PyReadonlyArray1<'py, i64>),
    Reals(PyReadonlyArray1<'py, f64>),
}

impl<'py> FromPyObject<'_, 'py> for Values<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(counts) = object.cast::<PyArray1<i64>>() {
            return Ok(Self::Counts(counts.readonly()));
        }
        Ok(Self::Reals(object.cast::<PyArray1<f64>>()?.readonly()))
    }
}

/// Python's `Rows`, read by its attributes.
#[derive(FromPyObject)]
pub struct Rows<'py> {
    starts: Ints<'py>,
    columns: Columns<'py>,
    pub values: Values<'py>,
    pub width: usize,
}

/// Do the same with either kind of values.
macro_rules! with_values {
    ($rows:expr, $name:ident => $work:expr) => {
        match &$rows.values {
            $crate::rows::Values::Counts($name) => $work,
            $crate::rows::Values::Reals($name) => $work,
        }
    };
}
pub(crate) use with_values;

impl Rows<'_> {
    /// The rows with values of one kind; every column must be below `terms`.
    pub fn checked<'a, V: Value + Element>(
        &'a self,
        values: &'a PyReadonlyArray1<V>,
        terms: usize,
    ) -> PyResult<statistics::Rows<'a, V>> {
        self.sound(values.as_slice()?, terms)
    }

    /// The number of rows.
    pub fn len(&self) -> PyResult<usize> {
        Ok(self.starts.as_slice()?.len().saturating_sub(1))
    }

    /// Doubles, which counts are converted to.
    pub fn reals(&self) -> PyResult<Cow<'_, [f64]>> {
        Ok(match &self.values {
            Values::Counts(counts) => {
                let reals = counts.as_slice()?.iter().map(|&count| count as f64);
                Cow::Owned(attached(self.starts.py(), || memory::collected(reals))?)
            }
            Values::Reals(reals) => Cow::Borrowed(reals.as_slice()?),
        })
    }

    /// The rows with these values; every column must be below `terms`.
    pub fn sound<'a, V: Value>(&'a self, values: &'a [V], terms: usize) -> PyResult<statistics::Rows<'a, V>> {
        let rows =
            statistics::Rows { starts: self.starts.as_slice()?, columns: self.columns.as_slice()?, values };
        let problem = || PyValueError::new_err("the rows are not sound CSR");
        if rows.are_sound(terms) { Ok(rows) } else { Err(problem()) }
    }
}

/// Where the classes of each row start, and the classes.
pub type Labels<'py> = (Ints<'py>, Classes<'py>);

/// The labels of `rows` rows, each below `classes`.
pub fn checked_labels<'a>(
    (starts, slots): &'a Labels,
    rows: usize,
    classes: usize,
) -> PyResult<statistics::Labels<'a>> {
    let labels = statistics::Labels { starts: starts.as_slice()?, classes: slots.as_slice()? };
    let problem = || PyValueError::new_err("the labels do not fit the rows");
    if labels.are_sound(rows, classes) { Ok(labels) } else { Err(problem()) }
}

/// The weights of `rows` rows.
pub fn checked_weights<'a>(weights: Option<&'a Reals>, rows: usize) -> PyResult<Option<&'a [f64]>> {
    let weights = weights.map(|weights| weights.as_slice()).transpose()?;
    let problem = || PyValueError::new_err("the weights do not fit the rows");
    if weights.is_none_or(|weights| weights.len() == rows) { Ok(weights) } else { Err(problem()) }
}

/// Rows, their labels and their weights.
pub type LabelledRows<'py> = (Rows<'py>, Labels<'py>, Option<Reals<'py>>);

/// Labelled rows that fit statistics of this many terms and classes.
pub fn checked<'a, V: Value>(
    (rows, labels, weights): &'a LabelledRows,
    values: &'a [V],
    (terms, classes): (usize, usize),
) -> PyResult<statistics::LabelledRows<'a, V>> {
    let rows = rows.sound(values, terms)?;
    let labels = checked_labels(labels, rows.len(), classes)?;
    Ok(statistics::LabelledRows { rows, labels, weights: checked_weights(weights.as_ref(), rows.len())? })
}

/// A copy of an array.
pub fn copied<T: Element + Copy>(array: &PyReadonlyArray1<T>) -> PyResult<Vec<T>> {
    let values = array.as_slice()?;
    attached(array.py(), || memory::copied(values))
}
