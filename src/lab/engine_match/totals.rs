//! The totals of a match so far, and their text and JSON forms.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::game_record::{EngineFailure, EngineId, GameRecord, MoveRecord, PerEngine};
use super::statistics::{Pairs, Sprt, SprtTest};
use soucie::files::printable::plural;

pub struct MatchTotals {
    pub names: PerEngine<String>,
    /// The sequential test, if one was requested.
    sprt: Option<SprtTest>,
    /// The wins, losses and draws of the first engine.
    wins: u64,
    losses: u64,
    draws: u64,
    /// The results of the completed pairs of games.
    pairs: Pairs,
    plies: usize,
    engines: PerEngine<EngineTotals>,
}

/// The totals of one engine over all games.
#[derive(Default)]
struct EngineTotals {
    /// The counts by kind, in the order of [`EngineFailure::ALL`].
    failures: [u64; EngineFailure::ALL.len()],
    overshoot: Duration,
    moves: u64,
    /// The sum of the reported depths, and their number.
    depths: (u64, u64),
    nodes: u64,
    time: Duration,
}

impl EngineTotals {
    fn add(&mut self, mv: &MoveRecord) {
        self.moves += 1;
        // The numbers come from the engine and may overflow the sums.
        self.time = self.time.saturating_add(mv.time);
        self.nodes = self.nodes.saturating_add(mv.reported.nodes.unwrap_or_default());
        if let Some(depth) = mv.reported.depth {
            self.depths = (self.depths.0.saturating_add(depth), self.depths.1 + 1);
        }
    }

    fn fail(&mut self, failure: EngineFailure) {
        for (count, known) in self.failures.iter_mut().zip(EngineFailure::ALL) {
            *count += u64::from(known == failure);
        }
    }

    fn text(&self, name: &str) -> String {
        let failures = self.failures.iter().zip(EngineFailure::ALL).map(|(count, failure)| {
            let (one, many) = failure.words();
            plural(*count, one, many)
        });
        let failures = failures.collect::<Vec<_>>().join(", ");
        let overshoot = self.overshoot.as_secs_f64() * 1e3;
        let mut text = format!("{name}: {failures}; longest overshoot {overshoot:.1} ms");
        if let Some(depth) = self.depth() {
            let _ = write!(text, "; average depth {depth:.1}");
        }
        if self.nodes > 0 {
            let speed = self.nodes as f64 / self.time.as_secs_f64().max(1e-6) / 1e3;
            let _ = write!(text, ", {speed:.0} knps");
        }
        let _ = write!(text, ", {:.1} ms a move", self.millis_a_move());
        text
    }

    fn json(&self, name: &str) -> Value {
        let [time_losses, illegal_moves, crashes, stalls] = self.failures;
        json!({
            "name": name,
            "time_losses": time_losses,
            "illegal_moves": illegal_moves,
            "crashes": crashes,
            "stalls": stalls,
            "overshoot_ms": self.overshoot.as_secs_f64() * 1e3,
            "depth": self.depth(),
            "nodes": self.nodes,
            "ms_a_move": self.millis_a_move(),
        })
    }

    /// Returns the average depth of the searches, or `None` if the engine reports no depths.
    fn depth(&self) -> Option<f64> {
        (self.depths.1 > 0).then(|| self.depths.0 as f64 / self.depths.1 as f64)
    }

    fn millis_a_move(&self) -> f64 {
        self.time.as_secs_f64() * 1e3 / self.moves.max(1) as f64
    }
}

impl MatchTotals {
    pub fn new(names: PerEngine<String>, sprt: Option<Sprt>) -> Self {
        Self {
            names,
            sprt: sprt.map(SprtTest::new),
            wins: 0,
            losses: 0,
            draws: 0,
            pairs: Pairs::default(),
            plies: 0,
            engines: PerEngine::default(),
        }
    }

    pub fn add(&mut self, record: &GameRecord) {
        match record.half_points() {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.plies += record.plies();
        for mv in &record.moves {
            self.engines.get_mut(mv.by).add(mv);
        }
        for id in EngineId::BOTH {
            let totals = self.engines.get_mut(id);
            totals.overshoot = totals.overshoot.max(record.stats.get(id).overshoot);
        }
        if let (Some(failure), Some(winner)) = (record.end.failure, record.end.winner) {
            self.engines.get_mut(!winner).fail(failure);
        }
    }

    /// Adds the half points of a complete pair of games, whose games have been added.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs.add(half_points);
        if let Some(test) = &mut self.sprt {
            test.update(&self.pairs);
        }
    }

    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the number of complete pairs of games.
    pub fn pairs(&self) -> u64 {
        self.pairs.count()
    }

    /// Returns whether the sequential test, if there is one, has ended.
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|test| test.is_decided())
    }

    /// Returns whether both engines are free of failures.
    pub fn is_clean(&self) -> bool {
        EngineId::BOTH.iter().all(|&id| self.engines.get(id).failures.iter().all(|&n| n == 0))
    }

    /// Returns the score, the Elo difference and the state of the sequential test, if there is one.
    pub fn scores(&self) -> (String, String, Option<String>) {
        let Self { names: PerEngine { first, second }, wins, losses, draws, pairs, .. } = self;
        let points = *wins as f64 + *draws as f64 / 2.0;
        let percent = points * 100.0 / self.games().max(1) as f64;
        let score =
            format!("Score of {first} vs {second}: {wins} - {losses} - {draws} [{percent:.1} %]");
        let (count, counts) = (plural(pairs.count(), "pair", "pairs"), pairs.counts);
        let elo = match pairs.elo() {
            Some(elo) => format!("Elo: {elo} (95 %, pentanomial of {count}: {counts:?})"),
            None => "Elo: unknown, no pair of games is complete".to_string(),
        };
        (score, elo, self.sprt.map(|test| test.describe(pairs)))
    }

    pub fn text(&self) -> String {
        let (score, elo, sprt) = self.scores();
        let sprt = sprt.map_or(String::new(), |sprt| format!("SPRT: {sprt}\n"));
        let games = plural(self.games(), "game", "games");
        let mut text = format!("{score}\n{elo}\n{sprt}Draws: {} of {games}\n", self.draws);
        let length = self.length();
        let _ = writeln!(text, "Length: {length:.1} plies on average, openings included");
        for id in EngineId::BOTH {
            let _ = writeln!(text, "{}", self.engines.get(id).text(self.names.get(id)));
        }
        text
    }

    /// Returns the final report as JSON. Scores are those of the first engine, and `pairs` has the
    /// number of pairs with 0, 1, 2, 3 and 4 half points.
    pub fn json(&self) -> Value {
        json!({
            "games": self.games(),
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "pairs": self.pairs.counts,
            "elo": self.pairs.elo(),
            "sprt": self.sprt.map(|test| test.json(&self.pairs)),
            "plies": self.length(),
            "engines": PerEngine::each(|id| self.engines.get(id).json(self.names.get(id))),
        })
    }

    /// The average length of a game, in plies.
    fn length(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }
}
