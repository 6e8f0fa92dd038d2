//! Work on every core.

use std::panic::resume_unwind;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

/// How long `queue_on_threads` waits before it looks up.
const PATIENCE: Duration = Duration::from_millis(50);

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

/// Do the work of each item, taken from a queue in order by so many threads; return the results in that order.
///
/// This thread does none: every now and then, and after each item, it calls `watch` with the number of items
/// done. When that says no, `stop` says yes to whoever is working, and the answer is `None`.
pub fn queue_on_threads<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T, &dyn Fn() -> bool) -> R + Sync,
    mut watch: impl FnMut(usize) -> bool,
) -> Option<Vec<R>> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let (work, next, stopped) = (&work, &next, &stopped);
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some((place, item)) = take(items, next).filter(|_| !stopped.load(Relaxed)) {
                    // A receiver that is gone has stopped.
                    let _ = sender.send((place, work(item, &|| stopped.load(Relaxed))));
                }
            });
        }
        drop(sender);
        let mut done = 0;
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok((place, result)) => {
                    results[place] = Some(result);
                    done += 1;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if !watch(done) {
                stopped.store(true, Relaxed);
                break;
            }
        }
    });
    results.into_iter().collect()
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let place = next.fetch_add(1, Relaxed);
    items.get(place).map(|item| (place, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [1, 3, 200] {
            let mut most = 0;
            let squares = queue_on_threads(
                &items,
                threads,
                |item, _| item * item,
                |done| {
                    most = done;
                    true
                },
            );
            assert_eq!(squares, Some(items.iter().map(|item| item * item).collect()));
            assert_eq!(most, 100);
        }
        assert_eq!(queue_on_threads(&[], 2, |item: &u64, _| *item, |_| true), Some(vec![]));
    }

    #[test]
    fn whoever_works_is_told_to_stop() {
        let work = |_: &u64, stop: &dyn Fn() -> bool| {
            while !stop() {
                thread::yield_now();
            }
        };
        assert_eq!(queue_on_threads(&[1, 2, 3], 2, work, |_| false), None);
    }
}
