//! The learned evaluation: the same by all ways to it, in files, in the search and in the protocol.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::dialogue::talk;
use crate::random_network::{LARGEST, USUAL, random};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use soucie::game::{FeatureBits, Game, Notation, legal_moves, oriented};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::nnue::{
    self, AccumulatorStack, BOUND, FILES, HIDDEN, INPUTS, InputWeights, Network, NetworkError,
    PAIR_LIMIT, QA, QB,
};
use soucie::options::Options;
use soucie::search::{self, EvalNoise, Limits, SearchRequest, Signals, TranspositionTable};

/// The evaluation as its definition says it, without a thought for speed.
fn defined<P: Game>(network: &Network, position: &P) -> i32 {
    let own = position.features(position.side());
    let bucket = P::output_bucket(own);
    let mut output = 0;
    for (view, weights) in [own, P::flip(own)].into_iter().zip(&network.output_weights[bucket]) {
        let inputs = active_inputs::<P>(view);
        for (i, weight) in weights.iter().enumerate() {
            let active = inputs.iter().map(|&input| i64::from(network.input_weights[input].0[i]));
            let sum = i64::from(network.input_bias[i]) + active.sum::<i64>();
            let value = sum.clamp(0, QA.into());
            output += value * value * i64::from(*weight);
        }
    }
    let output = output / i64::from(QA) + i64::from(network.output_bias[bucket]);
    let worth = output * i64::from(network.header.scale) / i64::from(QA * QB);
    worth.clamp((-BOUND).into(), BOUND.into()) as i32
}

/// The inputs for the pieces of a view, and for each two that are neighbours.
fn active_inputs<P: Game>(view: FeatureBits) -> Vec<usize> {
    let board = oriented::<P>(view);
    let first = INPUTS * P::input_bucket(view);
    let pieces = (0..INPUTS).filter(|input| board[input / 64] >> (input % 64) & 1 != 0);
    let mut inputs: Vec<usize> = pieces.clone().map(|input| first + input).collect();
    // Files and ranks from the lower square of a pair to the higher one.
    let directions = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    for (lower, higher) in pieces.clone().flat_map(|a| pieces.clone().map(move |b| (a, b))) {
        let [(file, rank), (other_file, other_rank)] =
            [lower, higher].map(|input| ((input % 8) as i32, (input % 64 / 8) as i32));
        let way = (other_file - file, other_rank - rank);
        if let Some(direction) = directions.iter().position(|direction| *direction == way)
            && P::PAIRS
        {
            let owners = 2 * (lower / 64) + higher / 64;
            inputs.push(INPUTS * P::INPUT_BUCKETS + 256 * owners + 64 * direction + lower % 64);
        }
    }
    inputs
}

fn setups<P: Game>() -> impl Iterator<Item = P> {
    let setups =
        P::VARIANTS.iter().flat_map(|variant| std::iter::once(&variant.start).chain(variant.bench));
    setups.map(|setup| P::read_setup(setup, P::Rules::default()).unwrap())
}

/// The plies of the stacks in the tests.
const PLIES: usize = 12;

/// Walks up and down the tree at random, as a search does, and judges some of the positions.
fn all_ways_agree<P: Game>() {
    for (seed, sizes) in [(1, USUAL), (2, USUAL), (3, LARGEST), (4, LARGEST)] {
        let network = random::<P>(seed, sizes);
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut fast = AccumulatorStack::new::<P>(&network, PLIES);
        let mut portable = AccumulatorStack::portable::<P>(&network, PLIES);
        let mut seen = std::collections::HashSet::new();
        for root in setups::<P>() {
            let mut line = vec![root];
            for _ in 0..600 {
                let position = line[line.len() - 1];
                let ply = line.len() - 1;
                if rng.random_bool(0.7) {
                    let worth = defined(&network, &position);
                    let text = position.write_setup();
                    assert_eq!(fast.evaluate(&position, ply), worth, "{text}");
                    assert_eq!(portable.evaluate(&position, ply), worth, "{text}");
                    assert_eq!(network.evaluate(&position), worth, "{text}");
                    seen.insert(worth);
                }
                match legal_moves(&position).choose(&mut rng) {
                    Some(&mv) if line.len() < PLIES && rng.random_bool(0.6) => {
                        line.push(position.play(mv));
                    }
                    _ if line.len() > 1 => drop(line.pop()),
                    // The root of the next search.
                    Some(&mv) => line[0] = position.play(mv),
                    None => line[0] = root,
                }
            }
        }
        assert!(seen.len() > 200, "only {} evaluations", seen.len());
    }
}

