//! The graph of the expected points over the moves of a game.
//!
//! Coordinates are percentages, so that the graph fills any width and its marks keep their shape.

use maud::{Markup, html};

use super::super::report::GameReport;
use super::super::review::MoveReview;
use super::words::{MarkKind, percent};

/// The maximum number of move numbers below the graph.
const LABELS: usize = 8;

/// The graph of a game with at least one move.
pub fn graph(report: &GameReport, expected: &[f64]) -> Markup {
    let moves = &report.moves;
    let after = expected.get(1..).unwrap_or_default();
    let axis = XAxis { last: moves.len().saturating_sub(1).max(1) };
    let game = report.head.number;
    html! {
        figure.graph {
            figcaption {
                "Black's expected points after each move: above 50 % Black is ahead, below 50 % White"
                (legend(report))
            }
            div.plot {
                div.scale aria-hidden="true" { span { "100 %" } span { "50 %" } span { "0 %" } }
                svg role="group" aria-label="Black's expected points, move by move" {
                    (curve(after, &axis))
                    (grid(moves.len(), &axis))
                    @if let Some(decision) = report.decided {
                        @let x = axis.x(decision.ply.saturating_sub(1));
                        line.decided x1={ (x) "%" } x2={ (x) "%" } y1="0" y2="100%" {
                            title { (decision.winner) " was winning for good after " (decision.place()) }
                        }
                    }
                    @for (i, (review, expected)) in moves.iter().zip(expected.windows(2)).enumerate() {
                        @if let (Some(kind), &[before, after]) = (MarkKind::of(review), expected) {
                            (mark(game, review, kind, [before, after], axis.x(i)))
                        }
                    }
                }
            }
        }
    }
}

/// The horizontal coordinates of the moves.
struct XAxis {
    /// The index of the last move, at least 1.
    last: usize,
}

impl XAxis {
    /// The coordinate of the move with this index, in percent from the left.
    fn x(&self, index: usize) -> String {
        format!("{:.2}", 100.0 * index as f64 / self.last as f64)
    }
}

/// The vertical coordinate of Black's expected points, in percent from the top.
fn y(expected: f64) -> String {
    format!("{:.1}", 100.0 * (1.0 - expected))
}

/// The curve of Black's expected points after each move.
fn curve(after: &[f64], axis: &XAxis) -> Markup {
    let point = |(i, &expected)| format!("{} {}", axis.x(i), y(expected));
    let points = after.iter().enumerate().map(point).collect::<Vec<_>>().join("L");
    let last = axis.x(after.len().saturating_sub(1));
    html! {
        svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true" {
            path.area d={ "M0 50L" (points) "L" (last) " 50Z" } {}
            path.curve d={ "M" (points) } {}
        }
    }
}

/// The grid lines at 0, 50 and 100 %, and the numbers of moves.
fn grid(plies: usize, axis: &XAxis) -> Markup {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let moves = plies.div_ceil(2);
    let step = steps.into_iter().find(|step| moves / step <= LABELS).unwrap_or(moves);
    html! {
        @for y in ["0", "50%", "100%"] { line.rule x1="0" x2="100%" y1=(y) y2=(y) {} }
        @for number in (step..=moves).step_by(step) {
            text x={ (axis.x(2 * number - 2)) "%" } y="100%" dy="18" { (number) }
        }
    }
}

fn mark(game: usize, review: &MoveReview, kind: MarkKind, expected: [f64; 2], x: String) -> Markup {
    let MoveReview { ply, side, mv, .. } = review;
    let [before, after] = expected.map(percent);
    html! {
        a href={ "#g" (game) "p" (ply) } {
            title { "Move " (review.number()) ", " (side) " " (mv.standard) ": " (kind.name()) ", Black from " (before) " to " (after) }
            svg.mark x={ (x) "%" } y={ (y(expected[1])) "%" } { circle.reach r="12" {} (shape(kind)) }
        }
    }
}

/// The mark of a kind. Each kind has its own shape, so that the marks differ without colour.
fn shape(kind: MarkKind) -> Markup {
    html! {
        @match kind {
            MarkKind::Mistake => circle.(kind.class()) r="4.5" {},
            MarkKind::Blunder => path.(kind.class()) d="M0 -7L7 0L0 7L-7 0Z" {},
            MarkKind::MissedWin => path.(kind.class()) d="M0 -7.5L7.5 5.5H-7.5Z" {},
        }
    }
}

/// The legend: the marks that occur, with their names.
fn legend(report: &GameReport) -> Markup {
    let occurs =
        |kind: &MarkKind| report.moves.iter().any(|review| MarkKind::of(review) == Some(*kind));
    html! {
        span.legend {
            @for kind in MarkKind::ALL.into_iter().filter(occurs) {
                span {
                    svg.mark width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true" { (shape(kind)) }
                    (kind.name())
                }
            }
            @if report.decided.is_some() {
                span {
                    svg width="16" height="16" aria-hidden="true" { line.decided x1="8" x2="8" y1="0" y2="16" {} }
                    "decided"
                }
            }
        }
    }
}
