//! Openings of matches, books and self-play.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use soucie::analysis::analyser::Analyser;
use soucie::engine::game_file::Evaluator;
use soucie::engine::open;
use soucie::engine::session::GameSession;
use soucie::engine::uci_score::UciScore;
use soucie::game::Players;
use soucie::games::variants;
use soucie::options::Options;
use soucie::search::{Limits, SearchOptions, Signals};
use soucie_lab::openings::{
    ListedOpening, OpeningSet, OpeningSource, SETS, eleven_man_ballots, read, read_file,
};

fn start(variant: &'static str) -> Box<dyn GameSession> {
    let mut options = Options::default();
    options.variant = variant;
    open(&options).unwrap()
}

#[test]
fn random_openings_are_reproducible_and_differ() {
    for variant in variants() {
        let start = start(variant.name);
        let openings = OpeningSource::random(1, None);
        let mut seen = Vec::new();
        for pair in 0..50 {
            let opening = openings.for_pair(pair, &*start).unwrap();
            assert_eq!(opening, openings.for_pair(pair, &*start).unwrap());
            assert!((6..=11).contains(&opening.moves.len()), "{opening:?}");
            assert!(!seen.contains(&opening), "{opening:?}");
            seen.push(opening);
        }
        let other = OpeningSource::random(2, None);
        assert!(!seen.contains(&other.for_pair(0, &*start).unwrap()));
    }
}

#[test]
fn random_openings_leave_the_game_undecided() {
    let start = start(Options::default().variant);
    let openings = OpeningSource::random(7, Some((20, 30)));
    for pair in 0..20 {
        let opening = openings.for_pair(pair, &*start).unwrap();
        let session = opening.begin(&*start).unwrap();
        assert_eq!(session.outcome(), None);
        for mv in session.legal_moves() {
            assert_eq!(session.with_moves(&[&mv]).unwrap().outcome(), None);
        }
    }
}

#[test]
fn openings_are_written_as_position_commands() {
    let moves = ["b8b6".to_string(), "a4c4".to_string()];
    let opening = ListedOpening::default();
    assert_eq!(opening.position(&[]), "position startpos");
    assert_eq!(opening.position(&moves), "position startpos moves b8b6 a4c4");
    let opening = ListedOpening { setup: Some("W:W31:B1".to_string()), moves: vec![] };
    assert_eq!(opening.position(&moves), "position fen W:W31:B1 moves b8b6 a4c4");
}

#[test]
fn openings_come_in_order_or_shuffled_by_the_seed() {
    let start = start("linesofaction");
    let moves = ["b8b6", "b8h8", "c8c6", "d8d6", "e8e6", "f8f6"];
    let play = |seed| -> Vec<String> {
        let opening = |mv: &str| ListedOpening { setup: None, moves: vec![mv.to_string()] };
        let openings = OpeningSource::listed(moves.map(opening).to_vec(), seed);
        (0..12).map(|pair| openings.for_pair(pair, &*start).unwrap().moves.concat()).collect()
    };
    assert_eq!(play(None), [moves, moves].concat());
    let mut shuffled = play(Some(1));
    assert_eq!(play(Some(1)), shuffled);
    assert_ne!(play(Some(2)), shuffled);
    assert_ne!(shuffled.get(..6).unwrap(), moves);
    shuffled.sort();
    shuffled.dedup();
    assert_eq!(shuffled, moves);
}

/// Returns the openings of a file as `position` commands.
fn positions(variant: &'static str, text: &str, plies: Option<usize>) -> Vec<String> {
    let (openings, remark) = read(text.as_bytes(), &*start(variant), plies).unwrap();
    assert_eq!(remark, None);
    openings.iter().map(|opening| opening.position(&opening.moves)).collect()
}

const LOA: &str = "8/8/3l4/8/2l5/3L2L1/8/8 w";

#[test]
fn every_format_of_a_line_is_read() {
    let fen = format!("position fen {LOA} - - 0 1");
    let table = [
        ("b8b6 a4c4 # first\n\n# nothing\n", "position startpos moves b8b6 a4c4"),
        ("b8-b6 a4-c4", "position startpos moves b8b6 a4c4"),
        ("\u{feff}b8b6", "position startpos moves b8b6"),
        ("startpos", "position startpos"),
        ("position startpos moves b8b6", "position startpos moves b8b6"),
        (LOA, &fen),
        (&format!("fen {LOA} moves d3d5"), &format!("{fen} moves d3d5")),
        (&format!("{LOA} d3d5"), &format!("{fen} moves d3d5")),
        (&format!("{LOA} bm d3d5; id \"one\";"), &fen),
    ];
    for (text, position) in table {
        assert_eq!(positions("linesofaction", text, None), [position], "{text}");
    }
}

#[test]
fn lists_of_ballots_and_games_are_read() {
    let draughts = |text| positions("englishdraughts", text, None);
    let setup = "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12,13";
    let ballot = format!("5;9-13 22-18 6-9;crossboard;ctd;Dreaded Edinburgh;{setup}");
    let first = draughts(&ballot).remove(0);
    assert!(first.starts_with("position startpos moves "), "{first}");
    assert_eq!(draughts("9-13 22-18 6-9"), [first.as_str()]);
    let game = "[GameType \"21\"]\n1. 9-13 22-18 2. 6-9 *\n";
    assert_eq!(draughts(game), [first.as_str()]);
    let fen = draughts(setup).remove(0);
    assert!(fen.starts_with("position fen W:W18,"), "{fen}");
    let sgf = "(;FF[4]GM[9];B[b8-b6];W[a4-c4])(;GM[9];B[b8-h8])";
    let games = positions("linesofaction", sgf, Some(1));
    assert_eq!(games, ["position startpos moves b8b6", "position startpos moves b8h8"]);
}

