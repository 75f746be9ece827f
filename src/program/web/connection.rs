//! One WebSocket: its messages are the lines of one engine.

use std::future::{Future, pending};
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{self, AsyncWriteExt};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use super::hosted_engine::HostedEngine;
use soucie::files::lines::LONGEST_LINE;

/// The size of the buffers of a socket, in bytes.
const BUFFER: usize = 16 << 10;

/// The time in which a client must make room for the next line.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Why the server ends a connection; `None` if the client has ended it.
type End = Option<CloseFrame>;

fn end(code: CloseCode, reason: impl Into<Utf8Bytes>) -> End {
    Some(CloseFrame { code, reason: reason.into() })
}

async fn open(stream: Upgraded) -> Socket {
    let config = WebSocketConfig::default()
        .max_message_size(Some(LONGEST_LINE))
        .max_frame_size(Some(LONGEST_LINE))
        .read_buffer_size(BUFFER)
        .write_buffer_size(0);
    WebSocketStream::from_raw_socket(TokioIo::new(stream), Role::Server, Some(config)).await
}

/// Ends the connection of a client that cannot have an engine.
pub async fn refuse(stream: Upgraded, code: CloseCode, reason: &'static str) {
    close(open(stream).await, CloseFrame { code, reason: reason.into() }).await;
}

/// Connects a client with an engine, until one of them ends or the server stops.
pub async fn run(stream: Upgraded, engine: HostedEngine, mut stopped: watch::Receiver<()>) {
    let HostedEngine { input, mut output, result } = engine;
    let (mut sink, mut stream) = open(stream).await.split();
    let engine = async {
        match send(&mut output, &mut sink).await {
            Err(end) => end,
            Ok(()) => match result.await {
                Ok(Ok(())) => end(CloseCode::Normal, "the engine has quit"),
                Ok(Err(error)) => end(CloseCode::Error, error.to_string()),
                Err(_) => end(CloseCode::Error, "the engine has failed"),
            },
        }
    };
    let server = async {
        let _ = stopped.changed().await;
        end(CloseCode::Away, "the server has ended")
    };
    let end = first(receive(&mut stream, &input), first(engine, server)).await;
    // The engine ends when nothing sends to it and nothing receives from it.
    drop((input, output));
    if let (Some(frame), Ok(socket)) = (end, stream.reunite(sink)) {
        log::debug!("connection closed: {frame}");
        close(socket, frame).await;
    }
}

/// The result of the future that ends first. The other one is dropped.
async fn first<T>(one: impl Future<Output = T>, other: impl Future<Output = T>) -> T {
    match select(pin!(one), pin!(other)).await {
        Either::Left((result, _)) | Either::Right((result, _)) => result,
    }
}

/// Passes lines from the client to the engine. While the engine does not take them, nothing is read
/// from the socket.
async fn receive(socket: &mut SplitStream<Socket>, input: &Sender<Utf8Bytes>) -> End {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(line))) => {
                if input.send(line).await.is_err() {
                    // The engine has ended, and `send` reports why.
                    return pending().await;
                }
            }
            Some(Ok(Message::Binary(_))) => {
                return end(CloseCode::Unsupported, "binary message; expected a line of text");
            }
            // The end after a close frame is `None`, when its answer is written.
            Some(Ok(
                Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_),
            )) => {}
            Some(Err(Error::Capacity(_))) => {
                let reason = format!("line longer than {LONGEST_LINE} bytes");
                return end(CloseCode::Size, reason);
            }
            Some(Err(Error::Utf8(_))) => return end(CloseCode::Invalid, "text is not UTF-8"),
            Some(Err(Error::Protocol(error))) => {
                return end(CloseCode::Protocol, error.to_string());
            }
            Some(Err(_)) | None => return None,
        }
    }
}

/// Passes lines from the engine to the client. `Ok` when the engine has ended.
async fn send(
    output: &mut Receiver<String>,
    socket: &mut SplitSink<Socket, Message>,
) -> Result<(), End> {
    while let Some(line) = output.recv().await {
        match timeout(WRITE_TIMEOUT, socket.send(Message::text(line))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(None),
            Err(_) => return Err(end(CloseCode::Policy, "the client does not read")),
        }
    }
    Ok(())
}

/// Sends a close frame, and reads the rest of what the client has sent: unread input would reset
/// the connection before the client reads the frame.
async fn close(mut socket: Socket, frame: CloseFrame) {
    let closing = async {
        socket.close(Some(frame)).await?;
        let mut stream = socket.into_inner();
        stream.shutdown().await?;
        io::copy(&mut stream, &mut io::sink()).await?;
        Ok::<_, Error>(())
    };
    if !matches!(timeout(CLOSE_TIMEOUT, closing).await, Ok(Ok(()))) {
        log::debug!("the client has not read the close frame");
    }
}
