//! The byte form of one term's weights in all tables of a blend.
//!
//! A row is empty when no form uses the term. Else it is, with numbers in little-endian order:
//!
//! - a varint: twice the document frequency when it is whole, or 1, followed by the frequency in 8 bytes;
//! - a varint: the forms that use the term, one bit each;
//! - a varint: the tables with cells, one bit each;
//! - a default of 4 bytes for each default column;
//! - for each of these tables a varint, 2n for n cells by class or 2n + 1 for cells of the first n classes; then the n
//!   classes, rising, of 1, 2 or 4 bytes (not in the second case), then the n values.
//!
//! A varint has seven bits in each byte, the lowest first; the highest bit is set in all bytes but the last.

use super::half::from_half;

/// The most forms, and the most tables, of a blend: one bit each.
pub const MOST_FORMS: usize = 32;

/// Bytes that are no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

/// How a value is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Precision {
    /// As a number of half precision.
    #[default]
    Half,
    /// As it is.
    Double,
    /// As a whole number from −127 to 127, times the scale of its table.
    Byte,
}

/// What all rows of a table have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Classes have numbers below this.
    pub slots: usize,
    /// How many forms there are.
    pub forms: usize,
    /// How many tables there are.
    pub tables: usize,
    /// How many default columns there are.
    pub defaults: usize,
    /// How values are written.
    pub precision: Precision,
}

impl Layout {
    /// How many bytes a class takes.
    #[inline]
    pub fn class_bytes(&self) -> usize {
        match self.slots {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        }
    }

    /// How many bytes a value takes.
    #[inline]
    pub fn value_bytes(&self) -> usize {
        match self.precision {
            Precision::Half => 2,
            Precision::Double => 8,
            Precision::Byte => 1,
        }
    }
}

/// A row, up to its cells.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The document frequency of the term.
    pub documents_with: f64,
    /// The forms that use the term.
    pub forms: u32,
    /// The tables with cells.
    pub tables: u32,
    /// The defaults.
    pub defaults: &'a [u8],
    /// The cells of the tables, one after another.
    pub cells: CellReader<'a>,
}

impl<'a> Row<'a> {
    /// Read a row; `None` if it is empty.
    #[inline(always)]
    pub fn read(bytes: &'a [u8], layout: &Layout) -> Result<Option<Self>, Damaged> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut rest = bytes;
        let documents = take_varint(&mut rest)?;
        let documents_with = match documents {
            1 => f64::from_le_bytes(*take_array(&mut rest)?),
            even if even & 1 == 0 => (even >> 1) as f64,
            _ => return Err(Damaged),
        };
        let (forms, tables) = (take_varint(&mut rest)?, take_varint(&mut rest)?);
        let known = forms >> layout.forms == 0 && tables >> layout.tables == 0;
        if !known || documents_with.is_nan() || documents_with <= 0.0 {
            return Err(Damaged);
        }
        let defaults = take(&mut rest, 4 * layout.defaults)?;
        let cells = CellReader { rest };
        Ok(Some(Self { documents_with, forms: forms as u32, tables: tables as u32, defaults, cells }))
    }

    /// The defaults, in order.
    #[inline]
    pub fn defaults(&self) -> impl Iterator<Item = f32> + 'a {
        self.defaults
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// The numbers of the tables with cells.
    #[inline]
    pub fn tables(&self) -> Bits {
        Bits(self.tables)
    }

    /// The cells of every table with cells.
    pub fn all_cells(&self, layout: &Layout) -> Result<Vec<(usize, Cells<'a>)>, Damaged> {
        let mut cells = self.cells;
        let found: Result<Vec<_>, _> =
            self.tables().map(|table| cells.take(layout).map(|cells| (table, cells))).collect();
        found.and_then(|found| if cells.rest.is_empty() { Ok(found) } else { Err(Damaged) })
    }
}

/// The places of the bits that are set, from the lowest.
#[derive(Debug, Clone, Copy)]
pub struct Bits(pub u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let place = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (place < u32::BITS).then_some(place as usize)
    }
}

/// The rest of a row, from the cells of some table on.
#[derive(Debug, Clone, Copy)]
pub struct CellReader<'a> {
    rest: &'a [u8],
}

impl<'a> CellReader<'a> {
    /// The cells of the next table.
    #[inline(always)]
    pub fn take(&mut self, layout: &Layout) -> Result<Cells<'a>, Damaged> {
        let head = take_varint(&mut self.rest)?;
        let count = (head >> 1) as usize;
        // No more than there are classes; products of the count are then small.
        if count > layout.slots {
            return Err(Damaged);
        }
        let is_dense = head & 1 == 1;
        let classes = if is_dense { &[] } else { take(&mut self.rest, count * layout.class_bytes())? };
        let values = take(&mut self.rest, count * layout.value_bytes())?;
        Ok(Cells { is_dense, classes, values })
    }
}

/// The cells of a term in one table.
#[derive(Debug, Clone, Copy)]
pub struct Cells<'a> {
    /// True when these are the first classes, without their numbers.
    pub is_dense: bool,
    /// The classes, unless dense.
    pub classes: &'a [u8],
    /// The values.
    pub values: &'a [u8],
}

impl Cells<'_> {
    /// Append (class, value) pairs that are not 0, with the scale of the table for bytes.
    pub fn append_to(&self, layout: &Layout, scale: f64, pairs: &mut Vec<(u32, f64)>) -> Result<(), Damaged> {
        let first = pairs.len();
        let value = |bytes: &[u8]| match *bytes {
            [low, high] => f64::from(from_half(u16::from_le_bytes([low, high]))),
            [byte] => f64::from(byte as i8) * scale,
            _ => bytes.try_into().map_or(0.0, f64::from_le_bytes),
        };
        let class = |bytes: &[u8]| bytes.iter().rev().fold(0, |class, &byte| class << 8 | u32::from(byte));
        let values = self.values.chunks_exact(layout.value_bytes()).map(value);
        if self.is_dense {
            pairs.extend((0..).zip(values));
        } else {
            pairs.extend(self.classes.chunks_exact(layout.class_bytes()).map(class).zip(values));
        }
        let own = &pairs[first..];
        let sound = own.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && own.last().is_none_or(|last| (last.0 as usize) < layout.slots);
        let mut at = 0;
        pairs.retain(|pair| {
            at += 1;
            at <= first || pair.1 != 0.0
        });
        if sound { Ok(()) } else { Err(Damaged) }
    }
}

#[inline(always)]
fn take_varint(bytes: &mut &[u8]) -> Result<u64, Damaged> {
    let (&first, rest) = bytes.split_first().ok_or(Damaged)?;
    *bytes = rest;
    if first < 0x80 {
        return Ok(first.into());
    }
    take_long_varint(bytes, first)
}

fn take_long_varint(bytes: &mut &[u8], first: u8) -> Result<u64, Damaged> {
    let mut value = u64::from(first & 0x7f);
    for shift in (7..63).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Damaged)?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Damaged)
}

#[inline(always)]
fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Damaged> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(Damaged)?;
    *bytes = rest;
    Ok(taken)
}

fn take_array<'a, const N: usize>(bytes: &mut &'a [u8]) -> Result<&'a [u8; N], Damaged> {
    let (taken, rest) = bytes.split_first_chunk().ok_or(Damaged)?;
    *bytes = rest;
    Ok(taken)
}
