/* test_csv_blocks.c - CSV files in stripes: the models of the file in memory, byte for byte.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTHI_CSV_PIECE ((size_t)512) /* so that a file of some kilobytes has many stripes */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "sooth/train.h"

#include "check.h"
#include "recipes.h"

enum { ROOM = 400000 };
static char text[ROOM];
static size_t length;
static sooth_env env;

/* ---- a file that can be read again, some bytes at a time, and may go wrong ---- */

typedef struct store {
    size_t at, step, passes;
    size_t fails_at;           /* in the last pass; 0: never */
    size_t grows, less, spoil; /* from the second pass on: bytes more or fewer, and one that differs */
} store;

static sooth_status bytes_next(void *user, sooth_env *e, void *to, size_t size, size_t *got) {
    store *s = (store *)user;
    const size_t all = s->passes > 1 ? length + s->grows - s->less : length;
    *got = all - s->at < size ? all - s->at : size;
    if (*got > s->step) *got = s->step;
    if (s->passes > 1 && s->fails_at && s->at + *got > s->fails_at)
        return sooth_fail(e, SOOTH_BAD_TEXT, "table.csv cannot be read: input/output error");
    memcpy(to, text + s->at, *got);
    if (s->passes > 1 && s->spoil >= s->at && s->spoil < s->at + *got && s->spoil)
        ((char *)to)[s->spoil - s->at] ^= 1; /* a digit becomes another */
    s->at += *got;
    return SOOTH_OK;
}

static sooth_status bytes_again(void *user, sooth_env *e) {
    store *s = (store *)user;
    (void)e;
    s->at = 0;
    ++s->passes;
    return SOOTH_OK;
}

static sooth_csv_file file_of(store *s, size_t step) {
    const store fresh = {0, step, 0, 0, 0, 0, 0};
    const sooth_csv_file file = {s, bytes_next, bytes_again, length};
    *s = fresh;
    return file;
}

/* Rows of a, b, t (a text), "c, d", w, g, y; one in `holes` cells is empty, some are in quotes, some rows are
   short, some lines are empty or blank. */
static void write_file(size_t rows, char separator, uint32_t holes, const char *line_end) {
    sooth_rng rng;
    sooth_rng_init(&rng, 5, holes);
    length = (size_t)snprintf(text, ROOM,
                              "\xEF\xBB\xBF"
                              "a%cb [W]%ct%c\"c%c d\"%cw%cg%cempty%cy%s",
                              separator, separator, separator, separator, separator, separator, separator,
                              separator, line_end);
    for (size_t i = 0; i < rows; ++i) {
        const int hole = holes && sooth_rng_below(&rng, holes) == 0;
        const double a = sooth_rng_double(&rng), b = (double)sooth_rng_below(&rng, 30);
        const uint32_t g = sooth_rng_below(&rng, 9);
        char number[32];
        snprintf(number, sizeof number, "%.6g", a);
        for (char *p = number; separator == ';' && *p; ++p)
            if (*p == '.') *p = ',';
        length += (size_t)snprintf(
            text + length, ROOM - length, "%s%c\"%g\"%c\"two%slines, \"\"%u\"\"\"%c%s%c%u%cp%u%c%c%g%s",
            hole ? "NA" : number, separator, b, separator, i % 5 ? " " : line_end, (unsigned)g, separator,
            i % 7 ? number : "", separator, (unsigned)sooth_rng_below(&rng, 3) + (i % 11 != 0), separator,
            (unsigned)g, separator, separator, 3.0 * (int)(4.0 * a) + b * (g + 1), line_end);
        if (holes && i % 17 == 0) /* an empty line, one without values, a short one */
            length += (size_t)snprintf(text + length, ROOM - length, "%s %c %s1%s", line_end, separator,
                                       line_end, line_end);
    }
}

/* ---- models ---- */

/* The model of the file in memory. */
static sooth_model *whole_model(const sooth_csv_table_options *choice, const sooth_train_recipe *recipe) {
    sooth_train_recipe own = *recipe;
    sooth_csv_data data;
    sooth_csv csv;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_csv_read(&env, text, length, NULL, &csv), SOOTH_OK);
    CHECK_STATUS(sooth_csv_table(&env, &csv, choice, &data), SOOTH_OK);
    own.groups = data.groups;
    CHECK_STATUS(sooth_train_fit(&env, &data.table, &own, &model), SOOTH_OK);
    sooth_csv_data_free(&env, &data);
    sooth_csv_free(&env, &csv);
    return model;
}

static sooth_status fit_in_stripes(const sooth_csv_file *file, const sooth_csv_table_options *choice,
                                   const sooth_train_recipe *recipe, sooth_model **model) {
    sooth_train_recipe own = *recipe;
    sooth_csv_source csv;
    *model = NULL;
    sooth_status status = sooth_csv_source_open(&env, file, NULL, choice, &csv);
    own.levels = csv.levels;
    if (status == SOOTH_OK) status = sooth_train_fit_source(&env, &csv.source, &own, model);
    if (csv.state) sooth_csv_source_free(&env, &csv);
    return status;
}

/* The file of a test cannot be fitted to, and why: with its choice and recipe. */
#define CHECK_REFUSED(status, words) \
    CHECK_FAILS(&env, fit_in_stripes(&file, &choice, &recipe, &model), status, words)

static int same(const sooth_csv_table_options *choice, const char *name, const void *options) {
    static const size_t step[] = {1u << 20, 333};
    sooth_train_recipe recipe = {.model = name};
    recipe_options(&recipe, options);
    sooth_model *whole = whole_model(choice, &recipe), *model;
    int equal = whole != NULL;
    for (size_t k = 0; k < 2 && whole; ++k) {
        store s;
        const sooth_csv_file file = file_of(&s, step[k]);
        CHECK_STATUS(fit_in_stripes(&file, choice, &recipe, &model), SOOTH_OK);
        equal &= model && model->head.size == whole->head.size && memcmp(model, whole, whole->head.size) == 0;
        sooth_model_free(&env, model);
    }
    sooth_model_free(&env, whole);
    return equal;
}

