//! From the input to positions: games and setups, replayed by the rules.

use std::{iter, vec};

use super::report::{Failure, Head, Origin};
use crate::engine::evaluator::Evaluator;
use crate::engine::session::{GameSession, PositionView};
use crate::engine::{EngineError, Tablebases, open_with};
use crate::game::MoveFormat;
use crate::games::variants;
use crate::options::Options;
use crate::records::{Info, Record, RecordResult};

/// Something that stands in the input.
pub enum Item {
    /// A game.
    Game(Origin, Box<Record>),
    /// A setup, or a setup and moves as the protocol writes them.
    Setup {
        /// Where it stands.
        origin: Origin,
        /// The text.
        text: String,
    },
    /// Something that cannot be read.
    Failure(Failure),
    /// The end of a source of this name in which there was nothing.
    Nothing(String),
}

/// The input in the order in which it is worked on.
pub enum WorkItem {
    /// A game begins.
    Begin(Box<Head>, Option<Box<Record>>),
    /// A position of the game, to be judged if a move was played in it.
    Position(Box<LoosePosition>),
    /// The game ends, perhaps sooner than its record, for this reason.
    End(Option<String>),
    /// A position alone, to be judged.
    Alone(Box<Alone>),
    /// Something that cannot be read.
    Failure(Failure),
    /// There was nothing in the source of this name.
    Nothing(String),
}

/// The pieces of an item, made as they are asked for.
pub type Pieces = Box<dyn Iterator<Item = WorkItem> + Send>;

/// A position of a game.
pub struct LoosePosition {
    /// The game so far.
    pub session: Box<dyn GameSession>,
    /// What it looks like.
    pub view: PositionView,
    /// The move that was played in it; none at the end of the game, and alone.
    pub played: Option<String>,
}

/// A position alone.
pub struct Alone {
    /// Its number in the input, from 1.
    pub number: usize,
    /// Where it stands.
    pub origin: Origin,
    /// What is played.
    pub variant: &'static str,
    /// The position.
    pub position: LoosePosition,
}

/// How the input is to be read.
pub struct Reading {
    /// The rules, and the variant where it is not guessed.
    pub options: Options,
    /// Whether to guess it.
    pub guess: bool,
    /// The endgame tables.
    pub shelf: Tablebases,
    /// What judges positions.
    pub evaluator: Evaluator,
    /// How moves are written.
    pub format: MoveFormat,
}

impl Reading {
    /// The pieces of an item, of which so many games or positions came before.
    pub fn pieces(&self, item: Item, number: usize) -> Pieces {
        match item {
            Item::Failure(failure) => one(WorkItem::Failure(failure)),
            Item::Nothing(name) => one(WorkItem::Nothing(name)),
            Item::Game(origin, record) => self.game(origin, record, number),
            Item::Setup { origin, text } => self.setup(origin, &text, number),
        }
    }

    fn game(&self, origin: Origin, record: Box<Record>, number: usize) -> Pieces {
        let head = head(origin, &record, number);
        match self.start(head.variant, head.setup.as_deref()) {
            Ok(start) if !self.is_wanted(head.variant, &*start) => {
                let (found, wanted) = (head.variant, self.options.variant);
                let error = format!("a game of {found}, and --variant says {wanted}");
                one(WorkItem::Failure(Failure { origin: head.origin, error }))
            }
            Ok(start) => {
                let moves = record
                    .turns()
                    .map(|(turn, place)| (turn.text.clone(), format!("{place}: ")))
                    .collect();
                replay(head, Some(record), start, moves)
            }
            Err(error) => {
                let error = error.to_string();
                one(WorkItem::Failure(Failure { origin: head.origin, error }))
            }
        }
    }

    /// Whether this is the game that the user says, if the user says one.
    fn is_wanted(&self, variant: &str, session: &dyn GameSession) -> bool {
        let wanted = || self.start(self.options.variant, None);
        self.guess
            || self.options.variant == variant
            || wanted().is_ok_and(|wanted| wanted.game() == session.game())
    }

    fn start(
        &self,
        variant: &'static str,
        setup: Option<&str>,
    ) -> Result<Box<dyn GameSession>, EngineError> {
        let mut options = self.options.clone();
        options.variant = variant;
        let mut session = open_with(&options, &self.shelf)?;
        session.set_network(self.evaluator.network(&options, session.game()));
        session.set_format(self.format);
        session.set_position(setup, &[])?;
        Ok(session)
    }

