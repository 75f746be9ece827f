//! The tree of a book: the searched positions, and the positions that their moves lead to.
//!
//! It grows by drop-out expansion (T. Lincke, "Strategies for the Automatic Construction of Opening
//! Books", 2000): the next position to search is the one with the fewest plies and the smallest
//! losses, of both sides, on the way to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use super::BookSearchResult;
use soucie::book::{BookEntry, BookKey};
use soucie::game::{Game, Side, outcome};
use soucie::search::Score;

/// The cost of a ply, in units of the evaluation.
const PLY_COST: i32 = 15;

/// The largest loss of a move of the book against the best one, in units of the evaluation.
const MARGIN: i32 = 2;

/// The maximum number of rounds in which values change: they need not settle where moves lead back.
const MAX_ROUNDS: usize = 200;

pub struct BookTree<P: Game> {
    roots: Vec<P>,
    /// The searched positions, by hash.
    nodes: BTreeMap<u64, BookNode<P>>,
}

struct BookNode<P> {
    /// The best moves by its search.
    moves: Vec<Candidate<P>>,
    score: i32,
    /// The value for the side to move, from the searches of the positions after it.
    value: i32,
}

/// A move of a searched position.
struct Candidate<P> {
    code: u16,
    /// Its score for the side to move.
    score: Score,
    /// The position after it, and the hash of that.
    next: P,
    next_hash: u64,
}

