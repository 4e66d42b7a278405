/* cholesky.c - StarPU's history model and sooth schedule the same factorisations, with the same disturbances.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/starpu/cholesky [--tiles 8] [--size 192] [--pairs 15] [SCENE...]
 *     build/starpu/cholesky --files FOLDER HOST ...   sooth begins with sampling files, KERNEL_nl.HOST
 *     build/starpu/cholesky --sample      runs every kernel in every size on every worker, for its files
 *
 * Both sets of models begin empty in each scene. A pair is the same factorisation once with each, in turn
 * first. StarPU continues to calibrate its history throughout. The scenes:
 *
 *     quiet    without disturbances
 *     spikes   one task in 200 sleeps until it took 100 times as long
 *     late     in the first two pairs gemm takes 100 times as long on OpenCL, as in StarPU's issue 50
 *     slower   after a third of the pairs OpenCL takes 4 times as long, until the end
 *
 * The truth is the median of quiet runs of each kernel on each worker, before all scenes (times 4 once it is
 * slower). A decision is wrong if, by the truth, another worker would have finished the task in two thirds of
 * the time from its push. This includes the tasks pushed before it that had not ended. Printed values are
 * medians over pairs, `early` over the first third, `then` over the last. The makespan of the decisions by
 * the truth is printed too. If others use the machine, the measured makespan is mostly waiting for a
 * processor.
 */
#define SOOTH_IMPLEMENTATION
#include "samples.h"
#include "sooth_starpu.h"
#include "tiles.h"

enum { MOST_TILES = 16, MOST_TASKS = MOST_TILES * MOST_TILES * MOST_TILES, MOST_PAIRS = 99, LATE_PAIRS = 2 };
enum { HISTORY, SOOTH, KINDS };
enum { QUIET, SPIKES, LATER, SLOWER, SCENES };
static const char *const kind_name[KINDS] = {"history", "sooth"};
static const char *const scene_name[SCENES] = {"quiet", "spikes", "late", "slower"};

static const char *folder, *host; /* of sampling files; NULL: none are read */
static int tiles = 8, size = 192, pairs = 15;
static sooth_starpu learned[SCENES][TILES_KERNELS];
static struct starpu_perfmodel history[SCENES][TILES_KERNELS];
static struct starpu_codelet codelet[KINDS][TILES_KERNELS];
static double truth[TILES_KERNELS][STARPU_NMAXWORKERS]; /* us; 0: cannot run there */

/* ---- small things ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n) {
    qsort(v, (size_t)n, sizeof *v, by_value);
    return 0.5 * (v[(n - 1) / 2] + v[n / 2]);
}

static double us_between(const struct timespec *from, const struct timespec *to) {
    return starpu_timing_timespec_delay_us((struct timespec *)(uintptr_t)from,
                                           (struct timespec *)(uintptr_t)to);
}

static int kernel_of(const struct starpu_task *task) {
    int k = 0;
    while (strcmp(task->cl->name, tiles_name[k]) != 0) ++k;
    return k;
}

/* ---- disturbances ---- */

static int scene, slow_now, late_now;

/* Tasks of both kinds have the same number, so the same are disturbed. */
static int struck(const struct starpu_task *task) {
    sooth_rng rng;
    sooth_rng_init(&rng, 50, task->tag_id);
    return sooth_rng_below(&rng, 200) == 0;
}

static void disturb(struct starpu_task *task, double seconds) {
    const int opencl = starpu_worker_get_type(starpu_worker_get_id()) == STARPU_OPENCL_WORKER;
    double times = 1.0;
    if (task->tag_id == 0) return; /* no task of a scene */
    if (scene == SPIKES && struck(task)) times = 100.0;
    if (late_now && opencl && kernel_of(task) == TILES_GEMM) times = 100.0;
    if (slow_now && opencl) times = 4.0;
    for (const double until = tiles_now() + (times - 1.0) * seconds; times > 1.0 && tiles_now() < until;) {
        const struct timespec nap = {0, 500000};
        if (until - tiles_now() > 5e-3)
            nanosleep(&nap, NULL); /* otherwise it would be much longer than
                                                                  requested */
    }
}

/* ---- one factorisation ---- */

static double *tile[MOST_TILES * MOST_TILES];
static starpu_data_handle_t handle[MOST_TILES * MOST_TILES];
static struct starpu_task *task[MOST_TASKS];
static int tasks, first_tag;

