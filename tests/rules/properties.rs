//! Property tests that every game must pass, on random games and on random text.
//!
//! They access a game only through [`Game`]. A new game is one line in the table at the end.

mod facts;
mod text;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use soucie::book::BookKey;
use soucie::game::bitboard::Square;
use soucie::game::{
    FeatureBits, Game, Move, MoveFormat, MoveList, MoveScores, Outcome, RuleChoice, Rules, Side,
    legal_moves, oriented, outcome,
};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::nnue;

use self::facts::{
    facts_are_true, openings_lead_to_their_setups, squares_without_moves_have_a_reason,
};
use self::text::{
    any_move, any_setup, reads_any_move, reads_any_setup, some_random_setups_are_read,
};

/// The expectations of a game that its traits do not provide.
#[derive(Clone, Copy)]
struct GameExpectations {
    /// Returns the setup with the colours and the side to move exchanged, rotated by 180 degrees
    /// if the two sides move in different directions.
    mirror: fn(&str) -> String,
    /// Whether [`Heuristics::winning_move`] finds every win in one.
    finds_every_win: bool,
}

// Random games.

const GAMES: u64 = 8;
const LONGEST: usize = 150;

/// The bound of evaluations, far below the scores of certain results.
const EVALUATION_BOUND: i32 = 20_000;

/// The default rules, and rules with one option set to another value.
fn all_rules<R: Rules>() -> Vec<R> {
    let mut all = vec![R::default()];
    for option in R::OPTIONS {
        let values: Vec<u16> = match option.choice {
            RuleChoice::Named(names) => (1..names.len() as u16).collect(),
            RuleChoice::Number { default, min, max } => {
                [min, default, 20, max].map(|value| value.clamp(min, max)).to_vec()
            }
        };
        for value in values {
            let mut rules = R::default();
            (option.set)(&mut rules, value);
            all.push(rules);
        }
    }
    all
}

/// Plays random games. Calls `check` for every position: it is the last of the slice, after all
/// earlier positions of its game.
fn visit<P: Game>(mut check: impl FnMut(&[P], P::Rules)) {
    for rules in all_rules::<P::Rules>() {
        for variant in P::VARIANTS {
            for seed in 0..GAMES {
                let mut rng = SmallRng::seed_from_u64(seed);
                let start = P::read_setup(variant.start, rules).unwrap();
                let mut game = vec![start];
                let mut played = Vec::new();
                check(&game, rules);
                while let Some(mv) = random_move(&game, &played, &mut rng) {
                    played.push(mv);
                    game.push(game[game.len() - 1].play(mv));
                    check(&game, rules);
                }
            }
        }
    }
}

/// A random legal move, often the one that reverses the side's last move: purely random play
/// repeats no position.
fn random_move<P: Game>(game: &[P], played: &[P::Move], rng: &mut SmallRng) -> Option<P::Move> {
    let moves = legal_moves(game.last()?);
    let last = played.len().checked_sub(2).map(|ply| played[ply]);
    let back = moves.iter().find(|mv| {
        last.is_some_and(|last| mv.origin() == last.target() && mv.target() == last.origin())
    });
    match back {
        Some(back) if rng.random_bool(0.3) => Some(*back),
        _ if game.len() > LONGEST => None,
        _ => moves.choose(rng).copied(),
    }
}

/// Visits the positions in which the game is not over.
fn visit_open<P: Game>(mut check: impl FnMut(&P, P::Rules)) {
    visit::<P>(|game, rules| {
        let position = &game[game.len() - 1];
        if outcome(position).is_none() {
            check(position, rules);
        }
    });
}

fn noisy<P: Game>(position: &P) -> MoveList<P::Move> {
    let mut moves = MoveList::new();
    position.noisy_moves(&mut moves);
    moves
}

/// Whether a move wins at once by the position alone.
fn wins<P: Game>(position: &P, mv: P::Move) -> bool {
    position.play(mv).outcome().and_then(|end| end.winner) == Some(position.side())
}

// The properties.

/// A written setup is read as the same position, and written the same again.
fn setups_round_trip<P: Game>(_: GameExpectations) {
    visit::<P>(|game, rules| {
        let position = game[game.len() - 1];
        let text = position.write_setup();
        let again = P::read_setup(&text, rules).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(again.write_setup(), text);
        assert_eq!(again.key(), position.key(), "{text}");
        assert_eq!(again.side(), position.side(), "{text}");
        assert_eq!(legal_texts(&again), legal_texts(&position), "{text}");
    });
}

fn legal_texts<P: Game>(position: &P) -> Vec<String> {
    // A move counter may have ended the game; the setup does not contain it.
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    moves.iter().map(|&mv| position.write_move(mv, MoveFormat::Coordinate)).collect()
}

