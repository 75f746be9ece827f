//! One self-play game.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::openings::ListedOpening;
use crate::samples::{Sample, SampledEnd};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use soucie::book::moves_up_to_symmetry;
use soucie::engine::SearchedGame;
use soucie::game::{
    Game, GameHistory, GameTablebase, Move, Side, Tablebase, TablebaseValue, legal_moves,
};
use soucie::nnue::Network;
use soucie::random_openings::{RANDOM_PLIES, draw_index, play_random_moves};
use soucie::search::{
    Limits, OutOfMemory, Score, SearchMemory, SearchOptions, SearchRequest, Signals,
};

/// The size of a game's transposition table, in MiB: large enough for searches of about a thousand
/// nodes a move, and small enough to be cleared quickly.
const TABLE: usize = 1;

/// The number of plies of an explored opening.
pub const EXPLORED_PLIES: usize = 8;
/// The number of moves that are compared in each position of an explored opening, and how many times as many
/// nodes as elsewhere it gets.
const EXPLORED_MOVES: usize = 8;
/// The number of moves that are compared after it.
const LATER_MOVES: usize = 3;

/// What is known of the openings that the games of a player explore.
pub struct Explored<M> {
    /// The largest difference to the best move, in centipawns.
    most: u16,
    /// The best moves of the positions of openings, by key: they occur in many games.
    known: Mutex<HashMap<u64, Vec<SelfplayMove<M>>>>,
}

impl<M> Explored<M> {
    /// Nothing so far. Moves are drawn if they are at most `most` centipawns worse than the best one.
    pub fn new(most: u16) -> Self {
        Self { most, known: Mutex::default() }
    }
}

pub struct SelfplayPlayer<P: Game> {
    pub openings: Openings<P>,
    /// If moves are drawn, and not always the best is played.
    pub explored: Option<Explored<P::Move>>,
    /// The largest absolute score after an opening, in centipawns. Openings beyond it are dropped.
    pub balance: u16,
    /// The node limit of each search.
    pub nodes: u64,
    /// The length at which a game is drawn, in plies.
    pub longest: usize,
    /// The network; without one the handcrafted evaluation is used.
    pub network: Option<Arc<Network>>,
    /// The tablebase that ends games with a known result, if any.
    pub tablebase: Option<Arc<dyn Tablebase<P>>>,
}

pub struct SelfplayGame {
    pub samples: Vec<Sample>,
    pub end: SampledEnd,
}

#[derive(Clone)]
pub struct SelfplayMove<M> {
    pub best: M,
    pub score: Score,
    pub nodes: u64,
}

