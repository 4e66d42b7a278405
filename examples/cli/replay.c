/* replay.c - sooth replay: what a queue of jobs would have been with other predictions of their run times.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "replay.h"

#include <stdlib.h>

static const flag flags[] = {{"predict", 'p', "A,B,...",
                              "who predicts, of requested, last2, sooth, perfect (default: all). requested: "
                              "EASY, as most sites run it; "
                              "the others: EASY that tries the shortest predicted first",
                              1},
                             {"correct", 0, "HOW",
                              "when a prediction is over: requested, what was requested (default); steps, "
                              "the first prediction + 1, 5, "
                              "15, 30 minutes, 1, 2, 5, 10, 20, 50, 100 hours, one after the other",
                              0},
                             {"processors", 0, "N", "of the machine (default: as the log's header says)", 0},
                             JSON_FLAG,
                             {"output", 'o', "OUT.csv", "also write when each job would have started", 0},
                             {"picture", 0, "OUT.svg", "also draw the average bounded slowdowns", 0},
                             FORCE_FLAG,
                             LAST_FLAG};

/* What became of the jobs. */
typedef struct outcome {
    int which; /* a predictor's number */
    double slowdown, later, wait, longest, under, off;
    size_t corrections;
    int64_t *start, *first; /* of each job */
} outcome;

typedef struct replay {
    sooth_env *env;
    const char *path;
    swf_log log;
    int correction;
    outcome outcome[RUNTIMES];
    size_t outcomes;
} replay;

static const char *stage;

static int on_replay(double done) {
    progress_show(stage, done);
    return 0;
}

/* ---- the replays ---- */

static void choose(const arguments *args, replay *r) {
    size_t count = 0;
    char **name = arguments_list(args, "predict", &count);
    for (size_t i = 0; i < count; ++i) {
        int which = 0;
        while (which < RUNTIMES && strcmp(name[i], runtime_names[which]) != 0) ++which;
        if (which == RUNTIMES)
            die(BAD_USE, "--predict: there is no %s; there are requested, last2, sooth, perfect%s",
                printable(name[i]), did_you_mean(name[i], runtime_names, RUNTIMES));
        for (size_t k = 0; k < r->outcomes; ++k)
            if (r->outcome[k].which == which) die(BAD_USE, "--predict names %s twice", name[i]);
        r->outcome[r->outcomes++].which = which;
    }
    for (int which = 0; !count && which < RUNTIMES; ++which) r->outcome[r->outcomes++].which = which;
}

static void take_outcome(const replay *r, outcome *o) {
    const size_t count = r->log.count, half = count / 2;
    o->start = (int64_t *)allocate(count, sizeof *o->start);
    o->first = (int64_t *)allocate(count, sizeof *o->first);
    for (size_t i = 0; i < count; ++i) {
        const queue_job *job = &r->log.job[i];
        const double wait = (double)(job->start - job->submit), slowdown = queue_slowdown(job);
        const double log = (double)sooth_log((float)job->first / (float)job->run);
        o->slowdown += slowdown / (double)count;
        if (i >= half) o->later += slowdown / (double)(count - half);
        o->wait += wait / (double)count;
        if (wait > o->longest) o->longest = wait;
        o->under += (job->first < job->run) / (double)count;
        o->off += (log < 0.0 ? -log : log) / (double)count;
        o->corrections += job->corrections;
        o->start[i] = job->start;
        o->first[i] = job->first;
    }
}

static void run_all(replay *r) {
    for (size_t k = 0; k < r->outcomes; ++k) {
        outcome *o = &r->outcome[k];
        const queue_rules rules = {r->log.processors, o->which == 0 ? QUEUE_FIRST : QUEUE_SHORTEST,
                                   r->correction};
        queue_predictor predictor;
        runtime_open(o->which, r->env, &r->log, &predictor);
        stage = runtime_names[o->which];
        predictor.progress = on_replay;
        if (queue_replay(r->log.job, r->log.count, &rules, &predictor) != 0)
            die(BAD_INPUT, "no memory for %zu jobs", r->log.count);
        runtime_close(o->which, &predictor);
        take_outcome(r, o);
    }
    progress_clear();
}

