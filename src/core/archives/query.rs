//! What a game must have to be found.

use thiserror::Error;

use super::date::Date;
use super::headers::{GameHeaders, TextPart, WantedResult};
use super::positions::{WantedEnding, WantedOpening, WantedPosition};
use crate::game::Side;
use crate::records::HeaderField;

/// What a game must have. All that is given must be so; the default is found in every game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    pub game: Option<&'static str>,
    /// A part of the name of either player.
    pub player: Option<TextPart>,
    pub black: Option<TextPart>,
    pub white: Option<TextPart>,
    pub event: Option<TextPart>,
    pub result: Option<WantedResult>,
    /// The first date. An incomplete one may be any day in it.
    pub since: Option<Date>,
    pub until: Option<Date>,
    pub position: Option<WantedPosition>,
    pub opening: Option<WantedOpening>,
    pub ending: Option<WantedEnding>,
}

/// Why a part of a query cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum QueryError {
    #[error("position: {0}")]
    Position(String),
    #[error("move {0}: {1}")]
    Move(String, String),
    #[error(
        "no opening is called '{0}': expected a part of the name of a ballot, such as Edinburgh, or its moves, such \
         as 9-13 22-18 6-9"
    )]
    Opening(String),
    #[error(
        "expected the pieces of Black and White, such as 2k1m:1k2m (kings and men) or 5:4, found '{0}'"
    )]
    Ending(String),
}

impl Query {
    /// Whether the headers of a game are such.
    pub fn matches_headers(&self, game: &impl GameHeaders) -> bool {
        let has = |part: &TextPart, field| part.is_in(&game.header(field).unwrap_or_default());
        let has_if =
            |part: &Option<TextPart>, field| part.as_ref().is_none_or(|part| has(part, field));
        let fields = [HeaderField::Black, HeaderField::White];
        let given = [&self.black, &self.white];
        if !given.into_iter().zip(fields).all(|(part, field)| has_if(part, field))
            || !has_if(&self.event, HeaderField::Event)
        {
            return false;
        }
        let mut named = Vec::new();
        for ((side, field), given) in Side::BOTH.into_iter().zip(fields).zip(given) {
            let is_named = match &self.player {
                Some(part) => has(part, field),
                None => given.is_some(),
            };
            named.extend(is_named.then_some(side));
        }
        (self.player.is_none() || !named.is_empty())
            && self.result.is_none_or(|wanted| wanted.is(game.result(), &named))
            && self.matches_date(game)
    }

    fn matches_date(&self, game: &impl GameHeaders) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let date = game.header(HeaderField::Date).and_then(|text| Date::read(&text));
        date.is_some_and(|date| {
            self.since.is_none_or(|since| date.may_follow(since))
                && self.until.is_none_or(|until| until.may_follow(date))
        })
    }

    /// Whether a game with this name may be found.
    pub fn matches_game(&self, game: &str) -> bool {
        let position = self.position.as_ref().map(|position| position.game);
        let opening = |opening: &WantedOpening| {
            opening.positions.iter().any(|position| position.game == game)
        };
        [self.game, position].into_iter().flatten().all(|wanted| wanted == game)
            && self.opening.as_ref().is_none_or(opening)
    }

    /// Whether positions are compared, and not only headers.
    pub fn needs_moves(&self) -> bool {
        self.position.is_some() || self.opening.is_some() || self.ending.is_some()
    }
}
