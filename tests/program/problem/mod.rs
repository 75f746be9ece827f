//! The command `problem`.

mod confirmed;
mod exhaustive;
mod generate;
mod judged;

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use soucie::games::Tablebases;
use soucie::problems::problem::StatedTerms;
use soucie::proofs::file::Proof;
use soucie::proofs::verify::verify;

use crate::programs::{self, Ran, run};

/// A folder that is empty at first.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(programs::empty_folder(Path::new("problem").join(name)))
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

/// Problems with the verdict and the keys. Those of draughts with up to four pieces are decided by the
/// tables, the others by proofs.
const PROBLEMS: [(&str, &str, &str); 14] = [
    ("8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b ; win", "cooked", "d2-f4 d6-c5"),
    ("8/L4L1L/4lllL/1Ll1lLl1/2L1LL2/8/5l2/8 b ; win in 3", "sound", "c5-d6"),
    ("8/L4L1L/4lllL/1Ll1lLl1/2L1LL2/8/5l2/8 b ; win in 2", "no-solution", ""),
    ("B:W27,31:B28,K30 ; Black to move, mate in 2 moves.", "no-solution", ""),
    ("W:W10,12,24,K27:B3,7,26,K30 ; win", "open", "24-20"),
    ("B:W20,31:BK2,4 ; win ; only 4-8", "cooked", "4-8 2-7"),
    ("B:W27,31:B28,K30 ; win", "sound", "30-25"),
    ("W:W22,K29:B4,6 ; White to play and win.", "sound", "29-25"),
    ("B:W18,K26:BK7,K11 ; win ; at least 11-15", "no-solution", ""),
    ("B:W15,28:B8,12 ; draw", "sound", "12-16"),
    ("B:W29,32:B2,7 ; draws ; ; Gould", "cooked", "7-10 2-6 7-11"),
    ("B:W27,31:B28,K30 ; draw", "better", "30-25 28-32"),
    ("B:WK13,K22:B1,K21 ; loss", "sound", "21-17 1-5 21-25 1-6"),
    ("B:W27,31:B28,K30 ; loss", "better", "30-26"),
];

/// Why no rules are read from the header `[Rules "Captures: many"]`.
const RULES_FAULT: &str =
    "Rules: expected compulsory or optional, found 'Captures: many'; no rules are read";

/// Problems under draws by repetition and by counts of moves, with the option, the verdict and the keys. The
/// game before a move decides: its positions may not occur again, and its plies count.
const WITH_COUNTS: [(&str, &str, &str, &str); 9] = [
    ("Repetition Draw=2", "W:WK8,K27:BK12 ; win in 4", "short", "8-3 8-11"),
    ("Repetition Draw=3", "W:WK8,K27:BK12 ; win in 4", "short", "8-3 8-4 8-11"),
    (
        "Repetition Draw=2",
        "8/1l3l2/3LL1L1/2L1l1l1/8/8/8/8 w ; win in 3",
        "short",
        "c5-c6 d6-d7 c5-c4 c5-e7 g6-f5 c5-d4 c5-b6",
    ),
    ("Draw Move Count=4", "W:WK9:BK2,K23 ; loss", "better", "9-6 9-13 9-14"),
    ("Draw Move Count=4", "B:W8:B19,24 ; win", "no-solution", ""),
    ("No Capture Draw=9", "B:W8:B19,24 ; win", "no-solution", ""),
    ("Draw Move Count=4", "B:W9,K32:BK30 ; draw", "no-solution", ""),
    ("No Capture Draw=9", "B:W9,K32:BK30 ; draw", "no-solution", ""),
    ("Draw Move Count=4", "B:W18:B15 ; win in 3", "short", "15x22"),
];

/// Runs `problem` with these arguments.
fn problem(arguments: &[&str]) -> Ran {
    run(programs::soucie().arg("problem").args(arguments))
}

fn check(arguments: &[&str]) -> String {
    check_with("3000", arguments)
}

fn check_with(nodes: &str, arguments: &[&str]) -> String {
    let tables = programs::tables().to_str().unwrap();
    let mut command = programs::soucie();
    command.args(["problem", "check", "--tables", tables, "--nodes", nodes]).args(arguments);
    programs::output_of(&mut command)
}

