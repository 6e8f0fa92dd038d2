//! The token table with `hashbrown::HashTable` as its index; records, keys and hash are ours.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

const INLINE: usize = 16;
const NEW: u32 = u32::MAX;
const BATCH: usize = 32;

pub struct Record {
    key: u128,
    length: u32,
    pub row: u32,
    pub place: u32,
}

pub struct TokenTable {
    index: HashTable<u32>,
    records: Vec<Record>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    prefix: &'static str,
    seeds: (u64, u64),
}

impl Default for TokenTable {
    fn default() -> Self {
        Self::with_room_for(400)
    }
}

impl TokenTable {
    pub fn with_room_for(tokens: usize) -> Self {
        let random = RandomState::new();
        Self {
            index: HashTable::with_capacity(tokens),
            records: Vec::with_capacity(tokens),
            bytes: Vec::new(),
            ends: Vec::new(),
            prefix: "",
            seeds: (random.hash_one(1_u8), random.hash_one(2_u8) | 1),
        }
    }

    pub fn with_prefix(prefix: &'static str) -> Self {
        Self { prefix, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn arena(&self) -> (&[u8], &[usize]) {
        (&self.bytes, &self.ends)
    }

    pub fn token(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// Three passes over a batch, so that waits for memory overlap: hash, look up, visit.
    #[inline]
    pub fn visit(
        &mut self,
        buffer: &[u8],
        tokens: &[(usize, usize)],
        mut visit: impl FnMut(u32, &mut Record),
    ) {
        let mut probes = [(0, 0, NEW); BATCH];
        for batch in tokens.chunks(BATCH) {
            for (probe, &(start, end)) in probes.iter_mut().zip(batch) {
                let (key, hash) = self.key(buffer, start, end);
                *probe = (key, hash, NEW);
            }
            for ((key, hash, number), &(start, end)) in probes.iter_mut().zip(batch) {
                *number = self.find(*key, *hash, &buffer[start..end]).unwrap_or(NEW);
            }
            for (&(key, hash, number), &(start, end)) in probes.iter().zip(batch) {
                let known = number != NEW;
                let number = if known { number } else { self.find_or_add(key, hash, &buffer[start..end]) };
                visit(number, &mut self.records[number as usize]);
            }
        }
    }

    pub fn number(&self, token: &[u8]) -> Option<u32> {
        let (key, hash) = self.token_key(token);
        self.find(key, hash, token)
    }

    /// The number of each token: two passes over a batch, as in `visit`.
    pub fn numbers<T: AsRef<[u8]>>(&self, tokens: &[Option<T>]) -> Vec<Option<u32>> {
        let mut probes = [(0, 0); BATCH];
        let mut numbers = Vec::with_capacity(tokens.len());
        for batch in tokens.chunks(BATCH) {
            for (probe, token) in probes.iter_mut().zip(batch) {
                *probe = token.as_ref().map_or((0, 0), |token| self.token_key(token.as_ref()));
            }
            for (&(key, hash), token) in probes.iter().zip(batch) {
                numbers.push(token.as_ref().and_then(|token| self.find(key, hash, token.as_ref())));
            }
        }
        numbers
    }

    pub fn insert(&mut self, token: &[u8]) -> u32 {
        let (key, hash) = self.token_key(token);
        self.find_or_add(key, hash, token)
    }

    fn token_key(&self, token: &[u8]) -> (u128, u64) {
        if token.len() > INLINE {
            return self.long_key(token);
        }
        let mut padded = [0; INLINE];
        padded[..token.len()].copy_from_slice(token);
        let key = u128::from_le_bytes(padded);
        (key, hash(self.seeds, key, token.len()))
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
        let key = u128::from_le_bytes(first) & u128::MAX.checked_shr(unused).unwrap_or(0);
        (key, hash(self.seeds, key, length))
    }

    #[cold]
    fn long_key(&self, token: &[u8]) -> (u128, u64) {
        let mut mixed = token.len() as u64;
        for chunk in token.chunks(INLINE) {
            let mut block = [0; INLINE];
            block[..chunk.len()].copy_from_slice(chunk);
            mixed = hash(self.seeds, u128::from_le_bytes(block), mixed as usize);
        }
        let mut first = [0; 8];
        first.copy_from_slice(&token[..8]);
        (u128::from(u64::from_le_bytes(first)) << 64 | u128::from(mixed), mixed)
    }

    #[inline]
    fn find(&self, key: u128, hash: u64, token: &[u8]) -> Option<u32> {
        let is_token = |&number: &u32| {
            let record = &self.records[number as usize];
            record.key == key
                && record.length as usize == token.len()
                && (token.len() <= INLINE || &self.token(number)[self.prefix.len()..] == token)
        };
        self.index.find(hash, is_token).copied()
    }

    fn find_or_add(&mut self, key: u128, hashed: u64, token: &[u8]) -> u32 {
        if let Some(number) = self.find(key, hashed, token) {
            return number;
        }
        let (number, records, seeds) = (self.len() as u32, &self.records, self.seeds);
        self.index.insert_unique(hashed, number, |&number| {
            let Record { key, length, .. } = records[number as usize];
            if length as usize <= INLINE { hash(seeds, key, length as usize) } else { key as u64 }
        });
        self.records.push(Record { key, length: token.len() as u32, row: u32::MAX, place: 0 });
        self.bytes.extend_from_slice(self.prefix.as_bytes());
        self.bytes.extend_from_slice(token);
        self.ends.push(self.bytes.len());
        number
    }
}

#[inline]
fn hash(seeds: (u64, u64), key: u128, length: usize) -> u64 {
    let low = key as u64 ^ seeds.0;
    let high = (key >> 64) as u64 ^ seeds.1 ^ (length as u64).rotate_left(32);
    let product = u128::from(low) * u128::from(high | 1);
    (product as u64) ^ (product >> 64) as u64 ^ high
}
