//! Locks a mutex.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic: no value here is left half-changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
