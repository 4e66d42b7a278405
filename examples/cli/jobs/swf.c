/* swf.c - logs in the Standard Workload Format: a job per line, 18 numbers, -1 for unknown.
 * The rules for run times of 0, fractions and status 2 to 4 are those of its definition, version 2.2.
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

static const char *const field_name[FIELDS] = {"job number",
                                               "submit time",
                                               "wait time",
                                               "run time",
                                               "number of allocated processors",
                                               "CPU time",
                                               "memory",
                                               "number of requested processors",
                                               "requested time",
                                               "requested memory",
                                               "status",
                                               "user",
                                               "group",
                                               "executable",
                                               "queue",
                                               "partition",
                                               "preceding job",
                                               "think time"};

const swf_reason swf_reasons[SWF_REASONS] = {
    {"partial", "partial executions (status 2 to 4), which a line with status 0 or 1 sums up",
     "the log needs the lines that sum up whole jobs"},
    {"no_submit_time", "without a submit time (negative)",
     "write seconds since the start of the log into field 2"},
    {"never_ran", "that never ran (run time not known, or 0 of a cancelled job)",
     "the run time is field 4, in seconds"},
    {"no_processors", "without a number of processors", "write it into field 8, or into field 5"},
    {"no_requested_time", "without a requested time",
     "write the time limit of each job into field 9; backfilling needs it"},
    {"too_wide", "that request more processors than the machine has", "--processors N sets its number"}};

/* ---- words ---- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static size_t word_length(const char *text, size_t size) {
    size_t length = 0;
    while (length < size && !is_blank(text[length])) ++length;
    return length;
}

/* Returns a printable copy of the first 40 bytes of a word. */
static const char *shown(const char *word, size_t length) {
    static char copy[48];
    const size_t most = 40;
    size_t n = length < most ? length : most;
    while (n < length && n && ((unsigned char)word[n] & 0xC0) == 0x80) --n; /* keeps characters whole */
    for (size_t i = 0; i < n; ++i) copy[i] = word[i] ? word[i] : '?';
    snprintf(copy + n, sizeof copy - n, "%s", n < length ? "..." : "");
    return printable(copy);
}

/* ---- the header ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* Returns the value of a line "; name: value", or NULL if it is another line. */
static const char *header_value(const char *line, const char *end, const char *name) {
    for (++line; line < end && is_blank(*line);) ++line;
    for (; *name; ++name, ++line)
        if (line == end || lower(*line) != *name) return NULL;
    while (line < end && is_blank(*line)) ++line;
    return line;
}

/* Reads a count of the header, which may have commas between thousands and text after a blank. Returns 0 if
   it is not known; dies if it is invalid. */
static double header_count(const char *path, size_t number, const char *name, const char *text,
                           const char *end) {
    const size_t word = word_length(text, (size_t)(end - text));
    const size_t length = word > 1 && strchr(",;.", text[word - 1]) ? word - 1 : word; /* 16, of them 4 */
    const char *next = text + word;
    char digits[24];
    size_t n = 0, group = 0, commas = 0, used = 0;
    double value = 0.0;
    if (!length) return 0.0;
    for (size_t i = 0; i < length && n < sizeof digits; ++i) {
        if (text[i] == ',' && (commas ? group == 3 : group >= 1 && group <= 3)) ++commas, group = 0;
        else digits[n++] = text[i], ++group;
    }
    if (n < sizeof digits && (!commas || group == 3)) used = sooth_text_to_double(digits, n, &value);
    while (next < end && is_blank(*next)) ++next;
    const size_t more = word_length(next, (size_t)(end - next));
    const int spaced = more == 3 && length <= 3 && strspn(next, "0123456789") >= 3; /* 1 024 */
    if (!used || used < n || spaced || !(value >= -1.0 && value <= 4e9) || value > (double)(int64_t)value)
        die(BAD_INPUT,
            "%s: line %zu: %s is \"%s\", but must be an integer; correct it, or use --processors N", path,
            number, name, shown(text, spaced ? (size_t)(next + more - text) : length));
    if (commas)
        fprintf(stderr, "%s: line %zu: %s is \"%s\", taken as %.0f processors\n", path, number, name,
                shown(text, length), value);
    return value > 0.0 ? value : 0.0;
}

/* ---- levels: users, groups, executables, queues ---- */

