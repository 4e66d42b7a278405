/* simgrid_hosts.cpp - a schedule of examples/hosts run in SimGrid: does it take the makespan that was told?
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/hosts --recorded examples/colocate/data --schedule build/schedule.csv
 *     g++ -std=c++17 -O2 bench/peers/simgrid_hosts.cpp -o build/peers/simgrid_hosts -lsimgrid
 *     build/peers/simgrid_hosts build/schedule.csv
 *
 * Two hosts of 1 Gflop/s, one for each core. A millisecond of a round is a million operations, and a barrier ends the round.
 */
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <vector>

namespace sg4 = simgrid::s4u;

int main(int count, char **word) {
    std::vector<double> ms[2];
    char line[300];
    sg4::Engine engine(&count, word);
    std::FILE *file = count == 2 ? std::fopen(word[1], "r") : nullptr;
    if (!file) {
        std::fprintf(stderr, "simgrid_hosts: a schedule is needed, as build/hosts --schedule FILE writes it\n");
        return 2;
    }
    while (std::fgets(line, sizeof line, file)) {
        double a, b;
        if (std::sscanf(line, "%*[^0-9.]%lf,%lf", &a, &b) != 2) continue;
        ms[0].push_back(a);
        ms[1].push_back(b);
    }
    std::fclose(file);
    sg4::NetZone *zone = sg4::create_full_zone("machine");
    const sg4::BarrierPtr barrier = sg4::Barrier::create(2);
    for (int core = 0; core < 2; ++core) {
        sg4::Host *host = zone->create_host(core ? "core-1" : "core-0", 1e9);
        host->seal();
        sg4::Actor::create("core", host, [core, &ms, barrier] {
            for (const double t : ms[core]) {
                if (t > 0) sg4::this_actor::execute(1e6 * t);
                barrier->wait();
            }
        });
    }
    zone->seal();
    engine.run();
    std::printf("SimGrid: %zu rounds, makespan %.9g ms\n", ms[0].size(), 1e3 * sg4::Engine::get_clock());
    return 0;
}
