#!/usr/bin/python3
"""Writes metrics.h, the figures that tests/test_metrics.c expects, with scikit-learn (made with 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Values are floats; scikit-learn gets them as doubles. The MAPE over |p| is scikit-learn's with the arguments
exchanged. Where weights are whole, medians are those of rows repeated weight times (given weights,
scikit-learn 1.2 takes the lower of the middle two).
Run it in its folder: ./metrics.py > metrics.h
"""
import warnings

import numpy as np
import sklearn.metrics as m

warnings.filterwarnings("ignore")  # R2 of one row is NaN, on purpose
random = np.random.RandomState(20)


def floats(values):
    return np.asarray(values, dtype=np.float32).astype(float)


def number(v):
    return "NAN" if np.isnan(v) else repr(float(v))


def symmetric(y, p, w):
    d = (abs(y) + abs(p)) / 2
    ok = d > 0
    return np.average(abs(y - p)[ok] / d[ok], weights=w[ok]) if ok.any() else np.nan


def case(name, y, p, w=None):
    y, p = floats(y), floats(p)
    weights = np.ones(len(y)) if w is None else floats(w)
    given = dict(sample_weight=None if w is None else weights)
    if w is None:
        median = m.median_absolute_error(y, p)
    elif all(weights == np.round(weights)):
        median = np.median(np.repeat(abs(y - p), weights.astype(int)))
    else:
        median = m.median_absolute_error(y, p, **given)
    seen = weights > 0
    figures = [
        m.mean_absolute_error(y, p, **given),
        m.mean_squared_error(y, p, **given),
        m.mean_squared_error(y, p, squared=False, **given),
        median,
        m.max_error(y[seen], p[seen]),
        np.average(p - y, weights=weights),
        m.r2_score(y, p, **given),
        m.explained_variance_score(y, p, **given),
        m.mean_absolute_percentage_error(y, p, **given),
        m.mean_absolute_percentage_error(p, y, **given),
        symmetric(y, p, weights),
        m.mean_pinball_loss(y, p, alpha=0.5, **given),
        m.mean_pinball_loss(y, p, alpha=0.9, **given),
    ]
    return name, y, p, None if w is None else weights, figures


def formula(count):
    """The large case, which the test makes again by the same integer arithmetic."""
    i = np.arange(count)
    return (i * 7919 % 1009 + 16) / 8, (i * 7919 % 1009 + 16 + i * 31 % 17 - 8) / 8


y = random.lognormal(3, 1, 60)
noisy = y * random.lognormal(0, 0.2, 60)
cases = [
    case("random", y, noisy),
    case("random, weighted", y, noisy, random.uniform(0.1, 3, 60)),
    case("whole weights", y[:20], noisy[:20], random.randint(0, 4, 20)),
    case("negative", -y, 5 - noisy),
    case("far from zero", 1e6 + y, 1e6 + noisy),
    case("ties, even", [1, 2, 3, 4, 5, 6], [2, 3, 2, 3, 7, 8]),
    case("ties, odd", [1, 2, 3, 4, 5, 6, 7], [2, 3, 2, 3, 7, 8, 7]),
    case("ties, half of the weight", [1, 2, 3, 4], [1.5, 3, 5, 8], [1, 1, 0, 2]),
    case("constant actual", [0.1] * 9, random.uniform(0, 1, 9)),
    case("constant actual, constant error", [4] * 5, [6] * 5),
    case("constant actual, no error", [4] * 5, [4] * 5),
    case("constant prediction", y, [20] * 60),
    case("no error", y, y),
    case("one row", [3], [2.5]),
    case("one row, no error", [3], [3]),
    case("two rows", [3, 5], [2.5, 7]),
    case("small values", [0.5, 0.8, 1, 1.3], [0.55, 0.7, 1.2, 1.0]),
]
large = case("large", *formula(100003))

