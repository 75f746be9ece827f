//! The totals of a match so far, and their text and JSON forms.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use super::game_record::{EngineFailure, EngineId, GameRecord, MoveRecord, PerEngine};
use super::statistics::{Elo, Pairs, SprtSummary, SprtTest};
use crate::tools::words::plural;

/// The totals of a match so far.
#[derive(Clone, Debug, Default)]
pub struct MatchTotals {
    /// The wins, losses and draws of the first engine.
    wins: u64,
    losses: u64,
    draws: u64,
    /// The results of the completed pairs of games.
    pub pairs: Pairs,
    plies: usize,
    engines: PerEngine<EngineTotals>,
}

/// The totals of one engine over all games.
#[derive(Clone, Debug, Default)]
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

    fn is_clean(&self) -> bool {
        self.failures.iter().all(|&count| count == 0)
    }

    fn describe(&self, name: &str) -> String {
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

    /// Returns the average depth of the searches, or `None` if the engine reports no depths.
    fn depth(&self) -> Option<f64> {
        (self.depths.1 > 0).then(|| self.depths.0 as f64 / self.depths.1 as f64)
    }

    fn millis_a_move(&self) -> f64 {
        self.time.as_secs_f64() * 1e3 / self.moves.max(1) as f64
    }

    fn summary<'a>(&self, name: &'a str) -> EngineSummary<'a> {
        let [time_losses, illegal_moves, crashes, stalls] = self.failures;
        EngineSummary {
            name,
            time_losses,
            illegal_moves,
            crashes,
            stalls,
            overshoot_ms: self.overshoot.as_secs_f64() * 1e3,
            depth: self.depth(),
            nodes: self.nodes,
            ms_a_move: self.millis_a_move(),
        }
    }
}

impl MatchTotals {
    /// Adds a game to the totals.
    pub fn add(&mut self, record: &GameRecord) {
        match record.half_points() {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.plies += record.plies();
        for mv in &record.moves {
            self.engines.of_mut(mv.by).add(mv);
        }
        for id in EngineId::BOTH {
            let totals = self.engines.of_mut(id);
            totals.overshoot = totals.overshoot.max(record.stats.of(id).overshoot);
        }
        if let (Some(failure), Some(winner)) = (record.end.failure, record.end.winner) {
            self.engines.of_mut(!winner).fail(failure);
        }
    }

    /// Returns the number of games so far.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns whether both engines are free of failures.
    pub fn is_clean(&self) -> bool {
        EngineId::BOTH.iter().all(|&id| self.engines.of(id).is_clean())
    }

    /// Returns the score as one line of text.
    pub fn score(&self, names: &PerEngine<String>) -> String {
        let Self { wins, losses, draws, .. } = self;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        let percent = points * 100.0 / self.games().max(1) as f64;
        let PerEngine { first, second } = names;
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws} [{percent:.1} %]")
    }

    /// Returns the Elo difference as one line of text.
    pub fn elo(&self) -> String {
        let pairs = plural(self.pairs.count(), "pair", "pairs");
        let counts = self.pairs.counts;
        match self.pairs.elo() {
            Some(elo) => format!("Elo: {elo} (95 %, pentanomial of {pairs}: {counts:?})"),
            None => "Elo: unknown, no pair of games is complete".to_string(),
        }
    }

    /// Returns the final report as text.
    pub fn summary(&self, names: &PerEngine<String>, sprt: Option<SprtTest>) -> String {
        let mut text = format!("{}\n{}\n", self.score(names), self.elo());
        if let Some(sprt) = sprt {
            let _ = writeln!(text, "SPRT: {}", sprt.describe(&self.pairs));
        }
        let _ =
            writeln!(text, "Draws: {} of {}", self.draws, plural(self.games(), "game", "games"));
        let length = self.length();
        let _ = writeln!(text, "Length: {length:.1} plies on average, openings included");
        for id in EngineId::BOTH {
            let _ = writeln!(text, "{}", self.engines.of(id).describe(names.of(id)));
        }
        text
    }

    /// Returns the final report in the form that is written as JSON.
    pub fn summarise<'a>(
        &self,
        names: &'a PerEngine<String>,
        sprt: Option<SprtTest>,
    ) -> MatchSummary<'a> {
        let of = |id| self.engines.of(id).summary(names.of(id));
        MatchSummary {
            games: self.games(),
            wins: self.wins,
            losses: self.losses,
            draws: self.draws,
            pairs: self.pairs.counts,
            elo: self.pairs.elo(),
            sprt: sprt.map(|sprt| sprt.summary(&self.pairs)),
            plies: self.length(),
            engines: PerEngine { first: of(EngineId::First), second: of(EngineId::Second) },
        }
    }

    /// The average length of a game, in plies.
    fn length(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }
}

/// The last line of a report in JSON.
#[derive(Serialize)]
pub struct SummaryJson<'a> {
    pub summary: MatchSummary<'a>,
    /// The numbers of the games that are in no journal, in a report on journals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<usize>>,
}

/// The final report as JSON. Scores are those of the first engine.
#[derive(Serialize)]
pub struct MatchSummary<'a> {
    games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// The number of pairs with 0, 1, 2, 3 and 4 half points.
    pairs: [u64; 5],
    elo: Option<Elo>,
    sprt: Option<SprtSummary>,
    /// The average length of a game, in plies.
    plies: f64,
    engines: PerEngine<EngineSummary<'a>>,
}

#[derive(Serialize)]
struct EngineSummary<'a> {
    name: &'a str,
    time_losses: u64,
    illegal_moves: u64,
    crashes: u64,
    stalls: u64,
    overshoot_ms: f64,
    depth: Option<f64>,
    nodes: u64,
    ms_a_move: f64,
}

/// Returns the result of a game as one line of text. 1-0 means a win of Black, who moves first.
pub fn finished(record: &GameRecord, names: &PerEngine<String>) -> String {
    let (black, white) = (names.of(record.black), names.of(!record.black));
    let (number, result, reason) = (record.number, record.result(), &record.end.reason);
    format!("Finished game {number} ({black} vs {white}): {result} {{{reason}}}")
}
