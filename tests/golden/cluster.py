#!/usr/bin/python3
"""Writes cluster.h, what tests/test_cluster.c expects, with scikit-learn (made with 1.2.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

The inertia is the least of 300 starts; the silhouettes are of distances computed without the expansion of the
square, which loses digits. Run it in its folder: ./cluster.py > cluster.h
"""
import os
import textwrap

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_samples, silhouette_score

random = np.random.RandomState(3)


def numbers(values, form="%.17g"):
    text = ", ".join(form % v for v in np.ravel(values))
    return "{" + textwrap.fill(text, 104, subsequent_indent="     ") + "}"


def blobs(rows, cols, clusters, spread):
    middle = random.uniform(-10, 10, (clusters, cols))
    x = middle[random.randint(0, clusters, rows)] + spread * random.normal(size=(rows, cols))
    return x.astype(np.float32).astype(float)


sets = [("three in a plane", 3, blobs(60, 2, 3, 1.0)), ("five in space", 5, blobs(100, 3, 5, 0.7)),
        ("one in a plane", 4, blobs(50, 2, 1, 1.0)), ("a line", 3, blobs(40, 1, 3, 1.0)),
        ("a line far away", 6, 3e5 + blobs(80, 1, 6, 0.5))]


def clusters(x, k):
    """Labels, centres and inertia of k clusters, in rising order of their centres."""
    fit = KMeans(k, n_init=300, random_state=1, tol=0).fit(x - x.mean(axis=0))
    label = np.argsort(np.lexsort(fit.cluster_centers_.T[::-1]))[fit.labels_]
    centre = np.array([x[label == c].mean(axis=0) for c in range(k)])
    return label, centre, sum(((x[label == c] - centre[c]) ** 2).sum() for c in range(k))


print("/* cluster.h - inertia and silhouettes of scikit-learn; written by cluster.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
rows = []
for s, (name, k, x) in enumerate(sets):
    x = x.astype(np.float32).astype(float)
    distance = cdist(x, x)
    scores = {}
    for c in set(range(2, 9)) | {k}:
        label, centre, least = clusters(x, c)
        each = silhouette_samples(distance, label, metric="precomputed")
        scores[c] = silhouette_score(distance, label, metric="precomputed")
        if c == k:
            kept = label, centre, least, each
    label, centre, inertia, each = kept
    mean, best = scores[k], max(scores, key=scores.get)
    for kind, what, values, form in [("float", "x", x, "%.9g"), ("uint32_t", "label", label, "%d"),
                                     ("double", "centre", centre, "%.17g"),
                                     ("double", "silhouette", each, "%.17g")]:
        print("static const %s golden_%s_%d[] =\n    %s;" % (kind, what, s, numbers(values, form)))
    rows.append('    {"%s", %d, %d, %d, golden_x_%d, golden_label_%d, golden_centre_%d,'
                % (name, len(x), x.shape[1], k, s, s, s))
    rows.append("     golden_silhouette_%d, %.17g, %.17g, %d, %.17g},"
                % (s, inertia, mean, best, scores[best]))
print("""static const struct {
    const char *name;
    unsigned rows, cols, clusters;
    const float *x;
    const uint32_t *label;
    const double *centre, *silhouette;
    double inertia, mean;
    unsigned best; /* number of clusters, 2 to 8, and its silhouette */
    double best_mean;
} golden_set[] = {""")
print("\n".join(rows))
print("};")
