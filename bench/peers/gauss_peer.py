#!/usr/bin/env python3
"""gauss_peer.py - Gaussian processes of scikit-learn and GPBoost in the words of bench/bench.c: task=gauss.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/gauss_peer.py task=gauss data=FILE d=10 kernel=0 each=1 [peer=gpboost] predict=1

In double, as they work; the features are converted before the clock starts. The bounds are sooth's. GPBoost
1.8 has one optimiser of its own and no bounds.
"""
import json
import sys
import warnings

import numpy as np

from protocol import clock, count, load, r2, seconds, word

warnings.filterwarnings("ignore")


def scikit(x, y):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel
    nu, given = [1.5, 0.5, 2.5, None][count("kernel", 0)], count("given", 0)
    lengths = np.ones(x.shape[1]) if count("each", 1) and not given else 1.0
    bounds = "fixed" if given else (1e-3, 1e5)
    lengths = 2.0 if given else lengths * 0.5 * x.std() * np.sqrt(x.shape[1])
    kernel = ConstantKernel(1.0, "fixed" if given else (1e-4, 1e3)) * (
        Matern(lengths, bounds, nu=nu) if nu else RBF(lengths, bounds))
    kernel += WhiteKernel(0.1, "fixed" if given else (1e-6, 10))
    model = GaussianProcessRegressor(kernel, alpha=0, optimizer=None if given else "fmin_l_bfgs_b",
                                     normalize_y=True)
    model.fit(x, y)
    return model, model.log_marginal_likelihood_value_ - len(y) * np.log(y.std())


def gpboost(x, y):
    import gpboost as gpb
    kernel = [("matern", 1.5), ("exponential", 0), ("matern", 2.5), ("gaussian", 0)][count("kernel", 0)]
    if count("each", 1):
        kernel = (kernel[0] + "_ard", kernel[1])
    model = gpb.GPModel(gp_coords=x, cov_function=kernel[0], cov_fct_shape=kernel[1], num_parallel_threads=1)
    model.fit(y=y - y.mean())
    return model, -model.get_current_neg_log_likelihood()


if word.get("task") != "gauss":
    sys.exit(64)
x, y = load(word["data"], count("n", 0))
test_x, test_y = load(word.get("test", word["data"]), 0)
test_x, test_y = test_x[:1000], test_y[:1000]
peer, times = word.get("peer", "scikit-learn"), []
start = clock()
model, likelihood = (gpboost if peer == "gpboost" else scikit)(x, y)
times.append(clock() - start)
if peer == "gpboost":
    def mean(rows):
        return model.predict(gp_coords_pred=rows)["mu"] + y.mean()

    def both(rows):
        return model.predict(gp_coords_pred=rows, predict_var=True)
else:
    mean = model.predict

    def both(rows):
        return model.predict(rows, return_std=True)
p = mean(test_x)
out = {"peer": peer, "train_s": times[0], "train_s_min": times[0], "train_s_max": times[0], "reps": 1,
       "r2": r2(test_y, p),
       "model_bytes": 8 * (len(y) * (len(y) + x.shape[1] + 1))}
deviation = 0.0
if count("predict", 0):
    rows = test_x[:20]
    out["single_ns"] = 1e9 * seconds(lambda: [mean(rows[i:i + 1]) for i in range(len(rows))]) / len(rows)
    out["batch_rows_s"] = len(test_x) / seconds(lambda: mean(test_x))
    deviation = seconds(lambda: [both(rows[i:i + 1]) for i in range(len(rows))]) / len(rows)
out["note"] = "with deviation %.1f us a row, log likelihood %.6f" % (1e6 * deviation, likelihood)
print(json.dumps(out))
