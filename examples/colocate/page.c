/* page.c - see page.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "../common/svg.h"
#include "page.h"
#include "../cli/app/looks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char style[] = "<style>\n" LOOKS "</style>\n";

enum { MOST_BAGS = 512, MOST_WORKLOADS = 32, WIDE = 696 /* as the text */ };

static double tenths(double value) { return floor(10 * value + 0.5) / 10; }

/* "sort 65536 + blur 640x480" */
static void bag_name(const study_data *data, const study_bag *bag, char *text, size_t size) {
    size_t n = 0;
    text[0] = 0;
    for (uint32_t k = 0; k < bag->tasks; ++k)
        n += sooth_text_format(text + n, size - n, k ? " + %s" : "%s", data->card[bag->card[k]].name);
}

void page_draw_predicted(sooth_sink *sink, const page_content *c, double width) {
    static const char *const series[] = {"pairs", "three", "four", "five"};
    static double x[MOST_BAGS], y[MOST_BAGS];
    static uint32_t which[MOST_BAGS];
    static char name[MOST_BAGS][128];
    static const char *labels[MOST_BAGS];
    const double *predicted = c->unseen_ms + (size_t)STUDY_CHOSEN * c->validated;
    svg_points points;
    size_t n = c->validated < MOST_BAGS ? c->validated : MOST_BAGS;
    for (size_t i = 0; i < n; ++i) {
        const study_bag *bag = &c->data->bag[i];
        x[i] = bag->bag_ms;
        y[i] = predicted[i];
        which[i] = bag->tasks - 2;
        bag_name(c->data, bag, name[i], sizeof name[i]);
        labels[i] = name[i];
    }
    memset(&points, 0, sizeof points);
    points.frame.title = "Predicted against measured time of bags with a program outside of the training";
    points.frame.width = width;
    points.x = x;
    points.y = y;
    points.count = n;
    points.series = which;
    points.series_names = series;
    points.series_count = 4;
    points.labels = labels;
    points.x_title = "measured time of the bag, ms";
    points.y_title = "predicted, ms";
    points.diagonal = 1;
    svg_scatter(sink, &points);
}

/* One bar per scheme. The tick is the error with a random split. size: 0 pairs, 1 larger bags. */
static void draw_errors(sooth_sink *sink, const page_content *c, int size) {
    double value[STUDY_SCHEMES], mark[STUDY_SCHEMES];
    const char *names[STUDY_SCHEMES];
    uint32_t series[STUDY_SCHEMES];
    svg_bar_chart bars;
    for (int s = 0; s < STUDY_SCHEMES; ++s) {
        value[s] = c->score[s].unseen[size];
        mark[s] = s <= STUDY_STAYING ? NAN : c->score[s].random[size];
        names[s] = study_form_of((study_scheme)s)->name;
        series[s] = s <= STUDY_STAYING       ? 6
                    : s < STUDY_PAIRS_BESIDE ? 0
                    : s < STUDY_TREE_RATIO   ? 3
                    : s < STUDY_CHOSEN       ? 2
                                             : 1;
    }
    memset(&bars, 0, sizeof bars);
    bars.frame.title = size ? "Error for bags of three to five" : "Error for pairs";
    bars.value = value;
    bars.names = names;
    bars.count = STUDY_SCHEMES;
    bars.mark = mark;
    bars.series = series;
    bars.unit = " %";
    bars.mark_title = "with random splits, where every program has been seen";
    svg_bars(sink, &bars);
}

/* ---- the decision ---- */

enum { LANE = 22, ROW = 2 * LANE + 34, PLACEMENT_TOP = 26, PLACEMENT_LEFT = 8, PLACEMENT_WIDTH = 640 };

