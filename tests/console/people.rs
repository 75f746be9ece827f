//! Commands for players at a terminal: boards, moves, hints, rules, levels and records.

use soucie::records::{Record, RecordReader, RecordResult, check};

use super::*;

fn run_with_board(variant: &str, input: &str) -> ConsoleResult {
    let settings = ConsoleSettings {
        game: VariantArgument { variant: variant.to_string() },
        board: true,
        ..fast_settings()
    };
    run_console(&settings, format!("manual white\n{input}"))
}

#[test]
fn the_board_is_printed_with_coordinates_before_each_move() {
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
    let console = run_with_board("loa", "b1-b3\nnonsense\n");
    assert_eq!(console.output.matches(board).count(), 1, "{}", console.output);
    // An unchanged board is printed again only by `board`.
    assert_eq!(console.output.matches("a b c d e f g h").count(), 2, "{}", console.output);
    let again = run_with_board("loa", "board\nboard off\nb1-b3\nboard on\n");
    assert_eq!(again.output.matches("a b c d e f g h").count(), 3, "{}", again.output);
    // With two automatic players every position is printed.
    let both = run_with_board("loa", "limit 2\nauto white\nauto black\n");
    assert_eq!(both.output.matches("a b c d e f g h").count(), 5, "{}", both.output);
}

#[test]
fn the_draughts_board_shows_the_square_numbers() {
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
    let console = run_with_board("draughts", "11-15\nmoves\n22-18\nmoves\n");
    assert_eq!(console.errors, "");
    assert!(console.output.contains(board), "{}", console.output);
    assert!(
        console.output.contains("22-17 23-18 24-19 21-17 22-18 23-19 24-20\n"),
        "{}",
        console.output
    );
    assert!(console.output.ends_with("15x22\nBlack> \n"), "{}", console.output);
    let king = run_with_board("draughts", "set e3 W white\nset d4 B white\nboard\n");
    assert!(king.output.contains("    18B "), "{}", king.output);
    assert!(king.output.contains(" 23W "), "{}", king.output);
}

#[test]
fn moves_hint_and_undo_print_their_results() {
    let script = "b1-b3\nh3-e3\nmoves\nhint\nundo\n";
    let console = run_manual(script);
    assert_eq!(console.errors, "");
    let (moves, rest) = console.output.rsplit_once("Black> \nHint: ").unwrap();
    let listed: Vec<&str> = moves.rsplit_once("> \n").unwrap().1.split_whitespace().collect();
    let (hint, rest) = rest.split_once('\n').unwrap();
    let (hint, reason) = hint.split_once(' ').unwrap();
    assert!(listed.contains(&hint) && listed.contains(&"b3-b5"), "{listed:?} {hint}");
    assert!(reason.len() > 10 && reason.ends_with('.'), "{reason}");
    assert_eq!(rest, "Black> \nTaken back: h3-e3, b1-b3.\nBlack> \n");
}

#[test]
fn hints_ignore_the_level() {
    // One move wins.
    let script = "level easy\nseed 3\nset c5 b black\nhint\n";
    let board = positions::set_up(&positions::EXAMPLE, "black");
    let console = run_manual(&script.replace("set c5 b black\n", &board));
    assert!(
        console.output.contains("Hint: c7-c3 wins at once and connects all of Black's stones.\n"),
        "{}",
        console.output
    );
    assert_eq!(console.errors, "");
}

