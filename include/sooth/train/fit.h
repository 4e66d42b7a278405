/* train/fit.h - one fit: levels, transforms, predictor and card become a model.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * This part has no public functions: train.h has. The order is that of predicting. The targets are
 * transformed first, since levels are encoded by statistics of the transformed targets. Then the features get
 * their codes or statistics, then their transform, and the predictor learns from the result. With ratio_to
 * the targets are divided by its form before all this.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_FIT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#include "best.h"
#define SOOTH_TRAIN_FIT_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_TRAIN_OPTION_TEXT = 32 + 8 * 32 };

/* All options as "name=value name=value", for the card; NULL if memory is short. */
SOOTHI_LOCAL char *soothi_train_options_text(sooth_env *env, sooth_option_list list, const void *options) {
    char *text = (char *)sooth_alloc(env, list.count + 1, SOOTHI_TRAIN_OPTION_TEXT), room[32];
    size_t n = 0;
    if (!text) return NULL;
    text[0] = 0;
    for (size_t i = 0; i < list.count; ++i) {
        const sooth_option *o = &list.option[i];
        double value = sooth_option_value(o, options);
        n += sooth_text_format(text + n, 32, n ? " %s=" : "%s=", o->name);
        if (o->type == SOOTH_OPTION_CHOICE)
            n += sooth_text_format(text + n, 32, "%s", soothi_choice(o->choices, (uint32_t)value, room));
        else if (o->type == SOOTH_OPTION_NUMBERS)
            n += sooth_option_text(o, options, text + n, SOOTHI_TRAIN_OPTION_TEXT - 32);
        else n += sooth_text_format(text + n, 32, "%g", value);
    }
    return text;
}

/* Makes a card of a resolved recipe. range: like sooth_model_card_range. */
SOOTHI_LOCAL sooth_status soothi_train_card_from(sooth_env *env, const sooth_table *table, const float *range,
                                                 const sooth_train_recipe *recipe,
                                                 const sooth_model_kind *kind, sooth_model_card **card) {
    const sooth_option_list list = sooth_model_kind_options(kind);
    sooth_model_card_content content;
    char *options = soothi_train_options_text(env, list, &recipe->options);
    sooth_status status = options ? SOOTH_OK : sooth_no_memory(env, "a model's card", list.count);
    if (status == SOOTH_OK) {
        content.features = (uint32_t)table->cols;
        content.targets = (uint32_t)table->targets;
        content.feature_names = table->names;
        content.feature_units = recipe->feature_units;
        content.target_names = recipe->target_names;
        content.target_units = recipe->target_units;
        content.range = range;
        content.rows = (uint32_t)table->rows;
        content.groups = recipe->groups;
        content.score = recipe->score;
        content.scores = recipe->scores;
        content.options = options;
        content.note = recipe->note;
        content.seen = recipe->seen;
        status = sooth_model_card_make(env, &content, card);
    }
    sooth_free(env, options, list.count + 1, SOOTHI_TRAIN_OPTION_TEXT);
    return status;
}

SOOTHI_LOCAL float *soothi_train_ranges(sooth_env *env, size_t columns) {
    float *range = (float *)sooth_alloc(env, 2 * columns, sizeof *range);
    if (!range) sooth_no_memory(env, "a model's card", 2 * columns * sizeof *range);
    return range;
}

SOOTHI_LOCAL sooth_status soothi_train_predictor(sooth_env *env, const sooth_table *table, uint32_t kind,
                                                 const sooth_train_options *options,
                                                 sooth_block **predictor) {
    *predictor = NULL;
    switch (kind) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets)                \
    case SOOTH_KIND_##NAME: {                                                              \
        sooth_##name *made = NULL;                                                         \
        const sooth_status status = sooth_##name##_fit(env, table, &options->name, &made); \
        if (made) *predictor = &made->head;                                                \
        return status;                                                                     \
    }
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return SOOTH_BAD_ARGUMENT;
    }
}

/* Fits a scale to `cols` columns at x, with the rows of the table. Writes scaled rows to new memory. */
SOOTHI_LOCAL sooth_status soothi_train_scale(sooth_env *env, const sooth_table *table, const float *x,
                                             size_t cols, size_t stride, const char *const *names,
                                             const sooth_scale_options *options, sooth_scale **scale,
                                             float **scaled) {
    sooth_table view;
    sooth_table_init(&view, x, table->rows, cols);
    view.stride = stride;
    view.weight = table->weight;
    view.names = names;
    if (x == table->x) view.categorical = table->categorical; /* those columns cannot be scaled */
    sooth_status status = sooth_scale_fit(env, &view, options, scale);
    if (status != SOOTH_OK) return status;
    *scaled = (float *)sooth_alloc(env, soothi_product(table->rows, cols), sizeof(float));
    if (!*scaled)
        status = sooth_no_memory(env, "the scaled rows", soothi_product(table->rows * cols, sizeof(float)));
    status = soothi_agree(env, status);
    if (status == SOOTH_OK) sooth_scale_apply_many(*scale, x, table->rows, stride, *scaled);
    return status;
}

