/* test_integers.c - trees in whole numbers: against the float models they were made of, at rows beside every
 * threshold, and against sums made here; through check, and with every field forged.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export/integers_convert.h"
#include "sooth/import.h"
#include "sooth/train.h"
#include "check.h"
#include "lies.h"

enum { COLS = 5, ROWS = 240, MOST_TARGETS = 3, TRAIN = 160 };
static sooth_env env;

/* ---- the float model once more, as a person would walk it ---- */

typedef struct twin {
    const sooth_block *block; /* a tree or an ensemble */
    sooth_model_parts parts;
    uint32_t trees, nodes, features, targets;
} twin;

typedef struct twin_node {
    uint32_t left, right, feature;
    int missing_right;
    float threshold;
} twin_node;

static const sooth_ensemble *ensemble_of(const twin *w) {
    return (const sooth_ensemble *)(const void *)w->block;
}

static int is_tree(const twin *w) { return (w->block->kind & 0xFFFFu) == SOOTH_KIND_TREE; }

static twin twin_of(const sooth_model *model) {
    twin w;
    sooth_model_open(model, &w.parts);
    w.block = w.parts.predictor;
    w.features = model->head.features;
    w.targets = model->head.targets;
    w.trees = is_tree(&w) ? 1 : ensemble_of(&w)->trees;
    w.nodes = is_tree(&w) ? ((const sooth_tree *)(const void *)w.block)->nodes : ensemble_of(&w)->nodes;
    return w;
}

static twin_node look(const twin *w, uint32_t at) {
    twin_node n;
    if (is_tree(w)) {
        sooth_tree_step step;
        sooth_tree_look((const sooth_tree *)(const void *)w->block, at, &step);
        n.left = step.left;
        n.right = step.left + 1;
        n.feature = step.feature;
        n.missing_right = step.missing_right;
        n.threshold = step.threshold;
    } else {
        soothi_ensemble_node node;
        soothi_ensemble_look(ensemble_of(w), at, &node);
        n.left = node.left;
        n.right = node.right;
        n.feature = node.feature;
        n.missing_right = (int)node.missing_right;
        n.threshold = node.threshold;
    }
    return n;
}

/* What the trees say about target t, in its unit before the link, in long double and in any order; how many
   trees answered. */
static long double say(const twin *w, const float *row, uint32_t t, uint32_t *answered) {
    const int rows = !is_tree(w) && (ensemble_of(w)->flags & SOOTH_ENSEMBLE_ROWS) && w->targets > 1;
    long double sum = 0;
    *answered = 0;
    for (uint32_t k = 0; k < w->trees; ++k) {
        uint32_t at = is_tree(w) ? 0 : soothi_ensemble_start(ensemble_of(w))[k];
        if (!is_tree(w) && !rows && k % w->targets != t) continue;
        for (twin_node n = look(w, at); n.left; n = look(w, at)) {
            const float x = row[n.feature];
            at = (isnan(x) ? n.missing_right : !(x <= n.threshold)) ? n.right : n.left;
        }
        if (is_tree(w))
            sum += (long double)soothi_tree_value((const sooth_tree *)(const void *)w->block, at, t);
        else sum += (long double)soothi_ensemble_value(ensemble_of(w), at, t);
        ++*answered;
    }
    if (!is_tree(w)) {
        const float *base = soothi_ensemble_base(ensemble_of(w));
        sum += (long double)base[t];
        if (ensemble_of(w)->flags & SOOTH_ENSEMBLE_EXACT) sum += (long double)base[w->targets + t];
        if (ensemble_of(w)->flags & SOOTH_ENSEMBLE_MEAN) sum /= *answered;
    }
    if (w->parts.target) {
        const sooth_scale_column *c = sooth_scale_columns(w->parts.target) + t;
        sum = sum * (long double)c->width + (long double)c->shift;
    }
    return sum;
}

/* The same in floats as the model sums them: before the link, but in the unit of the target. */
static float margin(const twin *w, const float *row, uint32_t t) {
    float v[MOST_TARGETS];
    if (is_tree(w)) sooth_tree_predict_many((const sooth_tree *)(const void *)w->block, row, 1, COLS, v);
    else soothi_ensemble_margins(ensemble_of(w), row, 1, COLS, v);
    if (w->parts.target) {
        const sooth_scale_column *c = sooth_scale_columns(w->parts.target) + t;
        return v[t] * c->width + c->shift;
    }
    return v[t];
}

/* What keys make of a row: WHOLE rounds down, and a missing value is below all others. */
static void seen(const sooth_integers *m, const float *row, float *out) {
    for (uint32_t j = 0; j < COLS; ++j) {
        const int shift = soothi_integers_columns(m)[j].shift;
        out[j] = row[j];
        if (m->rule == SOOTH_INTEGERS_KEYS_FLOAT) continue;
        out[j] = isnan(row[j]) ? -INFINITY : (float)ldexp(floor(ldexp((double)row[j], shift)), -shift);
    }
}

/* ---- the integers once more ---- */

/* The sum of target t, read from the arrays as their comments say; keys are made here and never cut, but no
   key is above the greatest integer of so many bits. */
static int64_t plain_sum(const sooth_integers *m, const float *row, uint32_t t) {
    const sooth_integers_node *node = soothi_integers_nodes(m);
    const sooth_integers_target *target = sooth_integers_targets(m);
    const int32_t *value = (const int32_t *)(const void *)(target + m->head.targets);
    const int32_t most = (int32_t)(0x7FFFFFFFu >> (32 - m->bits));
    int64_t sum = (int64_t)((uint64_t)target[t].base_high << 32 | target[t].base_low);
    CHECK(sum == soothi_integers_base(m, t));
    for (uint32_t k = 0; k < m->trees; ++k) {
        uint32_t at = soothi_integers_start(m)[k];
        if (!m->values && k % m->head.targets != t) continue;
        while (node[at].link % 2) {
            const uint32_t asked = node[at].link % (1u << m->shift) / 2;
            const uint32_t j = asked % m->head.features;
            double key;
            if (m->rule == SOOTH_INTEGERS_KEYS_FLOAT) key = (double)soothi_integers_key(m, asked, row[j]);
            else if (isnan(row[j])) key = -INFINITY;
            else
                key = floor(ldexp((double)row[j], soothi_integers_columns(m)[j].shift)) -
                      soothi_integers_columns(m)[j].offset;
            at += node[at].link / (1u << m->shift) +
                  (key > (double)node[at].number && node[at].number != most ? 1u : 0u);
        }
        sum += m->values ? value[(size_t)node[at].number * m->head.targets + t] : node[at].number;
    }
    return sum;
}

/* ---- rows ---- */

/* Rows of odd numbers and of thresholds of the model: on them, one ulp or a half beside, rounded. */
static void make_rows(const twin *w, float *x, uint64_t seed, int missing) {
    const float odd[] = {0.0f,   -0.0f, 1e-45f, -1e-45f, 0.5f,     -0.5f,     -1.0f, 1e10f,
                         -1e10f, 3e38f, -3e38f, 127.0f,  -129.0f,  32768.0f,  65.5f, -40000.0f,
                         3e9f,   -3e9f, 5e18f,  -5e18f,  INFINITY, -INFINITY, 1e20f, 2.0f};
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 3);
    for (size_t i = 0; i < ROWS; ++i)
        for (uint32_t j = 0; j < COLS; ++j) {
            float *v = &x[i * COLS + j];
            *v = 40.0f * sooth_rng_float(&rng) - 10.0f;
            switch (sooth_rng_below(&rng, 12)) {
            case 0: *v = odd[sooth_rng_below(&rng, sizeof odd / sizeof *odd)]; continue;
            case 1:
                if (missing) *v = NAN;
                continue;
            case 2: *v = floorf(*v); continue;
            case 3: continue;
            default: break;
            }
            for (int tries = 0; tries < 30; ++tries) { /* a threshold of this feature */
                const twin_node n = look(w, sooth_rng_below(&rng, w->nodes));
                if (!n.left || n.feature != j) continue;
                *v = n.threshold;
                break;
            }
            switch (sooth_rng_below(&rng, 6)) {
            case 0: *v = nextafterf(*v, INFINITY); break;
            case 1: *v = nextafterf(*v, -INFINITY); break;
            case 2: *v = floorf(*v); break;
            case 3: *v += 0.5f; break;
            default: break;
            }
        }
}

/* ---- one model, one way ---- */

/* The float of the link of v. */
static double linked(uint32_t link, double v) {
    switch (link) {
    case SOOTH_INTEGERS_EXP: return exp(v > 88.7f ? (double)88.7f : v);
    case SOOTH_INTEGERS_LOGISTIC: return 1.0 / (1.0 + exp(-v));
    case SOOTH_INTEGERS_EXPM1: return v < 0 ? -expm1(-v) : expm1(v);
    default: return v;
    }
}

