//! Scores of rows by a Poisson model.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use textbayes_core::scores;
use textbayes_core::scores::Mixing;

use crate::arrays::IntoArray;
use crate::guard::detached;
use crate::rows::{Classes, Reals, Rows, copied, with_values};
use crate::statistics::Statistics;
use crate::terms::PoissonSums;
use crate::versioned::read;

/// For each class: uniform, by_length, floor.
type Mixings<'py> = (Reals<'py>, Reals<'py>, Reals<'py>);

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
        let (statistics, sums) = (statistics.read(py)?.0, read(py, &sums.0)?);
        let (classes, terms) = (statistics.classes().len(), statistics.terms().len());
        let mixing: Vec<_> = each_mixing(&own)?.into_iter().zip(each_mixing(&rest)?).collect();
        let order = copied(&order)?;
        if mixing.len() != classes || order.iter().any(|&class| class as usize >= classes) {
            return Err(PyValueError::new_err("the mixing or the order does not fit the statistics"));
        }
        let fit = sums.terms().len() == terms && sums.pairs().len() == statistics.pairs().classes().len();
        if !fit {
            return Err(PyValueError::new_err("the sums are of other statistics"));
        }
        let all = Mixing { uniform: all.0, by_length: all.1, floor: all.2 };
        let scorer =
            detached(py, || scores::PoissonScorer::new(statistics, sums, (&mixing, all), order, theta))?;
        Ok(Self { scorer, terms })
    }

    /// The scores of every row and class, row by row.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        rows: Rows,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        with_values!(rows, values => {
            let rows = rows.checked(values, self.terms)?;
            detached(py, || self.scorer.scores(rows, threads))?.into_array(py)
        })
    }
}

fn each_mixing((uniform, by_length, floor): &Mixings) -> PyResult<Vec<Mixing>> {
    let (uniform, by_length, floor) = (uniform.as_slice()?, by_length.as_slice()?, floor.as_slice()?);
    let parts = uniform.iter().zip(by_length).zip(floor);
    Ok(parts.map(|((&uniform, &by_length), &floor)| Mixing { uniform, by_length, floor }).collect())
}
