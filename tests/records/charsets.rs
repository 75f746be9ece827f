//! Records of SGF in the charsets that they declare.

use super::*;
use soucie::records::items::{TextItem, items};

/// A charset, the bytes of a text in it, and the text. Many have bytes of brackets and backslashes.
const CHARSETS: [(&str, &[u8], &str); 16] = [
    ("Shift_JIS", b"\x95\x5c\x83]\x83\x5c", "表ゾソ"),
    ("GB18030", b"\xd5\x5c\x81]\xfe\x5c", "誠乚㘎"),
    ("GBK", b"\x81\x5c\x81]", "乗乚"),
    ("Big5", b"\xa5\x5c\xa4]", "功也"),
    ("EUC-JP", b"\xbe\xad\xb4\xfd", "将棋"),
    ("EUC-KR", b"\xc7\xd1\xb1\xb9", "한국"),
    ("ISO-2022-JP", b"\x1b$B$\x5c$]\x1b(B", "ぼぽ"),
    ("KOI8-R", b"\xe6\xa3\xc4\xcf\xd2", "Фёдор"),
    ("windows-1251", b"\xd4\xb8\xe4\xee\xf0", "Фёдор"),
    ("windows-1252", b"O\x92Brien", "O’Brien"),
    ("ISO-8859-1", b"Caf\xe9", "Café"),
    ("ISO-8859-2", b"\xa3\xf3d\xbc", "Łódź"),
    ("ISO-8859-15", b"\xbcuvre", "Œuvre"),
    ("windows-1253", b"\xc1\xe8\xde\xed\xe1", "Αθήνα"),
    ("macintosh", b"Caf\x8e", "Café"),
    ("UTF-8", b"\xe8\xa1\xa8\xe3\x82\xbe \xc3\xa9", "表ゾ é"),
];

fn read_bytes(bytes: &[u8]) -> Vec<Result<Record, RecordError>> {
    RecordReader::new(bytes).collect()
}

/// A game whose texts are these bytes. `{}` stands for them.
fn game(text: &str, bytes: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = text.split("{}").map(str::as_bytes).collect();
    parts.join(bytes)
}

#[test]
fn sgf_is_read_in_the_charset_that_it_declares() {
    let mut all = Vec::new();
    for (charset, bytes, text) in CHARSETS {
        for head in [
            format!("(;CA[{charset}]GM[9]PB[{{}}]C[{{}}]"),
            format!("(;GM[9]PB[{{}}]C[{{}}] CA [ {charset} ]"),
            format!("(;GM[9]GC[CA[x\\]]PB[{{}}]CA[{}]C[{{}}]", charset.to_ascii_lowercase()),
        ] {
            let head = head + "PW[Ben];B[d1-b3]C[{}];W[h4-f2]C[\\]{}\\\\](;B[c1-c3])(;B[b1-b4]))\n";
            let whole = game(&head, bytes);
            let games = read_bytes(&whole);
            assert_eq!(games.len(), 1, "{charset}");
            let record = games[0].as_ref().unwrap();
            assert_eq!(record.fault(), None, "{charset}");
            let names = [HeaderField::Black, HeaderField::White].map(|field| record.info(field));
            assert_eq!(names, [text, "Ben"].map(|name| Some(name.to_string())), "{charset}");
            assert_eq!(moves(record), "d1-b3 h4-f2 c1-c3", "{charset}");
            let comments = [0, 1, 2].map(|ply| record.comment(ply));
            assert_eq!(comments, [text.to_string(), text.to_string(), format!("]{text}\\")]);
            let written = round_trip(record);
            assert!(written.contains("CA[UTF-8]") && written.contains(text), "{written}");
            all.extend(whole);
        }
    }
    // Each game has a charset of its own.
    assert_eq!(read_bytes(&all).into_iter().filter(Result::is_ok).count(), 3 * CHARSETS.len());
}

#[test]
fn errors_are_at_characters_of_the_charset() {
    for (charset, bytes, text) in CHARSETS {
        let read = read_bytes(&game(&format!("(;CA[{charset}]C[{{}}];B[d1-b3];W[x])"), bytes));
        let column = format!("(;CA[{charset}]C[{text}];B[d1-b3];W[").chars().count() + 1;
        let error = format!("line 1, column {column}: expected a move, found 'x'");
        assert_eq!(fault(&read[0]), Some(error), "{charset}");
    }
}

