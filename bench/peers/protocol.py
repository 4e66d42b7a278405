"""protocol.py - what the peers in Python share: the words of bench/bench.c, its data and its clock.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT
"""
import os
import sys
import time

import numpy as np

word = dict(w.split("=", 1) for w in reversed(sys.argv[1:]))
clock = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter


def count(name, fallback):
    return int(word.get(name, fallback))


def number(name, fallback):
    return float(word.get(name, fallback))


def load(path, limit, kind=float):
    """Features and target of a file of float32, the first `limit` rows or all, as numbers of that kind."""
    table = np.fromfile(path, np.float32).reshape(-1, count("d", 10) + 1).astype(kind)
    table = table[:limit] if limit else table
    return np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1])


def r2(y, predicted):
    return float(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())


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
