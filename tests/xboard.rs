//! `soucie xboard`: the files and the command line for a window to play in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty place whose name needs quotes.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("it's {name}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

fn xboard(dir: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    command.args(["xboard", "--dir"]).arg(dir).args(more).output().unwrap()
}

#[test]
fn writes_the_files_and_the_command() {
    let dir = place("window").join("new folder");
    for (more, notes) in [(&[][..], "click a white disc"), (&["--black"], "Mode > Machine White")] {
        let output = xboard(&dir, more);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success());
        assert!(String::from_utf8(output.stderr).unwrap().contains(notes));

        assert_eq!(text.lines().count(), 1);
        let words = shlex::split(&text).unwrap();
        assert_eq!(words[..3], ["env", "PATH=$PATH:/usr/games", "xboard"]);
        let value = |flag| &words[words.iter().position(|word| word == flag).unwrap() + 1];
        assert_eq!(value("-pid"), dir.to_str().unwrap());
        assert_eq!(value("-fd"), dir.to_str().unwrap());
        assert_eq!(words.contains(&"MachineBlack".to_string()), more.is_empty());
        assert_eq!(
            fs::read_to_string(value("-lpf")).unwrap(),
            "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1\n"
        );
    }

    let mut names: Vec<_> =
        fs::read_dir(&dir).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(
        names,
        ["BlackKnight.svg", "WhiteKnight.svg", "adapter.sh", "engine.sh", "start.fen"]
    );
    for picture in ["BlackKnight.svg", "WhiteKnight.svg"] {
        assert!(fs::read_to_string(dir.join(picture)).unwrap().starts_with("<svg "));
    }
    let starter = fs::read_to_string(dir.join("engine.sh")).unwrap();
    assert!(starter.contains(env!("CARGO_BIN_EXE_soucie")), "{starter}");
}

#[test]
fn says_what_it_cannot_write() {
    let file = place("no folder").join("file");
    fs::write(&file, "").unwrap();
    let output = xboard(&file, &[]);
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("soucie: cannot write {}", file.display())), "{error}");
}
