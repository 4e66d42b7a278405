"""Makes products.h: linear models with products of columns, chosen and fitted by scikit-learn's RidgeCV.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 products.py > products.h        scikit-learn 1.9.1

RidgeCV chooses alpha by its leave-one-out errors for each set of factors, and fits. The factors of columns and
products are those that linear/products.h names. Inputs are multiples of 1/64, the same as float and text.
"""
import numpy as np
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

ALPHAS = 10.0 ** (np.arange(53) / 4 - 10)


def ridge(terms, y, factors):
    """The squared leave-one-out error, alpha and coefficients of the terms, each multiplied by its factor."""
    used = factors > 0
    model = RidgeCV(ALPHAS * len(y), scoring="neg_mean_squared_error", store_cv_results=False)
    model.fit(terms[:, used] * factors[used], y)
    b = np.zeros(len(factors))
    b[used] = model.coef_ * factors[used]
    return -model.best_score_, model.alpha_ / len(y), b


def choose(x, y):
    cols = x.shape[1]
    poly = PolynomialFeatures(2, include_bias=False)
    z = StandardScaler().fit(x)
    scale = StandardScaler().fit(poly.fit_transform(z.transform(x)))
    terms = scale.transform(poly.transform(z.transform(x)))
    products = np.arange(terms.shape[1]) >= cols
    tried = [(ridge(terms, y, np.where(products, f, 1.0)), f) for f in (0.0, 1.0, 0.3, 0.1, 0.03)]
    (error, alpha, b), which = min(tried, key=lambda t: t[0][0])
    for step in range(3):
        factors = np.sqrt(np.abs(b) / np.abs(b).max())
        factors[factors < 0.01] = 0.0
        e, a, c = ridge(terms, y, factors)
        if not e < (1 - 1 / np.sqrt(len(y))) * error:
            break
        error, alpha, b, which = e, a, c, f"adapted {step + 1}"
    order = sorted(np.flatnonzero(products), key=lambda k: abs(b[k]))
    sums = np.cumsum(b[order] ** 2)
    b[[k for k, s in zip(order, sums) if s <= 0.01 * error]] = 0.0
    kept = [tuple(np.flatnonzero(p)[[0, -1]]) for p, k in zip(poly.powers_, b) if k and p.sum() == 2]
    return error, alpha, which, kept, lambda rows: y.mean() + scale.transform(poly.transform(z.transform(rows))) @ b


def put(kind, name, values):
    words = [repr(float(v)) + "f" if kind == "float" else str(v) for v in values]
    lines = [words[i:i + 8] for i in range(0, len(words), 8)]
    print(f"static const {kind} {name}[] = {{\n" + "\n".join("    " + ", ".join(line) + "," for line in lines) + "\n};")


print('''/* products.h - linear models with products by scikit-learn's RidgeCV. Made by products.py; do not edit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SOOTH_GOLDEN_PRODUCTS_H
#define SOOTH_GOLDEN_PRODUCTS_H

typedef struct golden_products {
    const char *name;
    unsigned rows, cols, kept;
    const float *x, *y, *asked;
    const unsigned *pair; /* 65536 j + k */
    double answer[6];
} golden_products;
''')
r = np.random.RandomState(29)
cases = []
for name, rows, cols, law in (
        ("more rows than terms", 60, 4, lambda x: x[:, 0] * x[:, 1] + 2 * x[:, 2] ** 2 - x[:, 3]),
        ("fewer rows than terms", 24, 7, lambda x: 3 * x[:, 0] * x[:, 1] + x[:, 2]),
        ("a plane", 50, 3, lambda x: 5 * x[:, 0] - x[:, 2]),
        ("smooth", 80, 3, lambda x: np.exp(x[:, 0] / 2) + np.sin(x[:, 1] * 2) * x[:, 2]),
        ("noise", 40, 5, lambda x: 0 * x[:, 0])):
    x = np.round((r.rand(rows, cols) * 4 - 1) * 64) / 64
    y = np.round((law(x) + (0.3 if name != "fewer rows than terms" else 0.1) * r.randn(rows)) * 64) / 64
    asked = np.round((r.rand(6, cols) * 4 - 1) * 64) / 64
    error, alpha, which, kept, predict = choose(x, y)
    n = len(cases)
    put("float", f"products_x{n}", x.ravel())
    put("float", f"products_y{n}", y)
    put("float", f"products_asked{n}", asked.ravel())
    put("unsigned", f"products_pair{n}", [65536 * a + b for a, b in kept] or [0])
    answers = ", ".join(f"{v:.17g}" for v in predict(asked))
    cases.append(f'    {{"{name}", {rows}, {cols}, {len(kept)}, products_x{n}, products_y{n}, products_asked{n}, '
                 f'products_pair{n},\n     {{{answers}}}}}, /* factor {which}, alpha / rows {alpha:.3g} */')
print("static const golden_products products_case[] = {\n" + "\n".join(cases) + "\n};\n\n#endif")
