//! Go's regular expressions in Rust's syntax, so that a filter means here what it means to `go tool pprof`.
//!
//! What differs: `\w \d \s \b` know ASCII only, `\Q…\E` quotes, `{` is itself where it counts nothing, `\<` is `<`, and
//! in a class `[` `&&` `--` `~~` are plain characters.

use std::iter::Peekable;
use std::str::Chars;

/// Rewrites an expression. What is wrong with it stays wrong, for the compiler to say.
pub(super) fn translate(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 16);
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => escape(&mut rest, &mut out, false),
            '[' => class(&mut rest, &mut out),
            '{' if !counts(rest.clone()) => out.push_str(r"\{"),
            _ => out.push(c),
        }
    }
    out
}

/// Tells whether what follows a brace makes it a count: `3}`, `3,}` or `3,5}`.
fn counts(rest: Peekable<Chars<'_>>) -> bool {
    let inside: String = rest.take_while(|c| *c != '}' || *c == '\n').collect();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match inside.split_once(',') {
        Some((least, most)) => !least.is_empty() && digits(least) && digits(most),
        None => !inside.is_empty() && digits(&inside),
    }
}

/// Rewrites what follows a backslash.
fn escape(rest: &mut Peekable<Chars<'_>>, out: &mut String, in_class: bool) {
    let Some(c) = rest.next() else {
        out.push('\\');
        return;
    };
    let (inside, negated) = match c {
        'd' | 'D' => ("0-9", c == 'D'),
        'w' | 'W' => ("0-9A-Za-z_", c == 'W'),
        's' | 'S' => (r"\t\n\f\r ", c == 'S'),
        'b' | 'B' if !in_class => {
            out.push_str(if c == 'b' { r"(?-u:\b)" } else { r"(?-u:\B)" });
            return;
        }
        'Q' if !in_class => {
            let quoted = quoted(rest);
            out.push_str(&regex::escape(&quoted));
            return;
        }
        '<' | '>' => {
            out.push(c);
            return;
        }
        _ => {
            out.push('\\');
            out.push(c);
            return;
        }
    };
    match (in_class, negated) {
        (true, false) => out.push_str(inside),
        (_, true) => {
            out.push_str("[^");
            out.push_str(inside);
            out.push(']');
        }
        (false, false) => {
            out.push('[');
            out.push_str(inside);
            out.push(']');
        }
    }
}

/// Takes everything up to `\E`, or to the end.
fn quoted(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut text = String::new();
    while let Some(c) = rest.next() {
        if c == '\\' && rest.next_if_eq(&'E').is_some() {
            break;
        }
        text.push(c);
    }
    text
}

/// Rewrites a bracketed class, whose opening bracket has been read.
fn class(rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    out.push('[');
    if rest.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    // A bracket that comes first is one of the characters.
    if rest.next_if_eq(&']').is_some() {
        out.push_str(r"\]");
    }
    let mut before = None;
    while let Some(c) = rest.next() {
        match c {
            ']' => {
                out.push(']');
                return;
            }
            '\\' => escape(rest, out, true),
            '[' if rest.peek() == Some(&':') => {
                // `[:alpha:]`, the same in both; its own `]` does not end the class.
                out.push('[');
                for c in rest.by_ref() {
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            '[' => out.push_str(r"\["),
            '&' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '-' if before == Some('-') => out.push_str(r"\-"),
            _ => out.push(c),
        }
        before = Some(c);
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::translate;

    #[test]
    fn an_expression_means_what_it_means_to_go() {
        for (expression, matching, other) in [
            (r"^\w+$", "fetch_1", "обработать"),
            (r"^\W+$", "обработать", "fetch"),
            (r"^\d$", "7", "٣"),
            (r"^[\w.]+$", "a.b", "é"),
            (r"^[\W]$", "é", "a"),
            (r"^\Qa.b(c\E$", "a.b(c", "axb(c"),
            (r"\Q{closure}", "{closure}", "closure"),
            (r"^{closure}#1$", "{closure}#1", "closure#1"),
            (r"^a{2}$", "aa", "a{2}"),
            (r"^a{,2}$", "a{,2}", "aa"),
            (r"^[[]x]?$", "[x]", "x"),
            (r"^[]a]+$", "]a", "b"),
            (r"^[a&&b]+$", "a&b", "c"),
            (r"^[[:alpha:]]+$", "Ab", "1"),
            (r"^\<init\>$", "<init>", "init"),
            (r"\bmain\b", "a main b", "mainly"),
            (r"[^\s]", "x", " "),
            (r"^(?i)PARSE", "parse", "xparse"),
        ] {
            let regex = Regex::new(&translate(expression)).unwrap_or_else(|fault| panic!("{expression}: {fault}"));
            assert!(regex.is_match(matching), "{expression} on {matching}");
            assert!(!regex.is_match(other), "{expression} on {other}");
        }
    }

    #[test]
    fn what_is_wrong_stays_wrong() {
        for expression in ["(", "[a", "a**(", r"\"] {
            assert!(Regex::new(&translate(expression)).is_err(), "{expression}");
        }
    }
}
