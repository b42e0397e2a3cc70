//! A profile of a bundle → the same profile with the names, files and lines of the source.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::graph::frames::{Family, is_nameless};
use crate::model::profile::{Function, Line, Original, Profile, StrId};
use crate::model::source_map::SourceMap;
use crate::model::source_map::fit::{Evidence, Judgement, SourcePosition, bare, plain};
use crate::model::text::address::file_name;

/// A map fits where at least half of what could be judged speaks for it.
const FITS_PER_CENT: usize = 50;
/// Without sources or a bundle to look at, chance alone would find something at every third position.
const LIKELY_PER_CENT: usize = 80;

/// Whether a map belongs to a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It does.
    Fits,
    /// Its positions are those of another build.
    OtherBuild {
        /// Functions that stand where it says.
        found: usize,
        /// Functions that could be judged.
        judged: usize,
    },
    /// The profile has no columns, and its bundle has more than one function a line: nothing can be told apart.
    NoColumns,
    /// The profile has nothing that comes of a bundle.
    NoBundle,
}

/// What came of one map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The map's name.
    pub map: String,
    /// The bundle, as the profile calls it; empty where there is none.
    pub file: String,
    /// Whether it was used.
    pub fit: Fit,
    /// Functions whose place in the source is known now.
    pub restored: usize,
    /// Functions of that bundle.
    pub of: usize,
    /// Whether columns were missing, so that only what is unambiguous was restored.
    pub without_columns: bool,
}

/// A profile with the names of its source.
#[derive(Debug)]
pub struct Restored {
    /// The profile; `None` where no map fits.
    pub profile: Option<Profile>,
    /// What came of each map, in the order given.
    pub uses: Vec<Use>,
}

impl Use {
    /// What came of it, in a sentence. The names in it are from outside: show it through [`crate::model::text::sanitize`].
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self {
            map,
            file,
            restored,
            of,
            ..
        } = self;
        match self.fit {
            Fit::Fits if self.without_columns => {
                let rest = if restored < of {
                    ": the profile has no columns, so only what is beyond doubt"
                } else {
                    ""
                };
                format!("names by {map} ({restored} of {of} restored{rest})")
            }
            Fit::Fits => format!("names by {map} ({restored} of {of} restored)"),
            Fit::OtherBuild { found, judged } => format!(
                "{map} is of another build: {found} of {judged} functions of {file} stand where it says; names are the bundle's"
            ),
            Fit::NoColumns => format!(
                "{map} can't help: the profile has no columns, and functions share lines in {file}; \
                 with the bundle beside the map, those whose name is there once can be told"
            ),
            Fit::NoBundle => {
                format!("{map} can't help: no function of this profile comes of a bundle")
            }
        }
    }
}

/// A function as it stands in one place of a stack: which, on which line.
type Spot = (u32, i64, i64);

/// The functions of one bundle.
struct Script {
    file: StrId,
    path: String,
    spots: Vec<Spot>,
}

/// Restores what the maps that fit can say. Of several that fit a bundle, the one that fits best is used.
#[must_use]
pub fn restore(profile: &Profile, maps: &[Arc<SourceMap>]) -> Restored {
    let scripts = scripts(profile);
    let mut uses: Vec<Use> = maps.iter().map(|map| unused(map)).collect();
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for (at, script) in scripts.iter().enumerate() {
        let judged = maps
            .iter()
            .enumerate()
            .map(|(map, source_map)| (map, Verdict::new(profile, script, source_map)));
        let mut best: Option<(usize, Verdict)> = None;
        for (map, verdict) in judged {
            // What is said of a map that is not used is said of the bundle that it comes nearest to.
            let Some(told) = uses.get_mut(map) else {
                continue;
            };
            if verdict.fit() != Fit::Fits {
                if told.fit == Fit::NoBundle || verdict.found > found(told) {
                    (told.fit, told.file) = (verdict.fit(), script.path.clone());
                }
            } else if best
                .as_ref()
                .is_none_or(|(_, other)| verdict.is_better_than(other))
            {
                best = Some((map, verdict));
            }
        }
        chosen.extend(best.map(|(map, _)| (at, map)));
    }
    let mut names = Names::new(profile);
    for (script, map) in chosen {
        let (script, source_map) = (&scripts[script], &maps[map]);
        let restored = names.take(script, source_map);
        let told = &mut uses[map];
        if told.fit == Fit::Fits {
            (told.restored, told.of) = (told.restored + restored, told.of + script.spots.len());
        } else {
            let without_columns = script.spots.iter().any(|(_, _, column)| *column <= 0);
            let (of, file) = (script.spots.len(), script.path.clone());
            *told = Use {
                fit: Fit::Fits,
                file,
                restored,
                of,
                without_columns,
                map: told.map.clone(),
            };
        }
    }
    Restored {
        profile: names.finish(),
        uses,
    }
}

