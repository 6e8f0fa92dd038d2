"""Grim, Novovičová and Somol (2008), "Structural Poisson Mixtures for Classification of Documents".

``x[n]`` is the frequency of term n in a document and |x| their sum. A class is a list of components; ``s[d]``
is a document's weight (None: every weight is 1), and a weight of 2 is the document twice.

Where the paper leaves something open or has a misprint, the reference assumes:

- eq. 18 divides by |S| and sums over S in print. Its q(m|x) is defined on S_c only, and the quotient of
  eq. 19 is a relative frequency only if eqs. 17 and 18 share their sum: S_c in both.
- eq. 20 has a prime on theta_0 and none on the last theta_m: it is the gain of the new theta_m over the fixed
  background, which is what eq. 12 gives when the logarithm of G is averaged with the weights q.
- 0^0 = 1 and 0 log 0 = 0: a theta of 0 means that the term never occurs, and G is 0 if it does.
- a component without words (|x| = 0 in eq. 18) has the theta of the background.
- a term in no document (theta_0 = 0) has no ratio in eq. 12 and is never kept.
- the set of r highest gains is taken over all components and terms of the class, as eq. 21 writes it.
"""

from dataclasses import dataclass
from math import exp, inf, lgamma, log

from .multilabel import weights_or_ones


@dataclass(frozen=True)
class Component:
    """f(m), theta_m and phi_m of one component, over all terms."""

    weight: float
    theta: list
    phi: list


def log_or_minus_infinity(value):
    """log(value), with log 0 = -inf."""
    return log(value) if value > 0 else -inf


def log_sum(logs):
    """The log of a sum of numbers given by their logs, without leaving the range of a float."""
    top = max(logs)
    return top if top == -inf else top + log(sum(exp(value - top) for value in logs))


def log_power(base, exponent):
    """log(base^exponent), with 0^0 = 1."""
    return 0.0 if exponent == 0 else exponent * log_or_minus_infinity(base)


# The model


def background(X, s=None):
    """theta_0n = x-bar_n / |x-bar| over the documents of all classes (Grim 2008, below eq. 12)."""
    s = weights_or_ones(X, s)
    words = sum(s[d] * sum(X[d]) for d in range(len(X)))
    return [sum(s[d] * X[d][n] for d in range(len(X))) / words for n in range(len(X[0]))]


def eq_5_log_f(x_n, theta_n, length):
    """log f_n(x_n | theta_n |x|) = log of (theta_n |x|)^x_n / x_n! e^(-theta_n |x|) (Grim 2008, eq. 5)."""
    return log_power(theta_n * length, x_n) - lgamma(x_n + 1) - theta_n * length


def eq_8_log_F(x, theta):
    """log F(x|theta) = sum_n log f_n; with theta_0 it is the background, eq. 11 (Grim 2008, eq. 8)."""
    return sum(eq_5_log_f(x[n], theta[n], sum(x)) for n in range(len(x)))


def eq_12_log_G(x, theta, phi, theta_0):
    """log G(x|theta_m, phi_m), the second line of the equation (Grim 2008, eq. 12)."""
    return sum(
        log_power(theta[n] / theta_0[n], x[n]) + (theta_0[n] - theta[n]) * sum(x)
        for n in range(len(x))
        if phi[n]
    )


def eq_12_log_G_of_f(x, theta, phi, theta_0):
    """log G(x|theta_m, phi_m), the first line: a quotient of two f_n a term (Grim 2008, eq. 12)."""
    return sum(
        eq_5_log_f(x[n], theta[n], sum(x)) - eq_5_log_f(x[n], theta_0[n], sum(x))
        for n in range(len(x))
        if phi[n]
    )


def eq_10_log_P(x, components, theta_0):
    """log P(x|c) = log sum_m F(x|theta_0) G(x|theta_m, phi_m) f(m) (Grim 2008, eq. 10)."""
    return log_sum(
        [
            eq_8_log_F(x, theta_0) + eq_12_log_G(x, m.theta, m.phi, theta_0) + log_or_minus_infinity(m.weight)
            for m in components
        ]
    )


def log_mixture(x, components, theta_0):
    """log sum_m G(x|theta_m, phi_m) f(m): eq. 10 without the background, the bracket of eqs. 13 and 15."""
    return log_sum(
        [eq_12_log_G(x, m.theta, m.phi, theta_0) + log_or_minus_infinity(m.weight) for m in components]
    )


def scores(X, classes, prior, theta_0):
    """log p(c) + log sum_m G f(m) of every document and class: the log of eq. 13's numerator."""
    return [
        [log(p) + log_mixture(x, components, theta_0) for components, p in zip(classes, prior, strict=True)]
        for x in X
    ]


