//! Linear weights, and weights learned from labelled rows.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::statistics;
use textbayes_core::weights;
use textbayes_core::weights::Correction;

use crate::rows::{Classes, LabelledRows, Reals, checked};
use crate::statistics::Statistics;

type WeightedPairs<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);
type Columns<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Corrections of the pairs seen, reused from one set of weights to the next.
#[pyclass(module = "textbayes._native")]
#[derive(Default)]
pub struct CorrectionCache(weights::CorrectionCache);

#[pymethods]
impl CorrectionCache {
    #[new]
    fn new() -> Self {
        Self::default()
    }
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
        Ok(Self(weights::Weights { bias: bias.to_vec()?, slope, default, scale, corrections }))
    }

    /// For each class, how much the pairs seen change the sum of absolute weights.
    fn absolute_excess<'py>(
        &self,
        py: Python<'py>,
        statistics: &Statistics,
        cache: &mut CorrectionCache,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.check(statistics)?;
        let excess = py.detach(|| self.0.absolute_excess(&statistics.0, &mut cache.0));
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
    /// Check that the weights fit the statistics.
    pub fn check(&self, statistics: &Statistics) -> PyResult<()> {
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

/// How the discriminative frequency estimate learns; `prior` is log P(c), −∞ for a class without documents.
#[pyclass(frozen, module = "textbayes._native")]
pub struct EstimateSettings {
    alpha: f64,
    prior: Vec<f64>,
    block_size: usize,
}

#[pymethods]
impl EstimateSettings {
    #[new]
    fn new(alpha: f64, prior: Reals, block_size: usize) -> PyResult<Self> {
        Ok(Self { alpha, prior: prior.to_vec()?, block_size })
    }
}

/// (counts of the pairs, by term, then class; counts of the classes) after visiting rows in blocks.
#[pyfunction]
pub fn discriminative_counts<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    visits: Classes,
    settings: &EstimateSettings,
    threads: usize,
) -> PyResult<Columns<'py>> {
    let statistics = &*statistics.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics)?;
    let visits = visits.as_slice()?;
    let sound = documents.labels.are_single()
        && settings.prior.len() == statistics.classes().len()
        && are_rows(visits, documents);
    if !sound {
        return Err(PyValueError::new_err("classes, visits or prior do not fit the rows"));
    }
    let EstimateSettings { alpha, ref prior, block_size } = *settings;
    let settings = weights::EstimateSettings { alpha, prior, block_size };
    let found =
        py.detach(|| weights::discriminative_counts(statistics, documents, visits, settings, threads));
    Ok((found.pairs.into_pyarray(py), found.classes.into_pyarray(py)))
}

/// How weights are learned from counts for and against; initial biases are −∞ for a class without documents.
#[pyclass(frozen, module = "textbayes._native")]
pub struct OpposedSettings {
    alpha: f64,
    biases: Vec<f64>,
    learn_biases: bool,
    multilabel: bool,
    block_size: usize,
}

#[pymethods]
impl OpposedSettings {
    #[new]
    fn new(
        alpha: f64,
        biases: Reals,
        learn_biases: bool,
        multilabel: bool,
        block_size: usize,
    ) -> PyResult<Self> {
        Ok(Self { alpha, biases: biases.to_vec()?, learn_biases, multilabel, block_size })
    }
}

/// (starts of the terms' pairs, their classes and weights, biases by class), the mean over several orders of visits,
/// which follow each other in `visits`.
#[pyfunction]
pub fn opposed_weights<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    visits: Classes,
    orders: usize,
    settings: &OpposedSettings,
    threads: usize,
) -> PyResult<WeightedPairs<'py>> {
    let statistics = &*statistics.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics)?;
    let terms = statistics.terms().len();
    let visits = visits.as_slice()?;
    if settings.biases.len() != statistics.classes().len() || !are_rows(visits, documents) {
        return Err(PyValueError::new_err("visits or biases do not fit the rows"));
    }
    let orders: Vec<&[u32]> = visits.chunks((visits.len() / orders.max(1)).max(1)).collect();
    let OpposedSettings { alpha, ref biases, learn_biases, multilabel, block_size } = *settings;
    let settings = weights::OpposedSettings { alpha, block_size, biases, learn_biases, multilabel };
    let found = interruptible(py, |watch| {
        weights::opposed_weights(documents, terms, &orders, settings, threads, watch)
    })?;
    Ok(into_arrays(py, found))
}

/// How a linear SVM learns; `classes` are those with documents, in order.
#[pyclass(frozen, module = "textbayes._native")]
pub struct SvmSettings {
    c: f64,
    tolerance: f64,
    classes: Vec<u32>,
}

#[pymethods]
impl SvmSettings {
    #[new]
    fn new(c: f64, tolerance: f64, classes: Classes) -> PyResult<Self> {
        Ok(Self { c, tolerance, classes: classes.to_vec()? })
    }
}

/// ((starts of the terms' pairs, their classes and weights, biases by class), rounds needed) of a linear SVM. `visits`
/// are rounds, each an order of all rows.
#[pyfunction]
pub fn svm_weights<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    visits: Classes,
    settings: &SvmSettings,
    threads: usize,
) -> PyResult<(WeightedPairs<'py>, usize)> {
    let statistics = &*statistics.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics)?;
    let (terms, slots) = (statistics.terms().len(), statistics.classes().len());
    let visits = visits.as_slice()?;
    let SvmSettings { c, tolerance, ref classes } = *settings;
    let sound = are_rows(visits, documents)
        && classes.is_sorted()
        && classes.last().is_none_or(|&class| (class as usize) < slots);
    if !sound {
        return Err(PyValueError::new_err("visits or classes do not fit the rows"));
    }
    let rounds: Vec<&[u32]> = visits.chunks(documents.rows.len().max(1)).collect();
    let settings = weights::SvmSettings { c, tolerance, classes, slots };
    let (found, needed) =
        interruptible(py, |watch| weights::svm_weights(documents, terms, &rounds, settings, threads, watch))?;
    Ok((into_arrays(py, found), needed))
}

fn are_rows(visits: &[u32], documents: statistics::LabelledRows) -> bool {
    visits.iter().all(|&row| (row as usize) < documents.rows.len())
}

/// Work without the interpreter's lock, until it is done or a signal raises an exception.
fn interruptible<T: Send>(
    py: Python,
    work: impl FnOnce(&mut (dyn FnMut(usize) -> bool + Send)) -> Option<T> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let mut watch = |_| {
        raised = Python::attach(|py| py.check_signals()).err();
        raised.is_none()
    };
    let found = py.detach(|| work(&mut watch));
    match (found, raised) {
        (Some(found), None) => Ok(found),
        (_, raised) => Err(raised.unwrap_or_else(|| PyValueError::new_err("nothing was learned"))),
    }
}

fn into_arrays(py: Python, found: weights::WeightedPairs) -> WeightedPairs {
    (
        found.starts.into_pyarray(py),
        found.classes.into_pyarray(py),
        found.weights.into_pyarray(py),
        found.biases.into_pyarray(py),
    )
}
