/* describe.c - see describe.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "describe.h"
#include "records.h"

#include <string.h>

uint32_t describe_card_of(stage_task task) { return task.workload * WORKLOAD_SIZES + task.size; }

void describe_bag(const measure_bag *from, study_bag *to) {
    memset(to, 0, sizeof *to);
    to->tasks = from->tasks;
    to->bag_ms = from->bag_ms.value;
    to->watts = from->watts;
    for (uint32_t k = 0; k < from->tasks; ++k) {
        to->card[k] = describe_card_of(from->member[k].task);
        to->alone_ms[k] = from->member[k].alone_ms;
        to->shared_ms[k] = from->member[k].shared_ms;
    }
}

static void describe_card(const measure_card *from, sooth_fairness_card *to) {
    const workload *kind = &workloads[from->task.workload];
    sooth_fairness_card_init(to, NULL);
    sooth_text_format(to->name, sizeof to->name, "%s %s", kind->name, kind->size[from->task.size].label);
    to->value[SOOTH_FAIRNESS_ALONE_TIME] = from->alone_ms.value;
    for (size_t k = 0; k < STAGE_MICROS; ++k) {
        to->value[SOOTH_FAIRNESS_SLOWDOWN_LOW + k] = from->slowdown[k].value;
        to->value[SOOTH_FAIRNESS_CAUSED_LOW + k] = 1.0 / from->rate[k].value;
    }
    to->value[SOOTH_FAIRNESS_PRESSURE] = to->value[SOOTH_FAIRNESS_CAUSED_HIGH] - 1.0;
}

void describe(const measure_card card[MEASURE_TASKS], const measure_bag *bag, size_t bags, uint32_t cores,
              describe_room *room, study_data *data) {
    const uint32_t kinds = records_tasks(card) / WORKLOAD_SIZES; /* older recordings do not have the last */
    for (size_t i = 0; i < (size_t)kinds * WORKLOAD_SIZES; ++i) {
        describe_card(&card[i], &room->card[i]);
        room->workload[i] = card[i].task.workload;
    }
    for (size_t i = 0; i < bags && i < MEASURE_MOST_BAGS; ++i) describe_bag(&bag[i], &room->bag[i]);
    for (size_t i = 0; i < kinds; ++i) room->workload_name[i] = workloads[i].name;
    memset(data, 0, sizeof *data);
    data->card = room->card;
    data->bag = room->bag;
    data->cards = kinds * WORKLOAD_SIZES;
    data->bags = bags;
    data->workloads = kinds;
    data->workload = room->workload;
    data->workload_name = room->workload_name;
    data->cores = cores;
}
