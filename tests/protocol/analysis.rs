//! Search options: win/draw/loss odds, `go mate`, analysis mode and limited strength.

use std::env;

use crate::dialogue::{Dialogue, run_uci};
use crate::minimax::Beginner;
use crate::{DRAUGHTS, number_after, published_games, score_value, word_after};
use soucie::engine::{PlayingLevel, open};
use soucie::game::{Notation, Position, outcome};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::options::Options;

/// The lines with a score, grouped by iteration.
pub fn iterations(text: &str) -> Vec<Vec<&str>> {
    let mut depths: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().filter(|line| line.contains(" score ")) {
        if word_after(line, "multipv") == Some("1") {
            depths.push(Vec::new());
        }
        depths.last_mut().unwrap().push(line);
    }
    depths
}

/// The side to move wins in two.
const WIN_IN_TWO: &str = "position fen 8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b";

#[test]
fn go_mate_finds_wins_up_to_its_length() {
    let diagram = "position diagram 8 -------- / 7 --BW---W / 6 -------- / 5 -------- / 4 -------- / \
        3 --W----- / 2 --BB---- / 1 --B-----\n";
    let text = run_uci(format!("{diagram}go mate 3\n"));
    assert!(text.contains(" score mate 1 ") && text.ends_with("bestmove c7c3\n"), "{text}");
    for moves in [2, 5] {
        let text = run_uci(format!("{WIN_IN_TWO}\ngo mate {moves}\n"));
        assert!(text.contains(" score mate 2 ") && !text.contains("no win"), "{text}");
    }
    let text = run_uci(format!("{WIN_IN_TWO}\ngo mate 1 depth 1\n"));
    assert!(text.contains("no win in 1 move was found"), "{text}");
    let text = run_uci("go mate 1\n");
    assert!(text.contains("\ninfo string there is no win in 1 move\nbestmove "), "{text}");
    let text = run_uci("go mate 9 nodes 500\n");
    assert!(text.contains("\ninfo string no win in 9 moves was found\nbestmove "), "{text}");
    let text = run_uci(format!("{WIN_IN_TWO}\ngo mate 1 searchmoves d6c5\n"));
    assert!(text.contains("\ninfo string there is no win in 1 move\nbestmove d6c5"), "{text}");
}

#[test]
fn a_win_after_a_pass_is_found_if_either_side_may_be_to_move_in_a_repetition() {
    let position = "position fen 6Ll/6LL/8/4L3/3L1L2/2L5/LL6/lL6 w\n";
    let rule = "setoption name Repetition Side value either\n";
    for limit in ["depth 6", "mate 2"] {
        let text = run_uci(format!("{rule}{position}go {limit} searchmoves f4f5\n"));
        assert!(text.ends_with(" pv f4f5 0000 f5f6\nbestmove f4f5 ponder 0000\n"), "{text}");
    }
}

#[test]
fn go_mate_prints_a_line_as_long_as_the_win() {
    let mut proved = 0;
    for positions in published_games::games().into_iter().step_by(4) {
        let Some(position) = positions.iter().rev().nth(7) else { continue };
        let setup = position.write_setup();
        let text = run_uci(format!("position fen {setup}\ngo mate 4 nodes 60000\n"));
        assert_eq!(text.matches("bestmove").count(), 1, "{text}");
        let line = text.lines().rfind(|line| line.contains(" score ")).unwrap();
        if text.contains("no win in") {
            assert!(score_value(line) <= 999_995, "{text}");
            continue;
        }
        let moves = number_after(line, "mate");
        assert!((1..=4).contains(&moves), "{text}");
        let pv: Vec<_> = line.split_once(" pv ").unwrap().1.split(' ').collect();
        assert!(pv.len().div_ceil(2) == moves as usize, "{line}");
        let mut end = *position;
        for mv in &pv {
            end = end.play(end.read_move(mv).unwrap());
        }
        let won = outcome(&end).is_some_and(|end| end.winner == Some(position.side()));
        assert!(won, "{line}");
        assert_eq!(text.lines().last().and_then(|line| word_after(line, "bestmove")), Some(pv[0]));
        proved += i32::from(moves == 4);
    }
    assert!(proved > 0, "{proved}");
}

