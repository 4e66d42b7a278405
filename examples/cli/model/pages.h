/* pages.h - the sections of a page about models: tests on left-out rows, and a fit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include "../app/page.h"
#include "model_cli.h"

/* ---- page_held.c ---- */

/* Tests of one contender and target. */
typedef struct page_tests {
    const data *d;
    const held_out *held;
    size_t contender, target;
    const char *model;
    int by; /* RMSE, MAE or MAPE, by which the models are compared; FIGURES: the log loss, here MAE */
} page_tests;

/* Predicted against measured values; for probabilities, the frequency of ones per predicted probability. */
void page_predicted(page *p, const page_tests *t);
/* Errors of each group, the worst first; nothing if the tests have no groups. */
void page_by_group(page *p, const page_tests *t);
/* Errors by size of the target, and their distribution; nothing for probabilities. */
void page_by_size(page *p, const page_tests *t);
void page_spread(page *p, const page_tests *t);

/* ---- best.c ---- */

/* What a best compared and chose. */
void best_page(page *p, const data *d, const sooth_model *model);

/* ---- page_fit.c ---- */

/* The content of the page of a fit. */
typedef struct page_fitted {
    const data *d;
    const contender *c;  /* as it was fitted */
    const validation *v; /* of this contender and the baselines; folds 0: not tested */
    const tuning *t;
    const history *h;
    const sooth_model *model;
    const char *title;  /* of the kind of model */
    const char *path;   /* of the model's file */
    const char *gained; /* by its teacher, as text; "": none is given */
} page_fitted;

/* Held-out errors compared with those of rules, row by row; losses; errors against rows; sizes. */
void page_fit(page *p, const sooth_env *env, const page_fitted *f);

#endif /* CLI_PAGES_H */
