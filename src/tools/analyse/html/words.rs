//! How scores, sides and moves are put into words.

use maud::{Markup, html};

use super::super::analyser::{AnalysedLine, Score};
use super::super::review::{Mark, MoveReview};
use super::super::table::{self, score_text};

/// So many moves of a line are shown.
pub const SHOWN: usize = 12;

/// `Black` or `White` for the word of a report.
pub fn side(name: &str) -> &'static str {
    if name == "black" { "Black" } else { "White" }
}

/// A text out of a record. It cannot change the direction of what stands around it.
pub fn quoted(text: &str) -> Markup {
    html! { bdi { (text) } }
}

/// What a variant is called.
pub fn variant(name: &str) -> &str {
    match name {
        "linesofaction" => "Lines of Action",
        "scrambledeggs" => "Lines of Action, scrambled eggs",
        "englishdraughts" => "English draughts",
        other => other,
    }
}

/// Expected points as a percentage.
pub fn percent(expectation: f64) -> String {
    format!("{:.0}\u{a0}%", 100.0 * expectation)
}

/// The points that Black can expect after a move.
pub fn for_black(review: &MoveReview) -> f64 {
    if review.side == "black" { review.expectation } else { 1.0 - review.expectation }
}

/// The points that Black could expect before a move.
pub fn for_black_before(review: &MoveReview) -> f64 {
    let before = (review.expectation + review.loss).min(1.0);
    if review.side == "black" { before } else { 1.0 - before }
}

/// A score of the player who made a move, as Black sees it.
pub fn black_score(review: &MoveReview, score: Score) -> String {
    match score {
        Score::Mate(0) => match for_black(review) {
            expectation if expectation > 0.5 => "Black won".to_string(),
            _ => "White won".to_string(),
        },
        _ => signed(table::for_black(review.side, score)),
    }
}

/// A score with a minus sign that is as wide as the plus.
fn signed(score: Score) -> String {
    score_text(score).replace('-', "\u{2212}")
}

/// The line as the side to move sees it, turned to Black.
pub fn line_for_black(line: &AnalysedLine, black_moves: bool) -> (String, f64) {
    if black_moves {
        (signed(line.score), line.expectation())
    } else {
        (signed(line.score.turned()), 1.0 - line.expectation())
    }
}

/// What there is to say of a move, for its shape and its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mistake.
    Mistake,
    /// A blunder.
    Blunder,
    /// A proved win was let go, however much or little that seems to cost.
    MissedWin,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Mistake, Self::Blunder, Self::MissedWin];

    /// The kind of a move; none if it was good enough.
    pub fn of(review: &MoveReview) -> Option<Self> {
        match (review.missed_win, review.mark) {
            (Some(_), _) => Some(Self::MissedWin),
            (None, Some(Mark::Blunder)) => Some(Self::Blunder),
            (None, Some(Mark::Mistake)) => Some(Self::Mistake),
            (None, None) => None,
        }
    }

    /// Its name in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed",
        }
    }

    /// Its name for readers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed win",
        }
    }
}

/// The sign of a move's mark, read out as a word.
pub fn sign(review: &MoveReview) -> Markup {
    let kind = Kind::of(review);
    let word = match review.mark {
        Some(Mark::Blunder) => "blunder",
        _ => "mistake",
    };
    html! {
        @if let (Some(mark), Some(kind)) = (review.mark, kind) {
            span.sign.(kind.class()) role="img" aria-label=(word) title=(word) { (mark.sign()) }
        }
    }
}

/// The beginning of a line, its first move stressed. No move is broken at its hyphen.
pub fn line(moves: &[String], shown: usize) -> Markup {
    html! {
        span.line {
            @for (i, mv) in moves.iter().take(shown).enumerate() {
                @if i == 0 { b { (mv) } } @else { " " span { (mv) } }
            }
            @if moves.len() > shown { " …" }
        }
    }
}
