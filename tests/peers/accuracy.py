"""accuracy.py - the counting of bench/accuracy.py: draws, rules, errors, ratios, ranks, a run.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

The figures are by hand; the random stream is compared with values of splitmix64 that others print. The last
test runs build/sooth next to the peers that are here on the law of a program, 20 rows of examples/scale/data.
"""
import contextlib
import io
import os
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import accuracy as bench  # noqa: E402

passed = failed = 0
folder = tempfile.TemporaryDirectory()


def check(what, so):
    global passed, failed
    passed, failed = passed + bool(so), failed + (not so)
    if not so:
        print("  FAILED  accuracy: " + what)


def row_of(**change):
    return dict(dict(family="f", set="a", source="", target="y", drop="", keep="", split="rows", rows="1500",
                     draws="2", error="mre", base=""), **change)


def table(count, group=None, waiting=None):
    return {"names": ["x"], "x": np.arange(count, dtype=float)[:, None], "y": np.arange(count) + 1.0,
            "group": group, "ordered": waiting is not None,
            "waiting": np.zeros(count) if waiting is None else waiting,
            "base": np.ones(count)}


def draws():
    # the first values of splitmix64 with seed 1234567, as Rosetta Code lists them
    stream = bench.Stream(1234567)
    check("splitmix64", [stream.below(2**64) for _ in range(3)] ==
          [6457827717110365317, 3203168211198807973, 9817491932198370423])
    parts = list(bench.divisions(row_of(rows="30", draws="3"), table(100)))
    check("a draw has the rows asked for, and all others", all(
        len(a) == 30 and sorted(a + b) == list(range(100)) for _, a, b, _ in parts))
    check("draws differ", parts[0][1] != parts[1][1])
    check("at most four fifths are learned from", len(next(bench.divisions(row_of(), table(100)))[1]) == 80)
    names = [str(i % 7) for i in range(70)]
    parts = list(bench.divisions(row_of(split="group:g", draws="3"), table(70, names)))
    check("groups are whole", all(not {names[i] for i in a} & {names[i] for i in b} for _, a, b, _ in parts))
    check("best is told the groups", bench.told_to("best", table(70, names), [8, 0]) == ("group", ["1", "0"]))
    check("no other is", bench.told_to("tree", table(70, names), [8, 0]) is None)
    check("each group is left out once", sorted(sum((b for _, _, b, _ in parts), [])) == list(range(70)))


def time_order():
    waiting = np.zeros(700)
    ordered = table(9, waiting=waiting)
    check("best is told the order", bench.told_to("best", ordered, [3, 5]) == ("time", [3, 5]))
    check("there may be none", bench.told_to("best", table(9), [3, 5]) is None)
    waiting[320] = 40  # row 320 knows no row from 240 on
    parts = list(bench.divisions(row_of(split="time:w", rows="300", draws="9"), table(700, waiting=waiting)))
    check("blocks of 150 after the first 300", [(b[0], b[-1]) for _, _, b, _ in parts] ==
          [(300, 449), (450, 599), (600, 699)])
    check("late: no row without an answer is learned from",
          [a[-1] for _, a, _, _ in parts] == [239, 449, 599])
    check("late: nor used by a rule", parts[0][3][20] == 240 and parts[0][3][21] == 321)
    waiting[:] = 1000
    check("nothing is predicted from nothing", not list(bench.divisions(
        row_of(split="time:w", rows="300", draws="9"), table(700, waiting=waiting))))


def rules():
    t = table(10)
    t["y"] = 3 * (1 + t["x"][:, 0]) ** 2
    t["base"] = np.where(np.arange(10) < 5, 1.0, 2.0)

    def by(name, before=None):
        return bench.by_rule(name, t, [0, 1, 2, 3, 4], [8, 9], before)
    check("median", list(by("median")) == [27, 27])
    check("a power law is found", np.allclose(by("power law"), [243, 300]))
    check("nearest", list(by("nearest")) == [75, 75])
    # least squares of 3, 12, 27, 48, 75 over 0 to 4: 18 a step, -3 at 0
    check("linear", np.allclose(by("linear"), [141, 159]))
    check("last two in time order", list(by("last two", [5, 3])) == [(48 + 75) / 2, (12 + 27) / 2])
    # of 3, 12, 27, 48, 75 the median is 27, of the first three 12; the rows to predict have a base of 2
    check("running", list(by("running", [5, 3])) == [54, 24])
    check("last two needs an order", by("last two") is None)
    t["y"][0] = -1
    check("a power law needs positive targets", by("power law") is None)


def errors():
    y = np.array([1.0, 2.0, 4.0])
    check("relative; what is not finite is off by 100 %",
          abs(bench.error("mre", [1, np.nan, 3], y) - 100 * (0 + 1 + 0.25) / 3) < 1e-12)
    check("squared", bench.error("rmse", [1, 4, 3], y) == (5 / 3) ** 0.5)
    check("absolute", bench.error("mae", [1, 4, 3], y) == 1)
    check("not finite", bench.error("rmse", [1, np.inf, 3], y) is None)


def filled(path, sets):
    results = bench.Results(path)
    for name, figures in sets.items():
        for who, value in figures.items():
            for draw in (0, 1):  # the mean of two draws is value
                results.add(set=name, draw=draw, who=who, by="1", data="d", train=20, columns=3,
                            error=None if value is None else value * (0.5 + draw), seconds=2.0, why="")
    return results


