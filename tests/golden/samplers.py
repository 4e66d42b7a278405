#!/usr/bin/python3
"""Writes samplers.h, the points and discrepancies that tests/test_halton.c and tests/test_sobol.c expect, with
SciPy (made with 1.10.1) and GSL (made with 2.7.1, called through ctypes).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Points are compared by hashes over the first 4,096 of them: Sobol and Niederreiter as whole numbers (times 2^32),
which is exact, Halton as the doubles nearest to the exact fractions, after this script has seen that SciPy's and
GSL's doubles lie within 2^-51 of them. Run it in its folder: ./samplers.py > samplers.h
"""
import ctypes
import textwrap
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import qmc

N, SHOWN = 4096, 64
gsl = ctypes.CDLL("libgsl.so.27", mode=ctypes.RTLD_GLOBAL)
gsl.gsl_qrng_alloc.restype = ctypes.c_void_p
gsl.gsl_qrng_alloc.argtypes = [ctypes.c_void_p, ctypes.c_uint]
gsl.gsl_qrng_get.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


def from_gsl(name, d, n=N):
    """The first n points that GSL gives."""
    generator = gsl.gsl_qrng_alloc(ctypes.c_void_p.in_dll(gsl, "gsl_qrng_" + name), d)
    x = np.zeros((n, d))
    for i in range(n):
        gsl.gsl_qrng_get(generator, x[i].ctypes.data)
    return x


def fnv(data):
    h = 14695981039346656037
    for byte in data:
        h = (h ^ byte) * 1099511628211 % 2**64
    return h


def words(x):
    w = x * 2.0**32
    assert np.all(w == np.floor(w))
    return w.astype(np.uint32)


primes = [p for p in range(2, 400) if all(p % q for q in range(2, p))]


def inverse(i, b, reverse):
    numerator, whole = 0, 1
    while i:
        a = i % b
        numerator = numerator * b + ((b - a) % b if reverse else a)
        whole *= b
        i //= b
    return Fraction(numerator, whole)


def halton(d, reverse, first, n=N):
    return [[inverse(i, b, reverse) for b in primes[:d]] for i in range(first, first + n)]


def exact(fractions, *others):
    """The nearest doubles, when the others agree with them."""
    x = np.array([[float(f) for f in row] for row in fractions])
    for other in others:
        assert np.max(np.abs(x - other)) <= 2.0**-51
    return x


def r_sequence(d, n):
    getcontext().prec = 60
    phi = Decimal("1.5")
    for _ in range(200):
        phi -= (phi**(d + 1) - phi - 1) / ((d + 1) * phi**d - 1)
    return [[(Fraction(1, 2) + i * Fraction(phi**-(j + 1))) % 1 for j in range(d)] for i in range(n)]


def distinct(fractions, levels, nearest, count):
    """The first configurations that exact points fall on, each once."""
    seen = []
    for row in fractions:
        c = [int(u * (n - 1) + Fraction(1, 2)) if nearest else int(u * n) for u, n in zip(row, levels)]
        if c not in seen:
            seen.append(c)
        if len(seen) == count:
            return seen
    raise ValueError("too few points")


def fill(text):
    return "{" + textwrap.fill(", ".join(text), 106, subsequent_indent="     ") + "}"


def doubles(x):
    return fill(["%.17g" % v for v in np.ravel(x)])


def first_distinct(sets):
    """The first distinct configurations of 24 threads x 13 frequencies, from exact fractions."""
    print("/* the first distinct configurations of 24 threads x 13 frequencies, the paper's machine */")
    for name, fractions in sets:
        for nearest, rounding in enumerate(("floor", "nearest")):
            print("static const uint32_t golden_grid_%s_%s[golden_configurations * 2] =" % (name, rounding))
            print("    %s;" % fill([str(v) for c in distinct(fractions, (24, 13), nearest, SHOWN) for v in c]))


