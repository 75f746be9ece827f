//! Random problems with few pieces, under draws by repetition and short counts of moves.
//!
//! What `problem check` proves is compared with an exhaustive search that uses only the rules of the game:
//! the first moves, the verdict, and each move of a solution, a variation or a dual. Every proof is read and
//! verified again, and begins with the problem and the move.
//!
//! `SOUCIE_PROBLEMS=all` takes 1,000 problems of each game, and allows less to be unfinished.

use std::collections::HashMap;
use std::path::Path;
use std::{env, fs, thread};

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use soucie::game::{
    Game, MoveList, RuleChoice, Rules, Side, distinct_moves, legal_moves, outcome, rules_from,
};
use soucie::games::Tablebases;
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;

use super::exhaustive::{Exhaustive, UNLIMITED};
use super::{Folder, verified};
use crate::programs::{self, run};

/// The number of problems that have the same rules.
const GROUP: usize = 10;

/// A game with random problems.
trait RandomProblems: Game {
    const VARIANT: &'static str;
    /// The names of the counts that draw the game.
    const COUNTS: [&'static str; 2];
    /// The most problems of a thousand that may be unfinished.
    const MOST_UNFINISHED: usize;
    fn setup(random: &mut SmallRng) -> String;
    fn terms(random: &mut SmallRng, setup: &str) -> String;
}

impl RandomProblems for Draughts {
    const VARIANT: &'static str = "draughts";
    const COUNTS: [&'static str; 2] = ["Draw Move Count", "No Capture Draw"];
    // Five pieces with kings, and counts from six on, reach more positions than the limit of nodes: 20 million
    // were not enough either.
    const MOST_UNFINISHED: usize = 80;

    fn setup(random: &mut SmallRng) -> String {
        let mut squares: Vec<u8> = (1..=32).collect();
        squares.shuffle(random);
        let pieces = random.random_range(2..=5);
        let mut sides = [Vec::new(), Vec::new()];
        for (number, square) in squares.into_iter().take(pieces).enumerate() {
            let side = if number < 2 { number } else { random.random_range(0..2) };
            let is_crowned = [square <= 4, square > 28][side];
            let king = if is_crowned || random.random_bool(0.4) { "K" } else { "" };
            sides[side].push(format!("{king}{square}"));
        }
        let side = if random.random_bool(0.5) { "W" } else { "B" };
        format!("{side}:W{}:B{}", sides[0].join(","), sides[1].join(","))
    }

    fn terms(random: &mut SmallRng, _: &str) -> String {
        let terms = ["win", "win", "draw", "loss", "win in 2", "win in 3", "win in 4"];
        terms[random.random_range(0..terms.len())].to_string()
    }
}

impl RandomProblems for Loa {
    const VARIANT: &'static str = "loa";
    const COUNTS: [&'static str; 2] = ["No Capture Draw", "Move Limit"];
    const MOST_UNFINISHED: usize = 50;

    /// The stones are near each other, so that there is something to win.
    fn setup(random: &mut SmallRng) -> String {
        let mut squares: Vec<usize> = (0..36).collect();
        squares.shuffle(random);
        let mut board = [[' '; 8]; 8];
        let stones = random.random_range(4..=10);
        for (number, square) in squares.into_iter().take(stones).enumerate() {
            board[1 + square / 6][1 + square % 6] = if number % 2 == 0 { 'l' } else { 'L' };
        }
        let row = |row: &[char; 8]| row.iter().collect::<String>().replace(' ', "1");
        let side = if random.random_bool(0.5) { "w" } else { "b" };
        format!("{} {side}", board.iter().map(row).collect::<Vec<_>>().join("/"))
    }

    /// Without a limit only where there are few stones, as an exhaustive search ends there.
    fn terms(random: &mut SmallRng, setup: &str) -> String {
        let stones = setup.chars().filter(|sign| sign.eq_ignore_ascii_case(&'l')).count();
        let terms = ["win in 1", "win in 2", "win in 3", "win", "draw", "loss"];
        let count = if stones <= 5 { terms.len() } else { 3 };
        terms[random.random_range(0..count)].to_string()
    }
}

/// Problems with the same rules.
struct Group<P: Game> {
    options: Vec<(&'static str, u16)>,
    has_tables: bool,
    lines: Vec<String>,
    rules: P::Rules,
}

fn group<P: RandomProblems>(number: usize) -> Group<P> {
    let mut random = SmallRng::seed_from_u64(number as u64);
    let mut options = vec![("Repetition Draw", random.random_range(2..=3))];
    options.push((P::COUNTS[random.random_range(0..2)], random.random_range(4..=12)));
    let value = |name: &str| {
        let given = options.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        let option = P::Rules::OPTIONS.iter().find(|option| option.name == name);
        let is_count = option.is_some_and(|rule| matches!(rule.choice, RuleChoice::Number { .. }));
        given.or(is_count.then_some(0))
    };
    let rules: P::Rules = rules_from(&value);
    let mut lines = Vec::new();
    while lines.len() < GROUP {
        let setup = P::setup(&mut random);
        let position = P::read_setup(&setup, rules).unwrap();
        if outcome(&position).is_none() {
            let terms = <P as RandomProblems>::terms(&mut random, &setup);
            lines.push(format!("{setup} ; {terms}"));
        }
    }
    Group { options, has_tables: number.is_multiple_of(2), lines, rules }
}

/// What was compared.
#[derive(Default, Debug)]
struct Totals {
    problems: usize,
    unfinished: usize,
    moves: usize,
    /// Moves that the exhaustive search could not judge.
    unjudged: usize,
    won: usize,
    later: usize,
    proofs: usize,
    verdicts: HashMap<String, usize>,
}

/// A problem with the result of its check.
struct Checked<'a, P: Game> {
    root: P,
    report: &'a Value,
    has_tables: bool,
}

impl<P: Game> Checked<'_, P> {
    fn terms(&self) -> &str {
        self.report["terms"].as_str().unwrap()
    }

