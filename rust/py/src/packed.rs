//! Packed rows of a model file.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::statistics;

use crate::arrays::IntoArray;
use crate::guard::detached;

type Bytes<'py> = Bound<'py, PyArray1<u8>>;
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<u32>>);

/// The index and the entries of rows, in few bytes.
#[pyfunction]
pub fn pack_rows<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<i64>,
    columns: PyReadonlyArray1<i32>,
    counts: PyReadonlyArray1<u32>,
) -> PyResult<(Bytes<'py>, Bytes<'py>)> {
    let (starts, columns, counts) = (starts.as_slice()?, columns.as_slice()?, counts.as_slice()?);
    let packed = detached(py, || statistics::pack_rows(starts, columns, counts))?;
    let packed = packed.ok_or_else(|| PyValueError::new_err("the rows are not sorted"))?;
    Ok((packed.index.into_array(py)?, packed.entries.into_array(py)?))
}

/// Starts, columns and counts of rows that `pack_rows` packed, with columns below `width`.
#[pyfunction]
pub fn unpack_rows<'py>(
    py: Python<'py>,
    index: PyReadonlyArray1<u8>,
    entries: PyReadonlyArray1<u8>,
    rows: usize,
    width: usize,
) -> PyResult<Rows<'py>> {
    let (index, entries) = (index.as_slice()?, entries.as_slice()?);
    let rows = detached(py, || statistics::unpack_rows(index, entries, rows, width))?;
    let rows = rows.ok_or_else(|| PyValueError::new_err("the bytes are not those of packed rows"))?;
    Ok((rows.starts.into_array(py)?, rows.columns.into_array(py)?, rows.counts.into_array(py)?))
}

/// (rows, bytes of the index, bytes of the entries) of parts of about `size` rows and entries.
#[pyfunction]
pub fn split_packed(
    py: Python<'_>,
    index: PyReadonlyArray1<u8>,
    size: usize,
) -> PyResult<Vec<(usize, usize, usize)>> {
    let index = index.as_slice()?;
    let parts = detached(py, || statistics::split_packed(index, size))?;
    let parts = parts.ok_or_else(|| PyValueError::new_err("the bytes are not the index of packed rows"))?;
    Ok(parts.into_iter().map(|part| (part.rows, part.index, part.entries)).collect())
}
