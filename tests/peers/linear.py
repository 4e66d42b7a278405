"""linear.py - linear models against LAPACK's gelsd, scikit-learn's Ridge and HuberRegressor, SciPy's nnls.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Least squares and ridge for every shape of 1 to 40 rows and 1 to 60 columns: columns of random, rounded or
constant numbers, copies and sums of others, weights of which some are 0, one to three targets, with and
without intercept. Distances are shares of the terms |b0| + sum |b_j (x_j - mean_j)| that a prediction is a
sum of: at most 1e-8 for the coefficients, which are doubles, and 1e-6 for the answers, which are floats;
where the condition of a table is above 1e4, least squares may be off by 1e-12 of it.
"""
import numpy as np
from scipy.optimize import nnls
from sklearn.linear_model import HuberRegressor, Ridge

from common import F32, F64, Table, call, floats, random_of

LEAST_SQUARES, RIDGE, NON_NEGATIVE, HUBER = range(4)
table = Table("linear", "greatest share of the terms: coefficients")


def data(random, rows, cols, targets):
    x = floats(random.normal(size=(rows, cols)))
    for j in range(cols):
        kind = random.randint(8)
        if kind == 0:
            x[:, j] = random.randint(4, size=rows)
        elif kind == 1:
            x[:, j] = F32(random.normal())
        elif kind == 2 and j > 0:
            x[:, j] = x[:, random.randint(j)]
        elif kind == 3 and j > 1:  # rounded, so that the sum is exact
            a, b = random.randint(j, size=2)
            x[:, j] = np.round(4 * x[:, a]) / 4
            x[:, a] = x[:, j]
            x[:, b] = np.round(4 * x[:, b]) / 4
            x[:, j] = x[:, a] + x[:, b]
        elif kind == 4:
            x[:, j] += F32(10)
        elif kind == 5:
            x[:, j] *= F32(10.0 ** random.uniform(-3, 3))
    y = floats(x @ random.normal(size=(cols, targets)) + random.normal(size=(rows, targets)))
    weight = None
    if random.randint(3) == 0:
        weight = floats(random.uniform(0.1, 3, size=rows) * (random.uniform(size=rows) > 0.2))
        weight[random.randint(rows)] = 1
    return x, y, weight


def centred(x, y, weight, intercept):
    """The rows with a weight, minus the mean, times the root of the weight; and the means."""
    w = np.ones(len(x)) if weight is None else weight.astype(F64)
    x, y, w = x.astype(F64)[w > 0], y.astype(F64)[w > 0], w[w > 0]
    mean_x = np.average(x, axis=0, weights=w) if intercept else np.zeros(x.shape[1])
    mean_y = np.average(y, axis=0, weights=w) if intercept else np.zeros(y.shape[1])
    if intercept:
        constant = (x == x[0]).all(axis=0)
        mean_x[constant] = x[0, constant]
    root = np.sqrt(w)[:, None]
    return root * (x - mean_x), root * (y - mean_y), mean_x, mean_y


def fit(x, y, weight, method, intercept, asked, lam=0.0, delta=0.0):
    rows, cols, targets = len(x), x.shape[1], y.shape[1]
    coefficients, answers = np.zeros((targets, cols + 1)), np.zeros((len(asked), targets), F32)
    why = call("answers_linear", x, y, weight, rows, cols, targets, method, int(not intercept), lam, delta,
               asked, len(asked), coefficients, answers)
    return why, coefficients, answers


def compare(row, what, got, want, x, middle, limit=1e-8):
    """got: what fit returns; want: coefficients[cols x targets] and offsets at the middle of the columns."""
    why, coefficients, answers = got
    b, offset = want
    if why:
        return table.add(row, "FAILED", 0, f"{what}: {why}")
    x = x.astype(F64) - middle
    true = x @ b + offset
    size = np.abs(x) @ np.abs(b) + np.abs(offset) + 1e-300
    exact = x @ coefficients[:, :-1].T + (coefficients[:, -1] + coefficients[:, :-1] @ middle)
    double, single = (np.max(np.abs(a - true) / size) for a in (exact, answers))
    good = double <= limit and single <= max(1e-6, limit)
    table.add(row, "equal" if good else "FAILED", double, f"{what}: answers {single:.3g}, coefficients")


