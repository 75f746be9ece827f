//! Splits the input into positions: games are replayed move by move, setups are read.

use std::borrow::Cow;
use std::iter;

use super::input::InputItem;
use crate::analysis::replay::{Replay, ReplayedPosition};
use crate::analysis::report::{GameHead, InputError, InputOrigin, result_text};
use crate::engine::evaluator::Evaluator;
use crate::engine::session::GameSession;
use crate::engine::{EngineError, Tablebases, open_with};
use crate::game::MoveFormat;
use crate::options::Options;
use crate::records::setups::SetupMoves;
use crate::records::{HeaderField, Record};

/// A step of the analysis: part of a game, a single position or a failure.
pub enum WorkItem {
    /// The start of a game.
    Begin(Box<GameHead>, Option<Box<Record>>),
    /// A position of the game. It is analysed if a move was played in it: otherwise the game ends.
    Position(Box<ReplayedPosition>),
    /// A single position to analyse.
    SinglePosition(Box<SinglePosition>),
    /// Unreadable input.
    Failure(InputError),
    /// A source without any game or position, by name.
    Nothing(String),
}

/// The work items of an input item, created lazily.
pub type WorkItems = Box<dyn Iterator<Item = WorkItem> + Send>;

/// A single position that is not part of a game.
pub struct SinglePosition {
    /// The number in the input, from 1.
    pub number: usize,
    /// The location in the input.
    pub origin: InputOrigin,
    /// The name of the variant.
    pub variant: &'static str,
    /// The position.
    pub position: ReplayedPosition,
}

/// The options and resources for reading the input.
pub struct Replayer {
    /// The rule options, and the variant unless it is guessed.
    pub options: Options,
    /// Whether to guess the variant.
    pub guess: bool,
    /// The endgame tables.
    pub tablebases: Tablebases,
    /// The evaluation: networks or the handcrafted evaluation.
    pub evaluator: Evaluator,
}

impl Replayer {
    /// The work items of an input item, whose number in the input is `number`.
    pub fn work_items(&self, item: InputItem, number: usize) -> WorkItems {
        match item {
            InputItem::Failure(failure) => one(WorkItem::Failure(failure)),
            InputItem::Nothing(name) => one(WorkItem::Nothing(name)),
            InputItem::Game(origin, record) => self.game(origin, record, number),
            InputItem::Setup { origin, text } => self.setup(origin, &text, number),
        }
    }

    fn game(&self, origin: InputOrigin, record: Box<Record>, number: usize) -> WorkItems {
        let head = head(origin, &record, number);
        match self.start(head.variant, head.setup.as_deref()) {
            Ok(start) if !self.is_wanted(head.variant, &*start) => {
                let (found, wanted) = (head.variant, self.options.variant);
                let error = format!("expected a game of {wanted} (--variant), found {found}");
                one(WorkItem::Failure(InputError { origin: head.origin, error }))
            }
            Ok(start) => {
                let moves = record
                    .turns()
                    .map(|(turn, location)| (turn.text.clone(), format!("{location}: ")))
                    .collect();
                replay(head, Some(record), start, moves)
            }
            Err(error) => {
                let error = error.to_string();
                one(WorkItem::Failure(InputError { origin: head.origin, error }))
            }
        }
    }

    /// Whether the session plays the game of `--variant`; true if the variant is guessed.
    fn is_wanted(&self, variant: &str, session: &dyn GameSession) -> bool {
        let wanted = || self.start(self.options.variant, None);
        self.guess
            || self.options.variant == variant
            || wanted().is_ok_and(|wanted| wanted.game() == session.game())
    }

    /// Opens a game, with moves in standard notation.
    pub fn start(
        &self,
        variant: &'static str,
        setup: Option<&str>,
    ) -> Result<Box<dyn GameSession>, EngineError> {
        let mut options = self.options.clone();
        (options.variant, options.move_format) = (variant, MoveFormat::Standard);
        let mut session = open_game(&options, &self.tablebases, &self.evaluator)?;
        session.set_position(setup, &[])?;
        Ok(session)
    }

    /// Reads a setup, optionally followed by moves: `startpos moves ...`, `fen F moves ...`.
    fn setup(&self, origin: InputOrigin, text: &str, number: usize) -> WorkItems {
        let played = match SetupMoves::read(text) {
            Ok(played) => played,
            Err(error) => {
                return one(WorkItem::Failure(InputError { origin, error: error.to_string() }));
            }
        };
        let variant = if self.guess { played.variant(None).name } else { self.options.variant };
        let SetupMoves { setup, moves } = played;
        // An illegal move is reported by the replay of the game, not here.
        match self.start(variant, setup.as_deref()) {
            Err(error) => one(WorkItem::Failure(InputError { origin, error: error.to_string() })),
            Ok(position) if moves.is_empty() => {
                let position = ReplayedPosition::new(&*position);
                one(WorkItem::SinglePosition(Box::new(SinglePosition {
                    number,
                    origin,
                    variant,
                    position,
                })))
            }
            Ok(start) => {
                let setup = setup.map(Cow::into_owned);
                let head = GameHead { number, origin, variant, setup, ..GameHead::default() };
                let moves = moves.into_iter().map(|mv| (mv.to_string(), String::new())).collect();
                replay(head, None, start, moves)
            }
        }
    }
}

/// Opens a game at the start position of the variant of `options`.
pub fn open_game(
    options: &Options,
    tablebases: &Tablebases,
    evaluator: &Evaluator,
) -> Result<Box<dyn GameSession>, EngineError> {
    let mut session = open_with(options, tablebases)?;
    session.set_network(evaluator.network(options, session.game()));
    session.set_format(options.move_format);
    Ok(session)
}

fn one(item: WorkItem) -> WorkItems {
    Box::new(iter::once(item))
}

/// Replays a game. Each move comes with the prefix of its error message, the location in the record.
fn replay(
    head: GameHead,
    record: Option<Box<Record>>,
    start: Box<dyn GameSession>,
    moves: Vec<(String, String)>,
) -> WorkItems {
    let fault = record.as_ref().and_then(|record| record.fault()).map(str::to_string);
    let positions = Replay::new(start, moves, fault);
    let positions = positions.map(|position| WorkItem::Position(Box::new(position)));
    Box::new(iter::once(WorkItem::Begin(Box::new(head), record)).chain(positions))
}

/// The head of a game, from the tags of its record.
fn head(origin: InputOrigin, record: &Record, number: usize) -> GameHead {
    GameHead {
        number,
        origin,
        variant: record.variant(),
        setup: record.setup().map(str::to_string),
        black: record.info(HeaderField::Black),
        white: record.info(HeaderField::White),
        event: record.info(HeaderField::Event),
        date: record.info(HeaderField::Date),
        result: result_text(record.outcome()),
        variant_is_assumed: record.variant_is_assumed(),
    }
}

impl WorkItem {
    /// The position to analyse, if any. The final position of a game is not analysed.
    pub fn position(&self) -> Option<&ReplayedPosition> {
        match self {
            Self::Position(position) => Some(&**position).filter(|at| at.played.is_some()),
            Self::SinglePosition(alone) => Some(&alone.position),
            Self::Begin(..) | Self::Failure(_) | Self::Nothing(_) => None,
        }
    }
}
