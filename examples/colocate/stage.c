/* stage.c - see stage.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity, MAP_ANONYMOUS */
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE
#endif
#include "stage.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#include "../../bench/micro/high.h"
#include "../../bench/micro/low.h"
#include "../../bench/micro/medium.h"

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* there SO_NOSIGPIPE keeps a dead reader from ending us */
#endif

enum {
    PROCESSES = STAGE_PLACES + 1, /* the last runs the microbenchmarks */
    MICRO_PARTS = 8,              /* of a step of a microbenchmark that presses on another part */
    MOST_CORES = 64,
    POLL_MS = 100,
    SILENT_POLLS = 100, /* this many in a row without an answer are ten seconds */
    ANY_CORE = -1
};

#define MOST_MICRO_NS 5000000000u /* a microbenchmark ends after five seconds in any case */

/* ---- what is shared ---- */

typedef enum stage_order {
    ORDER_LOAD,
    ORDER_CALIBRATE,
    ORDER_READY,
    ORDER_JOB,
    ORDER_LOAD_MICROS,
    ORDER_MICRO,
    ORDER_LOAD_PRESSURE,
    ORDER_PRESSURE
} stage_order;

/* One per process. The caller writes the upper half and sends a byte. The process fills the lower half and
   sends one back. The bytes pass through the kernel, which orders the accesses. */
typedef struct stage_slot {
    stage_order order;
    stage_task task;
    stage_micro micro;
    uint32_t kind;  /* of pressure: of the kernel, or of the microbenchmarks */
    int core;       /* to stay on, or ANY_CORE of the stage */
    int ends_micro; /* the microbenchmark, or the neighbouring kernel, stops when this job ends */
    uint64_t seed;
    uint64_t units; /* to do; of ORDER_CALIBRATE: the answer */
    uint64_t start_ns;
    uint64_t limit_ns; /* when a microbenchmark ends by itself; of ORDER_CALIBRATE: the wanted length of a
                          job */

    int failed; /* no memory */
    uint64_t end_ns, cpu_ns;
    uint64_t done;             /* images, steps */
    uint64_t steps[PRESSURES]; /* of ORDER_LOAD_PRESSURE: see stage_pressure_load */
    double count[COUNTERS];
    uint32_t checksum;
    unsigned char apart[64]; /* so that two processes never write to one line of the cache */
} stage_slot;

typedef struct stage_board {
    stage_slot slot[PROCESSES];
    atomic_uint stop; /* the microbenchmark is to end: a task has */
    int counter_error;
} stage_board;

struct stage {
    stage_board *board;
    pid_t pid[PROCESSES];
    int fd[PROCESSES];
    stage_task task[STAGE_PLACES];
    int pressing;         /* the first two processes hold kernels instead of tasks */
    int core[MOST_CORES]; /* the cores of the stage */
    stage_machine about;
    energy meter;
    int has_micros; /* their input exists */
    uint32_t axis;  /* their kind of pressure; PRESSURES: memory, as in the paper */
    sooth_rng rng;  /* which tasks share a core */
};

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

sooth_status stage_fail(sooth_env *env, sooth_status status, const char *format, ...) {
    if (env) {
        va_list list;
        va_start(list, format);
        vsnprintf(env->sentence, sizeof env->sentence, format, list);
        va_end(list);
    }
    return status;
}

/* ---- the machine ---- */

/* A stage as large as the machine, if it cannot be smaller. */
static void all_cores(stage_machine *about) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    about->cores = online > 0 ? (uint32_t)online : 1;
    about->stage = about->cores < MOST_CORES ? about->cores : MOST_CORES;
}

#ifdef __linux__

/* The first line of a file of /sys, or "". */
static void read_line(char *text, size_t size, const char *format, int cpu, int index) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/", cpu);
    snprintf(path + strlen(path), sizeof path - strlen(path), "%s", format);
    if (strstr(path, "index?")) strstr(path, "index?")[5] = (char)('0' + index);
    text[0] = 0;
    FILE *file = fopen(path, "r");
    if (!file) return;
    if (!fgets(text, (int)size, file)) text[0] = 0;
    fclose(file);
}

