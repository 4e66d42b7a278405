/* curves.c - how cost grows: times and bytes against rows, columns, trees, depth, bins, workers; peers too.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/curves/curves [only=boost] [axis=n] [most=1e7] [patience=4] [python=/usr/bin/python3]
 *         [out=build/curves]
 *     build/curves/curves counted=1     instructions under valgrind instead of seconds, ours alone, checked
 *
 * Runs build/bench and the peers of bench/peers for every point, each in a process of its own, one after the
 * other. An entrant whose fit took longer than `patience` seconds is not asked for a larger one. most: rows,
 * at most; 1e8 takes 4.4 GB of disk and 10 GB of memory. Peers of C are those that bench/run.sh built.
 *
 * Against workers (axis=workers) ours is the simulation of bench/tasks/workers.h, and what one and two
 * threads measure stands beside it, ours and the peers'; against processes (axis=ranks) what
 * bench/tasks/ranks.h counts. Both have the ideal line: the first point divided by how many there are.
 *
 * Writes points.csv, slopes.csv and a picture of times and one of bytes for each curve, on logarithmic axes,
 * with the floor. A slope is d log(cost) / d log(x), by least squares over the upper decade of what was
 * measured. "stated" is the slope of the floor over the same points, and the floor is the formula of the
 * header's comment on costs, times the cycles of the comment in bench/ at 4 GHz: that is how the comments are
 * checked. With counted=1 a slope of ours that differs from the stated one by more than 0.15, and bytes by
 * more than 0.1, are failures: lines that begin with FAILED, and status 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "sooth/base.h"
#include "../examples/common/picture.h"

/* Where a curve is: what was asked, and what the answer told of the model. */
typedef struct place {
    double n, d, trees, depth, bins, threads, rules, epochs, ranks; /* asked */
    double nodes, steps, vectors;                                   /* told */
} place;

/* ---- floors: cycles, and bytes, from the costs that the headers state ---- */

static double levels(const place *p) { return 1.2 * log2(p->n); } /* of a full tree: measured, 16 at 10,000 */
static double leaves(const place *p) { return (p->nodes / p->trees + 1.0) / 2.0; }

