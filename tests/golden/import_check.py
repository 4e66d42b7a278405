#!/usr/bin/env python3
"""Trains models of the installed libraries with many settings, and compares what import.h makes of their files.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Every model: 10,000 rows with missing values, and on and beside its own thresholds. The sums of the trees must have the very
bits (those of LightGBM and scikit-learn rounded to float; categories are in tests/peers/trees.py); of answers behind a link the largest distance is shown, in units of the
last place. Models that must be refused are shown with the sentence. Run it with each Python whose libraries are wanted:
import_check.py; it needs a C compiler (CC). Not part of `make test`, whose fixtures import.py writes.
"""
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from sklearn_to_json import to_json

HERE = os.path.dirname(os.path.abspath(__file__))
F32, ROWS, FEATURES = np.float32, 10000, 8
SOURCE = r"""
#define SOOTH_IMPLEMENTATION
#include "sooth/import.h"
/* Answers for rows, or sums when !links. Returns the targets; 0: refused with a sentence. */
int answer(const void *file, size_t size, const float *x, size_t rows, size_t cols, int links, float *out, char *sentence) {
    sooth_import import;
    sooth_env env;
    int targets;
    sooth_env_init(&env);
    if (sooth_import_read(&env, file, size, NULL, &import) != SOOTH_OK) {
        memcpy(sentence, env.sentence, sizeof env.sentence);
        return 0;
    }
    if (!links) import.ensemble->link = SOOTH_ENSEMBLE_LINK_IDENTITY;
    if (import.ensemble->head.features != cols) return -1;
    sooth_ensemble_predict_many(import.ensemble, x, rows, cols, out);
    targets = (int)import.ensemble->head.targets;
    sooth_import_free(&env, &import);
    return targets;
}
"""

folder = tempfile.mkdtemp()
with open(os.path.join(folder, "answer.c"), "w") as file:
    file.write(SOURCE)
subprocess.check_call([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-I" + os.path.join(HERE, "../../include"),
                       os.path.join(folder, "answer.c"), "-o", os.path.join(folder, "answer.so")])
library = ctypes.CDLL(os.path.join(folder, "answer.so"))
failed = passed = refused = 0


def ours(file, x, links):
    out, sentence = np.zeros((len(x), 16), F32), ctypes.create_string_buffer(512)
    at = lambda a: a.ctypes.data_as(ctypes.c_void_p)
    targets = library.answer(file, ctypes.c_size_t(len(file)), at(x), ctypes.c_size_t(len(x)), ctypes.c_size_t(x.shape[1]), int(links), at(out), sentence)
    return (out.ravel()[:len(x) * targets].reshape(len(x), targets) if targets > 0 else None), sentence.value.decode()


def places(v):
    """Numbers that count floats in their order."""
    bits = v.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def rows(splits, missing=True):
    x = random.normal(size=(ROWS, FEATURES)).astype(F32)
    x[:, 1] = np.round(2 * x[:, 1]) / 2
    splits = np.array([(f, t) for f, t in splits if abs(t) < 3e38])
    for _ in range(4):
        chosen = splits[random.randint(len(splits), size=ROWS)]
        at = chosen[:, 1].astype(F32)
        step = random.randint(3, size=ROWS)
        x[np.arange(ROWS), chosen[:, 0].astype(int)] = np.where(step == 0, np.nextafter(at, F32(-np.inf)), np.where(step == 1, at, np.nextafter(at, F32(np.inf))))
    x[random.uniform(size=x.shape) < 0.02] = 0
    if missing:
        x[random.uniform(size=x.shape) < 0.1] = np.nan
    return x


def compare(name, files, splits, sums, answers, missing=True):
    global failed, passed
    x = rows(splits, missing)
    want, behind = (np.asarray(f(x)).reshape(ROWS, -1).astype(F32) for f in (sums, answers))
    for kind, file in files.items():
        got, sentence = ours(file, x, False)
        linked, _ = ours(file, x, True)
        if got is None or got.shape != want.shape:
            failed += 1
            print("no", name, kind, sentence or "wrong shape")
            continue
        wrong = int(((got + F32(0)).view(np.uint32) != (want + F32(0)).view(np.uint32)).sum())
        finite = np.isfinite(behind) & (behind > 1e-30)
        off = int(np.abs(places(linked) - places(behind))[finite].max()) if (linked != behind).any() else 0
        failed += wrong > 0
        passed += wrong == 0
        print("no" if wrong else "ok", name, kind, f"{len(file)} bytes,", f"{wrong} sums differ," if wrong else "sums equal,", f"answers within {off} ulp")


def refuse(name, file):
    global failed, refused
    got, sentence = ours(file, np.zeros((1, FEATURES), F32), True)
    failed += got is not None
    refused += got is None
    print("no" if got is not None else "ok", name, "refused:", sentence)


