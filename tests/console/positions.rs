//! Positions that are put up square by square.

use super::*;

/// The commands that put up a position, from the eighth rank down, on the board at the start.
fn set_up(ranks: &[&str; 8], next: &str) -> String {
    let squares = |(row, rank): (usize, &&str)| -> Vec<(String, char)> {
        rank.chars().zip('a'..).map(|(piece, file)| (format!("{file}{}", 8 - row), piece)).collect()
    };
    let wanted: Vec<(String, char)> = ranks.iter().enumerate().flat_map(squares).collect();
    // No side may be without any stone: one of each stays until others have come.
    let kept = |square: &str| ["b8", "a7"].contains(&square);
    let empty = wanted.iter().filter(|(square, _)| !kept(square)).map(|(square, _)| (square, '-'));
    let pieces = wanted.iter().filter(|(square, piece)| *piece != '-' || kept(square));
    let pieces = pieces.map(|(square, piece)| (square, *piece));
    // Those that stay are changed last.
    let (late, early): (Vec<_>, Vec<_>) = pieces.partition(|(square, _)| kept(square));
    let all = empty.chain(early).chain(late);
    all.map(|(square, piece)| format!("set {square} {piece} {next}\n")).collect()
}

/// The example of the rules: c7 takes on c3 and wins.
const EXAMPLE: [&str; 8] = [
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
    let errors = ["the game is over: new begins another"; 3];
    let undo = "there are fewer than 2 moves to take back";
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
    let talk = talk(&(set_up(&stuck, "black") + "dump\n"));
    let note = "Black cannot move and passes.\nWhite> \n===\n";
    assert!(talk.output.contains(note), "{}", talk.output);
    assert!(last_dump(&talk.output).ends_with("Next move: white\n"));
}
