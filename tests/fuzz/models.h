/* models.h - what may be done with anyone's model: every public function that takes one, and what holds.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A target's input is a model file. One that is refused has a sentence; one that is taken is used for all
 * that there is: predicted from, described, explained, exported, grown, pruned, quantised, turned. Nothing
 * may read or write outside, loop, or print what steers a terminal; one row and many have the same bits; what
 * is made of a sound model is sound. functions.sh tells whether a function is forgotten here.
 *
 * Nothing is left out because a file claims to be large, but where the rows that this file makes up would be:
 * more than MOST features or targets, and explanations whose cost is a product of large numbers.
 */
#ifndef FUZZ_MODELS_H
#define FUZZ_MODELS_H

#include "inside.h"
#define SOOTH_IMPLEMENTATION
#include "sooth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_MUTATE mutate_model
#include "mutate_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 19, MOST = 600, MOST_TEXT = 1 << 20, MOST_MEMORY = 1 << 27 };

#define MUST(condition)                                                                     \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: this must hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                        \
        }                                                                                   \
    } while (0)

/* ---- an env whose memory ends, and that must be given back ---- */

typedef struct purse {
    size_t live;
} purse;

static void *purse_alloc(void *user, size_t size) {
    purse *p = (purse *)user;
    void *memory;
    if (size > MOST_MEMORY || p->live + size > MOST_MEMORY) return NULL;
    memory = malloc(size);
    if (memory) p->live += size;
    return memory;
}

static void purse_free(void *user, void *memory, size_t size) {
    ((purse *)user)->live -= size;
    free(memory);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

static float *floats(size_t count) { return (float *)room(count, sizeof(float)); }
static double *doubles(size_t count) { return (double *)room(count, sizeof(double)); }

/* Did it work? If not, it says why. */
static int works(sooth_env *env, sooth_status status) {
    MUST(status == SOOTH_OK || env->sentence[0]);
    env->sentence[0] = 0;
    return status == SOOTH_OK;
}

/* ---- text that is written ---- */

typedef struct page {
    size_t size;
    int tabs;   /* Go's own style wants them; nothing else that is written has any */
    char *text; /* NULL: only looked at */
} page;

static int page_write(void *user, const char *text, size_t size) {
    page *p = (page *)user;
    size_t i;
    if (p->size + size > MOST_TEXT) return 1;
    for (i = 0; i < size; ++i) /* nothing that steers a terminal */
        MUST(((unsigned char)text[i] >= 0x20 && text[i] != 0x7F) || text[i] == '\n' ||
             (text[i] == '\t' && p->tabs));
    if (p->text) memcpy(p->text + p->size, text, size);
    p->size += size;
    return 0;
}

/* Takes bytes that are no text: all of them are read. */
static int swallow(void *user, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) *(unsigned *)user += (unsigned char)bytes[i];
    return 0;
}

static sooth_sink sink_of(page *p, int keep) {
    sooth_sink sink;
    p->size = 0;
    p->tabs = 0;
    p->text = keep ? (char *)room(MOST_TEXT, 1) : NULL;
    sink.user = p;
    sink.write_fn = page_write;
    sink.failed = 0;
    return sink;
}

/* Steps over one JSON value, which must be one (RFC 8259), and the blanks around it. */
static const char *json_after(const char *t, unsigned depth) {
    const char *from;
    MUST(depth < 99);
    t += strspn(t, " \n");
    if (*t == '{' || *t == '[') {
        const char end = *t == '{' ? '}' : ']';
        t += 1 + strspn(t + 1, " \n");
        for (; *t != end; t += *t == ',') {
            if (end == '}') {
                MUST(*(t + strspn(t, " \n")) == '"');
                t = json_after(t, depth + 1);
                MUST(*t++ == ':');
            }
            t = json_after(t, depth + 1);
            MUST(*t == end || (*t == ',' && t[1 + strspn(t + 1, " \n")] != end));
        }
        ++t;
    } else if (*t == '"') {
        for (++t; *t != '"'; ++t) {
            MUST((unsigned char)*t >= 0x20);
            if (*t == '\\') MUST(strchr("\"\\/bfnrtu", *++t));
        }
        ++t;
    } else if (strncmp(t, "true", 4) == 0 || strncmp(t, "null", 4) == 0) t += 4;
    else if (strncmp(t, "false", 5) == 0) t += 5;
    else {
        t += *t == '-';
        from = t;
        t += strspn(t, "0123456789");
        MUST(t > from && (*from != '0' || t == from + 1));
        if (*t == '.') from = ++t, t += strspn(t, "0123456789");
        MUST(t > from);
        if (*t == 'e' || *t == 'E') {
            t += t[1] == '+' || t[1] == '-' ? 2 : 1;
            from = t;
            t += strspn(t, "0123456789");
            MUST(t > from);
        }
    }
    return t + strspn(t, " \n");
}

/* ---- rows ---- */

typedef struct sample {
    sooth_env *env;
    size_t features, targets;
    float *x[3];        /* ROWS of odd numbers; the same with missing values; with infinities */
    float *y;           /* above 0 */
    sooth_table table;  /* of ordinary numbers */
    sooth_table levels; /* of codes of categories */
} sample;

static float infinite(int below) {
    static const uint32_t bits[2] = {0x7F800000u, 0xFF800000u};
    float v;
    memcpy(&v, &bits[below], sizeof v);
    return v;
}

