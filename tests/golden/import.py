#!/usr/bin/env python3
"""Writes import_*.json, .ubj and .txt, models for tests/test_import.c, and import_*.h, what they predict.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder with each Python whose libraries are wanted; it writes for those it finds:
    Debian 12's python3     xgboost 1.7.4, scikit-learn 1.2.1
    a virtual environment   xgboost 3.2.0, lightgbm 4.7.0, catboost 1.2.10, scikit-learn 1.9.1,
                            onnxruntime 1.32.0 with skl2onnx 1.20.0 and onnxmltools 1.16.0
Each case has a model, sums before the link (a hash of all bits for 10,000 rows, and the first 8), and the first 8 answers behind
the link. The rows are made from a seed by a rule that test_import.c shares: see rows(). They hold missing values (but for
cases whose library refuses them), both zeros, denormal numbers, the largest ones, and thresholds of the model with their
neighbours on both sides.
"""
import json
import os
import re
import sys

import numpy as np

from sklearn_to_json import to_json

ROWS, FEATURES, SHOWN, POOL = 10000, 5, 8, 40
F32 = np.float32


def rows(pool, seed, missing):
    """pool: (feature, bits of a float). missing: 1, values may be; 2 more, numbers go up to 2^24 only. All numbers come from a linear congruential generator modulo 2^64."""
    state = seed

    def draw():
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return state >> 32

    x = np.zeros((ROWS, FEATURES), np.uint32)
    for i in range(ROWS):
        for j in range(FEATURES):
            r = draw()
            sign = r << 31 & 0x80000000
            kind = r >> 1 & 31
            if kind == 0 and missing & 1:
                bits = 0x7FC00000
            elif kind == 1:
                bits = sign
            elif kind == 2:
                bits = sign | draw() & 0x7FFFFF
            elif kind == 3:
                bits = sign | (0x4B800000 if missing & 2 else 0x7F7FFFFF)
            else:
                bits = F32(((r >> 8) - 2**23) / 2.0**21).view(np.uint32)
            x[i, j] = bits
        for _ in range(2):
            feature, bits = pool[draw() % len(pool)]
            step = draw() % 3
            at = np.uint32(bits).view(F32)
            with np.errstate(over="ignore"):
                if step == 0:
                    at = np.nextafter(at, F32(-np.inf))
                if step == 2:
                    at = np.nextafter(at, F32(np.inf))
            if np.isfinite(at):
                x[i, feature] = at.view(np.uint32)
    return x.view(F32)


def fnv(data):
    h = 14695981039346656037
    for b in data:
        h = (h ^ b) * 1099511628211 & (2**64 - 1)
    return h


class Cases:
    """The cases of one library, and its header."""

    def __init__(self, library, version):
        self.name = f"import_{library}_{version}"
        self.text, self.cases, self.count = "", [], 0

    def save(self, name, ending, model):
        file = f"{self.name}_{name}.{ending}"
        open(file, "wb").write(model)
        return file

    def add(self, name, models, splits, margins, answers=None, missing=True, targets=1):
        """models: {ending: bytes}; splits: (feature, threshold); margins, answers: functions of rows."""
        splits = sorted({(int(f), int(F32(t).view(np.uint32))) for f, t in splits if abs(t) < 3e38})
        step = max(1, len(splits) / POOL)
        pool = [splits[int(i * step)] for i in range(int(len(splits) / step))]
        self.count += 1
        x = rows(pool, self.count, missing)
        sums = np.asarray(margins(x)).astype(F32).reshape(ROWS, targets)
        tag = f"{self.name}_{name}".replace(".", "_")
        self.text += f"static const unsigned {tag}_pool[][2] = {{\n" + wrap([f"{{{f}, 0x{b:X}}}" for f, b in pool]) + "};\n"
        self.array(tag + "_sums", sums)
        if answers is not None:
            self.array(tag + "_answers", np.asarray(answers(x)).astype(F32))
        for ending, model in models.items():
            file = self.save(name, ending, model)
            self.cases.append(f'    {{"{file}", {self.count}, {int(missing)}, {targets}, {tag}_pool, {len(pool)}, '
                              f"0x{fnv(sums.tobytes()):016X}ull, {tag}_sums, {tag + '_answers' if answers else 'NULL'}}}")

    def array(self, name, values):
        self.text += f"static const float {name}[] = {{\n" + wrap([number(v) for v in values[:SHOWN].ravel()]) + "};\n"

    def write(self):
        with open(self.name + ".h", "w") as out:
            out.write(f"/* {self.name}.h - what the models beside it predict: see import.py, which wrote this.\n")
            out.write(" * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */\n")
            out.write(self.text + f"#define {self.name.upper().replace('.', '_')} \\\n" + ", \\\n".join(self.cases) + "\n")


