//! Records in PDN as people write them: results in words, remarks, typographic signs.

use super::pdn::played;
use super::*;

#[test]
fn results_are_read_in_points_and_words() {
    let (black, white, drawn) =
        (RecordResult::Won(Side::Black), RecordResult::Won(Side::White), RecordResult::Drawn);
    for (text, outcome) in [
        ("Drawn", drawn),
        ("draw.", drawn),
        ("\u{bd}-\u{bd}", drawn),
        ("1/2 - 1/2", drawn),
        ("Black wins", black),
        ("Red wins", black),
        ("White won!", white),
        ("Black resigns", white),
        ("White wins 0-1", white),
        ("1-0 White resigns", black),
        ("Black wins *", black),
        ("* White wins", white),
    ] {
        let record = one(&format!("1. 11-15 23-19 {text}\n"));
        let found = (moves(&record), record.outcome(), record.fault().map(str::to_string));
        assert_eq!(found, ("11-15 23-19".into(), outcome, None), "{text}");
        let has_reason = text.contains("resigns");
        assert_eq!(record.comment(2).contains("resigns"), has_reason, "{text}");
        round_trip(&record);
    }
    for (value, outcome) in [
        ("Red won", black),
        ("Red wins", black),
        ("Black", black),
        ("white", white),
        ("1\u{2013}0", black),
        ("Draw agreed", drawn),
    ] {
        let record = one(&format!("[Result \"{value}\"]\n1. 11-15 23-19"));
        assert_eq!((record.outcome(), record.fault()), (outcome, None), "{value}");
        round_trip(&record);
    }
    // What has no meaning, or contradicts the other result.
    for (value, end) in [
        ("1", "*"),
        ("W/R", ""),
        ("hurrah", "1-0"),
        ("1-0", "0-1"),
        ("1/2-1/2", "2-0"),
        ("1-0", "Red resigns"),
        ("?", "White wins 1-0"),
    ] {
        let record = one(&format!("[Result \"{value}\"]\n1. 11-15 23-19 {end}\n"));
        assert!(record.fault().is_some(), "{value}, {end}");
        assert_eq!(moves(&record), "11-15 23-19", "{value}, {end}");
    }
    // Words that are more than a result.
    for text in ["Black to move", "draw offered", "White wins a man", "Black"] {
        let found = played(&format!("1. 11-15 23-19 {text}\n"));
        assert_eq!(found[0].0, "11-15 23-19", "{text}");
        assert!(!found[0].1.is_empty(), "{text}");
    }
}

#[test]
fn tags_are_read_in_any_case_and_with_typographic_quotes() {
    let text = "[event \"Cup\"]\n[BLACK \u{201c}Jones\u{201d}] [white \u{ab}Ann\u{bb}]\n\
                [gametype \"21\"]\n[result \"0-1\"]\n[fen \"B:W21,22,32:B11,12\"]\n1. 11-15 22-18 *\n";
    let record = one(text);
    let infos = [HeaderField::Event, HeaderField::Black, HeaderField::White];
    let infos = infos.map(|info| record.info(info).unwrap_or_default());
    assert_eq!(infos, ["Cup", "Jones", "Ann"]);
    assert_eq!(record.setup(), Some("B:W21,22,32:B11,12"));
    assert_eq!((record.outcome(), record.fault()), (RecordResult::Won(Side::White), None));
    round_trip(&record);
    let other = summary("[gametype \"20\"]\n1. 32-28 *\n");
    assert!(other[0].contains("found GameType 20"), "{other:?}");
    for value in ["The \"big\" one", "\"big\"", "a \\\"b\\\" c", "\u{201c}x\u{201d} [1]"] {
        let record = one(&format!("[Event \"{value}\"]\n1. 11-15 *"));
        assert_eq!((record.fault(), moves(&record).as_str()), (None, "11-15"), "{value}");
        let event = record.info(HeaderField::Event).unwrap();
        assert_eq!(event, value.replace('\\', ""));
        round_trip(&record);
    }
}

#[test]
fn an_unclosed_comment_hides_no_game_without_an_empty_line() {
    let text = "[Event \"a\"]\n1. 11-15 23-19 {unclosed 2. 8-11 1-0\n[Event \"x\"]\n[White \"W\"]\n\
                [Black \"B\"]\n1. 9-13 22-18 *\n[Event \"y\"]\n1. 10-14 *\n";
    let found = played(text);
    let moves: Vec<&str> = found.iter().map(|(moves, _)| moves.as_str()).collect();
    assert_eq!(moves, ["11-15 23-19", "9-13 22-18", "10-14"]);
    assert!(found[0].1.contains("a comment is not closed") && found[1].1.is_empty());
    let found = played("1. 11-15 zzz 1-0 {open\n[Event \"b\"]\n[Result \"*\"]\n1. 9-13 *");
    let moves: Vec<&str> = found.iter().map(|(moves, _)| moves.as_str()).collect();
    assert_eq!(moves, ["11-15", "9-13"], "{found:?}");
}

