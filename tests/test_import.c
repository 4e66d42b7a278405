/* test_import.c - models of XGBoost, LightGBM, CatBoost, scikit-learn and ONNX against what those libraries
 * and ONNX Runtime predict.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The models and the expected values stand in tests/golden/import_*, written by tests/golden/import.py.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/import.h"

#include "check.h"

typedef struct import_case {
    const char *file;
    unsigned seed, missing, targets; /* missing: 1 values may be; 2 more: numbers go up to 2^24 only */
    const unsigned (*pool)[2];       /* a feature, the bits of a threshold on it */
    unsigned pools;
    unsigned long long hash; /* FNV-1a over the sums of all rows, little end first */
    const float *sums;       /* of the first rows */
    const float *answers;    /* behind the link; NULL: the sums */
} import_case;

#include "golden/import_catboost_1.2.10.h"
#include "golden/import_lightgbm_4.7.0.h"
#include "golden/import_onnx_1.32.0.h"
#include "golden/import_sklearn_1.2.1.h"
#include "golden/import_sklearn_1.9.1.h"
#include "golden/import_xgboost_1.7.4.h"
#include "golden/import_xgboost_3.2.0.h"

/* A small model that is asked for cells of a table, as sooth predict does. */
typedef struct names_case {
    const char *file;
    unsigned rows, features, targets, all_trees;
    const char *const *cell;
    const float *answer;
} names_case;

#include "golden/import_names.h"

static const names_case names_cases[] = {IMPORT_NAMES};
enum { NAMES_CASES = sizeof names_cases / sizeof *names_cases };

enum { ROWS = 10000, FEATURES = 5, SHOWN = 8, MOST_TARGETS = 3 };

static const import_case cases[] = {IMPORT_XGBOOST_1_7_4, IMPORT_XGBOOST_3_2_0, IMPORT_LIGHTGBM_4_7_0,
                                    IMPORT_SKLEARN_1_2_1, IMPORT_SKLEARN_1_9_1, IMPORT_CATBOOST_1_2_10,
                                    IMPORT_ONNX_1_32_0};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- files ---- */

typedef struct text {
    char *bytes; /* of exactly this size, so that reading past the end is seen */
    size_t size;
} text;

static text text_of(const char *bytes, size_t size) {
    text t;
    t.size = size;
    t.bytes = (char *)malloc(size ? size : 1);
    if (!t.bytes) abort();
    memcpy(t.bytes, bytes, size);
    return t;
}

/* A file that stands in golden/ beside this source. */
static text text_read(const char *name) {
    static char buffer[1 << 18];
    char path[512];
    const char *here = strrchr(__FILE__, '/');
    size_t n = 0;
    FILE *file;
    snprintf(path, sizeof path, "%.*s/golden/%s", here ? (int)(here - __FILE__) : 1, here ? __FILE__ : ".",
             name);
    file = fopen(path, "rb");
    if (file) {
        n = fread(buffer, 1, sizeof buffer, file);
        fclose(file);
    } else {
        printf("  %s cannot be read\n", path);
    }
    return text_of(buffer, n);
}

/* The text with the first `from` replaced. */
static text text_with(const text *t, const char *from, const char *to) {
    const size_t n = strlen(from), m = strlen(to);
    size_t i;
    text out;
    for (i = 0; i + n <= t->size && memcmp(t->bytes + i, from, n) != 0;) ++i;
    CHECK(i + n <= t->size);
    if (i + n > t->size) return text_of(t->bytes, t->size);
    out.size = t->size - n + m;
    out.bytes = (char *)malloc(out.size ? out.size : 1);
    if (!out.bytes) abort();
    memcpy(out.bytes, t->bytes, i);
    memcpy(out.bytes + i, to, m);
    memcpy(out.bytes + i + m, t->bytes + i + n, t->size - i - n);
    return out;
}

/* ---- the rows of import.py ---- */

static unsigned draw(unsigned long long *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 32);
}

static void make_rows(const import_case *c, float *x) {
    unsigned long long state = c->seed;
    unsigned i, j;
    for (i = 0; i < ROWS; ++i, x += FEATURES) {
        for (j = 0; j < FEATURES; ++j) {
            const unsigned r = draw(&state), sign = r << 31, kind = r >> 1 & 31;
            if (kind == 0 && (c->missing & 1)) x[j] = soothi_of_bits(0x7FC00000u);
            else if (kind == 1) x[j] = soothi_of_bits(sign);
            else if (kind == 2) x[j] = soothi_of_bits(sign | (draw(&state) & 0x7FFFFFu));
            else if (kind == 3) x[j] = soothi_of_bits(sign | (c->missing & 2 ? 0x4B800000u : 0x7F7FFFFFu));
            else x[j] = (float)((int)(r >> 8) - (1 << 23)) / 2097152.0f;
        }
        for (j = 0; j < 2; ++j) {
            const unsigned *split = c->pool[draw(&state) % c->pools], step = draw(&state) % 3;
            float v = soothi_of_bits(split[1]);
            if (step == 0) v = nextafterf(v, -INFINITY);
            if (step == 2) v = nextafterf(v, INFINITY);
            if (isfinite(v)) x[split[0]] = v;
        }
    }
}

/* ---- against the libraries ---- */

static unsigned long long hash_floats(const float *v, size_t n) {
    unsigned long long h = 14695981039346656037ull;
    size_t i;
    unsigned k;
    for (i = 0; i < n; ++i)
        for (k = 0; k < 32; k += 8) h = (h ^ (soothi_bits(v[i]) >> k & 255u)) * 1099511628211ull;
    return h;
}

/* What an ensemble says without its link. */
static void predict_sums(const sooth_ensemble *e, const float *x, float *out) {
    sooth_ensemble *plain = (sooth_ensemble *)malloc(e->head.size);
    if (!plain) abort();
    memcpy(plain, e, e->head.size);
    plain->link = SOOTH_ENSEMBLE_LINK_IDENTITY;
    soothi_block_seal(&plain->head);
    CHECK(soothi_ensemble_check(plain, plain->head.size, plain->head.kind & 0xFFFFu));
    sooth_ensemble_predict_many(plain, x, ROWS, FEATURES, out);
    free(plain);
}

