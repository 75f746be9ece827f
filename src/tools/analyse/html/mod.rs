//! The HTML output: one self-contained page.
//!
//! Games are written at once to a temporary file beside the page (`Scratch`). Only the index is
//! held in memory: it stands at the top of the page, but is complete only at the end.

mod board;
mod game;
mod graph;
mod position;
mod words;

use std::io::{self, Write};
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::report::{Failure, GameReport, Listener, PositionReport};
use crate::tools::atomic_file::{AtomicFile, Scratch};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The content security policy: the page loads nothing, even if a record contains HTML.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Writes a page.
pub struct Page {
    /// The output file; `None` once it is finished.
    page: Option<AtomicFile>,
    /// The content below the index.
    sections: Scratch,
    /// The entries of the index.
    index: String,
    entries: usize,
}

impl Page {
    /// Starts a temporary file that replaces `target` when the page is complete.
    pub fn begin(target: &Path) -> io::Result<Self> {
        let page = Some(AtomicFile::begin(target, ".tmp")?);
        let sections = Scratch::beside(target, ".sections.tmp")?;
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
                "All scores and expected points are Black's, whoever moves: "
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
        self.add(game::section(report)?, game::entry(report))
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        self.add(position::section(report)?, position::entry(report))
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.write(html! {
            p.failure {
                @let place = position::capitalised(&failure.origin.to_string());
                (words::quoted(&format!("{place}: {}", failure.error)))
            }
        })
    }

    fn end(&mut self) -> io::Result<()> {
        let Some(mut page) = self.page.take() else { return Ok(()) };
        let head = head().into_string();
        let top = self.top().into_string();
        writeln!(page, "<!DOCTYPE html>\n<html lang=\"en\">\n{head}\n<body>\n<main>\n{top}")?;
        self.sections.copy_to(&mut page)?;
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
            style { (PreEscaped(STYLE)) }
        }
    }
}
