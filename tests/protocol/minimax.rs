//! A simulated beginner: a two-ply minimax search with the handcrafted evaluation.

use std::sync::mpsc::channel;

use soucie::engine::event::{Disconnected, Event};
use soucie::engine::{Engine, Limits, PlayingLevel};
use soucie::game::{Game, Side, legal_moves, mix, outcome};

/// The value of a win, more than any evaluation.
const WIN: i32 = 1_000_000;

/// The value of a position for the side to move, `plies` deep.
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

/// The beginner's move: a random one of the best moves.
pub fn choose<P: Game>(position: &P, seed: u64) -> P::Move {
    let moves = legal_moves(position);
    let rated = moves.iter().enumerate().map(|(i, &mv)| {
        let order = mix(seed ^ position.key() ^ i as u64);
        (-minimax(&position.play(mv), 1), order, i)
    });
    moves[rated.max().expect("the game is not over").2]
}

/// The length, in plies, at which a game is adjudicated as a draw.
const MAX_PLIES: usize = 300;

/// Half points of the beginner in a game against the engine: 2 for a win, 1 for a draw. The side
/// changes with each seed.
fn play<P: Game>(elo: i32, seed: u64) -> u32 {
    let (sender, moves) = channel();
    let mut engine = Engine::new(move |event| match event {
        Event::Best { best, .. } => sender.send(best).map_err(|_| Disconnected),
        _ => Ok(()),
    })
    .unwrap();
    engine.set_option("UCI_Variant", Some(P::VARIANTS[0].name)).unwrap();
    engine.set_option("Hash", Some("1")).unwrap();
    engine.set_level(PlayingLevel::Full, Some(elo)).unwrap();
    engine.vary(Some(seed));
    let beginner = if seed.is_multiple_of(2) { Side::Black } else { Side::White };
    for _ in 0..MAX_PLIES {
        let game = engine.session();
        if let Some(end) = game.outcome() {
            return end.winner.map_or(1, |winner| if winner == beginner { 2 } else { 0 });
        }
        let mv = if game.side() == beginner {
            let position = P::read_setup(&game.setup(), P::Rules::default()).unwrap();
            let mv = choose(&position, mix(seed));
            position.write_move(mv, Default::default())
        } else {
            let limits = Limits { nodes: Some(50_000), ..Limits::default() };
            engine.search(limits, &[]).unwrap();
            moves.recv().unwrap().unwrap()
        };
        engine.play(&mv).unwrap();
    }
    1
}

/// The beginner's score against the engine with this Elo, as a fraction of all points, and the half
/// width of its 95 % interval.
pub fn score<P: Game>(elo: i32, games: u64) -> (f64, f64) {
    let points: Vec<f64> = (0..games).map(|seed| f64::from(play::<P>(elo, seed)) / 2.0).collect();
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, 1.96 * (variance / count).sqrt())
}
