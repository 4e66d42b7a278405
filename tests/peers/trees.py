"""trees.py - generated models of XGBoost, scikit-learn, LightGBM and CatBoost: the same sums, to the bit.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Each model is asked about training rows, about rows at its own thresholds and one float below and above
them, and about missing, infinite, denormal and huge numbers and both zeros (infinities where the peer takes
them). Sums before the link must have the peer's bits; where the peer adds doubles, those of its sum rounded
to float, which may move before by 2^-46 of the greatest sum and 2^-149 for each tree: import.h tells why.
Of planes (linear_tree of LightGBM) it is 2^-46 of the greatest number on the way, and that stays below 1e29.
Behind exp or logistic the answers may be 2 ulp from the exact function of that sum, and as far from
XGBoost's, which computes with floats, too. XGBoost takes the logarithm of such a base score with the C
library at hand, which glibc rounds otherwise in one of twenty cases: so these sums may part by 2^-21, and
are compared to the bit with another objective written into the file. What sooth cannot say it must refuse
with a sentence. MODELS models per library, 100 by default.
"""
import json
import os
import re
import sys

import numpy as np

from common import F32, F64, Table, call, floats, random_of, ulps

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from sklearn_to_json import to_json  # noqa: E402

MODELS = int(os.environ.get("MODELS", "100"))
ODD = [0.0, -0.0, 1e-45, -1e-45, 1e-40, -1e-40, 1.1754944e-38, 1e-35, -1e-35, 3e38, -3e38, 3.4028235e38,
       -3.4028235e38]
table = Table("trees", "ulps behind a link")


def rows_for(random, x, splits, missing, infinite):
    """400 rows: of training, then with numbers at thresholds and odd ones."""
    rows = x[random.randint(len(x), size=400)].copy()
    splits = [(f, t) for f, t in splits if abs(t) < 3.4e38]
    odd = ODD + [np.inf, -np.inf] * infinite + [np.nan] * 3 * missing
    for i in range(100, 400):
        for _ in range(random.randint(1, 5) if splits else 0):
            feature, at = splits[random.randint(len(splits))]
            at = F32(at)
            step = random.randint(3)
            rows[i, int(feature)] = np.nextafter(at, F32(np.inf if step else -np.inf)) if step < 2 else at
        if i % 3 == 0:
            rows[i, random.randint(x.shape[1])] = odd[random.randint(len(odd))]
    if not missing:
        rows[np.isnan(rows)] = 0
    if not infinite:
        rows = np.clip(rows, F32(-3.4028235e38), F32(3.4028235e38))
    return floats(rows)


def linked(kind, sums):
    """The exact function of a float sum, and where a float can hold it."""
    with np.errstate(all="ignore"):
        v = sums.astype(F64)
        return floats(np.exp(np.minimum(v, 88.7)) if kind == "exp" else 1 / (1 + np.exp(-v)))


def compare(row, what, file, x, sums, answers, kind=None, trees=0, size=0):
    """sums, answers: what the peer says; kind: the link between them. trees: of a peer that adds doubles; 0:
    it adds floats. size: by row, the greatest number on the way to the sum, where it is no sum."""
    double = np.asarray(sums, F64).reshape(len(x), -1)
    greatest = np.abs(double[np.isfinite(double)]).max(initial=0)
    want, slack = floats(double), 2.0**-46 * np.maximum(greatest, size) + trees * 2.0**-149
    if not trees and kind:  # the logarithm of a base score may be another by 1 ulp, so sums by some
        slack = 2.0**-21 * max(greatest, 1)
    got, before = np.zeros((2,) + want.shape, F32)
    targets = np.zeros(1, np.uintp)
    why = call("answers_import", file, len(file), x, len(x), x.shape[1], want.shape[1], got, before, targets)
    if why:
        return table.add(row, "refused", 0, why)
    if targets[0] != want.shape[1]:
        return table.add(row, "FAILED", 0, f"{what}: {targets[0]} targets, not {want.shape[1]}")
    wrong = ((before + F32(0)).view(np.uint32) != (want + F32(0)).view(np.uint32))
    wrong &= ~(np.isnan(before) & np.isnan(want))
    if trees or kind:
        wrong &= ~((floats(double - slack) <= before) & (before <= floats(double + slack)))
    if wrong.any():
        i, t = np.argwhere(wrong)[0]
        return table.add(row, "FAILED", wrong.sum(), f"{what}: row {i} sums to {before[i, t]!r}, "
                         f"not {want[i, t]!r}; rows that differ")
    if kind is None:
        off = ulps(got, before)
        return table.add(row, "FAILED" if off else "equal", off, f"{what}: an answer is not its sum")
    normal = np.abs(before) < 87
    off = ulps(got[normal], linked(kind, before)[normal])
    if not trees and not ulps(before, want):
        off = max(off, ulps(got[normal], floats(np.asarray(answers)).reshape(want.shape)[normal]))
    table.add(row, "equal" if off <= 2 else "FAILED", off, f"{what}: answers behind {kind}, ulps")