/* The texts of levels that are not plain numbers below SWF_NAMED, such as 007 and 17000000012, and a hash
   table of their numbers + 1; 0: free. */
typedef struct levels_seen {
    char **name;
    uint32_t *slot, names, slots;
} levels_seen;

static uint32_t hash_of(const char *text, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; ++i) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h ^ h >> 15;
}

/* Returns the slot of a text. */
static uint32_t *slot_of(const levels_seen *seen, const char *text, size_t length) {
    uint32_t at = hash_of(text, length) & (seen->slots - 1);
    for (; seen->slot[at]; at = (at + 1) & (seen->slots - 1)) {
        const char *name = seen->name[seen->slot[at] - 1];
        if (strncmp(name, text, length) == 0 && !name[length]) break;
    }
    return &seen->slot[at];
}

/* Doubles the table once it is half full. */
static void make_room(levels_seen *seen) {
    const levels_seen before = *seen;
    if (2 * (seen->names + 1) <= seen->slots) return;
    seen->slots = before.slots ? 2 * before.slots : 64;
    seen->slot = (uint32_t *)allocate(seen->slots, sizeof *seen->slot);
    seen->name = (char **)allocate(seen->slots / 2, sizeof *seen->name);
    for (uint32_t i = 0; i < seen->names; ++i) {
        seen->name[i] = before.name[i];
        *slot_of(seen, before.name[i], strlen(before.name[i])) = i + 1;
    }
    free(before.slot);
    free(before.name);
}

/* Returns the number by which the text of a field is told from others; UINT32_MAX: not known. Dies if its
   value is not an integer. */
static uint32_t level_of(const char *path, size_t line, size_t k, const char *text, size_t length,
                         double value, levels_seen *seen) {
    const size_t digits = strspn(text, "0123456789");
    if (value <= -1.0 && value >= -1.0) return UINT32_MAX;
    if (value < 0.0 || (value < 9e15 && value > (double)(int64_t)value))
        die(BAD_INPUT, "%s: line %zu: field %zu, the %s, is %s, but must be an integer, 0 or above, or -1",
            path, line, k + 1, field_name[k], shown(text, length));
    if (digits == length && value < (double)SWF_NAMED && (length == 1 || *text != '0'))
        return (uint32_t)value;
    make_room(seen);
    uint32_t *slot = slot_of(seen, text, length);
    if (!*slot) {
        seen->name[seen->names] = (char *)memcpy(allocate(length + 1, 1), text, length);
        *slot = ++seen->names;
    }
    return SWF_NAMED + *slot - 1;
}

/* ---- jobs ---- */

/* Dies if a field is not a valid value. */
static void check_field(const char *path, size_t number, size_t k, double value) {
    static const double most[FIELDS] = {
        [NUMBER] = 1e15, [ALLOCATED] = 4e9, [PROCESSORS] = 4e9, [STATUS] = 1e15};
    const double least = k == NUMBER || k == STATUS ? -1e15 : -1.0;
    if (!(value >= -1e15 && value <= 1e15))
        die(BAD_INPUT, "%s: line %zu: field %zu, the %s, is beyond 10^15", path, number, k + 1,
            field_name[k]);
    if (most[k] > 0.0 && (value < least || value > most[k] || value < (double)(int64_t)value ||
                          value > (double)(int64_t)value))
        die(BAD_INPUT,
            "%s: line %zu: field %zu, the %s, is %.16g, but must be an integer between %.0f and %.0f", path,
            number, k + 1, field_name[k], value, least, most[k]);
}

static int is_level(size_t k) { return k >= USER && k <= QUEUE; }

/* Reads the 18 numbers of a line; dies if they are invalid. Users, groups, executables and queues become
   their levels. Returns 0 for an empty line. */
