"""Check the algebra of docs/theory/algebra.md: a low-rank default plus corrections on the pairs seen.

    score(x, c) = [ bias_c + sum_r (sum_t x_t Phi_tr) G_cr + sum over seen (c, t) of x_t corr_ct ] / divide_c

Phi is (terms, R), G is (classes, R), R is 1 to 3 but for the Poisson series. Nothing of size classes x terms
is built on the sparse side; the literal side is dense on purpose. Run: python experiments/sparse_algebra.py
"""

import sys
from dataclasses import dataclass
from math import comb, log
from pathlib import Path

import numpy as np
from scipy import sparse

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from reference import frank2006, kim2003, rennie2003
from reference.cases import CASES

# ---------------------------------------------------------------- statistics: sums, pairs seen only


class Statistics:
    """Sums per pair, per term, per class and in total. theta only enters A and a (Poisson)."""

    def __init__(self, X, Y, s=None, theta=0.01):
        X, Y = sparse.csr_array(X), sparse.csr_array(np.asarray(Y, dtype=float))
        s = np.ones(X.shape[0]) if s is None else np.asarray(s, dtype=float)
        self.V, self.C, self.theta = X.shape[1], Y.shape[1], theta
        dl = np.asarray(X.sum(axis=1)).ravel()
        present = X.copy()
        present.data = np.ones_like(present.data)
        by_class = (Y.multiply(s[:, None])).T.tocsr()
        inverse = 1 / (dl + theta * self.V)  # 1 / dl'
        n = sparse.csr_array(by_class @ X)
        n.sort_indices()
        self.indptr, self.t, self.n = n.indptr, n.indices, n.data
        self.c = np.repeat(np.arange(self.C), np.diff(n.indptr))
        self.df = self._pairs(by_class @ present)
        self.A = self._pairs(by_class @ sparse.csr_array(X.multiply(inverse[:, None])))
        self.n_t, self.df_t = X.T @ s, present.T @ s
        self.A_t = X.T @ (s * inverse)
        self.L_c, self.N_c, self.a_c = by_class @ dl, by_class @ np.ones(len(dl)), by_class @ inverse
        self.L, self.N, self.a = s @ dl, s.sum(), s @ inverse

    def _pairs(self, table):
        table = sparse.csr_array(table)
        table.sort_indices()
        assert (table.indices == self.t).all()
        return table.data

    def sum_over_class(self, values):
        """Sum of a pair value over the seen terms of each class."""
        return np.bincount(self.c, weights=values, minlength=self.C)


@dataclass
class Decomposition:
    """The score in the form at the top of the file."""

    st: Statistics
    bias: np.ndarray
    Phi: np.ndarray
    G: np.ndarray
    corr: np.ndarray
    divide: np.ndarray | float = 1.0

    def linear(self, X):
        """Score rows without a table of classes and terms."""
        X = sparse.csr_array(X)
        corrections = sparse.csr_array((self.corr, (self.st.t, self.st.c)), shape=(self.st.V, self.st.C))
        return ((X @ self.Phi) @ self.G.T + (X @ corrections).toarray() + self.bias) / self.divide

    def row_sums(self):
        """sum_t of the whole weight row of each class, all terms."""
        return self.G @ self.Phi.sum(axis=0) + self.st.sum_over_class(self.corr)


# ---------------------------------------------------------------- multinomial, centroid, complement


def multinomial(st, alpha, class_length=None):
    """Rennie 3 / Frank 2-3."""
    if class_length is None:
        below, corr = alpha * st.V + st.L_c, np.log1p(st.n / alpha)
    else:
        length = st.L_c.min() if class_length == "min" else class_length
        below = np.full(st.C, alpha * st.V + length)
        corr = np.log1p(length * st.n / (alpha * st.L_c[st.c]))
    k = log(alpha) - np.log(below)
    return Decomposition(st, np.log(st.N_c / st.N), np.ones((st.V, 1)), k[:, None], corr)


