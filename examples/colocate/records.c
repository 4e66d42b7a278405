/* records.c - see records.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "records.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth/csv.h"

static const char *const micro_name[STAGE_MICROS] = {"low", "medium", "high"};
static const char *const counter_name[COUNTERS] = {"instructions", "cycles", "llc_misses", "branches"};

/* ---- writing ---- */

typedef struct table_file {
    const char *path;
    FILE *file;
    int cells; /* of the present row */
} table_file;

static void put_text(table_file *t, const char *text) {
    if (t->cells++) putc(',', t->file);
    fputs(text, t->file);
}

/* Six digits, which is more than a measurement has; nothing for NaN. */
static void put_number(table_file *t, double value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    text[0] = 0;
    if (!isnan(value)) sooth_text_rounded(text, value, 6);
    put_text(t, text);
}

static void put_count(table_file *t, double value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_from_double(text, value);
    put_text(t, text);
}

static void end_row(table_file *t) {
    putc('\n', t->file);
    t->cells = 0;
}

static void put_task(table_file *t, const stage_task *task) {
    put_text(t, workloads[task->workload].name);
    put_text(t, workloads[task->workload].size[task->size].label);
}

static sooth_status begin_file(sooth_env *env, table_file *t, const char *path) {
    t->path = path;
    t->cells = 0;
    t->file = fopen(path, "w");
    if (!t->file) return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", path, strerror(errno));
    return SOOTH_OK;
}

static sooth_status end_file(sooth_env *env, table_file *t) {
    int failed = ferror(t->file);
    if (fclose(t->file) != 0 || failed)
        return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s: %s", t->path, strerror(errno));
    return SOOTH_OK;
}

static void put_card(table_file *t, const measure_card *card) {
    put_task(t, &card->task);
    put_count(t, (double)card->bytes);
    put_count(t, (double)card->units);
    put_number(t, card->alone_ms.value);
    put_number(t, card->alone_ms.spread);
    for (int k = 0; k < STAGE_MICROS; ++k) {
        put_number(t, card->slowdown[k].value);
        put_number(t, card->slowdown[k].spread);
        put_number(t, card->rate[k].value);
        put_number(t, card->rate[k].spread);
        put_number(t, card->fairness[k]);
    }
    for (int k = 0; k < COUNTERS; ++k) put_number(t, card->count[k]);
    put_count(t, card->repetitions);
    end_row(t);
}

sooth_status records_write_cards(sooth_env *env, const char *path, const measure_card card[MEASURE_TASKS]) {
    static const char *const micro_column[] = {"slowdown", "slowdown_spread", "rate", "rate_spread",
                                               "fairness"};
    table_file t;
    char name[64];
    sooth_status status = begin_file(env, &t, path);
    if (status != SOOTH_OK) return status;
    put_text(&t, "workload,size,bytes,units,alone_ms,alone_spread");
    for (size_t i = 0; i < STAGE_MICROS; ++i)
        for (size_t j = 0; j < sizeof micro_column / sizeof micro_column[0]; ++j) {
            snprintf(name, sizeof name, "%s_%s", micro_name[i], micro_column[j]);
            put_text(&t, name);
        }
    for (size_t i = 0; i < COUNTERS; ++i) put_text(&t, counter_name[i]);
    put_text(&t, "repetitions");
    end_row(&t);
    for (size_t i = 0; i < MEASURE_TASKS; ++i) put_card(&t, &card[i]);
    return end_file(env, &t);
}

static void put_bag(table_file *t, size_t number, uint32_t cores, const measure_bag *bag) {
    put_count(t, (double)number);
    put_count(t, cores);
    put_count(t, bag->tasks);
    for (uint32_t i = 0; i < STAGE_TASKS; ++i) {
        const measure_member *member = &bag->member[i];
        if (i >= bag->tasks) {
            put_text(t, ",,,,");
            continue;
        }
        put_task(t, &member->task);
        put_number(t, member->alone_ms);
        put_number(t, member->shared_ms);
        put_number(t, member->slowdown);
    }
    put_number(t, bag->bag_ms.value);
    put_number(t, bag->bag_ms.spread);
    put_number(t, bag->watts);
    put_count(t, bag->repetitions);
    end_row(t);
}

