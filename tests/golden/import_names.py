#!/usr/bin/env python3
"""Trains small models of frames with categories, stopped early, and of other forms; keeps what they predict.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Writes tests/golden/import_names_*.{txt,json,ubj} and import_names.h: cells as a CSV file holds them, and the answers of
the library for them, read as pandas reads them. Run in tests/golden with a Python that has lightgbm, xgboost, scikit-learn and
pandas.
"""
import json
import re

import lightgbm
import numpy as np
import pandas as pd
import xgboost
from sklearn.ensemble import HistGradientBoostingRegressor

from sklearn_to_json import to_json

F32 = np.float32
cases = []


def c_text(cell):
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '\\"' else f"\\{b:03o}" for b in cell.encode()) + '"'


def number(v):
    text = repr(float(F32(v)))
    return text + "f" if "." in text or "e" in text else text + ".0f"


def add(name, ending, data, rows, answers, targets=1, all_trees=0):
    """rows: lists of cells, texts; answers: a float for each target of each row."""
    file = f"import_names_{name}.{ending}"
    if not all_trees:
        with open(file, "wb") as out:
            out.write(data)
    cells = ", ".join(c_text(cell) for row in rows for cell in row)
    values = ", ".join(number(v) for v in np.asarray(answers, F32).ravel())
    cases.append((name + ("_" + ending if ending != "txt" else "") + ("_all" if all_trees else ""), file, len(rows), len(rows[0]), targets,
                  all_trees, cells, values))


def typed(v, cells):
    """The column of a frame: categories where `v` has them, else numbers; a cell that is no category is unseen."""
    if not isinstance(v.dtype, pd.CategoricalDtype):
        return pd.Series([float(c) if c else np.nan for c in cells])
    known = list(v.cat.categories)
    if all(isinstance(k, str) for k in known):
        values = cells
    elif isinstance(known[0], (bool, np.bool_)):
        values = [dict(true=True, false=False).get(c.lower()) for c in cells]
    else:
        values = [value_of(c) for c in cells]
    return pd.Series(pd.Categorical([known[known.index(c)] if c in known else None for c in values], categories=known, ordered=v.cat.ordered))


def value_of(cell):
    """The number of a cell: an integer exactly; None if it is none."""
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return None


random = np.random.RandomState(3)
N = 400


def frame_of(**columns):
    return pd.DataFrame({k: v for k, v in columns.items()})


def ask(df, rows):
    return pd.DataFrame({name: typed(df[name], [r[j] for r in rows]) for j, name in enumerate(df)})


def rows_for(df, special, count=14):
    """Cells: of the frame, then the special ones by column."""
    rows = []
    for i in range(count):
        row = []
        for name in df:
            v = df[name][random.randint(N)]
            row.append(str(v) if isinstance(df[name].dtype, pd.CategoricalDtype) else repr(float(v)))
        rows.append(row)
    for name, cells in special.items():
        for cell in cells:
            row = list(rows[random.randint(count)])
            row[list(df).index(name)] = cell
            rows.append(row)
    return rows


x = random.uniform(size=N).astype(F32).astype(float)
threads = random.choice([1, 2, 4, 8, 16], N)
apps = random.choice(["lu", "cg", 'f"t', "m\u00fc", "1.0"], N)
GHz = random.choice([1.5, 2.0, 40.0, 1e22], N)
turbo = random.choice([True, False], N)
size = random.choice(["S", "M", "L"], N)
y = np.sqrt(threads) * 3 + (apps == "lu") * 4 + (apps == "1.0") * 7 + (GHz == 40) * 5 + turbo * 2 + (size == "L") * 6 + x + random.normal(size=N) / 10
P = dict(objective="regression", num_leaves=6, min_data_in_leaf=5, min_data_per_group=5, cat_smooth=1, verbosity=-1, num_threads=1, deterministic=True,
         learning_rate=0.5)


def lightgbm_text(booster):
    """The file without what import does not read."""
    text = booster.model_to_string()
    head, tail = text.split("\nfeature_importances")
    return head + "\n\nparameters:\n" + "".join(re.findall(r"^\[categorical_feature.*\n", tail, re.M)) + "end of parameters\n" + "".join(
        re.findall(r"^\npandas_categorical.*\n?", tail, re.M))


def lightgbm_case(name, df, target, special, rounds=4, **params):
    category = params.pop("categorical_feature", "auto")
    booster = lightgbm.train(dict(P, **params), lightgbm.Dataset(df, target, categorical_feature=category), rounds)
    text = lightgbm_text(booster)
    rows = rows_for(df, special)
    again = lightgbm.Booster(model_str=text)
    add(name, "txt", text.encode(), rows, again.predict(ask(df, rows)))


