//! Checks a problem: judges its first moves, and every move of its solutions.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::moves::{MoveJudge, ProofFiles, better_result, read, recorded_line, standard};
use super::problem::{Problem, RecordedTerms, StatedTerms, Terms};
use super::prover::Prover;
use super::report::{MoveResult, ProblemReport, Verdict};
use crate::analysis::analyser::{AnalysedLine, Analyser, Analysis};
use crate::engine::session::GameSession;
use crate::engine::{EngineError, open_with, read_setup};
use crate::game::{Game, Players, RuleChoice, RuleSetting, Variant, outcome};
use crate::games::{Tablebases, rule_options};
use crate::options::{Options, Scope};
use crate::proofs::{Certifier, ProofError};
use crate::search::{Limits, SearchMemory, SearchOptions, Signals};
use crate::with_game;

/// The depth of the short search that finds natural moves.
const NATURAL_DEPTH: usize = 6;

/// A move is natural if the short search expects at most this much less of it than of the best one, in
/// points.
const NATURAL_MARGIN: f64 = 0.05;

/// The nodes of the search that gives open moves a score.
const SCORE_NODES: u64 = 10_000;

/// The default of [`Checker::nodes`] for positions that may become problems.
pub const NODES_OF_NEW: u64 = 20_000;

/// The default of [`Checker::hash`] for positions that may become problems.
pub const HASH_OF_NEW: u32 = 8;

/// The conditions of a check.
pub struct Checker<'a> {
    /// The rule options that were given, by name and value.
    pub options: &'a [(String, String)],
    pub terms: Option<StatedTerms>,
    pub tables: &'a Tablebases,
    pub nodes: u64,
    /// The size of the table of each proof search in MiB.
    pub hash: u32,
    pub out: Option<&'a Path>,
    /// Returns whether the check is to end; asked regularly.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Whether only sound problems are wanted, so that a check ends as soon as one is not.
    pub must_be_sound: bool,
}

impl<'a> Checker<'a> {
    /// Checks positions that may become problems, under the rule options that were given.
    pub fn of_candidates(
        options: &'a [(String, String)],
        tables: &'a Tablebases,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let (nodes, hash) = (NODES_OF_NEW, HASH_OF_NEW);
        Self { options, terms: None, tables, nodes, hash, out: None, stop, must_be_sound: true }
    }
}

impl Checker<'_> {
    pub fn check(&self, problem: &Problem, number: usize) -> Result<ProblemReport, ProofError> {
        let options = self.rules_of_problems(problem.variant, &problem.rules)?;
        let unknown = || EngineError::Variant(problem.variant.to_string());
        with_game!(problem.variant, |P, variant| {
            check_game::<P>(self, problem, number, &options, variant)
        })
        .ok_or_else(unknown)?
    }

    /// The options of a variant, with the rules that a record names. A problem has no history, so
    /// draws by counts are off unless these or the options ask for them.
    pub fn rules_of_problems(
        &self,
        variant: &str,
        named: &[RuleSetting],
    ) -> Result<Options, ProofError> {
        let is_count = |choice| matches!(choice, RuleChoice::Number { min: 0, .. });
        let counts = rule_options().into_iter().filter(|rule| is_count(rule.choice));
        let off = counts.map(|rule| (rule.name.to_string(), "0".to_string()));
        let named = named.iter().map(|rule| (rule.name.to_string(), rule.text.clone()));
        let values: Vec<_> = off.chain(named).chain(self.options.iter().cloned()).collect();
        Ok(Options::of(Some(variant), &values, Scope::Rule)?)
    }
}

fn check_game<P: Game>(
    checker: &Checker,
    problem: &Problem,
    number: usize,
    options: &Options,
    variant: &'static Variant,
) -> Result<ProblemReport, ProofError> {
    let root: P = read_setup(&problem.setup, options)?;
    let conditions = Conditions { variant, options, number, name: number.to_string() };
    checker.check_position(&root, problem, &conditions)
}

/// What a problem is checked under.
pub struct Conditions<'a> {
    pub variant: &'static Variant,
    pub options: &'a Options,
    /// The number of the problem in the input, from 1.
    pub number: usize,
    /// How the names of its proofs begin.
    pub name: String,
}

