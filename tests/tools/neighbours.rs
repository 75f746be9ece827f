//! Files of the user beside the files of the program: no command removes or changes them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::{self, empty_folder};

/// Files of the user whose names begin or end as the name of an output does.
pub struct Neighbours(Vec<(PathBuf, String)>);

impl Neighbours {
    /// Writes the neighbours of files in a folder.
    pub fn of(outputs: &[&str], folder: &Path) -> Self {
        const ENDS: [&str; 9] = [
            ".lock",
            ".tmp",
            ".temp",
            ".part",
            ".latest",
            ".bak",
            "~",
            ".soucie-tmp",
            ".a1B2c3.soucie-tmp",
        ];
        let mut paths: Vec<PathBuf> =
            ["lock", "build.lock", ".lock", "again"].map(|name| folder.join(name)).into();
        for output in outputs {
            paths.extend(ENDS.map(|end| folder.join(format!("{output}{end}"))));
            paths.extend(ENDS.map(|end| folder.join(format!(".{output}{end}"))));
            let path = folder.join(output);
            paths.extend(["lock", "tmp", "bak"].map(|end| path.with_extension(end)));
        }
        let written = paths.into_iter().map(|path| {
            let text = format!("{} of the user\n", path.display());
            fs::write(&path, &text).unwrap();
            (path, text)
        });
        Self(written.collect())
    }

    /// Checks that all of them are as they were.
    #[track_caller]
    pub fn check(&self, what: &str) {
        for (path, text) in &self.0 {
            let found = fs::read_to_string(path);
            assert_eq!(found.as_ref().ok(), Some(text), "{what}: {}", path.display());
        }
    }
}

/// Each command that writes or resumes files, and the files.
const COMMANDS: [(&str, &[&str]); 15] = [
    ("analyse g.sgf --json --nodes 50 --resume Cargo", &["Cargo"]),
    (
        "analyse g.sgf --nodes 50 --html a.html --annotate a.sgf --problems b.sgf",
        &["a.html", "a.sgf", "b.sgf"],
    ),
    ("analyse g.sgf --nodes 50 --players --html c.html", &["c.html"]),
    (
        "match --nodes 5 --games 2 --variant draughts --record d.pdn --json d.json --resume d",
        &["d.pdn", "d.json", "d"],
    ),
    ("selfplay --seeds 0..2 --nodes 20 --threads 1 --out e.samples", &["e.samples"]),
    ("train --data e.samples --out . --epochs 1 --batch 64 --scale 300", &[]),
    ("book build --positions 2 --nodes 50 --threads 1 --journal f --out .", &["f"]),
    ("prove --fen '8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b' --out g.proof", &["g.proof"]),
    (
        "problem check p.txt --nodes 2000 --resume Cargo2 --html h.html --out .",
        &["Cargo2", "h.html"],
    ),
    ("problem generate g.sgf --nodes 50 --resume i --records i.sgf --out .", &["i", "i.sgf"]),
    ("tables build --pieces 2 --threads 1 --dir .", &["1m0k-1m0k.table", "0m1k-0m1k.table"]),
    ("tables export --format chinook --pieces 2 --dir . --out DB2", &["DB2", "DB2.idx"]),
    ("man .", &["soucie.1"]),
    ("xboard --dir .", &["engine.sh", "window.sh", "start.fen"]),
    ("console script.txt output.txt", &["output.txt", "saved.sgf"]),
];

#[test]
fn no_command_touches_the_files_beside_its_own() {
    let folder = empty_folder("neighbours");
    let games = fs::read_to_string("tests/data/loa/games.sgf").unwrap();
    fs::write(folder.join("g.sgf"), games.lines().take(2).collect::<Vec<_>>().join("\n")).unwrap();
    fs::write(folder.join("p.txt"), "B:W20,K8:BK10,K9 ; win\n").unwrap();
    fs::write(folder.join("script.txt"), "c1c3\nsave saved.sgf\n").unwrap();
    for (line, outputs) in COMMANDS {
        let neighbours = Neighbours::of(outputs, &folder);
        // The second run resumes or replaces what the first one has written.
        for _ in 0..2 {
            let mut command = programs::soucie();
            let output = command.args(shlex::split(line).unwrap()).current_dir(&folder).output();
            let error = String::from_utf8(output.unwrap().stderr).unwrap();
            neighbours.check(line);
            let is_written = |name: &&str| folder.join(name).exists();
            assert!(outputs.iter().take(1).all(is_written), "{line}: {error}");
        }
    }
}
