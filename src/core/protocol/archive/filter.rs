//! Which games of an archive are wanted.

use serde::Deserialize;

use crate::archives::{
    Date, ListedGame, Query, TextPart, WantedEnding, WantedOpening, WantedPosition, WantedResult,
};
use crate::engine::session::GameSession;
use crate::protocol::refusal::Refusal;
use crate::records::RecordResult;

/// The object after `archive find` and `archive tree`. All that is given must be so.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FilterRequest {
    /// Words that must all occur in what a row has of the game, in any case.
    pub words: String,
    /// Whether the position of the engine must occur in the game.
    pub position: bool,
    /// A part of the name of either player, in any case, as the other texts.
    pub player: Option<String>,
    pub black: Option<String>,
    pub white: Option<String>,
    pub event: Option<String>,
    /// A part of the name of an opening, or its moves.
    pub opening: Option<String>,
    /// `black`, `white`, `draw` or `unknown`, or the result of the player: `won` or `lost`.
    pub result: Option<String>,
    /// The first date, perhaps without a day and a month.
    pub since: Option<String>,
    pub until: Option<String>,
    /// The pieces of an ending.
    pub ending: Option<String>,
}

/// A request that has been read.
pub(super) struct Filter {
    /// In lower case.
    words: Vec<String>,
    pub(super) query: Query,
}

impl Filter {
    /// Reads a request about the position of `session`.
    pub(super) fn read(
        request: &FilterRequest,
        session: &dyn GameSession,
    ) -> Result<Self, Refusal> {
        let part = |text: &Option<String>| text.as_deref().map(TextPart::new);
        let date = |field, text: &Option<String>| {
            let read = |text: &String| {
                Date::of_query(text)
                    .ok_or_else(|| unreadable(field, "a date such as 2001-05", text))
            };
            text.as_ref().map(read).transpose()
        };
        let names = [&request.player, &request.black, &request.white];
        let has_player = names.into_iter().flatten().count() == 1;
        let result = |text: &String| {
            let result = WantedResult::read(text).ok_or_else(|| {
                unreadable("result", "black, white, draw, unknown, won or lost", text)
            })?;
            if matches!(result, WantedResult::Won | WantedResult::Lost) && !has_player {
                return Err(unreadable(
                    "result",
                    "one of player, black and white besides won and lost",
                    text,
                ));
            }
            Ok(result)
        };
        let position = || WantedPosition::read(session.variant(), Some(&session.setup()), &[""; 0]);
        let query = Query {
            game: None,
            player: part(&request.player),
            black: part(&request.black),
            white: part(&request.white),
            event: part(&request.event),
            result: request.result.as_ref().map(result).transpose()?,
            since: date("since", &request.since)?,
            until: date("until", &request.until)?,
            position: request.position.then(position).transpose()?,
            opening: request.opening.as_deref().map(WantedOpening::read).transpose()?,
            ending: request.ending.as_deref().map(WantedEnding::read).transpose()?,
        };
        let words = request.words.split_whitespace().map(str::to_lowercase).collect();
        Ok(Self { words, query })
    }

    /// Whether all words occur in what a row has of a game.
    pub(super) fn has_words(&self, head: &ListedGame) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let result = match head.result {
            RecordResult::Won(side) => format!("{side} won"),
            RecordResult::Drawn => "drawn".to_string(),
            RecordResult::Unknown => String::new(),
        };
        let ListedGame { black, white, event, date, opening, .. } = *head;
        let texts = [black, white, event, date, opening, Some(&*result)];
        let text = texts.map(Option::unwrap_or_default).join("\n").to_lowercase();
        self.words.iter().all(|word| text.contains(word))
    }
}

fn unreadable(field: &str, expected: &str, found: &str) -> Refusal {
    Refusal(format!("{field}: expected {expected}, found '{found}'"))
}
