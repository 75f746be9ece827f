//! Move reviews: expected points lost, marks, missed wins, and when a game was decided.

use serde::{Serialize, Serializer};

use super::analyser::Analysis;
use crate::engine::EngineError;
use crate::engine::session::{GameSession, MoveView};
use crate::engine::uci_score::UciScore;
use crate::game::{Side, TablebaseValue};

/// The minimum losses of expected points for a mistake and for a blunder.
const MISTAKE: f64 = 0.12;
const BLUNDER: f64 = 0.3;

/// The expected points from which a position counts as won.
const WON: f64 = 0.95;

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
    /// The side that made it.
    pub side: Side,
    /// The move.
    #[serde(rename = "move", serialize_with = "coordinate")]
    pub mv: MoveView,
    /// The score of the move.
    pub score: UciScore,
    /// Wins, draws and losses per thousand games after the move.
    pub wdl: [u32; 3],
    /// The score of the position with the best move.
    pub best_score: UciScore,
    /// The endgame table value of the move.
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
    /// The length in moves of the proved win that the move missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed_win: Option<i32>,
    /// The expected points after the move, from 0 to 1.
    #[serde(skip)]
    pub expectation: f64,
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

/// Reviews the move `mv` in the analysed position of a game.
///
/// Returns `None` if the analysis has no line for the move.
pub fn review(
    ply: usize,
    game: &dyn GameSession,
    mv: &MoveView,
    analysis: &Analysis,
) -> Result<Option<MoveReview>, EngineError> {
    let played = analysis.line_of(&mv.coordinate);
    let Some((found, played)) = analysis.best().zip(played) else { return Ok(None) };
    // The search of the move played may score it higher than the first search its best move.
    let best = if played.expectation() > found.expectation() { played } else { found };
    let lost = best.expectation() - played.expectation();
    let loss = (lost.max(0.0) * 1000.0).round() / 1000.0;
    let mark = match loss {
        loss if loss >= BLUNDER => Some(Mark::Blunder),
        loss if loss >= MISTAKE => Some(Mark::Mistake),
        _ => None,
    };
    let keeps_win =
        analysis.played_table.is_some_and(|table| matches!(table, TablebaseValue::Won(_)));
    let missed_win = match (best.score, played.score) {
        _ if keeps_win => None,
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
        best_score: best.score,
        table: analysis.played_table,
        best_table: analysis.table,
        best: moves_of(game, &best.pv)?,
        loss,
        mark,
        missed_win,
        expectation: played.expectation(),
    }))
}

/// The point from which one side was winning until the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DecisivePly {
    /// The first ply after which the winner had at least 0.95 expected points for good.
    pub ply: usize,
    /// The winning side.
    pub winner: Side,
}

/// Returns the decision after the move of this review, from the decision before it; `None` if
/// neither side is winning after the move.
pub fn decision_after(review: &MoveReview, before: Option<DecisivePly>) -> Option<DecisivePly> {
    let winner = match review.expectation {
        expectation if expectation >= WON => review.side,
        expectation if expectation <= 1.0 - WON => !review.side,
        _ => return None,
    };
    let is_the_same = |decision: &DecisivePly| decision.winner == winner;
    before.filter(is_the_same).or(Some(DecisivePly { ply: review.ply, winner }))
}

/// The statistics of a side's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PlayStats {
    /// The number of moves.
    pub moves: u32,
    /// The number of mistakes.
    pub mistakes: u32,
    /// The number of blunders.
    pub blunders: u32,
    /// The number of missed proved wins.
    pub missed_wins: u32,
    /// The sum of expected points lost.
    pub loss: f64,
}

impl PlayStats {
    /// Adds a move.
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::analysis::analyser::AnalysedLine;
    use crate::engine::open;
    use crate::options::Options;

    const EVEN: [u32; 3] = [500, 20, 480];

    fn line(score: UciScore, wdl: [u32; 3], mv: &str) -> AnalysedLine {
        AnalysedLine { score, wdl, pv: vec![mv.to_string()] }
    }

