//! The proof solver and its strategies, compared with exhaustive search.

use crate::graph_game::{GraphGame, GraphRules, Node, lengths};
use crate::published_games;
use crate::solver::ExhaustiveSolver;
use proptest::prelude::*;
use soucie::game::{Game, Notation, Position, Side, outcome};
use soucie::games::draughts::{Draughts, DraughtsRules};
use soucie::games::loa::{Loa, LoaRules, RepetitionSide, Simultaneous};
use soucie::search::proof::{ProofLimits, ProofResult, ProofSolver};

/// The side to move wins in two moves.
const WIN_IN_TWO: &str = "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b";

/// Enough for the positions of these tests.
const AMPLE: ProofLimits = ProofLimits { expansions: 200_000, stop: &|_| false };

fn loa(setup: &str) -> Loa {
    Loa::read_setup(setup, LoaRules::default()).unwrap()
}

fn solve<P: Game>(root: &P, plies: Option<u32>) -> ProofResult<P::Move> {
    ProofSolver::new(root.side(), 16).unwrap().solve(root, &[], plies, &AMPLE)
}

/// Whether `winner` can force a win in this many plies, by exhaustive search.
fn can_win<P: Game>(position: &P, winner: Side, plies: u32) -> bool {
    ExhaustiveSolver::new(winner, u64::MAX).wins(position, plies).expect("an answer")
}

#[test]
fn small_positions_have_their_known_results() {
    let rows = [("8/8/8/3L4/3L4/8/l7/L1l5 b", Some(1)), (WIN_IN_TWO, Some(3))];
    for (setup, plies) in rows {
        let position = loa(setup);
        assert_eq!(
            ExhaustiveSolver::new(position.side(), u64::MAX).shortest(&position, 3).0,
            plies,
            "{setup}"
        );
        let proved = match solve(&position, plies) {
            ProofResult::Proved { plies, .. } => Some(plies),
            _ => None,
        };
        assert_eq!(proved, plies, "{setup}");
        let shorter = plies.map(|plies| plies - 1);
        assert_eq!(solve(&position, shorter), ProofResult::Disproved, "{setup}");
    }
}

#[test]
fn a_move_that_leaves_the_opponent_none_wins_in_one_ply() {
    // The man on 12 is blocked, or is the last piece.
    for (setup, key) in [("W:W16,23:B12", "23-19"), ("W:W18:B14", "18x9")] {
        let root = Draughts::read_setup(setup, DraughtsRules::default()).unwrap();
        let mv = root.read_move(key).unwrap();
        assert_eq!(solve(&root, Some(1)), ProofResult::Proved { mv, plies: 1 }, "{setup}");
    }
}

#[test]
fn a_pass_repeats_no_position_even_if_either_side_may_be_to_move() {
    // White wins by f4-f5, a pass and f5-f6. The pass gives the same board, with White to move.
    let rules = LoaRules { repetition_side: RepetitionSide::Either, ..LoaRules::default() };
    let root = Loa::read_setup("6Ll/6LL/8/4L3/3L1L2/2L5/LL6/lL6 w", rules).unwrap();
    let first = [root.read_move("f4f5").unwrap()];
    let mut solver = ProofSolver::new(root.side(), 16).unwrap();
    let result = solver.solve(&root, &first, None, &AMPLE);
    assert_eq!(result, ProofResult::Proved { mv: first[0], plies: 3 });
}