static void compare(const sooth_model *model, const sooth_integers *m, uint64_t seed, int usual) {
    static float x[ROWS * COLS], out[ROWS * MOST_TARGETS];
    const twin w = twin_of(model);
    const uint32_t keys = sooth_integers_key_count(m), targets = m->head.targets;
    double worst[MOST_TARGETS] = {0}, largest[MOST_TARGETS] = {0};
    CHECK(sooth_integers_check(m, m->head.size));
    CHECK(m->head.features == COLS && m->trees == w.trees && m->nodes == w.nodes);
    CHECK(keys == (m->rule == SOOTH_INTEGERS_KEYS_FLOAT ? 2 * COLS : COLS));
    make_rows(&w, x, seed, 1);
    sooth_integers_predict_many(m, x, ROWS, COLS, out);
    for (size_t i = 0; i < ROWS && !check_failures; ++i) {
        const float *row = x + i * COLS;
        float at[COLS];
        int32_t key[2 * COLS];
        int64_t sum[MOST_TARGETS];
        sooth_integers_keys(m, row, key);
        sooth_integers_sum(m, key, sum);
        seen(m, row, at);
        CHECK(memcmp(&out[i * targets], &(float){sooth_integers_predict(m, row)}, 4) == 0);
        for (uint32_t t = 0; t < targets; ++t) {
            const sooth_integers_target *target = sooth_integers_targets(m) + t;
            const double step = ldexp(1.0, -target->scale), v = (double)sum[t] * step;
            const float mine = out[i * targets + t], theirs = margin(&w, at, t);
            uint32_t answered;
            const long double exact = say(&w, at, t, &answered);
            double end;
            CHECK(sum[t] == plain_sum(m, row, t));
            CHECK(mine == sooth_integers_value(m, t, sum[t]));
            /* every tree rounds its leaf, and the base is rounded, to half a step */
            CHECK(fabsl((long double)v - exact) <=
                  (answered + 1) * 0.5000001L * (long double)step + 1e-13L * fabsl(exact));
            CHECK(fabs((double)(float)v - (double)theirs) <= (double)target->error);
            worst[t] = fmax(worst[t], fabs((double)(float)v - (double)theirs));
            largest[t] = fmax(largest[t], fabs(v));
            end = linked(m->link, v);
            end = fmin(fmax(end, (double)target->least), (double)target->most);
            CHECK(fabs((double)mine - end) <= 2e-6 * fabs(end) * fmax(1.0, fabs(v)) + 1e-37);
            if (m->bits < 32) CHECK(sum[t] <= INT32_MAX && sum[t] >= -INT32_MAX);
        }
    }
    for (uint32_t t = 0; t < targets && usual; ++t) /* nor is it much more than what is seen */
        CHECK((double)sooth_integers_targets(m)[t].error <= 50.0 * worst[t] + 1e-6 * largest[t]);
    if (check_failures) printf("  with %u bits, rule %u, seed %u\n", m->bits, m->rule, (unsigned)seed);
}

/* All ways there are. usual: a model of usual numbers, of which the error that is stated must be near. */
static void compare_all(const sooth_model *model, int usual) {
    for (uint32_t k = 0; k < 4 && !check_failures; ++k) {
        const sooth_integers_options o = {.bits = k == 0 ? 8 : k == 1 ? 16 : 32, .rule = k == 3};
        sooth_integers *m;
        CHECK_STATUS(sooth_integers_convert(&env, model, &o, &m), SOOTH_OK);
        if (!m) {
            printf("  %s\n", env.sentence);
            return;
        }
        compare(model, m, 77 + k, usual);
        sooth_integers_free(&env, m);
    }
}

/* ---- models ---- */

static float train_x[TRAIN * COLS], train_y[TRAIN * MOST_TARGETS];

/* Two counts, one up to 200, two of fractions, one of tiny numbers far from 0. */
static sooth_table table_of_runs(uint32_t targets, int holes) {
    sooth_rng rng;
    sooth_table table;
    sooth_rng_init(&rng, 2027, 5);
    for (size_t i = 0; i < TRAIN; ++i) {
        float *row = train_x + i * COLS;
        row[0] = (float)(1 + sooth_rng_below(&rng, 24));
        row[1] = (float)sooth_rng_below(&rng, 201);
        row[2] = 4.0f * sooth_rng_float(&rng) - 2.0f;
        row[3] = 1000.0f + sooth_rng_float(&rng);
        row[4] = 1e-6f * sooth_rng_float(&rng);
        for (uint32_t t = 0; t < targets; ++t)
            train_y[i * targets + t] =
                (t == 1 ? 1e6f : 1.0f) * (1.0f + row[0] / (1.0f + row[t]) + row[2] * row[2] +
                                          3.0f * (row[3] - 1000.0f) + 1e6f * row[4] + sooth_rng_float(&rng));
        if (holes && i % 3 == 0) row[i % COLS] = NAN;
    }
    sooth_table_init(&table, train_x, TRAIN, COLS);
    table.y = train_y;
    table.targets = targets;
    return table;
}

typedef struct fitted {
    const char *model, *options;
    uint32_t targets, holes;
    uint32_t target, clip; /* 1 + a sooth_scale_transform of the targets; 0: none */
    uint32_t card;
} fitted;

static sooth_model *fit(const fitted *f) {
    sooth_table table = table_of_runs(f->targets, (int)f->holes);
    sooth_train_recipe recipe;
    const sooth_model_kind *kind;
    sooth_model *model = NULL;
    char name[64], value[64];
    const char *text = f->options;
    int length;
    memset(&recipe, 0, sizeof recipe);
    CHECK_STATUS(sooth_train_kind_named(&env, f->model, &kind), SOOTH_OK);
    for (; sscanf(text, " %63[^=]=%63[^ ]%n", name, value, &length) == 2; text += length)
        CHECK_STATUS(sooth_option_set(&env, sooth_model_kind_options(kind), &recipe.options, name, value),
                     SOOTH_OK);
    recipe.model = f->model;
    recipe.has_target = f->target > 0;
    recipe.target.transform = f->target - 1;
    recipe.target.clip = f->clip;
    recipe.no_card = !f->card;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (!model) printf("  %s: %s\n", f->options, env.sentence);
    return model;
}

static const fitted models[] = {
    {"tree", "max_depth=6", 1, 0, 0, 0, 0},
    {"tree", "", 1, 1, 0, 0, 1},
    {"tree", "max_depth=5", 3, 0, 0, 0, 1},
    {"tree", "max_depth=5 no_statistics=1", 3, 1, 1, 0, 1},
    {"tree", "min_samples_split=1000", 1, 0, 0, 0, 1},
    {"forest", "n_estimators=12 max_depth=5", 1, 1, 0, 0, 1},
    {"forest", "n_estimators=9", 3, 0, 0, 0, 1},
    {"forest", "n_estimators=12 splitter=random no_bootstrap=1", 1, 0, 0, 0, 1},
    {"forest", "n_estimators=7 max_depth=4", 1, 0, SOOTH_SCALE_LOG + 1, 0, 1},
    {"forest", "n_estimators=7 max_depth=4", 2, 1, SOOTH_SCALE_LOG1P_STANDARD + 1, 1, 1},
    {"forest", "n_estimators=5 max_depth=3 keep_rows=1", 1, 0, SOOTH_SCALE_MINMAX + 1, 1, 1},
    {"boost", "n_estimators=30 max_depth=4", 1, 1, 0, 0, 1},
    {"boost", "n_estimators=12 max_depth=4 no_table=1", 3, 0, 0, 0, 0},
    {"boost", "n_estimators=30 max_depth=3 loss=absolute", 1, 0, 0, 0, 1},
    {"boost", "n_estimators=20 max_depth=3 loss=huber", 1, 1, 0, 0, 0},
    {"boost", "n_estimators=20 max_depth=3 loss=quantile quantile=0.9", 1, 0, 0, 0, 1},
    {"boost", "n_estimators=20 max_depth=3 loss=poisson", 1, 1, 0, 0, 1},
    {"boost", "n_estimators=20 max_depth=3 loss=gamma", 1, 0, 0, 0, 1},
    {"boost", "n_estimators=20 max_depth=3 loss=relative", 1, 0, 0, 0, 1},
    {"boost", "n_estimators=20 grow_policy=symmetric max_depth=3", 1, 0, SOOTH_SCALE_STANDARD + 1, 0, 1},
    {"boost", "n_estimators=20 grow_policy=lossguide max_leaves=9", 1, 0, SOOTH_SCALE_LOG1P + 1, 0, 1},
    {"boost", "n_estimators=20 max_depth=3", 2, 0, SOOTH_SCALE_LOG_ROBUST + 1, 1, 1},
};

static void models_answer_within_their_error(void) {
    for (size_t k = 0; k < sizeof models / sizeof *models; ++k) {
        sooth_model *model = fit(&models[k]);
        if (!model) return;
        compare_all(model, 1);
        sooth_model_free(&env, model);
        if (check_failures) {
            printf("  %s %s\n", models[k].model, models[k].options);
            return;
        }
    }
}

/* ---- models that are put together ---- */

typedef struct built {
    uint32_t targets, flags, link, trees;
    double base;
    float size; /* of a leaf */
} built;

/* Random trees of two levels, some of one node; thresholds of every kind that has a key. */
static sooth_ensemble *build(const built *b, uint64_t seed) {
    const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 1.5f, -3.25f, 1264.5f, 100.0f, 1e5f, INFINITY};
    const soothi_ensemble_shape shape = {.kind = SOOTH_KIND_BOOST,
                                         .features = COLS,
                                         .targets = b->targets,
                                         .flags = b->flags,
                                         .link = b->link};
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 8);
    soothi_ensemble_begin(&builder, &env, &shape);
    for (uint32_t t = 0; t < b->targets; ++t)
        soothi_ensemble_set_base(&builder, t, b->base * (t == 1 ? 1e-6 : 1.0));
    for (uint32_t k = 0; k < b->trees; ++k) {
        soothi_ensemble_node node[5];
        float values[5 * MOST_TARGETS];
        memset(node, 0, sizeof node);
        for (uint32_t i = 0; i < 5; ++i) {
            const uint32_t r = sooth_rng_below(&rng, 20);
            node[i].feature = sooth_rng_below(&rng, COLS);
            node[i].missing_right = sooth_rng_below(&rng, 2);
            node[i].threshold = r < 10 ? odd[r] : 20.0f * sooth_rng_float(&rng) - 10.0f;
            node[i].value = ((double)sooth_rng_float(&rng) - 0.5) * (double)b->size *
                            (b->targets > 1 && k % b->targets == 1 ? 1e-6 : 1.0);
            for (uint32_t t = 0; t < MOST_TARGETS; ++t)
                values[i * b->targets + t % b->targets] =
                    (sooth_rng_float(&rng) - 0.5f) * b->size * (t == 1 ? 1e-6f : 1.0f);
        }
        if (k % 7 != 6) {
            node[0].left = 1, node[0].right = 2;
            node[1].left = 3, node[1].right = 4;
        }
        soothi_ensemble_add_plain_tree(&builder, node, k % 7 != 6 ? 5 : 1,
                                       b->flags & SOOTH_ENSEMBLE_ROWS && b->targets > 1 ? values : NULL);
    }
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    if (!e) printf("  %s\n", env.sentence);
    return e;
}

