//! Endgame tables in the search and in the protocol.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use crate::chinook;
use crate::dialogue::{Dialogue, SharedBuffer, run_uci};
use crate::player::Player;
use crate::programs::{self, tables};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::game::{self, MoveFormat, Notation, Outcome, Position, Side, legal_moves};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tablebase::{OwnTables, Value, export};
use soucie::protocol::{Received, SingleThreadLoop};
use soucie::search::Limits;

/// The output for these commands with the tables.
pub fn run_with_tables(commands: &str) -> String {
    let folder = tables().display();
    run_uci(format!(
        "setoption name UCI_Variant value draughts\n\
         setoption name TablePath value {folder}\n{commands}\n"
    ))
}

/// The last line with a score.
fn last_score_line(text: &str) -> &str {
    text.lines().rev().find(|line| line.contains(" score ")).unwrap_or_default()
}

/// The number after a word.
fn number(line: &str, word: &str) -> Option<i64> {
    line.split_whitespace().skip_while(|&other| other != word).nth(1)?.parse().ok()
}

#[test]
fn tablebase_positions_have_exact_scores_after_few_nodes() {
    let table = [
        ("W:WK14,K15,K18:BK1", " score mate 6 "),
        ("B:WK14,K15,K18:BK1", " score mate -4 "),
        // Two kings against one in the double corner: won.
        ("W:WK14,K15:BK28", " score mate 11 "),
    ];
    for (setup, score) in table {
        let text = run_with_tables(&format!("position fen {setup}\ngo depth 30"));
        let line = last_score_line(&text);
        assert!(line.contains(score), "{setup}: {text}");
        assert!(number(line, "tbhits").unwrap() > 0);
        assert!(number(line, "nodes").unwrap() < 1_000, "{line}");
        let text = run_with_tables(&format!("position fen {setup}\ngo nodes 1"));
        assert!(last_score_line(&text).contains(score), "{setup}: {text}");
    }
    // The score of a draw stays 0 while the search looks for chances of the opponent to err.
    let drawn = "setoption name UCI_ShowWDL value true\nposition fen W:WK32:BK1\ngo depth 12";
    let text = run_with_tables(drawn);
    let scores: Vec<&str> = text.lines().filter(|line| line.contains(" score ")).collect();
    let is_drawn = |line: &&str| line.contains(" score cp 0 wdl 0 1000 0 ");
    assert!(!scores.is_empty() && scores.iter().all(is_drawn), "{text}");
    // Without tables there are no tablebase hits.
    assert!(!run_uci("go depth 3\n").contains("tbhits"));
}

#[test]
fn the_line_of_a_tablebase_win_ends_the_game() {
    for depth in [1, 3] {
        let text = run_with_tables(&format!("position fen W:WK14,K15,K18:BK1\ngo depth {depth}"));
        let line = last_score_line(&text);
        let moves: Vec<&str> = line.split(" pv ").nth(1).unwrap().split_whitespace().collect();
        assert_eq!(moves.len() as i64, 2 * number(line, "mate").unwrap() - 1, "{line}");
        assert!(text.ends_with(&format!("bestmove {} ponder {}\n", moves[0], moves[1])), "{text}");
        let moves = moves.join(" ");
        let end = format!("position fen W:WK14,K15,K18:BK1 moves {moves}\ngo");
        let text = run_with_tables(&end);
        assert!(text.contains("info depth 0 score mate 0"), "{text}");
    }
}

#[test]
fn wins_through_captures_into_the_tables_are_found() {
    // Three kings against two: won in 23 by exchanges that lead into the tables.
    let text = run_with_tables("position fen W:WK14,K15,K18:BK1,K6\ngo nodes 200000");
    assert!(number(last_score_line(&text), "mate").is_some_and(|moves| moves > 0), "{text}");
}

/// With so few moves before the draw, a man must advance in time, which the tables do not show.
#[test]
fn a_requested_move_that_repeats_keeps_a_win_that_needs_an_advance() {
    let text = run_with_tables(
        "setoption name Draw Move Count value 5\n\
         position fen W:WK14,K15,18:BK1 moves 15-19 1-6 19-15 6-1\ngo depth 12 searchmoves 15-19",
    );
    assert!(number(last_score_line(&text), "mate").is_some_and(|moves| moves > 0), "{text}");
}

