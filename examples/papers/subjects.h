/* subjects.h - measurements of bags of tasks as columns of Moolchandani, Kumar and Sarangi's Tables 4 and 5.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A subject is a machine on which bags ran. The paper predicts the watts of a bag on a GPU. Its inputs are
 * the watts of its tasks there alone (GPU_power), and values of the tasks and the bag on a processor (all
 * else). A recording of examples/colocate holds times, of one machine alone. So the columns are
 *
 *     what is predicted   the watts of a bag if all bags have them, otherwise its time
 *     GPU_power           the same of a task alone on the same machine: its time
 *     CPU_power, _sh      the same on another machine, if a second recording of the same tasks is given
 *     IPC                 instructions / cycles, if they were counted
 *     IPC_sh              if the other machine ran the same bags: the mean rate of the tasks there, as part
 *                         of that alone (a task's work is always the same, so this is its relative IPC)
 *     LLC_miss            misses per 1000 instructions if counted, otherwise their effect: by how much a task
 *                         slows the High microbenchmark
 *     fairness            as in the paper, next to Low, Medium or High
 *
 * Recordings do not have branch, L1 and DTLB misses, and LLC_miss_sh. Of the mix of instructions they have
 * the share of branches, if that was counted. Everything is static: for table7.c.
 */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include "../colocate/describe.h"
#include "../colocate/records.h"

enum {
    MOST_SUBJECTS = 8,
    MOST_CARDS = 64,
    MOST_PROGRAMS = 32,
    MOST_BAGS = 512,
    MOST_TASKS = STUDY_MOST_TASKS
};

/* Rows of Table 5, in the order of fairness.h's combinations. */
enum { CPU_POWER, GPU_POWER, IPC, LLC_MISS, BRANCH_MISS, L1_MISS, DTLB_MISS, TABLE_5 };
static const char *const table_5[TABLE_5] = {"CPU_power",   "GPU_power", "IPC",      "LLC_miss",
                                             "Branch_miss", "L1_miss",   "DTLB_miss"};
static const uint32_t field_of[TABLE_5] = {
    SOOTH_FAIRNESS_CPU_POWER,   SOOTH_FAIRNESS_ALONE_POWER, SOOTH_FAIRNESS_IPC,      SOOTH_FAIRNESS_LLC_MISS,
    SOOTH_FAIRNESS_BRANCH_MISS, SOOTH_FAIRNESS_L1_MISS,     SOOTH_FAIRNESS_DTLB_MISS};

typedef struct subject_bag {
    uint32_t tasks, card[MOST_TASKS];
    double alone[MOST_TASKS];  /* in the rounds of this bag */
    double truth;              /* the measured value to predict */
    sooth_fairness_card whole; /* of the bag, on the other machine */
} subject_bag;

typedef struct subject {
    char name[64], origin[400];
    sooth_fairness_card card[MOST_CARDS];
    uint32_t program[MOST_CARDS]; /* of each card; its sizes share one */
    char program_name[MOST_PROGRAMS][32];
    subject_bag bag[MOST_BAGS];
    size_t cards, bags;
    uint32_t programs, cores; /* that a bag is spread over; 0: one device is shared */
    int power;                /* watts are predicted, not times */
    const char *predicted;    /* the target, in words */
    const char *unit;         /* of times: "ms" */
    /* meaning of a column, of a task [0] and of the bag [1]; NULL: none */
    const char *stands[2][TABLE_5];
    const char *lacks[2][TABLE_5]; /* why not */
    int has_cpu_time, has_control;
    char other[64]; /* the other machine; "": none */
} subject;

/* A recording as it was read. */
typedef struct recording {
    const char *folder;
    char name[64], origin[400];
    measure_card card[MEASURE_TASKS];
    measure_bag bag[MEASURE_MOST_BAGS];
    size_t bags;
    uint32_t cores;
} recording;

/* The text of FOLDER/origin.txt in one line, "" if there is none. */
static void read_origin(recording *r) {
    char path[2048];
    snprintf(path, sizeof path, "%.1900s/origin.txt", r->folder);
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(r->origin, 1, sizeof r->origin - 1, file) : 0;
    while (n > 0 && (unsigned char)r->origin[n - 1] <= ' ') --n;
    r->origin[n] = 0;
    for (size_t i = 0; i < n; ++i)
        if ((unsigned char)r->origin[i] < ' ') r->origin[i] = ' ';
    if (file) fclose(file);
}

