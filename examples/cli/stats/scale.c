/* scale.c - sooth scale: cost of every number of threads and frequency, or of other knobs, from a few runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "../table/table.h"
#include "../app/page.h"
#include "sooth/configure.h"
#include "sooth/base.h"
#include "sooth/scaling.h"

#include <math.h>

static const flag flags[] = {
    {"threads", 't', "COLUMN", "number of threads", 0},
    {"frequency", 'f', "COLUMN", "frequency, in any unit; default a single frequency", 0},
    {"axes", 0, "COLUMN:KIND,...",
     "instead of --threads and --frequency: up to 8 knobs, each a count, frequency or size, such as "
     "nodes:count,core:frequency,mem:frequency. List counts before the frequency of their units. "
     "core:frequency:1.5 sets how voltage rises; default 0.2",
     0},
    {"time", 0, "COLUMN", "time of the run", 0},
    {"power", 'p', "COLUMN",
     "mean power of the run. Without it the number of threads replaces power: --min-power-for chooses the "
     "fewest "
     "threads, --min-energy the least threads x time",
     0},
    {"min-power-for", 0, "TIME",
     "choose the least power within this time, such as 20 or 20s, in the unit of the column", 0},
    {"min-time-for", 0, "POWER", "choose the least time within this power, such as 60 or 60W", 0},
    {"min-energy", 0, NULL,
     "choose the least time x power; with --min-power-for or --min-time-for, within that bound", 0},
    {"confidence", 'c', "P",
     "probability of keeping a bound; default 0.84 (a margin of one standard deviation)", 0},
    {"cores", 0, "N", "cores per socket; default one socket holds all threads", 0},
    {"thread-levels", 0, "A",
     "thread counts to choose from: 24 for 1 to 24, 2:24:2 or 1/2/4/8; default 1 to the largest "
     "in the file",
     0},
    {"frequency-levels", 0, "A",
     "frequencies to choose from, such as 1200:2400:100; default those in the file", 0},
    {"group", 'g', "COLUMN", "column that names the program of a run", 0},
    {"program", 0, "NAME",
     "program to choose for; the laws start from what the runs of the others have in common", 0},
    JSON_FLAG,
    {"output", 'o', "OUT.csv", "also write the prediction for every configuration", 0},
    PAGE_FLAG,
    FORCE_FLAG,
    LAST_FLAG};

typedef struct job {
    const arguments *args;
    sooth_env *env;
    const char *path;
    sooth_csv csv;
    size_t threads, frequency, time, power, group; /* columns; csv.cols: none. power may be threads */
    levels thread_levels, frequency_levels;
    sooth_space space; /* of --axes, with these columns */
    size_t axis[SOOTH_SPACE_MAX_KNOBS];
    float *rows; /* the configurations {t, f}, or one number for each axis */
    size_t count, knobs;
    sooth_configure *machine;
    sooth_configure_run *run; /* of the program; then those of the others */
    size_t runs, others;
    const char *program;
    sooth_scaling_prior prior[2];
    sooth_configure_goal goal;
    double confidence;
    const char *sure; /* the text of the flag */
    sooth_configure_choice choice;
    sooth_configure_experiment next;
    int has_next, chooses;
} job;

/* Without --power the number of threads is the cost of a run. */
static int counts_threads(const job *b) { return b->power == b->threads; }
static const char *cost_word(const job *b) { return counts_threads(b) ? "threads" : "power"; }

/* ---- columns and levels ---- */

static float cell(const job *b, size_t row, size_t column) { return b->csv.cell[row * b->csv.cols + column]; }

static void sort_levels(levels *l) {
    uint32_t n = 0;
    qsort(l->value, l->count, sizeof *l->value, ascending);
    for (uint32_t i = 0; i < l->count; ++i)
        if (i == 0 || l->value[i] > l->value[n - 1]) l->value[n++] = l->value[i];
    l->count = n;
}

/* Collects the distinct values of a column. */
static levels levels_seen(const job *b, size_t column) {
    levels l;
    l.count = 0;
    l.value = (double *)allocate(b->csv.rows, sizeof *l.value);
    for (size_t i = 0; i < b->csv.rows; ++i)
        if (cell(b, i, column) == cell(b, i, column)) l.value[l.count++] = (double)cell(b, i, column);
    sort_levels(&l);
    return l;
}

/* Dies for numbers that are not valid levels. */
static void check_levels(const job *b, const char *what, const levels *l, double least) {
    for (uint32_t i = 0; i < l->count; ++i)
        if (!(l->value[i] >= least) || l->value[i] > 1e6)
            die(BAD_INPUT, "%s: %s is %s, but must be %s and at most 1000000", b->path, what,
                human(l->value[i], 6), least >= 1.0 ? "1 or more" : "above 0");
}

static void read_levels(job *b) {
    const char *threads = arguments_text(b->args, "thread-levels"),
               *frequencies = arguments_text(b->args, "frequency-levels");
    if (threads) {
        b->thread_levels = levels_read("thread-levels", threads);
        sort_levels(&b->thread_levels);
    } else {
        char most[32];
        b->thread_levels = levels_seen(b, b->threads);
        check_levels(b, "the number of threads", &b->thread_levels, 1.0);
        if (b->thread_levels.count) {
            snprintf(most, sizeof most, "%.0f", floor(b->thread_levels.value[b->thread_levels.count - 1]));
            b->thread_levels = levels_read("thread-levels", most);
        }
    }
    if (frequencies) {
        if (b->frequency == SOOTH_NONE)
            die(BAD_USE, "--frequency-levels needs --frequency, the column with the frequency of each run");
        b->frequency_levels = levels_read("frequency-levels", frequencies);
        sort_levels(&b->frequency_levels);
    } else if (b->frequency < b->csv.cols) {
        b->frequency_levels = levels_seen(b, b->frequency);
    } else {
        b->frequency_levels = levels_read("frequency-levels", "1");
    }
    check_levels(b, "the number of threads", &b->thread_levels, 1.0);
    check_levels(b, "the frequency", &b->frequency_levels, 1e-9);
    if (!b->thread_levels.count || !b->frequency_levels.count)
        die(BAD_INPUT, "%s: no row has threads%s", b->path,
            b->frequency < b->csv.cols ? " and frequency" : "");
    if (b->frequency_levels.count > SOOTH_SCALING_MAX_LEVELS)
        die(BAD_INPUT,
            "%s: there are %u frequencies, but the maximum is %u; choose some with --frequency-levels",
            b->path, (unsigned)b->frequency_levels.count, SOOTH_SCALING_MAX_LEVELS);
    b->count = (size_t)b->thread_levels.count * b->frequency_levels.count;
    if (b->count > 1000000)
        die(BAD_USE, "%zu configurations are more than a million; choose some with --thread-levels",
            b->count);
    b->rows = (float *)allocate(b->count, 2 * sizeof *b->rows);
    for (size_t i = 0; i < b->thread_levels.count; ++i)
        for (size_t j = 0; j < b->frequency_levels.count; ++j) {
            float *row = b->rows + 2 * (i * b->frequency_levels.count + j);
            row[0] = (float)b->thread_levels.value[i];
            row[1] = (float)b->frequency_levels.value[j];
        }
}

