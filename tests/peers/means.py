"""means.py - random forests whose sums are beyond 1e30, against exact fractions.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Imported forests whose leaves are written here, and forests that sooth grew, of targets up to the greatest
float. The answer must be the exact mean rounded to float; where the mean lies within 2^-40 of the middle
between two floats, either is right. Sums that a float cannot hold must be refused with a sentence.
"""
import json
from fractions import Fraction

import numpy as np

from common import F32, F64, Table, call, floats, random_of

table = Table("means", "-")


def rounded(fraction):
    """The floats that a mean may become: one, or both beside the middle. float() rounds fractions once."""
    slack = abs(fraction) / 2**40
    return [F32(float(fraction + step)) for step in (-slack, 0, slack)]


def compare(row, what, answers, leaves):
    """leaves[rows x trees]: what each tree says."""
    for i, values in enumerate(leaves):
        mean = sum(map(Fraction, map(float, values))) / len(values)
        if answers[i] not in rounded(mean):
            return table.add(row, "FAILED", i, f"{what}: {answers[i]!r}, not {float(mean)!r}; row")
    return table.add(row, "equal")


def size(random):
    return 10.0 ** random.uniform(29, 38.5)


def draws(random, count, most):
    """Numbers up to `most`: of any sign, all of one, or with a few that are far greater than the others."""
    kind = random.randint(4)
    v = random.uniform(-1, 1, size=count) if kind else random.uniform(0.5, 1, size=count)
    if kind == 1:
        v *= 10.0 ** random.uniform(-20, 0, size=count)
    if kind == 2:
        v = np.sign(v) * (1 - 2.0**-24 * random.randint(3, size=count))
    return floats(v * min(most, 3.4028e38))


def imported():
    for case in range(200):
        random = random_of(20, case)
        trees, depth, most = random.randint(1, 120), random.randint(0, 4), size(random)
        x, leaves, model = floats(random.normal(size=(50, 3))), np.zeros((50, trees)), []
        for k in range(trees):
            inner = 2**depth - 1
            feature, threshold = random.randint(3, size=inner), random.normal(size=inner)
            value = draws(random, 2**depth, most).astype(F64)
            if random.randint(2):
                value *= 1 + 2.0**-30 * random.uniform(-1, 1, size=2**depth)
            value = np.clip(value, -3.4028e38, 3.4028e38)
            model.append(dict(left=[2 * i + 1 for i in range(inner)] + [-1] * 2**depth,
                              right=[2 * i + 2 for i in range(inner)] + [-1] * 2**depth,
                              feature=feature.tolist() + [-1] * 2**depth,
                              threshold=threshold.tolist() + [0] * 2**depth,
                              value=[0] * inner + value.tolist()))
            for i in range(50):
                at = 0
                while at < inner:
                    at = 2 * at + 1 + (float(x[i, feature[at]]) > threshold[at])
                leaves[i, k] = value[at - inner]
        file = json.dumps(dict(sklearn="1.0", features=3, targets=1, mean=True, trees=model)).encode()
        answers, sums = np.zeros((2, 50), F32)
        why = call("answers_import", file, len(file), x, 50, 3, 1, answers, sums, np.zeros(1, np.uintp))
        what = f"case {case}, {trees} trees, numbers up to {most:.3g}"
        if why:
            possible = np.abs(leaves).max() * trees < 3e38
            table.add("imported", "FAILED" if possible else "refused", 0, f"{what}: {why}")
        else:
            compare("imported", what, answers, leaves)


def grown():
    for case in range(150):
        random = random_of(21, case)
        rows, cols, trees = random.randint(2, 80), random.randint(1, 4), random.randint(1, 60)
        x, most = floats(random.normal(size=(rows, cols))), size(random)
        y = draws(random, rows, most)
        answers, leaves = np.zeros(rows, F32), np.zeros((rows, trees))
        why = call("answers_forest", x, y, rows, cols, trees, random.randint(0, 8), case, answers, leaves)
        what = f"case {case}, {rows} rows, {trees} trees, targets up to {most:.3g}"
        if why:
            possible = np.abs(y.astype(F64)).max() * trees < 3e38
            table.add("grown", "FAILED" if possible else "refused", 0, f"{what}: {why}")
        else:
            compare("grown", what, answers, leaves)


imported()
grown()
table.end()
