//! Move reviews: expected points lost, marks, missed wins, and when a game was decided.

use serde::{Serialize, Serializer};

use super::analyser::{AnalysedLine, Analysis};
use crate::engine::session::GameSession;
use crate::engine::uci_score::UciScore;
use crate::engine::{EngineError, MoveView};
use crate::game::{Side, TablebaseValue};

/// The minimum losses of expected points for a mistake and for a blunder.
pub(super) const MISTAKE: f64 = 0.12;
const BLUNDER: f64 = 0.3;

/// The minimum loss, per thousand games, of a mistake at the levels for learners, in games that they play on:
/// nine of ten such moves cost them 100 or more in other games.
const CONFIRMED: i32 = 200;

/// The minimum loss of expected points of a missed win. A smaller one, from a proved win to a
/// position that is as good as won, does not show in percent.
const MISSED: f64 = 0.01;

/// The expected points from which a position counts as won. They are shown as 95 %.
const WON: f64 = 0.945;

/// The mark of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub enum Mark {
    /// A mistake: a loss of at least 0.12 expected points.
    #[serde(rename = "?")]
    Mistake,
    /// A blunder: a loss of at least 0.3 expected points.
    #[serde(rename = "??")]
    Blunder,
}

impl Mark {
    /// The annotation symbol, written after the move.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// The review of a move. Scores are from the view of the player who made it. In JSON, moves are in
/// coordinate notation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveReview {
    /// The ply in the record, from 1.
    pub ply: usize,
    pub side: Side,
    #[serde(rename = "move", serialize_with = "coordinate")]
    pub mv: MoveView,
    /// The score after the move, of the side that made it.
    pub score: UciScore,
    /// Wins, draws and losses per thousand games after the move.
    pub wdl: [u32; 3],
    /// The expected points after the move per thousand games of players of a level, if their chances are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<u32>,
    pub best_score: UciScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TablebaseValue>,
    /// The endgame table value of the position before the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_table: Option<TablebaseValue>,
    /// The principal variation of the position before the move.
    #[serde(serialize_with = "coordinates")]
    pub best: Vec<MoveView>,
    /// The expected points lost by the move, from 0 to 1.
    pub loss: f64,
    /// The mark; `None` for a good move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// The length in moves of the proved win that the move missed, at a loss of expected points of
    /// at least 0.01.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed_win: Option<i32>,
    /// The expected points after the move, from 0 to 1.
    #[serde(skip)]
    pub expectation: f64,
    /// The continuation that the search of the move found, from the view of the opponent.
    #[serde(skip)]
    pub continuation: AnalysedLine,
}

fn coordinate<S: Serializer>(mv: &MoveView, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&mv.coordinate)
}

fn coordinates<S: Serializer>(moves: &[MoveView], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(moves.iter().map(|mv| &mv.coordinate))
}

/// The moves of a line from the current position of a game.
pub fn moves_of(game: &dyn GameSession, line: &[String]) -> Result<Vec<MoveView>, EngineError> {
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let played = game.fork().with_moves(&line)?.history();
    Ok(played.into_iter().map(|played| played.mv).collect())
}

impl MoveReview {
    /// The number of the move, as players count: a move of each side has the same number.
    pub fn number(&self) -> usize {
        number_of(self.ply)
    }

    /// Whether the move has a mark or missed a win.
    pub fn is_marked(&self) -> bool {
        self.mark.is_some() || self.missed_win.is_some()
    }
}

fn number_of(ply: usize) -> usize {
    ply.div_ceil(2)
}