random = np.random.RandomState(5)
X = random.normal(size=(4000, FEATURES)).astype(F32)
X[:, 1] = np.round(2 * X[:, 1]) / 2
Y = (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + 0.1 * random.normal(size=len(X))).astype(F32)
HOLES = X.copy()
HOLES[random.uniform(size=X.shape) < 0.1] = np.nan
POSITIVE, SHARE, CLASS = np.exp(Y / 2), (1 / (1 + np.exp(-Y))).astype(F32), (Y > 0.3).astype(F32)
COUNT, THIRDS = random.poisson(POSITIVE).astype(F32), np.digitize(Y, [-0.5, 0.7])
MANY = np.stack([Y, 3 - 2 * Y, np.cos(Y)], axis=1)


def xgboost_models():
    import xgboost

    version = tuple(map(int, xgboost.__version__.split(".")[:2]))
    print("xgboost", xgboost.__version__)

    def train(y, rounds=60, data=HOLES, **params):
        return xgboost.train(dict(dict(max_depth=6, eta=0.2, nthread=2, seed=1, tree_method="hist"), **params), xgboost.DMatrix(data, y), rounds)

    def files(b):
        return {kind: bytes(b.save_raw(kind)) for kind in ("json", "ubj")}

    def check(name, b):
        booster = json.loads(b.save_raw("json"))["learner"]["gradient_booster"]
        trees = booster.get("gbtree", booster)["model"]["trees"]
        splits = [s for t in trees for s in zip(t["split_indices"], t["split_conditions"], t["left_children"])]
        predict = lambda margin: lambda x: b.predict(xgboost.DMatrix(x), output_margin=margin)
        compare("xgboost " + name, files(b), [s[:2] for s in splits if s[2] >= 0], predict(True), predict(False))

    for objective, y in {"reg:squarederror": Y, "reg:squaredlogerror": POSITIVE, "reg:logistic": SHARE, "reg:pseudohubererror": Y, "reg:absoluteerror": Y,
                         "count:poisson": COUNT, "reg:gamma": POSITIVE, "reg:tweedie": COUNT, "binary:logistic": CLASS, "binary:logitraw": CLASS,
                         "rank:pairwise": CLASS}.items():
        for base in ({}, {"base_score": 0.3}):
            check(f"{objective} {base or ''}", train(y, objective=objective, **base))
    check("exact", train(Y, tree_method="exact"))
    check("approx", train(Y, tree_method="approx"))
    check("lossguide", train(Y, grow_policy="lossguide", max_leaves=40, max_depth=0))
    check("deep", train(Y, rounds=8, max_depth=20, min_child_weight=0))
    check("pruned", train(Y, tree_method="exact", gamma=2.0))
    check("forest", train(Y, rounds=3, num_parallel_tree=20, subsample=0.7, colsample_bynode=0.6))
    check("monotone", train(Y, monotone_constraints="(1,0,0,-1,0,0,0,0)"))
    check("targets", train(MANY))
    for normalize in ("tree", "forest"):
        check("dart " + normalize, train(Y, booster="dart", rate_drop=0.2, normalize_type=normalize))
    check("dart targets", train(MANY, rounds=12, booster="dart", rate_drop=0.2))
    if version >= (2, 0):
        check("quantile", train(Y, objective="reg:quantileerror", quantile_alpha=0.9))
        check("quantiles", train(Y, objective="reg:quantileerror", quantile_alpha=[0.1, 0.5, 0.9]))
        refuse("xgboost multi_output_tree", files(train(MANY, 3, multi_strategy="multi_output_tree"))["ubj"])
    refuse("xgboost multi:softprob", files(train(THIRDS, 3, objective="multi:softprob", num_class=3))["json"])
    refuse("xgboost binary:hinge", files(train(CLASS, 3, objective="binary:hinge"))["json"])
    refuse("xgboost survival:cox", files(train(POSITIVE, 3, objective="survival:cox"))["ubj"])
    refuse("xgboost gblinear", files(xgboost.train(dict(booster="gblinear"), xgboost.DMatrix(X, Y), 3))["json"])
    if version < (2, 0):
        old = os.path.join(folder, "model")
        train(Y, 2).save_model(old)
        refuse("xgboost, binary format", open(old, "rb").read())