def normalised(logs):
    """Numbers given by their logs, divided by their sum."""
    total = log_sum(logs)
    return [exp(value - total) for value in logs]


def eq_3_posterior(X, classes, prior, theta_0):
    """p(c|x) = P(x|c) p(c) / P(x), nothing cancelled (Grim 2008, eqs. 3 and 10)."""
    return [
        normalised([log(p) + eq_10_log_P(x, c, theta_0) for c, p in zip(classes, prior, strict=True)])
        for x in X
    ]


def eq_13_posterior(X, classes, prior, theta_0):
    """p(c|x) = p(c) sum_m G f(m) over the same for all classes (Grim 2008, eq. 13)."""
    return [normalised(row) for row in scores(X, classes, prior, theta_0)]


# The estimation


def eq_15_criterion(X, components, theta_0, s=None):
    """L = the mean over S_c of log sum_m G(x|theta_m, phi_m) f(m) (Grim 2008, eq. 15)."""
    s = weights_or_ones(X, s)
    return sum(s[d] * log_mixture(X[d], components, theta_0) for d in range(len(X))) / sum(s)


def eq_16_q(X, components, theta_0):
    """q(m|x), a row a document (Grim 2008, eq. 16)."""
    return [
        normalised(
            [eq_12_log_G(x, m.theta, m.phi, theta_0) + log_or_minus_infinity(m.weight) for m in components]
        )
        for x in X
    ]


def eq_17_terms(X, q, m, s=None):
    """x-tilde_n^(m) = 1/|S_c| sum_x x_n q(m|x), a value a term (Grim 2008, eq. 17)."""
    s = weights_or_ones(X, s)
    return [sum(s[d] * X[d][n] * q[d][m] for d in range(len(X))) / sum(s) for n in range(len(X[0]))]


def eq_18_length(X, q, m, s=None):
    """|x-bar|^(m) = 1/|S_c| sum_x |x| q(m|x) (Grim 2008, eq. 18)."""
    s = weights_or_ones(X, s)
    return sum(s[d] * sum(X[d]) * q[d][m] for d in range(len(X))) / sum(s)


def eq_19_weight(X, q, m, s=None):
    """f'(m) = 1/|S_c| sum_x q(m|x) (Grim 2008, eq. 19)."""
    s = weights_or_ones(X, s)
    return sum(s[d] * q[d][m] for d in range(len(X))) / sum(s)


def eq_19_theta(terms, length, theta_0):
    """theta'_mn = x-tilde_n^(m) / |x-bar|^(m) (Grim 2008, eq. 19)."""
    return [terms[n] / length if length > 0 else theta_0[n] for n in range(len(terms))]


def mixed_theta(terms, length, theta_0, b):
    """(1 - b) theta'_mn + b theta_0n, smoothing "mix".

    It maximises nothing, so neither L nor a penalised L has to increase with it.
    """
    theta = eq_19_theta(terms, length, theta_0)
    return [(1 - b) * theta[n] + b * theta_0[n] for n in range(len(theta))]


def with_prior(terms, length, theta_0, strength, documents):
    """Eqs. 17 and 18 with `strength` words of the background added to the component: smoothing "prior".

    Their quotient (eq. 19) is (sum q x_n + s theta_0n) / (sum q|x| + s), the sums over the |S_c| documents.
    """
    return (
        [terms[n] + strength * theta_0[n] / documents for n in range(len(terms))],
        length + strength / documents,
    )


def penalty(components, theta_0, strength, documents):
    """1/|S_c| sum_m log G(s theta_0 | theta_m, phi_m): what smoothing "prior" adds to L.

    Derivation. Give every kept theta_mn the Gamma prior with shape s theta_0n + 1 and rate s. Its mode is
    theta_0n, and up to a constant its logarithm is

        log p(theta_mn) = s theta_0n log theta_mn - s theta_mn.

    Subtract the value at the mode (a parameter which is not kept is theta_0n, so now it costs nothing):

        s theta_0n log(theta_mn / theta_0n) + s (theta_0n - theta_mn) <= 0,

    which is the part of term n in log G (eq. 12) of a document x = s theta_0, of length s since theta_0 sums
    to 1: each component has read s words of the background, with q = 1, in every iteration. So

        L* = L + 1/|S_c| sum_m log G(s theta_0 | theta_m, phi_m).

    EM on L*. The prior is free of q, so the E-step is eq. 16, and by Jensen's inequality L* grows at least as
    much as

        sum_m f'(m) log f(m) + sum_m sum_n phi_mn [A_mn log(theta_mn / theta_0n) + B_m (theta_0n - theta_mn)],
        A_mn = x-tilde_n^(m) + s theta_0n / |S_c|,    B_m = |x-bar|^(m) + s / |S_c|.

    The maximum over theta is A_mn / B_m = (sum q x_n + s theta_0n) / (sum q|x| + s); over f it is eq. 19.
    What is left of the bracket there is eq. 20 with A and B for its means. It is never negative, so the best
    structure of r parameters is the r largest of these gains (eq. 21), and L* cannot decrease. Eq. 20 with
    the bare means would choose by another number than the one maximised, and L* could decrease.
    """
    pseudo = [strength * value for value in theta_0]
    logs = [eq_12_log_G(pseudo, m.theta, m.phi, theta_0) for m in components]
    return sum(logs) / documents


