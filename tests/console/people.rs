//! What people at a terminal ask for: boards, moves, hints, rules, levels and records.

use soucie::records::{Record, RecordReader, RecordResult, check};

use super::*;

fn shown(variant: &str, input: &str) -> Talk {
    let settings = ConsoleSettings { variant: variant.to_string(), board: true, ..hurried() };
    hold(&settings, format!("manual white\n{input}"))
}

#[test]
fn the_board_is_shown_with_letters_and_numbers_before_each_move() {
    let board = "8  - b b b b b b -
7  w - - - - - - w
6  w - - - - - - w
5  w - - - - - - w
4  w - - - - - - w
3  w b - - - - - w
2  w - - - - - - w
1  - - b b b b b -
   a b c d e f g h
White> ";
    let talk = shown("loa", "b1-b3\nnonsense\n");
    assert_eq!(talk.output.matches(board).count(), 1, "{}", talk.output);
    // Not again where nothing has changed, unless it is asked for.
    assert_eq!(talk.output.matches("a b c d e f g h").count(), 2, "{}", talk.output);
    let again = shown("loa", "board\nboard off\nb1-b3\nboard on\n");
    assert_eq!(again.output.matches("a b c d e f g h").count(), 3, "{}", again.output);
    // Where both sides play by themselves every position is shown.
    let both = shown("loa", "limit 2\nauto white\nauto black\n");
    assert_eq!(both.output.matches("a b c d e f g h").count(), 5, "{}", both.output);
}

#[test]
fn draughts_can_be_played_without_a_printed_board() {
    let board = "8       1b      2b      3b      4b
7   5b      6b      7b      8b
6       9b     10b     11      12b
5  13      14      15b     16
4      17      18      19      20
3  21w     22w     23w     24w
2      25w     26w     27w     28w
1  29w     30w     31w     32w
    a   b   c   d   e   f   g   h
White> ";
    let talk = shown("draughts", "11-15\nmoves\n22-18\nmoves\n");
    assert_eq!(talk.errors, "");
    assert!(talk.output.contains(board), "{}", talk.output);
    assert!(talk.output.contains("22-17 23-18 24-19 21-17 22-18 23-19 24-20\n"), "{}", talk.output);
    assert!(talk.output.ends_with("15x22\nBlack> \n"), "{}", talk.output);
    let king = shown("draughts", "set e3 W white\nset d4 B white\nboard\n");
    assert!(king.output.contains("    18B "), "{}", king.output);
    assert!(king.output.contains(" 23W "), "{}", king.output);
}

#[test]
fn moves_hint_and_undo_print_what_they_did() {
    let script = "b1-b3\nh3-e3\nmoves\nhint\nundo\n";
    let talk = talk(script);
    assert_eq!(talk.errors, "");
    let (moves, rest) = talk.output.rsplit_once("Black> \nHint: ").unwrap();
    let listed: Vec<&str> = moves.rsplit_once("> \n").unwrap().1.split_whitespace().collect();
    let (hint, rest) = rest.split_once('\n').unwrap();
    assert!(listed.contains(&hint) && listed.contains(&"b3-b5"), "{listed:?} {hint}");
    assert_eq!(rest, "Black> \nTaken back: h3-e3, b1-b3.\nBlack> \n");
}

#[test]
fn a_hint_is_as_strong_as_the_engine_can_be_at_every_level() {
    // One move wins.
    let script = "level easy\nseed 3\nset c5 b black\nhint\n";
    let board = positions::set_up(&positions::EXAMPLE, "black");
    let talk = talk(&script.replace("set c5 b black\n", &board));
    assert!(talk.output.contains("Hint: c7-c3\n"), "{}", talk.output);
    assert_eq!(talk.errors, "");
}

