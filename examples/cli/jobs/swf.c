/* swf.c - logs in the Standard Workload Format: a job per line, 18 numbers, -1 for unknown.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "replay.h"

#include <math.h>

enum {
    NUMBER,
    SUBMIT,
    WAIT,
    RUN,
    ALLOCATED,
    CPU,
    MEMORY,
    PROCESSORS,
    REQUESTED,
    REQUESTED_MEMORY,
    STATUS,
    USER,
    GROUP,
    PROGRAM,
    QUEUE,
    PARTITION,
    PRECEDING,
    THINK,
    FIELDS
};

/* Returns the number after "; Name:" on a line of the header; 0 if it is another line. */
static double header_number(const char *line, size_t size, const char *name) {
    const size_t length = strlen(name);
    double value = 0.0;
    size_t at = 1;
    while (at < size && line[at] == ' ') ++at;
    if (size - at < length || memcmp(line + at, name, length) != 0) return 0.0;
    for (at += length; at < size && (line[at] == ' ' || line[at] == '\t');) ++at;
    sooth_text_to_double(line + at, size - at, &value);
    return value;
}

/* Reads the 18 numbers of a line; dies if they are invalid. Returns 0 for an empty line. */
static int fields_of(const char *path, size_t number, const char *line, size_t size, double *field) {
    size_t at = 0, count = 0;
    for (;;) {
        while (at < size && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r')) ++at;
        if (at == size) break;
        if (count == FIELDS)
            die(BAD_INPUT, "%s: line %zu: there are more than 18 numbers; a job has 18", path, number);
        const size_t used = sooth_text_to_double(line + at, size - at, &field[count]);
        if (!used || (at + used < size && !strchr(" \t\r", line[at + used])))
            die(BAD_INPUT,
                "%s: line %zu: \"%s\" is not a number; is this a log in the Standard Workload Format?", path,
                number, printable(split_list(line + at, &count)[0]));
        if (!(field[count] >= -1e15 && field[count] <= 1e15))
            die(BAD_INPUT, "%s: line %zu: number %zu is beyond 10^15", path, number, count + 1);
        at += used;
        ++count;
    }
    if (count && count < FIELDS)
        die(BAD_INPUT, "%s: line %zu: there are %zu numbers, but a job has 18", path, number, count);
    return count != 0;
}

/* Converts a field to a number that identifies a level. */
static uint32_t level_of(double field) { return (uint32_t)(int64_t)field; }

static void job_of(const double *field, queue_job *job) {
    const double wide = field[PROCESSORS] > 0.0 ? field[PROCESSORS] : field[ALLOCATED];
    job->number = level_of(field[NUMBER]);
    job->submit = (int64_t)field[SUBMIT];
    job->run = (int64_t)field[RUN];
    job->requested = (int64_t)field[REQUESTED];
    job->processors = wide >= 1.0 && wide < 4e9 ? (uint32_t)wide : 0;
    job->user = level_of(field[USER]);
    job->group = level_of(field[GROUP]);
    job->program = level_of(field[PROGRAM]);
    job->queue = level_of(field[QUEUE]);
}

static int by_submission(const void *a, const void *b) {
    const queue_job *x = (const queue_job *)a, *y = (const queue_job *)b;
    if (x->submit != y->submit) return x->submit < y->submit ? -1 : 1;
    return (x->predicted > y->predicted) - (x->predicted < y->predicted); /* by position in the file */
}

/* Leaves out jobs that cannot be replayed. In the worst case all jobs run one by one; a log whose end would
   then overflow 64 bits is refused. */
static void clean(const char *path, swf_log *log) {
    size_t kept = 0;
    uint32_t most = 0;
    int64_t last = 0;
    double all = 0.0;
    for (size_t i = 0; i < log->count; ++i)
        if (log->job[i].processors > most) most = log->job[i].processors;
    if (!log->processors) log->processors = most;
    for (size_t i = 0; i < log->count; ++i) {
        queue_job *job = &log->job[i];
        job->predicted = (int64_t)i;
        if (job->run <= 0 || job->submit < 0) ++log->never_ran;
        else if (job->processors == 0) ++log->no_processors;
        else if (job->requested <= 0) ++log->no_request;
        else if (job->processors > log->processors) ++log->too_wide;
        else {
            log->cut += job->run > job->requested;
            if (job->run > job->requested) job->run = job->requested;
            if (job->submit > last) last = job->submit;
            all += (double)job->requested;
            log->job[kept++] = *job;
        }
    }
    log->count = kept;
    if (!kept) die(BAD_INPUT, "%s: no job can be replayed", path);
    if (all + (double)last > 4e18)
        die(BAD_INPUT, "%s: the requested times add up to %.3g s, beyond the maximum of 4e18", path, all);
    qsort(log->job, kept, sizeof *log->job, by_submission);
}

void swf_read(const char *path, uint32_t processors, swf_log *log) {
    size_t size, room = 0, number = 0;
    char *text = read_file(path, NULL, &size);
    double header_processors = 0.0, header_nodes = 0.0, field[FIELDS];
    const char *what = binary_format(text, size);
    memset(log, 0, sizeof *log);
    if (what) die(BAD_INPUT, "%s is %s", path, what);
    for (size_t at = 0, end; at < size; at = end + 1) {
        const char *newline = (const char *)memchr(text + at, '\n', size - at);
        end = newline ? (size_t)(newline - text) : size;
        ++number;
        if (text[at] == ';') {
            const double p = header_number(text + at, end - at, "MaxProcs:");
            const double n = header_number(text + at, end - at, "MaxNodes:");
            if (p > 0.0) header_processors = p;
            if (n > 0.0) header_nodes = n;
            continue;
        }
        if (!fields_of(path, number, text + at, end - at, field)) continue;
        if (log->count == room) {
            queue_job *more = (queue_job *)allocate(room = 2 * room + 4096, sizeof *more);
            if (log->count) memcpy(more, log->job, log->count * sizeof *more);
            free(log->job);
            log->job = more;
        }
        job_of(field, &log->job[log->count++]);
    }
    free(text);
    if (!log->count) die(BAD_INPUT, "%s: the log has no jobs", path);
    if (!header_processors) header_processors = header_nodes;
    log->processors = processors ? processors : header_processors < 4e9 ? (uint32_t)header_processors : 0;
    clean(path, log);
}
