//! `soucie verify`: whether a proof is one, by the rules of the game alone.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Write};
use std::path::Path;

use thiserror::Error;

use super::file::{Answer, FileError, Proof};
use crate::engine::EngineError;
use crate::engine::session::rules_from;
use crate::files::paths::{Endpoint, check_distinct};
use crate::files::regular;
use crate::game::{MoveFormat, Position, Rules, Side, Variant, legal_moves, outcome};
use crate::games::{self, GameVisitor};
use crate::options::{OptionError, Options};
use crate::tools::words::plural;

/// Why a file proves nothing.
#[derive(Debug, Error)]
pub enum Fault {
    /// It is no such file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A wrong option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A setup that is none.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The rules are not said completely.
    #[error("the rule option '{0}' must be there once")]
    Rule(&'static str),
    /// An option that is no rule of this game.
    #[error("'{0}' is no rule option of this game")]
    NoRule(String),
    /// Nothing is left to be won.
    #[error("{0}: the game is over")]
    Over(String),
    /// A setup in other words than those of the program.
    #[error("'{0}' is not how this setup is written")]
    Written(String),
    /// Two answers for one position.
    #[error("{0}: there are two answers")]
    Twice(String),
    /// No answer for a position that can come about.
    #[error("{0}: there is no answer")]
    Unanswered(String),
    /// An answer for a position that does not come about.
    #[error("{0}: this position does not come about")]
    Unreached(String),
    /// A move that is none.
    #[error("{setup}: the answer {mv} is no move: {why}")]
    Move {
        /// The position.
        setup: String,
        /// The answer.
        mv: String,
        /// What is wrong with it.
        why: String,
    },
    /// The game ends in another way.
    #[error("{setup}: after {line} the game is not won, but {end}")]
    NotWon {
        /// The position.
        setup: String,
        /// The answer, and the reply to it if there is one.
        line: String,
        /// How it ends.
        end: String,
    },
    /// The win comes no nearer.
    #[error("{setup}: after {line} the win is no nearer than before")]
    NoNearer {
        /// The position.
        setup: String,
        /// The answer and the reply.
        line: String,
    },
    /// Another number of plies than it says.
    #[error("{setup}: the win takes {} at most, not {said}", plural(*plies, "ply", "plies"))]
    Plies {
        /// The position.
        setup: String,
        /// As many as it takes.
        plies: u32,
        /// As many as the file says.
        said: u32,
    },
}

/// Reads a file and says what it proves, or what is wrong with it.
pub fn run(path: &Path, output: &mut impl Write) -> io::Result<()> {
    let named =
        |why: &dyn std::fmt::Display| io::Error::other(format!("{}: {why}", path.display()));
    check_distinct([Endpoint::File(path.into())], None).map_err(io::Error::other)?;
    let file = regular::open(path).map_err(|error| named(&error))?;
    let proof = Proof::read(BufReader::new(file)).map_err(|error| named(&error))?;
    verify(&proof).map_err(|fault| named(&fault))?;
    let (plies, positions) = (proof.plies, proof.answers.len());
    let (plies, positions) =
        (plural(plies, "ply", "plies"), plural(positions, "position", "positions"));
    writeln!(output, "verified: win in at most {plies}, {positions}")
}

/// Whether a proof holds.
pub fn verify(proof: &Proof) -> Result<(), Fault> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(&proof.variant))?;
    for (name, value) in &proof.options {
        if !Options::is_rule(name) {
            return Err(Fault::NoRule(name.clone()));
        }
        options.set(name, Some(value))?;
    }
    let unknown = || Fault::Engine(EngineError::Variant(proof.variant.clone()));
    games::open(options.variant, Check { proof, options: &options }).ok_or_else(unknown)?
}

struct Check<'a> {
    proof: &'a Proof,
    options: &'a Options,
}

