/* record.c - see record.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sooth/csv.h"

static const char *const micro_name[STAGE_MICROS] = {"low", "medium", "high"};
static const char *const counter_name[COUNTERS] = {"instructions", "cycles", "llc_misses", "branches"};

/* ---- files that appear whole or not at all ---- */

static void path_of(char path[4096], const char *folder, const char *name, int temporary) {
    snprintf(path, 4096, "%.3000s/%s%.200s", folder, temporary ? "." : "", name);
}

FILE *record_open(sooth_env *env, const char *folder, const char *name) {
    char path[4096];
    FILE *file;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot make the folder %s: %s", folder, strerror(errno));
        return NULL;
    }
    path_of(path, folder, name, 1);
    file = fopen(path, "wb");
    if (!file) stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s/%s: %s", folder, name, strerror(errno));
    return file;
}

sooth_status record_close(sooth_env *env, FILE *file, const char *folder, const char *name) {
    char from[4096], to[4096];
    int failed = ferror(file);
    path_of(from, folder, name, 1);
    path_of(to, folder, name, 0);
    failed |= fclose(file) != 0;
    if (!failed && rename(from, to) == 0) return SOOTH_OK;
    stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s/%s: %s", folder, name, strerror(errno));
    unlink(from);
    return SOOTH_BAD_ARGUMENT;
}

/* ---- writing ---- */

static void put(FILE *file, double value) {
    if (isfinite(value)) fprintf(file, ",%.6g", value);
    else fputc(',', file);
}

static const char *workload_of(stage_task task) { return workloads[task.workload].name; }
static const char *size_of(stage_task task) { return workloads[task.workload].size[task.size].label; }

static sooth_status write_cards(sooth_env *env, const char *folder, const record *from) {
    FILE *file = record_open(env, folder, "instances.csv");
    size_t i, k;
    if (!file) return SOOTH_BAD_ARGUMENT;
    fprintf(file, "workload,size,bytes,units,alone_ms,alone_spread");
    for (k = 0; k < STAGE_MICROS; ++k)
        fprintf(file, ",slowdown_%s,slowdown_%s_spread,rate_%s,rate_%s_spread,fairness_%s", micro_name[k], micro_name[k], micro_name[k],
                micro_name[k], micro_name[k]);
    for (k = 0; k < COUNTERS; ++k) fprintf(file, ",%s", counter_name[k]);
    fprintf(file, ",repetitions\n");
    for (i = 0; i < from->cards; ++i) {
        const measure_card *c = &from->card[i];
        fprintf(file, "%s,%s,%lu,%llu", workload_of(c->task), size_of(c->task), (unsigned long)c->bytes, (unsigned long long)c->units);
        put(file, c->alone_ms.value);
        put(file, c->alone_ms.spread);
        for (k = 0; k < STAGE_MICROS; ++k) {
            put(file, c->slowdown[k].value);
            put(file, c->slowdown[k].spread);
            put(file, c->rate[k].value);
            put(file, c->rate[k].spread);
            put(file, c->fairness[k]);
        }
        for (k = 0; k < COUNTERS; ++k) put(file, c->count[k]);
        fprintf(file, ",%u\n", (unsigned)c->repetitions);
    }
    return record_close(env, file, folder, "instances.csv");
}

static sooth_status write_bags(sooth_env *env, const char *folder, const record *from) {
    FILE *file = record_open(env, folder, "bags.csv");
    size_t i, k;
    if (!file) return SOOTH_BAD_ARGUMENT;
    fprintf(file, "bag,tasks");
    for (k = 1; k <= STAGE_TASKS; ++k)
        fprintf(file, ",workload_%u,size_%u,alone_ms_%u,shared_ms_%u,slowdown_%u", (unsigned)k, (unsigned)k, (unsigned)k, (unsigned)k, (unsigned)k);
    fprintf(file, ",bag_ms,bag_spread,repetitions,cores,held_out\n");
    for (i = 0; i < from->bags; ++i) {
        const measure_bag *b = &from->bag[i];
        fprintf(file, "%u,%u", (unsigned)(i + 1), (unsigned)b->tasks);
        for (k = 0; k < STAGE_TASKS; ++k) {
            if (k >= b->tasks) {
                fprintf(file, ",,,,,");
                continue;
            }
            fprintf(file, ",%s,%s", workload_of(b->member[k].task), size_of(b->member[k].task));
            put(file, b->member[k].alone_ms);
            put(file, b->member[k].shared_ms);
            put(file, b->member[k].slowdown);
        }
        put(file, b->bag_ms.value);
        put(file, b->bag_ms.spread);
        fprintf(file, ",%u,%u,%d\n", (unsigned)b->repetitions, (unsigned)from->cores, i + from->held_out >= from->bags);
    }
    return record_close(env, file, folder, "bags.csv");
}

