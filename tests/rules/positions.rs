//! Positions by their setups, and checks of the rules and the notation of each game.

use std::collections::BTreeSet;

use serde_json::Value;
use soucie::game::{Game, MoveFormat, Rules, perft};

/// Reads a setup under these rules.
pub fn setup_under<P: Game>(text: &str, rules: P::Rules) -> P {
    P::read_setup(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Reads a setup under the default rules.
pub fn setup<P: Game>(text: &str) -> P {
    setup_under(text, P::Rules::default())
}

/// The start position.
pub fn start<P: Game>() -> P {
    setup(P::VARIANTS[0].start)
}

/// Plays moves given as text. Panics at an illegal move and after the end of the game.
pub fn play<P: Game>(position: P, moves: &str) -> P {
    moves.split_whitespace().fold(position, |position, text| {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(mv)
    })
}

/// The default rules with one option changed by its name.
pub fn rules_with<R: Rules>(name: &str, value: u16) -> R {
    let mut rules = R::default();
    let option = R::OPTIONS.iter().find(|option| option.name == name).unwrap();
    (option.set)(&mut rules, value);
    rules
}

/// A set of moves.
pub fn set(moves: &[&str]) -> BTreeSet<String> {
    moves.iter().map(|mv| mv.to_string()).collect()
}

/// The positions of a file with perft counts.
pub fn perft_positions(file: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(file).unwrap();
    file["positions"].as_array().unwrap().clone()
}

/// Checks the perft counts of a file that `selects` accepts; returns their number.
pub fn check_perft<P: Game>(file: &str, selects: impl Fn(u64) -> bool) -> usize {
    let mut checked = 0;
    for row in perft_positions(file) {
        let position: P = setup(row["fen"].as_str().unwrap());
        for (depth, nodes) in (1..).zip(row["perft"].as_array().unwrap()) {
            let nodes = nodes.as_u64().unwrap();
            if selects(nodes) {
                checked += 1;
                let counted = perft(&position, depth, &|| false);
                assert_eq!(counted, Some(nodes), "{} to depth {depth}", row["name"]);
            }
        }
    }
    checked
}

/// Rows of a text and the setup that it is written as.
pub fn check_setups<P: Game>(rows: &[(impl AsRef<str>, &str)]) {
    for (text, written) in rows {
        let position: P = setup(text.as_ref());
        assert_eq!(position.write_setup(), *written, "{}", text.as_ref());
        assert!(setup::<P>(&position.write_setup()) == position, "{}", text.as_ref());
    }
}

/// Rows of a text and the error as which it is refused.
pub fn check_setup_errors<P: Game>(rows: &[(impl AsRef<str>, impl AsRef<str>)]) {
    for (text, message) in rows {
        match P::read_setup(text.as_ref(), P::Rules::default()) {
            Ok(position) => panic!("{} was read as {}", text.as_ref(), position.write_setup()),
            Err(error) => assert_eq!(error.to_string(), message.as_ref(), "{:?}", text.as_ref()),
        }
    }
}

/// Rows of a setup, the forms of a move, and what it is written as, short and as usual.
pub fn check_moves<P: Game>(rows: &[(&str, &[&str], &str, &str)]) {
    for &(text, forms, coordinate, standard) in rows {
        let position: P = setup(text);
        for form in forms {
            let mv = position.read_move(form).unwrap_or_else(|error| panic!("{form}: {error}"));
            assert_eq!(position.write_move(mv, MoveFormat::Coordinate), coordinate, "{form}");
            assert_eq!(position.write_move(mv, MoveFormat::Standard), standard, "{form}");
        }
    }
}

/// Rows of a setup, a move and the error as which it is refused.
pub fn check_move_errors<P: Game>(rows: &[(&str, &str, String)]) {
    for (text, mv, message) in rows {
        match setup::<P>(text).read_move(mv) {
            Ok(mv) => panic!("{text}: {mv:?} was read"),
            Err(error) => assert_eq!(error.to_string(), *message, "{mv:?} in {text}"),
        }
    }
}
