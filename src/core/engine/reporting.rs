//! Converts the reports of a search to engine events.

use super::event::{Event, Info, Sink};
use super::session::SearchSettings;
use super::uci_score::{UciScore, Wdl};
use crate::game::{Game, MoveFormat, Outcome, listed_move};
use crate::search::{self, PvLine, Score, SearchEvent, SearchRequest};

/// Reports the result of a game that is over, in place of a search.
pub(super) fn report_outcome<P: Game>(
    position: &P,
    outcome: Outcome,
    settings: &SearchSettings,
    sink: Sink,
) {
    let score = match outcome.winner {
        None => Score::DRAW,
        Some(side) if side == position.side() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    };
    let scale = P::CALIBRATION.network;
    let wdl = settings.show_wdl.then(|| match outcome.winner {
        None => Wdl::DRAWN,
        Some(_) => scale.wdl(score),
    });
    let result = scale.wdl(score);
    let chances = P::CALIBRATION.chances(settings.players).map(|_| match outcome.winner {
        None => 500,
        Some(_) => result.wins,
    });
    let _ = sink(Event::Finished { score: scale.uci_score(score), wdl, chances });
    settings.signals.wait_until_end_allowed(settings.limits.is_endless());
    let _ = sink(Event::Best { best: None, ponder: None });
}

pub(super) fn run_search<P: Game>(
    request: &SearchRequest<P>,
    format: MoveFormat,
    settings: &SearchSettings,
    sink: Sink,
) {
    let root = request.root;
    let scale = P::CALIBRATION.scale(request.network.is_some());
    let wdl = |line: &PvLine<_>| {
        settings.show_wdl.then(|| if line.is_drawn { Wdl::DRAWN } else { scale.wdl(line.score) })
    };
    let chances = P::CALIBRATION.chances(settings.players);
    let choice = search::run(request, &mut |report| {
        let event = match report {
            SearchEvent::Line(line) => {
                let (score, wdl) = (scale.uci_score(line.score), wdl(&line));
                let chances = chances.map(|chances| match score {
                    // Also weak levels win in one move.
                    UciScore::Mate(1) => 1000,
                    UciScore::Mate(-1) => 0,
                    score => chances.per_mille(score.centipawns()),
                });
                Event::Info(info(&root, line, format, (score, wdl, chances)))
            }
            SearchEvent::Current { depth, mv, number } => {
                Event::Current { depth, mv: root.write_move(mv, format), number }
            }
            SearchEvent::NoMate { certain } => {
                Event::NoMate { moves: request.limits.mate.unwrap_or_default(), certain }
            }
        };
        // The receiver is gone: a further search is useless.
        if sink(event).is_err() {
            request.signals.stop();
        }
    });
    let moves = choice.map(|choice| {
        let next = root.play(choice.best);
        let ponder = choice.ponder.map(|mv| next.write_move(listed_move(&next, mv), format));
        (root.write_move(choice.best, format), ponder)
    });
    let (best, ponder) = moves.unzip();
    let _ = sink(Event::Best { best, ponder: ponder.flatten() });
}

fn info<P: Game>(
    root: &P,
    line: PvLine<P::Move>,
    format: MoveFormat,
    (score, wdl, chances): (UciScore, Option<Wdl>, Option<u32>),
) -> Info {
    let mut position = *root;
    let mut pv = Vec::new();
    for (ply, mv) in line.pv.into_iter().enumerate() {
        // The move at the root may have been requested by another path.
        let mv = if ply == 0 { mv } else { listed_move(&position, mv) };
        pv.push(position.write_move(mv, format));
        position = position.play(mv);
    }
    Info {
        multipv: line.multipv,
        lines: line.lines,
        depth: line.depth,
        seldepth: line.seldepth,
        score,
        wdl,
        chances,
        bound: line.bound,
        nodes: line.nodes,
        time: line.time,
        tb_hits: line.tb_hits,
        hashfull: line.hashfull,
        pv,
    }
}
