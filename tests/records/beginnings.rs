//! Texts with other text before the first game, whole and in parts.

use soucie::records::items::{TextItem, TextReader};

use super::*;

/// What a text is read as that arrives in these parts.
fn in_parts<'a>(parts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut reader = TextReader::new(None, true);
    let mut found = Vec::new();
    for part in parts {
        reader.add(part.as_bytes()).unwrap();
        found.extend(std::iter::from_fn(|| reader.next_item()));
    }
    reader.finish();
    found.extend(std::iter::from_fn(|| reader.next_item()));
    let line = |item: TextItem| match item {
        TextItem::Game(record) => format!("{} {:?}\n{record}", record.location(), record.fault()),
        TextItem::Setup { line, setup } => format!("{line} {setup:?}"),
        TextItem::Failure(error) => error.to_string(),
    };
    found.into_iter().map(line).collect()
}

const GAMES: &str = "[Event \"A\"]\n[White \"W\"]\n\n1. 11-15 23-19 2. 8-11\n22-17 3. 4-8 1-0\n\n\
    [Event \"B\"]\n1. 9-14 22-18\n2. 5-9 *\n";

#[test]
fn text_before_the_first_game_is_one_error() {
    let moves = ["11-15 23-19 8-11 22-17 4-8", "9-14 22-18 5-9"];
    let long = format!("Dear Ann,\n{}", "blah\n".repeat(1200));
    let heads = [
        ("Club games\n\n", 1, "Club games"),
        ("From: me\n", 1, "From: me"),
        ("\n// x\n", 2, "// x"),
        ("Game 1\n", 1, "Game 1"),
        ("Games\n--------\n\n", 1, "Games"),
        ("Games\n==========\n\n", 1, "Games"),
        (long.as_str(), 1, "Dear Ann,"),
    ];
    for (head, line, found) in heads {
        let error = format!("line {line}, column 1: expected a game, found '{found}'");
        let expected = [error.as_str(), moves[0], moves[1]];
        assert_eq!(summary(&format!("{head}{GAMES}")), expected, "{head:.20}");
    }
    let list = "Openings\n1. 11-15 23-19\n2. 8-11\n";
    let error = "line 1, column 1: expected a game, found 'Openings'";
    assert_eq!(summary(list), [error, "11-15 23-19 8-11"]);
    let unopened = "Event \"A\"]\n[White \"W\"]\n\n1. 11-15 23-19 1-0\n";
    assert_eq!(summary(unopened).len(), 2);
    assert_eq!(summary(unopened)[1], "11-15 23-19");
    // Behind long prose, games of SGF are found too.
    assert_eq!(summary(&format!("{long}(;GM[9];B[c8-c6])")), ["c8-c6"]);
}

#[test]
fn a_game_behind_prose_may_arrive_in_parts() {
    let parts = ["Dear Ann,\n", "(;GM[9];B[c8-c6]\n;W[h4-f2])\n"];
    let found = in_parts(parts);
    assert_eq!(found, in_parts([parts.concat().as_str()]));
    assert!(found.len() == 1 && found[0].starts_with("line 2, column 1 None"), "{found:?}");
}

#[test]
fn a_text_that_arrives_in_parts_has_the_items_of_the_whole() {
    for text in [
        "# a comment\n (( set a1 black\n (( more\n",
        "[Variant \"fairy\"]\nd1-b3 P0[id \"] 11-15 [FEN \"8/8/3l4/8/8/3L4/8/8 w\"]",
    ] {
        for length in 1..12 {
            let parts = text.as_bytes().chunks(length).map(|part| str::from_utf8(part).unwrap());
            assert_eq!(in_parts(parts), in_parts([text]), "{text}, parts of {length}");
        }
    }
}

