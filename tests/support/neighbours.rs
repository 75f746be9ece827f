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

/// Runs each command of the program under test twice in a folder with a game of records, problems and a
/// script, and checks the neighbours of its files: those are given with each.
#[track_caller]
pub fn check_commands(commands: &[(&str, &[&str])]) {
    let folder = empty_folder("neighbours");
    let games = fs::read_to_string(programs::project().join("tests/data/loa/games.sgf")).unwrap();
    fs::write(folder.join("g.sgf"), games.lines().take(2).collect::<Vec<_>>().join("\n")).unwrap();
    fs::write(folder.join("p.txt"), "B:W20,K8:BK10,K9 ; win\n").unwrap();
    fs::write(folder.join("script.txt"), "c1c3\nsave saved.sgf\n").unwrap();
    for (line, outputs) in commands {
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