def number(v):
    """The shortest text of a float of C."""
    plain, short = (f(v, unique=True, trim="0") for f in (np.format_float_positional, np.format_float_scientific))
    return (plain if len(plain) < len(short) + 4 else short) + "f"


def wrap(words):
    lines, line = [], "   "
    for word in words:
        if len(line) + len(word) > 108:
            lines.append(line)
            line = "   "
        line += " " + word + ","
    return "\n".join(lines + [line]) + "\n"


# ---- training data: 5 columns, of which two are rounded; missing values where they are allowed ----

random = np.random.RandomState(11)
X = random.normal(size=(1500, FEATURES)).astype(F32)
X[:, 1] = np.round(2 * X[:, 1]) / 2
X[:, 3] = np.maximum(X[:, 3], 0)
Y = (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + 0.1 * random.normal(size=1500)).astype(F32)
HOLES = X.copy()
HOLES[random.uniform(size=X.shape) < 0.1] = np.nan
COUNTS = random.poisson(np.exp(0.5 * Y)).astype(F32)
CLASSES = (Y > 0.3).astype(F32)
MANY = np.stack([Y, 3 - 2 * Y + X[:, 4], np.cos(Y)], axis=1)

# ---- the same with categories in the columns 1 and 4 ----

CATEGORIES = {1: 9, 4: 70}
draws = np.random.RandomState(12)
KINDS = X.copy()
for column, levels in CATEGORIES.items():
    KINDS[:, column] = draws.randint(0, levels, len(X))
YK = (np.sin(2 * X[:, 0]) + sum(draws.normal(size=n)[KINDS[:, c].astype(int)] for c, n in CATEGORIES.items())).astype(F32)
KINDS_HOLES = KINDS.copy()
KINDS_HOLES[draws.uniform(size=X.shape) < 0.1] = np.nan
UNKNOWN = [(1, -1), (1, -0.5), (1, 9), (1, 31), (1, 32), (1, 0.25), (4, 69), (4, 70), (4, 95), (4, 96), (4, 1e9), (4, 3e38)]


EDGES = [0.0, -0.0, 1e-45, -1e-45, 1e-40, -1e-40, 3.4028235e38, -3.4028235e38, 1e-35, -1e-35, 1.1754944e-38]


