//! The commands of a game at the console.

use std::io::Write;

use super::{ConsoleGame, Shown, display_move};
use crate::console::board;
use crate::console::command::{ConsoleCommand, HELP};
use crate::console::draft::Draft;
use crate::console::files::{GameFiles, LoadedGame, SavedGame, read};
use crate::console::learn::Lessons;
use crate::console::player::{self, LIMIT_RULE};
use crate::console::refusal::ConsoleRefusal;
use soucie::analysis::hint::Hint;
use soucie::engine::EngineError;
use soucie::engine::uci_score::UciScore;
use soucie::files::printable::plural;
use soucie::game::{Piece, Side};
use soucie::records::setups::SetupMoves;

const MOVES_PER_LINE: usize = 12;

/// The highest limit of moves, that of the option `Move Limit`.
const LONGEST_LIMIT: u16 = 10_000;

impl<W: Write> ConsoleGame<W> {
    /// Executes a command. Returns the reply, if there is one.
    pub fn execute(&mut self, command: ConsoleCommand) -> Result<Option<String>, ConsoleRefusal> {
        match command {
            ConsoleCommand::Help => return Ok(Some(HELP.to_string())),
            ConsoleCommand::Rules => return Ok(Some(self.rules())),
            ConsoleCommand::Dump => {
                let Shown { board, side, .. } = self.view();
                return Ok(Some(board::dump(&board, side)));
            }
            ConsoleCommand::Board(None) => return Ok(Some(self.diagram(&self.view()))),
            ConsoleCommand::Move(text) if self.lessons.is_on() => {
                return self.lesson(Some(&text)).map(Some);
            }
            ConsoleCommand::Skip => return self.lesson(None).map(Some),
            ConsoleCommand::Moves => return self.list_moves().map(Some),
            ConsoleCommand::Hint => return self.hint().map(Some),
            ConsoleCommand::Draw => return self.offer_draw(),
            ConsoleCommand::Undo(plies) => return self.undo(plies).map(Some),
            ConsoleCommand::Load(name) => return self.load(&name).map(Some),
            ConsoleCommand::Save(name) => return self.save(&name).map(Some),
            ConsoleCommand::Nothing | ConsoleCommand::Quit => {}
            ConsoleCommand::Board(Some(shows_board)) => {
                (self.shows_board, self.shown) = (shows_board, None);
            }
            ConsoleCommand::Move(text) => self.play(&text)?,
            ConsoleCommand::New => self.start_game()?,
            ConsoleCommand::Resign => self.resign()?,
            ConsoleCommand::Automatic(side, is_automatic) => {
                self.engine_sides.retain(|&player| player != side);
                self.engine_sides.extend(is_automatic.then_some(side));
                if let Some(draft) = &mut self.draft {
                    draft.is_rejected = false;
                }
            }
            ConsoleCommand::Level(level) => self.player.engine.set_level(level, None)?,
            ConsoleCommand::Seed(seed) => self.player.seed = Some(seed),
            ConsoleCommand::Limit(moves) => self.set_limit(moves)?,
            ConsoleCommand::Set { square, piece, next } => {
                self.set_square(&square, piece, next)?;
            }
        }
        Ok(None)
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

    fn play(&mut self, text: &str) -> Result<(), ConsoleRefusal> {
        self.require_running_game()?;
        Ok(self.player.engine.play(text)?)
    }

    /// Judges a move in a lesson, or without a move goes to the next one. After the last one a game begins.
    fn lesson(&mut self, mv: Option<&str>) -> Result<String, ConsoleRefusal> {
        if !self.lessons.is_on() {
            return Err(ConsoleRefusal::new(
                "skip: there is no lesson; soucie console --learn begins with lessons",
            ));
        }
        let engine = &mut self.player.engine;
        let text = match mv {
            Some(mv) => self.lessons.answer(engine, mv)?,
            None => self.lessons.next(engine)?,
        };
        // The board of the lesson is shown again.
        self.shown = None;
        if !self.lessons.is_on() {
            self.start_game()?;
        }
        Ok(text)
    }

    fn list_moves(&mut self) -> Result<String, ConsoleRefusal> {
        self.require_running_game()?;
        let moves = self.player.engine.session().legal_moves();
        let moves: Vec<String> = moves.iter().map(|mv| display_move(mv)).collect();
        let lines: Vec<String> = moves.chunks(MOVES_PER_LINE).map(|line| line.join(" ")).collect();
        Ok(lines.join("\n"))
    }

    /// The move that the engine would play at full strength, and why.
    fn hint(&mut self) -> Result<String, ConsoleRefusal> {
        if let Some(hint) = self.lessons.hint() {
            return Ok(hint);
        }
        self.require_running_game()?;
        let Hint { mv, reason, .. } = self.player.find_hint()?;
        Ok(format!("Hint: {} {reason}.", display_move(&mv.standard)))
    }

    /// The side to move, which is the user's at a prompt, gives up the game.
    fn resign(&mut self) -> Result<(), ConsoleRefusal> {
        self.require_game()?;
        self.agreed = Some((Some(!self.player.engine.session().side()), "resignation"));
        Ok(())
    }

    /// Offers a draw to the other side. The engine accepts it unless it stands better.
    fn offer_draw(&mut self) -> Result<Option<String>, ConsoleRefusal> {
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

    fn undo(&mut self, plies: usize) -> Result<String, ConsoleRefusal> {
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

    fn start_game(&mut self) -> Result<(), ConsoleRefusal> {
        self.rules.clear();
        self.player.engine.set_rules(&player::rules(self.limit, &[]))?;
        self.player.engine.set_position(None, &[])?;
        (self.draft, self.agreed) = (None, None);
        (self.files, self.lessons) = (GameFiles::default(), Lessons::default());
        Ok(self.player.engine.new_game()?)
    }

    fn set_square(
        &mut self,
        square: &str,
        piece: Option<Piece>,
        next: Side,
    ) -> Result<(), ConsoleRefusal> {
        let squares = self.view().board;
        self.draft = Some(Draft::with_square(&self.player.engine, squares, square, piece, next)?);
        self.lessons = Lessons::default();
        Ok(())
    }

    fn set_limit(&mut self, moves: u64) -> Result<(), ConsoleRefusal> {
        let made = self.moves_by_each(&self.view());
        let limit =
            u16::try_from(moves).ok().filter(|&limit| moves > made && limit <= LONGEST_LIMIT);
        let limit = limit.ok_or_else(|| {
            ConsoleRefusal(format!(
                "limit: expected a number from {}, more than the moves of each side so far, to \
                 {LONGEST_LIMIT}",
                made + 1
            ))
        })?;
        // Makes the search respect the limit, in games that have such a rule.
        self.player.engine.set_option(LIMIT_RULE, Some(&limit.to_string()))?;
        self.limit = limit;
        Ok(())
    }

    fn load(&mut self, name: &str) -> Result<String, ConsoleRefusal> {
        self.lessons = Lessons::default();
        let LoadedGame { played, record, rules, notes, is_first } = read(name, self.variant)?;
        let SetupMoves { setup, moves } = played;
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let limit = rules.iter().find(|rule| rule.name == LIMIT_RULE && rule.value > 0);
        let limit = limit.map_or(self.limit, |rule| rule.value);
        let engine = &mut self.player.engine;
        engine.set_rules(&player::rules(limit, &rules))?;
        if let Err(error) = engine.set_position(setup.as_deref(), &moves) {
            engine.set_rules(&player::rules(self.limit, &self.rules))?;
            return Err(ConsoleRefusal(format!("load: {error}")));
        }
        (self.limit, self.rules) = (limit, rules);
        (self.draft, self.agreed, self.announced) = (None, None, None);
        let of = if is_first { " of the first game of the file" } else { "" };
        let mut text = format!("Loaded {}{of}.", plural(moves.len() as u64, "move", "moves"));
        text.extend(notes.iter().map(|note| format!("\n{note}.")));
        self.files = GameFiles::of(record, &self.player.engine);
        Ok(text)
    }

    fn save(&mut self, name: &str) -> Result<String, ConsoleRefusal> {
        self.apply_draft()?;
        let game = SavedGame {
            engine_sides: &self.engine_sides,
            end: self.end(&self.position()),
            is_agreed: self.agreed.is_some(),
        };
        self.files.save(name, &self.player.engine, &game)
    }
}
