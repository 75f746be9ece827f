//! Reads the games of a text: records, move lists, setups and drawn boards.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::engine::session::GameSession;
use crate::engine::{EngineError, PlayedMove, open};
use crate::game::{Outcome, Variant, Variation};
use crate::games::variant_named;
use crate::options::{Options, variant_names};
use crate::records::items::{TextItem, TextReader};
use crate::records::setups::SetupMoves;
use crate::records::{Annotation, HeaderField, Record, RecordMove, RecordResult};

/// A text to import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportRequest {
    pub text: String,
    /// The name of the variant of games for which neither the text nor the moves determine it.
    pub variant: Option<String>,
}

/// The object after `import`: a text or a part of one.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportPart {
    pub text: String,
    /// The name of the variant of games for which neither the text nor the moves determine it.
    pub variant: Option<String>,
    /// Whether another part follows.
    #[serde(default)]
    pub more: bool,
    /// The number of the part, from 1.
    pub part: Option<NonZeroUsize>,
}

/// A text of which another part is awaited.
pub struct PartialText<T> {
    /// What is read so far.
    pub(super) read: T,
    parts: usize,
}

impl ImportPart {
    /// The text of this part: `before`, of which it may be the next part, or else a `new` one of a variant.
    /// `beginning` is where the client can begin again.
    pub(super) fn continue_text<T>(
        &self,
        before: Option<PartialText<T>>,
        new: impl FnOnce(Option<&'static Variant>) -> T,
        beginning: &str,
    ) -> Result<PartialText<T>, Refusal> {
        let expected = before.as_ref().map_or(1, |text| text.parts + 1);
        match (before, self.part.map(NonZeroUsize::get)) {
            (Some(text), number) if number.is_none_or(|number| number == expected) => {
                Ok(PartialText { parts: expected, ..text })
            }
            (_, None | Some(1)) => {
                let variant = self.variant.as_deref().map(read_variant).transpose()?;
                Ok(PartialText { read: new(variant), parts: 1 })
            }
            (_, Some(found)) => Err(Refusal(format!(
                "part: expected {expected}, found {found}; begin again with {beginning}"
            ))),
        }
    }
}

/// The games of a text.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ImportedText {
    /// The games, at least one. A position is a game without moves.
    pub games: Vec<ImportedGame>,
    /// The first errors in the variations, and in the parts of the text that are not games.
    pub errors: Vec<String>,
}

/// A game that was replayed by the rules.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ImportedGame {
    pub variant: &'static str,
    /// The setup; `None` for the start position of the variant.
    pub setup: Option<String>,
    /// The moves, up to the first that is illegal.
    pub moves: Vec<PlayedMove>,
    /// The variations, each up to its first illegal move.
    pub variations: Vec<Variation<PlayedMove>>,
    pub annotations: Vec<Annotation>,
    /// The name of the Black player.
    pub black: Option<String>,
    pub white: Option<String>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The date, in the notation of the record.
    pub date: Option<String>,
    /// The rules that the record names: options with their values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<&'static str, String>,
    /// Why no rules are read from the header for them, although it has a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_error: Option<String>,
    /// The names and texts of the other headers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// The result according to the record.
    pub result: RecordResult,
    /// How the moves have ended the game by the rules, if they have.
    pub ending: Option<Outcome>,
    /// The first illegal move or syntax error, with its location.
    pub error: Option<String>,
    /// What follows in the lines that have an illegal move or another error, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unplayed: Vec<UnplayedMoves>,
    /// The first illegal move of each variation that has one.
    #[serde(skip)]
    pub variation_errors: Vec<String>,
}

/// The moves of a record from an illegal one on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnplayedMoves {
    /// The line of the last move before them: 0 is the main line, N the Nth variation.
    pub line: usize,
    /// The ply of this move; 0 is before the first one.
    pub ply: usize,
    /// The moves with their comments and variations, as in a book.
    pub text: String,
}

/// The maximum number of reported errors: a text without games may have one on each line.
pub(super) const MOST_ERRORS: usize = 64;

/// Reads the games of a text. The rules are those that a record names, or else those of the options.
pub fn import(request: &ImportRequest, options: &Options) -> Result<ImportedText, Refusal> {
    let variant = request.variant.as_deref().map(read_variant).transpose()?;
    TextImport::new(variant).add(&request.text, true, options)
}

/// Reads the games that are complete with this part of a text, as [`import`] reads them. `pending` has
/// the parts before it, and is empty after the last one or an error.
pub fn import_part(
    pending: &mut Option<PartialText<TextImport>>,
    part: &ImportPart,
    options: &Options,
) -> Result<ImportedText, Refusal> {
    let mut text = part.continue_text(pending.take(), TextImport::new, "part 1")?;
    let games = text.read.add(&part.text, !part.more, options)?;
    *pending = part.more.then_some(text);
    Ok(games)
}

