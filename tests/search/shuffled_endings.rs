//! Endings whose history has used up positions: what is announced is kept.

use std::env;
use std::sync::Arc;

use crate::dialogue::run_uci;
use crate::player::Player;
use crate::programs::tables;
use crate::tablebases::{random_ending, run_with_tables};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::analysis::analyser::{Analyser, search_limits};
use soucie::analysis::review::{Mark, review};
use soucie::engine::event::Info;
use soucie::engine::uci_score::UciScore;
use soucie::game::Players;
use soucie::game::{
    GameHistory, GameTablebase, Move, MoveFormat, Notation, Position, TablebaseValue, legal_moves,
    rules_from,
};
use soucie::games::draughts::tablebase::OwnTables;
use soucie::games::draughts::{Draughts, DraughtsMove};
use soucie::search::{Limits, SearchOptions, Signals};

/// The rule settings: option and value.
const RULES: &[&[(&str, u16)]] = &[
    &[],
    &[("Repetition Draw", 0)],
    &[("Repetition Draw", 2)],
    &[("Repetition Draw", 4)],
    &[("Repetition Draw", 9)],
    &[("Draw Move Count", 0)],
    &[("Draw Move Count", 7)],
    &[("Draw Move Count", 16), ("Repetition Draw", 2)],
    &[("No Capture Draw", 12)],
    &[("No Capture Draw", 20), ("Draw Move Count", 0), ("Repetition Draw", 2)],
];

/// What a search announces: the winner, and the winner's moves if known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Announced {
    wins: bool,
    moves: Option<u32>,
}

fn announced(info: &Info) -> Option<Announced> {
    let wdl = info.wdl.unwrap();
    let by_score = match info.score {
        UciScore::Mate(moves) => {
            Some(Announced { wins: moves > 0, moves: Some(moves.unsigned_abs()) })
        }
        UciScore::Centipawns(cp) => {
            (cp.abs() >= 19_800).then_some(Announced { wins: cp > 0, moves: None })
        }
    };
    let by_wdl = [wdl.wins, wdl.losses].contains(&1000);
    assert_eq!(by_wdl, by_score.is_some(), "{info:?}");
    by_score
}

/// An engine with tables.
struct Announcer(Player);

impl Announcer {
    fn new(rules: &[(&str, u16)]) -> Self {
        let mut player = Player::new(&[
            ("UCI_Variant", "draughts"),
            ("UCI_ShowWDL", "true"),
            ("TablePath", tables().to_str().unwrap()),
        ]);
        for &(name, value) in rules {
            player.engine.set_option(name, Some(&value.to_string())).unwrap();
        }
        Self(player)
    }

    /// The best move in a game, and what the last line announces.
    fn search(&mut self, game: &GameHistory<Draughts>) -> (String, Option<Announced>) {
        let moves: Vec<String> = game.turns().map(|(position, mv)| text(position, mv)).collect();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.0.engine.set_position(Some(&game.start().write_setup()), &moves).unwrap();
        let (best, lines) = self.0.search(&Limits { nodes: Some(2_000), ..Limits::default() });
        (best, lines.iter().fold(None, |_, info| announced(info)))
    }

    /// Plays an announced result out against the defence. Returns the end if it was not kept.
    fn play_out(
        &mut self,
        mut game: GameHistory<Draughts>,
        Announced { wins, moves }: Announced,
        tables: &OwnTables,
        rng: &mut SmallRng,
    ) -> Result<(), String> {
        let side = game.position().side();
        let winner = if wins { side } else { !side };
        let mut made = 0;
        loop {
            if let Some(outcome) = game.outcome() {
                let is_in_time = moves.is_none_or(|moves| made <= moves);
                let is_kept = outcome.winner == Some(winner) && is_in_time;
                return if is_kept { Ok(()) } else { Err(format!("{outcome} in {made} moves")) };
            }
            let mv = if game.position().side() == winner {
                made += 1;
                game.position().read_move(&self.search(&game).0).unwrap()
            } else {
                defence(&game, tables, rng)
            };
            game.play(mv);
        }
    }
}

