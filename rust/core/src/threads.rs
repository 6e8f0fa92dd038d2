//! Work on several threads: how it is split, and how it is run.
//!
//! One constant decides when a thread pays. Work is either split into parts beforehand, each on its own thread
//! ([`on_threads`]), or taken item by item from a [`Queue`]. Neither changes a result: no sum whose bits depend on the order
//! is split by the number of threads.

use std::cell::Cell;
use std::iter;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, OnceLock, RwLock, mpsc};
use std::thread;
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::memory;

/// The amount of work, in entries scored or pairs corrected, that takes longer than starting a thread.
const WORTH_A_THREAD: usize = 1 << 14;
/// How often `queue_on_threads` calls its watcher while no item is done.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    /// The number of threads that work on behalf of this one.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// The number of threads this process may run at once, or the limit of this thread if that is lower.
pub fn available_threads() -> usize {
    // Asked once: the answer is read from files, which takes longer than counting a short text.
    static THREADS: OnceLock<usize> = OnceLock::new();
    let threads = *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, std::num::NonZero::get));
    threads.min(LIMIT.get())
}

/// Limit the number of threads that work on behalf of this thread, to one at least; return the limit before.
pub fn limit_threads(limit: usize) -> usize {
    LIMIT.replace(limit.max(1))
}

/// The number of parts to split this much work into, for at most `threads` threads.
pub fn part_count(work: usize, threads: usize) -> usize {
    threads.min(work / WORTH_A_THREAD).max(1)
}

/// Split `0..length` into ranges of equal length, as many as this much work in all is worth.
pub fn split_evenly(length: usize, work: usize, threads: usize) -> Vec<Range<usize>> {
    let parts = part_count(work, threads);
    (0..parts).map(|part| length * part / parts..length * (part + 1) / parts).collect()
}

/// Take `size` values off the front of a slice.
pub fn take_front<'a, T>(slice: &mut &'a mut [T], size: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(slice).split_at_mut(size);
    *slice = rest;
    front
}

/// Fill consecutive rows of `width` values: `fill` gets some of the rows and the values of these.
pub fn fill_rows<T: Send>(
    values: &mut [T],
    width: usize,
    ranges: Vec<Range<usize>>,
    fill: impl Fn(Range<usize>, &mut [T]) + Sync,
) {
    let mut rest = values;
    let parts = ranges.into_iter().map(|rows| {
        let part = take_front(&mut rest, rows.len() * width);
        (rows, part)
    });
    on_threads(parts, |(rows, part)| fill(rows, part));
}

/// Fill the columns of a table with rows of `width` values: `fill` gets some of the columns and the part of each row.
pub fn fill_columns<T: Send>(
    table: &mut [T],
    width: usize,
    ranges: Vec<Range<usize>>,
    fill: impl Fn(Range<usize>, Vec<&mut [T]>) + Sync,
) {
    let mut rest: Vec<&mut [T]> = table.chunks_mut(width.max(1)).collect();
    let parts = ranges.into_iter().map(|columns| {
        let part = rest.iter_mut().map(|row| take_front(row, columns.len())).collect();
        (columns, part)
    });
    on_threads(parts, |(columns, part)| fill(columns, part));
}

/// The bytes that threads need for stacks and for what the C library keeps: where it gets none, it ends the process.
fn room_of(threads: usize) -> usize {
    (16 << 20) + threads * (4 << 20)
}

/// Start a thread for each piece of work; `None` where the system gives no thread.
///
/// The C library gets memory for a thread when that begins to run. So that none is taken from it, nobody works before all
/// threads run: not those that were started first, and not the caller, who waits here.
fn start<'scope, W, R>(
    scope: &'scope Scope<'scope, '_>,
    works: impl IntoIterator<Item = W>,
) -> Vec<Option<ScopedJoinHandle<'scope, R>>>
where
    W: FnOnce() -> R + Send + 'scope,
    R: Send + 'scope,
{
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write();
    // Every thread drops its sender once it runs; nothing is sent.
    let (running, all_run) = mpsc::channel::<()>();
    let spawn = |work: W| {
        let (gate, running) = (Arc::clone(&gate), running.clone());
        let wait_and_work = move || {
            drop(running);
            drop(gate.read());
            work()
        };
        Builder::new().spawn_scoped(scope, wait_and_work).ok()
    };
    let threads = works.into_iter().map(spawn).collect();
    drop(running);
    let _ = all_run.recv();
    drop(closed);
    threads
}

/// Do the work of each item on its own thread, the last one on this thread; return the results in order.
///
/// Scoped threads rather than a permanent pool: a process that forks afterwards keeps working. Items for which the system
/// gives no thread are done on this one. A panic of a thread goes on here with its payload.
pub fn on_threads<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut items: Vec<T> = items.into_iter().collect();
    let Some(last) = items.pop() else {
        return Vec::new();
    };
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let take = |item: &Mutex<Option<T>>| item.lock().ok().and_then(|mut item| item.take());
    let (work, take, is_room) = (&work, &take, items.is_empty() || memory::is_room(room_of(items.len())));
    thread::scope(|scope| {
        let running = start(scope, items.iter().filter(|_| is_room).map(|item| move || take(item).map(work)));
        let here = work(last);
        let threads = running.into_iter().chain(iter::repeat_with(|| None));
        let done = threads.zip(&items).map(|(thread, item)| match thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => take(item).map(work),
        });
        let mut results: Vec<R> = done.flatten().collect();
        results.push(here);
        results
    })
}

