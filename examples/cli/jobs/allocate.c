/* allocate.c - sooth allocate: divides the units of a machine among the programs that share it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The allocation engine of Themis (Zhao et al. 2019, section VII): its Proactive Slowdown Predictor (PSP, eq.
 * 9 and 10) and Algorithm 1 with the policies Themis-Fair and Themis-QoS. In addition, the optima by the same
 * curves without a current allocation (sooth/allocate.h).
 */
#include "../table/table.h"
#include "sooth/slowdown.h"

#include <math.h>

static const flag flags[] = {
    {"units", 'u', "N", "units of the machine: multiprocessors, cores, any equal pieces", 0},
    {"policy", 'p', "NAME",
     "fair (default): equal slowdown x weight, by Algorithm 1. qos: the targets, then the progress "
     "of the others. least-worst: the smallest maximum of slowdown x weight. most-progress: the "
     "targets, then the largest sum of progress. even: by weight alone",
     0},
    {"program", 0, "COLUMN", "name of the program; default column: program", 0},
    {"on", 0, "COLUMN",
     "units of the measurement; default column: units, or sms. Without such a column, units are "
     "shared by weight",
     0},
    {"scal", 0, "COLUMN", "slowdown by having only these units; default column: sd_scal", 0},
    {"inter", 0, "COLUMN",
     "slowdown by the other programs; default column: sd_inter. Without such a column, 1", 0},
    {"observed", 0, "COLUMN",
     "true slowdown if it is known: time next to the others / time alone on all units; "
     "default column: observed",
     0},
    {"weight", 'w', "COLUMN",
     "weight: more weight means less slowdown; default column: weight. Without such a column, 1", 0},
    {"target", 't', "COLUMN",
     "promised progress, 0 to 1 of that alone; 0 or an empty cell means none. "
     "Default column: target",
     0},
    {"least", 0, "COLUMN", "minimum number of units; default column: least. Without such a column, 1", 0},
    {"max-distance", 0, "N", "fair, qos: maximum number of units that a program may gain or lose; default 5",
     0},
    {"threshold", 0, "U", "fair: acceptable unfairness; default 0.05 (the paper uses 0.1)", 0},
    {"guard", 0, "G", "qos: margin above the targets, such as 0.05; default 0", 0},
    JSON_FLAG,
    {"output", 'o', "OUT.csv", "also write the allocation", 0},
    FORCE_FLAG,
    LAST_FLAG};

enum { FAIR, QOS, LEAST_WORST, MOST_PROGRESS, EVEN, POLICIES };
static const char *const policies[POLICIES] = {"fair", "qos", "least-worst", "most-progress", "even"};

typedef struct job {
    sooth_env *env;
    const arguments *args;
    const char *path;
    sooth_csv csv;
    size_t program, on, scal, inter, observed, weight, target, least; /* columns; csv.cols: none */
    size_t policy;
    sooth_allocate machine;
    sooth_allocate_result before, result;
    const char *name[SOOTH_ALLOCATE_MAX_PROGRAMS];
    size_t rows[SOOTH_ALLOCATE_MAX_PROGRAMS]; /* about this program */
} job;

static float cell(const job *b, size_t row, size_t column, float fallback) {
    const float v = column < b->csv.cols ? b->csv.cell[row * b->csv.cols + column] : fallback;
    return v == v ? v : fallback;
}

/* ---- measurements ---- */

static void find_columns(job *b) {
    const arguments *args = b->args;
    const sooth_csv *csv = &b->csv;
    b->program = column_needed(args, b->path, csv, "program", "program", 0);
    b->on = column_of(args, b->path, csv, "on", "units", 1);
    if (b->on == SOOTH_NONE) b->on = column_of(args, b->path, csv, "on", "sms", 1);
    b->scal = column_of(args, b->path, csv, "scal", "sd_scal", 1);
    b->inter = column_of(args, b->path, csv, "inter", "sd_inter", 1);
    b->observed = column_of(args, b->path, csv, "observed", "observed", 1);
    b->weight = column_of(args, b->path, csv, "weight", "weight", 1);
    b->target = column_of(args, b->path, csv, "target", "target", 1);
    b->least = column_of(args, b->path, csv, "least", "least", 1);
    if (b->scal == SOOTH_NONE && b->observed == SOOTH_NONE)
        die(BAD_USE,
            "%s has no column sd_scal or observed; name the column of slowdowns with --scal or --observed",
            b->path);
}

