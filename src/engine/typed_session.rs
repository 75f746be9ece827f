//! The implementation of [`GameSession`] for a game whose position type is known.

// Indexing by side cannot fail; the lint on indexing does not see it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use super::error::EngineError;
use super::event::Event;
use super::reporting::{report_outcome, run_search};
use super::session::{
    Board, Evaluation, GameSession, GameView, MoveView, Piece, PositionView, RuleValues, SearchJob,
    SearchSettings, Variation, rules_from,
};
use crate::book::{Book, HAS_BOOKS};
use crate::game::bitboard::{Square, squares};
use crate::game::{
    Calibration, Game, GameHistory, GameLines, GameTablebase, MoveFormat, MoveList, NotationError,
    Side, Tablebase, TablebaseValue, Term, Variant, distinct_moves, legal_moves, listed_move, mix,
    perft, readable_moves, root_moves,
};
use crate::games::board;
use crate::games::{self, GameVisitor, Tablebases};
use crate::nnue::{self, Network};
use crate::options::Options;
use crate::search::{SearchRequest, Signals};

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
    games::open(options.variant, OpenSession { values, tablebases })
        .ok_or_else(|| EngineError::Variant(options.variant.to_string()))?
}

struct OpenSession<'a> {
    values: RuleValues<'a>,
    tablebases: &'a Tablebases,
}

impl GameVisitor for OpenSession<'_> {
    type Output = Result<Box<dyn GameSession>, EngineError>;

    fn visit<P: Game>(self, variant: &'static Variant) -> Self::Output {
        Ok(Box::new(TypedSession::<P>::new(variant, self.values, self.tablebases.of::<P>())?))
    }
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

    /// Reads a move of the current position.
    fn read_move(&self, text: &str) -> Result<P::Move, EngineError> {
        read_move(self.game.position(), text)
    }

    fn play_all(mut self, moves: &[&str]) -> Result<Self, EngineError> {
        for text in moves {
            self.play(text)?;
        }
        Ok(self)
    }
}

fn read<P: Game>(setup: &str, rules: P::Rules) -> Result<P, EngineError> {
    P::read_setup(setup, rules).map_err(|error| EngineError::Setup(Box::new(error)))
}

fn read_move<P: Game>(position: &P, text: &str) -> Result<P::Move, EngineError> {
    position.read_move(text).map_err(|error| EngineError::Move {
        text: text.to_string(),
        setup: position.write_setup(),
        code: error.code(),
        why: Box::new(error),
    })
}

/// A move with both notations, its path and its captures.
fn move_view<P: Game>(position: &P, mv: P::Move) -> MoveView {
    let path: Vec<Square> =
        position.path(mv).into_iter().map(|square| Square::new(square as u8)).collect();
    let next = position.play(mv);
    let opponent = !position.side();
    let is_theirs = |position: &P, square: &Square| {
        position.piece_on(square.index()).is_some_and(|piece| piece.side == opponent)
    };
    let squares = squares(!0);
    let mut captured: Vec<Square> =
        squares.filter(|sq| is_theirs(position, sq) && !is_theirs(&next, sq)).collect();
    let mut captures = Vec::new();
    for step in path.windows(2) {
        let is_here = |sq: &mut Square| matches!(step, [from, to] if is_passed(*from, *to, *sq));
        captures.extend(captured.extract_if(.., is_here));
    }
    // A capture that is on no step of the path comes last.
    captures.append(&mut captured);
    MoveView {
        side: position.side(),
        coordinate: position.write_move(mv, MoveFormat::Coordinate),
        standard: position.write_move(mv, MoveFormat::Standard),
        path,
        captures,
    }
}

/// Whether a straight step passes or reaches a square.
fn is_passed(from: Square, to: Square, square: Square) -> bool {
    let vector =
        |to: Square| (i32::from(to.file() - from.file()), i32::from(to.rank() - from.rank()));
    let ((x, y), (step_x, step_y)) = (vector(square), vector(to));
    let along = x * step_x + y * step_y;
    x * step_y == y * step_x && 0 < along && along <= step_x * step_x + step_y * step_y
}

impl<P: Game> GameSession for TypedSession<P> {
    fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError> {
        let start = read::<P>(setup.unwrap_or(self.variant.start), self.rules)?;
        *self = self.with_game(GameHistory::new(start)).play_all(moves)?;
        Ok(())
    }

    fn copy(&self) -> Box<dyn GameSession> {
        Box::new(self.clone())
    }

    fn with_moves(&self, moves: &[&str]) -> Result<Box<dyn GameSession>, EngineError> {
        Ok(Box::new(self.clone().play_all(moves)?))
    }

