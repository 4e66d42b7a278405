/* replay.c - sooth replay: a log of jobs with other predictions of their run times.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "replay.h"
#include "../app/page.h"
#include "sooth/base.h"

#include <math.h>

static const flag flags[] = {
    {"predict", 'p', "A,B,...",
     "predictors: any of requested, last2, sooth, perfect; default all. requested is EASY, as most "
     "sites run it. The others are EASY that tries the job with the shortest prediction first",
     1},
    {"correct", 0, "HOW",
     "correction of a prediction that has passed: requested (default), or steps: the first "
     "prediction + 1, 5, 15, 30 minutes, 1, 2, 5, 10, 20, 50, 100 hours, in turn",
     0},
    {"processors", 0, "N",
     "processors of the machine; default MaxProcs of the header, else MaxNodes, else the largest job", 0},
    JSON_FLAG,
    {"output", 'o', "OUT.csv", "also write when each job would have started", 0},
    {"picture", 0, "OUT.svg", "also draw the average bounded slowdowns", 0},
    PAGE_FLAG,
    FORCE_FLAG,
    LAST_FLAG};

/* The results of a replay. */
typedef struct outcome {
    int which; /* index of the predictor */
    double slowdown, later, wait, longest, under, off;
    size_t corrections;
    size_t answers[RULES];  /* of sooth: jobs that each rule predicted */
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
            die(BAD_USE,
                "--predict: unknown predictor %s; the predictors are requested, last2, sooth, perfect%s",
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
        runtime_open(o->which, r->env, &r->log, &rules, &predictor);
        stage = runtime_names[o->which];
        predictor.progress = on_replay;
        if (queue_replay(r->log.job, r->log.count, &rules, &predictor) != 0)
            die(BAD_INPUT, "no memory for %zu jobs", r->log.count);
        runtime_close(o->which, &predictor, o->answers);
        take_outcome(r, o);
    }
    progress_clear();
}

/* ---- output ---- */

static const outcome *outcome_of(const replay *r, const char *name) {
    for (size_t k = 0; k < r->outcomes; ++k)
        if (strcmp(runtime_names[r->outcome[k].which], name) == 0) return &r->outcome[k];
    return NULL;
}

/* Returns how far sooth gets from the last two run times to perfect predictions; 0 unless all were
   replayed. */
static int improvement_share(const replay *r, double *share) {
    const outcome *last2 = outcome_of(r, "last2"), *sooth = outcome_of(r, "sooth");
    const outcome *perfect = outcome_of(r, "perfect");
    if (!last2 || !sooth || !perfect || !(last2->slowdown > perfect->slowdown)) return 0;
    *share = (last2->slowdown - sooth->slowdown) / (last2->slowdown - perfect->slowdown);
    return 1;
}

enum { MOST_REMARKS = SWF_REASONS + 5, REMARK = 128 };

/* Writes what the reading of the log left out or changed, a line each. Returns the number of lines. */
static size_t remarks(const swf_log *log, char line[MOST_REMARKS][REMARK]) {
    size_t n = 0;
    if (strcmp(log->processors_from, "MaxNodes") == 0)
        snprintf(line[n++], REMARK, "the number of processors is MaxNodes: the header has no MaxProcs");
    if (strcmp(log->processors_from, "largest job") == 0)
        snprintf(line[n++], REMARK,
                 "the number of processors is that of the largest job: the header has none");
    for (size_t k = 0; k < SWF_REASONS; ++k)
        if (log->left_out[k])
            snprintf(line[n++], REMARK, "left out: %zu %s", log->left_out[k], swf_reasons[k].words);
    if (log->cut) snprintf(line[n++], REMARK, "cut: %zu that ran longer than requested", log->cut);
    if (log->instant)
        snprintf(line[n++], REMARK, "as one second: %zu that ran for less than half a second", log->instant);
    if (log->rounded)
        snprintf(line[n++], REMARK, "rounded to seconds: %zu with fractions of seconds", log->rounded);
    if (log->repeated)
        snprintf(line[n++], REMARK, "repeated: %s of several jobs; each line is replayed as a job",
                 counted(log->repeated, "job number", "job numbers"));
    return n;
}

static void print_log(const swf_log *log, const char *path, FILE *to) {
    char line[MOST_REMARKS][REMARK];
    const size_t count = remarks(log, line);
    fprintf(to, "%s: %s on %s\n", printable(path), counted(log->count, "job", "jobs"),
            counted(log->processors, "processor", "processors"));
    for (size_t i = 0; i < count; ++i) fprintf(to, "  %s\n", line[i]);
}

