//! Go's regular expressions for the `regex` crate, so that a filter matches here what it matches in `go tool pprof`.
//!
//! Only what the crate reads differently is rewritten; what is wrong with an expression is left for it to refuse. In Go,
//! `\w \d \s \b` know ASCII only, `\Q…\E` quotes, `{` is a plain character where it counts nothing, `\<` is `<`, and a
//! class holds no classes in brackets and no `&&`, `--` or `~~`.

/// Rewrites an expression.
pub(crate) fn from_go(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len() + 16);
    let mut rest = expression;
    while !rest.is_empty() {
        let (one, after) = next(rest);
        rest = after;
        match one {
            "[" => rest = class(after, &mut out),
            "{" if !is_count(after) => out.push_str(r"\{"),
            r"\Q" => {
                let (quoted, after) = after.split_once(r"\E").unwrap_or((after, ""));
                out.push_str(&regex::escape(quoted));
                rest = after;
            }
            r"\b" => out.push_str(r"(?-u:\b)"),
            r"\B" => out.push_str(r"(?-u:\B)"),
            _ if one.starts_with('\\') => push_member(one, &mut out),
            _ => out.push_str(one),
        }
    }
    out
}

/// Rewrites a class whose opening bracket has been read. Returns what comes after it.
fn class<'e>(text: &'e str, out: &mut String) -> &'e str {
    let (open, mut rest) = match text.strip_prefix('^') {
        Some(rest) => ("[^", rest),
        None => ("[", text),
    };
    out.push_str(open);
    // A bracket that comes first is one of the characters.
    let mut first = true;
    while !rest.is_empty() && (first || !rest.starts_with(']')) {
        first = false;
        let named = rest.strip_prefix("[:").and_then(|name| name.find(":]"));
        if let Some(length) = named {
            let (named, after) = rest.split_at(length + 4);
            out.push_str(named);
            rest = after;
            continue;
        }
        let (one, after) = next(rest);
        rest = after;
        push_member(one, out);
        // Before the end and behind a class, a dash is one of the characters.
        let range = rest.strip_prefix('-').filter(|to| !to.starts_with(']'));
        if let Some(range) = range.filter(|_| !is_class(one)) {
            let (last, after) = next(range);
            out.push('-');
            // A class ends no range: the crate refuses that if it sees it.
            match last {
                _ if is_class(last) => out.push_str(last),
                _ => push_member(last, out),
            }
            rest = after;
        }
    }
    let end = rest.len().min(1);
    out.push_str(&rest[..end]);
    &rest[end..]
}

/// Tells whether an escape stands for a class.
fn is_class(member: &str) -> bool {
    member
        .strip_prefix('\\')
        .is_some_and(|escaped| escaped.starts_with(['d', 'D', 's', 'S', 'w', 'W', 'p', 'P']))
}

/// Writes an escape, or a character of a class.
fn push_member(member: &str, out: &mut String) {
    out.push_str(match member {
        r"\d" => "[0-9]",
        r"\D" => "[^0-9]",
        r"\s" => r"[\t\n\f\r\x20]",
        r"\S" => r"[^\t\n\f\r\x20]",
        r"\w" => "[0-9A-Za-z_]",
        r"\W" => "[^0-9A-Za-z_]",
        r"\<" => "<",
        r"\>" => ">",
        _ if member.starts_with('\\') => member,
        _ => return out.push_str(&regex::escape(member)),
    });
}

/// Splits the first character off, with all of an escape such as `\pL` or `\x{1F600}`.
fn next(text: &str) -> (&str, &str) {
    let mut chars = text.chars();
    if chars.next() == Some('\\') {
        let letter = chars.next();
        let braced = matches!(letter, Some('p' | 'P' | 'x'));
        match chars.as_str().strip_prefix('{').filter(|_| braced) {
            Some(name) => chars = name.split_once('}').map_or("", |(_, after)| after).chars(),
            None if matches!(letter, Some('p' | 'P')) => drop(chars.next()),
            None => {}
        }
    }
    text.split_at(text.len() - chars.as_str().len())
}

/// Tells whether a count such as `3}`, `3,}` or `3,5}` comes next. Go knows none without a beginning or with a leading zero.
fn is_count(text: &str) -> bool {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        digits && !text.is_empty() && (text == "0" || !text.starts_with('0'))
    };
    text.split_once('}').is_some_and(|(count, _)| {
        let (least, most) = count.split_once(',').unwrap_or((count, ""));
        number(least) && (most.is_empty() || number(most))
    })
}

#[cfg(test)]
mod tests {
    use crate::model::text::pattern::Pattern;

    #[test]
    fn an_expression_matches_what_it_matches_in_go() {
        for (expression, matching, other) in [
            (r"^\w+$", "fetch_1", "обработать"),
            (r"^\W+$", "обработать", "fetch"),
            (r"^\d$", "7", "٣"),
            (r"^\s$", "\t", "\u{b}"),
            (r"^[\w.]+$", "a.b", "é"),
            (r"^[\W]$", "é", "a"),
            (r"^[^\W]$", "a", "é"),
            (r"^\Qa.b(c\E$", "a.b(c", "axb(c"),
            (r"\Q{closure}", "{closure}", "closure"),
            (r"^{closure}#1$", "{closure}#1", "closure#1"),
            (r"^{{closure}}$", "{{closure}}", "closure"),
            (r"^a{2}$", "aa", "a{2}"),
            (r"^a{,2}$", "a{,2}", "aa"),
            (r"^a{01}$", "a{01}", "a"),
            (r"^a{1,2", "a{1,2", "a"),
            (r"^[[]x]?$", "[x]", "x"),
            (r"^[]a]+$", "]a", "b"),
            (r"^[]-a]$", "_", "-"),
            (r"^[a&&b]+$", "a&b", "c"),
            (r"^[a~~b]$", "~", "c"),
            (r"^[[:]x[:y]$", ":xy", "ax["),
            (r"^[[:alpha:]]+$", "Ab", "1"),
            (r"^[[:^alpha:]]+$", "1é", "a"),
            (r"^\<init\>$", "<init>", "init"),
            (r"^[\<\>]$", ">", "a"),
            (r"^[--\<]$", "0", "a"),
            (r"\bmain\b", "a main b", "mainly"),
            (r"^a\B", "aa", "aé"),
            (r"\B", "aa", "aéb"),
            (r"^(?i)PARSE", "parse", "xparse"),
            (r"^[\s-x]$", "-", "a"),
            (r"^[\w-.]+$", "a-b.c", "a/b"),
            (r"^[\pL-.]+$", "a-b.c", "a/b"),
            (r"^[--/]$", ".", ","),
            (r"^[a-z--m]$", "G", ","),
            (r"^[a-c-e]$", "-", "d"),
            (r"^\x{1F600}\x41[\x{41}-\x43]$", "😀AB", "😀AD"),
            (r"^(?<name>a)(?P<n>b)$", "ab", "a"),
            (r"a$", "a", "a\n"),
        ] {
            let pattern = Pattern::new(expression).unwrap_or_else(|error| panic!("{error}"));
            assert!(
                pattern.matches(matching.as_bytes()),
                "{expression} on {matching}"
            );
            assert!(
                !pattern.matches(other.as_bytes()),
                "{expression} on {other}"
            );
        }
    }

    #[test]
    fn what_is_unfinished_is_refused() {
        for expression in [
            "(", "a)", "[", "[a", "[a-", "[]", "[^", r"\", r"[\", "*", r"\p", r"\p{L", r"\x{",
            r"[!-\w]", "[z-a]",
        ] {
            assert!(Pattern::new(expression).is_err(), "{expression}");
        }
    }
}
