//! The output formats: text for the terminal, JSON lines, and the HTML page.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use serde::Serialize;

use soucie::analysis::game::AnalysisEvent;
use soucie::analysis::html::{self, Section};
use soucie::analysis::report::{GameHead, GameReport, PositionReport, table_text};
use soucie::analysis::review::{MoveReview, PlayStats};
use soucie::engine::MoveView;
use soucie::files::atomic_file::AtomicFile;
use soucie::files::printable::{one_line, plural};
use soucie::game::Players;

/// A receiver of results, such as an output format.
pub trait Listener {
    /// Called for each result, in input order.
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()>;

    /// Called once after the last result.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes games as tables with one line a move, and positions as lists of lines.
pub struct TextOutput<W> {
    pub output: W,
    /// The players for whom the moves are marked.
    pub players: Players,
}

/// The maximum number of moves of a better line that are shown.
const SHOWN: usize = 8;

impl<W: Write> Listener for TextOutput<W> {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Begin(head) => self.game_begins(head)?,
            AnalysisEvent::Move(review) => self.move_reviewed(review)?,
            AnalysisEvent::Game(report) => self.game(report)?,
            AnalysisEvent::Position(report) => self.position(report)?,
            AnalysisEvent::Failure(failure) => {
                writeln!(self.output, "{failure}\n")?;
            }
        }
        self.output.flush()
    }
}

impl<W: Write> TextOutput<W> {
    fn game_begins(&mut self, head: &GameHead) -> io::Result<()> {
        writeln!(self.output, "Game {}: {}", head.number, one_line(&title(head)))?;
        if head.variant_is_assumed {
            writeln!(
                self.output,
                "      Assumed variant: {}; --variant overrides it.",
                head.variant
            )?;
        }
        if let Some(fault) = &head.rules_fault {
            writeln!(self.output, "      {fault}; --option sets them.")?;
        }
        if let Some(note) = &head.note {
            writeln!(self.output, "      {note}")?;
        }
        let scores = "Scores are Black's: + is good for Black, - for White";
        match self.players {
            Players::Engine => writeln!(self.output, "      {scores}.")?,
            players => {
                writeln!(self.output, "      {scores}; marks are for players of {players}.")?;
            }
        }
        writeln!(self.output, "{:>6} {:<9}   {:>7}  better", "move", "", "score")
    }

    fn move_reviewed(&mut self, review: &MoveReview) -> io::Result<()> {
        let sign = review.mark.map_or("", |mark| mark.sign());
        let side = review.side;
        let score = review.score.for_black(side);
        let dots = if review.ply % 2 == 1 { "." } else { "..." };
        let (number, mv) = (review.number(), &review.mv.standard);
        write!(self.output, "{number:>3}{dots:<3} {mv:<9}{sign:<2} {score:>7}")?;
        if review.is_marked() {
            let best = review.best_score.for_black(side);
            let shown = review.best.get(..SHOWN).unwrap_or(&review.best);
            write!(self.output, "  {best} {}", standard(shown).join(" "))?;
        }
        if let Some(table) = review.table {
            write!(self.output, "  {}", table_text(table, side))?;
        }
        writeln!(self.output)
    }

    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let out = &mut self.output;
        if let Some(error) = &report.error {
            writeln!(out, "      {error}")?;
        }
        if let Some(outcome) = report.outcome {
            writeln!(out, "      {outcome}")?;
        }
        if report.decided.is_some() || report.outcome.is_none() {
            writeln!(out, "      {}", report.verdict())?;
        }
        for (side, tally) in [("Black", &report.play.black), ("White", &report.play.white)] {
            writeln!(out, "      {side}: {}", tally_text(tally))?;
        }
        writeln!(out)
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        let out = &mut self.output;
        let (side, analysis) = (report.head.side, &report.analysis);
        writeln!(out, "Position {}: {}", report.number, report.head.setup)?;
        match (report.head.outcome, analysis.best()) {
            (Some(outcome), _) => writeln!(out, "      {outcome}")?,
            (None, None) => return Err(io::Error::other("a position has no line")),
            (None, Some(best)) => {
                let (depth, score) = (analysis.depth, best.score.for_black(side));
                write!(out, "      depth {depth}, score {score} for Black")?;
                if let Some(table) = analysis.table {
                    write!(out, ", {}", table_text(table, side))?;
                }
                writeln!(out)?;
                for (line, moves) in analysis.lines.iter().zip(&report.lines) {
                    let score = line.score.for_black(side);
                    writeln!(out, "{score:>7}  {}", standard(moves).join(" "))?;
                }
            }
        }
        writeln!(out)
    }
}

