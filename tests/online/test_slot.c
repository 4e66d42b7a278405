/* test_slot.c - whoever predicts has a whole model, whatever is published: every order of steps, and threads.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Built with -fsanitize=thread this is also the proof that the slot has no data race. The slot's operations
 * are this file's, so that a schedule can say whose turn it is; that is why it holds the implementation
 * itself, with all that is soothi_.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static uintptr_t load_in_turn(const uintptr_t *from);
static void store_in_turn(uintptr_t *to, uintptr_t value);
#define SOOTH_SLOT_LOAD(from) load_in_turn(from)
#define SOOTH_SLOT_STORE(to, value) store_in_turn(to, value)
static void pause_between_looks(void);
#define SOOTH_SLOT_PAUSE() pause_between_looks()

#define SOOTH_IMPLEMENTATION
#include "sooth/online/slot.h"
#include "sooth/tree.h"
#include "check.h"

/* ---- every order of a reader's and a publisher's steps ---- */

enum { READER = 0, PUBLISHER = 1, READER_STEPS = 4, STEPS = READER_STEPS + 7 };

/* Bit i of the schedule: whose step i is. A thread with no turn left goes on when all others are done. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint32_t schedule;
    int at, length;
} turns = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static int playing; /* no other thread is there when it changes */
static _Thread_local int who;
static _Thread_local int last_step; /* the place of this thread's last one */

static void turn_begins(void) {
    if (!playing) return;
    pthread_mutex_lock(&turns.lock);
    while (turns.at < turns.length && (int)(turns.schedule >> turns.at & 1u) != who)
        pthread_cond_wait(&turns.turned, &turns.lock);
    last_step = turns.at++;
}

static void turn_ends(void) {
    if (!playing) return;
    pthread_cond_broadcast(&turns.turned);
    pthread_mutex_unlock(&turns.lock);
}

static uintptr_t load_in_turn(const uintptr_t *from) {
    turn_begins();
    const uintptr_t value = __atomic_load_n(from, __ATOMIC_SEQ_CST);
    turn_ends();
    return value;
}

static void store_in_turn(uintptr_t *to, uintptr_t value) {
    turn_begins();
    __atomic_store_n(to, value, __ATOMIC_SEQ_CST);
    turn_ends();
}

static sooth_slot slot;
static sooth_slot_reader readers[3];
static sooth_block old_model, new_model;

static int leaving, pauses; /* how often the publisher pauses before reader 2 leaves */
static void pause_between_looks(void) {
    sched_yield();
    if (leaving && ++pauses == leaving) sooth_slot_leave(&slot, 2);
}

typedef struct stay {
    const void *got;
    int left; /* the place of the step with which it left */
} stay;

static void *stay_in(void *arg) {
    stay *s = (stay *)arg;
    who = READER;
    s->got = sooth_slot_enter(&slot, 1);
    sooth_slot_leave(&slot, 1);
    s->left = last_step;
    return NULL;
}

static int bits_of(uint32_t v) {
    int n = 0;
    for (; v; v &= v - 1) ++n;
    return n;
}

/* A reader takes three steps to enter and one to leave; a publisher four to publish, and three to look at
   both cells. Whatever the order: where the publisher finds all quiet, the reader either has the new model or
   has left before. */
static void every_order_of_steps(void) {
    int orders = 0, quiet_orders = 0, old_orders = 0;
    pthread_t thread;
    for (uint32_t schedule = 0; schedule < 1u << STEPS; ++schedule) {
        stay s = {NULL, 0};
        if (bits_of(schedule) != STEPS - READER_STEPS) continue;
        sooth_slot_init(&slot, readers, 2, &old_model);
        turns.schedule = schedule;
        turns.at = 0;
        turns.length = STEPS;
        playing = 1;
        CHECK(pthread_create(&thread, NULL, stay_in, &s) == 0);
        who = PUBLISHER;
        CHECK(sooth_slot_publish(&slot, &new_model) == &old_model);
        const int quiet = sooth_slot_is_quiet(&slot), looked = last_step;
        pthread_mutex_lock(&turns.lock); /* its turns end here, if it needed fewer */
        turns.length = 0;
        pthread_cond_broadcast(&turns.turned);
        pthread_mutex_unlock(&turns.lock);
        pthread_join(thread, NULL);
        playing = 0;
        CHECK(s.got == &old_model || s.got == &new_model);
        CHECK(!quiet || s.got == &new_model || s.left < looked);
        CHECK(sooth_slot_is_quiet(&slot));
        ++orders;
        quiet_orders += quiet;
        old_orders += s.got == &old_model;
        if (check_failures) {
            printf("  schedule %x\n", (unsigned)schedule);
            break;
        }
    }
    CHECK(orders == 330 && quiet_orders > 100 && quiet_orders < orders && old_orders > 20);
}

