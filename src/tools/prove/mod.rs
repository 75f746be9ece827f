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
use crate::game::{Game, GameHistory, MoveFormat, Variant, outcome};
use crate::games::{self, GameVisitor};
use crate::options::{Options, Scope};
use crate::search::proof::{NoStrategy, ProofLimits, ProofResult, ProofSolver};
use crate::tools::arguments;
use crate::tools::endgame_tables::{all_tables, proof_tables};
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
        None => {
            let tables = proof_tables(None, settings.default_tables.as_deref())?;
            Some(tables).filter(|tables| tables.have(options.variant)).unwrap_or_default()
        }
    };
    arguments::note_unused(&settings.options, &[options.variant].into(), None, &tables);
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
        let out = settings.out.as_deref().map(AtomicFile::begin).transpose()?;
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
        solver.set_game(&start, &[]);
        let result = solver.solve(&start, &[], None, &limits);
        // Positions whose table entries were overwritten must be expanded again.
        let expansions = expansions.saturating_add(solver.expansions());
        let limits = ProofLimits { expansions, stop: &stop };
        let certifier = Certifier { variant, options, tables: &tables };
        let mut print = |text: String| bar.suspend(|| writeln!(output, "{text}"));
        let expanded_so_far = expanded(solver.expansions());
        match result {
            ProofResult::Proved { mv, plies } => {
                let (text, proof) = proved(&certifier, &start, &mut solver, (mv, plies), &limits);
                let written = out.map_or(Ok(()), |file| write(&proof?, file));
                print(text)?;
                written
            }
            ProofResult::Disproved => {
                let side = start.side();
                print(format!("disproved: {side} cannot force a win, {expanded_so_far}"))?;
                out.map_or(Ok(()), |file| {
                    write(&disproof(&certifier, &start, &mut solver, &limits)?, file)
                })
            }
            ProofResult::Open => {
                print(format!("open after {expanded_so_far}"))?;
                settings.out.as_ref().map_or(Ok(()), |path| {
                    let error = format!("{}: not written, as nothing is proved", path.display());
                    Err(ToolError::Other(error))
                })
            }
        }
    }
}

/// The win in words, and its proof or why there is none. The win is proved in either case.
fn proved<P: Game>(
    certifier: &Certifier,
    start: &P,
    solver: &mut ProofSolver<P>,
    (mv, plies): (P::Move, u32),
    limits: &ProofLimits,
) -> (String, Result<Proof, ToolError>) {
    let strategy = solver.strategy(start, &[], (mv, plies), limits).map_err(not_written);
    let proof = strategy.and_then(|strategy| certifier.win(&GameHistory::new(*start), &strategy));
    let win = match &proof {
        Ok(proof) => proof.claimed(),
        Err(_) => {
            let has_tables = certifier.tables.pieces() > 0;
            format!("{} {}", win(has_tables), plural(plies, "ply", "plies"))
        }
    };
    let key = start.write_move(mv, MoveFormat::Coordinate);
    (format!("proved: {win}, key {key}, {}", expanded(solver.expansions())), proof)
}

/// The proof that the side to move cannot force a win.
fn disproof<P: Game>(
    certifier: &Certifier,
    start: &P,
    solver: &mut ProofSolver<P>,
    limits: &ProofLimits,
) -> Result<Proof, ToolError> {
    let defence = solver.defence(start, &[], limits);
    let defence = defence.ok_or_else(|| not_written(NoStrategy::Limits))?;
    let has_counters = start.move_counters().iter().any(Option::is_some);
    let proof = certifier.no_win(&GameHistory::new(*start), start.side(), None, &defence);
    proof.map_err(|fault| match has_counters {
        true => not_written(NoStrategy::Counters),
        false => fault,
    })
}

fn write(proof: &Proof, mut file: AtomicFile) -> Result<(), ToolError> {
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
