//! The network: incremental evaluation, the search, files, and the protocol.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::random_network::{LARGEST, USUAL, random};
use crate::{dialogue::run_uci, published_games};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use soucie::game::{FeatureBits, Features, Game, Notation, Side, legal_moves, oriented};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::nnue::{
    self, AccumulatorStack, BOUND, FILES, HIDDEN, INPUTS, InputWeights, Network, NetworkError,
    PAIR_LIMIT, QA, QB,
};
use soucie::options::Options;
use soucie::search::{self, Limits, SearchMemory, SearchRequest, Signals};

/// The evaluation computed directly from its definition.
fn reference_evaluation<P: Game>(network: &Network, position: &P) -> i32 {
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
    let value = output * i64::from(network.header.scale) / i64::from(QA * QB);
    value.clamp((-BOUND).into(), BOUND.into()) as i32
}

/// The inputs for the pieces of a view and for each pair of adjacent pieces.
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
        let step = (other_file - file, other_rank - rank);
        if let Some(direction) = directions.iter().position(|direction| *direction == step)
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

/// The number of plies of the accumulator stacks.
const PLIES: usize = 12;

/// Plays and takes back random moves, as a search does, and compares some of the evaluations.
fn compare_evaluations<P: Game>() {
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
                    let value = reference_evaluation(&network, &position);
                    let text = position.write_setup();
                    assert_eq!(fast.evaluate(&position, ply), value, "{text}");
                    assert_eq!(portable.evaluate(&position, ply), value, "{text}");
                    assert_eq!(network.evaluate(&position), value, "{text}");
                    seen.insert(value);
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
fn incremental_and_full_evaluations_agree() {
    compare_evaluations::<Loa>();
    compare_evaluations::<Draughts>();
}

/// The board is oriented before the evaluation, unless as many stones are on either half.
#[test]
fn mirror_images_have_the_same_evaluation() {
    let network = random::<Loa>(1, USUAL);
    let evaluate = |ranks: &[String]| {
        let setup = format!("{} w", ranks.join("/"));
        network.evaluate(&Loa::read_setup(&setup, Default::default()).unwrap())
    };
    const HALVES: [u64; 2] = [0xf0f0_f0f0_f0f0_f0f0, 0xffff_ffff_0000_0000];
    for position in published_games::games().into_iter().flatten() {
        let own = position.features(Side::Black);
        let is_tied = |half: &u64| own.map(|own| own.count_ones() == 2 * (own & half).count_ones());
        if !HALVES.iter().flat_map(is_tied).any(|is_tied| is_tied) {
            let setup = position.write_setup();
            let mut ranks: Vec<String> = setup.split([' ', '/']).take(8).map(Into::into).collect();
            let value = evaluate(&ranks);
            ranks.reverse();
            assert_eq!(evaluate(&ranks), value, "{setup}");
            ranks.iter_mut().for_each(|rank| *rank = rank.chars().rev().collect());
            assert_eq!(evaluate(&ranks), value, "{setup}");
        }
    }
}

// The search.

/// The nodes of a search to a fixed depth. With debug assertions, the search compares each
/// incremental evaluation with a full one.
fn count_nodes<P: Game>(root: P, network: Option<&Network>) -> u64 {
    let (table, signals) = (SearchMemory::new(1).unwrap(), Signals::new(false));
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let request = SearchRequest { network, ..SearchRequest::new(root, &limits, &table, &signals) };
    assert!(search::run(&request, &mut |_| {}).is_some());
    signals.add_nodes(0)
}

fn check_that_searches_use_the_network<P: Game>() {
    const { assert!(cfg!(debug_assertions), "the search does not check its evaluations") };
    let network = random::<P>(5, USUAL);
    for root in setups::<P>().take(2) {
        let by_network = count_nodes(root, Some(&network));
        assert_eq!(by_network, count_nodes(root, Some(&network)));
        assert_ne!(by_network, count_nodes(root, None), "{}", root.write_setup());
    }
}

#[test]
fn searches_use_the_network() {
    check_that_searches_use_the_network::<Loa>();
    check_that_searches_use_the_network::<Draughts>();
}

// Files.

#[test]
fn networks_round_trip() {
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

/// The file of a network with a change and a valid checksum.
fn changed(network: &Network, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = network.write();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[test]
fn invalid_files_are_rejected_with_the_reason() {
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

#[test]
fn a_flipped_bit_is_detected() {
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
fn a_network_suits_one_game_only() {
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
fn a_network_with_one_input_bucket_uses_it_for_all_positions() {
    let mut whole = random::<Draughts>(1, USUAL);
    let single = whole.input_weights[..INPUTS].to_vec();
    whole.input_weights = single.repeat(8);
    assert_same_evaluations(
        &Network { input_weights: single, ..whole.clone() },
        &whole,
        setups::<Draughts>(),
    );
    let mut whole = random::<Loa>(1, USUAL);
    whole.input_weights[INPUTS..].fill(InputWeights([0; HIDDEN]));
    let single = whole.input_weights[..INPUTS].to_vec();
    assert_same_evaluations(
        &Network { input_weights: single, ..whole.clone() },
        &whole,
        setups::<Loa>(),
    );
}

fn assert_same_evaluations<P: Game>(
    small: &Network,
    whole: &Network,
    positions: impl Iterator<Item = P>,
) {
    assert_eq!(small.suits::<P>(), Ok(()));
    for position in positions {
        assert_eq!(small.evaluate(&position), whole.evaluate(&position));
    }
}

#[test]
fn built_in_networks_are_named_after_game_and_hash() {
    for (name, bytes) in FILES {
        let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let network = Network::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let game = &network.header.game;
        assert_eq!(*name, format!("{game}-{}.nnue", &hash[..8]));
        assert_eq!(nnue::built_in(game).as_deref(), Some(&network), "{game} has another network");
        let suits = [network.suits::<Loa>(), network.suits::<Draughts>()];
        assert!(suits.contains(&Ok(())), "{name}: {suits:?}");
    }
    assert_eq!(nnue::built_in("chess"), None);
}

// The protocol.

/// Writes a file and returns its path.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

/// The lines about the network in the output of `eval`, and the errors.
fn network_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("Network: ") || line.contains("error")).collect()
}

#[test]
fn eval_file_sets_the_network_of_its_game() {
    let network = random::<Loa>(1, USUAL);
    let mut session = soucie::engine::open(&Options::default()).unwrap();
    session.set_network(Some(Arc::new(network.clone())));
    let centipawns = session.evaluation().network.unwrap();
    assert_ne!(centipawns, session.evaluation().score);
    let expected = format!("Network: {centipawns:+} centipawns for Black, to move");
    let good = file("good.nnue", &network.write());
    let bad = file("bad.nnue", &network.write()[..99]);
    let handcrafted = "setoption name Evaluation value handcrafted\n";
    let text = run_uci(format!(
        "setoption name EvalFile value {good}\neval\n\
         setoption name EvalFile value {bad}\n\
         setoption name EvalFile value {good}x\neval\n\
         setoption name UCI_Variant value draughts\n{handcrafted}eval\n\
         setoption name UCI_Variant value loa\neval\n\
         setoption name Evaluation value network\neval\n{handcrafted}\
         setoption name EvalFile value <empty>\neval\n"
    ));
    let lines = network_lines(&text);
    let error = |path: &str| format!("info string error EvalFile: {path}: ");
    assert_eq!(lines[0], expected);
    assert_eq!(lines[1], format!("{}expected 299392 bytes, found 99", error(&bad)));
    assert!(lines[2].starts_with(&error(&format!("{good}x"))), "{}", lines[2]);
    assert_eq!(lines[3..], [&expected, &expected]);
    let evaluations = text.lines().filter(|line| line.starts_with("Evaluation: ")).count();
    assert_eq!(evaluations, 6);
}

/// A client may send `EvalFile` before `UCI_Variant`.
#[test]
fn a_network_is_kept_for_the_game_that_it_names() {
    let files = [
        ("loa", file("kept-loa.nnue", &random::<Loa>(1, USUAL).write())),
        ("draughts", file("kept-draughts.nnue", &random::<Draughts>(1, USUAL).write())),
    ];
    for (game, path) in &files {
        let variant = format!("setoption name UCI_Variant value {game}\n");
        let network = format!("setoption name EvalFile value {path}\n");
        let after = run_uci(format!("{variant}{network}eval\n"));
        assert_eq!(network_lines(&after).len(), 1, "{after}");
        for other in ["loa", "draughts"] {
            let first = format!("setoption name UCI_Variant value {other}\n");
            let text = run_uci(format!("{first}{network}{variant}eval\n"));
            assert_eq!(network_lines(&text), network_lines(&after), "{other}: {text}");
            let note = format!("info string EvalFile: {path}: not for this game, ");
            assert_eq!(text.contains(&note), game != &other, "{text}");
        }
    }
    let unknown = random::<Loa>(1, USUAL);
    let header = nnue::NetworkHeader { game: "chess".to_string(), ..unknown.header.clone() };
    let path = file("unknown.nnue", &Network { header, ..unknown }.write());
    let text = run_uci(format!("setoption name EvalFile value {path}\n"));
    let error = "the network is for an unknown game: chess";
    assert_eq!(text.trim_end(), format!("info string error EvalFile: {path}: {error}"));
}

#[test]
fn eval_file_changes_the_score_of_a_search() {
    let network = file("search.nnue", &random::<Draughts>(3, USUAL).write());
    let score = |text: &str| {
        let text =
            run_uci(format!("setoption name UCI_Variant value draughts\n{text}\ngo depth 5\n"));
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
