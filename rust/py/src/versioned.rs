//! Values of the core that Python shares between threads.

use std::sync::Arc;

use pyo3::prelude::*;
use textbayes_core::Versioned;

/// The value as it is now. While another thread changes it, wait without the interpreter's lock.
pub fn read<T: Clone + Send + Sync>(py: Python<'_>, value: &Versioned<T>) -> Arc<T> {
    value.try_get().unwrap_or_else(|| py.detach(|| value.get()))
}

/// A copy of a value, which shares it until one of the two changes.
pub fn copy<T: Clone + Send + Sync>(py: Python<'_>, value: &Versioned<T>) -> Versioned<T> {
    py.detach(|| value.copy())
}
