/* device.h - a graphics processor simulated event by event, that several kernels share.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * colocation.h has equations. This file simulates them, request by request, on the device of Themis' Table II
 * (Zhao et al., IPDPS 2019):
 *
 *     60 SMs          a warp issues instructions up to its next missing load; the SM's issue slots serve one
 *                     warp after the other (greedy, then oldest); the warp waits until all its lines
 *                     have come
 *     L1              private, so no other kernel changes it: a share of the accesses misses, per kernel. An
 *                     SM waits for 32 lines at most
 *     crossbar        a fixed delay there and back, and 32 bytes per cycle into each SM
 *     L2              2 MiB: 8 sub-partitions x 256 KiB, 8 ways, lines of 128 bytes, LRU, write-back, shared
 *                     by all; a line on its way is waited for, not fetched twice
 *     4 controllers   of two chips each, one to a sub-partition, 32 bits wide. A chip has 16 banks, each with
 *                     an open row of 2 KiB; of a window of 64 reads those whose row is open come first, then
 *                     the oldest (FR-FCFS), with at most 16 past an older one of the bank; writes wait until
 *                     28 exist and are then written down to 16
 *
 * That table leaves some values open. Its "3500 MHz" are read as a GTX 980's, which also has 2 MiB and four
 * controllers: 7 Gbit/s a pin, 256 pins, 224 GB/s. The cores have that card's base clock, 1126 MHz, rounded
 * to 1125. So a core cycle is 14 ticks, and a command clock of the memory (1750 MHz) is 9. All time is
 * counted in ticks, as integers. Timings of the memory are those of GPGPU-Sim's GTX 480, in nanoseconds (RCD
 * 13, RP 13, RAS 30, CL 13, RRD 6.5, WL 4.3, CDLR 5.4, WR 13, RTP 2.2). They are rounded to these clocks, RRD
 * up. Its delays rop_latency 120 and dram_latency 100 are used too, in core cycles. The window of 64 and the
 * writes' 28 and 16 are those of its later configurations. Choices of our own are 60 cycles to the L2, 30
 * back, 32 lines, and 64 bytes per cycle from a sub-partition.
 *
 * A kernel runs its launches one after the other. A launch is a grid of blocks. A free slot on an SM takes
 * the next block. When the grid is used up, slots stay empty until the last block has ended. That bends the
 * scaling of kernels with small grids. Launches are scaled down (thousands of cycles, not millions). Results
 * are per cycle, from the end of a launch to the end of a later one, so that no launch is cut. Warps go
 * through phases: a number of loads of a stream, a stride, the kernel's working set or the SM's own tile of
 * data.
 *
 * Left out: instructions as such (only their number between loads, and the cost of one), divergence, shared
 * memory, the contents of an L1, instruction fetch, virtual addresses, queues of the network, miss registers
 * of the L2, bank groups, refresh, atomic operations, and the preemption that moves SMs to another kernel.
 * The numbers of the kernels are not measured. They are chosen to fit the classes of Table III. Another seed
 * moves the times of pairs by 1 % on average and 6 % at most. `build/runs validate` compares the simulation
 * with known values.
 *
 * Deterministic: integers and sooth_rng. The same call gives the same bits on every machine.
 */
#ifndef SIMULATOR_DEVICE_H
#define SIMULATOR_DEVICE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "colocation.h"
#include "sooth/base.h"

enum {
    DEVICE_CYCLE = 14, /* ticks of a core cycle: 1125 MHz */
    DEVICE_CLOCK = 9,  /* ticks of a command clock of the memory: 1750 MHz */
    DEVICE_WARM = 12000,
    DEVICE_SAMPLE = 24000, /* cycles by default */
    DEVICE_SLICES = 8,
    DEVICE_SETS = 256,
    DEVICE_WAYS = 8,
    DEVICE_CHANNELS = DEVICE_SLICES,
    DEVICE_BANKS = 16,
    DEVICE_ROW = 16,    /* lines */
    DEVICE_WINDOW = 64, /* reads that a controller chooses among */
    DEVICE_MISSES = 32, /* lines that an SM may wait for */
    DEVICE_HITS = 16,   /* row hits that may pass an older request of the bank */
    DEVICE_WRITES_HIGH = 28,
    DEVICE_WRITES_LOW = 16,
    DEVICE_TO_L2 = (60 + 120) * DEVICE_CYCLE,
    DEVICE_FROM_L2 = 30 * DEVICE_CYCLE,
    DEVICE_TO_MEMORY = 100 * DEVICE_CYCLE,
    DEVICE_L2_PORT = 2 * DEVICE_CYCLE, /* 128 bytes at 64 per cycle */
    DEVICE_SM_PORT = 4 * DEVICE_CYCLE, /* at 32 per cycle */
    DEVICE_BURST = 8 * DEVICE_CLOCK,   /* at 4 bytes, four times a clock */
    DEVICE_RCD = 23 * DEVICE_CLOCK,
    DEVICE_RP = 23 * DEVICE_CLOCK,
    DEVICE_RAS = 53 * DEVICE_CLOCK,
    DEVICE_CL = 23 * DEVICE_CLOCK,
    DEVICE_WL = 8 * DEVICE_CLOCK,
    DEVICE_RRD = 12 * DEVICE_CLOCK,
    DEVICE_CDLR = 10 * DEVICE_CLOCK,
    DEVICE_WR = 23 * DEVICE_CLOCK,
    DEVICE_RTP = 4 * DEVICE_CLOCK,
    DEVICE_WHEEL = 8192, /* cycles ahead for which events have a bucket of their own */
    DEVICE_PHASES = 3,
    DEVICE_CONSTANTS = 256 /* lines */
};

enum { DEVICE_STREAM, DEVICE_STRIDE, DEVICE_RANDOM, DEVICE_TILE };

/* The lines of a kernel, from its base on: a region for each phase, one for written streams, one for
   constants, and one for data streamed before the first cycle. */
