/* test_integers_code.c - models of whole numbers as source code. tests/export/integers.sh compiles and runs
 * what this writes into the folder that it is given; alone it checks the table of the C form.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export/integers_code.h"
#include "sooth/train.h"
#include "check.h"

enum { ROWS = 300, COLS = 5, MOST_COLS = 300, ASKED = 200, TARGETS = 3 };
static sooth_env env;
static char text[1 << 22];
static float x[ROWS * MOST_COLS], y[ROWS * TARGETS];

static int append(void *user, const char *piece, size_t size) {
    size_t *used = (size_t *)user;
    if (*used + size >= sizeof text) return 1;
    memcpy(text + *used, piece, size);
    text[ *used += size] = 0;
    return 0;
}

static int to_file(void *user, const char *piece, size_t size) {
    return fwrite(piece, 1, size, (FILE *)user) != size;
}

static sooth_table made(size_t cols, uint32_t targets) {
    sooth_rng rng;
    sooth_rng_init(&rng, 2026, (uint64_t)targets);
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < cols; ++j) x[i * cols + j] = (float)sooth_rng_below(&rng, 200) * 0.5f - 30;
        for (size_t t = 0; t < targets; ++t)
            y[i * targets + t] = x[i * cols + t % cols] * (float)(t + 1) + 0.125f * x[i * cols + cols - 1];
    }
    sooth_table table = sooth_table_of(x, y, ROWS, cols);
    table.targets = targets;
    return table;
}

static sooth_model *fitted(const char *kind, const sooth_table *table) {
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = kind;
    if (kind[0] == 'b') {
        recipe.options.boost.n_estimators = 6;
        recipe.options.boost.max_depth = 3;
    } else if (kind[0] == 'f') {
        recipe.options.forest.n_estimators = 6;
        recipe.options.forest.max_depth = 5;
    }
    CHECK_STATUS(sooth_train_fit(&env, table, &recipe, &model), SOOTH_OK);
    return model;
}

static sooth_integers *whole(const sooth_model *model, uint32_t bits) {
    sooth_integers_options options;
    sooth_integers *m = NULL;
    memset(&options, 0, sizeof options);
    options.bits = bits;
    options.rule = bits ? SOOTH_INTEGERS_KEYS_WHOLE : SOOTH_INTEGERS_KEYS_FLOAT;
    CHECK_STATUS(sooth_integers_convert(&env, model, &options, &m), SOOTH_OK);
    return m;
}

/* ---- the table of C, read back by a walk of this file's own ---- */

/* The numbers of array `name` in text; how many. */
static size_t numbers(const char *name, uint32_t *to, size_t most) {
    const char *at = strstr(text, name);
    size_t n = 0;
    at = at ? strchr(at, '{') : NULL;
    CHECK(at != NULL);
    for (char *end; at && n < most; at = end) {
        to[n++] = (uint32_t)strtoul(at + 1, &end, 10);
        while (*end == 'u' || *end == ' ' || *end == '\n') ++end;
        if (*end != ',') break;
    }
    return n;
}

static uint32_t word[1 << 18];

/* How often this stands in text. */
static size_t count_of(const char *what) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what)) ++n;
    return n;
}

/* The tables of trees of 8 to 300 columns hold every node, whether one word holds it or two. */
static void tables_hold_every_node(void) {
    static const size_t cols[] = {1, 2, 5, 8, 9, 100, 300};
    static const uint32_t bits[] = {8, 16, 32, 0};
    for (size_t c = 0; c < sizeof cols / sizeof *cols; ++c) {
        const sooth_table table = made(cols[c], 1);
        sooth_model *model = fitted("forest", &table);
        for (size_t b = 0; b < 4; ++b) {
            sooth_integers *m = whole(model, bits[b]);
            sooth_integers_code_options options;
            size_t used = 0, at = 0;
            sooth_sink sink = {&used, append, 0};
            memset(&options, 0, sizeof options);
            options.no_selftest = 1;
            CHECK_STATUS(sooth_integers_code(&env, m, &options, &sink), SOOTH_OK);
            const size_t n = numbers("model_node[", word, sizeof word / sizeof *word);
            const int wide = n == 2 * (size_t)m->nodes;
            CHECK(wide || n == m->nodes);
            CHECK(wide || bits[b] == 8 || bits[b] == 16);
            CHECK(cols[c] > 9 || !wide || bits[b] == 32 || bits[b] == 0);
            uint32_t leaves = 0, place = 32, left = 0;
            for (uint32_t i = 0; i < m->nodes; ++i) leaves += !(soothi_integers_nodes(m)[i].link & 1u);
            for (uint32_t keys = sooth_integers_key_count(m), k = 1; k < keys; k *= 2) --place;
            for (; at < n; at += wide ? 2 : 1) left += word[at + (wide ? 1 : 0)] >> 31;
            CHECK(place > 0 && left == leaves);
            sooth_integers_free(&env, m);
        }
        sooth_model_free(&env, model);
    }
}

