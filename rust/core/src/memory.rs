//! Memory for large tables: where the system has none, work unwinds with [`OutOfMemory`] instead of aborting the process.
//!
//! `vec!`, `collect` and `push` abort when memory runs out. They serve for small values. Tables with a place per column,
//! class, document, entry or pair get their memory here, because these numbers are the user's.

use std::alloc::{Layout, alloc_zeroed};
use std::panic::resume_unwind;

/// The payload of an unwinding: there was no memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How many values the table was to hold.
    pub length: usize,
    /// How many bytes it needed in all, as far as a number can say it.
    pub bytes: usize,
}

/// Unwind because there is no memory for `length` values. No panic hook is called, so nothing is printed.
#[cold]
fn refuse<T>(length: usize) -> ! {
    let bytes = length.saturating_mul(size_of::<T>());
    resume_unwind(Box::new(OutOfMemory { length, bytes }))
}

/// Numbers that are 0 where all bytes are 0.
///
/// # Safety
///
/// A value of all zero bytes must be a valid value of the type, and the type must have a size.
#[allow(unsafe_code)]
pub unsafe trait Zero: Copy + Default {}

macro_rules! zero {
    ($($number:ty),*) => {$(
        // SAFETY: all zero bytes are the number 0.
        #[allow(unsafe_code)]
        unsafe impl Zero for $number {}
    )*};
}
zero!(u8, u32, i32, u64, i64, usize, f32, f64);

/// Above this, glibc always maps memory and unmaps it. The end of a smaller mapping would teach it to keep as much memory
/// for later.
const MAPPED: usize = 33 << 20;

/// True when the system would give this many bytes now, and at least 33 MiB.
pub fn is_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes.max(MAPPED)).is_ok()
}

/// Unwind unless the system would give memory for this many values now: for code that would abort without it, such as
/// a stable sort.
pub fn check_room<T>(length: usize) {
    drop(with_capacity::<T>(length));
}

/// Zeros. The system hands out large tables of zeros at no cost, and fills in a page when it is first used.
#[allow(unsafe_code)]
pub fn zeros<T: Zero>(length: usize) -> Vec<T> {
    let Ok(layout) = Layout::array::<T>(length) else { refuse::<T>(length) };
    if length == 0 {
        return Vec::new();
    }
    // SAFETY: the layout has a size, since neither the length nor the size of a number is 0. A pointer that is not null
    // is of memory of this layout from the allocator of `Vec`, and all zero bytes are `length` valid numbers. Vectors of
    // `vec![0; n]` abort without memory; filling a reserved vector would touch every page of it.
    unsafe {
        let memory = alloc_zeroed(layout).cast::<T>();
        if memory.is_null() { refuse::<T>(length) } else { Vec::from_raw_parts(memory, length, length) }
    }
}

/// Copies of a value.
pub fn filled<T: Clone>(length: usize, value: T) -> Vec<T> {
    let mut values = with_capacity(length);
    values.resize(length, value);
    values
}

/// An empty vector with room for this many values.
pub fn with_capacity<T>(length: usize) -> Vec<T> {
    let mut values = Vec::new();
    if values.try_reserve_exact(length).is_err() {
        refuse::<T>(length);
    }
    values
}

/// A copy of values.
pub fn copied<T: Clone>(values: &[T]) -> Vec<T> {
    let mut copy = with_capacity(values.len());
    copy.extend_from_slice(values);
    copy
}

/// The values of an iterator.
pub fn collected<T>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    extend(&mut found, values);
    found
}

/// The values of an iterator, or its first error.
pub fn try_collected<T, E>(values: impl IntoIterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
    let mut found = Vec::new();
    for value in values {
        push(&mut found, value?);
    }
    Ok(found)
}

/// The values of several vectors, in order.
pub fn joined<T>(parts: Vec<Vec<T>>) -> Vec<T> {
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    parts.for_each(|part| extend(&mut all, part));
    all
}

/// Make room for more values, in steps that grow with the vector.
#[inline]
pub fn reserve<T>(values: &mut Vec<T>, more: usize) {
    if values.capacity() - values.len() < more && values.try_reserve(more).is_err() {
        refuse::<T>(values.len().saturating_add(more));
    }
}

/// Append a value.
#[inline]
pub fn push<T>(values: &mut Vec<T>, value: T) {
    reserve(values, 1);
    values.push(value);
}

/// Append copies of values.
#[inline]
pub fn append<T: Clone>(values: &mut Vec<T>, more: &[T]) {
    reserve(values, more.len());
    values.extend_from_slice(more);
}

/// Append the values of an iterator.
pub fn extend<T>(values: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    let more = more.into_iter();
    let (least, most) = more.size_hint();
    reserve(values, least);
    if most == Some(least) {
        values.extend(more);
    } else {
        more.for_each(|value| push(values, value));
    }
}

/// Grow with copies of a value, or truncate.
pub fn resize<T: Clone>(values: &mut Vec<T>, length: usize, value: T) {
    reserve(values, length.saturating_sub(values.len()));
    values.resize(length, value);
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    fn refusal<T>(work: impl FnOnce() -> Vec<T> + std::panic::UnwindSafe) -> Option<OutOfMemory> {
        catch_unwind(work).err().and_then(|payload| payload.downcast_ref::<OutOfMemory>().copied())
    }

    #[test]
    fn what_does_not_fit_unwinds_with_its_size() {
        let length = usize::MAX / 16;
        let expected = Some(OutOfMemory { length, bytes: length * 8 });
        assert_eq!(refusal(|| zeros::<f64>(length)), expected);
        assert_eq!(refusal(|| filled(length, 1.0_f64)), expected);
        assert_eq!(refusal(|| with_capacity::<u64>(length)), expected);
        assert_eq!(refusal(|| collected((0..length as u64).map(|at| at as f64))), expected);
        let grown = |grow: fn(&mut Vec<u64>)| {
            refusal(move || {
                let mut values = vec![1];
                grow(&mut values);
                values
            })
        };
        assert!(grown(|values| reserve(values, usize::MAX)).is_some_and(|error| error.length == usize::MAX));
        assert!(grown(|values| resize(values, usize::MAX / 8, 1)).is_some());
        assert!(refusal(|| zeros::<f64>(usize::MAX)).is_some_and(|error| error.bytes == usize::MAX));
    }

    #[test]
    fn what_fits_is_an_ordinary_vector() {
        let mut zeros: Vec<u32> = zeros(3);
        push(&mut zeros, 7);
        append(&mut zeros, &[1, 2]);
        extend(&mut zeros, (0..10).filter(|at| at % 5 == 0));
        resize(&mut zeros, 9, 4);
        assert_eq!(zeros, [0, 0, 0, 7, 1, 2, 0, 5, 4]);
        resize(&mut zeros, 1, 4);
        assert_eq!(zeros, [0]);
        assert_eq!(super::zeros::<f64>(0), []);
        assert_eq!(filled(2, 'a'), ['a', 'a']);
        assert_eq!(copied(&[1, 2]), collected([1, 2]));
    }
}