static double tree_cycles(const place *p) { return 7.0 * p->n * p->d * levels(p); }
static double tree_bytes(const place *p) { return 16.0 * p->d * p->n + 160.0 * leaves(p) + p->n; }
static double forest_cycles(const place *p) {
    return p->trees * 0.63 * p->n * p->d * levels(p) * (5.0 / 3.0 + 2.0);
}
static double forest_bytes(const place *p) {
    return 24.0 * p->d * p->n + 144.0 * leaves(p) + 40.0 * p->nodes / p->trees + 12.0 * p->nodes;
}
static double boost_cycles(const place *p) {
    const double cells = pow(2.0, p->depth) * p->d * p->bins;
    return (p->trees * (p->n * (p->d * (p->depth + 1.0) / 2.0 + 3.0 * p->depth) + 2.2 * cells) +
            20.0 * p->n * p->d) /
           p->threads;
}
static double boost_bytes(const place *p) {
    const double histograms = 8.0 * (p->bins + 1.0) * p->d * (p->depth + 2.0);
    return p->n * (2.0 * p->d + 44.0) + histograms + 16.0 * p->nodes;
}
static double ranks_bytes(const place *p) { /* sent for trees, and for bins: boost.h, shards.h */
    const double cells = fmin(p->bins + 1.0, 256.0);
    if (p->ranks < 2.0) return NAN;
    return p->trees * (24.0 + 8.0 * p->d * cells * pow(2.0, p->depth - 1.0)) + 1.4e5 * p->d;
}
static double ranks_cycles(const place *p) { /* rows are shared out, the search is not; bytes at 100 Gbit/s */
    place own = *p;
    own.n = p->n / p->ranks;
    return boost_cycles(&own) + (p->ranks < 2.0 ? 0.0 : 4e9 * 8e-11 * ranks_bytes(p));
}
static double linear_cycles(const place *p) {
    const double w = p->d + 2.0;
    return p->n * w * w + 11.0 * w * w * w; /* the columns' condition: solve.h */
}
static double linear_bytes(const place *p) {
    const double q = p->d + 1.0, w = q + 1.0;
    return 8.0 * (w * w / 2.0 + 128.0 * w + q * (3.0 * q + 3.0)) + 16.0 * q + 8.0 * q * q;
}
static double mlp_cycles(const place *p) { /* 64-64-128 */
    const double weights = 64.0 * p->d + 64.0 * 64.0 + 64.0 * 128.0 + 128.0;
    return p->epochs * p->n * ((3.0 * weights - 64.0 * p->d) / 8.0 + weights * 2.5 / 32.0);
}
static double svr_cycles(const place *p) { /* a step goes over the rows that are not at a bound yet */
    return p->n * p->vectors * (2.0 * p->d + 9.0) / 8.0 + p->steps * p->vectors * 36.0 / 32.0;
}
static double gauss_cycles(const place *p) { /* an exponential in double: 40 cycles */
    return p->n * p->n * p->n / 6.0 / 4.0 + p->n * p->n * (40.0 + p->d / 2.0);
}
static double gauss_bytes(const place *p) {
    return 16.0 * p->n * p->d + 8.0 * p->n * p->n + 1024.0 * p->n + p->n * (4.0 * p->d + 8.0) +
           2.0 * p->n * p->n;
}
static double sofnn_cycles(const place *p) {
    double all = 0.0;
    for (double u = 1.0; u <= p->rules; u += 1.0) {
        const double m = u * (p->d + 1.0);
        all += 8.0 * (p->n * m * (m / 2.0 + 40.0) + m * m * m / 6.0) / 4.0;
    }
    return all;
}
static double csv_cycles(const place *p) { return 48.0 * p->n * (p->d + 1.0); }
static double csv_bytes(const place *p) { return 8.0 * p->n * (p->d + 1.0) + 4.0 * p->n; }
static double blocks_cycles(const place *p) { return 20.0 * p->n * p->d; }
static double blocks_bytes(const place *p) {
    return (p->d + 4.0) * p->n + 8.0 * 32768.0 * p->d * fmax(1.0, log2(p->n / 32768.0) + 3.0);
}
static double one_cycles(const place *p) { return p->trees * p->depth * 1.25; } /* a row */
static double many_cycles(const place *p) { return p->n * 8.0 * ceil(p->trees / 8.0) * 2.0; }

/* ---- the curves ---- */

enum { TRAINING, ONE_ROW, MANY_ROWS };

typedef struct curve {
    const char *name, *axis, *task, *words;
    double from, most, factor;
    place at; /* what does not vary */
    int measure;
    double (*cycles)(const place *);
    double (*bytes)(const place *); /* NULL: none are stated by formula, or they do not grow */
    double counted_from;            /* the least x counted; 0: this curve is not */
} curve;

#define ROOT_10 3.16227766
#define AT(n, d, trees, depth) \
    { n, d, trees, depth, 256, 1, 16, 2, 1, 0, 0, 0 }

