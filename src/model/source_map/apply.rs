//! Applies source maps: a profile of a bundle → the same profile with the names, files and lines of the source.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::profile::{Function, Line, Original, Profile, StrId};
use crate::model::source_map::SourceMap;
use crate::model::source_map::fit::{SourcePosition, bare};
use crate::model::source_map::script::{Fit, MapFit, Script, Spot, from_0, judge, scripts};

/// The outcome of one map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The map's name.
    pub map: String,
    /// The bundle, as the profile names it; empty if it has none.
    pub file: String,
    /// Whether it was used.
    pub fit: Fit,
    /// Functions that were restored.
    pub restored: usize,
    /// Functions of that bundle.
    pub of: usize,
    /// Whether columns were missing, so that only what is unambiguous was restored.
    pub without_columns: bool,
}

/// A profile with the names of its source.
#[derive(Debug)]
pub struct Restored {
    /// The profile; `None` if no map fits.
    pub profile: Option<Profile>,
    /// The outcome of each map, in the order given.
    pub uses: Vec<Use>,
}

/// Restores names by the maps that fit; of several that fit a bundle, by the best one.
#[must_use]
pub fn restore(profile: &Profile, maps: &[Arc<SourceMap>]) -> Restored {
    let scripts = scripts(profile);
    let mut uses: Vec<Use> = maps.iter().map(|map| unused(map)).collect();
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for (at, script) in scripts.iter().enumerate() {
        let judged = maps
            .iter()
            .enumerate()
            .map(|(map, source_map)| (map, MapFit::new(profile, script, source_map)));
        let mut best: Option<(usize, MapFit)> = None;
        for (map, fit) in judged {
            // An unused map's outcome is that on the bundle that it fits best.
            let Some(outcome) = uses.get_mut(map) else {
                continue;
            };
            if fit.fit() != Fit::Fits {
                if outcome.fit == Fit::NoBundle || fit.found > found(outcome) {
                    (outcome.fit, outcome.file) = (fit.fit(), script.path.clone());
                }
            } else if best
                .as_ref()
                .is_none_or(|(_, other)| fit.is_better_than(other))
            {
                best = Some((map, fit));
            }
        }
        chosen.extend(best.map(|(map, _)| (at, map)));
    }
    let mut names = Names::new(profile);
    for (script, map) in chosen {
        let (script, source_map) = (&scripts[script], &maps[map]);
        let restored = names.take(script, source_map);
        let outcome = &mut uses[map];
        if outcome.fit == Fit::Fits {
            outcome.restored += restored;
            outcome.of += script.spots.len();
        } else {
            let without_columns = script.spots.iter().any(|(_, _, column)| *column <= 0);
            let (of, file) = (script.spots.len(), script.path.clone());
            *outcome = Use {
                fit: Fit::Fits,
                file,
                restored,
                of,
                without_columns,
                map: outcome.map.clone(),
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

fn found(outcome: &Use) -> usize {
    match outcome.fit {
        Fit::OtherBuild { found, .. } => found,
        _ => 0,
    }
}

/// The restored profile, as it is built.
struct Names<'a> {
    profile: &'a Profile,
    /// The restored function, line and column of each spot.
    now: HashMap<Spot, (u32, i64, i64)>,
    functions: Vec<Function>,
    originals: Vec<Option<Original>>,
    strings: crate::model::profile::Strings,
    ids: HashMap<String, StrId>,
    known: HashMap<(u32, Function), u32>,
    /// The bundles with their maps.
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

    /// Restores a bundle's functions by a map. Returns how many it restored.
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
            // The start is known if the profile has it, or if the spot is the start.
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

    /// Returns the line and column of a sample that is not on its function's first line; 0 if the map has none.
    fn sampled(&self, map: &SourceMap, spot: &Spot, start: SourcePosition) -> (i64, i64) {
        let place = match (from_0(spot.1), from_0(spot.2)) {
            (Some(line), Some(column)) => map.judge(line, column, "").place,
            (Some(line), None) => map.line_place(line),
            _ => None,
        };
        // Code inlined from another source has no line in this one.
        place
            .filter(|place| place.source == start.source)
            .map_or((0, 0), |place| (place.line, place.column))
    }

    /// Returns the innermost function of a location.
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
        // A line of the bundle is one of the source only if all of its positions agree.
        for tick in &mut parts.ticks {
            let file = self.profile.first(tick.file);
            let Some((_, map)) = taken.iter().find(|(taken, _)| *taken == file) else {
                continue;
            };
            let line = from_0(tick.line);
            // The function's first line is known better.
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
