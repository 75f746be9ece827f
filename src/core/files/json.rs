//! JSON text: numbers as other programs write them, and errors in words.

use std::borrow::Cow;

/// The largest number up to which a floating-point number has every whole number.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The text with whole numbers in digits alone. Some programs write them as `1e+06` or `1000.0`, which
/// fields for whole numbers do not accept. A shorter number is filled up with blanks, so that the
/// columns of errors stay.
pub fn with_whole_numbers(text: &[u8]) -> Cow<'_, [u8]> {
    let mut written: Option<Vec<u8>> = None;
    let (mut copied, mut at) = (0, 0);
    while let Some(&byte) = text.get(at) {
        let start = at;
        match byte {
            b'"' => at += length_of_string(text.get(at..).unwrap_or_default()),
            b'-' | b'0'..=b'9' => {
                let is_of_number =
                    |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                let rest = text.get(at..).unwrap_or_default();
                at += rest.iter().take_while(is_of_number).count();
                let number = text.get(start..at).unwrap_or_default();
                if let Some(digits) = digits_of(number) {
                    let written = written.get_or_insert_default();
                    written.extend_from_slice(text.get(copied..start).unwrap_or_default());
                    written.extend_from_slice(digits.as_bytes());
                    written.resize(written.len() + number.len().saturating_sub(digits.len()), b' ');
                    copied = at;
                }
            }
            _ => at += 1,
        }
    }
    match written {
        None => Cow::Borrowed(text),
        Some(mut written) => {
            written.extend_from_slice(text.get(copied..).unwrap_or_default());
            Cow::Owned(written)
        }
    }
}

/// Whether a text begins with an object: a brace and a name in quotes, or an empty one. A comment in a record
/// may also begin with a brace and a quote.
pub fn begins_object(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start) else { return false };
    if let Some(rest) = rest.strip_prefix(b"}") {
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return line.trim_ascii().is_empty();
    }
    let name = rest.strip_prefix(b"\"").unwrap_or_default();
    let after_name = name.splitn(2, |&byte| byte == b'"').nth(1);
    after_name.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

fn length_of_string(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => at += 1,
            _ => {}
        }
    }
    at
}

/// The digits of a whole number with a fraction or an exponent; `None` for all other numbers.
fn digits_of(number: &[u8]) -> Option<String> {
    if !number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return None;
    }
    // Not every text that Rust reads as a number is one in JSON.
    serde_json::from_slice::<f64>(number)
        .ok()
        .filter(|number| number.fract() == 0.0 && number.abs() <= MOST_EXACT)
        .map(|number| (number as i64).to_string())
}

/// Expected values as `serde_json` names them, and in JSON terms.
const TERMS: [(&str, &str); 9] = [
    ("a nonzero u64", "a whole number of at least 1"),
    ("a nonzero usize", "a whole number of at least 1"),
    ("u64", "a whole number"),
    ("usize", "a whole number"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("a boolean", "true or false"),
];

/// The text of an error, in which the expected value has no name of a Rust type.
pub fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // In the protocol, a variant is a game.
    if let Some(value) = text.strip_prefix("unknown variant ") {
        return format!("found {value}");
    }
    let Some((found, expected)) = text.rsplit_once(", expected ") else { return text };
    let known = TERMS.iter().find_map(|(term, words)| Some((words, expected.strip_prefix(term)?)));
    match known {
        Some((words, rest)) if rest.is_empty() || rest.starts_with(' ') => {
            format!("{found}, expected {words}{rest}")
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{describe, with_whole_numbers};

    #[test]
    fn whole_numbers_have_digits_alone() {
        for (json, wanted) in [
            (r#"{"nodes":1e+06}"#, r#"{"nodes":1000000}"#),
            (r#"{"nodes":1E3,"turns":[0.0,2.50e1]}"#, r#"{"nodes":1000,"turns":[0  ,25    ]}"#),
            (r#"[-3.0,1000.0,10e-1]"#, "[-3  ,1000  ,1    ]"),
            // Others stay as they are, and so does every string.
            (
                "[1.5,1e-1,1e300,9007199254740994.0,7,-0]",
                "[1.5,1e-1,1e300,9007199254740994.0,7,-0]",
            ),
            (r#"{"1e3":"a \" 1e3","b\\":1.0}"#, r#"{"1e3":"a \" 1e3","b\\":1  }"#),
            ("[1e,1.,.5e1,01.0,1.0.0,--1e1]", "[1e,1.,.50 ,01.0,1.0.0,--1e1]"),
            ("\"1e3", "\"1e3"),
        ] {
            let read = with_whole_numbers(json.as_bytes());
            assert_eq!(str::from_utf8(&read), Ok(wanted), "{json}");
        }
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Notation {
        Coordinate,
        Standard,
    }

    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Fields {
        notation: Option<Notation>,
        nodes: Option<std::num::NonZeroU64>,
        turns: Vec<usize>,
        priority: i64,
        factor: f64,
        exact: bool,
        text: String,
    }

    #[test]
    fn errors_name_no_rust_types() {
        for (json, wanted) in [
            (
                "{\"nodes\": 0}",
                "invalid value: integer `0`, expected a whole number of at least 1 at line 1 column 11",
            ),
            ("{\"turns\": 3}", "invalid type: integer `3`, expected a list at line 1 column 11"),
            (
                "{\"turns\": [-1]}",
                "invalid value: integer `-1`, expected a whole number at line 1 column 13",
            ),
            (
                "{\"priority\": 1.5}",
                "invalid type: floating point `1.5`, expected a whole number at line 1 column 16",
            ),
            (
                "{\"factor\": \"x\"}",
                "invalid type: string \"x\", expected a number at line 1 column 14",
            ),
            (
                "{\"exact\": 1}",
                "invalid type: integer `1`, expected true or false at line 1 column 11",
            ),
            ("{\"text\": 1}", "invalid type: integer `1`, expected a string at line 1 column 10"),
            (
                "{\"notation\": \"san\"}",
                "found `san`, expected `coordinate` or `standard` at line 1 column 18",
            ),
            ("[", "EOF while parsing a list at line 1 column 1"),
        ] {
            let error = serde_json::from_str::<Fields>(json).err();
            assert_eq!(error.as_ref().map(describe).as_deref(), Some(wanted), "{json}");
        }
    }
}
