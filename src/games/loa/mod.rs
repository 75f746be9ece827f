//! Lines of Action: the position, making moves, and the outcome.

mod handcrafted;
mod moves;
mod notation;
mod rules;
mod variant;

use std::mem::size_of;

pub use notation::LoaError;
pub use rules::{LoaRules, NoMove, Simultaneous};

use rules::MAX_MOVE_LIMIT;

use crate::game::{
    Calibration, FeatureBits, Move, MoveFormat, MoveList, Outcome, Position, RecordFormat, Side,
    Term, Variant, mix,
};
use crate::games::board::{Bits, Square, grown, keys, neighbours};

/// Benchmark positions from games between strong programs, from the opening to the endgame.
const BENCH: &[&str] = &[
    "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1",
    "1l4l1/L3ll1L/2L3lL/3LL3/7L/3L2ll/L1l4L/1lL3l1 w - - 0 1",
    "8/1l3L2/2lL1L2/1L1lLl2/2l1Ll2/2L1l3/1l2L3/4l1L1 w - - 0 1",
    "l1l1l3/1L1l2L1/2l1L3/L1lL2l1/3LlL2/1L1L1l2/4lL2/2l2L2 w - - 0 1",
];

/// The letters of stones in setups: L and l are written, all are read.
const SETUP_SIGNS: &str = "lLpPwWbBxXoO";

/// A move of a stone, or a pass. Bits 0 to 5 are the origin square, bits 6 to 11 the target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoaMove(u16);

impl LoaMove {
    /// The pass of a side that has no legal move.
    pub const PASS: Self = Self(63 | 63 << 6);

    /// A move of a stone.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// The origin square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0 as u8)
    }

    /// The target square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as u8)
    }
}

impl Move for LoaMove {
    fn packed(self) -> u16 {
        self.0
    }

    fn origin(self) -> usize {
        self.from().index()
    }

    fn target(self) -> usize {
        self.to().index()
    }
}

/// The value of `plies_left` without a move limit.
const UNLIMITED: u16 = u16::MAX;

/// The number of plies left below which the transposition table key includes it. A search does not
/// reach further.
const NEAR_LIMIT: u16 = 256;

/// Zobrist keys by side and square.
const STONE_KEYS: [u64; 128] = keys(0x10a);
/// The Zobrist key of White to move.
const WHITE_TO_MOVE: u64 = keys::<1>(0x51de)[0];

/// A position of Lines of Action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loa {
    stones: [Bits; 2],
    key: u64,
    side: Side,
    simultaneous: Simultaneous,
    no_move: NoMove,
    repetition: u8,
    plies_left: u16,
    reversible: u16,
}

const _: () = assert!(size_of::<Loa>() == 32, "copied for every move");

impl Loa {
    /// A position with these stones and this side to move, before any move counts towards the
    /// limit.
    fn new(stones: [Bits; 2], side: Side, rules: LoaRules) -> Self {
        let mut position = Self {
            stones: [0; 2],
            key: if side == Side::White { WHITE_TO_MOVE } else { 0 },
            side,
            simultaneous: rules.simultaneous,
            no_move: rules.no_move,
            repetition: rules.repetition,
            plies_left: match rules.move_limit {
                0 => UNLIMITED,
                moves => 2 * moves.min(MAX_MOVE_LIMIT),
            },
            reversible: 0,
        };
        for owner in Side::BOTH {
            for square in crate::games::board::squares(stones[owner]) {
                position.toggle(owner, square);
            }
        }
        position
    }

    /// The stones of one side.
    #[inline]
    pub fn stones(&self, side: Side) -> Bits {
        self.stones[side]
    }

    /// Places or removes a stone. Only this function changes squares, so that the key always
    /// matches the board.
    #[inline]
    fn toggle(&mut self, side: Side, square: Square) {
        self.stones[side] ^= square.bit();
        self.key ^= STONE_KEYS[side as usize * 64 + square.index()];
    }

    /// The number of legal moves, given the number of moves of stones: without any, a pass may
    /// count.
    fn with_pass(&self, count: usize) -> usize {
        if count == 0 && self.no_move == NoMove::Pass { 1 } else { count }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }
}

/// Whether the stones form one group, in which stones are adjacent in eight directions. A single
/// stone is connected.
#[inline]
pub fn is_connected(stones: Bits) -> bool {
    if stones & stones.wrapping_sub(1) == 0 {
        return true;
    }
    // Fast path: in most positions some stone has no neighbour.
    if stones & !neighbours(stones) != 0 {
        return false;
    }
    group_of(stones & stones.wrapping_neg(), stones) == stones
}

/// The stones of the groups that contain the stones of `seed`.
#[inline]
fn group_of(seed: Bits, stones: Bits) -> Bits {
    let mut group = seed;
    loop {
        let larger = grown(group) & stones;
        if larger == group {
            return group;
        }
        group = larger;
    }
}

impl Position for Loa {
    type Move = LoaMove;
    type Rules = LoaRules;
    type Error = LoaError;

