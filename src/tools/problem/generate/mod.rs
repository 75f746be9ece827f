//! `soucie problem generate`: finds sound problems in games.
//!
//! `candidate` looks for positions in which one move seems to win, [`check`](super::check) proves or
//! drops them in `finder`, and `grade` grades them. The games come from records, or the engine plays
//! them fast and badly: mistakes make positions with one way out. [`played`] looks at single positions
//! of games.

mod candidate;
mod finder;
mod grade;
pub mod played;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde_json::json;

use super::check::Checker;
use super::input::{records, with_fault};
use super::jobs::{Jobs, is_file_due, with_rest};
use super::settings::GenerateSettings;
use crate::engine::EngineError;
use crate::engine::session::rules_from;
use crate::files::atomic_file;
use crate::files::printable::plural;
use crate::game::{FeatureBits, Game, GameHistory, Variant};
use crate::games::{self, GameVisitor};
use crate::options::{Options, Scope};
use crate::records::{HeaderField, Record, replay};
use crate::search::TranspositionTable;
use crate::tools::error::ToolError;
use crate::tools::progress::progress_bar;
use crate::tools::selfplay::opening::Openings;
use crate::tools::{arguments, interrupt};
use candidate::{new_table, nodes};
use finder::{Finder, GeneratedProblem, record, symmetric};

/// The nodes of a search in a game against itself: so few that both sides blunder.
const GAME_NODES: u64 = 300;

/// A game to look through.
enum SearchedGame {
    /// A game of the engine against itself.
    Seed(u64),
    /// A record with its name, or why it cannot be read.
    Record(String, Result<Box<Record>, String>),
}

/// The games with their names.
type SearchedGames = Box<dyn Iterator<Item = (Option<String>, SearchedGame)> + Send>;

/// The problem of a game, or why it cannot be read.
type FoundProblems = Result<Option<GeneratedProblem>, String>;

/// Runs the command. Returns true if every game could be read.
pub fn generate(
    settings: &GenerateSettings,
    output: &mut (dyn Write + Send),
) -> Result<bool, ToolError> {
    settings.check_files()?;
    let tables = settings.proofs.begin()?;
    let stop = interrupt::flag();
    let is_stopped = || stop.load(Relaxed);
    let checker = Checker {
        nodes: settings.nodes,
        hash: settings.hash,
        out: settings.proofs.out.as_deref(),
        ..Checker::of_candidates(&[], &tables, &is_stopped)
    };
    let options = checker.rules_of_problems(&settings.variant, &[])?;
    let bar = progress_bar(None, "{spinner} {human_pos} games, {msg}{elapsed}");
    let description = settings.describe(arguments::tables(&tables));
    let jobs = Jobs { settings: &settings.proofs, description, stop: &stop, bar: &bar };
    let visitor = Generate { settings, checker, options: &options, jobs, output };
    let unknown = || EngineError::Variant(settings.variant.clone());
    games::open(&settings.variant, visitor).ok_or_else(unknown)?
}

struct Generate<'a> {
    settings: &'a GenerateSettings,
    checker: Checker<'a>,
    options: &'a Options,
    jobs: Jobs<'a>,
    output: &'a mut (dyn Write + Send),
}

impl GameVisitor for Generate<'_> {
    type Output = Result<bool, ToolError>;

    fn visit<P: Game>(self, variant: &'static Variant) -> Self::Output {
        let Self { settings, checker, options, jobs, output } = self;
        let rules: P::Rules = rules_from(&|rule| options.rule(rule));
        let start = P::read_setup(variant.start, rules)
            .map_err(|error| EngineError::Setup(Box::new(error)))?;
        let finder = Finder::new(&checker, options, variant);
        let games = Games { finder, openings: Openings::random(start), rules, variant };
        let mut problems = Vec::new();
        let mut known = HashSet::new();
        let mut all_read = true;
        // Games that other threads have begun are looked through, and what they have is not printed.
        let has_enough = AtomicBool::new(false);
        let searched = games_to_search(settings, variant)?;
        let done = jobs.run(
            searched.take_while(|_| !has_enough.load(Relaxed)),
            |game| games.search(&game),
            |found: FoundProblems| {
                if has_enough.load(Relaxed) {
                    return Ok(());
                }
                match found {
                    Ok(Some(problem)) if known.insert(problem.id.clone()) => {
                        let line = serde_json::to_string(&problem).map_err(io::Error::other)?;
                        problems.push(problem);
                        jobs.bar.suspend(|| writeln!(output, "{line}"))?;
                        output.flush()?;
                        jobs.bar.set_message(format!("{} problems, ", problems.len()));
                        has_enough.store(Some(problems.len()) == settings.count, Relaxed);
                    }
                    Ok(_) => {}
                    Err(error) => {
                        all_read = false;
                        // The message is optional: standard error may be closed.
                        let note = || writeln!(io::stderr(), "soucie: {error}");
                        let _ = jobs.bar.suspend(note);
                    }
                }
                Ok(())
            },
        );
        let records = settings.records.as_ref().filter(|_| is_file_due(&done, problems.len()));
        if let Some(path) = records {
            // `soucie problem check` switches draws by counts off itself.
            let asked = arguments::options(Some(variant.name), checker.options, Scope::Rule)?;
            let texts = problems.iter().map(|problem| record::<P>(problem, &asked, checker.nodes));
            let texts = texts.map(|record| record.map(|record| record.to_string()));
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            atomic_file::write(path, texts.join("\n").as_bytes())?;
        }
        let found = plural(problems.len(), "problem", "problems");
        done.map_err(|error| with_rest(error, &settings.proofs, &found, records))?;
        Ok(all_read)
    }
}

