//! Other people's programs on what flarescope offers them: Cloudflare's clients on the demo server, shells on the
//! completions, man on the manual.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]

#[path = "../support/demo_server.rs"]
mod demo_server;
mod npm;
#[path = "../support/program.rs"]
mod program;
mod shells;
#[path = "../support/tools.rs"]
mod tools;

use std::process::ExitCode;

use tools::{lacks_program, tool_test};

fn main() -> ExitCode {
    tools::run(vec![
        tool_test!(
            npm::cloudflares_own_library_finds_everything_and_understands_each_refusal,
            npm::lacks_library()
        ),
        tool_test!(
            npm::wrangler_reads_the_account_its_versions_and_deployments,
            npm::lacks_wrangler()
        ),
        tool_test!(shells::completions_know_every_command, None),
        tool_test!(shells::bash_takes_its_completions, lacks_program("bash")),
        tool_test!(shells::zsh_takes_its_completions, lacks_program("zsh")),
        tool_test!(shells::fish_takes_its_completions, lacks_program("fish")),
        tool_test!(shells::bash_offers_what_begins_so, lacks_program("bash")),
        tool_test!(shells::the_manual_has_a_page_for_each_command, None),
        tool_test!(shells::man_shows_its_page, lacks_program("man")),
    ])
}
