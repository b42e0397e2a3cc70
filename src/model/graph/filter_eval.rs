//! What a view's filters leave of a profile, location by location and stack by stack.

use crate::model::graph::frame_key::{self, Naming};
use crate::model::graph::frames::{Family, FrameId, IDLE};
use crate::model::graph::view::{FILTERS_MAX, Identity, View, ViewError};
use crate::model::profile::{Location, Profile, StrId};
use crate::model::query::filter::{Filter, Pattern, TagPattern};
use crate::model::query::tags::TagUnits;

/// What the filters say of one location.
#[derive(Debug, Clone, Copy, Default)]
struct Verdict {
    /// Which focus filters match, a bit each.
    focus: u64,
    /// Which show-from filters match, a bit each.
    show_from: u64,
    ignored: bool,
    idle: bool,
}

/// The lines of a location that are left, innermost first: a range of [`Selection::lines`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    from: u32,
    to: u32,
    /// Nothing of it is left.
    pub(crate) hidden: bool,
}

/// What becomes of the stacks that end at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is shown.
    Shown,
    /// A filter drops it.
    Dropped,
    /// It is idle time, which the view leaves out.
    Idle,
}

/// What a view's filters leave.
pub(crate) struct Selection {
    kept: Vec<Kept>,
    lines: Vec<u32>,
    /// What becomes of each node's own stacks; `None`: all are shown.
    fates: Option<Vec<Fate>>,
    /// For each node whether it lies at or below all show-from frames; `None`: all do.
    shown: Option<Vec<bool>>,
    /// For each record whether the tag filters keep it; `None`: all.
    tagged: Option<Vec<bool>>,
}

/// A show-from expression cuts the callers that were inlined above its match, everywhere: so the filters change lines.
struct Lines<'a> {
    profile: &'a Profile,
    naming: &'a Naming,
    matchers: Vec<Matcher<'a>>,
    /// Whether what is not the user's own code matches as well.
    is_foreign: bool,
}

/// A pattern with what it answered for each string, or for each frame where it means a function: both repeat far more often
/// than they differ.
struct Matcher<'a> {
    pattern: &'a Pattern,
    known: Vec<Option<bool>>,
    /// Whether a function has the very identity that the pattern means: then no other is meant.
    is_exact: bool,
}

impl Matcher<'_> {
    fn text(&mut self, profile: &Profile, id: StrId) -> bool {
        let id = profile.first(id);
        let pattern = self.pattern;
        let fresh = || pattern.matches(profile.bytes(id));
        self.known
            .get_mut(id.0 as usize)
            .map_or_else(fresh, |known| *known.get_or_insert_with(fresh))
    }

    /// Returns whether a frame is the function that the pattern means; `None` if it means a text.
    fn frame(&mut self, naming: &Naming, frame: impl Fn(&Naming) -> u32) -> Option<bool> {
        let identity = self.pattern.identity()?;
        let frame = frame(naming);
        let known = self.known.get_mut(frame as usize)?;
        let is_exact = self.is_exact;
        let info = || {
            let info = naming.frames.info(FrameId(frame));
            if is_exact {
                info.is_identity(identity)
            } else {
                info.has_identity(identity)
            }
        };
        Some(*known.get_or_insert_with(info))
    }
}

impl<'a> Lines<'a> {
    fn new(profile: &'a Profile, naming: &'a Naming, patterns: Vec<&'a Pattern>) -> Self {
        let strings = profile.parts.strings.len();
        let frames = naming.frames.len();
        let matchers = patterns
            .into_iter()
            .map(|pattern| Matcher {
                is_exact: pattern.identity().is_some_and(|identity| {
                    let mut all = naming.frames.ids();
                    all.any(|frame| naming.frames.info(frame).is_identity(identity))
                }),
                pattern,
                known: vec![
                    None;
                    if pattern.identity().is_some() {
                        frames
                    } else {
                        strings
                    }
                ],
            })
            .collect();
        Self {
            profile,
            naming,
            matchers,
            is_foreign: false,
        }
    }

