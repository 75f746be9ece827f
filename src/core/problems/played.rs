//! Finds the problems of a game at plies that are known to be of interest.

use super::candidate::new_table;
use super::check::Checker;
use super::finder::Finder;
use crate::engine::{EngineError, read_setup};
use crate::game::{Game, RuleSetting, Variant};
use crate::options::{Options, Scope};
use crate::proofs::ProofError;
use crate::records::RecordFormat;
use crate::with_game;

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
