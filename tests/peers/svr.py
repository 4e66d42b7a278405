"""svr.py - model files that svm-train wrote, of all kernels and extreme sizes, against svm-predict.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Features of 1e-20 to 1e20, gamma of 1e-40 to 1e6, C of 1e-6 to 1e12. sooth answers in floats, so a term of the
sum may be off by some units of 2^-24 of what it was made of: the bound below is that of Wilkinson for sums of
products, carried through the kernel, with all numbers rounded to float before. Where sooth cannot, it must
refuse with a sentence: no answer may be off by more than 2 % of the greatest. svm-predict prints six digits
(LIBSVM 3.24), which is the other part of the tolerance.
MODELS models, 150 by default.
"""
import os
import resource
import shutil
import subprocess
import tempfile

import numpy as np

from common import F32, F64, Table, call, floats, random_of

MODELS = int(os.environ.get("MODELS", "150"))
KERNELS = ["linear", "polynomial", "rbf", "sigmoid"]
UNIT, LEAST = 2.0**-24, 2.0**-149
table = Table("svr", "greatest share of the tolerance")
folder = tempfile.mkdtemp()


def text(rows, targets):
    return "".join(f"{t!r} " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row) if v) + "\n"
                   for row, t in zip(rows.tolist(), targets.tolist()))


def run(*command):
    """0, or why it did not end well: svm-train may go on for ever."""
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1))).returncode


def read(file, cols):
    """The numbers of a model file: head, coefficients, vectors."""
    head, body = open(file).read().split("\nSV\n")
    head = dict(line.split(" ", 1) for line in head.split("\n"))
    lines = [line.split() for line in body.strip().split("\n")] if body.strip() else []
    vectors = np.zeros((len(lines), cols))
    for i, line in enumerate(lines):
        for pair in line[1:]:
            j, v = pair.split(":")
            vectors[i, int(j) - 1] = float(v)
    return head, np.array([float(line[0]) for line in lines]), vectors


def tolerance(head, coefficients, vectors, rows):
    """A bound of what floats may add for each row."""
    number = {k: float(head.get(k, d)) for k, d in (("gamma", 0), ("coef0", 0), ("degree", 3), ("rho", 0))}
    gamma, cols, kernel = abs(number["gamma"]), rows.shape[1], head["kernel_type"]
    steps, c = (cols + 8) * UNIT, np.abs(coefficients)
    with np.errstate(all="ignore"):
        if kernel == "linear":  # weights are summed first, in double, and rounded
            weights = np.abs(coefficients @ vectors) if len(vectors) else np.zeros(cols)
            off = np.abs(rows) @ weights * steps + (np.abs(rows).sum(axis=1) + cols) * LEAST
            hidden = np.abs(rows) @ (c @ np.abs(vectors)) * 2.0**-50 if len(vectors) else 0
            return off + hidden + UNIT * abs(number["rho"])
        total = np.zeros(len(rows))
        for v, b in zip(vectors, c):
            if kernel == "rbf":
                apart = np.abs(v - rows)
                squares = (apart**2).sum(axis=1)
                change = steps * squares + (4 * UNIT * np.abs(v) * apart).sum(axis=1) + cols * LEAST
                off = np.exp(-gamma * squares) * np.expm1(
                    np.minimum(gamma * change + (4 * UNIT * gamma + LEAST) * squares, 700))
                value = np.exp(-gamma * squares)
                off = np.minimum(off, 1) + 2.0**-124
            else:
                dots = np.abs(rows) @ np.abs(v)
                base = gamma * dots + abs(number["coef0"])
                change = steps * base + LEAST * (dots + gamma * cols + 1)
                if kernel == "sigmoid":
                    value = np.ones(len(rows))
                    off = np.minimum(change, 2) + 4 * UNIT
                else:
                    value = base ** number["degree"]
                    off = (base + change) ** number["degree"] - value + 8 * UNIT * value
                    off += cols * LEAST
            total += b * (off + 2 * UNIT * value) + LEAST * value
        # adding the terms: sixteen lanes, then each other
        lanes = (len(c) / 16 + 6) * UNIT
        return total + UNIT * abs(number["rho"]) + lanes * sizes(head, number, c, vectors, rows)


