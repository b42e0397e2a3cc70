//! Logins of other tools that end while a command works: looked for once more, never renewed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::{BIN, text};
use crate::wording::wording;

const OLD: &str = "old-login-of-wrangler";
const NEW: &str = "new-login-of-wrangler";

fn success(result: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "success": true, "result": result }))
}

/// A server that refuses the old token at these addresses, and there puts the new one into the file.
async fn server(refuses: &'static str, file: PathBuf, newer: Option<String>) -> MockServer {
    let server = MockServer::start().await;
    let answer = move |request: &Request| {
        let (path, sent) = (
            request.url.path(),
            request.headers["authorization"].to_str().unwrap(),
        );
        if path.ends_with(refuses) && !sent.ends_with(NEW) {
            if let Some(newer) = &newer {
                std::fs::write(&file, newer).unwrap();
            }
            let error = json!({ "code": 10_000, "message": "Authentication error" });
            let body =
                json!({ "success": false, "errors": [error], "messages": [], "result": null });
            return ResponseTemplate::new(401)
                .insert_header("cf-ray", "8c1f0d2e-AMS")
                .set_body_json(body);
        }
        match path {
            _ if path.ends_with("/profile") => {
                let profile = include_bytes!("../../src/demo/recordings/checkout-api.cpu.pprof.gz");
                ResponseTemplate::new(200).set_body_raw(profile, "application/vnd.google.protobuf")
            }
            _ if path.ends_with("/versions") => {
                success(json!([{ "id": "v1", "number": 1, "created_on": "2026-10-09T11:57:58Z" }]))
            }
            _ if path.ends_with("/deployments") => success(
                json!({ "deployments": [{ "versions": [{ "version_id": "v1", "percentage": 100 }] }] }),
            ),
            _ if path.ends_with("/accounts") => {
                success(json!([{ "id": "a".repeat(32), "name": "Acme" }]))
            }
            _ => success(json!({ "id": "b".repeat(32), "name": "checkout" })),
        }
    };
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

/// A folder with wrangler's login in it, and the file.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".config/.wrangler/config");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("default.toml");
    std::fs::write(&file, login(OLD)).unwrap();
    (home, file)
}

fn login(token: &str) -> String {
    format!("oauth_token = \"{token}\"\nexpiration_time = \"2999-01-01T00:00:00.000Z\"\n")
}

fn run(home: &Path, server: &MockServer, arguments: &[&str]) -> Output {
    command(home, server, arguments).output().unwrap()
}

pub(super) fn command(home: &Path, server: &MockServer, arguments: &[&str]) -> Command {
    let mut command = Command::new(BIN);
    command
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .env("CLOUDFLARE_API_BASE_URL", server.uri())
        .stdin(Stdio::null());
    command
}

async fn sent(server: &MockServer, place: &str) -> Vec<String> {
    let all = server.received_requests().await.unwrap();
    let here = all
        .iter()
        .filter(|request| request.url.path().ends_with(place));
    here.map(|request| {
        request.headers["authorization"]
            .to_str()
            .unwrap()
            .replace("Bearer ", "")
    })
    .collect()
}

#[tokio::test]
async fn a_login_that_was_renewed_in_between_is_taken() {
    let (home, file) = home();
    let server = server("/accounts", file, Some(login(NEW))).await;
    let output = run(home.path(), &server, &["list", "accounts"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Acme"));
    assert_eq!(sent(&server, "/accounts").await, [OLD, NEW]);
}

#[tokio::test]
async fn a_login_that_is_the_same_is_reported_with_what_renews_it() {
    let mut wording = wording!();
    let (home, file) = home();
    let server = server("/accounts", file, None).await;
    for arguments in [&["list", "accounts"][..], &["doctor"]] {
        let output = run(home.path(), &server, arguments);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stdout) + &text(&output.stderr);
        wording.add(&told);
        assert!(!told.contains(OLD), "{told}");
    }
    assert_eq!(
        sent(&server, "/accounts").await,
        [OLD, OLD],
        "once by each command"
    );
    // An expired one is none to try.
    let expired =
        format!("oauth_token = \"{NEW}\"\nexpiration_time = \"2001-01-01T00:00:00.000Z\"\n");
    let (home, file) = self::home();
    let server = self::server("/accounts", file, Some(expired)).await;
    let output = run(home.path(), &server, &["list", "accounts"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(sent(&server, "/accounts").await, [OLD]);
}

#[tokio::test]
async fn a_capture_is_sent_once_and_reports_the_newer_login() {
    let mut wording = wording!();
    let (home, file) = home();
    let server = server("/profile", file, Some(login(NEW))).await;
    let capture = ["capture", "--worker", "checkout", "--duration", "1s"];
    let output = run(home.path(), &server, &capture);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    wording.add(&told);
    assert!(
        told.contains("8c1f0d2e-AMS") && !told.contains(OLD) && !told.contains(NEW),
        "{told}"
    );
    assert_eq!(sent(&server, "/profile").await, [OLD]);
    assert!(run(home.path(), &server, &capture).status.success());
    assert_eq!(sent(&server, "/profile").await, [OLD, NEW]);
}

#[tokio::test]
#[cfg(unix)]
async fn what_is_no_token_is_named_and_never_sent() {
    use std::os::unix::ffi::OsStrExt as _;
    let mut wording = wording!();
    let (home, file) = home();
    let server = server("/none", file, None).await;
    let mistakes: [&[u8]; 5] = [
        b"cfk_0123456789",
        b"Bearer cfut_secret",
        b"cfut_\xff\xfe",
        b"\"cfut_secret\"",
        b"cfut_se cret",
    ];
    let token_file = home.path().join("token");
    for mistake in mistakes {
        std::fs::write(&token_file, mistake).unwrap();
        let by_file = [
            "list",
            "accounts",
            "--token-file",
            token_file.to_str().unwrap(),
        ];
        let mut by_variable = command(home.path(), &server, &["list", "accounts"]);
        by_variable.env("CLOUDFLARE_API_TOKEN", std::ffi::OsStr::from_bytes(mistake));
        for mut command in [by_variable, command(home.path(), &server, &by_file)] {
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{mistake:?}");
            let said = text(&output.stderr).replace(token_file.to_str().unwrap(), "[file]");
            assert!(
                !said.contains("secret") && !said.contains("0123456789"),
                "{said}"
            );
            wording.add(said);
        }
    }
    assert_eq!(server.received_requests().await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_folder_uses_the_login_that_it_is_bound_to() {
    let (home, file) = home();
    let work = home.path().canonicalize().unwrap().join("work");
    std::fs::create_dir_all(work.join("src")).unwrap();
    std::fs::write(file.with_file_name("client.toml"), login(NEW)).unwrap();
    let bindings = file
        .parent()
        .unwrap()
        .with_file_name("profiles/directory-bindings.json");
    std::fs::create_dir_all(bindings.parent().unwrap()).unwrap();
    std::fs::write(
        &bindings,
        json!({ work.to_str().unwrap(): "client" }).to_string(),
    )
    .unwrap();
    let server = server("/none", file, None).await;
    for (folder, token) in [(work.join("src"), NEW), (home.path().to_owned(), OLD)] {
        let output = command(home.path(), &server, &["list", "accounts"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(
            sent(&server, "/accounts").await.pop().unwrap(),
            token,
            "{folder:?}"
        );
    }
}
