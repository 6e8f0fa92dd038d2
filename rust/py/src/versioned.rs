//! Values of the core that Python shares between threads.

use std::sync::Arc;

use pyo3::prelude::*;
use textbayes_core::{Undoable, Versioned};

use crate::guard::detached;

/// The value as it is now. When that takes time, wait without the interpreter's lock.
pub fn read<T: Undoable + Send + Sync>(py: Python<'_>, value: &Versioned<T>) -> PyResult<Arc<T>>
where
    T::Undo: Send + Sync,
{
    value.try_get().map_or_else(|| detached(py, || value.get()), Ok)
}

/// A copy of a value, which shares it until one of the two changes.
pub fn copy<T: Undoable + Send + Sync>(py: Python<'_>, value: &Versioned<T>) -> Versioned<T>
where
    T::Undo: Send + Sync,
{
    value.try_copy().unwrap_or_else(|| py.detach(|| value.copy()))
}
