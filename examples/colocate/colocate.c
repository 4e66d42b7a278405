/* colocate.c - the main job: what does running these programs together cost on this machine, and can it be known before?
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     colocate [--seconds 70] [--cores 2] [--seed 1] [--out DIR]       measures this machine
 *     colocate --recorded DIR [--out DIR]                              uses measurements that were kept
 *     ... --all                                                        also tries every regressor with every combination of features
 *
 * Measures small real workloads alone, beside three microbenchmarks and in bags of two to five; learns from these how long a bag takes; checks it on
 * workloads left out of the training, and on bags measured after it. Ends with a table, and in the out folder (build/run)
 * instances.csv and bags.csv, model.sooth, report.html, predicted.svg. Exit code 0 done, 1 it failed (with a sentence), 2 bad use, 130 interrupted.
 */
#define _POSIX_C_SOURCE 200809L
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "sooth/threads.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "page.h"
#include "records.h"

enum { DONE = 0, FAILED = 1, BAD_USE = 2, INTERRUPTED = 130, HELD_OUT_EVERY = 15 };

static volatile sig_atomic_t interrupted;
static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

/* ---- progress ---- */

/* The parts of a run and what share of its time each takes. */
typedef struct progress {
    double from, share;
} progress;

static int show(void *user, const char *stage, double done, double seconds_left) {
    const progress *p = (const progress *)user;
    double all = p->from + p->share * done;
    int filled = (int)(all * 30.0 + 0.5);
    (void)seconds_left;
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-26.26s [%.*s%*s] %3d%%", stage, filled, "##############################", 30 - filled, "", (int)(100 * all + 0.5));
        fflush(stderr);
    }
    return interrupted;
}

static void clear_progress(void) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%72s\r", "");
}

static int stop_when_interrupted(void *user, const char *stage, double done) {
    (void)user;
    (void)stage;
    (void)done;
    return interrupted;
}

static int fail(const sooth_env *env, sooth_status status) {
    clear_progress();
    if (status == SOOTH_CANCELLED) {
        fprintf(stderr, "colocate: interrupted; nothing was written\n");
        return INTERRUPTED;
    }
    fprintf(stderr, "colocate: %s\n", env->sentence[0] ? env->sentence : sooth_status_text(status));
    return FAILED;
}

/* ---- measuring ---- */

/* What was measured; the last `held_out` bags after the model had been trained. */
typedef struct record {
    measure_card card[MEASURE_TASKS];
    measure_bag bag[MEASURE_MOST_BAGS];
    size_t bags, held_out;
    uint32_t cores;
} record;

typedef struct facts {
    char machine[160], contention[260], counters[200], origin[200];
} facts;

/* Of n bags, every fifteenth is held out. */
static size_t held_out_of(size_t n) { return (n + HELD_OUT_EVERY - 1 - HELD_OUT_EVERY / 2) / HELD_OUT_EVERY; }

