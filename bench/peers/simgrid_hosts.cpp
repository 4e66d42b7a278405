/* simgrid_hosts.cpp - places jobs by our prediction of who slows whom; SimGrid tells makespan and joules.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     tests/studies/simgrid.sh   builds this (Debian: libsimgrid-dev, LGPL), runs it, checks what it prints
 *
 * Ten jobs wait for five hosts of two cores. A host has one memory bus, on which its two jobs slow each
 * other. A job is a list of pieces, each some operations and some bytes that pass the bus; a piece is done
 * when both are, so a job of many bytes is slowed by its neighbour and one of few is not. SimGrid shares
 * the bus (a Disk, which shares its bandwidth fairly) and counts joules: 40 W idle, 70 W as soon as a core
 * works, 110 W with both.
 *
 * What is predicted: of every kind of job a card is measured, alone and beside three microbenchmarks
 * (fairness.h). Slowdowns are learned from pairs of kinds to learn from (a forest over the logarithms of
 * both cards). The kinds that wait are others: nothing but their cards is known, and none of them ever ran
 * beside another one.
 *
 * Placed: first-come (neighbours in the queue share a host); random (the mean of RANDOM draws); predicted
 * (of all 945 ways to make pairs the one whose predicted makespan, then whose summed time, is least); best
 * and worst (the same search with the times that SimGrid gives for the pairs: the bounds of what any
 * placement can do). Then each placement runs in SimGrid, all jobs at once, and its makespan and joules are
 * printed, means over QUEUES queues.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/fairness.h"
#include "sooth/forest.h"

#include <simgrid/plugins/energy.h>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <xbt/log.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

enum { LEARN = 12, JOBS = 10, HOSTS = JOBS / 2, QUEUES = 10, RANDOM = 20, PIECES = 60, FIELDS = 7 };
static const double core_speed = 1e9, bus_speed = 10e9; /* operations and bytes per second */

/* A kind of job, or a microbenchmark: its pieces, alike up to a spread. */
struct kind {
    double
        bus; /* share of the bus that it would keep busy, alone, if a piece took as long as its operations */
    double spread; /* of the bytes of its pieces: 0 to 1 */
    int pieces;    /* 0: until the other one is done */
    uint64_t seed;
};

/* SimGrid wants all hosts before it starts: as many as there are ever experiments at the same time. */
static std::vector<sg4::Host *> host;

static void make_hosts(size_t count) {
    sg4::NetZone *zone = sg4::create_empty_zone("machines");
    for (size_t i = 0; i < count; ++i) {
        host.push_back(zone->create_host("host-" + std::to_string(i), core_speed)->set_core_count(2));
        host.back()->set_property("wattage_per_state", "40.0:70.0:110.0"); /* idle, one core, both */
        host.back()->create_disk("bus", bus_speed, bus_speed)->seal();
        host.back()->seal();
    }
    zone->seal();
}

/* Does pieces of 10 ms of operations; *stop ends one that has no end. */
static void work(const kind &k, double *seconds, double *done, const bool *stop) {
    const double begin = sg4::Engine::get_clock();
    sooth_rng rng;
    sooth_rng_init(&rng, k.seed, 0);
    for (int i = 0; k.pieces ? i < k.pieces : !*stop; ++i) {
        const double bytes = 0.01 * bus_speed * k.bus * (1 + k.spread * (2 * sooth_rng_double(&rng) - 1));
        sg4::ExecPtr operations = sg4::this_actor::exec_async(0.01 * core_speed);
        sg4::IoPtr transfer = sg4::this_actor::get_host()->get_disks()[0]->read_async((sg_size_t)bytes);
        operations->wait();
        transfer->wait();
        *done += 1;
    }
    *seconds = sg4::Engine::get_clock() - begin;
}

/* One or two jobs on a host; times of both, and the pieces per second of the second. */
struct experiment {
    std::vector<kind> job;
    double seconds[2] = {0, 0}, done[2] = {0, 0};
    bool stop = false;
    std::vector<sg4::ActorPtr> actor;
    explicit experiment(std::vector<kind> jobs) : job(std::move(jobs)) {}
    void start(sg4::Host *host) {
        for (size_t i = 0; i < job.size(); ++i)
            actor.push_back(sg4::Actor::create("job", host, [this, i] {
                work(job[i], &seconds[i], &done[i], &stop);
                if (i == 0) stop = true; /* what has no end stands second */
            }));
    }
    void wait() {
        for (const sg4::ActorPtr &a : actor) a->join();
    }
    double time() const { return std::max(seconds[0], seconds[1]); }
};

/* All experiments at the same time, each on a host of its own. */
static void run_all(std::vector<experiment> &list) {
    for (size_t i = 0; i < list.size(); ++i) list[i].start(host[i]);
    for (experiment &e : list) e.wait();
}

static const kind micro[3] = {{0.2, 0, 0, 1}, {0.6, 0, 0, 2}, {1.0, 0, 0, 3}};

