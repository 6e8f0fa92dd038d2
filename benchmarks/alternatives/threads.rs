//! What `counts` calls: our splitter, rayon's scope on a pool per call, or rayon's scope on the global pool.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub use crate::our_threads::{Queue, take_front};

pub const NAMES: [&str; 3] = ["ours", "rayon, a pool per call", "rayon, the global pool"];
pub static SPLITTER: AtomicUsize = AtomicUsize::new(0);

pub fn on_threads<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    if SPLITTER.load(Relaxed) == 0 {
        return crate::our_threads::on_threads(items, work);
    }
    let items: Vec<T> = items.into_iter().collect();
    if items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    if SPLITTER.load(Relaxed) == 2 {
        rayon::in_place_scope(|scope| spread(scope, items, &mut results, &work));
    } else {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(items.len() - 1);
        let run = |pool: &rayon::ThreadPool| {
            pool.in_place_scope(|scope| spread(scope, items, &mut results, &work));
        };
        // Scoped: its threads have ended when the call returns.
        pool.build_scoped(|thread| thread.run(), run).expect("threads");
    }
    results.into_iter().flatten().collect()
}

/// Each item is a job, and the last is done here.
fn spread<'s, T: Send + 's, R: Send>(
    scope: &rayon::Scope<'s>,
    mut items: Vec<T>,
    results: &'s mut [Option<R>],
    work: &'s (impl Fn(T) -> R + Sync),
) {
    let (last, mut slots) = (items.pop(), results.iter_mut());
    for (item, slot) in items.into_iter().zip(&mut slots) {
        scope.spawn(move |_| *slot = Some(work(item)));
    }
    if let Some(slot) = slots.next() {
        *slot = last.map(work);
    }
}

/// True if a child that is forked after a splitter was used can use it too.
pub fn works_after_fork(splitter: usize) -> bool {
    SPLITTER.store(splitter, Relaxed);
    let spread = || on_threads([1, 2], |item| std::thread::sleep(Duration::from_millis(item)));
    spread();
    // SAFETY: the child calls the splitter, which is the question, and ends without unwinding.
    let child = unsafe { libc::fork() };
    if child == 0 {
        spread();
        unsafe { libc::_exit(0) };
    }
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        if unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::WNOHANG) } == child {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    unsafe { libc::kill(child, libc::SIGKILL) };
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    false
}
