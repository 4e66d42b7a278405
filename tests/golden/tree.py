#!/usr/bin/python3
"""Writes tree.h, the trees that tests/test_tree.c expects, with scikit-learn (made with 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

The data come from an integer generator that test_tree.c repeats, so only the trees are stored. All numbers are multiples of a power of two,
so sums are exact here and there. scikit-learn looks at the columns in random order: where two splits gain the same, its tree is one of several.
Every node of every tree is therefore checked here, from the definitions, to have one best split (and best-first growth to have one next node,
and pruning one weakest link); data for which that is not so are left for the next.
Run it in its folder: ./tree.py > tree.h
"""
import sys

import numpy as np
from sklearn.tree import DecisionTreeRegressor

MARGIN = 1e-9  # of the impurity of the root
CRITERIA = ["squared_error", "absolute_error", "friedman_mse", "poisson"]


def noise(data, row, column):
    """16 random bits: the same mixing as golden_noise in tests/test_tree.c."""
    h = (data * 0x9E3779B1 + row * 0x85EBCA6B + column * 0xC2B2AE35 + 0x27D4EB2F) & 0xFFFFFFFF
    for multiplier in (0x7FEB352D, 0x846CA68B):
        h = ((h ^ (h >> 16)) * multiplier) & 0xFFFFFFFF
    return (h ^ (h >> 16)) & 0xFFFF


def table(data, rows, cols, levels, targets, weights, counts):
    """x: multiples of 2^-16 below 1, or of 1/levels; y: multiples of 2^-12, with counts a quarter of them 0; w: quarters, an eighth of them 0, or
    (weights = 2) 1 to 4."""
    x, y, w = np.zeros((rows, cols)), np.zeros((rows, targets)), np.ones(rows)
    for i in range(rows):
        for j in range(cols):
            v = noise(data, i, j)
            x[i, j] = v / 65536 if levels == 0 else (v * levels >> 16) / levels
        for t in range(targets):
            a = int(x[i, t % cols] * 65536)
            b = int(x[i, (t + 1) % cols] * 65536)
            v = (a * b >> 19) + ((a - 30000) * (a - 30000) >> 18) + (noise(data, i, 100 + t) >> 4)
            y[i, t] = v * (noise(data, i, 100 + t) & 3 if counts else 1) / 4096
        if weights:
            w[i] = (noise(data, i, 200) & 7) / 4 if weights == 1 else 1 + (noise(data, i, 200) & 3)
    return x, y, w


def impurity(criterion, y, w):
    """Mean impurity over the targets, from the definitions."""
    total = 0.0
    for t in range(y.shape[1]):
        v = y[:, t]
        m = (w @ v) / w.sum()
        if criterion in ("squared_error", "friedman_mse"):
            total += (w @ (v - m) ** 2) / w.sum()
        elif criterion == "absolute_error":
            total += (w @ np.abs(v - np.median(v))) / w.sum()
        else:
            some = v > 0
            total += (w[some] @ (v[some] * np.log(v[some] / m))) / w.sum()
    return total / y.shape[1]


def candidates(case, x, y, w, all_weight):
    """(gain as min_impurity_decrease counts it, column, rows on the left) of every allowed split."""
    found = []
    own = impurity(case["criterion"], y, w)
    for j in range(x.shape[1]):
        values = np.unique(x[:, j])
        for threshold in values[:-1]:
            left = x[:, j] <= threshold
            if min(left.sum(), (~left).sum()) < case.get("min_samples_leaf", 1):
                continue
            a, b = w[left].sum(), w[~left].sum()
            if min(a, b) < case.get("min_weight_fraction_leaf", 0) * all_weight:
                continue
            if case["criterion"] == "poisson" and (np.any(w[left] @ y[left] <= 0) or np.any(w[~left] @ y[~left] <= 0)):
                continue
            if case["criterion"] == "friedman_mse":
                apart = (w[left] @ y[left] / a - w[~left] @ y[~left] / b).sum() / y.shape[1]
                gain = a * b / w.sum() * apart * apart
            else:
                gain = w.sum() / all_weight * (own - a / w.sum() * impurity(case["criterion"], y[left], w[left])
                                               - b / w.sum() * impurity(case["criterion"], y[~left], w[~left]))
            found.append((gain, j, left))
    return sorted(found, key=lambda c: -c[0])


class Ambiguous(Exception):
    pass


