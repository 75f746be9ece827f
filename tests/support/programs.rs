//! Processes that do not reach the folders of the user. No other file of the tests starts one.

#![allow(dead_code, reason = "each test program uses a part")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use soucie::games::draughts::tablebase;

#[path = "waits.rs"]
pub mod waits;

#[cfg(unix)]
use waits::wait_until;

/// The program under test: that of the crate to which the test belongs. The tests of the library have none.
pub const SOUCIE: &str =
    match (option_env!("CARGO_BIN_EXE_soucie"), option_env!("CARGO_BIN_EXE_soucie-lab")) {
        (Some(program), _) | (None, Some(program)) => program,
        (None, None) => "no program",
    };

/// The variables from which programs derive the folders of the user.
pub const HOME_VARIABLES: [&str; 9] = [
    "SOUCIE_HOME",
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// A home folder that does not exist, and that no test may create.
pub fn no_home() -> PathBuf {
    let home = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/no-home"));
    assert!(!home.exists(), "a test has written to {}: it needs its own home", home.display());
    home
}

/// A process of a program. Its home does not exist.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.envs(HOME_VARIABLES.map(|name| (name, no_home())));
    command
}

/// A process of the program under test. Its home does not exist.
pub fn soucie() -> Command {
    command(SOUCIE)
}

/// An empty folder with this path in the folder for the files of tests.
pub fn empty_folder(path: impl AsRef<Path>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(path);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The names in a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What a process has printed, and its exit code.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn succeeded(&self) -> bool {
        self.code == Some(0)
    }

    /// The objects that `--json` has printed, one a line.
    pub fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl From<Output> for Ran {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
        Self { code: status.code(), out, err }
    }
}

/// Runs a process to its end.
pub fn run(command: &mut Command) -> Ran {
    command.output().unwrap().into()
}

/// The standard output of a process that succeeds.
#[track_caller]
pub fn output_of(command: &mut Command) -> String {
    let ran = run(command);
    assert!(ran.succeeded(), "{}\n{}", ran.out, ran.err);
    ran.out
}

/// The standard error of a process that fails.
#[track_caller]
pub fn failure_of(command: &mut Command) -> String {
    let ran = run(command);
    assert!(!ran.succeeded(), "{ran:?}");
    ran.err
}

/// Runs the program with address space for the stacks of few threads.
#[cfg(target_os = "linux")]
pub fn run_with_few_threads(arguments: &[&str]) -> Ran {
    let mut limited = command("sh");
    limited.args(["-c", "ulimit -v 800000; exec \"$0\" \"$@\"", SOUCIE]).args(arguments);
    // Rarely, a thread that has its stack gets no memory for its signals, where the runtime aborts.
    let mut runs = (0..3).map(|_| run(&mut limited));
    runs.find(|ran| ran.code.is_some()).unwrap()
}

/// Sends an interrupt (`INT`) or a request to end (`TERM`) to a process, as soon as it handles the
/// signal, where the system reports this.
#[cfg(unix)]
#[track_caller]
pub fn signal(child: &Child, name: &str) {
    let number = if name == "INT" { 2 } else { 15 };
    let handled = || {
        let mask = status_word(child.id(), "SigCgt")?;
        u64::from_str_radix(&mask, 16).ok().map(|mask| mask >> (number - 1) & 1 != 0)
    };
    wait_until("the process handles the signal", || handled() != Some(false));
    let sent = command("kill").args(["-s", name, "--", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Creates a named pipe.
#[cfg(unix)]
#[track_caller]
pub fn make_pipe(path: impl AsRef<OsStr>) {
    assert!(command("mkfifo").arg(path).status().unwrap().success());
}

/// A number in the status of a process, such as its peak memory `VmHWM` in KiB, if the system
/// reports it.
pub fn status(process: u32, field: &str) -> Option<u64> {
    status_word(process, field)?.parse().ok()
}

/// The first word of a field in the status of a process.
fn status_word(process: u32, field: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.split_whitespace().next().map(str::to_string)
}

/// Endgame tables of up to four pieces, built once for all tests.
pub fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        kept("tables-of-the-tests", &[&core().join("games/draughts")], |folder| {
            tablebase::build(folder, 4, 2, usize::MAX, &|_| {}).unwrap();
        })
    })
}

/// Copies the endgame tables, or the database, with these numbers of pieces from one folder to another.
pub fn copy_tables(from: &Path, to: &Path, is_wanted: impl Fn(u32) -> bool) {
    for name in names(from) {
        if is_wanted(name.chars().filter_map(|c| c.to_digit(10)).sum()) {
            fs::copy(from.join(&name), to.join(name)).unwrap();
        }
    }
}

/// A folder in the folder for the files of tests that is filled once, and again after a change of its sources.
pub fn kept(name: &str, sources: &[&Path], fill: impl FnOnce(&Path)) -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let changed = sources.iter().map(|source| changed(source)).max().unwrap();
    let folder = all.join(changed.to_string());
    if !folder.exists() {
        // Those of earlier sources.
        let _ = fs::remove_dir_all(&all);
        let part = all.join("part");
        fs::create_dir_all(&part).unwrap();
        fill(&part);
        fs::rename(part, &folder).unwrap();
    }
    folder
}

/// The time in nanoseconds at which a file, or one below a folder, was changed last.
fn changed(path: &Path) -> u128 {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
        return entries.map(|entry| changed(&entry.path())).max().unwrap_or(0);
    }
    let changed = fs::metadata(path).unwrap().modified().unwrap();
    changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos()
}

/// The folder with the documents and the sources of the whole project.
pub fn project() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.ancestors().find(|folder| folder.join("protocol.md").exists()).unwrap().into()
}

/// The folder with the sources of the library.
pub fn core() -> PathBuf {
    project().join("src/core")
}