def shapes():
    for rows in range(1, 41):
        for cols in range(1, 61):
            random = random_of(1, rows, cols)
            targets, intercept = 1 + random.randint(3) // 2 * random.randint(1, 3), random.randint(4) > 0
            x, y, weight = data(random, rows, cols, targets)
            asked = np.vstack([x, floats(random.normal(size=(5, cols)))])
            u, v, mean_x, mean_y = centred(x, y, weight, intercept)
            what = f"{rows} x {cols}, {targets} targets, weights {weight is not None}, intercept {intercept}"
            # the shortest of all solutions; singular values below 1e-14 of the greatest are taken for 0
            best, _, rank, singular = np.linalg.lstsq(u, v, rcond=1e-14)
            condition = singular[0] / singular[rank - 1] if rank else 1
            shape = "rows > columns" if len(u) > cols else "rows <= columns"
            compare(f"least squares, {shape}", what, fit(x, y, weight, LEAST_SQUARES, intercept, asked),
                    (best, mean_y), asked, mean_x, max(1e-8, 1e-12 * condition))
            if (rows + cols) % 2:
                continue
            lam = 10.0 ** random.uniform(-3, 3)
            ridge = Ridge(alpha=lam, fit_intercept=False, solver="svd").fit(u, v)
            compare(f"ridge, {shape}", f"{what}, lambda {lam:.3g}",
                    fit(x, y, weight, RIDGE, intercept, asked, lam),
                    (ridge.coef_.reshape(targets, cols).T, mean_y), asked, mean_x)


def non_negative():
    """The fitted values of the training rows are unique, also where coefficients are not."""
    for case in range(400):
        random = random_of(2, case)
        rows, cols, intercept = random.randint(1, 60), random.randint(1, 40), random.randint(2) > 0
        x, y, weight = data(random, rows, cols, 1)
        u, v, mean_x, mean_y = centred(x, y, weight, intercept)
        try:
            b = nnls(u, v[:, 0], maxiter=1000 * cols)[0][:, None]
        except RuntimeError:
            table.add("non-negative", "unasked")
            continue
        rows_used = x if weight is None else x[weight > 0]
        compare("non-negative", f"case {case}, {rows} x {cols}",
                fit(x, y, weight, NON_NEGATIVE, intercept, rows_used), (b, mean_y), rows_used, mean_x)


def huber():
    """HuberRegressor's scale solves another equation. At its solution the errors have a median, too, and with
    delta = epsilon scale / (median / 0.6745) the same coefficients solve ours, to the three digits that its
    optimiser finds. Ours must solve its own equation, sum psi(error) (1, x) = 0, to seven."""
    for case in range(120):
        random = random_of(3, case)
        rows, cols = random.randint(30, 200), random.randint(1, 8)
        x = floats(random.normal(size=(rows, cols)))
        y = floats(x @ random.normal(size=(cols, 1)) + random.standard_t(2, size=(rows, 1)))
        epsilon = random.uniform(1.1, 2.5)
        peer = HuberRegressor(epsilon=epsilon, alpha=0, max_iter=20000, tol=1e-9).fit(x.astype(F64), y[:, 0])
        errors = np.abs(y[:, 0] - peer.predict(x.astype(F64)))
        delta = epsilon * peer.scale_ / (np.median(errors) / 0.6744897501960817)
        got, what = fit(x, y, None, HUBER, True, x, 0.0, delta), f"case {case}, {rows} x {cols}"
        compare("Huber, scikit-learn", what, got, (peer.coef_[:, None], peer.intercept_), x, np.zeros(cols),
                1e-3)
        errors = y[:, 0] - x.astype(F64) @ got[1][0, :-1] - got[1][0, -1]
        edge = delta * np.median(np.abs(errors)) / 0.6744897501960817
        parts = np.clip(errors, -edge, edge)[:, None] * np.hstack([np.ones((rows, 1)), x])
        off = np.max(np.abs(parts.sum(axis=0)) / np.abs(parts).sum(axis=0))
        table.add("Huber, its equation", "equal" if off <= 1e-7 else "FAILED", off, what)


shapes()
non_negative()
huber()
table.end()