enum {
    DEVICE_REGION = 1 << 23,
    DEVICE_WRITTEN = 4 * DEVICE_REGION,
    DEVICE_CONSTANT = 6 * DEVICE_REGION,
    DEVICE_GONE_BY = 7 * DEVICE_REGION,
    DEVICE_KERNEL = 8 * DEVICE_REGION /* from one kernel's base to the next */
};

typedef struct device_phase {
    int loads;   /* that miss the L1, before the next phase */
    int gap;     /* instructions of a warp from one to the next, on average */
    int lines;   /* of a load */
    int stores;  /* lines written per 16 loads */
    int pattern; /* RANDOM within `set`, shared by the kernel; TILE: random within the SM's own `set` */
    int set;     /* KiB; stream: restarts there, 0: never; stride: lines from one to the next */
} device_phase;

typedef struct device_kernel {
    const char *name;
    char kind;
    double instructions; /* millions per launch */
    int cost;            /* ticks of the SM per instruction: 8 are 1.75 instructions per cycle */
    int delay;           /* ticks from an instruction of a warp to its next */
    int warps, blocks;   /* of a block; blocks on an SM at a time */
    int grid, work;      /* blocks of a launch (0: enough that its end does not matter); instructions of
                            each of their warps */
    int l1_miss;         /* of 1000 accesses */
    int constants, constant_miss;      /* accesses of 1000 instructions; misses of 1000 accesses */
    device_phase phase[DEVICE_PHASES]; /* those with loads > 0 */
} device_kernel;

/* ---- the state of the machine ---- */

typedef struct device_counts {
    int64_t instructions, l1d_lines, l1c_lines, l2_accesses, l2_misses, memory_lines, latency, replies;
} device_counts;

typedef struct device_node { /* an event; index: warps first, then controllers, then requests */
    int64_t at;
    int32_t next;
} device_node;

typedef struct device_request {
    int64_t since;
    uint32_t line, age;
    int32_t warp; /* -1: no warp waits */
    int32_t next; /* in a queue of a bank, or waiting for the same line */
    int32_t way;  /* of the L2, to be filled; -1: none was free */
    uint8_t write, reply;
} device_request;

typedef struct device_queue { /* requests in order, each with the index of the next; -1: none */
    int32_t first, last;
} device_queue;

typedef struct device_warp {
    int32_t sm, block, left, until, segment; /* instructions: of its block, to its next load, now */
    int16_t kernel, phase, loads, waits;
} device_warp;

typedef struct device_sm {
    int64_t issue, port; /* when they are free */
    int32_t misses;      /* lines on their way */
    device_queue late;   /* those that have no miss register yet */
} device_sm;

typedef struct device_line { /* of the L2 */
    int64_t ready;
    uint32_t line, used; /* line + 1: 0 is empty */
    int32_t waiting;     /* requests; only while pending */
    uint8_t pending, dirty;
} device_line;

typedef struct device_bank {
    int64_t ready, opened, free; /* to read the row; when it was opened; to close it */
    device_queue queue[2];       /* reads, writes */
    int32_t row, hits, streak;
} device_bank;

typedef struct device_channel {
    device_bank bank[DEVICE_BANKS];
    int64_t opened;    /* last row of any bank */
    device_queue late; /* reads that wait outside the window */
    int32_t reads, writes;
    int writing, awake;
} device_channel;

typedef struct device_share { /* state of a running kernel besides its description */
    device_kernel k;
    device_counts now, begin, end;
    int64_t began, ended; /* ticks */
    int32_t sm, sms, warp, slots, left, running, owned;
    int phases, boundaries;
    uint32_t base, cursor[DEVICE_PHASES], stored;
    int64_t constant;
} device_share;

typedef struct device_stats { /* of the whole device, over the sampled period */
    double row_hits, bus;     /* shares: of the accesses to memory, of the time */
    double outstanding, latency, throughput;
} device_stats;

typedef struct device_totals {
    int64_t served, opened, busy; /* accesses to memory, rows opened for them, ticks of its buses */
    int64_t flown;                /* requests x ticks that they were on their way */
} device_totals;

typedef struct device {
    device_share share[SIMULATOR_MOST];
    device_warp *warp;
    device_node *node;
    device_request *request;
    int32_t *block; /* warps of it that still run */
    device_line l2[DEVICE_SLICES * DEVICE_SETS * DEVICE_WAYS];
    int64_t port[DEVICE_SLICES];
    device_channel channel[DEVICE_CHANNELS];
    device_sm sm[SIMULATOR_SMS];
    int32_t head[DEVICE_WHEEL], tail[DEVICE_WHEEL];
    int64_t now; /* cycles */
    int32_t warps, requests, spare, channels_at, requests_at;
    int count, failed;
    int window; /* DEVICE_WINDOW; for trials without */
    uint32_t clock, age;
    sooth_rng rng;
    device_totals total;
    int64_t flying, moved; /* requests on their way; total.flown is up to then */
} device;

static inline int64_t device_later(int64_t a, int64_t b) { return a > b ? a : b; }

/* ---- events: a wheel of buckets of one cycle, first in, first out within a bucket ---- */

static inline void device_at(device *d, int32_t i, int64_t at) {
    int64_t cycle = device_later(at / DEVICE_CYCLE, d->now);
    int32_t b;
    if (cycle >= d->now + DEVICE_WHEEL) cycle = d->now + DEVICE_WHEEL - 1; /* and on from there */
    b = (int32_t)(cycle % DEVICE_WHEEL);
    d->node[i].at = at;
    d->node[i].next = -1;
    if (d->head[b] < 0) d->head[b] = i;
    else d->node[d->tail[b]].next = i;
    d->tail[b] = i;
}