/* Puts those at the end; there recorded files have them too. */
static void set_aside(record *r) {
    measure_bag aside[MEASURE_MOST_BAGS];
    size_t i, kept = 0, n = 0;
    for (i = 0; i < r->bags; ++i) {
        if (i % HELD_OUT_EVERY == HELD_OUT_EVERY / 2) aside[n++] = r->bag[i];
        else r->bag[kept++] = r->bag[i];
    }
    memcpy(r->bag + kept, aside, n * sizeof aside[0]);
    r->held_out = held_out_of(r->bags);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct session {
    measure *m;
    progress part;
    double seconds, started, held_seconds;
} session;

static sooth_status measure_first(sooth_env *env, session *s, uint32_t cores, uint64_t seed, record *r, facts *about) {
    measure_options options;
    measure_contention contention;
    sooth_status status;
    double bag_seconds;
    memset(&options, 0, sizeof options);
    memset(r, 0, sizeof *r);
    options.cores = cores;
    options.seed = seed;
    options.progress_fn = show;
    options.user = &s->part;
    s->started = now();
    status = measure_open(env, &options, &s->m);
    if (status != SOOTH_OK) return status;
    s->part.share = 0.03;
    status = measure_probe(env, s->m, &contention);
    if (status != SOOTH_OK) return status;
    sooth_text_format(about->machine, sizeof about->machine, "%s", measure_machine(s->m));
    sooth_text_format(about->contention, sizeof about->contention, "%s", contention.sentence);
    sooth_text_format(about->counters, sizeof about->counters, "%s%s.", counters_reason(measure_about(s->m)->counter_error),
                      measure_about(s->m)->counter_error ? "; the rate of progress stands for instructions per cycle" : "");
    clear_progress();
    printf("%s.\n%s\n%s\n", about->machine, about->contention, about->counters);
    fflush(stdout);
    s->part.from = 0.03;
    s->part.share = 0.24;
    r->cores = measure_about(s->m)->stage;
    status = measure_cards(env, s->m, 0.24 * s->seconds, r->card);
    if (status != SOOTH_OK) return status;
    bag_seconds = 0.72 * s->seconds;
    r->bags = measure_plan(seed, bag_seconds, r->bag);
    set_aside(r);
    s->held_seconds = bag_seconds * (double)r->held_out / (double)r->bags;
    s->part.from = 0.27;
    s->part.share = 0.68;
    return measure_bags(env, s->m, bag_seconds - s->held_seconds, r->bag, r->bags - r->held_out);
}

static sooth_status measure_last(sooth_env *env, session *s, record *r, facts *about) {
    sooth_status status;
    s->part.from = 0.95;
    s->part.share = 0.05;
    status = measure_bags(env, s->m, s->held_seconds, r->bag + r->bags - r->held_out, r->held_out);
    sooth_text_format(about->origin, sizeof about->origin, "Measured in %G seconds; single tasks waited for a core %G %% of their time",
                      floor(now() - s->started + 0.5), floor(1000 * measure_disturbance(s->m) + 0.5) / 10);
    measure_close(s->m);
    s->m = NULL;
    return status;
}

/* ---- from measurements to the study's words ---- */

static study_card study_cards[MEASURE_TASKS];
static study_bag study_bags[MEASURE_MOST_BAGS];
static const char *workload_names[WORKLOADS];

static void describe_bag(const measure_bag *from, study_bag *to) {
    uint32_t k;
    memset(to, 0, sizeof *to);
    to->tasks = from->tasks;
    to->bag_ms = from->bag_ms.value;
    for (k = 0; k < from->tasks; ++k) {
        to->card[k] = from->member[k].task.workload * WORKLOAD_SIZES + from->member[k].task.size;
        to->alone_ms[k] = from->member[k].alone_ms;
        to->shared_ms[k] = from->member[k].shared_ms;
    }
}

static void describe(const record *r, study_data *data) {
    size_t i, k;
    for (i = 0; i < MEASURE_TASKS; ++i) {
        const measure_card *c = &r->card[i];
        study_card *to = &study_cards[i];
        sooth_text_format(to->name, sizeof to->name, "%s %s", workloads[c->task.workload].name, workloads[c->task.workload].size[c->task.size].label);
        to->workload = c->task.workload;
        for (k = 0; k < STUDY_MICROS; ++k) {
            to->slowdown[k] = c->slowdown[k].value;
            to->pressure[k] = 1.0 / c->rate[k].value;
        }
    }
    for (i = 0; i < r->bags; ++i) describe_bag(&r->bag[i], &study_bags[i]);
    for (i = 0; i < WORKLOADS; ++i) workload_names[i] = workloads[i].name;
    data->card = study_cards;
    data->bag = study_bags;
    data->cards = MEASURE_TASKS;
    data->bags = r->bags;
    data->workloads = WORKLOADS;
    data->workload_name = workload_names;
    data->cores = r->cores;
}

/* ---- results ---- */

static void print_scores(const study_score *score) {
    int s;
    printf("\nMean absolute error, %% of the measured time      a program never seen      seen before\n");
    printf("                                                     pairs      3 to 5    pairs   3 to 5\n");
    for (s = 0; s < STUDY_SCHEMES; ++s) {
        const study_score *r = &score[s];
        if (s == STUDY_TREE_ALONE) printf("\n");
        if (s == STUDY_TREE_RATIO || s == STUDY_CHOSEN) printf("\n");
        printf("  %-44s %11.1f %11.1f %8.1f %8.1f\n", study_form_of((study_scheme)s)->name, r->unseen[0], r->unseen[1], r->random[0], r->random[1]);
    }
    printf("\nThe first two columns leave every workload out in turn and speak of programs that the model has not seen; the others\n"
           "split at random. \"Chosen without looking\" is the one over sharing that errs least inside the training bags, chosen anew for each test.\n"
           "The paper (Moolchandani et al. 2022) reports 9 %% for pairs and 7 to 10 %% for three to five, on a GPU.\n");
}

/* One line per combination: each regressor's error for pairs and for larger bags; below, what the paper reports. size: 0 pairs, 1 larger. */
static void print_part(const study_score *table, const study_score *baseline, int size, int random) {
    size_t k, r;
    printf("\n%s, %s\n  %-36s", size ? "Three to five" : "Pairs", random ? "random 80/20" : "every workload left out in turn", "");
    for (r = 0; r < STUDY_REGRESSORS; ++r) printf(" %5zu", r + 1);
    printf("\n");
    for (k = 0; k < STUDY_COMBINATIONS; ++k) {
        const study_combination *one = study_combination_at(k);
        printf("  %-36s", one->name);
        for (r = 0; r < STUDY_REGRESSORS; ++r) {
            const study_score *score = &table[k * STUDY_REGRESSORS + r];
            printf(" %5.1f", random ? score->random[size] : score->unseen[size]);
        }
        printf("\n");
        if (!one->published || size || random) continue;
        printf("    %-34s", one->published);
        for (r = 0; r < 6; ++r) printf(" %5.1f", one->mape[r]);
        printf("\n");
    }
    for (k = STUDY_LONGEST; k <= STUDY_STAYING; ++k)
        printf("  %-36s %5.1f\n", study_form_of((study_scheme)k)->name, random ? baseline[k].random[size] : baseline[k].unseen[size]);
}

static void print_table(const study_score *table, const study_score *baseline) {
    size_t r;
    printf("\nEvery regressor with the feature combinations of the paper's Table 7 that can be measured here, MAPE in %%. Time stands for power, pressure\n"
           "for cache misses; the lines comb.. are the paper's own (pairs, power of a GPU). The regressors:\n");
    for (r = 0; r < STUDY_REGRESSORS; ++r) printf("  %2zu %-24s%s", r + 1, study_regressor_at(r)->name, r % 4 == 3 ? "\n" : "");
    printf("\n");
    print_part(table, baseline, 0, 0);
    print_part(table, baseline, 1, 0);
    print_part(table, baseline, 0, 1);
    print_part(table, baseline, 1, 1);
}

static void print_importances(study_scheme scheme, const study_importance *importance) {
    size_t j;
    printf("\nWhat the trees look at          moves the answer, %%   gain, %%   on the way of, %%   questions\n");
    for (j = 0; j < STUDY_FEATURES; ++j)
        printf("  %-32s %12.1f %12.1f %14.1f %13.2f\n", importance[j].name, 100 * importance[j].shap, 100 * importance[j].gain, 100 * importance[j].rows,
               importance[j].asked);
    printf("The first two columns are of %s; the others of the decision paths of the single tree (the paper, Figures 9 and 10).\n",
           study_form_of(scheme)->name);
}

static double print_held_out(const study_data *data, const study_model *model, size_t held_out) {
    size_t i;
    double sum = 0.0;
    uint32_t k;
    printf("\nMeasured after the model was trained                                           predicted  measured   error\n");
    for (i = data->bags - held_out; i < data->bags; ++i) {
        const study_bag *bag = &data->bag[i];
        double p = study_predict(model, data, bag), error = 100.0 * (p - bag->bag_ms) / bag->bag_ms;
        char name[300];
        size_t n = 0;
        name[0] = 0;
        for (k = 0; k < bag->tasks; ++k) n += sooth_text_format(name + n, sizeof name - n, k ? " + %s" : "%s", data->card[bag->card[k]].name);
        printf("  %-76.76s %7.1f ms %6.1f ms %+6.1f %%\n", name, p, bag->bag_ms, error);
        sum += fabs(error);
    }
    return held_out ? sum / (double)held_out : NAN;
}

/* ---- files that appear whole or not at all ---- */

static const char *path_in(char path[2048], const char *folder, const char *name) {
    snprintf(path, 2048, "%.1800s/%s", folder, name);
    return path;
}

static sooth_status make_folder(sooth_env *env, const char *folder) {
    char path[2048];
    size_t n;
    for (n = 0; folder[n] && n + 1 < sizeof path; ++n) { /* build/run: build first */
        path[n] = folder[n];
        path[n + 1] = 0;
        if (folder[n] == '/' && n > 0) mkdir(path, 0777);
    }
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) return SOOTH_OK;
    return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot make the folder %s: %s", folder, strerror(errno));
}

