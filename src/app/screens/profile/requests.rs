//! What an open profile requests of the runtime.

use crate::app::keys::command::Command;
use crate::app::keys::message::{Message, message, outside};
use std::sync::Arc;

use crate::app::core::ids::RequestId;
use crate::app::screens::profile::compare_job::{CompareJob, CompareSide};
use crate::app::screens::profile::effect::ProfileEffect;
use crate::app::screens::profile::source_view::CodeJob;
use crate::app::screens::profile::state::ProfileState;
use crate::model::graph::frames::{FrameId, FunctionName};
use crate::model::graph::view::{Direction, Identity};

impl ProfileState {
    /// Returns the current comparison as a job, if one is shown.
    pub(crate) fn compare_job(&self) -> Option<CompareJob> {
        let compare = self.compare.as_ref()?;
        Some(CompareJob {
            base: CompareSide::Open(Box::new(compare.base.clone())),
            new: CompareSide::Open(Box::new(self.source.clone())),
            view: Some(self.view.clone()),
            normalise: compare.wanted.0,
            width: compare.wanted.1,
        })
    }
}

impl ProfileState {
    /// Requests new hints if the shown view can have any; else the old ones stay.
    pub(crate) fn want_hints(&mut self) {
        self.hints.wanted |= self.tells_hints();
    }

    /// Whether a capture of both versions would say since when, as no earlier capture does.
    #[must_use]
    pub fn wants_both_versions(&self) -> bool {
        let target = self.source.capture.as_ref().map(|capture| capture.target());
        let is_partial = target.is_some_and(|target| {
            let share = target.percentage.unwrap_or(0.0);
            target.object.is_none() && share > 0.0 && share < 100.0
        });
        is_partial && self.headline.lacks_base
    }

    /// Whether the shown view can have hints.
    pub(crate) fn tells_hints(&self) -> bool {
        let view = &self.read_view;
        let by_function = matches!(view.by, Identity::Function | Identity::Name);
        by_function && view.direction == Direction::TopDown && self.compare.is_none()
    }

    /// Returns the shown frame of a hint's function; one of its name if rows have another identity.
    pub(crate) fn frame_of(&self, function: &FunctionName) -> Option<FrameId> {
        let frames = &self.reading.frames;
        let total = |frame: &FrameId| self.reading.stat(*frame).total.unsigned_abs();
        let shown = || {
            frames
                .ids()
                .filter(|frame| self.reading.stat(*frame).nodes > 0)
        };
        shown()
            .find(|frame| function.is(&frames.info(*frame)))
            .or_else(|| {
                let same_name = shown().filter(|frame| frames.name(*frame) == function.name);
                same_name.max_by_key(total)
            })
    }
}

impl ProfileState {
    /// Requests the source of the selected function.
    ///
    /// # Errors
    /// A sentence on why it can't be drawn.
    pub(crate) fn request_code(&mut self, id: RequestId) -> Result<ProfileEffect, Message> {
        if matches!(self.read_view.by, Identity::File | Identity::Package) {
            return Err(message![
                "Source view needs rows by function (",
                Command::RowsBy,
                ")."
            ]);
        }
        let frame = self.selected_frame().ok_or("No function is selected.")?;
        let info = self.reading.frames.info(frame);
        if info.file.is_empty() {
            return Err(message![
                outside(info.name),
                " has no file: it is the runtime's or native code.",
            ]);
        }
        self.coding = Some(id);
        let maps = self
            .source
            .names
            .as_ref()
            .map(|names| names.maps.clone())
            .unwrap_or_default();
        Ok(ProfileEffect::Code(Box::new(CodeJob {
            profile: Arc::clone(&self.source.profile),
            view: self.read_view.clone(),
            function: info.function(),
            maps,
            root: self.source_root.clone(),
        })))
    }
}
