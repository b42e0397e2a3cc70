//! What all screens draw with: the canvas, title and footer, the style of frames.

pub(crate) mod canvas;
pub(crate) mod chrome;
pub(crate) mod first_steps;
pub(crate) mod frame_style;
