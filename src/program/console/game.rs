//! A game at the console: the board, the sides that the engine plays, and its end.

mod commands;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::board;
use super::draft::Draft;
use super::files::GameFiles;
use super::learn::Lessons;
use super::open::ConsoleSettings;
use super::player::{ConsoleEngine, MOVE_LIMIT};
use super::refusal::ConsoleRefusal;
use soucie::engine::EngineError;
use soucie::game::{Board, Outcome, RuleSetting, Side};

const PASS: &str = "0000";

/// The end of a game: the winner, if any, and the reason.
type GameEnd = (Option<Side>, &'static str);

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
    files: GameFiles,
    lessons: Lessons,
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
            files: GameFiles::default(),
            lessons: Lessons::default(),
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
        self.lessons = Lessons::begin(&mut self.player.engine).map_err(io::Error::other)?;
        let how =
            if self.lessons.is_on() { "\nType a move, hint, skip, or new to play." } else { "" };
        self.write_line(&format!("{}{how}", self.lessons.task()))
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
    /// Announces the end of the game.
    pub fn play_engine_moves(&mut self) -> io::Result<()> {
        if self.draft.is_some() || self.lessons.is_on() {
            return Ok(());
        }
        loop {
            let view = self.position();
            if let Some(end) = self.end(&view) {
                return self.announce(end);
            }
            self.announced = None;
            if self.player.is_interrupted() && self.engine_sides.len() == Side::BOTH.len() {
                return self.pause();
            }
            let mv = if self.player.engine.session().legal_moves() == [PASS] {
                self.write_line(&format!("{} cannot move and passes.", view.side))?;
                PASS.to_string()
            } else if self.engine_sides.contains(&view.side) {
                let mv = self.player.find_move().map_err(io::Error::other)?;
                self.write_line(&format!("* {}", display_move(&mv)))?;
                mv
            } else {
                return Ok(());
            };
            self.player.engine.play(&mv).map_err(io::Error::other)?;
            // Otherwise a prompt follows, which shows the board.
            if self.shows_board && self.engine_sides.len() == Side::BOTH.len() {
                self.show_board(&self.position())?;
            }
        }
    }

    /// Makes the edited board the position if the engine is to move on it.
    pub fn apply_draft_for_engine(&mut self) -> Result<(), ConsoleRefusal> {
        let is_for_engine =
            |draft: &Draft| !draft.is_rejected && self.engine_sides.contains(&draft.next);
        if self.draft.as_ref().is_some_and(is_for_engine) { self.apply_draft() } else { Ok(()) }
    }

    /// Makes the edited board the position.
    fn apply_draft(&mut self) -> Result<(), ConsoleRefusal> {
        let Some(draft) = &mut self.draft else { return Ok(()) };
        draft.apply(&mut self.player.engine)?;
        (self.draft, self.agreed, self.announced) = (None, None, None);
        self.files = GameFiles::default();
        Ok(())
    }

    /// Ensures that there is a position in which the game is not over.
    fn require_running_game(&mut self) -> Result<(), ConsoleRefusal> {
        self.apply_draft()?;
        match self.end(&self.position()) {
            Some(_) => Err(ConsoleRefusal::new("the game is over; 'new' starts another")),
            None => Ok(()),
        }
    }

    /// The same, and that this is no lesson.
    fn require_game(&mut self) -> Result<(), ConsoleRefusal> {
        if self.lessons.is_on() {
            return Err(ConsoleRefusal::new("this is a lesson; 'new' begins a game"));
        }
        self.require_running_game()
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

    /// Shows the board for the user, unless it was shown already.
    fn show_board(&mut self, view: &Shown) -> io::Result<()> {
        if self.shown == Some((view.board, view.side, view.plies)) {
            return Ok(());
        }
        let diagram = self.diagram(view);
        self.write_line(&diagram)
    }

    /// The board for the user, who then has seen it.
    fn diagram(&mut self, view: &Shown) -> String {
        self.shown = Some((view.board, view.side, view.plies));
        board::diagram(&view.board, self.player.engine.variant().is_numbered)
    }
}

/// A move as the console prints it: squares are always separated by `-`.
fn display_move(mv: &str) -> String {
    let in_squares = mv.starts_with(|c: char| c.is_ascii_alphabetic());
    if in_squares { mv.replace('x', "-") } else { mv.to_string() }
}
