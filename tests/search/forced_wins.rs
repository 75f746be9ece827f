//! Forced wins: the search announces those that exist and no others.
//!
//! The reference is an exhaustive solver that uses only the rules and finds wins in three or four
//! moves. `soucie prove` finds longer ones, but shares code with the search.
//!
//! `SOUCIE_WINS=all` checks every late position, with about a second of search for each.

use std::env;
use std::sync::Arc;

use crate::fixed_positions::nodes;
use crate::published_games;
use crate::solver::ExhaustiveSolver;
use soucie::game::{Game, Notation, Position};
use soucie::games::draughts::{Draughts, DraughtsRules};
use soucie::games::loa::{Loa, LoaRules};
use soucie::nnue::{self, Network};
use soucie::search::{
    self, Bound, Limits, SearchEvent, SearchMemory, SearchOptions, SearchRequest, Signals,
};

/// The length of the longest win that the solver looks for, in plies.
const MAX_PLIES: u32 = 8;

/// The positions to check and the node limits.
struct Effort {
    /// The number of positions at the end of each game that are used.
    late_plies: usize,
    /// One position in this many is used.
    step: usize,
    /// The node limit of the solver.
    solver_nodes: u64,
    /// The node limit of the search if there is a win.
    win_nodes: u64,
    /// The node limit of the search if no win is known.
    other_nodes: u64,
    /// The minimum number of wins among the positions.
    min_wins: u32,
}

const SAMPLE: Effort = Effort {
    late_plies: 10,
    step: 5,
    solver_nodes: 40_000,
    win_nodes: 2_000_000,
    other_nodes: 40_000,
    min_wins: 6,
};
const ALL: Effort = Effort {
    late_plies: 20,
    step: 1,
    solver_nodes: 1_000_000,
    win_nodes: 2_000_000,
    other_nodes: 2_000_000,
    min_wins: 50,
};

#[test]
fn the_exhaustive_solver_finds_short_wins() {
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

/// The last exact `mate` score of a search in moves, positive for wins. The search stops when it
/// announces a win.
fn announced_mate<P: Game>(
    position: P,
    limits: &Limits,
    solve: bool,
    network: Option<&Network>,
) -> Option<i32> {
    let (table, signals) = (SearchMemory::new(16).unwrap(), Signals::new(false));
    let options = SearchOptions { solve, ..SearchOptions::default() };
    let request = SearchRequest {
        network,
        options,
        ..SearchRequest::new(position, limits, &table, &signals)
    };
    let mut announced = None;
    search::run(&request, &mut |event| {
        if let SearchEvent::Line(line) = event
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

/// The results for the late positions.
#[derive(Debug, Default)]
struct Counts {
    /// By length in moves: the wins that exist, and those of them that the search announced.
    wins: [[u32; 2]; MAX_PLIES as usize / 2 + 1],
    /// The announced wins and losses that the solver could check.
    checked: [u32; 2],
    /// The positions without a win within the depth of the solver.
    refuted: u32,
}

impl Counts {
    fn add(&mut self, position: Loa, effort: &Effort, network: Option<&Network>) {
        let setup = position.write_setup();
        let own = position.side();
        let (length, searched) =
            ExhaustiveSolver::new(own, effort.solver_nodes).shortest(&position, MAX_PLIES);
        let nodes = if length.is_some() { effort.win_nodes } else { effort.other_nodes };
        let announced = announced_mate(position, &self::nodes(nodes), false, network);
        if let Some(plies) = length {
            let [present, found] = &mut self.wins[plies.div_ceil(2) as usize];
            *present += 1;
            *found += u32::from(announced.is_some_and(|moves| moves > 0));
            assert!(announced.is_none_or(|moves| moves > 0), "{setup}: {announced:?}");
        }
        self.refuted += u32::from(length.is_none());
        match announced.unwrap_or_default() {
            // The loser's last move may complete the win.
            moves @ 1.. => {
                let plies = 2 * moves as u32;
                let exists = length.is_some_and(|length| length <= plies);
                assert!(exists || searched < plies, "{setup}: no win in {moves}");
                self.checked[0] += u32::from(exists);
            }
            moves @ ..=-1 => {
                let plies = 2 * moves.unsigned_abs() + 1;
                if plies <= MAX_PLIES {
                    let lost =
                        ExhaustiveSolver::new(!own, effort.solver_nodes).wins(&position, plies);
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
    let mut counts = Counts::default();
    let late = published_games::games()
        .into_iter()
        .flat_map(|positions| positions.into_iter().rev().skip(1).take(effort.late_plies));
    for position in late.step_by(effort.step) {
        counts.add(position, &effort, network.as_deref());
    }
    let (present, found) =
        counts.wins.iter().fold((0, 0), |(present, found), win| (present + win[0], found + win[1]));
    println!("{found} of {present} wins are announced: {counts:?}");
    assert!(100 * found >= 95 * present, "{counts:?}");
    // The positions contain enough wins, and enough others.
    assert!(
        present >= effort.min_wins && counts.wins[1..=3].iter().all(|win| win[0] > 0),
        "{counts:?}"
    );
    assert!(counts.refuted > 10 && counts.checked.iter().all(|&checked| checked > 0), "{counts:?}");
}

#[test]
fn solve_finds_wins_at_their_length_that_pruning_hides() {
    // Published problems, and the length of the win in moves.
    for (setup, moves) in [
        ("W:WK17,K13,K5:BK6,K1", 7),
        ("W:WK28,K20,K16:BK32,K27", 7),
        ("W:W31,27,K13:BK32,K29,25", 7),
        ("W:W30,27,26,17,12,K3:BK32,K29,21,19,9,4", 7),
    ] {
        let position = Draughts::read_setup(setup, DraughtsRules::default()).unwrap();
        let network = nnue::built_in(Draughts::VARIANTS[0].name);
        let limits = Limits { depth: Some(2 * moves - 1), ..Limits::default() };
        let found = |solve| announced_mate(position, &limits, solve, network.as_deref());
        assert_eq!((found(false), found(true)), (None, Some(moves as i32)), "{setup}");
    }
}
