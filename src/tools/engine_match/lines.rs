//! Parses the output of an engine before its move: the reported score, and lines that violate the
//! protocol.

use super::player::Answer;
use crate::engine::session::GameSession;
use crate::tools::analyse::analyser::Score;

/// The maximum length of a quotation from an engine, in characters.
const QUOTED: usize = 200;

/// Returns the beginning of a text from an engine.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

/// Returns whether a line reports an error in the input of the engine.
pub fn is_complaint(line: &str) -> bool {
    line.starts_with("info string error")
}

/// The values of the last principal variation before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReportedScore {
    /// The score for the side to move.
    pub score: Option<Score>,
    /// Whether the score is exact and not a bound.
    pub is_exact: bool,
    /// The depth of the search, in plies.
    pub depth: Option<u64>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

/// Returns the values of the last `info` line with a principal variation of the best move.
pub fn told(lines: &[String]) -> ReportedScore {
    let mut principal = lines.iter().filter(|line| variation(line).is_some() && is_principal(line));
    principal.next_back().map_or(ReportedScore::default(), |line| ReportedScore {
        score: score(line),
        is_exact: is_exact(line),
        depth: number_behind(line, "depth"),
        nodes: number_behind(line, "nodes"),
    })
}

fn score(line: &str) -> Option<Score> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "score").skip(1);
    match (words.next()?, words.next()?.parse().ok()?) {
        ("cp", centipawns) => Some(Score::Cp(centipawns)),
        ("mate", moves) => Some(Score::Mate(moves)),
        _ => None,
    }
}

/// Returns whether the score of a line is exact.
fn is_exact(line: &str) -> bool {
    !line.split_whitespace().any(|word| matches!(word, "lowerbound" | "upperbound"))
}

/// Returns the number after a keyword of an `info` line.
fn number_behind(line: &str, word: &str) -> Option<u64> {
    line.split_whitespace().skip_while(|&other| other != word).nth(1)?.parse().ok()
}

/// Returns the moves after `pv` in an `info` line with a score.
fn variation(line: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["info", rest @ ..] = words.as_slice() else { return None };
    if rest.first() == Some(&"string") || !rest.contains(&"score") {
        return None;
    }
    let moves: Vec<&str> = rest.iter().copied().skip_while(|&word| word != "pv").skip(1).collect();
    (!moves.is_empty()).then_some(moves)
}

/// Returns whether a line is about the best move, and not about another move of a multi-PV search.
fn is_principal(line: &str) -> bool {
    number_behind(line, "multipv").is_none_or(|place| place == 1)
}

/// Returns descriptions of the lines of an answer that violate the protocol or contain illegal
/// moves.
pub fn complaints(answer: &Answer, session: &dyn GameSession) -> Vec<String> {
    let mut found = Vec::new();
    let mut last = None;
    for line in &answer.lines {
        if is_complaint(line) || line.starts_with("bestmove") {
            found.push(format!("unexpected line '{}'", excerpt(line)));
        }
        let Some(moves) = variation(line) else { continue };
        if let Err(error) = session.with_moves(&moves) {
            found.push(format!("{} in '{}'", excerpt(&error.to_string()), excerpt(line)));
        }
        if is_principal(line) {
            last = Some((moves, line));
        }
    }
    let best = excerpt(&answer.best);
    match last {
        None => found.push(format!("no score and line of play before 'bestmove {best}'")),
        Some((moves, line))
            if !moves.first().is_some_and(|mv| is_same(mv, &answer.best, session)) =>
        {
            found.push(format!("'bestmove {best}' after '{}'", excerpt(line)));
        }
        Some(_) => {}
    }
    if let Some(ponder) = &answer.ponder
        && session.with_moves(&[&answer.best]).is_ok_and(|next| next.with_moves(&[ponder]).is_err())
    {
        found.push(format!("no reply in 'bestmove {best} ponder {}'", excerpt(ponder)));
    }
    found
}

