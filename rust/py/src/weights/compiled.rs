//! The compiled table of a blend.

use std::collections::BTreeMap;
use std::sync::Arc;

use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use textbayes_core::weights::compiled;
use textbayes_core::weights::compiled::{
    ClassParts, Damaged, FittedPairs, Idf, Length, Precision, Selection, StoredRows, TableChange, TermDefault,
};
use textbayes_core::{Column, Versioned, memory};

use super::linear::corrections;
use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::mapped::damaged;
use crate::rows::{Classes, Columns, Ints, Reals, copied};
use crate::statistics::{Statistics, Sums, take, take_vec};
use crate::versioned::{copy, read};

fn unfit() -> PyErr {
    PyValueError::new_err("the parts of the blend do not fit each other")
}

fn precision_of(bits: u32) -> PyResult<Precision> {
    match bits {
        8 => Ok(Precision::Byte),
        16 => Ok(Precision::Half),
        64 => Ok(Precision::Double),
        _ => Err(PyValueError::new_err("precision is 8, 16 or 64")),
    }
}

/// A form of a row of counts.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Form(compiled::Form);

#[pymethods]
impl Form {
    /// `columns` is the number of a column map, or −1 for all columns.
    #[new]
    fn new(log: bool, idf: &str, length: &str, columns: i64) -> PyResult<Self> {
        let unknown = || PyValueError::new_err("idf or length is not known");
        let idf = match idf {
            "none" => Idf::None,
            "plain" => Idf::Plain,
            "smooth" => Idf::Smooth,
            _ => return Err(unknown()),
        };
        let length = match length {
            "none" => Length::None,
            "l2" => Length::L2,
            "l1" => Length::L1,
            _ => return Err(unknown()),
        };
        Ok(Self(compiled::Form { log, idf, length, columns: usize::try_from(columns).ok() }))
    }
}

/// How a member's cells come from its sums.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Rule(compiled::Rule);

#[pymethods]
impl Rule {
    /// Corrections as in `Weights`; a default is "total" or "ratio" and its smoothing, for the default column of a number.
    #[new]
    #[pyo3(signature = (factor, class_factors, complement_alpha, linear_factors, default = None, default_factor = -1))]
    fn new(
        factor: Reals,
        class_factors: Reals,
        complement_alpha: Option<f64>,
        linear_factors: Reals,
        default: Option<(String, f64)>,
        default_factor: i64,
    ) -> PyResult<Self> {
        let default = default.map(|(kind, alpha)| match kind.as_str() {
            "total" => Ok(TermDefault::Total(alpha)),
            "ratio" => Ok(TermDefault::Ratio(alpha)),
            _ => Err(PyValueError::new_err("the default is not known")),
        });
        let number = || usize::try_from(default_factor).map_err(|_| unfit());
        let default = default.transpose()?.map(|default| number().map(|number| (default, number)));
        let corrections = corrections(class_factors, complement_alpha, linear_factors)?;
        Ok(Self(compiled::Rule {
            factor: copied(&factor)?,
            weights: textbayes_core::weights::Weights { corrections, ..Default::default() },
            default: default.transpose()?,
        }))
    }
}

/// A table whose cells are computed from sums. It shares the statistics: drop it before they change.
#[pyclass(frozen, module = "textbayes._native")]
pub struct CountedTable {
    table: compiled::CountedTable,
    statistics: Sums,
}

#[pymethods]
impl CountedTable {
    #[new]
    fn new(
        py: Python<'_>,
        form: usize,
        statistics: &Statistics,
        rules: Vec<PyRef<'_, Rule>>,
        length_constant: f64,
    ) -> PyResult<Self> {
        let statistics = statistics.read(py)?;
        let rules = rules.iter().map(|rule| rule.0.clone()).collect();
        let table =
            compiled::CountedTable { form, statistics: Arc::clone(&statistics.0), rules, length_constant };
        Ok(Self { table, statistics })
    }
}

/// Factors by class, starts of the terms' pairs, and their classes and weights.
type Member<'py> = (Reals<'py>, Ints<'py>, Classes<'py>, Reals<'py>);

/// A table whose cells were fitted.
#[pyclass(frozen, module = "textbayes._native")]
pub struct LearnedTable(compiled::LearnedTable);

#[pymethods]
impl LearnedTable {
    #[new]
    fn new(form: usize, length_constant: f64, members: Vec<Member>) -> PyResult<Self> {
        let pairs = |(factor, starts, classes, values): &Member| -> PyResult<FittedPairs> {
            Ok(FittedPairs {
                factor: copied(factor)?,
                starts: copied(starts)?,
                classes: copied(classes)?,
                values: copied(values)?,
            })
        };
        let members: PyResult<Vec<FittedPairs>> = members.iter().map(pairs).collect();
        Ok(Self(compiled::LearnedTable { form, length_constant, members: members? }))
    }
}

