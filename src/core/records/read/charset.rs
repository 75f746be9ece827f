//! The charset that a game of SGF declares. Each value is decoded before its end is looked for: a byte
//! of a character can be that of `]` or `\`. Around the values there is only ASCII.
//!
//! WebAssembly reads no files: there the caller has decoded the text.

#[cfg(not(target_family = "wasm"))]
use encoding_rs::{Decoder, Encoding, ISO_2022_JP, UTF_8};

use super::super::error::RecordFault;
#[cfg(not(target_family = "wasm"))]
use super::super::error::shorten;
use super::bytes::text;

/// A charset; by default UTF-8 or, where the bytes are not, windows-1252.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) struct Charset {
    #[cfg(not(target_family = "wasm"))]
    encoding: Option<&'static Encoding>,
}

impl Charset {
    /// The charset of a value of `CA`.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn named(name: &str) -> Result<Self, RecordFault> {
        let known = Encoding::for_label(name.as_bytes());
        let known = known.filter(|known| known.is_ascii_compatible() || *known == ISO_2022_JP);
        let encoding = known.ok_or_else(|| RecordFault::Value {
            name: "CA",
            value: shorten(name),
            expected: "a charset such as UTF-8, GB18030 or Shift_JIS",
        })?;
        Ok(Self { encoding: Some(encoding).filter(|encoding| *encoding != UTF_8) })
    }

    /// The charset of the text, whatever it declares.
    #[cfg(target_family = "wasm")]
    pub(super) fn named(_: &str) -> Result<Self, RecordFault> {
        Ok(Self {})
    }

    /// The text of an empty value.
    pub(super) fn value(self) -> ValueText {
        ValueText {
            bytes: Vec::new(),
            #[cfg(not(target_family = "wasm"))]
            decoder: self.encoding.map(Encoding::new_decoder_without_bom_handling),
        }
    }
}

/// The text of a value, to which bytes are added.
pub(super) struct ValueText {
    bytes: Vec<u8>,
    #[cfg(not(target_family = "wasm"))]
    decoder: Option<Decoder>,
}

impl ValueText {
    /// Adds a byte. Returns the UTF-8 that it adds to the text: nothing before the end of a character.
    pub(super) fn push(&mut self, byte: u8) -> &[u8] {
        let before = self.bytes.len();
        #[cfg(not(target_family = "wasm"))]
        if let Some(decoder) = &mut self.decoder {
            let mut decoded = [0; 32];
            let (_, _, length, _) = decoder.decode_to_utf8(&[byte], &mut decoded, false);
            self.bytes.extend(decoded.iter().take(length));
            return self.bytes.get(before..).unwrap_or_default();
        }
        self.bytes.push(byte);
        self.bytes.get(before..).unwrap_or_default()
    }

    /// The text without the bracket that ends it.
    pub(super) fn finish(mut self) -> String {
        self.bytes.pop();
        text(self.bytes)
    }
}