    /// Also matches what is not the user's own code, unless nothing is.
    fn or_foreign(mut self, is_wanted: bool) -> Self {
        let frames = &self.naming.frames;
        let is_own = |frame| frames.family(frame) == Family::Own;
        self.is_foreign = is_wanted && frames.ids().any(is_own);
        self
    }

    /// Whether any filter matches a line.
    fn any_line(&mut self, line: u32) -> bool {
        let frame = || self.naming.of_line[line as usize];
        (self.is_foreign && self.has_foreign(frame()))
            || (0..self.matchers.len()).any(|filter| self.line(filter, line))
    }

    /// Whether any filter matches a location without lines, or its mapping.
    fn any_mapping(&mut self, at: usize) -> bool {
        let location = &self.profile.parts.locations[at];
        let has_lines = location.lines_from != location.lines_to;
        let frame = || self.naming.of_location[at];
        (self.is_foreign && !has_lines && self.has_foreign(frame()))
            || (0..self.matchers.len()).any(|filter| self.mapping(filter, at))
    }

    /// Whether a frame is code, but not the user's own.
    fn has_foreign(&self, frame: u32) -> bool {
        let family = self.naming.frames.family(FrameId(frame));
        matches!(
            family,
            Family::Dependency | Family::Runtime | Family::Unknown
        )
    }

    fn is_empty(&self) -> bool {
        self.matchers.is_empty()
    }

    fn mapping(&mut self, filter: usize, at: usize) -> bool {
        let location = &self.profile.parts.locations[at];
        let matcher = &mut self.matchers[filter];
        if let Some(is_function) = matcher.frame(self.naming, |naming| naming.of_location[at]) {
            // Of a location with lines each line is a frame of its own.
            return is_function && location.lines_from == location.lines_to;
        }
        let mappings = &self.profile.parts.mappings;
        let file = match location.mapping {
            Some(mapping) => mappings[mapping as usize].file,
            // Where a profile has no mappings at all, pprof lets all its locations lie in one without a name.
            None if mappings.is_empty() => StrId::EMPTY,
            None => return false,
        };
        matcher.text(self.profile, file)
    }

    fn line(&mut self, filter: usize, line: u32) -> bool {
        let matcher = &mut self.matchers[filter];
        if let Some(is_function) =
            matcher.frame(self.naming, |naming| naming.of_line[line as usize])
        {
            return is_function;
        }
        let Some(function) = self.profile.parts.lines[line as usize].function else {
            return false;
        };
        let function = self.profile.parts.functions[function as usize];
        matcher.text(self.profile, function.name) || matcher.text(self.profile, function.file)
    }

    fn any(&mut self, filter: usize, at: usize) -> bool {
        let location = &self.profile.parts.locations[at];
        (location.lines_from..location.lines_to).any(|line| self.line(filter, line))
            || self.mapping(filter, at)
    }
}

