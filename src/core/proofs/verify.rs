//! Checks a proof with the rules of the game, and the endgame tables that it names, independently of the
//! solver.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use super::file::{Answer, Proof, ProofClaim};
use crate::engine::{EngineError, read_setup};
use crate::files::printable::plural;
use crate::game::{
    EndReason, Game, GameHistory, MoveFormat, MoveList, Outcome, Rules, Side, Tablebase,
    drawn_if_repeated, legal_moves, outcome, tablebase_in_game,
};
use crate::games::Tablebases;
use crate::options::{Options, Scope, scope};
use crate::proofs::ProofError;
use crate::with_game;

/// Returns the error of a claim that does not hold.
fn wrong<T>(why: String) -> Result<T, ProofError> {
    Err(ProofError::Other(why))
}

/// Verifies a proof with the rules of the game, and the endgame tables if it needs them.
pub fn verify(proof: &Proof, tables: &Tablebases) -> Result<(), ProofError> {
    verify_with(proof, tables, None)
}

/// Verifies a proof. `folder` is the one in which the endgame tables were looked for.
pub fn verify_with(
    proof: &Proof,
    tables: &Tablebases,
    folder: Option<&Path>,
) -> Result<(), ProofError> {
    let mut options = Options::of_variant(Some(&proof.variant))?;
    for (name, value) in &proof.options {
        if scope(name) != Some(Scope::Rule) {
            return wrong(format!("'{name}' is not a rule option of this game"));
        }
        options.set(name, Some(value))?;
    }
    let unknown = || EngineError::Variant(proof.variant.clone());
    with_game!(options.variant, |P, _variant| verify_game::<P>(proof, &options, tables, folder))
        .ok_or_else(unknown)?
}

fn verify_game<P: Game>(
    proof: &Proof,
    options: &Options,
    tables: &Tablebases,
    folder: Option<&Path>,
) -> Result<(), ProofError> {
    for rule in P::Rules::OPTIONS {
        let same = |(name, _): &&(String, String)| name == rule.name;
        if proof.options.iter().filter(same).count() != 1 {
            return wrong(format!("expected the rule option '{}' once", rule.name));
        }
    }
    let is_rule = |name: &str| P::Rules::OPTIONS.iter().any(|rule| rule.name == name);
    if let Some((name, _)) = proof.options.iter().find(|(name, _)| !is_rule(name)) {
        return wrong(format!("'{name}' is not a rule option of this game"));
    }
    let start: P = read_setup(&proof.setup, options)?;
    if start.write_setup() != proof.setup {
        return wrong(format!("setup '{}' is not in standard form", proof.setup));
    }
    let mut game = GameHistory::new(start);
    let is_over = |game: &GameHistory<P>| match game.outcome() {
        Some(_) => wrong(format!("{}: the game is over", written(game))),
        None => Ok(()),
    };
    for text in &proof.moves {
        is_over(&game)?;
        let illegal = |error| ProofError::Other(format!("{}: {text}: {error}", written(&game)));
        let mv = game.position().read_move(text).map_err(illegal)?;
        game.play(mv);
    }
    is_over(&game)?;
    let mut answers = HashMap::new();
    for answer in &proof.answers {
        if answers.insert(answer.setup.as_str(), answer).is_some() {
            return wrong(format!("{}: two answers", answer.setup));
        }
    }
    let tables = match &proof.tables {
        None => None,
        Some(needed) => {
            // There may be more tables. The proof holds by those that it names.
            let named = tables.named(needed).and_then(|tables| tables.of::<P>());
            if named.is_none() {
                let all = tables.of::<P>().and_then(|tables| tables.identity());
                let found = match (all, folder.map(Path::display)) {
                    (Some(all), Some(folder)) => format!(", not {all} of {folder}"),
                    (Some(all), None) => format!(", not {all}"),
                    (None, Some(folder)) => format!(", and {folder} has none for this game"),
                    (None, None) => String::new(),
                };
                return wrong(format!(
                    "the proof needs the endgame tables {needed}{found}; --tables names their folder"
                ));
            }
            named
        }
    };
    let (start, ends) = (*game.position(), GameEnds::after(&game, tables));
    let reached = match proof.claim {
        ProofClaim::Win { plies } => replay_win(start, &answers, plies, &ends),
        ProofClaim::Loss { plies } => replay_loss(start, &answers, plies, &ends),
        ProofClaim::NoWin { attacker, plies } => {
            replay_defence(start, &answers, attacker, plies, &ends)
        }
    }?;
    match proof.answers.iter().find(|answer| !reached.contains(answer.setup.as_str())) {
        Some(answer) => wrong(format!("{}: unreachable position", answer.setup)),
        None => Ok(()),
    }
}

