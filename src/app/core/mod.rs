//! What every part of the screen's state is made of: loads, failures, lines of text, dates, measures.

pub(crate) mod clock;
pub(crate) mod dates;
pub(crate) mod failure;
pub(crate) mod ids;
pub(crate) mod layout;
pub(crate) mod load;
pub(crate) mod rate_limit;
pub(crate) mod session;
pub(crate) mod text_input;
