#!/usr/bin/env python3
"""Writes boost_refit.h: a small LightGBM model and what its refit answers, for tests/boost/test_refit.c.
LightGBM 4.

    python3 tests/golden/boost_refit.py > tests/golden/boost_refit.h
"""
import lightgbm
import numpy as np

rng = np.random.default_rng(5)
ROWS, COLS = 80, 3
x = np.round(rng.random((ROWS, COLS)), 3).astype(np.float32)
y = np.round(3 * (x[:, 0] > 0.4) + x[:, 1] + rng.normal(0, 0.2, ROWS), 3).astype(np.float32)
y_new = np.round(2 - 4 * (x[:, 0] > 0.6) + x[:, 2] + rng.normal(0, 0.2, ROWS), 3).astype(np.float32)
settings = {"objective": "l2", "num_leaves": 5, "min_data_in_leaf": 3, "learning_rate": 0.3, "lambda_l2": 1.5,
            "lambda_l1": 0.25, "boost_from_average": False, "num_threads": 1, "verbose": -1}
model = lightgbm.train(settings, lightgbm.Dataset(x, y), 8)


def numbers(values):
    words = [str(v) for v in np.asarray(values).ravel()]
    return "\n".join("    " + ", ".join(words[i:i + 4]) + "," for i in range(0, len(words), 4))


print("/* boost_refit.h - written by boost_refit.py with LightGBM %s: a model, newer targets, and the answers of\n"
      "   refit(decay_rate) to them. */" % lightgbm.__version__)
print("enum { BOOST_REFIT_ROWS = %d, BOOST_REFIT_COLS = %d };" % (ROWS, COLS))
print("static const char boost_refit_model[] =")
text = model.model_to_string().split("\nfeature_importances:")[0] + "\n"
cut = [line[i:i + 90] + ("\\n" if i + 90 >= len(line) else "") for line in text.splitlines()
       for i in range(0, max(1, len(line)), 90)]
print("\n".join('    "%s"' % piece for piece in cut) + ";")
for name, values in (("x", x), ("y", y_new)):
    print("static const float boost_refit_%s[] = {\n%s\n};" % (name, numbers(values).replace(",", "f,")))
for name, decay in (("none", 0.0), ("some", 0.3), ("most", 0.9)):
    again = model.refit(x, y_new, decay_rate=decay)
    print("static const double boost_refit_%s[] = {\n%s\n};" % (name, numbers(again.predict(x))))
