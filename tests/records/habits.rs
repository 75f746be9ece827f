//! What is read beyond the standards, as `habits.md` lists it, and what is not.

use super::*;

/// The moves of each game; `!` behind those of a game with an error.
fn games(text: &str) -> String {
    let game = |game: Result<Record, RecordError>| match game {
        Ok(record) if record.fault().is_some() => moves(&record) + "!",
        Ok(record) if record.moves().next().is_none() => "-".to_string(),
        Ok(record) => moves(&record),
        Err(_) => "!".to_string(),
    };
    read(text).into_iter().map(game).collect::<Vec<_>>().join(" / ")
}

#[test]
fn every_habit_in_the_table_is_read() {
    let table = include_str!("../../src/core/records/habits.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | `"));
    let mut count = 0;
    for (habit, row) in rows {
        let [example, moves, _] = *row.split("` | ").collect::<Vec<_>>() else {
            panic!("{habit}: expected an example, moves and those who have it");
        };
        // The carriage return is a part of an example.
        let text = example.replace("\\n", "\n");
        assert_eq!(games(&text), moves.trim_start_matches('`'), "{habit}");
        read(&text).into_iter().flatten().for_each(|record| drop(round_trip(&record)));
        count += 1;
    }
    assert!(count > 30, "{count}");
}

/// What is said beside the moves.
#[test]
fn habits_give_names_and_results() {
    for (text, names, outcome) in [
        ("[Red \"Ann\"]\n[White \"Ben\"]\n1. 11-15 Red wins", ["Ann", "Ben"], Some(Side::Black)),
        (
            "[White \"Ben\"]\n[Black \"?\"]\n[RED \"Ann\"]\n1. 11-15 0-1",
            ["Ann", "Ben"],
            Some(Side::White),
        ),
        (
            "[Black “Ann”] [white «Ben»]\n[Result \"White\"]\n1. 11-15",
            ["Ann", "Ben"],
            Some(Side::White),
        ),
        (
            "[Black \"Ann\"]\n[White \"Ben\"]\n1. 11-15 Black resigns.",
            ["Ann", "Ben"],
            Some(Side::White),
        ),
        ("(;P0[id \"Ann\"]P1[id \"Ben\"];B[c8-c6];W[Resigns])", ["Ann", "Ben"], Some(Side::Black)),
        ("(;CM[1,0]P0[id \"Ben\"]P1[id \"Ann\"];B[c8-c6])", ["Ann", "Ben"], None),
        (
            "(;PB[?];B[c8-c6]PB[Ann]PW[Ben];W[a4-c2]RE[White wins])",
            ["Ann", "Ben"],
            Some(Side::White),
        ),
    ] {
        let record = one(text);
        let fields = [HeaderField::Black, HeaderField::White];
        assert_eq!(
            fields.map(|field| record.info(field)),
            names.map(|name| Some(name.into())),
            "{text}"
        );
        assert_eq!(
            record.outcome(),
            outcome.map_or(RecordResult::Unknown, RecordResult::Won),
            "{text}"
        );
        assert_eq!(record.fault(), None, "{text}");
    }
    for (signs, comment, glyphs) in [
        ("! {good} $9", "good", vec![1, 9]),
        ("(?!)", "", vec![6]),
        ("+/= =", "", vec![14, 10]),
        ("\u{203c} \u{2213}", "", vec![3, 17]),
        ("* (a \"book\" (1900) move)", "a \"book\" (1900) move", vec![7]),
        ("(9-13 22-18 1/2-1/2)", "", vec![]),
    ] {
        let record = one(&format!("1. 11-15{signs} 23-19 *"));
        assert_eq!((record.comment(1), record.glyphs(1)), (comment.to_string(), glyphs), "{signs}");
    }
}

/// Each text was a guess once, or damage that a reader tried to understand. The moves before the error
/// stay. The messages of other faults are tested in `pdn.rs` and `sgf.rs`.
#[test]
fn anything_else_is_an_error() {
    for (text, read) in [
        ("1 11 15 22 18 2 15 22 *", "1x11 15x22 18x2 15x22"),
        ("1 . 11-15 *", "!"),
        ("1. 11-15 $ 23-19 *", "11-15!"),
        ("1. 11-15 $999 23-19 *", "11-15!"),
        ("1. 11-15 8-111 *", "11-15!"),
        ("1. 11-15 8-11x *", "11-15!"),
        ("1. 11-15 1118 *", "11-15!"),
        ("1. 11-15 99 23-19 *", "11-15!"),
        ("1. 11-15 23-19, 8-11 *", "11-15 23-19!"),
        ("1. 11-15 [good] 23-19 *", "11-15!"),
        ("1. 11-15 (22-17 z) 23-19 *", "11-15!"),
        ("1. 11-15 {open 23-19 {c} *", "11-15!"),
        ("1. 11-15 draw offered", "11-15!"),
        ("1. 11-15 1/2 - 1/2", "11-15!"),
        ("1. 11-15 1-0 1-0", "11-15!"),
        ("1. 11-15 1-0 2. 8-11 *", "11-15!"),
        ("[Event \"The \"big\" one\"]\n1. 11-15 *", "11-15!"),
        ("[Event \"x\"\n\n[Event \"y\"]\n1. 11-15 *", "! / 11-15"),
        ("[Result \"1-0\"]\n1. 11-15 0-1", "11-15!"),
        ("[Result \"hurrah\"]\n1. 11-15 0-1", "11-15!"),
        ("* *", "! / !"),
        ("{a note}", "!"),
        ("(GM[9];B[d1-b3])", "!"),
        ("(;GM[9];B[d1-b3](W[h4-f2]))", "d1-b3!"),
        ("(;GM[9];b[d1-b3])", "!"),
        ("(;GM[9]pl[W];B[d1-b3])", "d1-b3!"),
        ("(;GM[9];B[d1-b3];Move[h4-f2])", "d1-b3!"),
        ("(;GM[9];B[d1-b3];MV[h4-f2])", "d1-b3!"),
        ("(;GM[9]AB1[b1];B[d1-b3])", "d1-b3!"),
        ("(;GM[9];B[d1-b3](;W[h4-f2]);W[h5-f5])", "d1-b3 h4-f2!"),
        ("(;GM[9];B[d1-b3])(;W[h4-f2])", "d1-b3 / !"),
        ("(;GM[9];B[d1-b3]);W[h4-f2])", "d1-b3 / !"),
    ] {
        assert_eq!(games(text), read, "{text}");
    }
}