static int write_file(void *user, const char *text, size_t size) { return fwrite(text, 1, size, (FILE *)user) != size; }

enum { MODEL_FILE, PAGE_FILE, DRAWING_FILE, CARDS_FILE, BAGS_FILE, FILES };
static const char *const file_name[FILES] = {"model.sooth", "report.html", "predicted.svg", "instances.csv", "bags.csv"};

/* Writes one of the outputs under a temporary name. */
static sooth_status write_one(sooth_env *env, int which, const char *path, const page_content *content, const record *r) {
    const sooth_model *model = content->model->model[0];
    sooth_sink sink;
    void *bytes;
    if (which == CARDS_FILE) return records_write_cards(env, path, r->card);
    if (which == BAGS_FILE) return records_write_bags(env, path, r->cores, r->bag, r->bags);
    memset(&sink, 0, sizeof sink);
    sink.user = fopen(path, "wb");
    sink.write_fn = write_file;
    if (!sink.user) return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", path, strerror(errno));
    if (which == PAGE_FILE) {
        page_write(&sink, content);
    } else if (which == DRAWING_FILE) {
        page_draw_predicted(&sink, content, 560);
    } else {
        bytes = malloc(model->size);
        if (bytes) {
            sooth_model_save(model, bytes);
            sooth_text_write(&sink, (const char *)bytes, model->size);
        }
        sink.failed |= !bytes;
        free(bytes);
    }
    if (fclose((FILE *)sink.user) != 0 || sink.failed) return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", path, strerror(errno));
    return SOOTH_OK;
}

