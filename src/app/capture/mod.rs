//! Captures as the screen knows them: running, waiting in a batch, failed, or run by another instance.

pub(crate) mod advice;
pub(crate) mod batch;
pub(crate) mod note;
pub(crate) mod other_instances;
pub(crate) mod running;
pub(crate) mod stage;