static void insert(struct starpu_codelet *cl, int kernel, starpu_data_handle_t a, starpu_data_handle_t b,
                   starpu_data_handle_t c) {
    struct starpu_task *t = task[tasks++] = starpu_task_create();
    t->cl = cl;
    t->handles[0] = a;
    if (b) t->handles[1] = b;
    if (c) t->handles[2] = c;
    t->priority = tiles_priority[kernel];
    t->destroy = 0; /* its profile is read at the end */
    t->tag_id = (starpu_tag_t)(first_tag + tasks);
    if (starpu_task_submit(t)) exit(1);
}

/* The time of a task on a worker, by the truth. */
static double lasts(const struct starpu_task *t, int worker) {
    const double slow = slow_now && starpu_worker_get_type(worker) == STARPU_OPENCL_WORKER ? 4.0 : 1.0;
    return slow * truth[kernel_of(t)][worker];
}

/* The time from its push until the task would end on a worker, by the truth. */
static double finish(const struct starpu_task *t, int worker) {
    const struct timespec *pushed = &t->profiling_info->push_start_time;
    double us = lasts(t, worker);
    for (int i = 0; i < tasks; ++i) {
        const struct starpu_profiling_task_info *other = task[i]->profiling_info;
        if (task[i] == t || other->workerid != worker || us_between(&other->push_start_time, pushed) <= 0.0 ||
            us_between(pushed, &other->end_time) <= 0.0)
            continue;
        const double left = lasts(task[i], worker), ran = us_between(&other->start_time, pushed);
        us += ran <= 0.0 ? left : ran < left ? left - ran : 0.0;
    }
    return us;
}

static int by_start(const void *a, const void *b) {
    const struct starpu_task *x = *(struct starpu_task *const *)a, *y = *(struct starpu_task *const *)b;
    const double us = us_between(&x->profiling_info->start_time, &y->profiling_info->start_time);
    return (us < 0.0) - (us > 0.0);
}

/* The makespan of the decisions on undisturbed workers, if memory costs nothing. Each task keeps its order
   and worker, but takes its true time. It begins after all tasks that wrote or read the tile that it
   writes, and that wrote those that it reads. */
static double makespan_by_truth(void) {
    double idle[STARPU_NMAXWORKERS] = {0}, last = 0.0;
    double written[MOST_TILES * MOST_TILES] = {0}, read[MOST_TILES * MOST_TILES] = {0};
    qsort(task, (size_t)tasks, sizeof *task, by_start);
    for (int i = 0; i < tasks; ++i) {
        const int worker = task[i]->profiling_info->workerid, buffers = task[i]->cl->nbuffers;
        int at[3];
        double begins = idle[worker];
        for (int b = 0; b < buffers; ++b) {
            for (at[b] = 0; handle[at[b]] != task[i]->handles[b];) ++at[b];
            begins = fmax(begins, written[at[b]]);
            if (b + 1 == buffers) begins = fmax(begins, read[at[b]]);
        }
        idle[worker] = begins + lasts(task[i], worker);
        for (int b = 0; b < buffers; ++b) {
            double *to = b + 1 == buffers ? &written[at[b]] : &read[at[b]];
            *to = fmax(*to, idle[worker]);
        }
        last = fmax(last, idle[worker]);
    }
    return 1e-3 * last;
}

typedef struct outcome {
    double ms, true_ms;
    double wrong, opencl; /* decisions; gemm tasks that ran there */
} outcome;

