/* test_check.c - what the checks of every kind accept and refuse: the least and the greatest of each field.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The blocks are written here word by word, from the layouts that the headers state, and sealed with a right
 * checksum, as whoever can write files can. Then one word after the other says something else.
 */
#define _DEFAULT_SOURCE
#define SOOTH_IMPLEMENTATION
#include "sooth/adapt.h"
#include "sooth/conformal.h"
#include "sooth/model/probability.h"
#include "sooth/model.h"
#include "check.h"
#if defined(__unix__)
#include <sys/mman.h>
#endif

typedef int check_fn(const void *bytes, size_t size);

enum { MOST = 16384, MAGIC = 0, KIND, SIZE, SUM, DOUBLES, BYTES, FEATURES, TARGETS, OWN };
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define NAN_BITS 0x7FC00000u
#define INFINITE_BITS 0x7F800000u

/* The block that is being judged. */
static union {
    double aligned;
    uint32_t word[MOST];
    unsigned char byte[4 * MOST];
} block;
static uint32_t *const word = block.word;

static size_t round_up(size_t size) { return (size + 15) / 16 * 16; }

static uint32_t bits(float v) {
    uint32_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static void seal(void) {
    if (word[SIZE] <= sizeof block && word[SIZE] % 16 == 0)
        word[SUM] = soothi_checksum(block.byte, word[SIZE]);
}

/* An empty block of these regions, in bytes. */
static void begin(uint32_t kind, uint32_t version, size_t words, size_t doubles, size_t bytes) {
    memset(&block, 0, sizeof block);
    word[MAGIC] = 0x48544F53u;
    word[KIND] = kind | version << 16;
    word[DOUBLES] = (uint32_t)round_up(words);
    word[BYTES] = (uint32_t)(round_up(words) + round_up(doubles));
    word[SIZE] = word[BYTES] + (uint32_t)round_up(bytes);
}

/* So many bytes that end where memory ends: who reads beyond them does not come back. */
static unsigned char *last_bytes(size_t size) {
    static unsigned char *end;
#if defined(__unix__)
    const size_t room = 1u << 20, page = 1u << 16;
    if (!end) {
        end = (unsigned char *)mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                    -1, 0);
        if (end == (unsigned char *)MAP_FAILED || mprotect(end + room, page, PROT_NONE) != 0) abort();
        end += room;
    }
#else
    if (!end) end = (unsigned char *)malloc(1u << 20) + (1u << 20);
#endif
    return end - size;
}

/* Is it sound, in memory that ends where it ends? */
static int sound(check_fn *check) {
    const size_t size = word[SIZE] < sizeof block ? word[SIZE] : sizeof block;
    unsigned char *exact = last_bytes(size);
    seal();
    memcpy(exact, &block, size);
    return check(exact, size);
}

/* The same with another value in one word, which then is as it was. */
static int sound_with(check_fn *check, size_t at, uint32_t value) {
    const uint32_t before = word[at], sum = word[SUM];
    int answer;
    word[at] = value;
    answer = sound(check);
    word[at] = before;
    word[SUM] = sum;
    return answer;
}

typedef struct {
    size_t at;
    uint32_t value;
    int sound;
} change;

static void judged(check_fn *check, const change *list, size_t count, const char *what) {
    size_t i;
    CHECK(sound(check));
    for (i = 0; i < count; ++i)
        if (sound_with(check, list[i].at, list[i].value) != list[i].sound) {
            printf("  %s: word %u with %#x should be %s\n", what, (unsigned)list[i].at,
                   (unsigned)list[i].value, list[i].sound ? "sound" : "refused");
            CHECK(0);
        }
}

/* What every block must be: whole, of its kind and version, and with its regions where they belong. exact:
   the regions have one size only. */
static int check_any(const void *bytes, size_t size) { return sooth_block_check(bytes, size, 77, 3); }

static void regions_are_judged(check_fn *check, int exact) {
    const uint32_t size = word[SIZE], doubles = word[DOUBLES], bytes = word[BYTES], kind = word[KIND];
    uint32_t cut, a, b, c;
    CHECK(sound(check));
    CHECK(check(&block, size) && check(&block, size + 16) && check(&block, sizeof block));
    for (cut = 0; cut < size; cut += 16) CHECK(!check(&block, cut));
    CHECK(!check(&block, size - 1) && !check(NULL, size));
    CHECK(!sound_with(check, KIND, kind + 1) && !sound_with(check, KIND, kind - 1));
    if (check != sooth_adapt_check) /* which has two versions */
        CHECK(!sound_with(check, KIND, kind + 65536) && !sound_with(check, KIND, kind - 65536));
    CHECK(!sound_with(check, KIND, kind + 131072) && !sound_with(check, KIND, kind - 131072));
    CHECK(!sound_with(check, MAGIC, word[MAGIC] + 1) && !sound_with(check, MAGIC, word[MAGIC] - 1));
    seal();
    ++word[SUM];
    CHECK(!check(&block, size));
    for (a = 0; a < 3; ++a)
        for (b = 0; b < 3; ++b)
            for (c = 0; c < 3; ++c) {
                int answer;
                word[SIZE] = size - 16 + 16 * a;
                word[DOUBLES] = doubles - 16 + 16 * b;
                word[BYTES] = bytes - 16 + 16 * c;
                answer = sound(check);
                if (exact && (a != 1 || b != 1 || c != 1) && answer) {
                    printf("  sizes %u, %u, %u should be refused\n", (unsigned)word[SIZE],
                           (unsigned)word[DOUBLES], (unsigned)word[BYTES]);
                    CHECK(0);
                }
            }
    /* a block that ends within its own struct */
    word[DOUBLES] = word[BYTES] = word[SIZE] = 32;
    if (check != check_any) CHECK(!sound(check));
    word[SIZE] = size;
    word[DOUBLES] = doubles;
    word[BYTES] = bytes;
}

/* ---- any block ---- */

static void the_least_block_is_a_head(void) {
    begin(77, 3, 32, 0, 0);
    CHECK(word[SIZE] == 32 && sound(check_any));
    CHECK(!sound_with(check_any, SIZE, 16) && !sound_with(check_any, SIZE, 0));
    CHECK(!sound_with(check_any, DOUBLES, 16) && !sound_with(check_any, DOUBLES, 48));
    CHECK(!sound_with(check_any, BYTES, 16) && !sound_with(check_any, BYTES, 48));
    CHECK(!check_any((unsigned char *)&block + 4, 32));
}

static void regions_follow_each_other(void) {
    static const uint32_t odd[] = {0, 16, 31, 33, 40, 47, 65, 72, 80, 96, 0xFFFFFFF0u};
    size_t i;
    begin(77, 3, 48, 16, 16); /* 48, 64, 80 */
    regions_are_judged(check_any, 0);
    for (i = 0; i < COUNT(odd); ++i) {
        CHECK(!sound_with(check_any, DOUBLES, odd[i]));
        if (odd[i] != 80) CHECK(!sound_with(check_any, BYTES, odd[i]));
    }
    CHECK(sound_with(check_any, DOUBLES, 32) && sound_with(check_any, DOUBLES, 64));
    CHECK(sound_with(check_any, BYTES, 48) && sound_with(check_any, BYTES, 80));
    /* sizes that are no multiple of 16, with the checksum of what is read of them */
    for (i = 65; i < 80; ++i) {
        word[SIZE] = (uint32_t)i;
        word[SUM] = soothi_checksum(block.byte, i);
        CHECK(!check_any(&block, 80));
    }
}

static void sizes_are_rounded_up(void) {
    size_t i;
    for (i = 0; i < 100; ++i) CHECK(soothi_round16(i) == round_up(i));
}

/* ---- trees ---- */

enum { NODES = OWN, DEPTH, SHIFT, STATISTICS, TREE_NODES };

static void node(size_t at, uint32_t u, uint32_t link) {
    word[at] = u;
    word[at + 1] = link;
}

static uint32_t inner(uint32_t feature, uint32_t further, uint32_t shift) {
    return 1u | feature << 2 | further << shift;
}

/*      0        of three features; a split at the last feature, then one at the first
      1   2
     3 4                                                                                    */
static void five_nodes(size_t at, uint32_t shift, const uint32_t leaf[3]) {
    node(at, bits(0.5f), inner(2, 1, shift) | 2u);
    node(at + 2, bits(-1.0f), inner(0, 2, shift));
    node(at + 4, leaf[0], 0);
    node(at + 6, leaf[1], 0);
    node(at + 8, leaf[2], 0);
}

/* ---- planes, of trees and of ensembles ---- */

/* In which word their number stands, what each node says of them, and the records. */
static struct { size_t count, at, record; } planes;

/* Leaves with odd numbers have no plane, of the others the first, third, ... one of one term. */
static uint32_t terms_of(uint32_t leaf) { return leaf % 2 ? 0 : 1 + leaf / 2 % 2; }

/* Records of a tree whose root is node `root`: of five_nodes, or a leaf. */
static uint32_t records_of(uint32_t root, int five) {
    uint32_t leaf = five ? root + 2 : root, records = 0;
    for (; leaf < root + (five ? 5u : 1u); ++leaf) records += terms_of(leaf) ? 1 + terms_of(leaf) : 0;
    return records;
}

static void put_planes(size_t count_at, size_t at, size_t node_at, uint32_t nodes) {
    uint32_t next = 0, k, t;
    planes.count = count_at;
    planes.at = at;
    planes.record = at + nodes;
    for (k = 0; k < nodes; ++k) {
        const uint32_t terms = word[node_at + 2 * k + 1] ? 0 : terms_of(k);
        size_t record = planes.record + 5 * next;
        if (!terms) continue;
        word[at + k] = next + 1;
        word[record] = terms;
        word[record + 1] = bits(1.0f);
        word[record + 3] = bits(-1.0f); /* least, most */
        word[record + 4] = bits(1.0f);
        for (t = 0; t < terms; ++t) {
            record += 5;
            word[record] = 2; /* feature, slope, center, from, to */
            word[record + 1] = bits(0.5f);
            word[record + 3] = bits(-1.0f);
            word[record + 4] = bits(1.0f);
        }
        next += 1 + terms;
    }
    word[count_at] = next;
}

/* No word says another leaf, number or feature, and every range has its ends in order. */
static void check_planes(check_fn *check, uint32_t nodes) {
    const uint32_t records = word[planes.count];
    uint32_t k, t, first = 0;
    const change counts[] = {{planes.count, 0, 0},
                             {planes.count, records - 1, 0},
                             {planes.count, records + 1, 0},
                             {planes.count, UINT32_MAX, 0}};
    judged(check, counts, COUNT(counts), "planes");
    for (k = 0; k < nodes; ++k) {
        const uint32_t was = word[planes.at + k];
        CHECK(!sound_with(check, planes.at + k, was + 1) && !sound_with(check, planes.at + k, was - 1));
        CHECK(!sound_with(check, planes.at + k, records) && !sound_with(check, planes.at + k, records + 1));
        if (was && !first) first = k;
        for (t = 0; was && t <= word[planes.record + 5 * (was - 1)]; ++t) {
            const size_t r = planes.record + 5 * (was - 1 + t);
            const change head[] = {{r, 0, 0}, {r, word[r] + 1, 0}, {r, word[r] - 1, 0}, {r, UINT32_MAX, 0}};
            const change term[] = {{r, 0, 1}, {r, 2, 1}, {r, 3, 0}, {r, UINT32_MAX, 0}};
            const change both[] = {{r + 1, bits(9.0f), 1},  {r + 2, bits(9.0f), 1}, {r + 3, bits(1.0f), 1},
                                   {r + 3, bits(1.5f), 0},  {r + 3, NAN_BITS, 0},   {r + 4, bits(-1.0f), 1},
                                   {r + 4, bits(-1.5f), 0}, {r + 4, NAN_BITS, 0}};
            judged(check, t ? term : head, t ? COUNT(term) : COUNT(head), t ? "term" : "plane");
            judged(check, both, COUNT(both), "range");
        }
    }
    for (k = 0; k < 2 && k < first; ++k) { /* the first plane as an inner node's */
        word[planes.at + k] = 1;
        word[planes.at + first] = 0;
        CHECK(!sound(check));
        word[planes.at + k] = 0;
        word[planes.at + first] = 1;
    }
    CHECK(sound(check));
}

static void make_tree(uint32_t targets, uint32_t statistics) {
    const size_t values = statistics ? 5 * targets : targets > 1 ? 3 * targets : 0;
    static const uint32_t numbers[3] = {0, 1, 2}, places[3] = {2, 3, 4};
    const uint32_t value[3] = {bits(1.0f), bits(2.0f), bits(NAN)};
    begin(4, 1, 48 + 40 + 4 * values + (statistics ? 4 * 5 : 0), statistics ? 16 * 5 : 0, 0);
    word[FEATURES] = 3;
    word[TARGETS] = targets;
    word[NODES] = 5;
    word[DEPTH] = 2;
    word[SHIFT] = 9;
    word[STATISTICS] = statistics;
    five_nodes(TREE_NODES, 9, targets == 1 ? value : statistics ? places : numbers);
}

static void trees_are_judged(void) {
    uint32_t targets, statistics;
    for (targets = 1; targets <= 4; ++targets)
        for (statistics = 0; statistics < 2; ++statistics) {
            make_tree(targets, statistics);
            regions_are_judged(sooth_tree_check, 1);
            {
                const change list[] = {
                    {FEATURES, 0, 0},
                    {FEATURES, 2, 0},
                    {FEATURES, 4, 1},
                    {FEATURES, UINT32_MAX, 1},
                    {TARGETS, 0, 0},
                    {TARGETS, UINT32_MAX, 0},
                    {NODES, 0, 0},
                    {NODES, 3, 0},
                    {NODES, 4, 0},
                    {NODES, 6, 0},
                    {NODES, 7, 0},
                    {NODES, UINT32_MAX, 0},
                    {DEPTH, 1, 0},
                    {DEPTH, 3, 0},
                    {SHIFT, 8, 0},
                    {SHIFT, 10, 0},
                    {STATISTICS, !statistics, 0},
                    {STATISTICS, 2, 0},
                    {TREE_NODES, NAN_BITS, 0},
                    {TREE_NODES, INFINITE_BITS, 1}, /* all but missing values go left */
                    {TREE_NODES, bits(-INFINITY), 1},
                    {TREE_NODES + 1, inner(2, 0, 9), 0},
                    {TREE_NODES + 1, inner(2, 2, 9), 0},
                    {TREE_NODES + 1, inner(3, 1, 9), 0},
                    {TREE_NODES + 1, inner(0, 1, 9), 1},
                    {TREE_NODES + 1, 0, 0},
                    {TREE_NODES + 3, 0, 0}, /* then there are nodes that nobody is the parent of */
                    {TREE_NODES + 3, inner(0, 1, 9), 0},
                    {TREE_NODES + 3, inner(0, 3, 9), 0},
                    {TREE_NODES + 5, 1, 0},
                    {TREE_NODES + 5, 2, 0},
                    {TREE_NODES + 5, inner(0, 3, 9), 0},
                    {TREE_NODES + 7, 2, 0},
                    {TREE_NODES + 9, 4, 0},
                    {TREE_NODES + 9, inner(0, 1, 9), 0},
                    {TREE_NODES + 4, statistics ? 3 : 1, targets == 1},
                    {TREE_NODES + 6, statistics ? 2 : 0, targets == 1},
                    {TREE_NODES + 8, statistics ? 5 : 3, targets == 1},
                };
                judged(sooth_tree_check, list, COUNT(list), "tree");
            }
        }
}

/* A tree of no target, and nodes that nobody is the parent of, be it that they are their own. */
static void trees_hang_together(void) {
    static const uint32_t numbers[3] = {0, 1, 2}, places[3] = {2, 3, 4};
    uint32_t statistics;
    for (statistics = 0; statistics < 2; ++statistics) {
        make_tree(0, statistics);
        five_nodes(TREE_NODES, 9, statistics ? places : numbers);
        CHECK(!sound(sooth_tree_check));
    }
    make_tree(1, 0);
    node(TREE_NODES, 0, 0);
    node(TREE_NODES + 2, 0, inner(0, 0, 9)); /* itself, and the next one */
    node(TREE_NODES + 4, 0, 0);
    node(TREE_NODES + 6, 0, inner(0, 0, 9));
    for (word[DEPTH] = 0; word[DEPTH] < 5; ++word[DEPTH]) CHECK(!sound(sooth_tree_check));
    make_tree(1, 0);
    node(TREE_NODES + 2, 0, 0);
    node(TREE_NODES + 6, 0, inner(0, 0, 9));
    for (word[DEPTH] = 0; word[DEPTH] < 5; ++word[DEPTH]) CHECK(!sound(sooth_tree_check));
}

/* One node, of any number of features; three, with the least and the greatest shift. */
static void small_trees_are_judged(void) {
    uint32_t shift;
    begin(4, 1, 48 + 8, 0, 0);
    word[FEATURES] = word[TARGETS] = word[NODES] = 1;
    word[SHIFT] = 20;
    regions_are_judged(sooth_tree_check, 1);
    {
        static const change list[] = {{SHIFT, 0, 0},  {SHIFT, 1, 0},    {SHIFT, 2, 1},
                                      {SHIFT, 31, 1}, {SHIFT, 32, 0},   {SHIFT, UINT32_MAX, 0},
                                      {DEPTH, 1, 0},  {FEATURES, 0, 0}, {FEATURES, 2, 1},
                                      {NODES, 2, 0},  {NODES, 0, 0},    {TREE_NODES + 1, 2, 0}};
        judged(sooth_tree_check, list, COUNT(list), "tree of one leaf");
    }
    for (shift = 2; shift <= 31; ++shift) {
        const uint32_t features = shift == 2 ? 1 : 2; /* no bit is left for a number */
        begin(4, 1, 48 + 24, 0, 0);
        word[FEATURES] = features;
        word[TARGETS] = word[DEPTH] = 1;
        word[NODES] = 3;
        word[SHIFT] = shift;
        node(TREE_NODES, 0, inner(features - 1, 1, shift));
        CHECK(sound(sooth_tree_check));
        CHECK(sound_with(sooth_tree_check, FEATURES, features - 1) == 0);
        CHECK(sound_with(sooth_tree_check, NODES, 1) == 0); /* the children are not there */
    }
}

