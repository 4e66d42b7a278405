/* 15_who_shares_a_gpu.c - 26 jobs, 13 GPUs: the pairs with the best progress, from a few measured pairs: a
 * lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/15_pairs.svg
 *
 * Two training jobs on one GPU slow each other down. Narayanan et al. measured all pairs of 26 jobs on a K80
 * (Gavel, OSDI 2020; ../papers/data/origin.txt). Nobody can always measure all: a thousand jobs make half a
 * million pairs. But a slowdown has two causes: how much the neighbour presses, and how sensitive the job is.
 * If they multiply, their logarithms add up:
 *
 *     log slowdown of i next to j = sensitive_i + pressing_j
 *
 * So 52 numbers predict 676. Least squares finds them from a few pairs of each job.
 *
 * Exercises, with answers in answers.md:
 *   1. How many measured neighbours of each job are enough to halve the error of the mean?
 *   2. Which job presses most, and which is the most sensitive?
 *   3. Is the pair that is best for the sum of progress fair? What does it cost its slower half?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/linear.h"

enum { JOBS = 26, PAIRS = JOBS * JOBS };

/* slowdown[i][j] of job i next to job j. NaN: together they need too much memory, which is known. */
typedef struct jobs {
    const char *name[JOBS];
    double slowdown[JOBS][JOBS];
} jobs;

static void read_jobs(jobs *all) {
    const measurements m = measured(EXAMPLES "papers/data/gavel.csv", NULL, 0, "alone", "job");
    for (size_t i = 0; i < JOBS; ++i) { /* the first 26 rows are those of the K80; steps per second */
        all->name[i] = m.name[m.table.group[i]];
        for (size_t j = 0; j < JOBS; ++j)
            all->slowdown[i][j] = (double)m.table.y[i] / (double)m.table.x[i * m.table.stride + j];
    }
}

/* ---- 1. By hand. The sensitivity of a job is its mean slowdown in excess of its neighbours' pressing.
   Its pressing is the mean slowdown of its neighbours in excess of their sensitivity. Repeat until nothing
   changes. ---- */

static void two_causes(const jobs *all, const char known[JOBS][JOBS], double *sensitive, double *pressing) {
    for (int i = 0; i < JOBS; ++i) sensitive[i] = pressing[i] = 0;
    for (int pass = 0; pass < 2000; ++pass)
        for (int turn = 0; turn < 2; ++turn)
            for (int i = 0; i < JOBS; ++i) {
                double sum = 0, count = 0;
                for (int j = 0; j < JOBS; ++j) {
                    const int a = turn ? j : i, b = turn ? i : j;
                    if (!known[a][b]) continue;
                    sum += log(all->slowdown[a][b]) - (turn ? sensitive[a] : pressing[b]);
                    count += 1;
                }
                if (count > 0) (turn ? pressing : sensitive)[i] = sum / count;
            }
}

/* Fits the same model with linear.h. There is a row for each pair, and a column of ones and zeros for each
   number. Pairs that were not measured have weight 0. Only the sums are determined, not the split between
   the two numbers. So coefficients are aliased, and linear.h takes those of min norm. */
static void two_causes_fast(const jobs *all, const char known[JOBS][JOBS], double predicted[JOBS][JOBS]) {
    static float x[PAIRS][2 * JOBS], y[PAIRS], weight[PAIRS];
    const sooth_linear_options options = {.no_intercept = 1, .no_statistics = 1};
    sooth_table table = sooth_table_of(x[0], y, PAIRS, 2 * JOBS);
    sooth_linear *model;
    sooth_env env;
    for (int p = 0; p < PAIRS; ++p) {
        const int i = p / JOBS, j = p % JOBS;
        x[p][i] = x[p][JOBS + j] = 1;
        y[p] = known[i][j] ? (float)log(all->slowdown[i][j]) : 0;
        weight[p] = known[i][j];
    }
    table.weight = weight;
    sooth_env_init(&env);
    need(&env, sooth_linear_fit(&env, &table, &options, &model));
    for (int p = 0; p < PAIRS; ++p) {
        const double said = exp((double)sooth_linear_predict(model, x[p]));
        predicted[p / JOBS][p % JOBS] = isnan(all->slowdown[p / JOBS][p % JOBS]) ? (double)NAN : said;
    }
    sooth_linear_free(&env, model);
}

