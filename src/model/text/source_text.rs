//! The text of a source file, made safe to show: lines without control characters, tabs as blanks.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar as _;

use crate::model::text::sanitize::printable;

/// Columns from one tab stop to the next.
const TAB: usize = 4;
/// Lines that a function is taken to have at most, where its end is looked for.
const FUNCTION_MAX: usize = 2_000;

/// What ends a line of a script, as V8 counts: also both together, CR before LF.
pub const SCRIPT_LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// Returns where the lines of a script begin, in bytes.
#[must_use]
pub fn script_line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices(SCRIPT_LINE_ENDS);
    let starts = ends.map(|(at, end)| at + end.len());
    let is_start =
        |start: &usize| !(text[..*start].ends_with('\r') && text[*start..].starts_with('\n'));
    std::iter::once(0).chain(starts.filter(is_start)).collect()
}

/// A source file in lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    lines: Vec<String>,
    /// The file that it was read from, unless a source map had it.
    pub read_from: Option<String>,
}

impl Code {
    /// Splits a text into lines.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            lines: text.lines().map(shown).collect(),
            read_from: None,
        }
    }

    /// Splits a script's text into lines as V8 does.
    #[must_use]
    pub fn of_script(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let starts = script_line_starts(text);
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let mut lines: Vec<String> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| shown(text[*start..end].trim_end_matches(SCRIPT_LINE_ENDS)))
            .collect();
        if text.is_empty() || text.ends_with(SCRIPT_LINE_ENDS) {
            lines.pop();
        }
        Self {
            lines,
            read_from: None,
        }
    }

    /// Counts the lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line, from 1. Safe to print.
    #[must_use]
    pub fn line(&self, number: i64) -> Option<&str> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.lines.get(at).map(String::as_str)
    }

    /// The last line of the function that starts on a line, by its brackets; the line itself where they never close.
    #[must_use]
    pub fn end_of(&self, start: i64) -> i64 {
        let mut depth = 0_i64;
        let mut opened = false;
        for number in (start..).take(FUNCTION_MAX) {
            let Some(line) = self.line(number) else { break };
            for sign in code_of(line).chars() {
                match sign {
                    '{' => {
                        depth += 1;
                        opened = true;
                    }
                    '}' => depth -= 1,
                    _ => {}
                }
            }
            if opened && depth <= 0 {
                return number;
            }
        }
        start
    }

    /// The next line that holds a text, from a line on and round; letters of either case count as the same where the
    /// text has small ones only.
    #[must_use]
    pub fn find(&self, text: &str, from: i64, backwards: bool) -> Option<i64> {
        let count = i64::try_from(self.lines.len())
            .ok()
            .filter(|count| *count > 0)?;
        let folds = !text.chars().any(char::is_uppercase);
        let holds = |line: &str| {
            if folds {
                line.to_lowercase().contains(text)
            } else {
                line.contains(text)
            }
        };
        let at =
            |step: i64| (from - 1 + if backwards { -step } else { step }).rem_euclid(count) + 1;
        (0..count)
            .map(at)
            .find(|number| self.line(*number).is_some_and(holds))
    }
}

/// A line as it is shown.
fn shown(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut column = 0;
    for c in line.chars() {
        if c == '\t' {
            let blanks = TAB - column % TAB;
            out.extend(std::iter::repeat_n(' ', blanks));
            column += blanks;
        } else {
            out.push(c);
            column += c.width().unwrap_or(0);
        }
    }
    if out.trim().is_empty() {
        return String::new();
    }
    match printable(&out) {
        Cow::Borrowed(_) => out,
        Cow::Owned(safe) => safe,
    }
}

/// A line without its texts and its comment, as far as one line tells: brackets in them do not count.
fn code_of(line: &str) -> String {
    let mut out = String::new();
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for c in line.chars() {
        match quote {
            Some(open) => {
                if c == open && before != '\\' {
                    quote = None;
                }
            }
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '/' && before == '/' => break,
            None => out.push(c),
        }
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_safe_and_tabs_are_blanks() {
        let code = Code::new("\u{feff}\tif x {\r\n日\ty\u{1b}[31m\u{202e}\n\n  \t \nend");
        assert_eq!(code.line(1), Some("    if x {"));
        assert_eq!(code.line(2), Some("日  y␛[31m�"));
        assert_eq!(
            (code.line(3), code.line(4), code.line(5)),
            (Some(""), Some(""), Some("end"))
        );
        assert_eq!(
            (code.line(0), code.line(-1), code.line(6), code.len()),
            (None, None, None, 5)
        );
    }

    #[test]
    fn a_script_has_the_lines_that_v8_counts() {
        for (text, expected) in [
            (
                "a\nb\r\nc\rd\u{2028}e\u{2029}f",
                &["a", "b", "c", "d", "e", "f"][..],
            ),
            ("a\n", &["a"]),
            ("a\r\n\r\nb\r", &["a", "", "b"]),
            ("", &[]),
        ] {
            let code = Code::of_script(text);
            let lines: Vec<_> = (1..).map_while(|number| code.line(number)).collect();
            assert_eq!(lines, expected, "{text:?}");
        }
    }

    #[test]
    fn a_function_ends_where_its_brackets_close() {
        let code = Code::new(
            "function a() {\n  if (x) { y('}') } // }\n}\nconst b = () => 1;\nfunction c(\n  d,\n) {\n}\n{",
        );
        assert_eq!(
            [1, 4, 5, 9, 40].map(|start| code.end_of(start)),
            [3, 8, 8, 9, 40]
        );
    }

    #[test]
    fn lines_are_found_onwards_and_round() {
        let code = Code::new("Alpha\nbeta\nALPHA\ngamma");
        assert_eq!(code.find("alpha", 2, false), Some(3));
        assert_eq!(code.find("alpha", 4, false), Some(1));
        assert_eq!(code.find("Alpha", 2, true), Some(1));
        assert_eq!(code.find("alpha", 2, true), Some(1));
        assert_eq!(code.find("delta", 1, false), None);
        assert_eq!(Code::default().find("a", 1, false), None);
    }
}
