/* test_configure.c - choices, experiments and the closed loop of configure.h against brute force, simulation
 * and published measurements.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/configure.h"
#include "sooth/halton.h"
#include "check.h"
#include "golden/scaling_parsec.h"
#include "../examples/scale/parsec.h"

/* A program on the machine, drawn at random: time by the law of time_log, power by power_speed, each run with
   noise. */
typedef struct program {
    double time[CONFIGURATIONS], power[CONFIGURATIONS];
} program;

static void draw(sooth_rng *rng, program *p) {
    double w[6], b[6], level = 30 + 100 * sooth_rng_double(rng), mean = 0;
    size_t i, j;
    for (j = 0; j < 6; ++j) {
        w[j] = machine->usual[0].mean[j] +
               sqrt(machine->usual[0].covariance[j * 9]) * sooth_rng_normal(rng) * (j ? 1.0 : 0.02);
        b[j] = machine->usual[1].mean[j] * (1 + 0.2 * sooth_rng_normal(rng));
    }
    for (i = 0; i < CONFIGURATIONS; ++i) {
        double t = (double)(i / 13 + 1), g = 1 + (double)(i % 13) / 12, k = t > 12 ? 2 : 1, lt = log(t);
        p->time[i] = exp(w[0] + w[1] * lt + w[2] * log(g) + w[3] * lt * lt + w[4] * (k - 1) +
                         w[5] * (k - 1) * (12 * k - t) / 11);
        mean += 1 / p->time[i] / CONFIGURATIONS;
    }
    for (i = 0; i < CONFIGURATIONS; ++i) {
        float row[3];
        double x[6];
        row[0] = machine->row[2 * i];
        row[1] = machine->row[2 * i + 1];
        row[2] = (float)(1 / p->time[i] / mean);
        soothi_scaling_terms_at(&machine->power_model, row, x);
        p->power[i] = 0;
        for (j = 0; j < 6; ++j) p->power[i] += level * b[j] * x[j];
    }
}

static sooth_configure_run run_of(const program *p, uint32_t which, sooth_rng *rng) {
    sooth_configure_run run;
    run.which = which;
    run.program = 0;
    run.time = (float)(p->time[which] * exp(0.03 * sooth_rng_normal(rng)));
    run.power = (float)(p->power[which] * (1 + 0.01 * sooth_rng_normal(rng)));
    return run;
}

/* ---- predictions ---- */

/* The fast path in float, eight configurations at a time, is scaling.h's one by one in double. */
static void equals_scaling_one_by_one(void) {
    static const uint32_t laws[4][2] = {{0, 0},
                                        {SOOTH_SCALING_TIME, SOOTH_SCALING_POWER},
                                        {SOOTH_SCALING_GUSTAFSON, SOOTH_SCALING_POWER_PRINTED},
                                        {SOOTH_SCALING_USL, SOOTH_SCALING_POWER_SPEED}};
    sooth_configure_options options = xeon();
    program p;
    sooth_rng rng;
    size_t l, i;
    sooth_rng_init(&rng, 1, 0);
    init(&options);
    CHECK_STATUS(sooth_configure_fit(&env, machine, NULL, 0), SOOTH_OK);
    draw(&rng, &p);
    for (l = 0; l < 4; ++l) {
        sooth_configure_run run[7];
        double mean = 0;
        for (i = 0; i < 7; ++i) run[i] = run_of(&p, (uint32_t)(45 * i + 20 + i), &rng);
        options.time_law = laws[l][0];
        options.power_law = laws[l][1];
        init(&options);
        CHECK_STATUS(sooth_configure_fit(&env, machine, run, 7), SOOTH_OK);
        for (i = 0; i < CONFIGURATIONS; ++i) mean += 1 / (double)machine->time[i] / CONFIGURATIONS;
        for (i = 0; i < CONFIGURATIONS; ++i) {
            float row[3];
            double error;
            row[0] = machine->row[2 * i];
            row[1] = machine->row[2 * i + 1];
            row[2] = (float)(1 / (double)machine->time[i] / mean);
            if (machine->measured[i]) continue;
            CHECK_NEAR(machine->time[i], sooth_scaling_predict(&machine->time_model, row),
                       1e-5 * (double)machine->time[i]);
            CHECK_NEAR(machine->power[i], sooth_scaling_predict(&machine->power_model, row),
                       1e-5 * (double)machine->power[i]);
            error = soothi_scaling_predict_error(&machine->time_model, row, 1);
            CHECK_NEAR(machine->time_error[i], error, 1e-4 * error);
            error = soothi_scaling_predict_error(&machine->power_model, row, 1);
            /* what is unknown about the speed counts too */
            if (machine->power_model.law == SOOTH_SCALING_POWER_SPEED) {
                double g = machine->power_model.coefficient[5] / (double)machine->power[i], x[6];
                soothi_scaling_terms_at(&machine->power_model, row, x);
                g *= x[5] * (double)machine->time_error[i];
                error = sqrt(error * error + g * g);
            }
            CHECK_NEAR(machine->power_error[i], error, 1e-3 * error);
        }
        for (i = 0; i < 7; ++i) {
            CHECK(machine->measured[run[i].which]);
            CHECK_NEAR(machine->time[run[i].which], run[i].time, 0);
            CHECK_NEAR(machine->power_error[run[i].which], 0, 0);
        }
        if (check_failures) return;
    }
}

/* ---- choices ---- */

/* Predictions of another model. */
static void predict_at_random(sooth_configure *c, sooth_rng *rng) {
    for (size_t i = 0; i < c->count; ++i) {
        c->time[i] = 1.0f + (float)sooth_rng_below(rng, 40);
        c->power[i] = 1.0f + (float)sooth_rng_below(rng, 40);
        c->time_error[i] = 0.3f * sooth_rng_float(rng);
        c->power_error[i] = 0.3f * sooth_rng_float(rng);
    }
}

/* Every goal, bound and risk against plain loops over any grid with three knobs, with predictions of another
   model. */
static void choices_equal_brute_force(void) {
    static const double risks[3] = {0, 0.5, 0.02}, z[3] = {1, 0, 2.0537489106318225};
    static float rows[3 * 100];
    uint32_t trial;
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    for (trial = 0; trial < 3000; ++trial) {
        size_t n = 1 + trial % 100, i, best = n;
        double least = 1e300;
        sooth_configure_goal goal;
        sooth_configure_choice choice;
        sooth_status status;
        memset(&goal, 0, sizeof goal);
        goal.minimum = trial % SOOTH_CONFIGURE_MINIMA;
        goal.risk = risks[trial % 3];
        if (trial % 4 != 1) goal.most_time = 45 * sooth_rng_double(&rng) + 0.1;
        if (trial % 4 != 2) goal.most_power = 45 * sooth_rng_double(&rng) + 0.1;
        CHECK_STATUS(sooth_configure_init(&env, NULL, rows, n, 3, memory, sizeof memory, &machine), SOOTH_OK);
        predict_at_random(machine, &rng);
        for (i = 0; i < n; ++i) {
            double t = (double)machine->time[i], p = (double)machine->power[i], value = p;
            if (goal.minimum == SOOTH_CONFIGURE_TIME) value = t;
            if (goal.minimum >= SOOTH_CONFIGURE_ENERGY) value = p * pow(t, goal.minimum - 1.0);
            if (goal.most_time > 0 && t * exp(z[trial % 3] * (double)machine->time_error[i]) > goal.most_time)
                continue;
            if (goal.most_power > 0 &&
                p * exp(z[trial % 3] * (double)machine->power_error[i]) > goal.most_power)
                continue;
            if (value < least) {
                least = value;
                best = i;
            }
        }
        status = sooth_configure_choose(&env, machine, &goal, &choice);
        CHECK(status == (best < n ? SOOTH_OK : SOOTH_BAD_ARGUMENT) && choice.feasible == (best < n));
        if (best < n) CHECK(choice.which == best);
        else { /* the closest */ double closest = 1e300, mine = 0;
            for (i = 0; i < n; ++i) {
                double t = goal.most_time > 0
                               ? (double)machine->time[i] *
                                     exp(z[trial % 3] * (double)machine->time_error[i]) / goal.most_time
                               : 0;
                double p = goal.most_power > 0
                               ? (double)machine->power[i] *
                                     exp(z[trial % 3] * (double)machine->power_error[i]) / goal.most_power
                               : 0;
                double ratio = t > p ? t : p;
                if (ratio < closest) closest = ratio;
                if (i == choice.which) mine = ratio;
            }
            CHECK_NEAR(mine, closest, 1e-6 * closest);
            CHECK(strstr(env.sentence, "no configuration keeps the bound") != NULL);
        }
        if (check_failures) return;
    }
}

