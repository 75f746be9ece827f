//! `soucie verify`: checks a proof with the rules of the game, and the endgame tables that it names,
//! independently of the solver.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Write};
use std::path::Path;

use super::file::{Answer, Proof, win};
use crate::engine::session::rules_from;
use crate::engine::{EngineError, Tablebases};
use crate::files::paths::{Endpoint, check_distinct};
use crate::files::regular;
use crate::game::{
    Game, MoveFormat, Outcome, Rules, Side, Tablebase, TablebaseValue, Variant, legal_moves,
    outcome,
};
use crate::games::{self, GameVisitor};
use crate::options::{Options, Scope, scope};
use crate::tools::error::ToolError;
use crate::tools::words::plural;

/// Returns the error of a claim that does not hold.
fn wrong<T>(why: String) -> Result<T, ToolError> {
    Err(ToolError::Other(why))
}

/// Reads and verifies a proof file, with the endgame tables of a folder if it needs them, and writes
/// what it proves.
///
/// A proof that does not hold is an error.
pub fn run(path: &Path, tables: Option<&Path>, output: &mut impl Write) -> io::Result<()> {
    let named =
        |why: &dyn std::fmt::Display| io::Error::other(format!("{}: {why}", path.display()));
    check_distinct([Endpoint::File(path.into())], None).map_err(io::Error::other)?;
    let file = regular::open(path).map_err(|error| named(&error))?;
    let proof = Proof::read(BufReader::new(file)).map_err(|error| named(&error))?;
    let tables = match tables {
        Some(folder) => Tablebases::open(folder).map_err(io::Error::other)?.0,
        None => Tablebases::default(),
    };
    verify(&proof, &tables).map_err(|fault| named(&fault))?;
    let (plies, positions) = (proof.plies, proof.answers.len());
    let (plies, positions) =
        (plural(plies, "ply", "plies"), plural(positions, "position", "positions"));
    writeln!(output, "verified: {} {plies}, {positions}", win(proof.tables.is_some()))
}

/// Verifies a proof with the rules of the game, and the endgame tables if it needs them.
pub fn verify(proof: &Proof, tables: &Tablebases) -> Result<(), ToolError> {
    let mut options = Options::of_variant(Some(&proof.variant))?;
    for (name, value) in &proof.options {
        if scope(name) != Some(Scope::Rule) {
            return wrong(format!("'{name}' is not a rule option of this game"));
        }
        options.set(name, Some(value))?;
    }
    let unknown = || EngineError::Variant(proof.variant.clone());
    let check = ProofCheck { proof, options: &options, tables };
    games::open(options.variant, check).ok_or_else(unknown)?
}

struct ProofCheck<'a> {
    proof: &'a Proof,
    options: &'a Options,
    tables: &'a Tablebases,
}

impl GameVisitor for ProofCheck<'_> {
    type Output = Result<(), ToolError>;

    fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
        let Self { proof, options, tables } = self;
        for rule in P::Rules::OPTIONS {
            let same = |(name, _): &&(String, String)| name == rule.name;
            if proof.options.iter().filter(same).count() != 1 {
                return wrong(format!("expected the rule option '{}' once", rule.name));
            }
        }
        let rules = P::Rules::OPTIONS;
        if let Some((name, _)) =
            proof.options.iter().find(|(name, _)| rules.iter().all(|rule| rule.name != name))
        {
            return wrong(format!("'{name}' is not a rule option of this game"));
        }
        let rules: P::Rules = rules_from(&|rule| options.rule(rule));
        let start = P::read_setup(&proof.setup, rules)
            .map_err(|error| EngineError::Setup(Box::new(error)))?;
        if start.write_setup() != proof.setup {
            return wrong(format!("setup '{}' is not in standard form", proof.setup));
        }
        if outcome(&start).is_some() {
            return wrong(format!("{}: the game is over", proof.setup));
        }
        let mut answers = HashMap::new();
        for answer in &proof.answers {
            if answers.insert(answer.setup.as_str(), answer).is_some() {
                return wrong(format!("{}: two answers", answer.setup));
            }
        }
        let tables = match &proof.tables {
            None => None,
            Some(needed) => {
                let tables = tables.of::<P>();
                let own = tables.as_ref().and_then(|tables| tables.identity());
                if own.as_ref() != Some(needed) {
                    let own = own.map_or("; --tables names their folder".to_string(), |own| {
                        format!(", not {own}")
                    });
                    return wrong(format!("the proof needs the endgame tables {needed}{own}"));
                }
                tables
            }
        };
        replay(start, &answers, proof, tables.as_deref())
    }
}

