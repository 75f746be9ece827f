//! Games in which a search announces mates, with random settings, one after the other on one table.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::mate_claims::{Claim, ClaimHistory, Judge, JudgeLimits};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use soucie::game::{
    Features, GameHistory, Heuristics, Move, Position, Tablebase, drawn_if_repeated, legal_moves,
};
use soucie::nnue::Network;
use soucie::search::{
    self, Limits, PvLine, SearchEvent, SearchMemory, SearchOptions, SearchRequest, Signals,
};

/// The number of claims of each kind.
pub type Counts = BTreeMap<String, u32>;

/// What a search gets besides the position.
#[derive(Debug)]
struct Settings<M> {
    options: SearchOptions,
    limits: Limits,
    root_moves: Vec<M>,
    /// The number of polls after which the opponent makes the expected move.
    ponder_hit: Option<u64>,
    /// The number of polls after which the search is stopped.
    stop: Option<u64>,
}

impl<M: Copy> Settings<M> {
    fn random(rng: &mut SmallRng, moves: &[M]) -> Self {
        let nodes = 1 << rng.random_range(7..16);
        let mut limits = Limits::default();
        let mut stop = None;
        match rng.random_range(0..6) {
            0 => limits.depth = Some(rng.random_range(1..9)),
            1 => limits.movetime = Some(Duration::from_millis(rng.random_range(1..20))),
            2 => limits.time = [Some(Duration::from_millis(rng.random_range(10..200))); 2],
            3 => stop = Some(rng.random_range(0..60)),
            4 => limits.mate = Some(rng.random_range(1..10)),
            _ => {}
        }
        // No other limit holds for a search of many threads in a slow build.
        limits.nodes = stop.is_none().then_some(nodes);
        let ponder_hit = rng.random_ratio(1, 5).then(|| rng.random_range(0..30));
        limits.ponder = ponder_hit.is_some();
        let count = rng.random_range(1..=moves.len());
        let requested = if rng.random_ratio(1, 4) { count } else { 0 };
        let options = SearchOptions {
            threads: *[1, 1, 1, 2, 3, 4].choose(rng).unwrap(),
            multipv: *[1, 1, 2, 3, 4].choose(rng).unwrap(),
            solve: rng.random_ratio(1, 8),
        };
        let root_moves = moves.sample(rng, requested).copied().collect();
        Self { options, limits, root_moves, ponder_hit, stop }
    }

    /// Signals that stop the search and end its pondering after the polls of the settings.
    fn signals(&self) -> Arc<Signals> {
        let (ponder_hit, stop) = (self.ponder_hit, self.stop);
        Arc::new_cyclic(|signals: &Weak<Signals>| {
            let (signals, polls) = (signals.clone(), AtomicU64::new(0));
            let poll = move |waits: bool| {
                let (count, Some(signals)) = (polls.fetch_add(1, Relaxed), signals.upgrade())
                else {
                    return;
                };
                if ponder_hit.is_some_and(|hit| waits || count >= hit) {
                    signals.ponder_hit();
                }
                if stop.is_some_and(|stop| waits || count >= stop) {
                    signals.stop();
                }
            };
            Signals::new(ponder_hit.is_some()).with_poll(Some(Arc::new(poll)))
        })
    }

    fn kinds(&self) -> Vec<String> {
        let Self { options, limits, .. } = self;
        let limit = if self.stop.is_some() {
            "stop"
        } else if limits.depth.is_some() {
            "depth"
        } else if limits.movetime.is_some() {
            "movetime"
        } else if limits.time[0].is_some() {
            "clock"
        } else if limits.mate.is_some() {
            "mate"
        } else {
            "nodes"
        };
        let mut kinds = vec![
            format!("threads {}", options.threads),
            format!("multipv {}", options.multipv),
            format!("limit {limit}"),
        ];
        kinds.extend(options.solve.then(|| "solve".to_string()));
        kinds.extend(limits.ponder.then(|| "ponder".to_string()));
        kinds.extend((!self.root_moves.is_empty()).then(|| "searchmoves".to_string()));
        kinds
    }
}