def lightgbm_models():
    import lightgbm

    print("lightgbm", lightgbm.__version__)

    def train(y, rounds=60, data=HOLES, **params):
        params = dict(dict(num_leaves=31, verbosity=-1, num_threads=2, seed=1, deterministic=True), **params)
        return lightgbm.train(params, lightgbm.Dataset(data, y, categorical_feature=params.pop("category", "auto")), rounds)

    def check(name, b):
        text = b.model_to_string()
        numbers = lambda key: [v.split() for v in re.findall(f"^{key}=(.*)$", text, re.M)]
        splits = [(int(f), float(t)) for fs, ts in zip(numbers("split_feature"), numbers("threshold")) for f, t in zip(fs, ts)]
        splits += [(f, v) for f in range(FEATURES) for v in (1e-35, -1e-35)]
        compare("lightgbm " + name, {"txt": text.encode()}, splits, lambda x: b.predict(x, raw_score="average_output" not in text, num_threads=1),
                lambda x: b.predict(x, num_threads=1))

    for objective, y in {"regression": Y, "regression_l1": Y, "huber": Y, "fair": Y, "quantile": Y, "mape": Y, "poisson": COUNT, "gamma": POSITIVE,
                         "tweedie": COUNT, "binary": CLASS, "cross_entropy": SHARE}.items():
        check(objective, train(y, objective=objective))
    check("without missing values", train(Y, data=X))
    check("use_missing=false", train(Y, use_missing=False))
    check("rf", train(Y, boosting="rf", bagging_freq=1, bagging_fraction=0.6))
    check("dart", train(Y, boosting="dart"))
    check("goss", train(Y, data_sample_strategy="goss"))
    check("deep", train(Y, num_leaves=1000, min_data_in_leaf=1))
    check("multiclassova", train(THIRDS, objective="multiclassova", num_class=3))
    check("constant", train(Y * 0 + 3, 2))
    refuse("lightgbm multiclass", train(THIRDS, 3, objective="multiclass", num_class=3).model_to_string().encode())
    refuse("lightgbm reg_sqrt", train(POSITIVE, 3, reg_sqrt=True).model_to_string().encode())
    refuse("lightgbm cross_entropy_lambda", train(SHARE, 3, objective="cross_entropy_lambda").model_to_string().encode())


def sklearn_models():
    import sklearn
    from sklearn import ensemble, tree

    print("scikit-learn", sklearn.__version__)
    new = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)

    def check(name, model, holes, y=Y):
        model.fit(HOLES if holes else X, y)
        text = to_json(model)
        splits = [(f, t) for t in json.loads(text)["trees"] for f, t, l in zip(t["feature"], t["threshold"], t["left"]) if l >= 0]
        linked = getattr(model, "loss", "") in ("poisson", "gamma")
        compare("scikit-learn " + name, {"json": text.encode()}, splits, model._raw_predict if linked else model.predict, model.predict, holes)

    for y, what in ((Y, "one target"), (MANY, "three targets")):
        check("tree, " + what, tree.DecisionTreeRegressor(random_state=1), new, y)
        check("extra tree, " + what, tree.ExtraTreeRegressor(random_state=1), new, y)
        check("forest, " + what, ensemble.RandomForestRegressor(30, random_state=1), new, y)
        check("extra-trees, " + what, ensemble.ExtraTreesRegressor(30, random_state=1), new, y)
    check("forest, monotone or sampled", ensemble.RandomForestRegressor(30, max_samples=0.4, max_features=3, random_state=1), new)
    for loss in ("squared_error", "absolute_error", "huber", "quantile"):
        check("gradient boosting, " + loss, ensemble.GradientBoostingRegressor(loss=loss, subsample=0.8, random_state=1), False)
    check("gradient boosting, init=zero", ensemble.GradientBoostingRegressor(init="zero", random_state=1), False)
    for loss in ("squared_error", "absolute_error", "poisson") + (("quantile", "gamma") if new else ()):
        more = dict(quantile=0.8) if loss == "quantile" else {}
        check("histogram gradient boosting, " + loss, ensemble.HistGradientBoostingRegressor(loss=loss, random_state=1, **more), True, POSITIVE)
    for model, y in ((ensemble.GradientBoostingClassifier(n_estimators=2), CLASS), (ensemble.RandomForestClassifier(2), THIRDS),
                     (ensemble.HistGradientBoostingRegressor(max_iter=2, categorical_features=[1]), Y),
                     (ensemble.GradientBoostingRegressor(n_estimators=2, init=tree.DecisionTreeRegressor(max_depth=1)), Y)):
        global failed, refused
        try:
            data = X if y is not Y else np.hstack([X[:, :1], np.abs(np.round(X[:, 1:2])), X[:, 2:]])
            to_json(model.fit(data, y))
            failed += 1
            print("no scikit-learn", model, "must be refused")
        except ValueError as error:
            refused += 1
            print("ok scikit-learn", type(model).__name__, "refused:", error)


if __name__ == "__main__":
    for job in (xgboost_models, lightgbm_models, sklearn_models):
        try:
            job()
        except ImportError as error:
            print("--", error)
    print(f"import_check: {passed} equal, {refused} refused, {failed} failed")
    sys.exit(failed != 0)