static inline int device_grow(device *d) {
    const int32_t more = d->requests ? 2 * d->requests : 4096;
    const size_t nodes = (size_t)(d->requests_at + more);
    device_request *r = (device_request *)realloc(d->request, (size_t)more * sizeof *r);
    device_node *n;
    int32_t i;
    if (!r) return -1;
    d->request = r;
    n = (device_node *)realloc(d->node, nodes * sizeof *n);
    if (!n) return -1;
    d->node = n;
    for (i = d->requests; i < more; ++i) r[i].next = i + 1 < more ? i + 1 : -1;
    d->spare = d->requests;
    d->requests = more;
    return 0;
}

/* Allocates a request, for which warp waits (-1: none). Returns -1 if out of memory. */
static inline int32_t device_take(device *d, uint32_t line, int32_t warp, int write) {
    int32_t i = d->spare;
    if (i < 0) {
        if (device_grow(d) != 0) return d->failed = 1, -1;
        i = d->spare;
    }
    d->spare = d->request[i].next;
    d->request[i].line = line;
    d->request[i].warp = warp;
    d->request[i].write = (uint8_t)write;
    d->request[i].reply = 0;
    return i;
}

static inline void device_give(device *d, int32_t i) {
    d->request[i].next = d->spare;
    d->spare = i;
}

static inline void device_push(device *d, device_queue *q, int32_t i) {
    d->request[i].next = -1;
    if (q->first < 0) q->first = i;
    else d->request[q->last].next = i;
    q->last = i;
}

/* Removes the request after `before`, or the first if that is -1. */
static inline int32_t device_pull(device *d, device_queue *q, int32_t before) {
    int32_t *link = before < 0 ? &q->first : &d->request[before].next;
    const int32_t i = *link;
    *link = d->request[i].next;
    if (q->last == i) q->last = before;
    return i;
}

/* Requests x ticks on their way up to now. */
static inline int64_t device_flown(const device *d, int64_t now) {
    return d->total.flown + d->flying * (now - d->moved);
}

/* Changes the number of requests on their way. */
static inline void device_flies(device *d, int more, int64_t now) {
    d->total.flown = device_flown(d, now);
    d->flying += more;
    d->moved = now;
}

/* ---- the place of a line ---- */

typedef struct device_place {
    int slice, set, bank, row; /* a sub-partition has a slice of the L2 and a chip */
} device_place;

/* Pieces of 256 bytes go round the sub-partitions, exclusive-ored with the higher bits, so that no stride
   uses only one. Sets and banks are chosen alike. */
static inline device_place device_find(uint32_t line) {
    const uint32_t piece = line >> 1, over = piece >> 3;
    const uint32_t slice = (piece ^ over ^ over >> 3 ^ over >> 6 ^ over >> 9 ^ over >> 12) & 7;
    const uint32_t in = over << 1 | (line & 1);
    device_place p;
    p.slice = (int)slice;
    p.set = (int)((in + 37 * (in >> 8) + 101 * (in >> 16)) % DEVICE_SETS);
    p.bank = (int)((in / DEVICE_ROW ^ in >> 8 ^ in >> 12) % DEVICE_BANKS);
    p.row = (int)(in / DEVICE_ROW / DEVICE_BANKS);
    return p;
}

static inline int device_owner(uint32_t line) { return (int)(line / DEVICE_KERNEL) - 1; }

/* ---- the memory controller ---- */

static inline void device_count_hits(const device *d, device_bank *b, int writing) {
    int32_t i;
    b->hits = 0;
    for (i = b->queue[writing].first; i >= 0; i = d->request[i].next)
        b->hits += device_find(d->request[i].line).row == b->row;
}

/* Opens the row of the bank's oldest request, if no request is left for the open row (or it had its turn). */
static inline void device_open(device *d, device_channel *c, device_bank *b, int64_t now) {
    int64_t at = now;
    if (b->hits > 0 || b->queue[c->writing].first < 0) return;
    if (b->row >= 0) at = device_later(device_later(at, b->opened + DEVICE_RAS), b->free) + DEVICE_RP;
    at = device_later(at, c->opened + DEVICE_RRD);
    c->opened = b->opened = at;
    b->ready = at + DEVICE_RCD;
    b->row = device_find(d->request[b->queue[c->writing].first].line).row;
    b->streak = 0;
    ++d->total.opened;
    device_count_hits(d, b, c->writing);
}

static inline void device_enqueue(device *d, device_channel *c, int32_t i, int64_t now) {
    device_request *r = &d->request[i];
    const device_place p = device_find(r->line);
    device_bank *b = &c->bank[p.bank];
    device_push(d, &b->queue[r->write], i);
    if (r->write) ++c->writes;
    else ++c->reads;
    if (r->write == c->writing) {
        b->hits += b->row == p.row;
        device_open(d, c, b, now);
    }
}

static inline void device_arrives(device *d, int32_t i, int64_t now) {
    device_request *r = &d->request[i];
    const int number = device_find(r->line).slice;
    device_channel *c = &d->channel[number];
    r->age = d->age++;
    if (!r->write && c->reads >= d->window) device_push(d, &c->late, i);
    else device_enqueue(d, c, i, now);
    if (!c->awake) {
        c->awake = 1;
        device_at(d, d->channels_at + number, now);
    }
}

/* The line is there at `at`: those who wait get it. */
static inline void device_fill(device *d, int32_t i, int64_t at) {
    const int32_t way = d->request[i].way;
    int32_t next;
    if (way >= 0) {
        device_line *l = &d->l2[way];
        d->request[i].next = l->waiting;
        l->pending = 0;
        l->ready = at;
    } else d->request[i].next = -1;
    for (; i >= 0; i = next) {
        next = d->request[i].next;
        d->request[i].reply = 1;
        device_at(d, d->requests_at + i, at + DEVICE_FROM_L2);
    }
}

