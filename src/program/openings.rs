//! `soucie openings`: the openings that the engine has explored, as text or as an HTML page.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use maud::{Markup, html};

use super::arguments::VariantArgument;
use super::error::CommandError;
use soucie::analysis::html::board::BoardPicture;
use soucie::analysis::html::{PageText, beginning, end};
use soucie::book::{ExploredOpenings, OpeningStatistics};
use soucie::engine::NAME;
use soucie::files::atomic_file;
use soucie::game::{Game, MoveFormat, Variant};
use soucie::options::Options;
use soucie::with_game;

/// The settings of `soucie openings`.
#[derive(Args)]
#[command(after_help = NOTE)]
pub struct OpeningsSettings {
    #[command(flatten)]
    game: VariantArgument,
    /// Write them as an HTML page, with eight plies in place of four
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// The number of plies of the openings that are printed as text, and that the page has.
const PRINTED: usize = 4;
const LISTED: usize = 8;

pub fn run(settings: &OpeningsSettings, out: &mut impl Write) -> Result<(), CommandError> {
    let options = Options::of_variant(Some(&settings.game.variant))?;
    let text = with_game!(options.variant, |P, variant| text::<P>(settings, variant));
    let none = || CommandError::Other(format!("no openings of {} are explored", options.variant));
    let text = text.flatten().ok_or_else(none)?;
    match &settings.html {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(())
}

/// The page or the table of a game; `None` if no openings are known.
fn text<P: Game>(settings: &OpeningsSettings, variant: &Variant) -> Option<String> {
    let openings = ExploredOpenings::built_in::<P>()?;
    let start = P::read_setup(variant.start, P::Rules::default()).ok()?;
    // A variant with another start position has no openings of its own.
    let is_explored = !openings.moves(&start).is_empty();
    is_explored.then(|| match settings.html {
        Some(_) => page(&openings, &start, variant),
        None => table(&openings, &start, 0),
    })
}

/// The openings from a position, a line for each move, which is indented by its ply.
fn table<P: Game>(openings: &ExploredOpenings, position: &P, ply: usize) -> String {
    let lines = openings.moves(position).into_iter().map(|(mv, statistics)| {
        let name = format!("{:indent$}{}", "", standard(position, mv), indent = 2 * ply);
        let line = format!("{name:24} {}\n", described(&statistics));
        let behind = if ply + 1 < PRINTED {
            table(openings, &position.play(mv), ply + 1)
        } else {
            String::new()
        };
        line + &behind
    });
    lines.collect()
}

fn standard<P: Game>(position: &P, mv: P::Move) -> String {
    position.write_move(mv, MoveFormat::Standard)
}

fn described(OpeningStatistics { games, percent, score }: &OpeningStatistics) -> String {
    format!("{games:>6} games  {percent:>5.1} %  {:+.2}", f64::from(*score) / 100.0)
}

fn page<P: Game>(openings: &ExploredOpenings, start: &P, variant: &Variant) -> String {
    let sections = openings.moves(start).into_iter().map(|(mv, statistics)| {
        let position = start.play(mv);
        html! {
            section {
                h2 { (standard(start, mv)) }
                div.position {
                    figure { (BoardPicture::new(position.board(), variant.name).picture(None, &[])) }
                    div { p.verdict { (described(&statistics)) } (replies(openings, &position, 1)) }
                }
            }
        }
    });
    let sections: String = sections.map(Markup::into_string).collect();
    let title = html! { h2 { (variant.title) ": the engine against itself" } }.into_string();
    beginning(&PageText { title: "Openings", note: NOTE }, NAME, &[]) + &title + &sections + &end()
}

const NOTE: &str = "A move has the number of games that reached the position behind it, by whatever moves, \
    the points of the side that made it in per cent, and the engine's score for this side. Openings that differ only by \
    a reflection of the board are listed once.";

/// The moves of a position, each with the replies to it.
fn replies<P: Game>(openings: &ExploredOpenings, position: &P, ply: usize) -> Markup {
    // A position may be reached again.
    let moves = if ply < LISTED { openings.moves(position) } else { Vec::new() };
    html! {
        @if !moves.is_empty() {
            ul.openings {
                @for (mv, statistics) in moves {
                    li {
                        @let behind = replies(openings, &position.play(mv), ply + 1);
                        @let line = html! { b { (standard(position, mv)) } " " span.soft { (described(&statistics)) } };
                        @if behind.0.is_empty() { (line) }
                        @else { details { summary { (line) } (behind) } }
                    }
                }
            }
        }
    }
}