/// Reviews the move `mv` in the analysed position of a game, after the review of the move before it.
///
/// Returns `None` if the analysis has no line for the move.
pub fn review(
    ply: usize,
    game: &dyn GameSession,
    mv: &MoveView,
    analysis: &Analysis,
    previous: Option<&MoveReview>,
) -> Result<Option<MoveReview>, EngineError> {
    let played = analysis.line_of(&mv.coordinate);
    let Some((found, played)) = analysis.best().zip(played) else { return Ok(None) };
    // The search of the move before may have found a far better line for this side, and marked that
    // move for it. The reply is judged by the same line.
    let continuation = previous
        .map(|previous| &previous.continuation)
        .filter(|line| !line.pv.is_empty() && line.expectation() - found.expectation() >= MISTAKE);
    let found = continuation.unwrap_or(found);
    let played = continuation.filter(|line| line.begins_with(&mv.coordinate)).unwrap_or(played);
    // The search of the move played may score it higher than the first search its best move.
    let best = if played.expectation() > found.expectation() { played } else { found };
    let lost = best.expectation() - played.expectation();
    let loss = (lost.max(0.0) * 1000.0).round() / 1000.0;
    let is_confirmed = analysis.lost.is_none_or(|lost| lost >= CONFIRMED);
    let mark = match loss {
        _ if !is_confirmed => None,
        loss if loss >= BLUNDER => Some(Mark::Blunder),
        loss if loss >= MISTAKE => Some(Mark::Mistake),
        _ => None,
    };
    let keeps_win =
        analysis.played_table.is_some_and(|table| matches!(table, TablebaseValue::Won(_)));
    let missed_win = match (best.score, played.score) {
        _ if keeps_win || loss < MISSED => None,
        (_, UciScore::Mate(1..)) => None,
        (UciScore::Mate(moves @ 1..), _) => Some(moves),
        _ => None,
    };
    Ok(Some(MoveReview {
        ply,
        side: game.side(),
        mv: mv.clone(),
        score: played.score,
        wdl: played.wdl,
        chances: played.chances,
        best_score: best.score,
        table: analysis.played_table,
        best_table: analysis.table,
        best: moves_of(game, &best.pv)?,
        loss,
        mark,
        missed_win,
        expectation: played.expectation(),
        continuation: played.continuation(),
    }))
}

/// The point from which one side was winning until the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DecisivePly {
    /// The first ply after which the winner had a proved win, or 0.95 expected points, rounded, for good.
    pub ply: usize,
    pub side: Side,
    /// The side that was winning, which need not be the one that moved.
    pub winner: Side,
}

impl DecisivePly {
    /// The move: "White's move 21".
    pub fn place(&self) -> String {
        format!("{}'s move {}", self.side, number_of(self.ply))
    }
}

/// Returns the decision after the move of this review, from the decision before it; `None` if
/// neither side is winning after the move.
pub fn decision_after(review: &MoveReview, before: Option<DecisivePly>) -> Option<DecisivePly> {
    // Players of a level are sure of a win only where it is proved.
    let winner = match (review.expectation, review.score) {
        (_, UciScore::Mate(1..)) => review.side,
        (_, UciScore::Mate(..=-1)) => !review.side,
        (expectation, _) if expectation >= WON => review.side,
        (expectation, _) if expectation <= 1.0 - WON => !review.side,
        _ => return None,
    };
    let is_the_same = |decision: &DecisivePly| decision.winner == winner;
    before.filter(is_the_same).or(Some(DecisivePly { ply: review.ply, side: review.side, winner }))
}

/// What a game that was given as a draw gave away, in words; `None` if neither side stood better after
/// the last move, whose review this is.
pub fn lost_by_draw(last: &MoveReview) -> Option<String> {
    let (side, expected, score) = if last.expectation >= 0.5 {
        (last.side, last.expectation, last.score)
    } else {
        (!last.side, 1.0 - last.expectation, -last.score)
    };
    let percent = format!("{:.0}\u{a0}%", 100.0 * expected);
    // Without a length, a win by the tables is only expected.
    let has_length =
        matches!(last.table, Some(TablebaseValue::Won(Some(_)) | TablebaseValue::Lost(Some(_))));
    if matches!(score, UciScore::Mate(1..)) || has_length {
        Some(format!("The draw gave away a proved win of {side}"))
    } else if expected >= WON {
        Some(format!("The draw was given although {side} was winning ({percent})"))
    } else if expected - 0.5 >= MISTAKE {
        Some(format!("The draw was given although {side} stood better ({percent})"))
    } else {
        None
    }
}

/// The statistics of a side's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PlayStats {
    pub moves: u32,
    pub mistakes: u32,
    pub blunders: u32,
    pub missed_wins: u32,
    /// The sum of expected points lost.
    pub loss: f64,
}

impl PlayStats {
    /// Counts a move, its mark and its loss.
    pub fn add(&mut self, review: &MoveReview) {
        self.moves += 1;
        self.mistakes += u32::from(review.mark == Some(Mark::Mistake));
        self.blunders += u32::from(review.mark == Some(Mark::Blunder));
        self.missed_wins += u32::from(review.missed_win.is_some());
        self.loss = ((self.loss + review.loss) * 1000.0).round() / 1000.0;
    }

    /// The expected points lost per move, from 0 to 1; `None` without moves.
    pub fn average_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss / f64::from(self.moves))
    }
}
