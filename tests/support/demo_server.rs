//! The demo server for the API in a process of its own, and commands against it.
#![allow(
    dead_code,
    reason = "two test programs share this, and each uses a part"
)]

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

pub(crate) const BIN: &str = env!("CARGO_BIN_EXE_flarescope");

/// A demo server in a process of its own, and a folder for what the commands keep.
pub(crate) struct Place {
    server: Child,
    pub(crate) base_url: String,
    pub(crate) token: String,
    pub(crate) account: String,
    pub(crate) dir: tempfile::TempDir,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Place {
    pub(crate) fn new(options: &[&str]) -> Self {
        let mut server = Command::new(BIN)
            .args(["demo", "--serve", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [
            "listening",
            "on",
            base_url,
            "token",
            token,
            "account",
            account,
        ] = words[..]
        else {
            unreachable!("the first line is {line:?}")
        };
        let (base_url, token, account) =
            (base_url.to_owned(), token.to_owned(), account.to_owned());
        Self {
            server,
            base_url,
            token,
            account,
            dir: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BIN);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.dir.path())
            .env("CLOUDFLARE_API_BASE_URL", &self.base_url)
            .env("CLOUDFLARE_API_TOKEN", &self.token)
            .env("FLARESCOPE_CACHE_DIR", self.cache())
            .current_dir(self.dir.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

pub(crate) fn fast() -> Place {
    Place::new(&["--time-scale", "0.02"])
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(crate) fn names<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item[field].as_str().unwrap())
        .collect()
}