print("/* metrics.h - figures of scikit-learn; written by metrics.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("typedef struct golden_figures {")
print("    double mae, mse, rmse, median_error, max_error, bias, r2, explained_variance;")
print("    double mape_actual, mape_predicted, mape_symmetric, pinball_50, pinball_90;")
print("} golden_figures;")
print("typedef struct golden_case {")
print("    const char *name;")
print("    size_t count;")
print("    const float *actual, *predicted, *weight;")
print("    golden_figures expected;")
print("} golden_case;")


written = {}


def array(name, values):
    """Writes an array, but for one that another case has already; its name."""
    text = ", ".join("%.9g" % v for v in values)
    if text in written:
        return written[text]
    written[text] = name
    lines = []
    while text:
        cut = len(text) if len(text) <= 108 else text.rindex(" ", 0, 108) + 1
        lines.append("    " + text[:cut].rstrip())
        text = text[cut:]
    print("static const float %s[] = {\n%s};" % (name, "\n".join(lines)))
    return name


def arrays(prefix, some):
    """Of each case its name, how many rows, and what its arrays are called."""
    return [(name, len(y), array("golden_%sy%d" % (prefix, k), y), array("golden_%sp%d" % (prefix, k), p),
             "NULL" if w is None else array("golden_%sw%d" % (prefix, k), w))
            for k, (name, y, p, w, _) in enumerate(some)]


def figures_text(values):
    numbers = [number(v) for v in values]
    return "{%s,\n      %s}" % (", ".join(numbers[:6]), ", ".join(numbers[6:]))


named = arrays("", cases)
print("static const golden_case golden_cases[] = {")
for words, (*_, figures) in zip(named, cases):
    print('    {"%s", %d, %s, %s, %s,' % words)
    print("     %s}," % figures_text(figures))
print("};")
print("enum { golden_large_count = %d };" % len(large[1]))
print("static const golden_figures golden_large =\n     %s;" % figures_text(large[4]))

# Two classes: actual values 0 and 1, and probabilities.


def binary(name, y, p, w=None):
    y, p = floats(y), floats(p)
    weights = None if w is None else floats(w)
    all_weights = np.ones(len(y)) if w is None else weights
    seen = all_weights > 0
    rate = np.full(len(y), np.average(y, weights=all_weights))
    given = dict(sample_weight=weights)
    two = len(set(y[seen])) == 2
    return name, y, p, weights, [
        rate[0],
        np.average(p, weights=all_weights),
        m.brier_score_loss(y, p, pos_label=1, **given),
        m.log_loss(y, p, labels=[0, 1], **given),
        m.roc_auc_score(y[seen], p[seen], sample_weight=None if w is None else weights[seen]) if two else np.nan,
        m.brier_score_loss(y, rate, pos_label=1, **given),
        m.log_loss(y, rate, labels=[0, 1], **given),
    ]


p = random.beta(0.7, 1.5, 90)
y = random.uniform(size=90) < p
binaries = [
    binary("probabilities", y, p),
    binary("probabilities, weighted", y, p, random.uniform(0.1, 3, 90)),
    binary("weights of 0", y[:30], p[:30], random.randint(0, 3, 30)),
    binary("ties", y, np.round(4 * p) / 4),
    binary("certain, and wrong", y[:40], 1 - y[:40]),
    binary("ties, weighted", y, np.round(9 * p) / 9, random.uniform(0.1, 3, 90)),
    binary("all alike", y, [0.25] * 90),
    binary("ones alone", [1] * 7, p[:7]),
    binary("zeros alone", [0] * 7, p[:7]),
    binary("one of each", [0, 1], [0.25, 0.125]),
]
print("typedef struct golden_binary_case {")
print("    const char *name;")
print("    size_t count;")
print("    const float *actual, *predicted, *weight;")
print("    double rate, mean_p, brier, log_loss, auc, brier_rate, log_loss_rate;")
print("} golden_binary_case;")
named = arrays("binary_", binaries)
print("static const golden_binary_case golden_binaries[] = {")
for words, (*_, figures) in zip(named, binaries):
    print('    {"%s", %d, %s, %s, %s,' % words)
    numbers = [number(v) for v in figures]
    print("     %s,\n     %s}," % (", ".join(numbers[:4]), ", ".join(numbers[4:])))
print("};")
