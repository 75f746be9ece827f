//! The charset that a game of SGF declares. Around the values there is only ASCII, but in a value a byte of
//! a character can be that of `]` or `\`.
//!
//! WebAssembly reads no files: there the caller has decoded the text.

use std::borrow::Cow;

#[cfg(not(target_family = "wasm"))]
use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8};

use super::super::error::RecordFault;
#[cfg(not(target_family = "wasm"))]
use super::super::{error::shorten, sgf};
use super::buffer::text;

/// A charset, if one is declared; otherwise it is UTF-8 or, where the bytes are not, windows-1252.
#[derive(Clone, Copy, Default)]
pub(super) struct Charset {
    #[cfg(not(target_family = "wasm"))]
    encoding: Option<&'static Encoding>,
}

/// Names of charsets that are not those of the standard for web pages.
#[cfg(not(target_family = "wasm"))]
const ALIASES: [(&str, &str); 4] =
    [("cp932", "shift_jis"), ("cp936", "gbk"), ("cp949", "euc-kr"), ("cp950", "big5")];

#[cfg(not(target_family = "wasm"))]
impl Charset {
    /// The charset of a value of `CA`.
    pub(super) fn named(value: &str) -> Result<Self, RecordFault> {
        let name = sgf::decode(value).trim().to_ascii_lowercase();
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let alias = ALIASES.iter().find(|row| row.0 == plain).map(|row| row.1.to_string());
        let names = [name.replace(['_', ' '], "-"), plain, name].into_iter().chain(alias);
        let known = names.filter_map(|name| Encoding::for_label(name.as_bytes())).next();
        match known.filter(|known| known.is_ascii_compatible() || *known == ISO_2022_JP) {
            Some(encoding) => Ok(Self { encoding: Some(encoding) }),
            None => {
                let name = shorten(value);
                let error = format!("CA: unknown charset '{name}'");
                let advice =
                    "save the file as UTF-8, or name a charset such as GB18030 or Shift_JIS";
                Err(RecordFault::invalid(format!("{error}: {advice}")))
            }
        }
    }

    pub(super) fn name(self) -> Option<&'static str> {
        self.encoding.map(Encoding::name)
    }

    /// Whether a text in one of the charsets is read as one in the other: UTF-8 need not be declared.
    pub(super) fn reads_like(self, other: Self) -> bool {
        let [one, other] = [self, other].map(|it| it.encoding.filter(|known| *known != UTF_8));
        one == other
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
        if is_single || encoding == EUC_JP || encoding == UTF_8 { 1 } else { 2 }
    }

    /// Decodes the text of a game. Also returns the place of the first character that is not in the charset.
    pub(super) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, Option<usize>) {
        match self.encoding.filter(|encoding| *encoding != UTF_8) {
            Some(encoding) => {
                let (text, is_malformed) = encoding.decode_without_bom_handling(bytes);
                let place = text.find(char::REPLACEMENT_CHARACTER).filter(|_| is_malformed);
                (text, place)
            }
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

    pub(super) fn name(self) -> Option<&'static str> {
        None
    }

    pub(super) fn reads_like(self, _: Self) -> bool {
        true
    }

    pub(super) fn length(self, _: &[u8]) -> usize {
        1
    }

    pub(super) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, Option<usize>) {
        text(bytes)
    }
}