#[test]
fn tables_built_later_are_used_after_the_same_path_is_set_again() {
    let folder = programs::empty_folder("growing-tablebases");
    let set = format!("setoption name TablePath value {}", folder.display());
    programs::copy_tables(tables(), &folder, |pieces| pieces < 4);
    let mut engine = Dialogue::with_library();
    let (position, search) = ("position fen W:WK14,K15,K18:BK1", "go depth 1");
    for line in ["setoption name UCI_Variant value draughts", &set, position, search] {
        engine.send(line);
    }
    let before = engine.read_until("bestmove ").join("\n");
    assert!(!before.contains(" score mate "), "{before}");
    programs::copy_tables(tables(), &folder, |pieces| pieces == 4);
    engine.send(&set);
    engine.send(search);
    let after = engine.read_until("bestmove ").join("\n");
    assert!(after.contains(" score mate 6 "), "{after}");
}

#[test]
fn a_folder_without_tables_is_rejected_and_the_old_tables_remain() {
    let text = run_with_tables(
        "setoption name TablePath value /no/such/folder\n\
         position fen W:WK14,K15,K18:BK1\ngo depth 3",
    );
    assert!(text.starts_with("info string error tables: /no/such/folder: "), "{text}");
    assert!(last_score_line(&text).contains(" score mate 6 "), "{text}");
    let text = run_with_tables(
        "setoption name TablePath value <empty>\nposition fen W:WK14,K15,K18:BK1\ngo depth 3",
    );
    assert!(!text.contains("tbhits"), "{text}");
    let folder = env!("CARGO_TARGET_TMPDIR");
    let text = run_with_tables(&format!(
        "setoption name TablePath value {folder}\nposition fen W:WK14,K15,K18:BK1\ngo depth 3"
    ));
    let error = "info string error tables: no complete set of endgame tables and no database in ";
    assert!(text.starts_with(&format!("{error}{folder}: ")), "{text}");
    assert!(last_score_line(&text).contains(" score mate 6 "), "{text}");
}

#[test]
fn a_damaged_table_is_reported_and_the_others_are_used() {
    let folder = programs::empty_folder("tablebases-damaged");
    programs::copy_tables(tables(), &folder, |_| true);
    let damaged = programs::names(&folder).pop().unwrap();
    let damaged_file = folder.join(&damaged);
    let mut bytes = fs::read(&damaged_file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged_file, bytes).unwrap();
    let text = run_uci(format!(
        "setoption name UCI_Variant value draughts\nsetoption name TablePath value {}\nisready\n",
        folder.display()
    ));
    let error = text.lines().next().unwrap();
    assert!(error.starts_with("info string error "), "{text}");
    assert!(error.contains(&damaged), "{text}");
    assert!(text.ends_with("readyok\n"));
}

/// The output of a single-threaded loop for these inputs.
fn single_thread_output(inputs: Vec<Received>) -> String {
    let output = SharedBuffer::default();
    let mut inputs = inputs.into_iter();
    let receive = move |_| inputs.next().unwrap_or(Received::End);
    assert!(SingleThreadLoop::new(receive, output.clone()).unwrap().run().unwrap());
    output.text()
}

