//! What every part of the screen's state is made of: ids, times, the session, measures of the screen, lines of text.

pub(crate) mod clock;
pub(crate) mod dates;
pub(crate) mod ids;
pub(crate) mod layout;
pub(crate) mod rate_limit;
pub(crate) mod session;
pub(crate) mod text_input;