/* Whether this kind splits columns of categories (sooth_table.categorical) by sets of levels. */
SOOTHI_LOCAL int soothi_train_takes_categories(uint32_t kind) {
    return kind == SOOTH_KIND_TREE || kind == SOOTH_KIND_FOREST || kind == SOOTH_KIND_BOOST;
}

/* Resolves SOOTH_TRAIN_ENCODE_AUTO. */
SOOTHI_LOCAL void soothi_train_encode(const sooth_table *table, const sooth_model_kind *kind,
                                      sooth_train_recipe *recipe) {
    int categories = recipe->levels != NULL;
    for (size_t j = 0; table->categorical && j < table->cols; ++j) categories |= table->categorical[j];
    if (recipe->encode != SOOTH_TRAIN_ENCODE_AUTO) return;
    categories = categories && (soothi_train_takes_categories(kind->kind) || kind->kind == SOOTH_KIND_BEST);
    recipe->encode = categories ? SOOTH_TRAIN_ENCODE_NATIVE : SOOTH_TRAIN_ENCODE_TARGET;
}

/* Checks that the dictionary, the marks of the table and the encoding mean the same columns. A part that is
   missing would not fail: the predictor would use codes as numbers. */
SOOTHI_LOCAL sooth_status soothi_train_check_categories(sooth_env *env, const sooth_table *table,
                                                        const sooth_train_recipe *recipe) {
    const sooth_levels *levels = recipe->levels;
    const int native = recipe->encode == SOOTH_TRAIN_ENCODE_NATIVE;
    size_t categories = 0;
    char buffer[32];
    if (recipe->encode > SOOTH_TRAIN_ENCODE_NATIVE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "encode is %u, but must be between 0 and %u",
                          recipe->encode, (unsigned)SOOTH_TRAIN_ENCODE_NATIVE);
    if (levels && levels->head.features != table->cols)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the table has %z columns, but the dictionary has %u",
                          table->cols, levels->head.features);
    for (size_t j = 0; j < table->cols; ++j) {
        const int marked = table->categorical && table->categorical[j];
        const int known = levels && sooth_levels_columns(levels)[j].categorical;
        categories += (size_t)marked;
        if (marked && levels && !known)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "%s is marked in table.categorical, but is a number in recipe.levels",
                              soothi_column(table, j, buffer));
        if (known && !marked && native)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "%s has levels in recipe.levels, but is not marked in table.categorical: "
                              "encode=native would use its codes as numbers",
                              soothi_column(table, j, buffer));
        if (marked && !levels && !native)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "%s is marked in table.categorical, but recipe.levels is NULL; set it, or "
                              "encode=native, which needs no dictionary",
                              soothi_column(table, j, buffer));
    }
    if (native && !categories)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "encode=native is for categories, but no column is marked in table.categorical");
    return SOOTH_OK;
}

/* Encodes the rows of codes for the predictor, in new memory if they change: *x. *levels gets statistics;
   NULL means that the recipe's levels are final. */
SOOTHI_LOCAL sooth_status soothi_train_levels(sooth_env *env, const sooth_train_recipe *recipe,
                                              const sooth_model_kind *kind, sooth_table *learned,
                                              sooth_levels **levels, float **x) {
    if (recipe->encode == SOOTH_TRAIN_ENCODE_NATIVE) {
        if (soothi_train_takes_categories(kind->kind) && !recipe->has_input) return SOOTH_OK;
        if (recipe->has_input && soothi_train_takes_categories(kind->kind))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "%s splits categories by sets of levels, which a transform of the features "
                              "excludes; leave that out, since trees need none, or give encode=target",
                              kind->name);
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "encode=native is not supported by %s", kind->name);
    }
    if (!recipe->levels) return SOOTH_OK; /* then no column is marked */
    learned->categorical = NULL;          /* they are numbers from now on */
    if (recipe->encode == SOOTH_TRAIN_ENCODE_ORDINAL) return SOOTH_OK;
    *x = (float *)sooth_alloc(env, soothi_product(learned->rows, learned->cols), sizeof(float));
    if (!*x) return sooth_no_memory(env, "the encoded rows", learned->rows * learned->cols * sizeof(float));
    const sooth_status status =
        sooth_levels_fit_statistics(env, recipe->levels, learned, &recipe->encoding, *x, levels);
    learned->x = *x;
    learned->stride = learned->cols;
    return status;
}

