/* sample.c - sooth sample: points that fill a space evenly, or configurations to measure first.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "../table/table.h"
#include "mwc.h"
#include "sooth/halton.h"
#include "sooth/sobol.h"
#include "sooth/stats.h"

#include <math.h>

enum { MOST_DIMS = 1000, MOST_POINTS = 10000000 };

static const flag flags[] = {
    {"dims", 'd', "N", "coordinates of a point; default one for each knob of --levels, or 2", 0},
    {"points", 'n', "N", "number of points; default 16", 0},
    {"levels", 'l', "A,B,...",
     "write configurations instead of points, each once. A knob is a count (24 for 1 to 24), a "
     "range (1200:2400:100) or values (1/2/4/8)",
     1},
    {"names", 0, "A,B,...", "names of the columns; default x1, x2, ...", 1},
    {"skip", 'k', "N",
     "leave out the first N points; default 0. 1 leaves out the origin, as GSL does "
     "except for niederreiter",
     0},
    {"scramble", 's', "WORD",
     "halton: plain (default), reverse, good, random. sobol and niederreiter: plain (default), "
     "shift, matrix, owen",
     0},
    {"leap", 0, "N", "halton: take every N-th point; default 1", 0},
    {"numbers", 0, "WORD",
     "sobol: direction numbers joe_kuo (default; as SciPy) or bratley_fox (as GSL, up to 40 dims)", 0},
    {"order", 0, "WORD", "sobol and niederreiter: gray (default; as SciPy and GSL) or natural", 0},
    {"table", 0, "FILE", "sobol: direction numbers from a published table, such as new-joe-kuo-6.21201", 0},
    {"seed", 0, "N", "seed of all random numbers; default 0", 0},
    {"centred", 0, NULL, "latin: points in the middle of their slices", 0},
    {"output", 'o', "OUT", "output file; default standard output", 0},
    FORCE_FLAG,
    LAST_FLAG};

/* ---- sequences ---- */

typedef struct sampler sampler;

/* A sequence; each needs some of the flags. */
typedef struct sequence {
    const char *name;
    void (*make)(sampler *s, const arguments *args);
    const char *takes; /* flags, with blanks around each */
    uint32_t numbers;  /* a sooth_sobol_numbers */
} sequence;

struct sampler {
    sooth_env *env;
    const sequence *sequence;
    uint32_t dims;
    size_t points;
    uint64_t skip;
    sooth_halton *halton;
    sooth_sobol *sobol;
    sooth_r2 *r2;
    mwc_state mwc;
    double *latin;
    sooth_grid_point_fn *point_fn;
    const void *state;
    sooth_grid *grid;
};

static void set_word(sampler *s, const arguments *args, const char *name, sooth_option_list list,
                     void *options) {
    const char *text = arguments_text(args, name);
    if (text && sooth_option_set(s->env, list, options, name, text) != SOOTH_OK)
        die(BAD_USE, "--%s: %s", name, s->env->sentence);
}

static void need(sampler *s, sooth_status status) {
    if (status == SOOTH_BAD_TEXT) die(BAD_INPUT, "--table: %s", s->env->sentence);
    if (status != SOOTH_OK) die(BAD_USE, "%s: %s", s->sequence->name, s->env->sentence);
}

static void make_halton(sampler *s, const arguments *args) {
    sooth_halton_options options;
    memset(&options, 0, sizeof options);
    options.dims = s->dims;
    options.seed = arguments_count(args, "seed", 0, 0, UINT32_MAX);
    options.leap = arguments_count(args, "leap", 1, 1, 1u << 24);
    set_word(s, args, "scramble", sooth_halton_options_list(), &options);
    size_t size = sooth_halton_size(&options);
    need(s, sooth_halton_init(s->env, &options, allocate(size ? size : 1, 1), size, &s->halton));
    s->point_fn = sooth_halton_row;
    s->state = s->halton;
}

static void make_sobol(sampler *s, const arguments *args) {
    sooth_sobol_options options;
    memset(&options, 0, sizeof options);
    options.dims = s->dims;
    const size_t size = sooth_sobol_size(&options);
    options.numbers = s->sequence->numbers;
    options.seed = arguments_count(args, "seed", 0, 0, UINT32_MAX);
    set_word(s, args, "scramble", sooth_sobol_options_list(), &options);
    set_word(s, args, "order", sooth_sobol_options_list(), &options);
    set_word(s, args, "numbers", sooth_sobol_options_list(), &options);
    if (options.numbers == SOOTH_SOBOL_TABLE && !arguments_has(args, "table"))
        die(BAD_USE, "--numbers is table, but --table FILE is missing");
    if (arguments_has(args, "table")) {
        if (arguments_has(args, "numbers")) die(BAD_USE, "--numbers and --table exclude each other");
        options.numbers = SOOTH_SOBOL_TABLE;
        options.table = read_file(arguments_text(args, "table"), NULL, &options.table_size);
    }
    need(s, sooth_sobol_init(s->env, &options, allocate(size, 1), size, &s->sobol));
    s->point_fn = sooth_sobol_row;
    s->state = s->sobol;
}

