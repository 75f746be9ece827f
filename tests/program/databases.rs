//! Win-loss-draw databases: written from own tables and read again, and files that are damaged,
//! missing or large. The published ones are read from the folder that `SOUCIE_CHINOOK` names.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::{env, slice};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::game::{Tablebase, TablebaseError, TablebaseValue};
use soucie::games::draughts::tablebase::{
    DatabaseCheck, Databases, FolderTables, OwnTables, Value,
};

use crate::chinook;
use crate::programs::{
    self, copy_tables, empty_folder, failure_of, output_of, run, tables as four_pieces,
};
use crate::tables::{random_setup, read, solved};

/// The positions of up to four pieces in which neither side can capture.
const QUIET: u64 = 4_726_851;

/// The folder of the database of up to `pieces` pieces.
fn exported(pieces: usize) -> PathBuf {
    chinook::database(four_pieces(), pieces)
}

/// A folder of its own with a copy of the database of up to `pieces` pieces.
fn copied(pieces: usize, folder: &str) -> PathBuf {
    let folder = empty_folder(Path::new("databases").join(folder));
    copy_tables(&exported(pieces), &folder, |_| true);
    folder
}

fn own() -> &'static OwnTables {
    static OWN: OnceLock<OwnTables> = OnceLock::new();
    OWN.get_or_init(|| OwnTables::open(four_pieces()).unwrap())
}

/// Verifies the databases of a folder, all of which can be opened.
fn verify(folder: &Path, own: &OwnTables) -> Result<DatabaseCheck, TablebaseError> {
    let (databases, refused) = Databases::open(&[folder.into()])?;
    match refused.into_iter().next() {
        Some(error) => Err(error),
        None => databases.verify(own, 8, false, 2, &|_| {}),
    }
}

fn tables_in(path: &Path) -> FolderTables {
    let (tables, refused) = FolderTables::open(path).unwrap();
    assert!(refused.is_empty(), "{refused:?}");
    tables
}

/// Compares the values of all positions of up to three pieces and of 20,000 with four.
fn compare_lookups(folder: &Path) {
    let tables = tables_in(folder);
    let mut unknown = 0;
    let mut compare = |setup: &str| {
        let position = read(setup);
        match tables.value(&position) {
            None => unknown += 1,
            value => assert_eq!(value, own().value(&position), "{setup}"),
        }
    };
    for (board, side, _) in solved() {
        compare(&board.setup(*side));
    }
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..20_000 {
        compare(&random_setup(&mut rng, 4));
    }
    // After some moves both sides still threaten to capture.
    assert!(unknown < 100, "{unknown} positions have no value");
}

#[test]
fn published_databases_have_the_values_of_own_tables() {
    let Some(folder) = env::var_os("SOUCIE_CHINOOK").map(PathBuf::from) else {
        eprintln!("skipped: SOUCIE_CHINOOK names no folder of databases");
        return;
    };
    let check = verify(&folder, own()).unwrap();
    assert!(check.faults.is_empty() && check.equal >= QUIET, "{check:?}");
    compare_lookups(&folder);
    let mut info = programs::soucie();
    let info = output_of(info.args(["tables", "info", "--dir"]).arg(&folder));
    assert!(info.ends_with("DB4: the published database of up to four pieces\n"), "{info}");
}

