//! Linear weights: defaults and corrections.

use std::sync::Mutex;

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::weights::Correction;
use textbayes_core::{memory, weights};

use crate::arrays::IntoArray;
use crate::guard::detached;
use crate::rows::{Reals, copied};
use crate::statistics::{Statistics, Sums};

/// Corrections of the pairs seen, reused from one set of weights to the next.
///
/// Threads that use one at the same time wait for each other.
#[pyclass(frozen, module = "textbayes._native")]
#[derive(Default)]
pub struct CorrectionCache(Mutex<weights::CorrectionCache>);

#[pymethods]
impl CorrectionCache {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// The corrections of these kinds; an empty array stands for none.
pub fn corrections(
    class_factors: Reals,
    complement_alpha: Option<f64>,
    linear_factors: Reals,
) -> PyResult<Vec<Correction>> {
    let mut corrections = Vec::new();
    if let Some(alpha) = complement_alpha {
        corrections.push(Correction::Complement(alpha));
    }
    let (class_factors, linear_factors) = (copied(&class_factors)?, copied(&linear_factors)?);
    if !class_factors.is_empty() {
        corrections.push(Correction::Class(class_factors));
    }
    if !linear_factors.is_empty() {
        corrections.push(Correction::Linear(linear_factors));
    }
    Ok(corrections)
}

/// Weights of a linear model: bias, slope, default, scale, and what a pair seen adds.
#[pyclass(frozen, module = "textbayes._native")]
pub struct Weights(pub weights::Weights);

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
        let corrections = corrections(class_factors, complement_alpha, linear_factors)?;
        let (slope, default, scale) = (copied(&slope)?, copied(&default)?, copied(&scale)?);
        Ok(Self(weights::Weights { bias: copied(&bias)?, slope, default, scale, corrections }))
    }

    /// For each class, how much the pairs seen change the sum of absolute weights.
    fn absolute_excess<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        cache: &CorrectionCache,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let statistics = statistics.read(py)?;
        self.check(&statistics)?;
        let excess = detached(py, || {
            // What a panic left half done is not reused.
            let mut cache = cache.0.lock().unwrap_or_else(|poisoned| {
                let mut cache = poisoned.into_inner();
                *cache = weights::CorrectionCache::default();
                cache
            });
            self.0.absolute_excess(&statistics.0, &mut cache)
        })?;
        statistics.check(py)?;
        excess.into_array(py)
    }

    /// The corrections of the pairs seen, by term, then class.
    fn corrections<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let statistics = statistics.read(py)?;
        self.check(&statistics)?;
        let pairs = statistics.0.pairs();
        let one = |(term, place): (u32, usize)| {
            let (class, total) =
                (pairs.classes()[place] as usize, statistics.0.terms().values()[term as usize]);
            self.0.correction(class, pairs.totals().values()[place], total)
        };
        let corrections: Vec<f64> = detached(py, || memory::collected(pairs.iter().map(one)))?;
        statistics.check(py)?;
        corrections.into_array(py)
    }
}

impl Weights {
    /// Check that the weights fit the statistics.
    pub fn check(&self, statistics: &Sums) -> PyResult<()> {
        let classes = statistics.0.classes().len();
        let fits = |column: &[f64], length: usize| column.is_empty() || column.len() == length;
        let corrections_fit = self.0.corrections.iter().all(|correction| correction.fits(classes));
        let sound = self.0.bias.len() == classes
            && fits(&self.0.slope, classes)
            && fits(&self.0.scale, classes)
            && fits(&self.0.default, statistics.0.terms().len())
            && corrections_fit;
        if sound { Ok(()) } else { Err(PyValueError::new_err("the weights do not fit the statistics")) }
    }
}
