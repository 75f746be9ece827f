//! Checks setups and moves of records by the rules of their game.

use std::array;

use crate::game::{Game, Piece, Side, Variant, outcome};
use crate::games::{GameVisitor, open};

/// A valid setup.
pub(super) struct ValidSetup {
    /// The setup in canonical notation.
    pub(super) text: String,
    /// The side to move.
    pub(super) side: Side,
    /// The letters on the squares, a1 first, with `-` for an empty square.
    pub(super) board: [char; 64],
    /// The letters of the first kind of piece, for Black and White.
    pub(super) pieces: [char; 2],
}

/// Reads a setup of the game of a variant; `None` if it is invalid.
pub(super) fn read_setup(variant: &Variant, setup: &str) -> Option<ValidSetup> {
    struct Read<'a>(&'a str);
    impl GameVisitor for Read<'_> {
        type Output = Option<ValidSetup>;

        fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
            let position = P::read_setup(self.0, P::Rules::default()).ok()?;
            let letter = |piece: Piece| {
                let [black, white] = P::PIECES.get(piece.kind)?.letters;
                Some(if piece.side == Side::Black { black } else { white })
            };
            let letter_on = |square| position.piece_on(square).and_then(letter).unwrap_or('-');
            Some(ValidSetup {
                text: position.write_setup(),
                side: position.side(),
                board: array::from_fn(letter_on),
                pieces: P::PIECES.first()?.letters,
            })
        }
    }
    open(variant.name, Read(setup)).flatten()
}

/// Whether a setup is valid in the game of this variant, and the game is not over in it.
pub(super) fn is_open(variant: &Variant, setup: &str) -> bool {
    struct IsOpen<'a>(&'a str);
    impl GameVisitor for IsOpen<'_> {
        type Output = bool;

        fn visit<P: Game>(self, _: &'static Variant) -> bool {
            let position = P::read_setup(self.0, P::Rules::default());
            position.is_ok_and(|position| outcome(&position).is_none())
        }
    }
    open(variant.name, IsOpen(setup)).unwrap_or(false)
}

/// Whether a setup is valid in the game of this variant.
pub(super) fn is_setup(variant: &Variant, setup: &str) -> bool {
    read_setup(variant, setup).is_some()
}

/// The error of a setup that is invalid in the game of this variant.
pub(super) fn setup_error(variant: &Variant, setup: &str) -> Option<String> {
    struct Check<'a>(&'a str);
    impl GameVisitor for Check<'_> {
        type Output = Option<String>;

        fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
            P::read_setup(self.0, P::Rules::default()).err().map(|error| error.to_string())
        }
    }
    open(variant.name, Check(setup)).flatten()
}

/// Whether a setup is the start position of the variant.
pub(super) fn is_start(variant: &Variant, setup: &str) -> bool {
    let text = |setup| read_setup(variant, setup).map(|setup| setup.text);
    text(setup).is_some_and(|setup| Some(setup) == text(variant.start))
}

/// The setup in canonical notation; `None` if it is invalid or the start position.
pub(super) fn canonical(variant: &Variant, setup: &str) -> Option<String> {
    read_setup(variant, setup).map(|setup| setup.text).filter(|setup| !is_start(variant, setup))
}

/// The number of leading moves that are legal in sequence.
pub(super) fn legal_plies(
    variant: &Variant,
    setup: Option<&str>,
    moves: &[impl AsRef<str>],
) -> usize {
    struct Count<'a, M>(Option<&'a str>, &'a [M]);
    impl<M: AsRef<str>> GameVisitor for Count<'_, M> {
        type Output = usize;

        fn visit<P: Game>(self, variant: &'static Variant) -> usize {
            let setup = self.0.unwrap_or(variant.start);
            let Ok(mut position) = P::read_setup(setup, P::Rules::default()) else { return 0 };
            let is_legal = |text: &&M| match position.read_move(text.as_ref()) {
                Ok(mv) => {
                    position = position.play(mv);
                    true
                }
                Err(_) => false,
            };
            self.1.iter().take_while(is_legal).count()
        }
    }
    open(variant.name, Count(setup, moves)).unwrap_or(0)
}
