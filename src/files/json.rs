//! Errors in JSON text.

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

    use super::describe;

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
