#!/usr/bin/python3
"""Writes probability.h, what tests/test_probability.c expects: isotonic regression and sigmoids.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Isotonic: IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip"), asked at 25 scores, within, at and
beyond those it learned from. Sigmoid: what CalibratedClassifierCV(method="sigmoid", cv="prefit") answers
around a classifier whose decision function is the score (it stops where the gradient is small), and beside it
the same minimum by scipy to 1e-12. Far from zero scikit-learn 1.2.1 does not leave where it begins: NAN. Made
with scikit-learn 1.2.1. Run it in its folder: ./probability.py > probability.h
"""
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.isotonic import IsotonicRegression

random = np.random.RandomState(41)


class Score(ClassifierMixin, BaseEstimator):
    """A classifier whose decision function is its only feature."""

    def fit(self, x, y):
        self.classes_ = np.array([0, 1])
        self.n_features_in_ = 1
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]

    def predict(self, x):
        return (self.decision_function(x) > 0).astype(int)


def floats(values):
    return np.asarray(values, dtype=np.float32).astype(float)


def sigmoid(s, y, w):
    w = np.ones(len(s)) if w is None else w
    ones, zeros = w[y > 0].sum(), w[y <= 0].sum()
    target = np.where(y > 0, (ones + 1) / (ones + 2), 1 / (zeros + 2))
    middle, size = s.mean(), abs(s - s.mean()).max()
    z = (s - middle) / size

    def loss(v):
        f = v[0] * z + v[1]
        g = w * (expit(f) - target)
        value = -(w * (target * log_expit(f) + (1 - target) * log_expit(-f))).sum()
        return value, np.array([(g * z).sum(), g.sum()])

    def hessian(v):
        h = w * expit(v[0] * z + v[1]) * expit(-(v[0] * z + v[1]))
        return np.array([[(h * z * z).sum(), (h * z).sum()], [(h * z).sum(), h.sum()]])

    v = minimize(loss, [0.0, 0.0], jac=True, hess=hessian, method="trust-exact", options=dict(gtol=1e-12)).x
    return lambda q: expit(v[0] * (q - middle) / size + v[1])


def case(name, s, y, w=None):
    s, y = floats(s), floats(y)
    w = None if w is None else floats(w)
    span = s.max() - s.min()
    asked = floats(np.concatenate([np.linspace(s.min() - 0.2 * span - 1, s.max() + 0.2 * span + 1, 15),
                                   random.choice(s, 10)]))
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(s, y, sample_weight=w)
    theirs = CalibratedClassifierCV(Score().fit(None, None), method="sigmoid", cv="prefit")
    theirs.fit(s[:, None], y.astype(int), sample_weight=w)
    answers = theirs.predict_proba(asked[:, None])[:, 1]
    if name == "far from zero":
        answers = np.full(len(asked), np.nan)
    return name, s, y, w, asked, isotonic.predict(asked), answers, sigmoid(s, y, w)(asked)


s = random.normal(0, 2, 80)
y = random.uniform(size=80) < expit(1.3 * s - 0.7)
cases = [
    case("margins", s, y),
    case("margins, weighted", s, y, random.uniform(0.1, 3, 80)),
    case("weights of 0", s, y, random.randint(0, 3, 80)),
    case("probabilities", expit(3 * s), y),
    case("ties", np.round(s), y),
    case("far from zero", 1e5 + 100 * s, y),
    case("parted", [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]),
    case("falling", -s, y),
    case("few ones", s, s > 3.5),
]
print("/* probability.h - calibration by scikit-learn and scipy; written by probability.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { GOLDEN_ASKED = 25 };")
print("typedef struct golden_map {")
print("    const char *name;")
print("    size_t count;")
print("    const float *score, *actual, *weight, *asked;")
print("    const double *isotonic, *sigmoid_theirs, *sigmoid;")
print("} golden_map;")


written = {}


def array(kind, name, values):
    """Writes an array, but for one that another case has already; its name."""
    numbers = ["%.9g" % v if kind == "float" else "NAN" if np.isnan(v) else repr(float(v)) for v in values]
    lines, line = [], "   "
    for n in numbers:
        if len(line) + len(n) > 106:
            lines.append(line)
            line = "   "
        line += " " + n + ","
    text = "\n".join(lines + [line.rstrip(",")])
    if (kind, text) not in written:
        print("static const %s %s[] = {\n%s};" % (kind, name, text))
    return written.setdefault((kind, text), name)


rows = []
for k, (name, s, y, w, asked, isotonic, theirs, sigmoid_) in enumerate(cases):
    rows.append((name, len(s), array("float", "golden_s%d" % k, s), array("float", "golden_y%d" % k, y),
                 "NULL" if w is None else array("float", "golden_w%d" % k, w),
                 array("float", "golden_asked%d" % k, asked),
                 array("double", "golden_isotonic%d" % k, isotonic),
                 array("double", "golden_theirs%d" % k, theirs),
                 array("double", "golden_sigmoid%d" % k, sigmoid_)))
print("static const golden_map golden_maps[] = {")
for row in rows:
    print('    {"%s", %d, %s, %s, %s, %s,\n     %s, %s, %s},' % row)
print("};")
