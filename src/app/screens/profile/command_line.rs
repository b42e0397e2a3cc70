//! The command line that shows the very view that is on the screen.

use std::path::PathBuf;

use crate::app::screens::profile::display::PercentBase;
use crate::app::screens::profile::source::Source;
use crate::app::screens::profile::state::ProfileState;
use crate::model::cloudflare::Capture;
use crate::model::graph::call_tree::NodeId;
use crate::model::graph::icicle::Order;
use crate::model::graph::ranking::Sort;
use crate::model::graph::view::{Direction, Identity, View};
use crate::model::profile::Profile;
use crate::model::query::filter::Filter;
use crate::model::text::sanitize::{printable, regex_safe, shell_word};

/// Digits of a capture's hash that identify it on one machine.
const HASH_DIGITS: usize = 16;

impl ProfileState {
    /// Returns the command; `None` if the profile was read from a pipe.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        if let Some(compare) = &self.compare {
            let word = |source: &Source| {
                let of = source.word()?;
                Some(shell_word(&of))
            };
            let (base, new) = (word(&compare.base)?, word(&self.source)?);
            return Some(format!("flarescope diff {base} {new}"));
        }
        let Source {
            capture,
            path,
            members,
            ..
        } = &self.source;
        let of: Vec<String> = if members.is_empty() {
            vec![word_of(capture.as_ref(), path.as_ref())?]
        } else {
            members
                .iter()
                .map(|m| word_of(m.capture.as_ref(), m.path.as_ref()))
                .collect::<Option<_>>()?
        };
        let frame = self
            .reading
            .tree
            .frame(self.zoom)
            .filter(|_| self.zoom != NodeId::ROOT);
        let root = frame.map(|frame| self.reading.frames.name(frame));
        let maps = self.source.map_paths();
        let command = open_command(&of, &self.source.profile, &self.view, root, maps);
        Some(command + &self.display_options())
    }

    /// Returns the options for how the view is displayed.
    pub(super) fn display_options(&self) -> String {
        let mut options = String::new();
        if let Some(sandwich) = &self.sandwich {
            let function = self.reading.frames.info(sandwich.sandwich.frame).identity();
            options += &format!(" --sandwich={}", shell_word(&printable(&function)));
        }
        if self.percent_base != PercentBase::default() {
            options += &format!(" --percent-of {}", self.percent_base.word());
        }
        if self.table.sort != Sort::default() {
            options += &format!(" --sort {}", self.table.sort.word());
        }
        let flags = [
            (self.table.reverse, " --reverse"),
            (self.order == Order::Name, " --alphabetical"),
        ];
        flags
            .iter()
            .filter(|(set, _)| *set)
            .for_each(|(_, flag)| options += flag);
        options
    }
}

impl Source {
    /// Returns how a command names a side of a comparison, several captures with commas between; `None` if one was read from a
    /// pipe.
    fn word(&self) -> Option<String> {
        if self.members.is_empty() {
            return word_of(self.capture.as_ref(), self.path.as_ref());
        }
        let words = self
            .members
            .iter()
            .map(|m| word_of(m.capture.as_ref(), m.path.as_ref()));
        Some(words.collect::<Option<Vec<_>>>()?.join(","))
    }
}

fn word_of(capture: Option<&Capture>, path: Option<&PathBuf>) -> Option<String> {
    match (capture, path) {
        (Some(capture), _) => capture.sha256.get(..HASH_DIGITS).map(str::to_owned),
        (None, path) => path.map(|path| path.to_string_lossy().into_owned()),
    }
}

/// Writes the command that opens a profile (files or captures' hashes) in a view, zoomed into a frame of a name.
#[must_use]
pub fn open_command(
    of: &[String],
    profile: &Profile,
    view: &View,
    root: Option<&str>,
    maps: &[PathBuf],
) -> String {
    let mut words = vec!["flarescope open".to_owned()];
    words.extend(of.iter().map(|word| shell_word(word)));
    let mut option = |name: &str, value: &str| {
        // A value that begins like an option is one only behind the equals sign.
        let between = if value.starts_with('-') { '=' } else { ' ' };
        words.push(format!("--{name}{between}{}", shell_word(value)));
    };
    if view.sample_type != profile.default_sample_type()
        && let Some(sample_type) = profile.sample_types().get(view.sample_type)
    {
        option("sample-type", &profile.type_names(*sample_type).0);
    }
    match view.by {
        Identity::Function => {}
        Identity::Name => option("by", "name"),
        Identity::Line => option("by", "line"),
        Identity::File => option("by", "file"),
        Identity::Package => option("by", "package"),
    }
    for filter in &view.filters {
        let (name, pattern) = match filter {
            Filter::Focus(pattern) => ("focus", pattern),
            Filter::Ignore(pattern) => ("ignore", pattern),
            Filter::Hide(pattern) => ("hide", pattern),
            Filter::ShowFrom(pattern) => ("show-from", pattern),
            // Among the flags.
            Filter::OwnCode => continue,
            Filter::TagFocus(pattern) => {
                option("tag-focus", pattern.source());
                continue;
            }
            Filter::TagIgnore(pattern) => {
                option("tag-ignore", pattern.source());
                continue;
            }
        };
        match pattern.identity() {
            // As the screen shows it, which every shell can hand over and means the function as well.
            Some(identity) => option(&format!("{name}-function"), &printable(identity)),
            // An escape in an expression means the same in every shell.
            None => option(name, &regex_safe(pattern.source())),
        }
    }
    if let Some(root) = root {
        option("root", root);
    }
    for map in maps {
        option("source-map", &map.to_string_lossy());
    }
    let is_own = |filter: &Filter| matches!(filter, Filter::OwnCode);
    let flags = [
        (view.filters.iter().any(is_own), "--own-code"),
        (view.fold_recursion, "--fold-recursion"),
        (view.direction == Direction::BottomUp, "--bottom-up"),
        (!view.hide_idle, "--idle"),
    ];
    words.extend(
        flags
            .iter()
            .filter(|(set, _)| *set)
            .map(|(_, flag)| (*flag).to_owned()),
    );
    words.join(" ")
}