#[test]
fn exported_databases_have_the_values_of_own_tables() {
    let folder = exported(4);
    let check = verify(&folder, own()).unwrap();
    assert_eq!((check.equal, check.unknown, check.faults), (QUIET, 0, vec![]));
    compare_lookups(&folder);
    let tables = |command: &str| {
        let mut tables = programs::soucie();
        tables.args(["tables", command, "--dir"]).arg(&folder);
        tables
    };
    let database = folder.join("DB4").display().to_string();
    let info = output_of(&mut tables("info"));
    let parts = "databases, 2 pieces: all 64 parts\n\
                 databases, 3 pieces: all 240 parts\n\
                 databases, 4 pieces: all 577 parts\n";
    let (hash, last) = (hash_of(&folder), info.strip_prefix(parts).unwrap());
    assert_eq!(last, format!("{database}: not a known database, sha256 {hash}\n"));
    let verified = |equal, unknown| {
        format!(
            "{last}databases: {equal} positions have the value of own tables, {unknown} are not in \
             own tables\n"
        )
    };
    let mut verify = tables("verify");
    assert_eq!(output_of(verify.arg("--own").arg(four_pieces())), verified(QUIET, 0));
    // Without own tables, few positions have a successor that the databases do not have.
    let mut verify = tables("verify");
    let output = output_of(verify.args(["--pieces", "3"]));
    let unknown = 3_488 + 196_032;
    let rest = output.strip_prefix(&verified(0, unknown)).unwrap();
    let known = format!("databases: {unknown} of these have the known values of up to four pieces");
    let [found, consistent] = rest.lines().collect::<Vec<_>>()[..] else { panic!("{rest}") };
    assert_eq!(found, known);
    assert!(consistent.ends_with(": consistent is not proved"), "{consistent}");
    let count: u64 = consistent.split(' ').nth(1).unwrap().parse().unwrap();
    assert!((140_000..unknown).contains(&count), "{consistent}");
    let none = empty_folder("databases/no tables");
    let stderr = failure_of(tables("verify").arg("--own").arg(none));
    assert!(stderr.starts_with("soucie: nothing was compared: no own tables "), "{stderr}");
}

/// The hash by which proofs name the only database of a folder.
fn hash_of(folder: &Path) -> String {
    let identity = tables_in(folder).identity().unwrap();
    let (_, hash) = identity.split_once(" pieces sha256 ").unwrap();
    assert_eq!(hash.len(), 64, "{identity}");
    hash.to_string()
}

/// Only the words of an index count, and every byte of the data.
#[test]
fn databases_are_named_by_a_hash_of_their_contents() {
    let folder = copied(2, "hash");
    let (data, index) = (folder.join("DB2"), folder.join("DB2.idx"));
    let (hash, text) = (hash_of(&folder), fs::read_to_string(&index).unwrap());
    for changed in [text.replace('\n', "\r\n"), text.replace(' ', "  "), text.clone() + "\n\n"] {
        fs::write(&index, changed).unwrap();
        assert_eq!(hash_of(&folder), hash);
    }
    let mut hashes = vec![hash];
    let mut bytes = fs::read(&data).unwrap();
    bytes.resize(1024, 0);
    for padding in [0, 1] {
        bytes[1023] = padding;
        fs::write(&data, &bytes).unwrap();
        let hash = hash_of(&folder);
        assert!(!hashes.contains(&hash), "padding {padding}");
        hashes.push(hash);
    }
}

/// A folder whose databases an earlier one has too is no error, nor is a separator at the end.
#[test]
fn the_same_databases_may_be_named_twice() {
    let (one, other) = (exported(2), copied(2, "again"));
    let empty = PathBuf::new();
    let paths = [vec![&one, &one], vec![&one, &other], vec![&other, &empty]];
    for path in paths.map(|paths| env::join_paths(paths).unwrap()) {
        let tables = tables_in(Path::new(&path));
        assert_eq!(tables.value(&read("W:WK32:BK1")), Some(Value::Draw), "{path:?}");
    }
    let nothing = env::join_paths(["", ""]).unwrap();
    assert!(FolderTables::open(Path::new(&nothing)).is_err());
}

#[test]
fn own_tables_are_asked_before_databases() {
    let both = copied(4, "beside tables");
    copy_tables(four_pieces(), &both, |pieces| pieces < 4);
    let separate = env::join_paths([exported(4), four_pieces().into()]).unwrap();
    use TablebaseValue::{Drawn, Lost, Won};
    let rows = [
        // A setup, and its value with tables of two and three, or of four pieces.
        ("W:WK14,K15:BK6", Won(Some(17)), Won(Some(17))),
        ("W:WK14,K15,K18:BK1", Won(None), Won(Some(11))),
        ("B:WK14,K15,K18:BK1", Lost(None), Lost(Some(8))),
        ("W:WK32:BK1", Drawn, Drawn),
        ("W:WK32,K31:BK1,K2", Drawn, Drawn),
    ];
    for (setup, few, many) in rows {
        let value = |path: &Path| Tablebase::value(&tables_in(path), &read(setup));
        let without_length = match many {
            Won(_) => Won(None),
            Lost(_) => Lost(None),
            Drawn => Drawn,
        };
        assert_eq!(value(&exported(4)), Some(without_length), "{setup}");
        assert_eq!(value(&both), Some(few), "{setup}");
        assert_eq!(value(Path::new(&separate)), Some(many), "{setup}");
    }
}