def xgboost_cases():
    import xgboost

    cases = Cases("xgboost", xgboost.__version__)

    def trees(model):
        booster = model["learner"]["gradient_booster"]
        return booster.get("gbtree", booster)["model"]["trees"]

    def add(name, booster, kinds=("json", "ubj"), link=False, targets=1):
        model = json.loads(booster.save_raw("json"))
        splits = [(f, t) for tree in trees(model) for f, t, l, kind in
                  zip(tree["split_indices"], tree["split_conditions"], tree["left_children"], tree["split_type"]) if l >= 0 and not kind]
        if any(any(tree["split_type"]) for tree in trees(model)):
            splits = splits[:15] + [(f, draws.randint(n)) for f, n in CATEGORIES.items() for _ in range(5)] + UNKNOWN
        matrix = lambda x: xgboost.DMatrix(x, feature_names=booster.feature_names, feature_types=booster.feature_types, enable_categorical=True)
        margins = lambda x: booster.predict(matrix(x), output_margin=True)
        answers = (lambda x: booster.predict(matrix(x))) if link else None
        cases.add(name, {kind: bytes(booster.save_raw(kind)) for kind in kinds}, splits, margins, answers, targets=targets)

    def train(y, rounds, x=HOLES, **params):
        params = dict(dict(max_depth=4, eta=0.3, nthread=1, seed=1, tree_method="exact"), **params)
        return xgboost.train(params, xgboost.DMatrix(x, y, feature_names=params.pop("names", None)), rounds)

    add("squared", train(Y, 3, names=["threads", "GHz", "cache \u00b5s", 'say "8"', "back\\slash"]))
    add("logistic", train(CLASSES, 3, objective="binary:logistic", base_score=0.3, max_depth=3), ["json"], link=True)
    add("raw", train(CLASSES, 2, objective="binary:logitraw", base_score=0.3, max_depth=2), ["ubj"])
    add("poisson", train(COUNTS, 3, objective="count:poisson", base_score=1.7, max_depth=3), ["ubj"], link=True)
    add("dart", train(Y, 6, booster="dart", rate_drop=0.4, seed=3, max_depth=2))
    add("pruned", train(Y, 1, gamma=6.0, max_depth=5), ["json"])
    add("forest", train(Y, 2, num_parallel_tree=2, subsample=0.7, max_depth=3), ["ubj"])
    add("absolute", train(Y, 3, objective="reg:absoluteerror", tree_method="hist", max_depth=3), ["ubj"])
    add("targets", train(MANY, 2, tree_method="hist", max_depth=2), targets=3)
    model = json.loads(train(Y, 4, max_depth=3).save_raw("json"))
    for tree in trees(model):  # thresholds that training seldom makes
        for i, left in enumerate(tree["left_children"]):
            if left >= 0 and random.uniform() < 0.6:
                tree["split_conditions"][i] = EDGES[random.randint(len(EDGES))]
    add("edges", xgboost.Booster(model_file=bytearray(json.dumps(model).encode())), ["json"])
    if xgboost.__version__ >= "3":
        add("quantiles", train(Y, 2, objective="reg:quantileerror", quantile_alpha=[0.1, 0.5, 0.9], tree_method="hist", max_depth=2), ["ubj"], targets=3)
        refused = train(MANY, 1, tree_method="hist", max_depth=2, multi_strategy="multi_output_tree")
        cases.save("refused_vector", "json", refused.save_raw("json"))
        cases.save("refused_vector", "ubj", refused.save_raw("ubj"))
    types = ["c" if j in CATEGORIES else "q" for j in range(FEATURES)]
    matrix = xgboost.DMatrix(KINDS_HOLES, YK, feature_types=types, enable_categorical=True)
    params = dict(tree_method="hist", max_depth=3, nthread=1, seed=1)
    add("sets", xgboost.train(dict(params, max_cat_to_onehot=1), matrix, 2))
    add("one_hot", xgboost.train(dict(params, max_cat_to_onehot=99), matrix, 3), ["ubj"])
    add("sets_dart", xgboost.train(dict(params, max_cat_to_onehot=10, booster="dart", rate_drop=0.5, gamma=9.0, max_depth=4), matrix, 3), ["json"])
    cases.write()