/// Compares the results for the last `positions` positions of each published game with an
/// exhaustive search of up to `max_plies` plies and `nodes` nodes. Ignores positions that the proof
/// solver does not decide within `expansions` expansions.
fn compare_with_exhaustive_search(positions: usize, max_plies: u32, nodes: u64, expansions: u64) {
    let limits = ProofLimits { expansions, stop: &|_| false };
    let prove = |position: &Loa, plies| {
        ProofSolver::new(position.side(), 4).unwrap().solve(position, &[], plies, &limits)
    };
    let (mut wins, mut deepest, mut refuted) = ([0; 10], 0, 0);
    for game in published_games::games() {
        for position in game.iter().rev().skip(1).take(positions) {
            let setup = position.write_setup();
            let winner = position.side();
            let (length, searched) =
                ExhaustiveSolver::new(winner, nodes).shortest(position, max_plies);
            deepest = deepest.max(searched);
            let outcome = prove(position, None);
            match (outcome, length) {
                // The loser's last move may also complete the win.
                (ProofResult::Proved { plies, .. }, Some(length)) => {
                    assert!(length <= plies, "{setup}: {outcome:?}, {length}");
                    wins[length as usize] += 1;
                }
                (ProofResult::Proved { plies, .. }, None) => {
                    assert!(plies > searched, "{setup}: {outcome:?}, none in {searched} plies");
                }
                (ProofResult::Disproved, _) => assert_eq!(length, None, "{setup}"),
                (ProofResult::Open, _) => {}
            }
            // With a limit on the plies the length is exact.
            let Some(bound) = length.or((searched > 0).then_some(searched)) else { continue };
            let bounded = prove(position, Some(bound));
            match (bounded, length) {
                (ProofResult::Proved { plies, .. }, Some(length)) => {
                    assert_eq!(plies, length, "{setup}")
                }
                (ProofResult::Disproved, None) => refuted += 1,
                (ProofResult::Open, _) => {}
                _ => panic!("{setup}: {bounded:?} in {bound} plies, {length:?}"),
            }
            if length.is_some() && bound > 1 {
                let shorter = prove(position, Some(bound - 1));
                assert!(!matches!(shorter, ProofResult::Proved { .. }), "{setup}: {shorter:?}");
            }
        }
    }
    println!(
        "wins by plies {wins:?}, refuted {refuted}, deepest exhaustive search {deepest} plies"
    );
    assert!(wins[1] > 10 && wins[3] > 10 && wins[5] > 0 && refuted > 10, "{wins:?} {refuted}");
}

#[test]
fn results_agree_with_a_plain_search() {
    compare_with_exhaustive_search(6, 5, 20_000, 3_000);
}

#[test]
#[ignore = "takes minutes: searches deeper"]
fn results_agree_with_a_plain_search_farther_away() {
    compare_with_exhaustive_search(8, 7, 300_000, 20_000);
}

#[test]
fn proofs_of_published_games_have_valid_strategies() {
    let (mut proved, mut tried) = (0, 0);
    for positions in published_games::games() {
        let Some(winner) = positions.last().and_then(outcome).and_then(|end| end.winner) else {
            continue;
        };
        let late = positions.iter().rev().skip(1).take(6).filter(|p| p.side() == winner);
        for position in late {
            tried += 1;
            let mut solver = ProofSolver::new(winner, 16).unwrap();
            let limits = ProofLimits { expansions: 20_000, stop: &|_| false };
            if let ProofResult::Proved { mv, plies } = solver.solve(position, &[], None, &limits) {
                let strategy = solver.strategy(position, &[], (mv, plies), &AMPLE).unwrap();
                assert!(strategy.plies() <= plies);
                assert_eq!(strategy.line().len(), strategy.plies() as usize);
                let end = strategy.line().into_iter().fold(*position, |at, mv| at.play(mv));
                assert_eq!(outcome(&end).and_then(|end| end.winner), Some(winner));
                proved += 1;
            }
        }
    }
    assert!(10 * proved >= 8 * tried && tried > 40, "{proved} of {tried}");
}

fn node() -> impl Strategy<Value = Node> {
    let end = prop_oneof![Just(None), Just(Some(Side::Black)), Just(Some(Side::White))];
    let turn = prop::collection::vec(0..NODES, 1..4);
    prop_oneof![1 => end.prop_map(Node::End), 3 => turn.prop_map(Node::Turn)]
}

/// The number of nodes of a random graph.
const NODES: u16 = 24;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn results_do_not_depend_on_the_path(
        graph in prop::collection::vec(node(), usize::from(NODES)),
        roots in prop::collection::vec(0..NODES, 1..6),
        bound in 1..12_u32,
    ) {
        let graph: &'static [Node] = graph.leak();
        let lengths = lengths(graph);
        // All roots share one solver: its results must hold on every path.
        let mut solver = ProofSolver::new(Side::Black, 1).unwrap();
        for node in roots {
            let root = GraphGame::new(graph, GraphRules::default(), node, Side::Black);
            if outcome(&root).is_some() {
                continue;
            }
            let length = lengths[usize::from(node)][Side::Black];
            let limits = ProofLimits { expansions: solver.expansions() + 1_000_000, ..AMPLE };
            let bounded = solver.solve(&root, &[], Some(bound), &limits);
            let is_short = length.is_some_and(|length| length <= bound);
            prop_assert_eq!(matches!(bounded, ProofResult::Proved { .. }), is_short);
            prop_assert_eq!(bounded == ProofResult::Disproved, !is_short);
            let outcome = solver.solve(&root, &[], None, &limits);
            prop_assert_eq!(outcome == ProofResult::Disproved, length.is_none(), "{:?}", outcome);
            let ProofResult::Proved { mv, plies } = outcome else { continue };
            prop_assert!(length.is_some_and(|length| length <= plies), "{} {:?}", plies, length);
            let strategy = solver.strategy(&root, &[], (mv, plies), &limits).unwrap();
            prop_assert!(strategy.plies() <= plies);
            prop_assert_eq!(strategy.line().len(), strategy.plies() as usize);
        }
    }
}

