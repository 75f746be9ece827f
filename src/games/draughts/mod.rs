//! English draughts: position, making moves, and end of the game.

mod handcrafted;
mod moves;
mod notation;
mod rules;
pub mod tables;
mod variant;

use std::mem::size_of;

pub use notation::DraughtsError;
pub use rules::DraughtsRules;

use crate::game::{
    Calibration, FeatureBits, Move, MoveFormat, MoveList, Outcome, Position, RecordFormat, Side,
    Term, Variant, mix,
};
use crate::games::board::{Bits, Square, keys, squares};

const NO_PIECES: &str = "the opponent has no pieces";

const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

/// The benchmark positions: the start, three common openings, and endgames.
const BENCH: &[&str] = &[
    START,
    "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12,13",
    "W:W17,19,22,25,26,27,28,30,31,32:B2,3,4,6,7,8,10,11,12,13",
    "B:W18,22,26,27,30,32:B3,7,8,12,13,20",
    "W:WK14,K15,18:BK1,K6,12",
];

/// The first rank of each side, on which the opponent's men are crowned.
const HOME: [Bits; 2] = [0xff << 56, 0xff];

/// A move of a piece along its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraughtsMove {
    from: Square,
    to: Square,
    /// The number of jumps; 0 for a step.
    jumps: u8,
    /// The direction of each jump, two bits each, the first jump in the lowest bits.
    path: u32,
    /// The captured pieces.
    taken: Bits,
}

impl DraughtsMove {
    /// A step to an adjacent square.
    fn step(from: Square, to: Square) -> Self {
        Self { from, to, jumps: 0, path: 0, taken: 0 }
    }

    /// The squares of the path, including origin and target.
    fn squares(self) -> impl Iterator<Item = Square> {
        let first = if self.jumps == 0 { Some(self.to) } else { None };
        let mut at = self.from;
        let landings = (0..self.jumps).map(move |jump| {
            at = moves::landing(at, (self.path >> (2 * jump)) & 3);
            at
        });
        [self.from].into_iter().chain(first).chain(landings)
    }
}

impl Move for DraughtsMove {
    /// The origin, the target and a 4-bit digest of the path. The digest separates most captures
    /// with the same origin and target.
    fn packed(self) -> u16 {
        let digest = if self.jumps == 0 { 0 } else { mix(self.path.into()) % 15 + 1 };
        (self.from.index() | self.to.index() << 6) as u16 | (digest as u16) << 12
    }

    fn origin(self) -> usize {
        self.from.index()
    }

    fn target(self) -> usize {
        self.to.index()
    }
}

/// The transposition table key depends on the plies left to the draw only below this number.
/// Farther away, a search rarely reaches the draw, and separate entries would cost hits.
const NEAR_DRAW: u16 = 24;

/// Zobrist keys by side, rank of piece (man or king) and square.
const PIECE_KEYS: [u64; 256] = keys(0xd4a);
/// The Zobrist key of White to move.
const WHITE_TO_MOVE: u64 = keys::<1>(0x51df)[0];

/// A position of English draughts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draughts {
    pieces: [Bits; 2],
    kings: Bits,
    key: u64,
    side: Side,
    repetition: u8,
    /// Plies since a man last advanced or a piece was captured.
    quiet: u16,
    /// The number of quiet plies that draws the game; 0 for none.
    draw_after: u16,
}

const _: () = assert!(size_of::<Draughts>() == 40, "copied for every move");

impl Draughts {
    /// The position with these pieces, without any quiet plies.
    fn new(pieces: [Bits; 2], kings: Bits, side: Side, rules: DraughtsRules) -> Self {
        let mut position = Self {
            pieces: [0; 2],
            kings: 0,
            key: if side == Side::White { WHITE_TO_MOVE } else { 0 },
            side,
            repetition: rules.repetition,
            quiet: 0,
            draw_after: 2 * rules.draw_moves,
        };
        for owner in Side::BOTH {
            for square in squares(pieces[owner]) {
                position.toggle(owner, kings & square.bit() != 0, square);
            }
        }
        position
    }

    /// The men of one side.
    #[inline]
    pub fn men(&self, side: Side) -> Bits {
        self.pieces[side] & !self.kings
    }

    /// The kings of one side.
    #[inline]
    pub fn kings(&self, side: Side) -> Bits {
        self.pieces[side] & self.kings
    }

    /// Adds or removes a piece. All changes to the board go through this function, so that the
    /// Zobrist key always matches the board.
    #[inline]
    fn toggle(&mut self, side: Side, king: bool, square: Square) {
        self.pieces[side] ^= square.bit();
        self.kings ^= if king { square.bit() } else { 0 };
        self.key ^= PIECE_KEYS[side as usize * 128 + usize::from(king) * 64 + square.index()];
    }
}

impl Position for Draughts {
    type Move = DraughtsMove;
    type Rules = DraughtsRules;
    type Error = DraughtsError;

