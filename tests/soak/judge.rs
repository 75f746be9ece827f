//! Checks each line of output against the state of the dialogue.

use std::collections::VecDeque;

use serde_json::Value;
use soucie::engine::Side;
use soucie::engine::session::GameSession;
use soucie::games;

use crate::mirror::{EngineModel, ExpectedLine, Search, SearchCommand};

/// A task of the engine's search thread.
enum Task {
    Search(Box<Search>, SearchOutput),
    Perft(Box<dyn GameSession>, u64),
    Bench,
    Analysis(Analysis),
    /// A rejected search, for which this empty result is due.
    Rejected(&'static str),
}

/// The progress of an analysis.
#[derive(Default)]
struct Analysis {
    plies: usize,
    reviewed: usize,
    /// Whether the analysis may end early.
    stopped: bool,
}

/// The output of a search so far.
#[derive(Default)]
struct SearchOutput {
    /// The first move of the last line with MultiPV number 1.
    best: Option<String>,
    /// Whether it reported the end of the game.
    is_over: bool,
    /// Whether it reported a book move.
    from_book: bool,
}

/// Tracks the input of the program and checks its output.
#[derive(Default)]
pub struct OutputChecker {
    pub model: EngineModel,
    /// The replies that are due at once.
    due: VecDeque<ExpectedLine>,
    /// The tasks of the search thread, the current one first.
    tasks: VecDeque<Task>,
}

/// The beginning of the error for a command that needs a position.
const NO_POSITION: &str = "info string error the last position was refused: ";

type CheckResult = Result<(), String>;

fn ensure(condition: bool, fault: impl Into<String>) -> CheckResult {
    if condition { Ok(()) } else { Err(fault.into()) }
}

impl OutputChecker {
    /// Whether a reply is due at once.
    pub fn expects_reply(&self) -> bool {
        !self.due.is_empty()
    }

    /// Whether a task of the search thread has not ended.
    pub fn expects_search_output(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Processes a line that is sent to the program.
    pub fn add_input(&mut self, line: &[u8]) {
        let (due, effect) = self.model.execute_line(line);
        self.due.extend(due);
        match effect {
            None => {}
            Some(SearchCommand::Stop) => self.stop(),
            Some(SearchCommand::PonderHit) => {
                self.searches().for_each(|search| search.pondering = false)
            }
            Some(SearchCommand::Search(search)) => {
                self.start(Task::Search(search, SearchOutput::default()));
            }
            Some(SearchCommand::Perft(session)) => self.start(Task::Perft(session, 0)),
            Some(SearchCommand::Bench) => self.start(Task::Bench),
            Some(SearchCommand::Analysis(plies)) => {
                self.start(Task::Analysis(Analysis { plies, ..Analysis::default() }));
            }
            Some(SearchCommand::Rejected(empty)) => self.start(Task::Rejected(empty)),
        }
    }

    /// Processes the last bytes that are sent to the program.
    pub fn add_last_input(&mut self, bytes: &[u8]) {
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.add_input(line);
        }
        self.stop();
    }

    /// Lets all tasks end.
    fn stop(&mut self) {
        for task in &mut self.tasks {
            match task {
                Task::Search(search, _) => search.stopped = true,
                Task::Analysis(analysis) => analysis.stopped = true,
                Task::Perft(..) | Task::Bench | Task::Rejected(_) => {}
            }
        }
    }

    /// Adds a task. It ends infinite and pondering searches.
    fn start(&mut self, task: Task) {
        self.searches()
            .filter(|s| s.ends_at_next_search())
            .for_each(|search| search.stopped = true);
        self.tasks.push_back(task);
    }

    fn searches(&mut self) -> impl Iterator<Item = &mut Search> {
        self.tasks.iter_mut().filter_map(|task| match task {
            Task::Search(search, _) => Some(&mut **search),
            _ => None,
        })
    }

    /// Checks a line that the program prints.
    pub fn check_line(&mut self, line: &str) -> CheckResult {
        let is_due = match self.due.front() {
            Some(ExpectedLine::Line(due)) => due == line,
            Some(ExpectedLine::Error) => line.starts_with("info string error "),
            Some(ExpectedLine::NoPosition) => line.starts_with(NO_POSITION),
            None => false,
        };
        if is_due {
            self.due.pop_front();
            return Ok(());
        }
        let unexpected = format!("unexpected line; due is {:?}", self.due.front());
        let task = self.tasks.front_mut().ok_or(unexpected)?;
        let is_last = match task {
            Task::Search(search, output) => check_search_line(search, output, line),
            Task::Perft(session, total) => check_perft_line(&**session, total, line),
            Task::Bench => check_bench_line(line),
            Task::Analysis(analysis) => check_analysis_line(analysis, line),
            Task::Rejected(empty) => {
                ensure(line == *empty, "the search was rejected").map(|()| true)
            }
        }?;
        if is_last {
            self.tasks.pop_front();
        }
        Ok(())
    }
}

/// Checks a line of the benchmark. Returns whether it is the last one.
fn check_bench_line(line: &str) -> Result<bool, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| word.parse::<u64>().is_ok();
    match words[..] {
        ["unknown", "nodes", "(stopped)"] => Ok(true),
        [nodes, "nodes", nps, "nps"] => Ok(is_number(nodes) && is_number(nps)),
        [nodes, variant, ..] if is_number(nodes) && games::variant(variant).is_some() => Ok(false),
        _ => Err("no line of a benchmark".to_string()),
    }
}

