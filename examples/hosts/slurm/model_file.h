/* model_file.h - a model file that others write and a daemon predicts with: loads new files, rejects broken
 * ones.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     static const char *const names[] = {"limit", "tasks"};    // the known values of a job
 *     static model_file times = {.names = names, .count = 2};
 *     const char *why;
 *     if (model_file_look(&times, path, &why) < 0) log(why);    // as often as you like
 *     if (times.model) model_file_ask(&times, values, &answer); // values[i] belongs to names[i]
 *
 * Independent of the host. One thread at a time: the host's lock, or see slot.h. The writer of the file
 * writes under another name and renames, as `sooth fit` does.
 */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#define SOOTH_STATIC
#define SOOTH_PREDICT_ONLY
#include "sooth/model.h"

enum { MODEL_FILE_NAMES = 16 };

typedef struct model_file {
    const char *const *names;
    uint32_t count;                /* of them, at most MODEL_FILE_NAMES */
    uint32_t is[MODEL_FILE_NAMES]; /* feature j of the model is names[is[j]] */
    sooth_model *model;            /* the present one; NULL: none yet */
    struct stat seen;              /* the file when it was last looked at, */
    int looked;                    /* if it was */
} model_file;

/* Why these bytes are not a model for this host. NULL: they are, and is[] maps values to its rows. */
static const char *model_file_lacks(const model_file *f, const sooth_model *m, size_t size, uint32_t *is) {
    const char *why = sooth_model_why(m, size);
    if (why) return why;
    if (m->head.features > MODEL_FILE_NAMES || m->head.targets != 1 ||
        sooth_model_map(m, f->names, f->count, is) > 0)
        return "it wants what is not known of a job";
    return sooth_model_conformal(m, 0) ? NULL : "it has no interval";
}

/* 1: the file is new, and its model is loaded. -1: it is new, but rejected for the reason *why, and the
   old model stays. 0: unchanged. */
static int model_file_look(model_file *f, const char *path, const char **why) {
    uint32_t is[MODEL_FILE_NAMES];
    sooth_model *next = NULL;
    struct stat now;
    FILE *file = fopen(path, "rb");
    *why = NULL;
    if (!file || fstat(fileno(file), &now)) memset(&now, 0, sizeof now), *why = "it cannot be read";
    const int same = f->looked && now.st_dev == f->seen.st_dev && now.st_ino == f->seen.st_ino &&
                     now.st_size == f->seen.st_size && now.st_mtim.tv_sec == f->seen.st_mtim.tv_sec &&
                     now.st_mtim.tv_nsec == f->seen.st_mtim.tv_nsec;
    f->seen = now, f->looked = 1;
    if (!same && !*why) {
        const size_t size = (size_t)now.st_size;
        next = size <= 1 << 28 ? (sooth_model *)malloc(size + 1) : NULL;
        *why = next ? model_file_lacks(f, next, fread(next, 1, size, file), is) : "there is no memory for it";
    }
    if (file) fclose(file);
    if (same || *why) return free(next), same ? 0 : -1;
    free(f->model);
    f->model = next;
    memcpy(f->is, is, sizeof is);
    return 1;
}

/* The prediction of a row with its interval and trust. */
static void model_file_ask(const model_file *f, const float *values, sooth_adapted *answer) {
    float row[MODEL_FILE_NAMES], scratch[MODEL_FILE_NAMES];
    for (uint32_t j = 0; j < f->model->head.features; ++j) row[j] = values[f->is[j]];
    sooth_model_interval(f->model, row, scratch, answer);
}

#endif
