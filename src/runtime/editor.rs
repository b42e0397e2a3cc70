//! Opens a source file in the user's editor, at a line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::app::EditorJob;
use crate::runtime::source_text;

/// Editors that take `PATH:LINE`, with what goes before it; all others take `+LINE PATH`.
const BY_COLON: [(&str, &[&str]); 7] = [
    ("code", &["--wait", "--goto"]),
    ("codium", &["--wait", "--goto"]),
    ("cursor", &["--wait", "--goto"]),
    ("helix", &[]),
    ("hx", &[]),
    ("subl", &["--wait"]),
    ("zed", &["--wait"]),
];

/// An editor with the file that it is to open.
pub(super) struct Editor {
    command: OsString,
    arguments: Vec<OsString>,
}

impl Editor {
    /// Finds the file below the folder with the sources, and the editor that the environment names. `None` if there is none
    /// of either.
    pub(super) fn find(job: &EditorJob) -> Option<Self> {
        let command = ["VISUAL", "EDITOR"]
            .iter()
            .filter_map(std::env::var_os)
            .find(|command| !command.is_empty())?;
        let path = source_text::locate(job.root.as_ref()?, &job.file)?;
        let arguments = arguments(&command.to_string_lossy(), &path, job.line);
        Some(Self { command, arguments })
    }

    /// Runs it until it ends. The shell splits the command, as it may have options of its own.
    ///
    /// # Errors
    /// A sentence on why it could not be run.
    pub(super) fn run(&self) -> Result<(), String> {
        let mut script = self.command.clone();
        script.push(" \"$@\"");
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).arg("sh").args(&self.arguments);
        let name = self.command.to_string_lossy();
        match shell.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{name} ended with {status}.")),
            Err(error) => Err(format!("{name} can't be run: {error}.")),
        }
    }
}

/// Returns what an editor is given.
fn arguments(command: &str, path: &Path, line: i64) -> Vec<OsString> {
    let program = command.split_whitespace().next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    let known = BY_COLON.iter().find(|(name, _)| *name == program);
    match known {
        Some((_, options)) => {
            let mut place = OsString::from(path);
            place.push(format!(":{line}"));
            let options = options.iter().map(OsString::from);
            options.chain([place]).collect()
        }
        None => vec![format!("+{line}").into(), PathBuf::from(path).into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_gets_the_line_as_it_takes_it() {
        let of = |command: &str| {
            let all = arguments(command, Path::new("/src/a b.ts"), 7);
            let texts = all.iter().map(|text| text.to_string_lossy().into_owned());
            texts.collect::<Vec<_>>()
        };
        assert_eq!(of("vim"), ["+7", "/src/a b.ts"]);
        assert_eq!(of("/usr/bin/nano -w"), ["+7", "/src/a b.ts"]);
        assert_eq!(of("hx"), ["/src/a b.ts:7"]);
        assert_eq!(of("/opt/code -n"), ["--wait", "--goto", "/src/a b.ts:7"]);
    }
}
