//! Transcripts that test what the [`DOCUMENTS`] specify, run with the program and with the library
//! on one thread.
//!
//! Each file in `tests/protocol/transcripts` contains transcripts separated by empty lines. Each
//! transcript runs with a new engine:
//!
//! ```text
//! = unknown command 'X'
//! > hello
//! info string error unknown command 'hello'
//! ```
//!
//! - `= ` quotes a row of a table in a document: a code span of its first column. Some
//!   transcript must quote each of these spans. `# ` begins a comment.
//! - `> ` begins a line of input. It is sent when all output expected before it has been read.
//!   `{TEXT*N}` is TEXT repeated N times, in which `\n` ends a line. Other braces are literal.
//! - Other lines are expected output, in this order. Only empty lines may come between them.
//! - `...` on a line of its own matches any number of lines, within a line any text.
//! - `? ` begins an optional line of output.
//! - After `quit` the output must end.
//!
//! In `info` lines the numbers after `seldepth`, `nodes`, `nps`, `hashfull` and `time` are not
//! compared: they depend on the machine and the version.
//!
//! The example sessions of the documents, the fenced blocks with `>` lines, run as well. In their
//! search results, scores in centipawns, moves, and the presence of `ponder` are not compared.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::dialogue::{Dialogue, matches_pattern};
use crate::programs::waits::TIMEOUT;

/// The specification of the protocol.
const DOCUMENTS: [&str; 4] = [
    "protocol.md",
    "src/core/protocol/json.md",
    "src/core/protocol/errors.md",
    "src/core/protocol/dialects/dialects.md",
];

/// How exactly the lines of a search are compared.
#[derive(Clone, Copy, PartialEq)]
enum Search {
    Exact,
    Example,
    /// An example in which depth limits every search, so that the moves are always the same.
    DepthExample,
}

enum Step {
    Send(String),
    Expect(String),
    Optional(String),
    AnyLines,
}

struct Transcript {
    name: String,
    quotes: Vec<String>,
    steps: Vec<Step>,
    search: Search,
}

impl Transcript {
    fn new(name: String, search: Search) -> Self {
        Self { name, quotes: Vec::new(), steps: Vec::new(), search }
    }

    fn add(&mut self, line: &str) {
        self.steps.push(if line == "..." {
            Step::AnyLines
        } else if let Some(input) = line.strip_prefix("> ") {
            Step::Send(expanded(input))
        } else if let Some(output) = line.strip_prefix("? ") {
            Step::Optional(output.to_string())
        } else {
            Step::Expect(line.to_string())
        });
    }

    /// Whether a word occurs in the input or in the expected output.
    fn mentions(&self, word: &str) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Send(line) | Step::Expect(line) | Step::Optional(line) => line.contains(word),
            Step::AnyLines => false,
        })
    }

    /// Whether the input contains `quit`.
    fn has_quit(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Send(line) if line == "quit"))
    }

    /// Runs the transcript. The error is the first difference.
    fn run(&self, mut engine: Dialogue) -> Result<(), String> {
        let mut any_lines = false;
        let mut pending = None;
        for step in &self.steps {
            match step {
                Step::Send(line) => engine.send(line),
                Step::AnyLines => any_lines = true,
                Step::Expect(expected) => {
                    self.expect(&mut engine, pending.take(), expected, any_lines)?;
                    any_lines = false;
                }
                Step::Optional(expected) => {
                    let line = pending.take().or_else(|| next_line(&mut engine));
                    pending = line.filter(|line| !line_matches(expected, line, self.search));
                }
            }
        }
        let mut rest: Vec<String> = pending.into_iter().collect();
        if self.has_quit() {
            rest.extend(engine.close_input());
            if !engine.finish() {
                return Err("the engine did not end cleanly".to_string());
            }
        } else if !any_lines {
            rest.extend(engine.query(""));
        }
        rest.retain(|line| !line.is_empty());
        if any_lines || rest.is_empty() {
            Ok(())
        } else {
            Err(format!("unexpected lines {rest:?}"))
        }
    }

    /// Reads lines up to the expected one. `pending` is a line that was read before.
    fn expect(
        &self,
        engine: &mut Dialogue,
        mut pending: Option<String>,
        expected: &str,
        any_lines: bool,
    ) -> Result<(), String> {
        let started = Instant::now();
        loop {
            let line = pending.take().or_else(|| next_line(engine));
            let line = line.ok_or_else(|| format!("missing line '{expected}'"))?;
            if line_matches(expected, &line, self.search) {
                return Ok(());
            }
            if !any_lines || started.elapsed() > TIMEOUT {
                return Err(format!("expected '{expected}', found '{line}'"));
            }
        }
    }
}

