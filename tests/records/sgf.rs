//! Records in SGF.

use super::*;
use soucie::game::Game;

#[test]
fn published_games_are_read_replayed_and_written() {
    let records: Vec<Record> = read(GAMES).into_iter().map(Result::unwrap).collect();
    assert_eq!(records.len(), 26);
    for record in &records {
        let text = record.to_string();
        let nodes = text.matches(";B[").count() + text.matches(";W[").count();
        assert_eq!(check(record), Ok(nodes), "{text}");
        assert_eq!((record.variant(), record.setup()), ("linesofaction", None));
        assert_eq!(record.outcome() == RecordResult::Unknown, record.to_string().contains("RE[?]"));
        round_trip(record);
    }
    assert_eq!(records[0].info(HeaderField::Black).as_deref(), Some("MIA II"));
    assert_eq!(records[0].info(HeaderField::Event).as_deref(), Some("6th Computer Olympiad 2001"));
    assert_eq!(records[0].outcome(), RecordResult::Won(Side::White));
    assert_eq!(records[0].moves().nth(8), Some("g6:c2"));
    // Only the line breaks change.
    let written: String = records.iter().map(Record::to_string).collect();
    assert_eq!(written.replace('\n', ""), GAMES.replace('\n', ""));
}

#[test]
fn sgf_moves_are_read_in_all_forms() {
    let rows = [
        ("(;GM[9];B[c8-c6];W[A4-C2])", "c8-c6 a4-c2"),
        ("(;GM[9];B[b8b6])", "b8b6"),
        ("(;GM[9];B[c8\u{2013}c6];W[a4 - c2])", "c8-c6 a4-c2"),
        ("(;GM[9];Bk[d1-b3];Wh[h4-f2];xB[c1xc3])", "d1-b3 h4-f2 c1xc3"),
        ("(;gameGM[9];Black[c8-c6];White[a4-c2])", "c8-c6 a4-c2"),
        ("(;GM[9];B[];W[pass])", "0000 0000"),
        ("(;GM[9];B[c8-c6];W[offer draw];B[accept draw])", "c8-c6"),
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
fn sgf_results_are_read() {
    let rows = [
        ("RE[B+]", RecordResult::Won(Side::Black)),
        ("RE[w+Resign]", RecordResult::Won(Side::White)),
        ("RE[B+R]", RecordResult::Won(Side::Black)),
        ("RE[W+T]", RecordResult::Won(Side::White)),
        ("RE[B+Time]", RecordResult::Won(Side::Black)),
        ("RE[W+F]", RecordResult::Won(Side::White)),
        ("RE[B+Forfeit]", RecordResult::Won(Side::Black)),
        ("RE[Draw]", RecordResult::Drawn),
        ("RE[0]", RecordResult::Drawn),
        ("RE[?]", RecordResult::Unknown),
        ("RE[Void];B[resign]", RecordResult::Unknown),
        (";B[resign]", RecordResult::Won(Side::White)),
        (";B[c8-c6];W[resign]", RecordResult::Won(Side::Black)),
        ("", RecordResult::Unknown),
    ];
    for (text, outcome) in rows {
        assert_eq!(one(&format!("(;GM[9]{text})")).outcome(), outcome, "{text}");
    }
}

#[test]
fn sgf_setups_are_read() {
    let start = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1";
    let rows: [(&str, &str, Option<String>); 13] = [
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
        (
            "AddBlack[b1:c1]AddWhite[a4][h4]PLayer[W];White[a4-a5]",
            "linesofaction",
            Some("8/8/8/8/L6L/8/8/1ll5 w - - 0 1".into()),
        ),
    ];
    for (text, variant, setup) in rows {
        let record = one(&format!("(;GM[9]{text})"));
        assert_eq!((record.variant(), record.setup()), (variant, setup.as_deref()), "{text}");
        round_trip(&record);
    }
    let eggs = "1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b - - 0 1";
    let record = Record::new::<Loa>(&Loa::VARIANTS[0], Some(eggs), rules(), NO_MOVES).unwrap();
    assert_eq!(one(&record.to_string()).variant(), "scrambledeggs", "{record}");
    let record = RecordReader::new("(;GM[9])".as_bytes()).default_variant("scrambledeggs").next();
    assert_eq!(record.unwrap().unwrap().variant(), "scrambledeggs");
}

#[test]
fn the_caller_determines_the_variant_of_a_custom_setup() {
    let text = "(;GM[9]AB[d1][f1]AW[e1][a2]PL[B];B[d1-d3])";
    for name in ["linesofaction", "scrambledeggs"] {
        let mut records = RecordReader::new(text.as_bytes()).default_variant(name);
        assert_eq!(records.next().unwrap().unwrap().variant(), name);
    }
}

#[test]
fn sgf_properties_are_preserved() {
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
    let record = RecordReader::new(latin.as_slice()).next().unwrap().unwrap();
    assert_eq!(record.to_string(), "(;CA[UTF-8]C[caf\u{e9}])\n");
    let windows = b"(;CA[windows-1252]PB[O\x92Brien])".to_vec();
    let record = RecordReader::new(windows.as_slice()).next().unwrap().unwrap();
    assert_eq!(record.info(HeaderField::Black).as_deref(), Some("O\u{2019}Brien"));
}

#[test]
fn sgf_errors_have_positions_and_reading_continues() {
    let next = "\n(;FF[4]GM[9];B[c8-c6])";
    let rows = [
        ("(;GM[1];B[aa])", "line 1, column 6: expected Lines of Action, GM 9, found GM 1"),
        ("(;GM[9]SZ[10])", "line 1, column 11: expected board size 8, found 10"),
        ("(;GM[9]SU[Gemma])", "line 1, column 11: unsupported setup 'Gemma'"),
        ("(;GM[9]\n;B[c8-c6]\n;W[a4-k2])", "line 3, column 4: expected a move, found 'a4-k2'"),
        ("(;GM[9];B[swap])", "line 1, column 11: expected a move, found 'swap'"),
        ("(;GM[9];B[c8-c6]B[c8-c6])", "line 1, column 19: a second move in one node"),
        ("(;GM[9]AB[cc])", "line 1, column 11: expected a point of the board, found 'cc'"),
        ("(;GM[9]PL[x])", "line 1, column 11: PL: expected a side to move: B or W, found 'x'"),
        ("(;GM[9];B[c8-c6];AB[a1])", "line 1, column 17: setup in the middle of the game"),
        ("(;GM[9];B)", "line 1, column 10: expected '[', found ')'"),
        ("(;GM[9]B\u{e9}\u{e9}?[])", "line 1, column 9: expected '[', found '\u{e9}'"),
        (
            "(;GM[9]\u{e9};B[x])",
            "line 1, column 8: expected a property, a node or a variation, found '\u{e9}'",
        ),
        ("(;GM[9];B[c8-c6]", "line 2, column 1: the game is not closed"),
        ("(;C[\u{e9}];B[x])", "line 1, column 10: expected a move, found 'x'"),
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
    assert_eq!(summary(text), ["line 1, column 12: expected a move, found 'x'", "c8-c6"]);
    let text = "(;GM[9];B[c8-c6])\n\u{1a}(;GM[9];B[b8-b6])\n11-15 23-19\n";
    let error = "line 3, column 1: expected another game in SGF, found '1'";
    assert_eq!(summary(text), ["c8-c6", "b8-b6", error]);
    let text = "a (mail) ( ;GM[9];B[c8-c6]) and (;GM[9])";
    assert_eq!(RecordReader::new(text.as_bytes()).format(RecordFormat::Sgf).flatten().count(), 2);
    assert_eq!(summary("hello"), ["line 1: expected a game or a position, found 'hello'"]);
}

#[test]
fn faults_of_whole_texts_of_sgf_are_named() {
    const NOT_CLOSED: &str = "the value of a property is not closed";
    const BEGIN: &str = "expected '(;' before a property, found";
    const CHARSET: &str = "CA: unknown charset 'cp437': save the file as UTF-8, or name a charset such as \
        GB18030 or Shift_JIS";
    let rows = [
        // A value that swallows moves.
        (r"(;GM[9]PB[C:\];B[c8-c6];W[h4-f2])", format!("1:11: {NOT_CLOSED}")),
        (
            r"(;GM[9];B[c8-c6];W[h4-f2]C[see \[x;B[d1-b3])",
            format!("c8-c6 h4-f2 1:28: {NOT_CLOSED}"),
        ),
        (r"(;GM[9];B[c8-c6]C[x\];W[h4-f2]C[y])", format!("c8-c6 1:19: {NOT_CLOSED}")),
        ("(;GM[9];B[c8-c6]C[x;W [h4-f2])", format!("c8-c6 1:19: {NOT_CLOSED}")),
        ("(;GM[9];B[c8-c6]C[x;White[h4-f2])", format!("c8-c6 1:19: {NOT_CLOSED}")),
        ("(;GM[9];B[time 1:20;B[c8-c6];W[h4-f2])", format!("1:11: {NOT_CLOSED}")),
        (
            "(;GM[9];B[c8-c6]C[end\\])\n(;B[d1-b3])\n(;GM[9];B[d1-b3])",
            format!("c8-c6 1:19: {NOT_CLOSED}; d1-b3"),
        ),
        // The moves behind it are not played in another position.
        ("(;GM[9];B[c8-c6]XY[z;W[h4-f2];B[d1-b3])", format!("c8-c6 1:20: {NOT_CLOSED}")),
        ("(;GM[9]PB[Ann PW[Ben];B[c8-c6])", format!("c8-c6 1:11: {NOT_CLOSED}")),
        // A first game without its beginning.
        ("W[h4-f2];B[d1-b3])\n(;GM[9];B[e1-e3])", format!("1:1: {BEGIN} 'W'; e1-e3")),
        ("GM[9];B[c8-c6])\n(;GM[9];B[d1-b3])", format!("1:1: {BEGIN} 'GM'; d1-b3")),
        ("Subject: x\n;GM[9];B[c8-c6])\n(;GM[9];B[d1-b3])", format!("2:2: {BEGIN} 'GM'; d1-b3")),
        ("Re[2]: [LOA] a[1] B [x] X[\n]\n(;GM[9];B[d1-b3])", "d1-b3".to_string()),
        // A game without its end.
        (
            "(;GM[9];B[c8-c6];W[h4-f2]\n(;PB[x]PW[y];B[d1-b3]))",
            "c8-c6 h4-f2 2:1: the game is not closed; d1-b3; \
             2:23: expected another game in SGF, found ')'"
                .to_string(),
        ),
        (
            "(;GM[9];B[c8-c6];W[h4-f2]\n(;SU[Standard];B[d1-b3])",
            "c8-c6 h4-f2 2:1: the game is not closed; d1-b3".to_string(),
        ),
        ("(;GM[9];B[c8-c6]\n(;W[h4-f2]PB[x])\n(;N[x]))", "c8-c6 h4-f2".to_string()),
        // A charset is no reason to lose the moves.
        ("(;GM[9]CA[cp437];B[c8-c6])", format!("c8-c6 1:11: {CHARSET}")),
        (r"(;GM[9]C[Plan B [see (;B[c8-c6\];W[h4-f2\])\]];B[c8-c6])", "c8-c6".to_string()),
    ];
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let game = |game: Result<Record, RecordError>| {
            let moves = game.as_ref().map(moves).unwrap_or_default();
            let fault = fault(&game).unwrap_or_default();
            let fault = fault.replace("line ", "").replace(", column ", ":");
            format!("{moves} {fault}").trim().to_string()
        };
        let found = read(text).into_iter().map(game).collect::<Vec<_>>().join("; ");
        if found != expected {
            wrong.push(format!("{text}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What is written is read without an error.
    for text in [r"C:\ B[x", "B [", "We [x", "a] B[c \\"] {
        let mut record = one("(;GM[9];B[c8-c6])");
        record.add_comment(1, text);
        record.set_info(HeaderField::Black, text);
        let again = one(&record.to_string());
        assert_eq!((again.comment(1), again.fault()), (text.trim().to_string(), None), "{record}");
    }
}

/// The moves, and the setup or the beginning of the error, of records with unusual properties.
#[test]
fn every_property_of_sgf_counts_or_is_an_error() {
    let rows = [
        // Values of a repeated property are merged.
        ("AB[b1]AB[d1]AW[a4][h8]", "", "7L/8/8/8/L7/8/8/1l1l4 b"),
        ("AB[b1]C[x]AB[d1][f1]AW[a4]AW[h8]", "", "7L/8/8/8/L7/8/8/1l1l1l2 b"),
        ("AW[a4];AW[h8]AB[b1];AB[d1];B[b1-b2]", "b1-b2", "7L/8/8/8/L7/8/8/1l1l4 b"),
        // Empty values are absent.
        ("AB[]SZ[];B[d1-b3]", "d1-b3", ""),
        ("AE[]PL[]SU[]RE[]PB[];B[d1-b3];AB[]W[h4-f2]", "d1-b3 h4-f2", ""),
        ("AB[b1][]AW[a4]", "", "line 1, column 15: expected a point of the board, found ''"),
        ("AB[][b1]AW[a4]", "", "line 1, column 11: expected a point of the board, found ''"),
        // Two values for one move.
        (";B[d1-b3][b1-b4];W[h4-f2]", "d1-b3", "line 1, column 18: a second move in one node"),
        (";B[d1-b3];W[h4-f2][h4-f2]", "d1-b3 h4-f2", "line 1, column 27: a second move in one"),
        (";B[d1-b3]W[h4-f2]", "d1-b3", "line 1, column 19: a second move in one node"),
        (";B[d1-b3][resign]", "d1-b3", "line 1, column 18: B: expected one value"),
        // Setups after the first move.
        (
            ";B[d1-b3];W[h4-f2];AE[b3];B[c1-c3]",
            "d1-b3 h4-f2",
            "line 1, column 26: setup in the mid",
        ),
        (";B[d1-b3];AB[a1];W[h4-f2]", "d1-b3", "line 1, column 17: setup in the middle"),
        (";B[d1-b3];W[h4-f2]AW[c3];B[c1-c3]", "d1-b3 h4-f2", "line 1, column 20: setup in the"),
        (";B[d1-b3];PL[B];B[c1-c3]", "d1-b3", "line 1, column 17: setup in the middle"),
        (";B[d1-b3];PL[W];W[h4-f2]", "d1-b3 h4-f2", ""),
        (";B[d1-b3];SU[Custom];W[h4-f2]", "d1-b3", "line 1, column 17: setup in the middle"),
        (";B[d1-b3](;AE[b3];W[h5-f5])(;W[h4-f2])", "d1-b3", "line 1, column 18: setup in the mid"),
        (";B[d1-b3](;W[h4-f2])(;AE[b3];W[h5-f5])", "d1-b3 h4-f2", "line 1, column 29: setup in"),
        ("(;B[d1-b3])(;AB[a1];B[a1-a2])", "d1-b3", "line 1, column 20: setup in the middle"),
        (";B[d1-b3](;GM[9]W[h4-f2])(;W[h5-f5])", "d1-b3", "line 1, column 19: another game in"),
        // Names in lower case, and unknown ones with moves.
        (";B[d1-b3];WW[h4-f2]", "d1-b3", "line 1, column 18: expected a property of SGF"),
        (";B[d1-b3]Result[B+]", "d1-b3", "line 1, column 17: expected a property of SGF"),
        (";B[d1-b3]WT[Reds]N[a1-a2]KGSX[x]AR[d1:b3]LN[a1:a2]", "d1-b3", ""),
        // Missing signs.
        (";B[d1-b3]C[good;W[h4-f2]", "d1-b3", "line 1, column 19: the value of a property is not"),
        ("PB[Ann][Ben]", "", "line 1, column 1: 'Ben' contradicts 'Ann'"),
        ("PB[Ann];PB[Ben]", "", "line 1, column 15: 'Ben' contradicts 'Ann'"),
        ("RE[B+];B[d1-b3]RE[W+]", "d1-b3", "line 1, column 17: 'W+' contradicts 'B+'"),
        ("RE[B+];B[d1-b3]RE[B+R]", "d1-b3", ""),
        // Resignations are results.
        ("RE[W+];B[d1-b3];W[resign]", "d1-b3", "line 1, column 23: 'W[resign]' contradicts 'W+'"),
        ("RE[B+];B[resign]", "", "line 1, column 14: 'B[resign]' contradicts 'B+'"),
        (";B[resign];W[resign]", "", "line 1, column 18: 'W[resign]' contradicts 'B[resign]'"),
        ("RE[B+];B[d1-b3];W[resign]", "d1-b3", ""),
        ("GN[1];B[d1-b3]GN[2]", "d1-b3", "line 1, column 16: '2' contradicts '1'"),
        (
            "RE[hurrah];B[d1-b3]",
            "d1-b3",
            "line 1, column 1: RE: expected B+, W+, Draw or Void, found",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, played, expected) in rows {
        let record = one(&format!("(;GM[9]{text})"));
        let found = record.fault().map(str::to_string).or_else(|| {
            check(&record).err().filter(|error| error.ply > 0).map(|error| error.to_string())
        });
        let found = found.or_else(|| record.setup().map(str::to_string)).unwrap_or_default();
        let is_right = found.starts_with(expected) && found.is_empty() == expected.is_empty();
        if moves(&record) != played || !is_right {
            wrong.push(format!("{text}: {}: {found}", moves(&record)));
        }
        round_trip(&record);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (text, error) in [
        (
            "(;AB[dd]GM[1]SZ[19];B[pd])",
            "line 1, column 12: expected Lines of Action, GM 9, found GM 1",
        ),
        (
            "(;SZ[19]PL[x]B[aa]GM[1])",
            "line 1, column 22: expected Lines of Action, GM 9, found GM 1",
        ),
        ("(;GM[9]AB[b1]AW[b1][a4])", "line 1, column 1: AW sets b1 again, with other contents"),
        ("(;SZ[19];B[aa];W[bb])", "line 1, column 6: expected board size 8, found 19"),
        (
            "(;GM[9]é;B[d1-b3])",
            "line 1, column 8: expected a property, a node or a variation, found 'é'",
        ),
        ("(;GM[9]B”[d1-b3])", "line 1, column 9: expected '[', found '”'"),
    ] {
        assert_eq!(summary(text), [error]);
    }
    assert_eq!(summary("A game:\n\n(;GM[9];B[d1-b3])\n"), ["d1-b3"]);
}

#[test]
fn results_and_names_count_in_every_node_of_the_main_line() {
    let text = "(;GM[9]PB[?]RE[?];B[d1-b3]PB[Ann]PW[Ben];W[h4-f2]RE[White wins](;B[b1-b3])(;B[c1-c3]RE[B+]))";
    let record = one(text);
    let names = [HeaderField::Black, HeaderField::White].map(|info| record.info(info).unwrap());
    assert_eq!(
        (names, record.outcome()),
        (["Ann", "Ben"].map(String::from), RecordResult::Won(Side::White))
    );
    assert_eq!((record.fault(), moves(&record).as_str()), (None, "d1-b3 h4-f2 b1-b3"));
    round_trip(&record);
    assert_eq!(one("(;GM[9]RE[?];B[d1-b3];W[resign])").outcome(), RecordResult::Won(Side::Black));
}

#[test]
fn placeholders_are_absent_values_in_both_formats() {
    for value in ["", " ", "?", "??", "-", "????.??.??", "?.?.?", "????/??/??"] {
        let sgf =
            format!("(;GM[9]PB[{value}]PW[{value}]EV[{value}]DT[{value}]RE[{value}];B[d1-b3])");
        let pdn = format!(
            "[Black \"{value}\"]\n[White \"{value}\"]\n[Event \"{value}\"]\n[Date \"{value}\"]\n1. 11-15 *"
        );
        for text in [sgf, pdn] {
            let mut record = one(&text);
            let infos =
                [HeaderField::Black, HeaderField::White, HeaderField::Event, HeaderField::Date];
            assert!(infos.iter().all(|&info| record.info(info).is_none()), "{text}");
            let before = record.to_string();
            record.set_info(HeaderField::Site, value);
            assert_eq!(record.to_string(), before);
        }
    }
    let record = one("[Date \"2026.??.??\"]\n[Black \" Ann  Lee \"]\n1. 11-15 *");
    assert_eq!(record.info(HeaderField::Date).as_deref(), Some("2026.??.??"));
    assert_eq!(record.info(HeaderField::Black).as_deref(), Some("Ann Lee"));
}

#[test]
fn headers_of_every_node_are_read_and_those_of_variations_are_comments() {
    let text = "(;GM[9]PB[Ann];B[d1-b3]RO[2]PC[Lille]TM[300](;W[h4-f2]GC[fine])\
                (;W[h3-f1]C[x]RE[W+]PB[Zed];B[resign]))";
    let record = one(text);
    let headers: Vec<_> =
        record.other_headers().into_iter().map(|(name, text)| format!("{name} {text}")).collect();
    assert_eq!(headers, ["RO 2", "PC Lille", "TM 300", "GC fine"]);
    let lines = record.lines();
    let comments: Vec<&str> = lines[1].moves.iter().map(|mv| mv.comment.as_str()).collect();
    assert_eq!(comments, ["x\nRE[W+]\nPB[Zed]\nB[resign]"]);
    assert_eq!((record.outcome(), record.fault()), (RecordResult::Unknown, None));
    round_trip(&record);
    // An agreed draw is a result, and times of moves are no headers.
    let record = one("(;GM[9];B[d1-b3]TM[10];W[h4-f2]TM[20];B[offer draw];W[accept draw])");
    assert_eq!((record.outcome(), record.other_headers()), (RecordResult::Drawn, vec![]));
}

#[test]
fn no_written_variation_begins_another_game() {
    for property in ["CA[x]", "AP[x]", "SZ[8]", "PB[x]", "PW[x]"] {
        let text = format!("(;GM[9];B[d1-b3](;W[h4-f2])(;{property};W[h3-f1];B[c1-c3]))");
        let written = round_trip(&one(&text));
        assert!(written.contains(&format!(";{property};W[h3-f1];B[c1-c3])")), "{written}");
    }
}

#[test]
fn an_unclosed_game_swallows_no_other() {
    let next = "\n(;FF[4]GM[9]PB[Yan];B[c1-c3])";
    for head in ["(;GM[9]PB[Zed]", "( ;\nFF [4]GM[9]", "(;GM[LOA]VV[1]"] {
        let text = format!("(;GM[9];B[d1-b3]\n;W[h4-f2]\n\n{head};B[c8-c6]){next}");
        let found: Vec<_> = read(&text).into_iter().map(Result::unwrap).collect();
        let found: Vec<_> =
            found.iter().map(|game| (moves(game), game.fault().is_none())).collect();
        let expected = [("d1-b3 h4-f2", false), ("c8-c6", true), ("c1-c3", true)];
        assert_eq!(
            found,
            expected.map(|(moves, is_whole)| (moves.to_string(), is_whole)),
            "{text}"
        );
        let text = format!("(;GM[9];B[d1-b3]C[unclosed\n{head};B[c8-c6]){next}");
        assert_eq!(read(&text).len(), 3, "{text}");
    }
    // Nodes of a setup may name the game, and a variation is no game.
    assert_eq!(
        summary("(;EV[x]\n;GM[9]AB[b1]AW[h8]\n;B[b1-b2]\n(;W[h8-g8])(;W[h8-h7]))"),
        ["b1-b2 h8-g8"]
    );
}
