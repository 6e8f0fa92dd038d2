//! Values with cheap copies, shared by threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// A value that readers take as it is, while a writer changes it for later readers.
///
/// Copies share the value until one of them changes. No call fails because another one is under way.
#[derive(Debug, Default)]
pub struct Versioned<T>(Mutex<Arc<T>>);

impl<T: Clone> Versioned<T> {
    /// A first version.
    pub fn new(value: T) -> Self {
        Self(Mutex::new(Arc::new(value)))
    }

    /// The value as it is now.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.lock())
    }

    /// The value as it is now; `None` while it changes.
    pub fn try_get(&self) -> Option<Arc<T>> {
        match self.0.try_lock() {
            Ok(value) => Some(Arc::clone(&value)),
            Err(TryLockError::Poisoned(poisoned)) => Some(Arc::clone(&poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// A copy, which shares the value until one of the two changes.
    pub fn copy(&self) -> Self {
        Self(Mutex::new(self.get()))
    }

    /// Change the value. If readers or copies still hold it, it is copied first.
    pub fn change<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(Arc::make_mut(&mut self.lock()))
    }

    /// A panic in another thread leaves a value that can be read, if not the one that was wanted.
    fn lock(&self) -> MutexGuard<'_, Arc<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_changes_alone() {
        let first = Versioned::new(vec![1]);
        let reader = first.get();
        let second = first.copy();
        assert!(Arc::ptr_eq(&reader, &second.get()));
        second.change(|value| value.push(2));
        first.change(|value| value.push(3));
        assert_eq!((&*reader, &*first.get(), &*second.get()), (&vec![1], &vec![1, 3], &vec![1, 2]));
    }

    #[test]
    fn a_reader_can_ask_without_waiting() {
        let value = Versioned::new(1);
        value.change(|number| {
            assert!(value.try_get().is_none());
            *number = 2;
        });
        assert_eq!(value.try_get().as_deref(), Some(&2));
    }
}
