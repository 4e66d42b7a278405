// loop.cpp - a scheduler that predicts from a file, in C++17: two threads predict, one reloads.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -std=c++17 -O2 -ffp-contract=off -Iinclude examples/hosts/loop.cpp -o loop -pthread
//     ./loop model.sooth
//
// In your own program: copy include/ and define SOOTH_STATIC and SOOTH_PREDICT_ONLY. There is nothing to link
// with, and no prediction allocates. loop.c or `sooth fit` writes the file. machine.h takes the place of your
// machine.
#define SOOTH_STATIC
#define SOOTH_PREDICT_ONLY
#include "sooth/model.h"
#include "sooth/online.h"
#include "machine.h"
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

constexpr const char *names[]{"code", "size", "user", "worker"}; // the features of a task on this host

struct loaded {
    std::vector<std::byte> bytes;  // new aligns them as a model must be
    uint32_t is[std::size(names)]; // feature j of the model is names[is[j]]
    auto model() const { return reinterpret_cast<const sooth_model *>(bytes.data()); }
};

// The model of a file, if it is valid and needs only features that this host has. Otherwise an error message.
static std::unique_ptr<loaded> load(const char *path) {
    auto m = std::make_unique<loaded>();
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    m->bytes.resize(text.size() + 1);
    text.copy(reinterpret_cast<char *>(m->bytes.data()), text.size());
    const char *why = sooth_model_why(m->bytes.data(), text.size());
    if (!why && (m->model()->head.features > std::size(names) || m->model()->head.targets != 1 ||
                 sooth_model_scratch_size(m->model(), 1) > 0 ||
                 sooth_model_map(m->model(), names, std::size(names), m->is) > 0))
        why = "the model wants what this host does not know";
    return why ? (fprintf(stderr, "%s: %s\n", path, why), nullptr) : std::move(m);
}

static sooth_slot slot; // holds a loaded
static sooth_slot_reader readers[2];

// Runs all tasks in thread `number`.
static void schedule(uint32_t number) {
    machine m;
    machine_init(&m);
    while (m.task < TASKS) {
        const float size = machine_next(&m);
        float x[CHOICES * std::size(names)], us[CHOICES], *row = x;
        const auto *now = static_cast<const loaded *>(sooth_slot_enter(&slot, number));
        for (int c = 0; c < CHOICES; ++c) {
            const float mine[] = {float(c % CODES), size, 0.0f, float(c / CODES)}; // as names has them
            for (uint32_t j = 0; j < now->model()->head.features; ++j) *row++ = mine[now->is[j]];
        }
        sooth_model_predict_many(now->model(), x, CHOICES, now->model()->head.features, us, nullptr, CHOICES);
        sooth_slot_leave(&slot, number);
        machine_run(&m, size, machine_first(&m, us));
    }
    printf("with a model %.0f ms\n", machine_end(&m));
}

int main(int count, char **word) {
    auto present = count > 1 ? load(word[1]) : nullptr;
    if (!present) return 1;
    sooth_slot_init(&slot, readers, 2, present.get());
    std::thread one(schedule, 0), two(schedule, 1);
    for (int i = 0; i < 100; ++i) // as a daemon would at a notice of a new file
        if (auto next = load(word[1])) {
            sooth_slot_publish(&slot, next.get());
            sooth_slot_wait(&slot);
            present = std::move(next);
        }
    for (auto *each : {&one, &two}) each->join(); // before `present` ends
}
