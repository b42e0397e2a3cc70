//! workerd with the sample Workers: starting it, learning its ports, and ending it.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A runtime of its own, which ends with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) inspector: SocketAddr,
    pub(crate) checkout: SocketAddr,
    pub(crate) chat: SocketAddr,
}

impl Server {
    pub(crate) fn start(program: &Path) -> Self {
        let config =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/workerd/workers.capnp");
        let mut child = Command::new(program)
            .arg("serve")
            .arg(config)
            .args(["--inspector-addr=127.0.0.1:0", "--control-fd=1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let [mut inspector, mut checkout, mut chat] = [None; 3];
        while inspector.is_none() || checkout.is_none() || chat.is_none() {
            let mut line = String::new();
            assert!(
                told.read_line(&mut line).unwrap() > 0,
                "the runtime ended before it listened"
            );
            let event: Value = serde_json::from_str(&line).unwrap();
            let port = event["port"]
                .as_u64()
                .and_then(|port| u16::try_from(port).ok());
            let address = port.map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
            match (event["event"].as_str(), event["socket"].as_str()) {
                (Some("listen-inspector"), _) => inspector = address,
                (_, Some("checkout-api")) => checkout = address,
                (_, Some("chat-rooms")) => chat = address,
                _ => {}
            }
        }
        Self {
            child,
            inspector: inspector.unwrap(),
            checkout: checkout.unwrap(),
            chat: chat.unwrap(),
        }
    }

    /// Whether it still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
