//! Arrays that lie in a model file, read where they lie.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::Column;

/// A column of an array: borrowed when nobody can write to it, else copied.
pub fn column_of<T: Element + Clone + Sync>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Column<T>> {
    let writeable: bool = array.getattr("flags")?.getattr("writeable")?.extract()?;
    let readonly = array.readonly();
    let slice = readonly.as_slice()?;
    if writeable {
        return Ok(slice.to_vec().into());
    }
    if !slice.as_ptr().is_aligned() {
        return Err(PyValueError::new_err("the array is not aligned"));
    }
    Ok(Column::Shared(borrowed(slice), Arc::new(array.clone().unbind())))
}

/// A slice of a read-only array for as long as the array is kept.
#[allow(unsafe_code)]
fn borrowed<T>(slice: &[T]) -> &'static [T] {
    // SAFETY: the column that gets the slice also gets the array, which keeps the memory and never moves it;
    // a column hands out slices for as long as it lives itself. Numpy says that nobody writes to the array.
    // Without this a model of a gigabyte is copied before it is used (benchmarks/model_file.py).
    unsafe { std::slice::from_raw_parts(slice.as_ptr(), slice.len()) }
}

/// The error for a file whose arrays do not fit each other.
pub fn damaged(py: Python<'_>, path: &str, problem: &str) -> PyErr {
    let error = py
        .import("textbayes.errors")
        .and_then(|errors| errors.getattr("ModelDamagedError"))
        .and_then(|kind| kind.call1((path, problem)));
    error.map_or_else(|error| error, PyErr::from_value)
}
