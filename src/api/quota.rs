//! The rest of the quota that all of a user's tokens share, from the headers of responses.

use std::time::Duration;

use crate::api::time::PAUSE_MAX;

/// The quota as of the latest response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Calls left in this window.
    pub remaining: u64,
    /// Calls that a window allows, if stated.
    pub limit: Option<u64>,
    /// When the window ends, counted from the response.
    pub resets_in: Option<Duration>,
}

impl Quota {
    /// Returns whether less than a tenth is left: calls that can wait should then.
    #[must_use]
    pub fn is_low(&self) -> bool {
        self.limit
            .is_some_and(|limit| self.remaining.saturating_mul(10) < limit)
    }

    /// Parses `Ratelimit: "default";r=50;t=30` and `Ratelimit-Policy: "burst";q=100;w=60`. Of several limits the one with
    /// the least left counts; its policy is found by name, else the first one is taken.
    pub(super) fn parse(state: &str, policy: Option<&str>) -> Option<Self> {
        let (name, remaining, resets) = items(state)
            .filter_map(|(name, parameters)| {
                Some((name, number(&parameters, "r")?, number(&parameters, "t")))
            })
            .min_by_key(|(_, remaining, _)| *remaining)?;
        let limit = policy.and_then(|policy| {
            let named = items(policy).find(|(other, _)| *other == name);
            named
                .or_else(|| items(policy).next())
                .and_then(|(_, parameters)| number(&parameters, "q"))
        });
        Some(Self {
            remaining,
            limit,
            resets_in: resets.map(|seconds| Duration::from_secs(seconds).min(PAUSE_MAX)),
        })
    }
}

/// The items of a structured header: a quoted name and its parameters.
fn items(header: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    header.split(',').map(|item| {
        let mut parts = item.split(';').map(str::trim);
        (parts.next().unwrap_or_default(), parts.collect())
    })
}

fn number(parameters: &[&str], key: &str) -> Option<u64> {
    parameters
        .iter()
        .find_map(|part| part.strip_prefix(key)?.strip_prefix('=')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_of_several_limits_counts() {
        let quota = Quota::parse(
            "\"default\";r=50;t=30, \"burst\";r=3;t=9",
            Some("\"default\";q=1200;w=300, \"burst\";q=100;w=60"),
        );
        assert_eq!(
            quota,
            Some(Quota {
                remaining: 3,
                limit: Some(100),
                resets_in: Some(Duration::from_secs(9))
            })
        );
        assert!(quota.unwrap().is_low());
    }

    #[test]
    fn a_policy_of_another_name_still_shows_the_limit() {
        let quota = Quota::parse("\"default\";r=50;t=30", Some("\"burst\";q=100;w=60")).unwrap();
        assert_eq!((quota.limit, quota.is_low()), (Some(100), false));
    }

    #[test]
    fn other_texts_are_no_quota() {
        assert_eq!(Quota::parse("50", None), None);
    }
}