def lightgbm_cases():
    import lightgbm

    cases = Cases("lightgbm", lightgbm.__version__)

    def numbers(text, key):
        return [v.split() for v in re.findall(f"^{key}=(.*)$", text, re.M)]

    def add(name, booster, link=False, targets=1, missing=1):
        text = booster.model_to_string(importance_type="split").split("\nfeature_importances")[0] + "\n"
        booster = lightgbm.Booster(model_str=text)
        splits = [(f, float(t)) for fs, ts, ds in zip(numbers(text, "split_feature"), numbers(text, "threshold"), numbers(text, "decision_type"))
                  for f, t, d in zip(fs, ts, ds) if not int(d) & 1]
        if "cat_threshold" in text:
            splits = splits[:15] + [(f, draws.randint(n)) for f, n in CATEGORIES.items() for _ in range(5)] + UNKNOWN
        else:
            splits += [(f, v) for f in range(FEATURES) for v in (1e-35, -1e-35)]
        margins = lambda x: booster.predict(x, raw_score="average_output" not in text, num_threads=1)
        answers = (lambda x: booster.predict(x, num_threads=1)) if link else None
        cases.add(name, {"txt": text.encode()}, splits, margins, answers, missing, targets)

    def train(y, rounds, x=HOLES, **params):
        params = dict(dict(num_leaves=12, verbosity=-1, num_threads=1, seed=1, deterministic=True, learning_rate=0.3), **params)
        return lightgbm.train(params, lightgbm.Dataset(x, y), rounds)

    add("missing", train(Y, 4))
    add("none", train(Y, 3, x=X))
    add("forest", train(Y, 4, boosting="rf", bagging_freq=1, bagging_fraction=0.6))
    add("dart", train(Y, 4, boosting="dart", num_leaves=6))
    add("poisson", train(COUNTS, 3, objective="poisson"), link=True)
    add("binary", train(CLASSES, 3, objective="binary"), link=True)
    add("constant", train(Y * 0 + 3, 2))
    classes = np.digitize(Y, [-0.5, 0.7])
    add("classes", train(classes, 2, objective="multiclassova", num_class=3, num_leaves=6), link=True, targets=3)
    text = train(Y, 7, num_leaves=8).model_to_string()
    z = float(F32(1e-35))
    edges = EDGES + [1e300, -1e300, 0.1, -0.3, z, -z, np.nextafter(z, 1), np.nextafter(-z, -1), np.nextafter(z, 0), 0.5e-35]
    for match in reversed(list(re.finditer(r"^threshold=(.*)\ndecision_type=(.*)$", text, re.M))):
        t = [edges[random.randint(len(edges))] if random.uniform() < 0.7 else float(v) for v in match[1].split()]
        kind = [int(random.choice([0, 2, 8, 10])) if random.uniform() < 0.7 else 6 if v >= -z else 4 for v in t]
        lines = "threshold=" + " ".join(repr(float(v)) for v in t) + "\ndecision_type=" + " ".join(map(str, kind))
        text = text[:match.start()] + lines + text[match.end():]
    text = re.sub(r"^tree_sizes=.*\n", "", text, flags=re.M)
    add("edges", lightgbm.Booster(model_str=text))
    add("linear", train(Y, 3, linear_tree=True, linear_lambda=0.01, num_leaves=5), missing=3)
    add("linear_poisson", train(COUNTS, 3, objective="poisson", linear_tree=True, num_leaves=4), link=True, missing=3)
    save = lambda name, booster: cases.save(
        "refused_" + name, "txt", (booster.model_to_string().split("\nfeature_importances")[0] + "\n").encode())
    save("zero", train(Y + (X[:, 3] == 0), 4, zero_as_missing=True, num_leaves=5, x=X))
    def kinds(rounds, x=KINDS_HOLES, **params):
        params = dict(dict(num_leaves=9, verbosity=-1, num_threads=1, deterministic=True, min_data_per_group=5, cat_smooth=1), **params)
        return lightgbm.train(params, lightgbm.Dataset(x, YK, categorical_feature=list(CATEGORIES)), rounds)

    add("sets", kinds(4))
    add("sets_none", kinds(3, x=KINDS, max_cat_to_onehot=20))
    add("sets_linear", kinds(2, linear_tree=True, num_leaves=5), missing=3)
    text = kinds(4, num_leaves=6).model_to_string()  # what is missing counts as by no split today, whatever its type says
    for match in reversed(list(re.finditer(r"^decision_type=(.*)$", text, re.M))):
        kind = " ".join(str(int(v) & 1 or int(v)) if int(v) & 8 or not int(v) & 1 else str(int(v) | int(draws.choice([0, 4, 8]))) for v in match[1].split())
        text = text[:match.start()] + "decision_type=" + kind + text[match.end():]
    add("sets_types", lightgbm.Booster(model_str=re.sub(r"^tree_sizes=.*\n", "", text, flags=re.M)))
    cases.write()


