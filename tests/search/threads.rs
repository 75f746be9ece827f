//! Searches by several threads, and several searches on one table.

use std::thread;

use soucie::game::{Game, Notation, legal_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::search::{
    self, Limits, SearchEvent, SearchMemory, SearchOptions, SearchRequest, Signals,
};

use crate::dialogue::Dialogue;
use crate::programs::waits::wait_until;
use crate::published_games;

fn threads(threads: usize) -> SearchOptions {
    SearchOptions { threads, ..SearchOptions::default() }
}

/// Worker 0 reports the events: while it waits in the callback, only the others visit nodes.
#[test]
fn all_workers_search() {
    const NODES: u64 = 20_000;
    let root = Loa::read_setup(Loa::VARIANTS[0].start, Default::default()).unwrap();
    let (table, signals) = (SearchMemory::new(1).unwrap(), Signals::new(false));
    let limits = Limits::default();
    let choice = search::run(
        &SearchRequest {
            options: threads(4),
            ..SearchRequest::new(root, &limits, &table, &signals)
        },
        &mut |_| {
            let before = signals.add_nodes(0);
            wait_until("the others search", || signals.add_nodes(0) >= before + NODES);
            signals.stop();
        },
    );
    assert!(choice.is_some());
}

#[test]
fn a_win_in_one_is_found_by_any_number_of_threads() {
    let positions = &published_games::games()[0];
    let root = positions[positions.len() - 2];
    for count in [1, 4] {
        let (table, signals) = (SearchMemory::new(1).unwrap(), Signals::new(false));
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let request = SearchRequest {
            options: threads(count),
            ..SearchRequest::new(root, &limits, &table, &signals)
        };
        let mut announced = None;
        search::run(&request, &mut |event| {
            if let SearchEvent::Line(line) = event {
                announced = line.score.mate_in();
            }
        });
        assert_eq!(announced, Some(1), "{count} threads");
    }
}

#[test]
fn threads_and_games_share_a_table() {
    let table = SearchMemory::new(1).unwrap();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| search_on_shared_table::<Loa>(&table));
            scope.spawn(|| search_on_shared_table::<Draughts>(&table));
        }
    });
}

/// Searches positions of a game on a shared table. Every line must be legal.
fn search_on_shared_table<P: Game>(table: &SearchMemory) {
    let limits = Limits { nodes: Some(30_000), ..Limits::default() };
    for setup in P::VARIANTS.iter().flat_map(|variant| variant.bench) {
        let root = P::read_setup(setup, P::Rules::default()).unwrap();
        let signals = Signals::new(false);
        let request = SearchRequest {
            options: threads(2),
            ..SearchRequest::new(root, &limits, table, &signals)
        };
        let mut lines = 0;
        let choice = search::run(&request, &mut |event| {
            let SearchEvent::Line(line) = event else { return };
            lines += 1;
            let mut position = root;
            for mv in line.pv {
                assert!(legal_moves(&position).contains(&mv), "{setup}");
                position = position.play(mv);
            }
        });
        assert!(lines > 0, "{setup}");
        assert!(choice.is_some_and(|choice| legal_moves(&root).contains(&choice.best)), "{setup}");
    }
}

/// The commands that reach a running search, or change what its threads share. The thread sanitizer
/// runs this: see `tests/external/sanitizers`.
#[test]
fn commands_reach_a_search_of_two_threads() {
    let mut engine = Dialogue::with_library();
    engine.send("uci\nsetoption name Threads value 2");
    for variant in ["linesofaction", "englishdraughts"] {
        engine.send(&format!("setoption name UCI_Variant value {variant}\nucinewgame"));
        for (go, end) in [
            ("go infinite", "stop"),
            ("go infinite", "setoption name Hash value 2\nstop"),
            ("go ponder wtime 50 btime 50", "ponderhit"),
            ("go ponder wtime 9000 btime 9000", "stop"),
            ("go infinite", "ucinewgame\nisready\nstop"),
            ("go nodes 20000", "setoption name Clear Hash"),
        ] {
            engine.send(&format!("position startpos\n{go}"));
            engine.read_until("info depth 2 ");
            engine.send(end);
            let best = engine.read_until("bestmove ").pop().unwrap();
            assert!(!best.contains("(none)"), "{variant}, {go}, {end}: {best}");
        }
    }
    assert!(engine.finish());
}
