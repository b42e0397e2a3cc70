//! Connections that a handler can close without a response.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// A handler's view of its connection.
#[derive(Debug, Clone)]
pub(super) struct Connection(Arc<AtomicBool>);

impl Connection {
    /// Fails all further writes.
    pub(super) fn close(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Accepts connections that a handler can close.
#[derive(Debug)]
pub(super) struct Closable(pub(super) TcpListener);

/// A connection to a client.
#[derive(Debug)]
pub(super) struct Stream {
    inner: TcpStream,
    closed: Arc<AtomicBool>,
}

impl Listener for Closable {
    type Io = Stream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stream, SocketAddr) {
        let (inner, address) = Listener::accept(&mut self.0).await;
        (
            Stream {
                inner,
                closed: Arc::default(),
            },
            address,
        )
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, Closable>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Closable>) -> Self {
        Self(Arc::clone(&stream.io().closed))
    }
}

impl Stream {
    fn inner(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().inner)
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.inner().poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.closed.load(Ordering::Relaxed) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        self.inner().poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner().poll_shutdown(cx)
    }
}