/* Returns SOOTH_OK if all processes have valid tables, and the same recipe. kind is NULL if the status is a
   failure that precedes it. */
SOOTHI_LOCAL sooth_status soothi_train_agree(sooth_env *env, sooth_status status,
                                             const sooth_model_kind *kind, const sooth_train_recipe *recipe) {
    const sooth_scale_options *const scale[2] = {recipe->has_input ? &recipe->input : NULL,
                                                 recipe->has_target ? &recipe->target : NULL};
    if (soothi_ranks(env) == 1) return status;
    if (status == SOOTH_OK &&
        (recipe->levels || *recipe->ratio_to || *recipe->teacher ||
         !(soothi_train_takes_categories(kind->kind) || kind->kind == SOOTH_KIND_LINEAR)))
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s cannot be fitted to rows in several processes",
                            recipe->levels      ? "categories"
                            : *recipe->ratio_to ? "ratio_to"
                            : *recipe->teacher  ? "a teacher"
                                                : kind->title);
    status = soothi_agree(env, status);
    if (status != SOOTH_OK) return status;
    uint64_t digest = 4u * kind->kind + (recipe->seen ? 2u : 0u) + (recipe->no_card ? 1u : 0u);
    for (size_t k = 0; k < 2; ++k)
        digest = digest * 64 + (scale[k] ? 4 * scale[k]->transform + 2 * scale[k]->clip + 1 : 0);
    return soothi_reduce_same(env, digest << 1, "recipes");
}

/* Begins the ranges of categories at -1 if training rows missed a level. */
SOOTHI_LOCAL void soothi_train_lost_ranges(const sooth_levels *levels, const sooth_table *table,
                                           float *range) {
    for (size_t k = 0; levels && k < table->rows * table->cols; ++k) {
        const size_t j = k % table->cols;
        if (sooth_levels_columns(levels)[j].categorical &&
            soothi_levels_missing(table->x[k / table->cols * table->stride + j]))
            range[2 * j] = -1.0f;
    }
}

/* Makes the card of a fit to the rows of all processes. */
SOOTHI_LOCAL sooth_status soothi_train_card(sooth_env *env, const sooth_table *table,
                                            const sooth_train_recipe *recipe, const sooth_model_kind *kind,
                                            sooth_model_card **card) {
    const size_t columns = table->cols + table->targets;
    float *range = soothi_train_ranges(env, columns);
    sooth_status status = soothi_agree(env, range ? SOOTH_OK : SOOTH_NO_MEMORY);
    sooth_train_recipe own = *recipe;
    sooth_table all = *table;
    sooth_model_seen_rows seen;
    uint64_t before, rows = table->rows;
    int64_t groups = (int64_t)recipe->groups;
    if (range) soothi_seen_ranges(table, 1, range);
    if (range) soothi_train_lost_ranges(recipe->levels, table, range);
    if (status == SOOTH_OK) status = soothi_reduce_ranges(env, range, columns);
    if (status == SOOTH_OK) status = soothi_reduce_rows(env, table->rows, &before, &rows, NULL);
    if (status == SOOTH_OK) status = soothi_reduce(env, SOOTH_REDUCE_MAX, &groups, 1);
    if (recipe->seen) {
        seen = *recipe->seen;
        own.seen = &seen;
        if (status == SOOTH_OK) status = soothi_seen_reduce(env, &seen);
    }
    all.rows = (size_t)rows;
    own.groups = (uint32_t)groups;
    if (status == SOOTH_OK) status = soothi_train_card_from(env, &all, range, &own, kind, card);
    sooth_free(env, range, 2 * columns, sizeof *range);
    return status;
}

/* ---- several quantiles of one target ---- */

/* Returns the number of quantiles of a recipe that predicts several; else 0. */
SOOTHI_LOCAL uint32_t soothi_train_quantile_count(const sooth_train_recipe *recipe,
                                                  const sooth_model_kind *kind) {
    const uint32_t n =
        kind->kind == SOOTH_KIND_BOOST ? soothi_boost_quantile_count(&recipe->options.boost) : 0;
    return n > 1 ? n : 0;
}

/* The targets of the model: of several quantiles each has a column with the same numbers, and a name. */
typedef struct soothi_train_targets {
    sooth_table table;
    float *y;   /* rows x quantiles */
    char *text; /* the names, `size` bytes each */
    size_t size;
    const char *name[SOOTH_ENSEMBLE_MAX_QUANTILES], *unit[SOOTH_ENSEMBLE_MAX_QUANTILES];
} soothi_train_targets;

