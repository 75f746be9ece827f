//! Transcripts that hold `protocol.md` to its word, played with the library and the program.
//!
//! Each file in `tests/protocol/transcripts` holds several, parted by empty lines, and each is played with
//! a fresh engine:
//!
//! ```text
//! = unknown command 'X'
//! > hello
//! info string error unknown command 'hello'
//! ```
//!
//! - `= ` quotes a row of a table of `protocol.md`: a code span of its first column. Every such
//!   span is quoted by some transcript. `# ` begins a remark.
//! - `> ` is said once all that stands before was heard. `{TEXT*N}` in it is TEXT, N times,
//!   in which `\n` ends a line. Other braces stand for themselves.
//! - Other lines are what must be heard, in this order and with nothing between but empty lines.
//! - `...` on a line of its own is any number of lines, within a line any text.
//! - `? ` begins a line that may be missing.
//! - After `quit` the output must end.
//!
//! In `info` lines the numbers behind `seldepth`, `nodes`, `nps`, `hashfull` and `time` are not
//! compared: they differ from machine to machine and from version to version.
//!
//! The dialogues in `protocol.md`, the fenced blocks with `>` lines, are played as well. What a
//! search finds there is an example: scores in centipawns and moves are not compared, nor
//! whether a reply is expected.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::dialogue::Dialogue;

/// Nothing in a transcript takes so long, not even a line that comes after many others.
const PATIENCE: Duration = Duration::from_secs(120);

/// How exactly the lines of a search are compared.
#[derive(Clone, Copy, PartialEq)]
enum Search {
    Exact,
    Example,
}

enum Step {
    Say(String),
    Hear(String),
    MayHear(String),
    HearAnything,
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
            Step::HearAnything
        } else if let Some(said) = line.strip_prefix("> ") {
            Step::Say(repeated(said))
        } else if let Some(heard) = line.strip_prefix("? ") {
            Step::MayHear(heard.to_string())
        } else {
            Step::Hear(line.to_string())
        });
    }

    /// Whether a word is said or heard, or stands in what is set.
    fn mentions(&self, word: &str) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Say(line) | Step::Hear(line) | Step::MayHear(line) => line.contains(word),
            Step::HearAnything => false,
        })
    }

    /// Whether it says goodbye.
    fn leaves(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Say(line) if line == "quit"))
    }

    /// Plays it; an error says what went another way.
    fn play(&self, mut engine: Dialogue) -> Result<(), String> {
        let mut anything = false;
        let mut waiting = None;
        for step in &self.steps {
            match step {
                Step::Say(line) => engine.say(line),
                Step::HearAnything => anything = true,
                Step::Hear(expected) => {
                    self.hear(&mut engine, waiting.take(), expected, anything)?;
                    anything = false;
                }
                Step::MayHear(expected) => {
                    let heard = next_line(&mut engine);
                    waiting = heard.filter(|heard| !fits(expected, heard, self.search));
                }
            }
        }
        if self.leaves() {
            return if engine.leave() { Ok(()) } else { Err("a bad end".to_string()) };
        }
        let rest = if anything { Vec::new() } else { engine.ask("") };
        if rest.is_empty() { Ok(()) } else { Err(format!("{rest:?} too much")) }
    }

    /// Hears lines, the first of which may be known, up to the expected one.
    fn hear(
        &self,
        engine: &mut Dialogue,
        mut waiting: Option<String>,
        expected: &str,
        anything: bool,
    ) -> Result<(), String> {
        let started = Instant::now();
        loop {
            let heard = waiting.take().or_else(|| next_line(engine));
            let heard = heard.ok_or_else(|| format!("no '{expected}'"))?;
            if fits(expected, &heard, self.search) {
                return Ok(());
            }
            if !anything || started.elapsed() > PATIENCE {
                return Err(format!("'{heard}' instead of '{expected}'"));
            }
        }
    }
}

/// The next line that is not empty.
fn next_line(engine: &mut Dialogue) -> Option<String> {
    loop {
        let line = engine.hear_within(PATIENCE)?;
        if !line.is_empty() {
            return Some(line);
        }
    }
}

/// Plays all and says which did not go as they are written.
fn play_all(transcripts: &[Transcript], with: fn() -> Dialogue) {
    let play = |transcript: &Transcript| {
        let why = transcript.play(with()).err()?;
        Some(format!("{}: {why}\n", transcript.name))
    };
    let errors: String = transcripts.iter().filter_map(play).collect();
    assert!(errors.is_empty(), "\n{errors}");
}