static void ensembles_of_every_form(void) {
    const uint32_t mean = SOOTH_ENSEMBLE_MEAN, exact = SOOTH_ENSEMBLE_EXACT, low = exact | SOOTH_ENSEMBLE_LOW,
                   rows = SOOTH_ENSEMBLE_ROWS;
    const built forms[] = {
        {1, 0, 0, 20, 0.1, 1},
        {1, exact, 0, 20, 1e7 / 3, 1},
        {1, low, 0, 20, -1.0 / 3, 100},
        {1, mean, 0, 20, 0, 1},
        {1, mean | exact, 0, 33, 0, 1e6f},
        {1, mean | low, 0, 20, 0, 1},
        {2, 0, 0, 20, 5, 1e4f},
        {3, mean | exact, 0, 21, 0, 1},
        {3, rows, 0, 20, 3, 1},
        {3, rows | mean | exact, 0, 20, 0, 1},
        {1, rows, 0, 9, 0, 1},
        {1, 0, SOOTH_ENSEMBLE_LINK_EXP, 20, 1, 0.5f},
        {2, low, SOOTH_ENSEMBLE_LINK_LOGISTIC, 20, -1, 0.5f},
        {1, 0, SOOTH_ENSEMBLE_LINK_EXP, 20, 80, 10}, /* beyond 88.7 */
        {1, mean, SOOTH_ENSEMBLE_LINK_EXP, 20, 0, 1},
        {1, 0, 0, 20, 1e20, 1e20f}, /* large, and so small that leaves are fewer than the finest steps */
        {1, exact, 0, 20, 1e-36, 1e-36f},
        {1, low, 0, 20, 0, 1e-42f},
        {1, 0, 0, 1000, 1, 1},
        {1, exact, 0, 1000, 0, 1},
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms && !check_failures; ++k) {
        sooth_ensemble *e = build(&forms[k], 31 + k);
        if (!e) return;
        compare_all(sooth_model_from_block(&e->head), 0);
        if (check_failures) printf("  form %u\n", (unsigned)k);
        sooth_ensemble_free(&env, e);
    }
}

static sooth_model *assembled(const sooth_ensemble *e, const sooth_scale *input, const sooth_scale *target,
                              const sooth_model_card *card) {
    const sooth_model_parts parts = {input, &e->head, target, card, NULL, NULL, NULL, NULL, NULL};
    sooth_model *model;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
    return model;
}

/* A scale of so many equal columns. */
static sooth_scale *scale_of(uint32_t columns, uint32_t transform, float shift, float width) {
    static const float x[COLS] = {1, 1, 1, 1, 1};
    const sooth_scale_options o = {.transform = transform};
    sooth_table table;
    sooth_scale *scale;
    sooth_table_init(&table, x, 1, columns);
    CHECK_STATUS(sooth_scale_fit(&env, &table, &o, &scale), SOOTH_OK);
    for (uint32_t j = 0; j < columns; ++j) {
        sooth_scale_column *c = (sooth_scale_column *)(void *)(scale + 1) + j;
        c->shift = shift;
        c->width = width;
    }
    soothi_block_seal(&scale->head);
    return scale;
}

/* A base and a shift that cancel: floats add them one after the other and round both times, far above what
   the answers are. */
static void a_base_and_a_shift_that_cancel(void) {
    const built form = {.targets = 1, .trees = 40, .base = -1e6 / 3, .size = 1};
    sooth_ensemble *e = build(&form, 5);
    sooth_scale *target = scale_of(1, SOOTH_SCALE_STANDARD, 1e6f, 3.0f);
    sooth_model *model = e ? assembled(e, NULL, target, NULL) : NULL;
    if (model) compare_all(model, 0);
    sooth_model_free(&env, model);
    sooth_scale_free(&env, target);
    sooth_ensemble_free(&env, e);
}

/* A mean never leaves what leaves say, whatever its sum begins with; nor does that of the integers, also
   behind a transform of the target or a link. */
static void a_mean_ends_where_leaves_do(void) {
    for (uint32_t k = 0; k < 8; ++k) {
        const built form = {1, SOOTH_ENSEMBLE_MEAN, k % 4 == 3 ? (uint32_t)SOOTH_ENSEMBLE_LINK_EXP : 0u,
                            9, k / 4 ? 1e3 : -1e3,  1};
        sooth_ensemble *e = build(&form, 9);
        sooth_scale *target =
            scale_of(1, k % 4 == 1 ? SOOTH_SCALE_LOG1P_STANDARD : SOOTH_SCALE_STANDARD, -2.0f, 3.0f);
        sooth_model *model = e ? assembled(e, NULL, k % 4 == 1 || k % 4 == 2 ? target : NULL, NULL) : NULL;
        sooth_integers *m = NULL;
        const float row[COLS] = {1, 2, 3, 4, 5};
        if (!model) return;
        CHECK_STATUS(sooth_integers_convert(&env, model, NULL, &m), SOOTH_OK);
        if (m) {
            CHECK(sooth_integers_check(m, m->head.size));
            CHECK_CLOSE(sooth_integers_predict(m, row), sooth_model_predict(model, row, NULL), 1e-6);
            if (k == 0) CHECK(sooth_integers_predict(m, row) >= -0.5f);
            if (k == 4) CHECK(sooth_integers_predict(m, row) <= 0.5f);
        }
        sooth_integers_free(&env, m);
        sooth_model_free(&env, model);
        sooth_scale_free(&env, target);
        sooth_ensemble_free(&env, e);
    }
}

/* The ends of a target's transform may be inside of the leaves' range, or on either side of it. */
static void a_mean_ends_where_the_target_does(void) {
    const built form = {1, SOOTH_ENSEMBLE_MEAN, 0, 9, 0, 1};
    static const float ends[][2] = {{-1e9f, 1e9f}, {-0.05f, 0.05f}, {5, 6}, {-6, -5}};
    size_t clipped = 0, free_rows = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 21, 0);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k) {
        sooth_ensemble *e = build(&form, 9);
        sooth_scale *target = scale_of(1, SOOTH_SCALE_STANDARD, 0.0f, 1.0f);
        sooth_scale_column *c = (sooth_scale_column *)(void *)(target + 1);
        sooth_integers *m = NULL;
        target->clip = 1;
        c->least = ends[k][0];
        c->most = ends[k][1];
        soothi_block_seal(&target->head);
        sooth_model *model = assembled(e, NULL, target, NULL);
        CHECK(sooth_model_check(model, model->head.size));
        CHECK_STATUS(sooth_integers_convert(&env, model, NULL, &m), SOOTH_OK);
        for (int i = 0; m && i < 200; ++i) {
            float row[COLS], scratch[2 * COLS];
            for (int j = 0; j < COLS; ++j) row[j] = 20.0f * sooth_rng_float(&rng) - 10.0f;
            const float want = sooth_model_predict(model, row, scratch), got = sooth_integers_predict(m, row);
            CHECK_NEAR(got, want, sooth_integers_targets(m)[0].error);
            CHECK(got >= ends[k][0] && got <= ends[k][1]);
            if (want <= ends[k][0] || want >= ends[k][1]) ++clipped;
            else ++free_rows;
        }
        sooth_integers_free(&env, m);
        sooth_model_free(&env, model);
        sooth_scale_free(&env, target);
        sooth_ensemble_free(&env, e);
    }
    CHECK(clipped > 400 && free_rows > 200);
}

/* ---- models of other libraries ---- */

static const char *const imported[] = {
    "xgboost_1.7.4_squared.json",  "xgboost_1.7.4_targets.json",   "xgboost_1.7.4_edges.json",
    "xgboost_1.7.4_forest.ubj",    "xgboost_3.2.0_dart.json",      "xgboost_3.2.0_poisson.ubj",
    "xgboost_3.2.0_quantiles.ubj", "xgboost_3.2.0_logistic.json",  "lightgbm_4.7.0_missing.txt",
    "lightgbm_4.7.0_edges.txt",    "lightgbm_4.7.0_classes.txt",   "lightgbm_4.7.0_forest.txt",
    "lightgbm_4.7.0_binary.txt",   "lightgbm_4.7.0_constant.txt",  "sklearn_1.9.1_forest.json",
    "sklearn_1.9.1_many.json",     "sklearn_1.9.1_histogram.json", "sklearn_1.9.1_edges.json",
    "sklearn_1.9.1_tree.json",
};

static size_t read_golden(const char *name, char *bytes, size_t room) {
    const char *self = __FILE__, *here = strrchr(self, '/');
    char path[512];
    size_t n = 0;
    FILE *file;
    snprintf(path, sizeof path, "%.*s/../golden/import_%s", here ? (int)(here - self) : 1, here ? self : ".",
             name);
    file = fopen(path, "rb");
    if (file) n = fread(bytes, 1, room, file), fclose(file);
    else printf("  %s cannot be read\n", path);
    return n;
}

/* Has a feature of the model a threshold that no whole number can stand for? */
static int odd_thresholds(const sooth_model *model) {
    const twin w = twin_of(model);
    for (uint32_t i = 0; i < w.nodes; ++i) {
        const twin_node n = look(&w, i);
        if (n.left && (n.threshold < -1e20f || (n.threshold > 1e20f && !isinf(n.threshold)))) return 1;
    }
    return 0;
}

/* Then keys are those of floats, or there is a sentence. */
static void only_floats(const sooth_model *model) {
    const sooth_integers_options o = {.rule = SOOTH_INTEGERS_KEYS_FLOAT};
    sooth_integers *m;
    CHECK_FAILS(&env, sooth_integers_convert(&env, model, NULL, &m), SOOTH_BAD_ARGUMENT, "feature ");
    CHECK(m == NULL);
    CHECK_STATUS(sooth_integers_convert(&env, model, &o, &m), SOOTH_OK);
    if (m) compare(model, m, 5, 0);
    sooth_integers_free(&env, m);
}

