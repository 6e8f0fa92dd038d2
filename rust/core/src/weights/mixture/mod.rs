//! Structural Poisson mixtures (Grim 2008): the modified EM of eqs. 15–21.

mod background;
mod components;
mod documents;
mod em;
mod fitting;
mod random;
mod structure;

pub use background::Background;
pub use components::Components;
pub(crate) use em::log_sum_exp;
pub use fitting::{Fitted, Groups, fit};

/// How a component's estimates are kept away from zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoothing {
    /// θ = X / L (eq. 19 as it is).
    None,
    /// θ = (1 − b) X / L + b θ_0.
    Mix(f64),
    /// θ = (X + s θ_0) / (L + s): a prior centred on the background, worth s words.
    Prior(f64),
}

/// Which parameters a class keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Keep {
    /// The share with the largest gains (eq. 21).
    Share(f64),
    /// Those whose gain is above a threshold (section 5).
    Above(f64),
}

/// How many components a class has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// This many.
    Fixed(usize),
    /// As many as held-out documents support, up to a maximum.
    HeldOut(usize),
}

/// The settings of EM.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How estimates are smoothed.
    pub smoothing: Smoothing,
    /// Which parameters are kept.
    pub keep: Keep,
    /// The maximum number of iterations.
    pub max_iter: usize,
    /// The relative increment of the criterion below which EM stops.
    pub tol: f64,
    /// How many random starts are tried.
    pub starts: usize,
}

/// θ of a component's terms: `of_sum` · Σ q x_n + `of_background` · θ_0n, the form of every smoothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimate {
    of_sum: f64,
    of_background: f64,
    /// What the prior adds to the sums and to the length; 0 without a prior.
    words: f64,
    length: f64,
}

impl Smoothing {
    /// How the terms of a component are estimated whose expected length is `length`.
    pub(crate) fn estimate(self, length: f64) -> Estimate {
        let (of_sum, of_background, words) = match self {
            Smoothing::Prior(words) => (1.0 / (length + words), words / (length + words), words),
            // A component without words is the background.
            _ if length < f64::MIN_POSITIVE => (0.0, 1.0, 0.0),
            Smoothing::None => (1.0 / length, 0.0, 0.0),
            Smoothing::Mix(share) => ((1.0 - share) / length, share, 0.0),
        };
        Estimate { of_sum, of_background, words, length: length + words }
    }
}

impl Estimate {
    #[inline]
    fn theta(&self, sum: f64, background: f64) -> f64 {
        self.of_sum * sum + self.of_background * background
    }

    /// log θ/θ_0.
    #[inline]
    fn log_ratio(&self, sum: f64, per_background: f64) -> f64 {
        (self.of_sum * sum * per_background + self.of_background).ln()
    }

    /// What a word of the component adds to the θ of its term.
    pub(crate) fn of_sum(&self) -> f64 {
        self.of_sum
    }

    /// θ / θ_0 of the terms that the component has not seen.
    pub(crate) fn unseen_ratio(&self) -> f64 {
        self.of_background
    }

    /// The gain of eq. 20 over the background, before it is divided by the documents; never negative.
    ///
    /// With a prior, the words that it stands for gain too: it is the penalised criterion that grows.
    #[inline]
    fn gain(&self, sum: f64, background: f64, log_ratio: f64) -> f64 {
        // 0 log 0 is 0: a term that does not occur, and cannot. A tiny sum can be a share of 0, too.
        let evidence =
            if log_ratio > f64::NEG_INFINITY { (sum + self.words * background) * log_ratio } else { 0.0 };
        (evidence + self.length * (background - self.theta(sum, background))).max(0.0)
    }

    /// The log of the prior at the estimate, less that at the background.
    #[inline]
    fn log_prior(&self, sum: f64, background: f64, log_ratio: f64) -> f64 {
        if self.words == 0.0 {
            return 0.0;
        }
        self.words * (background * log_ratio + background - self.theta(sum, background))
    }
}
