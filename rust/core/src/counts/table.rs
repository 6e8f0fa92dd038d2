//! Distinct tokens and their numbers: a hash table made for short keys.
//!
//! Two levels. The index has four bytes per place, so that it stays in a cache close to the processor; the
//! records stand in the order of first sight, so that frequent tokens, which are seen early, stand together. A
//! token of up to sixteen bytes is its own key, inside the record, with no pointer to follow. The record also
//! remembers the row that saw the token last: counting a token again in the same document touches nothing else.

use std::hash::{BuildHasher, RandomState};

use crate::memory;

const INLINE: usize = 16;
const EMPTY: u32 = u32::MAX;
const BATCH: usize = 32;

/// What is known of a token.
#[derive(Clone, Copy)]
pub struct Record {
    key: u128,
    length: u32,
    /// The row that saw the token last.
    pub row: u32,
    /// The place of its count in that row.
    pub place: u32,
}

impl Record {
    /// True for a token whose key says all.
    #[inline]
    fn is_short(&self, key: u128, length: usize) -> bool {
        self.key == key && self.length as usize == length && length <= INLINE
    }
}

/// Distinct tokens, numbered in order of first sight.
#[derive(Clone)]
pub struct TokenTable {
    /// The number of the token at each place, or [`EMPTY`].
    index: Vec<u32>,
    records: Vec<Record>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// What precedes each token among the bytes.
    prefix: &'static str,
    seeds: (u64, u64),
}

impl Default for TokenTable {
    fn default() -> Self {
        Self::with_room_for(400)
    }
}

impl TokenTable {
    /// An empty table that holds `tokens` before it grows.
    pub fn with_room_for(tokens: usize) -> Self {
        // Random seeds, so that no text can be written whose tokens all collide.
        let random = RandomState::new();
        Self {
            index: memory::filled((tokens * 2).max(64).next_power_of_two(), EMPTY),
            records: memory::with_capacity(tokens),
            bytes: Vec::new(),
            ends: Vec::new(),
            prefix: "",
            seeds: (random.hash_one(1_u8), random.hash_one(2_u8) | 1),
        }
    }

    /// An empty table whose tokens are read with this prefix, and looked up without.
    pub fn with_prefix(prefix: &'static str) -> Self {
        Self { prefix, ..Self::default() }
    }

    /// How many distinct tokens there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The concatenated bytes of all tokens, each with the prefix, and where each ends.
    pub fn arena(&self) -> (&[u8], &[usize]) {
        (&self.bytes, &self.ends)
    }