sooth_status record_write(sooth_env *env, const char *folder, const record *from) {
    sooth_status status = write_cards(env, folder, from);
    return status == SOOTH_OK ? write_bags(env, folder, from) : status;
}

/* ---- reading ---- */

static sooth_status read_csv(sooth_env *env, const char *folder, const char *name, sooth_csv *csv) {
    enum { MOST = 16 << 20 };
    char path[4096], *text = (char *)malloc(MOST), sentence[SOOTH_SENTENCE];
    FILE *file;
    size_t size;
    sooth_status status;
    path_of(path, folder, name, 0);
    file = fopen(path, "rb");
    if (!file || !text) {
        free(text);
        if (file) fclose(file);
        return stage_fail(env, SOOTH_BAD_TEXT, "cannot read %s: %s", path, strerror(errno));
    }
    size = fread(text, 1, MOST, file);
    fclose(file);
    status = sooth_csv_read(env, text, size, ',', csv);
    free(text);
    if (status != SOOTH_OK) {
        memcpy(sentence, env->sentence, sizeof sentence);
        stage_fail(env, status, "%.90s: %.150s", path, sentence);
    }
    return status;
}

/* The cell of a named column; NaN when there is none. */
static double cell(const sooth_csv *csv, size_t row, const char *name) {
    size_t j = sooth_csv_find(csv, name);
    return j < csv->cols ? (double)csv->cell[row * csv->cols + j] : NAN;
}

static double numbered(const sooth_csv *csv, size_t row, const char *name, const char *which) {
    char full[64];
    snprintf(full, sizeof full, name, which);
    return cell(csv, row, full);
}

static const char *text_of(const sooth_csv *csv, size_t row, const char *name) {
    size_t j = sooth_csv_find(csv, name);
    float v;
    if (j >= csv->cols) return "";
    v = csv->cell[row * csv->cols + j];
    if (!csv->column[j].is_text || v != v) return "";
    return csv->column[j].text[(size_t)v];
}

/* Finds the task by its names; labels of sizes may be plain numbers, which the reader has turned into one. */
static int find_task(const sooth_csv *csv, size_t row, const char *workload, const char *size, stage_task *task) {
    const char *name = text_of(csv, row, workload), *label = text_of(csv, row, size);
    char number[SOOTH_NUMBER_TEXT];
    uint32_t w, s;
    if (!*label) {
        sooth_text_from_float(number, (float)cell(csv, row, size));
        label = number;
    }
    for (w = 0; w < WORKLOADS; ++w)
        for (s = 0; s < WORKLOAD_SIZES; ++s)
            if (strcmp(workloads[w].name, name) == 0 && strcmp(workloads[w].size[s].label, label) == 0) {
                task->workload = w;
                task->size = s;
                return 1;
            }
    return 0;
}

