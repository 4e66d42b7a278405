#!/usr/bin/python3
"""Writes decide/, tables and what tests/cli_decide.sh expects of them, with SciPy and scikit-learn (made with
1.10.1 and 1.2.1), numpy's least squares, and brute force over all allocations.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder: ./decide.py
"""
import csv
import itertools
import warnings

import numpy as np
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_samples, silhouette_score

warnings.filterwarnings("ignore")
random = np.random.RandomState(5)


def write(name, rows):
    with open("decide/" + name, "w") as to:
        csv.writer(to, lineterminator="\n").writerows(rows)


def text(v):
    return "" if v != v else "%.17g" % v


def single(values):
    return np.asarray(values, np.float32).astype(float)


# ---- correlate: four groups, ties, gaps, a constant, features that are like another one

n = 60
group = np.arange(n) % 4
base = random.normal(size=n)
x = np.column_stack([
    base, base + 0.1 * random.normal(size=n), random.randint(0, 4, n), np.full(n, 7.0),
    np.exp(base) + 0.02 * random.normal(size=n), random.normal(size=n) + group])
x = single(np.round(x, 4))
x[::9, 5] = np.nan
y = single(np.round(2 * base + 0.8 * x[:, 2] - 3 * group + random.normal(size=n), 4))
names = ["clock", "volts", "ways", "same", "misses", "other"]
write("correlate_in.csv", [["program", *names, "watts"]] + [
    ["p%d" % group[i], *[text(v) if v == v else "" for v in np.round(x[i], 4)], "%.4f" % y[i]]
    for i in range(n)])
functions = {"spearman": stats.spearmanr, "kendall": stats.kendalltau, "pearson": stats.pearsonr}


def correlation(kind, a, b):
    there = ~np.isnan(a) & ~np.isnan(b)
    a, b = a[there], b[there]
    if len(a) < 2 or len(set(a)) < 2 or len(set(b)) < 2:
        return np.nan, np.nan
    return functions[kind](a, b)


def line(j):
    cells = [names[j]]
    for kind in functions:
        cells += [text(v) for v in correlation(kind, x[:, j], y)]
        within = [abs(correlation(kind, x[group == g, j], y[group == g])[0]) for g in range(4)]
        cells.append(text(np.median([w for w in within if w == w] or [np.nan])))
    return cells + [str(int(np.sum(~np.isnan(x[:, j]))))]


order = sorted(range(6), key=lambda j: -np.nan_to_num(abs(correlation("spearman", x[:, j], y)[0]), nan=-1))
head = ["feature"]
for kind in functions:
    head += [kind, "p_" + kind, "within_" + kind]
# The first of those left, by |kendall| with the target, stays, and all too close to it go; then again by kendall
left = sorted(range(6), key=lambda j: -np.nan_to_num(abs(correlation("kendall", x[:, j], y)[0]), nan=-1))
for kind in ("pearson", "kendall"):
    kept = []
    for j in left:
        if all(not abs(correlation(kind, x[:, j], x[:, k])[0]) > 0.85 for k in kept):
            kept.append(j)
    left = kept
write("correlate_out.csv", [head + ["rows", "kept"]] + [line(j) + [int(j in left)] for j in order])

# ---- cluster: three blobs of unlike scales; points without clusters

centres = np.array([[0, 0], [8, 100], [1, 220]])
rows = single(np.round(np.vstack([c + random.normal(size=(15, 2)) * [0.5, 8] for c in centres]), 3))
scaled = (rows - rows.min(0)) / (rows.max(0) - rows.min(0))
scores = {}
for k in range(2, 6):
    scores[k] = KMeans(k, n_init=100, random_state=0).fit(scaled)
best = max(scores, key=lambda k: silhouette_score(scaled, scores[k].labels_))
labels = scores[best].labels_
rank = np.argsort(np.argsort([rows[labels == c, 0].mean() for c in range(best)]))
write("cluster_in.csv", [["a", "b"]] + [["%.3f" % a, "%.3f" % b] for a, b in rows])
write("cluster_scores.csv", [["clusters", "silhouette"]] + [
    [k, text(silhouette_score(scaled, scores[k].labels_))] for k in scores])
