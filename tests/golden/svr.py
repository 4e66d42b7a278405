"""Makes svr.h: what LIBSVM finds on small tables, by scikit-learn and by its own programs.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 svr.py > svr.h        scikit-learn 1.2.1, LIBSVM 3.24 (svm-train and svm-predict on the path)

All values are multiples of 1/64, the same as float, double and text.
"""
import os
import subprocess
import tempfile

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR, NuSVR

ROWS, COLS, TESTS = 80, 3, 8
rng = np.random.RandomState(7)


def table(rows):
    x = np.round(rng.uniform(-2, 2, (rows, COLS)) * 64) / 64
    y = 3 * np.sin(2 * x[:, 0]) + x[:, 1] ** 2 - x[:, 2] + 0.2 * rng.randn(rows)
    return x, np.round(y * 64) / 64


def numbers(name, values, kind="float"):
    suffix = "f" if kind == "float" else ""
    words = [(repr(float(v)) if kind == "float" else f"{v:.17g}") + suffix for v in np.ravel(values)]
    if kind == "double":
        words = [w if "." in w or "e" in w else w + ".0" for w in words]
    lines, line = [], "   "
    for w in words:
        if len(line) + len(w) > 100:
            lines.append(line)
            line = "   "
        line += " " + w + ","
    print(f"static const {kind} {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};")


x, y = table(ROWS)
tx, _ = table(TESTS)
weight = rng.choice([0.25, 0.5, 1.0, 2.0], ROWS)  # scikit-learn renumbers the vectors where a weight is 0

# name, method, kernel number, arguments
CASES = [
    ("rbf", 0, 0, dict(kernel="rbf", C=10, epsilon=0.25, gamma=0.5), False),
    ("rbf, weights", 0, 0, dict(kernel="rbf", C=4, epsilon=0.125, gamma=0.25), True),
    ("rbf, larger C", 0, 0, dict(kernel="rbf", C=25, epsilon=0.0625, gamma=0.125), False),
    ("rbf, C = 100", 0, 0, dict(kernel="rbf", C=100, epsilon=0.0625, gamma=0.125), False),
    ("rbf, C = 200", 0, 0, dict(kernel="rbf", C=200, epsilon=0.0625, gamma=0.125), False),
    ("rbf, C = 500", 0, 0, dict(kernel="rbf", C=500, epsilon=0.0625, gamma=0.125), False),
    ("linear", 0, 1, dict(kernel="linear", C=1, epsilon=0.5), False),
    ("polynomial", 0, 2, dict(kernel="poly", C=1, epsilon=0.25, gamma=0.25, degree=3, coef0=1), False),
    ("sigmoid", 0, 3, dict(kernel="sigmoid", C=0.5, epsilon=0.25, gamma=0.0625, coef0=0.25), False),
    ("nu, rbf", 1, 0, dict(kernel="rbf", C=10, nu=0.375, gamma=0.5), False),
    ("nu, rbf, weights", 1, 0, dict(kernel="rbf", C=4, nu=0.25, gamma=0.25), True),
    ("nu, linear", 1, 1, dict(kernel="linear", C=1, nu=0.5), False),
]


def kernel(a, b, o):
    g, c, d = o.get("gamma", 0), o.get("coef0", 0), o.get("degree", 3)
    if o["kernel"] == "rbf":
        return np.exp(-g * ((a[:, None] - b[None]) ** 2).sum(2))
    dot = a @ b.T
    return {"linear": dot, "poly": (g * dot + c) ** d, "sigmoid": np.tanh(g * dot + c)}[o["kernel"]]


