//! Runs of n tokens or n characters, as slices of one buffer.

use super::characters::{SPACE, class_at, class_of};
use crate::memory;

/// Call `emit(start, end)` for each run of `min` to `max` consecutive spans.
///
/// The spans are consecutive in one buffer, so a run of them is the slice from the first start to the last end.
pub fn each_run_of_spans(
    spans: &[(usize, usize)],
    min: usize,
    max: usize,
    mut emit: impl FnMut(usize, usize),
) {
    for n in min..=max.min(spans.len()) {
        for window in spans.windows(n) {
            emit(window[0].0, window[n - 1].1);
        }
    }
}

/// Append `text` to `out` with every run of two or more white-space characters replaced by one space.
pub fn push_squeezed(text: &str, out: &mut String) {
    let mut pending: Option<char> = None;
    for c in text.chars() {
        if class_of(c) & SPACE != 0 {
            pending = Some(if pending.is_some() { ' ' } else { c });
        } else {
            out.extend(pending.take());
            out.push(c);
        }
    }
    out.extend(pending);
}

/// Character n-grams of `text[start..]`, across white space.
pub fn each_character_gram(text: &str, min: usize, max: usize, mut emit: impl FnMut(usize, usize)) {
    // The starts of the last `max` characters: memory does not grow with the text.
    let mut starts = memory::zeros(max);
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        starts[seen % max] = at;
        seen += 1;
        for n in min..=max.min(seen) {
            emit(starts[(seen - n) % max], at + c.len_utf8());
        }
    }
}

/// Append the words of `text` to `out`, each between two spaces of its own.
pub fn push_padded_words(text: &str, out: &mut String) {
    for word in text.split(|c| class_of(c) & SPACE != 0).filter(|word| !word.is_empty()) {
        out.push(' ');
        out.push_str(word);
        out.push(' ');
    }
}

/// Character n-grams inside the padded words that [`push_padded_words`] wrote.
///
/// A word shorter than n is taken whole, and once.
pub fn each_word_character_gram(text: &str, min: usize, max: usize, mut emit: impl FnMut(usize, usize)) {
    let mut bounds = Vec::new();
    let mut at = 0;
    while at < text.len() {
        bounds.clear();
        at = padded_word(text, at, &mut bounds);
        let length = bounds.len() - 1;
        for n in min..=max {
            for first in 0..=length.saturating_sub(n) {
                emit(bounds[first], bounds[(first + n).min(length)]);
            }
            if n >= length {
                break;
            }
        }
    }
}

/// Collect the character bounds of the padded word at `start`; return where it ends.
fn padded_word(text: &str, start: usize, bounds: &mut Vec<usize>) -> usize {
    let mut at = start;
    loop {
        bounds.push(at);
        let (class, width) = class_at(text, at);
        at += width;
        if at >= text.len() || (bounds.len() > 1 && class & SPACE != 0) {
            bounds.push(at);
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_across_spaces() {
        let mut text = String::new();
        push_squeezed("a \n b\nc", &mut text);
        assert_eq!(text, "a b\nc");
        let mut grams = Vec::new();
        each_character_gram("añb", 1, 2, |start, end| grams.push(&"añb"[start..end]));
        grams.sort_unstable();
        assert_eq!(grams, ["a", "añ", "b", "ñ", "ñb"]);
    }

    #[test]
    fn characters_inside_words() {
        let mut text = String::new();
        push_padded_words("ab  c", &mut text);
        assert_eq!(text, " ab  c ");
        let mut grams = Vec::new();
        each_word_character_gram(&text, 3, 5, |start, end| grams.push(&text[start..end]));
        assert_eq!(grams, [" ab", "ab ", " ab ", " c "]);
    }
}
