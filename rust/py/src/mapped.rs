//! Arrays of a model file, read in place.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use textbayes_core::{Column, memory};

use crate::guard::attached;

/// A column of an array: shared when nobody can write to its memory, else copied.
#[allow(unsafe_code)]
pub fn column_of<T: Element + Clone + Sync>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Column<T>> {
    let readonly = array.readonly();
    let slice = readonly.as_slice()?;
    if !slice.as_ptr().is_aligned() {
        return Err(PyValueError::new_err("the array is not aligned"));
    }
    if !is_frozen(array)? {
        return attached(array.py(), || memory::copied(slice).into());
    }
    // SAFETY: the owner is the array, which keeps its memory where it is; `is_frozen` has shown that nobody can write
    // to it. Without this a model of a gigabyte is copied before it is used (benchmarks/model_file.py).
    Ok(unsafe { Column::shared(slice, Arc::new(array.clone().unbind())) })
}

/// True when no Python code can write to the memory of an array: it is that of `bytes`, or of a file mapped for reading.
///
/// The array's own flag proves nothing. A read-only view changes with the array it is a view of, and the flag of an array
/// that owns its memory can be set back at any time. So the chain of bases is followed to the object that has the memory.
///
/// A program that overwrites a mapped file in place still changes what is read, as with any mapped file. `save` never does: it
/// writes another file and renames it. Every index into a column is checked, so such a change gives wrong numbers or
/// an error, never an access outside of the column.
fn is_frozen<T: Element>(array: &Bound<'_, PyArray1<T>>) -> PyResult<bool> {
    let mut owner = array.as_any().clone();
    while owner.cast::<PyUntypedArray>().is_ok() {
        if owner.getattr("flags")?.getattr("writeable")?.extract()? {
            return Ok(false);
        }
        owner = owner.getattr("base")?;
    }
    if owner.is_exact_instance_of::<PyMemoryView>() {
        owner = owner.getattr("obj")?;
    }
    if owner.is_exact_instance_of::<PyBytes>() {
        return Ok(true);
    }
    let map = owner.py().import("mmap")?.getattr("mmap")?;
    Ok(owner.get_type().is(&map) && PyMemoryView::from(&owner)?.getattr("readonly")?.extract()?)
}

/// The error for a file whose arrays do not fit each other.
pub fn damaged(py: Python<'_>, path: &str, problem: &str) -> PyErr {
    let error = py
        .import("textbayes.errors")
        .and_then(|errors| errors.getattr("ModelDamagedError"))
        .and_then(|kind| kind.call1((path, problem)));
    error.map_or_else(|error| error, PyErr::from_value)
}