#[test]
fn a_next_game_is_found() {
    let two = ["11-15 23-19", "9-14 22-17"];
    for text in [
        "1. 11-15 23-19\n\u{a0}1. 9-14 22-17\n",
        "11-15 23-19\n\u{a0}\n9-14 22-17\n",
        "1. 11-15 23-19\n\u{feff}1. 9-14 22-17 *",
        "11-15 23-19\r\r9-14 22-17\r",
        "[Event \"A\"]\n1. 11-15 23-19\n1. 9-14 22-17 *",
        "[Event \"x\"]\n1. 11-15 23-19\n\u{feff}[Event \"y\"]\n1. 9-14 22-17 *",
        "[Event \"A\"]\r1. 11-15 23-19\r\r[Event \"B\"]\r1. 9-14 22-17\r",
        "# c\r1. 11-15 23-19 ; good\r\r1. 9-14 22-17",
        "1. 11-15 23-19 *[Event \"B\"]\n1. 9-14 22-17 *",
        "[Event \"A\"]\n1. 11-15 23-19 1-0[Event \"B\"]\n1. 9-14 22-17 *",
        "[Event \"A\"]\r\r\n1. 11-15\r\r\n23-19\r\r\n1. 9-14 22-17\n",
    ] {
        assert_eq!(summary(text), two, "{text:?}");
    }
    // The reply may have the number of the move, and Black's moves are no replies.
    let replied = "[Event \"A\"]\n1. 11-15\n1. 23-19\n2. 8-11 22-17 *";
    assert_eq!(summary(replied), ["11-15 23-19 8-11 22-17"]);
}

#[test]
fn what_does_not_follow_a_move_is_an_error() {
    let tag = "[Event \"A\"] 1. 11-15 23-19 [Event \"B\"] 1. 9-14 22-18 *";
    let error = "line 1, column 28: expected a new line before the tag, found 'Event'";
    assert_eq!(summary(tag), [error, "9-14 22-18"]);
    for (text, column, numbers) in [
        ("1. 11-15 23-19 1. 8-11 22-17 *", "16", [2, 1]),
        ("1. 11-15 23-19 3. 8-11 22-17 *", "16", [2, 3]),
        ("11-15 23-19 1. 8-11 22-17 *", "13", [2, 1]),
    ] {
        let [expected, found] = numbers;
        let error =
            format!("line 1, column {column}: expected move {expected}, found move {found}");
        assert_eq!(summary(text), [error]);
        assert_eq!(moves(read(text)[0].as_ref().unwrap()), "11-15 23-19 8-11 22-17");
    }
    let error = "line 2, column 1: expected move 2, found move 1";
    assert_eq!(summary("1. 11-15 23-19\n01. 9-14 22-17\n"), [error]);
}

#[test]
fn a_byte_order_mark_counts_as_no_column_in_any_part() {
    for text in ["9-14 *\n\u{feff} ;W[h4-f2])\n", "\u{feff}\u{feff}(;GM[9];B[c8-c7])"] {
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            assert_eq!(
                in_parts([&text[..cut], &text[cut..]]),
                in_parts([text]),
                "{text:?} at {cut}"
            );
        }
    }
}

proptest! {
    #[test]
    fn a_text_in_parts_is_read_like_the_whole_one(
        lines in prop::collection::vec(
            prop_oneof![
                Just("Dear Ann,"), Just("the games"), Just("Game 1"), Just("--------"), Just(""),
                Just("1"), Just("12 games"), Just("======"), Just("# mine"), Just("{\"a\""),
                Just("{good}"), Just("(;"), Just("(;GM[9];B[c8-c6]"), Just(";W[h4-f2])"),
                Just("[Event \"A\"]"), Just("[White \"W\"]"), Just("1. 11-15 23-19"),
                Just("2. 8-11 22-17 1-0"), Just("11-15 23-19"), Just("9-14 *"), Just("[Event"),
                Just("8/8/3l4/8/8/3L4/8/8 b"), Just("B:W21:B1"), Just("startpos"), Just("\u{feff}"),
                Just("\u{a0}"), Just("\u{0}"), Just("1. 9-14 [Event \"B\"] 1. 11-15 *"),
            ],
            0..9,
        ),
        ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", " ", "\r", ""]), 9),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let text: String = lines.iter().zip(ends).map(|(line, end)| format!("{line}{end}")).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        cuts.retain(|cut| text.is_char_boundary(*cut));
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let parts = cuts.windows(2).map(|ends| &text[ends[0]..ends[1]]);
        prop_assert_eq!(in_parts(parts), in_parts([text.as_str()]), "{:?}", text);
    }
}
