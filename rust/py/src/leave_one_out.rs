//! What changes in a row's scores when the row itself is taken out of the sums.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::scores::{Comparison, Falling, Means, Moving};

use crate::statistics::{Statistics, checked_labels, checked_rows, checked_weights};

type Ints<'py> = PyReadonlyArray1<'py, i64>;
type Columns<'py> = PyReadonlyArray1<'py, i32>;
type Classes<'py> = PyReadonlyArray1<'py, u32>;
type Reals<'py> = PyReadonlyArray1<'py, f64>;
type Column<'py> = Bound<'py, PyArray1<f64>>;

fn unfit<T>(what: &str) -> PyResult<T> {
    Err(PyValueError::new_err(format!("the {what} do not fit the rows or the statistics")))
}

/// For each model and label, what its class's own counts lose with the row.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn own_changes<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    starts: Ints,
    columns: Columns,
    values: Reals,
    label_starts: Ints,
    classes: Classes,
    weights: Option<Reals>,
    before: Reals,
    after: Reals,
    threads: usize,
) -> PyResult<Column<'py>> {
    let statistics = &statistics.0;
    let rows = checked_rows(&starts, &columns, &values, statistics.terms().len())?;
    let labels = checked_labels(&label_starts, &classes, rows.len(), statistics.classes().len())?;
    let weights = checked_weights(weights.as_ref(), rows.len())?;
    let (before, after) = (before.as_slice()?, after.as_slice()?);
    let models = before.len() / statistics.classes().len().max(1);
    if before.len() != models * statistics.classes().len() || after.len() != models * labels.classes.len() {
        return unfit("factors");
    }
    let changes =
        py.detach(|| scores::own_changes(statistics, rows, labels, weights, before, after, threads));
    Ok(changes.into_pyarray(py))
}

type FallColumns<'py> = (Column<'py>, Column<'py>, Column<'py>, Column<'py>);

fn falls<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    falling: &Falling,
    (starts, columns, values): (&Ints, &Columns, &Reals),
    weights: Option<&[f64]>,
    (plain, threads): (bool, usize),
) -> PyResult<FallColumns<'py>> {
    let statistics = &statistics.0;
    let rows = checked_rows(starts, columns, values, statistics.terms().len())?;
    let per_row = match falling {
        Falling::Complement(_) => weights,
        Falling::Factors(factors, _) if factors.len() != statistics.classes().len() => {
            return unfit("factors");
        }
        Falling::Factors(_, per_row) => Some(*per_row),
    };
    if per_row.is_some_and(|per_row| per_row.len() != rows.len()) {
        return unfit("weights");
    }
    let falls = py.detach(|| scores::other_changes(statistics, falling, rows, weights, plain, threads));
    Ok((
        falls.weighted.into_pyarray(py),
        falls.plain.into_pyarray(py),
        falls.lacking.into_pyarray(py),
        falls.plain_lacking.into_pyarray(py),
    ))
}

/// How much log(n_t − n_ct + alpha) falls with each row: weighted sums, plain ones, and of classes without.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows")]
pub fn complement_falls<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    alpha: f64,
    starts: Ints,
    columns: Columns,
    values: Reals,
    weights: Option<Reals>,
    plain: bool,
    threads: usize,
) -> PyResult<FallColumns<'py>> {
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let rows = (&starts, &columns, &values);
    falls(py, statistics, &Falling::Complement(alpha), rows, weights, (plain, threads))
}

/// How much log(1 + n_ct · factor_c) falls when the factors are (1 − h) times themselves, h by row.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows")]
pub fn factor_falls<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    factors: Reals,
    shares: Reals,
    starts: Ints,
    columns: Columns,
    values: Reals,
    threads: usize,
) -> PyResult<Column<'py>> {
    let falling = Falling::Factors(factors.as_slice()?, shares.as_slice()?);
    let rows = (&starts, &columns, &values);
    Ok(falls(py, statistics, &falling, rows, None, (false, threads))?.0)
}

/// How much Σ|w| of each class changes with each row, over the row's terms; against the class, or all.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "three arrays of rows, two of labels")]
pub fn length_changes<'py>(
    py: Python<'py>,
    statistics: &Statistics,
    of_class: bool,
    alpha: f64,
    starts: Ints,
    columns: Columns,
    values: Reals,
    label_starts: Ints,
    classes: Classes,
    weights: Option<Reals>,
    slopes: Reals,
    threads: usize,
) -> PyResult<Column<'py>> {
    let statistics = &statistics.0;
    let rows = checked_rows(&starts, &columns, &values, statistics.terms().len())?;
    let labels = checked_labels(&label_starts, &classes, rows.len(), statistics.classes().len())?;
    let weights = checked_weights(weights.as_ref(), rows.len())?;
    let slopes = slopes.as_slice()?;
    if slopes.len() != rows.len() * statistics.classes().len() {
        return unfit("slopes");
    }
    let comparison = if of_class { Comparison::Class } else { Comparison::All };
    let changes = py.detach(|| {
        scores::length_changes(statistics, (comparison, alpha), rows, labels, weights, slopes, threads)
    });
    Ok(changes.into_pyarray(py))
}

/// For each job, Σ over all terms of w · log(fixed / moving), the moving mean being mixed anew.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "four tables, four arrays of jobs")]
pub fn evidence_sums<'py>(
    py: Python<'py>,
    terms: usize,
    uniform: Reals,
    by_length: Reals,
    fixed: Reals,
    weights: Reals,
    ratio: bool,
    rows: Ints,
    uniform_factors: Reals,
    length_factors: Reals,
    floors: Reals,
    threads: usize,
) -> PyResult<Column<'py>> {
    let (uniform, by_length) = (uniform.as_slice()?, by_length.as_slice()?);
    let (fixed, weights) = (fixed.as_slice()?, weights.as_slice()?);
    let means = Means { terms, uniform, by_length, fixed, weights, ratio };
    let rows = rows.as_slice()?;
    let factors = (uniform_factors.as_slice()?, length_factors.as_slice()?, floors.as_slice()?);
    let cells = uniform.len();
    let known = rows.iter().all(|&row| row >= 0 && (row as usize + 1) * terms <= cells);
    let tables = by_length.len() == cells && fixed.len() == cells && [0, cells].contains(&weights.len());
    if !known || !tables || [factors.0, factors.1, factors.2].iter().any(|column| column.len() != rows.len())
    {
        return unfit("tables");
    }
    let mixings: Vec<Moving> = (0..rows.len())
        .map(|at| Moving {
            row: rows[at] as usize,
            uniform: factors.0[at],
            by_length: factors.1[at],
            floor: factors.2[at],
        })
        .collect();
    Ok(py.detach(|| scores::evidence_sums(means, &mixings, threads)).into_pyarray(py))
}