def centroid(st, norm):
    size = st.L_c if norm == "l1" else np.sqrt(st.sum_over_class(st.n**2))
    return Decomposition(st, np.zeros(st.C), np.ones((st.V, 1)), np.zeros((st.C, 1)), st.n / size[st.c])


def sum_abs_difference(k, u):
    """sum_t |k_c - u_t| for every c without a table: sort u once, two look-ups a class."""
    u = np.sort(u)
    prefix = np.concatenate([[0.0], np.cumsum(u)])
    m = np.searchsorted(u, k)
    return (2 * m - len(u)) * k + prefix[-1] - 2 * prefix[m]


def complement(st, alpha, norm, against):
    """Rennie 6, 7, 8 and 9."""
    ones = np.ones(st.V)
    left = st.n_t[st.t] - st.n + alpha  # > 0; the complement's smoothed count
    lost = -np.log(left / (st.n_t[st.t] + alpha))  # >= 0
    below = st.L - st.L_c + alpha * st.V
    if against == "complement":
        u = np.log(st.n_t + alpha)
        Phi, G, corr = np.stack([-u, ones], 1), np.stack([np.ones(st.C), np.log(below)], 1), lost
        # every weight is -log(theta) > 0: |.| is gone
        size = st.V * np.log(below) - u.sum() + st.sum_over_class(lost)
    elif against == "class":
        u = np.log1p(st.n_t / alpha)  # >= 0
        k = np.log(below / (st.L_c + alpha * st.V))
        corr = lost + np.log1p(st.n / alpha)
        Phi, G = np.stack([-u, ones], 1), np.stack([np.ones(st.C), k], 1)
        default = k[st.c] - u[st.t]
        size = sum_abs_difference(k, u) + st.sum_over_class(np.abs(default + corr) - np.abs(default))
    else:
        k = np.log1p(-st.L_c / (st.L + alpha * st.V))  # <= 0, the weight of every pair not seen
        Phi, G, corr = ones[:, None], k[:, None], lost
        seen = np.diff(st.indptr)
        size = (st.V - seen) * -k + st.sum_over_class(np.abs(k[st.c] + corr))
    return Decomposition(st, np.zeros(st.C), Phi, G, corr, size if norm else 1.0)


# ---------------------------------------------------------------- Poisson


class Means:
    """lambda' and mu' from A, n and class sums (E = n - theta V A needs no statistic of its own)."""

    def __init__(self, st, alpha):
        th, V = st.theta, st.V
        self.st = st
        E, E_t = st.n - th * V * st.A, st.n_t - th * V * st.A_t
        e_c, e = st.N_c - th * V * st.a_c, st.N - th * V * st.a
        pin, qin = alpha / st.N_c, (1 - alpha) / st.L_c
        self.p, self.q = alpha / (st.N - st.N_c), (1 - alpha) / (st.L - st.L_c)
        self.m = th * (self.p * (st.a - st.a_c) + self.q * (e - e_c))
        self.lam0 = th * (pin * st.a_c + qin * e_c)  # lambda' of every pair not seen: a class constant
        self.lam = self.lam0[st.c] + pin[st.c] * st.A + qin[st.c] * E
        self.A_t, self.E_t = st.A_t, E_t
        self.mu_unseen = self.mu_default(st.c, st.t)
        self.mu = self.p[st.c] * (st.A_t[st.t] - st.A) + self.q[st.c] * (E_t[st.t] - E) + self.m[st.c]
        # the class of all documents: N_c = 0
        p0, q0 = alpha / st.N, (1 - alpha) / st.L
        m0 = th * (p0 * st.a + q0 * e)
        self.mu0 = p0 * st.A_t + q0 * E_t + m0
        self.w1, self.w2 = p0 * st.A_t / self.mu0, q0 * E_t / self.mu0  # >= 0, w1 + w2 <= 1
        self.base = self.m / m0  # 1 + eps_3
        self.eta1 = st.N / (st.N - st.N_c) / self.base - 1
        self.eta2 = st.L / (st.L - st.L_c) / self.base - 1

    def mu_default(self, c, t):
        """mu' of a pair as if it were not seen: m_c + p_c A_t + q_c E_t."""
        return self.m[c] + self.p[c] * self.A_t[t] + self.q[c] * self.E_t[t]