fn written<P: Game>(game: &GameHistory<P>) -> String {
    game.position().write_setup()
}

/// What ends lines of play after a game.
struct GameEnds<P> {
    /// The keys of the positions that have occurred so often that the next occurrence is a draw.
    drawn_if_repeated: HashSet<u64>,
    tables: Option<Arc<dyn Tablebase<P>>>,
}

impl<P: Game> GameEnds<P> {
    fn after(game: &GameHistory<P>, tables: Option<Arc<dyn Tablebase<P>>>) -> Self {
        let (last, earlier) = (game.position(), game.earlier());
        Self {
            drawn_if_repeated: drawn_if_repeated(last, earlier).iter().map(P::key).collect(),
            tables: tables.map(|tables| tablebase_in_game(tables, last, earlier)),
        }
    }

    fn outcome(&self, position: &P) -> Option<Outcome> {
        const REPEATED: EndReason = EndReason { code: "repetition", text: "repetition" };
        let is_drawn = || self.drawn_if_repeated.contains(&position.key());
        outcome(position).or_else(|| is_drawn().then(|| Outcome::drawn(&REPEATED)))
    }

    /// Whether a side wins by the endgame tables; `None` if they do not have the position.
    fn can_win(&self, position: &P, side: Side) -> Option<bool> {
        self.tables.as_ref()?.can_win(position, side)
    }
}

type Answers<'a> = HashMap<&'a str, &'a Answer>;

fn answer_to<'a, P: Game>(position: &P, answers: &Answers<'a>) -> Result<&'a Answer, ProofError> {
    let setup = position.write_setup();
    let answer = answers.get(setup.as_str()).copied();
    answer.ok_or_else(|| ProofError::Other(format!("{setup}: no answer")))
}

fn read_answer<P: Game>(
    position: &P,
    Answer { setup, mv, .. }: &Answer,
) -> Result<P::Move, ProofError> {
    let illegal = |error| ProofError::Other(format!("{setup}: illegal answer {mv}: {error}"));
    position.read_move(mv).map_err(illegal)
}

/// Plays every reply to every answer, up to the end of the game, of the plies, or without such a limit to
/// the endgame tables, and checks that none leads to a win of `attacker`. Returns the setups reached.
fn replay_defence<'a, P: Game>(
    start: P,
    answers: &Answers<'a>,
    attacker: Side,
    plies: Option<u32>,
    ends: &GameEnds<P>,
) -> Result<HashSet<&'a str>, ProofError> {
    let lost = |position: &P, why: &str| {
        wrong(format!("{}: {attacker} has won by the {why}", position.write_setup()))
    };
    let mut reached = HashSet::new();
    // The plies left when a position was reached. Positions with the same setup can differ in a move
    // counter, which the key includes.
    let mut seen: HashMap<(String, u64), Option<u32>> = HashMap::new();
    let mut open = VecDeque::from([(start, plies)]);
    while let Some((position, left)) = open.pop_front() {
        if plies.is_none()
            && let Some(is_won) = ends.can_win(&position, attacker)
        {
            if is_won {
                return lost(&position, "endgame tables");
            }
            continue;
        }
        let key = (position.write_setup(), position.proof_key());
        if left == Some(0) || seen.get(&key).is_some_and(|&before| before >= left) {
            continue;
        }
        seen.insert(key, left);
        let mut moves = legal_moves(&position);
        if position.side() != attacker {
            let answer = answer_to(&position, answers)?;
            let left = left.unwrap_or(0);
            // The first visit leaves the most plies.
            if reached.insert(answer.setup.as_str()) && answer.plies != left {
                let setup = &answer.setup;
                return wrong(format!("{setup}: {left} plies are left, not {}", answer.plies));
            }
            moves = MoveList::from_iter([read_answer(&position, answer)?]);
        }
        for next in moves.into_iter().map(|mv| position.play(mv)) {
            match ends.outcome(&next) {
                Some(end) if end.winner == Some(attacker) => return lost(&next, "rules"),
                Some(_) => {}
                None => open.push_back((next, left.map(|left| left - 1))),
            }
        }
    }
    Ok(reached)
}

/// Verifies a win of the side to move. Returns the setups reached.
fn replay_win<'a, P: Game>(
    start: P,
    answers: &Answers<'a>,
    plies: u32,
    ends: &GameEnds<P>,
) -> Result<HashSet<&'a str>, ProofError> {
    let first = answer_to(&start, answers)?;
    check_plies(&first.setup, first.plies, plies)?;
    replay(vec![(start, first)], start.side(), answers, ends)
}