/* A tree of five nodes, or of a leaf, with planes; room: words between them and the end. */
static void make_linear_tree(int five, uint32_t targets, uint32_t statistics, uint32_t room) {
    const uint32_t nodes = five ? 5 : 1, records = records_of(0, five),
                   odd = targets < 2 ? 0 : (nodes + 1) / 2;
    const size_t at =
        TREE_NODES + 2 * nodes + targets * (statistics ? nodes : odd) + (statistics ? nodes : 0);
    const uint32_t value[3] = {bits(1.0f), bits(2.0f), bits(3.0f)};
    begin(4, 2, 4 * (at + 1 + nodes + 5 * records + room), statistics ? 16 * nodes : 0, 0);
    word[FEATURES] = 3;
    word[TARGETS] = targets;
    word[NODES] = nodes;
    word[DEPTH] = five ? 2 : 0;
    word[SHIFT] = 9;
    word[STATISTICS] = statistics;
    if (five) five_nodes(TREE_NODES, 9, value);
    put_planes(at, at + 1, TREE_NODES, nodes);
}

static void trees_with_planes_are_judged(void) {
    uint32_t five, statistics, room;
    for (five = 0; five < 2; ++five)
        for (statistics = 0; statistics < 2; ++statistics) {
            make_linear_tree((int)five, 1, statistics, 0);
            {
                const change list[] = {
                    {FEATURES, 0, 0},
                    {FEATURES, 2, 0},
                    {FEATURES, 4, 1},
                    {TARGETS, 0, 0},
                    {TARGETS, 2, 0},
                    {TARGETS, UINT32_MAX, 0},
                    {NODES, 0, 0},
                    {NODES, word[NODES] - 1, 0},
                    {NODES, word[NODES] + 1, 0},
                    {NODES, 0x20000000u, 0},
                    {NODES, UINT32_MAX, 0},
                    {STATISTICS, 2, 0},
                    {STATISTICS, !statistics, 0},
                    {KIND, 4 | 1u << 16, 0},
                };
                regions_are_judged(sooth_tree_check, 1);
                judged(sooth_tree_check, list, COUNT(list), "tree with planes");
                check_planes(sooth_tree_check, word[NODES]);
            }
            for (room = 4; room < 40; room += 4) {
                make_linear_tree((int)five, 1, statistics, room);
                CHECK(!sound(sooth_tree_check));
            }
            make_linear_tree((int)five, 2, statistics, 0); /* planes predict one target */
            CHECK(!sound(sooth_tree_check));
            make_linear_tree((int)five, 0, statistics, 0);
            CHECK(!sound(sooth_tree_check));
            make_tree(1, statistics); /* none at all is the other version */
            word[KIND] = 4 | 2u << 16;
            CHECK(!sound(sooth_tree_check));
        }
    make_linear_tree(1, 1, 0, 0); /* of the two planes only the second, of one term */
    memmove(&word[planes.record], &word[planes.record + 15], 40);
    word[planes.at + 2] = 0;
    word[planes.at + 4] = 1;
    word[planes.count] = 2;
    word[DOUBLES] = word[BYTES] = word[SIZE] = (uint32_t)round_up(4 * (planes.record + 10));
    CHECK(sound(sooth_tree_check));
    check_planes(sooth_tree_check, 5);
}

/* Blocks that end before what they speak of: nothing is read there. */
static void planes_end_within_the_block(void) {
    uint32_t k;
    make_linear_tree(1, 1, 0, 0);
    for (k = 0; k < 1000; ++k) CHECK(sound_with(sooth_tree_check, NODES, k) == (k == 5));
    make_linear_tree(1, 1, 1, 0); /* three words of what each node says are missing */
    word[DOUBLES] = word[BYTES] = word[SIZE] = (uint32_t)round_up(4 * (planes.at + 2));
    memset(&word[planes.count], 0, 64);
    CHECK(!sound(sooth_tree_check));
    make_linear_tree(0, 1, 0, 0); /* no record at all */
    word[DOUBLES] = word[BYTES] = word[SIZE] = (uint32_t)(4 * planes.record);
    CHECK(word[SIZE] % 16 == 0 && !sound_with(sooth_tree_check, planes.count, 0));
    CHECK(!sound(sooth_tree_check));
    word[DOUBLES] = word[BYTES] = word[SIZE] = (uint32_t)round_up(4 * (planes.record + 5)); /* no term */
    memset(&word[planes.record + 5], 0, 20);
    CHECK(!sound_with(sooth_tree_check, planes.count, 1));
    CHECK(!sound_with(sooth_tree_check, planes.count, 100));
}

/* The tree of five nodes, of which the first two ask for sets, of two words and of one; with planes, or
   without. room: words between them and the end. */
static struct { size_t count, first, word, records; } tree_sets;

static void make_tree_of_sets(uint32_t targets, uint32_t statistics, int linear, uint32_t room) {
    static const uint32_t numbers[3] = {0, 1, 2}, places[3] = {2, 3, 4};
    const uint32_t value[3] = {bits(1.0f), bits(2.0f), bits(3.0f)}, records = linear ? records_of(0, 1) : 0;
    const size_t values = statistics ? 5 * (targets + 1) : targets > 1 ? 3 * targets : 0;
    tree_sets.count = TREE_NODES + 10 + values;
    tree_sets.first = tree_sets.count + 1;
    tree_sets.word = tree_sets.first + 3;
    tree_sets.records = tree_sets.word + 3;
    begin(4, 3, 4 * (tree_sets.records + 1 + (linear ? 5 + 5 * records : 0) + room), statistics ? 16 * 5 : 0,
          0);
    word[FEATURES] = 3;
    word[TARGETS] = targets;
    word[NODES] = 5;
    word[DEPTH] = 2;
    word[SHIFT] = 9;
    word[STATISTICS] = statistics;
    five_nodes(TREE_NODES, 9, targets == 1 ? value : statistics ? places : numbers);
    word[TREE_NODES] = NAN_BITS;
    word[TREE_NODES + 2] = NAN_BITS + 1;
    word[tree_sets.count] = 2;
    word[tree_sets.first + 1] = 2;
    word[tree_sets.first + 2] = 3;
    for (uint32_t k = 0; k < 3; ++k) word[tree_sets.word + k] = 5 + k;
    if (linear) put_planes(tree_sets.records, tree_sets.records + 1, TREE_NODES, 5);
}

static void trees_with_sets_are_judged(void) {
    for (uint32_t targets = 1; targets <= 3; ++targets)
        for (uint32_t form = 0; form < (targets == 1 ? 4 : 2); ++form) {
            const uint32_t statistics = form & 1u, linear = form >> 1;
            make_tree_of_sets(targets, statistics, (int)linear, 0);
            const change list[] = {
                {FEATURES, 2, 0},
                {FEATURES, 4, 1},
                {TARGETS, 0, 0},
                {TARGETS, targets + 1, 0},
                {TARGETS, UINT32_MAX, 0},
                {NODES, 3, 0},
                {NODES, 7, 0},
                {NODES, UINT32_MAX, 0},
                {DEPTH, 1, 0},
                {STATISTICS, !statistics, 0},
                {STATISTICS, 2, 0},
                {KIND, 4 | 1u << 16, 0},
                {KIND, 4 | 2u << 16, 0},
                {TREE_NODES, NAN_BITS + 1, 0}, /* asked for too early */
                {TREE_NODES, NAN_BITS - 1, 0},
                {TREE_NODES, NAN_BITS | 1u << 31, 0},
                {TREE_NODES, bits(1.0f), 0}, /* one is never asked for */
                {TREE_NODES + 2, bits(1.0f), 0},
                {TREE_NODES + 2, NAN_BITS, 0},
                {TREE_NODES + 2, NAN_BITS + 2, 0},
                {TREE_NODES + 2, UINT32_MAX, 0},
                {tree_sets.count, 0, 0},
                {tree_sets.count, 1, 0},
                {tree_sets.count, 3, 0},
                {tree_sets.count, 0x3FFFFFFFu, 0},
                {tree_sets.count, UINT32_MAX - 1, 0},
                {tree_sets.count, UINT32_MAX, 0},
                {tree_sets.first, 1, 0},
                {tree_sets.first, UINT32_MAX, 0},
                {tree_sets.first + 1, 0, 1}, /* between its neighbours it may begin anywhere */
                {tree_sets.first + 1, 3, 1},
                {tree_sets.first + 1, 4, 0},
                {tree_sets.first + 1, UINT32_MAX, 0},
                {tree_sets.first + 2, 1, 0},
                {tree_sets.first + 2, 2, 0},
                {tree_sets.first + 2, 4, !linear && tree_sets.records % 4 < 3}, /* into what fills up */
                {tree_sets.first + 2, 0x40000003u, 0},
                {tree_sets.first + 2, UINT32_MAX, 0},
                {tree_sets.word, UINT32_MAX, 1},
                {tree_sets.word + 2, 0, 1},
                {tree_sets.records, linear ? 0 : 1, 0},
                {tree_sets.records, UINT32_MAX, 0},
            };
            regions_are_judged(sooth_tree_check, 1);
            judged(sooth_tree_check, list, COUNT(list), "tree with sets");
            if (linear) check_planes(sooth_tree_check, 5);
            for (uint32_t room = 4; room < 16; room += 4) {
                make_tree_of_sets(targets, statistics, (int)linear, room);
                CHECK(!sound(sooth_tree_check));
            }
            make_tree(targets, statistics); /* without any it is another version */
            for (uint32_t more = 0; more < 3; ++more) {
                word[KIND] = 4 | 3u << 16;
                CHECK(!sound(sooth_tree_check));
                if (statistics) break;
                word[DOUBLES] = word[BYTES] = word[SIZE] = word[SIZE] + 16;
            }
        }
    make_tree_of_sets(2, 0, 1, 0); /* planes predict one target */
    CHECK(!sound(sooth_tree_check));
    /* blocks that end before what they speak of */
    for (uint32_t linear = 0; linear < 2; ++linear) {
        make_tree_of_sets(1, 0, (int)linear, 0);
        for (uint32_t size = 48; size < word[SIZE]; size += 16) {
            const uint32_t whole = word[SIZE];
            word[DOUBLES] = word[BYTES] = word[SIZE] = size;
            CHECK(!sound(sooth_tree_check));
            for (uint32_t sets = 0; sets < 40; ++sets)
                CHECK(!sound_with(sooth_tree_check, tree_sets.count, sets));
            for (uint32_t words = 3; words < (linear ? 4 : 40); ++words)
                CHECK(!sound_with(sooth_tree_check, tree_sets.first + 2, words));
            word[DOUBLES] = word[BYTES] = word[SIZE] = whole;
        }
        CHECK(sound(sooth_tree_check));
    }
}

/* Sizes that 32 bits cannot hold are none, and those that 64 bits cannot hold either. */
static void words_of_a_tree_are_counted(void) {
    CHECK(soothi_tree_words(1, 1, 0, 12) == 68 && soothi_tree_words(1, 1, 0, 0xFFFFFFFFull << 4) == 0);
    CHECK(soothi_tree_words(1, 1, 0, 0) == 56 && soothi_tree_words(1, 1, 1, 0) == 64);
    CHECK(soothi_tree_words(3, 2, 0, 0) == 48 + 24 + 16 && soothi_tree_words(3, 2, 1, 0) == 48 + 36 + 24);
    CHECK(soothi_tree_words(0x1FFFFFF7u, 1, 0, 0) == 0xFFFFFFE8u);
    CHECK(soothi_tree_words(0x1FFFFFF8u, 1, 0, 0) ==
          0); /* 0xFFFFFFF0 would be rounded to 2^32 by a byte more */
    CHECK(soothi_tree_words(0x1FFFFFF9u, 1, 0, 0) == 0);
    CHECK(soothi_tree_words(0x80000000u, 0x7FFFFFFDu, 1, 0) == 0); /* 2^64 + 48 */
    CHECK(soothi_tree_words(0xFFFFFFFFu, 0x7FFFFFFCu, 0, 0) == 0); /* 2^64 + 40 */
    CHECK(soothi_tree_words(0xFFFFFFFFu, 0xFFFFFFFFu, 1, 0) == 0);
}

/* ---- ensembles ---- */

enum {
    E_TREES = OWN,
    E_NODES,
    E_LEAVES,
    E_DEPTH,
    E_SHIFT,
    E_FLAGS,
    E_LINK,
    E_TABLE,
    E_EXTRA,
    E_PLANES,
    E_SETS,
    E_SET_WORDS,
    E_NODE = 20
};
enum { MEAN = 1, EXACT = 2, LOW = 4, ROWS = 8, COVER = 16, PLANES = 32, SETS = 64, ZEROS = 128 };

static int check_forest(const void *bytes, size_t size) {
    return soothi_ensemble_check(bytes, size, SOOTH_KIND_FOREST);
}

/* Where set k begins among the words: sets have 0, 1, 2, 0, 1, ... of them. */
static uint32_t first_word(uint32_t k) { return k / 3 * 3 + (k % 3 == 2); }

/* Where the parts of the ensemble in the block stand, in words; as the layout in ensemble.h is stated. */
static struct { size_t start, base, hull, value, low, cover, table, plane, set, extra, end; } part;

static void lay_out(uint32_t trees, uint32_t nodes, uint32_t leaves, uint32_t targets, uint32_t flags,
                    uint32_t depth, uint32_t records, uint32_t sets, uint32_t extra) {
    part.start = E_NODE + 2 * nodes;
    part.base = part.start + trees + 1;
    part.hull = part.base + 2 * targets;
    part.value = part.hull + 2 * targets;
    part.low = part.value + (flags & ROWS && targets > 1 ? leaves * targets : 0);
    part.cover = part.low + (flags & LOW ? nodes : 0);
    part.table = part.cover + (flags & COVER ? nodes : 0);
    part.plane = part.table + (depth ? ((trees + 7) / 8 * 24) << depth : 0);
    part.set = part.plane + (flags & PLANES ? nodes + 5 * records : 0);
    part.extra = part.set + (flags & SETS ? sets + 1 + first_word(sets) : 0);
    part.end = part.extra + extra;
}

/* What stands at place k of the second form of a tree: a threshold and 4 x feature, or a leaf's value. */
static void place(size_t root, uint32_t shift, uint32_t depth, uint32_t k, uint32_t out[2]) {
    size_t at = root;
    uint32_t level = 0, step;
    while (k >> (level + 1)) ++level;
    for (step = level; step > 0 && word[at + 1]; --step)
        at += 2 * ((word[at + 1] >> shift) + (k >> (step - 1) & 1u));
    out[0] = level == depth ? word[at] : step > 0 || word[at + 1] == 0 ? INFINITE_BITS : word[at];
    out[1] = level == depth || step > 0 || word[at + 1] == 0 ? 0 : (word[at + 1] >> 2 & 127u) * 4;
}

/* Trees of five nodes and, every third one, of one node, all of three features. */
static void make_ensemble(uint32_t trees, uint32_t targets, uint32_t flags, uint32_t depth, uint32_t extra) {
    uint32_t k, t, nodes = 0, leaves = 0, records = 0, deepest = 0, sets = 0;
    size_t at;
    for (k = 0; k < trees; ++k) {
        sets += k % 3 != 2 && flags & SETS; /* the root of each that has five nodes */
        records += records_of(nodes, k % 3 != 2);
        nodes += k % 3 == 2 ? 1 : 5;
        leaves += k % 3 == 2 ? 1 : 3;
    }
    lay_out(trees, nodes, leaves, targets, flags, depth, records, sets, extra);
    begin(6, flags & SETS ? 3 : flags & PLANES ? 2 : 1, 4 * part.end, 8 * 3, 0);
    for (at = part.end; at < word[SIZE] / 4; ++at) word[at] = 0x3FF00000u; /* gains; what fills up */
    word[FEATURES] = 3;
    word[TARGETS] = targets;
    word[E_TREES] = trees;
    word[E_NODES] = nodes;
    word[E_LEAVES] = leaves;
    word[E_SHIFT] = 9;
    word[E_FLAGS] = flags;
    word[E_TABLE] = depth;
    word[E_EXTRA] = extra;
    for (k = 0; k <= sets && sets; ++k) word[part.set + k] = first_word(k);
    if (sets) word[E_SETS] = sets, word[E_SET_WORDS] = first_word(sets);
    sets = leaves = 0;
    at = E_NODE;
    for (k = 0; k < trees; ++k) {
        const int wide = flags & ROWS && targets > 1;
        uint32_t leaf[3];
        for (t = 0; t < 3; ++t) leaf[t] = wide ? leaves + t : bits((float)(10 * k + t));
        word[part.start + k] = (uint32_t)(at - E_NODE) / 2;
        if (k % 3 == 2) node(at, leaf[0], 0);
        else five_nodes(at, 9, leaf), deepest = 2;
        if (k % 3 != 2 && flags & SETS) word[at] = NAN_BITS + sets++;
        leaves += k % 3 == 2 ? 1 : 3;
        at += k % 3 == 2 ? 2 : 10;
    }
    word[part.start + trees] = nodes;
    word[E_DEPTH] = deepest;
    for (t = 0; t < 2 * targets; ++t) word[part.base + t] = bits(1.5f);
    for (t = 0; t < targets; ++t) {
        word[part.hull + 2 * t] = bits(-1.0f);
        word[part.hull + 2 * t + 1] = bits(t ? -1.0f : 1.0f);
    }
    if (flags & PLANES) put_planes(E_PLANES, part.plane, E_NODE, nodes);
    for (k = 0; depth && k < trees; ++k)
        for (t = 1; t < 2u << depth; ++t) {
            const size_t group = part.table + ((k / 8 * 24) << depth);
            uint32_t two[2];
            place(E_NODE + 2 * word[part.start + k], 9, depth, t, two);
            if (t >> depth) word[group + (16u << depth) + 8 * (t - (1u << depth)) + k % 8] = two[0];
            else memcpy(&word[group + 16 * t + 2 * (k % 8)], two, sizeof two);
        }
}

