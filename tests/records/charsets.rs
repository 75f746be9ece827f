//! Records of SGF in the charsets that they declare.

use super::*;

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
fn an_unknown_charset_is_an_error() {
    for charset in ["klingon", "UTF-16", "UTF-16LE", "hz-gb-2312", "cp437", "é"] {
        let text = format!("(;GM[9]CA[{charset}];B[d1-b3])(;GM[9];B[c1-c3])");
        let error = format!(
            "line 1, column 11: CA: expected a charset such as UTF-8, GB18030 or Shift_JIS, found \
             '{charset}'"
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
