//! Judges the moves of a problem and of its solutions.

use std::collections::HashSet;
use std::iter;
use std::path::Path;

use super::problem::{Problem, Terms};
use super::prover::{Claim, Proved, ProvedLine, Prover};
use super::report::{
    DefenceVariation, Dual, MoveReport, MoveResult, ProblemReport, Solution, Source,
};
use crate::files::atomic_file::AtomicFile;
use crate::game::{Game, GameHistory, MoveFormat, distinct_moves, legal_moves, listed_move};
use crate::proofs::ProofError;
use crate::proofs::file::Proof;

/// The published solution, as moves.
pub fn recorded_line<P: Game>(root: &P, problem: &Problem) -> Result<ProvedLine<P>, ProofError> {
    let mut position = *root;
    let mut read = |text: &String| {
        let mv = read(&position, text)?;
        position = position.play(mv);
        Ok(mv)
    };
    let moves = problem.solution.iter().map(&mut read).collect::<Result<_, ProofError>>()?;
    Ok(ProvedLine::of(moves))
}

/// Reads a move, as the first moves are listed.
pub fn read<P: Game>(position: &P, text: &str) -> Result<P::Move, ProofError> {
    let illegal = |error| ProofError::Other(format!("{text}: {error}"));
    position.read_move(text).map(|mv| listed_move(position, mv)).map_err(illegal)
}

/// A move in the notation of the reports.
pub fn standard<P: Game>(position: &P, mv: P::Move) -> String {
    position.write_move(mv, MoveFormat::Standard)
}

pub struct ProofFiles<'a> {
    /// The folder; `None` if they are not wanted.
    pub folder: Option<&'a Path>,
    /// How their names begin.
    pub name: &'a str,
    pub count: usize,
}

impl ProofFiles<'_> {
    /// Writes a proof about a move. Returns the name of its file.
    fn write(&mut self, proof: &Proof, mv: &str) -> Result<Option<String>, ProofError> {
        let Some(folder) = self.folder else { return Ok(None) };
        self.count += 1;
        let name = format!("{}-{:02}-{mv}.proof", self.name, self.count);
        let mut file = AtomicFile::begin(&folder.join(&name))?;
        proof.write(&mut file)?;
        file.finish()?;
        Ok(Some(name))
    }
}

/// Judges moves of the side that is to reach the result.
pub struct MoveJudge<'a, P: Game> {
    pub terms: Terms,
    /// The prover of wins, of the side that the terms allow or deny one.
    pub prover: Prover<'a, P>,
    pub proofs: ProofFiles<'a>,
    /// Whether to end as soon as the problem cannot be sound.
    pub must_be_sound: bool,
    /// The keys of the positions whose duals were looked for.
    pub seen: HashSet<u64>,
}