static const curve curves[] = {
    {"tree", "n", "dt", "", 1e3, 1e6, ROOT_10, AT(0, 10, 1, 0), TRAINING, tree_cycles, tree_bytes, 5000},
    {"tree", "d", "dt", "", 5, 1e4, ROOT_10, AT(2000, 0, 1, 0), TRAINING, tree_cycles, tree_bytes, 16},
    {"forest", "n", "rf", "mf=0.3333", 1e3, 1e6, ROOT_10, AT(0, 10, 10, 0), TRAINING, forest_cycles,
     forest_bytes, 1000},
    {"forest", "d", "rf", "mf=0.3333", 5, 1e4, ROOT_10, AT(2000, 0, 10, 0), TRAINING, forest_cycles,
     forest_bytes, 16},
    {"forest", "trees", "rf", "mf=0.3333", 1, 1e3, ROOT_10, AT(3162, 10, 0, 0), TRAINING, forest_cycles, NULL,
     3},
    {"boost", "n", "gb", "", 1e3, 1e8, ROOT_10, AT(0, 10, 20, 6), TRAINING, boost_cycles, boost_bytes, 10000},
    {"boost", "d", "gb", "", 5, 1e4, ROOT_10, AT(10000, 0, 20, 6), TRAINING, boost_cycles, boost_bytes, 5},
    {"boost", "trees", "gb", "", 10, 1e3, ROOT_10, AT(10000, 10, 0, 6), TRAINING, boost_cycles, NULL, 10},
    {"boost", "depth", "gb", "", 2, 12, 1.41421356, AT(100000, 10, 20, 0), TRAINING, boost_cycles, NULL, 0},
    {"boost", "bins", "gb", "", 16, 256, 2, AT(10000, 10, 20, 6), TRAINING, boost_cycles, NULL, 0},
    {"boost", "workers", "threads", "", 1, 16, 2, AT(1e5, 10, 100, 6), TRAINING, boost_cycles, NULL, 0},
    {"boost", "ranks", "ranks", "", 1, 1024, 2, AT(1e6, 10, 100, 6), TRAINING, ranks_cycles, ranks_bytes, 0},
    {"linear", "n", "ols", "", 1e3, 1e8, ROOT_10, AT(0, 10, 1, 0), TRAINING, linear_cycles, NULL, 3162},
    {"linear", "d", "ols", "", 5, 1e3, ROOT_10, AT(10000, 0, 1, 0), TRAINING, linear_cycles, linear_bytes,
     16},
    {"mlp", "n", "nn", "", 1e3, 1e6, ROOT_10, AT(0, 10, 1, 0), TRAINING, mlp_cycles, NULL, 300},
    {"mlp", "d", "nn", "", 5, 1e4, ROOT_10, AT(1000, 0, 1, 0), TRAINING, mlp_cycles, NULL, 316},
    {"svr", "n", "svr", "", 250, 1.6e4, 2, AT(0, 10, 1, 0), TRAINING, svr_cycles, NULL, 1000},
    {"svr", "d", "svr", "", 5, 1e3, ROOT_10, AT(1000, 0, 1, 0), TRAINING, svr_cycles, NULL, 0},
    {"gauss", "n", "gauss", "given=1", 125, 8e3, 2, AT(0, 10, 1, 0), TRAINING, gauss_cycles, gauss_bytes,
     250},
    {"gauss", "d", "gauss", "given=1", 5, 1e3, ROOT_10, AT(500, 0, 1, 0), TRAINING, gauss_cycles, gauss_bytes,
     5},
    {"sofnn", "n", "sofnn", "", 1e3, 1e6, ROOT_10, AT(0, 10, 1, 0), TRAINING, sofnn_cycles, NULL, 0},
    {"sofnn", "rules", "sofnn", "", 4, 32, 2, AT(1000, 10, 1, 0), TRAINING, sofnn_cycles, NULL, 4},
    {"csv", "n", "csv", "", 1e3, 1e7, ROOT_10, AT(0, 10, 1, 0), TRAINING, csv_cycles, csv_bytes, 1000},
    {"csv", "d", "csv", "", 10, 1e4, ROOT_10, AT(1000, 0, 1, 0), TRAINING, csv_cycles, csv_bytes, 10},
    {"blocks", "n", "blocks", "", 1e4, 1e8, ROOT_10, AT(0, 10, 1, 0), TRAINING, blocks_cycles, blocks_bytes,
     10000},
    {"blocks", "d", "blocks", "", 10, 1e3, ROOT_10, AT(10000, 0, 1, 0), TRAINING, blocks_cycles, blocks_bytes,
     10},
    {"one row", "trees", "gb", "", 10, 1e3, ROOT_10, AT(10000, 10, 0, 6), ONE_ROW, one_cycles, NULL, 0},
    {"one row", "depth", "gb", "table=0", 2, 12, 1.41421356, AT(10000, 10, 100, 0), ONE_ROW, one_cycles, NULL,
     0},
    {"many rows", "trees", "gb", "", 10, 1e3, ROOT_10, AT(10000, 10, 0, 6), MANY_ROWS, many_cycles, NULL, 10},
};
static const size_t curve_count = sizeof curves / sizeof *curves;