/* ---- blocks that no fit makes, put together here ---- */

/* The first tree is a chain of `deep` nodes that ask, the others are leaves. */
typedef struct craft {
    uint32_t features, targets, trees, deep, bits, rows; /* rows: leaves have rows of values */
    int32_t leaf, threshold, offset;
    int64_t base;
} craft;

static sooth_integers *crafted(const craft *c) {
    const uint32_t nodes = 2 * c->deep + c->trees, values = c->rows ? c->deep + c->trees : 0;
    const size_t words = sizeof(sooth_integers) + 8 * (size_t)nodes + 4 * (size_t)(c->trees + 1) +
                         8 * (size_t)c->features + (size_t)c->targets * (24 + 4 * (size_t)values);
    sooth_integers *m =
        (sooth_integers *)soothi_block_new(&env, SOOTH_KIND_INTEGERS, SOOTH_INTEGERS_VERSION, words, 0, 0);
    uint32_t row = 0;
    if (!m) exit(1);
    m->head.features = c->features;
    m->head.targets = c->targets;
    m->trees = c->trees;
    m->nodes = nodes;
    m->depth = c->deep;
    m->bits = c->bits;
    m->values = values;
    for (m->shift = 2; c->features > 1u << (m->shift - 1);) ++m->shift;
    sooth_integers_node *node = (sooth_integers_node *)(uintptr_t)soothi_integers_nodes(m);
    for (uint32_t i = 0; i < nodes; ++i) {
        const uint32_t level = (i + 1) / 2, key = (7 * level + 3) % c->features;
        if (level < c->deep && (i == 0 || i % 2)) { /* its children are the two nodes of the next level */
            node[i].number = c->threshold - (int32_t)(level % 3);
            node[i].link = (i ? 2u : 1u) << m->shift | key << 1 | 1u;
        } else node[i].number = c->rows ? (int32_t)row++ : c->leaf + (int32_t)(i % 7);
    }
    uint32_t *start = (uint32_t *)(uintptr_t)soothi_integers_start(m);
    for (uint32_t k = 1; k <= c->trees; ++k) start[k] = 2 * c->deep + k;
    ((sooth_integers_column *)(uintptr_t)soothi_integers_columns(m))->offset = c->offset;
    sooth_integers_target *target = (sooth_integers_target *)(uintptr_t)sooth_integers_targets(m);
    for (uint32_t t = 0; t < c->targets; ++t) {
        target[t].base_low = (uint32_t)((uint64_t)c->base & 0xFFFFFFFFu);
        target[t].base_high = (uint32_t)((uint64_t)c->base >> 32);
        target[t].least = -1e30f;
        target[t].most = 1e30f;
    }
    for (size_t v = 0; v < (size_t)values * c->targets; ++v)
        ((int32_t *)(uintptr_t)soothi_integers_values(m))[v] = c->leaf + (int32_t)(v % 5);
    soothi_block_seal(&m->head);
    CHECK(sooth_integers_check(m, m->head.size));
    return m;
}

/* What is written of a block in this form, into text. */
static void write_form(const craft *c, uint32_t form, uint32_t no_selftest) {
    const sooth_integers_code_options options = {.form = form, .no_selftest = no_selftest};
    sooth_integers *m = crafted(c);
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    CHECK_STATUS(sooth_integers_code(&env, m, &options, &sink), SOOTH_OK);
    sooth_integers_free(&env, m);
}

/* The sum of target t, walked through the words of the table as its comment describes them: the place of the
   key stands from bit `place` on. */