/* Sets follow each other up to the last word; nodes ask for them in their order, for each once. */
static void check_sets(void) {
    const uint32_t sets = word[E_SETS], words = word[E_SET_WORDS];
    const change list[] = {{E_SETS, sets + 1, 0},
                           {E_SETS, sets - 1, 0},
                           {E_SETS, UINT32_MAX, 0},
                           {E_SET_WORDS, words + 4, 0},
                           {E_SET_WORDS, words - 4, 0},
                           {E_SET_WORDS, UINT32_MAX, 0},
                           {part.set, 1, 0},
                           {part.set, UINT32_MAX, 0},
                           {part.set + sets, words + 1, 0},
                           {part.set + sets, words - 1, 0}};
    uint32_t k;
    CHECK(sets > 0);
    judged(check_forest, list, COUNT(list), "ensemble with sets");
    for (k = 0; k <= sets; ++k) {
        const uint32_t first = word[part.set + k];
        CHECK(!sound_with(check_forest, part.set + k, first_word(sets) + 1));
        if (k > 0 && k < sets) /* between its neighbours it may begin anywhere */
            for (uint32_t to = 0; to <= words; ++to)
                CHECK(sound_with(check_forest, part.set + k, to) ==
                      (to >= word[part.set + k - 1] && to <= word[part.set + k + 1]));
        CHECK(word[part.set + k] == first);
    }
    for (k = 0; k < word[E_NODES]; ++k) /* the next set is asked for too early, or never */
        if (word[E_NODE + 2 * k + 1] & 1u && word[E_NODE + 2 * k] >= NAN_BITS &&
            word[E_NODE + 2 * k] >> 31 == 0) {
            CHECK(!sound_with(check_forest, E_NODE + 2 * k, word[E_NODE + 2 * k] + 1));
            CHECK(!sound_with(check_forest, E_NODE + 2 * k, word[E_NODE + 2 * k] - 1));
            CHECK(!sound_with(check_forest, E_NODE + 2 * k, bits(1.0f)));
        }
    for (k = 0; k < words; ++k) CHECK(sound_with(check_forest, part.set + sets + 1 + k, ~0u));
}

static void ensembles_are_judged(void) {
    static const uint32_t shapes[][5] = {/* trees, targets, flags, table_depth, extra */
                                         {1, 1, 0, 0, 0},
                                         {4, 1, MEAN, 0, 0},
                                         {4, 2, EXACT | COVER, 0, 0},
                                         {4, 2, ROWS | EXACT, 0, 3},
                                         {3, 3, COVER, 2, 2},
                                         {3, 1, LOW | EXACT, 0, 5},
                                         {2, 1, LOW | EXACT | COVER | MEAN, 0, 0},
                                         {8, 1, COVER, 2, 0},
                                         {9, 1, EXACT, 3, 1},
                                         {1, 1, ROWS, 2, 0},
                                         {1, 4, ROWS | COVER, 0, 0},
                                         {3, 2, ROWS, 0, 0},
                                         {2, 1, 31, 0, 0},
                                         {1, 1, PLANES, 0, 0},
                                         {4, 2, PLANES | EXACT | MEAN, 0, 3},
                                         {3, 1, PLANES | COVER, 0, 0},
                                         {5, 1, 63, 0, 5},
                                         {1, 1, SETS, 0, 0},
                                         {7, 1, SETS | ZEROS | COVER, 0, 3},
                                         {4, 2, SETS | ROWS, 0, 1},
                                         {5, 1, SETS | PLANES | MEAN, 0, 0},
                                         {8, 1, 255, 0, 2}};
    size_t s;
    for (s = 0; s < COUNT(shapes); ++s) {
        const uint32_t trees = shapes[s][0], targets = shapes[s][1], flags = shapes[s][2],
                       depth = shapes[s][3];
        const int wide = flags & ROWS && targets > 1;
        make_ensemble(trees, targets, flags, depth, shapes[s][4]);
        regions_are_judged(check_forest, 1);
        {
            const change list[] = {
                {FEATURES, 0, 0},
                {FEATURES, 2, 0},
                {FEATURES, 4, 1},
                {FEATURES, 5, 0}, /* another place of doubles */
                {FEATURES, UINT32_MAX, 0},
                {TARGETS, 0, 0},
                {TARGETS, UINT32_MAX, 0},
                {E_TREES, 0, 0},
                {E_TREES, trees - 1, 0},
                {E_TREES, trees + 1, 0},
                {E_TREES, UINT32_MAX, 0},
                {E_NODES, word[E_NODES] - 1, 0},
                {E_NODES, word[E_NODES] + 1, 0},
                {E_NODES, 0, 0},
                {E_NODES, UINT32_MAX, 0},
                {E_LEAVES, word[E_LEAVES] - 1, 0},
                {E_LEAVES, word[E_LEAVES] + 1, 0},
                {E_LEAVES, UINT32_MAX, 0},
                {E_DEPTH, 1, 0},
                {E_DEPTH, 3, 0},
                {E_SHIFT, 1, 0},
                {E_SHIFT, 8, 0},
                {E_SHIFT, 10, 0},
                {E_SHIFT, 32, 0},
                {E_FLAGS, flags ^ MEAN, 1},
                {E_FLAGS, flags ^ EXACT, !(flags & LOW)},
                {E_FLAGS, flags ^ PLANES, 0},
                {E_FLAGS, flags ^ SETS, 0},
                {E_FLAGS, flags ^ ZEROS, flags & SETS ? 1 : 0},
                {E_FLAGS, flags | 256, 0},
                {E_FLAGS, UINT32_MAX, 0},
                {E_LINK, 1, 1},
                {E_LINK, 2, 1},
                {E_LINK, 3, 0},
                {E_LINK, UINT32_MAX, 0},
                {E_TABLE, depth + 1, 0},
                {E_TABLE, 9, 0},
                {E_TABLE, 32, 0},
                {E_EXTRA, UINT32_MAX, 0},
                {E_NODE, flags & SETS ? bits(0.5f) : NAN_BITS, 0},
                {E_NODE, NAN_BITS + 1, 0},
                {E_NODE, NAN_BITS | 1u << 31, 0},
                {E_NODE + 1, inner(3, 1, 9), 0},
                {E_NODE + 1, inner(1, 1, 9), depth == 0},
                {E_NODE + 3, inner(0, 1, 9), 0},
                {E_NODE + 4, 3, !wide && depth == 0},
                {E_NODE + 5, 2, 0},
                {part.start, 1, 0},
                {part.start + 1, word[part.start + 1] - 1, 0},
                {part.start + 1, word[part.start + 1] + 1, 0},
                {part.start + 1, 0, 0},
                {part.start + 1, UINT32_MAX, 0},
                {part.start + trees, word[E_NODES] + 1, 0},
                {part.hull, NAN_BITS, 0},
                {part.hull, bits(1.0f), 1},
                {part.hull, bits(1.5f), 0},
                {part.hull + 1, NAN_BITS, 0},
                {part.hull + 1, bits(-1.0f), 1},
                {part.hull + 1, bits(-1.5f), 0},
                {part.hull + 2 * targets - 1, bits(-1.5f), 0},
                {part.hull + 2 * targets - 2, bits(2.0f), 0},
            };
            judged(check_forest, list, COUNT(list), "ensemble");
            if (flags & PLANES) check_planes(check_forest, word[E_NODES]);
            if (flags & SETS) check_sets();
        }
        if (check_failures) printf("  (shape %u)\n", (unsigned)s);
        if (check_failures) return;
    }
}

/* Trees without a split, of one feature or, which nothing is, of none. */
static void ensembles_of_leaves_are_judged(void) {
    uint32_t features, trees, k;
    for (features = 0; features < 20; ++features)
        for (trees = 0; trees < 4; ++trees) {
            lay_out(trees, trees, trees, 1, 0, 0, 0, 0, 0);
            begin(6, 1, 4 * part.end, 8 * features, 0);
            word[FEATURES] = features;
            word[TARGETS] = 1;
            word[E_TREES] = word[E_NODES] = word[E_LEAVES] = trees;
            word[E_SHIFT] = 9;
            for (k = 0; k <= trees; ++k) word[part.start + k] = k;
            CHECK(sound(check_forest) == (features > 0 && trees > 0));
            CHECK(!sound_with(check_forest, E_DEPTH, 1) && !sound_with(check_forest, E_TABLE, 1));
            for (k = 0; k < 40 && features && trees; ++k)
                CHECK(sound_with(check_forest, E_SHIFT, k) == (k >= 2 && k <= 31));
            /* one node more, behind the last tree or before the first */
            lay_out(trees, trees + 1, trees, 1, 0, 0, 0, 0, 0);
            begin(6, 1, 4 * part.end, 8 * features, 0);
            word[FEATURES] = features;
            word[TARGETS] = 1;
            word[E_TREES] = word[E_LEAVES] = trees;
            word[E_NODES] = trees + 1;
            word[E_SHIFT] = 9;
            for (k = 0; k <= trees; ++k) word[part.start + k] = k;
            CHECK(!sound(check_forest));
            for (k = 0; k <= trees; ++k) word[part.start + k] = k + 1;
            CHECK(!sound(check_forest));
        }
}

/* The nodes of a tree with a wrong end go on through everything that follows them, and beyond. */
static void trees_end_within_the_nodes(void) {
    static const uint32_t wrong[2][5] = {{0, 0, 2, 0, 0}, {0, 5, 0, 9, 5}};
    size_t which, i;
    for (which = 0; which < 2; ++which) {
        /* two trees, the first of which has very many nodes; or four, the second of which begins behind the
           five nodes of the first and ends before it: so it has almost 2^32 */
        const uint32_t shift = which ? 2 : 9, nodes = which ? 5 : 2, first = which ? 5 : 0;
        lay_out(which ? 4 : 2, nodes, nodes, 1, 0, 0, 0, 0, 99);
        begin(6, 1, 4 * part.end, 8, 0);
        word[FEATURES] = word[TARGETS] = 1;
        word[E_TREES] = which ? 4 : 2;
        word[E_NODES] = word[E_LEAVES] = nodes;
        word[E_SHIFT] = shift;
        word[E_EXTRA] = 99;
        node(E_NODE, 0, inner(0, 1, shift));
        node(E_NODE + 2, 0, inner(0, 2, shift));
        for (i = first; 8 * i + 80 < word[SIZE]; ++i)
            node(E_NODE + 2 * i, 0, inner(0, (uint32_t)i - first + 1, shift));
        for (i = 0; i <= word[E_TREES]; ++i)
            if (which || i != 1) word[part.start + i] = wrong[which][i];
        CHECK(!sound(check_forest));
    }
}

/* No word of the second form may differ from what the trees say, those that fill up included. */
static void the_second_form_is_the_trees(void) {
    static const uint32_t shapes[][2] = {{3, 2}, {8, 2}, {9, 3}};
    size_t s, at;
    for (s = 0; s < COUNT(shapes); ++s) {
        make_ensemble(shapes[s][0], 1, 0, shapes[s][1], 0);
        for (at = part.table; at < part.extra; ++at) {
            CHECK(!sound_with(check_forest, at, word[at] + 1));
            CHECK(!sound_with(check_forest, at, word[at] - 1));
        }
    }
    make_ensemble(2, 1, 0, 1, 0); /* deeper than the form */
    CHECK(!sound(check_forest));
    make_ensemble(1, 1, 0, 8, 0);
    CHECK(part.end * 4 < sizeof block && sound(check_forest));
    make_ensemble(1, 1, 0, 9, 0);
    CHECK(part.end * 4 < sizeof block && !sound(check_forest));
    make_ensemble(1, 2, ROWS, 2, 0); /* there is none of leaves that predict several targets, */
    CHECK(!sound(check_forest));
    make_ensemble(2, 1, LOW | EXACT, 2, 0); /* nor of those with low parts; */
    CHECK(!sound(check_forest));
    make_ensemble(2, 2, LOW | EXACT | ROWS, 0, 0); /* these predict one target */
    CHECK(!sound(check_forest));
    make_ensemble(2, 1, LOW | EXACT | ROWS, 0, 0);
    CHECK(sound(check_forest));
    make_ensemble(2, 1, PLANES, 2, 0); /* nor of those with planes, */
    CHECK(!sound(check_forest));
    make_ensemble(2, 2, PLANES | ROWS, 0, 0); /* which predict one target, too */
    CHECK(!sound(check_forest));
    make_ensemble(2, 1, SETS, 2, 0); /* nor of those with sets */
    CHECK(!sound(check_forest));
    make_ensemble(2, 1, SETS, 0, 0); /* a node may ask for any set before, or the next */
    CHECK(sound_with(check_forest, E_NODE + 2, NAN_BITS) &&
          sound_with(check_forest, E_NODE + 2, NAN_BITS + 1));
    CHECK(!sound_with(check_forest, E_NODE + 2, NAN_BITS + 2));
    make_ensemble(2, 1, ZEROS, 0, 0); /* a rule for sets, and none */
    CHECK(!sound(check_forest));
    make_ensemble(3, 1, SETS | PLANES, 0, 0); /* sets come with a version of their own */
    word[KIND] = 6 | 2u << 16;
    CHECK(!sound(check_forest));
    make_ensemble(2, 1, PLANES, 0, 0); /* of another version */
    word[KIND] = 6 | 1u << 16;
    CHECK(!sound(check_forest));
    word[KIND] = 6 | 2u << 16;
    CHECK(sound(check_forest));
    make_ensemble(2, 1, 0, 0, 20);
    word[KIND] = 6 | 2u << 16;
    CHECK(!sound(check_forest));
    make_ensemble(4, 3, 0, 0, 0); /* a tree without a target */
    CHECK(!sound(check_forest));
    make_ensemble(4, 3, ROWS, 0, 0);
    CHECK(sound(check_forest));
    make_ensemble(2, 4, 0, 0, 0);
    CHECK(!sound(check_forest));
}

/* Numbers of values that pass 2^62, and their bytes 2^64: the file is small, its hull is far away. */
static void sizes_that_wrap_around_are_refused(void) {
    begin(6, 1, 4 * 24, 8, 0);
    word[FEATURES] = 1;
    word[TARGETS] = 0x80000000u;
    word[E_TREES] = word[E_NODES] = 1;
    word[E_LEAVES] = 0x7FFFFFFCu;
    word[E_SHIFT] = 9;
    word[E_FLAGS] = ROWS;
    word[E_NODE + 3] = 1; /* where the second tree would begin */
    CHECK(!sound(check_forest));
}

static void boosts_have_nothing_more(void) {
    make_ensemble(2, 1, 0, 2, 0);
    word[KIND] += SOOTH_KIND_BOOST - SOOTH_KIND_FOREST;
    regions_are_judged(sooth_boost_check, 1);
    make_ensemble(2, 1, 0, 0, 4);
    word[KIND] += SOOTH_KIND_BOOST - SOOTH_KIND_FOREST;
    CHECK(!sound(sooth_boost_check) && !sound(sooth_forest_check));
}

/* Behind the trees: the number of rows, their targets by rising value, where the rows of each node begin, and
   their ranks. */