/* Is cpu in a list such as "0-3,8"? An empty list contains none. */
static int list_has(const char *list, int cpu) {
    while (*list) {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (end == list) return 0;
        if (*end == '-') last = strtol(end + 1, &end, 10);
        if (cpu >= first && cpu <= last) return 1;
        list = *end == ',' ? end + 1 : "";
    }
    return 0;
}

/* Chooses up to `wanted` of the cores we may use. First come those that share the last cache with the
   first but no execution units, then those that share no execution units, then any. Returns their number. */
static uint32_t choose_cores(int *core, uint32_t wanted, const cpu_set_t *allowed) {
    char caches[256] = "", siblings[256];
    uint32_t count = 0;
    int cpu;
    for (int pass = 0; pass < 3; ++pass)
        for (cpu = 0; cpu < CPU_SETSIZE && count < wanted; ++cpu) {
            int taken = !CPU_ISSET((size_t)cpu, allowed);
            if (!taken && pass < 2)
                read_line(siblings, sizeof siblings, "topology/thread_siblings_list", cpu, 0);
            for (uint32_t i = 0; i < count; ++i)
                taken |= core[i] == cpu || (pass < 2 && list_has(siblings, core[i]));
            if (count > 0 && pass == 0 && !list_has(caches, cpu)) taken = 1;
            if (taken) continue;
            if (count == 0) read_line(caches, sizeof caches, "cache/index3/shared_cpu_list", cpu, 0);
            core[count++] = cpu;
        }
    return count;
}

static void find_caches(stage_machine *about, int cpu) {
    for (int index = 0; index < 8; ++index) {
        char level[16], type[32], size[32], *unit;
        unsigned long bytes;
        read_line(level, sizeof level, "cache/index?/level", cpu, index);
        read_line(type, sizeof type, "cache/index?/type", cpu, index);
        read_line(size, sizeof size, "cache/index?/size", cpu, index);
        if (level[0] < '1' || level[0] > '3' || type[0] == 'I') continue;
        bytes = strtoul(size, &unit, 10);
        about->cache[level[0] - '1'] = (size_t)bytes * (*unit == 'M' ? 1048576u : *unit == 'K' ? 1024u : 1u);
    }
}

static void find_machine(stage *s, uint32_t wanted) {
    cpu_set_t allowed;
    all_cores(&s->about);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    s->about.cores = (uint32_t)CPU_COUNT(&allowed);
    s->about.stage = choose_cores(s->core, wanted, &allowed);
    s->about.confined = 1;
    find_caches(&s->about, s->core[0]);
}

/* Keeps the calling process on one core of the stage, or on all of them. */
static void stay_on(const stage *s, int core) {
    cpu_set_t set;
    uint32_t i;
    if (!s->about.confined) return;
    CPU_ZERO(&set);
    for (i = 0; i < s->about.stage; ++i)
        if (core == ANY_CORE || core == (int)i) CPU_SET((size_t)s->core[i], &set);
    sched_setaffinity(0, sizeof set, &set);
}

#else

static void find_machine(stage *s, uint32_t wanted) {
    (void)wanted;
    all_cores(&s->about);
#ifdef __APPLE__
    {
        static const char *const name[3] = {"hw.l1dcachesize", "hw.l2cachesize", "hw.l3cachesize"};
        int k;
        for (k = 0; k < 3; ++k) {
            uint64_t bytes = 0;
            size_t size = sizeof bytes;
            if (sysctlbyname(name[k], &bytes, &size, NULL, 0) == 0) s->about.cache[k] = (size_t)bytes;
        }
    }
#endif
}

static void stay_on(const stage *s, int core) {
    (void)s;
    (void)core;
}

#endif

/* The largest cache; 8 MiB if the system does not report it. */
static size_t last_cache(const stage_machine *about) {
    size_t bytes = 0;
    for (int k = 0; k < 3; ++k)
        if (about->cache[k] > bytes) bytes = about->cache[k];
    return bytes ? bytes : (size_t)8 << 20;
}

/* ---- in the processes ---- */

