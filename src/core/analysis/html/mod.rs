//! The HTML page of an analysis: it is self-contained and has a section for each game or position.
//!
//! Its parts are made one by one, so that a page of many games need not be held in memory.

pub mod board;
mod game;
mod graph;
mod words;

use maud::{Markup, PreEscaped, html};

use super::report::{GameReport, InputError, PositionHead, PositionReport, table_text};
use crate::games;
use board::{Arrow, BoardPicture};
pub use words::capitalised;
use words::{SHOWN, line, line_for_black, percent};

/// The maximum number of moves of the best line in the index.
const INDEXED: usize = 4;

/// The style sheet that this page shares with the page for playing: colours, text, buttons, boards.
pub const SHARED_STYLE: &str = include_str!("shared.css");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The content security policy: the page loads nothing, even if a record contains HTML.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A section of the page, with its entry in the index.
pub struct Section {
    /// The section as HTML, with a line feed at the end.
    pub html: String,
    pub entry: String,
}

impl Section {
    fn new(section: Markup, entry: Markup) -> Self {
        Self { html: section.into_string() + "\n", entry: entry.into_string() }
    }
}

/// The whole page of one game. `by` names who analysed it and how.
pub fn page(report: &GameReport, by: &str) -> String {
    let Section { html, entry } = game(report);
    beginning(&ANALYSIS, by, &[entry]) + &html + &end()
}

/// What stands above the sections of a page.
pub struct PageText {
    pub title: &'static str,
    /// How to read the page.
    pub note: &'static str,
}

/// What stands above the games and positions of `soucie analyse --html`.
pub const ANALYSIS: PageText = PageText {
    title: "Analysis",
    note: "All scores and expected points are from Black's side: 100 % or + is good for Black, \
        0 % or \u{2212} for White; #4 is a proved win for Black in 4 moves, \u{2212}#4 one for White.",
};

/// The beginning of a page, up to the first section: the heading, the index and the shared SVG
/// definitions. It takes the index entries of all sections, and names who made it and how.
pub fn beginning(text: &PageText, by: &str, entries: &[String]) -> String {
    let top = html! {
        h1 { (text.title) }
        p.soft { "By " (by) ". " (text.note) }
        @if entries.len() > 1 {
            nav aria-label="Index" { ol.index { @for entry in entries { (PreEscaped(entry)) } } }
        }
        (PreEscaped(board::DEFINITIONS))
    };
    let (head, top) = (head(text.title).into_string(), top.into_string());
    format!("<!DOCTYPE html>\n<html lang=\"en\">\n{head}\n<body>\n<main>\n{top}\n")
}

/// The section of a game: its moves with the graph, and the turning points with boards.
pub fn game(report: &GameReport) -> Section {
    Section::new(game::section(report), game::entry(report))
}

/// The section of a position: its board and its best lines.
pub fn position(report: &PositionReport) -> Section {
    Section::new(position_section(report), position_entry(report))
}

/// The note on an entry of the input that cannot be read. It has no entry in the index.
pub fn failure(failure: &InputError) -> String {
    failure_note(failure).into_string() + "\n"
}

fn failure_note(failure: &InputError) -> Markup {
    let note = words::quoted(&capitalised(&failure.to_string()));
    html! { p.failure { (note) } }
}

/// The end of a page, after the last section.
pub fn end() -> String {
    format!("</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " by Soucie" }
            style { (PreEscaped(SHARED_STYLE)) (PreEscaped(STYLE)) }
        }
    }
}

fn position_entry(report: &PositionReport) -> Markup {
    let PositionHead { side, setup, outcome, .. } = &report.head;
    html! {
        li value=(report.number) {
            a href={ "#s" (report.number) } { code { (setup) } }
            span.soft {
                @match (outcome, report.analysis.best(), report.lines.first()) {
                    (Some(outcome), _, _) => (outcome),
                    (None, Some(best), Some(moves)) => {
                        (line_for_black(best, *side).0) " " (line(moves, INDEXED))
                    }
                    _ => {},
                }
            }
        }
    }
}

fn position_section(report: &PositionReport) -> Markup {
    let PositionReport { number, analysis, head, .. } = report;
    let board = BoardPicture::new(report.board, head.variant);
    let best = report.lines.first().and_then(|line| line.first()).map(Arrow::Better);
    html! {
        section #{ "s" (number) } {
            h2 { "Position " (number) }
            p.meta { (games::variant(head.variant).map_or(head.variant, |variant| variant.title)) }
            div.position {
                figure { (board.picture(None, best.as_slice())) }
                div {
                    p { code { (head.setup) } }
                    @if let Some(outcome) = head.outcome {
                        p.verdict { (capitalised(&outcome.to_string())) "." }
                    } @else {
                        p.verdict {
                            (head.side) " to move."
                            @if let Some(exact) = analysis.table {
                                " " (capitalised(&table_text(exact, head.side))) "."
                            }
                            span.soft { " Searched to a depth of " (analysis.depth) " plies." }
                        }
                        p.soft { "Scores and expected points for Black:" }
                        (lines(report))
                    }
                }
            }
        }
    }
}

fn lines(report: &PositionReport) -> Markup {
    html! {
        ol.lines {
            @for (analysed, moves) in report.analysis.lines.iter().zip(&report.lines) {
                @let (score, expectation) = line_for_black(analysed, report.head.side);
                li {
                    span.score { (score) } " "
                    span.soft { (percent(expectation)) }
                    p { (line(moves, SHOWN)) }
                }
            }
        }
    }
}