/// A line with `{TEXT*N}` written out.
fn repeated(line: &str) -> String {
    let Some((head, rest)) = line.split_once('{') else { return line.to_string() };
    let parts = rest.split_once('}').and_then(|(inside, tail)| {
        let (text, times) = inside.rsplit_once('*').filter(|(text, _)| !text.contains('{'))?;
        Some((text.replace("\\n", "\n"), times.parse().ok()?, tail))
    });
    match parts {
        Some((text, times, tail)) => format!("{head}{}{}", text.repeat(times), repeated(tail)),
        None => format!("{head}{{{}", repeated(rest)),
    }
}

/// Whether a line is the one that was expected.
fn fits(expected: &str, heard: &str, search: Search) -> bool {
    like(&plain(expected, search), &plain(heard, search))
}

/// Whether a text is a pattern in which `...` is any text.
fn like(pattern: &str, text: &str) -> bool {
    let Some((head, tail)) = pattern.split_once("...") else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(head) else { return false };
    // The first place of each part leaves the most text for those behind it.
    let (between, last) = tail.rsplit_once("...").unwrap_or(("", tail));
    for part in between.split("...") {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

/// A line without what is not compared: `#` for a number, `M` for moves.
fn plain(line: &str, search: Search) -> String {
    let is_example = search == Search::Example;
    if is_example && line.starts_with("bestmove ") && !line.contains("(none)") {
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

/// The dialogues of `protocol.md`: its fenced blocks in which something is said.
fn dialogues() -> Vec<Transcript> {
    let text = read("protocol.md");
    let blocks = text.split("```").skip(1).step_by(2).filter(|block| block.contains("\n> "));
    let transcript = |block: &str| {
        let said = block.lines().find(|line| line.starts_with("> ")).unwrap_or_default();
        let name = format!("protocol.md, '{said}'");
        let mut transcript = Transcript::new(name, Search::Example);
        block.lines().skip(1).for_each(|line| transcript.add(line));
        transcript
    };
    let dialogues: Vec<_> = blocks.map(transcript).collect();
    assert!(dialogues.len() > 5);
    dialogues
}

/// The code spans in the first columns of the tables of `protocol.md`.
fn rows() -> BTreeSet<String> {
    let text = read("protocol.md");
    let first_cells = text
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2));
    first_cells.map(str::to_string).collect()
}

#[test]
fn the_library_keeps_to_the_transcripts() {
    play_all(&transcripts(), Dialogue::with_library);
}

#[test]
fn the_program_keeps_to_the_transcripts() {
    play_all(&transcripts(), Dialogue::with_program);
}

#[test]
fn the_library_keeps_to_the_specified_dialogues() {
    play_all(&dialogues(), Dialogue::with_library);
}

#[test]
fn the_program_keeps_to_the_specified_dialogues() {
    play_all(&dialogues(), Dialogue::with_program);
}

#[test]
fn every_row_of_the_specification_is_quoted() {
    let rows = rows();
    let mut quoted = BTreeSet::new();
    for transcript in transcripts() {
        for quote in &transcript.quotes {
            assert!(rows.contains(quote), "{}: '{quote}' is in no table", transcript.name);
            let word = quote.split([' ', ':']).next().unwrap_or_default();
            assert!(transcript.mentions(word), "{}: nothing of '{quote}'", transcript.name);
            quoted.insert(quote.clone());
        }
    }
    let missing: Vec<_> = rows.difference(&quoted).collect();
    assert!(missing.is_empty(), "no transcript quotes {missing:#?}");
}

#[test]
fn lines_are_compared_as_the_head_of_this_file_says() {
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
    for (expected, heard, same) in table {
        assert_eq!(fits(expected, heard, Search::Exact), same, "{expected} / {heard}");
    }
    let table = [
        ("info depth 1 score cp 3 pv a1b2", "info depth 1 score cp -4 pv b1b2 c1c2", true),
        ("info depth 1 score cp 3 pv a1b2", "info depth 2 score cp 3 pv a1b2", false),
        ("info depth 1 score mate 1 pv a1b2", "info depth 1 score cp 9 pv a1b2", false),
        ("bestmove a1b2 ponder b2b3", "bestmove a1b3", true),
        ("bestmove a1b2", "bestmove (none)", false),
    ];
    for (expected, heard, same) in table {
        assert_eq!(fits(expected, heard, Search::Example), same, "{expected} / {heard}");
    }
    assert_eq!(repeated("go {ab *2}c{d*3}"), "go ab ab cddd");
    assert_eq!(repeated(r#"import {"text":"{x*2} 1-0 *"}"#), r#"import {"text":"xx 1-0 *"}"#);
}
