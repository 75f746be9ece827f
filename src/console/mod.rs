//! The console: a small dialogue for people at a terminal and for scripts in a class-room.
//!
//! Lines are read one after the other. Where the engine moves by itself it does so before the
//! next line is read, so that a script gets the same answers whether it waits for them or not.
//! `>` ends a prompt, `*` begins a move of the engine or a result, `===` surrounds a board; a
//! reader may look for these signs, and nothing else says them.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod command;
pub mod settings;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use thiserror::Error;

use crate::engine::event::{Event, Gone};
use crate::engine::session::View;
use crate::engine::{Engine, EngineError, Limits, Side};
use crate::files::lines::{TooLong, next_line};
use command::{Command, CommandError, HELP};
use settings::Settings;

/// The moves that each side may make at the start of the program.
const MOVE_LIMIT: u64 = 60;

/// What the automatic player may look at with a seed, in positions. Time would make it play
/// another way on another day.
const SEEDED_NODES: u64 = 100_000;

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 1 << 16;

/// How a pass is written.
const PASS: &str = "0000";

/// What is wrong with a line.
#[derive(Debug, Error)]
enum Complaint {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("illegal move {text}: {why}")]
    Move { text: String, why: Box<dyn Error + Send + Sync> },
    #[error("the game is over: new begins another")]
    Over,
    #[error("limit: {0} moves have been made by each side already")]
    Limit(u64),
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

/// The ends of a dialogue.
pub struct Ends<R, W, E> {
    /// Where commands come from.
    pub input: R,
    /// Where prompts, moves, results and boards go.
    pub output: W,
    /// Where errors go.
    pub errors: E,
    /// Where the commands are kept.
    pub log: Option<Box<dyn Write>>,
    /// Whether the input is seen beside the output, as at a terminal.
    pub echoed: bool,
}

/// Holds a dialogue until its input ends, `quit` comes or nobody listens any more. Says whether
/// all went well: false if an error ended a strict one.
pub fn run<R, W, E>(settings: &Settings, mut ends: Ends<R, W, E>) -> io::Result<bool>
where
    R: BufRead,
    W: Write,
    E: Write,
{
    let mut console = Console::new(settings, ends.output).map_err(io::Error::other)?;
    for warning in console.engine.take_warnings() {
        let _ = writeln!(ends.errors, "error: {warning}");
    }
    if ends.echoed {
        console.say("Black is yours, White plays by itself. Type help for the commands.")?;
    }
    loop {
        console.play_on()?;
        console.prompt()?;
        let line = next_line(&mut ends.input, LONGEST_LINE)?;
        // Where nobody has typed the end of the line, it is missing from the output.
        if !ends.echoed || line.is_none() {
            console.say("")?;
        }
        let Some(line) = line else { return Ok(true) };
        let result = match line {
            Ok(line) => {
                let line = String::from_utf8_lossy(&line);
                let command = command::read(&line);
                if let Some(log) = &mut ends.log
                    && command != Ok(Command::Nothing)
                {
                    log.write_all(format!("{}\n", line.trim()).as_bytes())?;
                    log.flush()?;
                }
                if command == Ok(Command::Quit) {
                    return Ok(true);
                }
                match command {
                    Ok(command) => console.obey(command)?,
                    Err(error) => Err(error.into()),
                }
            }
            Err(too_long) => Err(too_long.into()),
        };
        if let Err(complaint) = result {
            // There may be nobody who reads the errors.
            let _ = writeln!(ends.errors, "error: {complaint}").and_then(|()| ends.errors.flush());
            if settings.strict {
                return Ok(false);
            }
        }
    }
}