/* The cards of kinds: alone, beside each microbenchmark, and what that does to the microbenchmark. */
static std::vector<sooth_fairness_card> cards_of(const std::vector<kind> &kinds) {
    std::vector<experiment> list;
    std::vector<sooth_fairness_card> card(kinds.size());
    for (const kind &k : kinds) {
        list.emplace_back(std::vector<kind>{k});
        for (const kind &m : micro) list.emplace_back(std::vector<kind>{k, m});
    }
    for (kind m : micro) {
        m.pieces = PIECES;
        list.emplace_back(std::vector<kind>{m});
    }
    run_all(list);
    for (size_t i = 0; i < kinds.size(); ++i) {
        const experiment *e = &list[4 * i];
        sooth_fairness_card_init(&card[i], nullptr);
        card[i].value[SOOTH_FAIRNESS_ALONE_TIME] = e[0].seconds[0] / kinds[i].pieces;
        for (int m = 0; m < 3; ++m) {
            const experiment &alone = list[4 * kinds.size() + (size_t)m], &beside = e[1 + m];
            card[i].value[SOOTH_FAIRNESS_SLOWDOWN_LOW + m] = beside.seconds[0] / e[0].seconds[0];
            card[i].value[SOOTH_FAIRNESS_CAUSED_LOW + m] =
                beside.seconds[1] / beside.done[1] / (alone.seconds[0] / PIECES);
        }
    }
    return card;
}

static sooth_env env;
static sooth_forest *forest;

static void features(const sooth_fairness_card &own, const sooth_fairness_card &other, float *row) {
    static const uint32_t field[FIELDS] = {SOOTH_FAIRNESS_ALONE_TIME,      SOOTH_FAIRNESS_SLOWDOWN_LOW,
                                           SOOTH_FAIRNESS_SLOWDOWN_MEDIUM, SOOTH_FAIRNESS_SLOWDOWN_HIGH,
                                           SOOTH_FAIRNESS_CAUSED_LOW,      SOOTH_FAIRNESS_CAUSED_MEDIUM,
                                           SOOTH_FAIRNESS_CAUSED_HIGH};
    const sooth_fairness_card *bag[2] = {&own, &other};
    sooth_fairness_any(&env, field, FIELDS, bag, 2, 0, row);
    for (int k = 0; k < 3 * FIELDS; ++k) row[k] = std::log(row[k]);
}

static kind random_kind(sooth_rng *rng) {
    kind k;
    k.bus = 0.02 + 0.93 * sooth_rng_double(rng);
    k.spread = 0.6 * sooth_rng_double(rng);
    k.pieces = PIECES;
    k.seed = sooth_rng_below(rng, 1000000);
    return k;
}

/* Learns from all pairs of LEARN kinds: how much the first is slowed while the second is there. */
static bool learn(sooth_rng *rng) {
    std::vector<kind> kinds;
    std::vector<experiment> list;
    std::vector<float> x, y;
    for (int i = 0; i < LEARN; ++i) kinds.push_back(random_kind(rng));
    const std::vector<sooth_fairness_card> card = cards_of(kinds);
    for (const kind &a : kinds)
        for (kind b : kinds) {
            b.pieces = 0;
            list.emplace_back(std::vector<kind>{a, b});
        }
    run_all(list);
    for (size_t i = 0; i < list.size(); ++i) {
        const size_t a = i / LEARN, b = i % LEARN;
        x.resize(x.size() + 3 * FIELDS + 1);
        features(card[a], card[b], &x[x.size() - 3 * FIELDS - 1]);
        y.push_back((float)std::log(list[i].seconds[0] / PIECES / card[a].value[SOOTH_FAIRNESS_ALONE_TIME]));
    }
    const sooth_table table = sooth_table_of(x.data(), y.data(), y.size(), 3 * FIELDS + 1);
    sooth_forest_options options;
    std::memset(&options, 0, sizeof options);
    return sooth_forest_fit(&env, &table, &options, &forest) == SOOTH_OK;
}

/* The time of two jobs that start together: both slowed until the shorter one ends, the rest alone. */
static double predict_pair(const kind &a, const sooth_fairness_card &ca, const kind &b,
                           const sooth_fairness_card &cb) {
    float row[3 * FIELDS + 1];
    const double alone[2] = {a.pieces * ca.value[SOOTH_FAIRNESS_ALONE_TIME],
                             b.pieces * cb.value[SOOTH_FAIRNESS_ALONE_TIME]};
    double slowed[2];
    features(ca, cb, row);
    slowed[0] = alone[0] * std::exp((double)sooth_forest_predict(forest, row));
    features(cb, ca, row);
    slowed[1] = alone[1] * std::exp((double)sooth_forest_predict(forest, row));
    const int longer = slowed[1] > slowed[0];
    const double first = slowed[1 - longer];
    return first + (1 - first / slowed[longer]) * alone[longer];
}

typedef std::vector<std::pair<int, int>> placement;

static placement placed_in_order(const std::vector<int> &order) {
    placement p;
    for (size_t i = 0; i + 1 < order.size(); i += 2) p.emplace_back(order[i], order[i + 1]);
    return p;
}

