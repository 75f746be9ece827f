//! Comments in PDN, between braces.
//!
//! PDN has no escapes in comments, so those in records of it have parentheses in place of braces.
//! Whatever else a reader could take for a variation, the result or the tag of another game is
//! written as a numeric character reference of HTML: `&#41;` for a parenthesis that closes nothing.

use super::super::results::is_points;
use super::super::values::plain_text;

/// The longest number of a character reference.
const MOST_DIGITS: usize = 7;

/// Decodes the text between the braces.
pub(in super::super) fn decode(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("&#") {
        text += before;
        let reference = after.split_once(';').and_then(|(number, after)| {
            let is_number =
                number.len() <= MOST_DIGITS && number.bytes().all(|b| b.is_ascii_digit());
            let c = number.parse().ok().filter(|_| is_number).and_then(char::from_u32)?;
            (!c.is_whitespace() && !c.is_control()).then_some((c, after))
        });
        rest = match reference {
            Some((c, after)) => {
                text.push(c);
                after
            }
            None => {
                text += "&#";
                after
            }
        };
    }
    without_braces(&plain_text(&(text + rest)))
}

/// A text as a comment holds it.
pub(in super::super) fn without_braces(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// Encodes a comment, which has no braces.
pub(super) fn encode(comment: &str) -> String {
    let chars: Vec<char> = comment.chars().collect();
    let mut is_unsafe = vec![false; chars.len()];
    // Some readers remove variations before comments.
    let mut opened = Vec::new();
    // Some readers look for results, and for the tags of the next game, before they remove comments.
    let mut is_first_line = true;
    let mut line_is_blank = true;
    for (i, (&c, flag)) in chars.iter().zip(&mut is_unsafe).enumerate() {
        let begins_line = line_is_blank && !is_first_line;
        *flag |= match c {
            '&' => chars.get(i + 1) == Some(&'#'),
            // A command such as `[%clk 0:04:57]` is no tag.
            '[' => begins_line && chars.get(i + 1) != Some(&'%'),
            '%' => begins_line,
            ')' => opened.pop().is_none(),
            _ => false,
        };
        if c == '(' {
            opened.push(i);
        }
        is_first_line &= c != '\n';
        line_is_blank = c == '\n' || line_is_blank && c.is_whitespace();
    }
    for at in opened.into_iter().chain(results(&chars)) {
        if let Some(flag) = is_unsafe.get_mut(at) {
            *flag = true;
        }
    }
    let mut text = String::new();
    for (c, is_unsafe) in chars.into_iter().zip(is_unsafe) {
        match is_unsafe {
            true => text += &format!("&#{};", u32::from(c)),
            false => text.push(c),
        }
    }
    text
}

/// The places of a character of each result that stands alone. A brace before or behind it parts it
/// from the moves.
fn results(chars: &[char]) -> Vec<usize> {
    let is_end = |c: &char| c.is_whitespace() || matches!(c, '|' | '[' | ']');
    let mut begin = 0;
    let mut found = Vec::new();
    for word in chars.split(is_end) {
        let end = begin + word.len();
        let text: String = word.iter().collect();
        if begin > 0 && end < chars.len() && is_points(&text) {
            found.push(if word.len() > 1 { begin + 1 } else { begin });
        }
        begin = end + 1;
    }
    found
}
