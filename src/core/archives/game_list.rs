//! The games of archives in memory: what a list shows of a game, and its moves, a byte each.

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter;

use super::headers::GameHeaders;
use super::query::Query;
use super::replay::{Matcher, Progress};
use crate::game::{
    Game, MoveFormat, MoveList, RuleSetting, Variant, readable_moves, rules_from, values_of,
};
use crate::records::{HeaderField, Record, RecordResult};
use crate::with_game;

/// The games of archives, in their order, each with its main line.
#[derive(Debug, Default)]
pub struct GameList {
    games: Vec<StoredGame>,
    /// The rules of the games that do not have the usual ones, by their numbers.
    rules: HashMap<usize, Vec<RuleSetting>>,
    /// The named openings of each variant in the list.
    openings: HashMap<&'static str, HashMap<u64, &'static str>>,
}

#[derive(Debug)]
struct StoredGame {
    variant: &'static Variant,
    result: RecordResult,
    plies: u32,
    /// The number of each move among the readable ones of its position; then the texts, one a line.
    bytes: Box<[u8]>,
}

/// What a list shows of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameHead<'a> {
    /// The name of the variant.
    pub variant: &'static str,
    /// The name of the Black player; empty if it is unknown, as the other texts.
    pub black: &'a str,
    /// The name of the White player.
    pub white: &'a str,
    /// The tournament or match.
    pub event: &'a str,
    /// The date, in the notation of the record.
    pub date: &'a str,
    /// The name of the opening.
    pub opening: &'a str,
    /// The setup; empty for the start position of the variant.
    pub setup: &'a str,
    /// The result.
    pub result: RecordResult,
    /// The number of plies.
    pub plies: usize,
}

impl GameList {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The memory of the list in bytes, without that of the allocator.
    pub fn size(&self) -> usize {
        let games = self.games.iter().map(|game| game.bytes.len());
        self.games.capacity() * size_of::<StoredGame>() + games.sum::<usize>()
    }

    /// Adds a game, up to its first illegal move. Returns why the rest of it, or with an illegal setup the
    /// whole game, is missing.
    pub fn add(&mut self, record: &Record) -> Option<String> {
        let location = record.location();
        with_game!(record.variant(), |P, variant| self.add_as::<P>(record, variant))
            .unwrap_or_else(|| Some(format!("{location}: unknown game")))
    }

