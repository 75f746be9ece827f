//! The command `archive` on many games, against a replay of their records.

use std::collections::BTreeMap;
use std::fmt::Write;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use soucie::archives::GameList;
use soucie::engine;
use soucie::engine::session::GameSession;
use soucie::options::Options;
use soucie::records::{RecordReader, record_game};

use crate::dialogue::run_uci;

/// A game: its moves in coordinates, and the pieces and the side to move before each of them and at the end.
struct Played {
    moves: Vec<String>,
    boards: Vec<String>,
    result: &'static str,
}

fn session(variant: &str) -> Box<dyn GameSession> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(variant)).unwrap();
    engine::open(&options).unwrap()
}

/// The pieces and the side to move, without the counters of the setup.
fn board(session: &dyn GameSession) -> String {
    format!("{:?} {}", session.board(), session.side())
}

/// Games of random moves, among the first ones of each position, so that they meet again.
fn random_games(variant: &str, number: usize, seed: u64) -> Vec<Played> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let game = |_| {
        let mut session = session(variant);
        let (mut moves, mut boards) = (Vec::new(), vec![board(&*session)]);
        for _ in 0..rng.random_range(10..60) {
            let legal = session.legal_moves();
            let few = if moves.len() < 8 { 2 } else { legal.len() };
            let Some(mv) = legal[..few.min(legal.len())].choose(&mut rng) else { break };
            session.play(mv).unwrap();
            moves.push(mv.clone());
            boards.push(board(&*session));
        }
        let result = *["black", "white", "draw"].choose(&mut rng).unwrap();
        Played { moves, boards, result }
    };
    (0..number).map(game).collect()
}

/// The records of games with players, an event and a date.
fn records(variant: &str, games: &[Played]) -> String {
    let mut text = String::new();
    for (number, game) in games.iter().enumerate() {
        let mut record = record_game(variant, None, &|_| None, &game.moves).unwrap().unwrap();
        let result = Some(game.result.to_string()).try_into().unwrap();
        record.set_outcome(result);
        let year = format!("{}.05.01", 1950 + number % 70);
        let players = [format!("Player Number {number}"), format!("Opponent {}", number % 50)];
        use soucie::records::HeaderField::{Black, Date, Event, White};
        for (field, header) in [
            (Black, &*players[0]),
            (White, &players[1]),
            (Event, "World Championship"),
            (Date, &year),
        ] {
            record.set_info(field, header);
        }
        writeln!(text, "{record}").unwrap();
    }
    text
}

/// The answers to lines of input that begin with `archive`.
fn answers(input: &str) -> Vec<Value> {
    let output = run_uci(input);
    let lines = output.lines().filter_map(|line| line.strip_prefix("archive "));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn trees_and_finds_are_those_of_a_replay() {
    for (variant, seed) in [("linesofaction", 1), ("englishdraughts", 2)] {
        let games = random_games(variant, 120, seed);
        let add = json!({ "text": records(variant, &games) });
        let mut input = format!(
            "setoption name UCI_Variant value {variant}\narchive open\narchive add {add}\n"
        );
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut places = Vec::new();
        for _ in 0..40 {
            let game = games.choose(&mut rng).unwrap();
            let ply = rng.random_range(0..game.boards.len().min(12));
            let moves = game.moves[..ply].join(" ");
            writeln!(
                input,
                "position startpos moves {moves}\narchive tree\narchive find {{\"position\":true}}"
            )
            .unwrap();
            places.push(&game.boards[ply]);
        }
        let answers = answers(&input);
        let added = json!({ "games": games.len(), "faults": 0, "errors": [] });
        assert_eq!(answers[1], added);
        let mut several = 0;
        for (wanted, answer) in places.iter().zip(answers[2..].chunks(2)) {
            let ply_in = |game: &Played| game.boards.iter().position(|board| board == *wanted);
            let found: Vec<(usize, usize)> = games
                .iter()
                .enumerate()
                .filter_map(|(number, game)| Some((number + 1, ply_in(game)?)))
                .collect();
            let listed: Vec<(usize, usize)> = answer[1]["games"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    [&row["number"], &row["ply"]].map(|n| n.as_u64().unwrap() as usize).into()
                })
                .collect();
            assert_eq!(listed, found[..found.len().min(100)], "{variant}: {wanted}");
            assert_eq!(answer[1]["total"], found.len());
            let mut moves = BTreeMap::<&str, [u64; 3]>::new();
            for &(number, ply) in &found {
                let game = &games[number - 1];
                let result =
                    ["black", "white", "draw"].iter().position(|r| *r == game.result).unwrap();
                if let Some(mv) = game.moves.get(ply) {
                    moves.entry(mv).or_default()[result] += 1;
                }
            }
            let tree = answer[0]["moves"].as_array().unwrap();
            let played = tree.iter().map(|row| {
                let results = ["black", "white", "draws"].map(|name| row[name].as_u64().unwrap());
                assert_eq!(row["games"], results.iter().sum::<u64>());
                (row["move"]["coordinate"].as_str().unwrap(), results)
            });
            assert_eq!(played.collect::<BTreeMap<_, _>>(), moves, "{variant}: {wanted}");
            assert!(tree.is_sorted_by_key(|row| -row["games"].as_i64().unwrap()));
            several += usize::from(moves.len() > 1);
        }
        assert!(several > 10, "{several} positions with several moves");
    }
}

#[test]
fn a_list_needs_at_most_200_bytes_a_game() {
    for (variant, seed) in [("linesofaction", 3), ("englishdraughts", 4)] {
        let games = random_games(variant, 1_000, seed);
        let mut list = GameList::default();
        for record in RecordReader::new(records(variant, &games).as_bytes()) {
            assert_eq!(list.add(&record.unwrap()).fault, None);
        }
        list.shrink();
        assert_eq!(list.len(), games.len());
        let each = list.size() / games.len();
        assert!(each <= 200, "{variant}: {each} bytes a game");
        for (number, game) in games.iter().enumerate() {
            assert_eq!(list.moves(number), game.moves);
        }
    }
}