static void same_bits(void) {
    static float x[ROWS * FEATURES], out[ROWS * MOST_TARGETS];
    unsigned k, i;
    for (k = 0; k < CASES; ++k) {
        const import_case *c = &cases[k];
        const int before = check_failures;
        text t = text_read(c->file);
        sooth_import import;
        sooth_env env;
        sooth_env_init(&env);
        if (sooth_import_read(&env, t.bytes, t.size, NULL, &import) != SOOTH_OK) {
            printf("  %s: %s\n", c->file, env.sentence);
            ++check_failures;
            free(t.bytes);
            continue;
        }
        CHECK(import.ensemble->head.features == FEATURES && import.ensemble->head.targets == c->targets);
        make_rows(c, x);
        predict_sums(import.ensemble, x, out);
        for (i = 0; i < SHOWN * c->targets; ++i)
            if (soothi_bits(out[i]) != soothi_bits(c->sums[i])) {
                printf("  %s: sum %u is %.9g, expected %.9g\n", c->file, i, (double)out[i],
                       (double)c->sums[i]);
                ++check_failures;
                break;
            }
        CHECK(hash_floats(out, ROWS * c->targets) == c->hash);
        sooth_ensemble_predict_many(import.ensemble, x, SHOWN, FEATURES, out);
        for (i = 0; c->answers && i < SHOWN * c->targets; ++i) CHECK_CLOSE(out[i], c->answers[i], 3e-7);
        CHECK((import.ensemble->link != SOOTH_ENSEMBLE_LINK_IDENTITY) == (c->answers != NULL));
        if (check_failures > before) printf("  in %s\n", c->file);
        sooth_import_free(&env, &import);
        free(t.bytes);
    }
}

/* The float of a cell: the code of its level, its number counted from the origin, or NaN. */
static float cell_value(const sooth_import *import, unsigned feature, const char *cell) {
    double number;
    if (import->levels && sooth_levels_columns(import->levels)[feature].categorical)
        return sooth_levels_code(import->levels, feature, cell, strlen(cell));
    if (!sooth_text_to_double(cell, strlen(cell), &number)) return NAN;
    return (float)(import->zeros ? number - import->zero[feature] : number);
}

/* Cells get the answers of the library, with categories in every spelling, unknown and missing ones. */
static void cells_of_tables(void) {
    unsigned k, i, j, named = 0, cut = 0, centred = 0;
    for (k = 0; k < NAMES_CASES; ++k) {
        const names_case *c = &names_cases[k];
        const sooth_import_options options = {.all_trees = c->all_trees, .origins = 1};
        text t = text_read(c->file);
        float row[8], out[2];
        sooth_import import;
        sooth_env env;
        sooth_env_init(&env);
        CHECK_STATUS(sooth_import_read(&env, t.bytes, t.size, &options, &import), SOOTH_OK);
        if (!import.ensemble) printf("  %s: %s\n", c->file, env.sentence);
        CHECK(!import.levels || sooth_levels_check(import.levels, import.levels->head.size));
        named += import.levels != NULL;
        centred += import.zeros > 0;
        cut += import.ensemble && import.ensemble->trees < import.file_trees;
        CHECK(!c->all_trees || import.best_iteration == UINT32_MAX);
        for (i = 0; import.ensemble && i < c->rows; ++i) {
            for (j = 0; j < c->features; ++j) row[j] = cell_value(&import, j, c->cell[i * c->features + j]);
            sooth_ensemble_predict_many(import.ensemble, row, 1, c->features, out);
            for (j = 0; j < c->targets; ++j) {
                const float want = c->answer[i * c->targets + j];
                if (import.ensemble->link == SOOTH_ENSEMBLE_LINK_IDENTITY ? out[j] != want
                                                                          : fabsf(out[j] - want) > 3e-7f) {
                    printf("  %s: row %u is %.9g, expected %.9g\n", c->file, i, (double)out[j], (double)want);
                    ++check_failures;
                }
            }
        }
        sooth_import_free(&env, &import);
        free(t.bytes);
    }
    CHECK(named == 6 && cut == 3 && centred == 6);
}

/* ---- thresholds, by trying every kind of number ---- */

static const float special[] = {-INFINITY, -FLT_MAX, -1.5f, -1.0f, -1.1e-35f, -1.05e-35f, -1e-35f,  -0.9e-35f,
                                -FLT_MIN,  -1e-45f,  -0.0f, 0.0f,  1e-45f,    FLT_MIN,    0.9e-35f, 1e-35f,
                                1.05e-35f, 1.1e-35f, 1.0f,  1.5f,  FLT_MAX,   INFINITY,   NAN};
enum { SPECIAL = sizeof special / sizeof *special };

/* 1 when the row goes to the child that was the left one (number 1). */
static int goes_left(const soothi_ensemble_node *node, float x) {
    return (isnan(x) ? !node->missing_right : x <= node->threshold) == (node->left == 1);
}

static soothi_ensemble_node split(uint32_t missing_right) {
    soothi_ensemble_node node;
    memset(&node, 0, sizeof node);
    node.left = 1;
    node.right = 2;
    node.missing_right = missing_right;
    return node;
}

static void below_is_below(void) {
    unsigned i, k, default_left;
    for (i = 0; i + 1 < SPECIAL; ++i)
        for (k = 0; k < SPECIAL; ++k)
            for (default_left = 0; default_left < 2; ++default_left) {
                soothi_ensemble_node node = split(!default_left);
                soothi_import_less(&node, special[i]);
                CHECK(goes_left(&node, special[k]) ==
                      (isnan(special[k]) ? (int)default_left : special[k] < special[i]));
            }
}