def training(random, missing):
    """Columns of several sizes and grains, with a target, a positive one, and classes."""
    rows, cols = random.randint(40, 300), random.randint(1, 9)
    x = random.normal(size=(rows, cols))
    for j in range(cols):
        kind = random.randint(7)
        if kind == 0:
            x[:, j] = np.round(2 * x[:, j]) / 2
        elif kind == 1:
            x[:, j] = np.exp(4 * x[:, j])
        elif kind == 2:
            x[:, j] *= 1e-38
        elif kind == 3:
            x[:, j] = np.where(random.uniform(size=rows) < 0.4, 0, x[:, j])
        elif kind == 4:
            x[:, j] = 16777216 + np.round(8 * x[:, j])
        elif kind == 5:
            x[:, j] *= 1e37
    y = x[:, 0] / np.abs(x[:, 0]).max() + random.normal(size=rows) + (x[:, -1] > np.median(x[:, -1]))
    x = floats(x)
    if missing:
        x[random.uniform(size=x.shape) < 0.15] = np.nan
    return x, floats(y), floats(np.exp(y / 2) + 1e-3), floats(y > np.median(y))


def choose(random, *values):
    return values[random.randint(len(values))]


# ---- XGBoost ----

XGBOOST = {"reg:squarederror": (0, None), "reg:squaredlogerror": (1, None), "reg:logistic": (2, "logistic"),
           "reg:pseudohubererror": (0, None), "reg:absoluteerror": (0, None), "binary:logitraw": (2, None),
           "binary:logistic": (2, "logistic"), "count:poisson": (1, "exp"), "reg:gamma": (1, "exp"),
           "reg:tweedie": (1, "exp"), "rank:pairwise": (2, None), "binary:hinge": (2, None),
           "survival:cox": (1, "exp"), "multi:softprob": (2, None)}


def xgboost_trees(model):
    booster = model["learner"]["gradient_booster"]
    return booster.get("gbtree", booster)["model"]["trees"]


def disturb(random, model):
    """Thresholds and leaves that training seldom makes."""
    huge = random.randint(2)
    for tree in xgboost_trees(model):
        for i, left in enumerate(tree["left_children"]):
            if random.uniform() < 0.5:
                leaf = left < 0
                size = choose(random, 1e-44, 1e-38, 1e7, 1e30 if huge else 1, 2e38 if huge else 1)
                tree["split_conditions"][i] = float(F32(size * random.normal() % 3e38)) if leaf else (
                    ODD[random.randint(len(ODD))])


