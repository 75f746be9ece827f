//! Checks what an engine reports before its moves: the score, lines that violate the protocol, and
//! mate announcements that are not fulfilled.
//!
//! `score mate N` counts the moves of the announcing engine, as in UCI. The engine must have won
//! before its next move after those N. Only this limit is checked, not how soon the opponent could
//! lose, so that the check applies to any engine.

use std::time::Duration;

use super::game_record::{EngineId, PerEngine};
use crate::engine::session::GameSession;
use crate::engine::uci_score::UciScore;

/// The maximum length of a quotation from an engine, in characters.
const QUOTED: usize = 200;

/// Returns the beginning of a text from an engine.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

/// Returns the error in the input of the engine that a line reports.
pub fn error_text(line: &str) -> Option<&str> {
    line.strip_prefix("info string error").map(str::trim)
}

/// Returns whether a line reports an error in the input of the engine.
pub fn is_error(line: &str) -> bool {
    error_text(line).is_some()
}

/// The output of an engine from `go` to `bestmove`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    /// The best move; empty if `bestmove` has no argument.
    pub best: String,
    /// The expected reply (the ponder move).
    pub ponder: Option<String>,
    /// The time from writing `go` to reading `bestmove`.
    pub time: Duration,
    /// The lines before `bestmove`.
    pub lines: Vec<String>,
}

/// The values of the last principal variation before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReportedScore {
    /// The score for the side to move.
    pub score: Option<UciScore>,
    /// Whether the score is exact and not a bound.
    pub is_exact: bool,
    /// The depth of the search, in plies.
    pub depth: Option<u64>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

/// Returns the values of the last `info` line with a principal variation of the best move.
pub fn last_score(lines: &[String]) -> ReportedScore {
    let mut principal = lines.iter().filter(|line| variation(line).is_some() && is_principal(line));
    principal.next_back().map_or(ReportedScore::default(), |line| ReportedScore {
        score: score(line),
        is_exact: is_exact(line),
        depth: number_behind(line, "depth"),
        nodes: number_behind(line, "nodes"),
    })
}

fn score(line: &str) -> Option<UciScore> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "score").skip(1);
    match (words.next()?, words.next()?.parse().ok()?) {
        ("cp", centipawns) => Some(UciScore::Centipawns(centipawns)),
        ("mate", moves) => Some(UciScore::Mate(moves)),
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
    number_behind(line, "multipv").is_none_or(|number| number == 1)
}

