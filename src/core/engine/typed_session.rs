//! The implementation of [`GameSession`] for a game whose position type is known.

// Indexing by side cannot fail; the lint on indexing does not see it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use super::book_moves::{BookMove, book_moves};
use super::error::EngineError;
use super::event::Event;
use super::move_view::{
    MoveView, PlayedMove, ThreatView, check_square, move_view, played_move, played_variations,
    read_legal_move, read_move, threat_view,
};
use super::reporting::{report_outcome, run_search};
use super::session::{Evaluation, GameSession, ProofReport, SearchJob, SearchSettings};
use crate::book::{Book, HAS_BOOKS};
use crate::game::{
    Board, BoardLine, Calibration, Fact, Game, GameHistory, GameTablebase, Groups, MoveFormat,
    MoveList, Outcome, PieceKind, RuleValues, Side, Tablebase, TablebaseValue, Term, Variant,
    Variation, distinct_moves, facts, legal_moves, listed_move, mix, opening_name, perft,
    readable_moves, root_moves, rules_from,
};
use crate::games::{Tablebases, board};
use crate::nnue::{self, Network};
use crate::options::Options;
use crate::search::proof::{ProofLimits, ProofResult, ProofSolver};
use crate::search::{SearchRequest, Signals};
use crate::with_game;

/// Opens a session of the selected variant, without endgame tables.
pub fn open(options: &Options) -> Result<Box<dyn GameSession>, EngineError> {
    open_with(options, &Tablebases::default())
}

/// Opens a session of the selected variant, with these endgame tables.
pub fn open_with(
    options: &Options,
    tablebases: &Tablebases,
) -> Result<Box<dyn GameSession>, EngineError> {
    let values: RuleValues = &|rule| options.rule(rule);
    let session = with_game!(options.variant, |P, variant| {
        let session = TypedSession::<P>::new(variant, values, tablebases.of::<P>())?;
        Box::new(session) as Box<dyn GameSession>
    });
    session.ok_or_else(|| EngineError::Variant(options.variant.to_string()))
}

/// A game being played with positions of type `P`.
#[derive(Clone)]
pub(super) struct TypedSession<P: Game> {
    variant: &'static Variant,
    rules: P::Rules,
    game: GameHistory<P>,
    format: MoveFormat,
    /// The endgame tables of this game.
    tablebase: Option<Arc<dyn Tablebase<P>>>,
    /// The network; without it the handcrafted evaluation is used.
    network: Option<Arc<Network>>,
}

impl<P: Game> TypedSession<P> {
    pub(super) fn new(
        variant: &'static Variant,
        values: RuleValues,
        tablebase: Option<Arc<dyn Tablebase<P>>>,
    ) -> Result<Self, EngineError> {
        let rules = rules_from(values);
        Ok(Self {
            variant,
            rules,
            game: GameHistory::new(read::<P>(variant.start, rules)?),
            format: MoveFormat::default(),
            tablebase,
            network: nnue::built_in(P::name()),
        })
    }

    fn with_game(&self, game: GameHistory<P>) -> Self {
        let (tablebase, network) = (self.tablebase.clone(), self.network.clone());
        Self { game, tablebase, network, ..*self }
    }

    fn read_move(&self, text: &str) -> Result<P::Move, EngineError> {
        read_move(self.game.position(), text)
    }

    /// The distinct legal moves; none if the game is over.
    fn root_moves(&self) -> MoveList<P::Move> {
        match self.game.outcome() {
            Some(_) => MoveList::new(),
            None => root_moves(self.game.position(), &[]),
        }
    }

    fn play_all(mut self, moves: &[&str]) -> Result<Self, EngineError> {
        for text in moves {
            self.play(text)?;
        }
        Ok(self)
    }
}

fn read<P: Game>(setup: &str, rules: P::Rules) -> Result<P, EngineError> {
    P::read_setup(setup, rules).map_err(EngineError::setup)
}

/// Reads a setup under the rules of `options`.
pub fn read_setup<P: Game>(setup: &str, options: &Options) -> Result<P, EngineError> {
    read(setup, rules_from(&|rule| options.rule(rule)))
}

impl<P: Game> GameSession for TypedSession<P> {
    fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError> {
        let start = read::<P>(setup.unwrap_or(self.variant.start), self.rules)?;
        *self = self.with_game(GameHistory::new(start)).play_all(moves)?;
        Ok(())
    }

    fn set_board(&mut self, board: &Board, next: Side) -> Result<(), EngineError> {
        let placement = board::write_placement(|square| {
            let rank = board.get(7 - square.rank() as usize)?;
            let piece = (*rank.get(square.file() as usize)?)?;
            P::PIECES.get(piece.kind).map(|kind| kind.letters[piece.side])
        });
        self.set_position(Some(&format!("{placement} {next}")), &[])
    }