/* Returns the program of a row; new ones are numbered as they appear. */
static uint32_t program_of(job *b, size_t row, uint32_t *programs) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *name = text_of_cell(&b->csv, row, b->program, number);
    uint32_t i;
    if (!name) die(BAD_INPUT, "%s: line %u: the program is missing", b->path, (unsigned)b->csv.line[row]);
    for (i = 0; i < *programs && strcmp(b->name[i], name) != 0; ++i) continue;
    if (i == *programs && *programs == SOOTH_ALLOCATE_MAX_PROGRAMS)
        die(BAD_INPUT, "%s: line %u: %s is one program too many; at most %u can share a machine", b->path,
            (unsigned)b->csv.line[row], printable(name), SOOTH_ALLOCATE_MAX_PROGRAMS);
    if (i == *programs) b->name[(*programs)++] = strcpy((char *)allocate(strlen(name) + 1, 1), name);
    ++b->rows[i];
    return i;
}

/* Reads an integer from the table. */
static uint32_t whole(const job *b, size_t row, size_t column, uint32_t fallback, uint32_t most) {
    const float v = cell(b, row, column, (float)fallback);
    if (!(v >= 1.0f && v <= (float)most && (float)(uint32_t)v >= v))
        die(BAD_INPUT, "%s: line %u: %s is %s, but must be an integer between 1 and %u", b->path,
            (unsigned)b->csv.line[row], printable(b->csv.column[column].name), shortest(v), (unsigned)most);
    return (uint32_t)v;
}

/* Reads weight, target and least from a row; the last row of a program counts. */
static void read_wishes(job *b, size_t row, sooth_allocate_program *p) {
    const unsigned line = (unsigned)b->csv.line[row];
    p->weight = cell(b, row, b->weight, 1.0f);
    p->target = cell(b, row, b->target, 0.0f);
    if (!(p->weight > 0.0f && p->weight < 1e30f))
        die(BAD_INPUT, "%s: line %u: the weight is %s, but must be above 0", b->path, line,
            shortest(p->weight));
    if (!(p->target >= 0.0f && p->target <= 1.0f))
        die(BAD_INPUT, "%s: line %u: the target is %s, but must be between 0 and 1 of the progress alone",
            b->path, line, shortest(p->target));
    p->least = b->least < b->csv.cols ? whole(b, row, b->least, 1, b->machine.units) : 1;
}

/* Reads the slowdowns of a program on its units from a row. */
static void observe(job *b, size_t row, uint32_t i) {
    const float observed = cell(b, row, b->observed, 0.0f), inter = cell(b, row, b->inter, 1.0f);
    const float scal = cell(b, row, b->scal, observed > 0.0f ? 1.0f : (float)NAN);
    const unsigned line = (unsigned)b->csv.line[row];
    if (scal != scal)
        die(BAD_INPUT, "%s: line %u: %s has neither a slowdown by its units nor an observed one", b->path,
            line, printable(b->name[i]));
    if (b->on < b->csv.cols) b->machine.program[i].units = whole(b, row, b->on, 0, b->machine.units);
    if (sooth_allocate_observe(b->env, &b->machine, i, scal, inter, observed) != SOOTH_OK)
        die(BAD_INPUT, "%s: line %u: %s", b->path, line, b->env->sentence);
}

static void take_even(job *b) {
    sooth_allocate_result even;
    if (sooth_allocate_even(b->env, &b->machine, &even) != SOOTH_OK) die(BAD_INPUT, "%s", b->env->sentence);
    sooth_allocate_take(&b->machine, &even);
}