#[test]
fn go_mate_ends_at_stop() {
    let mut engine = Dialogue::with_program();
    engine.send("go mate 30");
    engine.read_until("info depth ");
    engine.send("stop");
    let text = engine.read_until("bestmove ").join("\n");
    assert!(text.contains("info string no win in 30 moves was found\n"), "{text}");
}

#[test]
fn the_reply_to_ponder_on_is_that_of_the_last_line() {
    for nodes in (500..3000).step_by(250) {
        let text = run_uci(format!("go nodes {nodes}\n"));
        let line = text.lines().rfind(|line| line.contains(" pv ")).unwrap();
        let moves: Vec<_> = line.split_once(" pv ").unwrap().1.split(' ').collect();
        if let [best, reply, ..] = moves[..] {
            assert!(text.ends_with(&format!("bestmove {best} ponder {reply}\n")), "{text}");
        }
    }
}

#[test]
fn chances_are_those_of_the_chosen_players() {
    // A draughts position that is won for White, who is to move, by two kings against one man.
    let won = "position fen W:WK14,K18:B12\n";
    let points = |options: &str, position: &str| {
        let text = run_uci(format!("{options}{position}go depth 8\n"));
        let line = iterations(&text).concat().last().map(|line| line.to_string()).unwrap();
        line.contains(" chances ").then(|| number_after(&line, "chances"))
    };
    let of = |players: &str| format!("{DRAUGHTS}\nsetoption name Chances value {players}\n");
    assert_eq!(points(&of("engine"), won), None);
    let levels =
        ["beginner", "easy", "medium", "hard"].map(|level| points(&of(level), won).unwrap());
    assert!(levels.is_sorted() && levels[0] > 500 && levels[3] <= 1000, "{levels:?}");
    // The strength of the level, as a number.
    let elo = |elo: i32| points(&format!("{}setoption name UCI_Elo value {elo}\n", of("elo")), won);
    assert_eq!([elo(420), elo(1700)], [Some(levels[0]), Some(levels[3])]);
    assert!((levels[0]..=levels[1]).contains(&elo(600).unwrap()));
    let over = "position fen W:W8:B\n";
    let text = run_uci(format!("{}{over}go\n", of("easy")));
    assert!(text.contains(" chances "), "{text}");
}

#[test]
fn wdl_sums_to_1000_and_agrees_with_the_score() {
    for variant in ["loa", "draughts"] {
        let text = run_uci(format!(
            "setoption name UCI_ShowWDL value true\nsetoption name UCI_Variant value {variant}\n\
             setoption name MultiPV value 5\ngo depth 6\n"
        ));
        for line in iterations(&text).concat() {
            let words: Vec<i64> = line
                .split_whitespace()
                .skip_while(|&word| word != "wdl")
                .skip(1)
                .map_while(|word| word.parse().ok())
                .collect();
            let [wins, draws, losses] = words[..] else { panic!("{line}") };
            assert_eq!(wins + draws + losses, 1000, "{line}");
            let cp = number_after(line, "cp");
            assert!(cp.abs() < 3 || (wins > losses) == (cp > 0), "{line}");
        }
    }
    assert!(!run_uci("go depth 3\n").contains(" wdl "));
    let over = "setoption name UCI_ShowWDL value true\nposition fen 8/8/8/8/3l4/3l4/8/L6L w\ngo\n";
    assert_eq!(run_uci(over), "info depth 0 score mate 0 wdl 0 0 1000\nbestmove (none)\n");
    let drawn = "setoption name UCI_ShowWDL value true\n\
        setoption name Simultaneous Connection value draw\n\
        position fen 8/8/8/8/3l4/3l4/3L4/8 b\ngo\n";
    assert_eq!(run_uci(drawn), "info depth 0 score cp 0 wdl 0 1000 0\nbestmove (none)\n");
}

