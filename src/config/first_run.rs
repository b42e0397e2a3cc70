//! Whether the screen was ever opened on this machine.

use crate::config::{Environment, state_dir};

/// Whether this is the first time; the next time it is not. Where nothing can be remembered it never is: telling the same
/// at each start is worse than not at all.
#[must_use]
pub fn is_first_run(environment: &Environment) -> bool {
    let Some(dir) = state_dir(environment) else {
        return false;
    };
    let created = private_dir(&dir).and_then(|()| std::fs::File::create_new(dir.join("started")));
    created.is_ok()
}

/// Makes a folder that is nobody else's, with those above it.
pub(super) fn private_dir(dir: &std::path::Path) -> std::io::Result<()> {
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
            "what can't be remembered is not told"
        );
    }
}