static void make_r2(sampler *s, const arguments *args) {
    (void)args;
    const size_t size = sooth_r2_size(s->dims);
    need(s, sooth_r2_init(s->env, s->dims, allocate(size, 1), size, &s->r2));
    s->point_fn = sooth_r2_row;
    s->state = s->r2;
}

/* A hypercube has exactly as many points as requested; a grid that needs more starts over. */
static void latin_row(const void *state, uint64_t at, size_t dims, double *point) {
    const sampler *s = (const sampler *)state;
    memcpy(point, s->latin + at % (s->points + s->skip) * s->dims, dims * sizeof *point);
}

static void make_latin(sampler *s, const arguments *args) {
    const size_t rows = s->points + (size_t)s->skip;
    s->latin = (double *)allocate(rows * s->dims, sizeof *s->latin);
    need(s, sooth_lhs_fill(s->env, arguments_count(args, "seed", 0, 0, UINT32_MAX),
                           arguments_has(args, "centred"), rows, s->dims, s->latin));
    s->point_fn = latin_row;
    s->state = s;
}

static void random_row(const void *state, uint64_t at, size_t dims, double *point) {
    const sampler *s = (const sampler *)state;
    mwc_state mwc = s->mwc;
    mwc_skip(&mwc, at * s->dims);
    mwc_fill(&mwc, dims, point);
}

static void make_random(sampler *s, const arguments *args) {
    mwc_init(&s->mwc, arguments_count(args, "seed", 0, 0, UINT32_MAX));
    s->point_fn = random_row;
    s->state = s;
}

static const sequence sequences[] = {
    {"halton", make_halton, " scramble leap seed ", 0},
    {"sobol", make_sobol, " scramble order numbers seed table ", SOOTH_SOBOL_JOE_KUO},
    {"niederreiter", make_sobol, " scramble order seed ", SOOTH_SOBOL_NIEDERREITER},
    {"r2", make_r2, " ", 0},
    {"latin", make_latin, " seed centred ", 0},
    {"random", make_random, " seed ", 0}};
enum { SEQUENCES = sizeof sequences / sizeof sequences[0] };

/* Returns the sequence of this name; dies if there is none, or if a flag does not apply to it. */
static const sequence *sequence_named(const arguments *args) {
    static const char *const some[] = {"scramble", "leap", "order", "numbers", "seed", "table", "centred"};
    const char *known[SEQUENCES], *name = args->word[0];
    char padded[40];
    size_t i;
    for (i = 0; i < SEQUENCES; ++i) known[i] = sequences[i].name;
    for (i = 0; i < SEQUENCES && strcmp(known[i], name) != 0;) ++i;
    if (i == SEQUENCES)
        die(BAD_USE, "unknown sequence %s%s", printable(name),
            !strpbrk(name, "0123456789") && nearest(name, known, SEQUENCES)
                ? did_you_mean(name, known, SEQUENCES)
                : "; the sequences are halton, sobol, niederreiter, r2, latin and random");
    for (size_t k = 0; k < sizeof some / sizeof some[0]; ++k) {
        snprintf(padded, sizeof padded, " %s ", some[k]);
        if (arguments_has(args, some[k]) && !strstr(sequences[i].takes, padded))
            die(BAD_USE, "--%s does not apply to %s", some[k], name);
    }
    return &sequences[i];
}

/* ---- writing ---- */

static void write_header(FILE *to, char *const *name, uint32_t dims) {
    sooth_sink sink = sooth_file_sink(to);
    for (uint32_t j = 0; j < dims; ++j) {
        if (j) fputc(',', to);
        if (name) sooth_csv_put_text(&sink, name[j], ',');
        else fprintf(to, "x%u", (unsigned)j + 1);
    }
    fputc('\n', to);
}

static void write_number(FILE *to, uint32_t j, double v) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_from_double(text, v);
    fprintf(to, j ? ",%s" : "%s", text);
}