static void doubles_send_the_same_floats_left(void) {
    unsigned i, k;
    int step;
    for (i = 0; i + 1 < SPECIAL; ++i)
        for (step = -1; step <= 1; ++step) {
            const double t = step ? nextafter((double)special[i], step * INFINITY) : (double)special[i];
            for (k = 0; k + 1 < SPECIAL; ++k) {
                const float at = special[k];
                CHECK((at <= soothi_import_floor(t)) == ((double)at <= t));
                CHECK((nextafterf(at, 2) <= soothi_import_floor(t)) == ((double)nextafterf(at, 2) <= t));
            }
        }
    CHECK((1e38f <= soothi_import_floor(1e300)) && !(INFINITY <= soothi_import_floor(1e300)));
    CHECK((-INFINITY <= soothi_import_floor(-1e300)) && !(-FLT_MAX <= soothi_import_floor(-1e300)));
}

/* LightGBM's rule, in its own words: 1 goes left. */
static int lightgbm_left(double x, double t, unsigned type, unsigned default_left) {
    const double z = (double)1e-35f;
    if (!isnan(x) && fabs(x) <= z) x = 0;
    if (isnan(x) && type != 2) x = 0;
    if ((type == 1 && fabs(x) <= z) || (type == 2 && isnan(x))) return (int)default_left;
    return x <= t;
}

/* Grids of decimals: a threshold is the middle of two neighbours, or one double more, and the decimal between
   them may be at that middle. Its float goes where its double does. */
static void floats_of_decimals_go_where_doubles_do(void) {
    size_t other = 0;
    for (int digits = 1; digits <= 4; ++digits)
        for (int i = -3000; i < 3000; ++i) {
            double d[3], t;
            char text[32];
            for (int k = 0; k < 3; ++k) {
                const int size = snprintf(text, sizeof text, "%de-%d", i + k, digits);
                d[k] = strtod(text, NULL);
                CHECK(size > 0);
            }
            t = (d[0] + d[2]) / 2.0;
            for (int k = 0; k < 2; ++k, t = nextafter(t, INFINITY))
                for (int j = 0; j < 3; ++j) {
                    const float x = (float)d[j];
                    CHECK((x <= soothi_import_split(t, 0.0)) == (d[j] <= t));
                    other += ((double)x <= t) != (d[j] <= t);
                }
        }
    CHECK(other > 1000); /* whose floats are on the other side of the threshold */
}

/* If training had floats, its thresholds are their middles, and floats go where they go as doubles. */
static void floats_of_training_stay_themselves(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 20, 0);
    for (int i = 0; i < 20000; ++i) {
        const float a = (float)(0.001 * (2 + sooth_rng_below(&rng, 5000))), b = nextafterf(a, INFINITY);
        const float c = (float)(0.001 * (2 + sooth_rng_below(&rng, 5000)));
        const double middle[3] = {((double)a + b) / 2.0, ((double)a + c) / 2.0, a};
        for (int k = 0; k < 3; ++k) {
            const double t = middle[k];
            float x = nextafterf((float)t, -INFINITY);
            for (int j = 0; j < 3; ++j, x = nextafterf(x, INFINITY))
                CHECK((x <= soothi_import_split(t, 0.0)) == ((double)x <= t));
        }
    }
}

static void lightgbm_rule(void) {
    unsigned i, k, type, default_left, refused = 0, taken = 0;
    for (i = 0; i + 1 < SPECIAL; ++i)
        for (type = 0; type < 3; ++type)
            for (default_left = 0; default_left < 2; ++default_left) {
                const double t = (double)special[i];
                double at = t;
                soothi_ensemble_node node = split(0);
                const int sayable = soothi_import_lightgbm_split(&node, &at, type, default_left);
                int zero = lightgbm_left(0, t, type, default_left), small = 0, large = 0;
                node.threshold = soothi_import_floor(at);
                /* a threshold can say it when no smaller number goes right of 0, no larger one left */
                for (k = 0; k <= SPECIAL; ++k) {
                    const float x = k + 1 < SPECIAL
                                        ? special[k]
                                        : nextafterf(k < SPECIAL ? 1e-35f : -1e-35f, k < SPECIAL ? 1 : -1);
                    const int left = lightgbm_left((double)x, t, type, default_left);
                    if (x < -1e-35f) small |= left != zero ? (left ? 2 : 1) : 0;
                    if (x > 1e-35f) large |= left != zero ? (left ? 2 : 1) : 0;
                }
                CHECK(sayable == !((small & 1) || (large & 2)));
                taken += (unsigned)sayable;
                refused += !sayable;
                for (k = 0; sayable && k < SPECIAL; ++k)
                    CHECK(goes_left(&node, special[k]) ==
                          lightgbm_left((double)special[k], t, type, default_left));
            }
    CHECK(taken > 100 && refused > 8);
}

/* ---- what else a file says ---- */

static sooth_status read_text(sooth_env *env, const text *t, sooth_import *out) {
    return sooth_import_read(env, t->bytes, t->size, NULL, out);
}

static void names_and_objective(void) {
    static const char *const files[] = {
        "import_xgboost_1.7.4_squared.json", "import_xgboost_1.7.4_squared.ubj",
        "import_xgboost_3.2.0_squared.json", "import_xgboost_3.2.0_squared.ubj"};
    unsigned k;
    sooth_import import;
    sooth_env env;
    text t;
    sooth_env_init(&env);
    for (k = 0; k < 4; ++k) {
        t = text_read(files[k]);
        CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
        CHECK(import.format == (k % 2 ? SOOTH_IMPORT_XGBOOST_UBJ : SOOTH_IMPORT_XGBOOST_JSON));
        CHECK(strcmp(import.objective, "reg:squarederror") == 0);
        CHECK(import.names == 5);
        if (import.names == 5) {
            CHECK(strcmp(import.feature_names[0], "threads") == 0);
            CHECK(strcmp(import.feature_names[2], "cache \xC2\xB5s") == 0);
            CHECK(strcmp(import.feature_names[3], "say \"8\"") == 0);
            CHECK(strcmp(import.feature_names[4], "back\\slash") == 0);
        }
        sooth_import_free(&env, &import);
        CHECK(!import.ensemble && !import.feature_names);
        free(t.bytes);
    }
    t = text_read("import_lightgbm_4.7.0_binary.txt");
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    CHECK(import.format == SOOTH_IMPORT_LIGHTGBM && strcmp(import.objective, "binary sigmoid:1") == 0);
    CHECK(import.names == 5 && strcmp(import.feature_names[4], "Column_4") == 0);
    sooth_import_free(&env, &import);
    free(t.bytes);
    t = text_read("import_sklearn_1.2.1_forest.json");
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    CHECK(import.format == SOOTH_IMPORT_SKLEARN && import.names == 0 && !import.feature_names);
    CHECK((import.ensemble->head.kind & 0xFFFFu) == SOOTH_KIND_FOREST && import.ensemble->trees == 5);
    sooth_import_free(&env, &import);
    free(t.bytes);
}

