//! `problem generate`, the problems of games, and the built-in ones.

use std::collections::HashSet;
use std::fs;

use serde_json::{Value, json};
use soucie::records::{Record, RecordReader};

use super::{Folder, RULES_FAULT, check, check_with, generate, problem, reports};
use crate::programs::{self, Ran, run};

/// Seeds of games in which there are problems, and the suffix of the records.
const GENERATED: [(&str, &str, &str); 2] =
    [("linesofaction", "4..5", "sgf"), ("englishdraughts", "3..4", "pdn")];

/// Problems are found again by any number of threads, with a journal and in the records of their games,
/// and are sound by `problem check`, as JSON and as records.
#[test]
fn generated_problems_are_sound() {
    let folder = Folder::new("generate");
    for (variant, seeds, suffix) in GENERATED {
        let journal = folder.path(&format!("{variant}.journal"));
        let records = folder.path(&format!("problems.{suffix}"));
        let arguments = ["--variant", variant, "--seeds", seeds];
        let found = generate(&[&arguments[..], &["--records", &records]].concat());
        assert!(!found.is_empty(), "{variant}");
        let first = generate(&[&arguments[..], &["--count", "1", "--jobs", "3"]].concat());
        assert_eq!(first.lines().next(), found.lines().next(), "{variant}");
        assert_eq!(first.lines().count(), 1, "{variant}");
        let with_journal = [&arguments[..], &["--jobs", "3", "--resume", &journal]].concat();
        assert_eq!(generate(&with_journal), found, "{variant}");
        assert_eq!(generate(&with_journal), found, "{variant}: from the journal");
        let list = folder.file("problems.jsonl", &found);
        let problems = reports(&found);
        assert_variations_hold(&folder, &problems);
        let text = fs::read_to_string(&records).unwrap();
        assert!(text.contains(&format!("{}, 20000 positions a proof", soucie::engine::NAME)));
        let in_records: Vec<Value> =
            RecordReader::new(text.as_bytes()).map(|record| variations(&record.unwrap())).collect();
        let expected: Vec<Value> =
            problems.iter().map(|problem| problem["variations"].clone()).collect();
        assert_eq!(in_records, expected, "{text}");
        for (input, is_record) in [(&list, false), (&records, true)] {
            let checked = reports(&check_with("20000", &[input, "--json"]));
            assert_eq!(checked.len(), problems.len(), "{input}");
            for (report, problem) in checked.iter().zip(&problems) {
                assert_eq!(report["setup"], problem["setup"], "{input}");
                assert_eq!(report["verdict"], "sound", "{report}");
                assert_eq!(report["terms"], problem["terms"], "{report}");
                let [id, terms] = ["id", "terms"].map(|field| problem[field].as_str().unwrap());
                let event = format!("Problem {id}: {terms}");
                assert_eq!(report["name"], if is_record { event.as_str() } else { id });
                assert_eq!(report["solutions"][1]["moves"], problem["solution"], "{report}");
                let variations = &report["solutions"][0]["variations"];
                assert_eq!(variations, &problem["variations"], "{report}");
                assert!(report["solutions"][1].get("fails_at").is_none(), "{report}");
            }
        }
    }
}

/// The variations of a record as those of a problem.
fn variations(record: &Record) -> Value {
    let of_ply = |ply| {
        let lines = record.variations(ply + 1).into_iter();
        lines.map(move |moves| json!({"ply": ply, "moves": moves})).collect::<Vec<_>>()
    };
    (0..record.moves().count()).flat_map(of_ply).collect()
}

