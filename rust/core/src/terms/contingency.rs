//! Measures of a two-way table: documents in a class or not, with a term or not (Kim 2003, table 1).

/// 1/(k(k−1)) with alternating signs, the highest power first.
const SERIES: [f64; 7] = [1.0 / 56.0, -1.0 / 42.0, 1.0 / 30.0, -1.0 / 20.0, 1.0 / 12.0, -1.0 / 6.0, 0.5];

/// A margin below this share of all documents is nothing but the rounding of sample weights.
const NOTHING: f64 = 1e-12;

/// Numbers of documents: with class and term, with the class, with the term, and all.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// In the class, with the term.
    pub both: f64,
    /// In the class.
    pub in_class: f64,
    /// With the term.
    pub with_term: f64,
    /// All.
    pub documents: f64,
}

impl Event {
    /// aN − (a+b)(a+c), and the products of margins of the cells a, b, c, d.
    #[inline]
    fn margins(self) -> (f64, [f64; 4]) {
        let Self { both, in_class, with_term, documents } = self;
        let cleaned = |margin: f64| if margin > NOTHING * documents { margin } else { 0.0 };
        let (outside, without) = (cleaned(documents - in_class), cleaned(documents - with_term));
        let products = [in_class * with_term, in_class * without, outside * with_term, outside * without];
        (both * documents - in_class * with_term, products)
    }
}

/// H(C) − H(C|W), in nats (Kim 2003, eq. 11); 0 when a margin is empty.
pub fn information_gain(event: Event) -> f64 {
    let (determinant, [a, b, c, d]) = event.margins();
    let cells = [(a, determinant), (b, -determinant), (c, -determinant), (d, determinant)];
    let gain: f64 = cells.iter().map(|&(margins, signed)| cell_gain(margins, signed)).sum();
    gain / (event.documents * event.documents)
}

/// (ad − bc)² / ((a+b)(a+c)(b+d)(c+d)) (Kim 2003, eq. 12); 0 when a margin is empty.
pub fn chi_square(event: Event) -> f64 {
    let (determinant, [a, _, _, d]) = event.margins();
    let product = a * d;
    if product > 0.0 { determinant * determinant / product } else { 0.0 }
}

/// E · [(1+u) log(1+u) − u] with u = ±D/e, which is N² times the cell's part of eq. 11.
#[inline]
fn cell_gain(margins: f64, signed: f64) -> f64 {
    if margins <= 0.0 {
        return 0.0;
    }
    let u = signed / margins;
    if u.abs() < 0.01 {
        // Near independence the two cancel: Σ (−u)^k / (k(k−1)) from k = 2.
        return margins * u * u * SERIES.iter().fold(0.0, |sum, factor| sum * u + factor);
    }
    // An empty cell (u = −1) adds e, the limit of the bracket.
    let bracket = if u > -1.0 { (1.0 + u) * u.ln_1p() - u } else { 1.0 };
    margins * bracket
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_term_tells_all() {
        let event = Event { both: 5.0, in_class: 5.0, with_term: 5.0, documents: 10.0 };
        assert!((information_gain(event) - 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(chi_square(event), 1.0);
        let apart = Event { both: 2.0, in_class: 4.0, with_term: 5.0, documents: 10.0 };
        assert_eq!((information_gain(apart), chi_square(apart)), (0.0, 0.0));
    }
}
