//! Clocks, times and evaluations: commands in comments, and properties of SGF.

use super::*;
use soucie::records::{Annotation, MoveData};

/// The data and the comment of the moves of the main line.
fn recorded(record: &Record) -> Vec<(String, String)> {
    let lines = record.lines();
    lines[0].moves.iter().map(|mv| (mv.data.to_string(), mv.comment.clone())).collect()
}

/// The comment on a move of White, then its data and its words.
const COMMENTS: &[(&str, &str, &str)] = &[
    // Lidraughts, as in PDN 3.0.
    ("[%clock w0:05:00 B0:04:58]", "White 0:05:00, Black 0:04:58", ""),
    ("[%clock W1:05:00 b10:04:58]", "White 1:05:00, Black 10:04:58", ""),
    ("[%clock 0:49:11] good", "White 0:49:11", "good"),
    ("[%clk w0:00:10 B0:00:03]", "White 0:00:10, Black 0:00:03", ""),
    // Lichess and PlayStrategy.
    ("[%eval 0.12] [%clk 0:04:57]", "White 0:04:57, recorded evaluation 0.12", ""),
    (
        "(0.12 → -1.5) Mistake. [%eval -1.5,20]",
        "recorded evaluation -1.5,20",
        "(0.12 → -1.5) Mistake.",
    ),
    ("[%eval #-3]", "recorded evaluation #-3", ""),
    // Chess.com.
    ("[%clk 0:09:57.9][%timestamp 25]", "White 0:09:57.9, took 2.5 s", ""),
    // FICS and boards of DGT.
    ("[%emt 1.5]", "took 1.5 s", ""),
    ("[%emt 0:01:07]", "took 67 s", ""),
    ("a [%emt 0:00:00.042] remark", "took 0.042 s", "a remark"),
    ("before\n[%clk 5:00]", "White 0:05:00", "before"),
    // No command of these, or no value of them, is a comment.
    ("[%cal Ra1b2] [%mct 17:10:42]", "", "[%cal Ra1b2] [%mct 17:10:42]"),
    (
        "[%clk soon] [%emt -1] [%eval x] [%eval 1.2.3] [%eval]",
        "",
        "[%clk soon] [%emt -1] [%eval x] [%eval 1.2.3] [%eval]",
    ),
    ("[%clk 1:2:3:4] [%clock x0:01:00] [%clk", "", "[%clk 1:2:3:4] [%clock x0:01:00] [%clk"),
    ("[%clk 0:01:00] [%clk 0:02:00]", "White 0:01:00", "[%clk 0:02:00]"),
    ("[%emt 99999999999999999999:00]", "", "[%emt 99999999999999999999:00]"),
];

#[test]
fn commands_in_comments_are_clocks_times_and_evaluations() {
    for (comment, data, words) in COMMENTS {
        let pdn = one(&format!("1. 11-15 23-19 {{{comment}}} 8-11 *"));
        let value = comment.replace(']', "\\]");
        let sgf = one(&format!("(;GM[9];B[d1-b3];W[h4-f2]C[{value}];B[c1-c3])"));
        for record in [&pdn, &sgf] {
            let expected = (data.to_string(), words.to_string());
            assert_eq!(recorded(record)[1], expected, "{comment}");
            // The record keeps them.
            assert_eq!(record.comment(2), *comment);
            round_trip(record);
        }
        assert!(pdn.to_string().contains(&format!("{{{comment}}}")), "{pdn}");
    }
}

#[test]
fn times_of_sgf_are_clocks() {
    let record = one("(;GM[9]BL[600]WL[600];B[d1-b3]BL[298.25]OB[5];W[h4-f2]WL[300.0]C[good]\
         (;B[c1-c3]BL[x]OB[-1])(;B[b1-b4]BL[12]C[[%emt 3\\]]))");
    let texts = ["Black 0:04:58.25, Black 5 moves to go", "White 0:05:00", ""];
    assert_eq!(recorded(&record).iter().map(|(data, _)| data.as_str()).collect::<Vec<_>>(), texts);
    assert_eq!(record.start().recorded.to_string(), "White 0:10:00, Black 0:10:00");
    assert_eq!(record.lines()[1].moves[0].data.to_string(), "Black 0:00:12, took 3 s");
    assert_eq!(record.other_headers(), []);
    round_trip(&record);
    for (property, expected) in [
        ("BL[-1]", "BL: expected a time in seconds, found '-1'"),
        ("WL[x]", "WL: expected a time in seconds, found 'x'"),
        ("OB[1.5]", "OB: expected a number of moves, found '1.5'"),
        ("OW[-3]", "OW: expected a number of moves, found '-3'"),
    ] {
        let record = one(&format!("(;GM[9];B[d1-b3]{property};W[h4-f2])"));
        assert_eq!(moves(&record), "d1-b3 h4-f2");
        assert_eq!(record.fault(), Some(format!("line 1, column 20: {expected}").as_str()));
        assert!(round_trip(&record).contains(property));
    }
}

#[test]
fn recorded_data_is_written_again() {
    for (comment, data, words) in COMMENTS {
        let texts = [
            format!("1. 11-15 23-19 {{{comment}}} 8-11 *"),
            format!("(;GM[9];B[d1-b3];W[h4-f2]C[{}];B[c1-c3])", comment.replace(']', "\\]")),
        ];
        for text in texts {
            let record = one(&text);
            let mv = &record.lines()[0].moves[1];
            let (comment, recorded) = (mv.comment.clone(), mv.data.clone());
            let written = Annotation { line: 0, ply: 2, comment, recorded, ..Default::default() };
            let bare = [text.split(" {").next().unwrap(), text.split("C[").next().unwrap()];
            let bare = if text.starts_with('(') {
                format!("{})", bare[1])
            } else {
                format!("{} *", bare[0])
            };
            let mut again = one(&bare);
            again.add_lines(&[], std::slice::from_ref(&written)).unwrap();
            let again = one(&round_trip(&again));
            let mv = &again.lines()[0].moves[1];
            assert_eq!(
                (mv.data.to_string(), mv.comment.as_str()),
                (data.to_string(), *words),
                "{again}"
            );
            assert_eq!(mv.data, written.recorded, "{again}");
        }
    }
    // PDN has commands for clocks, SGF properties.
    let recorded: MoveData = serde_json::from_str(
        r#"{"clock":{"black":298250,"white":300000},"moves_to_go":{"white":4},"time":1500,"eval":"0.12"}"#,
    )
    .unwrap();
    for (bare, expected) in [
        ("1. 11-15 *", "{[%clock W0:05:00 b0:04:58.25] [%emt 0:00:01.5] [%eval 0.12] x}"),
        (
            "(;GM[9];B[d1-b3])",
            ";B[d1-b3]BL[298.25]WL[300]OW[4]C[[%emt 0:00:01.5\\] [%eval 0.12\\] x]",
        ),
    ] {
        let mut record = one(bare);
        let comment = "x".to_string();
        let recorded = recorded.clone();
        let written = Annotation { line: 0, ply: 1, comment, recorded, ..Default::default() };
        record.add_lines(&[], &[written]).unwrap();
        assert!(record.to_string().contains(expected), "{record}");
    }
    // An evaluation that is none is not written.
    let recorded = MoveData { eval: Some("1] } x".to_string()), ..Default::default() };
    let mut record = one("1. 11-15 *");
    record
        .add_lines(&[], &[Annotation { line: 0, ply: 1, recorded, ..Default::default() }])
        .unwrap();
    assert_eq!(record.comment(1), "");
}