C = pd.Categorical
lightgbm_case("numbers", frame_of(threads=C(threads), x=x), y, {"threads": ["4.0", "04", "1.600e+01", "+8.00", "3", "", "x"]})
lightgbm_case("texts", frame_of(x=x, app=C(apps), plain=threads), y, {"app": ["lu", "1", "1.0", "LU", "", "unseen"]})
lightgbm_case("mixed", frame_of(size=C(size, categories=["S", "M", "L"], ordered=True), GHz=C(GHz), x=x, turbo=C(turbo), app=C(apps), threads=C(threads),
                                one=C(["k"] * N)), y,
              {"GHz": ["2", "40", "4.000e+01", "1e22", "10000000000000000000000", "1.50", "2.5"], "turbo": ["True", "FALSE", "true", "yes"],
               "size": ["S", "M", "L", "XL", ""]}, rounds=6, num_leaves=8)
lightgbm_case("listed", frame_of(x=x, app=C(apps), threads=threads, size=C(size, categories=["S", "M", "L", "XL"], ordered=True)), y,
              {"app": ["1.0"], "threads": ["8", "3", "16"], "size": ["S", "L", "XL"]}, categorical_feature=["app", "threads"])
lightgbm_case("codes", frame_of(x=x, threads=threads), y, {"threads": ["8", "3", "16"]}, categorical_feature=["threads"])

# linear_tree: trees of one leaf, whose file has is_linear=1
lx = random.uniform(size=(N, 2)).astype(F32)
ly = 3 * lx[:, 0] + 1
LINEAR = dict(P, linear_tree=True, min_data_in_leaf=5, min_gain_to_split=300, learning_rate=1.0)
for name, more, target in (("gbdt", {}, ly), ("dart", dict(boosting="dart", drop_rate=0.5), ly), ("goss", dict(data_sample_strategy="goss"), ly),
                           ("rf", dict(boosting="rf", bagging_fraction=0.5, bagging_freq=1), ly), ("poisson", dict(objective="poisson"), ly),
                           ("binary", dict(objective="binary"), ly > 2), ("constant", {}, ly * 0 + 3)):
    for gain in (300, 40, 5000):
        booster = lightgbm.train(dict(LINEAR, **dict(dict(min_gain_to_split=gain), **more)), lightgbm.Dataset(lx, target, feature_name=["a", "b"]), 3)
        leaves = re.findall("^num_leaves=(.*)", booster.model_to_string(), re.M)
        if "1" in leaves:
            break
    rows = [[repr(float(v)) for v in row] for row in lx[:6]]
    add("linear_" + name, "txt", lightgbm_text(booster).encode(), rows, booster.predict(lx[:6].astype(float)))
    print("linear", name, leaves)


# Columns whose doubles floats merge. The cells are integers or decimals as a table has them.
def doubles_case(name, columns, target, ask_of, rounds=5, refused=False, model=None):
    frame = frame_of(**columns)
    rows = [[repr(v) for v in row] for row in ask_of]
    cells = np.array([[float(v) for v in row] for row in rows])
    if model is None:
        booster = lightgbm.train(dict(P, min_data_in_leaf=1, max_bin=1000, min_data_in_bin=1, learning_rate=0.7), lightgbm.Dataset(frame, target), rounds)
        data, ending, predict = lightgbm_text(booster).encode(), "txt", booster.predict
    else:
        model.fit(frame.values, target)
        data, ending, predict = to_json(model).encode(), "json", model.predict
    if refused:
        with open(f"import_names_refused_{name}.{ending}", "wb") as out:
            out.write(data)
    else:
        add(name, ending, data, rows, predict(cells))


seconds = 1700000000 + np.arange(N)
dates = np.array([int(pd.Timestamp("2025-11-03").to_pydatetime().__add__(pd.Timedelta(days=int(d))).strftime("%Y%m%d")) for d in random.randint(0, 90, N)])
step = np.where(seconds < 1700000137, 3.0, 9.0) + np.where(seconds > 1700000301, 4.0, 0.0)
around = sorted({s + d for s in (1700000000, 1700000136, 1700000137, 1700000138, 1700000301, 1700000399) for d in (-1, 0, 1)})
doubles_case("seconds", dict(start=seconds, x=x), step + x, [(s, 0.25) for s in around] + [(1700000136.499, 0.75), (1600000000, 0.75), (9e12, 0.5), (0, 0.5)])
doubles_case("before", dict(start=-seconds), step, [(-s,) for s in around])
doubles_case("dates", dict(day=dates, x=x), (dates % 7) * 1.0, [(int(d), 0.5) for d in sorted(set(dates))[::3]])
millis = 1700000000000 + 1000 * np.arange(N) + random.randint(1000, size=N)
doubles_case("millis", dict(ms=millis, x=x), np.sin(np.arange(N) / 9), [(int(m) + d, 0.5) for m in millis[::40] for d in (-1, 0, 1)])
week = np.concatenate([1700000000000 + np.arange(200), 1700000000000 + 6 * 10**8 + np.arange(200)])
doubles_case("week", dict(ms=week), np.where(week % 10**8 < 100, 3.0, 9.0), [], refused=True)
close = np.array([0.3, 0.3 + 1e-10, 0.3 + 2e-10, 5.0] * 100)
doubles_case("close", dict(ratio=close), np.array([1.0, 7.0, 3.0, 4.0] * 100), [], refused=True)
histogram = HistGradientBoostingRegressor(max_iter=5, learning_rate=0.7, max_leaf_nodes=6, min_samples_leaf=1)
doubles_case("histogram", dict(start=seconds, x=x), step + x, [(s, 0.25) for s in around], model=histogram)
doubles_case("one_split", dict(start=seconds), np.where(seconds < 1700000137, 3.0, 9.0), [(s,) for s in around], rounds=1)


