//! The rules in the header of a record.

use soucie::game::{RuleChoice, RuleSetting, values_of};
use soucie::games::{GAMES, SharedRuleOption, rule_options, variants};
use soucie::records::record_game;

use super::*;

/// The values of an option, as settings.
fn settings(option: &SharedRuleOption) -> Vec<RuleSetting> {
    let values = match option.choice {
        RuleChoice::Named(names) => (0..names.len() as u16).collect(),
        RuleChoice::Number { default, min, max } => vec![default, min, max, default.max(min + 1)],
    };
    let setting =
        |value| RuleSetting { name: option.name, value, text: option.choice.write(value) };
    values.into_iter().map(setting).collect()
}

/// The rules of a written record, which is read again.
#[track_caller]
fn written(variant: &str, rules: &[RuleSetting]) -> Vec<RuleSetting> {
    let record = record_game(variant, None, &values_of(rules), NO_MOVES).unwrap().unwrap();
    let again = one(&round_trip(&record));
    assert!(again.other_headers().is_empty(), "{record}");
    let mut rules = again.rules();
    rules.sort_by_key(|rule| rule.name);
    rules
}

#[test]
fn rules_are_read_as_they_were_written() {
    for variant in variants() {
        let own = |option: &SharedRuleOption| {
            let mut games = GAMES.iter().filter(|game| option.games.contains(&game[0].name));
            games.any(|game| game.contains(variant))
        };
        let mut others = Vec::new();
        for option in rule_options().into_iter().filter(own) {
            for setting in settings(&option) {
                let is_usual = setting.value == option.choice.default();
                let wanted = if is_usual { vec![] } else { vec![setting.clone()] };
                assert_eq!(written(variant.name, &[setting]), wanted, "{}", variant.name);
            }
            others.extend(settings(&option).into_iter().nth(1));
        }
        let is_other = |setting: &RuleSetting| {
            let option = rule_options().into_iter().find(|option| option.name == setting.name);
            option.unwrap().choice.default() != setting.value
        };
        others.retain(is_other);
        others.sort_by_key(|rule| rule.name);
        assert!(others.len() >= 3, "{}", variant.name);
        assert_eq!(written(variant.name, &others), others);
    }
}

#[test]
fn a_header_names_rules_or_is_kept() {
    const FROM: &str = "[Rules \"";
    // The text of the header, and the rules in it; empty if it is another text.
    let rows = [
        ("Captures: optional", "Captures: optional"),
        (" captures:OPTIONAL ;  draw move count : 7", "Captures: optional; Draw Move Count: 7"),
        // A usual rule may be named as well.
        ("Captures: compulsory", "Captures: compulsory"),
        ("American", ""),
        ("Captures", ""),
        ("Captures: optional;", ""),
        ("Captures: optional; Captures: compulsory", ""),
        ("Captures: forbidden", ""),
        ("Draw Move Count: 1001", ""),
        ("Draw Move Count: -1", ""),
        // A rule of another game.
        ("Move Limit: 50", ""),
        ("Captures: optional; and more", ""),
    ];
    for (text, rules) in rows {
        let record = one(&format!("{FROM}{text}\"]\n1. 11-15 *"));
        let found = record.rules();
        let found: Vec<_> = found.iter().map(|rule| [rule.name, &rule.text].join(": ")).collect();
        assert_eq!(found.join("; "), rules, "{text}");
        assert_eq!(record.rules_fault().is_some(), rules.is_empty(), "{text}");
        let kept =
            if rules.is_empty() { vec![("Rules".to_string(), text.to_string())] } else { vec![] };
        assert_eq!(record.other_headers(), kept);
        assert!(round_trip(&record).contains(&format!("{FROM}{text}\"]")));
    }
    // The same in SGF, and in a game of XBoard, which is converted to it.
    for (text, count) in [
        ("(;GM[9]RU[Move Limit: 50; No Legal Move: loss];B[d1-b3])", 2),
        ("(;GM[9]RU[LOA];B[d1-b3])", 0),
        ("[Variant \"linesofaction\"]\n[Rules \"Move Limit: 50\"]\n\n1. d1b3 *", 1),
    ] {
        assert_eq!(one(text).rules().len(), count, "{text}");
        // The name of the game in place of its rules is no fault.
        assert_eq!(one(text).rules_fault(), None, "{text}");
    }
}

#[test]
fn a_record_is_read_and_checked_by_its_rules() {
    let moves = "1. 11-15 22-18 2. 15x22 25x18 3. 12-16 18-14 4. 16-20";
    let rows = [("Captures: optional", Ok(7)), ("Captures: compulsory", Err(7)), ("Oslo", Err(7))];
    for (rules, plies) in rows {
        let record = one(&format!("[Rules \"{rules}\"]\n{moves} *"));
        assert_eq!(check(&record).map_err(|error| error.ply), plies, "{rules}");
    }
}

#[test]
fn a_header_stays_when_rules_are_written() {
    let rules = [RuleSetting::number("Move Limit", 50)];
    for (text, wanted) in [
        ("(;GM[9];B[d1-b3])", "RU[Move Limit: 50]"),
        ("(;GM[9]RU[LOA];B[d1-b3])", "RU[LOA]"),
        ("(;GM[9]RU[Move Limit: 60];B[d1-b3])", "RU[Move Limit: 60]"),
    ] {
        let mut record = one(text);
        record.set_rules(&values_of(&rules));
        assert!(record.to_string().contains(wanted), "{record}");
    }
}