    /// The plies within which a win is wanted.
    fn plies(&self) -> u32 {
        let limit = self.terms().strip_prefix("win in ").map(|moves| moves.parse::<u32>().unwrap());
        limit.map_or(UNLIMITED, |moves| 2 * moves - 1)
    }

    fn is_win(&self) -> bool {
        self.terms().starts_with("win")
    }

    /// The side whose wins decide what a move is worth.
    fn attacker(&self) -> Side {
        if self.is_win() { self.root.side() } else { !self.root.side() }
    }

    fn read(&self, position: &P, text: &str) -> P::Move {
        position.read_move(text).unwrap()
    }

    /// Whether a move after a game keeps the result.
    fn keeps(&self, search: &mut Exhaustive<P>, game: &[P], mv: P::Move) -> Option<bool> {
        let next = game[game.len() - 1].play(mv);
        let before = game.len() as u32 - 1;
        let left = match self.plies() {
            UNLIMITED => UNLIMITED,
            plies => plies.saturating_sub(before + 1),
        };
        let is_won = search.can_win(&next, left)?;
        Some(is_won != (self.terms() == "draw"))
    }

    /// Compares the first moves. Returns the number of keys, if it is known.
    fn first_moves(&self, totals: &mut Totals) -> Option<usize> {
        let Self { root, report, .. } = self;
        let judged = report["moves"].as_array().unwrap();
        let legal: MoveList<P::Move> = distinct_moves(root, legal_moves(root));
        assert_eq!(judged.len(), legal.len(), "{report}");
        let mut search = Exhaustive::after(&[*root], self.attacker());
        let mut keys = Some(0);
        for (judged, mv) in judged.iter().zip(legal) {
            totals.moves += 1;
            let Some(keeps) = self.keeps(&mut search, &[*root], mv) else {
                totals.unjudged += 1;
                keys = None;
                continue;
            };
            totals.won += usize::from(keeps != (self.terms() == "draw"));
            keys = keys.map(|keys| keys + usize::from(keeps));
            let wanted = if keeps { "keeps" } else { "fails" };
            let found = &judged["result"];
            assert!(found == "open" || found == wanted, "{mv:?} {wanted}: {judged} {report}");
            // The length that is proved, too.
            let plies = judged["plies"].as_u64().filter(|_| judged["uses_tables"] != true);
            if let Some(plies) = plies {
                let plies = plies as u32 - u32::from(self.attacker() == root.side());
                let is_won = search.can_win(&root.play(mv), plies);
                assert_ne!(is_won, Some(false), "{judged} {report}");
            }
        }
        keys
    }