#[test]
fn positions_of_more_pieces_than_the_limit_have_no_value() {
    for folder in [four_pieces(), &exported(4)] {
        for limit in 0..=5 {
            let tables = tables_in(folder).with_limits(1, limit).unwrap();
            for (pieces, setup) in
                [(2, "W:WK32:BK1"), (3, "W:WK14,K15:BK6"), (4, "W:WK14,K15,K18:BK1")]
            {
                let value = Tablebase::value(&tables, &read(setup));
                assert_eq!(value.is_some(), pieces <= limit, "{setup}, {limit}");
            }
        }
    }
}

#[test]
fn several_databases_complement_each_other() {
    let folder = copied(2, "several");
    // Programs for Windows write names in capital letters.
    fs::rename(folder.join("DB2.idx"), folder.join("db2.IDX")).unwrap();
    chinook::write(four_pieces(), &folder.join("DB3"), |[own, other]| own + other == 3);
    chinook::write(four_pieces(), &folder.join("DB4"), |counts| counts == [2, 2]);
    let (databases, refused) = Databases::open(slice::from_ref(&folder)).unwrap();
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(databases.slices_of(2), (64, 64, None));
    assert_eq!(databases.slices_of(3), (240, 240, None));
    assert_eq!(databases.slices_of(4), (225, 577, Some("1300.00".to_string())));
    let tables = tables_in(&folder);
    assert_eq!(tables.value(&read("W:WK32:BK1")), Some(Value::Draw));
    assert!(verify(&folder, own()).unwrap().faults.is_empty());
    // Nothing to check is not right.
    for name in ["db2.IDX", "DB2"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let mut verify = programs::soucie();
    verify.args(["tables", "verify", "--pieces", "2", "--dir"]).arg(&folder);
    let stderr = failure_of(&mut verify);
    assert_eq!(stderr, "soucie: nothing of the databases was compared or checked\n");
}

#[test]
fn unusable_files_are_refused_by_name() {
    let index = |text: &'static str| ("DB2.idx", Some(text));
    let data = |text: &'static str| ("DB2", Some(text));
    let rows = [
        (("DB2", None), "DB2.idx is half of a database: DB2 is missing beside it"),
        (("DB2.idx", None), "DB2 is half of a database: DB2.idx is missing beside it"),
        (index(""), "DB2.idx, line 1: expected 'BASEabcd.rs' and "),
        (index("\u{7f}ELF\u{0}\u{0}"), "DB2.idx, line 1: expected 'BASEabcd.rs' and "),
        (index("BASE1100.00 =\nS 0 0/0\n"), "DB2.idx, line 3: expected '. position block' or "),
        (data(""), "DB2 has 0 bytes, expected "),
        (data("what is this?"), "DB2 has 13 bytes, expected "),
    ];
    for ((name, text), error) in rows {
        let folder = copied(2, "refused");
        let file = folder.join(name);
        match text {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let expected = folder.join(error).display().to_string();
        let refused = verify(&folder, own()).unwrap_err().to_string();
        assert!(refused.starts_with(&expected), "{refused}");
        let refused = FolderTables::open(&folder).err().unwrap().to_string();
        assert!(refused.starts_with(&expected), "{refused}");
        let mut info = programs::soucie();
        let output = run(info.args(["tables", "info", "--dir"]).arg(&folder));
        let stderr = &output.err;
        assert!(stderr.starts_with(&format!("soucie: {expected}")), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        // The advice to build tables would be misleading.
        assert!(!output.succeeded() && output.out.is_empty(), "{output:?}");
    }
    // Bytes after the end belong to other data.
    let folder = copied(2, "longer");
    let length = fs::metadata(folder.join("DB2")).unwrap().len();
    let file = File::options().write(true).open(folder.join("DB2")).unwrap();
    file.set_len(length.next_multiple_of(1024)).unwrap();
    assert!(verify(&folder, own()).is_ok());
    file.set_len(length.next_multiple_of(1024) + 1).unwrap();
    let refused = verify(&folder, own()).unwrap_err().to_string();
    let text = format!(
        "has 1025 bytes, expected {length} as in its index, or 1024 with its last block filled up"
    );
    assert!(refused.ends_with(&text), "{refused}");
}

/// A database as it is damaged.
struct Damaged {
    index: String,
    data: Vec<u8>,
}

impl Damaged {
    /// The line of a random subslice.
    fn line(&self, rng: &mut SmallRng) -> usize {
        let begins: Vec<usize> = self.index.match_indices("BASE").map(|(at, _)| at).collect();
        begins[rng.random_range(0..begins.len())]
    }

    /// Changes the value that a subslice leaves out, or that all its positions have.
    fn change_sign(&mut self, rng: &mut SmallRng) {
        let at = self.line(rng);
        let end = at + self.index[at..].find('\n').unwrap();
        let (name, signs) = self.index[at..end].split_once(' ').unwrap();
        let others: String = "=+-".chars().filter(|&sign| !signs.contains(sign)).collect();
        let sign = &others[rng.random_range(0..2)..][..1];
        let changed = format!("{name} {}", sign.repeat(signs.len()));
        self.index.replace_range(at..end, &changed);
    }

    fn change_digit(&mut self, rng: &mut SmallRng) {
        let digits = self.index.match_indices(|c: char| c.is_ascii_digit());
        let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
        let at = digits[rng.random_range(0..digits.len())];
        self.index.replace_range(at..=at, &rng.random_range(0..10).to_string());
    }

    /// Changes a byte of the data. Half of them keep the number of positions.
    fn change_byte(&mut self, rng: &mut SmallRng) {
        let at = rng.random_range(0..self.data.len());
        let byte = rng.random_range(1..=255);
        let is_literal = self.data[at] < 243 && rng.random();
        self.data[at] = match is_literal {
            true => (u16::from(self.data[at]) + u16::from(byte)).rem_euclid(243) as u8,
            false => self.data[at].wrapping_add(byte),
        };
    }

    /// Cuts off the index or the data.
    fn cut(&mut self, rng: &mut SmallRng) {
        if rng.random() {
            self.index.truncate(rng.random_range(0..self.index.len()));
        } else {
            self.data.truncate(rng.random_range(0..self.data.len()));
        }
    }

    /// Swaps the names of two subslices, of the same number of positions if there are such ones.
    fn swap(&mut self, rng: &mut SmallRng) {
        let one = self.line(rng);
        let rest = |at: usize| self.index[at + 11..].split("BASE").next().unwrap().to_string();
        let count = |at: usize| {
            let text = rest(at);
            text.lines()
                .last()
                .filter(|line| line.starts_with('E'))
                .map(|line| line[1..8].to_string())
        };
        let others = (0..2_000).map(|_| self.line(rng)).filter(|&at| at != one);
        let others: Vec<usize> = others.collect();
        let same = others.iter().find(|&&at| count(at) == count(one) && rest(at) != rest(one));
        let other = *same.unwrap_or(&others[0]);
        let name = |at: usize| self.index[at..at + 11].to_string();
        let (first, second) = (name(one), name(other));
        self.index.replace_range(one..one + 11, &second);
        self.index.replace_range(other..other + 11, &first);
    }
}

/// Damages a database `count` times in each way. It is refused by name, or has no wrong value.
fn damage(pieces: usize, count: usize) {
    type Damage = fn(&mut Damaged, &mut SmallRng);
    let ways: [(&str, Damage); 5] = [
        ("a digit", Damaged::change_digit),
        ("a sign", Damaged::change_sign),
        ("a byte", Damaged::change_byte),
        ("cut", Damaged::cut),
        ("swapped", Damaged::swap),
    ];
    let folder = copied(pieces, &format!("damaged {pieces}"));
    let data_path = folder.join(format!("DB{pieces}"));
    let index_path = folder.join(format!("DB{pieces}.idx"));
    let (index, data) = (fs::read_to_string(&index_path).unwrap(), fs::read(&data_path).unwrap());
    let mut rng = SmallRng::seed_from_u64(3);
    for (way, damage) in ways {
        let mut refused = 0;
        for _ in 0..count {
            let mut damaged = Damaged { index: index.clone(), data: data.clone() };
            damage(&mut damaged, &mut rng);
            fs::write(&index_path, &damaged.index).unwrap();
            fs::write(&data_path, &damaged.data).unwrap();
            match FolderTables::open(&folder) {
                Err(error) => {
                    let name = data_path.display().to_string();
                    assert!(error.to_string().starts_with(&name), "{way}: {error}");
                    refused += 1;
                }
                Ok(_) => {
                    let check = verify(&folder, own()).unwrap();
                    assert!(check.faults.is_empty(), "{way}: {check:?}");
                }
            }
        }
        eprintln!("{pieces} pieces, {way}: {refused} of {count} refused");
        assert!(refused > count / 2, "{way}: {refused} of {count}");
    }
}

/// A damaged database gives no wrong value: it is not used, or only values that are never looked up have
/// changed. `SOUCIE_DAMAGED=40` damages two hundred of each size.
#[test]
fn damaged_databases_give_no_wrong_value() {
    let count = |few| env::var("SOUCIE_DAMAGED").map_or(few, |text| text.parse().unwrap());
    damage(3, count(8));
    damage(4, count(3));
}

/// No changed character of a name or sign is believed: it is refused, or the values are as they were.
#[test]
fn no_changed_character_of_an_index_is_believed() {
    let mut rng = SmallRng::seed_from_u64(6);
    // How many of the changes of a name and of a sign are tried: one of so many.
    for (pieces, of_names, of_signs) in [(3, 9, 1), (4, 180, 60)] {
        let folder = copied(pieces, &format!("changed {pieces}"));
        let path = folder.join(format!("DB{pieces}.idx"));
        let index = fs::read_to_string(&path).unwrap();
        let heads = index.match_indices("BASE").map(|(at, _)| at);
        let places = heads.flat_map(|at| at..at + index[at..].find('\n').unwrap());
        let (mut tried, mut refused) = (0, 0);
        for at in places {
            let old = index[at..].chars().next().unwrap();
            let (signs, one_of) = match old {
                '0'..='9' => ("0123456789", of_names),
                '=' | '+' | '-' => ("=+-", of_signs),
                _ => ("0=?", of_names),
            };
            for sign in signs.chars().filter(|&sign| sign != old) {
                if !rng.random_ratio(1, one_of) {
                    continue;
                }
                let mut changed = index.clone();
                changed.replace_range(at..=at, &sign.to_string());
                fs::write(&path, changed).unwrap();
                tried += 1;
                match FolderTables::open(&folder) {
                    Err(_) => refused += 1,
                    Ok(_) => {
                        let check = verify(&folder, own()).unwrap();
                        let place = &index[at - at.min(12)..=at];
                        assert!(check.faults.is_empty(), "{place} to {sign}: {check:?}");
                    }
                }
            }
        }
        assert!(tried > 300 && refused > tried * 9 / 10, "{pieces}: {refused} of {tried} refused");
    }
}

/// Databases of more pieces than have known values are checked against themselves: here all positions of
/// 3 against 2 pieces are draws.
#[test]
fn inconsistent_databases_are_refused() {
    let folder = copied(4, "all drawn");
    let database = folder.join("DB5");
    let ranks = |men| 0..if men > 0 { 7 } else { 1 };
    let mut index = String::new();
    for (own, other) in [(3, 2), (2, 3)] {
        for (men, other_men) in (0..=own).flat_map(|men| (0..=other).map(move |other| (men, other)))
        {
            for (rank, other_rank) in
                ranks(men).flat_map(|rank| ranks(other_men).map(move |other| (rank, other)))
            {
                let (kings, other_kings) = (own - men, other - other_men);
                index +=
                    &format!("BASE{kings}{other_kings}{men}{other_men}.{rank}{other_rank} ==\n");
            }
        }
    }
    fs::write(&database, "").unwrap();
    fs::write(folder.join("DB5.idx"), index).unwrap();
    let (tables, refused) = FolderTables::open(&folder).unwrap();
    let [error] = &refused[..] else { panic!("{refused:?}") };
    let error = error.to_string();
    assert!(error.starts_with(&format!("{}, BASE", database.display())), "{error}");
    assert!(error.contains(" from its successors, found drawn"), "{error}");
    assert_eq!(tables.value(&read("W:WK32:BK1")), Some(Value::Draw));
}

/// The user has not asked for the tables of the default folder, but is told that they are not used.
#[test]
fn the_engine_reports_unusable_databases_of_the_default_folder() {
    let home = empty_folder("databases/home");
    let folder = home.join("tables");
    for (is_damaged, others) in [(false, 0), (true, 0), (true, 3)] {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        if is_damaged {
            copy_tables(&exported(2), &folder, |_| true);
            fs::write(folder.join("DB2"), "").unwrap();
        }
        if others > 0 {
            copy_tables(&exported(others), &folder, |_| true);
        }
        let mut engine = programs::soucie();
        let stderr = run(engine.env("SOUCIE_HOME", &home).stdin(Stdio::null())).err;
        let name = format!("{} has 0 bytes, expected ", folder.join("DB2").display());
        assert_eq!(stderr.contains(&name), is_damaged, "{others} others: {stderr}");
        assert_eq!(stderr.lines().count(), usize::from(is_damaged), "{stderr}");
    }
}

/// Each command names what it does not use. Proofs may rest only on folders all of whose tables are right.
#[test]
fn every_command_names_unusable_databases_and_folders() {
    let wrong = copied(2, "wrong");
    let index = fs::read_to_string(wrong.join("DB2.idx")).unwrap();
    fs::write(wrong.join("DB2.idx"), index.replacen("BASE1100.00 =", "BASE1100.00 +", 1)).unwrap();
    let cut = copied(2, "cut off");
    let length = fs::metadata(cut.join("DB2")).unwrap().len();
    File::options().write(true).open(cut.join("DB2")).unwrap().set_len(100).unwrap();
    let (missing, empty) = (cut.join("missing"), empty_folder("databases/empty"));
    // As CheckerBoard comes with them.
    let foreign = empty_folder("databases/foreign");
    for name in ["db2.idx", "db2.cpr", "db3.idx", "db3.cpr"] {
        fs::write(foreign.join(name), "BASE").unwrap();
    }
    let rows = [
        (&wrong, format!("{}/DB2, BASE1100.00: not the known values of these", wrong.display())),
        (&cut, format!("{}/DB2 has 100 bytes, expected {length} as in its index", cut.display())),
        (&missing, format!("{}: ", missing.display())),
        (&foreign, format!("{} has databases of another program", foreign.display())),
        (
            &empty,
            format!("no complete set of endgame tables and no database in {}", empty.display()),
        ),
    ];
    let game = empty.with_extension("txt");
    fs::write(&game, "startpos").unwrap();
    let game = game.to_str().unwrap();
    for (folder, expected) in rows {
        let paths = env::join_paths([exported(3), folder.into(), four_pieces().into()]).unwrap();
        let (_, refused) = FolderTables::open(Path::new(&paths)).unwrap();
        let [error] = &refused[..] else { panic!("{folder:?}: {refused:?}") };
        assert!(error.to_string().starts_with(&expected), "{error}");
        let error = FolderTables::open(folder).err().unwrap().to_string();
        assert!(error.starts_with(&expected), "{error}");
        let paths = paths.to_str().unwrap();
        let option = format!("TablePath={paths}");
        let setup = ["--fen", "W:WK14,K15,K18:BK1", "--tables", paths];
        let analyse =
            ["analyse", "--variant", "draughts", game, "--nodes", "9", "--option", &option];
        for (arguments, is_refused) in [
            ([&["prove"][..], &setup].concat(), true),
            ([&["problem", "check", "--nodes", "100"][..], &setup].concat(), true),
            (analyse.to_vec(), false),
        ] {
            let output = run(programs::soucie().args(&arguments));
            assert!(output.err.contains(&expected), "{arguments:?}: {}", output.err);
            assert_eq!(output.succeeded(), !is_refused, "{arguments:?}: {}", output.err);
        }
    }
}

/// A block that is damaged later, while the program uses the database, ends its use.
#[test]
fn damage_after_opening_leaves_positions_without_values() {
    let folder = copied(2, "cut");
    let tables = tables_in(&folder);
    fs::write(folder.join("DB2"), "").unwrap();
    assert_eq!(tables.value(&read("W:WK32:BK1")), None);
    fs::copy(exported(2).join("DB2"), folder.join("DB2")).unwrap();
    assert_eq!(tables.value(&read("W:WK32:BK1")), None, "not used any more");
    assert_eq!(tables_in(&folder).value(&read("W:WK32:BK1")), Some(Value::Draw));
}

/// A problem has the same verdict by databases as by own tables, and its proofs name the databases by a
/// checksum, with which they are verified.
#[test]
fn proofs_rest_on_databases() {
    let both = env::join_paths([exported(4), four_pieces().into()]).unwrap();
    let folder = exported(4);
    let check = |tables: &Path, out: &Path| {
        let mut check = programs::soucie();
        check.args(["problem", "check", "--fen", "W:W10,12,24,K27:B3,7,26,K30", "--json"]);
        check.args(["--nodes", "3000", "--tables"]).arg(tables).arg("--out").arg(out);
        serde_json::from_str::<serde_json::Value>(&output_of(&mut check)).unwrap()
    };
    let verify = |proof: &Path, tables: &Path| {
        let mut verify = programs::soucie();
        verify.arg("verify").arg(proof).arg("--tables").arg(tables);
        verify
    };
    let (both, own) = (Path::new(&both), four_pieces());
    let with_more = env::join_paths([exported(2), exported(3), folder.clone()]).unwrap();
    let with_more = Path::new(&with_more);
    let key = |report: &serde_json::Value| {
        let moves = report["moves"].as_array().unwrap();
        moves.iter().find(|report| report["move"] == "24-20").unwrap().clone()
    };
    let rows: [(&Path, &str, &[&Path], &[&Path]); 3] = [
        // The tables, how they are named, where they are too, and where they are not: even tables with the
        // same values are others.
        (&folder, "tables databases 4 pieces sha256 ", &[both, with_more], &[own]),
        (own, "tables 4 pieces crc32 ", &[both], &[&folder]),
        (both, ", databases 4 pieces sha256 ", &[], &[own, &folder]),
    ];
    for (tables, named, places, others) in rows {
        let out =
            programs::empty_folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join("database-proofs"));
        let found = key(&check(tables, &out));
        assert_eq!((&found["result"], &found["uses_tables"]), (&"keeps".into(), &true.into()));
        let proof = out.join(found["proof"].as_str().unwrap());
        let text = fs::read_to_string(&proof).unwrap();
        assert!(text.contains(named), "{named}");
        for place in [&[tables], places].concat() {
            assert!(output_of(&mut verify(&proof, place)).starts_with("verified: "));
        }
        for other in others {
            let error = failure_of(&mut verify(&proof, other));
            assert!(error.contains("the proof needs the endgame tables "), "{error}");
        }
    }
}

/// Of more tables only those that are named are used.
#[test]
fn named_tables_are_found_among_more() {
    let few = empty_folder("databases/three pieces");
    copy_tables(four_pieces(), &few, |pieces| pieces < 4);
    let path = |folders: &[&Path]| PathBuf::from(env::join_paths(folders).unwrap());
    let (two, three, four) = (exported(2), exported(3), exported(4));
    let all = tables_in(&path(&[&two, &three, &four, four_pieces()]));
    let some = [
        path(&[&few]),
        path(&[four_pieces()]),
        path(&[&two]),
        path(&[&four]),
        path(&[&two, &four]),
        path(&[&three, &few]),
    ];
    for path in some {
        let tables = tables_in(&path);
        let named = all.named(&tables.identity().unwrap()).unwrap();
        assert_eq!(named.identity(), tables.identity());
        for setup in ["W:WK14,K15:BK6", "W:WK14,K15,K18:BK1", "W:WK32:BK1", "W:WK32,K31:BK1,K2"] {
            let value = |tables| Tablebase::value(tables, &read(setup));
            assert_eq!(value(&named), value(&tables), "{path:?}: {setup}");
        }
        assert!(tables.named(&all.identity().unwrap()).is_none(), "{path:?}");
    }
    for name in ["", "databases ", "0 pieces crc32 00000000", ", ", "4 pieces crc32 00000000"] {
        assert!(all.named(name).is_none(), "{name}");
    }
}
