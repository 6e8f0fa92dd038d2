//! Rows of counts in few bytes, for files.
//!
//! An entry is the distance of its column from the one before it in the row, minus 1 (the first: the column itself),
//! doubled, plus 1 if its count is not 1; that count follows. All numbers are variable-length. So columns rise
//! by construction. The index has two numbers a row: its entries, and its bytes beyond one for each entry.

use std::ops::Range;

use crate::memory;
use crate::threads::{available_threads, on_threads, split_evenly, take_front};
use crate::varint;

/// Packed rows.
#[derive(Debug, PartialEq, Eq)]
pub struct PackedRows {
    /// The number of entries and of further bytes of each row.
    pub index: Vec<u8>,
    /// The entries of all rows.
    pub entries: Vec<u8>,
}

/// Rows in compressed sparse row form.
#[derive(Debug, PartialEq, Eq)]
pub struct UnpackedRows {
    /// Where each row starts; one more than there are rows.
    pub starts: Vec<i64>,
    /// The column of each entry.
    pub columns: Vec<i32>,
    /// The count of each entry.
    pub counts: Vec<u32>,
}

/// The size of some packed rows that follow each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackedPart {
    /// The number of rows.
    pub rows: usize,
    /// The bytes of their index.
    pub index: usize,
    /// The bytes of their entries.
    pub entries: usize,
}

/// Pack rows; `None` unless the starts fit the entries and the columns of every row rise.
pub fn pack_rows(starts: &[i64], columns: &[i32], counts: &[u32]) -> Option<PackedRows> {
    let rows = starts.len().checked_sub(1)?;
    if counts.len() != columns.len() {
        return None;
    }
    let ranges = split_evenly(rows, columns.len(), available_threads());
    let parts = on_threads(ranges, |range| pack_range(&starts[range.start..=range.end], columns, counts));
    let mut packed = PackedRows { index: Vec::new(), entries: Vec::new() };
    for part in parts {
        let part = part?;
        memory::extend(&mut packed.index, part.index);
        memory::extend(&mut packed.entries, part.entries);
    }
    (starts[0] == 0 && starts[rows] == columns.len() as i64).then_some(packed)
}

fn pack_range(starts: &[i64], columns: &[i32], counts: &[u32]) -> Option<PackedRows> {
    let mut packed = PackedRows { index: Vec::new(), entries: Vec::new() };
    for ends in starts.windows(2) {
        let range = usize::try_from(ends[0]).ok()?..usize::try_from(ends[1]).ok()?;
        let (columns, counts) = (columns.get(range.clone())?, &counts[range]);
        let before = packed.entries.len();
        let mut next = 0;
        for (&column, &count) in columns.iter().zip(counts) {
            let distance = u64::try_from(i64::from(column) - next).ok()?;
            varint::push(&mut packed.entries, distance << 1 | u64::from(count != 1));
            if count != 1 {
                varint::push(&mut packed.entries, u64::from(count));
            }
            next = i64::from(column) + 1;
        }
        varint::push(&mut packed.index, columns.len() as u64);
        varint::push(&mut packed.index, (packed.entries.len() - before - columns.len()) as u64);
    }
    Some(packed)
}

/// Unpack `rows` rows; `None` unless the bytes are those of that many rows with columns below `width`.
pub fn unpack_rows(index: &[u8], entries: &[u8], rows: usize, width: usize) -> Option<UnpackedRows> {
    let (starts, bytes) = read_index(index, rows, entries.len())?;
    let total = starts[rows] as usize;
    let (mut columns, mut counts) = (memory::zeros(total), memory::zeros(total));
    let (mut columns_left, mut counts_left) = (&mut columns[..], &mut counts[..]);
    let parts = split_evenly(rows, total, available_threads()).into_iter().map(|range| {
        let size = (starts[range.end] - starts[range.start]) as usize;
        (range, take_front(&mut columns_left, size), take_front(&mut counts_left, size))
    });
    let done = on_threads(parts, |(range, columns, counts)| {
        unpack_range(range, &starts, &bytes, entries, width, (columns, counts))
    });
    done.into_iter().all(|part| part.is_some()).then_some(UnpackedRows { starts, columns, counts })
}

