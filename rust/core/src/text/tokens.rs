//! Characters → tokens: where a token starts and ends.

use regex::Regex;

use super::characters::{LETTER, MARK, NUMBER, PAIRED, UNDERSCORE, class_at};
use super::runs::{Letters, RunKind, Words, each_run};
use super::symbols::Between;

/// What Python's `\w` matches.
pub const WORD: u8 = LETTER | NUMBER | UNDERSCORE;

/// How a text is cut into tokens.
#[derive(Debug, Clone)]
pub enum TokenRule {
    /// Two or more word characters.
    Words,
    /// Two or more letters.
    Letters,
    /// Words; overlapping pairs of characters in scripts written without spaces.
    Unicode,
    /// The same, with emoji, emoticons and words with a symbol.
    Symbols,
    /// The matches of a regular expression, or of its one group.
    Pattern(Box<Regex>),
}

impl TokenRule {
    /// Call `emit(start, end)` for every token of `text`, in order.
    ///
    /// With `whole_numbers`, a number of any length is one token, its inner points and commas included.
    pub fn for_each(&self, text: &str, whole_numbers: bool, mut emit: impl FnMut(usize, usize)) {
        match (self, whole_numbers) {
            (TokenRule::Words, false) => each_long_run::<Words>(text, emit),
            (TokenRule::Words, true) => each_run_or_number::<WORD>(text, emit),
            (TokenRule::Letters, false) => each_long_run::<Letters>(text, emit),
            (TokenRule::Letters, true) => each_run_or_number::<LETTER>(text, emit),
            (TokenRule::Unicode, false) if !may_have_pairs(text) => each_long_run::<Words>(text, emit),
            (TokenRule::Unicode, false) => {
                let short = |_: &str| false;
                each_run::<Words>(text, |start, end| each_word_or_pair(text, start, end, short, &mut emit));
            }
            (TokenRule::Unicode, true) => each_run_or_number_of_one::<WORD>(text, |start, end, number| {
                if number {
                    emit(start, end)
                } else {
                    each_word_or_pair(text, start, end, is_number, &mut emit)
                }
            }),
            (TokenRule::Symbols, false) => {
                let mut between = Between::new(text);
                let paired = may_have_pairs(text);
                each_run::<Words>(text, |start, end| {
                    if !between.before_run(start, end, &mut emit) {
                        return;
                    }
                    if paired {
                        each_word_or_pair(text, start, end, |_| false, &mut emit);
                    } else if has_two(text, start, end) {
                        emit(start, end);
                    }
                });
                between.finish(&mut emit);
            }
            (TokenRule::Symbols, true) => {
                let mut between = Between::new(text);
                each_run_or_number_of_one::<WORD>(text, |start, end, number| {
                    if !between.before_run(start, end, &mut emit) {
                        return;
                    }
                    if number {
                        emit(start, end);
                    } else {
                        each_word_or_pair(text, start, end, is_number, &mut emit);
                    }
                });
                between.finish(&mut emit);
            }
            (TokenRule::Pattern(pattern), _) => each_match(pattern, text, emit),
        }
    }
}

/// False if no character of `text` is of a script written without spaces: these begin at U+0E00, whose UTF-8
/// begins with E0, as that of scripts from U+0800 does. One pass over the bytes is much cheaper than to look at every character.
#[inline]
fn may_have_pairs(text: &str) -> bool {
    text.as_bytes().iter().fold(0, |most, &byte| most.max(byte)) >= 0xE0
}

/// The end of the run that started before `at`: characters of `START`, and marks.
#[inline]
fn run_end<const START: u8>(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        let (class, width) = class_at(text, at);
        if class & (START | MARK) == 0 {
            break;
        }
        at += width;
    }
    at
}

/// Runs of two or more characters.
#[inline]
fn each_long_run<K: RunKind>(text: &str, mut emit: impl FnMut(usize, usize)) {
    each_run::<K>(text, |start, end| {
        if has_two(text, start, end) {
            emit(start, end);
        }
    });
}

#[inline]
fn has_two(text: &str, start: usize, end: usize) -> bool {
    end - start > class_at(text, start).1
}

/// Runs of one or more characters, and numbers: `emit(start, end, is a number)`.
fn each_run_or_number_of_one<const START: u8>(text: &str, mut emit: impl FnMut(usize, usize, bool)) {
    let mut at = 0;
    while at < text.len() {
        let (class, width) = class_at(text, at);
        if class & (START | NUMBER) == 0 {
            at += width;
            continue;
        }
        let digits = number_end(text, at);
        let run = if class & START == 0 { digits } else { run_end::<START>(text, at + width) };
        // "1,000" outruns its run "1"; "3d" is a word, because its run outruns its number.
        let end = digits.max(run);
        emit(at, end, digits >= run);
        at = end;
    }
}

fn each_run_or_number<const START: u8>(text: &str, mut emit: impl FnMut(usize, usize)) {
    each_run_or_number_of_one::<START>(text, |start, end, number| {
        if number || has_two(text, start, end) {
            emit(start, end);
        }
    });
}

/// The end of the number at `start`, or `start` if there is no number: digits, with points and commas between.
fn number_end(text: &str, start: usize) -> usize {
    let mut end = digits_end(text, start);
    while end > start && end < text.len() && is_separator(text.as_bytes()[end]) {
        let next = digits_end(text, end + 1);
        if next == end + 1 {
            break;
        }
        end = next;
    }
    end
}