static const char small_json[] = "{\"sklearn\": \"1\", \"features\": 2, \"targets\": 2, \"base\": [0.5, "
                                 "100], \"link\": \"identity\", \"mean\": false,\n"
                                 " \"feature_names\": [\"a\\u00e9\\ud83d\\ude00\", \"tab\\t\\/\"], "
                                 "\"trees\": [{\"left\": [1, -1, -1], \"right\": [2, -1, -1],\n"
                                 "  \"feature\": [1, -1, -1], \"threshold\": [2.5, 0, 0], \"missing_left\": "
                                 "[1, 0, 0], \"cover\": [8, 5, 3], \"gain\": [4, 0, 0],\n"
                                 "  \"value\": [0, 0, 10, 1, 20, 2]}]}";

static void small_document(void) {
    static const float row[3][2] = {{9, 2.5f}, {0, 2.6f}, {0, NAN}};
    sooth_import import;
    soothi_ensemble_node node;
    sooth_env env;
    float out[6];
    double gain[2];
    text t = text_of(small_json, sizeof small_json - 1);
    sooth_env_init(&env);
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    if (import.ensemble) {
        sooth_ensemble_predict_many(import.ensemble, row[0], 3, 2, out);
        CHECK_NEAR(out[0], 10.5, 0);
        CHECK_NEAR(out[1], 101, 0);
        CHECK_NEAR(out[2], 20.5, 0);
        CHECK_NEAR(out[3], 102, 0);
        CHECK_NEAR(out[4], 10.5, 0);
        soothi_ensemble_gain(import.ensemble, gain);
        CHECK_NEAR(gain[0], 0, 0);
        CHECK_NEAR(gain[1], 4, 0);
        soothi_ensemble_look(import.ensemble, 2, &node);
        CHECK_NEAR(node.cover, 3, 0);
        CHECK(import.names == 2 && strcmp(import.feature_names[0], "a\xC3\xA9\xF0\x9F\x98\x80") == 0);
        CHECK(import.names == 2 && strcmp(import.feature_names[1], "tab_/") == 0);
    }
    sooth_import_free(&env, &import);
    CHECK_STATUS(read_text(NULL, &t, &import), SOOTH_OK); /* without env */
    sooth_import_free(NULL, &import);
    CHECK_FAILS(&env,
                sooth_import_read(&env, t.bytes, t.size,
                                  &(const sooth_import_options){.format = SOOTH_IMPORT_XGBOOST_JSON},
                                  &import),
                SOOTH_BAD_TEXT, "another library");
    CHECK_STATUS(sooth_import_read(&env, t.bytes, t.size,
                                   &(const sooth_import_options){.format = SOOTH_IMPORT_SKLEARN}, &import),
                 SOOTH_OK);
    sooth_import_free(&env, &import);
    free(t.bytes);
}

/* Covers and gains as the libraries have them. */
static void covers_and_gains(void) {
    sooth_import import;
    sooth_env env;
    double gain[5];
    text t = text_read("import_lightgbm_4.7.0_constant.txt");
    sooth_env_init(&env);
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    if (import.ensemble) CHECK_NEAR(sooth_ensemble_predict(import.ensemble, (const float[5]){0}), 3, 0);
    sooth_import_free(&env, &import);
    free(t.bytes);
    t = text_read("import_xgboost_1.7.4_pruned.json");
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    if (import.ensemble) {
        CHECK_NEAR(soothi_ensemble_cover(import.ensemble)[0], 1500,
                   0); /* sum_hessian of the root: the rows */
        soothi_ensemble_gain(import.ensemble, gain);
        CHECK(gain[0] > 100 && gain[4] < gain[0]);
    }
    sooth_import_free(&env, &import);
    free(t.bytes);
}

/* The lines of Windows. */
static void carriage_returns(void) {
    text t = text_read("import_lightgbm_4.7.0_binary.txt"), r;
    static float x[ROWS * FEATURES], a[ROWS], b[ROWS];
    sooth_import one, two;
    sooth_env env;
    size_t i, n = 0;
    sooth_env_init(&env);
    make_rows(&cases[0], x);
    r.bytes = (char *)malloc(2 * t.size + 1);
    if (!r.bytes) abort();
    for (i = 0; i < t.size; ++i) {
        if (t.bytes[i] == '\n') r.bytes[n++] = '\r';
        r.bytes[n++] = t.bytes[i];
    }
    r.size = n;
    CHECK_STATUS(read_text(&env, &t, &one), SOOTH_OK);
    CHECK_STATUS(read_text(&env, &r, &two), SOOTH_OK);
    if (one.ensemble && two.ensemble) {
        sooth_ensemble_predict_many(one.ensemble, x, ROWS, FEATURES, a);
        sooth_ensemble_predict_many(two.ensemble, x, ROWS, FEATURES, b);
        CHECK(memcmp(a, b, sizeof a) == 0);
        CHECK(strcmp(one.objective, two.objective) == 0 &&
              strcmp(one.feature_names[4], two.feature_names[4]) == 0);
    }
    sooth_import_free(&env, &one);
    sooth_import_free(&env, &two);
    free(t.bytes);
    free(r.bytes);
}

/* ---- what is refused ---- */

