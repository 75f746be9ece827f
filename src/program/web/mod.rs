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

mod browser;
mod connection;
mod files;
mod hosted_engine;
mod scripts;
mod server;
pub mod settings;
mod token;

use std::io::{self, Write};
use std::thread::JoinHandle;

use tokio::runtime;
use tokio::sync::watch;

use server::{PORT, Server};
use settings::PlaySettings;
use soucie::engine::default_tables;
use soucie::games::Tablebases;
use token::LastServer;

/// Serves the page until an interrupt, or opens that of a server which runs already. Prints the
/// address to `out`, everything else to `notes`, which may be closed.
pub fn run(
    settings: &PlaySettings,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> io::Result<()> {
    let query = settings.query().map_err(io::Error::other)?;
    let LastServer { token, port: last_port, is_running } = LastServer::find();
    if let Some(port) = last_port.filter(|_| is_running && !settings.is_separate()) {
        let address = format!("{}{query}", server::address(port, &token));
        writeln!(out, "{address}")?;
        out.flush()?;
        let _ = writeln!(notes, "soucie: the server of an earlier start has this page");
        if !settings.no_open {
            // The browser may need the whole program until it is open.
            let _ = browser::open(&address, notes)?.map(JoinHandle::join);
        }
        return Ok(());
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let tables = match &settings.tables.tables {
        Some(folder) => {
            let (tables, refused) = Tablebases::open(folder).map_err(io::Error::other)?;
            for table in refused {
                let _ = writeln!(notes, "soucie: tables: {table}");
            }
            tables
        }
        None => default_tables(settings.tables.default.clone()),
    };
    let (stop, stopped) = watch::channel(());
    let interrupt = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || interrupt.send_replace(())) {
        log::warn!("no signal handler, signals end the process at once: {error}");
    }
    runtime.block_on(async {
        let ports = match settings.port {
            Some(port) => vec![port],
            None => [Some(PORT), last_port, Some(0)].into_iter().flatten().collect(),
        };
        let server = Server::bind(&ports, token.clone(), tables, stopped).await?;
        let registered = (!is_running).then(|| token::register(&token, server.port())).transpose();
        if let Err(error) = &registered {
            let _ = writeln!(notes, "soucie: another start will not find this server: {error}");
        }
        let address = format!("{}{query}", server::address(server.port(), &token));
        writeln!(out, "{address}")?;
        out.flush()?;
        let _ = writeln!(notes, "soucie: open this address in a browser; Ctrl-C ends the server");
        if !settings.no_open {
            browser::open(&address, notes)?;
        }
        server.run().await;
        Ok(())
    })
}
