//! The text of scores, sides and moves.

use std::iter;

use maud::{Markup, html};

use super::super::analyser::AnalysedLine;
use super::super::review::{Mark, MoveReview};
use crate::engine::MoveView;
use crate::engine::uci_score::UciScore;
use crate::game::Side;

/// The maximum number of moves of a line that are shown.
pub const SHOWN: usize = 12;

/// Text from a record, isolated so that it cannot change the writing direction around it.
pub fn quoted(text: &str) -> Markup {
    html! { bdi { (text) } }
}

/// Expected points as a percentage.
pub fn percent(expectation: f64) -> String {
    format!("{:.0}\u{a0}%", 100.0 * expectation)
}

/// Black's expected points in each position of a game, from 0 to 1: before the first move, and after
/// each move.
///
/// Two searches evaluate a position between two moves: the one before it, for the move played, and
/// its own. Its own looks further. After a marked move the one that is worse for its player counts,
/// so that the loss shows.
pub fn for_black(moves: &[MoveReview]) -> Vec<f64> {
    let black =
        |side, expectation| if side == Side::Black { expectation } else { 1.0 - expectation };
    let before =
        |review: &MoveReview| black(review.side, (review.expectation + review.loss).min(1.0));
    let after = |(i, review): (usize, &MoveReview)| {
        let played = black(review.side, review.expectation);
        match (moves.get(i + 1).map(before), review.side) {
            (None, _) => played,
            (Some(own), Side::Black) if review.is_marked() => own.min(played),
            (Some(own), Side::White) if review.is_marked() => own.max(played),
            (Some(own), _) => own,
        }
    };
    moves.first().map(before).into_iter().chain(moves.iter().enumerate().map(after)).collect()
}

/// A score of the player who made a move, from Black's view.
pub fn black_score(review: &MoveReview, score: UciScore) -> String {
    match score {
        UciScore::Mate(0) if (review.expectation > 0.5) == (review.side == Side::Black) => {
            "Black won".to_string()
        }
        UciScore::Mate(0) => "White won".to_string(),
        _ => signed(score.for_black(review.side)),
    }
}

/// A score with a typographic minus sign, which is as wide as the plus sign.
fn signed(score: UciScore) -> String {
    score.to_string().replace('-', "\u{2212}")
}

/// The score and expected points of a line for a side, converted to Black's view.
pub fn line_for_black(line: &AnalysedLine, side: Side) -> (String, f64) {
    match side {
        Side::Black => (signed(line.score), line.expectation()),
        Side::White => (signed(-line.score), 1.0 - line.expectation()),
    }
}

/// The kind of a marked move, which determines its shape and colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    Mistake,
    Blunder,
    MissedWin,
}

impl MarkKind {
    pub const ALL: [Self; 3] = [Self::Mistake, Self::Blunder, Self::MissedWin];

    /// The kind of a move; `None` for a good move.
    pub fn of(review: &MoveReview) -> Option<Self> {
        match (review.missed_win, review.mark) {
            (Some(_), _) => Some(Self::MissedWin),
            (None, Some(Mark::Blunder)) => Some(Self::Blunder),
            (None, Some(Mark::Mistake)) => Some(Self::Mistake),
            (None, None) => None,
        }
    }

    pub fn class(self) -> &'static str {
        match self {
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed win",
        }
    }
}

/// The annotation symbol of a move, with its name for screen readers.
pub fn sign(review: &MoveReview) -> Markup {
    let Some(kind) = MarkKind::of(review) else { return html! {} };
    let (sign, word) = match review.mark {
        Some(mark @ Mark::Blunder) => (mark.sign(), MarkKind::Blunder.name()),
        Some(mark @ Mark::Mistake) => (mark.sign(), MarkKind::Mistake.name()),
        None => ("△", MarkKind::MissedWin.name()),
    };
    html! { span.sign.(kind.class()) role="img" aria-label=(word) title=(word) { (sign) } }
}

/// The first moves of a line, the first one emphasised. No move is broken at its hyphen.
pub fn line(moves: &[MoveView], shown: usize) -> Markup {
    html! {
        span.line {
            @for (i, mv) in moves.iter().take(shown).enumerate() {
                @if i == 0 { b { (mv.standard) } } @else { " " span { (mv.standard) } }
            }
            @if moves.len() > shown { " …" }
        }
    }
}

/// Returns the text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        iter::once(first.to_ascii_uppercase()).chain(chars).collect()
    })
}