static void outcomes_grid(const replay *r, grid *g) {
    grid_init(g, 8, 1);
    grid_add(g, "predicted by");
    grid_add(g, "bounded slowdown");
    grid_add(g, "later half");
    grid_add(g, "wait [s]");
    grid_add(g, "longest [s]");
    grid_add(g, "too short");
    grid_add(g, "corrections");
    grid_add(g, "off by");
    for (size_t k = 0; k < r->outcomes; ++k) {
        const outcome *o = &r->outcome[k];
        grid_add(g, "%s", runtime_names[o->which]);
        grid_add(g, "%.1f", o->slowdown);
        grid_add(g, "%.1f", o->later);
        grid_add(g, "%.0f", o->wait);
        grid_add(g, "%.0f", o->longest);
        grid_add(g, "%.1f %%", 100.0 * o->under);
        grid_add(g, "%zu", o->corrections);
        grid_add(g, "x %.2f", (double)sooth_exp((float)o->off));
    }
}

/* Writes how many jobs each rule of sooth predicted. */
static const char *answers_text(const replay *r, char *text, size_t size) {
    const outcome *sooth = outcome_of(r, "sooth");
    size_t length = 0;
    text[0] = 0;
    for (int k = 0; sooth && k < RULES; ++k)
        if (sooth->answers[k] && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s %zu", length ? ", " : "",
                                       rule_names[k], sooth->answers[k]);
    return text;
}

static void print_answers(const replay *r, FILE *to) {
    char text[200];
    if (outcome_of(r, "sooth"))
        fprintf(to, "\nsooth answered with, jobs: %s.\n", answers_text(r, text, sizeof text));
}

/* Returns the simple rule with the lower bounded slowdown, or NULL if neither was replayed. */
static const outcome *better_rule(const replay *r) {
    const outcome *last2 = outcome_of(r, "last2"), *requested = outcome_of(r, "requested");
    if (!last2 || !requested) return last2 ? last2 : requested;
    return requested->slowdown < last2->slowdown ? requested : last2;
}

/* Names the simple rule's figure next to sooth's, and the one to use. */
static const char *verdict_text(const replay *r, char *text, size_t size) {
    const outcome *sooth = outcome_of(r, "sooth"), *rule = better_rule(r);
    text[0] = 0;
    if (sooth && rule)
        snprintf(text, size, "Bounded slowdown: sooth %s, %s %s. Use %s on this log.",
                 human(sooth->slowdown, 4), runtime_names[rule->which], human(rule->slowdown, 4),
                 sooth->slowdown < rule->slowdown ? "sooth" : runtime_names[rule->which]);
    return text;
}

static void print_all(const replay *r, FILE *to) {
    double share;
    char text[200];
    grid g;
    print_log(&r->log, r->path, to);
    fprintf(to, "\n");
    outcomes_grid(r, &g);
    grid_print(&g, to, "  ");
    print_answers(r, to);
    if (improvement_share(r, &share))
        fprintf(to, "\nsooth reaches %.0f %% of the improvement from last2 to perfect times%s.\n",
                100.0 * share, share < 0.5 ? ": less than half" : "");
    if (*verdict_text(r, text, sizeof text)) fprintf(to, "%s\n", text);
}

static void print_json(const replay *r, FILE *to) {
    const outcome *sooth = outcome_of(r, "sooth"), *rule = better_rule(r);
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
        if (strcmp(runtime_names[o->which], "sooth") == 0) {
            json_open(&j, "answers", '{');
            for (int rule = 0; rule < RULES; ++rule) json_count(&j, rule_names[rule], o->answers[rule]);
            json_close(&j, '}');
        }
        json_close(&j, '}');
    }
    json_open(&j, "log", '{');
    json_text(&j, "file", r->path);
    json_count(&j, "jobs", r->log.count);
    json_count(&j, "processors", r->log.processors);
    json_text(&j, "processors_from", r->log.processors_from);
    for (size_t k = 0; k < SWF_REASONS; ++k) json_count(&j, swf_reasons[k].key, r->log.left_out[k]);
    json_count(&j, "cut", r->log.cut);
    json_count(&j, "below_half_a_second", r->log.instant);
    json_count(&j, "rounded", r->log.rounded);
    json_count(&j, "repeated_numbers", r->log.repeated);
    json_text(&j, "correction", r->correction == QUEUE_STEPS ? "steps" : "requested");
    json_close(&j, '}');
    if (improvement_share(r, &share)) json_number(&j, "way_to_perfect", share);
    if (sooth && rule)
        json_text(&j, "use", runtime_names[(sooth->slowdown < rule->slowdown ? sooth : rule)->which]);
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
        fprintf(to, "%lld,%lld,%lu,%lld,%lld", (long long)job->number, (long long)job->submit,
                (unsigned long)job->processors, (long long)job->run, (long long)job->requested);
        for (size_t k = 0; k < r->outcomes; ++k)
            fprintf(to, ",%lld,%lld", (long long)r->outcome[k].first[i], (long long)r->outcome[k].start[i]);
        fputc('\n', to);
    }
}

