/* pairs.h - slowdowns of pairs on one GPU from measurements on another, with each family of jobs left out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * On the GPU `here` every pair was measured. On the GPU `there` only pairs without a family were. How much do
 * jobs of the family slow others there, and how much are they slowed?
 *
 *     mean there    the geometric mean of the slowdowns that were measured there
 *     as here       the measurement of the same pair here; fits nothing
 *     line          ln there = intercept + slope ln here: a translation card of slowdowns
 *     cards         extra-trees on the cards of both jobs, measured here: time alone, slowdowns next to three
 *                   reference jobs in both directions
 *     and pair      the same, with the slowdown of the pair here
 *     cards there   like cards, but measured there: the value of running the new jobs there, alone and next
 *                   to three
 *
 * The reference jobs are chosen here: see gavel_references. Pairs with one of them are not predicted. Neither
 * are pairs that ran out of memory on one of the GPUs, or whose cards have a gap. Extra-trees predict best
 * within a GPU, of the kinds that tests/harness/gavel.h tries. Everything is static.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "gavel.h"
#include "sooth/forest.h"
#include "translate.h"

/* Times alone on two GPUs, seconds a step. */
static void points_of_gpus(const gavel *here, const gavel *there, points *p) {
    memset(p, 0, sizeof *p);
    p->count = here->jobs;
    p->programs = here->families;
    for (uint32_t i = 0; i < p->count; ++i) {
        p->program[i] = here->family[i];
        p->here[i] = here->alone[i];
        p->there[i] = there->alone[i];
        snprintf(p->label[i], sizeof p->label[i], "%s", here->name[i]);
    }
}

enum { MEAN_THERE, AS_HERE, LINE, CARDS, CARDS_PAIR, CARDS_THERE, TELLERS };
static const char *const teller_name[TELLERS] = {"mean there", "as here",  "line",
                                                 "cards",      "and pair", "cards there"};

enum { PAIRS = GAVEL_JOBS * GAVEL_JOBS, PAIR_WIDTH = GAVEL_WIDTH + 1 };

typedef struct pair_rows {
    uint32_t rows, families;
    float here[PAIRS * PAIR_WIDTH]; /* cards measured here, and the logarithm of the slowdown here */
    float there[PAIRS * GAVEL_WIDTH];
    float y[PAIRS]; /* the logarithm of the slowdown there */
    uint32_t own[PAIRS], other[PAIRS], family[PAIRS][2];
    double told[TELLERS][PAIRS]; /* the slowdown, of the last family that was left out */
    char label[PAIRS][72];
} pair_rows;

static void pairs_describe(sooth_env *env, const gavel *here, const gavel *there, pair_rows *p) {
    static sooth_fairness_card card[2][GAVEL_JOBS];
    uint32_t ref[3], k;
    memset(p, 0, sizeof *p);
    p->families = here->families;
    gavel_references(here, ref);
    gavel_cards(here, ref, card[0]);
    gavel_cards(there, ref, card[1]);
    for (uint32_t i = 0; i < here->jobs; ++i)
        for (uint32_t j = 0; j < here->jobs; ++j) {
            const uint32_t n = p->rows;
            float *row = p->here + n * PAIR_WIDTH;
            for (k = 0; k < 3 && i != ref[k] && j != ref[k];) ++k;
            if (k < 3 || !(here->slow[i][j] > 0 && there->slow[i][j] > 0)) continue;
            if (gavel_row(env, &card[0][i], &card[0][j], row) != SOOTH_OK ||
                gavel_row(env, &card[1][i], &card[1][j], p->there + n * GAVEL_WIDTH) != SOOTH_OK)
                continue;
            row[GAVEL_WIDTH] = (float)log(here->slow[i][j]);
            p->y[n] = (float)log(there->slow[i][j]);
            p->own[n] = i;
            p->other[n] = j;
            p->family[n][0] = here->family[i];
            p->family[n][1] = here->family[j];
            snprintf(p->label[n], sizeof p->label[n], "%s beside %s", here->name[i], here->name[j]);
            ++p->rows;
        }
}

static int pairs_has(const pair_rows *p, uint32_t row, uint32_t family) {
    return p->family[row][0] == family || p->family[row][1] == family;
}

/* Predictions of a way for the pairs with a family, from those without it. */
static sooth_status pairs_trees(sooth_env *env, pair_rows *p, int way, uint32_t family) {
    static float x[PAIRS * PAIR_WIDTH], y[PAIRS];
    const float *from = way == CARDS_THERE ? p->there : p->here;
    const size_t stride = way == CARDS_THERE ? GAVEL_WIDTH : PAIR_WIDTH;
    const size_t cols = way == CARDS_PAIR ? PAIR_WIDTH : GAVEL_WIDTH;
    sooth_forest_options options;
    sooth_forest *forest = NULL;
    size_t n = 0;
    for (uint32_t i = 0; i < p->rows; ++i) {
        if (pairs_has(p, i, family)) continue;
        memcpy(x + n * cols, from + i * stride, cols * sizeof *x);
        y[n++] = p->y[i];
    }
    memset(&options, 0, sizeof options);
    options.splitter = options.no_bootstrap = 1;
    const sooth_table table = sooth_table_of(x, y, n, cols);
    const sooth_status status = sooth_forest_fit(env, &table, &options, &forest);
    for (uint32_t i = 0; i < p->rows && status == SOOTH_OK; ++i)
        if (pairs_has(p, i, family))
            p->told[way][i] = exp((double)sooth_forest_predict(forest, from + i * stride));
    sooth_forest_free(env, forest);
    return status;
}

