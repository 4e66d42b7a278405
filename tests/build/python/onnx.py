# onnx.py COMMAND FOLDER... - exported ONNX files in onnxruntime, against the library's own predictions: of
# the kept models in the folders, and of models of every kind that are fitted here. Trees that come back with
# sooth import, and trees that onnxruntime reads in files of skl2onnx if that is here.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import glob
import os
import subprocess
import sys
import tempfile
import warnings

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if path != here]  # skl2onnx needs another onnx

import numpy as np
import onnxruntime
import pandas

import sooth

command, folders = os.path.abspath(sys.argv[1]), [os.path.abspath(folder) for folder in sys.argv[2:]]
rng = np.random.default_rng(5)
work = tempfile.mkdtemp()
passed = failed = 0
refusals = {}


def check(what, holds):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"  FAILED  {what}")


def exported(path):
    """A session of one thread, which keeps the order of sums; None if the model is refused."""
    out = os.path.join(work, "m.onnx")
    said = subprocess.run([command, "export", path, "--to", "onnx", "-o", out, "--force"],
                          capture_output=True, text=True)
    if said.returncode:
        refusals[os.path.basename(path)] = said.stderr
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(out, options, providers=["CPUExecutionProvider"])


def rows_of(model, count=200):
    """Rows in and around the range of training, and the texts of their categories."""
    told = model.describe(json=True)["features"]
    x, texts = np.empty((count, model.n_features), np.float32), {}
    for j in range(model.n_features):
        f = told[j] if j < len(told) else {}
        least, most = f.get("least"), f.get("most")
        least, most = (0.0, 1.0) if least is None or most is None else (least, most)
        x[:, j] = least + (most - least) * (1.3 * rng.random(count) - 0.15)
        levels = model._levels_of(j)
        if levels is not None:
            names = levels.names + ["never seen", ""]
            texts[j] = np.array([names[k] for k in rng.integers(len(names), size=count)], object)
            x[:, j] = [levels.code(name) for name in texts[j]]
    if "category_sets" in model.describe(json=True) and not texts:
        x = np.floor(x)  # codes of categories, of which the file has no names
    if model.describe(json=True)["model"] in ("tree", "forest", "boost"):
        holes = rng.random(x.shape) < 0.1
        holes[:, list(texts)] = False
        x[holes] = np.nan
    return x, texts


def asked(session, x, texts):
    inputs = session.get_inputs()
    if [i.name for i in inputs] == ["X"] and not texts:
        return session.run(None, {"X": x})[0]
    columns = {i.name: (texts[j] if j in texts else x[:, j]).reshape(-1, 1) for j, i in enumerate(inputs)}
    return session.run(None, columns)[0]


def compare(what, path, exact, most=4):
    """The same bits, or within so many units in the last place of the largest prediction."""
    session = exported(path)
    if session is None:
        return
    with open(path, "rb") as file:
        model = sooth.Model(file.read())
    x, texts = rows_of(model)
    ours = model.predict_rows(x).reshape(len(x), -1)
    theirs = asked(session, x, texts)
    check(f"{what}: shape {theirs.shape}", theirs.shape == ours.shape and theirs.dtype == np.float32)
    check(f"{what}: missing values", (np.isnan(ours) == np.isnan(theirs)).all())
    if exact:
        check(f"{what}: other bits", np.array_equal(ours.view(np.uint32), theirs.view(np.uint32)))
        return
    ulp = np.nanmax(np.abs(ours - theirs.astype(np.float64))) / np.spacing(np.nanmax(np.abs(ours)))
    check(f"{what}: off by {ulp} units, at most {most} are allowed", ulp <= most)


# ---- kept models ----

EXACT = {"boost", "boost_leaves_3", "boost_quantiles", "boost_symmetric", "tree", "tree_bare_3",
         "tree_interval", "tree_sets", "tree_sets_3"}
REFUSED = {
    "linear leaves": {"boost_planes", "forest_planes", "tree_planes", "tree_sets_planes"},
    "several quantiles": {"boost_quantiles_4"},
    "integer weights": {f"network{of}_{bits}_bits" for of in ("", "_logistic", "_wide") for bits in (8, 16)},
    "calibrated probability": {"linear_sigmoid", "tree_isotonic"},
    "products of columns": {"linear_products"},
    "sum of columns": {"boost_ratio"},
    "models of kind": {"best_adapts", "best_geometric", "gauss", "gauss_inducing", "law_power", "law_time",
                       "law_usl", "rules", "rules_zero", "vectors", "vectors_linear", "vectors_polynomial"},
}
names = set()
for folder in folders:
    for path in sorted(glob.glob(os.path.join(folder, "*.sooth"))):
        name = os.path.basename(path)[:-6]
        if name.startswith(("integers_", "probability_")) or name == "encode":
            continue  # which are no models
        names.add(name)
        compare(f"kept {name}", path, name in EXACT, 8)
for words, which in REFUSED.items():
    for name in which & names:
        said = refusals.pop(name + ".sooth", "")
        check(f"kept {name} is refused: {said}", words in said and "ONNX" in said)
check(f"no other kept model is refused: {refusals}", not refusals and len(names) > 40)

# ---- models fitted here: missing values, sets of categories, names, transforms, constants ----

n = 600
table = pandas.DataFrame({"app": rng.choice(["gzip", "xz", "a,b", "\u00fc\"", " "], n),
                          "size": 1e4 * rng.random(n), "node": pandas.Categorical(rng.integers(0, 40, n)),
                          "threads": rng.integers(1, 9, n)})
