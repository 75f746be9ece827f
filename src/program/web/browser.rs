//! Opening the browser.
//!
//! Other users of the computer can see the arguments of a process. So the browser is not opened with the
//! address and its secret, but with a file that only the user can read, which leads there.

use std::io::{self, Write};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use crate::error::note;
use soucie::files::{named, user_dirs};

/// Opens an address in the browser, if its file can be written. This may take a second, in which the
/// browser already loads the page. `notes` may be closed.
pub fn open(address: &str, notes: &mut impl Write) -> io::Result<Option<JoinHandle<()>>> {
    let path = match write_page(address) {
        Ok(path) => path,
        Err(error) => {
            let _ = writeln!(notes, "soucie: open the address in a browser yourself: {error}");
            return Ok(None);
        }
    };
    let open = move || {
        if let Err(error) = open::that_detached(path) {
            log::info!("no browser: {error}");
            note("no browser found");
        }
    };
    thread::Builder::new().name("browser".into()).spawn(open).map(Some)
}

/// Writes the page that leads to an address, in the user's directory for state. Returns its path.
fn write_page(address: &str) -> io::Result<PathBuf> {
    let folder = user_dirs::state().ok_or_else(|| io::Error::other("no home directory found"))?;
    let path = folder.join("play-page.html");
    let written = user_dirs::private_file(&path, &page(address)).and_then(|file| {
        file.persist(&path)?;
        Ok(())
    });
    written.map(|()| path.clone()).map_err(|error| named(&path, error))
}

fn page(address: &str) -> String {
    let address = address.replace('&', "&amp;");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Soucie</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <p><a href=\"{address}\">Open the board</a></p>\n</html>\n"
    )
}