/* The probability of breaking the bound is a parameter: of 3,000 programs drawn from the prior, as many
   choices break the bound as they said they would (the posterior of each configuration is right whatever it
   is chosen by), and fewer than `risk`. */
static void the_risk_is_what_it_says(void) {
    CHECK_SLOW();
    static const double risks[3] = {0.5, 0.1587, 0.05};
    sooth_configure_options options = xeon();
    sooth_rng rng;
    size_t r, i;
    uint32_t trial;
    sooth_rng_init(&rng, 4, 0);
    init(&options);
    for (r = 0; r < 3; ++r) {
        double broken = 0, said = 0;
        int choices = 0;
        for (trial = 0; trial < 3000; ++trial) {
            program p;
            sooth_configure_run run[4];
            sooth_configure_goal goal;
            sooth_configure_choice choice;
            draw(&rng, &p);
            for (i = 0; i < 4; ++i) run[i] = run_of(&p, sooth_rng_below(&rng, CONFIGURATIONS), &rng);
            CHECK_STATUS(sooth_configure_fit(&env, machine, run, 4), SOOTH_OK);
            memset(&goal, 0, sizeof goal);
            goal.most_time = (double)run[trial % 4].time * 0.8;
            goal.risk = risks[r];
            if (sooth_configure_choose(&env, machine, &goal, &choice) != SOOTH_OK ||
                machine->measured[choice.which])
                continue;
            said += choice.risk;
            broken += (double)run_of(&p, choice.which, &rng).time > goal.most_time;
            CHECK(choice.risk <= risks[r] + 1e-3);
            ++choices;
        }
        CHECK(choices > 1000);
        CHECK_NEAR(broken / choices, said / choices, 0.025);
    }
}

/* The verdicts of section IV-D on four configurations. */
static void verdicts(void) {
    static const float time[4] = {10, 8, 6, 5}, power[4] = {20, 30, 45, 80};
    sooth_configure_goal goal;
    sooth_configure_score s;
    memset(&goal, 0, sizeof goal);
    goal.most_time = 8.5;
    s = sooth_configure_judge(&goal, time, power, 4, 1);
    CHECK(s.verdict == SOOTH_CONFIGURE_SUCCESS && s.ideal == 1);
    CHECK_NEAR(s.loss, 0, 0);
    s = sooth_configure_judge(&goal, time, power, 4, 2);
    CHECK(s.verdict == SOOTH_CONFIGURE_LOSS);
    CHECK_NEAR(s.loss, 0.5, 1e-12);
    s = sooth_configure_judge(&goal, time, power, 4, 0);
    CHECK(s.verdict == SOOTH_CONFIGURE_MISS);
    CHECK_NEAR(s.violation, 10 / 8.5 - 1, 1e-12);
    goal.minimum = SOOTH_CONFIGURE_TIME;
    goal.most_time = 0;
    goal.most_power = 50;
    s = sooth_configure_judge(&goal, time, power, 4, 0);
    CHECK(s.ideal == 2 && s.verdict == SOOTH_CONFIGURE_LOSS);
    CHECK_NEAR(s.loss, 10.0 / 6 - 1, 1e-12);
    goal.most_power = 10; /* nobody can */
    CHECK(sooth_configure_judge(&goal, time, power, 4, 0).verdict == SOOTH_CONFIGURE_SUCCESS);
    CHECK(sooth_configure_judge(&goal, time, power, 4, 1).verdict == SOOTH_CONFIGURE_MISS);
}

/* ---- experiments ---- */

/* Inverts a 6 x 6 matrix in place by Gauss and Jordan. */
static void invert(double a[6][6]) {
    double b[6][12];
    size_t i, j, k;
    for (i = 0; i < 6; ++i)
        for (j = 0; j < 12; ++j) b[i][j] = j < 6 ? a[i][j] : i == j - 6 ? 1 : 0;
    for (k = 0; k < 6; ++k) {
        size_t p = k;
        for (i = k; i < 6; ++i)
            if (fabs(b[i][k]) > fabs(b[p][k])) p = i;
        for (j = 0; j < 12; ++j) {
            double t = b[k][j];
            b[k][j] = b[p][j];
            b[p][j] = t;
        }
        for (j = 12; j-- > k;) b[k][j] /= b[k][k];
        for (i = 0; i < 6; ++i)
            for (j = 12; i != k && j-- > k;) b[i][j] -= b[i][k] * b[k][j];
    }
    for (i = 0; i < 6; ++i)
        for (j = 0; j < 6; ++j) a[i][j] = b[i][j + 6];
}

/* The law's terms, relative to the prediction where the law is of power itself. */
static void gradient(int m, size_t i, double *x) {
    const sooth_scaling *model = m ? &machine->power_model : &machine->time_model;
    float row[3];
    double line = 0;
    size_t j;
    row[0] = machine->row[2 * i];
    row[1] = machine->row[2 * i + 1];
    row[2] = machine->speed[i];
    soothi_scaling_terms_at(model, row, x);
    for (j = 0; j < 6; ++j) line += model->coefficient[j] * x[j];
    for (j = 0; j < 6 && m; ++j) x[j] /= line / model->level;
}

/* How unevenly the measured configurations, and i, lie among all: the sum as it stands in the header. */
static double unevenness(size_t i) {
    double sum = 0, shares = 0, n = 1;
    size_t p, q, s;
    for (s = 0; s < CONFIGURATIONS; ++s) n += machine->measured[s];
    for (p = 0; p < 64; ++p) {
        double all = 0, runs = 0, share = 1 / (1.0 + (double)((p / 8) * (p / 8)));
        q = p % 8;
        share /= 1.0 + (double)(q * q);
        shares += share;
        for (s = 0; s < CONFIGURATIONS; ++s) {
            double wave = cos(3.14159265358979324 * (double)(p / 8) * (double)(s / 13) / 23) *
                          cos(3.14159265358979324 * (double)q * (double)(s % 13) / 12);
            if (p / 8) wave *= sqrt(2);
            if (q) wave *= sqrt(2);
            all += wave / CONFIGURATIONS;
            if (machine->measured[s] || s == i) runs += wave / n;
        }
        sum += share * (all - runs) * (all - runs);
    }
    return sum / shares;
}

/* Under the usual prior: for every configuration the information matrix with its run added is inverted and
   the variance of all predictions summed anew; the next experiment is the one with the least, after three
   runs with the unevenness on top. D: the largest growth of the determinant = of x' C x / noise. */