static float missing(void) {
    static const uint32_t bits = 0x7FC00000u;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static void sample_make(sample *s, sooth_env *env, size_t features, size_t targets) {
    static const float odd[] = {0.0f, -1.0f, 3.5f, 1e30f, 7.0f, -1e-40f, 3e38f, 19.0f, 1.0f, 2.0f, -3e38f};
    float *usual = floats(ROWS * features), *codes = floats(ROWS * features);
    uint8_t *categorical = (uint8_t *)room(features, 1);
    size_t i, k;
    s->env = env;
    s->features = features;
    s->targets = targets;
    s->y = floats(ROWS * targets);
    for (i = 0; i < ROWS * targets; ++i) s->y[i] = 1.0f + (float)(i * 5 % 7);
    for (i = 0; i < ROWS * features; ++i) usual[i] = (float)(i * 7 % 23) / 2.0f;
    sooth_table_init(&s->table, usual, ROWS, features);
    s->table.y = s->y;
    s->table.targets = targets;
    s->levels = s->table;
    s->levels.x = codes;
    s->levels.categorical = categorical;
    for (i = 0; i < ROWS * features; ++i) codes[i] = (float)(i * 7 % 23);
    memset(categorical, 1, features);
    for (k = 0; k < 3; ++k) {
        s->x[k] = floats(ROWS * features);
        for (i = 0; i < ROWS * features; ++i) s->x[k][i] = odd[(i * 7 + k) % 11];
        for (i = k; i < ROWS * features && k == 1; i += 5) s->x[k][i] = missing();
        for (i = k; i < ROWS * features && k == 2; i += 3) s->x[k][i] = infinite(i % 2 == 0);
    }
}

static void sample_free(sample *s) {
    size_t k;
    free((void *)(uintptr_t)s->table.x);
    free((void *)(uintptr_t)s->levels.x);
    free((void *)(uintptr_t)s->levels.categorical);
    free(s->y);
    for (k = 0; k < 3; ++k) free(s->x[k]);
}

/* The same bits, or both NaN. */
static void same(float a, float b) { MUST(memcmp(&a, &b, sizeof a) == 0 || (!(a <= a) && !(b <= b))); }

/* ---- trees of any kind ---- */

static void use_explained(sample *s, sooth_explain_trees v) {
    const size_t f = s->features, t = s->targets;
    const double work = (double)v.nodes * v.depth * v.depth * (double)t;
    double *a = doubles(f), *b = doubles(f), *mean = doubles(ROWS * t), base;
    float *out = floats(ROWS * t), *grid = floats(ROWS), *each = floats(ROWS * ROWS * t);
    uint32_t *counts = (uint32_t *)room(f, sizeof *counts), k;
    sooth_explain_use *uses = (sooth_explain_use *)room(f, sizeof *uses);
    sooth_explain_step *step = (sooth_explain_step *)room(v.depth, sizeof *step);
    sooth_table odd = s->table, missing_rows = s->table, few = s->table;
    size_t i, points;
    odd.x = s->x[2];
    missing_rows.x = s->x[1];
    few.rows = 3;
    sooth_explain_predict(&v, s->table.x, ROWS, f, out);
    for (i = 0; i < t; ++i) (void)sooth_explain_margin(&v, s->x[i % 3], (uint32_t)i);
    for (k = 0; k < 6; ++k)
        (void)works(s->env, sooth_explain_importance(s->env, &v, (sooth_explain_importance_kind)k, a));
    sooth_explain_counts(&v, s->x[1], counts);
    (void)works(s->env, sooth_explain_paths(s->env, &v, &odd, uses));
    (void)works(s->env, sooth_explain_paths(s->env, &v, &missing_rows, uses));
    for (k = 0; k < v.trees && k < 64; ++k) MUST(sooth_explain_path(&v, k, s->x[k % 3], step) <= v.depth);
    for (k = 0; k < v.trees && k < 64; ++k) MUST(sooth_explain_leaf(&v, k, s->x[k % 3]) < v.nodes);
    (void)works(s->env, sooth_explain_grid(s->env, &s->table, (uint32_t)f - 1, ROWS, grid, &points));
    if (f * t * v.trees <= 4096) {
        const sooth_explain_options once = {.repeats = 1};
        (void)works(s->env,
                    sooth_explain_permutation(s->env, &few, sooth_explain_predict, &v, &once, a, b, &base));
        (void)works(s->env, sooth_explain_dependence(s->env, &few, 0, grid, points, sooth_explain_predict, &v,
                                                     t, mean, each));
    }
    if (work < 2e5 && f * t < 20000 && (double)v.trees * (double)f < 1e6) {
        double *phi = doubles(3 * f * t * (f < 32 ? f : 1));
        few.x = s->x[1];
        (void)works(s->env, sooth_explain_shap(s->env, &v, &few, phi, mean));
        (void)works(s->env, sooth_explain_shap_against(s->env, &v, &few, &s->table, phi, mean));
        if (f < 32) (void)works(s->env, sooth_explain_interactions(s->env, &v, &few, phi, mean));
        free(phi);
    }
    free(a), free(b), free(mean), free(out), free(grid), free(each), free(counts), free(uses), free(step);
}

static void use_plane(const sample *s, const soothi_linear_leaf *plane, uint32_t left) {
    if (!plane) return;
    const soothi_linear_leaf_term *term = (const soothi_linear_leaf_term *)(const void *)(plane + 1);
    MUST(left == 0 && plane->terms > 0 && plane->least <= plane->most);
    for (uint32_t k = 0; k < plane->terms; ++k)
        MUST(term[k].feature < s->features && term[k].from <= term[k].to);
}

static void use_tree(sample *s, const sooth_tree *tree) {
    const char **names = (const char **)room(s->features, sizeof *names);
    sooth_tree_step *step = (sooth_tree_step *)room((size_t)tree->depth + 1, sizeof *step), look;
    double *importance = doubles(s->features), *alpha = doubles(tree->nodes), *rest = doubles(tree->nodes);
    float *out = floats(ROWS * s->targets);
    sooth_tree *pruned = NULL;
    page p;
    sooth_sink sink = sink_of(&p, 0);
    uint32_t n, j, bits = 0;
    size_t k, count = 0;
    MUST(sooth_tree_cost(tree).bytes == tree->head.size);
    for (n = 0; n < tree->nodes; ++n) {
        sooth_tree_look(tree, n, &look);
        MUST(look.left == 0 || (look.left + 1 < tree->nodes && look.feature < s->features));
        use_plane(s, soothi_tree_linear_leaf(tree, n), look.left);
        MUST(soothi_tree_set(tree, n, &j) == look.set && j == look.set_words && (look.left || !look.set));
        for (j = 0; j < look.set_words; ++j) bits ^= look.set[j];
    }
    (void)bits;
    for (k = 0; k < 3; ++k) {
        const uint32_t leaf = soothi_tree_leaf(tree, s->x[k]);
        const size_t steps = sooth_tree_path(tree, s->x[k], step, tree->depth + 1);
        MUST(leaf < tree->nodes && steps >= 1 && steps <= tree->depth + 1 && step[steps - 1].node == leaf);
        sooth_tree_predict_many(tree, s->x[k], ROWS, s->features, out);
        same(sooth_tree_predict(tree, s->x[k]), out[0]);
    }
    (void)works(s->env, soothi_tree_importance(s->env, tree, importance));
    (void)works(s->env, sooth_tree_write(s->env, tree, NULL, &sink));
    for (k = 0; k < s->features; ++k) names[k] = "name";
    (void)works(s->env, sooth_tree_write(s->env, tree, names, &sink));
    if (works(s->env, sooth_tree_pruning_path(s->env, tree, alpha, rest, tree->nodes, &count)))
        MUST(count <= tree->nodes);
    for (k = 0; k < 3; ++k)
        if (works(s->env, sooth_tree_prune(s->env, tree, k == 2 ? 1e300 : 0.25 * (double)k, &pruned))) {
            MUST(sooth_tree_check(pruned, pruned->head.size) && pruned->nodes <= tree->nodes);
            sooth_tree_free(s->env, pruned);
        } else MUST(!pruned);
    use_explained(s, sooth_explain_tree(tree));
    free(names), free(step), free(importance), free(alpha), free(rest), free(out);
}

static void use_larger(sample *s, sooth_ensemble *larger, uint32_t kind) {
    float *out = floats(ROWS * s->targets);
    MUST(soothi_ensemble_check(larger, larger->head.size, kind));
    MUST(kind == SOOTH_KIND_FOREST ? sooth_forest_check(larger, larger->head.size)
                                   : sooth_boost_check(larger, larger->head.size));
    sooth_ensemble_predict_many(larger, s->x[0], ROWS, s->features, out);
    sooth_ensemble_free(s->env, larger);
    free(out);
}

/* A scorer of it, asked for so many rows that it does not hand them on. */
static void use_scorer(sample *s, const sooth_ensemble *e) {
    enum { MANY = 70 };
    const size_t size = sooth_scorer_size(e);
    void *memory = room(size, 1), *work;
    float *out = floats(MANY * s->targets);
    sooth_scorer *scorer;
    if (works(s->env, sooth_scorer_init(s->env, e, memory, size, &scorer))) {
        work = room(sooth_scorer_scratch_size(scorer), 1);
        for (uint32_t k = 0; k < 3; ++k) {
            sooth_scorer_predict_many(scorer, s->x[k], MANY, 0, out, work);
            same(sooth_ensemble_predict(e, s->x[k]), out[0]);
            same(out[0], out[(MANY - 1) * s->targets]);
        }
        free(work);
    } else {
        MUST(size == 0);
    }
    free(memory), free(out);
}

static void use_ensemble(sample *s, const sooth_ensemble *e, uint32_t kind) {
    const size_t f = s->features, t = s->targets;
    uint32_t *leaf = (uint32_t *)room(e->trees, sizeof *leaf), n, k, j;
    const int rows = (e->flags & SOOTH_ENSEMBLE_ROWS) != 0;
    const float *cover = soothi_ensemble_cover(e), *base = soothi_ensemble_base(e);
    const uint32_t *start = soothi_ensemble_start(e);
    float *out = floats(ROWS * t), sum = 0.0f;
    double *gain = doubles(f);
    soothi_ensemble_builder b;
    soothi_ensemble_node look;
    sooth_ensemble *larger = NULL;
    MUST(soothi_ensemble_check(e, e->head.size, kind) && soothi_ensemble_cost(e).bytes == e->head.size);
    MUST(start[0] == 0 && start[e->trees] == e->nodes);
    for (k = 0; k < 2 * t; ++k) sum += base[k];
    for (n = 0; n < e->nodes; ++n) {
        soothi_ensemble_look(e, n, &look);
        MUST(look.left == 0 || (look.left < e->nodes && look.right < e->nodes && look.feature < f));
        for (j = 0; look.left == 0 && j < (rows ? t : 1); ++j) (void)soothi_ensemble_value(e, n, j);
        if (cover) sum += cover[n];
        use_plane(s, soothi_ensemble_linear_leaf(e, n), look.left);
        MUST(soothi_ensemble_set(e, n, &j) == look.set && j == look.set_words);
        for (j = 0; j < look.set_words; ++j) sum += (float)(look.set[j] & 1u);
    }
    (void)sum;
    for (k = 0; k < 3; ++k) {
        soothi_ensemble_leaves(e, s->x[k], leaf);
        for (j = 0; j < e->trees; ++j) MUST(leaf[j] >= start[j] && leaf[j] < start[j + 1]);
        sooth_ensemble_predict_many(e, s->x[k], ROWS, f, out);
        same(sooth_ensemble_predict(e, s->x[k]), out[0]);
        sooth_ensemble_predict_first(e, s->x[k], ROWS, f, k ? 1 + e->trees / 2 : 0, out);
        if (k == 0) same(sooth_ensemble_predict(e, s->x[k]), out[0]);
    }
    use_scorer(s, e);
    soothi_ensemble_gain(e, gain);
    (void)soothi_ensemble_resume(&b, s->env, e);
    if (works(s->env, soothi_ensemble_end(&b, &larger))) use_larger(s, larger, kind);
    else MUST(!larger);
    use_explained(s, sooth_explain_ensemble(e));
    free(leaf), free(out), free(gain);
}

static void use_forest(sample *s, const sooth_forest *forest) {
    static const float q[5] = {0.0f, 0.05f, 0.5f, 0.95f, 1.0f};
    uint32_t *leaf = (uint32_t *)room(forest->trees, sizeof *leaf), k;
    const int kept = sooth_forest_has_quantiles(forest);
    sooth_forest_options o;
    sooth_metrics score;
    float *out = floats(ROWS * s->targets), answer[5];
    use_ensemble(s, forest, SOOTH_KIND_FOREST);
    MUST(sooth_forest_cost(forest).bytes == forest->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_forest_predict_many(forest, s->x[k], ROWS, s->features, out);
        same(sooth_forest_predict(forest, s->x[k]), out[0]);
        sooth_forest_quantiles(forest, s->x[k], q, 5, leaf, answer);
    }
    memset(&o, 0, sizeof o);
    for (k = 0; k < 4; ++k) {
        sooth_forest *larger = NULL;
        o.n_estimators = 1 + k % 2;
        o.max_depth = 2;
        o.no_cover = k < 2 && !(forest->flags & SOOTH_ENSEMBLE_COVER);
        o.keep_rows = (k != 3) == kept;
        if (works(s->env, sooth_forest_resume(s->env, forest, k & 1 ? &s->levels : &s->table, &o, &larger)))
            use_larger(s, larger, SOOTH_KIND_FOREST);
        else MUST(!larger);
    }
    o.n_estimators = forest->trees;
    if (forest->trees < 64)
        (void)works(s->env, sooth_forest_out_of_bag(s->env, forest, &s->table, &o, out, &score));
    free(leaf), free(out);
}

static void use_boost(sample *s, const sooth_boost *boost) {
    const float *level = sooth_boost_quantiles(boost);
    sooth_boost_options o;
    float *out = floats(ROWS * s->targets);
    uint32_t k;
    size_t t;
    use_ensemble(s, boost, SOOTH_KIND_BOOST);
    MUST(sooth_boost_check(boost, boost->head.size) && sooth_boost_cost(boost).bytes == boost->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_boost_predict_many(boost, s->x[k], ROWS, s->features, out);
        same(sooth_boost_predict(boost, s->x[k]), out[0]);
        for (t = 1; level && t < s->targets; ++t) MUST(level[t] > level[t - 1] && !(out[t] < out[t - 1]));
    }
    memset(&o, 0, sizeof o);
    for (t = 0; level && t < s->targets; ++t) o.quantiles[t] = level[t];
    for (k = 0; k < 3; ++k) {
        sooth_boost *larger = NULL;
        o.n_estimators = 1 + k;
        o.max_depth = 2;
        o.loss = boost->link == SOOTH_ENSEMBLE_LINK_EXP && k < 2 ? SOOTH_BOOST_POISSON : SOOTH_BOOST_SQUARED;
        o.no_cover = !(boost->flags & SOOTH_ENSEMBLE_COVER);
        o.no_table = k == 1;
        o.grow_policy = k;
        if (works(s->env, sooth_boost_resume(s->env, boost, k & 1 ? &s->levels : &s->table, &o, &larger)))
            use_larger(s, larger, SOOTH_KIND_BOOST);
        else MUST(!larger);
        larger = NULL;
        if (works(s->env, sooth_boost_refit(s->env, boost, &s->table, &o, 0.5 * (double)(k & 1), &larger)))
            use_larger(s, larger, SOOTH_KIND_BOOST);
        else MUST(!larger);
    }
    free(out);
}

/* ---- networks, support vectors, rules ---- */

static void use_network(sample *s, const sooth_mlp *m) {
    const size_t f = s->features, t = s->targets;
    const sooth_mlp_layer *layer = sooth_mlp_layers(m);
    float *box = floats(2 * f), *range = floats(2 * t), *error = floats(t), *out = floats(ROWS * t),
          sum = 0.0f;
    uint32_t k, hidden[SOOTH_MLP_MAX_LAYERS], activation[SOOTH_MLP_MAX_LAYERS];
    float *gradient = floats(m->parameters);
    sooth_mlp *small = NULL;
    sooth_mlp_options o;
    double loss;
    size_t j;
    MUST(m->layers >= 1 && m->layers <= SOOTH_MLP_MAX_LAYERS && sooth_mlp_cost(m).bytes == m->head.size);
    (void)sooth_mlp_weights(m);
    memset(&o, 0, sizeof o);
    for (k = 0; k < m->layers; ++k) {
        hidden[k] = layer[k].outputs;
        activation[k] = layer[k].activation;
        sum += sooth_mlp_weight(m, k, layer[k].outputs - 1, layer[k].inputs - 1);
        sum += sooth_mlp_bias(m, k, layer[k].outputs - 1);
        if (!layer[k].biases_at) o.no_bias = 1;
    }
    (void)sum;
    for (k = 0; k < 3; ++k) {
        sooth_mlp_predict_many(m, s->x[k], ROWS, f, out);
        same(sooth_mlp_predict(m, s->x[k]), out[0]);
        if (f == SOOTH_SLOWDOWN_INPUTS && t == 2)
            (void)sooth_slowdown_predict(sooth_model_from_block(&m->head), s->x[k], out);
    }
    for (k = 0; k < 3; ++k) {
        for (j = 0; j < f; ++j) {
            box[2 * j] = k == 2 ? -3e38f : -3.0f;
            box[2 * j + 1] = k == 1 ? 1e30f : k == 2 ? 3e38f : 1e3f;
        }
        if (works(s->env, sooth_mlp_bounds(s->env, m, box, range)))
            for (j = 0; j < t; ++j) MUST(!(range[2 * j] > range[2 * j + 1]));
        if (works(s->env, sooth_mlp_quantise(s->env, m, k == 1 ? 16 : 8, box, k ? error : NULL, &small))) {
            MUST(sooth_mlp_check(small, small->head.size));
            sooth_mlp_predict_many(small, s->x[k], ROWS, f, out);
            sooth_mlp_free(s->env, small);
        } else MUST(!small);
    }
    (void)works(s->env, sooth_mlp_gradient(s->env, m, &s->table, NULL, &loss, gradient));
    o.hidden = hidden;
    o.hidden_count = m->layers - 1;
    o.activations = activation;
    o.epochs = 1;
    o.output = activation[m->layers - 1] == SOOTH_MLP_SOFTPLUS ? SOOTH_MLP_POSITIVE : SOOTH_MLP_ANY;
    o.leak = (double)m->leak;
    o.warm_start = m;
    if (m->parameters < 100000) {
        (void)works(s->env, sooth_mlp_fit(s->env, &s->table, &o, &small));
        if (small) MUST(sooth_mlp_check(small, small->head.size));
        sooth_mlp_free(s->env, small);
    }
    free(box), free(range), free(error), free(out), free(gradient);
}

static float product_of(void *user, const float *a, const float *b, size_t features) {
    (void)user;
    return a[0] * b[features - 1];
}

static void use_vectors(sample *s, const sooth_svr *m) {
    const size_t f = s->features;
    float out[ROWS], *buffer = floats(f), sum = 0.0f;
    double all = 0.0;
    char text[256];
    page p;
    sooth_sink sink = sink_of(&p, 1);
    sooth_svr *again = NULL;
    uint32_t k;
    MUST(sooth_svr_cost(m).bytes == m->head.size);
    for (k = 0; k < m->vectors; ++k) {
        all += sooth_svr_coefficient(m, k);
        sum += sooth_svr_vector(m, k, f - 1);
    }
    (void)sum, (void)all;
    for (k = 0; k < 3; ++k) {
        sooth_svr_predict_many(m, s->x[k], ROWS, f, out);
        same(sooth_svr_predict(m, s->x[k]), out[0]);
        (void)sooth_svr_predict_with(m, s->x[k], product_of, NULL, buffer);
    }
    sooth_svr_warning(m, &s->table, text, sizeof text);
    if (works(s->env, sooth_libsvm_write(s->env, m, &sink)) && !sink.failed) {
        if (works(s->env, sooth_libsvm_read(s->env, p.text, p.size, f, &again))) {
            MUST(sooth_svr_check(again, again->head.size));
            sooth_svr_free(s->env, again);
        } else MUST(!again);
    }
    free(buffer), free(p.text);
}

static void use_process(sample *s, const sooth_gauss *m) {
    const size_t f = s->features;
    float out[ROWS], *work = (float *)room(sooth_gauss_scratch_size(m), 1), sum = 0.0f;
    const sooth_gauss_parameters law = sooth_gauss_kernel_parameters(m);
    sooth_gauss_options o;
    sooth_gauss_parameters found;
    uint32_t k;
    memset(&o, 0, sizeof o);
    MUST(sooth_gauss_check(m, m->head.size) && sooth_gauss_cost(m).bytes == m->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_gauss_predict_many(m, s->x[k], ROWS, f, out);
        same(sooth_gauss_predict(m, s->x[k]), out[0]);
        sum += sooth_gauss_level(m, k);
        if (m->order < 300) sum += sooth_gauss_deviation(m, s->x[k], k ? k : SOOTH_GAUSS_NEW, k & 1, work);
    }
    (void)sum;
    o.parameters = &law; /* who wrote the file wrote them */
    (void)works(s->env, sooth_gauss_fit_parameters(s->env, &s->table, &o, &found));
    free(work);
}

static void use_learner(sample *s, const sooth_sofnn *m, uint32_t recursion) {
    sooth_sofnn_learner_options o;
    sooth_sofnn_learner *learner;
    size_t size, k;
    void *memory;
    memset(&o, 0, sizeof o);
    o.network.order = m->order;
    o.network.max_rules = m->capacity < 8 ? 8 : m->capacity;
    o.recursion = recursion;
    o.warm_start = m;
    size = sooth_sofnn_learner_size(&o, s->features, s->targets);
    if (size == 0 || size > 4000000) return;
    memory = room(size, 1);
    if (works(s->env,
              sooth_sofnn_learner_init(s->env, &o, s->features, s->targets, memory, size, &learner))) {
        const sooth_sofnn *sealed;
        for (k = 0; k < 3; ++k) (void)sooth_sofnn_learner_update(learner, s->x[k], s->y);
        for (k = 0; k < 4; ++k)
            (void)sooth_sofnn_learner_update(learner, s->table.x + k * s->features, s->y + k * s->targets);
        (void)sooth_sofnn_learner_check(learner);
        sealed = sooth_sofnn_learner_seal(learner);
        MUST(sooth_sofnn_check(sealed, sealed->head.size));
        (void)sooth_sofnn_predict(sealed, s->x[0]);
    }
    free(memory);
}

static void use_rules(sample *s, const sooth_sofnn *m) {
    const size_t f = s->features, t = s->targets;
    const char **names = (const char **)room(f, sizeof *names),
               **outputs = (const char **)room(t, sizeof *outputs);
    float *out = floats(ROWS * t), *one = floats(t);
    page p;
    sooth_sink sink;
    size_t k, j;
    MUST(sooth_sofnn_cost(m).bytes == m->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_sofnn_predict_many(m, s->x[k], ROWS, f, out);
        same(sooth_sofnn_predict(m, s->x[k]), out[0]);
        (void)sooth_sofnn_predict_covered(m, s->x[k], one);
        for (j = 0; j < t; ++j) same(one[j], out[j]);
    }
    for (k = 0; k < f; ++k) names[k] = k % 3 == 0 ? "speed" : k % 3 == 1 ? "" : "two\nlines";
    for (k = 0; k < t; ++k) outputs[k] = k ? NULL : "time";
    for (k = 0; k < 2; ++k) {
        sooth_sofnn *again = NULL;
        sink = sink_of(&p, 1);
        if (works(s->env, sooth_rules_write(s->env, m, k ? names : NULL, k ? outputs : NULL, &sink)) &&
            !sink.failed) {
            if (works(s->env, sooth_rules_read(s->env, p.text, p.size, &again))) {
                MUST(sooth_sofnn_check(again, again->head.size));
                MUST(again->head.features == f && again->head.targets == t);
                sooth_sofnn_free(s->env, again);
            } else MUST(!again);
        }
        free(p.text);
        use_learner(s, m, (uint32_t)k);
    }
    free(names), free(outputs), free(out), free(one);
}

/* ---- linear models, scales, laws ---- */

static void use_linear(sample *s, const sooth_linear *m) {
    const size_t f = s->features, t = s->targets;
    double low, high, sum = 0.0;
    float *out = floats(ROWS * t);
    sooth_linear_summary all;
    size_t j, k;
    MUST(sooth_linear_check(m, m->head.size) && sooth_linear_cost(m).bytes == m->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_linear_predict_many(m, s->x[k], ROWS, f, out);
        same(sooth_linear_predict(m, s->x[k]), out[0]);
    }
    for (k = 0; k < t && k < 9; ++k) {
        sooth_linear_summarise(NULL, m, k, &all);
        for (j = 0; j <= f && j < 99; ++j)
            sum += sooth_linear_coefficient(m, k, j) + sooth_linear_standard_error(m, k, j) +
                   sooth_linear_aliased(m, j);
        sooth_linear_interval(m, s->x[k % 3], k, 0.9, (int)k % 2, &low, &high);
    }
    (void)sum;
    free(out);
}

static void use_law(sample *s, const sooth_scaling *m) {
    double low, high, sum = 0.0;
    sooth_scaling_summary all;
    float out[ROWS];
    uint32_t j, k;
    MUST(sooth_scaling_check(m, m->head.size) && sooth_scaling_cost(m).bytes == m->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_scaling_predict_many(m, s->x[k], ROWS, s->features, out);
        same(sooth_scaling_predict(m, s->x[k]), out[0]);
        for (j = 0; j < 4; ++j) {
            const float *row = j < 3 ? s->x[k] + j * s->features : s->table.x;
            sooth_scaling_interval(m, row, 0.9, (int)j % 2, &low, &high);
        }
    }
    for (j = 0; j < m->terms; ++j)
        sum += sooth_scaling_standard_error(m, j) + sooth_scaling_coefficient(m, j);
    (void)sum;
    (void)works(s->env, sooth_scaling_summarise(s->env, m, &all));
}

static void use_scale(const sooth_scale *scale) {
    const size_t f = scale->head.features;
    sooth_env env;
    sample s;
    float *out, *one;
    size_t k, j;
    if (f > MOST) return;
    sooth_env_init(&env);
    sample_make(&s, &env, f, 1);
    out = floats(ROWS * f);
    one = floats(f);
    MUST(sooth_scale_cost(scale).bytes == scale->head.size && sooth_scale_columns(scale)[f - 1].width > 0.0f);
    for (k = 0; k < 3; ++k) {
        sooth_scale_apply_many(scale, s.x[k], ROWS, f, out);
        sooth_scale_apply(scale, s.x[k], one);
        for (j = 0; j < f; ++j)
            same(one[j], out[j]), same(sooth_scale_apply_one(scale, j, s.x[k][j]), out[j]);
        sooth_scale_invert_many(scale, s.x[k], ROWS, f, out);
        sooth_scale_invert(scale, s.x[k], one);
        for (j = 0; j < f; ++j)
            same(one[j], out[j]), same(sooth_scale_invert_one(scale, j, s.x[k][j]), out[j]);
    }
    sample_free(&s);
    free(out), free(one);
}

/* An interval is upright, or says that there is none. */
static void use_conformal(const sooth_conformal *c) {
    static const float odd[] = {0.0f, -0.0f, 1.0f, -3.0f, 1e-45f, 3e38f, -3e38f, 100.0f, 1e10f};
    const float endless = odd[5] * 10.0f, none = endless - endless;
    float given[12], low, high, again[2];
    size_t i, j;
    memcpy(given, odd, sizeof odd);
    given[9] = endless, given[10] = -endless, given[11] = none;
    MUST(sooth_conformal_cost(c).bytes == c->head.size);
    for (i = 0; i < 12; ++i)
        for (j = 0; j < 12; ++j) {
            sooth_conformal_interval(c, given[i], given[j], &low, &high);
            MUST(low <= high || (low != low && high != high));
            MUST(low != low || c->scale != SOOTH_CONFORMAL_LOG || low >= 0.0f);
            sooth_conformal_interval(c, given[i], given[j], again, again + 1);
            same(low, again[0]), same(high, again[1]);
            sooth_conformal_interval_quantiles(c, given[i], given[j], &low, &high);
            MUST(low <= high || (low != low && high != high));
        }
}

/* A probability, or NaN of NaN. */
static void use_probability(const sooth_probability *map) {
    static const float odd[] = {0.0f, -0.0f, 1.0f, -3.0f, 1e-45f, 3e38f, -3e38f, 100.0f, 0.5f};
    const float endless = odd[5] * 10.0f, none = endless - endless;
    float given[12], p[12];
    memcpy(given, odd, sizeof odd);
    given[9] = endless, given[10] = -endless, given[11] = none;
    MUST(sooth_probability_cost(map).bytes == map->head.size);
    sooth_probability_apply_many(map, given, 12, p);
    for (size_t i = 0; i < 12; ++i) {
        MUST((p[i] >= 0.0f && p[i] <= 1.0f) || i == 11);
        same(p[i], sooth_probability_apply(map, given[i]));
    }
}

/* A form is above 0 and finite, or NaN; it is NaN where a column of it is. */
static void use_ratio(const sooth_ratio *ratio) {
    const float given[] = {1.0f, 0.0f, -1.0f, 3e38f, -3e38f};
    float row[MOST];
    MUST(sooth_ratio_cost(ratio).bytes == ratio->head.size);
    for (size_t k = 0; k < 5 && ratio->head.features <= MOST; ++k) {
        for (size_t j = 0; j < ratio->head.features; ++j) row[j] = given[k];
        const float form = sooth_ratio_form(ratio, row);
        MUST(form != form || (form > 0.0f && form <= 3.4028235e38f));
        row[sooth_ratio_terms(ratio)[ratio->terms - 1].column] = given[3] * 10.0f - given[3] * 10.0f;
        MUST(!(sooth_ratio_form(ratio, row) >= 0.0f));
    }
}

/* Whatever it is asked for, a code is one of its column's or missing, and a name ends. */
static void use_levels(const sooth_levels *levels) {
    const uint32_t features = levels->head.features;
    const sooth_levels_column *column = sooth_levels_columns(levels);
    float *row = floats(features), *out = floats(features);
    MUST(sooth_levels_cost(levels).bytes == levels->head.size);
    for (uint32_t j = 0; j < features; ++j) {
        const uint32_t step = 1 + column[j].count / 50;
        for (uint32_t c = 0; c < column[j].count; c += step) {
            const char *name = sooth_levels_name(levels, j, (float)c);
            const float code = sooth_levels_code(levels, j, name, strlen(name));
            MUST(code != code || (code >= 0.0f && code < (float)column[j].count));
        }
        MUST(!sooth_levels_name(levels, j, (float)column[j].count));
        (void)sooth_levels_code(levels, j, (const char *)levels, 16);
        row[j] = (float)column[j].count - (float)(j % 3);
    }
    sooth_levels_apply(levels, row, out);
    for (uint32_t j = 0; j < features; ++j)
        if (!levels->statistics || !column[j].categorical) same(out[j], row[j]);
        else if (!(row[j] >= 0.0f && row[j] < (float)column[j].count)) same(out[j], levels->prior);
    sooth_levels_apply_many(levels, row, 1, features, row);
    for (uint32_t j = 0; j < features; ++j) same(out[j], row[j]);
    free(row), free(out);
}

/* It goes on learning within its block, and stays one. */
static void use_encode(const sooth_encode *e) {
    const uint32_t columns = e->head.features;
    sooth_encode *own = (sooth_encode *)malloc(e->head.size);
    uint64_t *level = (uint64_t *)room(columns, sizeof *level);
    float *out = floats(e->head.targets);
    if (!own) abort();
    memcpy(own, e, e->head.size);
    MUST(sooth_encode_cost(e).bytes == e->head.size && (3 + e->last) * columns == e->head.targets);
    for (uint32_t i = 0; i < 40; ++i) {
        for (uint32_t j = 0; j < columns; ++j)
            level[j] = sooth_encode_join(i % 5, sooth_encode_text((const char *)&e->head, j % 32));
        sooth_encode_row(own, level, i, out);
        MUST(sooth_encode_update(own, level, (float)i, i) == SOOTH_OK);
    }
    sooth_encode_seal(own);
    MUST(sooth_encode_check(own, own->head.size));
    free(own), free(level), free(out);
}

static void use_best(sample *s, const sooth_best *m) {
    float *out = floats(ROWS);
    sooth_best_candidate one;
    size_t i = 0, members = 0, k;
    MUST(sooth_best_check(m, m->head.size) && sooth_best_cost(m).bytes == m->head.size);
    for (k = 0; k < 3; ++k) {
        sooth_best_predict_many(m, s->x[k], ROWS, s->features, out);
        same(sooth_best_predict(m, s->x[k]), out[0]);
    }
    for (; sooth_best_candidate_at(m, i, &one); ++i) {
        MUST(strlen(one.recipe) < m->head.size && (one.model != NULL) == (i < m->members));
        members += one.model != NULL;
        if (one.model) MUST(sooth_model_check(one.model, one.model->size));
    }
    MUST(i == m->candidates && members == m->members);
    if (m->head.kind >> 16 == 1)
        MUST(isnan(sooth_best_standard_error(m)) && isnan(sooth_best_share_above(m)));
    else
        (void)(sooth_best_standard_error(m) + sooth_best_share_above(m)); /* any number, from a forged file */
    free(out);
}

/* ---- any model ---- */

static void use_predictor(sample *s, const sooth_block *p) {
    switch (p->kind & 0xFFFFu) {
    case SOOTH_KIND_LINEAR: use_linear(s, (const sooth_linear *)(const void *)p); break;
    case SOOTH_KIND_TREE: use_tree(s, (const sooth_tree *)(const void *)p); break;
    case SOOTH_KIND_FOREST: use_forest(s, (const sooth_forest *)(const void *)p); break;
    case SOOTH_KIND_BOOST: use_boost(s, (const sooth_boost *)(const void *)p); break;
    case SOOTH_KIND_MLP: use_network(s, (const sooth_mlp *)(const void *)p); break;
    case SOOTH_KIND_SVR: use_vectors(s, (const sooth_svr *)(const void *)p); break;
    case SOOTH_KIND_GAUSS: use_process(s, (const sooth_gauss *)(const void *)p); break;
    case SOOTH_KIND_SOFNN: use_rules(s, (const sooth_sofnn *)(const void *)p); break;
    case SOOTH_KIND_SCALING: use_law(s, (const sooth_scaling *)(const void *)p); break;
    case SOOTH_KIND_BEST: use_best(s, (const sooth_best *)(const void *)p); break;
    default: MUST(!"a kind that is known");
    }
}

static void use_answers(sample *s, const sooth_model *m) {
    const size_t f = s->features, t = s->targets;
    float *out = floats(ROWS * t), *wide = floats(ROWS * (f + 1)), *again = floats(ROWS * t);
    void *scratch = room(sooth_model_scratch_size(m, 16), 1);
    float part[2], slower;
    size_t i, k;
    for (k = 0; k < 3; ++k) {
        slower = sooth_slowdown_predict(m, s->x[k], part);
        if (t > 2 || f + t != SOOTH_SLOWDOWN_INPUTS + 2) MUST(slower != slower);
        sooth_model_predict_many(m, s->x[k], ROWS, f, out, scratch, 16);
        for (i = 0; i < ROWS; ++i) {
            const float *row = s->x[k] + i * f;
            memcpy(wide + i * (f + 1), row, f * sizeof *row);
            same(sooth_model_predict(m, row, scratch), out[i * t]);
            uint32_t outside = 0;
            for (uint32_t j = 0; j < f; ++j) outside += (uint32_t)sooth_model_is_outside(m, j, row[j]);
            MUST(sooth_model_outside(m, row) == outside);
        }
        sooth_model_predict_many(m, wide, ROWS, f + 1, again, scratch, 1);
        for (i = 0; i < ROWS * t; ++i) same(again[i], out[i]);
    }
    free(out), free(wide), free(again), free(scratch);
}

/* What a host does with it: finds its columns, publishes it, asks for all choices of a task. */
static void use_as_host(sample *s, const sooth_model *m) {
    static const char *const names[] = {"", "a", "threads", "x0", "power"};
    const uint32_t f = m->head.features, last = f - 1;
    uint32_t *column = (uint32_t *)room(f, sizeof *column);
    void *scratch = room(sooth_model_choices_scratch_size(m, 3), 1);
    float *out = floats(ROWS * s->targets);
    const size_t missing = sooth_model_map(m, names, 5, column);
    sooth_slot_reader reader;
    sooth_slot slot;
    for (uint32_t j = 0; j < f; ++j) MUST(column[j] == UINT32_MAX || (column[j] > 0 && column[j] < 5));
    MUST(works(s->env, sooth_model_map_check(s->env, m, names, 5, column)) == (missing == 0));
    sooth_slot_init(&slot, &reader, 1, NULL);
    MUST(sooth_slot_publish(&slot, (void *)(uintptr_t)m) == NULL && sooth_slot_enter(&slot, 0) == m);
    sooth_model_predict_choices(m, s->x[0], &last, 1, s->x[1], ROWS, out, scratch, 3);
    sooth_slot_leave(&slot, 0);
    MUST(works(s->env, sooth_model_predict_table(s->env, m, s->x[0], ROWS, f, out)));
    free(column), free(scratch), free(out);
}

/* Intervals, trust, and a program of which launches become known: of every row, some of them measured. */
static void use_intervals(sample *s, const sooth_model *m) {
    const size_t f = s->features;
    void *scratch = room(sooth_model_scratch_size(m, 1), 1);
    sooth_adapt_program *program = NULL;
    sooth_model_parts parts;
    sooth_adapted at;
    sooth_model_open(m, &parts);
    MUST(sooth_model_predictor_kind(m)->kind == (sooth_kind)(parts.predictor->kind & 0xFFFFu));
    if (parts.adapt) {
        const size_t size = sooth_adapt_program_size(parts.adapt);
        program = sooth_adapt_begin(parts.adapt, room(size, 1), size);
    }
    for (size_t k = 0; k < 3; ++k)
        for (size_t i = 0; i < ROWS; ++i) {
            const float *row = s->x[k] + i * f;
            uint32_t feature;
            const uint32_t trust = (uint32_t)sooth_model_trust(m, row, &feature);
            MUST(trust <= SOOTH_MODEL_TRUST_OUTSIDE && (feature < f || feature == UINT32_MAX));
            sooth_model_interval(m, row, scratch, &at);
            MUST(parts.interval || (at.low != at.low && at.high != at.high));
            MUST(!(at.low > at.high) && at.trust == trust);
            MUST(!parts.probability || !(at.value < 0.0f || at.value > 1.0f));
            for (uint32_t t = 0; t < s->targets && parts.interval; ++t) {
                float low, high;
                sooth_conformal_interval(sooth_model_conformal(m, t), 1.0f, 1.0f, &low, &high);
                MUST(low <= high);
                (void)sooth_model_interval_from(m, t, 1.0f, &low, &high);
                MUST(!(low > high));
            }
            if (i % 3 == 0 && program) (void)sooth_model_observe(m, program, row, 1.0f + (float)i, scratch);
            if (program) sooth_model_adapted(m, program, row, scratch, &at);
            MUST(!(at.low > at.high));
        }
    free(program);
    free(scratch);
}

static void use_card(sample *s, const sooth_model_card *card, const sooth_model *m) {
    const float *range = sooth_model_card_range(card);
    size_t i, length = 0;
    double sum = 0.0;
    int field;
    sooth_model_seen_rows seen;
    for (i = 0; i < 2 * (s->features + s->targets); ++i) sum += (double)range[i];
    for (i = 0; i < card->scores; ++i) sum += sooth_model_card_score(card, i);
    sooth_model_card_seen(card, &seen);
    MUST(seen.count <= SOOTH_MODEL_SEEN_MAX && seen.zeros < 64);
    for (i = 0; i < 3; ++i)
        sum += (double)sooth_model_seen_test(&seen, s->x[i], s->features, s->x[0], s->targets);
    for (field = 0; field < SOOTH_CARD_FIELDS; ++field)
        for (i = 0; i < s->features + s->targets + card->scores + 2; ++i)
            length += strlen(sooth_model_card_text(card, (sooth_model_card_field)field, i));
    (void)sum;
    MUST(length <= (size_t)m->head.size * (s->features + s->targets + card->scores + 2) * SOOTH_CARD_FIELDS);
}

/* In another byte order and back, copied, saved, and put together again from its parts: the same bytes. */
static void use_bytes(sample *s, const sooth_model *m) {
    unsigned char *bytes = (unsigned char *)room(m->head.size, 1);
    sooth_model *again = NULL;
    sooth_model_parts parts;
    memcpy(bytes, m, m->head.size);
    MUST(sooth_model_swap_bytes(bytes, m->head.size) == SOOTH_OK && !sooth_model_check(bytes, m->head.size));
    MUST(sooth_model_swap_bytes(bytes, m->head.size) == SOOTH_OK && memcmp(bytes, m, m->head.size) == 0);
    sooth_model_save(m, bytes);
    MUST(works(s->env, sooth_model_load(s->env, bytes, m->head.size, &again)) &&
         !memcmp(again, m, m->head.size));
    sooth_model_free(s->env, again);
    sooth_model_open(m, &parts);
    MUST(works(s->env, sooth_model_assemble(s->env, &parts, &again)) &&
         sooth_model_check(again, again->head.size));
    if (parts.predictor != &m->head)
        MUST(again->head.size == m->head.size && memcmp(again, m, m->head.size) == 0);
    sooth_model_free(s->env, again);
    free(bytes);
}

static void use_exports(sample *s, const sooth_model *m) {
    float *error = floats(s->targets);
    sooth_export_c_options c;
    sooth_export_xgboost_options x;
    sooth_model *small = NULL;
    sooth_sink sink;
    page p;
    uint32_t k;
    memset(&c, 0, sizeof c);
    memset(&x, 0, sizeof x);
    for (k = 0; k < 4; ++k) {
        sink = sink_of(&p, 0);
        c.form = k % 2 ? SOOTH_EXPORT_BRANCHES : SOOTH_EXPORT_TABLE;
        c.test = k == 2 ? &s->table : NULL;
        c.name = k == 3 ? "engine_2" : NULL;
        c.no_selftest = k == 3;
        (void)works(s->env, sooth_export_c(s->env, m, &c, &sink));
    }
    unsigned bytes = 0;
    sink = (sooth_sink){&bytes, swallow, 0};
    (void)works(s->env, sooth_export_onnx(s->env, m, &sink));
    for (k = 0; k < 2; ++k) {
        sooth_import import;
        x.approximate = k;
        sink = sink_of(&p, 1);
        if (works(s->env, sooth_export_xgboost(s->env, m, &x, &sink)) && !sink.failed) {
            if (works(s->env, sooth_import_read(s->env, p.text, p.size, NULL, &import))) {
                const sooth_ensemble *e = import.ensemble;
                MUST(soothi_ensemble_check(e, e->head.size, e->head.kind & 0xFFFFu));
                MUST(e->head.features == s->features && e->head.targets == s->targets);
                sooth_import_free(s->env, &import);
            }
        }
        free(p.text);
        if (works(s->env, sooth_export_quantise(s->env, m, 8 * (k + 1), k ? error : NULL, &small))) {
            MUST(sooth_model_check(small, small->head.size));
            use_answers(s, small);
            sooth_model_free(s->env, small);
        } else MUST(!small);
    }
    free(error);
}

/* As source code, in one of the forms. */
static void write_integers_code(const sample *s, const sooth_integers *m) {
    sooth_integers_code_options o;
    page p;
    sooth_sink sink = sink_of(&p, 0);
    memset(&o, 0, sizeof o);
    o.form = m->nodes % SOOTH_INTEGERS_CODE_FORMS;
    p.tabs = o.form == SOOTH_INTEGERS_CODE_GO;
    if (works(s->env, sooth_integers_code(s->env, m, &o, &sink))) MUST(p.size > 0);
    free(p.text);
}

/* Trees in whole numbers: all keys and answers of a block that is sound, whoever wrote it. */
static void use_integers(sample *s, const sooth_integers *m) {
    const size_t f = s->features, t = s->targets;
    const uint32_t keys = sooth_integers_key_count(m);
    int32_t *key = (int32_t *)room(keys, sizeof *key);
    int64_t *sum = (int64_t *)room(t, sizeof *sum);
    uint64_t all = 0; /* so that all are asked for */
    float *out = floats(ROWS * t);
    MUST(m->head.features == f && m->head.targets == t && sooth_integers_cost(m).bytes == m->head.size);
    MUST(soothi_integers_start(m)[m->trees] == m->nodes && soothi_integers_nodes(m)->link != 2);
    for (uint32_t j = 0; j < f; ++j) all += (uint64_t)soothi_integers_columns(m)[j].shift;
    for (size_t k = 0; k < 3; ++k) {
        sooth_integers_predict_many(m, s->x[k], ROWS, f, out);
        same(sooth_integers_predict(m, s->x[k]), out[0]);
        for (size_t i = 0; i < ROWS; ++i) {
            sooth_integers_keys(m, s->x[k] + i * f, key);
            sooth_integers_sum(m, key, sum);
            for (uint32_t c = 0; c < keys; c += 1 + keys / 64) {
                MUST(soothi_integers_key(m, c, s->x[k][i * f + c % f]) == key[c]);
                all += (uint64_t)sooth_integers_key_from_integer(m, c, (int64_t)i * 1000000007 << 20);
            }
            for (uint32_t c = 0; c < t; ++c) {
                MUST(sooth_integers_targets(m)[c].error >= 0.0f);
                all += (uint64_t)soothi_integers_base(m, c);
                same(sooth_integers_value(m, c, sum[c]), out[i * t + c]);
            }
        }
    }
    (void)all;
    free(key), free(sum), free(out);
    write_integers_code(s, m);
}

/* From any model, in every number of bits, within an error, with shifts of one's own. */
static void make_integers(sample *s, const sooth_model *m) {
    int32_t *shift = (int32_t *)room(s->features, sizeof *shift);
    for (size_t j = 0; j < s->features; ++j) shift[j] = (int32_t)(j * 7 % 121) - 60;
    for (uint32_t k = 0; k < 6; ++k) {
        sooth_integers_options o;
        sooth_integers *made = NULL;
        memset(&o, 0, sizeof o);
        o.bits = k < 3 ? 8u << k : 0;
        o.rule = k == 3;
        o.error = k == 4 ? 0.1 : 0.0;
        o.shift = k == 5 ? shift : NULL;
        if (works(s->env, sooth_integers_convert(s->env, m, &o, &made))) {
            MUST(sooth_integers_check(made, made->head.size));
            use_integers(s, made);
            sooth_integers_free(s->env, made);
        } else MUST(!made);
    }
    free(shift);
}

/* What it takes on small cores, and what it can answer. */
static void use_cores(sample *s, const sooth_model *m) {
    const uint32_t core = m->head.features % SOOTH_CORES, t = m->head.features % m->head.targets;
    sooth_core_cost cost;
    float least, most;
    for (uint32_t form = 0; form < SOOTH_CORE_FORMS; ++form)
        if (works(s->env, sooth_core_estimate(s->env, m, core, form, &cost))) MUST(cost.flash > 0);
    if (works(s->env, sooth_core_range(s->env, m, t, &least, &most))) MUST(least <= most);
}

/* Leaves from other rows, by a plan of the same quantiles. */
static void use_refit(sample *s, const sooth_model *m) {
    static const char words[] = "boost";
    sooth_train_recipe recipe;
    sooth_model_parts parts;
    sooth_model *made;
    sooth_model_open(m, &parts);
    MUST(sooth_train_recipe_read(s->env, words, sizeof words - 1, &recipe) == SOOTH_OK);
    if (sooth_model_predictor_kind(m)->kind == SOOTH_KIND_BOOST) {
        const float *level = sooth_boost_quantiles((const sooth_boost *)(const void *)parts.predictor);
        for (uint32_t t = 0; level && t < s->targets; ++t) recipe.options.boost.quantiles[t] = level[t];
    }
    if (works(s->env, sooth_train_refit(s->env, m, &s->table, &recipe, 0.25, &made)))
        MUST(sooth_model_check(made, made->head.size));
    else MUST(!made);
    sooth_model_free(s->env, made);
}

static void use_model(const sooth_model *m) {
    purse money = {0};
    sooth_env env;
    sample s;
    sooth_model_parts parts;
    page p;
    sooth_sink sink = sink_of(&p, 0);
    sooth_env_init(&env);
    env.alloc_fn = purse_alloc;
    env.free_fn = purse_free;
    env.alloc_user = &money;
    MUST(sooth_block_check(m, m->head.size, m->head.kind & 0xFFFFu, m->head.kind >> 16));
    MUST(sooth_model_cost(m).bytes == m->head.size);
    if (works(&env, sooth_model_describe(&env, m, &sink))) MUST(p.size > 0);
    sink = sink_of(&p, 1);
    if (works(&env, sooth_model_describe_json(&env, m, &sink)) && !sink.failed) MUST(!*json_after(p.text, 0));
    free(p.text);
    if (m->head.features > MOST || m->head.targets > MOST ||
        (double)m->head.features * m->head.targets > 200000.0)
        return;
    sample_make(&s, &env, m->head.features, m->head.targets);
    sooth_model_open(m, &parts);
    use_bytes(&s, m);
    use_answers(&s, m);
    use_as_host(&s, m);
    use_intervals(&s, m);
    if (parts.card) use_card(&s, parts.card, m);
    if (parts.levels) use_levels(parts.levels);
    sooth_model_transform(&parts, s.x[0], 1, m->head.features, s.x[0]);
    if (parts.input) use_scale(parts.input);
    if (parts.target) use_scale(parts.target);
    if (parts.probability) use_probability(parts.probability);
    if (parts.ratio) use_ratio(parts.ratio);
    use_exports(&s, m);
    make_integers(&s, m);
    use_cores(&s, m);
    use_refit(&s, m);
    use_predictor(&s, parts.predictor);
    sample_free(&s);
    MUST(money.live == 0);
}

/* A program is observed, asked for, and asked what to measure next. */
static void use_adapt(const sooth_adapt *adapt) {
    const size_t f = adapt->head.features;
    sooth_env env;
    sample s;
    float predicted[ROWS];
    sooth_adapt_program *p;
    sooth_adapted out;
    size_t k, i;
    if (f > MOST) return;
    sooth_env_init(&env);
    sample_make(&s, &env, f, 1);
    void *scratch = room(sooth_adapt_next_scratch_size(adapt), 1);
    const size_t size = sooth_adapt_program_size(adapt);
    p = sooth_adapt_begin(adapt, room(size, 1), size);
    MUST(sooth_adapt_cost(adapt).bytes == adapt->head.size);
    MUST(sooth_adapt_share(adapt, predicted) >= 0.0f && sooth_adapt_share(adapt, NULL) <= 1.0f);
    for (i = 0; i < ROWS; ++i) predicted[i] = 1.0f + (float)i;
    for (k = 0; k < 3; ++k) {
        for (i = 0; i < ROWS; ++i) {
            (void)sooth_adapt_observe(adapt, p, s.x[k] + i * f, predicted[i], s.x[k][i * f]);
            sooth_adapt_predict(adapt, p, s.x[k] + i * f, predicted[i], &out);
            MUST(out.trust <= SOOTH_MODEL_TRUST_OUTSIDE && (out.feature < f || out.feature == UINT32_MAX));
        }
        for (i = 0; i < 3; ++i)
            MUST(sooth_adapt_next(adapt, p, s.x[k], ROWS, f, predicted, NULL, (sooth_adapt_goal)i, scratch) <=
                 ROWS);
        MUST(p->points <= adapt->capacity);
        if (k == 1) sooth_adapt_forget(adapt, p);
    }
    sample_free(&s);
    free(scratch), free(p);
}

/* A block of whole numbers, which no model holds. */
static void use_bare_integers(const sooth_integers *m) {
    sooth_env env;
    sample s;
    if (m->head.features > MOST || m->head.targets > MOST || sooth_integers_cost(m).comparisons > 1u << 20)
        return;
    sooth_env_init(&env);
    sample_make(&s, &env, m->head.features, m->head.targets);
    use_integers(&s, m);
    sample_free(&s);
}

/* A model with origins: a row of zeros counts from them, and the same block is made of its parts. */
static void use_origin(const sooth_origin *o) {
    const sooth_model *model = sooth_origin_model(o);
    const double *value = sooth_origin_values(o);
    float *row = floats(o->head.features);
    sooth_origin *again = NULL;
    sooth_env env;
    sooth_env_init(&env);
    sooth_origin_row(o, value, row);
    for (uint32_t j = 0; j < o->head.features; ++j) MUST(!(row[j] < 0.0f) && !(row[j] > 0.0f));
    MUST(sooth_origin_target(o, o->head.targets - 1, 0.0f) - value[o->head.features + o->head.targets - 1] <=
         0.0);
    if (works(&env, sooth_origin_make(&env, model, value, &again)))
        MUST(memcmp(again, o, offsetof(sooth_block, size)) == 0 &&
             sooth_origin_check(again, again->head.size));
    sooth_origin_free(&env, again);
    free(row);
    use_model(model);
}

/* A file, in memory of exactly its size. */
static void use_file(const uint8_t *data, size_t size) {
    unsigned char *bytes = (unsigned char *)malloc(size ? size : 1),
                  *beside = (unsigned char *)malloc(size + 1);
    sooth_model *model = NULL;
    sooth_origin *origin = NULL;
    sooth_env env;
    int sound, bare_scale, bare_conformal;
    if (!bytes || !beside) abort();
    memcpy(bytes, data, size);
    memcpy(beside + 1, data, size);
    sooth_env_init(&env);
    sound = sooth_model_check(bytes, size);
    MUST(sound == !sooth_model_why(bytes, size));
    bare_scale = sooth_scale_check(bytes, size);
    bare_conformal = sooth_conformal_check(bytes, size);
    MUST(!sooth_model_check(beside + 1, size) && !sooth_scale_check(beside + 1, size)); /* misaligned */
    MUST(!sooth_conformal_check(beside + 1, size) && !sooth_integers_check(beside + 1, size));
    MUST(!sooth_encode_check(beside + 1, size) && !sooth_levels_check(beside + 1, size));
    if (sound) use_model((const sooth_model *)(const void *)bytes);
    if (bare_scale) use_scale((const sooth_scale *)(const void *)bytes);
    if (bare_conformal) use_conformal((const sooth_conformal *)(const void *)bytes);
    if (sooth_probability_check(bytes, size)) use_probability((const sooth_probability *)(const void *)bytes);
    if (sooth_ratio_check(bytes, size)) use_ratio((const sooth_ratio *)(const void *)bytes);
    if (sooth_levels_check(bytes, size)) use_levels((const sooth_levels *)(const void *)bytes);
    if (sooth_encode_check(bytes, size)) use_encode((const sooth_encode *)(const void *)bytes);
    if (sooth_adapt_check(bytes, size)) use_adapt((const sooth_adapt *)(const void *)bytes);
    if (sooth_integers_check(bytes, size)) use_bare_integers((const sooth_integers *)(const void *)bytes);
    if (sooth_origin_check(bytes, size)) use_origin((const sooth_origin *)(const void *)bytes);
    MUST(!sooth_origin_check(beside + 1, size));
    if (works(&env, sooth_origin_load(&env, data, size, &origin))) sooth_origin_free(&env, origin);
    else MUST(!origin);
    if (works(&env, sooth_model_load(&env, data, size, &model))) {
        MUST(sound && memcmp(model, data, size) == 0);
        sooth_model_free(&env, model);
    } else MUST(!model);
    (void)sooth_model_swap_bytes(bytes, size); /* may refuse */
    free(bytes), free(beside);
}

/* The kind that a file says it is of; 0: none. */
static uint32_t kind_of(const uint8_t *data, size_t size) {
    return size < sizeof(sooth_block) ? 0 : word_at(data, AT_KIND) & 0xFFFFu;
}

#endif /* FUZZ_MODELS_H */
