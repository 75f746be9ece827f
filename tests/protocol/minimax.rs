//! Simulated beginners, to measure the levels of strength.

use crate::player::Player;
use soucie::engine::PlayingLevel;
use soucie::game::{Game, Side, legal_moves, mix, outcome};
use soucie::search::Limits;

/// The value of a win, more than any evaluation.
const WIN: i32 = 1_000_000;

/// The value of a position for the side to move, `plies` deep, by the handcrafted evaluation.
fn minimax<P: Game>(position: &P, plies: u32) -> i32 {
    if let Some(end) = outcome(position) {
        let won = |winner| if winner == position.side() { WIN } else { -WIN };
        return end.winner.map_or(0, won);
    }
    if plies == 0 {
        return position.evaluate();
    }
    let replies = legal_moves(position);
    replies.iter().map(|&mv| -minimax(&position.play(mv), plies - 1)).max().unwrap_or(0)
}

/// A simulated beginner, who chooses at random among equal moves.
#[derive(Clone, Copy, Debug)]
pub enum Beginner {
    /// Looks two plies ahead, by minimax with the handcrafted evaluation and without quiescence.
    TwoPlies,
    /// Wins in one move if possible; all other moves are equal.
    Random,
}

impl Beginner {
    /// The beginner's move.
    pub fn choose<P: Game>(self, position: &P, seed: u64) -> P::Move {
        let value = |next: &P| match self {
            Self::TwoPlies => -minimax(next, 1),
            Self::Random => {
                let end = outcome(next);
                i32::from(end.is_some_and(|end| end.winner == Some(position.side())))
            }
        };
        let moves = legal_moves(position);
        let rated = moves.iter().enumerate().map(|(i, &mv)| {
            let order = mix(seed ^ position.key() ^ i as u64);
            (value(&position.play(mv)), order, i)
        });
        moves[rated.max().expect("the game is not over").2]
    }

    /// Half points of the beginner in a game against the engine: 2 for a win, 1 for a draw. The side
    /// changes with each seed.
    fn play<P: Game>(self, level: PlayingLevel, seed: u64) -> u32 {
        let mut player = Player::new(&[("UCI_Variant", P::VARIANTS[0].name), ("Hash", "1")]);
        player.engine.set_level(level, None).unwrap();
        player.engine.vary(Some(seed));
        let beginner = if seed.is_multiple_of(2) { Side::Black } else { Side::White };
        for _ in 0..MAX_PLIES {
            let game = player.engine.session();
            if let Some(end) = game.outcome() {
                return end.winner.map_or(1, |winner| if winner == beginner { 2 } else { 0 });
            }
            let mv = if game.side() == beginner {
                let position = P::read_setup(&game.setup(), P::Rules::default()).unwrap();
                position.write_move(self.choose(&position, mix(seed)), Default::default())
            } else {
                player.find_move(&Limits { nodes: Some(50_000), ..Limits::default() })
            };
            player.engine.play(&mv).unwrap();
        }
        1
    }

    /// The engine's score against the beginner at this level, as a fraction of all points, and the
    /// half width of its 95 % interval.
    pub fn score<P: Game>(self, level: PlayingLevel, games: u64) -> (f64, f64) {
        let points: Vec<f64> =
            (0..games).map(|seed| 1.0 - f64::from(self.play::<P>(level, seed)) / 2.0).collect();
        let count = points.len() as f64;
        let mean = points.iter().sum::<f64>() / count;
        let variance =
            points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, 1.96 * (variance / count).sqrt())
    }
}

/// The length, in plies, at which a game is adjudicated as a draw.
const MAX_PLIES: usize = 300;
