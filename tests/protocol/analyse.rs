//! The `analyse` command: its results match `soucie analyse`, and it is queued with searches.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::dialogue::{Dialogue, run_uci};
use crate::{DRAUGHTS, WON, last, programs, word_after};

/// Runs `soucie analyse` on a game and returns the object of `--json` and the page of `--html`.
fn run_analyse(name: &str, game: &str, limits: &[&str]) -> [String; 2] {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("analyse-command");
    fs::create_dir_all(&folder).unwrap();
    let (record, page) = (folder.join(name), folder.join(format!("{name}.html")));
    fs::write(&record, game).unwrap();
    let mut command = programs::soucie();
    command.args(["analyse", "--json", "--html"]).arg(&page).args(limits).arg(&record);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let json = String::from_utf8(output.stdout).unwrap();
    [json.trim_end().to_string(), fs::read_to_string(page).unwrap()]
}

/// The lines of an analysis, without the command word.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("analyse ")).collect()
}

#[test]
fn the_best_moves_are_those_of_searches() {
    const MOVES: [&str; 8] = ["d1b3", "h5g4", "b1b4", "g4g1", "b4e7", "a3c1", "b3e6", "h3f1"];
    for nodes in [100, 300, 1000, 2500] {
        let game = format!("position startpos moves {}", MOVES.join(" "));
        let text = run_uci(format!("{game}\nanalyse {{\"nodes\":{nodes}}}\n"));
        for (i, line) in lines(&text).into_iter().take(MOVES.len()).enumerate() {
            let before = format!("position startpos moves {}", MOVES[..i].join(" "));
            let search = run_uci(format!("{before}\ngo nodes {nodes}\n"));
            let best = word_after(last(&search), "bestmove").unwrap();
            let review = &serde_json::from_str::<Value>(line).unwrap()["review"];
            // A move that turns out to be better than the best one takes its place.
            let is_same = [best, MOVES[i]].map(Value::from).contains(&review["best"][0]);
            assert!(is_same, "{nodes} nodes, {best}: {line}");
        }
    }
}