static void models_are_those_of_the_file_in_memory(void) {
    static const char *const drop[] = {"w"}, *const more[] = {"a"}, *const some[] = {"c, d", "b"};
    static const char separators[] = {',', ';', '\t'};
    sooth_boost_options boost;
    sooth_forest_options forest;
    sooth_linear_options linear;
    memset(&boost, 0, sizeof boost);
    memset(&forest, 0, sizeof forest);
    memset(&linear, 0, sizeof linear);
    boost.n_estimators = forest.n_estimators = 3;
    boost.max_depth = 3;
    forest.bins = 32;
    for (size_t k = 0; k < 3; ++k) {
        sooth_csv_table_options choice = {.target = "y", .drop = drop, .drop_count = 1};
        write_file(400, separators[k], k == 2 ? 0 : 9, k ? "\r\n" : "\n");
        CHECK(same(&choice, "boost", &boost));
        choice.group = "g";
        choice.weight = "w";
        choice.drop_count = 0;
        boost.patience = 2; /* groups are held out */
        CHECK(same(&choice, "boost", &boost));
        boost.patience = 0;
        choice.more_targets = more;
        choice.more_target_count = 1;
        CHECK(same(&choice, "forest", &forest));
        if (k < 2) continue; /* no cell is empty in a and b */
        choice.features = some + 1;
        choice.feature_count = 1;
        CHECK(same(&choice, "linear", &linear));
    }
}

/* ---- categories ---- */

static const char *const texts[] = {"user", "version", "threads", "tag", "kind"};

/* Rows of names: user (in quotes, with separators and line ends), version (3.10 is not 3.1), threads (whole
   numbers), tag (some hundred), kind ([N/A] is one, NA is none), and numbers. Some rows have no target or no
   group, and names that no other row has. */
static void write_names(size_t rows) {
    static const char *const user[] = {"ann", "\"b, ob\"", "\"two\nlines\"", "\"a \"\"q\"\"\"", "zoe", "Ann"};
    static const char *const version[] = {"3.10", "3.1", "007", "7", "NA", "12"};
    static const char *const kind[] = {"cpu", "gpu", "[N/A]", "NA", ""};
    sooth_rng rng;
    sooth_rng_init(&rng, 31, 0);
    length = (size_t)snprintf(text, ROOM, "user,size,version,threads,tag,kind,g,w,y\n");
    for (size_t i = 0; i < rows; ++i) {
        const uint32_t u = sooth_rng_below(&rng, 6), v = sooth_rng_below(&rng, 6),
                       t = sooth_rng_below(&rng, 9), k = sooth_rng_below(&rng, 5),
                       many = sooth_rng_below(&rng, sooth_rng_below(&rng, 4) ? 30 : 700);
        const int untold = i % 13 == 5, alone = i % 17 == 3;
        length += (size_t)snprintf(text + length, ROOM - length, "%s,%u.5,%s,%u,t%u%s,%s,%s,%u,",
                                   untold ? "nobody" : user[u], (unsigned)(i % 41), version[v], 1u << t % 5,
                                   (unsigned)many, untold ? "x" : "", kind[k],
                                   alone   ? ""
                                   : i % 3 ? "a"
                                           : "b c",
                                   (unsigned)(i % 4));
        length += (size_t)snprintf(text + length, ROOM - length, untold ? "\n" : "%g\n",
                                   (double)u * (v > 2) + 2.0 * (k == 1) - (many % 7) * (t & 1));
    }
}

/* The model of the file in memory, whose categories the choice names. */
static sooth_model *whole_of_names(const sooth_csv_table_options *choice, const sooth_train_recipe *recipe) {
    const sooth_csv_options options = {.names = choice->categorical, .name_count = choice->categorical_count};
    const sooth_levels_options budget = {.max_bytes = choice->levels_bytes};
    sooth_train_recipe own = *recipe;
    sooth_levels *levels = NULL;
    sooth_csv_data data;
    sooth_csv csv;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_csv_read(&env, text, length, &options, &csv), SOOTH_OK);
    CHECK_STATUS(sooth_csv_table(&env, &csv, choice, &data), SOOTH_OK);
    float *codes = (float *)malloc(data.table.rows * data.table.cols * sizeof *codes);
    CHECK_STATUS(sooth_levels_fit(&env, &data.table, data.categorical, data.text, &budget, codes, &levels),
                 SOOTH_OK);
    data.table.x = codes;
    data.table.categorical = data.categorical;
    own.levels = levels;
    own.groups = data.groups;
    CHECK_STATUS(sooth_train_fit(&env, &data.table, &own, &model), SOOTH_OK);
    sooth_levels_free(&env, levels);
    sooth_csv_data_free(&env, &data);
    sooth_csv_free(&env, &csv);
    free(codes);
    return model;
}

static void by_turns(void *user, size_t count, sooth_task *task, void *arg) {
    (void)user;
    while (count-- > 0) task(arg, count, count % 3);
}

/* The model in stripes is that of the file in memory, whatever is read at once, by one worker or three. */
static int same_names(const sooth_csv_table_options *choice, const sooth_csv_table_options *whole_choice,
                      const char *name, const void *options, uint32_t encode) {
    static const size_t step[] = {1u << 20, 333, 1000};
    sooth_train_recipe recipe = {.model = name, .encode = encode};
    recipe_options(&recipe, options);
    sooth_model *whole = whole_of_names(whole_choice, &recipe), *model;
    int equal = whole != NULL;
    for (size_t k = 0; k < 3 && whole; ++k) {
        store s;
        const sooth_csv_file file = file_of(&s, step[k]);
        if (k == 2) env.workers = 3, env.parallel_fn = by_turns;
        CHECK_STATUS(fit_in_stripes(&file, choice, &recipe, &model), SOOTH_OK);
        CHECK(s.passes == (strcmp(name, "linear") == 0 ? 3 : 4));
        sooth_env_init(&env);
        equal &= model && model->head.size == whole->head.size && memcmp(model, whole, whole->head.size) == 0;
        sooth_model_free(&env, model);
    }
    sooth_model_free(&env, whole);
    return equal;
}

