#!/usr/bin/env python3
"""drift_peer.py - river's detectors of drift in the words of bench/bench.c: task=drift.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/drift_peer.py task=drift detector=adwin n=100000

One update, as a Python program calls it, of normal values whose level rises by a deviation every
100,000. `detector` is adwin or page_hinkley.
"""
import json
import random
import sys

from river import drift

from protocol import clock, count, word

if word.get("task") != "drift" or word.get("detector", "adwin") not in ("adwin", "page_hinkley"):
    sys.exit(64)
draw = random.Random(1)
values = [draw.gauss(0, 1) + i // 100000 for i in range(count("n", 1000000))]
detector = drift.ADWIN() if word.get("detector", "adwin") == "adwin" else drift.PageHinkley()
start, found = clock(), 0
for value in values:
    detector.update(value)
    found += detector.drift_detected
seconds = (clock() - start) / len(values)
print(json.dumps({"peer": "river", "task": "drift", "single_ns": 1e9 * seconds, "note": f"{found} drifts"}))
