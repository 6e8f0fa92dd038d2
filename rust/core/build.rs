//! Writes the table of character classes: two levels, so that a lookup is two loads and no search.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, ScriptExtension, UnicodeScript};

// The bits are documented, and tested against these values, in src/text/characters.rs.
const LETTER: u8 = 1;
const NUMBER: u8 = 2;
const MARK: u8 = 4;
const UNDERSCORE: u8 = 8;
const SPACE: u8 = 16;
const PAIRED: u8 = 32;
const CASED: u8 = 64;
const PICTURE: u8 = 128;

/// Scripts written without spaces between words.
const UNSPACED: [Script; 7] = [
    Script::Han,
    Script::Hiragana,
    Script::Katakana,
    Script::Thai,
    Script::Lao,
    Script::Khmer,
    Script::Myanmar,
];

/// Blocks with emoji: technical and miscellaneous symbols, dingbats, arrows and stars, and the pictographs.
const PICTURES: [std::ops::RangeInclusive<char>; 4] =
    ['\u{2300}'..='\u{23ff}', '\u{2600}'..='\u{27bf}', '\u{2b00}'..='\u{2bff}', '\u{1f000}'..='\u{1faff}'];

fn class_of(c: char) -> u8 {
    let mut class = match c.general_category_group() {
        GeneralCategoryGroup::Letter => LETTER,
        GeneralCategoryGroup::Number => NUMBER,
        GeneralCategoryGroup::Mark => MARK,
        _ => 0,
    };
    if class != 0 && is_unspaced(c) {
        class |= PAIRED;
    }
    if c == '_' {
        class |= UNDERSCORE;
    }
    // Python counts the four information separators as white space, Unicode's property does not.
    if c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c) {
        class |= SPACE;
    }
    if !c.to_lowercase().eq(std::iter::once(c)) {
        class |= CASED;
    }
    if c.general_category() == GeneralCategory::OtherSymbol && PICTURES.iter().any(|range| range.contains(&c))
    {
        class |= PICTURE;
    }
    class
}

fn is_unspaced(c: char) -> bool {
    let extension: ScriptExtension = c.script_extension();
    // Common and Inherited characters are used with every script, the unspaced ones included. The letter U+02BC,
    // an apostrophe, is used in Thai, and inside words in Latin and Cyrillic letters.
    !extension.is_common()
        && !extension.is_inherited()
        && !extension.contains_script(Script::Latin)
        && UNSPACED.iter().any(|&script| extension.contains_script(script))
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut pages: Vec<Vec<u8>> = Vec::new();
    let mut page_of: Vec<usize> = Vec::new();
    for high in 0..0x1100_u32 {
        let page: Vec<u8> = (0..256).map(|low| char::from_u32(high << 8 | low).map_or(0, class_of)).collect();
        let next = pages.len();
        let number = *numbers.entry(page.clone()).or_insert(next);
        if number == next {
            pages.push(page);
        }
        page_of.push(number);
    }
    let mut source = String::new();
    writeln!(source, "static PAGE_OF: [u8; {}] = {page_of:?};", page_of.len()).expect("a string grows");
    writeln!(source, "static PAGES: [[u8; 256]; {}] = {pages:?};", pages.len()).expect("a string grows");
    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&folder).join("characters.rs"), source).expect("OUT_DIR is writable");
}