seconds = table["size"] / table["threads"] * (1 + table["app"].str.len()) + 9 * table["node"].astype(int)
holes = table.assign(size=table["size"].where(rng.random(n) > 0.2))
late = seconds > seconds.median()
numbers = table[["size", "threads"]]
for what, model, X, y, exact, most in (
        ("boosting", sooth.Boost(n_estimators=300), holes, seconds, True, 0),
        ("one tree", sooth.Tree(), holes, seconds, True, 0),
        ("numbers alone", sooth.Boost(n_estimators=100), holes[["size", "threads"]], seconds, True, 0),
        ("statistics of levels", sooth.Boost(n_estimators=50, encode="target"), holes, seconds, True, 0),
        ("codes of levels", sooth.Tree(encode="ordinal"), table, seconds, True, 0),
        ("a constant", sooth.Boost(n_estimators=5), numbers, seconds * 0 + 7, True, 0),
        ("a constant tree", sooth.Tree(), numbers, seconds * 0 + 7, True, 0),
        ("a forest", sooth.Forest(n_estimators=50), holes, seconds, False, 4),
        ("two targets", sooth.Forest(n_estimators=20), holes, pandas.DataFrame({"a": seconds, "b": -seconds}),
         False, 4),
        ("classes", sooth.BoostClassifier(n_estimators=50), holes, late, False, 2),
        ("counts", sooth.Boost(n_estimators=50, loss="poisson"), holes, seconds, False, 4),
        ("logarithms of the target", sooth.Boost(n_estimators=50, transforms="log-target"), holes, seconds,
         False, 4),
        ("a plane", sooth.Linear(), table, seconds, False, 4),
        ("a plane of logarithms", sooth.Linear(transforms="log,standard,clip,log-target"), numbers, seconds,
         False, 16),
        ("a network", sooth.MLP(epochs=5), table, seconds, False, 16),
        ("a network of tanh", sooth.MLP(epochs=5, activation="tanh", output="positive"), numbers, seconds,
         False, 16)):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y).save(os.path.join(work, "here.sooth"))
    compare(what, os.path.join(work, "here.sooth"), exact, most)
check(f"none of these is refused: {refusals}", not refusals)

# ---- import: exported trees come back with their bits, and files of skl2onnx have those of onnxruntime ----


def imported(onnx):
    """The model of an ONNX file, or what the command says of it."""
    out = os.path.join(work, "m.sooth")
    said = subprocess.run([command, "import", onnx, "-o", out, "--force"], capture_output=True, text=True)
    return said.stderr if said.returncode else sooth.load(out)


back, other = 0, {}
for folder in folders:
    for path in sorted(glob.glob(os.path.join(folder, "*.sooth"))):
        name = os.path.basename(path)[:-6]
        if name not in EXACT or exported(path) is None:
            continue
        with open(path, "rb") as file:
            model = sooth.Model(file.read())
        again, x = imported(os.path.join(work, "m.onnx")), rows_of(model)[0]
        if isinstance(again, str):
            other[name] = again
            continue
        back += 1
        check(f"{name} comes back", np.array_equal(model.predict_rows(x).view(np.uint32),
                                                   again.predict_rows(x).view(np.uint32)))
check(f"trees come back: {back}, {other}",
      back >= 3 and all("BRANCH_MEMBER" in said for said in other.values()))

try:
    from skl2onnx import to_onnx
    from sklearn import ensemble, tree
except ImportError as error:
    print(f"  skipped: files of skl2onnx ({error})")
else:
    X = rng.normal(size=(n, 4)).astype(np.float32)
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
    for model, target, columns in (
            (tree.DecisionTreeRegressor(max_leaf_nodes=60, random_state=1), y, [0]),
            (ensemble.RandomForestRegressor(30, random_state=1), np.stack([y, 1 - y], 1), [0, 1]),
            (ensemble.ExtraTreesRegressor(100, max_depth=9, random_state=1), y, [0]),
            (ensemble.GradientBoostingRegressor(n_estimators=200, random_state=1), y, [0]),
            (ensemble.RandomForestClassifier(20, max_depth=5, random_state=1), y > 0, [1]),
            (ensemble.RandomForestClassifier(20, max_depth=5, random_state=1), np.digitize(y, [-1, 0, 1]),
             range(4))):
        onnx = os.path.join(work, "skl.onnx")
        with open(onnx, "wb") as file:
            file.write(to_onnx(model.fit(X, target), X[:1], options={"zipmap": False} if "Class" in str(model)
                               else None).SerializeToString())
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
        splits = np.concatenate([e.tree_.threshold[e.tree_.feature == 0] for e in
                                 np.ravel(getattr(model, "estimators_", [model]))]).astype(np.float32)
        x = rng.normal(size=(3000, 4)).astype(np.float32)
        x[:, 0] = rng.choice(splits, 3000)  # on a threshold, or next to one
        x[1::3, 0], x[2::3, 0] = np.nextafter(x[1::3, 0], -9), np.nextafter(x[2::3, 0], 9)
        want, again = session.run(None, {"X": x})[-1][:, columns], imported(onnx)
        check(f"{model}: {again}", not isinstance(again, str))
        if not isinstance(again, str):
            got = again.predict_rows(x).reshape(len(x), -1)
            check(f"{model}: other bits", np.array_equal(got.view(np.uint32), want.view(np.uint32)))

print(f"onnx (onnxruntime {onnxruntime.__version__}): {passed} passed, {failed} failed")
sys.exit(failed > 0)