#[test]
fn charsets_are_named_as_programs_name_them() {
    for (charset, bytes, text) in [
        ("cp932", &b"\x95\x5c"[..], "表"),
        ("CP932", b"\x95\x5c", "表"),
        ("sjis", b"\x95\x5c", "表"),
        ("Shift-JIS", b"\x95\x5c", "表"),
        ("SHIFT\\_JIS", b"\x95\x5c", "表"),
        ("cp936", b"\x81\x5c", "乗"),
        ("cp949", b"\xc7\xd1", "한"),
        ("cp950", b"\xa5\x5c", "功"),
        (" big5 ", b"\xa5\x5c", "功"),
        ("gb\\-18030", b"\x81\x5c", "乗"),
        ("koi8_r", b"\xe6", "Ф"),
        ("cp1251", b"\xd4", "Ф"),
        ("iso 8859-1", b"\xe9", "é"),
        ("latin1", b"\xe9", "é"),
        ("utf8", b"\xc3\xa9", "é"),
        ("UTF_8", b"\xc3\xa9", "é"),
        ("utf 8", b"\xc3\xa9", "é"),
    ] {
        let games = read_bytes(&game(&format!("(;GM[9]CA[{charset}]PB[{{}}];B[d1-b3])"), bytes));
        let record = games[0].as_ref().unwrap();
        let name = record.info(HeaderField::Black);
        assert_eq!((name.as_deref(), record.fault()), (Some(text), None), "{charset}");
        assert_eq!(moves(record), "d1-b3", "{charset}");
    }
}

/// What is in a file before a game whose bytes have brackets of its charset: the items of both.
#[test]
fn a_game_is_read_in_its_charset_wherever_it_stands() {
    let game = b"(;CA[Shift_JIS]GM[9]PB[\x83]\x95\x5c]C[\x83\x5b)];B[d1-b3];W[h4-f2])\n";
    for (before, items_before) in [
        (&b""[..], 0),
        (b"\n\n", 0),
        (b"# mine\n", 0),
        (b"\xa0", 0),
        (b"\xc2\xa0\n", 0),
        (b"A game from the club:\n\n", 0),
        (b"Ein Spiel f\xfcr dich:\n", 0),
        (b"8/8/3l4/8/8/3L4/8/8 b\n", 1),
        (b"8/8/3l4/8/8/3L4/8/8 b\n\n# mine\n", 1),
        (b"startpos moves d1b3\n\xa0", 1),
        (b"(;GM[9])\n", 1),
        (b"(;GM[9];B[c1-c3])", 1),
        (b"(;CA[GB18030]GM[9]PB[\x81\x5d\xd5\x5c];B[c1-c3])\n\n", 1),
        (b"(;CA[UTF-8]GM[9]PB[\xe8\xa1\xa8];B[c1-c3])\n", 1),
        (b"(;CA[ISO-8859-1]GM[9]PB[\xe9];B[c1-c3])\n(;GM[9]C[(;-)];B[c1-c3])\n", 2),
    ] {
        let text = [before, game, game].concat();
        for size in [64, 1 << 16] {
            let input = std::io::BufReader::with_capacity(size, std::io::Cursor::new(text.clone()));
            let found: Vec<_> = items(input, None).unwrap().skip(items_before).collect();
            assert_eq!(found.len(), 2, "{}", String::from_utf8_lossy(before));
            for item in found {
                let TextItem::Game(record) = item else { panic!("{}", text.escape_ascii()) };
                assert_eq!(record.fault(), None, "{}", text.escape_ascii());
                assert_eq!(record.info(HeaderField::Black).as_deref(), Some("ゾ表"));
                assert_eq!(moves(&record), "d1-b3 h4-f2");
            }
        }
    }
}

