#!/usr/bin/env python3
"""probability_peer.py - scikit-learn's isotonic regression and sigmoid in the words of task=probability.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/probability_peer.py task=probability method=isotonic n=100000

IsotonicRegression(out_of_bounds="clip"); or CalibratedClassifierCV(method="sigmoid") around a frozen
classifier whose decision function is the score, which is Platt's.
"""
import json
import sys

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression

from protocol import clock, count, seconds, word

if word.get("task") != "probability" or word.get("method", "sigmoid") not in ("sigmoid", "isotonic"):
    sys.exit(64)


class Score(ClassifierMixin, BaseEstimator):
    """A classifier that is fitted and whose decision function is its only feature."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]

    def predict(self, X):
        return (self.decision_function(X) > 0).astype(int)


def frozen():
    ready = Score().fit(None, None)
    try:
        from sklearn.frozen import FrozenEstimator
    except ImportError:
        return CalibratedClassifierCV(ready, method="sigmoid", cv="prefit")
    return CalibratedClassifierCV(FrozenEstimator(ready), method="sigmoid", cv=2, ensemble=False)


n, draw = count("n", 100000), np.random.RandomState(1)
odds = 3 * draw.normal(size=n)
actual = (draw.uniform(size=n) < expit(0.5 * odds)).astype(int)
isotonic = word.get("method", "sigmoid") == "isotonic"
times = []
for _ in range(count("reps", 5)):
    start = clock()
    if isotonic:
        model = IsotonicRegression(out_of_bounds="clip").fit(odds, actual)
    else:
        model = frozen().fit(odds[:, None], actual)
    times.append(clock() - start)


def ask(scores):
    return model.predict(scores) if isotonic else model.predict_proba(scores[:, None])[:, 1]


p = ask(odds)
p = np.clip(p, 1e-15, 1 - 1e-15)
loss = -(actual * np.log(p) + (1 - actual) * np.log(1 - p)).mean()
print(json.dumps({"lib": "scikit-learn", "task": "probability", "train_s": float(np.median(times)),
                  "single_ns": 1e9 * seconds(lambda: ask(odds[:1])),
                  "batch_rows_s": n / seconds(lambda: ask(odds)), "note": f"log loss {loss:.4f}"}))
