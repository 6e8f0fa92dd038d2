//! Counting and vocabularies.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyType};
use textbayes_core::{Versioned, counts, memory};

use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::mapped::column_of;
use crate::rows::Rows;
use crate::text::{CopiedTexts, Held, Rules, hold_batch};
use crate::versioned::{copy, read};

/// Python checks for Ctrl-C after batches of this size.
const BATCH_BYTES: usize = 1 << 25;

/// How many threads this process may run at once.
#[pyfunction]
pub fn available_threads() -> usize {
    textbayes_core::available_threads()
}

/// Limit the threads that work on behalf of this thread, to one at least; return the limit before.
#[pyfunction]
pub fn limit_threads(limit: usize) -> usize {
    textbayes_core::limit_threads(limit)
}

/// The column of a term among hashed ones.
#[pyfunction]
pub fn hashed_column(term: &str, dimensions: u32) -> PyResult<u32> {
    if dimensions == 0 {
        return Err(PyValueError::new_err("dimensions is 0"));
    }
    Ok(counts::hashed_column(term.as_bytes(), dimensions))
}

/// A hash of each row's hashed columns and counts.
#[pyfunction]
pub fn hashed_row_keys<'py>(py: Python<'py>, rows: Rows) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let values = rows.reals()?;
    let rows = rows.sound(&values, rows.width)?;
    let keys =
        detached(py, || counts::row_keys(rows.starts, rows.columns, rows.values, |column| column as u64))?;
    keys.into_array(py)
}

/// The hashed columns of one text's terms, and their counts.
#[pyfunction]
pub fn count_text_hashed<'py>(
    rules: &Rules,
    text: &Bound<'py, PyString>,
    dimensions: u32,
) -> PyResult<Row<'py>> {
    let held = Held::from_python(text)?;
    let (py, text) = (text.py(), held.as_str()?);
    let (columns, counts) = attached(py, || counts::count_text_hashed(&rules.0, text, dimensions.max(1)))?;
    Ok((columns.into_array(py)?, counts.into_array(py)?))
}

/// XXH64 of the concatenated bytes of several arrays, with seed 0.
#[pyfunction]
pub fn digest(py: Python<'_>, parts: Vec<PyReadonlyArray1<u8>>) -> PyResult<u64> {
    let parts = parts.iter().map(|part| part.as_slice()).collect::<Result<Vec<_>, _>>()?;
    detached(py, || counts::digest(&parts))
}

/// Terms in the order of their columns.
///
/// Copies share them until one of them grows.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Vocabulary(Versioned<counts::Vocabulary>);

impl Vocabulary {
    fn of(vocabulary: counts::Vocabulary) -> Self {
        Self(Versioned::new(vocabulary))
    }

    /// The terms as they are now.
    fn read(&self, py: Python<'_>) -> PyResult<Arc<counts::Vocabulary>> {
        read(py, &self.0)
    }
}

type Rebuild<'py> = (Bound<'py, PyType>, (Bound<'py, PyBytes>, Bound<'py, PyArray1<i64>>));