/// Checks a line of perft. Returns whether it is the last one.
fn check_perft_line(
    session: &dyn GameSession,
    total: &mut u64,
    line: &str,
) -> Result<bool, String> {
    if line == "Nodes searched: unknown (stopped)" {
        return Ok(true);
    }
    let (mv, count) = line.split_once(": ").ok_or("no count")?;
    let count: u64 = count.parse().map_err(|_| "no number")?;
    if mv == "Nodes searched" {
        ensure(count == *total, format!("the sum is {total}"))?;
        return Ok(true);
    }
    *total += count;
    // Perft ignores draws by repetition.
    ensure(session.outcome().is_some() || session.with_moves(&[mv]).is_ok(), "illegal move")?;
    Ok(false)
}

/// Checks a line of an analysis. Returns whether it is the last one.
fn check_analysis_line(analysis: &mut Analysis, line: &str) -> Result<bool, String> {
    let object = line.strip_prefix("analyse ").ok_or("not a line of an analysis")?;
    let object: Value = serde_json::from_str(object).map_err(|error| error.to_string())?;
    if object["final"] == true {
        if object["stopped"] == true {
            ensure(analysis.stopped, "the analysis ended too early")?;
        } else {
            ensure(analysis.reviewed == analysis.plies, "moves without a review")?;
            let moves = object["game"]["moves"].as_array().ok_or("no moves")?;
            ensure(moves.len() == analysis.plies, "not all moves")?;
            let page = object["page"].as_str().ok_or("no page")?;
            ensure(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "no page")?;
        }
        return Ok(true);
    }
    analysis.reviewed += 1;
    ensure(object["ply"] == analysis.reviewed && object["plies"] == analysis.plies, "another ply")?;
    ensure(object["review"]["ply"] == analysis.reviewed, "another review").map(|()| false)
}

/// Checks a line of a search. Returns whether it is the last one.
fn check_search_line(
    search: &Search,
    output: &mut SearchOutput,
    line: &str,
) -> Result<bool, String> {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["bestmove", best, rest @ ..] => {
            check_best_move(search, output, best, rest)?;
            return Ok(true);
        }
        ["info", "string", "no", "win", "in", ..]
        | ["info", "string", "there", "is", "no", "win", "in", ..] => {
            ensure(search.limits.mate.is_some(), "no win was requested")?;
        }
        ["info", "string", "book", "move"] => {
            ensure(search.options.own_book && search.moves.is_empty(), "no book was requested")?;
            output.from_book = true;
        }
        ["info", "depth", "0", "score", ..] => {
            ensure(search.session.outcome().is_some(), "the game is not over")?;
            output.is_over = true;
        }
        ["info", "depth", _, "currmove", mv, "currmovenumber", number] => {
            ensure(number.parse::<usize>().is_ok_and(|n| n > 0), "a wrong number")?;
            play_line(&*search.session, &[mv])?;
        }
        ["info", "depth", ..] => {
            let number = check_info(search, &words)?;
            let pv = words.iter().skip_while(|&&word| word != "pv").nth(1);
            if number == 1 {
                output.best = pv.map(ToString::to_string);
            }
        }
        _ => return Err("not a line of a search".into()),
    }
    Ok(false)
}

/// Checks the move and the ponder move of `bestmove`.
fn check_best_move(
    search: &Search,
    output: &SearchOutput,
    best: &str,
    rest: &[&str],
) -> CheckResult {
    ensure(!search.must_continue(), "the search ended too early")?;
    if search.session.outcome().is_some() {
        ensure(output.is_over, "the end of the game was not reported")?;
        return ensure(best == "(none)" && rest.is_empty(), "a move after the end of the game");
    }
    let is_last_line = output.from_book || output.best.as_deref() == Some(best);
    ensure(is_last_line, format!("the last line begins with {:?}", output.best))?;
    match *rest {
        [] => play_line(&*search.session, &[best]),
        ["ponder", reply] => play_line(&*search.session, &[best, reply]),
        _ => Err("too many words".into()),
    }
    .map(|_| ())
}