/// Returns whether two texts are the same move, possibly in different notations.
fn is_same(one: &str, other: &str, session: &dyn GameSession) -> bool {
    let plain = |mv| session.with_moves(&[mv]).ok()?.moves().pop();
    one == other || plain(one).is_some_and(|one| plain(other) == Some(one))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::open;
    use crate::options::Options;

    #[test]
    fn bad_lines_are_seen() {
        let good = "info depth 2 multipv 1 score cp 5 nodes 9 pv b8b6 a4c4";
        let table: &[(&[&str], &str, &str)] = &[
            (&[good], "b8b6", ""),
            (&[good, "info depth 2 multipv 2 score cp 1 pv b8h8"], "b8b6", ""),
            (&["info score cp 5 pv b8-b6"], "b8b6", ""),
            (&["info score cp 5 pv b8-b6"], "b8h8", "'bestmove b8h8' after"),
            (&[], "b8b6", "no score and line of play before 'bestmove b8b6'"),
            (&["info string pv score b8b6"], "b8b6", "no score and line"),
            (&["info depth 1 score cp 5 pv"], "b8b6", "no score and line"),
            (&[good], "b8h8", "'bestmove b8h8' after 'info depth 2"),
            (&[good, "info depth 3 score cp 5 pv b8b6 b8b6"], "b8b6", "illegal move b8b6"),
            (&[good, "info string error no"], "b8b6", "unexpected line 'info string error no'"),
            (&["bestmove b8b6", good], "b8b6", "unexpected line 'bestmove b8b6'"),
        ];
        let session = open(&Options::default()).unwrap();
        for (lines, best, complaint) in table {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let best = best.to_string();
            let answer = Answer { best, ponder: None, time: Duration::ZERO, lines };
            let found = complaints(&answer, &*session);
            if complaint.is_empty() {
                assert_eq!(found, [""; 0], "{answer:?}");
            } else {
                assert!(found.iter().any(|what| what.starts_with(complaint)), "{found:?}");
            }
        }
    }

    #[test]
    fn of_long_lines_the_beginning_is_quoted() {
        assert_eq!(excerpt(&"é".repeat(QUOTED)), "é".repeat(QUOTED));
        assert_eq!(excerpt(&"é".repeat(QUOTED + 1)), "é".repeat(QUOTED) + "...");
        let long = "x".repeat(10_000);
        let session = open(&Options::default()).unwrap();
        let lines = vec![format!("info string error {long}"), format!("info score cp 1 pv {long}")];
        let answer = Answer { best: long.clone(), ponder: None, time: Duration::ZERO, lines };
        let found = complaints(&answer, &*session);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|what| what.len() < 3 * QUOTED), "{found:?}");
    }

    #[test]
    fn a_ponder_move_must_be_a_reply() {
        let session = open(&Options::default()).unwrap();
        for (ponder, bad) in [("a4c4", 0), ("b8h8", 1)] {
            let lines = vec!["info depth 1 score cp 0 pv b8b6".to_string()];
            let (best, ponder) = ("b8b6".to_string(), Some(ponder.to_string()));
            let answer = Answer { best, ponder, time: Duration::ZERO, lines };
            assert_eq!(complaints(&answer, &*session).len(), bad);
        }
    }

    /// Lines, and the expected score, whether it is exact, depth and nodes.
    type Row<'a> = (&'a [&'a str], Option<Score>, bool, Option<u64>, Option<u64>);

    #[test]
    fn the_last_line_of_the_best_move_is_told() {
        let table: &[Row] = &[
            (&[], None, false, None, None),
            (&["info string score cp 1 pv x", "info depth 3 nodes 5"], None, false, None, None),
            (
                &["info depth 1 score cp 9 nodes 2 pv a", "info depth 2 score cp -35 nodes 7 pv a"],
                Some(Score::Cp(-35)),
                true,
                Some(2),
                Some(7),
            ),
            (
                &["info score mate -3 pv a", "info multipv 2 score cp 1 depth 4 pv b"],
                Some(Score::Mate(-3)),
                true,
                None,
                None,
            ),
            (
                &["info score mate 3 pv a", "info score mate 2 lowerbound pv a"],
                Some(Score::Mate(2)),
                false,
                None,
                None,
            ),
            (&["info depth x score cp much pv a"], None, true, None, None),
        ];
        for &(lines, score, is_exact, depth, nodes) in table {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            assert_eq!(told(&lines), ReportedScore { score, is_exact, depth, nodes });
        }
    }
}
