//! Which places in code count as one frame, and what that frame is called.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::model::graph::frames::{Entry, Family, Frames, OriginalName, is_nameless};
use crate::model::graph::view::Identity;
use crate::model::hash::Quick;
use crate::model::profile::{Function, Line, Location, Original, Profile, StrId};

/// The package of the runtime's own modules, and its parts that are no code.
const RUNTIME: &str = "(runtime)";
/// The package of code that is not known to be anybody's.
const NO_FILE: &str = "(no file)";
/// The frame of records that came without a stack.
const NO_STACK: &str = "(no stack)";
/// Stands for an empty name.
const NO_NAME: &str = "(anonymous)";

/// The frames of a profile under one identity, and where each belongs.
pub(crate) struct Naming {
    pub(crate) frames: Frames,
    /// The frame of each line, by its index.
    pub(crate) of_line: Vec<u32>,
    /// The frame of each location that has no lines.
    pub(crate) of_location: Vec<u32>,
    /// The frame of records without a stack.
    pub(crate) no_stack: u32,
}

/// What makes two lines the same frame. Texts are compared by the first id with the same bytes.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Function {
        name: StrId,
        file: StrId,
    },
    Name(StrId),
    Line {
        name: StrId,
        file: StrId,
        line: i64,
    },
    /// A function without a name, identified by its line, the column on a line of several, else its address.
    Nameless {
        name: StrId,
        file: StrId,
        line: i64,
        column: i64,
        address: u64,
    },
    File(StrId),
    Package(String),
    /// A place without a function.
    Address {
        mapping: StrId,
        address: u64,
    },
    NoStack,
}

/// A line with all that belongs to it.
struct Place<'a> {
    line: &'a Line,
    function: &'a Function,
    /// What the function was called before a source map gave it its name.
    original: Option<&'a Original>,
    address: u64,
}

/// Where a frame is, as its first place has it.
#[derive(Default, Clone, Copy)]
struct Position {
    file: StrId,
    line: i64,
    start: i64,
    column: i64,
}

struct Namer<'a> {
    profile: &'a Profile,
    by: Identity,
    /// The lines that nameless functions start on in several columns.
    crowded: HashSet<(StrId, i64), Quick>,
    /// Nameless functions, by index, whose lines are those that are executed: one of them is not the function's first.
    executed: HashSet<u32, Quick>,
    frames: Frames,
    ids: HashMap<Key, u32, Quick>,
    files: HashMap<StrId, u32, Quick>,
    /// For each file the first one with the same path.
    same_file: HashMap<StrId, StrId, Quick>,
    /// The first file of each path.
    paths: HashMap<String, StrId, Quick>,
    definitions: HashSet<(u32, StrId, StrId, i64), Quick>,
}

/// Names every line of a profile.
pub(crate) fn name(profile: &Profile, by: Identity) -> Naming {
    let mut namer = Namer {
        profile,
        by,
        crowded: HashSet::default(),
        executed: HashSet::default(),
        frames: Frames::default(),
        ids: HashMap::default(),
        files: HashMap::default(),
        same_file: HashMap::default(),
        paths: HashMap::default(),
        definitions: HashSet::default(),
    };
    if by == Identity::Function {
        namer.find_crowded();
    }
    let mut of_line = vec![0; profile.parts.lines.len()];
    let mut of_location = vec![0; profile.parts.locations.len()];
    for (at, location) in profile.parts.locations.iter().enumerate() {
        if location.lines_from == location.lines_to {
            of_location[at] = namer.address(location);
        }
        for line in location.lines_from..location.lines_to {
            let line_at = line as usize;
            of_line[line_at] = namer.line(location, &profile.parts.lines[line_at]);
        }
    }
    let no_stack = namer.entry(Key::NoStack, Position::default(), |_| {
        Cow::Borrowed(NO_STACK)
    });
    Naming {
        frames: namer.frames,
        of_line,
        of_location,
        no_stack,
    }
}