/// Where each row starts among the entries, and among their bytes.
fn read_index(index: &[u8], rows: usize, length: usize) -> Option<(Vec<i64>, Vec<usize>)> {
    // Two bytes a row at least, so that a forged number of rows cannot exhaust the memory.
    if rows > index.len() / 2 {
        return None;
    }
    let (mut starts, mut bytes) = (memory::with_capacity(rows + 1), memory::with_capacity(rows + 1));
    let (mut place, mut start, mut byte) = (0, 0_u64, 0_u64);
    memory::push(&mut starts, 0);
    memory::push(&mut bytes, 0);
    for _ in 0..rows {
        let own = varint::read(index, &mut place)?;
        start += own;
        byte += own + varint::read(index, &mut place)?;
        if byte > length as u64 {
            return None;
        }
        memory::push(&mut starts, start as i64);
        memory::push(&mut bytes, byte as usize);
    }
    (place == index.len() && byte == length as u64).then_some((starts, bytes))
}

/// Divide packed rows into parts that can be unpacked one at a time; `None` unless `index` is the index of rows.
///
/// A part ends with the row that brings it to `size`, where every row and every entry counts 1.
pub fn split_packed(index: &[u8], size: usize) -> Option<Vec<PackedPart>> {
    let (mut parts, mut part) = (Vec::new(), PackedPart::default());
    let (mut place, mut start, mut counted) = (0, 0, 0);
    while place < index.len() {
        let own = varint::read(index, &mut place)? as usize;
        let bytes = own.checked_add(varint::read(index, &mut place)? as usize)?;
        part = PackedPart {
            rows: part.rows + 1,
            index: place - start,
            entries: part.entries.checked_add(bytes)?,
        };
        counted += own + 1;
        if counted >= size {
            memory::push(&mut parts, std::mem::take(&mut part));
            (start, counted) = (place, 0);
        }
    }
    if part.rows > 0 {
        memory::push(&mut parts, part);
    }
    Some(parts)
}