/// The import of a text that may arrive in parts.
pub struct TextImport {
    variant: Option<&'static Variant>,
    text: TextReader,
    games: usize,
    errors: usize,
    /// The first error, which is the reason if there is no game.
    first_error: Option<String>,
}

impl TextImport {
    fn new(variant: Option<&'static Variant>) -> Self {
        let text = TextReader::new(variant, true);
        Self { variant, text, games: 0, errors: 0, first_error: None }
    }

    /// Adds a part, and returns the games that are complete now. An error if the text has none at its end.
    fn add(
        &mut self,
        part: &str,
        is_last: bool,
        options: &Options,
    ) -> Result<ImportedText, Refusal> {
        self.text.add(part.as_bytes())?;
        if is_last {
            self.text.finish();
        }
        let mut text = ImportedText::default();
        while let Some(item) = self.text.next_item() {
            match self.game(item, options) {
                Ok(mut game) => {
                    self.games += 1;
                    text.errors.append(&mut game.variation_errors);
                    text.games.push(game);
                }
                Err(error) => text.errors.push(error),
            }
            text.errors.truncate(MOST_ERRORS - self.errors);
        }
        self.errors += text.errors.len();
        self.first_error = self.first_error.take().or_else(|| text.errors.first().cloned());
        match &self.first_error {
            _ if self.games > 0 || !is_last => Ok(text),
            Some(error) => Err(Refusal(error.clone())),
            None => Err(Refusal::new("no game or position in the text")),
        }
    }

    fn game(&self, item: TextItem, options: &Options) -> Result<ImportedGame, String> {
        match item {
            TextItem::Game(record) => of_record(&record, self.games + 1, options)
                .map_err(|error| format!("line {}: {error}", record.location().line)),
            TextItem::Setup { line, setup } => {
                of_setup(&setup, self.variant.map(|variant| variant.name), options)
                    .map_err(|error| format!("line {line}: {error}"))
            }
            TextItem::Failure(error) => Err(error.to_string()),
        }
    }
}

fn read_variant(name: &str) -> Result<&'static Variant, Refusal> {
    let unknown = || Refusal(format!("variant: expected {}, found '{name}'", variant_names()));
    variant_named(name).ok_or_else(unknown)
}

/// The game of a record, the `number`th of the text.
fn of_record(record: &Record, number: usize, options: &Options) -> Result<ImportedGame, String> {
    let rules = record.rules();
    let mut options = options.clone();
    options.set_rules(&rules);
    let (mut session, setup) = set_up(record.variant(), record.setup(), &options)?;
    let illegal = record.turns().find_map(|(turn, location)| {
        session.play(&turn.text).err().map(|error| format!("{location}: {}", error.for_player()))
    });
    let mut game = ImportedGame::new(&*session, setup);
    add_lines(&mut game, record, number, &*session);
    Ok(ImportedGame {
        black: record.info(HeaderField::Black),
        white: record.info(HeaderField::White),
        event: record.info(HeaderField::Event),
        date: record.info(HeaderField::Date),
        rules_error: record.rules_fault(),
        rules: rules.into_iter().map(|rule| (rule.name, rule.text)).collect(),
        headers: record.other_headers(),
        result: record.outcome(),
        error: illegal.or(record.fault().map(str::to_string)),
        ..game
    })
}

/// Adds the variations and annotations of a record to its game. Moves after an illegal one have
/// neither, and variations without legal moves are left out. Another move in place of an illegal one
/// is a variation.
fn add_lines(
    game: &mut ImportedGame,
    record: &Record,
    game_number: usize,
    session: &dyn GameSession,
) {
    game.annotate(record.start());
    let lines = record.lines();
    let Some((main_line, variations)) = lines.split_first() else { return };
    for (i, mv) in main_line.moves.iter().enumerate().take(game.moves.len()) {
        game.annotate(annotation(0, i + 1, mv));
    }
    let texts = variations.iter().map(|Variation { line, ply, moves }| Variation {
        line: *line,
        ply: *ply,
        moves: moves.iter().map(|mv| mv.turn.text.as_str()).collect(),
    });
    let played = session.variations(&texts.collect::<Vec<_>>());
    let branches = branches(&lines);
    let ply = game.moves.len();
    let text = moves_text(&lines, &branches, 0, ply);
    game.unplayed.extend((!text.is_empty()).then_some(UnplayedMoves { line: 0, ply, text }));
    // The numbers of the lines among those with moves.
    let mut numbers = vec![0];
    for (i, (Variation { line, ply, moves }, (played, error))) in
        variations.iter().zip(played).enumerate()
    {
        let number = game.variations.len() + usize::from(!played.is_empty());
        if let (Some(error), Some(mv)) = (error, moves.get(played.len())) {
            let error = error.for_player();
            let kept = match played.len() {
                0 => "left out".to_string(),
                1 => "its first move is kept".to_string(),
                kept => format!("its first {kept} moves are kept"),
            };
            let place = format!("in a variation of game {game_number} ({kept})");
            let error = format!("{}: {place}, {error}", mv.location);
            game.variation_errors.push(error);
            let line = if played.is_empty() { numbers.get(*line).copied() } else { Some(number) };
            let text = moves_text(&lines, &branches, i + 1, played.len());
            let unplayed = |line| UnplayedMoves { line, ply: ply + played.len() - 1, text };
            game.unplayed.extend(line.map(unplayed));
        }
        for (i, mv) in moves.iter().enumerate().take(played.len()) {
            game.annotate(annotation(number, ply + i, mv));
        }
        if let Some(&line) = numbers.get(*line).filter(|_| !played.is_empty()) {
            game.variations.push(Variation { line, ply: *ply, moves: played });
        }
        numbers.push(number);
    }
}

