#!/usr/bin/env python3
# Writes linear.h: what numpy and scipy (Debian's python3-numpy, python3-scipy) say of one small table. Run: linear.py > linear.h
import numpy as np
from scipy import optimize, stats

r = np.random.RandomState(7)
n, p = 40, 4
X = np.round(r.rand(n, p) * 8, 2)
w = np.round(r.rand(n) + 0.25, 2)
y = np.round(2 + X @ [1.5, -0.7, 0.0, 0.4] + r.randn(n), 2)
y[3] += 25  # an outlier, for Huber
X, y, w = (a.astype(np.float32).astype(float) for a in (X, y, w))


def put(name, a):
    a = np.atleast_1d(np.asarray(a, float)).ravel()
    print('static const double %s[] = {%s};' % (name, ', '.join('%.17g' % v for v in a)))


def fit(A, y, w):
    s = np.sqrt(w)
    b, _, _, _ = np.linalg.lstsq(A * s[:, None], y * s, rcond=None)
    r = y - A @ b
    dof = len(y) - A.shape[1]
    sse = (w * r * r).sum()
    cov = np.linalg.inv(A.T @ (A * w[:, None])) * sse / dof
    return b, np.sqrt(np.diag(cov)), sse, dof, cov


one = np.column_stack([X, np.ones(n)])
print('/* linear.h - written by linear.py. */')
put('golden_x', X); put('golden_y', y); put('golden_w', w)
b, se, sse, dof, cov = fit(one, y, np.ones(n))
sst = ((y - y.mean()) ** 2).sum()
put('golden_ols', b); put('golden_ols_error', se); put('golden_ols_r2', 1 - sse / sst)
put('golden_ols_adjusted', 1 - (sse / dof) / (sst / (n - 1))); put('golden_ols_sigma', np.sqrt(sse / dof))
f = ((sst - sse) / p) / (sse / dof)
put('golden_ols_f', f); put('golden_ols_f_p', stats.f.sf(f, p, dof))
z = np.array([1.25, 3.5, 2.0, 7.75, 1.0])
half = stats.t.isf(0.025, dof) * np.sqrt(z @ cov @ z)
put('golden_mean_interval', [z @ b - half, z @ b + half])
half = stats.t.isf(0.025, dof) * np.sqrt(z @ cov @ z + sse / dof)
put('golden_new_interval', [z @ b - half, z @ b + half])
b, se, _, _, _ = fit(one, y, w)
put('golden_weighted', b); put('golden_weighted_error', se)
b, se, sse, dof, _ = fit(X, y, np.ones(n))
put('golden_origin', b); put('golden_origin_r2', 1 - sse / (y * y).sum())
P = np.diag([3.0] * p + [0.0])
put('golden_ridge', np.linalg.solve(one.T @ one + P, one.T @ y))
b, _ = optimize.nnls(np.column_stack([X, np.ones(n), -np.ones(n)]), y)  # the intercept free: a difference of two
put('golden_nnls', np.append(b[:p], b[p] - b[p + 1]))
put('golden_nnls_origin', optimize.nnls(X, y)[0])
b = np.linalg.lstsq(one, y, rcond=None)[0]
for _ in range(500):
    r_ = y - one @ b
    s = np.median(np.abs(r_)) / 0.6744897501960817
    b = fit(one, y, np.minimum(1, 1.345 * s / np.abs(r_)))[0]
put('golden_huber', b)
