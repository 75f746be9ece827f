//! The analysis of one position by search, in the form that is stored and printed.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::continuations::points_lost;
use super::review::MISTAKE;
use crate::engine::event::{Event, Info};
use crate::engine::session::{GameSession, SearchSettings};
use crate::engine::uci_score::{UciScore, Wdl};
use crate::engine::{EngineError, NAME};
use crate::game::{Players, TablebaseValue};
use crate::platform::Instant;
use crate::search::{Limits, SearchMemory, SearchOptions, Signals, insert_pv};

/// A principal variation with its score for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysedLine {
    /// The score for the side to move at the beginning of the line.
    pub score: UciScore,
    /// Wins, draws and losses of the side to move per thousand games.
    pub wdl: [u32; 3],
    /// The expected points of the side to move per thousand games of players of a level, if their chances are
    /// wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chances: Option<u32>,
    /// The moves; none in a finished game.
    pub pv: Vec<String>,
}

impl AnalysedLine {
    /// Whether the line begins with the move `mv`.
    pub fn begins_with(&self, mv: &str) -> bool {
        self.pv.first().is_some_and(|first| first == mv)
    }

    /// The line after its first move, for the opponent.
    pub fn continuation(&self) -> Self {
        let [wins, draws, losses] = self.wdl;
        let pv = self.pv.iter().skip(1).cloned().collect();
        let chances = self.chances.map(|points| 1000_u32.saturating_sub(points));
        Self { score: -self.score, wdl: [losses, draws, wins], chances, pv }
    }

    /// The expected points of the side to move, from 0 to 1: those of players of a level, or else of the
    /// engine.
    pub fn expectation(&self) -> f64 {
        let [wins, draws, _] = self.wdl.map(f64::from);
        self.chances.map_or(wins + draws / 2.0, f64::from) / 1000.0
    }
}

/// The result of analysing a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// The search depth in plies; 0 in a finished game.
    pub depth: usize,
    pub nodes: u64,
    /// The best lines, the best one first; never empty.
    pub lines: Vec<AnalysedLine>,
    /// The line of the move played; `None` if that is the best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<AnalysedLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TablebaseValue>,
    /// The endgame table value of the move played, from the view of the player who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_table: Option<TablebaseValue>,
    /// At the levels for learners, the expected points per thousand games that the move played cost in games
    /// which such players played on; 0 if the search sees no mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<i32>,
}

impl Analysis {
    /// The first line, with the highest score.
    pub fn best(&self) -> Option<&AnalysedLine> {
        self.lines.first()
    }

    /// The line of the move `mv`, which must be the move played.
    pub fn line_of(&self, mv: &str) -> Option<&AnalysedLine> {
        self.played.as_ref().or_else(|| self.best().filter(|line| line.begins_with(mv)))
    }

    /// The best move; none in a finished game.
    pub fn best_move(&self) -> Option<&str> {
        Some(self.best()?.pv.first()?.as_str())
    }
}

/// The factor on the node limit for the search of the move played: a bad move can need many more
/// nodes to reach the depth of the first search.
const PATIENCE: u64 = 4;

/// The default node limit of a search.
const NODES: u64 = 200_000;

/// The limits of each search. The default number of nodes applies if neither depth nor time is
/// limited.
pub fn search_limits(
    nodes: Option<u64>,
    depth: Option<usize>,
    movetime: Option<Duration>,
) -> Limits {
    let is_limited = depth.is_some() || movetime.is_some();
    let nodes = nodes.or((!is_limited).then_some(NODES));
    Limits { nodes, depth, movetime, ..Limits::default() }
}

/// The search settings with which positions are analysed.
#[derive(Clone, Debug)]
pub struct Analyser {
    pub limits: Limits,
    /// The threads, the number of lines, and `Solve`.
    pub options: SearchOptions,
    /// The players whose chances decide what a move loses.
    pub players: Players,
    /// The size of the transposition table in MiB.
    pub hash: usize,
}

impl Analyser {
    /// The engine, the limits of its searches and the players whose chances it shows, for records: `Soucie 1.0,
    /// 200000 nodes a search, chances of players of level medium`.
    pub fn annotator(&self) -> String {
        let Limits { nodes, depth, movetime, .. } = &self.limits;
        let limits = [
            nodes.map(|nodes| format!("{nodes} nodes a search")),
            depth.map(|depth| format!("depth {depth}")),
            movetime.map(|time| format!("{} ms a search", time.as_millis())),
        ];
        let players = match self.players {
            Players::Engine => None,
            players => Some(format!("chances of players of {players}")),
        };
        let limits = limits.into_iter().flatten().chain(players);
        limits.fold(NAME.to_string(), |text, limit| format!("{text}, {limit}"))
    }

