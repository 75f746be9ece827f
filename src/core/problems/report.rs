//! The result of a check, as data and as text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::problem::Terms;
use crate::engine::uci_score::UciScore;
use crate::files::printable::plural;
use crate::game::Side;

/// The most duals that the table and the page print; the JSON has all.
const MOST_DUALS: usize = 10;

/// What a check has found of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// One key, and no dual but minor ones; of a loss, that every move loses.
    Sound,
    Cooked,
    /// One key, but a dual later in the solution.
    Dual,
    /// The terms are better than the truth: no move keeps the result.
    NoSolution,
    /// The terms are worse than the truth: the side to move can reach more.
    Better,
    /// The side to move can win in fewer moves than the terms.
    Short,
    Open,
}

impl Verdict {
    pub fn words(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Cooked => "cooked",
            Self::Dual => "one key, but a dual",
            Self::NoSolution => "no solution",
            Self::Better => "better than its terms",
            Self::Short => "short",
            Self::Open => "open",
        }
    }
}

/// What is known of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveResult {
    Keeps,
    Fails,
    #[default]
    Open,
}

/// What a result rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The game is over after the move.
    Rules,
    /// The endgame tables have the position after the move.
    Tables,
    Proof,
}

/// The judgement of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MoveReport {
    /// The move, in the standard notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    pub result: MoveResult,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Source>,
    /// The maximum number of plies to the win that is proved, or to the endgame tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// Whether the proof rests on endgame tables: `plies` then end there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uses_tables: bool,
    /// The reply that refutes the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refutation: Option<String>,
    /// Whether a short search takes the move, which fails, for the best or nearly so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_try: bool,
    /// The score of an open move for the side to move, by a search that proves nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<UciScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    pub expansions: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

/// Another move that keeps the result, later in a solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Dual {
    /// The moves of the solution before it.
    pub after: Vec<String>,
    #[serde(flatten)]
    pub report: MoveReport,
    /// Whether it is no fault: it transposes, or stands at the end of the solution.
    pub is_minor: bool,
}

/// A line of play of the problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// Whether it was published with the problem. Otherwise it is that of the proof, with the defence
    /// that resists longest.
    pub is_recorded: bool,
    /// The moves, in the standard notation of the game.
    pub moves: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<DefenceVariation>,
    /// The first move of the line that does not keep the result, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_at: Option<usize>,
}

/// A defence in the place of one of the solution, and the answer to it, which is proved to win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DefenceVariation {
    /// The place of the defence in the solution, from 0.
    pub ply: usize,
    pub moves: [String; 2],
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProblemReport {
    /// The number of the problem, from 1.
    pub problem: usize,
    pub name: String,
    pub variant: String,
    pub setup: String,
    pub side: Side,
    /// What the side to move is to reach.
    pub terms: Terms,
    pub verdict: Verdict,
    /// The moves that keep the result.
    pub keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong_keys: Vec<String>,
    pub moves: Vec<MoveReport>,
    /// Of a draw: whether the side to move could win. Of a limited win: whether it could win in fewer moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<MoveReport>,
    /// The solution of the proof and the published one, as far as there are such.
    pub solutions: Vec<Solution>,
    /// The duals and the open moves along the solutions.
    pub duals: Vec<Dual>,
    pub expansions: u64,
}

impl ProblemReport {
    /// The terms as a sentence without a full stop.
    pub fn terms_text(&self) -> String {
        match self.terms {
            Terms::Win | Terms::WinIn(_) | Terms::Draw => {
                format!("{} to play and {}", self.side, self.terms)
            }
            Terms::Loss => format!("{} to play and lose", self.side),
        }
    }

    /// The verdict, the keys and what contradicts the publication, in words.
    pub fn verdict_text(&self) -> String {
        let mut text = self.verdict.words().to_string();
        if let (Verdict::Short, Some(moves)) = (self.verdict, self.moves_of_win()) {
            text += &format!(", a win in {moves}");
        }
        if self.terms != Terms::Loss && !self.keys.is_empty() {
            let word = if self.keys.len() == 1 { "key" } else { "keys" };
            text += &format!(", {word} {}", self.keys.join(", "));
        }
        let others = self.published.iter().filter(|key| !self.wrong_keys.contains(key));
        let others: Vec<&str> = others.map(String::as_str).collect();
        if !others.is_empty() {
            text += &format!("; published {}", others.join(", "));
        }
        if !self.wrong_keys.is_empty() {
            text += &format!("; the published {} fails", self.wrong_keys.join(", "));
        }
        text
    }

    fn moves_of_win(&self) -> Option<u8> {
        self.win.as_ref()?.plies.map(Terms::moves_of)
    }