/// The columns of a blend: document frequencies, and the columns that forms use.
#[pyclass(frozen, module = "textbayes._native")]
pub struct BlendColumns(Versioned<compiled::BlendColumns>);

fn columns_of(documents: f64, frequencies: Reals, maps: Vec<Columns>) -> PyResult<compiled::BlendColumns> {
    let maps: Result<Vec<Vec<i32>>, _> = maps.iter().map(copied).collect();
    let columns = compiled::BlendColumns { documents, frequencies: copied(&frequencies)?, maps: maps? };
    if columns.are_sound() { Ok(columns) } else { Err(unfit()) }
}

#[pymethods]
impl BlendColumns {
    /// The number of documents, each column's document frequency, and for each map each column's own number or −1.
    #[new]
    fn new(documents: f64, frequencies: Reals, column_maps: Vec<Columns>) -> PyResult<Self> {
        Ok(Self(Versioned::new(columns_of(documents, frequencies, column_maps)?)))
    }

    /// A copy, which shares the columns until one of the two changes.
    fn copy(&self, py: Python<'_>) -> Self {
        Self(copy(py, &self.0))
    }

    /// How many columns there are.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(read(py, &self.0)?.width())
    }

    /// Append columns. Settings and scorers that share these must be dropped first, or all are copied.
    fn grow(&self, py: Python<'_>, frequencies: Reals, column_maps: Vec<Columns>) -> PyResult<()> {
        let more = columns_of(0.0, frequencies, column_maps)?;
        if detached(py, || self.0.append(more))? { Ok(()) } else { Err(unfit()) }
    }
}

/// The columns and classes of a blend.
#[pyclass(frozen, module = "textbayes._native")]
pub struct BlendSettings {
    columns: Arc<compiled::BlendColumns>,
    classes: Arc<ClassParts>,
}

#[pymethods]
impl BlendSettings {
    /// Slopes are table by table, default factors default column by default column.
    #[new]
    fn new(
        py: Python<'_>,
        columns: &BlendColumns,
        order: Classes,
        bias: Reals,
        slopes: Reals,
        default_factors: Reals,
    ) -> PyResult<Self> {
        let classes = ClassParts {
            order: copied(&order)?,
            bias: copied(&bias)?,
            slopes: copied(&slopes)?,
            default_factors: copied(&default_factors)?,
        };
        Ok(Self { columns: read(py, &columns.0)?, classes: Arc::new(classes) })
    }
}

/// Settings, and the tables computed from sums: all of the blend's, or none to keep the compiled ones.
pub type LiveParts<'py> = (PyRef<'py, BlendSettings>, Vec<PyRef<'py, CountedTable>>);

/// Live tables, and the statistics that they share.
pub fn live_of((settings, counted): &LiveParts) -> (compiled::Live, Vec<Sums>) {
    let live = compiled::Live {
        columns: Arc::clone(&settings.columns),
        classes: Arc::clone(&settings.classes),
        counted: counted.iter().map(|table| table.table.clone()).collect(),
    };
    (live, counted.iter().map(|table| table.statistics.clone()).collect())
}

/// The weights of all tables of a blend as a reader has them. No change shows here.
pub struct Compiled(pub Arc<compiled::CompiledWeights>, Option<Arc<str>>);

impl Compiled {
    /// The error for rows that are not sound.
    pub fn damaged(&self, py: Python<'_>) -> PyErr {
        unreadable(py, self.1.as_deref())
    }

    fn sound<T>(&self, py: Python<'_>, found: Result<T, Damaged>) -> PyResult<T> {
        found.map_err(|_| self.damaged(py))
    }
}

fn unreadable(py: Python<'_>, path: Option<&str>) -> PyErr {
    damaged(py, path.unwrap_or("the state"), "the compiled weights of its terms do not fit each other")
}

/// The weights of all tables of a blend. Copies and scorers share them until one changes.
#[pyclass(frozen, module = "textbayes._native")]
pub struct CompiledWeights {
    weights: Versioned<compiled::CompiledWeights>,
    path: Option<Arc<str>>,
}

impl CompiledWeights {
    fn of(weights: compiled::CompiledWeights) -> Self {
        Self { weights: Versioned::new(weights), path: None }
    }

    /// The weights as they are now.
    pub fn read(&self, py: Python<'_>) -> PyResult<Compiled> {
        Ok(Compiled(read(py, &self.weights)?, self.path.clone()))
    }
}