    /// Searches a position, and separately the move `played` in it if that is not the best move.
    ///
    /// Both searches start from the same position, because scores of two positions are not
    /// comparable. The transposition table is empty at the start, so that the result depends on the
    /// position alone. If `signals` stop a search, the result is incomplete.
    pub fn analyse(
        &self,
        session: &dyn GameSession,
        played: Option<&str>,
        signals: &Arc<Signals>,
    ) -> Result<Analysis, EngineError> {
        let table = Arc::new(SearchMemory::new(self.hash)?);
        let mut analysis = self.search(session, &[], &table, signals, &mut |_| {})?;
        analysis.table = session.tablebase_value();
        let Some(mv) = played else { return Ok(analysis) };
        let learners = session.calibration().learners(self.players);
        analysis.lost = learners.map(|_| 0);
        let after_played = session.with_moves(&[mv])?;
        analysis.played_table = after_played.tablebase_value().map(before_move);
        let Some(best) = analysis.best().filter(|best| !best.begins_with(mv)).cloned() else {
            return Ok(analysis);
        };
        let found = best.expectation();
        let best_moves: Vec<&str> = best.pv.iter().take(1).map(String::as_str).collect();
        if session.with_moves(&best_moves)?.setup() == after_played.setup() {
            // The same move by another path.
            let pv = [mv.to_string()].into_iter().chain(best.pv.into_iter().skip(1)).collect();
            analysis.played = Some(AnalysedLine { pv, ..best });
        } else {
            // Scores of different depths are not comparable: the side with the last move scores
            // higher.
            let nodes = self.limits.nodes.map(|nodes| nodes.saturating_mul(PATIENCE));
            let depth = Some(analysis.depth);
            let limits = Limits { depth, nodes, ..self.limits.clone() };
            let options = SearchOptions { multipv: 1, ..self.options };
            let one_move = Self { limits, options, ..*self };
            let played = one_move.search(session, &[mv], &table, signals, &mut |_| {})?;
            analysis.played = played.lines.into_iter().next();
        }
        let expected = analysis.played.as_ref().map_or(0.0, AnalysedLine::expectation);
        if let Some(learners) = learners.filter(|_| found - expected >= MISTAKE) {
            analysis.lost = Some(points_lost(session, mv, learners, signals)?);
        }
        Ok(analysis)
    }

    /// Searches a position, and only the root moves `moves` unless there are none. `on_lines` is
    /// called with the analysis so far after the last line of each depth.
    ///
    /// The endgame table value of the position is not set.
    pub fn search(
        &self,
        session: &dyn GameSession,
        moves: &[&str],
        table: &Arc<SearchMemory>,
        signals: &Arc<Signals>,
        on_lines: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        signals.reset_counts();
        let (table, signals) = (Arc::clone(table), Arc::clone(signals));
        let settings = SearchSettings {
            options: self.options,
            show_wdl: true,
            players: self.players,
            ..SearchSettings::new(self.limits.clone(), table, signals)
        };
        let search = session.search(settings, moves)?;
        let mut analysis = Analysis::default();
        search(Instant::now(), &mut |event| {
            match event {
                Event::Info(info) => {
                    let is_last = info.multipv == info.lines;
                    note(&mut analysis, info);
                    if is_last {
                        on_lines(&analysis);
                    }
                }
                Event::Finished { score, wdl, chances } => {
                    analysis.lines = vec![line(score, wdl, chances, Vec::new())];
                }
                _ => {}
            }
            Ok(())
        });
        Ok(analysis)
    }
}

/// Stores the line of an event.
fn note(analysis: &mut Analysis, info: Info) {
    let first = info.pv.first().cloned();
    let begins = |line: &AnalysedLine| line.pv.first() == first.as_ref();
    let line = line(info.score, info.wdl, info.chances, info.pv);
    if insert_pv(&mut analysis.lines, info.multipv, info.bound, line, begins) {
        (analysis.depth, analysis.nodes) = (info.depth, info.nodes);
    }
}

fn line(score: UciScore, wdl: Option<Wdl>, chances: Option<u32>, pv: Vec<String>) -> AnalysedLine {
    let wdl = wdl.map_or([0, 1000, 0], |wdl| [wdl.wins, wdl.draws, wdl.losses]);
    AnalysedLine { score, wdl, chances, pv }
}

/// Returns the value of a move for the player who makes it, from the value of the next position.
fn before_move(next: TablebaseValue) -> TablebaseValue {
    let one_more = |plies: Option<u16>| plies.map(|plies| plies + 1);
    match next {
        TablebaseValue::Won(plies) => TablebaseValue::Lost(one_more(plies)),
        TablebaseValue::Lost(plies) => TablebaseValue::Won(one_more(plies)),
        TablebaseValue::Drawn => TablebaseValue::Drawn,
    }
}
