//! Records of games: read, written, annotated and played.

use std::io::Write;

use proptest::prelude::*;
use soucie::game::{Game, MoveFormat, Side, legal_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::{Loa, LoaRules};
use soucie::records::{
    Format, Info, Judgement, Outcome, Reader, Record, RecordError, check, replay,
};

const GAMES: &str = include_str!("data/loa/games.sgf");

fn read(text: &str) -> Vec<Result<Record, RecordError>> {
    Reader::new(text.as_bytes()).collect()
}

/// The only game of a text that is right.
#[track_caller]
fn one(text: &str) -> Record {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.pop().unwrap().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What is read of each game of a text: its moves or its error.
fn summary(text: &str) -> Vec<String> {
    let line = |game: Result<Record, RecordError>| match game {
        Ok(record) => record.moves().collect::<Vec<_>>().join(" "),
        Err(error) => error.to_string(),
    };
    read(text).into_iter().map(line).collect()
}

/// Writes a record and reads it again: it must be the same game.
#[track_caller]
fn round_trip(record: &Record) -> String {
    let text = record.to_string();
    let again = Reader::new(text.as_bytes()).format(record.format()).next().unwrap();
    let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&again, record, "{text}");
    assert_eq!(again.to_string(), text);
    text
}

// SGF.

#[test]
fn published_games_are_read_played_and_written_again() {
    let records: Vec<Record> = read(GAMES).into_iter().map(Result::unwrap).collect();
    assert_eq!(records.len(), 26);
    for record in &records {
        let text = record.to_string();
        let nodes = text.matches(";B[").count() + text.matches(";W[").count();
        assert_eq!(check(record), Ok(nodes), "{text}");
        assert_eq!((record.variant(), record.setup()), ("linesofaction", None));
        assert_eq!(record.outcome() == Outcome::Unknown, record.to_string().contains("RE[?]"));
        round_trip(record);
    }
    assert_eq!(records[0].info(Info::Black).as_deref(), Some("MIA II"));
    assert_eq!(records[0].info(Info::Event).as_deref(), Some("6th Computer Olympiad 2001"));
    assert_eq!(records[0].outcome(), Outcome::Won(Side::White));
    assert_eq!(records[0].moves().nth(8), Some("g6:c2"));
    // But for the ends of lines nothing changes.
    let written: String = records.iter().map(Record::to_string).collect();
    assert_eq!(written.replace('\n', ""), GAMES.replace('\n', ""));
}

#[test]
fn moves_of_sgf_are_read_in_all_their_forms() {
    let rows = [
        ("(;GM[9];B[c8-c6];W[A4-C2])", "c8-c6 a4-c2"),
        ("(;GM[9];B[C8:C6++])", "c8:c6"),
        ("(;GM[9];B[c8-c6!?];W[a4xc2])", "c8-c6 a4xc2"),
        ("(;GM[9];B[b8b6])", "b8b6"),
        ("(;GM[9];B[];W[pass])", "0000 0000"),
        ("(;GM[9];B[c8-c6];W[Resign])", "c8-c6"),
        ("(;GM[9];B[c8-c6];W[offer draw];B[accept draw])", "c8-c6"),
        ("(;gameGM[9];Black[c8-c6];White[a4-c2])", "c8-c6 a4-c2"),
        ("\u{feff}  ( ; GM [9] ; B [c8-c6]\r\n)\n", "c8-c6"),
        ("(;B[c8-c6](;W[a4-c2];B[d8-b6])(;W[a5-c5]))", "c8-c6 a4-c2 d8-b6"),
    ];
    for (text, moves) in rows {
        let record = one(&text.replace("gameGM", "GaMe"));
        assert_eq!(record.moves().collect::<Vec<_>>().join(" "), moves, "{text}");
        round_trip(&record);
    }
}

#[test]
fn results_of_sgf_are_read() {
    let rows = [
        ("RE[B+]", Outcome::Won(Side::Black)),
        ("RE[w+Resign]", Outcome::Won(Side::White)),
        ("RE[Draw]", Outcome::Drawn),
        ("RE[0]", Outcome::Drawn),
        ("RE[?]", Outcome::Unknown),
        ("RE[Void];B[resign]", Outcome::Unknown),
        (";B[resign]", Outcome::Won(Side::White)),
        (";B[c8-c6];W[resign]", Outcome::Won(Side::Black)),
        ("", Outcome::Unknown),
    ];
    for (text, outcome) in rows {
        assert_eq!(one(&format!("(;GM[9]{text})")).outcome(), outcome, "{text}");
    }
}

#[test]
fn setups_of_sgf_are_read() {
    let start = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1";
    let rows: [(&str, &str, Option<String>); 12] = [
        ("SU[Standard]", "linesofaction", None),
        ("SU[scrambled-EGGS]", "scrambledeggs", None),
        ("SU[Standard]PL[W]", "linesofaction", Some(format!("{start} w - - 0 1"))),
        (";W[a4-c2]", "linesofaction", Some(format!("{start} w - - 0 1"))),
        ("AB[b1:g1][b8:g8]AW[a2:a7][h2:h7]", "linesofaction", None),
        ("SU[Standard]AB[b1]AW[a2]", "linesofaction", None),
        (
            "AE[b1][H7]",
            "linesofaction",
            Some("1llllll1/L7/L6L/L6L/L6L/L6L/L6L/2lllll1 b - - 0 1".into()),
        ),
        (
            "SU[Custom]AB[c7][C2][d2][c1]AW[d7][h7][c3]PL[black]",
            "linesofaction",
            Some("8/2lL3L/8/8/8/2L5/2ll4/2l5 b - - 0 1".into()),
        ),
        (
            ";AB[a1];AW[h8]PL[w];W[h8-g8]",
            "linesofaction",
            Some("7L/8/8/8/8/8/8/l7 w - - 0 1".into()),
        ),
        (
            "AB[b1][d1][f1][a6][h6][a4][h4][a2][h2][c8][e8][g8]\
             AW[c1][e1][g1][a7][h7][a5][h5][a3][h3][b8][d8][f8]",
            "linesofaction",
            Some("1LlLlLl1/L6L/l6l/L6L/l6l/L6L/l6l/1lLlLlL1 b - - 0 1".into()),
        ),
        (
            "AB[c8][e8][g8][a6][h6][a4][h4][a2][h2][b1][d1][f1]\
             AW[b8][d8][f8][a7][h7][a5][h5][a3][h3][c1][e1][g1]PL[B]IY[true]",
            "linesofaction",
            Some("1LlLlLl1/L6L/l6l/L6L/l6l/L6L/l6l/1lLlLlL1 b - - 0 1".into()),
        ),
        ("SU[Scrambled-eggs]IY[true]AP[x:1]", "scrambledeggs", None),
    ];
    for (text, variant, setup) in rows {
        let record = one(&format!("(;GM[9]{text})"));
        assert_eq!((record.variant(), record.setup()), (variant, setup.as_deref()), "{text}");
        round_trip(&record);
    }
    let eggs = "1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b - - 0 1";
    let record = Record::new::<Loa>(&Loa::VARIANTS[0], Some(eggs), rules(), NONE).unwrap();
    assert_eq!(one(&record.to_string()).variant(), "scrambledeggs", "{record}");
    let told = Reader::new("(;GM[9])".as_bytes()).variant("scrambledeggs").next();
    assert_eq!(told.unwrap().unwrap().variant(), "scrambledeggs");
}

#[test]
fn what_sgf_says_besides_is_kept() {
    let text = "(;FF[4]GM[9]XX[a\\]b][ c ]IP[End]C[first]\
                ;B[c8-c6]C[a \\] and \\\\ and so\\\n on\nnext]BM[2]TE[1]XY[](;W[a4-c2]DO[])\
                (;W[a5-c5]BM[7]N[that]\n;B[d8-b6](;W[h2-e2])(;W[h3-g4])))";
    let record = one(text);
    assert_eq!(record.comment(0), "first");
    assert_eq!(record.comment(1), "a ] and \\ and so on\nnext");
    assert_eq!(record.glyphs(1), [4, 1]);
    assert_eq!(record.glyphs(2), [6]);
    assert_eq!(record.variations(2), [["a5-c5", "d8-b6", "h2-e2"]]);
    let written = round_trip(&record);
    assert_eq!(written.replace('\n', ""), text.replace("\\\n", "").replace('\n', ""));
    assert!(one("(;C[caf\u{e9}]XX[\u{e9}])").comment(0).contains('\u{e9}'));
    let latin: Vec<u8> = b"(;CA[ISO-8859-1]C[caf\xe9])".to_vec();
    let record = Reader::new(latin.as_slice()).next().unwrap().unwrap();
    assert_eq!(record.to_string(), "(;CA[UTF-8]C[caf\u{e9}])\n");
}

#[test]
fn errors_of_sgf_name_their_place_and_reading_goes_on() {
    let next = "\n(;FF[4]GM[9];B[c8-c6])";
    let rows = [
        ("(;GM[1];B[aa])", "line 1, column 6: GM 1 is not Lines of Action, GM 9"),
        ("(;GM[9]SZ[10])", "line 1, column 11: a board of size 10, not 8"),
        ("(;GM[9]SU[Gemma])", "line 1, column 11: the setup 'Gemma' is not played here"),
        ("(;GM[9]\n;B[c8-c6]\n;W[a4-k2])", "line 3, column 4: 'a4-k2' is not a move"),
        ("(;GM[9];B[swap])", "line 1, column 11: 'swap' is not a move"),
        ("(;GM[9];B[c8-c6]B[c8-c6])", "line 1, column 19: a second move in one node"),
        ("(;GM[9]AB[cc])", "line 1, column 11: 'cc' is not a point of the board"),
        ("(;GM[9]PL[x])", "line 1, column 11: PL: 'x' is not a side to move: B or W"),
        (
            "(;GM[9];B[c8-c6];AB[a1])",
            "line 1, column 17: the board is set up in the middle of the game",
        ),
        ("(;GM[9];B)", "line 1, column 10: ')' where '[' should be"),
        ("(;GM[9]B\u{e9}\u{e9}?[])", "line 1, column 9: '\u{c3}' where '[' should be"),
        (
            "(;GM[9]\u{e9};B[x])",
            "line 1, column 8: '\u{c3}' where a property, a node or a variation should be",
        ),
        ("(;GM[9];B[c8-c6]", "line 2, column 1: the game before is not closed"),
        ("(;C[\u{e9}];B[x])", "line 1, column 10: 'x' is not a move"),
    ];
    for (text, error) in rows {
        assert_eq!(summary(&format!("{text}{next}")), [error, "c8-c6"], "{text}");
    }
    let ends = [
        ("(;GM[9];B[c8-c6]", "line 1, column 17: the game is not closed"),
        ("(;GM[9];C[c8-c6", "line 1, column 10: the value of a property is not closed"),
    ];
    for (text, error) in ends {
        assert_eq!(summary(text), [error], "{text}");
    }
    // A next game that does not begin with FF or GM is found behind balanced parentheses.
    let text = "(;GM[9](;B[x]C[\\]\\)](;W[a4-c2]))C[)])\n(;EV[x];B[c8-c6])";
    assert_eq!(summary(text), ["line 1, column 12: 'x' is not a move", "c8-c6"]);
    let text = "a (mail) ( ;GM[9];B[c8-c6]) and (;GM[9])";
    assert_eq!(Reader::new(text.as_bytes()).format(Format::Sgf).flatten().count(), 2);
    assert_eq!(summary("hello"), ["line 1, column 1: neither SGF nor PDN begins with 'h'"]);
}

// PDN.

#[test]
fn moves_of_pdn_are_read_in_all_their_forms() {
    let rows = [
        ("[GameType \"21\"]\n1. 11-15 23-19 2. 9-13 *", "11-15 23-19 9-13"),
        ("1.11-15 23-19 2.9-13 22-18 1-0", "11-15 23-19 9-13 22-18"),
        ("1... 11-15 2. 23-19 9-13 0-1", "11-15 23-19 9-13"),
        ("1. 11-15 1... 23-19 ... 9-13", "11-15 23-19 9-13"),
        ("1 11-15 23-19 2 9-13", "11-15 23-19 9-13"),
        ("1. 22x15x8 22X8 22:15 2-0", "22x15x8 22X8 22:15"),
        ("1. 11 - 15 23- 19 2. 9 -13 22 x 15 x 8", "11-15 23-19 9-13 22x15x8"),
        ("1. h6-f4 g3xe5 e3f4", "h6-f4 g3xe5 e3f4"),
        ("1. 11-15! {a} 23-19?? $3 (!) 9-13* 2. 1-5 *", "11-15 23-19 9-13 1-5"),
        ("% 1. 9-13\n1. 11-15 ; 9-13\n23-19\n% 1-5\n", "11-15 23-19"),
        ("1. 11-15 (1. 9-13 22-18 (22-17) {x}) 23-19 *", "11-15 23-19"),
        ("{before} [Event \"x\"] {and} 1. 11-15 1/2-1/2 ", "11-15"),
        ("[Event \"no moves\"]\n[GameType \"21,B,8,8,N1,0\"]", ""),
        ("\u{feff}[Event \"x\"]\r\n\r\n1. 11-15\r\n23-19 1-1\r\n", "11-15 23-19"),
    ];
    for (text, moves) in rows {
        let record = one(text);
        assert_eq!(record.moves().collect::<Vec<_>>().join(" "), moves, "{text}");
        assert_eq!(record.variant(), "englishdraughts");
        round_trip(&record);
    }
}

#[test]
fn results_of_pdn_are_read() {
    let rows = [
        ("1. 11-15 1-0", Outcome::Won(Side::Black)),
        ("1. 11-15 0-1", Outcome::Won(Side::White)),
        ("1. 11-15 2-0", Outcome::Won(Side::Black)),
        ("1. 11-15 0-2", Outcome::Won(Side::White)),
        ("1. 11-15 1/2-1/2", Outcome::Drawn),
        ("1. 11-15 1-1", Outcome::Drawn),
        ("1. 11-15 *", Outcome::Unknown),
        ("1. 11-15 0-0", Outcome::Unknown),
        ("[Result \"0-1\"] 1. 11-15", Outcome::Won(Side::White)),
        ("[Result \"0-1\"] 1. 11-15 *", Outcome::Won(Side::White)),
        ("[Result \"0-1\"] 1. 11-15 1-0", Outcome::Won(Side::Black)),
    ];
    for (text, outcome) in rows {
        let record = one(text);
        assert_eq!(record.outcome(), outcome, "{text}");
        round_trip(&record);
    }
}

#[test]
fn what_pdn_says_besides_is_kept() {
    let text = "[Event \"a \\\"b\\\" \\\\ c\"]\n[Odd \"1\"]\n[White \"W\"]\n[FEN \"W:W18,K5:BK1,2\"]\n\
                {start} 1. 18-14! {good\nhere} (1. 5-9 {x} 1-5 $9 (1... 2-6) 2. 9-6) ({instead} \
                1. 18-15) 1-6 $11 ; with } brace\n2. 14-10 1-0\n\n";
    let record = one(text);
    assert_eq!(record.info(Info::Event).as_deref(), Some("a \"b\" \\ c"));
    assert_eq!(record.info(Info::White).as_deref(), Some("W"));
    assert_eq!(record.info(Info::Date), None);
    assert_eq!(record.setup(), Some("W:WK5,18:BK1,2"));
    assert_eq!(record.comment(0), "start");
    assert_eq!(record.comment(1), "good\nhere");
    assert_eq!(record.glyphs(1), [1]);
    assert_eq!(record.variations(1), [vec!["5-9", "1-5", "9-6"], vec!["18-15"]]);
    assert_eq!(record.comment(2), "with } brace");
    assert_eq!(record.glyphs(2), [11]);
    assert_eq!(round_trip(&record).replace('\n', " "), text.replace('\n', " "));
}

#[test]
fn errors_of_pdn_name_their_place_and_reading_goes_on() {
    let next = "\n\n[Event \"next\"]\n\n1. 11-15 *\n";
    let rows = [
        (
            "[GameType \"20\"]\n\n1. 32-28 *",
            "line 1, column 1: GameType 20 is not English draughts, GameType 21",
        ),
        (
            "[Event \"x\"]\n[GameType \"26,W,8,8,A0,0\"]\n[Site \"y\"]\n\n1. c3-d4 *",
            "line 2, column 1: GameType 26 is not English draughts, GameType 21",
        ),
        (
            "[Event \"x]\n[Site \"y\"]\n1. 9-13 *",
            "line 1, column 8: the value of a tag is not closed",
        ),
        ("[Event x]\n1. 9-13 *", "line 1, column 8: 'x' where '\"' should be"),
        (
            "[FEN \"rubbish\"]\n*",
            "line 1, column 6: FEN: 'rubbish' is not a setup of English draughts",
        ),
        ("1. 11-15 23-19\n2. 9_13 *", "line 2, column 5: '_' where a move should be"),
        ("1. 11-15 23-19\n2. 9 castles *", "line 2, column 6: 'castles' is not a move"),
        ("1. 11-15 23-19\n2. 1118 *", "line 2, column 4: '1118' is not a move"),
        ("1. (11-15) 23-19 *", "line 1, column 4: a variation before the first move"),
        ("1. 11-15) 23-19 *", "line 1, column 9: ')' closes no variation"),
        (
            "1. 11-15 (9-13 23-19 *",
            "line 1, column 22: a variation before the end of the game is not closed",
        ),
        ("1. 11-15 $999 *", "line 1, column 10: $: '999' is not a number from 0 to 255"),
        ("1. $1 11-15 *", "line 1, column 4: '$' where a move should be"),
        ("1. 11-15 (!? 23-19 *", "line 1, column 10: '(' is not closed"),
    ];
    for (text, error) in rows {
        let text = format!("{text}{next}");
        let found = read(&text);
        let error_found = found.iter().find_map(|game| game.as_ref().err()).unwrap();
        assert_eq!(error_found.to_string(), error, "{text}");
        let last = found.last().unwrap().as_ref().unwrap();
        assert_eq!(last.info(Info::Event).as_deref(), Some("next"), "{text}");
        assert_eq!(found.len(), 2, "{text}\n{found:?}");
    }
    let text = "1. 11-15 {never closed";
    assert_eq!(summary(text), ["line 1, column 10: a comment is not closed"]);
}

#[test]
fn games_without_tags_are_told_apart_by_their_ends() {
    let text = "1. 11-15 1-0\n1. 9-13 (9-14) *\n1. 10-15 bad 1-0\n1. 12-16 22-18 2. 1-1 1. 9-14 ";
    let bad = "line 3, column 10: 'bad' is not a move";
    assert_eq!(summary(text), ["11-15", "9-13", bad, "12-16 22-18", "9-14"]);
}

// Playing.

const NONE: &[&str] = &[];

fn rules() -> LoaRules {
    LoaRules::default()
}

#[test]
fn the_first_illegal_move_is_named() {
    let rows = [
        ("(;GM[9];B[c8-c6]\n;W[a4-c2];B[d8-d4])", "line 2, column 13: ply 3, d8-d4: d8 to d4: "),
        ("(;GM[9];B[c8-c6];B[d8-b6])", "line 1, column 20: ply 2, d8-b6: White is to move"),
        ("(;GM[9];B[c8:c6])", "line 1, column 11: ply 1, c8:c6: "),
        (
            "(;GM[9]SU[Custom]AB[a1])",
            "line 1, column 1: ply 0, 8/8/8/8/8/8/8/l7 b - - 0 1: White has no stones",
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
    assert_eq!(other.to_string(), "line 1, column 1: ply 0, englishdraughts: this is another game");
}

#[test]
fn a_new_record_is_annotated_and_written() {
    let moves = ["d1b3", "h4f2", "b1-b4", "g4g1"];
    let mut record = Record::new::<Loa>(&Loa::VARIANTS[0], None, rules(), &moves[..3]).unwrap();
    assert!(Record::new::<Loa>(&Loa::VARIANTS[0], None, rules(), &moves).is_err());
    record.set_info(Info::Black, "One [1]");
    record.set_info(Info::White, "Two\\");
    record.set_info(Info::White, "Three");
    record.set_outcome(Outcome::Won(Side::White));
    record.add_comment(2, "a mistake");
    record.add_comment(2, "indeed");
    record.add_comment(9, "nothing");
    record.judge(2, Judgement::Blunder);
    record.add_variation(2, &["h5xg4", "b1-b4", "0000"], " better ").unwrap();
    record.add_variation(9, &["h5-g4"], "").unwrap();
    assert!(record.add_variation(2, &["h9-g4"], "").is_err());
    assert_eq!(
        round_trip(&record),
        "(;FF[4]GM[9]SZ[8]CA[UTF-8]SU[Standard]PB[One [1\\]]PW[Three]RE[W+];B[d1-b3]\n\
         (;W[h4-f2]C[a mistake\nindeed]BM[2];B[b1-b4])\n\
         (;W[h5:g4]C[better];B[b1-b4];W[pass]))\n"
    );
    assert_eq!(record.info(Info::Black).as_deref(), Some("One [1]"));

    let moves = ["h6g5", "22-18", "b6a5"];
    let start = &Draughts::VARIANTS[0];
    let mut record = Record::new::<Draughts>(start, None, Default::default(), &moves).unwrap();
    record.set_info(Info::Event, "a \"match\"\nof two");
    record.set_outcome(Outcome::Drawn);
    record.add_comment(0, "a start");
    record.add_comment(1, "a { and a }\nand more");
    record.judge(2, Judgement::Mistake);
    record.add_variation(2, &["22-17", "9-13"], "better").unwrap();
    let text = record.to_string();
    assert_eq!(
        text,
        "[GameType \"21,B,8,8,N1,0\"]\n[Result \"1/2-1/2\"]\n[Event \"a \\\"match\\\" of two\"]\n \
         {a start} 1. 12-16 ; a { and a }\n; and more\n22-18? (1... 22-17 {better} 2. 9-13) \
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

/// Not a test: a converter for `tests/witness/pydraughts_pdn.py`, which names the files. Plays
/// each game and writes it anew, with all that may stand between the moves.
#[test]
#[ignore = "needs the files that the witness names"]
fn a_file_of_pdn_is_written_anew() {
    let file = |name| std::env::var_os(name).expect("the witness names the files");
    let input = std::fs::File::open(file("PDN_FROM")).unwrap();
    let mut output = std::fs::File::create(file("PDN_TO")).unwrap();
    for record in Reader::new(std::io::BufReader::new(input)) {
        let record = record.unwrap();
        check(&record).unwrap();
        let moves: Vec<&str> = record.moves().collect();
        let (start, rules) = (&Draughts::VARIANTS[0], Default::default());
        let mut new = Record::new::<Draughts>(start, record.setup(), rules, &moves).unwrap();
        new.set_info(Info::Event, &record.info(Info::Event).unwrap());
        new.set_outcome(record.outcome());
        for ply in 1..=moves.len() {
            match ply % 5 {
                1 => new.add_comment(ply, "a comment (2. 9-13) of\nthe move"),
                2 => new.judge(ply, Judgement::Blunder),
                3 => new.add_variation(ply, &["9-14", "1x10"], "or this").unwrap(),
                _ => {}
            }
        }
        round_trip(&new);
        write!(output, "{new}").unwrap();
    }
}

// Whatever is in the file.

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
    let tags = format!("{}\n1. 11-15 *", "[A \"\"]\n".repeat(600_000));
    assert_eq!(
        summary(&tags)[0],
        "line 1001, column 1: the game has more than 1000 tags and comments before the moves"
    );
    let big = format!("(;C[{}])\n(;FF[4];B[c8-c6])", "x".repeat(5 << 20));
    assert_eq!(summary(&big), ["line 1, column 4194305: the game has more than 4 MiB", "c8-c6"]);
    let big = format!("1. 11-15 {{{}}} *\n[Event \"x\"]\n1. 9-13 *", "x".repeat(5 << 20));
    assert_eq!(summary(&big).len(), 2);
}

/// A file that cannot be read to its end.
struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the disk is gone"))
    }
}

#[test]
fn an_error_of_the_input_ends_the_reading() {
    let input = std::io::Read::chain(&b"1. 11-15 *\n1. 9-13"[..], Broken);
    let mut reader = Reader::new(std::io::BufReader::new(input));
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 8: the disk is gone");
    assert!(error.is_of_input() && reader.next().is_none());
}

/// A record of legal moves chosen by numbers, with remarks chosen by the same numbers.
fn generated<G: Game>(choices: &[(usize, String)]) -> Record {
    let variant = &G::VARIANTS[choices.len() % G::VARIANTS.len()];
    let mut position = G::read_setup(variant.start, G::Rules::default()).unwrap();
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
    let rules = G::Rules::default();
    let mut record = Record::new::<G>(variant, setup.as_deref(), rules, &moves).unwrap();
    assert_eq!(check(&record), Ok(moves.len()));
    for (ply, (choice, text)) in choices.iter().enumerate().take(moves.len() + 1) {
        match choice % 7 {
            0 => record.add_comment(ply, text),
            1 => record.judge(ply, Judgement::Interesting),
            2 if ply > 0 => {
                let position = played[begin + ply - 1].1;
                let other = legal_moves(&position)[0];
                let line = [position.write_move(other, MoveFormat::Standard)];
                record.add_variation(ply, &line, text).unwrap();
            }
            3 => record.set_info(Info::Site, text),
            4 => record.set_outcome(Outcome::Won(Side::White)),
            _ => {}
        }
    }
    record
}

proptest! {
    #[test]
    fn generated_records_are_the_same_when_read(
        choices in prop::collection::vec((any::<usize>(), "[a-z1-9(){\\[\\]\\\\;%$\" ]{0,30}"), 1..60)
    ) {
        for record in [generated::<Loa>(&choices), generated::<Draughts>(&choices)] {
            let again = one(&round_trip(&record));
            prop_assert_eq!(again.setup(), record.setup());
            prop_assert_eq!(check(&again), check(&record));
            prop_assert!(again.moves().eq(record.moves()));
        }
    }

    #[test]
    fn any_bytes_are_games_or_errors(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in [Format::Sgf, Format::Pdn] {
            for record in Reader::new(bytes.as_slice()).format(format).take(1000).flatten() {
                round_trip(&record);
            }
        }
        prop_assert!(Reader::new(bytes.as_slice()).take(1000).count() < 1000);
    }

    #[test]
    fn any_signs_of_sgf_are_games_or_errors(
        words in prop::collection::vec(prop::sample::select(vec![
            "(", ")", "(;", ";", "(;GM[9]", "B[c8-c6]", "W[a4-c2]", "C[x\\]\n", "]", "[", "\\",
            "C[y]", "BM[1]", "XX[a][b]", "AB[a1]", "PL[W]", "B[resign]", " ", "\n", "SU[custom]",
            "IT[]", "\u{e9}", "(;FF[4]",
        ]), 0..40)
    ) {
        let text = words.concat();
        let games: Vec<_> = Reader::new(text.as_bytes()).format(Format::Sgf).take(1000).collect();
        prop_assert!(games.len() < 1000);
        for record in games.into_iter().flatten() {
            round_trip(&record);
        }
    }

    #[test]
    fn any_signs_of_pdn_are_games_or_errors(
        words in prop::collection::vec(prop::sample::select(vec![
            "[Event \"x\"]\n", "[FEN \"W:W32:B1\"]", "[", "1.", "1...", "11-15", " 23-19 ", "22x15x8",
            "-", "x", "(", ")", "{", "}", "{c}", "; d }\n", "$1", "$", "!", "?!", "*", " * ",
            " 1-0 ", "\n", "%", " ", "\"", "(!)", "9 ", "h6f4 ", "\\", "\u{e9}", "{e\nf}",
        ]), 0..40)
    ) {
        let text = words.concat();
        let games: Vec<_> = Reader::new(text.as_bytes()).format(Format::Pdn).take(1000).collect();
        prop_assert!(games.len() < 1000);
        for record in games.into_iter().flatten() {
            round_trip(&record);
        }
    }
}
