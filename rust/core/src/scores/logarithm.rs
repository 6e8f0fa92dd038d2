//! Logarithms of many numbers at once, as plain arithmetic that the compiler turns into vectors.
//!
//! The library's logarithm is one call for each number. Here the steps are the same for every number, without
//! a branch or a table, and the same on every processor: the bits do not depend on the vectors' width.

/// ln(2) in two parts: the first has 32 trailing zeros, so that its multiples by exponents are exact.
const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// The bits of √½, the least number that keeps its exponent, without the lower half of its fraction.
const LEAST: u64 = 0x3FE6_A09E_0000_0000;
const ONE: u64 = 0x3FF0_0000_0000_0000;
const FRACTION: u64 = (1 << 52) - 1;
/// 2⁵²: a whole number below it, put into its fraction, is added to it.
const SHIFT: u64 = 0x4330_0000_0000_0000;

/// The natural logarithm of a positive normal number, to about a unit in the last place.
#[inline(always)]
pub fn ln(value: f64) -> f64 {
    let bits = value.to_bits().wrapping_add(ONE - LEAST);
    let exponent = f64::from_bits(SHIFT | (bits >> 52)) - f64::from_bits(SHIFT) - 1023.0;
    let reduced = f64::from_bits((bits & FRACTION) + LEAST) - 1.0;
    // ln(1 + f) = 2 artanh(s) with s = f / (2 + f), |s| ≤ .172: eleven terms leave less than 2⁻⁵⁶ of it.
    let s = reduced / (2.0 + reduced);
    let z = s * s;
    let tail = z
        * (1.0 / 3.0
            + z * (1.0 / 5.0
                + z * (1.0 / 7.0
                    + z * (1.0 / 9.0
                        + z * (1.0 / 11.0
                            + z * (1.0 / 13.0
                                + z * (1.0 / 15.0
                                    + z * (1.0 / 17.0 + z * (1.0 / 19.0 + z * (1.0 / 21.0))))))))));
    // 2s = f − s·f, which keeps the digits of f.
    let fraction = reduced - s * reduced + 2.0 * s * tail;
    exponent * LN_2.0 + (exponent * LN_2.1 + fraction)
}

/// −ln(1 − r) by the first `K` terms of Σ rᵏ/k.
#[inline(always)]
pub fn fall<const K: usize>(r: f64) -> f64 {
    let mut sum = 0.0;
    let mut k = K;
    while k > 0 {
        sum = r * (1.0 / k as f64 + sum);
        k -= 1;
    }
    sum
}

/// The greatest |r| for which two, three, four and eight terms of [`fall`] leave less than 10⁻¹³.
///
/// A score sums logarithms of about 10, each rounded at 10⁻¹⁵; leave-one-out is held to 10⁻⁹.
pub const FALL_2: f64 = 6.6e-5;
pub const FALL_3: f64 = 7.9e-4;
pub const FALL_4: f64 = 3.4e-3;
pub const FALL_8: f64 = 4.5e-2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        let mut value: f64 = 1e-300;
        while value < 1e300 {
            for near in [value, value * 0.9999, value.fract() + 0.5, 1.0 + 1.0 / value.max(3.0)] {
                let (ours, exact) = (ln(near), near.ln());
                assert!((ours - exact).abs() <= 4e-16 * exact.abs().max(0.01), "{near}: {ours} {exact}");
            }
            value *= 1.37;
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn falls_are_logarithms() {
        for (sum, limit) in [
            (fall::<2> as fn(f64) -> f64, FALL_2),
            (fall::<3>, FALL_3),
            (fall::<4>, FALL_4),
            (fall::<8>, FALL_8),
        ] {
            assert!((sum(limit) + f64::ln_1p(-limit)).abs() <= 1.1e-13);
            assert!((sum(-limit) + f64::ln_1p(limit)).abs() <= 1.1e-13);
        }
    }
}
