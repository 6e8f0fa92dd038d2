//! The merge of two workers: ours, and by arrow's kernels.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, Int64Array, UInt32Array};
use arrow_buffer::{Buffer, OffsetBuffer};

use crate::threads::on_threads;
use crate::{ours, rules};

/// Texts counted by two workers in turn, and which rows of which worker follow each other.
pub struct Counted {
    workers: [ours::worker::Worker; 2],
    pieces: Vec<(usize, usize, usize)>,
}

impl Counted {
    pub fn new(texts: &[&str]) -> Self {
        let (rules, mut workers, mut pieces) =
            (rules(false), [(); 2].map(|_| Default::default()), Vec::new());
        for texts in texts.chunks(64) {
            let place = pieces.len() % 2;
            let worker: &mut ours::worker::Worker = &mut workers[place];
            let first = worker.len();
            texts.iter().for_each(|text| worker.count(&rules, text));
            pieces.push((place, first, worker.len()));
        }
        Self { workers, pieces }
    }

    /// Put sorted columns in place of the workers' numbers.
    pub fn named(mut self) -> Self {
        let terms: Vec<_> =
            self.workers.iter().map(|worker| ours::naming::worker_terms(worker, None)).collect();
        let vocabulary = ours::columns::Vocabulary::new(ours::naming::sorted_union(&terms).into_iter());
        let columns = ours::naming::vocabulary_columns(&terms, &vocabulary);
        self.workers.iter_mut().zip(columns).for_each(|(worker, columns)| worker.rename(&columns));
        self
    }

    /// The distinct terms, sorted: ours.
    pub fn distinct(&self) -> Vec<u8> {
        let terms = on_threads(&self.workers, |worker| ours::naming::worker_terms(worker, None));
        ours::naming::sorted_union(&terms).concat()
    }

    /// The same by arrow's kernels: concat, sort, partition, take.
    pub fn distinct_by_arrow(&self) -> Vec<u8> {
        let arrays = on_threads(&self.workers, |worker| -> ArrayRef {
            let (bytes, ends) = worker.tokens().arena();
            let ends: Vec<i32> = std::iter::once(0).chain(ends.iter().map(|&end| end as i32)).collect();
            Arc::new(BinaryArray::new(OffsetBuffer::new(ends.into()), Buffer::from(bytes), None))
        });
        let sorted = arrow_ord::sort::sort(&concat(&arrays), None).expect("bytes are sortable");
        let runs = arrow_ord::partition::partition(std::slice::from_ref(&sorted)).expect("one column");
        let firsts: UInt32Array =
            runs.ranges().into_iter().map(|run| run.start as u32).collect::<Vec<_>>().into();
        let distinct = arrow_select::take::take(&sorted, &firsts, None).expect("places exist");
        let distinct: &BinaryArray = distinct.as_binary();
        distinct.value_data().to_vec()
    }

    /// The rows of both workers in the order of the texts by arrow: arrays of each worker, slices of them, concat.
    pub fn rows_by_arrow(&self) -> (Vec<i64>, ArrayRef, ArrayRef) {
        let arrays = on_threads(&self.workers, |worker| -> [ArrayRef; 2] {
            let entries = worker.entries(0, worker.len());
            let columns: Vec<i32> = entries.iter().map(|entry| (entry >> 32) as i32).collect();
            let counts: Vec<i64> = entries.iter().map(|&entry| i64::from(entry as u32)).collect();
            [Arc::new(Int32Array::from(columns)), Arc::new(Int64Array::from(counts))]
        });
        let mut starts = vec![0];
        let mut slices = Vec::new();
        for &(place, first, last) in &self.pieces {
            let worker = &self.workers[place];
            let base = worker.row_start(first);
            let start = starts[starts.len() - 1];
            starts.extend((first..last).map(|row| start + (worker.row_start(row + 1) - base) as i64));
            slices.push((place, base, worker.row_start(last) - base));
        }
        let columns = on_threads([0, 1], |kind| {
            let slices = slices.iter().map(|&(place, from, length)| arrays[place][kind].slice(from, length));
            concat(&slices.collect::<Vec<_>>())
        });
        (starts, columns[0].clone(), columns[1].clone())
    }
}

fn concat(arrays: &[ArrayRef]) -> ArrayRef {
    let arrays: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
    arrow_select::concat::concat(&arrays).expect("arrays of one type")
}
