/* cluster.c - sooth cluster: clusters of similar rows, as many as their silhouettes support.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A number of clusters is supported if the mean silhouette is above 0.7, as in Moolchandani et al. 2022
 * (section 5, Fig. 5). Rows spread evenly along a line, without any clusters, reach 0.63 with two clusters,
 * and rows spread evenly in a square 0.42 with four. A few odd rows far from all others give a large mean
 * too, so each cluster must have a mean silhouette above 0.5: its rows are then more than twice as near to
 * each other as to the next cluster.
 */
#include "../table/table.h"
#include "sooth/stats.h"
#include "sooth/preprocess.h"

#include <math.h>

static const flag flags[] = {
    {"features", 'f', "A,B,...", "columns to cluster by; default all numeric columns", 1},
    {"drop", 'd', "A,B,...", "columns to leave out", 1},
    {"group", 'g', "COLUMN",
     "column that names the program (benchmark, job, ...) of a row. Prints the cluster of its rows", 0},
    {"clusters", 'k', "K", "number of clusters; default the number that the silhouettes support best", 0},
    {"most", 0, "M", "try 2 to M clusters; default 10", 0},
    {"transform", 'x', "NAME",
     "scaling of the columns: minmax (default), standard, robust, none. The prefixes log1p_ and "
     "log_ transform first, such as log1p_standard",
     0},
    {"drop-missing", 0, NULL, "leave out rows with missing features", 0},
    {"seed", 0, "N", "seed of the starts with several columns; default 0. One column is clustered exactly",
     0},
    JSON_FLAG,
    {"output", 'o', "OUT.csv", "also write the table with the new columns cluster and silhouette", 0},
    FORCE_FLAG,
    THREADS_FLAG,
    LAST_FLAG};

static const double tight = 0.7, own = 0.5; /* least mean, and least mean of each cluster */

typedef struct job {
    sooth_env *env;
    const arguments *args;
    const char *path;
    table_file file; /* as read, for the output */
    sooth_csv_data chosen;
    sooth_table table;  /* its rows without missing values, */
    sooth_table scaled; /* and scaled for the comparison */
    uint32_t *row;      /* of the table, in the file */
    size_t dropped;
    size_t group; /* column; csv.cols: none */
    sooth_scale_options transform;
    sooth_scale *scale;
    sooth_cluster_options options;
    uint32_t most, best; /* largest number of clusters tried; the chosen one */
    double *score;       /* per number of clusters: their mean silhouette; NaN: none; */
    double *weakest;     /* smallest mean silhouette of one cluster */
    uint32_t *label;
    double *each, *centre, inertia; /* silhouettes of rows; scaled centres */
    double *mean;                   /* per cluster and feature, in the units of the file */
    size_t *size;                   /* rows of each cluster */
} job;

/* ---- the rows ---- */

static const char *name_of(const job *b, size_t j) { return column_name(&b->file.csv, b->chosen.column[j]); }

/* Leaves out rows that lack a feature, or dies because of the first one. */
static void take_complete(job *b) {
    const sooth_table *t = &b->chosen.table;
    uint32_t *keep = (uint32_t *)allocate(t->rows, sizeof *keep);
    const int drop = arguments_has(b->args, "drop-missing");
    size_t n = 0, j;
    b->row = (uint32_t *)allocate(t->rows, sizeof *b->row);
    for (size_t i = 0; i < t->rows; ++i) {
        const float *x = t->x + i * t->stride;
        const unsigned line = (unsigned)b->file.csv.line[b->chosen.row[i]];
        for (j = 0; j < t->cols && x[j] == x[j]; ++j)
            if (isinf(x[j]))
                cell_is_infinite(b->path, b->file.text, b->file.size, &b->file.csv, b->chosen.row[i],
                                 b->chosen.column[j], 0);
        if (j < t->cols && !drop)
            die(BAD_INPUT,
                "%s: line %u: %s is missing, and distances need every value; --drop-missing leaves such rows "
                "out, --drop columns",
                b->path, line, name_of(b, j));
        if (j < t->cols) continue;
        b->row[n] = b->chosen.row[i];
        keep[n++] = (uint32_t)i;
    }
    b->dropped = t->rows - n;
    if (n < 3) die(BAD_INPUT, "%s: %s is too few for clusters", b->path, counted(n, "row", "rows"));
    if (sooth_table_take(b->env, t, keep, n, &b->table) != SOOTH_OK) die(BAD_INPUT, "%s", b->env->sentence);
    free(keep);
}

