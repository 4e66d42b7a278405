/* cards.c - cards as in Moolchandani et al. 2022, on the data here: translation from one machine to another
 * (section 9), and clusters of fairness (Figures 4 and 5).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/cards [--out FOLDER] [--only PART] [NAME=RECORDING ...]
 *     build/cards --times [NAME=RECORDING NAME=RECORDING]
 *
 * The parts are `times` (translation cards of times alone, between machines), `pairs` (slowdowns of one GPU
 * from those of another) and `clusters`. GPUs are those of Gavel's measurements (data/origin.txt). A
 * RECORDING is a folder that `build/colocate --out FOLDER` wrote. With two or more recordings, times are
 * translated between those machines too. --times prints a table for `sooth card make`: seconds a step of
 * Gavel's jobs, or milliseconds a unit of work on two machines. Pictures go to FOLDER, which must exist.
 *
 * Every prediction of a program was learned from others. Programs (families of jobs, workloads) are left out
 * as a whole, in all their sizes.
 */
#include "../colocate/records.h"
#include "gavel.h"
#include "groups.h"
#include "pairs.h"

#include <ctype.h>

static const char gavel_path[] = "examples/papers/data/gavel.csv";

/* ---- the measurements ---- */

typedef struct recording {
    char name[16];
    measure_card card[MEASURE_TASKS];
    measure_bag bag[MEASURE_MOST_BAGS];
    size_t bags;
} recording;

enum { RECORDINGS = 4 };
static recording recorded[RECORDINGS];
static uint32_t recordings;
static gavel gpu[GAVEL_GPUS];

static int fail(const char *sentence) {
    fprintf(stderr, "cards: %s\n", sentence);
    return 1;
}

/* NAME=FOLDER, or a FOLDER that is called as its last part. */
static int read_recording(sooth_env *env, const char *word) {
    recording *r = &recorded[recordings];
    const char *equals = strchr(word, '='), *folder = equals ? equals + 1 : word, *name = word;
    uint32_t cores;
    size_t n;
    if (recordings == RECORDINGS) return fail("there can be 4 recordings at most");
    for (const char *at = word; !equals && *at; ++at)
        if (*at == '/' && at[1] && at[1] != '/') name = at + 1;
    snprintf(r->name, sizeof r->name, "%.*s", equals ? (int)(equals - word) : (int)strcspn(name, "/"), name);
    for (n = 0; isalnum((unsigned char)r->name[n]) || (r->name[n] && strchr("-_.", r->name[n])); ++n)
        continue;
    if (n == 0 || r->name[n]) return fail("the name of a recording must be letters, digits and - _ .");
    if (records_read(env, folder, r->card, r->bag, MEASURE_MOST_BAGS, &r->bags, &cores) != SOOTH_OK)
        return fail(env->sentence);
    ++recordings;
    return 0;
}

static double unit_ms(const measure_card *card) { return card->alone_ms.value / (double)card->units; }

/* ... on two machines, milliseconds a unit of work. A job has as many units as last 8 to 13 ms on the
   machine of its recording. So jobs are not the same work on both, but units are. */
static void points_of_recordings(const recording *here, const recording *there, points *p) {
    memset(p, 0, sizeof *p);
    p->count = records_tasks(here->card);
    if (p->count > records_tasks(there->card)) p->count = records_tasks(there->card);
    p->programs = p->count / WORKLOAD_SIZES;
    for (uint32_t i = 0; i < p->count; ++i) {
        const workload *w = &workloads[i / WORKLOAD_SIZES];
        p->program[i] = i / WORKLOAD_SIZES;
        p->here[i] = unit_ms(&here->card[i]);
        p->there[i] = unit_ms(&there->card[i]);
        snprintf(p->label[i], sizeof p->label[i], "%s %s", w->name, w->size[i % WORKLOAD_SIZES].label);
    }
}

static void print_times(void) {
    points p;
    if (recordings > 1) {
        points_of_recordings(&recorded[0], &recorded[1], &p);
        printf("task,program,%s [ms],%s [ms]\n", recorded[0].name, recorded[1].name);
        for (uint32_t i = 0; i < p.count; ++i)
            printf("%s,%s,%.6g,%.6g\n", p.label[i], workloads[p.program[i]].name, p.here[i], p.there[i]);
        return;
    }
    printf("job,family,%s [s],%s [s],%s [s]\n", gavel_gpu[0], gavel_gpu[1], gavel_gpu[2]);
    for (uint32_t i = 0; i < gpu[0].jobs; ++i)
        printf("%s,%s,%.6g,%.6g,%.6g\n", gpu[0].name[i], gpu[0].family_name[gpu[0].family[i]],
               gpu[0].alone[i], gpu[1].alone[i], gpu[2].alone[i]);
}

/* ---- times alone ---- */

static void print_paper(void) {
    printf("  The paper reports 7 to 9 %% from a T4 to a P100, for two to five programs at once, by a "
           "plain card through OpenCV's\n"
           "  CUDA examples; it does not state how many, or whether the tested ones were left out.\n"
           "\n");
}

