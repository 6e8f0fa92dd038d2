//! Arrays of a model file, read in place.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArray};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use textbayes_core::{Column, memory};

use crate::guard::attached;

/// A column of an array: shared when nobody can write to its memory, else copied.
///
/// Not the array is kept, but a buffer of the object that has the memory. An array can be given other memory at any time
/// (`__setstate__`, `resize`); `bytes` cannot, and a map cannot be closed or resized while a buffer of it exists.
#[allow(unsafe_code)]
pub fn column_of<T: Element + Clone + Sync>(array: &Bound<'_, PyArray1<T>>) -> PyResult<Column<T>> {
    let readonly = array.readonly();
    let slice = readonly.as_slice()?;
    if !slice.as_ptr().is_aligned() {
        return Err(PyValueError::new_err("the array is not aligned"));
    }
    if let Some(owner) = frozen_owner(array)? {
        let buffer = PyBuffer::<u8>::get(&owner)?;
        let start = buffer.buf_ptr() as usize;
        let own = slice.as_ptr() as usize..slice.as_ptr() as usize + size_of_val(slice);
        if buffer.readonly() && start <= own.start && own.end <= start + buffer.len_bytes() {
            // SAFETY: the values are in the memory of the buffer, as was just checked, and the buffer keeps this memory
            // where it is. It is that of `bytes`, which never change, or of a file mapped for reading, which no Python
            // code can write to. Without this a model of a gigabyte is copied before it is used
            // (benchmarks/model_file.py).
            return Ok(unsafe { Column::shared(slice, Arc::new(buffer)) });
        }
    }
    attached(array.py(), || memory::copied(slice).into())
}

/// The object that has the memory of an array, if no Python code can write to it: `bytes`, or a map of a file.
///
/// The array's own flag proves nothing. A read-only view changes with the array it is a view of, and the flag of an array
/// that owns its memory can be set back at any time. So the chain of bases is followed to the object that has the memory.
///
/// A program that overwrites a mapped file in place still changes what is read, as with any mapped file. `save` never does: it
/// writes another file and renames it. Every index into a column is checked, so such a change gives wrong numbers or
/// an error, never an access outside of the column.
fn frozen_owner<'py, T: Element>(array: &Bound<'py, PyArray1<T>>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut owner = array.as_any().clone();
    while owner.cast::<PyUntypedArray>().is_ok() {
        if owner.getattr("flags")?.getattr("writeable")?.extract()? {
            return Ok(None);
        }
        owner = owner.getattr("base")?;
    }
    if owner.is_exact_instance_of::<PyMemoryView>() {
        owner = owner.getattr("obj")?;
    }
    let map = owner.py().import("mmap")?.getattr("mmap")?;
    let is_frozen = owner.is_exact_instance_of::<PyBytes>() || owner.get_type().is(&map);
    Ok(is_frozen.then_some(owner))
}

/// The error for a file whose arrays do not fit each other.
pub fn damaged(py: Python<'_>, path: &str, problem: &str) -> PyErr {
    let error = py
        .import("textbayes.errors")
        .and_then(|errors| errors.getattr("ModelDamagedError"))
        .and_then(|kind| kind.call1((path, problem)));
    error.map_or_else(|error| error, PyErr::from_value)
}