#[test]
fn analyse_matches_the_command_line() {
    let loa = "(;GM[9]PB[Anna]PW[Ben \\\\ <b>]EV[Cup]DT[2026-01-31]RE[B+]\
               ;B[d1-b3];W[h5-g4];B[b1-b4];W[g4xg1];B[b4-e7];W[a3-c1];B[b3-e6])";
    let names = "\"black\":\"Anna\",\"white\":\"Ben \\\\ <b>\",\"event\":\"Cup\",\"date\":\"2026-01-31\",\
                 \"result\":\"black\"";
    let played = "moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6";
    let scrambled = "startpos moves c8c6 a2c2";
    let draughts = "startpos moves 11-15 23-19 8-11 22-17 11-16 24-20 16-23 27-11 7-16 20-11";
    let ending = "fen W:WK14,K15,K18:BK1,K6 moves 15-11 6-2 14-9";
    let pass = "fen 6Ll/6LL/8/8/8/8/LL6/lL6 b - - 0 1 moves 0000 b1b3";
    let won = WON.trim_start_matches("position ");
    let folder = programs::tables().display();
    let kings = "fen W:WK14,K15:BK28 moves 15-19 28-32 19-16";
    let one = "startpos moves d1b3";
    let table: [(&str, &str, &str, &[&str], &str); 9] = [
        (loa, "", played, &["--nodes", "2000"], &format!("{names},\"nodes\":2000")),
        (won, "", won, &["--depth", "3"], "\"depth\":3"),
        (
            scrambled,
            "setoption name UCI_Variant value scrambledeggs",
            scrambled,
            &["--nodes", "1500", "--variant", "scrambledeggs"],
            "\"nodes\":1500",
        ),
        (draughts, DRAUGHTS, draughts, &["--nodes", "2000"], "\"nodes\":2000"),
        (
            ending,
            DRAUGHTS,
            ending,
            &["--depth", "5", "--nodes", "900"],
            "\"depth\":5,\"nodes\":900",
        ),
        (pass, "", pass, &["--nodes", "500", "--multipv", "3"], "\"nodes\":500,\"multipv\":3"),
        (
            draughts,
            // The last four options have no effect, nor does an earlier search.
            "setoption name UCI_Variant value draughts\nsetoption name Evaluation value handcrafted\n\
             setoption name Hash value 2\nsetoption name Move Format value standard\n\
             setoption name MultiPV value 5\nsetoption name UCI_LimitStrength value true\n\
             setoption name UCI_Elo value 1000\ngo depth 5",
            draughts,
            &["--nodes", "1000", "--option", "Evaluation=handcrafted", "--hash", "2"],
            "\"nodes\":1000",
        ),
        (
            kings,
            &format!("{DRAUGHTS}\nsetoption name TablePath value {folder}"),
            kings,
            &["--nodes", "1000", "--option", &format!("TablePath={folder}")],
            "\"nodes\":1000",
        ),
        (one, "", one, &[], ""),
    ];
    for (i, (record, options, game, limits, object)) in table.into_iter().enumerate() {
        let game = game.strip_prefix("moves").map_or(game.into(), |_| format!("startpos {game}"));
        let [json, page] = run_analyse(&format!("game{i}"), record, limits);
        let text = run_uci(format!(
            "setoption name Chances value medium\n{options}\nposition {game}\nanalyse {{{object}}}\n"
        ));
        let lines = lines(&text);
        let (last, reviews) = lines.split_last().unwrap();
        let head = format!("{{\"final\":true,\"game\":{json},\"page\":");
        assert!(last.starts_with(&head), "{game}: {last}, expected {head}");
        let last: Value = serde_json::from_str(last).unwrap();
        assert!(last["page"] == page, "{game}: the pages differ");
        let plies = last["game"]["moves"].as_array().unwrap().len();
        let review = |(ply, line): (usize, &&str)| {
            let head = format!("{{\"ply\":{},\"plies\":{plies},\"review\":", ply + 1);
            let review = line.strip_prefix(&*head).and_then(|rest| rest.strip_suffix('}'));
            review.unwrap_or_else(|| panic!("{line}, expected {head}")).to_string()
        };
        let reviews: Vec<String> = reviews.iter().enumerate().map(review).collect();
        assert!(json.contains(&format!("\"moves\":[{}]", reviews.join(","))), "{game}");
    }
}

#[test]
fn the_last_moves_can_come_first() {
    let optional = "setoption name UCI_Variant value draughts\nsetoption name Captures value optional\n\
                    position startpos moves 11-15 22-18 9-13\nsetoption name Captures value compulsory";
    // The number of reviews, and the ply of the first one.
    let table = [
        ("position startpos moves d1b3 h5g4 b1b4 g4g1 b4e7", 5, 5),
        ("position startpos moves d1b3", 1, 1),
        ("position fen 6Ll/6LL/8/8/8/8/LL6/lL6 b - - 0 1 moves 0000 b1b3", 2, 2),
        // A move that is illegal by the rules of now ends the report, in any order.
        (optional, 2, 1),
    ];
    for (game, plies, first_ply) in table {
        let analyse = |more| format!("analyse {{\"nodes\":500{more}}}\n");
        let both = analyse("") + &analyse(",\"last_first\":true");
        let text = run_uci(format!("{game}\n{both}"));
        let lines = lines(&text);
        assert_eq!(lines.len(), 2 * (plies + 1), "{text}");
        let (first, last) = lines.split_at(plies + 1);
        assert_eq!(first[plies], last[plies]);
        assert!(last[0].contains(&format!("\"ply\":{first_ply},")), "{text}");
        let mut reviews = [first[..plies].to_vec(), last[..plies].to_vec()];
        reviews.iter_mut().for_each(|reviews| reviews.sort_unstable());
        assert_eq!(reviews[0], reviews[1]);
    }
}

