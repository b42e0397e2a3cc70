//! Lists that come in numbered pages.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};

use crate::api::error::{ApiError, ErrorKind, Facts, Step};
use crate::model::cloudflare::{Account, Namespace, Object, Version, Worker};

/// Most calls that one list takes: a quarter of those that all of a user's tools have in five minutes.
pub(super) const CALLS_MAX: u64 = 300;
/// Pages fetched at the same time.
pub(super) const PAGES_AT_ONCE: usize = 4;

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// Its entries.
    pub items: Vec<T>,
    /// Its number, from 1.
    pub number: u64,
    /// The size of a full page: the server may return fewer entries than requested.
    pub per_page: u64,
    /// The number of entries on all pages, if the server states it.
    pub total: Option<u64>,
    /// The number of entries that the server sent, with those that lack an id.
    pub(super) received: u64,
}

impl<T> Page<T> {
    /// Returns whether this page is the last: by the total if there is one, otherwise because it is short or empty.
    #[must_use]
    pub fn is_last(&self) -> bool {
        match self.total {
            // An empty page ends the list whatever the total says, or a wrong total would never end it.
            Some(total) => self.received == 0 || self.number.saturating_mul(self.per_page) >= total,
            None => self.received < self.per_page,
        }
    }

    /// Returns the number of the last page; `None` without a total.
    fn last(&self) -> Option<u64> {
        self.total
            .map(|total| total.div_ceil(self.per_page.max(1)).min(CALLS_MAX))
    }
}

/// An entry of a list.
pub(super) trait Entry {
    fn id(&self) -> &str;
}

macro_rules! entries {
    ($($entry:ty),*) => { $(impl Entry for $entry {
        fn id(&self) -> &str {
            &self.id
        }
    })* };
}

entries!(Account, Namespace, Object, Version, Worker);

/// The part of a list that was received.
#[derive(Debug, Default)]
pub(super) struct Received {
    ids: HashSet<String>,
    calls: u64,
    entries: u64,
    total: Option<u64>,
    /// Whether the list ended before the server's last page.
    has_more: bool,
}

impl Received {
    /// Adds a page. Returns whether it had anything new: a server that repeats itself never gets to an end.
    pub(super) fn add<T: Entry>(&mut self, items: &[T], received: u64) -> bool {
        self.calls += 1;
        let known = self.ids.len();
        self.ids
            .extend(items.iter().map(|item| item.id().to_owned()));
        let has_new = self.ids.len() > known;
        if has_new {
            self.entries += received;
        }
        has_new
    }

    fn add_page<T: Entry>(&mut self, page: &Page<T>) -> bool {
        // The least of several: a list that changes meanwhile is not for that incomplete.
        self.total = page.total.min(self.total.or(page.total));
        let has_new = self.add(&page.items, page.received);
        self.has_more = has_new && !page.is_last();
        has_new
    }

    /// Returns whether another call is allowed.
    pub(super) fn may_go_on(&self) -> bool {
        self.calls < CALLS_MAX
    }

    /// Returns the error that entries are missing.
    pub(super) fn truncated(&self, step: Step) -> ApiError {
        let kind = ErrorKind::Truncated {
            received: self.entries,
            calls: self.calls,
            total: self.total,
        };
        ApiError::new(kind, step, Facts::default())
    }

    /// Returns the error if entries are missing.
    fn end(&self, step: Step) -> Option<ApiError> {
        let is_whole = self
            .total
            .map_or(!self.has_more, |total| self.entries >= total);
        (!is_whole).then(|| self.truncated(step))
    }
}

