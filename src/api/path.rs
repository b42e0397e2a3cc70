//! Paths below the base address: a template, which may be logged, and its values, which may not.

/// A path such as `/accounts/{account}/workers/workers`, with the values of the parts in braces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) template: &'static str,
    /// One value for each part in braces, in order.
    pub(super) values: &'a [&'a str],
}

impl<'a> Path<'a> {
    /// Returns the segments, not yet encoded. One without a value is empty, which no address can have.
    pub(super) fn segments(self) -> impl Iterator<Item = &'a str> {
        let mut values = self.values.iter().copied();
        self.template.split('/').skip(1).map(move |segment| {
            if segment.starts_with('{') {
                values.next().unwrap_or_default()
            } else {
                segment
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_the_places_in_braces() {
        let path = Path {
            template: "/accounts/{account}/workers/workers/{worker}/versions",
            values: &["0a", "a/{b}"],
        };
        let segments: Vec<_> = path.segments().collect();
        assert_eq!(
            segments,
            ["accounts", "0a", "workers", "workers", "a/{b}", "versions"]
        );
    }
}
