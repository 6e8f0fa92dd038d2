//! Numbers of half precision: IEEE binary16 without infinities and NaN.

/// The bits of the largest number.
const LARGEST: u16 = 0x7bff;
/// Numbers from here on are nearer to infinity than to the largest number, or too large.
const TOO_LARGE: f64 = 65520.0;
/// The smallest number of full precision, 2⁻¹⁴.
const SMALLEST_NORMAL: f64 = 1.0 / 16384.0;

/// The nearest number of half precision, of two the even one. Large numbers become the largest one, NaN becomes 0.
pub fn to_half(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = value.abs();
    if size.is_nan() {
        return 0;
    }
    if size >= TOO_LARGE {
        return sign | LARGEST;
    }
    if size < SMALLEST_NORMAL {
        // A multiple of 2⁻²⁴; 1024 of them are the bits of the smallest normal number.
        return sign | (size * f64::from(1 << 24)).round_ties_even() as u16;
    }
    const DROPPED: u32 = 52 - 10;
    let bits = size.to_bits();
    let (kept, rest) = (bits >> DROPPED, bits & ((1 << DROPPED) - 1));
    let middle = 1 << (DROPPED - 1);
    let up = rest > middle || (rest == middle && kept & 1 == 1);
    sign | (kept + u64::from(up) - ((1023 - 15) << 10)) as u16
}

/// The value of a number of half precision. Bits that stand for infinity or NaN give a large number.
#[inline(always)]
pub fn from_half(bits: u16) -> f32 {
    const REBIAS: u32 = (127 - 15) << 23;
    const UNIT: u32 = 1 << 23; // one step of the exponent
    let size = u32::from(bits & 0x7fff) << 13;
    let normal = f32::from_bits(size + REBIAS);
    // Numbers below 2⁻¹⁴ have no leading 1: it is added and subtracted again. A product with a power of two would do for
    // both kinds, but takes a hundred times as long for these on many processors.
    let small = f32::from_bits(size + REBIAS + UNIT) - f32::from_bits(REBIAS + UNIT);
    let value = if size < UNIT { small } else { normal };
    f32::from_bits(value.to_bits() | u32::from(bits & 0x8000) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition of the format.
    fn value(bits: u16) -> f64 {
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
        let size = if exponent == 0 {
            fraction * 2f64.powi(-14)
        } else {
            (1.0 + fraction) * 2f64.powi(exponent - 15)
        };
        if bits & 0x8000 == 0 { size } else { -size }
    }

    fn finite() -> impl Iterator<Item = u16> {
        (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00)
    }

    #[test]
    fn every_number_survives_both_conversions() {
        for bits in finite() {
            assert_eq!(f64::from(from_half(bits)), value(bits));
            assert_eq!(from_half(bits).is_sign_negative(), bits & 0x8000 != 0);
            assert_eq!(to_half(value(bits)), bits);
        }
    }

    #[test]
    fn numbers_between_two_go_to_the_nearer_one_or_the_even_one() {
        for bits in (0..LARGEST).flat_map(|bits| [bits, bits | 0x8000]) {
            let (low, high) = (value(bits), value(bits + 1));
            let middle = (low + high) / 2.0; // exact
            let even = if bits & 1 == 0 { bits } else { bits + 1 };
            assert_eq!(to_half(middle), even);
            let (toward_low, toward_high) =
                (f64::from_bits(middle.to_bits() - 1), f64::from_bits(middle.to_bits() + 1));
            assert_eq!((to_half(toward_low), to_half(toward_high)), (bits, bits + 1));
        }
    }

    #[test]
    fn no_number_becomes_infinite() {
        for (value, bits) in [
            (65504.0, LARGEST),
            (65519.9, LARGEST),
            (65520.0, LARGEST),
            (1e300, LARGEST),
            (f64::INFINITY, LARGEST),
            (f64::NEG_INFINITY, 0x8000 | LARGEST),
            (f64::NAN, 0),
            (1e-300, 0),
        ] {
            assert_eq!(to_half(value), bits);
        }
        assert!((0..=u16::MAX).all(|bits| from_half(bits).is_finite()));
    }
}
