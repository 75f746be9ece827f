//! Announced mates: each `mate N` of a search is a win in at most N moves, and each `mate -N` a loss.
//!
//! Searches of late positions with random rules, options and limits, some of them stopped at a
//! random moment, follow each other on one transposition table as a game goes on.
//!
//! `SOUCIE_MATES=1000` plays a thousand games of each kind; `SOUCIE_SEED=77 SOUCIE_MATES=1` repeats
//! the one with this number.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::mate_claims::{ClaimHistory, Judge, JudgeLimits};
use crate::programs::tables;
use crate::published_games;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use soucie::game::{
    Game, GameHistory, Move, MoveFormat, Notation, RuleChoice, Rules, Tablebase, legal_moves,
    rules_from,
};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tables::Tables;
use soucie::games::loa::Loa;
use soucie::nnue;
use soucie::search::{
    self, Limits, PvLine, SearchEvent, SearchOptions, SearchRequest, Signals, TranspositionTable,
};

/// The number of claims of each kind.
type Counts = BTreeMap<String, u32>;

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
            4 => limits.mate = Some(rng.random_range(1..6)),
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

/// Random rules. Half of the games have the usual ones.
fn random_rules<R: Rules>(rng: &mut SmallRng) -> R {
    if rng.random() {
        return R::default();
    }
    let rng = RefCell::new(rng);
    let value = |choice: RuleChoice| {
        let mut rng = rng.borrow_mut();
        match choice {
            RuleChoice::Named(names) => rng.random_range(0..names.len() as u16),
            RuleChoice::Number { default, min, max } => {
                let values = [default, default, min, 2, 2, 3, 5, 8, 12, 20];
                *values.choose(&mut *rng).unwrap().clamp(&min, &max)
            }
        }
    };
    rules_from(&|name| {
        let option = R::OPTIONS.iter().find(|option| option.name == name)?;
        Some(value(option.choice))
    })
}

/// The move of a side that often goes back to where it came from.
fn shuffling_move<P: Game>(game: &GameHistory<P>, rng: &mut SmallRng) -> Option<P::Move> {
    let moves = legal_moves(game.position());
    let last = game.turns().rev().nth(1).map(|(_, mv)| (mv.target(), mv.origin()));
    let back = moves.iter().copied().find(|mv| Some((mv.origin(), mv.target())) == last);
    back.filter(|_| rng.random_bool(0.6)).or_else(|| moves.choose(rng).copied())
}

/// A game from a late position, and the table that its searches share.
struct Play<'a, P: Game> {
    game: GameHistory<P>,
    table: TranspositionTable,
    tablebase: Option<&'a dyn Tablebase<P>>,
    judge_tables: Option<&'a dyn Tablebase<P>>,
    limits: JudgeLimits,
    rules: P::Rules,
    log: Vec<String>,
}

impl<'a, P: Game> Play<'a, P> {
    /// The faults of a game of some searches.
    fn run(
        setup: &str,
        tablebase: Option<&'a dyn Tablebase<P>>,
        limits: JudgeLimits,
        rng: &mut SmallRng,
        counts: &mut Counts,
    ) -> Vec<String> {
        let rules = random_rules(rng);
        let Ok(start) = P::read_setup(setup, rules) else { return Vec::new() };
        let mut play = Self {
            game: GameHistory::new(start),
            table: TranspositionTable::new(*[1, 1, 8].choose(rng).unwrap()).unwrap(),
            tablebase: tablebase.filter(|_| rng.random()),
            judge_tables: tablebase,
            limits,
            rules,
            log: Vec::new(),
        };
        play.advance(*[0, 0, 4, 12, 30].choose(rng).unwrap());
        play.shuffle(*[0, 0, 3, 8, 14].choose(rng).unwrap(), rng);
        for _ in 0..rng.random_range(1..8) {
            if play.game.outcome().is_some() {
                break;
            }
            let faults = play.search(rng, counts);
            if !faults.is_empty() {
                return faults;
            }
        }
        Vec::new()
    }

