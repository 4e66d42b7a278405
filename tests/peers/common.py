"""common.py - what the comparisons with peers share: sooth behind ctypes, distances in ulps, a table.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

SOOTH_SEED chooses the data (0 when it is not set); ANSWERS is the shared library made of answers.c.
"""
import ctypes
import os
import re
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
F32, F64 = np.float32, np.float64
SEED = int(os.environ.get("SOOTH_SEED", "0"))
SHOWN = 12  # failures that are told in full
library = ctypes.CDLL(os.environ["ANSWERS"])


def random_of(*numbers):
    """A generator for one case: what was drawn before does not matter."""
    return np.random.RandomState([SEED, *numbers])


def floats(array):
    return np.ascontiguousarray(array, dtype=F32)


def call(name, *values):
    """None, or why sooth refuses. Integers are sizes, floats doubles, arrays and bytes pointers."""
    def given(value):
        if isinstance(value, np.ndarray):
            return value.ctypes.data_as(ctypes.c_void_p)
        if isinstance(value, int):
            return ctypes.c_size_t(value)
        return ctypes.c_double(value) if isinstance(value, float) else value

    sentence = ctypes.create_string_buffer(512)
    code = getattr(library, name)(*map(given, values), sentence)
    if code == 1:
        assert sentence.value, "refused without a sentence"
        return sentence.value.decode()
    assert code == 0, f"{name} returned {code}"
    return None


def places(values):
    """Numbers that count the floats in their order, so that neighbours differ by 1; both zeros are 0."""
    bits = floats(values).view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def ulps(a, b):
    """The greatest distance of two arrays in floats; NaN equals NaN."""
    known = ~(np.isnan(a) & np.isnan(b))
    if (np.isnan(a) != np.isnan(b)).any():
        return 2**32
    return int(np.abs(places(a) - places(b))[known].max(initial=0))


class Table:
    """Counts by row; ends with "NAME: N passed, N failed"."""

    def __init__(self, name, worst):
        self.name, self.worst, self.lines, self.failed = name, worst, {}, 0
        self.refusals = {}

    def add(self, row, how, distance=0.0, what=""):
        """how: "equal", "refused", "unasked" (the peer itself gave no answer) or "FAILED"."""
        line = self.lines.setdefault(row, dict(equal=0, refused=0, unasked=0, FAILED=0, worst=0.0))
        line[how] += 1
        if how == "equal":
            line["worst"] = max(line["worst"], float(distance))
        if how == "refused":
            sentence = re.sub(r"^(line|byte) .*?: |[0-9.]+(e[-+][0-9]+)?", "", what)
            self.refusals.setdefault(sentence, (what, []))[1].append(row)
        if how == "FAILED":
            self.failed += 1
            if self.failed <= SHOWN:
                print(f"  FAILED  {self.name}: {row}: {what} ({distance:.3g})")

    def end(self):
        print(f"{self.name:<34} {'equal':>7} {'refused':>8} {'unasked':>8} {'failed':>7}  {self.worst}")
        for row, n in self.lines.items():
            print(f"  {row:<32} {n['equal']:>7} {n['refused']:>8} {n['unasked']:>8} {n['FAILED']:>7}"
                  f"  {n['worst']:.3g}")
        for what, rows in self.refusals.values():
            print(f"  refused {len(rows)} times, such as: {what}")
        passed = sum(n["equal"] + n["refused"] for n in self.lines.values())
        print(f"{self.name}: {passed} passed, {self.failed} failed, seed {SEED}")
        sys.exit(self.failed != 0)