def xgboost_models():
    import xgboost

    for case in range(MODELS):
        random = random_of(10, case)
        x, *targets = training(random, random.randint(3) > 0)
        objective = list(XGBOOST)[case // 2 % len(XGBOOST)] if case % 2 else "reg:squarederror"
        which, kind = XGBOOST[objective]
        y = targets[which]
        params = dict(objective=objective, max_depth=random.randint(1, 9), eta=random.uniform(0.05, 1),
                      min_child_weight=choose(random, 0, 1), nthread=1, seed=case, verbosity=0,
                      tree_method=choose(random, "exact", "hist", "approx"), subsample=choose(random, 1, 0.7))
        if objective == "multi:softprob":
            params["num_class"] = 2
        how = random.randint(8)
        if how == 0:
            params.update(booster="dart", rate_drop=0.4, normalize_type=choose(random, "tree", "forest"))
        elif how == 1:
            params.update(num_parallel_tree=4, subsample=0.6)
        elif how == 2 and params["tree_method"] == "hist":
            params.update(grow_policy="lossguide", max_leaves=20, max_depth=0)
        elif how == 3 and which == 0:
            y = np.stack([y, 3 - 2 * y, np.cos(y)], axis=1)
            params["tree_method"] = "hist"
            if case % 2:
                params.update(num_parallel_tree=3, subsample=0.6)
        elif how == 4:
            params["base_score"] = 0.3
        elif how == 5:
            params["gamma"] = 1.0
        elif how == 6 and objective == "reg:squarederror":
            y = y * F32(choose(random, 1e30, 1e-38, 1e-42, 3e37))
        try:
            booster = xgboost.train(params, xgboost.DMatrix(x, y), random.randint(1, 14))
            model = json.loads(booster.save_raw("json"))
            if case % 5 == 4:
                disturb(random, model)
                booster = xgboost.Booster(model_file=bytearray(json.dumps(model).encode()))
                booster.set_param({"nthread": 1})
        except xgboost.core.XGBoostError:
            table.add("xgboost " + objective, "unasked")
            continue
        splits = [(f, t) for tree in xgboost_trees(model) for f, t, left in
                  zip(tree["split_indices"], tree["split_conditions"], tree["left_children"]) if left >= 0]
        rows = rows_for(random, x, splits, True, False)
        sums, answers = (booster.predict(xgboost.DMatrix(rows), output_margin=m) for m in (True, False))
        for ending in ("json", "ubj"):
            compare(f"xgboost {objective}", f"case {case}, {ending}, {params}",
                    bytes(booster.save_raw(ending)), rows, sums, answers, kind)
        if kind:
            model["learner"]["objective"] = dict(name="reg:squarederror", reg_loss_param=dict(
                scale_pos_weight="1"))
            file = json.dumps(model).encode()
            sums = xgboost.Booster(model_file=bytearray(file)).predict(xgboost.DMatrix(rows))
            compare("xgboost, the same without link", f"case {case}, {params}", file, rows, sums, sums)


# ---- scikit-learn ----

def sklearn_models():
    import sklearn
    from sklearn import ensemble, tree

    missing_too = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)
    for case in range(MODELS):
        random = random_of(11, case)
        name = choose(random, "tree", "extra tree", "forest", "extra-trees", "boosting", "histogram")
        holes = random.randint(2) > 0 and (name == "histogram" or (missing_too and name != "boosting"))
        x, y, positive, _ = training(random, holes)
        kind, trees = None, random.randint(1, 40)
        depth = choose(random, None, 3, 6, 12)
        common = dict(max_depth=depth, random_state=case)
        if name == "tree":
            criterion = choose(random, "squared_error", "absolute_error", "friedman_mse")
            model = tree.DecisionTreeRegressor(**common, criterion=criterion)
        elif name == "extra tree":
            model = tree.ExtraTreeRegressor(**common)
        elif name == "forest":
            model = ensemble.RandomForestRegressor(trees, **common, max_features=choose(random, 1.0, 0.5))
        elif name == "extra-trees":
            model = ensemble.ExtraTreesRegressor(trees, **common)
        elif name == "boosting":
            loss = choose(random, "squared_error", "absolute_error", "huber", "quantile")
            model = ensemble.GradientBoostingRegressor(loss=loss, n_estimators=trees, random_state=case,
                                                       max_depth=random.randint(1, 6))
        else:
            loss = choose(random, "squared_error", "absolute_error", "poisson")
            model = ensemble.HistGradientBoostingRegressor(loss=loss, max_iter=trees, random_state=case,
                                                           min_samples_leaf=random.randint(1, 20))
            if loss == "poisson":
                y, kind = positive, "exp"
        if kind is None:
            y = y * choose(random, 1, 1, 1e30, 1e36, 1e-38)
        if name in ("tree", "forest", "extra-trees", "extra tree") and random.randint(3) == 0:
            y = np.stack([y, 3 - 2 * y], axis=1)
        try:
            model.fit(x, y)
            text = to_json(model)
        except ValueError:
            table.add("scikit-learn " + name, "unasked")
            continue
        splits = [(f, t) for t in json.loads(text)["trees"] for f, t, left in
                  zip(t["feature"], t["threshold"], t["left"]) if left >= 0]
        # scikit-learn compares doubles with floats: what float is next to the threshold does not matter
        rows = rows_for(random, x, splits, holes, name == "histogram")
        sums = model._raw_predict(rows).ravel() if kind else model.predict(rows)
        compare(f"scikit-learn {name}", f"case {case}, {model}", text.encode(), rows, sums, None, kind,
                len(json.loads(text)["trees"]))


# ---- LightGBM ----

LIGHTGBM = {"regression": (0, None), "regression_l1": (0, None), "huber": (0, None), "fair": (0, None),
            "quantile": (0, None), "mape": (0, None), "poisson": (1, "exp"), "gamma": (1, "exp"),
            "tweedie": (1, "exp"), "binary": (2, "logistic"), "cross_entropy": (2, "logistic"),
            "cross_entropy_lambda": (2, None), "multiclass": (2, None)}


