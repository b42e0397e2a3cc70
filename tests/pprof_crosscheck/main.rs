//! Every row, call and stack of every profile in the fixtures, of shapes that producers write, and of random ones, against
//! the reference implementation: `go tool pprof -top`, `-peek` and `-traces`.
//!
//! Ignored where Go is not installed; with FLARESCOPE_TEST_ALL=1 that fails.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of a test fail the test, and say which seed did"
)]

mod check;
mod expressions;
mod files;
mod labels;
mod producers;
mod random;
mod reference;
mod told;
#[path = "../support/tools.rs"]
mod tools;
mod wire;

use std::process::ExitCode;

use reference::Pprof;
use tools::tool_test;

fn main() -> ExitCode {
    let go = Pprof::lacks();
    tools::run(vec![
        tool_test!(
            expressions::an_expression_is_found_where_go_finds_it,
            go.clone()
        ),
        tool_test!(expressions::the_reference_s_own_figures_are_ours, None),
        tool_test!(files::every_row_call_and_stack_is_the_same, go.clone()),
        tool_test!(files::filters_leave_the_same, go.clone()),
        tool_test!(files::changes_are_those_of_a_difference, go.clone()),
        tool_test!(
            files::a_written_difference_is_the_one_it_makes_itself,
            go.clone()
        ),
        tool_test!(
            files::several_captures_add_up_to_what_a_merge_says,
            go.clone()
        ),
        tool_test!(producers::shapes_of_every_producer_are_the_same, go.clone()),
        tool_test!(random::random_profiles_are_the_same, go.clone()),
        tool_test!(told::tags_of_every_form_are_told_apart_alike, go.clone()),
        tool_test!(told::frames_are_dropped_and_kept_alike, go.clone()),
    ])
}