#[test]
fn all_ways_to_an_evaluation_agree() {
    all_ways_agree::<Loa>();
    all_ways_agree::<Draughts>();
}

/// The board is turned before the network sees it, so it says the same of mirror images.
#[test]
fn mirror_images_are_judged_alike() {
    let network = random::<Loa>(1, USUAL);
    let judge = |ranks: &[String]| {
        let position = Loa::read_setup(&format!("{} w", ranks.join("/")), Default::default());
        network.evaluate(&position.unwrap())
    };
    let mirrored = |rank: &String| rank.chars().rev().collect();
    for board in ["8/2x5/1xx1o3/1x3oo1/3x1o2/8/8/8", "o7/1o6/2ox4/2o1x3/8/5xx1/6x1/8"] {
        let ranks: Vec<String> = board.split('/').map(String::from).collect();
        let mut sides: Vec<String> = ranks.iter().map(mirrored).collect();
        assert_eq!(judge(&sides), judge(&ranks), "{board}");
        sides.reverse();
        assert_eq!(judge(&sides), judge(&ranks), "{board}");
    }
}

#[test]
fn the_bounds_hold_for_a_search() {
    for worth in [BOUND, -BOUND] {
        assert_eq!(i32::from(search::Score::eval(worth).raw()), worth);
    }
}

fn golden<P: Game>() -> Vec<i32> {
    let network = random::<P>(7, USUAL);
    setups::<P>().skip(1).take(5).map(|position| network.evaluate(&position)).collect()
}

/// What these networks said when they were first asked.
#[test]
fn evaluations_stay_what_they_were() {
    assert_eq!(
        (golden::<Loa>(), golden::<Draughts>()),
        (GOLDEN_LOA.to_vec(), GOLDEN_DRAUGHTS.to_vec())
    );
}

const GOLDEN_LOA: [i32; 5] = [442, 0, -491, 235, 265];
const GOLDEN_DRAUGHTS: [i32; 5] = [314, 530, 406, 293, -82];

// The search.

/// The positions that a search to some depth visits. Where the checks of the compiler are on, the
/// search itself holds each evaluation against one from scratch.
fn visited<P: Game>(root: P, network: Option<&Network>) -> u64 {
    let signals = Signals::new(false);
    let task = SearchRequest {
        root,
        history: &[],
        root_moves: &[],
        limits: &Limits { depth: Some(7), ..Limits::default() },
        tablebase: None,
        network,
        eval_noise: EvalNoise::default(),
        started: Instant::now(),
        threads: 1,
        multipv: 1,
        table: &TranspositionTable::new(1).unwrap(),
        signals: &signals,
    };
    assert!(search::run(&task, &mut |_| {}).is_some());
    signals.add_nodes(0)
}

fn a_search_judges_by_the_network<P: Game>() {
    const { assert!(cfg!(debug_assertions), "the search does not check its evaluations") };
    let network = random::<P>(5, USUAL);
    for root in setups::<P>().take(4) {
        let by_network = visited(root, Some(&network));
        assert_eq!(by_network, visited(root, Some(&network)));
        assert_ne!(by_network, visited(root, None), "{}", root.write_setup());
    }
}

#[test]
fn searches_judge_by_the_network() {
    a_search_judges_by_the_network::<Loa>();
    a_search_judges_by_the_network::<Draughts>();
}

// Files.

#[test]
fn a_network_that_is_written_reads_back() {
    for seed in 0..4 {
        for network in [random::<Loa>(seed, USUAL), random::<Draughts>(seed, LARGEST)] {
            assert_eq!(Network::read(&network.write()), Ok(network));
        }
    }
}

#[test]
fn files_of_version_1_are_read() {
    let network = random::<Draughts>(1, USUAL);
    // The header has 92 bytes; the checksum and the bias of the output 4 and 4 for each bucket.
    let earlier = changed(&network, |bytes| {
        let end = bytes.len() - 4 * network.output_bias.len();
        let (low, high) = bytes[92..end].split_at((end - 92) / 2);
        let weights = low.iter().zip(high).flat_map(|(low, high)| {
            let number = i32::from(u16::from_le_bytes([*low, *high]));
            let weight = if number % 2 == 0 { number / 2 } else { -(number + 1) / 2 };
            (weight as i16).to_le_bytes()
        });
        let weights: Vec<u8> = weights.collect();
        bytes.splice(92..end, weights);
        bytes[8] = 1;
    });
    assert_eq!(Network::read(&earlier), Ok(network));
}