    fn check_move(&self, text: &str) -> Result<MoveView, EngineError> {
        let position = self.game.position();
        match self.game.outcome() {
            Some(end) => Err(EngineError::Move {
                text: text.to_string(),
                setup: position.write_setup(),
                code: "game-over",
                why: format!("the game is over: {end}").into(),
            }),
            None => {
                let mv = self.read_move(text)?;
                Ok(move_view(position, listed_move(position, mv)))
            }
        }
    }

    fn play(&mut self, mv: &str) -> Result<(), EngineError> {
        self.game.play(self.read_move(mv)?);
        Ok(())
    }

    fn fork(&self) -> Box<dyn GameSession> {
        Box::new(self.with_game(self.game.fork()))
    }

    fn take_back(&mut self, moves: usize) -> Result<(), EngineError> {
        if self.game.take_back(moves) { Ok(()) } else { Err(EngineError::TooFewMoves(moves)) }
    }

    fn place(
        &self,
        board: &mut Board,
        square: &str,
        piece: Option<Piece>,
    ) -> Result<(), EngineError> {
        let unknown = || EngineError::Square(square.to_string());
        let square = Square::read(square.as_bytes()).ok_or_else(unknown)?;
        if piece.is_some_and(|piece| piece.kind >= P::PIECES.len()) {
            return Err(EngineError::Piece);
        }
        let (row, column) = (7 - square.rank() as usize, square.file() as usize);
        if let Some(cell) = board.get_mut(row).and_then(|rank| rank.get_mut(column)) {
            *cell = piece;
        }
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

    fn variant(&self) -> &'static Variant {
        self.variant
    }

    fn game(&self) -> &'static str {
        P::name()
    }

    fn start(&self) -> String {
        self.game.start().write_setup()
    }

    fn moves(&self) -> Vec<String> {
        self.game.turns().map(|(position, mv)| position.write_move(mv, self.format)).collect()
    }

    fn last_move(&self) -> Option<String> {
        self.game.turns().next_back().map(|(position, mv)| position.write_move(mv, self.format))
    }

    fn view(&self) -> PositionView {
        let position = self.game.position();
        let outcome = self.game.outcome();
        let moves = if outcome.is_some() { MoveList::new() } else { root_moves(position, &[]) };
        PositionView {
            diagram: position.diagram(),
            board: position.board(),
            side: position.side(),
            plies: self.game.plies(),
            setup: position.write_setup(),
            key: position.key(),
            moves: moves.iter().map(|&mv| position.write_move(mv, self.format)).collect(),
            outcome,
        }
    }

    fn game_view(&self) -> GameView {
        let position = self.game.position();
        let legal =
            if self.game.outcome().is_some() { MoveList::new() } else { root_moves(position, &[]) };
        GameView {
            variant: self.variant,
            kinds: P::PIECES,
            start: self.start(),
            position: self.view(),
            last: self.game.turns().next_back().map(|(position, mv)| move_view(position, mv)),
            legal: legal.iter().map(|&mv| move_view(position, mv)).collect(),
        }
    }

    fn readable_moves(&self) -> Vec<MoveView> {
        let position = self.game.position();
        let moves = distinct_moves(position, readable_moves(position));
        moves.iter().map(|&mv| move_view(position, mv)).collect()
    }

    fn move_views(&self) -> Vec<MoveView> {
        self.game.turns().map(|(position, mv)| move_view(position, mv)).collect()
    }

    fn variation_views(
        &self,
        variations: &[Variation<&str>],
    ) -> Vec<(Vec<MoveView>, Option<EngineError>)> {
        let earlier = self.game.turns().map(|(position, _)| *position);
        let mut lines = GameLines::new(earlier.chain([*self.game.position()]));
        let views = variations.iter().map(|&Variation { line, ply, ref moves }| {
            let mut views = Vec::new();
            let Some(mut position) = lines.begin(line, ply).copied() else { return (views, None) };
            for text in moves {
                let mv = match read_move(&position, text) {
                    Ok(mv) => mv,
                    Err(error) => return (views, Some(error)),
                };
                views.push(move_view(&position, mv));
                position = position.play(mv);
                lines.push(position);
            }
            (views, None)
        });
        views.collect()
    }

    fn tablebase_value(&self) -> Option<TablebaseValue> {
        let tablebase = self.tablebase.as_ref().filter(|_| self.game.outcome().is_none())?;
        GameTablebase::of(&**tablebase, &self.game)
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
            let SearchSettings { limits, table, signals, .. } = &settings;
            let request = SearchRequest {
                history: &history,
                root_moves: &root_moves,
                eval_noise: settings.eval_noise,
                // The clock of a queued search starts when the search thread becomes idle.
                started: settings.requested_at.max(free_since),
                options: settings.options,
                tablebase: tablebase.as_deref().filter(|_| !settings.is_limited),
                network: network.as_deref().filter(|_| !settings.is_limited),
                ..SearchRequest::new(position, limits, table, signals)
            };
            run_search(&request, format, settings.show_wdl, sink);
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
