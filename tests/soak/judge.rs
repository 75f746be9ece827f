//! Whether an answer is one that may come now.

use std::collections::VecDeque;

use serde_json::Value;
use soucie::engine::Side;
use soucie::engine::session::GameSession;

use crate::mirror::{Due, Mirror, Order, Search};

/// What runs on the search thread of the program.
enum Running {
    Search(Box<Search>, Heard),
    Perft(Box<dyn GameSession>, u64),
    Bench,
    Analysis(Analysis),
    /// A search that was refused and waits for this empty answer.
    Refused(&'static str),
}

/// An analysis, and how much of it was heard.
#[derive(Default)]
struct Analysis {
    plies: usize,
    reviewed: usize,
    /// Whether it may end early.
    stopped: bool,
}

/// What a search has said so far.
#[derive(Default)]
struct Heard {
    /// The first move of the last best line.
    best: Option<String>,
    /// Whether it said that the game is over.
    over: bool,
    /// Whether it said that the best move is that of a book.
    from_book: bool,
}

/// Knows what the program was told, and what it owes.
#[derive(Default)]
pub struct Judge {
    pub mirror: Mirror,
    due: VecDeque<Due>,
    running: VecDeque<Running>,
}

const NO_POSITION: &str = "info string error the last position was refused: ";

type Verdict = Result<(), String>;

fn hold(is_so: bool, fault: impl Into<String>) -> Verdict {
    if is_so { Ok(()) } else { Err(fault.into()) }
}

impl Judge {
    /// Whether an answer is due at once.
    pub fn awaits_answer(&self) -> bool {
        !self.due.is_empty()
    }

    /// Whether a search has not said its last word.
    pub fn awaits_search(&self) -> bool {
        !self.running.is_empty()
    }

    /// The program is told a line.
    pub fn told(&mut self, line: &[u8]) {
        let (due, order) = self.mirror.hear(line);
        self.due.extend(due);
        match order {
            None => {}
            Some(Order::Stop) => self.stop(),
            Some(Order::PonderHit) => self.searches().for_each(|search| search.pondering = false),
            Some(Order::Search(search)) => {
                self.next(Running::Search(search, Heard::default()));
            }
            Some(Order::Perft(session)) => self.next(Running::Perft(session, 0)),
            Some(Order::Bench) => self.next(Running::Bench),
            Some(Order::Analysis(plies)) => {
                self.next(Running::Analysis(Analysis { plies, ..Analysis::default() }));
            }
            Some(Order::Refused(empty)) => self.next(Running::Refused(empty)),
        }
    }

    /// The program is told its last bytes.
    pub fn left(&mut self, bytes: &[u8]) {
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.told(line);
        }
        self.stop();
    }

    /// Whatever was asked for may end.
    fn stop(&mut self) {
        for running in &mut self.running {
            match running {
                Running::Search(search, _) => search.stopped = true,
                Running::Analysis(analysis) => analysis.stopped = true,
                Running::Perft(..) | Running::Bench | Running::Refused(_) => {}
            }
        }
    }

    fn next(&mut self, running: Running) {
        self.searches().filter(|s| s.gives_way()).for_each(|search| search.stopped = true);
        self.running.push_back(running);
    }

    fn searches(&mut self) -> impl Iterator<Item = &mut Search> {
        self.running.iter_mut().filter_map(|running| match running {
            Running::Search(search, _) => Some(&mut **search),
            _ => None,
        })
    }

    /// The program says a line.
    pub fn heard(&mut self, line: &str) -> Verdict {
        let is_due = match self.due.front() {
            Some(Due::Line(due)) => due == line,
            Some(Due::Error) => line.starts_with("info string error "),
            Some(Due::NoPosition) => line.starts_with(NO_POSITION),
            None => false,
        };
        if is_due {
            self.due.pop_front();
            return Ok(());
        }
        let waited = format!("nobody asked for this; due is {:?}", self.due.front());
        let running = self.running.front_mut().ok_or(waited)?;
        let ends = match running {
            Running::Search(search, heard) => search_says(search, heard, line),
            Running::Perft(session, total) => perft_says(&**session, total, line),
            Running::Bench => Ok(line.ends_with(" nps")),
            Running::Analysis(analysis) => analysis_says(analysis, line),
            Running::Refused(empty) => hold(line == *empty, "a search was refused").map(|()| true),
        }?;
        if ends {
            self.running.pop_front();
        }
        Ok(())
    }
}