/* Reads "nodes:count,core:frequency:1.5": the axes, with their levels in the file. */
static void read_axes(job *b, const char *text) {
    static const char *const kind[3] = {"count", "frequency", "size"};
    static const char *const useless[] = {"threads", "frequency", "cores", "thread-levels",
                                          "frequency-levels"};
    for (size_t i = 0; i < sizeof useless / sizeof useless[0]; ++i)
        if (arguments_has(b->args, useless[i])) die(BAD_USE, "--%s does not apply with --axes", useless[i]);
    if (!*text) die(BAD_USE, "--axes is empty");
    while (*text) {
        char name[256], word[16] = "", end = 0;
        double rise = 0.0;
        const size_t length = strcspn(text, ",");
        sooth_axis *axis = &b->space.axis[b->space.knobs];
        if (b->space.knobs == SOOTH_SPACE_MAX_KNOBS) die(BAD_USE, "--axes has more than 8 axes");
        const size_t colon = strcspn(text, ":");
        if (colon >= length || colon >= sizeof name || sscanf(text + colon, ":%15[a-z]%c", word, &end) < 1)
            die(BAD_USE, "--axes needs a kind for each column, such as core:frequency, but has %s",
                printable(text));
        snprintf(name, sizeof name, "%.*s", (int)colon, text);
        for (axis->kind = 0; axis->kind < 3 && strcmp(word, kind[axis->kind]) != 0;) ++axis->kind;
        const char *from = text + colon + 1 + strlen(word);
        if (axis->kind == 3)
            die(BAD_USE, "the kind %s is not one of count, frequency and size", printable(word));
        size_t digits = 1;
        if (end == ':') {
            digits = sooth_text_to_double(from + 1, strcspn(from + 1, ","), &rise);
            from += 1 + digits;
        }
        if (digits == 0 || from != text + length || !(rise >= 0.0 && rise <= 8.0))
            die(BAD_USE, "--axes: only the voltage exponent, 0 to 8, can follow %s:%s", printable(name),
                word);
        axis->rise = (float)rise;
        const size_t j = column_named(b->path, &b->csv, "axes", name, 1);
        for (uint32_t k = 0; k < b->space.knobs; ++k)
            if (b->axis[k] == j) die(BAD_USE, "--axes has the column %s twice", printable(name));
        b->axis[b->space.knobs++] = j;
        const levels seen = levels_seen(b, j);
        float *value = (float *)allocate(seen.count, sizeof *value);
        for (uint32_t i = 0; i < seen.count; ++i) value[i] = (float)seen.value[i];
        if (seen.count < 2)
            die(BAD_INPUT, "%s: all rows have the same %s, so it is not an axis", b->path, printable(name));
        axis->levels = seen.count;
        axis->value = value;
        text += length + (text[length] == ',');
    }
    if (sooth_space_check(b->env, &b->space) != SOOTH_OK) die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    b->knobs = b->space.knobs;
    b->count = sooth_space_rows(&b->space, NULL, 0);
    if (b->count > 1000000) die(BAD_INPUT, "%zu configurations are more than a million", b->count);
    b->rows = (float *)allocate(b->count, b->knobs * sizeof *b->rows);
    sooth_space_rows(&b->space, b->rows, b->count);
}

/* ---- runs ---- */

/* Returns the index of the configuration of a row of the file; dies if it is not among the choices. */
static uint32_t configuration_of(const job *b, size_t row) {
    uint32_t which = 0;
    for (uint32_t k = 0; k < b->space.knobs; ++k) {
        uint32_t i = 0;
        while (b->space.axis[k].value[i] < cell(b, row, b->axis[k])) ++i;
        which = which * b->space.axis[k].levels + i;
    }
    if (b->space.knobs) return which;
    const float t = cell(b, row, b->threads),
                f = b->frequency < b->csv.cols ? cell(b, row, b->frequency) : 1.0f;
    for (size_t i = 0; i < b->count; ++i)
        if (fabsf(b->rows[2 * i] - t) <= 1e-4f * t && fabsf(b->rows[2 * i + 1] - f) <= 1e-4f * f)
            return (uint32_t)i;
    die(BAD_INPUT,
        "%s: line %u has %s threads%s%s, which are not among the levels; see --thread-levels and "
        "--frequency-levels",
        b->path, (unsigned)b->csv.line[row], shortest(t), b->frequency < b->csv.cols ? " at frequency " : "",
        b->frequency < b->csv.cols ? shortest(f) : "");
}

/* Returns true if a row lacks a knob, time or power, so it is not measured yet. */
static int incomplete(const job *b, size_t row) {
    size_t column[SOOTH_SPACE_MAX_KNOBS + 4], n = 0;
    column[n++] = b->time;
    column[n++] = b->power;
    column[n++] = b->threads;
    column[n++] = b->frequency;
    for (uint32_t k = 0; k < b->space.knobs; ++k) column[n++] = b->axis[k];
    for (size_t i = 0; i < n; ++i)
        if (column[i] < b->csv.cols && isnan(cell(b, row, column[i]))) return 1;
    return 0;
}