    /// A setup alone, or with moves behind it: `startpos moves ...`, `fen F moves ...`.
    fn setup(&self, origin: Origin, text: &str, number: usize) -> Pieces {
        let (setup, moves) = text.split_once(" moves").unwrap_or((text, ""));
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        let setup = setup.trim();
        let setup = setup.strip_prefix("position ").unwrap_or(setup);
        let setup = setup.strip_prefix("fen ").unwrap_or(setup);
        let setup = (setup != "startpos").then_some(setup);
        let found = self.variant_of(setup, &moves).and_then(|variant| {
            let start = self.start(variant, setup)?;
            // The first move that is illegal is a fault of the game, not of the setup.
            Ok((variant, start))
        });
        match found {
            Err(error) => one(WorkItem::Failure(Failure { origin, error: error.to_string() })),
            Ok((variant, position)) if moves.is_empty() => {
                let position = LoosePosition::new(position, None);
                one(WorkItem::Alone(Box::new(Alone { number, origin, variant, position })))
            }
            Ok((variant, start)) => {
                let setup = setup.map(str::to_string);
                let head = Head { number, origin, variant, setup, ..Head::default() };
                let moves = moves.into_iter().map(|mv| (mv, String::new())).collect();
                replay(head, None, start, moves)
            }
        }
    }

    /// The first variant in which the setup is one and the moves are legal; without such, the
    /// one in which the setup is one.
    fn variant_of(
        &self,
        setup: Option<&str>,
        moves: &[String],
    ) -> Result<&'static str, EngineError> {
        if !self.guess {
            return Ok(self.options.variant);
        }
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let names = || variants().map(|variant| variant.name);
        let fits = |variant, moves: &[&str]| self.start(variant, setup)?.with_moves(moves);
        if let Some(name) = names().find(|name| fits(name, &moves).is_ok()) {
            return Ok(name);
        }
        // Of several complaints that of the game is told whose setups look like this one.
        let mut complaints = names().filter_map(|name| fits(name, &[]).err().map(|e| (name, e)));
        let has_squares = setup.is_some_and(|setup| setup.contains([':', 'm', 'M']));
        match names().find(|name| fits(name, &[]).is_ok()) {
            Some(name) => Ok(name),
            None => Err(complaints
                .by_ref()
                .reduce(|first, last| if has_squares { last } else { first })
                .map_or(EngineError::Variant(String::new()), |(_, error)| error)),
        }
    }
}

fn one(piece: WorkItem) -> Pieces {
    Box::new(iter::once(piece))
}

/// Plays the moves of a game, each with what is told of its place.
fn replay(
    head: Head,
    record: Option<Box<Record>>,
    start: Box<dyn GameSession>,
    moves: Vec<(String, String)>,
) -> Pieces {
    let (at, end) = (Some(start), Some(WorkItem::End(None)));
    let rest = Replay { at, moves: moves.into_iter(), end };
    Box::new(iter::once(WorkItem::Begin(Box::new(head), record)).chain(rest))
}

/// A game that is played as its positions are asked for: each of them holds all that came before,
/// so that those of a long game would fill the memory.
struct Replay {
    /// The game so far; none behind its end.
    at: Option<Box<dyn GameSession>>,
    moves: vec::IntoIter<(String, String)>,
    /// What comes behind the last position.
    end: Option<WorkItem>,
}

impl Iterator for Replay {
    type Item = WorkItem;

    fn next(&mut self) -> Option<WorkItem> {
        let Some(session) = self.at.take() else { return self.end.take() };
        let mut played = None;
        if let Some((mv, place)) = self.moves.next() {
            match session.with_moves(&[&mv]) {
                Ok(next) => {
                    played = next.moves().pop();
                    self.at = Some(next);
                }
                Err(illegal) => self.end = Some(WorkItem::End(Some(format!("{place}{illegal}")))),
            }
        }
        Some(WorkItem::Position(Box::new(LoosePosition::new(session, played))))
    }
}

/// What a record says of its game.
fn head(origin: Origin, record: &Record, number: usize) -> Head {
    let result = match record.outcome() {
        RecordResult::Won(side) => Some(format!("{side} won")),
        RecordResult::Drawn => Some("draw".to_string()),
        RecordResult::Unknown => None,
    };
    Head {
        number,
        origin,
        variant: record.variant(),
        setup: record.setup().map(str::to_string),
        black: record.info(Info::Black),
        white: record.info(Info::White),
        event: record.info(Info::Event),
        date: record.info(Info::Date),
        result,
        variant_is_assumed: record.variant_is_assumed(),
    }
}

impl LoosePosition {
    fn new(session: Box<dyn GameSession>, played: Option<String>) -> Self {
        Self { view: session.view(), session, played }
    }
}

impl WorkItem {
    /// The position that is to be judged, if there is one: that at the end of a game is not.
    pub fn position(&self) -> Option<&LoosePosition> {
        match self {
            Self::Position(position) => Some(&**position).filter(|at| at.played.is_some()),
            Self::Alone(alone) => Some(&alone.position),
            Self::Begin(..) | Self::End(_) | Self::Failure(_) | Self::Nothing(_) => None,
        }
    }
}
