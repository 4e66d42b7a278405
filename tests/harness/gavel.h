/* gavel.h - part of test_fairness.c: slowdowns of measured pairs, leaving out each family of models.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * 26 training jobs on three processors, all pairs (Gavel, Narayanan et al., OSDI 2020; MIT). Three jobs, the
 * least, the median and the most aggressive one, play the microbenchmarks; pairs with one of them are not
 * predicted. Of the family that is left out its cards are known, that is its times alone and beside those
 * three, in both directions, and nothing else.
 *
 * Pairs that ran out of memory were not measured: they are neither learned from nor tested on, and a job that
 * ran out of memory beside a microbenchmark has a card with a gap, for which nothing is predicted.
 */
#include "../../examples/papers/gavel.h"

/* Pairs as rows: logarithms of both cards, and of the slowdown. */
typedef struct gavel_rows {
    int rows, unknown; /* unknown: measured pairs with a gap in a card */
    float x[GAVEL_JOBS * GAVEL_JOBS * GAVEL_WIDTH], y[GAVEL_JOBS * GAVEL_JOBS];
    uint32_t family[GAVEL_JOBS * GAVEL_JOBS][2];
} gavel_rows;

static void gavel_describe(const gavel *g, gavel_rows *out) {
    sooth_fairness_card card[GAVEL_JOBS];
    uint32_t ref[3], k;
    gavel_references(g, ref);
    gavel_cards(g, ref, card);
    out->rows = out->unknown = 0;
    for (uint32_t i = 0; i < g->jobs; ++i)
        for (uint32_t j = 0; j < g->jobs; ++j) {
            for (k = 0; k < 3 && i != ref[k] && j != ref[k];) ++k;
            if (k < 3 || !(g->slow[i][j] > 0)) continue;
            if (gavel_row(&env, &card[i], &card[j], out->x + out->rows * GAVEL_WIDTH) != SOOTH_OK) {
                ++out->unknown;
                continue;
            }
            out->y[out->rows] = (float)log(g->slow[i][j]);
            out->family[out->rows][0] = g->family[i];
            out->family[out->rows++][1] = g->family[j];
        }
}

/* The ways below GAVEL_CHOICES may be chosen. The network is of slowdown.h's size, to compare kinds for its
 * job on measured pairs: the mean of three. */
enum {
    GAVEL_MEAN,
    GAVEL_FOREST,
    GAVEL_EXTRA,
    GAVEL_RIDGE,
    GAVEL_CHOICES,
    GAVEL_NET = GAVEL_CHOICES,
    GAVEL_WAYS
};
enum { GAVEL_NETS = 3 };

static void gavel_nets(const sooth_table *table, sooth_model **net) {
    sooth_train_recipe recipe;
    sooth_mlp_options *options = &recipe.options.mlp;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "mlp";
    options->hidden_1 = options->hidden_2 = 12;
    options->activation = SOOTH_MLP_LEAKY_RELU;
    options->schedule = SOOTH_MLP_COSINE;
    options->learning_rate = 0.003;
    options->batch_size = 64;
    options->epochs = options->patience = 150;
    options->lambda_norm = 0.01;
    options->has_lambda_norm = 1;
    for (uint32_t k = 0; k < GAVEL_NETS; ++k) {
        options->seed = k + 1;
        CHECK_STATUS(sooth_train_fit(&env, table, &recipe, &net[k]), SOOTH_OK);
    }
}

/* Learns from the pairs without the families a and b and predicts those with b; returns the sum of |relative
 * errors|. */
