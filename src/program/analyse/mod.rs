//! `soucie analyse`: searches the positions of games and setups and reviews the moves played.
//!
//! The input is split into steps (`work`), whose positions several threads analyse. In
//! input order, a [`Reviewer`] makes reports of them, which listeners write (`outputs`, `records`). A journal
//! stores analyses, so that an interrupted run can be resumed.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod outputs;
pub mod queries;
mod records;
pub mod settings;
mod work;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use indicatif::ProgressBar;

use crate::error::{CommandError, note};
use crate::progress::counting_bar;
use crate::{arguments, interrupt, jobs};
use outputs::{JsonLines, Listener, Page, TextOutput};
use records::{AnnotatedRecords, MissedProblems};
use settings::AnalyseSettings;
use soucie::analysis::analyser::Analysis;
use soucie::analysis::game::{AnalysisEvent, ReplayedPosition, Reviewer, Step};
use soucie::files::paths::Endpoint;
use soucie::files::printable::Printable;
use soucie::options::Options;
use soucie::problems::check::Checker;
use soucie::records::items::TextItem;
use soucie::search::Signals;
use work::{Replayer, items};

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
    let tables = arguments::describe_tables(&replayer.tablebases);
    let description = settings.describe(&replayer.options, replayer.variant(), tables);
    let journal = jobs::journal(&settings.journal, "analysis", description)?;
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
    let note_empty =
        move |name: &str| bar.suspend(|| note(format_args!("no game or position in {name}")));
    let items = items(settings, replayer.variant(), note_empty)?;
    let (reviewer, found) = (Reviewer::default(), InputCounts::default());
    let mut reporter = Reporter { listeners, progress, reviewer, found };
    let analyser = settings.analyser(&replayer.options);
    let steps = items.zip(1..);
    let steps = steps.flat_map(|((origin, item), number)| replayer.steps(origin, item, number));
    jobs::map(
        settings.jobs(),
        journal,
        steps.map(|step| (step.position().map(item), step)),
        |step| match step.position() {
            Some(position) => {
                let signals = Arc::new(Signals::new(false));
                let played = position.move_played();
                Ok(Some(analyser.analyse(&*position.session, played, &signals)?))
            }
            None => Ok(None),
        },
        || false,
        |step, analysis| reporter.add(step, analysis),
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

/// The outputs of the settings, the one to `output` first.
fn listeners<'a>(
    settings: &AnalyseSettings,
    output: &'a mut (dyn Write + Send),
    options: &'a Options,
    checker: Checker<'a>,
) -> Result<Vec<Box<dyn Listener + 'a>>, CommandError> {
    let mut listeners: Vec<Box<dyn Listener + 'a>> = Vec::new();
    let analyser = settings.analyser(options);
    let players = analyser.players;
    listeners.push(match settings.json {
        false => Box::new(TextOutput { output: Printable(output), players }),
        true => Box::new(JsonLines(output)),
    });
    let annotator = analyser.annotator();
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

/// The position and the move, by which the journal lists an analysis.
fn item(position: &ReplayedPosition) -> String {
    format!("{} {}", position.session.setup(), position.move_played().unwrap_or("-"))
}

/// Passes the results to the listeners.
struct Reporter<'a> {
    listeners: Vec<Box<dyn Listener + 'a>>,
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
    /// Adds a step, with the analysis of its position if it has one.
    fn add(&mut self, step: Step, analysis: Option<Analysis>) -> Result<(), CommandError> {
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

/// The progress bar, which counts the positions.
fn progress(settings: &AnalyseSettings) -> io::Result<ProgressBar> {
    let templates = [
        "{bar:30} {human_pos} of {human_len} positions{left}",
        "{spinner} {human_pos} positions, {rate}",
    ];
    counting_bar(&settings.files, templates, || {
        Ok(items(settings, None, |_| ())?.map(|(_, item)| positions(&item)).sum())
    })
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
