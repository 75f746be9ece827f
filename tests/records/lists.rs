//! Records in PGN, move lists and records of Boardspace.

use soucie::records::items::{TextItem, items};
use soucie::records::setups::SetupMoves;

use super::*;

const XBOARD: &str = "[Event \"Computer Chess Game\"]\n[Site \"vm\"]\n[Date \"2026.11.22\"]\n\
    [Round \"-\"]\n\
    [White \"root\"]\n[Black \"Soucie 0.1.0 (UCI2WB)\"]\n[Result \"0-1\"]\n[TimeControl \"-\"]\n\
    [Variant \"fairy\"]\n[FEN \"1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1\"]\n\
    [SetUp \"1\"]\n\n\
    {--------------\n. l l l l l l .\nblack to play\n--------------}\n\
    1... Ld8b6# {+0.59/11 0.2} 2. Lh6xf8# Le8g6# {+1.32/11 0.2} 3. Lh4g5#\nLg1xg5#\n\
    {xboard exit} 0-1\n\n";

#[test]
fn pgn_of_xboard_is_read_as_lines_of_action() {
    let record = one(XBOARD);
    assert_eq!((record.variant(), record.setup()), ("linesofaction", None));
    assert!(record.moves().eq(["d8b6", "h6:f8", "e8g6", "h4g5", "g1:g5"]), "{record}");
    assert_eq!(record.info(HeaderField::Black).as_deref(), Some("Soucie 0.1.0 (UCI2WB)"));
    assert_eq!(record.info(HeaderField::Date).as_deref(), Some("2026-11-22"));
    // In PGN, unlike in PDN of English draughts, White's points stand first.
    assert_eq!(record.outcome(), RecordResult::Won(Side::Black));
    assert_eq!((record.comment(0).as_str(), record.comment(3).as_str()), ("", "+1.32/11 0.2"));
    assert_eq!(check(&record), Ok(5));
    assert!(round_trip(&record).starts_with("(;"));
    assert_eq!(read(&XBOARD.repeat(3)).into_iter().filter(Result::is_ok).count(), 3);
    // Newer versions of the adapter write no `#` after the moves.
    assert_eq!(check(&one(&XBOARD.replace('#', ""))), Ok(5));
}

#[test]
fn the_variant_of_a_list_follows_from_its_moves() {
    let rows = [
        ("1. d1-b3 h4-f2 2. d8-b6", "linesofaction", 3),
        ("1. d1b3 h4f2", "linesofaction", 2),
        ("d1-b3 h4-f2\nd8-b6", "linesofaction", 3),
        ("11-15 23-19\n8-11 22-17", "englishdraughts", 4),
        ("1. f6-e5 c3-d4 2. e5xc3", "englishdraughts", 3),
        ("c8c6 b8b6", "scrambledeggs", 2),
    ];
    for (text, variant, legal) in rows {
        let record = one(text);
        assert_eq!((record.variant(), record.variant_is_assumed()), (variant, false), "{text}");
        let plies = check(&record).unwrap_or_else(|error| error.ply - 1);
        assert_eq!(plies, legal, "{text}");
    }
}

#[test]
fn an_ambiguous_variant_is_assumed_or_set_by_the_caller() {
    let text = "1. a1-b2 c3-d4";
    let record = one(text);
    assert_eq!((record.variant(), record.variant_is_assumed()), ("linesofaction", true));
    for variant in ["englishdraughts", "scrambledeggs"] {
        let record =
            RecordReader::new(text.as_bytes()).default_variant(variant).next().unwrap().unwrap();
        assert_eq!((record.variant(), record.variant_is_assumed()), (variant, false));
    }
    // The start position of a variant identifies it.
    let start = "[FEN \"1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b\"]\n\n1. c8-c6 *";
    let record = RecordReader::new(start.as_bytes()).default_variant("linesofaction").next();
    assert_eq!(record.unwrap().unwrap().variant(), "scrambledeggs");
}

