/* bags.c - sooth bags: how long jobs take next to each other, and which of a queue to run together.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A table has a row for each job of each run: the run, the name of the job and its time. A job that is the
 * only one of a run was alone. The slowdowns are learned from these times and nothing else; see
 * sooth/slowdown/neighbours.h.
 */
#include "../table/table.h"
#include "sooth/fairness.h"
#include "sooth/slowdown.h"

#include <math.h>

static const flag flags[] = {
    {"bag", 'b', "A,B,...", "predict a bag of jobs that start together; may be given again, for other bags",
     1},
    {"queue", 'q', "A,B,...", "place these jobs in bags; a job may occur more than once", 1},
    {"slots", 0, "N", "jobs that a machine runs at the same time, 1 to 16; default 2", 0},
    {"machines", 0, "N", "machines that take the bags of the queue in turn; default 1", 0},
    {"run", 'r', "COLUMN", "column that names the run; default column: run", 0},
    {"job", 0, "COLUMN", "column that names the job; default column: job", 0},
    {"time", 't', "COLUMN", "column of times; default column: seconds", 0},
    JSON_FLAG,
    LAST_FLAG};

enum { MOST = SOOTH_FAIRNESS_MAX_TASKS, MOST_JOBS = 1024, MOST_KEPT = 8192, FOLDS = 10 };

static const char *const basis_word[] = {"outside", "learned", "measured"}; /* by sooth_neighbours_basis */

/* What is known of a job. */
typedef struct job {
    const char *name;
    size_t alone, slowed, slows; /* times alone; times next to others; times of others next to it */
    double time, least, most;    /* of those alone: mean and ends */
} job;

typedef struct bag {
    uint32_t job[MOST];
    double seconds[MOST]; /* NaN: unknown */
    size_t jobs, set;     /* the number of its set of jobs */
    unsigned line;
} bag;

/* The error on sets of jobs that were left out. */
typedef struct held_out {
    size_t slowdowns, outside; /* compared; of jobs that nothing else is known of */
    double error, rule;        /* of the mean of the slowdowns of the same job */
} held_out;

typedef struct bags {
    sooth_env *env;
    const arguments *args;
    const char *path, *unit;
    FILE *to;
    sooth_csv csv;
    job *job;
    bag *bag;
    size_t jobs, bags, first, sets; /* the first bag that is kept */
    sooth_neighbours *n;
    held_out held;
} bags;

/* A queue in bags, and when and where each starts. */
typedef struct placement {
    bag *bag;
    uint32_t *order, *machine; /* of the bags, from the one that starts first */
    double *time, *start, end;
    size_t bags;
} placement;

/* ---- the table ---- */

typedef struct place {
    double key;
    uint32_t row;
} place;

