//! Positions that are set up square by square.

use super::*;

/// The commands that set up a position from the start position, beginning with the eighth rank.
pub fn set_up(ranks: &[&str; 8], next: &str) -> String {
    let squares = |(row, rank): (usize, &&str)| -> Vec<(String, char)> {
        rank.chars().zip('a'..).map(|(piece, file)| (format!("{file}{}", 8 - row), piece)).collect()
    };
    let pieces = ranks.iter().enumerate().flat_map(squares);
    pieces.map(|(square, piece)| format!("set {square} {piece} {next}\n")).collect()
}

/// The example of the rules: c7xc3 wins.
pub const EXAMPLE: [&str; 8] = [
    "--------", "--bw---w", "--------", "--------", "--------", "--w-----", "--bb----", "--b-----",
];

#[test]
fn set_changes_the_position_and_the_result_is_printed() {
    let script = set_up(&EXAMPLE, "black") + "dump\n";
    let before = run_manual(&script);
    assert_eq!(before.errors, "");
    let drawn = EXAMPLE.map(|rank| rank.chars().map(|c| format!(" {c}")).collect::<String>());
    let drawn = drawn.map(|rank| format!("   {rank}\n")).concat();
    assert_eq!(last_dump(&before.output), format!("{drawn}Next move: black\n"));
    let won = run_manual(&(script + "c7-c3\nc3-c4\nundo\nd7-d6\nc7-c3\ndump\nnew\nb1-b3\n"));
    let ending = won.output.strip_prefix(before.output.trim_end_matches("Black> \n")).unwrap();
    assert!(ending.starts_with("Black> \n* Black wins.\n> \n> \n> \n> \n> \n==="), "{ending}");
    let errors = ["the game is over; 'new' starts another"; 3];
    let undo = "cannot take back 2: fewer moves were made";
    let errors = [errors[0], undo, errors[1], errors[2]].map(|error| format!("error: {error}\n"));
    assert_eq!(won.errors, errors.concat());
    assert!(ending.ends_with("Black> \nWhite> \n"), "{ending}");
}

#[test]
fn a_win_can_be_taken_back() {
    let quiet = "c7-b6\nh7-h8\nb6-c7\nh8-h7\nc7-c3\n";
    let console = run_manual(&(set_up(&EXAMPLE, "black") + quiet + "undo\ndump\n"));
    assert_eq!(console.errors, "");
    assert!(
        last_dump(&console.output).starts_with("    - - - - - - - w\n    - - b w - - - -\n"),
        "{}",
        console.output
    );
    assert!(last_dump(&console.output).ends_with("Next move: white\n"));
}

#[test]
fn a_side_without_legal_moves_passes() {
    let stuck = [
        "------wb", "------ww", "--------", "--------", "--------", "--------", "ww------",
        "bw------",
    ];
    let console = run_manual(&(set_up(&stuck, "black") + "moves\ndump\n"));
    let note = "Black cannot move and passes.\nWhite> \n===\n";
    assert!(console.output.contains(note), "{}", console.output);
    assert!(last_dump(&console.output).ends_with("Next move: white\n"));
}

#[test]
fn set_accepts_any_board_and_moves_check_it() {
    // First no stones, then two of each side; no result is printed in between.
    let empty = set_up(&["--------"; 8], "white");
    let refused = |why: &str| {
        format!("error: the board is not a legal position: {why}; set other squares or enter new\n")
    };
    let console = run_manual(&format!(
        "{empty}moves\nd1-d2\nsave no-board\ndump\nundo\nset a1 w black\nset a3 w black\nset h8 b black\nset h6 b black\nh8-g8\ndump\n"
    ));
    let no_stones = refused("Black has no stones");
    let undo = "error: cannot take back 2: fewer moves were made\n";
    assert_eq!(console.errors, [no_stones.repeat(3).as_str(), undo].concat());
    assert_eq!(starred(&console.output), Vec::<&str>::new());
    let board = "    - - - - - - b -
    - - - - - - - -
    - - - - - - - b
    - - - - - - - -
    - - - - - - - -
    w - - - - - - -
    - - - - - - - -
    w - - - - - - -
Next move: white
";
    assert_eq!(last_dump(&console.output), board);
    // The end of the game is reported at the next move.
    let over = run_console(
        &fast_settings(),
        "manual white\n".to_string()
            + &empty
            + "set a1 w white\nset h8 b white\nset h6 b white\nmoves\nnew\nmoves\n",
    );
    assert_eq!(over.errors, "error: the game is over; 'new' starts another\n");
    assert_eq!(starred(&over.output), ["White wins."]);
}

#[test]
fn the_automatic_player_checks_the_board_before_it_moves() {
    // After each change it is the engine's turn as White. The first time it cannot move.
    let console = run_console(&fast_settings(), "set a1 b white\nhelp\nset a1 - white\ndump\n");
    let error = "error: the board is not a legal position: Black has 13 stones, more than 12; set other squares or enter new\n";
    assert_eq!(console.errors, error);
    assert_eq!(starred(&console.output).len(), 1, "{}", console.output);
    assert!(last_dump(&console.output).ends_with("Next move: black\n"));
}