static void translate_gpus(const char *folder) {
    static points p[6];
    static const int from[6] = {0, 0, 1, 1, 2, 2}, to[6] = {1, 2, 2, 0, 0, 1};
    static const char *const up[3] = {"K80 to P100", "K80 to V100", "P100 to V100"};
    printf(
        "Translation cards between GPUs: seconds a step alone, 26 jobs of 7 families (Gavel). Mean error "
        "in %% of the families\n"
        "that a card has not seen: the median (and the 10th and 90th per cent) over all choices of 2, 3 and "
        "5 families measured\n"
        "on both, and every family left out once, with the 95 %% interval of the mean over families\n\n");
    print_header();
    for (int d = 0; d < 6; ++d) {
        points_of_gpus(&gpu[from[d]], &gpu[to[d]], &p[d]);
        print_translation(gavel_gpu[from[d]], gavel_gpu[to[d]], &p[d]);
    }
    printf("\n  One line for all families holds where they differ alike. Here a batch of one family costs "
           "other parts of a GPU than\n"
           "  that of another, and cards are off by several times the paper's error.\n");
    print_paper();
    if (!folder) return;
    draw_told(folder, "card_gpus.svg", "Seconds a step, by a card that has not seen the family (Gavel)", p, 3,
              up, "s");
    draw_errors(folder, "card_gpus_programs.svg",
                "Error of a card by the number of families measured on both GPUs", p, 3, up);
}

/* A bag there, by the slowdowns of the same bag here and times alone there. These are predicted, or (way
   WAYS) measured. The result is when the last of its tasks ends. */
static double bag_there(const points *p, const recording *there, const measure_bag *here, int way) {
    uint32_t shared = (1u << p->programs) - 1u;
    double last = 0.0;
    translator t;
    for (uint32_t i = 0; i < here->tasks; ++i) shared &= ~(1u << here->member[i].task.workload);
    if (way < WAYS && !translator_learn(p, shared, way, &t)) return (double)NAN;
    for (uint32_t i = 0; i < here->tasks; ++i) {
        const stage_task task = here->member[i].task;
        const uint32_t k = (uint32_t)(task.workload * WORKLOAD_SIZES + task.size);
        const double alone = way < WAYS ? translator_tell(&t, p->here[k]) : p->there[k];
        const double time = (double)there->card[k].units * alone * here->member[i].slowdown;
        if (time > last) last = time;
    }
    return last;
}

static int same_tasks(const measure_bag *a, const measure_bag *b) {
    int same = a->tasks == b->tasks;
    for (uint32_t i = 0; same && i < a->tasks; ++i)
        same = a->member[i].task.workload == b->member[i].task.workload &&
               a->member[i].task.size == b->member[i].task.size;
    return same;
}

static void print_bags(const recording *here, const recording *there, const points *p) {
    printf("  %s to %s, bags   tasks:      2      3      4      5\n", here->name, there->name);
    for (int way = 0; way <= WAYS; ++way) {
        double sum[STAGE_TASKS + 1] = {0};
        int count[STAGE_TASKS + 1] = {0};
        for (size_t i = 0; i < here->bags && i < there->bags; ++i) {
            const measure_bag *a = &here->bag[i], *b = &there->bag[i];
            if (!same_tasks(a, b)) continue;
            sum[a->tasks] += fabs(bag_there(p, there, a, way) / b->bag_ms.value - 1.0);
            ++count[a->tasks];
        }
        printf("    %-22s       ", way < WAYS ? way_name[way] : "alone measured there");
        for (int n = 2; n <= STAGE_TASKS; ++n)
            if (count[n]) printf(" %6.1f", 100.0 * sum[n] / count[n]);
            else printf("      -");
        printf("\n");
    }
}

static void translate_recordings(const char *folder) {
    static points p[RECORDINGS * RECORDINGS];
    static char text[RECORDINGS * RECORDINGS][40];
    const char *names[RECORDINGS * RECORDINGS];
    size_t n = 0;
    if (recordings < 2) {
        printf("Translation cards between machines of one's own: name two recordings of build/colocate.\n\n");
        return;
    }
    const unsigned tasks = records_tasks(recorded[0].card);
    printf("Translation cards between machines: milliseconds a unit of work alone, %u tasks of %u programs, "
           "as above\n\n",
           tasks, tasks / WORKLOAD_SIZES);
    print_header();
    for (uint32_t a = 0; a < recordings; ++a)
        for (uint32_t b = 0; b < recordings; ++b) {
            if (a == b) continue;
            points_of_recordings(&recorded[a], &recorded[b], &p[n]);
            print_translation(recorded[a].name, recorded[b].name, &p[n]);
            snprintf(text[n], sizeof text[n], "%s to %s", recorded[a].name, recorded[b].name);
            names[n] = text[n];
            ++n;
        }
    printf(
        "\n  Whole bags: times alone by a way from programs that are not in the bag, slowdowns as they were "
        "measured here\n\n");
    n = 0;
    for (uint32_t a = 0; a < recordings; ++a)
        for (uint32_t b = 0; b < recordings; ++b)
            if (a != b) print_bags(&recorded[a], &recorded[b], &p[n++]);
    printf("\n");
    print_paper();
    if (!folder) return;
    draw_told(folder, "card_machines.svg", "Milliseconds a unit, by a card that has not seen the program", p,
              n < 6 ? n : 6, names, "ms");
    draw_errors(folder, "card_machines_programs.svg",
                "Error of a card by the number of programs measured on both machines", p, n < 3 ? n : 3,
                names);
}

