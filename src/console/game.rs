//! A game at the console: the board, the sides that the engine plays, and the commands.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::board;
use super::command::{self, ConsoleCommand, HELP};
use super::error::ConsoleError;
use super::load::{self, LoadError, LoadedGame};
use super::save::{ReadRecord, Saved, SavedGame};
use super::settings::ConsoleSettings;
use crate::engine::event::{Disconnected, Event};
use crate::engine::session::{Board, Outcome, Piece, Square};
use crate::engine::uci_score::UciScore;
use crate::engine::{
    Engine, EngineError, LIMIT_STRENGTH, Limits, MOVE_FORMAT, Side, TABLE_PATH, VARIANT,
    default_tables,
};
use crate::records::setups::SetupMoves;

/// The default maximum number of moves of each side.
const MOVE_LIMIT: u64 = 60;

/// The node limit of the engine's moves when a seed is set. A time limit would make the moves
/// depend on the machine and its load.
const SEEDED_NODES: u64 = 100_000;

/// How often a search looks for Ctrl-C.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);

/// The number of moves per line in the output of `moves`.
const MOVES_PER_LINE: usize = 12;

/// The highest limit of moves, that of the option `Move Limit`.
const LONGEST_LIMIT: u64 = 10_000;

/// The notation of a pass.
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
    /// The number of plies since the setup.
    plies: usize,
    outcome: Option<Outcome>,
}

/// A game between the user and the engine, with the output.
pub struct ConsoleGame<W> {
    engine: Engine,
    /// The name of the variant.
    variant: &'static str,
    /// Receives the best moves of the engine.
    best_moves: Receiver<Option<FoundMove>>,
    output: W,
    /// Set by Ctrl-C at a terminal.
    interrupted: Option<Arc<AtomicBool>>,
    /// The time per move when no seed is set.
    movetime: Duration,
    /// The sides played by the engine.
    engine_sides: Vec<Side>,
    seed: Option<u64>,
    limit: u64,
    /// The end by resignation or agreement.
    agreed: Option<GameEnd>,
    /// The end of the game, once it is announced.
    announced: Option<GameEnd>,
    /// The edited board, until it becomes the position.
    draft: Option<Draft>,
    /// Whether to show the board before every typed move.
    shows_board: bool,
    /// The board shown last, with the side to move and the ply count.
    shown: Option<(Board, Side, usize)>,
    saved: Saved,
    /// The record with which the game began.
    read: Option<ReadRecord>,
}

/// The engine of a game, and the moves that it chooses.
pub struct ConsoleEngine {
    engine: Engine,
    best_moves: Receiver<Option<FoundMove>>,
}

/// The result of a search: the best move, and its score for the side that makes it.
struct FoundMove {
    mv: String,
    score: Option<UciScore>,
}

impl ConsoleEngine {
    /// Starts an engine with these settings.
    pub fn start(settings: &ConsoleSettings) -> Result<Self, EngineError> {
        let (sender, best_moves) = channel();
        let mut score = None;
        let mut engine = Engine::new(move |event| match event {
            Event::Info(info) => {
                score = Some(info.score);
                Ok(())
            }
            Event::Best { best, .. } => {
                let found = best.map(|mv| FoundMove { mv, score: score.take() });
                sender.send(found).map_err(|_| Disconnected)
            }
            _ => Ok(()),
        })?;
        engine.set_option(VARIANT, Some(&settings.variant))?;
        engine.set_option(MOVE_FORMAT, Some("standard"))?;
        engine.set_option("Move Limit", Some(&MOVE_LIMIT.to_string()))?;
        // The move limit ends every game; the console has no draw by repetition.
        engine.set_option("Repetition Draw", Some("0"))?;
        match &settings.tables {
            Some(folder) => {
                engine.set_option(TABLE_PATH, Some(&folder.to_string_lossy()))?;
                if let Some(unusable) = engine.take_warnings().into_iter().next() {
                    return Err(unusable);
                }
            }
            None => engine.set_default_tables(default_tables(settings.default_tables.clone())),
        }
        engine.set_level(settings.level, settings.elo)?;
        engine.vary(None);
        Ok(Self { engine, best_moves })
    }
}

impl<W: Write> ConsoleGame<W> {
    /// Starts a game.
    pub fn new(
        ConsoleEngine { engine, best_moves }: ConsoleEngine,
        settings: &ConsoleSettings,
        output: W,
    ) -> Self {
        Self {
            variant: engine.options().variant,
            engine,
            best_moves,
            output,
            interrupted: None,
            movetime: settings.time,
            engine_sides: vec![Side::White],
            seed: None,
            limit: MOVE_LIMIT,
            agreed: None,
            announced: None,
            draft: None,
            shows_board: settings.board,
            shown: None,
            saved: Saved::default(),
            read: None,
        }
    }

    /// The warnings of the engine that were not taken before.
    pub fn take_warnings(&mut self) -> Vec<EngineError> {
        self.engine.take_warnings()
    }