impl Selection {
    /// Applies a view's filters.
    ///
    /// # Errors
    /// [`ViewError::TooManyFilters`].
    pub(crate) fn new(profile: &Profile, view: &View, shown: &Naming) -> Result<Self, ViewError> {
        let patterns = |wanted: fn(&Filter) -> Option<&Pattern>| {
            view.filters.iter().filter_map(wanted).collect::<Vec<_>>()
        };
        let focus = patterns(|f| match f {
            Filter::Focus(pattern) => Some(pattern),
            _ => None,
        });
        let ignore = patterns(|f| match f {
            Filter::Ignore(pattern) => Some(pattern),
            _ => None,
        });
        let hide = patterns(|f| match f {
            Filter::Hide(pattern) => Some(pattern),
            _ => None,
        });
        let show = patterns(|f| match f {
            Filter::ShowFrom(pattern) => Some(pattern),
            _ => None,
        });
        // Whatever the rows are, a filter on a function means the function.
        let has_function = [&focus, &ignore, &hide, &show]
            .into_iter()
            .flatten()
            .any(|pattern| pattern.identity().is_some());
        let is_own = view.filters.iter().any(|f| matches!(f, Filter::OwnCode));
        let by_function = ((has_function || is_own) && view.by != Identity::Function)
            .then(|| frame_key::name(profile, Identity::Function));
        let naming = by_function.as_ref().unwrap_or(shown);
        let lines = |patterns: Vec<_>| Lines::new(profile, naming, patterns);
        let (mut focus, mut ignore) = (lines(focus), lines(ignore));
        let (mut hide, mut show) = (lines(hide).or_foreign(is_own), lines(show));
        if focus.matchers.len() > FILTERS_MAX || show.matchers.len() > FILTERS_MAX {
            return Err(ViewError::TooManyFilters);
        }
        let mut verdicts = Vec::with_capacity(profile.parts.locations.len());
        let mut selection = Self {
            kept: Vec::with_capacity(profile.parts.locations.len()),
            lines: Vec::with_capacity(profile.parts.lines.len()),
            fates: None,
            shown: None,
            tagged: tagged(profile, view),
        };
        for at in 0..profile.parts.locations.len() {
            let mut verdict = Verdict {
                focus: bits(focus.matchers.len(), |filter| focus.any(filter, at)),
                ignored: (0..ignore.matchers.len()).any(|filter| ignore.any(filter, at)),
                idle: view.hide_idle && is_idle(profile, &profile.parts.locations[at]),
                show_from: 0,
            };
            let kept = selection.keep(at, &mut hide);
            selection.cut_above(at, &kept, &mut show, &mut verdict);
            verdicts.push(verdict);
        }
        let hides = selection.kept.iter().any(|kept| kept.hidden);
        if !focus.is_empty() || !ignore.is_empty() || !show.is_empty() || view.hide_idle || hides {
            selection.judge(
                profile,
                &verdicts,
                all(focus.matchers.len()),
                show.matchers.len(),
            );
        }
        Ok(selection)
    }

    /// The lines left of a location, innermost first; empty for one that has none to begin with.
    pub(crate) fn lines(&self, location: u32) -> &[u32] {
        let kept = self.kept[location as usize];
        &self.lines[kept.from as usize..kept.to as usize]
    }

    /// Whether nothing is left of a location.
    pub(crate) fn is_hidden(&self, location: u32) -> bool {
        self.kept[location as usize].hidden
    }