static void refusals(void) {
    static const char *const file[][2] = {
        {"import_onnx_1.32.0_refused_sets.onnx", "equals a number (BRANCH_EQ or BRANCH_NEQ); import the"},
        {"import_onnx_1.32.0_refused_softmax.onnx", "post_transform of the trees cannot be imported"},
        {"import_names_refused_latin.json", "app have letters beyond ASCII"},
        {"import_names_refused_latin.ubj", "app have letters beyond ASCII"},
        {"import_names_refused_week.txt", "even from an origin"},
        {"import_names_refused_close.txt", "numbers of ratio at 0.3000000000"},
        {"import_xgboost_3.2.0_refused_vector.json", "multi_output_tree"},
        {"import_xgboost_3.2.0_refused_vector.ubj", "multi_output_tree"},
        {"import_lightgbm_4.7.0_refused_zero.txt", "zero_as_missing"}};
    sooth_import import;
    sooth_env env;
    unsigned k;
    sooth_env_init(&env);
    for (k = 0; k < sizeof file / sizeof *file; ++k) {
        text t = text_read(file[k][0]);
        CHECK_FAILS(&env, read_text(&env, &t, &import), SOOTH_BAD_TEXT, file[k][1]);
        CHECK(strstr(env.sentence, "line ") == env.sentence || strstr(env.sentence, "byte ") == env.sentence);
        CHECK(!import.ensemble);
        free(t.bytes);
    }
}

/* In a file, `from` becomes `to`, and the sentence must hold `words` ("" : it is read). */
static void altered(void) {
    static const char *const
        json = "import_xgboost_1.7.4_targets.json",
        *const text_file = "import_lightgbm_4.7.0_binary.txt",
        *const classes = "import_lightgbm_4.7.0_classes.txt", *const dart = "import_xgboost_3.2.0_dart.json",
        *const pruned = "import_xgboost_1.7.4_pruned.json", *const pandas = "import_names_numbers.txt",
        *const named = "import_names_named.json", *const best = "import_names_best.json";
    const char *const change[][4] = {
        {json, "\"tree_info\":[0,1,2", "\"tree_info\":[0,2,1", ""},
        {json, "\"tree_info\":[0,1,2", "\"tree_info\":[0,1,1",
         "tree 4 is number 3 for target 1, but 3 targets with as many trees each have at most 2 of the 6 "
         "trees"},
        {json, "0,1,2],\"trees\"", "0,1],\"trees\"", "tree_info has no target for tree 5"},
        {json, "\"tree_info\":[0,", "\"tree_info\":[3,", "tree_info has no target for tree 0"},
        {json, "reg:squarederror", "multi:softprob", "the objective multi:softprob cannot be imported"},
        {json, "\"name\":\"gbtree\"", "\"name\":\"gblinear\"",
         "the booster gblinear cannot be imported; gbtree and dart are read"},
        {json, "\"num_class\":\"0\",\"num_feature\":\"5\"", "\"num_feature\":\"2\"", "tests column"},
        {json, "\"num_class\":\"0\",\"num_feature\":\"5\"", "\"num_feature\":\"4000000000\"",
         "too many for a file"},
        {json, "\"num_class\":\"0\",\"num_feature\":\"5\"", "\"num_feature\":\"-5\"",
         "num_feature is not an integer"},
        {json, "\"num_class\":\"0\",\"num_feature\":\"5\"", "\"num_feature\":\"5x\"",
         "num_feature is not an integer"},
        {json, "\"num_target\":\"3\"", "\"num_target\":\"4000000000\"", "too many for a file"},
        {json, "\"num_target\":\"3\"", "\"num_target\":\"5\"", "the model has 6 trees for 5 targets"},
        {json, "\"base_score\":\"5E-1\"", "\"base_score\":\"[5E-1,1E0,2E0]\"", ""},
        {json, "\"base_score\":\"5E-1\"", "\"base_score\":\"[5E-1,1E0]\"", "base_score has 2 numbers"},
        {json, "\"base_score\":\"5E-1\"", "\"base_score\":\"[]\"", "base_score is not a number"},
        {json, "\"base_score\":\"5E-1\"", "\"base_score\":\"inf\"", "base_score is inf"},
        {json, "\"left_children\":[1,", "\"left_children\":[7,", "has invalid children"},
        {pruned, "\"left_children\":[1,", "\"left_children\":[2,", "tree 0"},
        {json, "\"left_children\":[1,", "\"left_children\":[0,", "has invalid children"},
        {json, "\"left_children\":[1,", "\"left_children\":[1.5,", "has invalid children"},
        {json, "\"left_children\":[1,", "\"left_children\":[", "tree 0 has the wrong length"},
        {json, "\"left_children\":[1,", "\"left_children\":[true false,", "comma"},
        {json, "\"left_children\":[1,", "\"left_children\":[\"x\",", "other values than numbers"},
        {json, "\"left_children\":", "\"left_childern\":", "has no list left_children"},
        {json, "\"split_conditions\":[", "\"split_conditions\":[1,",
         "split_conditions of tree 0 has the wrong length"},
        {json, "\"split_conditions\":[", "\"split_conditions\":[NaN,", "has the wrong length"},
        {json, "\"sum_hessian\":[", "\"sum_hessian\":[1e999,", "has the wrong length"},
        {json, "\"version\":[1,7,4]}", "\"version\":[1,7,4", "the file is incomplete"},
        {json, "\"version\":[1,7,4]}", "\"version\":[1,7,4]}}", "there is text after the last bracket"},
        {json, "\"learner\"", "\"learned\"", "this is not a model"},
        {json, "{\"learner\"", "{ learner", "a string is missing"},
        {json, "\"learner\":", "\"learner\"", "a colon is missing"},
        {json, "\"trees\":[", "\"trees\":null,\"tress\":[", "no trees"},
        {dart, "\"weight_drop\":[", "\"weight_drop\":[],\"x\":[", "weight_drop has no number for tree 0"},
        {text_file, "objective=binary sigmoid:1", "objective=binary sigmoid:2", "objective"},
        {text_file, "objective=binary sigmoid:1", "objective=multiclass num_class:1", "objective"},
        {text_file, "objective=binary sigmoid:1", "objective=regression sqrt", "objective"},
        {text_file, "objective=binary sigmoid:1", "objective=cross_entropy", ""},
        {text_file, "objective=binary sigmoid:1", "other=1", ""},
        {text_file, "max_feature_idx=4", "max_feature_idx=2", "tests column"},
        {text_file, "max_feature_idx=4", "max_feature_idx=4294967295", "max_feature_idx"},
        {text_file, "max_feature_idx=4", "max_feature_idx=9", "5 feature names, but 10 features"},
        {text_file, "max_feature_idx=4", "", "max_feature_idx is missing"},
        {text_file, "num_tree_per_iteration=1", "num_tree_per_iteration=2", "cannot predict 2 targets"},
        {text_file, "split_feature=", "split_feature=0 ", "split_feature of tree 0 has the wrong length"},
        {text_file, "split_feature=", "split_feature=x", "other values than numbers"},
        {text_file, "left_child=", "left_child=-1 ", "of tree 0 has the wrong length"},
        {text_file, "decision_type=", "decision_type=14 ", "unknown split_feature or decision_type"},
        {text_file, "leaf_value=", "leaf_value=nan ", "has the wrong length"},
        {text_file, "leaf_value=", "leaf_values=", "has no leaf_value"},
        {text_file, "threshold=", "thresholds=", "has no list threshold"},
        {text_file, "end of trees", "end", "\"end of trees\" is missing"},
        {text_file, "tree\n", "trees\n", ""},
        {text_file, "Tree=0", "Tree:0", "found Tree=1, but expected Tree=0"},
        {classes, "num_class:3", "num_class:2", ""},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, 4, 8, 1.0]]", "has the category 1 twice"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, 4, 8]]", "no features have codes that they explain"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, 4, 8, 16], [1]]", "no features have codes that they explain"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1], [1], [1]]", "too many for 2 features"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[3]", "must be a list of lists"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, null, 8, 16]]", "a category of threads is not a text"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, Infinity, 8, 16]]", "a category of threads is not a text"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, [4], 8, 16]]", "a category of threads is not a text"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, 2, 4, 8, 16", "incomplete"},
        {pandas, "[[1, 2, 4, 8, 16]]", "[[1, \"a\\u0000\", 4, 8, 16]]", "a zero byte"},
        {pandas, "[[1, 2, 4, 8, 16]]", "null", ""},
        {pandas, "[[1, 2, 4, 8, 16]]", "[]", ""},
        {named, "\"offsets\":[0,3", "\"offsets\":[0,0", ""},
        {named, "\"offsets\":[0,3", "\"offsets\":[4,3", "must ascend"},
        {named, "\"offsets\":[0,3", "\"offsets\":[0,3000", "fewer bytes than their offsets"},
        {named, "\"offsets\":[0,3", "\"offsets\":[0,-3", "must ascend"},
        {named, "\"values\":[1,", "\"values\":[2,", "twice"},
        {named, "\"values\":[1,", "\"values\":[{},", "is not a text"},
        {named, "\"enc\":[", "\"enc\":[{},{},", "categories of 6 features, but 4 features"},
        {best, "\"best_iteration\":\"0\"", "\"best_iteration\":\"99\"", "--all-trees) reads all"},
        {best, "\"best_iteration\":\"0\"", "\"best_iteration\":\"4294967295\"", "--all-trees) reads all"},
        {best, "\"best_iteration\":\"0\"", "\"best_iteration\":\"x\"", "best_iteration is not an integer"},
        {best, "\"best_iteration\":\"0\"", "\"best_iteration\":\"1\"", ""}};
    sooth_import import;
    sooth_env env;
    unsigned k;
    sooth_env_init(&env);
    for (k = 0; k < sizeof change / sizeof *change; ++k) {
        text t = text_read(change[k][0]), altered_text = text_with(&t, change[k][1], change[k][2]);
        const int before = check_failures;
        if (change[k][3][0])
            CHECK_FAILS(&env, read_text(&env, &altered_text, &import), SOOTH_BAD_TEXT, change[k][3]);
        else CHECK_STATUS(read_text(&env, &altered_text, &import), SOOTH_OK);
        if (check_failures > before) printf("  %s -> %s: %s\n", change[k][1], change[k][2], env.sentence);
        sooth_import_free(&env, &import);
        free(t.bytes);
        free(altered_text.bytes);
    }
}