sooth_status records_write_bags(sooth_env *env, const char *path, uint32_t cores, const measure_bag *bag,
                                size_t bags) {
    table_file t;
    char names[96];
    sooth_status status = begin_file(env, &t, path);
    if (status != SOOTH_OK) return status;
    put_text(&t, "bag,cores,tasks");
    for (size_t i = 1; i <= STAGE_TASKS; ++i) {
        snprintf(names, sizeof names, "workload_%zu,size_%zu,alone_ms_%zu,shared_ms_%zu,slowdown_%zu", i, i,
                 i, i, i);
        put_text(&t, names);
    }
    put_text(&t, "bag_ms,bag_spread,watts,repetitions");
    end_row(&t);
    for (size_t i = 0; i < bags; ++i) put_bag(&t, i + 1, cores, &bag[i]);
    return end_file(env, &t);
}

/* ---- reading ---- */

/* A file being read. The first error is kept in `status`. After it nothing more is read. */
typedef struct record_file {
    sooth_env *env;
    const char *path;
    sooth_csv csv;
    sooth_status status;
} record_file;

static char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL, *larger;
    size_t room = 0, got = 1;
    *size = 0;
    if (!file) return NULL;
    while (got > 0) {
        if (*size == room) {
            room = room ? 2 * room : 65536;
            larger = (char *)realloc(bytes, room);
            if (!larger) break;
            bytes = larger;
        }
        got = fread(bytes + *size, 1, room - *size, file);
        *size += got;
    }
    if (got > 0 || ferror(file)) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static sooth_status open_record(sooth_env *env, record_file *r, const char *path) {
    const sooth_csv_options commas = {.separator = ','};
    size_t size;
    char *bytes = read_all(path, &size);
    char why[SOOTH_ENV_SENTENCE];
    memset(r, 0, sizeof *r);
    r->env = env;
    r->path = path;
    if (!bytes)
        return r->status = stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot read %s: %s", path, strerror(errno));
    r->status = sooth_csv_read(env, bytes, size, &commas, &r->csv);
    free(bytes);
    if (r->status != SOOTH_OK && env) {
        snprintf(why, sizeof why, "%s", env->sentence);
        stage_fail(env, r->status, "%.100s: %.150s", path, why);
    }
    return r->status;
}

/* The column's number. A missing column is an error. */
static size_t column(record_file *r, const char *name) {
    size_t j = sooth_csv_find(&r->csv, name);
    if (j == SOOTH_NONE && r->status == SOOTH_OK)
        r->status = stage_fail(r->env, SOOTH_BAD_DATA, "%s has no column %s", r->path, name);
    return j;
}

static void wrong(record_file *r, size_t row, const char *name, const char *what) {
    if (r->status == SOOTH_OK)
        r->status =
            stage_fail(r->env, SOOTH_BAD_DATA, "%s, line %u: %s %s", r->path, r->csv.line[row], name, what);
}

/* A number; NaN if it is missing. */
static double number(record_file *r, size_t row, const char *name) {
    size_t j = column(r, name);
    if (r->status != SOOTH_OK) return (double)NAN;
    if (r->csv.column[j].is_text) wrong(r, row, name, "is not a number in every line");
    return (double)r->csv.cell[row * r->csv.cols + j];
}

/* A required number, at least this large. */
static double needed(record_file *r, size_t row, const char *name, double least) {
    double value = number(r, row, name);
    if (value >= least && value < 1e12) return value;
    wrong(r, row, name, "is missing or out of range");
    return least;
}

/* A required integer, from 1 to most. */
static uint32_t counted(record_file *r, size_t row, const char *name, uint32_t most) {
    double value = needed(r, row, name, 1.0);
    if (value <= (double)most) return (uint32_t)value;
    wrong(r, row, name, "is out of range");
    return 1;
}

static double needed_of(record_file *r, size_t row, const char *part, const char *name, double least) {
    char text[64];
    snprintf(text, sizeof text, "%s_%s", part, name);
    return needed(r, row, text, least);
}