/// Fetches all pages. The first one tells how many there are; then [`PAGES_AT_ONCE`] are fetched at a time and arrive in any
/// order. Without a total they are fetched one after the other. It ends after an error, after a page without a new
/// entry and after [`CALLS_MAX`] pages; if entries are missing, with [`crate::api::ErrorKind::Truncated`].
pub(super) fn walk<T, F, Fut>(
    step: Step,
    fetch: F,
) -> impl Stream<Item = Result<Page<T>, ApiError>> + Send
where
    T: Entry + Send + 'static,
    F: Fn(u64) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = Result<Page<T>, ApiError>> + Send + 'static,
{
    let rest = fetch.clone();
    let pages = stream::once(fetch(1)).flat_map(move |first| {
        let fetch = rest.clone();
        let following = match &first {
            Ok(page) if !page.is_last() => match page.last() {
                Some(last) => stream::iter(2..=last)
                    .map(fetch)
                    .buffer_unordered(PAGES_AT_ONCE)
                    .boxed(),
                None => stream::iter(2..=CALLS_MAX).then(fetch).boxed(),
            },
            _ => stream::empty().boxed(),
        };
        stream::iter([first]).chain(following)
    });
    let start = Some((pages.boxed(), Received::default()));
    stream::unfold(start, move |state| async move {
        let (mut pages, mut received) = state?;
        match pages.next().await {
            Some(Ok(page)) => {
                let has_new = received.add_page(&page);
                if !has_new && received.calls > 1 {
                    return Some((Err(received.end(step)?), None));
                }
                if !has_new || page.total.is_none() && page.is_last() {
                    pages = stream::empty().boxed();
                }
                Some((Ok(page), Some((pages, received))))
            }
            Some(Err(error)) => Some((Err(error), None)),
            None => Some((Err(received.end(step)?), None)),
        }
    })
}

/// As [`walk`], and a second time if the total differed between pages: something was added or removed meanwhile, which
/// shifts what follows, so an entry may have moved to a page that was already fetched. Known entries come again.
pub(super) fn walk_whole<T, F, Fut>(
    step: Step,
    fetch: F,
) -> impl Stream<Item = Result<Page<T>, ApiError>> + Send
where
    T: Entry + Send + 'static,
    F: Fn(u64) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = Result<Page<T>, ApiError>> + Send + 'static,
{
    let totals = Arc::new((AtomicU64::new(u64::MAX), AtomicU64::new(0)));
    let seen = Arc::clone(&totals);
    let again = fetch.clone();
    let note = move |page: &Page<T>| {
        if let Some(total) = page.total {
            seen.0.fetch_min(total, Ordering::Relaxed);
            seen.1.fetch_max(total, Ordering::Relaxed);
        }
    };
    let second = move || {
        let changed = totals.0.load(Ordering::Relaxed) < totals.1.load(Ordering::Relaxed);
        if changed {
            walk(step, again.clone()).boxed()
        } else {
            stream::empty().boxed()
        }
    };
    // Whether to walk again is known only at the end of the first walk.
    walk(step, fetch)
        .inspect_ok(note)
        .chain(stream::once(async move { second() }).flatten())
}

