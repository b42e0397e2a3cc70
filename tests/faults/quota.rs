//! Calls that run out: they are those of all the user's tools.

use flarescope::api::{Client, Settings};
use flarescope::demo::{DemoServer, Options};
use flarescope::model::text::secret::Secret;

use crate::screen::seen;
use crate::wording::wording;

/// How many calls have been answered, before this one that asks.
fn calls(demo: &DemoServer) -> u64 {
    let secret = Secret::new(&demo.token).unwrap();
    let client = Client::new(Settings::new(&demo.base_url, secret)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(client.accounts()).unwrap();
    let quota = client.quota().unwrap();
    quota.limit.unwrap() - quota.remaining - 1
}

fn with_calls(calls: u64) -> DemoServer {
    DemoServer::start(&Options {
        calls,
        time_scale: 0.02,
        ..Options::default()
    })
    .unwrap()
}

#[test]
fn below_a_tenth_of_the_calls_walking_asks_for_nothing_and_a_capture_still_works() {
    let mut wording = wording!();
    let demo = with_calls(119);
    let before = 1200 - 119;
    let walked = seen(&demo, true, "j j j j j j j j");
    let reason = " 1,200 ";
    assert_eq!(
        walked.line.matches(reason).count(),
        1,
        "it is said once\n{}",
        walked.rows
    );
    let asked_for = seen(&crate::sound(), true, "j j j j j j j j");
    // How many are left by then, the pages of the list decide that still were under way.
    let some = |word: &str| match word.parse::<u32>() {
        Ok(_) => "[some]".to_owned(),
        Err(_) => word.to_owned(),
    };
    let without_numbers = |rows: &str| rows.split(' ').map(some).collect::<Vec<_>>().join(" ");
    wording.news(
        &without_numbers(&asked_for.rows),
        &without_numbers(&walked.rows),
    );
    // Three pages of Workers, and their figures.
    assert_eq!(calls(&demo) - before, 4, "\n{}", walked.rows);

    seen(&demo, true, "c enter").has("validateAddress", "a capture is asked for by hand");

    // A tenth is not below a tenth.
    let demo = with_calls(160);
    let walked = seen(&demo, true, "j j");
    assert!(!walked.line.contains(reason), "\n{}", walked.rows);
}

#[test]
fn without_any_call_left_the_wait_is_reported_and_counted_down() {
    let mut wording = wording!();
    let demo = with_calls(0);
    let refused = seen(&demo, true, "");
    refused.has("300", "the wait");
    // Whether the figures were refused as well by then, the line below may say or not.
    let sheet: Vec<&str> = refused
        .rows
        .lines()
        .take_while(|row| !row.trim_start().starts_with('!') && !row.starts_with(" enter next"))
        .collect();
    wording.news(&seen(&crate::sound(), true, "").rows, &sheet.join("\n"));
}