/// One move connects both sides.
const BOTH_AT_ONCE: &str = "3l4/8/8/3L4/3l4/8/8/LL6 b - - 0 1";

#[test]
fn simultaneous_connection_follows_the_rules() {
    for (simultaneous, in_one) in [(Simultaneous::Mover, true), (Simultaneous::Draw, false)] {
        let rules = LoaRules { simultaneous, ..LoaRules::default() };
        let position = Loa::read_setup(BOTH_AT_ONCE, rules).unwrap();
        for plies in 1..=4 {
            let outcome = solve(&position, Some(plies));
            let won = can_win(&position, Side::Black, plies);
            assert_eq!(
                matches!(outcome, ProofResult::Proved { .. }),
                won,
                "{simultaneous:?} {plies}"
            );
            assert!(won || outcome == ProofResult::Disproved);
            assert!(plies > 1 || won == in_one);
        }
    }
}

#[test]
fn positions_with_passes_agree_with_exhaustive_search() {
    for side in ["b", "w"] {
        let position = loa(&format!("6ox/6oo/8/8/8/8/oo6/xo6 {side}"));
        for plies in 1..=5 {
            let won = can_win(&position, position.side(), plies);
            let outcome = solve(&position, Some(plies));
            assert_eq!(matches!(outcome, ProofResult::Proved { .. }), won, "{side} {plies}");
            assert!(won || outcome == ProofResult::Disproved);
        }
    }
}

#[test]
fn the_solver_respects_its_limits() {
    let start = loa(Loa::VARIANTS[0].start);
    for expansions in [1, 10, 1_000] {
        let mut solver = ProofSolver::new(Side::Black, 1).unwrap();
        let limits = ProofLimits { expansions, stop: &|_| false };
        assert_eq!(solver.solve(&start, &[], None, &limits), ProofResult::Open);
        assert_eq!(solver.expansions(), expansions);
    }
    let mut solver = ProofSolver::new(Side::Black, 1).unwrap();
    let limits = ProofLimits { expansions: u64::MAX, stop: &|expansions| expansions >= 5_000 };
    assert_eq!(solver.solve(&start, &[], None, &limits), ProofResult::Open);
    assert!((5_000..6_000).contains(&solver.expansions()));
}

#[test]
fn deep_lines_fit_in_a_small_stack() {
    // The kings can move about until the draw count ends the game.
    let rules = Default::default();
    let position = Draughts::read_setup("W:WK31,K32:BK1,K5", rules).unwrap();
    let run = move || {
        let limits = ProofLimits { expansions: 100_000, stop: &|_| false };
        let _ = ProofSolver::new(Side::White, 4).unwrap().solve(&position, &[], None, &limits);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_strategy_can_be_rebuilt_with_a_small_table() {
    let position = published_games::games().into_iter().find_map(|positions| {
        let winner = positions.last().and_then(outcome)?.winner?;
        positions.into_iter().rev().skip(7).find(|p| p.side() == winner)
    });
    let position = position.unwrap();
    let mut solver = ProofSolver::new(position.side(), 16).unwrap();
    let ProofResult::Proved { mv, plies } = solver.solve(&position, &[], None, &AMPLE) else {
        panic!("{}: not proved", position.write_setup());
    };
    // A new solver has an empty table and searches everything again.
    let mut small_solver = ProofSolver::new(position.side(), 1).unwrap();
    let limits = ProofLimits { expansions: 5_000_000, stop: &|_| false };
    let strategy = small_solver.strategy(&position, &[], (mv, plies), &limits).unwrap();
    assert!(strategy.plies() <= plies);
    assert!(
        strategy.answers().iter().all(|a| can_win(&a.position, position.side(), 1) || a.plies > 1)
    );
}