static outcome factor(int kind, int pair) {
    outcome o = {0, 0, 0, 0};
    for (int i = 0; i < tiles; ++i)
        for (int j = 0; j <= i; ++j) {
            const int at = i * tiles + j;
            tiles_fill(tile[at], size, i, j, tiles * size);
            starpu_matrix_data_register(&handle[at], STARPU_MAIN_RAM, (uintptr_t)tile[at], (uint32_t)size,
                                        (uint32_t)size, (uint32_t)size, sizeof(double));
        }
    tasks = 0;
    first_tag = (scene * MOST_PAIRS + pair) * MOST_TASKS;
    const double began = tiles_now();
    tiles_cholesky(codelet[kind], handle, tiles, insert);
    starpu_task_wait_for_all();
    o.ms = 1e3 * (tiles_now() - began);
    for (int i = 0; i < tasks; ++i) {
        const int ran = task[i]->profiling_info->workerid;
        double best = 0.0;
        for (int w = 0; w < (int)starpu_worker_get_count(); ++w)
            if (truth[kernel_of(task[i])][w] > 0.0 && (best == 0.0 || finish(task[i], w) < best))
                best = finish(task[i], w);
        o.wrong += best < 2.0 / 3.0 * finish(task[i], ran);
        o.opencl += kernel_of(task[i]) == TILES_GEMM && starpu_worker_get_type(ran) == STARPU_OPENCL_WORKER;
    }
    o.true_ms = makespan_by_truth();
    for (int i = 0; i < tasks; ++i) starpu_task_destroy(task[i]);
    for (int i = 0; i < tiles; ++i)
        for (int j = 0; j <= i; ++j) starpu_data_unregister(handle[i * tiles + j]);
    return o;
}

/* ---- the truth ---- */

/* One task alone on a worker; microseconds. */
static double alone(struct starpu_codelet *cl, int n, int worker, struct starpu_perfmodel *const *also,
                    int models) {
    starpu_data_handle_t h[3];
    double *room[3], us;
    struct starpu_task *t = starpu_task_create();
    t->cl = cl;
    for (int i = 0; i < cl->nbuffers; ++i) {
        room[i] = (double *)malloc((size_t)n * (size_t)n * sizeof **room);
        tiles_fill(room[i], n, 0, 0, n);
        starpu_matrix_data_register(&h[i], STARPU_MAIN_RAM, (uintptr_t)room[i], (uint32_t)n, (uint32_t)n,
                                    (uint32_t)n, sizeof(double));
        t->handles[i] = h[i];
    }
    t->execute_on_a_specific_worker = 1;
    t->workerid = (unsigned)worker;
    t->synchronous = 1;
    t->detach = 0;
    t->destroy = 0;
    if (starpu_task_submit(t)) exit(1);
    us = us_between(&t->profiling_info->start_time, &t->profiling_info->end_time);
    for (int i = 0; i < models; ++i)
        starpu_perfmodel_update_history(also[i], t, starpu_worker_get_perf_archtype(worker, 0), 0, 0, us);
    starpu_task_destroy(t);
    for (int i = 0; i < cl->nbuffers; ++i) {
        starpu_data_unregister(h[i]);
        free(room[i]);
    }
    return us;
}

static int can_run(int kernel, int worker) {
    return starpu_worker_get_type(worker) == STARPU_CPU_WORKER || kernel != TILES_POTRF;
}

static void find_truth(void) {
    struct starpu_perfmodel *none[TILES_KERNELS] = {NULL, NULL, NULL, NULL};
    static struct starpu_codelet plain[TILES_KERNELS];
    double us[31];
    tiles_codelets(plain, none);
    for (int k = 0; k < TILES_KERNELS; ++k)
        for (int w = 0; w < (int)starpu_worker_get_count(); ++w) {
            if (!can_run(k, w)) continue;
            for (int i = 0; i < 31; ++i) us[i] = alone(&plain[k], size, w, NULL, 0);
            truth[k][w] = median(us, 31);
        }
}

/* ---- scenes ---- */

/* An empty model, without the files of earlier runs. */
static void name_model(struct starpu_perfmodel *model, enum starpu_perfmodel_type type, const char *kernel,
                       const char *what) {
    char *name = (char *)malloc(32), path[512] = "";
    snprintf(name, 32, "%s_%s", kernel, what);
    starpu_perfmodel_get_model_path(name, path, sizeof path);
    remove(path);
    model->type = type;
    model->symbol = name; /* as long as StarPU runs */
}

/* Reads the files of `cholesky --sample` for a kernel, for every architecture of this machine. */
static void learn_files(sooth_starpu *model, const char *kernel) {
    static samples_file file;
    char path[512];
    snprintf(path, sizeof path, "%s/%s_nl.%s", folder, kernel, host);
    if (!samples_read(&file, path)) {
        fprintf(stderr, "cholesky: %s\n", file.sentence);
        exit(1);
    }
    for (int w = 0; w < (int)starpu_worker_get_count(); ++w) {
        const struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype(w, 0);
        const int opencl = starpu_worker_get_type(w) == STARPU_OPENCL_WORKER;
        const samples_part *part = samples_of(&file, opencl ? SAMPLES_OPENCL : SAMPLES_CPU);
        if (part) samples_learn(&model->on[SOOTH_STARPU_AT(arch, 0)], &file, part);
    }
}