impl<'a> Namer<'a> {
    fn line(&mut self, location: &Location, line: &'a Line) -> u32 {
        let Some(function) = line
            .function
            .map(|at| &self.profile.parts.functions[at as usize])
        else {
            return self.address(location);
        };
        let original = line.function.and_then(|at| self.profile.original(at));
        let place = Place {
            line,
            function,
            original,
            address: location.address,
        };
        let (name, file) = (
            self.profile.first(function.name),
            self.same_file(function.file),
        );
        let frame = match self.by {
            Identity::File if !self.profile.bytes(file).is_empty() => {
                let position = Position {
                    file: function.file,
                    ..Position::default()
                };
                self.entry(Key::File(file), position, |profile| profile.text(file))
            }
            Identity::File | Identity::Package => {
                let (name, file) = (self.profile.text(name), self.profile.text(file));
                self.package(package(&name, &file), Family::of(&name, &file))
            }
            // By name and by line, a name that says nothing is a name like any other.
            by if name == StrId::EMPTY
                || by == Identity::Function && is_nameless(&self.profile.text(name)) =>
            {
                self.nameless(&place, name, file)
            }
            Identity::Function => self.named(Key::Function { name, file }, &place),
            Identity::Name => self.named(Key::Name(name), &place),
            Identity::Line => {
                let key = Key::Line {
                    name,
                    file,
                    line: line.line,
                };
                let position = Position {
                    file: function.file,
                    line: line.line,
                    start: line.line,
                    column: 0,
                };
                self.entry(key, position, |profile| profile.text(name))
            }
        };
        if !matches!(self.by, Identity::File | Identity::Package)
            && let (Some(original), entry) =
                (place.original, &mut self.frames.entries[frame as usize])
            && entry.original.is_none()
        {
            entry.original = Some(Box::new(original_name(self.profile, original)));
        }
        if self.by != Identity::Line
            && self
                .definitions
                .insert((frame, name, file, function.start_line))
        {
            self.frames.entries[frame as usize].places += 1;
        }
        frame
    }

    fn named(&mut self, key: Key, place: &Place<'_>) -> u32 {
        let Function {
            name,
            file,
            start_line,
            ..
        } = *place.function;
        let line = if start_line > 0 {
            start_line
        } else {
            place.line.line
        };
        let position = Position {
            file,
            line,
            start: start_line,
            column: 0,
        };
        self.entry(key, position, |profile| profile.text(name))
    }

    /// The frame of a package, or of all that has no file.
    fn package(&mut self, package: String, family: Family) -> u32 {
        let key = Key::Package(package.clone());
        let frame = self.entry(key, Position::default(), |_| Cow::Owned(package));
        self.frames.entries[frame as usize].family = match family {
            Family::Grey | Family::Gc => Family::Runtime,
            family => family,
        };
        frame
    }

    /// Finds the nameless functions that are one of a kind and have lines that they don't start on.
    fn find_executed(&mut self) {
        let functions = &self.profile.parts.functions;
        let is_nameless = |function: &Function| is_nameless(&self.profile.text(function.name));
        let mut alike: HashMap<(StrId, i64), u32, Quick> = HashMap::default();
        for function in functions.iter().filter(|function| is_nameless(function)) {
            let spot = (self.profile.first(function.file), function.start_line);
            *alike.entry(spot).or_insert(0) += 1;
        }
        let mut executed = HashSet::default();
        for line in &self.profile.parts.lines {
            let Some(at) = line.function else { continue };
            let function = &functions[at as usize];
            let spot = (self.profile.first(function.file), function.start_line);
            let is_elsewhere = function.start_line > 0 && line.line != function.start_line;
            if is_elsewhere && alike.get(&spot) == Some(&1) {
                executed.insert(at);
            }
        }
        self.executed = executed;
    }

    /// Finds the lines on which a column is needed to tell nameless functions apart.
    fn find_crowded(&mut self) {
        self.find_executed();
        let mut columns: HashMap<(StrId, i64), i64, Quick> = HashMap::default();
        for line in &self.profile.parts.lines {
            let Some(at) = line.function else { continue };
            let function = &self.profile.parts.functions[at as usize];
            let position = self.nameless_position(line, function);
            if position.column > 0 && is_nameless(&self.profile.text(function.name)) {
                let spot = (self.same_file(function.file), position.line);
                if *columns.entry(spot).or_insert(position.column) != position.column {
                    self.crowded.insert(spot);
                }
            }
        }
    }