#[pymethods]
impl CompiledWeights {
    /// A copy, which shares the weights until one of the two changes.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { weights: copy(py, &self.weights), path: self.path.clone() }
    }

    /// The document frequency of each column; 1 for a column that no form uses.
    fn frequencies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let own = self.read(py)?;
        let found = attached(py, || own.0.frequencies())?;
        own.sound(py, found)?.into_array(py)
    }

    /// Which columns a form uses.
    fn uses<'py>(&self, py: Python<'py>, form: usize) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let own = self.read(py)?;
        if form >= own.0.forms.len() {
            return Err(unfit());
        }
        let found = attached(py, || own.0.uses(form))?;
        own.sound(py, found)?.into_array(py)
    }

    /// Compile a blend, with values of 16 or 64 bits: tables computed from sums come first, fitted ones follow.
    #[staticmethod]
    #[pyo3(signature = (settings, forms, counted, learned, threads, precision = 16))]
    fn compile(
        py: Python<'_>,
        settings: PyRef<'_, BlendSettings>,
        forms: Vec<PyRef<'_, Form>>,
        counted: Vec<PyRef<'_, CountedTable>>,
        learned: Vec<PyRef<'_, LearnedTable>>,
        threads: usize,
        precision: u32,
    ) -> PyResult<Self> {
        let precision = precision_of(precision)?;
        let (live, statistics) = attached(py, || live_of(&(settings, counted)))?;
        let forms = forms.iter().map(|form| form.0).collect();
        let learned: Vec<&compiled::LearnedTable> = learned.iter().map(|table| &table.0).collect();
        let weights = detached(py, || {
            compiled::CompiledWeights::compile((forms, precision), &live, &learned, threads)
        })?;
        statistics.iter().try_for_each(|statistics| statistics.check(py))?;
        Ok(Self::of(weights.ok_or_else(unfit)?))
    }

    /// How many rows are stored; terms with equal rows share one.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py)?.0.rows.len())
    }

    /// How many columns there are.
    #[getter]
    fn width(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py)?.0.width())
    }

    /// How many bytes the rows and their numbers take.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<usize> {
        let own = self.read(py)?.0;
        let overlay: usize = own.overlay.values().map(|row| row.len() + 4).sum();
        Ok(own.rows.bytes.len() + 8 * own.rows.starts.len() + 4 * own.width() + overlay)
    }

    /// The weights with all changes merged, and with live tables, if given, in place of the compiled ones.
    #[pyo3(signature = (live, threads))]
    fn recompiled(&self, py: Python<'_>, live: Option<LiveParts>, threads: usize) -> PyResult<Self> {
        let (live, statistics) = attached(py, || live.as_ref().map(live_of).unzip())?;
        let own = self.read(py)?;
        if live.as_ref().is_some_and(|live| !own.0.takes(live)) {
            return Err(unfit());
        }
        let weights = detached(py, || own.0.recompile(live.as_ref(), threads))?;
        statistics.iter().flatten().try_for_each(|statistics| statistics.check(py))?;
        Ok(Self::of(own.sound(py, weights)?))
    }

    /// Change fitted tables: add values[t] · steps[c] to their cells. `order` has the number of each step's class.
    fn add_outer(
        &self,
        py: Python<'_>,
        columns: Columns,
        order: Classes,
        changes: Vec<(usize, Reals, Reals)>,
    ) -> PyResult<()> {
        let (columns, order) = (columns.as_slice()?, order.as_slice()?);
        let (fitted, scaled) = {
            let own = self.read(py)?.0;
            (own.counted..own.table_forms.len(), !own.scales.is_empty())
        };
        let mut found = Vec::with_capacity(changes.len());
        for (table, values, steps) in &changes {
            let (values, steps) = (values.as_slice()?, steps.as_slice()?);
            let mut pairs: Vec<(u32, f64)> = order.iter().copied().zip(steps.iter().copied()).collect();
            pairs.retain(|pair| pair.1 != 0.0);
            pairs.sort_unstable_by_key(|pair| pair.0);
            let fit = columns.len() == values.len()
                && order.len() == steps.len()
                && pairs.windows(2).all(|pair| pair[0].0 < pair[1].0)
                && pairs.last().is_none_or(|last| last.0 < compiled::MOST_SLOTS)
                && fitted.contains(table);
            if !fit {
                return Err(unfit());
            }
            found.push(TableChange { table: *table, values, steps: pairs });
        }
        if columns.iter().any(|&column| column < 0) || scaled {
            return Err(unfit());
        }
        let done = detached(py, || self.weights.add_outer(columns, &found))?;
        done.map_err(|_| unreadable(py, self.path.as_deref()))
    }

    /// Only some columns, in this order, with changes merged. Cells below a table's least size are dropped.
    #[pyo3(signature = (columns, least = None, precision = 16))]
    fn select(
        &self,
        py: Python<'_>,
        columns: Classes,
        least: Option<PyReadonlyArray1<f32>>,
        precision: u32,
    ) -> PyResult<Self> {
        let least = least.map_or(Ok(Vec::new()), |least| copied(&least))?;
        let columns = columns.as_slice()?;
        let precision = precision_of(precision)?;
        let own = self.read(py)?;
        let known = columns.iter().all(|&column| (column as usize) < own.0.width());
        if !known || !(least.is_empty() || least.len() == own.0.table_forms.len()) {
            return Err(unfit());
        }
        let selection = Selection { columns, least: &least, precision };
        let weights = detached(py, || own.0.select(selection))?;
        Ok(Self::of(own.sound(py, weights)?))
    }

    /// For each column, Σ_r scale_r² · df · Var_c(cell_rc · idf_r).
    fn importance<'py>(&self, py: Python<'py>, scales: Reals) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (scales, own) = (scales.as_slice()?, self.read(py)?);
        if scales.len() != own.0.table_forms.len() {
            return Err(unfit());
        }
        let found = detached(py, || own.0.importance(scales))?;
        own.sound(py, found)?.into_array(py)
    }

    /// Everything but the forms and the number of documents, as arrays by name: what `from_state` takes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (weights, state) = (&*self.read(py)?.0, PyDict::new(py));
        let put = |name: &str, reals: &[f64]| put_copy(&state, name, reals);
        let put_whole = |name: &str, whole: &[u32]| put_copy(&state, name, whole);
        put("bias", &weights.classes.bias)?;
        put("slopes", &weights.classes.slopes)?;
        put("default_factors", &weights.classes.default_factors)?;
        put_whole("order", &weights.classes.order)?;
        put_whole("table_forms", &weights.table_forms)?;
        put_whole("counted_tables", &[weights.counted as u32])?;
        put_whole("default_forms", &weights.default_forms)?;
        put_whole("precision", &[8 * weights.layout().value_bytes() as u32])?;
        put_copy(&state, "scales", &weights.scales)?;
        put_whole("row_of", &weights.row_of)?;
        put_copy(&state, "row_starts", &weights.rows.starts)?;
        put_copy(&state, "cells", &weights.rows.bytes)?;
        let (columns, changed) = attached(py, || weights.changed_rows())?;
        put_whole("changed_columns", &columns)?;
        put_copy(&state, "changed_starts", &changed.starts)?;
        put_copy(&state, "changed_cells", &changed.bytes)?;
        Ok(state)
    }

    /// From the arrays of `state`; those of a file mapped for reading are read in place, and checked when they are read.
    #[classmethod]
    #[pyo3(signature = (state, forms, documents, path = None))]
    fn from_state(
        class: &Bound<'_, PyType>,
        state: &Bound<'_, PyDict>,
        forms: Vec<PyRef<'_, Form>>,
        documents: f64,
        path: Option<&str>,
    ) -> PyResult<Self> {
        let counted: Column<u32> = take(state, "counted_tables")?;
        let &[counted] = &counted[..] else { return Err(unfit()) };
        let precision: Column<u32> = take(state, "precision")?;
        let &[precision] = &precision[..] else { return Err(unfit()) };
        let classes = ClassParts {
            order: take_vec(state, "order")?,
            bias: take_vec(state, "bias")?,
            slopes: take_vec(state, "slopes")?,
            default_factors: take_vec(state, "default_factors")?,
        };
        let mut weights = compiled::CompiledWeights {
            forms: forms.iter().map(|form| form.0).collect(),
            documents,
            classes: Arc::new(classes),
            table_forms: take_vec(state, "table_forms")?,
            counted: counted as usize,
            default_forms: take_vec(state, "default_forms")?,
            precision: precision_of(precision)?,
            scales: take_vec(state, "scales")?,
            row_of: take(state, "row_of")?,
            rows: StoredRows { starts: take(state, "row_starts")?, bytes: take(state, "cells")? },
            overlay: BTreeMap::new(),
        };
        let changed =
            StoredRows { starts: take(state, "changed_starts")?, bytes: take(state, "changed_cells")? };
        let columns: Column<u32> = take(state, "changed_columns")?;
        let sound = attached(class.py(), || {
            weights.are_parts_sound()
                && weights.rows.are_sound()
                && weights.set_changed_rows(&columns, &changed)
        })?;
        if !sound {
            return Err(unfit());
        }
        Ok(Self { weights: Versioned::new(weights.frozen()), path: path.map(Arc::from) })
    }
}

fn put_copy<T: Element + Copy + 'static>(
    state: &Bound<'_, PyDict>,
    name: &str,
    values: &[T],
) -> PyResult<()> {
    let copy = attached(state.py(), || memory::copied(values))?;
    state.set_item(name, copy.into_array(state.py())?)
}
