//! Distinct tokens and their numbers: an open-addressing table made for short keys.
//!
//! A token of up to sixteen bytes is its own key, inside the slot: one cache line answers a lookup, with no
//! pointer to follow. The slot also remembers the row that saw the token last, so that counting a token again
//! in the same document touches nothing else.

use std::hash::{BuildHasher, RandomState};

const INLINE: usize = 16;
const EMPTY: u32 = u32::MAX;
const BATCH: usize = 32;

/// One place of the table.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Slot {
    key: u128,
    length: u32,
    /// The token's number, in order of first sight.
    pub number: u32,
    /// The row that saw the token last.
    pub row: u32,
    /// Where in that row its count stands.
    pub place: u32,
}

const VACANT: Slot = Slot { key: 0, length: 0, number: EMPTY, row: u32::MAX, place: 0 };

/// Distinct tokens, numbered in order of first sight.
pub struct TokenTable {
    slots: Vec<Slot>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
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
        // Random seeds, so that nobody can write a text whose tokens all collide.
        let random = RandomState::new();
        Self {
            slots: vec![VACANT; (tokens * 4 / 3 + 1).max(64).next_power_of_two()],
            bytes: Vec::new(),
            ends: Vec::new(),
            seeds: (random.hash_one(1_u8), random.hash_one(2_u8) | 1),
        }
    }

    /// How many distinct tokens there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of all tokens, one behind the other, and where each ends.
    pub fn arena(&self) -> (&[u8], &[usize]) {
        (&self.bytes, &self.ends)
    }

    /// The token with this number.
    pub fn token(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// Call `visit(slot)` for each of the tokens `buffer[start..end]`, in order; new tokens are added.
    ///
    /// Sixteen bytes must be readable at every start; where a token is shorter, what follows it is ignored.
    #[inline]
    pub fn visit(&mut self, buffer: &[u8], tokens: &[(usize, usize)], mut visit: impl FnMut(&mut Slot)) {
        let mut probes = [(0, 0, 0); BATCH];
        for batch in tokens.chunks(BATCH) {
            // The first slots of a whole batch are asked for before any answer is used, so that the waits for
            // memory overlap.
            for (probe, &(start, end)) in probes.iter_mut().zip(batch) {
                let (key, hash) = self.key(buffer, start, end);
                let home = self.home(hash);
                *probe = (key, hash, if self.slots[home].key == key { home } else { usize::MAX });
            }
            for (&(key, hash, home), &(start, end)) in probes.iter().zip(batch) {
                let token = &buffer[start..end];
                let mut at = home;
                if at >= self.slots.len() || !self.is_token(&self.slots[at], key, token) {
                    at = self.find_or_add(key, hash, token);
                }
                visit(&mut self.slots[at]);
            }
        }
    }

    /// The number of a token, if it is there.
    pub fn number(&self, token: &[u8]) -> Option<u32> {
        let (key, hash) = self.token_key(token);
        let number = self.slots[self.find(key, hash, token)].number;
        (number != EMPTY).then_some(number)
    }

    /// Add a token if it is new; return its number.
    pub fn insert(&mut self, token: &[u8]) -> u32 {
        let (key, hash) = self.token_key(token);
        let at = self.find_or_add(key, hash, token);
        self.slots[at].number
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
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn find(&self, key: u128, hash: u64, token: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.home(hash);
        loop {
            let slot = &self.slots[at];
            if slot.number == EMPTY || self.is_token(slot, key, token) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn is_token(&self, slot: &Slot, key: u128, token: &[u8]) -> bool {
        slot.key == key
            && slot.number != EMPTY
            && slot.length as usize == token.len()
            && (token.len() <= INLINE || self.token(slot.number) == token)
    }

    fn find_or_add(&mut self, key: u128, hash: u64, token: &[u8]) -> usize {
        let mut at = self.find(key, hash, token);
        if self.slots[at].number != EMPTY {
            return at;
        }
        // Three quarters full is still short to search: frequent tokens come first, and sit at home.
        if (self.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
            at = self.find(key, hash, token);
        }
        let number = self.len() as u32;
        self.slots[at] = Slot { key, length: token.len() as u32, number, ..VACANT };
        self.bytes.extend_from_slice(token);
        self.ends.push(self.bytes.len());
        at
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        let mask = old.len() * 2 - 1;
        self.slots = vec![VACANT; mask + 1];
        for slot in old.into_iter().filter(|slot| slot.number != EMPTY) {
            let mut at = self.home(self.slot_hash(&slot));
            while self.slots[at].number != EMPTY {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    fn slot_hash(&self, slot: &Slot) -> u64 {
        if slot.length as usize <= INLINE {
            self.hash(slot.key, slot.length as usize)
        } else {
            slot.key as u64
        }
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
    }

    #[test]
    fn trailing_zeros_tell_tokens_apart() {
        let mut table = TokenTable::default();
        let numbers: Vec<u32> =
            ["", "\0", "\0\0", "a", "a\0"].iter().map(|t| table.insert(t.as_bytes())).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
    }
}