static int64_t walked(const sooth_integers *m, const int32_t *key, uint32_t t, int wide, uint32_t place,
                      int in_bytes) {
    const int32_t *value = soothi_integers_values(m);
    const uint32_t low = wide ? 0 : 16;
    int64_t sum = soothi_integers_base(m, t);
    size_t at = 0;
    for (uint32_t k = 0; k < m->trees;) {
        const int32_t number = wide ? (int32_t)word[at] : (int16_t)(word[at] & 0xFFFFu);
        const uint32_t link = word[at + (wide ? 1 : 0)];
        const size_t skip = (link & ((1u << place) - 1u)) >> low;
        at += wide ? 2 : 1;
        if (link >> 31) {
            if (m->values) sum += value[(size_t)(wide ? number : (uint16_t)number) * m->head.targets + t];
            else if (k % m->head.targets == t) sum += number;
            ++k;
        } else if (key[(link >> place) / (in_bytes ? m->bits / 8 : 1)] <= number) continue;
        at += skip * (wide ? 2 : 1);
    }
    return sum;
}

/* Tables of every form of word give the sums of the model. */
static void tables_are_walked(void) {
    static const struct {
        craft c;
        int wide, in_bytes;
        const char *loads;
    } all[] = {{{5, 1, 1, 3, 16, 0, 9, 40, 0, 5}, 0, 1, "(uint8_t)(word >> 24) >> 3"},
               {{5, 3, 6, 4, 16, 0, 9, 40, 0, 5}, 0, 1, "(uint8_t)(word >> 24) >> 3"},
               {{300, 1, 9, 30, 8, 0, -9, 4, 0, 5}, 0, 0, "(uint16_t)(word >> 16) >> 6"},
               {{300, 1, 9, 10, 16, 0, -9, 4, 0, 5}, 0, 1, "(uint16_t)(word >> 16) >> 5"},
               {{1, 1, 70000, 2, 8, 0, 3, 4, 0, 5}, 0, 0, "uint32_t trees = 70000u;"},
               {{2, 2, 70000, 1, 8, 1, 3, 4, 0, 5}, 1, 0, "(uint8_t)(link >> 24) >> 6"},
               {{2, 2, 65535, 1, 8, 1, 3, 4, 0, 5}, 0, 0, "(uint8_t)(word >> 24) >> 6"},
               {{40000, 1, 2, 20, 16, 0, 3, 4, 0, 5}, 1, 1, "link >> 14"},
               {{40000, 1, 2, 20, 32, 0, 3, 4, 0, 5}, 1, 1, "link >> 13"},
               {{40000, 1, 2, 5000, 32, 0, 3, 4, 0, 5}, 1, 0, "x[link >> 15]"}};
    static int32_t key[40000];
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        const craft *c = &all[k].c;
        sooth_integers *m = crafted(c);
        sooth_rng rng;
        unsigned place = 0;
        write_form(c, SOOTH_INTEGERS_CODE_C, 1);
        CHECK(strstr(text, all[k].loads));
        const char *said = strstr(text, "then to bit ");
        CHECK(said && sscanf(said, "then to bit %u", &place) == 1);
        CHECK((strstr(text, "by its place in bytes") != NULL) == all[k].in_bytes);
        CHECK(numbers("model_node[", word, sizeof word / sizeof *word) ==
              (size_t)m->nodes * (all[k].wide ? 2 : 1));
        sooth_rng_init(&rng, 3, k);
        for (int turn = 0; turn < 20; ++turn) {
            int64_t sum[TARGETS];
            for (uint32_t j = 0; j < c->features; ++j) /* from the first node to the last of the chain */
                key[j] = sooth_rng_below(&rng, 1u << turn) ? c->threshold - 3 : c->threshold + 1;
            sooth_integers_sum(m, key, sum);
            for (uint32_t t = 0; t < c->targets && !check_failures; ++t)
                CHECK(walked(m, key, t, all[k].wide, place + 1, all[k].in_bytes) == sum[t]);
        }
        if (check_failures) printf("  block %u\n", (unsigned)k);
        sooth_integers_free(&env, m);
    }
}

