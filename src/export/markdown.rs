//! A view as a report in Markdown, to paste into an incident's channel or ticket.

use std::fmt::Write as _;

use crate::export::Scene;
use crate::export::rows::rows;
use crate::export::sketch::sketch;

/// Rows of the table.
const ROWS: usize = 15;
/// Width of the icicle: what a ticket shows without scrolling.
const COLUMNS: u16 = 90;
/// Levels of the icicle.
const LEVELS: u16 = 24;

/// Returns a view as Markdown. Names are in code spans, so that none becomes markup or a mention.
#[must_use]
pub fn markdown(scene: &Scene<'_>) -> Vec<u8> {
    let mut out = String::new();
    // Writing to a string can't fail, here and below.
    let _ = writeln!(
        out,
        "## {}\n\n{}\n",
        code_span(&scene.caption.title),
        code_span(&scene.caption.facts)
    );
    if scene.reading.tree.weight(scene.root) == 0 {
        out.push_str("This view holds no samples.\n");
        return out.into_bytes();
    }
    let findings = &scene.caption.findings;
    if let Some(headline) = &findings.headline {
        let _ = writeln!(out, "**{}**\n", code_span(headline));
    }
    let details = scene.caption.about.iter().flat_map(|about| &about.details);
    for (name, value) in details.clone() {
        let _ = writeln!(out, "- {name}: {}", code_span(value));
    }
    for hint in &findings.hints {
        let _ = writeln!(out, "- {}", code_span(hint));
    }
    if !findings.hints.is_empty() || details.count() > 0 {
        out.push('\n');
    }
    let (table, all) = rows(scene, ROWS);
    out += &table.markdown(all);
    let picture = sketch(scene, COLUMNS, LEVELS);
    let fence = "`".repeat(longest_run(&picture).max(2) + 1);
    let _ = writeln!(out, "\n{fence}text\n{picture}{fence}");
    if let Some(command) = &scene.caption.command {
        let _ = writeln!(out, "\nSee it on the screen: {}", code_span(command));
    }
    out.push_str("\nPercentages are of the whole capture, idle time included.\n");
    out.into_bytes()
}

/// Puts text into a code span.
#[must_use]
pub fn code_span(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    // Blanks part a name's own backticks from the fence's and are not shown.
    let blank = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Counts the backticks of the longest row of them.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_backticks_stays_in_its_span() {
        assert_eq!(code_span("fetch"), "`fetch`");
        assert_eq!(code_span("a``b`c"), "```a``b`c```");
        assert_eq!(code_span("`x`"), "`` `x` ``");
    }
}
