//! `soucie play`: a server on this computer for the page for playing and its engines.
//!
//! ```text
//! browser ──requests──→ server ──→ files
//!    ↑                    ↓
//!    └────WebSocket──→ connection ←──lines──→ hosted engine
//!
//!           one thread for all sockets    threads of its own
//! ```
//!
//! The page is an ordinary client of the protocol. Each WebSocket has its own engine, and a text
//! message is a line. Only the page can connect: `server.rs` refuses everything else.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod connection;
mod files;
mod hosted_engine;
mod places;
mod server;
pub mod settings;
mod ticket;
mod token;

use std::io::{self, Write};
use std::thread;

use tokio::runtime;
use tokio::sync::watch;

use crate::engine::{Tablebases, default_tables};
use server::Server;
use settings::PlaySettings;
use token::Token;

/// Serves the page until an interrupt. Prints the address to `out`, everything else to `notes`,
/// which may be closed.
pub fn run(
    settings: &PlaySettings,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> io::Result<()> {
    let query = settings.query().map_err(io::Error::other)?;
    let tables = match &settings.tables {
        Some(folder) => {
            let (tables, refused) = Tablebases::open(folder).map_err(io::Error::other)?;
            for table in refused {
                let _ = writeln!(notes, "soucie: tables: {table}");
            }
            tables
        }
        None => default_tables(settings.default_tables.clone()),
    };
    let (stop, stopped) = watch::channel(());
    let interrupt = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || interrupt.send_replace(())) {
        log::warn!("no signal handler, signals end the process at once: {error}");
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(settings.port, Token::load(notes), tables, stopped).await?;
        writeln!(out, "{}{query}", server.address())?;
        out.flush()?;
        let _ = writeln!(notes, "soucie: open this address in a browser; Ctrl-C ends the server");
        if !settings.no_open {
            open_browser(format!("{}{query}", server.opening_address()))?;
        }
        server.run().await;
        Ok(())
    })
}

/// Opens the browser. This may take a second, in which the browser already loads the page.
fn open_browser(address: String) -> io::Result<()> {
    let open = move || {
        if let Err(error) = open::that_detached(address) {
            log::info!("no browser: {error}");
            // Failures are ignored: standard error may be closed.
            let _ = writeln!(io::stderr(), "soucie: no browser found");
        }
    };
    thread::Builder::new().name("browser".into()).spawn(open).map(drop)
}
