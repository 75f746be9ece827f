//! Game records: reading, writing, annotating and replaying them.

mod annotated;
mod beginnings;
mod charsets;
mod commands;
mod habits;
mod lists;
mod memory;
mod mutations;
mod pdn;
#[path = "../support/programs.rs"]
mod programs;
mod rules;
mod sgf;

use std::io::{BufReader, Cursor, Write};
use std::time::Instant;

use proptest::prelude::*;
use soucie::game::{Game, MoveFormat, Side, legal_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::{Loa, LoaRules};
use soucie::records::items::{RawItem, TextItem, items, raw_items};
use soucie::records::{
    HeaderField, MoveMark, Record, RecordError, RecordFormat, RecordReader, RecordResult, check,
    replay,
};

const GAMES: &str = include_str!("../data/loa/games.sgf");

fn read(text: &str) -> Vec<Result<Record, RecordError>> {
    check_raw_items(text);
    RecordReader::new(text.as_bytes()).collect()
}

/// Checks that games which are only cut out at first are read like the others.
#[track_caller]
fn check_raw_items(text: &str) {
    let describe = |item: TextItem| match item {
        TextItem::Game(record) => {
            let (place, fault) = (record.location(), record.fault());
            format!("{} {place} {fault:?}\n{record}", record.variant())
        }
        TextItem::Setup { line, setup } => format!("{line} {setup:?}"),
        TextItem::Failure(error) => error.to_string(),
    };
    // The text arrives in parts.
    let parts = || BufReader::with_capacity(7, Cursor::new(text.to_string()));
    let read = items(parts(), None).unwrap().map(describe);
    let raw = raw_items(parts(), None).unwrap().flatten().filter_map(RawItem::read);
    assert!(read.eq(raw.map(describe)), "{text}");
}

/// The only game of a valid text.
#[track_caller]
fn one(text: &str) -> Record {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.pop().unwrap().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The moves or the error of each game of a text.
fn summary(text: &str) -> Vec<String> {
    let line = |game: Result<Record, RecordError>| match fault(&game) {
        Some(fault) => fault,
        None => moves(&game.unwrap()),
    };
    read(text).into_iter().map(line).collect()
}

/// The moves of the main line.
fn moves(record: &Record) -> String {
    record.moves().collect::<Vec<_>>().join(" ")
}

/// The syntax error of a game, with or without moves before it.
fn fault(game: &Result<Record, RecordError>) -> Option<String> {
    match game {
        Ok(record) => record.fault().map(str::to_string),
        Err(error) => Some(error.to_string()),
    }
}

/// Writes a record and reads it again. Returns the text. The record must be unchanged.
#[track_caller]
fn round_trip(record: &Record) -> String {
    let text = record.to_string();
    let again = RecordReader::new(text.as_bytes()).format(record.format()).next().unwrap();
    let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&again, record, "{text}");
    assert_eq!(again.to_string(), text);
    text
}

// Replaying and annotating.

const NO_MOVES: &[&str] = &[];

fn rules() -> LoaRules {
    LoaRules::default()
}

#[test]
fn errors_name_the_first_illegal_move() {
    let rows = [
        ("(;GM[9];B[c8-c6]\n;W[a4-c2];B[d8-d4])", "line 2, column 13: ply 3, d8-d4: d8 to d4: "),
        ("(;GM[9];B[c8-c6];B[d8-b6])", "line 1, column 20: ply 2, d8-b6: White is to move"),
        ("(;GM[9];B[c8:c6])", "line 1, column 11: ply 1, c8:c6: "),
        (
            "(;GM[9]SU[Custom]AB[a1])",
            "line 1, column 1: ply 0, 8/8/8/8/8/8/8/B7 b: White has no stones",
        ),
        ("1. 11-15 23-19\n2. 15-18 22x15 3. 1-5 *", "line 2, column 19: ply 5, 1-5: "),
    ];
    for (text, error) in rows {
        let found = check(&one(text)).unwrap_err().to_string();
        assert!(found.starts_with(error), "{text}: {found}");
    }
    let record = one("1. 11-15 23-19 2. 8-11 22-17 3. 4-8 *");
    assert_eq!(check(&record), Ok(5));
    assert_eq!(replay::<Draughts>(&record, Default::default()).unwrap().len(), 6);
    let other = replay::<Loa>(&record, rules()).unwrap_err();
    assert_eq!(other.to_string(), "line 1, column 1: ply 0, englishdraughts: another game");
}

#[test]
fn new_records_are_annotated_and_written() {
    let moves = ["d1b3", "h4f2", "b1-b4", "g4g1"];
    let mut record = Record::new::<Loa>(&Loa::VARIANTS[0], None, rules(), &moves[..3]).unwrap();
    assert!(Record::new::<Loa>(&Loa::VARIANTS[0], None, rules(), &moves).is_err());
    record.set_info(HeaderField::Black, "One\0\u{1b} [1]");
    record.set_info(HeaderField::White, "Two\\");
    record.set_info(HeaderField::White, "Three");
    record.set_outcome(RecordResult::Won(Side::White));
    record.add_comment(2, "a mistake");
    record.add_comment(2, "indeed");
    record.add_comment(9, "nothing");
    record.add_mark(2, MoveMark::Blunder);
    record.add_mark(2, MoveMark::Good);
    record.add_variation(2, &["h5xg4", "b1-b4", "0000"], " better ").unwrap();
    record.add_variation(9, &["h5-g4"], "").unwrap();
    assert!(record.add_variation(2, &["h9-g4"], "").is_err());
    assert_eq!(
        round_trip(&record),
        "(;FF[4]GM[9]SZ[8]CA[UTF-8]SU[Standard]AP[Soucie:VERSION]PB[One [1\\]]PW[Three]RE[W+]\n\
         ;B[d1-b3]\n\
         (;W[h4-f2]C[a mistake\nindeed]BM[2];B[b1-b4])\n\
         (;W[h5:g4]C[better];B[b1-b4];W[pass]))\n"
            .replace("VERSION", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(record.info(HeaderField::Black).as_deref(), Some("One [1]"));

    let moves = ["h6g5", "22-18", "b6a5"];
    let start = &Draughts::VARIANTS[0];
    let mut record = Record::new::<Draughts>(start, None, Default::default(), &moves).unwrap();
    record.set_info(HeaderField::Event, "a \"match\"\nof two");
    record.set_outcome(RecordResult::Drawn);
    record.add_comment(0, "a start");
    record.add_comment(1, "a { and a }\nand more");
    record.add_mark(2, MoveMark::Mistake);
    record.add_variation(2, &["22-17", "9-13"], "better").unwrap();
    let text = record.to_string();
    assert_eq!(
        text,
        "[GameType \"21,B,8,8,N1,0\"]\n[Result \"1/2-1/2\"]\n[Event \"a \\\"match\\\" of two\"]\n\n \
         {a start} 1. 12-16 {a ( and a )\nand more} 22-18? (1... 22-17 {better} 2. 9-13) \
         2. 9-13 1/2-1/2\n\n"
            .replace("\n {a", "\n{a")
    );
    let again = one(&text);
    assert_eq!(again.comment(1), record.comment(1));
    round_trip(&again);

    let setup = "W:WK14,K15,K18:BK1,K6";
    let record = Record::new::<Draughts>(start, Some(setup), Default::default(), &["14-10"]);
    let text = round_trip(&record.unwrap());
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"W:WK14,K15,K18:BK1,K6\"]"), "{text}");
}

/// Comments that readers of PDN could take for something else.
const HOSTILE: [&str; 8] = [
    "a comment (2. 9-13) of\nthe move",
    "first\n\n[Event of the year\nlast",
    "a } brace, a { and :-(",
    "2) 9-13; or 1) 9-14 (",
    "he offers 1/2-1/2 and * and 1-0 here",
    "1-0\n0-1\n\n[White \"x\"]\n\n1. 9-13 *",
    "&#125; &#38; &amp; \\ \" % $1 ! ?",
    "\n%\n; 9-13\n# 9-13",
];

/// A converter for `tests/external/witness/pydraughts_pdn.py`, not a test. It replays each game of
/// `PDN_FROM` and writes it to `PDN_TO` with comments, marks and variations.
#[test]
#[ignore = "needs PDN_FROM and PDN_TO"]
fn a_file_of_pdn_is_written_anew() {
    let file = |name| std::env::var_os(name).expect("PDN_FROM and PDN_TO name the files");
    let input = std::fs::File::open(file("PDN_FROM")).unwrap();
    let mut output = std::fs::File::create(file("PDN_TO")).unwrap();
    for record in RecordReader::new(std::io::BufReader::new(input)) {
        let record = record.unwrap();
        check(&record).unwrap();
        let moves: Vec<&str> = record.moves().collect();
        let (start, rules) = (&Draughts::VARIANTS[0], Default::default());
        let mut new = Record::new::<Draughts>(start, record.setup(), rules, &moves).unwrap();
        new.set_info(HeaderField::Event, &record.info(HeaderField::Event).unwrap());
        new.set_outcome(record.outcome());
        for ply in 1..=moves.len() {
            match ply % 5 {
                1 => new.add_comment(ply, HOSTILE[ply / 5 % HOSTILE.len()]),
                2 => new.add_mark(ply, MoveMark::Blunder),
                3 => new.add_variation(ply, &["9-14", "1x10"], "or this").unwrap(),
                _ => {}
            }
        }
        round_trip(&new);
        write!(output, "{new}").unwrap();
    }
}

// Invalid, random and very long input.

#[test]
fn deep_and_long_games_are_bounded() {
    let deep = format!("(;GM[9]{}", "(;B[c8-c6]".repeat(100_000));
    assert_eq!(
        summary(&deep),
        ["line 1, column 9998: the game has more than 1000 nested variations"]
    );
    let fits = format!("(;GM[9]{}{})", "(;B[c8-c6]".repeat(999), ")".repeat(999));
    assert_eq!(one(&fits).moves().count(), 999);
    round_trip(&one(&fits));
    let deep = format!("1. 11-15 {}", "(9-13 ".repeat(100_000));
    assert_eq!(
        summary(&deep),
        ["line 1, column 6010: the game has more than 1000 nested variations"]
    );
    let long = format!("(;GM[9]{})\n(;GM[9];B[c8-c6])", ";".repeat(200_000));
    assert_eq!(
        summary(&long),
        ["line 1, column 100007: the game has more than 100,000 nodes", "c8-c6"]
    );
    let tags = format!("{}\n1. 11-15 *", "[A \"\"]\n".repeat(2_000));
    assert_eq!(
        summary(&tags)[0],
        "line 1001, column 1: the game has more than 1000 tags and comments before the moves"
    );
    let big = format!("(;C[{}])\n(;FF[4];B[c8-c6])", "x".repeat(5 << 20));
    assert_eq!(summary(&big), ["line 1, column 4194305: the game has more than 4 MiB", "c8-c6"]);
    let big = format!("1. 11-15 {{{}}} *\n[Event \"x\"]\n1. 9-13 *", "x".repeat(5 << 20));
    assert_eq!(summary(&big).len(), 2);
}

/// An input on which every read fails.
struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the disk is gone"))
    }
}

