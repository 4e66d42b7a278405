#!/usr/bin/env python3
"""mlp_peer.py - scikit-learn's MLPRegressor in the words of bench/bench.c: task=nn.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/mlp_peer.py task=nn data=FILE test=FILE d=10 epochs=20 batch_size=32 predict=1

float32 like ours; OPENBLAS_NUM_THREADS says how many threads. Adam, ReLU, no early end, no penalty.
"""
import json
import sys
import warnings

import numpy as np
from sklearn.neural_network import MLPRegressor

from protocol import clock, count, load, number, r2, seconds, word

warnings.filterwarnings("ignore")


if word.get("task") != "nn":
    sys.exit(64)
x, y = load(word["data"], count("n", 0), np.float32)
test_x, test_y = load(word.get("test", word["data"]), 0, np.float32)
hidden = tuple(h for h in (count("h1", 64), count("h2", 64), count("h3", 128), count("h4", 0)) if h)
times = []
while not times or (len(times) < count("reps", 5) and sum(times) < number("budget", 0.3)):
    model = MLPRegressor(hidden_layer_sizes=hidden, batch_size=min(count("batch_size", 32), len(x)),
                         alpha=0, tol=0, max_iter=count("epochs", 20), n_iter_no_change=10 ** 6,
                         random_state=len(times))
    start = clock()
    model.fit(x, y)
    times.append(clock() - start)
p = model.predict(test_x)
out = {"peer": "scikit-learn",
       "train_s": float(np.median(times)), "train_s_min": min(times), "train_s_max": max(times),
       "reps": len(times), "r2": r2(test_y, p),
       "model_bytes": 4 * sum(w.size for w in model.coefs_ + model.intercepts_)}
if count("predict", 0):
    rows = test_x[:200]
    one_by_one = seconds(lambda: [model.predict(rows[i:i + 1]) for i in range(len(rows))])
    out["single_ns"] = 1e9 * one_by_one / len(rows)
    out["batch_rows_s"] = len(test_x) / seconds(lambda: model.predict(test_x))
print(json.dumps(out))
