//! A simple retrograde solver for small endgames, with its own implementation of the rules: a board
//! of 8 rows, all positions in a map, and passes until nothing changes.

use std::collections::HashMap;

use soucie::game::Side;

/// A piece: its owner, and whether it is a king.
type Piece = (Side, bool);

/// The contents of the squares 1 to 32, at the indices 0 to 31.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board([u8; 32]);

impl Board {
    fn get(&self, square: usize) -> Option<Piece> {
        match self.0[square] {
            0 => None,
            code => Some((Side::BOTH[usize::from(code - 1) % 2], code > 2)),
        }
    }

    fn set(&mut self, square: usize, piece: Option<Piece>) {
        let code = |(side, king): Piece| 1 + side as u8 + 2 * u8::from(king);
        self.0[square] = piece.map_or(0, code);
    }

    fn has(&self, side: Side) -> bool {
        (0..32).any(|square| self.get(square).is_some_and(|(owner, _)| owner == side))
    }

    /// The position in PDN.
    pub fn setup(&self, side: Side) -> String {
        let pieces_of = |owner| {
            let piece = |square| match self.get(square) {
                Some((side, king)) if side == owner => {
                    Some(format!("{}{}", if king { "K" } else { "" }, square + 1))
                }
                _ => None,
            };
            (0..32).filter_map(piece).collect::<Vec<_>>().join(",")
        };
        let letter = if side == Side::White { "W" } else { "B" };
        format!("{letter}:W{}:B{}", pieces_of(Side::White), pieces_of(Side::Black))
    }
}

/// The square `down` rows down and `right` columns to the right of a square.
fn square_at_offset(square: usize, down: i32, right: i32) -> Option<usize> {
    let row = square as i32 / 4;
    let column = square as i32 % 4 * 2 + (row + 1) % 2;
    let (row, column) = (row + down, column + right);
    let inside = (0..8).contains(&row) && (0..8).contains(&column);
    inside.then_some((row * 4 + column / 2) as usize)
}

fn directions((side, king): Piece) -> Vec<(i32, i32)> {
    let forward = if side == Side::Black { 1 } else { -1 };
    let rows = if king { vec![1, -1] } else { vec![forward] };
    rows.into_iter().flat_map(|down| [(down, -1), (down, 1)]).collect()
}

/// The piece after a move to a square: a man becomes a king on its last rank.
fn crowned((side, king): Piece, square: usize) -> Piece {
    let last = if side == Side::Black { 28..32 } else { 0..4 };
    (side, king || last.contains(&square))
}

/// Appends the boards after all captures from a square; `board` is without the moving piece.
fn jumps(board: &Board, piece: Piece, at: usize, taken: &[usize], out: &mut Vec<Board>) {
    let mut ended = true;
    for (down, right) in directions(piece) {
        let Some(over) = square_at_offset(at, down, right) else { continue };
        let Some(to) = square_at_offset(at, 2 * down, 2 * right) else { continue };
        let is_enemy = board.get(over).is_some_and(|(owner, _)| owner != piece.0);
        if !is_enemy || taken.contains(&over) || board.get(to).is_some() {
            continue;
        }
        ended = false;
        let taken = [taken, &[over]].concat();
        if crowned(piece, to) == piece {
            jumps(board, piece, to, &taken, out);
        } else {
            out.push(board_after(board, crowned(piece, to), to, &taken));
        }
    }
    if ended && !taken.is_empty() {
        out.push(board_after(board, piece, at, taken));
    }
}

fn board_after(board: &Board, piece: Piece, at: usize, taken: &[usize]) -> Board {
    let mut next = *board;
    for &square in taken {
        next.set(square, None);
    }
    next.set(at, Some(piece));
    next
}

/// The boards after each legal move.
fn moves(board: &Board, side: Side) -> Vec<Board> {
    let (mut captures, mut steps) = (Vec::new(), Vec::new());
    for from in 0..32 {
        let Some(piece) = board.get(from).filter(|piece| piece.0 == side) else { continue };
        let mut lifted = *board;
        lifted.set(from, None);
        jumps(&lifted, piece, from, &[], &mut captures);
        for (down, right) in directions(piece) {
            if let Some(to) = square_at_offset(from, down, right)
                && board.get(to).is_none()
            {
                steps.push(board_after(&lifted, crowned(piece, to), to, &[]));
            }
        }
    }
    if captures.is_empty() { steps } else { captures }
}

/// All boards with up to `pieces` pieces, at least one of each side.
fn boards(pieces: usize) -> Vec<Board> {
    let mut all = vec![Board([0; 32])];
    for square in 0..32 {
        let mut with_more = Vec::new();
        for board in &all {
            if board.0.iter().filter(|&&code| code != 0).count() == pieces {
                continue;
            }
            let men = Side::BOTH.map(|side| (side, false));
            let kings = Side::BOTH.map(|side| (side, true));
            for piece in men.into_iter().chain(kings) {
                if crowned(piece, square) == piece {
                    let mut next = *board;
                    next.set(square, Some(piece));
                    with_more.push(next);
                }
            }
        }
        all.extend(with_more);
    }
    all.retain(|board| Side::BOTH.into_iter().all(|side| board.has(side)));
    all
}

/// All positions with up to `pieces` pieces, with the distance to the end in plies: odd for a win,
/// even for a loss, `None` for a draw.
pub fn solve(pieces: usize) -> Vec<(Board, Side, Option<u16>)> {
    let positions: Vec<_> =
        boards(pieces).into_iter().flat_map(|board| Side::BOTH.map(|side| (board, side))).collect();
    let indices: HashMap<_, _> =
        positions.iter().zip(0..).map(|(&(b, s), i)| ((b, s as u8), i)).collect();
    // The index of each successor; `None` if the opponent has no piece left.
    let graph: Vec<Vec<Option<usize>>> = positions
        .iter()
        .map(|(board, side)| {
            let next = moves(board, *side).into_iter();
            next.map(|board| indices.get(&(board, !*side as u8)).copied()).collect()
        })
        .collect();
    // Pass n finds all positions that end in exactly n plies: the others found so far end earlier.
    let mut distances: Vec<Option<u16>> = vec![None; positions.len()];
    for plies in 0.. {
        let distance_after = |next: &Option<usize>| next.map_or(Some(0), |next| distances[next]);
        let is_lost = |distance: Option<u16>| distance.is_some_and(|distance| distance % 2 == 0);
        let is_won = |distance: Option<u16>| distance.is_some_and(|distance| distance % 2 == 1);
        let decided: Vec<usize> = (0..positions.len())
            .filter(|&i| distances[i].is_none())
            .filter(|&i| match plies % 2 {
                0 => graph[i].iter().all(|next| is_won(distance_after(next))),
                _ => graph[i].iter().any(|next| is_lost(distance_after(next))),
            })
            .collect();
        for &i in &decided {
            distances[i] = Some(plies);
        }
        // A win in n + 1 plies needs a loss in n plies, and vice versa.
        if decided.is_empty() && plies > 1 {
            break;
        }
    }
    positions
        .into_iter()
        .zip(distances)
        .map(|((board, side), distance)| (board, side, distance))
        .collect()
}
