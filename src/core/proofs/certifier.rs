//! Converts the results of a proof search to proofs, and verifies them.

use super::file::{Answer, Proof, ProofClaim};
use super::verify::verify;
use crate::game::{Game, GameHistory, MoveFormat, RuleOption, Rules, Side, Variant};
use crate::games::Tablebases;
use crate::options::Options;
use crate::proofs::ProofError;
use crate::search::proof::{Defence, Strategy};

/// The conditions under which something is proved.
pub struct Certifier<'a> {
    pub variant: &'static Variant,
    pub options: &'a Options,
    /// The endgame tables on which proofs may rest.
    pub tables: &'a Tablebases,
}

impl Certifier<'_> {
    /// The proof of a win after a game.
    pub fn win<P: Game>(
        &self,
        game: &GameHistory<P>,
        strategy: &Strategy<P>,
    ) -> Result<Proof, ProofError> {
        let answers = strategy.answers();
        let answers = answers.iter().map(|at| answer(&at.position, at.mv, at.plies)).collect();
        let claim = ProofClaim::Win { plies: strategy.plies() };
        self.proof(game, claim, strategy.uses_tables(), answers)
    }

    /// The proof that the last move of a game wins by a strategy that begins with it: of the loss after it.
    /// So it does not matter that another move may win sooner, if the position before it occurs again.
    pub fn loss<P: Game>(
        &self,
        game: &GameHistory<P>,
        strategy: &Strategy<P>,
    ) -> Result<Proof, ProofError> {
        let claim = ProofClaim::Loss { plies: strategy.plies() - 1 };
        let answers = strategy.answers_after_first();
        let answers = answers.iter().map(|at| answer(&at.position, at.mv, at.plies)).collect();
        self.proof(game, claim, strategy.uses_tables(), answers)
    }

    /// The proof that `attacker` cannot force a win after a game, within `plies` plies if they are limited.
    pub fn no_win<P: Game>(
        &self,
        game: &GameHistory<P>,
        attacker: Side,
        plies: Option<u32>,
        defence: &Defence<P>,
    ) -> Result<Proof, ProofError> {
        let answers = defence.answers.iter().map(|at| answer(&at.position, at.mv, at.plies));
        let claim = ProofClaim::NoWin { attacker, plies };
        self.proof(game, claim, defence.uses_tables, answers.collect())
    }

    /// A proof, which is verified here: it is written by other code than the one that finds it.
    fn proof<P: Game>(
        &self,
        game: &GameHistory<P>,
        claim: ProofClaim,
        uses_tables: bool,
        answers: Vec<Answer>,
    ) -> Result<Proof, ProofError> {
        let identity = || {
            let named = self.tables.of::<P>().and_then(|tables| tables.identity());
            let unreadable = "no proof: the files of the endgame tables cannot be read as a whole";
            named.ok_or_else(|| ProofError::Other(unreadable.to_string()))
        };
        let moves = game.turns().map(|(at, mv)| at.write_move(mv, MoveFormat::Coordinate));
        let proof = Proof {
            variant: self.variant.name.to_string(),
            options: self.rules::<P>(),
            tables: uses_tables.then(identity).transpose()?,
            setup: game.start().write_setup(),
            moves: moves.collect(),
            claim,
            answers,
        };
        let bug = "the proof failed verification, which is a bug in Soucie";
        let failed = |fault| ProofError::Other(format!("{bug}: {fault}"));
        verify(&proof, self.tables).map_err(failed)?;
        Ok(proof)
    }

    fn rules<P: Game>(&self) -> Vec<(String, String)> {
        let value = |rule: &RuleOption<P::Rules>| {
            rule.choice.write(self.options.rule(rule.name).unwrap_or_default())
        };
        P::Rules::OPTIONS.iter().map(|rule| (rule.name.to_string(), value(rule))).collect()
    }
}

fn answer<P: Game>(position: &P, mv: P::Move, plies: u32) -> Answer {
    let mv = position.write_move(mv, MoveFormat::Coordinate);
    Answer { plies, mv, setup: position.write_setup() }
}
