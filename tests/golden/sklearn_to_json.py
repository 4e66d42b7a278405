#!/usr/bin/env python3
# sklearn_to_json.py - a fitted tree model of scikit-learn as the JSON that import.h reads (the format stands there).
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
# For DecisionTree-, RandomForest-, ExtraTrees-, GradientBoosting- and HistGradientBoostingRegressor. The wheel of
# the Python module has this file: python -m sklearn_to_json MODEL.pickle > MODEL.json, or to_json(model).
import json, numpy as np, sklearn
from sklearn.base import is_regressor

def tree(t, rate):  # of everything but histogram gradient boosting
    left, right, w = t.children_left, t.children_right, t.weighted_n_node_samples
    gain = w * t.impurity - w[left] * t.impurity[left] - w[right] * t.impurity[right]
    missing = getattr(t, "missing_go_to_left", np.zeros(t.node_count))  # since 1.3
    return dict(left=left, right=right, feature=t.feature, threshold=t.threshold, value=rate * t.value.ravel(),
                missing_left=missing, cover=w, gain=np.where(left < 0, 0, gain))

def histogram_tree(n):
    if n["is_categorical"].any(): raise ValueError("categorical splits cannot be imported")
    leaf = n["is_leaf"] != 0
    return dict(left=np.where(leaf, -1, n["left"].astype(int)), right=np.where(leaf, -1, n["right"].astype(int)),
                feature=n["feature_idx"], threshold=n["num_threshold"], value=n["value"], cover=n["count"],
                missing_left=n["missing_go_to_left"], gain=np.where(leaf, 0, n["gain"]))

def to_json(m):
    if not is_regressor(m): raise ValueError("only models of regression can be imported")
    out = dict(sklearn=sklearn.__version__, model=type(m).__name__, features=m.n_features_in_, targets=1,
               feature_names=list(getattr(m, "feature_names_in_", [])))
    if hasattr(m, "_predictors"):  # HistGradientBoostingRegressor
        out.update(base=m._baseline_prediction.ravel(), trees=[histogram_tree(p.nodes) for [p] in m._predictors],
                   link="exp" if m.loss in ("poisson", "gamma") else "identity")
    elif hasattr(m, "learning_rate"):  # GradientBoostingRegressor; its start must be a constant
        if m.init not in (None, "zero"): raise ValueError("a start that is a model cannot be imported")
        base = m._raw_predict_init(np.zeros((1, m.n_features_in_), np.float32)).ravel()
        out.update(base=base, trees=[tree(e.tree_, m.learning_rate) for e in m.estimators_.ravel()])
    else:
        out.update(targets=m.n_outputs_, mean=hasattr(m, "estimators_"),
                   trees=[tree(e.tree_, 1.0) for e in getattr(m, "estimators_", [m])])
    return json.dumps(out, default=lambda v: v.item() if isinstance(v, np.generic) else v.tolist())

if __name__ == "__main__":  # sklearn_to_json.py MODEL.pickle > MODEL.json
    import pickle, sys
    print(to_json(pickle.load(open(sys.argv[1], "rb"))))
