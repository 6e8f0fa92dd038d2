//! Sums per class.

use std::sync::Arc;

use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use textbayes_core::statistics;
use textbayes_core::statistics::{Refusal, Sum, Total, Totals, is_sound};
use textbayes_core::{Column, Versioned, memory};

use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::mapped::{column_of, damaged};
use crate::rows::{Classes, Ints, LabelledRows, checked, with_values};
use crate::versioned::{copy, read};

pyo3::create_exception!(_native, NotLearnedAt, PyValueError, "(class or None, term or None): never learned.");

/// Sums of labelled documents as a reader has them. No change shows here.
#[derive(Clone)]
pub struct Sums(pub Arc<statistics::Statistics>, Option<Arc<str>>);

impl Sums {
    /// Check that nothing that was read is damaged.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        if self.0.is_damaged() { Err(unreadable(py, self.1.as_deref())) } else { Ok(()) }
    }
}

/// The error for sums that do not fit each other.
fn unreadable(py: Python<'_>, path: Option<&str>) -> PyErr {
    damaged(py, path.unwrap_or("the state"), "the sums of its terms and classes do not fit each other")
}

/// Sums of labelled documents: add, subtract, merge. Copies and scorers share them until one changes.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Statistics {
    sums: Versioned<statistics::Statistics>,
    path: Option<Arc<str>>,
}

impl Statistics {
    fn of(sums: statistics::Statistics) -> Self {
        Self { sums: Versioned::new(sums), path: None }
    }

    /// The sums as they are now.
    pub fn read(&self, py: Python<'_>) -> PyResult<Sums> {
        Ok(Sums(read(py, &self.sums)?, self.path.clone()))
    }

    /// Change the sums without the interpreter's lock.
    fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&Versioned<statistics::Statistics>) -> Result<(), Refusal> + Send,
    ) -> PyResult<()> {
        detached(py, || change(&self.sums))?.map_err(|refusal| match refusal {
            Refusal::Damaged => unreadable(py, self.path.as_deref()),
            Refusal::NotLearned(missing) => NotLearnedAt::new_err((missing.class, missing.term)),
        })
    }
}

#[pymethods]
impl Statistics {
    #[new]
    fn new(py: Python<'_>, terms: usize) -> PyResult<Self> {
        attached(py, || Self::of(statistics::Statistics::new(terms)))
    }