/// The commands for a game of 200 plies, whose analysis takes long.
fn long_game() -> String {
    let moves = ["b8b6", "a2c2", "b6b8", "c2a2"].iter().cycle().take(200);
    let moves = moves.copied().collect::<Vec<_>>().join(" ");
    format!("setoption name Repetition Draw value 0\nposition startpos moves {moves}")
}

const SLOW: &str = "analyse {\"movetime\":18446744073709551615}";
const SLOW_FROM_THE_END: &str = "analyse {\"movetime\":18446744073709551615,\"last_first\":true}";

const STOPPED: &str = "analyse {\"final\":true,\"stopped\":true}";

#[test]
fn stop_ends_running_and_queued_analyses() {
    let mut engine = Dialogue::with_program();
    engine.send(&long_game());
    engine.send("analyse {\"nodes\":300}");
    engine.read_until("analyse {\"ply\":3,");
    engine.send(&[SLOW, SLOW_FROM_THE_END, "go depth 50", "isready"].join("\n"));
    engine.read_until("readyok");
    engine.send("stop");
    let output = engine.read_until("bestmove ");
    assert_eq!(output.iter().filter(|line| *line == STOPPED).count(), 3, "{output:?}");
    // The position and the options are unchanged.
    engine.send("analyse {\"nodes\":1}");
    assert!(engine.read_until("analyse {\"final\":").last().unwrap().contains("\"game\":"));
    assert!(engine.finish());
}

#[test]
fn replies_keep_the_order_of_the_commands() {
    let played = "position startpos moves d1b3 h5g4";
    let first = "analyse {\"ply\":1,";
    let last = "analyse {\"final\":";
    let table: [(&str, &[&str]); 5] = [
        ("analyse {\"nodes\":900}\nanalyse {\"nodes\":1}", &[first, last, first, last]),
        ("analyse {\"nodes\":900}\ngo depth 1", &[first, last, "bestmove "]),
        ("go depth 6\nanalyse {\"nodes\":1}\ngo depth 1", &["bestmove ", first, last, "bestmove "]),
        // A new request stops an infinite search.
        ("go infinite\nanalyse {\"nodes\":1}", &["bestmove ", first, last]),
        (
            "analyse {\"nodes\":900}\nanalyse 1\ngo depth x\nanalyse []\nanalyse {\"nodes\":1}",
            &[first, last, "analyse null", "bestmove (none)", "analyse null", first, last],
        ),
    ];
    for (input, expected) in table {
        let text = run_uci(format!("{played}\n{input}"));
        let starts = ["bestmove ", first, last, "analyse null"];
        let is_reply = |line: &&str| starts.iter().any(|start| line.starts_with(start));
        let replies: Vec<&str> = text.lines().filter(is_reply).collect();
        assert_eq!(replies.len(), expected.len(), "{input}: {replies:?}");
        for (reply, start) in replies.iter().zip(expected) {
            assert!(reply.starts_with(start), "{input}: {reply}, expected {start}");
        }
    }
}

#[test]
fn later_commands_do_not_affect_a_running_analysis() {
    let game = "position startpos moves d1b3 h5g4 b1b4";
    let alone = run_uci(format!("{game}\nanalyse {{\"nodes\":5000}}"));
    let busy =
        format!("{game}\nanalyse {{\"nodes\":5000}}\n{DRAUGHTS}\nposition startpos moves 11-15");
    assert_eq!(lines(&alone), lines(&run_uci(busy)));
}

#[test]
fn analyse_runs_with_several_threads() {
    let text = run_uci(
        "setoption name Threads value 3\nposition startpos moves d1b3\nanalyse {\"nodes\":9000}",
    );
    let last: Value = serde_json::from_str(lines(&text)[1]).unwrap();
    assert_eq!(last["game"]["moves"][0]["move"], "d1b3");
}

#[test]
fn quit_ends_an_analysis() {
    let mut engine = Dialogue::with_program();
    engine.send("position startpos moves d1b3 h5g4");
    engine.send(SLOW);
    engine.send("quit");
    assert!(engine.finish());
}
