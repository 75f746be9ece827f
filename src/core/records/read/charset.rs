//! The charset that a game of SGF declares. Around the values there is only ASCII, but in a value a byte of
//! a character can be that of `]` or `\`.
//!
//! WebAssembly reads no files: there the caller has decoded the text.

use std::borrow::Cow;

#[cfg(not(target_family = "wasm"))]
use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8};

use super::super::error::RecordFault;
use super::buffer::text;

/// A charset; by default UTF-8 or, where the bytes are not, windows-1252.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) struct Charset {
    #[cfg(not(target_family = "wasm"))]
    encoding: Option<&'static Encoding>,
}

#[cfg(not(target_family = "wasm"))]
impl Charset {
    /// The charset of a value of `CA`.
    pub(super) fn named(name: &str) -> Result<Self, RecordFault> {
        let known = Encoding::for_label(name.as_bytes());
        let known = known.filter(|known| known.is_ascii_compatible() || *known == ISO_2022_JP);
        let expected = "a charset such as UTF-8, GB18030 or Shift_JIS";
        let encoding = known.ok_or_else(|| RecordFault::value("CA", expected, name))?;
        Ok(Self { encoding: Some(encoding).filter(|encoding| *encoding != UTF_8) })
    }

    /// The number of bytes of the character that begins a text.
    pub(super) fn length(self, text: &[u8]) -> usize {
        let first = text.first().copied().unwrap_or_default();
        let Some(encoding) = self.encoding.filter(|encoding| !encoding.is_single_byte()) else {
            return 1;
        };
        if encoding == ISO_2022_JP {
            // An escape sequence begins a text in characters of two bytes, the next one ends it.
            let is_end = |bytes: &[u8]| bytes == b"\x1b(";
            return match text.starts_with(b"\x1b$") {
                true => text.windows(2).position(is_end).map_or(text.len(), |end| end + 3),
                false => 1,
            };
        }
        let is_single = first <= 0x80 || encoding == SHIFT_JIS && matches!(first, 0xa0..=0xdf);
        if is_single || encoding == EUC_JP { 1 } else { 2 }
    }

    /// Decodes the text of a game.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.encoding {
            Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
            None => text(bytes),
        }
    }
}

#[cfg(target_family = "wasm")]
impl Charset {
    /// The charset of the text, whatever it declares.
    pub(super) fn named(_: &str) -> Result<Self, RecordFault> {
        Ok(Self {})
    }

    pub(super) fn length(self, _: &[u8]) -> usize {
        1
    }

    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        text(bytes)
    }
}
