/* sooth.bpf.h - predicts inside the Linux kernel: walks a model of integers in a map.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * `sooth export MODEL --to bpf-map` writes a block (include/sooth/integers.h). User space puts it into an
 * array map without changes. One program walks every model, and a new model is one bpf_map_update_elem:
 *
 *     #include "vmlinux.h"                      // or <linux/types.h> and <linux/bpf.h>
 *     #include <bpf/bpf_helpers.h>
 *     #define SOOTH_MODEL_BYTES (1 << 20)       // a power of two: the largest model
 *     #include "sooth.bpf.h"
 *
 *     struct sooth_keys keys = {};
 *     struct sooth_block *model = bpf_map_lookup_elem(&models, &zero);
 *     if (!model) return 0;
 *     sooth_key(model, &keys, 0, task->prio);   // for every feature an integer
 *     sooth_key(model, &keys, 1, runtime_ns);
 *     sum = sooth_sum(model, &keys);            // the answer is sum x 2^-scale: sooth_scale(model)
 *
 * Eight trees are walked at once: while one waits for memory, the others advance. The verifier checks neither
 * trees nor depth. It checks that no index can leave the map (each is cut to its size, a power of two) and
 * that loops end. So it takes 2 ms for every model.
 *
 * It refuses a map without a model, and a model that is larger than the map's value, is deeper than 32, has
 * several targets or more keys than there are. Then sooth_sum returns 0, and so does sooth_ready. It does not
 * check the checksum: user space has called sooth_integers_check before it published the block.
 *
 * A new model while programs walk the old one: an update of an array map's value is a copy. During the copy a
 * program may read some words of the one and some of the other. It stays inside the map and ends, but its
 * prediction then is neither model's. If that matters, put the block into an array map inside a map of maps
 * (BPF_MAP_TYPE_ARRAY_OF_MAPS). User space fills a new inner map and puts it into the outer one. This is
 * still one update, and every program reads one model whole. tasks.bpf.h does so.
 *
 * Keys: sooth_key makes those of models with --keys whole (the default). With --keys float a feature has two,
 * which the program makes itself (keys.key[j] and keys.key[features + j]; see integers.h). For more than 32
 * keys, define SOOTH_MOST_KEYS, a power of two. 64 still fit the 512 bytes of stack that a program has. For
 * more, let struct sooth_keys be the value of a per-CPU array map, and mind that one program may interrupt
 * another on the same processor: not in sched_switch, but in programs of sockets or system calls.
 *
 * Needs bpf_loop: Linux 5.17. The output of `sooth export --to bpf`, with branches, calls no helper at all.
 *
 * Costs: at most 8 ceil(trees / 8) x depth steps, up to 32 levels; some 200 bytes of stack in addition to the
 * keys.
 */
#ifndef SOOTH_BPF_H
#define SOOTH_BPF_H

#ifndef SOOTH_MODEL_BYTES
#define SOOTH_MODEL_BYTES (1 << 20)
#endif
#ifndef SOOTH_MOST_KEYS
#define SOOTH_MOST_KEYS 32 /* features, or twice as many for a model that reads the bits of floats */
#endif
#define SOOTH_MODEL_WORDS (SOOTH_MODEL_BYTES / 4)
#define SOOTH_MOST_DEPTH 32

/* The block, in words: its header (8), then trees, nodes, depth, shift, rule, bits, link, values; then
   nodes of two words, the beginnings of trees, two words for each feature, and those of the target. */
struct sooth_block {
    __u32 word[SOOTH_MODEL_WORDS];
};
enum {
    SOOTH_W_MAGIC = 0,
    SOOTH_W_KIND = 1,
    SOOTH_W_SIZE = 2,
    SOOTH_W_FEATURES = 6,
    SOOTH_W_TARGETS = 7,
    SOOTH_W_TREES = 8,
    SOOTH_W_NODES = 9,
    SOOTH_W_DEPTH = 10,
    SOOTH_W_SHIFT = 11,
    SOOTH_W_RULE = 12,
    SOOTH_W_BITS = 13,
    SOOTH_W_VALUES = 15,
    SOOTH_W_NODE = 16
};

_Static_assert((SOOTH_MODEL_BYTES & (SOOTH_MODEL_BYTES - 1)) == 0 &&
                   (SOOTH_MOST_KEYS & (SOOTH_MOST_KEYS - 1)) == 0,
               "indices are cut by masks: powers of two");

struct sooth_keys {
    __s32 key[SOOTH_MOST_KEYS];
};

/* Hides the range of v from the compiler, so that it keeps the cut that the verifier needs. */
#define SOOTH_OPAQUE(v) __asm__ volatile("" : "+r"(v))

static __attribute__((always_inline)) __u32 sooth_word(const struct sooth_block *model, __u64 at) {
    SOOTH_OPAQUE(at);
    at &= SOOTH_MODEL_WORDS - 1;
    return model->word[at];
}

