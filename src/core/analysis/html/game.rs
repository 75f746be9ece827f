//! The index entry and the section of a game.

use maud::{Markup, html};

use super::super::report::{GameHead, GameReport, table_text};
use super::super::review::{MoveReview, PlayStats};
use super::board::{Arrow, BoardPicture, arrow_through, ends};
use super::graph::graph;
use super::words::{self, MarkKind, SHOWN, black_score, capitalised, percent, quoted, sign};
use crate::engine::MoveView;
use crate::game::{RecordId, Side};
use crate::games;
use crate::records::MoveData;

const PICTURED: usize = 6;

pub fn entry(report: &GameReport) -> Markup {
    let head = &report.head;
    let marked = report.moves.iter().filter(|review| MarkKind::of(review).is_some()).count();
    let details = [&head.event, &head.date, &head.result, &head.origin.file].into_iter().flatten();
    html! {
        li value=(head.number) {
            a href={ "#g" (head.number) } { (players(head)) }
            span.soft {
                @for detail in details { (quoted(detail)) " · " }
                (move_count(report.moves.len().div_ceil(2) as u64)) ", " (marked) " marked"
            }
        }
    }
}

pub fn section(report: &GameReport) -> Markup {
    let head = &report.head;
    let board = |&squares| BoardPicture::new(squares, head.variant);
    let boards: Vec<BoardPicture> = report.boards.iter().map(board).collect();
    let expected = words::for_black(&report.moves);
    html! {
        section #{ "g" (head.number) } {
            h2 {
                span.player { (disc(Side::Black, true)) (quoted(name(&head.black, "Black"))) }
                span.soft { " – " }
                span.player { (disc(Side::White, true)) (quoted(name(&head.white, "White"))) }
            }
            (meta(head))
            p.verdict { (verdict(report)) }
            @if let Some(error) = &report.error {
                p.failure { "The record has a fault: " (quoted(error)) }
            }
            @if !report.moves.is_empty() {
                (tallies(report))
                (graph(report, &expected))
            }
            (turning_points(report, &boards, &expected))
            (play(report, &boards, &expected))
        }
    }
}

fn name<'a>(name: &'a Option<String>, side: &'a str) -> &'a str {
    name.as_deref().unwrap_or(side)
}

fn players(head: &GameHead) -> Markup {
    html! { (quoted(name(&head.black, "Black"))) " – " (quoted(name(&head.white, "White"))) }
}

/// The disc of a side, with its name for screen readers where no text has it.
fn disc(side: Side, is_named: bool) -> Markup {
    let name = is_named.then_some(side);
    html! {
        svg.disc viewBox="0 0 1 1" role="img" aria-label=[name] aria-hidden=[(!is_named).then_some("true")] {
            use href=(["#b", "#w"][side]) {}
        }
    }
}

fn meta(head: &GameHead) -> Markup {
    let variant = games::variant(head.variant);
    let title = variant.map_or(head.variant, |variant| variant.title);
    let is_pdn = variant.is_some_and(|variant| matches!(variant.record_id, RecordId::Pdn { .. }));
    html! {
        p.meta {
            (title)
            @if head.variant_is_assumed { " (assumed)" }
            @for part in [&head.event, &head.date].into_iter().flatten() { " · " (quoted(part)) }
            @if let Some(result) = &head.result { " · " b { (quoted(result)) } }
            @if let Some(setup) = &head.setup { br; "From " code { (quoted(setup)) } }
            @for text in head.rules_fault.iter().chain(&head.note) { br; (quoted(text)) }
        }
        @if is_pdn {
            p.meta { "In " (title) " Black moves first, and the result 1-0 is a win for Black." }
        }
    }
}

fn move_count(moves: u64) -> String {
    format!("{moves} {}", if moves == 1 { "move" } else { "moves" })
}

/// A summary of the game in one or two sentences.
fn verdict(report: &GameReport) -> String {
    let mut text = report.verdict();
    if let Some(outcome) = report.outcome {
        text += &format!(" {}.", capitalised(&outcome.to_string()));
    }
    text
}

fn tallies(report: &GameReport) -> Markup {
    let row = |side: Side, tally: &PlayStats| {
        let loss = tally.average_loss().unwrap_or_default();
        html! {
            tr {
                th scope="row" { (disc(side, false)) (side) }
                td { (tally.moves) }
                td { (tally.mistakes) }
                td { (tally.blunders) }
                td { (tally.missed_wins) }
                td { (format!("{:.1}\u{a0}%", 100.0 * loss)) }
            }
        }
    };
    html! {
        table.tally {
            caption.soft {
                "Average loss: how much of a point a move gave away. A win is one point, a draw half a point."
            }
            thead {
                tr {
                    td {}
                    th scope="col" { "Moves" }
                    th scope="col" { "Mistakes" }
                    th scope="col" { "Blunders" }
                    th scope="col" { "Missed wins" }
                    th scope="col" { "Average loss" }
                }
            }
            tbody { (row(Side::Black, &report.play.black)) (row(Side::White, &report.play.white)) }
        }
    }
}

/// The indices of the most important marked moves, in the order of play.
fn most_marked(report: &GameReport) -> Vec<usize> {
    let marked =
        report.moves.iter().enumerate().filter(|(_, review)| MarkKind::of(review).is_some());
    let mut marked: Vec<(usize, f64)> = marked.map(|(i, review)| (i, review.loss)).collect();
    while marked.len() > PICTURED {
        let losses = marked.iter().map(|(_, loss)| loss).enumerate().rev();
        if let Some((least, _)) = losses.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
            marked.remove(least);
        }
    }
    marked.into_iter().map(|(i, _)| i).collect()
}