    const CALIBRATION: Calibration = variant::CALIBRATION;
    const PIECES: &'static [[char; 2]] = &[['m', 'M'], ['k', 'K']];
    const VARIANTS: &'static [Variant] = &[Variant {
        name: "englishdraughts",
        title: "English draughts",
        aliases: &["draughts", "checkers", "english"],
        start: START,
        setup_signs: "mMkKpPbBwW:,",
        bench: BENCH,
        rules: include_str!("rules.txt"),
        is_numbered: true,
        // Black moves first, and the squares are numbered from 1.
        record_format: RecordFormat::Pdn { game_type: "21,B,8,8,N1,0" },
        max_plies: 200,
    }];

    fn read_setup(text: &str, rules: DraughtsRules) -> Result<Self, DraughtsError> {
        notation::read_setup(text, rules)
    }

    fn write_setup(&self) -> String {
        notation::write_setup(self)
    }

    fn read_move(&self, text: &str) -> Result<DraughtsMove, DraughtsError> {
        notation::read_move(self, text)
    }

    fn write_move(&self, mv: DraughtsMove, format: MoveFormat) -> String {
        notation::write_move(self, mv, format)
    }

    fn diagram(&self) -> String {
        notation::draw(self)
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !moves::can_move(self) {
            return Some(self.no_moves_outcome());
        }
        // Only a setup can produce this: after a capture, the side without pieces is to move.
        if self.pieces[!self.side] == 0 {
            return Some(Outcome::won(self.side, NO_PIECES));
        }
        (self.draw_after != 0 && self.quiet >= self.draw_after)
            .then(|| Outcome::drawn("no capture and no advance of a man for too many moves"))
    }

    fn moves(&self, out: &mut MoveList<DraughtsMove>) {
        moves::captures(self, out);
        if out.is_empty() {
            moves::steps(self, out);
        }
    }

    fn count_moves(&self) -> usize {
        moves::count(self)
    }

    fn no_moves_outcome(&self) -> Outcome {
        let reason =
            if self.pieces[self.side] == 0 { NO_PIECES } else { "the opponent cannot move" };
        Outcome::won(!self.side, reason)
    }

    #[inline]
    fn play(&self, mv: DraughtsMove) -> Self {
        let mut next = *self;
        let king = self.kings & mv.from.bit() != 0;
        next.toggle(self.side, king, mv.from);
        for square in squares(mv.taken) {
            next.toggle(!self.side, self.kings & square.bit() != 0, square);
        }
        let crowned = HOME[!self.side] & mv.to.bit() != 0;
        next.toggle(self.side, king || crowned, mv.to);
        next.quiet = if king && mv.taken == 0 { self.quiet.saturating_add(1) } else { 0 };
        next.side = !self.side;
        next.key ^= WHITE_TO_MOVE;
        next
    }

    fn repetitions(&self) -> usize {
        self.repetition.into()
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.quiet.into()
    }

    #[inline]
    fn tt_key(&self) -> u64 {
        let left = self.draw_after.saturating_sub(self.quiet);
        if self.draw_after != 0 && left < NEAR_DRAW {
            self.key ^ mix(u64::from(left) + 1)
        } else {
            self.key
        }
    }

    #[inline]
    fn proof_key(&self) -> u64 {
        if self.draw_after == 0 {
            self.key
        } else {
            self.key ^ mix(u64::from(self.draw_after.saturating_sub(self.quiet)) + 1)
        }
    }

    /// Returns `None`: zugzwang is common in draughts, so null move pruning is unsound.
    fn null_move(&self) -> Option<Self> {
        None
    }

    fn winning_move(&self) -> Option<DraughtsMove> {
        None
    }

    #[inline]
    fn is_noisy(&self, mv: DraughtsMove) -> bool {
        mv.taken != 0
    }

    fn noisy_moves(&self, out: &mut MoveList<DraughtsMove>) {
        moves::captures(self, out);
    }

    #[inline]
    fn is_forced(&self) -> bool {
        moves::can_capture(self, self.side)
    }

    fn evaluate(&self) -> i32 {
        handcrafted::evaluate(self)
    }

    fn terms(&self) -> Vec<Term> {
        handcrafted::terms(self)
    }

    const BUCKETS: usize = 8;

    /// The piece sets as network inputs: men on the dark squares, and each king on the light
    /// square beside its own, which is always free.
    #[inline]
    fn features(&self, side: Side) -> FeatureBits {
        let inputs = [side, !side].map(|owner| self.men(owner) | beside(self.kings(owner)));
        if side == Side::Black { inputs } else { inputs.map(u64::reverse_bits) }
    }

    #[inline]
    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other.reverse_bits(), own.reverse_bits()]
    }

    /// The output bucket: a group of six piece counts, separately with and without kings.
    #[inline]
    fn output_bucket([own, other]: FeatureBits) -> usize {
        const PARTS: usize = Draughts::BUCKETS / 2;
        let pieces = own | other;
        let part = (pieces.count_ones().saturating_sub(1) as usize / 6).min(PARTS - 1);
        if pieces & LIGHT == 0 { part } else { PARTS + part }
    }
}

const LIGHT: Bits = 0x55aa_55aa_55aa_55aa;

/// The light square beside each of these dark squares, on the same rank.
#[inline]
fn beside(dark: Bits) -> Bits {
    const ODD_RANKS: Bits = 0x00ff_00ff_00ff_00ff;
    (dark & ODD_RANKS) << 1 | (dark & !ODD_RANKS) >> 1
}