def document_events(st, c, t, a):
    """The 2 x 2 table of pairs (c, t) with a documents in common."""
    return a, st.N_c[c] - a, st.df_t[t] - a, st.N - st.N_c[c] - st.df_t[t] + a


def chi2(st, c, t, a):
    """Kim 12. Real sample weights leave 1e-13 where N - df is 0: below the rounding of N it is 0."""
    a, b, cc, d = document_events(st, c, t, a)
    some = np.minimum(a + cc, b + d) > 1e-12 * st.N
    below = np.where(some, (a + b) * (a + cc) * (b + d) * (cc + d), 1)
    return np.where(some, (a * d - b * cc) ** 2, 0) / below


def excess(u):
    """(1 + u) log(1 + u) - u >= 0, without cancellation near 0; 1 at u = -1."""
    small = np.abs(u) < 0.03
    v = np.where(small, u, 0)
    series = sum((-1) ** k * v**k / (k * (k - 1)) for k in range(2, 13))
    w = np.where(small | (u <= -1), 0, u)
    return np.where(small, series, np.where(u <= -1, 1.0, (1 + w) * np.log1p(w) - w))


def information_gain(st, c, t, a):
    """Kim 11 as four terms never negative: (1/N^2) sum e excess(+-D/e), D = aN - (a+b)(a+c)."""
    a, b, cc, d = document_events(st, c, t, a)
    D = a * st.N - (a + b) * (a + cc)
    total = np.zeros(len(D))
    for sign, e in (
        (1, (a + b) * (a + cc)),
        (-1, (a + b) * (b + d)),
        (-1, (cc + d) * (a + cc)),
        (1, (cc + d) * (b + d)),
    ):
        some = e > 1e-12 * st.N**2
        total += np.where(some, e, 0) * excess(np.maximum(-1, sign * D / np.where(some, e, 1)) * some)
    return total / st.N**2


def literal_information_gain(st, c, t, a):
    """Kim 11 as printed, in 80 bits: as printed it loses digits where a term is nearly independent."""
    wide = np.longdouble
    a, N, N_c, df = a.astype(wide), wide(st.N), st.N_c[c].astype(wide), st.df_t[t].astype(wide)
    b, cc, d = N_c - a, df - a, N - N_c - df + a
    total = np.zeros(len(a), dtype=wide)
    for joint, side, other in (
        (a, a + b, a + cc),
        (b, a + b, b + d),
        (cc, cc + d, a + cc),
        (d, cc + d, b + d),
    ):
        some = joint > 1e-9
        total += np.where(
            some, joint * np.log(np.where(some, joint * N, 1) / np.where(some, side * other, 1)), 0
        )
    return (total / N).astype(float)


def pair_weights(st, weighting, c, t, a, lam, mu):
    if weighting == "ig":
        return information_gain(st, c, t, a)
    if weighting == "chi2":
        return chi2(st, c, t, a)
    return lam / mu + mu / lam if weighting == "ratio" else np.ones(len(c))


# A function of (c, t) as a sum of products, by total degree in the small quantities: dict degree tuple ->
# (class factor, term factor). Products of series truncate at degree K.


