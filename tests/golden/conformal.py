#!/usr/bin/python3
"""Writes conformal.h, the intervals that tests/test_conformal.c expects, with MAPIE (made with 1.6.0).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Every model is a least-squares or quantile line of scikit-learn (1.9.1), asked by MAPIE through its public
classes; beside MAPIE's ends stand the predictions that it had, so that the arithmetic alone is compared.
Run it in its folder, with a Python that has mapie: python3 conformal.py > conformal.h
"""
import textwrap
import warnings

import numpy as np
from mapie.regression import ConformalizedQuantileRegressor, CrossConformalRegressor, SplitConformalRegressor
from sklearn.linear_model import LinearRegression, QuantileRegressor
from sklearn.model_selection import KFold, LeaveOneOut

warnings.filterwarnings("ignore")
random = np.random.RandomState(12)
ROWS, TRAIN, TESTS, FOLDS, SINGLES = 103, 40, 7, 5, 31
LEVELS = [0.5, 0.8, 0.9, 0.95]


def drawn(n):
    x = random.uniform(0, 10, (n, 1)).astype(np.float32).astype(float)
    y = 3 + 2 * x[:, 0] + (0.3 + 0.4 * x[:, 0]) * random.standard_gamma(1.5, n)
    return x, y.astype(np.float32).astype(float)


def show(name, values, form="%.17g", kind="double"):
    values = np.asarray(values)
    shape = "".join("[%d]" % n for n in values.shape)
    text = ", ".join(form % v for v in values.ravel())
    if values.ndim > 1:
        width = values.shape[-1]
        flat = [form % v for v in values.ravel()]
        rows = ["{" + ", ".join(flat[i:i + width]) + "}" for i in range(0, len(flat), width)]
        for n in values.shape[-2:0:-1]:
            rows = ["{" + ", ".join(rows[i:i + n]) + "}" for i in range(0, len(rows), n)]
        text = ", ".join(rows)
    print("static const %s %s%s = {\n%s};" % (kind, name, shape, textwrap.fill(
        text, 106, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)))


class Rounded:
    """A model whose predictions are floats, as ours are."""

    def __init__(self, model):
        self.model = model

    def __sklearn_is_fitted__(self):
        return True

    def fit(self, x, y):
        return self

    def predict(self, x):
        return self.model.predict(x).astype(np.float32).astype(float)


class RoundedLine(LinearRegression):
    def predict(self, X):
        return super().predict(X).astype(np.float32).astype(float)


def ends(mapie, x):
    intervals = mapie.predict_interval(x)[1]
    return np.moveaxis(intervals, 2, 0)


x, y = drawn(ROWS)
train_x, train_y = drawn(TRAIN)
test_x, _ = drawn(TESTS)
print("/* conformal.h - intervals of MAPIE 1.6.0; written by conformal.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { golden_rows = %d, golden_tests = %d, golden_folds = %d, golden_singles = %d, golden_levels = %d };"
      % (ROWS, TESTS, FOLDS, SINGLES, len(LEVELS)))
show("golden_level", LEVELS)
show("golden_measured", y)

# split: one line, fitted elsewhere
line = Rounded(LinearRegression().fit(train_x, train_y))
split = SplitConformalRegressor(estimator=line, confidence_level=LEVELS, prefit=True)
split.conformalize(x, y)
show("golden_split_predicted", line.predict(x))
show("golden_split_new", line.predict(test_x))
show("golden_split", ends(split, test_x))  # level, row, low and high

# quantiles: lines of the 5 and the 95 %
for level in (0.8, 0.9):
    lines = [Rounded(QuantileRegressor(quantile=q, alpha=0).fit(train_x, train_y))
             for q in ((1 - level) / 2, 1 - (1 - level) / 2, 0.5)]
    number = "%d" % (100 * level)
    show("golden_quantiles_%s_predicted" % number, [m.predict(x) for m in lines[:2]])
    show("golden_quantiles_%s_new" % number, [m.predict(test_x) for m in lines[:2]])
    both = []
    for symmetric in (True, False):
        mapie = ConformalizedQuantileRegressor(estimator=lines, confidence_level=level, prefit=True)
        mapie.conformalize(x, y)
        both.append(mapie.predict_interval(test_x, symmetric_correction=symmetric)[1][:, :, 0])
    show("golden_quantiles_%s" % number, both)  # symmetric or not, row, low and high

# CV+ and jackknife+, with minmax
for name, rows, folds in (("cross", ROWS, KFold(FOLDS)), ("jackknife", SINGLES, LeaveOneOut())):
    a, b = x[:rows], y[:rows]
    out, fold, new = np.zeros(rows), np.zeros(rows, int), []
    for f, (into, left) in enumerate(folds.split(a)):
        model = RoundedLine().fit(a[into], b[into])
        out[left], fold[left] = model.predict(a[left]), f
        new.append(model.predict(test_x))
    show("golden_%s_predicted" % name, out)
    show("golden_%s_fold" % name, fold, "%d", "unsigned")
    show("golden_%s_new" % name, np.array(new).T)
    for method in ("plus", "minmax"):
        mapie = CrossConformalRegressor(RoundedLine(), confidence_level=LEVELS, method=method, cv=folds)
        mapie.fit_conformalize(a, b)
        show("golden_%s_%s" % (name, method), ends(mapie, test_x))