def counting():
    path = os.path.join(folder.name, "results")
    results = filled(path, {
        "won": {"rule median": 8, "sooth best": 2, "sooth tree": 6, "Ridge": 4, "SVR": 9, "MLP": None},
        "lost": {"rule median": 5, "sooth best": 16, "sooth tree": 16, "Ridge": 9, "SVR": 4, "MLP": 20},
        "begun": {"rule median": 5, "sooth best": 16}})
    rows = [row_of(set=name) for name in ("won", "lost", "begun", "absent")]
    won = bench.count_case(rows[0], results, "tree")
    check("a set", (won["least"]["rule"], won["least"]["peer"], won["least"]["kind"]) ==
          ("rule median", "Ridge", "sooth tree") and won["errors"]["default"] == 6)
    check("rank", won["rank"]["sooth best"] == 1 and won["rank"]["SVR"] == 5 and won["of"] == 6)
    check("equals share a rank", bench.count_case(rows[1], results, "tree")["rank"]["sooth best"] == 4)
    check("a set without peers waits", bench.count_case(rows[2], results, "tree") is None)
    text = bench.render(rows, results, "tree", {"absent"})
    # best / peer: 2 / 4 and 16 / 4; default: 6 / 4 and 4; rule: 1 / 4 and 16 / 5; its tree: 1 / 3 and 1
    check("the summary", "| f | 2 | 1.414 | 1 | 4.00 | 2.449 | 0.894 | 3.20 | 0.577 | 2.5 |" in text)
    check("a loss is in the table", "| lost | 20 x 3 | 5.00 median | 4.00 SVR | 16.0 | 16.0 tree "
          "| **16.0** | 4.00 | 3.20 | 4 of 6 | 2.00, 2.00 |" in text)
    check("a failure is a line", "MLP failed on won" in text)
    check("what is absent is named", "Not here: absent." in text and "Not measured: begun." in text)
    check("the best peer in hindsight is at 1 or above", "| Ridge | 1.500 | 0 of 2 | 2.25 |" in text)

    with open(path, "a") as file:
        file.write('{"set": "won", "draw"')
    again = bench.Results(path)
    check("a cut line is measured again", again.found == results.found)
    check("what is known is not measured again", again.holds(("won", 0, "Ridge"), "1", "d"))
    check("another version is", not again.holds(("won", 0, "Ridge"), "2", "d"))
    check("so are other data", not again.holds(("won", 0, "Ridge"), "1", "e"))
    results.add(set="queue", draw=0, who="replay", by="1", data="d", train=9, seconds=1.0,
                error=dict(requested=9.0, last2=6.0, sooth=3.0, perfect=2.0))
    text = bench.render([row_of(set="queue", split="replay", draws="1")], results, "tree", set())
    check("the way from last two to perfect",
          "| queue | 9 | 9.00 | 6.00 | **3.00** | 2.00 | 0.50 | 0.50 | 75 % | 1.00 |" in text)


def pages():
    path = os.path.join(folder.name, "page.md")
    with open(path, "w") as file:
        file.write("above\n<!-- accuracy -->\nold\n<!-- /accuracy -->\nbelow\n")
    bench.insert(path, "new\n")
    with open(path) as file:
        check("a table replaces the one before", file.read() ==
              "above\n<!-- accuracy -->\nnew\n<!-- /accuracy -->\nbelow\n")
    with open(path, "w") as file:
        file.write("above\n")
    try:
        bench.insert(path, "new\n")
        check("a page without markers is refused", False)
    except SystemExit as why:
        check("a page without markers is refused", "needs one line" in str(why))


def runs():
    command = os.path.join(ROOT, "build/sooth")
    try:
        import sklearn  # noqa: F401
    except ImportError:
        return print("  skipped: a run (this Python has no sklearn)")
    if not os.path.exists(command):
        return print("  skipped: a run (build/sooth is not here)")
    sets, path = (os.path.join(folder.name, name) for name in ("sets.csv", "run.jsonl"))
    law = row_of(set="law", family="laws", source="examples/scale/data/parsec.csv", target="throughput",
                 drop="app;power_w;voltage", keep="app=vips", rows="20", draws="1")
    with open(sets, "w") as file:
        for line in (law, law, dict(law, set="gone", source="gone.csv")):
            file.write(",".join(line if line is law and not file.tell() else line.values()) + "\n")
    words = ["--sets", sets, "--results", path, "--sooth", command]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        bench.main(words)
    found = bench.Results(path).found
    check("every entrant answers, or has a reason", found and all(
        (r["error"] is not None and r["error"] >= 0) or r["why"] for r in found.values()))
    errors = {who: r["error"] for (_, _, who), r in found.items()}
    # the same law by the command and by numpy: least squares in float and in double
    check("the command's linear model is the rule's",
          abs(errors["sooth linear"] / errors["rule linear"] - 1) < 1e-3)
    check("the table has the set", "| law 20 | 20 x 2 |" in said.getvalue())
    check("the absent set is named", "Not here: gone." in said.getvalue())
    size = os.path.getsize(path)
    with contextlib.redirect_stdout(io.StringIO()):
        bench.main(words)
    check("a second run measures nothing", os.path.getsize(path) == size)


for test in (draws, time_order, rules, errors, counting, pages, runs):
    test()
print("accuracy: %d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
