#!/usr/bin/python3
"""Writes scaling.h, the fits that tests/test_scaling.c expects, with numpy and scipy (made with 1.24.2 and 1.10.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Every law is fitted as a general least-squares problem: numpy.linalg.lstsq on rows weighted by 1/y, scipy.optimize.nnls for
non-negative coefficients, scipy.optimize.least_squares for logarithmic errors, and the normal equations of Bayes for priors; all in double on
float values. Run it in its folder: ./scaling.py > scaling.h
"""
import textwrap

import numpy as np
import scipy.optimize
import scipy.stats

random = np.random.RandomState(26)
f32 = lambda v: np.asarray(v, np.float32).astype(float)
CORES, SOCKETS = 12, 2
frequency = f32([1.2, 1.5, 1.8, 2.1, 2.4])
voltage = f32([0.86, 0.88, 0.90, 0.93, 0.97])


def terms(law, x, v):
    """Columns of the law; rows {t}, {t, f} or {t, f, s}."""
    t = x[:, 0]
    one = np.ones(len(t))
    if law == "amdahl":
        return np.c_[one, 1 / t]
    if law == "gustafson":
        return np.c_[one, t]
    if law == "usl":
        return np.c_[1 / t, 1 - 1 / t, t - 1]
    if law == "power_law":
        return np.c_[one, np.log(t)]
    f = x[:, 1]
    g = f / frequency[0]
    k = np.ceil(t / CORES)
    volts = np.interp(f, frequency, voltage) if v else g ** 0.2
    if law == "time":
        return np.c_[1 / g, 1 / (g * t)]
    if law == "time_log":
        return np.c_[one, np.log(t), np.log(g), np.log(t) ** 2, k - 1, (k - 1) * (CORES * k - t) / (CORES - 1)]
    if law == "power":
        return np.c_[k * volts, (SOCKETS - k) * volts, volts ** 2 * f * t]
    if law == "power_printed":
        return np.c_[k * volts, (SOCKETS - k) * volts, k * volts ** 2 * f * t]
    return np.c_[one, k, g, k * g, volts ** 2 * f * t, volts ** 2 * x[:, 2]]


LAWS = ["amdahl", "gustafson", "usl", "usl_known", "power_law", "time", "time_log", "power", "power_printed", "power_speed"]
FEATURES = dict(amdahl=1, gustafson=1, usl=1, power_law=1, power_speed=3)
LOSSES = ["relative", "absolute", "log"]


def numbers(values, form="%.17g"):
    text = ["NAN" if np.isnan(v) else form % v for v in np.ravel(values)]
    return "{" + textwrap.fill(", ".join(text), 106, subsequent_indent="     ") + "}"


def case(law, loss, non_negative, b, rows, noise, v=True):
    t = random.choice(np.arange(1, 25), rows, replace=False).astype(float)
    x = f32(np.c_[t, random.choice(frequency, rows), random.uniform(0.1, 2, rows)])
    A = terms(law, x, v)
    line = A @ np.array(b)
    clean = np.exp(line) if law in ("power_law", "time_log") else 1 / line if law == "gustafson" else line
    y = f32(clean * np.exp(random.normal(0, noise, rows)))
    ln, inverse = law in ("power_law", "time_log"), law == "gustafson"
    z = np.log(y) if ln else 1 / y if inverse else y
    w = np.ones(rows) if ln or loss == "absolute" else 1 / z
    n = A.shape[1]
    if loss == "log" and not ln:
        start = np.maximum(np.linalg.lstsq(A * w[:, None], z * w, rcond=None)[0], 1e-3)
        size = np.abs(A).max(0)
        fit = scipy.optimize.least_squares(lambda q: np.log(A / size @ q) - np.log(z), start * size, bounds=(0, np.inf),
                                           xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale=np.maximum(start * size, 1e-3))
        c = fit.x / size
        c[c * size < 1e-6 * (c * size).max()] = 0
        w = 1 / (A @ c)
        residual = np.log(z) - np.log(A @ c)
    else:
        c = scipy.optimize.nnls(A * w[:, None], z * w)[0] if non_negative else np.linalg.lstsq(A * w[:, None], z * w, rcond=None)[0]
        residual = w * (z - A @ c)
    free = np.flatnonzero(c != 0)
    freedom = rows - len(free)
    sigma = np.sqrt(residual @ residual / freedom)
    inv = np.linalg.inv((A[:, free] * w[:, None]).T @ (A[:, free] * w[:, None]))
    error = np.zeros(n)
    error[free] = sigma * np.sqrt(np.diag(inv))
    at = f32([[17, 1.95, 1.1]])
    a = terms(law, at, v)[0]
    p = a @ c
    own = 1 if ln or loss == "absolute" else p * p
    q = scipy.stats.t.ppf(0.975, freedom)
    ends = [p + s * q * sigma * np.sqrt(a[free] @ inv @ a[free] + new * own) for new in (0, 1) for s in (-1, 1)]
    if ln:
        p, ends = np.exp(p), np.exp(ends)
    if inverse:
        p, ends = 1 / p, [1 / ends[1], 1 / ends[0], 1 / ends[3], 1 / ends[2]]
    pad = lambda q: np.r_[q, np.zeros(6 - len(q))]
    print("    {%d, %d, %d, %d, %d,\n     %s,\n     %s,\n     %s,\n     %s,\n     %.17g, %.17g, %s},"
          % (LAWS.index(law), LOSSES.index(loss), non_negative, v, rows, numbers(np.r_[x.ravel(), np.zeros(3 * (20 - rows))], "%.9g"),
             numbers(np.r_[y, np.zeros(20 - rows)], "%.9g"), numbers(pad(c)), numbers(pad(error)), sigma, p, numbers(ends)))


