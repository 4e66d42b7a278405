/* test_gpu_watts.c - the watts of sooth gpu compare: a law is found in launches that it made, and the shares
 * of the command are those that the published launches give.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#define main watts_main /* its fits */
#include "../../examples/gpu/watts.c"
#undef main
#include "check.h"

/* 60 launches of 6 programs, of which the first has half; each draws what the law says, times a factor that
   is as often above 1 as below. */
static void make_gpu(drawn *d, const power_law *law) {
    static const double factor[] = {0.8, 1.25, 1.0, 1.0, 0.9};
    d->programs = 6;
    make_rows(d, 60);
    for (size_t i = 0; i < 60; ++i) {
        d->fills[i] = 0.3 * (double)(i % 30 * (i % 30) + 1) / 6.0;
        d->share[i] = power_share(law, d->fills[i]) * factor[i % 5];
        d->weight[i] = 1.0 / (6.0 * (i < 30 ? 30.0 : 6.0));
    }
}

static void a_law_is_found(void) {
    static study s;
    const power_law made = {0.23, 0.61, 1.0, 1.0}, other = {0.4, 0.4, 1.0, 1.0};
    make_gpu(&s.gpu[0], &made);
    make_gpu(&s.gpu[1], &made);
    make_gpu(&s.gpu[2], &other);
    s.gpus = 2;
    power_law found = learn(&s, 2, 0);
    CHECK_NEAR(found.least, 0.23, 1e-9);
    CHECK_NEAR(found.most, 0.61, 1e-9);
    s.gpus = 3; /* a GPU that is left out counts for nothing */
    found = learn(&s, 2, 0);
    CHECK_NEAR(found.least, 0.23, 1e-9);
    CHECK_NEAR(found.most, 0.61, 1e-9);
    found = learn(&s, 3, 1);
    CHECK_NEAR(found.least, found.most, 0);
    /* errors and factors, by hand: 0.8 to 1.25 hold all, and none less than nine of ten */
    CHECK_NEAR(error_of(&s.gpu[0], &made), 100.0 * (1 / 0.8 - 1 + 1 - 1 / 1.25 + 1 / 0.9 - 1) / 5, 1e-9);
    power_law all = made;
    const power_law told[3] = {made, made, other};
    set_factors(&s, told, &all);
    CHECK_NEAR(all.low, 0.8, 1e-9);
    CHECK_NEAR(all.high, 1.25, 0.0101);
    CHECK_NEAR(held(&s.gpu[0], &all), 100, 1e-9);
    for (size_t g = 0; g < 3; ++g) free(s.gpu[g].share);
}

/* By hand: 512 threads fill a T4's 40 x 1024 an eightieth of once, 40,960 once, ten times that ten times. */
static void shares_by_hand(void) {
    const power_law law = {0.2, 0.6, 1.0, 1.0};
    sooth_env env;
    sooth_gpu t4;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_gpu_named(&env, "t4", &t4), SOOTH_OK);
    CHECK_NEAR(power_fills(&t4, 512), 1.0 / 80, 1e-12);
    CHECK_NEAR(power_share(&law, power_fills(&t4, 40960)), 0.2, 0);
    CHECK_NEAR(power_share(&law, power_fills(&t4, 40960 * 3.16227766)), 0.4, 1e-6);
    CHECK_NEAR(power_share(&law, power_fills(&t4, 409600)), 0.6, 0);
    CHECK_NEAR(power_share(&law, 1e9), 0.6, 0);
}

/* What the README and the command say. */
static void the_shares_of_the_command(void) {
    static study s;
    FILE *file = fopen("../shared/data/power/k20_smaller_raw.csv", "rb");
    if (!file) CHECK_SKIP("the published power data are not here");
    fclose(file);
    sooth_env_init(&s.env);
    read_gpu(&s, "k20=../shared/data/power/k20_smaller_raw.csv");
    read_gpu(&s, "m60=../shared/data/power/m60_raw.csv");
    CHECK(s.gpu[0].rows == 979 && s.gpu[0].programs == 43 && s.gpu[1].rows == 766 && s.gpu[1].programs == 28);
    power_law all = learn(&s, 2, 0);
    const power_law told[2] = {learn(&s, 0, 0), learn(&s, 1, 0)};
    set_factors(&s, told, &all);
    CHECK_NEAR(all.least, known_power_law.least, 1e-9);
    CHECK_NEAR(all.most, known_power_law.most, 1e-9);
    CHECK_NEAR(all.low, known_power_law.low, 1e-9);
    CHECK_NEAR(all.high, known_power_law.high, 1e-9);
    for (size_t g = 0; g < 2; ++g) {
        const power_law one = learn(&s, g, 1);
        CHECK(error_of(&s.gpu[g], &told[g]) < error_of(&s.gpu[g], &one));
        CHECK(held(&s.gpu[g], &known_power_law) >= 90);
    }
    for (size_t g = 0; g < 2; ++g) free(s.gpu[g].share);
}

int main(void) {
    CHECK_RUN(a_law_is_found);
    CHECK_RUN(shares_by_hand);
    CHECK_RUN(the_shares_of_the_command);
    return check_end("gpu_watts");
}