/* Opens the targets of a recipe, and lets it name them: "seconds" becomes "seconds_p50", "seconds_p99.9". */
SOOTHI_LOCAL sooth_status soothi_train_open_targets(sooth_env *env, const sooth_table *table,
                                                    const sooth_model_kind *kind, sooth_train_recipe *own,
                                                    soothi_train_targets *targets) {
    const uint32_t n = soothi_train_quantile_count(own, kind);
    const char *name = own->target_names && own->target_names[0] ? own->target_names[0] : "";
    memset(targets, 0, sizeof *targets);
    targets->table = *table;
    if (n) own->options.boost.loss = SOOTH_BOOST_QUANTILE; /* as the card tells */
    if (n == 0 || table->targets != 1) return SOOTH_OK;    /* the fit checks several targets */
    targets->table.targets = n;
    targets->size = soothi_text_length(name) + SOOTH_TEXT_NUMBER_SIZE + 4;
    targets->y = (float *)sooth_alloc(env, soothi_product(table->rows, n), sizeof(float));
    targets->text = (char *)sooth_alloc(env, n, targets->size);
    if (!targets->y || !targets->text)
        return sooth_no_memory(env, "the quantiles", soothi_product(table->rows * n, sizeof(float)));
    for (size_t i = 0; i < table->rows * n; ++i) targets->y[i] = table->y[i / n];
    for (uint32_t k = 0; k < n; ++k) {
        char number[SOOTH_TEXT_NUMBER_SIZE], *text = targets->text + k * targets->size;
        const double parts = own->options.boost.quantiles[k] * 1e8; /* rounded: 0.57 x 100 is not 57 */
        sooth_text_from_double(number, (double)(uint32_t)(parts + 0.5) / 1e6);
        sooth_text_format(text, targets->size, *name ? "%s_p%s" : "%sp%s", name, number);
        targets->name[k] = text;
        targets->unit[k] = own->target_units ? own->target_units[0] : NULL;
    }
    targets->table.y = targets->y;
    own->target_names = targets->name;
    if (own->target_units) own->target_units = targets->unit;
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_train_close_targets(sooth_env *env, const sooth_table *table,
                                             soothi_train_targets *targets) {
    const size_t n = targets->table.targets;
    sooth_free(env, targets->y, table->rows * n, sizeof(float));
    sooth_free(env, targets->text, n, targets->size);
}

/* ---- the ratio ---- */

/* The transform of targets that are divided by a form: their logarithm. Best chooses one for each member. */
SOOTHI_LOCAL sooth_status soothi_train_ratio_scale(sooth_env *env, const sooth_model_kind *kind,
                                                   sooth_train_recipe *own) {
    if (own->has_target && (own->target.transform != SOOTH_SCALE_LOG || own->target.transforms))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "ratio_to learns the logarithm of the target; leave out its transform");
    if (own->calibrated && own->calibrate.probability)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ratio_to excludes a probability");
    if (kind->kind == SOOTH_KIND_BOOST && own->options.boost.validation)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "ratio_to cannot divide the targets of held-out rows; give validation_fraction "
                          "instead of them");
    own->has_target = kind->kind != SOOTH_KIND_BEST;
    own->target.transform = SOOTH_SCALE_LOG;
    return SOOTH_OK;
}

/* Makes the ratio, and *left: the targets y[i * targets + t] divided by the form of row i, in new memory. */
SOOTHI_LOCAL sooth_status soothi_train_divide(sooth_env *env, const sooth_table *table,
                                              const sooth_train_recipe *recipe, const float *y,
                                              size_t targets, sooth_ratio **ratio, float **left) {
    char room[32];
    sooth_status status = sooth_ratio_fit(env, table, recipe->ratio_to, ratio);
    for (uint32_t k = 0; status == SOOTH_OK && recipe->levels && k < (*ratio)->terms; ++k) {
        const uint32_t j = sooth_ratio_terms(*ratio)[k].column;
        if (sooth_levels_columns(recipe->levels)[j].categorical)
            status = soothi_ratio_categories(env, soothi_column(table, j, room));
    }
    if (status != SOOTH_OK) return status;
    *left = (float *)sooth_alloc(env, soothi_product(table->rows, targets), sizeof **left);
    if (!*left) return sooth_no_memory(env, "the targets over their form", table->rows * targets * 4);
    for (size_t i = 0; i < table->rows; ++i) {
        const float form = sooth_ratio_form(*ratio, table->x + i * table->stride);
        for (size_t t = 0; t < targets; ++t) (*left)[i * targets + t] = y[i * targets + t] / form;
    }
    return SOOTH_OK;
}

/* Fits the law alone: a model of log(y / form) that is the same for every row of `cols` columns. It is what
   minimises the loss that a kind with these options learns by: a mean, a median or quantiles. */