/// Plays every reply to every answer. The plies of the answers must decrease along each line, so
/// that every line ends and none repeats a position.
fn replay<P: Game>(
    start: P,
    answers: &HashMap<&str, &Answer>,
    proof: &Proof,
    tables: Option<&dyn Tablebase<P>>,
) -> Result<(), ToolError> {
    let winner = start.side();
    let answer = |position: &P| {
        let setup = position.write_setup();
        let answer = answers.get(setup.as_str()).copied();
        answer.ok_or_else(|| ToolError::Other(format!("{setup}: no answer")))
    };
    let first = answer(&start)?;
    check_plies(&proof.setup, first.plies, proof.plies)?;
    let (mut reached, mut seen) = (HashSet::new(), HashSet::new());
    let mut open = vec![(start, first)];
    while let Some((position, at)) = open.pop() {
        // Positions with the same setup can differ in a move counter, which the key includes.
        if !seen.insert((at.setup.as_str(), position.proof_key())) {
            continue;
        }
        reached.insert(at.setup.as_str());
        let plies = follow(position, at, winner, tables, |after| {
            let next = answer(&after)?;
            open.push((after, next));
            Ok(next.plies)
        })?;
        check_plies(&at.setup, plies, at.plies)?;
    }
    match proof.answers.iter().find(|answer| !reached.contains(answer.setup.as_str())) {
        Some(answer) => wrong(format!("{}: unreachable position", answer.setup)),
        None => Ok(()),
    }
}

/// Checks the number of plies that a win takes at most against the number in the file.
fn check_plies(setup: &str, plies: u32, stated: u32) -> Result<(), ToolError> {
    if plies == stated {
        return Ok(());
    }
    let plies = plural(plies, "ply", "plies");
    wrong(format!("{setup}: the win takes {plies} at most, not {stated}"))
}

/// Plays an answer and all replies to it. Returns the maximum number of plies until the win, or until
/// the endgame tables.
///
/// `go_on` returns the plies of the answer to the position after a reply.
fn follow<P: Game>(
    position: P,
    answer: &Answer,
    winner: Side,
    tables: Option<&dyn Tablebase<P>>,
    mut go_on: impl FnMut(P) -> Result<u32, ToolError>,
) -> Result<u32, ToolError> {
    let Answer { setup, mv: text, .. } = answer;
    let mv = position
        .read_move(text)
        .map_err(|error| ToolError::Other(format!("{setup}: illegal answer {text}: {error}")))?;
    let not_won = |line: &str, end: Outcome| {
        wrong(format!("{setup}: after {line} the game is not won, but {end}"))
    };
    let next = position.play(mv);
    if let Some(end) = outcome(&next) {
        return if end.winner == Some(winner) { Ok(1) } else { not_won(text, end) };
    }
    let by_tables = |position: &P, line: &str| match tables?.value(position)? {
        TablebaseValue::Won(_) if position.side() == winner => Some(Ok(())),
        TablebaseValue::Lost(_) if position.side() != winner => Some(Ok(())),
        _ => {
            Some(wrong(format!("{setup}: after {line} the game is not won by the endgame tables")))
        }
    };
    if let Some(checked) = by_tables(&next, text) {
        return checked.map(|()| 1);
    }
    let mut longest = 0;
    for reply in legal_moves(&next) {
        let after = next.play(reply);
        let line = || format!("{text} {}", next.write_move(reply, MoveFormat::Coordinate));
        match outcome(&after) {
            Some(end) if end.winner == Some(winner) => {}
            Some(end) => return not_won(&line(), end),
            None => {
                if let Some(checked) = by_tables(&after, &line()) {
                    checked?;
                    continue;
                }
                let plies = go_on(after)?;
                if plies >= answer.plies {
                    let line = line();
                    return wrong(format!(
                        "{setup}: after {line} the win is no nearer than before"
                    ));
                }
                longest = longest.max(plies);
            }
        }
    }
    Ok(longest + 2)
}
