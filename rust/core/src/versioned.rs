//! Values whose copies are cheap, shared by threads.
//!
//! A copy and its original share one value. When one of them changes, the value changes in place, and the other one keeps
//! a record that undoes the change (Baker, "Shallow binding makes functional arrays fast", 1991). It is applied when that
//! version is read again: in place when the newer one was dropped, else on a copy of the value. So changing a copy and
//! dropping either of the two costs as much as the change, whatever the size of the value.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};

/// Records that weigh no more than this are kept for any value, however small.
const FREE_WEIGHT: usize = 64;

/// A value whose changes can be undone.
pub trait Undoable: Clone {
    /// What undoes a change.
    type Undo;

    /// How much a copy costs, in the unit of [`Self::undo_weight`].
    fn weight(&self) -> usize;

    /// How much a record costs.
    fn undo_weight(undo: &Self::Undo) -> usize;

    /// Undo a change, of which a part may be missing. To undo it twice is to undo it once.
    fn undo(&mut self, undo: &Self::Undo);
}

/// A version of a value. Readers take the value as it is; a change shows to later readers of this version alone.
///
/// No call fails because another one is under way: it waits.
pub struct Versioned<T: Undoable> {
    family: Arc<Family<T>>,
    /// The place of this version. It changes only with the family's lock.
    place: AtomicUsize,
}

/// A version that came from another one, and that one, have one lock.
struct Family<T: Undoable> {
    nodes: Mutex<Nodes<T>>,
    /// A value that was being changed is there again.
    returned: Condvar,
}

/// The value of a version, or the way to it.
struct Node<T: Undoable> {
    /// How many versions are here, and how many older nodes lead here.
    holders: usize,
    /// How many older nodes lead here.
    older: usize,
    /// The weight of all records that lead here, at most.
    weight: usize,
    content: Content<T>,
}

impl<T: Undoable> Node<T> {
    /// A node of one version.
    fn new(content: Content<T>) -> Self {
        Self { holders: 1, older: 0, weight: 0, content }
    }
}

enum Content<T: Undoable> {
    Value(Arc<T>),
    /// A thread is changing the value.
    Out,
    /// The value is that of another node, with a change undone.
    Older {
        undo: Arc<T::Undo>,
        next: usize,
    },
}

/// Nodes at their places; `None` at a place that is free.
struct Nodes<T: Undoable> {
    nodes: Vec<Option<Node<T>>>,
    free: Vec<usize>,
}

/// Where the value of a node is.
enum Found<T: Undoable> {
    Here(Arc<T>),
    Out,
    /// The value of a newer version that is in use, and what undoes its changes, in this order.
    Newer(Arc<T>, Vec<Arc<T::Undo>>),
}

impl<T: Undoable> Versioned<T> {
    /// A first version.
    pub fn new(value: T) -> Self {
        let node = Node::new(Content::Value(Arc::new(value)));
        let nodes = Nodes { nodes: vec![Some(node)], free: Vec::with_capacity(1) };
        let family = Family { nodes: Mutex::new(nodes), returned: Condvar::new() };
        Self { family: Arc::new(family), place: AtomicUsize::new(0) }
    }

    /// The value as it is now.
    pub fn get(&self) -> Arc<T> {
        self.found().1
    }

    /// The value as it is now, if that takes no time; else `None`.
    pub fn try_get(&self) -> Option<Arc<T>> {
        let nodes = self.try_lock()?;
        match &nodes.at(self.place.load(Relaxed)).content {
            Content::Value(value) => Some(Arc::clone(value)),
            _ => None,
        }
    }

    /// A copy, which shares the value until one of the two changes.
    pub fn copy(&self) -> Self {
        let mut nodes = self.lock();
        while matches!(nodes.at(self.place.load(Relaxed)).content, Content::Out) {
            nodes = self.wait(nodes);
        }
        self.copied(nodes)
    }

    /// A copy, if that takes no time; else `None`.
    pub fn try_copy(&self) -> Option<Self> {
        let nodes = self.try_lock()?;
        let is_out = matches!(nodes.at(self.place.load(Relaxed)).content, Content::Out);
        (!is_out).then(|| self.copied(nodes))
    }