    /// Searches the position and checks all claims, then goes on to another position.
    fn search(&mut self, rng: &mut SmallRng, counts: &mut Counts) -> Vec<String> {
        let root = *self.game.position();
        let settings = Settings::random(rng, &legal_moves(&root));
        let signals = settings.signals();
        let network = nnue::built_in(P::name());
        let request = SearchRequest {
            history: self.game.earlier(),
            root_moves: &settings.root_moves,
            options: settings.options,
            tablebase: self.tablebase,
            network: network.as_deref(),
            ..SearchRequest::new(root, &settings.limits, &self.table, &signals)
        };
        let mut lines = Vec::new();
        let choice = search::run(&request, &mut |event| {
            if let SearchEvent::Line(line) = event {
                lines.push(line);
            }
        });
        let best = choice.expect("a move").best;
        self.log.push(format!("{settings:?}"));
        let judge = Judge {
            root,
            earlier: self.game.earlier(),
            tablebase: self.judge_tables,
            limits: self.limits,
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
            for kind in kinds {
                *counts.entry(format!("{} {kind}", P::name())).or_default() += 1;
            }
            if let Some((witness, false)) = verdict {
                let text = format!("by {witness:?} false {claim:?}");
                faults.push(self.describe(&text, line, settings));
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
        let format = MoveFormat::Coordinate;
        let moves = self.game.turns().map(|(position, mv)| position.write_move(mv, format));
        let moves: Vec<_> = moves.collect();
        let earlier = self.game.earlier().len() - moves.len();
        format!(
            "{fault}\n  {} moves {} ({earlier} earlier), {:?}, tables {}, table {} MiB\n  {settings:?}\n  \
             searches {}\n  {line:?}",
            self.game.start().write_setup(),
            moves.join(" "),
            self.rules,
            self.tablebase.is_some(),
            self.table.mib(),
            self.log.len(),
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
            number => {
                let other = legal_moves(self.game.position()).choose(rng).copied();
                self.game.play(other.filter(|_| number == 3).unwrap_or(best));
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

/// Late positions of published games.
fn loa_setups() -> Vec<String> {
    let games = published_games::games().into_iter();
    let late = games.flat_map(|record| {
        published_games::replay(&record).into_iter().rev().skip(1).take(24).collect::<Vec<_>>()
    });
    late.map(|position| position.write_setup()).collect()
}

/// Published problems.
fn draughts_setups() -> Vec<String> {
    let problems = include_str!("../data/draughts/problems.txt").lines();
    let setups = problems.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let setup = line.split(" ; ").next()?;
        Some(setup.to_string())
    });
    let pieces = |setup: &String| setup.split(',').count() + 1;
    setups.filter(|setup| pieces(setup) <= 8).collect()
}

fn check_games<P: Game>(
    setups: &[String],
    tablebase: Option<&dyn Tablebase<P>>,
    limits: JudgeLimits,
    counts: &mut Counts,
) -> Vec<String> {
    let number = |name, default| env::var(name).map_or(default, |text| text.parse().unwrap());
    let (first, games) = (number("SOUCIE_SEED", 1), number("SOUCIE_MATES", 60));
    let mut faults = Vec::new();
    for seed in first..first + games {
        let mut rng = SmallRng::seed_from_u64(seed);
        let setup = setups.choose(&mut rng).unwrap();
        let found = Play::run(setup, tablebase, limits, &mut rng, counts);
        for fault in found {
            eprintln!("SOUCIE_SEED={seed} SOUCIE_MATES=1: {fault}");
            faults.push(seed);
        }
    }
    faults.into_iter().map(|seed| format!("{} {seed}", P::name())).collect()
}

#[test]
fn announced_mates_are_true() {
    let limits = JudgeLimits { nodes: 30_000, expansions: 20_000 };
    let tables = Tables::open(tables()).unwrap();
    let mut counts = Counts::new();
    let mut faults = check_games::<Loa>(&loa_setups(), None, limits, &mut counts);
    let tablebase = Some(&tables as &dyn Tablebase<Draughts>);
    faults.extend(check_games(&draughts_setups(), tablebase, limits, &mut counts));
    for (kind, count) in &counts {
        eprintln!("{kind}: {count}");
    }
    assert!(faults.is_empty(), "{faults:?}");
}