static sooth_status pairs_tell(sooth_env *env, pair_rows *p, int way, uint32_t family) {
    static double here[PAIRS], there[PAIRS];
    sooth_fairness_translation line;
    uint32_t n = 0;
    double mean = 0.0;
    if (way >= CARDS) return pairs_trees(env, p, way, family);
    for (uint32_t i = 0; i < p->rows; ++i) {
        if (pairs_has(p, i, family)) continue;
        here[n] = exp((double)p->here[i * PAIR_WIDTH + GAVEL_WIDTH]);
        there[n++] = exp((double)p->y[i]);
        mean += (double)p->y[i];
    }
    const sooth_status status = sooth_fairness_translate_fit(env, here, there, n, 0, &line);
    for (uint32_t i = 0; i < p->rows && status == SOOTH_OK; ++i) {
        const double slow = exp((double)p->here[i * PAIR_WIDTH + GAVEL_WIDTH]);
        if (!pairs_has(p, i, family)) continue;
        p->told[way][i] = way == MEAN_THERE ? exp(mean / n)
                          : way == AS_HERE  ? slow
                                            : sooth_fairness_translate(&line, slow, NULL);
    }
    return status;
}

/* The time of a step next to another job there, by a card of times alone. The card was fitted without the
   family and without the job's own. A way applies it to the time next to the other here, as the paper
   does, or to the time alone here times the predicted slowdown. */
enum { WHOLE_PLAIN, WHOLE_CARD, ALONE_AND_SLOWDOWN, TIMES };

static double pair_time(const points *alone, const pair_rows *p, uint32_t row, uint32_t family, int way) {
    const uint32_t shared = ((1u << alone->programs) - 1u) & ~(1u << family) & ~(1u << p->family[row][0]);
    const double slow = exp((double)p->here[row * PAIR_WIDTH + GAVEL_WIDTH]);
    const double time = alone->here[p->own[row]];
    translator t;
    if (!translator_learn(alone, shared, way == WHOLE_PLAIN ? PLAIN : CARD, &t)) return (double)NAN;
    return way < ALONE_AND_SLOWDOWN ? translator_tell(&t, time * slow)
                                    : translator_tell(&t, time) * p->told[CARDS_PAIR][row];
}

/* Mean errors in %, each family left out once, with half of the 95 % interval over families. times: see
   pair_time. Returns SOOTH_OK or an error. */
static sooth_status pairs_score(sooth_env *env, const points *alone, pair_rows *p, double error[TELLERS],
                                double half[TELLERS], double times[TIMES]) {
    uint32_t tested = 0, families = 0; /* a reference job may be its family's only one */
    double sum[TELLERS] = {0}, mean[TELLERS] = {0}, squares[TELLERS] = {0};
    for (int way = 0; way < TIMES; ++way) times[way] = 0.0;
    for (uint32_t f = 0; f < p->families; ++f) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < p->rows; ++i) n += (uint32_t)pairs_has(p, i, f);
        if (n == 0) continue;
        tested += n;
        ++families;
        for (int way = 0; way < TELLERS; ++way) {
            double of = 0.0;
            const sooth_status status = pairs_tell(env, p, way, f);
            if (status != SOOTH_OK) return status;
            for (uint32_t i = 0; i < p->rows; ++i)
                if (pairs_has(p, i, f)) of += 100.0 * fabs(p->told[way][i] / exp((double)p->y[i]) - 1.0);
            sum[way] += of;
            mean[way] += of / n;
            squares[way] += of / n * of / n;
        }
        for (uint32_t i = 0; i < p->rows; ++i)
            for (int way = 0; way < TIMES && pairs_has(p, i, f); ++way)
                times[way] += 100.0 * fabs(pair_time(alone, p, i, f, way) / alone->there[p->own[i]] /
                                               exp((double)p->y[i]) -
                                           1.0);
    }
    const double k = families;
    for (int way = 0; way < TELLERS; ++way) {
        error[way] = sum[way] / tested;
        half[way] = sooth_t_quantile(0.975, k - 1.0) *
                    sqrt((squares[way] - mean[way] * mean[way] / k) / (k - 1.0) / k);
    }
    for (int way = 0; way < TIMES; ++way) times[way] /= tested;
    return SOOTH_OK;
}

