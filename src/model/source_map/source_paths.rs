//! The paths of sources, relative to the project.

use std::collections::HashMap;

/// Prefixes of bundlers: `webpack://name/./src/a.ts` is `src/a.ts`.
const SCHEMES: [&str; 3] = ["webpack://", "rollup://", "turbopack://"];

/// Returns the paths normalized and without what leads up and out of the project, unless two sources would be called the
/// same then.
pub(crate) fn cleaned(paths: &[String]) -> Vec<String> {
    let whole: Vec<String> = paths.iter().map(|path| normalized(path)).collect();
    let short: Vec<&str> = whole.iter().map(|path| short(path)).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for path in &short {
        *count.entry(path).or_default() += 1;
    }
    let is_alone = |path: &str| !path.is_empty() && count.get(path) == Some(&1);
    short
        .iter()
        .zip(&whole)
        .map(|(short, whole)| if is_alone(short) { short } else { &**whole }.to_owned())
        .collect()
}

/// Resolves `.` and `..` inside a path: `dist/../src/a.ts` is `src/a.ts`. What leads up at its beginning stays.
fn normalized(path: &str) -> String {
    let (scheme, inside) = path.split_at(path.find("://").map_or(0, |at| at + 3));
    // The first part after a scheme is a host or a project.
    let fixed = usize::from(!scheme.is_empty());
    let mut parts: Vec<&str> = Vec::new();
    for (at, part) in inside.split('/').enumerate() {
        match part {
            // Blank parts are a root, or a slash too many.
            "." | "" if at > 0 => {}
            ".." if parts.len() > fixed
                && parts
                    .last()
                    .is_some_and(|last| !matches!(*last, "" | "." | "..")) =>
            {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{scheme}{}", parts.join("/"))
}

fn short(path: &str) -> &str {
    let mut rest = path;
    for scheme in SCHEMES {
        if let Some(after) = rest.strip_prefix(scheme) {
            // The name of the project, which may be empty, ends at the first slash.
            rest = after.split_once('/').map_or(after, |(_, inside)| inside);
        }
    }
    loop {
        let before = rest;
        for lead in ["./", "../"] {
            rest = rest.strip_prefix(lead).unwrap_or(rest);
        }
        if rest.len() == before.len() {
            return rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_in_the_project() {
        for (path, expected) in [
            (
                "../../../workers/geo-router/geo.ts",
                "workers/geo-router/geo.ts",
            ),
            ("./src/index.ts", "src/index.ts"),
            ("webpack://shop/./src/cart.ts", "src/cart.ts"),
            (
                "webpack:///../node_modules/hono/dist/hono.js",
                "node_modules/hono/dist/hono.js",
            ),
            ("/home/dana/shop/src/cart.ts", "/home/dana/shop/src/cart.ts"),
            ("file:///bundle/worker.js", "file:///bundle/worker.js"),
            ("dist/../src/rank.ts", "src/rank.ts"),
            ("../dist/./../../src/rank.ts", "src/rank.ts"),
            ("webpack://shop/./src/../lib/a.ts", "lib/a.ts"),
            ("file:///srv/dist/../src/a.ts", "file:///srv/src/a.ts"),
            ("src//a.ts", "src/a.ts"),
            ("..", ".."),
            ("", ""),
        ] {
            assert_eq!(cleaned(&[path.to_owned()]), [expected]);
        }
    }

    #[test]
    fn two_sources_never_have_one_name() {
        let paths = ["../a/index.ts", "a/index.ts", "../b.ts"].map(str::to_owned);
        assert_eq!(cleaned(&paths), ["../a/index.ts", "a/index.ts", "b.ts"]);
    }
}