/* NAME=FOLDER, or a FOLDER that is called as its last part. */
static sooth_status read_recording(sooth_env *env, const char *word, recording *r) {
    const char *equals = strchr(word, '='), *folder = equals ? equals + 1 : word, *last = word;
    size_t n = 0;
    r->folder = folder;
    for (const char *p = word; *p && !equals; ++p)
        if (*p == '/' && p[1] && p[1] != '/') last = p + 1;
    for (; last[n] && last[n] != (equals ? '=' : '/') && n + 1 < sizeof r->name; ++n) r->name[n] = last[n];
    r->name[n] = 0;
    read_origin(r);
    return records_read(env, folder, r->card, r->bag, MEASURE_MOST_BAGS, &r->bags, &r->cores);
}

/* The tasks of a bag as their cards, ascending. Bags of the same tasks are the same bag. */
static void sorted_tasks(const measure_bag *bag, uint32_t *card) {
    for (uint32_t i = 0; i < bag->tasks; ++i) {
        const uint32_t c = describe_card_of(bag->member[i].task);
        uint32_t at = i;
        for (; at > 0 && card[at - 1] > c; --at) card[at] = card[at - 1];
        card[at] = c;
    }
}

static const measure_bag *same_bag(const recording *other, const measure_bag *bag) {
    uint32_t wanted[MOST_TASKS], card[MOST_TASKS];
    sorted_tasks(bag, wanted);
    for (size_t i = 0; i < other->bags; ++i) {
        if (other->bag[i].tasks != bag->tasks) continue;
        sorted_tasks(&other->bag[i], card);
        if (memcmp(card, wanted, bag->tasks * sizeof *card) == 0) return &other->bag[i];
    }
    return NULL;
}

/* The known values of a task: times, fairness, counts, and the other machine's time for the same units. */
static void fill_card(subject *s, size_t i, const sooth_fairness_card *described, const measure_card *own,
                      const measure_card *other) {
    sooth_fairness_card *card = &s->card[i];
    const double instructions = own->count[COUNTER_INSTRUCTIONS], cycles = own->count[COUNTER_CYCLES];
    const double there =
        other ? other->alone_ms.value / (double)other->units * (double)own->units : (double)NAN;
    *card = *described;
    card->own = sooth_fairness_paper_fields();
    card->value[SOOTH_FAIRNESS_CPU_TIME] = there;
    card->value[SOOTH_FAIRNESS_IPC] = instructions / cycles;
    card->value[SOOTH_FAIRNESS_CONTROL] = 100.0 * own->count[COUNTER_BRANCHES] / instructions;
    card->value[SOOTH_FAIRNESS_LLC_MISS] = 1000.0 * own->count[COUNTER_LLC_MISSES] / instructions;
    if (s->power) return;
    card->value[SOOTH_FAIRNESS_ALONE_POWER] = card->value[SOOTH_FAIRNESS_ALONE_TIME];
    card->value[SOOTH_FAIRNESS_CPU_POWER] = there;
}

static void fill_bag(subject *s, size_t i, const study_bag *described, const measure_bag *other) {
    subject_bag *bag = &s->bag[i];
    double rate = 0.0;
    memset(bag, 0, sizeof *bag);
    bag->tasks = described->tasks;
    memcpy(bag->card, described->card, sizeof bag->card);
    memcpy(bag->alone, described->alone_ms, sizeof bag->alone);
    bag->truth = s->power ? described->watts : described->bag_ms;
    sooth_fairness_card_init(&bag->whole, sooth_fairness_paper_fields());
    if (!other) return;
    for (uint32_t k = 0; k < other->tasks; ++k) rate += 1.0 / other->member[k].slowdown / other->tasks;
    bag->whole.value[SOOTH_FAIRNESS_CPU_POWER] = s->power ? other->watts : other->bag_ms.value;
    bag->whole.value[SOOTH_FAIRNESS_IPC] = rate;
}

/* Whether all cards, or all bags, know a field. */
static int all_know(const subject *s, int of_bag, uint32_t field) {
    for (size_t i = 0; i < (of_bag ? s->bags : s->cards); ++i)
        if (isnan(of_bag ? s->bag[i].whole.value[field] : s->card[i].value[field])) return 0;
    return 1;
}

