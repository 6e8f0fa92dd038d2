//! Scores of rows by a Poisson model.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores::Mixing;
use textbayes_core::{scores, terms};

use crate::rows::{Classes, Reals, Rows, with_values};
use crate::statistics::Statistics;

type Array<'py> = Bound<'py, PyArray1<f64>>;
/// For each class: uniform, by_length, floor.
type Mixings<'py> = (Reals<'py>, Reals<'py>, Reals<'py>);

/// Kim's sums of pairs and terms, refreshed after the statistics change.
#[pyclass(module = "textbayes._native")]
pub struct PoissonSums(Arc<terms::PoissonSums>);

#[pymethods]
impl PoissonSums {
    /// `added` is θ|V|.
    #[new]
    fn new(added: f64) -> Self {
        Self(Arc::new(terms::PoissonSums::new(added)))
    }

    /// How many groups of documents are known.
    fn __len__(&self) -> usize {
        self.0.groups()
    }

    /// Bring the sums up to date; classes (2**32 − 1 for all) and lengths are those of the new groups.
    fn refresh(
        &mut self,
        py: Python<'_>,
        statistics: &Statistics,
        by_length: &Statistics,
        classes: Classes,
        lengths: Reals,
    ) -> PyResult<()> {
        let (classes, lengths) = (classes.as_slice()?, lengths.as_slice()?);
        let known = |&class: &u32| class == u32::MAX || (class as usize) < statistics.0.classes().len();
        let fit = classes.len() == lengths.len()
            && classes.iter().all(known)
            && self.0.groups() + classes.len() == by_length.0.classes().len()
            && statistics.0.terms().len() == by_length.0.terms().len();
        if !fit {
            return Err(PyValueError::new_err("the groups of documents do not fit the statistics"));
        }
        let sums = Arc::make_mut(&mut self.0);
        sums.add_groups(classes, lengths);
        py.detach(|| sums.refresh(&statistics.0, &by_length.0));
        statistics.check(py)?;
        by_length.check(py)
    }

    /// Σ 1, Σ dl, Σ 1/D and Σ dl/D over the documents of each class, and last over all.
    fn of_classes<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        by_length: &Statistics,
    ) -> (Array<'py>, Array<'py>, Array<'py>, Array<'py>) {
        let sums = self.0.of_classes(&by_length.0, statistics.0.classes().len());
        let [documents, lengths, uniform, by_length] = sums.map(|sums| sums.into_pyarray(py));
        (documents, lengths, uniform, by_length)
    }
}

/// Scores by eq. 15, with the statistics and sums they come from.
#[pyclass(frozen, module = "textbayes._native")]
pub struct PoissonScorer {
    scorer: scores::PoissonScorer,
    terms: usize,
}

#[pymethods]
impl PoissonScorer {
    /// `mixings` are those of the documents of each class, of its complement, and of all documents.
    #[new]
    fn new(
        py: Python<'_>,
        statistics: &Statistics,
        sums: &PoissonSums,
        mixings: (Mixings, Mixings, (f64, f64, f64)),
        order: Classes,
        theta: f64,
    ) -> PyResult<Self> {
        let (own, rest, all) = mixings;
        let (classes, terms) = (statistics.0.classes().len(), statistics.0.terms().len());
        let mixing: Vec<_> = each_mixing(&own)?.into_iter().zip(each_mixing(&rest)?).collect();
        let order = order.to_vec()?;
        if mixing.len() != classes || order.iter().any(|&class| class as usize >= classes) {
            return Err(PyValueError::new_err("the mixing or the order does not fit the statistics"));
        }
        let fit =
            sums.0.terms().len() == terms && sums.0.pairs().len() == statistics.0.pairs().classes().len();
        if !fit {
            return Err(PyValueError::new_err("the sums are of other statistics"));
        }
        let all = Mixing { uniform: all.0, by_length: all.1, floor: all.2 };
        let (statistics, sums) = (statistics.0.clone(), sums.0.clone());
        let scorer = py.detach(|| scores::PoissonScorer::new(statistics, sums, (&mixing, all), order, theta));
        Ok(Self { scorer, terms })
    }

    /// The scores of every row and class, row by row.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows, threads: usize) -> PyResult<Array<'py>> {
        with_values!(rows, values => {
            let rows = rows.checked(values, self.terms)?;
            Ok(py.detach(|| self.scorer.scores(rows, threads)).into_pyarray(py))
        })
    }
}

fn each_mixing((uniform, by_length, floor): &Mixings) -> PyResult<Vec<Mixing>> {
    let (uniform, by_length, floor) = (uniform.as_slice()?, by_length.as_slice()?, floor.as_slice()?);
    let parts = uniform.iter().zip(by_length).zip(floor);
    Ok(parts.map(|((&uniform, &by_length), &floor)| Mixing { uniform, by_length, floor }).collect())
}
