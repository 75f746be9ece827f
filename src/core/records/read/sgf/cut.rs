//! Where a game in SGF ends: behind the parenthesis that closes it, or before the next game.

use super::super::super::values::is_blank;
use super::super::charset::Charset;

/// The length of the game that begins a text, in this charset; `None` if that depends on what follows.
pub(in super::super) fn cut(text: &[u8], is_whole: bool, charset: Charset) -> Option<usize> {
    let (mut depth, mut is_value, mut at) = (0, false, 0);
    while let Some(&byte) = text.get(at) {
        let begins_line = at > 0 && text.get(at - 1) == Some(&b'\n');
        if begins_line && byte == b'(' && text.get(at..).is_some_and(begins_game) {
            return Some(at);
        }
        match byte {
            b'\\' if is_value => at += charset.length(text.get(at + 1..)?),
            b']' => is_value = false,
            b'[' => is_value = true,
            b'(' if !is_value => depth += 1,
            b')' if !is_value => {
                depth -= 1;
                if depth <= 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += if byte.is_ascii() && byte != b'\x1b' { 1 } else { charset.length(text.get(at..)?) };
    }
    is_whole.then_some(text.len())
}

/// Whether a game, and not a variation, begins here: the first property is one of a root. In a game that is quoted
/// in a value, the bracket behind the name would be escaped.
pub(in super::super) fn begins_game(text: &[u8]) -> bool {
    const LONGEST: usize = 64;
    const ROOT_PROPERTIES: [&[u8]; 8] = [b"FF", b"GM", b"CA", b"AP", b"SZ", b"SU", b"PB", b"PW"];
    let text = text.get(..LONGEST).unwrap_or(text);
    let signs = |text| strip(strip(text, b"(")?, b";");
    let named = |text| ROOT_PROPERTIES.iter().find_map(|name| strip(text, name));
    let value = signs(text).and_then(named).and_then(|text| strip(text, b"["));
    let mut end = value.unwrap_or_default().iter();
    end.find(|byte| matches!(byte, b']' | b'\\')) == Some(&b']')
}

/// The text behind blanks and these signs.
fn strip<'a>(text: &'a [u8], signs: &[u8]) -> Option<&'a [u8]> {
    let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
    text.get(blanks..)?.strip_prefix(signs)
}

/// Whether a text begins with a node of SGF in a parenthesis.
pub(in super::super) fn begins_line(text: &[u8]) -> bool {
    let node = strip(text, b"(").and_then(|text| strip(text, b";"));
    let name = node.unwrap_or_default().trim_ascii_start();
    let letters = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    letters > 0 && name.get(letters..).and_then(|text| strip(text, b"[")).is_some()
}

/// The value of a property in the root of the game that begins a text, and its place. In a value before it, a byte
/// of a character may look like a bracket, so that its name right behind a bracket counts in what seems to be a
/// value.
pub(super) fn root_value<'a>(text: &'a [u8], name: &[u8]) -> Option<(usize, &'a str)> {
    let ends_root = |at: &usize| {
        let rest = text.get(*at..).unwrap_or_default();
        let node = rest.strip_prefix(b";");
        let name = node.and_then(|text| strip(text, b"B").or(strip(text, b"W")));
        let variation = rest.strip_prefix(b"(").and_then(|text| strip(text, b";"));
        name.and_then(|text| strip(text, b"[")).or(variation).is_some()
    };
    let root = text.get(..(1..text.len()).find(ends_root).unwrap_or(text.len()))?;
    (1..root.len()).find_map(|at| {
        let (before, property) = root.split_at_checked(at)?;
        let rest = strip(property.strip_prefix(name)?, b"[")?;
        // A value ends before the next bracket, so that no byte is looked at for each name before it.
        let end = rest.iter().position(|byte| matches!(byte, b'[' | b']'))?;
        let (value, end) = rest.split_at_checked(end)?;
        let is_value = end.starts_with(b"]") && !value.ends_with(b"\\");
        let is_property = matches!(before.trim_ascii_end().last(), Some(b']' | b';'));
        let value = str::from_utf8(value).ok().filter(|_| is_value && is_property)?;
        Some((root.len() - rest.len(), value))
    })
}
