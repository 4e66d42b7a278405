#!/usr/bin/env python3
"""Writes boost_quantile.h: what XGBoost 3 answers with its quantile loss and histograms, and quantiles by
numpy's rule "weibull", for tests/test_boost.c. XGBoost 3 and numpy 1.22 or later.

    python3 tests/golden/boost_quantile.py > tests/golden/boost_quantile.h
"""
import numpy as np
import xgboost

rng = np.random.default_rng(8)
ROWS, COLS = 240, 3
# few values, so that bins are values; steps of 1/4, so that sums of gradients are exact and ties are ties
x = np.stack([rng.permutation(ROWS) // 6, rng.integers(0, 25, ROWS), rng.integers(0, 9, ROWS)], 1).astype(np.float32)
y = np.round(x[:, 0] + 3 * (x[:, 1] > 12) + (1 + x[:, 2]) * rng.exponential(2, ROWS), 3).astype(np.float32)
CASES = [("plain", 0.75, {}), ("gamma", 0.75, {"gamma": 2.0}), ("low", 0.25, {"gamma": 0.5, "min_child_weight": 9}),
         ("leaves", 0.75, {"grow_policy": "lossguide", "max_leaves": 7, "gamma": 1.0})]


def numbers(values, ending="f"):
    words = [repr(float(v)) + ending for v in np.asarray(values).ravel()]
    return "\n".join("    " + ", ".join(words[i:i + 8]) + "," for i in range(0, len(words), 8))


print("/* boost_quantile.h - written by boost_quantile.py with XGBoost %s and numpy %s: a table, its answers\n"
      "   after 12 rounds, and quantiles. */" % (xgboost.__version__, np.__version__))
print("enum { BOOST_QUANTILE_ROWS = %d, BOOST_QUANTILE_COLS = %d };" % (ROWS, COLS))
for name, values in (("x", x), ("y", y)):
    print("static const float boost_quantile_%s[] = {\n%s\n};" % (name, numbers(values)))
for name, q, more in CASES:
    settings = {"objective": "reg:quantileerror", "quantile_alpha": q, "tree_method": "hist", "max_depth": 4,
                "eta": 0.5, "lambda": 1.0, "base_score": 20.0, "min_child_weight": 2, "nthread": 1, **more}
    model = xgboost.train(settings, xgboost.DMatrix(x, y), 12)
    print("static const float boost_quantile_%s[] = {\n%s\n};" % (name, numbers(model.predict(xgboost.DMatrix(x)))))
SHARES = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
COUNTS = [1, 2, 3, 4, 7, 9, 10, 19, 40, 99, 100, 240]
print("static const double boost_quantile_shares[] = {%s};" % ", ".join(map(str, SHARES)))
print("static const uint32_t boost_quantile_counts[] = {%s};" % ", ".join(map(str, COUNTS)))
print("/* of the first `count` targets, for each count and share */")
print("static const double boost_quantile_weibull[] = {\n%s\n};" % numbers(
    [[np.quantile(y[:n].astype(float), q, method="weibull") for q in SHARES] for n in COUNTS], ""))
