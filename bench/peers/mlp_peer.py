#!/usr/bin/env python3
"""mlp_peer.py - scikit-learn's MLPRegressor in the words of bench/bench.c: task=nn.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/mlp_peer.py task=nn data=FILE test=FILE d=10 epochs=20 batch_size=32 predict=1

float32 like ours; OPENBLAS_NUM_THREADS says how many threads. Adam, ReLU, no early end, no penalty.
"""
import json
import os
import sys
import time
import warnings

import numpy as np
from sklearn.neural_network import MLPRegressor

warnings.filterwarnings("ignore")
word = dict(w.split("=", 1) for w in reversed(sys.argv[1:]))
clock = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter


def count(name, fallback):
    return int(word.get(name, fallback))


def load(path, limit):
    table = np.fromfile(path, np.float32).reshape(-1, count("d", 10) + 1)
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


if word.get("task") != "nn":
    sys.exit(64)
x, y = load(word["data"], count("n", 0))
test_x, test_y = load(word.get("test", word["data"]), 0)
hidden = tuple(h for h in (count("h1", 64), count("h2", 64), count("h3", 128), count("h4", 0)) if h)
times = []
while not times or (len(times) < count("reps", 5) and sum(times) < float(word.get("budget", 0.3))):
    model = MLPRegressor(hidden_layer_sizes=hidden, batch_size=min(count("batch_size", 32), len(x)),
                         alpha=0, tol=0, max_iter=count("epochs", 20), n_iter_no_change=10 ** 6,
                         random_state=len(times))
    start = clock()
    model.fit(x, y)
    times.append(clock() - start)
p = model.predict(test_x)
out = {"peer": "scikit-learn",
       "train_s": float(np.median(times)), "train_s_min": min(times), "train_s_max": max(times),
       "reps": len(times), "r2": float(1 - ((test_y - p) ** 2).sum() / ((test_y - test_y.mean()) ** 2).sum()),
       "model_bytes": 4 * sum(w.size for w in model.coefs_ + model.intercepts_)}
if count("predict", 0):
    rows = test_x[:200]
    one_by_one = seconds(lambda: [model.predict(rows[i:i + 1]) for i in range(len(rows))])
    out["single_ns"] = 1e9 * one_by_one / len(rows)
    out["batch_rows_s"] = len(test_x) / seconds(lambda: model.predict(test_x))
print(json.dumps(out))