class Series:
    """sum of g_c f_t over a list of (degree, g, f)."""

    def __init__(self, parts, K):
        self.K = K
        self.parts = [part for part in parts if part[0] <= K]

    def __add__(self, other):
        return Series(self.parts + other.parts, self.K)

    def __mul__(self, other):
        return Series(
            [(d + e, g * h, f * k) for d, g, f in self.parts for e, h, k in other.parts if d + e <= self.K],
            self.K,
        )

    def merged(self):
        """G (classes, R), Phi (terms, R); equal term factors share a column."""
        columns = {}
        for _, g, f in self.parts:
            key = f.tobytes()
            columns[key] = (columns[key][0] + g if key in columns else g, f)
        G, Phi = zip(*columns.values(), strict=True)
        return np.stack(G, 1), np.stack(Phi, 1)

    def up_to(self, degree):
        """Each class its own order: parts of a higher degree than the class needs are 0."""
        return Series([(d, np.where(d <= degree, g, 0.0), f) for d, g, f in self.parts], self.K)


def zeta_power_series(means, coefficients, K):
    """sum_k coefficients[k] zeta^k, zeta = w1 eta1 + w2 eta2, binomially expanded."""
    parts = []
    for k, coefficient in enumerate(coefficients[: K + 1]):
        for i in range(k + 1):
            g = coefficient * comb(k, i) * means.eta1**i * means.eta2 ** (k - i)
            parts.append((k, g, means.w1**i * means.w2 ** (k - i)))
    return Series(parts, K)


def default_series(st, means, weighting, K, light_terms):
    """The series of w0 log(lam0/mu0ct), of w0 and of w0 (mu0ct - lam0) for the pairs not seen."""
    one_c, one_t = np.ones(st.C), np.where(light_terms, 1.0, 0.0)
    power = range(1, K + 1)
    log_1p = [0.0] + [(-1) ** (k + 1) / k for k in power]
    inverse = [(-1.0) ** k for k in range(K + 1)]
    ones = Series([(0, one_c, one_t)], K)
    rho = means.lam0 / means.base
    # log lam0 - log mu = log rho_c - log mu0_t - log(1 + zeta)
    ratio = Series([(0, np.log(rho), one_t), (0, one_c, -np.log(means.mu0) * one_t)], K)
    ratio = ratio + zeta_power_series(means, [-x for x in log_1p], K) * ones
    mu = Series([(0, means.m, one_t), (0, means.p, means.A_t * one_t), (0, means.q, means.E_t * one_t)], K)
    minus_lam = Series([(0, -means.lam0, one_t)], K)
    if weighting is None:
        w = ones
    elif weighting == "chi2":  # exactly separable
        free = np.where(light_terms, st.N - st.df_t, 1.0)
        w = Series([(0, st.N_c / (st.N - st.N_c), one_t * st.df_t / free)], K)
    elif weighting == "ig":
        small = np.where(
            light_terms, -np.log1p(-np.where(light_terms, st.df_t, 0) / st.N), 0
        )  # log(N/(N-df))
        share = st.N_c / st.N
        parts = [(0, share, small)]
        parts += [(k - 1, share**k, np.expm1((k - 1) * small) / (k * (k - 1))) for k in range(2, K + 2)]
        w = Series(parts, K)
    else:
        over = Series([(0, rho, one_t / means.mu0)], K) * zeta_power_series(means, inverse, K)
        under = Series([(0, g / means.lam0, f) for _, g, f in mu.parts], K)
        w = over + under
        # (r + 1/r) log r, r = rho / (mu0 (1 + zeta)), multiplied out so that few columns are left
        harmonic = np.concatenate([[0.0], np.cumsum([1 / k for k in power])])
        log_over = [(-1) ** (k + 1) * harmonic[k] for k in range(K + 1)]  # log(1+z) / (1+z)
        log_times = [0.0, 1.0] + [(-1) ** k / (k * (k - 1)) for k in range(2, K + 1)]  # (1+z) log(1+z)
        log_rho = Series([(0, np.log(rho), one_t), (0, one_c, -np.log(means.mu0))], K)
        first = Series([(0, rho, 1 / means.mu0)], K)
        second = Series([(0, 1 / rho, means.mu0)], K)
        value = first * (log_rho * zeta_power_series(means, inverse, K)) + second * (
            log_rho * zeta_power_series(means, [1.0, 1.0], K)
        )
        value = value + first * zeta_power_series(means, [-x for x in log_over], K)
        value = value + second * zeta_power_series(means, [-x for x in log_times], K)
        # w (mu - lam) = lam - mu + mu^2 / lam - lam^2 / mu
        square = mu * under
        over_lam = Series([(d, -g * means.lam0, f) for d, g, f in over.parts], K)
        return value, w, Series([(0, means.lam0, one_t)], K) + negative(mu) + square + over_lam
    return w * ratio, w, w * mu + w * minus_lam