/// A file with a change, and the checksum set right.
fn changed(network: &Network, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = network.write();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[test]
fn a_bad_file_is_refused_by_name() {
    let network = random::<Loa>(1, USUAL);
    let bytes = network.write();
    let patched = |offset: usize, patch: &[u8]| {
        changed(&network, |bytes| bytes[offset..offset + patch.len()].copy_from_slice(patch))
    };
    let with = |change: fn(&mut Network)| {
        let mut network = network.clone();
        change(&mut network);
        network.write()
    };
    // Magic 0, version 8, name 12, inputs 44, hidden 48, parts 52, scale 56.
    let table: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "not a Soucie network"),
        (b"GIF89a and so on".to_vec(), "not a Soucie network"),
        (patched(0, b"s"), "not a Soucie network"),
        (bytes[..10].to_vec(), "expected 33636 bytes, found 10"),
        (bytes[..50].to_vec(), "expected 33636 bytes, found 50"),
        (bytes[..20_000].to_vec(), "expected 299392 bytes, found 20000"),
        (bytes[..bytes.len() - 1].to_vec(), "expected 299392 bytes, found 299391"),
        ([&bytes[..], b"\n"].concat(), "expected 299392 bytes, found 299393"),
        (patched(8, &[9]), "expected network version 1 or 2, found version 9"),
        (patched(12, &[0]), "the network names no game"),
        (patched(12, &[0xff]), "the network names no game"),
        (patched(44, &[0, 0]), "expected 128 times 1 to 64 inputs, found 0"),
        (patched(44, &[7]), "expected 128 times 1 to 64 inputs, found 1031"),
        (patched(48, &[64]), "expected 128 accumulator values, found 64"),
        (patched(52, &[0]), "expected 1 to 64 output buckets, found 0"),
        (patched(52, &[0xff; 4]), "expected 1 to 64 output buckets, found 4294967295"),
        (patched(52, &[4]), "expected 297328 bytes, found 299392"),
        (with(|network| network.header.scale = 0), "expected a scale from 1 to 10000, found 0"),
        (
            with(|network| network.input_weights[127].0[127] = -506),
            "expected input weights from -505 to 505, found -506",
        ),
        (
            with(|network| network.input_bias[3] = i16::MIN),
            "expected input biases from -3800 to 3800, found -32768",
        ),
        (
            with(|network| network.output_weights[0][1][0] = 128),
            "expected output weights from -127 to 127, found 128",
        ),
    ];
    for (bytes, message) in table {
        assert_eq!(Network::read(&bytes).unwrap_err().to_string(), message);
    }
}

/// Every bit counts.
#[test]
fn a_flipped_bit_is_noticed() {
    let bytes = random::<Draughts>(1, USUAL).write();
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..2_000 {
        let mut damaged = bytes.clone();
        damaged[rng.random_range(0..bytes.len())] ^= 1 << rng.random_range(0..8);
        assert!(Network::read(&damaged).is_err());
    }
    let mut damaged = bytes;
    damaged[1_000] ^= 1;
    assert_eq!(Network::read(&damaged), Err(NetworkError::Damaged));
}

#[test]
fn a_network_is_for_one_game() {
    let [loa, draughts] = [random::<Loa>(1, USUAL), random::<Draughts>(1, USUAL)];
    assert_eq!(loa.suits::<Loa>(), Ok(()));
    assert_eq!(draughts.suits::<Draughts>(), Ok(()));
    let text = loa.suits::<Draughts>().unwrap_err().to_string();
    assert_eq!(text, "expected a network for englishdraughts, found one for linesofaction");
    let halved = Network { output_weights: vec![[[0; HIDDEN]; 2]], ..draughts.clone() };
    let text = halved.suits::<Draughts>().unwrap_err().to_string();
    assert_eq!(text, "expected 8 output buckets, found 1");
    let three = draughts.input_weights[..3 * INPUTS].to_vec();
    let text = Network { input_weights: three, ..draughts }.suits::<Draughts>().unwrap_err();
    assert_eq!(text.to_string(), "expected 1024 inputs, found 384");
    let mut heavy = loa;
    heavy.input_weights[INPUTS].0[5] = -PAIR_LIMIT - 1;
    let text = heavy.suits::<Loa>().unwrap_err().to_string();
    assert_eq!(text, "expected weights of pairs from -100 to 100, found -101");
}

