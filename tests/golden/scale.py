#!/usr/bin/python3
"""Writes scale.h, the transforms that tests/test_scale.c expects, with scikit-learn (made with 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Every transform is a FunctionTransformer and a scaler, in double, fitted on float values.
Run it in its folder: ./scale.py > scale.h
"""
import textwrap

import numpy as np
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, RobustScaler, StandardScaler

random = np.random.RandomState(5)
ROWS, TESTS = 50, 6
names = ["time", "bytes", "balance", "far", "constant", "positive with gaps", "balance with gaps"]
columns = [
    random.lognormal(0, 1, ROWS + TESTS),
    np.floor(random.lognormal(12, 4, ROWS + TESTS)) + 1,
    random.normal(0, 1000, ROWS + TESTS),
    1e6 + random.normal(0, 30, ROWS + TESTS),
    np.full(ROWS + TESTS, 0.1),
    np.where(random.uniform(size=ROWS + TESTS) < 0.3, np.nan, random.lognormal(-8, 2, ROWS + TESTS)),
    np.where(random.uniform(size=ROWS + TESTS) < 0.3, np.nan, random.randint(-9, 10, ROWS + TESTS)),
]
x = np.array(columns).T.astype(np.float32).astype(float)
train, test = x[:ROWS], x[ROWS:]

functions = [lambda v: v, lambda v: np.sign(v) * np.log1p(abs(v)), np.log]


def numbers(values, form="%.17g"):
    text = ["NAN" if np.isnan(v) else form % v for v in np.ravel(values)]
    return "{" + textwrap.fill(", ".join(text), 106, subsequent_indent="     ") + "}"


def fitted(f, kind, j):
    """shift, width and the test rows of column j, or NaN where the column has no logarithm."""
    if f == 2 and np.nanmin(train[:, j]) <= 0:
        return np.nan, np.nan, np.full(TESTS, np.nan)
    curve = FunctionTransformer(functions[f])
    t = curve.fit_transform(train[:, j:j + 1])
    scaler = [StandardScaler(), MinMaxScaler(), RobustScaler(), None][kind]
    z = curve.transform(test[:, j:j + 1])
    if scaler is None:
        return 0, 1, z[:, 0]
    scaler.fit(t)
    if kind == 1:
        return scaler.data_min_[0], 1 / scaler.scale_[0], scaler.transform(z)[:, 0]
    return (scaler.mean_ if kind == 0 else scaler.center_)[0], scaler.scale_[0], scaler.transform(z)[:, 0]


print("/* scale.h - transforms of scikit-learn; written by scale.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { golden_rows = %d, golden_tests = %d, golden_columns = %d };" % (ROWS, TESTS, len(names)))
quoted = ", ".join('"%s"' % name for name in names)
print("static const char *const golden_names[golden_columns] = {\n    %s};" % quoted)
print("static const float golden_train[golden_rows * golden_columns] =\n    %s;" % numbers(train, "%.9g"))
print("static const float golden_test[golden_tests * golden_columns] =\n    %s;" % numbers(test, "%.9g"))
print("/* by transform and column: shift, width, and what becomes of the test rows */")
print("static const double golden_scaled[12][golden_columns][2 + golden_tests] = {")
for f in range(3):
    for kind in range(4):
        print("    {")
        for j in range(len(names)):
            shift, width, z = fitted(f, kind, j)
            print("    %s," % numbers([shift, width] + list(z)))
        print("    },")
print("};")