static void categories_are_those_of_the_file_in_memory(void) {
    static const char *const drop[] = {"w", "g"}, *const named[] = {"kind", "size", "user", "threads"},
                             *const numbers[] = {"threads", "version"},
                             *const known[] = {"kind", "user", "threads"};
    const sooth_tree_options tree = {.bins = 256};
    const sooth_forest_options forest = {.n_estimators = 3, .bins = 16};
    const sooth_boost_options boost = {.n_estimators = 4};
    const sooth_linear_options linear = {.lambda = 0.1, .method = SOOTH_LINEAR_RIDGE};
    sooth_csv_table_options choice = {.target = "y", .drop = drop, .drop_count = 2, .categorical = texts};
    write_names(3000);
    choice.categorical_count = sizeof texts / sizeof *texts;
    CHECK(same_names(&choice, &choice, "tree", &tree, SOOTH_TRAIN_ENCODE_AUTO));
    CHECK(same_names(&choice, &choice, "forest", &forest, SOOTH_TRAIN_ENCODE_NATIVE));
    CHECK(same_names(&choice, &choice, "boost", &boost, SOOTH_TRAIN_ENCODE_AUTO));
    CHECK(same_names(&choice, &choice, "boost", &boost, SOOTH_TRAIN_ENCODE_ORDINAL));
    choice.levels_bytes = 1024; /* levels without room */
    CHECK(same_names(&choice, &choice, "boost", &boost, SOOTH_TRAIN_ENCODE_AUTO));
    choice.levels_bytes = 0;
    choice.drop_count = 0; /* rows without a group or a weight do not count, a group may be a category */
    choice.group = "g";
    choice.weight = "w";
    CHECK(same_names(&choice, &choice, "boost", &boost, SOOTH_TRAIN_ENCODE_AUTO));
    static const char *const with_group[] = {"tag", "g"};
    choice.categorical = with_group;
    choice.categorical_count = 2;
    CHECK(same_names(&choice, &choice, "tree", &tree, SOOTH_TRAIN_ENCODE_AUTO));
    /* features of text are categories; numbers are if they are named */
    sooth_csv_table_options whole = {.target = "y", .features = named, .feature_count = 4};
    choice = whole;
    whole.categorical = known;
    whole.categorical_count = 3;
    choice.categorical = known + 2;
    choice.categorical_count = 1;
    CHECK(same_names(&choice, &whole, "boost", &boost, SOOTH_TRAIN_ENCODE_AUTO));
    /* codes as numbers */
    choice.features = numbers;
    choice.feature_count = 1;
    CHECK(same_names(&choice, &choice, "linear", &linear, SOOTH_TRAIN_ENCODE_ORDINAL));
}

/* The dictionary has the names in the order of their rows, and only those of rows with a target. */
static void levels_are_names_by_frequency(void) {
    const sooth_csv_table_options choice = {.target = "y", .categorical = texts + 1, .categorical_count = 1};
    sooth_csv_source csv;
    sooth_table block;
    store s;
    length = (size_t)snprintf(text, ROOM, "version,x,y\n3.1,1,1\n3.10,2,1\n3.10,3,2\n7,3,\n,4,2\n2,5,9\n");
    const sooth_csv_file file = file_of(&s, 777);
    CHECK_STATUS(sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_OK);
    CHECK(csv.levels && csv.levels->levels == 3 && !csv.csv.column[0].text);
    CHECK(strcmp(sooth_levels_name(csv.levels, 0, 0.0f), "3.10") == 0);
    CHECK(strcmp(sooth_levels_name(csv.levels, 0, 1.0f), "2") == 0); /* ties by name */
    CHECK(strcmp(sooth_levels_name(csv.levels, 0, 2.0f), "3.1") == 0);
    CHECK_STATUS(csv.source.next_fn(csv.source.user, &env, &block), SOOTH_OK);
    static const float code[] = {2, 0, 0, NAN, 1};
    CHECK(block.rows == 5 && block.categorical[0] == 1 && block.categorical[1] == 0);
    for (size_t i = 0; i < 5; ++i)
        if (i == 3) CHECK(isnan(block.x[2 * i]));
        else CHECK_NEAR(block.x[2 * i], code[i], 0);
    sooth_csv_source_free(&env, &csv);
}

static void *at_most(void *user, size_t size) {
    size_t *left = (size_t *)user;
    if (size > *left) return NULL;
    *left -= size;
    return malloc(size);
}

static void taken_back(void *user, void *memory, size_t size) {
    if (memory) *(size_t *)user += size;
    free(memory);
}

