//! Profiles of sample Workers, recorded from the real runtime; the demo server's responses to captures.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::model::cloudflare::Kind;

/// A recorded Worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recording {
    ChatRooms,
    /// Its serving version checks addresses with a pattern that backtracks; the one before does not.
    CheckoutApi,
    DeepParser,
    EdgeMetrics,
    GeoRouter,
    Monolith,
    Namer,
    R2Binding,
    /// The same with many lists, where the serving version has a cheaper way to write them than the one before.
    R2Images,
    /// A quiet Worker, whose idle time reads as CPU; its heap profile has no sample.
    StatusPage,
}

macro_rules! recording {
    ($name:literal) => {
        include_bytes!(concat!("recordings/", $name, ".pprof.gz"))
    };
}

impl Recording {
    /// Returns the profile of the serving or an earlier version, as the service does: protobuf without compression.
    ///
    /// # Errors
    /// If the embedded bytes are damaged.
    pub(super) fn profile(self, kind: Kind, earlier: bool) -> io::Result<Vec<u8>> {
        let mut profile = Vec::new();
        MultiGzDecoder::new(self.compressed(kind, earlier)).read_to_end(&mut profile)?;
        Ok(profile)
    }

    fn compressed(self, kind: Kind, earlier: bool) -> &'static [u8] {
        match (self, kind) {
            (Self::ChatRooms, Kind::Cpu) => recording!("chat-rooms.cpu"),
            (Self::ChatRooms, Kind::Heap) => recording!("chat-rooms.heap"),
            (Self::CheckoutApi, Kind::Cpu) if earlier => recording!("checkout-api-baseline.cpu"),
            (Self::CheckoutApi, Kind::Cpu) => recording!("checkout-api.cpu"),
            (Self::CheckoutApi, Kind::Heap) => recording!("checkout-api.heap"),
            (Self::DeepParser, Kind::Cpu) => recording!("deep-parser.cpu"),
            (Self::DeepParser, Kind::Heap) => recording!("deep-parser.heap"),
            (Self::EdgeMetrics, Kind::Cpu) => recording!("edge-metrics.cpu"),
            (Self::EdgeMetrics, Kind::Heap) => recording!("edge-metrics.heap"),
            (Self::GeoRouter, Kind::Cpu) => recording!("geo-router.cpu"),
            (Self::GeoRouter, Kind::Heap) => recording!("geo-router.heap"),
            (Self::Monolith, Kind::Cpu) => recording!("monolith.cpu"),
            (Self::Monolith, Kind::Heap) => recording!("monolith.heap"),
            (Self::Namer, Kind::Cpu) => recording!("namer.cpu"),
            (Self::R2Binding, Kind::Cpu) => recording!("r2-binding.cpu"),
            (Self::R2Binding | Self::R2Images, Kind::Heap) => recording!("r2-binding.heap"),
            (Self::R2Images, Kind::Cpu) if earlier => recording!("r2-images-before.cpu"),
            (Self::R2Images, Kind::Cpu) => recording!("r2-images-after.cpu"),
            (Self::StatusPage, Kind::Cpu) => recording!("status-page.cpu"),
            (Self::Namer | Self::StatusPage, Kind::Heap) => recording!("no-traffic.heap"),
        }
    }
}
