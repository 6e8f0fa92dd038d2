//! Smaller tables: fewer columns, fewer cells, fewer bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::encoder::{Base, Encoder, Sources};
use super::form::Measuring;
use super::row::{Damaged, Layout, Precision, Row};
use super::table::{CompiledWeights, collect_rows, join_rows};
use super::writer::RowWriter;
use crate::memory;

/// The largest whole number of a value of one byte.
const LARGEST_BYTE: f64 = 127.0;

/// What is kept of a table.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// The columns, in their new order.
    pub columns: &'a [u32],
    /// For each table, cells of a smaller size are dropped; empty to keep all.
    pub least: &'a [f32],
    /// How values are written.
    pub precision: Precision,
}

impl CompiledWeights {
    /// The weights of some columns, with changes merged.
    pub fn select(&self, selection: Selection) -> Result<Self, Damaged> {
        let layout = self.layout();
        let mut encoder = self.merging_encoder(layout);
        let scales = match selection.precision {
            Precision::Half | Precision::Double => Vec::new(),
            Precision::Byte => self.byte_scales(selection.columns, &mut encoder)?,
        };
        let mut writer = RowWriter::new(Layout { precision: selection.precision, ..layout }, &scales);
        let mut cells = Vec::new();
        let collected = collect_rows(0..selection.columns.len(), |at, store| {
            let Some(row) = Row::read(encoder.encode(selection.columns[at] as usize)?, &layout)? else {
                return Ok(store.insert(&[]));
            };
            for (table, own) in row.all_cells(&layout)? {
                cells.clear();
                own.append_to(&layout, self.scale(table), &mut cells)?;
                let least = selection.least.get(table).map_or(0.0, |&least| f64::from(least));
                cells.retain(|cell| cell.1.abs() >= least);
                writer.add_table(table, &cells);
            }
            let defaults: Vec<f32> = row.defaults().collect();
            Ok(store.insert(writer.finish(row.documents_with, row.forms, &defaults)))
        });
        let (row_of, rows) = join_rows([collected])?;
        Ok(Self {
            forms: self.forms.clone(),
            classes: Arc::clone(&self.classes),
            table_forms: self.table_forms.clone(),
            default_forms: self.default_forms.clone(),
            overlay: BTreeMap::new(),
            precision: selection.precision,
            scales,
            row_of,
            rows,
            ..*self
        })
    }

    /// For each column, how much it moves scores apart: Σ_r scale_r² · df · Var_c(cell_rc · idf_r).
    ///
    /// The variance is over the classes that are scored, where a cell that is absent is 0; idf_r is that of the table's
    /// form. Rows with the same bytes are computed once.
    pub fn importance(&self, scales: &[f64]) -> Result<Vec<f64>, Damaged> {
        let layout = self.layout();
        let mut encoder = self.merging_encoder(layout);
        let of_rows: Result<Vec<f64>, Damaged> =
            (0..self.rows.len()).map(|row| self.row_importance(self.rows.get(row)?, scales)).collect();
        let of_rows = of_rows?;
        let one = |column: usize| {
            if self.overlay.contains_key(&(column as u32)) {
                return self.row_importance(encoder.encode(column)?, scales);
            }
            of_rows.get(self.row_of[column] as usize).copied().ok_or(Damaged)
        };
        memory::try_collected((0..self.width()).map(one))
    }

    fn row_importance(&self, row: &[u8], scales: &[f64]) -> Result<f64, Damaged> {
        let layout = self.layout();
        let Some(row) = Row::read(row, &layout)? else { return Ok(0.0) };
        let idf = Measuring::new(&self.forms, self.documents).idf(row.documents_with);
        let (mut cells, mut sum) = (Vec::new(), 0.0);
        for (table, own) in row.all_cells(&layout)? {
            cells.clear();
            own.append_to(&layout, self.scale(table), &mut cells)?;
            let form = &self.forms[self.table_forms[table] as usize];
            let factor = scales[table] * idf[form.idf as usize];
            sum += factor * factor * variance(&cells, self.classes.len());
        }
        Ok(row.documents_with * sum)
    }

    /// For each table, what makes its largest cell the largest byte.
    fn byte_scales(&self, columns: &[u32], encoder: &mut Encoder) -> Result<Vec<f32>, Damaged> {
        let layout = self.layout();
        let (mut cells, mut largest) = (Vec::new(), memory::zeros::<f64>(self.table_forms.len()));
        for &column in columns {
            let Some(row) = Row::read(encoder.encode(column as usize)?, &layout)? else { continue };
            for (table, own) in row.all_cells(&layout)? {
                cells.clear();
                own.append_to(&layout, self.scale(table), &mut cells)?;
                largest[table] = cells.iter().fold(largest[table], |most, cell| most.max(cell.1.abs()));
            }
        }
        let scale = |most: f64| if most > 0.0 { (most / LARGEST_BYTE) as f32 } else { 1.0 };
        Ok(largest.into_iter().map(scale).collect())
    }

    /// Rows with changes merged.
    fn merging_encoder(&self, layout: Layout) -> Encoder<'_> {
        Encoder::new(Sources { blend: self, base: Base::Compiled(self), live: None }, layout)
    }
}

/// The variance over `classes` values, of which only those that are not 0 are given.
fn variance(cells: &[(u32, f64)], classes: usize) -> f64 {
    let count = classes.max(1) as f64;
    let mean = cells.iter().map(|cell| cell.1).sum::<f64>() / count;
    let absent = count - cells.len() as f64;
    let squares: f64 = cells.iter().map(|cell| (cell.1 - mean) * (cell.1 - mean)).sum();
    (squares + absent * mean * mean) / count
}