    fn add_as<P: Game>(&mut self, record: &Record, variant: &'static Variant) -> Option<String> {
        let rules = record.rules();
        let setup = record.setup().unwrap_or(variant.start);
        let mut position = match P::read_setup(setup, rules_from(&values_of(&rules))) {
            Ok(start) => start,
            Err(error) => return Some(format!("{}: {error}", record.location())),
        };
        let setup = record.setup().map(|_| position.write_setup()).unwrap_or_default();
        let names = self.openings.entry(variant.name).or_insert_with(|| openings::<P>(variant));
        let mut opening = "";
        let mut bytes = Vec::new();
        let mut fault = None;
        for (turn, location) in record.turns() {
            let mv = match position.read_move(&turn.text) {
                Ok(mv) => mv,
                Err(error) => {
                    fault = Some(format!("{location}: {}: {error}", turn.text));
                    break;
                }
            };
            let number = readable_moves(&position).iter().position(|&other| other == mv);
            bytes.push(number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX));
            position = position.play(mv);
            if setup.is_empty() && bytes.len() <= LONGEST_OPENING {
                opening = names.get(&position.key_with_side()).unwrap_or(&opening);
            }
        }
        let plies = bytes.len() as u32;
        let header = |field| record.info(field).unwrap_or_default();
        let [black, white] = [header(HeaderField::Black), header(HeaderField::White)];
        let [event, date] = [header(HeaderField::Event), header(HeaderField::Date)];
        for text in [&*black, &white, &event, &date, opening, &setup] {
            bytes.extend(text.bytes().filter(|&byte| byte != b'\n').chain([b'\n']));
        }
        if !rules.is_empty() {
            self.rules.insert(self.games.len(), rules);
        }
        let bytes = bytes.into_boxed_slice();
        self.games.push(StoredGame { variant, result: record.outcome(), plies, bytes });
        fault.or_else(|| record.fault().map(str::to_string))
    }

    /// Frees what was reserved for more games.
    pub fn shrink(&mut self) {
        self.games.shrink_to_fit();
    }

    /// The head of a game, by its number from 0.
    pub fn head(&self, number: usize) -> Option<GameHead<'_>> {
        Some(self.games.get(number)?.head())
    }

    /// The rules of a game that are not the usual ones.
    pub fn rules(&self, number: usize) -> &[RuleSetting] {
        self.rules.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The moves of a game in coordinate notation, by its number from 0.
    pub fn moves(&self, number: usize) -> Vec<String> {
        let Some(game) = self.games.get(number) else { return Vec::new() };
        with_game!(game.variant.name, |P, _variant| self.moves_as::<P>(number, game))
            .unwrap_or_default()
    }

    fn moves_as<P: Game>(&self, number: usize, game: &StoredGame) -> Vec<String> {
        let turns = self.replay::<P>(number, game);
        turns.filter_map(|(at, mv)| Some(at.write_move(mv?, MoveFormat::Coordinate))).collect()
    }

    /// The positions of a game, each with the move that was played from it; `None` at its end.
    fn replay<'a, P: Game>(
        &'a self,
        number: usize,
        game: &'a StoredGame,
    ) -> impl Iterator<Item = (P, Option<P::Move>)> + use<'a, P> {
        let setup = Some(game.head().setup).filter(|setup| !setup.is_empty());
        let rules = rules_from(&values_of(self.rules(number)));
        let mut position = P::read_setup(setup.unwrap_or(game.variant.start), rules).ok();
        let mut moves = game.moves().iter();
        iter::from_fn(move || {
            let at = position.take()?;
            let mv = moves.next().and_then(|&number| {
                let mut moves = MoveList::new();
                at.moves(&mut moves);
                moves.get(usize::from(number)).copied()
            });
            position = mv.map(|mv| at.play(mv));
            Some((at, mv))
        })
    }

    /// Whether a query finds a game, by its number from 0, and the ply of the position that it looks for, if it
    /// looks for any.
    pub fn find(&self, number: usize, query: &Query) -> Option<Option<usize>> {
        let variant = self.games.get(number)?.variant.name;
        with_game!(variant, |P, _variant| {
            let found = self.find_as::<P>(number, query)?;
            Some(found.map(|found| found.ply))
        })?
    }

    /// As [`Self::find`], in a game of the type `P`.
    pub fn find_as<P: Game>(&self, number: usize, query: &Query) -> Option<Option<Occurrence<P>>> {
        let game = self.games.get(number)?;
        if !query.matches_game(P::name()) || !query.matches_headers(&game.head()) {
            return None;
        }
        if !query.needs_moves() {
            return Some(None);
        }
        let mut matcher = Matcher::new(query);
        let mut found: Option<Occurrence<P>> = None;
        for (position, mv) in self.replay::<P>(number, game) {
            let progress = matcher.add(&position);
            if let Some(ply) =
                matcher.ply().filter(|ply| found.is_none_or(|found| found.ply != *ply))
            {
                found = Some(Occurrence { ply, position, mv });
            }
            match progress {
                Progress::Open => {}
                Progress::Found => return Some(found),
                Progress::Impossible => return None,
            }
        }
        None
    }
}

/// A place in a game.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<P: Game> {
    /// The number of plies before it.
    pub ply: usize,
    /// The position.
    pub position: P,
    /// The move that was played; `None` at the end of the game.
    pub mv: Option<P::Move>,
}

impl GameHeaders for GameHead<'_> {
    fn header(&self, field: HeaderField) -> Option<Cow<'_, str>> {
        let text = match field {
            HeaderField::Black => self.black,
            HeaderField::White => self.white,
            HeaderField::Event => self.event,
            HeaderField::Date => self.date,
            _ => "",
        };
        Some(text).filter(|text| !text.is_empty()).map(Cow::Borrowed)
    }

    fn result(&self) -> RecordResult {
        self.result
    }
}

/// The longest named opening, in plies.
const LONGEST_OPENING: usize = 8;

impl StoredGame {
    fn moves(&self) -> &[u8] {
        self.bytes.get(..self.plies as usize).unwrap_or_default()
    }

    fn head(&self) -> GameHead<'_> {
        let texts = self.bytes.get(self.plies as usize..).unwrap_or_default();
        let mut texts = str::from_utf8(texts).unwrap_or_default().lines();
        let mut next = || texts.next().unwrap_or_default();
        GameHead {
            variant: self.variant.name,
            black: next(),
            white: next(),
            event: next(),
            date: next(),
            opening: next(),
            setup: next(),
            result: self.result,
            plies: self.plies as usize,
        }
    }
}

/// The names of openings by their boards.
fn openings<P: Game>(variant: &Variant) -> HashMap<u64, &'static str> {
    let named = P::openings(variant).into_iter().filter_map(|opening| {
        let position = P::read_setup(opening.setup, P::Rules::default()).ok()?;
        Some((position.key_with_side(), opening.name?))
    });
    named.collect()
}