#[test]
fn analyse_mode_searches_a_single_legal_move() {
    let pass = "position fen 6ox/6oo/8/8/8/8/oo6/xo6 b";
    let clock = "go btime 1000 wtime 1000";
    assert_eq!(iterations(&run_uci(format!("{pass}\n{clock}\n"))).len(), 1);
    let text = run_uci(format!("setoption name UCI_AnalyseMode value true\n{pass}\n{clock}\n"));
    assert!(iterations(&text).len() > 1, "{text}");
}

#[test]
fn limited_strength_searches_few_nodes_and_varies_by_game() {
    let weak = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800\n";
    let nodes = |text: &str| number_after(iterations(text).last().unwrap()[0], "nodes");
    assert!(nodes(&run_uci(format!("{weak}go btime 60000 wtime 60000\n"))) <= 1_000);
    let analysis = "setoption name UCI_AnalyseMode value true\n";
    assert!(nodes(&run_uci(format!("{weak}{analysis}go nodes 5000\n"))) > 1_000);
    // The evaluation noise changes with each game and is constant within a game.
    let scores = |text: &str| {
        let last = |lines: &Vec<&str>| score_value(lines[0]);
        iterations(text).iter().map(last).collect::<Vec<_>>()
    };
    let text = run_uci(format!("{weak}{}", "go depth 1\nucinewgame\n".repeat(6)));
    assert!(scores(&text).windows(2).any(|pair| pair[0] != pair[1]), "{text}");
    let text = run_uci(format!("{weak}{}", "go depth 1\n".repeat(6)));
    assert!(scores(&text).windows(2).all(|pair| pair[0] == pair[1]), "{text}");
}

#[test]
fn every_elo_plays_legal_moves() {
    let mut options = Options::default();
    for variant in ["loa", "draughts"] {
        options.set("UCI_Variant", Some(variant)).unwrap();
        let start = open(&options).unwrap();
        for elo in [200, 640, 1000, 1650, 2800] {
            let text = run_uci(format!(
                "setoption name UCI_Variant value {variant}\nsetoption name UCI_LimitStrength value true\n\
                 setoption name UCI_Elo value {elo}\ngo btime 1000 wtime 1000\n"
            ));
            let best = text.lines().last().and_then(|line| word_after(line, "bestmove")).unwrap();
            assert!(start.with_moves(&[best]).is_ok(), "{text}");
        }
    }
}

/// The 95 % interval of the score in 100 games is at most ±10 %. `tests/external/strength/levels` sets
/// another number of games.
#[test]
#[ignore = "plays 640 games"]
fn named_levels_score_as_stated_against_beginners() {
    let games = env::var("GAMES").map_or(100, |games| games.parse().unwrap());
    for (level, beginner, games, expected) in [
        (PlayingLevel::Beginner, Beginner::TwoPlies, games, 0.05..=0.3),
        (PlayingLevel::Beginner, Beginner::Random, games, 0.85..=1.0),
        (PlayingLevel::Easy, Beginner::TwoPlies, games, 0.3..=0.7),
        (PlayingLevel::Hard, Beginner::TwoPlies, games / 5, 0.8..=1.0),
    ] {
        for (name, (score, interval)) in [
            ("Lines of Action", beginner.score::<Loa>(level, games)),
            ("English draughts", beginner.score::<Draughts>(level, games)),
        ] {
            let (score_percent, interval) = (100.0 * score, 100.0 * interval);
            let text = format!(
                "{name}, {level} against {beginner:?}: {score_percent:.1} ± {interval:.1} % of {games} games"
            );
            println!("{text}");
            assert!(expected.contains(&score), "{text}, expected {expected:?}");
        }
    }
}
