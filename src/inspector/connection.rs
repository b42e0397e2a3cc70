//! One WebSocket to an isolate: commands and their replies, until either side closes it.

use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message as Frame, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use url::Url;

use crate::inspector::message;
use crate::inspector::message::Message;
use crate::inspector::{Address, InspectorError, Settings};
use crate::model::text::sanitize::printable;

/// Largest message that is read, in bytes. The longest window takes about 20 MB.
const MESSAGE_MAX: usize = 64 << 20;

/// How long to wait for the other side's close frame. `wrangler dev` sends none, and nothing depends on it.
const GOODBYE: Duration = Duration::from_millis(200);

/// A connection to one isolate.
pub(super) struct Connection {
    socket: WebSocketStream<TcpStream>,
    last: u64,
}

/// The reply to a command.
pub(super) struct Reply {
    text: Utf8Bytes,
}

impl Reply {
    /// The bytes of its profile, exactly as received.
    pub(super) fn profile(&self) -> Option<Vec<u8>> {
        let message = Message::parse(&self.text).ok()?;
        message.profile().map(|profile| profile.as_bytes().to_vec())
    }
}

impl Connection {
    /// Connects within the timeout for connections.
    pub(super) async fn open(
        address: &Address,
        path: &str,
        settings: &Settings,
    ) -> Result<Self, InspectorError> {
        let begun = Instant::now();
        let opened = Self::connect(address, path, settings).await;
        tracing::info!(
            ms = begun.elapsed().as_millis(),
            error = opened.as_ref().err().map(tracing::field::display),
            "inspector-connection"
        );
        opened
    }

    async fn connect(
        address: &Address,
        path: &str,
        settings: &Settings,
    ) -> Result<Self, InspectorError> {
        let limit = settings.connect_timeout;
        let stream = timeout(limit, TcpStream::connect(address.socket()))
            .await
            .map_err(|_| InspectorError::TimedOut {
                what: "a connection",
                limit,
            })?
            .map_err(|source| InspectorError::NoAnswer {
                address: address.to_string(),
                source,
            })?;
        // Names may have characters that a URL must encode.
        let mut url = Url::parse(&format!("ws://{address}/"))
            .map_err(|e| InspectorError::Client(e.to_string()))?;
        url.set_path(path);
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_MAX))
            .max_frame_size(Some(MESSAGE_MAX));
        let opened = timeout(
            settings.reply_timeout,
            client_async_with_config(url.as_str(), stream, Some(config)),
        );
        let (socket, _) = opened
            .await
            .map_err(|_| InspectorError::TimedOut {
                what: "a connection",
                limit: settings.reply_timeout,
            })?
            .map_err(fault)?;
        Ok(Self { socket, last: 0 })
    }

    /// Sends a command and waits for its reply. Other messages are ignored.
    pub(super) async fn call(
        &mut self,
        method: &'static str,
        params: Option<Value>,
        limit: Duration,
    ) -> Result<Reply, InspectorError> {
        self.last += 1;
        let id = self.last;
        let reply = async {
            let command = message::command(id, method, params.as_ref());
            self.socket
                .send(Frame::text(command))
                .await
                .map_err(fault)?;
            loop {
                let text = self.next().await?;
                let message = Message::parse(&text)?;
                if !message.is_reply_to(id) {
                    continue;
                }
                return match message.refusal() {
                    Some(message) => Err(InspectorError::Said { method, message }),
                    None => Ok(Reply { text }),
                };
            }
        };
        let begun = Instant::now();
        let outcome = timeout(limit, reply)
            .await
            .unwrap_or(Err(InspectorError::TimedOut {
                what: "a response of the runtime",
                limit,
            }));
        tracing::info!(
            method,
            ms = begun.elapsed().as_millis(),
            bytes = outcome.as_ref().ok().map(|reply| reply.text.len()),
            error = outcome.as_ref().err().map(tracing::field::display),
            "inspector-call"
        );
        outcome
    }

    /// Waits, and fails if the connection ends meanwhile.
    pub(super) async fn hold(&mut self, time: Duration) -> Result<(), InspectorError> {
        let ended = async {
            loop {
                if let Err(error) = self.next().await {
                    return error;
                }
            }
        };
        match timeout(time, ended).await {
            Ok(error) => Err(error),
            Err(_) => Ok(()),
        }
    }

    /// Sends a close frame, and waits briefly for the other side's.
    pub(super) async fn close(mut self) {
        let goodbye = async {
            let frame = CloseFrame {
                code: CloseCode::Normal,
                reason: Utf8Bytes::default(),
            };
            if self.socket.close(Some(frame)).await.is_ok() {
                while let Some(Ok(_)) = self.socket.next().await {}
            }
        };
        // A missing close frame is not an error.
        let _ = timeout(GOODBYE, goodbye).await;
    }

    /// Returns the next text.
    async fn next(&mut self) -> Result<Utf8Bytes, InspectorError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Frame::Text(text))) => return Ok(text),
                Some(Ok(Frame::Close(frame))) => return Err(closed(frame)),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(fault(error)),
                None => return Err(InspectorError::Lost),
            }
        }
    }
}

/// Returns the error for a close frame.
fn closed(frame: Option<CloseFrame>) -> InspectorError {
    let Some(CloseFrame { code, reason }) = frame else {
        return InspectorError::Lost;
    };
    match code {
        // `wrangler dev` rejects a second client.
        CloseCode::Again => InspectorError::Busy,
        // workerd closes both connections when a second client connects.
        CloseCode::Normal => InspectorError::Taken,
        code => InspectorError::Closed {
            code: code.into(),
            reason: printable(&reason).into_owned(),
        },
    }
}

fn fault(error: Error) -> InspectorError {
    match error {
        Error::ConnectionClosed
        | Error::AlreadyClosed
        | Error::Io(_)
        | Error::Protocol(
            ProtocolError::ResetWithoutClosingHandshake | ProtocolError::HandshakeIncomplete,
        ) => InspectorError::Lost,
        Error::Capacity(_) => InspectorError::TooLarge {
            what: "the profile",
            limit: MESSAGE_MAX,
        },
        Error::Http(response) => InspectorError::Refused(response.status().as_u16()),
        other => InspectorError::Garbled(printable(&other.to_string()).into_owned()),
    }
}