/* Predictions for jobs of a family that was left out, against measurements. */
static void draw_pairs(const char *folder, const char *from, const char *to, const pair_rows *p) {
    static const int drawn[2] = {AS_HERE, CARDS_PAIR};
    static double x[2 * PAIRS], y[2 * PAIRS];
    static uint32_t of[2 * PAIRS];
    static const char *label[2 * PAIRS];
    const char *names[2];
    char title[128], name[64], word[64];
    double greatest = 0.0;
    for (uint32_t i = 0; i < 2 * p->rows; ++i) {
        x[i] = exp((double)p->y[i / 2]);
        y[i] = p->told[drawn[i % 2]][i / 2];
        of[i] = i % 2;
        if (x[i] > greatest) greatest = x[i];
        label[i] = p->label[i / 2];
    }
    snprintf(title, sizeof title, "Slowdowns on a %s from a %s, families left out (Gavel)", to, from);
    snprintf(name, sizeof name, "pairs_%s_%s.svg", from, to);
    snprintf(word, sizeof word, "as on the %s", from);
    names[0] = word;
    names[1] = "cards and pair";
    /* narrower axes begin at 1 or so, and logarithms would leave too few ticks */
    const int is_wide = greatest > 5.0;
    picture_draw(folder, name, svg_scatter,
                 &(svg_points){.frame.title = title,
                               .x = x,
                               .y = y,
                               .count = 2 * p->rows,
                               .series = of,
                               .series_names = names,
                               .series_count = 2,
                               .labels = label,
                               .x_title = "measured slowdown",
                               .y_title = "told",
                               .logarithmic = is_wide,
                               .diagonal = 1});
}

/* All pairs of GPUs, both ways, and pictures of those from the older to the newer. Returns 0 with a
   message in env after an error. */
static int all_pairs(sooth_env *env, const gavel gpu[GAVEL_GPUS], const char *folder) {
    static pair_rows p[6];
    static points alone;
    double error[TELLERS], half[TELLERS], times[6][TIMES], best[6];
    int d = 0;
    printf("Slowdowns there of pairs with a family that was not run there, mean error in %% with its 95 %% "
           "interval over families\n\n  %-13s pairs",
           "");
    for (int way = 0; way < TELLERS; ++way) printf("  %-12s", teller_name[way]);
    printf("\n");
    for (int a = 0; a < GAVEL_GPUS; ++a)
        for (int b = 0; b < GAVEL_GPUS; ++b) {
            if (a == b) continue;
            pairs_describe(env, &gpu[a], &gpu[b], &p[d]);
            points_of_gpus(&gpu[a], &gpu[b], &alone);
            if (pairs_score(env, &alone, &p[d], error, half, times[d]) != SOOTH_OK) return 0;
            printf("  %-4s to %-5s %5u", gavel_gpu[a], gavel_gpu[b], (unsigned)p[d].rows);
            for (int way = 0; way < TELLERS; ++way) printf("  %5.1f +- %-4.1f", error[way], half[way]);
            printf("\n");
            best[d++] = error[CARDS_PAIR];
        }
    d = 0;
    printf(
        "\n  Reference jobs (the least, the median and the most aggressive, in place of Low, Medium, High); "
        "how many slowdowns are exactly 1,\n  which measurements hardly are:\n");
    for (int a = 0; a < GAVEL_GPUS; ++a) {
        uint32_t ref[3], known = 0, none = 0;
        gavel_references(&gpu[a], ref);
        for (uint32_t i = 0; i < PAIRS; ++i) {
            const double slow = gpu[a].slow[i / GAVEL_JOBS][i % GAVEL_JOBS];
            known += slow > 0.0;
            none += slow > 0.0 && !(slow < 1.0 || slow > 1.0);
        }
        printf("    %-4s  %s, %s, %s; %u of %u\n", gavel_gpu[a], gpu[a].name[ref[0]], gpu[a].name[ref[1]],
               gpu[a].name[ref[2]], (unsigned)none, (unsigned)known);
    }
    printf("\n"
           "Seconds a step next to another job there, mean error in %%: a card of times alone on the whole "
           "time here, or on that\n"
           "alone times the slowdown predicted by cards and pair; or alone measured there\n"
           "\n"
           "  %-13s  plain card    card   card x slowdown   measured x slowdown\n",
           "");
    for (int a = 0; a < GAVEL_GPUS; ++a)
        for (int b = 0; b < GAVEL_GPUS; ++b) {
            if (a == b) continue;
            printf("  %-4s to %-5s  %10.1f  %6.1f   %15.1f   %19.1f\n", gavel_gpu[a], gavel_gpu[b],
                   times[d][WHOLE_PLAIN], times[d][WHOLE_CARD], times[d][ALONE_AND_SLOWDOWN], best[d]);
            ++d;
        }
    printf("\n");
    d = 0;
    for (int a = 0; a < GAVEL_GPUS; ++a)
        for (int b = 0; b < GAVEL_GPUS; ++b) {
            if (a == b) continue;
            if (folder && a < b) draw_pairs(folder, gavel_gpu[a], gavel_gpu[b], &p[d]);
            ++d;
        }
    return 1;
}

#endif
