//! Finds the server of an earlier start: another start opens its page. Two servers would have two
//! addresses, and the browser keeps the games of an address apart.
//!
//! The user's file `play-server` has the port. What listens there may be any program, of any user,
//! so neither side sends the token: each signs a number that is used once. The port is signed too,
//! so that no program can pass the question on to the server and its answer back.

use std::fs;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::ticket::Ticket;
use super::token::Token;
use crate::files::{named, regular, user_dirs};

/// The first part of the path of the question.
pub const FIND: &str = "find";

/// The time for an answer.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// The maximum size of an answer, in bytes.
const LONGEST_ANSWER: u64 = 4 << 10;

/// The maximum size of the file, in bytes.
const LONGEST_FILE: u64 = 16;

/// A server that has the same token.
pub struct RunningServer {
    /// Its port.
    pub port: u16,
    /// A ticket that it accepts.
    pub ticket: Token,
}

/// What a server with this token answers to a question at its port: the proof that it has the token,
/// and the ticket that it accepts from now on. `None` if the client does not have the token.
pub fn answer(token: &Token, port: u16, question: &str) -> Option<(Token, Ticket)> {
    let (number, signature) = question.split_once('/')?;
    let sign = |purpose| token.sign(&format!("{purpose} {port} {number}"));
    sign("ask").matches(signature).then(|| (sign("answer"), Ticket::new(sign("ticket"))))
}

/// Asks whether a server with this token listens at a port.
pub async fn ask(token: &Token, port: u16) -> Option<RunningServer> {
    let number = Token::random();
    let number = number.as_str();
    let sign = |purpose| token.sign(&format!("{purpose} {port} {number}"));
    let request = format!(
        "GET /{FIND}/{number}/{} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
        sign("ask").as_str()
    );
    let exchange = async {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.take(LONGEST_ANSWER).read_to_end(&mut answer).await?;
        Ok::<_, io::Error>(answer)
    };
    let answer = timeout(ANSWER_TIME, exchange).await.ok()?.ok()?;
    let answer = String::from_utf8_lossy(&answer);
    let is_ours = sign("answer").matches(answer.lines().last()?);
    is_ours.then(|| RunningServer { port, ticket: sign("ticket") })
}

/// The port of the last server, running or not; `None` if there is no readable file.
pub fn last_port() -> Option<u16> {
    let bytes = regular::read(&default_file()?, LONGEST_FILE).ok()?;
    String::from_utf8(bytes).ok()?.trim_end().parse().ok()
}

/// Writes the port of a server that listens to the file. Without a home this does nothing.
pub fn register(port: u16) -> io::Result<()> {
    let Some(path) = default_file() else { return Ok(()) };
    write_port(&path, port).map_err(|error| named(&path, error))
}

/// Replaces the file atomically. Only the user can read it: this is the default of the library.
fn write_port(path: &Path, port: u16) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    writeln!(file, "{port}")?;
    file.persist(path)?;
    Ok(())
}

/// The file, in the user's directory for state; `None` if there is no home.
fn default_file() -> Option<PathBuf> {
    Some(user_dirs::state()?.join("play-server"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_a_client_with_the_token_is_answered() {
        let (token, other, port) = (Token::random(), Token::random(), 7411);
        let signed = |token: &Token, text: &str| token.sign(text).as_str().to_string();
        let right = signed(&token, "ask 7411 1");
        for (question, is_answered) in [
            (format!("1/{right}"), true),
            (format!("2/{right}"), false),
            (format!("1/{}", signed(&other, "ask 7411 1")), false),
            (format!("1/{}", signed(&token, "ask 7412 1")), false),
            (format!("1/{}", signed(&token, "answer 7411 1")), false),
            (format!("1/{}", token.as_str()), false),
            (right, false),
            ("1/".into(), false),
            ("/".into(), false),
        ] {
            assert_eq!(answer(&token, port, &question).is_some(), is_answered, "{question}");
        }
    }
}