/* Who does the same work. command: `%s` is Python; task: what it is called there, if that differs; most: the
   greatest x it is asked for (workers: those of a small machine), if any. */
static const struct {
    const char *name, *tasks, *axes, *command, *needs, *task;
    double most;
} entrants[] = {
    {"sooth", "dt rf gb ols nn svr gauss sofnn csv blocks threads ranks", "", "build/bench", NULL, NULL, 0},
    {"scikit-learn", "dt rf gb", "n d trees depth bins", "%s bench/peers/trees_peer.py", "import sklearn",
     NULL, 0},
    {"XGBoost", "gb", "n d trees depth bins", "%s bench/peers/trees_peer.py peer=xgboost", "import xgboost",
     NULL, 0},
    {"LightGBM", "gb", "n d trees depth", "%s bench/peers/trees_peer.py peer=lightgbm", "import lightgbm",
     NULL, 0},
    {"dgels", "ols", "n d", "build/peers/linear peer=dgels", NULL, NULL, 0},
    {"scikit-learn", "nn", "n d", "%s bench/peers/mlp_peer.py", "import sklearn", NULL, 0},
    {"LIBSVM", "svr", "n d", "build/peers/svr", NULL, NULL, 0},
    {"scikit-learn", "gauss", "n d", "%s bench/peers/gauss_peer.py", "import sklearn", NULL, 0},
    {"pandas", "csv", "n d", "%s bench/peers/csv_peer.py", "import pandas", NULL, 0},
    {"sooth measured", "threads", "workers", "build/bench", NULL, "gb", 2},
    {"XGBoost", "threads", "workers", "%s bench/peers/trees_peer.py peer=xgboost", "import xgboost", "gb", 2},
    {"LightGBM", "threads", "workers", "%s bench/peers/trees_peer.py peer=lightgbm", "import lightgbm", "gb",
     2},
    {"sooth over Ethernet", "ranks", "ranks", "build/bench latency=50 gigabits=10", NULL, NULL, 0},
};
static const size_t entrant_count = sizeof entrants / sizeof *entrants;

static int words;
static char **word;
static const char *text(const char *key, const char *otherwise) {
    const size_t size = strlen(key);
    for (int i = 1; i < words; ++i)
        if (!strncmp(word[i], key, size) && word[i][size] == '=') return word[i] + size + 1;
    return otherwise;
}
static double number(const char *key, double otherwise) {
    return text(key, NULL) ? atof(text(key, NULL)) : otherwise;
}

/* One of the words in a list with blanks between. */
static int listed(const char *list, const char *one) {
    const size_t size = strlen(one);
    for (const char *at = list; (at = strstr(at, one)) != NULL; at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == 0 || at[size] == ' ')) return 1;
    return 0;
}

/* ---- measuring ---- */

static double *of_axis(place *p, const char *axis) {
    return !strcmp(axis, "n")         ? &p->n
           : !strcmp(axis, "d")       ? &p->d
           : !strcmp(axis, "trees")   ? &p->trees
           : !strcmp(axis, "depth")   ? &p->depth
           : !strcmp(axis, "bins")    ? &p->bins
           : !strcmp(axis, "workers") ? &p->threads
           : !strcmp(axis, "ranks")   ? &p->ranks
                                      : &p->rules;
}

/* The number behind "key": in a line of JSON, or NaN. */
static double told(const char *line, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    return at ? strtod(at + strlen(quoted), NULL) : NAN;
}
/* The number before a word of the note, or 0. */
static double noted(const char *line, const char *what) {
    const char *at = strstr(line, what);
    while (at && at > line && at[-1] >= '0' && at[-1] <= '9') --at;
    return at ? atof(at) : 0.0;
}

/* The rows to learn from, made once, and what names them. */
static void data_words(const char *task, const place *p, char *out, size_t room) {
    const int csv = !strcmp(task, "csv");
    char path[200], command[512];
    struct stat known;
    snprintf(path, sizeof path, "build/bench-data/%s_%.0f_%.0f", csv ? "text" : "train", p->n, p->d);
    if (stat(path, &known) != 0 || known.st_size == 0) {
        snprintf(command, sizeof command,
                 "build/bench task=friedman out=%s n=%.0f d=%.0f seed=%.0f %s > /dev/null", path, p->n, p->d,
                 p->n, csv ? "as=csv" : "");
        if (system(command) != 0) fprintf(stderr, "%s cannot be made\n", path);
    }
    snprintf(out, room, "%s=%s", csv ? "text" : strcmp(task, "test") ? "data" : task, path);
}