/// Judges a line of a count; true for the last one.
fn perft_says(session: &dyn GameSession, total: &mut u64, line: &str) -> Result<bool, String> {
    if line == "Nodes searched: unknown (stopped)" {
        return Ok(true);
    }
    let (mv, count) = line.split_once(": ").ok_or("no count")?;
    let count: u64 = count.parse().map_err(|_| "no number")?;
    if mv == "Nodes searched" {
        hold(count == *total, format!("the sum is {total}"))?;
        return Ok(true);
    }
    *total += count;
    // A count looks at the board alone: a draw by repetition is none to it.
    let view = session.view();
    hold(view.outcome.is_some() || view.moves.iter().any(|legal| legal == mv), "illegal move")?;
    Ok(false)
}

/// Judges a line of an analysis; true for the last one.
fn analysis_says(analysis: &mut Analysis, line: &str) -> Result<bool, String> {
    let object = line.strip_prefix("analyse ").ok_or("no line of an analysis")?;
    let object: Value = serde_json::from_str(object).map_err(|error| error.to_string())?;
    if object["final"] == true {
        if object["stopped"] == true {
            hold(analysis.stopped, "the analysis ended too early")?;
        } else {
            hold(analysis.reviewed == analysis.plies, "moves without a review")?;
            let moves = object["game"]["moves"].as_array().ok_or("no moves")?;
            hold(moves.len() == analysis.plies, "not all moves")?;
            let page = object["page"].as_str().ok_or("no page")?;
            hold(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "no page")?;
        }
        return Ok(true);
    }
    analysis.reviewed += 1;
    hold(object["ply"] == analysis.reviewed && object["plies"] == analysis.plies, "another ply")?;
    hold(object["review"]["ply"] == analysis.reviewed, "another review").map(|()| false)
}

/// Judges a line of a search; true for the last one.
fn search_says(search: &Search, heard: &mut Heard, line: &str) -> Result<bool, String> {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["bestmove", best, rest @ ..] => {
            best_move(search, heard, best, rest)?;
            return Ok(true);
        }
        ["info", "string", "no", "win", "in", ..]
        | ["info", "string", "there", "is", "no", "win", "in", ..] => {
            hold(search.limits.mate.is_some(), "no win was requested")?;
        }
        ["info", "string", "book", "move"] => {
            hold(search.options.own_book && search.moves.is_empty(), "no book was requested")?;
            heard.from_book = true;
        }
        ["info", "depth", "0", "score", ..] => {
            hold(search.session.view().outcome.is_some(), "the game is not over")?;
            heard.over = true;
        }
        ["info", "depth", _, "currmove", mv, "currmovenumber", number] => {
            hold(number.parse::<usize>().is_ok_and(|n| n > 0), "a wrong number")?;
            line_of_play(&*search.session, &[mv])?;
        }
        ["info", "depth", ..] => {
            let number = info(search, &words)?;
            let pv = words.iter().skip_while(|&&word| word != "pv").nth(1);
            if number == 1 {
                heard.best = pv.map(ToString::to_string);
            }
        }
        _ => return Err("no search says this".into()),
    }
    Ok(false)
}

fn best_move(search: &Search, heard: &Heard, best: &str, rest: &[&str]) -> Verdict {
    hold(!search.must_go_on(), "the search ended too early")?;
    if search.session.view().outcome.is_some() {
        hold(heard.over, "the end of the game was not told")?;
        return hold(best == "(none)" && rest.is_empty(), "a move after the end of the game");
    }
    let is_last_line = heard.from_book || heard.best.as_deref() == Some(best);
    hold(is_last_line, format!("the last line: {:?}", heard.best))?;
    match *rest {
        [] => line_of_play(&*search.session, &[best]),
        ["ponder", reply] => line_of_play(&*search.session, &[best, reply]),
        _ => Err("too many words".into()),
    }
    .map(|_| ())
}

