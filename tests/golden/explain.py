#!/usr/bin/python3
"""Writes explain.h, what tests/test_explain.c expects (made with shap 0.51.0, scikit-learn 1.9.1, XGBoost 3.2.0).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Models: a tree and a forest of scikit-learn; XGBoost on data with missing values; and a chain of splits on 40 different
columns, whose Shapley values are computed in fractions, without rounding. shap explains the very nodes that are written,
as a model made of arrays: thresholds rounded to float, covers that are numbers of rows.
Run it in its folder: ./explain.py > explain.h
"""
import json
import math
import sys
from fractions import Fraction

import numpy as np
import shap
import xgboost
from sklearn.ensemble import RandomForestRegressor
from sklearn.inspection import partial_dependence
from sklearn.tree import DecisionTreeRegressor

COLUMNS, ROWS, BACKGROUND = 6, 8, 12
random = np.random.RandomState(7)
x = random.uniform(size=(300, COLUMNS)).astype(np.float32)
x[:, 1] = np.round(5 * x[:, 1]) / 5
x[:, 3] = (x[:, 0] + 0.3 * x[:, 3]).astype(np.float32)  # two columns that tell the same
y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 5 * x[:, 3] + 0.1 * random.normal(size=300)


def below(threshold, strict):
    """The largest float that goes left: x <= threshold, or x < threshold."""
    t = np.float32(threshold)
    if strict or float(t) > float(threshold):
        while not (float(t) < threshold if strict else float(t) <= threshold):
            t = np.nextafter(t, np.float32(-np.inf))
    return float(t)


def from_sklearn(model):
    t = model.tree_
    return [(0 if t.children_left[i] < 0 else t.children_left[i], max(t.children_right[i], 0), max(t.feature[i], 0), 0,
             below(t.threshold[i], False) if t.children_left[i] >= 0 else 0.0, t.weighted_n_node_samples[i],
             t.value[i].ravel()[0], 0.0) for i in range(t.node_count)]


def from_xgboost(booster):
    trees = []
    for tree in json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]:
        left, right = tree["left_children"], tree["right_children"]
        trees.append([(left[i], right[i], tree["split_indices"][i], 1 - tree["default_left"][i],
                       below(np.float32(tree["split_conditions"][i]), True), tree["sum_hessian"][i], 0.0,
                       tree["loss_changes"][i]) if left[i] >= 0 else
                      (0, 0, 0, 0, 0.0, tree["sum_hessian"][i], float(np.float32(tree["split_conditions"][i])), 0.0)
                      for i in range(len(left))])
    return trees


def as_shap(trees, scale):
    """The nodes as a model that shap takes as it is."""
    return {"trees": [{
        "children_left": np.array([n[0] or -1 for n in t]), "children_right": np.array([n[1] or -1 for n in t]),
        "children_default": np.array([(n[1] if n[3] else n[0]) or -1 for n in t]),
        "features": np.array([n[2] if n[0] else -2 for n in t]),
        "thresholds": np.array([n[4] if n[0] else -2.0 for n in t], dtype=np.float64),
        "values": np.array([[n[6] * scale] for n in t]),
        "node_sample_weight": np.array([n[5] for n in t], dtype=np.float64)} for t in trees],
        "input_dtype": np.float32}


def margin(trees, scale, x):
    """The answers of the nodes, in double."""
    answers = np.zeros(len(x))
    for i, row in enumerate(np.asarray(x, dtype=np.float32)):
        for nodes in trees:
            n = nodes[0]
            while n[0]:
                n = nodes[n[1 if (n[3] if np.isnan(row[n[2]]) else row[n[2]] > n[4]) else 0]]
            answers[i] += scale * n[6]
    return answers


def numbers(values):
    text, line, lines = ["NAN" if np.isnan(v) else "%.17g" % v for v in np.ravel(values)], "", []
    for word in text:
        if len(line) + len(word) > 104:
            lines.append(line)
            line = ""
        line += word + ", "
    return "{" + "\n    ".join(lines + [line.rstrip(", ")]) + "}"


def put(name, values, kind="double"):
    values = np.asarray(values)
    print("static const %s golden_%s[%d] = %s;" % (kind, name, values.size, numbers(values)))


def put_trees(name, trees):
    nodes = [n for t in trees for n in t]
    print("static const uint32_t golden_%s_sizes[%d] = {%s};" % (name, len(trees), ", ".join(str(len(t)) for t in trees)))
    print("static const soothi_ensemble_node golden_%s[%d] = {" % (name, len(nodes)))
    for n in nodes:
        print("    {%d, %d, %d, %d, (float)%.9g, (float)%.9g, %.17g, %.17g, NULL, 0}," % n)
    print("};")


def explained(name, trees, scale, rows, background, pairs=False):
    model = as_shap(trees, scale)
    path = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    put(name + "_path", path.shap_values(rows, check_additivity=False))
    put(name + "_path_expected", path.expected_value)
    # shap's own interventional values are computed in float; its exact explainer asks for every subset, in double
    exact = shap.explainers.Exact(lambda x: margin(trees, scale, x), shap.maskers.Independent(background))(rows)
    fast = shap.TreeExplainer(model, background, feature_perturbation="interventional").shap_values(rows, check_additivity=False)
    assert np.abs(exact.values - fast).max() < 1e-5
    put(name + "_against", exact.values)
    put(name + "_against_expected", exact.base_values[:1])
    if pairs:
        put(name + "_pairs", path.shap_interaction_values(rows))


