//! Forced wins: those that are there are announced, and none that is not there.
//!
//! A plain solver that knows only the rules tells what is there, as deep as its effort goes: wins
//! in three or four moves. Of longer ones `soucie prove` knows more, but what it says rests on code
//! that the search uses too.
//!
//! `SOUCIE_WINS=all` takes every late position, with the effort of a second for each: that is long.

use std::env;
use std::sync::Arc;
use std::time::Instant;

use crate::published_games;
use crate::solver::{ExhaustiveSolver, MOST};
use soucie::game::{Game, Notation, Position};
use soucie::games::loa::{Loa, LoaRules};
use soucie::nnue::{self, Network};
use soucie::search::{
    self, Bound, EvalNoise, Limits, SearchEvent, SearchRequest, Signals, TranspositionTable,
};

/// How much is tried.
struct Effort {
    /// So many of the last plies of a game are late.
    late: usize,
    /// Of so many late positions one is taken.
    step: usize,
    /// The positions that the solver may look at for one.
    solver: u64,
    /// The positions that the search may visit to find a win: those of about a second.
    search: u64,
    /// Those that it may visit to announce one that is not there.
    temptation: u64,
    /// So many wins are there at least.
    wins: u32,
}

const SAMPLE: Effort =
    Effort { late: 10, step: 3, solver: 40_000, search: 2_000_000, temptation: 40_000, wins: 10 };
const ALL: Effort = Effort {
    late: 20,
    step: 1,
    solver: 1_000_000,
    search: 2_000_000,
    temptation: 2_000_000,
    wins: 50,
};

#[test]
fn the_solver_knows_small_wins() {
    let table = [
        ("8/8/8/3L4/3L4/8/l7/L1l5 b", Some(1)),
        ("8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b", Some(3)),
        ("6ox/6oo/8/8/8/8/oo6/xo6 b", None),
        (Loa::VARIANTS[0].start, None),
    ];
    for (setup, plies) in table {
        let position = Loa::read_setup(setup, LoaRules::default()).unwrap();
        let found = ExhaustiveSolver::new(position.side(), u64::MAX).shortest(&position, 3);
        assert_eq!(found.0, plies, "{setup}");
    }
}

// The search.

/// The last exact score of a search, as `mate` tells it: positive for wins. It ends where one is
/// announced.
fn announced(position: Loa, nodes: u64, network: Option<&Network>) -> Option<i32> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (table, signals) = (TranspositionTable::new(16).unwrap(), Signals::new(false));
    let task = SearchRequest {
        root: position,
        history: &[],
        root_moves: &[],
        limits: &limits,
        eval_noise: EvalNoise::default(),
        started: Instant::now(),
        threads: 1,
        multipv: 1,
        table: &table,
        tablebase: None,
        network,
        signals: &signals,
    };
    let mut announced = None;
    search::run(&task, &mut |report| {
        if let SearchEvent::Line(line) = report
            && line.bound == Bound::Exact
        {
            announced = line.score.mate_in();
            if announced.is_some_and(|moves| moves > 0) {
                signals.stop();
            }
        }
    });
    announced
}

/// What came of the late positions.
#[derive(Debug, Default)]
struct Count {
    /// The wins of so many moves that are there, and those of them that were announced.
    wins: [[u32; 2]; MOST as usize / 2 + 1],
    /// The announcements that the solver could check, wins and losses.
    checked: [u32; 2],
    /// The positions without a win as deep as the solver looked.
    refuted: u32,
}

impl Count {
    fn add(&mut self, position: Loa, effort: &Effort, network: Option<&Network>) {
        let setup = position.write_setup();
        let own = position.side();
        let (length, tried) = ExhaustiveSolver::new(own, effort.solver).shortest(&position, MOST);
        let nodes = if length.is_some() { effort.search } else { effort.temptation };
        let announced = announced(position, nodes, network);
        if let Some(plies) = length {
            let [there, seen] = &mut self.wins[plies.div_ceil(2) as usize];
            *there += 1;
            *seen += u32::from(announced.is_some_and(|moves| moves > 0));
            assert!(announced.is_none_or(|moves| moves > 0), "{setup}: {announced:?}");
        }
        self.refuted += u32::from(length.is_none());
        match announced.unwrap_or_default() {
            // The winner may be spared the last move.
            moves @ 1.. => {
                let plies = 2 * moves as u32;
                let is_there = length.is_some_and(|length| length <= plies);
                assert!(is_there || tried < plies, "{setup}: no win in {moves}");
                self.checked[0] += u32::from(is_there);
            }
            moves @ ..=-1 => {
                let plies = 2 * moves.unsigned_abs() + 1;
                if plies <= MOST {
                    let lost = ExhaustiveSolver::new(!own, effort.solver).wins(&position, plies);
                    assert_ne!(lost, Some(false), "{setup}: no loss in {moves}");
                    self.checked[1] += u32::from(lost.is_some());
                }
            }
            0 => {}
        }
    }
}

#[test]
fn wins_that_are_there_are_announced_and_no_others() {
    let effort = if env::var_os("SOUCIE_WINS").is_some() { ALL } else { SAMPLE };
    let network: Option<Arc<Network>> = nnue::built_in(Loa::VARIANTS[0].name);
    let mut count = Count::default();
    let late = published_games::games().into_iter().flat_map(|record| {
        let positions = published_games::replay(&record);
        positions.into_iter().rev().skip(1).take(effort.late).collect::<Vec<_>>()
    });
    for position in late.step_by(effort.step) {
        count.add(position, &effort, network.as_deref());
    }
    let (there, seen) =
        count.wins.iter().fold((0, 0), |(there, seen), win| (there + win[0], seen + win[1]));
    println!("{seen} of {there} wins are announced: {count:?}");
    assert!(100 * seen >= 95 * there, "{count:?}");
    // Something was there to be found, and to be wrong about.
    assert!(there >= effort.wins && count.wins[1..=3].iter().all(|win| win[0] > 0), "{count:?}");
    assert!(count.refuted > 10 && count.checked.iter().all(|&checked| checked > 0), "{count:?}");
}