static void read_programs(job *b) {
    const uint32_t units = arguments_count(b->args, "units", 0, 1, 65536);
    uint32_t *of = (uint32_t *)allocate(b->csv.rows, sizeof *of), programs = 0, sum = 0;
    if (!units) die(BAD_USE, "--units N is missing: the number of units of the machine");
    for (size_t i = 0; i < b->csv.rows; ++i) of[i] = program_of(b, i, &programs);
    if (sooth_allocate_init(b->env, &b->machine, units, programs) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    for (size_t i = 0; i < b->csv.rows; ++i) read_wishes(b, i, &b->machine.program[of[i]]);
    take_even(b);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        if (b->on == SOOTH_NONE && b->rows[of[i]] > 1)
            die(BAD_INPUT,
                "%s: line %u: %s has several rows, but no column has the number of units of each; name it "
                "with --on",
                b->path, (unsigned)b->csv.line[i], printable(b->name[of[i]]));
        observe(b, i, of[i]);
    }
    for (uint32_t i = 0; i < programs; ++i) sum += b->machine.program[i].units;
    if (b->policy != FAIR && b->policy != QOS) take_even(b); /* these start without a current allocation */
    else if (sum != units)
        die(BAD_INPUT,
            "%s: the programs' last rows have %u units together, but the machine has %u; if they did not run "
            "together, use --policy least-worst, which needs no current state",
            b->path, (unsigned)sum, (unsigned)units);
    free(of);
}

/* ---- the decision ---- */

static void expect_before(job *b) {
    float weight[SOOTH_ALLOCATE_MAX_PROGRAMS];
    const sooth_allocate *m = &b->machine;
    for (uint32_t i = 0; i < m->programs; ++i) {
        b->before.units[i] = m->program[i].units;
        b->before.slowdown[i] = sooth_allocate_slowdown(m, i, m->program[i].units);
        weight[i] = m->program[i].weight;
    }
    b->before.unfairness = sooth_allocate_unfairness(b->before.slowdown, weight, m->programs);
}

static void decide(job *b) {
    sooth_allocate_policy policy = b->policy == QOS ? sooth_allocate_qos() : sooth_allocate_fair();
    sooth_status status;
    policy.max_distance = arguments_count(b->args, "max-distance", 0, 1, 65536);
    policy.threshold = (float)double_read(b->args, "threshold", 0.0, 1e-6, 1.0);
    policy.guard = (float)double_read(b->args, "guard", 0.0, 0.0, 10.0);
    if (b->policy == FAIR || b->policy == QOS)
        status = sooth_allocate_decide(b->env, &b->machine, &policy, &b->result);
    else if (b->policy == EVEN) status = sooth_allocate_even(b->env, &b->machine, &b->result);
    else
        status = sooth_allocate_best(
            b->env, &b->machine,
            b->policy == LEAST_WORST ? SOOTH_ALLOCATE_LEAST_WORST : SOOTH_ALLOCATE_MAX_PROGRESS, &b->result);
    if (status != SOOTH_OK) die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
}

/* ---- output ---- */

static int has(const job *b, size_t column) { return column < b->csv.cols; }

static void print_all(const job *b, FILE *to) {
    const sooth_allocate *m = &b->machine;
    const float together = sooth_slowdown_throughput(b->result.slowdown, m->programs);
    grid g;
    fprintf(to, "%s on %u units, %s\n\n", counted(m->programs, "program", "programs"), (unsigned)m->units,
            policies[b->policy]);
    grid_init(&g, 6 + (size_t)(has(b, b->weight) + has(b, b->target)), 1);
    grid_add(&g, "program");
    if (has(b, b->weight)) grid_add(&g, "weight");
    if (has(b, b->target)) grid_add(&g, "target");
    grid_add(&g, b->policy == FAIR || b->policy == QOS ? "has" : "by weight");
    grid_add(&g, "slowdown");
    grid_add(&g, "gets");
    grid_add(&g, "slowdown");
    grid_add(&g, "progress");
    for (uint32_t i = 0; i < m->programs; ++i) {
        const sooth_allocate_program *p = &m->program[i];
        grid_add(&g, "%s", printable(b->name[i]));
        if (has(b, b->weight)) grid_add(&g, "%s", shortest(p->weight));
        if (has(b, b->target)) grid_add(&g, "%s", p->target > 0.0f ? shortest(p->target) : "-");
        grid_add(&g, "%u", (unsigned)b->before.units[i]);
        grid_add(&g, "%.2f", (double)b->before.slowdown[i]);
        grid_add(&g, "%u", (unsigned)b->result.units[i]);
        grid_add(&g, "%.2f", (double)b->result.slowdown[i]);
        grid_add(&g, "%.3f", 1.0 / (double)b->result.slowdown[i]);
    }
    grid_print(&g, to, "  ");
    fprintf(to, "\nUnfairness %.3f, before %.3f.\n", (double)b->result.unfairness,
            (double)b->before.unfairness);
    fprintf(to, "Together %.2f of the progress of one program alone: %s.\n", (double)together,
            together > 1.0f ? "sharing is worth it"
                            : "they would finish sooner one after another, so sharing is not worth it");
}