static void experiments_equal_brute_force(void) {
    sooth_configure_options options = xeon();
    program p;
    sooth_rng rng;
    size_t i, n, j, k, s;
    int m;
    sooth_rng_init(&rng, 5, 0);
    init(&options);
    CHECK_STATUS(sooth_configure_fit(&env, machine, NULL, 0), SOOTH_OK);
    draw(&rng, &p);
    for (n = 0; n < 6; ++n) {
        sooth_configure_run run[6];
        sooth_configure_experiment next[2];
        double information[2][6][6], x[6], best = 1e300, widest = -1, after[2] = {0, 0}, now[2] = {0, 0};
        size_t at = 0, widest_at = 0;
        for (i = 0; i < n; ++i) run[i] = run_of(&p, (uint32_t)(51 * i + 30), &rng);
        CHECK_STATUS(sooth_configure_fit(&env, machine, run, n), SOOTH_OK);
        CHECK_STATUS(sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next[0]), SOOTH_OK);
        CHECK_STATUS(sooth_configure_next(&env, machine, SOOTH_CONFIGURE_D, &next[1]), SOOTH_OK);
        for (m = 0; m < 2; ++m) {
            double noise = machine->usual[m].noise;
            memset(information[m], 0, sizeof information[m]);
            for (j = 0; j < 6; ++j) information[m][j][j] = 1 / machine->usual[m].covariance[j * 9];
            for (i = 0; i < n; ++i) {
                const sooth_scaling *model = m ? &machine->power_model : &machine->time_model;
                float row[3];
                row[0] = machine->row[2 * run[i].which];
                row[1] = machine->row[2 * run[i].which + 1];
                row[2] = machine->speed[run[i].which];
                soothi_scaling_terms_at(model, row, x);
                for (j = 0; j < 6 && m; ++j) x[j] *= model->level / (double)run[i].power;
                for (j = 0; j < 6; ++j)
                    for (k = 0; k < 6; ++k) information[m][j][k] += x[j] * x[k] / (noise * noise);
            }
        }
        for (i = 0; i <= CONFIGURATIONS; ++i) { /* the last: without any more */
            double sum = 0, wide = 0, part[2] = {0, 0};
            if (i < CONFIGURATIONS && machine->measured[i]) continue;
            for (m = 0; m < 2; ++m) {
                double c[6][6], noise = machine->usual[m].noise, v = 0;
                memcpy(c, information[m], sizeof c);
                if (i < CONFIGURATIONS) {
                    double old[6][6];
                    gradient(m, i, x);
                    memcpy(old, c, sizeof old);
                    invert(old);
                    for (j = 0; j < 6; ++j)
                        for (k = 0; k < 6; ++k) {
                            v += x[j] * old[j][k] * x[k];
                            c[j][k] += x[j] * x[k] / (noise * noise);
                        }
                    wide += log(1 + v / (noise * noise));
                }
                invert(c);
                for (s = 0; s < CONFIGURATIONS; ++s) {
                    gradient(m, s, x);
                    for (j = 0; j < 6; ++j)
                        for (k = 0; k < 6; ++k) part[m] += x[j] * c[j][k] * x[k] / CONFIGURATIONS;
                }
                sum += part[m];
            }
            if (i < CONFIGURATIONS && n >= 3) sum += 3.0 * (double)n * 0.001 * unevenness(i);
            if (i == CONFIGURATIONS) memcpy(now, part, sizeof now);
            else if (sum < best * (1 - 1e-7)) {
                best = sum;
                at = i;
                memcpy(after, part, sizeof after);
            }
            if (i < CONFIGURATIONS && wide > widest * (1 + 1e-9)) {
                widest = wide;
                widest_at = i;
            }
        }
        CHECK(next[0].which == at && next[1].which == widest_at);
        CHECK_NEAR(next[0].time_error, sqrt(now[0]), 1e-4 * sqrt(now[0]));
        CHECK_NEAR(next[0].power_error, sqrt(now[1]), 2e-3 * sqrt(now[1]));
        CHECK_NEAR(next[0].time_after, sqrt(after[0]), 1e-4 * sqrt(after[0]));
        CHECK_NEAR(next[0].power_after, sqrt(after[1]), 2e-3 * sqrt(after[1]));
        CHECK(next[0].enough == (now[0] <= 0.0009 && now[1] <= 0.0001));
    }
}

/* ---- many experiments ---- */

enum { COUNTS = 10 };
static const uint32_t counts[COUNTS] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 20};

/* Accuracy of time and power with the first counts[k] runs of program a of `parsec` (parsec_accuracy), at
   points of own choice or Halton's from point 1; added to mean[k]. */
static void accuracies(uint32_t a, int own, double mean[COUNTS][2]) {
    static const uint32_t levels[2] = {24, 13};
    static double room[2048];
    static double touched[32];
    sooth_halton_options dims = {2, 0, 0, 0};
    sooth_grid_options knobs;
    sooth_configure_run run[20];
    sooth_halton *halton;
    sooth_grid *grid;
    memset(&knobs, 0, sizeof knobs);
    knobs.knobs = 2;
    knobs.levels = levels;
    CHECK_STATUS(sooth_halton_init(&env, &dims, room, sizeof room, &halton), SOOTH_OK);
    CHECK_STATUS(sooth_grid_init(&env, &knobs, touched, sizeof touched, &grid), SOOTH_OK);
    grid->next = 1;
    CHECK(init(&published));
    for (uint32_t i = 0, k = 0; i <= 20; ++i) {
        sooth_configure_experiment next;
        uint32_t level[2];
        CHECK_STATUS(sooth_configure_fit(&env, machine, run, i), SOOTH_OK);
        if (counts[k] == i) {
            double accuracy[4];
            parsec_accuracy(a, accuracy);
            mean[k][0] += accuracy[0];
            mean[k++][1] += accuracy[2];
        }
        if (i == 20) break;
        if (own) {
            CHECK_STATUS(sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next), SOOTH_OK);
        } else {
            CHECK(sooth_grid_next(grid, sooth_halton_row, halton, level));
            next.which = level[0] * 13 + level[1];
        }
        run[i] = parsec_run(a, next.which);
    }
}

static void print_accuracies(const char *what, double mean[COUNTS][2]) {
    for (int m = 0; m < 2 && check_is_slow(); ++m) {
        printf("  %-24s %-6s", what, m ? "power" : "time");
        for (int k = 0; k < COUNTS; ++k) printf(" %6.2f", mean[k][m]);
        printf("\n");
    }
}

/* 40 programs that no law of scaling.h is the truth of: 3 % of time and 1 % of power are waves, and half of
   them have a step of 6 % at some number of threads. From four runs on, own choice is at least as good as
   Halton's points, and far better than the choice of least variance alone (see the header), which stays at
   97.5 from ten runs on. */
static void own_choice_evens_out_what_no_law_says(void) {
    double own[COUNTS][2], halton[COUNTS][2];
    const uint32_t before = programs;
    sooth_rng rng;
    sooth_rng_init(&rng, 15, 0);
    memset(own, 0, sizeof own);
    memset(halton, 0, sizeof halton);
    published = xeon();
    programs = PROGRAMS;
    for (int drawn = 0; drawn < 40; ++drawn) {
        double size[2][8], wave[2][8][3];
        const double step = drawn % 2 ? 0.06 * sooth_rng_normal(&rng) : 0;
        const uint32_t from = 2 + sooth_rng_below(&rng, 22);
        program p;
        init(&published);
        CHECK_STATUS(sooth_configure_fit(&env, machine, NULL, 0), SOOTH_OK);
        draw(&rng, &p);
        for (int m = 0; m < 2; ++m)
            for (int w = 0; w < 8; ++w) {
                size[m][w] = (m ? 0.01 : 0.03) / 2 * sooth_rng_normal(&rng);
                for (int k = 0; k < 3; ++k) wave[m][w][k] = 4 * sooth_rng_normal(&rng);
            }
        for (uint32_t i = 0; i < CONFIGURATIONS; ++i) {
            double off[2] = {i / 13 + 1 >= from ? step : 0, 0};
            for (int m = 0; m < 2; ++m)
                for (int w = 0; w < 8; ++w)
                    off[m] +=
                        1.41 * size[m][w] *
                        cos(wave[m][w][0] * (i / 13) / 23 + wave[m][w][1] * (i % 13) / 12 + wave[m][w][2]);
            parsec[PROGRAMS - 1].time[i] = (float)(p.time[i] * exp(off[0]));
            parsec[PROGRAMS - 1].power[i] = (float)(p.power[i] * exp(off[1]));
        }
        accuracies(PROGRAMS - 1, 1, own);
        accuracies(PROGRAMS - 1, 0, halton);
    }
    programs = before;
    for (int k = 0; k < COUNTS; ++k)
        for (int m = 0; m < 2; ++m) {
            own[k][m] /= 40;
            halton[k][m] /= 40;
            if (counts[k] >= 4) CHECK(own[k][m] >= halton[k][m] - 0.06);
        }
    print_accuracies("drawn, own choice", own);
    print_accuracies("drawn, Halton", halton);
    CHECK(own[COUNTS - 1][0] > own[5][0] + 0.2); /* 20 runs are better than 8 */
}