/// Each variation begins with another defence than the solution and leads to a win: it is no variation
/// that fails when it is published as the solution. Their number is limited.
fn assert_variations_hold(folder: &Folder, problems: &[Value]) {
    let mut published = String::new();
    let mut count = 0;
    for problem in problems {
        let solution = problem["solution"].as_array().unwrap();
        let variations = problem["variations"].as_array().unwrap();
        assert!(variations.len() <= 20, "{problem}");
        for variation in variations {
            let ply = variation["ply"].as_u64().unwrap() as usize;
            let moves = variation["moves"].as_array().unwrap();
            let of_ply = |other: &&Value| other["ply"] == variation["ply"];
            assert!(variations.iter().filter(of_ply).count() <= 4, "{problem}");
            assert!(ply % 2 == 1 && ply + 1 < solution.len(), "{problem}");
            assert!(moves.len() == 2 && moves[0] != solution[ply], "{problem}");
            let mut line = problem.clone();
            line["solution"] = [&solution[..ply], moves].concat().into();
            published += &format!("{line}\n");
            count += 1;
        }
    }
    assert!(count > 0, "{problems:?}");
    let list = folder.file("variations.jsonl", &published);
    let checked = reports(&check_with("20000", &[&list, "--json"]));
    assert_eq!(checked.len(), count);
    for report in checked {
        assert_eq!(report["verdict"], "sound", "{report}");
        assert_eq!(report["solutions"][1]["is_recorded"], true, "{report}");
        assert!(report["solutions"][1].get("fails_at").is_none(), "{report}");
    }
}

/// Games in which a player misses the only move that wins, with this move, and one in which nothing is
/// missed. The key may be one that is seen at a glance: it was missed.
const MISSED: [(&str, &str, &str, Option<&str>); 4] = [
    ("fen W:W22,K29:B4,6 moves 22-18", "pdn", "W:W22,K29:B4,6", Some("29-25")),
    ("fen B:W27,31:B28,K30 moves 30-26", "pdn", "B:W27,31:B28,K30", Some("30-25")),
    (
        "fen 2l5/3L4/3l3L/4L3/5lLL/5L2/6L1/8 b - - 0 1 moves d6f6",
        "sgf",
        "2l5/3L4/3l3L/4L3/5lLL/5L2/6L1/8 b",
        Some("f4-c4"),
    ),
    ("fen B:W27,31:B28,K30 moves 30-25", "pdn", "", None),
];

/// Analyses games and writes the problems that are missed in them to a file.
fn missed(input: &str, out: &str) -> Ran {
    let tables = format!("TablePath={}", programs::tables().display());
    let mut command = programs::soucie();
    command.args(["analyse", input, "--nodes", "5000", "--option", &tables]);
    run(command.args(["--problems", out]))
}

#[test]
fn missed_problems_are_sound() {
    let folder = Folder::new("missed");
    for (game, suffix, setup, key) in MISSED {
        let input = folder.file("game", &format!("{game}\n\n{game}\n"));
        let out = folder.file(&format!("problems.{suffix}"), "older");
        let Ran { code, err: errors, .. } = missed(&input, &out);
        assert_eq!(code, Some(0), "{game}");
        let unused = "soucie: no game of the input could use --option TablePath\n";
        let errors = errors.replace(unused, "");
        let Some(key) = key else {
            assert_eq!(errors, format!("soucie: {out}: not written: no problem was missed\n"));
            assert_eq!(fs::read_to_string(&out).unwrap(), "older", "{game}");
            continue;
        };
        assert_eq!(errors, "", "{game}");
        // One, though it was missed in two games.
        let problems = reports(&check(&[&out, "--json"]));
        assert_eq!(problems.len(), 1, "{game}");
        let problem = &problems[0];
        assert_eq!(problem["verdict"], "sound", "{problem}");
        assert_eq!(problem["keys"], json!([key]), "{problem}");
        assert!(problem["setup"].as_str().unwrap().starts_with(setup), "{problem}");
        assert!(problem["solutions"][1].get("fails_at").is_none(), "{problem}");
        let text = fs::read_to_string(&out).unwrap();
        assert!(text.contains("Black - White, move 1 of "), "{game}");
        let record = RecordReader::new(text.as_bytes()).next().unwrap().unwrap();
        let solution = &problem["solutions"][0];
        let expected = solution.get("variations").cloned().unwrap_or(json!([]));
        assert_eq!(variations(&record), expected, "{text}");
        // Other commands read the variations too.
        let mut analyse = programs::soucie();
        analyse.args(["analyse", &out, "--json", "--depth", "1"]);
        let analysis = &reports(&programs::output_of(&mut analyse))[0];
        let moves = analysis["moves"].as_array().unwrap();
        assert_eq!(moves.len(), solution["moves"].as_array().unwrap().len(), "{analysis}");
    }
}