typedef struct micros {
    micro_images images;
    micro_low low;
    micro_medium medium;
    micro_high high;
    uint32_t grey[MICRO_PIXELS / 4];
    uint32_t array[MICRO_ARRAY];
    uint32_t from[MICRO_HEIGHT][MICRO_WIDTH], sums[MICRO_HEIGHT][MICRO_WIDTH];
    pressure *pressed; /* NULL: they are the paper's */
    uint32_t kind;     /* their other kind of pressure */
    uint32_t filler;   /* steps of arithmetic that last as long as one of that kind */
} micros;

/* One piece of memory, never freed by the program; NULL: none. */
static micros *load_micros(size_t cache_bytes) {
    size_t count = micro_images_count(cache_bytes);
    micros *m = (micros *)malloc(sizeof *m + count * MICRO_PIXELS * sizeof(uint32_t));
    if (!m) return NULL;
    memset(m, 1, sizeof *m);
    m->images.pixel = (uint32_t *)(void *)(m + 1);
    m->images.count = count;
    m->images.next = 0;
    micro_images_fill(&m->images);
    m->low.image = m->grey;
    m->low.array = m->medium.array = m->array;
    m->medium.images = m->high.images = &m->images;
    m->high.array = m->from;
    m->high.sums = m->sums;
    m->pressed = NULL;
    return m;
}

/* The shortest of some steps, in ns. */
static uint64_t shortest_step(pressure *p, uint32_t kind) {
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < pressure_round(p, kind); ++i) pressure_step(p, kind);
    for (int i = 0; i < 8; ++i) {
        uint64_t start = cpu_ns();
        pressure_step(p, kind);
        uint64_t took = cpu_ns() - start;
        if (took < best) best = took;
    }
    return best ? best : 1;
}

/* Changes their kind of pressure. Between its steps are equally long ones that stay in registers: an
   amount of work that no neighbour changes. */
static int press_micros(micros *m, const size_t cache[3], uint32_t kind) {
    m->pressed = pressure_create(cache);
    if (!m->pressed) return 0;
    m->kind = kind;
    m->filler = (uint32_t)(shortest_step(m->pressed, kind) / shortest_step(m->pressed, PRESSURE_INTEGERS));
    if (m->filler == 0) m->filler = 1;
    return 1;
}

/* Low: one part of eight presses, Medium: four, High: all. */
static uint32_t step_pressed(micros *m, stage_micro which) {
    const uint32_t part[STAGE_MICROS] = {1, MICRO_PARTS / 2, MICRO_PARTS};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < part[which]; ++i) sum ^= pressure_step(m->pressed, m->kind);
    for (uint32_t i = 0; i < (MICRO_PARTS - part[which]) * m->filler; ++i)
        sum ^= pressure_step(m->pressed, PRESSURE_INTEGERS);
    return sum;
}

static uint32_t step_micro(micros *m, stage_micro which) {
    if (m->pressed) return step_pressed(m, which);
    switch (which) {
    case MICRO_LOW: return micro_low_step(&m->low);
    case MICRO_MEDIUM: return micro_medium_step(&m->medium);
    case MICRO_HIGH: break;
    }
    return micro_high_step(&m->high);
}

static void wait_until(uint64_t start_ns) {
    while (now_ns() < start_ns) continue;
}

static void run_micro(stage_board *b, stage_slot *mine, micros *m) {
    uint32_t sum = 0;
    mine->done = 0;
    wait_until(mine->start_ns);
    uint64_t cpu = cpu_ns();
    do {
        sum ^= step_micro(m, mine->micro);
        ++mine->done;
        mine->end_ns = now_ns();
    } while (mine->end_ns < mine->limit_ns && !atomic_load_explicit(&b->stop, memory_order_relaxed));
    mine->cpu_ns = cpu_ns() - cpu;
    mine->checksum = sum;
}

static void run_job(stage_board *b, stage_slot *mine, void *state, const counters *c) {
    double before[COUNTERS], after[COUNTERS];
    uint32_t sum = 0;
    wait_until(mine->start_ns);
    counters_read(c, before);
    uint64_t cpu = cpu_ns();
    for (uint64_t unit = 0; unit < mine->units; ++unit) sum ^= workload_run(mine->task.workload, state);
    mine->end_ns = now_ns();
    if (mine->ends_micro) atomic_store_explicit(&b->stop, 1u, memory_order_relaxed);
    mine->cpu_ns = cpu_ns() - cpu;
    counters_read(c, after);
    for (int k = 0; k < COUNTERS; ++k) mine->count[k] = after[k] - before[k];
    mine->checksum = sum;
}

