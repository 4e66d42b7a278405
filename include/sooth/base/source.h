/* base/source.h - rows in blocks, for tables larger than memory.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A table is a view of memory. Tables larger than memory come from a source: one callback delivers the next
 * rows (from a file, a socket, a query). Another restarts from the first row. Training reads a source several
 * times. train/blocks.h reads it twice (bins of trees). linear.h reads it once, and once more if columns are
 * nearly dependent. sooth_train_fit_source (train.h) fits a whole model; csv/blocks.h makes a source from a
 * CSV file.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/base.h"
 *     #include "sooth/linear.h"
 *     #include <stdio.h>
 *
 *     static size_t at;   // rows of a line; here they are made, a hundred at a time
 *     static sooth_status next_rows(void *user, sooth_env *env, sooth_table *block) {
 *         static float x[100], y[100];
 *         size_t rows = 0;
 *         for (; rows < 100 && at < 20000; ++rows, ++at) y[rows] = 3 + 2 * (x[rows] = (float)(at % 10));
 *         (void)user, (void)env;
 *         *block = sooth_table_of(x, y, rows, 1);
 *         return SOOTH_OK;
 *     }
 *     static sooth_status rewind_rows(void *user, sooth_env *env) {
 *         (void)user, (void)env;
 *         at = 0;
 *         return SOOTH_OK;
 *     }
 *
 *     int main(void) {
 *         const sooth_source source = {NULL, 1, 1, next_rows, rewind_rows, NULL, NULL};
 *         const float row[] = {10};
 *         sooth_linear *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_linear_fit_source(&env, &source, NULL, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g\n", sooth_linear_predict(model, row));   //> 23
 *         sooth_linear_free(&env, model);
 *         return 0;
 *     }
 *
 * The model depends on the rows and their order alone, not on where blocks are cut.
 */
#if !defined(SOOTH_BASE_SOURCE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_BASE_SOURCE_H
SOOTHI_C_BEGIN

/* A source of rows. */
typedef struct sooth_source {
    void *user;
    size_t cols, targets; /* of every block */
    /* Delivers the next rows, as a view that is valid until the next call; rows 0 means the end. Either all
       blocks have weights or none has; this holds for groups, too. All mark the same categorical columns. Any
       result but SOOTH_OK ends the reading,
       with the message of the source. */
    sooth_status (*next_fn)(void *user, sooth_env *env, sooth_table *block);
    sooth_status (*rewind_fn)(void *user, sooth_env *env); /* restarts from the first row; rows must be
                                                              identical */
    double (*done_fn)(void *user); /* fraction of the rows delivered, for progress; NULL means unknown */
    const char *const *names;      /* one per column, or NULL */
} sooth_source;

SOOTHI_C_END
#endif /* SOOTH_BASE_SOURCE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_SOURCE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_BASE_SOURCE_IMPLEMENTED
SOOTHI_C_BEGIN

/* One or several passes over a source. */
typedef struct soothi_source_pass {
    sooth_env *env;
    const sooth_source *source;
    sooth_table block;   /* current block */
    size_t rows;         /* rows of all earlier blocks */
    int weights, groups; /* 1 if the blocks have any, 0 if not, -1 if not yet known */
} soothi_source_pass;

SOOTHI_LOCAL soothi_source_pass soothi_source_open(sooth_env *env, const sooth_source *source) {
    soothi_source_pass pass;
    memset(&pass, 0, sizeof pass);
    pass.env = env;
    pass.source = source;
    pass.weights = pass.groups = -1;
    return pass;
}

SOOTHI_LOCAL sooth_status soothi_source_check(sooth_env *env, const sooth_source *source) {
    if (source->cols > 0 && source->targets > 0) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA,
                      "the source has %z columns and %z targets, but must have at least 1 of each",
                      source->cols, source->targets);
}

/* Restarts from the first row. */
SOOTHI_LOCAL sooth_status soothi_source_again(soothi_source_pass *p) {
    p->rows = 0;
    return p->source->rewind_fn(p->source->user, p->env);
}

/* Reads the next block and checks it for `needs` (of sooth_table_check). At the end block.rows is 0. Progress
   runs from `from` to from + share. */
SOOTHI_LOCAL sooth_status soothi_source_next(soothi_source_pass *p, unsigned needs, double from,
                                             double share) {
    const sooth_source *s = p->source;
    sooth_table *b = &p->block;
    char why[SOOTH_ENV_SENTENCE];
    sooth_table checked;
    sooth_env told;
    size_t weighed;
    sooth_status status =
        soothi_progress(p->env, "reading", from + (s->done_fn ? share * s->done_fn(s->user) : 0.0));
    sooth_table_init(b, NULL, 0, 0);
    b->names = s->names;
    if (status == SOOTH_OK) status = s->next_fn(s->user, p->env, b);
    if (status != SOOTH_OK || b->rows == 0) return status;
    if (b->cols != s->cols || b->targets != s->targets)
        return sooth_fail(p->env, SOOTH_BAD_DATA,
                          "the block from row %z has %z columns and %z targets, but the source has %z and %z",
                          p->rows + 1, b->cols, b->targets, s->cols, s->targets);
    if (p->weights < 0) {
        p->weights = b->weight != NULL;
        p->groups = b->group != NULL;
    }
    if (p->weights != (b->weight != NULL) || p->groups != (b->group != NULL))
        return sooth_fail(p->env, SOOTH_BAD_DATA,
                          "the block from row %z and the blocks before it do not all have weights, or groups",
                          p->rows + 1);
    if (b->rows > UINT32_MAX / 2 - p->rows)
        return sooth_fail(p->env, SOOTH_BAD_DATA, "the source has more than 2^31 rows, the maximum");
    sooth_env_init(&told);
    b->names = s->names;
    checked = *b;
    for (weighed = 0;
         b->weight && weighed < b->rows && b->weight[weighed] <= 0.0f && b->weight[weighed] >= 0.0f;)
        ++weighed;
    if (weighed == b->rows) checked.weight = NULL; /* all 0, which is valid in a block */
    status = sooth_table_check(&told, &checked, needs);
    if (status == SOOTH_OK) return SOOTH_OK;
    sooth_text_format(why, sizeof why, "%s", told.sentence);
    return sooth_fail(p->env, status, "in the block from row %z: %s", p->rows + 1, why);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
