//! Metrics that stand on several places of one screen are the same figures.

use crate::session::Session;
use crate::wording::wording;

const LOW: (u16, u16) = (80, 24);

#[test]
fn the_whole_counts_the_rows_that_the_table_has() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", LOW);
    for _ in 0..5 {
        session.press("g");
        let rows = session.profile().table.rows.len();
        wording.lines(&session.screen(), &format!(" {rows} "));
        session.press("p");
    }
}

#[test]
fn seen_from_the_leaves_a_function_has_the_own_time_of_its_row() {
    let mut session = Session::captured("checkout-api.cpu", LOW);
    session.press("b g j");
    // 5.095 of 8.003 s, by the recording's expected figures.
    assert_eq!(session.selected(), "validateAddress");
    let message = session
        .screen()
        .lines()
        .nth(6)
        .unwrap_or_default()
        .to_owned();
    assert!(message.matches("63.7").count() >= 1, "{message}");
}

#[test]
fn what_hidden_frames_hold_is_not_called_their_callers_own_lines() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", LOW);
    wording.lines(&session.screen(), "! validateAddress");
    session.go_to("validateAddress");
    session.press("x");
    // 67.8 %: what handleCheckout calls is in it.
    wording.lines(&session.screen(), "! handleCheckout");
}

#[test]
fn a_function_that_nobody_calls_says_so_between_callers_and_callees() {
    let mut wording = wording!();
    let mut session = Session::captured("checkout-api.cpu", (120, 40));
    session.go_to("fetch");
    session.press("B");
    let between = |session: &Session| {
        let screen = session.screen();
        screen
            .lines()
            .skip(1)
            .take(8)
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("\n")
    };
    wording.add(between(&session));
    let mut session = Session::captured("checkout-api.cpu", (120, 40));
    session.go_to("validateAddress");
    session.press("B");
    wording.add(between(&session));
}

#[test]
fn a_comparison_of_two_workers_names_both_in_a_narrow_title() {
    let mut session = Session::captured("checkout-api.cpu", LOW);
    session.compare();
    let title = session
        .screen()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    assert!(title.contains('→'), "{title}");
    session
        .state
        .profile
        .as_mut()
        .unwrap()
        .compare
        .as_mut()
        .unwrap()
        .base
        .name = "storefront".to_owned();
    let title = session
        .screen()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    assert!(
        title.contains("storefront") && title.contains("→ checkout-api"),
        "{title}"
    );
}

#[test]
fn a_profile_opens_on_the_function_with_the_most_own_time_wherever_that_was_spent() {
    for (recording, function) in [
        ("deep-parser.cpu", "parsePrimary"),
        ("checkout-api.cpu", "validateAddress"),
    ] {
        let session = Session::captured(recording, LOW);
        assert_eq!(session.selected(), function, "{}", session.screen());
    }
}

#[test]
fn a_copied_name_is_no_command_where_it_is_pasted() {
    use flarescope::app::Effect;
    for file in [
        "malformed/n02-newline-tab-nul.pb",
        "malformed/n01-terminal-escapes.pb",
    ] {
        let mut session = Session::of_file(file, LOW);
        let (mut copied, mut mended) = (0, 0);
        for _ in 0..12 {
            for wish in session.press("y") {
                let Effect::Copy(_, text) = wish else {
                    continue;
                };
                assert!(!text.chars().any(char::is_control), "{text:?}");
                copied += 1;
                mended += usize::from(text.contains(['␛', '␊', '␉', '␀', '␇', '\u{fffd}']));
            }
            session.press("tab j");
            session.press("tab");
        }
        assert!(
            copied >= 12 && mended > 0,
            "{file}: {copied} names, {mended} with substitutes"
        );
    }
}