/// Plays moves, which must be legal and in the notation of the options. Returns the final outcome.
fn play_line(session: &dyn GameSession, moves: &[&str]) -> Result<End, String> {
    let mut at = session.with_moves(&[]).map_err(|error| error.to_string())?;
    for mv in moves {
        ensure(at.outcome().is_none(), "a move after the end")?;
        at = at.with_moves(&[mv]).map_err(|error| error.to_string())?;
        ensure(
            at.last_move().is_some_and(|last| last.mv.coordinate == *mv || last.mv.standard == *mv),
            format!("{mv} is in another notation"),
        )?;
    }
    Ok(match at.outcome() {
        None => End::Open,
        Some(outcome) => outcome.winner.map_or(End::Drawn, End::Won),
    })
}

/// The outcome at the end of a line.
#[derive(PartialEq, Debug)]
enum End {
    Open,
    Drawn,
    Won(Side),
}

/// Checks an `info` line with a score. Returns its MultiPV number.
fn check_info(search: &Search, words: &[&str]) -> Result<usize, String> {
    let number = |word: &str| -> Result<i64, String> {
        let value = words.iter().skip_while(|&&w| w != word).nth(1);
        value.and_then(|v| v.parse().ok()).ok_or(format!("no number after {word}"))
    };
    let (depth, seldepth) = (number("depth")?, number("seldepth")?);
    ensure((1..128).contains(&depth) && seldepth >= 0, "a wrong depth")?;
    let limit = search.limits.depth.unwrap_or(127).clamp(1, 127);
    ensure(depth <= limit as i64, "deeper than requested")?;
    let nodes = number("nodes")?;
    let limit = search.limits.nodes.filter(|_| search.options.search.threads == 1);
    ensure(limit.is_none_or(|limit| nodes as u64 <= limit), "more nodes than requested")?;
    for word in ["nps", "time"] {
        ensure(number(word)? >= 0, format!("{word} is negative"))?;
    }
    ensure((0..=1000).contains(&number("hashfull")?), "hashfull is not in thousandths")?;
    let line = number("multipv")? as usize;
    let lines = search.options.search.multipv.min(search.session.legal_moves().len());
    ensure((1..=lines.max(1)).contains(&line), "more lines than requested")?;
    let pv: Vec<&str> = words.iter().skip_while(|&&w| w != "pv").skip(1).copied().collect();
    ensure(!pv.is_empty(), "an empty line")?;
    let end = play_line(&*search.session, &pv)?;
    if let Some(first) = pv.first().filter(|_| !search.moves.is_empty()) {
        let key = |mv: &str| search.session.with_moves(&[mv]).map(|next| next.key()).ok();
        ensure(search.moves.iter().any(|mv| key(mv) == key(first)), "not one of searchmoves")?;
    }
    check_score(search, words, pv.len(), &end)?;
    Ok(line)
}

/// Checks the score and whether it matches the end of its line.
fn check_score(search: &Search, words: &[&str], plies: usize, end: &End) -> CheckResult {
    let fields = words.iter().skip_while(|&&w| w != "score").skip(1);
    let mut fields = fields.take_while(|&&w| w != "nodes").copied();
    let (kind, value) = (fields.next(), fields.next().and_then(|v| v.parse::<i64>().ok()));
    let value = value.ok_or("a score without a number")?;
    let mut rest: Vec<&str> = fields.collect();
    let is_bound = rest.first().is_some_and(|w| ["lowerbound", "upperbound"].contains(w));
    if is_bound {
        rest.remove(0);
    }
    match (rest.as_slice(), search.options.show_wdl) {
        ([], false) => {}
        (["wdl", odds @ ..], true) if odds.len() == 3 => {
            let sum: u32 = odds.iter().filter_map(|n| n.parse::<u32>().ok()).sum();
            ensure(sum == 1000, "the odds do not add up to 1000")?;
        }
        _ => return Err(format!("unexpected words after the score: {rest:?}")),
    }
    match kind {
        Some("cp") => ensure(value.abs() < 1_000_000, "a score out of range"),
        Some("mate") => {
            // The line may begin and end with a move of the loser.
            ensure(plies as i64 <= 2 * value.abs() + 1, "a line longer than the mate")?;
            let us = search.session.evaluation().side;
            let winner = if value > 0 { us } else { !us };
            let fits = *end == End::Open || *end == End::Won(winner);
            ensure(is_bound || fits, format!("a proved win of {winner} whose line ends {end:?}"))
        }
        _ => Err("neither a cp nor a mate score".into()),
    }
}
