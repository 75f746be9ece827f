//! Announced mates: each `mate N` of a search is a win in at most N moves, and each `mate -N` a loss.
//!
//! Searches of late positions with random rules, options and limits, some of them stopped at a
//! random moment, follow each other on one transposition table as a game goes on. The games on
//! graphs are small enough that each claim is decided, and nearly all of them have used up positions
//! or a move counter.
//!
//! `SOUCIE_MATES=1000` plays a thousand games of each kind, and ten thousand on graphs;
//! `SOUCIE_SEED=77 SOUCIE_MATES=1` repeats those with this number.

use std::cell::RefCell;
use std::env;

use crate::graph_game::{GraphGame, GraphRules, Node, lengths};
use crate::mate_claims::JudgeLimits;
use crate::mate_games::{Counts, MateGames};
use crate::programs::tables;
use crate::published_games;
use crate::tablebases::random_ending;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use soucie::game::{
    Features, Game, GameHistory, Heuristics, Move, MoveFormat, Notation, RuleChoice, Rules, Side,
    outcome, rules_from,
};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tablebase::OwnTables;
use soucie::games::loa::Loa;
use soucie::nnue;

/// Random rules. Half of the games have the usual ones.
fn random_rules<R: Rules>(rng: &mut SmallRng) -> R {
    if rng.random() {
        return R::default();
    }
    let rng = RefCell::new(rng);
    let value = |choice: RuleChoice| {
        let mut rng = rng.borrow_mut();
        match choice {
            RuleChoice::Named(names) => rng.random_range(0..names.len() as u16),
            RuleChoice::Number { default, min, max } => {
                let values = [default, default, min, 2, 2, 3, 5, 8, 12, 20];
                *values.choose(&mut *rng).unwrap().clamp(&min, &max)
            }
        }
    };
    rules_from(&|name| {
        let option = R::OPTIONS.iter().find(|option| option.name == name)?;
        Some(value(option.choice))
    })
}

/// Late positions of published games.
fn loa_setups() -> Vec<String> {
    let games = published_games::games().into_iter();
    let late = games.flat_map(|positions| positions.into_iter().rev().skip(1).take(24));
    late.map(|position| position.write_setup()).collect()
}

/// Published problems.
fn draughts_setups() -> Vec<String> {
    let problems = include_str!("../data/draughts/problems.txt").lines();
    let setups = problems.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let setup = line.split(" ; ").next()?;
        Some(setup.to_string())
    });
    let pieces = |setup: &String| setup.split(',').count() + 1;
    setups.filter(|setup| pieces(setup) <= 8).collect()
}

/// A position with few stones.
fn loa_ending(rng: &mut SmallRng) -> String {
    let mut board = [['-'; 8]; 8];
    for letter in ["lllLLL", "lllLLLL", "llllLLLL", "lllllLLL"].choose(rng).unwrap().chars() {
        board[rng.random_range(1..7)][rng.random_range(1..7)] = letter;
    }
    let side = ["b", "w"].choose(rng).unwrap();
    format!("{} {side}", board.map(String::from_iter).join("/"))
}

/// A setup, and rules for it.
fn start<P: Game>(setup: &str, rng: &mut SmallRng) -> Option<P> {
    let position = P::read_setup(setup, random_rules(rng)).ok()?;
    outcome(&position).is_none().then_some(position)
}

fn describe<P: Game>(game: &GameHistory<P>) -> String {
    let moves = game.turns().map(|(position, mv)| position.write_move(mv, MoveFormat::Coordinate));
    let moves: Vec<_> = moves.collect();
    let earlier = game.earlier().len() - moves.len();
    let (start, moves) = (game.start(), moves.join(" "));
    format!("{} moves {moves} ({earlier} earlier), {start:?},", start.write_setup())
}