/* The text of a cell; a size may be all digits. "" if it is missing. */
static const char *cell_text(record_file *r, size_t row, const char *name, char room[32]) {
    size_t j = column(r, name);
    float value;
    if (r->status != SOOTH_OK) return "";
    value = r->csv.cell[row * r->csv.cols + j];
    if (isnan(value)) return "";
    if (r->csv.column[j].is_text) return r->csv.column[j].text[(uint32_t)value];
    snprintf(room, 32, "%.0f", (double)value);
    return room;
}

/* The task whose workload and size are in these columns. */
static stage_task read_task(record_file *r, size_t row, const char *workload_column,
                            const char *size_column) {
    stage_task task = {0, 0};
    char room[2][32];
    const char *name = cell_text(r, row, workload_column, room[0]),
               *size = cell_text(r, row, size_column, room[1]);
    while (task.workload < WORKLOADS && strcmp(workloads[task.workload].name, name) != 0) ++task.workload;
    if (task.workload == WORKLOADS) {
        wrong(r, row, workload_column, "is not one of our workloads");
        task.workload = 0;
    }
    while (task.size < WORKLOAD_SIZES && strcmp(workloads[task.workload].size[task.size].label, size) != 0)
        ++task.size;
    if (task.size == WORKLOAD_SIZES) {
        wrong(r, row, size_column, "is not one of this workload's sizes");
        task.size = 0;
    }
    return task;
}

static void read_card(record_file *r, size_t row, measure_card card[MEASURE_TASKS]) {
    stage_task task = read_task(r, row, "workload", "size");
    measure_card *to = &card[task.workload * WORKLOAD_SIZES + task.size];
    to->task = task;
    to->bytes = (size_t)needed(r, row, "bytes", 1.0);
    to->units = (uint64_t)needed(r, row, "units", 1.0);
    to->alone_ms.value = needed(r, row, "alone_ms", 1e-6);
    to->alone_ms.spread = needed(r, row, "alone_spread", 0.0);
    for (int k = 0; k < STAGE_MICROS; ++k) {
        to->slowdown[k].value = needed_of(r, row, micro_name[k], "slowdown", 1e-6);
        to->slowdown[k].spread = needed_of(r, row, micro_name[k], "slowdown_spread", 0.0);
        to->rate[k].value = needed_of(r, row, micro_name[k], "rate", 1e-6);
        to->rate[k].spread = needed_of(r, row, micro_name[k], "rate_spread", 0.0);
        to->fairness[k] = measure_fairness(to->slowdown[k].value, to->rate[k].value);
    }
    for (int k = 0; k < COUNTERS; ++k) to->count[k] = number(r, row, counter_name[k]);
    to->repetitions = counted(r, row, "repetitions", 1000000);
}

uint32_t records_tasks(const measure_card card[MEASURE_TASKS]) {
    uint32_t tasks = MEASURE_TASKS;
    while (tasks > 0 && card[tasks - 1].repetitions == 0) --tasks;
    return tasks;
}

sooth_status records_read_cards(sooth_env *env, const char *path, measure_card card[MEASURE_TASKS]) {
    record_file r;
    memset(card, 0, MEASURE_TASKS * sizeof *card);
    if (open_record(env, &r, path) != SOOTH_OK) return r.status;
    for (size_t i = 0; i < r.csv.rows && r.status == SOOTH_OK; ++i) read_card(&r, i, card);
    size_t tasks = records_tasks(card); /* the last four workloads may be missing */
    if (tasks < WORKLOAD_SCRATCH * WORKLOAD_SIZES) tasks = WORKLOAD_SCRATCH * WORKLOAD_SIZES;
    for (size_t i = 0; i < tasks && r.status == SOOTH_OK; ++i) {
        const workload *w = &workloads[i / WORKLOAD_SIZES];
        if (card[i].repetitions == 0)
            r.status = stage_fail(env, SOOTH_BAD_DATA, "%s has no line for %s %s", path, w->name,
                                  w->size[i % WORKLOAD_SIZES].label);
    }
    for (size_t i = tasks; i % WORKLOAD_SIZES && r.status == SOOTH_OK; ++i) /* all sizes or none */
        r.status = stage_fail(env, SOOTH_BAD_DATA, "%s has no line for %s %s", path,
                              workloads[i / WORKLOAD_SIZES].name,
                              workloads[i / WORKLOAD_SIZES].size[i % WORKLOAD_SIZES].label);
    sooth_csv_free(env, &r.csv);
    return r.status;
}

