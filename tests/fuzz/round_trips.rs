//! What is written is read as the same, and so is what is read of a changed input and written again.
//! `PROPTEST_CASES` sets the number of cases.

use std::fs;
use std::path::Path;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use soucie::book::{Book, BookEntry};
use soucie::engine::uci_score::UciScore;
use soucie::game::Side;
use soucie::proofs::file::{Answer, Proof, ProofClaim};
use soucie_lab::engine_match::game_record::{
    EngineFailure, EngineId, EngineStats, GameRecord, GameResult, MoveRecord, PerEngine,
};
use soucie_lab::openings::ListedOpening;
use soucie_lab::samples::{Block, Header, Reader, Sample, SampledEnd, write_game, write_header};

use crate::targets::TARGETS;
use crate::{corpus, names};

/// The targets that write what they read.
const WRITING: [&str; 7] = ["book", "moves", "network", "proof", "records", "samples", "setup"];

fn book() -> impl Strategy<Value = Book> {
    let entry = (0..40_u64, any::<u16>()).prop_map(|(hash, mv)| BookEntry { hash, mv });
    ("[a-z]{0,32}", vec(entry, 0..40)).prop_map(|(game, entries)| Book::new(&game, entries))
}

fn claim() -> impl Strategy<Value = ProofClaim> {
    prop_oneof![
        any::<u32>().prop_map(|plies| ProofClaim::Win { plies }),
        any::<u32>().prop_map(|plies| ProofClaim::Loss { plies }),
        (prop::sample::select(&Side::BOTH[..]), any::<Option<u32>>())
            .prop_map(|(attacker, plies)| ProofClaim::NoWin { attacker, plies }),
    ]
}

fn proof() -> impl Strategy<Value = Proof> {
    let options = vec(("[A-Za-z ]{1,9}", "\\PC{0,9}"), 0..5);
    let answers = vec((any::<u32>(), "[a-h1-8x-]{1,9}", "\\PC{0,20}"), 0..9);
    let tables = proptest::option::of("\\PC{0,20}");
    let moves = vec("[a-h1-8x-]{1,9}", 0..3);
    let parts = ("[a-z]{1,9}", options, tables, "\\PC{0,30}", moves, claim(), answers);
    parts.prop_map(|(variant, options, tables, setup, moves, claim, answers)| {
        let has_plies = !matches!(claim, ProofClaim::NoWin { plies: None, .. });
        let answer =
            |(plies, mv, setup)| Answer { plies: if has_plies { plies } else { 0 }, mv, setup };
        let answers = answers.into_iter().map(answer).collect();
        Proof { variant, options, tables, setup, moves, claim, answers }
    })
}

fn engine() -> impl Strategy<Value = EngineId> {
    prop::sample::select(&EngineId::BOTH[..])
}

/// A time in whole microseconds, up to some years.
fn time() -> impl Strategy<Value = Duration> {
    (0..1_u64 << 50).prop_map(Duration::from_micros)
}

prop_compose! {
    fn match_move()(
        text in "\\PC{0,9}",
        by in engine(),
        score in any::<Option<Result<i32, i32>>>(),
        [depth, nodes] in any::<[Option<u64>; 2]>(),
        time in time(),
    ) -> MoveRecord {
        let mut mv = MoveRecord { text, by, reported: Default::default(), time };
        mv.reported.score =
            score.map(|score| score.map_or_else(UciScore::Mate, UciScore::Centipawns));
        (mv.reported.depth, mv.reported.nodes) = (depth, nodes);
        mv
    }
}

prop_compose! {
    fn match_game()(
        number in any::<usize>(),
        black in engine(),
        winner in prop::option::of(engine()),
        reason in ".{0,30}",
        failure in prop::option::of(prop::sample::select(&EngineFailure::ALL[..])),
        setup in prop::option::of("\\PC{0,30}"),
        opening in vec("\\PC{0,9}", 0..4),
        moves in vec(match_move(), 0..6),
        [first, second] in [time(), time()],
    ) -> GameRecord {
        let end = GameResult { winner, reason, failure };
        let opening = ListedOpening { setup, moves: opening };
        let [first, second] = [first, second].map(|overshoot| EngineStats { overshoot });
        GameRecord { number, black, end, opening, moves, stats: PerEngine { first, second } }
    }
}

prop_compose! {
    fn header()(
        variant in "[a-z]{0,16}",
        engine in any::<[u16; 3]>(),
        net in any::<[u8; 8]>(),
        [first_seed, seeds, nodes, settings] in any::<[u64; 4]>(),
    ) -> Header {
        Header { variant, engine, net, first_seed, seeds, nodes, settings }
    }
}

prop_compose! {
    fn sample()(
        inputs in any::<[u64; 2]>(),
        score in any::<i16>(),
        result in 0..3_u8,
        noisy in any::<bool>(),
        [ply, best] in any::<[u16; 2]>(),
        game in any::<u32>(),
    ) -> Sample {
        Sample { inputs, score, result, noisy, ply, best, game }
    }
}

proptest! {
    #[test]
    fn books_round_trip(book in book()) {
        prop_assert_eq!(Book::read(&book.write()), Ok(book));
    }

    #[test]
    fn proofs_round_trip(proof in proof()) {
        let mut written = Vec::new();
        proof.write(&mut written).unwrap();
        prop_assert_eq!(Proof::read(written.as_slice()).unwrap(), proof);
    }

    #[test]
    fn games_of_journals_round_trip(game in match_game()) {
        let line = serde_json::to_string(&game).unwrap();
        prop_assert!(!line.contains('\n'), "{}", line);
        prop_assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), game);
    }

    #[test]
    fn samples_round_trip(
        header in header(),
        games in vec((vec(sample(), 0..5), any::<(u64, u16)>(), prop::option::of(0..3_u8)), 0..4),
    ) {
        let (mut written, mut blocks) = (Vec::new(), vec![Block::Header(header.clone())]);
        write_header(&header, &mut written).unwrap();
        for (samples, (seed, plies), result) in games {
            let end = SampledEnd { seed, samples: samples.len() as u32, plies, result };
            write_game(&samples, &end, &mut written).unwrap();
            blocks.extend(samples.into_iter().map(Block::Sample).chain([Block::End(end)]));
        }
        let read = Reader::new(written.as_slice(), Path::new("samples"));
        prop_assert_eq!(read.collect::<Result<Vec<_>, _>>().unwrap(), blocks);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 8,
        ..Default::default()
    })]

    /// The targets themselves check that what they have read is written and read as the same.
    #[test]
    fn changed_inputs_of_the_corpus_round_trip(
        changes in vec((any::<Index>(), 0..9_usize, vec(any::<u8>(), 0..4), any::<Index>()), 1..5),
    ) {
        for (target, check) in TARGETS.into_iter().filter(|(name, _)| WRITING.contains(name)) {
            let folder = corpus().join(target);
            for name in names(&folder) {
                let mut bytes = fs::read(folder.join(name)).unwrap();
                for (at, length, new, from) in &changes {
                    // New bytes, or some of the same input.
                    let from = from.index(bytes.len() + 1);
                    let copied = bytes[from..].iter().take(*length).copied().collect();
                    let new = if new.is_empty() { copied } else { new.clone() };
                    let at = at.index(bytes.len() + 1);
                    let end = bytes.len().min(at + length);
                    bytes.splice(at..end, new);
                }
                check(&bytes);
            }
        }
    }
}