/// Moves in the standard notation of the game.
pub(super) fn standard(moves: &[MoveView]) -> Vec<&str> {
    moves.iter().map(|mv| mv.standard.as_str()).collect()
}

/// The title of a game: the players, event, date, result, and the file if there are several.
pub fn title(head: &GameHead) -> String {
    let name = |name: &Option<String>, side: &str| match name {
        Some(name) => format!("{name} ({side})"),
        None => side.to_string(),
    };
    let mut title = format!("{} - {}", name(&head.black, "Black"), name(&head.white, "White"));
    for part in [&head.event, &head.date, &head.result, &head.origin.file].into_iter().flatten() {
        title += ", ";
        title += part;
    }
    title
}

/// The statistics of a side in words.
pub fn tally_text(tally: &PlayStats) -> String {
    format!(
        "{}, {}, {}, {} missed; average loss per move: {:.1} %",
        plural(tally.moves, "move", "moves"),
        plural(tally.mistakes, "mistake", "mistakes"),
        plural(tally.blunders, "blunder", "blunders"),
        plural(tally.missed_wins, "win", "wins"),
        100.0 * tally.average_loss().unwrap_or_default(),
    )
}

pub struct JsonLines<W>(pub W);

impl<W: Write> JsonLines<W> {
    pub fn write(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, object)?;
        writeln!(self.0)?;
        self.0.flush()
    }
}

impl<W: Write> Listener for JsonLines<W> {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Game(report) => self.write(report),
            AnalysisEvent::Position(report) => self.write(report),
            AnalysisEvent::Failure(failure) => self.write(failure),
            AnalysisEvent::Begin(_) | AnalysisEvent::Move(_) => Ok(()),
        }
    }
}

/// Writes the HTML page to a file. Its sections are written at once to a temporary file: the index
/// stands above them, but is complete only at the end.
pub struct Page {
    /// The output file; `None` once it is finished.
    page: Option<AtomicFile>,
    sections: BufWriter<File>,
    index: Vec<String>,
    /// The name of the engine, and the limits of its searches.
    annotator: String,
}

impl Page {
    /// Starts a temporary file that replaces `target` when the page is complete.
    pub fn begin(target: &Path, annotator: String) -> io::Result<Self> {
        let page = Some(AtomicFile::begin(target)?);
        let sections = BufWriter::new(tempfile::tempfile()?);
        Ok(Self { page, sections, index: Vec::new(), annotator })
    }

    fn add(&mut self, section: Section) -> io::Result<()> {
        self.index.push(section.entry);
        self.sections.write_all(section.html.as_bytes())
    }
}

impl Listener for Page {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Game(report) => self.add(html::game(report)),
            AnalysisEvent::Position(report) => self.add(html::position(report)),
            AnalysisEvent::Failure(failure) => {
                self.sections.write_all(html::failure(failure).as_bytes())
            }
            AnalysisEvent::Begin(_) | AnalysisEvent::Move(_) => Ok(()),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        let Some(mut page) = self.page.take() else { return Ok(()) };
        page.write_all(html::beginning(&html::ANALYSIS, &self.annotator, &self.index).as_bytes())?;
        self.sections.rewind()?;
        io::copy(self.sections.get_mut(), &mut page)?;
        page.write_all(html::end().as_bytes())?;
        page.finish()
    }
}
