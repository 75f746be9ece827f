//! A game at the console: the board, the sides that the engine plays, and the commands.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::board;
use super::command::{self, ConsoleCommand, HELP};
use super::error::ConsoleError;
use super::files::{LoadError, LoadedGame, ReadRecord, Saved, SavedGame, read};
use super::learn::Course;
use super::open::ConsoleSettings;
use super::player::{self, ConsoleEngine, LIMIT_RULE, MOVE_LIMIT};
use soucie::analysis::hint::Hint;
use soucie::engine::EngineError;
use soucie::engine::uci_score::UciScore;
use soucie::files::printable::plural;
use soucie::game::bitboard::Square;
use soucie::game::{Board, Outcome, Piece, RuleSetting, Side};
use soucie::records::setups::SetupMoves;

const MOVES_PER_LINE: usize = 12;

/// The highest limit of moves, that of the option `Move Limit`.
const LONGEST_LIMIT: u16 = 10_000;

const PASS: &str = "0000";

/// The end of a game: the winner, if any, and the reason.
type GameEnd = (Option<Side>, &'static str);

/// A board edited square by square. It need not be a legal position.
struct Draft {
    squares: Board,
    next: Side,
    /// Whether the board was rejected as a position.
    is_rejected: bool,
}

/// The position, or the edited board.
struct Shown {
    board: Board,
    side: Side,
    plies: usize,
    outcome: Option<Outcome>,
}

/// A game between the user and the engine, with the output.
pub struct ConsoleGame<W> {
    player: ConsoleEngine,
    variant: &'static str,
    output: W,
    engine_sides: Vec<Side>,
    limit: u16,
    /// The rules that the loaded record names.
    rules: Vec<RuleSetting>,
    /// The end by resignation or agreement.
    agreed: Option<GameEnd>,
    announced: Option<GameEnd>,
    /// The edited board, until it becomes the position.
    draft: Option<Draft>,
    /// Whether to show the board before every typed move.
    shows_board: bool,
    /// The board shown last, with the side to move and the ply count.
    shown: Option<(Board, Side, usize)>,
    saved: Saved,
    read: Option<ReadRecord>,
    /// The course of the rules, while it lasts.
    course: Option<Course>,
}

impl<W: Write> ConsoleGame<W> {
    pub fn new(player: ConsoleEngine, settings: &ConsoleSettings, output: W) -> Self {
        Self {
            variant: player.engine.options().variant,
            player,
            output,
            engine_sides: vec![Side::White],
            limit: MOVE_LIMIT,
            rules: Vec::new(),
            agreed: None,
            announced: None,
            draft: None,
            // A task is about the board.
            shows_board: settings.board || settings.learn,
            shown: None,
            saved: Saved::default(),
            read: None,
            course: None,
        }
    }

    /// The warnings of the engine that were not taken before.
    pub fn take_warnings(&mut self) -> Vec<EngineError> {
        self.player.engine.take_warnings()
    }

    pub fn write_line(&mut self, line: &str) -> io::Result<()> {
        self.write_text(&format!("{line}\n"))
    }

    pub fn write_text(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Begins a session at a terminal. `interrupted` is set by Ctrl-C.
    pub fn greet(
        &mut self,
        interrupted: Arc<AtomicBool>,
        settings: &ConsoleSettings,
    ) -> io::Result<()> {
        self.player.interrupted = Some(interrupted);
        let strength = match settings.strength.elo {
            Some(elo) => format!("{elo} Elo"),
            None => format!("level {}", settings.strength.level.unwrap_or_default()),
        };
        if settings.learn {
            return Ok(());
        }
        self.write_line(&format!(
            "You play Black, the engine White ({strength}). The game is a tie after {} moves of each \
             side.\n{}help for all commands.",
            self.limit,
            if self.shows_board { "Type " } else { "Type board on to see the board, " },
        ))
    }

    /// Begins with the lessons of the rules.
    pub fn learn(&mut self) -> io::Result<()> {
        self.course = Course::begin(&mut self.player.engine).map_err(io::Error::other)?;
        match &self.course {
            Some(course) => {
                let text = format!("{}\nType a move, hint, skip, or new to play.", course.task());
                self.write_line(&text)
            }
            None => self.write_line("This game has no lessons."),
        }
    }

    /// Returns the prompt, after the board is written if it is switched on.
    pub fn prompt(&mut self) -> io::Result<String> {
        let view = self.view();
        if self.shows_board {
            self.show_board(&view)?;
        }
        Ok(match self.end(&view) {
            Some(_) => "> ".to_string(),
            None => format!("{}> ", view.side),
        })
    }

    fn view(&self) -> Shown {
        match &self.draft {
            None => self.position(),
            &Some(Draft { squares, next, .. }) => {
                Shown { board: squares, side: next, plies: 0, outcome: None }
            }
        }
    }

    fn position(&self) -> Shown {
        let game = self.player.engine.session();
        let (board, outcome) = (game.board(), game.outcome());
        Shown { board, side: game.side(), plies: game.plies(), outcome }
    }

    /// Plays the engine's moves and forced passes until the user is to move or the game is over.
    /// Announces the end of the game. The outer error is one of writing.
    pub fn play_engine_moves(&mut self) -> io::Result<Result<(), ConsoleError>> {
        if let Some(draft) = &self.draft {
            if draft.is_rejected || !self.engine_sides.contains(&draft.next) {
                return Ok(Ok(()));
            }
            if let Err(error) = self.apply_draft() {
                return Ok(Err(error));
            }
        }
        if self.course.is_some() {
            return Ok(Ok(()));
        }
        loop {
            let view = self.position();
            if let Some(end) = self.end(&view) {
                return self.announce(end).map(Ok);
            }
            self.announced = None;
            if self.player.is_interrupted() && self.engine_sides.len() == Side::BOTH.len() {
                return self.pause().map(Ok);
            }
            let mv = if self.player.engine.session().legal_moves() == [PASS] {
                self.write_line(&format!("{} cannot move and passes.", view.side))?;
                PASS.to_string()
            } else if self.engine_sides.contains(&view.side) {
                let mv = self.player.find_move().map_err(io::Error::other)?;
                self.write_line(&format!("* {}", display_move(&mv)))?;
                mv
            } else {
                return Ok(Ok(()));
            };
            self.player.engine.play(&mv).map_err(io::Error::other)?;
            // Otherwise a prompt follows, which shows the board.
            if self.shows_board && self.engine_sides.len() == Side::BOTH.len() {
                self.show_board(&self.position())?;
            }
        }
    }

    /// Makes the edited board the position.
    fn apply_draft(&mut self) -> Result<(), ConsoleError> {
        let Some(draft) = &mut self.draft else { return Ok(()) };
        draft.is_rejected = true;
        self.player.engine.set_board(&draft.squares, draft.next).map_err(|error| match error {
            EngineError::Setup(why) => ConsoleError::Board(why),
            error => error.into(),
        })?;
        (self.draft, self.agreed, self.announced) = (None, None, None);
        (self.saved, self.read) = (Saved::default(), None);
        Ok(())
    }

    /// Ensures that there is a position in which the game is not over.
    fn require_running_game(&mut self) -> Result<(), ConsoleError> {
        self.apply_draft()?;
        if self.end(&self.position()).is_some() { Err(ConsoleError::Over) } else { Ok(()) }
    }

    /// The same, and that this is no lesson.
    fn require_game(&mut self) -> Result<(), ConsoleError> {
        if self.course.is_some() {
            Err(ConsoleError::InLesson)
        } else {
            self.require_running_game()
        }
    }

    /// The end of the game, if it is over. The console checks the move limit itself, because not
    /// every game has such a rule.
    fn end(&self, view: &Shown) -> Option<GameEnd> {
        let ending = view.outcome.map(|ending| (ending.winner, ending.reason.text)).or(self.agreed);
        let too_long = self.moves_by_each(view) >= self.limit.into();
        ending.or_else(|| too_long.then_some((None, "the move limit is reached")))
    }

    /// The number of moves that both sides have made.
    fn moves_by_each(&self, view: &Shown) -> u64 {
        view.plies as u64 / 2
    }

    /// Announces the end of the game, once.
    fn announce(&mut self, end: GameEnd) -> io::Result<()> {
        if self.announced == Some(end) {
            return Ok(());
        }
        self.announced = Some(end);
        match end {
            (Some(winner), _) => self.write_line(&format!("* {winner} wins.")),
            (None, reason) => self.write_line(&format!("Draw: {reason}.\n* Tie game.")),
        }
    }

    /// Ends a game of the engine against itself, which would go on after the next command.
    fn pause(&mut self) -> io::Result<()> {
        self.engine_sides.clear();
        self.write_line("The engine now plays no side; auto black and auto white go on.")
    }

    /// Executes a command. The outer error is one of writing.
    pub fn execute(&mut self, command: ConsoleCommand) -> io::Result<Result<(), ConsoleError>> {
        let reply = match command {
            ConsoleCommand::Nothing | ConsoleCommand::Quit => Ok(None),
            ConsoleCommand::Help => Ok(Some(HELP.to_string())),
            ConsoleCommand::Rules => Ok(Some(self.rules())),
            ConsoleCommand::Dump => Ok(Some(dump(&self.view()))),
            ConsoleCommand::Board(None) => {
                self.shown = None;
                return self.show_board(&self.view()).map(Ok);
            }
            ConsoleCommand::Board(Some(shows_board)) => {
                (self.shows_board, self.shown) = (shows_board, None);
                Ok(None)
            }
            ConsoleCommand::Move(text) if self.course.is_some() => self.answer(&text).map(Some),
            ConsoleCommand::Skip => self.skip().map(Some),
            ConsoleCommand::Move(text) => self.play(text).map(|()| None),
            ConsoleCommand::Moves => self.list_moves().map(Some),
            ConsoleCommand::Hint => self.hint().map(Some),
            ConsoleCommand::New => self.start_game().map(|()| None),
            ConsoleCommand::Resign => self.resign().map(|()| None),
            ConsoleCommand::Draw => self.offer_draw(),
            ConsoleCommand::Automatic(side, is_automatic) => {
                self.engine_sides.retain(|&player| player != side);
                self.engine_sides.extend(is_automatic.then_some(side));
                if let Some(draft) = &mut self.draft {
                    draft.is_rejected = false;
                }
                Ok(None)
            }
            ConsoleCommand::Level(level) => {
                self.player.engine.set_level(level, None).map_err(ConsoleError::from).map(|()| None)
            }
            ConsoleCommand::Seed(seed) => {
                self.player.seed = Some(seed);
                Ok(None)
            }
            ConsoleCommand::Limit(moves) => self.set_limit(moves).map(|()| None),
            ConsoleCommand::Undo(plies) => self.undo(plies).map(Some),
            ConsoleCommand::Set { square, piece, next } => {
                self.set_square(&square, piece, next).map(|()| None)
            }
            ConsoleCommand::Load(name) => self.load(&name).map(Some),
            ConsoleCommand::Save(name) => self.save(&name).map(Some),
        };
        Ok(match reply {
            Ok(Some(text)) => return self.write_line(&text).map(Ok),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        })
    }

    /// The rules of the game, and how the console differs from them.
    fn rules(&self) -> String {
        let engine = &self.player.engine;
        let limit = plural(self.limit, "move", "moves");
        // A loaded record may have this rule.
        let repetition = match engine.options().rule("Repetition Draw") {
            Some(0) => "repetition does not end a game; it",
            _ => "a game",
        };
        let rules = engine.variant().rules;
        format!("{rules}In the console {repetition} is a tie after {limit} of each side.")
    }

    fn play(&mut self, text: String) -> Result<(), ConsoleError> {
        self.require_running_game()?;
        Ok(self.player.engine.play(&text)?)
    }

    /// Judges a move in a lesson.
    fn answer(&mut self, mv: &str) -> Result<String, ConsoleError> {
        let Some(course) = &mut self.course else { return Err(ConsoleError::NoLesson) };
        let (text, goes_on) = course.answer(&mut self.player.engine, mv)?;
        self.after_lesson(goes_on)?;
        Ok(text)
    }

    /// Goes to the next lesson.
    fn skip(&mut self) -> Result<String, ConsoleError> {
        let course = self.course.as_mut().ok_or(ConsoleError::NoLesson)?;
        let (text, goes_on) = course.next(&mut self.player.engine)?;
        self.after_lesson(goes_on)?;
        Ok(text)
    }

    /// Shows the board of the lesson again, or begins a game after the last one.
    fn after_lesson(&mut self, goes_on: bool) -> Result<(), ConsoleError> {
        self.shown = None;
        if goes_on { Ok(()) } else { self.start_game() }
    }

    fn list_moves(&mut self) -> Result<String, ConsoleError> {
        self.require_running_game()?;
        let moves = self.player.engine.session().legal_moves();
        let moves: Vec<String> = moves.iter().map(|mv| display_move(mv)).collect();
        let lines: Vec<String> = moves.chunks(MOVES_PER_LINE).map(|line| line.join(" ")).collect();
        Ok(lines.join("\n"))
    }

    /// The move that the engine would play at full strength, and why.
    fn hint(&mut self) -> Result<String, ConsoleError> {
        if let Some(course) = &self.course {
            return Ok(format!("Hint: {}", display_move(course.solution())));
        }
        self.require_running_game()?;
        let Hint { mv, reason, .. } = self.player.find_hint()?;
        Ok(format!("Hint: {} {reason}.", display_move(&mv.standard)))
    }

    /// The side to move, which is the user's at a prompt, gives up the game.
    fn resign(&mut self) -> Result<(), ConsoleError> {
        self.require_game()?;
        self.agreed = Some((Some(!self.player.engine.session().side()), "resignation"));
        Ok(())
    }

    /// Offers a draw to the other side. The engine accepts it unless it stands better.
    fn offer_draw(&mut self) -> Result<Option<String>, ConsoleError> {
        self.require_game()?;
        if self.engine_sides.contains(&!self.player.engine.session().side()) {
            let stands_better = match self.player.find_hint()?.score {
                UciScore::Centipawns(score) => score < 0,
                UciScore::Mate(moves) => moves <= 0,
            };
            if stands_better {
                return Ok(Some("The engine declines the draw.".to_string()));
            }
        }
        self.agreed = Some((None, "both sides agree"));
        Ok(None)
    }

    fn undo(&mut self, plies: usize) -> Result<String, ConsoleError> {
        if self.draft.is_some() {
            return Err(EngineError::TooFewMoves(plies).into());
        }
        if self.agreed.take().is_some() {
            return Ok("The game goes on.".to_string());
        }
        let moves = self.player.engine.session().history();
        self.player.engine.take_back(plies)?;
        let taken = moves.iter().rev().take(plies).map(|played| display_move(&played.mv.standard));
        let taken: Vec<String> = taken.collect();
        Ok(format!("Taken back: {}.", taken.join(", ")))
    }

    fn start_game(&mut self) -> Result<(), ConsoleError> {
        self.rules.clear();
        self.player.engine.set_rules(&player::rules(self.limit, &[]))?;
        self.player.engine.set_position(None, &[])?;
        (self.draft, self.agreed, self.read, self.course) = (None, None, None, None);
        self.saved = Saved::default();
        Ok(self.player.engine.new_game()?)
    }

    fn set_square(
        &mut self,
        square: &str,
        piece: Option<Piece>,
        next: Side,
    ) -> Result<(), ConsoleError> {
        let number = square.parse().ok().filter(|_| self.player.engine.variant().is_numbered);
        let named = number.and_then(Square::numbered).or_else(|| Square::read(square.as_bytes()));
        let named = named.ok_or_else(|| ConsoleError::Square(square.to_string()))?;
        let is_light = (named.file() + named.rank()) % 2 != 0;
        if piece.is_some() && self.player.engine.variant().is_numbered && is_light {
            return Err(ConsoleError::LightSquare(named));
        }
        if piece.is_some_and(|piece| piece.kind >= self.player.engine.session().kinds().len()) {
            return Err(ConsoleError::Piece);
        }
        let mut squares = self.view().board;
        let row = squares.get_mut(7 - named.rank() as usize);
        if let Some(cell) = row.and_then(|row| row.get_mut(named.file() as usize)) {
            *cell = piece;
        }
        self.course = None;
        self.draft = Some(Draft { squares, next, is_rejected: false });
        Ok(())
    }

    fn set_limit(&mut self, moves: u64) -> Result<(), ConsoleError> {
        let made = self.moves_by_each(&self.view());
        let limit =
            u16::try_from(moves).ok().filter(|&limit| moves > made && limit <= LONGEST_LIMIT);
        let most = LONGEST_LIMIT.into();
        let limit = limit.ok_or(ConsoleError::Limit { least: made + 1, most })?;
        // Makes the search respect the limit, in games that have such a rule.
        self.player.engine.set_option(LIMIT_RULE, Some(&limit.to_string()))?;
        self.limit = limit;
        Ok(())
    }

    fn load(&mut self, name: &str) -> Result<String, ConsoleError> {
        self.course = None;
        let LoadedGame { played, record, rules, notes, is_first } = read(name, self.variant)?;
        let SetupMoves { setup, moves } = played;
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let limit = rules.iter().find(|rule| rule.name == LIMIT_RULE && rule.value > 0);
        let limit = limit.map_or(self.limit, |rule| rule.value);
        let engine = &mut self.player.engine;
        engine.set_rules(&player::rules(limit, &rules))?;
        if let Err(error) = engine.set_position(setup.as_deref(), &moves) {
            engine.set_rules(&player::rules(self.limit, &self.rules))?;
            return Err(LoadError::Unreadable(error.to_string()).into());
        }
        (self.limit, self.rules) = (limit, rules);
        (self.draft, self.agreed, self.announced) = (None, None, None);
        self.saved = Saved::default();
        let of = if is_first { " of the first game of the file" } else { "" };
        let mut text = format!("Loaded {}{of}.", plural(moves.len() as u64, "move", "moves"));
        text.extend(notes.iter().map(|note| format!("\n{note}.")));
        let moves = self.player.engine.session().history();
        self.read = record.map(|record| ReadRecord { record, moves });
        Ok(text)
    }

    fn save(&mut self, name: &str) -> Result<String, ConsoleError> {
        self.apply_draft()?;
        let game = SavedGame {
            engine_sides: &self.engine_sides,
            end: self.end(&self.position()),
            is_resigned: self.agreed.is_some_and(|(winner, _)| winner.is_some()),
            read: self.read.as_ref().filter(|_| self.agreed.is_none()),
        };
        Ok(self.saved.write(name, &self.player.engine, &game)?)
    }

    /// Shows the board for the user, unless it was shown already.
    fn show_board(&mut self, view: &Shown) -> io::Result<()> {
        let seen = (view.board, view.side, view.plies);
        if self.shown == Some(seen) {
            return Ok(());
        }
        self.shown = Some(seen);
        self.write_line(&board::diagram(&view.board, self.player.engine.variant().is_numbered))
    }
}

/// The board between its markers, for scripts.
fn dump(view: &Shown) -> String {
    let mut text = String::from("===\n");
    for rank in view.board {
        let rank = rank.map(|square| format!(" {}", command::letter(square)));
        text += &format!("   {}\n", rank.concat());
    }
    let next = view.side.to_string().to_lowercase();
    format!("{text}Next move: {next}\n===")
}

/// A move as the console prints it: squares are always separated by `-`.
fn display_move(mv: &str) -> String {
    let in_squares = mv.starts_with(|c: char| c.is_ascii_alphabetic());
    if in_squares { mv.replace('x', "-") } else { mv.to_string() }
}
