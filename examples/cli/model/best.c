/* best.c - what `sooth fit --model best` compared and chose.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "pages.h"

static const char *const error_name[] = {"", "RMSE", "MAE", "MAPE"};

const sooth_best *model_best(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if ((parts.predictor->kind & 0xFFFFu) != SOOTH_KIND_BEST) return NULL;
    return (const sooth_best *)(const void *)parts.predictor;
}

/* Returns "3.2 %" or "3.2 W". */
static const char *error_text(const sooth_best *best, const data *d, double error) {
    static char ring[4][80];
    static unsigned next;
    char *text = ring[next++ % 4];
    const int relative = best->error == SOOTH_BEST_MRE;
    if (error != error) return "-";
    snprintf(text, 80, "%s%s%.40s", human((relative ? 100.0 : 1.0) * error, 3),
             relative || *d->target_unit[0] ? " " : "", relative ? "%" : d->target_unit[0]);
    return text;
}

/* What was held out: "programs", with the name of their column. */
static const char *held_text(const sooth_best *best, const data *d) {
    static char text[120];
    if (best->held != 1) return best->held ? "later rows" : "rows";
    snprintf(text, sizeof text, "%.100ss", printable(d->group));
    return text;
}

/* Returns how the folds count. */
static const char *folds_text(const sooth_best *best) {
    return best->held == 2 ? ", each counting twice the one before" : best->repeats > 1 ? ", four times" : "";
}

/* Returns "MAPE 3.2 % (standard error 0.4 %, over programs)", the error of the answer. */
static const char *expected_text(const sooth_best *best, const data *d) {
    static char text[300];
    const double doubt = sooth_best_standard_error(best);
    const int n = snprintf(text, sizeof text, "%s %s", error_name[best->error],
                           error_text(best, d, (double)best->expected));
    if (doubt == doubt)
        snprintf(text + n, sizeof text - (size_t)n, " (standard error %s, over %s)",
                 error_text(best, d, doubt), best->held == 2 ? "parts of the time" : held_text(best, d));
    return text;
}

/* Returns the figures to quote: those of the answer and of the best rule, by the measure that chose. */
static const char *lead_text(const sooth_best *best, const data *d) {
    static const char *const name[] = {"the rule", "the model", "the average"};
    static char text[700];
    const char *held = held_text(best, d), *expected = expected_text(best, d);
    if (best->verdict == SOOTH_BEST_RULE)
        snprintf(
            text, sizeof text,
            "No model beats the best rule, which is the answer. Chosen anew without each fold of %s, it has "
            "%s.",
            held, expected);
    else
        snprintf(text, sizeof text, "Chosen anew without each fold of %s, %s has %s; the best rule has %s.",
                 held, name[best->verdict], expected, error_text(best, d, (double)best->expected_rule));
    return text;
}

/* Returns why the answer is a rule, or how far it extrapolates; "" if there is nothing to tell. */
static const char *bounds_text(const sooth_best *best, const data *d) {
    static char text[300];
    const char *unit = d->target_unit[0], *space = *unit ? " " : "";
    if (best->verdict == SOOTH_BEST_RULE && best->held == 1 && best->folds < 5) {
        snprintf(
            text, sizeof text,
            "%u groups cannot tell a model from a rule, and say little about new ones. --model names one "
            "nevertheless.",
            best->folds);
        return text;
    }
    if (best->verdict == SOOTH_BEST_RULE) return "";
    snprintf(text, sizeof text, "It does not extrapolate: predictions are within %s to %s%s%.40s.",
             human((double)best->low, 3), human((double)best->high, 3), space, unit);
    return text;
}

static const char *const CLASSES =
    "The target is 0 and 1: --model boost --set loss=logistic predicts the probability of 1.";

/* Returns what the figures do not hold for; "" if there is nothing to warn of. */
static const char *limit_text(const sooth_best *best, const data *d) {
    if (best->held == 1) return "";
    if (d->group)
        return "Models were chosen on later rows, of any group. Without --time they are chosen on whole "
               "groups.";
    return "This does not apply to groups of rows (programs, users, machines) that are not in the table; see "
           "--group.";
}

static int is_last_two(const sooth_best_candidate *one) {
    return strcmp(one->recipe, SOOTH_BEST_LAST_TWO) == 0;
}

/* Returns the place of the last two targets among the candidates, or their number. */
static size_t last_two_of(const sooth_best *best) {
    sooth_best_candidate one;
    size_t i = 0;
    while (sooth_best_candidate_at(best, i, &one) && !is_last_two(&one)) ++i;
    return i;
}

