//! The HTML output: one self-contained page.
//!
//! Games are written at once to a temporary file. Only the index is held in memory: it stands at
//! the top of the page, but is complete only at the end.

pub mod board;
mod game;
mod graph;
mod words;

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::analyser::AnalysedLine;
use super::outputs::table_text;
use super::report::{GameReport, InputError, Listener, PositionReport};
use crate::games;
use crate::tools::atomic_file::AtomicFile;
use board::{Arrow, BoardPicture};
use words::{SHOWN, capitalised, line, line_for_black, percent};

/// The maximum number of moves of the best line in the index.
const INDEXED: usize = 4;

/// The style sheet that this page shares with the page for playing: colours, text, buttons, boards.
pub const SHARED_STYLE: &str = include_str!("shared.css");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The content security policy: the page loads nothing, even if a record contains HTML.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Writes a page.
pub struct Page {
    /// The output file; `None` once it is finished.
    page: Option<AtomicFile>,
    /// The content below the index.
    sections: BufWriter<File>,
    /// The entries of the index.
    index: String,
    entries: usize,
}

impl Page {
    /// Starts a temporary file that replaces `target` when the page is complete.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let page = Some(AtomicFile::begin(target)?);
        let sections = BufWriter::new(tempfile::tempfile()?);
        Ok(Self { page, sections, index: String::new(), entries: 0 })
    }

    fn add(&mut self, section: Markup, entry: Markup) -> io::Result<()> {
        self.index += &entry.into_string();
        self.entries += 1;
        self.write(section)
    }

    fn write(&mut self, section: Markup) -> io::Result<()> {
        writeln!(self.sections, "{}", section.into_string())
    }

    /// The top of the page: the heading, the index and the shared SVG definitions.
    fn top(&self) -> Markup {
        html! {
            h1 { "Analysis" }
            p.soft {
                "By Soucie " (env!("CARGO_PKG_VERSION")) ". "
                "All scores and expected points are from Black's side: "
                "100 % or + is good for Black, 0 % or \u{2212} for White; "
                "#4 is a proved win for Black in 4 moves, \u{2212}#4 one for White."
            }
            @if self.entries > 1 {
                nav aria-label="Index" { ol.index { (PreEscaped(&self.index)) } }
            }
            (board::definitions())
        }
    }
}

impl Listener for Page {
    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        self.add(game::section(report), game::entry(report))
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        self.add(position_section(report), position_entry(report))
    }

    fn failure(&mut self, failure: &InputError) -> io::Result<()> {
        self.write(html! {
            p.failure {
                @let place = capitalised(&failure.origin.to_string());
                (words::quoted(&format!("{place}: {}", failure.error)))
            }
        })
    }

    fn end(&mut self) -> io::Result<()> {
        let Some(mut page) = self.page.take() else { return Ok(()) };
        let head = head().into_string();
        let top = self.top().into_string();
        writeln!(page, "<!DOCTYPE html>\n<html lang=\"en\">\n{head}\n<body>\n<main>\n{top}")?;
        self.sections.rewind()?;
        io::copy(self.sections.get_mut(), &mut page)?;
        writeln!(page, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>")?;
        page.finish()
    }
}

fn head() -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { "Analysis by Soucie" }
            style { (PreEscaped(SHARED_STYLE)) (PreEscaped(STYLE)) }
        }
    }
}

/// The index entry of a position.
fn position_entry(report: &PositionReport) -> Markup {
    html! {
        li value=(report.number) {
            a href={ "#s" (report.number) } { code { (report.setup) } }
            span.soft {
                @match (&report.ending, report.analysis.best()) {
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
fn position_section(report: &PositionReport) -> Markup {
    let board = BoardPicture::new(report.board, report.variant);
    let black_moves = report.side == "black";
    let best = report.analysis.best_move().map(Arrow::Better);
    let (number, analysis) = (report.number, &report.analysis);
    html! {
        section #{ "s" (number) } {
            h2 { "Position " (number) }
            p.meta { (games::variant(report.variant).map_or(report.variant, |variant| variant.title)) }
            div.position {
                figure { (board.picture(None, best.as_slice())) }
                div {
                    p { code { (report.setup) } }
                    @if let Some(ending) = &report.ending {
                        p.verdict { (capitalised(ending)) "." }
                    } @else {
                        p.verdict {
                            (if black_moves { "Black" } else { "White" }) " to move."
                            @if let Some(exact) = analysis.table {
                                " " (capitalised(&table_text(exact, report.side))) "."
                            }
                            span.soft { " Searched to a depth of " (analysis.depth) " plies." }
                        }
                        p.soft { "Scores and expected points for Black:" }
                        (lines(&analysis.lines, black_moves))
                    }
                }
            }
        }
    }
}

fn lines(lines: &[AnalysedLine], black_moves: bool) -> Markup {
    html! {
        ol.lines {
            @for analysed in lines {
                @let (score, expectation) = line_for_black(analysed, black_moves);
                li {
                    span.score { (score) } " "
                    span.soft { (percent(expectation)) }
                    p { (line(&analysed.pv, SHOWN)) }
                }
            }
        }
    }
}
