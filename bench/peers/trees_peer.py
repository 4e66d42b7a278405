#!/usr/bin/env python3
"""trees_peer.py - trees, forests and boosting of scikit-learn, LightGBM, XGBoost and fastforest.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    task=dt|rf|et|gb data=FILE test=FILE d=10 n=0 depth=0 leaves=0 trees=100 mf=1 lr=0.1 lambda=1 bins=256
    peer=scikit-learn|lightgbm|xgboost|fastforest threads=1 predict=1 reps=5 budget=0.3
    categories=0 (of lightgbm and xgboost: so many columns, the first ones, hold codes)
    grow=lossguide (of lightgbm: by leaf, up to `leaves`, without a limit of the depth)

By the protocol of bench/harness.h: takes the same key=value words as build/bench and prints the same line of
JSON; leaves with status 64 when the peer is not here or does not do the task. Training times include what
each library does to the data first.
"""
import json
import os
import pickle
import resource
import sys
import time

import numpy as np

WORDS = {}
for word in sys.argv[1:]:
    key, _, value = word.partition("=")
    WORDS.setdefault(key, value)
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
CRITERIA = {"squared": "squared_error", "absolute": "absolute_error", "friedman": "friedman_mse",
            "poisson": "poisson"}


def number(key, fallback):
    return type(fallback)(WORDS.get(key, fallback))


def peak_kb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def load(path, d, limit):
    rows = np.fromfile(path, "<f4").reshape(-1, d + 1)
    if limit:
        rows = rows[:limit]
    return np.ascontiguousarray(rows[:, :d]), rows[:, d].astype(np.float64)


def seconds(call):
    """Median seconds of a call: seven windows of at least 0.1 s after one that warms up."""
    found = []
    for window in range(8):
        calls, start = 0, CLOCK()
        while True:
            call()
            calls += 1
            now = CLOCK()
            if now - start >= 0.1:
                break
        if window:
            found.append((now - start) / calls)
    return float(np.median(found))


def scikit_learn(task):
    from sklearn import ensemble, tree
    threads, depth, leaves = number("threads", 1), number("depth", 0) or None, number("leaves", 0) or None
    if task == "dt":
        return lambda x, y: tree.DecisionTreeRegressor(
            criterion=CRITERIA[WORDS.get("criterion", "squared")], max_depth=depth, max_leaf_nodes=leaves,
            random_state=1).fit(x, y)
    if task == "gb":
        return lambda x, y: ensemble.HistGradientBoostingRegressor(
            max_iter=number("trees", 100), max_depth=number("depth", 6), max_leaf_nodes=None,
            learning_rate=number("lr", 0.1), l2_regularization=number("lambda", 1.0), max_bins=255,
            early_stopping=False).fit(x, y)
    kind = ensemble.RandomForestRegressor if task == "rf" else ensemble.ExtraTreesRegressor
    return lambda x, y: kind(number("trees", 100), max_depth=depth, max_features=number("mf", 1.0),
                             n_jobs=threads, random_state=1).fit(x, y)


def lightgbm(task):
    import lightgbm as lgb
    if task != "gb":
        sys.exit(64)
    depth = number("depth", 0 if WORDS.get("grow") == "lossguide" else 6)
    return lambda x, y: lgb.train(
        {"objective": "regression", "num_leaves": 2 ** depth if depth else number("leaves", 31),
         "max_depth": depth or -1,
         "learning_rate": number("lr", 0.1), "lambda_l2": number("lambda", 1.0), "max_bin": 255,
         "min_data_in_leaf": 1, "num_threads": number("threads", 1), "verbose": -1},
        lgb.Dataset(x, y, categorical_feature=list(range(number("categories", 0)))), number("trees", 100))


def xgboost(task):
    import xgboost as xgb
    if task != "gb":
        sys.exit(64)
    return lambda x, y: xgb.train(
        {"tree_method": "hist", "max_depth": number("depth", 6), "eta": number("lr", 0.1),
         "nthread": number("threads", 1), "lambda": number("lambda", 1.0), "max_bin": number("bins", 256)},
        xgb.DMatrix(x, y, enable_categorical=True, feature_types=["c" if j < number("categories", 0) else "q"
                                                                  for j in range(x.shape[1])]),
        number("trees", 100))


def fastforest(task):
    if task != "rf":
        sys.exit(64)
    os.environ["RAYON_NUM_THREADS"] = WORDS.get("threads", "1")
    from fastforest import FastForest
    return lambda x, y: FastForest(n_trees=number("trees", 100), max_features=number("mf", 0.9),
                                   seed=1).fit(x, y)


def main():
    task, peer = WORDS.get("task"), WORDS.get("peer", "scikit-learn")
    if task not in ("dt", "rf", "et", "gb"):
        sys.exit(64)
    try:
        fit = {"scikit-learn": scikit_learn, "lightgbm": lightgbm, "xgboost": xgboost,
               "fastforest": fastforest}[peer](task)
    except ImportError:
        sys.exit(64)
    d = number("d", 10)
    x, y = load(WORDS["data"], d, number("n", 0))
    test_x, test_y = load(WORDS.get("test", WORDS["data"]), d, 0)
    result = {"entrant": peer, "rss_load_kb": peak_kb()}
    times = []
    while not times or (len(times) < number("reps", 5) and sum(times) < number("budget", 0.3)):
        start = CLOCK()
        model = fit(x, y)
        times.append(CLOCK() - start)
        result.setdefault("rss_train_kb", peak_kb())
    predict = model.inplace_predict if peer == "xgboost" else model.predict
    error = test_y - np.asarray(predict(test_x))
    result.update(train_s=float(np.median(times)), train_first_s=times[0], reps=len(times),
                  r2=1 - float(error @ error / np.sum((test_y - test_y.mean()) ** 2)),
                  model_bytes=len(model.model_to_string() if peer == "lightgbm" else
                                  model.save_raw("ubj") if peer == "xgboost" else
                                  b"" if peer == "fastforest" else pickle.dumps(model)))
    if number("predict", 0):
        one = [test_x[i:i + 1] for i in range(min(200, len(test_x)))]
        result["single_ns"] = 1e9 / len(one) * seconds(lambda: [predict(row) for row in one])
        result["batch_rows_s"] = len(test_x) / seconds(lambda: predict(test_x))
    print(json.dumps(result))


main()