/// The next line that is not empty.
fn next_line(engine: &mut Dialogue) -> Option<String> {
    loop {
        let line = engine.read_within(TIMEOUT)?;
        if !line.is_empty() {
            return Some(line);
        }
    }
}

/// Runs all transcripts. Panics with the differences.
fn run_all(transcripts: &[Transcript], new_session: fn() -> Dialogue) {
    let run = |transcript: &Transcript| {
        let error = transcript.run(new_session()).err()?;
        Some(format!("{}: {error}\n", transcript.name))
    };
    let errors: String = transcripts.iter().filter_map(run).collect();
    assert!(errors.is_empty(), "\n{errors}");
}

/// Expands `{TEXT*N}` in a line.
fn expanded(line: &str) -> String {
    let Some((head, rest)) = line.split_once('{') else { return line.to_string() };
    let parts = rest.split_once('}').and_then(|(inside, tail)| {
        let (text, times) = inside.rsplit_once('*').filter(|(text, _)| !text.contains('{'))?;
        Some((text.replace("\\n", "\n"), times.parse().ok()?, tail))
    });
    match parts {
        Some((text, times, tail)) => format!("{head}{}{}", text.repeat(times), expanded(tail)),
        None => format!("{head}{{{}", expanded(rest)),
    }
}

/// Whether a line matches the expected one.
fn line_matches(expected: &str, line: &str, search: Search) -> bool {
    matches_pattern(&normalized(expected, search), &normalized(line, search))
}

/// Replaces the parts that are not compared: numbers by `#`, moves by `M`.
fn normalized(line: &str, search: Search) -> String {
    let is_example = search != Search::Exact;
    if search == Search::Example && line.starts_with("bestmove ") && !line.contains("(none)") {
        return "bestmove M".to_string();
    }
    if !line.starts_with("info depth ") {
        return line.to_string();
    }
    let mut words: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        match words.last() {
            Some(&("seldepth" | "nodes" | "nps" | "hashfull" | "time")) if is_number(word) => {
                words.push("#");
            }
            Some(&"cp") if is_example && is_number(word) => words.push("#"),
            Some(&"pv") if is_example => {
                words.push("M");
                break;
            }
            _ => words.push(word),
        }
    }
    words.join(" ")
}

fn is_number(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The transcripts of all files.
fn transcripts() -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol/transcripts");
    let mut transcripts: Vec<Transcript> = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut is_new = true;
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if line.is_empty() {
                is_new = true;
                continue;
            }
            if std::mem::take(&mut is_new) {
                let location = format!("{name}, line {}", number + 1);
                transcripts.push(Transcript::new(location, Search::Exact));
            }
            let Some(transcript) = transcripts.last_mut() else { continue };
            if let Some(quote) = line.strip_prefix("= ") {
                transcript.quotes.push(quote.to_string());
            } else if !line.starts_with("# ") {
                transcript.add(line);
            }
        }
    }
    assert!(!transcripts.is_empty());
    transcripts
}

/// The example sessions of the documents: their fenced blocks with input.
fn example_sessions() -> Vec<Transcript> {
    let text = DOCUMENTS.map(read).concat();
    let blocks = text.split("```").skip(1).step_by(2).filter(|block| block.contains("\n> "));
    let transcript = |block: &str| {
        let input = block.lines().find(|line| line.starts_with("> ")).unwrap_or_default();
        let name = format!("the example '{input}'");
        let mut searches = block.lines().filter(|line| line.starts_with("> go"));
        let by_depth = searches.all(|line| line.starts_with("> go depth"));
        let search = if by_depth { Search::DepthExample } else { Search::Example };
        let mut transcript = Transcript::new(name, search);
        block.lines().skip(1).for_each(|line| transcript.add(line));
        transcript
    };
    let sessions: Vec<_> = blocks.map(transcript).collect();
    assert!(sessions.len() > 5);
    sessions
}

/// The code spans in the first columns of the tables of the documents.
fn rows() -> BTreeSet<String> {
    let text = DOCUMENTS.map(read).concat();
    let first_cells = text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2));
    first_cells.map(str::to_string).collect()
}

