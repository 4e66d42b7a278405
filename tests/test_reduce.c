/* test_reduce.c - what several processes tell each other; the processes are threads (ranks.h).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/reduce.h"
#include "check.h"
#include "ranks.h"

typedef struct answer {
    sooth_status status, given, second;
    char sentence[SOOTH_SENTENCE];
    int64_t sum[3], most[2], shared[4];
    double large[20];
    uint64_t before, all;
} answer;

static void ask_all(sooth_env *env, void *arg) {
    answer *a = arg;
    const int64_t r = (int64_t)env->rank;
    for (int k = 0; k < 3; ++k) a->sum[k] = k == 2 ? INT64_MAX - r : 100 * k + r;
    for (int k = 0; k < 2; ++k) a->most[k] = k ? -5 - r : 7 * r;
    for (int k = 0; k < 20; ++k) a->large[k] = k == (int)r ? 1e300 : 0.25 * k / (double)(1 + r);
    for (int k = 0; k < 4; ++k) a->shared[k] = 1000 * r + k;
    a->status = soothi_reduce(env, SOOTH_REDUCE_SUM, a->sum, 3);
    if (a->status == SOOTH_OK) a->status = soothi_reduce(env, SOOTH_REDUCE_MAX, a->most, 2);
    if (a->status == SOOTH_OK) a->status = soothi_reduce_most(env, a->large, 20);
    if (a->status == SOOTH_OK)
        a->status = soothi_reduce_share(env, env->ranks - 1, a->shared, sizeof a->shared);
    if (a->status == SOOTH_OK) a->status = soothi_reduce_rows(env, 10 + env->rank, &a->before, &a->all);
    if (a->status == SOOTH_OK) a->status = soothi_agree(env, SOOTH_OK);
}

static void every_process_has_the_sums_the_greatest_and_what_one_shares(void) {
    for (size_t ranks = 1; ranks <= RANKS_MOST; ++ranks) {
        answer answers[RANKS_MOST];
        ranks_run(ranks, ask_all, answers, sizeof *answers, 0);
        int64_t ids = 0; /* 0 + 1 + ... */
        for (size_t r = 0; r < ranks; ++r) ids += (int64_t)r;
        for (size_t r = 0; r < ranks; ++r) {
            const answer *a = &answers[r];
            CHECK(a->status == SOOTH_OK);
            CHECK(a->sum[0] == ids && a->sum[1] == 100 * (int64_t)ranks + ids);
            CHECK((uint64_t)a->sum[2] == (uint64_t)ranks * (uint64_t)INT64_MAX - (uint64_t)ids);
            CHECK(a->most[0] == 7 * ((int64_t)ranks - 1) && a->most[1] == -5);
            for (int k = 0; k < 20; ++k) CHECK(a->large[k] == (k < (int)ranks ? 1e300 : 0.25 * k));
            for (int k = 0; k < 4; ++k) CHECK(a->shared[k] == 1000 * ((int64_t)ranks - 1) + k);
            CHECK(a->all == 10 * ranks + (uint64_t)ids && a->before == 10 * r + r * (r - (r > 0)) / 2);
        }
    }
}

static void fail_in_two(sooth_env *env, void *arg) {
    answer *a = arg;
    a->given = SOOTH_OK;
    if (env->rank == 1) a->given = soothi_fail(env, SOOTH_BAD_DATA, "row 7 has no target");
    if (env->rank == 3) a->given = soothi_no_memory(env, "boosting", 12);
    a->status = soothi_agree(env, a->given);
    memcpy(a->sentence, env->sentence, sizeof a->sentence);
    a->second = soothi_agree(env, SOOTH_OK); /* and everybody is still there */
}

static void when_one_fails_all_say_which_and_why(void) {
    answer answers[4];
    ranks_run(4, fail_in_two, answers, sizeof *answers, 0);
    for (size_t r = 0; r < 4; ++r) {
        CHECK(answers[r].status == SOOTH_BAD_DATA && answers[r].second == SOOTH_OK);
        CHECK(!strcmp(answers[r].sentence, "rank 1 of 4: row 7 has no target"));
    }
}