/* One job from `from` on: filled for its time alone, pale until its pair has ended. */
static void draw_job(sooth_sink *sink, const sooth_fairness_card *card, uint32_t colour, double y,
                     double from, double together, double scale) {
    static const char colours[PLACEMENT_JOBS][8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#7f7f7f", "#b8a000"};
    const double x = PLACEMENT_LEFT + from * scale, alone_ms = card->value[SOOTH_FAIRNESS_ALONE_TIME];
    sooth_text_put(sink, "<g><title>");
    svg_text(sink, card->name);
    sooth_text_put(sink,
                   ": %G ms alone, its pair %G ms</title><rect x=\"%G\" y=\"%G\" width=\"%G\" height=\"%G\" "
                   "rx=\"2\" fill=\"%s\" "
                   "fill-opacity=\"0.22\"/><rect x=\"%G\" y=\"%G\" width=\"%G\" height=\"%G\" rx=\"2\" "
                   "fill=\"%s\" fill-opacity=\"0.6\"/>",
                   tenths(alone_ms), tenths(together), x, y, together * scale - 2, (double)LANE - 2,
                   colours[colour], x, y, fmin(alone_ms, together) * scale - 2, (double)LANE - 2,
                   colours[colour]);
    sooth_text_put(sink, "<text x=\"%G\" y=\"%G\" font-size=\"10\">", x + 4, y + LANE - 7.0);
    svg_text(sink, card->name);
    sooth_text_put(sink, "</text></g>\n");
}

/* A placement as two lanes, one per core: its pairs one after the other. */
static void draw_lanes(sooth_sink *sink, const page_content *c, placement_name name, double y, double scale) {
    const placement *p = c->placed;
    const placement_pairs *one = &p->list[p->named[name]];
    double from = 0.0;
    sooth_text_put(sink, "<text x=\"%d\" y=\"%G\"><tspan font-weight=\"600\">%s</tspan>: predicted %G ms",
                   PLACEMENT_LEFT, y - 6, placement_title(name), tenths(placement_ms(p->predicted_ms, one)));
    if (p->turns) sooth_text_put(sink, ", measured %G ms", tenths(placement_measured(p, one)));
    sooth_text_put(sink, "</text>\n");
    for (uint32_t k = 0; k < PLACEMENT_JOBS; k += 2) {
        const double together = placement_pair_ms(p, placement_pair(one->job[k], one->job[k + 1]));
        for (uint32_t lane = 0; lane < 2; ++lane)
            draw_job(sink, &c->data->card[p->card[one->job[k + lane]]], one->job[k + lane], y + lane * LANE,
                     from, together, scale);
        from += together;
    }
}

static void draw_placements(sooth_sink *sink, const page_content *c) {
    const placement *p = c->placed;
    const int names = p->turns ? PLACEMENT_NAMES : PLACEMENT_BEST;
    double longest = 0.0;
    for (int name = 0; name < names; ++name) {
        const placement_pairs *one = &p->list[p->named[name]];
        longest = fmax(longest, p->turns ? placement_measured(p, one) : placement_ms(p->predicted_ms, one));
    }
    sooth_text_put(sink,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                   "height=\"%d\" role=\"img\" "
                   "style=\"max-width:100%%;height:auto\" font-family=\"system-ui,-apple-system,'Segoe "
                   "UI',sans-serif\" font-size=\"11\" "
                   "fill=\"currentColor\"><title>The chosen placement and others</title>\n",
                   PLACEMENT_WIDTH, PLACEMENT_TOP + names * ROW, PLACEMENT_WIDTH,
                   PLACEMENT_TOP + names * ROW);
    for (int name = 0; name < names; ++name)
        draw_lanes(sink, c, (placement_name)name, PLACEMENT_TOP + name * ROW,
                   (PLACEMENT_WIDTH - 2.0 * PLACEMENT_LEFT) / longest);
    sooth_text_put(sink, "</svg>\n");
}

static void put_placement(sooth_sink *sink, const page_content *c) {
    const placement *p = c->placed;
    const placement_pairs *chosen = &p->list[p->named[PLACEMENT_CHOSEN]];
    const placement_pairs *best = &p->list[p->named[PLACEMENT_BEST]];
    sooth_text_put(sink,
                   "<h2>What to run together</h2>\n"
                   "<p>Eight jobs wait for %u cores; two run in parallel, a core each, and the pairs one "
                   "after the other. Of %u placements the one with the min predicted makespan is chosen. "
                   "Each pair is predicted by a model fitted without its two programs. ",
                   c->data->cores, p->placements);
    if (p->turns)
        sooth_text_put(sink,
                       "Their pairs were run%s: the chosen placement took <b>%G&nbsp;%%</b> more than the "
                       "best there was "
                       "(number %u of %u), a random one takes %G&nbsp;%% more on average. ",
                       p->turns > 1 ? ", in two turns" : "",
                       tenths(100 * (placement_measured(p, chosen) / placement_measured(p, best) - 1.0)),
                       placement_better(p, p->named[PLACEMENT_CHOSEN]) + 1, p->placements,
                       tenths(100 * (placement_random(p) / placement_measured(p, best) - 1.0)));
    else sooth_text_put(sink, "It was not run: there is no placement.csv. ");
    if (p->turns > 1)
        sooth_text_put(sink,
                       "The same pair in the two turns differs by %G&nbsp;%%, which is as exact as this "
                       "machine was then. ",
                       tenths(placement_noise(p)));
    sooth_text_put(sink, "Filled: the time of the job alone. Pale: until its pair has ended.</p>\n");
    draw_placements(sink, c);
}

static void put_power(sooth_sink *sink, const page_content *c) {
    static const char *const title[2] = {"pairs", "three to five"};
    if (!c->power->bags) {
        sooth_text_put(sink, "<p class=\"soft\">Time only: no energy of the processor was measured.</p>\n");
        return;
    }
    sooth_text_put(sink,
                   "<h2>Power and energy</h2>\n<p>What the processor counts itself (RAPL), %z bags, every "
                   "workload left out in turn; errors in per cent. "
                   "Energy is power times time, both predicted, never below what the longest task alone "
                   "would take and never above the cap.</p>\n"
                   "<table><tr><th></th><th>mean power</th><th>power</th><th>energy</th></tr>\n",
                   c->power->bags);
    for (int size = 0; size < 2; ++size)
        sooth_text_put(sink, "<tr><td>%s</td><td>%G</td><td>%G</td><td>%G</td></tr>\n", title[size],
                       tenths(c->power->mean[size]), tenths(c->power->power[size]),
                       tenths(c->power->energy[size]));
    sooth_text_put(sink, "</table>\n");
}

/* ---- who slows whom ---- */

/* Row: how much this workload is slowed; column: its neighbour, in pairs. */
static void draw_who_slows_whom(sooth_sink *sink, const page_content *c) {
    static double value[MOST_WORKLOADS * MOST_WORKLOADS];
    static uint32_t seen[MOST_WORKLOADS * MOST_WORKLOADS];
    const study_data *d = c->data;
    svg_heat_map map;
    size_t n = d->workloads;
    if (n > MOST_WORKLOADS) return;
    memset(value, 0, sizeof value);
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < d->bags; ++i) {
        const study_bag *bag = &d->bag[i];
        if (bag->tasks != 2) continue;
        for (uint32_t k = 0; k < 2; ++k) {
            size_t at = d->workload[bag->card[k]] * n + d->workload[bag->card[1 - k]];
            value[at] += bag->shared_ms[k] / bag->alone_ms[k];
            ++seen[at];
        }
    }
    for (size_t i = 0; i < n * n; ++i) value[i] = seen[i] ? value[i] / seen[i] : NAN;
    memset(&map, 0, sizeof map);
    map.frame.title = "Slowdown of each workload next to each other one";
    map.frame.width = WIDE;
    map.value = value;
    map.rows = map.cols = n;
    map.row_names = map.col_names = d->workload_name;
    map.row_title = "slowed";
    map.col_title = "by";
    map.low = 1.0;
    map.high = 1.6;
    map.digits = 3;
    svg_heat(sink, &map);
}