static void write_points(FILE *to, const sampler *s) {
    double *point = (double *)allocate(s->dims, sizeof *point);
    for (size_t i = 0; i < s->points; ++i) {
        s->point_fn(s->state, s->skip + i, s->dims, point);
        for (uint32_t j = 0; j < s->dims; ++j) write_number(to, j, point[j]);
        fputc('\n', to);
    }
}

/* Makes the grid of the knobs; dies if it has fewer configurations than requested points. */
static void make_grid(sampler *s, const levels *knob) {
    uint32_t *count = (uint32_t *)allocate(s->dims, sizeof *count);
    sooth_grid_options options;
    memset(&options, 0, sizeof options);
    for (uint32_t j = 0; j < s->dims; ++j) count[j] = knob[j].count;
    options.knobs = s->dims;
    options.levels = count;
    const size_t size = sooth_grid_size(&options);
    if (sooth_grid_init(s->env, &options, allocate(size ? size : 1, 1), size, &s->grid) != SOOTH_OK)
        die(BAD_USE, "--levels: %s", s->env->sentence);
    if (s->points > s->grid->left)
        die(BAD_USE, "--points is %zu, but there are only %s", s->points,
            counted(s->grid->left, "configuration", "configurations"));
    s->grid->next = s->skip;
}

static void write_configurations(FILE *to, sampler *s, const levels *knob) {
    uint32_t *level = (uint32_t *)allocate(s->dims, sizeof *level);
    for (size_t i = 0; i < s->points && sooth_grid_next(s->grid, s->point_fn, s->state, level); ++i) {
        for (uint32_t j = 0; j < s->dims; ++j) write_number(to, j, knob[j].value[level[j]]);
        fputc('\n', to);
    }
}

/* ---- correlated coordinates ---- */

/* The pair of coordinates with the largest |r|, Pearson's correlation. */
typedef struct pair {
    size_t a, b;
    double r, p;
} pair;

/* Returns the worst pair among the first points. */
static pair worst_pair(sampler *s, const levels *knob, size_t points) {
    const size_t dims = s->dims;
    float *x = (float *)allocate(points * dims, sizeof *x);
    double *point = (double *)allocate(dims, sizeof *point), *r, *p;
    uint32_t *level = (uint32_t *)allocate(dims, sizeof *level);
    const sooth_table table = sooth_table_of(x, NULL, points, dims);
    pair worst = {0, 0, 0.0, 1.0};
    if (knob) make_grid(s, knob);
    for (size_t i = 0; i < points; ++i) {
        if (knob) sooth_grid_next(s->grid, s->point_fn, s->state, level);
        else s->point_fn(s->state, s->skip + i, dims, point);
        for (size_t j = 0; j < dims; ++j) x[i * dims + j] = knob ? (float)level[j] : (float)point[j];
    }
    r = (double *)allocate(2 * dims * dims, sizeof *r);
    p = r + dims * dims;
    if (sooth_correlate_matrix(s->env, &table, SOOTH_CORRELATE_PEARSON, r, p) != SOOTH_OK)
        die(BAD_INPUT, "%s", s->env->sentence);
    for (size_t a = 0; a < dims; ++a)
        for (size_t b = a + 1; b < dims; ++b)
            if (fabs(r[a * dims + b]) > fabs(worst.r)) worst = (pair){a, b, r[a * dims + b], p[a * dims + b]};
    free(x);
    free(point);
    free(level);
    free(r);
    return worst;
}

static void give(arguments *to, const char *name, const char *value) {
    const flag *f = flags;
    while (value && f->name && strcmp(f->name, name) != 0) ++f;
    if (!value) return;
    to->given[to->givens] = f;
    to->value[to->givens++] = value;
}

/* Prints the largest correlation of the same points of other sequences. */
static void offer_others(const arguments *args, const sampler *s, const levels *knob, size_t points) {
    static const char *const other[][2] = {
        {"halton", "random"}, {"sobol", NULL}, {"sobol", "owen"}, {"latin", NULL}};
    const char *scramble = arguments_text(args, "scramble"), *comma = "";
    if (scramble && strcmp(scramble, "plain") == 0) scramble = NULL;
    for (size_t k = 0; k < sizeof other / sizeof other[0]; ++k) {
        const char *name = other[k][0], *how = other[k][1];
        arguments given;
        sampler of;
        if (strcmp(name, "sobol") == 0 && s->dims > SOOTH_SOBOL_DIMS) continue; /* without a table */
        if (strcmp(name, s->sequence->name) == 0 && strcmp(how ? how : "", scramble ? scramble : "") == 0)
            continue;
        memset(&given, 0, sizeof given);
        memset(&of, 0, sizeof of);
        given.word[0] = name;
        give(&given, "scramble", how);
        if (how || strcmp(name, "latin") == 0) give(&given, "seed", arguments_text(args, "seed"));
        of.env = s->env;
        of.sequence = sequence_named(&given);
        of.dims = s->dims;
        of.points = points;
        of.skip = strcmp(name, "latin") == 0 ? 0 : s->skip;
        of.sequence->make(&of, &given);
        fprintf(stderr, "%s %s%s%s %.2f", comma, name, how ? " --scramble " : "", how ? how : "",
                fabs(worst_pair(&of, knob, points).r));
        comma = ",";
    }
}

