/* 17_a_model_in_2_kib.c - a model that fits in a microcontroller, and its worst-case error: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/17_sizes.svg
 *
 * A microcontroller has 2 KiB for the model, no floating point, and needs a worst-case bound. A tree suits
 * it: it only compares, at most as often as the tree is deep. Thresholds lose nothing as integers: a number
 * of threads that is at most 14.5 is at most 14. Leaves lose a little. Between the min and the max leaf, 16
 * bits have 65,535 steps. So each leaf is off by at most half a step. This is a proof, not a measurement. No
 * memory is saved (a node takes 8 bytes either way). But the core saves the float arithmetic, which it has to
 * do in software. The memory holds leaves: how many of them pay for themselves?
 *
 * Exercises, with answers in answers.md:
 *   1. With 8 bits, how far may a leaf of this model be off at most, and how far is it in truth?
 *   2. How many comparisons does the tree of 64 leaves take at worst? And a balanced one?
 *   3. Predict another program, vips, with the tree of 64 leaves and with the full one. Which is nearer?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/export.h"
#include "sooth/tree.h"

enum { SIZES = 7 };

/* ---- 1. By hand: the walk through a tree in integers, and the leaf in steps. tree.h documents the fields
   of a node. ---- */

typedef struct steps {
    double low, step; /* a leaf is low + step x its integer */
} steps;

static steps steps_of(const sooth_tree *tree, unsigned bits) {
    const sooth_tree_node *node = (const sooth_tree_node *)(tree + 1);
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < tree->nodes; ++i)
        if (!(node[i].link & 1)) {
            low = fmin(low, (double)node[i].u.value);
            high = fmax(high, (double)node[i].u.value);
        }
    return (steps){low, (high - low) / (pow(2, bits) - 2)};
}

static double walk_by_hand(const sooth_tree *tree, const steps *s, const float *row) {
    const sooth_tree_node *node = (const sooth_tree_node *)(tree + 1);
    uint32_t at = 0;
    while (node[at].link & 1) {
        const uint32_t column = (node[at].link >> 2) & ((1u << (tree->shift - 2)) - 1);
        const long key = (long)row[column], threshold = (long)floor((double)node[at].u.threshold);
        at += (node[at].link >> tree->shift) + (key > threshold);
    }
    return s->low + s->step * (double)lround(((double)node[at].u.value - s->low) / s->step);
}

/* ---- 2. A tree with at most `leaves` leaves, as floats and as integers. ---- */

static sooth_tree *tree_of(const sooth_table *t, uint32_t leaves) {
    const sooth_tree_options options = {.max_leaves = leaves, .no_statistics = 1};
    sooth_tree *tree;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_tree_fit(&env, t, &options, &tree));
    return tree;
}

static sooth_integers *whole_of(const sooth_tree *tree, uint32_t bits) {
    const sooth_integers_options options = {.bits = bits};
    sooth_integers *whole;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_integers_convert(&env, sooth_model_from_block(&tree->head), &options, &whole));
    return whole;
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz"};
    static const char *const names[] = {"floats", "16 bits", "8 bits"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    sooth_table t = rows_of(&m, "ferret", 1);
    double axis[SIZES], lines[3 * SIZES], apart = 0;
    float *said = (float *)room(t.rows, sizeof *said);
    puts("leaves   floats   16 bits   8 bits   off by, %: floats  16 bits   8 bits   comparisons");
    for (uint32_t k = 0; k < SIZES; ++k) {
        sooth_tree *tree = tree_of(&t, 4u << k);
        sooth_integers *whole[2] = {whole_of(tree, 16), whole_of(tree, 8)};
        const steps s = steps_of(tree, 16);
        axis[k] = k + 2;
        sooth_tree_predict_many(tree, t.x, t.rows, t.stride, said);
        lines[k] = off_by(t.y, said, t.rows);
        for (size_t i = 0; i < t.rows; ++i)
            apart = fmax(apart, fabs(walk_by_hand(tree, &s, t.x + i * t.stride) - (double)said[i]) / s.step);
        for (size_t b = 0; b < 2; ++b) {
            sooth_integers_predict_many(whole[b], t.x, t.rows, t.stride, said);
            lines[(b + 1) * SIZES + k] = off_by(t.y, said, t.rows);
        }
        printf("%6u %8u %9u %8u %18.2f %8.2f %8.2f %13u\n", 4u << k, (unsigned)tree->head.size,
               (unsigned)whole[0]->head.size, (unsigned)whole[1]->head.size, lines[k], lines[SIZES + k],
               lines[2 * SIZES + k], tree->depth);
    }
    printf("With a walk by hand in integers, a leaf is off by at most %.2f steps of 16 bits.\n", apart);
    draw_lines("17_sizes.svg", "The error of a tree of ferret's power, by number of leaves", "log2 of leaves",
               "off by, %", axis, lines, SIZES, names, 3);
    return 0;
}