static void imported_models_answer_within_their_error(void) {
    static char bytes[1 << 18];
    for (size_t k = 0; k < sizeof imported / sizeof *imported; ++k) {
        const size_t size = read_golden(imported[k], bytes, sizeof bytes);
        sooth_import import;
        CHECK_STATUS(sooth_import_read(&env, bytes, size, NULL, &import), SOOTH_OK);
        if (!import.ensemble) return;
        if (odd_thresholds(sooth_model_from_block(&import.ensemble->head)))
            only_floats(sooth_model_from_block(&import.ensemble->head));
        else compare_all(sooth_model_from_block(&import.ensemble->head), 0);
        sooth_import_free(&env, &import);
        if (check_failures) printf("  %s\n", imported[k]);
    }
}

/* ---- keys ---- */

/* x <= threshold ? 1 : 2, for feature `feature` of COLS; NAN threshold: a single leaf. */
static sooth_ensemble *stumps(const float *threshold, const uint32_t *feature, size_t count) {
    const soothi_ensemble_shape shape = {.kind = SOOTH_KIND_BOOST, .features = COLS, .targets = 1};
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    soothi_ensemble_begin(&builder, &env, &shape);
    for (size_t k = 0; k < count; ++k) {
        soothi_ensemble_node node[3];
        memset(node, 0, sizeof node);
        node[0].left = 1, node[0].right = 2;
        node[0].threshold = threshold[k];
        node[0].feature = feature[k];
        node[1].value = 1, node[2].value = 2;
        soothi_ensemble_add_plain_tree(&builder, node, 3, NULL);
    }
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    if (!e) abort();
    return e;
}

static sooth_integers *made(const sooth_model *model, uint32_t bits, uint32_t rule, const int32_t *shift) {
    const sooth_integers_options o = {.bits = bits, .rule = rule, .shift = shift};
    sooth_integers *m;
    CHECK_STATUS(sooth_integers_convert(&env, model, &o, &m), SOOTH_OK);
    if (!m) printf("  %s\n", env.sentence), exit(1);
    CHECK(sooth_integers_check(m, m->head.size));
    return m;
}

static int64_t sum_of(const sooth_integers *m, const float *row) {
    int32_t key[2 * COLS];
    int64_t sum;
    sooth_integers_keys(m, row, key);
    sooth_integers_sum(m, key, &sum);
    return sum;
}

/* The keys of floats are in the order of the floats, pair by pair, and missing values go both ways. */
static void keys_of_floats_keep_their_order(void) {
    const float some[] = {-INFINITY, -3.4028235e38f, -1e10f,        -1.0000001f,   -1.0f,
                          -1e-40f,   -1e-45f,        -0.0f,         0.0f,          1e-45f,
                          1e-40f,    0.99999994f,    1.0f,          16777216.0f,   1e10f,
                          1e-38f,    -1e-38f,        2147483648.0f, 3.4028235e38f, INFINITY};
    enum { SOME = sizeof some / sizeof *some };
    const uint32_t first = 2;
    for (size_t t = 0; t < SOME; ++t) {
        sooth_ensemble *e = stumps(&some[t], &first, 1);
        sooth_integers *m = made(sooth_model_from_block(&e->head), 0, SOOTH_INTEGERS_KEYS_FLOAT, NULL);
        const int64_t base = soothi_integers_base(m, 0);
        CHECK(m->bits == 32 && soothi_integers_columns(m)[2].shift == 0);
        for (size_t i = 0; i < SOME; ++i) {
            const float row[COLS] = {9, 9, some[i], 9, 9};
            CHECK((sum_of(m, row) < base) == (some[i] <= some[t]));
            CHECK(soothi_integers_key(m, 2, some[i]) == soothi_integers_key(m, 2 + COLS, some[i]));
            CHECK(soothi_integers_key(m, 2, some[i]) < INT32_MAX &&
                  soothi_integers_key(m, 2, some[i]) > INT32_MIN);
        }
        CHECK(soothi_integers_key(m, 2, NAN) == INT32_MAX &&
              soothi_integers_key(m, 2 + COLS, NAN) == INT32_MIN);
        CHECK(sooth_integers_key_from_integer(m, 2, -7) == soothi_integers_key(m, 2, -7.0f));
        sooth_integers_free(&env, m);
        sooth_ensemble_free(&env, e);
    }
}

/* floor(v 2^shift) for whole v, in plain steps. */
static int64_t shifted(int64_t v, int shift) {
    for (; shift > 0; --shift) {
        if (v > ((int64_t)1 << 61) || v < -((int64_t)1 << 61)) return v > 0 ? INT64_MAX : INT64_MIN;
        v *= 2;
    }
    for (; shift < 0; ++shift) v = (v < 0 && v % 2 != 0 ? v - 1 : v) / 2;
    return v;
}

/* Keys of whole numbers and of floats, at every shift and width, against plain steps and doubles. */
static void keys_are_floors(void) {
    static const float threshold = 0.0f;
    static const uint32_t feature = 1;
    sooth_ensemble *e = stumps(&threshold, &feature, 1);
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 4);
    for (int shift = -60; shift <= 60; shift += shift == -60 || shift == 56 ? 4 : 7) {
        int32_t shifts[COLS] = {0};
        shifts[1] = shift;
        for (uint32_t bits = 8; bits <= 32; bits *= 2) {
            const int64_t most = (INT64_C(1) << (bits - 1)) - 1;
            sooth_integers *m =
                made(sooth_model_from_block(&e->head), bits, SOOTH_INTEGERS_KEYS_WHOLE, shifts);
            CHECK(soothi_integers_columns(m)[1].shift == shift && soothi_integers_columns(m)[1].offset == 0);
            for (int offset = -1; offset < 2; ++offset) {
                ((sooth_integers_column *)(uintptr_t)soothi_integers_columns(m))[1].offset = 100 * offset;
                for (int i = 0; i < 130; ++i) {
                    const uint64_t drawn = (uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng);
                    const int64_t v = i == 0   ? INT64_MIN
                                      : i == 1 ? INT64_MAX
                                               : (int64_t)(drawn >> i % 64) * (i % 2 ? 1 : -1);
                    const float f = (float)(i % 3 ? ldexp((double)v, -i) : (double)v);
                    double d = floor(ldexp((double)f, shift)) - 100 * offset;
                    int64_t k = shifted(v, shift);
                    if (k < INT64_MAX - 100 && k > INT64_MIN + 100) k -= 100 * offset;
                    k = k > most ? most : k < -most - 1 ? -most - 1 : k;
                    d = fmin(fmax(d, (double)(-most - 1)), (double)most);
                    CHECK(sooth_integers_key_from_integer(m, 1, v) == k);
                    CHECK((double)soothi_integers_key(m, 1, f) == d);
                }
                CHECK(soothi_integers_key(m, 1, NAN) == -most - 1);
                CHECK(soothi_integers_key(m, 1, INFINITY) == most &&
                      soothi_integers_key(m, 1, -INFINITY) == -most - 1);
            }
            sooth_integers_free(&env, m);
        }
    }
    sooth_ensemble_free(&env, e);
}

/* On whole numbers x <= 1264.5 is x <= 1264 (and not x < 1264, as when the threshold is rounded and the sign
   of the comparison lost), and x < 1265, which other libraries ask, the same: x <= the float below 1265. */
static void halves_between_whole_numbers(void) {
    const float ways[] = {1264.5f, 1264.0f, 1264.9999f, nextafterf(1265.0f, 0.0f), nextafterf(1264.5f, 0.0f)};
    static const uint32_t first = 0;
    for (size_t k = 0; k < 5; ++k)
        for (uint32_t bits = 16; bits <= 32; bits += 16) {
            sooth_ensemble *e = stumps(&ways[k], &first, 1);
            sooth_integers *m = made(sooth_model_from_block(&e->head), bits, SOOTH_INTEGERS_KEYS_WHOLE, NULL);
            const sooth_integers_column *c = soothi_integers_columns(m);
            const int whole = k != 2; /* nobody can tell what that is */
            if (whole) CHECK(c->shift == 0 && c->offset == 0 && soothi_integers_nodes(m)->number == 1264);
            CHECK(c->shift >= 0);
            for (int v = 1262; v < 1268; ++v) {
                const float row[COLS] = {(float)v};
                const int32_t key[COLS] = {v};
                int64_t sum;
                CHECK(sooth_integers_predict(m, row) == (v <= 1264 ? 1.0f : 2.0f));
                sooth_integers_sum(m, key, &sum);
                if (whole) CHECK(sooth_integers_value(m, 0, sum) == (v <= 1264 ? 1.0f : 2.0f));
                CHECK(sooth_integers_key_from_integer(m, 0, v) == soothi_integers_key(m, 0, row[0]));
            }
            sooth_integers_free(&env, m);
            sooth_ensemble_free(&env, e);
        }
}

/* The card of a model with these ranges. */
static sooth_model_card *card_with(const float *range) {
    const sooth_model_card_content content = {.features = COLS, .targets = 1, .range = range};
    sooth_model_card *card;
    CHECK_STATUS(sooth_model_card_make(&env, &content, &card), SOOTH_OK);
    return card;
}

