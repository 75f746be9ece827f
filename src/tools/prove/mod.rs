//! `soucie prove`: proves or disproves that the side to move can force a win.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod file;
mod settings;
pub mod verify;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::engine::session::rules_from;
use crate::engine::{EngineError, Tablebases};
use crate::files::atomic_file::AtomicFile;
use crate::game::{Game, MoveFormat, RuleChoice, Rules, Variant, outcome};
use crate::games::{self, GameVisitor};
use crate::options::{Options, Scope};
use crate::search::proof::{NoStrategy, ProofLimits, ProofResult, ProofSolver, Strategy};
use crate::tools::arguments;
use crate::tools::endgame_tables::all_tables;
use crate::tools::error::ToolError;
use crate::tools::interrupt;
use crate::tools::words::{plural, progress_bar};
use file::{Answer, Proof, win};
pub use settings::ProveSettings;
use verify::verify;

/// Proves or disproves that the side to move can force a win, and writes the result.
///
/// The result is open if the node limit is reached or the program is interrupted.
pub fn run(settings: &ProveSettings, output: &mut dyn Write) -> Result<(), ToolError> {
    let variant = settings.variant.as_deref();
    let variant = variant.unwrap_or_else(|| arguments::variant_of(settings.fen.as_deref()));
    let options = arguments::options(Some(variant), &settings.options, Scope::Rule)?;
    let stop = interrupt::flag();
    let unknown = || EngineError::Variant(variant.to_string());
    let tables = settings.tables.as_deref().map(|folder| all_tables(folder, options.variant));
    let tables = tables.transpose()?.unwrap_or_default();
    let visitor = ProofJob { settings, options: &options, tables, stop: &stop, output };
    games::open(options.variant, visitor).ok_or_else(unknown)?
}

struct ProofJob<'a> {
    settings: &'a ProveSettings,
    options: &'a Options,
    tables: Tablebases,
    stop: &'a AtomicBool,
    output: &'a mut dyn Write,
}

impl GameVisitor for ProofJob<'_> {
    type Output = Result<(), ToolError>;

    fn visit<P: Game>(self, variant: &'static Variant) -> Self::Output {
        let Self { settings, options, tables, stop, output } = self;
        let rules: P::Rules = rules_from(&|rule| options.rule(rule));
        let setup = settings.fen.as_deref().unwrap_or(variant.start);
        let start =
            P::read_setup(setup, rules).map_err(|error| EngineError::Setup(Box::new(error)))?;
        if let Some(end) = outcome(&start) {
            return Err(ToolError::Other(format!("the game is over: {end}")));
        }
        // Created first, so that an unwritable file is reported now and not after hours.
        let out = settings.out.as_deref().map(AtomicFile::begin);
        let out = out.transpose()?;
        let is_wanted = out.is_some();
        let bar = progress_bar(None, "{spinner} {human_pos} expansions, {rate}, {elapsed}");
        bar.enable_steady_tick(Duration::from_millis(100));
        let stop = |expansions| {
            bar.set_position(expansions);
            stop.load(Relaxed)
        };
        let expansions = settings.nodes.unwrap_or(u64::MAX);
        let limits = ProofLimits { expansions, stop: &stop };
        let solver = ProofSolver::new(start.side(), settings.hash as usize)?;
        let mut solver = solver.with_tables(tables.of::<P>());
        let outcome = solver.solve(&start, &[], None, &limits);
        let mut print = |text: String| bar.suspend(|| writeln!(output, "{text}"));
        let expanded_so_far = expanded(solver.expansions());
        match outcome {
            ProofResult::Open => print(format!("open after {expanded_so_far}"))?,
            ProofResult::Disproved => {
                print(format!("disproved: {} cannot force a win, {expanded_so_far}", start.side()))?
            }
            ProofResult::Proved { mv, plies } => {
                // Positions whose table entries were overwritten must be expanded again.
                let expansions = expansions.saturating_add(solver.expansions());
                let limits = ProofLimits { expansions, stop: &stop };
                let strategy = solver.strategy(&start, (mv, plies), &limits);
                let plies = strategy.as_ref().map_or(plies, Strategy::plies);
                let identity = tables.of::<P>().and_then(|tables| tables.identity());
                let proof = strategy
                    .map(|strategy| as_file(&strategy, variant, options, identity.clone(), &start));
                if let Ok(proof) = &proof {
                    let bug = "the proof failed verification, which is a bug in Soucie";
                    verify(proof, &tables)
                        .map_err(|fault| ToolError::Other(format!("{bug}: {fault}")))?;
                }
                let win = win(proof.as_ref().map_or(identity.is_some(), |p| p.tables.is_some()));
                let written = proof.map_err(not_written).and_then(|proof| {
                    let Some(mut file) = out else { return Ok(()) };
                    proof.write(&mut file)?;
                    Ok(file.finish()?)
                });
                let key = start.write_move(mv, MoveFormat::Coordinate);
                let (plies, expanded) =
                    (plural(plies, "ply", "plies"), expanded(solver.expansions()));
                print(format!("proved: {win} {plies}, key {key}, {expanded}"))?;
                if is_wanted {
                    written?;
                }
                return Ok(());
            }
        }
        match &settings.out {
            Some(path) => {
                let error = format!("{}: not written, as no win is proved", path.display());
                Err(ToolError::Other(error))
            }
            None => Ok(()),
        }
    }
}

fn expanded(expansions: u64) -> String {
    plural(expansions, "expansion", "expansions")
}

/// Why a proved win has no proof file.
fn not_written(why: NoStrategy) -> ToolError {
    let why = match why {
        NoStrategy::Limits => "raise --nodes or --hash",
        // The file format has one answer for each position.
        NoStrategy::Counters => "a position needs different moves with different move counters",
    };
    ToolError::Other(format!("proof not written: {why}"))
}

/// Converts a strategy to a proof, with the setup and rules needed to verify it.
fn as_file<P: Game>(
    strategy: &Strategy<P>,
    variant: &Variant,
    options: &Options,
    tables: Option<String>,
    start: &P,
) -> Proof {
    let option = |name: &'static str, choice: RuleChoice| {
        let value = options.rule(name).unwrap_or_default();
        let value = match choice {
            RuleChoice::Named(names) => {
                names.get(usize::from(value)).copied().unwrap_or_default().into()
            }
            RuleChoice::Number { .. } => value.to_string(),
        };
        (name.to_string(), value)
    };
    let answers = strategy.answers().into_iter().map(|answer| Answer {
        plies: answer.plies,
        mv: answer.position.write_move(answer.mv, MoveFormat::Coordinate),
        setup: answer.position.write_setup(),
    });
    Proof {
        variant: variant.name.to_string(),
        options: P::Rules::OPTIONS.iter().map(|rule| option(rule.name, rule.choice)).collect(),
        tables: tables.filter(|_| strategy.uses_tables()),
        setup: start.write_setup(),
        plies: strategy.plies(),
        answers: answers.collect(),
    }
}