impl<P: Game> MoveJudge<'_, P> {
    /// Judges a move after a game that begins with the problem. Also returns the line of play of a proved win,
    /// from the move on.
    fn judge_move(
        &mut self,
        game: &GameHistory<P>,
        mv: P::Move,
    ) -> Result<(MoveReport, ProvedLine<P>), ProofError> {
        let mut after = game.clone();
        after.play(mv);
        let next = *after.position();
        let mv_text = standard(game.position(), mv);
        let mut report = MoveReport { mv: mv_text, ..MoveReport::default() };
        let result = |is_won| {
            let keeps = is_won != (self.terms == Terms::Draw);
            if keeps { MoveResult::Keeps } else { MoveResult::Fails }
        };
        if let Some(end) = after.outcome() {
            report.result = result(end.winner == Some(self.prover.attacker()));
            report.by = Some(Source::Rules);
            return Ok((report, ProvedLine::of(vec![mv])));
        }
        let before = self.prover.expansions();
        let is_attack = self.terms.is_win();
        let plies = self.terms.plies().map(|plies| plies.saturating_sub(game.plies() as u32));
        let proved = match is_attack {
            true => self.prover.prove(game, Claim::WinBy(mv, plies))?,
            false => self.prover.prove(&after, Claim::Win(None))?,
        };
        report.expansions = self.prover.expansions() - before;
        let by = if self.prover.is_known(&next) { Source::Tables } else { Source::Proof };
        let (proof, line) = match proved {
            Proved::Open => return Ok((report, ProvedLine::of(Vec::new()))),
            Proved::Won(strategy, proof) => {
                report.result = result(true);
                report.plies = Some(strategy.plies());
                report.uses_tables = strategy.uses_tables();
                let line = strategy.line();
                if self.terms == Terms::Draw {
                    report.refutation = line.first().map(|&mv| standard(&next, mv));
                }
                let line = match is_attack {
                    true => ProvedLine { moves: line, variations: strategy.variations() },
                    false => ProvedLine::of(iter::once(mv).chain(line).collect()),
                };
                (proof, line)
            }
            Proved::NotWon(defence, proof) => {
                report.result = result(false);
                report.uses_tables = defence.uses_tables;
                let reply = defence.answers.iter().find(|answer| answer.position == next);
                if is_attack {
                    report.refutation = reply.map(|answer| standard(&next, answer.mv));
                }
                (proof, ProvedLine::of(vec![mv]))
            }
        };
        report.by = Some(by);
        report.proof = self.proofs.write(&proof, &report.mv)?;
        Ok((report, line))
    }

    /// Judges all first moves. Also returns the solution: the line of the first key.
    pub fn first_moves(
        &mut self,
        root: &P,
    ) -> Result<(Vec<MoveReport>, ProvedLine<P>), ProofError> {
        let (mut reports, mut solution) = (Vec::new(), ProvedLine::of(Vec::new()));
        let mut has_key = false;
        for mv in distinct_moves(root, legal_moves(root)) {
            let (report, line) = self.judge_move(&GameHistory::new(*root), mv)?;
            if report.result == MoveResult::Keeps && solution.moves.is_empty() {
                solution = line;
            }
            let is_open = report.result == MoveResult::Open;
            let is_cook = report.result == MoveResult::Keeps && has_key;
            has_key |= report.result == MoveResult::Keeps;
            reports.push(report);
            if self.must_be_sound && (is_open || is_cook) {
                break;
            }
        }
        if self.terms.is_win() {
            // The reply to the last move does not matter: all are lost.
            if solution.moves.len() % 2 == 0 {
                solution.moves.pop();
            }
            self.prover.add_star_moves(root, &mut solution);
            solution.limit_variations();
        }
        Ok((reports, solution))
    }

    /// Follows a solution, and judges every move of the side that is to reach the result.
    pub fn follow(
        &mut self,
        root: &P,
        line: &ProvedLine<P>,
        is_recorded: bool,
        report: &mut ProblemReport,
    ) -> Result<(), ProofError> {
        let (moves, variations) = (Vec::new(), Vec::new());
        let mut solution = Solution { is_recorded, moves, variations, fails_at: None };
        let mut game = GameHistory::new(*root);
        for (ply, &mv) in line.moves.iter().enumerate() {
            let position = *game.position();
            let text = standard(&position, mv);
            // A loss has no moves to keep it, and a win that is limited none after its time.
            let in_time = self.terms.plies().is_none_or(|plies| ply < plies as usize);
            let is_wanted = self.terms != Terms::Loss && in_time && game.outcome().is_none();
            if position.side() == root.side() && is_wanted {
                let is_failing =
                    |first: &MoveReport| first.mv == text && first.result == MoveResult::Fails;
                let rest = line.moves.get(ply..).unwrap_or_default();
                let fails = match ply {
                    0 => report.moves.iter().any(is_failing),
                    _ => self.judge_later(&game, rest, &solution, report)?,
                };
                if fails {
                    solution.fails_at.get_or_insert(ply);
                }
            }
            if self.must_be_sound && report.duals.iter().any(|dual| !dual.is_minor) {
                return Ok(());
            }
            let variations = line.variations.iter().filter(|(at, _)| *at == ply);
            solution.variations.extend(variations.map(|&(_, [reply, mv])| {
                let moves = [standard(&position, reply), standard(&position.play(reply), mv)];
                DefenceVariation { ply, moves }
            }));
            solution.moves.push(text);
            game.play(mv);
        }
        report.solutions.push(solution);
        Ok(())
    }

    /// Judges the moves after a game, the moves of `solution`, where `rest` follows: its first move if it was
    /// published, and the others if they may be duals. Returns whether the first move of `rest` fails.
    fn judge_later(
        &mut self,
        game: &GameHistory<P>,
        rest: &[P::Move],
        solution: &Solution,
        report: &mut ProblemReport,
    ) -> Result<bool, ProofError> {
        let position = game.position();
        // The endgame tables hold what follows on a line that only leads to them.
        let is_over = !solution.is_recorded && self.prover.is_known(position);
        // Duals are no further fault of a problem that is cooked.
        let is_cooked = report.keys.len() > 1;
        let key = position.proof_key();
        let may_have_duals = !is_over && !is_cooked && !self.seen.contains(&key);
        if may_have_duals {
            self.seen.insert(key);
        }
        let mut fails = false;
        for mv in distinct_moves(position, legal_moves(position)) {
            let is_solution = rest.first() == Some(&mv);
            let is_wanted = if is_solution { solution.is_recorded } else { may_have_duals };
            if !is_wanted {
                continue;
            }
            let (judged, _) = self.judge_move(game, mv)?;
            if is_solution {
                fails = judged.result == MoveResult::Fails;
            } else if judged.result != MoveResult::Fails {
                let is_minor = is_minor(position, mv, rest);
                report.duals.push(Dual { after: solution.moves.clone(), report: judged, is_minor });
                if self.must_be_sound && !is_minor {
                    break;
                }
            }
        }
        Ok(fails)
    }
}