def sizes(head, number, c, vectors, rows):
    """The sum of the sizes of the terms."""
    gamma, kernel = abs(number["gamma"]), head["kernel_type"]
    if kernel == "rbf":
        value = [np.exp(-gamma * ((v - rows)**2).sum(axis=1)) for v in vectors]
    elif kernel == "sigmoid":
        value = [np.ones(len(rows))] * len(vectors)
    else:
        value = [(gamma * (np.abs(rows) @ np.abs(v)) + abs(number["coef0"]))**number["degree"]
                 for v in vectors]
    return sum((b * v for b, v in zip(c, value)), np.zeros(len(rows))) + abs(number["rho"])


for case in range(MODELS):
    random = random_of(30, case)
    kernel, method = case % 4, random.randint(3, 5)
    rows, cols = random.randint(4, 40), random.randint(1, 7)
    scale = 10.0 ** random.choice([0, 0, random.uniform(-20, 20)])
    x = floats(random.normal(size=(rows, cols)) * scale)
    if random.randint(3) == 0:
        x[:, random.randint(cols)] *= F32(10.0 ** random.uniform(-10, 10))
    x[random.uniform(size=x.shape) < 0.1] = 0
    x = np.where(np.isfinite(x), x, F32(1))
    size = 10.0 ** random.choice([0, 0, random.uniform(-10, 10)])
    y = (x[:, 0].astype(F64) / (np.abs(x[:, 0]).max() or 1) + 0.1 * random.normal(size=rows)) * size
    usual = 1 / (cols * max(float(x.astype(F64).var()), 1e-300))
    gamma = [usual, 10.0 ** random.uniform(-40, 6), usual * 10.0 ** random.uniform(-3, 3)][random.randint(3)]
    cost = 10.0 ** random.choice([0, random.uniform(-6, 12), random.uniform(-2, 3)])
    options = ["-s", method, "-t", kernel, "-g", gamma, "-c", cost, "-p", 0.05 * size, "-n",
               random.uniform(0.1, 0.9), "-d", random.randint(0, 5), "-r",
               random.choice([0, 1, random.normal() * 10.0 ** random.uniform(-5, 5)])]
    names = [os.path.join(folder, f"{name}{case}") for name in ("data", "rows", "model", "answers")]
    asked = np.vstack([x, floats(x[random.randint(rows, size=20)] * random.uniform(-1, 1.5, size=(20, 1)))])
    open(names[0], "w").write(text(x, y))
    open(names[1], "w").write(text(asked, np.zeros(len(asked))))
    label = f"{KERNELS[kernel]}, {'epsilon' if method == 3 else 'nu'}"
    what = f"case {case}: svm-train {' '.join(map(str, options))}, features of {np.abs(x).max():.3g}"
    if run("svm-train", "-q", *map(str, options), names[0], names[2]) or not os.path.exists(names[2]):
        table.add(label, "unasked")
        continue
    if run("svm-predict", names[1], names[2], names[3]):
        table.add(label, "unasked")
        continue
    want = np.array([float(line) for line in open(names[3])])
    file = open(names[2], "rb").read()
    got = np.zeros(len(asked), F32)
    why = call("answers_libsvm", file, len(file), asked, len(asked), cols, got)
    if why:
        table.add(label, "refused", 0, why)
        continue
    if not np.isfinite(want).all():
        table.add(label, "FAILED", 0, f"{what}: svm-predict answers {want[~np.isfinite(want)][0]}")
        continue
    limit = tolerance(*read(names[2], cols), asked.astype(F64)) + 1e-5 * np.abs(want) + LEAST
    limit = np.minimum(limit, 0.02 * np.abs(want).max() + LEAST)
    share = np.abs(got - want) / limit
    share = np.where(np.isnan(share), np.inf, share)
    i = int(np.argmax(share))
    table.add(label, "equal" if share[i] <= 1 else "FAILED", share[i],
              f"{what}: {got[i]!r}, not {want[i]!r}, tolerance {limit[i]:.3g}")
shutil.rmtree(folder)
table.end()