/* Cards: own slowdown next to the three microbenchmarks and theirs, mean over the inputs of a workload. */
static void draw_cards(sooth_sink *sink, const page_content *c) {
    static const char *const cols[] = {"slowed by Low", "by Medium",    "by High",
                                       "slows Low",     "slows Medium", "slows High"};
    static double value[MOST_WORKLOADS * 6];
    static uint32_t seen[MOST_WORKLOADS];
    const study_data *d = c->data;
    svg_heat_map map;
    size_t n = d->workloads;
    if (n > MOST_WORKLOADS) return;
    memset(value, 0, sizeof value);
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < d->cards; ++i) {
        size_t w = d->workload[i];
        ++seen[w];
        for (size_t k = 0; k < 3; ++k) {
            value[w * 6 + k] += d->card[i].value[SOOTH_FAIRNESS_SLOWDOWN_LOW + k];
            value[w * 6 + 3 + k] += d->card[i].value[SOOTH_FAIRNESS_CAUSED_LOW + k];
        }
    }
    for (size_t i = 0; i < n * 6; ++i) value[i] = seen[i / 6] ? value[i] / seen[i / 6] : NAN;
    memset(&map, 0, sizeof map);
    map.frame.title = "Cards: what each workload suffers from and does to the microbenchmarks";
    map.value = value;
    map.rows = n;
    map.cols = 6;
    map.row_names = d->workload_name;
    map.col_names = cols;
    map.low = 1.0;
    map.high = 1.6;
    svg_heat(sink, &map);
}

