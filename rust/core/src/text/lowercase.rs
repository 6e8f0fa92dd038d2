//! Whole-document lower-casing, equal to Python's `str.lower`.

use super::characters::{CASED, class_of};

/// Append `text` in lower case to `out`.
pub fn push_lowercase(text: &str, out: &mut String) {
    if text.is_ascii() {
        push_ascii_lowercase(text, out);
        return;
    }
    // A final sigma depends on its neighbours; the standard library knows the rule.
    if text.contains('Σ') {
        out.push_str(&text.to_lowercase());
        return;
    }
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest.bytes().position(|byte| byte >= 128).unwrap_or(rest.len());
        push_ascii_lowercase(&rest[..ascii], out);
        rest = push_other_lowercase(&rest[ascii..], out);
    }
}

fn push_ascii_lowercase(text: &str, out: &mut String) {
    let start = out.len();
    out.push_str(text);
    out[start..].make_ascii_lowercase();
}

/// Lower the characters up to the next ASCII one; return what is left.
fn push_other_lowercase<'a>(text: &'a str, out: &mut String) -> &'a str {
    for (at, c) in text.char_indices() {
        if c.is_ascii() {
            return &text[at..];
        }
        if class_of(c) & CASED == 0 {
            out.push(c);
        } else {
            out.extend(c.to_lowercase());
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_standard_library() {
        for text in ["", "ABC def", "ÄÖÜ straße İI", "ΟΔΟΣ ΣΑΣ", "한국어 ABC", "Ǆ ǅ ǆ", "🦀A🦀", "ẞ"]
        {
            let mut lower = String::from("kept ");
            push_lowercase(text, &mut lower);
            assert_eq!(lower, format!("kept {}", text.to_lowercase()));
        }
    }
}
