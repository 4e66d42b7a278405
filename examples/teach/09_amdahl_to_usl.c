/* 09_amdahl_to_usl.c - two scaling laws of programs, and when the simpler one is too hopeful: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/09_laws.svg
 *
 * Amdahl (1967): a share s of the work cannot be divided. With t threads the rest takes 1/t of its time. So
 * T(t) = T(1) (s + (1 - s) / t), and the speedup is at most 1/s. Real programs get slower again. Threads wait
 * for each other's locks (contention). They also wait for each other's caches (coherency), and this cost
 * grows with the pairs. Gunther's Universal Scalability Law (1993) is
 *
 *     T(t) = T(1) (1 + sigma (t - 1) + kappa t (t - 1)) / t
 *
 * With kappa = 0 it is Amdahl's law. It has a best number of threads, sqrt((1 - sigma) / kappa). Few runs
 * determine it. Least squares may find kappa below 0: the program gains more from each further thread than
 * sigma allows, so that the law has no best number. Do not extrapolate it then. The third coefficient
 * followed noise, and Amdahl's law is nearer (here for four of seven programs). Neither law models the
 * machine: a second socket begins at the 13th thread.
 *
 * Exercises, with answers in answers.md:
 *   1. Which of the seven programs has the largest serial share by Amdahl's law? And which by USL?
 *   2. Fit on 1 to 6 threads, and predict for 24. For how many programs is USL nearer than Amdahl?
 *   3. Where is the best number of threads of canneal by the law, and where in truth?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/scaling.h"

enum { MOST = 24 };

/* ---- 1. By hand: try every sigma and kappa of a fine grid, with the best T(1) for each. The best law has
   the min sum of ((T - measured) / measured)^2. So every run counts the same, however fast. ---- */

typedef struct law {
    double one, sigma, kappa, error;
} law;

static double law_time(const law *l, double t) {
    return l->one * (1 + l->sigma * (t - 1) + l->kappa * t * (t - 1)) / t;
}

static law fit_law(const float *t, const float *y, size_t n, double most_kappa) {
    law best = {0, 0, 0, INFINITY};
    for (double sigma = 0; sigma <= 0.5; sigma += 0.001)
        for (double kappa = 0; kappa <= most_kappa; kappa += 0.00005) {
            law l = {1, sigma, kappa, 0};
            double up = 0, down = 0;
            for (size_t i = 0; i < n; ++i) {
                const double share = law_time(&l, (double)t[i]) / (double)y[i];
                up += share;
                down += share * share;
            }
            l.one = up / down;
            for (size_t i = 0; i < n; ++i) l.error += pow(law_time(&l, (double)t[i]) / (double)y[i] - 1, 2);
            if (l.error < best.error) best = l;
        }
    return best;
}

/* Reads seconds for a fixed piece of work at 2.4 GHz (one thread: 100), by threads. */
static void times_of(const measurements *m, const char *program, float *t, float *y) {
    const sooth_table all = rows_of(m, program, 1);
    for (size_t i = 0, at = 0; i < all.rows; ++i)
        if (all.x[i * all.stride + 1] == 2400) {
            t[at] = all.x[i * all.stride];
            y[at++] = 1 / all.y[i];
        }
    for (size_t i = MOST; i-- > 0;) y[i] *= 100 / y[0];
}

static double off_after(const sooth_scaling *model, const float *t, const float *y, size_t from) {
    float said[MOST];
    sooth_scaling_predict_many(model, t, MOST, 1, said);
    return off_by(y + from, said + from, MOST - from);
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz"};
    static const char *const names[] = {"measured", "Amdahl", "USL"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "throughput", "app");
    sooth_scaling_options amdahl = {.law = SOOTH_SCALING_AMDAHL}, usl = {.law = SOOTH_SCALING_USL};
    double axis[MOST], lines[3 * MOST];
    sooth_scaling_summary summary;
    sooth_env env;
    sooth_env_init(&env);
    puts("learned from 1 to 12 threads           sigma    kappa   off by at 13 to 24: Amdahl      USL");
    for (size_t p = 0; p < m.programs; ++p) {
        float t[MOST], y[MOST];
        sooth_scaling a, u;
        times_of(&m, m.name[p], t, y);
        const sooth_table table = sooth_table_of(t, y, 12, 1);
        need(&env, sooth_scaling_fit_into(&env, &table, &amdahl, &a));
        need(&env, sooth_scaling_fit_into(&env, &table, &usl, &u));
        const double one = sooth_scaling_coefficient(&u, 0);
        printf("  %-30s %10.4f %8.5f %25.1f %% %6.1f %%\n", m.name[p], sooth_scaling_coefficient(&u, 1) / one,
               sooth_scaling_coefficient(&u, 2) / one, off_after(&a, t, y, 12), off_after(&u, t, y, 12));
        if (strcmp(m.name[p], "streamcluster") != 0) continue;
        const law l = fit_law(t, y, 12, 0.02);
        printf("  %-30s %10.4f %8.5f\n", "  by hand, on a grid", l.sigma, l.kappa);
        need(&env, sooth_scaling_summarise(&env, &u, &summary));
        printf("  %-30s %10.4f %8.5f, best with %.1f threads\n", "  give or take", summary.sigma_error,
               summary.kappa_error, summary.peak);
        for (int i = 0; i < MOST; ++i) { /* speed: T(1) / T */
            axis[i] = (double)t[i];
            lines[i] = (double)(y[0] / y[i]);
            lines[MOST + i] = (double)(y[0] / sooth_scaling_predict(&a, t + i));
            lines[2 * MOST + i] = (double)(y[0] / sooth_scaling_predict(&u, t + i));
        }
    }
    draw_lines("09_laws.svg", "The speed of streamcluster, by laws fitted to 1 to 12 threads", "threads",
               "speed, 1: one thread", axis, lines, MOST, names, 3);
    return 0;
}