/* Errors of single bags, by the workload that was left out (the bag's first task). */
static void draw_strips(sooth_sink *sink, const page_content *c) {
    static double error[MOST_BAGS];
    static uint32_t category[MOST_BAGS];
    static char name[MOST_BAGS][128];
    static const char *labels[MOST_BAGS];
    const study_data *d = c->data;
    const double *predicted = c->unseen_ms + (size_t)STUDY_CHOSEN * c->validated;
    svg_strip_chart strips;
    size_t n = c->validated < MOST_BAGS ? c->validated : MOST_BAGS;
    for (size_t i = 0; i < n; ++i) {
        error[i] = 100.0 * fabs(predicted[i] - d->bag[i].bag_ms) / d->bag[i].bag_ms;
        category[i] = d->workload[d->bag[i].card[0]];
        bag_name(d, &d->bag[i], name[i], sizeof name[i]);
        labels[i] = name[i];
    }
    memset(&strips, 0, sizeof strips);
    strips.frame.title = "Error of single bags by the workload that was left out";
    strips.value = error;
    strips.category = category;
    strips.labels = labels;
    strips.count = n;
    strips.names = d->workload_name;
    strips.categories = d->workloads;
    strips.title = "absolute error, % of the measured time";
    svg_strips(sink, &strips);
}

/* One bar per feature: by how much it moves the prediction. */
static void draw_importances(sooth_sink *sink, const study_importance *importance) {
    double value[STUDY_FEATURES];
    const char *names[STUDY_FEATURES];
    svg_bar_chart bars;
    for (size_t j = 0; j < STUDY_FEATURES; ++j) {
        value[j] = 100.0 * importance[j].shap;
        names[j] = importance[j].name;
    }
    memset(&bars, 0, sizeof bars);
    bars.frame.title = "By how much a feature moves the prediction";
    bars.value = value;
    bars.names = names;
    bars.count = STUDY_FEATURES;
    bars.unit = " %";
    svg_bars(sink, &bars);
}