/// Verifies a loss of the side to move: the other side wins after every move. Returns the setups
/// reached.
fn replay_loss<'a, P: Game>(
    start: P,
    answers: &Answers<'a>,
    plies: u32,
    ends: &GameEnds<P>,
) -> Result<HashSet<&'a str>, ProofError> {
    let winner = !start.side();
    let setup = start.write_setup();
    if let Some(checked) = by_tables(&start, winner, ends, &setup) {
        checked?;
        check_plies(&setup, 0, plies)?;
        return Ok(HashSet::new());
    }
    let mut open = Vec::new();
    let longest = longest_reply(&start, winner, ends, &format!("{setup}: after"), |after, _| {
        let answer = answer_to(&after, answers)?;
        open.push((after, answer));
        Ok(answer.plies)
    })?;
    check_plies(&setup, longest + 1, plies)?;
    replay(open, winner, answers, ends)
}

/// Whether the game is won after `line`, by the rules or the endgame tables; `None` if it goes on.
fn ended<P: Game>(
    position: &P,
    winner: Side,
    ends: &GameEnds<P>,
    line: &str,
) -> Option<Result<(), ProofError>> {
    match ends.outcome(position) {
        Some(end) if end.winner == Some(winner) => Some(Ok(())),
        Some(end) => Some(wrong(format!("{line} the game is not won, but {end}"))),
        None => by_tables(position, winner, ends, line),
    }
}

/// Whether the endgame tables give a position to the winner; `None` if they do not have it.
fn by_tables<P: Game>(
    position: &P,
    winner: Side,
    ends: &GameEnds<P>,
    line: &str,
) -> Option<Result<(), ProofError>> {
    Some(match ends.can_win(position, winner)? {
        true => Ok(()),
        false => wrong(format!("{line} the game is not won by the endgame tables")),
    })
}

/// Plays every reply to every answer. The plies of the answers must decrease along each line, so
/// that every line ends and none repeats a position. Returns the setups reached.
fn replay<'a, P: Game>(
    mut open: Vec<(P, &'a Answer)>,
    winner: Side,
    answers: &Answers<'a>,
    ends: &GameEnds<P>,
) -> Result<HashSet<&'a str>, ProofError> {
    let (mut reached, mut seen) = (HashSet::new(), HashSet::new());
    while let Some((position, at)) = open.pop() {
        // Positions with the same setup can differ in a move counter, which the key includes.
        if !seen.insert((at.setup.as_str(), position.proof_key())) {
            continue;
        }
        reached.insert(at.setup.as_str());
        let has_counters = position.move_counters().into_iter().any(|left| left.is_some());
        let next = position.play(read_answer(&position, at)?);
        let line = format!("{}: after {}", at.setup, at.mv);
        let plies = match ended(&next, winner, ends, &line) {
            Some(checked) => checked.map(|()| 1)?,
            None => {
                2 + longest_reply(&next, winner, ends, &line, |after, line| {
                    let answer = answer_to(&after, answers)?;
                    if answer.plies >= at.plies {
                        return wrong(format!("{line} the win is no nearer than before"));
                    }
                    open.push((after, answer));
                    Ok(answer.plies)
                })?
            }
        };
        // The more plies a counter leaves, the more positions of the tables end a line. The answer is for
        // the fewest that are left when its position is reached.
        if !(ends.tables.is_some() && has_counters && plies < at.plies) {
            check_plies(&at.setup, plies, at.plies)?;
        }
    }
    Ok(reached)
}

/// Checks the number of plies that a win takes at most against the number in the file.
fn check_plies(setup: &str, plies: u32, stated: u32) -> Result<(), ProofError> {
    if plies == stated {
        return Ok(());
    }
    let plies = plural(plies, "ply", "plies");
    wrong(format!("{setup}: the win takes {plies} at most, not {stated}"))
}

/// Plays all replies of the loser, and returns the maximum of what `go_on` returns for the positions after
/// them in which the game goes on.
fn longest_reply<P: Game>(
    position: &P,
    winner: Side,
    ends: &GameEnds<P>,
    before: &str,
    mut go_on: impl FnMut(P, &str) -> Result<u32, ProofError>,
) -> Result<u32, ProofError> {
    let mut longest = 0;
    for reply in legal_moves(position) {
        let after = position.play(reply);
        let line = format!("{before} {}", position.write_move(reply, MoveFormat::Coordinate));
        match ended(&after, winner, ends, &line) {
            Some(checked) => checked?,
            None => longest = longest.max(go_on(after, &line)?),
        }
    }
    Ok(longest)
}
