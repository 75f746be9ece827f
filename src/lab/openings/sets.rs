//! The built-in sets of openings, which `--openings` accepts by name.

use std::collections::BTreeSet;
use std::path::Path;

use soucie::game::{Heuristics, Move, Notation, Position, legal_moves};
use soucie::games::draughts::{BALLOTS, Draughts, DraughtsMove, DraughtsRules};

pub struct OpeningSet {
    pub name: &'static str,
    pub variant: &'static str,
    pub text: fn() -> String,
}

pub const SETS: [OpeningSet; 4] = [
    OpeningSet {
        name: "ballots",
        variant: "englishdraughts",
        text: || lines_of(BALLOTS, |line| !line.contains(";barred;")),
    },
    OpeningSet {
        name: "hard-ballots",
        variant: "englishdraughts",
        text: || lines_of(BALLOTS, |line| line.contains(";ctd;")),
    },
    OpeningSet { name: "eleven-man", variant: "englishdraughts", text: balanced_eleven_man },
    OpeningSet {
        name: "balanced",
        variant: "linesofaction",
        text: || include_str!("balanced.txt").to_string(),
    },
];

impl OpeningSet {
    /// Returns the set that a value of `--openings` names.
    pub fn find(value: &Path) -> Option<&'static Self> {
        SETS.iter().find(|set| value == Path::new(set.name))
    }
}

fn lines_of(text: &str, is_chosen: fn(&str) -> bool) -> String {
    text.lines().filter(|line| is_chosen(line)).map(|line| format!("{line}\n")).collect()
}

/// The indices of the balanced 11-man ballots in [`eleven_man_ballots`]. They are all in the list of
/// 2,400 that CheckerBoard has.
const BALANCED: &str = include_str!("eleven_man.txt");

fn balanced_eleven_man() -> String {
    let ballots = eleven_man_ballots();
    let lines = BALANCED.lines().filter(|line| !line.starts_with('#'));
    let indices = lines.flat_map(str::split_whitespace).filter_map(|index| index.parse().ok());
    let chosen = indices.filter_map(|index: usize| ballots.get(index));
    chosen.map(|setup| format!("{setup}\n")).collect()
}

/// Returns the setups of all 11-man ballots, sorted as text. Each side lacks a man and has made a
/// move, both of those that are not on its first rank. Setups in which a capture was or is forced are
/// left out.
pub fn eleven_man_ballots() -> Vec<String> {
    let men_without = |men: &[u32], lost: u32| {
        let men = men.iter().filter(|&&man| man != lost);
        men.map(u32::to_string).collect::<Vec<_>>().join(",")
    };
    let (black, white): (Vec<_>, Vec<_>) = ((1..=12).collect(), (21..=32).collect());
    let pairs = (5..=12).flat_map(|lost| (21..=28).map(move |other| (lost, other)));
    let starts = pairs.filter_map(|(lost, other)| {
        let (black, white) = (men_without(&black, lost), men_without(&white, other));
        Draughts::read_setup(&format!("B:W{white}:B{black}"), DraughtsRules::default()).ok()
    });
    let after_a_move = |position: Draughts| {
        let is_on_first_rank = |mv: &DraughtsMove| matches!(mv.origin(), 0..8 | 56..64);
        let moves = legal_moves(&position).into_iter().filter(move |mv| !is_on_first_rank(mv));
        moves.map(move |mv| position.play(mv)).filter(|next| !next.is_forced())
    };
    let ballots = starts.flat_map(after_a_move).flat_map(after_a_move);
    let ballots: BTreeSet<String> = ballots.map(|position| position.write_setup()).collect();
    ballots.into_iter().collect()
}