/// A position of a random graph, and rules, under some of which Black wins. Black wins at most of the
/// ends, and there are few moves, so that there are long wins.
fn graph_start(rng: &mut SmallRng) -> Option<GraphGame> {
    let layer = rng.random_range(4..20_u16);
    let nodes = rng.random_range(2 * layer..=3 * layer);
    let ends = rng.random_range(3..10);
    let graph = (0..nodes).map(|node| {
        if node >= layer && rng.random_ratio(1, ends) {
            let (black, white) = (Some(Side::Black), Some(Side::White));
            let winners = [black, black, black, white, None];
            return Node::End(*winners.choose(rng).unwrap());
        }
        let first = node / layer * layer;
        // Most moves stay in the layer.
        let last = if rng.random_ratio(2, 3) { nodes.min(first + layer) } else { nodes };
        let moves = *[1, 1, 2, 2, 3, 4].choose(rng).unwrap();
        Node::Turn((0..moves).map(|_| rng.random_range(first..last)).collect())
    });
    let graph: &[Node] = graph.collect::<Vec<_>>().leak();
    let mut limit = |most| rng.random::<bool>().then(|| rng.random_range(4..most));
    let rules = GraphRules {
        layer: Some(layer),
        draw_after: limit(24),
        most_plies: limit(60),
        repetition: *[0, 2, 2, 2, 3, 4].choose(rng).unwrap(),
        is_fast: rng.random(),
    };
    let lengths = lengths(graph);
    let all = (0..nodes).flat_map(|node| Side::BOTH.map(|side| (node, side)));
    let won = all.filter(|&(node, side)| lengths[usize::from(node)][side] > Some(1));
    let won: Vec<_> = won.collect();
    let length = |&(node, side): &(u16, Side)| lengths[usize::from(node)][side];
    let &(node, side) = won.sample(rng, 4).max_by_key(|start| length(start))?;
    Some(GraphGame::new(graph, rules, node, side))
}

/// The games in which something is wrong.
fn check_games<P: Heuristics + Features>(
    games: &MateGames<P>,
    many: u64,
    start: impl Fn(&mut SmallRng) -> Option<P>,
    counts: &mut Counts,
) -> Vec<String> {
    let number = |name, default| env::var(name).map_or(default, |text| text.parse().unwrap());
    let (first, wanted) = (number("SOUCIE_SEED", 1), number("SOUCIE_MATES", 60));
    let last = if wanted == 1 { first } else { first + many * wanted - 1 };
    let mut wrong = Vec::new();
    for seed in first..=last {
        let mut rng = SmallRng::seed_from_u64(seed);
        let Some(start) = start(&mut rng) else { continue };
        let faults = games.play(start, &mut rng, counts);
        for fault in &faults {
            eprintln!("SOUCIE_SEED={seed} SOUCIE_MATES=1: {fault}");
        }
        wrong.extend((!faults.is_empty()).then(|| format!("{} {seed}", games.name)));
    }
    wrong
}

#[test]
fn announced_mates_are_true() {
    let limits = JudgeLimits { nodes: 30_000, expansions: 20_000 };
    let tables = OwnTables::open(tables()).unwrap();
    let mut counts = Counts::new();
    let network = nnue::built_in(Loa::name());
    let loa = MateGames::<Loa> {
        name: Loa::name(),
        tablebase: None,
        network: network.as_deref(),
        limits,
        most_searches: 8,
        plies_before: &[0, 0, 4, 12, 30],
        describe,
    };
    let late = loa_setups();
    let loa_start = |rng: &mut SmallRng| {
        let setup = if rng.random() { late.choose(rng)?.clone() } else { loa_ending(rng) };
        start(&setup, rng)
    };
    let mut wrong = check_games(&loa, 1, loa_start, &mut counts);
    let network = nnue::built_in(Draughts::name());
    let draughts = MateGames::<Draughts> {
        name: Draughts::name(),
        tablebase: Some(&tables),
        network: network.as_deref(),
        limits,
        most_searches: 8,
        plies_before: &[0, 0, 4, 12, 30],
        describe,
    };
    let problems = draughts_setups();
    let draughts_start = |rng: &mut SmallRng| {
        let pieces = rng.random_range(3..7);
        let is_problem = rng.random();
        let setup =
            if is_problem { problems.choose(rng)?.clone() } else { random_ending(rng, pieces) };
        start(&setup, rng)
    };
    wrong.extend(check_games(&draughts, 1, draughts_start, &mut counts));
    let graphs = MateGames::<GraphGame> {
        name: "graph",
        tablebase: None,
        network: None,
        limits: JudgeLimits { nodes: 1_000_000, expansions: 0 },
        most_searches: 16,
        plies_before: &[0],
        describe: |game| {
            let moves: Vec<_> = game.turns().map(|(_, mv)| mv.target()).collect();
            format!("{:?} moves {moves:?}", game.start())
        },
    };
    wrong.extend(check_games(&graphs, 10, graph_start, &mut counts));
    for (kind, count) in &counts {
        eprintln!("{kind}: {count}");
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    if env::var_os("SOUCIE_MATES").is_none() {
        for name in [Loa::name(), Draughts::name(), "graph"] {
            for kind in ["win", "loss"] {
                let judged = counts.get(&format!("{name} {kind} by Solver")).copied();
                assert!(judged.is_some_and(|judged| judged >= 10), "{name} {kind}: {judged:?}");
            }
        }
    }
    let undecided =
        |(kind, _): &(&String, &u32)| kind.starts_with("graph ") && kind.ends_with("none");
    assert_eq!(counts.iter().find(undecided), None);
}
