//! Scores of rows by a Poisson model.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::scores::Mixing;

use crate::statistics::{Statistics, Values, checked_rows, with_values};

type Reals<'py> = PyReadonlyArray1<'py, f64>;
type Classes<'py> = PyReadonlyArray1<'py, u32>;
type Ints<'py> = PyReadonlyArray1<'py, i64>;
type Columns<'py> = PyReadonlyArray1<'py, i32>;
type Array<'py> = Bound<'py, PyArray1<f64>>;
/// For each class: uniform, by_length, floor.
type Mixings<'py> = (Reals<'py>, Reals<'py>, Reals<'py>);

/// Kim's sums of pairs and terms, kept up to date with the statistics.
#[pyclass(module = "textbayes._native")]
pub struct PoissonSums(scores::PoissonSums);

#[pymethods]
impl PoissonSums {
    /// `added` is θ|V|.
    #[new]
    fn new(added: f64) -> Self {
        Self(scores::PoissonSums::new(added))
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
        self.0.add_groups(classes, lengths);
        py.detach(|| self.0.refresh(&statistics.0, &by_length.0));
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

/// Scores by eq. 15, for sums that do not change.
#[pyclass(frozen, module = "textbayes._native")]
pub struct PoissonScorer {
    scorer: scores::PoissonScorer,
    classes: usize,
    terms: usize,
}

#[pymethods]
impl PoissonScorer {
    /// `own` and `rest` mix the documents of each class and of its complement, `all` those of everything.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "three mixings beside the sums")]
    fn new(
        py: Python<'_>,
        statistics: &Statistics,
        sums: &PoissonSums,
        own: Mixings,
        rest: Mixings,
        all: (f64, f64, f64),
        order: Classes,
        theta: f64,
    ) -> PyResult<Self> {
        let classes = statistics.0.classes().len();
        let mixing: Vec<_> = mixings(&own)?.into_iter().zip(mixings(&rest)?).collect();
        let order = order.to_vec()?;
        if mixing.len() != classes || order.iter().any(|&class| class as usize >= classes) {
            return Err(PyValueError::new_err("the mixing or the order does not fit the statistics"));
        }
        let all = Mixing { uniform: all.0, by_length: all.1, floor: all.2 };
        let scorer =
            py.detach(|| scores::PoissonScorer::new(&statistics.0, &sums.0, &mixing, all, order, theta));
        Ok(Self { scorer, classes, terms: statistics.0.terms().len() })
    }

    /// The scores of every row and class, row by row.
    #[expect(clippy::too_many_arguments, reason = "three arrays of rows")]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        sums: &PoissonSums,
        starts: Ints,
        columns: Columns,
        values: Values,
        threads: usize,
    ) -> PyResult<Array<'py>> {
        if self.classes != statistics.0.classes().len() || self.terms != statistics.0.terms().len() {
            return Err(PyValueError::new_err("these are other statistics than the scorer was made for"));
        }
        with_values!(values, values => {
            let rows = checked_rows(&starts, &columns, values, self.terms)?;
            Ok(py.detach(|| self.scorer.scores(&statistics.0, &sums.0, rows, threads)).into_pyarray(py))
        })
    }
}

fn mixings((uniform, by_length, floor): &Mixings) -> PyResult<Vec<Mixing>> {
    let (uniform, by_length, floor) = (uniform.as_slice()?, by_length.as_slice()?, floor.as_slice()?);
    let parts = uniform.iter().zip(by_length).zip(floor);
    Ok(parts.map(|((&uniform, &by_length), &floor)| Mixing { uniform, by_length, floor }).collect())
}
