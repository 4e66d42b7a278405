/* colocate.c - the main job: measures and predicts what programs cost together on this machine.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     colocate [--seconds 70] [--cores 2] [--seed 1] [--out DIR]     measures this machine
 *     colocate --recorded DIR [--out DIR]                            uses measurements that were kept
 *     ... --recorded DIR --check                 but runs what it decides, on this machine
 *     colocate --contention                      only what programs fight over on this machine
 *
 * Finds what programs fight over on this machine. The first line states if it is nothing. Measures small real
 * workloads alone, next to three microbenchmarks, and in bags of two to five, drawn from those that fight.
 * Fits models of the time of a bag. Tests them on workloads left out of the training, and on bags measured
 * after it. Then decides which of eight waiting jobs to run together, and runs them. Writes into the out
 * folder (build/run) model.sooth, report.html, predicted.svg, contention.svg, scaling.svg (and energy.svg if
 * energy is read), and its measurements: instances.csv, bags.csv, placement.csv, origin.txt, contention.csv,
 * scaling.csv. Exit code 0 done, 1 failed (with a message), 2 bad use, 130 interrupted.
 */
#define _POSIX_C_SOURCE 200809L
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "sooth/threads.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "describe.h"
#include "page.h"
#include "records.h"
#include "tell.h"

enum { DONE = 0, FAILED = 1, BAD_USE = 2, INTERRUPTED = 130, HELD_OUT_EVERY = 15 };

static volatile sig_atomic_t interrupted;
static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

/* ---- progress ---- */

/* The parts of a run and their shares of its time. */
typedef struct progress {
    double from, share;
} progress;

static int show(void *user, const char *stage, double done, double seconds_left) {
    const progress *p = (const progress *)user;
    double all = p->from + p->share * done;
    int filled = (int)(all * 30.0 + 0.5);
    (void)seconds_left;
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%-26.26s [%.*s%*s] %3d%%", stage, filled, "##############################",
                30 - filled, "", (int)(100 * all + 0.5));
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

/* The measurements; the last `held_out` bags are from after the training. */
typedef struct record {
    measure_card card[MEASURE_TASKS];
    measure_bag bag[MEASURE_MOST_BAGS];
    measure_bag placed[PLACEMENT_RUNS]; /* the pairs of the waiting jobs */
    size_t bags, held_out, placements;  /* placements 0: they were not run */
    uint32_t cores;
    contend fought;
    contend_found found; /* tried 0: missing in the recording */
    scaling_line line[SCALING_PROGRAMS];
    size_t lines; /* 0: the recording does not hold it */
} record;

typedef struct facts {
    char machine[400], contention[1200], counters[300], origin[400], date[16];
    double cap_w; /* limit of the processor's power; 0: unknown */
} facts;

/* Of n bags, every fifteenth is held out. */
static size_t held_out_of(size_t n) { return (n + HELD_OUT_EVERY - 1 - HELD_OUT_EVERY / 2) / HELD_OUT_EVERY; }