/* How keys are chosen: by hand. */
static void columns_are_chosen(void) {
    const struct choice {
        float low, high;   /* thresholds */
        float least, most; /* the card; least > most: unknown */
        uint32_t bits;
        int32_t shift, offset;
    } choice[] = {
        {0.5f, 3.5f, 1, 0, 8, 0, 0},
        {0.5f, 126.5f, 1, 0, 8, 0, 0},
        {0.5f, 127.5f, 1, 0, 8, 0, 65}, /* 127 must stay for what is above */
        {-128, 3.5f, 1, 0, 8, 0, 0},
        {-128.5f, 3.5f, 1, 0, 8, 0, -62},
        {0.5f, 3.5f, 0, 200, 8, 0, 101}, /* counts up to 200 */
        {0.5f, 3.5f, 0, 254, 8, 0, 128},
        {0.5f, 3.5f, 0, 255, 8, -2, 0}, /* too many for 8 bits: fours */
        {0.5f, 3.5f, 0, 255, 16, 0, 0},
        {0.5f, 3.5f, 0.25f, 4, 16, 12, 0}, /* no counts */
        {0.5f, 3.5f, 0, 4.5f, 16, 12, 0},
        {0.5f, 3.5f, -INFINITY, INFINITY, 8, 0, 0}, /* as good as unknown */
        {0.5f, 3.5f, NAN, 7, 8, 0, 0},
        {0.5f, 3.5f, 0, INFINITY, 8, 0, 0},
        {0.5f, 126.5f, 1, 100, 8, 0, 0}, /* inside of the thresholds */
        {-1e7f, 0.5f, 1, 0, 32, 0, 0},   /* floats that are whole by their size */
        {0.5f, 3.25f, 1, 0, 8, 5, 0},
        {1000.25f, 1000.5f, 1, 0, 8, 9, 512193},
        {0.25f, 0.3f, 1, 0, 32, 32, 0},
        {1e-12f, 2e-12f, 1, 0, 8, 45, 0},
        {1e-30f, 2e-30f, 1, 0, 8, 60, 0}, /* no finer shift */
        {3e9f, 4e9f, 1, 0, 32, 0, INT32_MAX},
        {1e19f, 1.2e20f, 1, 0, 8, -60, 0},
        {16777216.0f, 16777218.0f, 1, 0, 8, 0, 16777218},
    };
    static const uint32_t feature[2] = {3, 3};
    for (size_t k = 0; k < sizeof choice / sizeof *choice; ++k) {
        const struct choice *c = &choice[k];
        const float threshold[2] = {c->low, c->high};
        float range[2 * (COLS + 1)] = {0};
        sooth_ensemble *e = stumps(threshold, feature, 2);
        sooth_model_card *card;
        sooth_model *model;
        sooth_integers *m;
        range[6] = c->least, range[7] = c->most;
        range[0] = -INFINITY, range[1] = 1e30f; /* of a feature that no tree asks for */
        card = card_with(range);
        model = assembled(e, NULL, NULL, card);
        m = made(model, c->bits, SOOTH_INTEGERS_KEYS_WHOLE, NULL);
        CHECK(soothi_integers_columns(m)[3].shift == c->shift);
        CHECK(soothi_integers_columns(m)[3].offset == c->offset);
        for (uint32_t j = 0; j < 3; ++j)
            CHECK(soothi_integers_columns(m)[j].shift == 0 && soothi_integers_columns(m)[j].offset == 0);
        sooth_integers_free(&env, m);
        sooth_model_free(&env, model);
        sooth_model_card_free(&env, card);
        sooth_ensemble_free(&env, e);
    }
}

/* ---- bits for an error ---- */

static void refused(const sooth_model *model, const sooth_integers_options *o, const char *words) {
    sooth_integers *m = (sooth_integers *)(void *)&env;
    CHECK_FAILS(&env, sooth_integers_convert(&env, model, o, &m), SOOTH_BAD_ARGUMENT, words);
    CHECK(m == NULL);
}

/* The bits that were chosen, and the shift of the first feature; 0: none were. */
static uint32_t bits_chosen(const sooth_ensemble *e, const sooth_integers_options *o, int32_t *shift) {
    sooth_integers *m;
    uint32_t bits = 0;
    CHECK_STATUS(sooth_integers_convert(&env, sooth_model_from_block(&e->head), o, &m), SOOTH_OK);
    if (m) {
        bits = m->bits;
        *shift = soothi_integers_columns(m)->shift;
    }
    sooth_integers_free(&env, m);
    return bits;
}

/* The fewest bits within an error, and those in which counts stay counts. */
static void bits_for_an_error(void) {
    const float threshold[3] = {0.5f, 100.5f, 0.3f}, wide[3] = {0.5f, 3000.5f, 0.3f};
    static const uint32_t feature[3] = {0, 0, 1};
    sooth_ensemble *e = stumps(threshold, feature, 3), *f = stumps(wide, feature, 3);
    const built form = {.targets = 1, .trees = 20, .base = 0.1, .size = 1};
    sooth_ensemble *odd = build(&form, 3);
    sooth_integers_options o = {.error = 1e-3};
    int32_t shift;
    double error[3];
    for (uint32_t k = 0; k < 3; ++k) {
        sooth_integers *m =
            made(sooth_model_from_block(&odd->head), 8u << k, SOOTH_INTEGERS_KEYS_WHOLE, NULL);
        error[k] = (double)sooth_integers_targets(m)[0].error;
        sooth_integers_free(&env, m);
    }
    CHECK(error[0] > 1e-3 && error[1] < 1e-2 * error[0] && error[2] < 0.5 * error[1]);
    for (uint32_t k = 0; k < 3; ++k) {
        o.error = 1.0001 * error[k];
        CHECK(bits_chosen(odd, &o, &shift) == 8u << k);
    }
    o.error = 0.9999 * error[2];
    refused(sooth_model_from_block(&odd->head), &o, "with 32 bits the maximum error is");
    o.error = error[1];
    o.bits = 16;
    CHECK(bits_chosen(odd, &o, &shift) == 16);
    o.bits = 8;
    refused(sooth_model_from_block(&odd->head), &o, "with 8 bits the maximum error is");
    o.rule = SOOTH_INTEGERS_KEYS_FLOAT;
    o.bits = 0;
    CHECK(bits_chosen(odd, &o, &shift) == 32);
    memset(&o, 0, sizeof o);
    o.error = 1e-3; /* whole leaves: 8 bits are exact, but not for counts up to 3000 */
    CHECK(bits_chosen(e, &o, &shift) == 8);
    CHECK(bits_chosen(f, &o, &shift) == 16 && shift == 0);
    o.error = 0;
    CHECK(bits_chosen(e, &o, &shift) == 32);
    sooth_ensemble_free(&env, odd);
    sooth_ensemble_free(&env, e);
    sooth_ensemble_free(&env, f);
}

/* ---- what is refused ---- */

static void sentences_tell_what_is_wrong(void) {
    static const fitted others[] = {{"linear", "", 1, 0, 0, 0, 0},
                                    {"tree", "linear_leaves=1 min_samples_leaf=9", 1, 0, 0, 0, 1},
                                    {"boost", "n_estimators=3 linear_leaves=1", 1, 0, 0, 0, 0},
                                    {"boost", "n_estimators=3 quantiles=0.5,0.9", 1, 0, 0, 0, 0},
                                    {"boost", "n_estimators=3 loss=poisson", 1, 0, 4, 0, 0}};
    static const char *const words[] = {"cannot be converted to integers, only trees, forests and",
                                        "the model has linear leaves, which need multiplications;",
                                        "the model has linear leaves, which need multiplications;",
                                        "the model sorts several quantiles, which cannot be converted",
                                        "has a transform that differs from those of other targets,"};
    const float half = 0.5f, minus = -INFINITY, huge = 3e38f;
    static const uint32_t feature = 1;
    static const int32_t far_shift[2][COLS] = {{0, 0, 0, 0, 61}, {-61, 0, 0, 0, 0}}, fine[COLS] = {0, 24};
    sooth_ensemble *e = stumps(&half, &feature, 1), *below = stumps(&minus, &feature, 1),
                   *large = stumps(&huge, &feature, 1);
    sooth_integers *m;
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
        sooth_model *model = fit(&others[k]);
        refused(model, NULL, words[k]);
        sooth_model_free(&env, model);
    }
    for (uint32_t bits = 1; bits < 65; ++bits) {
        const sooth_integers_options o = {.bits = bits},
                                     f = {.bits = bits, .rule = SOOTH_INTEGERS_KEYS_FLOAT};
        if (bits == 8 || bits == 16 || bits == 32) continue;
        refused(sooth_model_from_block(&e->head), &o, ", but must be 8, 16 or 32");
        refused(sooth_model_from_block(&e->head), &f, ", but must be 8, 16 or 32");
    }
    {
        const sooth_integers_options rule = {.rule = 2},
                                     floats = {.rule = SOOTH_INTEGERS_KEYS_FLOAT, .bits = 16},
                                     below_0 = {.error = -1e-9}, none = {.error = NAN},
                                     more = {.shift = far_shift[0]}, less = {.shift = far_shift[1]},
                                     small = {.shift = fine, .bits = 16}, eight = {.bits = 8};
        refused(sooth_model_from_block(&e->head), &rule, "rule is 2, but must be 0 (whole) or 1 (float)");
        refused(sooth_model_from_block(&e->head), &floats, "but float keys need 32");
        refused(sooth_model_from_block(&e->head), &below_0, "but must be 0 or more");
        refused(sooth_model_from_block(&e->head), &none, "but must be 0 or more");
        refused(sooth_model_from_block(&e->head), &more,
                "the shift of feature 5 is 61, but must be -60 to 60");
        refused(sooth_model_from_block(&e->head), &less,
                "the shift of feature 1 is -61, but must be -60 to 60");
        m = made(sooth_model_from_block(&e->head), 16, SOOTH_INTEGERS_KEYS_WHOLE,
                 fine); /* one threshold: an offset brings it near */
        CHECK(soothi_integers_columns(m)[1].shift == 24 && soothi_integers_columns(m)[1].offset == 8388609);
        sooth_integers_free(&env, m);
        refused(sooth_model_from_block(&below->head), &eight, "a threshold of feature 2 is -infinity");
        m = made(sooth_model_from_block(&below->head), 0, SOOTH_INTEGERS_KEYS_FLOAT, NULL);
        sooth_integers_free(&env, m);
        refused(sooth_model_from_block(&large->head), &small, "feature 2 ranges from ");
        refused(sooth_model_from_block(&large->head), NULL, "which does not fit with shift -60 and 32 bits");
    }
    sooth_ensemble_free(&env, large);
    sooth_ensemble_free(&env, below);
    sooth_ensemble_free(&env, e);
}

/* The ensemble behind this input or with this target, for a moment; words: what is said against it. */
static void with_scales(const sooth_ensemble *e, sooth_scale *input, sooth_scale *target, const char *words) {
    sooth_model *model;
    soothi_block_seal(input ? &input->head : &target->head);
    model = assembled(e, input, target, NULL);
    if (words) refused(model, NULL, words);
    else compare_all(model, 0);
    sooth_model_free(&env, model);
}