    /// The token with this number, with the prefix.
    pub fn token(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// Call `visit(number, record)` for each of the tokens `buffer[start..end]`, in order; new tokens are added.
    ///
    /// Sixteen bytes must be readable at every start; where a token is shorter, what follows it is ignored.
    #[inline]
    pub fn visit(
        &mut self,
        buffer: &[u8],
        tokens: &[(usize, usize)],
        mut visit: impl FnMut(u32, &mut Record),
    ) {
        let mut probes = [(0, 0, EMPTY); BATCH];
        let mut known = [false; BATCH];
        for batch in tokens.chunks(BATCH) {
            // A whole batch is looked up before any answer is used, so that the waits for memory overlap.
            for (probe, &(start, end)) in probes.iter_mut().zip(batch) {
                let (key, hash) = self.key(buffer, start, end);
                *probe = (key, hash, self.index[self.home(hash)]);
            }
            for ((known, &(key, _, number)), &(start, end)) in known.iter_mut().zip(&probes).zip(batch) {
                let record = self.records.get(number as usize);
                *known = record.is_some_and(|record| record.is_short(key, end - start));
            }
            for ((&(key, hash, number), &(start, end)), &known) in probes.iter().zip(batch).zip(&known) {
                let token = &buffer[start..end];
                let number = if known { number } else { self.find_or_add(key, hash, token) };
                visit(number, &mut self.records[number as usize]);
            }
        }
    }

    /// The number of a token, if it is there.
    pub fn number(&self, token: &[u8]) -> Option<u32> {
        let (key, hash) = self.token_key(token);
        self.find(key, hash, token).ok()
    }

    /// The number of each token; `None` for one that is not there, or for none.
    pub fn numbers<T: AsRef<[u8]>>(&self, tokens: &[Option<T>]) -> Vec<Option<u32>> {
        let mut probes = [(0, 0, EMPTY); BATCH];
        let mut known = [false; BATCH];
        let mut numbers = memory::with_capacity(tokens.len());
        for batch in tokens.chunks(BATCH) {
            // As in `visit`, the waits for memory overlap.
            for (probe, token) in probes.iter_mut().zip(batch) {
                let (key, hash) = token.as_ref().map_or((0, 0), |token| self.token_key(token.as_ref()));
                *probe = (key, hash, self.index[self.home(hash)]);
            }
            for ((known, &(key, _, number)), token) in known.iter_mut().zip(&probes).zip(batch) {
                let (record, token) = (self.records.get(number as usize), token.as_ref());
                *known = record
                    .zip(token)
                    .is_some_and(|(record, token)| record.is_short(key, token.as_ref().len()));
            }
            for ((&(key, hash, number), token), &known) in probes.iter().zip(batch).zip(&known) {
                memory::push(
                    &mut numbers,
                    match token {
                        _ if known => Some(number),
                        Some(token) => self.find(key, hash, token.as_ref()).ok(),
                        None => None,
                    },
                );
            }
        }
        numbers
    }

    /// Add a token if it is new; return its number.
    pub fn insert(&mut self, token: &[u8]) -> u32 {
        let (key, hash) = self.token_key(token);
        self.find_or_add(key, hash, token)
    }

    /// The key and hash of a token that stands alone, with nothing readable behind it.
    fn token_key(&self, token: &[u8]) -> (u128, u64) {
        if token.len() > INLINE {
            return self.long_key(token);
        }
        let mut padded = [0; INLINE];
        padded[..token.len()].copy_from_slice(token);
        let key = u128::from_le_bytes(padded);
        (key, self.hash(key, token.len()))
    }

    #[inline]
    fn key(&self, buffer: &[u8], start: usize, end: usize) -> (u128, u64) {
        let length = end - start;
        if length > INLINE {
            return self.long_key(&buffer[start..end]);
        }
        let mut first = [0; INLINE];
        first.copy_from_slice(&buffer[start..start + INLINE]);
        let unused = 8 * (INLINE - length) as u32;
        // A shift by the whole width is undefined, so the empty token is spelled out.
        let key = u128::from_le_bytes(first) & u128::MAX.checked_shr(unused).unwrap_or(0);
        (key, self.hash(key, length))
    }

    /// A long token's key is its first eight bytes and the hash of the whole.
    #[cold]
    fn long_key(&self, token: &[u8]) -> (u128, u64) {
        let mut hash = token.len() as u64;
        for chunk in token.chunks(INLINE) {
            let mut block = [0; INLINE];
            block[..chunk.len()].copy_from_slice(chunk);
            hash = self.hash(u128::from_le_bytes(block), hash as usize);
        }
        let mut first = [0; 8];
        first.copy_from_slice(&token[..8]);
        (u128::from(u64::from_le_bytes(first)) << 64 | u128::from(hash), hash)
    }

    #[inline]
    fn hash(&self, key: u128, length: usize) -> u64 {
        let low = key as u64 ^ self.seeds.0;
        let high = (key >> 64) as u64 ^ self.seeds.1 ^ (length as u64).rotate_left(32);
        let product = u128::from(low) * u128::from(high | 1);
        (product as u64) ^ (product >> 64) as u64 ^ high
    }

    /// Where the search for a hash starts.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.index.len() - 1)
    }