/* Returns the program of each row: the index of its first row; UINT32_MAX if it has none. */
static uint32_t *programs_of(const job *b) {
    float *name = names_in(&b->csv, b->group);
    uint32_t *of = (uint32_t *)allocate(b->csv.rows, sizeof *of);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        uint32_t k = 0;
        while (k < i && (of[k] != k || name[k] != name[i])) ++k;
        of[i] = isnan(name[i]) ? UINT32_MAX : k;
    }
    free(name);
    return of;
}

static void read_runs(job *b) {
    const char *program = arguments_text(b->args, "program");
    char number[SOOTH_TEXT_NUMBER_SIZE];
    uint32_t *of = NULL;
    uint32_t wanted = UINT32_MAX;
    if (program) {
        if (b->group == SOOTH_NONE) die(BAD_USE, "--program needs --group, the column that names programs");
        const sooth_csv_column *c = &b->csv.column[b->group];
        of = programs_of(b);
        for (size_t i = 0; i < b->csv.rows && wanted == UINT32_MAX; ++i) {
            const char *name = text_of_cell(&b->csv, i, b->group, number);
            if (name && strcmp(name, program) == 0) wanted = of[i];
        }
        if (wanted == UINT32_MAX)
            die(BAD_INPUT, "%s has no run of %s%s", b->path, printable(program),
                did_you_mean(program, c->text, c->texts));
    } else if (b->group < b->csv.cols) {
        die(BAD_USE, "--group needs --program, the one to choose for");
    }
    b->program = program;
    b->run = (sooth_configure_run *)allocate(b->csv.rows, sizeof *b->run);
    for (size_t pass = 0; pass < (b->space.knobs ? 1u : 2u);
         ++pass) /* (laws over axes do not use other programs) */
        for (size_t i = 0; i < b->csv.rows; ++i) {
            sooth_configure_run *run = &b->run[b->runs + b->others];
            const float time = cell(b, i, b->time), power = cell(b, i, b->power);
            if (program && of[i] == UINT32_MAX) continue;
            if ((program && of[i] != wanted) != (pass == 1)) continue;
            if (incomplete(b, i)) continue;
            if (!(time > 0.0f) || !(power > 0.0f) || isinf(time) || isinf(power))
                die(BAD_INPUT, "%s: line %u has %s %s and %s %s, but both must be above 0 and finite",
                    b->path, (unsigned)b->csv.line[i], b->csv.column[b->time].name, shortest(time),
                    b->csv.column[b->power].name, shortest(power));
            run->which = configuration_of(b, i);
            run->program = program ? of[i] : 0;
            run->time = time;
            run->power = power;
            if (pass) ++b->others;
            else ++b->runs;
        }
    if (!b->runs && !b->others && !b->space.knobs)
        die(BAD_INPUT, "%s has no row with threads, time and power", b->path);
    if (b->runs > 64)
        die(BAD_INPUT, "%s has %zu runs%s%s, but a fit takes at most 64; for more runs, use `sooth fit`",
            b->path, b->runs, program ? " of " : "", program ? printable(program) : "");
}

/* ---- goals ---- */

/* Reads "20s": a number, in the unit of the column. */
static double bound_of(const job *b, const char *flag_name, size_t column) {
    const char *text = arguments_text(b->args, flag_name), *unit = b->csv.column[column].unit, *own;
    double v = 0.0;
    if (!text) return 0.0;
    size_t n = sooth_text_to_double(text, strlen(text), &v);
    if (!n || !(v > 0.0) || v > 1e300)
        die(BAD_USE, "--%s is %s, but must be a number above 0, such as 20 or 20s", flag_name,
            printable(text));
    for (own = text + n; *own == ' ';) ++own;
    if (*own && *unit && strcmp(own, unit) != 0)
        die(BAD_USE, "--%s is in %s, but %s has %s in %s", flag_name, printable(own), b->path,
            b->csv.column[column].name, printable(unit));
    return v;
}

static void read_goal(job *b) {
    const char *confidence = arguments_text(b->args, "confidence");
    int energy = arguments_has(b->args, "min-energy");
    b->goal.most_time = bound_of(b, "min-power-for", b->time);
    b->goal.most_power = bound_of(b, "min-time-for", b->power);
    int both = b->goal.most_time > 0.0 && b->goal.most_power > 0.0;
    if (both && !energy)
        die(BAD_USE, "--min-power-for and --min-time-for exclude each other; give one of them");
    b->chooses = b->goal.most_time > 0.0 || b->goal.most_power > 0.0 || energy;
    b->goal.minimum = energy                     ? SOOTH_CONFIGURE_ENERGY
                      : b->goal.most_power > 0.0 ? SOOTH_CONFIGURE_TIME
                                                 : SOOTH_CONFIGURE_POWER;
    b->confidence = 0.84134474606854293;
    b->sure = confidence ? confidence : "0.84";
    if (confidence) {
        size_t n = sooth_text_to_double(confidence, strlen(confidence), &b->confidence);
        if (n != strlen(confidence) || !(b->confidence >= 0.5 && b->confidence <= 0.999999))
            die(BAD_USE, "--confidence is %s, but must be between 0.5 (no margin) and 0.999999",
                printable(confidence));
    }
    b->goal.risk = 1.0 - b->confidence;
}

static void read_arguments(job *b, const arguments *args) {
    static sooth_env env;
    static const char *const needed[3] = {"threads", "time", "power"};
    const int measures = arguments_has(args, "power");
    const char *axes = arguments_text(args, "axes");
    memset(b, 0, sizeof *b);
    b->args = args;
    sooth_env_init(&env); /* not env_open, since --threads has another meaning here */
    b->env = &env;
    b->path = args->word[0];
    for (size_t i = axes ? 1 : 0; i < (axes || measures ? 3 : 2); ++i)
        if (!arguments_text(args, needed[i]))
            die(BAD_USE, "--%s COLUMN is missing; usage: sooth scale %s", needed[i], args->command->usage);
    const sooth_csv_options options = names_given(args, "group", "");
    csv_open(b->env, b->path, &options, &b->csv);
    b->threads = column_of(args, b->path, &b->csv, "threads", NULL, 1);
    b->frequency = column_of(args, b->path, &b->csv, "frequency", NULL, 1);
    b->time = column_of(args, b->path, &b->csv, "time", NULL, 1);
    b->power = measures ? column_of(args, b->path, &b->csv, "power", NULL, 1) : b->threads;
    b->group = column_of(args, b->path, &b->csv, "group", NULL, 0);
    b->knobs = 2;
    read_goal(b);
    if (axes) read_axes(b, axes);
    else read_levels(b);
    read_runs(b);
}

