//! The HTTP side: access checks, the files, and the upgrade to a WebSocket.
//!
//! A page from elsewhere can make the browser send requests to this computer. It does not have the
//! token, and the browser names its origin. A host name that is made to resolve to this computer
//! (DNS rebinding) appears in `Host`. Programs of other users of this computer do not have the
//! token either.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, upgrade};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::connection;
use super::files::{self, PageFile, TEXT};
use super::hosted_engine::HostedEngine;
use super::token::Token;
use soucie::games::Tablebases;

/// The port unless it is taken. A fixed port keeps the address, and with it what the browser stores
/// for the page.
pub const PORT: u16 = 7411;

const MAX_ENGINES: usize = 4;

/// The maximum number of open connections. Further clients wait.
const MAX_CONNECTIONS: usize = 256;

/// The time for a request and its answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum size of the head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// The time to wait for another engine to end, for example when its page is reloaded.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(2);

/// The time for all engines to end when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

/// What all connections share.
struct Site {
    token: Token,
    port: u16,
    /// The values of `Host` that name this server.
    hosts: [String; 2],
    files: Vec<PageFile>,
    /// The first part of the paths of files that do not change.
    version: String,
    headers: HeaderMap,
    tables: Tablebases,
    /// The engines that may still be started.
    engines: Arc<Semaphore>,
    stopped: watch::Receiver<()>,
}

impl Server {
    /// Listens on the loopback address, at the first of these ports that is free.
    pub async fn bind(
        ports: &[u16],
        token: Token,
        tables: Tablebases,
        stopped: watch::Receiver<()>,
    ) -> io::Result<Self> {
        let listener = listen_at_first(ports).await?;
        let port = listener.local_addr()?.port();
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        let (files, version) = files::all()?;
        let headers = headers(&hosts)?;
        let engines = Arc::new(Semaphore::new(MAX_ENGINES));
        let site = Site { token, port, hosts, files, version, headers, tables, engines, stopped };
        Ok(Self { listener, site: Arc::new(site) })
    }

    pub fn port(&self) -> u16 {
        self.site.port
    }

    /// Serves until it is stopped, and ends the engines.
    pub async fn run(self) {
        let Self { listener, site } = self;
        let mut stopped = site.stopped.clone();
        let engines = Arc::clone(&site.engines);
        tokio::spawn(accept(listener, site));
        let _ = stopped.changed().await;
        let all = MAX_ENGINES as u32;
        if timeout(STOP_TIMEOUT, engines.acquire_many(all)).await.is_err() {
            log::warn!("an engine has not ended in time");
        }
    }
}

pub fn address(port: u16, token: &Token) -> String {
    format!("http://127.0.0.1:{port}/{}/", token.as_str())
}

async fn listen_at_first(ports: &[u16]) -> io::Result<TcpListener> {
    let mut listener = Err(io::ErrorKind::AddrNotAvailable.into());
    for &port in ports {
        listener = listen(port).await;
        if listener.is_ok() {
            break;
        }
    }
    listener
}

async fn listen(port: u16) -> io::Result<TcpListener> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let named = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
    };
    TcpListener::bind(address).await.map_err(named)
}

/// Accepts connections without end.
async fn accept(listener: TcpListener, site: Arc<Site>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve(stream, Arc::clone(&site), Arc::new(place)));
            }
            Err(error) => {
                log::warn!("cannot accept a connection: {error}");
                // Too many open files, for example. The next attempt would fail too.
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// A place among the open connections, which is free again when its connection is closed.
type Place = Arc<OwnedSemaphorePermit>;

/// Serves the one request of a connection. A WebSocket goes on in a task of its own.
async fn serve(stream: TcpStream, site: Arc<Site>, place: Place) {
    // A move is a small packet, which need not wait for more.
    let _ = stream.set_nodelay(true);
    let answer = |request: Request<Incoming>| {
        let response = site.answer(request, &place);
        async { Ok::<_, Infallible>(response) }
    };
    let connection = http1::Builder::new()
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service_fn(answer))
        .with_upgrades();
    match timeout(ANSWER_TIMEOUT, connection).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => log::debug!("bad request: {error}"),
        Err(_) => log::debug!("a request was not finished in time"),
    }
}

