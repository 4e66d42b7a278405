# Loads what sooth exported for XGBoost and compares margins bit for bit. Usage: export_check.py FOLDER, written by test_export.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
"""For every NAME.json there is a NAME.margins: four uint32 (rows, features, targets, 1 when exact), then the rows, then the
margins that the library gives, all float32. Prints "ok NAME" or "no NAME ..." per file, and the version of xgboost."""
import glob
import json
import os
import sys

import numpy as np
import xgboost

print("xgboost", xgboost.__version__)
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
    name = os.path.basename(path)[:-5]
    with open(path[:-5] + ".margins", "rb") as file:
        rows, features, targets, exact = np.fromfile(file, np.uint32, 4)
        x = np.fromfile(file, np.float32, rows * features).reshape(rows, features)
        margin = np.fromfile(file, np.float32, rows * targets).reshape(rows, targets)
    booster = xgboost.Booster()
    try:
        booster.load_model(path)
        matrix = xgboost.DMatrix(x, missing=np.nan, nthread=1)
        got = np.asarray(booster.predict(matrix, output_margin=True), np.float32).reshape(rows, targets)
        answers = np.asarray(booster.predict(matrix), np.float32).reshape(rows, targets)
    except Exception as error:  # a file that is refused is a failure of the export
        print("no", name, str(error).splitlines()[0][:200])
        continue
    # -0 and 0 are the same number: a tree alone may answer -0, which XGBoost adds to 0
    same = (got + np.float32(0)).view(np.uint32) == (margin + np.float32(0)).view(np.uint32)
    # a leaf rounded to float, and one rounding per addition: in proportion to what is added
    trees = json.load(open(path))["learner"]["gradient_booster"]["model"]["trees"]
    leaves = np.asarray(booster.predict(matrix, pred_leaf=True), int).reshape(rows, len(trees))
    added = sum(np.abs(np.array(tree["split_conditions"])[leaves[:, k]]) for k, tree in enumerate(trees))
    close = np.abs(got.astype(float) - margin) <= 2e-5 * np.maximum(1, added)[:, None]
    good = same if exact else close
    objective = booster.save_config()
    np.seterr(over="ignore", invalid="ignore")
    if '"reg:logistic"' in objective:
        transformed = 1 / (1 + np.exp(-got.astype(float)))
    elif '"count:poisson"' in objective:
        transformed = np.exp(got.astype(float))
    else:
        transformed = got.astype(float)
    turned = np.isclose(answers, transformed.astype(np.float32), rtol=1e-5, atol=0) | ((answers < 1e-37) & (transformed < 1e-37))
    if good.all() and turned.all():
        print("ok", name)
    else:
        row = int(np.argmax(~(good & turned).all(axis=1)))
        print("no", name, int((~good).sum()), "margins and", int((~turned).sum()), "answers differ; row", row, x[row], "gave", got[row],
              "expected", margin[row], "answered", answers[row])