#[test]
fn tables_in_memory_match_the_files() {
    let bytes = export(tables()).unwrap();
    let text = |text: &str| Received::Text(format!("{text}\n").into_bytes());
    let draughts = || text("setoption name UCI_Variant value draughts");
    let go = "position fen W:WK14,K15,18:BK1\ngo depth 1";

    let output = single_thread_output(vec![
        draughts(),
        Received::Tables(bytes.clone()),
        text(go),
        text("isready"),
    ]);
    let (loaded, rest) = output.split_once('\n').unwrap();
    assert_eq!(loaded, "info string tables of up to 4 pieces");
    let without_time = |text: &str| {
        let score = last_score_line(text);
        score.split(" nps ").next().unwrap().to_string() + score.split(" pv ").nth(1).unwrap()
    };
    assert!(last_score_line(rest).contains(" score mate 6 "), "{rest}");
    assert_eq!(without_time(rest), without_time(&run_with_tables(go)));

    // They remain after a change of the variant. Damaged tables do not replace them.
    let mut damaged = bytes.clone();
    damaged[1_000_000] ^= 1;
    let variants = text("setoption name UCI_Variant value loa");
    let inputs = [Received::Tables(bytes.clone()), variants, draughts()];
    let inputs = inputs.into_iter().chain([Received::Tables(damaged), text(go)]);
    let output = single_thread_output(inputs.collect());
    let reports: Vec<_> = output.lines().filter(|line| line.contains("tables")).collect();
    let refused = "info string error tables: the tables are damaged";
    assert_eq!(reports, [loaded, refused], "{output}");
    assert!(last_score_line(&output).contains(" score mate 6 "), "{output}");

    // Tables received during a search apply to the next one.
    let inputs = [draughts(), text("go infinite"), Received::Tables(bytes), text("stop"), text(go)];
    let output = single_thread_output(inputs.into());
    let (before, after) = output.split_once("bestmove").unwrap();
    assert!(before.contains(loaded) && !before.contains("tbhits"), "{before}");
    assert!(last_score_line(after).contains(" score mate 6 "), "{after}");
}

/// A random ending with this many pieces and Black to move.
pub fn random_ending(rng: &mut SmallRng, pieces: usize) -> String {
    let mut squares: Vec<usize> = (1..=32).collect();
    let mut sides = [String::new(), String::new()];
    for i in 0..pieces {
        let square = squares.swap_remove(rng.random_range(0..squares.len()));
        let side = if i < 2 { i } else { rng.random_range(0..2) };
        let crowned = (side == 0 && square > 28) || (side == 1 && square < 5);
        let king = crowned || rng.random_bool(0.5);
        sides[side] += &format!("{}{square},", if king { "K" } else { "" });
    }
    let [black, white] = sides.map(|side| side.trim_end_matches(',').to_string());
    format!("B:W{white}:B{black}")
}

/// An engine with tables.
fn player(tables: &Path) -> Player {
    Player::new(&[("UCI_Variant", "draughts"), ("TablePath", tables.to_str().unwrap())])
}

fn set_up(player: &mut Player, setup: &str) {
    player.engine.new_game().unwrap();
    player.engine.set_position(Some(setup), &[]).unwrap();
}

/// Plays a position to the end of the game. Returns the outcome and the number of plies.
fn play_out(mut players: [&mut Player; 2], setup: &str, limits: &Limits) -> (Outcome, usize) {
    players.iter_mut().for_each(|player| set_up(player, setup));
    loop {
        let game = players[0].engine.session();
        if let Some(outcome) = game.outcome() {
            return (outcome, game.plies());
        }
        let side = game.side() as usize;
        let mv = players[side].find_move(limits);
        for player in &mut players {
            player.engine.play(&mv).unwrap();
        }
    }
}

/// Endings of four or more pieces, some of them decided and some drawn. `SOUCIE_ENDINGS=500` plays
/// 500 of each with 20 milliseconds per move, `SOUCIE_TABLES` is a directory with tables of more
/// than four pieces, and `SOUCIE_SEED=2` selects other endings.
#[test]
fn known_wins_are_won_and_known_draws_are_drawn() {
    let dir = all_tables();
    check_endings(&dir, &dir);
}

/// The same endings, where values of the most pieces come from a database without distances.
#[test]
fn known_wins_are_won_with_a_database() {
    let dir = all_tables();
    let most = OwnTables::open(&dir).unwrap().pieces() as u32;
    let folder = programs::empty_folder("endings-with-a-database");
    programs::copy_tables(&dir, &folder, |pieces| pieces < most);
    let database = chinook::database(&dir, most as usize);
    check_endings(&dir, Path::new(&env::join_paths([folder, database]).unwrap()));
}

fn all_tables() -> PathBuf {
    env::var_os("SOUCIE_TABLES").map_or_else(|| tables().into(), PathBuf::from)
}

