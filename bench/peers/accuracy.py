#!/usr/bin/env python3
"""accuracy.py - the published GPU power data, predicted by sooth and by its peers on identical folds.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    accuracy.py SOOTH DATA [SET,SET,...]        SOOTH: the command; DATA: the folder that holds power/

The regressors of Alavani, Desai, Saha and Sarkar 2023 with the settings of their Table 4, on their 15
features: five shuffled divisions into five parts (power/folds), figures per part, the mean over the parts,
then mean and standard deviation over the divisions, as the paper's Table 5. Beside them the paper's R2, and
the truth about programs that were never seen: each benchmark left out in turn, all predictions scored
together. Peers are used where they can be imported (Debian: python3-sklearn python3-xgboost; PyPI:
catboost).
"""
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np

if len(sys.argv) < 3:
    sys.exit("accuracy.py SOOTH DATA: the command, and the folder that holds power/")
SOOTH = os.path.abspath(sys.argv[1])
DATA = sys.argv[2]
SETS = (sys.argv[3] if len(sys.argv) > 3 else "k20,m60,k20_large").split(",")
# model: the preset, and R2 in Table 5 of the paper (K20, M60)
MODELS = {"decision tree": ("alavani-tree", 0.8447, 0.8762),
          "random forest": ("alavani-forest", 0.8899, 0.9398),
          "extra trees": ("alavani-extratrees", 0.8893, 0.9557),
          "gradient boosting": ("alavani-boosting", 0.9025, 0.9415),
          "XGBoost": ("alavani-xgboost", 0.9101, 0.9544), "CatBoost": ("alavani-catboost", 0.9067, 0.9548)}


def peer_of(model, seed):
    """The library that the paper used, with the same settings; None where it is not here."""
    try:
        if model == "CatBoost":
            from catboost import CatBoostRegressor
            return CatBoostRegressor(iterations=270, depth=8, random_seed=seed, thread_count=1, verbose=False,
                                     allow_writing_files=False)
        if model == "XGBoost":
            from xgboost import XGBRegressor
            return XGBRegressor(n_estimators=500, max_depth=6, learning_rate=0.05, subsample=0.7,
                                colsample_bytree=0.7, random_state=seed, n_jobs=1)
        from sklearn import ensemble, tree
        return {
            "decision tree": tree.DecisionTreeRegressor(max_depth=14, min_samples_split=5, random_state=seed),
            "random forest": ensemble.RandomForestRegressor(500, max_depth=14, random_state=seed),
            "extra trees": ensemble.ExtraTreesRegressor(220, max_depth=16, random_state=seed),
            "gradient boosting": ensemble.GradientBoostingRegressor(
                n_estimators=250, max_depth=5, learning_rate=0.17, random_state=seed),
        }[model]
    except ImportError:
        return None


def sooth_predicts(model, seed, names, train, answers, test, folder):
    paths = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model", "out.csv")]
    for path, table in ((paths[0], np.column_stack([train, answers])), (paths[1], test)):
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([names + ["Power"] * (path == paths[0])] + table.tolist())
    for words in (["fit", paths[0], "-t", "Power", "-m", MODELS[model][0], "--seed", str(seed + 1),
                   "--folds", "0", "-o", paths[2], "--force"],
                  ["predict", paths[2], paths[1], "-o", paths[3], "--force"]):
        subprocess.run([SOOTH] + words, check=True, capture_output=True)
    with open(paths[3]) as file:
        return np.array([float(row["predicted_Power"]) for row in csv.DictReader(file)])


def scores(y, p):
    return np.array([1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum(), np.sqrt(((y - p) ** 2).mean()),
                     abs(y - p).mean(), 100 * (abs(y - p) / abs(y)).mean()])


def main():
    for name in SETS:
        path = os.path.join(DATA, "power", name + ".csv")
        if not os.path.exists(path):
            print("skipped: %s is not here" % path)
            continue
        with open(path) as file:
            rows = list(csv.DictReader(file))
        names = [c for c in rows[0] if c not in ("Power", "benchmark", "family")]
        x = np.array([[float(r[c]) for c in names] for r in rows])
        y = np.array([float(r["Power"]) for r in rows])
        group = np.array([r["benchmark"] for r in rows])
        folds = [np.loadtxt(os.path.join(DATA, "power/folds", "%s_seed%d.txt" % (name, s)), int)
                 for s in range(5)]
        print("\n%s: %d rows, %d benchmarks" % (name, len(y), len(set(group))))
        print("  %-19s %-18s %9s %7s %6s | %8s | leave one benchmark out" %
              ("", "R2", "RMSE", "MAE", "MAPE", "paper R2"))
        for model in MODELS:
            for who in ("sooth", "peer"):
                if who == "peer" and peer_of(model, 0) is None:
                    print("  %-19s not here" % (model + ", peer"))
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    def predict(train, test, seed):
                        if who == "sooth":
                            return sooth_predicts(model, seed, names, x[train], y[train], x[test], folder)
                        return peer_of(model, seed).fit(x[train], y[train]).predict(x[test])
                    found = np.array([
                        np.mean([scores(y[f == k], predict(f != k, f == k, seed)) for k in range(5)], 0)
                        for seed, f in enumerate(folds)])
                    out = np.zeros(len(y))
                    for g in sorted(set(group)):
                        out[group == g] = predict(group != g, group == g, 0)
                m, sd, lobo = found.mean(0), found.std(0, ddof=1), scores(y, out)
                paper = {"k20": "%.4f" % MODELS[model][1], "m60": "%.4f" % MODELS[model][2]}.get(name, "")
                print("  %-19s %.4f +- %.4f   %8.3f %7.3f %6.2f | %8s | R2 %7.4f MAPE %6.2f" %
                      (model if who == "sooth" else "   its peer", m[0], sd[0], m[1], m[2], m[3], paper,
                       lobo[0], lobo[3]), flush=True)


main()