#[test]
fn the_program_follows_the_transcripts() {
    run_all(&transcripts(), Dialogue::with_program);
}

/// Whether a transcript is in UCI, uses only options that are offered without files and threads, and
/// does not take seconds.
fn is_for_one_thread(transcript: &Transcript) -> bool {
    let is_dialect = transcript.name.starts_with("dialects.txt");
    !is_dialect
        && ![
            "Threads",
            "TablePath",
            "TableCache",
            "TablePieces",
            "EvalFile",
            "BookFile",
            "currmove",
        ]
        .into_iter()
        .any(|option| transcript.mentions(option))
}

#[test]
fn the_library_follows_the_transcripts_on_one_thread() {
    let transcripts: Vec<_> = transcripts().into_iter().filter(is_for_one_thread).collect();
    run_all(&transcripts, Dialogue::with_single_thread);
}

#[test]
fn the_program_follows_the_example_sessions() {
    run_all(&example_sessions(), Dialogue::with_program);
}

#[test]
fn every_row_of_the_specification_is_quoted() {
    let rows = rows();
    let mut quoted = BTreeSet::new();
    for transcript in transcripts() {
        for quote in &transcript.quotes {
            assert!(rows.contains(quote), "{}: no table has '{quote}'", transcript.name);
            let word = quote.split([' ', ':']).next().unwrap_or_default();
            assert!(transcript.mentions(word), "{}: '{quote}' is not used", transcript.name);
            quoted.insert(quote.clone());
        }
    }
    let missing: Vec<_> = rows.difference(&quoted).collect();
    assert!(missing.is_empty(), "no transcript quotes {missing:#?}");
}

/// The anchors of the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| line.trim_matches(['#', ' ']).to_lowercase().replace(' ', "-");
    headings.map(anchor).collect()
}

#[test]
fn links_between_documents_lead_to_a_heading() {
    let others = [
        "README.md",
        "src/program/analyse/queries.md",
        "src/program/problem/problem.md",
        "src/core/wasm/webassembly.md",
        "src/core/checkerboard/checkerboard.md",
    ];
    for document in DOCUMENTS.into_iter().chain(others) {
        let text = read(document);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(document).parent().unwrap();
            let target = if path.is_empty() { document.into() } else { folder.join(path) };
            let is_found = Path::new(env!("CARGO_MANIFEST_DIR")).join(&target).exists()
                && (anchor.is_empty() || anchors(&read(target.to_str().unwrap())).contains(anchor));
            assert!(is_found, "{document}: {link}");
        }
    }
}

#[test]
fn lines_are_compared_as_documented() {
    let table = [
        ("readyok", "readyok", true),
        ("readyok", "readyok ", false),
        ("option ... default 16 ...", "option name Hash default 16 min 1", true),
        ("option ... default 16 ...", "option name Hash default 160 min 1", false),
        ("info depth 1 score cp 3 nodes 5", "info depth 1 score cp 3 nodes 7", true),
        ("info depth 1 score cp 3 nodes 5", "info depth 1 score cp 4 nodes 5", false),
        ("bestmove a1b2", "bestmove a1b3", false),
        ("a...b...c", "a b b c", true),
        ("a...b...c", "a b", false),
        ("a...", "a", true),
        ("...b...", "b", true),
        ("ab...bc", "abc", false),
    ];
    for (expected, line, same) in table {
        assert_eq!(line_matches(expected, line, Search::Exact), same, "{expected} / {line}");
    }
    let table = [
        ("info depth 1 score cp 3 pv a1b2", "info depth 1 score cp -4 pv b1b2 c1c2", true),
        ("info depth 1 score cp 3 pv a1b2", "info depth 2 score cp 3 pv a1b2", false),
        ("info depth 1 score mate 1 pv a1b2", "info depth 1 score cp 9 pv a1b2", false),
        ("bestmove a1b2 ponder b2b3", "bestmove a1b3", true),
        ("bestmove a1b2", "bestmove (none)", false),
    ];
    for (expected, line, same) in table {
        assert_eq!(line_matches(expected, line, Search::Example), same, "{expected} / {line}");
    }
    assert_eq!(expanded("go {ab *2}c{d*3}"), "go ab ab cddd");
    assert_eq!(expanded(r#"import {"text":"{x*2} 1-0 *"}"#), r#"import {"text":"xx 1-0 *"}"#);
}