    /// Change the value.
    ///
    /// `plan` looks at the value before the change, or refuses it. `undo` makes the record that undoes what was planned, or
    /// `None` when a copy of the value is cheaper; it is called when another version needs one. `work` does the change. When it
    /// panics and another version needs the value, nothing has changed.
    pub fn change<P, R, E>(
        &self,
        plan: impl FnOnce(&T) -> Result<P, E>,
        undo: impl FnOnce(&T, &P) -> Option<T::Undo>,
        work: impl FnOnce(&mut T, P) -> R,
    ) -> Result<R, E> {
        let mut taken = self.take();
        let plan = plan(taken.value())?;
        let is_alone = {
            let mut nodes = self.lock();
            let node = nodes.at_mut(taken.place);
            if node.older == 0 {
                node.weight = 0;
            }
            taken.weight = node.weight;
            node.holders == 1
        };
        let weight = taken.weight;
        match taken.own() {
            Some(value) if is_alone => return Ok(work(value, plan)),
            Some(value) => {
                let most = value.weight() / 4 + FREE_WEIGHT;
                let kept = |undo: &T::Undo| weight + T::undo_weight(undo) < most;
                if let Some(undo) = undo(value, &plan).filter(kept) {
                    return Ok(taken.change_in_place(undo, |value| work(value, plan)));
                }
            }
            None => {}
        }
        Ok(taken.change_a_copy(|value| work(value, plan)))
    }

    /// Wait until no thread changes the value, bring it here and take it out.
    fn take(&self) -> Taken<'_, T> {
        let (mut nodes, value) = self.found();
        let place = self.place.load(Relaxed);
        nodes.at_mut(place).content = Content::Out;
        Taken { version: self, place, home: place, is_copy: false, weight: 0, value: Some(value) }
    }

    /// The value, and the lock under which it was found.
    fn found(&self) -> (MutexGuard<'_, Nodes<T>>, Arc<T>) {
        let mut nodes = self.lock();
        loop {
            let place = self.place.load(Relaxed);
            match nodes.find(place) {
                Found::Here(value) => return (nodes, value),
                Found::Out => nodes = self.wait(nodes),
                Found::Newer(value, undos) => {
                    drop(nodes);
                    let mut own = T::clone(&value);
                    drop(value);
                    undos.iter().for_each(|undo| own.undo(undo));
                    nodes = self.lock();
                    // Another thread may have been faster.
                    if place == self.place.load(Relaxed) {
                        nodes.settle(place, own);
                    }
                }
            }
        }
    }

    fn copied(&self, mut nodes: MutexGuard<'_, Nodes<T>>) -> Self {
        let place = self.place.load(Relaxed);
        nodes.at_mut(place).holders += 1;
        Self { family: Arc::clone(&self.family), place: AtomicUsize::new(place) }
    }

    /// Nothing that is done with the lock leaves nodes that contradict each other, so a panic in another thread does no harm.
    fn lock(&self) -> MutexGuard<'_, Nodes<T>> {
        self.family.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, Nodes<T>>> {
        match self.family.nodes.try_lock() {
            Ok(nodes) => Some(nodes),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn wait<'a>(&self, nodes: MutexGuard<'a, Nodes<T>>) -> MutexGuard<'a, Nodes<T>> {
        self.family.returned.wait(nodes).unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Undoable> Drop for Versioned<T> {
    fn drop(&mut self) {
        let mut nodes = self.lock();
        let dropped = nodes.release(self.place.load(Relaxed));
        // Large values are dropped without the lock.
        drop(nodes);
        drop(dropped);
    }
}

impl<T: Undoable + std::fmt::Debug> std::fmt::Debug for Versioned<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(formatter)
    }
}

/// A value that was taken out of its node to be changed. It is put back in any case, also by a panic.
struct Taken<'a, T: Undoable> {
    version: &'a Versioned<T>,
    /// The node that is out.
    place: usize,
    /// The node of the version before the change.
    home: usize,
    /// A copy is being changed, which nobody has seen yet.
    is_copy: bool,
    /// The weight of the records that lead here.
    weight: usize,
    /// There until it is put back.
    value: Option<Arc<T>>,
}