/* ---- predicting and choosing ---- */

/* Returns "13 threads at 1600", or "mem 810 MHz, core 595 MHz". */
static const char *named(const job *b, uint32_t which) {
    static char ring[4][512];
    static unsigned turn;
    char *text = ring[turn++ % 4];
    const float *row = b->rows + b->knobs * which;
    const char *unit = b->frequency < b->csv.cols ? b->csv.column[b->frequency].unit : "";
    int n = 0;
    for (uint32_t k = 0; k < b->space.knobs; ++k) {
        const sooth_csv_column *c = &b->csv.column[b->axis[k]];
        n += snprintf(text + n, 512 - (size_t)n, "%s%.30s %s%s", k ? ", " : "", printable(c->name),
                      shortest(row[k]), *c->unit ? " " : "");
        n += snprintf(text + n, 512 - (size_t)n, "%.8s", printable(c->unit));
    }
    if (n) return text;
    n = snprintf(text, 512, "%s %s", shortest(row[0]), row[0] > 1.0f ? "threads" : "thread");
    if (b->frequency < b->csv.cols)
        snprintf(text + n, 512 - (size_t)n, " at %s%s%.20s", shortest(row[1]), *unit ? " " : "",
                 printable(unit));
    return text;
}

/* Dies with the reason why nothing can be predicted yet, and the runs that would help. */
static void too_early(job *b, const char *why) {
    char text[512];
    sooth_configure_run *run = (sooth_configure_run *)allocate(64, sizeof *run);
    sooth_configure_loop loop;
    snprintf(text, sizeof text, "%s", why);
    memset(&loop, 0, sizeof loop);
    memcpy(run, b->run, b->runs * sizeof *run);
    loop.configure = b->machine;
    loop.run = run;
    loop.capacity = 64;
    loop.first = 63;
    loop.runs = (uint32_t)b->runs;
    if (b->runs < 62 && sooth_configure_step(b->env, &loop, 0, 0) == SOOTH_OK)
        die(BAD_INPUT, "%s: %s; run %s", b->path, text, named(b, loop.which));
    die(BAD_INPUT, "%s: %s", b->path, text);
}

static void machine_of(job *b, sooth_scaling_machine *machine) {
    const double most = b->thread_levels.value[b->thread_levels.count - 1];
    machine->cores = arguments_count(b->args, "cores", (uint32_t)ceil(most), 1, 1u << 20);
    machine->sockets = (uint32_t)ceil(most / machine->cores);
    machine->levels = b->frequency_levels.count;
    for (uint32_t j = 0; j < b->frequency_levels.count; ++j)
        machine->frequency[j] = (float)b->frequency_levels.value[j];
}

static void predict(job *b) {
    sooth_configure_options options;
    const size_t size = sooth_configure_size(b->count, b->knobs);
    sooth_status status;
    memset(&options, 0, sizeof options);
    if (b->space.knobs) options.space = &b->space;
    else machine_of(b, &options.machine);
    status = sooth_configure_init(b->env, &options, b->rows, b->count, b->knobs, allocate(size, 1), size,
                                  &b->machine);
    if (status == SOOTH_OK && b->others) {
        status = sooth_configure_fit_priors(b->env, b->machine, b->run + b->runs, b->others, NULL,
                                            &b->prior[0], &b->prior[1]);
        b->machine->options.time_prior = &b->prior[0];
        b->machine->options.power_prior = &b->prior[1];
    }
    if (status == SOOTH_OK) status = sooth_configure_fit(b->env, b->machine, b->run, b->runs);
    if (status != SOOTH_OK && b->space.knobs) too_early(b, b->env->sentence);
    if (status != SOOTH_OK) die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    b->has_next = sooth_configure_next(b->env, b->machine, SOOTH_CONFIGURE_I, &b->next) == SOOTH_OK;
}

/* Returns "18.3 s (17.1 to 19.6)"; each end is exceeded with probability 1 - confidence. */
static const char *valued(const job *b, double value, double error, size_t column) {
    static char ring[4][160];
    static unsigned turn;
    char *text = ring[turn++ % 4];
    const char *unit = b->csv.column[column].unit;
    const double z = sooth_normal_quantile(b->confidence);
    int n = snprintf(text, 160, "%s%s%.20s", human(value, 4), *unit ? " " : "", printable(unit));
    if (error > 0.0)
        snprintf(text + n, 160 - (size_t)n, " (%s to %s)",
                 human_like(value * (double)sooth_exp((float)(-z * error)), value, 4),
                 human_like(value * (double)sooth_exp((float)(z * error)), value, 4));
    else snprintf(text + n, 160 - (size_t)n, " (measured)");
    return text;
}

static const char *of_choice(const job *b, int power, uint32_t which) {
    const sooth_configure *c = b->machine;
    return power ? valued(b, (double)c->power[which], (double)c->power_error[which], b->power)
                 : valued(b, (double)c->time[which], (double)c->time_error[which], b->time);
}

static const char *bound_text(const job *b, size_t column, double bound) {
    static char ring[2][100];
    char *text = ring[column == b->power];
    const char *unit = b->csv.column[column].unit;
    snprintf(text, 100, "%.40s <= %s%s%.20s", printable(b->csv.column[column].name), shortest((float)bound),
             *unit ? " " : "", printable(unit));
    return text;
}