/* Warns if two coordinates correlate more than those of random points would in one of 100 draws (Bonferroni),
   and by more than 0.3. Measures at most 10^8 products and 10^5 points. */
static void warn_of_correlation(const arguments *args, sampler *s, const levels *knob, char *const *name) {
    const size_t dims = s->dims, most = 100000000u / (dims * dims);
    size_t points = s->points < 100000 ? s->points : 100000;
    if (points > most) points = most;
    if (points < 4 || dims < 2) return;
    const pair worst = worst_pair(s, knob, points);
    if (!(fabs(worst.r) > 0.3 && worst.p * (double)(dims * (dims - 1) / 2) < 0.01)) return;
    fprintf(stderr, "%swarning:%s ", colour(stderr, YELLOW), colour(stderr, NO_COLOUR));
    if (name) fprintf(stderr, "%s and %s", printable(name[worst.a]), printable(name[worst.b]));
    else fprintf(stderr, "x%zu and x%zu", worst.a + 1, worst.b + 1);
    fprintf(stderr,
            " have correlation %.2f in the %s%zu points; largest correlation of other sequences:", worst.r,
            points < s->points ? "first " : "", points);
    offer_others(args, s, knob, points);
    fputc('\n', stderr);
}

static int run(const arguments *args) {
    sampler s;
    const char *path = arguments_text(args, "output");
    size_t knobs, names;
    char **text = arguments_list(args, "levels", &knobs), **name = arguments_list(args, "names", &names);
    levels *knob = (levels *)allocate(knobs + 1, sizeof *knob);
    memset(&s, 0, sizeof s);
    s.env = env_open(args);
    s.sequence = sequence_named(args);
    for (size_t i = 0; i < knobs; ++i) knob[i] = levels_read("levels", text[i]);
    s.dims = arguments_count(args, "dims", knobs ? (uint32_t)knobs : 2, 1, MOST_DIMS);
    s.points = arguments_count(args, "points", 16, 1, MOST_POINTS);
    s.skip = arguments_count(args, "skip", 0, 0, 1u << 30);
    if (knobs && knobs != s.dims)
        die(BAD_USE, "--levels has %s, but --dims is %u", counted(knobs, "knob", "knobs"), (unsigned)s.dims);
    if (names && names != s.dims)
        die(BAD_USE, "--names has %s, but a point has %s", counted(names, "name", "names"),
            counted(s.dims, "coordinate", "coordinates"));
    s.sequence->make(&s, args);
    if (knobs) make_grid(&s, knob);
    FILE *to = path ? output_open(path, arguments_has(args, "force"), NULL, 0) : stdout;
    write_header(to, name, s.dims);
    if (knobs) write_configurations(to, &s, knob);
    else write_points(to, &s);
    if (path) output_close();
    const int code = finish();
    if (code == DONE) warn_of_correlation(args, &s, knobs ? knob : NULL, name);
    return code;
}

const command sample_command = {
    .name = "sample",
    .summary = "write points that fill a space evenly: what to measure first",
    .usage = "SEQUENCE [--dims N] [--points N] [--levels A,B,...] [options]",
    .least = 1,
    .most = 1,
    .text = "Writes points of the unit cube [0, 1) x ... x [0, 1) as CSV. Sequences: halton, sobol, "
            "niederreiter, r2 (Roberts' sequence), latin (a hypercube), and random (multiply with "
            "carry, for comparison).\n\n"
            "Few points in many dimensions may have coordinates that rise and fall together. Plain halton "
            "does from about 8 dimensions on. A warning then names the worst pair, its correlation in these "
            "points, and that of other sequences.\n\n"
            "With --levels the points are configurations of knobs, each once: which few of thousands to "
            "measure before `sooth scale` predicts the others.",
    .example = "sooth sample halton --dims 2 --points 16\n"
               "  sooth sample halton --points 4 --skip 1 --levels 24,1200:2400:100 --names threads,MHz",
    .flags = flags,
    .run = run};