impl<T: Undoable> Taken<'_, T> {
    fn value(&self) -> &Arc<T> {
        self.value.as_ref().expect("not put back yet")
    }

    /// The value to change, unless readers have it too.
    fn own(&mut self) -> Option<&mut T> {
        self.value.as_mut().and_then(Arc::get_mut)
    }

    /// Change the value, and leave the record to the versions that need the value as it was.
    fn change_in_place<R>(mut self, undo: T::Undo, work: impl FnOnce(&mut T) -> R) -> R {
        let undo = Arc::new(undo);
        // Nothing below asks for memory, so that a change which was done is not lost.
        self.version.lock().reserve();
        let value = self.own().expect("no reader has it");
        let done = match catch_unwind(AssertUnwindSafe(|| work(value))) {
            Ok(done) => done,
            Err(panic) => {
                // If even this panics, there is nothing better to be had.
                let _ = catch_unwind(AssertUnwindSafe(|| value.undo(&undo)));
                drop(self);
                resume_unwind(panic);
            }
        };
        let mut nodes = self.version.lock();
        // The others may have been dropped in the meantime.
        if nodes.at(self.home).holders > 1 {
            let weight = self.weight + T::undo_weight(&undo) + 1;
            // Held by this version, and by its old node.
            let node = Node { holders: 2, older: 1, weight, content: Content::Out };
            self.place = nodes.insert(node);
            let home = nodes.at_mut(self.home);
            home.content = Content::Older { undo, next: self.place };
            home.holders -= 1;
            self.version.place.store(self.place, Relaxed);
        }
        drop(nodes);
        done
    }

    /// Change a copy of the value. The value is there for other versions at once.
    fn change_a_copy<R>(mut self, work: impl FnOnce(&mut T) -> R) -> R {
        let (version, old) = (self.version, Arc::clone(self.value()));
        let mut nodes = version.lock();
        // The old node stays held, so that the version can go back to it.
        self.place = nodes.insert(Node::new(Content::Out));
        self.is_copy = true;
        version.place.store(self.place, Relaxed);
        nodes.at_mut(self.home).content = self.value.take().map_or(Content::Out, Content::Value);
        drop(nodes);
        version.family.returned.notify_all();
        let mut own = T::clone(&old);
        drop(old);
        let done = work(&mut own);
        self.value = Some(Arc::new(own));
        self.is_copy = false;
        let dropped = version.lock().release(self.home);
        drop(self);
        drop(dropped);
        done
    }
}

impl<T: Undoable> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        let (mut nodes, mut dropped) = (self.version.lock(), Vec::new());
        if self.is_copy {
            // The change panicked.
            self.version.place.store(self.home, Relaxed);
            dropped = nodes.release(self.place);
        } else if let Some(value) = self.value.take() {
            nodes.at_mut(self.place).content = Content::Value(value);
        }
        drop(nodes);
        self.version.family.returned.notify_all();
        drop(dropped);
    }
}

impl<T: Undoable> Nodes<T> {
    fn at(&self, place: usize) -> &Node<T> {
        self.nodes[place].as_ref().expect("a node that is held")
    }

    fn at_mut(&mut self, place: usize) -> &mut Node<T> {
        self.nodes[place].as_mut().expect("a node that is held")
    }

    fn insert(&mut self, node: Node<T>) -> usize {
        match self.free.pop() {
            Some(place) => {
                self.nodes[place] = Some(node);
                place
            }
            None => {
                self.reserve();
                self.nodes.push(Some(node));
                self.nodes.len() - 1
            }
        }
    }

    /// Make room for another node, and to free all of them.
    fn reserve(&mut self) {
        self.nodes.reserve(1);
        self.free.reserve(self.nodes.len() + 1 - self.free.len());
    }

    /// Find the value of a node. It is brought there when only this node leads to it.
    fn find(&mut self, place: usize) -> Found<T> {
        let (mut path, mut last) = (Vec::new(), place);
        while let Content::Older { next, .. } = self.at(last).content {
            path.push(last);
            last = next;
        }
        while let Some(older) = path.pop() {
            if self.at(last).holders > 1 || !self.bring_back(last, older) {
                path.push(older);
                break;
            }
            last = older;
        }
        match &self.at(last).content {
            Content::Value(value) if path.is_empty() => Found::Here(Arc::clone(value)),
            Content::Value(value) => Found::Newer(Arc::clone(value), self.undos(&path)),
            _ => Found::Out,
        }
    }

    /// The records of nodes, from the newest on.
    fn undos(&self, path: &[usize]) -> Vec<Arc<T::Undo>> {
        let undos = path.iter().rev().filter_map(|&node| match &self.at(node).content {
            Content::Older { undo, .. } => Some(Arc::clone(undo)),
            _ => None,
        });
        undos.collect()
    }

