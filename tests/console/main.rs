//! Dialogues with the console, held with the library and with the program.

mod draughts;
mod people;
mod positions;
mod program;
mod words;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::time::Duration;

use soucie::console::settings::ConsoleSettings;
use soucie::console::{Ends, run};

use draughts::draughts;

/// What a dialogue has left.
struct Talk {
    output: String,
    errors: String,
    is_clean: bool,
}

fn hurried() -> ConsoleSettings {
    ConsoleSettings { time: Duration::from_millis(1), ..ConsoleSettings::default() }
}

/// Holds a whole dialogue with the library.
fn hold(settings: &ConsoleSettings, input: impl AsRef<[u8]>) -> Talk {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let ends = Ends {
        input: input.as_ref(),
        output: &mut output,
        errors: &mut errors,
        log: None,
        echoed: false,
    };
    let is_clean = run(settings, ends).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let talk = Talk { output: text(output), errors: text(errors), is_clean };
    obeys_the_rules(&talk.output);
    talk
}

/// A dialogue between two people.
fn talk(input: &str) -> Talk {
    hold(&hurried(), format!("manual white\n{input}"))
}

const RESULTS: [&str; 3] = ["* White wins.", "* Black wins.", "* Tie game."];

/// Where `>`, `*` and `===` may stand, whatever was said.
fn obeys_the_rules(output: &str) {
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

/// Whether this is a move as the automatic player writes it.
fn is_move(text: &str) -> bool {
    let mut parts = text.split(['-', 'x']);
    let in_squares = text.len() == 5 && text.as_bytes()[2] == b'-';
    in_squares || parts.all(|part| part.parse().is_ok_and(|n: u32| (1..=32).contains(&n)))
}

/// The lines that begin with a star, without it.
fn starred(output: &str) -> Vec<&str> {
    output.lines().filter_map(|line| line.strip_prefix("* ")).collect()
}

/// The last board and the line behind it.
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
fn a_dialogue_looks_so() {
    let talk = talk("b1-b3\ndump\n\n# what now?\n  H3E3 \t and so on\r\nundo\ndump\nquit\nnew\n");
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
    assert_eq!(talk.output, format!("{boards}{START}===\nBlack> \n"));
    assert_eq!((talk.errors.as_str(), talk.is_clean), ("", true));
}

#[test]
fn at_a_terminal_the_echo_ends_the_prompt() {
    let mut output = Vec::new();
    let input = &b"manual white\nd1-b3\n"[..];
    let ends = Ends { input, output: &mut output, errors: io::sink(), log: None, echoed: true };
    assert!(run(&hurried(), ends).unwrap());
    let output = String::from_utf8(output).unwrap();
    let (greeting, rest) = output.split_once('\n').unwrap();
    assert!(!greeting.is_empty() && !greeting.contains(['>', '*', '=']), "{greeting}");
    assert_eq!(rest, "Black> Black> White> \n");
}

#[test]
fn all_commands_are_read_in_any_case_with_further_words() {
    let script = "AUTO White now\nmanual WHITE\nseed 0\nSeed -9223372036854775808\nseed 18446744073709551615
limit 61 moves\nb1-b3 hm\nh3xe3\nB1-B3\nset a2 - BLACK !\nset A2 White black\ndump it\nhelp me\n? ?\nNEW x\nquit x\nx";
    let talk = talk(script);
    // A capture that is none, and a stone that has left.
    let errors = "error: illegal move h3xe3: h3xe3: no opponent's stone on e3
error: illegal move B1-B3: no White stone on b1\n";
    assert_eq!(talk.errors, errors);
    assert_eq!(talk.output.matches("limit N").count(), 2, "{}", talk.output);
}

#[test]
fn an_error_is_one_line_and_changes_nothing() {
    let many =
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
        ("limit 0", "limit: expected more than 1, the moves that each side has made"),
        ("limit 1", "limit: expected more than 1, the moves that each side has made"),
        (
            "limit 10001",
            "option 'Move Limit': expected a whole number from 0 to 10000, found '10001'",
        ),
        ("set", many),
        ("set c4", many),
        ("set c4 black", many),
        ("set c4 red white", "set: expected black, white or -, found 'red'"),
        ("set c4 black red", "set: expected black or white, found 'red'"),
        ("set c4 B white", "this game has no such piece"),
        ("set c9 black white", "expected a square, found 'c9'"),
        ("level", "level: expected easy, medium, hard or full"),
        ("level 5", "level: expected easy, medium, hard or full, found '5'"),
        ("board up", "board: expected on or off, found 'up'"),
        ("save", "save: expected a file name, as in save game.sgf"),
        ("save my game", "save: expected one file name without spaces"),
        ("set 4c black white", "expected a square, found '4c'"),
        ("0000", "illegal move 0000: Black has legal moves and may not pass"),
        ("e1-e4", "illegal move e1-e4: e1 to e4: the line holds 2 stones, so it moves 2"),
        (
            "d1-z9",
            "illegal move d1-z9: expected a move such as b8b6, or 0000 for a pass, found 'd1-z9'",
        ),
        (
            "11-15",
            "illegal move 11-15: expected a move such as b8b6, or 0000 for a pass, found '11-15'",
        ),
    ];
    let before = talk("d1-b3\nh4-f2\ndump\n").output;
    for (line, error) in table {
        let talk = talk(&format!("d1-b3\nh4-f2\n{line}\ndump\n"));
        assert_eq!(talk.errors, format!("error: {error}\n"), "{line}");
        assert_eq!(last_dump(&talk.output), last_dump(&before), "{line}");
        assert!(talk.is_clean);
    }
    assert_eq!(talk("d1-b3\nundo\n").errors, "error: cannot take back 2: fewer moves were made\n");
}