static int fields_of(const char *path, size_t number, int first, const char *line, size_t size, double *field,
                     levels_seen *seen) {
    size_t at = 0, count = 0;
    for (;;) {
        while (at < size && is_blank(line[at])) ++at;
        if (at == size) break;
        if (count == FIELDS)
            die(BAD_INPUT, "%s: line %zu: there are more than 18 numbers; a job has 18", path, number);
        const size_t length = word_length(line + at, size - at);
        const int is_number = sooth_text_to_double(line + at, length, &field[count]) == length &&
                              field[count] - field[count] <= 0.0;
        if (!is_number && first && !count)
            die(BAD_INPUT,
                "%s: line %zu: \"%s\" is not a number; is this a log in the Standard Workload Format?", path,
                number, shown(line + at, length));
        if (!is_number)
            die(BAD_INPUT,
                "%s: line %zu: field %zu, the %s, is \"%s\", but must be a number; -1 means not known%s",
                path, number, count + 1, field_name[count], shown(line + at, length),
                count >= USER && count <= PARTITION ? ", and names are numbered" : "");
        if (is_level(count))
            field[count] = level_of(path, number, count, line + at, length, field[count], seen);
        else check_field(path, number, count, field[count]);
        at += length;
        ++count;
    }
    if (count && count < FIELDS)
        die(BAD_INPUT, "%s: line %zu: there are %zu numbers, but a job has 18; -1 means not known", path,
            number, count);
    return count != 0;
}

/* A run time of 0 is less than half a second, unless the job was cancelled or no processor was allocated. */
static int has_run(const double *field) {
    const int cancelled = field[STATUS] >= 5.0 && field[STATUS] <= 5.0;
    const int completed = field[STATUS] >= 1.0 && field[STATUS] <= 1.0;
    if (field[RUN] > 0.0) return 1;
    return field[RUN] >= 0.0 && !cancelled && (completed || field[ALLOCATED] > 0.0);
}

static double width_of(const double *field) {
    return field[PROCESSORS] > 0.0 ? field[PROCESSORS] : field[ALLOCATED];
}

/* Returns why a job cannot be replayed, or SWF_REASONS if it can on a machine that is wide enough. */
static size_t reason_of(const double *field) {
    if (field[STATUS] >= 2.0 && field[STATUS] <= 4.0) return SWF_PARTIAL;
    if (field[SUBMIT] < 0.0) return SWF_NO_SUBMIT;
    if (!has_run(field)) return SWF_NEVER_RAN;
    if (!(width_of(field) > 0.0)) return SWF_NO_PROCESSORS;
    if (!(field[REQUESTED] > 0.0)) return SWF_NO_REQUEST;
    return SWF_REASONS;
}

static int has_fraction(double value) { return value > (double)(int64_t)value; }

/* Rounds to seconds, and to at least `least`. */
static int64_t seconds_of(double value, int64_t least) {
    const int64_t seconds = (int64_t)(value + 0.5);
    return seconds > least ? seconds : least;
}

static void take_job(swf_log *log, const double *field, size_t line, queue_job *job) {
    memset(job, 0, sizeof *job);
    job->number = (int64_t)field[NUMBER];
    job->submit = seconds_of(field[SUBMIT], 0);
    job->run = seconds_of(field[RUN], 1);
    job->requested = seconds_of(field[REQUESTED], 1);
    job->processors = (uint32_t)width_of(field);
    job->user = (uint32_t)field[USER];
    job->group = (uint32_t)field[GROUP];
    job->program = (uint32_t)field[PROGRAM];
    job->queue = (uint32_t)field[QUEUE];
    job->predicted = (int64_t)line;
    log->instant += field[RUN] < 0.5;
    log->rounded += field[RUN] >= 0.5 && (has_fraction(field[SUBMIT]) || has_fraction(field[RUN]) ||
                                          has_fraction(field[REQUESTED]));
}

static int by_submission(const void *a, const void *b) {
    const queue_job *x = (const queue_job *)a, *y = (const queue_job *)b;
    if (x->submit != y->submit) return x->submit < y->submit ? -1 : 1;
    return (x->predicted > y->predicted) - (x->predicted < y->predicted); /* by position in the file */
}

