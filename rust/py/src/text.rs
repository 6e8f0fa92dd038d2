//! Rules, and texts as the core reads them.

use std::collections::HashSet;
use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use textbayes_core::{memory, text};

use crate::guard::attached;

pyo3::create_exception!(_native, NotTextAt, PyTypeError, "The value at this position is not a str.");
pyo3::create_exception!(_native, NotUtf8At, PyValueError, "The value at this position is not UTF-8.");

/// The shortest and the longest n-grams.
type Lengths = (usize, usize);

/// Everything that decides which terms a text has.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Rules(pub Arc<text::Rules>);

#[pymethods]
impl Rules {
    #[new]
    fn new(
        lowercase: bool,
        tokens: &str,
        unit: &str,
        numbers: &str,
        stop_words: HashSet<String>,
        stemmer: Option<&str>,
        lengths: (Lengths, Option<Lengths>),
    ) -> PyResult<Self> {
        let (ngrams, characters) = lengths;
        let rules = || text::Rules::new(lowercase, tokens, unit, numbers, stop_words, stemmer, ngrams);
        Python::attach(|py| attached(py, rules))?
            .map(|rules| Self(Arc::new(rules.with_characters(characters))))
            .map_err(|error| match error {
                text::RulesError::Pattern(reason) => PyValueError::new_err(reason),
                other => PyValueError::new_err(format!("{other:?}")),
            })
    }

    /// The terms of a text, in the order of the text.
    fn terms(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<String>> {
        let held = Held::from_python(text)?;
        let held = held.as_str()?;
        attached(text.py(), || self.0.terms_of(held))
    }

    /// (first character, character behind the last, term) of each of the terms.
    fn spans(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<(usize, usize, String)>> {
        let held = Held::from_python(text)?;
        let held = held.as_str()?;
        let spans = attached(text.py(), || self.0.spans_of(held))?;
        Ok(spans.into_iter().map(|span| (span.start, span.end, span.term)).collect())
    }
}

/// The names of the available stemmers.
#[pyfunction]
pub fn stemmer_names() -> Vec<&'static str> {
    text::stemmer_names().collect()
}

/// A Python string, held so that its UTF-8 can be read without the interpreter.
pub enum Held<'py> {
    /// ASCII is UTF-8 already: nothing is copied.
    Ascii(Bound<'py, PyString>),
    /// Encoded for as long as the batch lasts. (Asking the string itself would leave a copy in it for good.)
    Encoded(Bound<'py, PyBytes>),
    /// A string with lone surrogates, which have no UTF-8: U+FFFD in their place.
    Repaired(String),
}

impl<'py> Held<'py> {
    pub fn from_python(text: &Bound<'py, PyString>) -> PyResult<Self> {
        let py = text.py();
        if text.call_method0(intern!(py, "isascii"))?.is_truthy()? {
            return Ok(Self::Ascii(text.clone()));
        }
        if let Ok(bytes) = text.encode_utf8() {
            return Ok(Self::Encoded(bytes));
        }
        let encoding = (intern!(py, "utf-16-le"), intern!(py, "surrogatepass"));
        let bytes = text.call_method1(intern!(py, "encode"), encoding)?.cast_into::<PyBytes>()?;
        let units = bytes.as_bytes().chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let repaired = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        Ok(Self::Repaired(repaired))
    }

    pub fn as_str(&self) -> PyResult<&str> {
        match self {
            Self::Ascii(text) => text.to_str(),
            Self::Encoded(bytes) => std::str::from_utf8(bytes.as_bytes())
                .map_err(|error| PyValueError::new_err(error.to_string())),
            Self::Repaired(text) => Ok(text),
        }
    }
}

/// Hold the strings of `texts[start..]` until they fill `bytes` bytes.
pub fn hold_batch<'py>(texts: &Bound<'py, PyList>, start: usize, bytes: usize) -> PyResult<Vec<Held<'py>>> {
    let mut held = Vec::new();
    let mut size = 0;
    while size < bytes && start + held.len() < texts.len() {
        let position = start + held.len();
        let text = texts.get_item(position)?;
        let text = text.cast::<PyString>().map_err(|_| NotTextAt::new_err(position))?;
        held.push(Held::from_python(text)?);
        size += held.last().map_or(Ok(0), |text| text.as_str().map(str::len))?;
    }
    Ok(held)
}

/// Texts copied from buffers that another thread could write to: only a private copy stays the UTF-8 that was checked.
#[derive(Default)]
pub struct CopiedTexts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl CopiedTexts {
    /// The strings between offsets of one buffer, as Arrow's `string` and `large_string` have them.
    pub fn between_offsets(data: &PyReadonlyArray1<u8>, offsets: &PyReadonlyArray1<i64>) -> PyResult<Self> {
        let (py, data, offsets) = (data.py(), data.as_slice()?, offsets.as_slice()?);
        let text = |ends: &[i64]| data.get(ends[0] as usize..ends[1] as usize);
        attached(py, || Self::copied(offsets.windows(2).map(text)))?
    }

    /// The strings that 16-byte views name, inline or in one of several buffers: Arrow's `string_view`.
    pub fn behind_views(views: &PyReadonlyArray2<u8>, buffers: &[PyReadonlyArray1<u8>]) -> PyResult<Self> {
        let (py, views) = (views.py(), views.as_slice()?);
        let buffers = buffers.iter().map(|buffer| buffer.as_slice()).collect::<Result<Vec<_>, _>>()?;
        attached(py, || Self::copied(views.chunks_exact(16).map(|view| viewed(view, &buffers))))?
    }

    fn copied<'a>(texts: impl Iterator<Item = Option<&'a [u8]>>) -> PyResult<Self> {
        let mut copied = Self::default();
        for (position, text) in texts.enumerate() {
            memory::append(&mut copied.bytes, text.ok_or_else(|| NotUtf8At::new_err(position))?);
            memory::push(&mut copied.ends, copied.bytes.len());
        }
        Ok(copied)
    }

    /// The texts, checked.
    pub fn as_strs(&self) -> PyResult<Vec<&str>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let bytes = starts.zip(&self.ends).map(|(&start, &end)| &self.bytes[start..end]);
        let checked = |(position, text)| std::str::from_utf8(text).map_err(|_| NotUtf8At::new_err(position));
        bytes.enumerate().map(checked).collect()
    }
}

fn viewed<'a>(view: &'a [u8], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let field = |at: usize| Some(u32::from_le_bytes(view.get(at..at + 4)?.try_into().ok()?) as usize);
    let length = field(0)?;
    if length <= 12 {
        return view.get(4..4 + length);
    }
    let start = field(12)?;
    buffers.get(field(8)?)?.get(start..start.checked_add(length)?)
}
