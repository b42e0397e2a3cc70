//! Leaving the screen while a local capture runs: the runtime is told to stop.

use std::io::{Read as _, Write as _};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::fake::{Fake, Script};

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_the_screen_leaves_no_profile_running() {
    let (fake, home) = (Fake::start(Script::default()).await, tempfile::tempdir().unwrap());
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_flarescope"));
    command.args(["--inspector", &fake.address.to_string()]);
    command.env_clear();
    command.env("HOME", home.path());
    command.env("TERM", "xterm-256color");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (mut reader, mut writer) = (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
    let (shown, shows) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(count) = reader.read(&mut buffer) {
            bytes.extend_from_slice(buffer.get(..count).unwrap());
            if count == 0 || shown.send(String::from_utf8_lossy(&bytes).contains("checkout-api")).is_err() {
                return;
            }
        }
    });
    let begun = Instant::now();
    while !shows.recv_timeout(Duration::from_secs(20)).unwrap() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the list never came");
    }
    let reads = std::thread::spawn(move || while shows.recv().is_ok() {});
    writer.write_all(b"c\r").unwrap();
    fake.until("Profiler.start").await;
    assert!(fake.is_recording());
    // The second one answers the question whether to leave although a capture runs.
    writer.write_all(b"qq").unwrap();
    let status = tokio::task::spawn_blocking(move || child.wait()).await.unwrap().unwrap();
    assert!(status.success(), "{status:?}");
    let log = fake.log();
    assert_eq!(log[log.len() - 2..], ["Profiler.stop", "close 1000"]);
    assert!(!fake.is_recording());
    drop(pair.master);
    drop(reads);
}