/* Which features a model of trees uses, and how (the paper, Figures 9 and 10). */
static void put_importances(sooth_sink *sink, const page_content *c) {
    const study_importance *importance = c->importance;
    double value[2 * STUDY_FEATURES];
    const char *names[STUDY_FEATURES];
    static const char *const cols[] = {"asked by, %", "questions x 100"};
    svg_heat_map map;
    sooth_text_put(
        sink,
        "<h2>What the trees look at</h2>\n"
        "<p>How much each feature moves the prediction of <b>%s</b>, the time over ideal sharing, on "
        "average (mean absolute SHAP value; 1&nbsp;%% is a hundredth of that time):</p>\n",
        study_form_of(c->explained)->name);
    draw_importances(sink, importance);
    for (size_t j = 0; j < STUDY_FEATURES; ++j) {
        value[2 * j] = tenths(100 * importance[j].rows);
        value[2 * j + 1] = floor(100 * importance[j].asked + 0.5);
        names[j] = importance[j].name;
    }
    sooth_text_put(sink, "<h2>Decision paths</h2>\n"
                         "<p>The tests of the single tree over sharing on its path to a prediction, for "
                         "bags whose workload was left out of the training, as in Figures 9 and 10 of "
                         "the paper. Left: the share of the bags with a test of the feature. Right: the "
                         "number of its tests for a hundred bags.</p>\n");
    memset(&map, 0, sizeof map);
    map.frame.title = "How decision paths use the features";
    map.value = value;
    map.rows = STUDY_FEATURES;
    map.cols = 2;
    map.row_names = names;
    map.col_names = cols;
    map.low = 0.0;
    map.high = 100.0;
    svg_heat(sink, &map);
}

static void put_held_out(sooth_sink *sink, const page_content *c) {
    const study_data *d = c->data;
    sooth_text_put(
        sink,
        "<h2>Measured after the model was fixed</h2>\n<p>These bags were run last and used for nothing "
        "else.</p>\n"
        "<table><tr><th>bag</th><th>predicted, ms</th><th>measured, ms</th><th>error</th>%s</tr>\n",
        c->power->bags ? "<th>predicted, J</th><th>measured, J</th>" : "");
    for (size_t i = d->bags - c->held_out; i < d->bags; ++i) {
        const study_bag *bag = &d->bag[i];
        char name[160];
        double p = study_predict(c->model, d, bag), m = bag->bag_ms;
        bag_name(d, bag, name, sizeof name);
        sooth_text_put(sink, "<tr><td>");
        svg_text(sink, name);
        sooth_text_put(sink, "</td><td>%G</td><td>%G</td><td>%G&nbsp;%%</td>", tenths(p), tenths(m),
                       tenths(100 * (p - m) / m));
        if (c->power->bags)
            sooth_text_put(
                sink, "<td>%G</td><td>%G</td>",
                floor(1000 * study_energy(d, bag, p, study_predict(c->power_model, d, bag), c->cap_w) + 0.5) /
                    1000,
                floor(m * bag->watts + 0.5) / 1000);
        sooth_text_put(sink, "</tr>\n");
    }
    sooth_text_put(sink, "</table>\n");
}

/* Sentences one after the other; empty ones are left out. */
static void put_facts(sooth_sink *sink, const page_facts *facts) {
    const char *const sentence[] = {facts->machine, facts->origin, facts->contention, facts->counters};
    size_t n;
    sooth_text_put(sink, "<p class=\"soft\">");
    for (size_t i = 0; i < sizeof sentence / sizeof sentence[0]; ++i) {
        n = strlen(sentence[i]);
        if (n == 0) continue;
        svg_text(sink, sentence[i]);
        sooth_text_put(sink, sentence[i][n - 1] == '.' ? " " : ". ");
    }
    sooth_text_put(sink, "</p>\n");
}

static void put_head(sooth_sink *sink, const page_content *c) {
    const study_score *best = &c->score[STUDY_CHOSEN], *sharing = &c->score[STUDY_SHARING];
    sooth_text_put(sink,
                   "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width,initial-scale=1\"><title>sooth: what running together costs "
                   "here</title>\n");
    sooth_text_write(sink, style, sizeof style - 1);
    sooth_text_put(sink,
                   "</head><body>\n"
                   "<h1>What running together costs on this machine</h1>\n"
                   "<p class=\"lead\">For an unseen program, the model is off by <b>%G&nbsp;%%</b> for "
                   "pairs and <b>%G&nbsp;%%</b> for three to five at once; ideal processor sharing, "
                   "without contention, by %G&nbsp;%% and %G&nbsp;%%.</p>\n",
                   tenths(best->unseen[0]), tenths(best->unseen[1]), tenths(sharing->unseen[0]),
                   tenths(sharing->unseen[1]));
    put_facts(sink, &c->facts);
}