impl<P: SearchedGame> SelfplayPlayer<P> {
    /// Plays the game with this seed. The same seed always gives the same game.
    pub fn play(&self, seed: u64) -> Result<SelfplayGame, OutOfMemory> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = self.openings.draw(&mut random);
        let table = SearchMemory::new(TABLE)?;
        let mut seen = Vec::new();
        let winner = self.play_on(&mut game, &mut random, seed, &table, &mut seen);
        let samples = winner.map_or_else(Vec::new, |winner| {
            let judged = seen.into_iter().map(|(side, sample)| {
                let result = half_points(winner, side);
                Sample { result, ..sample }
            });
            judged.collect()
        });
        let end = SampledEnd {
            seed,
            samples: samples.len() as u32,
            plies: game.plies() as u16,
            result: winner.map(|winner| half_points(winner, Side::Black)),
        };
        Ok(SelfplayGame { samples, end })
    }

    /// Plays from an opening to the end and collects the samples in `seen`. Returns the winner
    /// (`Some(None)` for a draw), or `None` if the opening is dropped.
    fn play_on(
        &self,
        game: &mut GameHistory<P>,
        random: &mut Xoshiro256PlusPlus,
        seed: u64,
        table: &SearchMemory,
        seen: &mut Vec<(Side, Sample)>,
    ) -> Option<Option<Side>> {
        let mut is_opening = true;
        loop {
            let position = *game.position();
            let side = position.side();
            if let Some(winner) = self.over(game) {
                return Some(winner).filter(|_| !is_opening);
            }
            let moves = legal_moves(&position);
            // A single legal move needs no search, and the position is of no use for training.
            if let ([only], false) = (moves.as_slice(), is_opening) {
                game.play(*only);
                continue;
            }
            let found = match &self.explored {
                Some(explored) => self.explore(explored, game, table, random)?,
                None => self.search(&position, game.earlier(), table)?,
            };
            let advantage = self.centipawns(found.score).abs();
            if is_opening && (found.score.is_decided() || advantage > self.balance.into()) {
                return None;
            }
            is_opening = false;
            if found.score.is_decided() {
                return Some(Some(if found.score.is_won() { side } else { !side }));
            }
            if !position.is_forced() {
                seen.push((side, sample(&position, &found, game.plies(), seed)));
            }
            game.play(found.best);
        }
    }

    /// Returns the winner if the game is over (`Some(None)` for a draw).
    fn over(&self, game: &GameHistory<P>) -> Option<Option<Side>> {
        if let Some(outcome) = game.outcome() {
            return Some(outcome.winner);
        }
        if game.plies() >= self.longest {
            return Some(None);
        }
        let side = game.position().side();
        match GameTablebase::value_in_game(self.tablebase.as_deref()?, game)? {
            TablebaseValue::Won(_) => Some(Some(side)),
            TablebaseValue::Lost(_) => Some(Some(!side)),
            TablebaseValue::Drawn => Some(None),
        }
    }

    /// Searches a position; `history` are the positions before it. Returns `None` if there is no legal
    /// move.
    pub fn search(
        &self,
        position: &P,
        history: &[P],
        table: &SearchMemory,
    ) -> Option<SelfplayMove<P::Move>> {
        self.best_moves(position, history, table, &[], 1, self.nodes).into_iter().next()
    }

    /// Draws one of the moves that are about as good as the best one, whose score it has.
    fn explore(
        &self,
        explored: &Explored<P::Move>,
        game: &GameHistory<P>,
        table: &SearchMemory,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<SelfplayMove<P::Move>> {
        let position = game.position();
        let moves = if game.plies() < EXPLORED_PLIES {
            self.opening_moves(explored, position)?
        } else {
            self.best_moves(position, game.earlier(), table, &[], LATER_MOVES, self.nodes)
        };
        let score = moves.first()?.score;
        let least = self.centipawns(score) - i32::from(explored.most);
        let good = moves.partition_point(|mv| self.centipawns(mv.score) >= least);
        let drawn = moves.into_iter().nth(draw_index(good, random)?)?;
        Some(SelfplayMove { score, ..drawn })
    }

    /// The best moves of a position of an opening, whatever game it is of.
    fn opening_moves(
        &self,
        explored: &Explored<P::Move>,
        position: &P,
    ) -> Option<Vec<SelfplayMove<P::Move>>> {
        let known = || explored.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(moves) = known().get(&position.key()) {
            return Some(moves.clone());
        }
        let distinct = moves_up_to_symmetry(position);
        let (table, nodes) = (SearchMemory::new(TABLE).ok()?, self.nodes * EXPLORED_MOVES as u64);
        let moves = self.best_moves(position, &[], &table, &distinct, EXPLORED_MOVES, nodes);
        known().insert(position.key(), moves.clone());
        Some(moves)
    }

    /// Searches a position for this many of its best moves, the best first: of `root_moves`, or of all if there
    /// are none.
    fn best_moves(
        &self,
        position: &P,
        history: &[P],
        table: &SearchMemory,
        root_moves: &[P::Move],
        count: usize,
        nodes: u64,
    ) -> Vec<SelfplayMove<P::Move>> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let signals = Signals::new(false);
        let request = SearchRequest {
            history,
            root_moves,
            options: SearchOptions { multipv: count, ..SearchOptions::default() },
            tablebase: self.tablebase.as_deref(),
            network: self.network.as_deref(),
            ..SearchRequest::new(*position, &limits, table, &signals)
        };
        let lines = P::best_lines(&request).into_iter();
        lines
            .filter_map(|line| {
                let best = *line.pv.first()?;
                Some(SelfplayMove { best, score: line.score, nodes: line.nodes })
            })
            .collect()
    }

    fn centipawns(&self, score: Score) -> i32 {
        P::CALIBRATION.scale(self.network.is_some()).centipawns(score.raw().into())
    }
}

/// Returns the sample of a position. The result is filled in at the end of the game.
fn sample<P: Game>(position: &P, found: &SelfplayMove<P::Move>, ply: usize, seed: u64) -> Sample {
    Sample {
        inputs: position.features(position.side()),
        score: found.score.raw(),
        result: 0,
        noisy: position.is_noisy(found.best),
        ply: ply as u16,
        best: found.best.packed(),
        game: seed as u32,
    }
}

/// Returns the half points of `side` for a game won by `winner`.
fn half_points(winner: Option<Side>, side: Side) -> u8 {
    match winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}

/// The minimum and maximum number of random plies after a listed opening.
const PLIES_BEHIND: (u32, u32) = (0, 4);
/// Those of games that begin at the start position.
const NO_PLIES: (u32, u32) = (0, 0);

pub struct Openings<P: Game> {
    start: P,
    /// The games after the listed openings. If empty, games begin at the start.
    listed: Vec<GameHistory<P>>,
    /// The minimum and maximum number of random plies that follow.
    plies: (u32, u32),
}

impl<P: Game> Openings<P> {
    pub fn random(start: P) -> Self {
        Self { start, listed: Vec::new(), plies: RANDOM_PLIES }
    }

    /// The start position as the only opening.
    pub fn none(start: P) -> Self {
        Self { start, listed: Vec::new(), plies: NO_PLIES }
    }

    /// Returns a source of openings that begin with one of those listed.
    pub fn listed(start: P, openings: &[ListedOpening]) -> Result<Self, P::Error> {
        let listed = openings.iter().map(|opening| opening.play(&start));
        let listed = listed.collect::<Result<_, _>>()?;
        Ok(Self { start, listed, plies: PLIES_BEHIND })
    }

    /// Draws an opening and returns the game after it. It is shorter if the game ends earlier.
    pub fn draw(&self, random: &mut Xoshiro256PlusPlus) -> GameHistory<P> {
        let listed = draw_index(self.listed.len(), random).and_then(|index| self.listed.get(index));
        let mut game = listed.map_or_else(|| GameHistory::new(self.start), GameHistory::clone);
        play_random_moves(&mut game, self.plies, random);
        game
    }
}