    /// The number of a token, or its place in the index if it is new.
    fn find(&self, key: u128, hash: u64, token: &[u8]) -> Result<u32, usize> {
        let mask = self.index.len() - 1;
        let mut at = self.home(hash);
        loop {
            match self.index[at] {
                EMPTY => return Err(at),
                number if self.is_token(number, key, token) => return Ok(number),
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[inline]
    fn is_token(&self, number: u32, key: u128, token: &[u8]) -> bool {
        let record = &self.records[number as usize];
        record.key == key
            && record.length as usize == token.len()
            && (token.len() <= INLINE || &self.token(number)[self.prefix.len()..] == token)
    }

    fn find_or_add(&mut self, key: u128, hash: u64, token: &[u8]) -> u32 {
        let mut at = match self.find(key, hash, token) {
            Ok(number) => return number,
            Err(at) => at,
        };
        if (self.len() + 1) * 2 > self.index.len() {
            self.grow();
            at = self.vacant(hash);
        }
        // Room first, so that without memory for it no token is added by half.
        memory::reserve(&mut self.records, 1);
        memory::reserve(&mut self.ends, 1);
        memory::reserve(&mut self.bytes, self.prefix.len() + token.len());
        let number = self.len() as u32;
        self.index[at] = number;
        memory::push(&mut self.records, Record { key, length: token.len() as u32, row: u32::MAX, place: 0 });
        memory::append(&mut self.bytes, self.prefix.as_bytes());
        memory::append(&mut self.bytes, token);
        memory::push(&mut self.ends, self.bytes.len());
        number
    }

    /// The first vacant place from the home of a hash on.
    fn vacant(&self, hash: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut at = self.home(hash);
        while self.index[at] != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        self.index = memory::filled(self.index.len() * 2, EMPTY);
        for number in 0..self.records.len() {
            let at = self.vacant(self.record_hash(number));
            self.index[at] = number as u32;
        }
    }

    fn record_hash(&self, number: usize) -> u64 {
        let record = &self.records[number];
        let length = record.length as usize;
        // A long token's key holds its hash.
        if length <= INLINE { self.hash(record.key, length) } else { record.key as u64 }
    }

    /// Forget the newest tokens, so that `length` are left.
    pub fn truncate(&mut self, length: usize) {
        let mask = self.index.len() - 1;
        // From the last on: the search for an older token never passed the place of a newer one.
        for number in (length..self.len()).rev() {
            let mut at = self.home(self.record_hash(number));
            while self.index[at] != number as u32 {
                at = (at + 1) & mask;
            }
            self.index[at] = EMPTY;
        }
        self.records.truncate(length);
        self.ends.truncate(length);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tokens_in_order_of_first_sight() {
        let mut table = TokenTable::with_room_for(0);
        let tokens: Vec<String> = (0..5000).map(|i| format!("{}{i}", "x".repeat(i % 40))).collect();
        for (number, token) in tokens.iter().enumerate() {
            assert_eq!(table.number(token.as_bytes()), None);
            assert_eq!(table.insert(token.as_bytes()) as usize, number);
        }
        for (number, token) in tokens.iter().enumerate() {
            assert_eq!(table.number(token.as_bytes()), Some(number as u32));
            assert_eq!(table.token(number as u32), token.as_bytes());
            assert_eq!(table.insert(token.as_bytes()) as usize, number);
        }
        assert_eq!(table.len(), tokens.len());
        // Some are there, some are not, and some are none.
        let mixed: Vec<Option<String>> = (0..15_000)
            .map(|i| match i % 3 {
                0 => tokens.get(i).cloned(),
                1 => Some(format!("{}?{i}", "x".repeat(i % 40))),
                _ => Some(tokens[i % 5000].clone()),
            })
            .collect();
        let expected: Vec<Option<u32>> =
            mixed.iter().map(|token| table.number(token.as_ref()?.as_bytes())).collect();
        assert!(expected.contains(&None) && expected.contains(&Some(4999)));
        assert_eq!(table.numbers(&mixed), expected);
    }

    #[test]
    fn the_newest_tokens_can_be_forgotten() {
        let token = |i: usize| format!("{}{i}", "x".repeat(i % 40)).into_bytes();
        let mut table = TokenTable::with_room_for(0);
        (0..50).for_each(|i| assert_eq!(table.insert(&token(i)) as usize, i));
        for (length, last) in [(50, 51), (20, 5000), (0, 70), (69, 69)] {
            (table.len()..last).for_each(|i| assert_eq!(table.insert(&token(i)) as usize, i));
            table.truncate(length);
            assert_eq!(table.len(), length);
            for i in 0..5000 {
                assert_eq!(table.number(&token(i)), (i < length).then_some(i as u32));
            }
            assert_eq!(table.arena().0.len(), (0..length).map(|i| token(i).len()).sum::<usize>());
            (length..70).for_each(|i| assert_eq!(table.insert(&token(i)) as usize, i));
        }
    }

    #[test]
    fn a_prefix_is_read_but_not_looked_up() {
        let mut table = TokenTable::with_prefix("\0");
        let tokens = ["", "a", "\0a", "a token of more than sixteen bytes"];
        for (number, token) in tokens.iter().enumerate() {
            assert_eq!(table.insert(token.as_bytes()) as usize, number);
            assert_eq!(table.number(token.as_bytes()), Some(number as u32));
            assert_eq!(table.token(number as u32), format!("\0{token}").as_bytes());
        }
    }

    #[test]
    fn trailing_zeros_tell_tokens_apart() {
        let mut table = TokenTable::default();
        let numbers: Vec<u32> =
            ["", "\0", "\0\0", "a", "a\0"].iter().map(|t| table.insert(t.as_bytes())).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
    }
}
