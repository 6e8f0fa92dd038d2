//! A column of numbers that is our own, or lies in a file that is mapped into memory.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A column that is read where it lies, and becomes our own when it is first written to.
#[derive(Clone)]
pub enum Column<T: 'static> {
    /// Ours.
    Owned(Vec<T>),
    /// Another's, and what keeps it alive.
    Shared(&'static [T], Arc<dyn Any + Send + Sync>),
}

impl<T: Clone> Column<T> {
    /// The column as one of our own.
    pub fn own(&mut self) -> &mut Vec<T> {
        if let Self::Shared(slice, _) = self {
            *self = Self::Owned(slice.to_vec());
        }
        match self {
            Self::Owned(own) => own,
            Self::Shared(..) => unreachable!("it was made our own above"),
        }
    }

    /// Grow with copies of a value, or cut off.
    pub fn resize(&mut self, length: usize, value: T) {
        self.own().resize(length, value);
    }

    /// Put another column behind, which is left empty.
    pub fn append(&mut self, other: &mut Self) {
        self.own().append(other.own());
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(own: Vec<T>) -> Self {
        Self::Owned(own)
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Owned(own) => own,
            Self::Shared(slice, _) => slice,
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

    #[test]
    fn writing_makes_it_our_own() {
        static FILE: [u32; 3] = [1, 2, 3];
        let mut column = Column::Shared(&FILE, Arc::new(()));
        let twin = column.clone();
        column[1] = 7;
        column.resize(4, 9);
        assert_eq!((&*column, &*twin), (&[1, 7, 3, 9][..], &[1, 2, 3][..]));
        assert!(matches!(column, Column::Owned(_)) && matches!(twin, Column::Shared(..)));
    }
}
