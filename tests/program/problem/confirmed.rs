//! Results of Lines of Action, confirmed move by move.
//!
//! `problem check` judges the first moves of late positions of published games and of problems that are
//! found in games. Each is judged again in a proof search of its own, and as far as it goes by an
//! exhaustive solver that uses only the rules. So are the variations of the solutions.
//!
//! `SOUCIE_PROBLEMS=all` takes all games and every late position.

use std::{env, fs};

use serde_json::{Value, json};
use soucie::game::{Notation, Position, distinct_moves, legal_moves, outcome};
use soucie::games::loa::{Loa, LoaRules};
use soucie::search::proof::{ProofLimits, ProofResult, ProofSolver};

use super::{Folder, check_with, generate, reports};
use crate::published_games;
use crate::solver::ExhaustiveSolver;

/// The published games.
const GAMES: &str = "tests/data/loa/games.sgf";

/// What is checked, and what is spent on it.
struct Effort {
    /// The published games that are searched for problems, by their number.
    games: std::ops::Range<usize>,
    /// The seeds of the games against itself that are searched.
    seeds: &'static str,
    /// One late position in this many is used.
    step: usize,
    /// The node limit of the exhaustive solver for each move.
    solver_nodes: u64,
}

const SAMPLE: Effort = Effort { games: 10..11, seeds: "4..5", step: 40, solver_nodes: 20_000 };
const ALL: Effort = Effort { games: 0..26, seeds: "0..200", step: 1, solver_nodes: 1_000_000 };

/// The number of positions at the end of each game that are used.
const LATE_PLIES: usize = 8;

/// Enough for a proof about one move.
const AMPLE: ProofLimits = ProofLimits { expansions: 1_000_000, stop: &|_| false };

/// Problems that are found in games.
fn generated(effort: &Effort, folder: &Folder) -> Vec<Value> {
    let text = fs::read_to_string(GAMES).unwrap();
    let games = text.split("(;").skip(1).map(|game| format!("(;{game}")).collect::<Vec<_>>();
    let games = folder.file("games.sgf", &games[effort.games.clone()].concat());
    let variant = ["--variant", "loa"];
    let sources = [&["--seeds", effort.seeds][..], &[&games]];
    let found = sources.map(|source| generate(&[&variant, source].concat()));
    found.iter().flat_map(|found| reports(found)).collect()
}

/// Late positions of published games with terms that one or more moves may reach, or none.
fn late_positions(effort: &Effort) -> Vec<Value> {
    let games = published_games::games().into_iter();
    let late = games.flat_map(|positions| positions.into_iter().rev().take(LATE_PLIES));
    let open = late.filter(|position| outcome(position).is_none()).step_by(effort.step);
    let problem = |(position, terms): (Loa, &str)| json!({"variant": "linesofaction", "setup": position.write_setup(), "terms": terms});
    open.zip(["win in 2", "win in 3"].into_iter().cycle()).map(problem).collect()
}

/// Whether the side to move wins with this move within so many plies, and whether the exhaustive solver
/// has found the same.
fn wins(position: &Loa, mv: <Loa as Position>::Move, plies: u32, nodes: u64) -> (bool, bool) {
    let mut solver = ProofSolver::new(position.side(), 1).unwrap();
    let is_won = match solver.solve(position, &[mv], Some(plies), &AMPLE) {
        ProofResult::Proved { .. } => true,
        ProofResult::Disproved => false,
        ProofResult::Open => panic!("open: {} {mv:?}", position.write_setup()),
    };
    let mut exhaustive = ExhaustiveSolver::new(position.side(), nodes);
    let found = exhaustive.wins(&position.play(mv), plies - 1);
    assert!(found.is_none_or(|found| found == is_won), "{} {mv:?}", position.write_setup());
    (is_won, found.is_some())
}

fn texts(moves: &Value) -> Vec<&str> {
    moves.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect()
}

#[test]
fn results_of_moves_are_confirmed() {
    let all = env::var("SOUCIE_PROBLEMS").is_ok_and(|all| all == "all");
    let effort = if all { ALL } else { SAMPLE };
    let folder = Folder::new("confirmed");
    let sound = generated(&effort, &folder);
    let problems = [sound.clone(), late_positions(&effort)].concat();
    let lines: Vec<String> = problems.iter().map(Value::to_string).collect();
    let list = folder.file("problems.jsonl", &lines.join("\n"));
    let checked = reports(&check_with("100000", &[&list, "--json"]));
    assert_eq!(checked.len(), problems.len());
    let (mut keys, mut moves, mut variations, mut solved) = (0, 0, 0, 0);
    for (number, report) in checked.iter().enumerate() {
        let rules = LoaRules { repetition: 0, ..LoaRules::default() };
        let root = Loa::read_setup(report["setup"].as_str().unwrap(), rules).unwrap();
        let (_, count) = report["terms"].as_str().unwrap().split_once("win in ").unwrap();
        let plies = 2 * count.parse::<u32>().unwrap() - 1;
        let judged = report["moves"].as_array().unwrap();
        let legal = distinct_moves(&root, legal_moves(&root));
        assert_eq!(judged.len(), legal.len(), "{report}");
        let mut won = Vec::new();
        for (judged, mv) in judged.iter().zip(legal) {
            assert_eq!(root.read_move(judged["move"].as_str().unwrap()).unwrap(), mv);
            let (is_won, is_solved) = wins(&root, mv, plies, effort.solver_nodes);
            assert_eq!(judged["result"], if is_won { "keeps" } else { "fails" }, "{judged}");
            won.extend(is_won.then_some(&judged["move"]));
            moves += 1;
            solved += u32::from(is_solved);
        }
        keys += won.len();
        assert!(number >= sound.len() || won == [&sound[number]["solution"][0]], "{report}");
        let Some(solution) = report["solutions"].get(0) else { continue };
        let line = texts(&solution["moves"]);
        for variation in solution["variations"].as_array().unwrap_or(&Vec::new()) {
            let ply = variation["ply"].as_u64().unwrap() as usize;
            let [reply, answer] = texts(&variation["moves"])[..] else { panic!("{report}") };
            let before = line[..ply].iter().chain([&reply]);
            let position =
                before.fold(root, |position, mv| position.play(position.read_move(mv).unwrap()));
            let answer = position.read_move(answer).unwrap();
            let left = plies - 1 - ply as u32;
            assert!(wins(&position, answer, left, effort.solver_nodes).0, "{variation}: {report}");
            variations += 1;
        }
    }
    let (sound, checked) = (sound.len(), checked.len());
    println!(
        "{sound} problems and {} positions: {keys} of {moves} moves win, {solved} by the rules alone; \
         {variations} variations",
        checked - sound,
    );
    assert!(sound >= 2 && keys > 10 && variations > 10, "{sound} {keys} {variations}");
    assert!(2 * solved > moves, "{solved} of {moves}");
}
