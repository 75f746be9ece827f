//! The problems of `--problems`: positions of the games in which only one move wins, which was missed.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use super::outputs::{Listener, title};
use super::record_file::RecordFile;
use soucie::analysis::game::AnalysisEvent;
use soucie::analysis::report::GameReport;
use soucie::files::printable::{Printable, one_line};
use soucie::problems::check::Checker;
use soucie::problems::played::CheckedGame;
use soucie::problems::with_fault;

/// Writes the problems to a file of records.
pub struct MissedProblems<'a> {
    file: RecordFile,
    checker: Checker<'a>,
    /// The ids of the problems in the file.
    known: HashSet<String>,
}

impl<'a> MissedProblems<'a> {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path, checker: Checker<'a>) -> io::Result<Self> {
        Ok(Self { file: RecordFile::begin(target)?, checker, known: HashSet::new() })
    }

    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let title = one_line(&title(&report.head)).to_string();
        let marked = report.moves.iter().filter(|review| review.is_marked());
        let fault = report.head.rules_fault.as_deref();
        let name = |number, side| with_fault(format!("{title}, move {number} of {side}"), fault);
        let plies = marked.map(|review| (review.ply - 1, name(review.number(), review.side)));
        let game = CheckedGame {
            variant: report.head.variant,
            rules: &report.record.as_ref().map(|record| record.rules()).unwrap_or_default(),
            setup: report.head.setup.as_deref(),
            moves: report.moves.iter().map(|review| review.mv.coordinate.as_str()).collect(),
            plies: plies.collect(),
        };
        for problem in game.problems(&self.checker)? {
            if self.known.insert(problem.id) {
                self.file.add(problem.format, &problem.text)?;
            }
        }
        Ok(())
    }
}

impl Listener for MissedProblems<'_> {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Game(report) => self.game(report),
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if !self.file.end()? {
            // A closed stderr is not an error.
            let note = self.file.error("not written: no problem was missed");
            let _ = writeln!(Printable(io::stderr()), "soucie: {note}");
        }
        Ok(())
    }
}