/* Rows in the opposite order are the same configurations; a knob that never changes, or is not there, has
   nothing to even out. */
static void the_order_of_rows_does_not_matter(void) {
    static float rows[2 * CONFIGURATIONS], all[2 * CONFIGURATIONS];
    static const uint32_t which[5] = {160, 82, 235, 44, 300};
    sooth_configure_options options = xeon();
    sooth_configure_experiment next[2];
    sooth_configure_run run[5];
    program p;
    sooth_rng rng;
    sooth_rng_init(&rng, 16, 0);
    CHECK(init(&options));
    CHECK_STATUS(sooth_configure_fit(&env, machine, NULL, 0), SOOTH_OK);
    draw(&rng, &p);
    for (uint32_t i = 0; i < 5; ++i) run[i] = run_of(&p, which[i], &rng);
    CHECK_STATUS(sooth_configure_fit(&env, machine, run, 5), SOOTH_OK);
    CHECK_STATUS(sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next[0]), SOOTH_OK);
    memcpy(all, machine->row, sizeof all);
    for (uint32_t i = 0; i < CONFIGURATIONS; ++i) memcpy(rows + 2 * i, all + 2 * (311 - i), 2 * sizeof *rows);
    for (uint32_t i = 0; i < 5; ++i) run[i].which = 311 - which[i];
    CHECK_STATUS(
        sooth_configure_init(&env, &options, rows, CONFIGURATIONS, 2, memory, sizeof memory, &machine),
        SOOTH_OK);
    CHECK_STATUS(sooth_configure_fit(&env, machine, run, 5), SOOTH_OK);
    CHECK_STATUS(sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next[1]), SOOTH_OK);
    CHECK(next[1].which == 311 - next[0].which);
    for (uint32_t knobs = 1; knobs <= 2; ++knobs) {
        for (uint32_t i = 0; i < 24; ++i) {
            rows[knobs * i] = (float)(i + 1);
            if (knobs == 2) rows[2 * i + 1] = 1.2f;
        }
        CHECK_STATUS(sooth_configure_init(&env, &options, rows, 24, knobs, memory, sizeof memory, &machine),
                     SOOTH_OK);
        for (uint32_t i = 0; i < 5; ++i) { /* 1 to 5 threads are known: many should be next */
            run[i].which = i;
            run[i].time = (float)p.time[13 * i];
            run[i].power = (float)p.power[13 * i];
        }
        CHECK_STATUS(sooth_configure_fit(&env, machine, run, 5), SOOTH_OK);
        CHECK_STATUS(sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next[knobs - 1]), SOOTH_OK);
        CHECK(next[knobs - 1].which > 12);
    }
    CHECK(next[0].which == next[1].which);
}

/* It ends, with the bound kept wherever one can keep it, and says so where one cannot. */
static void the_loop_keeps_every_bound(void) {
    sooth_configure_options options = xeon();
    sooth_rng rng;
    uint32_t trial;
    double runs = 0;
    sooth_rng_init(&rng, 6, 0);
    init(&options);
    CHECK_STATUS(sooth_configure_fit(&env, machine, NULL, 0), SOOTH_OK);
    for (trial = 0; trial < 400; ++trial) {
        sooth_configure_run run[20];
        sooth_configure_loop loop;
        float time[CONFIGURATIONS], power[CONFIGURATIONS], t = 0, w = 0;
        double low = 1e300, high = 0;
        size_t i;
        sooth_configure_score score;
        program p;
        draw(&rng, &p);
        for (i = 0; i < CONFIGURATIONS; ++i) { /* the noise of a configuration stays what it is */
            sooth_configure_run r = run_of(&p, (uint32_t)i, &rng);
            double v;
            time[i] = r.time;
            power[i] = r.power;
            v = (double)(trial % 2 ? r.power : r.time);
            if (v < low) low = v;
            if (v > high) high = v;
        }
        memset(&loop, 0, sizeof loop);
        loop.configure = machine;
        loop.run = run;
        loop.capacity = 20;
        loop.goal.minimum = trial % 2;
        loop.goal.risk = 0.5;
        *(trial % 2 ? &loop.goal.most_power : &loop.goal.most_time) =
            low + (high - low) * (0.05 + 0.9 * sooth_rng_double(&rng));
        while (!loop.done) {
            sooth_status status = sooth_configure_step(&env, &loop, t, w);
            CHECK(status == SOOTH_OK);
            if (status != SOOTH_OK) return;
            t = time[loop.which];
            w = power[loop.which];
        }
        score = sooth_configure_judge(&loop.goal, time, power, CONFIGURATIONS, loop.which);
        CHECK(loop.choice.feasible && score.verdict != SOOTH_CONFIGURE_MISS);
        runs += loop.runs / 400.0;
        if (trial < 4) { /* what nobody can keep */
            memset(&loop, 0, sizeof loop);
            loop.configure = machine;
            loop.run = run;
            loop.capacity = 6;
            loop.goal.most_time = 1e-9;
            while (!loop.done) {
                CHECK_STATUS(sooth_configure_step(&env, &loop, t, w), SOOTH_OK);
                t = time[loop.which];
                w = power[loop.which];
            }
            CHECK(!loop.choice.feasible && loop.choice.violation > 1 && loop.runs <= 6);
        }
    }
    CHECK(runs < 6);
}

/* ---- what is refused, and what memory it takes ---- */

