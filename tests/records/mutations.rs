//! Records with a wrong token: they are read as the original, read otherwise with an error, or refused.

use super::*;
use soucie::options::Options;
use soucie::protocol::import::{ImportRequest, ImportedText, import};

/// Valid records. The moves of `<...>` are mutated, other values are not: any text is a valid comment
/// or name.
const SGF: [&str; 4] = [
    "(;FF[4]GM[9]SZ[8]CA[UTF-8]SU[Standard]EV[Cup]PB[Ann]PW[Ben]RE[B+];B[d1-b3]C[good]BM[1];W[h4-f2]\
     (;B[b1-b4];W[h2-e2])(;B[c1-c3]C[or this];W[h2-e2](;B[c8-c6])(;B[b1-b4]TE[1])))",
    "(;GM[9]SU[Scrambled-eggs]PB[Ann]PW[Ben]RE[W+R];B[c8-c6];W[d8-d6]IT[])",
    "(;GM[9]SU[Custom]AB[b1][d1][f1]AW[a4][a6]PL[W]RE[?];W[a4-b4];B[b1-b3]N[x](;W[b4-c4])(;W[a6-b6]))",
    "(;GM[9]AB[b1:c1]AB[f1]AW[h4]AW[h6]PL[B]C[two]\n;B[b1-b2]\n;W[h4-g4];B[resign])",
];

/// What a text is read as; `None` if it is refused or has an error.
fn imported(text: &str) -> Option<ImportedText> {
    let request = ImportRequest { text: text.to_string(), variant: None };
    let read = import(&request, &Options::default()).ok()?;
    let is_valid = read.errors.is_empty() && read.games.iter().all(|game| game.error.is_none());
    is_valid.then_some(read)
}

/// The tokens of a record in SGF, and whether each may be mutated.
fn tokens(text: &str) -> Vec<(String, bool)> {
    const STRUCTURAL: [&str; 11] = ["B", "W", "AB", "AW", "AE", "GM", "SZ", "SU", "PL", "FF", "CA"];
    let mut tokens: Vec<(String, bool)> = Vec::new();
    let (mut in_value, mut name) = (false, String::new());
    for c in text.chars() {
        if "()[];\n".contains(c) {
            in_value = c == '[' || in_value && c != ']';
            tokens.push((c.to_string(), true));
            continue;
        }
        let joins = tokens.last().is_some_and(|(last, _)| !"()[];\n".contains(last.as_str()));
        if !joins {
            tokens.push((String::new(), !in_value || STRUCTURAL.contains(&name.as_str())));
            if !in_value {
                name.clear();
            }
        }
        if !in_value {
            name.push(c);
        }
        tokens.last_mut().unwrap().0.push(c);
    }
    tokens
}

/// The texts that differ from this one in a token.
fn mutations(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut mutated = Vec::new();
    for (at, (token, may_change)) in tokens.iter().enumerate() {
        if !may_change {
            continue;
        }
        let is_text = at > 1 && tokens.get(at + 1).is_some_and(|(_, may_change)| !may_change);
        let is_name = token.chars().all(|c| c.is_ascii_uppercase());
        let is_board = matches!(token.as_str(), "B" | "W" | "AB" | "AW" | "GM");
        let mut others = vec![String::new(), token.to_lowercase()];
        // A second bracket or name is a part of a value or an unknown property.
        if !(is_text && token == "[") && (!is_name || is_board) {
            others.push(token.repeat(2));
        }
        if "()[];".contains(token.as_str()) {
            others.extend(["(", ")", "[", "]", ";"].map(str::to_string));
        }
        for other in others {
            let before = tokens[..at].iter().map(|(token, _)| token.as_str());
            let after = tokens[at + 1..].iter().map(|(token, _)| token.as_str());
            mutated.push(before.chain([other.as_str()]).chain(after).collect());
        }
    }
    mutated
}

#[test]
fn a_wrong_token_of_sgf_changes_no_game_in_silence() {
    let mut wrong = Vec::new();
    for text in SGF {
        let original = imported(text).unwrap_or_else(|| panic!("{text}: {:?}", summary(text)));
        for mutated in mutations(text) {
            if imported(&mutated).is_some_and(|read| read != original) {
                wrong.push(mutated);
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
