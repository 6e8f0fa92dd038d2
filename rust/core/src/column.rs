//! A column of numbers that is owned, or read from memory of another owner, such as a mapped file.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::memory;

/// A column that is copied when it is first written to, if it is not owned.
pub struct Column<T: 'static>(Values<T>);

enum Values<T: 'static> {
    Owned(Vec<T>),
    Shared(Shared<T>),
}

/// Values of another owner. A pointer, not a reference: a reference would have to outlive the call that drops the owner.
struct Shared<T: 'static> {
    values: NonNull<[T]>,
    owner: Arc<dyn Any + Send + Sync>,
}

impl<T> Shared<T> {
    #[inline]
    #[allow(unsafe_code)]
    fn values(&self) -> &[T] {
        // SAFETY: `Column::shared` made the pointer of a slice whose memory stays as it is until the owner is dropped, and
        // the owner is here for as long as the reference.
        unsafe { self.values.as_ref() }
    }
}

// SAFETY: the values are only read, which any thread may do with values that are `Sync`; the owner is `Send` and `Sync`.
#[allow(unsafe_code)]
unsafe impl<T: Sync> Send for Shared<T> {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl<T: Sync> Sync for Shared<T> {}

impl<T> Column<T> {
    /// A column that reads values of another owner without a copy, and keeps the owner.
    ///
    /// # Safety
    ///
    /// Until the owner is dropped, the memory of the values must stay where it is, and nobody may write to it.
    #[allow(unsafe_code)]
    pub unsafe fn shared(values: &[T], owner: Arc<dyn Any + Send + Sync>) -> Self {
        Self(Values::Shared(Shared { values: NonNull::from(values), owner }))
    }

    /// A column whose copies share its values. To write to it is to copy it.
    #[allow(unsafe_code)]
    pub fn frozen(self) -> Self
    where
        T: Send + Sync,
    {
        match self.0 {
            Values::Shared(_) => self,
            Values::Owned(own) => {
                let owner = Arc::new(own);
                let values: *const [T] = owner.as_slice();
                // SAFETY: the memory of the vector stays where it is until its owner is dropped, and nobody can write to
                // it, since nobody else has the owner. Without this each copy of compiled weights copies all rows.
                unsafe { Self::shared(&*values, owner) }
            }
        }
    }

    /// True while the values are those of another owner.
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Values::Shared(_))
    }
}

impl<T: Clone> Clone for Column<T> {
    fn clone(&self) -> Self {
        match &self.0 {
            Values::Owned(own) => memory::copied(own).into(),
            Values::Shared(shared) => {
                Self(Values::Shared(Shared { values: shared.values, owner: Arc::clone(&shared.owner) }))
            }
        }
    }
}

impl<T: Clone> Column<T> {
    /// The column as an owned one, copied if it is shared.
    pub fn own(&mut self) -> &mut Vec<T> {
        if let Values::Shared(shared) = &self.0 {
            self.0 = Values::Owned(memory::copied(shared.values()));
        }
        match &mut self.0 {
            Values::Owned(own) => own,
            Values::Shared(_) => unreachable!("it was copied above"),
        }
    }

    /// Grow with copies of a value, or truncate.
    pub fn resize(&mut self, length: usize, value: T) {
        memory::resize(self.own(), length, value);
    }

    /// Append another column, which is left empty.
    pub fn append(&mut self, other: &mut Self) {
        memory::reserve(self.own(), other.len());
        self.own().append(other.own());
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self(Values::Owned(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(own: Vec<T>) -> Self {
        Self(Values::Owned(own))
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Values::Owned(own) => own,
            Values::Shared(shared) => shared.values(),
        }
    }
}

impl<T: Clone> DerefMut for Column<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.own()
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Column<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deref().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(unsafe_code)]
    fn shared(values: &Arc<Vec<u32>>) -> Column<u32> {
        // SAFETY: the owner is the vector that the values are of, and nothing changes it.
        unsafe { Column::shared(values, Arc::clone(values) as Arc<dyn Any + Send + Sync>) }
    }

    #[test]
    fn writing_copies_the_values() {
        let file = Arc::new(vec![1, 2, 3]);
        let mut column = shared(&file);
        let twin = column.clone();
        column[1] = 7;
        column.resize(4, 9);
        assert_eq!((&*column, &*twin), (&[1, 7, 3, 9][..], &[1, 2, 3][..]));
        assert!(!column.is_shared() && twin.is_shared());
        assert_eq!(*file, [1, 2, 3]);
    }

    #[test]
    fn copies_of_a_frozen_column_share_its_values() {
        let column: Column<u32> = Column::from(vec![1, 2, 3]).frozen();
        let mut twin = column.clone();
        assert_eq!(column.as_ptr(), twin.as_ptr());
        twin[0] = 7;
        assert_eq!((&*column, &*twin.frozen()), (&[1, 2, 3][..], &[7, 2, 3][..]));
        assert!(Column::<u32>::default().frozen().is_empty());
    }

    #[test]
    fn a_column_keeps_the_owner_until_it_is_dropped_or_copied() {
        let file = Arc::new(vec![1, 2, 3]);
        let owner = Arc::downgrade(&file);
        let (mut first, second) = (shared(&file), shared(&file));
        drop(file);
        assert_eq!(*second, [1, 2, 3]);
        first.own();
        assert!(owner.upgrade().is_some());
        drop(second);
        assert!(owner.upgrade().is_none());
        assert_eq!(*first, [1, 2, 3]);
    }
}
