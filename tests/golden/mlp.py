#!/usr/bin/env python3
"""mlp.py - writes mlp.h: what scikit-learn and numpy make of small networks.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 tests/golden/mlp.py > tests/golden/mlp.h

Networks that MLPRegressor trained, with its predictions; the weights after some of its steps with Adam and SGD
from given weights; and steps of other kinds in numpy, written from the papers' formulas. All in double.
"""
import warnings

import numpy as np
import scipy.optimize
import sklearn
from sklearn.neural_network import MLPClassifier, MLPRegressor

warnings.filterwarnings("ignore")
rng = np.random.RandomState(20)
ROWS, COLS, EPOCHS = 12, 3, 6
X = rng.randint(-256, 256, (ROWS, COLS)) / 256.0
Y = rng.randint(-256, 256, ROWS) / 256.0


def numbers(name, values, kind="double"):
    values = np.asarray(values, dtype=float).ravel()
    print(f"static const {kind} {name}[] = {{")
    for i in range(0, len(values), 5):
        print("    " + ", ".join(repr(float(v)) for v in values[i:i + 5]) + ",")
    print("};")


def flat(coefs, biases):
    return np.concatenate([np.concatenate([w.T.ravel(), b]) for w, b in zip(coefs, biases)])


print(f"/* mlp.h - networks of scikit-learn {sklearn.__version__} and numpy {np.__version__}; written by mlp.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */")
print(f"enum {{ golden_rows = {ROWS}, golden_cols = {COLS}, golden_epochs = {EPOCHS} }};")
numbers("golden_x", X, "float")
numbers("golden_y", Y, "float")

# ---- predictions ----
names = []
for k, (activation, hidden, targets) in enumerate([("relu", (7, 5), 1), ("tanh", (4,), 2), ("logistic", (9, 3, 8), 4),
                                                   ("identity", (2,), 1)]):
    y = np.stack([np.sin(3 * X[:, 0] + t) + X[:, 1] * X[:, 2] for t in range(targets)], axis=1)
    model = MLPRegressor(hidden, activation=activation, max_iter=30, random_state=k).fit(X, y if targets > 1 else y[:, 0])
    weights = flat(model.coefs_, model.intercepts_).astype(np.float32)
    at = 0
    for i, w in enumerate(model.coefs_):
        n, m = w.shape
        model.coefs_[i] = weights[at:at + n * m].reshape(m, n).T.astype(float)
        model.intercepts_[i] = weights[at + n * m:at + n * m + m].astype(float)
        at += n * m + m
    numbers(f"golden_weights_{k}", weights, "float")
    numbers(f"golden_predictions_{k}", model.predict(X))
    names.append((activation, hidden, targets, k))
print("typedef struct golden_network {\n    const char *activation;\n    uint32_t layers, outputs[4];\n"
      "    const float *weights;\n    const double *predictions;\n} golden_network;")
print("static const golden_network golden_networks[] = {")
for activation, hidden, targets, k in names:
    widths = list(hidden) + [targets]
    print(f'    {{"{activation}", {len(widths)}, {{{", ".join(map(str, widths))}}}, golden_weights_{k}, '
          f"golden_predictions_{k}}},")
print("};")

# ---- steps ----
WIDTHS = [COLS, 5, 4, 1]
START = [(rng.randint(-128, 128, (n, m)) / 128.0, rng.randint(-64, 64, m) / 128.0)
         for n, m in zip(WIDTHS, WIDTHS[1:])]
numbers("golden_start", flat([w for w, _ in START], [b for _, b in START]), "float")


def scikit(**options):
    model = MLPRegressor(tuple(WIDTHS[1:-1]), activation="tanh", alpha=0, batch_size=ROWS, shuffle=False, **options)
    layers = iter(START)
    model._init_coef = lambda n, m, dtype: tuple(a.copy() for a in next(layers))
    for _ in range(EPOCHS):
        model.partial_fit(X, Y)
    return flat(model.coefs_, model.intercepts_)


def loss_gradient(layers):
    """Of mean (y - f(x))^2 / 2, tanh hidden layers."""
    acts = [X]
    for i, (w, b) in enumerate(layers):
        v = acts[-1] @ w + b
        acts.append(np.tanh(v) if i + 1 < len(layers) else v)
    delta = (acts[-1] - Y[:, None]) / ROWS
    gradient = [None] * len(layers)
    for i in reversed(range(len(layers))):
        gradient[i] = [acts[i].T @ delta, delta.sum(0)]
        if i:
            delta = (delta @ layers[i][0].T) * (1 - acts[i] ** 2)
    return gradient


def steps(update, prepare=None):
    layers = [[w.copy(), b.copy()] for w, b in START]
    state = [[{} for _ in pair] for pair in layers]
    for e in range(EPOCHS):
        gradient = loss_gradient(layers)
        if prepare:
            prepare(layers, gradient)
        for i, pair in enumerate(layers):
            for j in range(2):
                pair[j] = update(pair[j], gradient[i][j], state[i][j], e, j == 0)
    return flat([w for w, _ in layers], [b for _, b in layers])