fn generate(arguments: &[&str]) -> String {
    let tables = programs::tables().to_str().unwrap();
    let mut command = programs::soucie();
    command.args(["problem", "generate", "--tables", tables]).args(arguments);
    programs::output_of(&mut command)
}

fn reports(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The proof of a judged move in a folder, which is verified; `None` without a proof.
fn verified(judged: &Value, folder: &Path, tables: &Tablebases) -> Option<Proof> {
    let file = folder.join(judged["proof"].as_str()?);
    let proof = Proof::read(&*fs::read(file).unwrap()).unwrap();
    verify(&proof, tables).unwrap_or_else(|error| panic!("{judged}: {error}"));
    Some(proof)
}

/// Every verdict is as expected, and every move that is said to keep the result or to fail has a proof
/// that is verified.
#[test]
fn verdicts_rest_on_proofs() {
    let folder = Folder::new("problems");
    let lines: Vec<&str> = PROBLEMS.iter().map(|(line, ..)| *line).collect();
    let list = folder.file("list", &format!("# A comment\n\n{}\n", lines.join("\n")));
    let out = folder.path("proofs");
    let stdout = check(&[&list, "--json", "--out", &out]);
    let tables = Tablebases::open(programs::tables()).unwrap().0;
    let mut proofs = 0;
    for (report, (line, verdict, keys)) in reports(&stdout).iter().zip(PROBLEMS) {
        assert_eq!(report["verdict"], verdict, "{line}: {report}");
        let found: Vec<_> =
            report["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        assert_eq!(found.join(" "), keys, "{line}");
        assert!(verdict != "cooked" || report["duals"] == json!([]), "{report}");
        for judged in report["moves"].as_array().unwrap() {
            if judged["result"] == "open" || judged["by"] == "rules" {
                assert!(judged.get("proof").is_none(), "{judged}");
                continue;
            }
            let proof = verified(judged, Path::new(&out), &tables).unwrap();
            assert_eq!(judged["uses_tables"] == true, proof.tables.is_some(), "{line}: {judged}");
            proofs += 1;
        }
    }
    assert_eq!(reports(&stdout).len(), PROBLEMS.len());
    assert!(proofs > 50, "{proofs}");
    // The same with other numbers of threads.
    assert_eq!(check(&[&list, "--json", "--out", &out, "--jobs", "3"]), stdout);
}

/// The verdict and the keys are right where the game before a move counts, and the proofs, which begin with
/// the problem and the move, are verified.
#[test]
fn the_game_before_a_move_counts() {
    let folder = Folder::new("counts");
    let tables = Tablebases::open(programs::tables()).unwrap().0;
    let mut files = Vec::new();
    for (number, (option, line, verdict, keys)) in WITH_COUNTS.into_iter().enumerate() {
        let out = folder.path(&format!("proofs-{number}"));
        let list = folder.file("list", line);
        let stdout = check_with("300000", &[&list, "--json", "--out", &out, "--option", option]);
        let report = &reports(&stdout)[0];
        let found: Vec<_> =
            report["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        assert_eq!((&report["verdict"], &*found.join(" ")), (&verdict.into(), keys), "{report}");
        for judged in report["moves"].as_array().unwrap() {
            let Some(proof) = verified(judged, Path::new(&out), &tables) else { continue };
            assert_eq!(proof.moves.len(), 1, "{judged}");
            files.push(Path::new(&out).join(judged["proof"].as_str().unwrap()));
        }
    }
    let mut verify = programs::soucie();
    verify.arg("verify").arg(&files[0]).arg("--tables").arg(programs::tables());
    let verified = programs::output_of(&mut verify);
    assert!(verified.contains(" after "), "{verified}");
}

/// Several moves keep a draw, but nothing excludes a win: the problem may be better than its terms.
#[test]
fn a_draw_with_an_open_win_is_open() {
    let folder = Folder::new("open win");
    let list = folder.file("list", "W:W8,10,22:BK31 ; draw");
    let options = ["--json", "--option", "Draw Move Count=4"];
    let report = &reports(&check_with("20000", &[&[&*list], &options[..]].concat()))[0];
    assert!(report["keys"].as_array().unwrap().len() > 1, "{report}");
    assert_eq!((&report["win"]["result"], &report["verdict"]), (&"open".into(), &"open".into()));
}

#[test]
fn text_and_page_name_what_was_found() {
    let folder = Folder::new("page");
    let page = folder.path("page.html");
    for keys in ["at least 11-15", "only 11-15", "1. 11-15!"] {
        let line = format!("B:W18,K26:BK7,K11 ; win ; {keys} ; <Gould>\n");
        let stdout = check(&[&folder.file("list", &line), "--html", &page]);
        let start = "Problem 1: Black to play and win (<Gould>)\n  B:W18,K26:BK7,K11\n  \
                     no solution; the published 11-15 fails\n";
        assert!(stdout.starts_with(start), "{stdout}");
    }
    let into_tables = folder.file("into tables", "W:W10,12,24,K27:B3,7,26,K30\n");
    let other_page = folder.path("other.html");
    let stdout = check(&[&into_tables, "--html", &other_page]);
    for text in [stdout, fs::read_to_string(other_page).unwrap()] {
        assert!(text.contains("wins, in the endgame tables within "), "{text}");
    }
    let page = fs::read_to_string(page).unwrap();
    for text in [
        "&lt;Gould&gt;",
        "Black to play and win.",
        "No solution; the published 11-15 fails.",
        "<svg",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

/// The moves of a record are the published solution, its result the terms.
#[test]
fn records_are_problems_with_solutions() {
    let folder = Folder::new("records");
    let pdn = "[Event \"Twice\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n[FEN \"B:W27,31:B28,K30\"]\n\n1. 30-25 27-24 {x} 2. 25-22 1-0\n\n\
        [GameType \"21\"]\n[Result \"1-0\"]\n[FEN \"B:W27,31:B28,K30\"]\n\n1. 28-32 1-0\n\n\
        [GameType \"21\"]\n[Result \"1-0\"]\n\n1. 11-15 1-0\n";
    let list = folder.file("records.pdn", pdn);
    let tables = programs::tables().to_str().unwrap();
    let output = problem(&["check", "--json", "--tables", tables, &list]);
    assert_eq!(output.code, Some(1), "the last entry is no problem");
    let reports = output.json();
    let [first, second, third] = reports.as_slice() else { panic!("{reports:?}") };
    assert_eq!((&first["name"], &first["terms"]), (&"Twice".into(), &"win".into()));
    let published = |report: &Value| {
        let solutions = report["solutions"].as_array().unwrap().clone();
        solutions.into_iter().find(|solution| solution["is_recorded"] == true).unwrap()
    };
    assert!(published(first).get("fails_at").is_none(), "{first}");
    assert_eq!(published(second)["fails_at"], 0, "{second}");
    let error = third["error"].as_str().unwrap();
    assert!(error.ends_with(": a game from the start position, and no problem"), "{error}");
}

/// The first moves are those of the rules in the record, unless an option names other ones.
#[test]
fn records_are_checked_under_their_rules() {
    let folder = Folder::new("rules");
    let record = "[GameType \"21\"]\n[Rules \"Captures: optional\"]\n[Result \"0-1\"]\n[FEN \"W:WK14:B18\"]\n\n1. 14x23 0-1\n";
    let list = folder.file("records.pdn", record);
    for (options, moves) in [(&[][..], 4), (&["--option", "Captures=compulsory"], 1)] {
        let reports = reports(&check(&[&[list.as_str(), "--json"], options].concat()));
        assert_eq!(reports[0]["moves"].as_array().unwrap().len(), moves, "{reports:?}");
    }
    // A header that is not understood is named, also beside an error, of which it may be the reason.
    let other = record.replace("optional", "many");
    for (record, expected) in [
        (other.clone(), "[Problem 1: "),
        (other.replace("[Rules", "[Event \"Twice\"]\n[Rules"), "(Twice; Rules: "),
        (other.replace("1. 14x23", "1. 14-17"), "problem 1: 14-17: "),
    ] {
        let list = folder.file("records.pdn", &record);
        let page = folder.path("page.html");
        let report = problem(&["check", &list, "--html", &page]).out;
        assert!(report.contains(expected.trim_start_matches('[')), "{report}");
        for text in [report, fs::read_to_string(page).unwrap().replace("&#39;", "'")] {
            assert!(text.contains(RULES_FAULT), "{text}");
        }
    }
}

/// No record of a list of wrong ones is confirmed. Tables of six pieces decide them all, those of four pieces
/// the first.
#[test]
fn refuted_records_are_not_confirmed() {
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/draughts/refuted.txt");
    let reports = reports(&check(&[list, "--json"]));
    assert_eq!(reports[0]["verdict"], "no-solution");
    for report in &reports {
        let is_won = report["terms"] == "win" && report["keys"] != json!([]);
        assert!(!is_won && report["verdict"] != "sound", "{}", report["name"]);
    }
}

/// The table and the page print some duals, those that are a fault first; the JSON has all.
#[test]
fn many_duals_are_counted() {
    let folder = Folder::new("duals");
    // The rest of the solution after the key wins in many ways.
    let solution = ["18x9", "4-8", "31-27", "8-11", "27-23", "11-8", "9-14"];
    for (moves, shown, more) in [(3, 7, 0), (5, 10, 4), (7, 10, 13)] {
        let setup = "W:WK18,K31,K32:B14,K4";
        let problem = json!({"setup": setup, "terms": "win", "solution": solution[..moves]});
        let list = folder.file("problem.jsonl", &problem.to_string());
        let report = &reports(&check(&[&list, "--json"]))[0];
        assert_eq!(report["duals"].as_array().unwrap().len(), shown + more, "{report}");
        let page = folder.path("page.html");
        let table = check(&[&list, "--html", &page]);
        for text in [table, fs::read_to_string(page).unwrap()] {
            assert_eq!(text.matches("dual after 18x9 4-8").count(), shown, "{text}");
            let first_minor = text.find("minor dual").unwrap_or(text.len());
            assert!(!text[first_minor..].contains("  dual after"), "{text}");
            let count = format!("and {more} more, which --json prints");
            assert_eq!(text.contains(&count), more > 0, "{text}");
            assert_eq!(text.contains("which --json prints"), more > 0, "{text}");
        }
    }
}

/// Problems with the variations of their solution. The replies in the endgame tables are those after which
/// only one move wins.
const VARIATIONS: [(&str, &str); 4] = [
    ("B:WK2,21:B10,K18 ; win", "1... 2-6 2. 14-17; 1... 2-7 2. 18-15"),
    (
        "W:W22,K29:B4,6 ; win",
        "1... 6-10 2. 22-17; 2... 6-10 3. 30-26; 2... 8-12 3. 30-26; 4... 16-20 5. 23-19",
    ),
    ("B:WK13,K22:B1,K21 ; loss", ""),
    ("B:W15,28:B8,12 ; draw", ""),
];

/// The variations of a solution are in the table, on the page and in the JSON.
#[test]
fn variations_are_printed() {
    let folder = Folder::new("variations");
    for (problem, expected) in VARIATIONS {
        let list = folder.file("list", problem);
        let page = folder.path("page.html");
        let table = check(&[&list, "--html", &page]);
        let line = format!("\n  variations: {expected}\n");
        assert_eq!(table.contains(&line), !expected.is_empty(), "{table}");
        let page = fs::read_to_string(page).unwrap();
        let paragraph = format!("Variations: {expected}<");
        assert_eq!(page.contains(&paragraph), !expected.is_empty(), "{page}");
        let report = &reports(&check(&[&list, "--json"]))[0];
        let variations = report["solutions"][0]["variations"].as_array().cloned();
        let texts = variations.unwrap_or_default().into_iter().map(|variation| {
            let number = variation["ply"].as_u64().unwrap() / 2 + 1;
            let [reply, answer] =
                [0, 1].map(|place| variation["moves"][place].as_str().unwrap().to_string());
            format!("{number}... {reply} {}. {answer}", number + 1)
        });
        assert_eq!(texts.collect::<Vec<_>>().join("; "), expected, "{report}");
    }
}

#[test]
fn bad_input_is_named_and_the_rest_is_checked() {
    let folder = Folder::new("errors");
    let terms = "expected win, win in N, draw or loss, as in 'White to play and win', found ";
    let side = "expected terms for Black, which is to move, found those for White";
    let long = "x".repeat(1 << 20) + "\u{20}; W:W21:B1 ; win";
    let lines = [
        ("hello ; win", "line 1: expected SETUP ; TERMS, found 'hello'"),
        ("B:W27,31:B28,K30 ; mate", &format!("line 2: {terms}'mate'")),
        ("W:W3:B28 ; win", "problem 3: setup: White man on its crowning rank: square 3 (f8)"),
        ("B:W27,31:B28,K30 ; win ; only 28-1", "problem 4: 28-1: "),
        ("B:W27,31:B28,K30 ; win ; 28-1", "problem 5: 28-1: "),
        ("B:W27,31:B28,K30 ; win ; only", "line 6: expected a move after 'only'"),
        ("B:W27,31:B28,K30 ; White to play and win", &format!("problem 7: {side}")),
        ("B:W27,31:B28,K30 ; black wins, white wins", &format!("line 8: {terms}")),
        ("B:W27,31:B28,K30 ; Black does not win", &format!("line 9: {terms}")),
        ("B:W27,31:B28,K30 ; no win", &format!("line 10: {terms}'no win'")),
        ("B:W27,31:B28,K30 ; mate in 11 moves", "line 11: win in: expected a number of moves "),
        (r#"{"setup": "B:W27,31:B28,K30", "side": "white"}"#, &format!("problem 12: {side}")),
        (
            r#"{"setup": "B:W27,31:B28,K30", "variant": "chess"}"#,
            "line 13: variant: expected one of linesofaction, ",
        ),
        (
            r#"{"setup": "B:W27,31:B28,K30", "side": "white", "terms": "black wins"}"#,
            "line 14: expected terms for White, which is to move, found those for Black",
        ),
        (r#"{"terms": "win"}"#, "line 15: missing field `setup` at column 16"),
        (
            "B:W27,31:B28,K30 ; win ; Gould",
            "line 16: expected moves after the terms, found 'Gould'",
        ),
        (
            "B:W27,31:B28,K30 ; win ; 28-99",
            "line 17: expected moves after the terms, found '28-99'",
        ),
        ("B:W27,31:B28,K30 ; win ; 30-25 or not", "line 18: expected moves after the terms, "),
        ("B:W27,31:B28,K30 ; win ; hm ; a note", "line 19: expected moves after the terms, "),
        (r#"{"setup": "B:W27,31:B28,K30", "term": "draw"}"#, "line 20: unknown field `term`"),
        ("{}", "line 21: missing field `setup`"),
        (&long, "line 22: line longer than 1048576 bytes ignored"),
    ];
    let text: Vec<&str> = lines.iter().map(|(line, _)| *line).collect();
    let list = folder.file("list", &text.join("\n"));
    let output = problem(&["check", "--json", &list]);
    assert_eq!(output.code, Some(1));
    let reports = output.json();
    for (report, (line, error)) in reports.iter().zip(lines) {
        assert!(report["error"].as_str().unwrap().contains(error), "{line}: {report}");
    }
    for (number, report) in (1..).zip(&reports) {
        let place = format!("{list}, line {number}: ");
        assert!(report["error"].as_str().unwrap().starts_with(&place), "{report}");
    }
    assert_eq!(reports.len(), lines.len());
    let out = format!("{list}: ");
    let [empty, object] =
        [("empty", ""), ("object", "{}")].map(|(name, text)| folder.file(name, text));
    let event = "[Event \"White to play and win\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n\
        [FEN \"W:W30,26,24:B17,13,12\"]\n\n1. 26-23 1-0\n";
    let event = folder.file("event.pdn", event);
    for (file, found) in [
        (&empty, "soucie: no problem in the input"),
        (&object, "line 1: missing field `setup`"),
        (
            &event,
            "for White the header of the event states 'win', but the result 'loss'; 1-0 is a win for Black",
        ),
    ] {
        let output = problem(&["check", file]);
        assert!((output.out + &output.err).contains(found), "{found}");
        assert_ne!(output.code, Some(0), "{found}");
    }
    for (arguments, error) in [
        (&["check", "no-such-file"][..], "no-such-file: "),
        (&["check", "--terms=mate"], "expected win, win in N, draw or loss"),
        (&["check", &list, "--out", &list], &out),
        (&["generate", "--seeds", "1..2", "--out", &list], &out),
    ] {
        let output = problem(arguments);
        assert!(!output.succeeded() && output.err.contains(error), "{error}: {output:?}");
    }
}

/// Terms, the side that they name, and what they are read as; `None` for others.
const TERMS: [(&str, Option<(&str, &str)>); 30] = [
    ("win", Some(("", "win"))),
    ("Wins.", Some(("", "win"))),
    ("won", Some(("", "win"))),
    ("draw", Some(("", "draw"))),
    ("DRAWS", Some(("", "draw"))),
    ("drawn", Some(("", "draw"))),
    ("loss", Some(("", "loss"))),
    ("loses", Some(("", "loss"))),
    ("lost", Some(("", "loss"))),
    ("win in 3", Some(("", "win in 3"))),
    ("mate in 2 moves.", Some(("", "win in 2"))),
    ("to play & win", Some(("", "win"))),
    ("to play and draw!", Some(("", "draw"))),
    ("White to play and win", Some(("White", "win"))),
    ("White to play, win in 4 moves", Some(("White", "win in 4"))),
    ("W to play and win", Some(("White", "win"))),
    ("W. to play & draw.", Some(("White", "draw"))),
    ("B to move, draws", Some(("Black", "draw"))),
    ("black plays and loses", Some(("Black", "loss"))),
    ("b wins", Some(("Black", "win"))),
    ("Black to play: wins", None),
    ("", None),
    ("not win", None),
    ("White does not win", None),
    ("W to play and B wins", None),
    ("win or draw", None),
    ("mate", None),
    ("win in 11", None),
    ("win in three", None),
    ("& win draw", None),
];

#[test]
fn terms_are_read_as_they_are_written() {
    for (text, expected) in TERMS {
        let read = StatedTerms::read(text).ok();
        let read = read.map(|read| {
            (read.side.map(|side| side.to_string()).unwrap_or_default(), read.terms.to_string())
        });
        let expected = expected.map(|(side, terms)| (side.to_string(), terms.to_string()));
        assert_eq!(read, expected, "{text}");
    }
}

/// JSON with other line breaks than those after its objects is one error, which names what is expected.
#[test]
fn json_has_one_object_a_line() {
    let folder = Folder::new("json");
    let one = json!({"id": "one", "setup": "B:W27,31:B28,K30", "terms": "win"});
    let line = one.to_string();
    let pretty = serde_json::to_string_pretty(&one).unwrap();
    let list = "expected one JSON object a line, found a list of objects, ";
    let lines = "expected one JSON object a line, found an object of several lines, ";
    for (text, error) in [
        (format!("[{line}]"), list),
        (format!("[\n{line},\n{line}\n]\n"), list),
        (serde_json::to_string_pretty(&[&one]).unwrap(), list),
        (pretty.clone(), lines),
        (format!("{pretty}\n{pretty}\n"), lines),
        (format!("\u{feff}\n{}", pretty.replace("  ", "\t")), lines),
    ] {
        let file = folder.file("problems", &text);
        let reports = problem(&["check", "--json", &file]).json();
        let [report] = &reports[..] else { panic!("{text}: {reports:?}") };
        let found = report["error"].as_str().unwrap();
        assert!(found.starts_with(&format!("{file}: {error}")), "{text}: {found}");
    }
    // Blanks are no line breaks, and a record may begin with a comment in braces.
    for text in [
        format!("{line}\n{line}\n"),
        line.replace("{", "{ ").replace(":", " : ").replace("B : W27,31 : B28", "B:W27,31:B28"),
        "{ \"A\" of\n1890 }\n[GameType \"21\"]\n[Result \"1-0\"]\n[FEN \"B:W27,31:B28,K30\"]\n\n1. 30-25 1-0\n".to_string(),
    ] {
        let file = folder.file("problems", &text);
        for report in reports(&check(&[&file, "--json"])) {
            assert_eq!(report["verdict"], "sound", "{text}: {report}");
        }
    }
}

/// The table and the page count the verdicts, and give advice about what is open. The found keys and the
/// published ones stand side by side, and the index of the page has names.
#[test]
fn several_problems_have_a_summary() {
    let folder = Folder::new("summary");
    let record = "[Event \"Twice\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n[FEN \"B:W27,31:B28,K30\"]\n\n1. 28-32 1-0\n";
    let record = folder.file("record.pdn", record);
    let lines = "B:W20,31:BK2,4 ; win ; at least *4-8 ; Two keys\nB:W27,31:B28,K30 ; win ; 30-25\nhello\n\
        W:W10,12,24,K27:B3,7,26,K30\n8/L4L1L/4lllL/1Ll1lLl1/2L1LL2/8/5l2/8 b ; win in 3\n";
    let list = folder.file("list", lines);
    let page = folder.path("page.html");
    let tables = programs::tables().to_str().unwrap();
    let limits = ["check", "--nodes", "3000", "--tables", tables];
    let output = problem(&[&limits[..], &[&list, &record, "--html", &page]].concat());
    assert_eq!(output.code, Some(1), "one is no problem");
    let table = output.out;
    let page = fs::read_to_string(page).unwrap();
    let end = "\n6 problems: 3 sound, 1 cooked, 1 open, 1 error\nopen: raise --nodes, which is 3000, \
               with another journal; or in draughts use endgame tables of more pieces: soucie tables \
               build, or --tables\n";
    assert!(table.ends_with(end), "{table}");
    for text in [&table, &page] {
        for verdict in [
            "ooked, keys 4-8, 2-7; published 4-8",
            "ound, key 30-25; published 30-25",
            "ound, key 30-25; the published 28-32 fails",
            "6 problems: 3 sound, 1 cooked, 1 open, 1 error",
        ] {
            assert!(text.contains(verdict), "{verdict}: {text}");
        }
    }
    // A browser may break a line within a setup only after a part of it, and never within a move.
    for text in [
        "<li value=\"1\"><a href=\"#s1\">Two keys</a>",
        "<li value=\"2\"><a href=\"#s2\"><code>B:<wbr>W27,<wbr>31:<wbr>B28,<wbr>K30<wbr></code></a>",
        "<li value=\"6\"><a href=\"#s6\">Twice</a>",
        "8/<wbr>L4L1L/<wbr>",
        ", key <span class=\"whole\">c5-d6</span>",
        "<b><span class=\"whole\">c5-d6</span></b>: wins",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

/// A check goes on where its journal ends, and its results are those of one run.
#[test]
fn an_interrupted_check_is_continued() {
    let folder = Folder::new("journal");
    let lines: Vec<&str> = PROBLEMS.iter().skip(2).map(|(line, ..)| *line).collect();
    let list = folder.file("list", &lines.join("\n"));
    let journal = folder.path("journal");
    let whole = check(&[&list, "--json", "--resume", &journal]);
    let text = fs::read_to_string(&journal).unwrap();
    let cut: Vec<&str> = text.lines().take(4).collect();
    fs::write(&journal, cut.join("\n") + "\n").unwrap();
    assert_eq!(check(&[&list, "--json", "--resume", &journal]), whole);
    assert_eq!(fs::read_to_string(&journal).unwrap(), text);
}

/// Results of a journal are those of the same problems and games, with all that they depend on.
#[test]
fn a_journal_does_not_fit_edited_input() {
    let folder = Folder::new("edited");
    let record = "[Event \"A\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n[FEN \"B:W27,31:B28,K30\"]\n\n1. 30-25 27-24 1-0\n";
    let json = r#"{"setup": "B:W27,31:B28,K30", "terms": "win", "solution": ["30-25", "27-24"]}"#;
    for (command, whole, edits) in [
        (
            "check",
            "B:W27,31:B28,K30 ; win ; only 30-25 ; a note",
            &[("win", "win in 2"), ("30-25", "30-26"), ("note", "name")][..],
        ),
        ("check", json, &[(", \"27-24\"", ""), ("win", "draw")]),
        ("check", record, &[("A", "B"), ("1-0", "1/2-1/2"), (" 27-24", "")]),
        ("generate", record, &[(" 27-24", ""), (",31:", ",32:")]),
    ] {
        let run = |text: &str| {
            let file = folder.file("input", text);
            let mut run = programs::soucie();
            run.args(["problem", command, "--nodes", "1000", &file, "--resume"]);
            run.arg(folder.path("journal"));
            if command == "generate" {
                run.args(["--variant", "draughts"]);
            }
            run
        };
        let _ = fs::remove_file(folder.path("journal"));
        let output = programs::output_of(&mut run(whole));
        assert_eq!(programs::output_of(&mut run(whole)), output, "{whole}");
        for (old, new) in edits {
            let stderr = programs::failure_of(&mut run(&whole.replace(old, new)));
            assert!(stderr.contains("belongs to other input: line 2 "), "{old} {new}: {stderr}");
        }
    }
}

/// The moves of a solution after the last one in time are not judged: the win has failed before.
#[test]
fn a_solution_may_be_longer_than_its_terms() {
    let folder = Folder::new("late");
    let mut all = problem(&["list"]).json().into_iter();
    let mut problem = all.find(|problem| problem["terms"] == "win in 3").unwrap();
    for (terms, verdict, fails_at) in
        [("win in 3", "sound", Value::Null), ("win in 2", "no-solution", 0.into())]
    {
        problem["terms"] = terms.into();
        let file = folder.file("late.jsonl", &problem.to_string());
        let report = &reports(&check_with("20000", &[&file, "--json"]))[0];
        let solutions = report["solutions"].as_array().unwrap();
        let published = solutions.iter().find(|solution| solution["is_recorded"] == true).unwrap();
        assert_eq!(report["verdict"], verdict, "{report}");
        assert_eq!(published["moves"], problem["solution"], "{report}");
        assert_eq!(published["fails_at"], fails_at, "{report}");
    }
}

/// A move of a published solution that fails is found, also where another line has led before.
#[test]
fn the_failing_move_of_a_solution_is_named() {
    let folder = Folder::new("failing");
    let rows =
        [(PROBLEMS[0], ["d2-f4", "g2-d5", "d6-e7"]), (PROBLEMS[1], ["c5-d6", "a7-b8", "f2-e2"])];
    for ((line, verdict, _), solution) in rows {
        let (setup, terms) = line.split_once(" ; ").unwrap();
        let problem = json!({"setup": setup, "terms": terms, "solution": solution});
        let file = folder.file("problem.jsonl", &format!("\u{feff}{problem}"));
        let report = &reports(&check(&[&file, "--json"]))[0];
        assert_eq!(report["verdict"], verdict, "{report}");
        assert_eq!(report["solutions"][1]["fails_at"], 2, "{report}");
    }
}

/// What was found before an interrupt is in the files.
#[test]
#[cfg(unix)]
fn an_interrupt_loses_no_results() {
    let folder = Folder::new("interrupt");
    let hard = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n".repeat(9);
    let list = folder.file("list", &format!("{}\n{hard}", PROBLEMS[0].0));
    let (page, records) = (folder.path("page.html"), folder.path("records.sgf"));
    let check = ["check", &list, "--nodes", "1000000000", "--html", &page];
    let generate = ["generate", "--variant", "loa", "--seeds", "4..1000000", "--records", &records];
    let journal = folder.path("journal");
    let resumed = [&check[..], &["--resume", &journal]].concat();
    let later = "; pass --resume FILE to continue later ones";
    let again = format!(", {journal}; {}", "not finished: run the same command again to continue");
    for (arguments, name, signal, count, how) in [
        (&check[..], &page, "INT", "<h2>Problem 1</h2>", later),
        (&resumed, &page, "INT", "<h2>Problem 1</h2>", &again),
        (&generate, &records, "TERM", "Problem ", later),
    ] {
        let mut problem = programs::soucie();
        problem.arg("problem").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = problem.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        programs::signal(&child, signal);
        io::copy(&mut output, &mut io::sink()).unwrap();
        let ended = Ran::from(child.wait_with_output().unwrap());
        let written = format!("; written: {name}{how}\n");
        let stderr = &ended.err;
        assert!(
            stderr.starts_with("soucie: interrupted after ") && stderr.ends_with(&written),
            "{stderr}"
        );
        assert_eq!(ended.code, Some(1));
        assert!(fs::read_to_string(name).unwrap().contains(count), "{name}");
    }
}