/* Features that are scaled first, and targets that are not all alike. */
static void transforms_are_refused_or_taken(void) {
    static const char words[] = "the model transforms its features; trees do not need this";
    static const struct way {
        uint32_t transform;
        float shift, width;
    } ways[] = {{SOOTH_SCALE_NONE, 0.5f, 1}, {SOOTH_SCALE_NONE, -0.5f, 1}, {SOOTH_SCALE_NONE, 0, 2},
                {SOOTH_SCALE_LOG1P, 0, 1},   {SOOTH_SCALE_NONE, 0, 0.5f},  {SOOTH_SCALE_NONE, 0, 1}};
    const built one = {.targets = 1, .trees = 5, .size = 1}, two = {.targets = 2, .trees = 4, .size = 1};
    sooth_ensemble *e = build(&one, 1), *f = build(&two, 1);
    sooth_scale *target = scale_of(2, SOOTH_SCALE_LOG, 0.5f, 2.0f);
    for (uint32_t k = 0; k < 6; ++k) {
        sooth_scale *input = scale_of(COLS, ways[k].transform, ways[k].shift, ways[k].width);
        with_scales(e, input, NULL, k < 5 ? words : NULL); /* the last changes nothing */
        input->clip = 1;
        with_scales(e, input, NULL, words);
        sooth_scale_free(&env, input);
    }
    with_scales(f, NULL, target, NULL);
    ((sooth_scale_column *)(void *)(target + 1))[1].transform = SOOTH_SCALE_LOG1P;
    with_scales(f, NULL, target, "target 2 has a transform that differs from those of other targets,");
    sooth_scale_free(&env, target);
    sooth_ensemble_free(&env, e);
    sooth_ensemble_free(&env, f);
}

/* A sum of columns and statistics of levels are floats, which are multiplied and looked up. */
static void parts_of_floats_are_refused(void) {
    static const uint8_t categorical[2] = {1, 0};
    static const char *const users[] = {"ann", "bob", "cy"}, *const * text[2] = {users, NULL};
    float x[2 * 60] = {0}, y[60] = {0};
    sooth_table table = sooth_table_of(x, y, 60, 2);
    sooth_levels *levels = NULL;
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    for (uint32_t i = 0; i < 60; ++i) {
        x[2 * i] = (float)(i % 3);
        x[2 * i + 1] = (float)(i % 7);
        y[i] = 5.0f + x[2 * i] * x[2 * i + 1];
    }
    CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, "tree"), SOOTH_OK);
    memcpy(recipe.ratio_to, "column 2+1", 11);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    refused(model, NULL, "the model multiplies by a sum of columns (ratio_to), which cannot be converted");
    sooth_model_free(&env, model);
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, NULL, x, &levels), SOOTH_OK);
    recipe.ratio_to[0] = 0;
    recipe.levels = levels;
    recipe.encode = SOOTH_TRAIN_ENCODE_TARGET;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    refused(model, NULL, "the model encodes categories by statistics, which cannot be converted");
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

/* Leaves that no integers stand for: too large, and, in a model that someone forged, no numbers at all. */
static void leaves_that_do_not_fit(void) {
    const built forms[] = {{1, 0, 0, 3, 0, 1e30f}, {1, 0, 0, 3, 1e37, 1}, {1, 0, 0, 3, 0, 1e22f}};
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t k = 0; k < 3; ++k) {
        const sooth_integers_options eight = {.bits = 8}, any = {.error = 1e30};
        sooth_ensemble *e = build(&forms[k], 6);
        sooth_integers *m;
        refused(sooth_model_from_block(&e->head), &eight,
                "the sum of 3 trees does not fit with 8-bit leaves");
        if (k < 2) refused(sooth_model_from_block(&e->head), &any, "does not fit with 32-bit leaves");
        else {
            CHECK_STATUS(sooth_integers_convert(&env, sooth_model_from_block(&e->head), &any, &m), SOOTH_OK);
            CHECK(m && m->bits == 16);
            sooth_integers_free(&env, m);
        }
        sooth_ensemble_free(&env, e);
    }
    for (uint32_t k = 0; k < 12; ++k) {
        const built form = {k / 3 % 2 + 1, k < 6 ? 0 : SOOTH_ENSEMBLE_ROWS, 0, 4, 0.5, 1};
        sooth_ensemble *e = build(&form, 6);
        sooth_tree_node *node = (sooth_tree_node *)(uintptr_t)soothi_ensemble_nodes(e);
        if (form.flags && form.targets > 1) ((float *)(uintptr_t)soothi_ensemble_values(e))[3] = odd[k % 3];
        else node[3].u.value = odd[k % 3];
        soothi_block_seal(&e->head);
        CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST) && !(node[3].link & 1u));
        refused(sooth_model_from_block(&e->head), NULL, "too large for an integer");
        sooth_ensemble_free(&env, e);
    }
    {
        const built form = {1, 0, 0, 4, 0.5, 1};
        sooth_ensemble *e = build(&form, 6);
        ((float *)(uintptr_t)soothi_ensemble_base(e))[0] = NAN;
        soothi_block_seal(&e->head);
        refused(sooth_model_from_block(&e->head), NULL, "too large for an integer");
        sooth_ensemble_free(&env, e);
    }
}

/* 32 bits of a node hold how far its children are, and its key. What is built leaves enough of them for both;
   a tree that says afterwards that it has more columns may not. */
static void trees_too_large_for_their_columns(void) {
    enum { LINE = 8192, WIDE = 1 << 18 };
    static float x[LINE], y[LINE];
    const sooth_tree_options o = {.no_statistics = 1};
    const sooth_integers_options floats = {.rule = SOOTH_INTEGERS_KEYS_FLOAT};
    sooth_table table;
    sooth_integers *m;
    sooth_tree *tree;
    for (size_t i = 0; i < LINE; ++i) x[i] = y[i] = (float)i;
    table = sooth_table_of(x, y, LINE, 1);
    CHECK_STATUS(sooth_tree_fit(&env, &table, &o, &tree), SOOTH_OK);
    if (!tree) return;
    for (uint32_t features = 1; features <= WIDE; features += WIDE - 1) {
        tree->head.features = features;
        soothi_block_seal(&tree->head);
        CHECK(sooth_tree_check(tree, tree->head.size));
        m = made(sooth_model_from_block(&tree->head), 16, SOOTH_INTEGERS_KEYS_WHOLE, NULL);
        CHECK(m->shift == (features == 1 ? 2 : 19) && m->depth == tree->depth);
        CHECK(sooth_integers_cost(m).comparisons == tree->depth);
        sooth_integers_free(&env, m);
    }
    refused(sooth_model_from_block(&tree->head), &floats, "nodes is too large for 262144 features");
    sooth_tree_free(&env, tree);
}

/* 2^31 keys, which no block of 4 GiB holds, of a small file that claims them. */
static void more_keys_than_a_block_holds(void) {
    static const float x[2] = {1, 2}, y[2] = {5, 5};
    const sooth_table table = sooth_table_of(x, y, 2, 1);
    const sooth_integers_options floats = {.rule = SOOTH_INTEGERS_KEYS_FLOAT};
    sooth_integers *m;
    sooth_tree *tree;
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    tree->head.features = 1u << 30;
    soothi_block_seal(&tree->head);
    CHECK(sooth_tree_check(tree, tree->head.size));
    CHECK_STATUS(sooth_integers_convert(&env, sooth_model_from_block(&tree->head), &floats, &m),
                 SOOTH_NO_MEMORY);
    CHECK(m == NULL);
    sooth_tree_free(&env, tree);
}

static void memory_that_fails(void) {
    const fitted f = {"forest", "n_estimators=3 max_depth=3", 2, 0, SOOTH_SCALE_LOG + 1, 0, 1};
    const sooth_integers_options floats = {.rule = SOOTH_INTEGERS_KEYS_FLOAT}, wrong = {.bits = 9};
    sooth_model *model = fit(&f);
    sooth_integers *m;
    sooth_env failing;
    check_memory memory;
    sooth_env_init(&failing);
    CHECK_EVERY_ALLOCATION(&failing, sooth_integers_convert(&failing, model, NULL, &m),
                           sooth_integers_free(&failing, m));
    CHECK_EVERY_ALLOCATION(&failing, sooth_integers_convert(&failing, model, &floats, &m),
                           sooth_integers_free(&failing, m));
    check_memory_init(&memory, &failing, -1);
    CHECK_STATUS(sooth_integers_convert(&failing, model, &wrong, &m), SOOTH_BAD_ARGUMENT);
    CHECK(m == NULL && memory.live == 0);
    sooth_integers_free(&failing, NULL);
    sooth_model_free(&env, model);
}

/* ---- check ---- */

/* Small blocks of every form, by number; NULL: no more. */
static sooth_integers *block_of(uint32_t k) {
    const built forms[] = {{1, 0, 0, 3, 0.1, 1},
                           {2, 0, SOOTH_ENSEMBLE_LINK_EXP, 4, 0.1, 1},
                           {2, SOOTH_ENSEMBLE_ROWS, 0, 3, 0.1, 1}};
    sooth_ensemble *e;
    sooth_integers *m;
    if (k >= 12) return NULL;
    e = build(&forms[k / 4], 70 + k);
    m = made(sooth_model_from_block(&e->head), k % 4 == 0 ? 8 : k % 4 == 1 ? 16 : 32, k % 4 == 3, NULL);
    sooth_ensemble_free(&env, e);
    return m;
}

/* Everything that takes a checked model. */
static void use(const sooth_integers *m, const float *x, size_t rows) {
    const uint32_t keys = sooth_integers_key_count(m), targets = m->head.targets;
    int32_t *key = (int32_t *)malloc(keys * sizeof *key);
    int64_t *sum = (int64_t *)malloc(targets * sizeof *sum);
    float *row = (float *)malloc(rows * m->head.features * sizeof *row),
          *out = (float *)malloc(rows * targets * sizeof *out);
    if (!key || !sum || !row || !out) abort();
    for (size_t i = 0; i < rows * m->head.features; ++i) row[i] = x[i % (rows * COLS)];
    sooth_integers_predict_many(m, row, rows, m->head.features, out);
    for (size_t i = 0; i < rows; ++i) {
        sooth_integers_keys(m, row + i * m->head.features, key);
        sooth_integers_sum(m, key, sum);
        for (uint32_t t = 0; t < targets; ++t) {
            const float again = sooth_integers_value(m, t, sum[t]);
            CHECK(memcmp(&again, out + i * targets + t, sizeof again) == 0);
        }
        for (uint32_t k = 0; k < keys; ++k)
            (void)sooth_integers_key_from_integer(m, k, (int64_t)i * 1000000007 - 12345);
    }
    CHECK(sooth_integers_cost(m).bytes == m->head.size);
    free(key), free(sum), free(row), free(out);
}