/* A sum has 64 bits where leaves and base can bring it beyond 32, also on the way. */
static void sums_are_as_wide_as_they_must_be(void) {
    static const struct {
        int64_t base;
        int32_t leaf; /* leaves are from 2 to 6 more */
        int wide;
    } all[] = {{0, -3, 0},         {-INT32_MAX, -2, 0}, {-INT32_MAX, -3, 1},      {1 - INT32_MAX, -3, 0},
               {INT32_MAX, -6, 0}, {INT32_MAX, -5, 1},  {INT32_MAX + 1ll, -9, 1}, {-3000000000, 9, 1},
               {1ll << 40, -99, 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        const craft c = {1, 1, 1, 3, 16, 0, all[k].leaf, 40, 0, all[k].base};
        write_form(&c, SOOTH_INTEGERS_CODE_C, 1);
        CHECK(strstr(text, all[k].wide ? "int64_t model_sum(" : "int32_t model_sum("));
        if (check_failures) printf("  sum %u\n", (unsigned)k);
    }
}

/* Offsets stand in the first comment, and of many targets those that a reader can use; the links of Rust have
   32 bits where rows of values need them; a threshold at the end has no value above it. */
static void blocks_at_their_ends(void) {
    const craft far_off = {2, 17, 17, 1, 16, 0, 9, 40, -100, 5}, many = {2, 2, 40000, 1, 8, 1, 3, 4, 0, 5};
    const craft few = {2, 2, 400, 1, 8, 1, 3, 4, 0, 5}, last = {1, 1, 1, 1, 8, 0, 3, 127, 0, 5};
    write_form(&far_off, SOOTH_INTEGERS_CODE_C, 1);
    CHECK(strstr(text, "; less -100\n"));
    CHECK(count_of("which is off by at most") == 16 && count_of("#define MODEL_SCALE_") == 17);
    write_form(&many, SOOTH_INTEGERS_CODE_RUST, 1);
    CHECK(strstr(text, "static LINK: [u32; 40002]"));
    write_form(&few, SOOTH_INTEGERS_CODE_RUST, 1);
    CHECK(strstr(text, "static LINK: [u16; 402]"));
    write_form(&last, SOOTH_INTEGERS_CODE_C, 0);
    CHECK(strstr(text, "row[8][MODEL_FEATURES] = {") && count_of("{127},") == 8);
}

/* 254 functions of four trees, and 31 bits for a key and a skip. */
static void what_is_too_large_is_refused(void) {
    craft c = {2, 1, 1016, 1, 16, 0, 3, 4, 0, 5};
    const craft deep = {40000, 1, 1, 20000, 16, 0, 3, 4, 0, 5};
    sooth_integers_code_options options = {.form = SOOTH_INTEGERS_CODE_BPF};
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    write_form(&c, SOOTH_INTEGERS_CODE_BPF, 0);
    CHECK(count_of("__attribute__((noinline))") == 254);
    c.trees = 1017;
    sooth_integers *m = crafted(&c), *large = crafted(&deep);
    CHECK_FAILS(&env, sooth_integers_code(&env, m, &options, &sink), SOOTH_BAD_ARGUMENT,
                "trees, but a BPF program can have at most");
    options.form = SOOTH_INTEGERS_CODE_C;
    CHECK_FAILS(&env, sooth_integers_code(&env, large, &options, &sink), SOOTH_BAD_ARGUMENT,
                "a tree of 40001 nodes is too large for 40000 keys");
    CHECK(used == 0);
    sooth_integers_free(&env, m);
    sooth_integers_free(&env, large);
}

static size_t used_bytes;
static void forget(void) { used_bytes = 0; }

/* Every allocation may fail, in every form, and nothing is lost. */
static void every_allocation_may_fail(void) {
    const sooth_table table = made(COLS, 1);
    sooth_model *model = fitted("forest", &table);
    sooth_integers *m = whole(model, 16);
    sooth_sink sink = {&used_bytes, append, 0};
    sooth_integers_code_options options;
    sooth_env failing;
    memset(&options, 0, sizeof options);
    sooth_env_init(&failing);
    for (options.form = 0; options.form < SOOTH_INTEGERS_CODE_FORMS; ++options.form) {
        forget();
        CHECK_EVERY_ALLOCATION(&failing, sooth_integers_code(&failing, m, &options, &sink), forget());
    }
    sooth_integers_free(&env, m);
    sooth_model_free(&env, model);
}

/* ---- what every form says, and what it refuses ---- */

/* Every node is there once, whatever the form: as branches an if for each that asks and a return for each
   leaf; in Rust and Go an element of the array for each. Brackets close, and no mark is left unfilled. */
static void every_form_holds_every_node(void) {
    for (uint32_t targets = 1; targets <= TARGETS; targets += TARGETS - 1) {
        const sooth_table table = made(COLS, targets);
        sooth_model *model = fitted("boost", &table);
        for (uint32_t bits = 0; bits <= 16; bits += 16) {
            sooth_integers *m = whole(model, bits);
            const uint32_t inner = (m->nodes - m->trees) / 2;
            for (uint32_t form = 0; form < SOOTH_INTEGERS_CODE_FORMS; ++form) {
                size_t used = 0;
                sooth_sink sink = {&used, append, 0};
                const sooth_integers_code_options options = {.form = form, .no_selftest = 1};
                if (form == SOOTH_INTEGERS_CODE_BPF && targets > 1) continue;
                CHECK_STATUS(sooth_integers_code(&env, m, &options, &sink), SOOTH_OK);
                CHECK(count_of("{") == count_of("}") && count_of("(") == count_of(")") &&
                      !strpbrk(text, "@$"));
                CHECK(!strstr(text, "selftest") && !strstr(text, "Selftest"));
                if (form == SOOTH_INTEGERS_CODE_C_BRANCHES || form == SOOTH_INTEGERS_CODE_BPF)
                    CHECK(count_of("if (x[") == inner && count_of("return ") >= inner + m->trees);
                if (form != SOOTH_INTEGERS_CODE_RUST && form != SOOTH_INTEGERS_CODE_GO) continue;
                const char *at =
                    strstr(text, form == SOOTH_INTEGERS_CODE_RUST ? "static NUMBER" : "var number = ");
                CHECK(at && strchr(at, '='));
                at += strcspn(at, form == SOOTH_INTEGERS_CODE_RUST ? "="
                                                                   : "{"); /* then the numbers of the nodes */
                for (uint32_t i = 0; i < m->nodes; ++i) {
                    at += strcspn(at, "-0123456789");
                    CHECK(strtol(at, NULL, 10) == soothi_integers_nodes(m)[i].number);
                    at += strspn(at, "-0123456789");
                }
            }
            sooth_integers_free(&env, m);
        }
        sooth_model_free(&env, model);
    }
}

static void wrong_options_are_sentences(void) {
    const sooth_table table = made(COLS, 1), three = made(COLS, TARGETS), wide = made(COLS + 1, 1);
    sooth_model *model = fitted("tree", &table), *several = fitted("tree", &three);
    sooth_model *other = fitted("tree", &wide);
    sooth_integers *m = whole(model, 16), *many = whole(several, 16);
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    sooth_integers_code_options o = {.name = "2nd"};
    CHECK_FAILS(&env, sooth_integers_code(&env, m, &o, &sink), SOOTH_BAD_ARGUMENT, "must be a letter");
    o.name = "second";
    o.form = SOOTH_INTEGERS_CODE_FORMS;
    CHECK_FAILS(&env, sooth_integers_code(&env, m, &o, &sink), SOOTH_BAD_ARGUMENT, "form is 5");
    o.form = SOOTH_INTEGERS_CODE_BPF;
    o.no_selftest = 2;
    CHECK_FAILS(&env, sooth_integers_code(&env, m, &o, &sink), SOOTH_BAD_ARGUMENT, "no_selftest is 2");
    o.no_selftest = 0;
    CHECK_FAILS(&env, sooth_integers_code(&env, many, &o, &sink), SOOTH_BAD_ARGUMENT,
                "targets, but a BPF program can have only one");
    o.from = other;
    CHECK_FAILS(&env, sooth_integers_code(&env, m, &o, &sink), SOOTH_BAD_ARGUMENT, "has 6 features");
    o.from = several;
    CHECK_FAILS(&env, sooth_integers_code(&env, m, &o, &sink), SOOTH_BAD_ARGUMENT, "and 3 targets");
    CHECK(used == 0);
    CHECK_STATUS(sooth_integers_code(&env, m, NULL, &sink), SOOTH_OK);
    CHECK(strstr(text, "int32_t model_sum(const int16_t *row);") && strstr(text, "model_selftest"));
    sooth_integers_free(&env, m);
    sooth_integers_free(&env, many);
    sooth_model_free(&env, model);
    sooth_model_free(&env, several);
    sooth_model_free(&env, other);
}

/* ---- files for tests/export/integers.sh ---- */

static FILE *file(const char *folder, const char *name, const char *end) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, end);
    FILE *f = fopen(path, "w");
    if (!f) perror(path), exit(1);
    return f;
}

