//! The paths of sources, as people know them in their project.

use std::collections::HashMap;

/// What bundlers put before paths: `webpack://name/./src/a.ts` is `src/a.ts`.
const SCHEMES: [&str; 3] = ["webpack://", "rollup://", "turbopack://"];

/// Takes off what leads up and out of the project, unless two sources would be called the same then.
pub(crate) fn cleaned(paths: &[String]) -> Vec<String> {
    let short: Vec<&str> = paths.iter().map(|path| short(path)).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for path in &short {
        *count.entry(path).or_default() += 1;
    }
    let is_alone = |path: &str| !path.is_empty() && count.get(path) == Some(&1);
    short
        .iter()
        .zip(paths)
        .map(|(short, whole)| {
            if is_alone(short) {
                (*short).to_owned()
            } else {
                whole.clone()
            }
        })
        .collect()
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
            ("..", ".."),
            ("", ""),
        ] {
            assert_eq!(cleaned(&[path.to_owned()]), [expected]);
        }
    }

    #[test]
    fn two_sources_are_never_called_the_same() {
        let paths = ["../a/index.ts", "a/index.ts", "../b.ts"].map(str::to_owned);
        assert_eq!(cleaned(&paths), ["../a/index.ts", "a/index.ts", "b.ts"]);
    }
}