def catboost_cases():
    import catboost
    import pandas

    cases = Cases("catboost", catboost.__version__)

    def frame(x):
        """Categories as the texts of whole numbers; what is none is unknown."""
        text = lambda v: str(int(v)) if v >= 0 and v < 1e15 else "none"
        return pandas.DataFrame({f"f{j}": [text(v) for v in x[:, j]] if j in CATEGORIES else x[:, j] for j in range(FEATURES)})

    def add(name, model, kinds, link=None, targets=1, missing=1):
        model.save_model("model.json", format="json")
        data = json.load(open("model.json"))
        os.remove("model.json")
        for key in set(data["model_info"]) - {"params"}:
            del data["model_info"][key]
        data["model_info"]["params"] = {"loss_function": data["model_info"]["params"]["loss_function"]}
        splits = [(f["flat_feature_index"], b) for f in data["features_info"]["float_features"] for b in f.get("borders") or []]
        if kinds:
            splits = splits[:12] + [(f, draws.randint(n)) for f, n in CATEGORIES.items() for _ in range(6)] + UNKNOWN
        pool = (lambda x: catboost.Pool(frame(x), cat_features=list(CATEGORIES))) if kinds else (lambda x: x)
        predict = lambda kind: lambda x: model.predict(pool(x), prediction_type=kind, thread_count=1)
        answers = predict(link) if link else None
        if link == "Probability":
            answers = lambda x: model.predict_proba(pool(x), thread_count=1)[:, 1]
        text = re.sub(r"\n *(?=[-0-9.\]])", " ", json.dumps(data, indent=1))
        cases.add(name, {"json": text.encode()}, splits, predict("RawFormulaVal"), answers, missing, targets)

    def train(y, rounds, kinds=True, x=None, cls=catboost.CatBoostRegressor, **params):
        params = dict(dict(depth=3, one_hot_max_size=255, thread_count=1, random_seed=1, verbose=False, allow_writing_files=False), **params)
        model = cls(iterations=rounds, **params)
        x = x if x is not None else KINDS if kinds else HOLES
        return model.fit(catboost.Pool(frame(x), y, cat_features=list(CATEGORIES)) if kinds else catboost.Pool(x, y))

    holes = KINDS.copy()
    for column in (0, 2, 3):
        holes[:, column] = HOLES[:, column]
    add("numbers", train(Y, 5, False), False)
    add("sets", train(YK, 8, x=holes), True)
    add("above", train(YK, 5, x=holes, nan_mode="Max", depth=4), True)
    add("complete", train(Y, 4, False, x=X), False)
    add("poisson", train(COUNTS, 4, False, loss_function="Poisson"), False, "Exponent")
    add("logistic", train((YK > 0).astype(int), 6, cls=catboost.CatBoostClassifier), True, "Probability")
    add("many", train(MANY, 3, False, loss_function="MultiRMSE"), False, targets=3)
    scaled = train(YK, 3, depth=2)
    scaled.set_scale_and_bias(0.5, -2.25)
    add("scaled", scaled, True)
    cases.write()


def sklearn_cases():
    import sklearn
    from sklearn.ensemble import (ExtraTreesRegressor, GradientBoostingRegressor, HistGradientBoostingRegressor,
                                  RandomForestRegressor)
    from sklearn.tree import DecisionTreeRegressor

    cases = Cases("sklearn", sklearn.__version__)
    new = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)

    def add(name, model, missing, edges=False, link=False):
        text = to_json(model)
        data = json.loads(text)
        splits = [(f, t) for tree in data["trees"] for f, t, l in zip(tree["feature"], tree["threshold"], tree["left"]) if l >= 0]
        margins = model._raw_predict if link else model.predict
        cases.add(name, {"json": text.encode()}, splits, margins, model.predict if link else None, missing, data["targets"])

    tree = DecisionTreeRegressor(max_leaf_nodes=25, random_state=1).fit(HOLES if new else X, Y)
    add("tree", tree, new)
    model = DecisionTreeRegressor(max_leaf_nodes=40, random_state=1).fit(X, Y)
    model.tree_.threshold[model.tree_.children_left >= 0] = random.choice(EDGES + [0.1, 1 / 3, 1e-50, -1e-50], 39)
    add("edges", model, False)
    add("forest", RandomForestRegressor(5, max_leaf_nodes=8, random_state=1).fit(HOLES if new else X, Y), new)
    add("many", ExtraTreesRegressor(3, max_leaf_nodes=8, random_state=1).fit(HOLES if new else X, MANY), new)
    add("boosting", GradientBoostingRegressor(n_estimators=4, max_depth=3, random_state=1).fit(X, Y), False)
    add("huber", GradientBoostingRegressor(n_estimators=4, max_depth=2, loss="huber", random_state=1).fit(X, Y), False)
    add("histogram", HistGradientBoostingRegressor(max_iter=5, max_leaf_nodes=8, random_state=1).fit(HOLES, Y), True)
    model = HistGradientBoostingRegressor(max_iter=4, max_leaf_nodes=6, loss="poisson", random_state=1).fit(HOLES, COUNTS)
    add("poisson", model, True, link=True)
    cases.write()