#[pymethods]
impl Vocabulary {
    /// A vocabulary from the concatenated bytes of its terms, and where each ends.
    #[new]
    #[pyo3(signature = (bytes = None, ends = None))]
    fn new(py: Python<'_>, bytes: Option<&[u8]>, ends: Option<PyReadonlyArray1<i64>>) -> PyResult<Self> {
        let (Some(bytes), Some(ends)) = (bytes, ends) else {
            return Ok(Self::of(counts::Vocabulary::default()));
        };
        let ends = ends.as_slice()?;
        let terms = attached(py, || split_terms(bytes, ends))??;
        let vocabulary = attached(py, || counts::Vocabulary::new(terms.iter().copied()))?;
        if vocabulary.len() != terms.len() {
            return Err(PyValueError::new_err("a term occurs twice in the vocabulary"));
        }
        Ok(Self::of(vocabulary))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py>> {
        let (bytes, ends) = slf.get().arena(slf.py())?;
        Ok((slf.get_type(), (bytes, ends)))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py)?.len())
    }

    /// A copy, which shares the terms until one of the two grows.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(copy(py, &self.0))
    }

    /// The concatenated bytes of the terms, and where each ends.
    fn arena<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyArray1<i64>>)> {
        let own = self.read(py)?;
        let (bytes, ends) = attached(py, || own.arena())?;
        let copied = PyBytes::new_with(py, bytes.len(), |place| {
            place.copy_from_slice(&bytes);
            Ok(())
        })?;
        Ok((copied, ends.into_array(py)?))
    }

    /// The terms' bytes, where each ends, and their columns in the order of the terms: what `mapped` takes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let own = self.read(py)?;
        let (bytes, ends) = attached(py, || own.arena())?;
        let bytes = attached(py, || memory::copied(&bytes))?;
        let order = detached(py, || own.sorted())?;
        let sorted = order.iter().enumerate().all(|(place, &column)| place == column as usize);
        let state = PyDict::new(py);
        state.set_item("bytes", bytes.into_array(py)?)?;
        state.set_item("ends", ends.into_array(py)?)?;
        state.set_item("order", (if sorted { Vec::new() } else { order }).into_array(py)?)?;
        Ok(state)
    }

    /// A vocabulary from the arrays of `state`, read in place.
    #[classmethod]
    fn mapped(
        class: &Bound<'_, PyType>,
        bytes: Bound<'_, PyArray1<u8>>,
        ends: Bound<'_, PyArray1<i64>>,
        order: Bound<'_, PyArray1<u32>>,
    ) -> PyResult<Self> {
        let (bytes, ends, order) = (column_of(&bytes)?, column_of(&ends)?, column_of(&order)?);
        let terms = attached(class.py(), || counts::MappedTerms::new(bytes, ends, order))?;
        let broken = || PyValueError::new_err("the vocabulary's terms do not fit its bytes");
        Ok(Self::of(counts::Vocabulary::from_mapped(terms.ok_or_else(broken)?)))
    }

    /// The terms.
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let own = self.read(py)?;
        let terms = (0..own.len() as u32).map(|column| PyString::from_bytes(py, own.term(column)));
        PyList::new(py, attached(py, || memory::try_collected(terms))??)
    }

    /// A vocabulary of the terms of these columns, in this order.
    fn select(&self, py: Python<'_>, columns: PyReadonlyArray1<u32>) -> PyResult<Self> {
        let (columns, own) = (columns.as_slice()?, self.read(py)?);
        if columns.iter().any(|&column| column as usize >= own.len()) {
            return Err(PyValueError::new_err("there is no such column"));
        }
        Ok(Self::of(detached(py, || own.select(columns))?))
    }

    /// Add the terms of another vocabulary; return the columns that they have here.
    fn join<'py>(&self, py: Python<'py>, other: &Self) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let other = other.read(py)?;
        detached(py, || self.0.grow(|own| own.join(&other)))?.into_array(py)
    }

    /// The columns in the order of their terms.
    fn sorted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let own = self.read(py)?;
        detached(py, || own.sorted())?.into_array(py)
    }

    /// The terms from one column on.
    fn terms_from(&self, py: Python<'_>, first: u32) -> PyResult<Vec<String>> {
        let own = self.read(py)?;
        let text = |column| String::from_utf8_lossy(own.term(column)).into_owned();
        attached(py, || memory::collected((first..own.len() as u32).map(text)))
    }

    /// The kind of each column from one on: 0 for a word, 1 for several, 2 for characters beside words.
    #[pyo3(signature = (first = 0))]
    fn kinds<'py>(&self, py: Python<'py>, first: u32) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let own = self.read(py)?;
        detached(py, || own.kinds(first))?.into_array(py)
    }

    /// The hashed column of each term.
    fn hashed<'py>(&self, py: Python<'py>, dimensions: u32) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let own = self.read(py)?;
        detached(py, || own.hashed(dimensions.max(1)))?.into_array(py)
    }

    /// How many terms stand behind those that are in order.
    fn late_terms(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py)?.late_terms())
    }

    /// The columns of one text's terms, in the order of the terms, and their counts.
    fn count_text<'py>(&self, rules: &Rules, text: &Bound<'py, PyString>) -> PyResult<Row<'py>> {
        let held = Held::from_python(text)?;
        let (py, text) = (text.py(), held.as_str()?);
        let own = self.read(py)?;
        let (columns, counts) = attached(py, || counts::count_text(&rules.0, text, &own))?;
        Ok((columns.into_array(py)?, counts.into_array(py)?))
    }

    /// Columns and counts of rows, put in the order of the terms.
    fn order_rows<'py>(&self, py: Python<'py>, rows: Rows) -> PyResult<Row<'py>> {
        let (values, own) = (rows.reals()?, self.read(py)?);
        let rows = rows.sound(&values, own.len())?;
        let (columns, counts) = detached(py, || {
            let (mut columns, mut counts) = (memory::copied(rows.columns), memory::copied(rows.values));
            own.order_rows(rows.starts, &mut columns, &mut counts);
            (columns, counts)
        })?;
        Ok((columns.into_array(py)?, counts.into_array(py)?))
    }

    /// A hash of each row's terms and counts, wherever the columns are.
    fn row_keys<'py>(&self, py: Python<'py>, rows: Rows) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (values, own) = (rows.reals()?, self.read(py)?);
        let rows = rows.sound(&values, own.len())?;
        let keys = detached(py, || own.row_keys(rows.starts, rows.columns, rows.values))?;
        keys.into_array(py)
    }

    /// The column of a term, or None.
    fn column(&self, py: Python<'_>, term: &str) -> PyResult<Option<u32>> {
        let own = self.read(py)?;
        attached(py, || own.column(term.as_bytes()))
    }
}

