/* history.c - writes the losses of a fit to a file, step by step.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "../../common/svg.h"

static void on_loss(void *user, const char *stage, size_t step, double loss, double validation) {
    history *h = (history *)user;
    (void)stage;
    if (h->count == h->room) {
        struct loss *larger = (struct loss *)allocate(h->room = 2 * h->room + 256, sizeof *larger);
        if (h->count) memcpy(larger, h->at, h->count * sizeof *larger);
        free(h->at);
        h->at = larger;
    }
    h->at[h->count].step = step;
    h->at[h->count].loss = loss;
    h->at[h->count++].validation = validation;
    h->held |= validation == validation;
}

void history_read(const arguments *args, history *h) {
    memset(h, 0, sizeof *h);
    h->path = arguments_text(args, "history");
    h->force = arguments_has(args, "force");
    if (!h->path) return;
    if (strcmp(h->path, "-") == 0) die(BAD_USE, "--history needs a file name");
}

void history_listen(history *h, sooth_env *env) {
    if (!h->path && !h->keeps) return;
    env->loss_fn = on_loss;
    env->loss_user = h;
}

void history_check(const history *h, const char *model) {
    if (!h->path || h->count) return;
    die(BAD_USE, "--history: %s is not fitted in steps with these options, so there are no losses", model);
}

static void write_number(FILE *to, double value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    if (value != value) return; /* an empty cell */
    sooth_text_from_double(text, value);
    fputs(text, to);
}

/* Draws the losses as lines. */
static void draw(const history *h, FILE *to) {
    static const char *const names[] = {"training", "held out"};
    double *x = (double *)allocate(h->count, 3 * sizeof *x), *y = x + h->count;
    svg_line_chart chart;
    sooth_sink sink = sooth_file_sink(to);
    memset(&chart, 0, sizeof chart);
    for (size_t i = 0; i < h->count; ++i) {
        x[i] = (double)(i + 1);
        y[i] = h->at[i].loss;
        y[h->count + i] = h->at[i].validation;
    }
    chart.frame.title = "Loss after every training step";
    chart.x = x;
    chart.y = y;
    chart.count = h->count;
    chart.series = h->held ? 2 : 1;
    chart.series_names = names;
    chart.x_title = "iteration";
    chart.y_title = "loss";
    svg_lines(&sink, &chart);
    free(x);
}

static void write_table(const history *h, FILE *to) {
    fprintf(to, "iteration,loss%s\n", h->held ? ",validation" : "");
    for (size_t i = 0; i < h->count; ++i) {
        fprintf(to, "%zu,", h->at[i].step);
        write_number(to, h->at[i].loss);
        if (h->held) fputc(',', to);
        if (h->held) write_number(to, h->at[i].validation);
        fputc('\n', to);
    }
}

void history_write(const history *h, const char *const *inputs, size_t count) {
    if (!h->path) return;
    FILE *to = output_open(h->path, h->force, inputs, count);
    if (ends_in_svg(h->path)) draw(h, to);
    else write_table(h, to);
    output_close();
}
