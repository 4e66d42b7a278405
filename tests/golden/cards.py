#!/usr/bin/python3
"""Writes cards.csv, what tests/cards.sh expects of build/cards: numpy's least squares on the families or
programs that are not left out, means and quantiles over all choices, scikit-learn's k-means and silhouettes
(made with numpy 1.24.2 and scikit-learn 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder: ./cards.py
"""
import csv
import itertools
import warnings

import numpy as np
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_samples, silhouette_score

warnings.filterwarnings("ignore")
data = list(csv.DictReader(open("../../examples/papers/data/gavel.csv")))
gpus = ["K80", "P100", "V100"]
rows = {g: [r for r in data if r["gpu"] == g] for g in gpus}
family = np.array([r["family"] for r in rows["K80"]])
families = sorted(set(family))
alone = {g: 1 / np.array([float(r["alone"]) for r in rows[g]]) for g in gpus}
beside = {g: np.array([[float(r["beside_%d" % (k + 1)] or "nan") for k in range(26)] for r in rows[g]])
          for g in gpus}
slow = {g: 1 / alone[g][:, None] / beside[g] for g in gpus}
told = []


def line(x, y):
    return np.linalg.lstsq(np.column_stack([np.ones(len(x)), x]), y, rcond=None)[0]


def tell(way, x, y, new):
    if way == "same time":
        return new
    if way == "mean ratio":
        return new * np.exp(np.mean(np.log(y / x)))
    if way == "card":
        a, b = line(np.log(x), np.log(y))
        return np.exp(a + b * np.log(new))
    a, b = line(x, y)
    return np.maximum(0, a + b * new)


for a, b in itertools.permutations(gpus, 2):
    x, y = alone[a], alone[b]
    for way in ["same time", "mean ratio", "card", "plain card"]:
        def error(shared):
            known = np.isin(family, shared)
            return 100 * np.abs(tell(way, x[known], y[known], x[~known]) / y[~known] - 1)

        numbers = []
        for k in (2, 3, 5):
            e = [error(c).mean() for c in itertools.combinations(families, k)]
            numbers += [np.median(e), np.quantile(e, .1), np.quantile(e, .9)]
        each = [error([f for f in families if f != left]) for left in families]
        means = np.array([e.mean() for e in each])
        half = stats.t.ppf(.975, len(means) - 1) * means.std(ddof=1) / np.sqrt(len(means))
        numbers += [np.concatenate(each).mean(), half]
        told.append(["%s to %s" % (a, b), way] + ["%.3f" % v for v in numbers])

# slowdowns of pairs, a family left out
for a, b in itertools.permutations(gpus, 2):
    press = np.nanmean(slow[a], axis=0)
    count = (~np.isnan(slow[a])).sum(axis=0)
    order = [i for i in np.argsort(press, kind="stable") if count[i] == count.max()]
    ref = [order[0], order[len(order) // 2], order[-1]]
    whole = {g: [all(slow[g][i, r] == slow[g][i, r] for r in ref) for i in range(26)] for g in (a, b)}
    pairs = [(i, j) for i in range(26) for j in range(26)
             if i not in ref and j not in ref and slow[a][i, j] > 0 and slow[b][i, j] > 0
             and all(whole[g][i] and whole[g][j] for g in (a, b))]
    i, j = np.array(pairs).T
    here, there = slow[a][i, j], slow[b][i, j]
    sums = {w: [] for w in ("mean there", "as here", "line")}
    for f in families:
        out = (family[i] == f) | (family[j] == f)
        if not out.any():
            continue
        c, d = line(np.log(here[~out]), np.log(there[~out]))
        for way, guess in (("mean there", np.exp(np.log(there[~out]).mean())), ("as here", here[out]),
                           ("line", np.exp(c + d * np.log(here[out])))):
            sums[way].append(100 * np.abs(guess / there[out] - 1))
    numbers = [len(pairs)]
    for e in sums.values():
        means = np.array([v.mean() for v in e])
        numbers += [np.concatenate(e).mean(),
                    stats.t.ppf(.975, len(means) - 1) * means.std(ddof=1) / np.sqrt(len(means))]
    told.append(["%s to %s" % (a, b), "slowdowns"] + ["%.3f" % v for v in numbers])


# silhouettes
def clusters(name, kind, x):
    x = (x - x.min(axis=0)) / (x.max(axis=0) - x.min(axis=0))
    numbers = [len(x)]
    for k in range(2, 9):
        label = KMeans(k, n_init=200, random_state=0).fit_predict(x)
        each = silhouette_samples(x, label)
        numbers += [silhouette_score(x, label), min(each[label == c].mean() for c in range(k))]
    told.append([name, kind] + ["%.3f" % v for v in numbers])


recorded = list(csv.DictReader(open("../../examples/colocate/data/instances.csv")))
levels = ["low", "medium", "high"]
clusters("recorded", "cards", np.array([[float(r[v + "_fairness"]) for v in levels] for r in recorded]))
for g in gpus:
    press = np.nanmean(slow[g], axis=0)
    count = (~np.isnan(slow[g])).sum(axis=0)
    order = [i for i in np.argsort(press, kind="stable") if count[i] == count.max()]
    ref = [order[0], order[len(order) // 2], order[-1]]
    ratio = slow[g][:, ref] / slow[g][ref, :].T
    fair = np.minimum(ratio, 1 / ratio)
    clusters(g, "cards", fair[~np.isnan(fair).any(axis=1)])
with open("cards.csv", "w") as to:
    csv.writer(to, lineterminator="\n").writerows(told)