fn split_terms<'a>(bytes: &'a [u8], ends: &[i64]) -> PyResult<Vec<&'a [u8]>> {
    let broken = || PyValueError::new_err("the vocabulary's terms do not fit its bytes");
    let mut start = 0;
    let mut terms = Vec::with_capacity(ends.len().min(bytes.len() + 1));
    for &end in ends {
        let end = usize::try_from(end).map_err(|_| broken())?;
        let term = bytes.get(start..end).ok_or_else(broken)?;
        std::str::from_utf8(term).map_err(|_| broken())?;
        terms.push(term);
        start = end;
    }
    if start == bytes.len() { Ok(terms) } else { Err(broken()) }
}

type Row<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f64>>);
type Triple<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i64>>);
type Pair<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);

/// Counting under way: add texts, name the columns, take the rows.
///
/// It is for one thread at a time; a second one is refused.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Counting(Mutex<Option<counts::Counting>>);

impl Counting {
    /// The counting, which this thread has until the guard is dropped.
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<counts::Counting>>> {
        let busy = || PyRuntimeError::new_err("another thread is using this Counting");
        match self.0.try_lock() {
            Ok(counting) => Ok(counting),
            Err(TryLockError::WouldBlock) => Err(busy()),
            Err(TryLockError::Poisoned(poisoned)) => {
                // What a panic left half done is not used.
                let mut counting = poisoned.into_inner();
                *counting = None;
                Ok(counting)
            }
        }
    }

    /// Work on the counting without the interpreter's lock.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut counts::Counting) -> T + Send,
    ) -> PyResult<T> {
        let mut guard = self.lock()?;
        let counting = guard.as_mut().ok_or_else(taken)?;
        let done = detached(py, || work(counting));
        if done.is_err() {
            // What a panic left half done is not used.
            *guard = None;
        }
        done
    }
}

fn taken() -> PyErr {
    PyRuntimeError::new_err("the rows were taken")
}

