//! Hints: each has a reason, which a second computation confirms.
//!
//! In games at every level of both games, positions get a hint. `SOUCIE_HINTS=1000` asks for a thousand.

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;

use crate::fact_witness::expected_facts;
use crate::player::Player;
use soucie::analysis::analyser::{Analyser, search_limits};
use soucie::analysis::hint::Hint;
use soucie::engine::PlayingLevel;
use soucie::engine::session::GameSession;
use soucie::engine::uci_score::UciScore;
use soucie::game::{Fact, Game, GameHistory, MoveFormat, Players, facts, root_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::options::VARIANT;
use soucie::search::{Limits, SearchOptions, Signals};

const LEVELS: [PlayingLevel; 5] = [
    PlayingLevel::Beginner,
    PlayingLevel::Easy,
    PlayingLevel::Medium,
    PlayingLevel::Hard,
    PlayingLevel::Full,
];

/// The nodes of a move at the levels that have no limit of their own, and of a hint.
const NODES: u64 = 5_000;

/// The codes of what the search has proved or found. No witness recomputes them.
const OF_THE_SEARCH: [&str; 4] = ["forces-win", "others-lose", "every-move-loses", "best-score"];

/// The game of a session.
fn replayed<P: Game>(session: &dyn GameSession) -> GameHistory<P> {
    let start = P::read_setup(&session.start(), P::Rules::default()).unwrap();
    let mut game = GameHistory::new(start);
    for played in session.history() {
        let mv = game.position().read_move(&played.mv.coordinate).unwrap();
        game.play(mv);
    }
    game
}

/// Checks all facts about a move, also those that a hint leaves out.
fn check_facts<P: Game>(session: &dyn GameSession, hint: &Hint) {
    let game = replayed::<P>(session);
    let position = game.position();
    let is_hinted =
        |mv: P::Move| position.write_move(mv, MoveFormat::Coordinate) == hint.mv.coordinate;
    let mv = root_moves(position, &[]).into_iter().find(|&mv| is_hinted(mv)).unwrap();
    let text = |fact: &Fact| (fact.code, fact.text.clone());
    let found: Vec<_> = facts(&game, mv).iter().map(text).collect();
    let mut expected = expected_facts(&game, P::Rules::default(), mv);
    let mut sorted = found.clone();
    sorted.sort();
    expected.sort();
    assert_eq!(sorted, expected, "{} in {}", hint.mv.coordinate, session.setup());
    for fact in &hint.facts {
        assert!(
            OF_THE_SEARCH.contains(&fact.code) || found.contains(&text(fact)),
            "{fact:?} of {} in {}",
            hint.mv.coordinate,
            session.setup()
        );
    }
    let codes: Vec<&str> = hint.facts.iter().map(|fact| fact.code).collect();
    assert!(!codes.is_empty() && codes.len() <= 2, "{codes:?}");
    assert!(!codes.contains(&"best-score") || found.is_empty(), "{codes:?} {found:?}");
    assert_eq!(codes.contains(&"only-move"), codes.first() == Some(&"only-move"), "{codes:?}");
    let mate = match hint.score {
        UciScore::Mate(moves) => moves,
        UciScore::Centipawns(_) => 0,
    };
    assert!(!codes.contains(&"forces-win") || mate > 0, "{hint:?}");
    assert!(!codes.contains(&"every-move-loses") || mate < 0, "{hint:?}");
    assert!(!codes.contains(&"others-lose") || mate >= 0, "{hint:?}");
}

/// Hints in games of one level against itself. Returns how often each code comes first.
fn hints_of_games<P: Game>(level: PlayingLevel, wanted: usize) -> BTreeMap<&'static str, usize> {
    let mut player = Player::new(&[(VARIANT, P::name())]);
    player.engine.set_level(level, None).unwrap();
    let limits = search_limits(Some(NODES), None, None);
    let analyser = Analyser {
        limits: limits.clone(),
        options: SearchOptions::default(),
        players: Players::Engine,
        hash: 1,
    };
    let signals = Arc::new(Signals::new(false));
    let mut first = BTreeMap::new();
    for seed in 0.. {
        player.engine.set_position(None, &[]).unwrap();
        player.engine.vary(Some(seed));
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        // Not the same plies of each game.
        let offset = seed as usize % 3;
        while player.engine.session().outcome().is_none() && player.engine.session().plies() < 120 {
            let session = player.engine.session();
            if session.plies() % 3 == offset {
                let hint = Hint::find(session, &analyser, &signals).unwrap().unwrap();
                check_facts::<P>(session, &hint);
                *first.entry(hint.facts[0].code).or_default() += 1;
                if first.values().sum::<usize>() == wanted {
                    return first;
                }
            }
            let best = player.find_move(&limits);
            player.engine.play(&best).unwrap();
        }
    }
    unreachable!("the seeds do not end");
}

#[test]
fn every_hint_has_a_reason() {
    let wanted: usize = env::var("SOUCIE_HINTS").map_or(100, |number| number.parse().unwrap());
    let of_each = wanted.div_ceil(2 * LEVELS.len());
    let mut total = BTreeMap::new();
    for level in LEVELS {
        let of_games =
            [hints_of_games::<Loa>(level, of_each), hints_of_games::<Draughts>(level, of_each)];
        for (game, codes) in [Loa::name(), Draughts::name()].into_iter().zip(of_games) {
            println!("{game}, {}: {codes:?}", level.name());
            for (code, count) in codes {
                *total.entry(code).or_default() += count;
            }
        }
    }
    let all: usize = total.values().sum();
    println!("{all} hints: {total:?}");
    // What the score alone says is no reason: it must be rare.
    let bare = total.get("best-score").copied().unwrap_or(0);
    assert!(5 * bare <= all, "{bare} of {all}");
}