/* The float model with plain sums, whose self-test has bits of its own. */
static void write_plain(const char *folder, const char *name, const sooth_model *model, uint32_t form) {
    sooth_export_c_options options;
    char own[64];
    snprintf(own, sizeof own, "plain_%s_%u", name, (unsigned)form);
    sooth_sink sink = {file(folder, own, ".c"), to_file, 0};
    memset(&options, 0, sizeof options);
    options.name = own;
    options.form = form;
    options.sum = SOOTH_EXPORT_PLAIN;
    CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
    fclose((FILE *)sink.user);
}

/* Rows on and beside thresholds, some values missing, and what the sums are. */
static void write_rows(const char *folder, const char *name, const sooth_integers *m, sooth_rng *rng) {
    const int floats = m->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    FILE *f = file(folder, name, ".rows.h");
    static int64_t sum[ASKED][TARGETS];
    int32_t key[2 * COLS];
    fprintf(f, "static const %s%u_t %s_rows[%d][%d] = {\n", floats ? "uint" : "int", m->bits, name, ASKED,
            COLS);
    for (int i = 0; i < ASKED; ++i) {
        fprintf(f, "{");
        for (uint32_t j = 0; j < COLS; ++j) {
            const uint32_t turn = sooth_rng_below(rng, 16);
            float v = x[sooth_rng_below(rng, ROWS) * COLS + j] + (turn == 1 ? 0.25f : 0.0f);
            if (turn == 2) v = floats ? NAN : -1e9f;
            if (turn == 3) v = floats ? -0.0f : 1e9f;
            key[j] = soothi_integers_key(m, j, v);
            if (floats) key[j + COLS] = soothi_integers_key(m, j + COLS, v);
            uint32_t bits;
            memcpy(&bits, &v, sizeof bits);
            if (floats) fprintf(f, "%uu,", bits);
            else
                fprintf(f, key[j] == INT32_MIN ? "%d - 1," : "%d,",
                        key[j] == INT32_MIN ? key[j] + 1 : key[j]);
        }
        fprintf(f, "},\n");
        sooth_integers_sum(m, key, sum[i]);
    }
    fprintf(f, "};\nstatic const int64_t %s_want[%d][%d] = {\n", name, ASKED, TARGETS);
    for (int i = 0; i < ASKED; ++i)
        fprintf(f, "{%lld,%lld,%lld},\n", (long long)sum[i][0],
                m->head.targets > 1 ? (long long)sum[i][1] : 0,
                m->head.targets > 2 ? (long long)sum[i][2] : 0);
    fprintf(f, "};\n");
    fclose(f);
}