/// The move of a side that often goes back to where it came from.
fn shuffling_move<P: Position>(game: &GameHistory<P>, rng: &mut SmallRng) -> Option<P::Move> {
    let moves = legal_moves(game.position());
    let last = game.turns().rev().nth(1).map(|(_, mv)| (mv.target(), mv.origin()));
    let back = moves.iter().copied().find(|mv| Some((mv.origin(), mv.target())) == last);
    back.filter(|_| rng.random_bool(0.6)).or_else(|| moves.choose(rng).copied())
}

/// What the games of one kind have in common.
pub struct MateGames<'a, P: Heuristics> {
    pub name: &'static str,
    pub tablebase: Option<&'a dyn Tablebase<P>>,
    pub network: Option<&'a Network>,
    /// The limits of the solvers that judge a claim.
    pub limits: JudgeLimits,
    /// A game has fewer searches.
    pub most_searches: u32,
    /// The numbers of plies of short searches before the first search, of which one is chosen.
    pub plies_before: &'static [usize],
    /// The start, the moves and the rules of a game.
    pub describe: fn(&GameHistory<P>) -> String,
}

/// A game, and the table that its searches share.
struct Play<'a, P: Heuristics> {
    games: &'a MateGames<'a, P>,
    game: GameHistory<P>,
    table: SearchMemory,
    tablebase: Option<&'a dyn Tablebase<P>>,
    searches: u32,
}

impl<P: Heuristics + Features> MateGames<'_, P> {
    /// The faults of a game of some searches.
    pub fn play(&self, start: P, rng: &mut SmallRng, counts: &mut Counts) -> Vec<String> {
        let mut play = Play {
            games: self,
            game: GameHistory::new(start),
            table: SearchMemory::new(*[1, 1, 8].choose(rng).unwrap()).unwrap(),
            tablebase: self.tablebase.filter(|_| rng.random()),
            searches: 0,
        };
        play.advance(*self.plies_before.choose(rng).unwrap());
        play.shuffle(*[0, 0, 3, 8, 14].choose(rng).unwrap(), rng);
        for _ in 0..rng.random_range(1..self.most_searches) {
            while play.game.outcome().is_some() {
                play.game.take_back(1);
            }
            let faults = play.search(rng, counts);
            if !faults.is_empty() {
                return faults;
            }
        }
        Vec::new()
    }
}

