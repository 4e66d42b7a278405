# module.py COMMAND - the module sooth, against the `sooth` command, and what is worked out here by hand.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import copy
import csv
import inspect
import itertools
import json
import multiprocessing
import os
import pickle
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings

import numpy as np
import pandas
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sooth

command = os.path.abspath(sys.argv[1])
top = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, os.pardir)
runs = pandas.read_csv(os.path.join(top, "examples", "scale", "data", "titanx.csv"))
X, y, program = runs[["mem_mhz", "core_mhz", "time_ms"]], runs["power_w"], runs["program"]
rng = np.random.default_rng(1)
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.chdir(tempfile.mkdtemp())


def run(*arguments):
    return subprocess.run([command, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def data(table, name="data.csv"):
    table.to_csv(name, index=False)
    return name


def refused(words, call, *arguments, error=ValueError, **named):
    try:
        call(*arguments, **named)
    except error as said:
        assert words in str(said), f"{said!r} does not say {words!r}"
        return
    raise AssertionError(f"nothing was refused, but {words!r} was expected")


# ---- the command ----


def fitted_here_and_by_the_command_are_the_same_bytes():
    table = data(runs)
    for name, model, options in (("Tree", "tree", {"max_depth": 5}),
                                 ("Boost", "boost", {"n_estimators": 20, "learning_rate": 0.3, "lambda_": 0.5,
                                                     "grow_policy": "lossguide"}),
                                 ("ExtraTrees", "extratrees", {"n_estimators": 5, "seed": 3}),
                                 ("MLP", "mlp", {"hidden_1": 8, "epochs": 20}), ("Linear", "linear", {}),
                                 ("SVR", "svr", {"C": 10.0}), ("SOFNN", "sofnn", {"max_rules": 4}),
                                 ("Gauss", "gauss", {"max_points": 100, "inducing": 20})):
        words = [w for k, v in options.items() for w in ("--set", f"{k.rstrip('_')}={v}")]
        run("fit", table, "--target", "power_w", "--model", model, "--folds", 0, "-o", "c.sooth", "--force",
            *words)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            here = getattr(sooth, name)(**options).fit(X, y)
        assert here.model_.bytes == open("c.sooth", "rb").read(), name


def intervals_of_programs_are_the_command_s():
    run("fit", data(runs), "--target", "power_w", "--model", "boost", "--set", "n_estimators=20",
        "--folds", 0, "--group", "program", "--interval", 0.8, "--transform", "log-target", "-o", "i.sooth",
        "--force")
    here = sooth.Boost(n_estimators=20, interval=0.8, transforms="log-target").fit(X, y, groups=program)
    assert here.model_.bytes == open("i.sooth", "rb").read()
    run("predict", "i.sooth", "data.csv", "-o", "out.csv", "--force")
    out = pandas.read_csv("out.csv", dtype=str)
    low, high = here.predict_interval(X).T
    for what, values in (("predicted", here.predict(X)), ("low", low), ("high", high)):
        by_command = out[what + "_power_w"].astype(np.float32).to_numpy()
        assert np.array_equal(by_command, values.astype(np.float32)), what
    words = np.array(["inside", "edge", "outside"])
    assert (words[here.trust(X)] == out["trust"]).all()
    assert list(here.trust(X.assign(mem_mhz=1e6))[:2]) == [2, 2]


def ratios_are_the_command_s_and_multiples_of_the_sum():
    law = "2.5*core_mhz+time_ms+100"
    run("fit", data(runs), "--target", "power_w", "--features", ",".join(X), "--model", "boost", "--set",
        "n_estimators=20", "--folds", 0, "--group", "program", "--ratio-to", law, "-o", "r.sooth", "--force")
    estimator = sooth.Boost(n_estimators=20, ratio_to=law)
    assert estimator.fit(X, y, groups=program).model_.bytes == open("r.sooth", "rb").read()
    form = (100 + 2.5 * X["core_mhz"] + X["time_ms"]).to_numpy()
    left = sooth.Boost(n_estimators=20).fit(X, np.log(y / form)).predict(X)
    assert np.allclose(estimator.fit(X, y).predict(X), np.exp(left) * form, rtol=1e-3)
    longer = X.assign(time_ms=1e6)
    assert np.allclose(estimator.predict(longer) / estimator.predict(X.assign(time_ms=X["time_ms"].max())),
                       (form - X["time_ms"] + 1e6) / (form - X["time_ms"] + X["time_ms"].max()), rtol=1e-5)
    refused("which is no column", sooth.Boost(ratio_to="nothing").fit, X, y)
    refused("no transforms", estimator.fit, X, y, X_val=X, y_val=y)


def a_teacher_is_the_command_s():
    run("fit", data(runs), "--target", "power_w", "--features", ",".join(X), "--model", "tree", "--set",
        "max_leaves=31", "--teacher", "xgboost", "-o", "t.sooth", "--force", "--json")
    taught = sooth.Tree(max_leaves=31, teacher="xgboost").fit(X, y)
    alone = sooth.Tree(max_leaves=31).fit(X, y)
    kept = sooth.load("t.sooth").predict(X)
    assert not np.array_equal(taught.predict(X), alone.predict(X))
    assert any(np.array_equal(kept, one.predict(X)) for one in (taught, alone))
    refused("a quantile excludes a teacher", sooth.Boost(loss="quantile", teacher="linear").fit, X, y)


def later_rows_are_the_command_s():
    when = np.arange(len(X)) * 7 % 53
    days = pandas.Timestamp("2026-01-01") + pandas.to_timedelta(when, "D")
    table = data(runs.assign(when=when))
    run("fit", table, "--target", "power_w", "--features", ",".join(X), "--model", "boost", "--set",
        "n_estimators=20", "--folds", 0, "--time", "when", "--interval", 0.8, "-o", "l.sooth", "--force")
    estimator = sooth.Boost(n_estimators=20, interval=0.8)
    for times in (when, days.to_numpy(), list(when.astype(float))):
        assert estimator.fit(X, y, times=times).model_.bytes == open("l.sooth", "rb").read()
    assert estimator.describe(json=True)["intervals"][0]["promise"] == "later rows"
    run("fit", table, "--target", "power_w", "--features", ",".join(X), "--set", "effort=low", "--time",
        "when", "-o", "l.sooth", "--force")
    assert sooth.Best(effort="low").fit(X, y, times=when).model_.bytes == open("l.sooth", "rb").read()
    refused("not on both", estimator.fit, X, y, groups=program, times=when)
    refused("times has the shape (3,), but X has 416 rows", estimator.fit, X, y, times=[1, 2, 3])
    refused("times holds a missing value", estimator.fit, X, y, times=[np.nan] * len(X))


def files_go_both_ways():
    here = sooth.Forest(n_estimators=7).fit(X, y)
    here.save("forest.sooth")
    run("predict", "forest.sooth", data(runs), "-o", "out.csv", "--force")
    with open("out.csv") as file:
        by_command = np.array([row["predicted_power_w"] for row in csv.DictReader(file)], np.float32)
    assert np.array_equal(by_command, here.predict(X).astype(np.float32))
    loaded = sooth.load("forest.sooth").model_
    assert np.array_equal(loaded.predict(X), by_command) and loaded.predict(X).dtype == np.float32
    assert loaded.feature_names == list(X.columns) and loaded.target_names == ["power_w"]
    assert loaded.describe() == run("describe", "forest.sooth").split("\n", 1)[1] or \
        loaded.describe() in run("describe", "forest.sooth")
    assert loaded.describe(json=True)["features"]


def every_option_of_the_command_s_help_is_a_parameter():
    for name in ("Linear", "Tree", "Forest", "Boost", "MLP", "SVR", "Gauss", "SOFNN", "Scaling"):
        parameters = set(getattr(sooth, name)().get_params())
        said = run("help", getattr(sooth, name)._kind).split("default", 1)[1]
        lines = said.split("\n\n")[0].split("\n")[1:]
        options = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "}
        assert len(options) > 4 or name == "Scaling"
        assert options <= {p.rstrip("_") for p in parameters}, options - parameters
        assert all(option in getattr(sooth, name).__doc__ for option in options)


# ---- as an estimator ----


def pickles_are_the_bytes():
    model = sooth.Boost(n_estimators=30).fit(X, y)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.model_.bytes == model.model_.bytes
        assert np.array_equal(other.predict(X), model.predict(X)) and other.get_params() == model.get_params()
    extra = len(pickle.dumps(model.model_)) - len(model.model_.bytes)
    assert 0 < extra < 100, extra


def workers_change_no_bit():
    for estimator in (sooth.Forest(n_estimators=12, interval=0.9, folds=3), sooth.Boost(n_estimators=12)):
        one = clone(estimator).fit(X, y)
        for workers in (2, 3, -1):
            more = clone(estimator).set_params(n_jobs=workers).fit(X, y)
            assert more.model_.bytes == one.model_.bytes
            big = pandas.concat([X] * 20)
            assert np.array_equal(more.predict(big), one.predict(big))
    refused("n_jobs is 0", sooth.Tree(n_jobs=0).fit, X, y)


def pipelines_and_searches_take_it():
    scores = cross_val_score(make_pipeline(StandardScaler(), sooth.SVR(C=100.0)), X, y,
                             groups=program, cv=GroupKFold(4))
    assert scores.shape == (4,) and np.isfinite(scores).all()
    mixed = X.sample(frac=1, random_state=0)
    search = GridSearchCV(sooth.Tree(), {"max_depth": [1, 8]}, cv=3).fit(mixed, y.loc[mixed.index])
    assert search.best_params_ == {"max_depth": 8}
    assert sooth.Forest(n_estimators=20).fit(X, y).score(X, y) > 0.95


def columns_are_known_by_their_names():
    model = sooth.Tree().fit(X, y)
    assert list(model.feature_names_in_) == list(X.columns) and model.n_features_in_ == 3
    swapped = X[["core_mhz", "mem_mhz", "time_ms"]]
    refused("feature names", model.predict, swapped)
    assert np.array_equal(model.model_.predict(swapped), model.predict(X))  # a file finds them by name
    refused("columns that are not there: time_ms", model.model_.predict, swapped.drop(columns="time_ms"))
    refused("rows of 3 features", model.model_.predict, np.zeros((2, 4)))
    assert model.model_.target_names == ["power_w"]
    both = sooth.Forest(n_estimators=5).fit(X[["mem_mhz", "core_mhz"]], runs[["power_w", "time_ms"]])
    assert both.predict(X[["mem_mhz", "core_mhz"]]).shape == (len(X), 2)
    assert both.model_.target_names == ["power_w", "time_ms"]


def missing_values_take_their_way():
    holes = X.mask(rng.random(X.shape) < 0.2)
    for name in ("Tree", "Forest", "ExtraTrees", "Boost"):
        model = getattr(sooth, name)().fit(holes, y)
        assert np.isfinite(model.predict(holes)).all()
    refused("NaN", sooth.Linear().fit, holes, y)


def weights_are_repetitions():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for estimator, most in ((sooth.Linear(), 1e-6), (sooth.Tree(max_depth=3), 1e-6),
                                (sooth.Boost(), 1e-5), (sooth.SVR(tolerance=1e-9), 1e-5),
                                (sooth.SOFNN(), 1e-6), (sooth.SOFNN(order="zero"), 1e-6),
                                (sooth.MLP(optimiser="lbfgs"), 1e-4)):
            rows, target = rng.random((40, 5)), rng.random(40)
            weight = rng.integers(1, 4, 40)
            weighted = clone(estimator).fit(rows, target, sample_weight=weight).predict(rows)
            repeated = clone(estimator).fit(rows.repeat(weight, 0), target.repeat(weight)).predict(rows)
            off = np.abs(weighted - repeated).max()
            assert off <= most, f"{type(estimator).__name__}: {off}"


# ---- categories ----

effect = {"gpu": 5, "cpu": 1, "tpu": 9, "fpga": 3, "npu": 7, "dsp": 2, "soc": 6}


def jobs(n=900):
    """Jobs on devices, whose seconds go up with size and depend on the device."""
    table = pandas.DataFrame({"device": rng.choice(list(effect), n), "size": rng.random(n),
                              "threads": rng.integers(1, 9, n)})
    seconds = table["device"].map(effect) + 3 * table["size"] * (table["threads"] < 5)
    return table.astype({"device": "category"}), pandas.Series(seconds + rng.normal(size=n) / 20, name="s")


def reordered(table, *more):
    return table.assign(device=pandas.Categorical(table["device"].astype(str),
                                                  [*more, *sorted(effect, key=effect.get)]))


def categories_are_known_by_their_names():
    rows, seconds = jobs()
    for name in ("Tree", "Forest", "ExtraTrees", "Boost", "Linear", "SVR", "MLP", "SOFNN"):
        model = getattr(sooth, name)().fit(rows[:600], seconds[:600])
        said = model.predict(rows)
        assert model.score(rows[600:], seconds[600:]) > 0.9, name
        assert sorted(model.model_.categories["device"]) == sorted(effect)
        for other in (reordered(rows), reordered(rows, "abacus"), rows.astype({"device": str})):
            assert np.array_equal(said, model.predict(other)), name
        loaded = pickle.loads(pickle.dumps(model)).model_
        assert np.array_equal(loaded.predict(reordered(rows)[["size", "threads", "device"]]), said)
        codes = rows.assign(device=rows["device"].map(model.model_.categories["device"].index).astype(float))
        assert np.array_equal(loaded.to_rows(rows), codes.to_numpy(np.float32))
        assert np.array_equal(loaded.predict_rows(codes.to_numpy(np.float32)), said)
        if name not in ("Linear", "SVR", "MLP", "SOFNN"):
            missing = model.predict(rows[:9].assign(device=pandas.Categorical([np.nan] * 9, ["gpu"])))
        unseen = model.predict(rows[:9].assign(device=pandas.Categorical(["abacus"] * 9)))
        assert np.isfinite(unseen).all()
        assert name in ("Linear", "SVR", "MLP", "SOFNN") or np.array_equal(missing, unseen)
        refused("is of categories, but of numbers", model.predict, rows.assign(size=rows["device"]))
    from sklearn.ensemble import HistGradientBoostingRegressor
    theirs = HistGradientBoostingRegressor(categorical_features=[True, False, False])
    coded = rows.assign(device=rows["device"].cat.codes)
    theirs = theirs.fit(coded[:600], seconds[:600]).score(coded[600:], seconds[600:])
    assert abs(theirs - sooth.Boost().fit(rows[:600], seconds[:600]).score(rows[600:], seconds[600:])) < 0.01


def categories_are_the_command_s():
    rows, seconds = jobs()
    data(rows.assign(s=seconds), "jobs.csv")
    for name, options in (("Boost", {"n_estimators": 20}), ("Forest", {"n_estimators": 5}),
                          ("Boost", {"n_estimators": 20, "encode": "target"}), ("Linear", {})):
        model = getattr(sooth, name)(**options).fit(rows.astype({"size": np.float32}), seconds)
        encode = options.pop("encode", "target" if name == "Linear" else "native")
        run("fit", "jobs.csv", "--target", "s", "--model", model._kind, "--folds", 0, "--categorical",
            "device", "--encode", encode, "-o", "j.sooth", "--force", *[w for k, v in options.items()
                                                              for w in ("--set", f"{k}={v}")])
        by_command = sooth.load("j.sooth").model_
        assert by_command.categories == model.model_.categories
        assert np.allclose(by_command.predict(rows), model.predict(rows), rtol=1e-5), name


def categories_and_groups_are_exact():
    ids = [16777216, 16777217, 864691135341199281, 864691135341199282]
    texts = ["007", "7", "3.10", "3.1"]
    for levels, called in ((ids, [str(i) for i in ids]), (texts, texts), ([True, False], ["True", "False"]),
                           ([3.1, 3.25, 1e-3, 2.0], ["3.1", "3.25", "0.001", "2"])):
        rows = pandas.DataFrame({"lib": pandas.Categorical([levels[i % len(levels)] for i in range(200)]),
                                 "x": [float(i * 7 % 10) for i in range(200)]})
        seconds = np.array([10.0 * 2 ** (i % len(levels)) for i in range(200)])
        model = sooth.Boost(n_estimators=60, learning_rate=0.3).fit(rows, seconds)
        assert sorted(model.model_.categories["lib"]) == sorted(called)
        assert np.allclose(model.predict(rows), seconds, rtol=1e-2), levels
        alone = rows.iloc[1:2].astype({"lib": object})  # a file of one row, that pandas reads as an object
        alone["lib"] = alone["lib"].astype("category")
        assert np.allclose(model.predict(alone), seconds[1], rtol=1e-2), levels
        model.save("exact.sooth")
        table = pandas.DataFrame({"lib": [called[i % len(called)] for i in range(8)], "x": rows["x"][:8]})
        run("predict", "exact.sooth", data(table, "exact.csv"), "-o", "exact_out.csv", "--force")
        with open("exact_out.csv") as file:  # the command knows the same names
            predicted = [float(row["predicted_target"]) for row in csv.DictReader(file)]
        assert np.allclose(predicted, seconds[:8], rtol=1e-2)
    assert sooth._level(np.float32(3.1)) == "3.1" and sooth._level(np.float32(3)) == sooth._level(3.0) == "3"
    grid = rng.random((120, 2))
    target = grid[:, 0] + rng.normal(size=120) / 9
    for names in (np.arange(16777216, 16777228), np.array([864691135341199281 + k for k in range(12)]),
                  [f"{k:03d}" for k in range(12)], [2 ** 60 + k if k else 0.5 for k in range(12)]):
        groups = [names[i % 12] for i in range(120)]
        by_name = sooth.Boost(n_estimators=5, interval=0.9).fit(grid, target, groups=groups).model_.bytes
        by_number = sooth.Boost(n_estimators=5, interval=0.9).fit(grid, target, groups=np.arange(120) % 12)
        assert by_name == by_number.model_.bytes


def said_by(call, *arguments, **named):
    """What a call returns, and its warnings, which name this file."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        out = call(*arguments, **named)
    assert all(w.filename == __file__ for w in told), [w.filename for w in told]
    return out, [str(w.message) for w in told]


def levelled(values, dtype="category", name="v", n=60):
    """Rows with these values in turn, and targets that tell them apart: 10, 20, 40, ..."""
    column = pandas.Series([values[i % len(values)] for i in range(n)]).astype(dtype)
    rows = pandas.DataFrame({name: column, "x": [float(i * 7 % 10) for i in range(n)]})
    return rows, np.array([10.0 * 2 ** (i % len(values)) for i in range(n)])


def numbers_stand_for_their_own_text_alone():
    def fit(*table, **more):
        return sooth.Boost(n_estimators=60, learning_rate=0.3).fit(*table, **more)

    model = fit(*levelled(["7", "8", "v1"]))
    for asked in ([7, 8], [7.0, 8.0], np.array([7, 8], np.float32), pandas.array([7, 8], "Int64")):
        out, told = said_by(model.predict, pandas.DataFrame({"v": asked, "x": [1.0, 2.0]}))
        assert np.allclose(out, [10, 20], rtol=1e-2) and not told, (asked, told)
    for levels, cell, shown in ((["007", "8"], "007", '"007"'), (["007", "7"], "007", '"7", "007"'),
                                (["3.10", "3.1"], "3.10", '"3.1", "3.10"'), (["7.0", "x"], "7.0", '"7.0"'),
                                (["1e3", "a"], "1e3", '"1e3"'),
                                (["+5", "5"], "5", '"5", "+5"'), ([".5", "a"], ".5", '".5"'),
                                (["true", "no"], "true", '"true"'),
                                (["True", "TRUE"], "TRUE", '"True", "TRUE"'),
                                (["9007199254740993", "a"], "9007199254740992.0", '"9007199254740993"')):
        rows, seconds = levelled(levels)
        model = fit(rows, seconds)
        with open("asked.csv", "w") as file:
            file.write(f"v,x\n{cell},1\n{cell},2\n")
        new = pandas.read_csv("asked.csv")
        assert new["v"].dtype.kind in "ifb", levels
        for ask in (model.predict, model.model_.predict, model.trust, model.explain):
            refused(f"but its levels are texts: {shown}; read the column as text: pandas.read_csv(..., "
                    'dtype={"v": str})', ask, new)
        refused("its levels are texts", fit, rows, seconds, X_val=new, y_val=[1.0, 2.0])
        out, told = said_by(model.predict, pandas.read_csv("asked.csv", dtype={"v": str}))
        if cell in levels:
            assert np.allclose(out, 10.0 * 2 ** levels.index(cell), rtol=1e-2) and not told
    # a number that only shares its float with a level is another one; an unused category is not asked for
    model = fit(*levelled(["9007199254740993", "a"]))
    _, told = said_by(model.predict, pandas.DataFrame({"v": [9007199254740992], "x": [1.0]}))
    assert "unknown levels" in told[0]
    model = fit(*levelled(["007", "7"]))
    unused = pandas.DataFrame({"v": pandas.Categorical(["7"], [7, "7"]), "x": [1.0]})
    assert np.allclose(model.predict(unused), 20, rtol=1e-2)
    refused("which have the same name; make them texts", fit, *levelled([7, "7"]))
    new = pandas.DataFrame({"v": [None, "b"], "x": [1.0, 2]})
    _, told = said_by(fit(*levelled(["NA", "b"])).predict, new)
    assert len(told) == 1 and '1 missing cell, but "NA" is a level, which pandas.read_csv' in told[0], told


def unknown_levels_are_told_once():
    rows = pandas.DataFrame({"device": [list(effect)[i % 7] for i in range(700)], "size": np.arange(700) % 50,
                             "threads": 2, "os": ["Linux" if i % 7 == 0 else "BSD" for i in range(700)]})
    model = sooth.Boost(n_estimators=5).fit(rows.astype({"device": "category", "os": "category"}),
                                            rows["device"].map(effect))
    new = pandas.DataFrame({"device": ["gpuu", "GPU", "gpu", None, "gpuu"], "size": 0.5, "threads": 2,
                            "os": ["linux", "BSD", "BSD", "BSD", "BSD"]})
    for ask in (model.predict, model.model_.predict, model.trust, model.explain):
        _, told = said_by(ask, new)
        assert told == ['column "device" has 3 cells of unknown levels: "GPU", "gpuu"; the model has "gpu"; '
                        'column "os" has 1 cell of unknown levels: "linux"; the model has "Linux"; they '
                        "count as missing"], told
    many = pandas.concat([new.assign(device=f"q{k}", os="BSD") for k in range(9)])
    _, told = said_by(model.predict, many)
    assert 'has 45 cells of unknown levels: "q0", "q1", "q2" and 6 more; they count' in told[0], told
    assert not said_by(model.predict, new.assign(device="gpu", os="BSD"))[1]


def float32_levels_are_those_of_float64():
    for single in (np.float32, np.float64):
        rows, seconds = levelled(np.array([1.1, 2.2, 0.3, 16.5], single))
        model, told = said_by(sooth.Boost(n_estimators=60, learning_rate=0.3).fit, rows, seconds)
        assert sorted(model.model_.categories["v"]) == ["0.3", "1.1", "16.5", "2.2"]
        for other in (np.float32, np.float64, "category", "Float32", "Float64", str):
            base = levelled([1.1, 2.2, 0.3, 16.5])[0].astype({"v": float})
            out, told = said_by(model.predict, base.astype({"v": other}))
            assert np.allclose(out, seconds, rtol=1e-2) and not told, (single, other, told)
    rows, seconds = levelled([1.1, 1.100000023841858])
    refused("which have the same name", sooth.Tree().fit, rows, seconds)


def names_that_files_write_otherwise_are_told():
    def of_the_command(rows):
        out = subprocess.run([command, "predict", "written.sooth", data(rows, "written.csv"), "-o", "w.csv",
                              "--force"], check=True, capture_output=True, text=True)
        return out.stdout + out.stderr

    days = pandas.to_datetime(["2026-01-01", "2026-01-02"])
    for levels, dtype, name, cell in (([17.0, 18.0, np.nan], float, "17", "17.0"),
                                      ([1.0, 1000.0], float, "1", "1.0"), ([2.5, 3.0], float, "3", "3.0"),
                                      (list(days), "datetime64[ns]", "2026-01-01 00:00:00", "2026-01-01")):
        rows, seconds = levelled(levels, dtype)
        rows = rows.astype({"v": "category"})
        model, told = said_by(sooth.Boost(n_estimators=60, learning_rate=0.3).fit, rows, seconds)
        assert len(told) == 1 and f"has the level {name}, which to_csv writes as {cell}," in told[0], told
        assert np.allclose(model.predict(rows), seconds, rtol=1e-2)
        model.save("written.sooth")
        said = of_the_command(rows)
        assert "levels unknown to the model" in said
        if cell[-2:] == ".0":  # the command has the same hint
            assert f"it has {name}" in said, said
    for levels, dtype in (([17, 18, None], "Int64"), (["17.0", "18.0"], object), ([2.5, 0.1], float),
                          ([True, False], bool), ([16777216, 16777217], np.int64)):
        rows, seconds = levelled(levels, dtype)
        rows = rows.astype({"v": "category"})
        model, told = said_by(sooth.Boost(n_estimators=60, learning_rate=0.3).fit, rows, seconds)
        assert not told, told
        model.save("written.sooth")
        assert "unknown to the model" not in of_the_command(rows), levels
    for huge, kind in ((1e16, "float64"), (2.0 ** 53, "float64")):
        _, told = said_by(sooth.Tree().fit, *levelled([huge, 1.5]))
        assert f"has the category {int(huge)} as {kind}, which rounds integers of this size; read" in told[0]
    rows, seconds = levelled(["17.0", "18"])  # what the command learned as text, asked as a number
    data(rows.assign(s=seconds), "texts.csv")
    run("fit", "texts.csv", "--target", "s", "--model", "tree", "--categorical", "v", "--encode", "native",
        "--folds", 0, "-o", "texts.sooth", "--force")
    refused('has 17.0 as a number, but its levels are texts: "17.0"; read', sooth.load("texts.sooth").predict,
            pandas.read_csv("texts.csv"))


def dates_are_refused_with_the_cure():
    start = pandas.Series(pandas.to_datetime("2026-01-01") + pandas.to_timedelta(np.arange(60), "s"))
    seconds = np.arange(60) % 7 * 1.0
    for column in (start, start.dt.tz_localize("UTC"), start - start[0], start.astype(object),
                   start.dt.to_period("D"), start.dt.date):
        for rows in (pandas.DataFrame({"t": column}), pandas.DataFrame({"t": column, "k": 1.0})):
            refused('column "t" has dates or durations; make seconds', sooth.Tree().fit, rows, seconds)
            numbers = rows.assign(t=np.arange(60))
            model = sooth.Tree().fit(numbers, seconds)
            for ask in (model.predict, model.model_.predict):
                refused('column "t" has dates or durations', ask, rows)
            refused("has dates", sooth.Boost().fit, numbers, seconds, X_val=rows, y_val=seconds)
    refused("a column has dates", sooth.Tree().fit, start.to_numpy()[:, None], seconds)
    refused("the target has dates", sooth.Tree().fit, seconds[:, None], start.to_numpy())
    refused('column "t" has dates', sooth.Tree().fit, seconds[:, None], (start - start[0]).rename("t"))
    cured = pandas.DataFrame({"t": (start - pandas.Timestamp("1970-01-01")).dt.total_seconds()})
    assert (sooth.Tree().fit(cured, seconds).predict(cured) == seconds).all()


def texts_and_rare_levels_are_told():
    rows, seconds = jobs()
    texts = rows.assign(device=np.array(rows["device"], object))
    assert sooth.Tree().fit(texts, seconds).model_.bytes == sooth.Tree().fit(rows, seconds).model_.bytes
    refused('column "size" is of categories, but of numbers in the model',
            sooth.Tree().fit(rows, seconds).predict, rows.assign(size=texts["device"]))
    holes = rows["size"].where(rows["size"] > 0.1)
    refused("contains NaN", sooth.Linear().fit, rows.assign(size=holes), seconds)
    many = rows.assign(device=pandas.Categorical([f"host-{i % 890:050d}" for i in range(len(rows))]))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert len(sooth.Linear().fit(many, seconds).model_.categories["device"]) == 890 and not told
        more = pandas.concat([many.assign(device=many["device"].astype(str) + str(k)) for k in range(3)])
        sooth.Linear().fit(more.astype({"device": "category"}), np.tile(seconds, 3))
    assert any("had no room in the model" in str(w.message) for w in told), told


# ---- constraints, held-out rows, losses, progress ----


def monotone_means_monotone():
    rows = rng.random((300, 3))
    target = np.sin(7 * rows[:, 0]) - rows[:, 1] + rng.normal(size=300) / 5
    table = pandas.DataFrame(rows, columns=["a", "b", "c"])

    def steps(model, j):
        grid = np.tile(rows[:20, None, :], (1, 50, 1))
        grid[:, :, j] = np.linspace(0, 1, 50)
        return np.diff(model.predict(grid.reshape(-1, 3)).reshape(20, 50), axis=1)

    for name in ("Tree", "Forest", "ExtraTrees", "Boost"):
        free = getattr(sooth, name)().fit(rows, target)
        bound = getattr(sooth, name)(monotone=[1, -1, 0]).fit(rows, target)
        assert steps(free, 0).min() < 0 < steps(free, 1).max()
        assert steps(bound, 0).min() >= 0 >= steps(bound, 1).max(), name
        named = getattr(sooth, name)(monotone={"b": -1, "a": 1}).fit(table, target)
        assert np.array_equal(named.predict(table), bound.predict(rows))
    late = target > 0
    bound = sooth.BoostClassifier(monotone={"a": 1}).fit(table, late)
    assert (np.diff(bound.predict_proba(table.assign(b=0.5, c=0.5).sort_values("a"))[:, 1]) >= 0).all()
    refused("monotone names 'd'", sooth.Tree(monotone={"d": 1}).fit, table, target)
    refused("whose columns have no names", sooth.Tree(monotone={"a": 1}).fit, rows, target)
    refused("a -1, 0 or 1 for each of 3", sooth.Tree(monotone=[2, 0, 0]).fit, rows, target)
    refused("has no parameter monotone", sooth.SVR, monotone=[1], error=TypeError)


def held_out_rows_end_the_rounds():
    rows, seconds = jobs()
    seconds = seconds + rng.normal(size=len(seconds))
    split = dict(X_val=reordered(rows[600:], "abacus"), y_val=seconds[600:])
    model = sooth.Boost(n_estimators=400, learning_rate=0.5, patience=7)
    held = model.fit(rows[:600], seconds[:600], **split).validation_loss_curve_
    assert model.n_iter_ == held.argmin() + 1 and len(held) == model.n_iter_ + 7 < 400
    assert len(model.loss_curve_) == len(held)
    by_hand = np.mean((seconds[600:] - model.predict(rows[600:])) ** 2) / 2
    assert abs(held.min() - by_hand) < 1e-5 * by_hand
    same = sooth.Boost(n_estimators=model.n_iter_, learning_rate=0.5).fit(rows[:600], seconds[:600])
    assert np.array_equal(same.predict(rows), model.predict(rows)) and not hasattr(same, "loss_curve_")
    weight = rng.integers(0, 3, 300)
    once = clone(model).fit(rows[:600], seconds[:600], sample_weight_val=weight, **split)
    twice = np.repeat(np.arange(600, 900), weight)
    split = dict(X_val=rows.iloc[twice], y_val=seconds.iloc[twice])
    assert np.allclose(once.validation_loss_curve_,
                       clone(model).fit(rows[:600], seconds[:600], **split).validation_loss_curve_)
    late = np.where(seconds > 5, "late", "early")
    by_class = sooth.BoostClassifier(n_estimators=400, learning_rate=0.5).fit(
        rows[:600], late[:600], X_val=rows[600:], y_val=late[600:])
    probability = by_class.predict_proba(rows[600:])[late[600:] == "late", 1].sum()
    log_loss = -np.log(np.where(late[600:] == "late", *by_class.predict_proba(rows[600:]).T[::-1])).mean()
    assert abs(by_class.validation_loss_curve_.min() - log_loss) < 1e-4 and probability > 0
    drawn = sooth.Boost(n_estimators=400, learning_rate=0.5, patience=5, validation_fraction=0.3)
    drawn.fit(rows, seconds)
    assert drawn.n_iter_ < 400 and len(drawn.validation_loss_curve_) == drawn.n_iter_ + 5
    refused("held-out rows are for boosting", sooth.Forest().fit, rows, seconds, **split)
    refused("go with no transforms", sooth.Boost(transforms="log-target").fit, rows, seconds + 9, **split)
    refused("y_val has the shape (2,)", sooth.Boost().fit, rows, seconds, X_val=rows[:3], y_val=seconds[:2])


def squared(y, prediction):
    return prediction - y, np.ones_like(y)


def losses_of_one_s_own():
    model = sooth.Boost(n_estimators=30, loss=squared, base_score=80.0).fit(X, y)
    theirs = sooth.Boost(n_estimators=30, base_score=80.0).fit(X, y)
    assert np.array_equal(model.predict(X), theirs.predict(X))
    assert pickle.loads(pickle.dumps(model)).loss is squared and clone(model).loss is squared
    quantile = sooth.Boost(loss="quantile", quantile=0.9).fit(X, y)
    assert abs(np.mean(y <= quantile.predict(X)) - 0.9) < 0.05
    several = sooth.Boost(quantiles=[0.5, 0.9, 0.99]).fit(X, y)
    answers = several.predict(X)
    assert answers.shape == (len(X), 3) and (np.diff(answers, axis=1) >= 0).all()
    assert np.mean(answers[:, 1] == quantile.predict(X)) > 0.5  # where they do not cross
    refused("quantile 2 of quantiles is 0.5, but must be above 0.9",
            sooth.Boost(quantiles=(0.9, 0.5)).fit, X, y)
    refused("division by zero", sooth.Boost(loss=lambda t, p: 1 / 0).fit, X, y, error=ZeroDivisionError)
    refused("hessian that is 0 or more", sooth.Boost(loss=lambda t, p: (p - t, t - 1e9)).fit, X, y)
    refused("broadcast", sooth.Boost(loss=lambda t, p: (p[:2] - t[:2], 1)).fit, X, y)
    refused("patience needs", sooth.Boost(loss=squared, patience=3).fit, X, y)


def leaves_follow_newer_rows():
    """Quantiles of the same rows are the same; of newer ones they hold those, and the splits stay."""
    model = sooth.Boost(loss="quantile", quantile=0.9, subsample=1, n_estimators=60).fit(X, y)
    before = model.model_.bytes
    assert model.refit(X, y).model_.bytes == before
    assert np.mean(3 * y + 7 <= model.predict(X)) < 0.1
    model.refit(X, 3 * y + 7)
    assert abs(np.mean(3 * y + 7 <= model.predict(X)) - 0.9) < 0.05 and model.n_iter_ == 60
    least = model.predict(X)
    model.refit(X, y, decay_rate=0.5)
    assert (model.predict(X).mean() < least.mean()) and (model.predict(X).mean() > y.mean())
    several = sooth.Boost(quantiles=[0.1, 0.9], subsample=1, n_estimators=20, transforms="none,log-target")
    several.fit(X, y)
    first = several.predict(X)
    assert np.array_equal(several.refit(X, y).predict(X), first)
    late = sooth.BoostClassifier(n_estimators=20, min_child_weight=0).fit(X, y > np.median(y))
    late.refit(X, y <= np.median(y))
    assert np.mean(late.predict(X) == (y <= np.median(y))) > 0.9
    moved = sooth.Boost(n_estimators=60).fit(X, y + 1.7e9)  # a target that counts from near its values
    moved.refit(X, y + 1.7e9 + 5000)
    assert abs(moved.predict(X).mean() - y.mean() - 1.7e9 - 5000) < 1
    refused("decay is 1, but must be", model.refit, X, y, decay_rate=1)
    refused("belongs to the old leaves", sooth.Boost(interval=0.9, n_estimators=5).fit(X, y).refit, X, y)
    refused("y has", model.refit, X, y[:5])
    assert not hasattr(sooth.Forest(), "refit")


def progress_is_told_and_ctrl_c_ends_a_fit():
    told = []
    rows = rng.random((5000, 10))
    model = sooth.Boost(n_estimators=200).fit(rows, rows[:, 0] + rng.random(5000),
                                              progress=lambda stage, done: told.append((stage, done)))
    share = [done for _, done in told]
    assert {stage for stage, _ in told} == {"boosting"} and told
    assert share == sorted(share) and share[0] == 0 and share[-1] <= 1
    before = signal.getsignal(signal.SIGINT)
    for estimator in (sooth.Boost(n_estimators=1000000), sooth.Forest(n_estimators=100000, n_jobs=2),
                      sooth.Boost(n_estimators=100000, interval=0.9)):
        def interrupt(_, done):
            if done > 0:
                os.kill(os.getpid(), signal.SIGINT)
        refused("", estimator.fit, X, y, progress=interrupt, error=KeyboardInterrupt)
        assert not hasattr(estimator, "model_") and signal.getsignal(signal.SIGINT) is before

        def late():
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.3, late)  # without a callback
        timer.start()
        refused("", estimator.fit, X, y, error=KeyboardInterrupt)

    def give_up(stage, done):
        raise LookupError("enough")
    refused("enough", model.fit, X, y, progress=give_up, error=LookupError)
    assert not hasattr(model, "model_")
    assert np.isfinite(model.set_params(n_estimators=3).fit(X, y).predict(X)).all()


def threads_share_models_and_the_interpreter():
    model, big = sooth.Forest(n_estimators=40).fit(X, y), pandas.concat([X] * 20)
    said, found, done = model.predict(big), [], []
    threads = [threading.Thread(target=lambda: found.append(model.predict(big))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(np.array_equal(said, one) for one in found)
    fit = threading.Thread(target=lambda: done.append(sooth.Boost(n_estimators=4000, n_jobs=1).fit(X, y)))
    fit.start()
    turns = 0
    while fit.is_alive():  # what runs beside it, unless the fit held the interpreter
        turns += 1
    assert done and turns > 1000, turns


def tables_are_taken_as_they_are():
    from scipy import sparse
    rows = np.ascontiguousarray(X, np.float32)
    model = sooth.Boost(n_estimators=5).fit(rows, y)
    assert np.shares_memory(model._rows(rows), rows) and np.shares_memory(model.model_._rows(rows), rows)
    before = rows.copy()
    sooth.SVR().fit(rows, y).predict(rows)
    assert np.array_equal(rows, before)
    for what in (model.predict, model.model_.predict):
        refused("parse", what, sparse.csr_matrix(rows), error=TypeError)
    refused("parse", sooth.Tree().fit, sparse.csr_matrix(rows), y, error=TypeError)


# ---- several processes ----


def processes(work, ranks, *arguments):
    """What work(reduce, rank, *arguments) returns or raises in each of so many processes."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        address = one.getsockname()
    key, fork = secrets.token_bytes(16), multiprocessing.get_context("fork")
    ends = [fork.Pipe() for _ in range(ranks)]

    def run_one(rank):
        try:
            with sooth.Reducer(rank, ranks, address, key) as reduce:
                ends[rank][1].send(work(reduce, rank, *arguments))
        except Exception as error:
            ends[rank][1].send(error)

    started = [fork.Process(target=run_one, args=(rank,)) for rank in range(ranks)]
    for one in started:
        one.start()
    for one in started:
        one.join(60)
        assert one.exitcode is not None, "a process waits for ever"
    return [ends[rank][0].recv() if ends[rank][0].poll() else None for rank in range(ranks)]


def processes_learn_the_model_of_one():
    cuts = [0, 20, 21, len(X)]
    late = np.where(y > y.median(), "late", "in time")
    mixed = rng.permutation(len(X))
    rows, watts, weight = X.iloc[mixed], y.iloc[mixed], rng.integers(0, 3, len(X)).astype(float)
    weight[20] = 1  # of process 1, which has nothing else
    for estimator in (sooth.Linear(), sooth.Linear(transforms="standard,log-target"), sooth.Tree(max_depth=6),
                      sooth.Forest(n_estimators=7), sooth.ExtraTrees(n_estimators=4),
                      sooth.Boost(n_estimators=9),
                      sooth.Boost(n_estimators=9, subsample=0.6, transforms="log-target"),
                      sooth.BoostClassifier(n_estimators=9, monotone={"time_ms": 1})):
        labels = isinstance(estimator, sooth.BoostClassifier)
        forest = isinstance(estimator, (sooth.Forest, sooth.ExtraTrees))  # as many workers in each
        target = pandas.Series(late[mixed]) if labels else watts
        one = clone(estimator).fit(rows, target, weight).model_.bytes

        def work(reduce, rank):
            own = slice(cuts[rank], cuts[rank + 1])
            more = {"classes": ("in time", "late")} if labels else {}
            own_way = clone(estimator).set_params(n_jobs=2 if forest else 1 + rank % 2)
            model = own_way.fit_shard(rows[own], target[own], reduce, weight[own], **more)
            return model.model_.bytes

        for found in processes(work, 3):
            assert found == one, (estimator, found if isinstance(found, Exception) else "other bytes")


def a_process_that_fails_ends_all_with_a_sentence():
    third = len(X) // 3

    def work(reduce, rank, what):
        own, target = X[rank * third:(rank + 1) * third], y[rank * third:(rank + 1) * third].copy()
        estimator = sooth.Boost(n_estimators=9)
        if what == "a hole" and rank == 1:
            target.iloc[3] = np.nan
        if what == "other options" and rank == 2:
            estimator.set_params(max_depth=3)
        if what == "a wrong word" and rank == 2:
            estimator.set_params(max_depth="deep")
        if what == "an interval":
            estimator.set_params(interval=0.9)
        if what == "a network":
            estimator = sooth.SVR()
        if what == "it is gone" and rank == 1:
            os._exit(1)
        if what == "the hub is gone" and rank == 0:
            os._exit(1)
        if what == "it gives up" and rank == 2:
            def stop(stage, done):
                raise LookupError("enough")
            return estimator.fit_shard(own, target, reduce, progress=stop)
        return estimator.fit_shard(own, target, reduce)

    for what, words in (("a hole", "NaN"), ("other options", "different options"),
                        ("a wrong word", 'max_depth is "deep"'),
                        ("an interval", "an interval cannot be fitted to rows in several"),
                        ("a network", "support vector regression cannot be fitted to rows in several"),
                        ("it is gone", "lost the others"), ("the hub is gone", "lost the others"),
                        ("it gives up", "boosting was cancelled")):
        for rank, found in enumerate(processes(work, 3, what)):
            if what in ("it is gone", "the hub is gone") and rank == (what == "it is gone"):
                assert found is None
            elif what == "it gives up" and rank == 2:
                assert isinstance(found, LookupError), found
            else:
                assert isinstance(found, (ValueError, ConnectionError)) and words in str(found), (what, found)
    refused("rank is 3, but must be between 0 and 2", sooth.Reducer, 3, 3, ("127.0.0.1", 1), b"")
    refused("nobody listens", sooth.Reducer, 1, 2, ("127.0.0.1", 1), b"", 0.1, error=TimeoutError)
    refused("1 of 2 did not come", sooth.Reducer, 0, 2, ("127.0.0.1", 0), b"k", 0.1, error=TimeoutError)


# ---- intervals, probabilities, explanations ----


def intervals_hold_their_share():
    def draw(n):
        rows = rng.random((n, 3))
        return rows, 10 + 5 * rows[:, 0] + rng.normal(size=n)

    rows, target = draw(400)
    new, measured = draw(2000)
    for share in (0.8, 0.95):
        model = sooth.Linear(interval=share).fit(rows, target)
        low, high = model.predict_interval(new).T
        held = np.mean((low <= measured) & (measured <= high))
        assert abs(held - share) < 0.04, f"{held} of {share}"
        assert (low < model.predict(new)).all() and (model.predict(new) < high).all()
    refused("the model has no interval", sooth.Linear().fit(rows, target).predict_interval, new)
    refused("interval is 0.2", sooth.Linear(interval=0.2).fit, rows, target)


def endless_intervals_are_told():
    rows = np.arange(60, dtype=np.float32).reshape(-1, 1)
    target = 5 + rows[:, 0] % 7
    cases = ((6, 0.9, "a level of 0.9 needs 9 groups, but there are 6 (enough for 0.857)"),
             (9, 0.9, None), (6, 0.857, None), (4, 0.857, "needs 6 groups, but there are 4"),
             (10, 0.95, "needs 19 groups, but there are 10"))
    for groups, level, words in cases:
        for estimator in (sooth.Boost(n_estimators=3, interval=level), sooth.Linear(interval=level)):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                estimator.fit(rows, target, groups=np.arange(60) % groups)
            ends = estimator.predict_interval(rows[:2])
            assert np.isinf(ends[:, 1]).all() == (words is not None)
            assert len(told) == (words is not None), [str(w.message) for w in told]
            if words:
                assert told[0].category is UserWarning and words in str(told[0].message)
                assert told[0].filename == __file__, told[0].filename
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        sooth.Tree(interval=0.9).fit(rows[:5], target[:5])
        sooth.Tree(interval=0.9).fit(rows, target)
        sooth.Tree().fit(rows[:5], target[:5])
    assert [str(w.message) for w in told] == [
        "the interval is unbounded: a level of 0.9 needs 9 rows, but there are 5 (enough for 0.833)"]
    refused("no column of X is one", sooth.Boost(encode="native").fit, rows, target)


def probabilities_of_two_classes():
    rows = rng.normal(size=(600, 4))
    label = np.where(rows[:, 0] - rows[:, 1] + rng.logistic(size=600) / 2 > 0, "late", "in time")
    for model in (sooth.BoostClassifier(n_estimators=60, max_depth=3),
                  sooth.MLPClassifier(hidden_1=16, epochs=50),
                  sooth.BoostClassifier(n_estimators=60, calibrate="isotonic", folds=4)):
        model.fit(rows[:400], label[:400])
        assert list(model.classes_) == ["in time", "late"]
        probability = model.predict_proba(rows[400:])
        assert np.allclose(probability.sum(1), 1) and probability.min() >= 0
        late = label[400:] == "late"
        loss = -np.mean(np.log(np.clip(np.where(late, probability[:, 1], probability[:, 0]), 1e-6, 1)))
        assert loss < 0.55 and model.score(rows[400:], label[400:]) > 0.7, loss
        assert ((probability[:, 1] > 0.5) == (model.predict(rows[400:]) == "late")).all()
    refused("binary", sooth.BoostClassifier().fit, rows, rng.integers(0, 3, 600))
    refused("1 class", sooth.BoostClassifier().fit, rows, np.zeros(600))


def shap_values_are_shapley_s():
    rows = rng.random((60, 4))
    target = rows[:, 0] * rows[:, 1] + np.sin(5 * rows[:, 2])
    behind = rows[:7]
    for model in (sooth.Tree(max_depth=5), sooth.Forest(n_estimators=5), sooth.Boost(n_estimators=20)):
        model.fit(rows, target)
        assert abs(model.feature_importances_.sum() - 1) < 1e-6
        explained = model.explain(rows)
        assert np.allclose(explained.values.sum(1) + explained.base_values, model.predict(rows), atol=1e-5)
        # against a background: the mean over all orders of what a feature adds, with the others from there
        phi = model.shap_values(rows[10:13], background=behind)
        for i in range(3):
            def worth(known):
                mixed = behind.copy()
                mixed[:, known] = rows[10 + i, known]
                return model.predict(mixed).mean()
            by_hand = np.zeros(4)
            for order in itertools.permutations(range(4)):
                for k, j in enumerate(order):
                    by_hand[j] += (worth(list(order[:k + 1])) - worth(list(order[:k]))) / 24
            assert np.allclose(phi[i], by_hand, atol=1e-5), (phi[i], by_hand)
    refused("shap.Explainer", sooth.Linear().fit(rows, target).shap_values, rows)


# ---- mistakes ----


def mistakes_are_the_library_s_sentences():
    refused('max_depth is "deep", but must be a number', sooth.Tree(max_depth="deep").fit, X, y)
    refused("n_estimators is 0, but must be between 1", sooth.Boost(n_estimators=0).fit, X, y)
    refused("loss is hinge, but must be one of squared", sooth.Boost(loss="hinge").fit, X, y)
    refused("there is no transform cube", sooth.SVR(transforms="cube").fit, X, y)
    refused("must be one word", sooth.Boost(loss="squared seed=1").fit, X, y)
    refused("has no parameter depth", sooth.Tree, depth=3, error=TypeError)
    refused("groups has the shape", sooth.Tree().fit, X, y, groups=[1, 2])
    refused("weight", sooth.Tree().fit, X, y, sample_weight=-np.ones(len(y)))
    refused("cut short", sooth.Model, sooth.Tree().fit(X, y).model_.bytes[:-16])
    refused("", sooth.Model, b"no model")
    refused("", sooth.load, "nowhere.sooth", error=OSError)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = sooth.SVR(C=1e4, max_iter=10).fit(X, y)
    assert any("ConvergenceWarning" in str(w.category) for w in told) and np.isfinite(model.predict(X)).all()


def it_works_without_scikit_learn():
    model = sooth.Boost(n_estimators=10, interval=0.9, folds=3).fit(X.to_numpy(), y.to_numpy())
    np.save("x.npy", X.to_numpy())
    np.save("y.npy", y.to_numpy())
    script = ("import sys; sys.modules['sklearn'] = None\n"
              "import numpy, sooth, pickle\n"
              "x, y = numpy.load('x.npy'), numpy.load('y.npy')\n"
              "m = sooth.Boost(n_estimators=10).set_params(interval=0.9, folds=3).fit(x, y)\n"
              "assert m.score(x, y) > 0.5 and m.get_params()['folds'] == 3 and not hasattr(m, '_sklearn')\n"
              "late = y > y.mean()\n"
              "assert sooth.BoostClassifier(n_estimators=5).fit(x, late).score(x, late) > 0.8\n"
              "try: m.predict(x[:, :2])\n"
              "except ValueError: sys.stdout.buffer.write(pickle.loads(pickle.dumps(m)).model_.bytes)\n")
    out = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout
    assert out == model.model_.bytes


def help_says_what_everything_is():
    for name in sooth.__all__:
        it = getattr(sooth, name)
        if name == "Explanation":  # a tuple
            continue
        assert inspect.getdoc(it), name
        if not inspect.isclass(it):
            continue
        if hasattr(it, "get_params"):
            told = [line.split(" : ")[0] for line in it.__doc__.split("\n") if " : " in line]
            assert set(it().get_params()) <= set(told), set(it().get_params()) - set(told)
        for method, function in inspect.getmembers(it, inspect.isfunction):
            if method.startswith("_") or not function.__module__.startswith("sooth"):
                continue
            assert inspect.getdoc(function), f"{name}.{method}"
            named = list(inspect.signature(function).parameters.values())[1:]
            assert all(p.annotation is not p.empty for p in named), f"{name}.{method}"


def columns_that_floats_merge_count_from_another_number():
    target, i = np.repeat([3.0, 9.0, 4.0, 7.0], [7, 5, 6, 6]), np.arange(24)
    kinds = {"seconds": 1.7e9 + i, "milliseconds": 1700000000000 + i, "dates": 20260108 + i,
             "bytes": 1e12 + 4096 * i, "id53": 2 ** 53 - 12 + i, "id63": 9223372036854775000 + i,
             "unsigned": np.uint64(2 ** 63 + 5) + i.astype(np.uint64)}
    for name, column in kinds.items():
        model = sooth.Tree().fit(column[:, None], target)
        assert len(np.unique(column.astype(np.float32))) < 24
        assert (model.predict(column[:, None]) == target).all(), name
        assert (pickle.loads(pickle.dumps(model)).predict(column[:, None]) == target).all(), name
    table = pandas.DataFrame({"start": 1700000000 + i, "k": i % 3, "y": target})
    run("fit", data(table), "--target", "y", "--model", "tree", "--folds", 0, "-o", "c.sooth", "--force")
    model = sooth.Tree().fit(table[["start", "k"]], table["y"])
    assert model.model_.bytes == open("c.sooth", "rb").read()
    assert (sooth.load("c.sooth").model_.predict(table) == target).all()
    assert model.describe(json=True)["counts_from"] == [1700000000, 0, 0]
    assert "counts from 1700000000: start" in model.describe()
    assert (model.explain(table[["start", "k"]]).data[:, 0] == table["start"]).all()
    # a target: as exact as that of the centred table, in doubles
    far, near = (sooth.Linear(interval=0.8).fit(i[:, None], target + above) for above in (1e9, 0))
    assert np.abs(far.predict(i[:, None]) - 1e9 - near.predict(i[:, None])).max() < 2e-7
    ends = [model.predict_interval(i[:, None])[:, 1] for model in (far, near)]
    assert np.abs(ends[0] - 1e9 - ends[1]).max() < 1e-5
    assert far.score(i[:, None], target + 1e9) > 0.05
    # best, too, as on the command line, but for a target that spans more than a quarter of its size
    wide = np.where(i < 12, 1e9 + i, 5.0 * 2.0 ** i)
    for y, zero in ((target + 1e10, 1e10), (wide, 0)):
        best = sooth.Best(effort="low").fit(i[:, None], y)
        table = pandas.DataFrame({"start": i, "y": y})
        run("fit", data(table), "--target", "y", "--set", "effort=low", "-o", "c.sooth", "--force")
        assert np.array_equal(best.predict(i[:, None]), sooth.load("c.sooth").predict(i[:, None]))
        assert (best.model_._target_zeros() is None) == (zero == 0)
    tree = sooth.Tree().fit(i[:, None], target + 1e9)
    said = tree.explain(i[:, None])
    assert np.abs(said.values.sum(1) + said.base_values - target - 1e9).max() < 1e-6
    # ordinary columns stay as they are; where logarithms need the numbers, a warning has the cure
    assert sooth.Tree().fit(np.column_stack((2000 + i, i / 7, 300 + i / 100)), target).model_._zeros is None
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        sooth.Tree(transforms="log").fit((1.7e9 + i)[:, None], target)
    assert "column 0 (from 0) has 24 different values, which are 1 as float32" in str(told[0].message), told


def outliers_do_not_merge_the_others():
    i, target = np.arange(200), np.arange(200) % 7 * 1.0
    for name, column in {"a 0": np.where(i == 5, 0, 1700000000 + i),
                         "-1": np.where(i == 5, -1, 1700000000 + i),
                         "largest": np.where(i == 5, 2 ** 62, 1700000000 + i),
                         "as floats": np.where(i == 5, 0, 1.7e9 + i),
                         "fractions": np.where(i == 5, 0, 1.7e9 + i / 4)}.items():
        for rows in (column[:, None], column[:, None].astype(object), pandas.DataFrame({"t": column}),
                     pandas.DataFrame({"t": column}, dtype=object)):
            model, told = said_by(sooth.Tree().fit, rows, target)
            assert (model.predict(rows) == target).all() and not told, (name, told)
    ids = pandas.DataFrame({"t": pandas.array([1700000000 + k if k != 3 else None for k in i], "Int64")})
    assert (sooth.Tree().fit(ids, target).predict(ids) == target).all()
    assert sooth.Tree().fit(ids.fillna(0), target).model_._zeros[0] > 1.6e9
    # numbers that no zero keeps apart are told, and ordinary ones stay
    _, told = said_by(sooth.Tree().fit, np.where(i < 9, i, 2 ** 40 + i)[:, None], target)
    assert "which are 192 as float32, counted from 1099511627776; split the column" in told[0], told
    pairs = 2 ** 25 * (1 + i // 2) + i % 2
    _, told = said_by(sooth.Tree().fit, pairs[:, None], target)
    assert "no number to subtract keeps them apart; split the column" in told[0], told
    own = np.random.default_rng(2)
    for plain in (own.random(500), own.normal(size=500) * 1e9, own.lognormal(0, 9, 500), i % 3):
        model, told = said_by(sooth.Tree().fit, np.asarray(plain)[:, None], np.arange(len(plain)) % 5)
        assert model.model_._zeros is None and not told, told
    # a model of small numbers that is asked for large ones
    model = sooth.Tree().fit(i[:, None], target)
    _, told = said_by(model.predict, (1700000000 + i)[:, None])
    assert "200 different values, which are 3 as float32; fit the model again" in told[0], told
    _, told = said_by(model.predict, np.arange(1700000000, 1700020000)[:, None])
    assert "in the first 10000 rows column 0 (from 0) has 10000 different values" in told[0], told
    assert not said_by(model.predict, (2000 + own.random(20000).round(2))[:, None])[1]


def best_chooses_and_answers_missing_values():
    rows, seconds = jobs(300)
    model = sooth.Best(effort="low", error="mae").fit(rows, seconds)
    assert model.score(rows, seconds) > 0.95
    loaded = pickle.loads(pickle.dumps(model))
    assert np.array_equal(loaded.predict(rows), model.predict(rows))
    model.model_.save("best.sooth")
    assert "best rule" in run("describe", "best.sooth")
    assert np.array_equal(sooth.load("best.sooth").predict(rows), model.predict(rows))
    sooth.Best(effort="low", single=True).fit(rows[["size", "threads"]], seconds).model_.save("one.sooth")
    assert "the average" not in run("describe", "one.sooth")
    refused("best predicts one target", sooth.Best().fit, rows[["size"]], np.stack([seconds, seconds], 1))


def best_has_the_errors_that_the_command_prints():
    rows, seconds = jobs(200)
    data(pandas.DataFrame(rows).assign(seconds=seconds))
    for error in ("mae", "mre"):
        told = json.loads(run("fit", "data.csv", "-t", "seconds", "--model", "best", "--set", "effort=low",
                              "--set", f"error={error}", "-o", "held.sooth", "--force", "--json"))
        held = sooth.load("held.sooth").held_out_
        best = told["best"]
        assert held["measure"] == error and held["error"] == best["error"], (held, best)
        assert held["rule_error"] == best["error_of_best_rule"] and held["rule"] == best["best_rule"]
        assert held["standard_error"] == best["standard_error"] > 0, (held, best)
        assert 0 < held["share_above"] == best["share_above"] < 1, (held, best)
    model = sooth.Best(effort="low")
    assert not hasattr(model, "held_out_") and "held_out_" in sooth.Best.__doc__
    assert not hasattr(model.fit(rows, seconds), "feature_importances_")
    assert "feature_importances_" not in sooth.Best.__doc__


def constant_targets_are_learned_and_described():
    rows, _ = jobs(40)
    for model in (sooth.Best(effort="low"), sooth.Tree(), sooth.Forest(n_estimators=5), sooth.Linear(),
                  sooth.Boost(n_estimators=5), sooth.MLP(epochs=3), sooth.SVR(), sooth.Gauss(),
                  sooth.SOFNN()):
        model.fit(rows[["size", "threads"]].to_numpy(), np.full(40, 3.5))
        assert np.allclose(model.predict([[5, 7]]), 3.5), model
        assert "constant: the same in all training rows" in model.describe(), model.describe()
    assert "constant" not in sooth.Tree().fit(np.ones((9, 1)), np.arange(9)).describe()


def the_logistic_loss_has_its_own_defaults():
    own = np.random.default_rng(4)
    table, late = own.random((300, 2)), own.random(300) < 0.5
    model = sooth.BoostClassifier().fit(table, late)
    assert model.n_iter_ == 200 and model.n_estimators == 200
    words = model.model_.describe(json=True)["options"].split()
    assert "n_estimators=200" in words and "min_child_weight=1" in words, words
    same = sooth.BoostClassifier(n_estimators=200, min_child_weight=1).fit(table, late)
    assert same.model_.bytes == model.model_.bytes
    pandas.DataFrame(table).assign(late=late.astype(int)).to_csv("late.csv", index=False)
    run("fit", "late.csv", "-t", "late", "-m", "boost", "--set", "loss=logistic", "--folds", 0,
        "-o", "late.sooth", "--force")
    assert sooth.load("late.sooth").n_iter_ == 200
    # what is written counts, the defaults of the other losses too
    assert sooth.BoostClassifier(n_estimators=500).fit(table, late).n_iter_ == 500
    assert sooth.Boost(loss="logistic").fit(table, late).n_iter_ == sooth.Boost().n_estimators == 500
    none = sooth.BoostClassifier(min_child_weight=0).fit(table, late)
    assert "min_child_weight=0" in none.model_.describe(json=True)["options"].split()
    assert none.predict_proba(table).min() < model.predict_proba(table).min()
    assert sooth.Boost().fit(table, table[:, 0]).model_.bytes == sooth.Boost(min_child_weight=0).fit(
        table, table[:, 0]).model_.bytes


def texts_in_arrays_are_refused_with_the_cure():
    cells = [[1, "a"], [2, "b"], [3, "a"]]
    words = 'has the text "a", but columns of arrays and lists are numbers; give a DataFrame'
    for table in (cells, np.array(cells, object), np.array(cells)):
        refused(words, sooth.Tree().fit, table, [1, 2, 3])
    frame = pandas.DataFrame(cells)  # the cure
    assert sooth.Tree().fit(frame, [1, 2, 3]).predict(cells).tolist() == [1, 2, 3]
    plain = sooth.Tree().fit([[1, 2], [2, 3]], [1, 2])
    refused(words, plain.predict, [[1, "a"]])
    assert plain.predict([["1", "2"]]) == 1  # texts of numbers are numbers, as in scikit-learn
    refused("could not convert string to float", sooth.Tree().fit, [[1], [2]], ["p", "q"])


def models_of_scikit_learn_come_through_json():
    from sklearn.ensemble import RandomForestRegressor
    theirs = RandomForestRegressor(5, random_state=0).fit(X.astype(np.float32), y)
    with open("forest.pickle", "wb") as file:
        pickle.dump(theirs, file)
    out = subprocess.run([sys.executable, "-m", "sklearn_to_json", "forest.pickle"], check=True,
                         capture_output=True, text=True).stdout
    open("forest.json", "w").write(out)
    run("import", "forest.json", "-o", "theirs.sooth", "--force")
    assert np.allclose(sooth.load("theirs.sooth").predict(X), theirs.predict(X.astype(np.float32)), rtol=1e-6)
    assert "python3 -m sklearn_to_json MODEL.pickle" in " ".join(run("help", "import").split())


# ---- what users of other libraries look for ----


def arrays_are_read_by_names_or_refused():
    rows, seconds = jobs()
    by_name = rows.astype({"device": str}).to_numpy()
    codes = np.column_stack((rows["device"].cat.codes, rows["size"], rows["threads"]))
    for name in ("Tree", "Boost", "Linear"):
        model = getattr(sooth, name)().fit(rows, seconds)
        said = model.predict(rows)
        for one in (model, model.model_, sooth.Model(model.model_.bytes)):
            assert np.array_equal(one.predict(by_name), said.astype(np.float32))
            assert np.array_equal(one.predict(by_name[:3].tolist()), said[:3].astype(np.float32))
            refused("in an array, which is none of its levels", one.predict, codes)
            refused("in an array, which is none of its levels", one.trust, codes)
    ids = rows.assign(device=rows["device"].cat.codes + 100).astype({"device": "category"})
    model = sooth.Boost().fit(ids, seconds)  # whose levels are numbers: these are names
    assert np.array_equal(model.predict(ids.astype({"device": float}).to_numpy()), model.predict(ids))
    refused('column "device" has 7 in an array, which is none of its levels: ', model.predict, [[7, 0.5, 2]])


def levels_never_seen_are_outside():
    rows, seconds = jobs()
    new = rows[:4].assign(device=pandas.Categorical(["abacus", "gpu", np.nan, "abacus"]))
    for name in ("Tree", "Boost", "Linear", "MLP"):
        model = getattr(sooth, name)(**({"epochs": 2} if name == "MLP" else {})).fit(rows, seconds)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert model.trust(new).tolist() == [2, 0, 2, 2], name
        assert model.prepare().trust(["abacus", 0.5, 2]) == 2
    holes = rows.assign(device=rows["device"].where(rows.index % 9 > 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sooth.Boost().fit(holes, seconds).trust(new).tolist() == [2, 0, 0, 2]


def transforms_leave_the_encoding():
    rows, seconds = jobs()
    silent = sooth.Boost(n_estimators=20, transforms="log-target").fit(rows, seconds + 9)
    named = sooth.Boost(n_estimators=20, transforms="log-target", encode="native").fit(rows, seconds + 9)
    assert silent.model_.bytes == named.model_.bytes
    refused("leave that out, since trees need none, or give encode=target",
            sooth.Boost(transforms="log").fit, rows, seconds)
    data(rows.assign(s=seconds), "auto.csv")
    for name in ("Forest", "Boost", "Linear"):  # the command's default is the same
        run("fit", "auto.csv", "--target", "s", "--model", getattr(sooth, name)._kind, "--folds", 0,
            "--categorical", "device", "-o", "auto.sooth", "--force")
        by_command = sooth.load("auto.sooth").describe(json=True)["encoding"]
        assert by_command == getattr(sooth, name)().fit(rows, seconds).describe(json=True)["encoding"]


def files_are_fitted_estimators():
    rows, seconds = jobs()
    late = seconds > seconds.median()
    for model, target in ((sooth.Boost(n_estimators=20, learning_rate=0.2, interval=0.8), seconds),
                          (sooth.Forest(n_estimators=7, max_features=0.5), seconds),
                          (sooth.Tree(encode="target"), seconds), (sooth.Linear(), seconds),
                          (sooth.BoostClassifier(n_estimators=20, calibrate="sigmoid"), late)):
        model.fit(rows, target).save("f.sooth")
        loaded = sooth.load("f.sooth")
        assert type(loaded) is type(model) and loaded.get_params() == model.get_params(), loaded
        assert np.array_equal(loaded.predict(rows), model.predict(rows))
        assert list(loaded.feature_names_in_) == list(rows) and loaded.n_features_in_ == 3
        assert repr(loaded) == repr(model) and loaded.score(rows, target) == model.score(rows, target)
        assert clone(loaded).fit(rows, target).model_.bytes == model.model_.bytes


def words_of_other_libraries():
    rows, seconds = jobs()
    for seed in (3, np.int64(3)):
        a = sooth.Forest(n_estimators=5, random_state=seed).fit(rows, seconds)
        assert a.model_.bytes == sooth.Forest(n_estimators=5, seed=3).fit(rows, seconds).model_.bytes
    state = [sooth.Forest(n_estimators=2, random_state=np.random.RandomState(s)).fit(rows, seconds)
             for s in (1, 1, 2)]
    assert state[0].model_.bytes == state[1].model_.bytes != state[2].model_.bytes
    refused("random_state is 'x'", sooth.Forest(random_state="x").fit, rows, seconds)
    train, held = slice(0, 600), slice(600, None)
    by_pair = sooth.Boost(learning_rate=0.3).fit(rows[train], seconds[train],
                                                 eval_set=[(rows[held], seconds[held])])
    by_name = sooth.Boost(learning_rate=0.3).fit(rows[train], seconds[train], X_val=rows[held],
                                                 y_val=seconds[held])
    assert by_pair.model_.bytes == by_name.model_.bytes and by_pair.n_iter_ < 500
    refused("eval_set must be one pair", sooth.Boost().fit, rows, seconds, eval_set=[1, 2, 3])
    told, done = [], []
    model = sooth.Boost(n_estimators=12).fit(rows, seconds, callbacks=[told.append],
                                             progress=lambda stage, share: done.append(share))
    assert [r.step for r in told] == list(range(1, 13)) and done[-1] == 1
    assert np.array_equal([r.loss for r in told], model.loss_curve_)
    final = np.mean((model.predict(rows) - seconds) ** 2)
    assert abs(2 * told[-1].loss / final - 1) < 1e-4

    def stop(round):
        if round.step == 3:
            raise RuntimeError("enough")
    estimator = sooth.Boost()
    refused("enough", estimator.fit, rows, seconds, callbacks=[stop], error=RuntimeError)
    assert not hasattr(estimator, "model_")
    def end(round):
        if round.step == 7:
            raise StopIteration
    for make, name, labels in ((sooth.Boost, "n_estimators", seconds), (sooth.MLP, "epochs", seconds),
                               (sooth.BoostClassifier, "n_estimators", seconds > np.median(seconds))):
        whole = make(**{name: 7}).fit(rows, labels)
        for call in (end, lambda round: round.step == 7):
            ended = make().fit(rows, labels, callbacks=[call])
            assert ended.model_.bytes == whole.model_.bytes and getattr(ended, name) == getattr(make(), name)
            assert len(ended.loss_curve_) == 7
    refused("no rounds that a callback could end", sooth.SOFNN().fit, rows, seconds,
            callbacks=[lambda round: True])
    said = subprocess.run([sys.executable, "-c", "import sooth, numpy as n; sooth.Boost(n_estimators=9, "
                           "verbose=1).fit(n.eye(40), n.arange(40.))"], capture_output=True, text=True)
    assert said.stdout.endswith("boosting: 100 %\n"), said


def linear_models_have_their_plane():
    from sklearn.linear_model import LinearRegression
    table = X.assign(start=1700000000 + np.arange(len(X)) * 7 % 90)
    for target in (y, runs[["power_w", "time_ms"]], y * 1000 + 1e9):
        theirs, mine = LinearRegression().fit(table, target), sooth.Linear().fit(table, target)
        assert np.allclose(mine.coef_, theirs.coef_, rtol=1e-3, atol=1e-4 * np.abs(theirs.coef_).max())
        at_mean = mine.intercept_ + mine.coef_ @ table.mean().to_numpy()
        assert np.allclose(at_mean, np.mean(target, axis=0), rtol=1e-5)
        assert np.shape(mine.coef_) == theirs.coef_.shape
    refused("without transforms", lambda: sooth.Linear(transforms="log-target").fit(X, y).coef_)
    assert not hasattr(sooth.Linear(), "coef_")


def forests_tell_of_rows_left_out():
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.metrics import r2_score
    theirs = RandomForestRegressor(200, oob_score=True, random_state=0).fit(X, y)
    mine = sooth.Forest(n_estimators=200, oob_score=True).fit(X, y)
    assert abs(mine.oob_score_ - theirs.oob_score_) < 0.02 and mine.oob_score_ < mine.score(X, y)
    assert abs(mine.oob_score_ - r2_score(y, mine.oob_prediction_)) < 1e-6
    both = sooth.Forest(n_estimators=50, oob_score=True).fit(X[["mem_mhz", "core_mhz"]],
                                                             runs[["power_w", "time_ms"]])
    assert both.oob_prediction_.shape == (len(X), 2)
    refused("every tree takes all rows", sooth.ExtraTrees(oob_score=True).fit, X, y)
    refused("out-of-bag predictions go with no transforms",
            sooth.Forest(oob_score=True, transforms="log-target").fit, X, y)
    # Meinshausen's quantiles by hand: each leaf's rows share the vote of its tree
    model = sooth.Forest(n_estimators=9, min_samples_leaf=10, keep_rows=1).fit(X, y)
    leaves, q = model.apply(X), (0.1, 0.5, 0.9)
    assert leaves.shape == (len(X), 9)
    for i in (0, 50, 300):
        share = np.mean([(leaves[:, k] == leaves[i, k]) / np.sum(leaves[:, k] == leaves[i, k])
                         for k in range(9)], axis=0)
        order = np.argsort(y.to_numpy(), kind="stable")
        sums = np.cumsum(share[order])
        by_hand = [y.to_numpy()[order][np.flatnonzero(sums >= p - 1e-6)[0]] for p in q]
        assert np.allclose(model.predict_quantiles(X[i:i + 1], q)[0], by_hand), i
    refused("fit it with keep_rows=1", mine.predict_quantiles, X)
    refused("must be between 0 and 1", model.predict_quantiles, X, [2])


def leaves_and_stages_are_those_of_the_prediction():
    tree = sooth.Tree(max_depth=4).fit(X, y)
    said, leaf = tree.predict(X), tree.apply(X)
    assert leaf.shape == said.shape
    for one in np.unique(leaf):
        values = np.unique(said[leaf == one])
        assert len(values) == 1 and abs(y[leaf == one].mean() - values[0]) < 1e-3
    model = sooth.Boost(n_estimators=30).fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == 30 and np.array_equal(stages[-1], model.predict(X))
    for k in (1, 7):
        first = sooth.Boost(n_estimators=k).fit(X, y)
        assert np.array_equal(stages[k - 1], first.predict(X))
    label = np.where(y > y.median(), "late", "in time")
    model = sooth.BoostClassifier(n_estimators=10).fit(X, label)
    assert np.array_equal(list(model.staged_predict_proba(X))[-1], model.predict_proba(X))
    assert np.array_equal(list(model.staged_predict(X))[-1], model.predict(X))


def a_gaussian_process_tells_its_deviation():
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
    at = np.concatenate((np.linspace(0, 2, 30), np.linspace(4, 6, 30)))[:, None]
    target = np.sin(at[:, 0]) + np.random.default_rng(3).normal(size=60) / 10
    theirs = GaussianProcessRegressor(ConstantKernel() * RBF() + WhiteKernel(), normalize_y=True,
                                      n_restarts_optimizer=2, random_state=0).fit(at, target)
    model = sooth.Gauss(kernel="squared").fit(at, target)
    new = np.array([[1.0], [5.0], [3.0]])
    mean, deviation = model.predict(new, return_std=True)
    assert np.array_equal(mean, model.predict(new))
    assert np.allclose(deviation, theirs.predict(new, return_std=True)[1], rtol=0.3)
    assert deviation[2] > 1.1 * deviation[0]


def a_prepared_model_predicts_one_row():
    rows, seconds = jobs()
    for model in (sooth.Boost(n_estimators=50), sooth.Linear(), sooth.Forest(n_estimators=9)):
        ask, said = model.fit(rows, seconds).prepare(), model.predict(rows)
        for i in range(20):
            row = [rows["device"][i], rows["size"][i], rows["threads"][i]]
            assert ask(row) == said[i] and ask.trust(row) == 0
        refused("has 2 values, but must have 3", ask, [1, 2])
        refused("none of its levels", ask, [1, 2, 3])
    many = sooth.Forest(n_estimators=5).fit(X[["mem_mhz"]], runs[["power_w", "time_ms"]])
    assert np.array_equal(many.prepare()(X[["mem_mhz"]].to_numpy()[3]), many.predict(X[["mem_mhz"]])[3])
    far = pandas.DataFrame({"start": 1700000000 + np.arange(24)})
    model = sooth.Tree().fit(far, np.arange(24.) + 1e9)
    assert [model.prepare()([s]) for s in far["start"]] == (np.arange(24) + 1e9).tolist()


def shap_explains_models_with_categories():
    try:
        import shap
    except ImportError:
        return
    rows, seconds = jobs(60)
    model = sooth.MLP(epochs=20).fit(rows, seconds)
    numbers = model.to_rows(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = shap.Explainer(model.predict_rows, numbers[:20])(numbers[20:23], silent=True)
    assert np.allclose(said.base_values + said.values.sum(1), model.predict(rows)[20:23], rtol=1e-4)


def a_model_may_outlive_the_module():
    code = ("import builtins, sooth, numpy; X = numpy.eye(9); "
            "builtins.kept = sooth.Tree().fit(X, numpy.arange(9.)); "
            "builtins.asked = kept.prepare(); sooth.__dict__.clear()")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert said.returncode == 0 and said.stderr == "", said.stderr


def another_library_s_calls_are_refused():
    source = open(sooth.__file__).read().replace("_CALLS = 5 ", "_CALLS = 6 ")
    os.makedirs("other", exist_ok=True)
    open("other/sooth.py", "w").write(source)
    surroundings = dict(os.environ, SOOTH_LIBRARY=sooth._library._name, PYTHONPATH=".")
    out = subprocess.run([sys.executable, "-c", "import sooth"], cwd="other", capture_output=True, text=True,
                         env=surroundings)
    assert out.returncode != 0
    assert "has version 5 of its calls, but sooth.py is for 6" in out.stderr, out.stderr


helpers = ("run", "data", "refused", "jobs", "reordered", "squared", "processes", "said_by", "levelled")
tests = [f for name, f in list(globals().items()) if name not in helpers and
         inspect.isfunction(f) and f.__module__ == "__main__" and (not sys.argv[2:] or name in sys.argv[2:])]
passed = failed = 0
for test in tests:
    try:
        test()
        passed += 1
    except Exception:
        failed += 1
        print(f"  FAILED  {test.__name__}\n{traceback.format_exc(limit=-3)}")
print(f"module: {passed} passed, {failed} failed")
sys.exit(failed > 0)
