/* networks.h - what the tests of networks share: short ways to a table, to a trained network, to a hash.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef NETWORKS_H
#define NETWORKS_H

static sooth_env env;

static sooth_mlp_options defaults(void) {
    sooth_mlp_options options;
    memset(&options, 0, sizeof options);
    return options;
}

static sooth_table table_of(const float *x, const float *y, size_t rows, size_t cols, size_t targets) {
    sooth_table table;
    sooth_table_init(&table, x, rows, cols);
    table.y = y;
    table.targets = targets;
    return table;
}

static sooth_mlp *fit(const sooth_table *table, const sooth_mlp_options *options) {
    sooth_mlp *model;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_mlp_fit(&env, table, options, &model), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    if (!model) exit(1);
    CHECK(sooth_mlp_check(model, model->head.size));
    return model;
}

static void set(sooth_mlp_options *options, const char *name, const char *text) {
    CHECK_STATUS(sooth_option_set(&env, sooth_mlp_options_list(), options, name, text), SOOTH_OK);
}

/* Numbers in [-1, 1), the same everywhere. */
static void fill(float *v, size_t n, uint64_t seed) {
    sooth_rng rng;
    size_t i;
    sooth_rng_init(&rng, seed, 77);
    for (i = 0; i < n; ++i) v[i] = 2 * sooth_rng_float(&rng) - 1;
}

/* Any change of a word is refused; with the checksum made right again it is refused or harmless. */
static void harmless_when_changed(const sooth_mlp *m, const float *x, float *out) {
    const size_t size = m->head.size;
    sooth_mlp *copy = (sooth_mlp *)malloc(size);
    size_t i;
    for (i = 0; i < size / 4; ++i) {
        uint32_t k;
        for (k = 0; k < 6; ++k) {
            const uint32_t words[6] = {0, 1, 4, 1000, 0x7FC00000u, 0xFFFFFFFFu};
            uint32_t was;
            memcpy(copy, m, size);
            memcpy(&was, (unsigned char *)copy + 4 * i, 4);
            if (was == words[k]) continue;
            memcpy((unsigned char *)copy + 4 * i, &words[k], 4);
            CHECK(!sooth_mlp_check(copy, size));
            copy->head.checksum = 0;
            if (copy->head.size != size) continue;
            soothi_block_seal(&copy->head);
            if (!sooth_mlp_check(copy, size)) continue;
            (void)sooth_mlp_predict(copy, x);
            sooth_mlp_predict_many(copy, x, 20, 3, out);
            (void)sooth_mlp_cost(copy);
        }
    }
    for (i = 0; i < size; ++i) CHECK(!sooth_mlp_check(m, i));
    free(copy);
}

#endif