#[test]
fn a_read_error_ends_the_reading() {
    let input = std::io::Read::chain("1. 11-15 *\n1. 9-13".as_bytes(), Broken);
    let mut reader = RecordReader::new(std::io::BufReader::new(input));
    for moves in ["11-15", "9-13"] {
        assert_eq!(self::moves(&reader.next().unwrap().unwrap()), moves);
    }
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
    assert!(reader.next().is_none());
}

/// Comments and names: any text, and what readers could take for the end of them.
fn annotation() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        prop::sample::select(vec![
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "\\",
            "\"",
            "\n",
            "\r\n",
            "\n\n[Event \"x\"]\n",
            "\n[Event of",
            "\n\n[White \"",
            "(;GM[9]",
            "\n(;GM[9];B[d1-b3]",
            " 1-0 ",
            "\n*\n",
            "1/2-1/2",
            ";",
            "%",
            "\n%",
            "&#125;",
            "&#",
            "&amp;",
            "$1",
            "1. 9-13",
            " B[",
            "PW[",
            "\t",
            "\u{a0}",
            "?",
            "!",
            ":",
        ])
        .prop_map(str::to_string),
        "[a-z1-9 ]{0,12}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// A record whose legal moves and annotations are selected by `choices`.
fn generated<P: Game>(choices: &[(usize, String)]) -> Record {
    let variant = &P::VARIANTS[choices.len() % P::VARIANTS.len()];
    let mut position = P::read_setup(variant.start, P::Rules::default()).unwrap();
    let mut played = Vec::new();
    for (choice, _) in choices {
        let legal = legal_moves(&position);
        if legal.is_empty() {
            break;
        }
        let mv = legal[choice % legal.len()];
        played.push((position.write_move(mv, MoveFormat::Coordinate), position));
        position = position.play(mv);
    }
    // Some records begin in the middle of a game.
    let begin = if choices.len().is_multiple_of(3) { played.len() / 2 } else { 0 };
    let setup = played.get(begin).map(|(_, position)| position.write_setup());
    let moves: Vec<&str> = played[begin..].iter().map(|(text, _)| text.as_str()).collect();
    let rules = P::Rules::default();
    let mut record = Record::new::<P>(variant, setup.as_deref(), rules, &moves).unwrap();
    assert_eq!(check(&record), Ok(moves.len()));
    for (ply, (choice, text)) in choices.iter().enumerate().take(moves.len() + 1) {
        match choice % 7 {
            0 => record.add_comment(ply, text),
            1 => record.add_mark(ply, MoveMark::Interesting),
            2 if ply > 0 => {
                let position = played[begin + ply - 1].1;
                let other = legal_moves(&position)[0];
                let line = [position.write_move(other, MoveFormat::Standard)];
                record.add_variation(ply, &line, text).unwrap();
            }
            3 => record.set_info(HeaderField::Site, text),
            4 => record.set_outcome(RecordResult::Won(Side::White)),
            _ => {}
        }
    }
    record
}