    /// Where a nameless function starts; by line, where it was sampled.
    fn nameless_position(&self, line: &Line, function: &Function) -> Position {
        let by_line = self.by == Identity::Line;
        let start = if by_line { 0 } else { function.start_line };
        let at = if start > 0 { start } else { line.line };
        Position {
            file: function.file,
            line: at,
            start: if by_line { at } else { start },
            // The column is the sampled one, which is where the function starts only on its first line, and only where the
            // producer doesn't write the line that is executed.
            column: match line.function {
                Some(function) if self.executed.contains(&function) => 0,
                _ if at == line.line => line.column,
                _ => 0,
            },
        }
    }

    fn nameless(&mut self, place: &Place<'_>, name: StrId, file: StrId) -> u32 {
        let mut position = self.nameless_position(place.line, place.function);
        if !self.crowded.contains(&(file, position.line)) {
            position.column = 0;
        }
        let Position { line, column, .. } = position;
        let address = if line > 0 { 0 } else { place.address };
        // Names that only say there is none are one, whichever of them a producer writes.
        let key = Key::Nameless {
            name: if self.by == Identity::Function {
                StrId::EMPTY
            } else {
                name
            },
            file,
            line,
            column,
            address,
        };
        self.entry(key, position, |profile| {
            if line <= 0 && address > 0 {
                Cow::Owned(format!("{NO_NAME} {address:#x}"))
            } else {
                or(profile.text(name), NO_NAME)
            }
        })
    }

    fn address(&mut self, location: &Location) -> u32 {
        let mapping = location.mapping.map_or(StrId::EMPTY, |at| {
            self.profile.parts.mappings[at as usize].file
        });
        let mapping = self.profile.first(mapping);
        let address = match self.by {
            Identity::Function | Identity::Name | Identity::Line => location.address,
            // All of a library's code that could not be named is one file, one package.
            Identity::File | Identity::Package => 0,
        };
        let frame = self.entry(
            Key::Address { mapping, address },
            Position::default(),
            |profile| Cow::Owned(address_name(&profile.text(mapping), address)),
        );
        self.frames.entries[frame as usize].places = 1;
        frame
    }

