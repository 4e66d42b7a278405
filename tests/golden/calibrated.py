#!/usr/bin/python3
"""Writes calibrated.h, what tests/test_calibrate.c expects of models that say probabilities.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

CalibratedClassifierCV(ensemble=False) around a line of least squares, whose answer is the decision function,
with the folds of LeaveOneGroupOut: it fits the map to what the folds' lines say and applies it to the line of
all rows. Once as it is and once with weights. Of calibrated probabilities the figures of metrics.h, too: the
calibration error is that of Guo, Pleiss, Sun, Weinberger, ICML 2017, with the ten bins of calibration_curve.
Made with scikit-learn 1.9.1. Run it in its folder: ./calibrated.py > calibrated.h
"""
import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.linear_model import LinearRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut

random = np.random.RandomState(7)
ROWS, COLS, GROUPS, ASKED = 120, 3, 10, 20


class Line(ClassifierMixin, BaseEstimator):
    """A classifier whose decision function is a line of least squares."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.array([0, 1])
        self.line_ = LinearRegression().fit(X, y, sample_weight=sample_weight)
        return self

    def decision_function(self, X):
        return self.line_.predict(X)

    def predict(self, X):
        return (self.decision_function(X) > 0.5).astype(int)


def floats(values):
    return np.asarray(values, dtype=np.float32).astype(float)


def array(kind, name, values):
    numbers = ["%.9g" % v if kind != "double" else repr(float(v)) for v in values]
    lines, line = [], "   "
    for n in numbers:
        if len(line) + len(n) > 106:
            lines.append(line)
            line = "   "
        line += " " + n + ","
    print("static const %s %s[] = {\n%s};" % (kind, name, "\n".join(lines + [line.rstrip(",")])))


def figures(y, p):
    """Log loss, Brier score, AUC, calibration error."""
    true, said = calibration_curve(y, p, n_bins=10)
    counts = np.histogram(np.searchsorted(np.linspace(0, 1, 11)[1:-1], p), bins=np.arange(11))[0]
    error = (abs(true - said) * counts[counts > 0]).sum() / len(y)
    return log_loss(y, p), brier_score_loss(y, p), roc_auc_score(y, p), error


group = random.randint(0, GROUPS, ROWS)
level = random.normal(0, 0.8, GROUPS)
x = floats(random.normal(0, 1, (ROWS, COLS)))
y = (random.uniform(size=ROWS) < expit(1.5 * x[:, 0] - x[:, 1] + level[group] - 0.4)).astype(int)
weight = floats(random.uniform(0.2, 3, ROWS))
asked = floats(random.normal(0, 1.5, (ASKED, COLS)))

print("/* calibrated.h - models that say probabilities, by scikit-learn; written by calibrated.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { GOLDEN_ROWS = %d, GOLDEN_COLS = %d, GOLDEN_ASKED = %d };" % (ROWS, COLS, ASKED))
array("float", "golden_x", x.ravel())
array("float", "golden_y", y)
array("float", "golden_weight", weight)
array("uint32_t", "golden_group", group)
array("float", "golden_asked", asked.ravel())
print("/* [weighted][isotonic] */")
print("static const double golden_says[2][2][GOLDEN_ASKED] = {")
for w in (None, weight):
    print("    {")
    for method in ("sigmoid", "isotonic"):
        model = CalibratedClassifierCV(Line(), method=method, ensemble=False,
                                       cv=list(LeaveOneGroupOut().split(x, y, group)))
        model.fit(x, y, sample_weight=w)
        says = model.predict_proba(asked)[:, 1]
        print("        {" + ",\n         ".join(", ".join(repr(float(v)) for v in says[k:k + 5])
                                               for k in range(0, ASKED, 5)) + "},")
    print("    },")
print("};")
p = floats(np.clip(expit(random.normal(0, 1.5, ROWS)), 0.001, 0.999))
p[:4] = 0.5, 0, 1, 0.25
array("float", "golden_p", p)
array("double", "golden_figures", figures(y, p))
