//! Writing of rows: see [`super::row`] for their form.

use super::half::to_half;
use super::row::{Layout, Precision};

/// Whole document frequencies below this are written as varints.
const MOST_WHOLE: f64 = (1_u64 << 52) as f64;

/// A row that is being written.
#[derive(Debug)]
pub struct RowWriter<'a> {
    layout: Layout,
    /// Of each table, for bytes.
    scales: &'a [f32],
    tables: u32,
    cells: Vec<u8>,
    row: Vec<u8>,
    kept: Vec<(u32, u64)>,
}

impl<'a> RowWriter<'a> {
    /// For rows of this layout.
    pub fn new(layout: Layout, scales: &'a [f32]) -> Self {
        Self { layout, scales, tables: 0, cells: Vec::new(), row: Vec::new(), kept: Vec::new() }
    }

    /// Add the cells of a table, which come after those of lower numbers. Classes rise; values are rounded.
    pub fn add_table(&mut self, table: usize, pairs: &[(u32, f64)]) {
        let precision = self.layout.precision;
        let scale = self.scales.get(table).map_or(1.0, |&scale| f64::from(scale));
        let rounded = |value: f64| match precision {
            Precision::Half => u64::from(to_half(value)),
            Precision::Double => value.to_bits(),
            Precision::Byte => {
                u64::from(((value / scale).round_ties_even().clamp(-127.0, 127.0) as i8) as u8)
            }
        };
        // All bits of a number that may be −0, but its sign.
        let magnitude = match precision {
            Precision::Half => 0x7fff,
            Precision::Double => u64::MAX >> 1,
            Precision::Byte => 0xff,
        };
        self.kept.clear();
        self.kept.extend(
            pairs
                .iter()
                .map(|&(class, value)| (class, rounded(value)))
                .filter(|(_, bits)| bits & magnitude != 0),
        );
        if self.kept.is_empty() {
            return;
        }
        self.tables |= 1 << table;
        let (class_bytes, value_bytes) = (self.layout.class_bytes(), self.layout.value_bytes());
        let (count, slots) = (self.kept.len(), self.layout.slots);
        if slots * value_bytes <= count * (class_bytes + value_bytes) {
            push_varint(&mut self.cells, slots as u64 * 2 + 1);
            let start = self.cells.len();
            self.cells.resize(start + slots * value_bytes, 0);
            for &(class, bits) in &self.kept {
                let at = start + class as usize * value_bytes;
                self.cells[at..at + value_bytes].copy_from_slice(&bits.to_le_bytes()[..value_bytes]);
            }
            return;
        }
        push_varint(&mut self.cells, count as u64 * 2);
        for (class, _) in &self.kept {
            self.cells.extend_from_slice(&class.to_le_bytes()[..class_bytes]);
        }
        for (_, bits) in &self.kept {
            self.cells.extend_from_slice(&bits.to_le_bytes()[..value_bytes]);
        }
    }