/// A diagram followed by the side to move is a setup.
fn drawings_round_trip<P: Game>(_: GameExpectations) {
    visit::<P>(|game, rules| {
        let position = game[game.len() - 1];
        let drawing = format!("{}Next move: {}\n", position.diagram(), position.side());
        let again =
            P::read_setup(&drawing, rules).unwrap_or_else(|error| panic!("{drawing}{error}"));
        assert_eq!(again.key(), position.key(), "{drawing}");
    });
}

/// A game is over if and only if it has no legal move. Each outcome has a reason.
fn a_game_without_moves_is_over<P: Game>(_: GameExpectations) {
    visit::<P>(|game, _| {
        let position = &game[game.len() - 1];
        let end = outcome(position);
        assert_eq!(end.is_some(), legal_moves(position).is_empty(), "{}", position.write_setup());
        assert!(end.is_none_or(|end| !end.reason.text.is_empty() && !end.reason.code.is_empty()));
    });
}

/// Each move changes the side to move and the key.
fn turns_alternate<P: Game>(_: GameExpectations) {
    visit::<P>(|game, _| {
        if let [.., before, after] = game {
            assert_eq!(after.side(), !before.side());
            assert_ne!(after.key(), before.key());
        }
    });
}

/// No move is listed twice. Each has a packed form and squares on the board.
fn moves_are_distinct<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        let moves = legal_moves(position);
        for (i, mv) in moves.iter().enumerate() {
            let text = position.write_move(*mv, MoveFormat::Coordinate);
            assert!(!moves[..i].contains(mv), "{text} twice in {}", position.write_setup());
            assert_ne!(mv.packed(), 0, "{text}");
            assert!(mv.origin() < 64 && mv.target() < 64, "{text}");
        }
    });
}

/// A written move is read as the same move, in both formats.
fn moves_round_trip<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        for format in [MoveFormat::Coordinate, MoveFormat::Standard] {
            for mv in legal_moves(position) {
                let text = position.write_move(mv, format);
                match position.read_move(&text) {
                    Ok(read) => assert_eq!(read, mv, "{text} in {}", position.write_setup()),
                    Err(error) => panic!("{text} in {}: {error}", position.write_setup()),
                }
            }
        }
    });
}

/// The path of a move is its coordinate notation, from its origin to its target.
fn paths_are_the_coordinate_notation<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        for mv in legal_moves(position) {
            let path = position.path(mv);
            let name = |&square: &usize| Square::new(square as u8).to_string();
            let (text, squares) = (position.write_move(mv, MoveFormat::Coordinate), || {
                path.iter().map(name).collect::<String>()
            });
            assert_eq!(text, if path.is_empty() { "0000".into() } else { squares() });
            let ends = [path.first(), path.last()].into_iter().flatten().copied();
            assert!(path.is_empty() || ends.eq([mv.origin(), mv.target()]), "{text}");
        }
    });
}

/// The number of reversible plies grows by one or restarts at 0. It covers every earlier
/// occurrence of the position.
fn repetitions_lie_within_reversible_plies<P: Game>(_: GameExpectations) {
    let (mut repetitions, mut is_expected) = (0, false);
    visit::<P>(|game, _| {
        let (ply, position) = (game.len() - 1, game[game.len() - 1]);
        is_expected |= position.repetition_limit() > 0;
        let reversible = position.reversible_plies();
        let grown = ply.checked_sub(1).map_or(0, |before| game[before].reversible_plies() + 1);
        assert!(reversible == 0 || reversible == grown, "{reversible} at ply {ply}");
        if let Some(earlier) = game[..ply].iter().position(|other| other.key() == position.key()) {
            repetitions += 1;
            let distance = ply - earlier;
            assert!(distance <= reversible, "{distance} plies back: {}", position.write_setup());
        }
    });
    assert!(repetitions > 0 || !is_expected, "no random game repeats a position");
}

/// A null move changes only the side to move. A second one restores the position.
fn null_moves_pass_the_turn<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        let Some(next) = position.null_move() else { return };
        assert_eq!(next.side(), !position.side());
        assert_ne!(next.tt_key(), position.tt_key());
        if let Some(again) = next.null_move() {
            assert_eq!(again.key(), position.key());
            assert_eq!(again.write_setup(), position.write_setup());
        }
    });
}

/// A winning move is legal and wins. It is found if the game is expected to find every win.
fn winning_moves_win<P: Game>(expectations: GameExpectations) {
    let mut found = 0;
    visit_open::<P>(|position, _| {
        let setup = position.write_setup();
        let moves = legal_moves(position);
        match position.winning_move() {
            Some(mv) => {
                found += 1;
                assert!(moves.contains(&mv), "{mv:?} is not legal in {setup}");
                assert!(wins(position, mv), "{mv:?} does not win in {setup}");
            }
            None if expectations.finds_every_win => {
                let missed = moves.iter().find(|&&mv| wins(position, mv));
                assert_eq!(missed, None, "a win is missed in {setup}");
            }
            None => {}
        }
    });
    assert!(found > 0 || !expectations.finds_every_win, "the random games have no win in one");
}

