//! The output formats other than HTML: text for the terminal, JSON lines, and annotated records.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::analyser::AnalysedLine;
use super::report::{GameHead, GameReport, InputError, Listener, PositionReport};
use super::review::{Mark, MoveReview, PlayStats};
use crate::engine::uci_score::UciScore;
use crate::files::printable::one_line;
use crate::game::{Game, TablebaseValue, Variant};
use crate::games::{GameVisitor, open};
use crate::records::{MoveMark, Record, RecordError};
use crate::tools::atomic_file::AtomicFile;
use crate::tools::words::plural;

/// Writes games as tables with one line a move, and positions as lists of lines.
pub struct TextOutput<W>(pub W);

/// The maximum number of moves of a better line that are shown.
const SHOWN: usize = 8;

impl<W: Write> Listener for TextOutput<W> {
    fn game_begins(&mut self, head: &GameHead) -> io::Result<()> {
        writeln!(self.0, "Game {}: {}", head.number, one_line(&title(head)))?;
        if head.variant_is_assumed {
            writeln!(self.0, "      Assumed variant: {}; --variant overrides it.", head.variant)?;
        }
        writeln!(self.0, "      Scores are Black's: + is good for Black, - for White.")?;
        writeln!(self.0, "{:>4}  {:<9}   {:>7}  better", "ply", "move", "score")?;
        self.0.flush()
    }

    fn move_reviewed(&mut self, review: &MoveReview) -> io::Result<()> {
        let sign = review.mark.map_or("", |mark| mark.sign());
        let side = review.side;
        let score = for_black(side, review.score);
        write!(self.0, "{:>4}  {:<9}{sign:<2} {score:>7}", review.ply, review.mv)?;
        if review.mark.is_some() || review.missed_win.is_some() {
            let line = review.best.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>();
            let best = for_black(side, review.best_score);
            write!(self.0, "  {best} {}", line.join(" "))?;
        }
        if let Some(table) = review.table {
            write!(self.0, "  {}", table_text(table, side))?;
        }
        writeln!(self.0)?;
        self.0.flush()
    }

    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let out = &mut self.0;
        if let Some(error) = &report.error {
            writeln!(out, "      {error}")?;
        }
        if let Some(ending) = &report.ending {
            writeln!(out, "      {ending}")?;
        }
        match report.decided {
            Some(decision) => {
                let winner = capitalised(decision.winner);
                writeln!(out, "      {winner} was winning from ply {} on.", decision.ply)?;
            }
            None => writeln!(out, "      Neither side was winning at the end.")?,
        }
        for (side, tally) in [("Black", &report.play.black), ("White", &report.play.white)] {
            writeln!(out, "      {side}: {}", tally_text(tally))?;
        }
        writeln!(out)?;
        out.flush()
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        let out = &mut self.0;
        writeln!(out, "Position {}: {}", report.number, report.setup)?;
        match &report.ending {
            Some(ending) => writeln!(out, "      {ending}")?,
            None => {
                let AnalysedLine { score, .. } =
                    report.analysis.lines.first().ok_or_else(nothing)?;
                let (depth, side) = (report.analysis.depth, report.side);
                let score = for_black(side, *score);
                write!(out, "      depth {depth}, score {score} for Black")?;
                if let Some(table) = report.analysis.table {
                    write!(out, ", {}", table_text(table, side))?;
                }
                writeln!(out)?;
                for line in &report.analysis.lines {
                    let score = for_black(side, line.score);
                    writeln!(out, "{score:>7}  {}", line.pv.join(" "))?;
                }
            }
        }
        writeln!(out)?;
        out.flush()
    }

    fn failure(&mut self, failure: &InputError) -> io::Result<()> {
        writeln!(self.0, "{}: {}\n", failure.origin, failure.error)?;
        self.0.flush()
    }
}

fn nothing() -> io::Error {
    io::Error::other("a position has no line")
}

/// The title of a game: the players, event, date and result.
pub fn title(head: &GameHead) -> String {
    let name = |name: &Option<String>, side: &str| match name {
        Some(name) => format!("{name} ({side})"),
        None => side.to_string(),
    };
    let mut title = format!("{} - {}", name(&head.black, "Black"), name(&head.white, "White"));
    for part in [&head.event, &head.date, &head.result].into_iter().flatten() {
        title += ", ";
        title += part;
    }
    title
}

/// Converts a score of a side, `black` or `white`, to Black's view.
pub fn for_black(side: &str, score: UciScore) -> UciScore {
    if side == "black" { score } else { -score }
}

