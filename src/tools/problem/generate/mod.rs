//! `soucie problem generate`: finds sound problems in games.
//!
//! [`candidate`] looks for positions in which one move seems to win, [`check`](super::check) proves or
//! drops them, and [`grade`] grades them. The games come from records, or the engine plays
//! them fast and badly: mistakes make positions with one way out.

mod candidate;
mod grade;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::check::{Checker, Conditions};
use super::input::{Problem, records};
use super::jobs::{Jobs, is_file_due};
use super::report::{Dual, ProblemReport, Verdict};
use super::settings::GenerateSettings;
use super::terms::{StatedTerms, Terms};
use crate::engine::EngineError;
use crate::engine::session::rules_from;
use crate::files::atomic_file;
use crate::game::{FeatureBits, Game, GameHistory, Variant, mix};
use crate::games::{self, GameVisitor};
use crate::nnue;
use crate::options::{Options, Scope};
use crate::records::{HeaderField, Record, RecordResult, record_game, replay};
use crate::search::TranspositionTable;
use crate::tools::error::ToolError;
use crate::tools::selfplay::opening::Openings;
use crate::tools::words::progress_bar;
use crate::tools::{arguments, interrupt};
use candidate::{Scout, new_table, nodes};
use grade::{Grade, themes};

/// The nodes of a search in a game against itself: so few that both sides blunder.
const GAME_NODES: u64 = 300;

/// The fewest plies of a solution.
const SHORTEST: usize = 3;

/// A problem that is sound.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GeneratedProblem {
    /// The same for all positions that differ by a symmetry of the board.
    pub id: String,
    /// The name of the variant.
    pub variant: String,
    /// The setup.
    pub setup: String,
    /// The terms.
    pub terms: Terms,
    /// How hard it is.
    #[serde(flatten)]
    pub grade: Grade,
    /// What the solution uses.
    pub themes: Vec<String>,
    /// The solution with the best defence.
    pub solution: Vec<String>,
    /// Other moves that win later in the solution, and are no fault.
    pub duals: Vec<SolutionMove>,
    /// The game it is from.
    pub source: String,
}

/// A move in the place of one of the solution.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolutionMove {
    /// The place in the solution, from 0.
    pub ply: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}

impl From<&Dual> for SolutionMove {
    fn from(dual: &Dual) -> Self {
        Self { ply: dual.after.len(), mv: dual.report.mv.clone() }
    }
}

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
type Found = Result<Option<GeneratedProblem>, String>;

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
        options: &[],
        terms: None,
        tables: &tables,
        nodes: settings.nodes,
        hash: settings.hash,
        out: None,
        stop: &is_stopped,
        must_be_sound: true,
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
        let network = nnue::built_in(P::name());
        let scout = Scout { network, tablebase: checker.tables.of::<P>() };
        let finder = Finder {
            scout,
            openings: Openings::random(start),
            rules,
            checker: &checker,
            proofs: settings.proofs.out.as_deref(),
            options,
            variant,
        };
        let mut problems = Vec::new();
        let mut known = HashSet::new();
        let mut all_read = true;
        let done = jobs.run(
            games_to_search(settings, variant)?,
            |game| finder.search(&game),
            |found: Found| {
                match found {
                    Ok(Some(problem)) if known.insert(problem.id.clone()) => {
                        let line = serde_json::to_string(&problem).map_err(io::Error::other)?;
                        problems.push(problem);
                        jobs.bar.suspend(|| writeln!(output, "{line}"))?;
                        output.flush()?;
                        jobs.bar.set_message(format!("{} problems, ", problems.len()));
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
        if let Some(path) = settings.records.as_ref().filter(|_| is_file_due(&done, problems.len()))
        {
            // `soucie problem check` switches draws by counts off itself.
            let asked = arguments::options(Some(variant.name), checker.options, Scope::Rule)?;
            let records = problems.iter().map(|problem| record::<P>(problem, &asked));
            let records = records.collect::<Result<Vec<_>, _>>()?;
            atomic_file::write(path, records.join("\n").as_bytes())?;
        }
        done?;
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
            json!([at, record.variant(), record.setup(), moves]).to_string()
        }
        Err(error) => error.clone(),
    }
}

/// Finds problems in games.
struct Finder<'a, P: Game> {
    scout: Scout<P>,
    openings: Openings<P>,
    rules: P::Rules,
    checker: &'a Checker<'a>,
    /// The folder of the proofs, if they are wanted.
    proofs: Option<&'a Path>,
    options: &'a Options,
    variant: &'static Variant,
}