/* Dies if no configuration keeps the bounds. */
static void choose(job *b) {
    const sooth_status status = sooth_configure_choose(b->env, b->machine, &b->goal, &b->choice);
    const uint32_t which = b->choice.which;
    if (status == SOOTH_OK) return;
    if (!(b->choice.time > 0.0)) die_of(status, b->env);
    if (b->choice.violation > 0.0)
        die(BAD_INPUT, "no configuration keeps %s%s%s; the closest, %s, takes %s%s%s, %s %% above the bound",
            b->goal.most_time > 0.0 ? bound_text(b, b->time, b->goal.most_time) : "",
            b->goal.most_time > 0.0 && b->goal.most_power > 0.0 ? " and " : "",
            b->goal.most_power > 0.0 ? bound_text(b, b->power, b->goal.most_power) : "", named(b, which),
            of_choice(b, 0, which), counts_threads(b) ? "" : " and draws ",
            counts_threads(b) ? "" : of_choice(b, 1, which), human(100.0 * b->choice.violation, 3));
    die(BAD_INPUT,
        "no configuration keeps %s with a confidence of %s; the closest, %s, breaks it with probability %s",
        b->goal.most_time > 0.0 ? bound_text(b, b->time, b->goal.most_time)
                                : bound_text(b, b->power, b->goal.most_power),
        b->sure, named(b, which), human(b->choice.risk, 2));
}

/* ---- writing ---- */

/* Writes a cell and a separator, in the form of the input file. */
static void put_number(sooth_sink *sink, const job *b, float value) {
    sooth_csv_put_number(sink, value, b->csv.decimal);
    sooth_text_write(sink, &b->csv.separator, 1);
}

/* Writes the name of a column. */
static void put_name(sooth_sink *sink, const job *b, size_t column, const char *next) {
    sooth_csv_put_text(sink, b->csv.column[column].header, b->csv.separator);
    sooth_text_write(sink, &b->csv.separator, 1);
    if (next) sooth_text_put(sink, "%s%c", next, b->csv.separator);
}

static void write_grid(job *b) {
    const char *path = arguments_text(b->args, "output"), *inputs[1];
    const sooth_configure *c = b->machine;
    const int frequency = b->frequency < b->csv.cols;
    if (!path) return;
    inputs[0] = b->path;
    FILE *to = output_open(path, arguments_has(b->args, "force"), inputs, 1);
    sooth_sink sink = sooth_file_sink(to);
    for (uint32_t k = 0; k < b->space.knobs; ++k) put_name(&sink, b, b->axis[k], NULL);
    if (!b->space.knobs) put_name(&sink, b, b->threads, NULL);
    if (frequency) put_name(&sink, b, b->frequency, NULL);
    put_name(&sink, b, b->time, "time_error");
    if (!counts_threads(b)) put_name(&sink, b, b->power, "power_error");
    fputs("measured\n", to);
    for (size_t i = 0; i < b->count; ++i) {
        for (uint32_t k = 0; k < (b->space.knobs ? b->space.knobs : frequency ? 2u : 1u); ++k)
            put_number(&sink, b, b->rows[b->knobs * i + k]);
        put_number(&sink, b, c->time[i]);
        put_number(&sink, b, c->time_error[i]);
        if (!counts_threads(b)) {
            put_number(&sink, b, c->power[i]);
            put_number(&sink, b, c->power_error[i]);
        }
        fprintf(to, "%d\n", c->measured[i]);
    }
    output_close();
}

/* Returns the energy of a configuration: "1.93 J" if the columns have units, else "1930 (time x power)". */
static const char *energy_of(const job *b, uint32_t which) {
    static char text[80];
    const char *time = b->csv.column[b->time].unit, *power = b->csv.column[b->power].unit;
    const double energy = (double)b->machine->time[which] * (double)b->machine->power[which];
    const int watts = power && strcmp(power, "W") == 0, seconds = time && strcmp(time, "s") == 0;
    if (watts && time && (seconds || strcmp(time, "ms") == 0))
        snprintf(text, sizeof text, "%s J", human(seconds ? energy : 1e-3 * energy, 4));
    else snprintf(text, sizeof text, "%s (time x %s)", human(energy, 4), cost_word(b));
    return text;
}

/* Returns "time 1.8 %, power 0.6 %". */
static const char *errors_text(const job *b, double time, double power) {
    static char text[80];
    const int n = snprintf(text, sizeof text, "time %s %%", human(100.0 * time, 2));
    if (!counts_threads(b))
        snprintf(text + n, sizeof text - (size_t)n, ", power %s %%", human(100.0 * power, 2));
    return text;
}

static const char *goal_text(const job *b) {
    static const char *const least[2][3] = {{"Least power", "Least time", "Least energy"},
                                            {"Fewest threads", "Least time", "Least time x threads"}};
    static char text[400];
    const int time = b->goal.most_time > 0.0, power = b->goal.most_power > 0.0;
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", least[counts_threads(b)][b->goal.minimum],
             time || power ? counts_threads(b) ? " that keep " : " that keeps " : "",
             time ? bound_text(b, b->time, b->goal.most_time) : "", time && power ? " and " : "",
             power ? bound_text(b, b->power, b->goal.most_power) : "",
             time || power ? ", with a confidence of " : "", time || power ? b->sure : "");
    return text;
}

static void print(const job *b) {
    const sooth_configure *c = b->machine;
    const uint32_t which = b->choice.which;
    printf("%s: %s%s%s", printable(b->path), counted(b->runs, "run", "runs"), b->program ? " of " : "",
           b->program ? printable(b->program) : "");
    printf(", %zu configurations (", b->count);
    for (uint32_t k = 0; k < b->space.knobs; ++k)
        printf("%s%u", k ? " x " : "", (unsigned)b->space.axis[k].levels);
    if (!b->space.knobs)
        printf("%s x %s", counted(b->thread_levels.count, "thread count", "thread counts"),
               counted(b->frequency_levels.count, "frequency", "frequencies"));
    printf(")\n");
    if (b->others)
        printf("  fitted to %s of %s\n", counted(b->others, "run", "runs"),
               counted(b->prior[0].programs, "other program", "other programs"));
    if (b->has_next)
        printf("  errors expected, root mean square: %s\n",
               errors_text(b, b->next.time_error, b->next.power_error));
    if (b->chooses) {
        printf("\n%s\n", goal_text(b));
        printf("  run     %s%s\n", named(b, which), c->measured[which] ? ", which was measured" : "");
        printf("  time    %s\n", of_choice(b, 0, which));
        if (!counts_threads(b)) printf("  power   %s\n", of_choice(b, 1, which));
        printf("  %s  %s\n", counts_threads(b) ? "cost  " : "energy", energy_of(b, which));
        if (!c->measured[which] && (b->goal.most_time > 0.0 || b->goal.most_power > 0.0))
            printf("  risk    the bound is broken with probability %s\n", human(b->choice.risk, 2));
    }
    printf("\nMeasure next\n");
    if (b->chooses && !c->measured[which])
        printf("  %s, to see whether the choice is right\n", named(b, which));
    else if (b->chooses) printf("  nothing: the choice was measured, and no prediction is better\n");
    if (b->has_next && b->next.enough && !b->chooses)
        printf("  nothing: predictions are as certain as runs\n");
    else if (b->has_next && !b->next.enough && b->space.knobs)
        printf("  %s, to improve all predictions\n", named(b, b->next.which));
    else if (b->has_next && !b->next.enough)
        printf("  %s, to improve all predictions: to %s\n", named(b, b->next.which),
               errors_text(b, b->next.time_after, b->next.power_after));
}