def way(text, rows):
    """By row, what the sizes of all numbers that planes add up to can be at most."""
    total, size = np.zeros((len(rows), 1)), np.nan_to_num(np.abs(rows.astype(F64)))
    for tree in text.split("\nTree=")[1:]:
        if "is_linear=1" not in tree:
            continue
        lists = {key: re.search(f"^{key}=(.*)$", tree, re.M).group(1).split() for key in
                 ("leaf_const", "num_features", "leaf_features", "leaf_coeff")}
        most, at = np.zeros(len(rows)), 0
        for constant, count in zip(lists["leaf_const"], lists["num_features"]):
            here = np.full(len(rows), abs(float(constant)))
            for _ in range(int(count)):
                here += abs(float(lists["leaf_coeff"][at])) * size[:, int(lists["leaf_features"][at])]
                at += 1
            most = np.maximum(most, here)
        total[:, 0] += most
    return total


def lightgbm_models():
    import lightgbm

    for case in range(MODELS):
        random = random_of(12, case)
        x, *targets = training(random, random.randint(3) > 0)
        objective = list(LIGHTGBM)[case // 2 % len(LIGHTGBM)] if case % 2 else "regression"
        which, kind = LIGHTGBM[objective]
        linear = random.randint(3) == 0
        params = dict(objective=objective, num_leaves=random.randint(2, 40), verbosity=-1, num_threads=1,
                      min_data_in_leaf=random.randint(1, 15), seed=case, deterministic=True,
                      boosting=choose(random, "gbdt", "gbdt", "dart", "rf"), bagging_freq=1,
                      bagging_fraction=0.7, use_missing=random.randint(5) > 0,
                      zero_as_missing=random.randint(6) == 0 and not linear, linear_tree=linear,
                      linear_lambda=choose(random, 0, 0.1))
        if objective == "multiclass":
            params["num_class"] = 2
        y = targets[which] * F32(choose(random, 1, 1, 1e20, 1e-20) if objective == "regression" else 1)
        try:
            booster = lightgbm.train(params, lightgbm.Dataset(x, y), random.randint(1, 14))
        except lightgbm.basic.LightGBMError:
            table.add("lightgbm " + objective, "unasked")
            continue
        text = booster.model_to_string()
        lists = [[v.split() for v in re.findall(f"^{key}=(.*)$", text, re.M)]
                 for key in ("split_feature", "threshold")]
        splits = [(int(f), float(t)) for fs, ts in zip(*lists) for f, t in zip(fs, ts)]
        rows = rows_for(random, x, splits, True, True)
        if linear:
            rows = floats(np.clip(rows, -1e25, 1e25))
            rows[way(text, rows)[:, 0] > 1e29] = 0
        sums = booster.predict(rows, raw_score=True, num_threads=1)
        if "average_output" in text:  # of a random forest the raw score is not divided yet
            sums = sums / booster.current_iteration()
        answers = booster.predict(rows, num_threads=1)
        compare(f"lightgbm {objective}" + ", planes" * linear, f"case {case}, {params}", text.encode(), rows,
                sums, answers, kind, booster.num_trees(), way(text, rows) if linear else 0)


# ---- categories ----

UNKNOWN = [-1.0, -0.5, -0.99999994, -0.0, 0.5, 31, 32, 63.99999, 64, 1e3, 9999, 1e4, 16777215, 3e9, 1e30,
           -7e5]


def categories(random, missing):
    """Two columns of numbers and two of categories, of few and of many levels; a target."""
    rows, few, many = random.randint(60, 600), random.randint(2, 6), random.randint(6, 90)
    x = floats(np.column_stack([random.normal(size=rows), random.randint(few, size=rows),
                                random.randint(many, size=rows), random.normal(size=rows)]))
    y = x[:, 0] + random.normal(size=few)[x[:, 1].astype(int)]
    y += random.normal(size=many)[x[:, 2].astype(int)]
    if missing:
        x[random.uniform(size=x.shape) < 0.1] = np.nan
    return x, floats(y)


def rows_of_categories(random, x, missing=True):
    """500 rows: known, unknown, negative and missing categories, one float beside each."""
    rows = x[random.randint(len(x), size=500)].copy()
    for i in range(100, 500):
        j = 1 + random.randint(2)
        v = F32(choose(random, random.randint(100), UNKNOWN[random.randint(len(UNKNOWN))]))
        step = random.randint(4)
        rows[i, j] = np.nextafter(v, F32(np.inf if step else -np.inf)) if step < 2 else v
        if missing and i % 9 == 0:
            rows[i, random.randint(4)] = np.nan
    return floats(rows)


def xgboost_categories():
    import xgboost

    for case in range(MODELS):
        random = random_of(13, case)
        x, y = categories(random, case % 3 > 0)
        matrix = lambda v, t=None: xgboost.DMatrix(v, t, feature_types=["q", "c", "c", "q"],
                                                   enable_categorical=True)
        params = dict(max_depth=random.randint(1, 7), eta=random.uniform(0.05, 1), nthread=1, seed=case,
                      tree_method=choose(random, "hist", "approx"), verbosity=0,
                      max_cat_to_onehot=choose(random, 1, 4, 5, 1000), gamma=choose(random, 0, 0.5),
                      min_child_weight=choose(random, 0, 1))
        if case % 4 == 0:
            params.update(booster="dart", rate_drop=0.4)
        booster = xgboost.train(params, matrix(x, y), random.randint(1, 14))
        rows = rows_of_categories(random, x)
        sums = booster.predict(matrix(rows), output_margin=True)
        for ending in ("json", "ubj"):
            compare("xgboost, categories", f"case {case}, {ending}, {params}",
                    bytes(booster.save_raw(ending)), rows, sums, sums)


def lightgbm_categories():
    import lightgbm

    for case in range(MODELS):
        random = random_of(14, case)
        x, y = categories(random, case % 3 > 0)
        params = dict(num_leaves=random.randint(2, 40), verbosity=-1, num_threads=1, seed=case,
                      deterministic=True, min_data_in_leaf=random.randint(1, 15),
                      min_data_per_group=random.randint(1, 30),
                      max_cat_to_onehot=choose(random, 1, 4, 1000), cat_smooth=choose(random, 0, 1, 10),
                      boosting=choose(random, "gbdt", "dart", "rf"), bagging_freq=1, bagging_fraction=0.7,
                      use_missing=case % 5 > 0, linear_tree=case % 7 == 3)
        data = lightgbm.Dataset(x, y, categorical_feature=[1, 2])
        booster = lightgbm.train(params, data, random.randint(1, 14))
        text = booster.model_to_string()
        rows = rows_of_categories(random, x)
        sums = booster.predict(rows, raw_score=True, num_threads=1)
        if "average_output" in text:
            sums = sums / booster.current_iteration()
        compare("lightgbm, categories", f"case {case}, {params}", text.encode(), rows, sums, sums, None,
                booster.num_trees(), way(text, rows) if params["linear_tree"] else 0)


def catboost_categories():
    import catboost
    import pandas

    def pool(x, y=None):
        """What is no whole number from 0 is a category that nobody knows."""
        text = lambda v: str(int(v)) if 0 <= v < 1e15 else "none"
        frame = {f"f{j}": [text(v) for v in x[:, j]] if j % 3 else x[:, j] for j in range(4)}
        return catboost.Pool(pandas.DataFrame(frame), y, cat_features=[1, 2])

    path = os.path.join(os.path.dirname(os.environ["ANSWERS"]), "catboost.json")
    for case in range(MODELS // 2):
        random = random_of(15, case)
        x, y = categories(random, False)
        if case % 2:
            x[random.uniform(size=len(x)) < 0.1, 0] = np.nan
        params = dict(depth=random.randint(1, 8), one_hot_max_size=255, thread_count=1, random_seed=case,
                      nan_mode=choose(random, "Min", "Max"), learning_rate=random.uniform(0.05, 1),
                      loss_function=choose(random, "RMSE", "MAE", "Quantile"),
                      iterations=random.randint(1, 20))
        model = catboost.CatBoostRegressor(verbose=False, allow_writing_files=False, **params)
        model.fit(pool(x, y))
        model.save_model(path, format="json")
        with open(path, "rb") as file:
            text = file.read()
        splits = [(f["flat_feature_index"], b) for f in json.loads(text)["features_info"]["float_features"]
                  for b in f.get("borders") or []]
        rows = rows_of_categories(random, x, False)
        for i in range(0, 500, 2 if splits else 500):
            feature, at = splits[random.randint(len(splits))] if splits else (0, 0.0)
            step = random.randint(4)
            rows[i, feature] = (np.nextafter(F32(at), F32(np.inf)) if step == 0 else
                                np.nextafter(F32(at), F32(-np.inf)) if step == 1 else
                                np.nan if step == 2 else at)
        sums = model.predict(pool(rows), prediction_type="RawFormulaVal", thread_count=1)
        compare("catboost", f"case {case}, {params}", text, rows, sums, sums, None, model.tree_count_)


for job in (xgboost_models, sklearn_models, lightgbm_models, xgboost_categories, lightgbm_categories,
            catboost_categories):
    try:
        job()
    except ImportError as error:
        print("  skipped: trees of a peer that is not here:", error)
table.end()
