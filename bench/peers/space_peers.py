# space_peers.py - the optimisers of Kernel Tuner and Optuna on tuning spaces, beside build/gpu_spaces.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     python3 bench/peers/space_peers.py OUT.csv SPACE.csv ... [--only NAME,...] [--seeds N]
#
# SPACE.csv as for build/gpu_spaces. Kernel Tuner runs in its simulation mode over a cache file made from the
# table, each strategy as it comes, at most 400 different settings; a setting that fails is a run. The draws
# of Optuna that are no setting are told as failed and drawn again, at no cost; so are settings drawn twice.
# A row of OUT.csv for each optimiser, space and GPU: the median of the runs until a setting is within 5 % of
# the best of all (blank: over 400), in how many of the searches one was, and the mean over the searches of
# the best's time over that of the best so far after so many runs (0 where none has run). Rows that OUT.csv
# has already are kept. TPE and the forest stop at the first good one, and their curves with them. It wants
# kernel_tuner, scikit-learn and optuna.
import contextlib, csv, datetime, io, json, os, random, sys, tempfile, warnings
from importlib.metadata import version
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy

MOST, GOOD = 400, 1.05
AT = [1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400]


def read(path):
    """Names of the knobs, and what each GPU took for each setting (None: it failed)."""
    with open(path, newline="") as file:
        rows = csv.reader(file)
        head = next(rows)
        end = head.index("time_ms")
        times = {}
        for row in rows:
            of = times.setdefault(row[0], {})
            of[tuple(int(v) for v in row[1:end])] = float(row[end]) if row[end] else None
    return head[1:end], times


def values(settings):
    return [sorted(set(column)) for column in zip(*settings)]


def kernel_tuner_search(strategy, options):
    def search(knobs, time, seed):
        import kernel_tuner
        names = dict(zip(knobs, values(time)))
        name = os.path.join(tempfile.gettempdir(), "space_peers_%d.json" % os.getpid())
        if search.cached is not time:
            cache = {}
            for setting, took in time.items():
                entry = dict(zip(knobs, setting))
                entry.update(time=took if took else "RuntimeFailedConfig", compile_time=0,
                             verification_time=0, benchmark_time=0, strategy_time=0, framework_time=0,
                             timestamp="", times=[took or 0])
                if not took:
                    entry["__error__"] = "RuntimeFailedConfig"
                cache[",".join(str(v) for v in setting)] = entry
            with open(name, "w") as file:
                json.dump({"device_name": "a", "kernel_name": "k", "problem_size": 1, "objective": "time",
                           "tune_params_keys": list(names), "tune_params": names, "cache": cache}, file)
            search.cached = time
        random.seed(seed)
        numpy.random.seed(seed)
        order = []
        from kernel_tuner.runners.simulation import SimulationRunner
        run = SimulationRunner.run

        def noted(self, space, tuning):
            space = list(space)
            for setting in space:
                if tuple(setting) in time and tuple(setting) not in noted.seen:
                    noted.seen.add(tuple(setting))
                    order.append(tuple(setting))
            return run(self, space, tuning)

        def is_setting(knob):
            return tuple(knob[k] for k in knobs) in time

        noted.seen = set()
        SimulationRunner.run = noted
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                kernel_tuner.tune_kernel("k", "", 1, [], names, cache=name, simulation_mode=True,
                                         verbose=False, quiet=True, restrictions=is_setting,
                                         strategy=strategy, strategy_options=dict(options, max_fevals=MOST))
        finally:
            SimulationRunner.run = run
        return order[:MOST]

    search.cached = None
    return search


def tpe_search(knobs, time, seed):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    names = values(time)
    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=20)
    study = optuna.create_study(sampler=sampler)
    order, seen, good = [], set(), GOOD * min(t for t in time.values() if t)
    for _ in range(10 * MOST):
        trial = study.ask()
        setting = tuple(of[trial.suggest_int(k, 0, len(of) - 1)] for k, of in zip(knobs, names))
        took = time.get(setting)
        if setting in time and setting not in seen:
            seen.add(setting)
            order.append(setting)
        if took:
            study.tell(trial, float(numpy.log(took)))
        else:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        if len(order) == MOST or (took and took <= good):
            break
    return order


