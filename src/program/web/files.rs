//! The files of the page, embedded in the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

use soucie::analysis::html::{SHARED_STYLE, board};
use soucie::engine::{self, VariantData};
use soucie::options::Options;
use soucie::protocol::json;

use super::scripts;

pub struct PageFile {
    /// The path below the token; empty for the page itself.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub media_type: &'static str,
    pub text: String,
    /// The value of `ETag`: another text has another one.
    pub tag: String,
}

/// The name of the scripts as one.
const SCRIPTS: &str = "all.js";

/// The names and texts of files in the folder `page`.
macro_rules! page {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("page/", $name)))),+]
    };
}

/// The files of the folder `page`.
#[rustfmt::skip]
const FILES: &[(&str, &str)] = page![
    "advice.js",
    "analysis.js",
    "boardmarks.js",
    "boardpicture.js",
    "boardview.js",
    "client.js",
    "course.js",
    "details.js",
    "editor.js",
    "engine.js",
    "explorer.js",
    "game.js",
    "icon.svg",
    "index.html",
    "keyboard.js",
    "learn.js",
    "lesson.js",
    "main.js",
    "menus.js",
    "messages.js",
    "movelist.js",
    "newgame.js",
    "open.js",
    "page.css",
    "page.js",
    "panel.js",
    "play.js",
    "protocol.js",
    "puzzles.js",
    "records.js",
    "review.js",
    "storage.js",
    "stored.js",
    "text.js",
    "transport.js",
];

fn text_of(name: &str) -> &'static str {
    FILES.iter().find(|file| file.0 == name).map_or("", |file| file.1)
}

/// All files of the page, and the first part of the paths by which it names them, which is another one if a file
/// is. Besides the scripts as one there are the modules, of which one can be loaded alone. The board and its style
/// are those of the page of an analysis.
pub fn all() -> io::Result<(Vec<PageFile>, String)> {
    let scripts = scripts::join("main.js", &text_of);
    // Comments of index.html, and what takes their places.
    let places = [
        ("<!-- definitions -->", board::DEFINITIONS.to_string()),
        ("<!-- scripts -->", format!("<script type=\"module\" src=\"{SCRIPTS}\"></script>")),
        ("<!-- variants -->", variants()?),
    ];
    let file = |&(name, text): &(&'static str, &str)| {
        let is_page = name == "index.html";
        let mut text = text.to_string();
        for (place, content) in places.iter().filter(|_| is_page) {
            text = text.replace(place, content);
        }
        PageFile {
            path: if is_page { "" } else { name },
            media_type: media_type(name),
            tag: tag(&text),
            text,
        }
    };
    let made = [("shared.css", SHARED_STYLE), (SCRIPTS, &scripts)];
    let mut files: Vec<_> = FILES.iter().chain(&made).map(file).collect();
    let tags: Vec<&str> = files.iter().map(|file| file.tag.as_str()).collect();
    let version = format!("{}/", hash(&tags.concat()));
    let names: Vec<&str> =
        files.iter().map(|file| file.path).filter(|path| !path.is_empty()).collect();
    if let Some(page) = files.iter_mut().find(|file| file.path.is_empty()) {
        for name in names {
            page.text =
                page.text.replace(&format!("=\"{name}\""), &format!("=\"{version}{name}\""));
        }
        page.tag = tag(&page.text);
    }
    Ok((files, version))
}

/// The answer to `variants`, and for each variant the answer to `state` at its start, as JSON for a script in the
/// page. So the page can draw a board before there is an engine.
fn variants() -> io::Result<String> {
    let first = |VariantData { variant, .. }| {
        let mut options = Options::default();
        options.variant = variant.name;
        let start = engine::open(&options).map_err(io::Error::other)?;
        Ok(answer(&json::state(&*start)?).to_string())
    };
    let firsts: Vec<String> = engine::variant_data().map(first).collect::<io::Result<_>>()?;
    let variants = json::variants()?;
    let text = format!("{{\"variants\":{},\"firsts\":[{}]}}", answer(&variants), firsts.join(","));
    // The end tag of the script cannot occur.
    Ok(text.replace('<', "\\u003c"))
}

/// The value of an answer, behind its command word.
fn answer(line: &str) -> &str {
    line.split_once(' ').map_or("", |(_, value)| value)
}

fn tag(text: &str) -> String {
    format!("\"{}\"", hash(text))
}

fn hash(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

pub const TEXT: &str = "text/plain; charset=utf-8";

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => TEXT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_import_and_export_in_the_forms_that_are_joined() {
        const DECLARATIONS: [&str; 4] = [" async function", " function ", " class ", " const "];
        for (name, text) in FILES.iter().filter(|(name, _)| name.ends_with(".js")) {
            let text = format!("\n{text}");
            for export in text.split("\nexport").skip(1) {
                let is_known = DECLARATIONS.iter().any(|start| export.starts_with(start));
                assert!(is_known, "{name}: {}", export.lines().next().unwrap_or_default());
            }
            for import in text.split("\nimport").skip(1) {
                let import = import.split(';').next().unwrap_or_default();
                let is_known = import.starts_with(" {") && import.contains("} from \"./");
                assert!(is_known && !import.contains(" as "), "{name}: {import}");
            }
        }
    }
}