/// How a game ended: who has won, if anybody has, and why.
type End = (Option<Side>, &'static str);

struct Console<W> {
    engine: Engine,
    /// The moves that the engine finds.
    found: Receiver<Option<String>>,
    output: W,
    /// How long the engine thinks, where there is no seed.
    movetime: Duration,
    /// Who plays by itself.
    automatic: Vec<Side>,
    seed: Option<u64>,
    limit: u64,
    /// The end of the game, once that was announced.
    announced: Option<End>,
}

impl<W: Write> Console<W> {
    fn new(settings: &Settings, output: W) -> Result<Self, EngineError> {
        let (sender, found) = channel();
        let mut engine = Engine::new(move |event| match event {
            Event::Best { best, .. } => sender.send(best).map_err(|_| Gone),
            _ => Ok(()),
        })?;
        engine.set_option("UCI_Variant", Some(&settings.variant))?;
        engine.set_option("Move Format", Some("standard"))?;
        engine.set_option("Move Limit", Some(&MOVE_LIMIT.to_string()))?;
        // The limit ends every game; this dialogue has no other tie by counting positions.
        engine.set_option("Repetition Draw", Some("0"))?;
        if let Some(folder) = &settings.tables {
            engine.set_option("TablePath", Some(&folder.to_string_lossy()))?;
        }
        engine.vary(None);
        Ok(Self {
            engine,
            found,
            output,
            movetime: settings.time,
            automatic: vec![Side::White],
            seed: None,
            limit: MOVE_LIMIT,
            announced: None,
        })
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }

    fn prompt(&mut self) -> io::Result<()> {
        let view = self.engine.view();
        let prompt = match self.end(&view) {
            Some(_) => "> ".to_string(),
            None => format!("{}> ", view.side),
        };
        self.output.write_all(prompt.as_bytes())?;
        self.output.flush()
    }

    /// Plays until a person is to move or the game is over, which it announces.
    fn play_on(&mut self) -> io::Result<()> {
        loop {
            let view = self.engine.view();
            if let Some(end) = self.end(&view) {
                return self.announce(end);
            }
            self.announced = None;
            let mv = if view.moves == [PASS] {
                self.say(&format!("{} cannot move and passes.", view.side))?;
                PASS.to_string()
            } else if self.automatic.contains(&view.side) {
                let mv = self.find_move().map_err(io::Error::other)?;
                self.say(&format!("* {}", written(&mv)))?;
                mv
            } else {
                return Ok(());
            };
            self.engine.play(&mv).map_err(io::Error::other)?;
        }
    }

    /// How the game ended, if it has. Not every game knows a limit of moves by itself.
    fn end(&self, view: &View) -> Option<End> {
        let ending = view.ending.map(|ending| (ending.winner, ending.reason));
        let too_long = self.moves_by_each(view) >= self.limit;
        ending.or_else(|| too_long.then_some((None, "the move limit is reached")))
    }

    /// The moves that both sides have made.
    fn moves_by_each(&self, view: &View) -> u64 {
        view.plies as u64 / 2
    }

    /// Says how the game ended, once.
    fn announce(&mut self, end: End) -> io::Result<()> {
        if self.announced == Some(end) {
            return Ok(());
        }
        self.announced = Some(end);
        match end {
            (Some(winner), _) => self.say(&format!("* {winner} wins.")),
            (None, reason) => self.say(&format!("Nobody has won: {reason}.\n* Tie game.")),
        }
    }

    /// Lets the engine think, and waits for it.
    fn find_move(&mut self) -> Result<String, EngineError> {
        let mut limits = Limits::default();
        match self.seed {
            None => limits.movetime = Some(self.movetime),
            Some(seed) => {
                limits.nodes = Some(SEEDED_NODES);
                // What was learned at other moves depends on who made them.
                self.engine.set_option("Clear Hash", None)?;
                self.engine.vary(Some(seed));
            }
        }
        self.engine.search(limits, &[])?;
        self.found.recv().ok().flatten().ok_or(EngineError::Died)
    }

    /// Does what a command asks for. The outer error is one of writing.
    fn obey(&mut self, command: Command) -> io::Result<Result<(), Complaint>> {
        Ok(match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Help => return self.say(HELP).map(Ok),
            Command::Dump => return self.dump().map(Ok),
            Command::Move(text) => self.play(text),
            Command::New => self.begin().map_err(Complaint::from),
            Command::Automatic(side, is_automatic) => {
                self.automatic.retain(|&player| player != side);
                self.automatic.extend(is_automatic.then_some(side));
                Ok(())
            }
            Command::Seed(seed) => {
                self.seed = Some(seed);
                Ok(())
            }
            Command::Limit(moves) => self.set_limit(moves),
            Command::Undo => self.engine.take_back(2).map_err(Complaint::from),
            Command::Set { square, piece, next } => {
                self.engine.set_square(&square, piece, next).map_err(Complaint::from)
            }
        })
    }

    /// Makes a person's move.
    fn play(&mut self, text: String) -> Result<(), Complaint> {
        if self.end(&self.engine.view()).is_some() {
            return Err(Complaint::Over);
        }
        self.engine.play(&text).map_err(|error| match error {
            // Who wants to see the position has `dump`.
            EngineError::Move { text, why, .. } => Complaint::Move { text, why },
            error => error.into(),
        })
    }

    fn begin(&mut self) -> Result<(), EngineError> {
        self.engine.set_position(None, &[])?;
        self.engine.new_game()
    }

    fn set_limit(&mut self, moves: u64) -> Result<(), Complaint> {
        let made = self.moves_by_each(&self.engine.view());
        if moves <= made {
            return Err(Complaint::Limit(made));
        }
        // The search knows it too, where the game does.
        self.engine.set_option("Move Limit", Some(&moves.to_string()))?;
        self.limit = moves;
        Ok(())
    }

    fn dump(&mut self) -> io::Result<()> {
        let view = self.engine.view();
        let mut text = String::from("===\n");
        for rank in view.squares {
            let rank = rank.map(|square| format!(" {}", command::letter(square)));
            text += &format!("   {}\n", rank.concat());
        }
        let next = view.side.to_string().to_lowercase();
        self.say(&format!("{text}Next move: {next}\n==="))
    }
}

/// A move as this dialogue writes it: between squares there is always a `-`.
fn written(mv: &str) -> String {
    let in_squares = mv.starts_with(|c: char| c.is_ascii_alphabetic());
    if in_squares { mv.replace('x', "-") } else { mv.to_string() }
}
