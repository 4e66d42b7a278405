/* launches.c - from a log to corrected predictions: categories, programs, intervals, updates online.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -ffp-contract=off -Iinclude examples/hosts/launches.c -o launches -lm && ./launches
 *
 * The log has the watts of 13 programs at two memory clocks and 16 core clocks of a GPU
 * (../scale/data/origin.txt). The memory clock is a category. The program fft is taken out of the log and
 * arrives later, as a program that nobody has run. In your own program: take the parts marked (1) to (6).
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "sooth/files.h"
#include "sooth/train.h"
#include <math.h>
#include <stdlib.h>

enum { MEMORY, CORE, FEATURES, MOST = 1024 }; /* columns of a row; rows of the log */
static sooth_env env;

static void need(sooth_status status) {
    if (status == SOOTH_OK) return;
    puts(env.sentence);
    exit(1);
}

/* (1) A table of numbers, with programs as groups. */
static void read_log(const char *path, sooth_csv *csv, sooth_csv_data *log) {
    static const char *const feature[FEATURES] = {"mem_mhz", "core_mhz"};
    sooth_csv_table_options roles = {.features = feature, .feature_count = FEATURES, .target = "power_w"};
    sooth_file file;
    roles.categorical = feature;
    roles.categorical_count = 1; /* the first of them */
    roles.group = "program";
    need(sooth_file_read(&env, path, &file));
    need(sooth_csv_read(&env, file.bytes, file.size, NULL, csv));
    need(sooth_csv_table(&env, csv, &roles, log));
}

/* The rows of one program, or those of all others. */
static sooth_table rows_of(const sooth_csv_data *log, const char *program, int own) {
    static uint32_t row[MOST];
    sooth_table some;
    size_t count = 0;
    for (uint32_t i = 0; i < log->table.rows; ++i)
        if ((strcmp(log->group_name[log->table.group[i]], program) == 0) == own) row[count++] = i;
    need(sooth_table_take(&env, &log->table, row, count, &some));
    return some;
}

int main(void) {
    static sooth_csv csv;
    static sooth_csv_data log;
    static float codes[MOST * FEATURES], memory[8192];
    static const size_t launch[] = {0, 31, 15, 16}; /* of fft, in the order in which they end */
    float scratch[FEATURES];
    sooth_adapted answer;
    sooth_model_parts parts;
    sooth_levels *levels;
    sooth_model *model;
    sooth_env_init(&env);
    read_log("examples/scale/data/titanx.csv", &csv, &log);

    /* (2) Categories become codes. Their dictionary goes into the model. */
    if (log.table.rows > MOST) return puts("the log is too long"), 1;
    need(sooth_levels_fit(&env, &log.table, log.categorical, log.text, NULL, codes, &levels));
    log.table.x = codes;
    log.table.stride = FEATURES;

    /* (3) A model, with an interval for programs that are not in the log. */
    const sooth_table past = rows_of(&log, "fft", 0), fft = rows_of(&log, "fft", 1);
    static const char words[] = "boost transform=log-target encode=target interval=0.9";
    sooth_train_recipe recipe;
    need(sooth_train_recipe_read(&env, words, strlen(words), &recipe));
    recipe.levels = levels;
    need(sooth_train_fit(&env, &past, &recipe, &model));
    sooth_model_open(model, &parts);
    printf("%zu launches of %u programs\n", past.rows, parts.interval->claim.groups);
    //> 384 launches of 12 programs

    /* (4) A program that nobody has run, and (5) its launches: each that ends corrects the next answers. */
    sooth_adapt_program *program = parts.adapt ? sooth_adapt_begin(parts.adapt, memory, sizeof memory) : NULL;
    if (!program) return puts("the model does not adapt, or needs more memory"), 1;
    for (size_t ended = 0; ended <= 4; ++ended) {
        double off = 0, width = 0;
        int held = 0;
        for (size_t i = 0; i < fft.rows; ++i) {
            sooth_model_adapted(model, program, fft.x + i * fft.stride, scratch, &answer);
            off += fabs((double)(answer.value / fft.y[i]) - 1) / (double)fft.rows;
            width += (double)(answer.high / answer.low) / (double)fft.rows;
            held += fft.y[i] >= answer.low && fft.y[i] <= answer.high;
        }
        printf("%zu ended: off by %.1f %%, interval x %.1f, holds %d of %zu\n", ended, 100 * off, width, held,
               fft.rows);
        const size_t i = launch[ended % 4];
        sooth_model_observe(model, program, fft.x + i * fft.stride, fft.y[i], scratch);
    }
    //> 0 ended: off by 21.7 %, interval x 2.5, holds 32 of 32
    //> 1 ended: off by 22.0 %, interval x 7.7, holds 32 of 32
    //> 2 ended: off by 5.7 %, interval x 2.0, holds 32 of 32
    //> 3 ended: off by 6.0 %, interval x 1.7, holds 32 of 32
    //> 4 ended: off by 3.8 %, interval x 1.4, holds 32 of 32

    /* (6) A memory clock that no launch had. */
    const float row[FEATURES] = {sooth_levels_code(levels, MEMORY, "4000", 4), fft.x[CORE]};
    sooth_model_adapted(model, program, row, scratch, &answer);
    puts(answer.trust == SOOTH_MODEL_TRUST_OUTSIDE ? "4000 MHz is outside" : "4000 MHz is known");
    //> 4000 MHz is outside
    return 0;
}
