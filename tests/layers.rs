//! The layers of the crate: which module may import which.
//!
//! The test reads every file up to its unit tests, and in it every path that begins with `crate`,
//! `self`, `super`, `soucie` or a child module. It does not expand macros.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, and the layers that each may import. `games::*` stands for every game.
const LAYERS: &[(&str, &str)] = &[
    ("lib", ""),
    ("files", ""),
    ("host", ""),
    ("game", ""),
    ("games::board", "game"),
    ("games::*", "game games::board"),
    ("games::draughts::tables", "files game games::board games::draughts"),
    ("games", "game games::*"),
    ("nnue", "game"),
    ("book", "game"),
    ("search", "host game nnue"),
    ("options", "game games games::* search"),
    ("engine", "files host game games games::* nnue book search options"),
    ("problems", ""),
    ("records", "files game games games::*"),
    ("analysis", "host game games games::* search engine records"),
    ("protocol", "files host engine options problems records analysis"),
    ("console", "files engine records"),
    (
        "tools",
        "files game games games::* nnue book search options engine problems records analysis",
    ),
    ("web", "files options engine protocol analysis"),
    ("wasm", "host protocol"),
    ("checkerboard", "files engine games::draughts::tables options search"),
    ("main", "files games games::* engine options protocol console tools web"),
];

/// Code that only some layers or modules may contain. Endgame tables are built by several threads.
const RESERVED: [(&str, &str); 8] = [
    ("thread :: scope", "search tools checkerboard games::draughts::tables"),
    ("thread :: Builder", "search engine protocol tools web checkerboard"),
    ("thread :: spawn", "main"),
    // Changes of the system time must not affect the engine.
    ("SystemTime", ""),
    ("UNIX_EPOCH", ""),
    ("unsafe_code", "nnue::simd search::tt::prefetch wasm checkerboard::abi"),
    // The user's folders are read and written by the program only, not by the library.
    ("default_dir", "main tools::tables checkerboard::settings games::draughts::tables"),
    (
        "user_dirs ::",
        "web::browser web::running web::token checkerboard::settings games::draughts::tables",
    ),
];

/// The code of each module, with spaces between its names and signs.
type Sources = BTreeMap<String, String>;

fn add_sources(folder: &Path, module: &str, sources: &mut Sources) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let child = [module, name].join("::").trim_start_matches("::").to_string();
        if path.is_dir() {
            add_sources(&path, &child, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("\n#[cfg(test)]\n").next().unwrap().lines();
            let code = code.map(|line| spaced(line.split("//").next().unwrap()));
            sources.insert(if name == "mod" { module.into() } else { child }, code.collect());
        }
    }
}

fn spaced(code: &str) -> String {
    let is_sign = |c: char| !c.is_alphanumeric() && !"_:".contains(c);
    let space = |c| if is_sign(c) { format!(" {c} ") } else { c.to_string() };
    code.chars().map(space).collect::<String>().replace("::", " :: ") + " "
}

/// The paths below `root` that begin at the first token: one, or those of a list in braces.
fn paths<'a>(root: Vec<&'a str>, tokens: &[&'a str]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut path = root.clone();
    let mut lists = vec![root];
    for (at, &token) in tokens.iter().enumerate() {
        let continues = at == 0 || tokens[at - 1] == "::";
        match token {
            "{" if continues => lists.push(path.clone()),
            "}" if lists.len() > 1 => drop(lists.pop()),
            "::" | "," if lists.len() > 1 || token == "::" => {}
            _ if !continues && lists.len() == 1 => break,
            name => {
                path = if continues { path } else { lists[lists.len() - 1].clone() };
                match name {
                    "super" => drop(path.pop()),
                    "self" | "*" => {}
                    _ => path.push(name),
                }
                if tokens.get(at + 1) != Some(&"::") {
                    paths.push(path.join("::"));
                }
            }
        }
    }
    paths
}

/// The modules that a module imports. Declaring or re-exporting a child is not an import.
fn imports(module: &str, sources: &Sources) -> BTreeSet<String> {
    let tokens: Vec<&str> = sources[module].split_whitespace().collect();
    let own = module.split("::").filter(|name| !["lib", "main"].contains(name));
    let mut imports = BTreeSet::new();
    for at in (1..tokens.len()).filter(|&at| tokens[at - 1] != "::") {
        let found = match tokens[at] {
            _ if tokens.get(at + 1) != Some(&"::") => continue,
            "crate" | "soucie" => paths(vec![], &tokens[at + 2..]),
            _ => paths(own.clone().collect(), &tokens[at..]),
        };
        let is_reexport = tokens[at - 1] == "use" && ["pub", ")"].contains(&tokens[at.max(2) - 2]);
        for mut path in found {
            while !sources.contains_key(&path) && !path.is_empty() {
                path.truncate(path.rfind("::").unwrap_or(0));
            }
            let is_child = path.starts_with(&format!("{module}::"));
            if !path.is_empty() && path != module && !(is_reexport && is_child) {
                imports.insert(path);
            }
        }
    }
    imports
}

