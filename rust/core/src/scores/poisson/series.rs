//! log(1 + P_c A + Q_c E) for many (P_c, Q_c) near one (P, Q): products of a class's part and a term's.
//!
//! With u = 1 + P A + Q E, a = P A/u, b = Q E/u, ε = P_c/P − 1 and η = Q_c/Q − 1, it is log u + log(1 + εa + ηb),
//! and a + b < 1: the power series of the second, cut at order K, is off by less than z^(K+1)/(K+1),
//! z = max(|ε|, |η|), about the class's share of the documents.

use crate::terms::TermSums;

/// The highest order that is worth its products.
const MOST: usize = 8;
/// What is left out of a logarithm is less than this.
const LEFT_OUT: f64 = 1e-15;

/// Around which (P, Q), and up to which order.
#[derive(Debug, Clone, Copy)]
pub struct Series {
    centre: TermSums,
    order: usize,
}

impl Series {
    /// Take the order that costs least, where each class beyond it costs as much as a product of the series.
    pub fn new(centre: TermSums, of_classes: &[TermSums]) -> Self {
        let mut beyond = [0; MOST + 2];
        for &own in of_classes {
            let order = order_for(distance(centre, own));
            (0..order).for_each(|less| beyond[less] += 1);
        }
        let cost = |order: &usize| products(*order) + beyond[*order];
        let order = (0..=MOST).min_by_key(cost).unwrap_or(0);
        Self { centre, order }
    }

    /// How many products there are.
    pub fn len(&self) -> usize {
        products(self.order)
    }

    /// Set a class's parts; false when it is too far away, so that its logarithms must be computed one by one.
    pub fn set_class(&self, own: TermSums, parts: &mut [f64]) -> bool {
        let steps = distance(self.centre, own);
        if order_for(steps) > self.order {
            return false;
        }
        let mut at = 0;
        let mut powers = [0.0; MOST + 1];
        powers[0] = 1.0;
        for power in 1..=self.order {
            raise(&mut powers[..=power], steps[0], steps[1]);
            let sign = if power % 2 == 1 { 1.0 } else { -1.0 };
            let mut binomial = sign / power as f64;
            for (second, product) in powers[..=power].iter().enumerate() {
                parts[at] = binomial * product;
                at += 1;
                binomial *= (power - second) as f64 / (second + 1) as f64;
            }
        }
        true
    }

    /// Add a term's parts, `times` times, to `parts`; return u.
    #[inline]
    pub fn add_term(&self, sums: TermSums, times: f64, parts: &mut [f64]) -> f64 {
        // Loops of a length known to the compiler take a third of the time.
        match self.order {
            1 => self.add_powers::<1>(sums, times, parts),
            2 => self.add_powers::<2>(sums, times, parts),
            3 => self.add_powers::<3>(sums, times, parts),
            4 => self.add_powers::<4>(sums, times, parts),
            5 => self.add_powers::<5>(sums, times, parts),
            6 => self.add_powers::<6>(sums, times, parts),
            7 => self.add_powers::<7>(sums, times, parts),
            8 => self.add_powers::<8>(sums, times, parts),
            _ => self.add_powers::<0>(sums, times, parts),
        }
    }

    #[inline(always)]
    fn add_powers<const ORDER: usize>(&self, sums: TermSums, times: f64, parts: &mut [f64]) -> f64 {
        let [first, second] = [self.centre[0] * sums[0], self.centre[1] * sums[1]];
        let whole = 1.0 + first + second;
        let part = 1.0 / whole;
        let (first, second) = (first * part, second * part);
        let mut powers = [0.0; MOST + 1];
        powers[0] = times;
        let parts = &mut parts[..products(ORDER)];
        let mut at = 0;
        for power in 1..=ORDER {
            raise(&mut powers[..=power], first, second);
            parts[at..=at + power].iter_mut().zip(&powers[..=power]).for_each(|(sum, part)| *sum += part);
            at += power + 1;
        }
        whole
    }
}

/// From the products of degree k − 1, a^(k−1) … b^(k−1), to those of degree k, a^k … b^k.
#[inline(always)]
fn raise(powers: &mut [f64], a: f64, b: f64) {
    let last = powers.len() - 1;
    powers[last] = powers[last - 1] * b;
    powers[..last].iter_mut().for_each(|product| *product *= a);
}

const fn products(order: usize) -> usize {
    order * (order + 3) / 2
}

/// ε and η.
fn distance(centre: TermSums, own: TermSums) -> [f64; 2] {
    let step = |at: usize| if own[at] == centre[at] { 0.0 } else { own[at] / centre[at] - 1.0 };
    [step(0), step(1)]
}

fn order_for(steps: [f64; 2]) -> usize {
    let largest = steps[0].abs().max(steps[1].abs());
    let enough = |&order: &usize| largest.powi(order as i32 + 1) <= LEFT_OUT * (order + 1) as f64;
    (0..=MOST).find(enough).unwrap_or(MOST + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_logarithm() {
        let centre = [3.0, 0.02];
        for share in [0.0, 1e-9, 1e-5, 1e-4, 1e-3, 1e-2] {
            let own = [centre[0] * (1.0 + share), centre[1] * (1.0 - share / 3.0)];
            // Enough classes of this share to make the series pay.
            let series = Series::new(centre, &[own; 100]);
            let mut of_class = vec![0.0; series.len()];
            assert!(series.set_class(own, &mut of_class));
            for sums in [[0.0, 0.0], [1e-7, 2.0], [5.0, 0.0], [80.0, 9000.0], [1e9, 1e12]] {
                let mut parts = vec![0.0; series.len()];
                let whole = series.add_term(sums, 1.0, &mut parts);
                let log = whole.ln() + parts.iter().zip(&of_class).map(|(a, b)| a * b).sum::<f64>();
                let expected = (own[0] * sums[0] + own[1] * sums[1]).ln_1p();
                assert!((log - expected).abs() <= 2e-15 * (1.0 + expected), "{share} {sums:?}");
            }
        }
    }

    #[test]
    fn a_class_far_away_is_left_out() {
        let centre = [3.0, 0.0];
        let series = Series::new(centre, &[[3.0, 0.0], [6.0, 0.0], [3.0, 1.0]]);
        let mut parts = vec![0.0; series.len()];
        assert!(series.set_class([3.0, 0.0], &mut parts));
        assert!(!series.set_class([6.0, 0.0], &mut parts));
        assert!(!series.set_class([3.0, 1.0], &mut parts));
    }
}