    /// Whether the side to move can reach more than a draw, or win in fewer moves, if this is known.
    fn is_better(&self) -> Option<bool> {
        let plies = match (self.terms(), self.plies()) {
            ("draw", _) => UNLIMITED,
            ("win" | "loss", _) | (_, 1) => return Some(false),
            (_, plies) => plies - 2,
        };
        self.wins_within(plies)
    }

    /// Compares the verdict, given the number of keys.
    fn verdict(&self, keys: usize) {
        let Self { report, .. } = self;
        let Some(is_better) = self.is_better() else { return };
        let moves = report["moves"].as_array().unwrap().len();
        let wanted: &[&str] = match (self.terms(), keys) {
            ("loss", _) if keys == moves => &["sound"],
            ("loss", _) => &["better"],
            ("draw", _) if is_better => &["better"],
            _ if is_better => &["short"],
            (_, 0) => &["no-solution"],
            (_, 1) => &["sound", "dual"],
            _ => &["cooked"],
        };
        let found = report["verdict"].as_str().unwrap();
        assert!(found == "open" || wanted.contains(&found), "{wanted:?}: {report}");
        if let Some(win) = report.get("win") {
            let is_won = if is_better { "keeps" } else { "fails" };
            assert!(win["result"] == "open" || win["result"] == is_won, "{report}");
        }
        if let ("short", Some(plies)) = (found, report["win"]["plies"].as_u64()) {
            assert_ne!(self.wins_within(plies as u32), Some(false), "{report}");
        }
    }

    /// Whether the side to move can win within so many plies.
    fn wins_within(&self, plies: u32) -> Option<bool> {
        let Self { root, .. } = self;
        let mut search = Exhaustive::after(&[*root], root.side());
        let left = if plies == UNLIMITED { UNLIMITED } else { plies - 1 };
        let mut results =
            legal_moves(root).into_iter().map(|mv| search.can_win(&root.play(mv), left));
        results.try_fold(false, |is_won, result| Some(is_won || result?))
    }

    /// Compares the moves of a solution that was found, its variations and its duals.
    fn later_moves(&self, totals: &mut Totals) {
        let Self { root, report, .. } = self;
        let solution = report["solutions"].get(0).filter(|_| self.is_win());
        let Some(solution) = solution else { return };
        let duals = report["duals"].as_array().unwrap();
        let variations = solution["variations"].as_array().cloned().unwrap_or_default();
        let mut game = vec![*root];
        for (ply, text) in texts(&solution["moves"]).into_iter().enumerate() {
            let position = game[ply];
            let mv = self.read(&position, text);
            for variation in variations.iter().filter(|variation| variation["ply"] == ply) {
                let [reply, answer] = texts(&variation["moves"])[..] else { panic!("{report}") };
                let after = position.play(self.read(&position, reply));
                let game = [&game[..], &[after]].concat();
                let answer = self.read(&after, answer);
                let mut search = Exhaustive::after(&game, self.attacker());
                assert_ne!(
                    self.keeps(&mut search, &game, answer),
                    Some(false),
                    "{variation} {report}"
                );
                totals.later += 1;
            }
            let in_time = (ply as u32) < self.plies();
            if position.side() == root.side() && ply > 0 && in_time {
                let mut search = Exhaustive::after(&game, self.attacker());
                for other in distinct_moves(&position, legal_moves(&position)) {
                    let keeps = self.keeps(&mut search, &game, other);
                    let name = position.write_move(other, soucie::game::MoveFormat::Standard);
                    let dual = duals.iter().find(|dual| {
                        dual["move"] == *name && dual["after"].as_array().unwrap().len() == ply
                    });
                    let is_dual = dual.is_some_and(|dual| dual["result"] == "keeps");
                    assert!(!is_dual || keeps != Some(false), "{name} {report}");
                    if position.play(other) == position.play(mv) {
                        assert_ne!(keeps, Some(false), "{name} {report}");
                    } else if report["verdict"] == "sound" && dual.is_none() && !self.has_tables {
                        assert_ne!(keeps, Some(true), "{name} {report}");
                    }
                    totals.later += 1;
                }
            }
            game.push(position.play(mv));
        }
    }

