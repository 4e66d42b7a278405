/* test_reduce.c - what several processes tell each other; the processes are threads (ranks.h).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base/reduce.h"
#include <math.h>
#include "check.h"
#include "ranks.h"

enum { WIDE = 1200 }; /* columns: more than go in one reduction */

typedef struct answer {
    sooth_status status, given, second;
    char sentence[SOOTH_ENV_SENTENCE];
    int64_t sum[3], most[2], shared[4];
    double large[8];
    float range[2 * WIDE];
    uint64_t before, all, each[RANKS_MOST];
} answer;

static void ask_all(sooth_env *env, void *arg) {
    answer *a = arg;
    const int64_t r = (int64_t)env->rank;
    for (int k = 0; k < 3; ++k) a->sum[k] = k == 2 ? INT64_MAX - r : 100 * k + r;
    for (int k = 0; k < 2; ++k) a->most[k] = k ? -5 - r : 7 * r;
    for (int k = 0; k < 8; ++k) a->large[k] = k == (int)r ? 1e300 : 0.25 * k / (double)(1 + r);
    for (int j = 0; j < WIDE; ++j) { /* column 5: nothing; others: nothing in process j % 3 of several */
        const int none = j == 5 || (env->ranks > 1 && j % 3 == (int)r);
        a->range[2 * j] = none ? NAN : -1.5f * (float)(r + 1) - (float)j;
        a->range[2 * j + 1] = none ? NAN : j == 7 ? -0.25f : 2.0f * (float)(r + 1);
    }
    for (int k = 0; k < 4; ++k) a->shared[k] = 1000 * r + k;
    a->status = soothi_reduce(env, SOOTH_REDUCE_SUM, a->sum, 3);
    if (a->status == SOOTH_OK) a->status = soothi_reduce(env, SOOTH_REDUCE_MAX, a->most, 2);
    if (a->status == SOOTH_OK) a->status = soothi_agree_most(env, SOOTH_OK, a->large, 8);
    if (a->status == SOOTH_OK) a->status = soothi_reduce_ranges(env, a->range, WIDE);
    if (a->status == SOOTH_OK)
        a->status = soothi_reduce_share(env, env->ranks - 1, a->shared, sizeof a->shared);
    if (a->status == SOOTH_OK)
        a->status = soothi_reduce_rows(env, 10 + env->rank, &a->before, &a->all, a->each);
    if (a->status == SOOTH_OK) a->status = soothi_agree(env, SOOTH_OK);
}

static void every_process_has_the_sums_the_greatest_and_what_one_shares(void) {
    for (size_t ranks = 1; ranks <= RANKS_MOST; ++ranks) {
        static answer answers[RANKS_MOST];
        ranks_run(ranks, ask_all, answers, sizeof *answers, 0);
        int64_t ids = 0; /* 0 + 1 + ... */
        for (size_t r = 0; r < ranks; ++r) ids += (int64_t)r;
        for (size_t r = 0; r < ranks; ++r) {
            const answer *a = &answers[r];
            CHECK(a->status == SOOTH_OK);
            CHECK(a->sum[0] == ids && a->sum[1] == 100 * (int64_t)ranks + ids);
            CHECK((uint64_t)a->sum[2] == (uint64_t)ranks * (uint64_t)INT64_MAX - (uint64_t)ids);
            CHECK(a->most[0] == 7 * ((int64_t)ranks - 1) && a->most[1] == -5);
            for (int k = 0; k < 8; ++k) CHECK(a->large[k] == (k < (int)ranks ? 1e300 : 0.25 * k));
            for (int j = 0; j < WIDE; ++j) {
                int last = (int)ranks; /* the last process that has something */
                if (ranks > 1 && j % 3 == last - 1) --last;
                const float least = -1.5f * (float)last - (float)j,
                            most = j == 7 ? -0.25f : 2.0f * (float)last;
                if (j == 5) CHECK(isnan(a->range[2 * j]) && isnan(a->range[2 * j + 1]));
                else CHECK(a->range[2 * j] == least && a->range[2 * j + 1] == most);
            }
            for (size_t k = 0; k < ranks && ranks > 1; ++k) CHECK(a->each[k] == 10 + k);
            for (int k = 0; k < 4; ++k) CHECK(a->shared[k] == 1000 * ((int64_t)ranks - 1) + k);
            CHECK(a->all == 10 * ranks + (uint64_t)ids && a->before == 10 * r + r * (r - (r > 0)) / 2);
        }
    }
}

static void fail_in_two(sooth_env *env, void *arg) {
    answer *a = arg;
    a->given = SOOTH_OK;
    if (env->rank == 1) a->given = sooth_fail(env, SOOTH_BAD_DATA, "row 7 has no target");
    if (env->rank == 3) a->given = sooth_no_memory(env, "boosting", 12);
    a->status = soothi_agree(env, a->given);
    memcpy(a->sentence, env->sentence, sizeof a->sentence);
    a->second = soothi_agree(env, SOOTH_OK); /* and everybody is still there */
}

