//! The report on players.

use super::*;

/// Two games between the same players with changed colours, and one of a player against another
/// without a name.
fn archive() -> String {
    let moves = "[d1-b3];W[h5-g4];B[b1-b4];W[g4-g1];B[b4-e7];W[a3-c1];B[b3-e6];W[h3-f1];B[e1-e5]";
    let game = |black: &str, white: &str| format!("(;GM[9]PB[{black}]PW[{white}];B{moves})\n");
    [game("Anna <b>", "Ben"), game("Ben", "?"), game("Ben", "Anna <b>")].concat()
}

#[test]
fn player_statistics_are_grouped_by_name() {
    let arguments = ["--players", "--json", "--nodes", "3000"];
    let output = analyse("players", &archive(), &arguments);
    assert!(output.status.success());
    let players = json(&output);
    let names: Vec<_> = players.iter().map(|player| player["player"].as_str().unwrap()).collect();
    assert_eq!(names, ["Anna <b>", "Ben"]);
    let games = json(&analyse("players-games", &archive(), &["--json", "--nodes", "3000"]));
    // Anna has Black in the first game and White in the third.
    // Ben has the other sides, except White in the second game, whose player has no name.
    let sides = [vec![(0, "black"), (2, "white")], vec![(0, "white"), (1, "black"), (2, "black")]];
    for (player, sides) in players.iter().zip(sides) {
        assert_eq!(player["variant"], "linesofaction");
        assert_eq!(player["games"], sides.len());
        let sum = |field: &str| -> f64 {
            sides
                .iter()
                .map(|&(game, side)| games[game]["play"][side][field].as_f64().unwrap())
                .sum()
        };
        for field in ["moves", "mistakes", "blunders", "missed_wins"] {
            assert_eq!(player[field].as_f64().unwrap(), sum(field), "{field}: {player}");
        }
        let average = player["average_loss"].as_f64().unwrap();
        assert!((average - sum("loss") / sum("moves")).abs() < 1e-4, "{player}");
        assert_eq!(player["opening"]["average_loss"], player["average_loss"]);
        assert_eq!(player["endgame"], serde_json::json!({ "moves": 0 }));
    }
}

#[test]
fn phases_end_at_plies_20_and_50() {
    let moves: String = ["b8b6", "a2c2", "b6b8", "c2a2"]
        .iter()
        .cycle()
        .zip(["B", "W"].iter().cycle())
        .take(60)
        .map(|(mv, side)| format!(";{side}[{mv}]"))
        .collect();
    let game = format!("(;GM[9]PB[A]PW[B]{moves})");
    let arguments =
        ["--players", "--json", "--depth", "1", "--hash", "1", "--option", "Repetition Draw=0"];
    for player in json(&analyse("players-phases", &game, &arguments)) {
        let moves =
            ["opening", "middlegame", "endgame"].map(|phase| player[phase]["moves"].as_u64());
        assert_eq!(moves, [Some(10), Some(15), Some(5)]);
    }
}

#[test]
fn games_with_an_illegal_move_are_reported() {
    let archive = archive() + "(;GM[9]PB[Anna <b>]PW[Ben];B[d1-b3];W[a2-a3])\n";
    let error = "illegal move a2-a3 in";
    let output = analyse("players-error", &archive, &["--players", "--json", "--nodes", "100"]);
    let lines = json(&output);
    assert_eq!((output.status.code(), lines.len()), (Some(1), 3));
    assert!(lines[0]["line"] == 4 && lines[0]["error"].as_str().unwrap().contains(error));
    let output = analyse("players-error", &archive, &["--players", "--nodes", "100"]);
    assert!(text(&output).starts_with("line 4, column ") && text(&output).contains(error));
}

#[test]
fn text_and_page_have_a_row_per_player() {
    let page = folder("players-page").join("page.html");
    let arguments = ["--players", "--nodes", "100", "--html", page.to_str().unwrap()];
    let output = analyse("players-table", &archive(), &arguments);
    let text = text(&output);
    let unnamed = "(;GM[9];B[d1-b3])".repeat(2);
    let unnamed = analyse("players-unnamed", &unnamed, &["--players", "--nodes", "100"]);
    assert_eq!(stderr(&unnamed), "soucie: 2 games have no names of players\n");
    let rows: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].starts_with("Anna <b> (linesofaction)      2      9  "), "{text}");
    assert!(rows[1].starts_with("Ben (linesofaction)           3     14  "), "{text}");
    let page = fs::read_to_string(page).unwrap();
    assert_eq!(page.matches("<tr>").count(), 3);
    assert!(page.contains("<bdi>Anna &lt;b&gt;</bdi>") && page.ends_with("</html>\n"), "{page}");
}
