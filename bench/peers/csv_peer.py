#!/usr/bin/env python3
"""csv_peer.py - pandas reads CSV, in the words of bench/tasks/csv.h: task=csv text=FILE.csv.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    python3 bench/peers/csv_peer.py task=csv text=FILE.csv [engine=c|pyarrow]

From bytes in memory to columns of float32, as the table of sooth's; pyarrow's reader is told to use one
thread.
"""
import io
import json
import resource
import sys

import numpy as np
import pandas

from protocol import clock, count, number, word

if word.get("task") != "csv":
    sys.exit(64)
engine = word.get("engine", "c")
if engine == "pyarrow":
    import pyarrow
    pyarrow.set_cpu_count(1)
with open(word["text"], "rb") as file:
    text = file.read()
load = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
times = []
while not times or (len(times) < count("reps", 5) and sum(times) < number("budget", 0.3)):
    start = clock()
    table = pandas.read_csv(io.BytesIO(text), engine=engine, dtype=np.float32)
    times.append(clock() - start)
    train = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if len(times) == 1 else train
print(json.dumps({"entrant": "pandas", "train_s": float(np.median(times)), "reps": len(times),
                  "rss_load_kb": load, "rss_train_kb": train, "model_bytes": 4 * table.size}))
