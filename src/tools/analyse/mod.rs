//! `soucie analyse`: searches the positions of games and setups and reviews the moves played.
//!
//! The input is split into positions (`input`), which several threads analyse (`analyser`).
//! In input order, the analyses become move reviews (`review`) and reports (`report`), which
//! listeners write (`table`, `json`, `annotate`, `html`). The `journal` stores analyses, so that
//! an interrupted run can be resumed.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod analyser;
mod annotate;
pub mod exact;
pub mod files;
pub mod html;
mod input;
mod journal;
mod json;
mod kinds;
mod progress;
pub mod report;
pub mod review;
pub mod settings;
pub(super) mod table;

use std::io::{self, ErrorKind, Write};

use thiserror::Error;

use crate::engine::EngineError;
use crate::files::paths::Conflict;
use crate::files::printable::Printable;
use crate::game::{MoveFormat, Side};
use crate::games::draughts::tables::TableError;
use crate::options::OptionError;
use crate::records::Record;
use crate::tools::arguments::NoNetwork;
use crate::tools::{arguments, ordered_map};
use analyser::Analysis;
use annotate::Annotated;
use files::items;
use input::{Alone, Item, LoosePosition, Reading, WorkItem};
use journal::{Journal, JournalError, KnownAnalyses};
use json::JsonLines;
use progress::Progress;
use report::{Failure, GameReport, Head, Listener, Play, PositionReport};
use review::{Decider, review, side_name};
use settings::Settings;
use table::Tables;