static int by_job_number(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns how many numbers several jobs have. */
static size_t repeated_numbers(const swf_log *log) {
    int64_t *all = (int64_t *)allocate(log->count, sizeof *all);
    size_t repeated = 0;
    for (size_t i = 0; i < log->count; ++i) all[i] = log->job[i].number;
    qsort(all, log->count, sizeof *all, by_job_number);
    for (size_t i = 1; i < log->count; ++i)
        repeated += all[i] == all[i - 1] && (i == 1 || all[i] != all[i - 2]);
    free(all);
    return repeated;
}

/* Dies with the reasons for which every job was left out, and the cure of the most frequent one. */
static void refuse_all(const char *path, const swf_log *log) {
    char reasons[500] = "";
    size_t most = 0;
    for (size_t k = 0; k < SWF_REASONS; ++k) {
        const size_t length = strlen(reasons);
        if (log->left_out[k] > log->left_out[most]) most = k;
        if (log->left_out[k])
            snprintf(reasons + length, sizeof reasons - length, "%s%zu %s", length ? ", " : "",
                     log->left_out[k], swf_reasons[k].words);
    }
    if (most == SWF_TOO_WIDE)
        die(BAD_INPUT, "%s: no job can be replayed: %s, %u; %s", path, reasons, (unsigned)log->processors,
            swf_reasons[most].cure);
    die(BAD_INPUT, "%s: no job can be replayed: %s; %s", path, reasons, swf_reasons[most].cure);
}

/* Leaves out jobs that are wider than the machine. In the worst case all jobs run one by one; a log whose end
   would then overflow 64 bits is refused. */
static void clean(const char *path, swf_log *log) {
    size_t kept = 0;
    int64_t last = 0;
    double all = 0.0;
    for (size_t i = 0; i < log->count; ++i) {
        queue_job *job = &log->job[i];
        if (job->processors > log->processors) {
            ++log->left_out[SWF_TOO_WIDE];
            continue;
        }
        log->cut += job->run > job->requested;
        if (job->run > job->requested) job->run = job->requested;
        if (job->submit > last) last = job->submit;
        all += (double)job->requested;
        log->job[kept++] = *job;
    }
    log->count = kept;
    if (!kept) refuse_all(path, log);
    if (all + (double)last > 4e18)
        die(BAD_INPUT, "%s: the requested times add up to %.3g s, beyond the maximum of 4e18", path, all);
    log->repeated = repeated_numbers(log);
    qsort(log->job, kept, sizeof *log->job, by_submission);
}

/* Sets the number of processors of the machine, and where it is from. */
static void size_machine(swf_log *log, uint32_t given, double processors, double nodes, double widest) {
    const double number = given ? given : processors > 0.0 ? processors : nodes > 0.0 ? nodes : widest;
    log->processors = (uint32_t)number;
    log->processors_from = given              ? "--processors"
                           : processors > 0.0 ? "MaxProcs"
                           : nodes > 0.0      ? "MaxNodes"
                                              : "largest job";
}

static void add_job(swf_log *log, const double *field, size_t line, size_t *room) {
    const size_t reason = reason_of(field);
    if (reason != SWF_REASONS) {
        ++log->left_out[reason];
        return;
    }
    if (log->count == *room) {
        queue_job *more = (queue_job *)allocate(*room = 2 * *room + 4096, sizeof *more);
        if (log->count) memcpy(more, log->job, log->count * sizeof *more);
        free(log->job);
        log->job = more;
    }
    take_job(log, field, line, &log->job[log->count++]);
}

void swf_read(const char *path, uint32_t processors, swf_log *log) {
    size_t size, room = 0, number = 0, jobs = 0;
    char *text = read_file(path, NULL, &size);
    double header_processors = 0.0, header_nodes = 0.0, widest = 0.0, field[FIELDS];
    levels_seen seen = {NULL, NULL, 0, 0};
    const char *what = binary_format(text, size), *value;
    memset(log, 0, sizeof *log);
    if (size > 1 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        what = "UTF-16; save it as UTF-8";
    if (what) die(BAD_INPUT, "%s is %s", path, what);
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* after a byte order mark */
    for (size_t end; at < size; at = end + 1) {
        const char *newline = (const char *)memchr(text + at, '\n', size - at);
        end = newline ? (size_t)(newline - text) : size;
        ++number;
        while (at < end && is_blank(text[at])) ++at;
        if (at < end && text[at] == ';') {
            if (processors) continue;
            value = header_value(text + at, text + end, "maxprocs:");
            if (value) header_processors = header_count(path, number, "MaxProcs", value, text + end);
            value = header_value(text + at, text + end, "maxnodes:");
            if (value) header_nodes = header_count(path, number, "MaxNodes", value, text + end);
            continue;
        }
        if (!fields_of(path, number, jobs == 0, text + at, end - at, field, &seen)) continue;
        ++jobs;
        if (width_of(field) > widest) widest = width_of(field);
        add_job(log, field, number, &room);
    }
    free(text);
    free(seen.slot);
    log->name = seen.name;
    if (!jobs) die(BAD_INPUT, "%s: the log has no jobs", path);
    size_machine(log, processors, header_processors, header_nodes, widest);
    clean(path, log);
}
