#!/usr/bin/python3
"""Writes history.h: the losses that XGBoost and scikit-learn report after every step, for tests/test_history.c.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    /usr/bin/python3 tests/golden/history.py > tests/golden/history.h
"""
import warnings

import numpy as np
import sklearn
import xgboost
from sklearn.neural_network import MLPRegressor

warnings.simplefilter("ignore")
rng = np.random.default_rng(11)
ROWS, HELD, COLS, STEPS = 60, 20, 3, 12
x = rng.uniform(-1, 1, (ROWS + HELD, COLS)).astype(np.float32)
y = (np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + rng.normal(0, 0.1, ROWS + HELD)).astype(np.float32)


def numbers(values):
    words = [repr(float(v)) for v in np.asarray(values, dtype=np.float64).ravel()]
    return "\n".join("    " + ", ".join(words[i:i + 5]) + "," for i in range(0, len(words), 5))


def table(kind, name, values):
    print("static const %s history_%s[] = {\n%s\n};" % (kind, name, numbers(values)))


print("/* history.h - written by history.py: losses after every step, by XGBoost %s (root mean square errors) and"
      % xgboost.__version__)
print(" * scikit-learn %s (half mean squares before the step; from the weights given).\n"
      " * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */" % sklearn.__version__)
print("enum { HISTORY_ROWS = %d, HISTORY_HELD = %d, HISTORY_COLS = %d, HISTORY_STEPS = %d, HISTORY_WIDTH = 4 };"
      % (ROWS, HELD, COLS, STEPS))
table("float", "x", x)
table("float", "y", y)

train, held = xgboost.DMatrix(x[:ROWS], y[:ROWS]), xgboost.DMatrix(x[ROWS:], y[ROWS:])
seen = {}
xgboost.train({"tree_method": "exact", "max_depth": 3, "eta": 0.3, "lambda": 1, "base_score": 0.5,
               "min_child_weight": 0}, train, STEPS, evals=[(train, "train"), (held, "held")],
              evals_result=seen, verbose_eval=False)
table("double", "boost", seen["train"]["rmse"])
table("double", "boost_held", seen["held"]["rmse"])

weights = [rng.uniform(-1, 1, (COLS, 4)).astype(np.float32), rng.uniform(-1, 1, (4, 1)).astype(np.float32)]
biases = [rng.uniform(-1, 1, 4).astype(np.float32), rng.uniform(-1, 1, 1).astype(np.float32)]
# layer by layer: a row of weights per output, then the biases
table("float", "weights", np.concatenate([np.concatenate([w.T.ravel(), b]) for w, b in zip(weights, biases)]))
for solver, rate in (("sgd", 0.1), ("adam", 0.02)):
    m = MLPRegressor((4,), activation="tanh", solver=solver, alpha=0, batch_size=ROWS, learning_rate_init=rate,
                     momentum=0, nesterovs_momentum=False, shuffle=False, max_iter=1, tol=0, n_iter_no_change=1000,
                     warm_start=True)
    m.fit(x[:ROWS].astype(np.float64), y[:ROWS].astype(np.float64))
    m.coefs_, m.intercepts_ = [w.astype(np.float64) for w in weights], [b.astype(np.float64) for b in biases]
    m.max_iter = STEPS
    m.fit(x[:ROWS].astype(np.float64), y[:ROWS].astype(np.float64))
    table("double", solver, m.loss_curve_[1:1 + STEPS])