SOOTHI_LOCAL sooth_status soothi_train_law(sooth_env *env, const sooth_table *table, const sooth_ratio *ratio,
                                           const sooth_model_kind *kind, const sooth_train_options *options,
                                           size_t cols, sooth_boost **law) {
    const size_t rows = table->rows, targets = table->targets, room = soothi_product(rows, targets + cols);
    sooth_boost_options o;
    float *z = (float *)sooth_alloc(env, room, sizeof *z);
    *law = NULL;
    if (!z) return sooth_no_memory(env, "the law alone", soothi_product(room, sizeof *z));
    for (size_t i = 0; i < rows; ++i) {
        const float form = sooth_ratio_form(ratio, table->x + i * table->stride);
        for (size_t t = 0; t < targets; ++t) z[i * targets + t] = sooth_log(table->y[i * targets + t] / form);
    }
    memset(z + rows * targets, 0, rows * cols * sizeof *z);
    memset(&o, 0, sizeof o);
    o.n_estimators = 1;
    o.subsample = 1.0;
    if (kind->kind == SOOTH_KIND_BOOST) {
        const uint32_t loss = options->boost.loss;
        memcpy(o.quantiles, options->boost.quantiles, sizeof o.quantiles);
        if (loss == SOOTH_BOOST_QUANTILE || loss == SOOTH_BOOST_ABSOLUTE) o.loss = loss;
        if (loss == SOOTH_BOOST_QUANTILE) o.quantile = options->boost.quantile;
    }
    sooth_table constant = sooth_table_of(z + rows * targets, z, rows, cols);
    constant.weight = table->weight;
    constant.targets = targets;
    const sooth_status status = sooth_boost_fit(env, &constant, &o, law);
    sooth_free(env, z, room, sizeof *z);
    return status;
}

/* Whether rows are held out to shrink the learner to the law. */
SOOTHI_LOCAL int soothi_train_shrinks(const sooth_table *table, const sooth_train_recipe *recipe) {
    return *recipe->ratio_to && table->rows > 1 && (table->time || table->group || recipe->calibrate.groups);
}

/* ---- the teacher ---- */

enum {
    SOOTHI_TEACHER_ROWS = 2000, /* that it predicts, at least; as many as the table has, if those are more */
    SOOTHI_TEACHER_NEAR = 32    /* rows drawn, of which the nearest is mixed in */
};

SOOTHI_LOCAL sooth_status soothi_train_check_teacher(sooth_env *env, const sooth_train_recipe *own,
                                                     const sooth_model_kind *kind,
                                                     const sooth_train_recipe *teacher) {
    const int quantiles =
        kind->kind == SOOTH_KIND_BOOST &&
        (own->options.boost.loss == SOOTH_BOOST_QUANTILE || own->options.boost.quantiles[0] > 0.0);
    const int of_best = kind->kind == SOOTH_KIND_BEST;
    const int classes = (kind->kind == SOOTH_KIND_BOOST && own->options.boost.loss == SOOTH_BOOST_LOGISTIC) ||
                        (kind->kind == SOOTH_KIND_MLP && own->options.mlp.loss == SOOTH_MLP_LOGISTIC);
    if (of_best || quantiles || classes || *own->ratio_to)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s excludes a teacher",
                          of_best     ? "best, which compares models by the target,"
                          : quantiles ? "a quantile"
                          : classes   ? "loss=logistic, whose targets are 0 and 1,"
                                      : "ratio_to");
    if (*teacher->teacher || teacher->calibrated)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a teacher has no %s",
                          *teacher->teacher ? "teacher" : "interval or probability of its own");
    return SOOTH_OK;
}

/* Replaces the features of a row, each with probability 1/2, by those of a row near it. */
SOOTHI_LOCAL void soothi_train_mix(const sooth_table *table, const float *range, sooth_rng *rng, float *x) {
    const float *nearest = x;
    double least = 1e300;
    for (int k = 0; k < SOOTHI_TEACHER_NEAR; ++k) {
        const float *row = table->x + sooth_rng_below(rng, (uint32_t)table->rows) * table->stride;
        double distance = 0.0, same = 1.0;
        for (size_t j = 0; j < table->cols; ++j) {
            const double off = (double)row[j] - (double)x[j];
            const double width = (double)range[2 * j + 1] - (double)range[2 * j];
            if (off >= 0.0 && off <= 0.0) continue;
            if (soothi_nan((double)row[j]) && soothi_nan((double)x[j])) continue;
            same = 0.0;
            if (soothi_nan(off) || (table->categorical && table->categorical[j])) distance += 1.0;
            else distance += (off < 0.0 ? -off : off) / width;
        }
        if (same > 0.0 || distance >= least) continue;
        least = distance;
        nearest = row;
    }
    for (size_t j = 0; j < table->cols; ++j)
        if (sooth_rng_next(rng) & 1u) x[j] = nearest[j];
}