/* Does the map hold a model that these functions can walk? */
static __attribute__((always_inline)) int sooth_ready(const struct sooth_block *model) {
    const __u64 keys = (__u64)model->word[SOOTH_W_FEATURES] << (model->word[SOOTH_W_RULE] & 1);
    return model->word[SOOTH_W_MAGIC] == 0x48544F53u && model->word[SOOTH_W_KIND] == (14u | 1u << 16) &&
           model->word[SOOTH_W_SIZE] <= SOOTH_MODEL_BYTES && model->word[SOOTH_W_TARGETS] == 1 &&
           model->word[SOOTH_W_VALUES] == 0 && keys <= SOOTH_MOST_KEYS &&
           model->word[SOOTH_W_DEPTH] <= SOOTH_MOST_DEPTH;
}

/* The offset of the columns, and after them the target. */
static __attribute__((always_inline)) __u64 sooth_columns(const struct sooth_block *model) {
    return SOOTH_W_NODE + 2 * (__u64)model->word[SOOTH_W_NODES] + model->word[SOOTH_W_TREES] + 1;
}
static __attribute__((always_inline)) __u64 sooth_target(const struct sooth_block *model) {
    return sooth_columns(model) + 2 * (__u64)model->word[SOOTH_W_FEATURES];
}

/* The answer is the sum x 2^-scale, before a link. */
static __attribute__((always_inline)) __s32 sooth_scale(const struct sooth_block *model) {
    return (__s32)sooth_word(model, sooth_target(model));
}

/* Key j of a row whose feature is the integer v: floor(v 2^shift) - offset, cut to the model's bits, as in
   sooth_integers_key_from_integer. j is a constant. */
static __attribute__((always_inline)) void sooth_key(const struct sooth_block *model, struct sooth_keys *keys,
                                                     __u32 j, __s64 v) {
    const __u64 at = sooth_columns(model) + 2 * (__u64)j;
    const __s32 shift = (__s32)sooth_word(model, at), offset = (__s32)sooth_word(model, at + 1);
    const __s64 most = 0x7FFFFFFFu >> ((32 - model->word[SOOTH_W_BITS]) & 31), limit = 1ll << 62;
    if (shift > 0) {
        const __s64 room = limit >> (shift & 63);
        v = v > room ? limit : v < -room ? -limit : (__s64)((__u64)v << (shift & 63));
    } else {
        v >>= -shift & 63; /* rounds down */
    }
    v = (v > limit ? limit : v < -limit ? -limit : v) - offset;
    if (j < SOOTH_MOST_KEYS) keys->key[j] = (__s32)(v > most ? most : v < -most - 1 ? -most - 1 : v);
}

struct sooth_walk {
    const struct sooth_block *model;
    const struct sooth_keys *keys;
    __s64 sum;
};

/* One level down in tree q; a leaf does not move. It has no branch, since the verifier would follow both
   sides at every node. */
#define SOOTH_DOWN(q)                                                             \
    {                                                                             \
        const __u64 node = SOOTH_W_NODE + 2 * at[q];                              \
        const __u64 link = sooth_word(model, node + 1);                           \
        __u64 k = (link & mask) >> 1;                                             \
        SOOTH_OPAQUE(k);                                                          \
        k &= SOOTH_MOST_KEYS - 1;                                                 \
        __s64 over = (__s64)(__s32)sooth_word(model, node) - (__s64)keys->key[k]; \
        SOOTH_OPAQUE(over);                                                       \
        at[q] += ((link >> shift) + ((__u64)over >> 63)) & (0 - (link & 1));      \
    }

/* Eight trees. */
static long sooth_eight(__u32 group, void *context) {
    struct sooth_walk *walk = context;
    const struct sooth_block *model = walk->model;
    const struct sooth_keys *keys = walk->keys;
    const __u32 trees = model->word[SOOTH_W_TREES], shift = model->word[SOOTH_W_SHIFT] & 31;
    const __u64 mask = (1ull << shift) - 1, start = SOOTH_W_NODE + 2 * (__u64)model->word[SOOTH_W_NODES];
    __u64 at[8], depth = model->word[SOOTH_W_DEPTH];
    if (depth > SOOTH_MOST_DEPTH) depth = SOOTH_MOST_DEPTH;
#pragma unroll
    for (int q = 0; q < 8; ++q) at[q] = sooth_word(model, start + group * 8 + q);
#pragma clang loop unroll(disable)
    for (__u64 level = 0; level < depth; ++level) {
#pragma unroll
        for (int q = 0; q < 8; ++q) SOOTH_DOWN(q)
    }
#pragma unroll
    for (int q = 0; q < 8; ++q) {
        const __s64 leaf = (__s32)sooth_word(model, SOOTH_W_NODE + 2 * at[q]);
        if (group * 8 + q < trees) walk->sum += leaf;
    }
    return 0;
}

/* The sum of the base and of all trees' values; 0 if sooth_ready is 0. */
static __attribute__((always_inline)) __s64 sooth_sum(const struct sooth_block *model,
                                                      const struct sooth_keys *keys) {
    struct sooth_walk walk = {model, keys, 0};
    const __u64 target = sooth_target(model);
    if (!sooth_ready(model)) return 0;
    walk.sum = (__s64)((__u64)sooth_word(model, target + 2) << 32 | sooth_word(model, target + 1));
    bpf_loop((model->word[SOOTH_W_TREES] + 7) / 8, sooth_eight, &walk, 0);
    return walk.sum;
}

#endif /* SOOTH_BPF_H */