fn annotation(line: usize, ply: usize, mv: &RecordMove) -> Annotation {
    let RecordMove { comment, glyphs, data, .. } = mv.clone();
    Annotation { line, ply, comment, glyphs, recorded: data }
}

/// The numbers of the lines that leave a line at a ply.
type Branches = BTreeMap<(usize, usize), Vec<usize>>;

fn branches(lines: &[Variation<RecordMove>]) -> Branches {
    let mut branches = Branches::new();
    for (number, &Variation { line, ply, .. }) in lines.iter().enumerate().skip(1) {
        branches.entry((line, ply)).or_default().push(number);
    }
    branches
}

/// The moves of a line after its first `from` ones, with comments in braces and variations in
/// parentheses. The variations in place of the first of these moves are not part of it.
fn moves_text(
    lines: &[Variation<RecordMove>],
    branches: &Branches,
    line: usize,
    from: usize,
) -> String {
    enum Part {
        Move(usize, usize),
        Close,
    }
    let mut text = String::new();
    // Without recursion, however deep the variations are nested.
    let mut parts = vec![Part::Move(line, from)];
    while let Some(part) = parts.pop() {
        let Part::Move(number, at) = part else {
            text.push(')');
            continue;
        };
        let Some((ply, mv)) =
            lines.get(number).and_then(|line| Some((line.ply, line.moves.get(at)?)))
        else {
            continue;
        };
        if !text.is_empty() {
            text += if at == 0 { " (" } else { " " };
        }
        text += &mv.text();
        parts.push(Part::Move(number, at + 1));
        let is_first = (number, at) == (line, from);
        let others = branches.get(&(number, ply + at)).filter(|_| !is_first);
        for &other in others.into_iter().flatten().rev() {
            parts.extend([Part::Close, Part::Move(other, 0)]);
        }
    }
    text
}

fn of_setup(
    played: &SetupMoves,
    default_variant: Option<&'static str>,
    options: &Options,
) -> Result<ImportedGame, String> {
    let variant = played.variant(default_variant).name;
    let (mut session, setup) = set_up(variant, played.setup.as_deref(), options)?;
    let error = played.moves.iter().find_map(|mv| session.play(mv).err());
    let error = error.map(|error| error.for_player());
    let game = ImportedGame::new(&*session, setup);
    let ply = game.moves.len();
    let rest = played.moves.get(ply..).filter(|rest| !rest.is_empty());
    let rest = rest.map(|rest| UnplayedMoves { line: 0, ply, text: rest.join(" ") });
    Ok(ImportedGame { error, unplayed: rest.into_iter().collect(), ..game })
}

/// A game without moves, and its setup if it is not the start position of the variant.
pub(super) fn set_up(
    variant: &'static str,
    setup: Option<&str>,
    options: &Options,
) -> Result<(Box<dyn GameSession>, Option<String>), String> {
    let mut options = options.clone();
    options.variant = variant;
    let start = || -> Result<_, EngineError> {
        let mut session = open(&options)?;
        let start_setup = session.start();
        session.set_position(setup, &[])?;
        let setup = Some(session.start()).filter(|setup| *setup != start_setup);
        Ok((session, setup))
    };
    start().map_err(|error| error.to_string())
}

impl ImportedGame {
    /// The moves of a session, without annotations and headers.
    pub(super) fn new(session: &dyn GameSession, setup: Option<String>) -> Self {
        Self {
            variant: session.variant().name,
            setup,
            moves: session.history(),
            ending: session.outcome(),
            ..Self::default()
        }
    }

    /// Adds an annotation, unless there is nothing in it.
    fn annotate(&mut self, mut annotation: Annotation) {
        annotation.recorded.text = annotation.recorded.to_string();
        let Annotation { line, ply, .. } = annotation;
        if annotation != (Annotation { line, ply, ..Annotation::default() }) {
            self.annotations.push(annotation);
        }
    }
}
