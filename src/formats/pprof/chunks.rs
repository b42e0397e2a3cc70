//! Inflating ahead: one thread fills chunks while another decodes them.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::formats::Fault;
use crate::formats::input::Stream;

/// Bytes inflated at a time.
const CHUNK_BYTES: usize = 128 << 10;
/// Chunks that may wait: little memory, and a bad field stops the inflating soon.
const CHUNKS_AHEAD: usize = 4;

/// Hands the stream's bytes to `consume` chunk by chunk while the next ones are being inflated. An empty chunk is the
/// end.
pub(super) fn for_each<T>(
    mut stream: Stream<'_>,
    consume: impl FnOnce(&Receiver<Result<Vec<u8>, Fault>>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(CHUNKS_AHEAD);
        scope.spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK_BYTES];
                let read = stream.read_full(&mut chunk);
                let end = !matches!(read, Ok(1..));
                // The decoder hangs up at the first fault it finds.
                if sender
                    .send(read.map(|bytes| {
                        chunk.truncate(bytes);
                        chunk
                    }))
                    .is_err()
                    || end
                {
                    return;
                }
            }
        });
        consume(&receiver)
    })
}
