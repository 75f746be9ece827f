//! What a search reports becomes what the engine says.

use super::event::{Event, Info, Sink};
use super::session::Means;
use super::verdict::{Odds, Verdict};
use crate::game::{Ending, Game, MoveFormat};
use crate::search::{self, Line, Report, Score, Task};

/// What there is to say where nothing is left to search.
pub(super) fn announce_end<G: Game>(position: &G, ending: Ending, means: &Means, sink: Sink) {
    let score = match ending.winner {
        None => Score::DRAW,
        Some(side) if side == position.side() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    };
    let odds = means.show_odds.then(|| G::CALIBRATION.network.odds(score));
    let _ = sink(Event::Finished { verdict: G::CALIBRATION.network.verdict(score), odds });
    means.signals.wait_for_leave(means.limits.is_endless());
    let _ = sink(Event::Best { best: None, ponder: None });
}

/// Searches, and says what comes of it.
pub(super) fn run_search<G: Game>(task: &Task<G>, format: MoveFormat, show_odds: bool, sink: Sink) {
    let root = task.root;
    let worth = G::CALIBRATION.of(task.network);
    let odds = |score| show_odds.then(|| worth.odds(score));
    let choice = search::run(task, &mut |report| {
        let event = match report {
            Report::Line(line) => {
                let (verdict, odds) = (worth.verdict(line.score), odds(line.score));
                Event::Info(info(&root, line, format, verdict, odds))
            }
            Report::Current { depth, mv, number } => {
                Event::Current { depth, mv: root.write_move(mv, format), number }
            }
            Report::NoMate { certain } => {
                Event::NoMate { moves: task.limits.mate.unwrap_or_default(), certain }
            }
        };
        // Nobody listens any more: there is nothing to search for.
        if sink(event).is_err() {
            task.signals.stop();
        }
    });
    let moves = choice.map(|choice| {
        let next = root.play(choice.best);
        let ponder = choice.ponder.map(|mv| next.write_move(mv, format));
        (root.write_move(choice.best, format), ponder)
    });
    let (best, ponder) = moves.unzip();
    let _ = sink(Event::Best { best, ponder: ponder.flatten() });
}

fn info<G: Game>(
    root: &G,
    line: Line<G::Move>,
    format: MoveFormat,
    verdict: Verdict,
    odds: Option<Odds>,
) -> Info {
    let mut position = *root;
    let mut pv = Vec::new();
    for mv in line.pv {
        pv.push(position.write_move(mv, format));
        position = position.play(mv);
    }
    Info {
        number: line.number,
        depth: line.depth,
        seldepth: line.seldepth,
        verdict,
        odds,
        bound: line.bound,
        nodes: line.nodes,
        time: line.time,
        hits: line.hits,
        fullness: line.fullness,
        pv,
    }
}
