//! Texts: commands, setups, moves and records.

use soucie::checkerboard::Library;
use soucie::checkerboard::board::{self, Squares};
use soucie::checkerboard::settings::Settings;
use soucie::checkerboard::time::Time;
use soucie::engine::open;
use soucie::files::printable::one_line;
use soucie::game::{Game, MoveFormat, legal_moves, readable_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::options::Options;
use soucie::protocol::command;
use soucie::protocol::import::{ImportRequest, import};
use soucie::records::{RecordFormat, RecordReader, check};
use soucie_lab::engine_match::settings::MatchSettings;
use soucie_lab::openings;
use soucie_program::analyse::settings::AnalyseSettings;
use soucie_program::console;
use soucie_program::prove::ProveSettings;

use super::settings;

/// The error of a command is printed on one line.
fn check_error<T, E: ToString>(result: Result<T, E>) {
    if let Err(error) = result {
        let error = error.to_string();
        assert!(!one_line(&error).contains('\n'), "{error}");
    }
}

/// Lines of any text: each is a command, or an error that is printed on one line.
pub fn command(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        check_error(command::read(line));
        check_error(console::command::read(line).map_err(|refusal| refusal.0));
    }
}

/// The arguments of commands, one a line.
pub fn arguments(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<&str> = text.lines().collect();
    if let Ok(settings) = settings::<AnalyseSettings>(&words) {
        let limits = settings.limits();
        assert!(!limits.is_endless(), "{words:?}: {limits:?}");
    }
    check_error(settings::<MatchSettings>(&words).map_err(|error| error.kind()));
    check_error(settings::<ProveSettings>(&words).map_err(|error| error.kind()));
}

/// A setup of any game: what can be read is written and read again as the same.
pub fn setup(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    setup_of::<Loa>(&text);
    setup_of::<Draughts>(&text);
}

fn setup_of<P: Game>(text: &str) {
    let Ok(position) = P::read_setup(text, P::Rules::default()) else { return };
    let again = P::read_setup(&position.write_setup(), P::Rules::default());
    assert_eq!(again.ok(), Some(position));
    let drawn = format!("{}\nNext move: {}\n", position.diagram(), position.side());
    let again = P::read_setup(&drawn, P::Rules::default());
    assert_eq!(again.ok(), Some(position), "{drawn}");
    for mv in legal_moves(&position) {
        position.play(mv).outcome();
    }
    position.evaluate();
}

/// Moves of all games: what is read is one of the moves that can be, and is written and read again as
/// the same.
pub fn moves(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    moves_of::<Loa>(&text);
    moves_of::<Draughts>(&text);
}

/// Plays the words of a text on the positions of the benchmark, one after the other.
fn moves_of<P: Game>(text: &str) {
    for setup in P::VARIANTS.iter().flat_map(|variant| variant.bench) {
        let Ok(mut position) = P::read_setup(setup, P::Rules::default()) else { return };
        for word in text.split_whitespace() {
            let Ok(mv) = position.read_move(word) else { continue };
            assert!(readable_moves(&position).contains(&mv), "{word}");
            for format in [MoveFormat::Coordinate, MoveFormat::Standard] {
                let written = position.write_move(mv, format);
                assert_eq!(position.read_move(&written).ok(), Some(mv), "{written}");
            }
            position = position.play(mv);
        }
    }
}

/// A text with games in any format: a game is written and read again as the same.
pub fn records(bytes: &[u8]) {
    for format in [RecordFormat::Sgf, RecordFormat::Pdn] {
        for record in RecordReader::new(bytes).format(format).flatten() {
            let text = record.to_string();
            let again = RecordReader::new(text.as_bytes()).format(record.format()).next();
            let again = again.and_then(Result::ok);
            assert_eq!(again.as_ref(), Some(&record), "{text}");
            assert_eq!(again.map(|again| again.to_string()), Some(text));
            let _ = check(&record);
        }
    }
    let request = ImportRequest { text: String::from_utf8_lossy(bytes).into(), variant: None };
    if let Ok(read) = import(&request, &Options::default()) {
        assert!(!read.games.is_empty());
        serde_json::to_string(&read).unwrap();
    }
}

/// A list of openings: each of them can be played.
pub fn openings(bytes: &[u8]) {
    for variant in ["linesofaction", "englishdraughts"] {
        let session = open(&Options::of_variant(Some(variant)).unwrap()).unwrap();
        let Ok((openings, _)) = openings::read(bytes, &*session, None) else { continue };
        assert!(!openings.is_empty());
        for opening in openings {
            opening.begin(&*session).unwrap();
        }
    }
}

/// The window CheckerBoard: text commands, settings, boards and times. The settings are not saved, and
/// nothing is searched.
pub fn checkerboard(bytes: &[u8]) {
    let library = Library::default();
    let mut settings = Settings::default();
    for line in String::from_utf8_lossy(bytes).lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("set"), Some(name)) if name != "gamehist" => {
                let value = words.next().unwrap_or_default();
                let before = settings.get(name).map(String::from);
                if settings.set(name, value).is_err() {
                    assert_eq!(settings.get(name), before.as_deref(), "{name}");
                }
            }
            _ => drop(library.answer(line)),
        }
    }
    let mut squares = Squares::default();
    let places = squares.as_flattened_mut().iter_mut();
    places.zip(bytes).for_each(|(square, &byte)| *square = byte.into());
    let [colour, from, to] = [64, 65, 66].map(|at| bytes.get(at).copied().unwrap_or(1).into());
    if let Ok((read, _)) = board::read(&squares, colour) {
        assert_eq!(board::write(&read), squares);
    }
    library.legal_move(&squares, colour, from, to);
    let number = |at: usize| bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
    let [seconds, numbers] = [0, 8].map(|at| u64::from_le_bytes(number(at).unwrap_or_default()));
    Time::read(f64::from_bits(seconds), numbers as i32, (numbers >> 32) as i32).limits();
}