impl<P: Game> Finder<'_, P> {
    /// The problem of a game.
    fn search(&self, game: &SearchedGame) -> Found {
        // What it remembers from one position to the next depends on the game alone.
        let table = new_table().map_err(|error| error.to_string())?;
        let (name, positions) = match game {
            SearchedGame::Seed(seed) => {
                let name = format!("seed {seed}");
                let positions = self.play(*seed, &table);
                (name, positions)
            }
            SearchedGame::Record(at, record) => {
                let record = record.as_ref().map_err(String::clone)?;
                if record.variant() != self.variant.name {
                    return Err(format!("{at}: a game of {}", record.variant()));
                }
                let positions = replay::<P>(record, self.rules);
                (at.clone(), positions.map_err(|error| format!("{at}: {error}"))?)
            }
        };
        let found = self.first_problem(&name, &positions, &table);
        found.map_err(|error| format!("{name}: {error}"))
    }

    /// The positions of a game of the engine against itself. The same seed always gives the same game.
    fn play(&self, seed: u64, table: &TranspositionTable) -> Vec<P> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game: GameHistory<P> = self.openings.draw(&mut random);
        let mut positions = Vec::new();
        while game.outcome().is_none() && game.plies() < self.variant.max_plies {
            positions.push(*game.position());
            let (position, limits) = (game.position(), nodes(GAME_NODES));
            let found = self.scout.search(position, &[], &limits, None, table);
            let Some(found) = found else { break };
            game.play(found.best);
        }
        positions
    }

    /// The first sound problem among positions and those that are near. Others of the game would resemble
    /// it.
    fn first_problem(
        &self,
        name: &str,
        positions: &[P],
        table: &TranspositionTable,
    ) -> Result<Option<GeneratedProblem>, ToolError> {
        let mut seen: HashSet<FeatureBits> = HashSet::new();
        for (ply, game_position) in positions.iter().enumerate() {
            for position in self.scout.near(game_position) {
                if !seen.insert(symmetric(&position)) {
                    continue;
                }
                let Some(terms) = self.scout.terms(&position, table)? else { continue };
                let found = self.problem(&position, terms, format!("{name}, ply {ply}"))?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// The problem of a position, if it is sound.
    fn problem(
        &self,
        position: &P,
        terms: Terms,
        source: String,
    ) -> Result<Option<GeneratedProblem>, ToolError> {
        let [own, other] = symmetric(position);
        let id = format!("{:08x}", mix(own ^ mix(other)) >> 32);
        let setup = position.write_setup();
        let problem =
            Problem { setup: setup.clone(), variant: self.variant.name, ..Problem::default() };
        let checker = Checker { terms: Some(StatedTerms { terms, side: None }), ..*self.checker };
        let conditions = Conditions {
            variant: self.variant,
            options: self.options,
            number: 0,
            name: id.clone(),
        };
        let report = checker.check_position(position, &problem, &conditions)?;
        let Some(moves) = solution(&report) else { return Ok(None) };
        let mut game = GameHistory::new(*position);
        for text in moves {
            let mv = game.position().read_move(text);
            game.play(mv.map_err(|error| ToolError::Other(error.to_string()))?);
        }
        let grade = Grade::new(&self.scout, position, &report)?;
        let themes = themes(&game);
        // Most candidates are dropped, so proofs are written only now.
        if self.proofs.is_some() {
            let with_proofs = Checker { out: self.proofs, ..checker };
            with_proofs.check_position(position, &problem, &conditions)?;
        }
        Ok(Some(GeneratedProblem {
            id,
            variant: self.variant.name.to_string(),
            setup,
            terms,
            grade,
            themes,
            solution: moves.to_vec(),
            duals: report.duals.iter().map(SolutionMove::from).collect(),
            source,
        }))
    }
}

/// The solution of a sound problem that is not too short.
fn solution(report: &ProblemReport) -> Option<&[String]> {
    let moves = report.solutions.first()?.moves.as_slice();
    (report.verdict == Verdict::Sound && moves.len() >= SHORTEST).then_some(moves)
}

/// The position from the view of the side to move, the same for all that differ by a symmetry of the
/// board.
fn symmetric<P: Game>(position: &P) -> FeatureBits {
    let features = position.features(position.side());
    let all = (0..P::SYMMETRIES).map(|number| P::transformed(features, number));
    all.min().unwrap_or(features)
}

/// A problem as a record, with the result that the terms demand and the rules of `options`.
fn record<P: Game>(problem: &GeneratedProblem, options: &Options) -> Result<String, ToolError> {
    let GeneratedProblem { id, variant, setup, terms, solution, .. } = problem;
    let failed = |reason: String| ToolError::Other(format!("{id}: {reason}"));
    let record = record_game(variant, Some(setup), &|rule| options.rule(rule), solution);
    let record = record.ok_or_else(|| failed("no record".to_string()))?;
    let mut record = record.map_err(|error| failed(error.to_string()))?;
    let start = P::read_setup(setup, P::Rules::default());
    let winner = start.map_err(|error| failed(error.to_string()))?.side();
    record.set_info(HeaderField::Event, &format!("Problem {id}: {terms}"));
    record.set_outcome(RecordResult::Won(winner));
    Ok(record.to_string())
}