#[test]
fn the_inputs_of_one_bucket_serve_all_positions() {
    let mut whole = random::<Draughts>(1, USUAL);
    let single = whole.input_weights[..INPUTS].to_vec();
    whole.input_weights = single.repeat(8);
    all_agree(&Network { input_weights: single, ..whole.clone() }, &whole, setups::<Draughts>());
    let mut whole = random::<Loa>(1, USUAL);
    whole.input_weights[INPUTS..].fill(InputWeights([0; HIDDEN]));
    let single = whole.input_weights[..INPUTS].to_vec();
    all_agree(&Network { input_weights: single, ..whole.clone() }, &whole, setups::<Loa>());
}

fn all_agree<P: Game>(small: &Network, whole: &Network, positions: impl Iterator<Item = P>) {
    assert_eq!(small.suits::<P>(), Ok(()));
    for position in positions {
        assert_eq!(small.evaluate(&position), whole.evaluate(&position));
    }
}

#[test]
fn files_that_are_built_in_have_their_names_and_games() {
    for (name, bytes) in FILES {
        let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let network = Network::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let game = &network.header.game;
        assert_eq!(*name, format!("{game}-{}.nnue", &hash[..8]));
        assert_eq!(nnue::built_in(game).as_deref(), Some(&network), "two for {game}");
        let suits = [network.suits::<Loa>(), network.suits::<Draughts>()];
        assert!(suits.contains(&Ok(())), "{name}: {suits:?}");
    }
    assert_eq!(nnue::built_in("chess"), None);
}

// The protocol.

/// Puts a file where the engine can read it.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

/// What `eval` says of the network, line by line.
fn networks(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("Network: ") || line.contains("error")).collect()
}

#[test]
fn a_named_network_judges_its_game() {
    let network = random::<Loa>(1, USUAL);
    let mut session = soucie::engine::open(&Options::default()).unwrap();
    session.set_network(Some(Arc::new(network.clone())));
    let centipawns = session.evaluation().network.unwrap();
    assert_ne!(centipawns, session.evaluation().score);
    let ours = format!("Network: {centipawns:+} centipawns for Black, to move");
    let good = file("good.nnue", &network.write());
    let other = file("other.nnue", &random::<Draughts>(1, USUAL).write());
    let bad = file("bad.nnue", &network.write()[..99]);
    let handcrafted = "setoption name Evaluation value handcrafted\n";
    let text = talk(format!(
        "setoption name EvalFile value {good}\neval\n\
         setoption name EvalFile value {bad}\n\
         setoption name EvalFile value {other}\n\
         setoption name EvalFile value {good}x\neval\n\
         setoption name UCI_Variant value draughts\n{handcrafted}eval\n\
         setoption name UCI_Variant value loa\neval\n\
         setoption name Evaluation value network\neval\n{handcrafted}\
         setoption name EvalFile value <empty>\neval\n"
    ));
    let said = networks(&text);
    let error = |path: &str| format!("info string error EvalFile: {path}: ");
    assert_eq!(said[0], ours);
    assert_eq!(said[1], format!("{}expected 299392 bytes, found 99", error(&bad)));
    let wrong_game = "expected a network for linesofaction, found one for englishdraughts";
    assert_eq!(said[2], format!("{}{wrong_game}", error(&other)));
    assert!(said[3].starts_with(&error(&format!("{good}x"))), "{}", said[3]);
    assert_eq!(said[4..], [&ours, &ours]);
    let evaluations = text.lines().filter(|line| line.starts_with("Evaluation: ")).count();
    assert_eq!(evaluations, 6);
}

#[test]
fn a_network_decides_what_a_search_says() {
    let network = file("search.nnue", &random::<Draughts>(3, USUAL).write());
    let score = |text: &str| {
        let text = talk(format!("setoption name UCI_Variant value draughts\n{text}\ngo depth 5\n"));
        let line = text.lines().rev().find(|line| line.contains(" score ")).unwrap();
        line.split(" nodes ").next().unwrap().to_string()
    };
    let named = format!("setoption name EvalFile value {network}\n");
    let back = "setoption name Evaluation value handcrafted\n";
    let by_hand = score(back);
    assert_ne!(score(&named), by_hand);
    assert_eq!(score(&format!("{named}go depth 5\n{back}")), by_hand);
    assert_eq!(
        score(&format!("{named}go depth 5\n{back}setoption name Evaluation value network\n")),
        score(&named)
    );
}