    /// Whether a node of the profile's paths lies at or below all show-from frames.
    pub(crate) fn is_shown(&self, node: u32) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown[node as usize])
    }

    /// What becomes of a record whose stack ends at a node.
    pub(crate) fn fate(&self, record: usize, node: u32) -> Fate {
        if self.tagged.as_ref().is_some_and(|tagged| !tagged[record]) {
            return Fate::Dropped;
        }
        self.fates
            .as_ref()
            .map_or(Fate::Shown, |fates| fates[node as usize])
    }

    /// Takes the hidden lines out of a location.
    fn keep(&mut self, at: usize, hide: &mut Lines<'_>) -> Kept {
        let location = &hide.profile.parts.locations[at];
        let from = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        let mut hidden = false;
        if hide.any_mapping(at) {
            hidden = true;
        } else {
            let left =
                (location.lines_from..location.lines_to).filter(|line| !hide.any_line(*line));
            self.lines.extend(left);
            hidden |= location.lines_from < location.lines_to && self.lines.len() == from as usize;
        }
        Kept {
            from,
            to: u32::try_from(self.lines.len()).unwrap_or(u32::MAX),
            hidden,
        }
    }

    /// Drops the callers inlined above the outermost line that a show-from expression matches.
    fn cut_above(&mut self, at: usize, kept: &Kept, show: &mut Lines<'_>, verdict: &mut Verdict) {
        let mut kept = *kept;
        for filter in 0..show.matchers.len() {
            if kept.hidden {
                break;
            }
            if show.mapping(filter, at) {
                verdict.show_from |= 1 << filter;
            } else if let Some(line) = (kept.from..kept.to)
                .rev()
                .find(|at| show.line(filter, self.lines[*at as usize]))
            {
                kept.to = line + 1;
                verdict.show_from |= 1 << filter;
            }
        }
        self.kept.push(kept);
    }

    /// Follows every stack from the root, once for all that share a beginning.
    fn judge(&mut self, profile: &Profile, verdicts: &[Verdict], focus: u64, show_from: usize) {
        /// What is known of the stack down to a node.
        #[derive(Clone, Copy, Default)]
        struct Above {
            end: u32,
            focus: u64,
            stage: usize,
            ignored: bool,
            idle: bool,
            any: bool,
        }
        let paths = &profile.paths;
        let hides = self.kept.iter().any(|kept| kept.hidden);
        let mut fates = Vec::with_capacity(paths.len());
        let mut shown = Vec::with_capacity(if show_from > 0 { paths.len() } else { 0 });
        let mut above: Vec<Above> = Vec::new();
        for node in 0..paths.len() {
            while above.last().is_some_and(|top| top.end as usize <= node) {
                above.pop();
            }
            let mut state = above.last().copied().unwrap_or_default();
            state.end = paths.end[node];
            if node > 0 {
                let location = paths.step[node] as usize;
                let verdict = verdicts[location];
                state.focus |= verdict.focus;
                state.ignored |= verdict.ignored;
                state.idle |= verdict.idle;
                if !self.kept[location].hidden {
                    state.any = true;
                    while state.stage < show_from && verdict.show_from >> state.stage & 1 == 1 {
                        state.stage += 1;
                    }
                }
            }
            let without_stack = node == 0;
            fates.push(match state {
                _ if without_stack && focus == 0 && show_from == 0 => Fate::Shown,
                state if state.ignored || state.focus != focus || state.stage < show_from => {
                    Fate::Dropped
                }
                state if hides && !state.any => Fate::Dropped,
                state if state.idle => Fate::Idle,
                _ => Fate::Shown,
            });
            if show_from > 0 {
                shown.push(state.stage == show_from);
            }
            above.push(state);
        }
        self.fates = Some(fates);
        self.shown = (show_from > 0).then_some(shown);
    }
}

/// A bit for each filter that holds.
fn bits(filters: usize, mut holds: impl FnMut(usize) -> bool) -> u64 {
    (0..filters).fold(0, |bits, filter| bits | u64::from(holds(filter)) << filter)
}

/// The bits of so many filters.
fn all(filters: usize) -> u64 {
    if filters >= FILTERS_MAX {
        u64::MAX
    } else {
        (1 << filters) - 1
    }
}

/// Whether a stack that ends at a node of a profile's paths is idle time.
pub(crate) fn is_idle_stack(profile: &Profile, node: u32) -> bool {
    let location = profile.paths.step[node as usize] as usize;
    node != 0 && is_idle(profile, &profile.parts.locations[location])
}

fn is_idle(profile: &Profile, location: &Location) -> bool {
    profile
        .lines(location)
        .iter()
        .filter_map(|line| line.function)
        .any(|function| {
            profile.bytes(profile.parts.functions[function as usize].name) == IDLE.as_bytes()
        })
}

/// Which records the tag filters keep; `None`: all.
fn tagged(profile: &Profile, view: &View) -> Option<Vec<bool>> {
    let filters: Vec<(&TagPattern, bool)> = view
        .filters
        .iter()
        .filter_map(|filter| match filter {
            Filter::TagFocus(pattern) => Some((pattern, true)),
            Filter::TagIgnore(pattern) => Some((pattern, false)),
            _ => None,
        })
        .collect();
    if filters.is_empty() {
        return None;
    }
    let units = TagUnits::new(profile);
    let keeps = |record| {
        let labels = profile.labels(record);
        filters
            .iter()
            .all(|(pattern, wanted)| pattern.matches(labels, &units) == *wanted)
    };
    Some((0..profile.record_count()).map(keeps).collect())
}