/* Every word set to its neighbours and to what is odd: refused, or harmless. */
static void forged_words_are_refused_or_harmless(void) {
    static float x[ROWS * COLS];
    sooth_integers *m;
    for (uint32_t k = 0; (m = block_of(k)) != NULL; ++k) {
        uint32_t taken = 0, tried = 0;
        for (size_t i = 0; i < 6 * COLS; ++i) x[i] = i % 7 ? (float)i - 9.5f : i % 2 ? NAN : -1e30f;
        for (size_t at = 0; at < m->head.size; at += 4) {
            uint32_t was;
            memcpy(&was, (const unsigned char *)m + at, 4);
            for (uint32_t way = 0; way < 12; ++way) {
                const uint32_t odd[12] = {0,           1,           2,           was + 1,
                                          was - 1,     was ^ 1u,    was + 2,     was * 2,
                                          0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x7FC00000u};
                sooth_block *copy = lies_copy(&m->head);
                memcpy((unsigned char *)copy + at, &odd[way], 4);
                if (copy->size <= m->head.size && copy->size % 16 == 0) soothi_block_seal(copy);
                ++tried;
                if (sooth_integers_check(copy, m->head.size)) {
                    ++taken;
                    use((const sooth_integers *)(void *)copy, x, 6);
                }
                free(copy);
            }
        }
        CHECK(taken > tried / 20 && taken < tried);
        sooth_integers_free(&env, m);
        if (check_failures) return;
    }
}

/* Where the arrays of a block stand, in bytes. */
typedef struct places {
    size_t node, start, column, target, value;
} places;

static places places_of(const sooth_integers *m) {
    places p;
    p.node = sizeof *m;
    p.start = p.node + 8 * (size_t)m->nodes;
    p.column = p.start + 4 * ((size_t)m->trees + 1);
    p.target = p.column + 8 * (size_t)m->head.features;
    p.value = p.target + 24 * (size_t)m->head.targets;
    return p;
}

static uint32_t word_of(const sooth_integers *m, size_t at) {
    uint32_t v;
    memcpy(&v, (const unsigned char *)m + at, 4);
    return v;
}

/* Is the block sound with this word? */
static int believed(const sooth_integers *m, size_t at, uint32_t value) {
    return lies_believed(sooth_integers_check, &m->head, at, value);
}

/* A tree whose root is a leaf, with nodes behind it that no node leads to, one of them its own child. */
static void orphans_are_found(void) {
    for (uint32_t k = 0; k < 12; ++k) {
        sooth_integers *m = block_of(k);
        sooth_integers_node *node = (sooth_integers_node *)(uintptr_t)soothi_integers_nodes(m);
        node[0].number = 0;
        node[0].link = 0;
        node[1].link = 1;
        node[2].link = 1u | 1u << m->shift;
        soothi_block_seal(&m->head);
        CHECK(!sooth_integers_check(m, m->head.size));
        sooth_integers_free(&env, m);
    }
}

static void a_cost_beyond_32_bits(void) {
    sooth_integers m;
    memset(&m, 0, sizeof m);
    m.head.targets = 1;
    m.trees = m.depth = 65535;
    CHECK(sooth_integers_cost(&m).comparisons == 65535u * 65535u);
    m.trees = m.depth = 65536;
    CHECK(sooth_integers_cost(&m).comparisons == UINT32_MAX);
}

/* Trees of one leaf take no comparison. */
static void leaves_alone(void) {
    const soothi_ensemble_shape shape = {.kind = SOOTH_KIND_BOOST, .features = 1, .targets = 1};
    const soothi_ensemble_node leaf = {.value = 0.75};
    const float row[1] = {5};
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    sooth_integers *m;
    soothi_ensemble_begin(&builder, &env, &shape);
    soothi_ensemble_add_plain_tree(&builder, &leaf, 1, NULL);
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    m = made(sooth_model_from_block(&e->head), 8, SOOTH_INTEGERS_KEYS_WHOLE, NULL);
    CHECK(m->depth == 0 && sooth_integers_cost(m).comparisons == 0 &&
          sooth_integers_predict(m, row) == 0.75f);
    CHECK(!believed(m, offsetof(sooth_block, features), 0));
    CHECK(believed(m, offsetof(sooth_integers, shift), 31) &&
          !believed(m, offsetof(sooth_integers, shift), 32));
    {
        sooth_block *cut = (sooth_block *)malloc(48); /* behind which a sanitizer sees every byte read */
        if (!cut) abort();
        memcpy(cut, m, 48);
        cut->size = cut->doubles_at = cut->bytes_at = 48;
        soothi_block_seal(cut);
        CHECK(!sooth_integers_check(cut, 48));
        free(cut);
    }
    sooth_integers_free(&env, m);
    sooth_ensemble_free(&env, e);
}

/* A block put together by hand: of trees of one leaf each, or of the nodes and beginnings given. */
typedef struct shape {
    uint32_t nodes, trees, targets, values, rule, bits;
    int sound;
} shape;

static sooth_integers *shaped(const shape *c, const sooth_integers_node *node, const uint32_t *start) {
    const size_t words = sizeof(sooth_integers) + 8 * (size_t)c->nodes + 4 * (size_t)(c->trees + 1) + 8 +
                         (size_t)c->targets * (24 + 4 * (size_t)c->values);
    sooth_integers *m =
        (sooth_integers *)soothi_block_new(&env, SOOTH_KIND_INTEGERS, SOOTH_INTEGERS_VERSION, words, 0, 0);
    if (!m) abort();
    m->head.features = 1;
    m->head.targets = c->targets;
    m->trees = c->trees;
    m->nodes = c->nodes;
    m->shift = 2;
    m->rule = c->rule;
    m->bits = c->bits;
    m->values = c->values;
    sooth_integers_node *own = (sooth_integers_node *)(uintptr_t)soothi_integers_nodes(m);
    uint32_t *begins = (uint32_t *)(uintptr_t)soothi_integers_start(m);
    for (uint32_t k = 0; k < c->nodes; ++k) {
        if (node) own[k] = node[k];
        else own[k].number = c->values ? (int32_t)k : 0;
    }
    for (uint32_t k = 0; k <= c->trees; ++k) begins[k] = start ? start[k] : k < c->nodes ? k : c->nodes;
    m->depth = node ? 1 : 0;
    soothi_block_seal(&m->head);
    return m;
}