/* ---- physical units: training has -30 to 69.5, and these -80 to 120 ---- */

static const int32_t pers[] = {1, 2, 10, 1000};
enum { PERS = 4, STEPS = 8 };

/* floor(x 2^shift / per) - offset, clipped to `bits` bits. The quotient differs from every integer below 2^42
   that it does not equal by more than a double rounds; all others are clipped. */
static int32_t key_of(int32_t value, int32_t per, const sooth_integers_column *column, uint32_t bits) {
    const double most = ldexp(1.0, (int)bits - 1) - 1.0;
    const double key = floor(ldexp((double)value, column->shift) / (double)per) - (double)column->offset;
    return (int32_t)(key > most ? most : key < -most - 1.0 ? -most - 1.0 : key);
}

/* What the functions of every language print: keys, then predictions in thousandths. They are what the
   library predicts for the floats, which are exact. */
static void write_units(FILE *want, const char *name, const sooth_integers *m) {
    fprintf(want, "%s\n", name);
    for (uint32_t j = 0; j < COLS; ++j)
        for (int p = 0; p < PERS; ++p)
            for (int k = -STEPS - 1; k <= STEPS + 1; ++k) {
                const int far_off = k < -STEPS || k > STEPS;
                const int32_t value =
                    far_off ? (k < 0 ? -INT32_MAX : INT32_MAX) : (40 + 25 * k) * pers[p] / 2;
                const int32_t key = key_of(value, pers[p], soothi_integers_columns(m) + j, m->bits);
                fprintf(want, "%d\n", key);
                if (p == 0) CHECK(key == sooth_integers_key_from_integer(m, j, value));
                if (!far_off && p) CHECK(key == soothi_integers_key(m, j, 20.0f + 12.5f * (float)k));
            }
    for (int k = -STEPS; k <= STEPS; ++k) {
        int64_t sum[TARGETS];
        int32_t key[COLS];
        for (uint32_t j = 0; j < COLS; ++j)
            key[j] = key_of(5 * (40 + 25 * k), 10, soothi_integers_columns(m) + j, m->bits);
        sooth_integers_sum(m, key, sum);
        for (uint32_t t = 0; t < m->head.targets; ++t) {
            const long long value =
                llround((double)sum[t] * ldexp(1000, -sooth_integers_targets(m)[t].scale));
            CHECK_NEAR((double)value / 1000, sooth_integers_value(m, t, sum[t]), 0.00051);
            fprintf(want, "%lld\n", value);
        }
    }
}

