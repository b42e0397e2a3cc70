//! The commands, each in a process of its own: how they end, and what they say then.

use std::process::{Command, Output, Stdio};

use flarescope::demo::Standin;
use serde_json::Value;

use crate::{READS, remedy, standin};

fn run(standin: &Standin, named: bool, arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .env("CLOUDFLARE_API_BASE_URL", &standin.base_url)
        .env("CLOUDFLARE_API_TOKEN", &standin.token)
        .current_dir(home.path())
        .stdin(Stdio::null());
    if named {
        command.env("CLOUDFLARE_ACCOUNT_ID", &standin.account_id);
    }
    let output = command.output().unwrap();
    let all = format!("{output:?}");
    assert!(
        !all.contains(&standin.token) && !all.contains("panicked"),
        "{arguments:?}: {all}"
    );
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every fault of a read but the slow one: commands wait half a minute for an answer.
fn each(meets: impl Fn(&str, &str, bool) + Sync) {
    std::thread::scope(|scope| {
        for (fault, reason, answered) in READS.iter().filter(|(fault, ..)| *fault != "slow") {
            let meets = &meets;
            scope.spawn(move || meets(fault, reason, *answered));
        }
    });
}

/// A command that needs this call fails with each fault: once as text, once as JSON.
fn fails(call: &str, named: bool, arguments: &[&str]) {
    each(|fault, reason, answered| {
        let standin = standin(&format!("{fault}@{call}"));
        let output = run(&standin, named, &[arguments, &["--json"]].concat());
        let why = format!("{arguments:?} with {fault} at {call}: {output:?}");
        assert_eq!(output.status.code(), Some(1), "{why}");
        let told = text(&output.stderr);
        assert!(
            told.starts_with("flarescope: ") && told.contains(reason),
            "{why}"
        );
        let remedy = if fault == "401" {
            "set CLOUDFLARE_API_TOKEN to it and start again"
        } else {
            remedy(fault)
        };
        assert!(told.contains(remedy), "no `{remedy}`: {why}");
        assert_eq!(told.contains("-DEM"), answered, "{why}");
        assert!(told.lines().count() <= 3, "{why}");
        let error = &serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"];
        assert!(error["message"].as_str().unwrap().contains(reason), "{why}");
        assert_eq!(error["ray"].is_string(), answered, "{why}");
    });
}

#[test]
fn accounts() {
    fails("accounts", false, &["list", "accounts"]);
    // A command that has to ask which account there is.
    fails("accounts", false, &["list", "workers"]);
}

#[test]
fn workers_and_versions() {
    fails("workers", true, &["list", "workers"]);
    fails(
        "workers",
        true,
        &["list", "versions", "--worker", "checkout-api"],
    );
    fails(
        "versions",
        true,
        &["list", "versions", "--worker", "checkout-api"],
    );
    fails(
        "deployments",
        true,
        &["list", "versions", "--worker", "checkout-api"],
    );
}

#[test]
fn namespaces_and_objects() {
    fails("namespaces", true, &["list", "namespaces"]);
    fails(
        "namespaces",
        true,
        &["list", "objects", "--namespace", "Cart"],
    );
    fails("objects", true, &["list", "objects", "--namespace", "Cart"]);
}

#[test]
fn what_a_capture_has_to_know_first() {
    for call in ["workers", "versions", "deployments"] {
        fails(
            call,
            true,
            &["capture", "--worker", "checkout-api", "--duration", "1s"],
        );
    }
    let object = [
        "capture",
        "--worker",
        "checkout-api",
        "--duration",
        "1s",
        "--namespace",
        "Cart",
        "--object",
        "cart:8812",
    ];
    fails("namespaces", true, &object);
}

#[test]
fn without_figures_the_lists_come_all_the_same() {
    each(|fault, reason, answered| {
        let standin = standin(&format!("{fault}@analytics"));
        for (arguments, rows) in [
            (&["list", "workers", "--json"][..], 64),
            (
                &["list", "versions", "--worker", "checkout-api", "--json"],
                41,
            ),
            (
                &[
                    "list",
                    "objects",
                    "--namespace",
                    "Cart",
                    "--limit",
                    "20",
                    "--json",
                ],
                20,
            ),
        ] {
            let output = run(&standin, true, arguments);
            let why = format!("{arguments:?} with {fault}: {output:?}");
            assert_eq!(output.status.code(), Some(0), "{why}");
            let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(listed.as_array().unwrap().len(), rows, "{why}");
            let told = text(&output.stderr);
            assert!(told.contains("the traffic figures stay empty"), "{why}");
            let reason = if fault == "json-200" {
                "refused the question (HTTP 200, code 10398"
            } else {
                reason
            };
            assert!(told.contains(reason), "{why}");
            let remedy = match fault {
                "401" => "set CLOUDFLARE_API_TOKEN to it",
                "403" => "Account Analytics Read",
                "json-200" => "Everything works without",
                fault => remedy(fault),
            };
            assert!(told.contains(remedy), "no `{remedy}`: {why}");
            assert_eq!(told.contains("-DEM"), answered, "{why}");
        }
    });
}

#[test]
fn the_doctor_says_what_to_do_about_everything_that_is_not_in_order() {
    for (call, check) in [
        ("token", "validity"),
        ("workers", "workers"),
        ("versions", "versions"),
        ("deployments", "deployments"),
        ("namespaces", "objects"),
        ("analytics", "analytics"),
    ] {
        each(|fault, reason, answered| {
            let standin = standin(&format!("{fault}@{call}"));
            let output = run(&standin, true, &["doctor", "--json"]);
            let found: Value = serde_json::from_slice(&output.stdout).unwrap();
            let why = format!("{fault} at {call}: {found:#}");
            let checks = found["checks"].as_array().unwrap();
            let odd: Vec<&Value> = checks
                .iter()
                .filter(|check| check["status"] != "ok")
                .collect();
            assert!(
                odd.iter()
                    .all(|check| check["hint"].as_str().is_some_and(|hint| !hint.is_empty())),
                "{why}"
            );
            // What stands between the program and the API is a matter of the network.
            let between = call == "token" && matches!(fault, "html" | "redirect" | "reset");
            let name = if between { "network" } else { check };
            let told = odd
                .iter()
                .find(|check| check["name"] == name)
                .unwrap_or_else(|| panic!("no {name}: {why}"));
            let reason = if fault == "json-200" && call == "analytics" {
                "code 10398"
            } else {
                reason
            };
            assert!(told["message"].as_str().unwrap().contains(reason), "{why}");
            assert_eq!(told.to_string().contains("-DEM"), answered, "{why}");
            let failed = odd.iter().any(|check| check["status"] == "failed");
            assert_eq!(output.status.code(), Some(i32::from(failed)), "{why}");
            assert_eq!(found["ok"], !failed, "{why}");
        });
    }
}

#[test]
fn all_faults_in_turn_leave_every_command_with_words() {
    let standin = standin("all");
    for arguments in [
        &["list", "accounts"][..],
        &["list", "workers"],
        &["list", "versions", "--worker", "checkout-api"],
        &["list", "namespaces"],
        &["list", "objects", "--namespace", "Cart"],
        &["doctor"],
    ] {
        for _ in 0..3 {
            let output = run(&standin, true, arguments);
            let told = text(&output.stderr) + &text(&output.stdout);
            match output.status.code() {
                Some(0) => {}
                Some(1) => assert!(told.lines().count() > 1, "{arguments:?}: {told}"),
                code => panic!("{arguments:?} ends with {code:?}: {told}"),
            }
        }
    }
}