#[test]
fn lists_are_separated_by_empty_lines_and_first_move_numbers() {
    for text in ["11-15 hello 23-19", "1. 11-15 hello ; all 1-1\n9-13", "1. e4 e5", "1. Nf3 *"] {
        for next in ["\n\n1. 10-14 22-17", "\n\n[Event \"x\"]\n10-14 22-17"] {
            let found = summary(&format!("{text}{next}"));
            assert_eq!((found.len(), found[1].as_str()), (2, "10-14 22-17"), "{text}: {found:?}");
            assert!(found[0].contains("expected a move"), "{found:?}");
        }
    }
    assert_eq!(summary("11-15 23-19\n8-11\n\n9-13 22-18"), ["11-15 23-19 8-11", "9-13 22-18"]);
    assert_eq!(summary("1. 11-15 23-19\n\n2. 8-11\n1. 9-13"), ["11-15 23-19 8-11", "9-13"]);
    assert_eq!(summary("1. 11-15\n1. 10-14\n\n1. 9-13"), ["11-15", "10-14", "9-13"]);
    for reply in ["1... 23-19", "1. ... 23-19"] {
        let text = format!("1. 11-15 {{good}}\n{reply} 2. 8-11 *");
        assert_eq!(summary(&text), ["11-15 23-19 8-11"], "{reply}");
    }
}

/// A text that a pipe yields a byte at a time.
struct Slow(std::io::Cursor<&'static str>);

impl std::io::Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let end = buffer.len().min(1);
        self.0.read(&mut buffer[..end])
    }
}

#[test]
fn the_format_of_a_text_does_not_depend_on_its_parts() {
    let games = "[Event \"x\"]\n\n1. 11-15 23-19\n2. 8-11 *\n";
    let (blank, comments) = ("\n".repeat(9_000), "# all of these are mine\n".repeat(300));
    for head in ["", "\n", "\u{feff}", "# mine\n", blank.as_str(), comments.as_str()] {
        let text: &'static str = (head.to_string() + games).leak();
        let whole = std::io::Cursor::new(text);
        let parts = std::io::BufReader::with_capacity(1, Slow(std::io::Cursor::new(text)));
        for found in [items(whole, None).unwrap(), items(parts, None).unwrap()] {
            let found: Vec<_> = found.collect();
            assert!(matches!(&found[..], [TextItem::Game(game)] if game.moves().count() == 3));
        }
    }
}

#[test]
fn games_among_setups_have_their_line() {
    let text = "startpos\nd1b3\n\nb1b3 hello\n";
    let found: Vec<_> = items(text.as_bytes(), None).unwrap().collect();
    let [TextItem::Setup { line: 1, .. }, TextItem::Game(game), TextItem::Game(broken)] =
        &found[..]
    else {
        panic!("{} items", found.len());
    };
    assert_eq!((game.location().line, broken.location().line), (2, 4));
    assert_eq!(broken.fault(), Some("line 4, column 6: expected a move, found 'hello'"));
}

#[test]
fn a_drawn_board_with_capitals_is_one_of_lines_of_action() {
    let empty = "- - - - - - - -\n";
    let ranks = "- - - B - - - -\n- - B - - - - -\n- - - B - W - -\n- - - - - - W -\n";
    let board = format!("{0}{0}{ranks}{0}{0}", empty);
    assert_eq!(SetupMoves::read(&board).unwrap().variant(None).name, "linesofaction");
    // The console draws both games with small letters. One of them is over here.
    let board = board.replace('B', "b").replace('W', "w");
    assert_eq!(SetupMoves::read(&board).unwrap().variant(None).name, "englishdraughts");
}

/// Connected men are a game that is over in Lines of Action.
#[test]
fn letters_of_both_games_are_those_of_a_game_that_is_not_over() {
    for men in ["pP", "bw"] {
        let [black, white] = [0, 1].map(|at| &men[at..=at]);
        let ranks = "1p1p1p1p/p1p1p1p1/1p1p1p1p/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1 b";
        let (placement, side) = ranks.split_once(' ').unwrap();
        let setup = placement.replace('p', black).replace('P', white) + " " + side;
        assert_eq!(
            SetupMoves::read(&setup).unwrap().variant(None).name,
            "englishdraughts",
            "{setup}"
        );
        let named = SetupMoves::read(&setup).unwrap().variant(Some("linesofaction"));
        assert_eq!(named.name, "linesofaction", "{setup}");
    }
    // A game that is over in both is one of Lines of Action.
    assert_eq!(
        SetupMoves::read("8/8/8/8/8/8/8/1l6 b").unwrap().variant(None).name,
        "linesofaction"
    );
}