def negative(series):
    return Series([(d, -g, f) for d, g, f in series.parts], series.K)


def poisson(st, alpha, weighting, K=8, tolerance=1e-16):
    """W_c, A_c, B_c and the decomposition of z-hat (Kim 14, 15).

    Returns (decomposition, the heavy rows and columns, W, A, B, heavy classes).
    """
    means = Means(st, alpha)
    share = np.maximum(st.N_c / (st.N - st.N_c), np.maximum(np.abs(means.eta1), np.abs(means.eta2)))
    size = 2 * share if weighting == "ig" else share
    order = np.ceil(log(tolerance) / np.log(np.minimum(size, 0.5)) - 1)  # size^(order+1) <= tolerance
    heavy = order > K
    light_terms = st.df_t <= st.N / 2 if weighting in ("ig", "chi2") else np.ones(st.V, dtype=bool)
    light = np.where(heavy, 0.0, 1.0)
    out = []
    a = st.df
    w = pair_weights(st, weighting, st.c, st.t, a, means.lam, means.mu)
    exact = w * np.log(means.lam / means.mu), w, w * (means.mu - means.lam)
    for series, value in zip(default_series(st, means, weighting, K, light_terms), exact, strict=True):
        G, Phi = series.up_to(order).merged()
        G *= light[:, None]
        corr = value - np.einsum("pr,pr->p", G[st.c], Phi[st.t])
        out.append(Decomposition(st, np.zeros(st.C), Phi, G, corr))
    # pairs not seen in a heavy class or of a heavy term, one class at a time: rows, never a table
    seen = set(zip(st.c.tolist(), st.t.tolist(), strict=True))
    cells = [(c, t) for c in np.flatnonzero(heavy) for t in range(st.V) if (c, t) not in seen]
    cells += [
        (c, t)
        for t in np.flatnonzero(~light_terms)
        for c in range(st.C)
        if not heavy[c] and (c, t) not in seen
    ]
    c, t = (
        (np.array(side, dtype=int) for side in zip(*cells, strict=True)) if cells else (np.zeros(0, int),) * 2
    )
    lam, mu = means.lam0[c], means.mu_default(c, t)
    w = pair_weights(st, weighting, c, t, np.zeros(len(c)), lam, mu)
    dense = w * np.log(lam / mu), w, w * (mu - lam)
    sums = [d.row_sums() + np.bincount(c, weights=v, minlength=st.C) for d, v in zip(out, dense, strict=True)]
    extra = sparse.csr_array((dense[0], (t, c)), shape=(st.V, st.C))
    return out[0], extra, sums[1], sums[2], st.theta * sums[0], heavy


def poisson_scores(X, st, alpha, weighting, tau=1.0, K=8):
    model, extra, W, A, B, heavy = poisson(st, alpha, weighting, K)
    z_hat = model.linear(X) + (sparse.csr_array(X) @ extra).toarray()
    z_star = (B + z_hat) / (np.asarray(X).sum(axis=1, keepdims=True) + st.theta * st.V)
    used = np.count_nonzero(model.G[~heavy], axis=1).mean() if (~heavy).any() else 0
    return z_star, tau / W * (A + z_star), heavy, model.G.shape[1], used


# ---------------------------------------------------------------- literal, dense, vectorised