/* ---- one thread ---- */

static void who_is_in_is_waited_for(void) {
    sooth_slot_init(&slot, readers, 3, NULL);
    CHECK(sooth_slot_enter(&slot, 0) == NULL);
    sooth_slot_leave(&slot, 0);
    CHECK(sooth_slot_publish(&slot, &old_model) == NULL && sooth_slot_is_quiet(&slot));
    CHECK(sooth_slot_enter(&slot, 2) == &old_model);
    CHECK(sooth_slot_is_quiet(&slot)); /* nothing was published since it came */
    CHECK(sooth_slot_publish(&slot, &new_model) == &old_model);
    CHECK(!sooth_slot_is_quiet(&slot));
    CHECK(sooth_slot_enter(&slot, 0) == &new_model && !sooth_slot_is_quiet(&slot));
    CHECK(sooth_slot_publish(&slot, NULL) == &new_model); /* retired, not waited for: two are out now */
    sooth_slot_leave(&slot, 2);
    CHECK(!sooth_slot_is_quiet(&slot));
    sooth_slot_leave(&slot, 0);
    CHECK(sooth_slot_is_quiet(&slot));
    sooth_slot_wait(&slot);
    CHECK(sooth_slot_enter(&slot, 2) == NULL);
    sooth_slot_publish(&slot, &old_model);
    leaving = 3;
    sooth_slot_wait(&slot);
    CHECK(pauses == 3 && sooth_slot_is_quiet(&slot));
    leaving = 0;
}

/* The epoch wraps and is never 0, which means that nobody is in. */
static void epochs_wrap(void) {
    sooth_slot_init(&slot, readers, 1, &old_model);
    slot.state.epoch = UINTPTR_MAX - 2;
    for (int i = 0; i < 5; ++i) {
        CHECK(sooth_slot_enter(&slot, 0) != NULL && readers[0].epoch != 0);
        sooth_slot_publish(&slot, i % 2 ? &old_model : &new_model);
        CHECK(!sooth_slot_is_quiet(&slot));
        sooth_slot_leave(&slot, 0);
        CHECK(sooth_slot_is_quiet(&slot));
    }
    CHECK(slot.state.epoch == 7);
}

static void cells_are_a_line_apart(void) {
    CHECK(sizeof(sooth_slot_reader) == 64 && sizeof(sooth_slot) <= 4 * sizeof(uintptr_t));
}

/* ---- threads that predict while models come and go ---- */

enum { MODELS = 4, ROWS = 64, SWAPS = 640, THREADS = 2 };

static sooth_tree *trees[MODELS];
static float x[ROWS], expected[MODELS][ROWS];

/* Each model's answers begin with its number, so that one answer tells whose it is. */
static void make_models(sooth_env *env) {
    float y[ROWS];
    for (int m = 0; m < MODELS; ++m) {
        for (int i = 0; i < ROWS; ++i) {
            x[i] = (float)i;
            y[i] = (float)(1000 * m + i * i % 97);
        }
        const sooth_table table = sooth_table_of(x, y, ROWS, 1);
        CHECK_STATUS(sooth_tree_fit(env, &table, NULL, &trees[m]), SOOTH_OK);
        for (int i = 0; i < ROWS; ++i) expected[m][i] = sooth_tree_predict(trees[m], &x[i]);
    }
}

