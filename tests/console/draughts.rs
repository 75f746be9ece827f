//! Draughts at the console, also with endgame tables.

use soucie::engine::PlayingLevel;
use soucie::game::Notation;
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tablebase::OwnTables;
use soucie::records::setups::SetupMoves;
use soucie_program::arguments::{StrengthArguments, TablesArgument};

use super::*;

pub fn run_draughts(input: &str) -> ConsoleResult {
    let settings = ConsoleSettings {
        game: VariantArgument { variant: "draughts".to_string() },
        ..fast_settings()
    };
    run_console(&settings, format!("manual white\n{input}"))
}

#[test]
fn draughts_moves_kings_and_errors_are_supported() {
    let console =
        run_draughts("11-15\nc3d4\nset b8 - black\nset a1 B black\nset d8 W white\ndump\n");
    let board = "    - - - W - b - b
    b - b - b - b -
    - b - b - - - b
    - - - - b - - -
    - - - w - - - -
    w - - - w - w -
    - w - w - w - w
    B - w - w - w -
Next move: white
";
    assert_eq!(last_dump(&console.output), board);
    assert_eq!(console.errors, "");
    let invalid = [
        ("set c1 black white", "Black has 13 pieces, more than 12"),
        ("set b8 - white\nset c1 black white", "Black man on its crowning rank: square 30 (c1)"),
    ];
    for (squares, error) in invalid {
        let error = format!(
            "error: the board is not a legal position: {error}; set other squares or enter new\n"
        );
        assert_eq!(run_draughts(&format!("{squares}\n22-18\n")).errors, error);
    }
    // A square also has a number, and other programs read what `dump` prints.
    let console = run_draughts("set 18 W white\nset 21 - white\ndump\n");
    let dump = last_dump(&console.output);
    let position = Draughts::read_setup(dump, Default::default()).unwrap();
    assert!(position.write_setup().starts_with("W:WK18,22,"), "{dump}");
    assert_eq!(SetupMoves::read(dump).unwrap().variant(None).name, "englishdraughts");
    assert_eq!(SetupMoves::read(START).unwrap().variant(None).name, "linesofaction");
    let error = "error: illegal move 11x18: no White piece on square 11 (f6)\n";
    assert_eq!(run_draughts("set f6 - white\n11x18\n").errors, error);
}

#[test]
fn endgames_are_won_in_the_distance_of_the_tables() {
    let folder = programs::tables().to_path_buf();
    let position = Draughts::read_setup("W:WK14,K15:BK28", Default::default()).unwrap();
    let plies = OwnTables::open(&folder).unwrap().distance(&position).unwrap();
    // Two kings against one in the double corner.
    let squares = |rank: usize| (0..4).map(move |i| (2 * i + (rank + 1) % 2, rank));
    let name = |(file, rank): (usize, usize)| format!("{}{rank}", char::from(b'a' + file as u8));
    let occupied = [1, 2, 3, 6, 7, 8].into_iter().flat_map(squares).map(name);
    let emptied = occupied.map(|name| format!("{name} -"));
    let placed = ["c5 W", "e5 W", "h2 B"].map(str::to_string);
    let lines = emptied.chain(placed).map(|square| format!("set {square} white\n"));
    let script = format!("manual white\nseed 1\n{}", lines.collect::<String>());
    for (tables, default) in [(Some(folder.clone()), None), (None, Some(folder))] {
        let settings = ConsoleSettings {
            game: VariantArgument { variant: "draughts".to_string() },
            strength: StrengthArguments { level: Some(PlayingLevel::Full), elo: None },
            tables: TablesArgument { tables, default },
            ..fast_settings()
        };
        let console = run_console(&settings, format!("{script}auto black\nauto white\n"));
        assert_eq!(console.errors, "");
        let lines = console.output.lines();
        let starred: Vec<&str> = lines.filter(|line| line.starts_with("* ")).collect();
        assert_eq!(starred.last(), Some(&"* White wins."), "{}", console.output);
        assert_eq!(starred.len(), usize::from(plies) + 1, "{}", console.output);
    }
}

#[test]
fn a_folder_without_tables_is_refused() {
    let empty = env!("CARGO_TARGET_TMPDIR");
    let incomplete =
        format!("tables: no complete set of endgame tables and no database in {empty}: ");
    for (folder, start) in
        [("/no/such/folder", "tables: /no/such/folder: "), (empty, incomplete.as_str())]
    {
        let settings = ConsoleSettings {
            tables: TablesArgument { tables: Some(folder.into()), default: None },
            ..fast_settings()
        };
        let (input, output) = (&b""[..], Vec::new());
        let streams = Streams { input, output, errors: io::sink(), editor: None };
        let error = run(&settings, streams).unwrap_err().to_string();
        assert!(error.starts_with(start), "{error}");
        // Without a request for tables, the game begins without them.
        let settings = ConsoleSettings {
            tables: TablesArgument { tables: None, default: Some(folder.into()) },
            ..fast_settings()
        };
        assert!(run_console(&settings, "d1-b3\n").errors.is_empty());
    }
}
