//! Files in the formats of the engine, and endgame databases in the format of Chinook. Checksums are
//! corrected first, because no fuzzer finds them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use soucie::book::Book;
use soucie::game::{Game, Notation, legal_moves};
use soucie::games::Tablebases;
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tablebase::{self, DatabaseCheck, Databases, FolderTables, OwnTables};
use soucie::games::loa::Loa;
use soucie::nnue::{AccumulatorStack, Network, NetworkError};
use soucie::proofs::file::Proof;
use soucie::proofs::verify;
use soucie_lab::engine_match::{self, settings::MatchSettings};
use soucie_lab::samples::{BLOCK, Block, Reader, write_game, write_header};
use tempfile::TempDir;

use super::settings;

/// Writes the CRC-32 of all bytes before the last four there.
fn seal(bytes: &mut [u8]) {
    if let Some((body, checksum)) = bytes.split_last_chunk_mut() {
        *checksum = crc32fast::hash(body).to_le_bytes();
    }
}

/// The start positions and those of the benchmark.
fn positions<P: Game>() -> impl Iterator<Item = P> {
    let setups =
        P::VARIANTS.iter().flat_map(|variant| [&variant.start].into_iter().chain(variant.bench));
    setups.map(|setup| P::read_setup(setup, P::Rules::default()).unwrap())
}

/// An opening book: it is written as it was read, and its moves are legal.
pub fn book(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    seal(&mut bytes);
    let Ok(book) = Book::read(&bytes) else { return };
    assert_eq!(Book::read(&book.write()).as_ref(), Ok(&book));
    moves_are_legal::<Loa>(&book);
    moves_are_legal::<Draughts>(&book);
}

fn moves_are_legal<P: Game>(book: &Book) {
    for position in positions::<P>() {
        let legal = legal_moves(&position);
        assert!(book.moves(&position).iter().all(|mv| legal.contains(mv)));
    }
}

/// A network: it is written as it was read, and its evaluations stay within their bounds. What follows
/// the header is repeated up to the size that this demands, with high bytes that leave most weights
/// small.
pub fn network(bytes: &[u8]) {
    const HEADER: usize = 92;
    const LARGEST: usize = 1 << 20;
    let mut bytes = bytes.to_vec();
    if let Err(NetworkError::Length { found: HEADER.., wanted }) = Network::read(&bytes)
        && wanted <= LARGEST
    {
        let weights = bytes.split_off(HEADER);
        let all = weights.into_iter().cycle().take(wanted - HEADER).enumerate();
        let is_high = |at| at > (wanted - HEADER) / 2;
        bytes.extend(all.map(|(at, byte)| if is_high(at) { byte / u8::MAX } else { byte }));
    }
    seal(&mut bytes);
    let Ok(network) = Network::read(&bytes) else { return };
    assert!(Network::read(&network.write()).as_ref() == Ok(&network));
    evaluate::<Loa>(&network);
    evaluate::<Draughts>(&network);
}

fn evaluate<P: Game>(network: &Network) {
    if network.suits::<P>().is_err() {
        return;
    }
    for position in positions::<P>() {
        let evaluation = AccumulatorStack::new::<P>(network, 1).evaluate(&position, 0);
        let portable = AccumulatorStack::portable::<P>(network, 1).evaluate(&position, 0);
        assert_eq!(evaluation, portable);
        assert!(evaluation.abs() <= soucie::nnue::BOUND);
    }
}

/// Training samples: they are written as they were read.
pub fn samples(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    bytes.chunks_mut(BLOCK).for_each(seal);
    let blocks = |bytes: &[u8]| -> Option<Vec<Block>> {
        Reader::new(bytes, Path::new("samples")).collect::<Result<_, _>>().ok()
    };
    let Some(read) = blocks(&bytes) else { return };
    let (mut written, mut game) = (Vec::new(), Vec::new());
    for block in &read {
        match block {
            Block::Header(header) => write_header(header, &mut written).unwrap(),
            Block::Sample(sample) => game.push(*sample),
            Block::End(end) => write_game(&std::mem::take(&mut game), end, &mut written).unwrap(),
        }
    }
    assert_eq!(blocks(&written), Some(read));
}