static void forests_remember_rows(void) {
    enum { KEPT = 3, RANKS = 7, EXTRA = 1 + KEPT + 7 + RANKS };
    static const uint32_t first[7] = {0, 0, 0, 3, 4, 6, 7}, rank[RANKS] = {0, 1, 2, 0, 1, 2, 2};
    size_t at;
    make_ensemble(3, 1, 0, 0, 0);
    regions_are_judged(sooth_forest_check, 1);
    make_ensemble(1, 1, 0, 0, EXTRA + 5 - 6); /* five nodes */
    word[E_EXTRA] = 0;
    make_ensemble(1, 1, 0, 0, 1 + KEPT + 6 + RANKS);
    at = part.extra;
    word[at] = KEPT;
    word[at + 1] = word[at + 2] = bits(-2.5f);
    word[at + 3] = bits(4.0f);
    memcpy(&word[at + 4], first, 5 * sizeof *first);
    word[at + 9] = 7;
    memcpy(&word[at + 10], rank, sizeof rank);
    regions_are_judged(sooth_forest_check, 1);
    {
        const change list[] = {
            {at, 0, 0},
            {at, 2, 0},
            {at, 4, 0},
            {at, 10, 0},
            {at, 11, 0},
            {at, 12, 0},
            {at, UINT32_MAX, 0},
            {at, UINT32_MAX - 6, 0},
            {at + 1, bits(-2.0f), 0},
            {at + 1, bits(-3.0f), 1},
            {at + 1, NAN_BITS, 0},
            {at + 2, bits(4.5f), 0},
            {at + 2, NAN_BITS, 0},
            {at + 3, bits(-2.5f), 1},
            {at + 3, bits(-3.0f), 0},
            {at + 3, NAN_BITS, 0},
            {at + 4, 1, 0},
            {at + 5, 1, 0}, /* of the inner nodes 0 and 1 there are none */
            {at + 6, 1, 0},
            {at + 7, 0, 1}, /* a leaf without */
            {at + 7, 4, 1},
            {at + 7, 5, 0},
            {at + 8, 2, 0},
            {at + 8, 8, 0},
            {at + 8, 7, 1},
            {at + 9, 6, 0},
            {at + 9, 8, 0},
            {at + 10, 2, 1},
            {at + 10, 3, 0},
            {at + 16, 0, 1},
            {at + 16, 3, 0},
            {at + 16, UINT32_MAX, 0},
            {E_EXTRA, 16, 0},
            {E_EXTRA, 18, 0},
        };
        judged(sooth_forest_check, list, COUNT(list), "forest");
    }
    word[at + 5] = word[at + 6] = 1; /* a row of the root, which is no leaf */
    CHECK(!sound(sooth_forest_check));
    /* one row of one leaf; none at all */
    make_ensemble(1, 1, 0, 0, 1 + 1 + 6 + 1);
    at = part.extra;
    word[at] = 1;
    word[at + 5] = word[at + 6] = word[at + 7] = 1;
    CHECK(sound(sooth_forest_check));
    make_ensemble(1, 1, 0, 0, 1 + 1 + 6);
    word[part.extra] = 1;
    CHECK(sound(sooth_forest_check));
    CHECK(!sound_with(sooth_forest_check, part.extra, 2));
    make_ensemble(1, 1, 0, 0, 1);
    word[part.extra] = 1;
    CHECK(!sound(sooth_forest_check));
    make_ensemble(1, 1, 0, 0, 1 + 6);
    CHECK(!sound(sooth_forest_check));
    /* a tree of one leaf */
    lay_out(1, 1, 1, 1, 0, 0, 0, 0, 1 + 1 + 2 + 1);
    begin(6, 1, 4 * part.end, 8, 0);
    word[FEATURES] = word[TARGETS] = word[E_TREES] = word[E_NODES] = word[E_LEAVES] = 1;
    word[E_SHIFT] = 9;
    word[E_EXTRA] = 5;
    word[part.start + 1] = word[part.extra] = word[part.extra + 3] = 1;
    CHECK(sound(sooth_forest_check));
    CHECK(!sound_with(sooth_forest_check, part.extra + 2, 1));
}

/* ---- linear ---- */

enum { L_RANK = OWN + 1, L_INTERCEPT = OWN + 3, L_STATISTICS, L_PRODUCTS = OWN + 6 };

static void make_linear(uint32_t features, uint32_t targets, uint32_t statistics) {
    const size_t q = features + 1;
    begin(3, 1, 64 + 4 * (targets + features + targets * features + q),
          8 * (targets + targets * features + (statistics ? 2 * targets + q * q + 1 : 0)), 0);
    word[FEATURES] = features;
    word[TARGETS] = targets;
    word[L_STATISTICS] = statistics;
}

static void planes_are_judged(void) {
    uint32_t features, targets, statistics;
    for (features = 1; features <= 6; ++features)
        for (targets = 1; targets <= 4; ++targets)
            for (statistics = 0; statistics < 2; ++statistics) {
                make_linear(features, targets, statistics);
                regions_are_judged(sooth_linear_check, 1);
                {
                    const change list[] = {
                        {FEATURES, 0, 0},
                        {FEATURES, features + 12, 0},
                        {FEATURES, 0x10000000u, 0},
                        {FEATURES, UINT32_MAX, 0},
                        {TARGETS, 0, 0},
                        {TARGETS, targets + 12, 0},
                        {TARGETS, UINT32_MAX, 0},
                        {L_STATISTICS, 2, 0},
                        {L_STATISTICS, 3, 0},
                        {L_INTERCEPT, 1, 1},
                        {L_INTERCEPT, 2, 0},
                        {L_RANK, features, 1},
                        {L_RANK, features + 1, 1},
                        {L_RANK, features + 2, 0},
                        {L_RANK, UINT32_MAX, 0},
                    };
                    judged(sooth_linear_check, list, COUNT(list), "linear");
                }
                make_linear(0, targets, statistics);
                CHECK(!sound(sooth_linear_check));
                make_linear(features, 0, statistics);
                CHECK(!sound(sooth_linear_check));
            }
}

/* With products: the version, their number, and the columns of each pair. */
static void products_are_judged(void) {
    for (uint32_t features = 2; features <= 5; ++features)
        for (uint32_t targets = 1; targets <= 3; ++targets)
            for (uint32_t products = 1; products <= features * (features + 1) / 2; products += 2) {
                const size_t pair = 16 + targets + features + targets * features + features + 1 + features;
                begin(3, 2, 4 * (pair + products + targets * products), 8 * (targets + targets * features),
                      0);
                word[FEATURES] = features;
                word[TARGETS] = targets;
                word[L_PRODUCTS] = products;
                regions_are_judged(sooth_linear_check, 1);
                const change list[] = {
                    {L_PRODUCTS, 0, 0},
                    {L_PRODUCTS, products + 12, 0},
                    {L_PRODUCTS, UINT32_MAX, 0},
                    {L_STATISTICS, 1, 0},
                    {FEATURES, features + 12, 0},
                    {TARGETS, targets + 12, 0},
                    {pair, features - 1, 1},
                    {pair, features, 0},
                    {pair, 65535, 0},
                    {pair, 65536 * (features - 1) + features - 1, 1},
                    {pair, 65536 * (features - 1) + features - 2, 0},
                    {pair + products - 1, features - 1, 1},
                    {pair + products - 1, 65536 * features + features, 0},
                    {pair + products - 1, UINT32_MAX, 0},
                };
                judged(sooth_linear_check, list, COUNT(list), "products");
            }
    make_linear(3, 1, 0); /* version 1 has none, whatever the bytes say */
    CHECK(!sound_with(sooth_linear_check, L_PRODUCTS, 1));
    begin(3, 2, 4 * (16 + 1 + 65 + 65 + 66 + 65 + 2), 8 * 66, 0); /* more columns than a row has room for */
    word[FEATURES] = 65;
    word[TARGETS] = word[L_PRODUCTS] = 1;
    CHECK(!sound(sooth_linear_check));
    begin(3, 2, 4 * (16 + 1 + 64 + 64 + 65 + 64 + 2), 8 * 65, 0);
    word[FEATURES] = 64;
    word[TARGETS] = word[L_PRODUCTS] = 1;
    CHECK(sound(sooth_linear_check));
}

/* ---- scales ---- */

enum { S_CLIP = OWN, S_COLUMN = OWN + 2 };

static void make_scale(uint32_t columns) {
    uint32_t j;
    begin(2, 1, 40 + 20 * columns, 0, 0);
    word[FEATURES] = word[TARGETS] = columns;
    for (j = 0; j < columns; ++j) {
        word[S_COLUMN + 5 * j] = j;
        word[S_COLUMN + 5 * j + 2] = bits(1.0f);
    }
}

static void scales_are_judged(void) {
    const uint32_t odd[3] = {NAN_BITS, INFINITE_BITS, bits(-INFINITY)};
    uint32_t columns, k, n;
    for (columns = 1; columns <= 5; ++columns) {
        const size_t last = S_COLUMN + 5 * (columns - 1);
        make_scale(columns);
        regions_are_judged(sooth_scale_check, 0);
        CHECK(sound(sooth_scale_check));
        {
            const change list[] = {
                {FEATURES, columns - 1, 0},
                {FEATURES, columns + 1, 0},
                {TARGETS, columns - 1, 0},
                {TARGETS, columns + 1, 0},
                {S_CLIP, 1, 1},
                {S_CLIP, 2, 0},
                {last, 11, 1},
                {last, 12, 0},
                {last, UINT32_MAX, 0},
                {S_COLUMN, 12, 0},
                {last + 2, 0, 0},
                {last + 2, bits(-0.0f), 0},
                {last + 2, bits(-1.0f), 0},
                {last + 2, 1, 1}, /* the least float above 0 */
                {last + 2, bits(FLT_MAX), 1},
                {last + 1, bits(-FLT_MAX), 1},
                {last + 3, bits(-FLT_MAX), 1},
                {last + 3, bits(1.0f), 0},
                {last + 4, bits(FLT_MAX), 1},
                {last + 4, bits(-1.0f), 0},
            };
            judged(sooth_scale_check, list, COUNT(list), "scale");
        }
        for (k = 1; k < 5; ++k)
            for (n = 0; n < 3; ++n) CHECK(!sound_with(sooth_scale_check, last + k, odd[n]));
        CHECK(!sound_with(sooth_scale_check, DOUBLES, 32)); /* within its own struct */
        /* more columns than the words hold, and just as many */
        word[FEATURES] = word[TARGETS] = (word[DOUBLES] - 40) / 20 + 1;
        CHECK(!sound(sooth_scale_check));
        word[FEATURES] = word[TARGETS] = 0xFFFFFFFFu;
        CHECK(!sound(sooth_scale_check));
        word[FEATURES] = word[TARGETS] = 0;
        CHECK(!sound(sooth_scale_check));
    }
    /* four columns of 20 bytes end where the region of doubles begins, at 40 + 80 + 8 = 128 */
    begin(2, 1, 40, 0, 0);
    word[FEATURES] = word[TARGETS] = 0;
    CHECK(!sound(sooth_scale_check));
}

/* ---- intervals ---- */

enum { C_PROMISE = OWN, C_ROWS, C_GROUPS, C_LEVEL, C_PROVEN, C_METHOD, C_SCALE, C_SCORE, C_BELOW, C_ABOVE };

static void make_conformal(uint32_t promise, uint32_t groups, uint32_t score, float below, float above) {
    begin(12, 1, 72, 0, 0);
    word[TARGETS] = 1;
    word[C_PROMISE] = promise;
    word[C_ROWS] = 20;
    word[C_GROUPS] = groups;
    word[C_LEVEL] = bits(0.9f);
    word[C_SCORE] = score;
    word[C_BELOW] = bits(below);
    word[C_ABOVE] = bits(above);
}

static void intervals_are_judged(void) {
    const uint32_t tiny = 1, one = bits(1.0f), more = one + 1, less = one - 1;
    const change any[] = {
        {FEATURES, 1, 0},
        {TARGETS, 0, 0},
        {TARGETS, 2, 0},
        {C_ROWS, 19, 1},
        {C_ROWS, 10, 1},
        {C_ROWS, 9, 0},
        {C_GROUPS, 20, 1},
        {C_GROUPS, 21, 0},
        {C_GROUPS, UINT32_MAX, 0},
        {C_LEVEL, tiny, 1},
        {C_LEVEL, 0, 0},
        {C_LEVEL, bits(-1.0f), 0},
        {C_LEVEL, less, 1},
        {C_LEVEL, one, 0},
        {C_LEVEL, NAN_BITS, 0},
        {C_PROVEN, 0, 1},
        {C_PROVEN, one, 1},
        {C_PROVEN, more, 0},
        {C_PROVEN, tiny, 1},
        {C_PROVEN, 1u << 31, 1},
        {C_PROVEN, tiny | 1u << 31, 0},
        {C_PROVEN, NAN_BITS, 0},
        {C_METHOD, 1, 1},
        {C_METHOD, 2, 1},
        {C_METHOD, 3, 0},
        {C_METHOD, UINT32_MAX, 0},
        {C_SCALE, 1, 1},
        {C_SCALE, 2, 0},
        {C_SCALE, UINT32_MAX, 0},
        {C_SCORE, 2, 1},
        {C_SCORE, 3, 0},
        {C_SCORE, UINT32_MAX, 0},
        {C_PROMISE, 4, 0},
        {C_PROMISE, UINT32_MAX, 0},
        {C_BELOW, NAN_BITS, 0},
        {C_ABOVE, NAN_BITS, 0},
        {C_BELOW, bits(-INFINITY), 0},
        {C_ABOVE, bits(-INFINITY), 0},
        {C_BELOW, INFINITE_BITS, 1},
        {C_ABOVE, INFINITE_BITS, 1},
        {C_BELOW, bits(FLT_MAX), 1},
        {C_ABOVE, bits(FLT_MAX), 1},
    };
    for (uint32_t promise = 1; promise < 4; ++promise) {
        make_conformal(promise, 10, 0, 2, 3);
        regions_are_judged(sooth_conformal_check, 1);
        judged(sooth_conformal_check, any, COUNT(any), "conformal");
        CHECK(sound_with(sooth_conformal_check, C_GROUPS, 0) == (promise == 1));
        CHECK(!sound_with(sooth_conformal_check, C_PROMISE, 0)); /* its ends are somewhere */
        CHECK(sound_with(sooth_conformal_check, C_BELOW, bits(-3.0f)));
        CHECK(!sound_with(sooth_conformal_check, C_BELOW, bits(-3.0f) + 1)); /* low above high */
        CHECK(sound_with(sooth_conformal_check, C_ABOVE, bits(-2.0f)));
        CHECK(!sound_with(sooth_conformal_check, C_ABOVE, bits(-2.0f) + 1));
        word[C_BELOW] = bits(-INFINITY); /* from nowhere to nowhere */
        word[C_ABOVE] = INFINITE_BITS;
        CHECK(!sound(sooth_conformal_check));
        make_conformal(promise, 10, 2, -5, -FLT_MAX); /* quantiles may be moved inwards */
        CHECK(sound(sooth_conformal_check));
        judged(sooth_conformal_check, any, COUNT(any), "conformal");
        word[C_SCORE] = 1;
        CHECK(!sound(sooth_conformal_check));
    }
    make_conformal(0, 0, 0, INFINITY, INFINITY);
    CHECK(sound(sooth_conformal_check));
    CHECK(sound_with(sooth_conformal_check, C_PROMISE, 1) &&
          !sound_with(sooth_conformal_check, C_PROMISE, 2));
    CHECK(!sound_with(sooth_conformal_check, C_BELOW, bits(FLT_MAX)));
    CHECK(!sound_with(sooth_conformal_check, C_ABOVE, bits(FLT_MAX)));
}

/* ---- probabilities ---- */

enum {
    P_METHOD = OWN,
    P_SCORES,
    P_POINTS,
    P_SLOPE,
    P_CENTRE,
    P_INTERCEPT,
    P_ZERO,
    P_OTHER,
    P_SCORE,
    P_P = P_SCORE + 3
};

static void make_probability(uint32_t points) {
    begin(16, 1, 64 + 8 * points, 0, 0);
    word[TARGETS] = 1;
    word[P_METHOD] = points > 0;
    word[P_POINTS] = points;
    word[P_SLOPE] = word[P_INTERCEPT] = bits(points ? 0.0f : 1.0f);
    for (uint32_t i = 0; i < points; ++i) {
        word[P_SCORE + i] = bits((float)i);
        word[P_SCORE + points + i] = bits(0.25f * (float)i);
    }
}

static void probabilities_are_judged(void) {
    const change any[] = {
        {FEATURES, 1, 0},
        {TARGETS, 0, 0},
        {TARGETS, 2, 0},
        {P_METHOD, 2, 0},
        {P_METHOD, UINT32_MAX, 0},
        {P_SCORES, 1, 1},
        {P_SCORES, 2, 0},
        {P_SCORES, UINT32_MAX, 0},
        {P_POINTS, 1, 0},
        {P_POINTS, UINT32_MAX, 0},
        {P_ZERO, 1, 0},
        {P_OTHER, 1, 0},
        {P_SLOPE, NAN_BITS, 0},
        {P_SLOPE, INFINITE_BITS, 0},
        {P_SLOPE, bits(-3.0f), 1},
        {P_SLOPE, bits(-FLT_MAX), 1},
        {P_CENTRE, NAN_BITS, 0},
        {P_CENTRE, bits(-INFINITY), 0},
        {P_CENTRE, bits(FLT_MAX), 1},
        {P_INTERCEPT, NAN_BITS, 0},
        {P_INTERCEPT, INFINITE_BITS, 0},
    };
    const change steps[] = {
        {P_POINTS, 0, 0},
        {P_POINTS, 2, 0}, /* the block is too long */
        {P_SCORE, bits(1.0f), 0},
        {P_SCORE, bits(1.0f) - 1, 1},
        {P_SCORE, bits(-FLT_MAX), 1},
        {P_SCORE, bits(-INFINITY), 0},
        {P_SCORE + 1, NAN_BITS, 0},
        {P_SCORE + 2, bits(FLT_MAX), 1},
        {P_SCORE + 2, INFINITE_BITS, 0},
        {P_P, bits(0.25f), 1},
        {P_P, bits(0.25f) + 1, 0},
        {P_P, bits(-0.25f), 0},
        {P_P + 1, NAN_BITS, 0},
        {P_P + 2, bits(1.0f), 1},
        {P_P + 2, bits(1.0f) + 1, 0},
    };
    make_probability(0);
    CHECK(sound(sooth_probability_check));
    regions_are_judged(sooth_probability_check, 1);
    judged(sooth_probability_check, any, COUNT(any), "probability");
    CHECK(!sound_with(sooth_probability_check, P_METHOD, 1));
    make_probability(3);
    CHECK(sound(sooth_probability_check));
    regions_are_judged(sooth_probability_check, 1);
    judged(sooth_probability_check, any, COUNT(any), "probability of steps");
    judged(sooth_probability_check, steps, COUNT(steps), "probability of steps");
    CHECK(!sound_with(sooth_probability_check, P_METHOD, 0));
}

/* ---- levels ---- */

enum { D_LEVELS = OWN, D_STATISTICS, D_PRIOR, D_EXACT, D_COLUMN };
enum { D_NAME = D_COLUMN + 10, D_SORTED = D_NAME + 3, D_STATISTIC = D_SORTED + 3 };