static void slowdown_chart(const replay *r, double value[RUNTIMES], const char *name[RUNTIMES],
                           svg_bar_chart *chart) {
    memset(chart, 0, sizeof *chart);
    for (size_t k = 0; k < r->outcomes; ++k) {
        value[k] = r->outcome[k].slowdown;
        name[k] = runtime_names[r->outcome[k].which];
    }
    chart->value = value;
    chart->names = name;
    chart->count = r->outcomes;
    chart->unit = "";
}

static void draw(const replay *r, FILE *to) {
    double value[RUNTIMES];
    const char *name[RUNTIMES];
    svg_bar_chart chart;
    sooth_sink sink = sooth_file_sink(to);
    slowdown_chart(r, value, name, &chart);
    chart.frame.title = "Average bounded slowdown of the jobs, by predictor of their run times";
    svg_bars(&sink, &chart);
}

/* ---- the page ---- */

enum { TIMES = 100, WIDTHS = 12, MOST_USERS = 15 };

/* Draws the mean bounded slowdown of the jobs so far, at even distances among the jobs. */
static void page_over_time(page *p, const replay *r) {
    const size_t count = r->log.count, times = page_shown(count, TIMES);
    double *x = (double *)allocate(times * (1 + r->outcomes), sizeof *x), *y = x + times;
    const char *names[RUNTIMES];
    svg_line_chart chart;
    char words[160];
    grid g;
    for (size_t k = 0; k < r->outcomes; ++k) {
        double sum = 0.0;
        size_t n = 0;
        names[k] = runtime_names[r->outcome[k].which];
        for (size_t i = 0; i < count && n < times; ++i) {
            queue_job job = r->log.job[i];
            job.start = r->outcome[k].start[i];
            sum += queue_slowdown(&job);
            if (i != page_pick(count, TIMES, n)) continue;
            x[n] = (double)(job.submit - r->log.job[0].submit) / 86400.0;
            y[k * times + n++] = sum / (double)(i + 1);
        }
    }
    grid_init(&g, 2 + r->outcomes, 0);
    grid_add(&g, "jobs");
    grid_add(&g, "day");
    for (size_t k = 0; k < r->outcomes; ++k) grid_add(&g, "%s", names[k]);
    for (size_t n = 0; n < times; ++n) {
        grid_add(&g, "%zu", page_pick(count, TIMES, n) + 1);
        grid_add(&g, "%.2f", x[n]);
        for (size_t k = 0; k < r->outcomes; ++k) grid_add(&g, "%s", human(y[k * times + n], 4));
    }
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.count = times;
    chart.series = r->outcomes;
    chart.series_names = names;
    chart.x_title = "days";
    chart.y_title = "mean bounded slowdown so far";
    page_lines(p, "Mean bounded slowdown of all jobs so far, by predictor", &chart);
    if (times == count)
        snprintf(words, sizeof words, "Data of the picture: %s", counted(count, "job", "jobs"));
    else
        snprintf(words, sizeof words, "Data of the picture: at %zu of %zu jobs, evenly spaced", times, count);
    page_table(p, words, &g);
    free(x);
}

/* Jobs of one kind: their number, and the sum of their |log(predicted / run)| for each predictor. */
typedef struct jobs_of {
    char name[40];
    uint32_t user;
    size_t count;
    double off[RUNTIMES];
} jobs_of;

static void add_job(const replay *r, size_t i, jobs_of *to) {
    ++to->count;
    for (size_t k = 0; k < r->outcomes; ++k) {
        const double log = (double)sooth_log((float)r->outcome[k].first[i] / (float)r->log.job[i].run);
        to->off[k] += log < 0.0 ? -log : log;
    }
}