static void read_member(record_file *r, size_t row, uint32_t which, measure_member *member) {
    char name[5][32];
    static const char *const part[5] = {"workload", "size", "alone_ms", "shared_ms", "slowdown"};
    for (int k = 0; k < 5; ++k) snprintf(name[k], sizeof name[k], "%s_%u", part[k], which);
    member->task = read_task(r, row, name[0], name[1]);
    member->alone_ms = needed(r, row, name[2], 1e-6);
    member->shared_ms = needed(r, row, name[3], 1e-6);
    member->slowdown = needed(r, row, name[4], 1e-6);
}

static void read_bag(record_file *r, size_t row, measure_bag *bag) {
    memset(bag, 0, sizeof *bag);
    bag->tasks = counted(r, row, "tasks", STAGE_TASKS);
    for (uint32_t i = 0; i < bag->tasks && r->status == SOOTH_OK; ++i)
        read_member(r, row, i + 1, &bag->member[i]);
    bag->bag_ms.value = needed(r, row, "bag_ms", 1e-6);
    bag->bag_ms.spread = needed(r, row, "bag_spread", 0.0);
    bag->watts = sooth_csv_find(&r->csv, "watts") < r->csv.cols ? number(r, row, "watts") : (double)NAN;
    if (bag->watts < 0.0) wrong(r, row, "watts", "is below 0");
    bag->repetitions = counted(r, row, "repetitions", 1000000);
}

sooth_status records_read_bags(sooth_env *env, const char *path, measure_bag *bag, size_t most, size_t *bags,
                               uint32_t *cores) {
    record_file r;
    *bags = 0;
    *cores = 0;
    if (open_record(env, &r, path) != SOOTH_OK) return r.status;
    if (r.csv.rows > most)
        r.status = stage_fail(env, SOOTH_BAD_DATA, "%s has %zu bags, but the capacity is %zu", path,
                              r.csv.rows, most);
    for (size_t i = 0; i < r.csv.rows && r.status == SOOTH_OK; ++i) {
        read_bag(&r, i, &bag[i]);
        *cores = counted(&r, i, "cores", 1000000);
    }
    if (r.status == SOOTH_OK) *bags = r.csv.rows;
    sooth_csv_free(env, &r.csv);
    return r.status;
}

sooth_status records_check_bags(sooth_env *env, const char *path, const measure_card card[MEASURE_TASKS],
                                const measure_bag *bag, size_t bags) {
    for (size_t i = 0; i < bags; ++i)
        for (uint32_t k = 0; k < bag[i].tasks; ++k) {
            const stage_task task = bag[i].member[k].task;
            if (card[task.workload * WORKLOAD_SIZES + task.size].repetitions > 0) continue;
            return stage_fail(env, SOOTH_BAD_DATA, "%s has a bag with %s %s, but there is no card of it",
                              path, workloads[task.workload].name,
                              workloads[task.workload].size[task.size].label);
        }
    return SOOTH_OK;
}

sooth_status records_read(sooth_env *env, const char *folder, measure_card card[MEASURE_TASKS],
                          measure_bag *bag, size_t most, size_t *bags, uint32_t *cores) {
    char path[2048];
    snprintf(path, sizeof path, "%.1800s/instances.csv", folder);
    sooth_status status = records_read_cards(env, path, card);
    if (status != SOOTH_OK) return status;
    snprintf(path, sizeof path, "%.1800s/bags.csv", folder);
    status = records_read_bags(env, path, bag, most, bags, cores);
    return status == SOOTH_OK ? records_check_bags(env, path, card, bag, *bags) : status;
}

/* ---- contention and scaling ---- */

sooth_status records_write_contention(sooth_env *env, const char *path, const contend *c) {
    table_file t;
    sooth_status status = begin_file(env, &t, path);
    if (status != SOOTH_OK) return status;
    put_text(&t, "slowed,beside,cores,slowdown,lower_quartile,noise,present,repetitions");
    end_row(&t);
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            const contend_cell *cell = &c->cell[k][j];
            if (cell->repetitions == 0) continue;
            put_text(&t, pressure_word(k));
            put_text(&t, pressure_word(j));
            put_count(&t, c->cores);
            put_number(&t, cell->slowdown);
            put_number(&t, cell->low);
            put_number(&t, cell->noise);
            put_number(&t, cell->present);
            put_count(&t, cell->repetitions);
            end_row(&t);
        }
    return end_file(env, &t);
}

