//! `soucie prove`: proves or disproves that the side to move can force a win.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod certifier;
pub mod file;
mod settings;
pub mod verify;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::engine::session::rules_from;
use crate::engine::{EngineError, Tablebases};
use crate::files::atomic_file::AtomicFile;
use crate::files::printable::plural;
use crate::game::{Game, MoveFormat, Variant, outcome};
use crate::games::{self, GameVisitor};
use crate::options::{Options, Scope};
use crate::search::proof::{NoStrategy, ProofLimits, ProofResult, ProofSolver};
use crate::tools::arguments;
use crate::tools::endgame_tables::all_tables;
use crate::tools::error::ToolError;
use crate::tools::interrupt;
use crate::tools::progress::progress_bar;
pub use certifier::Certifier;
use file::{Proof, win};
pub use settings::ProveSettings;

/// Proves or disproves that the side to move can force a win, and writes the result.
///
/// The result is open if the node limit is reached or the program is interrupted.
pub fn run(settings: &ProveSettings, output: &mut dyn Write) -> Result<(), ToolError> {
    let variant = settings.variant.as_deref();
    let variant = variant.unwrap_or_else(|| arguments::variant_of(settings.fen.as_deref()));
    let options = arguments::options(Some(variant), &settings.options, Scope::Rule)?;
    let stop = interrupt::flag();
    let unknown = || EngineError::Variant(variant.to_string());
    let tables = match settings.tables.as_deref() {
        Some(folder) => all_tables(folder, options.variant)?,
        None => Tablebases::default(),
    };
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
        let certifier = Certifier { variant, options, tables: &tables };
        let mut print = |text: String| bar.suspend(|| writeln!(output, "{text}"));
        let expanded_so_far = expanded(solver.expansions());
        match outcome {
            ProofResult::Open => print(format!("open after {expanded_so_far}"))?,
            ProofResult::Disproved => {
                print(format!(
                    "disproved: {} cannot force a win, {expanded_so_far}",
                    start.side()
                ))?;
                if is_wanted {
                    let expansions = expansions.saturating_add(solver.expansions());
                    let limits = ProofLimits { expansions, stop: &stop };
                    let defence = solver.defence(&start, &[], &limits);
                    let defence = defence.ok_or_else(|| not_written(NoStrategy::Limits))?;
                    let proof = certifier.no_win(&start, start.side(), None, &defence);
                    let has_counters = start.move_counters().iter().any(Option::is_some);
                    let proof = proof.map_err(|fault| match has_counters {
                        true => not_written(NoStrategy::Counters),
                        false => fault,
                    });
                    return write(&proof?, out);
                }
            }
            ProofResult::Proved { mv, plies } => {
                // Positions whose table entries were overwritten must be expanded again.
                let expansions = expansions.saturating_add(solver.expansions());
                let limits = ProofLimits { expansions, stop: &stop };
                let strategy = solver.strategy(&start, (mv, plies), &limits);
                let proof = strategy.as_ref().map(|strategy| certifier.win(&start, strategy));
                let claimed =
                    || format!("{} {}", win(tables.pieces() > 0), plural(plies, "ply", "plies"));
                let (win, written) = match proof {
                    Ok(Ok(proof)) => (proof.claimed(), write(&proof, out)),
                    // The win is proved nevertheless.
                    Ok(Err(fault)) => (claimed(), Err(fault)),
                    Err(why) => (claimed(), Err(not_written(*why))),
                };
                let key = start.write_move(mv, MoveFormat::Coordinate);
                print(format!("proved: {win}, key {key}, {}", expanded(solver.expansions())))?;
                return if is_wanted { written } else { Ok(()) };
            }
        }
        match &settings.out {
            Some(path) => {
                let error = format!("{}: not written, as nothing is proved", path.display());
                Err(ToolError::Other(error))
            }
            None => Ok(()),
        }
    }
}

/// Writes a proof to the file that is wanted, if one is.
fn write(proof: &Proof, out: Option<AtomicFile>) -> Result<(), ToolError> {
    let Some(mut file) = out else { return Ok(()) };
    proof.write(&mut file)?;
    Ok(file.finish()?)
}

fn expanded(expansions: u64) -> String {
    plural(expansions, "expansion", "expansions")
}

/// Why a result has no proof file.
fn not_written(why: NoStrategy) -> ToolError {
    let why = match why {
        NoStrategy::Limits => "raise --nodes or --hash",
        // The file format has one answer for each position.
        NoStrategy::Counters => "a position needs different moves with different move counters",
    };
    ToolError::Other(format!("proof not written: {why}"))
}