def penalised_criterion(X, components, theta_0, strength, s=None):
    """L of eq. 15 plus the log-prior terms of `penalty`: monotone with smoothing "prior"."""
    documents = sum(weights_or_ones(X, s))
    return eq_15_criterion(X, components, theta_0, s) + penalty(components, theta_0, strength, documents)


def thresholded_criterion(criterion, components, threshold):
    """The criterion minus `threshold` per kept parameter, which the choice by threshold cannot decrease.

    phi_mn = 1 where gamma_mn > t maximises sum phi_mn (gamma_mn - t), not sum phi_mn gamma_mn: when a gain
    falls below t, the parameter goes and L may fall by up to t. Only t <= 0 leaves L itself monotone.
    """
    return criterion - threshold * sum(sum(m.phi) for m in components)


def eq_20_gamma(terms, length, theta, theta_0):
    """gamma'_mn = x-tilde log(theta'/theta_0) + |x-bar| (theta_0 - theta') (Grim 2008, eq. 20, corrected)."""
    gains = []
    for x, new, old in zip(terms, theta, theta_0, strict=True):
        # theta' = 0 goes with x-tilde = 0, or with one so small that eq. 19 underflows: 0 log 0 either way
        part = x * log(new / old) if new > 0 and old > 0 else 0.0
        gains.append(part + length * (old - new) if old > 0 else -inf)
    return gains


def eq_21_largest(gamma, r):
    """phi'_mn = 1 for the r highest gains of the class's components and terms (Grim 2008, eq. 21).

    `gamma[m][n]`; equal gains are taken in order of m and n.
    """
    pairs = [(m, n) for m in range(len(gamma)) for n in range(len(gamma[m])) if gamma[m][n] > -inf]
    kept = set(sorted(pairs, key=lambda pair: -gamma[pair[0]][pair[1]])[:r])
    return [[int((m, n) in kept) for n in range(len(gamma[m]))] for m in range(len(gamma))]


def threshold_structure(gamma, threshold):
    """phi'_mn = 1 where gamma'_mn is above the threshold (Grim 2008, section 5)."""
    return [[int(value > threshold) for value in row] for row in gamma]


def m_step(X, q, theta_0, r=None, threshold=None, smoothing=None, amount=0, s=None):
    """Eqs. 17 to 21 from the responsibilities: the components of a class, and their gains.

    Keeps the `r` largest gains, or those above `threshold`, or (neither given) all of them. `amount` is b of
    smoothing "mix" or s of "prior". The gain is that of the theta that enters G, the smoothed one.
    """
    documents = sum(weights_or_ones(X, s))
    thetas, gamma = [], []
    for m in range(len(q[0])):
        terms, length = eq_17_terms(X, q, m, s), eq_18_length(X, q, m, s)
        if smoothing == "prior":
            terms, length = with_prior(terms, length, theta_0, amount, documents)
        b = amount if smoothing == "mix" else 0
        theta = mixed_theta(terms, length, theta_0, b)
        thetas.append(theta)
        gamma.append(eq_20_gamma(terms, length, theta, theta_0))
    if threshold is not None:
        phi = threshold_structure(gamma, threshold)
    else:
        phi = eq_21_largest(gamma, len(gamma) * len(theta_0) if r is None else r)
    weights = [eq_19_weight(X, q, m, s) for m in range(len(q[0]))]
    return [Component(*parts) for parts in zip(weights, thetas, phi, strict=True)], gamma


def em_iteration(X, components, theta_0, r=None, threshold=None, smoothing=None, amount=0, s=None):
    """One whole iteration, eqs. 16 to 21: the new components."""
    q = eq_16_q(X, components, theta_0)
    return m_step(X, q, theta_0, r, threshold, smoothing, amount, s)[0]


def one_component(X, theta_0, r=None, threshold=None, smoothing=None, amount=0, s=None):
    """The class with a single component: q = 1 everywhere, so one M-step is the answer, and its gains."""
    return m_step(X, [[1] for _ in X], theta_0, r, threshold, smoothing, amount, s)


def parameter_share(parameters, components, terms):
    """The number of parameters relative to the "full" mixture's (Grim 2008, tables 1 and 2, fourth row)."""
    return parameters / (components * terms)