static void json_configuration(const job *b, json *j, const char *key, uint32_t which) {
    const sooth_configure *c = b->machine;
    json_open(j, key, '{');
    const float *row = b->rows + b->knobs * which;
    for (uint32_t k = 0; k < b->space.knobs; ++k)
        json_number(j, b->csv.column[b->axis[k]].name, (double)row[k]);
    if (!b->space.knobs) json_number(j, "threads", (double)row[0]);
    if (b->frequency < b->csv.cols) json_number(j, "frequency", (double)row[1]);
    json_number(j, "time", (double)c->time[which]);
    json_number(j, "time_error", (double)c->time_error[which]);
    if (!counts_threads(b)) {
        json_number(j, "power", (double)c->power[which]);
        json_number(j, "power_error", (double)c->power_error[which]);
    }
    json_number(j, counts_threads(b) ? "cost" : "energy", (double)c->time[which] * (double)c->power[which]);
    json_count(j, "measured", c->measured[which]);
    json_close(j, '}');
}

static void print_json(const job *b) {
    json j;
    json_begin(&j, stdout);
    json_count(&j, "runs", b->runs);
    json_count(&j, "configurations", b->count);
    json_number(&j, "confidence", b->confidence);
    if (b->chooses) {
        json_configuration(b, &j, "choice", b->choice.which);
        json_number(&j, "risk", b->choice.risk);
    }
    if (b->has_next) {
        json_configuration(b, &j, "next", b->next.which);
        json_number(&j, "time_error", b->next.time_error);
        json_number(&j, "time_error_after", b->next.time_after);
        if (!counts_threads(b)) {
            json_number(&j, "power_error", b->next.power_error);
            json_number(&j, "power_error_after", b->next.power_after);
        }
        json_count(&j, "enough", (size_t)b->next.enough);
    }
    json_end(&j);
}

/* ---- the page ---- */

enum { MOST_LAWS = 6, MOST_LEVELS = 50, LEAST_RUNS = 5 };

/* Returns the number of levels of a knob; the last knob changes fastest. */
static size_t levels_of(const job *b, size_t knob) {
    if (b->space.knobs) return b->space.axis[knob].levels;
    return knob ? b->frequency_levels.count : b->thread_levels.count;
}

static size_t column_of_knob(const job *b, size_t knob) {
    return b->space.knobs ? b->axis[knob] : knob ? b->frequency : b->threads;
}

/* Returns the number of knobs in the file. */
static size_t knobs_of(const job *b) {
    return b->space.knobs ? b->space.knobs : b->frequency < b->csv.cols ? 2 : 1;
}

/* A drawing along one knob, with a line for some settings of the others. */
typedef struct laws {
    size_t along, levels, stride; /* the knob, its levels, and the settings of the knobs after it */
    size_t settings;              /* of the other knobs together */
    size_t line[MOST_LAWS], lines;
} laws;

static size_t which_of(const laws *l, size_t level, size_t setting) {
    return (setting / l->stride * l->levels + level) * l->stride + setting % l->stride;
}

/* Chooses the knob with the most levels. Of many settings it takes measured ones, at even distances. */
static laws laws_of(const job *b) {
    laws l = {0, 0, 1, 0, {0}, 0};
    const size_t knobs = knobs_of(b);
    size_t n = 0;
    for (size_t k = 0; k < knobs; ++k)
        if (levels_of(b, k) > l.levels) {
            l.along = k;
            l.levels = levels_of(b, k);
        }
    for (size_t k = l.along + 1; k < knobs; ++k) l.stride *= levels_of(b, k);
    l.settings = b->count / l.levels;
    size_t *some = (size_t *)allocate(l.settings, sizeof *some);
    for (size_t q = 0; q < l.settings && l.settings > MOST_LAWS; ++q) {
        int measured = 0;
        for (size_t i = 0; i < l.levels; ++i) measured |= b->machine->measured[which_of(&l, i, q)];
        if (measured) some[n++] = q;
    }
    if (n < 2)
        for (n = 0; n < l.settings; ++n) some[n] = n;
    l.lines = page_shown(n, MOST_LAWS);
    for (size_t k = 0; k < l.lines; ++k) l.line[k] = some[page_pick(n, MOST_LAWS, k)];
    free(some);
    return l;
}

/* Returns "2400 MHz": the fixed knobs of a line. */
static const char *line_name(const job *b, const laws *l, size_t setting) {
    const float *row = b->rows + b->knobs * which_of(l, 0, setting);
    char *text = (char *)allocate(120, 1);
    size_t n = 0;
    for (size_t k = 0; k < knobs_of(b); ++k) {
        const sooth_csv_column *c = &b->csv.column[column_of_knob(b, k)];
        if (k == l->along) continue;
        if (knobs_of(b) > 2 || !*c->unit)
            n += (size_t)snprintf(text + n, 120 - n, "%s%.20s ", n ? ", " : "", printable(c->name));
        n += (size_t)snprintf(text + n, 120 - n, "%s%s%.10s", shortest(row[k]), *c->unit ? " " : "", c->unit);
    }
    return text;
}

