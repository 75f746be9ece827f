//! Positions that are put up square by square.

use super::*;

/// The commands that put up a position, from the eighth rank down, on the board at the start.
pub fn set_up(ranks: &[&str; 8], next: &str) -> String {
    let squares = |(row, rank): (usize, &&str)| -> Vec<(String, char)> {
        rank.chars().zip('a'..).map(|(piece, file)| (format!("{file}{}", 8 - row), piece)).collect()
    };
    let wanted = ranks.iter().enumerate().flat_map(squares);
    wanted.map(|(square, piece)| format!("set {square} {piece} {next}\n")).collect()
}

/// The example of the rules: c7 takes on c3 and wins.
pub const EXAMPLE: [&str; 8] = [
    "--------", "--bw---w", "--------", "--------", "--------", "--w-----", "--bb----", "--b-----",
];

#[test]
fn set_puts_up_a_position_and_the_end_is_announced() {
    let script = set_up(&EXAMPLE, "black") + "dump\n";
    let before = talk(&script);
    assert_eq!(before.errors, "");
    let drawn = EXAMPLE.map(|rank| rank.chars().map(|c| format!(" {c}")).collect::<String>());
    let drawn = drawn.map(|rank| format!("   {rank}\n")).concat();
    assert_eq!(last_dump(&before.output), format!("{drawn}Next move: black\n"));
    let won = talk(&(script + "c7-c3\nc3-c4\nundo\nd7-d6\nc7-c3\ndump\nnew\nb1-b3\n"));
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
    let talk = talk(&(set_up(&EXAMPLE, "black") + quiet + "undo\ndump\n"));
    assert_eq!(talk.errors, "");
    assert!(
        last_dump(&talk.output).starts_with("    - - - - - - - w\n    - - b w - - - -\n"),
        "{}",
        talk.output
    );
    assert!(last_dump(&talk.output).ends_with("Next move: white\n"));
}

#[test]
fn whoever_cannot_move_passes() {
    let stuck = [
        "------wb", "------ww", "--------", "--------", "--------", "--------", "ww------",
        "bw------",
    ];
    let talk = talk(&(set_up(&stuck, "black") + "moves\ndump\n"));
    let note = "Black cannot move and passes.\nWhite> \n===\n";
    assert!(talk.output.contains(note), "{}", talk.output);
    assert!(last_dump(&talk.output).ends_with("Next move: white\n"));
}

#[test]
fn set_changes_squares_freely_and_the_board_is_checked_when_a_move_is_made() {
    // No stones at all, then one of each side; no result is announced on the way.
    let empty = set_up(&["--------"; 8], "white");
    let cannot = |why: &str| {
        format!("error: the board is not a legal position: {why}; set other squares or enter new\n")
    };
    let talk = talk(&format!(
        "{empty}moves\nd1-d2\nsave no-board\ndump\nundo\nset a1 w black\nset a3 w black\nset h8 b black\nset h6 b black\nh8-g8\ndump\n"
    ));
    let no_stones = cannot("Black has no stones");
    let undo = "error: cannot take back 2: fewer moves were made\n";
    assert_eq!(talk.errors, [no_stones.repeat(3).as_str(), undo].concat());
    assert_eq!(starred(&talk.output), Vec::<&str>::new());
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
    assert_eq!(last_dump(&talk.output), board);
    // The end of the game is reported at the next move.
    let over = hold(
        &hurried(),
        "manual white\n".to_string()
            + &empty
            + "set a1 w white\nset h8 b white\nset h6 b white\nmoves\nnew\nmoves\n",
    );
    assert_eq!(over.errors, "error: the game is over; 'new' starts another\n");
    assert_eq!(starred(&over.output), ["White wins."]);
}

#[test]
fn the_automatic_player_checks_the_board_before_it_moves() {
    // Each change makes it White's turn, who plays by itself: that fails once, and works in the end.
    let talk = hold(&hurried(), "set a1 b white\nhelp\nset a1 - white\ndump\n");
    let error = "error: the board is not a legal position: Black has 13 stones, more than 12; set other squares or enter new\n";
    assert_eq!(talk.errors, error);
    assert_eq!(starred(&talk.output).len(), 1, "{}", talk.output);
    assert!(last_dump(&talk.output).ends_with("Next move: black\n"));
}
