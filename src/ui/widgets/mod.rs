//! What all screens draw with: the canvas, title and footer, columns, rows and forms, the style of frames.

pub(crate) mod canvas;
pub(crate) mod chrome;
pub(crate) mod columns;
pub(crate) mod first_steps;
pub(crate) mod form;
pub(crate) mod frame_style;
pub(crate) mod list_rows;
pub(crate) mod search_line;