def check(case, tree, x, y, w):
    """Is every decision in this tree unambiguous?"""
    scale = impurity(case["criterion"], y, w) * (1 if case["criterion"] != "friedman_mse" else w.sum())
    gains = {}
    rows_of = {0: np.arange(len(x))}
    for node in range(tree.node_count):
        rows = rows_of[node]
        is_leaf = tree.children_left[node] < 0
        found = candidates(case, x[rows], y[rows], w[rows], w.sum())
        if not is_leaf and len(found) > 1 and found[0][0] - found[1][0] < MARGIN * scale:
            raise Ambiguous("node %d has two best splits" % node)
        least = case.get("min_impurity_decrease", 0)
        if found and least and abs(found[0][0] - least) < MARGIN * scale:
            raise Ambiguous("a gain equals min_impurity_decrease")
        if is_leaf:
            if found and len(rows) >= case.get("min_samples_split", 2) and tree.impurity[node] > 1e-9:
                gains[node] = found[0][0]
            continue
        gains[node] = found[0][0]
        left = x[rows, tree.feature[node]] <= tree.threshold[node]
        rows_of[tree.children_left[node]] = rows[left]
        rows_of[tree.children_right[node]] = rows[~left]
    if "max_leaf_nodes" in case:
        values = sorted(gains.values())
        if min(np.diff(values), default=1) < MARGIN * scale:
            raise Ambiguous("two nodes gain the same")


# number, rows, columns, levels of x (0: many), targets, weights, counts. With weights = 2 scikit-learn gets every row weight times: given
# weights, its absolute criterion loses sight of the median when rows change sides (the impurities it then reports are no minima).
DATA = [
    (1, 240, 3, 0, 1, 0, 0),
    (2, 300, 4, 32, 1, 0, 0),
    (3, 200, 3, 0, 3, 0, 0),
    (4, 260, 3, 0, 1, 1, 0),
    (5, 260, 3, 0, 1, 0, 1),
    (6, 150, 1, 0, 1, 0, 0),
    (7, 220, 2, 0, 2, 1, 1),
    (8, 100, 2, 0, 1, 2, 0),
]
CASES = [
    ("squared, depth 4", 0, dict(criterion="squared_error", max_depth=4)),
    ("squared, leaves of 5", 0, dict(criterion="squared_error", min_samples_leaf=5)),
    ("squared, splits of 30", 0, dict(criterion="squared_error", min_samples_split=30)),
    ("squared, 12 leaves", 0, dict(criterion="squared_error", max_leaf_nodes=12)),
    ("squared, 20 leaves of 4, depth 5", 0, dict(criterion="squared_error", max_leaf_nodes=20, min_samples_leaf=4, max_depth=5)),
    ("squared, gain 0.002", 0, dict(criterion="squared_error", min_impurity_decrease=0.002, min_samples_leaf=3)),
    ("squared, pruned", 0, dict(criterion="squared_error", min_samples_leaf=5, ccp_alpha=0.003)),
    ("squared, few levels", 1, dict(criterion="squared_error", min_samples_leaf=6)),
    ("squared, few levels, 15 leaves", 1, dict(criterion="squared_error", max_leaf_nodes=15, min_samples_leaf=5)),
    ("squared, three targets", 2, dict(criterion="squared_error", min_samples_leaf=5)),
    ("squared, three targets, 10 leaves", 2, dict(criterion="squared_error", max_leaf_nodes=10)),
    ("squared, weights", 3, dict(criterion="squared_error", min_samples_leaf=5)),
    ("squared, weights, share 0.04", 3, dict(criterion="squared_error", min_weight_fraction_leaf=0.04, max_depth=6)),
    ("squared, weights, pruned", 3, dict(criterion="squared_error", min_samples_leaf=5, ccp_alpha=0.002)),
    ("squared, one column, full depth", 5, dict(criterion="squared_error")),
    ("friedman, leaves of 5", 0, dict(criterion="friedman_mse", min_samples_leaf=5)),
    ("friedman, 12 leaves", 0, dict(criterion="friedman_mse", max_leaf_nodes=12)),
    ("friedman, gain 0.3", 0, dict(criterion="friedman_mse", min_impurity_decrease=0.3, min_samples_leaf=3)),
    ("friedman, three targets", 2, dict(criterion="friedman_mse", min_samples_leaf=6)),
    ("friedman, weights", 3, dict(criterion="friedman_mse", min_samples_leaf=6)),
    ("absolute, leaves of 12", 0, dict(criterion="absolute_error", min_samples_leaf=12)),
    ("absolute, 10 leaves", 0, dict(criterion="absolute_error", max_leaf_nodes=10)),
    ("absolute, few levels, depth 4", 1, dict(criterion="absolute_error", max_depth=4)),
    ("absolute, three targets", 2, dict(criterion="absolute_error", min_samples_leaf=8)),
    ("absolute, gain 0.01", 0, dict(criterion="absolute_error", min_impurity_decrease=0.01, min_samples_leaf=4)),
    ("absolute, pruned", 0, dict(criterion="absolute_error", min_samples_leaf=12, ccp_alpha=0.006)),
    ("absolute, weights, depth 3", 7, dict(criterion="absolute_error", max_depth=3)),
    ("absolute, weights, 7 leaves", 7, dict(criterion="absolute_error", max_leaf_nodes=7)),
    ("poisson, leaves of 6", 4, dict(criterion="poisson", min_samples_leaf=6)),
    ("poisson, depth 3", 4, dict(criterion="poisson", max_depth=3)),
    ("poisson, 9 leaves", 4, dict(criterion="poisson", max_leaf_nodes=9)),
    ("poisson, weights, two targets", 6, dict(criterion="poisson", min_samples_leaf=9)),
    ("poisson, pruned", 4, dict(criterion="poisson", min_samples_leaf=6, ccp_alpha=0.01)),
]