/* The median of a field over the first or the last third of the pairs. */
static double third(const outcome *o, int last, size_t field) {
    double v[MOST_PAIRS];
    const int n = pairs < 3 ? pairs : pairs / 3;
    for (int i = 0; i < n; ++i)
        v[i] = *(const double *)(const void *)((const char *)&o[last ? pairs - n + i : i] + field);
    return median(v, n);
}

/* Of the measured makespans of one pair, over the last third. */
static double ratio(const outcome *sooth, const outcome *other) {
    double v[MOST_PAIRS];
    const int n = pairs < 3 ? pairs : pairs / 3;
    for (int i = 0; i < n; ++i) v[i] = sooth[pairs - n + i].ms / other[pairs - n + i].ms;
    return median(v, n);
}

static void play(void) {
    struct starpu_perfmodel *model[KINDS][TILES_KERNELS];
    static outcome o[KINDS][MOST_PAIRS];
    for (int k = 0; k < TILES_KERNELS; ++k) {
        name_model(&history[scene][k], STARPU_HISTORY_BASED, tiles_name[k], scene_name[scene]);
        name_model(&learned[scene][k].model, STARPU_PER_ARCH, tiles_name[k], "sooth");
        learned[scene][k].model.arch_cost_function = sooth_starpu_cost;
        if (folder) learn_files(&learned[scene][k], tiles_name[k]);
        model[HISTORY][k] = &history[scene][k];
        model[SOOTH][k] = &learned[scene][k].model;
    }
    for (int kind = 0; kind < KINDS; ++kind) tiles_codelets(codelet[kind], model[kind]);
    for (int p = 0; p < pairs; ++p) {
        slow_now = scene == SLOWER && p >= pairs / 3;
        late_now = scene == LATER && p < LATE_PAIRS;
        for (int i = 0; i < KINDS; ++i) o[(p + i) % KINDS][p] = factor((p + i) % KINDS, p);
    }
    slow_now = late_now = 0;
    for (int kind = 0; kind < KINDS; ++kind)
        printf("%-7s %-8s %8.0f %8.0f %8.0f %8.0f %8.1f %8.1f %8.0f %8.0f %8.2f\n", scene_name[scene],
               kind_name[kind], third(o[kind], 0, offsetof(outcome, wrong)),
               third(o[kind], 1, offsetof(outcome, wrong)), third(o[kind], 0, offsetof(outcome, opencl)),
               third(o[kind], 1, offsetof(outcome, opencl)), third(o[kind], 0, offsetof(outcome, true_ms)),
               third(o[kind], 1, offsetof(outcome, true_ms)), third(o[kind], 0, offsetof(outcome, ms)),
               third(o[kind], 1, offsetof(outcome, ms)), ratio(o[kind], o[HISTORY]));
}

/* ---- sampling files, written ---- */

/* Prints a run as a line, after one that warms caches. The models learn from it. */
static void sample_one(struct starpu_codelet *cl, int n, int worker, struct starpu_perfmodel *const *model,
                       int models) {
    alone(cl, n, worker, NULL, 0);
    printf("%s,%d,%s,%.3f\n", cl->name, n,
           starpu_worker_get_type(worker) == STARPU_OPENCL_WORKER ? "opencl" : "cpu",
           alone(cl, n, worker, model, models));
}

/* Runs every kernel in every size on every worker, ROUNDS times over. The history model learns from all of
   it, the two regressions from the sizes that samples.h does not mark unseen. Then 400 runs in a row of
   one kernel and size follow, outside of all models. StarPU writes its files when it ends. */
