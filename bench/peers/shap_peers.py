# shap_peers.py - rows a second of SHAP values by XGBoost, LightGBM and shap, beside bench/tasks/explain.h.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     python3 bench/peers/shap_peers.py DATA TEST     the files of task=shap, 10 columns
#
# Process CPU time, one thread.
import os, sys, time
os.environ["OMP_NUM_THREADS"] = "1"
import numpy, xgboost, lightgbm, shap

train = numpy.fromfile(sys.argv[1], numpy.float32).reshape(-1, 11)
rows = numpy.fromfile(sys.argv[2], numpy.float32).reshape(-1, 11)[:1000, :10].copy()
x, y = train[:, :10].copy(), train[:, 10].copy()


def rate(name, call):
    took = []
    for _ in range(5):
        start = time.process_time()
        call()
        took.append(time.process_time() - start)
    print("%-36s %8.0f rows a second" % (name, len(rows) / sorted(took)[2]), flush=True)


x_model = xgboost.train({"max_depth": 6, "eta": 0.3, "tree_method": "hist", "nthread": 1},
                        xgboost.DMatrix(x, y), 100)
matrix = xgboost.DMatrix(rows)
rate("XGBoost %s pred_contribs" % xgboost.__version__, lambda: x_model.predict(matrix, pred_contribs=True))
l_model = lightgbm.train({"num_leaves": 64, "max_depth": 6, "num_threads": 1, "verbose": -1,
                          "min_data_in_leaf": 1, "learning_rate": 0.3}, lightgbm.Dataset(x, y), 100)
print("nodes: XGBoost %d, LightGBM %d" %
      (len(x_model.trees_to_dataframe()), len(l_model.trees_to_dataframe())))
rate("LightGBM %s pred_contrib" % lightgbm.__version__,
     lambda: l_model.predict(rows, pred_contrib=True, num_threads=1))
try:
    explainer = shap.TreeExplainer(l_model, feature_perturbation="tree_path_dependent")
    explainer.model.original_model = None  # else it asks LightGBM
    explainer.model.model_type = "internal"
    rate("shap %s, its own C of LightGBM's trees" % shap.__version__,
         lambda: explainer.shap_values(rows, check_additivity=False))
except Exception as error:
    print("shap: %s" % error)
