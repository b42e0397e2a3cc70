//! The views that were shown before and after the current one, as a browser has its pages.

use crate::app::screens::profile::command_line::open_command;
use crate::app::screens::profile::display::{Place, Selection, Zoom};
use crate::app::screens::profile::frame_path::{find, path};
use crate::app::screens::profile::state::ProfileState;
use crate::model::graph::call_tree::NodeId;

/// Views that are remembered.
const MOST: usize = 100;

impl ProfileState {
    /// Returns what is looked at.
    pub(crate) fn place(&self) -> Place {
        Place {
            view: self.view.clone(),
            zoom: path(&self.reading, self.zoom),
            key: self.place_key(),
        }
    }

    fn place_key(&self) -> (String, NodeId) {
        let view = open_command(&[], &self.source.profile, &self.view, None, &[]);
        (view, self.zoom)
    }

    /// Remembers where a command left from, if it led elsewhere.
    pub(crate) fn remember(&mut self, before: Place) {
        if before.key == self.place_key() {
            return;
        }
        self.views.future.clear();
        self.views.past.push(before);
        if self.views.past.len() > MOST {
            self.views.past.remove(0);
        }
    }

    /// Goes to the view before, or after if `forward`. Returns `None` if there is none, else whether it is to be computed.
    pub(crate) fn step(&mut self, forward: bool) -> Option<bool> {
        let here = self.place();
        let views = &mut self.views;
        let place = if forward {
            views.future.pop()
        } else {
            views.past.pop()
        }?;
        if forward {
            views.past.push(here);
        } else {
            views.future.push(here);
        }
        let is_new = place.key.0 != self.place_key().0;
        self.view = place.view;
        if is_new {
            self.views.zoom = Some(place.zoom);
        } else {
            let zoom = find(&self.reading, &place.zoom);
            self.show_zoom(zoom);
        }
        Some(is_new)
    }

    /// Returns the zoom of the view that has been computed, if it is one that was gone back to.
    pub(crate) fn take_wanted_zoom(&mut self) -> Option<NodeId> {
        let path = self.views.zoom.take()?;
        Some(find(&self.reading, &path))
    }

    /// Zooms to a frame, with the whole as the way back.
    pub(crate) fn show_zoom(&mut self, zoom: NodeId) {
        let root = NodeId::ROOT;
        self.zooms.clear();
        if zoom != root {
            self.zooms.push(Zoom {
                root,
                only: None,
                selection: Selection::Node(zoom),
                first_row: 0,
            });
        }
        self.enter(zoom, None);
        if !self.has_selection() {
            self.select(Selection::Node(zoom));
        }
        self.follow_with_table();
    }
}