static sooth_status write_outputs(sooth_env *env, const char *out, const page_content *content, const record *r, int recorded) {
    char from[2048], to[2048];
    sooth_status status = make_folder(env, out);
    int k;
    for (k = 0; k < FILES && status == SOOTH_OK; ++k) {
        if (recorded && (k == CARDS_FILE || k == BAGS_FILE)) continue;
        path_in(from, out, "unfinished");
        path_in(to, out, file_name[k]);
        unlink(from);
        status = write_one(env, k, from, content, r);
        if (status == SOOTH_OK && rename(from, to) != 0) status = stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", to, strerror(errno));
        if (status != SOOTH_OK) unlink(from);
    }
    return status;
}

static sooth_status read_record(sooth_env *env, const char *folder, record *r) {
    char path[2048];
    sooth_status status = records_read_cards(env, path_in(path, folder, "instances.csv"), r->card);
    if (status == SOOTH_OK) status = records_read_bags(env, path_in(path, folder, "bags.csv"), r->bag, MEASURE_MOST_BAGS, &r->bags, &r->cores);
    r->held_out = held_out_of(r->bags);
    return status;
}

/* ---- the program ---- */

typedef struct arguments {
    const char *recorded, *out;
    double seconds;
    uint32_t cores, seed;
    int all;
} arguments;

static int usage(FILE *to) {
    fprintf(to, "colocate [--seconds 70] [--cores 2] [--seed 1] [--out build/run]   measure this machine, learn, predict, check\n"
                "colocate --recorded DIR [--out build/run]                          the same from instances.csv and bags.csv in DIR\n"
                "  --all   also every regressor of the papers with every combination of features, in the table and the page (a minute)\n");
    return to == stdout ? DONE : BAD_USE;
}

/* A number within its range; 0 and a sentence otherwise. */
static int number(const char *name, const char *text, double least, double most, double *value) {
    size_t n = 0;
    while (text[n]) ++n;
    if (n && sooth_text_to_double(text, n, value) == n && *value >= least && *value <= most) return 1;
    fprintf(stderr, "colocate: %s is \"%s\", but must be a number between %g and %g\n", name, text, least, most);
    return 0;
}

static int read_arguments(int count, char **word, arguments *a) {
    int i;
    double v;
    a->recorded = NULL;
    a->out = "build/run";
    a->seconds = 70;
    a->cores = 2;
    a->seed = 1;
    a->all = 0;
    for (i = 1; i < count; ++i) {
        const char *value = i + 1 < count ? word[i + 1] : NULL;
        if (strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0) return usage(stdout);
        if (strcmp(word[i], "--all") == 0) {
            a->all = 1;
            continue;
        }
        if (!value || word[i][0] != '-') return usage(stderr);
        if (strcmp(word[i], "--recorded") == 0) a->recorded = value;
        else if (strcmp(word[i], "--out") == 0) a->out = value;
        else if (strcmp(word[i], "--seconds") == 0) {
            if (!number("--seconds", value, 5, 3600, &a->seconds)) return BAD_USE;
        } else if (strcmp(word[i], "--cores") == 0) {
            if (!number("--cores", value, 1, 64, &v)) return BAD_USE;
            a->cores = (uint32_t)v;
        } else if (strcmp(word[i], "--seed") == 0) {
            if (!number("--seed", value, 0, 4294967295.0, &v)) return BAD_USE;
            a->seed = (uint32_t)v;
        } else {
            fprintf(stderr, "colocate: there is no option %s\n", word[i]);
            return usage(stderr);
        }
        ++i;
    }
    return -1;
}

