//! Detection of files in unsupported formats, which give one error a file instead of one a line.

use std::iter;

use super::input::Item;
use super::report::{Failure, Origin};
use crate::records::Fault;

/// The supported formats, for the error message.
const READ: &str = "Lines of Action in SGF or in PGN of XBoard, English draughts in PDN, lists of \
     moves, logs of the console, setups (one a line) and drawn boards";

/// The number of unrecognised entries at the start of a file after which the whole file is
/// rejected as unsupported.
const HELD: usize = 64;

/// An entry of a file.
pub enum Entry {
    /// An entry in a supported format, possibly with an error in it.
    Known(Item),
    /// An entry in an unsupported format.
    Other(Failure),
}

/// The first bytes of common unsupported file formats, and their names.
const SIGNS: [(&[u8], &str); 11] = [
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"\x1f\x8b", "compressed by gzip: unpack it first"),
    (b"<?xml", "an XML document"),
    (b"<", "an HTML page"),
    (b"{\"", "JSON"),
    (b"[{", "JSON"),
    (b"soucie proof", "a proof: soucie verify reads it"),
];

/// The unsupported format of a file with this beginning; `None` if it is not recognised as one.
pub fn of(head: &[u8]) -> Option<&'static str> {
    let text = head.trim_ascii_start();
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)).map(|(_, kind)| *kind);
    sign.or_else(|| head.contains(&0).then_some("binary data, and no text"))
}

/// The failure for a file in an unsupported format.
pub fn refusal(origin: Origin, found: &str) -> Item {
    Item::Failure(Failure { origin, error: format!("{found}; what is read: {READ}") })
}

/// Whether the fault is that the record is of an unsupported game or format.
pub fn is_other(fault: &Fault) -> bool {
    matches!(fault, Fault::OtherGame { .. } | Fault::Chess { .. } | Fault::Format(_))
}

/// Whether a text looks like a setup, with or without moves, or like a board diagram.
pub fn is_setup(text: &str) -> bool {
    let word = text.strip_prefix("position ").unwrap_or(text);
    let word = word.strip_prefix("fen ").unwrap_or(word).split_whitespace().next();
    let word = word.unwrap_or_default();
    let is_placement = || {
        word.contains('/') && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-.".contains(&b))
    };
    let has_side = || matches!(word.get(..2), Some("W:" | "B:" | "w:" | "b:"));
    text.contains('\n') || word == "startpos" || has_side() || is_placement()
}

/// The items of a file; a single failure if the file is in an unsupported format.
pub fn as_one(entries: impl Iterator<Item = Entry> + Send + 'static) -> impl Iterator<Item = Item> {
    let mut entries = entries;
    let begin = move || {
        let mut held = Vec::new();
        let next = loop {
            match entries.next() {
                Some(Entry::Other(failure)) if held.len() < HELD => held.push(failure),
                next => break next,
            }
        };
        let is_known = matches!(next, Some(Entry::Known(_)));
        let items: Box<dyn Iterator<Item = Item> + Send> = if is_known || held.is_empty() {
            let held = held.into_iter().map(Item::Failure);
            Box::new(held.chain(next.into_iter().chain(entries).map(item)))
        } else {
            let first = held.into_iter().next();
            Box::new(first.map(|first| refusal(first.origin, &first.error)).into_iter())
        };
        items
    };
    iter::once_with(begin).flatten()
}

fn item(entry: Entry) -> Item {
    match entry {
        Entry::Known(item) => item,
        Entry::Other(failure) => Item::Failure(failure),
    }
}
