//! The games of archives in memory: what a list shows of a game, and its moves, a byte each.

use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::iter;

use serde::Serialize;

use super::headers::GameHeaders;
use super::query::Query;
use super::replay::{Occurrence, occurrence};
use crate::game::{
    Game, MoveFormat, MoveList, RuleSetting, Variant, readable_moves, rules_from, values_of,
};
use crate::games::GAMES;
use crate::records::{HeaderField, Record, RecordResult, ReplayError, replayed_moves};
use crate::with_game;

/// The games of archives, in their order, each with its main line.
#[derive(Debug, Default)]
pub struct GameList {
    games: Vec<StoredGame>,
    /// The rules of the games that do not have the usual ones, by their numbers.
    rules: HashMap<usize, Vec<RuleSetting>>,
    /// Why a part of a game is missing, by its number.
    faults: HashMap<usize, String>,
    /// The named openings of each variant in the list.
    openings: HashMap<&'static str, HashMap<u64, &'static str>>,
}

#[derive(Debug)]
struct StoredGame {
    variant: &'static Variant,
    result: RecordResult,
    plies: u32,
    /// The number of pieces of each side at the end.
    pieces: [u8; 2],
    /// The number of each move among the readable ones of its position; then the texts, one a line.
    bytes: Box<[u8]>,
}

/// What a list shows of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ListedGame<'a> {
    pub variant: &'static str,
    /// The name of the Black player; `None` if it is unknown, as the other texts.
    pub black: Option<&'a str>,
    pub white: Option<&'a str>,
    /// The tournament or match.
    pub event: Option<&'a str>,
    /// The date, in the notation of the record.
    pub date: Option<&'a str>,
    /// The name of the opening.
    pub opening: Option<&'a str>,
    /// The setup; `None` for the start position of the variant.
    #[serde(skip)]
    pub setup: Option<&'a str>,
    pub result: RecordResult,
    pub plies: usize,
}

/// What has become of a game that was added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    pub is_listed: bool,
    /// Why the game or a part of it is missing.
    pub fault: Option<String>,
}

impl Added {
    fn refused(fault: String) -> Self {
        Self { is_listed: false, fault: Some(fault) }
    }
}

