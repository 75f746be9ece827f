//! Finds the problems of games, which come from records or are played here, fast and badly: mistakes make
//! positions with one way out. Of a game of others, finds them at plies that are known to be of interest.

use std::collections::HashSet;

use super::candidate::{new_table, nodes};
use super::check::Checker;
use super::finder::{Finder, GeneratedProblem, symmetric};
use super::problem::with_fault;
use crate::engine::{EngineError, read_setup};
use crate::game::{FeatureBits, Game, GameHistory, RuleSetting, Variant, rules_from};
use crate::options::{Options, Scope};
use crate::proofs::ProofError;
use crate::random_openings::{RANDOM_PLIES, play_random_moves};
use crate::records::{Record, RecordFormat, replay};
use crate::search::SearchMemory;
use crate::with_game;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The nodes of a search in a game against itself: so few that both sides blunder.
const GAME_NODES: u64 = 300;

/// The problem of a game, or why it cannot be read.
pub type FoundProblem = Result<Option<GeneratedProblem>, String>;

/// Finds the problems of games of a variant, one a game: others would resemble it.
pub trait GameProblems: Sync {
    /// The problem of a game of the engine against itself. The same seed always gives the same game.
    fn of_seed(&self, seed: u64) -> FoundProblem;

    /// The problem of a record with this name. `place` is where it stands, for errors.
    fn of_record(&self, record: &Record, name: &str, place: &str) -> FoundProblem;
}

/// Finds problems of the variant and under the rules of `options`.
pub fn game_problems<'a>(
    checker: &'a Checker<'a>,
    options: &'a Options,
) -> Result<Box<dyn GameProblems + 'a>, ProofError> {
    let unknown = || EngineError::Variant(options.variant.to_string());
    with_game!(options.variant, |P, variant| begin::<P>(checker, options, variant))
        .ok_or_else(unknown)?
}

fn begin<'a, P: Game>(
    checker: &'a Checker<'a>,
    options: &'a Options,
    variant: &'static Variant,
) -> Result<Box<dyn GameProblems + 'a>, ProofError> {
    let start: P = read_setup(variant.start, options)?;
    let finder = Finder::new(checker, options, variant);
    Ok(Box::new(Games { finder, start, variant }))
}

struct Games<'a, P: Game> {
    finder: Finder<'a, P>,
    start: P,
    variant: &'static Variant,
}

impl<P: Game> GameProblems for Games<'_, P> {
    fn of_seed(&self, seed: u64) -> FoundProblem {
        let table = new_table().map_err(|error| error.to_string())?;
        let positions = self.play(seed, &table);
        self.first_problem(&format!("seed {seed}"), None, &positions, &table)
    }

    fn of_record(&self, record: &Record, name: &str, place: &str) -> FoundProblem {
        let table = new_table().map_err(|error| error.to_string())?;
        if record.variant() != self.variant.name {
            return Err(format!(
                "{place}: a game of {}; --variant names the game to look through",
                record.variant()
            ));
        }
        let fault = record.rules_fault();
        let positions = self
            .positions(record)
            .map_err(|error| with_fault(format!("{place}: {error}"), fault.as_deref()))?;
        self.first_problem(name, fault.as_deref(), &positions, &table)
    }
}

impl<P: Game> Games<'_, P> {
    /// The positions of a game that may have been played under other rules. Problems of them are those
    /// of the usual rules.
    fn positions(&self, record: &Record) -> Result<Vec<P>, String> {
        let named = self.finder.checker.rules_of_problems(self.variant.name, &record.rules());
        let named = named.map_err(|error| error.to_string())?;
        let played = replay::<P>(record, rules_from(&|rule| named.rule(rule)));
        let played = played.map_err(|error| error.to_string())?;
        let usual = |position: &P| read_setup(&position.write_setup(), self.finder.options);
        let usual = played.iter().map(usual).collect::<Result<_, _>>();
        usual.map_err(|error: EngineError| error.to_string())
    }

    /// The positions of a game of the engine against itself. The same seed always gives the same game.
    fn play(&self, seed: u64, table: &SearchMemory) -> Vec<P> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = GameHistory::new(self.start);
        play_random_moves(&mut game, RANDOM_PLIES, &mut random);
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

    /// The first sound problem among the positions of a game and those that are near. `table` has what the
    /// game left in it, and depends on the game alone.
    fn first_problem(
        &self,
        name: &str,
        rules_fault: Option<&str>,
        positions: &[P],
        table: &SearchMemory,
    ) -> FoundProblem {
        let mut seen: HashSet<FeatureBits> = HashSet::new();
        for (ply, game_position) in positions.iter().enumerate() {
            for position in self.finder.scout().near(game_position) {
                if !seen.insert(symmetric(&position)) {
                    continue;
                }
                let source = with_fault(format!("{name}, ply {ply}"), rules_fault);
                let found = self.finder.find(&position, source, table);
                if let Some(problem) = found.map_err(|error| format!("{name}: {error}"))? {
                    return Ok(Some(problem));
                }
            }
        }
        Ok(None)
    }
}

/// A game of others, in which problems are looked for.
pub struct CheckedGame<'a> {
    pub variant: &'a str,
    pub rules: &'a [RuleSetting],
    /// The setup, if the game does not begin with the start position of the variant.
    pub setup: Option<&'a str>,
    pub moves: Vec<&'a str>,
    /// The plies to look at, counted from 0, with the names of their positions.
    pub plies: Vec<(usize, String)>,
}

pub struct ProblemRecord {
    /// The same for all positions that differ by a symmetry of the board.
    pub id: String,
    pub format: RecordFormat,
    /// The record with the solution, as text of that format.
    pub text: String,
}

impl CheckedGame<'_> {
    /// The sound problems among the positions of the plies.
    pub fn problems(&self, checker: &Checker) -> Result<Vec<ProblemRecord>, ProofError> {
        let options = checker.rules_of_problems(self.variant, self.rules)?;
        let unknown = || EngineError::Variant(self.variant.to_string());
        with_game!(self.variant, |P, variant| find::<P>(self, checker, &options, variant))
            .ok_or_else(unknown)?
    }
}

fn find<P: Game>(
    game: &CheckedGame,
    checker: &Checker,
    options: &Options,
    variant: &'static Variant,
) -> Result<Vec<ProblemRecord>, ProofError> {
    let mut position: P = read_setup(game.setup.unwrap_or(variant.start), options)?;
    let mut finder = Finder::<P>::new(checker, options, variant);
    // A player missed it.
    finder.may_be_trivial = true;
    let asked = Options::of(Some(variant.name), checker.options, Scope::Rule)?;
    let table = new_table()?;
    let mut found = Vec::new();
    let mut plies = game.plies.iter().peekable();
    for (ply, mv) in game.moves.iter().enumerate() {
        if let Some((_, name)) = plies.next_if(|(at, _)| *at == ply)
            && let Some(problem) = finder.find(&position, name.clone(), &table)?
        {
            let record = problem.record(&asked, checker.nodes)?;
            found.push(ProblemRecord {
                id: problem.id,
                format: record.format(),
                text: record.to_string(),
            });
        }
        let mv = position.read_move(mv);
        position = position.play(mv.map_err(|error| ProofError::Other(error.to_string()))?);
    }
    Ok(found)
}
