//! Proves or disproves that a side can force a win.

use std::collections::HashSet;

use crate::game::{
    Game, GameHistory, Side, TablebaseValue, distinct_moves, legal_moves, outcome,
    tablebase_in_game,
};
use crate::proofs::file::Proof;
use crate::proofs::{Certifier, ProofError};
use crate::search::proof::{Defence, ProofLimits, ProofResult, ProofSolver, Strategy};

/// The most variations after one move of the winner.
const MOST_OF_MOVE: usize = 4;

const MOST: usize = 20;

/// Proves whether `attacker` can force a win.
pub struct Prover<'a, P: Game> {
    certifier: &'a Certifier<'a>,
    solver: ProofSolver<P>,
    attacker: Side,
    nodes: u64,
    stop: &'a dyn Fn() -> bool,
}

/// What the attacker, who is to move, may be able to do.
#[derive(Clone, Copy)]
pub enum Claim<M> {
    /// Win by any move, within the plies if they are limited.
    Win(Option<u32>),
    /// Win by this move.
    WinBy(M, Option<u32>),
}

/// What is proved of a claim, with the proof.
pub enum Proved<P: Game> {
    Won(Strategy<P>, Proof),
    /// The attacker cannot win.
    NotWon(Defence<P>, Proof),
    Open,
}