write("cluster_out.csv", [["a", "b", "cluster", "silhouette"]] + [
    ["%.3f" % a, "%.3f" % b, rank[c] + 1, text(s)]
    for (a, b), c, s in zip(rows, labels, silhouette_samples(scaled, labels))])
write("uniform.csv", [["a", "b"]] + [["%.3f" % a, "%.3f" % b] for a, b in random.uniform(size=(80, 2))])

# ---- card: a line through logarithms and one without, what leaving a point or a family out says

here = single(np.round(np.exp(random.uniform(0, 4, 10)), 3))
there = single(np.round(here**0.9 * 0.4 * np.exp(0.15 * random.normal(size=10)), 3))
family = np.arange(10) // 3


def fit(a, b, plain):
    slope, intercept = np.polyfit(a if plain else np.log(a), b if plain else np.log(b), 1)
    return lambda t: max(0, intercept + slope * t) if plain else np.exp(intercept + slope * np.log(t))


def left_out(which, plain):
    errors = []
    for i in range(10):
        others = which != which[i]
        errors.append(abs(fit(here[others], there[others], plain)(here[i]) / there[i] - 1))
    return np.mean(errors)


write("times.csv", [["family", "old [s]", "new [s]"]] + [
    ["f%d" % f, "%.3f" % a, "%.3f" % b] for f, a, b in zip(family, here, there)])
for plain in (0, 1):
    a, b = (here, there) if plain else (np.log(here), np.log(there))
    slope, intercept = np.polyfit(a, b, 1)
    write("card_%s.csv" % ("plain" if plain else "log"), [
        ["intercept", text(intercept)], ["slope", text(slope)], ["points", "10"],
        ["least", text(here.min())], ["most", text(here.max())],
        ["r2", text(np.corrcoef(a, b)[0, 1]**2)], ["error", text(left_out(np.arange(10), plain))],
        ["error_of_groups", text(left_out(family, plain))]])
new = [1.5, 20.0, 0.25]
write("translated.csv", [["time", "time_new", "outside"]] + [
    [t, text(fit(here, there, 0)(t)), int(not here.min() <= t <= here.max())] for t in new])

# ---- allocate: three programs on 12 units, of which several points are known; all 55 allocations

units, programs = 12, ["mriq", "lbm", "bfs"]
seen = {"mriq": [(2, 4.5), (8, 1.35), (4, 2.4)], "lbm": [(4, 1.6)], "bfs": [(8, 1.3), (4, 2.0)]}
inter, weight = {"mriq": 1.05, "lbm": 2.1, "bfs": 1.3}, {"mriq": 1.0, "lbm": 1.0, "bfs": 1.5}


def slowdown(p, m):
    points = sorted([(0, 0.0), (units, 1.0)] + [(n, 1 / s) for n, s in seen[p]])
    return inter[p] / np.interp(m, [n for n, _ in points], [v for _, v in points])


def unfairness(a):
    s = [slowdown(p, m) * weight[p] for p, m in zip(programs, a)]
    return (max(s) - min(s)) / max(s)


everything = [a for a in itertools.product(range(1, units), repeat=3) if sum(a) == units]
goal = {
    "least-worst": min(everything, key=lambda a: max(slowdown(p, m) * weight[p] for p, m in zip(programs, a))),
    "most-progress": max(everything, key=lambda a: sum(1 / slowdown(p, m) for p, m in zip(programs, a)))}
now, moved = [4, 4, 4], True  # Algorithm 1 with the policy of Algorithm 2
while moved and unfairness(now) >= 0.05:
    moved = False
    for i, j in itertools.permutations(range(3), 2):
        then = list(now)
        then[i] -= 1
        then[j] += 1
        if then[i] >= 1 and max(abs(a - 4) for a in then) <= 5 and unfairness(then) < unfairness(now) * (1 - 1e-6):
            now, moved = then, True
goal["fair"] = now
write("programs.csv", [["program", "sms", "sd_scal", "sd_inter", "weight"]] + [
    [p, m, s, inter[p], weight[p]] for p in programs for m, s in seen[p]])
for policy, a in goal.items():
    write("allocated_%s.csv" % policy, [["program", "units", "slowdown", "progress"]] + [
        [p, m, text(slowdown(p, m)), text(1 / slowdown(p, m))] for p, m in zip(programs, a)])
