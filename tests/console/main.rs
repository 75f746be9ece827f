//! Tests of the console, with the library and with the program.

mod draughts;
mod lessons;
mod people;
mod positions;
mod program;
#[path = "../support/programs.rs"]
mod programs;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use soucie_program::arguments::VariantArgument;
use soucie_program::console::{ConsoleSettings, Streams, run};

use draughts::run_draughts;

/// The result of a console run.
struct ConsoleResult {
    output: String,
    errors: String,
    /// False if an error ended the run in strict mode.
    is_clean: bool,
}

fn fast_settings() -> ConsoleSettings {
    ConsoleSettings { time: Duration::from_millis(1), ..ConsoleSettings::default() }
}

/// Runs the console of the library on a whole input.
fn run_console(settings: &ConsoleSettings, input: impl AsRef<[u8]>) -> ConsoleResult {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let streams =
        Streams { input: input.as_ref(), output: &mut output, errors: &mut errors, editor: None };
    let is_clean = run(settings, streams).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let console = ConsoleResult { output: text(output), errors: text(errors), is_clean };
    check_markers(&console.output);
    console
}

/// Runs the console of the library with two manual players.
fn run_manual(input: &str) -> ConsoleResult {
    run_console(&fast_settings(), format!("manual white\n{input}"))
}

const RESULTS: [&str; 3] = ["* White wins.", "* Black wins.", "* Tie game."];

/// Checks that the markers `>`, `*` and `===` occur only in prompts, moves, results and boards.
fn check_markers(output: &str) {
    let mut in_board = false;
    for line in output.lines() {
        match line {
            "Black> " | "White> " | "> " => assert!(!in_board, "{output}"),
            "===" => in_board = !in_board,
            _ if RESULTS.contains(&line) => {}
            _ => {
                let text = line.strip_prefix("* ").unwrap_or(line);
                assert!(!text.contains(['>', '*']) && !text.contains("==="), "{line:?}");
                assert!(text == line || is_move(text), "{line:?}");
            }
        }
    }
    assert!(!in_board, "{output}");
}

/// Whether the text is a move as the automatic player prints it.
fn is_move(text: &str) -> bool {
    let mut parts = text.split(['-', 'x']);
    let in_squares = text.len() == 5 && text.as_bytes()[2] == b'-';
    in_squares || parts.all(|part| part.parse().is_ok_and(|n: u32| (1..=32).contains(&n)))
}

/// The lines that begin with a star, without it.
fn starred(output: &str) -> Vec<&str> {
    output.lines().filter_map(|line| line.strip_prefix("* ")).collect()
}

/// The last board of `dump`, with its last line.
fn last_dump(output: &str) -> &str {
    output.rsplit("===\n").nth(1).unwrap_or_else(|| panic!("no board in {output}"))
}

const START: &str = "    - b b b b b b -
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    - b b b b b b -
Next move: black
";

#[test]
fn prompts_boards_and_undone_moves_are_printed() {
    let console =
        run_manual("b1-b3\ndump\n\n# what now?\n  H3E3 \t and so on\r\nundo\ndump\nquit\nnew\n");
    let boards = "Black> 
Black> 
White> 
===
    - b b b b b b -
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w - - - - - - w
    w b - - - - - w
    w - - - - - - w
    - - b b b b b -
Next move: white
===
White> 
White> 
White> 
Black> 
Taken back: h3-e3, b1-b3.
Black> 
===
";
    assert_eq!(console.output, format!("{boards}{START}===\nBlack> \n"));
    assert_eq!((console.errors.as_str(), console.is_clean), ("", true));
}

