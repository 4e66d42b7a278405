/* best.c - what `sooth fit --model best` compared and chose.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"

static const char *const error_name[] = {"", "RMSE", "MAE", "mean relative error"};

const sooth_best *model_best(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if ((parts.predictor->kind & 0xFFFFu) != SOOTH_KIND_BEST) return NULL;
    return (const sooth_best *)(const void *)parts.predictor;
}

/* Returns "3.2 %" or "3.2 W". */
static const char *error_text(const sooth_best *best, const data *d, float error) {
    static char ring[4][80];
    static unsigned next;
    char *text = ring[next++ % 4];
    const int relative = best->error == SOOTH_BEST_MRE;
    if (error != error) return "-";
    snprintf(text, 80, "%s%s%.40s", human((relative ? 100.0 : 1.0) * (double)error, 3),
             relative || *d->target_unit[0] ? " " : "", relative ? "%" : d->target_unit[0]);
    return text;
}

static const char *answer_name(const sooth_best *best) {
    static const char *const name[] = {"the rule", "the model", "the average"};
    return name[best->verdict];
}

/* Prints a line of the table of candidates. */
static void add_candidate(grid *g, const sooth_best *best, const data *d, size_t i) {
    sooth_best_candidate one;
    sooth_best_candidate_at(best, i, &one);
    grid_add(g, "%s%s", one.recipe, i == best->rule ? "  (best rule)" : "");
    if (one.weight > 0.0f) grid_add(g, "%.3f", (double)one.weight);
    else grid_add(g, "-");
    grid_add(g, "%s", error_text(best, d, one.error));
}

void best_print(const data *d, const sooth_model *model) {
    const sooth_best *best = model_best(model);
    const char *held = best->held == 1 ? d->group : "row";
    sooth_best_candidate rule;
    grid g;
    if (best->folds == 0) {
        printf("  not tested  there is one row; the answer is the median\n");
        return;
    }
    printf("  compared    %u models on %u folds of %s%s, %s\n", best->candidates, best->folds,
           best->held == 2 ? "later rows"
           : best->held    ? "whole groups"
                           : "rows",
           best->repeats > 1 ? ", four times" : "",
           counted((size_t)best->candidates * best->folds * best->repeats, "fit", "fits"));
    printf("\n");
    grid_init(&g, 3, 1);
    grid_add(&g, " ");
    grid_add(&g, "weight");
    grid_add(&g, "%s, held out", error_name[best->error]);
    for (size_t i = 0; i < best->members; ++i) add_candidate(&g, best, d, i);
    if (best->rule >= best->members) add_candidate(&g, best, d, best->rule);
    grid_print(&g, stdout, "  ");
    sooth_best_candidate_at(best, best->rule, &rule);
    if (best->verdict == SOOTH_BEST_RULE)
        printf("  No model beats this rule on %ss that did not choose it: the rule is the answer.\n", held);
    else
        printf("  On %ss that did not choose it, %s has %s; the best rule has %s.\n", held, answer_name(best),
               error_text(best, d, best->expected), error_text(best, d, best->expected_rule));
    if (best->verdict != SOOTH_BEST_RULE && best->expected > best->expected_rule)
        printf("  A few rows that are far off make up this mean. They count less in the choice.\n");
    if (best->held != 1)
        printf("  This does not apply to groups of rows (programs, users, machines) that are not in the "
               "table; see --group.\n");
}

void best_json(const sooth_model *model, json *j) {
    static const char *const verdict[] = {"rule", "single", "average"};
    const sooth_best *best = model_best(model);
    sooth_best_candidate one;
    json_open(j, "best", '{');
    json_text(j, "answer", verdict[best->verdict]);
    json_text(j, "errors_are", error_name[best->error]);
    json_count(j, "folds", best->folds);
    json_count(j, "repeats", best->repeats);
    json_number(j, "error", (double)best->expected);
    json_number(j, "error_of_best_rule", (double)best->expected_rule);
    sooth_best_candidate_at(best, best->rule, &one);
    json_text(j, "best_rule", one.recipe);
    json_open(j, "candidates", '[');
    for (size_t i = 0; sooth_best_candidate_at(best, i, &one); ++i) {
        json_open(j, NULL, '{');
        json_text(j, "recipe", one.recipe);
        json_text(j, "kind", one.is_rule ? "rule" : "model");
        json_number(j, "weight", (double)one.weight);
        json_number(j, "error", (double)one.error);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}
