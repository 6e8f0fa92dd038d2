//! Rows of counts beside the weights of their terms.

use super::adding::{Entry, RowFactors};
use crate::memory;
use crate::statistics::Value;
use crate::weights::compiled::{Bits, Damaged, Encoder, Form, Layout, Measuring, Row};

/// The entries of a row with their weights, and the row's factor and sum in each form.
pub struct ReadRow<'a> {
    /// Entries of terms that some form uses.
    pub entries: Vec<Entry<'a>>,
    /// The factor of the row in each form.
    pub factors: Vec<f64>,
    /// The sum of the row in each form, before it is divided by its length.
    pub sums: Vec<f64>,
    squares: Vec<f64>,
    bytes: Vec<&'a [u8]>,
}

impl<'a> ReadRow<'a> {
    /// Buffers for rows in `forms` forms.
    pub fn new(forms: usize) -> Self {
        let zeros = memory::zeros(forms);
        Self {
            entries: Vec::new(),
            factors: zeros.clone(),
            sums: zeros.clone(),
            squares: zeros,
            bytes: Vec::new(),
        }
    }

    /// Read a row; `find` appends the weights of its columns.
    pub fn read<V: Value>(
        &mut self,
        (columns, values): (&[i32], &[V]),
        reader: &RowReader<'a>,
        find: impl FnOnce(&[i32], &mut Vec<&'a [u8]>) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        self.bytes.clear();
        find(columns, &mut self.bytes)?;
        fetch(&self.bytes);
        self.entries.clear();
        self.sums.fill(0.0);
        self.squares.fill(0.0);
        for (place, (bytes, &value)) in self.bytes.iter().zip(values).enumerate() {
            let Some(weights) = Row::read(bytes, &reader.layout)? else { continue };
            let measures = reader.measuring.measure(value.real(), weights.documents_with);
            for form in Bits(weights.forms) {
                let value = reader.forms[form].value(&measures);
                self.sums[form] += value;
                self.squares[form] += value * value;
            }
            self.entries.push(Entry { place, measures, weights });
        }
        for (number, form) in reader.forms.iter().enumerate() {
            self.factors[number] = form.factor(self.sums[number], self.squares[number]);
        }
        Ok(())
    }
}

/// Load rows into the cache of the processor, many at a time: most of the time to score a row is waiting for memory.
fn fetch(rows: &[&[u8]]) {
    const LINE: usize = 64;
    let mut seen = 0;
    for row in rows {
        for line in row.chunks(LINE) {
            seen ^= line[0];
        }
    }
    std::hint::black_box(seen);
}

/// What is needed to read a row.
pub struct RowReader<'a> {
    /// The forms.
    pub forms: &'a [Form],
    /// The layout of the weights.
    pub layout: Layout,
    /// What the forms need.
    pub measuring: Measuring,
}

/// Buffers for the work on one row, reused for the next.
pub struct Scratch<'a> {
    /// The row.
    pub row: ReadRow<'a>,
    /// For rows that are computed.
    pub encoder: Encoder<'a>,
    /// The form of each table.
    table_forms: Vec<Form>,
    /// The row's factor in each table.
    pub factors: Vec<f64>,
    /// A sum for each class, by its number.
    pub sums: Vec<f64>,
}

impl<'a> Scratch<'a> {
    /// For tables of these forms.
    pub fn new(reader: &RowReader<'a>, table_forms: &[u32], encoder: Encoder<'a>) -> Self {
        Self {
            row: ReadRow::new(reader.forms.len()),
            encoder,
            table_forms: table_forms.iter().map(|&form| reader.forms[form as usize]).collect(),
            factors: memory::zeros(table_forms.len()),
            sums: memory::zeros(reader.layout.slots),
        }
    }

    /// Add the cells of all entries to the sums.
    pub fn add_cells(&mut self, layout: Layout) -> Result<(), Damaged> {
        let row = RowFactors { layout, forms: &self.table_forms, factors: &self.factors };
        super::adding::add_entries(&self.row.entries, row, &mut self.sums)
    }

    /// Set the sums to the cells of one entry.
    pub fn set_to_entry(&mut self, entry: usize, layout: Layout) -> Result<(), Damaged> {
        self.sums.fill(0.0);
        let row = RowFactors { layout, forms: &self.table_forms, factors: &self.factors };
        super::adding::add_entries(&self.row.entries[entry..=entry], row, &mut self.sums)
    }
}