/* Returns that the last two targets are better than the answer; "" if they are not, or were not compared. */
static const char *last_two_text(const sooth_best *best, const data *d) {
    static char text[500];
    sooth_best_candidate one;
    if (!sooth_best_candidate_at(best, last_two_of(best), &one) || !(one.error < best->expected)) return "";
    snprintf(text, sizeof text,
             "The mean of the last two targets before each row%s is better: it has %s %s there. %s",
             d->group ? " of its group" : "", error_name[best->error], error_text(best, d, (double)one.error),
             LAST_TWO_ADVICE);
    return text;
}

/* Returns that most later rows were above, or below, what was predicted; "" if neither is. */
static const char *drift_text(const sooth_best *best) {
    static char text[200];
    const double above = sooth_best_share_above(best);
    if (best->held != 2 || !(above > 0.8 || above < 0.2)) return "";
    snprintf(
        text, sizeof text,
        "%s %% of the later rows were %s than predicted. If this goes on, the next rows are off by more.",
        human(100.0 * (above > 0.5 ? above : 1.0 - above), 3), above > 0.5 ? "higher" : "lower");
    return text;
}

/* Returns how many candidates were not compared because features are missing, rules among them, and the cure;
   "" if there are none. */
static const char *lacking_text(const sooth_best *best, const data *d) {
    static char text[300];
    sooth_best_candidate one;
    size_t models = 0, rules = 0, rows = 0;
    for (size_t i = 0; sooth_best_candidate_at(best, i, &one); ++i) {
        sooth_train_recipe recipe;
        if (one.error == one.error || is_last_two(&one)) continue;
        if (sooth_train_recipe_read(NULL, one.recipe, strlen(one.recipe), &recipe) != SOOTH_OK) continue;
        if (takes_missing(model_named(recipe.model))) continue;
        ++models;
        rules += one.is_rule;
    }
    for (size_t i = 0; i < d->table.rows; ++i) rows += (size_t)is_short(&d->table, i);
    if (models == 0 || rows == 0) return "";
    snprintf(text, sizeof text,
             "%s that need every value%s%s; --drop-missing leaves out %s in which a feature is missing",
             counted(models, "model", "models"), rules ? ", of which " : "",
             rules ? counted(rules, "is a rule", "are rules") : "", counted(rows, "row", "rows"));
    return text;
}

static const char *untested_text(const data *d) {
    return d->table.rows > 1 ? "too few rows are later than others; the answer is the median"
                             : "there is one row; the answer is the median";
}

/* Prints a line of the table of candidates. */
static void add_candidate(grid *g, const sooth_best *best, const data *d, size_t i) {
    sooth_best_candidate one;
    sooth_best_candidate_at(best, i, &one);
    const int power = strcmp(one.recipe, "linear transform=log,none,log-target") == 0;
    grid_add(g, "%s%s%s", power ? "power law: " : "", one.recipe, i == best->rule ? "  (best rule)" : "");
    if (one.weight > 0.0f) grid_add(g, "%.3f", (double)one.weight);
    else grid_add(g, "-");
    grid_add(g, "%s", error_text(best, d, (double)one.error));
}

void best_print(const data *d, const sooth_model *model) {
    const sooth_best *best = model_best(model);
    grid g;
    if (best->folds == 0) {
        printf("  not tested  %s\n", untested_text(d));
        return;
    }
    const size_t last_two = last_two_of(best);
    sooth_best_candidate one;
    size_t models = 0;
    for (size_t i = 0; sooth_best_candidate_at(best, i, &one); ++i)
        models += one.error == one.error && !is_last_two(&one);
    printf("  compared    %zu models on %u folds of %s%s, %s\n", models, best->folds,
           best->held == 1 ? "whole groups" : held_text(best, d), folds_text(best),
           counted(models * best->folds * best->repeats, "fit", "fits"));
    if (*lacking_text(best, d)) printf("  not tried   %s\n", lacking_text(best, d));
    printf("\n");
    grid_init(&g, 3, 1);
    grid_add(&g, " ");
    grid_add(&g, "weight");
    grid_add(&g, "%s, held out", error_name[best->error]);
    for (size_t i = 0; i < best->members; ++i) add_candidate(&g, best, d, i);
    if (best->rule >= best->members) add_candidate(&g, best, d, best->rule);
    if (last_two < best->candidates) add_candidate(&g, best, d, last_two);
    grid_print(&g, stdout, "  ");
    printf("  %s\n", lead_text(best, d));
    if (best->verdict != SOOTH_BEST_RULE && best->expected > best->expected_rule)
        printf("  A few rows that are far off make up this mean. They count less in the choice.\n");
    if (*last_two_text(best, d)) printf("  %s\n", last_two_text(best, d));
    if (*drift_text(best)) printf("  %s\n", drift_text(best));
    if (*bounds_text(best, d)) printf("  %s\n", bounds_text(best, d));
    if (*limit_text(best, d)) printf("  %s\n", limit_text(best, d));
    if (best->held == 0 && *score_repeats_text(d)) printf("  %s\n", score_repeats_text(d));
    if (is_two_classes(d)) printf("  %s\n", CLASSES);
}