/* Steps for the wanted time, of every kernel. */
static pressure *load_pressure(stage_slot *mine, const size_t cache[3]) {
    pressure *p = pressure_create(cache);
    for (uint32_t kind = 0; kind < PRESSURES && p; ++kind) {
        int able = pressure_able(p, kind);
        uint64_t steps = able ? mine->limit_ns / shortest_step(p, kind) : 0;
        const uint64_t least = pressure_round(p, kind) > 2 ? pressure_round(p, kind) : 2;
        mine->steps[kind] = able && steps < least ? least : steps;
    }
    return p;
}

/* Runs this many steps (0: until the other ends), from the common start. Before them, untimed steps fill
   its cache next to its neighbours, since earlier runs have emptied it. */
static void run_pressure(stage_board *b, stage_slot *mine, pressure *p) {
    uint64_t cpu;
    uint32_t sum = 0;
    wait_until(mine->start_ns);
    for (uint64_t i = 0; mine->units && (i < mine->units / 4 || i < pressure_round(p, mine->kind)); ++i)
        sum ^= pressure_step(p, mine->kind);
    cpu = cpu_ns();
    mine->start_ns = now_ns();
    mine->done = 0;
    do {
        sum ^= pressure_step(p, mine->kind);
        ++mine->done;
        mine->end_ns = now_ns();
    } while (mine->units
                 ? mine->done < mine->units
                 : mine->end_ns < mine->limit_ns && !atomic_load_explicit(&b->stop, memory_order_relaxed));
    if (mine->units) atomic_store_explicit(&b->stop, 1u, memory_order_relaxed);
    mine->cpu_ns = cpu_ns() - cpu;
    mine->checksum = sum;
}

/* Doubles the number of units until they last a third of the wanted time. Takes the best of three such
   runs, since disturbances only make them longer. */
static void calibrate(stage_slot *mine, void *state) {
    uint64_t units = 1, best = 0, wanted = mine->limit_ns;
    uint32_t sum = 0;
    int tries = 0;
    while (tries < 3) {
        uint64_t start = cpu_ns();
        for (uint64_t unit = 0; unit < units; ++unit) sum ^= workload_run(mine->task.workload, state);
        uint64_t took = cpu_ns() - start;
        if (took < wanted / 3 && tries == 0) {
            units *= 2;
            continue;
        }
        if (tries++ == 0 || took < best) best = took;
    }
    mine->checksum = sum;
    mine->units = (units * wanted + best / 2) / (best ? best : 1);
    if (mine->units == 0) mine->units = 1;
}

static int read_byte(int fd) {
    char byte;
    ssize_t got;
    do {
        got = recv(fd, &byte, 1, 0);
    } while (got < 0 && errno == EINTR);
    return got == 1;
}