/* Makes *taught: the rows of a table, and more between them with the predictions of the teacher, which are
   bounded by the range of the targets. */
SOOTHI_LOCAL sooth_status soothi_train_teach(sooth_env *env, const sooth_table *table,
                                             const sooth_train_recipe *own, const sooth_model_kind *kind,
                                             sooth_table *taught) {
    const size_t n = table->rows, d = table->cols, targets = table->targets, columns = d + targets;
    const size_t more = n > SOOTHI_TEACHER_ROWS ? n : (size_t)SOOTHI_TEACHER_ROWS, all = n + more;
    sooth_train_recipe teacher;
    sooth_model *model = NULL;
    sooth_env silent;
    sooth_rng rng;
    float *range = NULL;
    uint32_t *row = NULL;
    void *scratch = NULL;
    size_t room = 0;
    sooth_table_init(taught, NULL, 0, 0);
    sooth_status status = sooth_train_recipe_read(env, own->teacher, strlen(own->teacher), &teacher);
    if (status == SOOTH_OK) status = soothi_train_check_teacher(env, own, kind, &teacher);
    if (status != SOOTH_OK) return status;
    teacher.levels = own->levels;
    teacher.no_card = 1;
    if (env) silent = *env;
    if (env) silent.loss_fn = NULL; /* the losses are those of the model */
    status = soothi_train_plain(env ? &silent : NULL, table, &teacher, &model);
    if (status == SOOTH_NOT_CONVERGED && model) status = SOOTH_OK;
    if (env && status != SOOTH_OK) memcpy(env->sentence, silent.sentence, sizeof silent.sentence);
    if (status == SOOTH_OK) {
        room = sooth_model_scratch_size(model, 64);
        range = (float *)sooth_alloc(env, columns, 2 * sizeof *range);
        row = (uint32_t *)sooth_alloc(env, all, sizeof *row);
        scratch = sooth_alloc(env, room, 1);
        if (!range || !row || !scratch) status = sooth_no_memory(env, "what the teacher predicts", 4 * all);
    }
    sooth_rng_init(&rng, own->calibrate.seed, 0x7465616368); /* a stream of its own */
    for (size_t i = 0; status == SOOTH_OK && i < all; ++i)
        row[i] = i < n ? (uint32_t)i : sooth_rng_below(&rng, (uint32_t)n);
    if (status == SOOTH_OK) status = sooth_table_take(env, table, row, all, taught);
    if (status == SOOTH_OK) {
        float *x = (float *)(uintptr_t)taught->x + n * d, *y = (float *)(uintptr_t)taught->y + n * targets;
        soothi_seen_ranges(table, 1, range);
        for (size_t i = 0; i < more; ++i) soothi_train_mix(table, range, &rng, x + i * d);
        sooth_model_predict_many(model, x, more, d, y, scratch, 64);
        for (size_t i = 0; i < more * targets; ++i) {
            const float *of = range + 2 * (d + i % targets);
            if (!(y[i] >= of[0])) y[i] = of[0];
            if (y[i] > of[1]) y[i] = of[1];
        }
    }
    sooth_free(env, scratch, room, 1);
    sooth_free(env, row, all, sizeof *row);
    sooth_free(env, range, columns, 2 * sizeof *range);
    sooth_model_free(env, model);
    return status;
}

/* ---- the model ---- */

/* Resolves the recipe: a preset's settings, and the kind's own transform of the features. */
SOOTHI_LOCAL sooth_status soothi_train_prepare(sooth_env *env, const sooth_table *table,
                                               const sooth_train_recipe *recipe, sooth_train_recipe *own,
                                               const sooth_model_kind **kind) {
    sooth_status status = soothi_train_resolve(env, recipe, own, kind);
    if (status == SOOTH_OK)
        status = sooth_table_check(
            env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status == SOOTH_OK) soothi_train_encode(table, *kind, own);
    if (status == SOOTH_OK) status = soothi_train_check_categories(env, table, own);
    if (status == SOOTH_OK && !own->has_input) {
        memset(&own->input, 0, sizeof own->input);
        own->input.transform = (*kind)->transform;
        own->input.clip = own->input.transform != SOOTH_SCALE_NONE; /* prevents extrapolation */
    }
    if (status == SOOTH_OK && *own->ratio_to) status = soothi_train_ratio_scale(env, *kind, own);
    own->has_input = own->input.transform != SOOTH_SCALE_NONE || own->input.transforms || own->input.clip;
    if (status == SOOTH_OK && (*kind)->kind == SOOTH_KIND_BEST && (own->has_input || own->has_target))
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT,
                            "best chooses a transform for each of its members; leave transform out");
    return soothi_train_agree(env, status, *kind, own);
}