static void mistakes_are_sentences(void) {
    sooth_configure_options options = xeon(), one;
    sooth_configure_run run[3] = {{5, 0, 10, 20}, {200, 0, 3, 60}, {100, 1, 4, 40}}, many[65];
    sooth_configure_goal goal;
    sooth_configure_choice choice;
    sooth_configure_experiment next;
    sooth_configure_loop loop;
    sooth_scaling_prior a, b;
    static const float rows[4] = {1, 1.2f, 30, 1.2f};
    size_t size = sooth_configure_size(CONFIGURATIONS, 2), i;
    CHECK(size == (sizeof(sooth_configure) + 15) / 16 * 16 + 312 * (19 * 4 + 1) &&
          sooth_configure_size((size_t)-1, 2) == SIZE_MAX);
    CHECK_FAILS(&env, sooth_configure_init(&env, &options, NULL, 0, 2, memory, size - 1, &machine),
                SOOTH_NO_MEMORY, "312 configurations need");
    CHECK_FAILS(&env, sooth_configure_init(&env, &options, NULL, 0, 3, memory, sizeof memory, &machine),
                SOOTH_BAD_ARGUMENT,
                "rows is NULL, but the machine has 12 cores and 13 frequencies, and knobs is 3 instead of 2");
    CHECK_FAILS(&env, sooth_configure_init(&env, &options, rows, 0, 2, memory, sizeof memory, &machine),
                SOOTH_BAD_ARGUMENT, "there are 0 configurations of 2 knobs");
    CHECK_FAILS(&env, sooth_configure_init(&env, &options, rows, 2, 2, memory, sizeof memory, &machine),
                SOOTH_BAD_DATA, "configuration 1 has 30 threads at frequency 1.2");
    one = options;
    one.power_law = 3;
    CHECK_FAILS(&env, sooth_configure_init(&env, &one, NULL, 0, 2, memory, sizeof memory, &machine),
                SOOTH_BAD_ARGUMENT, "power_law is 3, but must be between 7 and 9");
    init(&options);
    CHECK_FAILS(&env, sooth_configure_next(&env, machine, 0, &next), SOOTH_BAD_ARGUMENT,
                "nothing is fitted yet");
    run[1].which = 312;
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 2), SOOTH_BAD_DATA,
                "run 2 is of configuration 312, but there are 312");
    run[1].which = 200;
    run[1].power = 0;
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 2), SOOTH_BAD_DATA,
                "run 2 has time 3 and power 0, but both must be above 0");
    run[1].power = NAN;
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 2), SOOTH_BAD_DATA,
                "run 2 has time 3 and power nan");
    run[1].power = 60;
    for (i = 0; i < 65; ++i) many[i] = run[0];
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, many, 65), SOOTH_BAD_ARGUMENT,
                "there are 65 runs, but must be at most 64");
    CHECK_STATUS(sooth_configure_fit(&env, machine, run, 2), SOOTH_OK);
    CHECK_FAILS(&env, sooth_configure_next(&env, machine, 2, &next), SOOTH_BAD_ARGUMENT, "design is 2");
    memset(&goal, 0, sizeof goal);
    goal.most_time = 0.5;
    CHECK_FAILS(&env, sooth_configure_choose(&env, machine, &goal, &choice), SOOTH_BAD_ARGUMENT,
                "no configuration keeps the bound of 0.5 on time");
    CHECK(!choice.feasible && choice.violation > 0 && choice.risk > 0.9);
    CHECK_NEAR(choice.violation, choice.time / 0.5 - 1, 1e-12);
    goal.most_time = 100;
    goal.most_power = 1;
    CHECK_FAILS(&env, sooth_configure_choose(&env, machine, &goal, &choice), SOOTH_BAD_ARGUMENT,
                "no configuration keeps the bound of 1 on power");
    goal.risk = 1.5;
    CHECK_FAILS(&env, sooth_configure_choose(&env, machine, &goal, &choice), SOOTH_BAD_ARGUMENT,
                "risk is 1.5, but must be between");
    goal.risk = 0;
    goal.minimum = 9;
    CHECK_FAILS(&env, sooth_configure_choose(&env, machine, &goal, &choice), SOOTH_BAD_ARGUMENT,
                "minimum is 9, but must be one of power|time");
    memset(&goal, 0, sizeof goal);
    goal.most_time = 9;
    init(&options);
    for (i = 0; i < machine->count; ++i) {
        machine->time[i] = machine->row[2 * i] > 3 ? 5.0f : -1.0f;
        machine->power[i] = 7.0f;
        machine->time_error[i] = machine->power_error[i] = NAN;
    }
    CHECK_FAILS(&env, sooth_configure_choose(&env, machine, &goal, &choice), SOOTH_BAD_DATA,
                "no configuration has a predicted time and power with known errors");
    goal.risk = 0.5;
    /* those without a time are passed over */
    CHECK_STATUS(sooth_configure_choose(&env, machine, &goal, &choice), SOOTH_OK);
    CHECK(choice.which == 39);
    CHECK_FAILS(&env, sooth_configure_next(&env, machine, 0, &next), SOOTH_BAD_ARGUMENT,
                "nothing is fitted yet");
    one = options; /* no prior, no run to spare */
    one.time_law = SOOTH_SCALING_TIME;
    one.power_law = SOOTH_SCALING_POWER;
    init(&one);
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 2), SOOTH_BAD_DATA,
                "there are 2 runs, but power has 3 coefficients");
    CHECK_STATUS(sooth_configure_fit(&env, machine, run, 3), SOOTH_OK);
    CHECK_FAILS(&env, sooth_configure_next(&env, machine, 0, &next), SOOTH_BAD_ARGUMENT,
                "the errors of the law power are unknown");
    init(&options);
    CHECK_FAILS(&env, sooth_configure_fit_priors(&env, machine, run, 2, NULL, &a, &b), SOOTH_BAD_DATA,
                "the table has one program");
    memset(&loop, 0, sizeof loop);
    loop.configure = machine;
    loop.run = run;
    loop.capacity = 3;
    CHECK_FAILS(&env, sooth_configure_step(&env, &loop, 0, 0), SOOTH_BAD_ARGUMENT,
                "capacity is 3, but must be between 4 (first + 1) and 64");
    loop.first = 2;
    CHECK_STATUS(sooth_configure_step(&env, &loop, 0, 0), SOOTH_OK);
    CHECK(loop.waiting && loop.runs == 0);
    CHECK_FAILS(&env, sooth_configure_step(&env, &loop, 0, 5), SOOTH_BAD_DATA,
                "run 1 has time 0 and power 5");
    CHECK(loop.waiting && loop.runs == 0);
    CHECK_STATUS(sooth_configure_step(&env, &loop, 4, 5), SOOTH_OK);
    CHECK(loop.waiting && loop.runs == 1);
    one = xeon();
    one.machine.cores = 0;
    CHECK_STATUS(sooth_configure_init(&env, &one, rows, 2, 2, memory, sizeof memory, &machine), SOOTH_OK);
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 0), SOOTH_BAD_ARGUMENT,
                "the machine has no cores or no frequencies");
}

/* Exactly as much memory as it says, and every allocation of learning may fail. */
static void memory_is_exact(void) {
    sooth_configure_options options = xeon();
    static sooth_configure_run run[200];
    size_t size = sooth_configure_size(CONFIGURATIONS, 2), i;
    unsigned char *exact = (unsigned char *)malloc(size); /* valgrind and the sanitizers watch its ends */
    sooth_scaling_prior a, b;
    sooth_env own;
    program p;
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    CHECK_STATUS(sooth_configure_init(&env, &options, NULL, 0, 2, exact, size, &machine), SOOTH_OK);
    CHECK_STATUS(sooth_configure_fit(&env, machine, NULL, 0), SOOTH_OK);
    for (i = 0; i < 200; ++i) {
        if (i % 20 == 0) draw(&rng, &p);
        run[i] = run_of(&p, sooth_rng_below(&rng, CONFIGURATIONS), &rng);
        run[i].program = (uint32_t)(i / 20);
    }
    sooth_env_init(&own);
    CHECK_EVERY_ALLOCATION(&own, sooth_configure_fit_priors(&own, machine, run, 200, NULL, &a, &b), (void)0);
    CHECK(a.programs == 10 && b.programs == 10);
    free(exact);
}

/* ---- other axes ---- */

static const float nodes[3] = {1, 2, 4}, gigahertz[4] = {1, 1.5f, 2, 3}, memory_clock[3] = {1, 2, 4};

/* Nodes, the clock of their cores, that of their memory. */
static sooth_space cluster(void) {
    sooth_space space;
    memset(&space, 0, sizeof space);
    space.knobs = 3;
    space.axis[0].kind = SOOTH_AXIS_COUNT;
    space.axis[0].levels = 3;
    space.axis[0].value = nodes;
    space.axis[1].kind = space.axis[2].kind = SOOTH_AXIS_FREQUENCY;
    space.axis[1].levels = 4;
    space.axis[1].value = gigahertz;
    space.axis[2].levels = 3;
    space.axis[2].value = memory_clock;
    return space;
}
enum { CLUSTER = 3 * 4 * 3 };