static void leave_early(sooth_env *env, void *arg) {
    answer *a = arg;
    int64_t one = 1;
    a->status = SOOTH_OK;
    if (env->rank == 2) return;
    a->status = soothi_reduce(env, SOOTH_REDUCE_SUM, &one, 1);
    memcpy(a->sentence, env->sentence, sizeof a->sentence);
}

static void a_process_that_is_gone_ends_the_call_in_all_others(void) {
    answer answers[3];
    ranks_run(3, leave_early, answers, sizeof *answers, 0);
    CHECK(answers[0].status == SOOTH_CANCELLED && answers[1].status == SOOTH_CANCELLED);
    CHECK(!strcmp(answers[1].sentence, "rank 1 of 3 lost the others"));
}

/* ---- a pass over the rows of all ---- */

enum { ROWS = 3 * 65536 + 1000 };
static float value[ROWS];

typedef struct pass {
    const float *value;
    size_t rows;
    sooth_status status;
    double total[6];
} pass;

/* A sum that depends on the order, the last value, and how often a block began. */
static void begin(void *arg, double *state) {
    (void)arg;
    state[0] = state[1] = 0.0;
    state[2] = 1.0;
}
static void add(void *arg, double *state, size_t row, size_t count) {
    const pass *p = arg;
    for (size_t i = 0; i < count; ++i) state[0] += p->value[row + i] / 3.0;
    state[1] = p->value[row + count - 1];
}
static void join(void *arg, double *total, const double *state) {
    (void)arg;
    total[0] += state[0];
    total[1] = state[1];
    total[2] += state[2];
}
static void fold(sooth_env *env, void *arg) {
    pass *p = arg;
    const soothi_fold f = {3, p, begin, add, join};
    p->status = soothi_fold_rows(env, &f, p->rows, p->total);
}

/* Where each process's rows begin: within blocks, at their ends, none at all, several in one block. */
static void a_sum_does_not_depend_on_who_has_the_rows(void) {
    static const size_t cuts[][RANKS_MOST + 1] = {{0, 1, ROWS},
                                                  {0, 65536, 131072, ROWS},
                                                  {0, 10, 20, 20, 30, 70000, 70001, ROWS},
                                                  {0, 65535, 65537, 196607, ROWS},
                                                  {0, 0, 100000, ROWS, ROWS}};
    sooth_rng rng;
    sooth_env env;
    pass one = {value, ROWS, SOOTH_OK, {0}}, plain = one;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < ROWS; ++i) value[i] = sooth_rng_float(&rng) - 0.5f;
    fold(&env, &one);
    CHECK(one.status == SOOTH_OK && one.total[1] == value[ROWS - 1] && one.total[2] == 4.0);
    for (size_t i = 0; i < ROWS; ++i) plain.total[0] += value[i] / 3.0;
    CHECK_CLOSE(one.total[0], plain.total[0], 1e-9);
    plain.rows = 65536; /* one block is the plain sum, to the bit */
    plain.total[0] = 0.0;
    for (size_t i = 0; i < plain.rows; ++i) plain.total[0] += value[i] / 3.0;
    const double sum = plain.total[0];
    fold(&env, &plain);
    CHECK(plain.total[0] == sum);
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; ++c) {
        pass passes[RANKS_MOST];
        size_t ranks = 0;
        for (; cuts[c][ranks] < ROWS || cuts[c][ranks + 1] == ROWS; ++ranks) {
            passes[ranks].value = value + cuts[c][ranks];
            passes[ranks].rows = cuts[c][ranks + 1] - cuts[c][ranks];
        }
        ranks_run(ranks, fold, passes, sizeof *passes, 0);
        for (size_t r = 0; r < ranks; ++r) {
            CHECK(passes[r].status == SOOTH_OK);
            CHECK(!memcmp(passes[r].total, one.total, 3 * sizeof(double)));
        }
    }
}

int main(void) {
    CHECK_RUN(a_sum_does_not_depend_on_who_has_the_rows);
    CHECK_RUN(every_process_has_the_sums_the_greatest_and_what_one_shares);
    CHECK_RUN(when_one_fails_all_say_which_and_why);
    CHECK_RUN(a_process_that_is_gone_ends_the_call_in_all_others);
    return check_end("reduce");
}