    /// Finish a row and start the next.
    pub fn finish(&mut self, documents_with: f64, forms: u32, defaults: &[f32]) -> &[u8] {
        self.row.clear();
        if documents_with.fract() == 0.0 && documents_with < MOST_WHOLE {
            push_varint(&mut self.row, documents_with as u64 * 2);
        } else {
            push_varint(&mut self.row, 1);
            self.row.extend_from_slice(&documents_with.to_le_bytes());
        }
        push_varint(&mut self.row, forms.into());
        push_varint(&mut self.row, self.tables.into());
        for default in defaults {
            self.row.extend_from_slice(&default.to_le_bytes());
        }
        self.row.append(&mut self.cells);
        self.tables = 0;
        &self.row
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::compiled::row::{Cells, Damaged, Row};

    fn layout(slots: usize, precision: Precision) -> Layout {
        Layout { slots, forms: 3, tables: 3, defaults: 1, precision }
    }

    fn cells_of(bytes: &[u8], layout: &Layout, scale: f64) -> Vec<(usize, Vec<(u32, f64)>)> {
        let row = Row::read(bytes, layout).expect("sound").expect("in use");
        let tables = row.all_cells(layout).expect("sound");
        let pairs = |cells: Cells| {
            let mut pairs = vec![];
            cells.append_to(layout, scale, &mut pairs).expect("sound");
            pairs
        };
        tables.into_iter().map(|(table, cells)| (table, pairs(cells))).collect()
    }

    #[test]
    fn rows_are_read_as_written() {
        for slots in [3, 256, 257, 70_000] {
            for precision in [Precision::Half, Precision::Byte] {
                let layout = layout(slots, precision);
                let dense: Vec<(u32, f64)> = (0..slots as u32).map(|class| (class, 0.5)).collect();
                let sparse = vec![(0, -1.5), (slots as u32 - 1, 2.0)];
                for documents_with in [1.0, 300.0, 2.5, 1e300] {
                    let mut writer = RowWriter::new(layout, &[0.5; 3]);
                    writer.add_table(0, &dense);
                    writer.add_table(1, &[(1, 1e-9), (2, 0.0)]);
                    writer.add_table(2, &sparse);
                    let bytes = writer.finish(documents_with, 5, &[0.25]).to_vec();
                    let row = Row::read(&bytes, &layout).expect("sound").expect("in use");
                    assert_eq!((row.documents_with, row.forms, row.tables), (documents_with, 5, 5));
                    assert_eq!(row.defaults().collect::<Vec<_>>(), [0.25]);
                    assert_eq!(cells_of(&bytes, &layout, 0.5), [(0, dense.clone()), (2, sparse.clone())]);
                    // The next row starts empty.
                    assert_eq!(writer.finish(1.0, 1, &[0.0]), [2, 1, 0, 0, 0, 0, 0]);
                }
            }
        }
    }

    #[test]
    fn the_smaller_form_is_written() {
        let layout = layout(20, Precision::Half);
        let size = |count: u32| {
            let mut writer = RowWriter::new(layout, &[]);
            writer.add_table(0, &(0..count).map(|class| (class, 1.0)).collect::<Vec<_>>());
            writer.finish(1.0, 1, &[0.0]).len() - 7
        };
        assert_eq!([size(1), size(13), size(14), size(20)], [4, 40, 41, 41]);
    }

    #[test]
    fn no_bytes_are_read_out_of_bounds() {
        for slots in [3, 300] {
            let layout = layout(slots, Precision::Half);
            let mut writer = RowWriter::new(layout, &[]);
            writer.add_table(0, &[(0, 1.0), (1, 1.0), (2, 1.0)]);
            writer.add_table(2, &[(1, 1.0)]);
            let bytes = writer.finish(2.5, 7, &[1.0]).to_vec();
            let read = |bytes: &[u8]| -> Result<(), Damaged> {
                let Some(row) = Row::read(bytes, &layout)? else { return Ok(()) };
                for (_, cells) in row.all_cells(&layout)? {
                    cells.append_to(&layout, 1.0, &mut vec![])?;
                }
                Ok(())
            };
            assert_eq!(read(&bytes), Ok(()));
            for length in 1..bytes.len() {
                assert_eq!(read(&bytes[..length]), Err(Damaged));
            }
            for place in 0..bytes.len() {
                for change in 1..=255 {
                    let mut other = bytes.clone();
                    other[place] ^= change;
                    let _ = read(&other);
                }
            }
            assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Damaged));
        }
    }

    #[test]
    fn rows_with_unknown_parts_are_damaged() {
        let layout = layout(3, Precision::Half);
        let damaged: [&[u8]; 8] = [
            &[0, 1, 0, 0, 0, 0, 0],                                        // in no document
            &[3, 1, 0, 0, 0, 0, 0],                                        // no frequency
            &[1, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f, 1, 0, 0, 0, 0, 0],          // NaN
            &[2, 8, 0, 0, 0, 0, 0],                                        // a fourth form
            &[2, 1, 8, 0, 0, 0, 0],                                        // a fourth table
            &[2, 1, 1, 0, 0, 0, 0, 8, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0], // four cells
            &[2, 1, 1, 0, 0, 0, 0, 2, 3, 0, 60],                           // a fourth class
            &[2, 1, 1, 0, 0, 0, 0, 4, 1, 1, 0, 60, 0, 60],                 // a class twice
        ];
        for bytes in damaged {
            let read = Row::read(bytes, &layout).and_then(|row| {
                let row = row.ok_or(Damaged)?;
                let mut pairs = vec![];
                row.all_cells(&layout)?
                    .iter()
                    .try_for_each(|(_, cells)| cells.append_to(&layout, 1.0, &mut pairs))
            });
            assert_eq!(read, Err(Damaged));
        }
        assert!(matches!(Row::read(&[], &layout), Ok(None)));
        assert!(matches!(Row::read(&[0xff; 12], &layout), Err(Damaged)));
    }
}
