//! Records with any headers, nested variations and annotations are read as they were written.

use proptest::collection::vec;
use proptest::sample::Index;
use soucie::game::{GameLines, Variation};
use soucie::records::{Annotation, RecordMove};

use super::*;

/// The headers that have fields of their own, except the rules.
const FIELDS: [HeaderField; 6] = [
    HeaderField::Event,
    HeaderField::Site,
    HeaderField::Date,
    HeaderField::Round,
    HeaderField::Black,
    HeaderField::White,
];

/// The line that a variation leaves, the ply, and its moves.
type Choice = (Index, Index, Vec<Index>);

/// Variations of legal moves of a record, and the length of each line in plies.
fn variations<P: Game>(
    record: &Record,
    choices: &[Choice],
) -> (Vec<Variation<(Side, String)>>, Vec<usize>) {
    let positions = replay::<P>(record, P::Rules::default()).unwrap();
    let mut lengths = vec![positions.len() - 1];
    let mut lines = GameLines::new(positions.into_iter());
    let mut variations = Vec::new();
    for (line, ply, picks) in choices {
        let line = line.index(lengths.len());
        if lengths[line] == 0 {
            continue;
        }
        let ply = 1 + ply.index(lengths[line]);
        let (mut position, mut moves) = (*lines.begin(line, ply).unwrap(), Vec::new());
        for pick in picks {
            let legal = legal_moves(&position);
            if legal.is_empty() {
                break;
            }
            let mv = *pick.get(&legal);
            moves.push((position.side(), position.write_move(mv, MoveFormat::Standard)));
            position = position.play(mv);
            lines.push(position);
        }
        lengths.push(ply - 1 + moves.len());
        variations.push(Variation { line, ply, moves });
    }
    (variations, lengths)
}

/// The lines of a record, without their places in its file.
fn lines(record: &Record) -> Vec<impl PartialEq + std::fmt::Debug> {
    let moves = |line: &Variation<RecordMove>| {
        let moves = line.moves.iter();
        moves.map(|mv| (mv.turn.text.clone(), mv.comment.clone(), mv.glyphs.clone())).collect()
    };
    let all = record.lines();
    all.iter().map(|line| (line.line, line.ply, moves(line))).collect::<Vec<(_, _, Vec<_>)>>()
}

#[test]
fn a_header_of_pdn_has_one_text() {
    let mut record = generated::<Draughts>(&[(5, String::new())]);
    for text in ["one", "two"] {
        assert!(record.add_other_header("Opening", text));
    }
    assert_eq!(one(&round_trip(&record)).other_headers(), [("Opening".into(), "one".into())]);
}

fn glyphs() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![1..=6_u8, any::<u8>()], 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 2,
        ..Default::default()
    })]

    #[test]
    fn lines_annotations_and_headers_round_trip(
        choices in vec((any::<usize>(), Just(String::new())), 1..20),
        choices_of_lines in vec((any::<Index>(), any::<Index>(), vec(any::<Index>(), 1..6)), 0..6),
        annotations in vec((any::<Index>(), any::<Index>(), annotation(), glyphs()), 0..8),
        fields in vec((prop::sample::select(&FIELDS[..]), annotation()), 0..4),
        headers in vec(("[A-Z]{1,3}|[A-Za-z0-9_]{1,9}", annotation()), 0..4),
    ) {
        let [loa, draughts] = [generated::<Loa>(&choices), generated::<Draughts>(&choices)];
        let chosen = [variations::<Loa>(&loa, &choices_of_lines),
            variations::<Draughts>(&draughts, &choices_of_lines)];
        for (mut record, (variations, lengths)) in [loa, draughts].into_iter().zip(chosen) {
            let annotation = |(line, ply, comment, glyphs): &(Index, Index, String, Vec<u8>)| {
                let line = line.index(lengths.len());
                let (ply, comment) = (ply.index(lengths[line] + 1), comment.clone());
                // SGF has only these.
                let is_known = |glyph: &u8| record.format() == RecordFormat::Pdn || (1..=6).contains(glyph);
                let glyphs: Vec<u8> = glyphs.iter().copied().filter(is_known).collect();
                Annotation { line, ply, comment, glyphs, ..Default::default() }
            };
            let annotations: Vec<Annotation> = annotations.iter().map(annotation).collect();
            record.add_lines(&variations, &annotations).unwrap();
            for (field, text) in &fields {
                record.set_info(*field, text);
            }
            // The reader takes a tag "Red" for the player of the black pieces.
            for (name, text) in headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("red")) {
                record.add_other_header(name, text);
            }
            let again = one(&round_trip(&record));
            prop_assert_eq!(lines(&again), lines(&record));
            prop_assert_eq!(again.other_headers(), record.other_headers());
            for field in FIELDS {
                prop_assert_eq!(again.info(field), record.info(field));
            }
        }
    }
}
