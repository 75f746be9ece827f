//! Hints: the best move of a position with the reasons for it.

use std::sync::Arc;

use serde::Serialize;

use super::analyser::{AnalysedLine, Analyser};
use crate::engine::session::GameSession;
use crate::engine::uci_score::UciScore;
use crate::engine::{EngineError, MoveView};
use crate::game::Fact;
use crate::search::{SearchMemory, SearchOptions, Signals};

/// The most facts of a hint.
const MOST_FACTS: usize = 2;

/// The number of lines that show whether every other move loses.
const LINES: usize = 2;

/// Facts, and the lighter ones that add nothing to them.
const IMPLIED: [(&str, &[&str]); 4] = [
    ("forces-win", &["threatens-win"]),
    ("joins", &["nearer", "gathers"]),
    ("nearer", &["gathers"]),
    ("avoids-loss", &["saves"]),
];

/// The best move of a position, and why it is good.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hint {
    #[serde(rename = "move")]
    pub mv: MoveView,
    /// The score of the move for the side that makes it.
    pub score: UciScore,
    /// Wins, draws and losses of this side per thousand games.
    pub wdl: [u32; 3],
    /// The weightiest facts about the move, at least one. Each is counted or proved, except `best-score`,
    /// which stands alone.
    pub facts: Vec<Fact>,
    /// The facts as a phrase that follows the move: "captures a man and threatens to jump".
    pub reason: String,
}

impl Hint {
    /// Searches a position for its best move. Returns `None` if the game is over, or if a signal stops the
    /// search before it has a move.
    pub fn find(
        session: &dyn GameSession,
        analyser: &Analyser,
        signals: &Arc<Signals>,
    ) -> Result<Option<Self>, EngineError> {
        let table = Arc::new(SearchMemory::new(analyser.hash)?);
        let options = SearchOptions { multipv: LINES, ..analyser.options };
        let analyser = Analyser { options, limits: analyser.limits.clone(), ..*analyser };
        let analysis = analyser.search(session, &[], &table, signals, &mut |_| {})?;
        let (Some(best), Some(mv)) = (analysis.best(), analysis.best_move()) else {
            return Ok(None);
        };
        let (mv, facts) = session.facts(mv)?;
        let facts = reasons(facts, best.score, analysis.lines.get(1));
        let reason = phrase(&facts);
        Ok(Some(Self { mv, score: best.score, wdl: best.wdl, facts, reason }))
    }
}

/// The weightiest of the facts about the best move, with what the search has proved: that the move wins,
/// that every other move loses, or that every move loses.
fn reasons(facts: Vec<Fact>, score: UciScore, next: Option<&AnalysedLine>) -> Vec<Fact> {
    let has = |codes: &[&str]| facts.iter().any(|fact| codes.contains(&fact.code));
    let mut proved = Vec::new();
    let mut last = None;
    match score {
        UciScore::Mate(moves) if moves > 0 && !has(&["wins"]) => {
            proved.push(Fact::new("forces-win", format!("wins in at most {}", count(moves))));
        }
        UciScore::Mate(moves) if moves < 0 && !has(&["loses", "only-move"]) => {
            let text = format!("loses in at most {}, as every move does", count(-moves));
            last = Some(Fact::new("every-move-loses", text));
        }
        _ => {}
    }
    let loses = |line: &AnalysedLine| matches!(line.score, UciScore::Mate(moves) if moves < 0);
    let saves = !matches!(score, UciScore::Mate(moves) if moves < 0);
    if saves && next.is_some_and(loses) && !has(&["only-move", "only-defence"]) {
        proved.push(Fact::new("others-lose", "is the only move that is not known to lose"));
    }
    // The only legal move is named first.
    let at = facts.iter().take_while(|fact| fact.code == "only-move").count();
    let mut all = facts;
    all.splice(at..at, proved);
    if last.is_some() {
        all.retain(|fact| fact.code != "allows-win");
    }
    let mut reasons: Vec<Fact> = Vec::new();
    for fact in all {
        let implies = |other: &Fact| {
            IMPLIED.iter().any(|(by, codes)| *by == other.code && codes.contains(&fact.code))
        };
        if !reasons.iter().any(implies) {
            reasons.push(fact);
        }
    }
    reasons.truncate(MOST_FACTS - usize::from(last.is_some()));
    reasons.extend(last);
    if reasons.is_empty() {
        reasons.push(Fact::new("best-score", "is the best move by the search's score"));
    }
    reasons
}

fn count(moves: i32) -> String {
    if moves == 1 { "one move".to_string() } else { format!("{moves} moves") }
}

/// Facts as one phrase: "captures a man, threatens to jump and blocks a piece".
fn phrase(facts: &[Fact]) -> String {
    let texts: Vec<&str> = facts.iter().map(|fact| fact.text.as_str()).collect();
    match texts.as_slice() {
        [] => String::new(),
        [one] => (*one).to_string(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
