//! The compiled weights of a blend: one row of bytes for each term, equal rows once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::encoder::{Base, Encoder, Sources};
use super::form::Form;
use super::row::{Damaged, Layout, MOST_FORMS, Precision, Row};
use super::store::{RowStore, StoredRows};
use super::tables::{ClassParts, LearnedTable, Live};
use crate::column::Column;
use crate::memory;
use crate::threads::{on_threads, split_evenly};

/// The layout of changed rows: classes of four bytes, so that it holds for any number of them.
pub const OVERLAY: Layout = Layout {
    slots: u32::MAX as usize,
    forms: MOST_FORMS,
    tables: MOST_FORMS,
    defaults: 0,
    precision: Precision::Half,
};

/// The weights of all tables of a blend.
///
/// score_c = bias_c + Σ_r ρ_f · (slope_rc · Σ_t v_ft + Σ_t v_ft · cell_rtc) + Σ_k factor_kc · ρ_f · Σ_t v_ft · default_kt
///
/// f is the form of table r, or of default column k; v_ft is the value of a term in it, and ρ_f the row's factor. Tables
/// whose cells come from sums are first, those that were fitted follow.
#[derive(Debug, Clone, Default)]
pub struct CompiledWeights {
    /// The forms of a row.
    pub forms: Vec<Form>,
    /// The number of documents, for inverse document frequencies.
    pub documents: f64,
    /// What depends on the class alone.
    pub classes: Arc<ClassParts>,
    /// The form of each table.
    pub table_forms: Vec<u32>,
    /// How many tables come from sums.
    pub counted: usize,
    /// The form of each default column.
    pub default_forms: Vec<u32>,
    /// How values are written.
    pub precision: Precision,
    /// The scale of each table's values; empty unless these are bytes.
    pub scales: Vec<f32>,
    /// The number of each column's row.
    pub row_of: Column<u32>,
    /// The rows.
    pub rows: StoredRows,
    /// Changed cells of fitted tables: for some columns, the cells of all fitted tables.
    pub overlay: BTreeMap<u32, Arc<[u8]>>,
}

impl CompiledWeights {
    /// Compile a blend; `None` if its parts do not fit each other.
    pub fn compile(
        (forms, precision): (Vec<Form>, Precision),
        live: &Live,
        learned: &[&LearnedTable],
        threads: usize,
    ) -> Option<Self> {
        let fitted_forms = learned.iter().map(|table| table.form);
        let table_forms: Vec<usize> =
            live.counted.iter().map(|table| table.form).chain(fitted_forms).collect();
        let members = || learned.iter().flat_map(|table| &table.members);
        let blend = Self {
            documents: live.columns.documents,
            classes: Arc::clone(&live.classes),
            counted: live.counted.len(),
            default_forms: live.default_forms()?,
            table_forms: table_forms.iter().map(|&form| form as u32).collect(),
            forms,
            precision,
            ..Self::default()
        };
        let fit = live.is_sound(&blend.forms)
            && blend.are_parts_sound()
            && members().all(|member| member.are_sound() && member.factor.len() >= live.classes.slots());
        let sources = Sources { blend: &blend, base: Base::Fitted(learned), live: Some(live) };
        let layout = blend.layout();
        // A fitted table cannot be damaged, and what is damaged in sums counts as absent.
        let (row_of, rows) =
            fit.then(|| encode_all(sources, layout, live.columns.width(), threads).ok()).flatten()?;
        Some(Self { row_of, rows, ..blend })
    }

    /// The weights with their changes merged, and with the live tables, if any, in place of the compiled ones.
    pub fn recompile(&self, live: Option<&Live>, threads: usize) -> Result<Self, Damaged> {
        let (layout, width) =
            (self.live_layout(live), live.map_or(self.width(), |live| live.columns.width()));
        let sources = Sources { blend: self, base: Base::Compiled(self), live };
        let (row_of, rows) = encode_all(sources, layout, width, threads)?;
        let classes = live.map_or(&self.classes, |live| &live.classes);
        Ok(Self {
            forms: self.forms.clone(),
            documents: live.map_or(self.documents, |live| live.columns.documents),
            classes: Arc::clone(classes),
            table_forms: self.table_forms.clone(),
            counted: self.counted,
            default_forms: self.default_forms.clone(),
            precision: self.precision,
            scales: self.scales.clone(),
            row_of,
            rows,
            overlay: BTreeMap::new(),
        })
    }

    /// The document frequency of each column; 1 for a column that no form uses.
    pub fn frequencies(&self) -> Result<Vec<f64>, Damaged> {
        let one = |column| Ok(self.row(column)?.map_or(1.0, |row| row.documents_with));
        memory::try_collected((0..self.width()).map(one))
    }

    /// Which columns a form uses.
    pub fn uses(&self, form: usize) -> Result<Vec<bool>, Damaged> {
        let one = |column| Ok(self.row(column)?.is_some_and(|row| row.forms >> form & 1 == 1));
        memory::try_collected((0..self.width()).map(one))
    }

