//! `soucie xboard`: the files that it writes, and the command line that opens a window.

use std::fs;
use std::path::Path;

use crate::programs::{self, Ran, empty_folder, names, run};

fn xboard(dir: &Path, more: &[&str]) -> Ran {
    let mut command = programs::soucie();
    run(command.args(["xboard", "--dir"]).arg(dir).args(more))
}

#[test]
fn writes_the_files_and_the_command() {
    let dir = empty_folder("it's window").join("new folder");
    for (more, notes) in [(&[][..], "drag a white disc"), (&["--black"], "Mode > Machine White")] {
        let output = xboard(&dir, more);
        assert!(output.succeeded() && output.err.contains(notes));
        let text = output.out;

        assert_eq!(text.lines().count(), 1);
        let script = dir.join("window.sh");
        assert_eq!(shlex::split(&text).unwrap(), ["sh", script.to_str().unwrap()]);
        let script = fs::read_to_string(script).unwrap();
        let command = script.lines().find(|line| line.starts_with("    xboard ")).unwrap();
        let words = shlex::split(command).unwrap();
        let value = |flag| &words[words.iter().position(|word| word == flag).unwrap() + 1];
        assert_eq!(value("-pid"), dir.to_str().unwrap());
        assert_eq!(value("-fd"), dir.to_str().unwrap());
        // The board does not turn when the engine begins to think.
        assert_eq!(value("-autoFlipView"), "false");
        assert_eq!(words.contains(&"MachineBlack".to_string()), more.is_empty());
        assert_eq!(
            fs::read_to_string(value("-lpf")).unwrap(),
            "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1\n"
        );
    }

    assert_eq!(
        names(&dir),
        ["BlackKnight.svg", "WhiteKnight.svg", "engine.sh", "start.fen", "window.sh"]
    );
    for picture in ["BlackKnight.svg", "WhiteKnight.svg"] {
        assert!(fs::read_to_string(dir.join(picture)).unwrap().starts_with("<svg "));
    }
    let starter = fs::read_to_string(dir.join("engine.sh")).unwrap();
    assert!(starter.contains(programs::SOUCIE), "{starter}");
}

#[test]
fn unwritable_folder_is_reported() {
    let file = empty_folder("it's no folder").join("file");
    fs::write(&file, "").unwrap();
    let output = xboard(&file, &[]);
    assert!(!output.succeeded() && output.out.is_empty());
    let error = output.err;
    assert!(error.starts_with(&format!("soucie: {}: ", file.display())), "{error}");
}

#[test]
fn level_is_set_for_the_engine() {
    let dir = empty_folder("it's level");
    for (more, setting) in [
        (&["--level", "easy"][..], "option UCI_Elo=1500\n"),
        (&["--elo", "800"], "option UCI_LimitStrength=1\noption UCI_Elo=800\n"),
        (&["--level", "full"], "fixed=\'\'\n"),
    ] {
        assert!(xboard(&dir, more).succeeded());
        let starter = fs::read_to_string(dir.join("engine.sh")).unwrap();
        assert!(starter.contains(setting), "{starter}");
    }
    assert!(!xboard(&dir, &["--level", "easy", "--elo", "800"]).succeeded());
    assert!(!xboard(&dir, &["--elo", "100"]).succeeded());
}

/// Runs the engine as XBoard does. Needs a shell.
#[cfg(unix)]
#[test]
fn engine_prints_the_result_of_a_game() {
    use std::io::Write;
    use std::process::Stdio;

    let dir = empty_folder("it's ends");
    assert!(xboard(&dir, &["--level", "easy"]).succeeded());
    let mut engine = programs::command("sh")
        .arg("engine.sh")
        .current_dir(&dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "xboard\nprotover 2\nnew\nvariant fairy\nforce\n\
                 setboard 8/8/8/8/8/1l1l4/8/L6L b - - 0 1\nsd 3\npost\ngo\n";
    engine.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let text = Ran::from(engine.wait_with_output().unwrap()).out;
    assert!(text.contains("feature done=1\n") && !text.contains("Error"), "{text}");
    assert!(text.ends_with("0-1 {Black has won: all its stones are connected}\n"), "{text}");
    assert_eq!(names(&dir).len(), 5, "{:?}", names(&dir));
}

/// Runs window.sh with a program that opens no window, and requests a new one once.
#[cfg(unix)]
#[test]
fn the_window_is_opened_again_without_a_file_of_the_user() {
    use std::os::unix::fs::PermissionsExt;

    let dir = empty_folder("it's again");
    assert!(xboard(&dir, &[]).succeeded());
    fs::write(dir.join("again"), "of the user").unwrap();
    let window = dir.join("xboard");
    fs::write(&window, "#!/bin/sh\n[ -e opened ] || : >\"$again\"\necho >>opened\n").unwrap();
    fs::set_permissions(&window, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.display());
    programs::output_of(programs::command("sh").arg(dir.join("window.sh")).env("PATH", path));
    assert_eq!(fs::read_to_string(dir.join("opened")).unwrap(), "\n\n");
    assert_eq!(fs::read_to_string(dir.join("again")).unwrap(), "of the user");
    assert_eq!(names(&dir).iter().filter(|name| name.starts_with('.')).count(), 0);
}