/* Reads or writes: changes over when the other has to. Returns when the bus can go on. */
static inline int64_t device_turn(device *d, device_channel *c, int64_t now) {
    int b, to = c->writing ? !(c->writes == 0 || (c->writes <= DEVICE_WRITES_LOW && c->reads > 0))
                           : c->writes >= DEVICE_WRITES_HIGH || (c->reads == 0 && c->writes > 0);
    if (to == c->writing) return now;
    now += to ? DEVICE_CL - DEVICE_WL + 2 * DEVICE_CLOCK : DEVICE_WL + DEVICE_CDLR;
    c->writing = to;
    for (b = 0; b < DEVICE_BANKS; ++b) {
        c->bank[b].streak = 0;
        device_count_hits(d, &c->bank[b], to);
        device_open(d, c, &c->bank[b], now);
    }
    return now;
}

/* The data bus of a controller is free: which request next? */
static inline void device_bus(device *d, int number, int64_t now) {
    device_channel *c = &d->channel[number];
    device_bank *best = NULL;
    int64_t start = 0;
    int32_t best_i = -1, best_before = -1, i, before;
    int b;
    now = device_turn(d, c, now);
    for (b = 0; b < DEVICE_BANKS; ++b) {
        device_bank *bank = &c->bank[b];
        const int64_t at = device_later(now, bank->ready);
        if (bank->hits <= 0 || (best && at > start)) continue;
        for (before = -1, i = bank->queue[c->writing].first;
             device_find(d->request[i].line).row != bank->row;)
            before = i, i = d->request[i].next;
        if (best && at == start && (int32_t)(d->request[i].age - d->request[best_i].age) > 0) continue;
        best = bank, start = at, best_i = i, best_before = before;
    }
    if (!best) {
        c->awake = 0;
        return;
    }
    if (start > now) { /* another row may be ready by then */
        device_at(d, d->channels_at + number, start);
        return;
    }
    i = device_pull(d, &best->queue[c->writing], best_before);
    best->streak = best_before < 0 ? 0 : best->streak + 1;
    --best->hits;
    if (best->streak >= DEVICE_HITS) best->hits = 0;
    best->free = start + (c->writing ? DEVICE_WL + DEVICE_BURST + DEVICE_WR : DEVICE_RTP);
    ++d->total.served;
    d->total.busy += DEVICE_BURST;
    ++d->share[device_owner(d->request[i].line)].now.memory_lines;
    if (c->writing) {
        --c->writes;
        device_give(d, i);
    } else {
        --c->reads;
        device_fill(d, i, start + DEVICE_CL + DEVICE_BURST);
        if (c->late.first >= 0) device_enqueue(d, c, device_pull(d, &c->late, -1), start);
    }
    device_open(d, c, best, start);
    device_at(d, d->channels_at + number, start + DEVICE_BURST);
}

/* ---- the L2 ---- */

/* Returns the way that holds a line (*found = 1), or that takes it from now on, after a write-back of the
   old line. -1 if all ways of the set wait for lines. */
static inline int32_t device_l2(device *d, uint32_t line, int write, int64_t at, int *found) {
    const device_place p = device_find(line);
    const int32_t first = (p.slice * DEVICE_SETS + p.set) * DEVICE_WAYS;
    int32_t w, oldest = -1;
    *found = 1;
    for (w = first; w < first + DEVICE_WAYS; ++w) {
        device_line *l = &d->l2[w];
        if (l->line == line + 1) {
            l->used = ++d->clock;
            l->dirty = (uint8_t)(l->dirty | write);
            return w;
        }
        if (!l->pending && (oldest < 0 || l->used < d->l2[oldest].used)) oldest = w;
    }
    *found = 0;
    if (oldest < 0) return -1;
    if (d->l2[oldest].line) {
        const uint32_t old = d->l2[oldest].line - 1;
        --d->share[device_owner(old)].owned;
        if (d->l2[oldest].dirty) {
            const int32_t i = device_take(d, old, -1, 1);
            if (i < 0) return -1;
            device_at(d, d->requests_at + i, at + DEVICE_TO_MEMORY);
        }
    }
    ++d->share[device_owner(line)].owned;
    d->l2[oldest].line = line + 1;
    d->l2[oldest].used = ++d->clock;
    d->l2[oldest].dirty = (uint8_t)write;
    d->l2[oldest].ready = at;
    return oldest;
}

/* Requests or writes a line at `now`. Returns its way of the L2. *at is when its slice serves it. Requests
 * reach a slice in the order they are sent, since all take the same time. So its port and its tags are read
 * here at once. A write that misses takes the line in without a fetch: whole lines are written. */
static inline int32_t device_access(device *d, device_share *s, uint32_t line, int write, int64_t now,
                                    int64_t *at, int *found) {
    int64_t *port = &d->port[device_find(line).slice];
    int32_t way;
    *at = device_later(now + DEVICE_TO_L2, *port);
    *port = *at + DEVICE_L2_PORT;
    way = device_l2(d, line, write, *at, found);
    ++s->now.l2_accesses;
    s->now.l2_misses += !*found;
    return way;
}

/* A request that has its miss register leaves the SM. */
static inline void device_send(device *d, int32_t i, int64_t now) {
    const uint32_t line = d->request[i].line;
    const device_warp *warp = &d->warp[d->request[i].warp];
    int64_t at;
    int found;
    const int32_t way = device_access(d, &d->share[warp->kernel], line, 0, now, &at, &found);
    ++d->sm[warp->sm].misses;
    device_flies(d, 1, now);
    d->request[i].since = now;
    d->request[i].way = way;
    if (!found) {
        if (way >= 0) {
            d->l2[way].pending = 1;
            d->l2[way].waiting = -1;
        }
        device_at(d, d->requests_at + i, at + DEVICE_TO_MEMORY);
    } else if (d->l2[way].pending) {
        d->request[i].next = d->l2[way].waiting;
        d->l2[way].waiting = i;
    } else {
        d->request[i].reply = 1;
        device_at(d, d->requests_at + i, device_later(at, d->l2[way].ready) + DEVICE_FROM_L2);
    }
}