int main(int count, char **word) {
    static record r;
    static study_score score[STUDY_SCHEMES];
    static double unseen_ms[STUDY_SCHEMES * MEASURE_MOST_BAGS], per_workload[STUDY_SCHEMES * WORKLOADS];
    static uint32_t row[MEASURE_MOST_BAGS];
    static study_score table[STUDY_COMBINATIONS * STUDY_REGRESSORS];
    static study_importance importance[STUDY_FEATURES];
    static sooth_threads pool;
    static facts about;
    arguments a;
    session s;
    study_data data;
    study_model model;
    page_content content;
    sooth_env env;
    sooth_status status;
    struct sigaction action;
    uint32_t i;
    int ended = read_arguments(count, word, &a);
    double held;
    if (ended >= 0) return ended;
    sooth_env_init(&env);
    env.progress_fn = stop_when_interrupted;
    memset(&s, 0, sizeof s);
    memset(&model, 0, sizeof model);
    memset(&content, 0, sizeof content);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    s.seconds = a.seconds;

    if (a.recorded) {
        status = read_record(&env, a.recorded, &r);
        sooth_text_format(about.machine, sizeof about.machine, "Recorded measurements from %s: %z bags on %u cores", a.recorded, r.bags, r.cores);
        sooth_text_format(about.origin, sizeof about.origin, "Nothing was measured in this run");
        if (status == SOOTH_OK) printf("%s.\n", about.machine);
    } else {
        status = measure_first(&env, &s, a.cores, a.seed, &r, &about);
    }
    /* which form to keep is decided on the training bags alone; then it is trained, and only then are the last bags run */
    if (status == SOOTH_OK) {
        describe(&r, &data);
        data.bags = r.bags - r.held_out;
        status = sooth_threads_start(&pool, 0, &env);
    }
    if (status == SOOTH_OK) {
        show(&s.part, "learning and checking", 0.0, 0.0);
        status = study_validate(&env, &data, a.seed, score, unseen_ms, per_workload);
    }
    if (status == SOOTH_OK) {
        for (i = 0; i < data.bags; ++i) row[i] = i;
        status = study_train(&env, &data, STUDY_CHOSEN, row, data.bags, &model);
    }
    if (status == SOOTH_OK) status = study_explain(&env, &data, data.bags, &content.explained, importance);
    if (status == SOOTH_OK && a.all) status = study_table(&env, &data, a.seed, table);
    sooth_threads_stop(&pool);
    if (status == SOOTH_OK && !a.recorded) status = measure_last(&env, &s, &r, &about);
    measure_close(s.m);
    if (status != SOOTH_OK) {
        study_free(&env, &model);
        return fail(&env, status);
    }
    clear_progress();

    /* the page shows the bags of the validation; the held-out ones follow in their own table */
    content.facts.machine = about.machine;
    content.facts.contention = about.contention;
    content.facts.counters = about.counters;
    content.facts.origin = about.origin;
    content.data = &data;
    content.score = score;
    content.unseen_ms = unseen_ms;
    content.per_workload = per_workload;
    content.model = &model;
    content.importance = importance;
    content.table = a.all ? table : NULL;
    content.held_out = r.held_out;
    describe(&r, &data);
    data.bags = r.bags;
    print_scores(score);
    if (a.all) print_table(table, score);
    print_importances(content.explained, importance);
    held = print_held_out(&data, &model, r.held_out);
    if (!a.recorded) printf("\n%s.\n", about.origin);
    printf("\nMean absolute error of these: %.1f %%. Model: %s, %u bytes.\n", held, study_form_of(model.scheme)->name, model.model[0]->size);
    content.validated = r.bags - r.held_out;
    status = write_outputs(&env, a.out, &content, &r, a.recorded != NULL);
    study_free(&env, &model);
    if (status != SOOTH_OK) return fail(&env, status);
    printf("%s/report.html shows it in pictures; model.sooth%s lie beside it.\n", a.out, a.recorded ? " and predicted.svg" : ", instances.csv and bags.csv");
    return DONE;
}