struct HttpRefusal(StatusCode, &'static str);

const WRONG_HOST: HttpRefusal =
    HttpRefusal(StatusCode::FORBIDDEN, "this server answers to the address of this computer only");
const NOT_GET: HttpRefusal = HttpRefusal(StatusCode::METHOD_NOT_ALLOWED, "expected the method GET");
const WRONG_TOKEN: HttpRefusal =
    HttpRefusal(StatusCode::FORBIDDEN, "open the whole address that 'soucie play' prints");
const NO_FILE: HttpRefusal = HttpRefusal(StatusCode::NOT_FOUND, "no such file");
const NO_HANDSHAKE: HttpRefusal =
    HttpRefusal(StatusCode::BAD_REQUEST, "expected a WebSocket handshake");
const WRONG_ORIGIN: HttpRefusal =
    HttpRefusal(StatusCode::FORBIDDEN, "only the page of this server can connect");

/// The last part of the path of the WebSocket.
const SOCKET: &str = "ws";

impl Site {
    fn answer(self: &Arc<Self>, request: Request<Incoming>, place: &Place) -> Response<String> {
        let answer = self.route(request, place);
        let mut response = answer.unwrap_or_else(|HttpRefusal(status, reason)| {
            log::debug!("refused: {reason}");
            let mut response = Response::new(format!("{reason}\n"));
            *response.status_mut() = status;
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(TEXT));
            if status == StatusCode::METHOD_NOT_ALLOWED {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET"));
            }
            response
        });
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            for (name, value) in &self.headers {
                response.headers_mut().entry(name).or_insert_with(|| value.clone());
            }
        }
        response
    }

    fn route(
        self: &Arc<Self>,
        request: Request<Incoming>,
        place: &Place,
    ) -> Result<Response<String>, HttpRefusal> {
        let host = self.host(&request).ok_or(WRONG_HOST)?;
        if request.method() != Method::GET {
            return Err(NOT_GET);
        }
        let path = request.uri().path().strip_prefix('/').and_then(|path| path.split_once('/'));
        let (_, path) = path.filter(|(token, _)| self.token.matches(token)).ok_or(WRONG_TOKEN)?;
        if path != SOCKET {
            let (name, cached) = match path.strip_prefix(&self.version) {
                Some(name) => (name, "max-age=31536000, immutable"),
                // The browser keeps the file, and asks whether it has changed.
                None => (path, "no-cache"),
            };
            let file = self.files.iter().find(|file| file.path == name).ok_or(NO_FILE)?;
            return Ok(send(file, only(&request, header::IF_NONE_MATCH), cached));
        }
        if only(&request, header::ORIGIN) != Some(&format!("http://{host}")) {
            return Err(WRONG_ORIGIN);
        }
        let response = create_response_with_body(&request, String::new);
        let response = response.map_err(|_| NO_HANDSHAKE)?;
        tokio::spawn(Arc::clone(self).connect(request, Arc::clone(place)));
        Ok(response)
    }

    fn host(&self, request: &Request<Incoming>) -> Option<&str> {
        let named = only(request, header::HOST)?;
        let host = self.hosts.iter().find(|host| *host == named)?;
        // A request can also name a host in its first line.
        let authority = request.uri().authority();
        authority.is_none_or(|authority| authority.as_str() == host).then_some(host)
    }

    /// Serves a WebSocket until it ends.
    async fn connect(self: Arc<Self>, request: Request<Incoming>, _place: Place) {
        let stream = match upgrade::on(request).await {
            Ok(stream) => stream,
            Err(error) => return log::debug!("no WebSocket: {error}"),
        };
        let slot = timeout(ENGINE_TIMEOUT, Arc::clone(&self.engines).acquire_owned()).await;
        let Ok(Ok(slot)) = slot else {
            let reason = "four boards are open already; close one";
            return connection::refuse(stream, CloseCode::Again, reason).await;
        };
        // Kept until both the engine and its connection have ended.
        let slot = Arc::new(slot);
        match HostedEngine::start(self.tables.clone(), Arc::clone(&slot)) {
            Ok(engine) => connection::run(stream, engine, self.stopped.clone()).await,
            Err(error) => {
                log::error!("cannot start an engine: {error}");
                connection::refuse(stream, CloseCode::Error, "cannot start an engine").await;
            }
        }
    }
}

/// A file, or only that it is unchanged if the browser has the one with this tag; and how it may be cached.
fn send(file: &PageFile, known: Option<&str>, cached: &'static str) -> Response<String> {
    let is_known = known == Some(&file.tag);
    let mut response = Response::new(if is_known { String::new() } else { file.text.clone() });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cached));
    if let Ok(tag) = HeaderValue::from_str(&file.tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The value of a header that occurs once.
fn only(request: &Request<Incoming>, name: HeaderName) -> Option<&str> {
    let mut values = request.headers().get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none());
    value.and_then(|value| value.to_str().ok())
}

/// The headers of the responses. The policy allows the page its own files and its WebSocket.
fn headers(hosts: &[String]) -> io::Result<HeaderMap> {
    let sockets: String = hosts.iter().map(|host| format!(" ws://{host}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let policy = HeaderValue::try_from(policy).map_err(io::Error::other)?;
    let fixed = [
        (header::CACHE_CONTROL, "no-store"),
        // The timeout of a request is that of its connection.
        (header::CONNECTION, "close"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let fixed = fixed.map(|(name, value)| (name, HeaderValue::from_static(value)));
    Ok(fixed.into_iter().chain([(header::CONTENT_SECURITY_POLICY, policy)]).collect())
}