static int by_user(const void *a, const void *b) {
    const jobs_of *x = (const jobs_of *)a, *y = (const jobs_of *)b;
    return (x->user > y->user) - (x->user < y->user);
}

static int most_jobs_first(const void *a, const void *b) {
    const jobs_of *x = (const jobs_of *)a, *y = (const jobs_of *)b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return by_user(a, b);
}

/* Draws the factor by which predictions were off, of the first `shown` kinds and each predictor except
   perfect. */
static void page_factors(page *p, const replay *r, const char *caption, const char *kind, const jobs_of *of,
                         size_t count, size_t shown) {
    const char **rows = (const char **)allocate(count, sizeof *rows), *cols[RUNTIMES];
    double *value = (double *)allocate(count, RUNTIMES * sizeof *value);
    size_t predictor[RUNTIMES], n = 0;
    svg_heat_map chart;
    char words[160];
    grid g;
    for (size_t k = 0; k < r->outcomes; ++k)
        if (strcmp(runtime_names[r->outcome[k].which], "perfect") != 0) predictor[n++] = k;
    if (!n || !shown) return;
    grid_init(&g, 2 + n, 1);
    grid_add(&g, "%s", kind);
    grid_add(&g, "jobs");
    for (size_t k = 0; k < n; ++k) {
        cols[k] = runtime_names[r->outcome[predictor[k]].which];
        grid_add(&g, "%s", cols[k]);
    }
    for (size_t i = 0; i < shown; ++i) {
        rows[i] = of[i].name;
        grid_add(&g, "%s", of[i].name);
        grid_add(&g, "%zu", of[i].count);
        for (size_t k = 0; k < n; ++k) {
            value[i * n + k] = (double)sooth_exp((float)(of[i].off[predictor[k]] / (double)of[i].count));
            grid_add(&g, "x %.2f", value[i * n + k]);
        }
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.rows = shown;
    chart.cols = n;
    chart.row_names = rows;
    chart.col_names = cols;
    chart.low = 1.0;
    chart.high = 10.0;
    page_heat(p, caption, &chart);
    if (shown == count) snprintf(words, sizeof words, "Data of the picture");
    else
        snprintf(words, sizeof words, "Data of the picture: %zu of %zu, those with the most jobs", shown,
                 count);
    page_table(p, words, &g);
    free(rows);
    free(value);
}

static void page_by_width(page *p, const replay *r) {
    jobs_of *of = (jobs_of *)allocate(WIDTHS, sizeof *of);
    size_t n = 0;
    for (size_t i = 0; i < r->log.count; ++i) {
        size_t k = 0;
        while (k + 1 < WIDTHS && r->log.job[i].processors >> (k + 1)) ++k;
        add_job(r, i, &of[k]);
    }
    for (size_t k = 0; k < WIDTHS; ++k) {
        if (!of[k].count) continue;
        of[n] = of[k];
        if (k == 0) snprintf(of[n].name, sizeof of[n].name, "1");
        else if (k + 1 == WIDTHS) snprintf(of[n].name, sizeof of[n].name, "%u and more", 1u << k);
        else snprintf(of[n].name, sizeof of[n].name, "%u to %u", 1u << k, (2u << k) - 1);
        ++n;
    }
    page_factors(p, r, "Error factor of the predictions, by number of processors", "processors", of, n, n);
    free(of);
}

static void page_by_user(page *p, const replay *r) {
    jobs_of *of = (jobs_of *)allocate(r->log.count, sizeof *of);
    size_t n = 0;
    for (size_t i = 0; i < r->log.count; ++i) {
        of[i].user = r->log.job[i].user;
        add_job(r, i, &of[i]);
    }
    qsort(of, r->log.count, sizeof *of, by_user);
    for (size_t i = 0; i < r->log.count; ++i) {
        if (n && of[n - 1].user == of[i].user) {
            of[n - 1].count += of[i].count;
            for (size_t k = 0; k < r->outcomes; ++k) of[n - 1].off[k] += of[i].off[k];
        } else {
            of[n] = of[i];
            if (of[n].user == UINT32_MAX) snprintf(of[n].name, sizeof of[n].name, "unknown");
            else if (of[n].user >= SWF_NAMED)
                snprintf(of[n].name, sizeof of[n].name, "user %.30s", r->log.name[of[n].user - SWF_NAMED]);
            else snprintf(of[n].name, sizeof of[n].name, "user %lu", (unsigned long)of[n].user);
            ++n;
        }
    }
    qsort(of, n, sizeof *of, most_jobs_first);
    page_factors(p, r, "Error factor of the predictions, by user", "user", of, n,
                 n < MOST_USERS ? n : MOST_USERS);
    free(of);
}

static void page_replay(page *p, const replay *r) {
    const outcome *sooth = outcome_of(r, "sooth"), *requested = outcome_of(r, "requested");
    double value[RUNTIMES], share;
    const char *name[RUNTIMES];
    char line[MOST_REMARKS][REMARK], words[200];
    svg_bar_chart chart;
    size_t count;
    grid g;
    page_begin(p, "The queue with each predictor");
    if (sooth && requested)
        page_text(p, "p class=\"lead\"",
                  "Average bounded slowdown: %.1f with the run times that sooth predicts, %.1f with "
                  "those that users request.",
                  sooth->slowdown, requested->slowdown);
    if (improvement_share(r, &share))
        page_text(p, "p",
                  "sooth reaches %.0f %% of the improvement from the mean of the last two jobs of a user to "
                  "perfect times.",
                  100.0 * share);
    if (*verdict_text(r, words, sizeof words)) page_text(p, "p", "%s", words);
    page_text(p, "p class=\"soft\"",
              "%s: %s on %s. Each job is predicted when it is submitted, from the jobs that had "
              "ended by then. Only perfect uses the true run times: no predictor can do better.",
              printable(r->path), counted(r->log.count, "job", "jobs"),
              counted(r->log.processors, "processor", "processors"));
    count = remarks(&r->log, line);
    for (size_t i = 0; i < count; ++i) page_text(p, "p class=\"soft\"", "%s.", line[i]);
    slowdown_chart(r, value, name, &chart);
    page_text(p, "h2", "Bounded slowdown");
    page_text(p, "p", "(wait + run) / max(run, 10 s), at least 1, the mean over all jobs.");
    page_bars(p, "Average bounded slowdown, by predictor", &chart);
    outcomes_grid(r, &g);
    page_table(p, "All figures", &g);
    page_over_time(p, r);
    page_text(p, "h2", "Errors of the predictions");
    page_text(
        p, "p",
        "x 1 is exact; x 2 is twice as long, or half (the exponential of the mean |log(predicted / run)|).");
    page_by_width(p, r);
    page_by_user(p, r);
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output"), *picture = arguments_text(args, "picture");
    const char *correct = arguments_text(args, "correct");
    const int force = arguments_has(args, "force");
    replay r;
    page p;
    FILE *file;
    memset(&r, 0, sizeof r);
    page_read(args, &p);
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
    if (page_is_wanted(&p)) page_replay(&p, &r);
    page_write(&p, args->word, 1);
    FILE *to = path && strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) print_json(&r, to);
    else print_all(&r, to);
    page_name(&p, arguments_has(args, "json") ? stderr : to);
    return finish();
}

