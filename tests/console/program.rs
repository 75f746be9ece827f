//! The console as a program.

use super::*;

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    // Tables that somebody has at home would change what is played.
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.arg("console").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A program that is spoken with line by line.
pub struct Player {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Player {
    pub fn new(arguments: &[&str]) -> Self {
        let mut child = program(arguments).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// All up to the next prompt.
    fn hear(&mut self) -> String {
        let mut heard = Vec::new();
        self.output.read_until(b'>', &mut heard).unwrap();
        let mut blank = [0];
        self.output.read_exact(&mut blank).unwrap();
        assert_eq!(blank, *b" ");
        String::from_utf8(heard).unwrap()
    }

    /// Ends the input; all that is still said, on both sides, and how it ended.
    pub fn leave(mut self) -> (String, String, ExitStatus) {
        self.input = None;
        let (mut output, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut output).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (output, errors, self.child.wait().unwrap())
    }
}

#[test]
fn the_program_prompts_and_answers_and_leaves_at_the_end_of_input() {
    let mut player = Player::new(&["--time", "0.01"]);
    assert_eq!(player.hear(), "Black>");
    player.say("b1-b3");
    let heard = player.hear();
    assert!(heard.starts_with("\n* ") && heard.ends_with("\nBlack>"), "{heard:?}");
    player.say("nonsense");
    assert_eq!(player.hear(), "\nBlack>");
    let (rest, errors, status) = player.leave();
    assert_eq!(rest, "\n");
    assert_eq!(
        errors,
        "error: expected a command or a move, found 'nonsense'; 'help' lists the commands\n"
    );
    assert!(status.success());
}

#[test]
fn two_programs_play_each_other_and_agree_on_the_result() {
    for variant in ["linesofaction", "draughts"] {
        let arguments = ["--time", "0.005", "--strict", "--variant", variant];
        let mut players = [Player::new(&arguments), Player::new(&arguments)];
        for (player, setup) in players.iter_mut().zip(["auto black", "manual black"]) {
            player.hear();
            player.say("manual white");
            player.hear();
            player.say(setup);
        }
        // The second waits at its prompt for Black, and answers as White from the first move on.
        players[1].hear();
        let mut results = Vec::new();
        let [black, white] = &mut players;
        let mut moves = 0;
        let mut heard = black.hear();
        white.say("auto white");
        white.hear();
        let mut black_has_moved = true;
        while results.is_empty() {
            let spoken = starred(&heard);
            results
                .extend(spoken.iter().filter(|text| text.ends_with('.')).map(ToString::to_string));
            let mv = spoken[0].to_string();
            moves += 1;
            assert!(moves <= 120, "{variant}: {heard}");
            let other = if black_has_moved { &mut *white } else { &mut *black };
            other.say(&mv);
            heard = other.hear();
            black_has_moved = !black_has_moved;
            if !results.is_empty() {
                results.extend(starred(&heard).iter().map(ToString::to_string));
            }
        }
        assert_eq!(results.len(), 2, "{variant}: {results:?}");
        assert_eq!(results[0], results[1], "{variant}");
        for player in players {
            let (rest, errors, status) = player.leave();
            assert_eq!((rest.as_str(), errors.as_str()), ("\n", ""));
            assert!(status.success());
        }
    }
}

/// A file of this test run that nobody else has.
pub fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("console-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_program_reads_and_writes_files() {
    let [input, output, log] = ["input", "output", "log"].map(file);
    fs::write(&input, "manual white\r\nb1-b3\r\ndump").unwrap();
    fs::write(&log, "an older line\n").unwrap();
    let names = [&input, &output, &log].map(|path| path.to_str().unwrap());
    let mut command = program(&[names[0], names[1], "--log", names[2], "--strict"]);
    let run = command.output().unwrap();
    assert!(run.status.success() && run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    let written = fs::read_to_string(&output).unwrap();
    assert!(written.starts_with("Black> \nBlack> \nWhite> \n===\n"), "{written}");
    assert!(written.ends_with("Next move: white\n===\nWhite> \n"), "{written}");
    let kept = fs::read_to_string(&log).unwrap();
    assert_eq!(kept, "an older line\n# soucie console: linesofaction\nmanual white\nb1-b3\ndump\n");
    for path in [input, output, log] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn no_output_of_the_program_is_its_input() {
    let input = file("same");
    let text = "manual white\nb1-b3\n";
    fs::write(&input, text).unwrap();
    let name = input.to_str().unwrap();
    let other = file("other");
    let fresh = other.to_str().unwrap();
    let open = || fs::File::options().append(true).open(&input).unwrap();
    let refused = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(fs::read_to_string(&input).unwrap(), text, "{output:?}");
        assert!(!other.exists());
        String::from_utf8(output.stderr).unwrap().replace(name, "IN")
    };
    let twice = "soucie: IN is given twice: each option needs its own file\n";
    assert_eq!(refused(&mut program(&[name, name])), twice);
    assert_eq!(refused(&mut program(&["--log", name, name])), twice);
    let table: [&[&str]; 2] = [&["--log", name], &["--log", name, "/dev/stdin"]];
    for arguments in table.into_iter().take(if cfg!(unix) { 2 } else { 1 }) {
        let said = refused(program(arguments).stdin(fs::File::open(&input).unwrap()));
        assert!(said.contains("IN "), "{said}");
    }
    let folder = env!("CARGO_TARGET_TMPDIR");
    let said = refused(&mut program(&[folder]));
    assert_eq!(said, format!("soucie: {folder}: is a directory\n"));
    let same = "soucie: standard output and IN are the same file: write to another file\n";
    assert_eq!(refused(program(&[name]).stdout(open())), same);
    let said = refused(program(&[]).stdin(fs::File::open(&input).unwrap()).stdout(open()));
    assert_eq!(said, same.replace("IN", "standard input"));
    program(&[name]).stderr(open()).output().unwrap();
    assert!(fs::read_to_string(&input).unwrap().contains("standard error and "));
    fs::write(&input, text).unwrap();
    // Two outputs that do not exist yet.
    let said = refused(&mut program(&[name, fresh, "--log", fresh]));
    assert!(said.ends_with("is given twice: each option needs its own file\n"), "{said}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&input, &other).unwrap();
        let output = program(&["--log", fresh, name]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        fs::remove_file(&other).unwrap();
        assert_eq!(fs::read_to_string(&input).unwrap(), text);
    }
    fs::remove_file(input).unwrap();
}

#[test]
fn errors_carry_no_control_characters() {
    let mut player = Player::new(&[]);
    player.hear();
    player.say("b1\0\u{1b}[2J\u{202e}x");
    player.hear();
    let (_, errors, _) = player.leave();
    assert!(
        errors.starts_with("error: expected a command or a move, found 'b1")
            && errors.ends_with("commands\n"),
        "{errors}"
    );
    assert!(
        !errors.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'),
        "{errors:?}"
    );
}

#[test]
fn the_log_is_written_before_the_program_dies() {
    let log = file("killed");
    let mut player = Player::new(&["--log", log.to_str().unwrap()]);
    player.hear();
    player.say("manual white");
    player.hear();
    player.child.kill().unwrap();
    player.child.wait().unwrap();
    assert_eq!(
        fs::read_to_string(&log).unwrap(),
        "# soucie console: linesofaction\nmanual white\n"
    );
    fs::remove_file(log).unwrap();
}

#[test]
fn the_program_fails_where_it_should() {
    let missing = file("missing");
    let table: [(&[&str], &str); 8] = [
        (&["--strict"], "error: expected a command or a move, found 'x'"),
        (&["--variant", "chess"], "soucie: option 'UCI_Variant': expected one of"),
        (&["--time", "-1"], "error: "),
        (&["--level", "mild"], "error: invalid value 'mild' for '--level <LEVEL>': expected easy,"),
        (&["--elo", "100"], "error: invalid value '100' for '--elo <N>'"),
        (&["--time", "nan"], "error: invalid value 'nan' for '--time <SECONDS>': expected seconds"),
        (&[missing.to_str().unwrap()], "soucie: "),
        (&["--log", env!("CARGO_TARGET_TMPDIR")], "soucie: "),
    ];
    for (arguments, error) in table {
        let mut player = Player::new(arguments);
        // It may be gone already.
        let _ = player.input.as_mut().unwrap().write_all(b"x\ndump\n");
        let (_, errors, status) = player.leave();
        assert!(!status.success() && errors.starts_with(error), "{arguments:?}: {errors}");
    }
}
