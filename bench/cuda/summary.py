#!/usr/bin/env python3
"""summary.py - at most 40 lines on the tables that measure.sh wrote.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    summary.py OUT

A table whose last line does not begin with "# end:" was cut: this is said, and its whole rows count.
"""
import csv
import os
import statistics
import sys

PARTS = ("check", "latency", "power", "bags", "operators", "pairs")


def table(folder, name):
    """Rows as dictionaries (units cut off the names), and the last line."""
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        return [], "not there"
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    if lines and lines[-1] and not lines[-1].startswith("#"):
        lines.pop()  # half a row
    ends = [line[7:] for line in lines if line.startswith("# end: ")]
    end = ends[-1] if ends else "cut without a last line"
    rows = list(csv.reader(line for line in lines if line and not line.startswith("#")))
    if not rows:
        return [], end
    names = [name.split(" [")[0] for name in rows[0]]
    return [dict(zip(names, row)) for row in rows[1:] if len(row) == len(names)], end


def number(row, name):
    try:
        return float(row.get(name, ""))
    except ValueError:
        return None


def numbers(rows, name):
    return [v for v in (number(row, name) for row in rows) if v is not None]


def spread(values, unit):
    if not values:
        return "none"
    return f"{min(values):.4g} to {max(values):.4g}, median {statistics.median(values):.4g} {unit}"


def check(rows):
    wrong = [row for row in rows if row["equal"] == "0"]
    kinds = {}
    for row in rows:
        kinds[row["what"]] = kinds.get(row["what"], 0) + 1
    yield ", ".join(f"{n} {what}" for what, n in kinds.items()) + f": {len(wrong)} differ"
    for row in wrong[:3]:
        yield f"differs: {row['what']} {row['name']}: ours {row['ours']}, theirs {row['theirs']}"


def latency(rows):
    found = {row["what"]: row for row in rows}
    yield "cycles: " + ", ".join(
        f"{name} {found[name]['latency_cycles']}"
        for name in ("add_s32", "fma_f32", "fma_f64", "div_f32", "shared") if name in found)
    rings = [row for row in rows if row["what"].startswith("global")]
    if rings:
        ends = (rings[0], rings[-1])
        yield "rings: " + " to ".join(f"{row['what']} {row['latency_cycles']}" for row in ends)
    yield "GB/s: " + ", ".join(f"{row['what']} {row['gigabytes_per_second']}" for row in rows
                               if row["gigabytes_per_second"])


def noise(rows):
    """Relative differences of watts measured again, in per cent."""
    key = lambda row: (row["kernel"], row["size"], row["block"])
    first = {key(row): number(row, "power") for row in rows if row["again"] == "0"}
    return [100 * abs(number(row, "power") / first[key(row)] - 1) for row in rows
            if row["again"] == "1" and number(row, "power") and first.get(key(row))]


def power(rows):
    yield f"idle {rows[0]['idle']} W; {spread(numbers(rows, 'power'), 'W')}"
    for character in ("compute", "balanced", "memory"):
        of = [row for row in rows if row["character"] == character]
        yield f"{character}: {len(of)} rows, {spread(numbers(of, 'power'), 'W')}"
    yield f"measured again: {spread(noise(rows), '% apart')}"


def bags(rows):
    for tasks in ("1", "2", "3", "4", "5"):
        of = [row for row in rows if row["tasks"] == tasks]
        if of:
            yield (f"{len({row['bag'] for row in of})} bags of {tasks}: slowdown "
                   f"{spread(numbers(of, 'slowdown'), 'x')}; {spread(numbers(of, 'power'), 'W')}")


def operators(rows):
    for op in ("linear", "bmm"):
        best = {}
        for row in rows:
            work = [number(row, name) for name in ("b", "m", "n", "k", "latency_ms")]
            if row["op"] == op and all(work):
                rate = 2e-9 * work[0] * work[1] * work[2] * work[3] / work[4]
                best[row["dtype"]] = max(best.get(row["dtype"], 0), rate)
        yield f"{op}, most TFLOPS: " + ", ".join(f"{dtype} {rate:.4g}" for dtype, rate in best.items())
    yield f"{len({row['op'] for row in rows})} operators, {spread(numbers(rows, 'latency_ms'), 'ms')}"


def pairs(rows):
    known = [row for row in rows if row["ipc"]]
    yield (f"{len({row['run'] for row in rows})} runs of {len({row['program'] for row in rows})} programs; "
           f"events known in {len(known)} rows")
    yield ("sd_scal " + spread(numbers(rows, "sd_scal"), "x") + "; sd_inter " +
           spread(numbers(rows, "sd_inter"), "x"))


def summary(folder):
    for name in PARTS:
        rows, end = table(folder, name)
        yield f"{name}: {len(rows)} rows; {end}"[:150]
        if rows:
            for line in globals()[name](rows):
                yield ("  " + line)[:150]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[2].strip())
    print("\n".join(list(summary(sys.argv[1]))[:40]))
