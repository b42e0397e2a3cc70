//! The commands, each in a process of its own: how they end, and what they say then.

use std::process::{Command, Output, Stdio};

use flarescope::demo::DemoServer;
use serde_json::Value;

use crate::wording::{Wording, wording};
use crate::{READS, demo};

fn run(demo: &DemoServer, named: bool, arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_flarescope"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .env("CLOUDFLARE_API_BASE_URL", &demo.base_url)
        .env("CLOUDFLARE_API_TOKEN", &demo.token)
        .current_dir(home.path())
        .stdin(Stdio::null());
    if named {
        command.env("CLOUDFLARE_ACCOUNT_ID", &demo.account_id);
    }
    let output = command.output().unwrap();
    let all = format!("{output:?}");
    assert!(
        !all.contains(&demo.token) && !all.contains("panicked"),
        "{arguments:?}: {all}"
    );
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every fault of a read but the slow one: commands wait half a minute for an answer.
/// What is told of each is added to the wording.
fn each(wording: &mut Wording, meets: impl Fn(&str, bool) -> String + Sync) {
    let faults = READS.iter().filter(|(fault, _)| *fault != "slow");
    std::thread::scope(|scope| {
        let meets = &meets;
        let all: Vec<_> = faults
            .map(|(fault, answered)| (fault, scope.spawn(move || meets(fault, *answered))))
            .collect();
        for (fault, told) in all {
            wording.case(fault, told.join().unwrap());
        }
    });
}

/// A command that needs this call fails with each fault: once as text, once as JSON.
fn fails(wording: &mut Wording, call: &str, named: bool, arguments: &[&str]) {
    wording.add(format_args!("# {call}: {}", arguments.join(" ")));
    each(wording, |fault, answered| {
        let demo = demo(&format!("{fault}@{call}"));
        let output = run(&demo, named, &[arguments, &["--json"]].concat());
        let why = format!("{arguments:?} with {fault} at {call}: {output:?}");
        assert_eq!(output.status.code(), Some(1), "{why}");
        let told = text(&output.stderr);
        assert!(told.starts_with("flarescope: "), "{why}");
        assert_eq!(told.contains("-DEM"), answered, "{why}");
        let lines = told.lines().filter(|line| !line.contains("; waiting"));
        assert!(lines.count() <= 3, "{why}");
        let error = &serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"];
        assert!(told.contains(error["message"].as_str().unwrap()), "{why}");
        assert_eq!(error["ray"].is_string(), answered, "{why}");
        told
    });
}

#[test]
fn accounts() {
    let mut wording = wording!();
    fails(&mut wording, "accounts", false, &["list", "accounts"]);
    // A command that has to ask which account there is.
    fails(&mut wording, "accounts", false, &["list", "workers"]);
}

#[test]
fn workers_and_versions() {
    let mut wording = wording!();
    fails(&mut wording, "workers", true, &["list", "workers"]);
    fails(
        &mut wording,
        "workers",
        true,
        &["list", "versions", "--worker", "checkout-api"],
    );
    fails(
        &mut wording,
        "versions",
        true,
        &["list", "versions", "--worker", "checkout-api"],
    );
    fails(
        &mut wording,
        "deployments",
        true,
        &["list", "versions", "--worker", "checkout-api"],
    );
}

#[test]
fn namespaces_and_objects() {
    let mut wording = wording!();
    fails(&mut wording, "namespaces", true, &["list", "namespaces"]);
    fails(
        &mut wording,
        "namespaces",
        true,
        &["list", "objects", "--namespace", "Cart"],
    );
    fails(
        &mut wording,
        "objects",
        true,
        &["list", "objects", "--namespace", "Cart"],
    );
}

#[test]
fn what_a_capture_has_to_know_first() {
    let mut wording = wording!();
    for call in ["workers", "versions", "deployments"] {
        fails(
            &mut wording,
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
    fails(&mut wording, "namespaces", true, &object);
}

#[test]
fn lists_load_without_metrics() {
    let mut wording = wording!();
    each(&mut wording, |fault, answered| {
        let demo = demo(&format!("{fault}@analytics"));
        let mut all = String::new();
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
            let output = run(&demo, true, arguments);
            let why = format!("{arguments:?} with {fault}: {output:?}");
            assert_eq!(output.status.code(), Some(0), "{why}");
            let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(listed.as_array().unwrap().len(), rows, "{why}");
            let told = text(&output.stderr);

            assert_eq!(told.contains("-DEM"), answered, "{why}");
            all += &told;
        }
        all
    });
}

#[test]
fn the_doctor_says_what_to_do_about_everything_that_is_not_in_order() {
    let mut wording = wording!();
    for (call, check) in [
        ("token", "validity"),
        ("workers", "workers"),
        ("versions", "versions"),
        ("deployments", "deployments"),
        ("namespaces", "objects"),
        ("analytics", "analytics"),
    ] {
        wording.add(format_args!("# {call}"));
        each(&mut wording, |fault, answered| {
            let demo = demo(&format!("{fault}@{call}"));
            let output = run(&demo, true, &["doctor", "--json"]);
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

            assert_eq!(told.to_string().contains("-DEM"), answered, "{why}");
            let failed = odd.iter().any(|check| check["status"] == "failed");
            assert_eq!(output.status.code(), Some(i32::from(failed)), "{why}");
            assert_eq!(found["ok"], !failed, "{why}");
            format!("{}\n{}", told["message"], told["hint"])
        });
    }
}

#[test]
fn all_faults_in_turn_leave_every_command_with_words() {
    let demo = demo("all");
    for arguments in [
        &["list", "accounts"][..],
        &["list", "workers"],
        &["list", "versions", "--worker", "checkout-api"],
        &["list", "namespaces"],
        &["list", "objects", "--namespace", "Cart"],
        &["doctor"],
    ] {
        for _ in 0..3 {
            let output = run(&demo, true, arguments);
            let told = text(&output.stderr) + &text(&output.stdout);
            match output.status.code() {
                Some(0) => {}
                Some(1) => assert!(told.lines().count() > 1, "{arguments:?}: {told}"),
                code => panic!("{arguments:?} ends with {code:?}: {told}"),
            }
        }
    }
}