#[test]
fn a_game_ends_by_resignation_or_agreement() {
    let ended = "error: the game is over; 'new' starts another\n";
    let table = [
        ("resign\nd1-b3\n", "Black> \n* White wins.\n> \n> \n", ended),
        ("d1-b3\nresign\n", "Black> \nWhite> \n* Black wins.\n> \n", ""),
        // Two players agree.
        ("draw\ndraw\n", "Black> \nDraw: both sides agree.\n* Tie game.\n> \n> \n", ended),
        ("resign\nnew\n", "Black> \n* White wins.\n> \nBlack> \n", ""),
        ("resign\nundo\n", "Black> \n* White wins.\n> \nThe game goes on.\nBlack> \n", ""),
    ];
    for (input, output, errors) in table {
        let console = run_manual(input);
        assert_eq!(
            (console.output, console.errors.as_str()),
            (format!("Black> \n{output}"), errors)
        );
    }
    let path = program::temp_file("resigned.sgf");
    run_manual(&format!("d1-b3\nresign\nsave {}\n", path.display()));
    assert!(std::fs::read_to_string(&path).unwrap().contains("RE[B+R]"));
    // The engine, White, has two men less or two more.
    for (fewer, reply) in [
        ("set 21 - black\nset 22 - black\n", "Draw: both sides agree.\n* Tie game.\n"),
        ("set 11 - black\nset 12 - black\n", "The engine declines the draw.\nBlack> "),
    ] {
        let output = run_draughts(&format!("auto white\nseed 1\n{fewer}draw\n")).output;
        assert!(output.contains(reply), "{output}");
    }
}

#[test]
fn commands_ignore_case_and_extra_words() {
    let script = "AUTO White now\nmanual WHITE\nseed 0\nSeed -9223372036854775808\nseed 18446744073709551615
limit 61 moves\nb1-b3 hm\nh3xe3\nB1-B3\nset a2 - BLACK !\nset A2 White black\ndump it\nhelp me\n? ?\nNEW x\nquit x\nx";
    let console = run_manual(script);
    // A capture on an empty square, and a move from an empty square.
    let errors = "error: illegal move h3xe3: h3xe3: no opponent's stone on e3
error: illegal move B1-B3: no White stone on b1\n";
    assert_eq!(console.errors, errors);
    assert_eq!(console.output.matches("limit N").count(), 2, "{}", console.output);
}

#[test]
fn an_error_is_one_line_and_changes_nothing() {
    let set_syntax =
        "set: expected a square, its contents and the side to move, as in set c4 black white";
    let long = "x".repeat(100);
    let shortened = format!(
        "expected a command or a move, found '{}...'; 'help' lists the commands",
        "x".repeat(40)
    );
    let too_long = "a".repeat(70_000);
    let table = [
        ("hello", "expected a command or a move, found 'hello'; 'help' lists the commands"),
        (">", "expected a command or a move, found '>'; 'help' lists the commands"),
        (&long, &shortened),
        (
            "\u{1b}[2J",
            "expected a command or a move, found '\\u{1b}[2J'; 'help' lists the commands",
        ),
        (&too_long, "line longer than 65536 bytes ignored"),
        ("auto", "auto: expected black or white, as in auto black"),
        ("auto red", "auto: expected black or white, found 'red'"),
        ("manual", "manual: expected black or white, as in manual black"),
        ("manual both", "manual: expected black or white, found 'both'"),
        ("seed", "seed: expected a number, as in seed 42"),
        ("seed x", "seed: expected a whole number, found 'x'"),
        (
            "seed 18446744073709551616",
            "seed: expected a whole number, found '18446744073709551616'",
        ),
        ("limit", "limit: expected a number of moves, as in limit 60"),
        ("limit -1", "limit: expected a whole number, found '-1'"),
        (
            "limit 0",
            "limit: expected a number from 2, more than the moves of each side so far, to 10000",
        ),
        (
            "limit 1",
            "limit: expected a number from 2, more than the moves of each side so far, to 10000",
        ),
        (
            "limit 10001",
            "limit: expected a number from 2, more than the moves of each side so far, to 10000",
        ),
        ("set", set_syntax),
        ("set c4", set_syntax),
        ("set c4 black", set_syntax),
        ("set c4 red white", "set: expected black, white, a letter of dump or -, found 'red'"),
        ("set c4 black red", "set: expected black or white, found 'red'"),
        ("set c4 B white", "this game has no such piece"),
        ("set c9 black white", "expected a square, found 'c9'"),
        ("level", "level: expected beginner, easy, medium, hard or full"),
        ("level 5", "level: expected beginner, easy, medium, hard or full, found '5'"),
        ("board up", "board: expected on or off, found 'up'"),
        ("save", "save: expected a file name, as in save game.sgf"),
        ("save my game", "save: expected one file name without spaces"),
        ("undo 0", "undo: expected a whole number of at least 1, found '0'"),
        ("undo x", "undo: expected a whole number of at least 1, found 'x'"),
        ("load", "load: expected a file name, as in load game.sgf"),
        ("load my game", "load: expected one file name without spaces"),
        ("set 4c black white", "expected a square, found '4c'"),
        ("0000", "illegal move 0000: Black has legal moves and may not pass"),
        ("pass", "illegal move pass: Black has legal moves and may not pass"),
        ("e1-e4", "illegal move e1-e4: e1 to e4: the line holds 2 stones, so it moves 2"),
        ("d1-z9", "illegal move d1-z9: expected a move such as b8b6, or pass, found 'd1-z9'"),
        ("11-15", "illegal move 11-15: expected a move such as b8b6, or pass, found '11-15'"),
    ];
    let before = run_manual("d1-b3\nh4-f2\ndump\n").output;
    for (line, error) in table {
        let console = run_manual(&format!("d1-b3\nh4-f2\n{line}\ndump\n"));
        assert_eq!(console.errors, format!("error: {error}\n"), "{line}");
        assert_eq!(last_dump(&console.output), last_dump(&before), "{line}");
        assert!(console.is_clean);
    }
    assert_eq!(
        run_manual("d1-b3\nundo\n").errors,
        "error: cannot take back 2: fewer moves were made\n"
    );
}

