//! Speed of move generation, evaluation and search: `cargo bench`.

#[path = "../support/random_network.rs"]
mod random_network;
mod timing;

use std::hint::black_box;
use std::time::Duration;

use soucie::game::{Game, MoveList, Variant, legal_moves, perft};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::nnue::{self, AccumulatorStack, Network};
use soucie::platform::Instant;
use soucie::search::{
    self, Limits, SearchEvent, SearchMemory, SearchOptions, SearchRequest, Signals,
};
use timing::measure;

/// The depth of perft, in plies.
const PERFT: u32 = 4;

/// The bench positions of a game.
fn positions<P: Game>() -> Vec<P> {
    let setups = P::VARIANTS.iter().flat_map(|variant: &Variant| variant.bench);
    setups.filter_map(|setup| P::read_setup(setup, P::Rules::default()).ok()).collect()
}

fn rules<P: Game>(name: &str) {
    let positions = positions::<P>();
    let named = |what: &str| format!("{name}: {what}");
    measure(&named("generate the moves of a position"), positions.len(), || {
        for position in &positions {
            let mut moves = MoveList::new();
            black_box(position).moves(&mut moves);
            black_box(&moves);
        }
    });
    measure(&named("find a win in one"), positions.len(), || {
        positions.iter().filter(|p| black_box(*p).winning_move().is_some()).count()
    });
    measure(&named("handcrafted evaluation"), positions.len(), || {
        positions.iter().map(|p| black_box(p).evaluate()).sum::<i32>()
    });
    let played: Vec<(P, MoveList<P::Move>)> =
        positions.iter().map(|p| (*p, legal_moves(p))).collect();
    let moves = played.iter().map(|(_, moves)| moves.len()).sum();
    measure(&named("make a move and detect the end"), moves, || {
        let ends = |(p, moves): &(P, MoveList<P::Move>)| {
            let is_over = |&&mv: &&P::Move| black_box(p).play(black_box(mv)).outcome().is_some();
            moves.iter().filter(is_over).count()
        };
        played.iter().map(ends).sum::<usize>()
    });
    let count =
        || positions.iter().filter_map(|p| perft(black_box(p), PERFT, &|| false)).sum::<u64>();
    measure(&named("perft, leaves counted in bulk"), count() as usize, count);
}

/// The time of a network for a position that is one move away from an evaluated one.
fn network<P: Game>(name: &str) {
    let network = random_network::random::<P>(1, random_network::USUAL);
    let next = |p: P| legal_moves(&p).into_iter().map(move |mv| p.play(mv));
    let pairs: Vec<(P, Vec<P>)> =
        positions::<P>().into_iter().map(|p| (p, next(p).collect())).collect();
    let evaluations: usize = pairs.iter().map(|(_, next)| next.len()).sum();
    for (path, new) in [
        ("fastest", AccumulatorStack::new::<P> as fn(_, _) -> _),
        ("portable", AccumulatorStack::portable::<P>),
    ] {
        let mut stacks: Vec<AccumulatorStack> = pairs.iter().map(|_| new(&network, 2)).collect();
        for ((position, _), stack) in pairs.iter().zip(&mut stacks) {
            stack.evaluate(position, 0);
        }
        measure(&format!("{name}: network: update and output, {path} code"), evaluations, || {
            let evaluate = |((_, next), stack): (&(P, Vec<P>), &mut AccumulatorStack)| {
                next.iter().map(|p| stack.evaluate(black_box(p), 1)).sum::<i32>()
            };
            pairs.iter().zip(&mut stacks).map(evaluate).sum::<i32>()
        });
    }
}

/// Nodes per second by size of the transposition table, as ratios to the smallest one. The sizes
/// take turns, so that a change of the machine's speed affects all of them. The tables are cleared
/// before each search, and their memory has been touched by an untimed search.
fn nodes_per_second_by_hash<P: Game>(name: &str) {
    const SIZES: [usize; 4] = [1, 4, 16, 64];
    const NODES: u64 = 4_000_000;
    const ROUNDS: usize = 7;
    let Some(root) = positions::<P>().into_iter().next() else { return };
    let network = nnue::built_in(P::VARIANTS[0].name);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut speeds = SIZES.map(|_| Vec::new());
    let tables: Vec<_> = SIZES.into_iter().filter_map(|mib| SearchMemory::new(mib).ok()).collect();
    for round in 0..=ROUNDS {
        for (table, speeds) in tables.iter().zip(&mut speeds) {
            table.clear();
            let signals = Signals::new(false);
            let network = network.as_deref();
            let request =
                SearchRequest { network, ..SearchRequest::new(root, &limits, table, &signals) };
            search::run(&request, &mut |_| {});
            if round == 0 {
                continue;
            }
            speeds.push(NODES as f64 / request.started.elapsed().as_secs_f64() / 1e6);
        }
    }
    let median = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers[numbers.len() / 2]
    };
    for (mib, of_size) in SIZES.into_iter().zip(&speeds) {
        let ratios = of_size.iter().zip(&speeds[0]).map(|(speed, smallest)| speed / smallest);
        let (speed, ratio) = (median(of_size.clone()), median(ratios.collect()));
        println!("{name}: Hash {mib}: {speed:.2} M nodes/s, {ratio:.2} of Hash {}", SIZES[0]);
    }
}

/// Nodes per second in a search of two seconds from the start, by number of threads.
fn nodes_per_second<P: Game>(name: &str, network: Option<&Network>) {
    let Some(root) = positions::<P>().into_iter().next() else { return };
    for threads in [1, 2, 1, 2] {
        let Ok(table) = SearchMemory::new(64) else { return };
        let signals = Signals::new(false);
        let limits = Limits { movetime: Some(Duration::from_secs(2)), ..Limits::default() };
        let started = Instant::now();
        let request = SearchRequest {
            options: SearchOptions { threads, ..SearchOptions::default() },
            network,
            ..SearchRequest::new(root, &limits, &table, &signals)
        };
        let mut depth = 0;
        search::run(&request, &mut |event| {
            if let SearchEvent::Line(line) = event {
                depth = line.depth;
            }
        });
        let speed = signals.add_nodes(0) as f64 / started.elapsed().as_secs_f64() / 1e6;
        let evaluation = if network.is_some() { "network" } else { "handcrafted" };
        println!(
            "{name}, {evaluation} evaluation: {threads} threads, 2 s from the start: \
             {speed:.2} M nodes/s, depth {depth}"
        );
    }
}

fn game<P: Game>() {
    let name = P::VARIANTS[0].name;
    rules::<P>(name);
    network::<P>(name);
    nodes_per_second::<P>(name, None);
    nodes_per_second::<P>(name, Some(&random_network::random::<P>(1, random_network::USUAL)));
    nodes_per_second_by_hash::<P>(name);
}

fn main() {
    game::<Loa>();
    game::<Draughts>();
}