static void sample(void) {
    enum { ROUNDS = 15, IN_A_ROW = 400 };
    static struct starpu_perfmodel model[TILES_KERNELS][3];
    static struct starpu_codelet cl[TILES_KERNELS];
    struct starpu_perfmodel *none[TILES_KERNELS] = {NULL, NULL, NULL, NULL};
    const int workers = (int)starpu_worker_get_count();
    for (int k = 0; k < TILES_KERNELS; ++k) {
        name_model(&model[k][0], STARPU_HISTORY_BASED, tiles_name[k], "history");
        name_model(&model[k][1], STARPU_REGRESSION_BASED, tiles_name[k], "regression");
        name_model(&model[k][2], STARPU_NL_REGRESSION_BASED, tiles_name[k], "nl");
    }
    tiles_codelets(cl, none);
    for (int round = 0; round < ROUNDS; ++round)
        for (size_t s = 0; s < sizeof samples_sizes / sizeof *samples_sizes; ++s)
            for (int k = 0; k < TILES_KERNELS; ++k)
                for (int w = 0; w < workers; ++w) {
                    struct starpu_perfmodel *all[3] = {&model[k][0], &model[k][1], &model[k][2]};
                    const int n = samples_sizes[s];
                    if (can_run(k, w)) sample_one(&cl[k], n, w, all, samples_unseen(n) ? 1 : 3);
                }
    for (int i = 0; i < IN_A_ROW; ++i)
        for (int w = 0; w < workers; ++w) sample_one(&cl[TILES_GEMM], 192, w, NULL, 0);
}

static int whole(const char *text, int least, int most) {
    char *end;
    const long value = strtol(text, &end, 10);
    if (*end || value < least || value > most) {
        fprintf(stderr, "cholesky: %s is no number from %d to %d\n", text, least, most);
        exit(2);
    }
    return (int)value;
}

int main(int argc, char **argv) {
    struct starpu_conf conf;
    int sampling = 0, played = 0, wanted[SCENES] = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; ++i) {
        int s = 0;
        while (s < SCENES && strcmp(argv[i], scene_name[s]) != 0) ++s;
        if (s < SCENES) wanted[s] = 1, ++played;
        else if (strcmp(argv[i], "--sample") == 0) sampling = 1;
        else if (strcmp(argv[i], "--tiles") == 0 && i + 1 < argc) tiles = whole(argv[++i], 1, MOST_TILES);
        else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc) size = whole(argv[++i], 8, 1024) & ~7;
        else if (strcmp(argv[i], "--pairs") == 0 && i + 1 < argc) pairs = whole(argv[++i], 1, MOST_PAIRS);
        else if (strcmp(argv[i], "--files") == 0 && i + 2 < argc) folder = argv[++i], host = argv[++i];
        else {
            fprintf(stderr, "cholesky: no option %s; see the top of cholesky.c\n", argv[i]);
            return 2;
        }
    }
    tiles_surroundings();
    openblas_set_num_threads(1);
    starpu_conf_init(&conf);
    conf.sched_policy = sooth_starpu_policy("dmda");
    conf.calibrate = 1;
    if (starpu_init(&conf)) return 77;
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    if (starpu_opencl_worker_get_count() == 0 || starpu_cpu_worker_get_count() == 0 ||
        starpu_opencl_load_opencl_from_string(tiles_source, &tiles_program, NULL)) {
        fprintf(stderr, "cholesky: it takes a CPU worker and an OpenCL worker; see README.md\n");
        return 77;
    }
    if (sampling) sample();
    else {
        for (int i = 0; i < tiles * tiles; ++i)
            tile[i] = (double *)malloc((size_t)size * (size_t)size * sizeof(double));
        find_truth();
        tiles_disturb = disturb;
        printf("%d x %d tiles of %d x %d, %d pairs; us alone on each worker:\n", tiles, tiles, size, size,
               pairs);
        for (int k = 0; k < TILES_KERNELS; ++k)
            for (int w = 0; w < (int)starpu_worker_get_count(); ++w)
                if (truth[k][w] > 0.0)
                    printf("  %-5s %-6s %8.1f\n", tiles_name[k],
                           starpu_worker_get_type(w) == STARPU_OPENCL_WORKER ? "opencl" : "cpu", truth[k][w]);
        printf("%-16s %17s %17s %17s %17s %8s\n%-16s", "", "wrong decisions", "gemm on OpenCL",
               "makespan by truth", "makespan, ms", "ratio", "");
        for (int i = 0; i < 4; ++i) printf(" %8s %8s", "early", "then");
        printf(" %8s\n", "then");
        for (scene = 0; scene < SCENES; ++scene)
            if (wanted[scene] || !played) play();
        printf("residual %.2e of the last factor\n", tiles_residual(tile, size, tiles));
    }
    starpu_opencl_unload_opencl(&tiles_program);
    starpu_shutdown();
    return 0;
}