fn layer(module: &str) -> String {
    let is_table = module.starts_with("games::draughts::tables");
    let length = if is_table { 3 } else { 1 + usize::from(module.starts_with("games")) };
    module.split("::").take(length).collect::<Vec<_>>().join("::")
}

/// Whether a list contains this layer or module.
fn contains_layer(list: &str, name: &str) -> bool {
    let is_game = name.starts_with("games::");
    list.split(' ').any(|entry| entry == name || entry == "games::*" && is_game)
}

/// Whether `module` imports itself through this import.
fn is_in_cycle(import: &str, module: &str, graph: &BTreeMap<&String, BTreeSet<String>>) -> bool {
    let mut found = BTreeSet::from([import.to_string()]);
    let mut before = 0;
    while before < found.len() {
        before = found.len();
        found.extend(found.clone().iter().filter_map(|name| graph.get(name)).flatten().cloned());
    }
    found.contains(module)
}

/// The violations in the sources after code is added to modules.
fn violations(added: &[(&str, &str)]) -> Vec<String> {
    let mut sources = Sources::new();
    add_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    for &(module, code) in added {
        sources.entry(module.to_string()).or_default().push_str(&spaced(code));
    }
    let graph: BTreeMap<_, _> =
        sources.keys().map(|module| (module, imports(module, &sources))).collect();
    let mut violations = Vec::new();
    for (module, imports) in &graph {
        let own = layer(module);
        let row = |(name, _): &&(&str, &str)| *name == own || contains_layer(name, &own);
        let allowed = LAYERS.iter().rfind(row).map_or("", |(_, allowed)| *allowed);
        for import in imports {
            let target = layer(import);
            if target != own && !contains_layer(allowed, &target) {
                violations.push(format!("{module} may not import {import}"));
            }
            if is_in_cycle(import, module, &graph) {
                violations.push(format!("{module} imports {import} in a cycle"));
            }
        }
        let reserved = RESERVED.iter().filter(|(code, _)| sources[*module].contains(code));
        let reserved = reserved
            .filter(|(_, list)| !contains_layer(list, &own) && !contains_layer(list, module));
        violations.extend(reserved.map(|(code, _)| format!("{module} may not contain {code}")));
    }
    violations
}

#[test]
fn imports_follow_the_layers() {
    assert_eq!(violations(&[]), Vec::<String>::new());
}

#[test]
fn violations_are_reported() {
    for (module, code, violation) in [
        ("search::tt", "use crate::{game::A, games::loa::{B,},};", "import games::loa"),
        ("games::loa", "fn f() { super::draughts::x() }", "import games::draughts"),
        ("games::chess", "pub use super::GAMES;", "import games"),
        ("util", "use soucie::engine;", "import engine"),
        ("game", "std::thread::scope(f)", "contain thread :: scope"),
        ("search::tt", "#![allow(unsafe_code)]", "contain unsafe_code"),
    ] {
        assert_eq!(
            violations(&[(module, code)])[0],
            format!("{module} may not {violation}"),
            "{code}"
        );
    }
    let cycle = violations(&[("nnue::file", "use super::x;"), ("nnue", "use file::y;")]);
    assert_eq!(cycle[0], "nnue imports nnue::file in a cycle");
}

#[test]
fn the_page_names_no_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page");
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphabetic()).collect();
        for variant in soucie::games::variants() {
            assert!(!text.contains(&variant.title.to_lowercase()), "{path:?}: {}", variant.title);
            for name in variant.aliases.iter().chain([&variant.name]) {
                assert!(!words.contains(name), "{path:?}: {name}");
            }
        }
    }
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    sources(&folder.join("tests"), &mut found);
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let may_start = path.ends_with("support/programs.rs") || path.ends_with("layers.rs");
        for code in ["Command::new", "CARGO_BIN_EXE_", "default_dir()", "user_dirs"] {
            assert!(may_start || !text.contains(code), "{}: {code}", path.display());
        }
    }
}
