//! The folders of the user: no test reads them or writes to them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use clap::Parser;
use soucie::games::draughts::tablebase;
use soucie_program::analyse::{self, settings::AnalyseSettings};

use crate::neighbours::check_commands;
use crate::programs::{self, HOME_VARIABLES};

/// Where the program looks in a home folder, on any system.
const PLACES: [&str; 6] = [
    "",
    "soucie",
    "soucie/data",
    ".local/share/soucie",
    ".local/state/soucie",
    "Library/Application Support/soucie",
];

/// The table that is damaged.
const DAMAGED: &str = "1m0k-1m1k.table";

/// Each command that writes or resumes files, and the files.
const COMMANDS: [(&str, &[&str]); 9] = [
    ("analyse g.sgf --json --nodes 50 --resume Cargo", &["Cargo"]),
    (
        "analyse g.sgf --nodes 50 --html a.html --annotate a.sgf --problems b.sgf",
        &["a.html", "a.sgf", "b.sgf"],
    ),
    ("prove --fen '8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b' --out g.proof", &["g.proof"]),
    (
        "problem check p.txt --nodes 2000 --resume Cargo2 --html h.html --out .",
        &["Cargo2", "h.html"],
    ),
    ("problem generate g.sgf --nodes 50 --resume i --records i.sgf --out .", &["i", "i.sgf"]),
    ("tables build --pieces 2 --threads 1 --dir .", &["1m0k-1m0k.table", "0m1k-0m1k.table"]),
    ("man .", &["soucie.1"]),
    ("xboard --dir .", &["engine.sh", "window.sh", "start.fen"]),
    ("console script.txt output.txt", &["output.txt", "saved.sgf"]),
];

const GAMES: &str = "tests/data/loa/games.sgf";

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    settings: AnalyseSettings,
}

/// A home folder in which every file has an effect if it is read. Tests compare its entries afterwards.
fn traps() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traps");
    let _ = fs::remove_dir_all(&home);
    for place in PLACES {
        let place = home.join(place);
        let dir = place.join("tables");
        fs::create_dir_all(&dir).unwrap();
        // Usable tables change results, a damaged one is reported.
        tablebase::build(&dir, 2, 1, 1 << 30, &|_| {}).unwrap();
        fs::write(dir.join(DAMAGED), "damaged").unwrap();
    }
    home
}

/// The paths below a folder, with the time of the last change.
fn entries(folder: &Path) -> BTreeMap<PathBuf, std::time::SystemTime> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let data = entry.metadata().unwrap();
            found.insert(entry.path(), data.modified().unwrap());
            folders.extend(data.is_dir().then(|| entry.path()));
        }
    }
    found
}

/// A process whose user has this home folder.
fn at_home(mut command: Command, home: &Path) -> Command {
    command.envs(HOME_VARIABLES.map(|name| (name, home)));
    command
}

#[test]
#[cfg(target_os = "linux")]
fn environment_names_the_folders() {
    for (variable, dir) in [
        ("SOUCIE_HOME", "/no/tables"),
        ("XDG_DATA_HOME", "/no/soucie/tables"),
        ("HOME", "/no/.local/share/soucie/tables"),
    ] {
        let mut info = programs::soucie();
        for name in HOME_VARIABLES {
            info.env_remove(name);
        }
        let output = info.args(["tables", "info"]).env(variable, "/no").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let expected = format!("no tables in {dir}: ");
        assert!(text.starts_with(&expected), "{variable}: {text}");
    }
}

/// What the tests do: processes and calls of the library, which read or write files of the user.
#[test]
#[ignore = "runs in a home folder full of traps"]
fn commands_in_a_trapped_home() {
    for arguments in [
        &["analyse", GAMES, "--nodes", "1"][..],
        &["tables", "info"],
        &["problem", "list"],
        &["position startpos", "go nodes 5"],
    ] {
        let output = programs::soucie().args(arguments).stdin(Stdio::null()).output().unwrap();
        std::io::Write::write_all(&mut std::io::stderr(), &output.stderr).unwrap();
    }
    let command = ["analyse", GAMES, "--nodes", "1"];
    analyse::run(&Arguments::parse_from(command).settings, &mut Vec::new()).unwrap();
}

#[test]
fn no_test_uses_the_folders_of_the_user() {
    let home = traps();
    let before = entries(&home);
    // The traps work: the program finds the damaged table.
    let mut trapped = at_home(programs::soucie(), &home);
    let trapped = trapped.args(["analyse", GAMES, "--nodes", "1"]);
    let output = trapped.stdin(Stdio::null()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(DAMAGED), "{error}");
    let mut tests = at_home(programs::command(env::current_exe().unwrap()), &home);
    let tests = tests.args(["--ignored", "--exact", "home::commands_in_a_trapped_home"]);
    let output = tests.arg("--nocapture").output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert!(!text.contains(DAMAGED), "{text}");
    assert_eq!(entries(&home), before);
}

/// The user's folders are out of reach only for processes that `programs` starts.
#[test]
fn tests_start_processes_in_one_place() {
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut found);
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let names = ["support/programs.rs", "program/home.rs", "layers.rs"];
        let may_start = names.iter().any(|name| path.ends_with(name));
        for code in ["Command::new", "CARGO_BIN_EXE_", "default_dir()", "user_dirs::"] {
            assert!(may_start || !text.contains(code), "{}: {code}", path.display());
        }
    }
}

#[test]
fn no_command_touches_the_files_beside_its_own() {
    check_commands(&COMMANDS);
}
