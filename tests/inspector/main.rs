//! A local runtime's inspector, scripted: the order of commands, and every way in which it can go wrong.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

mod captures;
mod commands;
mod fake;
mod lists;
mod quit;
#[path = "../support/wording.rs"]
mod wording;

use std::time::Duration;

use fake::{Fake, Script, Turn};
use flarescope::inspector::{Address, Captured, Inspector, InspectorError, Settings};
use flarescope::model::cloudflare::Kind;

/// Long enough to be in the middle of, short enough to wait for.
const WINDOW: Duration = Duration::from_millis(80);

fn inspector(fake: &Fake) -> Inspector {
    let settings = Settings {
        connect_timeout: Duration::from_secs(5),
        reply_timeout: Duration::from_millis(800),
        profile_timeout: Duration::from_millis(800),
        farewell: Duration::from_millis(300),
    };
    Inspector::new(
        Address::parse(&fake.address.to_string(), false).unwrap(),
        settings,
    )
}

async fn capture(fake: &Fake, kind: Kind) -> Result<Captured, InspectorError> {
    let inspector = inspector(fake);
    let targets = inspector.targets().await.unwrap();
    inspector
        .capture(&targets.list[0], kind, WINDOW, std::future::pending())
        .await
}

/// What a CPU capture comes to when something happens at a command.
async fn mishap(
    command: &'static str,
    occurrence: usize,
    turn: Turn,
) -> (InspectorError, Vec<String>) {
    let fake = Fake::start(Script {
        turn: Some((command, turn)),
        occurrence,
        ..Script::default()
    })
    .await;
    let error = capture(&fake, Kind::Cpu).await.unwrap_err();
    (error, fake.log())
}