    fn entry(
        &mut self,
        key: Key,
        position: Position,
        name: impl FnOnce(&'a Profile) -> Cow<'a, str>,
    ) -> u32 {
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let id = u32::try_from(self.frames.entries.len()).unwrap_or(u32::MAX);
        self.ids.insert(key, id);
        let name = name(self.profile).into_owned().into_boxed_str();
        let file = self.file(position.file);
        let family = Family::of(&name, &self.frames.files[file as usize]);
        let places = u32::from(self.by == Identity::Line);
        self.frames.entries.push(Entry {
            name,
            file,
            line: position.line,
            start: position.start,
            column: position.column,
            places,
            family,
            original: None,
        });
        id
    }

    /// The first file with the same path: `a//b.js` and `a/./b.js` are one.
    fn same_file(&mut self, file: StrId) -> StrId {
        let file = self.profile.first(file);
        if let Some(same) = self.same_file.get(&file) {
            return *same;
        }
        let same = *self
            .paths
            .entry(clean(&self.profile.text(file)))
            .or_insert(file);
        self.same_file.insert(file, same);
        same
    }

    fn file(&mut self, file: StrId) -> u32 {
        let file = self.profile.first(file);
        *self.files.entry(file).or_insert_with(|| {
            self.frames
                .files
                .push(self.profile.text(file).into_owned().into_boxed_str());
            u32::try_from(self.frames.files.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

impl Profile {
    /// What a place without a function is called: its binary and address.
    #[must_use]
    pub fn address_name(&self, location: &Location) -> String {
        let mapping = location
            .mapping
            .and_then(|at| self.mappings().get(at as usize));
        address_name(
            &mapping.map_or(Cow::Borrowed(""), |mapping| self.text(mapping.file)),
            location.address,
        )
    }
}

fn address_name(path: &str, address: u64) -> String {
    let base = or(
        Cow::Borrowed(path.rsplit(['/', '\\']).next().unwrap_or_default()),
        "(unknown)",
    );
    if address == 0 {
        base.into_owned()
    } else {
        format!("{base} {address:#x}")
    }
}

fn original_name(profile: &Profile, original: &Original) -> OriginalName {
    let known = |place: i64| Some(place).filter(|place| *place > 0);
    OriginalName {
        name: profile.text(original.name).into_owned(),
        file: profile.text(original.file).into_owned(),
        line: known(original.line),
        column: known(original.column),
    }
}

fn or<'a>(text: Cow<'a, str>, substitute: &'static str) -> Cow<'a, str> {
    if text.is_empty() {
        Cow::Borrowed(substitute)
    } else {
        text
    }
}

/// A path without empty, `.` and avoidable `..` parts.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let rooted = path.starts_with('/');
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match parts.last() {
            Some(last) if part == ".." && *last != ".." => {
                parts.pop();
            }
            None if part == ".." && rooted => {}
            _ => parts.push(part),
        }
    }
    let cleaned = parts.join("/");
    if rooted {
        format!("/{cleaned}")
    } else {
        cleaned
    }
}

/// The package a function belongs to: the one under `node_modules`, Go's import path, else the first folder.
pub(crate) fn package(name: &str, file: &str) -> String {
    match Family::of(name, file) {
        Family::Runtime | Family::Grey | Family::Gc => return RUNTIME.to_owned(),
        Family::Unknown => return NO_FILE.to_owned(),
        Family::Own | Family::Dependency => {}
    }
    if let Some((_, inside)) = file.rsplit_once("node_modules/") {
        let mut segments = inside.split('/');
        let first = segments.next().unwrap_or_default();
        return match segments.next() {
            Some(second) if first.starts_with('@') => format!("{first}/{second}"),
            _ => first.to_owned(),
        };
    }
    if file.ends_with(".go") {
        // `host/path/pkg.(*Type).Method`: the import path ends at the first dot after the last slash, and type
        // parameters (which may hold slashes) begin at the first bracket.
        let plain = name.split('[').next().unwrap_or(name);
        let base = plain.rfind('/').map_or(0, |slash| slash + 1);
        return match plain.get(base..).and_then(|rest| rest.find('.')) {
            Some(dot) => plain.get(..base + dot).unwrap_or(plain).to_owned(),
            None => plain.to_owned(),
        };
    }
    let path = file.split_once("://").map_or(file, |(_, path)| path);
    let mut segments = path
        .split(['/', '\\'])
        .filter(|segment| !segment.is_empty() && !matches!(*segment, "." | ".."));
    segments.next().unwrap_or(NO_FILE).to_owned()
}

#[cfg(test)]
mod tests {
    use super::clean;
    use super::package;

    #[test]
    fn one_path_has_many_spellings() {
        for (path, expected) in [
            ("", ""),
            ("/src/a//b/./c.go", "/src/a/b/c.go"),
            ("/../lib/d.go", "/lib/d.go"),
            ("a/../../b", "../b"),
            ("file:///bundle/worker.js", "file:/bundle/worker.js"),
        ] {
            assert_eq!(clean(path), expected);
        }
    }

    #[test]
    fn packages_are_reported_by_path() {
        for (name, file, expected) in [
            ("f", "", "(no file)"),
            ("(idle)", "", "(runtime)"),
            ("f", "node:buffer", "(runtime)"),
            ("f", "cloudflare:workers", "(runtime)"),
            ("f", "internal/timers.js", "(runtime)"),
            ("f", "internal/prices.ts", "internal"),
            ("f", "file:///bundle/worker.js", "bundle"),
            ("f", "../../src/db/query.ts", "src"),
            ("f", "node_modules/hono/dist/hono.js", "hono"),
            (
                "f",
                "/app/node_modules/a/node_modules/@scope/pkg/index.js",
                "@scope/pkg",
            ),
            (
                "github.com/a/b/pkg.(*T).Run",
                "/src/run.go",
                "github.com/a/b/pkg",
            ),
            ("main.main", "/src/main.go", "main"),
            ("slices.Sort[github.com/a/b.T]", "/src/sort.go", "slices"),
            ("f", "worker.js", "worker.js"),
        ] {
            assert_eq!(package(name, file), expected, "{name} in {file}");
        }
    }
}