/* Two columns, the first of numbers; of the second three levels: a, b, c. */
static void make_levels(uint32_t statistics) {
    begin(17, 1, 4 * (size_t)(D_STATISTIC + 3 * statistics), 0, 6);
    word[FEATURES] = word[TARGETS] = 2;
    word[D_LEVELS] = 3;
    word[D_STATISTICS] = statistics;
    word[D_COLUMN + 6] = 3;
    word[D_COLUMN + 7] = 1;
    for (uint32_t i = 0; i < 3; ++i) {
        word[D_NAME + i] = 2 * i;
        word[D_SORTED + i] = i;
        block.byte[word[BYTES] + 2 * i] = (unsigned char)('a' + i);
    }
}

static void levels_are_judged(void) {
    const change any[] = {
        {FEATURES, 1, 0},
        {TARGETS, 1, 0},
        {TARGETS, UINT32_MAX, 0},
        {D_LEVELS, 0, 0},
        {D_LEVELS, 4, 0},
        {D_LEVELS, UINT32_MAX, 0},
        {D_STATISTICS, 2, 0},
        {D_STATISTICS, UINT32_MAX, 0},
        {D_PRIOR, NAN_BITS, 0},
        {D_PRIOR, INFINITE_BITS, 0},
        {D_PRIOR, bits(-FLT_MAX), 1},
        {D_EXACT, 0, 1},
        {D_EXACT, 1, 1},
        {D_EXACT, 2, 0},
        {D_EXACT, UINT32_MAX, 0},
        {D_COLUMN, 1, 0},
        {D_COLUMN + 1, 1, 0},
        {D_COLUMN + 2, 1, 1}, /* a column without any level */
        {D_COLUMN + 2, 2, 1}, /* a column of values */
        {D_COLUMN + 2, 3, 0},
        {D_COLUMN + 3, UINT32_MAX, 1},
        {D_COLUMN + 5, 1, 0},
        {D_COLUMN + 6, 2, 0},
        {D_COLUMN + 6, 4, 0},
        {D_COLUMN + 6, UINT32_MAX, 0},
        {D_COLUMN + 7, 0, 0},
        {D_NAME, 15, 1},
        {D_NAME, 16, 0},
        {D_NAME + 2, UINT32_MAX, 0},
        {D_SORTED, 2, 1},
        {D_SORTED + 2, 3, 0},
        {D_SORTED, UINT32_MAX, 0},
    };
    const change learned[] = {
        {D_STATISTIC, bits(FLT_MAX), 1},
        {D_STATISTIC, NAN_BITS, 0},
        {D_STATISTIC + 2, INFINITE_BITS, 0},
    };
    make_levels(0);
    regions_are_judged(sooth_levels_check, 0);
    judged(sooth_levels_check, any, COUNT(any), "levels");
    block.byte[word[SIZE] - 1] = 'x'; /* the last name has no end */
    CHECK(!sound(sooth_levels_check));
    make_levels(1);
    judged(sooth_levels_check, any, COUNT(any), "levels with statistics");
    judged(sooth_levels_check, learned, COUNT(learned), "levels with statistics");
}

/* ---- residuals of programs ---- */

enum { A_CAPACITY = OWN, A_LOG, A_SIMULATED = OWN + 4, A_SHARE, A_UNIT, A_LEVEL, A_SLOPE, A_SIGNAL, A_NOISE };
enum { A_LENGTH = A_NOISE + 1, A_CENTRE, A_FACTOR, A_DOUBT, A_FEATURE };

/* Returns where the factors begin. */
static size_t make_adapt(uint32_t version, uint32_t features, uint32_t capacity) {
    const size_t factor = A_FEATURE + 6 * features;
    begin(13, version, 4 * (factor + capacity + 2 * version - 1), 0, 0);
    word[FEATURES] = features;
    word[TARGETS] = 1;
    word[A_CAPACITY] = word[A_SIMULATED] = capacity;
    word[A_SHARE] = bits(0.9f);
    word[A_NOISE] = bits(0.01f);
    word[A_UNIT] = word[A_LENGTH] = word[A_DOUBT] = bits(1.0f);
    return factor;
}

/* A float that may be least .. most, where neither is below 0, and its neighbours that may not. */
static void check_range(check_fn *check, size_t at, float least, float most) {
    CHECK(sound_with(check, at, bits(least)) && sound_with(check, at, bits(most)));
    CHECK(!sound_with(check, at, bits(least) ? bits(least) - 1 : 0x80000001u));
    CHECK(!sound_with(check, at, bits(most) + 1));
    CHECK(!sound_with(check, at, NAN_BITS) && !sound_with(check, at, INFINITE_BITS));
    CHECK(!sound_with(check, at, bits(-least - 1.0f)));
    if (check_failures) printf("  (word %u)\n", (unsigned)at);
}

static void residuals_are_judged(void) {
    static const uint32_t points[] = {1, 2, 3, 4, 5, 6, 7, 31, 32};
    uint32_t features, j, k, version;
    size_t v;
    for (features = 1; features <= 3; ++features)
        for (v = 0; v < 2 * COUNT(points); ++v) {
            const uint32_t capacity = points[v / 2];
            const size_t factor = make_adapt(version = 1 + v % 2, features, capacity);
            const change list[] = {
                {FEATURES, 0, 0},
                {FEATURES, features + 1, 0},
                {FEATURES, UINT32_MAX, 0},
                {TARGETS, 0, 0},
                {TARGETS, 2, 0},
                {A_CAPACITY, capacity + 4, 0},
                {A_LOG, 1, 1},
                {A_LOG, 2, 0},
                {A_SIMULATED, 0, 1},
                {A_SIMULATED, capacity + 1, 0},
                {A_CENTRE, bits(-FLT_MAX), 1},
                {A_CENTRE, NAN_BITS, 0},
                {A_CENTRE, INFINITE_BITS, 0},
            };
            regions_are_judged(sooth_adapt_check, 1);
            judged(sooth_adapt_check, list, COUNT(list), "adapt");
            check_range(sooth_adapt_check, A_SHARE, 0.01f, 0.9999f);
            check_range(sooth_adapt_check, A_UNIT, FLT_MIN, FLT_MAX);
            for (k = A_LEVEL; k <= A_SIGNAL; ++k) check_range(sooth_adapt_check, k, 0.0f, 1e6f);
            check_range(sooth_adapt_check, A_NOISE, 1e-7f, 1e6f);
            check_range(sooth_adapt_check, A_LENGTH, 1e-6f, 1e6f);
            check_range(sooth_adapt_check, A_FACTOR, 0.0f, FLT_MAX);
            check_range(sooth_adapt_check, A_DOUBT, 1.0f, 1e6f);
            for (j = 0; j < features; ++j) {
                const size_t f = A_FEATURE + 6 * j;
                const change of_feature[] = {
                    {f, 1, 1},
                    {f, 2, 0},
                    {f + 1, bits(-FLT_MAX), 1},
                    {f + 1, NAN_BITS, 0},
                    {f + 3, bits(-FLT_MAX), 1},
                    {f + 3, bits(-INFINITY), 0},
                    {f + 3, bits(1.0f), 0}, /* above most */
                    {f + 4, bits(FLT_MAX), 1},
                    {f + 4, INFINITE_BITS, 0},
                    {f + 4, NAN_BITS, 0},
                    {f + 4, bits(-1.0f), 0},
                    {f + 5, NAN_BITS, 1}, /* of no meaning */
                };
                judged(sooth_adapt_check, of_feature, COUNT(of_feature), "feature of adapt");
                check_range(sooth_adapt_check, f + 2, 0.0f, FLT_MAX);
            }
            for (k = 0; k <= capacity; ++k) check_range(sooth_adapt_check, factor + k, 0.0f, 1e6f);
            if (version == 2) {
                const change rule[] = {{factor + k + 1, bits(-FLT_MAX), 1},
                                       {factor + k + 1, NAN_BITS, 0},
                                       {factor + k + 1, INFINITE_BITS, 0}};
                check_range(sooth_adapt_check, factor + k, 0.0f, 1.0f);
                judged(sooth_adapt_check, rule, COUNT(rule), "rule of adapt");
            }
            if (check_failures) return;
        }
    make_adapt(1, 0, 4);
    CHECK(!sound(sooth_adapt_check));
    make_adapt(1, 1, 0);
    CHECK(!sound(sooth_adapt_check));
    make_adapt(1, 1, 33);
    CHECK(!sound(sooth_adapt_check));
    { /* where the parts are */
        const size_t factor = make_adapt(1, 3, 4);
        const sooth_adapt *adapt = (const sooth_adapt *)(const void *)&block;
        CHECK((const void *)soothi_adapt_features(adapt) == (const void *)&word[A_FEATURE]);
        CHECK((const void *)soothi_adapt_factors(adapt) == (const void *)&word[factor]);
    }
}

/* ---- networks ---- */

enum { M_LAYERS = OWN, M_PARAMETERS, M_WIDEST, M_BITS = OWN + 6, M_LAYER = OWN + 8 };
enum { INPUTS = 0, OUTPUTS, ACTIVATION, STRIDE, WEIGHTS_AT, BIASES_AT, WEIGHT_STEP, INPUT_STEP };

/* Layers of widths[0] inputs, then widths[1], ... outputs; with or without biases. */
static void make_mlp(const uint32_t *widths, uint32_t layers, int biased, uint32_t wide_bits) {
    uint32_t i, floats = wide_bits ? 1 : 0, weights = 0, widest = widths[0];
    begin(8, 1, 64 + 32 * layers, 0, 0);
    word[FEATURES] = widths[0];
    word[TARGETS] = widths[layers];
    word[M_LAYERS] = layers;
    word[M_BITS] = wide_bits;
    for (i = 0; i < layers; ++i) {
        uint32_t *l = &word[M_LAYER + 8 * i], in = widths[i], out = widths[i + 1];
        if (out > widest) widest = out;
        l[INPUTS] = in;
        l[OUTPUTS] = out;
        l[ACTIVATION] = i % 3;
        l[WEIGHT_STEP] = bits(0.5f);
        l[INPUT_STEP] = bits(0.25f);
        if (wide_bits) {
            l[STRIDE] = in;
            l[WEIGHTS_AT] = weights;
            weights += in * out;
            l[BIASES_AT] = biased ? floats : 0;
            floats += biased ? out : 0;
        } else {
            l[STRIDE] = out < 4 ? in : (out + 3) / 4 * 4;
            l[WEIGHTS_AT] = floats;
            floats += l[STRIDE] * (out < 4 ? out : in);
            l[BIASES_AT] = biased ? floats : 0;
            floats = (floats + (biased ? out : 0) + 3) / 4 * 4;
        }
    }
    word[M_PARAMETERS] = floats;
    word[M_WIDEST] = widest;
    word[DOUBLES] = word[BYTES] = (uint32_t)round_up(64 + 32 * layers + 4 * floats);
    word[SIZE] = word[BYTES] + (uint32_t)round_up(weights * wide_bits / 8);
}

static void networks_are_judged(void) {
    static const uint32_t widths[][4] = {
        {2, 5, 1, 0}, {6, 3, 4, 2}, {1, 9, 1, 0}, {5, 4, 1, 0}, {3, 1, 9, 3}};
    static const uint32_t wide_bits[3] = {0, 8, 16};
    size_t s, b;
    int biased;
    for (s = 0; s < COUNT(widths); ++s)
        for (b = 0; b < 3; ++b)
            for (biased = 0; biased < 2; ++biased) {
                const uint32_t layers = widths[s][3] ? 3 : 2;
                size_t last = M_LAYER + 8 * (layers - 1), floats = M_LAYER + 8 * layers, i;
                make_mlp(widths[s], layers, biased, wide_bits[b]);
                regions_are_judged(sooth_mlp_check, 1);
                {
                    const change list[] = {
                        {FEATURES, 0, 0},
                        {FEATURES, word[FEATURES] + 1, 0},
                        {FEATURES, 1025, 0},
                        {FEATURES, UINT32_MAX, 0},
                        {TARGETS, word[TARGETS] + 1, 0},
                        {TARGETS, 0, 0},
                        {M_LAYERS, 0, 0},
                        {M_LAYERS, layers - 1, 0},
                        {M_LAYERS, layers + 1, 0},
                        {M_LAYERS, 65, 0},
                        {M_LAYERS, UINT32_MAX, 0},
                        {M_PARAMETERS, word[M_PARAMETERS] + 1, 0},
                        {M_PARAMETERS, word[M_PARAMETERS] - 1, 0},
                        {M_WIDEST, word[M_WIDEST] + 1, 0},
                        {M_WIDEST, word[M_WIDEST] - 1, 0},
                        {M_BITS, 1, 0},
                        {M_BITS, 7, 0},
                        {M_BITS, 9, 0},
                        {M_BITS, 15, 0},
                        {M_BITS, 17, 0},
                        {M_BITS, 32, 0},
                        {M_BITS, wide_bits[(b + 1) % 3], 0},
                        {M_BITS, wide_bits[(b + 2) % 3], 0},
                        {last + ACTIVATION, SOOTH_MLP_ACTIVATIONS - 1, 1},
                        {last + ACTIVATION, SOOTH_MLP_ACTIVATIONS, 0},
                        {last + ACTIVATION, UINT32_MAX, 0},
                        {last + INPUTS, word[last + INPUTS] + 1, 0},
                        {last + OUTPUTS, word[last + OUTPUTS] + 1, 0},
                        {last + OUTPUTS, 0, 0},
                        {M_LAYER + OUTPUTS, 0, 0},
                        {last + STRIDE, word[last + STRIDE] + 1, 0},
                        {last + STRIDE, word[last + STRIDE] - 1, 0},
                        {last + WEIGHTS_AT, word[last + WEIGHTS_AT] + 1, 0},
                        {last + WEIGHTS_AT, word[last + WEIGHTS_AT] - 1, 0},
                        {last + BIASES_AT, word[last + BIASES_AT] + 1, 0},
                        {last + BIASES_AT, word[last + BIASES_AT] - 1, 0},
                        {last + WEIGHT_STEP, 0, !b},
                        {last + WEIGHT_STEP, 1, 1},
                        {last + WEIGHT_STEP, NAN_BITS, !b},
                        {last + WEIGHT_STEP, bits(-1.0f), !b},
                        {last + WEIGHT_STEP, bits(1e30f), !b},
                        {last + WEIGHT_STEP, bits(1e30f) - 1, 1},
                        {last + INPUT_STEP, 0, !b},
                        {last + INPUT_STEP, 1, 1},
                        {last + INPUT_STEP, NAN_BITS, !b},
                        {last + INPUT_STEP, bits(-1.0f), !b},
                        {last + INPUT_STEP, bits(1e30f), !b},
                        {last + INPUT_STEP, bits(1e30f) - 1, 1},
                        {floats, bits(FLT_MAX), 1},
                        {floats, INFINITE_BITS, 0},
                        {floats, NAN_BITS, 0},
                    };
                    judged(sooth_mlp_check, list, COUNT(list), "network");
                }
                for (i = 0; i < word[M_PARAMETERS]; ++i)
                    CHECK(!sound_with(sooth_mlp_check, floats + i, bits(-INFINITY)));
                if (check_failures) printf("  (widths %u, bits %u)\n", (unsigned)s, (unsigned)wide_bits[b]);
                if (check_failures) return;
            }
}

/* 1,024 neurons and 64 layers, and not one more. */
static void networks_have_limits(void) {
    uint32_t widths[66], i;
    for (i = 0; i < 66; ++i) widths[i] = 1;
    make_mlp(widths, 64, 0, 0);
    CHECK(sound(sooth_mlp_check));
    make_mlp(widths, 65, 0, 0);
    CHECK(!sound(sooth_mlp_check));
    widths[0] = 1024;
    make_mlp(widths, 2, 1, 0);
    CHECK(sound(sooth_mlp_check));
    widths[0] = 1025;
    make_mlp(widths, 2, 1, 0);
    CHECK(!sound(sooth_mlp_check));
    widths[0] = 1;
    widths[1] = 1024;
    make_mlp(widths, 2, 1, 0);
    CHECK(sound(sooth_mlp_check));
    widths[1] = 1025;
    make_mlp(widths, 2, 1, 0);
    CHECK(!sound(sooth_mlp_check));
    /* no layer, no feature, no neuron, no target */
    widths[1] = 1;
    make_mlp(widths, 1, 1, 0);
    CHECK(sound(sooth_mlp_check));
    for (i = 0; i < 3; ++i) {
        uint32_t wide_bits;
        for (wide_bits = 0; wide_bits <= 16; wide_bits += 8) {
            widths[i] = 0;
            make_mlp(widths, 2, 1, wide_bits);
            CHECK(!sound(sooth_mlp_check));
            make_mlp(widths, 2, 0, wide_bits);
            CHECK(!sound(sooth_mlp_check));
            widths[i] = 1;
            make_mlp(widths, 0, 0, wide_bits);
            CHECK(!sound(sooth_mlp_check));
        }
    }
}

/* A layer that takes more than the one before it gives, although all that stands elsewhere fits. */
static void layers_fit_each_other(void) {
    static const uint32_t widths[3] = {2, 7, 1};
    uint32_t ones[66], i;
    make_mlp(widths, 2, 0, 0);
    CHECK(sound(sooth_mlp_check));
    word[M_LAYER + OUTPUTS] = word[M_WIDEST] = 5;
    CHECK(!sound(sooth_mlp_check));
    word[M_LAYER + 8 + INPUTS] = 5;
    CHECK(!sound(sooth_mlp_check));
    /* more layers than there is room for: a sanitizer sees what is read beyond */
    for (i = 0; i < 66; ++i) ones[i] = 1;
    make_mlp(ones, 64, 0, 0);
    word[DOUBLES] = word[BYTES] = word[SIZE] = 64 + 32 * 60;
    CHECK(!sound(sooth_mlp_check));
}