# XGBoost
def xgboost_case(name, booster, df, rows, endings=("json", "ubj"), targets=1, best=None):
    matrix = xgboost.DMatrix(ask(df, rows), enable_categorical=True)
    for ending in endings:
        data = bytes(booster.save_raw(ending))
        rounds = (0, best + 1) if best is not None else (0, 0)
        add(name, ending, data, rows, booster.predict(matrix, iteration_range=rounds), targets)
        if best is not None:
            add(name, ending, data, rows, booster.predict(matrix, iteration_range=(0, booster.num_boosted_rounds())), targets, 1)


X = dict(tree_method="hist", max_depth=3, nthread=1, eta=0.5, max_cat_to_onehot=1, seed=1)
ascii = ["mg" if not a.isascii() else a for a in apps]  # XGBoost stores other names cut short
ids = random.choice([1, 2, 3, 8, 16], N)
df = frame_of(x=x, app=C(ascii), threads=C(threads), big=C(ids + 9007199254740992))
booster = xgboost.train(X, xgboost.DMatrix(df, y + 9 * (ids == 2) - 9 * (ids == 8), enable_categorical=True), 3)
rows = rows_for(df, {"app": ["lu", "1", "1.0", "LU", ""], "threads": ["4.0", "+8.00", "3", ""], "big": ["9007199254740993", "9007199254740994", "9007199254740997"]})
xgboost_case("named", booster, df, rows)
latin = xgboost.train(dict(X, max_depth=1), xgboost.DMatrix(frame_of(x=x, app=C(apps)), y, enable_categorical=True), 1)
for ending in ("json", "ubj"):
    with open("import_names_refused_latin." + ending, "wb") as out:
        out.write(bytes(latin.save_raw(ending)))

numbers = frame_of(a=x, b=random.uniform(size=N).astype(F32).astype(float))
two = np.stack([y, 3 - 2 * x], axis=1)
noise = x + 2 * random.normal(size=N)
rows = rows_for(numbers, {}, 6)
split = lambda a, t: (xgboost.DMatrix(a[:200], t[:200]), [(xgboost.DMatrix(a[200:], t[200:]), "held")])
train, held = split(numbers, noise)
booster = xgboost.train(dict(X, max_depth=2, num_parallel_tree=2, subsample=0.7), train, 30, evals=held, early_stopping_rounds=3, verbose_eval=False)
xgboost_case("best", booster, numbers, rows, best=booster.best_iteration)
train, held = split(numbers, two + 1.2 * random.normal(size=two.shape))
booster = xgboost.train(dict(X, max_depth=2, num_parallel_tree=3, subsample=0.7), train, 30, evals=held, early_stopping_rounds=2, verbose_eval=False)
print("best of targets", booster.best_iteration, booster.num_boosted_rounds())
xgboost_case("parallel", booster, numbers, rows, ("json",), 2, booster.best_iteration)
booster = xgboost.train(dict(X, max_depth=2, num_parallel_tree=2, subsample=0.7, booster="dart", rate_drop=0.5), xgboost.DMatrix(numbers, two), 3)
xgboost_case("parallel_dart", booster, numbers, rows, ("ubj",), 2)

with open("import_names.h", "w") as out:
    out.write(f"/* import_names.h - what LightGBM {lightgbm.__version__} and XGBoost {xgboost.__version__} (and histograms of scikit-learn) predict for cells: see import_names.py, which wrote "
              "this.\n * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */\n")

    def wrap(text):
        lines, line = [], "   "
        for word in re.findall(r'(?:"[^"]*"|[^", ]+)', text):
            if len(line) + len(word) > 106:
                lines.append(line)
                line = "   "
            line += " " + word + ","
        return "\n".join(lines + [line])

    for name, file, rows, cols, targets, all_trees, cells, values in cases:
        out.write(f"static const char *const names_{name}_cells[] = {{\n{wrap(cells)}\n}};\n")
        out.write(f"static const float names_{name}_answers[] = {{\n{wrap(values)}\n}};\n")
    out.write("#define IMPORT_NAMES \\\n" + ", \\\n".join(
        f'    {{"{file}", {rows}, {cols}, {targets}, {all_trees}, names_{name}_cells, names_{name}_answers}}' for name, file, rows, cols, targets, all_trees, *_ in cases)
        + "\n")
print(len(cases), "cases")