impl GameList {
    pub fn len(&self) -> usize {
        self.games.len()
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The memory of the list in bytes, without that of the allocator.
    pub fn size(&self) -> usize {
        let games = self.games.iter().map(|game| game.bytes.len());
        let faults = self.faults.values().map(|fault| size_of::<String>() + fault.capacity());
        self.games.capacity() * size_of::<StoredGame>() + games.chain(faults).sum::<usize>()
    }

    /// Adds a game, up to its first illegal move, unless its setup is illegal.
    pub fn add(&mut self, record: &Record) -> Added {
        let added = with_game!(record.variant(), |P, variant| self.add_as::<P>(record, variant));
        added.unwrap_or_else(|| Added::refused(format!("{}: unknown game", record.location())))
    }

    fn add_as<P: Game>(&mut self, record: &Record, variant: &'static Variant) -> Added {
        let rules = record.rules();
        let replayed = replayed_moves::<P>(record, rules_from(&values_of(&rules)));
        let (mut position, moves) = match replayed {
            Ok(replayed) => replayed,
            Err(error) => return Added::refused(error.to_string()),
        };
        let setup = record.setup().map(|_| position.write_setup()).unwrap_or_default();
        let names = self.openings.entry(variant.name).or_insert_with(|| openings::<P>(variant));
        let mut opening = "";
        let mut bytes = Vec::new();
        let mut fault = None;
        for played in moves {
            let (mv, next) = match played {
                Ok(played) => played,
                Err(error) => {
                    let ReplayError { location, text, reason, .. } = &error;
                    let illegal = format!("{location}: illegal move {text}: {reason}");
                    self.faults.insert(self.games.len(), illegal);
                    fault = Some(error.to_string());
                    break;
                }
            };
            let number = readable_moves(&position).iter().position(|&other| other == mv);
            let Some(number) = number.and_then(|number| u8::try_from(number).ok()) else {
                fault = Some(format!("{}: a move is one of too many", record.location()));
                break;
            };
            bytes.push(number);
            position = next;
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
        let fault = fault.or_else(|| record.fault().map(str::to_string));
        if let Some(fault) = &fault {
            self.faults.entry(self.games.len()).or_insert_with(|| fault.clone());
        }
        let bytes = bytes.into_boxed_slice();
        let pieces = position.piece_counts().map(|count| count as u8);
        self.games.push(StoredGame { variant, result: record.outcome(), plies, pieces, bytes });
        Added { is_listed: true, fault }
    }

    /// Frees what was reserved for more games.
    pub fn shrink(&mut self) {
        self.games.shrink_to_fit();
    }

    /// The head of a game, by its number from 0.
    pub fn head(&self, number: usize) -> Option<ListedGame<'_>> {
        Some(self.games.get(number)?.head())
    }

    /// The rules of a game that are not the usual ones.
    pub fn rules(&self, number: usize) -> &[RuleSetting] {
        self.rules.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Why a part of a game is missing; `None` if it is whole.
    pub fn fault(&self, number: usize) -> Option<&str> {
        self.faults.get(&number).map(String::as_str)
    }

    /// The moves of a game in coordinate notation, by its number from 0.
    pub fn moves(&self, number: usize) -> Vec<String> {
        let Some(game) = self.games.get(number) else { return Vec::new() };
        with_game!(game.variant.name, |P, _variant| self.moves_as::<P>(number, game))
            .unwrap_or_default()
    }

    fn moves_as<P: Game>(&self, number: usize, game: &StoredGame) -> Vec<String> {
        let turns = self.start::<P>(number, game).map(|start| replay(start, game.moves()));
        let turns = turns.into_iter().flatten();
        turns.filter_map(|(at, mv)| Some(at.write_move(mv?, MoveFormat::Coordinate))).collect()
    }

    fn start<P: Game>(&self, number: usize, game: &StoredGame) -> Option<P> {
        let rules = rules_from(&values_of(self.rules(number)));
        P::read_setup(game.head().setup.unwrap_or(game.variant.start), rules).ok()
    }

    /// The games that a query finds, by their numbers from 0, with the ply of the position that it looks for, if it
    /// looks for any. `is_wanted` and `stop` are those of [`Self::search`]; `None` if it was stopped.
    pub fn find(
        &self,
        query: &Query,
        is_wanted: &dyn Fn(&ListedGame) -> bool,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<(usize, Option<usize>)>> {
        let mut found = Vec::new();
        for variant in GAMES.iter().filter_map(|variants| variants.first()) {
            let is_done = with_game!(variant.name, |P, _variant| {
                self.search::<P>(query, is_wanted, stop, &mut |number, _, place| {
                    found.push((number, place.map(|place| place.ply)));
                })
            });
            is_done.filter(|is_done| *is_done)?;
        }
        found.sort_unstable();
        Some(found)
    }

    /// Visits the games of the type `P` that a query finds and that are wanted by their heads: with their numbers
    /// from 0, and with the place that the query looks for, if it looks for any. Returns false if `stop`, which is
    /// asked regularly, has returned true.
    pub fn search<P: Game>(
        &self,
        query: &Query,
        is_wanted: &dyn Fn(&ListedGame) -> bool,
        stop: &dyn Fn() -> bool,
        visit: Visit<P>,
    ) -> bool {
        if !query.matches_game(P::name()) {
            return true;
        }
        let read = |variant: &Variant| P::read_setup(variant.start, P::Rules::default()).ok();
        let starts: Vec<Option<P>> = P::VARIANTS.iter().map(read).collect();
        for (number, game) in self.games.iter().enumerate() {
            if number.is_multiple_of(STOP_INTERVAL) && stop() {
                return false;
            }
            let mut variants = P::VARIANTS.iter().zip(&starts);
            let Some((_, start)) = variants.find(|(known, _)| known.name == game.variant.name)
            else {
                continue;
            };
            let head = game.head();
            if !query.matches_headers(&head) || !is_wanted(&head) {
                continue;
            }
            if !query.needs_moves() {
                visit(number, &head, None);
                continue;
            }
            let is_usual = head.setup.is_none() && !self.rules.contains_key(&number);
            let start = if is_usual { *start } else { self.start(number, game) };
            let may_find =
                query.position.as_ref().is_none_or(|wanted| game.may_reach(wanted.pieces));
            let turns = start.filter(|_| may_find).into_iter();
            let turns = turns.flat_map(|start| replay(start, game.moves()));
            let turns = turns.map(|(position, mv)| (position, mv.map(Ok::<_, Infallible>)));
            if let (Some(place), _) = occurrence(query, turns) {
                visit(number, &head, Some(place));
            }
        }
        true
    }
}

/// The positions of a game, each with the move that was played from it; `None` at its end.
fn replay<P: Game>(start: P, moves: &[u8]) -> impl Iterator<Item = (P, Option<P::Move>)> {
    let (mut position, mut moves) = (Some(start), moves.iter());
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

/// What is done with a game that is found: with its number, its head, and the place that was looked for.
pub type Visit<'a, P> = &'a mut dyn FnMut(usize, &ListedGame, Option<Occurrence<P>>);

impl GameHeaders for ListedGame<'_> {
    fn header(&self, field: HeaderField) -> Option<Cow<'_, str>> {
        let text = match field {
            HeaderField::Black => self.black,
            HeaderField::White => self.white,
            HeaderField::Event => self.event,
            HeaderField::Date => self.date,
            _ => None,
        };
        text.map(Cow::Borrowed)
    }

    fn result(&self) -> RecordResult {
        self.result
    }
}

/// The number of games between two questions whether to stop.
const STOP_INTERVAL: usize = 256;

/// The longest named opening, in plies.
const LONGEST_OPENING: usize = 8;

impl StoredGame {
    /// Whether it can have a position with so many pieces, which only disappear.
    fn may_reach(&self, wanted: [u32; 2]) -> bool {
        iter::zip(self.pieces, wanted).all(|(left, wanted)| u32::from(left) <= wanted)
    }

    fn moves(&self) -> &[u8] {
        self.bytes.get(..self.plies as usize).unwrap_or_default()
    }

    fn head(&self) -> ListedGame<'_> {
        let texts = self.bytes.get(self.plies as usize..).unwrap_or_default();
        let mut texts = str::from_utf8(texts).unwrap_or_default().lines();
        let mut next = || texts.next().filter(|text| !text.is_empty());
        ListedGame {
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