/// A proof: it is written as it was read, and verified.
pub fn proof(bytes: &[u8]) {
    let Ok(proof) = Proof::read(bytes) else { return };
    let mut written = Vec::new();
    proof.write(&mut written).unwrap();
    let again = Proof::read(written.as_slice()).unwrap();
    assert_eq!(again, proof);
    let _ = verify::verify(&proof, &Tablebases::default());
}

/// The lines of a journal of a match.
pub fn journal(bytes: &[u8]) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, bytes).unwrap();
    for options in [&[][..], &["--json"]] {
        let arguments = [&["merge", path.to_str().unwrap()], options].concat();
        let settings: MatchSettings = settings(&arguments).unwrap();
        let _ = engine_match::run(&settings, &mut Vec::new(), &mut Vec::new());
    }
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// Right tables of two pieces, their folder, and the paths and contents of their files.
struct TwoPieces {
    folder: TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
    tables: OwnTables,
}

fn two_pieces() -> &'static TwoPieces {
    static TABLES: OnceLock<TwoPieces> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        tablebase::build(folder.path(), 2, 1, 1 << 30, &|_| ()).unwrap();
        let paths = tablebase::table_files(folder.path()).filter(|path| path.exists());
        let files = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        let tables = OwnTables::open(folder.path()).unwrap();
        TwoPieces { folder, files, tables }
    })
}

/// The positions of two pieces, each side with one.
fn endings() -> impl Iterator<Item = Draughts> {
    let kinds = ["", "K"];
    let pieces = kinds.into_iter().flat_map(move |own| kinds.map(move |other| [own, other]));
    let squares = (1..=32).flat_map(|own| (1..=32).step_by(7).map(move |other| [own, other]));
    let setups = squares.flat_map(move |[white, black]| {
        pieces.clone().map(move |[own, other]| format!("W:W{own}{white}:B{other}{black}"))
    });
    setups.filter_map(|setup| Draughts::read_setup(&setup, Default::default()).ok())
}

/// One of the tables of two pieces: if it passes the verification, its values are right.
pub fn tables(bytes: &[u8]) {
    let TwoPieces { folder, files, tables: right } = two_pieces();
    let Some((&number, bytes)) = bytes.split_first() else { return };
    let (path, genuine) = &files[usize::from(number) % files.len()];
    let mut bytes = bytes.to_vec();
    if let Some((head, body)) = bytes.split_at_mut_checked(16) {
        head[12..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    }
    fs::write(path, &bytes).unwrap();
    let read = OwnTables::open(folder.path()).unwrap();
    let verified = tablebase::verify(folder.path(), Some(2), 1, &|_| ());
    fs::write(path, genuine).unwrap();
    let is_right = matches!(verified, Ok(None));
    for position in endings() {
        let [found, expected] = [&read, right].map(|t| (t.value(&position), t.distance(&position)));
        assert!(!is_right || found == expected, "{}", position.write_setup());
    }
    let _ = read.counts(2);
}

/// A file of tables for memory.
pub fn tables_in_memory(bytes: &[u8]) {
    let _ = Tablebases::read(bytes.to_vec());
}

/// A database in the format of Chinook: its index, a byte 0 and its data. If it passes the verification,
/// its values are right.
pub fn chinook(bytes: &[u8]) {
    let at = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (index, data) = bytes.split_at(at);
    let folder = TempDir::new().unwrap();
    let file = |name| folder.path().join(name);
    fs::write(file("DB2.idx"), index).unwrap();
    fs::write(file("DB2"), data.get(1..).unwrap_or_default()).unwrap();
    let right = &two_pieces().tables;
    let (databases, _) = Databases::open(&[folder.path().into()]).unwrap();
    let verified = databases.verify(right, 3, false, 1, &|_| ());
    let is_right = |check: &DatabaseCheck| check.faults.is_empty();
    let is_right = verified.as_ref().is_ok_and(is_right);
    let Ok((read, _)) = FolderTables::open(folder.path()) else { return };
    for position in endings() {
        let found = read.value(&position);
        let is_known = found.is_none() || found == right.value(&position);
        assert!(!is_right || is_known, "{}", position.write_setup());
    }
}
