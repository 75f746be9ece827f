//! Finds the problem of a position.

use serde::{Deserialize, Serialize};

use super::candidate::Scout;
use super::check::{Checker, Conditions};
use super::grade::{Grade, themes};
use super::problem::{Problem, StatedTerms, Terms};
use super::report::{DefenceVariation, Dual, ProblemReport, Solution, Verdict};
use crate::engine::{NAME, open, read_setup};
use crate::game::{FeatureBits, Game, GameHistory, Variant, mix};
use crate::nnue;
use crate::options::Options;
use crate::proofs::ProofError;
use crate::records::{HeaderField, Record, RecordResult, record_game};
use crate::search::SearchMemory;

/// The fewest plies of a solution.
const SHORTEST: usize = 3;

/// A problem that is sound.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GeneratedProblem {
    /// The same for all positions that differ by a symmetry of the board.
    pub id: String,
    pub variant: String,
    /// The setup, in the standard notation of the game.
    pub setup: String,
    /// What the side to move is to reach.
    pub terms: Terms,
    #[serde(flatten)]
    pub grade: Grade,
    pub themes: Vec<String>,
    pub solution: Vec<String>,
    #[serde(default)]
    pub variations: Vec<DefenceVariation>,
    /// Other moves that win later in the solution, and are no fault.
    pub duals: Vec<SolutionMove>,
    pub source: String,
}

/// A move in the place of one of the solution.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolutionMove {
    /// The place in the solution, from 0.
    pub ply: usize,
    #[serde(rename = "move")]
    pub mv: String,
}

impl From<&Dual> for SolutionMove {
    fn from(dual: &Dual) -> Self {
        Self { ply: dual.after.len(), mv: dual.report.mv.clone() }
    }
}

impl GeneratedProblem {
    /// The problem as a record, with the result that the terms demand and the rules of `options`. Its proofs
    /// have at most `nodes` positions for each move.
    pub fn record(&self, options: &Options, nodes: u64) -> Result<Record, ProofError> {
        let Self { id, variant, setup, terms, solution, variations, source, .. } = self;
        let failed = |reason: String| ProofError::Other(format!("{id}: {reason}"));
        let record = record_game(variant, Some(setup), &|rule| options.rule(rule), solution);
        let record = record.ok_or_else(|| failed("no record".to_string()))?;
        let mut record = record.map_err(|error| failed(error.to_string()))?;
        record.add_annotator(&format!("{NAME}, {nodes} positions a proof"));
        record.add_comment(0, source);
        for DefenceVariation { ply, moves } in variations {
            let added = record.add_variation(ply + 1, moves, "");
            added.map_err(|error| failed(error.to_string()))?;
        }
        let mut session = open(options)?;
        session.set_position(Some(setup), &[])?;
        record.set_info(HeaderField::Event, &format!("Problem {id}: {terms}"));
        record.set_outcome(RecordResult::Won(session.side()));
        Ok(record)
    }
}

/// Finds problems, and proves that they are sound.
pub struct Finder<'a, P: Game> {
    scout: Scout<P>,
    /// Proves that the problems are sound.
    pub checker: &'a Checker<'a>,
    /// The rules under which problems are looked for.
    pub options: &'a Options,
    variant: &'static Variant,
    /// Whether the key may be seen at a glance.
    pub may_be_trivial: bool,
}

impl<'a, P: Game> Finder<'a, P> {
    /// Finds problems of a variant under the rules of `options`.
    pub fn new(checker: &'a Checker<'a>, options: &'a Options, variant: &'static Variant) -> Self {
        let tablebase = checker.tables.of::<P>();
        let scout = Scout { network: nnue::built_in(P::name()), tablebase };
        Self { scout, checker, options, variant, may_be_trivial: false }
    }

    /// The search that looks for candidates.
    pub fn scout(&self) -> &Scout<P> {
        &self.scout
    }

    /// The problem of a position, if it is sound. `table` may have results of the same game.
    pub fn find(
        &self,
        position: &P,
        source: String,
        table: &SearchMemory,
    ) -> Result<Option<GeneratedProblem>, ProofError> {
        let Some((key, terms)) = self.scout.key(position, table) else { return Ok(None) };
        if !self.may_be_trivial && self.scout.is_trivial(position, key)? {
            return Ok(None);
        }
        self.proved(position, terms, source)
    }

    fn proved(
        &self,
        position: &P,
        terms: Terms,
        source: String,
    ) -> Result<Option<GeneratedProblem>, ProofError> {
        let [own, other] = symmetric(position);
        let id = format!("{:08x}", mix(own ^ mix(other)) >> 32);
        let setup = position.write_setup();
        // A problem has no history, and so has no count of moves of the game that it is from.
        let position: &P = &read_setup(&setup, self.options)?;
        let problem =
            Problem { setup: setup.clone(), variant: self.variant.name, ..Problem::default() };
        let stated = Some(StatedTerms { terms, side: None });
        // Most candidates are dropped, so proofs are written only for the others.
        let checker = Checker { terms: stated, out: None, ..*self.checker };
        let conditions = Conditions {
            variant: self.variant,
            options: self.options,
            number: 0,
            name: id.clone(),
        };
        let report = checker.check_position(position, &problem, &conditions)?;
        let Some(Solution { moves, variations, .. }) = solution(&report) else { return Ok(None) };
        let mut game = GameHistory::new(*position);
        for text in moves {
            let mv = game.position().read_move(text);
            game.play(mv.map_err(|error| ProofError::Other(error.to_string()))?);
        }
        let grade = Grade::new(position, &report)?;
        let themes = themes(&game);
        if self.checker.out.is_some() {
            let with_proofs = Checker { out: self.checker.out, ..checker };
            with_proofs.check_position(position, &problem, &conditions)?;
        }
        Ok(Some(GeneratedProblem {
            id,
            variant: self.variant.name.to_string(),
            setup,
            terms,
            grade,
            themes,
            solution: moves.clone(),
            variations: variations.clone(),
            duals: report.duals.iter().map(SolutionMove::from).collect(),
            source,
        }))
    }
}

/// The solution of a sound problem that is not too short.
fn solution(report: &ProblemReport) -> Option<&Solution> {
    let solution = report.solutions.first()?;
    (report.verdict == Verdict::Sound && solution.moves.len() >= SHORTEST).then_some(solution)
}

/// The position from the view of the side to move, the same for all that differ by a symmetry of the
/// board.
pub fn symmetric<P: Game>(position: &P) -> FeatureBits {
    let features = position.features(position.side());
    let all = (0..P::SYMMETRIES).map(|number| P::transformed(features, number));
    all.min().unwrap_or(features)
}