#[test]
fn the_rules_have_ten_lines() {
    for (variant, word) in
        [("loa", "connected"), ("scrambledeggs", "alternate"), ("draughts", "king")]
    {
        let settings = ConsoleSettings { variant: variant.to_string(), ..hurried() };
        let talk = hold(&settings, "rules\n");
        let rules: Vec<&str> = talk.output.lines().filter(|line| !line.ends_with("> ")).collect();
        assert!(rules.iter().any(|line| line.starts_with("10. ")), "{rules:?}");
        assert!(!rules.iter().any(|line| line.starts_with("11. ")), "{rules:?}");
        assert!(rules.iter().all(|line| line.len() <= 90), "{rules:?}");
        assert!(talk.output.contains(word), "{}", talk.output);
        let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
        let printed = command.args(["rules", "--variant", variant]).output().unwrap();
        assert_eq!(
            String::from_utf8(printed.stdout).unwrap().lines().collect::<Vec<_>>(),
            rules[..rules.len() - 1]
        );
    }
}

fn record(path: &PathBuf) -> Record {
    let file = BufReader::new(fs::File::open(path).unwrap());
    let mut records: Vec<Record> = RecordReader::new(file).map(Result::unwrap).collect();
    assert_eq!(records.len(), 1);
    check(&records[0]).unwrap();
    records.remove(0)
}

#[test]
fn save_writes_the_game_as_a_record() {
    let [sgf, pdn] = ["save.sgf", "save.pdn"].map(program::file);
    let script = format!("b1-b3\nh3-e3\nsave {0}\nb3-b5\nsave {0}\n", sgf.display());
    let saved = talk(&script);
    assert_eq!(saved.errors, "");
    assert!(saved.output.contains(&format!("Saved 3 moves to {}.\n", sgf.display())));
    assert_eq!(record(&sgf).moves().collect::<Vec<_>>(), ["b1-b3", "h3-e3", "b3-b5"]);
    let saved = draughts(&format!("limit 1\n11-15\n23-19\nsave {}\n", pdn.display()));
    assert_eq!(saved.errors, "");
    let game = record(&pdn);
    assert_eq!(game.moves().collect::<Vec<_>>(), ["11-15", "23-19"]);
    assert_eq!(game.outcome(), RecordResult::Drawn);
    // A board that was set up begins the record.
    let board = positions::set_up(&positions::EXAMPLE, "black");
    fs::remove_file(&sgf).unwrap();
    let saved = talk(&format!("{board}c7-c3\nsave {}\n", sgf.display()));
    assert_eq!(saved.errors, "");
    let game = record(&sgf);
    assert!(game.setup().is_some());
    assert_eq!(game.outcome(), RecordResult::Won(soucie::game::Side::Black));
    for path in [sgf, pdn] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn save_overwrites_no_file_that_it_has_not_written() {
    let path = program::file("precious");
    fs::write(&path, "precious").unwrap();
    let name = path.display();
    let talk = talk(&format!("b1-b3\nsave {name}\nsave /no/such/folder/x\nsave .\n"));
    let errors: Vec<&str> = talk.errors.lines().collect();
    assert_eq!(errors[0], format!("error: save: {name} already exists; choose another name"));
    assert!(errors[1].starts_with("error: save: cannot write /no/such/folder/x"), "{errors:?}");
    assert_eq!(errors[2], "error: save: . already exists; choose another name");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    fs::remove_file(path).unwrap();
}

#[test]
fn lines_on_a_pipe_are_played() {
    let typed = "limit 2\nseed 1\nb1-b3\nauto black\n";
    let shown = [
        "Black>",
        "Black>",
        "Black>",
        "* h7-f7",
        "Black>",
        "* g1-g3",
        "* a2-c2",
        "Draw: the move limit is reached.",
        "* Tie game.",
        ">",
    ];
    let mut player = program::Player::new(&[]);
    for line in typed.lines() {
        player.say(line);
    }
    let (output, errors, status) = player.leave();
    let printed: Vec<&str> = output.lines().map(str::trim_end).collect();
    assert_eq!(printed, shown, "{output}");
    assert_eq!(errors, "");
    assert!(status.success());
}
