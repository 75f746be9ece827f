//! Finds the problems of games, which come from records or are played here, fast and badly: mistakes make
//! positions with one way out.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::candidate::{new_table, nodes};
use super::check::Checker;
use super::finder::{Finder, GeneratedProblem, symmetric};
use super::problem::with_fault;
use crate::engine::{EngineError, read_setup};
use crate::game::{FeatureBits, Game, GameHistory, Variant, rules_from};
use crate::options::Options;
use crate::proofs::ProofError;
use crate::random_openings::{RANDOM_PLIES, play_random_moves};
use crate::records::{Record, replay};
use crate::search::SearchMemory;
use crate::with_game;

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
