//! What a character is: a letter, a number, a mark, white space, of an unspaced script, cased, a picture.

include!(concat!(env!("OUT_DIR"), "/characters.rs"));

/// General category L: `str.isalpha` in Python.
pub const LETTER: u8 = 1;
/// General category N: what `str.isnumeric` adds to the letters.
pub const NUMBER: u8 = 2;
/// General category M: combining marks, which continue a word but never start one.
pub const MARK: u8 = 4;
/// The underscore, which Python's `\w` counts as part of a word.
pub const UNDERSCORE: u8 = 8;
/// `str.isspace` in Python.
pub const SPACE: u8 = 16;
/// A letter, number or mark of a script written without spaces: Han, Kana, Thai, Lao, Khmer, Burmese.
pub const PAIRED: u8 = 32;
/// Lower-casing changes it.
pub const CASED: u8 = 64;

/// A symbol of a block with emoji.
pub const PICTURE: u8 = 128;

/// The class bits of an ASCII byte or of any character.
#[inline]
pub fn class_of(c: char) -> u8 {
    let code = c as usize;
    PAGES[PAGE_OF[code >> 8] as usize][code & 255]
}

/// The class bits and the width in bytes of the character that starts at `text[at]`.
#[inline]
pub fn class_at(text: &str, at: usize) -> (u8, usize) {
    let byte = text.as_bytes()[at];
    if byte < 128 {
        return (PAGES[PAGE_OF[0] as usize][byte as usize], 1);
    }
    match text[at..].chars().next() {
        Some(c) => (class_of(c), c.len_utf8()),
        None => (0, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_some_characters() {
        for (c, class) in [
            ('a', LETTER),
            ('A', LETTER | CASED),
            ('7', NUMBER),
            ('½', NUMBER),
            ('_', UNDERSCORE),
            (' ', SPACE),
            ('\u{1c}', SPACE),
            ('\u{301}', MARK),
            ('한', LETTER),
            ('漢', LETTER | PAIRED),
            ('ー', LETTER | PAIRED),
            ('ท', LETTER | PAIRED),
            ('\u{e49}', MARK | PAIRED),
            ('😀', PICTURE),
            ('❤', PICTURE),
            ('©', 0),
            ('.', 0),
        ] {
            assert_eq!(class_of(c), class, "{c:?}");
            assert_eq!(class_at(&format!("x{c}"), 1), (class, c.len_utf8()));
        }
    }
}
