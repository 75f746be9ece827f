//! Results and node counts of the search on fixed positions.

use crate::published_games;
use crate::solver::ExhaustiveSolver;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::index::sample;
use soucie::game::{
    Game, MoveFormat, Notation, Position, Side, Tablebase, TablebaseValue, distinct_moves,
    legal_moves,
};
use soucie::games::draughts::{Draughts, DraughtsRules};
use soucie::games::loa::Loa;
use soucie::search::{
    self, Bound, Limits, PvLine, Score, SearchEvent, SearchMemory, SearchOptions, SearchRequest,
    Signals,
};

/// The last line of a search of one position with a fresh table.
fn search<P: Game>(root: P, limits: &Limits, threads: usize) -> PvLine<P::Move> {
    search_on(&SearchMemory::new(16).unwrap(), root, &[], limits, threads, None)
}

/// The last line of a search with this transposition table, game history and tablebase.
fn search_on<P: Game>(
    table: &SearchMemory,
    root: P,
    history: &[P],
    limits: &Limits,
    threads: usize,
    tablebase: Option<&dyn Tablebase<P>>,
) -> PvLine<P::Move> {
    let signals = Signals::new(false);
    last_line(&SearchRequest {
        history,
        tablebase,
        options: SearchOptions { threads, ..SearchOptions::default() },
        ..SearchRequest::new(root, limits, table, &signals)
    })
}