/// The errors that abort an analysis.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// An input or output error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An invalid option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A position that cannot be set up or searched.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Unreadable endgame tables.
    #[error("tables: {0}")]
    Tables(#[from] TableError),
    /// An unusable network.
    #[error(transparent)]
    Network(#[from] NoNetwork),
    /// An output file that is also an input or another output.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// A journal that cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A work item and the analysis of its position, if the journal contains one.
struct Work {
    piece: WorkItem,
    known: Option<Analysis>,
}

/// A work item and the analysis of its position.
struct Analysed {
    piece: WorkItem,
    /// The analysis, and whether it is new: one from the journal is not written again.
    judgement: Option<(Analysis, bool)>,
}

/// Analyses the input and writes the results to `output`.
///
/// Returns true if everything could be read and written. A closed pipe (such as `head`) is not an
/// error, but gives false.
pub fn run(settings: &Settings, output: &mut (dyn Write + Send)) -> Result<bool, AnalyseError> {
    match analyse(settings, output) {
        Err(AnalyseError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        result => result,
    }
}

fn analyse(settings: &Settings, output: &mut (dyn Write + Send)) -> Result<bool, AnalyseError> {
    settings.check_files()?;
    let options = arguments::options(settings.variant.as_deref(), &settings.options)?;
    let shelf = arguments::shelf(&options)?;
    let variant = settings.variant.as_ref().map(|_| options.variant);
    let evaluator = arguments::evaluator(&options.eval_file, variant)?;
    let format = if settings.json { MoveFormat::Coordinate } else { MoveFormat::Standard };
    let (known, journal) = match &settings.resume {
        Some(path) => {
            let networks = arguments::networks(&evaluator, &options);
            let description = settings.describe(variant, networks, arguments::tables(&shelf));
            journal::open(path, &description).map(|(k, j)| (Some(k), Some(j)))?
        }
        None => (None, None),
    };
    let guess = settings.variant.is_none();
    let reading = Reading { options, guess, shelf, evaluator, format };
    let mut listeners: Vec<Box<dyn Listener + '_>> = Vec::new();
    if settings.json {
        listeners.push(Box::new(JsonLines(output)));
    } else {
        listeners.push(Box::new(Tables(Printable(output))));
    }
    if let Some(path) = &settings.annotate {
        listeners.push(Box::new(Annotated::begin(path)?));
    }
    if let Some(path) = &settings.html {
        listeners.push(Box::new(html::Page::begin(path)?));
    }
    let items = items(settings, variant)?;
    let progress = Progress::begin(settings)?;
    let found = Found::default();
    let mut reporter = Reporter { listeners, journal, progress, game: None, found };
    let judge = settings.judge();
    ordered_map::map(
        settings.jobs(),
        works(items, reading, known),
        |work| work.and_then(|work| judged(work, &judge)),
        |judged| reporter.hear(judged?),
    )?;
    let Found { items, failures, is_empty } = reporter.found;
    // Empty input writes no files: existing output files are kept.
    if items == 0 && is_empty {
        return Ok(false);
    }
    for listener in &mut reporter.listeners {
        listener.end()?;
    }
    Ok(failures == 0)
}

/// The work items of the whole input, with their analyses from the journal.
fn works(
    items: impl Iterator<Item = Item> + Send,
    reading: Reading,
    mut known: Option<KnownAnalyses>,
) -> impl Iterator<Item = Result<Work, AnalyseError>> + Send {
    let mut number = 0;
    let pieces = items.flat_map(move |item| {
        number += usize::from(!matches!(item, Item::Nothing(_)));
        reading.pieces(item, number)
    });
    pieces.map(move |piece| {
        let known = match (&mut known, piece.position()) {
            (Some(journal), Some(at)) => journal.next(&at.view.setup, at.played.as_deref())?,
            _ => None,
        };
        Ok(Work { piece, known })
    })
}

fn judged(work: Work, judge: &analyser::Analyser) -> Result<Analysed, AnalyseError> {
    let Work { piece, known } = work;
    let judgement = match (piece.position(), known) {
        (None, _) => None,
        (Some(_), Some(known)) => Some((known, false)),
        (Some(LoosePosition { session, played, .. }), None) => {
            Some((judge.judge(&**session, played.as_deref())?, true))
        }
    };
    Ok(Analysed { piece, judgement })
}

/// Assembles the results into reports and passes them to the listeners.
struct Reporter<'a> {
    listeners: Vec<Box<dyn Listener + 'a>>,
    journal: Option<Journal>,
    progress: Progress,
    game: Option<GameUnderWay>,
    found: Found,
}

/// Counts of the input read so far.
#[derive(Default)]
struct Found {
    /// The number of games, positions and failures.
    items: usize,
    failures: usize,
    /// Whether a source contained neither a game nor a position.
    is_empty: bool,
}

/// A game whose positions are being analysed.
struct GameUnderWay {
    report: GameReport,
    decider: Decider,
}

impl Reporter<'_> {
    fn hear(&mut self, judged: Analysed) -> Result<(), AnalyseError> {
        if let (Some(journal), Some(position), Some((judgement, true))) =
            (&mut self.journal, judged.piece.position(), &judged.judgement)
        {
            journal.add(&position.view.setup, position.played.as_deref(), judgement)?;
        }
        if judged.judgement.is_some() {
            self.progress.step();
        }
        let judgement = judged.judgement.map(|(judgement, _)| judgement).unwrap_or_default();
        if matches!(judged.piece, WorkItem::Begin(..) | WorkItem::Alone(_) | WorkItem::Failure(_)) {
            self.found.items += 1;
        }
        match judged.piece {
            WorkItem::Begin(head, record) => self.begin(*head, record),
            WorkItem::Position(position) => self.position(*position, judgement),
            WorkItem::End(error) => self.end(error),
            WorkItem::Alone(alone) => self.alone(*alone, judgement),
            WorkItem::Failure(failure) => self.fail(&failure),
            WorkItem::Nothing(name) => {
                self.nothing(&name);
                Ok(())
            }
        }?;
        Ok(())
    }

    fn tell(&mut self, what: impl Fn(&mut dyn Listener) -> io::Result<()>) -> io::Result<()> {
        let listeners = &mut self.listeners;
        self.progress.hide_while(|| listeners.iter_mut().try_for_each(|to| what(&mut **to)))
    }

    fn begin(&mut self, head: Head, record: Option<Box<Record>>) -> io::Result<()> {
        self.tell(|listener| listener.game_begins(&head))?;
        let report = GameReport {
            head,
            moves: Vec::new(),
            decided: None,
            play: Play::default(),
            ending: None,
            error: None,
            record,
            boards: Vec::new(),
        };
        self.game = Some(GameUnderWay { report, decider: Decider::default() });
        Ok(())
    }

    fn position(&mut self, position: LoosePosition, judgement: Analysis) -> io::Result<()> {
        let Some(game) = &mut self.game else { return Ok(()) };
        game.report.ending = report::ending(&position.view);
        game.report.boards.push(position.view.board);
        let Some(mv) = position.played else { return Ok(()) };
        let (ply, side) = (game.report.moves.len() + 1, position.view.side);
        let Some(review) = review(ply, side, &mv, &judgement) else { return Ok(()) };
        game.decider.note(&review);
        let play = &mut game.report.play;
        match side {
            Side::Black => play.black.add(&review),
            Side::White => play.white.add(&review),
        }
        game.report.moves.push(review.clone());
        self.tell(|listener| listener.move_judged(&review))
    }

    fn end(&mut self, error: Option<String>) -> io::Result<()> {
        let Some(mut game) = self.game.take() else { return Ok(()) };
        self.found.failures += usize::from(error.is_some());
        game.report.decided = game.decider.decision();
        game.report.error = error;
        self.tell(|listener| listener.game(&game.report))
    }

    fn alone(&mut self, alone: Alone, judgement: Analysis) -> io::Result<()> {
        let Alone { number, origin, variant, position } = alone;
        let view = position.view;
        let ending = report::ending(&view);
        let (side, setup, board) = (side_name(view.side), view.setup, view.board);
        let report =
            PositionReport { number, origin, variant, side, setup, ending, judgement, board };
        self.tell(|listener| listener.position(&report))
    }

    fn fail(&mut self, failure: &Failure) -> io::Result<()> {
        self.found.failures += 1;
        self.tell(|listener| listener.failure(failure))
    }

    fn nothing(&mut self, name: &str) {
        self.found.is_empty = true;
        // A closed stderr is not an error.
        let say = || writeln!(Printable(io::stderr()), "soucie: no game and no position in {name}");
        let _ = self.progress.hide_while(say);
    }
}
