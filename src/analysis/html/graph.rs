//! The graph of the expected points over the moves of a game.
//!
//! Coordinates are percentages, so that the graph fills any width and its marks keep their shape.

use maud::{Markup, html};

use super::super::report::GameReport;
use super::super::review::MoveReview;
use super::words::{self, MarkKind, percent};

/// The maximum number of ply labels below the graph.
const LABELS: usize = 8;

/// The graph of a game with at least one move.
pub fn graph(report: &GameReport) -> Markup {
    let moves = &report.moves;
    let axis = XAxis { last: moves.len().saturating_sub(1).max(1) };
    let game = report.head.number;
    html! {
        figure.graph {
            figcaption {
                "Black's expected points after each ply: above 50 % Black is ahead, below 50 % White"
                (legend(report))
            }
            div.plot {
                div.scale aria-hidden="true" { span { "100 %" } span { "50 %" } span { "0 %" } }
                svg role="group" aria-label="Black's expected points, ply by ply" {
                    (curve(moves, &axis))
                    (grid(moves.len(), &axis))
                    @if let Some(decision) = report.decided {
                        @let x = axis.x(decision.ply.saturating_sub(1));
                        line.decided x1={ (x) "%" } x2={ (x) "%" } y1="0" y2="100%" {
                            title { "Winning from ply " (decision.ply) " on" }
                        }
                    }
                    @for (i, review) in moves.iter().enumerate() {
                        @if let Some(kind) = MarkKind::of(review) {
                            (mark(game, review, kind, axis.x(i)))
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

/// The vertical coordinate of a move, in percent from the top.
fn y(review: &MoveReview) -> String {
    format!("{:.1}", 100.0 * (1.0 - words::for_black(review)))
}

fn curve(moves: &[MoveReview], axis: &XAxis) -> Markup {
    let point = |(i, review)| format!("{} {}", axis.x(i), y(review));
    let points = moves.iter().enumerate().map(point).collect::<Vec<_>>().join("L");
    let last = axis.x(moves.len().saturating_sub(1));
    html! {
        svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true" {
            path.area d={ "M0 50L" (points) "L" (last) " 50Z" } {}
            path.curve d={ "M" (points) } {}
        }
    }
}

/// The grid lines at 0, 50 and 100 %, and the ply labels.
fn grid(plies: usize, axis: &XAxis) -> Markup {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let step = steps.into_iter().find(|step| plies / step <= LABELS).unwrap_or(plies);
    html! {
        @for y in ["0", "50%", "100%"] { line.rule x1="0" x2="100%" y1=(y) y2=(y) {} }
        @for ply in (step..=plies).step_by(step) {
            text.ply x={ (axis.x(ply - 1)) "%" } y="100%" dy="18" { (ply) }
        }
    }
}

fn mark(game: usize, review: &MoveReview, kind: MarkKind, x: String) -> Markup {
    let MoveReview { ply, side, mv, .. } = review;
    let before = percent(words::for_black_before(review));
    let after = percent(words::for_black(review));
    html! {
        a href={ "#g" (game) "p" (ply) } {
            title { "Ply " (ply) ", " (side) " " (mv.standard) ": " (kind.name()) ", Black from " (before) " to " (after) }
            svg.mark x={ (x) "%" } y={ (y(review)) "%" } { circle.reach r="12" {} (shape(kind)) }
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
