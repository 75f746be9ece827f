//! The builds of engines: results of different builds are combined only on request.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use super::arguments::file_hash;
use soucie::engine::event::Event;
use soucie::engine::{Engine, NAME};

/// The depth of the benchmark that identifies a search, in plies. It takes a fraction of a second.
pub const BENCH_DEPTH: usize = 8;

/// The files of an engine on one computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFiles {
    /// The hash of the executable; `None` if it cannot be read.
    pub executable: Option<String>,
    /// The hashes of the other files that are named for the engine: scripts, networks, books.
    pub named: Vec<String>,
}

/// What identifies the build of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// The name and version that the engine reports.
    pub name: String,
    /// The node count of `bench` to [`BENCH_DEPTH`]; `None` for an engine without that command.
    pub bench: Option<u64>,
    pub files: EngineFiles,
}

impl EngineFiles {
    /// Returns the files of an engine that is started by this command, whose words may name files.
    pub fn of_command<'a>(program: &str, words: impl IntoIterator<Item = &'a str>) -> Self {
        let executable = executable(program).and_then(|path| file_hash(&path));
        let named = words.into_iter().filter_map(|word| file_hash(Path::new(word))).collect();
        Self { executable, named }
    }

    /// Returns the files of the running program.
    pub fn own() -> Self {
        let executable = env::current_exe().ok().and_then(|path| file_hash(&path));
        Self { executable, named: Vec::new() }
    }
}

impl Fingerprint {
    /// Returns the fingerprint of the running program.
    pub fn own() -> io::Result<Self> {
        let nodes = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&nodes);
        let sink = move |event| {
            if let Event::Bench { nodes: Some(nodes), .. } = event {
                counted.store(nodes, Relaxed);
            }
            Ok(())
        };
        let mut engine = Engine::new(sink).map_err(io::Error::other)?;
        engine.bench(BENCH_DEPTH).and_then(|()| engine.finish()).map_err(io::Error::other)?;
        let bench = Some(nodes.load(Relaxed));
        Ok(Self { name: NAME.to_string(), bench, files: EngineFiles::own() })
    }

    /// Whether both play alike, on whatever computer their executables were built.
    pub fn plays_like(&self, other: &Self) -> bool {
        let Self { name, bench, files } = self;
        (name, bench, &files.named) == (&other.name, &other.bench, &other.files.named)
    }
}

/// Returns the path of a program, which is searched in the folders for programs if it has no folder.
/// The program itself stands in for one that is not there.
fn executable(program: &str) -> Option<PathBuf> {
    let is_name = Path::new(program).parent() == Some(Path::new(""));
    let path = env::var_os("PATH").filter(|_| is_name).unwrap_or_default();
    let name = |folder: PathBuf| {
        let found = folder.join(program);
        [found.with_extension(env::consts::EXE_EXTENSION), found].into_iter().find(|p| p.is_file())
    };
    let listed = env::split_paths(&path).find_map(name);
    listed.or_else(|| if is_name { env::current_exe().ok() } else { Some(program.into()) })
}
