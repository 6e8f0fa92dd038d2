//! Small changes of fitted weights, kept beside the compiled rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::row::{Damaged, Row};
use super::store::StoredRows;
use super::table::{CompiledWeights, OVERLAY};
use super::writer::RowWriter;
use crate::memory;
use crate::versioned::{Undoable, Versioned};

/// A change of one fitted table: values[t] · step is added to the cell of each term and (class, step). Classes rise.
#[derive(Debug)]
pub struct TableChange<'a> {
    /// The table.
    pub table: usize,
    /// A value for each column.
    pub values: &'a [f64],
    /// Classes and their steps.
    pub steps: Vec<(u32, f64)>,
}

/// Columns and their new rows.
type ChangedRows = BTreeMap<u32, Arc<[u8]>>;

/// Only changed rows change; all others are shared by copies.
impl Undoable for CompiledWeights {
    type Undo = Vec<(u32, Option<Arc<[u8]>>)>;

    fn weight(&self) -> usize {
        self.overlay.len()
    }

    fn undo_weight(undo: &Self::Undo) -> usize {
        undo.len()
    }

    fn undo(&mut self, undo: &Self::Undo) {
        for (column, row) in undo {
            match row {
                Some(row) => self.overlay.insert(*column, Arc::clone(row)),
                None => self.overlay.remove(column),
            };
        }
    }
}

impl Versioned<CompiledWeights> {
    /// Change the cells of fitted tables at some columns; if rows are damaged, nothing changes.
    pub fn add_outer(&self, columns: &[i32], changes: &[TableChange]) -> Result<(), Damaged> {
        let undo = |weights: &CompiledWeights, rows: &ChangedRows| {
            let before = |column: &u32| (*column, weights.overlay.get(column).cloned());
            Some(rows.keys().map(before).collect())
        };
        let plan = |weights: &CompiledWeights| weights.rows_with(columns, changes);
        self.change(plan, undo, |weights, mut rows| weights.overlay.append(&mut rows))
    }
}

impl CompiledWeights {
    /// Change the cells of fitted tables at some columns. Cells are rounded again; columns and classes may be new.
    pub fn add_outer(&mut self, columns: &[i32], changes: &[TableChange]) -> Result<(), Damaged> {
        let mut rows = self.rows_with(columns, changes)?;
        self.overlay.append(&mut rows);
        Ok(())
    }

    /// The rows that some columns have after a change of fitted tables.
    fn rows_with(&self, columns: &[i32], changes: &[TableChange]) -> Result<ChangedRows, Damaged> {
        let mut rows = ChangedRows::new();
        let mut cells = vec![Vec::new(); self.table_forms.len()];
        let mut writer = RowWriter::new(OVERLAY, &[]);
        let mut merged = Vec::new();
        for (at, &column) in columns.iter().enumerate() {
            self.read_fitted(column as usize, rows.get(&(column as u32)), &mut cells)?;
            for change in changes.iter().filter(|change| change.values[at] != 0.0) {
                merged.clear();
                add_steps(&cells[change.table], change.values[at], &change.steps, &mut merged);
                std::mem::swap(&mut cells[change.table], &mut merged);
            }
            cells.iter().enumerate().for_each(|(table, cells)| writer.add_table(table, cells));
            rows.insert(column as u32, writer.finish(1.0, 0, &[]).into());
        }
        Ok(rows)
    }

    /// The columns with changes, and their rows.
    pub fn changed_rows(&self) -> (Vec<u32>, StoredRows) {
        let (mut starts, mut bytes) = (vec![0], Vec::new());
        for row in self.overlay.values() {
            memory::append(&mut bytes, row);
            starts.push(bytes.len() as i64);
        }
        let rows = StoredRows { starts: starts.into(), bytes: bytes.into() };
        (self.overlay.keys().copied().collect(), rows)
    }

    /// Take changes from [`Self::changed_rows`]; false if columns and rows do not fit each other.
    pub fn set_changed_rows(&mut self, columns: &[u32], rows: &StoredRows) -> bool {
        let row = |(at, &column): (usize, &u32)| rows.get(at).map(|row| (column, Arc::from(row)));
        let found: Result<_, Damaged> = columns.iter().enumerate().map(row).collect();
        let fit = rows.are_sound() && rows.len() == columns.len();
        found.is_ok_and(|found| {
            self.overlay = found;
            fit
        })
    }

    /// The cells of a column in every fitted table: of its newest row, if it has one.
    fn read_fitted(
        &self,
        column: usize,
        newest: Option<&Arc<[u8]>>,
        cells: &mut [Vec<(u32, f64)>],
    ) -> Result<(), Damaged> {
        cells.iter_mut().for_each(Vec::clear);
        let changed = match newest {
            Some(bytes) => Row::read(bytes, &OVERLAY)?,
            None => self.overlay_row(column)?,
        };
        let (row, layout) = match changed {
            Some(row) => (Some(row), OVERLAY),
            None => (self.row(column)?, self.layout()),
        };
        let Some(row) = row else { return Ok(()) };
        for (table, own) in row.all_cells(&layout)? {
            // No table of a file is beyond the last one: rows of the overlay allow any.
            let Some(cells) = cells.get_mut(table) else { return Err(Damaged) };
            if table >= self.counted {
                own.append_to(&layout, self.scale(table), cells)?;
            }
        }
        Ok(())
    }
}

/// Cells plus value · steps, in the order of the classes.
fn add_steps(cells: &[(u32, f64)], value: f64, steps: &[(u32, f64)], sums: &mut Vec<(u32, f64)>) {
    let mut rest = cells.iter().copied().peekable();
    for &(class, step) in steps {
        while let Some(cell) = rest.next_if(|cell| cell.0 < class) {
            sums.push(cell);
        }
        let before = rest.next_if(|cell| cell.0 == class).map_or(0.0, |cell| cell.1);
        sums.push((class, before + value * step));
    }
    sums.extend(rest);
}
