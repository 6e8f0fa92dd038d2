//! Values of entries, in the types that counts come in.

/// A count, or a weight such as tf-idf.
pub trait Value: Copy + Default + PartialEq + Send + Sync {
    /// The nearest double.
    fn real(self) -> f64;
    /// The nearest number of single precision.
    fn single(self) -> f32;
    /// The sum of many, in an order of its own that is always the same.
    fn sum(values: &[Self]) -> f64;
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
    fn single(self) -> f32 {
        self as f32
    }

    fn sum(values: &[Self]) -> f64 {
        sum_in_lanes(values)
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
    fn single(self) -> f32 {
        self as f32
    }

    fn sum(values: &[Self]) -> f64 {
        const SURE_BITS: u64 = 1 << 32; // values below this cannot overflow their sum
        let (sum, bits) = values
            .iter()
            .fold((0_i64, 0), |(sum, bits), &value| (sum.wrapping_add(value), bits | value.whole()));
        let small = bits < SURE_BITS && sum < 1 << f64::MANTISSA_DIGITS && values.len() < 1 << 31;
        if small { sum as f64 } else { sum_in_lanes(values) }
    }

    #[inline]
    fn whole(self) -> u64 {
        // A negative number has its highest bit set, as no count has.
        self as u64
    }
}

/// A sum in eight parts: additions that do not wait for each other.
fn sum_in_lanes<V: Value>(values: &[V]) -> f64 {
    let mut lanes = [0.0; 8];
    for (at, value) in values.iter().enumerate() {
        lanes[at % 8] += value.real();
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_summed_as_doubles_are() {
        for counts in [vec![3, 4, 5], vec![], vec![i64::MAX; 9], vec![1 << 52; 40]] {
            let reals: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
            assert_eq!(i64::sum(&counts), f64::sum(&reals));
        }
    }
}
