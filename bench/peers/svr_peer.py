#!/usr/bin/env python3
"""svr_peer.py - scikit-learn's SVR in the words of bench/bench.c: task=svr.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/svr_peer.py task=svr data=FILE test=FILE d=10 C=10 gamma=0.5 epsilon=0.5 predict=1

In double, as it works; the features are converted before the clock starts.
"""
import json
import sys

import numpy as np
from sklearn.svm import SVR

from protocol import clock, count, load, number, r2, seconds, word


def objective(model, y):
    """The dual's, as sooth and LIBSVM state it."""
    v, beta = model.support_vectors_, model.dual_coef_[0]
    square = (v * v).sum(1)
    far = np.maximum(square[:, None] + square[None, :] - 2 * v @ v.T, 0)
    return float(beta @ np.exp(-model.gamma * far) @ beta / 2 - beta @ y[model.support_]
                 + model.epsilon * np.abs(beta).sum())


if word.get("task") != "svr":
    sys.exit(64)
x, y = load(word["data"], count("n", 0))
test_x, test_y = load(word.get("test", word["data"]), 0)
times = []
while not times or (len(times) < count("reps", 5) and sum(times) < number("budget", 0.3)):
    model = SVR(C=number("C", 10), gamma=number("gamma", 0.5), epsilon=number("epsilon", 0.5),
                tol=number("tolerance", 1e-3), cache_size=number("cache", 200))
    start = clock()
    model.fit(x, y)
    times.append(clock() - start)
p = model.predict(test_x)
out = {"peer": "scikit-learn",
       "train_s": float(np.median(times)), "train_s_min": min(times), "train_s_max": max(times),
       "reps": len(times), "r2": r2(test_y, p),
       "model_bytes": 8 * (model.support_vectors_.size + model.dual_coef_.size),
       "note": "%d vectors, objective %.10g" % (len(model.support_), objective(model, y))}
if count("predict", 0):
    rows = test_x[:200]
    one_by_one = seconds(lambda: [model.predict(rows[i:i + 1]) for i in range(len(rows))])
    out["single_ns"] = 1e9 * one_by_one / len(rows)
    out["batch_rows_s"] = len(test_x) / seconds(lambda: model.predict(test_x))
print(json.dumps(out))
