//! The analysis of positions and the reviews of moves, as functions of the library.

use std::sync::Arc;

use soucie::analysis::analyser::{AnalysedLine, Analyser, Analysis, search_limits};
use soucie::analysis::review::{
    DecisivePly, Mark, MoveReview, decision_after, lost_by_draw, review,
};
use soucie::engine::open;
use soucie::engine::uci_score::UciScore;
use soucie::game::{Players, Side, TablebaseValue};
use soucie::options::Options;
use soucie::search::{SearchMemory, SearchOptions, Signals};

#[test]
fn a_partial_result_has_all_lines() {
    // The number of lines and of legal moves.
    for (lines, moves) in [(1, 36), (7, 36), (99, 36)] {
        let session = open(&Options::default()).unwrap();
        let limits = search_limits(None, Some(5), None);
        let options = SearchOptions { multipv: lines, ..SearchOptions::default() };
        let analyser = Analyser { limits, options, players: Players::Engine, hash: 1 };
        let table = Arc::new(SearchMemory::new(1).unwrap());
        let signals = Arc::new(Signals::new(false));
        let mut partial = Vec::new();
        let mut on_lines =
            |analysis: &Analysis| partial.push((analysis.depth, analysis.lines.len()));
        analyser.search(&*session, &[], &table, &signals, &mut on_lines).unwrap();
        let complete: Vec<_> = (1..=5).map(|depth| (depth, lines.min(moves))).collect();
        assert_eq!(partial, complete);
    }
}

#[test]
fn the_node_limit_applies_to_each_search() {
    let limits = search_limits(Some(500), None, None);
    let analyser =
        Analyser { limits, options: SearchOptions::default(), players: Players::Engine, hash: 1 };
    let session = open(&Options::default()).unwrap();
    let signals = Arc::new(Signals::new(false));
    let analyse = || analyser.analyse(&*session, Some("b1h1"), &signals).unwrap();
    let first = analyse();
    assert!((1..=500).contains(&first.nodes) && first.played.is_some(), "{first:?}");
    assert_eq!(analyse(), first);
}

/// What a move costs in games that players of a level play on: always the same, and only at the levels for
/// learners, for moves that the search takes for mistakes.
#[test]
fn games_confirm_the_mistakes_of_learners() {
    let mut session = open(&Options::default()).unwrap();
    // Either side can connect its stones.
    session.set_position(Some("L1L5/8/8/8/8/8/8/1l1l4 b"), &[]).unwrap();
    let signals = Arc::new(Signals::new(false));
    let [beginner, easy, medium] = [0, 1, 2].map(Players::Level);
    let (weak, strong) = (Players::Elo(1_500), Players::Elo(1_600));
    for (players, mv, lost) in [
        (beginner, "b1b2", Some(1000)),
        (easy, "b1b2", Some(1000)),
        (weak, "b1b2", Some(1000)),
        (easy, "b1c2", Some(0)),
        (medium, "b1b2", None),
        (strong, "b1b2", None),
        (Players::Engine, "b1b2", None),
    ] {
        let limits = search_limits(Some(500), None, None);
        let analyser = Analyser { limits, options: SearchOptions::default(), players, hash: 1 };
        let analysis = analyser.analyse(&*session, Some(mv), &signals).unwrap();
        assert_eq!(analysis.lost, lost, "{players}: {mv}");
    }
}

const EVEN: [u32; 3] = [500, 20, 480];

fn line(score: UciScore, wdl: [u32; 3], mv: &str) -> AnalysedLine {
    AnalysedLine { score, wdl, chances: None, pv: vec![mv.to_string()] }
}

/// The review of a move at the start of a game, or with the colours exchanged.
fn reviewed(ply: usize, side: Side, mv: &str, analysis: &Analysis) -> MoveReview {
    reviewed_after(None, ply, side, mv, analysis)
}

/// The same after the review of the move before.
fn reviewed_after(
    previous: Option<&MoveReview>,
    ply: usize,
    side: Side,
    mv: &str,
    analysis: &Analysis,
) -> MoveReview {
    let setup = match side {
        Side::Black => "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b",
        Side::White => "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w",
    };
    let mut game = open(&Options::default()).unwrap();
    game.set_position(Some(setup), &[]).unwrap();
    review(ply, &*game, &game.check_move(mv).unwrap(), analysis, previous).unwrap().unwrap()
}

fn analysis(best: AnalysedLine, played: Option<AnalysedLine>) -> Analysis {
    Analysis { depth: 9, nodes: 9, lines: vec![best], played, ..Analysis::default() }
}

#[test]
fn marks_depend_on_the_expected_points_lost() {
    let best = line(UciScore::Centipawns(50), [620, 20, 360], "b8b6");
    let best_move = reviewed(1, Side::Black, "b8b6", &analysis(best.clone(), None));
    assert_eq!(
        (best_move.mark, best_move.loss, best_move.score),
        (None, 0.0, UciScore::Centipawns(50))
    );
    let table = [
        ([580, 20, 400], None, 0.04),
        ([490, 20, 490], Some(Mark::Mistake), 0.13),
        ([80, 20, 900], Some(Mark::Blunder), 0.54),
        ([880, 20, 100], None, 0.0),
    ];
    for (wdl, mark, loss) in table {
        let played = line(UciScore::Centipawns(0), wdl, "c1c3");
        let review = reviewed(1, Side::Black, "c1c3", &analysis(best.clone(), Some(played)));
        assert_eq!((review.mark, review.loss), (mark, loss), "{wdl:?}");
        let best = if wdl[0] > 620 { "c1c3" } else { "b8b6" };
        assert_eq!(review.best[0].coordinate, best, "{wdl:?}");
    }
}