#[test]
fn a_strict_dialogue_ends_with_its_first_error() {
    let settings = ConsoleSettings { strict: true, ..hurried() };
    let talk = hold(&settings, "manual white\n# not a command\nd1-d4\nhello\nb1-b3\n");
    assert_eq!(talk.errors.lines().count(), 1);
    assert_eq!(talk.output, "Black> \nBlack> \nBlack> \n");
    assert!(!talk.is_clean);
    assert!(hold(&settings, "manual white\nb1-b3\n").is_clean);
}

#[test]
fn white_answers_by_itself_until_it_is_told_otherwise() {
    let talk = hold(&hurried(), "b1-b3\nmanual white\ndump\nundo\nb1-b3\nauto white\ndump\n");
    assert_eq!(talk.errors, "");
    assert_eq!(starred(&talk.output).len(), 2, "{}", talk.output);
    assert!(last_dump(&talk.output).ends_with("Next move: black\n"));
    let prompts: Vec<&str> = talk.output.lines().filter(|line| line.ends_with("> ")).collect();
    let expected =
        ["Black> ", "Black> ", "Black> ", "Black> ", "Black> ", "White> ", "Black> ", "Black> "];
    assert_eq!(prompts, expected);
}

#[test]
fn both_automatic_players_play_to_the_end_and_then_prompt() {
    for variant in ["loa", "scrambledeggs", "draughts"] {
        let settings = ConsoleSettings { variant: variant.to_string(), ..hurried() };
        let talk =
            hold(&settings, "auto black\nb1-b3\nauto white\nmanual white\nnew\nmanual black\n");
        // The second game begins with Black's move.
        let (first, second) = talk
            .output
            .rsplit_once(" game.")
            .or_else(|| talk.output.rsplit_once(" wins."))
            .unwrap();
        let moves = starred(first).len() - 1;
        assert!((10..=120).contains(&moves), "{variant}: {moves}");
        assert_eq!(starred(second).len(), 1, "{variant}: {second}");
        assert!(second.starts_with("\n> \n"), "{second}");
        assert_eq!(talk.errors, "error: the game is over; 'new' starts another\n");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed: i64, input: &str| {
        let talk = hold(&hurried(), format!("seed {seed}\nlimit 8\n{input}"));
        assert_eq!(talk.errors, "");
        starred(&talk.output).join(" ")
    };
    let both = |seed| game(seed, "auto black\n");
    let whole = both(7);
    assert_eq!(both(7), whole);
    // What was played before does not matter, nor how long the player may think.
    assert_eq!(game(7, "auto black\nnew\n"), format!("{whole} {whole}"));
    let patient = hold(&ConsoleSettings::default(), "seed 7\nlimit 8\nauto black\n");
    assert_eq!(starred(&patient.output).join(" "), whole);
    // Nor who has made the moves.
    let words: Vec<&str> = whole.split_whitespace().collect();
    let (moves, result) = words.split_at(words.len() - 2);
    let of = |first: usize| moves.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
    let answers = game(7, &of(0).join("\n"));
    assert_eq!(answers, [of(1), result.to_vec()].concat().join(" "));
    let games: BTreeSet<String> = (1..=3).map(both).collect();
    assert!(games.len() > 1, "{games:?}");
}

#[test]
fn undo_takes_back_two_moves() {
    let talk = talk("b1-b3\nh3-e3\nundo\ndump\n");
    assert_eq!(last_dump(&talk.output), START);
    // The move to which the automatic player has answered.
    let talk = hold(&hurried(), "b1-b3\nundo\ndump\n");
    assert_eq!(last_dump(&talk.output), START);
    assert_eq!(talk.errors, "");
}

#[test]
fn the_limit_ends_the_game_in_a_tie() {
    let script = "b1-b3\nh3-e3\nlimit 1\nlimit 2\nb3-b1\nh4-f4\nlimit 2\nb8-b6\ndump\n";
    let end = "Draw: the move limit is reached.\n* Tie game.\n> \n> \n> \n===\n";
    let errors = "error: limit: expected more than 1, the moves that each side has made
error: limit: expected more than 2, the moves that each side has made
error: the game is over; 'new' starts another\n";
    let played = talk(script);
    assert!(played.output.contains(end), "{}", played.output);
    assert_eq!(played.errors, errors);
    // A higher one lets it go on; it holds for the next game, too.
    let longer = talk(&format!("{script}limit 3\nb8-b6\nh5-f5\n{}", "new\nlimit 3\nlimit 1\n"));
    assert_eq!(starred(&longer.output), ["Tie game.", "Tie game."], "{}", longer.output);
    assert_eq!(longer.errors, errors);
    // What was played before a setup does not count.
    let anew = talk("limit 2\nb1-b3\nh3-e3\nset h4 white black\nb3-b1\nh4-f4\nb8-b6\n");
    assert_eq!((starred(&anew.output), anew.errors.as_str()), (vec![], ""));
    // A game that knows no limit obeys it as well.
    let short = draughts("limit 1\n11-15\n23-19\n8-11\n");
    assert_eq!(starred(&short.output), ["Tie game."]);
    assert_eq!(short.errors, "error: the game is over; 'new' starts another\n");
    // Positions may come again as often as they like.
    let shuffle = "b1-b3\nh3-e3\nb3-b1\n".to_string() + "e3-e4\nb1-b3\ne4-e3\nb3-b1\n";
    assert!(!talk(&shuffle).output.contains("Tie"));
}

#[test]
fn every_line_that_is_entered_is_kept() {
    /// A log that can be looked at while it is written.
    #[derive(Clone, Default)]
    struct Log(Rc<RefCell<Vec<u8>>>);
    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Whole lines only.
            assert!(bytes.ends_with(b"\n"));
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let input = "manual white\n\n# a comment\n  b1-b3  now\r\nd1-d4\nhello\nquit\ndump\n";
    let ends = Ends {
        input: input.as_bytes(),
        output: io::sink(),
        errors: io::sink(),
        log: Some(Box::new(log.clone())),
        echoed: false,
    };
    assert!(run(&hurried(), ends).unwrap());
    let kept = String::from_utf8(log.0.borrow().clone()).unwrap();
    let lines: Vec<&str> = kept.lines().collect();
    assert_eq!(lines[..3], ["# soucie console: linesofaction", "manual white", "b1-b3  now"]);
    let refused = "# refused: ";
    assert!(lines[3] == "d1-d4" && lines[4].starts_with(refused), "{kept}");
    assert!(lines[5] == "hello" && lines[6].starts_with(refused), "{kept}");
    assert_eq!(lines[7..], ["quit"]);
}

#[test]
fn the_log_holds_the_whole_game() {
    #[derive(Clone, Default)]
    struct Log(Rc<RefCell<Vec<u8>>>);
    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let input = "seed 1\nd1-d8\nd1-b3\nd8-b6\nundo\nset h6 - white\nquit\n";
    let ends = Ends {
        input: input.as_bytes(),
        output: io::sink(),
        errors: io::sink(),
        log: Some(Box::new(log.clone())),
        echoed: false,
    };
    assert!(run(&hurried(), ends).unwrap());
    let kept = log.0.borrow().clone();
    let games: Vec<_> = soucie::records::RecordReader::new(&*kept).map(Result::unwrap).collect();
    let [first, second] = &games[..] else { panic!("{}", String::from_utf8_lossy(&kept)) };
    // Black's first move and White's answer; the second pair was taken back.
    assert_eq!(first.moves().count(), 2);
    // White's answer to the position that was set.
    assert!(second.moves().count() == 1 && second.setup().unwrap().contains(" w "));
    for game in &games {
        assert_eq!(soucie::records::check(game), Ok(game.moves().count()));
    }
}

#[test]
fn a_closed_output_ends_the_dialogue() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let ends = Ends {
        input: &b"dump\n"[..],
        output: Closed,
        errors: io::sink(),
        log: None,
        echoed: false,
    };
    assert_eq!(run(&hurried(), ends).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    // Errors that nobody reads are no reason to end.
    let ends = Ends {
        input: &b"x\ny\n"[..],
        output: io::sink(),
        errors: Closed,
        log: None,
        echoed: false,
    };
    assert!(run(&hurried(), ends).unwrap());
}