print("/* explain.h - what shap, scikit-learn, XGBoost and exact fractions say; written by explain.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { golden_columns = %d, golden_rows = %d, golden_background_rows = %d };" % (COLUMNS, ROWS, BACKGROUND))
rows, background = x[:ROWS], x[100:100 + BACKGROUND]
put("x", rows, "float")
put("background", background, "float")

tree = DecisionTreeRegressor(max_depth=6, min_samples_leaf=4, random_state=1).fit(x, y)
put_trees("tree", [from_sklearn(tree)])
explained("tree", [from_sklearn(tree)], 1, rows, background, pairs=True)
official = shap.TreeExplainer(tree).shap_values(rows)  # the model itself, not our copy of it
put("tree_official", official)
t = tree.tree_
gain = [(t.weighted_n_node_samples[i] * t.impurity[i] - sum(t.weighted_n_node_samples[c] * t.impurity[c]
        for c in (t.children_left[i], t.children_right[i]))) if t.children_left[i] >= 0 else 0 for i in range(t.node_count)]
put("tree_gain", gain)
put("tree_importance", tree.feature_importances_)

forest = RandomForestRegressor(4, max_depth=5, min_samples_leaf=5, random_state=2).fit(x, y)
trees = [from_sklearn(t) for t in forest.estimators_]
put_trees("forest", trees)
explained("forest", trees, 1 / len(trees), rows, background)
grid = np.linspace(0.1, 1.0, 7).astype(np.float32)
dependence = partial_dependence(forest, x[:60], [3], custom_values={3: grid.astype(float)}, method="brute", kind="both")
put("dependence_x", x[:60], "float")
put("dependence_grid", grid, "float")
put("dependence_mean", dependence["average"][0])
put("dependence_each", dependence["individual"][0, :5])
put("quantiles", np.quantile(x[:60, 3].astype(float), np.linspace(0, 1, 9)))

holes = x.copy()
holes[random.uniform(size=holes.shape) < 0.15] = np.nan
boost = xgboost.XGBRegressor(n_estimators=6, max_depth=4, learning_rate=0.3, base_score=0.5, n_jobs=1, tree_method="exact").fit(holes, y)
booster = boost.get_booster()
trees = from_xgboost(booster)
put_trees("boost", trees)
rows, background = holes[:ROWS], holes[100:100 + BACKGROUND]
put("holes", rows, "float")
put("holes_background", background, "float")
explained("boost", trees, 1, rows, background)
booster.feature_names = None
put("boost_contributions", booster.predict(xgboost.DMatrix(rows), pred_contribs=True))
for kind in ["weight", "total_gain", "gain", "total_cover", "cover"]:
    score = booster.get_score(importance_type=kind)
    put("boost_" + kind, [score.get("f%d" % j, 0) for j in range(COLUMNS)])

# The chain: split k asks column k, x <= 0.5; left is a leaf of value k % 7 - 3, right goes on. Covers: 41 .. 1, so that
# everything is a fraction.
CHAIN = 40
chain_rows = [[1] * CHAIN, [k % 3 != 1 for k in range(CHAIN)], [k != 20 for k in range(CHAIN)]]
values = [k % 7 - 3 for k in range(CHAIN)] + [1000]


def chain_shapley(row):
    """Every leaf is a product game of o_j and z_j; the Shapley value from elementary symmetric sums of the others."""
    phi, expected = [Fraction(0)] * CHAIN, Fraction(0)
    for leaf in range(CHAIN + 1):
        players = []
        for k in range(min(leaf + 1, CHAIN)):
            cover, goes = CHAIN + 1 - k, row[k] != 0
            left = Fraction(1, cover)
            players.append((int(goes), 1 - left) if k < leaf else (int(not goes), left))
        m, u = len(players), values[leaf]
        for j, (oj, zj) in enumerate(players):
            polynomial = [Fraction(1)]  # coefficient s: the sum over subsets of s others of prod o, prod z
            for i, (o, z) in enumerate(players):
                if i == j:
                    continue
                following = [Fraction(0)] * (len(polynomial) + 1)
                for s, c in enumerate(polynomial):
                    following[s] += c * z
                    following[s + 1] += c * o
                polynomial = following
            phi[j] += u * (oj - zj) * sum(c * Fraction(math.factorial(s) * math.factorial(m - 1 - s), math.factorial(m))
                                          for s, c in enumerate(polynomial))
        product = Fraction(u)
        for o, z in players:
            product *= z
        expected += product
    return [float(v) for v in phi], float(expected)


print("enum { golden_chain = %d, golden_chain_rows = %d };" % (CHAIN, len(chain_rows)))
put("chain_x", chain_rows, "float")
results = [chain_shapley(row) for row in chain_rows]
put("chain_phi", [r[0] for r in results])
put("chain_expected", results[0][1])