/* A warp requests a line. If its SM waits for too many, the request waits there. */
static inline void device_ask(device *d, int32_t w, uint32_t line, int64_t now) {
    device_sm *sm = &d->sm[d->warp[w].sm];
    const int32_t i = device_take(d, line, w, 0);
    if (i < 0) return;
    ++d->warp[w].waits;
    if (sm->misses < DEVICE_MISSES) device_send(d, i, now);
    else device_push(d, &sm->late, i);
}

/* ---- the multiprocessors ---- */

static inline uint32_t device_below(device *d, uint32_t n) { return sooth_rng_below(&d->rng, n); }

/* Whether the loads of a phase go on from line to line, so that none comes again soon. */
static inline int device_moves(const device_phase *p) {
    return p->pattern == DEVICE_STREAM || p->pattern == DEVICE_STRIDE;
}

/* The next line of a phase. A KiB is 8 lines. */
static inline uint32_t device_next(device *d, device_share *s, int phase, int sm) {
    const device_phase *p = &s->k.phase[phase];
    const uint32_t lines = (uint32_t)p->set * 8, from = s->base + (uint32_t)phase * DEVICE_REGION;
    uint32_t c;
    if (p->pattern == DEVICE_RANDOM) return from + device_below(d, lines);
    if (p->pattern == DEVICE_TILE) return from + (uint32_t)(sm - s->sm) * lines + device_below(d, lines);
    c = s->cursor[phase];
    s->cursor[phase] += p->pattern == DEVICE_STRIDE ? (uint32_t)p->set : 1;
    if (p->pattern == DEVICE_STREAM && lines && s->cursor[phase] >= lines) s->cursor[phase] = 0;
    return from + c % DEVICE_REGION;
}

/* A warp computes up to its next missing load. */
static inline void device_compute(device *d, int32_t w, int64_t now) {
    device_warp *warp = &d->warp[w];
    device_share *s = &d->share[warp->kernel];
    device_sm *sm = &d->sm[warp->sm];
    const int gap = s->k.phase[warp->phase].gap;
    int64_t start;
    int32_t c;
    if (warp->until == 0) warp->until = gap / 2 + (int32_t)device_below(d, (uint32_t)gap + 1) + !(gap / 2);
    c = warp->until;
    if (s->k.grid && c > warp->left) c = warp->left;
    warp->until -= c;
    warp->segment = c;
    start = device_later(now, sm->issue);
    sm->issue = start + (int64_t)c * s->k.cost;
    device_at(d, w, device_later(sm->issue, start + (int64_t)c * s->k.delay));
}

static inline void device_begin_block(device *d, device_share *s, int32_t slot, int64_t now) {
    int32_t i;
    --s->left;
    ++s->running;
    d->block[s->warp + slot] = s->k.warps;
    for (i = 0; i < s->k.warps; ++i) {
        device_warp *w = &d->warp[s->warp + slot * s->k.warps + i];
        w->left = s->k.work;
        device_compute(d, s->warp + slot * s->k.warps + i, now);
    }
}

/* Blocks are assigned SM after SM, until the grid ends. */
static inline void device_launch(device *d, device_share *s, int64_t now) {
    int32_t slot;
    s->left = s->k.grid ? s->k.grid : s->slots;
    for (slot = 0; slot < s->slots && s->left > 0; ++slot) device_begin_block(d, s, slot, now);
}

/* A warp has done its part of a block. Its last warp frees the slot for the next block, and the last of a
   launch starts the next launch. There a sampled period begins or ends. */
static inline void device_retire(device *d, int32_t w, int64_t now) {
    device_warp *warp = &d->warp[w];
    device_share *s = &d->share[warp->kernel];
    if (--d->block[s->warp + warp->block] > 0) return;
    --s->running;
    if (s->left > 0) device_begin_block(d, s, warp->block, now);
    else if (s->running == 0) {
        if (now >= (int64_t)DEVICE_WARM * DEVICE_CYCLE) {
            if (s->boundaries++) s->end = s->now, s->ended = now;
            else s->begin = s->now, s->began = now;
        }
        device_launch(d, s, now);
    }
}

static inline void device_go_on(device *d, int32_t w, int64_t now) {
    if (d->share[d->warp[w].kernel].k.grid && d->warp[w].left == 0) device_retire(d, w, now);
    else device_compute(d, w, now);
}

/* A warp has computed. Now it loads and stores. */
static inline void device_loads(device *d, int32_t w, int64_t now) {
    device_warp *warp = &d->warp[w];
    device_share *s = &d->share[warp->kernel];
    const device_phase *p = &s->k.phase[warp->phase];
    const int phase = warp->phase;
    int i;
    s->now.instructions += warp->segment;
    if (s->k.grid) warp->left -= warp->segment;
    warp->waits = 0;
    s->constant += (int64_t)warp->segment * s->k.constants * s->k.constant_miss;
    if (warp->until > 0) { /* its block ended first */
        device_go_on(d, w, now);
        return;
    }
    for (; s->constant >= 1000000; s->constant -= 1000000) {
        ++s->now.l1c_lines;
        device_ask(d, w, s->base + DEVICE_CONSTANT + device_below(d, DEVICE_CONSTANTS), now);
    }
    for (i = 0; i < p->lines; ++i) device_ask(d, w, device_next(d, s, phase, warp->sm), now);
    s->now.l1d_lines += p->lines;
    for (i = (int)device_below(d, 16); i < p->stores; i += 16) {
        const uint32_t line = device_moves(p) ? s->base + DEVICE_WRITTEN + s->stored++ % DEVICE_REGION
                                              : device_next(d, s, phase, warp->sm);
        int64_t at;
        int found;
        device_access(d, s, line, 1, now, &at, &found);
    }
    if (--warp->loads <= 0) {
        warp->phase = (int16_t)((warp->phase + 1) % s->phases);
        warp->loads = (int16_t)s->k.phase[warp->phase].loads;
    }
}

