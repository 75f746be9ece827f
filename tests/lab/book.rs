//! `soucie-lab book build`, playing from a book, and `soucie-lab book explored`.

use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};
use soucie::book::{self, Book};
use soucie::files::hash::hex;
use soucie::game::{Features, Game, Notation, Position, legal_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie_lab::samples::{self, Sample};

use crate::programs::{self, empty_folder, failure_of, output_of};

/// A process of `soucie-lab book build` in a folder, with short searches.
fn command(folder: &Path, options: &str) -> Command {
    let mut command = programs::soucie();
    command.current_dir(folder).args(["book", "build", "--nodes", "100", "--lines", "3"]);
    command.args(options.split_whitespace());
    command
}

/// Builds a book and returns the printed output.
fn build(folder: &Path, options: &str) -> String {
    output_of(&mut command(folder, options))
}

/// The output of the engine for these commands, run in a folder.
fn run_engine(folder: &Path, lines: &str) -> String {
    let input = folder.join("commands");
    fs::write(&input, lines).unwrap();
    let input = fs::File::open(input).unwrap();
    output_of(programs::soucie().current_dir(folder).stdin(input))
}

const OPENINGS: &str = "startpos\n11-15 23-19\n9-13 22-18\n12-16 24-20\n";

#[test]
fn the_book_depends_on_neither_threads_nor_interrupts() {
    for variant in ["linesofaction", "draughts"] {
        let folder = empty_folder(Path::new("book").join(variant));
        let options = format!("--variant {variant} --positions 52");
        let whole = build(&folder, &format!("{options} --journal whole --out books --threads 1"));
        let [count, path] = whole.lines().collect::<Vec<_>>()[..] else { panic!("{whole}") };
        assert_eq!(count, "52 positions");
        assert!(folder.join(path).with_extension("json").exists());
        let again = build(&folder, &format!("{options} --journal again --out books --threads 3"));
        assert_eq!(again, whole);
        let journal = fs::read(folder.join("whole")).unwrap();
        assert!(fs::read(folder.join("again")).unwrap() == journal);
        let added = format!("--variant {variant} --journal part --add whole --out books");
        let part = build(&folder, &format!("{added} --positions 30"));
        let alone = format!("--variant {variant} --journal alone --out books --positions 30");
        assert_eq!(part, build(&folder, &alone));
        for length in [0, 200, journal.len() / 2, journal.len() - 1, journal.len()] {
            fs::write(folder.join("cut"), &journal[..length]).unwrap();
            assert_eq!(build(&folder, &format!("{options} --journal cut --out books")), whole);
            assert!(fs::read(folder.join("cut")).unwrap() == journal, "{variant}, {length}");
        }
    }
}

#[test]
fn the_parts_of_a_book_are_joined_without_further_searches() {
    let folder = empty_folder("book/parts");
    fs::write(folder.join("openings"), OPENINGS).unwrap();
    let common = "--variant draughts --openings openings";
    build(&folder, &format!("{common} --openings-range 0..2 --positions 20 --journal one"));
    build(&folder, &format!("{common} --openings-range 2..4 --positions 20 --journal two"));
    let searches = |name: &str| fs::read_to_string(folder.join(name)).unwrap().lines().count() - 1;
    assert_eq!((searches("one"), searches("two")), (20, 20));
    let joined = "--journal all --add one --add two --out books";
    let output = build(&folder, &format!("{common} --positions 30 {joined}"));
    assert!(output.starts_with("30 positions\n"), "{output}");
    assert_eq!(searches("all"), 0);
    let path = folder.join(output.lines().last().unwrap());
    // Positions that neither side reaches by its moves of the book are left out.
    let positions = Book::read(&fs::read(path).unwrap()).unwrap().positions();
    assert!((16..=30).contains(&positions), "{positions}");
}

#[test]
fn engine_plays_from_its_book_where_it_is_allowed() {
    let folder = empty_folder("book/play");
    let output = build(&folder, "--positions 20 --journal journal --out books");
    let book = output.lines().last().unwrap();
    let output_with_book = |before: &str, go: &str| {
        let book =
            format!("setoption name BookFile value {book}\nsetoption name OwnBook value true");
        run_engine(&folder, &format!("{book}\n{before}\n{go}"))
    };
    let from_book = |text: &str| text.starts_with("info string book move\nbestmove ");
    for (before, go, is_book) in [
        ("position startpos", "go movetime 10", true),
        ("position startpos", "go wtime 100 btime 100", true),
        ("position startpos", "go depth 1", true),
        ("setoption name OwnBook value false", "go depth 1", false),
        ("setoption name UCI_AnalyseMode value true", "go depth 1", false),
        ("setoption name UCI_LimitStrength value true", "go depth 1", false),
        ("setoption name MultiPV value 2", "go depth 1", false),
        ("position startpos", "go depth 1 searchmoves b1b3", false),
        ("position startpos", "go depth 1 infinite\nstop", false),
        ("position startpos", "go depth 1 ponder\nponderhit", false),
        ("position startpos", "go mate 1", false),
        ("position startpos moves b1b3 a2c2 b3b1 c2a2", "go depth 1", false),
        ("position startpos moves b1b3 a2a8", "go depth 1", false),
        ("position startpos", "go\nstop", false),
        ("setoption name Move Limit value 100", "go depth 1", false),
        ("position fen 8/8/8/3l4/8/3L2L1/8/8 b", "go depth 1", false),
    ] {
        let text = output_with_book(before, go);
        assert_eq!(from_book(&text), is_book, "{before}, {go}: {text}");
        assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
        assert!(!text.contains("error"), "{text}");
    }
    // It is kept for its game, which a client may choose later.
    let draughts = "setoption name UCI_Variant value draughts";
    let text = run_engine(&folder, &format!("{draughts}\nsetoption name BookFile value {book}"));
    let note = "not for this game, and kept for games of linesofaction\n";
    assert_eq!(text, format!("info string BookFile: {book}: {note}"));
    let loa = "setoption name UCI_Variant value loa\nposition startpos\ngo depth 1";
    let text = run_engine(
        &folder,
        &format!(
            "{draughts}\nsetoption name OwnBook value true\nsetoption name BookFile value {book}\n{loa}"
        ),
    );
    assert_eq!(text.matches("info string book move\n").count(), 1, "{text}");
}

#[test]
fn book_is_kept_while_another_game_is_selected() {
    let folder = empty_folder("book/stays");
    let output = build(&folder, "--positions 20 --journal journal --out books");
    let book = output.lines().last().unwrap();
    let go = "position startpos\ngo depth 1";
    let text = run_engine(
        &folder,
        &format!(
            "setoption name BookFile value {book}\nsetoption name OwnBook value true\n{go}\n{go}\n\
             setoption name BookFile value openings\n\
             setoption name UCI_Variant value draughts\nsetoption name BookFile value {book}\n\
             setoption name UCI_Variant value linesofaction\nsetoption name Move Format value \
             standard\n{go}"
        ),
    );
    let moves: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("bestmove ")).collect();
    let [first, again, last] = moves[..] else { panic!("{text}") };
    assert_eq!((again, last.replace('-', "").as_str()), (first, first));
    assert_eq!(text.matches("info string book move\n").count(), 3, "{text}");
    assert_eq!(text.matches("info string error BookFile: ").count(), 1, "{text}");
}