def bayes(law, rows, mean, sd, noise, v=True):
    """The posterior under N(mean, correlated covariance), by the normal equations."""
    t = random.choice(np.arange(1, 25), rows, replace=False).astype(float)
    x = f32(np.c_[t, random.choice(frequency, rows), random.uniform(0.1, 2, rows)])
    A = terms(law, x, v)
    grid = np.array([[i + 1, f, 1] for i in range(CORES * SOCKETS) for f in frequency])
    unit = terms(law, grid, v).mean(0) if law.startswith("power") and law != "power_law" else np.ones(A.shape[1])
    A = A / unit
    y = f32((np.exp(A @ mean + 3) if law == "time_log" else 50 * A @ mean) * np.exp(random.normal(0, 0.05, rows)))
    n = A.shape[1]
    mix = np.eye(n) + 0.3 * random.uniform(-1, 1, (n, n))
    covariance = np.diag(sd) @ mix @ mix.T @ np.diag(sd)
    if law == "time_log":
        level, z, w = 1.0, np.log(y), np.ones(rows)
    else:
        level = np.mean(y / (A @ mean))
        z, w = y / level, level / y
    P = np.linalg.inv(covariance)
    H = P + (A * w[:, None]).T @ (A * w[:, None]) / noise ** 2
    c = np.linalg.solve(H, P @ mean + (A * w[:, None]).T @ (z * w) / noise ** 2)
    V = np.linalg.inv(H)
    at = f32([[17, 1.95, 1.1]])
    a = terms(law, at, v)[0] / unit
    p = a @ c
    sdev = np.sqrt(a @ V @ a + noise ** 2) if law == "time_log" else np.sqrt(a @ V @ a / p ** 2 + noise ** 2)
    print("    {%d, %d,\n     %s,\n     %s,\n     %s,\n     %s,\n     %.17g,\n     %s,\n     %.17g, %.17g},"
          % (LAWS.index(law), rows, numbers(np.r_[x.ravel(), np.zeros(3 * (20 - rows))], "%.9g"),
             numbers(np.r_[y, np.zeros(20 - rows)], "%.9g"), numbers(mean), numbers(covariance), noise, numbers(c * level / unit),
             np.exp(p) if law == "time_log" else p * level, sdev))


print("/* scaling.h - fits of scaling laws by numpy and scipy; written by scaling.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("static const float golden_frequency[5] = %s;" % numbers(frequency, "%.9gf"))
print("static const float golden_voltage[5] = %s;" % numbers(voltage, "%.9gf"))
print("/* x: 20 rows {t, f, s}; interval: of the mean and of a new run at {17, 1.95, 1.1}, 95 % */")
print("static const struct golden_fit {\n    unsigned law, loss, non_negative, volts, rows;\n    double x[60], y[20], coefficient[6], error[6],"
      " sigma, at, interval[4];\n} golden_fits[] = {")
for loss in LOSSES:
    for law, b in (("amdahl", [3, 80]), ("usl", [90, 2, 0.05]), ("gustafson", [0.01, 0.02]), ("time", [4, 90]),
                   ("power", [12, 4, 0.9]), ("power_printed", [12, 4, 0.5]), ("power_speed", [10, 9, 2, 3, 0.5, 8])):
        if not (law == "gustafson" and loss == "log"):
            case(law, loss, int(loss == "log"), b, 12, 0.02)
case("power_law", "log", 0, [4, -0.8], 9, 0.03)
case("time_log", "log", 0, [4, -0.9, -0.9, 0.05, 0.1, 0.1], 15, 0.02)
case("usl", "relative", 1, [90, 0.1, -0.02], 12, 0.01)
case("amdahl", "relative", 1, [-2, 80], 10, 0.02)
case("power", "absolute", 1, [12, -5, 0.9], 14, 0.02)
case("power_speed", "relative", 1, [10, -3, -2, 3, 0.5, 8], 18, 0.01)
case("power", "relative", 0, [12, 4, 0.9], 12, 0.02, False)
case("power_speed", "relative", 0, [10, 9, 2, 3, 0.5, 8], 14, 0.02, False)
print("};")
print("/* covariance: 6 x 6; at: the prediction at {17, 1.95, 1.1}, error: its relative standard deviation, of a new run */")
print("static const struct golden_bayes {\n    unsigned law, rows;\n    double x[60], y[20], mean[6], covariance[36], noise, coefficient[6],"
      " at, error;\n} golden_bayes[] = {")
time_mean, time_sd = np.array([0, -.9, -.95, 0, 0, 0]), np.array([10, .25, .2, .06, .15, .2])
share = np.array([.25, .25, .05, .05, .2, .2])
for rows in (1, 2, 4, 9):
    bayes("time_log", rows, time_mean, time_sd, 0.03)
    bayes("power_speed", rows, share, share, 0.01)
print("};")
