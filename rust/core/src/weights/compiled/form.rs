//! Forms of a row of counts: logarithm, inverse document frequency, length.

/// The inverse document frequency that values are multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idf {
    /// 1.
    None,
    /// ln(N / df).
    Plain,
    /// 1 + ln((1 + N) / (1 + df)).
    Smooth,
}

/// What a row is divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Nothing.
    None,
    /// The square root of the sum of squares.
    L2,
    /// The sum.
    L1,
}

/// How a row of counts becomes the row that a table's weights are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// log2(1 + x) in place of x.
    pub log: bool,
    /// The inverse document frequency.
    pub idf: Idf,
    /// What the row is divided by.
    pub length: Length,
    /// The number of the map of the columns in use; `None` when all are.
    pub columns: Option<usize>,
}

impl Form {
    /// The value of an entry, before the row is divided by its length.
    #[inline(always)]
    pub fn value(&self, entry: &Measures) -> f64 {
        entry.counts[usize::from(self.log)] * entry.idf[self.idf as usize]
    }

    /// What a row with this sum and this sum of squares is multiplied by.
    pub fn factor(&self, sum: f64, squares: f64) -> f64 {
        let length = match self.length {
            Length::None => return 1.0,
            Length::L2 => squares.sqrt(),
            Length::L1 => sum,
        };
        if length == 0.0 { 0.0 } else { 1.0 / length }
    }
}

/// What the values of an entry are made of.
#[derive(Debug, Clone, Copy)]
pub struct Measures {
    /// The count, and its logarithm.
    counts: [f64; 2],
    /// By [`Idf`].
    idf: [f64; 3],
}

/// Which measures the forms of a blend need, and the number of documents.
#[derive(Debug, Clone, Copy)]
pub struct Measuring {
    documents: f64,
    log: bool,
    plain: bool,
    smooth: bool,
}

impl Measuring {
    /// For these forms.
    pub fn new(forms: &[Form], documents: f64) -> Self {
        Self {
            documents,
            log: forms.iter().any(|form| form.log),
            plain: forms.iter().any(|form| form.idf == Idf::Plain),
            smooth: forms.iter().any(|form| form.idf == Idf::Smooth),
        }
    }

    /// The measures of a count of a term in `documents_with` documents.
    #[inline]
    pub fn measure(&self, count: f64, documents_with: f64) -> Measures {
        let log = if self.log { (1.0 + count).log2() } else { 0.0 };
        Measures { counts: [count, log], idf: self.idf(documents_with) }
    }

    /// The inverse document frequencies of a term, by [`Idf`].
    #[inline]
    pub fn idf(&self, documents_with: f64) -> [f64; 3] {
        let plain = if self.plain { (self.documents / documents_with).ln() } else { 0.0 };
        let smooth =
            if self.smooth { 1.0 + ((1.0 + self.documents) / (1.0 + documents_with)).ln() } else { 0.0 };
        [1.0, plain, smooth]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_formulas() {
        let form = |log, idf| Form { log, idf, length: Length::None, columns: None };
        let forms = [form(false, Idf::Plain), form(true, Idf::Smooth), form(true, Idf::None)];
        let entry = Measuring::new(&forms, 10.0).measure(3.0, 2.0);
        assert_eq!(forms[0].value(&entry), 3.0 * 5f64.ln());
        assert_eq!(forms[1].value(&entry), 2.0 * (1.0 + (11.0 / 3.0f64).ln()));
        assert_eq!(forms[2].value(&entry), 2.0);
    }

    #[test]
    fn an_empty_row_has_the_factor_0() {
        for (length, factor) in [(Length::None, 1.0), (Length::L2, 0.5), (Length::L1, 0.25)] {
            let form = Form { log: false, idf: Idf::None, length, columns: None };
            assert_eq!(form.factor(4.0, 4.0), factor);
            assert_eq!(form.factor(0.0, 0.0), if length == Length::None { 1.0 } else { 0.0 });
        }
    }
}
