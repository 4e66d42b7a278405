#!/usr/bin/python3
"""Writes split.h, the folds that tests/test_split.c expects, with scikit-learn (made with 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

LeaveOneGroupOut and TimeSeriesSplit are defined alike; GroupKFold where no two groups are of one size
(scikit-learn deals those in an order of its own). Of the random splits, the sizes of the test sets.
Run it in its folder: ./split.py > split.h
"""
import textwrap

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, ShuffleSplit, TimeSeriesSplit

random = np.random.RandomState(7)


def numbers(values):
    text = "{" + ", ".join(str(int(v)) for v in values) + "}"
    return textwrap.fill(text, 110, subsequent_indent="     ")


def fold_of(splitter, groups):
    """The fold that each row is tested in; the training rows must be all others."""
    fold = np.full(len(groups), -1)
    for f, (train, test) in enumerate(splitter.split(groups, groups, groups)):
        fold[test] = f
        assert sorted(set(train) | set(test)) == list(range(len(groups))) and not set(train) & set(test)
    return fold


print("/* split.h - folds of scikit-learn; written by split.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { golden_rows = 45, golden_group_folds = 3 };")
groups = np.repeat([40, 3, 17, 1000000007, 0, 8, 12, 21, 5], range(1, 10))
random.shuffle(groups)
print("static const uint32_t golden_group[golden_rows] =\n    %s;" % numbers(groups))
for name, splitter in ("one_out", LeaveOneGroupOut()), ("group_fold", GroupKFold(3)):
    folds = numbers(fold_of(splitter, groups))
    print("static const uint32_t golden_%s[golden_rows] =\n    %s;" % (name, folds))

print("/* rows, folds, and for each fold how many rows train and how many test after them */")
print("static const size_t golden_time[][10] = {")
for rows, folds in ((6, 2), (7, 3), (10, 4), (23, 4), (5, 4)):
    sizes = []
    for train, test in TimeSeriesSplit(folds).split(np.zeros(rows)):
        assert list(train) == list(range(len(train))) and test[0] == len(train)
        sizes += [len(train), len(test)]
    print("    %s," % numbers([rows, folds] + sizes))
print("};")
print("/* rows, folds, and how many rows each fold tests */")
print("static const size_t golden_kfold[][9] = {")
for rows, folds in ((10, 5), (11, 3), (7, 7), (23, 4), (2, 2)):
    print("    %s," % numbers([rows, folds] + [len(test) for _, test in KFold(folds).split(np.zeros(rows))]))
print("};")
print("/* rows, and how many a hold-out of 20 % and one of 33 % tests */")
print("static const size_t golden_holdout[][3] = {")
for rows in (2, 3, 10, 11, 81, 99, 100, 120, 330, 792):
    sizes = [len(next(ShuffleSplit(1, test_size=share).split(np.zeros(rows)))[1]) for share in (0.2, 0.33)]
    print("    %s," % numbers([rows] + sizes))
print("};")