/* Draws one quantity over the configurations: the law with its interval, and the measurements. */
static void page_law(page *p, const job *b, const laws *l, int is_power) {
    const sooth_configure *c = b->machine;
    const float *value = is_power ? c->power : c->time, *error = is_power ? c->power_error : c->time_error;
    const sooth_csv_column *of = &b->csv.column[is_power ? b->power : b->time],
                           *along = &b->csv.column[column_of_knob(b, l->along)];
    const size_t levels = page_shown(l->levels, MOST_LEVELS), cells = l->lines * levels, knobs = knobs_of(b);
    const double z = sooth_normal_quantile(b->confidence);
    double *x = (double *)allocate(levels + 4 * cells, sizeof *x), *y = x + levels, *low = y + cells,
           *high = low + cells, *mark = high + cells;
    const char *names[MOST_LAWS];
    char caption[300], x_title[160], y_title[160], words[200];
    svg_line_chart chart;
    grid g;
    grid_init(&g, knobs + 4, 0);
    for (size_t k = 0; k < knobs; ++k) {
        const sooth_csv_column *knob = &b->csv.column[column_of_knob(b, k)];
        grid_add(&g, "%s", with_unit(knob->name, knob->unit));
    }
    grid_add(&g, "%s", with_unit(of->name, of->unit));
    grid_add(&g, "from");
    grid_add(&g, "to");
    grid_add(&g, "measured");
    for (size_t s = 0; s < l->lines; ++s) {
        names[s] = line_name(b, l, l->line[s]);
        for (size_t i = 0; i < levels; ++i) {
            const size_t level = page_pick(l->levels, MOST_LEVELS, i);
            const size_t which = which_of(l, level, l->line[s]), at = s * levels + i;
            const double v = (double)value[which], e = (double)error[which];
            x[i] = (double)b->rows[b->knobs * which + l->along];
            y[at] = v;
            low[at] = v * (double)sooth_exp((float)(-z * e));
            high[at] = v * (double)sooth_exp((float)(z * e));
            mark[at] = c->measured[which] ? v : (double)NAN;
            for (size_t k = 0; k < knobs; ++k) grid_add(&g, "%s", shortest(b->rows[b->knobs * which + k]));
            grid_add(&g, "%s", shortest(value[which]));
            grid_add(&g, "%s", human_like(low[at], v, 4));
            grid_add(&g, "%s", human_like(high[at], v, 4));
            grid_add(&g, c->measured[which] ? "yes" : "");
        }
    }
    snprintf(caption, sizeof caption, "%s: the law with its interval; marks are measurements", of->name);
    snprintf(x_title, sizeof x_title, "%s", with_unit(along->name, along->unit));
    snprintf(y_title, sizeof y_title, "%s", with_unit(of->name, of->unit));
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.low = low;
    chart.high = high;
    chart.mark = mark;
    chart.count = levels;
    chart.series = l->lines;
    chart.series_names = l->settings > 1 ? names : NULL;
    chart.x_title = x_title;
    chart.y_title = y_title;
    page_lines(p, caption, &chart);
    const size_t at = (size_t)snprintf(words, sizeof words, "Data of the picture: %s",
                                       counted(cells, "configuration", "configurations"));
    if (cells < b->count)
        snprintf(words + at, sizeof words - at,
                 " of %zu: at most %d lines, if possible of measured settings, and %d levels, evenly spaced",
                 b->count, MOST_LAWS, MOST_LEVELS);
    page_table(p, words, &g);
    free(x);
}

/* Runs that were left out, and their predictions: [0] times, [1] powers. */
enum { MOST_LEFT_OUT = 64 };
typedef struct left_out {
    size_t count;
    double measured[2][MOST_LEFT_OUT], predicted[2][MOST_LEFT_OUT];
    double off[2], median_off[2]; /* sums of errors in per cent: of the law, and of the others' median */
    const char *label[MOST_LEFT_OUT];
    grid cells;
} left_out;

/* Adds a run, predicted by a law that was fitted to `left` others. */
static void left_out_add(left_out *all, const job *b, const sooth_configure_run *run,
                         const sooth_configure *law, const sooth_configure_run *others, size_t left) {
    const size_t n = all->count++;
    const char *name = named(b, run->which);
    all->measured[0][n] = (double)run->time;
    all->measured[1][n] = (double)run->power;
    all->predicted[0][n] = (double)law->time[run->which];
    all->predicted[1][n] = (double)law->power[run->which];
    all->label[n] = strcpy((char *)allocate(strlen(name) + 1, 1), name);
    grid_add(&all->cells, "%s", all->label[n]);
    for (int q = 0; q < 2; ++q) {
        const double x = all->measured[q][n], y = all->predicted[q][n];
        double values[MOST_LEFT_OUT];
        for (size_t k = 0; k < left; ++k) values[k] = (double)(q ? others[k].power : others[k].time);
        grid_add(&all->cells, "%s", shortest((float)x));
        grid_add(&all->cells, "%s", shortest((float)y));
        all->off[q] += 100.0 * fabs(y - x) / x;
        all->median_off[q] += 100.0 * fabs(median_sorted(values, left) - x) / x;
    }
}

/* Predicts every run by a law that was fitted without the runs of its configuration. */
static void leave_out_runs(const job *b, left_out *all) {
    const size_t size = sooth_configure_size(b->count, b->knobs);
    sooth_configure_run *others = (sooth_configure_run *)allocate(b->runs, sizeof *others);
    sooth_configure_options options = b->machine->options;
    void *memory = allocate(size, 1);
    sooth_configure *law;
    sooth_env env;
    sooth_env_init(&env);
    for (size_t i = 0; i < b->runs; ++i) {
        uint32_t left = 0;
        for (size_t k = 0; k < b->runs; ++k)
            if (b->run[k].which != b->run[i].which) others[left++] = b->run[k];
        if (left &&
            sooth_configure_init(&env, &options, b->rows, b->count, b->knobs, memory, size, &law) ==
                SOOTH_OK &&
            sooth_configure_fit(&env, law, others, left) == SOOTH_OK)
            left_out_add(all, b, &b->run[i], law, others, left);
    }
    free(memory);
    free(others);
}