def number(v):
    return "%.12g" % v


def fit(data, rest):
    """The tree, the tree before pruning, and its pruning path; raises when some decision was ambiguous."""
    x, y, w = table(*data)
    if data[5] == 2:
        rows = np.repeat(np.arange(len(x)), w.astype(int))
        x, y, w = x[rows], y[rows], np.ones(len(rows))
    target = y[:, 0] if y.shape[1] == 1 else y
    weight = w if data[5] == 1 else None
    model = DecisionTreeRegressor(random_state=0, **rest).fit(x, target, sample_weight=weight)
    whole = DecisionTreeRegressor(random_state=0, **dict(rest, ccp_alpha=0.0)).fit(x, target, sample_weight=weight)
    check(rest, whole.tree_, x[w > 0], y[w > 0], w[w > 0])
    path = None
    if "ccp_alpha" in rest:
        path = whole.cost_complexity_pruning_path(x, target, sample_weight=weight)
        if np.min(np.diff(path.ccp_alphas)) < MARGIN or np.min(np.abs(path.ccp_alphas - rest["ccp_alpha"])) < MARGIN:
            raise Ambiguous("two links are equally weak")
    return model, path


def first_fit(data, rest, name):
    for again in range(60):
        numbered = (data[0] + 100 * again,) + data[1:]
        try:
            return (numbered[0],) + fit(numbered, rest)
        except Ambiguous:
            pass
    sys.exit("no data without ties")


def number(v):
    return "%.12g" % v


def main():
    print("/* tree.h - trees that scikit-learn 1.2.1 grew on the data of golden_table; written by tree.py.\n"
          " * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT */")
    cases, nodes, values, shares, alphas, impurities = [], [], [], [], [], []
    for name, which, rest in CASES:
        data = DATA[which]
        used, model, path = first_fit(data, rest, name)
        tree = model.tree_
        first = (len(nodes), len(values), len(shares), len(alphas))
        stack = [0]
        while stack:  # preorder
            i = stack.pop()
            inner = tree.children_left[i] >= 0
            nodes.append("{%d,%d,%s,%s}" % (tree.feature[i] if inner else -1, tree.n_node_samples[i],
                                            number(tree.threshold[i]) if inner else "0", number(tree.impurity[i])))
            values += [number(v) for v in tree.value[i, :, 0]]
            if inner:
                stack += [tree.children_right[i], tree.children_left[i]]
        shares += [number(v) for v in model.feature_importances_]
        if path is not None:
            alphas += [number(v) for v in path.ccp_alphas]
            impurities += [number(v) for v in path.impurities]
        cases.append('    {"%s", {%d, %d, %d, %d, %d, %d, %d}, %d, %d, %d, %d, %d, %s, %s, %s, %d, %d, %d, %d, %d, %d},' % (
            (name, used) + data[1:] + (CRITERIA.index(rest["criterion"]), rest.get("max_depth", 0),
            rest.get("min_samples_split", 0), rest.get("min_samples_leaf", 0), rest.get("max_leaf_nodes", 0),
            rest.get("min_weight_fraction_leaf", 0), rest.get("min_impurity_decrease", 0), rest.get("ccp_alpha", 0),
            tree.node_count) + first + (len(path.ccp_alphas) if path is not None else 0,)))
        print("%s: data %d, %d nodes, %d levels" % (name, used, tree.node_count, tree.max_depth), file=sys.stderr)
    print("static const golden_case golden_cases[] = {\n%s\n};" % "\n".join(cases))
    for declaration, items in (("golden_node golden_nodes[]", nodes), ("double golden_values[]", values),
                               ("double golden_shares[]", shares), ("double golden_alphas[]", alphas),
                               ("double golden_impurities[]", impurities)):
        print("static const %s = {" % declaration)
        line = "   "
        for item in items:
            if len(line) + len(item) > 107:
                print(line)
                line = "   "
            line += " " + item + ","
        print(line + "\n};")


main()