/* ---- what is told ---- */

static const outcome *outcome_of(const replay *r, const char *name) {
    for (size_t k = 0; k < r->outcomes; ++k)
        if (strcmp(runtime_names[r->outcome[k].which], name) == 0) return &r->outcome[k];
    return NULL;
}

/* How much of the way from the last two to perfect times sooth goes; 0 of it where not all were replayed. */
static int way(const replay *r, double *share) {
    const outcome *last2 = outcome_of(r, "last2"), *sooth = outcome_of(r, "sooth");
    const outcome *perfect = outcome_of(r, "perfect");
    if (!last2 || !sooth || !perfect || !(last2->slowdown > perfect->slowdown)) return 0;
    *share = (last2->slowdown - sooth->slowdown) / (last2->slowdown - perfect->slowdown);
    return 1;
}

static void print_log(const swf_log *log, const char *path, FILE *to) {
    fprintf(to, "%s: %s on %u processors\n", printable(path), counted(log->count, "job", "jobs"),
            (unsigned)log->processors);
    if (log->never_ran) fprintf(to, "  left out: %zu that never ran\n", log->never_ran);
    if (log->no_processors) fprintf(to, "  left out: %zu that name no processors\n", log->no_processors);
    if (log->no_request) fprintf(to, "  left out: %zu without a requested time\n", log->no_request);
    if (log->too_wide)
        fprintf(to, "  left out: %zu that want more processors than there are\n", log->too_wide);
    if (log->cut) fprintf(to, "  cut: %zu that ran longer than requested\n", log->cut);
}

static void print_all(const replay *r, FILE *to) {
    double share;
    grid g;
    print_log(&r->log, r->path, to);
    fprintf(to, "\n");
    grid_init(&g, 8, 1);
    grid_add(&g, "predicted by");
    grid_add(&g, "bounded slowdown");
    grid_add(&g, "later half");
    grid_add(&g, "wait [s]");
    grid_add(&g, "longest [s]");
    grid_add(&g, "too short");
    grid_add(&g, "corrections");
    grid_add(&g, "off by");
    for (size_t k = 0; k < r->outcomes; ++k) {
        const outcome *o = &r->outcome[k];
        grid_add(&g, "%s", runtime_names[o->which]);
        grid_add(&g, "%.1f", o->slowdown);
        grid_add(&g, "%.1f", o->later);
        grid_add(&g, "%.0f", o->wait);
        grid_add(&g, "%.0f", o->longest);
        grid_add(&g, "%.1f %%", 100.0 * o->under);
        grid_add(&g, "%zu", o->corrections);
        grid_add(&g, "x %.2f", (double)sooth_exp((float)o->off));
    }
    grid_print(&g, to, "  ");
    if (way(r, &share))
        fprintf(to, "\nsooth goes %.0f %% of the way from the last two to perfect times%s.\n", 100.0 * share,
                share < 0.5 ? ": less than half" : "");
}

static void print_json(const replay *r, FILE *to) {
    double share;
    json j;
    json_begin(&j, to);
    for (size_t k = 0; k < r->outcomes; ++k) {
        const outcome *o = &r->outcome[k];
        json_open(&j, runtime_names[o->which], '{');
        json_number(&j, "bounded_slowdown", o->slowdown);
        json_number(&j, "bounded_slowdown_later_half", o->later);
        json_number(&j, "wait", o->wait);
        json_number(&j, "longest_wait", o->longest);
        json_number(&j, "underestimated", o->under);
        json_count(&j, "corrections", o->corrections);
        json_number(&j, "log_error", o->off);
        json_close(&j, '}');
    }
    json_open(&j, "log", '{');
    json_text(&j, "file", r->path);
    json_count(&j, "jobs", r->log.count);
    json_count(&j, "processors", r->log.processors);
    json_count(&j, "never_ran", r->log.never_ran);
    json_count(&j, "no_processors", r->log.no_processors);
    json_count(&j, "no_requested_time", r->log.no_request);
    json_count(&j, "too_wide", r->log.too_wide);
    json_count(&j, "cut", r->log.cut);
    json_text(&j, "correction", r->correction == QUEUE_STEPS ? "steps" : "requested");
    json_close(&j, '}');
    if (way(r, &share)) json_number(&j, "way_to_perfect", share);
    json_end(&j);
}