/* Of all ways to make pairs the one that is least (sign 1) or most (-1) in makespan, then in summed time. */
static placement search(const double time[JOBS][JOBS], double sign) {
    placement now, best;
    double least[2] = {HUGE_VAL, HUGE_VAL};
    std::function<void(unsigned, double, double)> go = [&](unsigned used, double longest, double sum) {
        int a = 0;
        while (a < JOBS && used >> a & 1u) ++a;
        if (a == JOBS) {
            if (sign * longest < least[0] || (!(sign * longest > least[0]) && sign * sum < least[1])) {
                least[0] = sign * longest;
                least[1] = sign * sum;
                best = now;
            }
            return;
        }
        for (int b = a + 1; b < JOBS; ++b) {
            if (used >> b & 1u) continue;
            now.emplace_back(a, b);
            go(used | 1u << a | 1u << b, std::max(longest, time[a][b]), sum + time[a][b]);
            now.pop_back();
        }
    };
    go(0, 0, 0);
    return best;
}

struct outcome {
    double seconds = 0, joules = 0;
};

/* Runs a placement; hosts that are done early idle until the last one is. */
static outcome run(const std::vector<kind> &job, const placement &p) {
    std::vector<experiment> list;
    outcome out;
    for (const std::pair<int, int> &pair : p)
        list.emplace_back(std::vector<kind>{job[(size_t)pair.first], job[(size_t)pair.second]});
    for (size_t i = 0; i < list.size(); ++i) out.joules -= sg_host_get_consumed_energy(host[i]);
    out.seconds = -sg4::Engine::get_clock();
    run_all(list);
    out.seconds += sg4::Engine::get_clock();
    for (size_t i = 0; i < list.size(); ++i) out.joules += sg_host_get_consumed_energy(host[i]);
    return out;
}

enum policy { FIRST_COME, DRAWN, PREDICTED, BEST, WORST, POLICIES };
static const char *const policy_name[POLICIES] = {"first-come", "random", "predicted", "best", "worst"};
static outcome total[POLICIES];
static double error_sum = 0;
static int error_count = 0;

static void one_queue(sooth_rng *rng) {
    std::vector<kind> job;
    std::vector<experiment> list;
    std::vector<int> order;
    double guess[JOBS][JOBS], truth[JOBS][JOBS];
    for (int i = 0; i < JOBS; ++i) {
        job.push_back(random_kind(rng));
        order.push_back(i);
    }
    const std::vector<sooth_fairness_card> card = cards_of(job);
    for (int i = 0; i < JOBS; ++i) job[(size_t)i].pieces = PIECES / 2 + (int)sooth_rng_below(rng, PIECES);
    for (const kind &a : job)
        for (const kind &b : job) list.emplace_back(std::vector<kind>{a, b});
    run_all(list); /* the truth, which only `best` and `worst` look at */
    for (size_t a = 0; a < JOBS; ++a)
        for (size_t b = 0; b < JOBS; ++b) {
            guess[a][b] = predict_pair(job[a], card[a], job[b], card[b]);
            truth[a][b] = list[a * JOBS + b].time();
            if (a >= b) continue;
            error_sum += std::fabs(guess[a][b] / truth[a][b] - 1);
            ++error_count;
        }
    const auto add = [&](policy p, const placement &where, double share) {
        const outcome one = run(job, where);
        total[p].seconds += share * one.seconds / QUEUES;
        total[p].joules += share * one.joules / QUEUES;
    };
    add(FIRST_COME, placed_in_order(order), 1);
    add(PREDICTED, search(guess, 1), 1);
    add(BEST, search(truth, 1), 1);
    add(WORST, search(truth, -1), 1);
    for (int draw = 0; draw < RANDOM; ++draw) {
        for (uint32_t i = JOBS - 1; i > 0; --i) std::swap(order[i], order[sooth_rng_below(rng, i + 1)]);
        add(DRAWN, placed_in_order(order), 1.0 / RANDOM);
    }
}

int main(int count, char **word) {
    sg_host_energy_plugin_init();
    xbt_log_control_set("host_energy.threshold:error"); /* or else it lists the joules of every host */
    sg4::Engine engine(&count, word);
    bool learned = false;
    make_hosts(LEARN * LEARN + 1);
    sg4::Actor::create("director", host.back(), [&learned] {
        sooth_rng rng;
        sooth_rng_init(&rng, 7, 0);
        learned = learn(&rng);
        for (int q = 0; learned && q < QUEUES; ++q) one_queue(&rng);
    });
    sooth_env_init(&env);
    engine.run();
    if (!learned) {
        std::fprintf(stderr, "simgrid_hosts: %s\n", env.sentence);
        return 1;
    }
    std::printf("%d queues of %d jobs on %d hosts of 2 cores, in SimGrid %d.%d\n", QUEUES, JOBS, HOSTS,
                SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
    std::printf("time of a pair of jobs that never ran together, predicted: %.1f %% off\n",
                100 * error_sum / error_count);
    std::printf("%-12s %12s %12s\n", "", "makespan s", "joules");
    for (int p = 0; p < POLICIES; ++p)
        std::printf("%-12s %12.4f %12.2f\n", policy_name[p], total[p].seconds, total[p].joules);
    sooth_forest_free(&env, forest);
    return 0;
}
