//! The open archive: adds texts, finds games and describes them.

use serde::Serialize;

use super::filter::Filter;
use super::{MOST_GAMES, MOST_MIB, MOST_ROWS, RowsRequest};
use crate::archives::{Added, GameList, ListedGame};
use crate::options::Options;
use crate::protocol::import::{ImportPart, ImportedGame, MOST_ERRORS, PartialText, set_up};
use crate::protocol::refusal::Refusal;
use crate::records::items::{TextItem, TextReader};

#[derive(Default)]
pub(super) struct OpenArchive {
    list: GameList,
    text: Option<PartialText<TextReader>>,
    /// The size of all texts in bytes.
    size: usize,
    faults: usize,
    /// The games that were found last; all before the first search.
    found: Option<Vec<FoundGame>>,
}

#[derive(Clone, Copy)]
struct FoundGame {
    /// The number of the game, from 0.
    number: u32,
    /// The ply of the position, if one was wanted.
    ply: Option<u32>,
}

/// The answer to `add`.
#[derive(Serialize)]
pub(super) struct AddedJson {
    games: usize,
    faults: usize,
    errors: Vec<String>,
}

/// The answer to `find` and `games`.
#[derive(Serialize)]
pub(super) struct RowsJson<'a> {
    total: usize,
    offset: usize,
    games: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    number: usize,
    #[serde(flatten)]
    head: ListedGame<'a>,
    ply: Option<u32>,
}

impl OpenArchive {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn list(&self) -> &GameList {
        &self.list
    }

    /// Adds the games that are complete with this part of a text.
    pub(super) fn add(&mut self, part: &ImportPart) -> Result<AddedJson, Refusal> {
        // After an error a text begins again, and so must the archive: it has the first games of the text.
        let new = |variant| TextReader::new(variant, true);
        let mut text = part.continue_text(self.text.take(), new, "'archive open'")?;
        if self.size + part.text.len() > MOST_MIB << 20 {
            return Err(Refusal(format!(
                "the texts of an archive have at most {MOST_MIB} MiB; this part is left out"
            )));
        }
        self.size += part.text.len();
        // What was found before is not of this archive any more.
        self.found = None;
        text.read.add(part.text.as_bytes())?;
        if !part.more {
            text.read.finish();
        }
        let mut errors = Vec::new();
        while let Some(item) = text.read.next_item() {
            if self.list.len() == MOST_GAMES {
                return Err(Refusal(format!(
                    "an archive has at most {MOST_GAMES} games; the rest of this text is left out"
                )));
            }
            if let Some(error) = self.add_item(item) {
                self.faults += 1;
                if self.faults <= MOST_ERRORS {
                    errors.push(error);
                }
            }
        }
        if part.more {
            self.text = Some(text);
        } else {
            self.list.shrink();
        }
        Ok(AddedJson { games: self.list.len(), faults: self.faults, errors })
    }

    /// Ends the text that is being added: a part of it is missing.
    pub(super) fn end_text(&mut self) {
        self.text = None;
    }

    /// Returns what is missing of the item.
    fn add_item(&mut self, item: TextItem) -> Option<String> {
        match item {
            TextItem::Game(record) => {
                let Added { is_listed, fault } = self.list.add(&record);
                let fault = fault?;
                Some(if is_listed { format!("game {}: {fault}", self.list.len()) } else { fault })
            }
            TextItem::Setup { line, .. } => {
                Some(format!("line {line}: expected a game, found a position"))
            }
            TextItem::Failure(error) => Some(error.to_string()),
        }
    }

    /// Finds the games of a request. `None` if it was stopped; then the games found before remain.
    pub(super) fn find(&mut self, filter: &Filter, stop: &dyn Fn() -> bool) -> Option<()> {
        let found = self.list.find(&filter.query, &|head| filter.has_words(head), stop)?;
        let game = |(number, ply): (usize, Option<usize>)| FoundGame {
            number: number as u32,
            ply: ply.map(|ply| ply as u32),
        };
        self.found = Some(found.into_iter().map(game).collect());
        Some(())
    }

    /// Rows of the games that were found.
    pub(super) fn rows(&self, request: &RowsRequest) -> RowsJson<'_> {
        let total = self.found.as_ref().map_or(self.list.len(), Vec::len);
        let last = request.offset.saturating_add(request.limit.min(MOST_ROWS)).min(total);
        let row = |at: usize| {
            let all = FoundGame { number: at as u32, ply: None };
            let FoundGame { number, ply } =
                self.found.as_ref().map_or(Some(all), |found| found.get(at).copied())?;
            let number = number as usize;
            Some(RowJson { number: number + 1, head: self.list.head(number)?, ply })
        };
        let games = (request.offset..last).filter_map(row).collect();
        RowsJson { total, offset: request.offset, games }
    }

    /// A game as `import` describes it, by its number from 1.
    pub(super) fn game(&self, number: usize, options: &Options) -> Result<ImportedGame, Refusal> {
        let index = number.checked_sub(1);
        let Some((index, head)) = index.and_then(|index| Some((index, self.list.head(index)?)))
        else {
            let games = self.list.len();
            return Err(Refusal(format!(
                "number: expected a game from 1 to {games}, found {number}"
            )));
        };
        let rules = self.list.rules(index);
        let mut options = options.clone();
        options.set_rules(rules);
        let (mut session, setup) = set_up(head.variant, head.setup, &options).map_err(Refusal)?;
        for mv in self.list.moves(index) {
            session.play(&mv)?;
        }
        let game = ImportedGame::new(&*session, setup);
        let text = |text: Option<&str>| text.map(str::to_string);
        Ok(ImportedGame {
            black: text(head.black),
            white: text(head.white),
            event: text(head.event),
            date: text(head.date),
            rules: rules.iter().map(|rule| (rule.name, rule.text.clone())).collect(),
            result: head.result,
            error: self.list.fault(index).map(str::to_string),
            ..game
        })
    }
}
