//! Scores of rows by a compiled blend.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::weights::compiled::Damaged;

use super::Best;
use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::rows::{Classes, Rows, copied, with_values};
use crate::statistics::Sums;
use crate::weights::{Compiled, CompiledWeights, LiveParts, live_of};

type RealArray<'py> = Bound<'py, PyArray1<f64>>;

/// Compiled weights made ready to score rows.
#[pyclass(frozen, module = "textbayes._native")]
pub struct CompiledScorer {
    scorer: scores::CompiledScorer,
    weights: Compiled,
    statistics: Vec<Sums>,
}

impl CompiledScorer {
    fn sound<T>(&self, py: Python<'_>, found: Result<T, Damaged>) -> PyResult<T> {
        self.statistics.iter().try_for_each(|statistics| statistics.check(py))?;
        found.map_err(|_| self.weights.damaged(py))
    }
}

/// Score rows of either kind without the interpreter's lock.
macro_rules! scored {
    ($scorer:ident, $py:ident, $rows:ident, $scored:ident => $work:expr) => {{
        let found = with_values!($rows, values => {
            let $scored = $rows.checked(values, $scorer.scorer.width())?;
            detached($py, || $work)?
        });
        $scorer.sound($py, found)?
    }};
}

/// The same for one row.
macro_rules! scored_row {
    ($scorer:ident, $py:ident, $rows:ident, $row:ident => $work:expr) => {{
        if $rows.len()? != 1 {
            return Err(PyValueError::new_err("there is not one row"));
        }
        scored!($scorer, $py, $rows, rows => {
            let $row = rows.entries(0);
            $work
        })
    }};
}

#[pymethods]
impl CompiledScorer {
    /// Score with these weights; with live tables, if given, in place of the compiled ones.
    ///
    /// A scorer shares the weights and the statistics: drop it before they change.
    #[new]
    #[pyo3(signature = (weights, live = None))]
    fn new(py: Python<'_>, weights: &CompiledWeights, live: Option<LiveParts>) -> PyResult<Self> {
        let weights = weights.read(py)?;
        let (live, statistics) = attached(py, || live.as_ref().map(live_of).unzip())?;
        let scorer = attached(py, || scores::CompiledScorer::new(weights.0.clone(), live))?
            .ok_or_else(|| PyValueError::new_err("the live tables do not fit the compiled weights"))?;
        Ok(Self { scorer, weights, statistics: statistics.unwrap_or_default() })
    }

    /// The scores of every row and class, row by row.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows, threads: usize) -> PyResult<RealArray<'py>> {
        scored!(self, py, rows, rows => self.scorer.scores(rows, threads)).into_array(py)
    }

    /// The best position of each row.
    fn first<'py>(&self, py: Python<'py>, rows: Rows, threads: usize) -> PyResult<Bound<'py, PyArray1<u32>>> {
        scored!(self, py, rows, rows => self.scorer.first(rows, threads)).into_array(py)
    }

    /// The k best positions of each row and their scores, best first.
    fn best<'py>(&self, py: Python<'py>, rows: Rows, k: usize, threads: usize) -> PyResult<Best<'py>> {
        let (best, scores) = scored!(self, py, rows, rows => self.scorer.best(rows, k, threads));
        Ok((best.into_array(py)?, scores.into_array(py)?))
    }

    /// Biases, and what each entry of a row adds, entry by entry: of the classes at some positions, or of all.
    #[pyo3(signature = (row, classes = None))]
    fn contributions<'py>(
        &self,
        py: Python<'py>,
        row: Rows,
        classes: Option<Classes>,
    ) -> PyResult<(RealArray<'py>, RealArray<'py>)> {
        let classes: Vec<u32> = match &classes {
            Some(classes) => copied(classes)?,
            None => (0..self.scorer.len() as u32).collect(),
        };
        let Some(bias) = attached(py, || self.scorer.biases(&classes))? else {
            return Err(PyValueError::new_err("there is no such class"));
        };
        let entries = scored_row!(self, py, row, row => self.scorer.contributions(row, &classes));
        Ok((bias.into_array(py)?, entries.into_array(py)?))
    }

    /// What one table adds to the scores of a row.
    fn table_scores<'py>(&self, py: Python<'py>, row: Rows, table: usize) -> PyResult<RealArray<'py>> {
        if table >= self.scorer.weights().table_forms.len() {
            return Err(PyValueError::new_err("there is no such table"));
        }
        scored_row!(self, py, row, row => self.scorer.table_scores(row, table)).into_array(py)
    }

    /// A row in one form, divided by its length: a value for each entry.
    fn form_values<'py>(&self, py: Python<'py>, row: Rows, form: usize) -> PyResult<RealArray<'py>> {
        if form >= self.scorer.weights().forms.len() {
            return Err(PyValueError::new_err("there is no such form"));
        }
        scored_row!(self, py, row, row => self.scorer.form_values(row, form)).into_array(py)
    }
}