/// The noisy moves are the legal moves that are noisy; all of them if the side is forced.
fn noisy_moves_are_legal_moves<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        let setup = position.write_setup();
        let (legal, noisy) = (legal_moves(position), noisy(position));
        for mv in &legal {
            assert_eq!(noisy.contains(mv), position.is_noisy(*mv), "{mv:?} in {setup}");
        }
        assert!(noisy.iter().all(|mv| legal.contains(mv)), "{setup}");
        assert!(!position.is_forced() || noisy.len() == legal.len(), "{setup}");
    });
}

/// Each move has a score for move ordering, whatever the other moves.
fn each_move_is_scored<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        let setup = position.write_setup();
        let scores_of = |moves: &[P::Move]| {
            let mut scores = MoveScores::new();
            position.score_moves(moves, &mut scores);
            scores
        };
        let moves = legal_moves(position);
        let scores: MoveScores = moves.iter().flat_map(|&mv| scores_of(&[mv])).collect();
        assert_eq!(scores_of(&moves), scores, "{setup}");
        assert_eq!(scores.len(), moves.len(), "{setup}");
    });
}

/// An evaluation is bounded, and the sum of its terms. The names of the terms differ.
fn evaluations_are_the_sum_of_their_terms<P: Game>(_: GameExpectations) {
    // The terms of each side may be rounded.
    const ROUNDING: i32 = 2;
    visit_open::<P>(|position, _| {
        let setup = position.write_setup();
        let value = position.evaluate();
        assert!(value.abs() < EVALUATION_BOUND, "{value} in {setup}");
        let terms = position.terms();
        let side = position.side();
        let sum: i32 = terms.iter().map(|term| term.value[side] - term.value[!side]).sum();
        assert!((sum - value).abs() <= ROUNDING, "terms {sum}, evaluation {value} in {setup}");
        let names: HashSet<&str> = terms.iter().map(|term| term.name).collect();
        assert_eq!(names.len(), terms.len(), "a term is named twice in {setup}");
    });
}