static void put_errors(sooth_sink *sink, const page_content *c) {
    sooth_text_put(sink, "<h2>How wrong each way of predicting is</h2>\n"
                         "<p>Mean absolute percentage error, leaving every workload out in turn. Grey: "
                         "baselines without a model. Blue: the features and models of Moolchandani et "
                         "al. (2022), a model for each number of tasks; they report 9&nbsp;%% for pairs "
                         "and 7 to 10&nbsp;%% for three to five, of the time on a GPU. Pink: learned "
                         "from pairs alone, larger bags composed of them. Green: predicting only what "
                         "processor sharing leaves open. Orange: the green one that is best without the "
                         "workload left out, applied only as far as it helps there. It has the figure at "
                         "the top of this page.</p>\n"
                         "<p><b>Pairs</b></p>\n");
    draw_errors(sink, c, 0);
    sooth_text_put(sink, "<p><b>Three to five</b></p>\n");
    draw_errors(sink, c, 1);
}

/* The measurements before the programs themselves, if they exist. */
static void put_before(sooth_sink *sink, const page_content *c) {
    if (c->fought) {
        sooth_text_put(sink,
                       "<h2>What programs fight over here</h2>\n"
                       "<p>Small kernels next to each other, before any program was measured: how many "
                       "times as long each took. The top of this page lists those above the noise.</p>\n");
        contend_draw(sink, c->fought, WIDE);
    }
    if (c->lines) {
        sooth_text_put(sink, "<h2>Many of one program</h2>\n"
                             "<p>1 means that only the cores were shared, and evenly. Above it is "
                             "contention, or the price of taking turns.</p>\n");
        scaling_draw(sink, c->line, c->lines, c->data->cores, 0, WIDE);
    }
    if (scaling_has_energy(c->line, c->lines)) scaling_draw(sink, c->line, c->lines, c->data->cores, 1, WIDE);
}

void page_write(sooth_sink *sink, const page_content *c) {
    put_head(sink, c);
    put_placement(sink, c);
    sooth_text_put(sink,
                   "<h2>Predicted and measured</h2>\n<p>Each point is a bag of programs that were started "
                   "together on %u cores. The model that "
                   "predicts it was chosen and trained without any bag that contains the first of its "
                   "programs. (From all bags, the same choice falls on %s, which is "
                   "the model that was kept.) The band is ten per cent.</p>\n",
                   c->data->cores, study_form_of(c->model->scheme)->name);
    page_draw_predicted(sink, c, 640);
    put_errors(sink, c);
    put_power(sink, c);
    put_importances(sink, c);
    put_held_out(sink, c);
    put_before(sink, c);
    sooth_text_put(sink, "<h2>Who slows whom</h2>\n"
                         "<p>Time next to the neighbour over time alone, mean over the pairs that ran; 1 "
                         "is undisturbed.</p>\n");
    draw_who_slows_whom(sink, c);
    sooth_text_put(sink, "<h2>The cards</h2>\n"
                         "<p>The known values of a program before it runs with the others: how it and "
                         "the three microbenchmarks slow each other.</p>\n");
    draw_cards(sink, c);
    sooth_text_put(sink,
                   "<h2>Where it errs</h2>\n<p>One point per bag, by the program that was left out.</p>\n");
    draw_strips(sink, c);
    sooth_text_put(sink, "<p class=\"soft\">Measurements: instances.csv, bags.csv and placement.csv next "
                         "to this page or in the folder of the recording; the model: model.sooth (try "
                         "<code>sooth describe model.sooth</code>).</p>\n"
                         "</body></html>\n");
}
