//! Arbitrary input does not crash the console.

use proptest::prelude::*;

use super::*;

/// Known words, without the names of files.
const WORDS: &str = "
    new auto manual seed limit undo set dump help hint moves board level rules quit on easy
    ? black white - b B b1-b3 d1-b3 h3-e3 11-15 22x15x8 0000 a1 d4 h8 2 -7 # x é
    99999999999999999999999";

/// Lines of [`WORDS`] in any order. None begins with `seed`, because a seed gives the automatic
/// player more time.
fn command_lines() -> impl Strategy<Value = String> {
    let words: Vec<_> = WORDS.split_whitespace().collect();
    let word = prop::sample::select(words);
    let line = prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "));
    let unseeded = line.prop_filter("no seed", |line| !line.starts_with("seed"));
    prop::collection::vec(unseeded, 0..30).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn arbitrary_bytes_do_not_panic(input in prop::collection::vec(any::<u8>(), 0..400)) {
        run_console(&fast_settings(), input);
    }

    #[test]
    fn arbitrary_commands_do_not_panic(
        script in command_lines(),
        variant in prop::sample::select(vec!["loa", "draughts"]),
    ) {
        let settings = ConsoleSettings {
            game: VariantArgument { variant: variant.to_string() },
            time: Duration::ZERO,
            ..ConsoleSettings::default()
        };
        let console = run_console(&settings, format!("limit 8\nno command\n{script}"));
        // The first command that is none is refused, and so may be others.
        prop_assert!(console.errors.starts_with("error: expected a command or a move, found 'no"));
        prop_assert!(console.errors.lines().all(|line| line.starts_with("error: ")));
        prop_assert!(console.output.ends_with('\n'));
    }
}
