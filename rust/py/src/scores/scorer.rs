//! Scores of rows by a linear model.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;

use super::Best;
use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::rows::{Rows, copied, with_values};
use crate::statistics::{Statistics, Sums};
use crate::weights::Weights;

/// Weights made ready to score rows, with the statistics they were made from.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Scorer {
    scorer: scores::Scorer,
    statistics: Sums,
}

/// Score rows of either kind without the interpreter's lock.
macro_rules! scored {
    ($scorer:ident, $py:ident, $rows:ident, $scored:ident => $work:expr) => {{
        let found = with_values!($rows, values => {
            let $scored = $rows.checked(values, $scorer.statistics.0.terms().len())?;
            detached($py, || $work)?
        });
        $scorer.statistics.check($py)?;
        found
    }};
}

#[pymethods]
impl Scorer {
    /// Score the classes of `order`, in that order.
    #[new]
    fn new(
        py: Python<'_>,
        weights: &Weights,
        statistics: &Statistics,
        order: PyReadonlyArray1<u32>,
    ) -> PyResult<Self> {
        let statistics = statistics.read(py)?;
        weights.check(&statistics)?;
        let classes = statistics.0.classes().len();
        let order = copied(&order)?;
        if order.iter().any(|&class| class as usize >= classes) {
            return Err(PyValueError::new_err("order names a class that does not exist"));
        }
        let sums = statistics.0.clone();
        let scorer = attached(py, || scores::Scorer::new(sums, weights.0.clone(), order))?;
        Ok(Self { scorer, statistics })
    }

    /// The scores of every row and class, row by row.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        rows: Rows,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
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
}
