//! Tokens that are not words: emoji, emoticons such as ":)", and words with a symbol such as "c++", "c#" and "r&d".
//!
//! They are looked for where a run of word characters ends and in the gap to the next one. Most gaps are one space.

use super::characters::{PICTURE, class_at};

const JOINER: char = '\u{200d}';
const AS_EMOJI: char = '\u{fe0f}';

/// Looks between the runs of a text, which come in order.
pub struct Between<'a> {
    text: &'a str,
    /// The end of what was looked at.
    done: usize,
}

impl<'a> Between<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, done: 0 }
    }

    /// Emit the symbols before a run, and the run itself if it is a word with a symbol; true if the run is still to do.
    #[inline]
    pub fn before_run(&mut self, start: usize, end: usize, emit: &mut impl FnMut(usize, usize)) -> bool {
        let gap = start.wrapping_sub(self.done);
        // Most gaps are one space.
        if gap != 1 || self.text.as_bytes()[self.done] != b' ' {
            self.scan(start, emit);
        }
        if start < self.done {
            return false;
        }
        self.done = end;
        if end - start > 2 {
            return true;
        }
        match symbol_word_end(self.text.as_bytes(), start, end) {
            Some(whole) => {
                emit(start, whole);
                self.done = whole;
                false
            }
            None => true,
        }
    }

    /// Emit the symbols behind the last run.
    pub fn finish(&mut self, emit: &mut impl FnMut(usize, usize)) {
        self.scan(self.text.len(), emit);
    }

    #[inline(never)]
    fn scan(&mut self, end: usize, emit: &mut impl FnMut(usize, usize)) {
        while self.done < end {
            let at = self.done;
            let byte = self.text.as_bytes()[at];
            if byte < 128 {
                self.done = at + 1;
                if matches!(byte, b':' | b';' | b'=' | b'<') {
                    if let Some((token, whole)) = emoticon_ends(self.text, at) {
                        emit(at, token);
                        self.done = whole;
                    }
                }
                continue;
            }
            let (class, width) = class_at(self.text, at);
            self.done = at + width;
            if class & PICTURE != 0 {
                let (token, whole) = emoji_ends(self.text, at);
                emit(at, token);
                self.done = whole;
            }
        }
    }
}

/// The end of a word with a symbol: a letter with "++" or "#", or two short words joined by "&", one of them a letter.
fn symbol_word_end(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let at = |place: usize| bytes.get(place).copied().unwrap_or(b' ');
    if !at(start).is_ascii_alphabetic() {
        return None;
    }
    let single = end - start == 1;
    if single && at(end) == b'+' && at(end + 1) == b'+' && at(end + 2) != b'+' {
        return Some(end + 2);
    }
    if single && at(end) == b'#' && at(end + 1) != b'#' && !is_word(at(end + 1)) {
        return Some(end + 1);
    }
    if at(end) != b'&' || !at(end - 1).is_ascii_alphanumeric() || !at(end + 1).is_ascii_alphabetic() {
        return None;
    }
    let other = if is_word(at(end + 2)) { end + 3 } else { end + 2 };
    let short = at(other - 1).is_ascii_alphanumeric() && (single || other == end + 2);
    // "a&lt;" is an entity.
    (short && !is_word(at(other)) && at(other) != b';').then_some(other)
}

/// True for a byte of a word, or of any character beyond ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}