proptest! {
    #[test]
    fn generated_records_round_trip(
        choices in prop::collection::vec(
            (any::<usize>(), annotation()), 1..60
        )
    ) {
        for record in [generated::<Loa>(&choices), generated::<Draughts>(&choices)] {
            let again = one(&round_trip(&record));
            prop_assert_eq!(again.setup(), record.setup());
            prop_assert_eq!(check(&again), check(&record));
            prop_assert!(again.moves().eq(record.moves()));
            prop_assert_eq!(again.fault(), None);
        }
    }

    #[test]
    fn any_text_is_games_or_errors(text in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..300),
        words(&[
            "(", ")", "(;", ";", "(;GM[9]", "B[c8-c6]", "W[a4-c2]", "C[x\\]\n", "]", "[", "\\",
            "C[y]", "BM[1]", "XX[a][b]", "AB[a1]", "PL[W]", "B[resign]", " ", "\n", "SU[custom]",
            "IT[]", "\u{e9}", "(;FF[4]",
        ]),
        words(&[
            "[Event \"x\"]\n", "[FEN \"W:W32:B1\"]", "[", "1.", "1...", "11-15", " 23-19 ",
            "22x15x8", "-", "x", "(", ")", "{", "}", "{c}", "; d }\n", "$1", "$", "!", "?!", "*",
            " * ", " 1-0 ", "\n", "%", " ", "\"", "(!)", "9 ", "h6f4 ", "\\", "\u{e9}", "{e\nf}",
        ]),
    ]) {
        let reader = || RecordReader::new(text.as_slice());
        for reader in [reader(), reader().format(RecordFormat::Sgf), reader().format(RecordFormat::Pdn)] {
            let games: Vec<_> = reader.take(1000).collect();
            prop_assert!(games.len() < 1000);
            for record in games.into_iter().flatten() {
                round_trip(&record);
            }
        }
    }
}