impl GameVisitor for Check<'_> {
    type Output = Result<(), Fault>;

    fn visit<P: Position>(self, _: &'static Variant) -> Self::Output {
        let Self { proof, options } = self;
        for rule in P::Rules::OPTIONS {
            let same = |(name, _): &&(String, String)| name == rule.name;
            if proof.options.iter().filter(same).count() != 1 {
                return Err(Fault::Rule(rule.name));
            }
        }
        let rules = P::Rules::OPTIONS;
        if let Some((name, _)) =
            proof.options.iter().find(|(name, _)| rules.iter().all(|rule| rule.name != name))
        {
            return Err(Fault::NoRule(name.clone()));
        }
        let rules: P::Rules = rules_from(&|rule| options.rule(rule));
        let start = P::read_setup(&proof.setup, rules)
            .map_err(|error| EngineError::Setup(Box::new(error)))?;
        if start.write_setup() != proof.setup {
            return Err(Fault::Written(proof.setup.clone()));
        }
        if outcome(&start).is_some() {
            return Err(Fault::Over(proof.setup.clone()));
        }
        let mut answers = HashMap::new();
        for answer in &proof.answers {
            if answers.insert(answer.setup.as_str(), answer).is_some() {
                return Err(Fault::Twice(answer.setup.clone()));
            }
        }
        replay(start, &answers, proof)
    }
}

/// Plays every reply to every answer. Each position that follows says fewer plies than the one
/// before, so that no line goes in circles and all come to an end.
fn replay<P: Position>(
    start: P,
    answers: &HashMap<&str, &Answer>,
    proof: &Proof,
) -> Result<(), Fault> {
    let winner = start.side();
    let answer = |position: &P| {
        let setup = position.write_setup();
        answers.get(setup.as_str()).copied().ok_or(Fault::Unanswered(setup))
    };
    let first = answer(&start)?;
    if first.plies != proof.plies {
        let (plies, said) = (first.plies, proof.plies);
        return Err(Fault::Plies { setup: proof.setup.clone(), plies, said });
    }
    let (mut reached, mut seen) = (HashSet::new(), HashSet::new());
    let mut open = vec![(start, first)];
    while let Some((position, at)) = open.pop() {
        // A count of moves may differ where nothing else does.
        if !seen.insert((at.setup.as_str(), position.proof_key())) {
            continue;
        }
        reached.insert(at.setup.as_str());
        let plies = follow(position, at, winner, |after| {
            let next = answer(&after)?;
            open.push((after, next));
            Ok(next.plies)
        })?;
        if plies != at.plies {
            return Err(Fault::Plies { setup: at.setup.clone(), plies, said: at.plies });
        }
    }
    match proof.answers.iter().find(|answer| !reached.contains(answer.setup.as_str())) {
        Some(answer) => Err(Fault::Unreached(answer.setup.clone())),
        None => Ok(()),
    }
}

/// Plays an answer and all replies to it: the plies until the last of them has lost. `go_on` says
/// how many there are behind a reply.
fn follow<P: Position>(
    position: P,
    answer: &Answer,
    winner: Side,
    mut go_on: impl FnMut(P) -> Result<u32, Fault>,
) -> Result<u32, Fault> {
    let setup = || answer.setup.clone();
    let mv = position.read_move(&answer.mv).map_err(|error| Fault::Move {
        setup: setup(),
        mv: answer.mv.clone(),
        why: error.to_string(),
    })?;
    let next = position.play(mv);
    if let Some(end) = outcome(&next) {
        return match end.winner {
            Some(side) if side == winner => Ok(1),
            _ => {
                Err(Fault::NotWon { setup: setup(), line: answer.mv.clone(), end: end.to_string() })
            }
        };
    }
    let mut longest = 0;
    for reply in legal_moves(&next) {
        let after = next.play(reply);
        let line = || format!("{} {}", answer.mv, next.write_move(reply, MoveFormat::Coordinate));
        match outcome(&after) {
            Some(end) if end.winner == Some(winner) => {}
            Some(end) => {
                return Err(Fault::NotWon { setup: setup(), line: line(), end: end.to_string() });
            }
            None => {
                let plies = go_on(after)?;
                if plies >= answer.plies {
                    return Err(Fault::NoNearer { setup: setup(), line: line() });
                }
                longest = longest.max(plies);
            }
        }
    }
    Ok(longest + 2)
}