/* Sums of 8-bit products with 32,767 stay below 2^31: so the weights of an output add to 65,538 at most. */
static void integers_cannot_overflow(void) {
    static const uint32_t widths[3] = {516, 2, 1};
    uint32_t last, i;
    for (last = 0; last < 8; ++last) {
        const size_t row = last / 4 * 516, other = 516 - row;
        make_mlp(widths, 2, 1, 8);
        for (i = 0; i < 512; ++i) block.byte[word[BYTES] + row + i] = 0x80; /* -128 */
        block.byte[word[BYTES] + row + 512] = (unsigned char)(last % 4);
        CHECK(sound(sooth_mlp_check) == (last % 4 <= 2)); /* 65,536 + last */
        block.byte[word[BYTES] + row + 512] = (unsigned char)-(int)(last % 4);
        CHECK(sound(sooth_mlp_check) == (last % 4 <= 2));
        block.byte[word[BYTES] + other] = 127; /* of the other output */
        CHECK(sound(sooth_mlp_check) == (last % 4 <= 2));
    }
    {
        static const uint32_t wide[3] = {516, 1, 516}; /* each of the second layer's stands alone */
        make_mlp(wide, 2, 1, 8);
        memset(&block.byte[word[BYTES] + 516], 0x80, 516);
        CHECK(sound(sooth_mlp_check));
    }
    make_mlp(widths, 2, 1, 16); /* those have 64 bits */
    memset(&block.byte[word[BYTES]], 0x80, 2 * 516 * 2);
    CHECK(sound(sooth_mlp_check));
}

/* The integers of a network, as numbers: low byte first, two's complement. */
static void integers_are_read(void) {
    static const uint32_t widths[3] = {4, 1, 1};
    static const unsigned char bytes[10] = {0x00, 0x7F, 0x80, 0xFF, 0x01, 0x80, 0xFF, 0x7F, 0x34, 0x12};
    static const int eight[5] = {0, 127, -128, -1, 1}, sixteen[5] = {0x7F00, -128, -32767, 0x7FFF, 0x1234};
    uint32_t i;
    for (i = 0; i < 5; ++i) {
        make_mlp(widths, 2, 1, 8);
        memcpy(&block.byte[word[BYTES]], bytes, 10);
        CHECK(soothi_mlp_integer((const sooth_mlp *)(const void *)&block, i) == eight[i]);
        make_mlp(widths, 2, 1, 16);
        memcpy(&block.byte[word[BYTES]], bytes, 10);
        CHECK(soothi_mlp_integer((const sooth_mlp *)(const void *)&block, i) == sixteen[i]);
    }
}

/* ---- support vectors ---- */

enum { V_KERNEL = OWN, V_METHOD, V_DEGREE, V_VECTORS, V_GROUPS };

static void make_svr(uint32_t features, uint32_t vectors, uint32_t groups) {
    begin(9, 1, 80 + (size_t)4 * 16 * groups * (features + 1), 8 * (4 + vectors), 0);
    word[FEATURES] = features;
    word[TARGETS] = 1;
    word[V_VECTORS] = vectors;
    word[V_GROUPS] = groups;
}

static void support_vectors_are_judged(void) {
    static const uint32_t vectors[] = {0, 1, 15, 16, 17, 33};
    uint32_t features;
    size_t v;
    for (features = 1; features <= 3; ++features)
        for (v = 0; v < COUNT(vectors); ++v) {
            const uint32_t groups = (vectors[v] + 15) / 16;
            make_svr(features, vectors[v], groups + 1);
            CHECK(!sound(sooth_svr_check));
            if (groups) make_svr(features, vectors[v], groups - 1);
            CHECK(!sound(sooth_svr_check));
            make_svr(features, vectors[v], groups);
            regions_are_judged(sooth_svr_check, 1);
            {
                const change list[] = {
                    {FEATURES, 0, 0},
                    {FEATURES, features + 1, vectors[v] == 0},
                    {FEATURES, 65536, vectors[v] == 0},
                    {FEATURES, 65537, 0},
                    {TARGETS, 0, 0},
                    {TARGETS, 2, 0},
                    {V_KERNEL, SOOTH_SVR_KERNELS - 1, 1},
                    {V_KERNEL, SOOTH_SVR_KERNELS, 0},
                    {V_KERNEL, UINT32_MAX, 0},
                    {V_METHOD, 1, 1},
                    {V_METHOD, 2, 0},
                    {V_DEGREE, 64, 1},
                    {V_DEGREE, 65, 0},
                    {V_VECTORS, vectors[v] + 2, 0},
                    {V_VECTORS, UINT32_MAX, 0},
                    {V_VECTORS, 0x10000000u, 0},
                    {V_GROUPS, word[V_GROUPS] + 1, 0},
                    {V_GROUPS, word[V_GROUPS] - 1, 0},
                };
                judged(sooth_svr_check, list, COUNT(list), "svr");
            }
        }
}

/* ---- Gaussian processes ---- */

enum {
    G_KERNEL = OWN,
    G_POINTS,
    G_PACKS,
    G_LEVELS,
    G_INDUCING,
    G_FACTORS,
    G_ORDER,
    G_LENGTHS,
    G_SLOPED = G_LENGTHS + 6
};

/* Returns where the numbers of the groups begin. */
static size_t make_gauss(uint32_t features, uint32_t points, uint32_t levels, uint32_t inducing,
                         uint32_t factors, uint32_t lengths, uint32_t sloped) {
    const uint32_t packs = (points + 15) / 16, order = points + (inducing ? levels + sloped * features : 0),
                   members = inducing || !levels ? 0 : points;
    const size_t group = 24 + features * (1 + 2 * sloped) + (size_t)16 * packs * (features + 1);
    begin(11, 1, 4 * (group + 2 * levels + members + (size_t)factors * order * (order + 1) / 2),
          8 * (5 + lengths + sloped), 0);
    word[G_SLOPED] = sloped;
    word[FEATURES] = features;
    word[TARGETS] = 1;
    word[G_POINTS] = points;
    word[G_PACKS] = packs;
    word[G_LEVELS] = levels;
    word[G_INDUCING] = inducing;
    word[G_FACTORS] = factors;
    word[G_ORDER] = order;
    word[G_LENGTHS] = lengths;
    for (uint32_t i = 0; i < levels; ++i) word[group + i] = 5 * i;
    return group;
}

static void gaussian_processes_are_judged(void) {
    static const uint32_t points[] = {1, 15, 16, 17, 33};
    uint32_t features, levels, way;
    size_t v;
    for (features = 1; features <= 3; ++features)
        for (v = 0; v < COUNT(points); ++v)
            for (levels = 0; levels <= 3; levels += 3)
                for (way = 0; way < 16; ++way) {
                    const uint32_t inducing = way & 1, factors = way & 2 ? 1 + inducing : 0,
                                   lengths = way & 4 ? features : 1, sloped = way >> 3;
                    const size_t group =
                        make_gauss(features, points[v], levels, inducing, factors, lengths, sloped);
                    const change list[] = {
                        {FEATURES, 0, 0},
                        {FEATURES, features + 1, 0},
                        {FEATURES, 65537, 0},
                        {TARGETS, 0, 0},
                        {TARGETS, 2, 0},
                        {G_KERNEL, SOOTH_GAUSS_KERNELS - 1, 1},
                        {G_KERNEL, SOOTH_GAUSS_KERNELS, 0},
                        {G_POINTS, 0, 0},
                        {G_POINTS, points[v] + 1, 0},
                        {G_POINTS, points[v] - 1, 0},
                        {G_POINTS, UINT32_MAX, 0},
                        {G_PACKS, word[G_PACKS] + 1, 0},
                        {G_PACKS, word[G_PACKS] - 1, 0},
                        {G_LEVELS, levels + 4, 0},
                        {G_LEVELS, UINT32_MAX, 0},
                        {G_INDUCING, 2, 0},
                        {G_INDUCING, 1 - inducing, !levels && !factors && !sloped},
                        {G_FACTORS, 3, 0},
                        {G_FACTORS, 2 - inducing, 0},
                        {G_FACTORS, factors, 1},
                        {G_ORDER, word[G_ORDER] + 1, 0},
                        {G_ORDER, word[G_ORDER] - 1, 0},
                        {G_LENGTHS, 0, 0},
                        {G_LENGTHS, features + 2, 0},
                        {G_SLOPED, 1 - sloped, 0},
                        {G_SLOPED, 2, 0},
                        {G_SLOPED, UINT32_MAX, 0},
                    };
                    regions_are_judged(sooth_gauss_check, 1);
                    judged(sooth_gauss_check, list, COUNT(list), "gauss");
                    if (!levels) continue;
                    CHECK(!sound_with(sooth_gauss_check, group + 1, 0)); /* twice the same group */
                    CHECK(!sound_with(sooth_gauss_check, group + 1, 10));
                    CHECK(sound_with(sooth_gauss_check, group + 1, 9));
                    CHECK(!sound_with(sooth_gauss_check, group, 5));
                    CHECK(sound_with(sooth_gauss_check, group + 2, UINT32_MAX));
                    if (inducing) continue; /* of which group each point is */
                    CHECK(sound_with(sooth_gauss_check, group + 6, 2) &&
                          !sound_with(sooth_gauss_check, group + 6, 3));
                    CHECK(sound_with(sooth_gauss_check, group + 5 + points[v], 2));
                    CHECK(!sound_with(sooth_gauss_check, group + 5 + points[v], 3));
                    CHECK(!sound_with(sooth_gauss_check, group + 5 + points[v], UINT32_MAX));
                    CHECK(sound_with(sooth_gauss_check, group + 6 + points[v], UINT32_MAX)); /* no member */
                }
    make_gauss(64, 2, 0, 0, 1, 1, 1); /* a trend: up to 64 columns */
    CHECK(sound(sooth_gauss_check));
    make_gauss(65, 2, 0, 0, 1, 1, 1);
    CHECK(!sound(sooth_gauss_check));
    make_gauss(64, 2, 0, 0, 1, 64, 0);
    CHECK(sound(sooth_gauss_check));
    make_gauss(65, 2, 0, 0, 1, 65, 0);
    CHECK(!sound(sooth_gauss_check));
    make_gauss(65, 2, 0, 0, 0, 1, 0);
    CHECK(sound(sooth_gauss_check));
    make_gauss(0, 2, 0, 0, 0, 1, 0);
    CHECK(!sound(sooth_gauss_check));
    make_gauss(2, 0, 0, 0, 0, 1, 0);
    CHECK(!sound(sooth_gauss_check));
    make_gauss(3, 2, 0, 0, 1, 2, 0); /* lengths: one, or one for each feature */
    CHECK(!sound(sooth_gauss_check));
    make_gauss(2, 2, 0, 0, 1, 3, 0);
    CHECK(!sound(sooth_gauss_check));
    make_gauss(2, 2, 0, 0, 1, 0, 0);
    CHECK(!sound(sooth_gauss_check));
    for (v = 0; v < 2; ++v) { /* room for one pack more than the points have, or less */
        make_gauss(1, v ? 16 : 17, 0, 0, 0, 1, 0);
        CHECK(sound(sooth_gauss_check));
        word[G_POINTS] = word[G_ORDER] = v ? 17 : 16;
        CHECK(!sound(sooth_gauss_check));
    }
}

/* A process of so many points, features and levels, without factors. */
static int gauss_sound_when_large(uint32_t points, uint32_t features, uint32_t levels) {
    const uint32_t packs = (points + 15) / 16, group = 24 + features + 16 * packs * (features + 1),
                   words = (uint32_t)round_up(4 * (group + 2 * (size_t)levels)), size = words + 48;
    uint32_t *large = (uint32_t *)calloc(size, 1);
    int answer;
    begin(11, 1, 96, 48, 0);
    memcpy(large, &block, 96);
    large[SIZE] = large[BYTES] = size;
    large[DOUBLES] = words;
    large[FEATURES] = features;
    large[TARGETS] = large[G_INDUCING] = large[G_LENGTHS] = 1;
    large[G_POINTS] = points;
    large[G_PACKS] = packs;
    large[G_LEVELS] = levels;
    large[G_ORDER] = points + levels;
    for (uint32_t i = 0; i < levels; ++i) large[group + i] = i;
    large[SUM] = soothi_checksum((const unsigned char *)large, size);
    answer = sooth_gauss_check(large, size);
    free(large);
    return answer;
}

static void gaussian_processes_have_limits(void) {
    CHECK(gauss_sound_when_large(8192, 1, 1) && gauss_sound_when_large(1, 1, 8192));
    CHECK(!gauss_sound_when_large(8193, 1, 1) && !gauss_sound_when_large(1, 1, 8193));
    CHECK(gauss_sound_when_large(1, 65536, 0) && !gauss_sound_when_large(1, 65537, 0));
}

/* ---- fuzzy networks ---- */

enum { F_RULES = OWN, F_CAPACITY, F_ORDER, F_LOW = OWN + 8 };

static size_t make_sofnn(uint32_t features, uint32_t targets, uint32_t capacity, uint32_t order) {
    const size_t floats =
        2 * features + 2 * capacity * features + capacity * targets * (1 + features * order) + 2 * targets;
    begin(10, 2, 64 + 4 * floats, 0, 0);
    word[FEATURES] = features;
    word[TARGETS] = targets;
    word[F_RULES] = word[F_CAPACITY] = capacity;
    word[F_ORDER] = order;
    return floats;
}

/* One rule of so many features and targets, all 0. */
static int sound_when_large(uint32_t features, uint32_t targets) {
    const uint32_t size = (uint32_t)round_up(64 + 4 * ((size_t)4 * features + 3 * (size_t)targets));
    uint32_t *large = (uint32_t *)calloc(size, 1);
    int answer;
    begin(10, 2, 64, 0, 0);
    memcpy(large, &block, 64);
    large[SIZE] = large[DOUBLES] = large[BYTES] = size;
    large[FEATURES] = features;
    large[TARGETS] = targets;
    large[F_RULES] = large[F_CAPACITY] = 1;
    large[SUM] = soothi_checksum((const unsigned char *)large, size);
    answer = sooth_sofnn_check(large, size);
    free(large);
    return answer;
}

static void fuzzy_networks_are_judged(void) {
    uint32_t features, targets, capacity, order, i;
    for (features = 1; features <= 3; ++features)
        for (targets = 1; targets <= 2; ++targets)
            for (capacity = 1; capacity <= 3; ++capacity)
                for (order = 0; order < 2; ++order) {
                    const size_t floats = make_sofnn(features, targets, capacity, order),
                                 steep = F_LOW + 2 * features + capacity * features,
                                 most = F_LOW + floats - targets;
                    const change list[] = {
                        {FEATURES, 0, 0},
                        {FEATURES, features + 4, 0},
                        {FEATURES, UINT32_MAX, 0},
                        {TARGETS, 0, 0},
                        {TARGETS, targets + 4, 0},
                        {TARGETS, UINT32_MAX, 0},
                        {F_RULES, 0, 0},
                        {F_RULES, 1, 1},
                        {F_RULES, capacity + 1, 0},
                        {F_RULES, UINT32_MAX, 0},
                        {F_CAPACITY, capacity + 4, 0},
                        {F_CAPACITY, 257, 0},
                        {F_ORDER, 2, 0},
                        {F_LOW, NAN_BITS, 0},
                        {F_LOW, INFINITE_BITS, 0},
                        {F_LOW, bits(FLT_MAX), 1},
                        {most, bits(-1.0f), 0},
                        {most, bits(1.0f), 1},
                        {most - 1, bits(1.0f), 0},
                        {most + targets - 1, bits(-1.0f), 0},
                        {most + targets - 1, NAN_BITS, 0},
                        {most - targets, bits(1.0f), 0},
                        {steep - 1, bits(-1.0f), 1},                   /* of a centre */
                        {steep + capacity * features, bits(-1.0f), 1}, /* of a consequent */
                    };
                    regions_are_judged(sooth_sofnn_check, 1);
                    judged(sooth_sofnn_check, list, COUNT(list), "sofnn");
                    for (i = 0; i < capacity * features; ++i) {
                        CHECK(!sound_with(sooth_sofnn_check, steep + i, bits(-1.0f)));
                        CHECK(!sound_with(sooth_sofnn_check, steep + i, 0x80000001u));
                        CHECK(sound_with(sooth_sofnn_check, steep + i, bits(-0.0f)));
                        CHECK(sound_with(sooth_sofnn_check, steep + i, bits(3.0f)));
                    }
                    if (check_failures) return;
                }
    make_sofnn(1, 1, 256, 1);
    CHECK(sound(sooth_sofnn_check));
    make_sofnn(1, 1, 257, 1);
    CHECK(!sound(sooth_sofnn_check));
    make_sofnn(0, 1, 1, 0);
    CHECK(!sound(sooth_sofnn_check));
    make_sofnn(1, 0, 1, 0);
    CHECK(!sound(sooth_sofnn_check));
    CHECK(sound_when_large(65536, 1) && sound_when_large(1, 65536));
    CHECK(!sound_when_large(65537, 1) && !sound_when_large(1, 65537));
}

/* ---- laws ---- */

enum {
    W_LAW = OWN,
    W_TERMS,
    W_FIRST,
    W_CORES = OWN + 8,
    W_SOCKETS,
    W_LEVELS,
    W_FREQUENCY = OWN + 12,
    W_VOLTAGE = W_FREQUENCY + 32,
    W_B = W_VOLTAGE + 32,
    W_UNIT = W_B + 8,
    W_END = W_UNIT + 8
};

static void make_law(uint32_t law, uint32_t terms, uint32_t features, uint32_t first) {
    uint32_t j;
    begin(20, 1, 4 * W_END, sizeof(sooth_scaling) - 4 * W_END, 0);
    word[FEATURES] = features;
    word[TARGETS] = 1;
    word[W_LAW] = law;
    word[W_TERMS] = terms;
    word[W_FIRST] = first;
    word[W_CORES] = 4;
    word[W_LEVELS] = 3;
    for (j = 0; j < 3; ++j) {
        word[W_FREQUENCY + j] = bits((float)(j + 1));
        word[W_VOLTAGE + j] = bits(0.75f);
    }
    for (j = 0; j < 8; ++j) word[W_UNIT + j] = bits(1.0f);
}