#[test]
fn invalid_builds_are_reported() {
    let folder = empty_folder("book/faults");
    fs::write(folder.join("openings"), OPENINGS).unwrap();
    fs::write(folder.join("bad"), "11-16 1-2\n").unwrap();
    build(&folder, "--positions 2 --journal loa");
    let draughts = "--variant draughts --positions 2 --journal";
    for (options, error) in [
        (
            format!("{draughts} new --openings none"),
            "none: no such file; the built-in sets are ballots ",
        ),
        (format!("{draughts} new --openings balanced"), "balanced: openings of linesofaction; "),
        (format!("{draughts} new --openings bad"), "bad: opening in line 1: illegal move 1-2"),
        (
            format!("{draughts} new --openings openings --openings-range 3..5"),
            "--openings-range 3..5: there are 4 openings",
        ),
        (format!("{draughts} loa"), "loa: made with other settings: game is "),
        (format!("{draughts} new --add loa"), "loa: made with other settings: game is "),
        (format!("{draughts} openings --openings openings"), "openings is given twice"),
        (format!("{draughts} new --eval-file none"), "network none: "),
        (format!("{draughts} unsearched --out bad"), "bad: "),
    ] {
        let text = failure_of(&mut command(&folder, &options));
        assert!(text.starts_with(&format!("soucie: {error}")), "{text}");
    }
    assert_eq!(fs::read_to_string(folder.join("openings")).unwrap(), OPENINGS);
    let journal = fs::read_to_string(folder.join("unsearched")).unwrap();
    assert_eq!(journal.lines().count(), 1, "searched before the output was checked: {journal}");
}

