//! Work on every core.

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::thread;

/// How many threads this process may run at once.
pub fn available_threads() -> usize {
    // Asked once: the answer is read from files, which takes longer than counting a short text.
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

/// Do the work of each item on a thread of its own, the last on this one; return the results in order.
///
/// Scoped threads rather than a pool that lives on: a process that forks afterwards keeps working.
pub fn on_threads<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut items: Vec<T> = items.into_iter().collect();
    let Some(last) = items.pop() else {
        return Vec::new();
    };
    let work = &work;
    thread::scope(|scope| {
        let running: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        let here = work(last);
        let mut results: Vec<R> = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect();
        results.push(here);
        results
    })
}
