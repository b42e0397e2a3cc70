//! The way in: peels off compression layer by layer, with bounds, until the content itself is met.

use std::io::{self, BufRead, BufReader, Chain, Cursor, ErrorKind, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::formats::lines::Lines;
use crate::formats::utf16::Utf16;
use crate::formats::{Fault, limits, sniff};

/// What was found inside.
pub(super) enum Content<'a> {
    /// Possibly a pprof profile.
    Pprof(Stream<'a>),
    /// Folded stacks.
    Folded(Stream<'a>),
    /// JSON, possibly a profile.
    Json(Stream<'a>),
    /// Lines of JSON, as an array of them.
    JsonLines(Stream<'a>),
}

/// The bytes of a profile, inflated as they are read. Remembers which layer a fault comes from.
pub(super) struct Stream<'a> {
    reader: Box<dyn Read + Send + 'a>,
    /// `gzip`, `zstd`, or nothing if it is not compressed.
    format: Option<&'static str>,
    left: usize,
}

impl<'a> Stream<'a> {
    fn new(reader: impl Read + Send + 'a, format: Option<&'static str>) -> Self {
        Self {
            reader: Box::new(reader),
            format,
            left: limits::INFLATED_BYTES,
        }
    }

    /// Reads the next bytes; none at the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        loop {
            match self.reader.read(buffer) {
                Ok(read) => {
                    let limit = limits::INFLATED_BYTES;
                    let left = self.left.checked_sub(read);
                    self.left = left.ok_or(Fault::TooMany {
                        what: "bytes after decompression",
                        limit,
                    })?;
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.fault(error)),
            }
        }
    }

    /// Reads until the buffer is full or the end is met, and returns how much it was.
    pub(super) fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read(rest)? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }

    fn fault(&self, error: io::Error) -> Fault {
        match (self.format, error.kind()) {
            (Some("gzip"), ErrorKind::UnexpectedEof) => Fault::Cut("the gzip data"),
            (Some(_), ErrorKind::UnexpectedEof) => Fault::Cut("the compressed data"),
            (Some(format), ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other) => {
                Fault::Damaged {
                    format,
                    reason: error.to_string(),
                }
            }
            _ => Fault::Io(error),
        }
    }
}

/// Looks at a file's beginning and goes through its compression.
pub(super) fn open<'a, R: Read + Send + 'a>(input: R) -> Result<Content<'a>, Fault> {
    let mut stream = Stream::new(input, None);
    for _ in 0..=limits::LAYERS {
        let mut head = vec![0; sniff::HEAD_BYTES];
        let filled = stream.read_full(&mut head)?;
        head.truncate(filled);
        let kind = sniff::kind(&head)?;
        let format = stream.format;
        let rest = Cursor::new(head.clone()).chain(stream.reader);
        let (reader, format): (Box<dyn Read + Send + 'a>, _) = match kind {
            sniff::Kind::Gzip => (Box::new(MultiGzDecoder::new(rest)), Some("gzip")),
            sniff::Kind::Zstd => (Box::new(Zstd::new(rest)), Some("zstd")),
            sniff::Kind::Utf16(order) => (Box::new(Utf16::new(rest, order)), format),
            sniff::Kind::Pprof => return Ok(Content::Pprof(Stream::new(rest, format))),
            sniff::Kind::Folded => return Ok(Content::Folded(Stream::new(rest, format))),
            sniff::Kind::Json if sniff::are_json_lines(&head) => {
                let lines = Lines::new(rest);
                return Ok(Content::JsonLines(Stream::new(lines, format)));
            }
            sniff::Kind::Json => {
                if let Some(answer) = sniff::answer(&head) {
                    return Err(Fault::Json(Some(answer)));
                }
                return Ok(Content::Json(Stream::new(rest, format)));
            }
        };
        stream = Stream {
            reader,
            format,
            left: limits::INFLATED_BYTES,
        };
    }
    Err(Fault::TooMany {
        what: "layers of compression around each other",
        limit: limits::LAYERS,
    })
}

/// Zstd frames, one after the other, and frames that a reader skips between them, as RFC 8878 has them. One of the two is
/// always there.
struct Zstd<R: Read> {
    between: Option<BufReader<R>>,
    frame: Option<StreamingDecoder<Frame<R>, FrameDecoder>>,
}

/// A frame's magic number, which was looked at, and what follows.
type Frame<R> = Chain<Cursor<[u8; 4]>, BufReader<R>>;

impl<R: Read> Zstd<R> {
    fn new(input: R) -> Self {
        Self {
            between: Some(BufReader::new(input)),
            frame: None,
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
            }
            if let Some(frame) = self.frame.take() {
                let (input, decoder) = frame.into_parts();
                let stored = decoder.get_checksum_from_data();
                if stored.is_some() && stored != decoder.get_calculated_checksum() {
                    return Err(io::Error::new(
                        ErrorKind::InvalidData,
                        "its checksum does not match",
                    ));
                }
                self.between = Some(input.into_inner().1);
            }
            let Some(mut input) = self.between.take() else {
                return Ok(0);
            };
            if input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let mut magic = [0; 4];
            input.read_exact(&mut magic)?;
            if sniff::is_skipped_by_zstd(&magic) {
                let mut length = [0; 4];
                input.read_exact(&mut length)?;
                let length = u32::from_le_bytes(length).into();
                if io::copy(&mut input.by_ref().take(length), &mut io::sink())? < length {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                self.between = Some(input);
                continue;
            }
            if magic != sniff::ZSTD {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    "there is something else behind a frame",
                ));
            }
            let frame = Cursor::new(magic).chain(input);
            self.frame = Some(StreamingDecoder::new(frame).map_err(io::Error::other)?);
        }
    }
}
