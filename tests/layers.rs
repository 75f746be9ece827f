//! The layers of the crate: which room may import which, and that the picture holds.
//!
//! A room is a file or a folder of `src`. The test reads every path that begins with `crate`,
//! `super` or the name of the crate, so that no import can hide in a nested list or in the middle
//! of a function.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A room: its name, the files that belong to it (a folder ends in `/`) and the rooms that it may
/// import. The innermost folder counts.
struct Room {
    name: &'static str,
    files: &'static [&'static str],
    imports: &'static [&'static str],
}

const fn room(
    name: &'static str,
    files: &'static [&'static str],
    imports: &'static [&'static str],
) -> Room {
    Room { name, files, imports }
}

/// From the ground up. The border, `game`, is open to every room that sees a game; `games*` are
/// the list of games and all that lies in its folder.
const ROOMS: &[Room] = &[
    room("files", &["src/files/"], &[]),
    room("game", &["src/game.rs", "src/game/"], &[]),
    room("games::board", &["src/games/board.rs"], &["game"]),
    room("games::loa", &["src/games/loa/"], &["game", "games::board"]),
    room("games::draughts", &["src/games/draughts/"], &["game", "games::board"]),
    room(
        "games::draughts::tables",
        &["src/games/draughts/tables.rs", "src/games/draughts/tables/"],
        &["files", "game", "games::board", "games::draughts"],
    ),
    room("games", &["src/games/mod.rs"], &["game", "games*"]),
    room("nnue", &["src/nnue.rs", "src/nnue/"], &["game"]),
    room("search", &["src/search.rs", "src/search/"], &["game", "nnue"]),
    room("options", &["src/options.rs"], &["game", "games*", "search"]),
    room(
        "engine",
        &["src/engine.rs", "src/engine/"],
        &["files", "game", "games*", "nnue", "search", "options"],
    ),
    room("protocol", &["src/protocol.rs", "src/protocol/"], &["files", "engine", "options"]),
    room("console", &["src/console.rs", "src/console/"], &["files", "engine", "records"]),
    room("records", &["src/records.rs", "src/records/"], &["files", "game", "games*"]),
    room(
        "tools",
        &["src/tools.rs", "src/tools/"],
        &["files", "game", "games*", "nnue", "search", "options", "engine", "records"],
    ),
    room("main", &["src/main.rs"], EVERYTHING),
    room("lib", &["src/lib.rs"], EVERYTHING),
];

const EVERYTHING: &[&str] = &[
    "files", "game", "games*", "nnue", "search", "options", "engine", "records", "protocol",
    "console", "tools",
];

/// Words that do not belong in a room, in code or in comments: the search, the network and the
/// border know no game.
const FOREIGN_WORDS: &[(&str, &[&str])] = &[
    ("game", &["loa", "draughts", "checkers"]),
    ("nnue", &["loa", "draughts", "checkers"]),
    ("search", &["loa", "draughts", "checkers"]),
];

const CRATE: &str = "soucie";

// What a file says.

/// The smallest parts of Rust that a path is made of.
#[derive(Clone, PartialEq, Debug)]
enum Token {
    Word(String),
    PathSeparator,
    Sign(char),
}

/// The tokens of a source without comments, strings and characters.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = skipped(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let word: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let length = word.len();
            tokens.push(Token::Word(word));
            length
        } else if rest.starts_with("::") {
            tokens.push(Token::PathSeparator);
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Sign(first));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a comment, a string or a character at the head of the text.
fn skipped(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = 1 + hashes + 1;
            return Some(
                text[open..].find(&close).map_or(text.len(), |at| open + at + close.len()),
            );
        }
    }
    if text.starts_with('"') {
        return Some(quoted(text, '"'));
    }
    // A lifetime begins like a character but has no second quote right behind.
    let mut chars = text.strip_prefix('\'')?.chars();
    match (chars.next()?, chars.next()?) {
        ('\\', _) => Some(quoted(text, '\'')),
        (c, '\'') => Some(c.len_utf8() + 2),
        _ => None,
    }
}

