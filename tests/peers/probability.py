"""probability.py - two classes: boosting for the log loss beside XGBoost's, on measurements.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Will a run miss its deadline? Of examples/scale/data: PARSEC programs by threads, frequency, voltage, watts,
late where the throughput is below 0.4 of the program's best; kernels of a GPU by its two clocks, late where
the time is above 1.5 times the kernel's best. First the same rows, options and rounds: the probabilities
must be XGBoost's within 1e-4 (histograms with a bin for every value; XGBoost's exact growth). Then each
program is left out in turn, both start with the mean of the training rows and try every value: the mean log
loss of ours must not be above XGBoost's by more than 0.001, and below that of always predicting that mean.
With histograms thresholds fall elsewhere between the same rows; what that does is printed.
"""
import csv
import os

import numpy as np

from common import F32, Table, call, floats

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "scale", "data")
table = Table("probability", "worst")


def read(name, group, columns, size, late):
    with open(os.path.join(DATA, name)) as file:
        rows = [r for r in csv.DictReader(file) if all(r[c] for c in columns + [size])]
    groups = np.array([r[group] for r in rows])
    x = floats([[float(r[c]) for c in columns] for r in rows])
    v = np.array([float(r[size]) for r in rows])
    y = np.array([late(v[i], v[groups == groups[i]]) for i in range(len(rows))])
    return x, floats(y), groups


def ours(x, y, asked, options):
    out = np.zeros(len(asked), F32)
    why = call("answers_trees", b"boost", ("loss=logistic " + options).encode(), floats(x), floats(y), len(x),
               x.shape[1], floats(asked), len(asked), out)
    assert why is None, why
    return out.astype(float)


def theirs(x, y, asked, **params):
    import xgboost

    rounds = params.pop("rounds")
    booster = xgboost.train(dict(objective="binary:logistic", nthread=1, verbosity=0, **params),
                            xgboost.DMatrix(x, y), rounds)
    return booster.predict(xgboost.DMatrix(asked)).astype(float)


def log_loss(y, p):
    p = np.clip(p, 2.0**-52, 1 - 2.0**-52)
    return -np.mean(np.where(y > 0.5, np.log(p), np.log(1 - p)))


for name, data in {
    "parsec": read("parsec.csv", "app", ["threads", "freq_mhz", "voltage", "power_w"], "throughput",
                   lambda v, all_of_it: v < 0.4 * all_of_it.max()),
    "clocks": read("titanx.csv", "program", ["mem_mhz", "core_mhz", "power_w"], "time_ms",
                   lambda v, all_of_it: v > 1.5 * all_of_it.min()),
}.items():
    x, y, groups = data
    few = floats(np.unique(np.hstack([x, y[:, None]]), axis=0))[:: max(1, len(y) // 250)][:250]
    for depth, rate, more in ((3, 0.3, 1.0), (4, 0.1, 0.5), (6, 0.3, 1.0)):
        ask = (f"max_depth={depth} learning_rate={rate} lambda={more} n_estimators=20 max_delta_step=1e9 "
               "subsample=1 min_child_weight=0")
        a = ours(few[:, :-1], few[:, -1], few[:, :-1], ask + " base_score=0.5")
        b = theirs(few[:, :-1], few[:, -1], few[:, :-1], max_depth=depth, eta=rate, reg_lambda=more,
                   rounds=20, tree_method="exact", base_score=0.5, min_child_weight=0)
        off = np.abs(a - b).max()
        table.add(f"{name}, the same trees", "equal" if off <= 1e-4 else "FAILED", off, f"depth {depth}")
    losses = []
    for g in sorted(set(groups)):
        out = groups == g
        rate = y[~out].mean()
        line = [log_loss(y[out], np.full(out.sum(), rate))]
        for method in "exact", "histogram":
            a = ours(x[~out], y[~out], x[out],
                     f"n_estimators=100 learning_rate=0.1 subsample=1 max_depth=4 lambda=1 "
                     f"min_child_weight=1 method={method}")
            b = theirs(x[~out], y[~out], x[out], max_depth=4, eta=0.1, reg_lambda=1, min_child_weight=1,
                       rounds=100, tree_method=method[:5].replace("histo", "hist"), base_score=float(rate))
            line += [log_loss(y[out], a), log_loss(y[out], b)]
        losses.append(line)
    rate, a, b, a_binned, b_binned = np.mean(losses, axis=0)
    print(f"  {name}, programs left out: log loss {a:.4f}, XGBoost {b:.4f}, of the mean {rate:.4f}; with "
          f"histograms {a_binned:.4f}, XGBoost {b_binned:.4f}")
    table.add(f"{name}, programs left out", "equal" if a <= b + 0.001 and a < rate else "FAILED",
              max(0.0, a - b), f"log loss {a}, XGBoost {b}, the mean {rate}")
table.end()
