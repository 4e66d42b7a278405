#!/usr/bin/env python3
"""many_peer.py - many rows by the engines that exist for that: YDF, lleaves, tl2cgen.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    task=gb|rf data=FILE test=FILE d=10 n=0 trees=100 depth=6 lr=0.1 peer=ydf|lleaves|tl2cgen

By the protocol of bench/harness.h. YDF grows its own trees and is asked by its C++ benchmark, whose wall time
is multiplied by the share of the processor that it got; the others translate those of LightGBM into machine
code, which is not counted, and are asked from Python with an array that is theirs already. Leaves with status
64 when the peer is not here or does not do the task.
"""
import json
import os
import sys
import tempfile
import time

import protocol
from protocol import count, number, word

import numpy as np

BATCH = 1000


def by_ydf(task, x, y, test):
    import ydf
    ydf.verbose(0)

    def table(rows, target=None):
        columns = {f"x{j}": np.ascontiguousarray(rows[:, j]) for j in range(rows.shape[1])}
        return columns if target is None else dict(columns, y=target)

    # a tree of one node has the depth 1 there
    depth = count("depth", 0 if task == "rf" else 6)
    common = dict(label="y", task=ydf.Task.REGRESSION, num_trees=count("trees", 100),
                  max_depth=depth + 1 if depth else -1, num_threads=1)
    learner = (ydf.RandomForestLearner(min_examples=1, compute_oob_performances=False, **common)
               if task == "rf" else
               ydf.GradientBoostedTreesLearner(min_examples=1, shrinkage=number("lr", 0.1),
                                               validation_ratio=0.0, early_stopping="NONE",
                                               l2_regularization=1.0, **common))
    start = protocol.clock()
    model = learner.train(table(x, y))
    train = protocol.clock() - start
    start, wall = protocol.clock(), time.perf_counter()
    took = model.benchmark(table(test), benchmark_duration=2, warmup_duration=0.5, batch_size=BATCH,
                           num_threads=1)
    share = (protocol.clock() - start) / (time.perf_counter() - wall)
    return train, model.predict(table(test)), took.duration_per_example * share


def lightgbm_file(task, x, y, folder):
    import lightgbm
    if task != "gb":
        sys.exit(64)
    depth = count("depth", 6)
    start = protocol.clock()
    model = lightgbm.train({"objective": "regression", "num_leaves": 2 ** depth, "max_depth": depth,
                            "learning_rate": number("lr", 0.1), "lambda_l2": 1.0, "min_data_in_leaf": 1,
                            "num_threads": 1, "verbose": -1}, lightgbm.Dataset(x, y), count("trees", 100))
    train = protocol.clock() - start
    model.save_model(os.path.join(folder, "model.txt"))
    return train, os.path.join(folder, "model.txt")


def by_lleaves(task, x, y, test):
    import lleaves
    with tempfile.TemporaryDirectory() as folder:
        train, path = lightgbm_file(task, x, y, folder)
        model = lleaves.Model(model_file=path)
        model.compile()
        took = protocol.seconds(lambda: model.predict(test, n_jobs=1)) / len(test)
        return train, model.predict(test, n_jobs=1), took


def by_tl2cgen(task, x, y, test):
    import tl2cgen
    import treelite
    with tempfile.TemporaryDirectory() as folder:
        train, path = lightgbm_file(task, x, y, folder)
        library = os.path.join(folder, "model.so")
        tl2cgen.export_lib(treelite.frontend.load_lightgbm_model(path), toolchain="gcc", libpath=library,
                           params={"parallel_comp": 8})
        model = tl2cgen.Predictor(library, nthread=1)
        rows = tl2cgen.DMatrix(test)
        took = protocol.seconds(lambda: model.predict(rows)) / len(test)
        return train, model.predict(rows).ravel(), took


def main():
    task = word.get("task", "gb")
    by = {"ydf": by_ydf, "lleaves": by_lleaves, "tl2cgen": by_tl2cgen}.get(word.get("peer", "ydf"))
    if task not in ("gb", "rf") or not by:
        sys.exit(64)
    x, y = protocol.load(word["data"], count("n", 0), np.float32)
    test, target = protocol.load(word.get("test", word["data"]), 0, np.float32)
    try:
        train, said, took = by(task, x, y, test)
    except ImportError:
        sys.exit(64)
    print(json.dumps({"entrant": word.get("peer", "ydf"), "train_s": train,
                      "r2": protocol.r2(target, said), "batch_rows_s": 1 / took}))


main()
