//! Formats the output of the engine as lines of text.

use std::fmt::Write;
use std::iter;
use std::time::Duration;

use crate::engine::event::{Event, Info};
use crate::engine::session::{Evaluation, GameSession};
use crate::engine::uci_score::{UciScore, Wdl};
use crate::engine::{LONGEST_MATE, NAME};
use crate::game::{Side, Variant};
use crate::options::{OptionKind, UciOption, uci_options};
use crate::search::Bound;

/// The author in the answers to `uci` and its relatives.
pub const AUTHOR: &str = "the Soucie authors";

/// The answer to `uci`: name, author, the options that are offered, and a last line.
pub fn identity(last: &str, is_offered: impl Fn(&UciOption) -> bool) -> String {
    let mut text = format!("id name {NAME}\nid author {AUTHOR}\n");
    for option in uci_options().into_iter().filter(is_offered) {
        let default = option.default();
        let _ = write!(text, "option name {} type ", option.name);
        let _ = match option.kind {
            OptionKind::Spin { min, max, .. } => {
                writeln!(text, "spin default {default} min {min} max {max}")
            }
            OptionKind::Check => writeln!(text, "check default {default}"),
            OptionKind::Path => writeln!(text, "string default {default}"),
            OptionKind::Button => writeln!(text, "button"),
            OptionKind::Combo { values } => {
                let vars: String = values.iter().map(|value| format!(" var {value}")).collect();
                writeln!(text, "combo default {default}{vars}")
            }
        };
    }
    text + last
}

pub fn error(text: &str) -> String {
    format!("info string error {text}")
}

pub fn note(text: &str) -> String {
    format!("info string {text}")
}

/// The answer to endgame tables of up to `pieces` pieces that a program has passed on.
pub fn tables(pieces: usize) -> String {
    format!("info string tables of up to {pieces} pieces")
}

/// The note that a mate search is shortened to the longest supported mate.
pub fn shorter_mate(wanted: u32) -> String {
    format!(
        "info string mate {wanted} is beyond the limit: looking for a win in {LONGEST_MATE} moves"
    )
}

/// The setup of a variant for chess boards that do not support it, in the format that their
/// adapters read. `None` if such a board could neither set it up nor show the moves.
pub fn variant(variant: &Variant) -> Option<String> {
    let Variant { name, start, .. } = variant;
    fits_chess_board(variant).then(|| {
        let board = "files 8 ranks 8 pocket 0 template fairy";
        format!("info string variant {name} {board} startpos {start}")
    })
}

/// Whether a chess board can set up and play a variant: its start is written rank by rank.
pub fn fits_chess_board(variant: &Variant) -> bool {
    variant.start.contains('/')
}

/// Formats an event as one or more lines.
pub fn event(event: &Event) -> String {
    match event {
        Event::Info(info) => line(info),
        Event::Current { depth, mv, number } => {
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Event::Finished { score, wdl, chances } => {
            let (score, wdl, chances) = (uci_score(*score), uci_wdl(*wdl), uci_chances(*chances));
            format!("info depth 0 score {score}{wdl}{chances}")
        }
        Event::NoMate { moves, certain } => {
            let plural = if *moves == 1 { "" } else { "s" };
            let (head, tail) = if *certain { ("there is ", "") } else { ("", " was found") };
            format!("info string {head}no win in {moves} move{plural}{tail}")
        }
        Event::BookMove => "info string book move".to_string(),
        Event::Best { best, ponder } => {
            let best = best.as_deref().unwrap_or("(none)");
            match ponder {
                Some(ponder) => format!("bestmove {best} ponder {ponder}"),
                None => format!("bestmove {best}"),
            }
        }
        Event::Line(line) => line.clone(),
        Event::Divide { mv, nodes } => format!("{mv}: {nodes}"),
        Event::Perft { nodes: Some(nodes) } => format!("Nodes searched: {nodes}"),
        Event::Perft { nodes: None } => "Nodes searched: unknown (stopped)".to_string(),
        Event::BenchPosition { variant, setup, nodes } => format!("{nodes:>9} {variant} {setup}"),
        Event::Bench { nodes: Some(nodes), time } => {
            format!("{nodes} nodes {} nps", speed(*nodes, *time))
        }
        Event::Bench { nodes: None, .. } => "unknown nodes (stopped)".to_string(),
    }
}

fn line(info: &Info) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{}{} nodes {} nps {} hashfull {}{} time {} pv {}",
        info.depth,
        info.seldepth,
        info.multipv,
        uci_score(info.score),
        uci_wdl(info.wdl),
        uci_chances(info.chances),
        info.nodes,
        speed(info.nodes, info.time),
        info.hashfull,
        if info.tb_hits > 0 { format!(" tbhits {}", info.tb_hits) } else { String::new() },
        info.time.as_millis(),
        info.pv.join(" "),
    )
}

fn uci_score(score: UciScore) -> String {
    match score {
        UciScore::Mate(moves) => format!("mate {moves}"),
        UciScore::Centipawns(number) => format!("cp {number}"),
    }
}

fn uci_wdl(wdl: Option<Wdl>) -> String {
    wdl.map_or(String::new(), |wdl| format!(" wdl {} {} {}", wdl.wins, wdl.draws, wdl.losses))
}

fn uci_chances(chances: Option<u32>) -> String {
    chances.map_or(String::new(), |points| format!(" chances {points}"))
}

/// Nodes per second.
pub fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// The answer to `d`: board, setup, key, number of legal moves and result.
pub fn board(game: &dyn GameSession) -> String {
    let (diagram, setup, key) = (game.diagram(), game.setup(), game.key());
    let mut text = format!("{diagram}\nFen: {setup}\nKey: {key:016x}\n");
    let _ = write!(text, "Legal moves: {}", game.legal_moves().len());
    if let Some(outcome) = game.outcome() {
        let _ = write!(text, "\nGame over: {outcome}");
    }
    text
}

/// The legal moves, preceded by the command word `word`.
pub fn moves(word: &str, game: &dyn GameSession) -> String {
    iter::once(word.to_string()).chain(game.legal_moves()).collect::<Vec<_>>().join(" ")
}

/// The answer to `eval`: a table of the handcrafted terms, and the totals.
pub fn evaluation(evaluation: &Evaluation) -> String {
    let mut text = format!("{:<16}{:>8}{:>8}\n", "", Side::Black, Side::White);
    for term in &evaluation.terms {
        let [black, white] = term.value;
        let _ = writeln!(text, "{:<16}{black:>8}{white:>8}", term.name);
    }
    let mut say = |name: &str, score: i32| {
        let _ = writeln!(text, "{name}: {score:+} centipawns for {}, to move", evaluation.side);
    };
    if let Some(score) = evaluation.network {
        say("Handcrafted", evaluation.score);
        say("Network", score);
    }
    say("Evaluation", evaluation.network.unwrap_or(evaluation.score));
    text.trim_end().to_string()
}