static void categories_that_are_refused(void) {
    static const char *const id[] = {"id"}, *const misnamed[] = {"usr"}, *const target[] = {"y"};
    sooth_csv_table_options choice = {.target = "y", .categorical = texts, .categorical_count = 1};
    sooth_train_recipe recipe = {.model = "linear"};
    sooth_model *model;
    size_t left = 600000;
    store s;
    write_names(300);
    sooth_csv_file file = file_of(&s, 4096);
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT,
                  "statistics of the target for each level need all rows in memory; for rows in blocks fit "
                  "boost, or tree or forest with bins");
    recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE;
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT, "encode=native is not supported by linear");
    recipe.model = "boost";
    recipe.encode = SOOTH_TRAIN_ENCODE_TARGET;
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT, "statistics of the target for each level need all rows in memory");
    recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE;
    choice.categorical_count = 0;
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT, "encode=native is for categories, but no column is marked");
    recipe.encode = SOOTH_TRAIN_ENCODE_AUTO;
    choice.categorical = misnamed;
    choice.categorical_count = 1;
    CHECK_REFUSED(SOOTH_BAD_DATA, "there is no column usr for the categories; did you mean user?");
    choice.categorical = target;
    CHECK_REFUSED(SOOTH_BAD_DATA, "y is the target and cannot also be a feature");
    choice.categorical = texts;
    choice.levels_bytes = 100;
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT, "levels_bytes is 100, but 5 columns need at least");
    choice.levels_bytes = 0;
    static const char *const sizes[] = {"mb"};
    const size_t all = length;
    length = (size_t)snprintf(text, ROOM, "x,mb,y\n1,10 MB,3\n2,11 MB,5\n");
    choice.categorical = sizes;
    CHECK_REFUSED(
        SOOTH_BAD_DATA,
        "line 2, column 2 (mb) has numbers with units, durations or thousands, which are categories in");
    write_names(300);
    CHECK(length == all);
    choice.categorical = texts;
    /* the file changes after the levels were counted: another name, or another number */
    for (size_t place = 1; place < 3; ++place) {
        file = file_of(&s, 4096);
        s.spoil = place == 1 ? (size_t)(strstr(text, "ann") - text) : length - 2;
        CHECK_REFUSED(SOOTH_BAD_DATA, "the file has changed since it was first read");
    }
    /* more names than memory holds */
    length = (size_t)snprintf(text, ROOM, "id,g,x,y\n");
    for (size_t i = 0; i < 15000; ++i)
        length += (size_t)snprintf(text + length, ROOM - length, "u%zu,%zu,2,%zu\n", i, i % 9, i % 7);
    choice.categorical = id;
    env.alloc_fn = at_most;
    env.free_fn = taken_back;
    env.alloc_user = &left;
    file = file_of(&s, 4096);
    CHECK_REFUSED(SOOTH_NO_MEMORY, "no memory for the names in id (at least ");
    CHECK(left == 600000);
    sooth_env_init(&env);
}

/* ---- what goes wrong ---- */

static void what_changes_is_refused(void) {
    const sooth_csv_table_options choice = {.target = "y"};
    const sooth_boost_options few = {.n_estimators = 2};
    const sooth_train_recipe recipe = {.model = "boost", .options.boost = few};
    sooth_model *model;
    store s;
    write_file(200, ',', 0, "\n");
    sooth_csv_file file = file_of(&s, 4096);
    const size_t all = length;
    char sentence[200];
    s.fails_at = length / 2;
    CHECK_REFUSED(SOOTH_BAD_TEXT, "table.csv cannot be read: input/output error");
    file = file_of(&s, 4096);
    s.spoil = length - 2;
    CHECK_REFUSED(SOOTH_BAD_DATA, "the file has changed since it was first read");
    file = file_of(&s, 4096);
    memcpy(text + length, "1,2,t,3,1,p1,,4\n", 16);
    s.grows = 16;
    snprintf(sentence, sizeof sentence, "the file had %zu bytes when it was first read, but now has %zu", all,
             all + 16);
    CHECK_REFUSED(SOOTH_BAD_DATA, sentence);
    file = file_of(&s, 4096);
    s.less = 1;
    snprintf(sentence, sizeof sentence, "the file had %zu bytes when it was first read, but now has %zu", all,
             all - 1);
    CHECK_REFUSED(SOOTH_BAD_DATA, sentence);
}

static void what_is_refused(void) {
    sooth_csv_table_options choice = {.target = "y"};
    sooth_train_recipe recipe = {.model = "svr"};
    const sooth_scale_options scaled = {.transform = SOOTH_SCALE_STANDARD};
    sooth_model *model;
    store s;
    write_file(50, ',', 0, "\n");
    sooth_csv_file file = file_of(&s, 4096);
    CHECK_REFUSED(
        SOOTH_BAD_ARGUMENT,
        "svr needs all rows in memory; rows in blocks are supported by linear, boost, and tree and forest "
        "with bins");
    recipe.model = "tree";
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT,
                  "bins is 0, but to fit a tree to rows in blocks it must be between 2 and 256");
    recipe.model = "boost";
    recipe.input = scaled, recipe.has_input = 1;
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT, "rows in blocks do not support transforms");
    choice.target = "t";
    CHECK_REFUSED(SOOTH_BAD_DATA, "line 2, column 3 (t) is not a number");
    choice.target = "y";
    choice.target = NULL;
    CHECK_REFUSED(SOOTH_BAD_ARGUMENT, "a source of rows needs a target");
    choice.target = "y";
    length = 0;
    file = file_of(&s, 4096);
    CHECK_REFUSED(SOOTH_BAD_TEXT, "the file is empty");
    length = (size_t)snprintf(text, ROOM, "a,y\n\n");
    file = file_of(&s, 4096);
    CHECK_REFUSED(SOOTH_BAD_TEXT, "the file has a header of 2 columns but no rows");
    length = (size_t)snprintf(text, ROOM, "a,y\n1,2\n3,4,5\n");
    file = file_of(&s, 4096);
    CHECK_REFUSED(SOOTH_BAD_TEXT, "line 3 has a cell in column 3, but the header has 2 columns");
}

static int stop_surveying(void *user, const char *stage, double done) {
    (void)user, (void)done;
    return strcmp(stage, "surveying") == 0;
}

