/* replay.c - recorded times, disturbed, passed one by one to StarPU's own history model and to sooth.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/starpu/replay data/gemm_192.csv
 *
 * No task runs. starpu_perfmodel_update_history takes the times as if StarPU had measured them, so the
 * answers are the same on every machine. The times are of one kernel and size in a row, on each device, 400
 * each (kernel, n, device, microseconds). The truth is their median.
 *
 *     spikes   one time in 200, drawn again in each of 50 rounds, is 100 times as long
 *     late     the first 12 are 100 times as long
 *     slower   from the 201st on all are 4 times as long, and so is the truth
 *
 * It prints two values over rounds and devices. The first is the max error from the 30th time on, in per
 * cent. The second is after how many right times the answer was within a quarter of the truth (late: from the
 * 13th on, slower: from the 201st). StarPU has no answer until it has ten times that it accepts; that counts
 * as not right. A schedule is worse than this: if a device is predicted to be slow, nothing runs there, so no
 * such time ever comes.
 */
#define SOOTH_IMPLEMENTATION
#include "expected.h"
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2, TIMES = 400, ROUNDS = 50, SPIKES = 0, LATE, SLOWER, SCENES, HISTORY = 0, SOOTH, KINDS };
static const char *const scene_name[SCENES] = {"spikes", "late", "slower"};
static const char *const kind_name[KINDS] = {"history", "sooth"};
static const char *const device_name[DEVICES] = {"cpu", "opencl"};

static double recorded[DEVICES][TIMES], truth[DEVICES];
static struct starpu_perfmodel history[SCENES][DEVICES][ROUNDS];
static struct starpu_codelet codelet[SCENES][DEVICES][ROUNDS];

typedef struct outcome {
    double worst;
    int until_right;
} outcome;

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int read_times(const char *path) {
    char line[128], kernel[16], device[16];
    int n, count[DEVICES] = {0, 0};
    double us, sorted[TIMES];
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f))
        for (int d = 0; d < DEVICES; ++d)
            if (sscanf(line, "%15[^,],%d,%15[^,],%lf", kernel, &n, device, &us) == 4 &&
                strcmp(device, device_name[d]) == 0 && count[d] < TIMES)
                recorded[d][count[d]++] = us;
    fclose(f);
    for (int d = 0; d < DEVICES; ++d) {
        memcpy(sorted, recorded[d], sizeof sorted);
        qsort(sorted, TIMES, sizeof *sorted, by_value);
        truth[d] = 0.5 * (sorted[TIMES / 2 - 1] + sorted[TIMES / 2]);
    }
    return count[0] == TIMES && count[1] == TIMES;
}

static double disturbed(int scene, int device, int i, sooth_rng *rng) {
    const int struck = sooth_rng_below(rng, 200) == 0;
    const double times = scene == SPIKES && struck           ? 100.0
                         : scene == LATE && i < 12           ? 100.0
                         : scene == SLOWER && i >= TIMES / 2 ? 4.0
                                                             : 1.0;
    return times * recorded[device][i];
}

static void replay(int scene, int device, int round, starpu_data_handle_t handle, outcome o[KINDS]) {
    static expected e;
    struct starpu_perfmodel *model = &history[scene][device][round];
    struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype(0, 0);
    struct starpu_codelet *cl = &codelet[scene][device][round];
    struct starpu_task *task = starpu_task_create();
    char *name = (char *)malloc(48), path[512] = "";
    int right_since[KINDS] = {0, 0};
    const int from = scene == LATE ? 12 : scene == SLOWER ? TIMES / 2 : 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 50, (uint64_t)round);
    snprintf(name, 48, "%s_%s_%d", scene_name[scene], device_name[device], round);
    starpu_perfmodel_get_model_path(name, path, sizeof path);
    remove(path); /* left by an earlier run */
    model->type = STARPU_HISTORY_BASED;
    model->symbol = name; /* as long as StarPU runs */
    starpu_codelet_init(cl);
    cl->nbuffers = 1;
    cl->modes[0] = STARPU_RW;
    cl->model = model;
    task->cl = cl;
    task->handles[0] = handle;
    memset(&e, 0, sizeof e);
    for (int i = 0; i < TIMES; ++i) {
        const double us = disturbed(scene, device, i, &rng),
                     is = (scene == SLOWER && i >= from ? 4.0 : 1.0) * truth[device];
        double says[KINDS];
        starpu_perfmodel_update_history(model, task, arch, 0, 0, us);
        expected_observe(&e, 1, 1.0, us);
        says[HISTORY] =
            starpu_perfmodel_history_based_expected_perf(model, arch, starpu_task_data_footprint(task));
        says[SOOTH] = expected_known(&e, 1, 1.0);
        for (int kind = 0; kind < KINDS; ++kind) {
            const double error = fabs(says[kind] / is - 1.0);
            if (!(error <= 0.25)) right_since[kind] = i + 1;
            if (i >= 30 && error > o[kind].worst) o[kind].worst = error;
        }
    }
    for (int kind = 0; kind < KINDS; ++kind)
        if (right_since[kind] - from > o[kind].until_right) o[kind].until_right = right_since[kind] - from;
    task->destroy = 0;
    starpu_task_destroy(task);
}

int main(int argc, char **argv) {
    static double data[1];
    struct starpu_conf conf;
    starpu_data_handle_t handle;
    if (argc != 2 || !read_times(argv[1])) {
        fprintf(stderr, "usage: replay data/gemm_192.csv, which holds %d times of each device\n", TIMES);
        return 2;
    }
    setenv("STARPU_HOME", "build/starpu", 0);
    setenv("STARPU_PERF_MODEL_DIR", "build/starpu/replayed", 0);
    setenv("STARPU_SILENT", "1", 0);
    starpu_conf_init(&conf);
    conf.ncpus = 1;
    conf.nopencl = conf.ncuda = 0;
    if (starpu_init(&conf)) return 77;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)data, sizeof data);
    printf("%-16s %12s %12s\n", "", "worst, %", "until right");
    for (int scene = 0; scene < SCENES; ++scene) {
        outcome o[KINDS] = {{0.0, 0}, {0.0, 0}};
        for (int d = 0; d < DEVICES; ++d)
            for (int round = 0; round < (scene == SPIKES ? ROUNDS : 1); ++round)
                replay(scene, d, round, handle, o);
        for (int kind = 0; kind < KINDS; ++kind)
            printf("%-7s %-8s %12.1f %12d\n", scene_name[scene], kind_name[kind], 100.0 * o[kind].worst,
                   o[kind].until_right);
    }
    starpu_data_unregister(handle);
    starpu_shutdown();
    return 0;
}