/// Whether a dual is no fault: the rest of the line, which begins with the right move, has no other
/// move of this side, or the dual leads to one of its positions by another order of moves.
fn is_minor<P: Game>(position: &P, dual: P::Move, line: &[P::Move]) -> bool {
    let [mv, reply, next, ..] = *line else { return true };
    let wanted = position.play(mv).play(reply).play(next);
    let after = position.play(dual);
    let lines = legal_moves(&after).into_iter().map(|reply| after.play(reply));
    lines.into_iter().any(|position| {
        legal_moves(&position).into_iter().any(|mv| position.play(mv).key() == wanted.key())
    })
}

/// Whether the side to move can reach more than the terms: a win where they are a draw, and a win in fewer
/// moves, the fewest that are proved, where they limit it. `None` if there is no more to reach.
pub fn better_result<P: Game>(
    root: &P,
    terms: Terms,
    prover: &mut Prover<P>,
    proofs: &mut ProofFiles,
) -> Result<Option<MoveReport>, ProofError> {
    let mut limit = match terms {
        Terms::Draw => None,
        Terms::WinIn(moves) if moves > 1 => Some(Terms::WinIn(moves - 1)),
        Terms::WinIn(_) | Terms::Win | Terms::Loss => return Ok(None),
    };
    let game = GameHistory::new(*root);
    let claim = |limit: Option<Terms>| Claim::Win(limit.and_then(Terms::plies));
    let mut proved = prover.prove(&game, claim(limit))?;
    while let (Proved::Won(strategy, _), Some(_)) = (&proved, limit) {
        limit = match Terms::moves_of(strategy.plies()) {
            moves if moves > 1 => Some(Terms::WinIn(moves - 1)),
            _ => break,
        };
        match prover.prove(&game, claim(limit))? {
            shorter @ Proved::Won(..) => proved = shorter,
            Proved::NotWon(..) | Proved::Open => break,
        }
    }
    let mut report = MoveReport { expansions: prover.expansions(), ..MoveReport::default() };
    let proof = match proved {
        Proved::Open => return Ok(Some(report)),
        Proved::Won(strategy, proof) => {
            report.result = MoveResult::Keeps;
            report.plies = Some(strategy.plies());
            report.uses_tables = strategy.uses_tables();
            report.mv = strategy.line().first().map(|&mv| standard(root, mv)).unwrap_or_default();
            proof
        }
        Proved::NotWon(defence, proof) => {
            report.result = MoveResult::Fails;
            report.uses_tables = defence.uses_tables;
            proof
        }
    };
    report.by = Some(if prover.is_known(root) { Source::Tables } else { Source::Proof });
    report.proof = proofs.write(&proof, "win")?;
    Ok(Some(report))
}