/* What is not opened is closed, and may be freed. */
static void what_is_not_opened(void) {
    static const char *const some[] = {"a"};
    static const sooth_csv_options blanks = {.separator = ' '};
    sooth_csv_table_options choice = {.target = "y"};
    sooth_csv_source csv;
    store s;
    length = (size_t)snprintf(text, ROOM, "a,v,y\n1,1 s,3\n2,2 s,5\n");
    sooth_csv_file file = file_of(&s, 4096);
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, &blanks, &choice, &csv), SOOTH_BAD_ARGUMENT,
                "separator is a quote, a blank or a line end, but must be");
    CHECK(csv.state == NULL && s.passes == 0); /* nothing was read */
    sooth_csv_source_free(&env, &csv);
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_BAD_DATA,
                "line 2, column 2 (v) is not a number; only files in memory are read with units");
    CHECK(csv.state == NULL);
    /* not asked for, or a name */
    choice.features = some;
    choice.feature_count = 1;
    CHECK_STATUS(sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_OK);
    CHECK(csv.source.cols == 1 && csv.column[0] == 0);
    sooth_csv_source_free(&env, &csv);
    choice.features = NULL;
    choice.group = "v";
    CHECK_STATUS(sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_OK);
    CHECK(csv.source.cols == 1 && csv.column[0] == 0 && csv.rows == 2);
    sooth_csv_source_free(&env, &csv);
    env.progress_fn = stop_surveying;
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_CANCELLED,
                "surveying was cancelled");
    CHECK(csv.state == NULL);
    sooth_env_init(&env);
}

/* Without a list of names, too: the group column of a source is always one. */
static void groups_are_their_texts(void) {
    static const char *const ids[] = {"007",     "7",       "3.10", "3.1", "16777216",   "16777217",
                                      "39e1804", "12e4567", "+7",   "-7",  "1700000001", "1700000002"};
    const sooth_csv_table_options choice = {.target = "y", .group = "g"};
    sooth_csv_source csv;
    sooth_table block;
    size_t row = 0, kinds = sizeof ids / sizeof *ids;
    store s;
    length = (size_t)snprintf(text, ROOM, "g,x,y\n");
    for (size_t i = 0; i < 6000; ++i) /* some rows have no group, or are short */
        length += (size_t)snprintf(text + length, ROOM - length, i % 50 == 7 ? ",1,2\n" : "%s,%zu,%zu\n",
                                   ids[i * i % 41 % kinds], i, i % 9);
    const sooth_csv_file file = file_of(&s, 777);
    CHECK_STATUS(sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_OK);
    for (int pass = 0; pass < 2; ++pass) {
        uint32_t number[sizeof ids / sizeof *ids], groups = 0;
        for (size_t k = 0; k < kinds; ++k) number[k] = UINT32_MAX;
        CHECK_STATUS(csv.source.rewind_fn(csv.source.user, &env), SOOTH_OK);
        for (row = 0;;) {
            CHECK_STATUS(csv.source.next_fn(csv.source.user, &env, &block), SOOTH_OK);
            if (block.rows == 0) break;
            for (size_t i = 0; i < block.rows; ++i, ++row) {
                row += row % 50 == 7;
                uint32_t *of = &number[row * row % 41 % kinds];
                if (*of == UINT32_MAX) *of = groups++; /* by first appearance */
                CHECK(block.group[i] == *of);
            }
        }
        CHECK(row == 6000 && csv.groups == groups && csv.dropped_group == 120);
    }
    CHECK(csv.column[0] == 1 && csv.source.cols == 1);
    sooth_csv_source_free(&env, &csv);
}

/* ---- rows, one by one ---- */

/* The rows of the source are those of the file in memory, in each of two passes. Groups are names in memory
   if options list them, in the source always. */
static void rows_are_those_of_the_table(sooth_env *e, const sooth_csv_options *options,
                                        const sooth_csv_table_options *choice) {
    sooth_csv_source csv;
    sooth_csv_data data;
    sooth_csv whole;
    store s;
    const sooth_csv_file file = file_of(&s, 777);
    CHECK_STATUS(sooth_csv_read(NULL, text, length, options, &whole), SOOTH_OK);
    CHECK_STATUS(sooth_csv_table(NULL, &whole, choice, &data), SOOTH_OK);
    CHECK_STATUS(
        sooth_csv_source_open(e, &file, options && options->name_count ? NULL : options, choice, &csv),
        SOOTH_OK);
    if (!csv.state) return;
    const sooth_table *t = &data.table;
    for (int pass = 0; pass < 2; ++pass) {
        size_t row = 0;
        sooth_table block;
        CHECK_STATUS(csv.source.rewind_fn(csv.source.user, e), SOOTH_OK);
        for (;;) {
            CHECK_STATUS(csv.source.next_fn(csv.source.user, e, &block), SOOTH_OK);
            if (block.rows == 0 || row + block.rows > t->rows) break;
            for (size_t i = 0; i < block.rows; ++i, ++row) {
                const size_t bytes = t->cols * sizeof(float);
                CHECK(memcmp(block.x + i * block.stride, t->x + row * t->stride, bytes) == 0);
                CHECK_NEAR(block.y[i], t->y[row], 0);
                CHECK(!t->group || block.group[i] == t->group[row]);
                CHECK(!t->weight || block.weight[i] <= t->weight[row]);
            }
        }
        CHECK(row == t->rows);
        CHECK(csv.dropped_target == data.dropped_target && csv.dropped_group == data.dropped_group);
        CHECK(!t->group || csv.groups == data.groups);
    }
    sooth_csv_source_free(e, &csv);
    sooth_csv_data_free(NULL, &data);
    sooth_csv_free(NULL, &whole);
}