static void laws_are_judged(void) {
    /* terms, features and the first that is fitted, of each law; as scaling.h states their formulas */
    static const uint32_t shapes[10][3] = {{2, 1, 0}, {2, 1, 0}, {3, 1, 0}, {3, 1, 1}, {2, 1, 0},
                                           {2, 2, 0}, {6, 2, 0}, {3, 2, 0}, {3, 2, 0}, {6, 3, 0}};
    const uint32_t odd[3] = {NAN_BITS, INFINITE_BITS, bits(-INFINITY)};
    uint32_t law, j, n;
    for (law = 0; law < 10; ++law) {
        const uint32_t terms = shapes[law][0], features = shapes[law][1], first = shapes[law][2];
        make_law(law, terms, features, first);
        regions_are_judged(sooth_scaling_check, 1);
        CHECK(sound(sooth_scaling_check));
        {
            const change list[] = {
                {FEATURES, features - 1, 0},
                {FEATURES, features + 1, 0},
                {TARGETS, 0, 0},
                {TARGETS, 2, 0},
                {W_LAW, 10, 0},
                {W_LAW, UINT32_MAX, 0},
                {W_TERMS, terms - 1, 0},
                {W_TERMS, terms + 1, 0},
                {W_FIRST, first + 1, 0},
                {W_FIRST, first - 1, 0},
                {DOUBLES, 4 * W_END - 16, 0},
                {DOUBLES, 4 * W_END + 16, 0},
                {W_CORES, 0, features == 1},
                {W_CORES, 1, 1},
                {W_CORES, 1u << 20, 1},
                {W_CORES, (1u << 20) + 1, 0},
                {W_SOCKETS, 1u << 20, 1},
                {W_SOCKETS, (1u << 20) + 1, 0},
                {W_LEVELS, 0, features == 1},
                {W_LEVELS, 1, 1},
                {W_LEVELS, 4, 0}, /* the fourth is 0 */
                {W_LEVELS, 33, 0},
                {W_LEVELS, UINT32_MAX, 0},
                {W_FREQUENCY, 0, 0},
                {W_FREQUENCY, bits(-1.0f), 0},
                {W_FREQUENCY, 1, 1},
                {W_FREQUENCY, bits(2.0f), 0},
                {W_FREQUENCY, bits(2.0f) - 1, 1},
                {W_FREQUENCY + 2, bits(2.0f), 0},
                {W_FREQUENCY + 2, bits(2.0f) + 1, 1},
                {W_FREQUENCY + 2, INFINITE_BITS, 0},
                {W_FREQUENCY + 1, NAN_BITS, 0},
                {W_VOLTAGE, 0, 0}, /* the others are not */
                {W_VOLTAGE, 1, 1},
                {W_VOLTAGE, bits(-1.0f), 0},
                {W_VOLTAGE, INFINITE_BITS, 0},
                {W_VOLTAGE + 1, 0, 0},
                {W_VOLTAGE + 2, 0, 0},
                {W_VOLTAGE + 2, bits(-1.0f), 0},
                {W_VOLTAGE + 2, NAN_BITS, 0},
                {W_VOLTAGE + 2, INFINITE_BITS, 0},
                {W_VOLTAGE + 3, INFINITE_BITS, 1},
                {W_B, bits(FLT_MAX), 1},
                {W_B + terms, NAN_BITS, 1}, /* no term */
                {W_UNIT, 0, 0},
                {W_UNIT, bits(-1.0f), 0},
                {W_UNIT, 1, 1},
                {W_UNIT, bits(FLT_MAX), 1},
                {W_UNIT + terms, 0, 1},
            };
            judged(sooth_scaling_check, list, COUNT(list), "law");
        }
        for (j = 0; j < terms; ++j)
            for (n = 0; n < 3; ++n) {
                CHECK(!sound_with(sooth_scaling_check, W_B + j, odd[n]));
                CHECK(!sound_with(sooth_scaling_check, W_UNIT + j, odd[n]));
            }
        for (j = 0; j < 3; ++j) word[W_VOLTAGE + j] = 0; /* not known */
        {
            const change list[] = {{W_VOLTAGE + 1, 0, 1},           {W_VOLTAGE + 1, bits(0.5f), 0},
                                   {W_VOLTAGE + 2, bits(-0.5f), 0}, {W_VOLTAGE + 2, 1, 0},
                                   {W_VOLTAGE + 2, 0x80000001u, 0}, {W_VOLTAGE, bits(-0.5f), 0}};
            judged(sooth_scaling_check, list, COUNT(list), "law without voltages");
        }
        word[W_VOLTAGE] = bits(1.0f); /* of one level; the next ones do not count */
        CHECK(sound_with(sooth_scaling_check, W_LEVELS, 1));
        word[W_VOLTAGE] = 0;
        word[W_LEVELS] = 32;
        for (j = 0; j < 32; ++j) word[W_FREQUENCY + j] = bits((float)(j + 1));
        CHECK(sound(sooth_scaling_check));
        for (j = 0; j < 32; ++j) word[W_VOLTAGE + j] = bits(64.0f);
        word[W_B] = bits(1.0f);
        CHECK(sound(sooth_scaling_check));
        word[W_LEVELS] = 33; /* as if the voltages went on ascending */
        CHECK(!sound(sooth_scaling_check));
    }
}

/* ---- cards and envelopes ---- */

enum { C_SCORES = OWN + 2, C_SEEN, C_RANGE, INPUT_AT = OWN, PREDICTOR_AT, TARGET_AT, CARD_AT };

/* A card of empty texts but the last one, which has `letters`. */
static void make_card(uint32_t features, uint32_t targets, uint32_t scores, uint32_t letters) {
    const uint32_t columns = features + targets, texts = 2 * columns + scores + 2;
    begin(5, 1, 48 + 8 * columns + 4 * texts, 8 * scores, letters + 1);
    word[FEATURES] = features;
    word[TARGETS] = targets;
    word[C_SCORES] = scores;
    memset(&block.byte[48 + 8 * columns + 4 * texts], 0xFF, word[BYTES] - (48 + 8 * columns + 4 * texts));
    memset(&block.byte[word[BYTES]], 'x', letters);
}

static void cards_are_judged(void) {
    uint32_t features, targets, scores, i;
    for (features = 1; features <= 3; ++features)
        for (targets = 1; targets <= 2; ++targets)
            for (scores = 0; scores <= 9; scores += scores == 3 ? 6 : 1) {
                const size_t text = C_RANGE + 2 * (features + targets),
                             texts = 2 * (features + targets) + scores + 2;
                make_card(features, targets, scores, 20);
                regions_are_judged(soothi_card_check, 0);
                for (i = 0; i < texts; ++i) {
                    CHECK(sound_with(soothi_card_check, text + i, 31));
                    CHECK(!sound_with(soothi_card_check, text + i, 32));
                    CHECK(!sound_with(soothi_card_check, text + i, UINT32_MAX));
                }
                {
                    const change list[] = {
                        {FEATURES, 0, 0},          {FEATURES, features + 4, 0}, {FEATURES, UINT32_MAX, 0},
                        {TARGETS, 0, 0},           {TARGETS, targets + 4, 0},   {TARGETS, UINT32_MAX, 0},
                        {C_SCORES, scores + 4, 0}, {C_SCORES, UINT32_MAX, 0},
                    };
                    judged(soothi_card_check, list, COUNT(list), "card");
                }
                for (i = 0; i < 40; ++i)
                    CHECK(sound_with(soothi_card_check, C_SEEN, i) == (i % 4 == 0 && i <= 32));
                CHECK(!sound_with(soothi_card_check, C_SEEN, UINT32_MAX - 3));
                word[SIZE] += 16; /* more room for doubles, then for words, than there are */
                word[BYTES] += 16;
                CHECK(!sound(soothi_card_check));
                word[DOUBLES] += 16;
                CHECK(!sound(soothi_card_check));
                word[SIZE] -= 16;
                word[BYTES] -= 16;
                word[DOUBLES] -= 16;
                word[SIZE] -= 16;
                word[BYTES] -= 16;
                block.byte[word[SIZE] - 1] = 0;
                if (scores) CHECK(!sound(soothi_card_check));
                word[SIZE] += 16;
                word[BYTES] += 16;
                word[DOUBLES] -= 16;
                CHECK(!sound(soothi_card_check));
                word[DOUBLES] += 32;
                CHECK(!sound(soothi_card_check));
                word[DOUBLES] -= 16;
                word[BYTES] += 16; /* one region more or less of doubles */
                CHECK(!sound(soothi_card_check));
                word[BYTES] -= 16;
                block.byte[word[SIZE] - 1] = 1; /* a text that does not end */
                CHECK(!sound(soothi_card_check));
            }
    make_card(1, 1, 0, 400);
    CHECK(sound_with(soothi_card_check, C_SEEN, 260) && !sound_with(soothi_card_check, C_SEEN, 264));
    make_card(0, 1, 0, 0);
    CHECK(!sound(soothi_card_check));
    make_card(1, 0, 0, 0);
    CHECK(!sound(soothi_card_check));
    make_card(1, 1, 0, 0);
    word[SIZE] = word[BYTES]; /* no room for any text */
    CHECK(!sound(soothi_card_check));
}

/* Appends a block that a make_ function made to an envelope in store. */
static struct {
    double aligned;
    unsigned char byte[4096];
} store;
static uint32_t stored;

static uint32_t append(void) {
    const uint32_t at = stored;
    seal();
    memcpy(store.byte + at, &block, word[SIZE]);
    stored += word[SIZE];
    return at;
}

/* All four parts, or those whose bits are set in `which`; as many features and targets as told. */
static void make_envelope(unsigned which, const uint32_t shape[8]) {
    uint32_t at[4] = {0, 0, 0, 0};
    stored = 48;
    if (which & 1) make_scale(shape[0]), at[0] = append();
    if (which & 2) make_linear(shape[1], shape[2], 0), at[1] = append();
    if (which & 4) make_scale(shape[3]), at[2] = append();
    if (which & 8) make_card(shape[4], shape[5], 1, 3), at[3] = append();
    begin(1, 1, 48, 0, stored - 48);
    memcpy(block.byte + 48, store.byte + 48, stored - 48);
    memcpy(&word[INPUT_AT], at, sizeof at);
    word[FEATURES] = shape[6];
    word[TARGETS] = shape[7];
}

static void envelopes_are_judged(void) {
    static const uint32_t good[8] = {3, 3, 2, 2, 3, 2, 3, 2};
    unsigned which, k;
    for (which = 0; which < 16; ++which) {
        make_envelope(which, good);
        CHECK(sound(sooth_model_check) == ((which & 2) != 0)); /* it must predict */
        for (k = 0; which & 2 && k < 4; ++k) {
            const uint32_t at = word[INPUT_AT + k];
            CHECK(!sound_with(sooth_model_check, INPUT_AT + k, at + 16));
            CHECK(!sound_with(sooth_model_check, INPUT_AT + k, at - 16));
            CHECK(!sound_with(sooth_model_check, INPUT_AT + k, word[SIZE]));
            if (at) CHECK(!sound_with(sooth_model_check, INPUT_AT + k, 0));
            else CHECK(!sound_with(sooth_model_check, INPUT_AT + k, 48));
        }
    }
    make_envelope(15, good);
    regions_are_judged(sooth_model_check, 1);
    for (k = 0; k < 8; ++k) { /* each of the numbers of columns as the others say */
        uint32_t shape[8];
        memcpy(shape, good, sizeof shape);
        ++shape[k];
        make_envelope(15, shape);
        CHECK(!sound(sooth_model_check));
        shape[k] -= 2;
        make_envelope(15, shape);
        CHECK(!sound(sooth_model_check));
    }
    make_envelope(2, good);
    CHECK(!sound_with(sooth_model_check, FEATURES, 0) && !sound_with(sooth_model_check, TARGETS, 0));
    /* a part that is there twice */
    make_envelope(3, good);
    CHECK(!sound_with(sooth_model_check, TARGET_AT, word[INPUT_AT]));
    /* words between the struct and the first part */
    make_envelope(2, good);
    memmove(block.byte + 64, block.byte + 48, word[SIZE] - 48);
    word[SIZE] += 16;
    word[PREDICTOR_AT] += 16;
    CHECK(!sound(sooth_model_check));
    word[BYTES] += 16;
    CHECK(!sound(sooth_model_check));
    word[DOUBLES] += 16;
    CHECK(!sound(sooth_model_check));
}

enum { INTERVAL_AT = CARD_AT + 1, ADAPT_AT, ZERO_AT, PROBABILITY_AT };

/* Version 2: a predictor of three features, then an interval for each target, or adaptation, or both. */
static void make_second(uint32_t targets, int intervals, int adapt) {
    uint32_t at[8] = {0}, t;
    stored = 64;
    make_linear(3, targets, 0);
    at[1] = append();
    for (t = 0; intervals && t < targets; ++t) {
        uint32_t here;
        make_conformal(1, 0, 0, 1.0f, 2.0f);
        here = append();
        if (t == 0) at[4] = here;
    }
    if (adapt) make_adapt(1, 3, 4), at[5] = append();
    begin(1, 2, 64, 0, stored - 64);
    memcpy(block.byte + 64, store.byte + 64, stored - 64);
    memcpy(&word[INPUT_AT], at, sizeof at);
    word[FEATURES] = 3;
    word[TARGETS] = targets;
}

static void later_envelopes_are_judged(void) {
    uint32_t targets, t;
    int intervals, adapt;
    for (targets = 1; targets <= 3; ++targets)
        for (intervals = 0; intervals < 2; ++intervals)
            for (adapt = 0; adapt < 2; ++adapt) {
                const sooth_model *model = (const sooth_model *)(const void *)&block;
                const int good = (intervals || adapt) && (targets == 1 || !adapt);
                make_second(targets, intervals, adapt);
                CHECK(sound(sooth_model_check) == good);
                if (!good) continue;
                regions_are_judged(sooth_model_check, 1);
                for (t = INPUT_AT; t <= ADAPT_AT; ++t) {
                    const uint32_t at = word[t];
                    CHECK(!sound_with(sooth_model_check, t, at ? 0 : 64));
                    CHECK(!sound_with(sooth_model_check, t, at + 16));
                    CHECK(!sound_with(sooth_model_check, t, word[SIZE]));
                    if (at) CHECK(!sound_with(sooth_model_check, t, at - 16));
                }
                CHECK(!sound_with(sooth_model_check, PROBABILITY_AT, 1));
                CHECK(!sound_with(sooth_model_check, ZERO_AT, 1));
                CHECK(!sound_with(sooth_model_check, KIND, 1 | 1u << 16));
                CHECK(!sound_with(sooth_model_check, KIND, 1 | 3u << 16));
                if (adapt) CHECK(!sound_with(sooth_model_check, INTERVAL_AT, word[ADAPT_AT]));
                for (t = 0; t < targets; ++t)
                    CHECK((const unsigned char *)sooth_model_conformal(model, t) ==
                          (intervals ? block.byte + word[INTERVAL_AT] + 80 * t : NULL));
            }
    make_second(2, 0, 0); /* without intervals there is no second one either */
    word[KIND] = 1 | 1u << 16;
    CHECK(sooth_model_conformal((const sooth_model *)(const void *)&block, 1) == NULL);
}

/* Version 3: a predictor of three features, then a map of so many points; with an interval or adaptation
   before it, or several targets, it is none. */
static void make_third(uint32_t targets, int interval, int adapt, uint32_t points) {
    uint32_t at[8] = {0};
    stored = 64;
    make_linear(3, targets, 0);
    at[1] = append();
    if (interval) make_conformal(1, 0, 0, 1.0f, 2.0f), at[4] = append();
    if (adapt) make_adapt(1, 3, 4), at[5] = append();
    make_probability(points);
    at[7] = append();
    begin(1, 3, 64, 0, stored - 64);
    memcpy(block.byte + 64, store.byte + 64, stored - 64);
    memcpy(&word[INPUT_AT], at, sizeof at);
    word[FEATURES] = 3;
    word[TARGETS] = targets;
}

static void envelopes_with_a_probability_are_judged(void) {
    for (uint32_t points = 0; points <= 4; points += 2) {
        make_third(1, 0, 0, points);
        CHECK(sound(sooth_model_check));
        regions_are_judged(sooth_model_check, 1);
        for (uint32_t k = INPUT_AT; k <= PROBABILITY_AT; ++k) {
            const uint32_t at = word[k];
            CHECK(!sound_with(sooth_model_check, k, at ? 0 : 64));
            CHECK(!sound_with(sooth_model_check, k, at + 16));
            CHECK(!sound_with(sooth_model_check, k, word[SIZE]));
            CHECK(k == PROBABILITY_AT || !sound_with(sooth_model_check, k, word[PROBABILITY_AT]));
            if (at) CHECK(!sound_with(sooth_model_check, k, at - 16));
        }
        CHECK(!sound_with(sooth_model_check, ZERO_AT, 1));
        for (uint32_t version = 0; version < 5; ++version)
            CHECK(version == 3 || !sound_with(sooth_model_check, KIND, 1 | version << 16));
    }
    make_third(2, 0, 0, 2);
    CHECK(!sound(sooth_model_check));
    make_third(1, 1, 0, 2);
    CHECK(!sound(sooth_model_check));
    make_third(1, 0, 1, 2);
    CHECK(!sound(sooth_model_check));
    make_second(1, 0, 0); /* version 3 without it */
    CHECK(!sound_with(sooth_model_check, KIND, 1 | 3u << 16));
    make_second(1, 1, 0);
    CHECK(!sound_with(sooth_model_check, KIND, 1 | 3u << 16));
}