    /// Writes a line of output.
    pub fn write_line(&mut self, line: &str) -> io::Result<()> {
        self.write_text(&format!("{line}\n"))
    }

    /// Writes a text.
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
        self.interrupted = Some(interrupted);
        let strength = match settings.elo {
            Some(elo) => format!("{elo} Elo"),
            None => format!("level {}", settings.level),
        };
        self.write_line(&format!(
            "You play Black, the engine White ({strength}). The game is a tie after {} moves of each \
             side.\nType board on to see the board, help for all commands.",
            self.limit
        ))
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
        let game = self.engine.session();
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
        loop {
            let view = self.position();
            if let Some(end) = self.end(&view) {
                return self.announce(end).map(Ok);
            }
            self.announced = None;
            let mv = if self.engine.session().legal_moves() == [PASS] {
                self.write_line(&format!("{} cannot move and passes.", view.side))?;
                PASS.to_string()
            } else if self.engine_sides.contains(&view.side) {
                let FoundMove { mv, .. } = self.find_move().map_err(io::Error::other)?;
                self.write_line(&format!("* {}", display_move(&mv)))?;
                mv
            } else {
                return Ok(Ok(()));
            };
            self.engine.play(&mv).map_err(io::Error::other)?;
            if self.is_interrupted() {
                return self.pause().map(Ok);
            }
            // Otherwise a prompt follows, which shows the board.
            if self.shows_board && self.engine_sides.len() == Side::BOTH.len() {
                self.show_board(&self.position())?;
            }
        }
    }

    /// Makes the edited board the position.
    pub fn apply_draft(&mut self) -> Result<(), ConsoleError> {
        let Some(draft) = &mut self.draft else { return Ok(()) };
        draft.is_rejected = true;
        self.engine.set_board(&draft.squares, draft.next).map_err(|error| match error {
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

    /// The end of the game, if it is over. The console checks the move limit itself, because not
    /// every game has such a rule.
    fn end(&self, view: &Shown) -> Option<GameEnd> {
        let ending = view.outcome.map(|ending| (ending.winner, ending.reason.text)).or(self.agreed);
        let too_long = self.moves_by_each(view) >= self.limit;
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

    /// Runs a search and waits for its best move.
    fn find_move(&mut self) -> Result<FoundMove, EngineError> {
        let mut limits = Limits::default();
        match self.seed {
            None => limits.movetime = Some(self.movetime),
            Some(seed) => {
                limits.nodes = Some(SEEDED_NODES);
                // Entries from earlier searches would make the move depend on which earlier moves
                // the engine searched.
                self.engine.clear_table()?;
                self.engine.vary(Some(seed));
            }
        }
        self.engine.search(limits, &[])?;
        loop {
            match self.best_moves.recv_timeout(INTERRUPT_INTERVAL) {
                Ok(found) => return found.ok_or(EngineError::Died),
                Err(RecvTimeoutError::Timeout) if self.is_interrupted() => self.engine.stop(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Died),
            }
        }
    }

    /// Ends a game of the engine against itself, which would go on after the next command.
    fn pause(&mut self) -> io::Result<()> {
        if self.engine_sides.len() < Side::BOTH.len() {
            return Ok(());
        }
        self.engine_sides.clear();
        self.write_line("The engine now plays no side; auto black and auto white go on.")
    }

    /// Whether Ctrl-C was pressed since the last line.
    fn is_interrupted(&self) -> bool {
        self.interrupted.as_ref().is_some_and(|interrupted| interrupted.load(Relaxed))
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
                self.engine.set_level(level, None).map_err(ConsoleError::from).map(|()| None)
            }
            ConsoleCommand::Seed(seed) => {
                self.seed = Some(seed);
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
        let (rules, limit) = (self.engine.variant().rules, counted(self.limit, "move"));
        format!(
            "{rules}In the console repetition does not end a game; it is a tie after {limit} of each side."
        )
    }

    /// Plays a move of the user.
    fn play(&mut self, text: String) -> Result<(), ConsoleError> {
        self.require_running_game()?;
        self.engine.play(&text).map_err(|error| match error {
            // The error omits the position, which `dump` shows.
            EngineError::Move { text, why, .. } => ConsoleError::Move { text, why },
            error => error.into(),
        })
    }

    fn list_moves(&mut self) -> Result<String, ConsoleError> {
        self.require_running_game()?;
        let moves = self.engine.session().legal_moves();
        let moves: Vec<String> = moves.iter().map(|mv| display_move(mv)).collect();
        let lines: Vec<String> = moves.chunks(MOVES_PER_LINE).map(|line| line.join(" ")).collect();
        Ok(lines.join("\n"))
    }

    /// The move that the engine would play at full strength.
    fn hint(&mut self) -> Result<String, ConsoleError> {
        self.require_running_game()?;
        Ok(format!("Hint: {}", display_move(&self.find_best_move()?.mv)))
    }

    /// Runs a search at full strength.
    fn find_best_move(&mut self) -> Result<FoundMove, EngineError> {
        let is_limited = self.engine.options().limit_strength;
        self.engine.set_option(LIMIT_STRENGTH, Some("false"))?;
        let found = self.find_move();
        self.engine.set_option(LIMIT_STRENGTH, Some(&is_limited.to_string()))?;
        found
    }

    /// The side to move, which is the user's at a prompt, gives up the game.
    fn resign(&mut self) -> Result<(), ConsoleError> {
        self.require_running_game()?;
        self.agreed = Some((Some(!self.engine.session().side()), "resignation"));
        Ok(())
    }

    /// Offers a draw to the other side. The engine accepts it unless it stands better.
    fn offer_draw(&mut self) -> Result<Option<String>, ConsoleError> {
        self.require_running_game()?;
        if self.engine_sides.contains(&!self.engine.session().side()) {
            let stands_better = match self.find_best_move()?.score {
                Some(UciScore::Centipawns(score)) => score < 0,
                Some(UciScore::Mate(moves)) => moves <= 0,
                None => true,
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
        let moves = self.engine.session().history();
        self.engine.take_back(plies)?;
        let taken = moves.iter().rev().take(plies).map(|played| display_move(&played.mv.standard));
        let taken: Vec<String> = taken.collect();
        Ok(format!("Taken back: {}.", taken.join(", ")))
    }

    fn start_game(&mut self) -> Result<(), ConsoleError> {
        self.engine.set_position(None, &[])?;
        (self.draft, self.agreed, self.read) = (None, None, None);
        self.saved = Saved::default();
        Ok(self.engine.new_game()?)
    }

    fn set_square(
        &mut self,
        square: &str,
        piece: Option<Piece>,
        next: Side,
    ) -> Result<(), ConsoleError> {
        let number = square.parse().ok().filter(|_| self.engine.variant().is_numbered);
        let named = number.and_then(Square::numbered).or_else(|| Square::read(square.as_bytes()));
        let named = named.ok_or_else(|| ConsoleError::Square(square.to_string()))?;
        let is_light = (named.file() + named.rank()) % 2 != 0;
        if piece.is_some() && self.engine.variant().is_numbered && is_light {
            return Err(ConsoleError::LightSquare(named));
        }
        if piece.is_some_and(|piece| piece.kind >= self.engine.session().kinds().len()) {
            return Err(ConsoleError::Piece);
        }
        let mut squares = self.view().board;
        let row = squares.get_mut(7 - named.rank() as usize);
        if let Some(cell) = row.and_then(|row| row.get_mut(named.file() as usize)) {
            *cell = piece;
        }
        self.draft = Some(Draft { squares, next, is_rejected: false });
        Ok(())
    }

    fn set_limit(&mut self, moves: u64) -> Result<(), ConsoleError> {
        let made = self.moves_by_each(&self.view());
        if moves <= made || moves > LONGEST_LIMIT {
            return Err(ConsoleError::Limit { least: made + 1, most: LONGEST_LIMIT });
        }
        // Makes the search respect the limit, in games that have such a rule.
        self.engine.set_option("Move Limit", Some(&moves.to_string()))?;
        self.limit = moves;
        Ok(())
    }

    fn load(&mut self, name: &str) -> Result<String, ConsoleError> {
        let LoadedGame { played: SetupMoves { setup, moves }, record, is_first } =
            load::read(name, self.variant)?;
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let set = self.engine.set_position(setup.as_deref(), &moves);
        set.map_err(|error| LoadError::Unreadable(error.to_string()))?;
        (self.draft, self.agreed, self.announced) = (None, None, None);
        self.saved = Saved::default();
        let of = if is_first { " of the first game of the file" } else { "" };
        let text = format!("Loaded {}{of}.", counted(moves.len() as u64, "move"));
        let moves = self.engine.session().history();
        self.read = record.map(|record| ReadRecord { record, moves });
        Ok(text)
    }

    fn save(&mut self, name: &str) -> Result<String, ConsoleError> {
        self.apply_draft()?;
        let game = SavedGame {
            engine_sides: &self.engine_sides,
            end: self.end(&self.position()),
            read: self.read.as_ref().filter(|_| self.agreed.is_none()),
        };
        Ok(self.saved.write(name, &self.engine, &game)?)
    }

    /// Shows the board for the user, unless it was shown already.
    fn show_board(&mut self, view: &Shown) -> io::Result<()> {
        let seen = (view.board, view.side, view.plies);
        if self.shown == Some(seen) {
            return Ok(());
        }
        self.shown = Some(seen);
        self.write_line(&board::diagram(&view.board, self.engine.variant().is_numbered))
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

/// A number with its noun.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A move as the console prints it: squares are always separated by `-`.
fn display_move(mv: &str) -> String {
    let in_squares = mv.starts_with(|c: char| c.is_ascii_alphabetic());
    if in_squares { mv.replace('x', "-") } else { mv.to_string() }
}