    /// A copy, which shares the sums until one of the two changes.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { sums: copy(py, &self.sums), path: self.path.clone() }
    }

    /// How many (term, class) pairs were seen.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py)?.0.pairs().len())
    }

    /// Grow to this many terms and classes.
    fn grow(&self, py: Python<'_>, terms: usize, classes: usize) -> PyResult<()> {
        self.change(py, |sums| sums.grow(terms, classes))
    }

    /// Add documents.
    fn add(&self, py: Python<'_>, documents: LabelledRows) -> PyResult<()> {
        let shape = self.read(py)?.0.shape();
        with_values!(documents.0, values => {
            // Sums never shrink, so what fits now fits later.
            let documents = checked(&documents, values.as_slice()?, shape)?;
            self.change(py, |sums| sums.add(documents))
        })
    }

    /// Subtract documents, or raise NotLearnedAt and change nothing.
    fn subtract(&self, py: Python<'_>, documents: LabelledRows) -> PyResult<()> {
        let shape = self.read(py)?.0.shape();
        with_values!(documents.0, values => {
            let documents = checked(&documents, values.as_slice()?, shape)?;
            self.change(py, |sums| sums.subtract(documents))
        })
    }

    /// Add another's sums; its classes and terms have these numbers here, terms their own unless given.
    #[pyo3(signature = (other, class_of, term_of = None))]
    fn merge(
        &self,
        py: Python<'_>,
        other: &Self,
        class_of: Classes,
        term_of: Option<Classes>,
    ) -> PyResult<()> {
        let class_of = class_of.as_slice()?;
        let term_of = term_of.as_ref().map(|term_of| term_of.as_slice()).transpose()?;
        let (terms, classes) = self.read(py)?.0.shape();
        let other = other.read(py)?;
        let (other_terms, other_classes) = other.0.shape();
        let fit = match term_of {
            None => other_terms <= terms,
            Some(term_of) => {
                term_of.len() == other_terms && term_of.iter().all(|&term| (term as usize) < terms)
            }
        };
        let known = class_of.iter().all(|&class| (class as usize) < classes);
        if !known || !fit || class_of.len() != other_classes {
            return Err(PyValueError::new_err("the other's classes or terms have no number here"));
        }
        if !other.0.are_pairs_sound() {
            return Err(unreadable(py, other.1.as_deref()));
        }
        let here = |term: usize| term_of.map_or(term, |term_of| term_of[term] as usize);
        self.change(py, |sums| sums.merge(&other.0, class_of, here))
    }

    /// The same sums with terms and classes in other orders, in which each is there once.
    fn renumbered(&self, py: Python<'_>, terms: Classes, classes: Classes) -> PyResult<Self> {
        let (terms, classes) = (terms.as_slice()?, classes.as_slice()?);
        let own = self.read(py)?;
        let sums = detached(py, || own.0.renumbered(terms, classes))?;
        own.check(py)?;
        let broken = || PyValueError::new_err("the orders do not have each term and each class once");
        Ok(Self::of(sums.ok_or_else(broken)?))
    }

    /// (sum of values, sum of weights, documents) over everything, documents once.
    fn all(&self, py: Python<'_>) -> PyResult<(f64, f64, u32)> {
        let all = *self.read(py)?.0.all();
        Ok((all.values.value(), all.weight.value(), all.documents))
    }

    /// (sums of values, sums of weights, documents) of each class.
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<TotalArrays<'py>> {
        total_arrays(py, self.read(py)?.0.classes())
    }

    /// (sums of values, sums of weights, documents) of each term, documents once.
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<TotalArrays<'py>> {
        total_arrays(py, self.read(py)?.0.terms())
    }

    /// (terms, classes, sums of values, sums of weights) of the pairs, by term, then class.
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<PairArrays<'py>> {
        let own = self.read(py)?;
        let pairs = own.0.pairs();
        let (terms, classes, values, weights) = attached(py, || {
            let mut columns = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for (term, place) in pairs.iter() {
                let total = pairs.totals().get(place);
                memory::push(&mut columns.0, term);
                memory::push(&mut columns.1, pairs.classes()[place]);
                memory::push(&mut columns.2, total.values.value());
                memory::push(&mut columns.3, total.weight.value());
            }
            columns
        })?;
        own.check(py)?;
        Ok((terms.into_array(py)?, classes.into_array(py)?, values.into_array(py)?, weights.into_array(py)?))
    }

    /// For each class, the sum of the squares of its pairs' values, in the order of the terms.
    fn class_squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let own = self.read(py)?;
        let pairs = own.0.pairs();
        let squares = detached(py, || {
            let mut squares = memory::zeros(own.0.classes().len());
            for (_, place) in pairs.iter() {
                let value = pairs.totals().values()[place];
                squares[pairs.classes()[place] as usize] += value * value;
            }
            squares
        })?;
        own.check(py)?;
        squares.into_array(py)
    }

    /// Everything, as arrays by name: what `from_state` takes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = PyDict::new(py);
        let own = self.read(py)?;
        let pairs = own.0.pairs();
        let (places, starts) = attached(py, || {
            let places: Vec<usize> = memory::collected(pairs.iter().map(|(_, place)| place));
            let mut starts = memory::with_capacity(pairs.terms() + 1);
            starts.push(0_i64);
            starts.extend((0..pairs.terms()).scan(0, |end, term| {
                *end += pairs.range(term).len() as i64;
                Some(*end)
            }));
            (places, starts)
        })?;
        own.check(py)?;
        let of_place = |&place: &usize| pairs.classes()[place];
        let classes: Vec<u32> = attached(py, || memory::collected(places.iter().map(of_place)))?;
        state.set_item("pair_starts", starts.into_array(py)?)?;
        state.set_item("pair_classes", classes.into_array(py)?)?;
        put_totals(py, &state, "pair", pairs.totals(), Some(&places))?;
        put_totals(py, &state, "term", own.0.terms(), None)?;
        put_totals(py, &state, "class", own.0.classes(), None)?;
        let (all, (values, low), (weight, weight_low)) =
            (own.0.all(), own.0.all().values.parts(), own.0.all().weight.parts());
        let all = vec![values, low, weight, weight_low, f64::from(all.documents)];
        state.set_item("all", all.into_array(py)?)?;
        Ok(state)
    }

    /// The same terms and classes with other pairs, and weights in place of sums, for a scorer.
    fn with_pair_values(
        &self,
        py: Python<'_>,
        starts: Ints,
        classes: Classes,
        values: PyReadonlyArray1<f64>,
    ) -> PyResult<Self> {
        let (starts, classes, values) = (starts.as_slice()?, classes.as_slice()?, values.as_slice()?);
        let own = self.read(py)?.0;
        let twin =
            attached(py, || own.with_pair_values(starts, memory::copied(classes), memory::copied(values)))?;
        let broken = || PyValueError::new_err("the pairs do not fit the terms and classes");
        Ok(Self::of(twin.ok_or_else(broken)?))
    }

    /// From the arrays of `state`; those of a file mapped for reading are read in place.
    ///
    /// Sums of terms and classes are checked now, those of pairs when they are first read; without a path, which names
    /// their file, at once.
    #[classmethod]
    #[pyo3(signature = (state, path = None))]
    fn from_state(
        class: &Bound<'_, PyType>,
        state: &Bound<'_, PyDict>,
        path: Option<&str>,
    ) -> PyResult<Self> {
        let py = class.py();
        let broken = || PyValueError::new_err("the statistics' arrays do not fit each other");
        let terms = take_totals(state, "term")?;
        let classes = take_totals(state, "class")?;
        let (starts, pair_classes) = (take(state, "pair_starts")?, take(state, "pair_classes")?);
        let totals = take_totals(state, "pair")?;
        let of_parts = || statistics::Pairs::from_parts(starts, pair_classes, totals, classes.len());
        let pairs = attached(py, of_parts)?.ok_or_else(broken)?;
        let all = total_of(&take(state, "all")?).ok_or_else(broken)?;
        let of_parts = || statistics::Statistics::from_parts(pairs, terms, classes, all);
        let sums = attached(py, of_parts)?.ok_or_else(broken)?;
        if path.is_none() && !attached(py, || sums.are_pairs_sound())? {
            return Err(broken());
        }
        Ok(Self { sums: Versioned::new(sums), path: path.map(Arc::from) })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let rebuild = slf.get_type().getattr("from_state")?;
        let state = slf.get().state(slf.py())?;
        Ok((rebuild, (state,)))
    }
}