/* How many trees, nodes, targets and rows go together, and which bits with which rule. */
static void shapes_that_go_together(void) {
    static const shape all[] = {{1, 1, 1, 0, 0, 8, 1},   {0, 0, 1, 0, 0, 8, 0},
                                {2, 1, 1, 0, 0, 8, 0}, /* a node behind the last tree */
                                {2, 2, 1, 0, 0, 8, 1},   {1, 1, 1, 1, 0, 8, 0},
                                {1, 1, 2, 1, 0, 8, 1}, /* rows: of several targets */
                                {3, 3, 2, 3, 0, 8, 1},   {1, 1, 2, 0, 0, 8, 0},
                                {2, 2, 2, 0, 0, 8, 1},   {3, 3, 2, 0, 0, 8, 0},
                                {20, 20, 1, 0, 0, 8, 1}, {1, 2, 1, 0, 0, 8, 0}, /* a tree without nodes */
                                {1, 1, 2, 2, 0, 8, 0},                          /* a row without a leaf */
                                {2, 2, 2, 1, 0, 8, 0},                          /* a leaf without a row */
                                {1, 1, 1, 0, 0, 16, 1},  {1, 1, 1, 0, 0, 32, 1},
                                {1, 1, 1, 0, 0, 24, 0},  {1, 1, 1, 0, 1, 8, 0},
                                {1, 1, 1, 0, 1, 16, 0},  {1, 1, 1, 0, 1, 32, 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        sooth_integers *m = shaped(&all[k], NULL, NULL);
        CHECK(sooth_integers_check(m, m->head.size) == all[k].sound);
        if (check_failures) printf("  shape %u\n", (unsigned)k);
        sooth_integers_free(&env, m);
    }
}

/* Two trees that share nodes; and one that goes on behind the nodes, where beginnings, columns and the target
   look like nodes up to the end of the block. */
static void trees_keep_to_their_nodes(void) {
    const sooth_integers_node three[3] = {{0, 1u << 2 | 1u}, {0, 0}, {0, 0}};
    sooth_integers_node ten[10] = {{0, 1u << 2 | 1u}};
    const uint32_t own[2] = {0, 3}, shared[3] = {0, 2, 3}, behind[3] = {0, 9, 10};
    const shape one = {3, 1, 1, 0, 0, 8, 1}, two = {3, 2, 1, 0, 0, 8, 0}, last = {10, 2, 1, 0, 0, 8, 0};
    sooth_integers *m = shaped(&one, three, own);
    CHECK(sooth_integers_check(m, m->head.size));
    sooth_integers_free(&env, m);
    m = shaped(&two, three, shared);
    CHECK(!sooth_integers_check(m, m->head.size));
    sooth_integers_free(&env, m);
    for (uint32_t i = 1; i < 8; i += 2) ten[i].link = i < 7 ? 2u << 2 | 1u : 0;
    ten[9].link = 1u << 2 | 1u;
    m = shaped(&last, ten, behind);
    m->depth = 4;
    sooth_integers_target *target = (sooth_integers_target *)(uintptr_t)sooth_integers_targets(m);
    target->scale = 2 << 2 | 1;
    target->base_high = 3u << 2 | 1u;
    soothi_block_seal(&m->head);
    sooth_block *copy = lies_copy(&m->head);
    CHECK(!sooth_integers_check(copy, copy->size));
    free(copy);
    ((sooth_integers_node *)(uintptr_t)soothi_integers_nodes(m))[9].link = 0; /* sound but for that */
    soothi_block_seal(&m->head);
    CHECK(sooth_integers_check(m, m->head.size));
    sooth_integers_free(&env, m);
}

/* Numbers of nodes, targets and rows whose bytes add up to 80 and 2^64, 8 x 2^30 + 2^31 (24 + 4 (2^31 - 7))
   among them. */
static void sizes_that_go_round(void) {
    union {
        sooth_integers m;
        unsigned char bytes[80];
    } *round = malloc(sizeof *round); /* behind which a sanitizer sees every byte read */
    if (!round) abort();
    memset(round, 0, sizeof *round);
    round->m.head.magic = SOOTH_BLOCK_MAGIC;
    round->m.head.kind = SOOTH_KIND_INTEGERS | SOOTH_INTEGERS_VERSION << 16;
    round->m.head.size = round->m.head.doubles_at = round->m.head.bytes_at = sizeof *round;
    round->m.head.features = round->m.trees = 1;
    round->m.head.targets = 0x80000000u;
    round->m.nodes = 0x40000000u;
    round->m.values = 0x7FFFFFF9u;
    round->m.shift = 2;
    round->m.bits = 8;
    soothi_block_seal(&round->m.head);
    CHECK(sooth_block_check(round, sizeof *round, SOOTH_KIND_INTEGERS, SOOTH_INTEGERS_VERSION));
    CHECK(!sooth_integers_check(round, sizeof *round));
    free(round);
}

/* Leaves with rows of values are numbered beyond what 8 bits hold; thresholds are not. */
static void rows_are_numbered(void) {
    const built form = {2, SOOTH_ENSEMBLE_ROWS, 0, 70, 0.1, 1};
    sooth_ensemble *e = build(&form, 4);
    sooth_integers *m = made(sooth_model_from_block(&e->head), 8, SOOTH_INTEGERS_KEYS_WHOLE, NULL);
    CHECK(m->values > 150);
    for (uint32_t i = 0; i < m->nodes; ++i)
        if (soothi_integers_nodes(m)[i].link & 1u) {
            CHECK(!believed(m, sizeof *m + 8 * (size_t)i, 128));
            CHECK(!believed(m, sizeof *m + 8 * (size_t)i, (uint32_t)-129));
        }
    sooth_integers_free(&env, m);
    sooth_ensemble_free(&env, e);
}

#define FIELD(name) offsetof(sooth_integers, name)

/* What no block may say, and, at the ends, what it still may. */
static void lies_are_found(void) {
    const uint32_t nan = 0x7FC00000u, minus_one = 0xBF800000u;
    sooth_integers *m;
    for (uint32_t k = 0; (m = block_of(k)) != NULL; ++k) {
        sooth_integers_target *target = (sooth_integers_target *)(uintptr_t)sooth_integers_targets(m);
        const places p = places_of(m);
        const uint32_t root = word_of(m, p.node + 4), leaf = 4 * 8 + 4, big = 0x7FFFFFFFu >> (32 - m->bits);
        const lies_word lies[] = {
            {offsetof(sooth_block, features), 0},
            {offsetof(sooth_block, features), 0x0FFFFFFFu},
            {offsetof(sooth_block, features), 0x10000000u},
            {offsetof(sooth_block, doubles_at), m->head.size - 16},
            {offsetof(sooth_block, features), 0xFFFFFFFFu},
            {offsetof(sooth_block, targets), 0},
            {offsetof(sooth_block, targets), 0xFFFFFFFFu},
            {FIELD(trees), 0},
            {FIELD(trees), m->trees - 1},
            {FIELD(trees), m->trees + 1},
            {FIELD(trees), 0x1000000u},
            {FIELD(trees), 0xFFFFFFFFu},
            {FIELD(nodes), m->nodes - 1},
            {FIELD(nodes), m->nodes + 1},
            {FIELD(nodes), 0xFFFFFFFFu},
            {FIELD(depth), m->depth - 1},
            {FIELD(depth), m->depth + 1},
            {FIELD(shift), 0},
            {offsetof(sooth_block, targets), 0x10000001u},
            {FIELD(shift), m->shift + 1},
            {FIELD(shift), 32},
            {FIELD(rule), 2},
            {FIELD(bits), 0},
            {FIELD(bits), m->rule == SOOTH_INTEGERS_KEYS_FLOAT ? 16 : 9},
            {FIELD(bits), 64},
            {FIELD(link), 4},
            {FIELD(values), 0xFFFFFFFFu},
            {p.node + 4, root & ~1u},
            {p.node + 4, root + (1u << m->shift)},
            {p.node + 4, root - (1u << m->shift)},
            {p.node + 4, (root >> m->shift << m->shift) + 2 * sooth_integers_key_count(m) + 1},
            {p.node + 4, 0},
            {p.node + leaf, 2},
            {p.node + leaf, root},
            {p.start, 1},
            {p.start + 4, 0},
            {p.start + 4, 4},
            {p.start + 4, 6},
            {p.start + 4, m->nodes + 1},
            {p.start + 4 * (size_t)m->trees, m->nodes - 1},
            {p.start + 4 * (size_t)m->trees, m->nodes + 1},
            {p.column, 61},
            {p.column, 0xFFFFFFC3u},
            {p.column + 8 * (COLS - 1), 61},
            {p.target, 121},
            {p.target, 0xFFFFFFC3u},
            {p.target + 8, 0x40000001u},
            {p.target + 8, 0xBFFFFFFEu},
            {p.target + 12, minus_one},
            {p.target + 12, nan},
            {p.target + 16, nan},
            {p.target + 16, 0x7F800000u},
            {p.target + 20, nan},
            {p.target + 20, 0xFF800000u},
            {p.target + 24 * (size_t)(m->head.targets - 1) + 20, nan},
        };
        const size_t bytes = 64 + 8 * (size_t)m->nodes + 4 * ((size_t)m->trees + 1) + 8 * m->head.features +
                             m->head.targets * (24 + 4 * (size_t)m->values);
        CHECK(m->head.size == (bytes + 15) / 16 * 16);
        CHECK(word_of(m, p.start + 4) == 5 && !(word_of(m, p.node + leaf) & 1u));
        CHECK(!believed(m, p.start, 4)); /* a leaf, and a tree by itself */
        lies_about_size_are_refused(sooth_integers_check, &m->head);
        lies_are_refused(sooth_integers_check, &m->head, lies, sizeof lies / sizeof *lies);
        for (int end = 0; end < 2; ++end) { /* the ends, and one beyond */
            const uint32_t in = end ? ~big : big, out = end ? in - 1 : in + 1;
            CHECK(believed(m, p.node, in));
            if (!m->values) CHECK(believed(m, p.node + leaf - 4, in));
            if (m->values) {
                CHECK(!believed(m, p.node + leaf - 4, in));
                CHECK(!believed(m, p.node + leaf - 4, 5));
                for (size_t v = 0; v < (size_t)m->values * m->head.targets; ++v) {
                    CHECK(believed(m, p.value + 4 * v, in));
                    CHECK(m->bits == 32 || !believed(m, p.value + 4 * v, out));
                }
            }
            if (m->bits == 32) continue;
            CHECK(!believed(m, p.node, out));
            CHECK(!believed(m, p.node + leaf - 4, out));
        }
        for (uint32_t j = 0; j < COLS; ++j) { /* floats have neither shift nor offset */
            const int whole = m->rule == SOOTH_INTEGERS_KEYS_WHOLE;
            CHECK(believed(m, p.column + 8 * j, 60) == whole);
            CHECK(believed(m, p.column + 8 * j, (uint32_t)-60) == whole);
            CHECK(believed(m, p.column + 8 * j + 4, 77) == whole);
        }
        CHECK(believed(m, p.target, 120));
        CHECK(believed(m, p.target, (uint32_t)-60));
        CHECK(believed(m, p.target + 12, 0));
        CHECK(believed(m, p.target + 16, 0x7F7FFFFFu)); /* equal to `most` */
        target->base_low = 0;
        CHECK(believed(m, p.target + 8, 0x40000000u));
        CHECK(believed(m, p.target + 8, 0xC0000000u));
        target->base_low = 1;
        CHECK(!believed(m, p.target + 8, 0x40000000u));
        CHECK(believed(m, p.target + 8, 0xC0000000u));
        target->base_low = 0xFFFFFFFFu;
        CHECK(!believed(m, p.target + 8, 0xBFFFFFFFu));
        if (check_failures) printf("  block %u\n", (unsigned)k);
        sooth_integers_free(&env, m);
        if (check_failures) return;
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(models_answer_within_their_error);
    CHECK_RUN(ensembles_of_every_form);
    CHECK_RUN(a_base_and_a_shift_that_cancel);
    CHECK_RUN(a_mean_ends_where_leaves_do);
    CHECK_RUN(a_mean_ends_where_the_target_does);
    CHECK_RUN(imported_models_answer_within_their_error);
    CHECK_RUN(keys_of_floats_keep_their_order);
    CHECK_RUN(keys_are_floors);
    CHECK_RUN(halves_between_whole_numbers);
    CHECK_RUN(columns_are_chosen);
    CHECK_RUN(bits_for_an_error);
    CHECK_RUN(sentences_tell_what_is_wrong);
    CHECK_RUN(transforms_are_refused_or_taken);
    CHECK_RUN(parts_of_floats_are_refused);
    CHECK_RUN(leaves_that_do_not_fit);
    CHECK_RUN(trees_too_large_for_their_columns);
    CHECK_RUN(more_keys_than_a_block_holds);
    CHECK_RUN(memory_that_fails);
    CHECK_RUN(forged_words_are_refused_or_harmless);
    CHECK_RUN(lies_are_found);
    CHECK_RUN(orphans_are_found);
    CHECK_RUN(a_cost_beyond_32_bits);
    CHECK_RUN(leaves_alone);
    CHECK_RUN(shapes_that_go_together);
    CHECK_RUN(trees_keep_to_their_nodes);
    CHECK_RUN(sizes_that_go_round);
    CHECK_RUN(rows_are_numbered);
    return check_end("integers");
}