typedef struct measured {
    double x, cost, bytes, floor, floor_bytes; /* cost: seconds, or instructions */
} measured;

/* Runs a command; its output, standard error too where it is counted, is in `said`. */
static int run(const char *command, char *said, size_t room) {
    FILE *pipe = popen(command, "r");
    const size_t size = pipe ? fread(said, 1, room - 1, pipe) : 0;
    said[size] = 0;
    return pipe && pclose(pipe) == 0 && size > 0;
}

/* Under callgrind: what is counted from entering one function until the other is entered or left. */
#define COUNTS "build/bench-data/instructions"
#define COUNT(from, to) \
    "valgrind --tool=callgrind --callgrind-out-file=" COUNTS " --zero-before=" from " --dump-" to

static double instructions(void) {
    char line[4096];
    double found = NAN;
    FILE *file = fopen(COUNTS ".1", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "totals: ", 8)) found = atof(line + 8);
    if (file) fclose(file);
    remove(COUNTS ".1");
    return found;
}

/* One point of an entrant: 0 where there is none. *fit gets the seconds of a fit. */
static int measure(const curve *c, const char *entrant, const char *task, double x, int counted, measured *m,
                   double *fit) {
    char data[256], test[256] = "", command[2048], said[8192];
    const char *kind[] = {"train_s", "single_ns", "batch_rows_s"};
    place p = c->at;
    *of_axis(&p, c->axis) = x;
    data_words(c->task, &p, data, sizeof data);
    if (strcmp(c->task, "csv") && c->measure == TRAINING) { /* what is predicted then is little */
        place few = p;
        few.n = 100;
        data_words("test", &few, test, sizeof test);
    }
    const char *clock = strcmp(c->axis, "workers") ? "BENCH_CLOCK=cpu" : "BENCH_CLOCK=wall";
    snprintf(command, sizeof command,
             "%s %s task=%s %s %s n=%.0f d=%.0f trees=%.0f depth=%.0f bins=%.0f threads=%.0f workers=%.0f "
             "ranks=%.0f rules=%.0f epochs=%.0f C=10 gamma=0.5 epsilon=0.5 predict=%d %s %s 2> /dev/null",
             counted ? c->measure == TRAINING ? COUNT("bench_more", "before=bench_trained")
                                              : COUNT("bench_answer_many", "after=bench_answer_many")
                     : clock,
             entrant, task ? task : c->task, data, test, p.n, p.d, p.trees, p.depth, p.bins, p.threads,
             p.threads, p.ranks, p.rules, p.epochs, c->measure != TRAINING && !counted, c->words,
             counted ? "reps=1" : "budget=0.3");
    if (!run(command, said, sizeof said)) return 0;
    *fit = told(said, "train_s");
    const double value = told(said, kind[c->measure]);
    p.nodes = noted(said, " nodes"), p.steps = noted(said, " steps"), p.vectors = noted(said, " vectors");
    m->x = x;
    m->cost = counted                   ? instructions()
              : c->measure == ONE_ROW   ? value * 1e-9
              : c->measure == MANY_ROWS ? p.n / value
                                        : value;
    m->bytes = strcmp(c->axis, "ranks") ? told(said, "held_bytes") : noted(said, " bytes");
    if (isnan(m->bytes)) m->bytes = 1024.0 * (told(said, "rss_train_kb") - told(said, "rss_load_kb"));
    m->floor = c->cycles(&p) / 4e9;
    m->floor_bytes = c->bytes ? c->bytes(&p) : NAN;
    return m->cost > 0.0;
}

/* ---- slopes ---- */

