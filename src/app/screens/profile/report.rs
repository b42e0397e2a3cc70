//! What reports say of a capture beside its figures, and the command that opens it on another machine.

use unicode_width::UnicodeWidthStr as _;

use crate::app::core::dates::{clock, compact, date, day_of};
use crate::app::screens::profile::command_line::open_command;
use crate::app::screens::profile::facts::seconds;
use crate::app::screens::profile::source::Source;
use crate::app::screens::profile::state::ProfileState;
use crate::model::cloudflare::{Capture, short};
use crate::model::graph::call_tree::NodeId;
use crate::model::text::cut::{cut, cut_middle};
use crate::model::text::sanitize::{printable, shell_word};
use crate::model::text::share::round_percentage;
use crate::model::text::units::counted;

/// Columns of a message below which its author stands alone.
const MESSAGE_MIN: usize = 8;

impl Source {
    /// Returns what and when in one line of at most so many columns, the uploader as far as there is room:
    /// `checkout-api v128 7c1f2a9e (dana: retry …) · CPU 8 s · 2026-11-30 22:16Z`.
    #[must_use]
    pub fn report_title(&self, columns: usize) -> String {
        let kind = self.kind_name();
        let kind = if kind == "cpu" { "CPU".into() } else { kind };
        let window = self.window().map(seconds);
        let time = self.taken_at().map(|then| {
            let clock = clock(then);
            format!(
                "{} {}Z",
                date(day_of(then)),
                clock.get(..5).unwrap_or_default()
            )
        });
        let mut end = format!(" · {kind}");
        end.extend(window.map(|window| format!(" {window}")));
        end.extend(time.map(|time| format!(" · {time}")));
        let target = self.report_target();
        let uploader = self.captures().next().and_then(uploader);
        let room = columns.saturating_sub(target.width() + end.width() + 3);
        match uploader.and_then(|uploader| fitting(&uploader, room)) {
            Some(uploader) => format!("{target} ({uploader}){end}"),
            None => {
                let room = columns.saturating_sub(end.width());
                format!("{}{end}", cut(&target, room))
            }
        }
    }

    /// Returns the target, version or object included.
    #[must_use]
    pub fn report_target(&self) -> String {
        let number = self.common(|capture| capture.target().version_number);
        let mut words = vec![self.name.clone()];
        words.extend(number.map(|number| format!("v{number}")));
        words.extend(self.target_facts());
        printable(&words.join(" ")).into_owned()
    }

    /// Returns both sides of a comparison with this profile as the new one, and when that was taken, in at most so many columns.
    #[must_use]
    pub fn comparison_title(&self, base: &Self, columns: usize) -> String {
        let (theirs, ours) = (base.report_target(), self.report_target());
        // One name is enough for two versions of one Worker.
        let version = ours.strip_prefix(self.name.as_str()).map(str::trim);
        let version = version.filter(|version| base.name == self.name && !version.is_empty());
        let title = format!("{theirs} → {}", version.unwrap_or(&ours));
        let end = self.report_title(usize::MAX);
        let end = end.rsplit_once(" · ").map_or("", |(_, time)| time);
        let whole = format!("{title} · {end}");
        let text = if whole.width() <= columns {
            whole
        } else {
            title
        };
        cut_middle(&text, columns).into_owned()
    }

    /// Returns what the samples are of: isolates, and the share of the traffic.
    #[must_use]
    pub fn report_facts(&self) -> Vec<String> {
        let captures = self.captures().count();
        let mut facts = match captures {
            0 => Vec::new(),
            1 => vec!["one isolate".to_owned()],
            several => vec![counted(several as i128, "capture")],
        };
        let share = self.common(|capture| capture.target().percentage);
        facts.extend(share.map(|share| format!("{} of traffic", round_percentage(share))));
        facts
    }