/// Returns descriptions of the lines of an answer that violate the protocol or contain illegal
/// moves.
pub fn bad_lines(answer: &EngineAnswer, session: &dyn GameSession) -> Vec<String> {
    let mut found = Vec::new();
    let mut last = None;
    for line in &answer.lines {
        if is_error(line) || line.starts_with("bestmove") {
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
        None if answer.lines.iter().any(|line| is_of_book(line)) => {}
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

/// Returns whether a line reports a move of an opening book: `info string book ...`.
fn is_of_book(line: &str) -> bool {
    line.strip_prefix("info string").is_some_and(|text| text.split(' ').any(|word| word == "book"))
}

/// Returns whether two texts are the same move, possibly in different notations.
fn is_same(one: &str, other: &str, session: &dyn GameSession) -> bool {
    let plain = |mv| session.with_moves(&[mv]).ok()?.last_move();
    one == other || plain(one).is_some_and(|one| plain(other) == Some(one))
}

/// The open mate announcements of both engines in one game.
#[derive(Default)]
pub struct MateClaims {
    open: PerEngine<Option<MateClaim>>,
}

/// A mate announcement.
struct MateClaim {
    /// The announced number of moves.
    moves: i32,
    /// The number of these moves that are left.
    left: i32,
    /// The position in which the mate was announced.
    position: String,
}

impl MateClaims {
    /// Checks the announcement of the engine to move. Returns a description if it was not
    /// fulfilled.
    pub fn turn(&mut self, id: EngineId) -> Option<String> {
        let is_open = self.open.of(id).as_ref().is_none_or(|claim| claim.left > 0);
        if is_open { None } else { self.take(id, "the game goes on") }
    }

    /// Records the score that an engine reported for its move in `position`. Returns a
    /// description if it contradicts an earlier announcement. A new announcement replaces the old
    /// one.
    pub fn note(
        &mut self,
        id: EngineId,
        reported: &ReportedScore,
        position: &str,
    ) -> Option<String> {
        let announced = reported.score.filter(|_| reported.is_exact);
        let mut broken = None;
        if let Some(UciScore::Mate(moves @ 1..)) = announced
            && self.open.of(id).as_ref().is_none_or(|claim| claim.left != moves)
        {
            if self.open.of(id).as_ref().is_some_and(|claim| claim.left < moves) {
                broken = self.take(id, &format!("now mate {moves}"));
            }
            let position = position.to_string();
            *self.open.of_mut(id) = Some(MateClaim { moves, left: moves, position });
        }
        if let Some(claim) = self.open.of_mut(id) {
            claim.left -= 1;
        }
        broken
    }

    /// Records the end of the game by its rules. Returns descriptions of the announcements that are
    /// not fulfilled.
    pub fn end(&mut self, winner: Option<EngineId>, reason: &str) -> PerEngine<Option<String>> {
        let mut broken = |id| {
            let has_won = winner == Some(id);
            if has_won { None } else { self.take(id, reason) }
        };
        PerEngine { first: broken(EngineId::First), second: broken(EngineId::Second) }
    }

    /// Removes an announcement and returns the description of its failure.
    fn take(&mut self, id: EngineId, came: &str) -> Option<String> {
        let MateClaim { moves, left, position } = self.open.of_mut(id).take()?;
        let made = moves - left;
        Some(format!(
            "mate {moves} was announced; {made} of {moves} moves made, {came} [{position}]"
        ))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::open;
    use crate::options::Options;

    #[test]
    fn bad_lines_are_reported() {
        let good = "info depth 2 multipv 1 score cp 5 nodes 9 pv b8b6 a4c4";
        let table: &[(&[&str], &str, &str)] = &[
            (&[good], "b8b6", ""),
            (&[good, "info depth 2 multipv 2 score cp 1 pv b8h8"], "b8b6", ""),
            (&["info score cp 5 pv b8-b6"], "b8b6", ""),
            (&["info score cp 5 pv b8-b6"], "b8h8", "'bestmove b8h8' after"),
            (&[], "b8b6", "no score and line of play before 'bestmove b8b6'"),
            (&["info string book move"], "b8b6", ""),
            (&["info string pv score b8b6"], "b8b6", "no score and line"),
            (&["info depth 1 score cp 5 pv"], "b8b6", "no score and line"),
            (&[good], "b8h8", "'bestmove b8h8' after 'info depth 2"),
            (&[good, "info depth 3 score cp 5 pv b8b6 b8b6"], "b8b6", "illegal move b8b6"),
            (&[good, "info string error no"], "b8b6", "unexpected line 'info string error no'"),
            (&["bestmove b8b6", good], "b8b6", "unexpected line 'bestmove b8b6'"),
        ];
        let session = open(&Options::default()).unwrap();
        for (lines, best, expected) in table {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let best = best.to_string();
            let answer = EngineAnswer { best, ponder: None, time: Duration::ZERO, lines };
            let found = bad_lines(&answer, &*session);
            if expected.is_empty() {
                assert_eq!(found, [""; 0], "{answer:?}");
            } else {
                assert!(found.iter().any(|what| what.starts_with(expected)), "{found:?}");
            }
        }
    }

    #[test]
    fn long_lines_are_truncated_in_quotations() {
        assert_eq!(excerpt(&"é".repeat(QUOTED)), "é".repeat(QUOTED));
        assert_eq!(excerpt(&"é".repeat(QUOTED + 1)), "é".repeat(QUOTED) + "...");
        let long = "x".repeat(10_000);
        let session = open(&Options::default()).unwrap();
        let lines = vec![format!("info string error {long}"), format!("info score cp 1 pv {long}")];
        let answer = EngineAnswer { best: long.clone(), ponder: None, time: Duration::ZERO, lines };
        let found = bad_lines(&answer, &*session);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|what| what.len() < 3 * QUOTED), "{found:?}");
    }

    #[test]
    fn an_illegal_ponder_move_is_reported() {
        let session = open(&Options::default()).unwrap();
        for (ponder, bad) in [("a4c4", 0), ("b8h8", 1)] {
            let lines = vec!["info depth 1 score cp 0 pv b8b6".to_string()];
            let (best, ponder) = ("b8b6".to_string(), Some(ponder.to_string()));
            let answer = EngineAnswer { best, ponder, time: Duration::ZERO, lines };
            assert_eq!(bad_lines(&answer, &*session).len(), bad);
        }
    }

    /// Lines, and the expected values: the score, whether it is exact, the depth and the nodes.
    type ReportedRow<'a> = (&'a [&'a str], Option<UciScore>, bool, Option<u64>, Option<u64>);

    #[test]
    fn the_score_is_that_of_the_last_line_of_the_best_move() {
        let table: &[ReportedRow] = &[
            (&[], None, false, None, None),
            (&["info string score cp 1 pv x", "info depth 3 nodes 5"], None, false, None, None),
            (
                &["info depth 1 score cp 9 nodes 2 pv a", "info depth 2 score cp -35 nodes 7 pv a"],
                Some(UciScore::Centipawns(-35)),
                true,
                Some(2),
                Some(7),
            ),
            (
                &["info score mate -3 pv a", "info multipv 2 score cp 1 depth 4 pv b"],
                Some(UciScore::Mate(-3)),
                true,
                None,
                None,
            ),
            (
                &["info score mate 3 pv a", "info score mate 2 lowerbound pv a"],
                Some(UciScore::Mate(2)),
                false,
                None,
                None,
            ),
            (&["info depth x score cp much pv a"], None, true, None, None),
        ];
        for &(lines, score, is_exact, depth, nodes) in table {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            assert_eq!(last_score(&lines), ReportedScore { score, is_exact, depth, nodes });
        }
    }

    const FIRST: EngineId = EngineId::First;
    const SECOND: EngineId = EngineId::Second;

    /// Returns the unfulfilled announcements after the scores of the first engine's moves and the
    /// end of the game. An `end` of `None` is not by the rules, such as an adjudication.
    fn unfulfilled(scores: &[ReportedScore], end: Option<Option<EngineId>>) -> Vec<String> {
        let mut claims = MateClaims::default();
        let mut found = Vec::new();
        for (number, reported) in (1..).zip(scores) {
            found.extend(claims.turn(FIRST));
            found.extend(claims.note(FIRST, reported, &format!("at {number}")));
        }
        if let Some(winner) = end {
            let ended = claims.end(winner, "it is over");
            assert_eq!(ended.second, None);
            found.extend(ended.first);
        }
        found
    }

    fn exact(score: UciScore) -> ReportedScore {
        ReportedScore { score: Some(score), is_exact: true, ..ReportedScore::default() }
    }

    fn mate(moves: i32) -> ReportedScore {
        exact(UciScore::Mate(moves))
    }

    #[test]
    fn an_announced_mate_must_be_fulfilled_in_time() {
        let cp = exact(UciScore::Centipawns(900));
        let silent = ReportedScore::default();
        let bound = ReportedScore { is_exact: false, ..mate(2) };
        let (won, lost, drawn) = (Some(Some(FIRST)), Some(Some(SECOND)), Some(None));
        let late = "mate 2 was announced; 2 of 2 moves made, the game goes on [at 1]";
        let longer = "mate 3 was announced; 1 of 3 moves made, now mate 3 [at 1]";
        let over = "mate 2 was announced; 1 of 2 moves made, it is over [at 1]";
        let table: [(&[ReportedScore], _, &[&str]); 14] = [
            (&[mate(3), mate(2), mate(1)], won, &[]),
            (&[mate(2), cp], won, &[]),
            (&[mate(2), silent, cp], won, &[late]),
            (&[mate(2), cp, mate(1)], won, &[late]),
            // A shorter mate is accepted, and then replaces the announcement.
            (&[mate(9), mate(2)], won, &[]),
            (&[mate(9), mate(2), cp, cp], won, &[&late.replace("at 1", "at 2")]),
            (&[mate(3), mate(3), mate(2), mate(1)], won, &[longer]),
            (&[mate(2)], drawn, &[over]),
            (&[mate(2)], lost, &[over]),
            // Centipawn scores, bounds and negative mates are not announcements.
            (&[cp, silent, bound, cp, cp, cp], drawn, &[]),
            (&[mate(-2), mate(-1), mate(0)], lost, &[]),
            // If the game does not end by the rules, an announcement fails only if its limit has
            // passed already.
            (&[mate(2)], None, &[]),
            (&[mate(2), cp, cp], None, &[late]),
            (&[mate(i32::MAX), mate(1)], won, &[]),
        ];
        for (scores, end, expected) in table {
            assert_eq!(unfulfilled(scores, end), expected, "{scores:?} {end:?}");
        }
    }

    #[test]
    fn announcements_are_kept_per_engine() {
        let mut claims = MateClaims::default();
        assert_eq!(claims.note(FIRST, &mate(2), "one"), None);
        assert_eq!(claims.note(SECOND, &mate(5), "two"), None);
        let PerEngine { first, second } = claims.end(Some(FIRST), "it is over");
        let expected = "mate 5 was announced; 1 of 5 moves made, it is over [two]";
        assert_eq!((first, second.as_deref()), (None, Some(expected)));
    }
}
