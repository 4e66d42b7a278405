/* correlate.c - sooth correlate: which features correlate with a target, and which are redundant.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Two methods of the papers: the selection of hardware events by the median over groups of |Spearman's rho|
 * within a group (Zhao et al. 2019, Themis, section V-A), and dropping similar features (Alavani et al. 2023,
 * section 4).
 */
#include "../table/table.h"
#include "sooth/stats.h"

#include <math.h>

static const flag flags[] = {
    {"target", 't', "COLUMN", "target column", 0},
    {"features", 'f', "A,B,...", "columns to examine; default all numeric columns", 1},
    {"drop", 'd', "A,B,...", "columns to leave out", 1},
    {"group", 'g', "COLUMN",
     "column that names the program (or device, or number of multiprocessors) of a row. Also prints "
     "the correlation within a group, as the median of |r| over the groups",
     0},
    {"by", 0, "LIST", "any of spearman, kendall, pearson; default all. The first one orders the features", 1},
    {"limit", 0, "R",
     "drop features until no two have |pearson|, and then |kendall|, above R. Of two, the one with "
     "the larger |kendall| with the target is kept (Alavani et al. 2023: 0.85)",
     0},
    JSON_FLAG,
    {"output", 'o', "OUT.csv", "also write the table", 0},
    FORCE_FLAG,
    THREADS_FLAG,
    LAST_FLAG};

enum { KINDS = SOOTH_CORRELATE_KINDS };
static const char *const names[KINDS] = {"pearson", "spearman", "kendall"}; /* by sooth_correlate_kind */

typedef struct job {
    sooth_env *env;
    data d;
    sooth_correlate_kind kind[KINDS];
    size_t kinds;
    sooth_correlation *with[KINDS]; /* per requested kind and feature: with the target */
    double *within[KINDS];          /* median of |r| over the groups; NULL: no groups */
    size_t *order;                  /* features, by the first kind */
    double limit;                   /* 0: nothing is dropped */
    unsigned char *keep;
    size_t *like; /* per dropped feature: the most similar kept one, */
    double *at;   /* and their correlation */
} job;

static void read_kinds(job *b, const arguments *args) {
    static const sooth_correlate_kind usual[KINDS] = {SOOTH_CORRELATE_SPEARMAN, SOOTH_CORRELATE_KENDALL,
                                                      SOOTH_CORRELATE_PEARSON};
    size_t count, k;
    char **list = arguments_list(args, "by", &count);
    for (size_t i = 0; i < count; ++i) {
        for (k = 0; k < KINDS && strcmp(list[i], names[k]) != 0; ++k) continue;
        if (k == KINDS)
            die(BAD_USE, "--by is %s, but must be of spearman, kendall, pearson%s", list[i],
                did_you_mean(list[i], names, KINDS));
        for (size_t m = 0; m < b->kinds; ++m)
            if (b->kind[m] == (sooth_correlate_kind)k) die(BAD_USE, "--by has %s twice", list[i]);
        b->kind[b->kinds++] = (sooth_correlate_kind)k;
    }
    if (count == 0) memcpy(b->kind, usual, sizeof usual);
    if (count == 0) b->kinds = KINDS;
}

/* Orders rows by group: those of group g are row[start[g]] to row[start[g + 1] - 1]. */
static uint32_t *rows_by_group(const job *b, size_t *start) {
    const sooth_table *t = &b->d.table;
    const uint32_t groups = b->d.chosen.groups;
    uint32_t *row = (uint32_t *)allocate(t->rows, sizeof *row);
    for (size_t i = 0; i < t->rows; ++i) ++start[t->group[i] + 1];
    for (uint32_t g = 0; g < groups; ++g) start[g + 1] += start[g];
    for (size_t i = t->rows; i-- > 0;) row[--start[t->group[i] + 1]] = (uint32_t)i;
    for (uint32_t g = 0; g < groups; ++g) start[g] = start[g + 1];
    start[groups] = t->rows;
    return row;
}

