//! The built-in problems: positions in which one move wins.

/// The problems of the games, by the name of their first variant.
const FILES: [(&str, &str); 2] = [
    ("linesofaction", include_str!("linesofaction.jsonl")),
    ("englishdraughts", include_str!("englishdraughts.jsonl")),
];

/// The problems of a game, each a JSON object on a line, the easiest first. `protocol/json.md` describes
/// the fields.
pub fn built_in(game: &str) -> impl Iterator<Item = &'static str> {
    let files = FILES.into_iter().filter(move |(name, _)| *name == game);
    files.flat_map(|(_, text)| text.lines())
}