#[test]
fn an_error_names_the_line() {
    let error_of = |text: &str| {
        read(text.as_bytes(), &*start("linesofaction"), None).err().unwrap().to_string()
    };
    let lost = "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";
    let table = [
        ("# one\na1a2\nb1b9", "opening in line 2: illegal move a1a2"),
        (lost, "opening in line 1: Black has won"),
        ("# nothing", "no opening to play"),
        ("8/8 w", "opening in line 1: setup: "),
        (&format!("{LOA} a1a2"), "opening in line 1: illegal move a1a2"),
        ("1;a1a2;x", "opening in line 1: illegal move a1a2"),
        ("(;GM[9]\n;B[z])", "opening in line 2: "),
        (
            "[GameType \"21\"]\n1. 9-13 *\n",
            "expected a game of linesofaction, found englishdraughts",
        ),
    ];
    for (text, start) in table {
        assert!(error_of(text).contains(start), "{text}: {}", error_of(text));
    }
}

#[test]
fn bad_openings_are_left_out() {
    let good = "[Event \"a\"]\n[GameType \"21\"]\n1. 9-13 22-18 2. 6-9 *\n\n";
    let illegal = "[Event \"b\"]\n[GameType \"21\"]\n1. 9-13 22-31 *\n\n";
    let foreign = "[Event \"c\"]\n[GameType \"20\"]\n1. 32-28 19-23 *\n\n";
    let over = "[Event \"d\"]\n[FEN \"B:W18:B14,15\"]\n1. 14x23 *\n\n";
    let sgf = "(;GM[9];B[b8-b6])";
    let table = [
        ("englishdraughts", [good, illegal, good].concat(), None, 2, "1 of 3 openings is left out"),
        ("englishdraughts", [illegal, good].concat(), None, 1, "in line 1: illegal move 22-31"),
        (
            "englishdraughts",
            [good, foreign, over, good].concat(),
            None,
            2,
            "2 of 4 openings are left out",
        ),
        ("englishdraughts", [illegal, good].concat(), Some(1), 2, ""),
        ("linesofaction", [sgf, "(;GM[9];B[a1-a2])", sgf].concat(), None, 2, "1 of 3 openings"),
        ("linesofaction", "b8b6\na1a2\nc8c6\n".into(), None, 2, "opening in line 2: illegal"),
        ("linesofaction", [sgf, "(;GM[1];B[aa])"].concat(), None, 1, "1 of 2 openings"),
    ];
    for (variant, text, plies, count, expected) in table {
        let (openings, remark) = read(text.as_bytes(), &*start(variant), plies).unwrap();
        let remark = remark.unwrap_or_default();
        assert_eq!(openings.len(), count, "{text}: {remark}");
        assert!(remark.contains(expected) && remark.is_empty() == expected.is_empty(), "{remark}");
    }
    let nothing_left = read(illegal.as_bytes(), &*start("englishdraughts"), None);
    let error = nothing_left.err().unwrap().to_string();
    assert!(error.contains("illegal move 22-31"), "{error}");
}

#[test]
fn built_in_sets_have_different_openings_of_their_variant() {
    let counts = [("ballots", 156), ("hard-ballots", 50), ("eleven-man", 1_488), ("balanced", 500)];
    assert_eq!(SETS.each_ref().map(|set| set.name), counts.map(|(name, _)| name));
    for (set, (name, count)) in SETS.iter().zip(counts) {
        let text = (set.text)();
        let openings = positions(set.variant, &text, None);
        let different: BTreeSet<&String> = openings.iter().collect();
        assert_eq!((openings.len(), different.len()), (count, count), "{name}");
        let (read, bytes) = read_file(Path::new(name), &*start(set.variant), Some(1)).unwrap();
        assert_eq!((read.len(), bytes), (count, text.into()), "{name}");
    }
    assert!(OpeningSet::find(Path::new("./ballots")).is_none());
}

#[test]
fn eleven_man_ballots_have_a_man_less_and_no_captures() {
    let ballots = eleven_man_ballots();
    assert_eq!(ballots.len(), 1_996);
    let pieces =
        |session: &dyn GameSession| session.board().into_iter().flatten().flatten().count();
    for setup in &ballots {
        let mut session = start("englishdraughts");
        session.set_position(Some(setup), &[]).unwrap();
        assert_eq!(pieces(&*session), 22, "{setup}");
        for mv in session.legal_moves() {
            assert_eq!(pieces(&*session.with_moves(&[&mv]).unwrap()), 22, "{setup} {mv}");
        }
    }
}

/// Searches every fortieth of the ballots that a longer search scores within 40 centipawns.
#[test]
fn chosen_eleven_man_ballots_are_balanced() {
    let set = OpeningSet::find(Path::new("eleven-man")).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let analyser =
        Analyser { limits, options: SearchOptions::default(), players: Players::Engine, hash: 16 };
    let networks = Evaluator::read("", None).unwrap();
    let options = Options::of_variant(Some("englishdraughts")).unwrap();
    for setup in (set.text)().lines().step_by(40) {
        let mut session = start("englishdraughts");
        session.set_network(networks.network(&options, session.game()));
        session.set_position(Some(setup), &[]).unwrap();
        let signals = Arc::new(Signals::new(false));
        let analysis = analyser.analyse(&*session, None, &signals).unwrap();
        let score = analysis.best().unwrap().score;
        let UciScore::Centipawns(score) = score else { panic!("{setup}: {score}") };
        assert!(score.abs() <= 100, "{setup}: {score}");
    }
}

/// Lists the ballots for `tests/external/strength/eleven_man`.
#[test]
#[ignore = "prints a list"]
fn eleven_man_ballots_are_printed() {
    for setup in eleven_man_ballots() {
        println!("{setup}");
    }
}
