#!/usr/bin/python3
"""Writes categories.h: what XGBoost and LightGBM (from PyPI) answer with native categorical splits, for
tests/test_categories.c.

    python3 tests/golden/categories.py > tests/golden/categories.h

The errors on a log of jobs need ../shared/data/queues/KTH-SP2.swf.
"""
import lightgbm
import numpy as np
import pandas
import xgboost

rng = np.random.default_rng(7)
ROWS, LEVELS = 300, (12, 3)
level = np.stack([rng.integers(0, k, ROWS) for k in LEVELS], axis=1)
number = np.round(rng.uniform(0, 10, ROWS), 1)
effect = rng.normal(0, 3, LEVELS[0])
y = (effect[level[:, 0]] + 2 * (level[:, 1] == 1) * (number > 4) + 0.3 * number + rng.normal(0, 0.3, ROWS)).astype(np.float32)
x = np.column_stack([level[:, 0], number, level[:, 1]]).astype(np.float32)
missing = rng.uniform(size=ROWS) < 0.1
holes = x.copy()
holes[missing, 0] = np.nan


def frame(values):
    columns = {}
    for j in range(3):
        column = values[:, j]
        if j == 1:
            columns[str(j)] = column
        else:
            codes = np.where(np.isnan(column), -1, column).astype(int)
            columns[str(j)] = pandas.Categorical.from_codes(codes, categories=range(LEVELS[j // 2]))
    return pandas.DataFrame(columns)


def numbers(values):
    words = ["NAN" if np.isnan(v) else repr(float(v)) + "f" for v in np.asarray(values, dtype=np.float32).ravel()]
    return "\n".join("    " + ", ".join(words[i:i + 8]) + "," for i in range(0, len(words), 8))


def by_xgboost(values, **more):
    data = xgboost.DMatrix(frame(values), y, enable_categorical=True)
    settings = {"tree_method": "hist", "max_depth": 4, "eta": 0.3, "lambda": 2.0, "base_score": 1.0,
                "min_child_weight": 0, "max_cat_to_onehot": 1, "max_bin": 256, **more}
    return xgboost.train(settings, data, 10).predict(data)


def by_lightgbm(values, **more):
    settings = {"num_leaves": 9, "learning_rate": 0.3, "lambda_l2": 0.5, "min_data_in_leaf": 1,
                "min_sum_hessian_in_leaf": 0, "min_data_in_bin": 1, "max_bin": 255, "max_cat_to_onehot": 1,
                "max_cat_threshold": 256, "min_data_per_group": 1, "cat_smooth": 1.0, "cat_l2": 0.0,
                "verbose": -1, "deterministic": True, "num_threads": 1, **more}
    data = lightgbm.Dataset(frame(values), y, free_raw_data=False)
    return lightgbm.train(settings, data, 10).predict(frame(values))


def queue():
    """Jobs in the order of their submission: hour, weekday, processors, requested seconds, user; log seconds."""
    rows, seconds = [], []
    for line in open("../shared/data/queues/KTH-SP2.swf", errors="replace"):
        f = [float(v) for v in line.split()] if line.strip() and not line.startswith(";") else [0] * 4
        if f[3] <= 0:
            continue
        rows.append((f[1] % 86400 / 3600, f[1] // 86400 % 7, f[7] if f[7] > 0 else f[4], f[8], f[11]))
        seconds.append(f[3])
    return np.array(rows, dtype=np.float32), np.log(seconds).astype(np.float32)


def error_of(values, targets, categories):
    """Trained on the first 70 % of the jobs: root mean square error, mean absolute error on the others."""
    train = len(targets) * 7 // 10
    data = lightgbm.Dataset(values[:train], targets[:train], categorical_feature=categories)
    settings = {"num_leaves": 31, "learning_rate": 0.1, "min_data_in_leaf": 20, "num_threads": 1, "verbose": -1}
    error = lightgbm.train(settings, data, 100).predict(values[train:]) - targets[train:]
    return np.sqrt(np.mean(error ** 2)), np.mean(abs(error))


jobs, logarithm = queue()
users = np.unique(jobs[:, 4])
single = np.column_stack([jobs[:, :4]] + [jobs[:, 4] == u for u in users]).astype(np.float32)
print("/* categories.h - written by categories.py with XGBoost %s and LightGBM %s: features (a category, a number, "
      "a category),\n   targets, and answers after 10 rounds. */" % (xgboost.__version__, lightgbm.__version__))
print("enum { CATEGORIES_ROWS = %d };" % ROWS)
print("/* LightGBM's errors on the jobs of KTH-SP2 with users as categories, and as 0 and 1. */")
print("static const double queue_native[2] = {%.5f, %.5f}, queue_single[2] = {%.5f, %.5f};"
      % (*error_of(jobs, logarithm, [4]), *error_of(single, logarithm, [])))
for name, values in (
        ("x", x), ("holes", holes), ("y", y), ("xgboost", by_xgboost(x)), ("xgboost_missing", by_xgboost(holes)),
        ("xgboost_single", by_xgboost(x, max_cat_to_onehot=20)),
        ("lightgbm", by_lightgbm(x)), ("lightgbm_single", by_lightgbm(x, max_cat_to_onehot=20)),
        ("lightgbm_few", by_lightgbm(x, max_cat_threshold=2))):
    print("static const float categories_%s[] = {\n%s\n};" % (name, numbers(values)))