def dense_poisson(X, X_train, Y, theta, alpha, weighting, s):
    dl, V = X_train.sum(axis=1), X_train.shape[1]
    f = (X_train + theta) / (dl + theta * V)[:, None]

    def mean(Y):
        G = Y * s[:, None]
        H = G * dl[:, None]
        return (alpha * G / G.sum(axis=0) + (1 - alpha) * H / H.sum(axis=0)).T @ f

    lam, mu = mean(Y), mean(1 - Y)
    present = (X_train > 0).astype(float)
    a = (Y * s[:, None]).T @ present
    st = Statistics(X_train, Y, s, theta)
    c, t = np.divmod(np.arange(a.size), V)
    weights = literal_information_gain(st, c, t, a.ravel()) if weighting == "ig" else None
    if weights is None:
        weights = pair_weights(st, weighting, c, t, a.ravel(), lam.ravel(), mu.ravel())
    w = weights.reshape(a.shape)
    logs = w * np.log(lam / mu)
    z_star = (theta * logs.sum(axis=1) + X @ logs.T) / (X.sum(axis=1, keepdims=True) + theta * V)
    return z_star, ((w * (mu - lam)).sum(axis=1) + z_star) / w.sum(axis=1)


def worst(actual, expected):
    """The largest difference over the largest value."""
    return float(np.abs(actual - expected).max() / np.abs(expected).max())


def worst_class(actual, expected):
    """The same within each class, the worst class: one that knows nothing scores near 0."""
    return max(worst(actual[:, c], expected[:, c]) for c in range(expected.shape[1]))


def check_cases():
    """Every decomposition against tests/reference, on its cases."""
    worsts = {}

    def note(name, actual, expected):
        worsts[name] = max(worsts.get(name, 0), worst(actual, np.asarray(expected, dtype=float)))

    for case in CASES:
        X, Y, s, T = case.X, case.Y, case.weight, case.X_test
        st = Statistics(X, Y, s, 0.05)
        for class_length in (None, 1, 2.5, "min"):
            ours = multinomial(st, 0.5, class_length).linear(T)
            note(f"multinomial {class_length}", ours, frank2006.eq_5_scores(T, X, Y, 0.5, class_length, s))
        for norm in ("l2", "l1"):
            note(f"centroid {norm}", centroid(st, norm).linear(T), frank2006.eq_4_scores(T, X, Y, norm, s))
        for against in ("complement", "class", "all"):
            for norm in (False, True):
                for alpha in (1.0, 0.01):
                    ours = complement(st, alpha, norm, against).linear(T)
                    literal = rennie2003.complement_scores(T, X, Y, alpha, norm, against, s)
                    note(f"complement {against} {norm}", ours, literal)
        for weighting in (None, "ig", "chi2", "ratio"):
            for alpha in (0.8, 1.0, 0.0):
                z_star, z, *_ = poisson_scores(T, st, alpha, weighting)
                literal = X, Y, 0.05, alpha, weighting, s
                note(f"poisson z* {weighting}", z_star, kim2003.eq_15_z_star(T, *literal))
                note(f"poisson z {weighting}", z, kim2003.eq_14_z(T, *literal))
    for name, value in worsts.items():
        print(f"{name:28s} {value:.1e}")
        assert value < 1e-12, name


def larger(seed, n=4000, C=300, V=500, labels=1.3, weighted=False):
    """Many small classes and some large ones, terms Zipf: where the series is used."""
    rng = np.random.default_rng(seed)
    p_term = 1 / np.arange(1, V + 1)
    X = rng.poisson(np.minimum(2.0, 12 * p_term / p_term.sum()), size=(n, V)).astype(float)
    X[0] = 0
    p_class = 1 / np.arange(1, C + 1)
    Y = (rng.random((n, C)) < labels * p_class / p_class.sum()).astype(float)
    Y[np.arange(C), np.arange(C)] = 1
    T = rng.poisson(0.05, size=(20, V)).astype(float)
    return X, Y, rng.uniform(0.5, 2, size=n) if weighted else np.ones(n), T