#[test]
fn a_token_splits_no_game_in_silence() {
    for text in [
        "[Event \"a\"]\n1. 11-15 23-19 *\n3. 9-13 22-18 4. 12-16 *",
        "[Event \"a\"]\n1. 11-15 23-19 *\n\n3. 9-13 22-18 4. 12-16 *",
        "[Event \"a\"]\n1. 11-15 *\n23-19 2. 8-11 22-17 *",
        "[Event \"a\"]\n[Black \"Ann\"] 12-16\n[White \"Ben\"]\n\n1. 11-15 *",
        "[Event \"a\"]\n[Black \"Ann\"]\n[White \"Ben\"] 12-16\n\n1. 11-15 *",
        "[Event \"a\"] 1-0\n[Black \"Ann\"]\n\n1. 11-15 *",
        "[Event \"a\"]\n[Black \"Ann\"] *\n\n1. 11-15 *",
    ] {
        let found = played(text);
        assert!(found.iter().any(|(_, error)| !error.is_empty()), "{text}: {found:?}");
    }
    // The headers and the moves of such a game stay together.
    let record = one("[Event \"a\"] 1-0\n[Black \"Ann\"] *\n\n1. 11-15 *");
    let name = record.info(HeaderField::Black);
    assert_eq!((name.as_deref(), moves(&record).as_str()), (Some("Ann"), "11-15"));
    for text in [
        "[Event \"a\"]\n1. 11-15 23-19\n[Event \"b\"]\n1. 9-13 *",
        "1. 11-15 23-19 *\n1 9-13 22-18 *",
        "1. 11-15 23-19 *\n\n9-13 22-18 *",
    ] {
        let found = played(text);
        assert!(found.len() == 2 && found.iter().all(|(_, error)| error.is_empty()), "{found:?}");
    }
}

#[test]
fn annotations_end_no_game() {
    // The text, the comment on the second ply, and its glyphs.
    let rows: [(&str, &str, &[u8]); 17] = [
        ("23-19\u{b1}", "", &[16]),
        ("23-19 +-", "", &[18]),
        ("23-19+-", "", &[18]),
        ("23-19-+", "", &[19]),
        ("23-19 \u{2212}+", "", &[19]),
        ("23-19 =", "", &[10]),
        ("23-19\u{2a72}", "", &[14]),
        ("23-19+/=", "", &[14]),
        ("23-19-/+", "", &[17]),
        ("23-19!\u{2213}", "", &[1, 17]),
        ("23-19\u{203c}", "", &[3]),
        ("23-19 \u{2191}", "\u{2191}", &[]),
        ("23-19 $", "$", &[]),
        ("23-19 $999", "$999", &[]),
        ("23-19 (the \u{201c}Single Corner\u{201d})", "the \u{201c}Single Corner\u{201d}", &[]),
        ("23-19 (or 2... 27-23 (so))", "or 2... 27-23 (so)", &[]),
        ("23-19 (=)", "=", &[]),
    ];
    for (text, comment, glyphs) in rows {
        let record = one(&format!("1. 11-15 {text} 2. 8-11 22-17 *"));
        let found = (moves(&record), record.comment(2), record.glyphs(2), record.fault());
        let expected = ("11-15 23-19 8-11 22-17".into(), comment.into(), glyphs.to_vec(), None);
        assert_eq!(found, expected, "{text}");
        round_trip(&record);
    }
    let record = one("1. $1 11-15 *");
    assert_eq!((record.comment(0).as_str(), record.fault()), ("$1", None));
}

#[test]
fn an_error_in_a_variation_does_not_end_the_main_line() {
    for (variation, line, comment) in [
        ("1... 22-18 is better", "22-18", "is better"),
        ("22-18 2. 1522 (x) {y)} 25x18", "22-18", "1522 (x) (y)) 25x18"),
        ("22-18 2. 15 25x18", "22-18", "15 25x18"),
        ("22-18 (22-17 z) 2. 15x22", "22-18 15x22", ""),
    ] {
        let record = one(&format!("1. 11-15 23-19 ({variation}) 2. 8-11 1-0"));
        assert_eq!(moves(&record), "11-15 23-19 8-11", "{variation}");
        assert_eq!(record.outcome(), RecordResult::Won(Side::Black));
        assert!(record.fault().is_some(), "{variation}");
        assert_eq!(record.variations(2)[0].join(" "), line, "{variation}");
        let lines = record.lines();
        let last = lines[1].moves.last().unwrap();
        assert!(last.comment.ends_with(comment), "{variation}: {}", last.comment);
        round_trip(&record);
    }
}
