#!/usr/bin/python3
"""Writes drift.h, what river's detectors say of the streams of tests/test_drift.c (made with 0.26.1).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

A stream's values are floats made of a congruential generator, so that C makes the same ones. Of Page-Hinkley
the indices of all drifts are told, of ADWIN those, a hash of the width after each value, and the mean after
every 500th. ADWIN is what river's class wraps, whose window lives on after a drift.
Run it in its folder: ./drift.py > drift.h
"""
import textwrap

import numpy as np
from river._river_rust.drift import AdaptiveWindowing
from river.drift import PageHinkley

COUNT, STEP = 12000, 500
seed = 1


def uniform():
    global seed
    seed = (1664525 * seed + 1013904223) % 2**32
    return (seed >> 8) * 2.0**-24


def stream(kind):
    """0: uniform, the level rises and falls; 1: nearly normal, shifts by a few deviations; 2: zeros and ones;
    3: nearly normal around 10,000 with spikes."""
    values = []
    for i in range(COUNT):
        normal = uniform() + uniform() + uniform() + uniform() - 2
        level = i // 2500 % 3
        values.append([0.7 * normal + 0.1 * level, 2 * normal + level, float(normal > 0.5 - 0.2 * level),
                       10000 + 3 * normal + 2 * level + (500 if i % 997 == 0 else 0)][kind])
    return np.array(values, np.float32).astype(float)


def integers(values):
    return "{" + textwrap.fill(", ".join(map(str, values)), 104, subsequent_indent="     ") + "}"


print("/* drift.h - what river's detectors of drift say; written by drift.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("enum { golden_count = %d, golden_step = %d, golden_streams = 4, golden_options = 3 };" % (COUNT, STEP))
streams = []
for k in range(4):
    seed = k + 1
    streams.append(stream(k))

options = [dict(), dict(min_instances=100, delta=0.1, threshold=20.0, alpha=1.0, mode="up"),
           dict(min_instances=1, delta=0.5, threshold=12.0, alpha=0.99, mode="down")]
print("static const uint32_t golden_page_hinkley[golden_streams][golden_options][256] = { /* 0 ends */")
for x in streams:
    print("   {")
    for o in options:
        peer, found = PageHinkley(**o), []
        for i, value in enumerate(x):
            peer.update(value)
            if peer.drift_detected:
                found.append(i)
        assert len(found) < 256
        print("    " + integers(found + [0]) + ",")
    print("   },")
print("};")

options = [dict(), dict(delta=0.3, clock=1, max_buckets=3, min_window_length=2, grace_period=5),
           dict(delta=0.05, clock=8, max_buckets=9, min_window_length=20, grace_period=50)]
drifts, hashes, means = [], [], []
for x in streams:
    for o in options:
        o = dict(delta=0.002, clock=32, max_buckets=5, min_window_length=5, grace_period=10) | o
        peer, found, code, mean = AdaptiveWindowing(**o), [], 2166136261, []
        for i, value in enumerate(x):
            if peer.update(value):
                found.append(i)
            code = (code ^ int(peer.get_width())) * 16777619 % 2**32
            if i % STEP == STEP - 1:
                mean.append(peer.get_total() / peer.get_width())
        assert len(found) < 256
        drifts.append(found + [0])
        hashes.append(code)
        means.append(mean)
print("static const uint32_t golden_adwin[golden_streams * golden_options][256] = {")
for found in drifts:
    print("    " + integers(found) + ",")
print("};")
print("static const uint32_t golden_width[golden_streams * golden_options] = /* FNV-1a over words */")
print("    " + integers("%du" % h for h in hashes) + ";")
print("static const double golden_mean[golden_streams * golden_options][golden_count / golden_step] = {")
for mean in means:
    print("    " + integers("%.17g" % m for m in mean) + ",")
print("};")