/* Trees that are read of a file in which each `from` becomes its `to`. */
static uint32_t trees_of(const char *file, const char *const change[][2], unsigned changes) {
    sooth_import import;
    sooth_env env;
    text t = text_read(file);
    sooth_env_init(&env);
    for (unsigned k = 0; k < changes; ++k) {
        text next = text_with(&t, change[k][0], change[k][1]);
        free(t.bytes);
        t = next;
    }
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    const uint32_t trees = import.ensemble ? import.ensemble->trees : 0;
    sooth_import_free(&env, &import);
    free(t.bytes);
    return trees;
}

/* Earlier versions have no iteration_indptr, and the first ones no num_parallel_tree. */
static void best_iteration_of_earlier_versions(void) {
    static const char *const change[][2] = {
        {"\"best_iteration\":\"0\"", "\"best_iteration\":\"1\""},
        {"\"iteration_indptr\"", "\"ignored\""},
        {"\"num_parallel_tree\"", "\"unknown\""},
        {"\"best_iteration\":\"1\"", "\"best_iteration\":\"1\",\"best_ntree_limit\":\"4\""}};
    const char *const limit[][2] = {{change[1][0], change[1][1]},
                                    {change[2][0], change[2][1]},
                                    {change[0][0], "\"best_iteration\":\"1\",\"best_ntree_limit\":\"4\""}};
    sooth_import import;
    sooth_env env;
    CHECK(trees_of("import_names_best.json", change, 1) == 4);
    CHECK(trees_of("import_names_best.json", change, 2) == 4);
    CHECK(trees_of("import_names_best.json", limit, 3) == 4);
    sooth_env_init(&env);
    text t = text_read("import_names_best.json"), a = text_with(&t, change[1][0], change[1][1]);
    text b = text_with(&a, change[2][0], change[2][1]);
    CHECK_FAILS(&env, read_text(&env, &b, &import), SOOTH_BAD_TEXT, "no number of trees per iteration");
    free(t.bytes);
    free(a.bytes);
    free(b.bytes);
}