#[test]
fn marks_of_learners_are_confirmed_by_games() {
    let best = line(UciScore::Centipawns(50), [620, 20, 360], "b8b6");
    let played = line(UciScore::Centipawns(0), [80, 20, 900], "c1c3");
    for (lost, mark) in
        [(None, Some(Mark::Blunder)), (Some(199), None), (Some(200), Some(Mark::Blunder))]
    {
        let analysis = Analysis { lost, ..analysis(best.clone(), Some(played.clone())) };
        let review = reviewed(1, Side::Black, "c1c3", &analysis);
        assert_eq!((review.mark, review.loss), (mark, 0.54), "{lost:?}");
    }
}

#[test]
fn the_reply_to_a_bad_move_is_judged_by_the_line_that_marked_it() {
    let score = UciScore::Centipawns(0);
    let blunder = AnalysedLine {
        pv: ["c1c3", "b8b6"].map(String::from).to_vec(),
        ..line(UciScore::Mate(-2), [0, 40, 960], "")
    };
    let blunder =
        reviewed(1, Side::Black, "c1c3", &analysis(line(score, EVEN, "b8b6"), Some(blunder)));
    assert_eq!(blunder.mark, Some(Mark::Blunder));
    // What the search of the next position expects of its best move, then the reply, what it loses,
    // and the win that it misses.
    for (wins, mv, loss, missed, best) in [
        (430, "c1c3", 0.55, Some(2), "b8b6"),
        (430, "b8b6", 0.0, None, "b8b6"),
        // The search of the next position found as much.
        (900, "c1c3", 0.47, None, "d1d3"),
    ] {
        let own = line(score, [wins, 0, 1000 - wins], "d1d3");
        let played = line(score, [430, 0, 570], mv);
        let reply =
            reviewed_after(Some(&blunder), 2, Side::White, mv, &analysis(own, Some(played)));
        assert_eq!(
            (reply.loss, reply.missed_win, reply.best[0].coordinate.as_str()),
            (loss, missed, best),
            "{wins} {mv}"
        );
    }
}

#[test]
fn a_missed_win_is_reported() {
    let best = line(UciScore::Mate(3), [1000, 0, 0], "b8b6");
    // The score of the move played, its wins and draws per thousand, and the win that it missed.
    for (score, wins, draws, missed) in [
        (UciScore::Centipawns(300), 500, 20, Some(3)),
        (UciScore::Mate(-2), 0, 0, Some(3)),
        (UciScore::Mate(5), 1000, 0, None),
        (UciScore::Centipawns(1500), 990, 0, Some(3)),
        // What is lost does not show in percent.
        (UciScore::Centipawns(1600), 990, 2, None),
        (UciScore::Centipawns(3000), 1000, 0, None),
    ] {
        let played = line(score, [wins, draws, 1000 - wins - draws], "c1c3");
        let review = reviewed(1, Side::White, "c1c3", &analysis(best.clone(), Some(played)));
        assert_eq!(review.missed_win, missed, "{score}, {wins}");
    }
    let best_move = reviewed(1, Side::White, "b8b6", &analysis(best.clone(), None));
    assert_eq!(best_move.missed_win, None);
    // A table win counts as a win even if its length is unknown.
    let played = line(UciScore::Centipawns(19_999), [1000, 0, 0], "c1c3");
    let table = Some(TablebaseValue::Won(None));
    let analysis = Analysis { played_table: table, ..analysis(best, Some(played)) };
    let kept = reviewed(1, Side::White, "c1c3", &analysis);
    assert_eq!((kept.missed_win, kept.table), (None, table));
}

#[test]
fn only_a_win_of_known_length_is_called_proved_after_a_drawn_game() {
    let expected = TablebaseValue::Won(None);
    for (score, table, words) in [
        (UciScore::Mate(3), None, "gave away a proved win of White"),
        (UciScore::Centipawns(300), Some(TablebaseValue::Won(Some(9))), "a proved win of White"),
        (UciScore::Centipawns(19_999), Some(expected), "given although White was winning"),
    ] {
        let played = line(score, [999, 1, 0], "c1c3");
        let analysis = Analysis { played_table: table, ..analysis(played.clone(), Some(played)) };
        let text = lost_by_draw(&reviewed(1, Side::White, "c1c3", &analysis)).unwrap();
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_game_is_decided_once_the_winner_stays_ahead() {
    let mut decision = None;
    let mut after = |ply, side, expectation: f64| {
        let wins = (expectation * 1000.0) as u32;
        let played = line(UciScore::Centipawns(0), [wins, 0, 1000 - wins], "c1c3");
        let analysis = analysis(line(UciScore::Centipawns(0), EVEN, "b8b6"), Some(played));
        let review = reviewed(ply, side, "c1c3", &analysis);
        decision = decision_after(&review, decision);
        decision
    };
    let decisive = |ply, side, winner| Some(DecisivePly { ply, side, winner });
    let (black, white) = (Side::Black, Side::White);
    assert_eq!(after(1, black, 0.97), decisive(1, black, black));
    assert_eq!(after(2, white, 0.4), None);
    // A blunder decides the game for the other side.
    let blunder = after(3, black, 0.03);
    assert_eq!(blunder, decisive(3, black, white));
    assert_eq!(blunder.map(|decision| decision.place()).as_deref(), Some("Black's move 2"));
    assert_eq!(after(4, white, 0.99), decisive(3, black, white));
}
