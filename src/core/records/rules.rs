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
    /// Whether the game is over.
    pub(super) is_over: bool,
    /// The letters on the squares, a1 first, with `-` for an empty square.
    pub(super) board: [char; 64],
    /// The letters of the first kind of piece, for Black and White.
    pub(super) pieces: [char; 2],
}

/// Reads a setup of the game of a variant, with the default rules. The error is a text.
pub(super) fn read_setup(variant: &Variant, setup: &str) -> Result<ValidSetup, String> {
    struct Read<'a>(&'a str);
    impl GameVisitor for Read<'_> {
        type Output = Result<ValidSetup, String>;

        fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
            let position =
                P::read_setup(self.0, P::Rules::default()).map_err(|error| error.to_string())?;
            let letter = |piece: Piece| {
                let [black, white] = P::PIECES.get(piece.kind)?.letters;
                Some(if piece.side == Side::Black { black } else { white })
            };
            let letter_on = |square| position.piece_on(square).and_then(letter).unwrap_or('-');
            Ok(ValidSetup {
                text: position.write_setup(),
                side: position.side(),
                is_over: outcome(&position).is_some(),
                board: array::from_fn(letter_on),
                pieces: P::PIECES.first().map_or(['-'; 2], |piece| piece.letters),
            })
        }
    }
    let unknown = || Err(format!("unknown variant {}", variant.name));
    open(variant.name, Read(setup)).unwrap_or_else(unknown)
}

/// Whether a setup is the start position of the variant.
pub(super) fn is_start(variant: &Variant, setup: &str) -> bool {
    let text = |setup| read_setup(variant, setup).map(|setup| setup.text);
    text(setup).is_ok_and(|setup| text(variant.start) == Ok(setup))
}

/// The setup in canonical notation; `None` if it is invalid or the start position.
pub(super) fn canonical(variant: &Variant, setup: &str) -> Option<String> {
    let setup = read_setup(variant, setup).ok()?.text;
    (!is_start(variant, &setup)).then_some(setup)
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
