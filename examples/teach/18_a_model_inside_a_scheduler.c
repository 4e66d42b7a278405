/* 18_a_model_inside_a_scheduler.c - tasks, three GPUs, and a model that learns while they run: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/18_wait.svg
 *
 * Training jobs arrive one after the other. Each runs some steps of one of 26 models. There are a K80, a P100
 * and a V100. Their speed depends on the job: 1.2 to 10 times (Gavel; ../papers/data/origin.txt). A scheduler
 * gives every task to the GPU that will finish it first. So it needs the time of the task on each GPU. It
 * learns these times from finished tasks, in fixed memory (recorder.h). Every new model is published to the
 * readers (slot.h). One measurement in twenty is ten times too long, as on a machine that others use.
 *
 * Exercises, with answers in answers.md:
 *   1. Schedule by the mean of all tasks on that GPU. Where is it between taking turns and knowing all times?
 *   2. Learn after every task, or only once, after 500. What does the first gain, what does the second cost?
 *   3. Let the V100 be three times as slow from task 500 on. Does the scheduler still go most of the way?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/online.h"
#include "sooth/tree.h"

enum { GPUS = 3, KINDS = 26, TASKS = 1000, SPARE = 1 << 17 };

typedef struct task {
    size_t kind;
    double steps;
} task;

typedef struct world {
    float speed[GPUS][KINDS]; /* steps per second */
    task task[TASKS];
    size_t slow_from; /* from this task on the V100 is three times as slow; TASKS: never */
    sooth_rng rng;
} world;

static void make_world(world *w) {
    static const char *const column[] = {"beside_1"};
    measurements m = measured(EXAMPLES "papers/data/gavel.csv", column, 1, "alone", "gpu");
    sooth_rng_init(&w->rng, 1, 0);
    w->slow_from = TASKS;
    for (size_t i = 0; i < GPUS * KINDS; ++i) w->speed[i / KINDS][i % KINDS] = m.table.y[i];
    for (size_t i = 0; i < TASKS; ++i) {
        w->task[i].kind = sooth_rng_below(&w->rng, KINDS);
        w->task[i].steps =
            (100 + 900 * sooth_rng_double(&w->rng)) * (double)w->speed[0][w->task[i].kind] / 10;
    }
}

static double true_time(const world *w, size_t i, size_t gpu) {
    const double time = w->task[i].steps / (double)w->speed[gpu][w->task[i].kind];
    return gpu == GPUS - 1 && i >= w->slow_from ? 3 * time : time;
}

/* ---- 1. The features of a task on a GPU, as a row of numbers. Equal keys mark measurements of the same
   thing. ---- */

static uint64_t describe(const world *w, const task *t, size_t gpu, float row[3]) {
    row[0] = (float)gpu;
    row[1] = (float)t->kind;
    row[2] = (float)(t->steps / (double)w->speed[0][t->kind]); /* on the K80, given by its owner */
    return gpu * KINDS + t->kind;
}

/* ---- 2. Learning: a finished task goes into the recorder. Now and then a new model is published. The old
   one is freed once nobody uses it. The target is the time relative to the K80. ---- */

typedef struct learner {
    sooth_recorder *recorder;
    sooth_slot slot;
    sooth_slot_reader reader[1];
    sooth_env env;
} learner;

static void learner_begin(learner *l, uint32_t refit_every) {
    static double memory[SPARE];
    const sooth_recorder_options options = {.features = 3, .keys = GPUS * KINDS, .refit_every = refit_every};
    sooth_env_init(&l->env);
    need(&l->env, sooth_recorder_init(&l->env, &options, memory, sizeof memory, &l->recorder));
    sooth_slot_init(&l->slot, l->reader, 1, NULL);
}

static void learn(learner *l, uint64_t key, const float *row, double took) {
    sooth_recorder_observe(l->recorder, key, row, (float)(took / (double)row[2]));
    if (!sooth_recorder_due(l->recorder)) return;
    const sooth_table table = sooth_recorder_table(l->recorder);
    sooth_tree *better;
    need(&l->env, sooth_tree_fit(&l->env, &table, NULL, &better));
    sooth_tree *old = (sooth_tree *)sooth_slot_publish(&l->slot, better);
    sooth_slot_wait(&l->slot);
    sooth_tree_free(&l->env, old);
}

static double predict_task(learner *l, const float *row) {
    const sooth_tree *model = (const sooth_tree *)sooth_slot_enter(&l->slot, 0);
    const double time = (double)row[2] * (model ? (double)sooth_tree_predict(model, row) : 1);
    sooth_slot_leave(&l->slot, 0);
    return time;
}

/* ---- 3. The loop. All tasks exist at the beginning. free_at[g] is when GPU g finishes its tasks. Returns
   when all are finished. done[i] is the time after i + 1 tasks. ---- */

typedef enum plan { IN_TURNS, LEARNED, KNOWN } plan;

static double schedule(const world *w, plan how, uint32_t refit_every, double *done) {
    static learner l;
    double free_at[GPUS] = {0, 0, 0}, end = 0;
    sooth_rng noise = w->rng;
    learner_begin(&l, refit_every);
    for (size_t i = 0; i < TASKS; ++i) {
        const task *t = &w->task[i];
        float row[GPUS][3];
        uint64_t key[GPUS];
        size_t best = how == IN_TURNS ? i % GPUS : 0;
        for (size_t g = 0; g < GPUS; ++g) key[g] = describe(w, t, g, row[g]);
        for (size_t g = 1; g < GPUS && how != IN_TURNS; ++g) {
            const double now = how == LEARNED ? predict_task(&l, row[best]) : true_time(w, i, best);
            const double other = how == LEARNED ? predict_task(&l, row[g]) : true_time(w, i, g);
            if (free_at[g] + other < free_at[best] + now) best = g;
        }
        const double took = true_time(w, i, best);
        free_at[best] += took;
        end = fmax(end, free_at[best]);
        if (done) done[i] = end;
        if (how == LEARNED) learn(&l, key[best], row[best], sooth_rng_below(&noise, 20) ? took : 10 * took);
    }
    return end;
}

int main(void) {
    static const char *const names[] = {"in turns", "learned", "known"};
    static double axis[TASKS], done[3 * TASKS];
    static world w;
    double end[3];
    make_world(&w);
    for (int how = 0; how < 3; ++how) {
        end[how] = schedule(&w, (plan)how, 25, done + how * TASKS);
        printf("%-9s all %d tasks are done after %6.0f s\n", names[how], TASKS, end[how]);
    }
    printf("The learned model goes %.0f %% of the way from taking turns to knowing all times.\n",
           100 * (end[0] - end[1]) / (end[0] - end[2]));
    for (size_t i = 0; i < TASKS; ++i) axis[i] = (double)i;
    draw_lines("18_wait.svg", "When the first tasks are done", "tasks", "s", axis, done, TASKS, names, 3);
    return 0;
}
