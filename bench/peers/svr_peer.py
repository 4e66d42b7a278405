#!/usr/bin/env python3
"""svr_peer.py - scikit-learn's SVR in the words of bench/bench.c: task=svr.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/svr_peer.py task=svr data=FILE test=FILE d=10 C=10 gamma=0.5 epsilon=0.5 predict=1

In double, as it works; the features are converted before the clock starts.
"""
import json
import os
import sys
import time

import numpy as np
from sklearn.svm import SVR

word = dict(w.split("=", 1) for w in reversed(sys.argv[1:]))
clock = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter


def count(name, fallback):
    return int(word.get(name, fallback))


def number(name, fallback):
    return float(word.get(name, fallback))


def load(path, limit):
    table = np.fromfile(path, np.float32).reshape(-1, count("d", 10) + 1).astype(float)
    table = table[:limit] if limit else table
    return np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1])


def seconds(work):
    """Median of five after one that warms up, each of at least 0.1 s."""
    times = []
    for _ in range(6):
        start, calls = clock(), 0
        while clock() - start < 0.1:
            work()
            calls += 1
        times.append((clock() - start) / calls)
    return float(np.median(times[1:]))


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
       "reps": len(times), "r2": float(1 - ((test_y - p) ** 2).sum() / ((test_y - test_y.mean()) ** 2).sum()),
       "model_bytes": 8 * (model.support_vectors_.size + model.dual_coef_.size),
       "note": "%d vectors, objective %.10g" % (len(model.support_), objective(model, y))}
if count("predict", 0):
    rows = test_x[:200]
    one_by_one = seconds(lambda: [model.predict(rows[i:i + 1]) for i in range(len(rows))])
    out["single_ns"] = 1e9 * one_by_one / len(rows)
    out["batch_rows_s"] = len(test_x) / seconds(lambda: model.predict(test_x))
print(json.dumps(out))