static void put_stands(subject *s, int counted) {
    const char *const uncounted = "the recording has no instructions counted";
    const char *const other = s->other[0] ? "the other machine ran other bags, or without its power"
                                          : "no recording of another machine is given";
    const char *const never = "in no recording";
    for (int b = 0; b < 2; ++b)
        for (int f = 0; f < TABLE_5; ++f) s->lacks[b][f] = never;
    s->stands[0][CPU_POWER] = "the task's time alone on the other machine, for the same work";
    s->lacks[0][CPU_POWER] = s->power ? "no recording has the power of a task alone" : other;
    s->stands[0][GPU_POWER] = "the task's time alone on this machine";
    s->lacks[0][GPU_POWER] = "no recording has the power of a task alone";
    s->stands[0][IPC] = "instructions / cycles of the task alone";
    s->lacks[0][IPC] = uncounted;
    s->stands[0][LLC_MISS] = counted ? "misses per 1000 instructions of the task alone"
                                     : "their effect: by how much the task slows High (none are counted)";
    s->stands[1][CPU_POWER] =
        s->power ? "the watts of the bag on the other machine" : "the time of the bag on the other machine";
    s->stands[1][IPC] = "the tasks' mean rate in the bag over that alone, on the other machine";
    s->lacks[1][CPU_POWER] = s->lacks[1][IPC] = other;
    for (int b = 0; b < 2; ++b)
        for (int f = 0; f < TABLE_5; ++f)
            if (!all_know(s, b, field_of[f])) s->stands[b][f] = NULL;
}

/* other: a recording of another machine, or NULL. */
static void subject_of(const recording *r, const recording *other, subject *s) {
    static describe_room room;
    study_data data;
    int counted;
    memset(s, 0, sizeof *s);
    describe(r->card, r->bag, r->bags, r->cores, &room, &data);
    snprintf(s->name, sizeof s->name, "%s", r->name);
    snprintf(s->origin, sizeof s->origin, "%s", r->origin);
    if (other) snprintf(s->other, sizeof s->other, "%s", other->name);
    s->cards = data.cards;
    s->bags = data.bags;
    s->programs = data.workloads;
    s->cores = data.cores;
    s->power = data.bags > 0;
    for (size_t i = 0; i < data.bags; ++i) s->power &= data.bag[i].watts > 0.0;
    for (uint32_t p = 0; p < s->programs; ++p)
        snprintf(s->program_name[p], sizeof s->program_name[p], "%s", data.workload_name[p]);
    for (size_t i = 0; i < s->cards; ++i) {
        s->program[i] = data.workload[i];
        fill_card(s, i, &data.card[i], &r->card[i], other ? &other->card[i] : NULL);
    }
    for (size_t i = 0; i < s->bags; ++i)
        fill_bag(s, i, &data.bag[i], other ? same_bag(other, &r->bag[i]) : NULL);
    counted = all_know(s, 0, SOOTH_FAIRNESS_LLC_MISS);
    for (size_t i = 0; i < s->cards && !counted; ++i)
        s->card[i].value[SOOTH_FAIRNESS_LLC_MISS] = s->card[i].value[SOOTH_FAIRNESS_PRESSURE];
    put_stands(s, counted);
    s->unit = "ms";
    s->predicted = s->power
                       ? "the watts of a bag on this machine's processor"
                       : "the time of a bag, from its start to its last end, since no watts are recorded";
    s->has_cpu_time = all_know(s, 0, SOOTH_FAIRNESS_CPU_TIME);
    s->has_control = all_know(s, 0, SOOTH_FAIRNESS_CONTROL);
}

/* The fields of a form that all cards and bags have. */
static sooth_fairness_form known_part(const subject *s, const sooth_fairness_form *form) {
    sooth_fairness_form known;
    memset(&known, 0, sizeof known);
    for (uint32_t f = 0; f < form->fields; ++f)
        if (form->field[f] >= SOOTH_FAIRNESS_FIELDS || all_know(s, 0, form->field[f]))
            known.field[known.fields++] = form->field[f];
    for (uint32_t f = 0; f < form->bag_fields; ++f)
        if (all_know(s, 1, form->bag_field[f])) known.bag_field[known.bag_fields++] = form->bag_field[f];
    return known;
}

static int same_form(const sooth_fairness_form *a, const sooth_fairness_form *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

#endif
