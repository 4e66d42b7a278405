#!/usr/bin/python3
"""Writes scaling_parsec.h: the paper's models on the author's published measurements, by numpy alone (made with 1.24.2).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Eq. 3 and eq. 7 (the dynamic term once per core) by unweighted least squares on the first four Halton points, and the searches of Tables II and III.
Run it in its folder with the folder of parsec.csv and voltage.csv: ./scaling_parsec.py ../../../shared/data/parsec > scaling_parsec.h
"""
import csv
import sys

import numpy as np

folder = sys.argv[1] + "/"
volts = np.zeros(13)
for r in csv.DictReader(open(folder + "voltage.csv")):
    if int(r["active_cores"]) == 12 and int(r["freq_mhz"]) <= 2400:
        volts[(int(r["freq_mhz"]) - 1200) // 100] = float(r["voltage"])
T, P = {}, {}
for r in csv.DictReader(open(folder + "parsec.csv")):
    i = (int(r["threads"]) - 1) * 13 + (int(r["freq_mhz"]) - 1200) // 100
    T.setdefault(r["app"], np.zeros(312))[i] = 1 / float(r["throughput"])
    P.setdefault(r["app"], np.zeros(312))[i] = float(r["power_w"])
t, level = np.arange(312) // 13 + 1, np.arange(312) % 13
g, k, v = 1 + level / 12, np.ceil(t / 12), volts[level]
XT, XP = np.c_[1 / g, 1 / g / t], np.c_[k * v, (2 - k) * v, v ** 2 * g * t]
four = [(13 - 1) * 13 + 4, (7 - 1) * 13 + 8, (19 - 1) * 13 + 1, (4 - 1) * 13 + 5]
rest = np.setdiff1d(np.arange(312), four)


def fit(X, y):
    p = X @ np.linalg.lstsq(X[four], y[four], rcond=None)[0]
    p[four] = y[four]
    return p


def search(bound, objective, said_bound, said_objective):
    """Losses of the ten queries in per cent; -1: a miss."""
    out = []
    for i in range(1, 11):
        limit = (bound.min() + (bound.max() - bound.min()) * i / 10) * (1 + 1e-9)
        keeps = np.flatnonzero(said_bound <= limit)
        chosen = keeps[np.argmin(said_objective[keeps])] if len(keeps) else np.argmin(said_bound)
        ideal = objective[bound <= limit].min()
        out.append(-1 if bound[chosen] > limit else 100 * (objective[chosen] / ideal - 1))
    return out


print("/* scaling_parsec.h - De Sensi's models on his measurements, by numpy; written by scaling_parsec.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("/* accuracy and its standard deviation: time, power; losses of ten queries: minPower, minTime (-1: a miss) */")
print("static const struct golden_parsec {\n    const char *name;\n    double accuracy[4], loss[2][10];\n} golden_parsec[] = {")
for a in T:
    pt, pp = fit(XT, T[a]), fit(XP, P[a])
    et, ep = 100 * np.abs(pt / T[a] - 1)[rest], 100 * np.abs(pp / P[a] - 1)[rest]
    print('    {"%s", {%.4f, %.4f, %.4f, %.4f},' % (a, 100 - et.mean(), et.std(), 100 - ep.mean(), ep.std()))
    rows = [search(T[a], P[a], pt, pp), search(P[a], T[a], pp, pt)]
    print("     {" + ",\n      ".join("{" + ", ".join("%.4f" % q if q >= 0 else "-1" for q in row) + "}" for row in rows) + "}},")
print("};")
