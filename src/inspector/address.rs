//! The address of an inspector. An inspector can run code in the Worker, so other machines need the user's consent.

use std::fmt;
use std::net::Ipv4Addr;

use url::{Host, Url};

/// The default port of `wrangler dev` and Node.js.
const PORT: u16 = 9229;

/// Host and port of an inspector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// As URLs have it: an IPv6 address in brackets.
    host: String,
    port: u16,
}

/// Why an address can't be used. The texts are sentences for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// It is not an address.
    #[error(
        "`{0}` is no inspector's address: give a URL, host:port or a port, such as http://127.0.0.1:9229 or 9229"
    )]
    Unreadable(String),
    /// Another protocol.
    #[error(
        "an inspector is reached by http:// or ws://, not {0}:// (ssh -L brings a distant one to this machine)"
    )]
    Scheme(String),
    /// Another machine.
    #[error(
        "{0} is another machine, and the connection is not encrypted: add --inspector-remote to use it anyway"
    )]
    Remote(String),
}

impl Address {
    /// Parses a URL, `host:port`, a host or a port. Ignores a URL's path. The default port is 9229.
    ///
    /// # Errors
    /// [`AddressError`]; [`AddressError::Remote`] for another machine, unless `remote` allows it.
    pub fn parse(text: &str, remote: bool) -> Result<Self, AddressError> {
        let text = text.trim();
        let unreadable = || AddressError::Unreadable(text.to_owned());
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let port = text
                .parse()
                .ok()
                .filter(|port| *port > 0)
                .ok_or_else(unreadable)?;
            return Ok(Self {
                port,
                ..Self::usual()
            });
        }
        let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
        if !matches!(scheme, "http" | "ws") {
            return Err(AddressError::Scheme(scheme.to_owned()));
        }
        let url = Url::parse(&format!("http://{rest}")).map_err(|_| unreadable())?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(unreadable());
        }
        let (host, here) = match url.host().ok_or_else(unreadable)? {
            Host::Domain(name) => (
                name.to_owned(),
                name == "localhost" || name.ends_with(".localhost"),
            ),
            // A server on all addresses is reached through the loopback address.
            Host::Ipv4(Ipv4Addr::UNSPECIFIED) => (Ipv4Addr::LOCALHOST.to_string(), true),
            Host::Ipv4(address) => (address.to_string(), address.is_loopback()),
            Host::Ipv6(address) => (format!("[{address}]"), address.is_loopback()),
        };
        // The parser drops the default ports of HTTP.
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let port = url
            .port()
            .unwrap_or(if authority.ends_with(":80") { 80 } else { PORT });
        if !here && !remote {
            return Err(AddressError::Remote(host));
        }
        if port == 0 {
            return Err(unreadable());
        }
        Ok(Self { host, port })
    }

    /// Returns the default address of `wrangler dev`.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST.to_string(),
            port: PORT,
        }
    }

    /// Returns the address for a socket.
    pub(super) fn socket(&self) -> (&str, u16) {
        (self.host.trim_matches(['[', ']']), self.port)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::wording;

    fn read(text: &str) -> String {
        Address::parse(text, false)
            .map_or_else(|error| error.to_string(), |address| address.to_string())
    }

    #[test]
    fn urls_hosts_and_ports_are_understood() {
        for (text, address) in [
            ("9339", "127.0.0.1:9339"),
            ("localhost", "localhost:9229"),
            (" localhost:1 ", "localhost:1"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("http://127.0.0.1", "127.0.0.1:9229"),
            ("http://127.8.9.1:9229/json", "127.8.9.1:9229"),
            ("ws://localhost:9229/checkout-api", "localhost:9229"),
            ("[::1]:9230", "[::1]:9230"),
            ("0.0.0.0:9229", "127.0.0.1:9229"),
            ("my.localhost:8", "my.localhost:8"),
        ] {
            assert_eq!(read(text), address);
        }
        assert_eq!(
            Address::parse("[::1]:9230", false).unwrap().socket(),
            ("::1", 9230)
        );
    }

    #[test]
    fn what_is_no_address_is_reported() {
        let mut wording = wording!();
        for text in [
            "",
            "0",
            "99999",
            "localhost:0",
            "http://",
            "a b",
            "localhost:x",
            "http://u:p@localhost:1",
        ] {
            wording.add(read(text));
        }
        wording.add(read("wss://localhost:1"));
    }

    #[test]
    fn another_machine_needs_the_users_word() {
        for text in [
            "10.0.0.1:9229",
            "dev.example.com",
            "http://[2001:db8::1]:9229",
            "localhost.example.com",
        ] {
            assert!(
                matches!(Address::parse(text, false), Err(AddressError::Remote(_))),
                "{text}"
            );
        }
        assert_eq!(
            Address::parse("dev.example.com", true).unwrap().to_string(),
            "dev.example.com:9229"
        );
    }
}