#[test]
fn strict_mode_ends_at_the_first_error() {
    let settings = ConsoleSettings { strict: true, ..fast_settings() };
    let console = run_console(&settings, "manual white\n# not a command\nd1-d4\nhello\nb1-b3\n");
    assert_eq!(console.errors.lines().count(), 1);
    assert_eq!(console.output, "Black> \nBlack> \nBlack> \n");
    assert!(!console.is_clean);
    assert!(run_console(&settings, "manual white\nb1-b3\n").is_clean);
}

#[test]
fn the_engine_plays_white_until_white_is_manual() {
    let console =
        run_console(&fast_settings(), "b1-b3\nmanual white\ndump\nundo\nb1-b3\nauto white\ndump\n");
    assert_eq!(console.errors, "");
    assert_eq!(starred(&console.output).len(), 2, "{}", console.output);
    assert!(last_dump(&console.output).ends_with("Next move: black\n"));
    let prompts: Vec<&str> = console.output.lines().filter(|line| line.ends_with("> ")).collect();
    let expected =
        ["Black> ", "Black> ", "Black> ", "Black> ", "Black> ", "White> ", "Black> ", "Black> "];
    assert_eq!(prompts, expected);
}

#[test]
fn games_of_two_automatic_players_end_with_a_prompt() {
    for variant in ["loa", "scrambledeggs", "draughts"] {
        let settings = ConsoleSettings {
            game: VariantArgument { variant: variant.to_string() },
            ..fast_settings()
        };
        let console = run_console(
            &settings,
            "auto black\nb1-b3\nauto white\nmanual white\nnew\nmanual black\n",
        );
        // The second game begins with Black's move.
        let (first, second) = console
            .output
            .rsplit_once(" game.")
            .or_else(|| console.output.rsplit_once(" wins."))
            .unwrap();
        let moves = starred(first).len() - 1;
        assert!((10..=120).contains(&moves), "{variant}: {moves}");
        assert_eq!(starred(second).len(), 1, "{variant}: {second}");
        assert!(second.starts_with("\n> \n"), "{second}");
        assert_eq!(console.errors, "error: the game is over; 'new' starts another\n");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed: i64, input: &str| {
        let console = run_console(&fast_settings(), format!("seed {seed}\nlimit 8\n{input}"));
        assert_eq!(console.errors, "");
        starred(&console.output).join(" ")
    };
    let both = |seed| game(seed, "auto black\n");
    let whole = both(7);
    assert_eq!(both(7), whole);
    // Earlier games and the time limit do not change it.
    assert_eq!(game(7, "auto black\nnew\n"), format!("{whole} {whole}"));
    let slow = run_console(&ConsoleSettings::default(), "seed 7\nlimit 8\nauto black\n");
    assert_eq!(starred(&slow.output).join(" "), whole);
    // Nor does it matter whether Black is manual.
    let words: Vec<&str> = whole.split_whitespace().collect();
    let (moves, result) = words.split_at(words.len() - 2);
    let every_second =
        |first: usize| moves.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
    let replies = game(7, &every_second(0).join("\n"));
    assert_eq!(replies, [every_second(1), result.to_vec()].concat().join(" "));
    let games: BTreeSet<String> = (1..=3).map(both).collect();
    assert!(games.len() > 1, "{games:?}");
}

#[test]
fn undo_takes_back_two_moves() {
    let console = run_manual("b1-b3\nh3-e3\nundo\ndump\n");
    assert_eq!(last_dump(&console.output), START);
    // The move and the reply of the automatic player.
    let console = run_console(&fast_settings(), "b1-b3\nundo\ndump\n");
    assert_eq!(last_dump(&console.output), START);
    assert_eq!(console.errors, "");
    // Or as many as wanted.
    for script in ["b1-b3\nundo 1\ndump\n", "b1-b3\nh3-e3\nc1-c3\nundo 3\nundo 1\ndump\n"] {
        assert_eq!(last_dump(&run_manual(script).output), START, "{script}");
    }
}

#[test]
fn the_limit_ends_the_game_in_a_tie() {
    let script = "b1-b3\nh3-e3\nlimit 1\nlimit 2\nb3-b1\nh4-f4\nlimit 2\nb8-b6\ndump\n";
    let end = "Draw: the move limit is reached.\n* Tie game.\n> \n> \n> \n===\n";
    let errors =
        "error: limit: expected a number from 2, more than the moves of each side so far, to 10000
error: limit: expected a number from 3, more than the moves of each side so far, to 10000
error: the game is over; 'new' starts another\n";
    let played = run_manual(script);
    assert!(played.output.contains(end), "{}", played.output);
    assert_eq!(played.errors, errors);
    // A higher limit continues the game and applies to the next game too.
    let longer =
        run_manual(&format!("{script}limit 3\nb8-b6\nh5-f5\n{}", "new\nlimit 3\nlimit 1\n"));
    assert_eq!(starred(&longer.output), ["Tie game.", "Tie game."], "{}", longer.output);
    assert_eq!(longer.errors, errors);
    // Moves before a setup are not counted.
    let after_setup =
        run_manual("limit 2\nb1-b3\nh3-e3\nset h4 white black\nb3-b1\nh4-f4\nb8-b6\n");
    assert_eq!((starred(&after_setup.output), after_setup.errors.as_str()), (vec![], ""));
    // The limit also applies to draughts, whose rules have none.
    let short = run_draughts("limit 1\n11-15\n23-19\n8-11\n");
    assert_eq!(starred(&short.output), ["Tie game."]);
    assert_eq!(short.errors, "error: the game is over; 'new' starts another\n");
    // Repetition is not a draw.
    let shuffle = "b1-b3\nh3-e3\nb3-b1\n".to_string() + "e3-e4\nb1-b3\ne4-e3\nb3-b1\n";
    assert!(!run_manual(&shuffle).output.contains("Tie"));
}

#[test]
fn a_closed_output_ends_the_console() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let streams =
        Streams { input: &b"dump\n"[..], output: Closed, errors: io::sink(), editor: None };
    assert_eq!(run(&fast_settings(), streams).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    // A closed error output does not end it.
    let streams =
        Streams { input: &b"x\ny\n"[..], output: io::sink(), errors: Closed, editor: None };
    assert!(run(&fast_settings(), streams).unwrap());
}
