//! The console as a program.

use super::*;

fn program(arguments: &[&str]) -> Command {
    let mut command = programs::soucie();
    command.arg("console").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A console process with piped input and output.
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

    pub fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Reads up to the next prompt.
    pub fn read_to_prompt(&mut self) -> String {
        let mut output = Vec::new();
        self.output.read_until(b'>', &mut output).unwrap();
        let mut blank = [0];
        self.output.read_exact(&mut blank).unwrap();
        assert_eq!(blank, *b" ");
        String::from_utf8(output).unwrap()
    }

    /// Ends the input and returns the remaining output, the errors and the exit status.
    pub fn finish(mut self) -> (String, String, ExitStatus) {
        self.input = None;
        let (mut output, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut output).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (output, errors, self.child.wait().unwrap())
    }
}

#[test]
fn wrong_settings_leave_the_output_file_as_it_is() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [input, file] = ["console-input", "console-output"].map(|name| folder.join(name));
    fs::write(&input, "").unwrap();
    fs::write(&file, "precious").unwrap();
    for wrong in [["--variant", "chess"], ["--tables", "no-such-folder"]] {
        let output = program(&[]).args([&input, &file]).args(wrong).output().unwrap();
        assert!(!output.status.success() && !output.stderr.is_empty(), "{output:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious", "{wrong:?}");
    }
}

#[test]
fn the_program_prompts_replies_and_exits_at_the_end_of_input() {
    let mut player = Player::new(&["--time", "0.01"]);
    assert_eq!(player.read_to_prompt(), "Black>");
    player.send("b1-b3");
    let output = player.read_to_prompt();
    assert!(output.starts_with("\n* ") && output.ends_with("\nBlack>"), "{output:?}");
    player.send("nonsense");
    assert_eq!(player.read_to_prompt(), "\nBlack>");
    let (rest, errors, status) = player.finish();
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
            player.read_to_prompt();
            player.send("manual white");
            player.read_to_prompt();
            player.send(setup);
        }
        // The second program waits for Black's move and plays White from the first move on.
        players[1].read_to_prompt();
        let mut results = Vec::new();
        let [black, white] = &mut players;
        let mut moves = 0;
        let mut output = black.read_to_prompt();
        white.send("auto white");
        white.read_to_prompt();
        let mut black_has_moved = true;
        while results.is_empty() {
            let marked = starred(&output);
            results
                .extend(marked.iter().filter(|text| text.ends_with('.')).map(ToString::to_string));
            let mv = marked[0].to_string();
            moves += 1;
            assert!(moves <= 120, "{variant}: {output}");
            let other = if black_has_moved { &mut *white } else { &mut *black };
            other.send(&mv);
            output = other.read_to_prompt();
            black_has_moved = !black_has_moved;
            if !results.is_empty() {
                results.extend(starred(&output).iter().map(ToString::to_string));
            }
        }
        assert_eq!(results.len(), 2, "{variant}: {results:?}");
        assert_eq!(results[0], results[1], "{variant}");
        for player in players {
            let (rest, errors, status) = player.finish();
            assert_eq!((rest.as_str(), errors.as_str()), ("\n", ""));
            assert!(status.success());
        }
    }
}

/// The path of a temporary file of this test run, which does not exist yet.
pub fn temp_file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("console-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_program_reads_and_writes_files() {
    let [input, output] = ["input", "output"].map(temp_file);
    fs::write(&input, "manual white\r\nb1-b3\r\ndump").unwrap();
    let names = [&input, &output].map(|path| path.to_str().unwrap());
    let mut command = program(&[names[0], names[1], "--strict"]);
    let run = command.output().unwrap();
    assert!(run.status.success() && run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    let written = fs::read_to_string(&output).unwrap();
    assert!(written.starts_with("Black> \nBlack> \nWhite> \n===\n"), "{written}");
    assert!(written.ends_with("Next move: white\n===\nWhite> \n"), "{written}");
    for path in [input, output] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn outputs_must_not_be_the_input() {
    let input = temp_file("same");
    let text = "manual white\nb1-b3\n";
    fs::write(&input, text).unwrap();
    let name = input.to_str().unwrap();
    let open = || fs::File::options().append(true).open(&input).unwrap();
    let run_refused = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(fs::read_to_string(&input).unwrap(), text, "{output:?}");
        String::from_utf8(output.stderr).unwrap().replace(name, "IN")
    };
    let twice = "soucie: IN is given twice: each option needs its own file\n";
    assert_eq!(run_refused(&mut program(&[name, name])), twice);
    let folder = env!("CARGO_TARGET_TMPDIR");
    let error = run_refused(&mut program(&[folder]));
    assert_eq!(error, format!("soucie: {folder}: is a directory\n"));
    let same = "soucie: standard output and IN are the same file: write to another file\n";
    assert_eq!(run_refused(program(&[name]).stdout(open())), same);
    program(&[name]).stderr(open()).output().unwrap();
    assert!(fs::read_to_string(&input).unwrap().contains("standard error and "));
    fs::remove_file(input).unwrap();
}

#[test]
fn errors_contain_no_control_characters() {
    let mut player = Player::new(&[]);
    player.read_to_prompt();
    player.send("b1\0\u{1b}[2J\u{202e}x");
    player.read_to_prompt();
    let (_, errors, _) = player.finish();
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
fn errors_set_the_exit_status() {
    let missing = temp_file("missing");
    let missing = missing.to_str().unwrap();
    let not_found = format!("soucie: {missing}: ");
    let table: [(&[&str], &str); 7] = [
        (&["--strict"], "error: expected a command or a move, found 'x'"),
        (
            &["--variant", "chess"],
            "error: invalid value 'chess' for '--variant <VARIANT>': expected one of",
        ),
        (
            &["--time", "-1"],
            "error: invalid value '-1' for '--time <SECONDS>': expected seconds from",
        ),
        (
            &["--level", "mild"],
            "error: invalid value 'mild' for '--level <LEVEL>': expected beginner,",
        ),
        (
            &["--elo", "100"],
            "error: invalid value '100' for '--elo <N>': expected a whole number from 200",
        ),
        (&["--time", "nan"], "error: invalid value 'nan' for '--time <SECONDS>': expected seconds"),
        (&[missing], &not_found),
    ];
    for (arguments, error) in table {
        let mut player = Player::new(arguments);
        // The program may have exited already.
        let _ = player.input.as_mut().unwrap().write_all(b"x\ndump\n");
        let (_, errors, status) = player.finish();
        assert!(!status.success() && errors.starts_with(error), "{arguments:?}: {errors}");
    }
}