impl Checker<'_> {
    /// Checks a problem, which begins at `root`.
    pub fn check_position<P: Game>(
        &self,
        root: &P,
        problem: &Problem,
        conditions: &Conditions,
    ) -> Result<ProblemReport, ProofError> {
        let &Conditions { variant, options, number, ref name } = conditions;
        if let Some(end) = outcome(root) {
            return Err(ProofError::Other(format!("the game is over: {end}")));
        }
        let for_side = |terms: RecordedTerms| terms.for_side(root.side());
        let recorded = problem.terms.map(for_side).transpose().map_err(ProofError::Other)?;
        let given = self.terms.map(|terms| terms.for_side(root.side())).transpose();
        let given = given.map_err(ProofError::Other)?;
        let terms = given.or(recorded.flatten()).unwrap_or(Terms::Win);
        let attacker = if terms.is_win() { root.side() } else { !root.side() };
        // The values of the tables do not show whether a win is in time.
        let none = Tablebases::default();
        let tables = if terms.plies().is_some() { &none } else { self.tables };
        let certifier = Certifier { variant, options, tables };
        let stop = || (self.stop)();
        let prover = |side| Prover::new(&certifier, side, self.hash, self.nodes, &stop);
        let proofs = ProofFiles { folder: self.out, name, count: 0 };
        let must_be_sound = self.must_be_sound;
        let seen = HashSet::from([root.proof_key()]);
        let mut moves = MoveJudge { terms, prover: prover(attacker)?, proofs, must_be_sound, seen };
        let (first, line) = moves.first_moves(root)?;
        let mut report = ProblemReport {
            problem: number,
            name: problem.title(),
            variant: variant.name.to_string(),
            setup: root.write_setup(),
            side: root.side(),
            terms,
            verdict: Verdict::Open,
            keys: Vec::new(),
            published: Vec::new(),
            wrong_keys: Vec::new(),
            moves: first,
            win: None,
            solutions: Vec::new(),
            duals: Vec::new(),
            expansions: 0,
        };
        report.compare_keys(root, problem)?;
        if must_be_sound && report.judged() != Verdict::Sound {
            report.verdict = report.judged();
            return Ok(report);
        }
        let lines = [(false, line), (true, recorded_line(root, problem)?)];
        for (is_recorded, line) in lines.into_iter().filter(|(_, line)| !line.moves.is_empty()) {
            moves.follow(root, &line, is_recorded, &mut report)?;
        }
        report.expansions = moves.prover.expansions();
        let may_be_better = match (terms, report.judged()) {
            (Terms::Draw, _) => true,
            (Terms::WinIn(_), Verdict::NoSolution) => false,
            (Terms::WinIn(_), verdict) => !must_be_sound || verdict == Verdict::Sound,
            (Terms::Win | Terms::Loss, _) => false,
        };
        if may_be_better {
            let mut prover = prover(root.side())?;
            report.win = better_result(root, terms, &mut prover, &mut moves.proofs)?;
            report.expansions += prover.expansions();
        }
        report.verdict = report.judged();
        if !must_be_sound || report.verdict == Verdict::Sound {
            let mut session = open_with(options, tables)?;
            session.set_position(Some(&report.setup), &[])?;
            report.add_scores(&*session)?;
        }
        Ok(report)
    }
}

impl ProblemReport {
    /// Fills in the keys, and compares them with the published ones.
    fn compare_keys<P: Game>(&mut self, root: &P, problem: &Problem) -> Result<(), ProofError> {
        let with = |wanted| {
            let moves = self.moves.iter().filter(move |report| report.result == wanted);
            moves.map(|report| report.mv.clone()).collect::<Vec<_>>()
        };
        let (keys, failing) = (with(MoveResult::Keeps), with(MoveResult::Fails));
        for text in &problem.keys {
            let mv = standard(root, read(root, text)?);
            if failing.contains(&mv) {
                self.wrong_keys.push(mv.clone());
            }
            self.published.push(mv);
        }
        self.keys = keys;
        Ok(())
    }

    /// Marks the natural moves that fail, and scores the open ones.
    fn add_scores(&mut self, session: &dyn GameSession) -> Result<(), ProofError> {
        let signals = Arc::new(Signals::new(false));
        let views = session.legal_views();
        let coordinate = |standard: &str| {
            let view = views.iter().find(|view| view.standard == standard);
            view.map(|view| view.coordinate.clone())
        };
        let analyse = |limits, multipv, moves: &[&str]| -> Result<Analysis, ProofError> {
            let options = SearchOptions { multipv, solve: true, ..SearchOptions::default() };
            let analyser = Analyser { limits, options, players: Players::Engine, hash: 16 };
            let table = Arc::new(SearchMemory::new(analyser.hash)?);
            Ok(analyser.search(session, moves, &table, &signals, &mut |_| {})?)
        };
        let depth = Limits { depth: Some(NATURAL_DEPTH), ..Limits::default() };
        let short = analyse(depth, views.len().max(1), &[])?;
        let best = short.best().map_or(0.0, AnalysedLine::expectation);
        for report in &mut self.moves {
            let Some(mv) = coordinate(&report.mv) else { continue };
            if report.result == MoveResult::Fails && self.terms != Terms::Loss {
                let line = short.lines.iter().find(|line| line.begins_with(&mv));
                report.is_try =
                    line.is_some_and(|line| line.expectation() >= best - NATURAL_MARGIN);
            }
            if report.result == MoveResult::Open {
                let limits = Limits { nodes: Some(SCORE_NODES), ..Limits::default() };
                let found = analyse(limits, 1, &[&mv])?;
                report.score = found.best().map(|line| line.score);
                report.depth = Some(found.depth);
            }
        }
        Ok(())
    }

    fn judged(&self) -> Verdict {
        let has = |wanted| self.moves.iter().any(|report| report.result == wanted);
        let win = self.win.as_ref().map(|report| report.result);
        let dual = |wanted| {
            let mut duals = self.duals.iter().filter(|dual| !dual.is_minor);
            duals.any(|dual| dual.report.result == wanted)
        };
        if self.terms == Terms::Loss {
            return match (has(MoveResult::Fails), has(MoveResult::Open)) {
                (true, _) => Verdict::Better,
                (false, true) => Verdict::Open,
                (false, false) => Verdict::Sound,
            };
        }
        match self.keys.len() {
            _ if win == Some(MoveResult::Keeps) && self.terms.is_win() => Verdict::Short,
            _ if win == Some(MoveResult::Keeps) => Verdict::Better,
            2.. if win != Some(MoveResult::Open) => Verdict::Cooked,
            _ if has(MoveResult::Open) || win == Some(MoveResult::Open) => Verdict::Open,
            0 => Verdict::NoSolution,
            _ if dual(MoveResult::Keeps) => Verdict::Dual,
            _ if dual(MoveResult::Open) => Verdict::Open,
            _ => Verdict::Sound,
        }
    }
}
