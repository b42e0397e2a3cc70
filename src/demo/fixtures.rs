//! Fixtures: names and metrics of the demo server's Workers and Durable Objects.

use crate::demo::recordings::Recording;

/// A Worker's fixture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    pub(super) name: &'static str,
    /// Requests per second.
    pub(super) rps: f64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) recording: Recording,
    /// The newest version is uploaded but not deployed.
    pub(super) newest_waits: bool,
    pub(super) never_deployed: bool,
}

const fn busy(
    name: &'static str,
    rps: f64,
    p50_ms: f64,
    p99_ms: f64,
    recording: Recording,
) -> Role {
    Role {
        name,
        rps,
        p50_ms,
        p99_ms,
        recording,
        newest_waits: false,
        never_deployed: false,
    }
}

const fn quiet(name: &'static str) -> Role {
    busy(name, 0.0, 0.0, 0.0, Recording::StatusPage)
}

const fn newest_waits(role: Role) -> Role {
    Role {
        newest_waits: true,
        ..role
    }
}

const fn never_deployed(role: Role) -> Role {
    Role {
        never_deployed: true,
        ..role
    }
}

use Recording as R;

/// All Workers. Those with a recording of their own name were really recorded; the others share one.
pub(super) const WORKERS: [Role; 64] = [
    newest_waits(busy("checkout-api", 412.0, 12.4, 48.1, R::CheckoutApi)),
    busy("storefront", 1904.0, 2.4, 19.7, R::Monolith),
    busy("edge-metrics", 3310.0, 1.03, 4.2, R::EdgeMetrics),
    busy("chat-rooms", 655.0, 3.36, 31.0, R::ChatRooms),
    busy("r2-images", 88.0, 18.2, 96.3, R::R2Images),
    newest_waits(busy("geo-router", 2750.0, 0.47, 1.9, R::GeoRouter)),
    busy("rules-engine", 61.0, 19.7, 210.4, R::DeepParser),
    busy("search-suggest", 530.0, 1.89, 8.8, R::Monolith),
    busy("auth-session", 1120.0, 0.8, 3.1, R::GeoRouter),
    busy("cart-sync", 214.0, 3.27, 12.0, R::ChatRooms),
    busy("image-resizer", 33.0, 18.2, 61.5, R::R2Binding),
    busy("r2-binding", 40.0, 14.1, 72.9, R::R2Binding),
    busy("price-feed", 96.0, 4.17, 22.6, R::EdgeMetrics),
    busy("deep-parser", 9.0, 31.0, 140.2, R::DeepParser),
    newest_waits(busy("monolith", 140.0, 1.7, 9.9, R::Monolith)),
    busy("checkout-webhooks", 37.0, 2.2, 9.4, R::CheckoutApi),
    busy("feature-flags", 480.0, 0.1, 0.6, R::GeoRouter),
    busy("mail-intake", 6.0, 5.5, 18.0, R::Namer),
    busy("log-drain", 72.0, 0.3, 1.2, R::EdgeMetrics),
    busy("pdf-render", 1.0, 24.0, 88.2, R::R2Binding),
    busy("ab-gateway", 18.0, 0.6, 2.0, R::GeoRouter),
    busy("redirects", 45.0, 0.1, 0.3, R::GeoRouter),
    busy("sitemap", 2.0, 3.2, 7.7, R::StatusPage),
    busy("status-page", 1.0, 1.1, 2.4, R::StatusPage),
    quiet("cron-reports"),
    quiet("legacy-login"),
    never_deployed(quiet("preview-docs")),
    quiet("tax-rates"),
    quiet("test-kitchen"),
    quiet("vanity-urls"),
    quiet("webhook-echo"),
    quiet("xml-feed"),
    quiet("zone-probe"),
    quiet("zz-sandbox"),
    quiet("archive-2024"),
    quiet("asset-mirror"),
    quiet("backfill-orders"),
    quiet("beta-landing"),
    quiet("billing-export"),
    quiet("blog-preview"),
    quiet("cache-warmer"),
    quiet("campaign-spring"),
    quiet("cors-relay"),
    quiet("csv-import"),
    quiet("data-retention"),
    quiet("dns-tools"),
    quiet("email-bounce"),
    quiet("fraud-shadow"),
    quiet("gift-cards-old"),
    quiet("graphql-proxy"),
    quiet("health-board"),
    quiet("i18n-sync"),
    quiet("invoice-pdf"),
    quiet("jobs-board"),
    quiet("kv-migrate"),
    quiet("loyalty-v1"),
    quiet("maintenance"),
    quiet("newsletter"),
    quiet("oauth-sandbox"),
    quiet("partner-hooks"),
    quiet("qr-codes"),
    quiet("returns-portal"),
    quiet("store-locator"),
    quiet("translate-lab"),
];

