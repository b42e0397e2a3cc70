//! Random keys: no percentage is above the whole, every interval is that of its counts, and both panes have one selection.

use flarescope::app::{Pane, PercentBase};
use flarescope::model::graph::call_tree::NodeId;
use flarescope::model::text::share::wilson_half_width;

use crate::session::Session;

const SIZE: (u16, u16) = (120, 40);
const FILES: [&str; 5] = [
    "recordings/checkout-api.cpu.pprof.gz",
    "recordings/checkout-api.heap.pprof.gz",
    "recordings/deep-parser.cpu.pprof.gz",
    "recordings/edge-metrics.heap.pprof.gz",
    "found/n100-three-unnamed.cpuprofile",
];
/// Moves, zooms, bases, directions, sandwich, filters, identities, panes, details.
const KEYS: [&str; 27] = [
    "j",
    "j",
    "j",
    "k",
    "l",
    "h",
    "enter",
    "enter",
    "backspace",
    "z",
    "%",
    "%",
    "b",
    "B",
    "esc",
    "S",
    "s",
    "tab",
    "f",
    "i",
    "x",
    "u",
    "r",
    "I",
    "p",
    "V",
    "D",
];

/// A generator of numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % count as u64).unwrap()
    }
}

#[test]
fn whatever_is_pressed_shares_and_intervals_are_of_one_base() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..60 {
        let file = FILES[random.below(FILES.len())];
        let mut session = Session::of_file(file, SIZE);
        let mut script = String::new();
        for _ in 0..14 {
            let key = KEYS[random.below(KEYS.len())];
            script = format!("{script} {key}");
            session.press(key);
            check(&session, &format!("{file}:{script}"));
        }
    }
}

/// Checks what is drawn against the counts.
fn check(session: &Session, script: &str) {
    let drawn = session.screen();
    for word in drawn.split([' ', '\u{a0}', '━', '▏', '─', '│']) {
        let Some(digits) = word.strip_suffix('%') else {
            continue;
        };
        let Ok(percentage) = digits.parse::<f64>() else {
            continue;
        };
        assert!(percentage <= 100.0, "{script}: {word} in\n{drawn}");
    }
    let Some(profile) = session.state.profile.as_ref() else {
        return;
    };
    let is_plain = profile.sandwich.is_none() && session.state.overlays.is_empty();
    let (reading, tree) = (&profile.reading, &profile.reading.tree);
    let base = profile.base().0.value;
    for row in profile.table.rows.iter().filter(|_| is_plain) {
        let most = row.total.abs().max(row.self_value.abs());
        assert!(
            i128::from(most) <= base,
            "{script}: {row:?} of {base}\n{drawn}"
        );
    }
    if profile.pane == Pane::Table
        && is_plain
        && let Some(row) = profile.table.current()
    {
        let selected = tree.frame(profile.selected_node());
        assert_eq!(
            selected,
            Some(row.frame),
            "{script}: one selection\n{drawn}"
        );
    }
    let all = match profile.percent_base {
        PercentBase::Capture => reading.all_samples,
        PercentBase::Zoom => tree.total_samples(profile.zoom),
        PercentBase::Shown => tree.total_samples(NodeId::ROOT),
    };
    let Ok(all) = u64::try_from(all) else { return };
    for line in drawn.lines() {
        // A row of the table: samples first, the interval as its own word.
        let words: Vec<&str> = line.split_whitespace().collect();
        let interval = words.iter().find_map(|word| word.strip_prefix('±'));
        let (Some(first), Some(interval)) = (words.first(), interval) else {
            continue;
        };
        let Ok(own) = first
            .trim_start_matches('▸')
            .replace(',', "")
            .parse::<u64>()
        else {
            continue;
        };
        if interval.is_empty() || !is_plain {
            continue;
        }
        let expected = format!("{:.1}", wilson_half_width(own, all) * 100.0);
        assert_eq!(interval, expected, "{script}: {line}\n{drawn}");
    }
}