/// Plays endings whose values are in the tables of `dir`, with the tables of `played_with`. The loser has
/// those of `dir`, with which the defence is the longest one where they have distances.
fn check_endings(dir: &Path, played_with: &Path) {
    let tables = OwnTables::open(dir).unwrap();
    let requested = env::var("SOUCIE_ENDINGS").ok().map(|games| games.parse::<usize>().unwrap());
    let wanted = requested.map_or([12, 6], |games| [games; 2]);
    let limits = match requested {
        Some(_) => Limits { movetime: Some(Duration::from_millis(20)), ..Limits::default() },
        None => Limits { nodes: Some(2_000), ..Limits::default() },
    };
    let mut players = [played_with, played_with, dir].map(player);
    let seed = env::var("SOUCIE_SEED").map_or(5, |seed| seed.parse().unwrap());
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut played, mut longest, mut wrong) = ([0; 2], 0, Vec::new());
    let (mut total, mut shortest) = (0, 0);
    while played != wanted {
        // Alternates the number of pieces.
        let pieces = 4 + (played[0] + played[1]) % (tables.pieces() - 3);
        let setup = random_ending(&mut rng, pieces);
        let position = Draughts::read_setup(&setup, Default::default()).unwrap();
        let winner = match tables.value(&position).unwrap() {
            Value::Win => Some(Side::Black),
            Value::Loss => Some(Side::White),
            Value::Draw => None,
        };
        let kind = usize::from(winner.is_none());
        if game::outcome(&position).is_some() || played[kind] == wanted[kind] {
            continue;
        }
        let sides = match winner {
            Some(Side::Black) => [0, 2],
            Some(Side::White) => [2, 1],
            None => [0, 1],
        };
        let players = players.get_disjoint_mut(sides).unwrap();
        let (outcome, plies) = play_out(players, &setup, &limits);
        played[kind] += 1;
        let distance = tables.distance(&position);
        if winner.is_some() {
            longest = longest.max(plies);
        }
        if let Some(distance) = distance {
            total += plies;
            shortest += usize::from(distance);
        }
        if outcome.winner != winner {
            eprintln!("{setup}: {outcome} after {plies} plies, known distance {distance:?}");
            wrong.push(setup);
        }
        if requested.is_some() && (played[0] + played[1]).is_multiple_of(50) {
            eprintln!("{played:?} decided and drawn, {} wrong, {longest} plies", wrong.len());
        }
    }
    eprintln!("{total} plies, where {shortest} are the shortest wins");
    assert!(wrong.is_empty(), "{} of {played:?} are wrong: {wrong:?}", wrong.len());
}

/// The tables give the engine the draw, and a random opponent errs often: the engine should keep
/// such chances.
#[test]
fn drawn_positions_are_won_against_random_moves() {
    const GAMES: usize = 40;
    const MAX_PLIES: usize = 60;
    let mut player = player(tables());
    let tables = OwnTables::open(tables()).unwrap();
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let mut rng = SmallRng::seed_from_u64(7);
    let (mut won, mut played) = (0, 0);
    while played < GAMES {
        let setup = random_ending(&mut rng, 4);
        let mut position = Draughts::read_setup(&setup, Default::default()).unwrap();
        if tables.value(&position).unwrap() != Value::Draw || game::outcome(&position).is_some() {
            continue;
        }
        played += 1;
        set_up(&mut player, &setup);
        while player.engine.session().outcome().is_none()
            && player.engine.session().plies() < MAX_PLIES
        {
            let mv = if position.side() == Side::Black {
                player.find_move(&limits)
            } else {
                let moves = legal_moves(&position);
                position.write_move(moves[rng.random_range(0..moves.len())], MoveFormat::Coordinate)
            };
            player.engine.play(&mv).unwrap();
            position = position.play(position.read_move(&mv).unwrap());
        }
        let winner = player.engine.session().outcome().and_then(|outcome| outcome.winner);
        assert_ne!(winner, Some(Side::White), "{setup}");
        won += usize::from(winner == Some(Side::Black));
    }
    assert!(won >= 37, "{won} of {GAMES} won");
}
