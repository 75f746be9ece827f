//! The page of a report on players.

use maud::{DOCTYPE, Markup, html};

use super::{failure_note, head, words};
use crate::analysis::players::{MoveLoss, PlayerReport};
use crate::analysis::report::InputError;
use crate::games;

/// The whole page, with the entries of the input that could not be read.
pub fn players_page(reports: &[PlayerReport], failures: &[InputError], by: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head("Players"))
            body {
                main {
                    h1 { "Players" }
                    p.soft {
                        "By " (by) ". "
                        "The loss is the average of the expected points that a move lost, in all "
                        "moves, up to move 10, up to move 25, and after that."
                    }
                    div.players { (table(reports)) }
                    @for failure in failures { (failure_note(failure)) }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn table(reports: &[PlayerReport]) -> Markup {
    const HEADINGS: [&str; 11] = [
        "Player",
        "Game",
        "Games",
        "Moves",
        "Loss",
        "Opening",
        "Middlegame",
        "Endgame",
        "Mistakes",
        "Blunders",
        "Missed wins",
    ];
    html! {
        table.tally {
            thead { tr { @for heading in HEADINGS { th scope="col" { (heading) } } } }
            tbody {
                @for report in reports {
                    tr {
                        th scope="row" { (words::quoted(&report.player)) }
                        td { (games::variant(report.variant).map_or(report.variant, |v| v.title)) }
                        td { (report.games) }
                        td { (report.all.moves) }
                        @for part in [report.all, report.opening, report.middlegame, report.endgame] {
                            td { (loss(part)) }
                        }
                        td { (report.mistakes) }
                        td { (report.blunders) }
                        td { (report.missed_wins) }
                    }
                }
            }
        }
    }
}

/// The average loss in percent; a dash without moves.
fn loss(part: MoveLoss) -> String {
    part.average_loss.map_or("\u{2013}".to_string(), |loss| format!("{:.1} %", 100.0 * loss))
}