print("/* samplers.h - points of SciPy and GSL, and their discrepancies; written by samplers.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("typedef struct golden_points {")
print("    uint32_t dims;")
print("    unsigned long long hash; /* FNV-1a of the first golden_count points, little-endian */")
print("} golden_points;")
print("enum { golden_count = %d, golden_shown = %d, golden_configurations = %d };" % (N, SHOWN, SHOWN))

print("\n#ifdef GOLDEN_SOBOL")
print("/* hashes of uint32_t; scipy from index 0, gsl_sobol from index 1, gsl_niederreiter from index 0 */")
shown = {}
for name, dims in [("scipy", (2, 5, 8, 16, 64)), ("gsl_sobol", (2, 5, 8, 40)), ("gsl_niederreiter", (2, 5, 8, 12))]:
    print("static const golden_points golden_%s[] = {" % name)
    for d in dims:
        if name == "scipy":
            w = words(qmc.Sobol(d, scramble=False).random_base2(12))
        elif name == "gsl_sobol":
            w = words(from_gsl("sobol", d))
        else:
            w = words(from_gsl("niederreiter_2", d))  # 31 bits of 32
        shown[name, d] = w
        print("    {%d, 0x%xull}," % (d, fnv(w.astype("<u4").tobytes())))
    print("    {0, 0}};")
    print("static const uint32_t golden_%s_first[golden_shown * 8] =" % name)
    print("    %s;" % fill(["%uu" % v for v in shown[name, 8][:SHOWN].ravel()]))
many = 400
first_distinct([("sobol_1", [[Fraction(u) for u in row] for row in from_gsl("sobol", 2, many)]),
                ("niederreiter_0", [[Fraction(u) for u in row] for row in from_gsl("niederreiter_2", 2, many)])])
print("#endif /* GOLDEN_SOBOL */")

print("\n#ifdef GOLDEN_HALTON")
print("/* hashes of doubles; halton from index 0 (SciPy) is that of GSL one later; reverse from index 1 (GSL) */")
print("static const golden_points golden_halton[] = {")
for d in (2, 5, 8, 32, 64):
    scipy = qmc.Halton(d, scramble=False).random(N + 1)
    x = exact(halton(d, False, 0, N + 1), scipy, np.vstack([np.zeros((1, d)), from_gsl("halton", d)]))
    print("    {%d, 0x%xull}," % (d, fnv(x[:N].astype("<f8").tobytes())))
print("    {0, 0}};")
print("static const golden_points golden_reverse[] = {")
for d in (2, 5, 8, 32, 64):
    x = exact(halton(d, True, 1), from_gsl("reversehalton", d))
    print("    {%d, 0x%xull}," % (d, fnv(x.astype("<f8").tobytes())))
print("    {0, 0}};")
sets = [("halton_first", qmc.Halton(5, scramble=False).random(SHOWN)),
        ("reverse_first", from_gsl("reversehalton", 5, SHOWN)),
        ("r_first", np.array([[float(u) for u in row] for row in r_sequence(5, SHOWN)]))]
for name, x in sets:
    print("static const double golden_%s[golden_shown * 5] =" % name)
    print("    %s;" % doubles(x))

first_distinct([("halton_1", halton(2, False, 1, many)), ("reverse_1", halton(2, True, 1, many)),
                ("r_1", r_sequence(2, many)[1:])])
print("/* of the first `rows` points of the sets above: centred, wrap-around, mixture, L2-star, least distance */")
print("typedef struct golden_evenness {")
print("    const double *x;")
print("    uint32_t rows;")
print("    double value[5];")
print("} golden_evenness;")
print("static const golden_evenness golden_even[] = {")
for name, x in sets:
    for rows in (1, 2, 16, SHOWN):
        value = [qmc.discrepancy(x[:rows], method=m) for m in ("CD", "WD", "MD", "L2-star")]
        value.append(pdist(x[:rows]).min() if rows > 1 else 0)
        print("    {golden_%s, %d,\n     %s}," % (name, rows, doubles(value)))
print("    {NULL, 0, {0, 0, 0, 0, 0}}};")

print("#endif /* GOLDEN_HALTON */")