impl<'a, P: Game> Prover<'a, P> {
    /// A prover of wins of `attacker`, with a table of `hash` MiB.
    pub fn new(
        certifier: &'a Certifier<'a>,
        attacker: Side,
        hash: u32,
        nodes: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Result<Self, ProofError> {
        let solver = ProofSolver::new(attacker, hash as usize)?;
        let solver = solver.with_tables(certifier.tables.of::<P>());
        Ok(Self { certifier, solver, attacker, nodes, stop })
    }

    /// The side whose wins are proved.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// Whether the endgame tables have a position, in which the game is not over.
    pub fn is_known(&self, position: &P) -> bool {
        self.value(position).is_some()
    }

    fn value(&self, position: &P) -> Option<TablebaseValue> {
        self.certifier.tables.of::<P>()?.value(position)
    }

    /// Extends a line of a win in the endgame tables, as long as the loser has a reply after which only
    /// one move wins. Other such replies are its variations.
    pub fn add_star_moves(&self, root: &P, line: &mut ProvedLine<P>) {
        let ProvedLine { moves, variations } = line;
        let mut game = GameHistory::new(*root);
        moves.iter().for_each(|&mv| game.play(mv));
        let mut seen = HashSet::new();
        while seen.insert(game.position().key()) && game.position().side() != root.side() {
            let position = *game.position();
            let only_win = |reply: P::Move| {
                let after = position.play(reply);
                let moves = legal_moves(&after);
                let wins = |mv: &P::Move| self.is_won(&after.play(*mv));
                let mut winning = moves.into_iter().filter(wins);
                let (Some(mv), None) = (winning.next(), winning.next()) else { return None };
                self.is_surely_won(&game, [reply, mv]).then_some([reply, mv])
            };
            let replies = distinct_moves(&position, legal_moves(&position));
            let mut pairs = replies.into_iter().filter_map(only_win);
            let Some([reply, mv]) = pairs.next() else { break };
            variations.extend(pairs.map(|pair| (moves.len(), pair)));
            moves.extend([reply, mv]);
            game.play(reply);
            game.play(mv);
        }
    }

    /// Whether the attacker has won by the rules or the endgame tables.
    fn is_won(&self, position: &P) -> bool {
        match (outcome(position), self.value(position)) {
            (Some(end), _) => end.winner == Some(self.attacker),
            (None, Some(TablebaseValue::Won(_))) => position.side() == self.attacker,
            (None, Some(TablebaseValue::Lost(_))) => position.side() != self.attacker,
            (None, _) => false,
        }
    }

    /// Whether this is certain after a game and two more moves: a count of moves or a repetition may draw a
    /// win of the endgame tables.
    fn is_surely_won(&self, game: &GameHistory<P>, moves: [P::Move; 2]) -> bool {
        let mut game = game.clone();
        for mv in moves {
            if game.outcome().is_some() {
                return false;
            }
            game.play(mv);
        }
        let position = game.position();
        let in_game = |tables| tablebase_in_game(tables, position, game.earlier());
        match (game.outcome(), self.certifier.tables.of::<P>().map(in_game)) {
            (Some(end), _) => end.winner == Some(self.attacker),
            (None, None) => false,
            (None, Some(tables)) => tables.can_win(position, self.attacker) == Some(true),
        }
    }

    /// The number of expansions so far.
    pub fn expansions(&self) -> u64 {
        self.solver.expansions()
    }

    /// Proves or disproves a claim about the position after a game. The game must not be over, also after the
    /// move of the claim.
    pub fn prove(
        &mut self,
        game: &GameHistory<P>,
        claim: Claim<P::Move>,
    ) -> Result<Proved<P>, ProofError> {
        let (only, plies) = match claim {
            Claim::Win(plies) => (None, plies),
            Claim::WinBy(mv, plies) => (Some(mv), plies),
        };
        let root = game.position();
        // A proof cannot be restricted to some moves: it is about the position after the move.
        let mut start = game.clone();
        only.into_iter().for_each(|mv| start.play(mv));
        debug_assert!(root.side() == self.attacker && start.outcome().is_none());
        self.solver.set_game(start.position(), start.earlier());
        let stop = |_| (self.stop)();
        let limits = |solver: &ProofSolver<P>| ProofLimits {
            expansions: solver.expansions().saturating_add(self.nodes),
            stop: &stop,
        };
        let first = limits(&self.solver);
        let moves = only.as_slice();
        let result = self.solver.solve(root, moves, plies, &first);
        // The same effort again, for positions that are no longer in the table.
        let second = limits(&self.solver);
        Ok(match result {
            ProofResult::Proved { mv, plies } => {
                let strategy = self.solver.strategy(root, moves, (mv, plies), &second);
                let Ok(strategy) = strategy else { return Ok(Proved::Open) };
                let proof = match only {
                    Some(_) => self.certifier.loss(&start, &strategy)?,
                    None => self.certifier.win(&start, &strategy)?,
                };
                Proved::Won(strategy, proof)
            }
            ProofResult::Disproved => {
                let defence = match plies {
                    Some(plies) => self.solver.defence_within(root, moves, plies, &second),
                    None => self.solver.defence(root, moves, &second),
                };
                let Some(defence) = defence else { return Ok(Proved::Open) };
                let plies = plies.map(|plies| plies.saturating_sub(only.is_some().into()));
                match self.certifier.no_win(&start, self.attacker, plies, &defence) {
                    Ok(proof) => Proved::NotWon(defence, proof),
                    // A position may need different moves with different move counters.
                    Err(_) if root.move_counters() != [None; 2] => Proved::Open,
                    Err(bug) => return Err(bug),
                }
            }
            ProofResult::Open => Proved::Open,
        })
    }
}

/// A line of play, with its variations if it is that of a proved win.
pub struct ProvedLine<P: Game> {
    pub moves: Vec<P::Move>,
    /// Other replies of the loser, each with a move after which the win is proved, by the index of the
    /// reply that they replace.
    pub variations: Vec<(usize, [P::Move; 2])>,
}

impl<P: Game> ProvedLine<P> {
    pub fn of(moves: Vec<P::Move>) -> Self {
        Self { moves, variations: Vec::new() }
    }

    /// Keeps the variations that are printed: after each move of the winner first those with an answer
    /// that is not among the earlier ones, then others.
    pub fn limit_variations(&mut self) {
        let mut kept = Vec::new();
        for of_move in self.variations.chunk_by(|(ply, _), (other, _)| ply == other) {
            let in_line = of_move.first().and_then(|(ply, _)| self.moves.get(ply + 1));
            let mut answers: Vec<P::Move> = in_line.copied().into_iter().collect();
            let is_new = |&(_, [_, answer]): &(usize, [P::Move; 2])| {
                let is_new = !answers.contains(&answer);
                answers.push(answer);
                is_new
            };
            let (new, same): (Vec<_>, Vec<_>) = of_move.iter().copied().partition(is_new);
            kept.extend(new.into_iter().chain(same).take(MOST_OF_MOVE));
        }
        kept.truncate(MOST);
        self.variations = kept;
    }
}