/// Plays moves, which must be legal and written as the options say; tells who has won then.
fn line_of_play(session: &dyn GameSession, moves: &[&str]) -> Result<End, String> {
    let mut at = session.with_moves(&[]).map_err(|error| error.to_string())?;
    for mv in moves {
        let legal = at.view().moves;
        hold(legal.iter().any(|l| l == mv), format!("{mv} is not one of {legal:?}"))?;
        at = at.with_moves(&[mv]).map_err(|error| error.to_string())?;
    }
    Ok(match at.view().outcome {
        None => End::Open,
        Some(ending) => ending.winner.map_or(End::Drawn, End::Won),
    })
}

#[derive(PartialEq, Debug)]
enum End {
    Open,
    Drawn,
    Won(Side),
}

/// Judges a line of a depth; returns its number among those of this depth.
fn info(search: &Search, words: &[&str]) -> Result<usize, String> {
    let number = |word: &str| -> Result<i64, String> {
        let value = words.iter().skip_while(|&&w| w != word).nth(1);
        value.and_then(|v| v.parse().ok()).ok_or(format!("no number behind {word}"))
    };
    let (depth, seldepth) = (number("depth")?, number("seldepth")?);
    hold((1..128).contains(&depth) && seldepth >= 0, "a wrong depth")?;
    let asked = search.limits.depth.unwrap_or(127).clamp(1, 127);
    hold(depth <= asked as i64, "deeper than asked for")?;
    let nodes = number("nodes")?;
    let limit = search.limits.nodes.filter(|_| search.options.threads == 1);
    hold(limit.is_none_or(|limit| nodes as u64 <= limit), "more nodes than asked for")?;
    for word in ["nps", "time"] {
        hold(number(word)? >= 0, format!("{word} is negative"))?;
    }
    hold((0..=1000).contains(&number("hashfull")?), "hashfull is in thousandths")?;
    let line = number("multipv")? as usize;
    let lines = search.options.multipv.min(search.session.view().moves.len());
    hold((1..=lines.max(1)).contains(&line), "more lines than asked for")?;
    let pv: Vec<&str> = words.iter().skip_while(|&&w| w != "pv").skip(1).copied().collect();
    hold(!pv.is_empty(), "no line of play")?;
    let end = line_of_play(&*search.session, &pv)?;
    if let Some(first) = pv.first().filter(|_| !search.moves.is_empty()) {
        let key = |mv: &str| search.session.with_moves(&[mv]).map(|next| next.view().key).ok();
        hold(search.moves.iter().any(|mv| key(mv) == key(first)), "not one of searchmoves")?;
    }
    score(search, words, pv.len(), &end)?;
    Ok(line)
}

/// Judges the score and whether it goes with its line.
fn score(search: &Search, words: &[&str], plies: usize, end: &End) -> Verdict {
    let said = words.iter().skip_while(|&&w| w != "score").skip(1);
    let mut said = said.take_while(|&&w| w != "nodes").copied();
    let (kind, value) = (said.next(), said.next().and_then(|v| v.parse::<i64>().ok()));
    let value = value.ok_or("a score without a number")?;
    let mut rest: Vec<&str> = said.collect();
    let is_bound = rest.first().is_some_and(|w| ["lowerbound", "upperbound"].contains(w));
    if is_bound {
        rest.remove(0);
    }
    match (rest.as_slice(), search.options.show_wdl) {
        ([], false) => {}
        (["wdl", odds @ ..], true) if odds.len() == 3 => {
            let sum: u32 = odds.iter().filter_map(|n| n.parse::<u32>().ok()).sum();
            hold(sum == 1000, "the odds are not of a thousand")?;
        }
        _ => return Err(format!("strange words behind a score: {rest:?}")),
    }
    match kind {
        Some("cp") => hold(value.abs() < 1_000_000, "a score beyond reason"),
        Some("mate") => {
            // The winner may be spared its last move, the loser may make one first.
            hold(plies as i64 <= 2 * value.abs() + 1, "a line longer than the way to the win")?;
            let us = search.session.evaluation().side;
            let winner = if value > 0 { us } else { !us };
            let fits = *end == End::Open || *end == End::Won(winner);
            hold(is_bound || fits, format!("a proved win of {winner} whose line ends {end:?}"))
        }
        _ => Err("a score of no kind".into()),
    }
}