static void write_code(const char *folder, const char *name, const sooth_integers *m, uint32_t form) {
    static const char *const end[] = {".c", "_if.c", "_bpf.h", ".rs", ".go"};
    sooth_integers_code_options options;
    char own[64];
    sooth_sink sink = {file(folder, name, end[form]), to_file, 0};
    snprintf(own, sizeof own, "%s%s", name,
             form == SOOTH_INTEGERS_CODE_C_BRANCHES ? "_if"
             : form == SOOTH_INTEGERS_CODE_BPF      ? "_bpf"
                                                    : "");
    memset(&options, 0, sizeof options);
    options.name = own;
    options.form = form;
    CHECK_STATUS(sooth_integers_code(&env, m, &options, &sink), SOOTH_OK);
    fclose((FILE *)sink.user);
}

static void write_all(const char *folder) {
    static const char *const kinds[] = {"tree", "forest", "boost"};
    static const uint32_t bits[] = {8, 16, 32, 0},
                          forms[] = {0, 1, SOOTH_INTEGERS_CODE_RUST, SOOTH_INTEGERS_CODE_GO};
    FILE *want = file(folder, "units", ".want");
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    for (int k = 0; k < 3; ++k)
        for (uint32_t targets = 1; targets <= TARGETS; targets += TARGETS - 1) {
            const sooth_table table = made(COLS, targets);
            sooth_model *model = fitted(kinds[k], &table);
            for (int b = 0; b < 4; ++b) {
                char name[64];
                sooth_integers *m = whole(model, bits[b]);
                snprintf(name, sizeof name, "%s_%u_%u", kinds[k], (unsigned)targets, (unsigned)bits[b]);
                write_rows(folder, name, m, &rng);
                if (bits[b]) write_units(want, name, m);
                for (int f = 0; f < 4; ++f) write_code(folder, name, m, forms[f]);
                if (targets == 1) write_code(folder, name, m, SOOTH_INTEGERS_CODE_BPF);
                printf("%s %u %s\n", name, (unsigned)targets, bits[b] ? "whole" : "float");
                sooth_integers_free(&env, m);
            }
            for (uint32_t form = 0; form < 2 && k > 0; ++form) {
                char name[64];
                snprintf(name, sizeof name, "%s_%u", kinds[k], (unsigned)targets);
                write_plain(folder, name, model, form);
            }
            sooth_model_free(&env, model);
        }
    fclose(want);
}

int main(int argc, char **argv) {
    sooth_env_init(&env);
    if (argc == 2) {
        write_all(argv[1]);
        return check_failures != 0;
    }
    CHECK_RUN(tables_hold_every_node);
    CHECK_RUN(tables_are_walked);
    CHECK_RUN(sums_are_as_wide_as_they_must_be);
    CHECK_RUN(blocks_at_their_ends);
    CHECK_RUN(what_is_too_large_is_refused);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(every_form_holds_every_node);
    CHECK_RUN(wrong_options_are_sentences);
    return check_end("integers_code");
}