/// The games to look through, with their names for the journal.
fn games_to_search(
    settings: &GenerateSettings,
    variant: &'static Variant,
) -> Result<SearchedGames, ToolError> {
    if let Some(seeds) = &settings.seeds {
        let seeds = seeds.clone();
        return Ok(Box::new(
            seeds.map(|seed| (Some(format!("seed {seed}")), SearchedGame::Seed(seed))),
        ));
    }
    let games = records(&settings.files, Some(variant.name))?;
    Ok(Box::new(games.map(|(at, game)| (Some(item(&at, &game)), SearchedGame::Record(at, game)))))
}

/// The place of a record, and what its problem depends on.
fn item(at: &str, game: &Result<Box<Record>, String>) -> String {
    match game {
        Ok(record) => {
            let moves: Vec<&str> = record.moves().collect();
            json!([at, record.variant(), record.setup(), moves, record.info(HeaderField::Rules)])
                .to_string()
        }
        Err(error) => error.clone(),
    }
}

/// The games and what is found in them.
struct Games<'a, P: Game> {
    finder: Finder<'a, P>,
    openings: Openings<P>,
    rules: P::Rules,
    variant: &'static Variant,
}

impl<P: Game> Games<'_, P> {
    /// The problem of a game.
    fn search(&self, game: &SearchedGame) -> FoundProblems {
        // What it remembers from one position to the next depends on the game alone.
        let table = new_table().map_err(|error| error.to_string())?;
        let (name, fault, positions) = match game {
            SearchedGame::Seed(seed) => {
                let name = format!("seed {seed}");
                let positions = self.play(*seed, &table);
                (name, None, positions)
            }
            SearchedGame::Record(at, record) => {
                let record = record.as_ref().map_err(String::clone)?;
                if record.variant() != self.variant.name {
                    return Err(format!("{at}: a game of {}", record.variant()));
                }
                let fault = record.rules_fault();
                let positions = self
                    .positions(record)
                    .map_err(|error| with_fault(format!("{at}: {error}"), fault.as_deref()))?;
                // The folders of this machine say nothing about the game.
                let file = Path::new(at).file_name().unwrap_or_default();
                (file.to_string_lossy().into_owned(), fault, positions)
            }
        };
        let source = |ply| with_fault(format!("{name}, ply {ply}"), fault.as_deref());
        let found = self.first_problem(&source, &positions, &table);
        found.map_err(|error| format!("{name}: {error}"))
    }

    /// The positions of a game that may have been played under other rules. Problems of them are those
    /// of the usual rules.
    fn positions(&self, record: &Record) -> Result<Vec<P>, String> {
        let named = self.finder.checker.rules_of_problems(self.variant.name, &record.rules());
        let named = named.map_err(|error| error.to_string())?;
        let played = replay::<P>(record, rules_from(&|rule| named.rule(rule)));
        let played = played.map_err(|error| error.to_string())?;
        let usual = |position: &P| P::read_setup(&position.write_setup(), self.rules);
        played.iter().map(usual).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    /// The positions of a game of the engine against itself. The same seed always gives the same game.
    fn play(&self, seed: u64, table: &TranspositionTable) -> Vec<P> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game: GameHistory<P> = self.openings.draw(&mut random);
        let mut positions = Vec::new();
        while game.outcome().is_none() && game.plies() < self.variant.max_plies {
            positions.push(*game.position());
            let (position, limits) = (game.position(), nodes(GAME_NODES));
            let found = self.finder.scout().search(position, &[], &limits, None, table);
            let Some(found) = found else { break };
            game.play(found.best);
        }
        positions
    }

    /// The first sound problem among positions and those that are near. Others of the game would resemble
    /// it.
    fn first_problem(
        &self,
        source: &dyn Fn(usize) -> String,
        positions: &[P],
        table: &TranspositionTable,
    ) -> Result<Option<GeneratedProblem>, ToolError> {
        let mut seen: HashSet<FeatureBits> = HashSet::new();
        for (ply, game_position) in positions.iter().enumerate() {
            for position in self.finder.scout().near(game_position) {
                if !seen.insert(symmetric(&position)) {
                    continue;
                }
                let found = self.finder.find(&position, source(ply), table)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }
}