fn unused(map: &SourceMap) -> Use {
    let (map, file) = (map.name().to_owned(), String::new());
    Use {
        map,
        file,
        fit: Fit::NoBundle,
        restored: 0,
        of: 0,
        without_columns: false,
    }
}

fn found(told: &Use) -> usize {
    match told.fit {
        Fit::OtherBuild { found, .. } => found,
        _ => 0,
    }
}

/// The bundles of a profile, with the functions of each.
fn scripts(profile: &Profile) -> Vec<Script> {
    let mut at: HashMap<StrId, usize> = HashMap::new();
    let mut scripts: Vec<Script> = Vec::new();
    for line in &profile.parts.lines {
        let Some(number) = line.function else {
            continue;
        };
        let function = profile.parts.functions[number as usize];
        let file = profile.first(function.file);
        let path = profile.text(file);
        let is_code = is_script(&path)
            && matches!(
                Family::of(&profile.text(function.name), &path),
                Family::Own | Family::Dependency
            );
        if !is_code || profile.original(number).is_some() {
            continue;
        }
        let place = *at.entry(file).or_insert_with(|| {
            scripts.push(Script {
                file,
                path: path.into_owned(),
                spots: Vec::new(),
            });
            scripts.len() - 1
        });
        scripts[place].spots.push((number, line.line, line.column));
    }
    for script in &mut scripts {
        script.spots.sort_unstable();
        script.spots.dedup();
    }
    scripts
}

/// Whether a file can be a bundle of JavaScript.
fn is_script(path: &str) -> bool {
    file_name(path)
        .rsplit_once('.')
        .is_none_or(|(_, ending)| matches!(ending, "js" | "mjs" | "cjs"))
}

/// How well a map fits a bundle.
struct Verdict {
    found: usize,
    likely: usize,
    wrong: usize,
    placed: usize,
    all: usize,
    same_name: bool,
    no_columns: bool,
}

impl Verdict {
    fn new(profile: &Profile, script: &Script, map: &SourceMap) -> Self {
        let judged = judge(profile, script, map);
        let count = |evidence| {
            judged
                .iter()
                .filter(|judgement| judgement.evidence == evidence)
                .count()
        };
        let script_name = file_name(&script.path);
        let same_name = [
            map.file().unwrap_or_default(),
            map.name().trim_end_matches(".map"),
        ]
        .iter()
        .any(|name| file_name(name) == script_name);
        Self {
            found: count(Evidence::Right),
            likely: count(Evidence::Likely),
            wrong: count(Evidence::Wrong),
            placed: judged
                .iter()
                .filter(|judgement| judgement.place.is_some())
                .count(),
            all: judged.len(),
            same_name,
            no_columns: script.spots.iter().all(|(_, _, column)| *column <= 0),
        }
    }

    fn fit(&self) -> Fit {
        let (good, judged) = (
            self.found + self.likely,
            self.found + self.likely + self.wrong,
        );
        if judged == 0 {
            // Nothing but nameless functions, or no columns.
            return match (self.placed, self.no_columns) {
                (0, true) => Fit::NoColumns,
                (0, false) => Fit::OtherBuild {
                    found: 0,
                    judged: self.all,
                },
                _ if self.same_name => Fit::Fits,
                _ => Fit::OtherBuild {
                    found: 0,
                    judged: self.all,
                },
            };
        }
        let needed = if self.likely > self.found {
            LIKELY_PER_CENT
        } else {
            FITS_PER_CENT
        };
        if good > 0 && good * 100 >= judged * needed {
            Fit::Fits
        } else {
            Fit::OtherBuild {
                found: good,
                judged,
            }
        }
    }