static sooth_status cluster_init(const sooth_space *space) {
    sooth_configure_options options;
    memset(&options, 0, sizeof options);
    options.space = space;
    return sooth_configure_init(&env, &options, NULL, 0, 3, memory, sizeof memory, &machine);
}

/* A program on it that follows no law quite. */
static void cluster_program(sooth_rng *rng, float *time, float *power) {
    const double serial = 4 * sooth_rng_double(rng), work = 5 + 60 * sooth_rng_double(rng),
                 traffic = 60 * sooth_rng_double(rng), q = 1.2 + 4 * sooth_rng_double(rng),
                 idle = 10 + 40 * sooth_rng_double(rng), each = 2 + 8 * sooth_rng_double(rng);
    for (size_t i = 0; i < CLUSTER; ++i) {
        const double n = nodes[i / 12], f = gigahertz[i / 3 % 4], m = memory_clock[i % 3];
        const double core = serial + work / (n * f), bus = traffic / m;
        time[i] = (float)(pow(pow(core, q) + pow(bus, q), 1 / q) * exp(0.02 * sooth_rng_normal(rng)));
        power[i] = (float)((idle + 6 * m + each * n * pow(f, 1.3)) * exp(0.01 * sooth_rng_normal(rng)));
    }
}

/* What is predicted is what space.h says, row by row; runs keep their own values. */
static void equals_space_one_by_one(void) {
    static const uint32_t which[8] = {0, 35, 2, 33, 24, 11, 17, 0};
    const sooth_space space = cluster();
    float time[CLUSTER], power[CLUSTER], x[8 * 3], y[2][8];
    sooth_configure_run run[8];
    sooth_configure_experiment next;
    sooth_rng rng;
    double squares[2] = {0, 0};
    sooth_rng_init(&rng, 31, 0);
    CHECK_STATUS(cluster_init(&space), SOOTH_OK);
    CHECK(machine->count == CLUSTER);
    cluster_program(&rng, time, power);
    for (uint32_t i = 0; i < 8; ++i) {
        run[i].which = which[i];
        run[i].program = 0;
        run[i].time = y[0][i] = time[which[i]] * (i == 7 ? 1.1f : 1.0f);
        run[i].power = y[1][i] = power[which[i]];
        memcpy(x + 3 * i, machine->row + 3 * which[i], 3 * sizeof(float));
    }
    CHECK_STATUS(sooth_configure_fit(&env, machine, run, 8), SOOTH_OK);
    for (uint32_t m = 0; m < 2; ++m) {
        sooth_space_options options;
        sooth_space_law law;
        sooth_table table = sooth_table_of(x, y[m], 8, 3);
        memset(&options, 0, sizeof options);
        options.space = &space;
        options.power = m;
        CHECK_STATUS(sooth_space_fit(&env, &table, &options, &law), SOOTH_OK);
        for (uint32_t i = 0; i < CLUSTER; ++i) {
            const float *row = machine->row + 3 * i;
            const double error = soothi_space_predict_error(&space, &law, row, 0);
            squares[m] += error * error / CLUSTER;
            if (machine->measured[i]) continue;
            CHECK_NEAR(m ? machine->power[i] : machine->time[i], sooth_space_predict(&space, &law, row), 0);
            CHECK_NEAR(m ? machine->power_error[i] : machine->time_error[i],
                       soothi_space_predict_error(&space, &law, row, 1), 1e-7);
        }
    }
    CHECK_NEAR(machine->time[0], 1.05f * time[0], 1e-5 * (double)time[0]);
    CHECK(machine->measured[35] && machine->time_error[35] <= 0 && machine->power[35] <= power[35]);
    CHECK_STATUS(sooth_configure_next(&env, machine, 0, &next), SOOTH_OK);
    CHECK_CLOSE(next.time_error, sqrt(squares[0]), 1e-9);
    CHECK_CLOSE(next.power_error, sqrt(squares[1]), 1e-9);
    CHECK(isnan(next.time_after) && isnan(next.power_after));
}

/* Each is farthest from those before, by plain loops over the places of the axes; the first two are opposite
   corners. */
static void experiments_lie_far_apart(void) {
    const sooth_space space = cluster();
    sooth_configure_run run[CLUSTER + 1];
    sooth_configure_loop loop;
    uint32_t seen[CLUSTER];
    CHECK_STATUS(cluster_init(&space), SOOTH_OK);
    memset(&loop, 0, sizeof loop);
    loop.configure = machine;
    loop.run = run;
    loop.capacity = CLUSTER + 1;
    loop.first = CLUSTER;
    for (uint32_t n = 0; n < CLUSTER; ++n) {
        double best = -1;
        uint32_t expected = 0;
        CHECK_STATUS(sooth_configure_step(&env, &loop, 3, 5), SOOTH_OK);
        for (uint32_t i = 0; i < CLUSTER; ++i) {
            const double u[3] = {((double)nodes[i / 12] - 1) / 3, ((double)gigahertz[i / 3 % 4] - 1) / 2,
                                 ((double)memory_clock[i % 3] - 1) / 3};
            double nearest = 1e300;
            int again = 0;
            for (uint32_t k = 0; k < n || (n == 0 && k < 1); ++k) {
                const uint32_t s = n ? seen[k] : 0;
                const double v[3] = {n ? ((double)nodes[s / 12] - 1) / 3 : 0.5,
                                     n ? ((double)gigahertz[s / 3 % 4] - 1) / 2 : 0.5,
                                     n ? ((double)memory_clock[s % 3] - 1) / 3 : 0.5};
                const double d = (u[0] - v[0]) * (u[0] - v[0]) + (u[1] - v[1]) * (u[1] - v[1]) +
                                 (u[2] - v[2]) * (u[2] - v[2]);
                if (d < nearest) nearest = d;
                again |= n && s == i;
            }
            if (again || nearest <= best) continue;
            best = nearest;
            expected = i;
        }
        CHECK(loop.which == expected);
        seen[n] = loop.which;
        if (check_failures) return;
    }
    CHECK(seen[0] == 0 && seen[1] == CLUSTER - 1);
    CHECK(loop.waiting && loop.runs == CLUSTER - 1);
}

static double error_of_means(int m) {
    double squares = 0;
    for (size_t i = 0; i < machine->count; ++i) {
        const double error = soothi_space_predict_error(machine->options.space, &machine->law[m],
                                                        machine->row + i * machine->knobs, 0);
        squares += error * error;
    }
    return sqrt(squares / machine->count);
}

/* From nothing to a choice that was run: it keeps the bound, with few runs, and is hardly worse than the
   best. */
