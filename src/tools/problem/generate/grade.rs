//! How hard a problem is, and what its solution uses.

use serde::{Deserialize, Serialize};

use super::candidate::Scout;
use crate::game::{Game, GameHistory, facts};
use crate::search::{EvalNoise, Limits, OutOfMemory};
use crate::tools::problem::report::ProblemReport;

/// The players of each strength that are asked for the key.
const PLAYERS: u64 = 5;

/// The largest node limit of a player.
const STRONGEST: u64 = 20_000;

/// The least noise of a player's evaluation, in its units: without any, all of one strength would play
/// alike.
const LEAST_NOISE: i32 = 60;

/// The percentages of players from which on a problem has the grades 1 to 4.
const STEPS: [u64; 4] = [55, 40, 28, 16];

/// The grade of a problem, and what it is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grade {
    /// From 1, easy, to 5.
    pub grade: u8,
    /// How many of the players that are asked find the key, in percent.
    pub solved: u64,
    /// The number of natural moves that fail.
    pub tries: usize,
}

impl Grade {
    /// Grades a sound problem by asking players of all strengths, as the levels of the engine are: a node
    /// count or the score of one search predicts less well which levels solve it.
    pub fn new<P: Game>(
        scout: &Scout<P>,
        position: &P,
        report: &ProblemReport,
    ) -> Result<Self, OutOfMemory> {
        let key = report.keys.first().and_then(|key| position.read_move(key).ok());
        let after = key.map(|key| position.play(key));
        let (mut asked, mut found) = (0, 0);
        let levels = P::CALIBRATION.levels.iter().filter(|level| level.nodes <= STRONGEST);
        for (level, seed) in levels.flat_map(|level| (0..PLAYERS).map(move |seed| (level, seed))) {
            let limits =
                Limits { nodes: Some(level.nodes), depth: level.depth, ..Limits::default() };
            let noise = EvalNoise { amplitude: level.eval_noise.max(LEAST_NOISE), seed };
            let played = scout.unaided(position, &limits, noise)?;
            asked += 1;
            found += u64::from(played.map(|found| position.play(found.best)) == after);
        }
        let solved = 100 * found / asked.max(1);
        let tries = report.moves.iter().filter(|report| report.is_try).count();
        let grade = 1 + STEPS.iter().filter(|&&step| solved < step).count() as u8;
        Ok(Self { grade, solved, tries })
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
