/* tell.c - see tell.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "tell.h"

#include <math.h>
#include <stdio.h>

/* How much smaller the error is than that of the best baseline, in per cent. */
static double skill(const study_score *score, int scheme, int size) {
    double best = INFINITY;
    for (int s = STUDY_LONGEST; s <= STUDY_STAYING; ++s) best = fmin(best, score[s].unseen[size]);
    return 100.0 * (1.0 - score[scheme].unseen[size] / best);
}

/* Whether the paper's fairness helps on this machine, and with which thresholds. */
static void tell_fairness(const study_score *score) {
    static const char *const helped[4] = {"no bags", "pairs alone", "three to five alone", "all bags"};
    const double *without = score[STUDY_TREE_ALONE].unseen, *with = score[STUDY_TREE_FAIR].unseen,
                 *clusters = score[STUDY_TREE_CLUSTERS].unseen;
    printf("Fairness helps the paper's tree with %s: %.1f and %.1f %% without, %.1f and %.1f %% with it. "
           "Terciles of the\n"
           "others' pressure choose one of the three here, so that each level has equally many tasks.\n"
           "Three clusters, as its Figure 4 suggests, give %.1f and %.1f %%.\n",
           helped[(with[0] < without[0]) + 2 * (with[1] < without[1])], without[0], without[1], with[0],
           with[1], clusters[0], clusters[1]);
}

void tell_scores(const study_score *score) {
    printf("\nMean absolute error,        a program never seen      seen before      skill (never seen)\n"
           "%% of the measured time         pairs     3 to 5     pairs  3 to 5       pairs   3 to 5\n");
    for (int s = 0; s < STUDY_SCHEMES; ++s) {
        const study_score *r = &score[s];
        if (s == STUDY_TREE_ALONE || s == STUDY_PAIRS_BESIDE || s == STUDY_TREE_RATIO || s == STUDY_CHOSEN)
            printf("\n");
        printf("  %-26s %7.1f %10.1f %9.1f %7.1f", study_form_of((study_scheme)s)->name, r->unseen[0],
               r->unseen[1], r->random[0], r->random[1]);
        if (s > STUDY_STAYING) printf(" %10.0f %% %6.0f %%", skill(score, s, 0), skill(score, s, 1));
        printf("\n");
    }
    printf("\n"
           "The first two columns leave every workload out in turn, so they are for unseen programs. The "
           "others\n"
           "split at random. Skill: how much the error is below that of the best of the first four rows, "
           "which have\n"
           "no model. \"From pairs\" was not trained on bags of three or more. \"Chosen without "
           "looking\" is the one\n"
           "over sharing with the min error inside the training bags. The choice is repeated for each "
           "test, and\n"
           "drawn towards no migration as far as that helps there. The paper (Moolchandani et al. 2022)\n"
           "reports 9 %% for pairs and 7 to 10 %% for three to five, on a GPU.\n");
    tell_fairness(score);
}

void tell_importances(study_scheme scheme, const study_importance *importance) {
    printf("\nWhat the trees look at      moves the prediction, %%   gain, %%   on the way of, %%   "
           "questions\n");
    for (size_t j = 0; j < STUDY_FEATURES; ++j)
        printf("  %-32s %12.1f %12.1f %14.1f %13.2f\n", importance[j].name, 100 * importance[j].shap,
               100 * importance[j].gain, 100 * importance[j].rows, importance[j].asked);
    printf("The first two columns are of %s. The others are of the decision paths of the single tree over\n"
           "sharing, for bags whose workload was left out, as in the paper's Figures 9 and 10.\n",
           study_form_of(scheme)->name);
}

void tell_power(const study_power *power) {
    if (!power->bags) {
        printf("\nTime only: these measurements have no energy of the processor.\n");
        return;
    }
    printf("\nPower and energy of the processor, %% off, a program never seen, %zu bags      pairs      3 to "
           "5\n",
           power->bags);
    printf("  %-72s %6.1f %11.1f\n", "mean power", power->mean[0], power->mean[1]);
    printf("  %-72s %6.1f %11.1f\n", "power, forest on our features", power->power[0], power->power[1]);
    printf("  %-72s %6.1f %11.1f\n", "energy = power x time, both predicted", power->energy[0],
           power->energy[1]);
    printf("The paper reports 3 to 6 %% for the power of pairs, 5 to 8.5 %% for three to five, on a GPU.\n");
}