const command replay_command = {
    .name = "replay",
    .summary = "replay a log of jobs with other predictions of their run times",
    .usage = "LOG.swf [--predict LIST] [options]",
    .least = 1,
    .most = 1,
    .text =
        "Replays a log in the Standard Workload Format on a machine with backfilling. A job may start "
        "before the first of the queue if, by the predicted run times, that does not delay the first.\n\n"
        "The predictors: the requested times; the mean of the last two run times of the user (Tsafrir "
        "et al. 2007); sooth; the true run times.\n\n"
        "sooth fits a model to the jobs that have ended so far. It answers with the model, unless their "
        "queue would have gone clearly better with the last two or the requested time. The last line names "
        "the better simple rule next to sooth, and which of them to use.\n\n"
        "Prints the average bounded slowdown, (wait + run) / max(run, 10 s), at least 1, for all jobs "
        "and for the later half. Also prints waits, how many jobs ran longer than predicted, how often "
        "that was corrected, and by which factor predictions were off.\n\n"
        "Needs the submit time, the run time, the processors and the requested time of a job: fields 2, "
        "4, 8 (or 5) and 9 of the format. Jobs that lack one are left out and counted. A run time of 0 is "
        "less than half a second, unless the job was cancelled; it is replayed as one second.\n\n"
        "Users, groups, executables and queues are told apart by the texts of their fields: 007 is not 7.\n\n"
        "Definitions follow Gaussier et al. (SC 2015), who also leave out jobs with a run time of 0.",
    .example = "sooth replay KTH-SP2.swf\n"
               "  sooth replay KTH-SP2.swf --predict last2,sooth --json --picture slowdown.svg",
    .flags = flags,
    .run = run};