static void write_table(const job *b, FILE *to) {
    sooth_sink sink = sooth_file_sink(to);
    fprintf(to, "program,units,slowdown,progress\n");
    for (uint32_t i = 0; i < b->machine.programs; ++i) {
        sooth_csv_put_text(&sink, b->name[i], ',');
        fprintf(to, ",%u,", (unsigned)b->result.units[i]);
        sooth_csv_put_number(&sink, b->result.slowdown[i], '.');
        fputc(',', to);
        sooth_csv_put_number(&sink, 1.0f / b->result.slowdown[i], '.');
        fputc('\n', to);
    }
}

static void print_json(const job *b, FILE *to) {
    json j;
    json_begin(&j, to);
    json_text(&j, "file", b->path);
    json_text(&j, "policy", policies[b->policy]);
    json_count(&j, "units", b->machine.units);
    json_number(&j, "unfairness_before", (double)b->before.unfairness);
    json_number(&j, "unfairness", (double)b->result.unfairness);
    json_number(&j, "throughput", (double)sooth_slowdown_throughput(b->result.slowdown, b->machine.programs));
    json_open(&j, "programs", '[');
    for (uint32_t i = 0; i < b->machine.programs; ++i) {
        json_open(&j, NULL, '{');
        json_text(&j, "program", b->name[i]);
        json_count(&j, "units_before", b->before.units[i]);
        json_number(&j, "slowdown_before", (double)b->before.slowdown[i]);
        json_count(&j, "units", b->result.units[i]);
        json_number(&j, "slowdown", (double)b->result.slowdown[i]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

/* Dies for a setting that the policy ignores. */
static void check_settings(const job *b) {
    const int steps = b->policy == FAIR || b->policy == QOS;
    if (arguments_has(b->args, "max-distance") && !steps)
        die(BAD_USE, "--max-distance applies only to the policies fair and qos");
    if (arguments_has(b->args, "threshold") && b->policy != FAIR)
        die(BAD_USE, "--threshold applies only to the policy fair");
    if (arguments_has(b->args, "guard") && b->policy != QOS)
        die(BAD_USE, "--guard applies only to the policy qos");
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output"), *name = arguments_text(args, "policy");
    FILE *file = NULL;
    job b;
    memset(&b, 0, sizeof b);
    b.args = args;
    b.path = args->word[0];
    b.env = env_open(args);
    while (name && b.policy < POLICIES && strcmp(name, policies[b.policy]) != 0) ++b.policy;
    if (b.policy == POLICIES)
        die(BAD_USE, "--policy is %s, but must be one of fair, qos, least-worst, most-progress, even%s", name,
            did_you_mean(name, policies, POLICIES));
    check_settings(&b);
    const sooth_csv_options options = names_given(args, "program", "program");
    csv_open(b.env, b.path, &options, &b.csv);
    find_columns(&b);
    read_programs(&b);
    expect_before(&b);
    decide(&b);
    if (path) {
        file = output_open(path, arguments_has(args, "force"), args->word, 1);
        write_table(&b, file);
        output_close();
    }
    FILE *to = path && strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) print_json(&b, to);
    else print_all(&b, to);
    return finish();
}

const command allocate_command = {
    .name = "allocate",
    .summary = "divide the units of a machine among the programs that share it",
    .usage = "PROGRAMS.csv --units N [--policy NAME] [options]",
    .least = 1,
    .most = 1,
    .text = "Reads the slowdown of each program on its units next to the others, and allocates the units "
            "anew: fairly, or to keep promised progress (Themis, Zhao et al. 2019).\n\n"
            "The progress on other units follows from straight lines through the measurements (PSP, "
            "equation 10). Several rows of one program, each on other units, improve it; the last row is "
            "the current state.\n\n"
            "fair and qos move a few units from the current state, since the lines are accurate nearby. "
            "Run, measure and repeat.\n\n"
            "The columns are those of `sooth slowdown predict`, whose table can be used as it is.",
    .example = "sooth allocate now.csv --units 60 --policy qos -o units.csv\n"
               "  sooth slowdown predict ksm.sooth now.csv | sooth allocate - --units 60",
    .flags = flags,
    .run = run};