impl<P: Heuristics + Features> Play<'_, P> {
    /// Searches the position and checks all claims, then goes on to another position.
    fn search(&mut self, rng: &mut SmallRng, counts: &mut Counts) -> Vec<String> {
        let root = *self.game.position();
        let settings = Settings::random(rng, &legal_moves(&root));
        let signals = settings.signals();
        let request = SearchRequest {
            history: self.game.earlier(),
            root_moves: &settings.root_moves,
            options: settings.options,
            tablebase: self.tablebase,
            network: self.games.network,
            ..SearchRequest::new(root, &settings.limits, &self.table, &signals)
        };
        let mut lines = Vec::new();
        let choice = search::run(&request, &mut |event| {
            if let SearchEvent::Line(line) = event {
                lines.push(line);
            }
        });
        let best = choice.expect("a move").best;
        self.searches += 1;
        let judge = Judge {
            root,
            earlier: self.game.earlier(),
            tablebase: self.games.tablebase,
            limits: self.games.limits,
        };
        let mut faults = self.check(&judge, &lines, &settings, counts);
        let first = lines.iter().rev().find(|line| line.multipv == 1);
        if first.is_none_or(|line| line.pv[0] != best) {
            faults.push(format!("{best:?} is played, but {first:?} is reported"));
        }
        self.go_on(best, rng);
        faults
    }

    fn check(
        &self,
        judge: &Judge<P>,
        lines: &[PvLine<P::Move>],
        settings: &Settings<P::Move>,
        counts: &mut Counts,
    ) -> Vec<String> {
        let mut faults = Vec::new();
        let mut claims = ClaimHistory::new();
        for line in lines {
            let claim = match claims.add(line) {
                Ok(None) => continue,
                Ok(Some(claim)) => claim,
                Err(lost) => {
                    faults.push(self.describe(&format!("lost {lost:?}"), line, settings));
                    break;
                }
            };
            let verdict = judge.verdict(&claim);
            let kind = if claim.is_win { "win" } else { "loss" };
            let length = if claim.plies.is_some() { "" } else { " of unknown length" };
            let witness = verdict.map_or("none".to_string(), |(witness, _)| format!("{witness:?}"));
            let mut kinds = settings.kinds();
            kinds.push(format!("{kind}{length} by {witness}"));
            kinds.push(format!("tables {}", self.tablebase.is_some()));
            let is_far = claim.plies.is_some_and(|plies| plies > 6);
            kinds.extend(is_far.then(|| "far".to_string()));
            let drawn = drawn_if_repeated(&judge.root, judge.earlier);
            kinds.extend(
                (!drawn.is_empty()).then(|| "positions that draw if they are repeated".to_string()),
            );
            let left = judge.root.move_counters().into_iter().flatten().min();
            let is_close =
                left.zip(claim.plies).is_some_and(|(left, plies)| plies + 4 > left.into());
            kinds.extend(is_close.then(|| "close to a draw by a counter".to_string()));
            for kind in kinds {
                *counts.entry(format!("{} {kind}", self.games.name)).or_default() += 1;
            }
            // The first line is the best one: if it loses, so do all moves.
            let others = legal_moves(&judge.root);
            let is_of_all = !claim.is_win && line.multipv == 1 && settings.root_moves.is_empty();
            let others = others.into_iter().filter(|_| is_of_all).map(|mv| Claim { mv, ..claim });
            let claims = [claim].into_iter().chain(others.filter(|other| *other != claim));
            let verdicts = claims.map(|claim| (claim, judge.verdict(&claim)));
            for (claim, verdict) in verdicts {
                if let Some((witness, false)) = verdict {
                    let text = format!("by {witness:?} false {claim:?}");
                    faults.push(self.describe(&text, line, settings));
                }
            }
        }
        faults
    }

    fn describe(
        &self,
        fault: &str,
        line: &PvLine<P::Move>,
        settings: &Settings<P::Move>,
    ) -> String {
        format!(
            "{fault}\n  {} tables {}, table {} MiB\n  {settings:?}\n  search {}\n  {line:?}",
            (self.games.describe)(&self.game),
            self.tablebase.is_some(),
            self.table.mib(),
            self.searches,
        )
    }

    /// Goes on to the next position to search: mostly after the best move and a reply.
    fn go_on(&mut self, best: P::Move, rng: &mut SmallRng) {
        match rng.random_range(0..12) {
            0 => {
                self.game.take_back(2.min(self.game.plies()));
            }
            1 => self.game = GameHistory::new(*self.game.position()),
            2 => {}
            // The same positions again, with another history and other counters.
            3 | 4 => {
                self.game.take_back(self.game.plies());
                self.shuffle(rng.random_range(0..20), rng);
            }
            number => {
                let other = legal_moves(self.game.position()).choose(rng).copied();
                self.game.play(other.filter(|_| number == 5).unwrap_or(best));
                self.shuffle(*[1, 1, 1, 1, 4, 5, 8].choose(rng).unwrap(), rng);
            }
        }
    }

    /// Plays moves to and fro.
    fn shuffle(&mut self, plies: usize, rng: &mut SmallRng) {
        for _ in 0..plies {
            if self.game.outcome().is_none()
                && let Some(mv) = shuffling_move(&self.game, rng)
            {
                self.game.play(mv);
            }
        }
    }

    /// Plays the moves of short searches.
    fn advance(&mut self, plies: usize) {
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        for _ in 0..plies {
            if self.game.outcome().is_some() {
                return;
            }
            let signals = Signals::new(false);
            let root = *self.game.position();
            let request = SearchRequest::new(root, &limits, &self.table, &signals);
            let request = SearchRequest { history: self.game.earlier(), ..request };
            let choice = search::run(&request, &mut |_| {});
            self.game.play(choice.expect("a move").best);
        }
    }
}