/* d log(y) / d log(x) over the upper decade, of at least two points; NaN where there are not. */
static double slope(const measured *m, size_t count, size_t offset) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = count; i-- > 0;) {
        double y;
        memcpy(&y, (const char *)&m[i] + offset, sizeof y);
        if (n >= 2 && m[i].x < 0.0999 * m[count - 1].x) break;
        if (!(y > 0.0)) continue;
        const double u = log(m[i].x), v = log(y);
        n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
    }
    return n < 2 ? NAN : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}
#define SLOPE(m, count, field) slope(m, count, offsetof(measured, field))

enum { POINTS = 32, SERIES = 8 };

typedef struct drawing {
    double x[POINTS * SERIES], y[POINTS * SERIES];
    uint32_t series[POINTS * SERIES];
    const char *names[SERIES];
    size_t count, lines;
} drawing;

static void add(drawing *d, const char *name, double x, double y) {
    if (d->lines == 0 || strcmp(d->names[d->lines - 1], name) != 0) d->names[d->lines++] = name;
    if (!(y > 0.0) || d->count == POINTS * SERIES) return;
    d->x[d->count] = x;
    d->y[d->count] = y;
    d->series[d->count++] = (uint32_t)d->lines - 1;
}

static void draw(const drawing *d, const curve *c, const char *what, const char *y_title) {
    static const char *const axis[][2] = {{"n", "rows"},      {"d", "columns"},      {"trees", "trees"},
                                          {"bins", "bins"},   {"depth", "depth"},    {"workers", "workers"},
                                          {"rules", "rules"}, {"ranks", "processes"}};
    char name[128], title[160];
    svg_points chart;
    memset(&chart, 0, sizeof chart);
    for (size_t i = 0; i < sizeof axis / sizeof *axis; ++i)
        if (!strcmp(axis[i][0], c->axis)) chart.x_title = axis[i][1];
    snprintf(name, sizeof name, "%s_%s_%s.svg", c->name, chart.x_title, what);
    for (char *at = name; *at; ++at)
        if (*at == ' ') *at = '_';
    snprintf(title, sizeof title, "%s: %s against %s", c->name, what, chart.x_title);
    chart.frame.title = title;
    chart.x = d->x;
    chart.y = d->y;
    chart.count = d->count;
    chart.series = d->series;
    chart.series_names = d->names;
    chart.series_count = d->lines;
    chart.y_title = y_title;
    chart.logarithmic = 1;
    if (d->count > 0) picture_draw(text("out", "build/curves"), name, svg_scatter, &chart);
}

/* ---- all of it ---- */

typedef struct output {
    FILE *points, *slopes;
    int counted, failed;
} output;

static void tell(output *o, const curve *c, const char *who, const char *what, const measured *m,
                 size_t count, double found, double stated, double off) {
    const int ours = !strcmp(who, "sooth") && !isnan(stated),
              wrong = ours && o->counted && !(fabs(found - stated) <= off);
    char expected[32] = "";
    if (isnan(found)) return;
    if (ours) snprintf(expected, sizeof expected, "%.2f", stated);
    o->failed += wrong;
    printf("%s%-10s %-8s %-14s %-12s slope %5.2f%s%s\n", wrong ? "FAILED  " : "", c->name, c->axis, who, what,
           found, ours ? ", stated " : "", expected);
    fprintf(o->slopes, "%s,%s,%s,%s,%.0f,%.0f,%.3f,%s\n", c->name, c->axis, who, what, m[0].x, m[count - 1].x,
            found, expected);
    fflush(stdout);
}