static void scale_rows(job *b) {
    const char *name = arguments_text(b->args, "transform");
    float *x;
    if (sooth_option_set(b->env, sooth_scale_options_list(), &b->transform, "transform",
                         name ? name : "minmax") != SOOTH_OK)
        die(BAD_USE, "--%s", b->env->sentence);
    if (sooth_scale_fit(b->env, &b->table, &b->transform, &b->scale) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    x = (float *)allocate(b->table.rows, b->table.cols * sizeof *x);
    sooth_scale_apply_many(b->scale, b->table.x, b->table.rows, b->table.stride, x);
    sooth_table_init(&b->scaled, x, b->table.rows, b->table.cols);
}

static void open_rows(job *b) {
    sooth_csv_table_options choice;
    sooth_csv *csv = &b->file.csv;
    char *bytes = read_file(b->path, NULL, &b->file.size);
    const sooth_csv_options options = names_given(b->args, "group", "");
    csv_read(b->env, b->path, bytes, b->file.size, &options, csv);
    b->file.text = bytes;
    b->file.has_header = 1;
    memset(&choice, 0, sizeof choice);
    b->group = column_of(b->args, b->path, csv, "group", NULL, 0);
    if (b->group < csv->cols) choice.group = csv->column[b->group].header;
    choice.features = (const char *const *)columns_named(b->args, "features", csv, &choice.feature_count);
    choice.drop = (const char *const *)columns_named(b->args, "drop", csv, &choice.drop_count);
    if (sooth_csv_table(b->env, csv, &choice, &b->chosen) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    size_t *column = (size_t *)allocate(b->chosen.table.cols, sizeof *column);
    for (size_t j = 0; j < b->chosen.table.cols; ++j) column[j] = b->chosen.column[j];
    digits_tell(b->env, b->path, csv, bytes, b->file.size, column, b->chosen.table.cols,
                "subtract a number near them");
    free(column);
    take_complete(b);
    scale_rows(b);
}

/* ---- clusters ---- */

/* Returns the mean silhouette of one cluster; 0 without rows. */
static double mean_of(const job *b, size_t cluster) {
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < b->table.rows; ++i) {
        if (b->label[i] != cluster) continue;
        sum += b->each[i];
        ++n;
    }
    return n ? sum / (double)n : 0.0;
}

/* Fits k clusters; returns 0 if there are fewer different rows. */
static int fit(job *b, uint32_t clusters) {
    b->options.n_clusters = clusters;
    const sooth_status status =
        sooth_cluster_fit(b->env, &b->scaled, &b->options, b->centre, b->label, &b->inertia);
    if (status == SOOTH_BAD_DATA && clusters > 2) return 0;
    if (status != SOOTH_OK) die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    if (sooth_cluster_silhouette(b->env, &b->scaled, b->label, clusters, b->each, &b->score[clusters]) !=
        SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    for (size_t c = 0; c < clusters; ++c)
        if (c == 0 || mean_of(b, c) < b->weakest[clusters]) b->weakest[clusters] = mean_of(b, c);
    return 1;
}

static int supported(const job *b, uint32_t clusters) {
    return b->score[clusters] > tight && b->weakest[clusters] > own;
}

/* Returns true if k clusters are better than the best so far. */
static int better(const job *b, uint32_t k) {
    if (!b->best || supported(b, k) != supported(b, b->best)) return !b->best || supported(b, k);
    return b->score[k] > b->score[b->best];
}

/* Tries 2 to `most` clusters, and fits the requested number. */
static void find_clusters(job *b) {
    const size_t rows = b->table.rows;
    const uint32_t asked = arguments_count(b->args, "clusters", 0, 2, 65536);
    uint32_t k;
    b->most = arguments_count(b->args, "most", 10, 2, 65536);
    if (b->most < asked) b->most = asked;
    if (b->most > rows) b->most = (uint32_t)rows;
    if (asked > rows)
        die(BAD_INPUT, "%s: %u clusters need at least that number of rows, but there are %zu", b->path,
            (unsigned)asked, rows);
    b->options.seed = arguments_count(b->args, "seed", 0, 0, UINT32_MAX);
    b->score = (double *)allocate(b->most + 1, sizeof *b->score);
    b->weakest = (double *)allocate(b->most + 1, sizeof *b->weakest);
    b->label = (uint32_t *)allocate(rows, sizeof *b->label);
    b->each = (double *)allocate(rows, sizeof *b->each);
    b->centre = (double *)allocate((size_t)b->most * b->table.cols, sizeof *b->centre);
    b->env->progress_fn = NULL; /* one bar for all numbers of clusters */
    for (k = 0; k <= b->most; ++k) b->score[k] = (double)NAN;
    for (k = 2; k <= b->most; ++k) {
        progress_show("clusters", (double)(k - 2) / (double)(b->most - 1));
        if (!fit(b, k)) break;
        if (better(b, k)) b->best = k;
    }
    if (asked && !(b->score[asked] == b->score[asked]))
        die(BAD_INPUT, "%s: there are fewer than %u different rows for that number of clusters", b->path,
            (unsigned)asked);
    fit(b, asked ? asked : b->best);
    progress_clear();
}

/* Computes sizes, and means in the units of the file. */
static void find_means(job *b) {
    const size_t cols = b->table.cols;
    const uint32_t clusters = b->options.n_clusters;
    b->size = (size_t *)allocate(clusters, sizeof *b->size);
    b->mean = (double *)allocate(clusters * cols, sizeof *b->mean);
    for (size_t i = 0; i < b->table.rows; ++i) {
        ++b->size[b->label[i]];
        for (size_t j = 0; j < cols; ++j)
            b->mean[b->label[i] * cols + j] += (double)b->table.x[i * b->table.stride + j];
    }
    for (size_t k = 0; k < clusters; ++k)
        for (size_t j = 0; j < cols; ++j) b->mean[k * cols + j] /= (double)b->size[k];
}

/* ---- output ---- */

static void print_verdict(const job *b, FILE *to) {
    const uint32_t k = b->options.n_clusters;
    const double mean = b->score[k], weakest = b->weakest[k];
    char text[400];
    size_t n;
    if (supported(b, k))
        n = (size_t)snprintf(text, sizeof text, "%u clusters are supported: their", (unsigned)k);
    else if (supported(b, b->best) || k != b->best)
        n = (size_t)snprintf(text, sizeof text, "%u clusters are not supported: the", (unsigned)k);
    else
        n = (size_t)snprintf(text, sizeof text, "No number of clusters is supported: of %u, the best, the",
                             (unsigned)k);
    if (supported(b, k))
        snprintf(text + n, sizeof text - n,
                 " mean silhouette, %.2f, is above %.1f, and that of each, %.2f at least, above %.1f.", mean,
                 tight, weakest, own);
    else if (mean > tight)
        snprintf(text + n, sizeof text - n,
                 " mean silhouette, %.2f, is above %.1f, but that of one cluster is %.2f: its rows are not "
                 "twice as near to each other as to the next cluster.",
                 mean, tight, weakest);
    else
        snprintf(text + n, sizeof text - n,
                 " mean silhouette is %.2f, which is not above %.1f; rows spread evenly along a line reach "
                 "0.63.",
                 mean, tight);
    wrapped(to, text, 0);
    if (k != b->best) fprintf(to, "The best is %u, with %.2f.\n", (unsigned)b->best, b->score[b->best]);
    for (size_t c = 0; c < k; ++c)
        for (size_t i = 0; b->size[c] == 1 && i < b->table.rows; ++i)
            if (b->label[i] == c)
                fprintf(to, "Cluster %zu has only line %u of %s.\n", c + 1,
                        (unsigned)b->file.csv.line[b->row[i]], printable(b->path));
}

static void print_clusters(const job *b, FILE *to) {
    const uint32_t k = b->options.n_clusters;
    double threshold[16];
    grid g;
    grid_init(&g, 1 + (size_t)k, 1);
    grid_add(&g, "cluster");
    for (size_t c = 0; c < k; ++c) grid_add(&g, "%zu", c + 1);
    grid_add(&g, "rows");
    for (size_t c = 0; c < k; ++c) grid_add(&g, "%zu", b->size[c]);
    grid_add(&g, "silhouette");
    for (size_t c = 0; c < k; ++c) grid_add(&g, "%.2f", mean_of(b, c));
    for (size_t j = 0; j < b->table.cols; ++j) {
        grid_add(&g, "%s", with_unit(name_of(b, j), b->chosen.units[j]));
        for (size_t c = 0; c < k; ++c) grid_add(&g, "%s", human(b->mean[c * b->table.cols + j], 4));
    }
    grid_print(&g, to, "  ");
    if (b->table.cols > 1 || k > 16) return;
    sooth_cluster_thresholds(b->centre, k, threshold);
    fprintf(to, "  split at");
    for (size_t c = 0; c + 1 < k; ++c)
        fprintf(to, "%s %s", c ? "," : "",
                human((double)sooth_scale_invert_one(b->scale, 0, (float)threshold[c]), 6));
    fprintf(to, "\n");
}

/* Finds for each group the cluster of most of its rows. */
static void print_groups(const job *b, FILE *to) {
    const sooth_csv *csv = &b->file.csv;
    const uint32_t groups = b->chosen.groups, k = b->options.n_clusters;
    size_t *count, together = 0, seen = 0;
    grid g;
    if (b->group == SOOTH_NONE) return;
    count = (size_t *)allocate((size_t)groups * k, sizeof *count);
    for (size_t i = 0; i < b->table.rows; ++i) ++count[(size_t)b->table.group[i] * k + b->label[i]];
    grid_init(&g, 3, 1);
    grid_add(&g, "%s", printable(csv->column[b->group].name));
    grid_add(&g, "cluster");
    grid_add(&g, "of its rows");
    for (size_t m = 0; m < groups; ++m) {
        size_t of = 0, rows = 0;
        for (size_t c = 0; c < k; ++c) {
            rows += count[m * k + c];
            if (count[m * k + c] > count[m * k + of]) of = c;
        }
        if (rows == 0) continue;
        ++seen;
        together += count[m * k + of] == rows;
        grid_add(&g, "%s", printable(b->chosen.group_name[m]));
        grid_add(&g, "%zu", of + 1);
        grid_add(&g, "%zu of %zu", count[m * k + of], rows);
    }
    fprintf(to, "\n");
    grid_print(&g, to, "  ");
    fprintf(to, "  %zu of %s in one cluster each\n", together, counted(seen, "group lies", "groups lie"));
    free(count);
}

static void print_all(const job *b, FILE *to) {
    grid g;
    fprintf(to, "%s of %s, %s\n", counted(b->table.rows, "row", "rows"), printable(b->path),
            counted(b->table.cols, "feature", "features"));
    dialect_note(&b->file.csv, to);
    if (b->chosen.dropped_group)
        fprintf(to, "  left out    %s without group\n", counted(b->chosen.dropped_group, "row", "rows"));
    if (b->group < b->file.csv.cols) words_note(&b->file.csv, b->group, to);
    if (b->dropped)
        fprintf(to, "  left out    %s in which a feature is missing\n", counted(b->dropped, "row", "rows"));
    fprintf(to, "\n");
    grid_init(&g, 3, 0);
    grid_add(&g, "clusters");
    grid_add(&g, "silhouette");
    grid_add(&g, "of the weakest");
    for (uint32_t k = 2; k <= b->most && b->score[k] == b->score[k]; ++k) {
        grid_add(&g, "%u", (unsigned)k);
        grid_add(&g, "%.3f", b->score[k]);
        grid_add(&g, "%.3f", b->weakest[k]);
    }
    grid_print(&g, to, "  ");
    fprintf(to, "\n");
    print_verdict(b, to);
    fprintf(to, "\n");
    print_clusters(b, to);
    print_groups(b, to);
}

static void print_json(const job *b, FILE *to) {
    const uint32_t k = b->options.n_clusters;
    json j;
    json_begin(&j, to);
    json_text(&j, "file", b->path);
    json_count(&j, "rows", b->table.rows);
    json_count(&j, "features", b->table.cols);
    json_count(&j, "rows_dropped_for_missing_features", b->dropped);
    json_open(&j, "silhouettes", '[');
    for (uint32_t m = 2; m <= b->most && b->score[m] == b->score[m]; ++m) {
        json_open(&j, NULL, '{');
        json_count(&j, "clusters", m);
        json_number(&j, "silhouette", b->score[m]);
        json_number(&j, "of_the_weakest", b->weakest[m]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_count(&j, "clusters", k);
    json_count(&j, "supported", (size_t)supported(b, k));
    json_number(&j, "inertia", b->inertia);
    json_open(&j, "means", '[');
    for (size_t c = 0; c < k; ++c) {
        json_open(&j, NULL, '{');
        json_count(&j, "rows", b->size[c]);
        for (size_t m = 0; m < b->table.cols; ++m)
            json_number(&j, name_of(b, m), b->mean[c * b->table.cols + m]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

/* Writes the table with cluster and silhouette; both are empty for rows that were left out. */
static void write_table(const job *b, FILE *to) {
    const size_t rows = b->file.csv.rows;
    float *value = (float *)allocate(rows, 2 * sizeof *value);
    addition add[2];
    for (size_t i = 0; i < 2 * rows; ++i) value[i] = (float)NAN;
    for (size_t i = 0; i < b->table.rows; ++i) {
        value[2 * b->row[i]] = (float)(b->label[i] + 1);
        value[2 * b->row[i] + 1] = (float)b->each[i];
    }
    memset(add, 0, sizeof add);
    add[0].stem = "cluster";
    add[1].stem = "silhouette";
    add[0].number = value;
    add[1].number = value + 1;
    add[0].stride = add[1].stride = 2;
    table_append(b->env, &b->file, b->path, add, 2, to);
    free(value);
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output");
    FILE *file = NULL;
    job b;
    memset(&b, 0, sizeof b);
    b.args = args;
    b.path = args->word[0];
    b.env = env_open(args);
    open_rows(&b);
    if (path) file = output_open(path, arguments_has(args, "force"), args->word, 1);
    find_clusters(&b);
    find_means(&b);
    if (file) {
        write_table(&b, file);
        output_close();
    }
    FILE *to = path && strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) print_json(&b, to);
    else print_all(&b, to);
    return finish();
}

const command cluster_command = {
    .name = "cluster",
    .summary = "find clusters of similar rows, as many as their silhouettes support",
    .usage = "DATA.csv [--features A,B,...] [--clusters K] [options]",
    .least = 1,
    .most = 1,
    .text = "Scales the columns, finds 2 to 10 clusters by k-means, and prints the mean silhouette of each "
            "number. It is 1 if every row is far nearer to its own cluster than to any other, and about 0 "
            "if there are no clusters.\n\n"
            "A number is supported if its mean is above 0.7 and no cluster has a mean below 0.5. The first "
            "is the rule of Moolchandani et al. 2022, who find Low, Medium and High among programs by "
            "their cache misses. The second excludes clusters of a few odd rows.\n\n"
            "Of the supported numbers, the one with the largest mean is taken. If none is supported, the "
            "command reports it, and the clusters are only a partition.\n\n"
            "Clusters are numbered by increasing mean of the first column. With one column, the boundaries "
            "are printed as well.",
    .example = "sooth cluster cards.csv --features misses --group program -o clusters.csv",
    .flags = flags,
    .run = run};
