//! What changes in a row's scores when the row itself is taken out of the sums.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::scores::{Comparison, ComplementFalls, FactorFalls, Falling, Means, Moving};
use textbayes_core::weights::mixture::Smoothing;

use crate::arrays::IntoArray;
use crate::guard::detached;
use crate::rows::{Ints, LabelledRows, Reals, Rows, checked, checked_weights};
use crate::statistics::Statistics;
use crate::weights::MixtureSettings;

type Column<'py> = Bound<'py, PyArray1<f64>>;

fn unfit<T>(what: &str) -> PyResult<T> {
    Err(PyValueError::new_err(format!("the {what} do not fit the rows or the statistics")))
}

/// For each model and label, what its class's own counts lose with the row.
#[pyfunction]
pub fn own_changes<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    before: Reals,
    after: Reals,
    threads: usize,
) -> PyResult<Column<'py>> {
    let statistics = &*statistics.read(py)?.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics.shape())?;
    let (before, after) = (before.as_slice()?, after.as_slice()?);
    let (classes, labels) = (statistics.classes().len(), documents.labels.classes.len());
    let models = before.len() / classes.max(1);
    if before.len() != models * classes || after.len() != models * labels {
        return unfit("factors");
    }
    let changes = detached(py, || scores::own_changes(statistics, documents, before, after, threads))?;
    changes.into_array(py)
}

type FallColumns<'py> = (Column<'py>, Column<'py>, Column<'py>, Column<'py>);

fn falls<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    falling: &impl Falling,
    rows: &Rows,
    (plain, threads): (bool, usize),
) -> PyResult<FallColumns<'py>> {
    let statistics = &*statistics.read(py)?.0;
    let values = rows.reals()?;
    let rows = rows.sound(&values, statistics.terms().len())?;
    let falls = detached(py, || scores::other_changes(statistics, falling, rows, plain, threads))?;
    Ok((
        falls.weighted.into_array(py)?,
        falls.plain.into_array(py)?,
        falls.lacking.into_array(py)?,
        falls.plain_lacking.into_array(py)?,
    ))
}

/// How much log(n_t − n_ct + alpha) falls with each row: weighted sums, plain sums, and both for a class without the term.
#[pyfunction]
pub fn complement_falls<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    alpha: f64,
    rows: Rows,
    weights: Option<Reals>,
    plain: bool,
    threads: usize,
) -> PyResult<FallColumns<'py>> {
    let weights = checked_weights(weights.as_ref(), rows.len()?)?;
    falls(py, statistics, &ComplementFalls { alpha, weights }, &rows, (plain, threads))
}

/// How much log(1 + n_ct · factor_c) falls when the factors are (1 − h) times themselves, h by row.
#[pyfunction]
pub fn factor_falls<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    factors: Reals,
    shares: Reals,
    rows: Rows,
    threads: usize,
) -> PyResult<Column<'py>> {
    let falling = FactorFalls { factors: factors.as_slice()?, shares: shares.as_slice()? };
    if falling.factors.len() != statistics.read(py)?.0.classes().len()
        || falling.shares.len() != rows.len()?
    {
        return unfit("factors");
    }
    Ok(falls(py, statistics, &falling, &rows, (false, threads))?.0)
}

/// How much Σ|w| of each class changes with each row, over the row's terms; against the class, or all.
#[pyfunction]
pub fn length_changes<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    of_class: bool,
    alpha: f64,
    documents: LabelledRows,
    slopes: Reals,
    threads: usize,
) -> PyResult<Column<'py>> {
    let statistics = &*statistics.read(py)?.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics.shape())?;
    let slopes = slopes.as_slice()?;
    if slopes.len() != documents.rows.len() * statistics.classes().len() {
        return unfit("slopes");
    }
    let comparison = if of_class { Comparison::Class } else { Comparison::All };
    let changes =
        detached(py, || scores::length_changes(statistics, (comparison, alpha), documents, slopes, threads))?;
    changes.into_array(py)
}

/// Means of some classes: tables of classes × terms, flat. `weights` is empty for 1; with `ratio` terms are
/// weighted by the ratio of the two means instead.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct MeanTables<'py> {
    terms: usize,
    uniform: Reals<'py>,
    by_length: Reals<'py>,
    fixed: Reals<'py>,
    weights: Reals<'py>,
    ratio: bool,
}

/// For each job, Σ over all terms of w · log(fixed / moving). A job is a row of the tables and the mixing of the moving mean:
/// uniform, by_length, floor.
#[pyfunction]
pub fn evidence_sums<'py>(
    py: Python<'py>,
    means: MeanTables,
    rows: Ints,
    mixing: (Reals, Reals, Reals),
    threads: usize,
) -> PyResult<Column<'py>> {
    let terms = means.terms;
    let (uniform, by_length) = (means.uniform.as_slice()?, means.by_length.as_slice()?);
    let (fixed, weights) = (means.fixed.as_slice()?, means.weights.as_slice()?);
    let rows = rows.as_slice()?;
    let factors = [mixing.0.as_slice()?, mixing.1.as_slice()?, mixing.2.as_slice()?];
    let cells = uniform.len();
    let known = rows.iter().all(|&row| row >= 0 && (row as usize + 1) * terms <= cells);
    let tables = by_length.len() == cells && fixed.len() == cells && [0, cells].contains(&weights.len());
    if !known || !tables || factors.iter().any(|column| column.len() != rows.len()) {
        return unfit("tables");
    }
    let mixings: Vec<Moving> = (0..rows.len())
        .map(|at| Moving {
            row: rows[at] as usize,
            uniform: factors[0][at],
            by_length: factors[1][at],
            floor: factors[2][at],
        })
        .collect();
    let means = Means { terms, uniform, by_length, fixed, weights, ratio: means.ratio };
    detached(py, || scores::evidence_sums(means, &mixings, threads))?.into_array(py)
}

/// The score of every row, class and smoothing by mixtures of one component, fitted without the row; `odds` are against
/// the rows without the class.
#[pyfunction]
pub fn mixture_loo_scores<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    documents: LabelledRows,
    settings: Vec<PyRef<'py, MixtureSettings>>,
    odds: bool,
    threads: usize,
) -> PyResult<Column<'py>> {
    let statistics = &*statistics.read(py)?.0;
    let values = documents.0.reals()?;
    let documents = checked(&documents, &values, statistics.shape())?;
    let smoothings: Vec<Smoothing> = settings.iter().map(|settings| settings.0.smoothing).collect();
    if smoothings.is_empty() || smoothings.contains(&Smoothing::None) {
        return Err(PyValueError::new_err("a row left out needs smoothing"));
    }
    let found = detached(py, || scores::mixture_scores(statistics, documents, &smoothings, odds, threads))?;
    found.into_array(py)
}