def onnx_cases():
    """Files of converters, and files of every branch mode, against ONNX Runtime with one thread."""
    import lightgbm
    import onnx
    import onnxruntime
    import xgboost
    from onnx import TensorProto, helper, numpy_helper
    from onnxmltools import convert_lightgbm, convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType as Floats
    from skl2onnx import convert_sklearn
    from skl2onnx.common.data_types import FloatTensorType
    from sklearn import ensemble

    cases = Cases("onnx", onnxruntime.__version__)
    draw = np.random.RandomState(13)

    def attributes(node):
        return {a.name: helper.get_attribute_value(a) for a in node.attribute}

    def run(model, x):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        entry = session.get_inputs()[0]
        out = session.run(None, {entry.name: x.astype(np.float64) if "double" in entry.type else x})[-1]
        return np.array([[row[k] for k in sorted(row)] for row in out]) if isinstance(out, list) else out

    def model_of(node, kind=TensorProto.FLOAT, out=TensorProto.FLOAT, version=1):
        graph = helper.make_graph([node], "trees", [helper.make_tensor_value_info("X", kind, [None, FEATURES])],
                                  [helper.make_tensor_value_info("Y", out, None)])
        return helper.make_model(graph, ir_version=10,
                                 opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", version)])

    def regressor(a, **changes):
        return helper.make_node("TreeEnsembleRegressor", ["X"], ["Y"], domain="ai.onnx.ml", **{**a, **changes})

    def add(name, model, targets=1, missing=True):
        """With a link, the sums are those of the same trees in a regressor without one."""
        node = next(n for n in model.graph.node if n.op_type.startswith("TreeEnsemble"))
        a = attributes(node)
        values = next(a[k] for k in ("nodes_values", "nodes_values_as_tensor", "nodes_splits") if k in a)
        values = numpy_helper.to_array(values) if isinstance(values, TensorProto) else values
        linked = any(n.op_type in ("Exp", "Sigmoid") for n in model.graph.node) or a.get("post_transform") == b"LOGISTIC"
        plain = model
        if linked:
            plain = {k.replace("class_", "target_"): v for k, v in a.items() if not k.startswith(("classlabels", "post"))}
            plain = model_of(regressor(dict(plain, n_targets=1)))
        sums = lambda x: run(plain, x)[:, -targets:]
        cases.add(name, {"onnx": model.SerializeToString()}, zip(a["nodes_featureids"], values), sums,
                  (lambda x: run(model, x)[:, -targets:]) if linked else None, missing, targets)

    def sklearn_model(model, y):
        return convert_sklearn(model.fit(X, y), initial_types=[("X", FloatTensorType([None, FEATURES]))],
                               target_opset={"": 18, "ai.onnx.ml": 1})

    def xgboost_model(kind, y, **params):
        model = kind(tree_method="exact", random_state=1, **params).fit(HOLES, y)
        return convert_xgboost(model, initial_types=[("X", Floats([None, FEATURES]))])

    def lightgbm_model(y, **params):
        params = dict(dict(num_leaves=8, verbosity=-1, num_threads=2, seed=1, deterministic=True), **params)
        booster = lightgbm.train(params, lightgbm.Dataset(HOLES, y), 4)
        return convert_lightgbm(booster, initial_types=[("X", Floats([None, FEATURES]))], zipmap="objective" not in params)

    forest = ensemble.RandomForestRegressor(5, max_leaf_nodes=8, random_state=1)
    add("forest", sklearn_model(forest, Y))
    add("many", sklearn_model(ensemble.ExtraTreesRegressor(3, max_leaf_nodes=6, random_state=1), MANY), 3)
    add("boosting", sklearn_model(ensemble.GradientBoostingRegressor(n_estimators=5, max_depth=2, random_state=1), Y))
    add("two", sklearn_model(ensemble.GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=1), CLASSES))
    add("share", sklearn_model(ensemble.RandomForestClassifier(4, max_leaf_nodes=6, random_state=1), CLASSES))
    add("thirds", sklearn_model(ensemble.RandomForestClassifier(3, max_leaf_nodes=6, random_state=1), np.digitize(Y, [-0.5, 0.7])), 3)
    add("xgboost", xgboost_model(xgboost.XGBRegressor, Y, n_estimators=4, max_depth=3))
    add("pruned", xgboost_model(xgboost.XGBRegressor, Y, n_estimators=3, max_depth=4, gamma=20))
    add("logistic", xgboost_model(xgboost.XGBClassifier, CLASSES, n_estimators=4, max_depth=2))
    add("lightgbm", lightgbm_model(Y))
    add("poisson", lightgbm_model(COUNTS, objective="poisson"))
    add("binary", lightgbm_model(CLASSES, objective="binary"))

    # every mode, edges as thresholds, missing values to both sides
    trees = attributes(sklearn_model(ensemble.ExtraTreesRegressor(6, max_leaf_nodes=8, random_state=2), Y).graph.node[0])
    inner = [mode != b"LEAF" for mode in trees["nodes_modes"]]
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"]
    changes = {"nodes_modes": [modes[draw.randint(4)] if i else "LEAF" for i in inner],
               "nodes_missing_value_tracks_true": [int(i and draw.randint(2)) for i in inner]}
    add("modes", model_of(regressor(trees, base_values=[0.3], **changes)))
    edges = [float(F32(e)) for e in EDGES + [np.inf, -np.inf]]
    add("edges", model_of(regressor(trees, nodes_values=[edges[draw.randint(len(edges))] for _ in inner], **changes)))
    add("mean", model_of(regressor(trees, aggregate_function="AVERAGE")))

    # tensors of doubles, whose thresholds are middles of floats
    doubles = {k: v for k, v in trees.items() if k not in ("nodes_values", "target_weights")}
    middles = [(float(v) + float(np.nextafter(F32(v), F32(9)))) / 2 for v in trees["nodes_values"]]
    tensor = lambda v: numpy_helper.from_array(np.array(v, np.float64))
    add("doubles", model_of(regressor(doubles, nodes_values_as_tensor=tensor(middles), base_values_as_tensor=tensor([1 / 3]),
                                      target_weights_as_tensor=tensor(draw.normal(size=len(trees["target_weights"])))),
                            TensorProto.DOUBLE, version=3))

    # TreeEnsemble, with two targets in turn, and a tree that is one leaf
    f = {k: [] for k in ("nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids", "nodes_trueleafs", "nodes_falseleafs",
                         "nodes_missing_value_tracks_true", "tree_roots", "leaf_targetids")}
    splits, kinds, weights = [], [], []

    def leaf(target):
        f["leaf_targetids"].append(target)
        weights.append(draw.normal())
        return len(weights) - 1

    def grow(depth, target):
        at = len(splits)
        splits.append(draw.normal())
        kinds.append(draw.randint(4))
        f["nodes_featureids"].append(draw.randint(FEATURES))
        f["nodes_missing_value_tracks_true"].append(draw.randint(2))
        for child in ("true", "false"):
            f[f"nodes_{child}nodeids"].append(0)
            f[f"nodes_{child}leafs"].append(0)
        for child in ("true", "false"):
            is_leaf = depth == 0 or draw.randint(4) == 0
            f[f"nodes_{child}leafs"][at] = int(is_leaf)
            f[f"nodes_{child}nodeids"][at] = leaf(target) if is_leaf else grow(depth - 1, target)
        return at

    for k in range(7):
        f["tree_roots"].append(grow(3, k % 2))
    at = grow(0, 1)
    f["nodes_falsenodeids"][at] = f["nodes_truenodeids"][at]
    f["tree_roots"].append(at)
    add("five", model_of(helper.make_node(
        "TreeEnsemble", ["X"], ["Y"], domain="ai.onnx.ml", n_targets=2, aggregate_function=1, post_transform=0,
        nodes_splits=numpy_helper.from_array(np.array(splits, F32)), nodes_modes=numpy_helper.from_array(np.array(kinds, np.uint8)),
        leaf_weights=numpy_helper.from_array(np.array(weights, F32)), **f), version=5), 2)

    # refused: sets of categories, softmax, a scaler before the trees
    booster = lightgbm.train(dict(num_leaves=4, verbosity=-1, min_data_per_group=1, cat_smooth=1, seed=1),
                             lightgbm.Dataset(KINDS, YK, categorical_feature=[1, 4]), 1)
    for name, model in (("refused_sets", convert_lightgbm(booster, initial_types=[("X", Floats([None, FEATURES]))])),
                        ("refused_softmax", xgboost_model(xgboost.XGBClassifier, np.digitize(Y, [0, 1]), n_estimators=1, max_depth=1))):
        cases.save(name, "onnx", model.SerializeToString())
    cases.write()


if __name__ == "__main__":
    for job in (xgboost_cases, lightgbm_cases, catboost_cases, sklearn_cases, onnx_cases):
        try:
            job()
        except ImportError as error:
            print(error, file=sys.stderr)