/* Returns the correlation of feature j with the target in these rows; NaN if there is none. x: scratch. */
static double of_rows(const job *b, size_t kind, size_t j, const uint32_t *row, size_t rows, float *x) {
    const sooth_table *t = &b->d.table;
    sooth_correlation c;
    for (size_t i = 0; i < rows; ++i) {
        x[2 * i] = t->x[row[i] * t->stride + j];
        x[2 * i + 1] = t->y[row[i]];
    }
    if (sooth_correlate_pair(NULL, x, 2, x + 1, 2, rows, b->kind[kind], &c) != SOOTH_OK) return (double)NAN;
    return c.r;
}

static void correlate_within(job *b) {
    const sooth_table *t = &b->d.table;
    const uint32_t groups = b->d.chosen.groups;
    size_t *start = (size_t *)allocate((size_t)groups + 1, sizeof *start);
    uint32_t *row = rows_by_group(b, start);
    double *r = (double *)allocate(groups, sizeof *r);
    float *x = (float *)allocate(t->rows, 2 * sizeof *x);
    for (size_t k = 0; k < b->kinds; ++k) {
        b->within[k] = (double *)allocate(t->cols, sizeof(double));
        for (size_t j = 0; j < t->cols; ++j) {
            size_t n = 0;
            for (uint32_t g = 0; g < groups; ++g) {
                const double one = of_rows(b, k, j, row + start[g], start[g + 1] - start[g], x);
                if (one == one) r[n++] = fabs(one);
            }
            b->within[k][j] = median_sorted(r, n);
            progress_show("within groups", (double)(k * t->cols + j + 1) / (double)(b->kinds * t->cols));
        }
    }
    free(x);
    free(r);
    free(row);
    free(start);
}

/* Orders features by falling |r| with the target; equal ones in the order of the columns, those without any
   last. */
static void order_features(job *b) {
    const sooth_correlation *c = b->with[0];
    const size_t cols = b->d.table.cols;
    b->order = (size_t *)allocate(cols, sizeof *b->order);
    for (size_t i = 0; i < cols; ++i) {
        size_t k = i;
        for (; k > 0 && c[i].r == c[i].r; --k) {
            const double before = c[b->order[k - 1]].r;
            if (before == before && fabs(before) >= fabs(c[i].r)) break;
            b->order[k] = b->order[k - 1];
        }
        b->order[k] = i;
    }
}

/* Computes the correlations with the target, some columns at a time to show progress. */
static void correlate_target(job *b) {
    enum { AT_A_TIME = 32 };
    const sooth_table *t = &b->d.table;
    sooth_correlation rank[AT_A_TIME];
    for (size_t k = 0; k < b->kinds; ++k) {
        b->with[k] = (sooth_correlation *)allocate(t->cols, sizeof *rank);
        for (size_t from = 0; from < t->cols; from += AT_A_TIME) {
            sooth_table some = *t;
            some.x += from;
            some.names += from;
            some.cols = t->cols - from < AT_A_TIME ? t->cols - from : AT_A_TIME;
            if (sooth_correlate_rank(b->env, &some, 0, b->kind[k], rank) != SOOTH_OK)
                die(BAD_INPUT, "%s: %s", b->d.path, b->env->sentence);
            for (size_t i = 0; i < some.cols; ++i) b->with[k][from + rank[i].column] = rank[i];
            progress_show("correlations", (double)(k * t->cols + from) / (double)(b->kinds * t->cols));
        }
    }
    order_features(b);
}

/* Computes Kendall's tau of all remaining features. */
static void kendall_of_kept(const job *b, double *r) {
    const sooth_table *t = &b->d.table;
    sooth_correlation c;
    for (size_t i = 0; i < t->cols; ++i)
        for (size_t j = 0; b->keep[i] && j < i; ++j) {
            r[i * t->cols + j] = r[j * t->cols + i] = (double)NAN;
            if (b->keep[j] && sooth_correlate_pair(NULL, t->x + i, t->stride, t->x + j, t->stride, t->rows,
                                                   SOOTH_CORRELATE_KENDALL, &c) == SOOTH_OK)
                r[i * t->cols + j] = r[j * t->cols + i] = c.r;
            progress_show("like features",
                          (double)(i * (i - 1) / 2 + j + 1) / (double)(t->cols * (t->cols - 1) / 2));
        }
}