/// The last line that a search reports.
fn last_line<P: Game>(request: &SearchRequest<P>) -> PvLine<P::Move> {
    let mut last = None;
    let choice = search::run(request, &mut |event| {
        if let SearchEvent::Line(line) = event {
            last = Some(line);
        }
    });
    let last = last.expect("a line");
    assert_eq!(Some(last.pv[0]), choice.map(|choice| choice.best));
    last
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Short wins are announced and no others, and the line of an announced win or loss ends with it.
#[test]
fn announced_results_are_right() {
    const MOVES: u32 = 2;
    let (mut wins, mut lines) = ([0; MOVES as usize + 1], 0);
    for positions in published_games::games() {
        for position in positions.into_iter().rev().skip(1).take(10) {
            let setup = position.write_setup();
            let line = search(position, &nodes(20_000), 1);
            let mut solver = ExhaustiveSolver::new(position.side(), u64::MAX);
            let shortest = solver.shortest(&position, 2 * MOVES - 1).0;
            // The loser's last move may connect the winner.
            let shortest = shortest.map(|plies| plies.div_ceil(2));
            let announced = line.score.mate_in();
            match shortest {
                Some(moves) => {
                    wins[moves as usize] += 1;
                    assert_eq!(announced, Some(moves as i32), "{setup}");
                }
                None => {
                    let short = announced.is_some_and(|moves| (1..=MOVES as i32).contains(&moves));
                    assert!(!short, "{setup}: {announced:?}");
                }
            }
            let is_exact = line.bound == Bound::Exact;
            let Some(plies) = line.score.plies_to_end().filter(|_| is_exact) else { continue };
            assert_eq!(line.pv.len(), plies, "{setup}");
            let mut end = position;
            for &mv in &line.pv {
                assert!(end.outcome().is_none() && legal_moves(&end).contains(&mv), "{setup}");
                end = end.play(mv);
            }
            let winner = if line.score.is_mate_win() { position.side() } else { !position.side() };
            assert_eq!(end.outcome().map(|end| end.winner), Some(Some(winner)), "{setup}");
            lines += 1;
        }
    }
    assert!(wins[1] >= 19 && wins[2] >= 10 && lines > 60, "{wins:?}, {lines} lines");
}

fn draughts(setup: &str) -> Draughts {
    Draughts::read_setup(setup, DraughtsRules::default()).unwrap()
}

/// Endings with White to move that are won according to books on endings.
const WON: [&str; 3] = ["W:WK14,K18:BK1", "W:WK18,K19:BK29", "W:WK14,K15,K18:BK1,K6"];

#[test]
fn known_draughts_endings_have_the_right_scores() {
    for setup in WON {
        let line = search(draughts(setup), &nodes(300_000), 1);
        assert!(line.score.raw() > 200, "{setup}: {:?}", line.score);
    }
    let line = search(draughts("W:WK10,K15:BK1,K28"), &nodes(300_000), 1);
    assert!(line.score.raw().abs() < 50, "{:?}", line.score);
}

#[test]
fn won_draughts_endings_are_won_in_self_play() {
    for setup in WON {
        let table = SearchMemory::new(16).unwrap();
        let mut position = draughts(setup);
        let mut history = Vec::new();
        while position.outcome().is_none() {
            let line = search_on(&table, position, &history, &nodes(50_000), 1, None);
            history.push(position);
            position = position.play(line.pv[0]);
            let occurrences =
                history.iter().filter(|earlier| earlier.key() == position.key()).count();
            assert!(occurrences < 2, "{setup}: drawn by repetition");
        }
        assert_eq!(position.outcome().unwrap().winner, Some(Side::White), "{setup}");
    }
}

/// The last position of a game, after all earlier ones; `None` if a move is illegal.
fn play(start: Draughts, moves: &[&String]) -> Option<(Vec<Draughts>, Draughts)> {
    let mut position = start;
    let mut history = Vec::new();
    for text in moves {
        history.push(position);
        position = position.play(position.read_move(text).ok()?);
    }
    Some((history, position))
}

/// A game from `end` to `root` in which `end` occurs twice, so that a later win through `end` would
/// repeat it for the third time. `moves` lead from `root` to `end`.
fn detour(
    root: &Draughts,
    end: Draughts,
    moves: &[String; 3],
) -> Option<(Vec<Draughts>, Draughts)> {
    let text = |position: &Draughts, mv| position.write_move(mv, MoveFormat::default());
    let back = |mv: &String| format!("{}{}", &mv[2..], &mv[..2]);
    let [first, second, third] = moves;
    for mv in legal_moves(&end) {
        let away = text(&end, mv);
        let after = end.play(mv);
        for other in legal_moves(&after).into_iter().map(|mv| text(&after, mv)) {
            let again = [&away, &other, &back(&away), &back(&other)];
            let home = [&away, &back(third), &back(&away), &back(first), &back(second)];
            let game = play(end, &[&again[..], &home].concat());
            if let Some(found) = game.filter(|(_, last)| last.key() == root.key()) {
                return Some(found);
            }
        }
    }
    None
}

#[test]
fn a_win_through_a_repetition_is_not_announced() {
    let step = |position: Draughts, mv| {
        let text = position.write_move(mv, MoveFormat::default());
        (text.len() == 4).then(|| (text, position.play(mv)))
    };
    let wins = |line: &PvLine<_>| line.score.mate_in().filter(|moves| (1..8).contains(moves));
    let (mut random, mut announced_wins) = (SmallRng::seed_from_u64(1), 0);
    for _ in 0..300 {
        let kings = sample(&mut random, 32, 4).into_iter().map(|square| format!("K{}", square + 1));
        let kings: Vec<String> = kings.collect();
        let setup = format!("W:W{}:B{}", kings[..3].join(","), kings[3]);
        let root = draughts(&setup);
        let table = SearchMemory::new(1).unwrap();
        let line = search_on(&table, root, &[], &nodes(50_000), 1, None);
        let Some((first, next)) = wins(&line).and_then(|_| step(root, line.pv[0])) else {
            continue;
        };
        let expected = line.pv.get(1);
        for reply in legal_moves(&next).into_iter().filter(|reply| Some(reply) != expected) {
            let Some((second, middle)) = step(next, reply) else { continue };
            let line = search_on(&table, middle, &[], &nodes(50_000), 1, None);
            let Some((third, end)) = wins(&line).and_then(|_| step(middle, line.pv[0])) else {
                continue;
            };
            let Some((history, end)) = detour(&root, end, &[first.clone(), second, third]) else {
                continue;
            };
            let line = search_on(&table, end, &history, &nodes(50_000), 1, None);
            let Some(moves) = wins(&line) else { continue };
            let limits = Limits { mate: Some(moves as u32), ..nodes(2_000_000) };
            let proved = search_on(&table, end, &history, &limits, 1, None).score.mate_in();
            assert!(proved.is_some_and(|proved| proved <= moves), "{setup}: {moves}, {proved:?}");
            announced_wins += 1;
        }
    }
    assert!(announced_wins > 3, "{announced_wins} wins");
}

#[test]
fn a_stored_win_is_found_again_after_its_sacrifice() {
    let moves = ["f6e7", "g1h2", "e7f6", "h2g1", "f6g7", "h6f8"].map(str::to_string);
    let moves: Vec<&String> = moves.iter().collect();
    let start = draughts("W:WK11,K19,20,K23:BK12,K32");
    let table = SearchMemory::new(16).unwrap();
    // The start has occurred twice and would draw next time; after the capture it cannot recur.
    for (plies, node_limit, moves_to_win) in [(4, 200_000, 4), (6, 100, 3)] {
        let (history, root) = play(start, &moves[..plies]).unwrap();
        let line = search_on(&table, root, &history, &nodes(node_limit), 1, None);
        assert_eq!(line.score.mate_in(), Some(moves_to_win), "{plies} plies later");
    }
}

#[test]
fn a_stored_win_that_takes_longer_than_the_draw_count_is_not_used() {
    let start = draughts("W:WK16,K28:BK18");
    let table = SearchMemory::new(16).unwrap();
    let shuffle = ["28-32", "18-15", "32-28", "15-18"].map(str::to_string);
    let win_after = |shuffles: usize, node_limit| {
        let moves: Vec<&String> = shuffle.iter().cycle().take(4 * shuffles).collect();
        let (_, root) = play(start, &moves).unwrap();
        search_on(&table, root, &[], &nodes(node_limit), 1, None).score.mate_in()
    };
    let moves_to_win = win_after(0, 1_000_000).expect("a win");
    // The win has no capture; 80 such plies draw the game.
    let most_shuffles = (80 - (2 * moves_to_win as usize - 1)) / 4;
    assert_eq!(win_after(most_shuffles, 20_000), Some(moves_to_win));
    assert_eq!(win_after(most_shuffles + 1, 20_000), None);
}

/// The win needs captures, which reset the counter.
#[test]
fn a_stored_win_that_takes_longer_than_the_capture_counter_is_used() {
    let rules = DraughtsRules { no_capture: 6, ..DraughtsRules::default() };
    let root = Draughts::read_setup("W:WK24,K13,16,25:B5,19,K21", rules).unwrap();
    let table = SearchMemory::new(16).unwrap();
    let shallow = Limits { depth: Some(2), ..Limits::default() };
    for limits in [nodes(100_000), shallow] {
        let line = search_on(&table, root, &[], &limits, 1, None);
        assert_eq!(line.score.mate_in(), Some(8), "{limits:?}");
    }
}

/// Endings in which a search finds the win late, after positions have been repeated.
#[test]
fn announced_wins_get_shorter_with_every_move() {
    let late_wins = [
        "W:WK2,K14,K20,K26:BK12,K27",
        "W:WK4,K8,K23,K26:BK24,K32",
        "W:WK7,K11,K27,K31:BK18,K29",
        "W:WK1,K19,K27,K30:BK7,K20",
        "W:WK3,K18,K29,K30:BK12,K13",
        "W:WK12,K24,K26,K29:BK21,K22",
    ];
    let mut random = SmallRng::seed_from_u64(2);
    let endings = (0..30).map(|_| {
        let kings = sample(&mut random, 32, 6).into_iter().map(|square| format!("K{}", square + 1));
        let kings: Vec<String> = kings.collect();
        format!("W:W{}:B{}", kings[..4].join(","), kings[4..].join(","))
    });
    let mut checked = 0;
    for setup in late_wins.map(str::to_string).into_iter().chain(endings) {
        let tables = [SearchMemory::new(4).unwrap(), SearchMemory::new(4).unwrap()];
        let mut position = draughts(&setup);
        let (mut history, mut previous) = (Vec::new(), [None; 2]);
        while position.outcome().is_none() && history.len() < 80 {
            let side = position.side();
            let line =
                search_on(&tables[side as usize], position, &history, &nodes(2_000), 1, None);
            let announced = line.score.mate_in().filter(|&moves| moves > 0);
            if let Some(before) = previous[side] {
                let is_shorter = announced.is_some_and(|moves| moves < before);
                assert!(is_shorter, "{setup}: {announced:?} after {before}, ply {}", history.len());
                checked += 1;
            }
            previous[side] = announced;
            history.push(position);
            position = position.play(line.pv[0]);
            if history.iter().filter(|earlier| earlier.key() == position.key()).count() == 2 {
                break;
            }
        }
    }
    assert!(checked > 40, "{checked} times");
}

/// A tablebase in which White wins every position in an unknown number of plies.
struct WhiteWins;

impl<P: Game> Tablebase<P> for WhiteWins {
    fn value(&self, position: &P) -> Option<TablebaseValue> {
        let won = position.side() == Side::White;
        Some(if won { TablebaseValue::Won(None) } else { TablebaseValue::Lost(None) })
    }
}

#[test]
fn tablebase_wins_of_unknown_length_are_reported() {
    for (side, score) in [("W", Score::TABLEBASE_WIN), ("B", -Score::TABLEBASE_WIN)] {
        let root = draughts(&format!("{side}:WK14,K15,K18:BK1"));
        for depth in 1..4 {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let table = SearchMemory::new(1).unwrap();
            let line = search_on(&table, root, &[], &limits, 1, Some(&WhiteWins));
            assert_eq!(line.score, score, "{side} at depth {depth}");
        }
    }
}

#[test]
fn a_score_above_the_window_is_reported_as_a_bound() {
    let positions = published_games::games().into_iter().flatten();
    let roots = positions.skip(10).step_by(10);
    // Some of these searches end during the re-search after a fail high.
    let bounds = roots.flat_map(|root| {
        (4_000..8_000).step_by(500).map(move |count| search(root, &nodes(count), 1).bound)
    });
    assert!(bounds.into_iter().any(|bound| bound == Bound::Lower));
}

#[test]
fn a_repetition_at_the_horizon_is_a_draw() {
    let start = Draughts::read_setup("W:WK15,K18:BK1", DraughtsRules::default()).unwrap();
    let (mut root, mut history) = (start, Vec::new());
    for mv in ["18-22", "1-5", "22-18", "5-1", "18-22", "1-5"] {
        history.push(root);
        root = root.play(root.read_move(mv).unwrap());
    }
    // The reply repeats the start for the third time.
    let back = [root.read_move("22-18").unwrap()];
    let (table, signals) = (SearchMemory::new(1).unwrap(), Signals::new(false));
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let request = SearchRequest::new(root, &limits, &table, &signals);
    let line = last_line(&SearchRequest { history: &history, root_moves: &back, ..request });
    assert_eq!((line.depth, line.score), (2, Score::DRAW));
}

#[test]
fn a_win_starts_with_one_of_the_root_moves() {
    // White could win at once, but the only root move is another one, which leads back here.
    let root = Loa::read_setup("l7/8/8/1l6/1L2l3/3L4/2l5/5l2 w", Default::default()).unwrap();
    let only = [root.read_move("b4a3").unwrap()];
    let limits = Limits { mate: Some(5), ..nodes(28_538) };
    let (table, signals) = (SearchMemory::new(1).unwrap(), Signals::new(false));
    let line = last_line(&SearchRequest {
        root_moves: &only,
        ..SearchRequest::new(root, &limits, &table, &signals)
    });
    assert_eq!(line.pv[0], only[0]);
    assert_eq!(line.score.plies_to_end(), Some(line.pv.len()), "{:?}", line.pv);
}

#[test]
fn the_order_of_the_requested_moves_changes_nothing() {
    fn line<P: Game>(root: P, root_moves: &[P::Move]) -> PvLine<P::Move> {
        let (table, signals) = (SearchMemory::new(1).unwrap(), Signals::new(false));
        let limits = nodes(5_000);
        let request = SearchRequest::new(root, &limits, &table, &signals);
        let line = last_line(&SearchRequest { root_moves, ..request });
        PvLine { time: Default::default(), ..line }
    }
    fn check<P: Game>() {
        for setup in P::VARIANTS.iter().flat_map(|variant| variant.bench) {
            let root = P::read_setup(setup, P::Rules::default()).unwrap();
            let mut moves = distinct_moves(&root, legal_moves(&root));
            let forward = line(root, &moves);
            moves.reverse();
            assert_eq!(line(root, &moves), forward, "{setup}");
            assert_eq!(line(root, &[]), forward, "{setup}");
        }
    }
    check::<Loa>();
    check::<Draughts>();
}