static void odd_rows_are_read_as_in_memory(void) {
    static const char *const names[] = {"g"};
    static const sooth_csv_options bare = {.no_header = 1}, semicolons = {.separator = ';'},
                                   named = {.names = names, .name_count = 1};
    sooth_csv_table_options choice = {.target = "y", .group = "g", .weight = "w"};
    sooth_csv_source csv;
    store s;
    /* groups are numbers, of which there are many; some have none, or no weight */
    length = (size_t)snprintf(text, ROOM, "a,g,w,y\n");
    for (unsigned i = 0; i < 900; ++i)
        length +=
            (size_t)snprintf(text + length, ROOM - length, i % 50 == 7 ? "%u,,1,2\n" : "%u,%u.5,%s,%u\n", i,
                             i * 7 % 400, i % 31 ? "2" : "", i % 5);
    rows_are_those_of_the_table(&env, &named, &choice);
    rows_are_those_of_the_table(NULL, &named, &choice);
    /* a row that is longer than all that is read at once, twice */
    length = (size_t)snprintf(text, ROOM, "a,t,y\n");
    for (unsigned i = 0; i < 60; ++i)
        length +=
            (size_t)snprintf(text + length, ROOM - length, "%u,%0*u,%u\n", i, i % 29 == 3 ? 9000 : 5, i, i);
    choice.group = choice.weight = NULL;
    rows_are_those_of_the_table(&env, NULL, &choice);
    const size_t all = length;
    text[all - 20] = 0;
    sooth_csv_file file = file_of(&s, 4096);
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_BAD_TEXT,
                "is zero: this is not a text file");
    /* or where it is in a stripe that is not the first */
    length = (size_t)snprintf(text, ROOM, "a,y\n");
    while (length < ROOM / 4) length += (size_t)snprintf(text + length, ROOM - length, "%zu,2\n", length);
    text[length - 3] = 0;
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_BAD_TEXT,
                "is zero: this is not a text file");
    /* stripes without a row, the first and others */
    length = (size_t)snprintf(text, ROOM, "a,y\n%6000s1,2\n%6000s3,4\n", "\n", "\n");
    for (size_t i = 4; i < length; ++i)
        if (text[i] == ' ') text[i] = '\n';
    rows_are_those_of_the_table(&env, NULL, &choice);
    /* and stripes far behind the header */
    length = (size_t)snprintf(text, ROOM, "a,y\n1,2\n3,4\n%30000s5,6\n", "\n");
    for (size_t i = 12; i < length; ++i)
        if (text[i] == ' ') text[i] = '\n';
    rows_are_those_of_the_table(&env, NULL, &choice);
    /* a header that ends in the last piece of the first stripe, and rows that begin there */
    length = (size_t)snprintf(text, ROOM, "a,y,%02100d\n", 0);
    while (length < 9000) length += (size_t)snprintf(text + length, ROOM - length, "%zu,2,3\n", length);
    rows_are_those_of_the_table(&env, NULL, &choice);
    /* groups that are exact numbers are their own names */
    length = (size_t)snprintf(text, ROOM, "a,g,y\n");
    for (unsigned i = 0; i < 900; ++i)
        length += (size_t)snprintf(text + length, ROOM - length, i % 50 == 7 ? "%u,,1\n" : "%u,%u,2\n", i,
                                   900 - i * 7 % 400);
    choice.group = "g";
    rows_are_those_of_the_table(&env, NULL, &choice);
    choice.group = NULL;
    /* empty lines before the header, more than are read at once */
    length = (size_t)snprintf(text, ROOM, "%9000sa,y\n1,2\n3,4\n", "\n");
    memset(text, '\n', 9000);
    rows_are_those_of_the_table(&env, NULL, &choice);
    /* what the first stripe ends in, but which decides which line is the first row or the header: whether the
       first line without # has a number, and how many cells; and the separator, by a cell in quotes */
    length = (size_t)snprintf(text, ROOM, "#%02540d\n555555555555555555555 apples\n1\n", 0);
    file = file_of(&s, 4096);
    choice.target = "column 1";
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, &bare, &choice, &csv), SOOTH_BAD_DATA,
                "line 2, column 1 (column 1) is not a number");
    length = (size_t)snprintf(text, ROOM, "# %02200d\n#a,y\n#b,y,\n#b,y,\n1,%0400d,3\n", 0, 2);
    choice.target = "y";
    rows_are_those_of_the_table(&env, NULL, &choice);
    length = (size_t)snprintf(text, ROOM, "a,b|\"c\n");
    while (length < 3000) length += (size_t)snprintf(text + length, ROOM - length, "1,2\n");
    length += (size_t)snprintf(text + length, ROOM - length, "\"|y\n1|2|3\n");
    rows_are_those_of_the_table(&env, NULL, &choice);
    /* options */
    length = (size_t)snprintf(text, ROOM, "a;y\n1;2\n3;4,5\n");
    rows_are_those_of_the_table(&env, &semicolons, &choice);
    length = (size_t)snprintf(text, ROOM, "1,2\n3,4\n");
    choice.target = "column 2";
    rows_are_those_of_the_table(&env, &bare, &choice);
    file = file_of(&s, 4096);
    CHECK_FAILS(&env, sooth_csv_source_open(&env, &file, NULL, NULL, &csv), SOOTH_BAD_ARGUMENT,
                "a source of rows needs a target");
}

/* ---- sources of other kinds ---- */

typedef struct odd {
    size_t at;
    int what; /* 1: no targets, 2: a column less, 3: a target more, 4: groups, 5: it fails */
} odd;

static sooth_status odd_next(void *user, sooth_env *e, sooth_table *block) {
    static float v[3 * 40], t[2 * 40];
    static uint32_t group[40];
    odd *o = (odd *)user;
    const size_t n = o->at ? 0 : 40;
    for (size_t i = 0; i < 40; ++i) {
        for (size_t j = 0; j < 3; ++j) v[3 * i + j] = (float)((i * (j + 2)) % 7);
        t[i] = t[40 + i] = v[3 * i] + 1.0f;
        group[i] = i % 9 == 8 ? UINT32_MAX : (uint32_t)i % 4;
    }
    o->at = n;
    if (o->what == 5) return sooth_fail(e, SOOTH_BAD_TEXT, "the line is dead");
    *block = sooth_table_of(v, o->what == 1 ? NULL : t, n, o->what == 2 ? 2 : 3);
    block->stride = 3;
    if (o->what == 3) block->targets = 2;
    if (o->what == 4) block->group = group;
    return SOOTH_OK;
}

