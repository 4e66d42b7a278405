"""coverage.py - the tables and lists of tests/coverage/run.sh, from what llvm-cov exports.

    coverage.py FOLDER FAILED [HEADER]

FOLDER has all.json, all.lcov and names, those of the functions that face files.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT
"""
import json
import os
import re
import sys

LINES, BRANCHES = 99.0, 95.0
# Conditions that cannot decide alone: function, text of the condition (None: all of them), reason.
EXCEPTIONS = (
    ("soothi_model_to_host", None, "the big-endian machine of the gate shows it"),
    ("soothi_gemm_f", "SOOTHI_AVX2 && avx2 && n - j >= 16", "the first is a constant"),
    ("soothi_has_avx2", None, "it asks this processor, which answers one thing"),
)
# What defends against rounding, and no test has reached: header, function, reason. Its lines and branches
# count as taken.
EXCUSED = (
    ("base/num.h", "soothi_has_avx2", "it asks this processor, which answers one thing"),
    ("tree/scorer.h", "soothi_scorer_walk_avx2", "a processor without AVX2 does not run it"),
    ("threads.h", "soothi_threads_here", "it asks this system, which answers one thing"),
    ("files.h", "soothi_file_create", "the system fails it: tests/cli/faults.sh has it do so"),
    ("files.h", "soothi_file_size", "the system fails it: tests/cli/faults.sh has it do so"),
    ("files.h", "soothi_file_fail", "a system without a reason for its failure"),
    ("files.h", "soothi_buffer_grow", "sizes beyond memory"),
    ("scaling/curve.h", "soothi_scaling_concave",
     "leaves where Wolfe's method would go in circles; 1,500 curves of extreme points never did"),
)
# Beside what SOOTH_PREDICT_ONLY compiles.
ALSO = re.compile(r"^sooth_\w+_(check|predict|predict_\w+|interval|error)$")
CODE, EXPANSION, BRANCH, DECISION, CONDITION = 0, 1, 4, 5, 6

folder, failed, only = sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or [None])[0]
with open(folder + "/all.json") as file:
    data = json.load(file)["data"][0]
with open(folder + "/names") as file:
    faced = set(file.read().split())
sources = {}


def relative(path):
    """a header's name below include/sooth"""
    return path.split("/include/sooth/")[-1]


def source(file):
    """the lines of a file"""
    if file not in sources:
        with open(file) as opened:
            sources[file] = opened.read().split("\n")
    return sources[file]


def text(file, at):
    """the source between two places, in one line"""
    first, column, last, end = at
    lines = source(file)[first - 1 : last]
    lines[-1] = lines[-1][: end - 1]
    lines[0] = lines[0][column - 1 :]
    return " ".join(" ".join(lines).split())


def lines_of():
    """of each header, {line: times}; what the preprocessor takes is no line"""
    lines = {}
    with open(folder + "/all.lcov") as file:
        for entry in file:
            if entry.startswith("SF:"):
                path = entry[3:].strip()
                header = lines.setdefault(relative(path), {})
            elif entry.startswith("DA:"):
                line, times = entry[3:].split(",")[:2]
                if not source(path)[int(line) - 1].startswith("#"):
                    header[int(line)] = int(times)
    return lines


