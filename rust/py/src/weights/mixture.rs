//! Structural Poisson mixtures, learned from rows.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use textbayes_core::memory;
use textbayes_core::weights::mixture;
use textbayes_core::weights::mixture::{Background, Keep, Settings, Size, Smoothing};

use crate::arrays::IntoArray;
use crate::guard::{attached, detached};
use crate::rows::{Classes, Ints, Reals, Rows, checked_weights, copied};

type RealArray<'py> = Bound<'py, PyArray1<f64>>;

/// The settings of EM.
#[pyclass(frozen, module = "textbayes._native")]
pub struct MixtureSettings(pub Settings);

#[pymethods]
impl MixtureSettings {
    /// `smoothing` is "prior", "mix" or None, of that `strength`; a threshold goes before a share.
    #[new]
    fn new(
        smoothing: Option<&str>,
        strength: f64,
        keep: f64,
        keep_threshold: Option<f64>,
        max_iter: usize,
        tol: f64,
        starts: usize,
    ) -> PyResult<Self> {
        let smoothing = match smoothing {
            None => Smoothing::None,
            Some("mix") => Smoothing::Mix(strength),
            Some("prior") => Smoothing::Prior(strength),
            Some(other) => return Err(PyValueError::new_err(format!("no smoothing: {other}"))),
        };
        let keep = keep_threshold.map_or(Keep::Share(keep), Keep::Above);
        Ok(Self(Settings { smoothing, keep, max_iter, tol, starts }))
    }
}

/// The share of each term in all documents.
#[pyfunction]
pub fn mixture_background<'py>(
    py: Python<'py>,
    rows: Rows,
    weights: Option<Reals>,
) -> PyResult<RealArray<'py>> {
    let (values, terms) = (rows.reals()?, rows.width);
    let rows = rows.sound(&values, terms)?;
    let weights = checked_weights(weights.as_ref(), rows.len())?;
    let background = detached(py, || memory::copied(Background::of_rows(rows, weights, terms).theta()))?;
    background.into_array(py)
}

/// Groups of rows: where each group's members start, the members, how many components each group gets, and its seed.
///
/// A size below 0 is chosen by held-out documents, up to its absolute value.
type Groups<'py> = (Ints<'py>, Classes<'py>, Ints<'py>, PyReadonlyArray1<'py, u64>);

/// Fit the mixture of every group of weighted rows: arrays by name. `watch` is called with the number of groups done;
/// what it raises ends the work.
#[pyfunction]
pub fn fit_mixtures<'py>(
    py: Python<'py>,
    documents: (Rows, Option<Reals>),
    background: Reals,
    groups: Groups,
    settings: &MixtureSettings,
    threads: usize,
    watch: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (rows, weights) = &documents;
    let values = rows.reals()?;
    let rows = rows.sound(&values, background.len()?)?;
    let weights = checked_weights(weights.as_ref(), rows.len())?;
    let (starts, members, sizes, seeds) = &groups;
    let sizes: Vec<Size> = sizes.as_slice()?.iter().map(|&size| size_of(size)).collect();
    let groups = mixture::Groups {
        starts: starts.as_slice()?,
        members: members.as_slice()?,
        sizes: &sizes,
        seeds: seeds.as_slice()?,
    };
    if !groups.are_sound(rows.len()) {
        return Err(PyValueError::new_err("the groups do not fit the rows"));
    }
    let background = copied(&background)?;
    let background = attached(py, || Background::new(background))?;
    let mut raised = None;
    let watched = |done: usize| {
        let answer = Python::attach(|py| {
            py.check_signals()?;
            watch.as_ref().map_or(Ok(()), |watch| watch.call1(py, (done,)).map(|_| ()))
        });
        raised = answer.err();
        raised.is_none()
    };
    let fitted =
        detached(py, || mixture::fit(rows, weights, groups, &background, &settings.0, threads, watched))?;
    match (fitted, raised) {
        (Some(fitted), None) => as_arrays(py, fitted),
        (_, Some(error)) => Err(error),
        (None, None) => Err(PyValueError::new_err("a group has no mixture")),
    }
}

fn size_of(size: i64) -> Size {
    let count = size.unsigned_abs() as usize;
    if size < 0 { Size::HeldOut(count) } else { Size::Fixed(count) }
}

fn as_arrays(py: Python<'_>, fitted: mixture::Fitted) -> PyResult<Bound<'_, PyDict>> {
    let (arrays, components) = (PyDict::new(py), fitted.components);
    arrays.set_item("sizes", components.sizes.into_array(py)?)?;
    arrays.set_item("weights", components.weights.into_array(py)?)?;
    arrays.set_item("documents", components.documents.into_array(py)?)?;
    arrays.set_item("slopes", components.slopes.into_array(py)?)?;
    arrays.set_item("parameters", components.parameters.into_array(py)?)?;
    arrays.set_item("unseen_ratios", components.unseen_ratios.into_array(py)?)?;
    arrays.set_item("unseen_terms", components.unseen_terms.into_array(py)?)?;
    arrays.set_item("listed", components.listed.into_array(py)?)?;
    arrays.set_item("terms", components.terms.into_array(py)?)?;
    arrays.set_item("theta", components.theta.into_array(py)?)?;
    arrays.set_item("bares", components.bares.into_array(py)?)?;
    arrays.set_item("bare_terms", components.bare_terms.into_array(py)?)?;
    arrays.set_item("given", fitted.given.into_array(py)?)?;
    arrays.set_item("iterations", fitted.iterations.into_array(py)?)?;
    arrays.set_item("criteria", fitted.criteria.into_array(py)?)?;
    arrays.set_item("criteria_parameters", fitted.parameters.into_array(py)?)?;
    Ok(arrays)
}