/// Collects all pages in their order. Returns the error separately if only a part of the list was received.
pub(super) async fn collect<T: Send>(
    pages: impl Stream<Item = Result<Page<T>, ApiError>> + Send,
) -> Result<(Vec<T>, Option<ApiError>), ApiError> {
    let mut pages = std::pin::pin!(pages);
    let (mut received, mut truncated) = (Vec::new(), None);
    while let Some(page) = pages.next().await {
        match page {
            Ok(page) => received.push(page),
            Err(error) if matches!(error.kind(), ErrorKind::Truncated { .. }) => {
                truncated = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    received.sort_by_key(|page| page.number);
    let items = received.into_iter().flat_map(|page| page.items).collect();
    Ok((items, truncated))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Entry for String {
        fn id(&self) -> &str {
            self
        }
    }

    /// A page of entries that no other page has.
    fn page(number: u64, received: u64, total: Option<u64>) -> Page<String> {
        Page {
            items: (0..received).map(|at| format!("{number}-{at}")).collect(),
            number,
            per_page: 20,
            total,
            received,
        }
    }

    #[test]
    fn the_total_decides_which_page_is_last_else_a_short_page() {
        for (page, last) in [
            (page(1, 20, Some(20)), true),
            (page(1, 20, Some(21)), false),
            (page(2, 1, Some(21)), true),
            (page(2, 0, Some(1_000_000)), true),
            (page(1, 20, None), false),
            (page(2, 19, None), true),
            (page(2, 0, None), true),
        ] {
            assert_eq!(page.is_last(), last, "{page:?}");
        }
    }

    /// Walks a list. Returns the numbers of its pages, and how many entries were received of how many if it is not whole.
    async fn walked(
        fetch: impl Fn(u64) -> Page<String> + Clone + Send + 'static,
        walk_whole: bool,
    ) -> (Vec<u64>, Option<(u64, Option<u64>)>) {
        let fetch = move |number| std::future::ready(Ok(fetch(number)));
        let pages = if walk_whole {
            super::walk_whole(Step::Workers, fetch).boxed()
        } else {
            walk(Step::Workers, fetch).boxed()
        };
        let (mut numbers, mut truncated) = (Vec::new(), None);
        for page in pages.collect::<Vec<_>>().await {
            match page.map_err(|error| error.kind) {
                Ok(page) => numbers.push(page.number),
                Err(ErrorKind::Truncated {
                    received, total, ..
                }) => truncated = Some((received, total)),
                Err(other) => panic!("{other:?}"),
            }
        }
        numbers.sort_unstable();
        (numbers, truncated)
    }

    #[tokio::test]
    async fn every_page_is_fetched_once() {
        let pages =
            |total, pages| move |number| page(number, if number <= pages { 20 } else { 0 }, total);
        for (total, count, numbers) in [
            (Some(100), 5, vec![1, 2, 3, 4, 5]),
            (Some(20), 1, vec![1]),
            (Some(0), 0, vec![1]),
            (None, 3, vec![1, 2, 3]),
        ] {
            assert_eq!(
                walked(pages(total, count), false).await,
                (numbers, None),
                "{total:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_page_without_a_new_entry_ends_the_list() {
        let same = |total| {
            move |number| Page {
                number,
                ..page(1, 20, total)
            }
        };
        assert_eq!(
            walked(same(Some(200_000)), false).await,
            (vec![1], Some((20, Some(200_000))))
        );
        assert_eq!(walked(same(None), false).await, (vec![1], None));
        let nameless = |number| Page {
            items: Vec::new(),
            ..page(number, 20, Some(200_000))
        };
        assert_eq!(
            walked(nameless, false).await,
            (vec![1], Some((0, Some(200_000))))
        );
        let ends_early = |number| page(number, if number < 4 { 20 } else { 0 }, Some(100));
        assert_eq!(
            walked(ends_early, false).await,
            (vec![1, 2, 3], Some((60, Some(100))))
        );
    }

    #[tokio::test]
    async fn no_list_takes_more_than_its_calls() {
        for total in [None, Some(u64::MAX)] {
            let endless = move |number| page(number, 20, total);
            let (numbers, truncated) = walked(endless, false).await;
            assert_eq!(numbers.len() as u64, CALLS_MAX);
            assert_eq!(truncated, Some((20 * CALLS_MAX, total)));
        }
    }

    #[tokio::test]
    async fn a_list_that_changes_is_walked_twice_and_not_for_ever() {
        // One of 41 is removed after the first page: the first entry of the second page moves to the first one.
        let shrinks = |number| page(number, 20, Some(if number == 1 { 41 } else { 40 }));
        assert_eq!(walked(shrinks, true).await, (vec![1, 1, 2, 2, 3, 3], None));
        let grows = |number| page(number, 20, Some(if number == 1 { 40 } else { 41 }));
        assert_eq!(walked(grows, true).await, (vec![1, 1, 2, 2], None));
        let still = |number| page(number, 20, Some(40));
        assert_eq!(walked(still, true).await, (vec![1, 2], None));
    }
}