/* Lists of categories without names of columns: they are given to columns only if there is one way. */
static void lists_belong_to_one_column(void) {
    static const char *const unordered[] = {"[categorical_feature: 1,2]", "[categorical_feature: ]"};
    sooth_import import;
    sooth_env env;
    sooth_env_init(&env);
    text t = text_read("import_names_listed.txt"), a = text_with(&t, unordered[0], unordered[1]);
    text b = text_with(&a, "feature_infos=[", "feature_infos=none none none none [");
    CHECK_FAILS(&env, read_text(&env, &b, &import), SOOTH_BAD_TEXT, "can belong to several features");
    CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
    CHECK(import.levels && sooth_levels_columns(import.levels)[1].categorical == 1 &&
          sooth_levels_columns(import.levels)[3].categorical == 1 &&
          !sooth_levels_columns(import.levels)[2].categorical && import.coded == 1 &&
          import.first_coded == 2);
    if (import.levels) CHECK(strcmp(sooth_levels_name(import.levels, 3, 3), "XL") == 0);
    sooth_import_free(&env, &import);
    free(t.bytes);
    free(a.bytes);
    free(b.bytes);
}

/* Spellings of values: decimal arithmetic by hand. */
static void values_have_one_spelling(void) {
    static const char *const same[][3] = {
        {"40", "40.0", "4e1"},       {"0", "-0.0", "0e5"},
        {"-1.5", "-1.50", "-15e-1"}, {"0.00001", "1e-5", ".00001"},
        {"1e-7", "1e-07", "0.1e-6"}, {"9007199254740993", "+9007199254740993.0", "009007199254740993"},
        {"1e21", "1E+21", "10e20"},  {"True", "TRUE", "true"},
        {"False", "FALSE", "false"}, {"100000000000000000000", "1e20", "1000e17"}};
    static const char *const none[] = {"",
                                       "-",
                                       ".",
                                       "1e",
                                       "1e+",
                                       "1e5x",
                                       "1e5-",
                                       "x",
                                       "1x",
                                       "1 ",
                                       "1.2.3",
                                       "nan",
                                       "inf",
                                       "trues",
                                       "1e99999999999999",
                                       "12345678901234567890123456789012345678901"};
    char value[SOOTHI_LEVELS_VALUE];
    for (size_t i = 0; i < sizeof same / sizeof *same; ++i)
        for (size_t k = 0; k < 3; ++k) {
            const size_t n = soothi_levels_value(same[i][k], strlen(same[i][k]), value);
            const char *want = i == 4 ? "1e-7" : same[i][0];
            CHECK(n == strlen(want) && memcmp(value, want, n) == 0);
            if (n != strlen(want) || memcmp(value, want, n))
                printf("  %s: %.*s\n", same[i][k], (int)n, value);
        }
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
        CHECK(soothi_levels_value(none[i], strlen(none[i]), value) == 0);
}

static void nothing_at_all(void) {
    static const char *const bad[] = {"",
                                      " ",
                                      "{",
                                      "{}",
                                      "[]",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "nonsense",
                                      "tree",
                                      "tree\n",
                                      "{\"learner\":{}}",
                                      "{\"learner\":3}",
                                      "{\"sklearn\":\"1\"}",
                                      "{\"sklearn\":\"1\",\"features\":1}",
                                      "{\"sklearn\":\"1\",\"features\":1,\"trees\":[{}]}",
                                      "{\"sklearn\":\"1\",\"features\":1,\"trees\":[3]}",
                                      "{i\x01"
                                      "a",
                                      "{i\x01"
                                      "aZ",
                                      "{U\xFF"
                                      "a",
                                      "{L\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFFq",
                                      "{i\x01"
                                      "a[$T#L\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF}",
                                      "{i\x01"
                                      "a[$d#i\xFF}",
                                      "{i\x01"
                                      "a[$d#l\x7F\xFF\xFF\xFF}",
                                      "{i\x01"
                                      "a[#l\x7F\xFF\xFF\xFFZ}",
                                      "{i\x01"
                                      "a[$}",
                                      "\xEF\xBB\xBF{}"};
    sooth_import import;
    sooth_env env;
    unsigned k;
    sooth_env_init(&env);
    for (k = 0; k < sizeof bad / sizeof *bad; ++k) {
        text t = text_of(bad[k], strlen(bad[k]));
        CHECK_FAILS(&env, read_text(&env, &t, &import), SOOTH_BAD_TEXT, ": ");
        CHECK(!import.ensemble && !import.feature_names);
        free(t.bytes);
    }
}

/* A tree without nodes is refused, also one that claims to have had some. */
static void a_tree_without_nodes(void) {
    static const char file[] =
        "{\"learner\":{\"gradient_booster\":{\"name\":\"gbtree\",\"model\":{\"tree_info\":[0],\"trees\":[{"
        "\"left_children\":[],\"right_children\":[],\"split_indices\":[],\"split_conditions\":[],"
        "\"tree_param\":{\"num_deleted\":\"1\"}}]}},\"learner_model_param\":{\"base_score\":\"0\","
        "\"num_feature\":\"1\"},\"objective\":{\"name\":\"reg:linear\"}}}";
    sooth_import import;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_import_read(&env, file, sizeof file - 1, NULL, &import), SOOTH_BAD_TEXT, "nodes");
}

/* A million brackets are refused, not followed. */
static void nesting(void) {
    const char *const start[] = {"{\"a\":", "{i\x01"
                                            "a"};
    sooth_import import;
    sooth_env env;
    unsigned k;
    sooth_env_init(&env);
    for (k = 0; k < 2; ++k) {
        text t;
        t.size = 1000000;
        t.bytes = (char *)malloc(t.size);
        if (!t.bytes) abort();
        memset(t.bytes, '[', t.size);
        memcpy(t.bytes, start[k], strlen(start[k]));
        CHECK_FAILS(&env, read_text(&env, &t, &import), SOOTH_BAD_TEXT, "nested too deeply");
        free(t.bytes);
    }
}