    /// Verifies the proofs of the first moves, which begin with the problem.
    fn proofs(&self, folder: &Path, tables: &Tablebases, totals: &mut Totals) {
        let root = &self.root;
        for judged in self.report["moves"].as_array().unwrap() {
            let Some(proof) = verified(judged, folder, tables) else { continue };
            let mv = self.read(root, judged["move"].as_str().unwrap());
            let begins = [root.write_move(mv, Default::default())];
            assert!(proof.setup == root.write_setup() && proof.moves == begins, "{judged}");
            totals.proofs += 1;
        }
    }
}

fn texts(moves: &Value) -> Vec<&str> {
    moves.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect()
}

/// Checks a group of problems, and compares what is found.
fn compare<P: RandomProblems>(number: usize, folder: &Folder, totals: &mut Totals) {
    let Group { options, has_tables, lines, rules } = group::<P>(number);
    let list = folder.file("list", &(lines.join("\n") + "\n"));
    let out = folder.path("proofs");
    let _ = fs::remove_dir_all(&out);
    let mut command = programs::soucie();
    command.args(["problem", "check", &list, "--json", "--variant", P::VARIANT, "--out", &out]);
    command.args(["--nodes", "3000000", "--hash", "32"]);
    if has_tables {
        command.arg("--tables").arg(programs::tables());
    }
    for (name, value) in &options {
        command.args(["--option", &format!("{name}={value}")]);
    }
    let output = run(&mut command);
    let about = format!("{} {options:?}\n{}", lines.join("\n"), output.out);
    assert!(output.succeeded(), "{about}");
    let tables = match has_tables {
        true => Tablebases::open(programs::tables()).unwrap().0,
        false => Tablebases::default(),
    };
    let reports = output.json();
    assert_eq!(reports.len(), lines.len(), "{about}");
    for report in &reports {
        let root = P::read_setup(report["setup"].as_str().unwrap(), rules).unwrap();
        let checked = Checked { root, report, has_tables };
        let is_open = |judged: &Value| judged["result"] == "open";
        let is_unfinished =
            report["verdict"] == "open" || report["moves"].as_array().unwrap().iter().any(is_open);
        totals.problems += 1;
        totals.unfinished += usize::from(is_unfinished);
        let verdict = report["verdict"].as_str().unwrap().to_string();
        *totals.verdicts.entry(verdict).or_default() += 1;
        if is_unfinished {
            println!(
                "unfinished: {options:?} {has_tables} {} {}",
                report["setup"], report["terms"]
            );
        }
        if let Some(keys) = checked.first_moves(totals) {
            checked.verdict(keys);
        }
        checked.later_moves(totals);
        checked.proofs(Path::new(&out), &tables, totals);
    }
}

fn compare_all<P: RandomProblems>() {
    let all = env::var("SOUCIE_PROBLEMS").is_ok_and(|all| all == "all");
    let groups = if all { 1_000 / GROUP } else { 1 };
    // The exhaustive search calls itself for each ply.
    let run = move || {
        let folder = Folder::new(&format!("judged-{}", P::VARIANT));
        let mut totals = Totals::default();
        for number in 0..groups {
            compare::<P>(number, &folder, &mut totals);
            if number % 10 == 9 || number + 1 == groups {
                println!("{}: {totals:?}", P::VARIANT);
            }
        }
        assert!(totals.proofs > totals.problems && totals.won > 0, "{totals:?}");
        if all {
            assert!(totals.unfinished < P::MOST_UNFINISHED, "{totals:?}");
            assert!(20 * totals.unjudged < totals.moves, "{totals:?}");
            assert!(20 * totals.won > totals.moves, "{totals:?}");
        }
    };
    thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn results_of_random_draughts_problems_are_those_of_an_exhaustive_search() {
    compare_all::<Draughts>();
}

#[test]
fn results_of_random_loa_problems_are_those_of_an_exhaustive_search() {
    compare_all::<Loa>();
}
