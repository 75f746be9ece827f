//! What a search says of one position, as it is kept and printed.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::exact::Exact;
use crate::engine::event::{Event, Info};
use crate::engine::session::{GameSession, SearchSettings};
use crate::engine::uci_score::{UciScore, Wdl};
use crate::engine::{Bound, EngineError, Limits};
use crate::search::{EvalNoise, Signals, TranspositionTable};

/// A score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// A guess in centipawns.
    Cp(i32),
    /// The moves of the winner until the win is on the board, negative for the loser.
    Mate(i32),
}

impl Score {
    /// The same score as the other side sees it.
    pub fn turned(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(-cp),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

impl From<UciScore> for Score {
    fn from(verdict: UciScore) -> Self {
        match verdict {
            UciScore::Centipawns(cp) => Self::Cp(cp),
            UciScore::Mate(moves) => Self::Mate(moves),
        }
    }
}

/// A line of play and what it is worth to the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysedLine {
    /// The score.
    pub score: Score,
    /// How many of a thousand games the side to move wins, draws and loses.
    pub wdl: [u32; 3],
    /// The moves; none in a finished game.
    pub pv: Vec<String>,
}

impl AnalysedLine {
    /// Whether it begins with this move.
    pub fn begins_with(&self, mv: &str) -> bool {
        self.pv.first().is_some_and(|first| first == mv)
    }

    /// The points that the side to move can expect, from 0 to 1.
    pub fn expectation(&self) -> f64 {
        let [wins, draws, _] = self.wdl.map(f64::from);
        (wins + draws / 2.0) / 1000.0
    }
}

/// What a search says of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// The plies searched; 0 in a finished game.
    pub depth: usize,
    /// The positions visited.
    pub nodes: u64,
    /// The best lines, the best one first; never empty.
    pub lines: Vec<AnalysedLine>,
    /// The line that begins with the move that was played, where that is not the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<AnalysedLine>,
    /// What endgame tables know of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Exact>,
    /// What they know of the move that was played, for who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_table: Option<Exact>,
}

impl Analysis {
    /// The best line.
    pub fn best(&self) -> Option<&AnalysedLine> {
        self.lines.first()
    }

    /// The line that begins with the move `mv`, which was played.
    pub fn line_of(&self, mv: &str) -> Option<&AnalysedLine> {
        self.played.as_ref().or_else(|| self.best().filter(|line| line.begins_with(mv)))
    }

    /// The best move; none in a finished game.
    pub fn best_move(&self) -> Option<&str> {
        Some(self.best()?.pv.first()?.as_str())
    }
}

/// A move that was played may take so many times the positions of the first search to reach its
/// depth; a bad one can be difficult.
const PATIENCE: u64 = 4;

/// How positions are judged.
#[derive(Clone, Debug)]
pub struct Analyser {
    /// What a search may use.
    pub limits: Limits,
    /// Its threads.
    pub threads: usize,
    /// How many lines it tells.
    pub lines: usize,
    /// The size of its table in MiB.
    pub hash: usize,
}

impl Analyser {
    /// Searches a position, and the move that was `played` in it by itself if it is not the best
    /// one: two searches of one position can be compared, those of two positions can not.
    ///
    /// It begins with an empty table, so that the answer depends on nothing else.
    pub fn judge(
        &self,
        session: &dyn GameSession,
        played: Option<&str>,
    ) -> Result<Analysis, EngineError> {
        let table = Arc::new(TranspositionTable::new(self.hash)?);
        let mut judgement = self.search(session, &[], self.lines, &self.limits, &table)?;
        judgement.table = session.tablebase_value().map(Exact::from);
        if let Some(mv) = played {
            judgement.played_table =
                session.with_moves(&[mv])?.tablebase_value().map(Exact::of_move_to);
        }
        if let Some(mv) = played
            && judgement.best_move() != Some(mv)
        {
            // Scores of different depths are none to compare: who moves last looks better.
            let nodes = self.limits.nodes.map(|nodes| nodes.saturating_mul(PATIENCE));
            let depth = Some(judgement.depth);
            let limits = Limits { depth, nodes, ..self.limits.clone() };
            let played = self.search(session, &[mv], 1, &limits, &table)?;
            judgement.played = played.lines.into_iter().next();
        }
        Ok(judgement)
    }

    fn search(
        &self,
        session: &dyn GameSession,
        moves: &[&str],
        lines: usize,
        limits: &Limits,
        table: &Arc<TranspositionTable>,
    ) -> Result<Analysis, EngineError> {
        let means = SearchSettings {
            limits: limits.clone(),
            requested_at: Instant::now(),
            threads: self.threads,
            multipv: lines,
            show_wdl: true,
            is_limited: false,
            eval_noise: EvalNoise::default(),
            table: Arc::clone(table),
            signals: Arc::new(Signals::new(false)),
        };
        let search = session.search(means, moves)?;
        let mut judgement = Analysis::default();
        search(Instant::now(), &mut |event| {
            match event {
                Event::Info(info) if info.bound == Bound::Exact => note(&mut judgement, info),
                Event::Finished { verdict, odds } => {
                    judgement.lines = vec![line(verdict, odds, Vec::new())];
                }
                _ => {}
            }
            Ok(())
        });
        Ok(judgement)
    }
}

/// Keeps the lines of the last depth.
fn note(judgement: &mut Analysis, info: Info) {
    judgement.lines.truncate(info.multipv - 1);
    judgement.lines.push(line(info.score, info.wdl, info.pv));
    (judgement.depth, judgement.nodes) = (info.depth, info.nodes);
}

fn line(verdict: UciScore, odds: Option<Wdl>, pv: Vec<String>) -> AnalysedLine {
    let wdl = odds.map_or([0, 1000, 0], |odds| [odds.wins, odds.draws, odds.losses]);
    AnalysedLine { score: verdict.into(), wdl, pv }
}
