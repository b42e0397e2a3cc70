//! The overlays: what is shown over a screen, one over the other.

pub(crate) mod account_picker;
pub(crate) mod capture_form;
pub(crate) mod export_dialog;
pub(crate) mod help;
pub(crate) mod object_picker;
pub(crate) mod picker;

use crate::app::keys::context::KeyContext;
use crate::app::load::failure::Failure;
use crate::app::overlays::capture_form::{CaptureForm, FormField};
use crate::app::overlays::export_dialog::{ExportDialog, ExportField};
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::Picker;

/// Something shown over a screen.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// The capture form.
    CaptureForm(CaptureForm),
    /// The countdown of the running capture.
    CaptureProgress,
    /// A capture that is sent once there is traffic.
    TrafficWait,
    /// Something went wrong.
    Failure(Failure),
    /// The export dialog.
    Export(ExportDialog),
    /// The keys that work here.
    Help(HelpSheet),
    /// A list to choose from.
    Picker(Picker),
    /// The selected frame's whole name and figures; the first line shown.
    Details(usize),
    /// All hints of the profile; the selected one.
    Hints(usize),
    /// Whether to leave although a capture runs.
    ConfirmQuit,
}

impl Overlay {
    /// Returns the context whose keys are in force while it is in front.
    #[must_use]
    pub(crate) fn context(&self) -> KeyContext {
        match self {
            Self::CaptureForm(form) if form.field == FormField::Object => KeyContext::FormText,
            Self::CaptureForm(_) => KeyContext::Form,
            Self::CaptureProgress => KeyContext::Capturing,
            Self::TrafficWait => KeyContext::Awaiting,
            Self::Failure(failure) if failure.retry.is_some() => KeyContext::Failure,
            Self::Failure(_) => KeyContext::FailureOnce,
            Self::Export(dialog) if dialog.field == ExportField::File => KeyContext::ExportText,
            Self::Export(_) => KeyContext::Export,
            Self::Help(_) => KeyContext::Help,
            Self::Picker(_) => KeyContext::Picker,
            Self::Details(_) => KeyContext::Details,
            Self::Hints(_) => KeyContext::Hints,
            Self::ConfirmQuit => KeyContext::AskQuit,
        }
    }

    /// Whether it comes back when what was opened over it is closed: a question must not cost a filled form.
    const fn comes_back(&self) -> bool {
        match self {
            Self::CaptureForm(_)
            | Self::CaptureProgress
            | Self::TrafficWait
            | Self::Failure(_)
            | Self::Export(_) => true,
            Self::Help(_)
            | Self::Picker(_)
            | Self::Details(_)
            | Self::Hints(_)
            | Self::ConfirmQuit => false,
        }
    }
}

/// The stack of overlays. Only the top one is drawn and has the keys.
#[derive(Debug, Clone, Default)]
pub struct Overlays(Vec<Overlay>);

impl Overlays {
    /// Returns the one in front, `None` if nothing hides the screen.
    #[must_use]
    pub fn top(&self) -> Option<&Overlay> {
        self.0.last()
    }

    /// Returns the one in front, to be changed.
    pub fn top_mut(&mut self) -> Option<&mut Overlay> {
        self.0.last_mut()
    }

    /// Returns the one that comes back when the one in front is closed.
    #[must_use]
    pub fn beneath(&self) -> Option<&Overlay> {
        self.0.iter().nth_back(1)
    }

    /// Returns the one that comes back when the one in front is closed, to be changed.
    pub fn beneath_mut(&mut self) -> Option<&mut Overlay> {
        self.0.iter_mut().nth_back(1)
    }

    /// Whether no overlay is open.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Opens one in place of all that are open.
    pub fn open(&mut self, overlay: Overlay) {
        self.0.clear();
        self.0.push(overlay);
    }

    /// Opens one over the one in front, or in its place if that one doesn't come back.
    pub fn push(&mut self, overlay: Overlay) {
        self.0.pop_if(|top| !top.comes_back());
        self.0.push(overlay);
    }

    /// Closes the one in front and returns it.
    pub fn close(&mut self) -> Option<Overlay> {
        self.0.pop()
    }

    /// Closes all of them.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(overlays: &Overlays) -> Vec<&'static str> {
        let name = |overlay: &Overlay| match overlay {
            Overlay::CaptureProgress => "progress",
            Overlay::TrafficWait => "wait",
            Overlay::Help(_) => "help",
            Overlay::ConfirmQuit => "quit",
            _ => "other",
        };
        overlays.0.iter().map(name).collect()
    }

    #[test]
    fn what_holds_work_comes_back_from_under_all_that_was_opened_over_it() {
        let mut overlays = Overlays::default();
        overlays.push(Overlay::TrafficWait);
        overlays.push(Overlay::CaptureProgress);
        overlays.push(Overlay::Help(HelpSheet::default()));
        overlays.push(Overlay::ConfirmQuit);
        assert_eq!(names(&overlays), ["wait", "progress", "quit"]);
        assert!(matches!(overlays.beneath(), Some(Overlay::CaptureProgress)));
        assert!(matches!(overlays.close(), Some(Overlay::ConfirmQuit)));
        assert!(matches!(overlays.close(), Some(Overlay::CaptureProgress)));
        assert!(matches!(overlays.top(), Some(Overlay::TrafficWait)));
        assert!(overlays.beneath().is_none());
    }

    #[test]
    fn opening_one_leaves_no_other() {
        let mut overlays = Overlays::default();
        overlays.push(Overlay::TrafficWait);
        overlays.open(Overlay::CaptureProgress);
        assert_eq!(names(&overlays), ["progress"]);
        overlays.clear();
        assert!(overlays.is_empty() && overlays.top().is_none());
    }
}