/* ---- clusters ---- */

static void all_clusters(sooth_env *env, const char *folder) {
    static group_set set[GAVEL_GPUS + RECORDINGS], bags[GAVEL_GPUS + RECORDINGS];
    size_t n = 0;
    for (uint32_t r = 0; r < recordings; ++r, ++n) {
        for (uint32_t i = 0; i < records_tasks(recorded[r].card); ++i) {
            const workload *w = &workloads[i / WORKLOAD_SIZES];
            float row[3];
            char label[48];
            for (int k = 0; k < 3; ++k) row[k] = (float)recorded[r].card[i].fairness[k];
            snprintf(label, sizeof label, "%s %s", w->name, w->size[i % WORKLOAD_SIZES].label);
            group_add(&set[n], recorded[r].name, label, row, 3);
        }
        for (size_t i = 0; i < recorded[r].bags; ++i) {
            double slowdown[STAGE_TASKS] = {0};
            for (uint32_t k = 0; k < recorded[r].bag[i].tasks; ++k)
                slowdown[k] = recorded[r].bag[i].member[k].slowdown;
            group_add_bag(&bags[n], recorded[r].name, slowdown, recorded[r].bag[i].tasks);
        }
    }
    for (int g = 0; g < GAVEL_GPUS; ++g, ++n) {
        static sooth_fairness_card card[GAVEL_JOBS];
        uint32_t ref[3];
        gavel_references(&gpu[g], ref);
        gavel_cards(&gpu[g], ref, card);
        for (uint32_t i = 0; i < gpu[g].jobs; ++i) {
            float row[3];
            for (uint32_t k = 0; k < 3; ++k)
                row[k] = (float)sooth_fairness_alongside(&card[i], (sooth_fairness_level)k);
            group_add(&set[n], gavel_gpu[g], card[i].name, row, 3);
            for (uint32_t j = i; j < gpu[g].jobs; ++j) {
                const double slowdown[2] = {gpu[g].slow[i][j], gpu[g].slow[j][i]};
                if (slowdown[0] > 0.0) group_add_bag(&bags[n], gavel_gpu[g], slowdown, 2);
            }
        }
    }
    printf("Figures 4 and 5: clusters by k-means, columns brought to 0 .. 1; the mean silhouette (and that "
           "of the weakest cluster)\n"
           "by the number of clusters. As `sooth cluster`, a number is supported if the mean is above the "
           "paper's 0.7 and no\n"
           "cluster is below 0.5. The paper finds 3 clusters, 0.75, among 530 combinations by fairness and "
           "by misses of two caches.\n"
           "\n");
    group_all(env, set, n, "Cards: fairness next to Low, Medium, High (on GPUs: next to three jobs)", folder,
              "clusters_cards");
    group_all(env, bags, n, "Combinations: fairness and mean slowdown, which replaces misses", folder,
              "clusters_bags");
}

int main(int argc, char **argv) {
    const char *folder = NULL, *only = NULL;
    static const char *const part[3] = {"times", "pairs", "clusters"};
    int times = 0, known = 0;
    sooth_env env;
    sooth_env_init(&env);
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) folder = argv[++i];
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
        else if (strcmp(argv[i], "--times") == 0) times = 1;
        else if (argv[i][0] == '-')
            return fail("usage: cards [--out FOLDER] [--only times|pairs|clusters] [--times] "
                        "[NAME=RECORDING ...]");
        else if (read_recording(&env, argv[i])) return 1;
    }
    for (int k = 0; only && k < 3; ++k) known |= strcmp(only, part[k]) == 0;
    if (only && !known) return fail("--only must be times, pairs or clusters");
    if (!recordings && !times && read_recording(&env, "recorded=examples/colocate/data")) return 1;
    for (int g = 0; g < GAVEL_GPUS; ++g) {
        const char *wrong = gavel_read(gavel_path, gavel_gpu[g], &gpu[g]);
        if (wrong) return fail(wrong);
    }
    if (times) {
        print_times();
        return 0;
    }
    if (!only || strcmp(only, part[0]) == 0) {
        translate_gpus(folder);
        translate_recordings(folder);
    }
    if ((!only || strcmp(only, part[1]) == 0) && !all_pairs(&env, gpu, folder)) return fail(env.sentence);
    if (!only || strcmp(only, part[2]) == 0) all_clusters(&env, folder);
    return 0;
}
