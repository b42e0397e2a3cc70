//! Detects the first run of the screen on this machine.

use crate::config::{Environment, state_dir};

/// Returns whether this is the first run, and records it. `false` if it can't be recorded: repeating the introduction at
/// each start is worse than omitting it.
#[must_use]
pub fn is_first_run(environment: &Environment) -> bool {
    let Some(dir) = state_dir(environment) else {
        return false;
    };
    let created =
        create_private_dir(&dir).and_then(|()| std::fs::File::create_new(dir.join("started")));
    created.is_ok()
}

/// Creates a folder that only its owner can access, with its parents.
pub(super) fn create_private_dir(dir: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_the_first_start_is_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::of(&[(
            "XDG_STATE_HOME",
            folder.path().join("new").to_str().unwrap(),
        )]);
        assert!(is_first_run(&environment));
        assert!(!is_first_run(&environment));
        let nowhere = Environment::of(&[("XDG_STATE_HOME", "/proc/nowhere")]);
        assert!(
            !is_first_run(&nowhere),
            "a first run that can't be recorded is none"
        );
    }
}