    fn play(&mut self, mv: &str) -> Result<(), EngineError> {
        self.game.play(self.read_move(mv)?);
        Ok(())
    }

    fn take_back(&mut self, moves: usize) -> Result<(), EngineError> {
        if self.game.take_back(moves) { Ok(()) } else { Err(EngineError::TooFewMoves(moves)) }
    }

    fn copy(&self) -> Box<dyn GameSession> {
        Box::new(self.clone())
    }

    fn with_moves(&self, moves: &[&str]) -> Result<Box<dyn GameSession>, EngineError> {
        Ok(Box::new(self.clone().play_all(moves)?))
    }

    fn fork(&self) -> Box<dyn GameSession> {
        Box::new(self.with_game(self.game.fork()))
    }

    // What a board shows: the game, its position, its moves.

    fn variant(&self) -> &'static Variant {
        self.variant
    }

    fn game(&self) -> &'static str {
        P::name()
    }

    fn kinds(&self) -> &'static [PieceKind] {
        P::PIECES
    }

    fn start(&self) -> String {
        self.game.start().write_setup()
    }

    fn setup(&self) -> String {
        self.game.position().write_setup()
    }

    fn opening(&self) -> Option<&'static str> {
        opening_name(&self.game, self.variant)
    }

    fn side(&self) -> Side {
        self.game.position().side()
    }

    fn plies(&self) -> usize {
        self.game.plies()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn board(&self) -> Board {
        self.game.position().board()
    }

    fn lines(&self) -> Vec<BoardLine> {
        self.game.position().lines()
    }

    fn groups(&self) -> Option<Groups> {
        self.game.position().groups()
    }

    fn threat(&self) -> Option<ThreatView> {
        let is_open = self.game.outcome().is_none();
        is_open.then(|| self.game.position().threat()).flatten().map(threat_view)
    }

    fn diagram(&self) -> String {
        self.game.position().diagram()
    }

    fn key(&self) -> u64 {
        self.game.position().key()
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = self.game.position();
        self.root_moves().iter().map(|&mv| position.write_move(mv, self.format)).collect()
    }

    fn legal_views(&self) -> Vec<MoveView> {
        let position = self.game.position();
        self.root_moves().iter().map(|&mv| move_view(position, mv)).collect()
    }

    fn readable_moves(&self) -> Vec<MoveView> {
        let position = self.game.position();
        let moves = distinct_moves(position, readable_moves(position));
        moves.iter().map(|&mv| move_view(position, mv)).collect()
    }

    fn check_move(&self, text: &str) -> Result<MoveView, EngineError> {
        let (position, mv) = (self.game.position(), read_legal_move(&self.game, text)?);
        Ok(move_view(position, listed_move(position, mv)))
    }

    fn check_square(&self, text: &str) -> Option<Result<(), EngineError>> {
        check_square(&self.game, text)
    }

    fn facts(&self, text: &str) -> Result<(MoveView, Vec<Fact>), EngineError> {
        let (position, mv) = (self.game.position(), read_legal_move(&self.game, text)?);
        let mv = listed_move(position, mv);
        Ok((move_view(position, mv), facts(&self.game, mv)))
    }

    fn history(&self) -> Vec<PlayedMove> {
        self.game.turns().map(|(position, mv)| played_move(position, mv)).collect()
    }

    fn last_move(&self) -> Option<PlayedMove> {
        self.game.turns().next_back().map(|(position, mv)| played_move(position, mv))
    }

    fn variations(
        &self,
        variations: &[Variation<&str>],
    ) -> Vec<(Vec<PlayedMove>, Option<EngineError>)> {
        played_variations(&self.game, variations)
    }

    // How the game is played, searched and written.

    fn set_rules(&mut self, values: RuleValues) {
        self.rules = rules_from(values);
        // A setup is legal under all rules. Moves that the new rules forbid stay: options for the next
        // game are usually set while the last one is the current game.
        if let Ok(start) = P::read_setup(&self.game.start().write_setup(), self.rules) {
            let mut game = GameHistory::new(start);
            for (_, mv) in self.game.turns() {
                game.play(mv);
            }
            self.game = game;
        }
    }

    fn set_tablebases(&mut self, tablebases: &Tablebases) {
        self.tablebase = tablebases.of::<P>();
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
    }

    fn set_format(&mut self, format: MoveFormat) {
        self.format = format;
    }

    // What the engine knows about the position.

    fn tablebase_value(&self) -> Option<TablebaseValue> {
        let tablebase = self.tablebase.as_ref().filter(|_| self.game.outcome().is_none())?;
        GameTablebase::value_in_game(&**tablebase, &self.game)
    }

    fn book_move(&self, book: &Book, seed: u64) -> Option<String> {
        let position = self.game.position();
        let key = position.key();
        let is_over = self.game.outcome().is_some();
        if !HAS_BOOKS || is_over || self.game.earlier().iter().any(|earlier| earlier.key() == key) {
            return None;
        }
        let moves = book.moves(position);
        // A 64-bit remainder gives the same choice on 32-bit platforms.
        let choice = mix(seed ^ key).checked_rem(moves.len() as u64)?;
        moves.get(choice as usize).map(|&mv| position.write_move(mv, self.format))
    }

    fn book_moves(&self) -> Vec<BookMove> {
        book_moves(self.game.position())
    }

    fn evaluation(&self) -> Evaluation {
        let position = self.game.position();
        let Calibration { network, handcrafted, .. } = &P::CALIBRATION;
        let by_hand = |evaluation| handcrafted.centipawns(evaluation);
        let by_network = |weights: &Arc<Network>| network.centipawns(weights.evaluate(position));
        let scaled = |term: Term| Term { value: term.value.map(by_hand), ..term };
        Evaluation {
            terms: position.terms().into_iter().map(scaled).collect(),
            side: position.side(),
            score: by_hand(position.evaluate()),
            network: self.network.as_ref().map(by_network),
        }
    }

    fn calibration(&self) -> &'static Calibration {
        &P::CALIBRATION
    }

    fn search(&self, settings: SearchSettings, moves: &[&str]) -> Result<SearchJob, EngineError> {
        let outcome = self.game.outcome();
        let position = *self.game.position();
        let moves = if outcome.is_some() { &[] } else { moves };
        let root_moves: Vec<_> =
            moves.iter().map(|text| self.read_move(text)).collect::<Result<_, _>>()?;
        let history = self.game.earlier().to_vec();
        let tablebase = self.tablebase.clone();
        let network = self.network.clone();
        let format = self.format;
        Ok(Box::new(move |free_since, sink| {
            if let Some(outcome) = outcome {
                report_outcome(&position, outcome, &settings, sink);
                return;
            }
            let SearchSettings { limits, memory, signals, .. } = &settings;
            let request = SearchRequest {
                history: &history,
                root_moves: &root_moves,
                eval_noise: settings.eval_noise,
                // The clock of a queued search starts when the search thread becomes idle.
                started: settings.requested_at.max(free_since),
                options: settings.options,
                tablebase: tablebase.as_deref().filter(|_| !settings.is_limited),
                network: network.as_deref().filter(|_| !settings.is_limited),
                ..SearchRequest::new(position, limits, memory, signals)
            };
            run_search(&request, format, &settings, sink);
        }))
    }

    fn prove(
        &self,
        moves: &[&str],
        hash: usize,
        limits: &ProofLimits,
    ) -> Result<Option<ProofReport>, EngineError> {
        if self.game.outcome().is_some() {
            return Ok(None);
        }
        let root = self.game.position();
        let root_moves = moves.iter().map(|text| self.read_move(text));
        let root_moves = root_moves.collect::<Result<Vec<_>, _>>()?;
        let mut solver = ProofSolver::new(root.side(), hash)?;
        solver.set_game(root, self.game.earlier());
        let (result, best) = match solver.solve(root, &root_moves, None, limits) {
            ProofResult::Proved { mv, plies } => ("proved", Some((mv, plies))),
            ProofResult::Disproved => ("disproved", None),
            ProofResult::Open => ("open", None),
        };
        Ok(Some(ProofReport {
            result,
            mv: best.map(|(mv, _)| root.write_move(mv, self.format)),
            plies: best.map(|(_, plies)| plies),
            expansions: solver.expansions(),
        }))
    }

    fn perft(&self, depth: u32, signals: Arc<Signals>) -> SearchJob {
        let (position, format) = (*self.game.position(), self.format);
        Box::new(move |_, sink| {
            let mut total = Some(0);
            for mv in legal_moves(&position) {
                let Some(nodes) =
                    perft(&position.play(mv), depth.saturating_sub(1), &|| signals.is_stopped())
                else {
                    total = None;
                    break;
                };
                total = total.map(|total| total + nodes);
                let mv = position.write_move(mv, format);
                if sink(Event::Divide { mv, nodes }).is_err() {
                    return;
                }
            }
            let _ = sink(Event::Perft { nodes: total });
        })
    }
}
