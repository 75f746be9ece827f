//! The files of the page, embedded in the program.

use std::hash::{DefaultHasher, Hash, Hasher};

use soucie::analysis::html::{SHARED_STYLE, board};

pub struct PageFile {
    /// The path below the token; empty for the page itself.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub media_type: &'static str,
    pub text: String,
    /// The value of `ETag`: another text has another one.
    pub tag: String,
}

/// The place of the SVG definitions in index.html.
const DEFINITIONS: &str = "<!-- definitions -->";

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

/// All files of the page, and the first part of the paths by which it names them. The part is another one if
/// a file is. The board and its style are those of the page of an analysis.
pub fn all() -> (Vec<PageFile>, String) {
    let file = |&(name, text): &(&'static str, &str)| {
        let text = text.replace(DEFINITIONS, board::DEFINITIONS);
        PageFile {
            path: if name == "index.html" { "" } else { name },
            media_type: media_type(name),
            tag: tag(&text),
            text,
        }
    };
    let mut files: Vec<_> = FILES.iter().chain([&("shared.css", SHARED_STYLE)]).map(file).collect();
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
    (files, version)
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
