//! What has happened in a match so far, and how it is told.

use std::fmt::Write;
use std::time::Duration;

use super::play::{Conduct, End, Failure, Record};
use super::seat::{Both, Seat};
use super::stats::{Pairs, Sprt};
use crate::game::Side;

/// What has happened in a match so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The games that the first engine won, lost and drew.
    wins: u64,
    losses: u64,
    draws: u64,
    /// The pairs of games that are complete.
    pub pairs: Pairs,
    plies: usize,
    engines: Both<Behaviour>,
}

/// What one engine has done in all games.
#[derive(Clone, Debug, Default)]
struct Behaviour {
    failures: [u64; Failure::ALL.len()],
    bad_lines: u64,
    overshoot: Duration,
    moves: u64,
    depths: (u64, u64),
    nodes: u64,
    time: Duration,
}

impl Behaviour {
    fn add(&mut self, conduct: &Conduct) {
        self.bad_lines += conduct.bad_lines.len() as u64;
        self.overshoot = self.overshoot.max(conduct.overshoot);
        self.moves += conduct.moves;
        self.depths = (self.depths.0 + conduct.depths.0, self.depths.1 + conduct.depths.1);
        self.nodes += conduct.nodes;
        self.time += conduct.time;
    }

    fn fail(&mut self, failure: Failure) {
        for (count, known) in self.failures.iter_mut().zip(Failure::ALL) {
            *count += u64::from(known == failure);
        }
    }

    fn is_clean(&self) -> bool {
        self.bad_lines == 0 && self.failures.iter().all(|&count| count == 0)
    }

    fn describe(&self, name: &str) -> String {
        let mut text = format!("{name}: ");
        for (count, failure) in self.failures.iter().zip(Failure::ALL) {
            let _ = write!(text, "{count} {}, ", failure.plural());
        }
        let _ = write!(text, "{} bad lines; ", self.bad_lines);
        let _ = write!(text, "longest overshoot {:.1} ms", self.overshoot.as_secs_f64() * 1e3);
        if self.depths.1 > 0 {
            let depth = self.depths.0 as f64 / self.depths.1 as f64;
            let _ = write!(text, "; average depth {depth:.1}");
        }
        if self.nodes > 0 {
            let speed = self.nodes as f64 / self.time.as_secs_f64().max(1e-6) / 1e3;
            let _ = write!(text, ", {speed:.0} knps");
        }
        let average = self.time.as_secs_f64() * 1e3 / self.moves.max(1) as f64;
        let _ = write!(text, ", {average:.1} ms a move");
        text
    }
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
        match record.half_points() {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.plies += record.moves.len();
        for seat in Seat::BOTH {
            self.engines.of_mut(seat).add(record.conduct.of(seat));
        }
        if let End::Failed { side, failure, .. } = record.end {
            self.engines.of_mut(record.black.playing(side)).fail(failure);
        }
    }

    /// The games so far.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Whether no engine did anything that it should not do.
    pub fn is_clean(&self) -> bool {
        Seat::BOTH.iter().all(|&seat| self.engines.of(seat).is_clean())
    }

    /// The score on one line.
    pub fn score(&self, names: &Both<String>) -> String {
        let Self { wins, losses, draws, .. } = self;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        let percent = points * 100.0 / self.games().max(1) as f64;
        let Both { first, second } = names;
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws} [{percent:.1} %]")
    }

    /// The difference in strength on one line.
    pub fn elo(&self) -> String {
        let (pairs, counts) = (self.pairs.len(), self.pairs.counts);
        match self.pairs.elo() {
            Some(elo) => format!("Elo: {elo} (95 %, pentanomial of {pairs} pairs: {counts:?})"),
            None => "Elo: unknown, no pair of games is complete".to_string(),
        }
    }

    /// Everything that there is to say at the end.
    pub fn summary(&self, names: &Both<String>, sprt: Option<Sprt>) -> String {
        let mut text = format!("{}\n{}\n", self.score(names), self.elo());
        if let Some(sprt) = sprt {
            let _ = writeln!(text, "SPRT: {}", sprt.describe(&self.pairs));
        }
        let length = self.plies as f64 / self.games().max(1) as f64;
        let _ = writeln!(text, "Length: {length:.1} plies on average, openings included");
        for seat in Seat::BOTH {
            let _ = writeln!(text, "{}", self.engines.of(seat).describe(names.of(seat)));
        }
        text
    }
}

/// A finished game on one line; 1-0 means that Black, who moves first, has won.
pub fn finished(record: &Record, names: &Both<String>) -> String {
    let (black, white) = (names.of(record.black), names.of(!record.black));
    let result = match record.end.winner() {
        Some(Side::Black) => "1-0",
        Some(Side::White) => "0-1",
        None => "1/2-1/2",
    };
    format!("Finished game {} ({black} vs {white}): {result} {{{}}}", record.number, record.end)
}