    /// Give the value of a node that nobody else holds to the node before it; false when a reader still has the value.
    fn bring_back(&mut self, newer: usize, older: usize) -> bool {
        let Content::Older { undo, .. } = &self.at(older).content else { return false };
        let undo = Arc::clone(undo);
        let Content::Value(value) = &mut self.at_mut(newer).content else { return false };
        let Some(own) = Arc::get_mut(value) else { return false };
        // A panic leaves a part of the change undone, and the record for another time.
        own.undo(&undo);
        let Some(node) = self.nodes[newer].take() else { return false };
        self.free.push(newer);
        self.at_mut(older).content = node.content;
        true
    }

    /// Make a value that of a node which has none.
    fn settle(&mut self, place: usize, value: T) {
        if let Content::Older { next, .. } = self.at(place).content {
            self.at_mut(place).content = Content::Value(Arc::new(value));
            self.at_mut(next).older -= 1;
            drop(self.release(next));
        }
    }

    /// Let go of a node; return what nobody holds any longer.
    fn release(&mut self, place: usize) -> Vec<Node<T>> {
        let (mut dropped, mut next) = (Vec::new(), Some(place));
        while let Some(place) = next.take() {
            let node = self.at_mut(place);
            node.holders -= 1;
            if node.holders > 0 {
                break;
            }
            let Some(node) = self.nodes[place].take() else { break };
            self.free.push(place);
            if let Content::Older { next: newer, .. } = node.content {
                self.at_mut(newer).older -= 1;
                next = Some(newer);
            }
            dropped.push(node);
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use super::*;

    /// A long chain of versions; shorter where each step is slow.
    const MANY: usize = if cfg!(miri) { 300 } else { 100_000 };

    /// A vector that grows at its end, and counts its copies.
    #[derive(Debug)]
    struct Grown {
        numbers: Vec<u64>,
        copies: Arc<AtomicUsize>,
    }

    impl Clone for Grown {
        fn clone(&self) -> Self {
            self.copies.fetch_add(1, Relaxed);
            Self { numbers: self.numbers.clone(), copies: Arc::clone(&self.copies) }
        }
    }

    impl Undoable for Grown {
        type Undo = usize;

        fn weight(&self) -> usize {
            self.numbers.len()
        }

        fn undo_weight(_undo: &usize) -> usize {
            1
        }

        fn undo(&mut self, length: &usize) {
            self.numbers.truncate(*length);
        }
    }

    impl Versioned<Grown> {
        fn push(&self, number: u64) {
            self.change(
                |_| Ok::<(), ()>(()),
                |own, ()| Some(own.numbers.len()),
                |own, ()| own.numbers.push(number),
            )
            .expect("not refused");
        }

        fn numbers(&self) -> Vec<u64> {
            self.get().numbers.clone()
        }

        fn copies(&self) -> usize {
            self.get().copies.load(Relaxed)
        }
    }

    fn first() -> Versioned<Grown> {
        Versioned::new(Grown { numbers: vec![0], copies: Arc::default() })
    }

    #[test]
    fn a_copy_changes_alone() {
        let old = first();
        let reader = old.get();
        let new = old.copy();
        assert!(Arc::ptr_eq(&reader, &new.get()));
        new.push(1);
        old.push(2);
        assert_eq!(reader.numbers, [0]);
        assert_eq!((old.numbers(), new.numbers()), (vec![0, 2], vec![0, 1]));
    }

    #[test]
    fn changing_a_copy_copies_nothing_when_one_of_the_two_is_dropped() {
        let mut model = first();
        for number in 1..1000 {
            let new = model.copy();
            new.push(number);
            new.push(number);
            if number % 2 == 0 {
                model = new;
            } else {
                drop(new);
            }
            assert_eq!(model.numbers().len() as u64, number / 2 * 2 + 1);
        }
        assert_eq!(model.copies(), 0);
    }

    #[test]
    fn a_version_in_use_is_copied_once() {
        let old = first();
        let new = old.copy();
        for number in 1..10 {
            new.push(number);
        }
        assert_eq!(old.numbers(), [0]);
        assert_eq!((old.numbers(), new.numbers().len()), (vec![0], 10));
        assert_eq!(old.copies(), 1);
        // With a reader, a change copies.
        let reader = new.get();
        new.push(10);
        assert_eq!((reader.numbers.len(), new.numbers().len(), new.copies()), (10, 11, 2));
        // A reader of a version that was dropped keeps it.
        let newer = new.copy();
        newer.push(11);
        let reader = newer.get();
        drop(newer);
        assert_eq!((new.numbers().len(), reader.numbers.len()), (11, 12));
    }

    #[test]
    fn many_versions_are_dropped_in_any_order() {
        let mut versions = vec![first()];
        for number in 1..MANY as u64 {
            let new = versions[versions.len() - 1].copy();
            new.push(number);
            versions.push(new);
        }
        for at in (0..versions.len()).step_by(MANY / 10) {
            assert_eq!(versions[at].numbers().len(), at + 1);
        }
        let last = versions.pop().expect("there are many");
        versions.truncate(MANY / 2);
        assert_eq!(versions[MANY / 2 - 1].numbers().len(), MANY / 2);
        drop(versions);
        assert_eq!(last.numbers().len(), MANY);
        assert_eq!(last.lock().nodes.iter().flatten().count(), 1);
    }

    #[test]
    fn records_are_bounded() {
        let old = first();
        let new = old.copy();
        (0..10_000).for_each(|number| new.push(number));
        let nodes = new.lock().nodes.iter().flatten().count();
        assert!(nodes < 10_000 / 4 + 2 * FREE_WEIGHT, "{nodes}");
        assert_eq!((old.numbers().len(), new.numbers().len()), (1, 10_001));
        assert!(new.copies() < 20);
    }

    #[test]
    fn a_refused_change_and_a_panic_change_nothing() {
        let old = first();
        for shared in [true, false] {
            let new = old.copy();
            new.push(1);
            // A copy must be possible, so that the change has somebody who needs the old value.
            let twin = new.copy();
            let reader = (!shared).then(|| new.get());
            assert_eq!(new.change(|_| Err(7), |_, ()| None, |_, ()| unreachable!()), Err::<(), i32>(7));
            let panics = || {
                let fails = |own: &mut Grown, ()| {
                    own.numbers.push(9);
                    resume_unwind(Box::new(8));
                };
                new.change(|_| Ok::<(), ()>(()), |own, ()| Some(own.numbers.len()), fails)
            };
            assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
            drop(reader);
            assert_eq!((old.numbers(), new.numbers(), twin.numbers()), (vec![0], vec![0, 1], vec![0, 1]));
            new.push(2);
            assert_eq!((new.numbers(), twin.numbers()), (vec![0, 1, 2], vec![0, 1]));
        }
    }

    #[test]
    fn readers_do_not_wait_unless_they_must() {
        let value = first();
        let other = value.copy();
        other.push(1);
        assert!(value.try_get().is_none() && value.try_copy().is_some());
        assert_eq!(value.numbers(), [0]);
        assert!(value.try_get().is_some());
        let work = |own: &mut Grown, ()| {
            assert!(value.try_get().is_none() && value.try_copy().is_none() && other.try_get().is_some());
            own.numbers.push(2);
        };
        value.change(|_| Ok::<(), ()>(()), |_, ()| None, work).expect("not refused");
        assert_eq!(value.numbers(), [0, 2]);
    }

    #[test]
    fn threads_see_one_version() {
        let model = Mutex::new(Arc::new(first()));
        let current = || Arc::clone(&model.lock().expect("no panic"));
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while !done.load(Relaxed) {
                        let own = current();
                        let numbers = own.numbers();
                        assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
                        let twin = own.copy();
                        twin.push(numbers.len() as u64);
                        assert!(own.numbers() == numbers && twin.numbers().len() == numbers.len() + 1);
                    }
                });
            }
            for number in 1..MANY as u64 / 50 {
                let new = current().copy();
                new.push(number);
                *model.lock().expect("no panic") = Arc::new(new);
            }
            done.store(true, Relaxed);
        });
        let last = current();
        assert_eq!(last.numbers().len(), MANY / 50);
        assert_eq!(last.lock().nodes.iter().flatten().count(), 1);
    }

    #[test]
    fn writers_of_one_version_wait_for_each_other() {
        let value = first();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for number in 0..500 {
                        let reader = (number % 3 == 0).then(|| value.get());
                        let twin = (number % 5 == 0).then(|| value.copy());
                        value.push(number);
                        drop((reader, twin));
                    }
                });
            }
        });
        assert_eq!(value.numbers().len(), 2001);
    }
}
