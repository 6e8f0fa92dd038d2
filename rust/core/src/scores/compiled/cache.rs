//! Rows that were computed, kept for as long as their scorer.

use std::sync::OnceLock;

use crate::memory;
use crate::weights::compiled::Damaged;

/// How many columns share a block; blocks take memory when one of their rows is first computed.
const BLOCK: usize = 64;

type Computed = OnceLock<Result<Box<[u8]>, Damaged>>;

/// A row for each column, computed when it is first read. Any number of threads read without waiting for each other.
pub struct RowCache(Vec<OnceLock<Box<[Computed]>>>);

impl RowCache {
    /// No rows yet, of `width` columns.
    pub fn new(width: usize) -> Self {
        Self(memory::collected(std::iter::repeat_with(OnceLock::new).take(width.div_ceil(BLOCK))))
    }

    /// The row of a column, which must be below the width.
    pub fn get<'a>(
        &self,
        column: usize,
        compute: impl FnOnce() -> Result<&'a [u8], Damaged>,
    ) -> Result<&[u8], Damaged> {
        let block = self.0[column / BLOCK]
            .get_or_init(|| std::iter::repeat_with(Computed::new).take(BLOCK).collect());
        let row = block[column % BLOCK].get_or_init(|| compute().map(Box::from));
        row.as_ref().map(|row| &**row).map_err(|damaged| *damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_computed_once() {
        let cache = RowCache::new(130);
        for column in [0, 63, 64, 129] {
            assert_eq!(cache.get(column, || Ok(&[1, 2])), Ok(&[1, 2][..]));
            assert_eq!(cache.get(column, || unreachable!("it is kept")), Ok(&[1, 2][..]));
        }
        assert_eq!(cache.get(1, || Err(Damaged)), Err(Damaged));
        assert_eq!(cache.get(1, || Ok(&[])), Err(Damaged));
    }
}
