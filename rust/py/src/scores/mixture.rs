//! Scores of rows by mixtures.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use textbayes_core::scores;
use textbayes_core::weights::mixture::{Background, Components};

use super::Best;
use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::rows::{Reals, Rows, copied};
use crate::statistics::take_vec;

type RealArray<'py> = Bound<'py, PyArray1<f64>>;

/// Mixtures made ready to score rows.
#[pyclass(frozen, module = "textbayes._native")]
pub struct MixtureScorer {
    scorer: scores::MixtureScorer,
    terms: usize,
}

#[pymethods]
impl MixtureScorer {
    /// From the arrays of `fit_mixtures`.
    #[new]
    fn new(py: Python<'_>, arrays: &Bound<'_, PyDict>, background: Reals, biases: Reals) -> PyResult<Self> {
        let components = Components {
            sizes: take_vec(arrays, "sizes")?,
            weights: take_vec(arrays, "weights")?,
            documents: take_vec(arrays, "documents")?,
            slopes: take_vec(arrays, "slopes")?,
            parameters: take_vec(arrays, "parameters")?,
            unseen_ratios: take_vec(arrays, "unseen_ratios")?,
            unseen_terms: take_vec(arrays, "unseen_terms")?,
            listed: take_vec(arrays, "listed")?,
            terms: take_vec(arrays, "terms")?,
            theta: take_vec(arrays, "theta")?,
            bares: take_vec(arrays, "bares")?,
            bare_terms: take_vec(arrays, "bare_terms")?,
        };
        let terms = background.len()?;
        if !attached(py, || components.are_sound(terms))? || components.sizes.len() != biases.len()? {
            return Err(PyValueError::new_err("the mixtures' arrays do not fit each other"));
        }
        let (background, biases) = (copied(&background)?, copied(&biases)?);
        let scorer =
            attached(py, || scores::MixtureScorer::new(&components, Background::new(background), biases))?;
        Ok(Self { scorer, terms })
    }

    /// The score of every row and group, row by row.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows, threads: usize) -> PyResult<RealArray<'py>> {
        let values = rows.reals()?;
        let rows = rows.sound(&values, self.terms)?;
        detached(py, || self.scorer.scores(rows, threads))?.into_array(py)
    }

    /// The score of every row and component of a group, or of all groups, row by row.
    fn component_scores<'py>(
        &self,
        py: Python<'py>,
        rows: Rows,
        group: Option<usize>,
        threads: usize,
    ) -> PyResult<RealArray<'py>> {
        if group.is_some_and(|group| group >= self.scorer.len()) {
            return Err(PyValueError::new_err("there is no such group"));
        }
        let values = rows.reals()?;
        let rows = rows.sound(&values, self.terms)?;
        detached(py, || self.scorer.component_scores(rows, group, threads))?.into_array(py)
    }

    /// The k best groups of each row and their scores, best first.
    fn best<'py>(&self, py: Python<'py>, rows: Rows, k: usize, threads: usize) -> PyResult<Best<'py>> {
        let values = rows.reals()?;
        let rows = rows.sound(&values, self.terms)?;
        let (best, scores) = detached(py, || self.scorer.best(rows, k, threads))?;
        Ok((best.into_array(py)?, scores.into_array(py)?))
    }
}