/// The length of a literal from its opening to its closing quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// The module that a file is, as the names that lead to it.
fn module_of(path: &str) -> Vec<String> {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
    let mut names: Vec<String> = inner.split('/').map(str::to_string).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

/// Every path of the crate that a source names, from the root of the crate.
fn paths(path: &str, text: &str) -> Vec<Vec<String>> {
    let tokens = tokens(text);
    let mut module = module_of(path);
    // For each open brace: whether it opened a module.
    let mut braces = Vec::new();
    let mut paths = Vec::new();
    for at in 0..tokens.len() {
        match &tokens[at] {
            Token::Sign('{') => {
                let names_module = match &tokens[..at] {
                    [.., Token::Word(word), Token::Word(name)] if word == "mod" => Some(name),
                    _ => None,
                };
                module.extend(names_module.cloned());
                braces.push(names_module.is_some());
            }
            Token::Sign('}') if braces.pop() == Some(true) => drop(module.pop()),
            Token::Word(word) => {
                let inside_path = at > 0 && tokens[at - 1] == Token::PathSeparator;
                let root = match word.as_str() {
                    _ if inside_path || tokens.get(at + 1) != Some(&Token::PathSeparator) => {
                        continue;
                    }
                    "crate" | CRATE => vec![],
                    "self" => module.clone(),
                    "super" => module[..module.len().saturating_sub(1)].to_vec(),
                    _ => continue,
                };
                read_path(&tokens[at + 2..], root, &mut paths);
            }
            _ => {}
        }
    }
    paths
}

/// Reads what follows a `::`, nested lists too; gives back what comes after the path.
fn read_path<'a>(
    tokens: &'a [Token],
    mut path: Vec<String>,
    paths: &mut Vec<Vec<String>>,
) -> &'a [Token] {
    match tokens {
        [Token::Word(name), rest @ ..] => {
            match name.as_str() {
                "super" => drop(path.pop()),
                "self" => {}
                _ => path.push(name.clone()),
            }
            if let [Token::PathSeparator, rest @ ..] = rest {
                return read_path(rest, path, paths);
            }
            paths.push(path);
            rest
        }
        [Token::Sign('{'), rest @ ..] => {
            let mut rest = rest;
            while let [first, after @ ..] = rest {
                rest = match first {
                    Token::Sign('}') => return after,
                    Token::Word(_) => read_path(rest, path.clone(), paths),
                    Token::Sign('*') => {
                        paths.push(path.clone());
                        after
                    }
                    _ => after,
                };
            }
            rest
        }
        [Token::Sign('*'), rest @ ..] => {
            paths.push(path);
            rest
        }
        _ => tokens,
    }
}

/// The words of a text, those of `CamelCase` and `snake_case` names one by one, in lower case.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphabetic() {
            word.push(c);
        }
        let hump = c.is_lowercase() && chars.peek().is_some_and(|next| next.is_uppercase());
        if !c.is_alphabetic() || hump || chars.peek().is_none() {
            words.insert(std::mem::take(&mut word).to_lowercase());
        }
    }
    words
}

// What is wrong with it.

fn room_of_file(path: &str) -> Option<&'static Room> {
    let holds =
        |file: &&str| if file.ends_with('/') { path.starts_with(*file) } else { path == *file };
    let longest = |room: &&Room| room.files.iter().filter(|f| holds(f)).map(|f| f.len()).max();
    ROOMS.iter().filter(|room| longest(room).is_some()).max_by_key(longest)
}

/// The room to which a path of the crate leads; none for the root of the crate.
fn room_of_path(path: &[String]) -> Option<&'static Room> {
    let holds = |room: &&Room| {
        let names: Vec<&str> = room.name.split("::").collect();
        path.len() >= names.len() && names.iter().zip(path).all(|(a, b)| a == b)
    };
    ROOMS.iter().filter(holds).max_by_key(|room| room.name.len())
}

/// Whether the table lets one room import another.
fn allows(room: &Room, import: &str) -> bool {
    room.imports.iter().any(|name| match name.strip_suffix('*') {
        Some(start) => import.starts_with(start) && import != room.name,
        None => *name == import,
    })
}

