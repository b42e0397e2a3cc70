//! The rows of the list of Durable Objects, and what an empty one says.

use crate::app::keys::message::message;
use crate::app::{Command, Load, Message, State};
use crate::model::cloudflare::{Kind, Object, short};
use crate::model::text::units::megabytes;
use crate::model::text::units::thousands;
use crate::ui::theme::Role;
use crate::ui::widgets::canvas::Canvas;
use crate::ui::widgets::list_rows::selected;

/// An object's row: what it is called, its CPU time and memory, whether it keeps data, and the version it runs.
pub(crate) fn row(
    c: &mut Canvas<'_>,
    state: &State,
    object: &Object,
    (x, y, room): (u16, u16, u16),
    chosen: bool,
) {
    /// Cells of the columns behind the name.
    const REST: u16 = 40;
    let names = room.saturating_sub(REST + 2);
    let name = match &object.name {
        Some(name) => format!("{name}  {}", short(&object.id)),
        None => object.id.clone(),
    };
    if chosen {
        selected(c, x, y, names + 2, &name, true);
    } else {
        c.put_in(x + 1, y, names, &name, Role::Text);
    }
    let at = x + names + 2;
    // The column that they are ordered by is bright.
    let order = state.objects.as_ref().map(|objects| objects.order);
    let role = |kind| {
        if order == Some(kind) {
            Role::Text
        } else {
            Role::Dim
        }
    };
    if let Some(cpu) = object.cpu_seconds {
        // Tenths of many seconds say nothing, and cost the gap before them.
        let cpu = if cpu < 999.95 {
            format!("{cpu:.1}")
        } else {
            thousands(cpu.round() as i128)
        };
        c.right(at + 12, y, &format!("{cpu} s CPU"), role(Kind::Cpu));
    }
    if let Some(bytes) = object.memory_p99 {
        c.right(
            at + 20,
            y,
            &format!("{} MB", megabytes(bytes)),
            role(Kind::Heap),
        );
    }
    if object.has_stored_data == Some(false) {
        c.put(at + 22, y, "no data", Role::Dim);
    }
    if let Some(version) = &object.version_id {
        let known = state.workers.current_details().and_then(Load::ready);
        let number = known
            .and_then(|d| d.versions.iter().find(|v| v.id == *version))
            .map(|v| format!("v{}", v.number));
        c.put_in(
            at + 31,
            y,
            REST - 31,
            number.as_deref().unwrap_or_else(|| short(version)),
            Role::Dim,
        );
    }
}

/// Returns what an empty list of objects says.
pub(crate) fn none(state: &State, typed: &str) -> Message {
    let digits = typed.len();
    let hex = typed.bytes().all(|byte| byte.is_ascii_hexdigit());
    let more = state
        .objects
        .as_ref()
        .is_some_and(crate::app::Objects::has_more);
    match (typed.is_empty(), digits >= 40 && hex, more) {
        (true, _, true) => "loading the objects…".into(),
        (true, _, false) => "This class has no objects.".into(),
        (_, true, _) => {
            format!("An object's id has 64 hexadecimal digits; this one has {digits}.").into()
        }
        (.., true) => message![
            "No loaded object matches; ",
            Command::Accept,
            " looks for this name, ",
            Command::NextRow,
            " loads more.",
        ],
        (.., false) => message![
            "No object matches; ",
            Command::Accept,
            " looks for this name in recent traffic.",
        ],
    }
}