static void when_one_fails_all_say_which_and_why(void) {
    static answer answers[4];
    ranks_run(4, fail_in_two, answers, sizeof *answers, 0);
    for (size_t r = 0; r < 4; ++r) {
        CHECK(answers[r].status == SOOTH_BAD_DATA && answers[r].second == SOOTH_OK);
        CHECK(!strcmp(answers[r].sentence, "rank 1 of 4: row 7 has no target"));
    }
}

/* The same in the reduction that has numbers beside it. */
static void fail_with_numbers(sooth_env *env, void *arg) {
    answer *a = arg;
    double most[2] = {1.0, 2.0};
    a->given = SOOTH_OK;
    if (env->rank == 2) a->given = sooth_fail(env, SOOTH_NOT_CONVERGED, "it does not end");
    a->status = soothi_agree_most(env, a->given, most, 2);
    memcpy(a->sentence, env->sentence, sizeof a->sentence);
}
static void failures_go_with_numbers(void) {
    static answer answers[3];
    ranks_run(3, fail_with_numbers, answers, sizeof *answers, 0);
    for (size_t r = 0; r < 3; ++r) {
        CHECK(answers[r].status == SOOTH_NOT_CONVERGED);
        CHECK(!strcmp(answers[r].sentence, "rank 2 of 3: it does not end"));
    }
}

/* 2,500 processes, of which 1,700 is this one; process k has k rows. */
typedef struct crowd {
    size_t asked, words;
} crowd;
static int add_others(void *user, sooth_reduction what, int64_t *word, size_t count) {
    crowd *c = user;
    CHECK(what == SOOTH_REDUCE_SUM && count <= 1024);
    for (size_t k = 0; k < count; ++k)
        if (c->words + k != 1700) word[k] += (int64_t)(c->words + k);
    c->words += count;
    ++c->asked;
    return 0;
}
static void thousands_of_processes_count_their_rows(void) {
    static uint64_t each[2500];
    crowd c = {0, 0};
    uint64_t before, all;
    sooth_env env;
    sooth_env_init(&env);
    env.reduce_fn = add_others;
    env.reduce_user = &c;
    env.rank = 1700;
    env.ranks = 2500;
    CHECK(soothi_reduce_rows(&env, 1700, &before, &all, each) == SOOTH_OK);
    CHECK(before == 1699 * 1700 / 2 && all == 2499 * 2500 / 2 && c.asked == 3 && c.words == 2500);
    for (size_t k = 0; k < 2500; ++k) CHECK(each[k] == k);
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
    static answer answers[3];
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
    uint64_t calls;
    void *next; /* who reduces */
} pass;

static int count_calls(void *user, sooth_reduction what, int64_t *word, size_t count) {
    pass *p = user;
    ++p->calls;
    return ranks_reduce(p->next, what, word, count);
}

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
    p->calls = 0;
    p->next = env->reduce_user;
    if (env->reduce_fn) env->reduce_user = p, env->reduce_fn = count_calls;
    p->status = soothi_fold_rows(env, &f, p->rows, SOOTH_OK, p->total);
}

/* Where each process's rows begin: within blocks, at their ends, none at all, several in one block. */
static void a_sum_does_not_depend_on_who_has_the_rows(void) {
    static const size_t cuts[][RANKS_MOST + 1] = {{0, 1, ROWS},
                                                  {0, 65536, 131072, ROWS},
                                                  {0, 10, 20, 20, 30, 70000, 70001, ROWS},
                                                  {0, 65535, 65537, 196607, ROWS},
                                                  {0, 0, 100000, ROWS, ROWS}};
    /* rows, memory and sums; and how often a block goes on, one after the other */
    static const uint64_t calls[] = {3 + 1, 3, 3 + 3, 3 + 1, 3 + 1};
    sooth_rng rng;
    sooth_env env;
    pass one = {value, ROWS, SOOTH_OK, {0}, 0, NULL}, plain = one;
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
            CHECK(passes[r].status == SOOTH_OK && passes[r].calls == calls[c]);
            CHECK(!memcmp(passes[r].total, one.total, 3 * sizeof(double)));
        }
    }
}

int main(void) {
    CHECK_RUN(a_sum_does_not_depend_on_who_has_the_rows);
    CHECK_RUN(every_process_has_the_sums_the_greatest_and_what_one_shares);
    CHECK_RUN(when_one_fails_all_say_which_and_why);
    CHECK_RUN(failures_go_with_numbers);
    CHECK_RUN(thousands_of_processes_count_their_rows);
    CHECK_RUN(a_process_that_is_gone_ends_the_call_in_all_others);
    return check_end("reduce");
}
