//! Holds the inside of each room to its rules: layers, no import circles, no two types of one name, short functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::{code, root, sources};

/// Lines of a function, its signature and its last brace included.
const LINES_MAX: usize = 100;
/// Parameters of a function, `self` included.
const PARAMETERS_MAX: usize = 6;

/// The layers inside `app`, by how a module's path begins: a later one may name those before it.
const LAYERS: &[&[&str]] = &[
    &["app::keys"],
    &["app::core"],
    &["app::capture"],
    &["app::load"],
    &["app::screens", "app::overlays"],
    &[
        "app::action",
        "app::effect",
        "app::response",
        "app::settings",
        "app::state",
    ],
    &["app::footer", "app::interpret", "app::update"],
];

/// The layers of `model`. Those on one line don't name each other either.
const MODEL_LAYERS: &[&[&str]] = &[
    &["model::cloudflare", "model::hash", "model::text"],
    &["model::profile"],
    &["model::query"],
    &["model::graph"],
    &[
        "model::diff",
        "model::insights",
        "model::lines",
        "model::source_map",
        "model::verdict",
    ],
];

/// What hands actions to the features of `app::update`.
const ROUTERS: &[&str] = &[
    "app::update",
    "app::update::commands",
    "app::update::responses",
];

/// What every feature of `app::update` may name.
const SHARED: &[&str] = &[
    "app::update::outcome",
    "app::update::preselect",
    "app::update::requests",
];

/// A module of the crate: its path without `crate::`, its code without comments, strings and tests.
struct Module {
    path: String,
    code: String,
}

fn modules() -> Vec<Module> {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    files
        .iter()
        .map(|file| {
            let relative = file.strip_prefix(root().join("src")).unwrap();
            let path = relative.with_extension("");
            let parts: Vec<&str> = path
                .components()
                .map(|part| part.as_os_str().to_str().unwrap())
                .filter(|part| *part != "mod")
                .collect();
            Module {
                path: parts.join("::"),
                code: code(&fs::read_to_string(file).unwrap()),
            }
        })
        .collect()
}

fn room(path: &str) -> &str {
    path.split("::").next().unwrap_or_default()
}

/// Lists the paths behind `crate::` in a piece of code, groups in braces resolved.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, marker) in code.match_indices("crate::") {
        let joined = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if !code[..at].ends_with(joined) {
            expand("", &code[at + marker.len()..], &mut found);
        }
    }
    found
}

/// Reads one path or group of paths, and returns what follows.
fn expand<'a>(before: &str, code: &'a str, found: &mut Vec<String>) -> &'a str {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let end = code
        .find(|c: char| !word(c) && c != ':')
        .unwrap_or(code.len());
    let (own, mut rest) = code.split_at(end);
    let path = format!("{before}{own}");
    let Some(group) = rest
        .strip_prefix('{')
        .filter(|_| path.ends_with("::") || path.is_empty())
    else {
        found.push(path.trim_end_matches(':').to_owned());
        return rest;
    };
    rest = group.trim_start();
    while !rest.is_empty() && !rest.starts_with('}') {
        rest = expand(&path, rest, found).trim_start();
        // `as name`, and the comma.
        rest = rest.trim_start_matches(|c: char| c != ',' && c != '}');
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    rest.strip_prefix('}').unwrap_or(rest)
}

/// Lists which modules each one names inside its own room.
fn arrows(modules: &[Module]) -> BTreeMap<&str, BTreeSet<&str>> {
    let known: BTreeSet<&str> = modules.iter().map(|module| module.path.as_str()).collect();
    let target = |path: &str| {
        let mut path = path;
        loop {
            if let Some(found) = known.get(path) {
                return Some(*found);
            }
            path = path.rsplit_once("::")?.0;
        }
    };
    let named = |module: &Module| {
        paths(&module.code)
            .iter()
            .filter_map(|path| target(path))
            .filter(|other| *other != module.path && room(other) == room(&module.path))
            .collect::<BTreeSet<_>>()
    };
    modules
        .iter()
        .map(|module| (module.path.as_str(), named(module)))
        .collect()
}

/// Lists what can be reached from a module.
fn reached<'a>(from: &'a str, arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop() {
        for next in arrows.get(at).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(next);
            }
        }
    }
    seen
}

/// Fails if anything was found.
fn none(found: &BTreeSet<String>, rule: &str) {
    assert!(found.is_empty(), "{rule}: {found:#?}");
}

#[test]
fn no_import_circle_is_inside_a_room() {
    let modules = modules();
    let arrows = arrows(&modules);
    let found = arrows
        .keys()
        .filter(|module| reached(module, &arrows).contains(*module))
        .map(|module| (*module).to_owned())
        .collect();
    none(&found, "on an import circle");
}

#[test]
fn the_layers_of_app_name_only_what_is_below_them() {
    let modules = modules();
    let layer = |path: &str| {
        LAYERS
            .iter()
            .position(|layer| layer.iter().any(|begin| path.starts_with(begin)))
    };
    // The screen or overlay that a module belongs to.
    let part = |path: &str| {
        let mut parts = path.split("::").skip(1);
        let folder = parts
            .next()
            .filter(|part| matches!(*part, "screens" | "overlays"))?;
        Some(format!("{folder}::{}", parts.next()?))
    };
    let mut found = BTreeSet::new();
    for (from, named) in arrows(&modules) {
        for to in named {
            let (Some(own), Some(other)) = (layer(from), layer(to)) else {
                continue;
            };
            let is_sideways = match (part(from), part(to)) {
                (Some(from), Some(to)) => from != to,
                _ => false,
            };
            if other > own || is_sideways {
                found.insert(format!("{from} -> {to}"));
            }
        }
    }
    none(&found, "against the layers of app");
}

