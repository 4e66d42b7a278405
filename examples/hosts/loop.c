/* loop.c - the loop of a scheduler that learns the times of its tasks, in plain C: the first file to read.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -ffp-contract=off -Iinclude examples/hosts/loop.c -o loop && ./loop model.sooth
 *
 * In your own program: copy include/, let one file define SOOTH_IMPLEMENTATION, and take the parts marked (1)
 * to (4). machine.h takes the place of your machine. README.md lists the cost of each call and the threads
 * that may make it.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/online.h"
#include "sooth/train.h"
#include "machine.h"

static sooth_slot slot; /* the slot of the present model */
static sooth_slot_reader readers[1];

/* The recorder's table as a model of the time's logarithm, which goes into the slot. */
static void learn(sooth_env *env, const sooth_recorder *recorder) {
    static const char *const names[] = {"size", "worker", "code"};
    const sooth_train_recipe recipe = {
        .model = "boost", .target = {.transform = SOOTH_SCALE_LOG}, .has_target = 1};
    sooth_table table = sooth_recorder_table(recorder);
    sooth_model *model;
    table.names = names;
    if (sooth_train_fit(env, &table, &recipe, &model) != SOOTH_OK) return; /* env->sentence has the reason */
    sooth_model *old = sooth_slot_publish(&slot, model);
    sooth_slot_wait(&slot);
    sooth_model_free(env, old);
}

/* Runs all tasks. Without a recorder it never learns and takes all choices in turn. */
static double schedule(sooth_env *env, sooth_recorder *recorder) {
    static const uint32_t column[] = {1, 2}; /* which features a choice decides: worker, code */
    float choice[2 * CHOICES], us[CHOICES], scratch[3 * CHOICES];
    machine m;
    machine_init(&m);
    for (int c = 0; c < CHOICES; ++c)
        choice[2 * c] = (float)(c / CODES), choice[2 * c + 1] = (float)(c % CODES);
    while (m.task < TASKS) {
        float row[3] = {machine_next(&m), 0.0f, 0.0f};
        int best = m.task % CHOICES;
        const sooth_model *model = sooth_slot_enter(&slot, 0); /* (1) predict all choices at once */
        if (model) sooth_model_predict_choices(model, row, column, 2, choice, CHOICES, us, scratch, CHOICES);
        if (model) best = machine_first(&m, us);
        sooth_slot_leave(&slot, 0);
        const float took = machine_run(&m, row[0], best);
        if (!recorder) continue;
        row[1] = choice[2 * best], row[2] = choice[2 * best + 1];
        const uint64_t key = (uint64_t)row[0] * CHOICES + (uint64_t)best; /* tasks of one key are alike */
        sooth_recorder_observe(recorder, key, row, took);                 /* (2) observe */
        if (sooth_recorder_due(recorder)) learn(env, recorder);           /* (3) learn, (4) publish */
    }
    return machine_end(&m);
}

int main(int count, char **word) {
    static double memory[1 << 14];
    const sooth_recorder_options options = {.features = 3, .keys = 6 * CHOICES, .refit_every = 200};
    sooth_recorder *recorder;
    sooth_env env;
    sooth_env_init(&env);
    sooth_slot_init(&slot, readers, 1, NULL);
    if (sooth_recorder_init(&env, &options, memory, sizeof memory, &recorder) != SOOTH_OK)
        return puts(env.sentence), 1;
    printf("by turns         %6.0f ms\n", schedule(&env, NULL));
    printf("with a model     %6.0f ms\n", schedule(&env, recorder));
    printf("if all was known %6.0f ms\n", machine_known());
    printf("%u spikes, %u shifts of the machine\n", recorder->spikes, recorder->shifts);
    sooth_model *model = sooth_slot_publish(&slot, NULL);
    if (count > 1) machine_keep(model, word[1]);
    sooth_model_free(&env, model);
    return 0;
}