/* Drops features by r, and records for each the most similar kept one. */
static void drop_by(job *b, const double *r, const sooth_correlation *rank) {
    const size_t cols = b->d.table.cols;
    unsigned char *before = (unsigned char *)allocate(cols, 1);
    memcpy(before, b->keep, cols);
    if (sooth_correlate_filter(b->env, r, cols, rank, b->limit, b->keep) != SOOTH_OK)
        die(BAD_USE, "%s", b->env->sentence);
    for (size_t i = 0; i < cols; ++i) {
        if (!before[i] || b->keep[i]) continue;
        b->at[i] = 0.0;
        for (size_t j = 0; j < cols; ++j) {
            if (!b->keep[j] || !(fabs(r[i * cols + j]) > fabs(b->at[i]))) continue;
            b->at[i] = r[i * cols + j];
            b->like[i] = j;
        }
    }
    free(before);
}

static void drop_like(job *b) {
    const size_t cols = b->d.table.cols;
    double *r = (double *)allocate(cols, cols * sizeof *r);
    sooth_correlation *rank = (sooth_correlation *)allocate(cols, sizeof *rank);
    b->keep = (unsigned char *)allocate(cols, 1);
    b->like = (size_t *)allocate(cols, sizeof *b->like);
    b->at = (double *)allocate(cols, sizeof *b->at);
    memset(b->keep, 1, cols);
    if (sooth_correlate_rank(b->env, &b->d.table, 0, SOOTH_CORRELATE_KENDALL, rank) != SOOTH_OK ||
        sooth_correlate_matrix(b->env, &b->d.table, SOOTH_CORRELATE_PEARSON, r, NULL) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->d.path, b->env->sentence);
    drop_by(b, r, rank);
    kendall_of_kept(b, r);
    drop_by(b, r, rank);
    free(rank);
    free(r);
}

/* ---- output ---- */

static void print_table(const job *b, FILE *to) {
    const sooth_table *t = &b->d.table;
    size_t kept = 0;
    grid g;
    fprintf(to, "%s and %s in %s of %s%s%s\n", targets_text(&b->d), counted(t->cols, "feature", "features"),
            counted(t->rows, "row", "rows"), printable(b->d.path), b->d.group ? ", " : "",
            b->d.group ? counted(b->d.groups, "group", "groups") : "");
    data_notes(&b->d, to);
    fprintf(to, "\n");
    grid_init(&g, 1 + b->kinds * (b->d.group ? 3 : 2) + (b->keep != NULL), 1);
    grid_add(&g, "feature");
    for (size_t k = 0; k < b->kinds; ++k) {
        grid_add(&g, "%s", names[b->kind[k]]);
        grid_add(&g, "p");
        if (b->d.group) grid_add(&g, "within");
    }
    if (b->keep) grid_add(&g, "kept");
    for (size_t i = 0; i < t->cols; ++i) {
        const size_t j = b->order[i];
        grid_add(&g, "%s", with_unit(t->names[j], b->d.chosen.units[j]));
        for (size_t k = 0; k < b->kinds; ++k) {
            const sooth_correlation *c = &b->with[k][j];
            grid_add(&g, c->r == c->r ? "%+.3f" : "-", c->r);
            grid_add(&g, "%s", human(c->p, 2));
            if (b->d.group) grid_add(&g, b->within[k][j] == b->within[k][j] ? "%.3f" : "-", b->within[k][j]);
        }
        if (!b->keep) continue;
        if (b->keep[j]) grid_add(&g, "yes");
        else grid_add(&g, "no: %+.3f with %s", b->at[j], printable(t->names[b->like[j]]));
        kept += b->keep[j];
    }
    grid_print(&g, to, "  ");
    if (b->d.group)
        fprintf(
            to,
            "\n"
            "  within: the median of |r| over the groups. p assumes that all rows are independent, which\n"
            "  rows of one group are not: a small p with a small within points to differences of groups.\n");
    if (!b->keep) return;
    fprintf(to, "\n  %zu of %s kept: --features ", kept, counted(t->cols, "feature", "features"));
    for (size_t i = 0, n = 0; i < t->cols; ++i)
        if (b->keep[b->order[i]]) fprintf(to, "%s%s", n++ ? "," : "", listed(t->names[b->order[i]]));
    fprintf(to, "\n");
}

