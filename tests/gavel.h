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
enum { GAVEL_JOBS = 32, GAVEL_FIELDS = 7, GAVEL_WIDTH = 3 * GAVEL_FIELDS + 1 };

typedef struct gavel {
    int jobs;
    char name[GAVEL_JOBS][64];
    uint32_t family[GAVEL_JOBS];
    double slow[GAVEL_JOBS][GAVEL_JOBS]; /* of a beside b; 0: not measured */
    sooth_fairness_card card[GAVEL_JOBS];
} gavel;

static int gavel_job(gavel *g, const char *name) {
    int i, j;
    for (i = 0; i < g->jobs; ++i)
        if (strcmp(g->name[i], name) == 0) return i;
    snprintf(g->name[i], sizeof g->name[i], "%s", name);
    for (j = 0; j < i && strncmp(g->name[j], name, strcspn(name, "(")) != 0;) ++j;
    g->family[i] = (uint32_t)(j < i ? (int)g->family[j] : i);
    return g->jobs++;
}

static int gavel_read(gavel *g, const char *gpu) {
    FILE *file = fopen("../shared/data/colocation/gavel/gavel_pairs.csv", "r");
    char line[300], where[16], a[64], b[64];
    double solo[2], colo[2];
    memset(g, 0, sizeof *g);
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        int i, j;
        if (sscanf(line, "%15[^,],\"%63[^\"]\",\"%63[^\"]\",%lf,%lf,%lf,%lf", where, a, b, &solo[0], &solo[1],
                   &colo[0], &colo[1]) != 7 ||
            strcmp(where, gpu) != 0)
            continue;
        i = gavel_job(g, a);
        j = gavel_job(g, b);
        g->card[i].value[SOOTH_FAIRNESS_ALONE_TIME] = 1 / solo[0];
        g->card[j].value[SOOTH_FAIRNESS_ALONE_TIME] = 1 / solo[1];
        if (colo[0] > 0 && colo[1] > 0) {
            g->slow[i][j] = solo[0] / colo[0];
            g->slow[j][i] = solo[1] / colo[1];
        }
    }
    fclose(file);
    return 1;
}

/* The jobs that slow others least, in the middle, and most, of those that were measured beside the most
 * others. */
static void gavel_references(const gavel *g, int *ref) {
    double press[GAVEL_JOBS];
    int count[GAVEL_JOBS], order[GAVEL_JOBS], most = 0, n = 0, i, j;
    for (i = 0; i < g->jobs; ++i) {
        press[i] = count[i] = 0;
        for (j = 0; j < g->jobs; ++j) {
            press[i] += g->slow[j][i];
            count[i] += g->slow[j][i] > 0;
        }
        press[i] /= count[i] ? count[i] : 1;
        if (count[i] > most) most = count[i];
    }
    for (i = 0; i < g->jobs; ++i) {
        if (count[i] < most) continue;
        for (j = n++; j > 0 && press[order[j - 1]] > press[i]; --j) order[j] = order[j - 1];
        order[j] = i;
    }
    ref[0] = order[0];
    ref[1] = order[n / 2];
    ref[2] = order[n - 1];
}

/* Pairs as rows: logarithms of both cards, and of the slowdown. */
typedef struct gavel_rows {
    int rows, unknown; /* unknown: measured pairs with a gap in a card */
    float x[GAVEL_JOBS * GAVEL_JOBS * GAVEL_WIDTH], y[GAVEL_JOBS * GAVEL_JOBS];
    uint32_t family[GAVEL_JOBS * GAVEL_JOBS][2];
} gavel_rows;

static void gavel_describe(gavel *g, gavel_rows *out) {
    static const uint32_t fields[GAVEL_FIELDS] = {
        SOOTH_FAIRNESS_ALONE_TIME,    SOOTH_FAIRNESS_SLOWDOWN_LOW, SOOTH_FAIRNESS_SLOWDOWN_MEDIUM,
        SOOTH_FAIRNESS_SLOWDOWN_HIGH, SOOTH_FAIRNESS_CAUSED_LOW,   SOOTH_FAIRNESS_CAUSED_MEDIUM,
        SOOTH_FAIRNESS_CAUSED_HIGH};
    int ref[3], i, j, k;
    gavel_references(g, ref);
    for (i = 0; i < g->jobs; ++i)
        for (k = 0; k < 3; ++k) {
            const double own = g->slow[i][ref[k]], its = g->slow[ref[k]][i];
            g->card[i].value[SOOTH_FAIRNESS_SLOWDOWN_LOW + k] = own > 0 ? own : NAN;
            g->card[i].value[SOOTH_FAIRNESS_CAUSED_LOW + k] = its > 0 ? its : NAN;
        }
    out->rows = out->unknown = 0;
    for (i = 0; i < g->jobs; ++i)
        for (j = 0; j < g->jobs; ++j) {
            float *x = out->x + out->rows * GAVEL_WIDTH;
            const sooth_fairness_card *bag[2];
            for (k = 0; k < 3 && i != ref[k] && j != ref[k];) ++k;
            if (k < 3 || !(g->slow[i][j] > 0)) continue;
            bag[0] = &g->card[i];
            bag[1] = &g->card[j];
            if (sooth_fairness_any(&env, fields, GAVEL_FIELDS, bag, 2, 0, x) != SOOTH_OK) {
                ++out->unknown;
                continue;
            }
            for (k = 0; k < GAVEL_WIDTH; ++k) x[k] = logf(x[k]);
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
    sooth_mlp_options options;
    sooth_model_recipe recipe;
    memset(&options, 0, sizeof options);
    memset(&recipe, 0, sizeof recipe);
    options.hidden_1 = options.hidden_2 = 12;
    options.activation = SOOTH_MLP_LEAKY_RELU;
    options.schedule = SOOTH_MLP_COSINE;
    options.learning_rate = 0.003;
    options.batch_size = 64;
    options.epochs = options.patience = 150;
    options.lambda_norm = 0.01;
    options.has_lambda_norm = 1;
    recipe.model = "mlp";
    recipe.options = &options;
    for (uint32_t k = 0; k < GAVEL_NETS; ++k) {
        options.seed = k + 1;
        CHECK_STATUS(sooth_model_fit(&env, table, &recipe, &net[k]), SOOTH_OK);
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
        for (f = 0; f < (uint32_t)g->jobs; ++f)
            if (g->family[f] == f && f != left) sum += gavel_errors(all, way, left, f, &tested);
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
    static const char *const gpu[3] = {"p100", "k80", "v100"};
    static gavel g;
    static gavel_rows all;
    int i, way, n;
    uint32_t f;
    for (i = 0; i < 3; ++i) {
        double error[GAVEL_WAYS + 1] = {0};
        int tested = 0;
        if (!gavel_read(&g, gpu[i])) CHECK_SKIP("no measured pairs");
        gavel_describe(&g, &all);
        for (f = 0; f < (uint32_t)g.jobs; ++f) {
            if (g.family[f] != f) continue;
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