static uint32_t read_kind(record_file *r, size_t row, const char *name) {
    char room[32];
    const char *word = cell_text(r, row, name, room);
    uint32_t kind = 0;
    while (kind < PRESSURES && strcmp(pressure_word(kind), word) != 0) ++kind;
    if (kind < PRESSURES) return kind;
    wrong(r, row, name, "is nothing that we know programs to fight over");
    return 0;
}

sooth_status records_read_contention(sooth_env *env, const char *path, contend *c) {
    record_file r;
    memset(c, 0, sizeof *c);
    if (open_record(env, &r, path) != SOOTH_OK) return r.status;
    for (size_t i = 0; i < r.csv.rows && r.status == SOOTH_OK; ++i) {
        const uint32_t k = read_kind(&r, i, "slowed"), j = read_kind(&r, i, "beside");
        contend_cell *cell = &c->cell[k][j];
        c->cores = counted(&r, i, "cores", 1000000);
        cell->slowdown = needed(&r, i, "slowdown", 1e-6);
        cell->low = needed(&r, i, "lower_quartile", 1e-6);
        cell->noise = needed(&r, i, "noise", 1e-6);
        cell->present = needed(&r, i, "present", 0.0);
        cell->repetitions = counted(&r, i, "repetitions", 1000000);
    }
    sooth_csv_free(env, &r.csv);
    return r.status;
}

sooth_status records_write_scaling(sooth_env *env, const char *path, const scaling_line *line, size_t lines,
                                   uint32_t cores) {
    table_file t;
    sooth_status status = begin_file(env, &t, path);
    if (status != SOOTH_OK) return status;
    put_text(&t, "workload,size,cores,instances,ms,spread,core_share,joules,repetitions");
    end_row(&t);
    for (size_t i = 0; i < lines; ++i)
        for (uint32_t s = 0; s < line[i].steps; ++s) {
            put_task(&t, &line[i].task);
            put_count(&t, cores);
            put_count(&t, scaling_instances(s));
            put_number(&t, line[i].ms[s]);
            put_number(&t, line[i].spread[s]);
            put_number(&t, line[i].share[s]);
            put_number(&t, line[i].joules[s]);
            put_count(&t, line[i].repetitions[s]);
            end_row(&t);
        }
    return end_file(env, &t);
}

sooth_status records_read_scaling(sooth_env *env, const char *path, scaling_line line[SCALING_PROGRAMS],
                                  size_t *lines, uint32_t *cores) {
    record_file r;
    memset(line, 0, SCALING_PROGRAMS * sizeof *line);
    *lines = 0;
    *cores = 1;
    if (open_record(env, &r, path) != SOOTH_OK) return r.status;
    for (size_t i = 0; i < r.csv.rows && r.status == SOOTH_OK; ++i) {
        const uint32_t instances = counted(&r, i, "instances", 1000000);
        const stage_task task = read_task(&r, i, "workload", "size");
        scaling_line *to = *lines ? &line[*lines - 1] : NULL;
        if (instances == 1 && *lines == SCALING_PROGRAMS) {
            wrong(&r, i, "workload", "is one program more than the capacity");
            break;
        }
        if (instances == 1) {
            to = &line[(*lines)++];
            to->task = task;
        }
        if (!to || to->task.workload != task.workload || to->task.size != task.size ||
            to->steps == SCALING_STEPS || instances != scaling_instances(to->steps)) {
            wrong(&r, i, "instances", "is not the next of 1, 2, 4, 8, 16 of one program");
            break;
        }
        *cores = counted(&r, i, "cores", 1000000);
        to->ms[to->steps] = needed(&r, i, "ms", 1e-6);
        to->spread[to->steps] = needed(&r, i, "spread", 0.0);
        to->share[to->steps] = needed(&r, i, "core_share", 0.0);
        to->joules[to->steps] = number(&r, i, "joules");
        to->repetitions[to->steps++] = counted(&r, i, "repetitions", 1000000);
    }
    sooth_csv_free(env, &r.csv);
    return r.status;
}
