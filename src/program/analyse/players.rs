//! The outputs of `--players`: a table, JSON lines and a page.

use std::io::{self, Write};
use std::path::Path;

use super::outputs::{JsonLines, Listener};
use soucie::analysis::game::AnalysisEvent;
use soucie::analysis::html::players::players_page;
use soucie::analysis::players::{MoveLoss, PlayerReport, Players};
use soucie::analysis::report::InputError;
use soucie::files::atomic_file::AtomicFile;
use soucie::files::printable::{excerpt, one_line, plural};

/// Collects the players of all games and writes the report on them in a format.
pub struct PlayersOutput<F> {
    players: Players,
    /// The number of games without the name of a player.
    unnamed: u64,
    format: F,
}

impl<F> PlayersOutput<F> {
    pub fn new(format: F) -> Self {
        Self { players: Players::default(), unnamed: 0, format }
    }
}

impl<F: PlayersFormat> Listener for PlayersOutput<F> {
    fn on(&mut self, event: &AnalysisEvent) -> io::Result<()> {
        match event {
            AnalysisEvent::Game(report) => {
                self.unnamed += u64::from(!self.players.add(report));
                // Of a game with an error, the moves before it count.
                let Some(error) = report.error.clone() else { return Ok(()) };
                self.format.failure(&InputError { origin: report.head.origin.clone(), error })
            }
            AnalysisEvent::Failure(failure) => self.format.failure(failure),
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if self.unnamed > 0 {
            let count = plural(self.unnamed, "game has", "games have");
            // A closed stderr is not an error.
            let _ = writeln!(io::stderr(), "soucie: {count} no names of players");
        }
        self.format.end(&self.players.reports().collect::<Vec<_>>())
    }
}

pub trait PlayersFormat {
    /// Called for an entry of the input that cannot be read, and for a game with an error.
    fn failure(&mut self, failure: &InputError) -> io::Result<()>;

    /// Called once, with all players.
    fn end(&mut self, reports: &[PlayerReport]) -> io::Result<()>;
}

pub struct PlayersTable<W>(pub W);

impl<W: Write> PlayersFormat for PlayersTable<W> {
    fn failure(&mut self, failure: &InputError) -> io::Result<()> {
        writeln!(self.0, "{failure}")?;
        self.0.flush()
    }

    fn end(&mut self, reports: &[PlayerReport]) -> io::Result<()> {
        let names: Vec<String> = reports.iter().map(name).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let out = &mut self.0;
        writeln!(
            out,
            "Average loss per move in % of a point: opening to move 10, middlegame to 25."
        )?;
        writeln!(
            out,
            "{:<width$}  games  moves   loss  opening  middlegame  endgame  mistakes  blunders  missed",
            "player"
        )?;
        for (report, name) in reports.iter().zip(names) {
            let PlayerReport { games, mistakes, blunders, missed_wins, all, .. } = report;
            let [loss, opening, middlegame, endgame] =
                [*all, report.opening, report.middlegame, report.endgame].map(percent);
            writeln!(
                out,
                "{name:<width$}  {games:>5}  {:>5}  {loss:>5}  {opening:>7}  {middlegame:>10}  \
                 {endgame:>7}  {mistakes:>8}  {blunders:>8}  {missed_wins:>6}",
                all.moves,
            )?;
        }
        out.flush()
    }
}

/// The name of a player, with the variant.
fn name(report: &PlayerReport) -> String {
    const LONGEST: usize = 40;
    let name = one_line(&report.player);
    format!("{} ({})", excerpt(&name, LONGEST), report.variant)
}

/// The average loss in percent; `-` without moves.
fn percent(part: MoveLoss) -> String {
    part.average_loss.map_or("-".to_string(), |loss| format!("{:.1}", 100.0 * loss))
}

impl<W: Write> PlayersFormat for JsonLines<W> {
    fn failure(&mut self, failure: &InputError) -> io::Result<()> {
        self.write(failure)
    }

    fn end(&mut self, reports: &[PlayerReport]) -> io::Result<()> {
        reports.iter().try_for_each(|report| self.write(report))
    }
}

pub struct PlayersPage {
    /// The output file; `None` once it is finished.
    file: Option<AtomicFile>,
    failures: Vec<InputError>,
    /// The name of the engine, and the limits of its searches.
    annotator: String,
}

/// The maximum number of entries that cannot be read on a page.
const MOST_FAILURES: usize = 1_000;

impl PlayersPage {
    /// Starts a temporary file that replaces `target` when the page is complete.
    pub fn begin(target: &Path, annotator: String) -> io::Result<Self> {
        Ok(Self { file: Some(AtomicFile::begin(target)?), failures: Vec::new(), annotator })
    }
}

impl PlayersFormat for PlayersPage {
    fn failure(&mut self, failure: &InputError) -> io::Result<()> {
        if self.failures.len() < MOST_FAILURES {
            self.failures.push(failure.clone());
        }
        Ok(())
    }

    fn end(&mut self, reports: &[PlayerReport]) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.write_all(players_page(reports, &self.failures, &self.annotator).as_bytes())?;
        file.finish()
    }
}
