//! The text commands of the window.

use super::{Library, lock, session};
use crate::engine::NAME;
use crate::engine::uci_score::UciScore;

/// The version of the interface, and the number of English draughts in it.
const FACTS: [(&str, &str); 2] = [("protocolversion", "2"), ("gametype", "21")];

/// The file that explains the settings. It is beside the library.
const HELP: &str = "soucie.html";

const ABOUT: &str = "plays English draughts and Lines of Action. It is free software.\n\n\
    The help explains the settings. The program soucie has a board in the browser, and builds endgame \
    tables, which this engine finds by itself.";

impl Library {
    /// Executes a command. `None` if it is unknown, or has a value that cannot be used.
    pub fn answer(&self, command: &str) -> Option<String> {
        let (word, rest) = split(command);
        match word {
            "name" => Some(NAME.to_string()),
            "about" => Some(format!("{NAME} {ABOUT}")),
            "help" => Some(HELP.to_string()),
            "get" => self.get(rest),
            "set" => self.set(rest),
            "staticevaluation" => evaluation(rest),
            _ => None,
        }
    }

    fn get(&self, name: &str) -> Option<String> {
        let fact = FACTS.iter().find(|(fact, _)| *fact == name).map(|(_, value)| value.to_string());
        fact.or_else(|| lock(&self.settings).get(name).map(str::to_string))
    }

    fn set(&self, text: &str) -> Option<String> {
        let (name, value) = split(text);
        if name == "gamehist" {
            *lock(&self.history) = value.to_string();
            return Some("the game is set".to_string());
        }
        let mut settings = lock(&self.settings);
        if !settings.set(name, value) {
            return None;
        }
        Some(match settings.save() {
            Ok(()) => format!("{name} is {value}"),
            Err(error) => format!("{name} is {value}, but cannot be kept: {error}"),
        })
    }
}

/// The evaluation of a setup, from Black's view.
fn evaluation(setup: &str) -> Option<String> {
    let mut session = session().ok()?;
    session.set_position(Some(setup), &[]).ok()?;
    let evaluation = session.evaluation();
    let score = UciScore::Centipawns(evaluation.network.unwrap_or(evaluation.score));
    Some(format!("{} for Black", score.for_black(evaluation.side)))
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}
