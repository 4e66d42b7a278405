#!/usr/bin/python3
# Laws over spaces, fitted by another way than ours: every set of terms in turn, each by Levenberg and
# Marquardt's method in the logarithms of its coefficients (scipy), the best of them kept.
#     tests/golden/space.py > tests/golden/space.h        needs numpy and scipy
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
import csv
import itertools
import os

import numpy as np
from scipy.optimize import least_squares

P = [1, 1.5, 2, 3, 4, 8]


def terms(space, power, row):
    """The terms of the law at a row, and the sizes over their smallest."""
    u, n, counts, sizes = [1.0], 1.0, False, []
    for (kind, values, volts, rise), x in zip(space, row):
        if kind == "COUNT":
            n, counts = n * x, True
        elif kind == "FREQUENCY":
            f = x / values[0]
            v = np.interp(x, values, volts) / volts[0] if volts else f ** (rise or 0.2)
            clock = f * v * v if power else 1 / f
            u.append(clock)
            if counts:
                u.append(clock * n if power else clock / n)
            n, counts = 1.0, False
        else:
            sizes.append(x / values[0])
    if counts:
        u.append(n if power else 1 / n)
    return u, [] if power else sizes


def fit(space, power, rows, y, w):
    """The law with the least sum of w (ln y - ln law)^2, and its p."""
    U = np.array([terms(space, power, r)[0] for r in rows])
    S = np.array([terms(space, power, r)[1] for r in rows])
    q, root = U.shape[1], np.sqrt(w)
    best = None
    for p in [1] if power else P:
        kept = None
        for size in range(1, q + 1):
            for some in itertools.combinations(range(q), size):
                some = list(some)

                def line(theta, U=U, S=S, some=some, p=p):
                    part = np.exp(p * (np.log(U[:, some]) + theta[: len(some)]))
                    return np.log(part.sum(1)) / p + np.log(S) @ theta[len(some) :]

                start = np.r_[np.log(np.mean(y) / size / U[:, some].mean(0)), np.ones(S.shape[1])]
                if len(start) > len(y):
                    continue
                got = least_squares(lambda t: root * (line(t) - np.log(y)), start, method="lm",
                                    xtol=1e-14, ftol=1e-14, gtol=1e-14, max_nfev=20000)
                sse = 2 * got.cost
                if kept is None or sse < kept[0] - 1e-15:
                    kept = (sse, p, some, got.x)
        if best is None or kept[0] < best[0] - 1e-12 * len(y):
            best = kept
    sse, p, some, theta = best

    def law(row):
        u, s = terms(space, power, row)
        part = np.exp(p * (np.log(np.array(u)[some]) + theta[: len(some)]))
        return float(part.sum() ** (1 / p) * np.prod(np.array(s) ** theta[len(some) :]))

    return law, p, sse


def show(x):
    text = "%.9g" % x
    return text + ("f" if "." in text or "e" in text else ".0f")


def titanx():
    here = os.path.dirname(os.path.abspath(__file__))
    found = {}
    with open(os.path.join(here, "../../examples/scale/data/titanx.csv")) as file:
        for r in csv.DictReader(file):
            found.setdefault(r["program"], []).append([float(r[k]) for k in list(r)[1:]])
    return found


def cases():
    """space, runs, their times and powers, weights, rows to predict"""
    core = [595, 633, 671, 709, 747, 785, 823, 861, 899, 937, 975, 1013, 1050, 1088, 1126, 1164]
    gpu = [("FREQUENCY", [810, 3505], None, 0), ("FREQUENCY", core, None, 1.5)]
    six = [0, 15, 16, 31, 8, 24]
    for name, which in ("2dconvolution", [0, 31, 15, 16]), ("backprop", six), ("fft", six), ("syrk", six):
        t = np.array(titanx()[name])
        yield gpu, t[which, :2], t[which, 2], t[which, 3], np.ones(len(which)), t[[3, 11, 20, 27, 29], :2]
    rng = np.random.default_rng(1)
    volts = [0.8, 0.9, 1.15]
    nodes = [("COUNT", [1, 2, 4], None, 0), ("COUNT", [1, 8, 16], None, 0),
             ("FREQUENCY", [1.2, 1.8, 2.4], volts, 0), ("SIZE", [100, 200, 1000], None, 0)]
    loose = [("SIZE", [1, 2, 8], None, 0), ("COUNT", [2, 3, 5], None, 0), ("SIZE", [10, 20, 30], None, 0)]
    for space, n in (nodes, 14), (loose, 9):
        rows = np.array([[a[1][rng.integers(len(a[1]))] for a in space] for _ in range(n + 4)], dtype=float)
        time, power = [], []
        for row in rows:
            u, s = terms(space, 0, row)
            v = terms(space, 1, row)[0]
            time.append(np.sum((np.array([3.0, 5, 40][: len(u)]) * u) ** 2) ** 0.5 * np.prod(s) ** 1.3)
            power.append(np.dot([20.0, 4, 1.5][: len(v)], v))
        time = np.array(time) * np.exp(0.05 * rng.standard_normal(n + 4))
        power = np.array(power) * np.exp(0.02 * rng.standard_normal(n + 4))
        yield space, rows[:n], time[:n], power[:n], rng.integers(0, 4, n) + 0.5, rows[n:]


def main():
    print("/* Laws over spaces by tests/golden/space.py; do not edit.")
    print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
    print(" * SPDX-License-Identifier: MIT")
    print(" */")
    print("typedef struct space_case {\n    sooth_space space;\n    uint32_t runs, asked;")
    print("    const float *x, *time, *power, *weight, *row; /* asked rows; what is said of them: */")
    print("    const double *said[2];\n    double p, sse[2];\n} space_case;")
    table = []
    for i, (space, x, time, power, w, rows) in enumerate(cases()):
        x, time, power, w = (np.array(v, dtype=np.float32).astype(float) for v in (x, time, power, w))
        space = [(k, [float(np.float32(v)) for v in values], volts and [float(np.float32(v)) for v in volts], r)
                 for k, values, volts, r in space]
        laws = [fit(space, m, x, power if m else time, w) for m in (0, 1)]

        def array(name, values, kind="float"):
            text = ", ".join(show(v) if kind == "float" else repr(float(v)) for v in np.ravel(values))
            print("static const %s %s[] = {%s};" % (kind, name, text))

        axes = []
        for k, (kind, values, volts, rise) in enumerate(space):
            array("space_%d_value_%d" % (i, k), values)
            if volts:
                array("space_%d_volts_%d" % (i, k), volts)
            axes.append("{SOOTH_AXIS_%s, %d, space_%d_value_%d, %s, %s}" % (
                kind, len(values), i, k, "space_%d_volts_%d" % (i, k) if volts else "NULL", show(rise)))
        axes += ["{0, 0, NULL, NULL, 0}"] * (8 - len(axes))
        for name, values in ("x", x), ("time", time), ("power", power), ("weight", w), ("row", rows):
            array("space_%d_%s" % (i, name), values)
        for m in 0, 1:
            array("space_%d_said_%d" % (i, m), [laws[m][0](r) for r in np.float32(rows).astype(float)], "double")
        table.append("    {{%d, {%s}}, %d, %d, %s, {space_%d_said_0, space_%d_said_1}, %r, {%r, %r}}" % (
            len(space), ", ".join(axes), len(x), len(rows),
            ", ".join("space_%d_%s" % (i, v) for v in ("x", "time", "power", "weight", "row")), i, i,
            float(laws[0][1]), float(laws[0][2]), float(laws[1][2])))
    print("static const space_case space_cases[] = {\n%s};" % ",\n".join(table))


main()