static void write_table(const job *b, FILE *to) {
    const sooth_table *t = &b->d.table;
    sooth_sink sink = sooth_file_sink(to);
    fprintf(to, "feature");
    for (size_t k = 0; k < b->kinds; ++k) {
        fprintf(to, ",%s,p_%s", names[b->kind[k]], names[b->kind[k]]);
        if (b->d.group) fprintf(to, ",within_%s", names[b->kind[k]]);
    }
    fprintf(to, b->keep ? ",rows,kept\n" : ",rows\n");
    for (size_t i = 0; i < t->cols; ++i) {
        const size_t j = b->order[i];
        sooth_csv_put_text(&sink, t->names[j], ',');
        for (size_t k = 0; k < b->kinds; ++k) {
            fputc(',', to);
            put_double(to, b->with[k][j].r);
            fputc(',', to);
            put_double(to, b->with[k][j].p);
            if (!b->d.group) continue;
            fputc(',', to);
            put_double(to, b->within[k][j]);
        }
        fprintf(to, ",%zu", b->with[0][j].rows);
        if (b->keep) fprintf(to, ",%d", b->keep[j]);
        fputc('\n', to);
    }
}

static void print_json(const job *b, FILE *to) {
    const sooth_table *t = &b->d.table;
    json j;
    json_begin(&j, to);
    data_json(&b->d, &j);
    json_open(&j, "features", '[');
    for (size_t i = 0; i < t->cols; ++i) {
        const size_t f = b->order[i];
        json_open(&j, NULL, '{');
        json_text(&j, "feature", t->names[f]);
        json_count(&j, "rows", b->with[0][f].rows);
        for (size_t k = 0; k < b->kinds; ++k) {
            json_open(&j, names[b->kind[k]], '{');
            json_number(&j, "r", b->with[k][f].r);
            json_number(&j, "p", b->with[k][f].p);
            if (b->d.group) json_number(&j, "within", b->within[k][f]);
            json_close(&j, '}');
        }
        if (b->keep) json_count(&j, "kept", b->keep[f]);
        if (b->keep && !b->keep[f]) json_text(&j, "like", t->names[b->like[f]]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output");
    FILE *file = NULL;
    job b;
    memset(&b, 0, sizeof b);
    read_kinds(&b, args);
    b.limit = double_read(args, "limit", 0.0, 0.0, 1.0);
    b.env = env_open(args);
    data_open(b.env, args, CENTRE_FEATURES | CENTRE_TARGETS, &b.d);
    if (b.d.table.targets > 1) die(BAD_USE, "--target names several columns, but correlate takes one");
    if (b.d.group_columns > 1) die(BAD_USE, "--group names several columns, but correlate takes one");
    if (path) file = output_open(path, arguments_has(args, "force"), args->word, 1);
    correlate_target(&b);
    if (b.d.group) correlate_within(&b);
    if (arguments_has(args, "limit")) drop_like(&b);
    progress_clear();
    if (file) {
        write_table(&b, file);
        output_close();
    }
    FILE *to = path && strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) print_json(&b, to);
    else print_table(&b, to);
    return finish();
}

const command correlate_command = {
    .name = "correlate",
    .summary = "show which features correlate with a target, and which are redundant",
    .usage = "DATA.csv --target COLUMN [--group COLUMN] [--limit R] [options]",
    .least = 1,
    .most = 1,
    .text = "Lists the correlation of every feature with the target: Spearman's rank correlation, "
            "Kendall's tau-b and Pearson's r, each from -1 to 1. p is the probability of a value as far "
            "from 0 without a correlation.\n\n"
            "Spearman and Kendall detect any monotonic relation, Pearson linear ones. Rows that lack one "
            "of the two values are left out of that correlation.\n\n"
            "--group also prints the correlation within a group. Themis selects its hardware events this "
            "way, with the allocations of multiprocessors as groups.\n\n"
            "--limit ends with the features to keep, in the form that `sooth fit` takes.",
    .example = "sooth correlate power.csv --target Power --group Benchmark --limit 0.85",
    .flags = flags,
    .run = run};
