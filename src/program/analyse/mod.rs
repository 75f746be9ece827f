//! `soucie analyse`: searches the positions of games and setups and reviews the moves played.
//!
//! The input (`input`) is split into steps (`work`), whose positions several threads analyse. In
//! input order, a [`Reviewer`] makes reports of them, which listeners write (`outputs`). A journal
//! stores analyses, so that an interrupted run can be resumed.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod input;
pub mod outputs;
mod problems;
pub mod queries;
mod record_file;
pub mod settings;
mod work;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use indicatif::ProgressBar;

use crate::error::CommandError;
use crate::journal::{self, Journal, KnownEntries};
use crate::progress::progress_bar;
use crate::sources::are_files;
use crate::{arguments, bench, interrupt};
use input::items;
use outputs::{AnnotatedRecords, JsonLines, Listener, Page, TextOutput};
use problems::MissedProblems;
use settings::AnalyseSettings;
use soucie::analysis::analyser::{Analyser, Analysis};
use soucie::analysis::game::{AnalysisEvent, ReplayedPosition, Reviewer, Step};
use soucie::analysis::report::InputOrigin;
use soucie::files::paths::Endpoint;
use soucie::files::printable::Printable;
use soucie::options::Options;
use soucie::ordered_map;
use soucie::problems::check::Checker;
use soucie::records::items::TextItem;
use soucie::search::Signals;
use work::Replayer;

/// A step of the analysis.
struct Work {
    step: Step,
    /// The analysis of its position, once it is known.
    analysis: Option<Analysis>,
    /// Whether the analysis is from the journal: it is not written again.
    is_old: bool,
}

/// Analyses the input and writes the results to `output`. Returns true if everything could be read.
pub fn run(
    settings: &AnalyseSettings,
    output: &mut (dyn Write + Send),
) -> Result<bool, CommandError> {
    settings.check_files()?;
    if !settings.queries {
        return review(settings, output);
    }
    if settings.files != [Endpoint::Stdin] {
        let error = "--queries reads standard input: give '-' as the only FILE";
        return Err(CommandError::Other(error.to_string()));
    }
    queries::run(settings, io::stdin().lock(), output).map(|()| true)
}

/// Reviews games and positions, and writes reports of them.
fn review(
    settings: &AnalyseSettings,
    output: &mut (dyn Write + Send),
) -> Result<bool, CommandError> {
    let replayer = Replayer::new(settings)?;
    let (known, journal) = open_journal(settings, &replayer)?;
    if settings.journal.resume.is_some() {
        interrupt::end_with(interrupt::UNFINISHED);
    } else if settings.outputs().next().is_some() {
        interrupt::end_with("interrupted; no page, annotated file or problems are written");
    }
    let rules = arguments::rules(&settings.game.options);
    let checker = Checker::of_candidates(&rules, &replayer.tablebases, &|| false);
    let listeners = listeners(settings, output, &replayer.options, checker)?;
    let progress = progress(settings)?;
    let bar = progress.clone();
    let note_empty = move |name: &str| {
        // A closed stderr is not an error.
        let note = || writeln!(Printable(io::stderr()), "soucie: no game or position in {name}");
        let _ = bar.suspend(note);
    };
    let items = items(settings, replayer.variant(), note_empty)?;
    let (reviewer, found) = (Reviewer::default(), InputCounts::default());
    let mut reporter = Reporter { listeners, journal, progress, reviewer, found };
    let analyser = settings.analyser(&replayer.options);
    ordered_map::map(
        settings.jobs(),
        work(items, &replayer, known),
        |work| work.and_then(|work| analysed(work, &analyser)),
        |work| reporter.add(work?),
    )?;
    let InputCounts { readable, failures, variants } = reporter.found;
    let (network, tables) = (replayer.evaluator.game(), &replayer.tablebases);
    arguments::note_unused(&settings.game.options, &variants, network, tables);
    // Without a result, existing output files are kept.
    if readable == 0 {
        return Ok(false);
    }
    for listener in &mut reporter.listeners {
        listener.end()?;
    }
    Ok(failures == 0)
}

/// The journal of `--resume` with its entries, if there is one.
fn open_journal(
    settings: &AnalyseSettings,
    replayer: &Replayer,
) -> Result<(Option<KnownEntries>, Option<Journal>), CommandError> {
    let Some(path) = &settings.journal.resume else { return Ok((None, None)) };
    let tables = arguments::tables(&replayer.tablebases);
    let description = settings.describe(replayer.variant(), tables);
    let description = bench::with_signature(description)?;
    let (known, journal) = journal::open(path, "analysis", &description)?;
    Ok((Some(known), Some(journal)))
}