#[test]
fn no_update_of_a_feature_names_another_feature() {
    let modules = modules();
    // `update::capture::form` belongs to `update::capture`.
    let feature = |path: &str| path.split("::").take(3).collect::<Vec<_>>().join("::");
    let mut found = BTreeSet::new();
    for (from, named) in arrows(&modules) {
        if !from.starts_with("app::update") || ROUTERS.contains(&from) {
            continue;
        }
        for to in named {
            let is_shared = SHARED.contains(&to) || feature(to) == feature(from);
            if to.starts_with("app::update") && !is_shared {
                found.insert(format!("{from} -> {to}"));
            }
        }
    }
    none(&found, "a feature that names another one");
}

#[test]
fn the_layers_of_model_name_only_what_is_below_them() {
    let modules = modules();
    let place = |path: &str| {
        MODEL_LAYERS.iter().enumerate().find_map(|(layer, parts)| {
            let part = parts.iter().find(|part| path.starts_with(**part))?;
            Some((layer, *part))
        })
    };
    let mut found = BTreeSet::new();
    for (from, named) in arrows(&modules) {
        for to in named {
            if let (Some((own, from_part)), Some((other, to_part))) = (place(from), place(to))
                && (other > own || other == own && from_part != to_part)
            {
                found.insert(format!("{from} -> {to}"));
            }
        }
    }
    none(&found, "against the layers of model");
}

#[test]
fn no_two_public_types_of_a_room_share_a_name() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for module in modules() {
        for line in module.code.lines() {
            let Some(rest) = line
                .strip_prefix("pub ")
                .or_else(|| line.strip_prefix("pub(crate) "))
            else {
                continue;
            };
            let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
            if matches!(words.next(), Some("struct" | "enum" | "type" | "trait"))
                && let Some(name) = words.next()
            {
                let key = format!("{}::{name}", room(&module.path));
                places.entry(key).or_default().insert(module.path.clone());
            }
        }
    }
    let found = places
        .into_iter()
        .filter(|(_, modules)| modules.len() > 1)
        .map(|(name, _)| name)
        .collect();
    none(&found, "types of one name in one room");
}

#[test]
fn functions_are_short_and_take_few_parameters() {
    let mut found = BTreeSet::new();
    for module in modules() {
        let lines: Vec<&str> = module.code.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some((indent, rest)) = line.split_once("fn ") else {
                continue;
            };
            let is_head = indent.split_whitespace().all(|word| {
                word.starts_with("pub") || matches!(word, "const" | "async" | "unsafe")
            });
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if !is_head || name.is_empty() {
                continue;
            }
            // rustfmt puts the last brace below the first letter of the head.
            let depth = line.len() - line.trim_start().len();
            let close = format!("{}}}", " ".repeat(depth));
            let end = (at..lines.len()).find(|end| {
                *end > at && lines[*end] == close
                    || *end == at && line.trim_end().ends_with(['}', ';'])
            });
            let length = end.map_or(0, |end| end - at + 1);
            if length > LINES_MAX || parameters(&lines[at..].join("\n")) > PARAMETERS_MAX {
                found.insert(format!("{}::{name}", module.path));
            }
        }
    }
    none(&found, "too long, or too many parameters");
}

/// Counts the parameters of the function that a piece of code begins with.
fn parameters(code: &str) -> usize {
    let name = code.find("fn ").unwrap_or(0);
    // Generics may hold parentheses of their own: the list begins where no `<` is open.
    let (mut angles, mut depth, mut commas, mut last) = (0i32, 0i32, 0, ' ');
    let mut is_list = false;
    let mut before = ' ';
    for character in code[name..].chars() {
        match character {
            '<' => angles += 1,
            '>' if before != '-' && before != '=' => angles -= 1,
            '(' if !is_list && angles == 0 => is_list = true,
            '(' | '[' | '{' if is_list => depth += 1,
            ')' if is_list && depth == 0 => break,
            ')' | ']' | '}' if is_list => depth -= 1,
            ',' if is_list && depth == 0 && angles == 0 => commas += 1,
            _ => {}
        }
        before = character;
        if is_list && !character.is_whitespace() {
            last = character;
        }
    }
    match last {
        ' ' | '(' => 0,
        ',' => commas,
        _ => commas + 1,
    }
}

#[test]
fn the_guards_see_what_they_must() {
    let named = paths("use crate::a::{b, c::{D, e}}; crate::f::g(); use crate::h as i;");
    assert_eq!(named, ["a::b", "a::c::D", "a::c::e", "f::g", "h"]);
    assert_eq!(parameters("fn f() {}"), 0);
    assert_eq!(
        parameters("fn f(&mut self, a:(u8,u8), b:V<(A,B)>)->C {}"),
        3
    );
    assert_eq!(
        parameters("fn f<T: Fn(u8, u8) -> u8>(\n    a: T,\n    b: u8,\n) {}"),
        2
    );
    let modules = [
        ("r::a", "crate::r::b"),
        ("r::b", "crate::r::a::X"),
        ("r::c", "crate::r::a"),
    ]
    .map(|(path, code)| Module {
        path: path.to_owned(),
        code: code.to_owned(),
    });
    let arrows = arrows(&modules);
    assert!(reached("r::a", &arrows).contains("r::a"));
    assert!(!reached("r::c", &arrows).contains("r::c"));
}