/// The endgame table value for a side, `black` or `white`, in words.
pub fn table_text(value: TablebaseValue, side: &str) -> String {
    let (is_black, plies) = match value {
        TablebaseValue::Drawn => return "table draw".to_string(),
        TablebaseValue::Won(plies) => (side == "black", plies),
        TablebaseValue::Lost(plies) => (side != "black", plies),
    };
    let winner = if is_black { "Black" } else { "White" };
    format!("table win for {winner}{}", length(plies))
}

/// The distance to the end of the game in words; empty if it is unknown.
fn length(plies: Option<u16>) -> String {
    plies.map_or_else(String::new, |plies| format!(" in {}", plural(plies, "ply", "plies")))
}

/// The statistics of a side in words.
pub fn tally_text(tally: &PlayStats) -> String {
    format!(
        "{}, {}, {}, {} missed; average loss per move: {:.1} %",
        plural(tally.moves, "move", "moves"),
        plural(tally.mistakes, "mistake", "mistakes"),
        plural(tally.blunders, "blunder", "blunders"),
        plural(tally.missed_wins, "win", "wins"),
        100.0 * tally.loss / f64::from(tally.moves.max(1)),
    )
}

fn capitalised(side: &str) -> &str {
    if side == "black" { "Black" } else { "White" }
}

/// Writes JSON lines.
pub struct JsonLines<W>(pub W);

impl<W: Write> JsonLines<W> {
    fn write(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, object)?;
        writeln!(self.0)?;
        self.0.flush()
    }
}

impl<W: Write> Listener for JsonLines<W> {
    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        self.write(report)
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        self.write(report)
    }

    fn failure(&mut self, failure: &InputError) -> io::Result<()> {
        self.write(failure)
    }
}

/// Writes annotated records to a file.
pub struct AnnotatedRecords {
    /// The output file; `None` once it is finished.
    file: Option<AtomicFile>,
}

impl AnnotatedRecords {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path) -> io::Result<Self> {
        Ok(Self { file: Some(AtomicFile::begin(target)?) })
    }
}

impl Listener for AnnotatedRecords {
    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let record = match &report.record {
            Some(record) => Some((**record).clone()),
            None => new_record(report),
        };
        let Some(mut record) = record else { return Ok(()) };
        for review in &report.moves {
            annotate(&mut record, review).map_err(io::Error::other)?;
        }
        if let Some(decision) = report.decided {
            record.add_comment(
                decision.ply,
                &format!("From here on {} is winning.", decision.winner),
            );
        }
        if let Some(error) = &report.error {
            record.add_comment(report.moves.len(), error);
        }
        self.file.as_mut().map_or(Ok(()), |file| write!(file, "{record}"))
    }

    fn position(&mut self, _: &PositionReport) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &InputError) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.file.take().map_or(Ok(()), AtomicFile::finish)
    }
}

fn annotate(record: &mut Record, review: &MoveReview) -> Result<(), RecordError> {
    record.add_comment(review.ply, &scored(review.score, review.table));
    if let Some(mark) = review.mark {
        let move_mark = match mark {
            Mark::Mistake => MoveMark::Mistake,
            Mark::Blunder => MoveMark::Blunder,
        };
        record.add_mark(review.ply, move_mark);
    }
    if review.mark.is_some() || review.missed_win.is_some() {
        let score = scored(review.best_score, review.best_table);
        record.add_variation(review.ply, &review.best, &score)?;
    }
    Ok(())
}

/// Creates a record for a game that was not read from one.
fn new_record(report: &GameReport) -> Option<Record> {
    struct New<'a>(&'a GameReport);
    impl GameVisitor for New<'_> {
        type Output = Option<Record>;

        fn visit<P: Game>(self, variant: &'static Variant) -> Self::Output {
            let moves: Vec<&str> = self.0.moves.iter().map(|review| review.mv.as_str()).collect();
            Record::new::<P>(variant, self.0.head.setup.as_deref(), P::Rules::default(), &moves)
                .ok()
        }
    }
    open(report.head.variant, New(report)).flatten()
}

/// A score, followed by the endgame table value if there is one.
fn scored(score: UciScore, table: Option<TablebaseValue>) -> String {
    match table {
        None => score.to_string(),
        Some(TablebaseValue::Won(plies)) => format!("{score}, table win{}", length(plies)),
        Some(TablebaseValue::Lost(plies)) => format!("{score}, table loss{}", length(plies)),
        Some(TablebaseValue::Drawn) => format!("{score}, table draw"),
    }
}
