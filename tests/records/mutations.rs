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
    check_raw_items(text);
    let request = ImportRequest { text: text.to_string(), variant: None };
    let read = import(&request, &Options::default()).ok()?;
    let is_valid = read.errors.is_empty() && read.games.iter().all(|game| game.error.is_none());
    is_valid.then_some(read)
}

/// Valid records in PDN.
const PDN: [&str; 3] = [
    "[Event \"Cup\"]\n[Black \"Ann\"]\n[White \"Ben\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n\n\
     {begins} 1. 11-15! {good} 23-19 (1... 22-18 {or this} 2. 15x22 25x18) 2. 8-11 $3 22-17 1-0\n\n",
    "[SetUp \"1\"]\n[FEN \"W:W18,K5:BK1,2\"]\n[Result \"*\"]\n\n1. 18-14 1-6 (1... 2-6) 2. 14-10 6x15 *\n\n",
    "1. 11-15 23-19 2. 8-11 {a} 22-17 {b} 3. 4-8 25-22 *\n",
];

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

/// The tokens of a record in PDN, and whether each may be mutated.
fn tokens_of_pdn(text: &str) -> Vec<(String, bool)> {
    const STRUCTURAL: &str = "[]{}()\"";
    let mut tokens: Vec<(String, bool)> = Vec::new();
    let (mut in_text, mut tag) = (None, String::new());
    for c in text.chars() {
        let is_structural = STRUCTURAL.contains(c);
        let joins = tokens.last().is_some_and(|(last, _)| {
            let is_word = |c: char| !c.is_whitespace() && !STRUCTURAL.contains(c);
            last.ends_with(is_word) && is_word(c)
        });
        if is_structural {
            in_text = match (in_text, c) {
                (None, '"' | '{') => Some(c),
                (Some('"'), '"') | (Some('{'), '}') => None,
                (other, _) => other,
            };
        }
        if !joins {
            let is_board = matches!(tag.as_str(), "FEN" | "GameType");
            let may_change = is_structural || in_text.is_none() || in_text == Some('"') && is_board;
            tokens.push((String::new(), may_change && !c.is_whitespace()));
            if c == '[' {
                tag.clear();
            }
        }
        if in_text.is_none() && c.is_alphanumeric() {
            tag.push(c);
        }
        tokens.last_mut().unwrap().0.push(c);
    }
    tokens
}

/// The text of tokens with another one at `at`.
fn replaced(tokens: &[(String, bool)], at: usize, other: &str) -> String {
    let token = |(place, (token, _)): (usize, &'_ (String, bool))| {
        if place == at { other.to_string() } else { token.clone() }
    };
    tokens.iter().enumerate().map(token).collect()
}

/// The texts that differ from one in PDN in a token.
fn mutations_of_pdn(text: &str) -> Vec<String> {
    let tokens = tokens_of_pdn(text);
    let is_structural = |token: &str| token.len() == 1 && "[]{}()\"".contains(token);
    let is_move =
        |token: &str| token.contains(['-', 'x']) && !matches!(token, "1-0" | "0-1" | "1/2-1/2");
    let mut mutated = Vec::new();
    for (at, (token, may_change)) in tokens.iter().enumerate() {
        // A move needs no glyph.
        if !may_change || token.starts_with('$') {
            continue;
        }
        let mut others = Vec::new();
        // Without its last move, a line of play is valid.
        let next = tokens[at + 1..].iter().find(|(token, _)| !token.trim().is_empty());
        let is_last = next.is_none_or(|(next, _)| !is_move(next));
        let is_tag = at > 0 && tokens[at - 1].0 == "[";
        if !(is_move(token) && is_last) {
            others.push(String::new());
        }
        // Signs in texts are a part of them, and any tag is valid.
        if !matches!(token.as_str(), "{" | "\"") && !is_tag {
            others.push(token.repeat(2));
        }
        if is_structural(token) {
            others.extend(["[", "]", "{", "}", "(", ")", "\""].map(str::to_string));
        }
        // Behind an opening sign it is a part of the text. No side has the move.
        if !matches!(token.as_str(), "{" | "\"") {
            // A result at the end of a variation, before other comments, is kept as one.
            let rest = tokens[at + 1..].iter().map(|(token, _)| token.trim());
            let mut in_comment = false;
            let rest = rest.filter(|token| {
                in_comment = *token == "{" || in_comment && *token != "}";
                !in_comment && !matches!(*token, "" | "}")
            });
            let ends_variation = rest.take(1).eq([")"]);
            let inserted = ["*", "3.", "1-32", "1-0"];
            let inserted = inserted.iter().take(if ends_variation { 3 } else { 4 });
            others.extend(inserted.map(|inserted| format!("{token} {inserted}")));
        }
        mutated.extend(others.iter().map(|other| replaced(&tokens, at, other)));
    }
    mutated
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
        let is_board = matches!(token.as_str(), "B" | "W" | "AB" | "AW");
        let mut others = vec![token.to_lowercase()];
        // Without its name, an empty square would be one of the squares before it. An empty name of the
        // variant is none.
        if !matches!(token.as_str(), "AE" | "Scrambled-eggs") {
            others.push(String::new());
        }
        // The name of a move or of pieces with another sign.
        if is_board && !is_text {
            let signs = ["x", "1", "X", "k"];
            others.extend(
                signs.iter().flat_map(|sign| [format!("{token}{sign}"), format!("{sign}{token}")]),
            );
        }
        // A second bracket or name is a part of a value or an unknown property.
        if !(is_text && token == "[") && (!is_name || is_board) {
            others.push(token.repeat(2));
        }
        if "()[];".contains(token.as_str()) {
            others.extend(["(", ")", "[", "]", ";"].map(str::to_string));
        }
        mutated.extend(others.iter().map(|other| replaced(&tokens, at, other)));
    }
    mutated
}

/// The mutations that are read otherwise than the original, and without an error.
fn silent(text: &str, mutations: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let original = imported(text).unwrap_or_else(|| panic!("{text}: {:?}", summary(text)));
    // A game that is read as two, because a result is in the middle, is noticed.
    let is_silent = |mutated: &String| {
        imported(mutated)
            .is_some_and(|read| read != original && read.games.len() <= original.games.len())
    };
    mutations(text).into_iter().filter(is_silent).collect()
}

#[test]
fn a_wrong_token_of_sgf_changes_no_game_in_silence() {
    let wrong: Vec<String> = SGF.iter().flat_map(|text| silent(text, mutations)).collect();
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_wrong_token_of_pdn_changes_no_game_in_silence() {
    let wrong: Vec<String> = PDN.iter().flat_map(|text| silent(text, mutations_of_pdn)).collect();
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

proptest! {
    // `PROPTEST_CASES` sets the number of cases.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 8,
        ..Default::default()
    })]

    #[test]
    fn a_wrong_token_of_any_record_changes_no_game_in_silence(
        choices in prop::collection::vec((any::<usize>(), "[a-z]{0,9}"), 1..20),
        at in any::<prop::sample::Index>(),
    ) {
        for (text, all) in [
            (generated::<Loa>(&choices).to_string(), mutations as fn(&str) -> Vec<String>),
            (generated::<Draughts>(&choices).to_string(), mutations_of_pdn),
        ] {
            let wrong = silent(&text, |text| {
                let mutated = all(text);
                vec![at.get(&mutated).clone()]
            });
            prop_assert!(wrong.is_empty(), "{}\n{}", text, wrong.join("\n"));
        }
    }
}