static sooth_status read_cards(sooth_env *env, const char *folder, record *to) {
    sooth_csv csv;
    size_t i, k;
    sooth_status status = read_csv(env, folder, "instances.csv", &csv);
    if (status != SOOTH_OK) return status;
    for (i = 0; i < csv.rows && status == SOOTH_OK; ++i) {
        measure_card *c;
        stage_task task;
        if (!find_task(&csv, i, "workload", "size", &task)) {
            status = stage_fail(env, SOOTH_BAD_TEXT, "instances.csv, line %u: there is no such workload and size", (unsigned)csv.line[i]);
            break;
        }
        c = &to->card[task.workload * WORKLOAD_SIZES + task.size];
        c->task = task;
        c->bytes = (size_t)cell(&csv, i, "bytes");
        c->units = (uint64_t)cell(&csv, i, "units");
        c->alone_ms.value = cell(&csv, i, "alone_ms");
        c->alone_ms.spread = cell(&csv, i, "alone_spread");
        for (k = 0; k < STAGE_MICROS; ++k) {
            c->slowdown[k].value = numbered(&csv, i, "slowdown_%s", micro_name[k]);
            c->slowdown[k].spread = numbered(&csv, i, "slowdown_%s_spread", micro_name[k]);
            c->rate[k].value = numbered(&csv, i, "rate_%s", micro_name[k]);
            c->rate[k].spread = numbered(&csv, i, "rate_%s_spread", micro_name[k]);
            c->fairness[k] = numbered(&csv, i, "fairness_%s", micro_name[k]);
            if (!(c->alone_ms.value > 0) || !(c->slowdown[k].value > 0) || !(c->rate[k].value > 0))
                status = stage_fail(env, SOOTH_BAD_TEXT, "instances.csv, line %u: times and rates must be above 0", (unsigned)csv.line[i]);
        }
        for (k = 0; k < COUNTERS; ++k) c->count[k] = cell(&csv, i, counter_name[k]);
        ++to->cards;
    }
    sooth_csv_free(env, &csv);
    if (status == SOOTH_OK && to->cards != MEASURE_TASKS)
        status = stage_fail(env, SOOTH_BAD_TEXT, "instances.csv has %u tasks, but there are %u", (unsigned)to->cards, (unsigned)MEASURE_TASKS);
    return status;
}

static sooth_status read_bags(sooth_env *env, const char *folder, record *to) {
    static const char *const digit[STAGE_TASKS] = {"1", "2", "3", "4", "5"};
    sooth_csv csv;
    size_t i, k;
    sooth_status status = read_csv(env, folder, "bags.csv", &csv);
    if (status != SOOTH_OK) return status;
    for (i = 0; i < csv.rows && i < MEASURE_MOST_BAGS && status == SOOTH_OK; ++i) {
        measure_bag *b = &to->bag[i];
        double tasks = cell(&csv, i, "tasks");
        b->tasks = tasks >= 2 && tasks <= STAGE_TASKS ? (uint32_t)tasks : 0;
        for (k = 0; k < b->tasks; ++k) {
            measure_member *m = &b->member[k];
            char workload[16], size[16];
            snprintf(workload, sizeof workload, "workload_%s", digit[k]);
            snprintf(size, sizeof size, "size_%s", digit[k]);
            if (!find_task(&csv, i, workload, size, &m->task)) b->tasks = 0;
            m->alone_ms = numbered(&csv, i, "alone_ms_%s", digit[k]);
            m->shared_ms = numbered(&csv, i, "shared_ms_%s", digit[k]);
            m->slowdown = numbered(&csv, i, "slowdown_%s", digit[k]);
            if (!(m->alone_ms > 0)) b->tasks = 0;
        }
        b->bag_ms.value = cell(&csv, i, "bag_ms");
        b->bag_ms.spread = cell(&csv, i, "bag_spread");
        b->repetitions = (uint32_t)cell(&csv, i, "repetitions");
        to->cores = (uint32_t)cell(&csv, i, "cores");
        to->held_out += cell(&csv, i, "held_out") > 0;
        if (!b->tasks || !(b->bag_ms.value > 0) || to->cores == 0)
            status = stage_fail(env, SOOTH_BAD_TEXT, "bags.csv, line %u: needs 2 to %d known tasks and times above 0", (unsigned)csv.line[i], STAGE_TASKS);
        ++to->bags;
    }
    sooth_csv_free(env, &csv);
    return status;
}

sooth_status record_read(sooth_env *env, const char *folder, record *to) {
    sooth_status status;
    memset(to, 0, sizeof *to);
    status = read_cards(env, folder, to);
    return status == SOOTH_OK ? read_bags(env, folder, to) : status;
}