class Function:
    """what was taken of one function; places are those where macros are used"""

    def __init__(self, record):
        self.name = record["name"].split(":")[-1].split(";")[-1]
        self.file = record["filenames"][0]
        self.first, self.last = record["regions"][0][0], record["regions"][0][2]
        self.header = relative(self.file)
        used = {r[6]: r for r in record["regions"] if r[7] == EXPANSION}

        def place(region, which):
            while which in used:
                region = used[which]
                which = region[5]
            return tuple(region[:4])

        self.regions = [place(r, r[5]) for r in record["regions"] if r[7] == CODE and r[4] == 0]
        # (place, times true, times false); constants are neither
        self.branches = [(place(b, b[6]), b[4], b[5]) for b in record["branches"]]
        self.missing = []  # conditions that decide nothing alone
        self.conditions = 0
        decided = [b for b in record["branches"] if b[8] == CONDITION]
        for d in record["mcdc_records"]:
            inside = [b for b in decided if tuple(d[:2]) <= tuple(b[:2]) and tuple(b[2:4]) <= tuple(d[2:4])]
            self.conditions += len(d[6])
            for k, shown in enumerate(d[6]):
                if not shown:
                    at = tuple(inside[k][:4]) if len(inside) == len(d[6]) else tuple(d[:4])
                    self.missing.append(at)
        for b in record["branches"]:
            if b[8] == BRANCH:
                self.conditions += 1
                if (b[4] == 0) != (b[5] == 0):
                    self.missing.append(place(b, b[6]))
        if record["count"] == 0:
            self.missing = [tuple(record["regions"][0][:4])]


functions = [Function(r) for r in data["functions"]]
functions = [f for f in functions if "/include/sooth/" in f.file]


def is_faced(f):
    return f.name in faced or ALSO.match(f.name)


def excepted(f, at):
    return any(f.name == name and words in (None, text(f.file, at)) for name, words, why in EXCEPTIONS)


def excused(header):
    """lines and branches not taken of the functions above"""
    lines, branches = set(), 0
    for f in functions:
        if any((header, f.name) == entry[:2] for entry in EXCUSED) and f.header == header:
            lines.update(range(f.first, f.last + 1))
            branches += sum((true == 0) + (false == 0) for _, true, false in f.branches)
    return lines, branches


def tell(header):
    """what nothing takes in a header, in the order of its lines"""
    said = set()
    for f in functions:
        if f.header != header:
            continue
        for at in f.regions:
            said.add((at[0], "never runs", text(f.file, at)[:70]))
        for at, true, false in f.branches:
            if (true == 0) != (false == 0):
                said.add((at[0], "never true" if true == 0 else "never false", text(f.file, at)[:70]))
        if is_faced(f):
            for at in f.missing:
                if not excepted(f, at):
                    said.add((at[0], "decides nothing alone", text(f.file, at)[:70]))
    for line, what, words in sorted(said):
        print(f"{header}:{line}: {what}: {words}")


counted = lines_of()
if only:
    tell(only)
passed = 0
head = ("header", "lines %", "branches %", "lines not", "branches not", "conditions", "not shown")
form = "{:<18}{:>9}{:>12}{:>11}{:>14}{:>12}{:>11}"
print(form.format(*head))
for entry in sorted(data["files"], key=lambda e: -e["summary"]["branches"]["percent"]):  # the worst last
    header, s = relative(entry["filename"]), entry["summary"]
    if only and header != only:
        continue
    branch = s["branches"]
    mine = [f for f in functions if f.header == header and is_faced(f)]
    missing = [f for f in mine for at in f.missing if not excepted(f, at)]
    spared = excused(header)
    lines_not = sum(times == 0 and line not in spared[0] for line, times in counted[header].items())
    branches_not = max(0, branch["notcovered"] - spared[1])
    lines = 100 - 100 * lines_not / max(1, len(counted[header]))
    branches = 100 - 100 * branches_not / max(1, branch["count"])
    shown = form.format(header, f"{lines:.2f}", f"{branches:.2f}", lines_not, branches_not,
                        sum(f.conditions for f in mine), len(missing))
    short = [lines < LINES, branches < BRANCHES, bool(missing)]
    print(("FAILED  " if any(short) else "") + shown)
    failed += sum(short)
    passed += 3 - sum(short)
for name, words, why in EXCEPTIONS:
    missing = [text(f.file, at) for f in functions if f.name == name for at in f.missing]
    if words not in [None] + missing:
        failed += 1
        print(f"FAILED  the exception {name}: {words} is none any more")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