/* A line comes to its SM, through the SM's port. */
static inline void device_replies(device *d, int32_t i, int64_t now) {
    const int32_t w = d->request[i].warp;
    device_warp *warp = &d->warp[w];
    device_sm *sm = &d->sm[warp->sm];
    device_share *s = &d->share[warp->kernel];
    sm->port = device_later(now, sm->port) + DEVICE_SM_PORT;
    s->now.latency += sm->port - d->request[i].since;
    ++s->now.replies;
    device_flies(d, -1, now);
    d->total.flown += sm->port - now;
    device_give(d, i);
    --sm->misses;
    if (sm->late.first >= 0) device_send(d, device_pull(d, &sm->late, -1), now);
    if (--warp->waits == 0) device_go_on(d, w, sm->port);
}

/* ---- a run ---- */

static inline void device_until(device *d, int64_t cycle) {
    for (; d->now < cycle && !d->failed; ++d->now) {
        const int32_t b = (int32_t)(d->now % DEVICE_WHEEL);
        while (d->head[b] >= 0) {
            const int32_t i = d->head[b];
            const int64_t at = d->node[i].at;
            d->head[b] = d->node[i].next;
            if (at / DEVICE_CYCLE > d->now) { /* from beyond the wheel */
                device_at(d, i, at);
                continue;
            }
            if (i < d->warps) device_loads(d, i, at);
            else if (i < d->requests_at) device_bus(d, i - d->channels_at, at);
            else if (d->request[i - d->requests_at].reply) device_replies(d, i - d->requests_at, at);
            else device_arrives(d, i - d->requests_at, at);
        }
    }
}

/* The L2 at the beginning. Each kernel has an equal part of it. It is filled with data for reuse, then with
 * streamed data, some of it written, in the proportion of its stores. Streamed data is older and is evicted
 * first. */
static inline void device_fill_l2(device *d) {
    const uint32_t most = DEVICE_SLICES * DEVICE_SETS * DEVICE_WAYS / (uint32_t)d->count;
    uint32_t line;
    int i, phase, found;
    for (line = most; line-- > 0;)
        for (i = 0; i < d->count; ++i) {
            device_share *s = &d->share[i];
            const device_phase *last = &s->k.phase[s->phases - 1];
            uint32_t at = line, stores = (uint32_t)last->stores, loads = 16 * (uint32_t)last->lines;
            if (s->k.constant_miss) {
                if (at < DEVICE_CONSTANTS) {
                    device_l2(d, s->base + DEVICE_CONSTANT + at, 0, 0, &found);
                    continue;
                }
                at -= DEVICE_CONSTANTS;
            }
            for (phase = 0; phase < s->phases; ++phase) {
                const device_phase *p = &s->k.phase[phase];
                uint32_t lines = (uint32_t)p->set * 8;
                if (device_moves(p)) continue;
                if (p->pattern == DEVICE_TILE) lines *= (uint32_t)s->sms;
                if (at < lines) break;
                at -= lines;
            }
            if (phase < s->phases) device_l2(d, s->base + (uint32_t)phase * DEVICE_REGION + at, 0, 0, &found);
            else if (device_moves(last))
                device_l2(d, s->base + DEVICE_GONE_BY + at, at % (loads + stores) < stores, 0, &found);
        }
}

static inline void device_free(device *d) {
    if (!d) return;
    free(d->warp);
    free(d->node);
    free(d->request);
    free(d->block);
    free(d);
}

/* Makes the machine with kernels k[i] on sms[i] SMs each, before its first cycle. NULL if out of memory. */
static inline device *device_new(const device_kernel *k, const int *sms, int count, uint64_t seed) {
    device *d = (device *)calloc(1, sizeof *d);
    const device_queue empty = {-1, -1};
    int32_t slot;
    int i, b, sm = 0, phase;
    if (!d) return NULL;
    d->count = count;
    d->spare = -1;
    d->window = DEVICE_WINDOW;
    sooth_rng_init(&d->rng, seed, 0);
    for (i = 0; i < count; ++i) {
        device_share *s = &d->share[i];
        s->k = k[i];
        s->base = (uint32_t)(i + 1) * DEVICE_KERNEL;
        s->sm = sm;
        s->sms = sms[i];
        s->slots = sms[i] * k[i].blocks;
        s->warp = d->warps;
        while (s->phases < DEVICE_PHASES && k[i].phase[s->phases].loads > 0) ++s->phases;
        d->warps += s->slots * k[i].warps;
        sm += sms[i];
    }
    d->channels_at = d->warps;
    d->requests_at = d->warps + DEVICE_CHANNELS;
    d->warp = (device_warp *)calloc((size_t)d->warps, sizeof *d->warp);
    d->block = (int32_t *)calloc((size_t)d->warps, sizeof *d->block); /* slots of share s from s->warp on */
    if (!d->warp || !d->block || device_grow(d) != 0) return device_free(d), NULL;
    for (i = 0; i < DEVICE_WHEEL; ++i) d->head[i] = -1;
    for (i = 0; i < SIMULATOR_SMS; ++i) d->sm[i].late = empty;
    for (i = 0; i < DEVICE_CHANNELS; ++i) {
        d->channel[i].late = empty;
        for (b = 0; b < DEVICE_BANKS; ++b) {
            device_bank *bank = &d->channel[i].bank[b];
            bank->queue[0] = bank->queue[1] = empty;
            bank->row = -1;
        }
    }
    device_fill_l2(d);
    for (i = 0; i < count; ++i) {
        device_share *s = &d->share[i];
        for (slot = 0; slot < s->slots; ++slot)
            for (b = 0; b < k[i].warps; ++b) {
                device_warp *w = &d->warp[s->warp + slot * k[i].warps + b];
                w->kernel = (int16_t)i;
                w->sm = s->sm + slot % s->sms;
                w->block = slot;
                phase = (int)device_below(d, (uint32_t)s->phases);
                w->phase = (int16_t)phase;
                w->loads = (int16_t)(1 + device_below(d, (uint32_t)k[i].phase[phase].loads));
            }
        device_launch(d, s, 0);
    }
    return d;
}

