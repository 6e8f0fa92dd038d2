//! Results of the core as arrays of numpy, without a copy.
//!
//! rust-numpy's own conversion panics when Python has no memory for the object of an array, or uses a null pointer. This
//! one calls numpy through Python and so raises a `MemoryError`.

use std::any::Any;
use std::ffi::c_int;

use numpy::{Element, PyArray1, dtype};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Memory that the core has given away, and that arrays of numpy show.
#[pyclass(frozen, module = "textbayes._native")]
struct Memory {
    start: *mut u8,
    bytes: usize,
    _owner: Box<dyn Any + Send + Sync>,
}

// SAFETY: the pointer is to memory of the owner, which may be sent and shared; nothing here reads or writes through it.
#[allow(unsafe_code)]
unsafe impl Send for Memory {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Memory {}

#[pymethods]
impl Memory {
    #[allow(unsafe_code)]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let own = slf.get();
        // SAFETY: Python passes a buffer to fill, which keeps this object alive; the owner inside keeps the memory where
        // it is, and no Rust code uses it any more.
        let failed = unsafe {
            ffi::PyBuffer_FillInfo(view, slf.as_ptr(), own.start.cast(), own.bytes as isize, 0, flags)
        };
        if failed == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}

/// Give numbers away as an array.
pub trait IntoArray<T> {
    /// An array of the same numbers, or a `MemoryError`.
    fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyArray1<T>>>;
}

impl<T: Element + Send + Sync + 'static> IntoArray<T> for Vec<T> {
    fn into_array(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyArray1<T>>> {
        static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let kind = dtype::<T>(py);
        if self.is_empty() {
            // numpy takes no buffer without bytes.
            return Ok(EMPTY.import(py, "numpy", "empty")?.call1((0, kind))?.cast_into()?);
        }
        let (start, bytes) = (self.as_mut_ptr().cast(), size_of_val(self.as_slice()));
        let memory = Bound::new(py, Memory { start, bytes, _owner: Box::new(self) })?;
        Ok(FROM_BUFFER.import(py, "numpy", "frombuffer")?.call1((memory, kind))?.cast_into()?)
    }
}
