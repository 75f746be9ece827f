//! One game of the engine against itself.

use std::sync::Arc;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::opening::Openings;
use crate::game::{Move, Position, Side, Tablebase, TablebaseValue, legal_moves, outcome};
use crate::nnue::Network;
use crate::search::{
    self, Bound, EvalNoise, Limits, OutOfMemory, Score, SearchEvent, SearchRequest, Signals,
    TranspositionTable,
};
use crate::tools::samples::{GameEnd, Sample};

/// The table of a game in MiB: a game of a thousand positions a move hardly fills it, and it is
/// cleared in no time.
const TABLE: usize = 1;

/// An opening is dropped where its first score is farther from 0, in centipawns.
const BALANCED: i32 = 600;

/// So many occurrences of a position draw a game.
const REPETITIONS: usize = 3;

/// How games are played.
pub struct Player<P: Position> {
    /// Where they begin.
    pub start: P,
    /// How they go on.
    pub openings: Openings<P>,
    /// The positions that each search may visit.
    pub nodes: u64,
    /// A game of so many plies is drawn.
    pub longest: usize,
    /// What judges positions; the handcrafted evaluation without one.
    pub network: Option<Arc<Network>>,
    /// Who knows positions for certain.
    pub oracle: Option<Arc<dyn Tablebase<P>>>,
}

/// A game that was played.
pub struct PlayedGame {
    /// What can be learned from it.
    pub samples: Vec<Sample>,
    /// How it ended.
    pub end: GameEnd,
}

/// What a search found.
pub struct FoundMove<M> {
    /// The best move.
    pub best: M,
    /// The score for the side to move.
    pub score: Score,
    /// The positions visited.
    pub nodes: u64,
}

impl<P: Position> Player<P> {
    /// Plays the game with this seed: always the same one.
    pub fn play(&self, seed: u64) -> Result<PlayedGame, OutOfMemory> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut line = GameLine { position: self.start, keys: Vec::new() };
        for mv in self.openings.draw(&self.start, &mut random) {
            line.play(mv);
        }
        let table = TranspositionTable::new(TABLE)?;
        let mut seen = Vec::new();
        let winner = self.play_on(&mut line, seed, &table, &mut seen);
        let samples = winner.map_or_else(Vec::new, |winner| {
            let judged = seen.into_iter().map(|(side, sample)| {
                let result = half_points(winner, side);
                Sample { result, ..sample }
            });
            judged.collect()
        });
        let end = GameEnd {
            seed,
            samples: samples.len() as u32,
            plies: line.keys.len() as u16,
            result: winner.map(|winner| half_points(winner, Side::Black)),
        };
        Ok(PlayedGame { samples, end })
    }

    /// Plays from an opening to the end and notes what was seen. Tells who won, if anybody; `None`
    /// where the opening is no good.
    fn play_on(
        &self,
        line: &mut GameLine<P>,
        seed: u64,
        table: &TranspositionTable,
        seen: &mut Vec<(Side, Sample)>,
    ) -> Option<Option<Side>> {
        let mut is_opening = true;
        loop {
            let position = line.position;
            let side = position.side();
            if let Some(winner) = self.over(line) {
                return Some(winner).filter(|_| !is_opening);
            }
            let moves = legal_moves(&position);
            // One move needs no search, and is no position to learn from.
            if let ([only], false) = (moves.as_slice(), is_opening) {
                line.play(*only);
                continue;
            }
            let found = self.search(&position, &line.keys, table)?;
            let advantage = P::CALIBRATION
                .of(self.network.as_deref())
                .centipawns(found.score.raw().into())
                .abs();
            if is_opening && (found.score.is_certain() || advantage > BALANCED) {
                return None;
            }
            is_opening = false;
            if found.score.is_certain() {
                return Some(Some(if found.score.is_won() { side } else { !side }));
            }
            if !position.is_forced() {
                seen.push((side, sample(&position, &found, line.keys.len(), seed)));
            }
            line.play(found.best);
        }
    }

    /// Whether the game is over, and who has won, if anybody.
    fn over(&self, line: &GameLine<P>) -> Option<Option<Side>> {
        if let Some(outcome) = outcome(&line.position) {
            return Some(outcome.winner);
        }
        if line.is_repeated() || line.keys.len() >= self.longest {
            return Some(None);
        }
        let side = line.position.side();
        match self.oracle.as_ref()?.value(&line.position)? {
            TablebaseValue::Won(_) => Some(Some(side)),
            TablebaseValue::Lost(_) => Some(Some(!side)),
            TablebaseValue::Drawn => Some(None),
        }
    }

    /// Searches a position after those with the given keys; `None` where there is no move.
    pub fn search(
        &self,
        position: &P,
        keys: &[u64],
        table: &TranspositionTable,
    ) -> Option<FoundMove<P::Move>> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let task = SearchRequest {
            root: *position,
            history: keys,
            root_moves: &[],
            limits: &limits,
            eval_noise: EvalNoise::default(),
            started: Instant::now(),
            threads: 1,
            multipv: 1,
            table,
            tablebase: self.oracle.as_deref(),
            network: self.network.as_deref(),
            signals: &Signals::new(false),
        };
        let mut last = (Score::default(), 0);
        let choice = search::run(&task, &mut |report| {
            if let SearchEvent::Line(line) = report
                && line.bound == Bound::Exact
            {
                last = (line.score, line.nodes);
            }
        })?;
        let (score, nodes) = last;
        Some(FoundMove { best: choice.best, score, nodes })
    }
}

/// A game so far.
struct GameLine<P: Position> {
    position: P,
    /// The keys of all positions before it.
    keys: Vec<u64>,
}

impl<P: Position> GameLine<P> {
    fn play(&mut self, mv: P::Move) {
        self.keys.push(self.position.key());
        self.position = self.position.play(mv);
    }

    fn is_repeated(&self) -> bool {
        let past = self.keys.iter().rev().take(self.position.reversible_plies());
        past.filter(|&&key| key == self.position.key()).count() + 1 >= REPETITIONS
    }
}

/// What is to be learned from a position; the result of the game is not known yet.
fn sample<P: Position>(position: &P, found: &FoundMove<P::Move>, ply: usize, seed: u64) -> Sample {
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

/// The half points of `side` where `winner` has won.
fn half_points(winner: Option<Side>, side: Side) -> u8 {
    match winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}