/* Every beginning of a file is refused, without reading beyond it. */
static void truncation(void) {
    static const char *const files[] = {"import_xgboost_1.7.4_sets.json",
                                        "import_xgboost_1.7.4_poisson.ubj",
                                        "import_lightgbm_4.7.0_sets.txt",
                                        "import_catboost_1.2.10_scaled.json",
                                        "import_xgboost_3.2.0_one_hot.ubj",
                                        "import_lightgbm_4.7.0_binary.txt",
                                        "import_sklearn_1.2.1_huber.json",
                                        "import_xgboost_3.2.0_refused_vector.ubj",
                                        "import_names_named.json",
                                        "import_names_named.ubj",
                                        "import_xgboost_3.2.0_logistic.json",
                                        "import_onnx_1.32.0_five.onnx",
                                        "import_onnx_1.32.0_pruned.onnx"};
    sooth_import import;
    sooth_env env;
    size_t k, n;
    sooth_env_init(&env);
    for (k = 0; k < sizeof files / sizeof *files; ++k) {
        const text whole = text_read(files[k]);
        size_t end = whole.size;
        while (end > 0 && whole.bytes[end - 1] == '\n') --end;
        for (n = 0; n < end; ++n) {
            text t = text_of(whole.bytes, n);
            const sooth_status status = read_text(&env, &t, &import);
            CHECK(status == SOOTH_BAD_TEXT && !import.ensemble && env.sentence[0]);
            free(t.bytes);
            if (check_failures) {
                printf("  %s, %u bytes: %s\n", files[k], (unsigned)n, env.sentence);
                break;
            }
        }
        free(whole.bytes);
    }
}

/* ---- memory ---- */

/* All files fit in an arena of a few times their size, and in one of exactly what they needed. */
static void memory_is_bounded(void) {
    unsigned k;
    for (k = 0; k < CASES; ++k) {
        const text t = text_read(cases[k].file);
        const size_t hashes = strstr(cases[k].file, "catboost") ? 32768 + 8192 : 0;
        const size_t room = 4096 + hashes + 8 * t.size;
        void *memory = malloc(room);
        sooth_import import;
        sooth_arena arena;
        sooth_env env;
        if (!memory) abort();
        sooth_env_init(&env);
        sooth_arena_init(&env, &arena, memory, room);
        CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
        if (import.ensemble) {
            sooth_arena_init(&env, &arena, memory, arena.peak);
            CHECK_STATUS(read_text(&env, &t, &import), SOOTH_OK);
            sooth_arena_init(&env, &arena, memory, arena.peak - 16);
            CHECK_STATUS(read_text(&env, &t, &import), SOOTH_NO_MEMORY);
        } else {
            printf("  %s: %s\n", cases[k].file, env.sentence);
        }
        free(memory);
        free(t.bytes);
    }
}

/* Files of which a sentence can say more than that they are none of these. */
static void near_misses_are_named(void) {
    static const char twice[] = "\"{\\\"sklearn\\\": 1}\"", pickle[] = "\x80\x04\x95";
    sooth_import out;
    sooth_env e;
    sooth_env_init(&e);
    CHECK_FAILS(&e, sooth_import_read(&e, twice, sizeof twice - 1, NULL, &out), SOOTH_BAD_TEXT,
                "this is a JSON string that contains JSON; write the object");
    CHECK_FAILS(&e, sooth_import_read(&e, pickle, sizeof pickle - 1, NULL, &out), SOOTH_BAD_TEXT,
                "this is a Python pickle, which cannot be imported; use");
    CHECK_FAILS(&e, sooth_import_read(&e, "CBM1\x10", 5, NULL, &out), SOOTH_BAD_TEXT,
                "this is CatBoost's binary format (.cbm)");
    CHECK_FAILS(&e, sooth_import_read(&e, "binf\x10", 5, NULL, &out), SOOTH_BAD_TEXT,
                "this is XGBoost's old binary format");
    /* ir_version, then producer_name, producer_version, graph or opset_import; or other things */
    static const struct {
        const char *bytes;
        int onnx;
    } start[] = {{"\x08\x07\x12\x04", 1}, {"\x08\x3F\x1A\x04", 1}, {"\x08\x01\x3A\x04", 1},
                 {"\x08\x0A\x42\x04", 1}, {"\x08\x00\x12\x04", 0}, {"\x08\x40\x12\x04", 0},
                 {"\x08\x07\x13\x04", 0}, {"\x09\x07\x12\x04", 0}};
    for (size_t k = 0; k < sizeof start / sizeof *start; ++k)
        for (size_t size = 3; size < 5; ++size)
            CHECK_FAILS(&e, sooth_import_read(&e, start[k].bytes, size, NULL, &out), SOOTH_BAD_TEXT,
                        start[k].onnx && size > 3
                            ? "this ONNX file is damaged or incomplete"
                            : "this is not JSON, UBJ, ONNX or the text of LightGBM or LIBSVM");
}

int main(void) {
    CHECK_RUN(same_bits);
    CHECK_RUN(cells_of_tables);
    CHECK_RUN(best_iteration_of_earlier_versions);
    CHECK_RUN(lists_belong_to_one_column);
    CHECK_RUN(values_have_one_spelling);
    CHECK_RUN(below_is_below);
    CHECK_RUN(doubles_send_the_same_floats_left);
    CHECK_RUN(floats_of_decimals_go_where_doubles_do);
    CHECK_RUN(floats_of_training_stay_themselves);
    CHECK_RUN(lightgbm_rule);
    CHECK_RUN(names_and_objective);
    CHECK_RUN(small_document);
    CHECK_RUN(covers_and_gains);
    CHECK_RUN(carriage_returns);
    CHECK_RUN(refusals);
    CHECK_RUN(altered);
    CHECK_RUN(nothing_at_all);
    CHECK_RUN(a_tree_without_nodes);
    CHECK_RUN(nesting);
    CHECK_RUN(truncation);
    CHECK_RUN(memory_is_bounded);
    CHECK_RUN(near_misses_are_named);
    return check_end("import");
}
