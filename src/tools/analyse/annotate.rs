//! The output of `--annotate`: game records with scores as comments, marks, and better lines as
//! variations.

use std::io::{self, Write};
use std::path::Path;

use super::report::{Failure, GameReport, Listener, PositionReport};
use super::review::{Mark, MoveReview};
use super::table::worth_text;
use crate::game::Variant;
use crate::games::{GameVisitor, WithTablebase, open};
use crate::records::{MoveMark, Record};
use crate::tools::atomic_file::AtomicFile;

/// Writes annotated records to a file.
pub struct Annotated {
    /// The output file; `None` once it is finished.
    file: Option<AtomicFile>,
}

impl Annotated {
    /// Starts a temporary file that replaces `target` when it is complete.
    pub fn begin(target: &Path) -> io::Result<Self> {
        Ok(Self { file: Some(AtomicFile::begin(target, ".tmp")?) })
    }
}

impl Listener for Annotated {
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
            record.add_comment(decision.ply, &format!("Decided, for {}.", decision.winner));
        }
        if let Some(error) = &report.error {
            record.add_comment(report.moves.len(), error);
        }
        self.file.as_mut().map_or(Ok(()), |file| write!(file, "{record}"))
    }

    fn position(&mut self, _: &PositionReport) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &Failure) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.file.take().map_or(Ok(()), AtomicFile::finish)
    }
}

fn annotate(record: &mut Record, review: &MoveReview) -> Result<(), crate::records::RecordError> {
    record.add_comment(review.ply, &worth_text(review.score, review.table));
    if let Some(mark) = review.mark {
        let judgement = match mark {
            Mark::Mistake => MoveMark::Mistake,
            Mark::Blunder => MoveMark::Blunder,
        };
        record.judge(review.ply, judgement);
    }
    if review.mark.is_some() || review.missed_win.is_some() {
        let worth = worth_text(review.best_score, review.best_table);
        record.add_variation(review.ply, &review.best, &worth)?;
    }
    Ok(())
}

/// Creates a record for a game that was not read from one.
fn new_record(report: &GameReport) -> Option<Record> {
    struct New<'a>(&'a GameReport);
    impl GameVisitor for New<'_> {
        type Output = Option<Record>;

        fn visit<P: WithTablebase>(self, variant: &'static Variant) -> Self::Output {
            let moves: Vec<&str> = self.0.moves.iter().map(|review| review.mv.as_str()).collect();
            Record::new::<P>(variant, self.0.head.setup.as_deref(), P::Rules::default(), &moves)
                .ok()
        }
    }
    open(report.head.variant, New(report)).flatten()
}