static sooth_status odd_again(void *user, sooth_env *e) {
    (void)e;
    ((odd *)user)->at = 0;
    return SOOTH_OK;
}

static double odd_done(void *user) { return ((odd *)user)->at ? 1.0 : 0.0; }

static int hear_progress(void *user, const char *stage, double done) {
    (void)stage;
    CHECK(done >= 0.0 && done <= 1.0);
    ++*(size_t *)user;
    return 0;
}

static sooth_status fit_odd(odd *o, const sooth_train_recipe *recipe, size_t cols, int says,
                            sooth_model **model) {
    const sooth_source source = {o, cols, 1, odd_next, odd_again, says ? odd_done : NULL, NULL};
    return sooth_train_fit_source(&env, &source, recipe, model);
}

static int no_sums(void *user, sooth_reduction what, int64_t *value, size_t count) {
    (void)user, (void)what, (void)value, (void)count;
    return 1;
}

static void sources_of_other_shapes(void) {
    sooth_train_recipe recipe = {.model = "linear"};
    const sooth_scale_options log = {.transform = SOOTH_SCALE_LOG};
    sooth_model *model;
    size_t heard = 0;
    odd o = {0, 1};
    for (o.what = 1; o.what <= 3; ++o.what) {
        const sooth_status status = fit_odd(&o, &recipe, 3, 0, &model);
        CHECK(status == SOOTH_BAD_DATA || status == SOOTH_BAD_ARGUMENT);
        CHECK(model == NULL && env.sentence[0]);
        o.at = 0;
    }
    o.what = 5;
    recipe.model = "boost";
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_TEXT, "the line is dead");
    o.what = 4;
    o.at = 0;
    env.progress_fn = hear_progress;
    env.progress_user = &heard;
    CHECK_STATUS(fit_odd(&o, &recipe, 3, 1, &model),
                 SOOTH_OK); /* the card counts groups but that which is none */
    sooth_model_free(&env, model);
    o.at = 0;
    recipe.groups = 9;
    CHECK_STATUS(fit_odd(&o, &recipe, 3, 0, &model), SOOTH_OK);
    sooth_model_free(&env, model);
    o.at = 0;
    recipe.no_card = 1;
    CHECK_STATUS(fit_odd(&o, &recipe, 3, 0, &model), SOOTH_OK);
    CHECK(model && heard > 0);
    sooth_model_free(&env, model);
    sooth_env_init(&env);
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 0, 0, &model), SOOTH_BAD_DATA, "column");
    recipe.target = log, recipe.has_target = 1;
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT,
                "rows in blocks do not support transforms");
    recipe.has_target = 0;
    recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE;
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT,
                "encode=native is for categories, but no column is marked in table.categorical");
    recipe.encode = SOOTH_TRAIN_ENCODE_AUTO;
    recipe.calibrated = 1;
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT,
                "rows in blocks do not support intervals or probabilities");
    recipe.calibrated = 0;
    recipe.options.boost.quantiles[0] = 0.5, recipe.options.boost.quantiles[1] = 0.9;
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT,
                "rows in blocks do not support several quantiles");
    recipe.options.boost.quantiles[0] = recipe.options.boost.quantiles[1] = 0.0;
    memcpy(recipe.teacher, "best", 5);
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT,
                "rows in blocks do not support a teacher");
    recipe.teacher[0] = 0;
    env.reduce_fn = no_sums;
    env.ranks = 2;
    CHECK_FAILS(&env, fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT,
                "rows in blocks do not support several processes");
    sooth_env_init(&env);
    recipe.model = "crystal";
    CHECK_STATUS(fit_odd(&o, &recipe, 3, 0, &model), SOOTH_BAD_ARGUMENT);
}

static sooth_status fit_some(void) {
    const sooth_csv_table_options choice = {.target = "y", .group = "g", .weight = "w"};
    const sooth_boost_options few = {.n_estimators = 1, .max_depth = 2, .bins = 4};
    const sooth_train_recipe recipe = {.model = "boost", .options.boost = few};
    sooth_model *model;
    store s;
    const sooth_csv_file file = file_of(&s, 4096);
    const sooth_status status = fit_in_stripes(&file, &choice, &recipe, &model);
    sooth_model_free(&env, model);
    return status;
}

static sooth_status fit_names(void) {
    const sooth_csv_table_options choice = {.target = "y", .categorical = texts, .categorical_count = 5};
    const sooth_tree_options few = {.max_depth = 2, .bins = 4};
    const sooth_train_recipe recipe = {.model = "tree", .options.tree = few};
    sooth_model *model;
    store s;
    const sooth_csv_file file = file_of(&s, 4096);
    const sooth_status status = fit_in_stripes(&file, &choice, &recipe, &model);
    sooth_model_free(&env, model);
    return status;
}

/* Counts the rows of a source. */
static sooth_status read_rows(sooth_csv_source *csv, sooth_env *e, size_t *rows) {
    sooth_table block;
    sooth_status status = csv->source.rewind_fn(csv->source.user, e);
    *rows = 0;
    do {
        if (status == SOOTH_OK) status = csv->source.next_fn(csv->source.user, e, &block);
        if (status == SOOTH_OK) *rows += block.rows;
    } while (status == SOOTH_OK && block.rows > 0);
    return status;
}

static void count_loops(void *user, size_t count, sooth_task *task, void *arg) {
    ++*(size_t *)user;
    by_turns(NULL, count, task, arg);
}

