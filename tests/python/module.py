# module.py COMMAND - the module sooth, against the `sooth` command, and what is worked out here by hand.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import copy
import csv
import itertools
import os
import pickle
import subprocess
import sys
import tempfile
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
top = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)
runs = pandas.read_csv(os.path.join(top, "examples", "scale", "data", "titanx.csv"))
X, y, program = runs[["mem_mhz", "core_mhz", "time_ms"]], runs["power_w"], runs["program"]
rng = np.random.default_rng(1)
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


def files_go_both_ways():
    here = sooth.Forest(n_estimators=7).fit(X, y)
    here.save("forest.sooth")
    run("predict", "forest.sooth", data(runs), "-o", "out.csv", "--force")
    with open("out.csv") as file:
        by_command = np.array([row["predicted_power_w"] for row in csv.DictReader(file)], np.float32)
    assert np.array_equal(by_command, here.predict(X).astype(np.float32))
    loaded = sooth.load("forest.sooth")
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
                                (sooth.MLP(optimiser="lbfgs"), 1e-4)):
            rows, target = rng.random((40, 5)), rng.random(40)
            weight = rng.integers(1, 4, 40)
            weighted = clone(estimator).fit(rows, target, sample_weight=weight).predict(rows)
            repeated = clone(estimator).fit(rows.repeat(weight, 0), target.repeat(weight)).predict(rows)
            off = np.abs(weighted - repeated).max()
            assert off <= most, f"{type(estimator).__name__}: {off}"


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
    refused("carries no interval", sooth.Linear().fit(rows, target).predict_interval, new)
    refused("level is 0.2", sooth.Linear(interval=0.2).fit, rows, target)


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


def another_library_s_calls_are_refused():
    source = open(sooth.__file__).read().replace("_CALLS = 1 ", "_CALLS = 2 ")
    os.makedirs("other", exist_ok=True)
    open("other/sooth.py", "w").write(source)
    surroundings = dict(os.environ, SOOTH_LIBRARY=sooth._library._name, PYTHONPATH=".")
    out = subprocess.run([sys.executable, "-c", "import sooth"], cwd="other", capture_output=True, text=True,
                         env=surroundings)
    assert out.returncode != 0
    assert "has version 1 of its calls, but sooth.py is for 2" in out.stderr, out.stderr


tests = [f for name, f in list(globals().items()) if name not in ("run", "data", "refused") and
         callable(f) and getattr(f, "__module__", "") == "__main__"]
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