    /// True when the vectors fit each other; rows are checked when they are read.
    pub fn are_parts_sound(&self) -> bool {
        let (tables, forms) = (self.table_forms.len(), self.forms.len());
        let known = |form: &u32| (*form as usize) < forms;
        forms <= MOST_FORMS
            && tables <= MOST_FORMS
            && self.counted <= tables
            && self.table_forms.iter().chain(&self.default_forms).all(known)
            && self.classes.are_sound(tables, self.default_forms.len())
            && self.scales.len() == if self.precision == Precision::Byte { tables } else { 0 }
            && self.scales.iter().all(|scale| scale.is_finite())
    }

    /// True when live tables can take the place of the compiled ones.
    pub fn takes(&self, live: &Live) -> bool {
        let forms = live.counted.iter().map(|table| table.form as u32);
        let same_tables = live.counted.is_empty()
            || (forms.eq(self.table_forms[..self.counted].iter().copied())
                && live.default_forms().as_deref() == Some(&self.default_forms));
        same_tables
            && self.scales.is_empty()
            && live.is_sound(&self.forms)
            && live.classes.are_sound(self.table_forms.len(), self.default_forms.len())
    }

    /// The weights with rows that copies share.
    pub fn frozen(mut self) -> Self {
        self.row_of = self.row_of.frozen();
        self.rows = StoredRows { starts: self.rows.starts.frozen(), bytes: self.rows.bytes.frozen() };
        self
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.row_of.len()
    }

    /// The layout of the rows.
    pub fn layout(&self) -> Layout {
        Layout {
            slots: self.classes.slots(),
            forms: self.forms.len(),
            tables: self.table_forms.len(),
            defaults: self.default_forms.len(),
            precision: self.precision,
        }
    }

    /// The layout of rows of live tables.
    pub fn live_layout(&self, live: Option<&Live>) -> Layout {
        let layout = self.layout();
        Layout { slots: live.map_or(layout.slots, |live| live.classes.slots()), ..layout }
    }

    /// The scale of a table's values.
    #[inline]
    pub fn scale(&self, table: usize) -> f64 {
        self.scales.get(table).map_or(1.0, |&scale| f64::from(scale))
    }

    /// The bytes of a column's row, without changes; none for a new column.
    #[inline]
    pub fn row_bytes(&self, column: usize) -> Result<&[u8], Damaged> {
        match self.row_of.get(column) {
            Some(&row) => self.rows.get(row as usize),
            None => Ok(&[]),
        }
    }

    /// Append the bytes of the rows of many columns, which must exist, without changes.
    pub fn append_rows<'a>(&'a self, columns: &[i32], found: &mut Vec<&'a [u8]>) -> Result<(), Damaged> {
        // In two loops, so that many numbers, then many rows, are read from memory at once.
        let numbers: Vec<u32> = columns.iter().map(|&column| self.row_of[column as usize]).collect();
        for number in numbers {
            found.push(self.rows.get(number as usize)?);
        }
        Ok(())
    }

    /// A column's row, without changes.
    pub fn row(&self, column: usize) -> Result<Option<Row<'_>>, Damaged> {
        Row::read(self.row_bytes(column)?, &self.layout())
    }

    /// The changed row of a column, if any.
    pub fn overlay_row(&self, column: usize) -> Result<Option<Row<'_>>, Damaged> {
        self.overlay.get(&(column as u32)).map_or(Ok(None), |bytes| Row::read(bytes, &OVERLAY))
    }
}

/// Encode the rows of all columns. The result does not depend on the number of threads.
fn encode_all(
    sources: Sources,
    layout: Layout,
    width: usize,
    threads: usize,
) -> Result<(Column<u32>, StoredRows), Damaged> {
    let work = width * (layout.tables + 1);
    let parts = on_threads(split_evenly(width, work, threads), |columns| {
        let mut encoder = Encoder::new(sources, layout);
        collect_rows(columns, |column, store| encoder.encode(column).map(|row| store.insert(row)))
    });
    join_rows(parts)
}

/// Numbers of rows, and the rows.
type Collected = (Vec<u32>, RowStore);

/// Insert the rows of some columns.
pub fn collect_rows(
    columns: Range<usize>,
    mut insert: impl FnMut(usize, &mut RowStore) -> Result<u32, Damaged>,
) -> Result<Collected, Damaged> {
    let mut store = RowStore::default();
    let numbers = memory::try_collected(columns.map(|column| insert(column, &mut store)))?;
    Ok((numbers, store))
}

/// Join the rows of consecutive columns.
pub fn join_rows(
    parts: impl IntoIterator<Item = Result<Collected, Damaged>>,
) -> Result<(Column<u32>, StoredRows), Damaged> {
    let mut parts = parts.into_iter();
    let (mut row_of, mut all) = parts.next().unwrap_or_else(|| Ok(Default::default()))?;
    for part in parts {
        let (numbers, store) = part?;
        let here = all.merge(&store);
        memory::extend(&mut row_of, numbers.into_iter().map(|number| here[number as usize]));
    }
    Ok((Column::from(row_of).frozen(), all.into_rows()))
}
