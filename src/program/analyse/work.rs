//! Reads the games and positions of the input and splits them into steps.

use std::{io, iter};

use super::settings::AnalyseSettings;
use crate::arguments;
use crate::arguments::{Source, open_source, tablebases};
use crate::error::CommandError;
use soucie::analysis::game::{ReplayedPosition, Step, Steps, game_steps};
use soucie::analysis::report::{GameHead, InputError, InputOrigin};
use soucie::engine::game_file::Evaluator;
use soucie::engine::session::GameSession;
use soucie::engine::{EngineError, open_with};
use soucie::files::paths::Endpoint;
use soucie::game::{MoveFormat, RuleSetting};
use soucie::games;
use soucie::games::Tablebases;
use soucie::options::{Options, Scope};
use soucie::records::items::{self, TextItem};
use soucie::records::setups::SetupMoves;
use soucie::records::{Record, RecordError};

/// The options and resources for reading the input.
pub struct Replayer {
    /// The rule options, and the variant unless it is guessed.
    pub options: Options,
    /// The options that were given, which override the rules that a record names.
    pub given: Vec<(String, String)>,
    pub guess: bool,
    pub tablebases: Tablebases,
    /// The evaluation: networks or the handcrafted evaluation.
    pub evaluator: Evaluator,
}

impl Replayer {
    /// The options and resources that the settings name.
    pub fn new(settings: &AnalyseSettings) -> Result<Self, CommandError> {
        let given = settings.game.options.clone();
        let options = Options::of(settings.game.variant.as_deref(), &given, Scope::Evaluation)?;
        let tablebases = tablebases(&options, settings.default_tables.as_deref())?;
        let guess = settings.game.variant.is_none();
        let variant = Some(options.variant).filter(|_| !guess);
        let evaluator = arguments::evaluator(&options.eval_file, variant)?;
        Ok(Self { options, given, guess, tablebases, evaluator })
    }

    /// The variant, unless it is guessed.
    pub fn variant(&self) -> Option<&'static str> {
        Some(self.options.variant).filter(|_| !self.guess)
    }

    /// The steps of an item of the input, whose number is `number`.
    pub fn steps(&self, origin: InputOrigin, item: TextItem, number: usize) -> Steps {
        let (origin, steps) = match item {
            TextItem::Game(record) => (origin.clone(), self.game(origin, record, number)),
            TextItem::Setup { setup, .. } => (origin.clone(), self.setup(origin, setup, number)),
            TextItem::Failure(RecordError { location, fault }) => {
                let column = Some(location.column).filter(|column| *column > 0);
                (InputOrigin { column, ..origin }, Err(fault.to_string()))
            }
        };
        steps.unwrap_or_else(|error| {
            Box::new(iter::once(Step::Failure(InputError { origin, error })))
        })
    }

    fn game(
        &self,
        origin: InputOrigin,
        record: Box<Record>,
        number: usize,
    ) -> Result<Steps, String> {
        let head = GameHead::new(origin, &record, number);
        let start = self.start(head.variant, head.setup.as_deref(), &record.rules());
        let start = start.map_err(|error| error.to_string())?;
        if !self.is_wanted(head.variant, &*start) {
            let (found, wanted) = (head.variant, self.options.variant);
            return Err(format!("expected a game of {wanted} (--variant), found {found}"));
        }
        let moves = record.turns();
        let moves = moves.map(|(turn, location)| (turn.text.clone(), format!("{location}: ")));
        let moves = moves.collect();
        Ok(game_steps(head, Some(record), start, moves))
    }

    /// Whether the session plays the game of `--variant`; true if the variant is guessed.
    fn is_wanted(&self, variant: &str, session: &dyn GameSession) -> bool {
        let wanted = || self.start(self.options.variant, None, &[]);
        self.guess
            || self.options.variant == variant
            || wanted().is_ok_and(|wanted| wanted.game() == session.game())
    }

    /// Opens a game under the rules of a record, with moves in coordinate notation.
    fn start(
        &self,
        variant: &'static str,
        setup: Option<&str>,
        rules: &[RuleSetting],
    ) -> Result<Box<dyn GameSession>, EngineError> {
        let mut options = self.options.clone();
        if !rules.is_empty() {
            options.set_rules(rules);
            options.set_within(&self.given, Scope::Evaluation)?;
        }
        (options.variant, options.move_format) = (variant, MoveFormat::Coordinate);
        let mut session = open_game(&options, &self.tablebases, &self.evaluator)?;
        session.set_position(setup, &[])?;
        Ok(session)
    }

    /// Sets up a position, and replays the moves after it if there are any.
    fn setup(
        &self,
        origin: InputOrigin,
        played: SetupMoves,
        number: usize,
    ) -> Result<Steps, String> {
        let variant = if self.guess { played.variant(None).name } else { self.options.variant };
        let SetupMoves { setup, moves } = played;
        let start = self.start(variant, setup.as_deref(), &[]);
        let start = start.map_err(|error| error.to_string())?;
        if moves.is_empty() {
            let position = ReplayedPosition::new(&*start);
            return Ok(Box::new(iter::once(Step::Position(number, origin, position))));
        }
        let head = GameHead { number, origin, variant, setup, ..GameHead::default() };
        // An illegal move is reported by the replay of the game.
        let moves = moves.into_iter().map(|mv| (mv, String::new())).collect();
        Ok(game_steps(head, None, start, moves))
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

/// Games, setups and text that cannot be read, with their origins.
type InputItems = Box<dyn Iterator<Item = (InputOrigin, TextItem)> + Send>;

/// The items of all sources, in order. All files are opened at once, so that a missing one is
/// reported before the analysis starts. `on_empty` gets the name of a source without any item.
pub fn items<F: Fn(&str) + Clone + Send + 'static>(
    settings: &AnalyseSettings,
    variant: Option<&'static str>,
    on_empty: F,
) -> io::Result<impl Iterator<Item = (InputOrigin, TextItem)> + Send + use<F>> {
    let several = settings.files.len() > 1;
    let open = |source: &Endpoint| {
        let (name, on_empty) = (source.to_string(), on_empty.clone());
        let file = (several && *source != Endpoint::Stdin).then(|| name.clone());
        let mut items = open_source(source, |text| read(text, file, variant))?;
        let mut is_empty = true;
        Ok(iter::from_fn(move || {
            let item = items.next();
            if item.is_none() && is_empty {
                on_empty(&name);
            }
            is_empty = false;
            item
        }))
    };
    let sources: Vec<_> = settings.files.iter().map(open).collect::<io::Result<_>>()?;
    Ok(sources.into_iter().flatten())
}

/// The items of a text.
///
/// `file` is the file name for error messages and reports; `None` if it is the only input.
fn read(
    source: Source,
    file: Option<String>,
    variant: Option<&'static str>,
) -> io::Result<InputItems> {
    let variant = variant.and_then(games::variant);
    Ok(Box::new(items::items(source, variant)?.map(move |item| {
        let (file, line) = (file.clone(), item.line());
        (InputOrigin { file, line, ..InputOrigin::default() }, item)
    })))
}