def forest_search(knobs, time, seed):
    """As SMAC does: expected improvement by the mean and the spread of the trees of a random forest."""
    from sklearn.ensemble import RandomForestRegressor
    from scipy.stats import norm
    draw = numpy.random.default_rng(seed)
    settings = list(time)
    x = numpy.array(settings, numpy.float32)
    tried = [int(i) for i in draw.choice(len(x), 10, replace=False)]
    good = GOOD * min(t for t in time.values() if t)
    while len(tried) < MOST and not any((time[settings[i]] or 1e30) <= good for i in tried):
        took = [time[settings[i]] for i in tried]
        worst = max([t for t in took if t] or [1.0])
        y = numpy.log([t or 3 * worst for t in took])
        forest = RandomForestRegressor(20, max_features=5 / 6, min_samples_split=3, random_state=len(tried))
        said = numpy.array([tree.predict(x) for tree in forest.fit(x[tried], y).estimators_])
        mean, spread = said.mean(0), said.std(0) + 1e-9
        z = (y.min() - mean) / spread
        gain = spread * (z * norm.cdf(z) + norm.pdf(z))
        gain[tried] = -1
        tried.append(int(numpy.flatnonzero(gain == gain.max())[0]))
    order = [settings[i] for i in tried]
    first = [(time[s] or 1e30) <= good for s in order]
    return order[:first.index(True) + 1] if True in first else order


SEARCHES = {name: ("kernel_tuner", kernel_tuner_search(name, {})) for name in (
    "random_sample", "genetic_algorithm", "diff_evo", "pso", "simulated_annealing", "basinhopping",
    "dual_annealing", "greedy_ils", "greedy_mls", "mls", "firefly_algorithm")}
SEARCHES["bayes_opt"] = ("kernel_tuner", kernel_tuner_search("bayes_opt", {}))
SEARCHES["TPE"] = ("optuna", tpe_search)
SEARCHES["random forest"] = ("scikit-learn", forest_search)


def summary(time, orders):
    best = min(t for t in time.values() if t)
    runs, curves = [], []
    for order in orders:
        least, reached, curve = None, None, []
        for n, setting in enumerate(order, 1):
            took = time[setting]
            if took and (least is None or took < least):
                least = took
                if reached is None and took <= GOOD * best:
                    reached = n
            curve.append(best / least if least else 0.0)
        curve += [curve[-1]] * (MOST - len(curve))
        runs.append(reached or MOST + 1)
        curves.append(curve)
    runs.sort()
    median = runs[len(runs) // 2]
    mean = numpy.mean(curves, axis=0)
    return (["%d" % median if median <= MOST else "", sum(r <= MOST for r in runs)] +
            ["%.4f" % mean[n - 1] for n in AT])


def main():
    words, only, seeds = [], None, 21
    rest = iter(sys.argv[1:])
    for word in rest:
        if word == "--only":
            only = next(rest).split(",")
        elif word == "--seeds":
            seeds = int(next(rest))
        else:
            words.append(word)
    out, paths = words[0], words[1:]
    done = set()
    if os.path.exists(out):
        with open(out, newline="") as file:
            done = {tuple(row[i] for i in (0, 4, 5)) for row in csv.reader(file)}
    else:
        with open(out, "w") as file:
            print("optimiser,package,version,date,space,gpu,searches,runs,found",
                  *("after_%d" % n for n in AT), sep=",", file=file)
    for name in only or SEARCHES:
        package, search = SEARCHES[name]
        for path in paths:
            space = os.path.splitext(os.path.basename(path))[0]
            knobs, gpus = read(path)
            for gpu, time in gpus.items():
                if (name, space, gpu) in done:
                    continue
                row = summary(time, [search(knobs, time, seed) for seed in range(seeds)])
                row = [name, package, version(package), datetime.date.today(), space, gpu, seeds] + row
                with open(out, "a") as file:
                    print(",".join(str(v) for v in row), file=file)
                print(*row[:9], flush=True)


main()