double tell_held_out(const study_data *data, const study_model *model, const study_model *power, double cap_w,
                     size_t held_out) {
    double sum = 0.0;
    printf("\nMeasured after the model was trained                                           predicted  "
           "measured   "
           "error%s\n",
           power ? "   joules predicted  measured" : "");
    for (size_t i = data->bags - held_out; i < data->bags; ++i) {
        const study_bag *bag = &data->bag[i];
        double p = study_predict(model, data, bag), error = 100.0 * (p - bag->bag_ms) / bag->bag_ms;
        char name[300];
        size_t n = 0;
        name[0] = 0;
        for (uint32_t k = 0; k < bag->tasks; ++k)
            n += sooth_text_format(name + n, sizeof name - n, k ? " + %s" : "%s",
                                   data->card[bag->card[k]].name);
        printf("  %-76.76s %7.1f ms %6.1f ms %+6.1f %%", name, p, bag->bag_ms, error);
        if (power)
            printf(" %18.3f %9.3f", study_energy(data, bag, p, study_predict(power, data, bag), cap_w),
                   1e-3 * bag->bag_ms * bag->watts);
        printf("\n");
        sum += fabs(error);
    }
    return held_out ? sum / (double)held_out : NAN;
}

/* ---- the decision ---- */

void tell_placement(const study_data *data, const placement *p) {
    const placement_pairs *chosen = &p->list[p->named[PLACEMENT_CHOSEN]];
    printf("\n"
           "Which of %d waiting jobs to run together on %u cores? The min predicted makespan\n"
           "of %u placements%s, each pair predicted by a model fitted without its programs:\n",
           (int)PLACEMENT_JOBS, data->cores, p->placements,
           p->placements < PLACEMENTS ? " (of 105; those that were run)" : "");
    for (uint32_t k = 0; k < PLACEMENT_JOBS; k += 2) {
        const sooth_fairness_card *a = &data->card[p->card[chosen->job[k]]],
                                  *b = &data->card[p->card[chosen->job[k + 1]]];
        printf("  %-20s %5.1f ms   with    %-20s %5.1f ms   together %5.1f ms\n", a->name,
               a->value[SOOTH_FAIRNESS_ALONE_TIME], b->name, b->value[SOOTH_FAIRNESS_ALONE_TIME],
               p->predicted_ms[placement_pair(chosen->job[k], chosen->job[k + 1])]);
    }
    if (!p->turns) {
        printf("Predicted makespan %.1f ms, of the worst placement %.1f ms. It was not run: there is no "
               "placement.csv.\n",
               placement_ms(p->predicted_ms, chosen),
               placement_ms(p->predicted_ms, &p->list[p->named[PLACEMENT_WORST]]));
        return;
    }
    printf("\nChecked by running it; makespan, ms    predicted");
    for (uint32_t turn = 0; turn < p->turns; ++turn)
        printf("   %s", p->turns == 1 ? "   measured" : turn ? "second turn" : " first turn");
    printf("    rank\n");
    for (uint32_t name = 0; name < PLACEMENT_NAMES; ++name) {
        const placement_pairs *one = &p->list[p->named[name]];
        printf("  %-34s %11.1f", placement_title((placement_name)name), placement_ms(p->predicted_ms, one));
        for (uint32_t turn = 0; turn < p->turns; ++turn)
            printf(" %13.1f", placement_ms(p->measured_ms[turn], one));
        printf("  %3u/%u\n", placement_better(p, p->named[name]) + 1, p->placements);
    }
    double ours = placement_measured(p, chosen);
    double best = placement_measured(p, &p->list[p->named[PLACEMENT_BEST]]);
    printf("The chosen placement took %.1f %% more than the best one; a random one takes %.1f %% more on "
           "average.\n"
           "Predicted makespans are off by %.1f %%, the times of single pairs by %.1f %%",
           100.0 * (ours / best - 1.0), 100.0 * (placement_random(p) / best - 1.0), placement_error(p),
           placement_pair_error(p));
    if (p->turns > 1) printf("; the same pair in the two turns differs by %.1f %%", placement_noise(p));
    printf(".\n");
}
