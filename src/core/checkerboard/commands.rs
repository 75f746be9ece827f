//! The text commands of the window.

use std::num::NonZero;
use std::path::Path;
use std::thread;

use super::settings::tables;
use super::{Library, lock, session};
use crate::engine::uci_score::UciScore;
use crate::engine::{EngineError, NAME};
use crate::games::draughts::tablebase::FolderTables;

/// The version of the interface, and the number of English draughts in it.
const FACTS: [(&str, &str); 2] = [("protocolversion", "2"), ("gametype", "21")];

/// The file that explains the settings. It is beside the library.
const HELP: &str = "soucie.html";

const ABOUT: &str = "plays English draughts and Lines of Action. It is free software.\n\n\
    The help explains the settings. The program soucie has a board in the browser, and builds endgame \
    tables, which this engine finds by itself.";

impl Library {
    /// Executes a command. `None` if it is unknown.
    pub fn answer(&self, command: &str) -> Option<String> {
        let (word, rest) = split(command);
        match word {
            "name" => Some(lock(&self.settings).engine_name()),
            "about" => Some(format!("{NAME} {ABOUT}")),
            "help" => Some(HELP.to_string()),
            "get" => self.get(rest),
            "set" => self.set(rest),
            "staticevaluation" => Some(evaluation(rest).unwrap_or_else(|error| error.to_string())),
            _ => None,
        }
    }

    fn get(&self, name: &str) -> Option<String> {
        if name == "cpus" {
            return Some(thread::available_parallelism().map_or(1, NonZero::get).to_string());
        }
        let fact = FACTS.iter().find(|(fact, _)| *fact == name).map(|(_, value)| value.to_string());
        fact.or_else(|| lock(&self.settings).get(name).map(str::to_string))
    }

    fn set(&self, text: &str) -> Option<String> {
        let (name, value) = split(text);
        match name {
            "gamehist" => {
                *lock(&self.history) = value.to_string();
                Some("the game is set".to_string())
            }
            "check_wld_dir" => Some(check_tables(&tables(value))),
            _ => self.change(name, value),
        }
    }

    /// Changes a setting, and uses it at once unless a search is running.
    fn change(&self, name: &str, value: &str) -> Option<String> {
        let mut settings = lock(&self.settings);
        let changed = settings.set(name, value);
        let now = format!("{name} is {}", settings.get(name)?);
        let saved = changed.map(|()| settings.save());
        drop(settings);
        let problem = match saved {
            Err(error) => error.to_string(),
            Ok(Err(error)) => format!("it cannot be kept: {error}"),
            Ok(Ok(())) => self.prepare(),
        };
        Some(if problem.is_empty() { now } else { format!("{now}: {problem}") })
    }
}

/// What can be used of the endgame tables in these folders.
fn check_tables(folders: &str) -> String {
    if folders.is_empty() {
        return "There is no folder of endgame tables.".to_string();
    }
    match FolderTables::open(Path::new(folders)) {
        Ok((tables, refused)) => {
            let found = format!("{folders}: endgame tables of up to {} pieces", tables.pieces());
            refused.iter().fold(found, |text, error| format!("{text}\n{error}"))
        }
        Err(error) => error.to_string(),
    }
}

/// The evaluation of a setup, from Black's view.
fn evaluation(setup: &str) -> Result<String, EngineError> {
    let mut session = session()?;
    session.set_position(Some(setup), &[])?;
    let evaluation = session.evaluation();
    let score = UciScore::Centipawns(evaluation.network.unwrap_or(evaluation.score));
    Ok(format!("{} for Black", score.for_black(evaluation.side)))
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}