/* Moves those to the end. Recorded files have them there too. */
static void set_aside(record *r) {
    measure_bag aside[MEASURE_MOST_BAGS];
    size_t kept = 0, n = 0;
    for (size_t i = 0; i < r->bags; ++i) {
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

static sooth_status measure_start(sooth_env *env, session *s, uint32_t cores, uint64_t seed) {
    measure_options options;
    memset(&options, 0, sizeof options);
    options.cores = cores;
    options.seed = seed;
    options.progress_fn = show;
    options.user = &s->part;
    s->started = now();
    return measure_open(env, &options, &s->m);
}

static void tell_machine(session *s, facts *about) {
    const stage_machine *machine = measure_about(s->m);
    sooth_text_format(about->machine, sizeof about->machine, "%s", measure_machine(s->m));
    sooth_text_format(about->counters, sizeof about->counters, "%s%s; %s.",
                      counters_reason(machine->counter_error),
                      machine->counter_error ? "; the rate of progress replaces instructions per cycle" : "",
                      machine->energy_reason);
    about->counters[0] = (char)toupper((unsigned char)about->counters[0]);
    about->cap_w = machine->cap_w;
    printf("%s.\n%s\n", about->machine, about->counters);
}

/* Finds what programs fight over. This prints the first line of all. */
static sooth_status measure_fought(sooth_env *env, session *s, record *r, facts *about) {
    s->part.share = 0.07;
    sooth_status status = measure_contention(env, s->m, 0.07 * s->seconds, &r->fought);
    if (status != SOOTH_OK) return status;
    contend_judge(&r->fought, &r->found);
    clear_progress();
    sooth_text_format(about->contention, sizeof about->contention, "%s", r->found.sentence);
    printf("%s\n", about->contention);
    tell_machine(s, about);
    contend_tell(&r->fought, &r->found);
    fflush(stdout);
    return SOOTH_OK;
}

static sooth_status measure_many(sooth_env *env, session *s, record *r) {
    s->part.from = 0.07;
    s->part.share = 0.03;
    r->lines = scaling_choose(r->found.axis, r->line);
    sooth_status status = measure_scaling(env, s->m, 0.03 * s->seconds, r->line, r->lines);
    if (status != SOOTH_OK) return status;
    clear_progress();
    scaling_tell(r->line, r->lines, r->cores);
    fflush(stdout);
    return SOOTH_OK;
}

/* The tasks that bags are drawn from, and the pressure of the microbenchmarks. */
static void tell_plan(const record *r, size_t fighting) {
    const uint32_t axis = r->found.axis;
    printf("\nLow, Medium and High press on %s%s.\n",
           pressure_name(axis < PRESSURES ? axis : PRESSURE_BANDWIDTH),
           axis < PRESSURES ? ", which slows others most here"
                            : ", as in the paper: nothing slows others here");
    if (r->found.any)
        printf(
            "%zu of %zu bags have two programs that fight by the table above: such are drawn four times as\n"
            "readily as others.\n",
            fighting, r->bags);
    fflush(stdout);
}

static sooth_status measure_first(sooth_env *env, session *s, uint32_t cores, uint64_t seed, record *r,
                                  facts *about) {
    memset(r, 0, sizeof *r);
    sooth_status status = measure_start(env, s, cores, seed);
    if (status == SOOTH_OK) {
        r->cores = measure_about(s->m)->stage;
        status = measure_fought(env, s, r, about);
    }
    if (status == SOOTH_OK) status = measure_many(env, s, r);
    if (status != SOOTH_OK) return status;
    double bag_seconds = 0.55 * s->seconds;
    measure_press_on(s->m, r->found.axis);
    r->bags = measure_plan(seed, bag_seconds, &r->found, r->bag);
    tell_plan(r, measure_fighting(&r->found, r->bag, r->bags));
    s->part.from = 0.10;
    s->part.share = 0.19;
    status = measure_cards(env, s->m, 0.19 * s->seconds, r->card);
    if (status != SOOTH_OK) return status;
    set_aside(r);
    s->held_seconds = bag_seconds * (double)r->held_out / (double)r->bags;
    s->part.from = 0.29;
    s->part.share = 0.50;
    return measure_bags(env, s->m, bag_seconds - s->held_seconds, r->bag, r->bags - r->held_out);
}

static sooth_status measure_last(sooth_env *env, session *s, record *r) {
    s->part.from = 0.79;
    s->part.share = 0.05;
    return measure_bags(env, s->m, s->held_seconds, r->bag + r->bags - r->held_out, r->held_out);
}

/* Runs all pairs of the waiting jobs, in turn, and then all of them again. */
static sooth_status measure_placement(sooth_env *env, session *s, const placement *p, record *r) {
    sooth_status status = SOOTH_OK;
    uint32_t card[2];
    for (uint32_t turn = 0; turn < PLACEMENT_TURNS && status == SOOTH_OK; ++turn) {
        measure_bag *bag = r->placed + turn * PLACEMENT_PAIRS;
        memset(bag, 0, PLACEMENT_PAIRS * sizeof *bag);
        for (uint32_t i = 0; i < PLACEMENT_PAIRS; ++i) {
            placement_cards(p, i, card);
            bag[i].tasks = 2;
            for (uint32_t k = 0; k < 2; ++k) bag[i].member[k].task = r->card[card[k]].task;
        }
        s->part.from = 0.84 + 0.08 * turn;
        s->part.share = 0.08;
        status = measure_bags(env, s->m, 0.08 * s->seconds, bag, PLACEMENT_PAIRS);
    }
    r->placements = PLACEMENT_RUNS;
    return status;
}

static void measure_end(session *s, facts *about) {
    time_t today = time(NULL);
    strftime(about->date, sizeof about->date, "%Y-%m-%d", gmtime(&today));
    sooth_text_format(
        about->origin, sizeof about->origin,
        "Measured on %s in %G seconds on %s; single tasks waited for a core %G %% of their time", about->date,
        floor(now() - s->started + 0.5), measure_machine(s->m),
        floor(1000 * measure_disturbance(s->m) + 0.5) / 10);
    measure_close(s->m);
    s->m = NULL;
}

/* ---- files that appear whole or not at all ---- */

static const char *path_in(char path[2048], const char *folder, const char *name) {
    snprintf(path, 2048, "%.1800s/%s", folder, name);
    return path;
}

static sooth_status make_folder(sooth_env *env, const char *folder) {
    char path[2048];
    for (size_t n = 0; folder[n] && n + 1 < sizeof path; ++n) { /* build/run: build first */
        path[n] = folder[n];
        path[n + 1] = 0;
        if (folder[n] == '/' && n > 0) mkdir(path, 0777);
    }
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) return SOOTH_OK;
    return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot make the folder %s: %s", folder, strerror(errno));
}

static int write_file(void *user, const char *text, size_t size) {
    return fwrite(text, 1, size, (FILE *)user) != size;
}

enum {
    MODEL_FILE,
    PAGE_FILE,
    DRAWING_FILE,
    HEAT_FILE,
    LINES_FILE,
    ENERGY_FILE,
    CARDS_FILE, /* from here on: measurements */
    BAGS_FILE,
    CONTENTION_FILE,
    SCALING_FILE,
    PLACEMENT_FILE,
    ORIGIN_FILE,
    FILES
};
static const char *const file_name[FILES] = {
    "model.sooth",   "report.html", "predicted.svg",  "contention.svg", "scaling.svg",   "energy.svg",
    "instances.csv", "bags.csv",    "contention.csv", "scaling.csv",    "placement.csv", "origin.txt"};

/* Writes one of the outputs under a temporary name. */
static sooth_status write_one(sooth_env *env, int which, const char *path, const page_content *content,
                              const record *r) {
    const sooth_model *model;
    sooth_sink sink;
    void *bytes;
    if (which == CARDS_FILE) return records_write_cards(env, path, r->card);
    if (which == BAGS_FILE) return records_write_bags(env, path, r->cores, r->bag, r->bags);
    if (which == CONTENTION_FILE) return records_write_contention(env, path, &r->fought);
    if (which == SCALING_FILE) return records_write_scaling(env, path, r->line, r->lines, r->cores);
    if (which == PLACEMENT_FILE) return records_write_bags(env, path, r->cores, r->placed, r->placements);
    memset(&sink, 0, sizeof sink);
    sink.user = fopen(path, "wb");
    sink.write_fn = write_file;
    if (!sink.user) return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", path, strerror(errno));
    if (which == PAGE_FILE) {
        page_write(&sink, content);
    } else if (which == DRAWING_FILE) {
        page_draw_predicted(&sink, content, 560);
    } else if (which == HEAT_FILE) {
        contend_draw(&sink, &r->fought, 760);
    } else if (which == LINES_FILE) {
        scaling_draw(&sink, r->line, r->lines, r->cores, 0, 640);
    } else if (which == ENERGY_FILE) {
        scaling_draw(&sink, r->line, r->lines, r->cores, 1, 640);
    } else if (which == ORIGIN_FILE) {
        sooth_text_put(&sink, "%s.\n", content->facts.origin);
    } else {
        model = study_kept(content->model);
        bytes = malloc(model->head.size);
        if (bytes) {
            sooth_model_save(model, bytes);
            sooth_text_write(&sink, (const char *)bytes, model->head.size);
        }
        sink.failed |= !bytes;
        free(bytes);
    }
    if (fclose((FILE *)sink.user) != 0 || sink.failed)
        return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", path, strerror(errno));
    return SOOTH_OK;
}

/* Files whose bit is in `files`. A drawing of an earlier run that this one cannot draw is removed. */
static sooth_status write_outputs(sooth_env *env, const char *out, const page_content *content,
                                  const record *r, unsigned files) {
    char from[2048], to[2048];
    sooth_status status = make_folder(env, out);
    for (int k = 0; k < FILES && status == SOOTH_OK; ++k) {
        path_in(from, out, "unfinished");
        path_in(to, out, file_name[k]);
        if (!(files >> k & 1)) {
            if (k == HEAT_FILE || k == LINES_FILE || k == ENERGY_FILE) unlink(to);
            continue;
        }
        unlink(from);
        status = write_one(env, k, from, content, r);
        if (status == SOOTH_OK && rename(from, to) != 0)
            status = stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", to, strerror(errno));
        if (status != SOOTH_OK) unlink(from);
    }
    return status;
}

/* The origin of the measurements in a folder: the text of its origin.txt, or "" if there is none. */
static void read_origin(const char *folder, char *text, size_t size) {
    char path[2048];
    FILE *file = fopen(path_in(path, folder, file_name[ORIGIN_FILE]), "r");
    size_t n = file ? fread(text, 1, size - 1, file) : 0;
    while (n > 0 && (unsigned char)text[n - 1] <= ' ') --n;
    text[n] = 0;
    if (file) fclose(file);
}

static int has_file(char path[2048], const char *folder, int which) {
    return access(path_in(path, folder, file_name[which]), F_OK) == 0;
}

static sooth_status read_record(sooth_env *env, const char *folder, record *r) {
    char path[2048];
    uint32_t cores;
    memset(r, 0, sizeof *r);
    sooth_status status = records_read(env, folder, r->card, r->bag, MEASURE_MOST_BAGS, &r->bags, &r->cores);
    if (status == SOOTH_OK && has_file(path, folder, PLACEMENT_FILE)) {
        status = records_read_bags(env, path, r->placed, PLACEMENT_RUNS, &r->placements, &cores);
        if (status == SOOTH_OK) status = records_check_bags(env, path, r->card, r->placed, r->placements);
    }
    if (status == SOOTH_OK && has_file(path, folder, CONTENTION_FILE)) {
        status = records_read_contention(env, path, &r->fought);
        if (status == SOOTH_OK) contend_judge(&r->fought, &r->found);
    }
    if (status == SOOTH_OK && has_file(path, folder, SCALING_FILE))
        status = records_read_scaling(env, path, r->line, &r->lines, &cores);
    r->held_out = held_out_of(r->bags);
    return status;
}

/* ---- the program ---- */

typedef struct arguments {
    const char *recorded, *out;
    double seconds;
    uint32_t cores, seed;
    int check, contention;
} arguments;

static int usage(FILE *to) {
    fprintf(
        to,
        "colocate [--seconds 70] [--cores 2] [--seed 1] [--out build/run]\n"
        "          measure this machine, learn, predict, check; decide which jobs to run together, and run "
        "them\n"
        "colocate --recorded DIR [--check] [--out build/run]\n"
        "          the same from the files in DIR that an earlier run wrote\n"
        "  --check with --recorded: run what is decided, on this machine\n"
        "colocate --contention\n"
        "          only what programs fight over on this machine, in a few seconds\n");
    return to == stdout ? DONE : BAD_USE;
}

/* A number within its range. Otherwise 0 and an error message. */
static int number(const char *name, const char *text, double least, double most, double *value) {
    size_t n = 0;
    while (text[n]) ++n;
    if (n && sooth_text_to_double(text, n, value) == n && *value >= least && *value <= most) return 1;
    fprintf(stderr, "colocate: %s is \"%s\", but must be a number between %g and %g\n", name, text, least,
            most);
    return 0;
}

static int read_arguments(int count, char **word, arguments *a) {
    double v;
    a->recorded = NULL;
    a->out = "build/run";
    a->seconds = 70;
    a->cores = 2;
    a->seed = 1;
    a->check = a->contention = 0;
    for (int i = 1; i < count; ++i) {
        const char *value = i + 1 < count ? word[i + 1] : NULL;
        if (strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0) return usage(stdout);
        if (strcmp(word[i], "--check") == 0) {
            a->check = 1;
            continue;
        }
        if (strcmp(word[i], "--contention") == 0) {
            a->contention = 1;
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
    if (a->contention && a->recorded) {
        fprintf(stderr, "colocate: --contention measures this machine, so it does not go with --recorded\n");
        return BAD_USE;
    }
    a->check |= !a->recorded; /* live measurements are checked live */
    return -1;
}

/* Everything of one run, from the request to the results. */
typedef struct job {
    arguments asked;
    sooth_env env;
    session s;
    record r;
    facts about;
    describe_room room;
    study_data data; /* of r; during training without the held-out bags */
    uint32_t row[MEASURE_MOST_BAGS];
    study_score score[STUDY_SCHEMES];
    double unseen_ms[STUDY_SCHEMES * MEASURE_MOST_BAGS], per_workload[STUDY_SCHEMES * WORKLOADS];
    study_model model, power_model;
    study_power power;
    study_scheme explained;
    study_importance importance[STUDY_FEATURES];
    placement placed;
    study_bag run[PLACEMENT_RUNS];
} job;

/* The training data: measured now, all but the held-out bags, or recorded. */
static sooth_status measure_or_read(job *j) {
    record *r = &j->r;
    facts *about = &j->about;
    if (!j->asked.recorded) return measure_first(&j->env, &j->s, j->asked.cores, j->asked.seed, r, about);
    sooth_status status = read_record(&j->env, j->asked.recorded, r);
    if (status != SOOTH_OK) return status;
    printf("%s\n", r->found.tried ? r->found.sentence
                                  : "This recording does not hold what programs fought over: it has no "
                                    "contention.csv.");
    size_t n = 0;
    if (r->found.tried)
        n = sooth_text_format(about->contention, sizeof about->contention, "%s ", r->found.sentence);
    read_origin(j->asked.recorded, about->contention + n, sizeof about->contention - n);
    sooth_text_format(about->machine, sizeof about->machine,
                      "Recorded measurements from %s: %z bags on %u cores", j->asked.recorded, r->bags,
                      r->cores);
    sooth_text_format(about->origin, sizeof about->origin, "Nothing was measured in this run");
    printf("%s.\n%s%s", about->machine, about->contention + n, about->contention[n] ? "\n" : "");
    if (r->found.tried) contend_tell(&r->fought, &r->found);
    if (r->lines) scaling_tell(r->line, r->lines, r->cores);
    return SOOTH_OK;
}

/* The form is chosen on the training bags alone. Then it is trained. */
static sooth_status learn(job *j) {
    sooth_env *env = &j->env;
    describe(j->r.card, j->r.bag, j->r.bags, j->r.cores, &j->room, &j->data);
    j->data.bags = j->r.bags - j->r.held_out;
    for (uint32_t i = 0; i < j->data.bags; ++i) j->row[i] = i;
    show(&j->s.part, "learning and checking", 0.0, 0.0);
    sooth_status status =
        study_validate(env, &j->data, j->asked.seed, j->score, j->unseen_ms, j->per_workload);
    if (status == SOOTH_OK)
        status = study_train(env, &j->data, STUDY_CHOSEN, j->row, j->data.bags, &j->model);
    if (status == SOOTH_OK) status = study_explain(env, &j->data, j->data.bags, &j->explained, j->importance);
    if (status != SOOTH_OK) return status;
    return study_validate_power(env, &j->data, j->unseen_ms + (size_t)STUDY_CHOSEN * j->data.bags,
                                j->about.cap_w, &j->power, &j->power_model);
}

static void describe_runs(job *j) {
    for (size_t i = 0; i < j->r.placements; ++i) describe_bag(&j->r.placed[i], &j->run[i]);
}

/* Decides which of the waiting jobs run next to each other. */
static sooth_status decide(job *j) {
    sooth_status status = SOOTH_OK;
    describe_runs(j);
    if (j->asked.check || !j->r.placements) placement_begin(&j->data, &j->placed);
    else status = placement_recall(&j->env, &j->data, j->run, j->r.placements, &j->placed);
    if (status != SOOTH_OK) return status;
    return placement_decide(&j->env, &j->data, &j->model, j->row, j->data.bags, &j->placed);
}

/* Runs the last bags only now, and the decision. */
static sooth_status check(job *j) {
    sooth_env *env = &j->env;
    sooth_status status = SOOTH_OK;
    if (j->asked.check) {
        status = j->asked.recorded ? measure_start(env, &j->s, j->r.cores, j->asked.seed)
                                   : measure_last(env, &j->s, &j->r);
        if (status == SOOTH_OK) status = measure_placement(env, &j->s, &j->placed, &j->r);
        if (status != SOOTH_OK) return status;
        measure_end(&j->s, &j->about);
        describe_runs(j);
    }
    return j->r.placements ? placement_check(env, j->run, j->r.placements, &j->placed) : SOOTH_OK;
}

/* The page shows the bags of the validation. The held-out ones have their own table. */
static void fill_page(const job *j, page_content *content) {
    memset(content, 0, sizeof *content);
    content->facts.machine = j->asked.recorded ? j->about.machine : ""; /* otherwise it is in the origin */
    content->facts.contention = j->about.contention;
    content->facts.counters = j->about.counters;
    content->facts.origin = j->about.origin;
    content->data = &j->data;
    content->score = j->score;
    content->unseen_ms = j->unseen_ms;
    content->per_workload = j->per_workload;
    content->model = &j->model;
    content->importance = j->importance;
    content->explained = j->explained;
    content->validated = j->r.bags - j->r.held_out;
    content->held_out = j->r.held_out;
    content->placed = &j->placed;
    content->power = &j->power;
    content->power_model = &j->power_model;
    content->cap_w = j->about.cap_w;
    content->fought = j->r.found.tried ? &j->r.fought : NULL;
    content->line = j->r.line;
    content->lines = j->r.lines;
}

static sooth_status report(job *j) {
    page_content content;
    clear_progress();
    describe(j->r.card, j->r.bag, j->r.bags, j->r.cores, &j->room, &j->data);
    tell_scores(j->score);
    tell_power(&j->power);
    tell_importances(j->explained, j->importance);
    double held = tell_held_out(&j->data, &j->model, j->power.bags ? &j->power_model : NULL, j->about.cap_w,
                                j->r.held_out);
    printf("Mean absolute error of these: %.1f %%. Model: %s, %u bytes.\n"
           "It applies %.0f %% of its correction of no migration to pairs, %.0f %% to more.\n",
           held, study_form_of(j->model.scheme)->name, study_kept(&j->model)->head.size,
           100 * j->model.keep[0], 100 * j->model.keep[1]);
    tell_placement(&j->data, &j->placed);
    if (j->asked.check)
        printf("%s: below 2 %% this machine was quiet, above it expect other figures next time.\n",
               j->about.origin);
    fill_page(j, &content);
    unsigned files = 1u << MODEL_FILE | 1u << PAGE_FILE | 1u << DRAWING_FILE;
    if (j->r.found.tried) files |= 1u << HEAT_FILE;
    if (j->r.lines) files |= 1u << LINES_FILE;
    if (scaling_has_energy(j->r.line, j->r.lines)) files |= 1u << ENERGY_FILE;
    for (int k = j->asked.recorded ? PLACEMENT_FILE : CARDS_FILE; k < FILES && j->asked.check; ++k)
        files |= 1u << k;
    return write_outputs(&j->env, j->asked.out, &content, &j->r, files);
}

static void tell_drawn(const char *out, int which) { printf("  drawn: %s/%s\n", out, file_name[which]); }

/* Only what programs fight over. */
static int only_contention(job *j) {
    sooth_status status = measure_start(&j->env, &j->s, j->asked.cores, j->asked.seed);
    if (status == SOOTH_OK) status = measure_fought(&j->env, &j->s, &j->r, &j->about);
    measure_close(j->s.m);
    if (status == SOOTH_OK)
        status = write_outputs(&j->env, j->asked.out, NULL, &j->r, 1u << HEAT_FILE | 1u << CONTENTION_FILE);
    if (status != SOOTH_OK) return fail(&j->env, status);
    tell_drawn(j->asked.out, HEAT_FILE);
    return DONE;
}

int main(int count, char **word) {
    static job j;
    static sooth_threads pool;
    struct sigaction action;
    int ended = read_arguments(count, word, &j.asked);
    if (ended >= 0) return ended;
    sooth_env_init(&j.env);
    j.env.progress_fn = stop_when_interrupted;
    j.s.seconds = j.asked.seconds;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (j.asked.contention) return only_contention(&j);
    sooth_status status = measure_or_read(&j);
    if (status == SOOTH_OK) status = sooth_threads_start(&j.env, &pool, 0);
    if (status == SOOTH_OK) status = learn(&j);
    if (status == SOOTH_OK) status = decide(&j);
    sooth_threads_stop(&pool);
    if (status == SOOTH_OK) status = check(&j);
    measure_close(j.s.m);
    if (status == SOOTH_OK) status = report(&j);
    study_free(&j.env, &j.model);
    study_free(&j.env, &j.power_model);
    if (status != SOOTH_OK) return fail(&j.env, status);
    printf("\n"
           "%s/report.html shows it in pictures. The model and the measurements are next to it.\n",
           j.asked.out);
    if (j.r.found.tried) tell_drawn(j.asked.out, HEAT_FILE);
    if (j.r.lines) tell_drawn(j.asked.out, LINES_FILE);
    if (scaling_has_energy(j.r.line, j.r.lines)) tell_drawn(j.asked.out, ENERGY_FILE);
    return DONE;
}