static void the_loop_keeps_bounds_over_a_space(void) {
    const sooth_space space = cluster();
    double loss = 0, runs = 0, kept = 0;
    uint32_t trial, trials = 60, differ = 0;
    sooth_configure_experiment next;
    sooth_configure_choice choice;
    sooth_rng rng;
    sooth_rng_init(&rng, 32, 0);
    CHECK_STATUS(cluster_init(&space), SOOTH_OK);
    for (trial = 0; trial < trials; ++trial) {
        float time[CLUSTER], power[CLUSTER], t = 0, p = 0;
        sooth_configure_run run[20];
        sooth_configure_loop loop;
        cluster_program(&rng, time, power);
        memset(&loop, 0, sizeof loop);
        loop.configure = machine;
        loop.goal.risk = 0.5;
        if (trial % 2) loop.goal.most_power = (double)(power[0] + (power[35] - power[0]) * 0.4f);
        else loop.goal.most_time = (double)(time[35] + (time[0] - time[35]) * 0.3f);
        loop.goal.minimum = trial % 2 ? SOOTH_CONFIGURE_TIME : SOOTH_CONFIGURE_POWER;
        loop.run = run;
        loop.capacity = 20;
        while (!loop.done) {
            CHECK_STATUS(sooth_configure_step(&env, &loop, t, p), SOOTH_OK);
            t = time[loop.which];
            p = power[loop.which];
            CHECK(machine->fitted == (loop.runs >= 5)); /* one more than the laws have coefficients */
            if (machine->fitted) {
                const int sure[2] = {error_of_means(0) <= machine->law[0].sigma,
                                     error_of_means(1) <= machine->law[1].sigma};
                CHECK_STATUS(sooth_configure_next(&env, machine, 0, &next), SOOTH_OK);
                CHECK(next.enough == (sure[0] && sure[1]));
                differ += sure[0] != sure[1];
            }
            if (check_failures) return;
        }
        CHECK_STATUS(sooth_configure_choose(&env, machine, &loop.goal, &choice), SOOTH_OK);
        CHECK(choice.which == loop.which); /* settled because nothing seems better */
        const sooth_configure_score score =
            sooth_configure_judge(&loop.goal, time, power, CLUSTER, loop.which);
        CHECK(machine->measured[loop.which]);
        kept += score.verdict != SOOTH_CONFIGURE_MISS;
        loss += score.verdict == SOOTH_CONFIGURE_LOSS ? score.loss / trials : 0;
        runs += (double)loop.runs / trials;
    }
    CHECK(kept >= trials && differ > 0);
    CHECK(loss < 0.02);
    CHECK(runs < 9);
}

static void mistakes_over_a_space_are_sentences(void) {
    sooth_space space = cluster();
    float rows[6] = {1, 1, 1, 2, 3, 4};
    sooth_configure_options options;
    sooth_configure_run run[40];
    sooth_configure_experiment next;
    sooth_configure_loop loop;
    sooth_scaling_prior a, b;
    memset(&options, 0, sizeof options);
    memset(run, 0, sizeof run);
    options.space = &space;
    CHECK_FAILS(&env, sooth_configure_init(&env, &options, NULL, 0, 2, memory, sizeof memory, &machine),
                SOOTH_BAD_ARGUMENT, "rows have 2 knobs, but the space has 3");
    CHECK_FAILS(&env,
                sooth_configure_init(&env, &options, NULL, 0, 3, memory, sooth_configure_size(CLUSTER, 3) - 1,
                                     &machine),
                SOOTH_NO_MEMORY, "36 configurations need");
    rows[4] = -3;
    CHECK_FAILS(&env, sooth_configure_init(&env, &options, rows, 2, 3, memory, sizeof memory, &machine),
                SOOTH_BAD_DATA, "configuration 1 has knob 2 at -3, but it must be above 0");
    rows[4] = NAN;
    CHECK(sooth_configure_init(&env, &options, rows, 2, 3, memory, sizeof memory, &machine) ==
          SOOTH_BAD_DATA);
    space.axis[2].levels = 0;
    CHECK_FAILS(&env, cluster_init(&space), SOOTH_BAD_ARGUMENT, "axis 3 has fewer than 2 levels");
    space = cluster();
    CHECK_STATUS(cluster_init(&space), SOOTH_OK);
    for (uint32_t i = 0; i < 36; ++i) {
        run[i].which = i;
        run[i].time = 10.0f - 0.1f * (float)i;
        run[i].power = 10.0f + 0.1f * (float)i;
    }
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 3), SOOTH_BAD_DATA,
                "there are 3 runs, but the law of time has 4 coefficients");
    CHECK_FAILS(&env, sooth_configure_next(&env, machine, 0, &next), SOOTH_BAD_ARGUMENT,
                "nothing is fitted yet");
    CHECK_FAILS(&env, sooth_configure_fit(&env, machine, run, 12), SOOTH_BAD_DATA,
                "the runs determine only 3 of the 4 coefficients of the law of time");
    CHECK_FAILS(&env, sooth_configure_fit_priors(&env, machine, run, 36, NULL, &a, &b), SOOTH_BAD_ARGUMENT,
                "laws over a space have no priors");
    CHECK_STATUS(sooth_configure_fit(&env, machine, run, 36), SOOTH_OK);
    CHECK_FAILS(&env, sooth_configure_next(&env, machine, 0, &next), SOOTH_BAD_ARGUMENT,
                "all 36 configurations are measured");
    memset(&loop, 0, sizeof loop);
    loop.configure = machine;
    loop.run = run;
    loop.capacity = 40;
    loop.runs = 36;
    loop.first = 38;
    CHECK_FAILS(&env, sooth_configure_step(&env, &loop, 0, 0), SOOTH_BAD_ARGUMENT,
                "all 36 configurations are measured");
    loop.runs = 2;
    run[1].which = 99;
    CHECK_FAILS(&env, sooth_configure_step(&env, &loop, 0, 0), SOOTH_BAD_DATA,
                "run 2 is of configuration 99");
}

/* ---- the published measurements ---- */

static int have_parsec(void) { return read_parsec("examples/scale/data"); }

/* Tables I to III: the paper's own models give what numpy gives, program by program and query by query. */
static void the_papers_models_are_reproduced(void) {
    size_t k;
    uint32_t a, kind, i;
    /* Halton 2, 3 from index 1 */
    const uint32_t four[4] = {at(13, 1600), at(7, 2000), at(19, 1300), at(4, 1700)};
    sooth_configure_options options;
    if (!have_parsec()) CHECK_SKIP("the published measurements of PARSEC are not here");
    options = published;
    options.time_law = SOOTH_SCALING_TIME;
    options.power_law = SOOTH_SCALING_POWER;
    options.loss = SOOTH_SCALING_ABSOLUTE;
    for (a = 0; a < programs; ++a) {
        sooth_configure_run run[4];
        double accuracy[4];
        for (k = 0; k < sizeof golden_parsec / sizeof golden_parsec[0] &&
                    strcmp(golden_parsec[k].name, parsec[a].name) != 0;)
            ++k;
        if (k == sizeof golden_parsec / sizeof golden_parsec[0]) continue;
        init(&options);
        for (i = 0; i < 4; ++i) run[i] = parsec_run(a, four[i]);
        CHECK_STATUS(sooth_configure_fit(&env, machine, run, 4), SOOTH_OK);
        parsec_accuracy(a, accuracy);
        for (i = 0; i < 4; ++i) CHECK_NEAR(accuracy[i], golden_parsec[k].accuracy[i], 2e-4);
        for (kind = 0; kind < 2; ++kind)
            for (i = 1; i <= 10; ++i) {
                sooth_configure_goal goal = parsec_goal(a, kind, i, 0.5);
                double expected = golden_parsec[k].loss[kind][i - 1];
                sooth_configure_choice choice;
                sooth_configure_score score;
                sooth_configure_choose(&env, machine, &goal, &choice);
                score = sooth_configure_judge(&goal, parsec[a].time, parsec[a].power, CONFIGURATIONS,
                                              choice.which);
                CHECK((score.verdict == SOOTH_CONFIGURE_MISS) == (expected < 0));
                if (expected >= 0) CHECK_NEAR(100 * score.loss, expected, 1e-3);
            }
    }
}

/* The paper prints mean losses of 5.3 and 15.46 per cent. Its Tables II and III list these losses: the sums
   were divided by the percentage of losing queries (20.83, 51.66) instead of their number (25, 62). */
