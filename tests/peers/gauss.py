"""gauss.py - Gaussian processes against scikit-learn's GaussianProcessRegressor.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

With the same hyperparameters: the logarithm of the marginal likelihood within 1e-8 of itself, means and
deviations within what floats may add (the unit of a mean is the sum of the sizes of its terms, that of a
variance is signal). Learned: a likelihood that is not below what scikit-learn's optimiser finds from four
starts by more than 0.001. Inducing points as many as rows: the same as without them, within 1e-3 deviations.
CASES cases, 60 by default.
"""
import os

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

from common import F32, F64, Table, call, floats, random_of

CASES = int(os.environ.get("CASES", "60"))
KERNELS = ["Matern 3/2", "Matern 1/2", "Matern 5/2", "squared"]
UNIT = 2.0**-24
table = Table("gauss", "greatest share of the tolerance")


def correlation(kernel, length, bounds="fixed"):
    return RBF(length, bounds) if kernel == 3 else Matern(length, bounds, nu=[1.5, 0.5, 2.5][kernel])


def ours(x, y, kernel, law, given, asked, starts=3, inducing=0, group=None, asked_group=None, weight=None):
    rows, cols = x.shape
    law = np.array(law, F64)
    means, deviations = np.zeros(len(asked), F32), np.zeros(len(asked), F32)
    why = call("answers_gauss", x, y, group, weight, rows, cols, kernel, given, starts, inducing, law, asked,
               asked_group, len(asked), means, deviations)
    return why, law, means.astype(F64), deviations.astype(F64)


def worst(got, want, limit):
    share = np.max(np.abs(got - want) / limit)
    return np.inf if np.isnan(share) else float(share)


for case in range(CASES):
    random = random_of(40, case)
    kernel, cols, rows = case % 4, random.randint(1, 7), random.randint(5, 120)
    scale = 10.0 ** random.uniform(-3, 3)
    x = floats(random.normal(size=(rows, cols)))
    if random.randint(3) == 0:
        x[rows // 2:] = x[: rows - rows // 2]  # rows that are there twice
    y = floats(scale * (np.sin(2 * x[:, 0]) + 0.3 * x.sum(axis=1) + 0.1 * random.normal(size=rows)))
    asked = np.vstack([x, floats(random.normal(size=(20, cols)) * 2)])
    length = 10.0 ** random.uniform(-0.5, 1, size=cols)
    signal, noise = scale**2 * 10.0 ** random.uniform(-1, 1), scale**2 * 10.0 ** random.uniform(-4, 0)
    weight = floats(random.uniform(0.2, 3, size=rows)) if random.randint(2) else None
    own = noise / (weight.astype(F64) if weight is not None else np.ones(rows))
    peer = GaussianProcessRegressor(ConstantKernel(signal, "fixed") * correlation(kernel, length), alpha=own,
                                    optimizer=None).fit(x.astype(F64), y.astype(F64))
    want, deviation = peer.predict(asked.astype(F64), return_std=True)
    why, law, means, deviations = ours(x, y, kernel, [0, signal, 0, noise, 0, *length], 1, asked,
                                       weight=weight)
    what = f"case {case}: {KERNELS[kernel]}, {rows} x {cols}, signal {signal:.3g}, noise {noise:.3g}"
    if why:
        table.add("given", "FAILED", 0, f"{what}: {why}")
        continue
    like = peer.log_marginal_likelihood_value_
    table.add("likelihood", "equal" if abs(law[4] - like) <= 1e-8 * abs(like) else "FAILED",
              abs(law[4] - like) / (1e-8 * abs(like)), f"{what}: {law[4]!r}, not {like!r}")
    # a correlation is within some units of itself and of 1; so is every term
    alpha = np.abs(peer.alpha_)
    terms = peer.kernel_(asked.astype(F64), x.astype(F64)) @ alpha + alpha.sum() * signal
    share = worst(means, want, (cols + 12) * UNIT * terms + UNIT * np.abs(want))
    table.add("mean", "equal" if share <= 1 else "FAILED", share, what)
    # the variance is a difference of numbers of the size of signal
    inverse = np.linalg.inv(peer.kernel_(x.astype(F64)) + np.diag(own))
    weights = np.abs(peer.kernel_(asked.astype(F64), x.astype(F64)) @ inverse).sum(axis=1)
    share = worst(deviations**2, deviation**2, (cols + rows + 12) * UNIT * signal * (1 + weights)**2)
    table.add("variance", "equal" if share <= 1 else "FAILED", share, what)

    if case % 4 != 3 or case >= 40:
        continue
    kernel = case // 4 % 4
    centred = y.astype(F64) - y.astype(F64).mean()
    spread = centred.std()
    peer = GaussianProcessRegressor(
        ConstantKernel(1.0, (1e-4, 1e3)) * correlation(kernel, np.ones(cols), (1e-3, 1e4))
        + WhiteKernel(0.1, (1e-6, 10)),
        alpha=0, n_restarts_optimizer=3, random_state=0).fit(x.astype(F64), centred / spread)
    like = peer.log_marginal_likelihood_value_ - rows * np.log(spread)
    why, law, *_ = ours(x, y, kernel, np.zeros(5 + cols), 0, asked)
    table.add("learned", "equal" if not why and law[4] >= like - 1e-3 else "FAILED",
              max(like - law[4], 0) / 1e-3,
              f"case {case}: {KERNELS[kernel]}, {rows} x {cols}: {why or law[4]!r}, not {like!r}")
table.end()