/// The end of an emoticon, and of the repetitions of its mouth: ":)))" is ":)".
fn emoticon_ends(text: &str, start: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let at = |place: usize| bytes.get(place).copied().unwrap_or(b' ');
    let before = text[..start].chars().next_back();
    let apart = before.is_none_or(|c| c.is_whitespace() || (c as u32) >= 0x2000);
    if at(start) == b'<' {
        let heart = at(start + 1) == b'3' && !is_word(at(start + 2)) && !is_fraction(bytes, start + 2);
        return (heart && (apart || before.is_some_and(char::is_alphabetic)))
            .then_some((start + 2, start + 2));
    }
    let mouth_at = if matches!(at(start + 1), b'-' | b'\'') { start + 2 } else { start + 1 };
    let mouth = at(mouth_at);
    let mut end = mouth_at + 1;
    while at(end) == mouth && end < bytes.len() {
        end += 1;
    }
    let next = at(end);
    let fits = match mouth {
        b')' => true,
        b'(' | b'[' | b']' | b'*' => !is_word(next),
        b'/' | b'\\' | b'|' => next.is_ascii_whitespace(),
        b'd' | b'D' | b'p' | b'P' | b'o' | b'O' | b'3' => !is_word(next) && next != b':',
        _ => false,
    };
    // "great:)" is common; other emoticons stand apart, because code has ";)" and "=)".
    let joined = at(start) == b':'
        && matches!(mouth, b')' | b'(')
        && before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '!' | '?' | ','));
    (fits && (apart || joined)).then_some((mouth_at + 1, end))
}

fn is_fraction(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
}

/// The end of an emoji without a final variation selector, and with it.
fn emoji_ends(text: &str, start: usize) -> (usize, usize) {
    let mut rest = text[start..].char_indices().peekable();
    let Some((_, first)) = rest.next() else { return (start, start) };
    let mut end = start + first.len_utf8();
    if is_regional(first) {
        if let Some(&(_, second)) = rest.peek().filter(|(_, c)| is_regional(*c)) {
            end += second.len_utf8();
        }
        return (end, end);
    }
    let mut token = end;
    while let Some((_, c)) = rest.next() {
        if c == JOINER {
            let Some(&(_, next)) = rest.peek() else { break };
            if class_at(text, end + c.len_utf8()).0 & PICTURE == 0 {
                break;
            }
            end += c.len_utf8() + next.len_utf8();
            rest.next();
            token = end;
        } else if c == AS_EMOJI {
            end += c.len_utf8();
        } else if is_modifier(c) {
            end += c.len_utf8();
            token = end;
        } else {
            break;
        }
    }
    (token, end)
}

/// A letter of a flag.
fn is_regional(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

/// A skin tone, or a tag such as those of the flag of Scotland.
fn is_modifier(c: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&c) || ('\u{e0020}'..='\u{e007f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::TokenRule;

    fn tokens(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        TokenRule::Symbols.for_each(text, false, |start, end| found.push(&text[start..end]));
        found
    }

    #[test]
    fn emoji_with_all_their_parts() {
        let text = "ok 😀😀 👍🏽 👩\u{200d}🌾 🇩🇪🇫🇷 ❤\u{fe0f}❤ 🏴\u{e0067}\u{e0062}\u{e007f}x ©";
        let expected =
            ["ok", "😀", "😀", "👍🏽", "👩\u{200d}🌾", "🇩🇪", "🇫🇷", "❤", "❤", "🏴\u{e0067}\u{e0062}\u{e007f}"];
        assert_eq!(tokens(text), expected);
        assert_eq!(tokens("love❤\u{fe0f}love 東京😀都"), ["love", "❤", "love", "東京", "😀", "都"]);
    }

    #[test]
    fn emoticons_stand_apart() {
        assert_eq!(
            tokens(":) great:))) :-( ;-) =d <3 :3 :/ x"),
            [":)", "great", ":)", ":-(", ";-)", "=d", "<3", ":3", ":/"]
        );
        assert_eq!(
            tokens("http://ab.cd f(x=) std::) foo(); a[:3] x <3.5 :(ab ::) :do"),
            ["http", "ab", "cd", "std", "foo", "ab", "do"]
        );
    }

    #[test]
    fn words_with_symbols() {
        assert_eq!(tokens("C++ c# R&D AT&T. C/C++11 q&a;"), ["C++", "c#", "R&D", "AT&T", "C++", "11"]);
        assert_eq!(tokens("ab++ a#b c## a+++ a&lt;b foo&bar b&b&b"), ["ab", "lt", "foo", "bar", "b&b"]);
    }
}
