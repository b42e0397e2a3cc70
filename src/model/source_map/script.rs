//! The bundles of a profile, and how well a map fits each.

use std::collections::HashMap;

use crate::model::graph::frames::{Family, is_nameless};
use crate::model::profile::{Function, Profile, StrId};
use crate::model::source_map::SourceMap;
use crate::model::source_map::fit::{Evidence, Judgement, bare, plain};
use crate::model::text::address::file_name;

/// A map fits if at least half of what could be judged is right.
const FITS_PERCENT: usize = 50;
/// Without sources or a bundle, chance alone would find something at every third position.
const LIKELY_PERCENT: usize = 80;

/// Whether a map belongs to a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It does.
    Fits,
    /// Its positions are those of another build.
    OtherBuild {
        /// Functions that are where it says.
        found: usize,
        /// Functions that could be judged.
        judged: usize,
    },
    /// The profile has no columns, and its bundle has several functions on a line.
    NoColumns,
    /// The profile has no function of a bundle.
    NoBundle,
}

/// A function at a place in code: its index, line and column.
pub(super) type Spot = (u32, i64, i64);

/// The functions of one bundle.
pub(super) struct Script {
    pub(super) file: StrId,
    pub(super) path: String,
    pub(super) spots: Vec<Spot>,
}

/// Returns the bundles of a profile, with the functions of each.
pub(super) fn scripts(profile: &Profile) -> Vec<Script> {
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
pub(super) struct MapFit {
    pub(super) found: usize,
    likely: usize,
    wrong: usize,
    placed: usize,
    all: usize,
    same_name: bool,
    no_columns: bool,
}

impl MapFit {
    pub(super) fn new(profile: &Profile, script: &Script, map: &SourceMap) -> Self {
        let judged = judge(profile, script, map);
        let count = |evidence| {
            judged
                .iter()
                .filter(|judgement| judgement.evidence == evidence)
                .count()
        };
        let same_name = map.is_of(&script.path);
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

    pub(super) fn fit(&self) -> Fit {
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
            LIKELY_PERCENT
        } else {
            FITS_PERCENT
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

    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let score = |fit: &Self| {
            let judged = (fit.found + fit.likely + fit.wrong).max(1);
            (
                fit.found * 1_000 / judged,
                fit.likely * 1_000 / judged,
                fit.same_name,
                fit.placed,
            )
        };
        score(self) > score(other)
    }
}

/// Returns what a map says of each function of a bundle.
pub(super) fn judge<'a>(
    profile: &Profile,
    script: &Script,
    map: &'a SourceMap,
) -> Vec<Judgement<'a>> {
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

/// Returns a line or column from 1 as one from 0; `None` if it is not known.
pub(super) fn from_0(from_1: i64) -> Option<u32> {
    u32::try_from(from_1.checked_sub(1)?).ok()
}

/// Returns where a function begins, from 0: the line, and the column if it is known.
fn start(function: &Function, (_, line, column): &Spot) -> Option<(u32, Option<u32>)> {
    let starts = if function.start_line > 0 {
        function.start_line
    } else {
        *line
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

/// Returns columns that the profile lacks, by line and name, of functions that the bundle's text has once on their line.
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
