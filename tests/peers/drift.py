"""drift.py - Page-Hinkley and ADWIN against river, value by value.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Streams of eight kinds, 20 of each, with random options. Page-Hinkley must tell each drift at river's index
and begin anew as river does; ADWIN must tell the same drifts with the same width after every value, and the
same mean within 1e-6 of the stream's range and the last place of a float: both the window that lives on and,
as river's class of that name does it, one that is forgotten after a drift. Sums here are of floats, river's
of doubles; a stream whose first difference is a tie (the statistic within 2e-5 of its bound) counts as
unasked.
"""
import math

import numpy as np
from river._river_rust.drift import AdaptiveWindowing
from river.drift import PageHinkley

from common import F32, Table, call, random_of

LENGTH, CASES, TIE = 6000, 20, 2e-5
table = Table("drift", "greatest error of the mean, share of the range")


def stream(random, kind):
    t = np.arange(LENGTH)
    noise = random.normal(size=LENGTH)
    level = (t // random.randint(300, 3000)) % 3
    made = {
        "normal, level shifts": lambda: noise + random.uniform(0.2, 3) * level,
        "uniform in 0..1": lambda: 0.7 * random.uniform(size=LENGTH) + 0.1 * level,
        "zeros and ones": lambda: random.uniform(size=LENGTH) < 0.2 + 0.2 * level,
        "heavy tails": lambda: random.standard_t(2, size=LENGTH) + level,
        "around 10,000": lambda: 1e4 + 3 * noise + 5 * level,
        "a slope": lambda: noise + t * random.uniform(1e-4, 1e-2),
        "another variance": lambda: noise * (1 + 4 * level),
        "constant, then steps": lambda: np.round(level + 0.51 * (random.uniform(size=LENGTH) < 0.02)),
    }
    return sorted(made), lambda: made[kind]().astype(F32)


def page_hinkley(random, kind, what):
    x = stream(random, kind)[1]()
    scale = max(float(np.std(x)), 1e-3)
    names = ["both", "up", "down"]
    o = dict(min_instances=int(random.choice([1, 30, 100])),
             delta=float(random.choice([0, 0.005, 0.1 * scale])),
             threshold=float(scale * random.uniform(5, 60)), alpha=float(random.choice([1, 0.9999, 0.99])))
    mode = int(random.randint(3))
    drift = np.zeros(LENGTH, F32)
    call("answers_page_hinkley", x, LENGTH, o["min_instances"], mode, o["delta"], o["threshold"], o["alpha"],
         drift)
    peer = PageHinkley(mode=names[mode], **o)
    for i, value in enumerate(x.astype(float)):
        peer.update(value)
        if peer.drift_detected == (drift[i] > 0):
            continue
        sides = [peer._sum_increase - peer._min_increase, peer._max_decrease - peer._sum_decrease]
        tie = min(abs(s / o["threshold"] - 1) for s in sides) < TIE
        return table.add(what, "unasked" if tie else "FAILED", i, f"{kind} {o} {names[mode]} at {i}: {sides}")
    table.add(what, "equal")


class Window:
    """ADWIN as its paper has it, without buckets' rounding: whether a check was a tie."""

    def __init__(self, peer, o):
        self.o, self.rows = o, [[]]

    def insert(self, value):
        self.rows[0].append((value, 0.0))
        for r, row in enumerate(self.rows):
            if len(row) <= self.o["max_buckets"]:
                break
            (a, v), (b, w) = row[:2]
            del row[:2]
            if r + 1 == len(self.rows):
                self.rows.append([])
            self.rows[r + 1].append(((a + b) / 2, (v + w) / 2 + (a - b) ** 2 / 4))

    def drop(self):
        del self.rows[-1][0]
        while len(self.rows) > 1 and not self.rows[-1]:
            self.rows.pop()

    def margins(self):
        n = np.array([2.0**r for r in reversed(range(len(self.rows))) for _ in self.rows[r]])
        b = np.array([b for r in reversed(self.rows) for b in r])
        total, least = n.sum(), self.o["min_window_length"]
        mean = (n * b[:, 0]).sum() / total
        variance = (n * (b[:, 1] + (b[:, 0] - mean) ** 2)).sum() / total
        n0, u0 = n.cumsum()[:-1], (n * (b[:, 0] - mean)).cumsum()[:-1]
        n1 = total - n0
        away = abs(u0 / n0 + u0 / n1)[(n0 >= least) & (n1 >= least)]
        m = (1 / (n0 - least + 1) + 1 / (n1 - least + 1))[(n0 >= least) & (n1 >= least)]
        d = math.log(2 * math.log(total) / self.o["delta"])
        return away / (np.sqrt(2 * m * variance * d) + 2 / 3 * d * m)

    def tie(self, x, widths, i):
        """Was any comparison of the check at i one, including those after each bucket dropped?"""
        for j in range(i + 1):
            self.insert(float(x[j]))
            while j < i and sum(2**r * len(row) for r, row in enumerate(self.rows)) > widths[j]:
                self.drop()
        while True:
            margins = self.margins()
            if (abs(margins - 1) < TIE).any():
                return True
            if not (margins > 1).any():
                return False
            self.drop()


def adwin(random, kind, what, anew):
    x = stream(random, kind)[1]()
    o = dict(clock=int(random.choice([1, 7, 32])), max_buckets=int(random.choice([2, 5, 9])),
             min_window_length=int(random.choice([1, 5, 20])), grace_period=int(random.choice([10, 50])),
             delta=float(random.choice([0.002, 0.05, 0.3])))
    drift, width, mean = (np.zeros(LENGTH, F32) for _ in range(3))
    call("answers_adwin", x, LENGTH, o["clock"], o["max_buckets"], o["min_window_length"], o["grace_period"],
         o["delta"], int(anew), drift, width, mean)
    peer, begin, widths, worst, extent = AdaptiveWindowing(**o), 0, [], 0.0, float(np.ptp(x)) or 1.0
    for i, value in enumerate(x.astype(float)):
        found = peer.update(value)
        if found != (drift[i] > 0) or peer.get_width() != width[i]:
            tie = Window(peer, o).tie(x[begin:], widths, i - begin)
            return table.add(what, "unasked" if tie else "FAILED", i,
                             f"{kind} {o} at {i}: width {peer.get_width()}, here {width[i]}")
        mine = float(mean[i])
        worst = max(worst, (abs(peer.get_total() / peer.get_width() - mine) - abs(mine) * 2**-23) / extent)
        widths.append(peer.get_width())
        if anew and found:
            peer, begin, widths = AdaptiveWindowing(**o), i + 1, []
    table.add(what, "equal" if worst < 1e-6 else "FAILED", worst, f"{kind} {o}: mean")


for k, kind in enumerate(stream(random_of(0), "")[0]):
    for case in range(CASES):
        page_hinkley(random_of(k, case, 0), kind, f"Page-Hinkley, {kind}")
        adwin(random_of(k, case, 1), kind, f"ADWIN, {kind}", False)
        adwin(random_of(k, case, 2), kind, f"ADWIN anew, {kind}", True)
table.end()
