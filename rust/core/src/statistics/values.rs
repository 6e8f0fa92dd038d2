//! Values of entries, in the types that counts come in.

/// A count, or a weight such as tf-idf.
pub trait Value: Copy + Default + PartialEq + Send + Sync {
    /// The nearest double.
    fn real(self) -> f64;
    /// The bits of a whole number; those of [`NOT_WHOLE`] when it is not one, or does not fit 32 bits.
    fn whole(self) -> u64;
}

/// More bits than any count has.
pub const NOT_WHOLE: u64 = u64::MAX;

impl Value for f64 {
    #[inline]
    fn real(self) -> f64 {
        self
    }

    #[inline]
    fn whole(self) -> u64 {
        let whole = self as u32;
        if f64::from(whole) == self { u64::from(whole) } else { NOT_WHOLE }
    }
}

impl Value for i64 {
    #[inline]
    fn real(self) -> f64 {
        self as f64
    }

    #[inline]
    fn whole(self) -> u64 {
        // A negative number has its highest bit set, as no count has.
        self as u64
    }
}