    /// Returns each fact of a capture by its name, as a ticket has them.
    #[must_use]
    pub fn report_details(&self) -> Vec<(&'static str, String)> {
        let Some(capture) = self.captures().next() else {
            return Vec::new();
        };
        let mut details = Vec::new();
        let mut add = |name, value: Option<String>| {
            details.extend(value.map(|value| (name, printable(&value).into_owned())));
        };
        let provenance = &capture.provenance;
        let account = provenance.account_name.as_ref();
        add(
            "account",
            account.or(provenance.account_id.as_ref()).cloned(),
        );
        let id = self.common(|capture| capture.target().version_id.clone());
        let number = self.common(|capture| capture.target().version_number);
        let version = id.map(|id| match number {
            Some(number) => format!("v{number} {id}"),
            None => id,
        });
        let is_one = version.is_some();
        add("version", version);
        add("uploaded by", uploader(capture).filter(|_| is_one));
        let share = self.common(|capture| capture.target().percentage);
        add(
            "traffic",
            share.map(|share| format!("{} of requests", round_percentage(share))),
        );
        details
    }

    /// Returns the name of a file on another machine: its own, else the one that the export dialog proposes.
    #[must_use]
    pub fn portable_name(&self) -> String {
        match self.path.as_ref().and_then(|path| path.file_name()) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => format!("{}.pprof", self.export_stem()),
        }
    }

    /// Returns the name that exports get, without ending: the target, the kind and the time of the capture.
    #[must_use]
    pub fn export_stem(&self) -> String {
        let time = self
            .taken_at()
            .map_or_else(String::new, |time| format!("-{}", compact(time)));
        format!("{}{time}", self.file_stem())
    }
}

/// Returns as much of an uploader as fits: the message is cut, the author is whole or not there.
fn fitting(uploader: &str, columns: usize) -> Option<String> {
    let author = uploader.split_once(": ").map_or(uploader, |(name, _)| name);
    if uploader.width() <= columns || columns >= author.width() + MESSAGE_MIN {
        return Some(cut(uploader, columns).into_owned());
    }
    (author.width() <= columns).then(|| author.to_owned())
}

/// Returns who uploaded a version and why: `dana: retry payments`.
fn uploader(capture: &Capture) -> Option<String> {
    let target = capture.target();
    let author = target.author.as_deref().map(|author| {
        let name = author.split_once('@').map_or(author, |(name, _)| name);
        printable(name).into_owned()
    });
    let message = target.message.as_deref().map(str::trim);
    let message = message
        .filter(|message| !message.is_empty())
        .map(|message| printable(message.lines().next().unwrap_or_default()).into_owned());
    match (author, message) {
        (Some(author), Some(message)) => Some(format!("{author}: {message}")),
        (one, other) => one.or(other),
    }
}

/// Returns the command that judges two versions of a Worker; `None` if the sides are not that.
fn check_command(base: &Source, new: &Source) -> Option<String> {
    let version = |side: &Source| side.common(|capture| capture.target().version_id.clone());
    let worker = |side: &Source| side.common(|capture| Some(capture.target().worker.clone()));
    let (theirs, ours) = (version(base)?, version(new)?);
    let name = worker(new).filter(|name| worker(base).as_ref() == Some(name))?;
    let (theirs, ours) = (shell_word(short(&theirs)), shell_word(short(&ours)));
    Some(format!(
        "flarescope check --worker {} --baseline version:{theirs} --candidate version:{ours}",
        shell_word(&name)
    ))
}

impl ProfileState {
    /// Returns the command that shows the view on any machine that has the file: the one that the profile was read from, else
    /// the one that an export writes.
    #[must_use]
    pub fn portable_command(&self) -> Option<String> {
        let name = self.source.portable_name();
        if let Some(compare) = &self.compare {
            let check = compare.assessment.as_ref();
            if let Some(check) = check.and_then(|_| check_command(&compare.base, &self.source)) {
                return Some(check);
            }
            let base = shell_word(&compare.base.portable_name());
            return Some(format!("flarescope diff {base} {}", shell_word(&name)));
        }
        let frame = self.reading.tree.frame(self.zoom);
        let frame = frame.filter(|_| self.zoom != NodeId::ROOT);
        let root = frame.map(|frame| self.reading.frames.name(frame));
        let command = open_command(&[name], &self.source.profile, &self.view, root, &[]);
        Some(command + &self.display_options())
    }
}