static void write_table(const replay *r, FILE *to) {
    fprintf(to, "job,submit,processors,run,requested");
    for (size_t k = 0; k < r->outcomes; ++k)
        fprintf(to, ",predicted_%s,start_%s", runtime_names[r->outcome[k].which],
                runtime_names[r->outcome[k].which]);
    fputc('\n', to);
    for (size_t i = 0; i < r->log.count; ++i) {
        const queue_job *job = &r->log.job[i];
        fprintf(to, "%lu,%lld,%lu,%lld,%lld", (unsigned long)job->number, (long long)job->submit,
                (unsigned long)job->processors, (long long)job->run, (long long)job->requested);
        for (size_t k = 0; k < r->outcomes; ++k)
            fprintf(to, ",%lld,%lld", (long long)r->outcome[k].first[i], (long long)r->outcome[k].start[i]);
        fputc('\n', to);
    }
}

static void draw(const replay *r, FILE *to) {
    double value[RUNTIMES];
    const char *name[RUNTIMES];
    sooth_svg_bar_chart chart;
    sooth_sink sink = file_sink(to);
    memset(&chart, 0, sizeof chart);
    for (size_t k = 0; k < r->outcomes; ++k) {
        value[k] = r->outcome[k].slowdown;
        name[k] = runtime_names[r->outcome[k].which];
    }
    chart.frame.title = "Average bounded slowdown of the jobs, by who predicts their run times";
    chart.value = value;
    chart.names = name;
    chart.count = r->outcomes;
    chart.unit = "";
    sooth_svg_bars(&sink, &chart);
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output"), *picture = arguments_text(args, "picture");
    const char *correct = arguments_text(args, "correct");
    const int force = arguments_has(args, "force");
    static replay r;
    FILE *file;
    r.path = args->word[0];
    r.env = env_open(args);
    if (correct && strcmp(correct, "requested") != 0 && strcmp(correct, "steps") != 0)
        die(BAD_USE, "--correct is %s, but must be requested or steps", printable(correct));
    r.correction = correct && strcmp(correct, "steps") == 0 ? QUEUE_STEPS : QUEUE_REQUESTED;
    choose(args, &r);
    swf_read(r.path, arguments_count(args, "processors", 0, 1, 4000000000u), &r.log);
    run_all(&r);
    if (path) {
        file = output_open(path, force, args->word, 1);
        write_table(&r, file);
        output_close();
    }
    if (picture) {
        file = output_open(picture, force, args->word, 1);
        draw(&r, file);
        output_close();
    }
    FILE *to = path && strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) print_json(&r, to);
    else print_all(&r, to);
    return finish();
}

const command replay_command = {
    .name = "replay",
    .summary = "a log of jobs again, with other predictions of their run times",
    .usage = "LOG.swf [--predict LIST] [options]",
    .least = 1,
    .most = 1,
    .text =
        "Replays a log in the Standard Workload Format through a machine that backfills: a job may start "
        "before the first of the queue where that does not delay it, by the run times that are predicted. "
        "These are what users request, the mean of the user's last two run times (Tsafrir et al. 2007), what "
        "sooth has learned from the jobs that had ended by then, or the truth. Told are the average bounded "
        "slowdown, (wait + run) / max(run, 10 s), at least 1, that of the later half of the jobs, waits, how "
        "many jobs ran longer than predicted and how often that was corrected, and by which factor "
        "predictions were off. Definitions and cleaning are those of Gaussier et al. (SC 2015).",
    .example = "sooth replay KTH-SP2.swf\n"
               "  sooth replay KTH-SP2.swf --predict last2,sooth --json --picture slowdown.svg",
    .flags = flags,
    .run = run};