/// With the colours exchanged, moves, evaluation, features and outcome are the same for the other
/// side.
fn mirrored_positions_mirror<P: Game>(expectations: GameExpectations) {
    let network = nnue::built_in(P::name()).unwrap();
    visit::<P>(|game, rules| {
        let position = game[game.len() - 1];
        let text = position.write_setup();
        // The position is read again, so that the move counters of both start at the same value.
        let [position, mirrored] = [text.clone(), (expectations.mirror)(&text)].map(|text| {
            P::read_setup(&text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        assert_ne!(mirrored.key(), position.key(), "{text}");
        assert_eq!(mirrored.side(), !position.side(), "{text}");
        assert_eq!(legal_moves(&mirrored).len(), legal_moves(&position).len(), "{text}");
        assert_eq!(noisy(&mirrored).len(), noisy(&position).len(), "{text}");
        assert_eq!(mirrored.evaluate(), position.evaluate(), "{text}");
        assert_eq!(network.evaluate(&mirrored), network.evaluate(&position), "{text}");
        for side in Side::BOTH {
            assert_eq!(mirrored.features(!side), position.features(side), "{text}");
        }
        assert_eq!(mirrored.winning_move().is_some(), position.winning_move().is_some(), "{text}");
        let swapped = |end: Outcome| Outcome { winner: end.winner.map(|side| !side), ..end };
        assert_eq!(outcome(&mirrored), outcome(&position).map(swapped), "{text}");
    });
}

/// The features distinguish the positions. Flipping and symmetries keep their number and can be
/// undone.
fn features_describe_the_board<P: Game>(_: GameExpectations) {
    let mut seen = HashMap::new();
    visit::<P>(|game, _| {
        let position = &game[game.len() - 1];
        let text = position.write_setup();
        let features = position.features(position.side());
        assert_eq!(position.features(!position.side()), P::flip(features), "{text}");
        assert_eq!(P::flip(P::flip(features)), features, "{text}");
        assert!(P::input_bucket(features) < P::INPUT_BUCKETS, "{text}");
        let bucket = P::output_bucket(features);
        assert!(bucket < P::OUTPUT_BUCKETS, "{text}");
        assert_eq!(P::output_bucket(P::flip(features)), bucket, "{text}");
        // The same features may occur with either side to move.
        let key = (position.side() as u8, features);
        assert_eq!(*seen.entry(key).or_insert_with(|| text.clone()), text);

        if P::SYMMETRIES > 1 {
            let pieces = |side| {
                let is_of =
                    |&square: &usize| position.piece_on(square).is_some_and(|p| p.side == side);
                (0..64).filter(is_of).fold(0, |set, square| set | 1 << square)
            };
            assert_eq!(features, [position.side(), !position.side()].map(pieces), "{text}");
        }
        let images: HashSet<FeatureBits> =
            (0..P::SYMMETRIES).map(|number| P::transformed(features, number)).collect();
        assert!(images.contains(&features));
        for &image in &images {
            assert_eq!(image.map(u64::count_ones), features.map(u64::count_ones), "{text}");
            let back: HashSet<FeatureBits> =
                (0..P::SYMMETRIES).map(|number| P::transformed(image, number)).collect();
            assert!(back.contains(&features), "{text}");
        }
        let oriented = oriented::<P>(features);
        assert!(images.contains(&oriented), "{text}");
        assert_eq!(P::transformed(oriented, P::symmetry(oriented)), oriented, "{text}");
    });
}

/// The code of a move in a book selects that move.
fn book_codes_select_their_moves<P: Game>(_: GameExpectations) {
    visit_open::<P>(|position, _| {
        let key = BookKey::of(position);
        for mv in legal_moves(position) {
            let code = key.code(position, mv);
            assert_eq!(key.legal_move(position, code), Some(mv), "{}", position.write_setup());
        }
    });
}

/// In every variant Black moves first, names are unique, and no benchmark position is over.
fn variants_can_be_played<P: Game>(_: GameExpectations) {
    let mut names = HashSet::new();
    for variant in P::VARIANTS {
        let start = P::read_setup(variant.start, P::Rules::default()).unwrap();
        assert_eq!(start.side(), Side::Black, "{}", variant.name);
        assert_eq!(start.write_setup(), variant.start, "{}", variant.name);
        assert!(names.insert(variant.name), "{} twice", variant.name);
        for alias in variant.aliases {
            assert!(names.insert(alias), "{alias} twice");
        }
        for setup in [variant.start].iter().chain(variant.bench) {
            let position = P::read_setup(setup, P::Rules::default()).unwrap();
            assert_eq!(outcome(&position), None, "{setup}");
        }
    }
    for name in names {
        let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        assert!(plain, "'{name}' is not in lower case without blanks and dashes");
    }
}

// The games.

/// Exchanges the colours of a setup of Lines of Action.
fn mirror_loa(setup: &str) -> String {
    let (placement, rest) = setup.split_once(' ').unwrap();
    let mut text = String::new();
    for letter in placement.chars() {
        text.push(match letter {
            'l' => 'L',
            'L' => 'l',
            other => other,
        });
    }
    let (side, rest) = rest.split_at(1);
    write!(text, " {}{rest}", if side == "b" { "w" } else { "b" }).unwrap();
    text
}

/// Exchanges the colours of a setup of draughts and rotates the board by 180 degrees.
fn mirror_draughts(setup: &str) -> String {
    let mut text = String::new();
    for word in setup.split_inclusive([':', ',']) {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        let rotated = digits.parse().map_or(String::new(), |number: u8| (33 - number).to_string());
        let word =
            if digits.is_empty() { word.to_string() } else { word.replace(digits, &rotated) };
        text.extend(word.chars().map(|letter| match letter {
            'B' => 'W',
            'W' => 'B',
            other => other,
        }));
    }
    text
}

macro_rules! property_tests {
    ($($name:ident: $game:ty, $expectations:expr;)*) => { $(
        mod $name {
            use super::*;

            property_tests! { @each $game, $expectations;
                setups_round_trip
                drawings_round_trip
                a_game_without_moves_is_over
                turns_alternate
                moves_are_distinct
                moves_round_trip
                squares_without_moves_have_a_reason
                facts_are_true
                openings_lead_to_their_setups
                paths_are_the_coordinate_notation
                repetitions_lie_within_reversible_plies
                null_moves_pass_the_turn
                winning_moves_win
                noisy_moves_are_legal_moves
                each_move_is_scored
                evaluations_are_the_sum_of_their_terms
                mirrored_positions_mirror
                features_describe_the_board
                book_codes_select_their_moves
                variants_can_be_played
                some_random_setups_are_read
            }

            proptest! {
                #[test]
                fn any_text_is_a_setup_or_an_error(text in any_setup::<$game>()) {
                    reads_any_setup::<$game>(&text)?;
                }

                #[test]
                fn any_text_is_a_move_or_an_error(text in any_move()) {
                    reads_any_move::<$game>(&text)?;
                }
            }
        }
    )* };
    (@each $game:ty, $expectations:expr; $($property:ident)*) => { $(
        #[test]
        fn $property() {
            super::$property::<$game>($expectations);
        }
    )* };
}

property_tests! {
    loa: Loa, GameExpectations { mirror: mirror_loa, finds_every_win: true };
    draughts: Draughts, GameExpectations { mirror: mirror_draughts, finds_every_win: false };
}
