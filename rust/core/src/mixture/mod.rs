//! Structural Poisson mixtures (Grim 2008): the modified EM of eqs. 15–21, and the scores of eq. 13.

mod background;
mod components;
mod documents;
mod em;
mod fitting;
mod random;
mod scorer;
mod structure;

pub use background::Background;
pub use components::Components;
pub use fitting::{Fitted, Groups, fit};
pub use scorer::MixtureScorer;

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
    /// So many.
    Fixed(usize),
    /// As many as held-out documents ask for, at most so many.
    HeldOut(usize),
}

/// What EM goes by.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How estimates are smoothed.
    pub smoothing: Smoothing,
    /// Which parameters are kept.
    pub keep: Keep,
    /// Iterations at most.
    pub max_iter: usize,
    /// The relative increment of the criterion below which EM stops.
    pub tol: f64,
    /// How many random starts are tried.
    pub starts: usize,
}

impl Smoothing {
    /// θ of a term whose expected count is `sum`, in a component whose expected length is `length`.
    #[inline]
    fn estimate(self, sum: f64, length: f64, background: f64) -> f64 {
        match self {
            Smoothing::Prior(words) => (sum + words * background) / (length + words),
            // A component without words says nothing: it is the background.
            _ if length <= 0.0 => background,
            Smoothing::None => sum / length,
            Smoothing::Mix(share) => (1.0 - share) * (sum / length) + share * background,
        }
    }

    /// What the terms that a component has not seen have of their background: θ / θ_0.
    fn unseen_ratio(self, length: f64) -> f64 {
        self.estimate(0.0, length, 1.0)
    }

    /// The gain of eq. 20 over the background, before it is divided by the documents; never negative.
    ///
    /// With a prior, the documents that it stands for gain too: it is the penalised criterion that grows.
    #[inline]
    fn gain(self, sum: f64, length: f64, estimate: f64, background: f64) -> f64 {
        let (sum, length) = match self {
            Smoothing::Prior(words) => (sum + words * background, length + words),
            _ => (sum, length),
        };
        // 0 log 0 is 0: a term that does not occur, and cannot. A tiny sum can be a share of 0, too.
        let evidence = if estimate > 0.0 { sum * (estimate / background).ln() } else { 0.0 };
        (evidence + length * (background - estimate)).max(0.0)
    }

    /// The log of the prior at an estimate, less that at the background.
    #[inline]
    fn log_prior(self, log_ratio: f64, estimate: f64, background: f64) -> f64 {
        match self {
            Smoothing::Prior(words) => words * (background * log_ratio + background - estimate),
            _ => 0.0,
        }
    }
}