/* Moves the ends at which columns are clipped outwards, by a tenth of the training range. A Gaussian process
   extrapolates well for a short way, and clipped rows have the error of a whole slope. */
SOOTHI_LOCAL void soothi_train_widen(sooth_scale *scale) {
    sooth_scale_column *column = (sooth_scale_column *)(void *)(scale + 1);
    for (size_t j = 0; j < scale->head.features; ++j) {
        const float tenth = 0.1f * column[j].most - 0.1f * column[j].least;
        column[j].least = soothi_scale_clamped(column[j].least - tenth);
        column[j].most = soothi_scale_clamped(column[j].most + tenth);
    }
    soothi_block_seal(&scale->head);
}

/* Fits a model without an interval: see sooth_train_fit. */
SOOTHI_LOCAL sooth_status soothi_train_plain(sooth_env *env, const sooth_table *given,
                                             const sooth_train_recipe *recipe, sooth_model **model) {
    const sooth_table *table = given;
    const sooth_model_kind *kind;
    sooth_scale *input = NULL, *target = NULL;
    sooth_block *predictor = NULL;
    sooth_model_card *card = NULL;
    sooth_levels *levels = NULL;
    sooth_ratio *ratio = NULL;
    float *codes = NULL, *x = NULL, *y = NULL, *left = NULL;
    sooth_train_recipe own;
    sooth_table taught;
    soothi_train_targets targets;
    *model = NULL;
    sooth_status status = soothi_train_prepare(env, given, recipe, &own, &kind), fitted = SOOTH_OK;
    if (status == SOOTH_OK && *own.teacher) {
        status = soothi_train_teach(env, given, &own, kind, &taught);
        table = &taught;
    }
    if (status != SOOTH_OK) return status;
    sooth_table learned = *table;
    status = soothi_agree(env, soothi_train_open_targets(env, table, kind, &own, &targets));
    const size_t outs = targets.table.targets;
    if (status == SOOTH_OK && *own.ratio_to)
        status = soothi_train_divide(env, table, &own, targets.table.y, outs, &ratio, &left);
    if (left) learned.y = left;
    if (status == SOOTH_OK && own.has_target)
        status = soothi_train_scale(env, table, left ? left : targets.table.y, outs, outs, own.target_names,
                                    &own.target, &target, &y);
    for (size_t i = 1; y && targets.y && i < table->rows; ++i) y[i] = y[i * outs]; /* one of equal columns */
    if (y) learned.y = y;
    if (status == SOOTH_OK && kind->kind != SOOTH_KIND_BEST)
        status = soothi_train_levels(env, &own, kind, &learned, &levels, &codes);
    if (status == SOOTH_OK && own.has_input)
        status = soothi_train_scale(env, table, learned.x, table->cols, learned.stride, table->names,
                                    &own.input, &input, &x);
    if (input && kind->kind == SOOTH_KIND_GAUSS && !recipe->has_input) soothi_train_widen(input);
    if (x) learned.x = x, learned.stride = table->cols;
    if (status == SOOTH_OK && kind->kind == SOOTH_KIND_BEST) { /* whose members have levels of their own */
        sooth_best *best = NULL;
        status = fitted = soothi_best_fit(env, &learned, &own, &best);
        if (best) predictor = &best->head;
    } else if (status == SOOTH_OK)
        status = fitted = soothi_train_predictor(env, &learned, kind->kind, &own.options, &predictor);
    if (fitted == SOOTH_NOT_CONVERGED && predictor) status = SOOTH_OK; /* returned with this model */
    sooth_free(env, left, table->rows * outs, sizeof(float));
    sooth_free(env, y, table->rows * outs, sizeof(float));
    sooth_free(env, x, table->rows * table->cols, sizeof(float));
    sooth_free(env, codes, table->rows * table->cols, sizeof(float));
    if (status == SOOTH_OK && !own.no_card)
        status = soothi_train_card(env, table == given ? &targets.table : given, &own, kind, &card);
    soothi_train_close_targets(env, table, &targets);
    if (table != given) sooth_table_free(env, &taught);
    const sooth_model_parts parts = {input, predictor, target, card, NULL, NULL, levels ? levels : own.levels,
                                     NULL,  ratio};
    if (status == SOOTH_OK) status = sooth_model_assemble(env, &parts, model);
    if (predictor) status = soothi_agree(env, status); /* in all processes or in none */
    if (status != SOOTH_OK) {
        sooth_model_free(env, *model);
        *model = NULL;
    }
    sooth_model_card_free(env, card);
    soothi_block_free(env, predictor);
    sooth_scale_free(env, target);
    sooth_scale_free(env, input);
    sooth_levels_free(env, levels);
    sooth_ratio_free(env, ratio);
    return status == SOOTH_OK ? fitted : status;
}