/* The env of a fit may have more workers than that of sooth_csv_source_open; one worker reads then. After a
   failure of memory the file can be read again. */
static void a_source_outlives_the_env_that_opened_it(void) {
    const sooth_csv_table_options choice = {.target = "y", .group = "g"};
    sooth_env other;
    sooth_csv_source csv;
    size_t rows, all, loops = 0, none = 0;
    store s;
    write_file(120, ',', 9, "\n");
    length +=
        (size_t)snprintf(text + length, ROOM - length, "1,2,%09000d,3,1,p1,,4\n", 0); /* widens stripes */
    const sooth_csv_file file = file_of(&s, 4096);
    CHECK_STATUS(sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_OK);
    sooth_env_init(&other);
    other.alloc_fn = at_most, other.free_fn = taken_back, other.alloc_user = &none;
    CHECK_FAILS(&other, read_rows(&csv, &other, &rows), SOOTH_NO_MEMORY, "no memory for the cells");
    CHECK_STATUS(read_rows(&csv, &env, &all), SOOTH_OK);
    sooth_env_init(&other);
    other.workers = 3, other.parallel_fn = count_loops, other.parallel_user = &loops;
    CHECK_STATUS(read_rows(&csv, &other, &rows), SOOTH_OK);
    CHECK(rows == all && rows > 50 && loops == 0);
    sooth_csv_source_free(&env, &csv);
}

static void every_allocation_may_fail(void) {
    write_file(120, ',', 9, "\n");
    CHECK_EVERY_ALLOCATION(&env, fit_some(), (void)0);
    length += (size_t)snprintf(text + length, ROOM - length, "1,2,%09000d,3,1,p1,,4\n", 0); /* a long row */
    CHECK_EVERY_ALLOCATION(&env, fit_some(), (void)0);
    write_names(120);
    CHECK_EVERY_ALLOCATION(&env, fit_names(), (void)0);
    sooth_env_init(&env);
}

/* ---- memory ---- */

typedef struct counted {
    size_t used, peak;
} counted;

static void *count_in(void *user, size_t size) {
    counted *c = (counted *)user;
    void *memory = malloc(size ? size : 1);
    if ((c->used += size) > c->peak) c->peak = c->used;
    return memory;
}

static void count_out(void *user, void *memory, size_t size) {
    counted *c = (counted *)user;
    if (memory) c->used -= size;
    free(memory);
}

/* Rows that are made, 1,000 at a time: ten columns, one target. */
typedef struct maker {
    size_t at, rows;
} maker;

static sooth_status make_rows(void *user, sooth_env *e, sooth_table *block) {
    static float x[10 * 1000], y[1000];
    maker *m = (maker *)user;
    size_t n = 0;
    for (; n < 1000 && m->at < m->rows; ++n, ++m->at) {
        for (size_t j = 0; j < 10; ++j) x[10 * n + j] = (float)((m->at * (2 * j + 3) + j) % 61);
        y[n] = x[10 * n] + (x[10 * n + 3] > 20.0f ? 5.0f : 0.0f);
    }
    (void)e;
    *block = sooth_table_of(x, y, n, 10);
    return SOOTH_OK;
}

static sooth_status make_again(void *user, sooth_env *e) {
    (void)e;
    ((maker *)user)->at = 0;
    return SOOTH_OK;
}

static size_t peak_of(int boosts, size_t rows) {
    const sooth_boost_options few = {.n_estimators = 1, .max_depth = 3};
    const sooth_blocks_options small = {.summary = 64};
    maker m = {0, rows};
    counted c = {0, 0};
    const sooth_source source = {&m, 10, 1, make_rows, make_again, NULL, NULL};
    sooth_linear *linear = NULL;
    sooth_boost *boost = NULL;
    sooth_blocks blocks;
    env.alloc_fn = count_in;
    env.free_fn = count_out;
    env.alloc_user = &c;
    if (boosts) {
        CHECK_STATUS(sooth_blocks_read(&env, &source, &small, &blocks), SOOTH_OK);
        CHECK_STATUS(sooth_boost_fit(&env, &blocks.table, &few, &boost), SOOTH_OK);
        sooth_blocks_free(&env, &blocks);
    } else {
        CHECK_STATUS(sooth_linear_fit_source(&env, &source, NULL, &linear), SOOTH_OK);
    }
    sooth_boost_free(&env, boost);
    sooth_linear_free(&env, linear);
    CHECK(c.used == 0);
    sooth_env_init(&env);
    return c.peak;
}

/* Boosting takes 20 bytes and a bit a row at ten columns and one target: bins 10, target 4, margin 4,
   place 2, drawn or not 1/8. What does not grow with the rows is taken off by a second fit of other
   length. */
static void a_row_takes_twenty_bytes(void) {
    const size_t short_one = peak_of(1, 60000), long_one = peak_of(1, 100000);
    const size_t grown = 20u * 40000u + 40000u / 8;
    CHECK(long_one - short_one <= grown + 1000u && long_one - short_one >= grown - 1000u);
    CHECK(peak_of(0, 70000) == peak_of(0, 140000));
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(models_are_those_of_the_file_in_memory);
    CHECK_RUN(categories_are_those_of_the_file_in_memory);
    CHECK_RUN(levels_are_names_by_frequency);
    CHECK_RUN(categories_that_are_refused);
    CHECK_RUN(what_changes_is_refused);
    CHECK_RUN(what_is_refused);
    CHECK_RUN(what_is_not_opened);
    CHECK_RUN(groups_are_their_texts);
    CHECK_RUN(odd_rows_are_read_as_in_memory);
    CHECK_RUN(sources_of_other_shapes);
    CHECK_RUN(a_source_outlives_the_env_that_opened_it);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(a_row_takes_twenty_bytes);
    return check_end("csv_blocks");
}
