//! What walking through the list costs of the calls that all of the user's tools share.
#![cfg(target_os = "linux")]

use std::time::Duration;

use flarescope::api::{Client, Settings};
use flarescope::model::text::secret::Secret;

use crate::relay::Place;

/// How fast a held key repeats.
const REPEAT: Duration = Duration::from_millis(33);

/// How many calls have been answered, before this one that asks.
fn calls(place: &Place) -> u64 {
    let base = &place
        .variables
        .iter()
        .find(|(name, _)| *name == "CLOUDFLARE_API_BASE_URL")
        .unwrap()
        .1;
    let client = Client::new(Settings::new(base, Secret::new(&place.token).unwrap())).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(client.accounts()).unwrap();
    let quota = client.quota().unwrap();
    quota.limit.unwrap() - quota.remaining - 1
}

#[test]
fn a_key_that_is_held_from_the_first_worker_to_the_last_costs_twelve_calls_at_most() {
    let place = Place::new("0.02");
    let mut terminal = place.screen();
    terminal.settle();
    let started = calls(&place);
    for _ in 0..64 {
        terminal.send("j");
        // Not a wait for anything: this is how long the key rests between two of its repeats.
        terminal.speaks_within(REPEAT);
        std::thread::sleep(REPEAT);
    }
    terminal.wait_for("preview-docs");
    terminal.settle();
    let all = calls(&place) - 1;
    // The last Worker's own details; nothing for those that were only passed.
    assert!(
        all - started <= 4,
        "{started} calls for the start, {all} in all"
    );
    assert!(all <= 12, "{started} calls for the start, {all} in all");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}