fn unpack_range(
    rows: Range<usize>,
    starts: &[i64],
    bytes: &[usize],
    entries: &[u8],
    width: usize,
    (columns, counts): (&mut [i32], &mut [u32]),
) -> Option<()> {
    let width = width.min(i32::MAX as usize + 1) as u64;
    let (first, mut place) = (starts[rows.start], bytes[rows.start]);
    for row in rows {
        let own = (starts[row] - first) as usize..(starts[row + 1] - first) as usize;
        let row_bytes = &entries[..bytes[row + 1]];
        let mut next = 0;
        for (column, count) in columns[own.clone()].iter_mut().zip(&mut counts[own]) {
            let number = varint::read(row_bytes, &mut place)?;
            let found = next + (number >> 1);
            if found >= width {
                return None;
            }
            *column = found as i32;
            *count = match number & 1 {
                0 => 1,
                _ => u32::try_from(varint::read(row_bytes, &mut place)?).ok().filter(|&count| count != 1)?,
            };
            next = found + 1;
        }
        if place != bytes[row + 1] {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: i32 = i32::MAX;

    #[test]
    fn rows_come_back() {
        for (starts, columns, counts) in [
            (&[0][..], &[][..], &[][..]),
            (&[0, 0, 0], &[], &[]),
            (&[0, 3, 3, 5], &[0, 1, LAST, 7, 200], &[1, 0, u32::MAX, 1, 2]),
        ] {
            let packed = pack_rows(starts, columns, counts).expect("sound");
            let rows = unpack_rows(&packed.index, &packed.entries, starts.len() - 1, 1 << 31).expect("sound");
            assert_eq!((&*rows.starts, &*rows.columns, &*rows.counts), (starts, columns, counts));
        }
    }

    #[test]
    fn the_bytes_are_as_documented() {
        let packed = pack_rows(&[0, 2, 2, 3], &[3, 4, 100], &[1, 300, 1]).expect("sound");
        assert_eq!(packed.index, [2, 2, 0, 0, 1, 1]);
        assert_eq!(packed.entries, [6, 1, 0xac, 2, 0xc8, 1]);
    }

    #[test]
    fn many_rows_are_packed_in_parts() {
        let starts: Vec<i64> = (0..=40_000).map(|row| row * 2).collect();
        let columns: Vec<i32> = (0..40_000).flat_map(|row| [row % 300, 300 + row]).collect();
        let counts: Vec<u32> = (0..80_000).map(|entry| entry % 5).collect();
        let packed = pack_rows(&starts, &columns, &counts).expect("sound");
        let whole = pack_range(&starts, &columns, &counts).expect("sound");
        assert_eq!(packed, whole);
        let rows = unpack_rows(&packed.index, &packed.entries, 40_000, 40_300).expect("sound");
        assert_eq!(rows, UnpackedRows { starts, columns, counts });
        assert_eq!(unpack_rows(&packed.index, &packed.entries, 40_000, 40_299), None);
    }

    #[test]
    fn parts_are_unpacked_on_their_own() {
        let starts: Vec<i64> = (0..=1_000).map(|row| row / 10 * 200 + row % 10).collect();
        let columns: Vec<i32> = (0..starts[1_000] as i32).collect();
        let counts: Vec<u32> = (0..starts[1_000] as u32).map(|entry| entry % 3).collect();
        let packed = pack_rows(&starts, &columns, &counts).expect("sound");
        let parts = split_packed(&packed.index, 500).expect("sound");
        assert!(parts.len() > 20);
        let (mut row, mut index, mut entries) = (0, 0, 0);
        for part in parts {
            let own = unpack_rows(
                &packed.index[index..index + part.index],
                &packed.entries[entries..entries + part.entries],
                part.rows,
                columns.len(),
            )
            .expect("sound");
            let range = starts[row] as usize..starts[row + part.rows] as usize;
            assert!(own.columns.len() + part.rows <= 500 + 200);
            assert_eq!((&*own.columns, &*own.counts), (&columns[range.clone()], &counts[range]));
            (row, index, entries) = (row + part.rows, index + part.index, entries + part.entries);
        }
        assert_eq!((row, index, entries), (1_000, packed.index.len(), packed.entries.len()));
    }

    #[test]
    fn parts_of_odd_indices() {
        assert_eq!(split_packed(&[], 1), Some(vec![]));
        let empty = PackedPart { rows: 2, index: 4, entries: 0 };
        assert_eq!(split_packed(&[0, 0, 0, 0], 2), Some(vec![empty]));
        assert_eq!(split_packed(&[0, 0, 0], 2), None);
        assert_eq!(split_packed(&[0x80], 2), None);
    }

    #[test]
    fn rows_that_are_not_sound_are_not_packed() {
        for (starts, columns) in [
            (&[][..], &[][..]),
            (&[0, 2], &[1, 1]),
            (&[0, 2], &[2, 1]),
            (&[0, 1], &[-1]),
            (&[0, 2, 1, 2], &[0, 1]),
            (&[0, 1], &[0, 1]),
            (&[1, 2], &[0, 1]),
            (&[-1, 2], &[0, 1]),
            (&[0, 3], &[0, 1]),
        ] {
            assert_eq!(pack_rows(starts, columns, &vec![1; columns.len()]), None, "{starts:?} {columns:?}");
        }
        assert_eq!(pack_rows(&[0, 1], &[0], &[]), None);
    }

    #[test]
    fn other_bytes_are_refused() {
        for (index, entries) in [
            (&[1, 0][..], &[10][..]),                      // the column is 5
            (&[1, 0], &[]),                                // no entry
            (&[1], &[0]),                                  // half of the index
            (&[1, 0, 0], &[0]),                            // more than the index
            (&[1, 0], &[0, 0]),                            // more than the entries
            (&[1, 1], &[0, 0]),                            // more than the row
            (&[1, 1], &[1, 1]),                            // 1 as a count of its own
            (&[2, 0], &[8, 0]),                            // the second column is 5
            (&[1, 5], &[1, 0x80, 0x80, 0x80, 0x80, 0x10]), // a count of 2³²
            (&[0xff, 0xff, 0xff, 0xff, 0x7f, 0], &[0]),
        ] {
            assert_eq!(unpack_rows(index, entries, 1, 5), None, "{index:?} {entries:?}");
        }
        assert_eq!(unpack_rows(&[0, 0], &[], 2, 5), None);
        assert_eq!(unpack_rows(&[0, 0], &[], usize::MAX, 5), None);
    }
}