void best_page(page *p, const data *d, const sooth_model *model) {
    enum { BARS = 12 };
    const sooth_best *best = model_best(model);
    const char *names[BARS + 2], *unit = best->error == SOOTH_BEST_MRE ? "%" : d->target_unit[0];
    double value[BARS + 2];
    uint32_t series[BARS + 2];
    char caption[160], suffix[40], words[120];
    sooth_best_candidate one, rule;
    svg_bar_chart chart;
    size_t n = 0, tried = 0;
    int less = 0;
    grid g;
    if (best->folds == 0) {
        page_text(p, "p", "Not tested: %s.", untested_text(d));
        return;
    }
    page_text(p, "p class=\"lead\"", "%s", lead_text(best, d));
    if (*last_two_text(best, d)) page_text(p, "p", "%s", last_two_text(best, d));
    if (*drift_text(best)) page_text(p, "p", "%s", drift_text(best));
    if (best->held == 0 && *score_repeats_text(d)) page_text(p, "p", "%s", score_repeats_text(d));
    if (is_two_classes(d)) page_text(p, "p", "%s", CLASSES);
    if (*lacking_text(best, d)) page_text(p, "p", "Not tried: %s.", lacking_text(best, d));
    sooth_best_candidate_at(best, best->rule, &rule);
    grid_init(&g, 3, 1);
    grid_add(&g, " ");
    grid_add(&g, "weight");
    grid_add(&g, "%s, held out", error_name[best->error]);
    for (size_t i = 0; sooth_best_candidate_at(best, i, &one); ++i) {
        add_candidate(&g, best, d, i);
        if (one.error != one.error) continue;
        ++tried;
        less |= one.error < rule.error && !is_last_two(&one);
        if (n >= BARS && i != best->rule && !is_last_two(&one)) continue;
        names[n] = one.recipe;
        series[n] = one.is_rule ? 6 : one.weight > 0.0f ? 0 : 1;
        value[n++] = (best->error == SOOTH_BEST_MRE ? 100.0 : 1.0) * (double)one.error;
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.series = series;
    chart.count = n;
    snprintf(suffix, sizeof suffix, "%s%.30s", *unit ? " " : "", unit);
    chart.unit = suffix;
    snprintf(caption, sizeof caption, "%s, %s left out", score_figure_title((int)best->error),
             best->held == 1 ? "whole groups" : held_text(best, d));
    page_text(
        p, "p",
        "Grey: rules. Blue: members of the answer, which come first. Orange: other models, by their error.");
    if (less && best->verdict == SOOTH_BEST_RULE)
        page_text(
            p, "p",
            "The least of many errors is optimistic. A model with less error here, chosen without a fold, "
            "was no better than the rule on that fold.");
    page_bars(p, caption, &chart);
    const size_t at = (size_t)snprintf(words, sizeof words, "Data of the picture: %s",
                                       counted(best->candidates, "model", "models"));
    if (n < tried) snprintf(words + at, sizeof words - at, "; the picture shows %zu", n);
    page_table(p, words, &g);
    page_text(p, "p class=\"soft\"", "Compared on %u folds of %s%s. %s", best->folds,
              best->held == 1 ? "whole groups" : held_text(best, d), folds_text(best), limit_text(best, d));
}

void best_json(const data *d, const sooth_model *model, json *j) {
    static const char *const verdict[] = {"rule", "single", "average"};
    const sooth_best *best = model_best(model);
    sooth_best_candidate one;
    json_open(j, "best", '{');
    json_text(j, "answer", verdict[best->verdict]);
    json_text(j, "errors_are", error_name[best->error]);
    json_text(j, "held_out", best->held == 1 ? "whole groups" : held_text(best, d));
    json_count(j, "folds", best->folds);
    json_count(j, "repeats", best->repeats);
    json_number(j, "error", (double)best->expected);
    json_number(j, "standard_error", sooth_best_standard_error(best));
    json_number(j, "share_above", sooth_best_share_above(best));
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
