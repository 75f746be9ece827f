//! The index entry and the section of a position.

use std::io;

use maud::{Markup, html};

use super::super::analyser::AnalysedLine;
use super::super::report::PositionReport;
use super::super::table::table_text;
use super::board::{Arrow, Board, BoardStyle};
use super::words::{SHOWN, line, line_for_black, percent, variant};

/// The maximum number of moves of the best line in the index.
const INDEXED: usize = 4;

/// The index entry of a position.
pub fn entry(report: &PositionReport) -> Markup {
    html! {
        li value=(report.number) {
            a href={ "#s" (report.number) } { code { (report.setup) } }
            span.soft {
                @match (&report.ending, report.judgement.best()) {
                    (Some(ending), _) => (ending),
                    (None, Some(best)) => {
                        (line_for_black(best, report.side == "black").0) " " (line(&best.pv, INDEXED))
                    }
                    (None, None) => {},
                }
            }
        }
    }
}

/// The section of a position.
pub fn section(report: &PositionReport) -> io::Result<Markup> {
    let board = Board::read(&report.board)?;
    let black_moves = report.side == "black";
    let best = report.judgement.best_move().map(Arrow::Better);
    let (number, judgement) = (report.number, &report.judgement);
    Ok(html! {
        section #{ "s" (number) } {
            h2 { "Position " (number) }
            p.meta { (variant(report.variant)) }
            div.position {
                figure { (board.picture(BoardStyle::of(report.variant), None, best.as_slice())) }
                div {
                    p { code { (report.setup) } }
                    @if let Some(ending) = &report.ending {
                        p.verdict { (capitalised(ending)) "." }
                    } @else {
                        p.verdict {
                            (if black_moves { "Black" } else { "White" }) " to move."
                            @if let Some(exact) = judgement.table {
                                " " (capitalised(&table_text(exact, report.side))) "."
                            }
                            span.soft { " Searched to a depth of " (judgement.depth) " plies." }
                        }
                        p.soft { "Scores and expected points for Black:" }
                        (lines(&judgement.lines, black_moves))
                    }
                }
            }
        }
    })
}

fn lines(lines: &[AnalysedLine], black_moves: bool) -> Markup {
    html! {
        ol.lines {
            @for told in lines {
                @let (score, expectation) = line_for_black(told, black_moves);
                li {
                    span.score { (score) } " "
                    span.soft { (percent(expectation)) }
                    p { (line(&told.pv, SHOWN)) }
                }
            }
        }
    }
}

/// Returns the text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