static void the_papers_mean_losses_are_not_means(void) {
    static const double table2[] = {7.23, 6.08, 5.78, 12.22, 5.73, 4.76, 1.54, 4.43, 4.47,
                                    2.27, 1.1,  2.34, 0.91,  3.45, 5.05, 3.45, 3.45, 1.41,
                                    4.34, 7.19, 2.76, 11.83, 3.52, 1.41, 3.89};
    static const double table3[] = {
        6.98,  0.82,  8.23,  21.67, 10.63, 6.47,  71.75, 11.21, 7.38, 2.45,  60.63, 12.65, 10.74,
        11.31, 8.78,  4.14,  3.99,  3.54,  4.93,  62.15, 5.8,   6.06, 11.34, 9.2,   7.52,  6.25,
        6.03,  6.96,  66.7,  5.53,  5.32,  11.55, 4.42,  10.52, 6.48, 8.79,  5.65,  68.74, 4.65,
        4.11,  11.76, 15.89, 11.83, 6.82,  8.21,  1.64,  21.4,  4.75, 17.29, 6.85,  13.18, 3.85,
        6.73,  4.01,  11.41, 3.93,  10.39, 4.34,  16.31, 8.59,  7.83, 9.86};
    double sum2 = 0, sum3 = 0;
    size_t i;
    for (i = 0; i < sizeof table2 / sizeof table2[0]; ++i) sum2 += table2[i];
    for (i = 0; i < sizeof table3 / sizeof table3[0]; ++i) sum3 += table3[i];
    CHECK(sizeof table2 / sizeof table2[0] == 25 && sizeof table3 / sizeof table3[0] == 62);
    CHECK_NEAR(sum2 / 20.83, 5.3, 0.02);
    CHECK_NEAR(sum3 / 51.66, 15.46, 0.02);
    CHECK_NEAR(sum2 / 25, 4.42, 0.01);
    CHECK_NEAR(sum3 / 62, 12.89, 0.01);
}

static void print_tally(const char *what, double time, double power, const tally *t) {
    int kind;
    printf("  %-46s %6.2f %6.2f |", what, time, power);
    for (kind = 0; kind < 2; ++kind) {
        double all = t->verdict[kind][0] + t->verdict[kind][1] + t->verdict[kind][2];
        printf(" %6.1f %5.1f %5.1f %6.2f |", 100 * t->verdict[kind][0] / all, 100 * t->verdict[kind][1] / all,
               100 * t->verdict[kind][2] / all, mean_loss(t, kind));
    }
    printf("\n");
}

/* The goals, on programs that nothing was chosen by: what is learned is learned from the others, experiments
   and margins are the same for all. */
static void better_than_the_paper(void) {
    CHECK_SLOW();
    static const char *const names[4] = {"ours, usual priors", "", "ours, power learned from the others",
                                         "ours, both learned from the others"};
    double mean[2];
    tally shot, loops;
    int learned;
    const uint32_t halton[4] = {at(13, 1600), at(7, 2000), at(19, 1300), at(4, 1700)};
    const uint32_t sobol_from_0[4] = {at(1, 1200), at(13, 1800), at(19, 1500), at(7, 2100)};
    const uint32_t sobol_from_1[4] = {at(13, 1800), at(19, 1500), at(7, 2100), at(10, 1600)};
    if (!have_parsec()) CHECK_SKIP("the published measurements of PARSEC are not here");
    printf("  %u programs, 4 runs each                        accuracy, %%  | minPower: optimal, loss, miss, "
           "mean loss | minTime\n",
           programs);
    printf("  %-46s %6.2f %6.2f |   71.7  20.8   7.5   (4.42) |   31.6  51.6  16.6  (12.89) |\n",
           "published (12 programs; mean of the losses only)", 96.35, 96.33);
    CHECK(parsec_paper(halton, 4, SOOTH_SCALING_POWER_PRINTED, mean, &shot));
    print_tally("eq. 3, eq. 7 as printed, Halton", mean[0], mean[1], &shot);
    CHECK(parsec_paper(halton, 4, SOOTH_SCALING_POWER, mean, &shot));
    print_tally("eq. 3, eq. 7 once per core, Halton", mean[0], mean[1], &shot);
    CHECK(parsec_paper(sobol_from_0, 4, SOOTH_SCALING_POWER, mean, &shot));
    print_tally("the same, Sobol from point 0", mean[0], mean[1], &shot);
    CHECK(parsec_paper(sobol_from_1, 4, SOOTH_SCALING_POWER, mean, &shot));
    print_tally("the same, Sobol from point 1 (as GSL)", mean[0], mean[1], &shot);
    for (learned = 0; learned < 4; ++learned) {
        char name[80];
        if (learned == 1) continue;
        CHECK(parsec_ours(NULL, learned, 0.5, mean, &shot, &loops));
        snprintf(name, sizeof name, "%s, no margin", names[learned]);
        print_tally(name, mean[0], mean[1], &shot);
        CHECK(parsec_ours(NULL, learned, 0, mean, &shot, &loops));
        snprintf(name, sizeof name, "%s, margin", names[learned]);
        print_tally(name, mean[0], mean[1], &shot);
        print_tally("  in the closed loop", mean[0], mean[1], &loops);
        printf("  runs in the loop: minPower %.2f, minTime %.2f\n", loops.runs[0], loops.runs[1]);
        CHECK(mean[0] >= 95.5 && mean[1] >= 98.5);
        if (learned == 2) {
            CHECK(shot.verdict[0][SOOTH_CONFIGURE_MISS] == 0);
            CHECK(loops.verdict[0][SOOTH_CONFIGURE_MISS] == 0 && loops.verdict[1][SOOTH_CONFIGURE_MISS] == 0);
            CHECK(loops.runs[0] <= 6 && loops.runs[1] <= 6);
            CHECK(mean_loss(&loops, 0) < 1 && mean_loss(&loops, 1) < 5);
        }
    }
}

/* The seven published programs: what the choice by the laws' variance alone reached with 2 to 6 runs is not
   lost (93.27 to 95.78 and 93.88 to 98.71), and from 8 runs on Halton's points are no better. */
static void own_choice_is_no_worse_than_haltons_points(void) {
    static const double by_variance[5][2] = {
        {93.27, 93.88}, {95.34, 97.97}, {96.04, 98.59}, {95.76, 98.37}, {95.78, 98.71}};
    double own[COUNTS][2], halton[COUNTS][2];
    if (!have_parsec()) CHECK_SKIP("the published measurements of PARSEC are not here");
    memset(own, 0, sizeof own);
    memset(halton, 0, sizeof halton);
    for (uint32_t a = 0; a < programs; ++a) {
        accuracies(a, 1, own);
        accuracies(a, 0, halton);
    }
    for (int k = 0; k < COUNTS; ++k)
        for (int m = 0; m < 2; ++m) {
            own[k][m] /= programs;
            halton[k][m] /= programs;
            if (programs != 7) continue; /* other programs than those known */
            if (k < 5) CHECK(own[k][m] >= by_variance[k][m] - 0.006);
            if (counts[k] >= 8) CHECK(own[k][m] >= halton[k][m] - 0.01);
        }
    print_accuracies("PARSEC, own choice", own);
    print_accuracies("PARSEC, Halton", halton);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(equals_scaling_one_by_one);
    CHECK_RUN(choices_equal_brute_force);
    CHECK_RUN(the_risk_is_what_it_says);
    CHECK_RUN(verdicts);
    CHECK_RUN(experiments_equal_brute_force);
    CHECK_RUN(own_choice_evens_out_what_no_law_says);
    CHECK_RUN(the_order_of_rows_does_not_matter);
    CHECK_RUN(the_loop_keeps_every_bound);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(memory_is_exact);
    CHECK_RUN(equals_space_one_by_one);
    CHECK_RUN(experiments_lie_far_apart);
    CHECK_RUN(the_loop_keeps_bounds_over_a_space);
    CHECK_RUN(mistakes_over_a_space_are_sentences);
    CHECK_RUN(the_papers_models_are_reproduced);
    CHECK_RUN(the_papers_mean_losses_are_not_means);
    CHECK_RUN(own_choice_is_no_worse_than_haltons_points);
    CHECK_RUN(better_than_the_paper);
    return check_end("configure");
}