/* Events per cycle. */
static inline double device_rate(int64_t from, int64_t to, double cycles) {
    return (double)(to - from) / cycles;
}

/* Results of a kernel from s->begin to s->end. */
static inline void device_tell(const device_share *s, simulator_result *out) {
    const device_counts *from = &s->begin, *to = &s->end;
    const double cycles = (double)(s->ended - s->began) / DEVICE_CYCLE;
    double *e = out->event;
    e[0] = device_rate(from->instructions, to->instructions, cycles);
    e[2] = device_rate(from->l1d_lines, to->l1d_lines, cycles);
    e[1] = e[2] * 1000 / s->k.l1_miss;
    e[3] = e[0] * s->k.constants / 1000;
    e[4] = device_rate(from->l1c_lines, to->l1c_lines, cycles);
    e[5] = device_rate(from->l2_accesses, to->l2_accesses, cycles);
    e[6] = device_rate(from->l2_misses, to->l2_misses, cycles);
    e[7] = (double)(to->memory_lines - from->memory_lines) * DEVICE_BURST / DEVICE_CHANNELS /
           (cycles * DEVICE_CYCLE);
    out->time = e[0] > 0 ? s->k.instructions / e[0] : 0;
    out->miss = e[5] > 0 ? e[6] / e[5] : 0;
    out->latency = to->replies > from->replies ? (double)(to->latency - from->latency) / DEVICE_CYCLE /
                                                     (double)(to->replies - from->replies)
                                               : 0;
    out->cache = s->owned / 8.;
}

/* Results of the device over this many ticks, since it had counted `from`. */
static inline device_stats device_tell_all(const device *d, const device_totals *from, double ticks,
                                           int64_t replies, int64_t latency) {
    const int64_t served = d->total.served - from->served, opened = d->total.opened - from->opened;
    device_stats s;
    s.row_hits = served ? 1 - (double)opened / (double)served : 0;
    s.bus = (double)(d->total.busy - from->busy) / DEVICE_CHANNELS / ticks;
    s.outstanding = (double)(device_flown(d, d->now * DEVICE_CYCLE) - from->flown) / ticks;
    s.latency = replies ? (double)latency / DEVICE_CYCLE / (double)replies : 0;
    s.throughput = (double)replies * DEVICE_CYCLE / ticks;
    return s;
}

/* Runs until `cycles` after the warming up. Then it continues, six times as long at most, until each kernel
 * with a grid has ended three launches. Then it writes the results of each kernel. whole may be NULL. Returns
 * 0, or -1 if out of memory. */
static inline int device_measure(device *d, double cycles, simulator_result *out, device_stats *whole) {
    const int64_t sample = cycles >= 1 ? (int64_t)cycles : DEVICE_SAMPLE;
    const int64_t from = (int64_t)DEVICE_WARM * DEVICE_CYCLE;
    int64_t replies = 0, latency = 0, to = DEVICE_WARM + sample;
    device_counts warm[SIMULATOR_MOST];
    device_totals total;
    int i, open = 1;
    device_until(d, DEVICE_WARM);
    for (i = 0; i < d->count; ++i) warm[i] = d->share[i].now;
    total = d->total;
    total.flown = device_flown(d, from);
    for (; open && to <= DEVICE_WARM + 6 * sample; to += sample) {
        device_until(d, to);
        for (open = 0, i = 0; i < d->count; ++i) open += d->share[i].k.grid && d->share[i].boundaries < 3;
    }
    if (d->failed) return -1;
    for (i = 0; i < d->count; ++i) {
        device_share *s = &d->share[i];
        replies += s->now.replies - warm[i].replies;
        latency += s->now.latency - warm[i].latency;
        if (s->boundaries < 2) { /* without a whole launch: the whole period */
            s->begin = warm[i], s->began = from;
            s->end = s->now, s->ended = d->now * DEVICE_CYCLE;
        }
        device_tell(s, &out[i]);
    }
    if (whole) *whole = device_tell_all(d, &total, (double)(d->now * DEVICE_CYCLE - from), replies, latency);
    return 0;
}

/* ---- the kernels of Table III ---- */

/* name, class, instructions; cost, delay; warps, blocks; grid, work; l1_miss, constants, constant_miss;
 * phases */
