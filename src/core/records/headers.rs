//! The headers that Soucie does not use, kept for other programs.

use std::collections::HashSet;

use super::record::Record;
use super::sgf;
use super::tree::{GameTree, NodeItem};
use super::values::{RecordFormat, RecordResult, plain_text, present};

/// The properties that determine the game, and those with a value of their own in [`Record`].
const SGF_USED: [&str; 24] = [
    "FF", "GM", "SZ", "CA", "SU", "AB", "AW", "AE", "PL", "PB", "PW", "EV", "DT", "B", "W", "C",
    "TE", "BM", "IT", "DO", "BL", "WL", "OB", "OW",
];

/// The same tags of PDN.
const PDN_USED: [&str; 9] =
    ["GameType", "Variant", "SetUp", "FEN", "Result", "Black", "White", "Event", "Date"];

impl Record {
    /// The names and texts of the headers that have no other access, in their order. In SGF the
    /// result is one of them if it has more than the winner, such as a reason.
    pub fn other_headers(&self) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        let mut is_begun = false;
        for (_, node) in self.tree.main_line() {
            is_begun |= node.turn().is_some();
            for item in &node.items {
                let NodeItem::Property(name, values) = item else { continue };
                let is_plain_result = self.is_result(name)
                    && values.iter().all(|value| value == sgf::info::result(result_of(value)));
                // Before the first move, any property may describe the game.
                let is_header = !is_begun || sgf::info::is_info(&self.tree, node, name);
                if !is_header || self.is_used(name) || is_plain_result {
                    continue;
                }
                let texts = values.iter().map(|value| match self.format {
                    RecordFormat::Sgf => plain_text(&sgf::decode(value)),
                    RecordFormat::Pdn => value.clone(),
                });
                let is_own = |text: &str| name == "AP" && text.starts_with("Soucie:");
                let is_other = |text: &str| {
                    present(text).is_some() && !self.is_rules(name, text) && !is_own(text)
                };
                let given = texts.filter(|text| is_other(text));
                headers.extend(given.map(|text| (name.clone(), text)));
            }
        }
        let mut known = HashSet::new();
        headers.retain(|header| known.insert(header.clone()));
        headers
    }

    /// Adds a header that [`Self::other_headers`] can return. One that the record uses has no
    /// effect, nor has another result, an absent text, or in PDN a second text for a name. Returns whether
    /// the name is possible in the format.
    pub fn add_other_header(&mut self, name: &str, text: &str) -> bool {
        let is_name = |byte: u8| match self.format {
            RecordFormat::Sgf => byte.is_ascii_uppercase(),
            RecordFormat::Pdn => byte.is_ascii_alphanumeric() || byte == b'_',
        };
        if name.is_empty() || !name.bytes().all(is_name) {
            return false;
        }
        let text = plain_text(text);
        if present(&text).is_none() {
            return true;
        }
        let value = match self.format {
            RecordFormat::Sgf => sgf::encode(&text),
            RecordFormat::Pdn => text.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        let is_result = self.is_result(name);
        let is_second = self.format == RecordFormat::Pdn
            && self.tree.get(GameTree::ROOT).is_some_and(|root| root.value(name).is_some());
        let is_kept = !is_second && (!is_result || result_of(&value) == self.outcome());
        let is_used = self.is_used(name) || self.claims_rules(name, &text);
        if let Some(root) = self.tree.get_mut(GameTree::ROOT).filter(|_| is_kept && !is_used) {
            if is_result || name == "AP" {
                root.set(name, value);
            } else {
                root.add_value(name, value);
            }
        }
        true
    }

    fn is_result(&self, name: &str) -> bool {
        self.format == RecordFormat::Sgf && name == "RE"
    }

    fn is_used(&self, name: &str) -> bool {
        match self.format {
            RecordFormat::Sgf => SGF_USED.contains(&name),
            RecordFormat::Pdn => PDN_USED.contains(&name),
        }
    }
}

/// The result in a value of `RE`.
fn result_of(value: &str) -> RecordResult {
    sgf::info::read_result(value).unwrap_or(RecordResult::Unknown)
}