static int by_key(const void *a, const void *b) {
    const place *x = (const place *)a, *y = (const place *)b;
    if (x->key < y->key || x->key > y->key) return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Orders the rows by the first row of their run. */
static place *order_rows(const bags *b, size_t column) {
    const sooth_csv *csv = &b->csv;
    place *at = (place *)allocate(csv->rows, sizeof *at);
    float *run = names_in(csv, column);
    for (size_t i = 0; i < csv->rows; ++i) {
        at[i].row = (uint32_t)i;
        at[i].key = (double)run[i];
        if (run[i] != run[i])
            die(BAD_INPUT, "%s: line %u: the run is missing", b->path, (unsigned)csv->line[i]);
    }
    qsort(at, csv->rows, sizeof *at, by_key);
    for (size_t i = 0, same = 0; i < csv->rows; ++i) {
        same = i > 0 && !(run[at[i].row] > run[at[i - 1].row]);
        at[i].key = same ? at[i - 1].key : (double)at[i].row;
    }
    qsort(at, csv->rows, sizeof *at, by_key);
    free(run);
    return at;
}

/* Returns the number of a job, or b->jobs if no row has this name. */
static uint32_t job_named(const bags *b, const char *name) {
    uint32_t i = 0;
    while (i < b->jobs && strcmp(b->job[i].name, name) != 0) ++i;
    return i;
}

/* Adds a row to a bag. */
static void read_row(bags *b, bag *to, size_t row, size_t job_column, size_t time_column) {
    const sooth_csv *csv = &b->csv;
    const unsigned line = (unsigned)csv->line[row];
    const float seconds = csv->cell[row * csv->cols + time_column];
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *name = text_of_cell(csv, row, job_column, number);
    if (!name) die(BAD_INPUT, "%s: line %u: the job is missing", b->path, line);
    if (seconds <= 0.0f || (seconds == seconds && !is_prediction(seconds)))
        die(BAD_INPUT, "%s: line %u: the time of %s is %s, but must be above 0", b->path, line,
            printable(name), shortest(seconds));
    if (to->jobs == MOST)
        die(BAD_INPUT,
            "%s: line %u: this run has more than %u jobs; name the column that identifies runs with --run",
            b->path, line, (unsigned)MOST);
    const uint32_t k = job_named(b, name);
    if (k == MOST_JOBS)
        die(BAD_INPUT, "%s: line %u: %s is one job too many; at most %u are learned", b->path, line,
            printable(name), (unsigned)MOST_JOBS);
    if (k == b->jobs) b->job[b->jobs++].name = strcpy((char *)allocate(strlen(name) + 1, 1), name);
    for (size_t m = 0; m < to->jobs; ++m)
        if (to->job[m] == k && to->seconds[m] == (double)seconds)
            die(BAD_INPUT,
                "%s: line %u: this run has %s with the time %s twice. Is the row a repetition, or the run's "
                "name used again? Each run needs a name of its own",
                b->path, line, printable(name), shortest(seconds));
    to->line = to->jobs ? to->line : line;
    to->job[to->jobs] = k;
    to->seconds[to->jobs++] = (double)seconds;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Numbers the sets of jobs, and counts what is known of each job. Only the last bags are kept. */
static void count_bags(bags *b) {
    size_t kept = 0;
    for (size_t i = 0; i < b->bags; ++i) {
        const bag *one = &b->bag[i];
        job *j = &b->job[one->job[0]];
        if (one->jobs > 1) continue;
        if (one->seconds[0] != one->seconds[0])
            die(BAD_INPUT, "%s: line %u: %s was alone, but its time is missing", b->path, one->line,
                printable(j->name));
        j->time += (one->seconds[0] - j->time) / (double)++j->alone;
        if (j->alone == 1 || one->seconds[0] < j->least) j->least = one->seconds[0];
        if (one->seconds[0] > j->most) j->most = one->seconds[0];
    }
    for (size_t k = 0; k < b->jobs; ++k)
        if (b->job[k].most > 1.5 * b->job[k].least)
            fprintf(stderr, "%s: %s took %s to %s alone; its slowdowns count from the mean\n", b->path,
                    printable(b->job[k].name), shortest((float)b->job[k].least),
                    shortest((float)b->job[k].most));
    for (b->first = b->bags; b->first > 0 && kept + b->bag[b->first - 1].jobs <= MOST_KEPT; --b->first)
        kept += b->bag[b->first - 1].jobs > 1 ? b->bag[b->first - 1].jobs : 0;
    for (size_t i = b->first, k; i < b->bags; ++i) {
        bag *one = &b->bag[i], sorted = *one;
        if (one->jobs < 2) continue;
        for (k = 0; k < one->jobs; ++k) {
            if (one->seconds[k] != one->seconds[k]) continue;
            if (!b->job[one->job[k]].alone)
                die(BAD_INPUT,
                    "%s: line %u: %s has a time next to others, but none alone; add a run with this job "
                    "only, "
                    "or leave the time empty",
                    b->path, one->line, printable(b->job[one->job[k]].name));
            ++b->job[one->job[k]].slowed;
            for (size_t m = 0; m < one->jobs; ++m) b->job[one->job[m]].slows += m != k;
        }
        qsort(sorted.job, sorted.jobs, sizeof *sorted.job, by_number);
        one->set = b->sets;
        for (k = b->first; k < i && one->set == b->sets; ++k) {
            bag other = b->bag[k];
            if (other.jobs != one->jobs) continue;
            qsort(other.job, other.jobs, sizeof *other.job, by_number);
            if (memcmp(other.job, sorted.job, sorted.jobs * sizeof *sorted.job) == 0) one->set = other.set;
        }
        b->sets += one->set == b->sets;
    }
    if (!b->sets)
        die(BAD_INPUT, "%s has no run of two or more jobs, from which a slowdown could be learned", b->path);
}

static void read_bags(bags *b) {
    const sooth_csv_options options = names_given(b->args, "run job", "run job");
    sooth_csv *csv = &b->csv;
    csv_open(b->env, b->path, &options, csv);
    const size_t run = column_needed(b->args, b->path, csv, "run", "run", 0);
    const size_t name = column_needed(b->args, b->path, csv, "job", "job", 0);
    const size_t time = column_needed(b->args, b->path, csv, "time", "seconds", 1);
    place *at = order_rows(b, run);
    b->unit = csv->column[time].unit;
    if (!*b->unit && strcmp(csv->column[time].name, "seconds") == 0) b->unit = "s";
    b->job = (job *)allocate(MOST_JOBS + 1, sizeof *b->job);
    b->bag = (bag *)allocate(csv->rows, sizeof *b->bag);
    for (size_t i = 0; i < csv->rows; ++i) {
        b->bags += i == 0 || at[i].key > at[i - 1].key;
        read_row(b, &b->bag[b->bags - 1], at[i].row, name, time);
    }
    free(at);
    count_bags(b);
}

/* ---- learning ---- */

/* Learns all bags that are kept but those of the sets of a fold. */
static void learn(bags *b, size_t fold, void *memory, size_t size, const sooth_neighbours_options *options) {
    sooth_status status = sooth_neighbours_init(b->env, options, memory, size, &b->n);
    for (int alone = 1; alone >= 0; --alone)
        for (size_t i = alone ? 0 : b->first; i < b->bags && status == SOOTH_OK; ++i) {
            const bag *one = &b->bag[i];
            if ((one->jobs == 1) != alone || (!alone && one->set % FOLDS == fold)) continue;
            status = sooth_neighbours_observe(b->env, b->n, one->job, one->seconds, one->jobs);
        }
    if (status != SOOTH_OK) die_of(status, b->env);
}

/* Compares the sets of a fold with their predictions, and with the mean of the other slowdowns of a job. */
static void compare(bags *b, size_t fold) {
    double *sum = (double *)allocate(2 * b->jobs, sizeof *sum), *count = sum + b->jobs, slowdown[MOST];
    for (int test = 0; test < 2; ++test)
        for (size_t i = b->first; i < b->bags; ++i) {
            const bag *one = &b->bag[i];
            if (one->jobs < 2 || (one->set % FOLDS == fold) != test) continue;
            const sooth_neighbours_basis basis =
                sooth_neighbours_slowdowns(b->n, one->job, one->jobs, slowdown);
            for (size_t k = 0; k < one->jobs; ++k) {
                const uint32_t j = one->job[k];
                if (one->seconds[k] != one->seconds[k]) continue;
                const double true_one = one->seconds[k] / b->job[j].time;
                if (!test) {
                    sum[j] += log(true_one);
                    count[j] += 1.0;
                } else if (basis == SOOTH_NEIGHBOURS_OUTSIDE) {
                    ++b->held.outside;
                } else {
                    ++b->held.slowdowns;
                    b->held.error += fabs(slowdown[k] / true_one - 1.0);
                    b->held.rule += fabs(exp(sum[j] / count[j]) / true_one - 1.0);
                }
            }
        }
    free(sum);
}

/* Learns from the table; before, estimates the error on sets of jobs that were never together. */
static void learn_all(bags *b) {
    sooth_neighbours_options options;
    memset(&options, 0, sizeof options);
    options.jobs = (uint32_t)b->jobs;
    options.observations = MOST_KEPT;
    const size_t size = sooth_neighbours_size(&options), folds = b->sets < FOLDS ? b->sets : FOLDS;
    void *memory = allocate(size, 1);
    for (size_t fold = 0; fold < folds && b->sets > 1; ++fold) {
        progress_show("tests", (double)fold / (double)(folds + 1));
        learn(b, fold, memory, size, &options);
        compare(b, fold);
    }
    if (b->held.slowdowns) {
        b->held.error /= (double)b->held.slowdowns;
        b->held.rule /= (double)b->held.slowdowns;
    }
    learn(b, FOLDS, memory, size, &options);
    progress_clear();
}

/* ---- answers ---- */

/* Reads a list of jobs with a time alone; *count of them, in memory of their own. */
static uint32_t *jobs_listed(const bags *b, const char *text, size_t *count) {
    char **name = split_list(text, count);
    uint32_t *list = (uint32_t *)allocate(*count ? *count : 1, sizeof *list);
    const char **known = (const char **)allocate(b->jobs, sizeof *known);
    for (size_t i = 0; i < b->jobs; ++i) known[i] = b->job[i].name;
    for (size_t k = 0; k < *count; ++k) {
        list[k] = job_named(b, name[k]);
        if (list[k] == b->jobs)
            die(BAD_INPUT, "%s has no job %s%s", b->path, printable(name[k]),
                did_you_mean(name[k], known, b->jobs));
        if (!b->job[list[k]].alone)
            die(BAD_INPUT, "%s: %s was not measured alone; add a run with this job only", b->path,
                printable(name[k]));
    }
    free((void *)(uintptr_t)known);
    return list;
}

/* Runs the bags in their order, each on the machine that is free first. */
static void run_bags(placement *p, size_t machines) {
    double *free_at = (double *)allocate(machines, sizeof *free_at);
    p->end = 0.0;
    for (size_t i = 0; i < p->bags; ++i) {
        const uint32_t k = p->order[i];
        uint32_t m = 0;
        for (uint32_t other = 1; other < machines; ++other)
            if (free_at[other] < free_at[m]) m = other;
        p->machine[k] = m;
        p->start[k] = free_at[m];
        free_at[m] += p->time[k];
        if (free_at[m] > p->end) p->end = free_at[m];
    }
    free(free_at);
}

/* Makes bags of a queue: machine[k] is the number of the bag of job[k]. Long bags start first if asked. */
static void make_bags(const bags *b, const uint32_t *job, size_t jobs, const uint32_t *number, int long_first,
                      size_t machines, placement *p) {
    p->bag = (bag *)allocate(jobs, sizeof *p->bag);
    p->time = (double *)allocate(2 * jobs, sizeof *p->time);
    p->order = (uint32_t *)allocate(2 * jobs, sizeof *p->order);
    p->start = p->time + jobs;
    p->machine = p->order + jobs;
    p->bags = 0;
    for (size_t k = 0; k < jobs; ++k) {
        bag *one = &p->bag[number[k]];
        one->job[one->jobs++] = job[k];
        if (number[k] >= p->bags) p->bags = number[k] + (size_t)1;
    }
    for (size_t i = 0, at; i < p->bags; ++i) {
        p->time[i] = sooth_neighbours_time(b->n, p->bag[i].job, p->bag[i].jobs);
        for (at = i; at > 0 && long_first && p->time[p->order[at - 1]] < p->time[i]; --at)
            p->order[at] = p->order[at - 1];
        p->order[at] = (uint32_t)i;
    }
    run_bags(p, machines);
}

/* The answer about a queue: the best, in bags by its order, and one job after the other. */
typedef struct queue {
    placement best, in_order, single;
    size_t jobs, machines;
} queue;

/* The library makes the sum of the times small. On several machines fewer jobs per bag can end sooner. */
static void place_queue(const bags *b, const char *text, queue *q) {
    const uint32_t slots = arguments_count(b->args, "slots", 2, 1, MOST);
    const uint32_t *job = jobs_listed(b, text, &q->jobs);
    uint32_t *number = (uint32_t *)allocate(q->jobs + 1, sizeof *number);
    q->machines = arguments_count(b->args, "machines", 1, 1, 100000);
    if (!q->jobs) die(BAD_USE, "--queue names no job");
    for (size_t k = 0; k < q->jobs; ++k) number[k] = (uint32_t)k;
    make_bags(b, job, q->jobs, number, 0, q->machines, &q->single);
    for (size_t k = 0; k < q->jobs; ++k) number[k] = (uint32_t)(k / slots);
    make_bags(b, job, q->jobs, number, 0, q->machines, &q->in_order);
    q->best = q->in_order.end < q->single.end ? q->in_order : q->single;
    for (uint32_t most = 1; most <= slots; ++most) {
        placement p;
        const sooth_status status = sooth_neighbours_place(b->env, b->n, job, q->jobs, most, number);
        if (status != SOOTH_OK) die_of(status, b->env);
        make_bags(b, job, q->jobs, number, 1, q->machines, &p);
        if (p.end <= q->best.end) q->best = p;
    }
}

/* Returns "12.3 s". */
static const char *timed(const bags *b, double value) {
    char *text = (char *)allocate(64, 1);
    snprintf(text, 64, "%s%s%s", human(value, 4), *b->unit ? " " : "", b->unit);
    return text;
}

static const char *names_of(const bags *b, const bag *one) {
    size_t size = 1;
    for (size_t k = 0; k < one->jobs; ++k) size += strlen(listed(b->job[one->job[k]].name)) + 2;
    char *text = (char *)allocate(size, 1);
    for (size_t k = 0; k < one->jobs; ++k) {
        if (k) strcat(text, ",");
        strcat(text, listed(b->job[one->job[k]].name));
    }
    return text;
}

static const char *basis_of(const bags *b, const bag *one) {
    double slowdown[MOST];
    if (one->jobs == 1) return "measured";
    const sooth_neighbours_basis basis = sooth_neighbours_slowdowns(b->n, one->job, one->jobs, slowdown);
    return basis == SOOTH_NEIGHBOURS_MEASURED && one->jobs > 2 ? "pairs measured" : basis_word[basis];
}

/* Returns the mean slowdown of a job next to each other job that is known, or of these next to it. NaN if
   none of these is learned. */
static double mean_slowdown(const bags *b, uint32_t j, int caused) {
    double sum = 0.0, count = 0.0, slowdown[2];
    for (uint32_t i = 0; i < b->jobs; ++i) {
        const uint32_t pair[2] = {j, i};
        if (i == j || sooth_neighbours_slowdowns(b->n, pair, 2, slowdown) == SOOTH_NEIGHBOURS_OUTSIDE)
            continue;
        sum += slowdown[caused];
        count += 1.0;
    }
    return sum / count;
}

/* ---- output ---- */

static void print_jobs(const bags *b) {
    grid g;
    grid_init(&g, 5, 1);
    grid_add(&g, "job");
    grid_add(&g, "%s", *b->unit ? with_unit("alone", b->unit) : "alone");
    grid_add(&g, "next to others");
    grid_add(&g, "slowed");
    grid_add(&g, "slows");
    for (uint32_t j = 0; j < b->jobs; ++j) {
        const job *one = &b->job[j];
        grid_add(&g, "%s", printable(one->name));
        grid_add(&g, "%s", one->alone ? human(one->time, 4) : "-");
        grid_add(&g, "%zu", one->slowed);
        for (int caused = 0; caused < 2; ++caused) {
            const double mean = mean_slowdown(b, j, caused);
            grid_add(&g, "%s", mean == mean ? human(mean, 3) : "-");
        }
    }
    grid_print(&g, b->to, "  ");
}

static void print_bag(const bags *b, const bag *one) {
    const char *basis = basis_of(b, one);
    double slowdown[MOST];
    grid g;
    (void)sooth_neighbours_slowdowns(b->n, one->job, one->jobs, slowdown);
    fprintf(b->to, "\n%s: %s until the last one ends; %s\n", names_of(b, one),
            timed(b, sooth_neighbours_time(b->n, one->job, one->jobs)), basis);
    grid_init(&g, 4, 1);
    grid_add(&g, "job");
    grid_add(&g, "alone");
    grid_add(&g, "slowdown");
    grid_add(&g, "next to these");
    for (size_t k = 0; k < one->jobs; ++k) {
        const job *j = &b->job[one->job[k]];
        grid_add(&g, "%s", printable(j->name));
        grid_add(&g, "%s", human(j->time, 4));
        grid_add(&g, "%s", human(slowdown[k], 3));
        grid_add(&g, "%s", human(j->time * slowdown[k], 4));
    }
    grid_print(&g, b->to, "  ");
    for (size_t k = 0; k < one->jobs && strcmp(basis, "outside") == 0; ++k) {
        const job *j = &b->job[one->job[k]];
        if (!j->slowed || !j->slows)
            fprintf(b->to, "  outside     %s: no time %s is known; a guess from the mean of all\n",
                    printable(j->name), j->slowed ? "of another job next to it" : "next to another job");
    }
}

static void print_queue(const bags *b, const queue *q) {
    const placement *p = &q->best;
    grid g;
    fprintf(b->to, "\n%s in %s on %s: done after %s\n", counted(q->jobs, "job", "jobs"),
            counted(p->bags, "bag", "bags"), counted(q->machines, "machine", "machines"), timed(b, p->end));
    fprintf(b->to, "  in bags by their order %s, one by one %s\n", timed(b, q->in_order.end),
            timed(b, q->single.end));
    grid_init(&g, 5, 1);
    grid_add(&g, "bag");
    grid_add(&g, "machine");
    grid_add(&g, "starts");
    grid_add(&g, "takes");
    grid_add(&g, "basis");
    for (size_t i = 0; i < p->bags; ++i) {
        const uint32_t k = p->order[i];
        grid_add(&g, "%s", names_of(b, &p->bag[k]));
        grid_add(&g, "%u", (unsigned)p->machine[k] + 1u);
        grid_add(&g, "%s", human(p->start[k], 4));
        grid_add(&g, "%s", human(p->time[k], 4));
        grid_add(&g, "%s", basis_of(b, &p->bag[k]));
    }
    grid_print(&g, b->to, "  ");
}

static size_t most_jobs(const bags *b) {
    size_t most = 0;
    for (size_t i = 0; i < b->bags; ++i)
        if (b->bag[i].jobs > most) most = b->bag[i].jobs;
    return most;
}

static void print_table(const bags *b) {
    const held_out *h = &b->held;
    fprintf(b->to, "%s in %s of %s, at most %s in a run\n", counted(b->jobs, "job", "jobs"),
            counted(b->bags, "run", "runs"), printable(b->path), counted(most_jobs(b), "job", "jobs"));
    if (b->first) fprintf(b->to, "  kept        the last %s\n", counted(b->bags - b->first, "run", "runs"));
    if (!h->slowdowns) {
        fprintf(b->to, "  not tested; that needs jobs that are known from several sets of jobs\n");
        return;
    }
    fprintf(b->to,
            "  left out    sets of jobs never together are off by %.1f %% (%s); the mean of the same\n"
            "              job's slowdowns, by %.1f %%%s\n",
            100.0 * h->error, counted(h->slowdowns, "slowdown", "slowdowns"), 100.0 * h->rule,
            h->error < h->rule ? "" : ": the prediction is not better");
}

static void json_bag(const bags *b, json *j, const bag *one) {
    double slowdown[MOST];
    (void)sooth_neighbours_slowdowns(b->n, one->job, one->jobs, slowdown);
    json_open(j, "jobs", '[');
    for (size_t k = 0; k < one->jobs; ++k) {
        json_open(j, NULL, '{');
        json_text(j, "job", b->job[one->job[k]].name);
        json_number(j, "alone", b->job[one->job[k]].time);
        json_number(j, "slowdown", slowdown[k]);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_text(j, "basis", basis_of(b, one));
    json_number(j, "time", sooth_neighbours_time(b->n, one->job, one->jobs));
}

static void json_queue(const bags *b, json *j, const queue *q) {
    const placement *p = &q->best;
    json_open(j, NULL, '{');
    json_number(j, "time", p->end);
    json_number(j, "time_in_order", q->in_order.end);
    json_number(j, "time_one_by_one", q->single.end);
    json_open(j, "bags", '[');
    for (size_t i = 0; i < p->bags; ++i) {
        const uint32_t k = p->order[i];
        json_open(j, NULL, '{');
        json_count(j, "machine", p->machine[k] + (size_t)1);
        json_number(j, "start", p->start[k]);
        json_bag(b, j, &p->bag[k]);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void json_table(const bags *b, json *j) {
    json_text(j, "file", b->path);
    json_text(j, "unit", b->unit);
    json_count(j, "runs", b->bags);
    json_count(j, "runs_kept", b->bags - b->first);
    json_count(j, "most_jobs_in_a_run", most_jobs(b));
    json_open(j, "left_out", '{');
    json_count(j, "slowdowns", b->held.slowdowns);
    json_count(j, "outside", b->held.outside);
    json_number(j, "error", b->held.slowdowns ? b->held.error : (double)NAN);
    json_number(j, "error_of_the_mean", b->held.slowdowns ? b->held.rule : (double)NAN);
    json_close(j, '}');
    json_open(j, "jobs", '[');
    for (uint32_t k = 0; k < b->jobs; ++k) {
        json_open(j, NULL, '{');
        json_text(j, "job", b->job[k].name);
        json_number(j, "alone", b->job[k].alone ? b->job[k].time : (double)NAN);
        json_number(j, "slowed", mean_slowdown(b, k, 0));
        json_number(j, "slows", mean_slowdown(b, k, 1));
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* Answers every --bag and every --queue, in turn; as an array for JSON. */
static void answer(const bags *b, const char *flag_name, json *j) {
    for (size_t i = 0; i < b->args->givens; ++i) {
        if (strcmp(b->args->given[i]->name, flag_name) != 0) continue;
        if (strcmp(flag_name, "queue") == 0) {
            queue q;
            memset(&q, 0, sizeof q);
            place_queue(b, b->args->value[i], &q);
            if (j) json_queue(b, j, &q);
            else print_queue(b, &q);
            continue;
        }
        bag one;
        memset(&one, 0, sizeof one);
        const uint32_t *list = jobs_listed(b, b->args->value[i], &one.jobs);
        if (one.jobs == 0 || one.jobs > MOST)
            die(BAD_USE, "--bag names %s, but a bag has 1 to %u", counted(one.jobs, "job", "jobs"),
                (unsigned)MOST);
        memcpy(one.job, list, one.jobs * sizeof *list);
        if (j) {
            json_open(j, NULL, '{');
            json_bag(b, j, &one);
            json_close(j, '}');
        } else print_bag(b, &one);
    }
}

static int run(const arguments *args) {
    static const char *const of_queue[] = {"slots", "machines"};
    kept answers; /* printed if every question has one */
    bags b;
    memset(&b, 0, sizeof b);
    b.args = args;
    b.path = args->word[0];
    b.env = env_open(args);
    for (size_t i = 0; i < 2; ++i)
        if (arguments_has(args, of_queue[i]) && !arguments_has(args, "queue"))
            die(BAD_USE, "--%s needs --queue", of_queue[i]);
    read_bags(&b);
    learn_all(&b);
    b.to = kept_open(&answers);
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, b.to);
        json_table(&b, &j);
        for (int queues = 0; queues < 2; ++queues) {
            json_open(&j, queues ? "queues" : "bags", '[');
            answer(&b, queues ? "queue" : "bag", &j);
            json_close(&j, ']');
        }
        json_end(&j);
    } else {
        print_table(&b);
        if (!arguments_has(args, "bag") && !arguments_has(args, "queue")) print_jobs(&b);
        answer(&b, "bag", NULL);
        answer(&b, "queue", NULL);
    }
    kept_release(&answers, stdout);
    return finish();
}

const command bags_command = {
    .name = "bags",
    .summary = "predict how long jobs take next to each other, and place a queue, from whole runs",
    .usage = "RUNS.csv [--bag A,B,...] [--queue A,B,... --slots N --machines N]",
    .least = 1,
    .most = 1,
    .text =
        "The table has a row for each job of each run: the run, the name of the job and its time. Jobs of "
        "one run were next to each other all the time. A run with one job is the time alone. Leave the time "
        "empty if it is unknown, such as that of a microbenchmark (Low, Medium, High) without an end. "
        "The mean of several times alone counts, and a slowdown is at least 1. The last 8192 times next to "
        "others are used.\n\n"
        "Without --bag and --queue, prints for each job how much others slow it, and how much it slows "
        "them. Sets of jobs are left out and predicted, for the error on sets that were never "
        "together.\n\n"
        "Each answer has a basis. measured: the job alone or the pair was measured. pairs measured: of three "
        "jobs or more each pair was, which says less of all together. learned: each job was seen next to "
        "others, but not each pair. outside: a job was never seen next to others, and the answer is a guess "
        "from the mean of all.\n\n"
        "A queue is divided into bags so that their times have a small sum. The longest bag starts first, on "
        "the machine that is free first. Append what ran to the table, and ask again.",
    .example = "sooth bags runs.csv --bag stream,solver\n"
               "  sooth bags runs.csv --queue stream,solver,parser,parser --slots 2 --machines 2",
    .flags = flags,
    .run = run};