/// A file of problems has one format, and a message counts those of the other one.
#[test]
fn left_out_problems_are_counted() {
    let folder = Folder::new("left-out");
    let [draughts, other, loa, _] = MISSED.map(|(game, ..)| game);
    for (games, left_out) in [
        ([draughts, loa, other], "1 entry is left out: unreadable or not PDN, as the first one"),
        ([loa, draughts, other], "2 entries are left out: unreadable or not SGF, as the first one"),
    ] {
        let (input, out) = (folder.file("games", &games.join("\n\n")), folder.path("problems"));
        assert_eq!(missed(&input, &out).err, format!("soucie: {out}: {left_out}\n"));
    }
}

/// A header for rules that is not understood is named beside the problems of a game.
#[test]
fn problems_name_rules_that_are_not_understood() {
    let folder = Folder::new("source");
    let game = "[GameType \"21\"]\n[Rules \"Captures: many\"]\n[Result \"*\"]\n[FEN \"B:WK2,21:B10,K18\"]\n\n1. 18-15 *\n";
    let (input, out) = (folder.file("games.pdn", game), folder.path("problems.pdn"));
    let found = generate(&["--variant", "draughts", &input, "--records", &out]);
    // The folder of the games is no part of their name.
    let source = format!("games.pdn, line 1, ply 0; {RULES_FAULT}");
    assert!(found.contains(&format!("\"source\":\"{source}\"")), "{found}");
    let text = fs::read_to_string(&out).unwrap().replace('\n', " ");
    assert!(text.contains(&format!("{{{source}}}")), "{text}");
    assert!(missed(&input, &out).succeeded());
    let text = fs::read_to_string(&out).unwrap().replace('\n', " ");
    assert!(text.contains(&format!(", move 1 of Black; {RULES_FAULT}")), "{text}");
    // Such a game may have moves that the usual rules do not allow.
    let illegal = folder.file("illegal.pdn", &game.replace("18-15", "18-9"));
    let errors = problem(&["generate", "--variant", "draughts", &illegal]).err;
    assert!(errors.trim_end().ends_with(RULES_FAULT), "{errors}");
}

/// A game is replayed under the rules that its record names. Its problems are those of the usual rules.
#[test]
fn problems_are_found_in_games_under_other_rules() {
    let folder = Folder::new("other-rules");
    let game = "[GameType \"21\"]\n[Rules \"Captures: optional\"]\n[Result \"*\"]\n[FEN \"W:WK7,21:B10,K18\"]\n\n1. 7-2 18-15 *\n";
    let found = generate(&["--variant", "draughts", &folder.file("games.pdn", game)]);
    assert_eq!(reports(&found)[0]["setup"], "B:WK2,21:B10,K18", "{found}");
}

/// The built-in problems are sound, as far as proofs and tables of four pieces decide them: all of Lines of
/// Action, of draughts hardly any.
#[test]
fn built_in_problems_hold() {
    let folder = Folder::new("list");
    for (variant, nodes) in [("linesofaction", "20000"), ("englishdraughts", "1000")] {
        let list = problem(&["list", "--variant", variant]);
        let problems = list.json();
        let grades: Vec<u64> =
            problems.iter().map(|problem| problem["grade"].as_u64().unwrap()).collect();
        assert!(grades.is_sorted() && grades.iter().all(|grade| (1..=5).contains(grade)));
        let ids: HashSet<&str> =
            problems.iter().map(|problem| problem["id"].as_str().unwrap()).collect();
        assert_eq!((ids.len(), problems.len()), (300, 300));
        let some: Vec<&str> = list.out.lines().step_by(30).collect();
        let file = folder.file("some", &some.join("\n"));
        let reports = reports(&check_with(nodes, &[&file, "--json", "--variant", variant]));
        assert_eq!(reports.len(), some.len());
        for report in reports {
            let verdict = report["verdict"].as_str().unwrap();
            assert!(["sound", "open"].contains(&verdict), "{report}");
            assert_eq!(report["wrong_keys"], Value::Null, "{report}");
            assert!(variant == "englishdraughts" || verdict == "sound", "{report}");
            for solution in report["solutions"].as_array().unwrap() {
                assert!(solution.get("fails_at").is_none(), "{report}");
            }
        }
    }
}