static void one_curve(output *o, const curve *c) {
    static drawing times, memory;
    const double patience = number("patience", 4.0);
    const char *unit = o->counted ? "instructions" : "seconds";
    measured floor[POINTS];
    size_t floors = 0;
    memset(&times, 0, sizeof times);
    memset(&memory, 0, sizeof memory);
    for (size_t e = 0; e < entrant_count; ++e) {
        char command[256], probe[300];
        measured m[POINTS];
        size_t count = 0;
        const int ours = e == 0;
        if (!listed(entrants[e].tasks, c->task) ||
            (!ours && (o->counted || !listed(entrants[e].axes, c->axis))))
            continue;
        const char *python = text("python", "/usr/bin/python3");
        snprintf(command, sizeof command, entrants[e].command, python);
        snprintf(probe, sizeof probe, "%s -c '%s' 2> /dev/null", python,
                 entrants[e].needs ? entrants[e].needs : "");
        if (entrants[e].needs && system(probe) != 0) continue;
        const double first = o->counted ? c->counted_from : c->from;
        const double last = o->counted                      ? first * c->factor * c->factor * 1.01
                            : c->most < number("most", 1e7) ? c->most
                                                            : number("most", 1e7);
        for (double x = first; x <= 1.01 * last && count < POINTS; x *= c->factor) {
            double fit = 0.0;
            const double whole = (double)(long long)(x + 0.5);
            if (entrants[e].most > 0 && whole > entrants[e].most) break;
            if (!measure(c, command, entrants[e].task, whole, o->counted, &m[count], &fit)) break;
            fprintf(o->points, "%s,%s,%s,%.0f,%.6g,%.6g\n", c->name, c->axis, entrants[e].name, whole,
                    m[count].cost, m[count].bytes);
            fflush(o->points);
            add(&times, entrants[e].name, whole, m[count].cost);
            if (c->measure == TRAINING) add(&memory, entrants[e].name, whole, m[count].bytes);
            ++count;
            if (!o->counted && fit > patience) break;
        }
        if (ours) memcpy(floor, m, sizeof floor), floors = count;
        tell(o, c, entrants[e].name, unit, m, count, SLOPE(m, count, cost), SLOPE(m, count, floor), 0.15);
        /* bytes need no counting: in tables ten times as large, if that is quick, constants matter less */
        for (size_t k = 0; o->counted && c->bytes && m[count - 1].floor < 0.018 && k < count; ++k) {
            double fit = 0.0;
            measure(c, command, entrants[e].task, 10.0 * m[k].x, 0, &m[k], &fit);
        }
        if (c->measure == TRAINING)
            tell(o, c, entrants[e].name, "bytes", m, count, SLOPE(m, count, bytes),
                 c->bytes ? SLOPE(m, count, floor_bytes) : NAN, 0.1);
    }
    const int shared = !strcmp(c->axis, "workers") || !strcmp(c->axis, "ranks");
    for (size_t i = 0; i < floors && shared; ++i)
        add(&times, "ideal", floor[i].x, floor[0].cost / floor[i].x);
    for (size_t i = 0; i < floors && !o->counted; ++i) add(&times, "floor", floor[i].x, floor[i].floor);
    for (size_t i = 0; i < floors && c->bytes; ++i) add(&memory, "stated", floor[i].x, floor[i].floor_bytes);
    draw(&times, c, unit, unit);
    draw(&memory, c, "bytes", "bytes");
}

int main(int count, char **argument) {
    char path[1024];
    output o = {NULL, NULL, 0, 0};
    words = count;
    word = argument;
    o.counted = number("counted", 0.0) > 0.0;
    const char *out = text("out", "build/curves");
    mkdir(out, 0777);
    mkdir("build/bench-data", 0777);
    snprintf(path, sizeof path, "%s/points.csv", out);
    o.points = fopen(path, "w");
    snprintf(path, sizeof path, "%s/slopes.csv", out);
    o.slopes = fopen(path, "w");
    if (!o.points || !o.slopes) {
        fprintf(stderr, "%s cannot be written\n", path);
        return 1;
    }
    fprintf(o.points, "curve,axis,who,x,%s,bytes\n", o.counted ? "instructions" : "seconds");
    fprintf(o.slopes, "curve,axis,who,cost,from,to,slope,stated\n");
    for (size_t i = 0; i < curve_count; ++i) {
        if (text("only", NULL) && strcmp(text("only", ""), curves[i].name) != 0) continue;
        if (text("axis", NULL) && strcmp(text("axis", ""), curves[i].axis) != 0) continue;
        if (o.counted && curves[i].counted_from <= 0.0) continue;
        one_curve(&o, &curves[i]);
    }
    const int whole = fclose(o.points) == 0;
    return fclose(o.slopes) != 0 || !whole || o.failed > 0;
}