/// Bytes that are not in the charset which a text declares, or in none.
#[test]
fn other_bytes_than_those_of_the_charset_are_named() {
    let note = "read as windows-1252: no charset is declared";
    for (text, name, fault, assumed) in [
        (
            &b"(;GM[9]CA[UTF-8]PB[O\x92Brien];B[d1-b3])"[..],
            "O’Brien",
            "line 1, column 21: expected text in UTF-8, the declared charset",
            "",
        ),
        (
            b"(;GM[9]CA[Shift_JIS]PB[a\x81\x20];B[d1-b3])",
            "a\u{fffd}",
            "line 1, column 25: expected text in Shift_JIS, the declared charset",
            "",
        ),
        (
            b"\xef\xbb\xbf(;GM[9]PB[O\x92Brien];B[d1-b3])",
            "O’Brien",
            "line 1, column 12: expected text in UTF-8, the declared charset",
            "",
        ),
        (b"(;GM[9]PB[O\x92Brien];B[d1-b3])", "O’Brien", "", "line 1, column 12"),
        (b"(;GM[9]\nPB[\x80\x81];B[d1-b3])", "€\u{81}", "", "line 2, column 4"),
        (b"[Black \"Andr\xe9\"]\n1. 11-15 *", "André", "", "line 1, column 13"),
        (b"[Black \"Andr\xc3\xa9\"]\n1. 11-15 {\xe9} *", "André", "", "line 2, column 11"),
        // A byte order mark shows the charset, whatever a game declares.
        (b"\xef\xbb\xbf(;GM[9]CA[Shift_JIS]PB[\xe8\xa1\xa8];B[d1-b3])", "表", "", ""),
    ] {
        // A second game with such bytes needs no other note.
        let twice = [text, b"\n", text].concat();
        for (number, game) in read_bytes(&twice).into_iter().enumerate() {
            let record = game.unwrap();
            assert_eq!(record.moves().count(), 1, "{}", text.escape_ascii());
            assert_eq!(record.info(HeaderField::Black).as_deref(), Some(name));
            let assumed = if assumed.is_empty() || number > 0 {
                None
            } else {
                Some(format!("{assumed}: {note}"))
            };
            assert_eq!(record.note(), assumed.as_deref(), "{}", text.escape_ascii());
            if number == 0 {
                assert_eq!(record.fault().unwrap_or_default(), fault, "{}", text.escape_ascii());
            }
            round_trip(&record);
        }
    }
}

/// Text in other formats is named, also behind a byte order mark.
#[test]
fn other_formats_are_named() {
    for (text, name) in [
        (&b"{\\rtf1\\ansi 1. 11-15}"[..], "RTF"),
        (b"\xef\xbb\xbf{\\rtf1\\ansi 1. 11-15}", "RTF"),
        (b"\xff\xfe(\0;\0G\0M\0[\09\0]\0)\0", "UTF-16"),
        (b"\xfe\xff\0(\0;\0G\0M\0[\09\0]\0)", "UTF-16"),
        (b"\xef\xbb\xbf{\"setup\": 1}", "JSON"),
    ] {
        let errors: Vec<_> = read_bytes(text).into_iter().map(|game| game.unwrap_err()).collect();
        assert_eq!(errors.len(), 1, "{name}");
        assert!(errors[0].to_string().starts_with(&format!("line 1: this is {name}")));
    }
    // A comment is no object.
    assert_eq!(summary("{\"A\" of 1890: a study} 1. 11-15 *"), ["11-15"]);
    assert_eq!(summary("{} 1. 11-15 *"), ["11-15"]);
}

#[test]
fn an_unknown_charset_is_an_error() {
    for charset in ["klingon", "UTF-16", "UTF-16LE", "hz-gb-2312", "cp437", "é"] {
        let text = format!("(;GM[9]CA[{charset}];B[d1-b3])(;GM[9];B[c1-c3])");
        let error = format!(
            "line 1, column 11: CA: unknown charset '{charset}': save the file as UTF-8, or name a \
             charset such as GB18030 or Shift_JIS"
        );
        assert_eq!(summary(&text), [error.as_str(), "c1-c3"]);
    }
    for charset in ["", "?"] {
        assert_eq!(summary(&format!("(;GM[9]CA[{charset}];B[d1-b3])")), ["d1-b3"]);
    }
    let late = "(;GM[9];CA[Big5]B[d1-b3];W[h4-f2])";
    let error = "line 1, column 12: CA: expected the charset in the first node, found 'Big5'";
    assert_eq!(summary(late), [error]);
}

#[test]
fn a_decoded_text_is_read_whatever_it_declares() {
    for charset in ["Shift_JIS", "klingon"] {
        let text = format!("(;GM[9]CA[{charset}]C[表\\]];B[d1-b3])");
        let record = RecordReader::new(text.as_bytes()).decoded().next().unwrap().unwrap();
        assert_eq!((record.comment(0).as_str(), moves(&record).as_str()), ("表]", "d1-b3"));
        assert!(record.to_string().contains("CA[UTF-8]"));
    }
}

#[test]
fn what_is_not_ascii_is_written_with_its_charset() {
    let mut record = one("(;GM[9];B[d1-b3])");
    assert_eq!(record.to_string(), "(;GM[9];B[d1-b3])\n");
    record.add_comment(1, "é");
    assert_eq!(round_trip(&record), "(;GM[9]CA[UTF-8];B[d1-b3]C[é])\n");
    assert_eq!(round_trip(&one("(;GM[9]PB[é])")), "(;GM[9]PB[é]CA[UTF-8])\n");
}