/// The fixture of all further Workers.
pub(super) const EXTRA: Role = quiet("");
/// The parts of their names.
const EXTRA_WORDS: [&str; 16] = [
    "api", "auth", "cache", "cron", "edge", "feed", "flags", "geo", "hooks", "image", "jobs",
    "log", "mail", "pdf", "queue", "search",
];

/// Returns the name of a further Worker.
pub(super) fn extra_name(at: usize) -> String {
    let word = |at: usize| {
        EXTRA_WORDS
            .get(at % EXTRA_WORDS.len())
            .copied()
            .unwrap_or_default()
    };
    format!("{}-{}-{at:05}", word(at), word(at / EXTRA_WORDS.len() + 5))
}

/// The name of a namespace whose Worker was deleted.
pub(super) const ORPHAN: &str = "checkout-api_Basket";

/// A namespace's script, class, prefix of object names, number of objects, CPU in cores, and its busy objects with their
/// shares of that CPU in thousandths.
pub(super) type NamespaceRole = (
    &'static str,
    &'static str,
    &'static str,
    u64,
    f64,
    &'static [(u64, u64)],
);

/// All Durable Object namespaces.
pub(super) const NAMESPACES: [NamespaceRole; 3] = [
    (
        "checkout-api",
        "Cart",
        "cart",
        12_904,
        1.2,
        &[
            (8812, 410),
            (77, 96),
            (10_313, 71),
            (4015, 44),
            (1993, 31),
            (12_001, 22),
            (560, 17),
            (9, 12),
            (3163, 9),
        ],
    ),
    (
        "checkout-api",
        "Session",
        "user",
        3_310,
        0.4,
        &[
            (55, 60),
            (2048, 52),
            (713, 47),
            (1203, 33),
            (31, 20),
            (7, 11),
        ],
    ),
    (
        "chat-rooms",
        "ChatRoom",
        "room",
        655,
        1.9,
        &[
            (1, 322),
            (12, 180),
            (404, 121),
            (33, 64),
            (640, 41),
            (218, 18),
        ],
    ),
];

/// Returns further objects with little traffic: so many rooms that analytics name only some of them.
pub(super) fn quiet_objects(class: &str, objects: u64) -> impl Iterator<Item = (u64, u64)> {
    let some = if class == "ChatRoom" { 60 } else { 0 };
    (0..some).map(move |at| ((at * 11 + 2) % objects, 1))
}

/// The authors of uploads.
pub(super) const AUTHORS: &[&str] = &["dana", "ben", "mira", "jonas", "ci-bot"];
/// Their messages.
pub(super) const MESSAGES: &[&str] = &[
    "bump dependencies",
    "fewer subrequests per page",
    "log the upstream status",
    "rename the cache key",
    "tidy error pages",
    "revert the retry change",
    "new routes for the autumn sale",
    "cut JSON copies",
];
/// Their tools.
pub(super) const SOURCES: &[&str] = &["wrangler", "wrangler", "dash", "terraform", "workersci"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_one_worker_was_never_deployed() {
        let mut names: Vec<&str> = WORKERS.iter().map(|role| role.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), WORKERS.len());
        assert_eq!(WORKERS.iter().filter(|role| role.never_deployed).count(), 1);
    }
}