print("""/* svr.h - what LIBSVM finds on small tables. Made by svr.py; do not edit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SOOTH_GOLDEN_SVR_H
#define SOOTH_GOLDEN_SVR_H
""")
print(f"enum {{ GOLDEN_ROWS = {ROWS}, GOLDEN_COLS = {COLS}, GOLDEN_TESTS = {TESTS}, GOLDEN_CASES = {len(CASES)} }};")
numbers("golden_x", x)
numbers("golden_y", y)
numbers("golden_weight", weight)
numbers("golden_test", tx)
print("""
typedef struct golden_svr {
    const char *name;
    unsigned method, kernel, weighted, degree;
    double C, epsilon, nu, gamma_value, coef0;
    double objective, offset;
    unsigned vectors;
    double answer[GOLDEN_TESTS];
} golden_svr;
static const golden_svr golden_case[] = {""")
for name, method, number, o, weighted in CASES:
    m = (NuSVR if method else SVR)(tol=1e-8, cache_size=50, **o)
    m.fit(x, y, sample_weight=weight if weighted else None)
    beta = np.zeros(ROWS)
    beta[m.support_] = m.dual_coef_[0]
    objective = 0.5 * beta @ kernel(x, x, o) @ beta - y @ beta + o.get("epsilon", 0) * np.abs(beta).sum()
    answers = ", ".join(f"{v:.17g}" for v in m.predict(tx))
    print(f'    {{"{name}", {method}, {number}, {int(weighted)}, {o.get("degree", 3)}, {float(o["C"])}, {float(o.get("epsilon", 0))},'
          f' {float(o.get("nu", 0))}, {float(o.get("gamma", 0))}, {float(o.get("coef0", 0))},\n     {objective:.17g}, '
          f'{float(m.intercept_[0]):.17g}, {len(m.support_)},\n     {{{answers}}}}},')
print("};")

# the target standardised around the model, with the defaults of svr.h
answers, vectors = [], []
for model in (SVR(C=10, epsilon=0.03, gamma=0.5, tol=1e-9), NuSVR(C=10, nu=0.5, gamma=0.5, tol=1e-9),
              SVR(C=3, epsilon=0.2, gamma=0.5, tol=1e-9)):
    m = TransformedTargetRegressor(model, transformer=StandardScaler()).fit(x, y)
    answers.append(m.predict(tx))
    vectors.append(len(m.regressor_.support_))
print(f"\nenum {{ GOLDEN_SCALED = {len(vectors)} }};")
print("static const unsigned golden_scaled_vectors[] = {" + ", ".join(map(str, vectors)) + "};")
numbers("golden_scaled", answers, "double")

# model files of LIBSVM's own programs, and what svm-predict says of the test rows
with tempfile.TemporaryDirectory() as folder:
    def write(name, a, b):
        with open(os.path.join(folder, name), "w") as f:
            for row, t in zip(a, b):
                f.write(f"{t:.17g} " + " ".join(f"{j + 1}:{v:.17g}" for j, v in enumerate(row) if v) + "\n")
        return os.path.join(folder, name)

    train, test = write("train", x[:24], y[:24]), write("test", tx, np.zeros(TESTS))
    names, texts, answers = [], [], []
    for name, words in [("rbf", "-s 3 -t 2 -g 0.5 -c 4 -p 0.5"), ("polynomial", "-s 3 -t 1 -g 0.25 -r 1 -d 2 -c 1 -p 0.5"),
                        ("linear", "-s 3 -t 0 -c 1 -p 1"), ("sigmoid", "-s 4 -t 3 -g 0.0625 -r 0.25 -n 0.25")]:
        model, out = os.path.join(folder, "model"), os.path.join(folder, "out")
        subprocess.run(["svm-train", "-q"] + words.split() + [train, model], check=True)
        subprocess.run(["svm-predict", test, model, out], check=True, stdout=subprocess.DEVNULL)
        names.append(name)
        texts.append(open(model).read())
        answers.append(np.loadtxt(out))
print(f"\nenum {{ GOLDEN_FILES = {len(names)} }};")
print("static const char *const golden_file[] = {")
for text in texts:
    print("\n".join('    "' + line + '\\n"' for line in text.splitlines()) + ",")
print("};")
numbers("golden_file_answer", answers, "double")
print("\n#endif")
