//! Lists that come in numbered pages.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};

use crate::api::error::ApiError;

/// Longest list that is walked. More is a fault of the server, not a list for people.
pub(super) const LIST_MAX: u64 = 200_000;
/// Pages fetched at the same time.
pub(super) const PAGES_AT_ONCE: usize = 4;

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Which page it is, from 1.
    pub number: u64,
    /// How many a full page holds: the server may answer fewer than was asked for.
    pub per_page: u64,
    /// How many there are on all pages, where the server says it.
    pub total: Option<u64>,
    /// How many the server sent, before entries without an id were left out.
    pub(super) received: u64,
}

impl<T> Page<T> {
    /// Whether nothing comes after this page: by the total where there is one, else by a short or empty page.
    #[must_use]
    pub fn is_last(&self) -> bool {
        match self.total {
            // An empty page ends the list whatever the total says, or a wrong total would never end it.
            Some(total) => self.received == 0 || self.number.saturating_mul(self.per_page) >= total,
            None => self.received < self.per_page,
        }
    }

    /// The number of the last page, where the total tells it.
    fn last(&self) -> Option<u64> {
        self.total
            .map(|total| total.min(LIST_MAX).div_ceil(self.per_page.max(1)))
    }
}

/// Walks all pages. The first tells how many there are; then [`PAGES_AT_ONCE`] are under way together and come as they
/// arrive. Without a total they come one after the other. It ends after the first error.
pub(super) fn walk<T, F, Fut>(fetch: F) -> impl Stream<Item = Result<Page<T>, ApiError>> + Send
where
    T: Send + 'static,
    F: Fn(u64) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = Result<Page<T>, ApiError>> + Send + 'static,
{
    let rest = fetch.clone();
    stream::once(fetch(1)).flat_map(move |first| {
        let following = match &first {
            Ok(page) if !page.is_last() => match page.last() {
                Some(last) => {
                    let fetch = rest.clone();
                    stream::iter(2..=last)
                        .map(fetch)
                        .buffer_unordered(PAGES_AT_ONCE)
                        .boxed()
                }
                None => one_by_one(rest.clone()).boxed(),
            },
            _ => stream::empty().boxed(),
        };
        stream::iter([first]).chain(following)
    })
}

/// As [`walk`]; and once more where the total was not the same on all pages. Something was added or removed meanwhile, which
/// shifts what follows: an entry may have slipped onto a page that was there already. Those met before come again.
pub(super) fn walk_whole<T, F, Fut>(
    fetch: F,
) -> impl Stream<Item = Result<Page<T>, ApiError>> + Send
where
    T: Send + 'static,
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
            walk(again.clone()).boxed()
        } else {
            stream::empty().boxed()
        }
    };
    // Whether to walk again is known when the first walk is through, not before.
    walk(fetch)
        .inspect_ok(note)
        .chain(stream::once(async move { second() }).flatten())
}

fn one_by_one<T, F, Fut>(fetch: F) -> impl Stream<Item = Result<Page<T>, ApiError>> + Send
where
    T: Send + 'static,
    F: Fn(u64) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Page<T>, ApiError>> + Send + 'static,
{
    stream::unfold(Some((2, fetch)), |next| async move {
        let (number, fetch) = next?;
        let page = fetch(number).await;
        let more = page.as_ref().is_ok_and(|page| {
            let seen = page.number.saturating_mul(page.per_page);
            !page.is_last() && seen < LIST_MAX
        });
        Some((page, more.then_some((number + 1, fetch))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u64, received: u64, total: Option<u64>) -> Page<u64> {
        Page {
            items: vec![number; received as usize],
            number,
            per_page: 20,
            total,
            received,
        }
    }

    #[test]
    fn last_page_is_told_by_the_total_else_by_a_short_page() {
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

    async fn numbers(total: Option<u64>, pages: u64) -> Vec<u64> {
        let fetch = move |number| async move {
            Ok(page(number, if number <= pages { 20 } else { 0 }, total))
        };
        let mut numbers: Vec<u64> = walk(fetch).map(|page| page.unwrap().number).collect().await;
        numbers.sort_unstable();
        numbers
    }

    #[tokio::test]
    async fn every_page_is_fetched_once() {
        assert_eq!(numbers(Some(100), 5).await, [1, 2, 3, 4, 5]);
        assert_eq!(numbers(Some(20), 1).await, [1]);
        assert_eq!(numbers(None, 3).await, [1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn a_list_that_changes_under_way_is_walked_once_more_and_not_for_ever() {
        // One of 41 is removed after the first page: what was the first of the second page is on the first one now.
        let fetch =
            |number| async move { Ok(page(number, 20, Some(if number == 1 { 41 } else { 40 }))) };
        let numbers = |pages: Vec<Result<Page<u64>, ApiError>>| -> Vec<u64> {
            let mut numbers: Vec<u64> =
                pages.into_iter().map(|page| page.unwrap().number).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(
            numbers(walk_whole(fetch).collect().await),
            [1, 1, 2, 2, 3, 3]
        );
        let still = |number| async move { Ok(page(number, 20, Some(40))) };
        assert_eq!(numbers(walk_whole(still).collect().await), [1, 2]);
    }
}