static double gavel_errors(const gavel_rows *all, int way, uint32_t a, uint32_t b, int *tested) {
    static float x[GAVEL_JOBS * GAVEL_JOBS * GAVEL_WIDTH], y[GAVEL_JOBS * GAVEL_JOBS];
    sooth_forest_options forest_options;
    sooth_linear_options ridge_options;
    sooth_forest *forest = NULL;
    sooth_linear *ridge = NULL;
    sooth_model *net[GAVEL_NETS] = {NULL};
    sooth_table table;
    double mean = 0, sum = 0;
    int n = 0, i;
    *tested = 0;
    for (i = 0; i < all->rows; ++i) {
        const uint32_t *f = all->family[i];
        if (f[0] == a || f[1] == a || f[0] == b || f[1] == b) continue;
        memcpy(x + n * GAVEL_WIDTH, all->x + i * GAVEL_WIDTH, GAVEL_WIDTH * sizeof *x);
        mean += all->y[i];
        y[n++] = all->y[i];
    }
    if (n < 10) return 0;
    table = sooth_table_of(x, y, (size_t)n, GAVEL_WIDTH);
    memset(&forest_options, 0, sizeof forest_options);
    memset(&ridge_options, 0, sizeof ridge_options);
    if (way == GAVEL_EXTRA) forest_options.splitter = forest_options.no_bootstrap = 1;
    ridge_options.method = SOOTH_LINEAR_RIDGE;
    ridge_options.lambda = 1;
    if (way == GAVEL_FOREST || way == GAVEL_EXTRA)
        CHECK_STATUS(sooth_forest_fit(&env, &table, &forest_options, &forest), SOOTH_OK);
    if (way == GAVEL_NET) gavel_nets(&table, net);
    if (way == GAVEL_RIDGE) CHECK_STATUS(sooth_linear_fit(&env, &table, &ridge_options, &ridge), SOOTH_OK);
    for (i = 0; i < all->rows; ++i) {
        const uint32_t *f = all->family[i];
        const float *row = all->x + i * GAVEL_WIDTH;
        double guess = mean / n;
        if (f[0] == a || f[1] == a ? a != b : 0) continue; /* a is left out of the inner rounds */
        if (f[0] != b && f[1] != b) continue;
        if (forest) guess = (double)sooth_forest_predict(forest, row);
        if (ridge) guess = (double)sooth_linear_predict(ridge, row);
        if (way == GAVEL_NET) guess = 0;
        for (int k = 0; way == GAVEL_NET && k < GAVEL_NETS; ++k) {
            float scratch[GAVEL_WIDTH];
            if (net[k]) guess += (double)sooth_model_predict(net[k], row, scratch) / GAVEL_NETS;
        }
        sum += fabs(exp(guess - all->y[i]) - 1);
        ++*tested;
    }
    sooth_forest_free(&env, forest);
    sooth_linear_free(&env, ridge);
    for (int k = 0; k < GAVEL_NETS; ++k) sooth_model_free(&env, net[k]);
    return sum;
}

/* The way that errs least when the other families are left out in turn: `left` is not looked at. */
static int gavel_choose(const gavel *g, const gavel_rows *all, uint32_t left) {
    double least = 0;
    int best = GAVEL_FOREST, way, tested;
    uint32_t f;
    for (way = GAVEL_FOREST; way < GAVEL_CHOICES; ++way) {
        double sum = 0;
        for (f = 0; f < g->families; ++f)
            if (f != left) sum += gavel_errors(all, way, left, f, &tested);
        if (way == GAVEL_FOREST || sum < least) {
            least = sum;
            best = way;
        }
    }
    return best;
}

/* Every family left out once. */
static void measured_pairs(void) {
    CHECK_SLOW();
    static const char *const gpu[3] = {"P100", "K80", "V100"};
    static gavel g;
    static gavel_rows all;
    int i, way, n;
    uint32_t f;
    for (i = 0; i < 3; ++i) {
        double error[GAVEL_WAYS + 1] = {0};
        int tested = 0;
        CHECK(gavel_read("examples/papers/data/gavel.csv", gpu[i], &g) == NULL);
        gavel_describe(&g, &all);
        for (f = 0; f < g.families; ++f) {
            for (way = 0; way < GAVEL_WAYS; ++way) error[way] += gavel_errors(&all, way, f, f, &n);
            error[GAVEL_WAYS] += gavel_errors(&all, gavel_choose(&g, &all, f), f, f, &n);
            tested += n;
        }
        for (way = 0; way <= GAVEL_WAYS; ++way) error[way] *= 100. / tested;
        printf("  %s: %d rows, %d unknown; mean %.1f %%, forest %.1f %%, extra-trees %.1f %%, ridge %.1f %%, "
               "network %.1f %%, chosen %.1f %%\n",
               gpu[i], all.rows, all.unknown, error[GAVEL_MEAN], error[GAVEL_FOREST], error[GAVEL_EXTRA],
               error[GAVEL_RIDGE], error[GAVEL_NET], error[GAVEL_WAYS]);
        CHECK(error[GAVEL_WAYS] < error[GAVEL_MEAN]);
        if (i < 2) CHECK(error[GAVEL_WAYS] < (i == 0 ? 9.1 : 8.1));
    }
}