    const CALIBRATION: Calibration = variant::CALIBRATION;
    const PIECES: &'static [[char; 2]] = &[['B', 'W']];
    const VARIANTS: &'static [Variant] = &[
        Variant {
            name: "linesofaction",
            title: "Lines of Action",
            aliases: &["loa"],
            start: "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1",
            setup_signs: SETUP_SIGNS,
            bench: BENCH,
            rules: include_str!("rules.txt"),
            is_numbered: false,
            record_format: RecordFormat::Sgf { game: 9, starts: &["Standard", "LOA"] },
            max_plies: 160,
        },
        Variant {
            name: "scrambledeggs",
            title: "Lines of Action, scrambled eggs",
            aliases: &[],
            start: "1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b - - 0 1",
            setup_signs: SETUP_SIGNS,
            bench: &[],
            rules: include_str!("scrambled.txt"),
            is_numbered: false,
            record_format: RecordFormat::Sgf { game: 9, starts: &["Scrambled-eggs"] },
            max_plies: 160,
        },
    ];

    fn read_setup(text: &str, rules: LoaRules) -> Result<Self, LoaError> {
        notation::read_setup(text, rules)
    }

    fn write_setup(&self) -> String {
        notation::write_setup(self)
    }

    fn read_move(&self, text: &str) -> Result<LoaMove, LoaError> {
        notation::read_move(self, text)
    }

    fn write_move(&self, mv: LoaMove, format: MoveFormat) -> String {
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
        const CONNECTED: &str = "all its stones are connected";
        let mover = !self.side;
        match (is_connected(self.stones[mover]), is_connected(self.stones[self.side])) {
            (true, true) if self.simultaneous == Simultaneous::Draw => {
                Some(Outcome::drawn("one move has connected both sides"))
            }
            (true, true) => Some(Outcome::won(mover, "its move has connected both sides")),
            (true, false) => Some(Outcome::won(mover, CONNECTED)),
            (false, true) => Some(Outcome::won(self.side, CONNECTED)),
            (false, false) if self.plies_left == 0 => {
                Some(Outcome::drawn("the move limit is reached"))
            }
            (false, false) => None,
        }
    }

    fn moves(&self, out: &mut MoveList<LoaMove>) {
        moves::generate(self, moves::Wanted::All, out);
        if out.is_empty() && self.no_move == NoMove::Pass {
            out.push(LoaMove::PASS);
        }
    }

    fn count_moves(&self) -> usize {
        self.with_pass(moves::count(self))
    }

    fn count_and_evaluate(&self) -> (usize, i32) {
        let (count, mobility) = moves::count_and_mobility(self);
        (self.with_pass(count), handcrafted::evaluate(self, mobility))
    }

    fn no_moves_outcome(&self) -> Outcome {
        const REASON: &str = "the side to move has no legal move";
        match self.no_move {
            NoMove::Loss => Outcome::won(!self.side, REASON),
            NoMove::Pass | NoMove::Draw => Outcome::drawn(REASON),
        }
    }

    #[inline]
    fn play(&self, mv: LoaMove) -> Self {
        let mut next = *self;
        next.reversible = next.reversible.saturating_add(1);
        if mv != LoaMove::PASS {
            let (from, to) = (mv.from(), mv.to());
            next.toggle(self.side, from);
            next.toggle(self.side, to);
            if self.stones[!self.side] & to.bit() != 0 {
                next.toggle(!self.side, to);
                next.reversible = 0;
            }
        }
        if next.plies_left != UNLIMITED {
            next.plies_left = next.plies_left.saturating_sub(1);
        }
        next.pass_turn();
        next
    }

    fn repetitions(&self) -> usize {
        self.repetition.into()
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.reversible.into()
    }

    #[inline]
    fn tt_key(&self) -> u64 {
        if self.plies_left < NEAR_LIMIT {
            self.key ^ mix(u64::from(self.plies_left) + 1)
        } else {
            self.key
        }
    }

    #[inline]
    fn proof_key(&self) -> u64 {
        if self.plies_left == UNLIMITED {
            self.key
        } else {
            self.key ^ mix(u64::from(self.plies_left) + 1)
        }
    }

    fn null_move(&self) -> Option<Self> {
        let mut next = *self;
        next.reversible = 0;
        next.pass_turn();
        Some(next)
    }

    fn winning_move(&self) -> Option<LoaMove> {
        moves::winning(self)
    }

    #[inline]
    fn is_noisy(&self, mv: LoaMove) -> bool {
        self.stones[!self.side] & mv.to().bit() != 0 && mv != LoaMove::PASS
    }

    fn noisy_moves(&self, out: &mut MoveList<LoaMove>) {
        moves::generate(self, moves::Wanted::Captures, out);
    }

    fn is_forced(&self) -> bool {
        false
    }

    fn evaluate(&self) -> i32 {
        handcrafted::evaluate(self, moves::mobility(self))
    }

    fn terms(&self) -> Vec<Term> {
        handcrafted::terms(self)
    }

    const BUCKETS: usize = 8;

    /// The symmetries of the square.
    const SYMMETRIES: usize = 8;

    #[inline]
    fn features(&self, side: Side) -> FeatureBits {
        [self.stones[side], self.stones[!side]]
    }

    #[inline]
    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other, own]
    }

    #[inline]
    fn map_square(place: usize, number: usize) -> usize {
        // File and rank are three bits each: bits 0 and 1 of the number mirror them, bit 2 swaps
        // them.
        let place = place ^ (7 * (number & 1)) ^ (56 * (number >> 1 & 1));
        if number & 4 != 0 { place >> 3 | (place & 7) << 3 } else { place }
    }

    /// Mirrors the board if more than half of the side's own stones are on the right half, or on
    /// the upper half.
    #[inline]
    fn symmetry([own, _]: FeatureBits) -> usize {
        let most_lie = |half: Bits| 2 * (own & half).count_ones() > own.count_ones();
        usize::from(most_lie(RIGHT_HALF)) | usize::from(most_lie(UPPER_HALF)) << 1
    }

    /// One bucket for every two captured stones.
    #[inline]
    fn output_bucket(inputs: FeatureBits) -> usize {
        let stones = inputs[0].count_ones() + inputs[1].count_ones();
        (24_u32.saturating_sub(stones) as usize / 2).min(Self::BUCKETS - 1)
    }
}

const RIGHT_HALF: Bits = 0xf0f0_f0f0_f0f0_f0f0;
const UPPER_HALF: Bits = 0xffff_ffff_0000_0000;