/// Texts of these words.
fn words(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let words = prop::collection::vec(prop::sample::select(words), 0..40);
    words.prop_map(|words| words.concat().into_bytes())
}

/// What a text repeats: none takes a time in proportion to the square of its length.
#[test]
#[ignore = "other work disturbs it"]
fn the_time_is_in_proportion_to_the_length() {
    for (start, repeated, end) in [
        ("(;PB[x]", ";GM[", ""),
        ("(;PB[x]", " ", ""),
        ("(;PB[x]", ";", ""),
        ("(;PB[x]", "\n(", ""),
        ("(;PB[x]", "GM", ""),
        ("(;PB[x]", "C[", ""),
        ("(;PB[x]", "x] B ", ""),
        ("1. ", "1-5!", ""),
        ("", "[A \"b\"]", "\n1. 11-15 *"),
    ] {
        let time = |size: usize| {
            let text = format!("{start}{}{end}", repeated.repeat(size / repeated.len()));
            let begin = Instant::now();
            assert!(!read(&text).is_empty());
            begin.elapsed()
        };
        let short = (0..3).map(|_| time(256 << 10)).min().unwrap();
        let long = time(4 << 20);
        assert!(long < short * 64, "{repeated:?}: {short:?}, but {long:?} for 16 times the text");
    }
}