type TotalArrays<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u32>>);
type PairArrays<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

fn total_arrays<'py>(py: Python<'py>, totals: &Totals) -> PyResult<TotalArrays<'py>> {
    let (values, weights, documents) = attached(py, || {
        let documents = totals.documents();
        let weights = match totals.weights() {
            Some(weights) => memory::copied(weights),
            None => memory::collected(documents.iter().map(|&documents| f64::from(documents))),
        };
        (memory::copied(totals.values()), weights, memory::copied(documents))
    })?;
    Ok((values.into_array(py)?, weights.into_array(py)?, documents.into_array(py)?))
}

fn put_totals(
    py: Python<'_>,
    state: &Bound<'_, PyDict>,
    name: &str,
    totals: &Totals,
    places: Option<&[usize]>,
) -> PyResult<()> {
    fn picked<'py, T: Copy + Element + 'static>(
        py: Python<'py>,
        column: &[T],
        places: Option<&[usize]>,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let picked = attached(py, || match places {
            Some(places) if !column.is_empty() => {
                memory::collected(places.iter().map(|&place| column[place]))
            }
            _ => memory::copied(column),
        })?;
        picked.into_array(py)
    }
    let (values, weights) = totals.sums();
    let (high, low) = values.parts();
    state.set_item(format!("{name}_values"), picked(py, high, places)?)?;
    state.set_item(format!("{name}_values_low"), picked(py, low, places)?)?;
    state.set_item(format!("{name}_documents"), picked(py, totals.documents(), places)?)?;
    if let Some((high, low)) = weights.map(statistics::Sums::parts) {
        state.set_item(format!("{name}_weights"), picked(py, high, places)?)?;
        state.set_item(format!("{name}_weights_low"), picked(py, low, places)?)?;
    }
    Ok(())
}

fn total_of(parts: &[f64]) -> Option<Total> {
    let &[values, low, weight, weight_low, documents] = parts else { return None };
    let sound = |high: f64, low: f64| is_sound(high) && high + low == high;
    let whole = documents.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&documents);
    (sound(values, low) && sound(weight, weight_low) && whole).then(|| Total {
        values: Sum::from_parts(values, low),
        weight: Sum::from_parts(weight, weight_low),
        documents: documents as u32,
    })
}

/// Take an array by its name.
pub fn take<T: Element + Clone + Sync>(state: &Bound<'_, PyDict>, name: &str) -> PyResult<Column<T>> {
    let array = state.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    column_of(&array.cast_into::<PyArray1<T>>()?)
}

/// Take a copy of an array by its name.
pub fn take_vec<T: Element + Clone + Sync + 'static>(
    state: &Bound<'_, PyDict>,
    name: &str,
) -> PyResult<Vec<T>> {
    let column: Column<T> = take(state, name)?;
    attached(state.py(), || memory::copied(&column))
}

fn take_totals(state: &Bound<'_, PyDict>, name: &str) -> PyResult<Totals> {
    let broken = || PyValueError::new_err(format!("the {name} arrays do not fit each other"));
    let sums = |kind: &str| -> PyResult<statistics::Sums> {
        let high = take(state, &format!("{name}_{kind}"))?;
        statistics::Sums::from_parts(high, take(state, &format!("{name}_{kind}_low"))?).ok_or_else(broken)
    };
    let weighted = state.contains(format!("{name}_weights"))?;
    let weights = weighted.then(|| sums("weights")).transpose()?;
    let documents = take(state, &format!("{name}_documents"))?;
    Totals::from_parts(sums("values")?, documents, weights).ok_or_else(broken)
}
