//! The one place where the core is called: what unwinds there becomes an exception.
//!
//! A table without memory becomes an `OutOfMemoryError`, which is a `MemoryError`. Any other panic is a bug of textbayes and
//! becomes a `CoreBugError` that says what to report. No panic reaches Python as a `PanicException`.
//!
//! Values that the core was changing when it unwound may be half changed. They stay sound, since the core has no unsafe
//! code that relies on them, but wrong: Python changes copies, and drops a copy whose change raised.

use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use std::sync::Mutex;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use textbayes_core::memory::OutOfMemory;

use crate::allocator;

/// What the last panic said, and where it was.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keep what a panic says for the exception, in place of printing it.
pub fn keep_panics() {
    set_hook(Box::new(|panic: &PanicHookInfo| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            let place = panic.location().map_or_else(String::new, |place| format!(" ({place})"));
            *last = Some(format!("{}{place}", said_by(panic.payload())));
        }
    }));
}

/// Work of the core without the interpreter's lock.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let found = py.detach(|| guarded(work));
    found.map_err(|payload| raised(py, payload))
}

/// Work of the core that is short, or calls Python.
pub fn attached<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    guarded(work).map_err(|payload| raised(py, payload))
}

type Payload = Box<dyn Any + Send>;

fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Payload> {
    if !allocator::has_reserve() {
        return Err(Box::new(OutOfMemory { length: 0, bytes: 0 }));
    }
    catch_unwind(AssertUnwindSafe(work))
}

fn said_by(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// The exception for what unwound.
fn raised(py: Python<'_>, payload: Payload) -> PyErr {
    if let Some(&OutOfMemory { length, bytes }) = payload.downcast_ref::<OutOfMemory>() {
        // Without memory even an exception may fail to be made.
        return made(py, "OutOfMemoryError", (length, bytes)).unwrap_or_else(|_| PyMemoryError::new_err(()));
    }
    let said = said_by(&*payload);
    if said == "capacity overflow" {
        return made(py, "OutOfMemoryError", (usize::MAX, usize::MAX)).unwrap_or_else(|error| error);
    }
    let kept = LAST_PANIC.lock().ok().and_then(|mut last| last.take());
    // Another thread may have panicked since.
    let told = kept.filter(|kept| kept.starts_with(&said)).unwrap_or(said);
    made(py, "CoreBugError", (told,)).unwrap_or_else(|error| error)
}

fn made<'py>(py: Python<'py>, name: &str, facts: impl pyo3::call::PyCallArgs<'py>) -> PyResult<PyErr> {
    Ok(PyErr::from_value(py.import("textbayes.errors")?.getattr(name)?.call1(facts)?))
}