/* ---- leaves from newer rows ---- */

/* Checks that a model can be refitted by this recipe. */
SOOTHI_LOCAL sooth_status soothi_train_refits(sooth_env *env, const sooth_model *model,
                                              const sooth_model_parts *parts, const sooth_table *table,
                                              const sooth_train_recipe *recipe,
                                              const sooth_model_kind *kind) {
    const sooth_model_kind *known = sooth_model_predictor_kind(model);
    sooth_status status = sooth_table_check(
        env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status != SOOTH_OK) return status;
    if (known->kind == SOOTH_KIND_BOOST) known = kind;
    if (known->kind != SOOTH_KIND_BOOST)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "refit is for boosting, but this is a %s", known->title);
    if (parts->interval || parts->adapt || parts->probability || recipe->calibrated)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "an interval or a calibrated probability belongs to the old leaves; fit a new model, or "
            "refit one without");
    if (table->cols != model->head.features)
        return sooth_fail(env, SOOTH_BAD_DATA, "the model takes %u features, but the table has %z",
                          model->head.features, table->cols);
    return SOOTH_OK;
}

/* See sooth_train_refit. */
SOOTHI_LOCAL sooth_status soothi_train_again(sooth_env *env, const sooth_model *model,
                                             const sooth_table *table, const sooth_train_recipe *recipe,
                                             double decay, sooth_model **refitted) {
    const sooth_model_kind *kind;
    sooth_model_parts parts;
    sooth_boost *boost = NULL;
    sooth_model_card *card = NULL;
    float *x = NULL, *y = NULL;
    sooth_train_recipe own;
    soothi_train_targets targets;
    *refitted = NULL;
    sooth_model_open(model, &parts);
    sooth_status status = soothi_train_resolve(env, recipe, &own, &kind);
    if (status == SOOTH_OK) status = soothi_train_refits(env, model, &parts, table, &own, kind);
    if (status != SOOTH_OK) return status;
    status = soothi_train_open_targets(env, table, kind, &own, &targets);
    sooth_table learned = *table;
    const size_t outs = targets.table.targets, rows = table->rows;
    learned.categorical = NULL; /* the sets of the trees know the codes */
    if (status == SOOTH_OK && sooth_model_scratch_size(model, 1)) {
        x = (float *)sooth_alloc(env, soothi_product(rows, table->cols), sizeof *x);
        if (!x) status = sooth_no_memory(env, "the scaled rows", rows * table->cols * sizeof *x);
        else sooth_model_transform(&parts, table->x, rows, table->stride, x);
        learned.x = x;
        learned.stride = table->cols;
    }
    if (status == SOOTH_OK && (parts.target || parts.ratio) && outs == model->head.targets) {
        y = (float *)sooth_alloc(env, soothi_product(rows, outs), sizeof *y); /* else refused below */
        if (!y) status = sooth_no_memory(env, "the scaled rows", rows * outs * sizeof *y);
        for (size_t i = 0; y && i < rows; ++i) {
            const float form =
                parts.ratio ? sooth_ratio_form(parts.ratio, table->x + i * table->stride) : 1.0f;
            for (size_t t = 0; t < outs; ++t) y[i * outs + t] = targets.table.y[i * outs + t] / form;
        }
        if (y && parts.target) sooth_scale_apply_many(parts.target, y, rows, outs, y);
        for (size_t i = 1; y && targets.y && i < rows; ++i) y[i] = y[i * outs]; /* one of equal columns */
        learned.y = y;
    }
    if (status == SOOTH_OK)
        status = sooth_boost_refit(env, (const sooth_boost *)(const void *)parts.predictor, &learned,
                                   &own.options.boost, decay, &boost);
    if (status == SOOTH_OK && !own.no_card)
        status = soothi_train_card(env, &targets.table, &own, kind, &card);
    sooth_free(env, y, rows * outs, sizeof *y);
    sooth_free(env, x, rows * table->cols, sizeof *x);
    soothi_train_close_targets(env, table, &targets);
    if (status == SOOTH_OK) {
        const sooth_model_parts made = {parts.input, &boost->head, parts.target, card,       NULL,
                                        NULL,        parts.levels, NULL,         parts.ratio};
        status = sooth_model_assemble(env, &made, refitted);
    }
    sooth_model_card_free(env, card);
    sooth_boost_free(env, boost);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
