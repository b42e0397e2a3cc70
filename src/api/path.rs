//! A path below the base address: its template, which may be logged, and the names in it, which are not.

/// A path, such as `/accounts/{account}/workers/workers`, with what stands for its parts in braces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) template: &'static str,
    /// One value for each part in braces, in this order.
    pub(super) values: &'a [&'a str],
}

impl<'a> Path<'a> {
    /// Returns the segments, not yet encoded. One without a value is empty, which has no address.
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