/// The number of positions up to this depth for which a book has moves, all of them legal.
fn count_positions<P: Game>(book: &Book, position: &P, depth: u32) -> usize {
    let moves = book.moves(position);
    assert!(moves.iter().all(|mv| legal_moves(position).contains(mv)));
    let below = legal_moves(position).into_iter().map(|mv| position.play(mv));
    let below = below
        .filter(|_| depth > 0)
        .map(|next| count_positions(book, &next, depth - 1))
        .sum::<usize>();
    usize::from(!moves.is_empty()) + below
}

#[test]
fn built_in_books_are_valid_and_contain_the_first_plies() {
    fn start<P: Game>() -> P {
        P::read_setup(P::VARIANTS[0].start, P::Rules::default()).unwrap()
    }
    for (name, bytes) in book::FILES {
        let hash = hex(&Sha256::digest(bytes));
        let book = Book::read(bytes).unwrap();
        assert_eq!(*name, format!("{}-{}.book", book.game, &hash[..8]));
        let manifest = programs::core().join("book/books").join(name);
        assert!(manifest.with_extension("json").exists(), "{name}");
    }
    let built_in = |game| book::built_in(game).unwrap();
    assert!(count_positions(&built_in(Loa::name()), &start::<Loa>(), 2) > 40);
    assert!(count_positions(&built_in(Draughts::name()), &start::<Draughts>(), 3) > 150);
}

/// The numbers of the first plies are those of the games, in which positions that are reflections of each other
/// count as one.
#[test]
fn explored_openings_are_counted_up_to_symmetry() {
    const GAMES: usize = 40;
    let folder = empty_folder("book/explored");
    let run =
        |words: &str| output_of(programs::soucie().current_dir(&folder).args(words.split(' ')));
    run(&format!("selfplay --explore 60 --nodes 20 --seeds 0..{GAMES} --out games"));
    run("book explored games --least 2 --nodes 50 --out tree");
    let (_, samples) = samples::read(&folder.join("games")).unwrap();
    // A reflection of the features, whichever comes first.
    let least = |sample: &Sample| {
        let features = (0..Loa::SYMMETRIES).map(|number| Loa::transformed(sample.inputs, number));
        features.min().unwrap()
    };
    let text = fs::read_to_string(folder.join("tree")).unwrap();
    let mut line: Vec<Loa> =
        vec![Loa::read_setup(Loa::VARIANTS[0].start, Default::default()).unwrap()];
    let mut rows = 0;
    for row in text.lines() {
        let ply = row.len() - row.trim_start().len() + 1;
        let [mv, games, percent, _] = row.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        line.truncate(ply);
        let before = line[ply - 1];
        let position = before.play(before.read_move(mv).unwrap());
        line.push(position);
        let inputs = position.features(position.side());
        let same = |sample: &&Sample| {
            usize::from(sample.ply) == ply && least(sample) == least(&Sample { inputs, ..**sample })
        };
        let found: Vec<&Sample> = samples.iter().filter(same).collect();
        // A transposition may reach it at another ply, but not with the same side to move so early.
        assert_eq!(games, found.len().to_string(), "{row}");
        let points: u32 = found.iter().map(|sample| 2 - u32::from(sample.result)).sum();
        assert_eq!(percent, format!("{:.1}", 50.0 * points as f32 / found.len() as f32), "{row}");
        rows += 1;
    }
    assert!(rows > 10, "{text}");
    let first = text.lines().filter(|row| !row.starts_with(' '));
    let games = first.map(|row| row.split(' ').nth(1).unwrap().parse::<usize>().unwrap());
    assert!((GAMES - 3..=GAMES).contains(&games.sum()), "{text}");
}