/// Items that threads take in order, each item once.
pub struct Queue<'a, T> {
    items: &'a [T],
    next: AtomicUsize,
}

impl<'a, T> Queue<'a, T> {
    /// A queue of these items.
    pub fn new(items: &'a [T]) -> Self {
        Self { items, next: AtomicUsize::new(0) }
    }

    /// The next item and its place, if one is left.
    pub fn take(&self) -> Option<(usize, &'a T)> {
        let place = self.next.fetch_add(1, Relaxed);
        self.items.get(place).map(|item| (place, item))
    }
}

/// Do the work of each item of a queue on `threads` threads; return the results in the order of the items.
///
/// This thread only watches: at an interval, and after each item, it calls `watch` with the number of items done. When
/// that returns false, the `stop` that workers are given returns true, and the result is `None`.
pub fn queue_on_threads<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T, &dyn Fn() -> bool) -> R + Sync,
    mut watch: impl FnMut(usize) -> bool,
) -> Option<Vec<R>> {
    let (queue, stopped) = (Queue::new(items), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let (work, queue, stopped) = (&work, &queue, &stopped);
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let threads = threads.clamp(1, items.len().max(1));
        let workers = (0..if memory::is_room(room_of(threads)) { threads } else { 0 }).map(|_| {
            let sender = sender.clone();
            move || {
                while let Some((place, item)) = queue.take().filter(|_| !stopped.load(Relaxed)) {
                    // The receiver is gone once the work was stopped.
                    let _ = sender.send((place, work(item, &|| stopped.load(Relaxed))));
                }
            }
        });
        // The threads that there are do all of the work.
        let running: Vec<_> = start(scope, workers).into_iter().flatten().collect();
        drop(sender);
        let mut done = 0;
        while running.is_empty() {
            let Some((place, item)) = queue.take() else { break };
            results[place] = Some(work(item, &|| false));
            done += 1;
            if !watch(done) {
                break;
            }
        }
        loop {
            match receiver.recv_timeout(WATCH_INTERVAL) {
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
        for thread in running {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    results.into_iter().collect()
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
    fn a_thread_has_its_own_limit() {
        let before = limit_threads(1);
        assert_eq!(available_threads(), 1);
        assert_eq!(on_threads([()], |()| available_threads()), [1]);
        assert!(thread::scope(|scope| scope
            .spawn(available_threads)
            .join()
            .is_ok_and(|threads| threads >= 1)));
        assert_eq!(limit_threads(before), 1);
        assert_eq!(limit_threads(0), usize::MAX);
        assert_eq!(limit_threads(usize::MAX), 1);
    }

    #[test]
    fn workers_are_told_to_stop() {
        let work = |_: &u64, stop: &dyn Fn() -> bool| {
            while !stop() {
                thread::yield_now();
            }
        };
        assert_eq!(queue_on_threads(&[1, 2, 3], 2, work, |_| false), None);
    }

    #[test]
    fn a_panic_of_a_thread_keeps_its_payload() {
        let fails = |item: &usize| if *item == 1 { resume_unwind(Box::new("payload")) } else { *item };
        let told = |work: &dyn Fn()| {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            caught.err().and_then(|payload| payload.downcast_ref::<&str>().copied())
        };
        for items in [&[0, 1, 2, 3][..], &[0, 1], &[1]] {
            assert_eq!(told(&|| drop(on_threads(items, fails))), Some("payload"));
            let queued = || drop(queue_on_threads(items, 2, |item, _| fails(item), |_| true));
            assert_eq!(told(&queued), Some("payload"));
        }
    }

    #[test]
    fn parts_cover_everything_once() {
        for threads in [1, 3, 8] {
            for work in [0, 1 << 14, 1 << 15, 1 << 20] {
                let parts = split_evenly(1000, work, threads);
                assert_eq!(parts.len(), part_count(work, threads));
                assert!(parts.len() <= threads);
                let all: Vec<usize> = parts.into_iter().flatten().collect();
                assert!(all.into_iter().eq(0..1000));
            }
        }
    }

    #[test]
    fn every_part_fills_its_own_place() {
        let ranges = || split_evenly(7, 1 << 16, 3);
        let mut rows = vec![0; 14];
        fill_rows(&mut rows, 2, ranges(), |places, part| {
            for (place, row) in places.zip(part.chunks_mut(2)) {
                row.fill(place);
            }
        });
        assert_eq!(rows, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
        let mut table = vec![0; 14];
        fill_columns(&mut table, 7, ranges(), |places, mut part| {
            for (at, place) in places.enumerate() {
                (part[0][at], part[1][at]) = (place, 10 + place);
            }
        });
        assert_eq!(table, [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16]);
    }
}
