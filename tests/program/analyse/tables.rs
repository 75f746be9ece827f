//! Values of endgame tables in reports.

use super::*;

/// Analyses English draughts with the tables of up to four pieces.
fn with_tables(name: &str, input: &str, arguments: &[&str]) -> Ran {
    let path = format!("TablePath={}", programs::tables().display());
    let more = ["--variant", "draughts", "--nodes", "2000", "--option", &path];
    let output = analyse(name, input, &[&more, arguments].concat());
    assert!(output.succeeded(), "{}", output.err);
    output
}

/// Two kings against one; White's second move throws the win away.
const ENDING: &str = "fen W:WK14,K15:BK28 moves 15-19 28-32 19-16\n";

#[test]
fn table_value_of_a_position_is_reported() {
    let table = [
        ("W:WK14,K15:BK28", "table win for White in ", "win"),
        ("B:WK14,K15:BK28", "table win for White in ", "loss"),
        ("W:WK32:BK1", "table draw\n", "draw"),
    ];
    for (setup, words, value) in table {
        let stdout = with_tables("known", setup, &[]).out;
        assert!(stdout.contains(words), "{stdout}");
        let object = &with_tables("known-json", setup, &["--json"]).json()[0]["table"];
        assert_eq!(object["value"], value, "{setup}: {object}");
        assert_eq!(object["plies"].is_u64(), value != "draw", "{setup}: {object}");
    }
    // A position that is not in the tables has no field for them.
    let stdout = with_tables("unknown", "W:WK14,K15,K18:BK28,K27", &["--json"]).out;
    assert!(!stdout.contains("\"table\""), "{stdout}");
}

#[test]
fn table_values_of_moves_are_in_all_outputs() {
    let folder = folder("known-outs");
    let [record, page] = ["game.pdn", "page.html"].map(|name| folder.join(name));
    let [record_name, page_name] = [&record, &page].map(|path| path.to_str().unwrap());
    let arguments = ["--annotate", record_name, "--html", page_name];
    let stdout = with_tables("known-game", ENDING, &arguments).out;
    let record = fs::read_to_string(record).unwrap();
    let page = fs::read_to_string(page).unwrap();
    let moves = with_tables("known-game-json", ENDING, &["--json"]).json()[0]["moves"].clone();
    let of_moves: Vec<&str> = stdout.lines().skip(3).take(3).collect();
    assert!(of_moves.len() > 1, "{stdout}");
    for (i, line) in of_moves.into_iter().enumerate() {
        let review = &moves[i];
        let value = review["table"]["value"].as_str().unwrap();
        let words = match review["table"]["plies"].as_u64() {
            Some(1 | 2) => format!("table {value} in 1 move"),
            Some(plies) => format!("table {value} in {} moves", plies.div_ceil(2)),
            None => format!("table {value}"),
        };
        assert!(record.contains(&words), "{record}: {words}");
        let winner = if (i % 2 == 0) == (value == "win") { "White" } else { "Black" };
        let of_winner = words.replace("loss", "win").replace("win", &format!("win for {winner}"));
        assert!(line.ends_with(&of_winner), "{line}: {of_winner}");
        assert!(page.contains(&of_winner), "{of_winner}");
    }
    // The distance is counted from before each move: the best move shortens it by one ply.
    let [first, second] = [0, 1].map(|i| moves[i]["table"]["plies"].as_u64().unwrap());
    assert!(second < first);
    assert_eq!(moves[0]["best_table"]["value"], "win");
}

#[test]
fn folder_without_tables_is_refused() {
    let output = analyse("no-tables", SHORT, &["--option", "TablePath=/no/such/folder"]);
    let Ran { code, err: stderr, .. } = output;
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("soucie: tables: /no/such/folder: "), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn unusable_tables_that_nobody_asked_for_are_only_reported() {
    let home = folder("unusable-tables");
    let default = home.join("tables");
    fs::create_dir_all(&default).unwrap();
    let analysis = |arguments: &[&str]| {
        let mut command = soucie();
        command.env("SOUCIE_HOME", &home).args(["-", "--nodes", "100"]).args(arguments);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that refuses its options may end before it reads.
        let _ = process.stdin.take().unwrap().write_all(b"startpos");
        Ran::from(process.wait_with_output().unwrap())
    };
    let output = analysis(&[]);
    assert!(output.succeeded() && !output.out.is_empty(), "{}", output.err);
    assert!(output.err.starts_with("soucie: no complete set of"), "{}", output.err);
    let output = analysis(&["--option", &format!("TablePath={}", default.display())]);
    assert_eq!(output.code, Some(1), "{}", output.err);
}
