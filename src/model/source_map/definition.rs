//! Whether a line of source defines a function with a name, judged by the text around the name.

/// Words that may precede a method's name.
const MODIFIERS: [&str; 12] = [
    "async",
    "static",
    "get",
    "set",
    "public",
    "private",
    "protected",
    "override",
    "readonly",
    "export",
    "default",
    "declare",
];

/// Whether a line defines a function with a name that begins at this column, in UTF-16 units.
pub(super) fn defines(line: &str, column: u32, name: &str) -> bool {
    let Some(at) = byte_at(line, column) else {
        return false;
    };
    let (Some(before), Some(after)) = (
        line.get(..at),
        line.get(at..).and_then(|rest| rest.strip_prefix(name)),
    ) else {
        return false;
    };
    if after.chars().next().is_some_and(is_word) {
        return false;
    }
    let before = before.trim_end();
    let last = before
        .rsplit(|c: char| !is_word(c))
        .next()
        .unwrap_or_default();
    let before_star = before.trim_end_matches('*').trim_end();
    if before_star.ends_with("function") || last == "class" {
        return true;
    }
    let rest = after.trim_start().trim_start_matches(['?', '!']);
    match rest.chars().next() {
        Some('(' | '<') => {
            let begins = last.is_empty()
                && before
                    .chars()
                    .next_back()
                    .is_none_or(|c| "{};,*".contains(c));
            (begins || MODIFIERS.contains(&last)) && has_body(rest)
        }
        Some('=') => is_function(rest.get(1..).unwrap_or_default()),
        Some(':') => rest.contains("=>") || rest.contains("function"),
        _ => false,
    }
}

/// Whether a parameter list is followed by a body or a type, or goes on in the next line.
fn has_body(rest: &str) -> bool {
    let mut depth = 0_i32;
    for (at, sign) in rest.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            let tail = rest.get(at + 1..).unwrap_or_default().trim_start();
            return tail.starts_with(['{', ':']) || tail.starts_with("=>");
        }
    }
    true
}

/// Whether a value is a function, as far as its line goes.
fn is_function(value: &str) -> bool {
    let value = value.trim_start();
    let begins = ["async", "function", "class"]
        .iter()
        .any(|word| value.starts_with(word));
    !value.starts_with(['=', '>'])
        && (begins || value.is_empty() || value.contains("=>") || value.trim_end().ends_with('('))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

/// Returns the byte at which a column in UTF-16 units begins.
fn byte_at(line: &str, column: u32) -> Option<usize> {
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= column {
            return Some(at);
        }
        units += u32::try_from(c.len_utf16()).unwrap_or(2);
    }
    (units >= column).then_some(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_distinguished_from_uses() {
        for (line, name, expected) in [
            (
                "function splitPath(path: string): string[] {",
                "splitPath",
                true,
            ),
            ("export async function* walk<T>(tree: T) {", "walk", true),
            (
                "const toRadians = (deg: number): number => (deg * Math.PI) / 180;",
                "toRadians",
                true,
            ),
            (
                "  lookup(path: string): { value: T } | null {",
                "lookup",
                true,
            ),
            (
                "  private pickOrigin(ip: string): Origin {",
                "pickOrigin",
                true,
            ),
            ("  async route(", "route", true),
            ("  #evictOldest(): void {", "#evictOldest", true),
            (
                "export default { fetch: (request: Request) => router.route(request) };",
                "fetch",
                true,
            ),
            ("export class LruCache {", "LruCache", true),
            ("const parts = splitPath(path);", "splitPath", false),
            ("  splitPath(path);", "splitPath", false),
            ("const deg = 180;", "deg", false),
            ("if (deg == 180) {", "deg", false),
            ("日本 = () => 1", "日本", true),
        ] {
            let at = line.find(name).unwrap();
            let column = line[..at].encode_utf16().count();
            assert_eq!(
                defines(line, u32::try_from(column).unwrap(), name),
                expected,
                "{line}"
            );
        }
        assert!(!defines("function a() {}", 9, "b"));
        assert!(!defines("function abc() {}", 9, "ab"));
        assert!(!defines("", 900, "ab"));
    }
}