    fn is_better_than(&self, other: &Self) -> bool {
        let score = |verdict: &Self| {
            let judged = (verdict.found + verdict.likely + verdict.wrong).max(1);
            (
                verdict.found * 1_000 / judged,
                verdict.likely * 1_000 / judged,
                verdict.same_name,
                verdict.placed,
            )
        };
        score(self) > score(other)
    }
}

/// What a map says of each function of a bundle.
fn judge<'a>(profile: &Profile, script: &Script, map: &'a SourceMap) -> Vec<Judgement<'a>> {
    let name = |spot: &Spot| profile.text(profile.parts.functions[spot.0 as usize].name);
    let columns = only_columns(profile, script, map);
    let judged = script.spots.iter().map(|spot| {
        let function = profile.parts.functions[spot.0 as usize];
        let Some((line, column)) = start(&function, spot) else {
            return Judgement::OUTSIDE;
        };
        let name = name(spot);
        // Anonymous functions have a name in profiles, but none in code.
        let name = if is_nameless(&name) { "" } else { &*name };
        let known = column.or_else(|| columns.get(&(line, bare(name).to_owned())).copied());
        match known {
            Some(column) => map.judge(line, column, name),
            None => map.judge_line(line, name),
        }
    });
    judged.collect()
}

/// Where a function begins, from 0: the line, and the column if that is known.
fn start(function: &Function, (_, line, column): &Spot) -> Option<(u32, Option<u32>)> {
    let starts = if function.start_line > 0 {
        function.start_line
    } else {
        *line
    };
    let from_0 = |from_1: i64| {
        from_1
            .checked_sub(1)
            .and_then(|from_0| u32::try_from(from_0).ok())
    };
    // A column says where the function begins only if it is one of that line.
    Some((
        from_0(starts)?,
        if starts == *line {
            from_0(*column)
        } else {
            None
        },
    ))
}

/// Columns of functions that the profile gives none for, by line and name, where the bundle's text has one of each.
fn only_columns(
    profile: &Profile,
    script: &Script,
    map: &SourceMap,
) -> HashMap<(u32, String), u32> {
    let Some(bundle) = &map.bundle else {
        return HashMap::new();
    };
    let mut wanted: HashMap<u32, Vec<String>> = HashMap::new();
    for spot in &script.spots {
        let function = profile.parts.functions[spot.0 as usize];
        if let Some((line, None)) = start(&function, spot)
            && let Some(name) = plain(&profile.text(function.name))
        {
            wanted.entry(line).or_default().push(name.to_owned());
        }
    }
    let mut columns = HashMap::new();
    for (line, names) in wanted {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = bundle.only_definitions(line, &names);
        columns.extend(
            found
                .into_iter()
                .map(|(name, column)| ((line, name), column)),
        );
    }
    columns
}

/// What is being made of a profile.
struct Names<'a> {
    profile: &'a Profile,
    /// What each function in each place is now: the function and the line.
    now: HashMap<Spot, (u32, i64, i64)>,
    functions: Vec<Function>,
    originals: Vec<Option<Original>>,
    strings: crate::model::profile::Strings,
    ids: HashMap<String, StrId>,
    known: HashMap<(u32, Function), u32>,
    /// The bundles with the maps that were taken for them.
    taken: Vec<(StrId, &'a SourceMap)>,
}

impl<'a> Names<'a> {
    fn new(profile: &'a Profile) -> Self {
        let functions = profile.parts.functions.clone();
        let mut originals = profile.parts.originals.clone();
        originals.resize(functions.len(), None);
        let strings = profile.parts.strings.clone();
        Self {
            profile,
            now: HashMap::new(),
            functions,
            originals,
            strings,
            ids: HashMap::new(),
            known: HashMap::new(),
            taken: Vec::new(),
        }
    }

