//! How hard a problem is, and what its solution uses.

use serde::{Deserialize, Serialize};

use super::candidate::{best, new_table};
use crate::engine::PlayingLevel;
use crate::game::{Game, GameHistory, facts};
use crate::problems::report::ProblemReport;
use crate::search::{EvalNoise, Limits, OutOfMemory, SearchRequest, Signals};

/// The players of each level that are asked for the key.
const PLAYERS: u8 = 8;

/// The percentages of players from which on a problem has the grades 1 to 4.
const STEPS: [u64; 4] = [63, 44, 32, 20];

/// The grade of a problem, and what it is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grade {
    pub grade: u8,
    /// How many of the players that are asked find the key, in percent.
    pub solved: u64,
    /// The number of natural moves that fail.
    pub tries: usize,
}

impl Grade {
    /// Grades a sound problem by asking players of the named levels: a node count or the score of one
    /// search predicts less well which levels solve it, and so do players of all strengths.
    pub fn new<P: Game>(position: &P, report: &ProblemReport) -> Result<Self, OutOfMemory> {
        let key = report.keys.first().and_then(|key| position.read_move(key).ok());
        let after = key.map(|key| position.play(key));
        let elos = PlayingLevel::ALL.into_iter().filter_map(|level| level.elo(&P::CALIBRATION));
        let handicaps = elos.filter_map(|elo| P::CALIBRATION.handicap(elo));
        let (mut asked, mut found) = (0, 0);
        for (handicap, player) in handicaps.flat_map(|level| (0..PLAYERS).map(move |n| (level, n)))
        {
            let limits = Limits {
                nodes: Some((handicap.nodes as f64 * effort(player)) as u64),
                depth: handicap.depth,
                ..Limits::default()
            };
            let noise = EvalNoise { amplitude: handicap.eval_noise, seed: player.into() };
            // The levels play without a network and endgame tables.
            let (table, signals) = (new_table()?, Signals::new(false));
            let request = SearchRequest {
                eval_noise: noise,
                ..SearchRequest::new(*position, &limits, &table, &signals)
            };
            let played = best(&request);
            asked += 1;
            found += u64::from(played.map(|found| position.play(found.best)) == after);
        }
        let solved = 100 * found / asked.max(1);
        let tries = report.moves.iter().filter(|report| report.is_try).count();
        let grade = 1 + STEPS.iter().filter(|&&step| solved < step).count() as u8;
        Ok(Self { grade, solved, tries })
    }
}

/// How many times the nodes of its level a player searches, from half to twice as many: levels without
/// noise would all play alike.
fn effort(player: u8) -> f64 {
    (2.0 * f64::from(player) / f64::from(PLAYERS - 1) - 1.0).exp2()
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