impl<P: Game> BookTree<P> {
    /// Returns a tree without searched positions.
    pub fn new(roots: Vec<P>) -> Self {
        Self { roots, nodes: BTreeMap::new() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds the result of a search. Its moves count only if all of them are legal.
    pub fn add(&mut self, position: &P, result: &BookSearchResult) {
        let key = BookKey::of(position);
        let candidate = |&(code, score): &(u16, i16)| {
            let next = position.play(key.legal_move(position, code)?);
            let next_hash = BookKey::of(&next).hash;
            Some(Candidate { code, score: Score::from_raw(score), next, next_hash })
        };
        let moves = result.moves.iter().map(candidate).collect::<Option<_>>().unwrap_or_default();
        let score = result.score.into();
        self.nodes.insert(key.hash, BookNode { moves, score, value: score });
    }

    /// Adds those of the known searches whose positions the roots lead to, in the order in which
    /// they would be searched, up to `most` positions in all.
    pub fn add_known(
        &mut self,
        mut known: HashMap<u64, BookSearchResult>,
        most: usize,
        batch: usize,
    ) {
        while self.len() < most {
            let mut next = self.unsearched(usize::MAX);
            next.retain(|(hash, _)| known.contains_key(hash));
            next.truncate(batch.min(most - self.len()));
            if next.is_empty() {
                break;
            }
            for (hash, position) in next {
                known.remove(&hash).iter().for_each(|result| self.add(&position, result));
            }
            self.update_values();
        }
    }

    /// Backs the scores of the searched positions up to the roots.
    pub fn update_values(&mut self) {
        // The values must not depend on earlier ones, which a resumed build has not seen.
        self.nodes.values_mut().for_each(|node| node.value = node.score);
        for _ in 0..MAX_ROUNDS {
            let values: Vec<i32> = self.nodes.values().map(|node| self.best(node)).collect();
            let mut has_changed = false;
            for (node, value) in self.nodes.values_mut().zip(values) {
                has_changed |= value != node.value;
                node.value = value;
            }
            if !has_changed {
                break;
            }
        }
    }

    fn best(&self, node: &BookNode<P>) -> i32 {
        node.moves.iter().map(|mv| self.value(mv)).max().unwrap_or(node.score)
    }

    /// The value of a move for the side that makes it.
    fn value(&self, mv: &Candidate<P>) -> i32 {
        self.nodes.get(&mv.next_hash).map_or(mv.score.raw().into(), |next| -next.value)
    }

    /// Returns at most `count` positions to search next with their hashes, the best first.
    pub fn unsearched(&self, count: usize) -> Vec<(u64, P)> {
        let mut queue = BinaryHeap::new();
        let mut positions = BTreeMap::new();
        for root in &self.roots {
            let hash = BookKey::of(root).hash;
            positions.insert(hash, *root);
            queue.push(Reverse((0, hash)));
        }
        let mut visited = BTreeSet::new();
        let mut found = Vec::new();
        while let Some(Reverse((cost, hash))) = queue.pop() {
            if !visited.insert(hash) {
                continue;
            }
            let Some(node) = self.nodes.get(&hash) else {
                found.extend(positions.get(&hash).map(|&position| (hash, position)));
                if found.len() >= count {
                    break;
                }
                continue;
            };
            let best = self.best(node);
            for mv in &node.moves {
                // The book ends where the game is decided.
                if !mv.score.is_decided() && outcome(&mv.next).is_none() {
                    positions.entry(mv.next_hash).or_insert(mv.next);
                    let cost = cost + PLY_COST + best - self.value(mv);
                    queue.push(Reverse((cost, mv.next_hash)));
                }
            }
        }
        found
    }

    /// Returns the entries of the book: for each searched position the moves that are about as good
    /// as the best one. Positions that the side to move does not reach by such moves are left out.
    pub fn entries(&self) -> Vec<BookEntry> {
        let reached: BTreeSet<u64> = Side::BOTH.into_iter().flat_map(|s| self.reached(s)).collect();
        let nodes = self.nodes.iter().filter(|(hash, _)| reached.contains(hash));
        let entry = |hash| move |mv: &Candidate<P>| BookEntry { hash, mv: mv.code };
        nodes.flat_map(|(&hash, node)| self.good_moves(node).into_iter().map(entry(hash))).collect()
    }

    /// The searched positions with `side` to move that it reaches by its good moves, whatever the
    /// opponent plays.
    fn reached(&self, side: Side) -> BTreeSet<u64> {
        let (mut visited, mut reached) = (BTreeSet::new(), BTreeSet::new());
        let mut open = self.roots.clone();
        while let Some(position) = open.pop() {
            let hash = BookKey::of(&position).hash;
            let Some(node) = self.nodes.get(&hash).filter(|_| visited.insert(hash)) else {
                continue;
            };
            if position.side() == side {
                reached.insert(hash);
                open.extend(self.good_moves(node).iter().map(|mv| mv.next));
            } else {
                open.extend(node.moves.iter().map(|mv| mv.next));
            }
        }
        reached
    }

    /// The moves of a position that are about as good as the best one. Those with a search of their
    /// own are preferred; without any, there is one.
    fn good_moves<'a>(&self, node: &'a BookNode<P>) -> Vec<&'a Candidate<P>> {
        let best = self.best(node);
        let mut good: Vec<_> =
            node.moves.iter().filter(|mv| self.value(mv) >= best - MARGIN).collect();
        let is_searched = |mv: &&Candidate<P>| self.nodes.contains_key(&mv.next_hash);
        if good.iter().any(is_searched) {
            good.retain(is_searched);
        } else {
            good.truncate(1);
        }
        good
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use soucie::game::{Notation, Position};
    use soucie::games::loa::Loa;

    /// The start position after moves.
    fn after(moves: &str) -> Loa {
        let start = Loa::VARIANTS[0].start;
        let position = Loa::read_setup(start, Default::default()).unwrap();
        moves
            .split_whitespace()
            .fold(position, |position, text| position.play(position.read_move(text).unwrap()))
    }

    /// A tree with the searches of positions: the moves to each, then its best moves with scores.
    fn tree(searches: &[(&str, &[(&str, i16)])]) -> BookTree<Loa> {
        let mut tree = BookTree::new(vec![after("")]);
        for (line, moves) in searches {
            let position = after(line);
            let key = BookKey::of(&position);
            let code = |text| key.code(&position, position.read_move(text).unwrap());
            let moves: Vec<_> = moves.iter().map(|&(text, score)| (code(text), score)).collect();
            let score = moves[0].1;
            tree.add(&position, &BookSearchResult { hash: key.hash, score, moves });
        }
        tree.update_values();
        tree
    }

    /// Those of `lines` that lead to the positions to search next, the best first.
    fn next(tree: &BookTree<Loa>, lines: &[&str]) -> Vec<String> {
        let found = tree.unsearched(usize::MAX).into_iter().map(|(hash, _)| {
            let line = lines.iter().find(|line| BookKey::of(&after(line)).hash == hash);
            line.unwrap().to_string()
        });
        found.collect()
    }

    fn moves(tree: &BookTree<Loa>, line: &str) -> Vec<u16> {
        let hash = BookKey::of(&after(line)).hash;
        let entries = tree.entries().into_iter().filter(|entry| entry.hash == hash);
        let mut moves: Vec<u16> = entries.map(|entry| entry.mv).collect();
        moves.sort_unstable();
        moves
    }

    fn code(line: &str, mv: &str) -> u16 {
        let position = after(line);
        BookKey::of(&position).code(&position, position.read_move(mv).unwrap())
    }

    #[test]
    fn a_refuted_move_is_replaced_by_the_next_best() {
        let start: (&str, &[(&str, i16)]) = ("", &[("d1b3", 30), ("b1b3", 20), ("c1c3", 19)]);
        let lines = ["", "d1b3", "b1b3", "c1c3", "d1b3 h5f5", "d1b3 h4f2"];
        let before = tree(&[start]);
        assert_eq!(next(&before, &lines), ["d1b3", "b1b3", "c1c3"]);
        assert_eq!(moves(&before, ""), [code("", "d1b3")]);
        let after_reply: (&str, &[(&str, i16)]) = ("d1b3", &[("h5f5", 50), ("h4f2", 45)]);
        let after = tree(&[start, after_reply]);
        // The refuted move costs 70, and each further ply 15.
        assert_eq!(next(&after, &lines), ["b1b3", "c1c3", "d1b3 h5f5", "d1b3 h4f2"]);
        assert_eq!(moves(&after, ""), [code("", "b1b3")]);
        assert_eq!(after.unsearched(2).len(), 2);
    }

    #[test]
    fn searched_moves_of_similar_value_are_all_in_the_book() {
        let tree = tree(&[
            ("", &[("d1b3", 30), ("b1b3", 20), ("c1c3", 10)]),
            ("d1b3", &[("h5f5", -24)]),
            ("b1b3", &[("a2c2", -25)]),
            ("c1c3", &[("a2c2", -22)]),
        ]);
        let mut wanted = [code("", "d1b3"), code("", "b1b3")];
        wanted.sort_unstable();
        assert_eq!(moves(&tree, ""), wanted);
    }

    #[test]
    fn positions_after_a_worse_move_of_the_side_to_move_are_not_in_the_book() {
        let tree = tree(&[
            ("", &[("d1b3", 30), ("b1b3", 10)]),
            ("b1b3", &[("a2c2", -10), ("h5f5", -30)]),
            ("b1b3 a2c2", &[("d1d3", 10)]),
            ("b1b3 h5f5", &[("d1d3", 30)]),
        ]);
        assert_eq!(moves(&tree, "b1b3"), [code("b1b3", "a2c2")]);
        assert!(moves(&tree, "b1b3 a2c2").is_empty() && moves(&tree, "b1b3 h5f5").is_empty());
    }

    #[test]
    fn positions_after_a_certain_win_are_not_searched() {
        let win = Score::win_in(3).raw();
        let tree = tree(&[("", &[("d1b3", win), ("b1b3", 20)])]);
        assert_eq!(next(&tree, &["d1b3", "b1b3"]), ["b1b3"]);
        assert_eq!(moves(&tree, ""), [code("", "d1b3")]);
    }

    #[test]
    fn a_search_with_an_illegal_move_adds_no_entries() {
        let position = after("");
        let hash = BookKey::of(&position).hash;
        let moves = vec![(code("", "d1b3"), 20), (4095, 10)];
        let mut tree = BookTree::new(vec![position]);
        tree.add(&position, &BookSearchResult { hash, score: 20, moves });
        assert_eq!((tree.len(), tree.entries(), tree.unsearched(9)), (1, vec![], vec![]));
    }

    #[test]
    fn each_position_of_a_cycle_has_a_book_move() {
        // Both sides move a stone and move it back.
        let cycle = ["", "b1b3", "b1b3 a2c2", "b1b3 a2c2 b3b1", "b1b3 a2c2 b3b1 c2a2"];
        let scores = [30, -28, 26, -25];
        let searches: Vec<(&str, Vec<(&str, i16)>)> = (0..4)
            .map(|ply| {
                let next = cycle[ply + 1].rsplit(' ').next().unwrap();
                (cycle[ply], vec![(next, scores[ply])])
            })
            .collect();
        let searches: Vec<_> = searches.iter().map(|(line, moves)| (*line, &moves[..])).collect();
        let tree = tree(&searches);
        assert_eq!(BookKey::of(&after(cycle[4])), BookKey::of(&after("")));
        assert!(cycle[..4].iter().all(|line| moves(&tree, line).len() == 1));
    }
}
