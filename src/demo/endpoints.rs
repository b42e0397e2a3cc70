//! The endpoints that faults can be aimed at.

/// An endpoint of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Endpoint {
    /// The token itself.
    Token,
    /// The accounts.
    Accounts,
    /// The Workers, or one of them.
    Workers,
    /// A Worker's versions, or one of them.
    Versions,
    /// A Worker's deployments.
    Deployments,
    /// Durable Object namespaces.
    Namespaces,
    /// A namespace's objects.
    Objects,
    /// Metrics.
    Analytics,
    /// A capture.
    Capture,
}

/// All endpoints by name.
pub(super) const ENDPOINTS: [(&str, Endpoint); 9] = [
    ("token", Endpoint::Token),
    ("accounts", Endpoint::Accounts),
    ("workers", Endpoint::Workers),
    ("versions", Endpoint::Versions),
    ("deployments", Endpoint::Deployments),
    ("namespaces", Endpoint::Namespaces),
    ("objects", Endpoint::Objects),
    ("analytics", Endpoint::Analytics),
    ("capture", Endpoint::Capture),
];

impl Endpoint {
    /// Returns the endpoint of a path; `None` if no fault can be aimed at it.
    pub(super) fn of(path: &str) -> Option<Self> {
        Some(match path.trim_end_matches('/') {
            path if path.ends_with("/profile") => Self::Capture,
            path if path.ends_with("/graphql") => Self::Analytics,
            path if path.ends_with("/tokens/verify") => Self::Token,
            path if path.ends_with("/objects") => Self::Objects,
            path if path.ends_with("/namespaces") => Self::Namespaces,
            path if path.ends_with("/deployments") => Self::Deployments,
            path if path.contains("/versions") => Self::Versions,
            path if path.contains("/workers/workers") => Self::Workers,
            path if path.ends_with("/accounts") => Self::Accounts,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_recognized_by_their_paths() {
        let account = "/client/v4/accounts/4c1de0a55f0f4ef6a3c9d1b2e3f40516";
        for (path, name) in [
            ("/client/v4/user/tokens/verify".to_owned(), "token"),
            ("/client/v4/accounts".to_owned(), "accounts"),
            (format!("{account}/workers/workers"), "workers"),
            (format!("{account}/workers/workers/checkout"), "workers"),
            (
                format!("{account}/workers/workers/checkout/versions"),
                "versions",
            ),
            (
                format!("{account}/workers/workers/checkout/versions/latest"),
                "versions",
            ),
            (
                format!("{account}/workers/scripts/checkout/deployments"),
                "deployments",
            ),
            (
                format!("{account}/workers/durable_objects/namespaces"),
                "namespaces",
            ),
            (
                format!("{account}/workers/durable_objects/namespaces/0/objects"),
                "objects",
            ),
            ("/client/v4/graphql".to_owned(), "analytics"),
            (
                format!("{account}/workers/workers/checkout/versions/latest/profile"),
                "capture",
            ),
        ] {
            let named = ENDPOINTS.iter().find(|(known, _)| *known == name);
            assert_eq!(
                Endpoint::of(&path),
                named.map(|(_, endpoint)| *endpoint),
                "{path}"
            );
        }
        assert_eq!(Endpoint::of("/client/v4/user"), None);
    }
}
