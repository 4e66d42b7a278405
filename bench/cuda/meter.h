/* meter.h - mean watts from an energy counter that moves in steps, and the time that a program may take.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Without CUDA: tests/studies/kernels.cpp proves it on a made-up counter.
 *
 * A board's energy counter changes every few milliseconds at best, on some boards every 100. A difference of
 * two readings is off by up to a step at each end. So the meter reads the counter often and remembers when it
 * changed. The mean is the energy from the first change to the last, over the time between the two.
 */
#ifndef SOOTH_BENCH_CUDA_METER_H
#define SOOTH_BENCH_CUDA_METER_H

#include <algorithm>
#include <vector>

static inline double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? -1.0 : v.size() % 2 ? v[v.size() / 2] : 0.5 * (v[v.size() / 2 - 1] + v[v.size() / 2]);
}

struct meter {
    bool begun = false;
    double joules = 0.0;             /* the latest reading */
    std::vector<double> when, total; /* seconds and joules at each change */

    void add(double seconds, double reading) {
        if (begun && reading > joules) {
            when.push_back(seconds);
            total.push_back(reading);
        }
        joules = reading;
        begun = true;
    }
    size_t steps() const { return when.empty() ? 0 : when.size() - 1; }
    /* Mean watts from the first change to the last; below 0: fewer than two changes. */
    double watts() const { return steps() ? (total.back() - total[0]) / (when.back() - when[0]) : -1.0; }
    /* The median of the seconds and of the joules from change to change; below 0: not known. */
    double interval() const { return median(differences(when)); }
    double step() const { return median(differences(total)); }

    static std::vector<double> differences(const std::vector<double> &v) {
        std::vector<double> d;
        for (size_t i = 1; i < v.size(); ++i) d.push_back(v[i] - v[i - 1]);
        return d;
    }
};

/* The seconds for each of `rows` rows within `budget`, from `least` to `most`. */
static inline double seconds_for_row(double budget, size_t rows, double least, double most) {
    return std::min(most, std::max(least, budget / (double)std::max(rows, (size_t)1)));
}

#endif
