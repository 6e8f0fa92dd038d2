//! Scores of rows by mixtures.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use textbayes_core::scores;
use textbayes_core::weights::mixture::{Background, Components};

use super::Best;
use crate::rows::{Reals, Rows};
use crate::statistics::take;

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
    fn new(arrays: &Bound<'_, PyDict>, background: Reals, biases: Reals) -> PyResult<Self> {
        let components = Components {
            sizes: take(arrays, "sizes")?.to_vec(),
            weights: take(arrays, "weights")?.to_vec(),
            documents: take(arrays, "documents")?.to_vec(),
            slopes: take(arrays, "slopes")?.to_vec(),
            parameters: take(arrays, "parameters")?.to_vec(),
            unseen_ratios: take(arrays, "unseen_ratios")?.to_vec(),
            unseen_terms: take(arrays, "unseen_terms")?.to_vec(),
            listed: take(arrays, "listed")?.to_vec(),
            terms: take(arrays, "terms")?.to_vec(),
            theta: take(arrays, "theta")?.to_vec(),
            bares: take(arrays, "bares")?.to_vec(),
            bare_terms: take(arrays, "bare_terms")?.to_vec(),
        };
        let terms = background.len()?;
        if !components.are_sound(terms) || components.sizes.len() != biases.len()? {
            return Err(PyValueError::new_err("the mixtures' arrays do not fit each other"));
        }
        let background = Background::new(background.to_vec()?);
        let scorer = scores::MixtureScorer::new(&components, background, biases.to_vec()?);
        Ok(Self { scorer, terms })
    }

    /// The score of every row and group, row by row.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows, threads: usize) -> PyResult<RealArray<'py>> {
        let values = rows.reals()?;
        let rows = rows.sound(&values, self.terms)?;
        Ok(py.detach(|| self.scorer.scores(rows, threads)).into_pyarray(py))
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
        Ok(py.detach(|| self.scorer.component_scores(rows, group, threads)).into_pyarray(py))
    }

    /// The k best groups of each row and their scores, best first.
    fn best<'py>(&self, py: Python<'py>, rows: Rows, k: usize, threads: usize) -> PyResult<Best<'py>> {
        let values = rows.reals()?;
        let rows = rows.sound(&values, self.terms)?;
        let (best, scores) = py.detach(|| self.scorer.best(rows, k, threads));
        Ok((best.into_pyarray(py), scores.into_pyarray(py)))
    }
}