/// What a file imports from other rooms.
fn imports(path: &str, text: &str) -> BTreeSet<&'static str> {
    let own = room_of_file(path).map(|room| room.name);
    let rooms = paths(path, text).into_iter().filter_map(|path| room_of_path(&path));
    rooms.map(|room| room.name).filter(|&name| Some(name) != own).collect()
}

/// Everything in a file that the table of rooms forbids.
fn faults(path: &str, text: &str) -> Vec<String> {
    let Some(room) = room_of_file(path) else {
        return vec![format!("{path} lies in no known room")];
    };
    let forbidden = imports(path, text)
        .into_iter()
        .filter(|import| !allows(room, import))
        .map(|import| format!("{path}: {} may not import {import}", room.name));
    let foreign = FOREIGN_WORDS.iter().filter(|(name, _)| *name == room.name);
    let said = words(text);
    let said = foreign
        .flat_map(|(_, words)| *words)
        .filter(|word| said.contains(**word))
        .map(|word| format!("{path}: {} may not speak of {word}", room.name));
    forbidden.chain(said).collect()
}

/// Rooms that depend on each other in a circle; empty if there is none.
fn circle(imports: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let mut rest = imports.clone();
    loop {
        let names: BTreeSet<&str> = rest.keys().copied().collect();
        let before = rest.len();
        rest.retain(|_, imports| !imports.is_disjoint(&names));
        if rest.len() == before {
            return rest.keys().map(|name| name.to_string()).collect();
        }
    }
}

// The tests.

