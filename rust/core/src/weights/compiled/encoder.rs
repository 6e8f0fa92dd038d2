//! One term's row, from sums, fitted weights or an earlier row.

use super::row::{Cells, Damaged, Layout, MOST_FORMS, Row};
use super::table::{CompiledWeights, OVERLAY};
use super::tables::{LearnedTable, Live};
use super::writer::RowWriter;
use crate::memory;

/// Where the weights that do not come from sums are.
#[derive(Clone, Copy)]
pub enum Base<'a> {
    /// In tables of fitted weights.
    Fitted(&'a [&'a LearnedTable]),
    /// In compiled weights, with their changes.
    Compiled(&'a CompiledWeights),
}

/// What a row is made from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Forms, and the forms of tables.
    pub blend: &'a CompiledWeights,
    /// Weights that do not come from sums.
    pub base: Base<'a>,
    /// Columns, classes and sums; `None` for those of the compiled weights.
    pub live: Option<&'a Live>,
}

/// Writes rows, one term at a time. Stored and computed rows have one writer, so they have the same bytes.
pub struct Encoder<'a> {
    sources: Sources<'a>,
    writer: RowWriter<'a>,
    scored: Vec<bool>,
    cells: Vec<(u32, f64)>,
    defaults: Vec<f32>,
}

/// The cells of each table, of one row.
type TableCells<'a> = [Option<Cells<'a>>; MOST_FORMS];

impl<'a> Encoder<'a> {
    /// An encoder of rows of this layout.
    pub fn new(sources: Sources<'a>, layout: Layout) -> Self {
        let classes = sources.live.map_or(&*sources.blend.classes, |live| &*live.classes);
        Self {
            sources,
            writer: RowWriter::new(layout, &sources.blend.scales),
            scored: classes.scored(),
            cells: Vec::new(),
            defaults: memory::zeros(layout.defaults),
        }
    }

    /// The row of a column.
    pub fn encode(&mut self, column: usize) -> Result<&[u8], Damaged> {
        let Sources { blend, base, live } = self.sources;
        let (row, overlay) = match base {
            Base::Fitted(_) => (None, None),
            Base::Compiled(weights) => (weights.row(column)?, weights.overlay_row(column)?),
        };
        let (documents_with, forms) = match live {
            Some(live) => {
                (live.columns.documents_with(column), live.columns.forms_with(&blend.forms, column))
            }
            None => row.map_or((1.0, 0), |row| (row.documents_with, row.forms)),
        };
        if forms == 0 {
            return Ok(&[]);
        }
        let layout = blend.layout();
        let (own, changed) = (cells_by_table(row, &layout)?, cells_by_table(overlay, &OVERLAY)?);
        let from_sums = live.is_some_and(|live| !live.counted.is_empty());
        self.defaults.fill(0.0);
        if let Some(row) = row.filter(|_| !from_sums) {
            self.defaults.iter_mut().zip(row.defaults()).for_each(|(default, own)| *default = own);
        }
        for (table, &form) in blend.table_forms.iter().enumerate() {
            if forms >> form & 1 == 0 {
                continue;
            }
            self.cells.clear();
            let narrow = live.and_then(|live| live.columns.own_column(&blend.forms[form as usize], column));
            let is_counted = table < blend.counted;
            match (base, live, narrow) {
                (_, Some(live), Some(narrow)) if is_counted && from_sums => {
                    live.counted[table].append_cells(narrow, &self.scored, &mut self.cells);
                    live.counted[table].add_defaults(narrow, &mut self.defaults);
                }
                (Base::Fitted(learned), _, Some(narrow)) if !is_counted => {
                    learned[table - blend.counted].append_cells(narrow, &self.scored, &mut self.cells);
                }
                _ => {
                    let is_changed = overlay.is_some() && !is_counted;
                    let (cells, layout) =
                        if is_changed { (changed[table], &OVERLAY) } else { (own[table], &layout) };
                    if let Some(cells) = cells {
                        cells.append_to(layout, blend.scale(table), &mut self.cells)?;
                    }
                    self.cells.retain(|cell| self.scored.get(cell.0 as usize) == Some(&true));
                }
            }
            self.writer.add_table(table, &self.cells);
        }
        Ok(self.writer.finish(documents_with, forms, &self.defaults))
    }
}

fn cells_by_table<'a>(row: Option<Row<'a>>, layout: &Layout) -> Result<TableCells<'a>, Damaged> {
    let mut found = [None; MOST_FORMS];
    if let Some(row) = row {
        for (table, cells) in row.all_cells(layout)? {
            found[table] = Some(cells);
        }
    }
    Ok(found)
}