/* ---- 2. Every job is measured next to `few` others, drawn at random. ---- */

static void measure_some(const jobs *all, int few, char known[JOBS][JOBS]) {
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    memset(known, 0, JOBS * JOBS);
    for (int i = 0; i < JOBS; ++i)
        for (int lot = 0, k = 0; lot < 1000 && k < few; ++lot) {
            const uint32_t j = sooth_rng_below(&rng, JOBS);
            if (known[i][j] || isnan(all->slowdown[i][j]) || isnan(all->slowdown[j][i])) continue;
            known[i][j] = known[j][i] = 1, ++k; /* a pair is measured for both */
        }
}

/* ---- 3. Pairs: begin with any, and exchange partners while the sum of 1 / slowdown rises. ---- */

static double progress_of(double s[JOBS][JOBS], int a, int b) {
    return isnan(s[a][b]) || isnan(s[b][a]) ? -1 : 1 / s[a][b] + 1 / s[b][a];
}

static void make_pairs(double s[JOBS][JOBS], int partner[JOBS]) {
    for (int i = 0; i < JOBS; ++i) partner[i] = i ^ 1;
    for (int better = 1; better;) {
        better = 0;
        for (int a = 0; a < JOBS; ++a)
            for (int c = 0; c < JOBS; ++c) {
                const int b = partner[a], d = partner[c];
                const double now = progress_of(s, a, b) + progress_of(s, c, d);
                if (c == a || c == b || progress_of(s, a, c) + progress_of(s, b, d) <= now + 1e-9) continue;
                partner[a] = c, partner[c] = a, partner[b] = d, partner[d] = b;
                better = 1;
            }
    }
}

static double progress_of_all(double s[JOBS][JOBS], const int partner[JOBS]) {
    double sum = 0;
    for (int i = 0; i < JOBS; ++i) sum += fmax(progress_of(s, i, partner[i]), 0) / 2;
    return sum;
}

int main(void) {
    static jobs all;
    static double predicted[JOBS][JOBS], x[PAIRS], y[PAIRS];
    double sensitive[JOBS], pressing[JOBS], apart = 0, off = 0, chance = 0;
    char known[JOBS][JOBS];
    int partner[JOBS];
    size_t count = 0;
    read_jobs(&all);
    measure_some(&all, 3, known);
    two_causes(&all, known, sensitive, pressing);
    two_causes_fast(&all, known, predicted);
    for (int i = 0; i < JOBS; ++i)
        for (int j = 0; j < JOBS; ++j) {
            apart = fmax(apart, fabs(exp(sensitive[i] + pressing[j]) - predicted[i][j])); /* NaN keeps it */
            chance += i < j ? fmax(progress_of(all.slowdown, i, j), 0) / (JOBS - 1) : 0;
            if (known[i][j] || isnan(all.slowdown[i][j])) continue;
            x[count] = all.slowdown[i][j];
            y[count] = predicted[i][j];
            off += fabs(y[count] / x[count] - 1);
            ++count;
        }
    printf("3 pairs or more of each job were measured. The other %zu slowdowns are predicted with an error "
           "of %.1f %%.\nBy hand and by linear.h, they differ by at most %.1g.\n",
           count, 100 * off / (double)count, apart);
    make_pairs(predicted, partner);
    printf("13 GPUs do the work of\n  %5.2f with pairs at random\n  %5.2f with pairs by prediction\n", chance,
           progress_of_all(all.slowdown, partner));
    make_pairs(all.slowdown, partner);
    printf("  %5.2f with pairs by later measurements\n", progress_of_all(all.slowdown, partner));
    for (int i = 0; i < JOBS; ++i)
        if (i < partner[i]) printf("    %s and %s\n", all.name[i], all.name[partner[i]]);
    draw_points("15_pairs.svg", "Slowdowns of pairs not measured", "times", x, y, count, NULL, NULL, 0);
    return 0;
}
