//! The variants of all games, with what a client needs to offer them.

use crate::game::{Calibration, Game, PieceKind, Variant};
use crate::games::{GameVisitor, open, variants};

/// A variant, and the data of its game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VariantData {
    /// The variant.
    pub variant: &'static Variant,
    /// The kinds of pieces.
    pub kinds: &'static [PieceKind],
    /// The strength levels.
    pub calibration: &'static Calibration,
}

/// The data of all variants, the default one first.
pub fn variant_data() -> impl Iterator<Item = VariantData> {
    struct Data;
    impl GameVisitor for Data {
        type Output = VariantData;

        fn visit<P: Game>(self, variant: &'static Variant) -> VariantData {
            VariantData { variant, kinds: P::PIECES, calibration: &P::CALIBRATION }
        }
    }
    variants().filter_map(|variant| open(variant.name, Data))
}
