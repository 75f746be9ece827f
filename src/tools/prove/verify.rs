//! `soucie verify`: checks a proof with the rules of the game alone, independently of the solver.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Write};
use std::path::Path;

use thiserror::Error;

use super::file::{Answer, FileError, Proof};
use crate::engine::EngineError;
use crate::engine::session::rules_from;
use crate::files::paths::{Endpoint, check_distinct};
use crate::files::regular;
use crate::game::{Game, MoveFormat, Rules, Side, Variant, legal_moves, outcome};
use crate::games::{self, GameVisitor};
use crate::options::{OptionError, Options};
use crate::tools::words::plural;

/// The errors of a proof that does not hold.
#[derive(Debug, Error)]
pub enum ProofFault {
    /// An unreadable or malformed proof file.
    #[error(transparent)]
    File(#[from] FileError),
    /// An invalid option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// An invalid setup or variant.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A rule option that is missing or given twice.
    #[error("expected the rule option '{0}' once")]
    Rule(&'static str),
    /// An option that is not a rule of this game.
    #[error("'{0}' is not a rule option of this game")]
    NoRule(String),
    /// A setup in which the game is over.
    #[error("{0}: the game is over")]
    Over(String),
    /// A setup that is not in the form that the program writes.
    #[error("setup '{0}' is not in standard form")]
    Written(String),
    /// Two answers for the same position.
    #[error("{0}: two answers")]
    Twice(String),
    /// A reachable position without an answer.
    #[error("{0}: no answer")]
    Unanswered(String),
    /// An answer for an unreachable position.
    #[error("{0}: unreachable position")]
    Unreached(String),
    /// An illegal or unreadable move.
    #[error("{setup}: illegal answer {mv}: {why}")]
    Move {
        /// The position.
        setup: String,
        /// The answer.
        mv: String,
        /// The error of the move.
        why: String,
    },
    /// A line that ends the game without a win.
    #[error("{setup}: after {line} the game is not won, but {end}")]
    NotWon {
        /// The position.
        setup: String,
        /// The answer, followed by the reply to it, if any.
        line: String,
        /// The outcome of the game.
        end: String,
    },
    /// A line after which the win is not nearer than before.
    #[error("{setup}: after {line} the win is no nearer than before")]
    NoNearer {
        /// The position.
        setup: String,
        /// The answer and the reply.
        line: String,
    },
    /// A number of plies that differs from that in the file.
    #[error("{setup}: the win takes {} at most, not {stated}", plural(*plies, "ply", "plies"))]
    Plies {
        /// The position.
        setup: String,
        /// The actual number of plies.
        plies: u32,
        /// The number of plies in the file.
        stated: u32,
    },
}

/// Reads and verifies a proof file, and writes what it proves.
///
/// A proof that does not hold is an error.
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

/// Verifies a proof with the rules of the game.
pub fn verify(proof: &Proof) -> Result<(), ProofFault> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(&proof.variant))?;
    for (name, value) in &proof.options {
        if !Options::is_rule(name) {
            return Err(ProofFault::NoRule(name.clone()));
        }
        options.set(name, Some(value))?;
    }
    let unknown = || ProofFault::Engine(EngineError::Variant(proof.variant.clone()));
    games::open(options.variant, ProofCheck { proof, options: &options }).ok_or_else(unknown)?
}

struct ProofCheck<'a> {
    proof: &'a Proof,
    options: &'a Options,
}

impl GameVisitor for ProofCheck<'_> {
    type Output = Result<(), ProofFault>;

    fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
        let Self { proof, options } = self;
        for rule in P::Rules::OPTIONS {
            let same = |(name, _): &&(String, String)| name == rule.name;
            if proof.options.iter().filter(same).count() != 1 {
                return Err(ProofFault::Rule(rule.name));
            }
        }
        let rules = P::Rules::OPTIONS;
        if let Some((name, _)) =
            proof.options.iter().find(|(name, _)| rules.iter().all(|rule| rule.name != name))
        {
            return Err(ProofFault::NoRule(name.clone()));
        }
        let rules: P::Rules = rules_from(&|rule| options.rule(rule));
        let start = P::read_setup(&proof.setup, rules)
            .map_err(|error| EngineError::Setup(Box::new(error)))?;
        if start.write_setup() != proof.setup {
            return Err(ProofFault::Written(proof.setup.clone()));
        }
        if outcome(&start).is_some() {
            return Err(ProofFault::Over(proof.setup.clone()));
        }
        let mut answers = HashMap::new();
        for answer in &proof.answers {
            if answers.insert(answer.setup.as_str(), answer).is_some() {
                return Err(ProofFault::Twice(answer.setup.clone()));
            }
        }
        replay(start, &answers, proof)
    }
}

/// Plays every reply to every answer. The plies of the answers must decrease along each line, so
/// that every line ends and none repeats a position.
fn replay<P: Game>(
    start: P,
    answers: &HashMap<&str, &Answer>,
    proof: &Proof,
) -> Result<(), ProofFault> {
    let winner = start.side();
    let answer = |position: &P| {
        let setup = position.write_setup();
        answers.get(setup.as_str()).copied().ok_or(ProofFault::Unanswered(setup))
    };
    let first = answer(&start)?;
    if first.plies != proof.plies {
        let (plies, stated) = (first.plies, proof.plies);
        return Err(ProofFault::Plies { setup: proof.setup.clone(), plies, stated });
    }
    let (mut reached, mut seen) = (HashSet::new(), HashSet::new());
    let mut open = vec![(start, first)];
    while let Some((position, at)) = open.pop() {
        // Positions with the same setup can differ in a move counter, which the key includes.
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
            return Err(ProofFault::Plies { setup: at.setup.clone(), plies, stated: at.plies });
        }
    }
    match proof.answers.iter().find(|answer| !reached.contains(answer.setup.as_str())) {
        Some(answer) => Err(ProofFault::Unreached(answer.setup.clone())),
        None => Ok(()),
    }
}

/// Plays an answer and all replies to it. Returns the maximum number of plies until the win.
///
/// `go_on` returns the plies of the answer to the position after a reply.
fn follow<P: Game>(
    position: P,
    answer: &Answer,
    winner: Side,
    mut go_on: impl FnMut(P) -> Result<u32, ProofFault>,
) -> Result<u32, ProofFault> {
    let setup = || answer.setup.clone();
    let mv = position.read_move(&answer.mv).map_err(|error| ProofFault::Move {
        setup: setup(),
        mv: answer.mv.clone(),
        why: error.to_string(),
    })?;
    let next = position.play(mv);
    if let Some(end) = outcome(&next) {
        return match end.winner {
            Some(side) if side == winner => Ok(1),
            _ => Err(ProofFault::NotWon {
                setup: setup(),
                line: answer.mv.clone(),
                end: end.to_string(),
            }),
        };
    }
    let mut longest = 0;
    for reply in legal_moves(&next) {
        let after = next.play(reply);
        let line = || format!("{} {}", answer.mv, next.write_move(reply, MoveFormat::Coordinate));
        match outcome(&after) {
            Some(end) if end.winner == Some(winner) => {}
            Some(end) => {
                return Err(ProofFault::NotWon {
                    setup: setup(),
                    line: line(),
                    end: end.to_string(),
                });
            }
            None => {
                let plies = go_on(after)?;
                if plies >= answer.plies {
                    return Err(ProofFault::NoNearer { setup: setup(), line: line() });
                }
                longest = longest.max(plies);
            }
        }
    }
    Ok(longest + 2)
}