fn digits_end(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        let (class, width) = class_at(text, at);
        if class & NUMBER == 0 {
            break;
        }
        at += width;
    }
    at
}

fn is_separator(byte: u8) -> bool {
    byte == b'.' || byte == b','
}

/// True for a token of number characters, with points and commas between them only.
pub fn is_number(token: &str) -> bool {
    !token.is_empty() && number_end(token, 0) == token.len()
}

/// Cut a run of word characters where it enters or leaves an unspaced script.
///
/// A single character between spaces or unspaced scripts is a token only when `short` says so.
fn each_word_or_pair(
    text: &str,
    start: usize,
    end: usize,
    short: impl Fn(&str) -> bool,
    emit: &mut impl FnMut(usize, usize),
) {
    let mut at = start;
    while at < end {
        let paired = class_at(text, at).0 & PAIRED != 0;
        let stretch = stretch_end(text, at, end, paired);
        if paired {
            each_pair(text, at, stretch, emit);
        } else if has_two(text, at, stretch) || short(&text[at..stretch]) {
            emit(at, stretch);
        }
        at = stretch;
    }
}

/// The end of the stretch of one kind; a mark belongs to what it follows.
fn stretch_end(text: &str, start: usize, end: usize, paired: bool) -> usize {
    let mut at = start + class_at(text, start).1;
    while at < end {
        let (class, width) = class_at(text, at);
        if class & MARK == 0 && (class & PAIRED != 0) != paired {
            break;
        }
        at += width;
    }
    at
}

/// Overlapping pairs of characters, each with its marks; a lone character is a token itself.
fn each_pair(text: &str, start: usize, end: usize, emit: &mut impl FnMut(usize, usize)) {
    let mut first = start;
    let mut second = cluster_end(text, start, end);
    if second == end {
        emit(start, end);
    }
    while second < end {
        let next = cluster_end(text, second, end);
        emit(first, next);
        first = second;
        second = next;
    }
}

/// The end of a character and of the marks that follow it.
fn cluster_end(text: &str, start: usize, end: usize) -> usize {
    let mut at = start + class_at(text, start).1;
    while at < end {
        let (class, width) = class_at(text, at);
        if class & MARK == 0 {
            break;
        }
        at += width;
    }
    at
}

fn each_match(pattern: &Regex, text: &str, mut emit: impl FnMut(usize, usize)) {
    let mut emit_span = |start: usize, end: usize| {
        if start < end {
            emit(start, end);
        }
    };
    if pattern.captures_len() > 1 {
        for captures in pattern.captures_iter(text) {
            if let Some(group) = captures.get(1) {
                emit_span(group.start(), group.end());
            }
        }
    } else {
        pattern.find_iter(text).for_each(|found| emit_span(found.start(), found.end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens<'a>(rule: &TokenRule, whole_numbers: bool, text: &'a str) -> Vec<&'a str> {
        let mut found = Vec::new();
        rule.for_each(text, whole_numbers, |start, end| found.push(&text[start..end]));
        found
    }

    #[test]
    fn words_have_two_characters() {
        assert_eq!(
            tokens(&TokenRule::Words, false, "a bc d_e 12 3 x1 é ét"),
            ["bc", "d_e", "12", "x1", "ét"]
        );
        assert_eq!(tokens(&TokenRule::Letters, false, "a bc d_ef 12 x1yz"), ["bc", "ef", "yz"]);
    }

    #[test]
    fn marks_continue_a_word_but_start_none() {
        assert_eq!(tokens(&TokenRule::Words, false, "हिन्दी में #\u{fe0f}\u{20e3}"), ["हिन्दी", "में"]);
    }

    #[test]
    fn whole_numbers_keep_points_and_commas() {
        let text = "in 1987, 1,234.5 and 7 of 3d. 5,";
        assert_eq!(
            tokens(&TokenRule::Words, true, text),
            ["in", "1987", "1,234.5", "and", "7", "of", "3d", "5"]
        );
        assert_eq!(tokens(&TokenRule::Letters, true, "ab12cd 3d .5"), ["ab", "12", "cd", "3", "5"]);
        assert_eq!(tokens(&TokenRule::Unicode, true, "2024年3月 1.5"), ["2024", "年", "3", "月", "1.5"]);
    }

    #[test]
    fn unspaced_scripts_give_pairs() {
        let text = "iPhone手机 2024年 食べる x ภาษา ab";
        assert_eq!(
            tokens(&TokenRule::Unicode, false, text),
            ["iPhone", "手机", "2024", "年", "食べ", "べる", "ภา", "าษ", "ษา", "ab"]
        );
        assert_eq!(tokens(&TokenRule::Unicode, false, "สวัสดี"), ["สวั", "วัส", "สดี"]);
    }

    #[test]
    fn no_character_below_e00_is_paired() {
        for character in (0..0x0E00).filter_map(char::from_u32) {
            let text = character.to_string();
            assert_eq!(class_at(&text, 0).0 & PAIRED, 0, "{character:?}");
            assert_eq!(may_have_pairs(&text), text.len() > 2, "{character:?}");
        }
        for text in ["手", "ภ", "a ກ", "한국어", "ᄀ", "𠀀"] {
            assert!(may_have_pairs(text), "{text:?}");
        }
    }

    #[test]
    fn numbers_are_recognised() {
        for (token, expected) in [("12", true), ("1,234.5", true), ("1.", false), ("a1", false), ("", false)]
        {
            assert_eq!(is_number(token), expected, "{token:?}");
        }
    }
}
