/* choose.c - with which rule for run times the past of a queue would have gone best; see choose.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "choose.h"

#include <stdlib.h>

typedef struct rule_of {
    const choose_past *past;
    size_t rule;
} rule_of;

static int64_t as_told(void *self, const queue_job *job) {
    const rule_of *r = (const rule_of *)self;
    return r->past->told[(size_t)job->number * r->past->rules + r->rule];
}

/* Copies the jobs of all users but a fifth; their number becomes their index. Returns their count. */
static size_t copy_jobs(const choose_past *past, uint32_t copy, queue_job *to) {
    size_t count = 0;
    for (size_t i = 0; i < past->count; ++i) {
        const queue_job *job = &past->job[past->index[i]];
        const int64_t since = job->submit - past->job[past->index[0]].submit;
        if (job->user % CHOOSE_COPIES == copy) continue;
        to[count] = *job;
        to[count].number = past->index[i];
        to[count++].submit = since / CHOOSE_COPIES * (CHOOSE_COPIES - 1);
    }
    return count;
}

size_t choose_rule(const choose_past *past, const queue_rules *machine, size_t present, double *price) {
    queue_job *job = (queue_job *)malloc((past->count + 1) * sizeof *job);
    double *sum = (double *)calloc(past->rules * CHOOSE_COPIES, sizeof *sum); /* rule by copy */
    size_t best = job && sum ? present : SIZE_MAX, jobs = 0;
    for (uint32_t copy = 0; copy < CHOOSE_COPIES && best == present; ++copy) {
        const size_t count = copy_jobs(past, copy, job);
        jobs += count;
        for (size_t rule = 0; rule < past->rules; ++rule) {
            rule_of self = {past, rule};
            const queue_predictor predictor = {as_told, NULL, NULL, &self};
            if (queue_replay(job, count, machine, &predictor) != 0) best = SIZE_MAX;
            for (size_t i = 0; i < count && best == present; ++i)
                sum[rule * CHOOSE_COPIES + copy] += queue_slowdown(&job[i]);
        }
    }
    for (size_t rule = 0; rule < past->rules; ++rule) {
        price[rule] = 0.0;
        for (int copy = 0; copy < CHOOSE_COPIES && best != SIZE_MAX && jobs; ++copy)
            price[rule] += sum[rule * CHOOSE_COPIES + copy] / (double)jobs;
    }
    for (size_t rule = 0; rule < past->rules && best != SIZE_MAX; ++rule) {
        int dearer = 0;
        for (int copy = 0; copy < CHOOSE_COPIES; ++copy)
            dearer |= sum[rule * CHOOSE_COPIES + copy] > sum[present * CHOOSE_COPIES + copy];
        if (!dearer && price[rule] < 0.9 * price[present] && price[rule] < price[best]) best = rule;
    }
    free(job);
    free(sum);
    return best;
}
