//! Whatever is typed does no harm.

use proptest::prelude::*;

use super::*;

/// Lines of words that mean something, in any order. The automatic player stays out where a seed
/// gives it time.
fn sentences() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "new",
        "auto",
        "manual",
        "seed",
        "limit",
        "undo",
        "set",
        "dump",
        "help",
        "?",
        "black",
        "white",
        "-",
        "b",
        "B",
        "b1-b3",
        "d1-b3",
        "h3-e3",
        "11-15",
        "22x15x8",
        "0000",
        "a1",
        "d4",
        "h8",
        "2",
        "-7",
        "#",
        "x",
        "é",
        "99999999999999999999999",
    ]);
    let line = prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "));
    let short = line.prop_filter("no time", |line| !line.starts_with("seed"));
    prop::collection::vec(short, 0..30).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_bytes_do_harm(input in prop::collection::vec(any::<u8>(), 0..400)) {
        hold(&hurried(), input);
    }

    #[test]
    fn no_words_do_harm(script in sentences(), variant in prop::sample::select(vec!["loa", "draughts"])) {
        let settings =
            ConsoleSettings { variant: variant.to_string(), time: Duration::ZERO, ..ConsoleSettings::default() };
        let talk = hold(&settings, format!("limit 8\n{script}"));
        prop_assert!(talk.errors.lines().all(|line| line.starts_with("error: ")));
        prop_assert!(talk.output.ends_with('\n'));
    }
}