    fn id(&mut self, text: &str) -> StrId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.strings.push(text.as_bytes());
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// Takes what a map says of a bundle's functions; answers how many it places.
    fn take(&mut self, script: &Script, map: &'a SourceMap) -> usize {
        self.taken.push((script.file, map));
        let judged = judge(self.profile, script, map);
        let mut placed = 0;
        for (spot, judgement) in script.spots.iter().zip(judged) {
            let Some(place) = judgement.place else {
                continue;
            };
            placed += 1;
            let old = self.profile.parts.functions[spot.0 as usize];
            let name = match judgement.name {
                Some(own) => {
                    let whole = self.profile.text(old.name);
                    // `get x` is a getter in the source as well.
                    let before = whole
                        .strip_suffix(bare(&whole))
                        .unwrap_or_default()
                        .to_owned();
                    self.id(&(before + own))
                }
                None => old.name,
            };
            let file = self.id(map
                .sources
                .get(place.source as usize)
                .map_or("", |source| &source.path));
            // The start is known where the profile told it, or where the spot is the start.
            let is_start = old.start_line <= 0 || old.start_line == spot.1;
            let start_line = if old.start_line > 0 { place.line } else { 0 };
            let function = Function {
                name,
                system_name: old.name,
                file,
                start_line,
            };
            let at = *self.known.entry((spot.0, function)).or_insert_with(|| {
                self.functions.push(function);
                let (line, column) = (spot.1, if is_start { spot.2 } else { 0 });
                let line = if old.start_line > 0 {
                    old.start_line
                } else {
                    line
                };
                self.originals.push(Some(Original {
                    name: old.name,
                    file: script.file,
                    line,
                    column,
                }));
                u32::try_from(self.functions.len() - 1).unwrap_or(u32::MAX)
            });
            let (line, column) = if is_start {
                (place.line, place.column)
            } else {
                self.sampled(map, spot, place)
            };
            self.now.insert(*spot, (at, line, column));
        }
        placed
    }

    /// Where a sampled line that is not the function's first one lies; 0 where the map leaves it open.
    fn sampled(&self, map: &SourceMap, spot: &Spot, start: SourcePosition) -> (i64, i64) {
        let from_0 = |from_1: i64| {
            from_1
                .checked_sub(1)
                .and_then(|from_0| u32::try_from(from_0).ok())
        };
        let place = match (from_0(spot.1), from_0(spot.2)) {
            (Some(line), Some(column)) => map.judge(line, column, "").place,
            (Some(line), None) => map.line_place(line),
            _ => None,
        };
        // What was inlined from another source has no line in this one.
        place
            .filter(|place| place.source == start.source)
            .map_or((0, 0), |place| (place.line, place.column))
    }

    /// The innermost function of a place in code.
    fn spot(&self, location: u32) -> Option<Spot> {
        let location = self.profile.parts.locations.get(location as usize)?;
        let line = self.profile.lines(location).first()?;
        Some((line.function?, line.line, line.column))
    }

    fn finish(mut self) -> Option<Profile> {
        if self.now.is_empty() {
            return None;
        }
        let mut parts = self.profile.parts.clone();
        let taken = std::mem::take(&mut self.taken);
        for line in &mut parts.lines {
            let spot = line
                .function
                .map(|function| (function, line.line, line.column));
            if let Some((function, at, column)) = spot.and_then(|spot| self.now.get(&spot)) {
                *line = Line {
                    function: Some(*function),
                    line: *at,
                    column: *column,
                };
            }
        }
        // A line of the bundle is one of the source only where all of its positions agree.
        for tick in &mut parts.ticks {
            let file = self.profile.first(tick.file);
            let Some((_, map)) = taken.iter().find(|(taken, _)| *taken == file) else {
                continue;
            };
            let line = tick
                .line
                .checked_sub(1)
                .and_then(|line| u32::try_from(line).ok());
            // The line that the function starts on is known better.
            let spot = self
                .profile
                .stack(tick.record as usize)
                .next()
                .and_then(|leaf| self.spot(leaf));
            let start = spot
                .filter(|(_, line, _)| *line == tick.line)
                .and_then(|spot| self.now.get(&spot));
            if let Some((function, line, _)) = start {
                (tick.file, tick.line) = (self.functions[*function as usize].file, *line);
                continue;
            }
            let place = line.and_then(|line| map.line_place(line));
            let path = place.and_then(|place| map.sources.get(place.source as usize));
            tick.file = path.map_or(StrId::EMPTY, |source| self.id(&source.path));
            tick.line = place.map_or(0, |place| place.line);
        }
        (parts.functions, parts.originals, parts.strings) =
            (self.functions, self.originals, self.strings);
        Some(self.profile.with_parts(parts))
    }
}