fn text(position: &Draughts, mv: DraughtsMove) -> String {
    position.write_move(mv, MoveFormat::Coordinate)
}

/// A random ending and the game after some moves to and fro.
fn shuffled_ending(rng: &mut SmallRng, rules: &[(&str, u16)]) -> Option<GameHistory<Draughts>> {
    let pieces = rng.random_range(3..=4);
    let setup = random_ending(rng, pieces);
    let rules = rules_from::<<Draughts as Notation>::Rules>(&|name| {
        let chosen = rules.iter().find(|&&(other, _)| other == name);
        chosen.map(|&(_, value)| value)
    });
    let mut game = GameHistory::new(Draughts::read_setup(&setup, rules).ok()?);
    for _ in 0..rng.random_range(0..16) {
        let position = *game.position();
        let moves = legal_moves(&position);
        if moves.is_empty() || game.outcome().is_some() {
            return None;
        }
        // Often back to where the piece came from.
        let last = game.turns().rev().nth(1).map(|(_, mv)| (mv.target(), mv.origin()));
        let back = moves.iter().copied().find(|mv| Some((mv.origin(), mv.target())) == last);
        let back = back.filter(|_| rng.random_bool(0.6));
        game.play(back.unwrap_or_else(|| moves[rng.random_range(0..moves.len())]));
    }
    game.outcome().is_none().then_some(game)
}

/// The move of a defender: one that draws at once, else one that leaves the value unknown, or
/// else a repetition or the longest way.
fn defence(game: &GameHistory<Draughts>, tables: &OwnTables, rng: &mut SmallRng) -> DraughtsMove {
    let rank = |mv| {
        let mut next = game.clone();
        next.play(mv);
        let key = next.position().key();
        let seen = next.earlier().iter().filter(|earlier| earlier.key() == key).count();
        let rank = match (next.outcome(), GameTablebase::value_in_game(tables, &next)) {
            (Some(end), _) if end.winner.is_none() => 1_000,
            (Some(_), _) => 0,
            (None, Some(TablebaseValue::Won(plies))) => plies.unwrap_or(200).into(),
            (None, None) => 800,
            (None, Some(_)) => 900,
        };
        rank + 40 * seen
    };
    let mut moves: Vec<_> =
        legal_moves(game.position()).into_iter().map(|mv| (rank(mv), mv)).collect();
    let best = moves.iter().map(|&(rank, _)| rank).max();
    moves.retain(|&(rank, _)| Some(rank) == best);
    moves[rng.random_range(0..moves.len())].1
}

