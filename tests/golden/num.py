#!/usr/bin/python3
"""Writes num.h, the distributions that tests/test_num.c expects, with mpmath (made with 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Every value comes from its definition in 260 digits and is compared with scipy's, which is good to 1e-7 (its
quantiles of t) or better. Run it in its folder: ./num.py > num.h
"""
import sys
from mpmath import mp, mpf
from scipy import stats, special

mp.dps = 260


def beta(a, b, x, y):
    """I_x(a, b), y = 1 - x: the series of DLMF 8.17.8 in the smaller of x and y."""
    a, b, x, y = mpf(a), mpf(b), mpf(x), mpf(y)
    if x > y:
        return 1 - beta(b, a, y, x)
    log_beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    front = mp.exp(a * mp.log(x) + b * mp.log(y) - log_beta) / a
    term = total = mpf(1)
    n = 0
    while term > total * mpf(10) ** -255:
        term *= (a + b + n) / (a + 1 + n) * x
        total += term
        n += 1
    return front * total


def t_cdf(t, df):
    t, df = mpf(t), mpf(df)
    tail = beta(df / 2, mpf(1) / 2, df / (df + t * t), t * t / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


def f_cdf(f, d1, d2):
    f, d1, d2 = mpf(f), mpf(d1), mpf(d2)
    return beta(d1 / 2, d2 / 2, d1 * f / (d1 * f + d2), d2 / (d1 * f + d2))


def t_pdf(t, df):
    t, df = mpf(t), mpf(df)
    top = mp.gamma((df + 1) / 2) / (mp.sqrt(df * mp.pi) * mp.gamma(df / 2))
    return top * (1 + t * t / df) ** (-(df + 1) / 2)


def root(cdf, pdf, p, start):
    """The quantile by Newton's method, from a start close by."""
    x, p = mpf(start), mpf(p)
    for _ in range(20):
        step = (cdf(x) - p) / pdf(x)
        x -= step
        if abs(step) < abs(x) * mpf(10) ** -25:
            return x
    raise ArithmeticError((p, start))


def table(name, fields, rows):
    print("\nstatic const struct {\n    double %s, value;\n} golden_%s[] = {" % (", ".join(fields), name))
    for row in rows:
        print("    {" + ", ".join(mp.nstr(mpf(v), 20, min_fixed=-5, max_fixed=9) for v in row) + "},")
    print("};")


def near(ours, theirs, what):
    if not abs(ours - theirs) <= 1e-7 * abs(theirs) + 1e-300:
        print("differs from scipy:", what, mp.nstr(ours, 17), theirs, file=sys.stderr)
    return ours


print("/* num.h - distributions to 20 digits, written by num.py; do not edit.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */")
print("#ifndef SOOTH_GOLDEN_NUM_H\n#define SOOTH_GOLDEN_NUM_H")

rows = [(x, near(mp.loggamma(mpf(x)), special.gammaln(x), x))
        for x in (0.001, 0.1, 0.5, 1.5, 2.5, 3.25, 9.75, 10.5, 100.0, 12345.5, 1e6, 1e12)]
table("log_gamma", ["x"], rows)

rows = [(z, near(mp.ncdf(mpf(z)), stats.norm.cdf(z), z))
        for z in (-38.0, -20.5, -8.0, -3.25, -2.0, -1.9375, -1.0, -0.001, 0.0, 1e-9, 0.5, 1.0, 1.96,
                  2.5, 5.0, 8.0)]
table("normal_cdf", ["z"], rows)

rows = [(p, near(root(mp.ncdf, mp.npdf, p, stats.norm.ppf(p)), stats.norm.ppf(p), p))
        for p in (1e-300, 1e-20, 1e-5, 0.001, 0.025, 0.099, 0.101, 0.25, 0.49, 0.5 + 2.0 ** -30, 0.6,
                  0.75, 0.9, 0.975, 0.9995)]
table("normal_quantile", ["p"], rows)

rows = [(t, df, near(t_cdf(t, df), stats.t.cdf(t, df), (t, df)))
        for df in (0.5, 1.0, 2.0, 3.5, 10.0, 30.0, 1000.0, 100000.0)
        for t in (-30.0, -4.0, -1.0, -0.01, 0.3, 2.0, 12.5)]
table("t_cdf", ["t", "df"], rows)



def t_quantile(p, df):
    return root(lambda t: t_cdf(t, df), lambda t: t_pdf(t, df), p, stats.t.ppf(p, df))


rows = [(p, df, near(t_quantile(p, df), stats.t.ppf(p, df), (p, df)))
        for df in (0.75, 1.0, 2.0, 5.0, 29.0, 400.0, 100000.0)
        for p in (1e-10, 0.005, 0.2, 0.26, 0.4999, 0.7, 0.95, 0.975, 0.9999)]
table("t_quantile", ["p", "df"], rows)

rows = [(f, d1, d2, near(f_cdf(f, d1, d2), stats.f.cdf(f, d1, d2), (f, d1, d2)))
        for d1, d2 in ((1.0, 1.0), (2.0, 7.0), (5.0, 2.5), (10.0, 100.0), (300.0, 4.0), (1000.0, 3000.0))
        for f in (1e-6, 0.1, 0.9, 1.0, 1.1, 3.0, 50.0) if f * d1 > 0.001]
table("f_cdf", ["f", "df1", "df2"], rows)

print("\n#endif /* SOOTH_GOLDEN_NUM_H */")
