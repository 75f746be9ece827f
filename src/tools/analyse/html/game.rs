//! A game on the page.

use std::io;

use maud::{Markup, html};

use super::super::report::{GameReport, Head};
use super::super::review::{MoveReview, Tally};
use super::board::{Arrow, Board, Look, ends};
use super::graph::graph;
use super::position::capitalised;
use super::words::{self, Kind, SHOWN, black_score, percent, sign};

/// At most so many turning points are pictured.
const PICTURED: usize = 6;

/// Its line in the index.
pub fn entry(report: &GameReport) -> Markup {
    let head = &report.head;
    let marked = report.moves.iter().filter(|review| Kind::of(review).is_some()).count();
    let details = [&head.event, &head.date, &head.result].into_iter().flatten();
    let mut details: Vec<String> = details.cloned().collect();
    details.push(format!("{} plies, {marked} marked", report.moves.len()));
    html! {
        li value=(head.number) {
            a href={ "#g" (head.number) } { (players(head)) }
            span.soft { (details.join(" · ")) }
        }
    }
}

/// Its section.
pub fn section(report: &GameReport) -> io::Result<Markup> {
    let head = &report.head;
    let boards: Vec<Board> =
        report.boards.iter().map(|b| Board::read(b)).collect::<Result<_, _>>()?;
    let look = Look::of(head.variant);
    Ok(html! {
        section #{ "g" (head.number) } {
            h2 {
                span.player { (disc("black")) (name(&head.black, "Black")) }
                span.soft { " – " }
                span.player { (disc("white")) (name(&head.white, "White")) }
            }
            (meta(head))
            p.verdict { (verdict(report)) }
            @if let Some(error) = &report.error {
                p.failure { "The record could not be followed to its end: " (error) }
            }
            @if !report.moves.is_empty() {
                (tallies(report))
                (graph(report))
            }
            (turning_points(report, &boards, look))
            (play(report, &boards, look))
        }
    })
}

fn name<'a>(name: &'a Option<String>, side: &'a str) -> &'a str {
    name.as_deref().unwrap_or(side)
}

fn players(head: &Head) -> String {
    format!("{} – {}", name(&head.black, "Black"), name(&head.white, "White"))
}

fn disc(side: &str) -> Markup {
    html! {
        svg.disc viewBox="0 0 1 1" role="img" aria-label=(words::side(side)) {
            use href=(if side == "black" { "#b" } else { "#w" }) {}
        }
    }
}

fn meta(head: &Head) -> Markup {
    let mut parts: Vec<&str> = vec![words::variant(head.variant)];
    parts.extend([&head.event, &head.date].into_iter().flatten().map(String::as_str));
    html! {
        p.meta {
            (parts.join(" · "))
            @if let Some(result) = &head.result { " · " b { (result) } }
            @if let Some(setup) = &head.setup { br; "From " code { (setup) } }
        }
    }
}

/// How the game went, in a sentence or two.
fn verdict(report: &GameReport) -> String {
    let mut text = match report.decided {
        Some(decision) => {
            let winner = words::side(decision.winner);
            format!("The game was decided from ply {} on, for {winner}.", decision.ply)
        }
        None if report.moves.is_empty() => "No move was made.".to_string(),
        None => "The game was never decided.".to_string(),
    };
    if let Some(ending) = &report.ending {
        text += &format!(" {}.", capitalised(ending));
    }
    text
}