enum { RATIO_AT = PROBABILITY_AT + 1, R_TERMS = OWN, R_CONSTANT, R_SHARE, R_RESERVED, R_TERM };

/* Version 4: a predictor of three features, an interval or a map if told, then tokens + 500. */
static void make_fourth(uint32_t targets, int interval, int probability) {
    uint32_t at[12] = {0};
    stored = 80;
    make_linear(3, targets, 0);
    at[1] = append();
    for (uint32_t t = 0; interval && t < targets; ++t) {
        make_conformal(1, 0, 0, 1.0f, 2.0f);
        if (t == 0) at[4] = stored;
        (void)append();
    }
    if (probability) make_probability(2), at[7] = append();
    begin(19, 1, 56, 0, 0);
    word[FEATURES] = 3;
    word[TARGETS] = word[R_TERMS] = 1;
    word[R_CONSTANT] = bits(500.0f);
    word[R_SHARE] = word[R_TERM + 1] = bits(1.0f);
    at[8] = append();
    begin(1, 4, 80, 0, stored - 80);
    memcpy(block.byte + 80, store.byte + 80, stored - 80);
    memcpy(&word[INPUT_AT], at, sizeof at);
    word[FEATURES] = 3;
    word[TARGETS] = targets;
}

static void envelopes_with_a_ratio_are_judged(void) {
    for (uint32_t targets = 1; targets <= 2; ++targets)
        for (int interval = 0; interval < 2; ++interval) {
            make_fourth(targets, interval, 0);
            CHECK(sound(sooth_model_check));
            regions_are_judged(sooth_model_check, 1);
            for (uint32_t k = INPUT_AT; k <= RATIO_AT; ++k) {
                const uint32_t at = word[k];
                CHECK(!sound_with(sooth_model_check, k, at ? 0 : 80));
                CHECK(!sound_with(sooth_model_check, k, at + 16));
                CHECK(!sound_with(sooth_model_check, k, word[SIZE]));
                CHECK(k == RATIO_AT || !sound_with(sooth_model_check, k, word[RATIO_AT]));
                if (at) CHECK(!sound_with(sooth_model_check, k, at - 16));
            }
            for (uint32_t k = 1; k <= 3; ++k) CHECK(!sound_with(sooth_model_check, RATIO_AT + k, 1));
            for (uint32_t version = 0; version < 6; ++version)
                CHECK(version == 4 || !sound_with(sooth_model_check, KIND, 1 | version << 16));
        }
    make_second(1, 1, 0); /* version 4 without it */
    memmove(block.byte + 80, block.byte + 64, word[SIZE] - 64);
    memset(block.byte + 64, 0, 16);
    word[KIND] = 1 | 4u << 16;
    word[SIZE] += 16, word[DOUBLES] += 16, word[BYTES] += 16;
    word[PREDICTOR_AT] += 16, word[INTERVAL_AT] += 16;
    CHECK(!sound(sooth_model_check));
    make_fourth(1, 0, 1); /* a multiple of a probability is none */
    CHECK(!sound(sooth_model_check));
    make_fourth(1, 0, 0); /* of as many columns as the predictor */
    CHECK(!sound_with(sooth_model_check, word[RATIO_AT] / 4 + FEATURES, 2));
}

/* The parts are where the offsets say, and the others NULL, whatever was in the struct. */
static void parts_are_found(void) {
    static const uint32_t shape[8] = {3, 3, 1, 1, 3, 1, 3, 1};
    const sooth_model *model = (const sooth_model *)(const void *)&block;
    for (int which = 0; which < 5; ++which) {
        sooth_model_parts parts;
        const void *part[9];
        if (which == 0) make_envelope(15, shape);
        else if (which < 3) make_second(1, which & 1, which & 2);
        else if (which == 3) make_third(1, 0, 0, 2);
        else make_fourth(1, 1, 0);
        memset(&parts, 0xFF, sizeof parts);
        sooth_model_open(model, &parts);
        part[0] = parts.input, part[1] = parts.predictor, part[2] = parts.target, part[3] = parts.card;
        part[4] = parts.interval, part[5] = parts.adapt, part[6] = parts.levels;
        part[7] = parts.probability, part[8] = parts.ratio;
        for (uint32_t k = 0; k < 9; ++k) {
            const uint32_t end = which == 0 ? 4 : which == 4 ? 9 : 8, at = k < end ? word[INPUT_AT + k] : 0;
            CHECK(part[k] == (at ? block.byte + at : NULL));
        }
    }
}

/* A member of an average has neither ratio nor map, intervals, adaptation, or card. */
static void members_are_judged(void) {
    static const uint32_t shape[8] = {3, 3, 1, 1, 3, 1, 3, 1};
    for (int which = 0; which < 6; ++which) {
        if (which < 2) make_envelope(which ? 15 : 7, shape);
        else if (which < 4) make_second(1, which & 1, !(which & 1));
        else if (which == 4) make_third(1, 0, 0, 2);
        else make_fourth(1, 0, 0);
        CHECK(sound(sooth_model_check));
        CHECK(soothi_model_member_check(&block, word[SIZE], 3) == (which ? 0 : word[SIZE]));
    }
}

/* A predictor stands alone, too: of each kind, and of no other. */
static void predictors_are_models(void) {
    static const uint32_t widths[3] = {2, 5, 1};
    size_t i;
    make_linear(2, 1, 1);
    CHECK(sound(sooth_model_check));
    make_tree(2, 1);
    CHECK(sound(sooth_model_check));
    make_ensemble(2, 1, 0, 0, 0);
    CHECK(sound(sooth_model_check));
    word[KIND] += 1;
    CHECK(sound(sooth_model_check));
    make_mlp(widths, 2, 1, 0);
    CHECK(sound(sooth_model_check));
    make_svr(2, 3, 1);
    CHECK(sound(sooth_model_check));
    make_gauss(2, 3, 2, 0, 1, 1, 0);
    CHECK(sound(sooth_model_check));
    make_sofnn(2, 1, 2, 1);
    CHECK(sound(sooth_model_check));
    make_law(0, 2, 1, 0);
    CHECK(sound(sooth_model_check));
    make_scale(2);
    CHECK(!sound(sooth_model_check));
    make_card(1, 1, 0, 0);
    CHECK(!sound(sooth_model_check));
    begin(1, 1, 32, 0, 0); /* less than an envelope */
    CHECK(!sound(sooth_model_check));
    CHECK(!sooth_model_check(&block, 31) && !sooth_model_check(&block, 0));
    CHECK(!sooth_model_check(NULL, 0) && !sooth_model_check(NULL, 100));
    for (i = 0; i < 32; i += 16)
        CHECK(!sooth_model_check(last_bytes(i), i) && sooth_model_swap_bytes(last_bytes(i), i) != SOOTH_OK);
}

/* ---- byte order ---- */

/* The block as the other byte order has it: words of 4 bytes, then of 8, then bytes as they are. */
static void mirror(const unsigned char *from, unsigned char *to) {
    uint32_t head[8], at;
    memcpy(head, from, sizeof head);
    for (at = 0; at < head[DOUBLES]; ++at) to[at] = from[at / 4 * 4 + 3 - at % 4];
    for (; at < head[BYTES]; ++at) to[at] = from[at / 8 * 8 + 7 - at % 8];
    for (; at < head[SIZE]; ++at) to[at] = from[at];
}

static void mirror_seal(unsigned char *bytes, size_t size) {
    const uint32_t sum = soothi_checksum(bytes, size);
    unsigned k;
    for (k = 0; k < 4; ++k)
        bytes[12 + k] = (unsigned char)(sum >> (soothi_model_little_endian() ? 24 - 8 * k : 8 * k));
}

static void blocks_are_turned(void) {
    static union {
        double aligned;
        unsigned char byte[4 * MOST];
    } other, again;
    static const uint32_t good[8] = {3, 3, 2, 2, 3, 2, 3, 2};
    size_t size, cut, k;
    uint32_t at[5];
    for (k = 0; k < 3; ++k) { /* a head; blocks of kinds that are no envelopes, with bytes */
        begin(k == 2 ? 0 : 77, 1, k ? 48 : 32, 0, k ? 16 : 0);
        seal();
        memcpy(&again, &block, word[SIZE]);
        CHECK(sooth_model_swap_bytes(&again, word[SIZE]) == SOOTH_OK);
    }
    make_linear(3, 2, 1);
    for (cut = 32; cut < word[SIZE]; ++cut) block.byte[cut] = (unsigned char)(37 * cut);
    seal();
    size = word[SIZE];
    mirror(block.byte, other.byte);
    mirror_seal(other.byte, size);
    memcpy(&again, &block, size);
    CHECK(sooth_model_swap_bytes(&again, size) == SOOTH_OK && memcmp(&again, &other, size) == 0);
    CHECK(sooth_model_swap_bytes(&again, size + 16) == SOOTH_OK && memcmp(&again, &block, size) == 0);
    for (cut = 0; cut < size; cut += 16) CHECK(sooth_model_swap_bytes(&again, cut) != SOOTH_OK);
    CHECK(sooth_model_swap_bytes(&again, 31) != SOOTH_OK && sooth_model_swap_bytes(NULL, size) != SOOTH_OK);
    other.byte[size - 1] ^= 1;
    CHECK(sooth_model_swap_bytes(&other, size) != SOOTH_OK);
    for (k = 0; k < 2; ++k) { /* a checksum that is too small, or too large */
        memcpy(&again, &block, size);
        ((uint32_t *)(void *)&again)[SUM] += k ? 1u : ~0u;
        CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
    }
    memcpy(&again, &block, size);
    again.byte[size - 1] ^= 1;
    CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
    memcpy(&again, &block, size);
    again.byte[DOUBLES * 4] = 1;
    CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);

    make_envelope(15, good);
    seal();
    size = word[SIZE];
    memcpy(at, &word[INPUT_AT], 4 * sizeof *at);
    at[4] = word[SIZE];
    mirror(block.byte, other.byte);
    for (k = 0; k < 4; ++k) {
        mirror(block.byte + at[k], other.byte + at[k]);
        mirror_seal(other.byte + at[k], at[k + 1] - at[k]);
    }
    mirror_seal(other.byte, size);
    memcpy(&again, &block, size);
    CHECK(sooth_model_swap_bytes(&again, size) == SOOTH_OK && memcmp(&again, &other, size) == 0);
    CHECK(sooth_model_swap_bytes(&again, size) == SOOTH_OK && memcmp(&again, &block, size) == 0);
    /* a part whose checksum is wrong, or that is in the other byte order, or an envelope itself */
    for (k = 0; k < 4; ++k) {
        memcpy(&again, &block, size);
        ++((uint32_t *)(void *)(again.byte + at[k]))[SUM];
        soothi_block_seal((sooth_block *)(void *)&again);
        CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
        memcpy(&again, &block, size);
        memcpy(again.byte + at[k], other.byte + at[k], at[k + 1] - at[k]);
        soothi_block_seal((sooth_block *)(void *)&again);
        CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
        memcpy(&again, &block, size);
        ((uint32_t *)(void *)(again.byte + at[k]))[KIND] = 1u | 1u << 16;
        soothi_block_seal((sooth_block *)(void *)(again.byte + at[k]));
        soothi_block_seal((sooth_block *)(void *)&again);
        CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
        memcpy(&again, &other, size); /* and the other way around */
        memcpy(again.byte + at[k], block.byte + at[k], at[k + 1] - at[k]);
        mirror_seal(again.byte, size);
        CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
        memcpy(&again, &block, size); /* a part of another kind than any */
        ((uint32_t *)(void *)(again.byte + at[k]))[KIND] = 0;
        soothi_block_seal((sooth_block *)(void *)(again.byte + at[k]));
        soothi_block_seal((sooth_block *)(void *)&again);
        CHECK(sooth_model_swap_bytes(&again, size) == SOOTH_OK);
    }
    /* a last part that ends beyond the envelope */
    memset(&again, 0, sizeof again);
    memcpy(&again, &block, size);
    ((uint32_t *)(void *)(again.byte + at[3]))[SIZE] += 16;
    soothi_block_seal((sooth_block *)(void *)(again.byte + at[3]));
    soothi_block_seal((sooth_block *)(void *)&again);
    CHECK(sooth_model_swap_bytes(&again, size) != SOOTH_OK);
}

/* ---- loading ---- */

static sooth_env env;

static void refused(size_t size, const char *words) {
    sooth_model *model = (sooth_model *)(void *)&block;
    unsigned char *exact = last_bytes(size);
    check_memory counted;
    memcpy(exact, &block, size);
    check_memory_init(&counted, &env, -1);
    CHECK_FAILS(&env, sooth_model_load(&env, exact, size, &model), SOOTH_BAD_MODEL, words);
    CHECK(model == NULL && counted.live == 0 && counted.live_bytes == 0);
    sooth_env_init(&env);
}

static void refusals_say_why(void) {
    sooth_model *model = NULL;
    uint32_t size;
    if (!soothi_model_little_endian()) CHECK_SKIP("a file has the other byte order here");
    sooth_env_init(&env);
    make_linear(2, 1, 0);
    seal();
    size = word[SIZE];
    CHECK_STATUS(sooth_model_load(&env, &block, size, &model), SOOTH_OK);
    CHECK(model && memcmp(model, &block, size) == 0);
    sooth_model_free(&env, model);
    CHECK_FAILS(&env, sooth_model_load(&env, NULL, 40, &model), SOOTH_BAD_MODEL, "is empty");
    refused(0, "the model file is empty");
    refused(1, "does not begin with");
    refused(31, "does not begin with");
    refused(32, "is cut short: it has 32 of ");
    refused(size - 16, "is cut short");
    refused(size + 1, "but the model ends after");
    --word[MAGIC];
    refused(size, "does not begin with");
    word[MAGIC] += 2;
    refused(size, "does not begin with");
    --word[MAGIC];
    --word[SUM];
    refused(size, "its checksum does not match");
    word[SUM] += 2;
    refused(size, "its checksum does not match");
    --word[SUM];
    word[L_RANK] = 100;
    seal();
    refused(size, "is invalid");
    word[L_RANK] = 0;
    word[KIND] = 3 | 3u << 16;
    seal();
    refused(size, "has format 3, but sooth");
    word[KIND] = 3;
    seal();
    refused(size, "is invalid"); /* format 0 has never been */
    word[KIND] = 2 | 1u << 16;
    seal();
    refused(size, "has a block of kind 2,");
    word[KIND] = 0 | 1u << 16;
    seal();
    refused(size, "has a block of kind 0,");
    word[KIND] = 999 | 1u << 16;
    seal();
    refused(size, "has a block of kind 999,");
    word[KIND] = 1 | 5u << 16;
    seal();
    refused(size, "has format 5, but sooth");
    word[KIND] = 1 | 1u << 16;
    seal();
    refused(size, "is invalid");
    word[SIZE] = 31;
    word[SUM] = soothi_checksum(block.byte, 32);
    refused(32, "was changed or damaged");
    word[SIZE] = 32;
    refused(33, "has 33 bytes, but the model ends after 32");
    word[SIZE] = 33;
    refused(33, "was changed or damaged");
    { /* every allocation, of which there is one */
        sooth_model *copy = NULL;
        make_linear(2, 1, 0);
        seal();
        CHECK_EVERY_ALLOCATION(&env, sooth_model_load(&env, &block, size, &copy),
                               sooth_model_free(&env, copy));
    }
}

int main(void) {
    CHECK_RUN(sizes_are_rounded_up);
    CHECK_RUN(the_least_block_is_a_head);
    CHECK_RUN(regions_follow_each_other);
    CHECK_RUN(words_of_a_tree_are_counted);
    CHECK_RUN(small_trees_are_judged);
    CHECK_RUN(trees_are_judged);
    CHECK_RUN(trees_hang_together);
    CHECK_RUN(trees_with_planes_are_judged);
    CHECK_RUN(planes_end_within_the_block);
    CHECK_RUN(trees_with_sets_are_judged);
    CHECK_RUN(sizes_that_wrap_around_are_refused);
    CHECK_RUN(ensembles_are_judged);
    CHECK_RUN(ensembles_of_leaves_are_judged);
    CHECK_RUN(trees_end_within_the_nodes);
    CHECK_RUN(the_second_form_is_the_trees);
    CHECK_RUN(boosts_have_nothing_more);
    CHECK_RUN(forests_remember_rows);
    CHECK_RUN(planes_are_judged);
    CHECK_RUN(products_are_judged);
    CHECK_RUN(scales_are_judged);
    CHECK_RUN(intervals_are_judged);
    CHECK_RUN(probabilities_are_judged);
    CHECK_RUN(levels_are_judged);
    CHECK_RUN(residuals_are_judged);
    CHECK_RUN(networks_have_limits);
    CHECK_RUN(networks_are_judged);
    CHECK_RUN(layers_fit_each_other);
    CHECK_RUN(integers_cannot_overflow);
    CHECK_RUN(integers_are_read);
    CHECK_RUN(support_vectors_are_judged);
    CHECK_RUN(gaussian_processes_are_judged);
    CHECK_RUN(gaussian_processes_have_limits);
    CHECK_RUN(fuzzy_networks_are_judged);
    CHECK_RUN(laws_are_judged);
    CHECK_RUN(cards_are_judged);
    CHECK_RUN(envelopes_are_judged);
    CHECK_RUN(later_envelopes_are_judged);
    CHECK_RUN(envelopes_with_a_probability_are_judged);
    CHECK_RUN(envelopes_with_a_ratio_are_judged);
    CHECK_RUN(parts_are_found);
    CHECK_RUN(members_are_judged);
    CHECK_RUN(predictors_are_models);
    CHECK_RUN(blocks_are_turned);
    CHECK_RUN(refusals_say_why);
    return check_end("check");
}