/// The outputs of the settings, the one to `output` first.
fn listeners<'a>(
    settings: &AnalyseSettings,
    output: &'a mut (dyn Write + Send),
    options: &'a Options,
    checker: Checker<'a>,
) -> Result<Vec<Box<dyn Listener + 'a>>, CommandError> {
    let mut listeners: Vec<Box<dyn Listener + 'a>> = Vec::new();
    listeners.push(match settings.json {
        false => Box::new(TextOutput(Printable(output))),
        true => Box::new(JsonLines(output)),
    });
    let annotator = settings.analyser(options).annotator();
    if let Some(path) = &settings.html {
        listeners.push(Box::new(Page::begin(path, annotator.clone())?));
    }
    if let Some(path) = &settings.problems {
        listeners.push(Box::new(MissedProblems::begin(path, checker)?));
    }
    // The last output, as without a game its end is an error.
    if let Some(path) = &settings.annotate {
        listeners.push(Box::new(AnnotatedRecords::begin(path, annotator, options)?));
    }
    Ok(listeners)
}

/// The work on the whole input, with the analyses of the journal.
fn work(
    items: impl Iterator<Item = (InputOrigin, TextItem)> + Send,
    replayer: &Replayer,
    mut known: Option<KnownEntries>,
) -> impl Iterator<Item = Result<Work, CommandError>> + Send {
    let steps = items.zip(1..);
    let steps = steps.flat_map(|((origin, item), number)| replayer.steps(origin, item, number));
    steps.map(move |step| {
        let analysis = match (&mut known, step.position()) {
            (Some(known), Some(position)) => known.take_result(&item(position))?,
            _ => None,
        };
        Ok(Work { is_old: analysis.is_some(), step, analysis })
    })
}

/// The position and the move, by which the journal lists an analysis.
fn item(position: &ReplayedPosition) -> String {
    format!("{} {}", position.session.setup(), position.move_played().unwrap_or("-"))
}

/// Analyses the position of a step, if it has one and no analysis of it is known.
fn analysed(mut work: Work, analyser: &Analyser) -> Result<Work, CommandError> {
    if let Some(position) = work.step.position().filter(|_| !work.is_old) {
        let signals = Arc::new(Signals::new(false));
        let analysis = analyser.analyse(&*position.session, position.move_played(), &signals)?;
        work.analysis = Some(analysis);
    }
    Ok(work)
}

/// Passes the results to the listeners.
struct Reporter<'a> {
    listeners: Vec<Box<dyn Listener + 'a>>,
    journal: Option<Journal>,
    progress: ProgressBar,
    reviewer: Reviewer,
    found: InputCounts,
}

/// Counts of the input read so far.
#[derive(Default)]
struct InputCounts {
    /// The number of games and positions.
    readable: usize,
    failures: usize,
    /// The variants of the games and positions.
    variants: BTreeSet<&'static str>,
}

impl Reporter<'_> {
    fn add(&mut self, Work { step, analysis, is_old }: Work) -> Result<(), CommandError> {
        if let (Some(journal), Some(position), Some(analysis), false) =
            (&mut self.journal, step.position(), &analysis, is_old)
        {
            journal.add_result(item(position), analysis)?;
        }
        if analysis.is_some() {
            self.progress.inc(1);
        }
        let Self { listeners, progress, reviewer, found, .. } = self;
        reviewer.add(step, analysis.unwrap_or_default(), &mut |event| {
            found.add(&event);
            progress.suspend(|| {
                Ok(listeners.iter_mut().try_for_each(|listener| listener.on(&event))?)
            })
        })
    }
}

impl InputCounts {
    fn add(&mut self, event: &AnalysisEvent) {
        match event {
            AnalysisEvent::Begin(head) => self.add_readable(head.variant),
            AnalysisEvent::Position(report) => self.add_readable(report.head.variant),
            AnalysisEvent::Game(report) => self.failures += usize::from(report.error.is_some()),
            AnalysisEvent::Failure(_) => self.failures += 1,
            AnalysisEvent::Move(_) => {}
        }
    }

    fn add_readable(&mut self, variant: &'static str) {
        self.readable += 1;
        self.variants.insert(variant);
    }
}

/// A progress bar on stderr; hidden if stderr is not a terminal. The positions of files are counted in
/// advance, so that the remaining time can be estimated; those of stdin and of pipes can be read only once.
fn progress(settings: &AnalyseSettings) -> io::Result<ProgressBar> {
    let is_countable = are_files(&settings.files);
    let template = if is_countable {
        "{bar:30} {human_pos} of {human_len} positions{left}"
    } else {
        "{spinner} {human_pos} positions, {rate}"
    };
    let bar = progress_bar(None, template);
    if is_countable && !bar.is_hidden() {
        let items = items(settings, None, |_| ())?;
        bar.set_length(items.map(|(_, item)| positions(&item)).sum());
    }
    Ok(bar)
}

/// The number of positions of an item that are searched: in a game, those with a move played.
fn positions(item: &TextItem) -> u64 {
    let moves = match item {
        TextItem::Failure(_) => return 0,
        TextItem::Game(record) => record.moves().count(),
        // Without moves the position itself is searched.
        TextItem::Setup { setup, .. } => setup.moves.len().max(1),
    };
    moves as u64
}