/* clang-format off */
static const device_kernel device_kernels[SIMULATOR_KERNELS] = {
    {"mriq", 'c', 400, 8, 60, 8, 4, 0, 0, 250, 300, 1, {{8, 900, 1, 0, DEVICE_RANDOM, 160}}},
    {"ctcp", 'c', 350, 9, 60, 8, 4, 0, 0, 250, 120, 4,
     {{4, 220, 1, 2, DEVICE_TILE, 4}, {1, 160, 2, 8, DEVICE_STREAM, 0}}},
    {"wall", 'c', 260, 12, 70, 4, 8, 840, 200, 300, 60, 12,
     {{6, 110, 1, 2, DEVICE_TILE, 6}, {1, 90, 1, 2, DEVICE_STREAM, 0}}},
    {"bfs", 'b', 120, 18, 90, 8, 4, 0, 0, 600, 15, 20,
     {{3, 18, 2, 4, DEVICE_RANDOM, 2400}, {1, 50, 1, 4, DEVICE_STREAM, 0}}},
    {"spot", 'b', 220, 10, 70, 8, 3, 0, 0, 600, 30, 4,
     {{2, 40, 1, 0, DEVICE_TILE, 8}, {1, 36, 2, 12, DEVICE_STREAM, 0}}},
    {"srd1", 'b', 240, 11, 70, 8, 4, 0, 0, 600, 20, 6,
     {{2, 42, 1, 0, DEVICE_RANDOM, 900}, {1, 38, 2, 12, DEVICE_STREAM, 0}}},
    {"path", 'b', 230, 10, 60, 4, 8, 700, 150, 600, 30, 4, {{1, 56, 1, 4, DEVICE_STREAM, 0}}},
    {"leuk", 'b', 300, 11, 70, 3, 8, 380, 300, 500, 90, 30,
     {{5, 70, 1, 1, DEVICE_TILE, 12}, {1, 50, 1, 1, DEVICE_STREAM, 0}}},
    {"eul", 'm', 200, 13, 80, 6, 3, 0, 0, 400, 25, 10,
     {{1, 24, 1, 4, DEVICE_RANDOM, 2800}, {1, 24, 2, 8, DEVICE_STREAM, 0}}},
    {"nn", 'm', 90, 16, 80, 4, 6, 800, 60, 500, 10, 10, {{1, 18, 1, 3, DEVICE_STREAM, 0}}},
    {"pff", 'm', 140, 16, 90, 4, 4, 580, 80, 450, 40, 20,
     {{4, 8, 1, 2, DEVICE_RANDOM, 2600}, {1, 10, 1, 2, DEVICE_STREAM, 0}}},
    {"lava", 'm', 260, 15, 70, 4, 6, 0, 0, 420, 10, 10,
     {{6, 11, 1, 0, DEVICE_TILE, 20}, {1, 11, 2, 4, DEVICE_STREAM, 0}}},
    {"lbm", 'm', 180, 15, 70, 4, 6, 0, 0, 500, 0, 0, {{4, 60, 3, 32, DEVICE_STREAM, 0}}},
    {"hist", 'm', 150, 17, 80, 8, 3, 0, 0, 550, 20, 10,
     {{2, 12, 1, 14, DEVICE_RANDOM, 1200}, {1, 12, 1, 0, DEVICE_STREAM, 0}}},
    {"gau", 'm', 100, 17, 90, 4, 4, 190, 200, 450, 10, 10,
     {{2, 18, 1, 8, DEVICE_RANDOM, 1024}, {1, 18, 2, 16, DEVICE_STRIDE, 17}}},
    {"pfn", 'c', 280, 10, 60, 8, 4, 0, 0, 300, 120, 6,
     {{3, 130, 1, 1, DEVICE_RANDOM, 250}, {1, 110, 1, 2, DEVICE_STREAM, 0}}},
    {"tpac", 'c', 380, 9, 60, 8, 3, 0, 0, 250, 20, 4, {{6, 220, 1, 0, DEVICE_RANDOM, 320}}},
    {"bp", 'b', 180, 12, 70, 4, 8, 1060, 60, 600, 30, 6,
     {{1, 44, 1, 6, DEVICE_TILE, 6}, {1, 44, 2, 12, DEVICE_STREAM, 0}}},
    {"srd2", 'b', 210, 12, 70, 8, 4, 0, 0, 600, 20, 6,
     {{2, 42, 1, 0, DEVICE_RANDOM, 1100}, {1, 38, 2, 14, DEVICE_STREAM, 0}}},
    {"mrig", 'm', 170, 13, 70, 8, 3, 0, 0, 450, 10, 10,
     {{1, 30, 1, 8, DEVICE_RANDOM, 3000}, {2, 30, 2, 16, DEVICE_STREAM, 0}}},
    {"kmns", 'm', 130, 14, 80, 8, 3, 0, 0, 450, 50, 20,
     {{3, 16, 1, 1, DEVICE_STREAM, 1900}, {1, 16, 1, 2, DEVICE_STREAM, 0}}},
    {"sten", 'm', 160, 12, 70, 4, 6, 650, 60, 450, 10, 4,
     {{1, 30, 1, 0, DEVICE_TILE, 8}, {1, 30, 2, 14, DEVICE_STREAM, 0}}}};
/* clang-format on */

/* Listing 1: kind 0 chases pointers through a working set that the L2 holds. Kind 1 reads one array and
   writes another. Between two loads are the instructions of the loop and C more. Level 0 presses most. */
static inline device_kernel device_producer(int kind, int level) {
    static const int pure[SIMULATOR_LEVELS] = {0, 4, 8, 14, 22, 34, 52, 80, 120, 190, 320, 640};
    device_kernel k;
    memset(&k, 0, sizeof k);
    k.name = kind ? "bandwidth" : "cache";
    k.kind = 'p';
    k.instructions = 100;
    k.cost = 9;
    k.delay = 60;
    k.warps = 8;
    k.blocks = kind ? 6 : 4;
    k.l1_miss = 1000;
    k.phase[0].loads = 1;
    k.phase[0].gap = 6 + pure[level];
    k.phase[0].lines = 1;
    k.phase[0].stores = kind ? 16 : 0;
    k.phase[0].pattern = kind ? DEVICE_STREAM : DEVICE_RANDOM;
    k.phase[0].set = kind ? 0 : 1536;
    return k;
}

/* kernel[i]: 0..21 is an application in the order of simulator_kernels. 22 + 12 kind + level is a producer
   of pressure (kind 0 cache, 1 bandwidth; level 0 presses most). */
static inline device_kernel device_number(int kernel) {
    if (kernel < SIMULATOR_KERNELS) return device_kernels[kernel];
    kernel -= SIMULATOR_KERNELS;
    return device_producer(kernel / SIMULATOR_LEVELS, kernel % SIMULATOR_LEVELS);
}

/* kernel[i]: its number, as above. sms[i]: its multiprocessors, at least 1, 60 in all at most. count is at
 * most SIMULATOR_MOST. out[i]: the time of one launch (millions of cycles) and the events per cycle, over
 * `cycles` core cycles in the steady state (0: 24,000; more if a launch would be cut). Returns 0, or -1 if
 * out of memory. */
static inline int device_run(const int *kernel, const int *sms, int count, double cycles,
                             simulator_result *out) {
    device_kernel k[SIMULATOR_MOST];
    device *d;
    int i, rc;
    for (i = 0; i < count; ++i) k[i] = device_number(kernel[i]);
    d = device_new(k, sms, count, 1);
    if (!d) return -1;
    rc = device_measure(d, cycles, out, NULL);
    device_free(d);
    return rc;
}

#endif /* SIMULATOR_DEVICE_H */