static int write_byte(int fd) {
    ssize_t sent;
    do {
        sent = send(fd, "", 1, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == 1;
}

/* Makes the input of a task in memory that is kept for the next one, and grown if needed. Returns it, or
   NULL. */
static void *load_task(const stage_slot *mine, void *memory, size_t *room) {
    size_t bytes = workload_bytes(mine->task.workload, mine->task.size);
    if (bytes > *room) {
        free(memory);
        *room = posix_memalign(&memory, WORKLOAD_ALIGN, bytes) == 0 ? bytes : 0;
        if (*room == 0) return NULL;
        memset(memory, 0, bytes); /* every page is there from now on */
    }
    workload_make(mine->task.workload, mine->task.size, mine->seed, memory);
    return memory;
}

/* The loop of a process: sleep, read, work, answer. Ends when the caller has closed the line. */
static void serve(const stage *s, stage_slot *mine, int fd) {
    micros *m = NULL;
    pressure *p = NULL;
    void *state = NULL;
    size_t room = 0;
    int core = ANY_CORE;
    counters c;
    counters_open(&c);
    if (mine == s->board->slot) s->board->counter_error = c.error;
    stay_on(s, core);
    while (write_byte(fd) && read_byte(fd)) {
        if (mine->core != core) stay_on(s, core = mine->core);
        mine->failed = 0;
        switch (mine->order) {
        case ORDER_LOAD:
            pressure_destroy(p);
            p = NULL;
            state = load_task(mine, state, &room);
            mine->failed = !state;
            break;
        case ORDER_LOAD_MICROS:
            if (!m) m = load_micros(last_cache(&s->about));
            if (m) pressure_destroy(m->pressed);
            if (m) m->pressed = NULL;
            mine->failed = !m || (mine->kind < PRESSURES && !press_micros(m, s->about.cache, mine->kind));
            break;
        case ORDER_LOAD_PRESSURE:
            pressure_destroy(p);
            p = load_pressure(mine, s->about.cache);
            mine->failed = !p;
            break;
        case ORDER_PRESSURE: run_pressure(s->board, mine, p); break;
        case ORDER_CALIBRATE: calibrate(mine, state); break;
        case ORDER_READY: mine->checksum = workload_warm(mine->task.workload, mine->task.size, state); break;
        case ORDER_JOB: run_job(s->board, mine, state, &c); break;
        case ORDER_MICRO: run_micro(s->board, mine, m); break;
        }
    }
    _exit(0);
}

/* ---- in the caller ---- */

static const char *describe(const stage *s, int process, char *text, size_t size) {
    const stage_task *task = &s->task[process % STAGE_PLACES];
    if (process == STAGE_PLACES) snprintf(text, size, "the microbenchmarks");
    else if (process < 2 && s->pressing)
        snprintf(text, size, "the kernel for %s", pressure_name(s->board->slot[process].kind));
    else
        snprintf(text, size, "%s %s", workloads[task->workload].name,
                 workloads[task->workload].size[task->size].label);
    return text;
}

static sooth_status lost(sooth_env *env, stage *s, int process) {
    char what[64];
    int status = 0;
    pid_t ended;
    do {
        ended = waitpid(s->pid[process], &status, 0);
    } while (ended < 0 && errno == EINTR);
    s->pid[process] = 0;
    describe(s, process, what, sizeof what);
    if (ended > 0 && WIFSIGNALED(status))
        return stage_fail(env, SOOTH_BAD_DATA, "the process that runs %s was ended by signal %d (%s)", what,
                          WTERMSIG(status), strsignal(WTERMSIG(status)));
    return stage_fail(env, SOOTH_BAD_DATA, "the process that runs %s ended unasked", what);
}

/* Waits for the answers of all processes whose bit is set. */
static sooth_status await(sooth_env *env, stage *s, uint32_t who) {
    int silent = 0;
    while (who) {
        struct pollfd line[PROCESSES];
        int process[PROCESSES], lines = 0;
        for (int i = 0; i < PROCESSES; ++i)
            if (who >> i & 1) {
                line[lines].fd = s->fd[i];
                line[lines].events = POLLIN;
                line[lines].revents = 0;
                process[lines++] = i;
            }
        int ready = poll(line, (nfds_t)lines, POLL_MS);
        if (ready < 0 && errno != EINTR)
            return stage_fail(env, SOOTH_BAD_DATA, "waiting for the tasks failed: %s", strerror(errno));
        if (ready == 0 && ++silent >= SILENT_POLLS) {
            char what[64];
            return stage_fail(env, SOOTH_BAD_DATA, "the process that runs %s has not answered for %d seconds",
                              describe(s, process[0], what, sizeof what), SILENT_POLLS * POLL_MS / 1000);
        }
        for (int i = 0; i < lines && ready > 0; ++i) {
            if (!line[i].revents) continue;
            if (!read_byte(line[i].fd)) return lost(env, s, process[i]);
            who &= ~(1u << process[i]);
            silent = 0;
        }
    }
    return SOOTH_OK;
}

/* Wakes a process to read its slot. */
static sooth_status tell(sooth_env *env, stage *s, int process, stage_order what) {
    s->board->slot[process].order = what;
    return write_byte(s->fd[process]) ? SOOTH_OK : lost(env, s, process);
}

/* In the new process: nothing of the caller's but the line to it. */
static void become(stage *s, int process, int fd) {
    for (int i = 0; i < process; ++i) close(s->fd[i]);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    serve(s, &s->board->slot[process], fd);
}

static sooth_status start_process(sooth_env *env, stage *s, int process) {
    int line[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0)
        return stage_fail(env, SOOTH_NO_MEMORY, "cannot make a line to a process: %s", strerror(errno));
#ifdef SO_NOSIGPIPE
    {
        int on = 1;
        setsockopt(line[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
        setsockopt(line[1], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
#endif
    s->pid[process] = fork();
    if (s->pid[process] == 0) {
        close(line[0]);
        become(s, process, line[1]);
    }
    close(line[1]);
    s->fd[process] = line[0];
    if (s->pid[process] < 0)
        return stage_fail(env, SOOTH_NO_MEMORY, "cannot start a process: %s", strerror(errno));
    return SOOTH_OK;
}

sooth_status stage_open(sooth_env *env, uint32_t cores, stage **out) {
    sooth_status status = SOOTH_OK;
    stage *s;
    *out = NULL;
    if (cores > MOST_CORES)
        return stage_fail(env, SOOTH_BAD_ARGUMENT, "cores is %u, but must be between 1 and %d (0: 2)", cores,
                          MOST_CORES);
    s = (stage *)calloc(1, sizeof *s);
    if (!s) return stage_fail(env, SOOTH_NO_MEMORY, "no memory for the stage");
    for (int i = 0; i < PROCESSES; ++i) s->fd[i] = -1;
    void *memory = mmap(NULL, sizeof(stage_board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        free(s);
        return stage_fail(env, SOOTH_NO_MEMORY, "no memory to share between processes: %s", strerror(errno));
    }
    s->board = (stage_board *)memory;
    atomic_init(&s->board->stop, 0u);
    sooth_rng_init(&s->rng, 0, 0);
    s->axis = PRESSURES;
    for (int i = 0; i < PROCESSES; ++i) s->board->slot[i].core = ANY_CORE;
    find_machine(s, cores ? cores : 2);
    for (int i = 0; i < PROCESSES && status == SOOTH_OK; ++i) status = start_process(env, s, i);
    if (status == SOOTH_OK)
        status = await(env, s, (1u << PROCESSES) - 1); /* they report once when they are there */
    if (status != SOOTH_OK) {
        stage_close(s);
        return status;
    }
    s->about.counter_error = s->board->counter_error;
    energy_open(&s->meter, NULL);
    s->about.energy_reason = energy_reason(&s->meter);
    s->about.cap_w = s->meter.cap_w;
    *out = s;
    return SOOTH_OK;
}

void stage_close(stage *s) {
    if (!s) return;
    for (int i = 0; i < PROCESSES; ++i)
        if (s->pid[i] > 0) kill(s->pid[i], SIGKILL);
    for (int i = 0; i < PROCESSES; ++i) {
        if (s->fd[i] >= 0) close(s->fd[i]);
        while (s->pid[i] > 0 && waitpid(s->pid[i], NULL, 0) < 0 && errno == EINTR) continue;
    }
    munmap(s->board, sizeof *s->board);
    free(s);
}

const stage_machine *stage_about(const stage *s) { return &s->about; }

sooth_status stage_load(sooth_env *env, stage *s, const stage_task *task, uint32_t tasks, uint64_t seed) {
    sooth_status status;
    s->pressing = 0;
    for (uint32_t i = 0; i < tasks; ++i) {
        stage_slot *to = &s->board->slot[i];
        to->task = s->task[i] = task[i];
        to->seed = seed;
        to->core = ANY_CORE;
        status = tell(env, s, (int)i, ORDER_LOAD);
        if (status != SOOTH_OK) return status;
    }
    status = await(env, s, (1u << tasks) - 1);
    for (uint32_t i = 0; i < tasks && status == SOOTH_OK; ++i) {
        char what[64];
        if (s->board->slot[i].failed)
            status = stage_fail(env, SOOTH_NO_MEMORY, "no memory for %s (%zu bytes)",
                                describe(s, (int)i, what, sizeof what),
                                workload_bytes(task[i].workload, task[i].size));
    }
    return status;
}

sooth_status stage_calibrate(sooth_env *env, stage *s, double ms, uint64_t *units) {
    s->board->slot[0].limit_ns = (uint64_t)(ms * 1e6);
    sooth_status status = tell(env, s, 0, ORDER_CALIBRATE);
    if (status == SOOTH_OK) status = await(env, s, 1u);
    *units = s->board->slot[0].units;
    return status;
}

/* The images of the microbenchmarks are made before the first of them runs. */
static sooth_status load_micros_once(sooth_env *env, stage *s) {
    if (s->has_micros) return SOOTH_OK;
    s->board->slot[STAGE_PLACES].kind = s->axis;
    sooth_status status = tell(env, s, STAGE_PLACES, ORDER_LOAD_MICROS);
    if (status == SOOTH_OK) status = await(env, s, 1u << STAGE_PLACES);
    if (status == SOOTH_OK && s->board->slot[STAGE_PLACES].failed)
        status =
            stage_fail(env, SOOTH_NO_MEMORY, "no memory for the images of the microbenchmarks (%zu bytes)",
                       micro_images_count(last_cache(&s->about)) * MICRO_PIXELS * sizeof(uint32_t));
    s->has_micros = status == SOOTH_OK;
    return status;
}

/* Assigns cores to the processes of a run. If there are enough, each has one, the same every time if
   possible. Otherwise they are dealt out at random, equally many to every core. */
static void take_places(stage *s, uint32_t who, int crowded) {
    int cores = (int)s->about.stage;
    uint32_t deal[PROCESSES], n = 0;
    uint64_t taken = 0;
    for (int process = 0; process < PROCESSES; ++process) {
        int core = process == STAGE_PLACES ? cores - 1 : process % cores;
        if (!(who >> process & 1)) continue;
        deal[n++] = (uint32_t)process;
        if (crowded) continue;
        while (taken >> core & 1) core = (core + 1) % cores;
        taken |= (uint64_t)1 << core;
        s->board->slot[process].core = core;
    }
    if (!crowded) return;
    sooth_rng_shuffle(&s->rng, deal, n);
    for (uint32_t i = 0; i < n; ++i) s->board->slot[deal[i]].core = (int)i % cores;
}

static int bits_of(uint32_t set) {
    int count = 0;
    for (; set; set &= set - 1) ++count;
    return count;
}

static sooth_status tell_all(sooth_env *env, stage *s, uint32_t who, stage_order what) {
    sooth_status status = SOOTH_OK;
    for (int process = 0; process < PROCESSES && status == SOOTH_OK; ++process)
        if (who >> process & 1) status = tell(env, s, process, process == STAGE_PLACES ? ORDER_MICRO : what);
    return status;
}

sooth_status stage_run(sooth_env *env, stage *s, uint32_t tasks, const uint64_t *units,
                       const stage_companion *companion, stage_times *out) {
    stage_board *b = s->board;
    uint32_t who = tasks | (companion ? 1u << STAGE_PLACES : 0u);
    int crowded = (uint32_t)bits_of(who) > s->about.stage;
    sooth_status status = companion ? load_micros_once(env, s) : SOOTH_OK;
    memset(out, 0, sizeof *out);
    take_places(s, who, crowded);
    /* warm the caches up side by side, as they will then be used */
    if (status == SOOTH_OK) status = tell_all(env, s, tasks, ORDER_READY);
    if (status == SOOTH_OK) status = await(env, s, tasks);
    if (status != SOOTH_OK) return status;
    atomic_store_explicit(&b->stop, 0u, memory_order_relaxed);
    /* the time it takes to wake them; early ones wait in a loop */
    uint64_t start = now_ns() + 150000u + 50000u * (uint64_t)bits_of(who);
    for (int i = 0; i < PROCESSES; ++i) {
        stage_slot *to = &b->slot[i];
        if (!(who >> i & 1)) continue;
        if (crowded) to->core = ANY_CORE; /* from here on the system may move them */
        to->start_ns = start;
        if (i == STAGE_PLACES) {
            to->micro = companion->micro;
            to->limit_ns = start + (tasks ? MOST_MICRO_NS : (uint64_t)(companion->ms * 1e6));
        } else {
            to->units = units[i];
            to->ends_micro = companion != NULL;
        }
    }
    double joules = energy_joules(&s->meter);
    uint64_t before = now_ns();
    status = tell_all(env, s, who, ORDER_JOB);
    if (status == SOOTH_OK) status = await(env, s, who);
    if (status != SOOTH_OK) return status;
    joules = energy_joules(&s->meter) - joules;
    out->watts = joules / ((double)(now_ns() - before) * 1e-9);
    for (int i = 0; i < STAGE_PLACES; ++i) {
        const stage_slot *from = &b->slot[i];
        double wall = (double)(from->end_ns - start) * 1e-6, on_core = (double)from->cpu_ns * 1e-6;
        if (!(who >> i & 1)) continue;
        out->ms[i] = crowded ? wall : on_core;
        out->away_ms[i] = wall > on_core ? wall - on_core : 0.0;
        memcpy(out->count[i], from->count, sizeof from->count);
        if (out->ms[i] > out->bag_ms) out->bag_ms = out->ms[i];
    }
    if (companion)
        out->rate = (double)b->slot[STAGE_PLACES].done / ((double)b->slot[STAGE_PLACES].cpu_ns * 1e-6);
    return SOOTH_OK;
}

void stage_press_on(stage *s, uint32_t kind) {
    uint32_t axis = kind == PRESSURE_BANDWIDTH ? PRESSURES : kind;
    if (axis != s->axis) s->has_micros = 0;
    s->axis = axis;
}

/* ---- kernels ---- */

sooth_status stage_pressure_load(sooth_env *env, stage *s, double ms, uint64_t steps[PRESSURES]) {
    sooth_status status = SOOTH_OK;
    s->pressing = 1;
    for (int i = 0; i < 2 && status == SOOTH_OK; ++i) {
        s->board->slot[i].core = i % (int)s->about.stage;
        s->board->slot[i].limit_ns = (uint64_t)(ms * 1e6);
        status = tell(env, s, i, ORDER_LOAD_PRESSURE);
        if (status == SOOTH_OK)
            status = await(env, s, 1u << i); /* in turn, so that none disturbs the other */
        if (status == SOOTH_OK && s->board->slot[i].failed)
            status = stage_fail(env, SOOTH_NO_MEMORY, "no memory for the kernels of pressure");
    }
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        const uint64_t first = s->board->slot[0].steps[k], second = s->board->slot[1].steps[k];
        steps[k] = first && second ? first : 0;
    }
    return status;
}

sooth_status stage_pressure_run(sooth_env *env, stage *s, uint32_t kind, uint64_t steps, uint32_t beside,
                                stage_times *out) {
    stage_slot *first = &s->board->slot[0], *second = &s->board->slot[1];
    sooth_status status = SOOTH_OK;
    const uint64_t start = now_ns() + 200000u;
    uint32_t who = beside < PRESSURES ? 3u : 1u;
    memset(out, 0, sizeof *out);
    atomic_store_explicit(&s->board->stop, 0u, memory_order_relaxed);
    first->kind = kind;
    first->units = steps;
    second->kind = beside;
    second->units = 0;
    second->limit_ns = start + MOST_MICRO_NS;
    first->start_ns = second->start_ns = start;
    for (int i = 1; i >= 0 && status == SOOTH_OK; --i)
        if (who >> i & 1) status = tell(env, s, i, ORDER_PRESSURE);
    if (status == SOOTH_OK) status = await(env, s, who);
    if (status != SOOTH_OK) return status;
    for (int i = 0; i < 2; ++i) {
        const stage_slot *from = &s->board->slot[i];
        double wall = (double)(from->end_ns - from->start_ns) * 1e-6;
        if (!(who >> i & 1)) continue;
        out->ms[i] = (double)from->cpu_ns * 1e-6;
        out->away_ms[i] = wall > out->ms[i] ? wall - out->ms[i] : 0.0;
    }
    out->bag_ms = out->ms[0];
    return status;
}
