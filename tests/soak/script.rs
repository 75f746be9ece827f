//! The input of a random dialogue, determined by its seed: valid commands and garbage.

use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use soucie::engine::Side;
use soucie::engine::session::GameSession;
use soucie::options::{EMPTY, OptionKind, uci_options};
use soucie::protocol::export::{ExportRequest, export};
use soucie::records::RecordResult;

use crate::mirror::{EngineModel, MAX_LINE};

/// A step of a dialogue.
pub enum Step {
    /// Waits.
    Pause(Duration),
    /// Sends these lines at once.
    Send(Vec<Vec<u8>>),
}

/// A random dialogue.
pub struct Script {
    rng: Xoshiro256PlusPlus,
    steps: usize,
}

/// The limits of `go` with a number.
const LIMITS: &[&str] =
    &["depth", "nodes", "movetime", "btime", "wtime", "binc", "winc", "movestogo", "mate"];

impl Script {
    /// The dialogue of this seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let steps = rng.random_range(5..=30);
        Self { rng, steps }
    }

    /// Commands that restore the initial state, so that no dialogue depends on the previous one.
    pub fn reset_commands(&self) -> Vec<Vec<u8>> {
        let mut lines = vec!["uci".to_string()];
        for spec in uci_options().into_iter().filter(|spec| spec.kind != OptionKind::Button) {
            let default = spec.default();
            lines.push(format!("setoption name {} value {default}", spec.name));
        }
        lines.extend(["ucinewgame".to_string(), "position startpos".to_string()]);
        lines.into_iter().map(String::into_bytes).collect()
    }

    /// The last bytes of the input, and whether all best moves must follow.
    pub fn final_input(&mut self) -> (Vec<u8>, bool) {
        let inputs: [(&[u8], bool); 6] = [
            (b"quit\n", false),
            (b"go depth 4\nquit\n", false),
            (b"go infinite\nquit", false),
            (b"", true),
            (b"go depth 4", true),
            (b"go infinite\nisread", true),
        ];
        let &(bytes, all) = self.pick(&inputs);
        (bytes.to_vec(), all)
    }

    /// The next step, if there is one.
    pub fn next(&mut self, model: &EngineModel) -> Option<Step> {
        self.steps = self.steps.checked_sub(1)?;
        Some(match self.rng.random_range(0..100) {
            0..15 => Step::Pause(Duration::from_millis(self.rng.random_range(0..30))),
            // These lines are generated before any of them is executed.
            15..22 => {
                let lines = self.rng.random_range(2..40);
                Step::Send((0..lines).map(|_| self.line(model)).collect())
            }
            _ => Step::Send(vec![self.line(model)]),
        })
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        from.choose(&mut self.rng).unwrap()
    }

    /// Returns true once in `n` calls on average.
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_ratio(1, n)
    }

    fn line(&mut self, model: &EngineModel) -> Vec<u8> {
        let line = match self.rng.random_range(0..100) {
            0..28 => self.go(model),
            28..46 => self.position(model),
            46..60 => self.option(),
            60..71 => "stop".into(),
            71..78 => "ponderhit".into(),
            78..81 => "ucinewgame".into(),
            81..86 => (*self.pick(&[
                "uci",
                "isready",
                "d",
                "eval",
                "moves",
                "legalmoves",
                "state",
                "variants",
                "export",
                "export {\"black\":\"A]\\\"\\n\",\"result\":\"draw\"}",
                "help",
                "",
                " \t ",
            ]))
            .into(),
            86..88 => self.import(model),
            88 => self.analyse(),
            89 => format!("go perft {}", self.rng.random_range(0..=3)),
            90..93 => self.invalid_position(model),
            93 => format!("bench {}", self.rng.random_range(1..=3)),
            _ => return self.garbage(model),
        };
        let line = if self.one_in(15) { format!(" {}\t\r", line.replace(' ', "  ")) } else { line };
        line.into_bytes()
    }

    fn go(&mut self, model: &EngineModel) -> String {
        let mut line = "go".to_string();
        for word in ["infinite", "ponder"] {
            if self.one_in(6) {
                line += &format!(" {word}");
            }
        }
        for _ in 0..self.rng.random_range(0..=3) {
            let &word = self.pick(LIMITS);
            let most = match word {
                "depth" => 8,
                "nodes" => 50_000,
                "movetime" => 60,
                "binc" | "winc" => 20,
                "mate" => 5,
                _ => 1_500,
            };
            line += &format!(" {word} {}", self.rng.random_range(-2..=most));
        }
        if self.one_in(6) {
            line += " searchmoves";
            let moves = model.session.legal_moves();
            for _ in 0..self.rng.random_range(0..4) {
                line += &format!(" {}", self.some_move(&moves));
            }
        }
        line
    }

    /// Usually a legal move.
    fn some_move(&mut self, moves: &[String]) -> String {
        match moves.choose(&mut self.rng) {
            Some(mv) if self.one_in(30) => self.mangled(mv),
            Some(mv) => mv.clone(),
            None => "a1a2".into(),
        }
    }

    fn position(&mut self, model: &EngineModel) -> String {
        let mut game = model.copy();
        let setup = match self.rng.random_range(0..4) {
            0 | 1 => None,
            2 => Some(self.setup(model.options.variant == "englishdraughts")),
            _ => Some(self.random_moves(&mut model.copy(), 60).1),
        };
        // Invalid setups are sent too.
        let _ = game.set_position(setup.as_deref(), &[]);
        let mut line = match &setup {
            None => "position startpos".to_string(),
            Some(_) if self.one_in(3) => {
                let side = game.evaluation().side;
                format!(
                    "position diagram {} / Next move: {side}",
                    game.diagram().replace('\n', " / ")
                )
            }
            Some(setup) if self.one_in(10) => format!("position fen {}", self.mangled(setup)),
            Some(setup) => format!("position fen {setup}"),
        };
        let max_plies = *self.pick(&[0, 3, 20, 150]);
        let (moves, _) = self.random_moves(&mut game, max_plies);
        if !moves.is_empty() || self.one_in(10) {
            line += &format!(" moves {}", moves.join(" "));
        }
        line
    }

    /// A `position` command that is rejected.
    fn invalid_position(&mut self, model: &EngineModel) -> String {
        let illegal = |line: String| {
            let moves = if line.contains(" moves ") { " " } else { " moves " };
            format!("{line}{moves}a1a1")
        };
        match self.rng.random_range(0..4) {
            0 => self
                .pick(&["position", "position fen", "position fen 8/8 w", "position x"])
                .to_string(),
            1 => format!("position fen {}", self.mangled("::")),
            _ => illegal(self.position(model)),
        }
    }

    /// Plays up to `max_plies` random moves, sometimes back and forth. Returns the moves and the
    /// final setup. Occasionally one of the returned moves is invalid.
    fn random_moves(
        &mut self,
        game: &mut Box<dyn GameSession>,
        max_plies: usize,
    ) -> (Vec<String>, String) {
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..self.rng.random_range(0..=max_plies) {
            let legal = game.legal_moves();
            let Some(mv) = legal.choose(&mut self.rng) else { break };
            let back = moves.len().checked_sub(4).and_then(|i| moves.get(i)).cloned();
            let mv = back.filter(|mv| legal.contains(mv)).unwrap_or(mv.clone());
            let Ok(next) = game.with_moves(&[&mv]) else { break };
            *game = next;
            moves.push(mv);
        }
        if !moves.is_empty() && self.one_in(20) {
            let at = self.rng.random_range(0..moves.len());
            moves[at] = self.mangled(&moves[at].clone());
        }
        (moves, game.setup())
    }

    fn analyse(&mut self) -> String {
        let nodes = self.rng.random_range(0..=200);
        let limit = *self.pick(&["depth", "movetime", "multipv"]);
        let number = self.rng.random_range(0..=3);
        let line = format!("analyse {{\"nodes\":{nodes},\"{limit}\":{number},\"white\":\"<\"}}");
        if self.one_in(10) { self.mangled(&line) } else { line }
    }

    /// Imports the current game as a record, a diagram or a list of moves.
    fn import(&mut self, model: &EngineModel) -> String {
        let request =
            ExportRequest { result: RecordResult::Won(Side::Black), ..Default::default() };
        let record = export(&request, &*model.session, &model.options);
        let text = match self.rng.random_range(0..4) {
            0 => moves(model),
            1 => model.session.diagram(),
            2 => format!("{} moves {}", model.session.start(), moves(model)),
            _ => record.map(|record| record.to_string()).unwrap_or_default(),
        };
        let text = if self.one_in(3) { self.mangled(&text) } else { text };
        let variant = self.pick(&["", ",\"variant\":\"englishdraughts\"", ",\"variant\":\"loa\""]);
        let line = format!("import {{\"text\":{}{variant}}}", Value::from(text));
        if self.one_in(10) { self.mangled(&line) } else { line }
    }

    /// A few pieces on random squares. Not every such setup is valid.
    fn setup(&mut self, is_draughts: bool) -> String {
        let counts = [self.rng.random_range(1..=6), self.rng.random_range(1..=6)];
        let side = *self.pick(&["W", "B"]);
        if is_draughts {
            let mut squares: Vec<u32> = (1..=32).collect();
            let mut pieces = |n: usize| {
                let mut piece = || {
                    let at = self.rng.random_range(0..squares.len());
                    let king = if self.rng.random_ratio(1, 2) { "K" } else { "" };
                    format!("{king}{}", squares.swap_remove(at))
                };
                (0..n).map(|_| piece()).collect::<Vec<_>>().join(",")
            };
            return format!("{side}:W{}:B{}", pieces(counts[0]), pieces(counts[1]));
        }
        let mut cells = ["1"; 64];
        for (stone, n) in ["l", "L"].into_iter().zip(counts) {
            for _ in 0..n {
                cells[self.rng.random_range(0..64)] = stone;
            }
        }
        let ranks: Vec<String> = cells.chunks(8).map(|rank| rank.concat()).collect();
        format!("{} {}", ranks.join("/"), side.to_lowercase())
    }

    fn option(&mut self) -> String {
        let table = uci_options();
        let spec = self.pick(&table);
        let value = match &spec.kind {
            OptionKind::Button => return format!("setoption name {}", spec.name),
            OptionKind::Check => self.pick(&["true", "false"]).to_string(),
            OptionKind::Combo { values } => self.pick(values).to_string(),
            OptionKind::Path => EMPTY.to_string(),
            OptionKind::Spin { min, max, .. } => {
                let most = match spec.name {
                    "Hash" => 32,
                    "Threads" | "MultiPV" => 4,
                    "Move Overhead" => 30,
                    _ => *max,
                };
                let most = if self.one_in(2) { most.min(min + 6) } else { most };
                self.rng.random_range(*min..=most).to_string()
            }
        };
        let value = match self.rng.random_range(0..20) {
            0 => self.pick(&["", "-1", "x", "99999999999999999999", "1.5", "ä"]).to_string(),
            1 => value.to_uppercase(),
            _ => value,
        };
        format!("setoption name {} value {value}", spec.name)
    }

    /// The text with one character removed, inserted or replaced.
    fn mangled(&mut self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        let at = self.rng.random_range(0..chars.len().max(1));
        let &replacement =
            self.pick(&['9', '0', 'Z', '/', ' ', '-', 'x', 'K', 'l', 'ß', ':', ',', '1']);
        match self.rng.random_range(0..3) {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 => chars.insert(at, replacement),
            _ if at < chars.len() => chars[at] = replacement,
            _ => {}
        }
        chars.into_iter().collect()
    }

    fn garbage(&mut self, model: &EngineModel) -> Vec<u8> {
        match self.rng.random_range(0..40) {
            0 => {
                // Too long by a little or a lot.
                let start = *self.pick(&[
                    "x",
                    "position startpos",
                    "go depth 1",
                    "moves",
                    "import {}",
                    "analyse",
                ]);
                let rest = MAX_LINE + self.rng.random_range(0..1 << 20);
                [start.as_bytes(), &vec![b' '; rest]].concat()
            }
            1 => b"isready ".iter().copied().chain(vec![b' '; MAX_LINE - 8]).collect(),
            2..12 => {
                let mut byte = || self.rng.random_range(0..=255_u8);
                let bytes = (0..byte()).map(|_| byte()).filter(|&byte| byte != b'\n');
                bytes.collect()
            }
            12..26 => {
                const WORDS: &[&str] = &[
                    "go",
                    "depth",
                    "x",
                    "position",
                    "fen",
                    "startpos",
                    "moves",
                    "setoption",
                    "name",
                    "value",
                    "perft",
                    "searchmoves",
                    "nodes",
                    "1",
                    "2",
                    "ponder",
                    "b1b3",
                    "hello",
                    "diagram",
                    "b",
                    "bench",
                    "wtime",
                    "MultiPV",
                    "uci",
                    "help",
                    "--version",
                ];
                let words: Vec<&str> = (0..6).map(|_| *self.pick(WORDS)).collect();
                words.join(" ").into_bytes()
            }
            _ => {
                let line = match self.rng.random_range(0..3) {
                    0 => self.go(model),
                    1 => self.position(model),
                    _ => self.option(),
                };
                self.mangled(&line).into_bytes()
            }
        }
    }
}

/// The moves of the current game.
fn moves(model: &EngineModel) -> String {
    let moves = model.session.history().into_iter().map(|played| played.mv.coordinate);
    moves.collect::<Vec<_>>().join(" ")
}