#[test]
fn the_rules_have_ten_lines() {
    for (variant, word) in
        [("loa", "connected"), ("scrambledeggs", "alternate"), ("draughts", "king")]
    {
        let settings = ConsoleSettings {
            game: VariantArgument { variant: variant.to_string() },
            ..fast_settings()
        };
        let console = run_console(&settings, "rules\n");
        let rules: Vec<&str> =
            console.output.lines().filter(|line| !line.ends_with("> ")).collect();
        assert!(rules.iter().any(|line| line.starts_with("10. ")), "{rules:?}");
        assert!(!rules.iter().any(|line| line.starts_with("11. ")), "{rules:?}");
        assert!(rules.iter().all(|line| line.len() <= 90), "{rules:?}");
        assert!(console.output.contains(word), "{}", console.output);
        let mut command = programs::soucie();
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
    let [sgf, pdn] = ["save.sgf", "save.pdn"].map(program::temp_file);
    let script = format!("b1-b3\nh3-e3\nsave {0}\nb3-b5\nsave {0}\n", sgf.display());
    let saved = run_manual(&script);
    assert_eq!(saved.errors, "");
    assert!(saved.output.contains(&format!("Saved 3 moves to {}.\n", sgf.display())));
    assert_eq!(record(&sgf).moves().collect::<Vec<_>>(), ["b1-b3", "h3-e3", "b3-b5"]);
    let saved = run_draughts(&format!("limit 1\n11-15\n23-19\nsave {}\n", pdn.display()));
    assert_eq!(saved.errors, "");
    let game = record(&pdn);
    assert_eq!(game.moves().collect::<Vec<_>>(), ["11-15", "23-19"]);
    assert_eq!(game.outcome(), RecordResult::Drawn);
    // The record begins with the board that was set up.
    let board = positions::set_up(&positions::EXAMPLE, "black");
    fs::remove_file(&sgf).unwrap();
    let saved = run_manual(&format!("{board}c7-c3\nsave {}\n", sgf.display()));
    assert_eq!(saved.errors, "");
    let game = record(&sgf);
    assert!(game.setup().is_some());
    assert_eq!(game.outcome(), RecordResult::Won(soucie::game::Side::Black));
    for path in [sgf, pdn] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn load_continues_a_saved_game_or_a_position() {
    let [game, board, pdn, broken] =
        ["load.sgf", "load.txt", "load.pdn", "broken.sgf"].map(program::temp_file);
    let saved = run_manual(&format!("b1-b3\nh3-e3\nsave {}\ndump\n", game.display()));
    let played = last_dump(&saved.output);
    fs::write(&board, played).unwrap();
    fs::write(&pdn, "1. 11-15 *").unwrap();
    fs::write(&broken, "(;GM[9];B[b1-b3];W[h3-z3])").unwrap();
    for file in [&game, &board] {
        let loaded = run_manual(&format!("c1-c3\nload {}\ndump\n", file.display()));
        assert_eq!((last_dump(&loaded.output), loaded.errors.as_str()), (played, ""));
    }
    // The moves can be taken back.
    let undone = run_manual(&format!("load {}\nundo\ndump\n", game.display()));
    assert!(undone.output.contains("Loaded 2 moves.\n"));
    assert_eq!(last_dump(&undone.output), START);
    for (file, error) in [
        (&pdn, "load: expected a game of linesofaction, found englishdraughts"),
        (&broken, "load: line 1, column 20: expected a move, found 'h3-z3'"),
        (&program::temp_file("missing.sgf"), "load: cannot read "),
    ] {
        let refused = run_manual(&format!("b1-b3\nload {}\nundo 1\ndump\n", file.display()));
        assert!(refused.errors.starts_with(&format!("error: {error}")), "{}", refused.errors);
        assert_eq!(last_dump(&refused.output), START);
    }
    [game, board, pdn, broken].iter().for_each(|file| fs::remove_file(file).unwrap());
}

/// A loaded game has the rules that its record names, in place of those of the console.
#[test]
fn a_game_keeps_its_rules() {
    let [pdn, saved, sgf] = ["rules.pdn", "rules-saved.pdn", "rules.sgf"].map(program::temp_file);
    fs::write(&pdn, "[Rules \"Captures: optional\"]\n1. 11-15 22-18 8-11 *").unwrap();
    let script = format!("load {}\n18-14\nsave {}\n", pdn.display(), saved.display());
    let console = run_draughts(&format!("{script}new\n11-15\n22-18\n8-11\n"));
    // In the new game a capture is compulsory again.
    assert!(
        console.errors.contains("8-11") && console.errors.lines().count() == 1,
        "{}{}",
        console.output,
        console.errors
    );
    let text = fs::read_to_string(&saved).unwrap();
    assert!(text.contains("[Rules \"Captures: optional; Repetition Draw: 0\"]"), "{text}");
    // A limit of moves is one of the console.
    fs::write(&sgf, "(;GM[9]RU[Move Limit: 1];B[b1-b3])").unwrap();
    let console = run_manual(&format!("load {}\nh3-e3\n", sgf.display()));
    assert!(console.output.contains("* Tie game."), "{}{}", console.output, console.errors);
    let plain = run_manual(&format!("b1-b3\nsave {0}x\nload {0}x\n", sgf.display()));
    assert_eq!(plain.errors, "");
    let text = fs::read_to_string(format!("{}x", sgf.display())).unwrap();
    assert!(text.contains("RU[Repetition Draw: 0; Move Limit: 60]"), "{text}");
    // `rules` prints whether repetition ends this game.
    fs::write(&pdn, "[Rules \"Repetition Draw: 2\"]\n1. 11-15 *").unwrap();
    let console = run_draughts(&format!("rules\nload {}\nrules\n", pdn.display()));
    let count = |words| console.output.matches(words).count();
    assert_eq!(count("In the console repetition does not end a game"), 1, "{}", console.output);
    assert_eq!(count("In the console a game is a tie after 60 moves"), 1, "{}", console.output);
    // A header that names no rules is not passed over in silence.
    fs::write(&pdn, "[Rules \"American\"]\n1. 11-15 *").unwrap();
    let console = run_draughts(&format!("load {}\n", pdn.display()));
    let fault =
        "Loaded 1 move.\nRules: expected NAME: VALUE, found 'American'; no rules are read.\n";
    assert!(console.output.contains(fault), "{}{}", console.output, console.errors);
    fs::remove_file(format!("{}x", sgf.display())).unwrap();
    for path in [pdn, saved, sgf] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_loaded_game_is_saved_as_it_was_until_it_goes_on() {
    let [pdn, saved] = ["library.pdn", "copy.pdn"].map(program::temp_file);
    let game =
        "[Event \"Open\"]\n[Black \"Smith\"]\n1. 11-15 {a remark} (1. 9-13 22-18) 23-19 0-1\n";
    fs::write(&pdn, format!("{game}\n[Black \"Another\"]\n1. 9-13 *\n")).unwrap();
    let text = |commands: &str| {
        let script = format!("load {}\n{commands}save {}\n", pdn.display(), saved.display());
        let console = run_draughts(&script);
        assert_eq!(console.errors, "");
        assert!(console.output.contains("Loaded 2 moves of the first game of the file.\n"));
        let text = fs::read_to_string(&saved).unwrap();
        fs::remove_file(&saved).unwrap();
        text
    };
    let kept = ["Open", "Smith", "a remark", "9-13 22-18", "0-1"];
    assert!(kept.iter().all(|part| text("").contains(part)), "{}", text(""));
    for commands in ["undo\n", "9-13\n", "resign\n"] {
        assert!(!kept[..4].iter().any(|part| text(commands).contains(part)), "{}", text(commands));
    }
    fs::remove_file(pdn).unwrap();
}

#[test]
fn save_overwrites_only_files_that_it_has_written() {
    let path = program::temp_file("precious");
    fs::write(&path, "precious").unwrap();
    let name = path.display();
    let console = run_manual(&format!("b1-b3\nsave {name}\nsave /no/such/folder/x\nsave .\n"));
    let errors: Vec<&str> = console.errors.lines().collect();
    assert_eq!(errors[0], format!("error: save: {name} already exists; choose another name"));
    assert!(errors[1].starts_with("error: save: cannot write /no/such/folder/x"), "{errors:?}");
    assert_eq!(errors[2], "error: save: . already exists; choose another name");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    fs::remove_file(&path).unwrap();
    // A new game does not replace the one before.
    let console = run_manual(&format!("b1-b3\nsave {name}\nnew\nsave {name}\n"));
    assert_eq!(
        console.errors,
        format!("error: save: {name} already exists; choose another name\n")
    );
    assert!(fs::read_to_string(&path).unwrap().contains("b1-b3"));
    fs::remove_file(&path).unwrap();
    // A file that another program has changed since stays as it is.
    let save = format!("save {name}");
    let mut player = program::Player::new(&[]);
    for line in ["manual white", "b1-b3", &save, "h4-f2", &save] {
        player.read_to_prompt();
        player.send(line);
    }
    let saved = player.read_to_prompt();
    assert!(saved.contains(&format!("Saved 2 moves to {name}.")), "{saved}");
    fs::write(&path, "precious").unwrap();
    player.send(&save);
    let (_, errors, _) = player.finish();
    assert_eq!(
        errors,
        format!("error: save: {name} has been changed since; choose another name\n")
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    fs::remove_file(path).unwrap();
}

#[test]
fn piped_lines_are_played() {
    let input = "limit 2\nseed 1\nb1-b3\nauto black\n";
    let expected = [
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
    let mut player = program::Player::new(&["--level", "full"]);
    for line in input.lines() {
        player.send(line);
    }
    let (output, errors, status) = player.finish();
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    assert_eq!(lines, expected, "{output}");
    assert_eq!(errors, "");
    assert!(status.success());
}
