/* large.c - sooth fit --memory: fits to a table larger than memory, read in parts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/train.h"

#include "../app/system.h"

/* ---- memory: counted, with large blocks in the file of --spill ---- */

enum { SPILL_LEAST = 1 << 20 }; /* smallest block worth spilling, in bytes */

typedef struct budget {
    size_t most, used, peak; /* bytes */
    int spill;               /* the spill file; -1: none */
    off_t end;               /* mapped so far */
    size_t spilled;
} budget;

static int is_spilled(const budget *b, size_t size) { return b->spill >= 0 && size >= SPILL_LEAST; }

static void *take(void *user, size_t size) {
    budget *b = (budget *)user;
    void *memory;
    if (is_spilled(b, size)) {
        const off_t page = (off_t)sysconf(_SC_PAGESIZE), length = ((off_t)size + page - 1) / page * page;
        if (posix_fallocate(b->spill, b->end, length) != 0) return NULL; /* reports a full disk here */
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, b->spill, b->end);
        if (memory == MAP_FAILED) return NULL;
        b->end += length;
        b->spilled += size;
        return memory;
    }
    if (size > b->most - b->used) return NULL;
    memory = malloc(size);
    if (!memory) return NULL;
    b->used += size;
    if (b->used > b->peak) b->peak = b->used;
    return memory;
}

static void give_back(void *user, void *memory, size_t size) {
    budget *b = (budget *)user;
    if (!memory) return;
    if (is_spilled(b, size)) {
        munmap(memory, size);
        return;
    }
    b->used -= size;
    free(memory);
}

/* Reads "2G", "500M", "64K" or bytes. */
static size_t read_bytes(const char *text) {
    static const char units[] = "KMGT";
    double value = 0.0;
    size_t length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
    if (unit) --length;
    if (sooth_text_to_double(text, length, &value) != length || !(value > 0.0))
        die(BAD_USE, "--memory is %s, but must be a number of bytes, such as 500M or 2G",
            *text ? text : "empty");
    for (; unit && unit >= units; --unit) value *= 1024.0;
    if (value < 1048576.0 || value > 1e15)
        die(BAD_USE, "--memory is %s, but must be between 1M and 900T", text);
    return (size_t)value;
}

static void open_spill(const arguments *args, budget *b) {
    const char *path = arguments_text(args, "spill");
    b->spill = -1;
    if (!path) return;
    b->spill = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (b->spill < 0)
        die(errno == EEXIST ? BAD_USE : BAD_INPUT,
            errno == EEXIST ? "--spill: %s already exists; choose a new file" : "cannot write %s: %s", path,
            strerror(errno));
    unlink(path); /* the file disappears when the program ends */
}

/* ---- the file ---- */

typedef struct file {
    const char *path;
    int descriptor;
} file;

static sooth_status next_bytes(void *user, sooth_env *env, void *to, size_t size, size_t *got) {
    const file *f = (const file *)user;
    ssize_t n;
    do n = read(f->descriptor, to, size);
    while (n < 0 && errno == EINTR);
    *got = n > 0 ? (size_t)n : 0;
    if (n >= 0) return SOOTH_OK;
    snprintf(env->sentence, sizeof env->sentence, "it cannot be read: %s", strerror(errno));
    return SOOTH_BAD_TEXT;
}

static sooth_status first_bytes(void *user, sooth_env *env) {
    const file *f = (const file *)user;
    if (lseek(f->descriptor, 0, SEEK_SET) == 0) return SOOTH_OK;
    snprintf(env->sentence, sizeof env->sentence, "it cannot be read a second time: %s", strerror(errno));
    return SOOTH_BAD_TEXT;
}

/* Finds the columns of a file in its first bytes, as far as its lines are complete; none if there is no
   header. */
