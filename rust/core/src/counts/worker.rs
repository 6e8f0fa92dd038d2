//! One thread's share of the counting: its own tokens, its own rows.

use super::columns::Columns;
use super::table::TokenTable;
use crate::memory;
use crate::text::{CHARACTERS_MARK, Kind, Rules, Scratch};

/// The bit that tells the numbers of characters from those of tokens.
const CHARACTERS: u32 = 1 << 31;

/// Rows of (number, count) pairs over the worker's own numbering, packed as number << 32 | count.
pub struct Worker {
    tokens: TokenTable,
    /// Characters beside words, in a table of their own: words stay together, and no byte is copied.
    characters: TokenTable,
    entries: Vec<u64>,
    row_ends: Vec<usize>,
    scratch: Scratch,
}

/// The column and the count of a packed entry.
#[inline]
pub fn unpack(entry: u64) -> (u32, u32) {
    ((entry >> 32) as u32, entry as u32)
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            tokens: TokenTable::default(),
            characters: TokenTable::with_prefix(CHARACTERS_MARK),
            entries: Vec::new(),
            row_ends: Vec::new(),
            scratch: Scratch::default(),
        }
    }
}

impl Worker {
    /// Count one text as the next row.
    pub fn count(&mut self, rules: &Rules, text: &str) {
        let Self { tokens, characters, entries, row_ends, scratch } = self;
        let row = row_ends.len() as u32;
        let start = entries.len();
        rules.each_batch(text, scratch, |kind, buffer, batch| {
            let (table, bit) = match kind {
                Kind::Token => (&mut *tokens, 0),
                Kind::Characters => (&mut *characters, CHARACTERS),
            };
            table.visit(buffer, batch, |number, record| {
                if record.row == row {
                    entries[start + record.place as usize] += 1;
                } else {
                    record.row = row;
                    record.place = (entries.len() - start) as u32;
                    memory::push(entries, u64::from(number | bit) << 32 | 1);
                }
            });
        });
        memory::push(row_ends, entries.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.row_ends.len()
    }

    /// The worker's distinct tokens.
    pub fn tokens(&self) -> &TokenTable {
        &self.tokens
    }

    /// The worker's distinct character n-grams beside words.
    pub fn characters(&self) -> &TokenTable {
        &self.characters
    }

    /// Put columns in place of the worker's own numbers; sort each row, and add up the entries of one column.
    ///
    /// `column_of` has an entry for each token, then one for each character n-gram; `None` leaves it out.
    pub fn rename(&mut self, column_of: &[Option<u32>]) {
        let tokens = self.tokens.len();
        let place = |number: u32| match number & CHARACTERS {
            0 => number as usize,
            _ => tokens + (number ^ CHARACTERS) as usize,
        };
        self.rewrite_rows(|row, kept| {
            kept.extend(row.iter().filter_map(|&entry| {
                let (number, count) = unpack(entry);
                column_of[place(number)].map(|column| u64::from(column) << 32 | u64::from(count))
            }));
            kept.sort_unstable();
            add_neighbours(kept);
        });
        self.tokens = TokenTable::default();
        self.characters = TokenTable::with_prefix(CHARACTERS_MARK);
    }

    /// Keep the columns that have a new number, which must rise with the old one.
    pub fn keep(&mut self, column_of: &[Option<u32>]) {
        self.rewrite_rows(|row, kept| {
            kept.extend(row.iter().filter_map(|&entry| {
                let (column, count) = unpack(entry);
                column_of[column as usize].map(|column| u64::from(column) << 32 | u64::from(count))
            }));
        });
    }

    /// Replace each row by what `rewrite(old, new)` puts into `new`, which is never longer.
    fn rewrite_rows(&mut self, mut rewrite: impl FnMut(&[u64], &mut Vec<u64>)) {
        let mut kept = Vec::new();
        let (mut start, mut end) = (0, 0);
        for row_end in &mut self.row_ends {
            kept.clear();
            rewrite(&self.entries[start..*row_end], &mut kept);
            self.entries[end..end + kept.len()].copy_from_slice(&kept);
            start = *row_end;
            end += kept.len();
            *row_end = end;
        }
        self.entries.truncate(end);
    }

    /// Add each column's documents and occurrences to the sums.
    pub fn add_sums(&self, columns: &mut Columns) {
        for &entry in &self.entries {
            let (column, count) = unpack(entry);
            columns.documents[column as usize] += 1;
            columns.occurrences[column as usize] += u64::from(count);
        }
    }

    /// The packed entries of rows `first..last`.
    pub fn entries(&self, first: usize, last: usize) -> &[u64] {
        &self.entries[self.row_start(first)..self.row_start(last)]
    }

    /// Where a row starts among the entries.
    pub fn row_start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.row_ends[row - 1] }
    }
}

/// Merge neighbouring entries of one column.
fn add_neighbours(entries: &mut Vec<u64>) {
    entries.dedup_by(|next, kept| {
        let same = *next >> 32 == *kept >> 32;
        if same {
            *kept += *next & 0xffff_ffff;
        }
        same
    });
}