#[pymethods]
impl Counting {
    #[new]
    fn new(rules: &Rules, threads: usize) -> Self {
        Self(Mutex::new(Some(counts::Counting::new(rules.0.clone(), threads))))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock()?.as_ref().map_or(0, counts::Counting::len))
    }

    /// Count a batch of `texts[start..]`; return where the next batch starts.
    fn add_list(&self, py: Python<'_>, texts: &Bound<'_, PyList>, start: usize) -> PyResult<usize> {
        let held = hold_batch(texts, start, BATCH_BYTES)?;
        let texts = held.iter().map(|text| text.as_str()).collect::<PyResult<Vec<_>>>()?;
        self.work(py, |counting| counting.add(&texts))?;
        Ok(start + texts.len())
    }

    /// Count the texts between offsets of one buffer.
    fn add_offsets(
        &self,
        py: Python<'_>,
        data: PyReadonlyArray1<u8>,
        offsets: PyReadonlyArray1<i64>,
    ) -> PyResult<()> {
        let texts = CopiedTexts::between_offsets(&data, &offsets)?;
        let texts = texts.as_strs()?;
        self.work(py, |counting| counting.add(&texts))
    }

    /// Count the texts behind views.
    fn add_views(
        &self,
        py: Python<'_>,
        views: PyReadonlyArray2<u8>,
        buffers: Vec<PyReadonlyArray1<u8>>,
    ) -> PyResult<()> {
        let texts = CopiedTexts::behind_views(&views, &buffers)?;
        let texts = texts.as_strs()?;
        self.work(py, |counting| counting.add(&texts))
    }

    /// Name the columns, giving new terms columns behind the last.
    fn name_and_grow(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<()> {
        self.work(py, |counting| counting.name_and_grow(&vocabulary.0))
    }

    /// Name the columns by a vocabulary that stays as it is.
    fn name_by(&self, py: Python<'_>, vocabulary: &Vocabulary) -> PyResult<()> {
        let vocabulary = vocabulary.read(py)?;
        self.work(py, |counting| counting.name_by(&vocabulary))
    }

    /// Name the columns by hashing.
    fn name_hashed(&self, py: Python<'_>, dimensions: u32) -> PyResult<()> {
        self.work(py, |counting| counting.name_hashed(dimensions))
    }

    /// Each column's documents and occurrences.
    fn sums<'py>(&self, py: Python<'py>, columns: usize) -> PyResult<Pair<'py>> {
        let sums = self.work(py, |counting| counting.sums(columns))?;
        Ok((sums.documents.into_array(py)?, sums.occurrences.into_array(py)?))
    }

    /// Keep some columns; return the vocabulary of what is left.
    fn keep(
        &self,
        py: Python<'_>,
        vocabulary: &Vocabulary,
        keep: &Bound<'_, PyArray1<bool>>,
    ) -> PyResult<Vocabulary> {
        // As bytes: a view of an array can put other bytes than 0 and 1 into it, and no bool may have those.
        let keep = keep.call_method1(intern!(py, "view"), (intern!(py, "u1"),))?;
        let keep = keep.cast::<PyArray1<u8>>()?.readonly();
        let keep: Vec<bool> = keep.as_slice()?.iter().map(|&byte| byte != 0).collect();
        let vocabulary = vocabulary.read(py)?;
        if keep.len() != vocabulary.len() {
            return Err(PyValueError::new_err("keep has another length than the vocabulary"));
        }
        let kept = self.work(py, |counting| {
            let (kept, column_of) = vocabulary.keep(&keep);
            counting.keep(&column_of);
            kept
        })?;
        Ok(Vocabulary::of(kept))
    }

    /// Take the rows: where each starts, columns, counts.
    fn take_rows<'py>(&self, py: Python<'py>) -> PyResult<Triple<'py>> {
        let counting = self.lock()?.take().ok_or_else(taken)?;
        let rows = detached(py, || counting.into_rows())?;
        Ok((rows.starts.into_array(py)?, rows.columns.into_array(py)?, rows.counts.into_array(py)?))
    }
}