#[test]
fn setups_with_blanks_around_the_signs_are_setups() {
    for text in ["B : W 21-32 : B 1-12 .", "fen B :W21 :B1", "position fen W:W21:B1"] {
        let found: Vec<_> = items(text.as_bytes(), None).unwrap().collect();
        assert!(matches!(&found[..], [TextItem::Setup { line: 1, .. }]), "{text}");
    }
}

/// The first line and the text of each setup of a text; `-` for an error.
fn setups(text: &str) -> Vec<(usize, String)> {
    let setup = |item: TextItem| match item {
        TextItem::Setup { line, setup } => (line, setup.setup.unwrap_or_default()),
        item => (item.line(), "-".to_string()),
    };
    items(std::io::Cursor::new(text.to_string()), None).unwrap().map(setup).collect()
}

#[test]
fn setups_and_drawings_can_be_in_one_file() {
    let ranks = ["-", "bw", "-", "-", "-", "w", "bb", "b"].into_iter().zip((1..=8).rev());
    let ranks = ranks.map(|(men, rank)| format!("{rank} {men}{}\n", "-".repeat(8 - men.len())));
    let board = ranks.collect::<String>() + "  abcdefgh\n";
    let black = format!("{board}Next move: black\n");
    let dump = format!("===\n{board}Next move: white\n===\n");
    let fen = "8/8/3l4/8/8/3L4/8/8 w - - 0 1";
    let display = format!("{board}\nFen: {fen}\nKey: 52669e3ae5514684\nLegal moves: 5\n");
    let long = "x".repeat(1 << 20) + " B:W21:B1";
    let text = format!(
        "# positions\n8/8/3l4/8/8/3L4/8/8 b\n\nB:W21:B1\n{board}{black}{dump}W:W32:BK1\n{display}\n\
         {display}{board}\n\nW:W32:BK1\n{long}\n{board}{long}\n===\n{long}\nB:W21:B1\n"
    );
    let found = setups(&text);
    let lines = [2, 4, 5, 14, 24, 36, 37, 51, 64, 75, 76, 77, 86, 87, 88, 89];
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), lines);
    let texts = ["", "B:W21:B1", &board, &black, &dump, "W:W32:BK1", fen, fen, &board];
    for (at, (text, (_, found))) in texts.iter().zip(&found).enumerate().skip(1) {
        assert_eq!(found.trim_matches('\n'), text.trim_matches('\n'), "{at}");
    }
    let is_error = |at: &usize| found[*at].1 == "-";
    assert_eq!((0..found.len()).filter(is_error).collect::<Vec<_>>(), [10, 12, 13, 14]);
    // A frame that is never closed is limited to the maximum line length.
    let frames = setups(&format!("===\n{}8/8 b", "abcdefgh\n".repeat(1 << 18)));
    assert!(frames.iter().all(|(_, text)| text.len() <= 1 << 20), "{}", frames.len());
}

