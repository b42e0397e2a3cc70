//! Functions as V8 writes them: in a `callFrame`, or in older files in the node itself.

use crate::formats::Fault;
use crate::formats::events::Events;
use crate::formats::places::{Place, Places};
use crate::model::profile::StrId;

/// How V8 calls the beginning of all stacks, which is no frame.
const ROOT: &str = "(root)";

/// Reads a `callFrame` and returns its location.
pub(super) fn read(events: &mut Events<'_>, places: &mut Places) -> Result<u32, Fault> {
    let mut place = Place::default();
    events.object("a callFrame")?;
    while events.next_key()? {
        if !field(&mut place, events, places, 1)? {
            events.skip()?;
        }
    }
    location(place, places)
}

/// Reads the field of the last key. Returns `false` if a function has no such field. `offset` makes lines and columns count
/// from 1; what is below that is not known.
pub(super) fn field(
    place: &mut Place,
    events: &mut Events<'_>,
    places: &mut Places,
    offset: i64,
) -> Result<bool, Fault> {
    let number = |field, events: &mut Events<'_>| {
        let number = events.advisory_number(field)?.unwrap_or(-1);
        Ok(number.saturating_add(offset).max(0))
    };
    match events.text.as_str() {
        "functionName" => {
            events.string("a functionName")?;
            place.name = places.text(&events.text);
        }
        "url" => {
            events.string("a url")?;
            place.file = places.text(&events.text);
        }
        "lineNumber" => place.line = number("lineNumber", events)?,
        "columnNumber" => place.column = number("columnNumber", events)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns a function's location. One without a name is called as in the runtime's pprof.
pub(super) fn location(mut place: Place, places: &mut Places) -> Result<u32, Fault> {
    if place.name == StrId::EMPTY {
        place.name = places.text("(anonymous)");
    }
    places.location(place)
}

/// Whether a location is the beginning of all stacks.
pub(super) fn is_root(location: u32, places: &mut Places) -> bool {
    places.place(location).name == places.text(ROOT)
}

/// Whether a location is time without any function.
pub(super) fn is_no_work(location: u32, places: &mut Places) -> bool {
    let name = places.place(location).name;
    [ROOT, "(idle)", "(program)"]
        .iter()
        .any(|other| places.text(other) == name)
}
