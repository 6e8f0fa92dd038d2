//! Scores of rows.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::scores::Correction;

use crate::statistics::{Statistics, Values, checked_rows, with_values};

type Reals<'py> = PyReadonlyArray1<'py, f64>;

/// Corrections of the pairs seen, kept from one set of weights to the next.
#[pyclass(module = "textbayes._native")]
#[derive(Default)]
pub struct KeptCorrections(scores::KeptCorrections);

#[pymethods]
impl KeptCorrections {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// Weights of a linear model: bias, slope, default, scale, and what a pair seen adds.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Weights(scores::Weights);

#[pymethods]
impl Weights {
    /// Empty arrays stand for no slope, no default, a scale of 1, no correction of that kind.
    #[new]
    fn new(
        bias: Reals,
        slope: Reals,
        default: Reals,
        scale: Reals,
        class_factors: Reals,
        complement_alpha: Option<f64>,
        linear_factors: Reals,
    ) -> PyResult<Self> {
        let mut corrections = Vec::new();
        if let Some(alpha) = complement_alpha {
            corrections.push(Correction::Complement(alpha));
        }
        let (class_factors, linear_factors) = (class_factors.to_vec()?, linear_factors.to_vec()?);
        if !class_factors.is_empty() {
            corrections.push(Correction::Class(class_factors));
        }
        if !linear_factors.is_empty() {
            corrections.push(Correction::Linear(linear_factors));
        }
        let (slope, default, scale) = (slope.to_vec()?, default.to_vec()?, scale.to_vec()?);
        Ok(Self(scores::Weights { bias: bias.to_vec()?, slope, default, scale, corrections }))
    }

    /// For each class, how much the pairs seen change the sum of absolute weights.
    fn absolute_excess<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        kept: &mut KeptCorrections,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(statistics)?;
        let excess = py.detach(|| self.0.absolute_excess(&statistics.0, &mut kept.0));
        statistics.check(py)?;
        Ok(excess.into_pyarray(py))
    }

    /// The corrections of the pairs seen, by term, then class.
    fn corrections<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(statistics)?;
        let pairs = statistics.0.pairs();
        let one = |(term, place): (u32, usize)| {
            let (class, total) =
                (pairs.classes()[place] as usize, statistics.0.terms().values()[term as usize]);
            self.0.correction(class, pairs.totals().values()[place], total)
        };
        let corrections: Vec<f64> = py.detach(|| pairs.iter().map(one).collect());
        statistics.check(py)?;
        Ok(corrections.into_pyarray(py))
    }
}

impl Weights {
    fn check(&self, statistics: &Statistics) -> PyResult<()> {
        let classes = statistics.0.classes().len();
        let fits = |column: &[f64], length: usize| column.is_empty() || column.len() == length;
        let corrections_fit = self.0.corrections.iter().all(|correction| match correction {
            Correction::Class(factors) | Correction::Linear(factors) => factors.len() == classes,
            Correction::Complement(_) => true,
        });
        let sound = self.0.bias.len() == classes
            && fits(&self.0.slope, classes)
            && fits(&self.0.scale, classes)
            && fits(&self.0.default, statistics.0.terms().len())
            && corrections_fit;
        if sound { Ok(()) } else { Err(PyValueError::new_err("the weights do not fit the statistics")) }
    }
}

/// Weights made ready to score rows of the statistics they were made from.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Scorer {
    scorer: scores::Scorer,
    classes: usize,
    terms: usize,
}

type Ints<'py> = PyReadonlyArray1<'py, i64>;
type Columns<'py> = PyReadonlyArray1<'py, i32>;
type Best<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

impl Scorer {
    fn check(&self, statistics: &Statistics) -> PyResult<()> {
        if self.classes == statistics.0.classes().len() && self.terms == statistics.0.terms().len() {
            return Ok(());
        }
        Err(PyValueError::new_err("these are other statistics than the scorer was made for"))
    }
}

#[pymethods]
impl Scorer {
    /// Score the classes of `order`, in that order.
    #[new]
    fn new(weights: &Weights, statistics: &Statistics, order: PyReadonlyArray1<u32>) -> PyResult<Self> {
        weights.check(statistics)?;
        let classes = statistics.0.classes().len();
        let order = order.to_vec()?;
        if order.iter().any(|&class| class as usize >= classes) {
            return Err(PyValueError::new_err("order names a class that there is not"));
        }
        let scorer = scores::Scorer::new(weights.0.clone(), order);
        Ok(Self { scorer, classes, terms: statistics.0.terms().len() })
    }

    /// The scores of every row and class, row by row.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        starts: Ints,
        columns: Columns,
        values: Values,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(statistics)?;
        let scores = with_values!(values, values => {
            let rows = checked_rows(&starts, &columns, values, self.terms)?;
            py.detach(|| self.scorer.scores(&statistics.0, rows, threads))
        });
        statistics.check(py)?;
        Ok(scores.into_pyarray(py))
    }

    /// The best position of each row.
    fn first<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        starts: Ints,
        columns: Columns,
        values: Values,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.check(statistics)?;
        let best = with_values!(values, values => {
            let rows = checked_rows(&starts, &columns, values, self.terms)?;
            py.detach(|| self.scorer.first(&statistics.0, rows, threads))
        });
        statistics.check(py)?;
        Ok(best.into_pyarray(py))
    }

    /// The k best positions of each row and their scores, best first.
    #[expect(clippy::too_many_arguments, reason = "three arrays of rows")]
    fn best<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        starts: Ints,
        columns: Columns,
        values: Values,
        k: usize,
        threads: usize,
    ) -> PyResult<Best<'py>> {
        self.check(statistics)?;
        let (best, scores) = with_values!(values, values => {
            let rows = checked_rows(&starts, &columns, values, self.terms)?;
            py.detach(|| self.scorer.best(&statistics.0, rows, k, threads))
        });
        statistics.check(py)?;
        Ok((best.into_pyarray(py), scores.into_pyarray(py)))
    }
}
