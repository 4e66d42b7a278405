#!/usr/bin/env python3
"""conformal_peer.py - MAPIE's split conformal intervals in the words of bench/bench.c: task=conformal.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/conformal_peer.py task=conformal n=100000

The model answers at once with what it is given, so that calibrating alone is timed.
"""
import json
import sys

import numpy as np
from mapie.regression import SplitConformalRegressor
from sklearn.base import BaseEstimator, RegressorMixin

from protocol import clock, count, word


class Given(RegressorMixin, BaseEstimator):
    fitted_ = True

    def fit(self, x, y):
        return self

    def predict(self, x):
        return x[:, 0]


if word.get("task") != "conformal":
    sys.exit(64)
n = count("n", 100000)
random = np.random.RandomState(1)
x = 50 + 100 * random.uniform(size=(n, 1))
y = x[:, 0] * np.exp(0.1 * random.normal(size=n))
trained = []
for _ in range(count("reps", 5)):
    mapie = SplitConformalRegressor(Given(), confidence_level=0.9, prefit=True)
    start = clock()
    mapie.conformalize(x, y)
    trained.append(clock() - start)


def seconds(rows):
    times = []
    for _ in range(6):
        start, calls = clock(), 0
        while clock() - start < 0.1:
            mapie.predict_interval(rows)
            calls += 1
        times.append((clock() - start) / calls)
    return float(np.median(times[1:]))


print(json.dumps({"lib": "MAPIE", "task": "conformal", "train_s": float(np.median(trained)),
                  "single_ns": 1e9 * seconds(x[:1]), "batch_rows_s": n / seconds(x)}))