    /// The duals that are printed, the minor ones last, and how many others there are, in words.
    pub fn shown_duals(&self) -> (Vec<&Dual>, Option<String>) {
        let mut duals: Vec<&Dual> = self.duals.iter().collect();
        duals.sort_by_key(|dual| dual.is_minor);
        let more = duals.len().saturating_sub(MOST_DUALS);
        duals.truncate(MOST_DUALS);
        (duals, (more > 0).then(|| format!("and {more} more, which --json prints")))
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "Problem {}: {}", self.problem, self.terms_text())?;
        if !self.name.is_empty() {
            write!(out, " ({})", self.name)?;
        }
        writeln!(out, "\n  {}\n  {}", self.setup, self.verdict_text())?;
        let moves = self.moves.iter().chain(&self.win);
        let width = moves.map(|report| report.mv.len()).max().unwrap_or(0);
        for report in &self.moves {
            writeln!(out, "  {:width$}  {}", report.mv, report.text(self.terms))?;
        }
        if let Some(report) = &self.win {
            let sooner = if self.terms.is_win() { " sooner" } else { "" };
            let text = match report.result {
                MoveResult::Keeps => {
                    format!("{} could even win{sooner}, by {}", self.side, report.mv)
                }
                MoveResult::Fails => format!("{} cannot win{sooner}", self.side),
                MoveResult::Open => format!("open whether {} could even win{sooner}", self.side),
            };
            writeln!(out, "  {text}")?;
        }
        for solution in &self.solutions {
            let word = if solution.is_recorded { "published" } else { "solution" };
            writeln!(out, "  {word}: {}", solution.moves.join(" "))?;
            if let Some(mv) = solution.fails_at.and_then(|ply| solution.moves.get(ply)) {
                writeln!(out, "    {mv} does not keep the result")?;
            }
            if let Some(variations) = solution.variations_text() {
                writeln!(out, "  variations: {variations}")?;
            }
        }
        let (duals, others) = self.shown_duals();
        for dual in duals {
            writeln!(out, "  {}  {}", dual.place(), dual.report.text(self.terms))?;
        }
        if let Some(others) = others {
            writeln!(out, "  {others}")?;
        }
        writeln!(out)?;
        out.flush()
    }
}

/// How many of the results have each verdict, and what to do about the open ones. `nodes` is the limit of
/// each proof search.
pub fn summary(results: &[Result<ProblemReport, String>], nodes: u64) -> Vec<String> {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for report in results.iter().flatten() {
        *counts.entry(report.verdict).or_default() += 1;
    }
    let parts = counts.iter().map(|(verdict, count)| match verdict {
        Verdict::Dual => format!("{count} with a dual"),
        Verdict::NoSolution => format!("{count} without a solution"),
        verdict => format!("{count} {}", verdict.words()),
    });
    let errors = results.iter().filter(|result| result.is_err()).count();
    let errors = (errors > 0).then(|| plural(errors, "error", "errors"));
    let parts: Vec<String> = parts.chain(errors).collect();
    let mut lines = Vec::new();
    if results.len() > 1 {
        lines.push(format!("{} problems: {}", results.len(), parts.join(", ")));
    }
    if counts.contains_key(&Verdict::Open) {
        lines.push(format!(
            "open: raise --nodes, which is {nodes}, with another journal; or in draughts use endgame \
             tables of more pieces: soucie tables build, or --tables"
        ));
    }
    lines
}

impl Solution {
    /// The variations with the numbers of their moves, counted from the beginning of the problem.
    pub fn variations_text(&self) -> Option<String> {
        let text = |DefenceVariation { ply, moves: [reply, answer] }: &DefenceVariation| {
            let number = ply / 2 + 1;
            format!("{number}... {reply} {}. {answer}", number + 1)
        };
        let texts: Vec<String> = self.variations.iter().map(text).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

impl Dual {
    /// What the move is, where it stands, and the move.
    pub fn place(&self) -> String {
        let word = match (self.report.result, self.is_minor) {
            (MoveResult::Open, _) => "open",
            (_, true) => "minor dual",
            (_, false) => "dual",
        };
        format!("{word} after {}: {}", self.after.join(" "), self.report.mv)
    }
}

impl MoveReport {
    /// What is known of the move, in words.
    pub fn text(&self, terms: Terms) -> String {
        let mut text = match (self.result, terms) {
            (MoveResult::Keeps, _) => terms.verb().to_string(),
            (MoveResult::Fails, Terms::Win) => "does not win".to_string(),
            (MoveResult::Fails, Terms::WinIn(_)) => "does not win in time".to_string(),
            (MoveResult::Fails, Terms::Draw) => "loses".to_string(),
            (MoveResult::Fails, Terms::Loss) => "does not lose".to_string(),
            (MoveResult::Open, _) => "open".to_string(),
        };
        match (self.by, self.plies) {
            (Some(Source::Rules), _) => text += ", the game is over",
            (Some(Source::Tables), _) => text += " by the endgame tables",
            (_, Some(plies)) => {
                let tables = if self.uses_tables { ", in the endgame tables" } else { "" };
                text += &format!("{tables} within {}", plural(plies, "ply", "plies"));
            }
            _ => {}
        }
        if let Some(reply) = &self.refutation {
            text += &format!(", {reply}");
        }
        if self.is_try {
            text += " (try)";
        }
        if let (Some(score), Some(depth)) = (self.score, self.depth) {
            text += &format!(", {score} for the side to move at depth {depth}");
        }
        text
    }
}