#[test]
fn boardspace_records_are_read() {
    let text = "(;\nGM[9]VV[1]\nCM[0,1]\nSU[Loa 0 100]\nDT[Sat Jan 02 2021]\nGN[x]\n\
        RE[Game won by bob]\nP0[id \"ann lee\"]\nP0[ranking 1500]\nP1[id \"bob\"]\n\
        ; B[0 Start]\n; B[1 D1-B3    ]TM[1234]\n\
        ; W[2 H4-F2    ]\n; B[3 Resigns]\n;\nP0[time 0:01:20 ]\nP1[time 0:02:20 ]\n)\n";
    let record = one(text);
    assert_eq!(check(&record), Ok(2));
    assert_eq!(record.variant(), "linesofaction");
    let names = [HeaderField::Black, HeaderField::White].map(|info| record.info(info).unwrap());
    assert_eq!(names, ["ann lee", "bob"]);
    assert_eq!(record.outcome(), RecordResult::Won(Side::White));
    let swapped = one(&text.replace("CM[0,1]", "CM[1,0]"));
    assert_eq!(swapped.info(HeaderField::White).as_deref(), Some("ann lee"));
    // Older records have the player data in the properties of moves.
    let older = text.replace("P0[", "B[").replace("P1[", "W[").replace("Loa 0 100", "LOA");
    assert_eq!(check(&one(&older)), Ok(2));
    assert_eq!(one(&older).info(HeaderField::Black).as_deref(), Some("ann lee"));
    // Newer records name the game and the first player.
    let newer = text.replace("GM[9]", "GM[LOA]").replace("B[0 Start]", "P0[0 Start P0]");
    let newer = one(&newer);
    assert_eq!((check(&newer), newer.fault()), (Ok(2), None));
    assert!(round_trip(&newer).contains("GM[9]"), "{newer}");
    let eggs = one("(;GM[LOA]SU[Scrambled-eggs];B[b1-b3])");
    assert_eq!(eggs.variant(), "scrambledeggs");
    assert!(summary("(;GM[Amazons]SU[Amazons])")[0].ends_with("GM 9, found GM Amazons"));
    // The larger boards of Boardspace are rejected.
    let larger = text.replace("Loa 0 100", "Loa-12 0 100");
    assert!(summary(&larger)[0].contains("unsupported setup"), "{:?}", summary(&larger));
}

#[test]
fn results_of_lists_without_tags() {
    // Whose points come first is unknown, so that points of one side are an error.
    for (result, outcome, is_certain) in [
        ("1/2-1/2", RecordResult::Drawn, true),
        ("Drawn.", RecordResult::Drawn, true),
        ("Black wins", RecordResult::Won(Side::Black), true),
        ("1-0", RecordResult::Unknown, false),
        ("0-1", RecordResult::Unknown, false),
        ("2-0", RecordResult::Unknown, false),
        ("*", RecordResult::Unknown, true),
    ] {
        for moves in ["1. d1-b3 h4-f2", "d1-b3 h4-f2"] {
            let record = one(&format!("{moves} {result}"));
            assert_eq!((record.outcome(), record.fault().is_none()), (outcome, is_certain));
            let comment = if is_certain { "" } else { result };
            assert_eq!(
                (super::moves(&record).as_str(), record.comment(2).as_str()),
                ("d1-b3 h4-f2", comment)
            );
        }
    }
    let record = one("1. d1-b3 \u{b1} h4-f2 $32");
    assert_eq!((record.comment(1), record.comment(2)), ("\u{b1}".into(), "\u{27f3}".into()));
}

proptest! {
    /// Reading ends, and every record that is read can be written and read again.
    #[test]
    fn any_mixture_of_formats_is_read_to_its_end(
        head in prop_oneof![
            Just(""), Just("1. d1-b3 "), Just("# soucie console: linesofaction\n"),
            Just("auto black\n"), Just("[Variant \"fairy\"]\n"), Just("(;GM[9]SU[Loa 0 100]"),
            Just("11-15\n"),
        ],
        words in prop::collection::vec(
            prop_oneof![
                Just("d1-b3"), Just("Ld1b3#"), Just("# * h4-f2\n"), Just("undo\n"), Just("new\n"),
                Just("# position 8/8 b\n"), Just("# refused\n"), Just("1."), Just("1-0"),
                Just("\n\n"), Just("[FEN \"8/8/3l4/8/8/3L4/8/8 w\"]"), Just("(("), Just(")"),
                Just("{-----}"), Just("é"), Just("--"), Just("P0[id \"]"), Just(";B[3 D1-B3 ]"),
                Just("B[ ]"), Just("11-15"), Just("\u{0}"), Just("set a1 black\n"), Just("L"),
                Just("#"), Just("1..."),
            ],
            0..30,
        ),
    ) {
        let text = format!("{head}{}", words.join(" "));
        for record in read(&text).into_iter().flatten() {
            round_trip(&record);
            let _ = check(&record);
        }
    }
}
