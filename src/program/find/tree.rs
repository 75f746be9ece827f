//! The moves that the games have from a position, with their results and scores.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::ProgressBar;
use serde::Serialize;

use super::Errors;
use super::games::write_json;
use super::search::{GameResult, ResultSink, search};
use super::settings::FindSettings;
use crate::arguments;
use crate::error::CommandError;
use soucie::analysis::analyser::{Analyser, search_limits};
use soucie::analysis::report::{InputError, InputOrigin};
use soucie::archives::{
    Date, GameHeaders, GameResults, MoveStatistics, PositionStatistics, Query, QueryMatch,
    WantedPosition,
};
use soucie::engine::open_with;
use soucie::engine::uci_score::UciScore;
use soucie::files::printable::plural;
use soucie::game::Players;
use soucie::games::Tablebases;
use soucie::options::Options;
use soucie::records::{HeaderField, Record, RecordResult};
use soucie::search::{SearchMemory, Signals};

/// A game with the position: the move played in it, the result and the year.
type FoundMove = (Option<String>, RecordResult, Option<u16>);

/// A line of `--json`.
#[derive(Serialize)]
struct TreeMove<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    #[serde(flatten)]
    results: GameResults,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<UciScore>,
}

/// Prints the moves that the games have from the position of a query. Returns the number of games and other entries
/// of the archives.
pub fn print(
    settings: &FindSettings,
    query: &Query,
    output: &mut dyn Write,
    errors: &mut Errors,
    (bar, stop): (&ProgressBar, &AtomicBool),
) -> Result<usize, CommandError> {
    let Some(position) = &query.position else { return Ok(0) };
    let mut moves = FoundMoves { output, errors, statistics: PositionStatistics::default() };
    let entries = search(settings, (bar, stop), |record| find_move(query, record), &mut moves)?;
    let FoundMoves { output, statistics, .. } = moves;
    let moves = statistics.by_frequency();
    let scores = match settings.nodes {
        Some(nodes) => scores(position, &moves, nodes, stop)?,
        None => Vec::new(),
    };
    let scores = scores.into_iter().map(Some).chain(std::iter::repeat(None));
    if !settings.json {
        let games: u64 = statistics.moves.values().map(MoveStatistics::games).sum();
        let games = plural(games, "game", "games");
        writeln!(output, "{}: {games} of {entries}", position.setup())?;
        writeln!(
            output,
            "move        games   Black   White   drawn       %  95 %           last  score"
        )?;
    }
    for (&(mv, games), score) in moves.iter().zip(scores) {
        let row = TreeMove { mv, results: games.results(position.side()), score };
        match settings.json {
            true => write_json(output, &row)?,
            false => write_row(output, &row)?,
        }
    }
    Ok(entries)
}

fn find_move(query: &Query, record: &Record) -> GameResult<FoundMove> {
    let QueryMatch { is_found, position, error } = query.search(record);
    let found = is_found.then(|| {
        let date = record.header(HeaderField::Date).and_then(|text| Date::read(&text));
        (position.and_then(|position| position.next), record.result(), date.map(Date::year))
    });
    GameResult { found, error: error.map(|error| error.to_string()) }
}

struct FoundMoves<'a> {
    output: &'a mut dyn Write,
    errors: &'a mut Errors,
    statistics: PositionStatistics,
}

impl ResultSink<FoundMove> for FoundMoves<'_> {
    fn found(
        &mut self,
        _: (usize, InputOrigin),
        _: usize,
        (mv, result, year): FoundMove,
    ) -> Result<(), CommandError> {
        self.statistics.add(mv, result, year);
        Ok(())
    }

    fn failed(&mut self, error: InputError) -> Result<(), CommandError> {
        self.errors.add(error, self.output)
    }
}

/// The scores of the moves for the side to move, each of a search of so many positions that is restricted to it; only
/// the first ones if `stop` is set.
fn scores(
    position: &WantedPosition,
    moves: &[(&str, &MoveStatistics)],
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Vec<UciScore>, CommandError> {
    let options = Options::of_variant(Some(position.game()))?;
    let mut session = open_with(&options, &Tablebases::default())?;
    let evaluator = arguments::evaluator(&options.eval_file, Some(position.game()))?;
    session.set_network(evaluator.network(&options, session.game()));
    session.set_position(Some(position.setup()), &[])?;
    let limits = search_limits(Some(nodes), None, None);
    let analyser =
        Analyser { limits, options: options.search, players: Players::Engine, hash: HASH };
    let score = |&(mv, _): &(&str, &MoveStatistics)| {
        let table = Arc::new(SearchMemory::new(HASH)?);
        let signals = Arc::new(Signals::new(false));
        let analysis = analyser.search(&*session, &[mv], &table, &signals, &mut |_| {
            if stop.load(Relaxed) {
                signals.stop();
            }
        })?;
        let best = analysis.best().map(|line| line.score);
        best.ok_or_else(|| CommandError::Other("a move has no line".to_string()))
    };
    moves.iter().take_while(|_| !stop.load(Relaxed)).map(score).collect()
}

/// The transposition table of a search, in MiB.
const HASH: usize = 16;

fn write_row(output: &mut dyn Write, row: &TreeMove) -> io::Result<()> {
    let TreeMove { mv, results, score } = row;
    let GameResults { games, black, white, draws, percent, interval, year } = results;
    let percent = percent.map_or(String::new(), |percent| format!("{percent:.1}"));
    let interval = interval.map_or(String::new(), |[low, high]| format!("{low:.1} to {high:.1}"));
    let year = year.map_or(String::new(), |year| year.to_string());
    let score = score.map_or(String::new(), |score| score.to_string());
    let row = format!(
        "{mv:<9} {games:>7} {black:>7} {white:>7} {draws:>7} {percent:>7}  {interval:<13} {year:>5} {score:>6}"
    );
    writeln!(output, "{}", row.trim_end())
}
