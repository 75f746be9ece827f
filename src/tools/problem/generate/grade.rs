//! How hard a problem is, and what its solution uses.

use serde::{Deserialize, Serialize};

use super::candidate::{Scout, nodes};
use crate::game::{Game, GameHistory, facts};
use crate::search::OutOfMemory;
use crate::tools::problem::report::ProblemReport;

/// The nodes of the search that is asked for the key.
const NODES: u64 = 200_000;

/// The nodes at which the grades from 2 on begin.
const STEPS: [u64; 4] = [300, 900, 2_000, 6_000];

/// The grade of a problem, and what it is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grade {
    /// From 1, easy, to 5.
    pub grade: u8,
    /// The nodes until a search without endgame tables settles on the key.
    pub nodes: u64,
    /// The number of natural moves that fail.
    pub tries: usize,
}

impl Grade {
    /// Grades a sound problem.
    pub fn new<P: Game>(
        scout: &Scout<P>,
        position: &P,
        report: &ProblemReport,
    ) -> Result<Self, OutOfMemory> {
        let found = scout.unaided(position, &nodes(NODES))?;
        let key = report.keys.first();
        let found = found.filter(|found| {
            key.is_some_and(|key| {
                position
                    .read_move(key)
                    .is_ok_and(|mv| position.play(mv) == position.play(found.best))
            })
        });
        let nodes = found.map_or(NODES, |found| found.settled);
        let tries = report.moves.iter().filter(|report| report.is_try).count();
        let grade = 1 + STEPS.iter().filter(|&&step| nodes >= step).count() as u8;
        Ok(Self { grade, nodes, tries })
    }
}

/// What a key is called by a fact about it.
const KEYS: [(&str, &str); 5] = [
    ("captures", "capture"),
    ("forces-capture", "sacrifice"),
    ("exchange", "exchange"),
    ("only-defence", "defence"),
    ("stops-win", "defence"),
];

/// What a move of the solution is called by a fact about it.
const MOVES: [(&str, &str); 2] = [("crowns", "crowning"), ("blocks", "block")];

/// The themes of a solution, which has been played.
pub fn themes<P: Game>(solution: &GameHistory<P>) -> Vec<String> {
    let mut themes = Vec::new();
    let mut game = GameHistory::new(*solution.start());
    for (ply, (position, mv)) in solution.turns().enumerate() {
        let codes: Vec<&str> = match position.side() == solution.start().side() {
            true => facts(&game, mv).iter().map(|fact| fact.code).collect(),
            false => Vec::new(),
        };
        let named = |names: &[(&str, &'static str)]| {
            let found = names.iter().filter(|(code, _)| codes.contains(code));
            found.map(|&(_, theme)| theme).collect::<Vec<_>>()
        };
        if ply == 0 {
            themes = named(&KEYS);
            if themes.is_empty() {
                themes.push("quiet move");
            }
        }
        themes.extend(named(&MOVES));
        game.play(mv);
    }
    themes.sort_unstable();
    themes.dedup();
    themes.into_iter().map(str::to_string).collect()
}