/// The most important marked moves, each on the board before the move.
fn turning_points(report: &GameReport, boards: &[BoardPicture], expected: &[f64]) -> Markup {
    let all = report.moves.iter().filter(|review| MarkKind::of(review).is_some()).count();
    let previous = |i: usize| i.checked_sub(1).and_then(|i| report.moves.get(i));
    let pictured = most_marked(report);
    html! {
        @if !pictured.is_empty() {
            h3 { "Turning points" @if all > PICTURED { span.soft { " the largest " (PICTURED) " of " (all) } } }
            div.points {
                @for i in pictured {
                    @if let (Some(review), Some(board), Some(&[before, after])) = (report.moves.get(i), boards.get(i), expected.get(i..i + 2)) {
                        @let last = previous(i).map(|review| &review.mv);
                        (turning_point(report.head.number, review, board, last, [before, after]))
                    }
                }
            }
        }
    }
}

fn turning_point(
    game: usize,
    review: &MoveReview,
    board: &BoardPicture,
    last: Option<&MoveView>,
    expected: [f64; 2],
) -> Markup {
    let side = review.side;
    let mut arrows = vec![Arrow::Played(&review.mv)];
    arrows.extend(review.best.first().map(Arrow::Better));
    html! {
        figure.point {
            (board.picture(last, &arrows))
            figcaption {
                p {
                    a href={ "#g" (game) "p" (review.ply) } { "Move " (review.number()) } ": "
                    (side) " played " (key("played")) b { (review.mv.standard) } (sign(review))
                }
                p.soft {
                    "For Black " (percent(expected[0])) " before, " (percent(expected[1])) " after."
                    @if let Some(moves) = review.missed_win {
                        " A proved win in " (move_count(moves.unsigned_abs().into())) " was missed."
                    }
                }
                p { "Better: " (key("better")) (words::line(&review.best, SHOWN)) }
            }
        }
    }
}

/// The legend symbol of an arrow.
fn key(class: &str) -> Markup {
    html! {
        svg.key viewBox="0 0 1.4 .6" aria-hidden="true" {
            (arrow_through(class, "0,.3 1.1,.3"))
        }
    }
}

/// All moves, beside the board after the first turning point, or after the last move.
fn play(report: &GameReport, boards: &[BoardPicture], expected: &[f64]) -> Markup {
    let record = report.record.as_ref();
    let lines = record.map(|record| record.lines()).unwrap_or_default();
    let recorded = |i: usize| lines.first().and_then(|line| Some(&line.moves.get(i)?.data));
    let first = most_marked(report).first().copied();
    let at = first.or(report.moves.len().checked_sub(1));
    let shown = at.and_then(|at| report.moves.get(at));
    let board = boards.get(at.map_or(0, |at| at + 1));
    html! {
        @if !report.moves.is_empty() {
            h3 { "Moves" span.soft { " with scores for Black" } }
        }
        div.play data-start=[boards.first().map(BoardPicture::code)] data-at=[at] {
            figure.viewer {
                @if let Some(board) = board {
                    (board.picture(shown.map(|review| &review.mv), &[]))
                }
                figcaption {
                    p.shown aria-live="polite" {
                        @match shown {
                            Some(review) => {
                                "Move " (review.number()) ": " (review.side) " " (review.mv.standard)
                            }
                            None => "Start position",
                        }
                    }
                    div.steps hidden {
                        button type="button" data-by="-999" aria-label="To the start" { "«" }
                        button type="button" data-by="-1" aria-label="One move back" { "‹" }
                        button type="button" data-by="1" aria-label="One move forward" { "›" }
                        button type="button" data-by="999" aria-label="To the end" { "»" }
                    }
                }
            }
            ol.moves {
                @for (i, (review, (board, after))) in report.moves.iter().zip(boards.iter().zip(expected).skip(1)).enumerate() {
                    (listed(report.head.number, review, board, *after, recorded(i), at == Some(i)))
                }
            }
        }
    }
}

fn listed(
    game: usize,
    review: &MoveReview,
    board: &BoardPicture,
    expected: f64,
    recorded: Option<&MoveData>,
    is_shown: bool,
) -> Markup {
    let id = format!("g{game}p{}", review.ply);
    let lit: Vec<String> =
        ends(&review.mv).iter().map(|square| square.index().to_string()).collect();
    let kind = MarkKind::of(review);
    html! {
        li.(review.side.name()).(kind.map_or("good", MarkKind::class)).now[is_shown] id=(id) data-board=(board.code()) data-lit=(lit.join(" ")) {
            span.number { @if review.ply % 2 == 1 { (review.number()) "." } }
            a.move href={ "#" (id) } { (review.mv.standard) }
            (sign(review))
            span.score title={ (percent(expected)) " for Black" } {
                (black_score(review, review.score))
            }
            @if let Some(recorded) = recorded.filter(|recorded| !recorded.is_empty()) {
                p.exact { (quoted(&capitalised(&recorded.to_string()))) }
            }
            @if let Some(exact) = review.table {
                p.exact { (table_text(exact, review.side)) }
            }
            @if kind.is_some() {
                p.instead {
                    @if let Some(moves) = review.missed_win { "Missed a win in " (moves) ". " }
                    "Better " (black_score(review, review.best_score)) " " (words::line(&review.best, SHOWN))
                }
            }
        }
    }
}