fn tallies(report: &GameReport) -> Markup {
    let row = |side: &str, tally: &Tally| {
        let loss = tally.loss / f64::from(tally.moves.max(1));
        html! {
            tr {
                th scope="row" { (disc(side)) (words::side(side)) }
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
            thead {
                tr {
                    td {}
                    th scope="col" { "Moves" }
                    th scope="col" { "Mistakes" }
                    th scope="col" { "Blunders" }
                    th scope="col" { "Missed wins" }
                    th scope="col" { "Lost a move" }
                }
            }
            tbody { (row("black", &report.play.black)) (row("white", &report.play.white)) }
        }
    }
}

/// The moves that mattered most, in the order of play.
fn turning_points(report: &GameReport, boards: &[Board], look: Look) -> Markup {
    let marked = report.moves.iter().zip(boards).enumerate();
    let mut marked: Vec<_> = marked.filter(|(_, (review, _))| Kind::of(review).is_some()).collect();
    let all = marked.len();
    marked.sort_by(|(_, (a, _)), (_, (b, _))| b.loss.total_cmp(&a.loss));
    marked.truncate(PICTURED);
    marked.sort_by_key(|(i, _)| *i);
    let before = |i: usize| i.checked_sub(1).and_then(|i| report.moves.get(i));
    html! {
        @if !marked.is_empty() {
            h3 { "Turning points" @if all > PICTURED { span.soft { " the largest " (PICTURED) " of " (all) } } }
            div.points {
                @for &(i, (review, board)) in &marked {
                    @let last = before(i).map(|review| review.mv.as_str());
                    (turning_point(report.head.number, review, board, look, last))
                }
            }
        }
    }
}

fn turning_point(
    game: usize,
    review: &MoveReview,
    board: &Board,
    look: Look,
    last: Option<&str>,
) -> Markup {
    let side = words::side(review.side);
    let mut arrows = vec![Arrow::Played(&review.mv)];
    arrows.extend(review.best.first().map(|best| Arrow::Better(best)));
    html! {
        figure.point {
            (board.picture(look, last, &arrows))
            figcaption {
                p {
                    a href={ "#g" (game) "p" (review.ply) } { "Ply " (review.ply) } ": "
                    (side) " played " (key("played")) b { (review.mv) } (sign(review))
                }
                p.soft {
                    (side) " could expect " (percent((review.expectation + review.loss).min(1.0)))
                    ", now " (percent(review.expectation)) "."
                    @if let Some(moves) = review.missed_win {
                        " A proved win in " (moves) (if moves == 1 { " move" } else { " moves" }) " was let go."
                    }
                }
                p { "Better: " (key("better")) (words::line(&review.best, SHOWN)) }
            }
        }
    }
}

/// How the arrow of a move looks.
fn key(class: &str) -> Markup {
    html! {
        svg.key viewBox="0 0 1.4 .6" aria-hidden="true" {
            g.arrow.(class) { polyline.shaft points="0,.3 1,.3" {} path d="M1.4 .3L.95 .54V.06Z" {} }
        }
    }
}

/// All moves, beside the final position.
fn play(report: &GameReport, boards: &[Board], look: Look) -> Markup {
    let last = report.moves.last().map(|review| review.mv.as_str());
    html! {
        @if !report.moves.is_empty() { h3 { "Moves" } }
        div.play data-start=[boards.first().map(Board::code)] {
            figure.viewer {
                @if let Some(board) = boards.last() { (board.picture(look, last, &[])) }
                figcaption {
                    p.shown aria-live="polite" { "The final position" }
                    div.steps hidden {
                        button type="button" data-by="-999" aria-label="To the start" { "«" }
                        button type="button" data-by="-1" aria-label="One ply back" { "‹" }
                        button type="button" data-by="1" aria-label="One ply on" { "›" }
                        button type="button" data-by="999" aria-label="To the end" { "»" }
                    }
                }
            }
            ol.moves {
                @for (review, board) in report.moves.iter().zip(boards.iter().skip(1)) {
                    (listed(report.head.number, review, board))
                }
            }
        }
    }
}

fn listed(game: usize, review: &MoveReview, board: &Board) -> Markup {
    let id = format!("g{game}p{}", review.ply);
    let lit: Vec<String> =
        ends(&review.mv).iter().map(|square| square.index().to_string()).collect();
    let kind = Kind::of(review);
    html! {
        li.(review.side).(kind.map_or("good", Kind::class)) id=(id) data-board=(board.code()) data-lit=(lit.join(" ")) {
            span.ply { (review.ply) }
            a.move href={ "#" (id) } { (review.mv) }
            (sign(review))
            span.score title={ (percent(words::for_black(review))) " for Black" } {
                (black_score(review, review.score))
            }
            @if let Some(exact) = review.table {
                p.exact { (words::table(exact, review.side)) }
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