typedef struct worker {
    pthread_t thread;
    uint32_t number;
    uint32_t rounds;
    uint32_t wrong, changes;
    uintptr_t done; /* rounds, which the publisher looks at */
} worker;

static uint32_t swapped; /* publications so far, of which a worker does not get ahead by far */

static void *predict(void *arg) {
    worker *w = (worker *)arg;
    int last = -1;
    for (uint32_t i = 0; i < w->rounds; ++i) {
        while ((uint64_t)i * (SWAPS + 1) / w->rounds > __atomic_load_n(&swapped, __ATOMIC_RELAXED) + 2)
            sched_yield();
        const sooth_tree *tree = (const sooth_tree *)sooth_slot_enter(&slot, w->number);
        const uint32_t row = i * 7 % ROWS, again = i * 11 % ROWS;
        const float a = sooth_tree_predict(tree, &x[row]), b = sooth_tree_predict(tree, &x[again]);
        sooth_slot_leave(&slot, w->number);
        const int m = (int)(a / 1000.0f);
        w->wrong += !(a >= 0.0f && m < MODELS) || a != expected[m][row] || b != expected[m][again];
        w->changes += m != last;
        last = m;
        __atomic_store_n(&w->done, i + 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static sooth_block *copy_of(const sooth_tree *tree) {
    sooth_block *copy = (sooth_block *)malloc(tree->head.size);
    if (!copy) abort();
    memcpy(copy, tree, tree->head.size);
    return copy;
}

/* `predictions` of all threads, two for each stay, and SWAPS publications spread over them: each of a copy of
   its own, which is spoilt and freed when nobody has it any more. Every other one is waited for; the others
   are retired with the next. */
static void swap_while_predicting(uint32_t predictions) {
    static worker workers[THREADS];
    sooth_block *retired[2] = {NULL, NULL};
    const uint32_t rounds = predictions / THREADS / 2;
    sooth_env env;
    sooth_env_init(&env);
    make_models(&env);
    swapped = 0;
    sooth_slot_init(&slot, readers, THREADS, copy_of(trees[0]));
    for (uint32_t k = 0; k < THREADS; ++k) {
        memset(&workers[k], 0, sizeof workers[k]);
        workers[k].number = k;
        workers[k].rounds = rounds;
        CHECK(pthread_create(&workers[k].thread, NULL, predict, &workers[k]) == 0);
    }
    for (uint32_t swap = 1; swap <= SWAPS; ++swap) {
        while (__atomic_load_n(&workers[swap % THREADS].done, __ATOMIC_RELAXED) <
               (uint64_t)rounds * swap / (SWAPS + 1))
            sched_yield();
        retired[swap % 2] = (sooth_block *)sooth_slot_publish(&slot, copy_of(trees[swap % MODELS]));
        __atomic_store_n(&swapped, swap, __ATOMIC_RELAXED);
        if (swap % 2) continue;
        sooth_slot_wait(&slot);
        for (int k = 0; k < 2; ++k) {
            memset(retired[k], 0xFF, trees[0]->head.size / 2);
            free(retired[k]);
        }
    }
    for (uint32_t k = 0; k < THREADS; ++k) {
        pthread_join(workers[k].thread, NULL);
        CHECK(workers[k].wrong == 0 && workers[k].done == rounds);
        CHECK(workers[k].changes > SWAPS / 10);
    }
    CHECK(sooth_slot_is_quiet(&slot));
    free(sooth_slot_publish(&slot, NULL));
    for (int m = 0; m < MODELS; ++m) sooth_tree_free(&env, trees[m]);
}

static void models_come_and_go(void) { swap_while_predicting(400000); }
static void ten_million_predictions(void) {
    CHECK_SLOW();
    swap_while_predicting(10000000);
}

int main(void) {
    CHECK_RUN(every_order_of_steps);
    CHECK_RUN(who_is_in_is_waited_for);
    CHECK_RUN(epochs_wrap);
    CHECK_RUN(cells_are_a_line_apart);
    CHECK_RUN(models_come_and_go);
    CHECK_RUN(ten_million_predictions);
    return check_end("slot");
}
