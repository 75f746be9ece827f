//! What CECP clients read: features, moves and lines of a search.

use std::fmt::Write as _;

use crate::engine::event::Info;
use crate::engine::uci_score::UciScore;
use crate::engine::variant_data;
use crate::game::Variant;
use crate::options::{OfferedBy, OptionKind, UciOption, uci_options};
use crate::protocol::handler::Access;
use crate::protocol::reply;
use crate::search::Bound;

/// XBoard's own variant without rules of its own. Here it is Lines of Action.
pub const FAIRY: &str = "fairy";

/// XBoard's piece letters, White's and then Black's. The second piece, the knight, is a stone; the
/// first one, the pawn, would be promoted.
const LETTERS: &str = "PLBRQ..............Kplbrq..............k";

/// A pass in this protocol and in the engine.
pub const PASS: [&str; 2] = ["@@@@", "0000"];

/// The answer to `protover`.
pub fn features(access: &Access) -> String {
    let names: Vec<&str> = variants().map(|variant| variant.name).chain([FAIRY]).collect();
    let mut text = format!(
        "feature myname=\"Soucie {}\" variants=\"{}\"\n\
         feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=0 reuse=1\n\
         feature analyze=1 colors=0 sigint=0 sigterm=0 ics=0 name=0 pause=0 nps=0\n\
         feature memory=1 smp={}\n",
        env!("CARGO_PKG_VERSION"),
        names.join(","),
        u8::from(access.threads),
    );
    let options = uci_options().into_iter().filter(|option| is_offered(option, OfferedBy::Cecp));
    for option in options.filter(|option| access.allows(option)) {
        let _ = write!(text, "feature option=\"{} ", option.name);
        let _ = match option.kind {
            OptionKind::Spin { default, min, max } => write!(text, "-spin {default} {min} {max}"),
            OptionKind::Check => write!(text, "-check 0"),
            OptionKind::Combo { values } => write!(text, "-combo *{}", values.join(" /// ")),
            OptionKind::Path => write!(text, "-file "),
            OptionKind::Button => write!(text, "-button"),
        };
        text += "\"\n";
    }
    text + "feature done=1"
}

/// The option of this name, if XBoard offers it or has a command for it.
pub fn option(name: &str) -> Option<UciOption> {
    let ways = [OfferedBy::Cecp, OfferedBy::CecpCommand];
    let option = UciOption::find(name).ok()?;
    ways.into_iter().any(|by| is_offered(&option, by)).then_some(option)
}

fn is_offered(option: &UciOption, by: OfferedBy) -> bool {
    let names: Vec<_> = variants().map(|variant| variant.name).collect();
    option.is_offered(by, &names)
}

/// The answer to `variant`: the board and the pieces of the variant.
pub fn setup(variant: &Variant) -> String {
    format!("setup ({LETTERS}) 8x8+0_{FAIRY} {}", start(variant))
}

/// The variants that a chess board can show.
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    variant_data().map(|data| data.variant).filter(|variant| reply::fits_chess_board(variant))
}

pub fn default_variant() -> Option<&'static Variant> {
    variants().next()
}

/// The start position with White to move.
pub fn start(variant: &Variant) -> String {
    let placement = variant.start.split_whitespace().next().unwrap_or_default();
    format!("{placement} w - - 0 1")
}

/// A move in the notation of the protocol.
pub fn written(mv: &str) -> &str {
    let [pass, own_pass] = PASS;
    if mv == own_pass { pass } else { mv }
}

/// Formats a line of a search: depth, score, centiseconds, nodes, selective depth, nodes per
/// second, hits of tables, and after a tab the moves.
pub fn thinking(info: &Info) -> String {
    const MATE: i32 = 100_000;
    let score = match info.score {
        UciScore::Centipawns(score) => score.clamp(1 - MATE, MATE - 1),
        UciScore::Mate(moves) if moves > 0 => MATE + moves,
        UciScore::Mate(moves) => moves - MATE,
    };
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " !",
        Bound::Upper => " ?",
    };
    let pv: Vec<&str> = info.pv.iter().map(|mv| written(mv)).collect();
    format!(
        "{} {score} {} {} {} {} {}\t{}{bound}",
        info.depth,
        info.time.as_millis() / 10,
        info.nodes,
        info.seldepth,
        reply::speed(info.nodes, info.time),
        info.tb_hits,
        pv.join(" "),
    )
}