/// With `SOUCIE_SHUFFLES=1000` a thousand endings of each rule setting; `SOUCIE_SEED=2` selects
/// others.
#[test]
fn announced_wins_are_kept() {
    let number = |name, default| env::var(name).map_or(default, |text| text.parse().unwrap());
    let (wanted, seed) = (number("SOUCIE_SHUFFLES", 50), number("SOUCIE_SEED", 5));
    let tables = OwnTables::open(tables()).unwrap();
    let mut wrong = Vec::new();
    for rules in RULES {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut player = Announcer::new(rules);
        let (mut played, mut wins) = (0, 0);
        while played < wanted {
            let Some(game) = shuffled_ending(&mut rng, rules) else { continue };
            played += 1;
            player.0.engine.new_game().unwrap();
            let Some(announced) = player.search(&game).1 else { continue };
            wins += 1;
            if let Err(end) = player.play_out(game.clone(), announced, &tables, &mut rng) {
                let moves: Vec<_> = game.turns().map(|(position, mv)| text(position, mv)).collect();
                let (setup, moves) = (game.start().write_setup(), moves.join(" "));
                wrong.push(format!("{rules:?} {setup} moves {moves}: {announced:?}, but {end}"));
            }
        }
        eprintln!("{rules:?}: {wins} announced in {played}");
        // Most wins are not touched by the moves before.
        assert!(5 * wins > played, "{rules:?}: {wins} announced in {played}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first move of the win leads to a position for the last time before a draw by repetition.
#[test]
fn a_win_whose_first_move_exhausts_a_position_stays_announced() {
    let shuffled = "fen W:WK22,11,24:BK13,K32 moves \
        g3h4 a5b6 c3d4 b6c5 d4b6 g1h2 b6c5 h2g1 f6g7 g1f2 c5d6 f2g1";
    let once = "setoption name Repetition Draw value 2\n";
    let draughts = "setoption name UCI_Variant value draughts\n";
    let rows = [
        (draughts, shuffled, 10, "d6c5", "g1h2"),
        (once, "fen 2L4L/8/3l4/2L5/Ll6/2l4l/2l1l3/2L5 b moves", 5, "c2d3", "c1d1"),
        (once, "fen 8/8/3l4/l7/6L1/L7/7L/7l w moves", 5, "a3c5", "d6e6"),
        (once, "fen L6l/3L4/8/L7/8/1L6/2l1l3/LL4L1 b moves", 5, "h8f6", "a1d1"),
    ];
    for (options, position, moves, first, reply) in rows {
        let text = run_uci(format!(
            "{options}setoption name OwnBook value false\n\
             position {position}\ngo nodes 20000 searchmoves {first}\n\
             position {position} {first} {reply}\ngo depth 2\n"
        ));
        let (announced, next) = text.split_once("bestmove ").unwrap();
        let mate = |text: &str| {
            let line = text.lines().rev().find(|line| line.contains(" score "))?;
            line.split_once(" score mate ")?.1.split(' ').next()?.parse::<i32>().ok()
        };
        assert_eq!(mate(announced), Some(moves), "{text}");
        assert!(mate(next).is_some_and(|left| 0 < left && left < moves), "{text}");
    }
}

/// Black has been shuffling. Two positions have occurred twice.
const SHUFFLED: &str = "7-11 32-28 3-7 28-24 11-15 24-27 7-10 27-32 10-7 32-27 15-11 27-24";

#[test]
fn a_win_through_a_position_that_draws_is_none() {
    // After 11-15 White draws with 24-27, the third occurrence.
    let rows = [
        ("", "go nodes 100000", "bestmove f6g5"),
        ("", "go depth 1", " cp "),
        ("", "go depth 4 searchmoves 11-15", " score cp 0 "),
        ("", "setoption name MultiPV value 6\ngo depth 4", " multipv 6 score cp 0 "),
        (" 11-15", "go depth 4", " score cp 0 wdl 6 988 6 "),
        (" 11-15 24-28", "go depth 1", " score mate "),
    ];
    for (moves, go, expected) in rows {
        let text = run_with_tables(&format!(
            "setoption name UCI_ShowWDL value true\n\
             position fen B:WK32:BK3,K7 moves {SHUFFLED}{moves}\n{go}"
        ));
        let last = text.lines().rev().take(if go.contains("nodes") { 1 } else { 2 });
        assert!(last.into_iter().any(|line| line.contains(expected)), "{moves} {go}: {text}");
    }
}

#[test]
fn a_review_calls_a_move_that_allows_a_repetition_a_mistake() {
    let mut player = Announcer::new(&[]).0;
    let moves: Vec<&str> = SHUFFLED.split(' ').collect();
    player.engine.set_position(Some("B:WK32:BK3,K7"), &moves).unwrap();
    let limits = search_limits(Some(20_000), None, None);
    let analyser =
        Analyser { limits, options: SearchOptions::default(), players: Players::Engine, hash: 1 };
    let signals = Arc::new(Signals::new(false));
    for (mv, mark) in [("f6e5", Some(Mark::Blunder)), ("f6g5", None)] {
        let game = player.engine.session();
        let analysis = analyser.analyse(game, Some(mv), &signals).unwrap();
        assert_eq!((analysis.table, analysis.played_table), (None, None), "{mv}");
        let review = review(13, game, &game.check_move(mv).unwrap(), &analysis, None).unwrap();
        assert_eq!(review.unwrap().mark, mark, "{mv}");
    }
}
