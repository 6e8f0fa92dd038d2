//! The system's allocator with a reserve, so that a small allocation does not abort the process when memory runs out.
//!
//! Large tables ask for memory in a way that can fail (`textbayes_core::memory`). The many small allocations between them
//! cannot: Rust aborts. When the system refuses one, it is served from the reserve, which is given back for this purpose.
//! The next call of the core finds the reserve gone, and raises `MemoryError` unless it can be set aside again.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// Address space only: no page of it is ever written. Above 32 MiB, where glibc always maps and unmaps.
const RESERVE_BYTES: usize = 48 << 20;
const RESERVE_ALIGNMENT: usize = 16;

static RESERVE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

#[global_allocator]
static ALLOCATOR: Reserving = Reserving;

struct Reserving;

// SAFETY: every method forwards to the system's allocator, once or twice with the same arguments, and returns what it
// returned. None of them unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Reserving {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of `System`.
        let memory = unsafe { System.alloc(layout) };
        if memory.is_null() && release_for(layout.size()) {
            // SAFETY: as above.
            return unsafe { System.alloc(layout) };
        }
        memory
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if memory.is_null() && release_for(layout.size()) {
            // SAFETY: as above.
            return unsafe { System.alloc_zeroed(layout) };
        }
        memory
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above. The system leaves the old memory as it is when it refuses.
        let grown = unsafe { System.realloc(memory, layout, size) };
        if grown.is_null() && release_for(size) {
            // SAFETY: as above.
            return unsafe { System.realloc(memory, layout, size) };
        }
        grown
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory came from `System`, by one of the methods above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Give the reserve back for an allocation of this many bytes; false if that cannot help.
///
/// Large tables do not need the reserve: they fail in a way that can be caught.
#[cold]
#[allow(unsafe_code)]
fn release_for(bytes: usize) -> bool {
    if bytes > RESERVE_BYTES / 4 {
        return false;
    }
    let reserve = RESERVE.swap(null_mut(), AcqRel);
    if !reserve.is_null() {
        // SAFETY: only `has_reserve` fills the place, with memory of this layout, and the swap makes this thread the
        // only one that has it.
        unsafe { System.dealloc(reserve, reserve_layout()) };
    }
    // Where another thread has just given it back, a second try may succeed, too.
    true
}

/// Set the reserve aside, if it is not; false without memory for it.
#[allow(unsafe_code)]
pub fn has_reserve() -> bool {
    if !RESERVE.load(Acquire).is_null() {
        return true;
    }
    // SAFETY: the layout has a size.
    let reserve = unsafe { System.alloc(reserve_layout()) };
    if reserve.is_null() {
        return false;
    }
    if RESERVE.compare_exchange(null_mut(), reserve, AcqRel, Acquire).is_err() {
        // SAFETY: the memory was allocated above with this layout, and nobody else has it.
        unsafe { System.dealloc(reserve, reserve_layout()) };
    }
    true
}

#[allow(unsafe_code)]
const fn reserve_layout() -> Layout {
    // SAFETY: the alignment is a power of two, and the size is far below the largest.
    unsafe { Layout::from_size_align_unchecked(RESERVE_BYTES, RESERVE_ALIGNMENT) }
}