/// The Rust files of the crate with their texts, paths with `/` on every system.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(root).unwrap();
                let names: Vec<_> = inside.iter().map(|name| name.to_str().unwrap()).collect();
                files.push((names.join("/"), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_file_keeps_to_its_room() {
    let sources = sources();
    assert!(sources.iter().any(|(path, _)| path == "src/game/mod.rs"), "the sources are not found");
    let faults: Vec<String> = sources.iter().flat_map(|(path, text)| faults(path, text)).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// The one file that may hold what the compiler cannot check.
const UNSAFE: &str = "src/nnue/simd.rs";

#[test]
fn what_the_compiler_cannot_check_stands_in_one_file() {
    let unchecked = ["unsafe", "unsafe_code"];
    let holds = |text: &str| {
        tokens(text)
            .iter()
            .any(|token| unchecked.iter().any(|&word| *token == Token::Word(word.into())))
    };
    let files: Vec<String> =
        sources().into_iter().filter(|(_, text)| holds(text)).map(|(path, _)| path).collect();
    assert_eq!(files, [UNSAFE]);
}

#[test]
fn the_table_has_no_circle_and_names_known_rooms() {
    let names = || ROOMS.iter().map(|room| room.name);
    let row =
        |room: &'static Room| (room.name, names().filter(|name| allows(room, name)).collect());
    let table: BTreeMap<&str, BTreeSet<&str>> = ROOMS.iter().map(row).collect();
    assert_eq!(circle(&table), Vec::<String>::new());
    assert_eq!(table.len(), ROOMS.len(), "a room is listed twice");
    for import in ROOMS.iter().flat_map(|room| room.imports) {
        let known = names().any(|name| name == import.trim_end_matches('*'));
        assert!(known, "{import} is no room");
    }
}

#[test]
fn the_sources_have_no_circle() {
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in &sources() {
        if let Some(room) = room_of_file(path) {
            graph.entry(room.name).or_default().extend(imports(path, text));
        }
    }
    assert_eq!(circle(&graph), Vec::<String>::new());
}

// The checker checked.

#[test]
fn a_forbidden_line_is_caught() {
    let rows: &[(&str, &str, &str)] = &[
        ("src/game/mod.rs", "use crate::search::Task;", "game may not import search"),
        ("src/games/board.rs", "use crate::games::X;", "games::board may not import games"),
        ("src/games/loa/mod.rs", "use crate::search;", "games::loa may not import search"),
        (
            "src/games/loa/moves.rs",
            "use crate::games::draughts::Man;",
            "games::loa may not import games::draughts",
        ),
        ("src/games/loa/mod.rs", "use super::X;", "games::loa may not import games"),
        (
            "src/games/loa/mod.rs",
            "use super::{board::Square, draughts};",
            "games::loa may not import games::draughts",
        ),
        (
            "src/games/draughts/moves.rs",
            "let x = super::tables::probe();",
            "games::draughts may not import games::draughts::tables",
        ),
        ("src/search/mod.rs", "use crate::games::X;", "search may not import games"),
        ("src/search/a/b.rs", "fn f() { crate::engine::x() }", "search may not import engine"),
        (
            "src/search/mod.rs",
            "use crate::{game::{Game, Ply}, engine::Session};",
            "search may not import engine",
        ),
        ("src/search/mod.rs", "pub(crate) use crate::console::*;", "search may not import console"),
        ("src/nnue/mod.rs", "use soucie::search::X;", "nnue may not import search"),
        ("src/options.rs", "use super::engine::X;", "options may not import engine"),
        (
            "src/options.rs",
            "mod tests { use super::super::engine::X; }",
            "options may not import engine",
        ),
        ("src/protocol/mod.rs", "use crate::search::X;", "protocol may not import search"),
        ("src/console.rs", "use crate::protocol::X;", "console may not import protocol"),
        ("src/records/sgf.rs", "use crate::engine::X;", "records may not import engine"),
        ("src/tools/bench.rs", "use crate::protocol::X;", "tools may not import protocol"),
        ("src/search/order.rs", "// What LOA needs.", "search may not speak of loa"),
        ("src/search/order.rs", "struct LoaOrder;", "search may not speak of loa"),
        ("src/search/order.rs", "let is_loa = name == 1;", "search may not speak of loa"),
        ("src/search/order.rs", "let x = \"draughts\";", "search may not speak of draughts"),
    ];
    for &(path, text, fault) in rows {
        assert_eq!(faults(path, text), [format!("{path}: {fault}")], "{text}");
    }
}

#[test]
fn an_allowed_line_is_let_through() {
    let rows = [
        ("src/games/loa/mod.rs", "use crate::games::board::{Bits, Square, keys};"),
        ("src/games/loa/mod.rs", "use super::board::Square; mod tests { use super::*; }"),
        ("src/games/loa/moves.rs", "use super::{Loa, LoaMove}; use super::handcrafted::EDGE;"),
        ("src/games/draughts/tables/read.rs", "use super::super::Draughts; use super::Table;"),
        ("src/games/mod.rs", "pub mod board; pub use loa::Loa; use self::loa::X;"),
        ("src/search/worker.rs", "use super::score::Score; use crate::game::Game;"),
        ("src/search/worker.rs", "// crate::games\n/* crate::engine */ let x = \"crate::engine\";"),
        ("src/search/worker.rs", "let x = r#\"crate::\"engine\"#; let c = '\"'; let d = '\\'';"),
        ("src/search/worker.rs", "fn load<'a>(floats: &'a f32) -> Loaded { overload() }"),
        ("src/engine.rs", "use super::search::X; mod tests { use super::*; }"),
        ("src/engine.rs", "use crate::options::Options; use crate::games::loa::Loa;"),
        ("src/main.rs", "use soucie::{console, protocol, tools};"),
        ("src/lib.rs", "pub mod game;"),
    ];
    for (path, text) in rows {
        assert_eq!(faults(path, text), Vec::<String>::new(), "{path}: {text}");
    }
}

#[test]
fn a_file_outside_every_room_is_caught() {
    for path in ["src/util.rs", "src/games/chess.rs", "src/games/chess/mod.rs"] {
        assert_eq!(faults(path, ""), [format!("{path} lies in no known room")]);
    }
}

#[test]
fn a_circle_is_caught() {
    let graph = |rows: &[(&'static str, &[&'static str])]| {
        rows.iter().map(|&(name, imports)| (name, imports.iter().copied().collect())).collect()
    };
    let open = graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(circle(&open), Vec::<String>::new());
    let closed = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &[])]);
    assert_eq!(circle(&closed), ["a", "b", "c"]);
}