def check_series():
    """The Poisson series against dense tables; the count of heavy classes and the rank it needed."""
    for weighted in (False, True):
        X, Y, s, T = larger(1, weighted=weighted)
        for theta, alpha in ((0.01, 0.8), (0.1, 1.0), (0.001, 0.3)):
            st = Statistics(X, Y, s, theta)
            for weighting in (None, "chi2", "ig", "ratio"):
                z_star, z = dense_poisson(T, X, Y, theta, alpha, weighting, s)
                line = f"theta {theta} alpha {alpha} {weighting or 'none':5s}"
                for K in (2, 4, 6, 8):
                    ours_star, ours, heavy, rank, used = poisson_scores(T, st, alpha, weighting, K=K)
                    error = max(worst(ours_star, z_star), worst(ours, z))
                    line += f" | K {K} heavy {heavy.sum():3d} rank {rank:3d} (mean {used:3.0f}) {error:.0e}"
                    by_class = max(worst_class(ours_star, z_star), worst_class(ours, z))
                    line += f" by class {by_class:.0e}"
                    assert error < 1e-12, line
                    assert by_class < 1e-11, line
                print(line)


def check_identities():
    """Check the closed forms of docs/theory/algebra.md one by one."""
    X, Y, s, _ = larger(2, n=600, C=20, V=80, weighted=True)
    st, theta, alpha = Statistics(X, Y, s, 0.02), 0.02, 0.8
    dl = X.sum(axis=1)
    # E = n - theta V A, e = N - theta V a
    E = (Y * s[:, None]).T @ (X * (dl / (dl + theta * st.V))[:, None])
    assert np.allclose(E[st.c, st.t], st.n - theta * st.V * st.A, rtol=1e-12)
    e = (Y * s[:, None]).T @ (dl / (dl + theta * st.V))
    assert np.allclose(e, st.N_c - theta * st.V * st.a_c, rtol=1e-12)
    # lambda' and mu' are distributions, so A_c = 0 and z = tau z* / V without weighting
    means = Means(st, alpha)
    assert np.allclose(st.V * means.lam0 + st.sum_over_class(means.lam - means.lam0[st.c]), 1, rtol=1e-13)
    # IG and chi2 of a pair not seen
    c, t = np.array([3, 7, 11]), np.array([20, 40, 60])
    N, N_c, df, zero = st.N, st.N_c[c], st.df_t[t], np.zeros(3)
    h = lambda v: v * np.log(v)  # noqa: E731
    assert np.allclose(
        information_gain(st, c, t, zero), (h(N) - h(N - df) - h(N - N_c) + h(N - N_c - df)) / N
    )
    # whole counts: aN - (a+b)(a+c) is exact, and the stable form keeps its digits
    whole = Statistics(X, Y, None, 0.02)
    events = whole, whole.c, whole.t, whole.df
    stable, literal = information_gain(*events), literal_information_gain(*events)
    assert np.allclose(stable, literal, rtol=1e-12, atol=1e-18)
    assert np.allclose(chi2(st, c, t, zero), N_c / (N - N_c) * df / (N - df), rtol=1e-12)
    # the small quantity and its bound: |zeta| <= max(|eta1|, |eta2|)
    C, T = np.divmod(np.arange(st.C * st.V), st.V)
    zeta = means.mu_default(C, T) / (means.mu0[T] * means.base[C]) - 1
    assert np.allclose(zeta, means.w1[T] * means.eta1[C] + means.w2[T] * means.eta2[C], atol=1e-13)
    assert (np.abs(zeta) <= np.maximum(np.abs(means.eta1), np.abs(means.eta2))[C] + 1e-13).all()
    print("identities hold")


if __name__ == "__main__":
    check_identities()
    check_cases()
    check_series()