/* Draws the times (q 0) or powers (q 1) of runs that were left out. */
static void page_left_out_of(page *p, const job *b, const left_out *all, int q) {
    const sooth_csv_column *of = &b->csv.column[q ? b->power : b->time];
    const grid *g = &all->cells;
    char caption[200], x_title[160];
    svg_points chart;
    grid own;
    memset(&chart, 0, sizeof chart);
    chart.x = all->measured[q];
    chart.y = all->predicted[q];
    chart.count = all->count;
    chart.labels = all->label;
    snprintf(x_title, sizeof x_title, "measured %s", with_unit(of->name, of->unit));
    chart.x_title = x_title;
    chart.y_title = "predicted";
    chart.diagonal = 1;
    snprintf(caption, sizeof caption, "%s: predicted against measured", of->name);
    page_points(p, caption, &chart);
    grid_init(&own, 3, 1);
    for (size_t i = 0; i < g->cells; i += g->cols) {
        grid_add(&own, "%s", g->cell[i]);
        grid_add(&own, "%s", g->cell[i + 1 + 2 * (size_t)q]);
        grid_add(&own, "%s", g->cell[i + 2 + 2 * (size_t)q]);
    }
    page_table(p, "Data of the picture", &own);
}

static void page_left_out(page *p, const job *b) {
    left_out all;
    if (b->runs < LEAST_RUNS) return;
    memset(&all, 0, sizeof all);
    grid_init(&all.cells, 5, 1);
    grid_add(&all.cells, "left out");
    for (int q = 0; q < 2; ++q) {
        const sooth_csv_column *of = &b->csv.column[q ? b->power : b->time];
        grid_add(&all.cells, "%s", with_unit(of->name, of->unit));
        grid_add(&all.cells, "predicted");
    }
    leave_out_runs(b, &all);
    if (!all.count) return;
    const double n = (double)all.count;
    page_text(p, "h2", "Each run, left out");
    page_text(p, "p", "Every configuration that was measured, predicted by a law fitted without its runs:");
    for (int q = 0; q < (counts_threads(b) ? 1 : 2); ++q) {
        page_text(p, "p",
                  "%s: off by %s %% on average. Always predicting the median of the others would be off by "
                  "%s %%.",
                  printable(b->csv.column[q ? b->power : b->time].name), human(all.off[q] / n, 3),
                  human(all.median_off[q] / n, 3));
        page_left_out_of(p, b, &all, q);
    }
}

static void page_scale(page *p, const job *b) {
    const laws l = laws_of(b);
    page_begin(p, "Cost of every setting%s%s", b->program ? ": " : "", b->program ? b->program : "");
    if (b->chooses) {
        page_text(p, "p class=\"lead\"", "Run %s: %s%s%s.", named(b, b->choice.which),
                  of_choice(b, 0, b->choice.which), counts_threads(b) ? "" : ", ",
                  counts_threads(b) ? "" : of_choice(b, 1, b->choice.which));
        page_text(p, "p", "Asked for: %s. %s: %s.%s", goal_text(b), counts_threads(b) ? "Cost" : "Energy",
                  energy_of(b, b->choice.which),
                  b->machine->measured[b->choice.which] ? " It was measured." : "");
    }
    page_text(p, "p class=\"soft\"", "%s: %s%s%s, %s.", printable(b->path), counted(b->runs, "run", "runs"),
              b->program ? " of " : "", b->program ? printable(b->program) : "",
              counted(b->count, "configuration", "configurations"));
    if (b->others)
        page_text(p, "p class=\"soft\"", "The typical program was fitted to %s of %s.",
                  counted(b->others, "run", "runs"),
                  counted(b->prior[0].programs, "other program", "other programs"));
    if (b->has_next)
        page_text(p, "p", "Errors expected of configurations, root mean square: %s. Measure next: %s.",
                  errors_text(b, b->next.time_error, b->next.power_error),
                  b->next.enough ? "nothing, predictions are as certain as runs" : named(b, b->next.which));
    page_text(p, "h2", "The laws");
    page_text(p, "p",
              "Bands: either end is exceeded with probability %s. A configuration that was measured has its "
              "mark and no band.",
              human(1.0 - b->confidence, 3));
    for (int is_power = 0; is_power < (counts_threads(b) ? 1 : 2); ++is_power) page_law(p, b, &l, is_power);
    page_left_out(p, b);
}

static int run(const arguments *args) {
    job b;
    page p;
    memset(&b, 0, sizeof b);
    page_read(args, &p);
    read_arguments(&b, args);
    predict(&b);
    if (b.chooses) choose(&b);
    write_grid(&b);
    if (page_is_wanted(&p)) page_scale(&p, &b);
    page_write(&p, args->word, 1);
    const char *output = arguments_text(args, "output");
    if (arguments_has(args, "json")) print_json(&b);
    else print(&b);
    page_name(&p, arguments_has(args, "json") || (output && strcmp(output, "-") == 0) ? stderr : stdout);
    return finish();
}

const command scale_command = {
    .name = "scale",
    .summary = "predict time and power of every thread count and frequency from a few runs, and choose",
    .usage = "DATA.csv (--threads COLUMN [--frequency COLUMN] | --axes AXES) --time COLUMN "
             "[--power COLUMN] [--min-power-for TIME | --min-time-for POWER] [options]",
    .least = 1,
    .most = 1,
    .text = "Fits laws of time and power to the runs in the file, predicts all configurations, and chooses "
            "one: the least power within a time, the least time within a power, or the least energy. Without "
            "--power, threads replace power: the fewest threads within a time.\n\n"
            "A few runs are enough, since the laws start from typical programs. With --group and --program "
            "they start from the other programs in the file.\n\n"
            "Rows without time or power are left out, so a list from `sooth sample` can be filled in "
            "during measuring. Each end of an interval is exceeded with probability 1 - confidence.\n\n"
            "Run the choice, add the row, and repeat. If the choice is a measured row, the bound is "
            "kept for certain.\n\n"
            "--axes sets other knobs, such as the clocks of a GPU, and needs --power. The choices are those "
            "in the file. "
            "Nothing is fitted to other programs, so more runs are needed; the command prints which ones.",
    .example = "sooth scale runs.csv --threads t --frequency f --time time --power power --min-power-for 20s",
    .flags = flags,
    .run = run};
