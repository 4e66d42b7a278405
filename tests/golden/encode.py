#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
"""Writes encode.h: what CatBoost keeps of each level of a column of categories (made with 1.2.10), and which
ordered statistics of the same rows come out by fractions.

CatBoost's file holds for each level the sum and the count of its targets, under a hash; every level here has
a count of its own, which tells which it is. prior is the numerator, the denominator is 1.
Run it in its folder: ./encode.py > encode.h
"""
import json
import os
import random
import tempfile
from fractions import Fraction

import catboost

LEVELS, PRIOR = 12, 0.5

draw = random.Random(5)
rows = [(k, int((7 * i + 3 * k) % 5 < 2)) for k in range(LEVELS) for i in range(k + 1)]
draw.shuffle(rows)

model = catboost.CatBoostClassifier(
    iterations=2, depth=2, simple_ctr=[f"BinarizedTargetMeanValue:Prior={PRIOR}"], has_time=True,
    one_hot_max_size=1, max_ctr_complexity=1, verbose=0, thread_count=1, allow_writing_files=False)
pool = catboost.Pool([[f"user {k}"] for k, _ in rows], [y for _, y in rows], cat_features=[0])
model.fit(pool)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.json")
    model.save_model(path, format="json", pool=pool)
    with open(path) as file:
        saved = json.load(file)
ctr = saved["features_info"]["ctrs"][0]
assert (ctr["prior_numerator"], ctr["prior_denomerator"]) == (PRIOR, 1)
(table,) = saved["ctr_data"].values()
cells = table["hash_map"]
kept = {cells[i + 2]: cells[i + 1] for i in range(0, len(cells), 3) if cells[i] != str(2**64 - 1)}
assert sorted(kept) == list(range(1, LEVELS + 1))

ordered, seen = [], {}
for k, y in rows:
    total, count = seen.get(k, (0, 0))
    ordered.append(float((total + Fraction(PRIOR)) / (count + 1)))
    seen[k] = (total + y, count + 1)


def line(values):
    text = "    "
    for v in values:
        piece = f"{v}, "
        if len(text) + len(piece) > 105:
            print(text.rstrip())
            text = "    "
        text += piece
    print(text.rstrip())


print("/* encode.h - levels of categories as CatBoost keeps them; written by encode.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print(f"enum {{ golden_rows = {len(rows)}, golden_levels = {LEVELS} }};")
print("static const unsigned char golden_level[golden_rows] = {")
line(k for k, _ in rows)
print("};")
print("static const unsigned char golden_target[golden_rows] = {")
line(y for _, y in rows)
print("};")
print("/* the statistic of each row by those before it */")
print("static const double golden_ordered[golden_rows] = {")
line(repr(v) for v in ordered)
print("};")
print("/* CatBoost's sum of each level's targets; its count is the level's number + 1 */")
print("static const unsigned char golden_sum[golden_levels] = {")
line(kept[k + 1] for k in range(LEVELS))
print("};")
