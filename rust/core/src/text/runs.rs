//! Runs of word characters, found sixty-four bytes at a time.
//!
//! Each byte gets a flag, the flags of a block become the bits of one number, and the runs start and end where
//! neighbouring bits differ: the work per byte is a few vector instructions, with no branch to mispredict.

use super::characters::{MARK, class_at, class_of};

const BLOCK: usize = 64;

/// Which characters make a run: class bits, and the same question for ASCII in a form that vectorises.
pub trait RunKind {
    /// The class bits of the characters that may start a run; marks continue it.
    const START: u8;
    /// 1 for an ASCII byte that may start a run; anything for other bytes.
    fn is_start(byte: u8) -> u8;
}

/// Letters, numbers and the underscore.
pub struct Words;

impl RunKind for Words {
    const START: u8 = super::tokens::WORD;

    #[inline]
    fn is_start(byte: u8) -> u8 {
        let letter = (byte | 32).wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        u8::from(letter | digit | (byte == b'_'))
    }
}

/// Letters.
pub struct Letters;

impl RunKind for Letters {
    const START: u8 = super::characters::LETTER;

    #[inline]
    fn is_start(byte: u8) -> u8 {
        u8::from((byte | 32).wrapping_sub(b'a') < 26)
    }
}

/// Call `emit(start, end)` for every run of one or more characters.
#[inline]
pub fn each_run<K: RunKind>(text: &str, mut emit: impl FnMut(usize, usize)) {
    let mut emit_trimmed = |start: usize, end: usize| {
        let start = if text.as_bytes()[start] < 128 { start } else { skip_marks(text, start, end) };
        if start < end {
            emit(start, end);
        }
    };
    let mut start = 0;
    // All ones while inside a run, so that the bit before a block is its lowest.
    let mut inside = 0_u64;
    let mut wide = 0_u8;
    for base in (0..text.len()).step_by(BLOCK) {
        let bits = block_bits::<K>(text, base, &mut wide);
        let mut edges = bits ^ (bits << 1 | inside & 1);
        while edges != 0 {
            let at = base + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            if inside == 0 {
                start = at;
            } else {
                emit_trimmed(start, at);
            }
            inside = !inside;
        }
    }
    if inside != 0 {
        emit_trimmed(start, text.len());
    }
}

/// One bit for each byte of the block at `base`: whether its character is part of a run.
///
/// `wide` carries the answer for a character that reaches into the next block.
#[inline]
fn block_bits<K: RunKind>(text: &str, base: usize, wide: &mut u8) -> u64 {
    let mut block = [0; BLOCK];
    let bytes = &text.as_bytes()[base..];
    match bytes.first_chunk::<BLOCK>() {
        Some(whole) => block = *whole,
        None => block[..bytes.len()].copy_from_slice(bytes),
    }
    let mut flags = block.map(K::is_start);
    if !block.is_ascii() {
        mark_wide::<K>(text, base, &block, &mut flags, wide);
    }
    let mut bits = 0;
    for (at, eight) in flags.chunks_exact(8).enumerate() {
        let mut flags = [0; 8];
        flags.copy_from_slice(eight);
        // Eight flags, one in each byte, gathered in the highest byte.
        bits |= (u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    bits
}

/// Set the flags of characters beyond ASCII, all bytes of one alike.
#[cold]
fn mark_wide<K: RunKind>(
    text: &str,
    base: usize,
    block: &[u8; BLOCK],
    flags: &mut [u8; BLOCK],
    wide: &mut u8,
) {
    for (at, &byte) in block.iter().enumerate().filter(|(_, byte)| **byte >= 128) {
        let leads = byte & 0xc0 == 0xc0;
        if leads {
            let class = text[base + at..].chars().next().map_or(0, class_of);
            *wide = u8::from(class & (K::START | MARK) != 0);
        }
        flags[at] = *wide;
    }
}

/// A mark continues a word but never starts one.
#[cold]
fn skip_marks(text: &str, mut start: usize, end: usize) -> usize {
    while start < end {
        let (class, width) = class_at(text, start);
        if class & MARK == 0 {
            break;
        }
        start += width;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, one character at a time.
    fn slow_runs<K: RunKind>(text: &str) -> Vec<&str> {
        let word = |c: char| class_of(c) & (K::START | MARK) != 0;
        let runs = text.split(|c| !word(c));
        let trimmed = runs.map(|run| run.trim_start_matches(|c| class_of(c) & MARK != 0));
        trimmed.filter(|run| !run.is_empty()).collect()
    }

    #[test]
    fn blocks_agree_with_characters() {
        let pieces = [
            "a", "Zz9", "_", " ", "\n\t", ".-", "é", "한국", "\u{301}", "e\u{301}", "🦀", "漢字", "١٢",
            "@[`{",
        ];
        let mut seed = 7_usize;
        for length in 0..400 {
            let mut text = String::new();
            for _ in 0..length {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(seed >> 33) % pieces.len()]);
            }
            let mut words = Vec::new();
            each_run::<Words>(&text, |start, end| words.push(&text[start..end]));
            assert_eq!(words, slow_runs::<Words>(&text));
            let mut letters = Vec::new();
            each_run::<Letters>(&text, |start, end| letters.push(&text[start..end]));
            assert_eq!(letters, slow_runs::<Letters>(&text));
        }
    }
}
