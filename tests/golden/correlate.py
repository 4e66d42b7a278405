#!/usr/bin/python3
"""Writes correlate.h, the correlations that tests/test_correlate.c expects, with SciPy (made with 1.10.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder: ./correlate.py > correlate.h
"""
import textwrap
import warnings

import numpy as np
from scipy import stats

warnings.filterwarnings("ignore")
random = np.random.RandomState(7)


def numbers(values, form="%.17g"):
    text = ["NAN" if np.isnan(v) else form % v for v in np.ravel(values)]
    return "{" + textwrap.fill(", ".join(text), 104, subsequent_indent="     ") + "}"


def single(values):
    return np.asarray(values, np.float32).astype(float)


def correlations(x, y):
    return [v for f in (stats.pearsonr, stats.spearmanr, stats.kendalltau) for v in f(x, y)]


pairs = []


def pair(name, x, y):
    x, y = single(x), single(y)
    pairs.append((name, x, y, correlations(x, y)))


for n in (3, 4, 7, 20, 33, 34, 60):
    x = random.normal(size=n)
    pair("%d rows" % n, x, 0.6 * x + random.normal(size=n))
for n in (3, 5, 12, 50):
    x = random.randint(0, 4, n)
    x[:2] = 0, 1
    y = x // 2 + random.randint(0, 3, n)
    y[:2] = 2, 1
    pair("%d rows with ties" % n, x, y)
pair("ties in x only", random.randint(0, 3, 25), random.normal(size=25))
pair("falling", np.arange(10), -np.arange(10) ** 3)
pair("rising but one", np.arange(40), np.r_[1, 0, 2:40])
pair("rising, many", np.arange(200), np.exp(np.arange(200) / 20))
pair("nearly a line", np.arange(30), np.arange(30) + 1e-3 * random.normal(size=30))
pair("far from 0", 1e6 + random.normal(0, 30, 30), random.lognormal(20, 5, 30))
pair("both zeros", [0.0, -0.0, 1, 2, -1, -0.0, 3], [1, 2, 3, 4, 0, 2, 2])
pair("not at all", random.normal(size=31), random.normal(size=31))

ROWS, COLS = 40, 6
x = random.normal(size=(ROWS, COLS))
x[:, 1] = x[:, 0] + 0.1 * x[:, 1]
x[:, 2] = random.randint(0, 5, ROWS)
x[:, 3] = np.floor(2 * x[:, 0] + x[:, 3])
x[:, 4] = np.exp(2 * x[:, 4])
x[random.uniform(size=ROWS) < 0.3, 4] = np.nan
x[:, 5] = 7
x = single(x)
matrices = np.full((6, COLS, COLS), np.nan)
for i in range(COLS):
    for j in range(COLS):
        there = ~np.isnan(x[:, i]) & ~np.isnan(x[:, j])
        if 5 not in (i, j):
            matrices[:, i, j] = correlations(x[there, i], x[there, j])

print("/* correlate.h - correlations of SciPy; written by correlate.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { golden_rows = %d, golden_cols = %d };" % (ROWS, COLS))
for k, (name, a, b, _) in enumerate(pairs):
    print("static const float golden_pair_%d[2][%d] = {\n    %s,\n    %s};"
          % (k, len(a), numbers(a, "%.9g"), numbers(b, "%.9g")))
print("/* r and p of Pearson, Spearman, Kendall */")
print("static const struct {\n    const char *name;\n    unsigned rows;\n    const float *x, *y;\n"
      "    double expected[6];\n} golden_pair[] = {")
for k, (name, a, _, expected) in enumerate(pairs):
    print('    {"%s", %d, golden_pair_%d[0], golden_pair_%d[1],\n     %s},'
          % (name, len(a), k, k, numbers(expected)))
print("};")
print("static const float golden_x[golden_rows * golden_cols] =\n    %s;" % numbers(x, "%.9g"))
print("/* r and p of Pearson, Spearman, Kendall, of the rows that have both values */")
print("static const double golden_matrix[6][golden_cols * golden_cols] = {")
for m in matrices:
    print("    %s," % numbers(m))
print("};")