    /// The review of a move at the start of a game, or with the colours exchanged.
    fn reviewed(ply: usize, side: Side, mv: &str, analysis: &Analysis) -> MoveReview {
        let setup = match side {
            Side::Black => "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b",
            Side::White => "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w",
        };
        let mut game = open(&Options::default()).unwrap();
        game.set_position(Some(setup), &[]).unwrap();
        review(ply, &*game, &game.check_move(mv).unwrap(), analysis).unwrap().unwrap()
    }

    fn analysis(best: AnalysedLine, played: Option<AnalysedLine>) -> Analysis {
        Analysis { depth: 9, nodes: 9, lines: vec![best], played, ..Analysis::default() }
    }

    #[test]
    fn marks_depend_on_the_expected_points_lost() {
        let best = line(UciScore::Centipawns(50), [620, 20, 360], "b8b6");
        let best_move = reviewed(1, Side::Black, "b8b6", &analysis(best.clone(), None));
        assert_eq!(
            (best_move.mark, best_move.loss, best_move.score),
            (None, 0.0, UciScore::Centipawns(50))
        );
        let table = [
            ([580, 20, 400], None, 0.04),
            ([490, 20, 490], Some(Mark::Mistake), 0.13),
            ([80, 20, 900], Some(Mark::Blunder), 0.54),
            ([880, 20, 100], None, 0.0),
        ];
        for (wdl, mark, loss) in table {
            let played = line(UciScore::Centipawns(0), wdl, "c1c3");
            let review = reviewed(1, Side::Black, "c1c3", &analysis(best.clone(), Some(played)));
            assert_eq!((review.mark, review.loss), (mark, loss), "{wdl:?}");
            let best = if wdl[0] > 620 { "c1c3" } else { "b8b6" };
            assert_eq!(review.best[0].coordinate, best, "{wdl:?}");
        }
    }

    #[test]
    fn a_missed_win_is_reported() {
        let best = line(UciScore::Mate(3), [1000, 0, 0], "b8b6");
        let missed = |score| {
            let played = line(score, EVEN, "c1c3");
            reviewed(1, Side::White, "c1c3", &analysis(best.clone(), Some(played))).missed_win
        };
        assert_eq!(missed(UciScore::Centipawns(300)), Some(3));
        assert_eq!(missed(UciScore::Mate(-2)), Some(3));
        assert_eq!(missed(UciScore::Mate(5)), None);
        let best_move = reviewed(1, Side::White, "b8b6", &analysis(best.clone(), None));
        assert_eq!(best_move.missed_win, None);
        // A table win counts as a win even if its length is unknown.
        let played = line(UciScore::Centipawns(19_999), [1000, 0, 0], "c1c3");
        let table = Some(TablebaseValue::Won(None));
        let analysis = Analysis { played_table: table, ..analysis(best, Some(played)) };
        let kept = reviewed(1, Side::White, "c1c3", &analysis);
        assert_eq!((kept.missed_win, kept.table), (None, table));
    }

    #[test]
    fn a_game_is_decided_once_the_winner_stays_ahead() {
        let mut decision = None;
        let mut after = |ply, side, expectation: f64| {
            let wins = (expectation * 1000.0) as u32;
            let played = line(UciScore::Centipawns(0), [wins, 0, 1000 - wins], "c1c3");
            let analysis = analysis(line(UciScore::Centipawns(0), EVEN, "b8b6"), Some(played));
            let review = reviewed(ply, side, "c1c3", &analysis);
            decision = decision_after(&review, decision);
            decision
        };
        assert_eq!(after(1, Side::Black, 0.97), Some(DecisivePly { ply: 1, winner: Side::Black }));
        assert_eq!(after(2, Side::White, 0.4), None);
        assert_eq!(after(3, Side::Black, 0.03), Some(DecisivePly { ply: 3, winner: Side::White }));
        assert_eq!(after(4, Side::White, 0.99), Some(DecisivePly { ply: 3, winner: Side::White }));
    }
}