static void read_head(const char *begin, size_t size, sooth_csv *head) {
    const sooth_csv_options options = {.no_rows = 1};
    size_t from = 0, to = size;
    int quoted = 0;
    memset(head, 0, sizeof *head);
    while (to > 0 && !strchr("\r\n", begin[to - 1])) --to;
    if (to == 0) to = size;
    if (to > 0 && sooth_csv_read(NULL, begin, to, &options, head) == SOOTH_OK) return;
    while (from < size && strchr("\r\n", begin[from])) ++from; /* a later row is cut or wrong */
    for (to = from; to < size && (quoted || !strchr("\r\n", begin[to])); ++to) quoted ^= begin[to] == '"';
    if (to > from) sooth_csv_read(NULL, begin + from, to - from, &options, head);
}

static sooth_csv_file open_file(file *f, sooth_csv *head) {
    const char *again = "; --memory reads it several times";
    struct stat about;
    sooth_csv_file bytes = {f, next_bytes, first_bytes, 0};
    static char begin[65536];
    size_t size;
    sooth_env env;
    if (strcmp(f->path, "-") == 0) die(BAD_USE, "the standard input is read once%s; name a file", again);
    do f->descriptor = open(f->path, O_RDONLY, 0);
    while (f->descriptor < 0 && errno == EINTR);
    if (f->descriptor < 0 || fstat(f->descriptor, &about) != 0)
        die(BAD_INPUT, "cannot read %s: %s", f->path, strerror(errno));
    if (S_ISDIR(about.st_mode)) die(BAD_INPUT, "cannot read %s: it is a folder", f->path);
    if (!S_ISREG(about.st_mode)) die(BAD_USE, "%s is not a regular file%s", f->path, again);
    bytes.size = (uint64_t)about.st_size;
    sooth_env_init(&env);
    if (next_bytes(f, &env, begin, sizeof begin, &size) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", f->path, env.sentence);
    read_head(begin, size, head);
    if (binary_format(begin, size))
        die(BAD_INPUT, "%s is not CSV but %s", f->path, binary_format(begin, size));
    return bytes;
}

/* ---- training rows ---- */

/* Opens the file extended by the columns of --derive, and reads its columns. */
static sooth_csv_file derived_file(const arguments *args, const sooth_csv_file *bytes, sooth_csv *head,
                                   data *d) {
    static char begin[65536];
    size_t size = 0;
    sooth_env env;
    derive_read(args, d->path, head, &d->made);
    if (!d->made.count) return *bytes;
    const sooth_csv_file made = derive_file(&d->made, bytes);
    sooth_env_init(&env);
    if (made.rewind_fn(made.user, &env) != SOOTH_OK ||
        made.read_fn(made.user, &env, begin, sizeof begin, &size) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", d->path, env.sentence);
    read_head(begin, size, head);
    return made;
}

/* Dies for options that need the values of all rows at once. */
static void refuse(const arguments *args) {
    static const char *const needs_all[] = {"tune",      "trials",    "metric", "inner", "outer",
                                            "interval",  "upper",     "budget", "for",   "front",
                                            "calibrate", "transform", "time",   "by",    "drop-missing"};
    for (size_t k = 0; k < sizeof needs_all / sizeof needs_all[0]; ++k)
        if (arguments_has(args, needs_all[k]))
            die(BAD_USE, "--%s needs all rows in memory; leave out --memory", needs_all[k]);
    if (arguments_count(args, "folds", 0, 0, 1000000) > 0)
        die(BAD_USE, "--folds needs all rows in memory; with --memory, give --folds 0");
}

/* Dies because --memory is too small for what the library needs. */
static void too_little(const arguments *args, const sooth_env *env) {
    die(BAD_INPUT, "%s: %s, beyond the %s of --memory%s", args->word[0], env->sentence,
        arguments_text(args, "memory"),
        arguments_has(args, "spill") ? "" : "; --spill FILE keeps large data on disk");
}

/* Opens the source, and stores its columns in d. */
static void open_source(sooth_env *env, const arguments *args, const sooth_csv_file *bytes,
                        const sooth_csv *head, sooth_csv_source *csv, data *d) {
    sooth_csv_table_options choice;
    size_t targets, groups;
    const char **names;
    memset(&choice, 0, sizeof choice);
    char **target = columns_named(args, "target", head, &targets);
    char **group = columns_named(args, "group", head, &groups);
    if (targets == 0) die(BAD_USE, "--target COLUMN is missing");
    if (groups > 1) die(BAD_USE, "--group names %zu columns, but the maximum with --memory is one", groups);
    choice.target = target[0];
    choice.more_targets = (const char *const *)target + 1;
    choice.more_target_count = targets - 1;
    choice.group = groups ? group[0] : NULL;
    choice.weight = arguments_text(args, "weight");
    char **features = columns_named(args, "features", head, &choice.feature_count);
    choice.features = (const char *const *)with_derived(d, features, &choice.feature_count, &choice);
    if (choice.feature_count == 0) choice.features = NULL;
    choice.drop = (const char *const *)columns_named(args, "drop", head, &choice.drop_count);
    choice.categorical =
        (const char *const *)columns_named(args, "categorical", head, &choice.categorical_count);
    choice.levels_bytes = arguments_count(args, "levels", 0, 1, INT32_MAX);
    const sooth_status status = sooth_csv_source_open(env, bytes, NULL, &choice, csv);
    progress_clear();
    if (status == SOOTH_NO_MEMORY) too_little(args, env);
    if (status == SOOTH_BAD_ARGUMENT) levels_failed(d->path, status, env);
    if (status != SOOTH_OK)
        die(BAD_INPUT, "%s: %s%s", d->path, env->sentence,
            strstr(env->sentence, ": it is a date") ? "; --derive COLUMN:weekday makes numbers of it" : "");
    d->group = choice.group;
    d->group_columns = groups;
    d->group_column = (size_t *)allocate(1, sizeof *d->group_column);
    if (groups) d->group_column[0] = sooth_csv_find(&csv->csv, group[0]);
    d->table.cols = csv->source.cols;
    d->table.targets = csv->source.targets;
    names = (const char **)allocate(d->table.cols + 2 * targets, sizeof *names);
    for (size_t j = 0; j < d->table.cols; ++j) names[j] = column_name(&csv->csv, csv->column[j]);
    d->table.names = csv->source.names = names;
    d->target = names + d->table.cols;
    d->target_unit = d->target + targets;
    for (size_t t = 0; t < targets; ++t) {
        d->target[t] = column_name(&csv->csv, csv->targets[t]);
        d->target_unit[t] = csv->csv.column[csv->targets[t]].unit;
    }
    d->levels = csv->levels;
    if (!d->levels && arguments_has(args, "levels"))
        die(BAD_USE, "--levels is for categories, but there are none; --categorical names columns");
    d->chosen.column = csv->column;
    d->chosen.targets = csv->targets;
    d->weight = choice.weight;
    d->chosen.units = csv->units;
}

/* A source whose first pass is observed, to collect what the card keeps of the rows. */
typedef struct heard {
    sooth_source source;
    sooth_model_seen_rows *seen;
    int passes;  /* passes begun after the first */
    float *last; /* per feature: of the row before */
    int *order;  /* per feature: 1 if integers increase from row to row, -1 if they decrease, 0 if neither;
                    2 before the second row, and 3 before the first */
} heard;

/* Follows the order of each feature: integers that increase are another one in every row. */
static void hear_order(const heard *h, const sooth_table *block) {
    for (size_t i = 0; i < block->rows; ++i)
        for (size_t j = 0; j < block->cols; ++j) {
            const float v = block->x[i * block->stride + j];
            const int turn = (v > h->last[j]) - (v < h->last[j]);
            int *order = &h->order[j];
            if (*order == 0) continue;
            if (!(v > -9e15f && v < 9e15f) || (float)(int64_t)v != v) *order = 0;
            else *order = *order == 3 ? 2 : *order == 2 || *order == turn ? turn : 0;
            h->last[j] = v;
        }
}

static sooth_status next_rows(void *user, sooth_env *env, sooth_table *block) {
    const heard *h = (const heard *)user;
    const sooth_status status = h->source.next_fn(h->source.user, env, block);
    if (status == SOOTH_OK && !h->passes) sooth_model_seen_add(h->seen, block);
    if (status == SOOTH_OK && !h->passes) hear_order(h, block);
    return status;
}

static sooth_status first_rows(void *user, sooth_env *env) {
    heard *h = (heard *)user;
    ++h->passes;
    return h->source.rewind_fn(h->source.user, env);
}

static double rows_done(void *user) {
    const heard *h = (const heard *)user;
    return h->source.done_fn(h->source.user);
}

/* Dies if a target is the same in all rows. */
static void check_targets(const data *d, const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const float *range = sooth_model_card_range(parts.card) + 2 * d->table.cols;
    if (d->table.rows == 1)
        die(BAD_INPUT, "%s: one row with %s is not enough to fit a model to", d->path, d->target[0]);
    for (size_t t = 0; t < d->table.targets; ++t) {
        const digits_column *merged = digits_of(&d->digits, d->chosen.targets[t]);
        if (!(range[2 * t] < range[2 * t + 1]) && merged)
            die(BAD_INPUT,
                "%s: the different values of %s are one as floats; subtract a number near %s "
                "from them",
                d->path, d->target[t], shortest(range[2 * t]));
        if (!(range[2 * t] < range[2 * t + 1]))
            die(BAD_INPUT, "%s: %s is %s in all %zu rows; there is nothing to predict", d->path, d->target[t],
                shortest(range[2 * t]), d->table.rows);
    }
}

/* Finds the columns that floats merge, in the first rows: --memory counts no column from another number than
   0. */
static void find_merged(sooth_env *env, const sooth_csv_file *file, const budget *b, data *d) {
    enum { MOST_BYTES = 1 << 20 };
    const size_t most = b->most / 8 < MOST_BYTES ? b->most / 8 : MOST_BYTES;
    char *begin = (char *)allocate(most + 1, 1);
    size_t size = 0, got = 1;
    sooth_csv head;
    if (file->rewind_fn(file->user, env) != SOOTH_OK) die(BAD_INPUT, "%s: %s", d->path, env->sentence);
    while (size < most && got > 0) {
        if (file->read_fn(file->user, env, begin + size, most - size, &got) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", d->path, env->sentence);
        size += got;
    }
    while (got > 0 && size > 0 && begin[size - 1] != '\n') --size;
    if (size > 0 && sooth_csv_read(env, begin, size, NULL, &head) == SOOTH_OK) {
        digits_find(env, d->path, &head, begin, size, NULL, 0, &d->digits);
        for (size_t k = 0; got > 0 && k < d->digits.count; ++k) d->digits.column[k].rows = head.rows;
        sooth_csv_free(env, &head);
        free(d->digits.value);
    }
    free(begin);
}

/* Says that a column which floats merge would count from another number than 0 without --memory. */
static void print_not_centred(const data *d) {
    size_t n = 0;
    for (size_t j = 0; j < d->table.cols + d->table.targets; ++j) {
        const size_t column = j < d->table.cols ? d->chosen.column[j] : d->chosen.targets[j - d->table.cols];
        const digits_column *c = digits_of(&d->digits, column);
        n += c && c->centred > c->floats && !(j < d->table.cols && is_category(d->levels, j));
    }
    if (n)
        printf(
            "  not centred %s: --memory subtracts nothing; without it such columns count from a number near "
            "them\n",
            counted(n, "column", "columns"));
}

/* Names the other columns of integers above 2^24 that are near each other. */
static void print_coarse(const data *d, const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const float *range = sooth_model_card_range(parts.card);
    for (size_t j = 0; j < d->table.cols + d->table.targets; ++j) {
        const double least = (double)range[2 * j], most = (double)range[2 * j + 1];
        const double size = most > -least ? most : -least;
        const size_t column = j < d->table.cols ? d->chosen.column[j] : d->chosen.targets[j - d->table.cols];
        if (!(size >= 16777216.0) || size < 4.0 * (most - least) || digits_of(&d->digits, column)) continue;
        printf("  coarse      %s is near %s, where floats round integers; subtract that before, or leave out "
               "--memory\n",
               listed(j < d->table.cols ? d->table.names[j] : d->target[j - d->table.cols]),
               shortest((float)most));
    }
}

static heard listen(const sooth_csv_source *csv, sooth_model_seen_rows *seen) {
    const size_t cols = csv->source.cols;
    const heard h = {csv->source, seen, 0, (float *)allocate(cols, sizeof(float)),
                     (int *)allocate(cols, sizeof(int))};
    for (size_t j = 0; j < cols; ++j) h.order[j] = 3;
    return h;
}

/* Names the features that are the same in every row, and those that seem to name the row; and what is not
   known. */
static void print_hints(const data *d, const heard *h, const sooth_model *model) {
    enum { LEAST_ROWS = 10 };
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const float *range = sooth_model_card_range(parts.card);
    for (size_t j = 0; j < d->table.cols; ++j) {
        const sooth_csv_column *c = &d->csv.column[d->chosen.column[j]];
        if (is_category(d->levels, j) || c->missing || digits_of(&d->digits, d->chosen.column[j])) continue;
        if (!(range[2 * j] < range[2 * j + 1]))
            printf("  constant    %s (the same in every row)\n", listed(d->table.names[j]));
        else if (d->table.rows >= LEAST_ROWS && (h->order[j] == 1 || h->order[j] == -1) &&
                 is_named_like_identifier(c->name))
            printf("  identifier  %s is another integer in every row; --drop it if it only names the row\n",
                   listed(d->table.names[j]));
    }
    printf("  not sought  repeated rows, and identifiers that are not in order: they need all rows in "
           "memory\n");
}

/* Reads the recipe. Sets what rows in blocks need, and dies for what they do not support. */
static void settle(sooth_env *env, const arguments *args, const char *name, const data *d,
                   sooth_train_recipe *recipe) {
    recipe_read(env, args, name, d, recipe);
    const uint32_t kind = model_named(name)->kind;
    uint32_t *bins = kind == SOOTH_KIND_TREE     ? &recipe->options.tree.bins
                     : kind == SOOTH_KIND_FOREST ? &recipe->options.forest.bins
                                                 : NULL;
    if (bins && *bins == 0) *bins = 256; /* blocks have nothing else */
    if (strcmp(name, "extratrees") == 0)
        die(BAD_USE, "--memory does not support extratrees, which draw thresholds between values; fit forest "
                     "or boost");
    if (d->levels && (recipe->encode == SOOTH_TRAIN_ENCODE_TARGET ||
                      (recipe->encode == SOOTH_TRAIN_ENCODE_AUTO && kind == SOOTH_KIND_LINEAR)))
        die(BAD_USE,
            "statistics of the target for each level need all rows in memory; leave out --memory, or give "
            "--encode ordinal%s",
            kind == SOOTH_KIND_LINEAR ? ", or fit boost" : "");
}

/* Dies because the fit failed. Reads the file again for the line of the row that the sentence is about. */
static void fit_failed(data *d, sooth_csv_source *csv, const char *model, sooth_status status,
                       const sooth_env *env) NEVER_RETURNS;
static void fit_failed(data *d, sooth_csv_source *csv, const char *model, sooth_status status,
                       const sooth_env *env) {
    sooth_env again = *env;
    again.progress_fn = NULL;
    if (status == SOOTH_BAD_DATA && csv->source.rewind_fn(csv, &again) == SOOTH_OK)
        while (csv->source.next_fn(csv, &again, &d->table) == SOOTH_OK && d->table.rows > 0) {
            d->table.names = csv->source.names;
            d->line = (uint32_t *)(uintptr_t)csv->line;
            refuse_row(d, model, env->sentence,
                       "--drop leaves the column out, and without --memory --drop-missing such rows");
        }
    d->line = NULL;
    learn_failed(d, model, status, env);
}

int large_run(sooth_env *env, const arguments *args, const char *path, const char *name) {
    data d;
    sooth_csv_source csv;
    budget memory;
    file rows;
    sooth_env plain = *env;
    sooth_train_recipe recipe;
    sooth_model_parts parts;
    sooth_model *model;
    sooth_csv head;
    sooth_model_seen_rows seen;
    history h;
    memset(&d, 0, sizeof d);
    memset(&memory, 0, sizeof memory);
    memset(&seen, 0, sizeof seen);
    refuse(args);
    history_read(args, &h);
    memory.most = read_bytes(arguments_text(args, "memory"));
    rows.path = d.path = args->word[0];
    FILE *file = output_model(path, arguments_has(args, "force"), args->word, 1);
    const sooth_csv_file plain_bytes = open_file(&rows, &head);
    const sooth_csv_file bytes = derived_file(args, &plain_bytes, &head, &d);
    open_spill(args, &memory);
    header_note(d.path, &head);
    find_merged(&plain, &bytes, &memory, &d);
    env->alloc_fn = take;
    env->free_fn = give_back;
    env->alloc_user = &memory;
    open_source(env, args, &bytes, &head, &csv, &d);
    settle(&plain, args, name, &d, &recipe);
    if (recipe.seen) recipe.seen = &seen; /* filled while reading */
    recipe.note = arguments_text(args, "note");
    history_listen(&h, env);
    heard listening = listen(&csv, &seen);
    const sooth_source source = {&listening, d.table.cols, d.table.targets, next_rows,
                                 first_rows, rows_done,    d.table.names};
    const sooth_status status = sooth_train_fit_source(env, &source, &recipe, &model);
    progress_clear();
    if (!model && status == SOOTH_NO_MEMORY) too_little(args, env);
    if (!model) fit_failed(&d, &csv, recipe.model, status, env);
    history_check(&h, recipe.model);
    sooth_model_open(model, &parts);
    d.table.rows = parts.card->rows;
    d.groups = parts.card->groups;
    d.csv = csv.csv;
    d.csv.rows = csv.rows; /* those of the file, for the notes */
    if (d.made.count) d.csv.short_rows = d.made.short_rows, d.csv.first_short = d.made.first_short;
    d.chosen.dropped_target = csv.dropped_target, d.chosen.dropped_group = csv.dropped_group;
    check_targets(&d, model);
    void *saved = allocate(model->head.size, 1);
    sooth_model_save(model, saved);
    fwrite(saved, 1, model->head.size, file);
    output_close();
    const char *const others[] = {d.path, path};
    history_write(&h, others, 2);
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, stdout);
        json_text(&j, "file", path);
        json_count(&j, "bytes", model->head.size);
        json_text(&j, "model", recipe.model);
        data_json(&d, &j);
        json_count(&j, "memory", memory.peak);
        json_count(&j, "spilled", memory.spilled);
        json_end(&j);
        return finish();
    }
    heading(stdout, "%s: %s from %s, %s\n", recipe.model, targets_text(&d),
            counted(d.table.cols, "feature", "features"), counted(d.table.rows, "row", "rows"));
    data_notes(&d, stdout);
    print_hints(&d, &listening, model);
    printf("  memory      at most %s MB, %s bytes per row", human((double)memory.peak / 1e6, 3),
           human((double)memory.peak / (double)d.table.rows, 3));
    if (memory.spilled) printf("; %s MB in a file", human((double)memory.spilled / 1e6, 3));
    printf("\n  not tested  its errors on unseen rows are unknown: --memory holds no rows out\n");
    print_not_centred(&d);
    print_coarse(&d, model);
    print_cost(path, model);
    return finish();
}
