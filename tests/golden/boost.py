#!/usr/bin/python3
"""Writes boost.h: what XGBoost (Debian's python3-xgboost) answers after exact growth, for tests/test_boost.c.

    /usr/bin/python3 tests/golden/boost.py > tests/golden/boost.h
"""
import numpy as np
import xgboost

rng = np.random.default_rng(5)
ROWS, COLS = 160, 4
x = np.round(rng.uniform(0, 10, (ROWS, COLS)), 2).astype(np.float32)
y = (np.sin(x[:, 0]) * 5 + x[:, 1] * 2 + (x[:, 2] > 4) * 3 + rng.normal(0, 0.5, ROWS) + 8).astype(np.float32)
x[rng.uniform(size=x.shape) < 0.08] = np.nan
weight = rng.integers(1, 4, ROWS).astype(np.float32)

CASES = [
    ("squared", "reg:squarederror", {}, False),
    ("regularised", "reg:squarederror", {"lambda": 2.5, "alpha": 4.0, "gamma": 3.0, "min_child_weight": 4}, False),
    ("weighted", "reg:squarederror", {"lambda": 0.5}, True),
    ("poisson", "count:poisson", {"lambda": 1.0, "max_delta_step": 0.7}, False),
    ("gamma", "reg:gamma", {"lambda": 1.0}, False),
    ("logistic", "binary:logistic", {"base_score": 0.3}, False),
    ("bounded", "binary:logistic", {"base_score": 0.5, "lambda": 0.0, "max_delta_step": 4.0}, False),
    ("likely", "binary:logistic", {"base_score": 0.6, "lambda": 2.0, "alpha": 0.5, "gamma": 0.2}, True),
]


def numbers(values):
    words = ["NAN" if np.isnan(v) else repr(float(v)) + "f" for v in np.asarray(values, dtype=np.float32).ravel()]
    return "\n".join("    " + ", ".join(words[i:i + 8]) + "," for i in range(0, len(words), 8))


print("/* boost.h - written by boost.py with XGBoost %s: targets, weights and its answers after 10 rounds of exact growth. */" % xgboost.__version__)
print("enum { BOOST_ROWS = %d, BOOST_COLS = %d };" % (ROWS, COLS))
for name, values in (("boost_x", x), ("boost_y", y), ("boost_weight", weight)):
    print("static const float %s[] = {\n%s\n};" % (name, numbers(values)))
for name, objective, more, weighted in CASES:
    targets = (y > 18).astype(np.float32) if objective == "binary:logistic" else y
    base = 10.0
    settings = {"objective": objective, "tree_method": "exact", "max_depth": 4, "eta": 0.3, "lambda": 1.0, "base_score": base, "min_child_weight": 0, **more}
    data = xgboost.DMatrix(x, targets, weight=weight if weighted else None)
    model = xgboost.train(settings, data, 10)
    print("static const float boost_%s[] = {\n%s\n};" % (name, numbers(model.predict(data))))
