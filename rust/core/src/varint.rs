//! Whole numbers in as few bytes as they need: LEB128, seven bits a byte, the lowest first.

/// No number here has more bytes: 35 bits hold a doubled 32-bit number and a flag.
const LONGEST: usize = 5;

/// Append a number below 2³⁵.
#[inline]
pub fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Read the number at `place` and move behind it; `None` at the end of the bytes, and for a number that `push` does not
/// write: one of too many bytes.
#[inline]
pub fn read(bytes: &[u8], place: &mut usize) -> Option<u64> {
    let first = *bytes.get(*place)?;
    *place += 1;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut number = u64::from(first & 0x7f);
    for shift in 1..LONGEST {
        let byte = *bytes.get(*place)?;
        *place += 1;
        number |= u64::from(byte & 0x7f) << (7 * shift);
        if byte < 0x80 {
            // A last byte of 0 says nothing, so every number has one form.
            return (byte > 0).then_some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_comes_back() {
        let numbers: Vec<u64> =
            (0..35).flat_map(|bits| [(1 << bits) - 1, 1 << bits]).chain([(1 << 35) - 1]).collect();
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| push(&mut bytes, number));
        let mut place = 0;
        let read: Vec<u64> = numbers.iter().map_while(|_| read(&bytes, &mut place)).collect();
        assert_eq!((read, place), (numbers, bytes.len()));
    }

    #[test]
    fn other_forms_are_refused() {
        for bytes in [&[][..], &[0x80], &[0x80, 0], &[0xff, 0xff, 0xff, 0xff, 0xff, 1]] {
            assert_eq!(read(bytes, &mut 0), None, "{bytes:?}");
        }
    }
}
