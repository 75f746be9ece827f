//! The text output: tables for the terminal.

use std::io::{self, Write};

use super::analyser::AnalysedLine;
use super::exact::{Exact, Value};
use super::report::{Failure, GameReport, Head, Listener, PositionReport};
use super::review::{MoveReview, Tally};
use crate::engine::uci_score::UciScore;
use crate::files::printable::one_line;

/// Writes games as tables with one line a move, and positions as lists of lines.
pub struct Tables<W>(pub W);

/// The maximum number of moves of a better line that are shown.
const SHOWN: usize = 8;

impl<W: Write> Listener for Tables<W> {
    fn game_begins(&mut self, head: &Head) -> io::Result<()> {
        writeln!(self.0, "Game {}: {}", head.number, one_line(&title(head)))?;
        if head.variant_is_assumed {
            writeln!(self.0, "      Taken for {}; --variant says otherwise.", head.variant)?;
        }
        writeln!(self.0, "      Scores are Black's: + is good for Black, - for White.")?;
        writeln!(self.0, "{:>4}  {:<9}   {:>7}  better", "ply", "move", "score")?;
        self.0.flush()
    }

    fn move_judged(&mut self, review: &MoveReview) -> io::Result<()> {
        let sign = review.mark.map_or("", |mark| mark.sign());
        let side = review.side;
        let score = for_black(side, review.score);
        write!(self.0, "{:>4}  {:<9}{sign:<2} {score:>7}", review.ply, review.mv)?;
        if review.mark.is_some() || review.missed_win.is_some() {
            let line = review.best.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>();
            let best = for_black(side, review.best_score);
            write!(self.0, "  {best} {}", line.join(" "))?;
        }
        if let Some(table) = review.table {
            write!(self.0, "  {}", table_text(table, side))?;
        }
        writeln!(self.0)?;
        self.0.flush()
    }

    fn game(&mut self, report: &GameReport) -> io::Result<()> {
        let out = &mut self.0;
        if let Some(error) = &report.error {
            writeln!(out, "      {error}")?;
        }
        if let Some(ending) = &report.ending {
            writeln!(out, "      {ending}")?;
        }
        match report.decided {
            Some(decision) => {
                let winner = capitalised(decision.winner);
                writeln!(out, "      Decided from ply {} on, for {winner}.", decision.ply)?;
            }
            None => writeln!(out, "      Never decided.")?,
        }
        for (side, tally) in [("Black", &report.play.black), ("White", &report.play.white)] {
            writeln!(out, "      {side}: {}", tally_text(tally))?;
        }
        writeln!(out)?;
        out.flush()
    }

    fn position(&mut self, report: &PositionReport) -> io::Result<()> {
        let out = &mut self.0;
        writeln!(out, "Position {}: {}", report.number, report.setup)?;
        match &report.ending {
            Some(ending) => writeln!(out, "      {ending}")?,
            None => {
                let AnalysedLine { score, .. } =
                    report.judgement.lines.first().ok_or_else(nothing)?;
                let (depth, side) = (report.judgement.depth, report.side);
                let score = for_black(side, *score);
                write!(out, "      depth {depth}, score {score} for Black")?;
                if let Some(table) = report.judgement.table {
                    write!(out, ", {}", table_text(table, side))?;
                }
                writeln!(out)?;
                for line in &report.judgement.lines {
                    let score = for_black(side, line.score);
                    writeln!(out, "{score:>7}  {}", line.pv.join(" "))?;
                }
            }
        }
        writeln!(out)?;
        out.flush()
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        writeln!(self.0, "{}: {}\n", failure.origin, failure.error)?;
        self.0.flush()
    }
}

fn nothing() -> io::Error {
    io::Error::other("a position has no line")
}

/// The title of a game: the players, event, date and result.
pub fn title(head: &Head) -> String {
    let name = |name: &Option<String>, side: &str| match name {
        Some(name) => format!("{name} ({side})"),
        None => side.to_string(),
    };
    let mut title = format!("{} - {}", name(&head.black, "Black"), name(&head.white, "White"));
    for part in [&head.event, &head.date, &head.result].into_iter().flatten() {
        title += ", ";
        title += part;
    }
    title
}

/// Converts a score of a side, `black` or `white`, to Black's view.
pub fn for_black(side: &str, score: UciScore) -> UciScore {
    if side == "black" { score } else { -score }
}

/// The endgame table value for a side, `black` or `white`, in words.
pub fn table_text(exact: Exact, side: &str) -> String {
    let is_black = match exact.value {
        Value::Draw => return "table draw".to_string(),
        Value::Win => side == "black",
        Value::Loss => side != "black",
    };
    let winner = if is_black { "Black" } else { "White" };
    format!("table win for {winner}{}", exact.length())
}

/// A score, followed by the endgame table value if there is one.
pub fn worth_text(score: UciScore, table: Option<Exact>) -> String {
    table.map_or_else(|| score.to_string(), |table| format!("{score}, {table}"))
}

/// The statistics of a side in words.
pub fn tally_text(tally: &Tally) -> String {
    let count = |n: u32, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    format!(
        "{}, {}, {}, {} missed; {:.1} % of a point lost a move",
        count(tally.moves, "move"),
        count(tally.mistakes, "mistake"),
        count(tally.blunders, "blunder"),
        count(tally.missed_wins, "win"),
        100.0 * tally.loss / f64::from(tally.moves.max(1)),
    )
}

fn capitalised(side: &str) -> &str {
    if side == "black" { "Black" } else { "White" }
}
