//! Cells times values, added to the sums of their classes.

use crate::scores::vectors::with_vectors;
use crate::weights::compiled::{Cells, Damaged, Form, Layout, Measures, Precision, Row, from_half};

/// An entry of a row whose weights were found.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    /// Its place in the row.
    pub place: usize,
    /// What its values are made of.
    pub measures: Measures,
    /// The weights of its term.
    pub weights: Row<'a>,
}

impl Entry<'_> {
    /// The value in a form, before the row is divided by its length; 0 if the form does not use the term.
    #[inline]
    pub fn value(&self, forms: &[Form], form: usize) -> f64 {
        if self.weights.forms >> form & 1 == 1 { forms[form].value(&self.measures) } else { 0.0 }
    }
}

/// What the entries of a row have in common.
#[derive(Clone, Copy)]
pub struct RowFactors<'a> {
    /// The layout of the entries' cells.
    pub layout: Layout,
    /// The form of each table.
    pub forms: &'a [Form],
    /// The row's factor in each table.
    pub factors: &'a [f64],
}

/// Add the cells of all entries, entry by entry, table by table.
pub fn add_entries(entries: &[Entry], row: RowFactors, sums: &mut [f64]) -> Result<(), Damaged> {
    let mut sound = true;
    add_quickly(entries, row, sums, &mut sound);
    if sound { Ok(()) } else { Err(Damaged) }
}

fn add_quickly(entries: &[Entry], row: RowFactors, sums: &mut [f64], sound: &mut bool) {
    with_vectors!(add_all(entries: &[Entry], row: RowFactors, sums: &mut [f64], sound: &mut bool))
}

#[inline(always)]
fn add_all(entries: &[Entry], row: RowFactors, sums: &mut [f64], sound: &mut bool) {
    // A loop, not an iterator's method: that would be compiled once, without vectors.
    for entry in entries {
        *sound &= add_entry(entry, &row, sums).is_ok();
    }
}

#[inline(always)]
fn add_entry(entry: &Entry, row: &RowFactors, sums: &mut [f64]) -> Result<(), Damaged> {
    let (mut tables, mut cells) = (entry.weights.tables, entry.weights.cells);
    while tables != 0 {
        let table = tables.trailing_zeros() as usize;
        tables &= tables - 1;
        let own = cells.take(&row.layout)?;
        let factor = row.factors[table] * row.forms[table].value(&entry.measures);
        add_cells(own, &row.layout, factor, sums)?;
    }
    Ok(())
}

#[inline(always)]
fn add_cells(cells: Cells, layout: &Layout, factor: f64, sums: &mut [f64]) -> Result<(), Damaged> {
    match (cells.is_dense, layout.precision, layout.class_bytes()) {
        (true, Precision::Half, _) => {
            for (sum, value) in sums.iter_mut().zip(cells.values.chunks_exact(2)) {
                *sum += factor * half(value);
            }
        }
        (true, Precision::Byte, _) => {
            for (sum, &value) in sums.iter_mut().zip(cells.values) {
                *sum += factor * f64::from(value as i8);
            }
        }
        (true, Precision::Double, _) => {
            let values = cells.values.chunks_exact(8).map(double);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
        }
        (_, Precision::Double, bytes) => return scatter(cells, bytes, 8, factor, sums),
        (_, Precision::Half, 1) => return scatter(cells, 1, 2, factor, sums),
        (_, Precision::Half, 2) => return scatter(cells, 2, 2, factor, sums),
        (_, Precision::Half, _) => return scatter(cells, 4, 2, factor, sums),
        (_, Precision::Byte, 1) => return scatter(cells, 1, 1, factor, sums),
        (_, Precision::Byte, 2) => return scatter(cells, 2, 1, factor, sums),
        (_, Precision::Byte, _) => return scatter(cells, 4, 1, factor, sums),
    }
    Ok(())
}

/// Add to the sums of the classes named, which must rise.
#[inline(always)]
fn scatter(
    cells: Cells,
    class_bytes: usize,
    value_bytes: usize,
    factor: f64,
    sums: &mut [f64],
) -> Result<(), Damaged> {
    let mut next = 0;
    let classes = cells.classes.chunks_exact(class_bytes);
    for (class, value) in classes.zip(cells.values.chunks_exact(value_bytes)) {
        let class = class_of(class);
        let value = match value_bytes {
            2 => half(value),
            8 => double(value),
            _ => f64::from(value[0] as i8),
        };
        match sums.get_mut(class) {
            Some(sum) if class >= next => *sum += factor * value,
            _ => return Err(Damaged),
        }
        next = class + 1;
    }
    Ok(())
}

#[inline(always)]
fn class_of(bytes: &[u8]) -> usize {
    match *bytes {
        [class] => class.into(),
        [low, high] => u16::from_le_bytes([low, high]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as usize,
        _ => usize::MAX,
    }
}

#[inline(always)]
fn half(bytes: &[u8]) -> f64 {
    f64::from(from_half(u16::from_le_bytes([bytes[0], bytes[1]])))
}

#[inline(always)]
fn double(bytes: &[u8]) -> f64 {
    bytes.try_into().map_or(0.0, f64::from_le_bytes)
}
