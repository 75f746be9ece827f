//! The time of searches in an archive of 100,000 random games in memory, for explorers of openings:
//! `cargo bench --bench game_list`. It also writes the records of the games, which other programs can read.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use soucie::archives::{GameList, Query, WantedPosition};
use soucie::game::{Game, MoveFormat, legal_moves, mix};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::records::RecordReader;

const GAMES: usize = 100_000;

/// The moves among which the first plies are drawn, so that many games have them.
const FEW: u64 = 3;

/// Games of random moves with up to `plies` plies, as records, and the setups of the first game.
fn random_games<P: Game>(plies: usize) -> (String, Vec<String>) {
    let variant = &P::VARIANTS[0];
    let is_pdn = variant.record_id.pdn_game().is_some();
    let (mut text, mut setups, mut seed) = (String::new(), Vec::new(), 0);
    let mut draw = |below: u64| {
        seed += 1;
        (mix(seed) >> 32) % below
    };
    for number in 0..GAMES {
        let head = if is_pdn { "[Black \"Player" } else { "(;GM[9]PB[Player" };
        let rest = if is_pdn {
            format!(
                " {}\"]\n[White \"Opponent {}\"]\n[Date \"2001\"]\n[GameType \"21\"]\n\n",
                number,
                draw(99)
            )
        } else {
            format!(" {}]PW[Opponent {}]DT[2001]", number, draw(99))
        };
        text += head;
        text += &rest;
        let mut position = P::read_setup(variant.start, P::Rules::default()).expect("a start");
        for ply in 0..plies {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let few = if ply < 10 { FEW.min(moves.len() as u64) } else { moves.len() as u64 };
            let mv = moves[draw(few) as usize];
            let written = position.write_move(mv, MoveFormat::Standard);
            match ply % 2 {
                _ if is_pdn => write!(text, "{written} "),
                0 => write!(text, ";B[{written}]"),
                _ => write!(text, ";W[{written}]"),
            }
            .expect("a text takes all");
            position = position.play(mv);
            if number == 0 {
                setups.push(position.write_setup());
            }
        }
        text += if is_pdn { "1-0\n\n" } else { ")\n" };
    }
    (text, setups)
}

fn measure<P: Game>(plies: usize) {
    let variant = &P::VARIANTS[0];
    let name = variant.name;
    let (text, setups) = random_games::<P>(plies);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("archive");
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join(name), &text).expect("the games can be written");
    let started = Instant::now();
    let mut list = GameList::default();
    for record in RecordReader::new(text.as_bytes()) {
        assert_eq!(list.add(&record.expect("a record")).fault, None);
    }
    list.shrink();
    let speed = list.len() as f64 / started.elapsed().as_secs_f64();
    println!("{name}: {} games of up to {plies} plies, {speed:.0} read a second", list.len());
    println!("{name}: {} bytes a game", list.size() / list.len());
    for ply in [0, 4, 12, 30, plies] {
        let setup = if ply == 0 { variant.start } else { &setups[ply.min(setups.len()) - 1] };
        let position = WantedPosition::read(variant, Some(setup), &[""; 0]).expect("a position");
        let query = Query { position: Some(position), ..Query::default() };
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..5 {
            let started = Instant::now();
            found = list.find(&query, &|_| true, &|| false).expect("not stopped").len();
            times.push(started.elapsed().as_millis());
        }
        times.sort_unstable();
        println!(
            "{name}: a position after {ply} plies: {found} games in {} ms ({} to {})",
            times[2], times[0], times[4]
        );
    }
}

fn main() {
    measure::<Loa>(60);
    measure::<Draughts>(60);
}