def plain(rate):
    return lambda p, g, s, e, is_weight: p - rate(e) * g


def adamw(p, g, s, e, is_weight, rate=0.05, decay=0.3, b1=0.8, b2=0.99, eps=1e-6):
    if is_weight:
        p = p - rate * decay * p
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    t = e + 1
    return p - rate * np.sqrt(1 - b2 ** t) / (1 - b1 ** t) * s["m"] / (np.sqrt(s["v"]) + eps)


def rprop(p, g, s, e, is_weight):
    size, last = s.get("size", np.full(p.shape, 0.03)), s.get("last", np.zeros(p.shape))
    size = np.where(g * last > 0, np.minimum(size * 1.2, 50), np.where(g * last < 0, np.maximum(size * 0.5, 1e-6), size))
    g = np.where(g * last < 0, 0, g)
    s["size"], s["last"] = size, g
    return p - np.sign(g) * size


def clip(layers, gradient):
    length = np.sqrt(sum((g ** 2).sum() for pair in gradient for g in pair))
    for pair in gradient:
        for j in range(2):
            pair[j] = pair[j] * min(1, 0.1 / length)


def lambda_l2(layers, gradient):
    for pair, g in zip(layers, gradient):
        g[0] = g[0] + 0.2 * pair[0]


def lambda_norm(layers, gradient):
    norm = np.sqrt(sum((w ** 2).sum() for w, _ in layers))
    for pair, g in zip(layers, gradient):
        g[0] = g[0] + 0.4 * pair[0] / norm


numbers("golden_adam", scikit(solver="adam", learning_rate_init=0.03))
numbers("golden_momentum", scikit(solver="sgd", learning_rate_init=0.1, momentum=0.9, nesterovs_momentum=False))
numbers("golden_nesterov", scikit(solver="sgd", learning_rate_init=0.1, momentum=0.9, nesterovs_momentum=True))
numbers("golden_adamw", steps(adamw))
numbers("golden_rprop", steps(rprop))
numbers("golden_clip", steps(plain(lambda e: 0.5), clip))
numbers("golden_lambda", steps(plain(lambda e: 0.5), lambda_l2))
numbers("golden_lambda_norm", steps(plain(lambda e: 0.5), lambda_norm))
numbers("golden_step", steps(plain(lambda e: 0.5 * 0.3 ** (e // 2))))
numbers("golden_exponential", steps(plain(lambda e: 0.5 * 0.3 ** (e / 2))))
numbers("golden_inverse_time", steps(plain(lambda e: 0.5 / (1 + 0.3 * e / 2))))
numbers("golden_cosine", steps(plain(lambda e: 0.5 * (1 + np.cos(np.pi * e / EPOCHS)) / 2)))

# ---- a convex problem: one layer, squared loss with a penalty, Huber without ----


def minimum(loss):
    """Of a linear model of X, by scipy's L-BFGS in double, to the last digits."""
    return scipy.optimize.minimize(loss, np.zeros(COLS + 1), method="L-BFGS-B",
                                   options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 10000})


def squared(p):
    return ((Y - X @ p[:-1] - p[-1]) ** 2).mean() / 2 + 0.05 * (p[:-1] ** 2).sum() / 2


def softplus(p):
    return ((2 * Y + 3 - np.log1p(np.exp(X @ p[:-1] + p[-1]))) ** 2).mean() / 2 + 0.01 * (p[:-1] ** 2).sum() / 2


for name, loss in [("squared", squared), ("softplus", softplus)]:
    found = minimum(loss)
    numbers(f"golden_minimum_{name}", np.append(found.x, found.fun))

# ---- two classes: the log loss behind a sigmoid, by MLPClassifier and, of one layer, by scipy ----
CLASS = (Y > 0).astype(int)


def classifier(**options):
    model = MLPClassifier(tuple(WIDTHS[1:-1]), activation="tanh", alpha=0, batch_size=ROWS, shuffle=False, **options)
    layers = iter(START)
    model._init_coef = lambda n, m, dtype: tuple(a.copy() for a in next(layers))
    for _ in range(EPOCHS):
        model.partial_fit(X, CLASS, classes=[0, 1])
    return flat(model.coefs_, model.intercepts_)


def logistic(p):
    v = X @ p[:-1] + p[-1]
    return np.mean(np.logaddexp(0, v) - CLASS * v) + 0.01 * (p[:-1] ** 2).sum() / 2


numbers("golden_logistic_adam", classifier(solver="adam", learning_rate_init=0.03))
numbers("golden_logistic_momentum", classifier(solver="sgd", learning_rate_init=0.1, momentum=0.9,
                                               nesterovs_momentum=False))
found = minimum(logistic)
numbers("golden_minimum_logistic", np.append(found.x, found.fun))
