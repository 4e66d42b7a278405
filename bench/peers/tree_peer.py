#!/usr/bin/python3
"""tree_peer.py - scikit-learn's regression tree by the protocol of bench/harness.h.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    task=dt data=FILE test=FILE d=10 n=0 depth=0 leaves=0 criterion=squared predict=1 reps=5 budget=0.3

Takes the same key=value words as build/bench and prints the same line of JSON.
"""
import json
import os
import pickle
import resource
import sys
import time

import numpy as np
from sklearn.tree import DecisionTreeRegressor

WORDS = {}
for word in sys.argv[1:]:
    key, _, value = word.partition("=")
    WORDS.setdefault(key, value)
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
CRITERIA = {"squared": "squared_error", "absolute": "absolute_error", "friedman": "friedman_mse",
            "poisson": "poisson"}


def number(key, fallback):
    return type(fallback)(WORDS.get(key, fallback))


def peak_kb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def load(path, d, limit):
    rows = np.fromfile(path, "<f4").reshape(-1, d + 1)
    if limit:
        rows = rows[:limit]
    return np.ascontiguousarray(rows[:, :d]), rows[:, d].astype(np.float64)


def seconds(call):
    """Median seconds of a call: seven windows of at least 0.1 s after one that warms up."""
    found = []
    for window in range(8):
        calls, start = 0, CLOCK()
        while True:
            call()
            calls += 1
            now = CLOCK()
            if now - start >= 0.1:
                break
        if window:
            found.append((now - start) / calls)
    return float(np.median(found))


def main():
    if WORDS.get("task") != "dt":
        sys.exit(64)
    d = number("d", 10)
    x, y = load(WORDS["data"], d, number("n", 0))
    test_x, test_y = load(WORDS.get("test", WORDS["data"]), d, 0)
    result = {"entrant": "scikit-learn", "rss_load_kb": peak_kb()}
    times = []
    while not times or (len(times) < number("reps", 5) and sum(times) < number("budget", 0.3)):
        tree = DecisionTreeRegressor(criterion=CRITERIA[WORDS.get("criterion", "squared")],
                                     max_depth=number("depth", 0) or None,
                                     max_leaf_nodes=number("leaves", 0) or None, random_state=1)
        start = CLOCK()
        tree.fit(x, y)
        times.append(CLOCK() - start)
        result.setdefault("rss_train_kb", peak_kb())
    error = test_y - tree.predict(test_x)
    result.update(train_s=float(np.median(times)), train_first_s=times[0], reps=len(times),
                  r2=1 - float(error @ error / np.sum((test_y - test_y.mean()) ** 2)),
                  model_bytes=len(pickle.dumps(tree)))
    if number("predict", 0):
        one = [test_x[i:i + 1] for i in range(min(1000, len(test_x)))]
        result["single_ns"] = 1e9 / len(one) * seconds(lambda: [tree.predict(row) for row in one])
        result["batch_rows_s"] = len(test_x) / seconds(lambda: tree.predict(test_x))
    print(json.dumps(result))


main()
