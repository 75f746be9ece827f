//! The layers within the library, which Cargo cannot hold: which module may import which by
//! `crate::NAME`. Each module imports only modules above it in the table, so there is no circle.

use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: [(&str, &str); 18] = [
    ("files", ""),
    ("platform", ""),
    ("game", ""),
    ("games", "files game"),
    ("nnue", "files game"),
    ("book", "files game"),
    ("random_openings", "game"),
    ("search", "platform game nnue"),
    ("ordered_map", "search"),
    ("options", "game games search"),
    ("engine", "files platform game games nnue book search options"),
    ("records", "files game games"),
    ("archives", "game games records"),
    ("analysis", "platform game games search engine records"),
    ("proofs", "files game games search options engine"),
    (
        "problems",
        "files game games nnue search options engine records analysis proofs random_openings",
    ),
    (
        "protocol",
        "files platform game games search options engine records archives analysis problems",
    ),
    ("checkerboard", "files game games search options engine"),
];

/// What only some modules may contain. Changes of the system time must not affect the engine, and the
/// user's folders belong to those who use the library.
const RESERVED: [(&str, &str); 5] = [
    ("SystemTime", ""),
    (
        "unsafe_code",
        "nnue/simd.rs search/tt/prefetch.rs wasm checkerboard/abi.rs checkerboard/system.rs",
    ),
    ("thread::scope", "search games/draughts/tablebase checkerboard ordered_map.rs"),
    ("default_dir", "checkerboard games/draughts/tablebase"),
    ("user_dirs::", "checkerboard games/draughts/tablebase"),
];

/// The sources below a folder, each up to its unit tests and without comments.
fn add_sources(folder: &Path, sources: &mut Vec<(PathBuf, String)>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            add_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("\n#[cfg(test)]\n").next().unwrap();
            let code = code.lines().map(|line| line.split("//").next().unwrap());
            sources.push((path, code.collect()));
        }
    }
}

#[test]
fn modules_import_what_their_layer_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    add_sources(root, &mut sources);
    assert!(sources.len() > 100);
    for (path, code) in sources {
        let place = path.strip_prefix(root).unwrap();
        let module = place.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        for (text, places) in RESERVED {
            let may =
                places.split(' ').any(|allowed| !allowed.is_empty() && place.starts_with(allowed));
            let may = may || module == text || place.ends_with("user_dirs.rs");
            assert!(may || !code.contains(text), "{} contains {text}", place.display());
        }
        let Some((_, may)) = LAYERS.iter().find(|(name, _)| *name == module) else { continue };
        for rest in code.split("crate::").skip(1) {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            let is_module = LAYERS.iter().any(|(other, _)| *other == name);
            let may = !is_module || name == module || may.split(' ').any(|other| other == name);
            assert!(may, "{} imports {name}", place.display());
        }
    }
    for (at, (module, may)) in LAYERS.iter().enumerate() {
        let above = |name| LAYERS[..at].iter().any(|(other, _)| *other == name);
        assert!(may.split_whitespace().all(above), "{module} imports a module below it");
    }
}
