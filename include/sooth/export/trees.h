/* export/trees.h - writes trees, forests and boosted trees as C: tables, branches, sums.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * See export/writer.h for the functions of a kind. export/integers_code.h writes trees of integers with the
 * same functions.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_TREES_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#include "writer.h"
#define SOOTH_EXPORT_TREES_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns the bits of the type that holds numbers up to this one. */
SOOTHI_LOCAL uint32_t soothi_export_bits(uint32_t most) { return most <= 0xFFFFu ? 16 : 32; }

/* Returns 1 if the code needs the index of a leaf, not only its value. */
SOOTHI_LOCAL int soothi_export_by_leaf(const soothi_export_trees *trees) {
    return trees->width > 1 || trees->low || trees->at;
}

/* Returns the link that a table stores for a node. A leaf has a link if its index is needed; bit 0 stays
   0. */
SOOTHI_LOCAL uint32_t soothi_export_link(const soothi_export_trees *trees, uint32_t i, uint32_t *leaves) {
    if (trees->node[i].link & 1u) return trees->node[i].link;
    return soothi_export_by_leaf(trees) ? (*leaves)++ << 1 : 0;
}

SOOTHI_LOCAL uint32_t soothi_export_largest_link(const soothi_export_trees *trees, uint32_t *leaves) {
    uint32_t most = 0;
    *leaves = 0;
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const uint32_t link = soothi_export_link(trees, i, leaves);
        if (link > most) most = link;
    }
    return most;
}

/* ---- sets of categories ---- */

/* Writes the words of all sets, and the function that tests for membership: soothi_sets_contain. */
SOOTHI_LOCAL void soothi_export_say_sets(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const uint32_t words = trees->sets.first[trees->set_count];
    soothi_export_say(job,
                      "\n/* Sets: bit c %% 32 of word c / 32 is 1 when category c is in. */\n"
                      "static const uint32_t @_set[%u] = {",
                      words ? words : 1);
    for (uint32_t k = 0; k < (words ? words : 1); ++k) {
        soothi_export_next(job, k, 11);
        soothi_export_say(job, "%uu", words ? trees->sets.word[k] : 0);
    }
    soothi_export_say(job,
                      "};\n\n/* 1: v is in the set that has so many words from number `first` on. */\n"
                      "static uint32_t @_in(float v, uint32_t first, uint32_t words) {\n"
                      "    uint32_t c;\n"
                      "    if (!(v >= %f && v < 4294967296.0f)) return 0;\n"
                      "    c = (uint32_t)v;\n"
                      "    return c / 32u < words ? @_set[first + c / 32u] >> (c & 31u) & 1u : 0;\n}\n",
                      (double)trees->sets.from);
}

/* Returns, for a table, kind[j]: 1 if nodes compare feature j, 2 if they test for sets, 3 for both. NULL
   without memory. */
SOOTHI_LOCAL unsigned char *soothi_export_kinds_of(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    unsigned char *kind = (unsigned char *)sooth_alloc(job->env, trees->features, 1);
    if (!kind) return NULL;
    memset(kind, 0, trees->features);
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        uint32_t set;
        if (!(trees->node[i].link & 1u)) continue;
        unsigned char *of = kind + soothi_export_feature(trees, trees->node + i);
        *of = (unsigned char)(*of | (soothi_export_asks(trees, trees->node + i, &set) ? 2u : 1u));
    }
    return kind;
}

/* Fails if nodes use both thresholds and sets for one feature: a table stores one kind per feature. */
SOOTHI_LOCAL sooth_status soothi_export_check_kinds(const soothi_export_job *job) {
    const uint32_t features = job->trees.features;
    uint32_t j = 0;
    unsigned char *kind = soothi_export_kinds_of(job);
    if (!kind) return sooth_no_memory(job->env, "the export of a tree", features);
    while (j < features && kind[j] < 3) ++j;
    sooth_free(job->env, kind, features, 1);
    if (j == features) return SOOTH_OK;
    return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                      "feature %u is numeric in one node and categorical in another, which a table cannot "
                      "represent; export branches",
                      j + 1);
}

SOOTHI_LOCAL sooth_status soothi_export_say_categories(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    unsigned char *kind = soothi_export_kinds_of(job);
    if (!kind) return sooth_no_memory(job->env, "the export of a tree", trees->features);
    soothi_export_say(
        job,
        "\n/* By feature: 1 when it is a category; then the threshold is the number of a set. */\n"
        "static const uint8_t @_category[%u] = {",
        trees->features);
    for (uint32_t j = 0; j < trees->features; ++j) {
        soothi_export_next(job, j, 1);
        soothi_export_say(job, "%u", (uint32_t)kind[j] >> 1);
    }
    sooth_free(job->env, kind, trees->features, 1);
    soothi_export_say(job,
                      "};\n\n/* By set: where its words begin. */\nstatic const uint32_t @_first[%u] = {",
                      trees->set_count + 1);
    for (uint32_t k = 0; k <= trees->set_count; ++k) {
        soothi_export_next(job, k, 6);
        soothi_export_say(job, "%uu", trees->sets.first[k]);
    }
    soothi_export_say(job, "};\n");
    return SOOTH_OK;
}

/* ---- trees as tables ---- */

SOOTHI_LOCAL void soothi_export_say_links(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    uint32_t leaves = 0, most = soothi_export_largest_link(trees, &leaves);
    soothi_export_say(
        job,
        "\n/* By node. Of an inner one: bit 0 is 1; bit 1 is 1 where a missing value goes right; "
        "then the feature;\n"
        "   from bit %u on how many nodes further the left child stands, which the right one follows. Of a "
        "leaf: %s */\n"
        "static const uint%u_t @_link[%u] $_FLASH = {",
        trees->shift, soothi_export_by_leaf(trees) ? "2 x its\n   number." : "0.", soothi_export_bits(most),
        trees->nodes);
    leaves = 0;
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        soothi_export_next(job, i, most <= 0xFFFFu ? 6 : 11);
        soothi_export_say(job, "%uu", soothi_export_link(trees, i, &leaves));
    }
    soothi_export_say(job, "};\n");
}

SOOTHI_LOCAL void soothi_export_say_table(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int by_leaf = soothi_export_by_leaf(trees);
    uint32_t leaves, bits = soothi_export_bits(soothi_export_largest_link(trees, &leaves));
    soothi_export_say_links(job);
    soothi_export_say(job, "\n/* By node: the threshold%s */\nstatic const float @_threshold[%u] $_FLASH = {",
                      by_leaf ? "; up to it, left." : ", up to which left; or of a leaf its answer.",
                      trees->nodes);
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const uint32_t inner = trees->node[i].link & 1u;
        uint32_t set;
        soothi_export_element(job, i,
                              by_leaf && !inner ? 0.0f
                              : inner && soothi_export_asks(trees, trees->node + i, &set)
                                  ? (float)set
                                  : trees->node[i].u.threshold);
    }
    soothi_export_say(job, "};\n");
    if (trees->start) {
        soothi_export_say(job,
                          "\n/* Where each tree begins. */\nstatic const uint%u_t @_start[%u] $_FLASH = {",
                          soothi_export_bits(trees->nodes), trees->trees);
        for (uint32_t i = 0; i < trees->trees; ++i) {
            soothi_export_next(job, i, 6);
            soothi_export_say(job, "%uu", trees->start[i]);
        }
        soothi_export_say(job, "};\n");
    }
    soothi_export_say(job,
                      "\n/* The leaf that a row ends in, below node `at`. */\n"
                      "static uint32_t @_walk(uint32_t at, const float *x) {\n"
                      "    uint32_t link = $_WORD%u(&@_link[at]);\n"
                      "    while (link & 1u) {\n"
                      "        const float v = x[(link & %uu) >> 2];\n",
                      bits, (1u << trees->shift) - 1u);
    if (trees->sets.first)
        soothi_export_say(job,
                          "        if (v <= v && @_category[(link & %uu) >> 2]) {\n"
                          "            const uint32_t *set = @_first + (uint32_t)$_FLOAT(&@_threshold[at]);\n"
                          "            at += (link >> %u) + 1u - @_in(v, set[0], set[1] - set[0]);\n"
                          "        } else\n    ",
                          (1u << trees->shift) - 1u, trees->shift);
    soothi_export_say(job,
                      "        at += (link >> %u) + "
                      "(uint32_t)(link & 2u ? !(v <= $_FLOAT(&@_threshold[at]))\n"
                      "            : v > $_FLOAT(&@_threshold[at]));\n"
                      "        link = $_WORD%u(&@_link[at]);\n"
                      "    }\n"
                      "    return %s;\n}\n",
                      trees->shift, bits, by_leaf ? "link >> 1" : "at");
}

/* ---- trees as branches ---- */

/* Writes "model_in(x[3], 4u, 1u)", true for values that go to the side `right`. Missing values are in no set
   and go right anyway. */
SOOTHI_LOCAL void soothi_export_say_membership(const soothi_export_job *job, const sooth_tree_node *node,
                                               uint32_t set, int right) {
    const uint32_t *first = job->trees.sets.first + set, j = soothi_export_feature(&job->trees, node);
    if (!(node->link & 2u))
        soothi_export_say(job, right ? "x[%u] <= x[%u] && " : "!(x[%u] <= x[%u]) || ", j, j);
    soothi_export_say(job, right ? "!@_in(x[%u], %uu, %uu)" : "@_in(x[%u], %uu, %uu)", j, first[0],
                      first[1] - first[0]);
}

/* Writes "x[3] > 2.5f", true for values that go to the side `right`. */
SOOTHI_LOCAL void soothi_export_say_condition(const soothi_export_job *job, const sooth_tree_node *node,
                                              int right) {
    const int missing_here = (int)(node->link >> 1 & 1u) == right;
    uint32_t set;
    if (soothi_export_asks(&job->trees, node, &set)) {
        soothi_export_say_membership(job, node, set, right);
        return;
    }
    if (job->whole) {
        sooth_text_put(job->sink,
                       right ? "x[%u] > " : "x[%u] <= ", (node->link & ((1u << job->trees.shift) - 1u)) >> 1);
        soothi_export_say_number(job, (int32_t)node->u.at);
        return;
    }
    soothi_export_say(job, missing_here ? "!(x[%u] %s %f)" : "x[%u] %s %f",
                      soothi_export_feature(&job->trees, node),
                      right != missing_here ? ">" : "<=", (double)node->u.threshold);
}

/* Writes "return 2.5f;", or the index of the leaf. */
SOOTHI_LOCAL void soothi_export_say_return(const soothi_export_job *job, const sooth_tree_node *node,
                                           uint32_t size) {
    if (soothi_export_by_leaf(&job->trees)) {
        soothi_export_say(job, "return %uu;\n", size & 0x7FFFFFFFu);
    } else if (job->whole) {
        soothi_export_say(job, "return ");
        soothi_export_say_number(job, (int32_t)node->u.at);
        soothi_export_say(job, ";\n");
    } else {
        soothi_export_say(job, "return %f;\n", (double)node->u.value);
    }
}

/* Returns the number of leaves, from a size of soothi_export_measure. */
SOOTHI_LOCAL uint32_t soothi_export_leaves(uint32_t size) { return size >> 31 ? 1 : size; }

/* size[i]: the leaves below node i of the tree. For a leaf, whose count is always 1, it is 2^31 + its index.
   Children come after their parents. */
SOOTHI_LOCAL void soothi_export_measure(const soothi_export_trees *trees, uint32_t k, uint32_t *leaves,
                                        uint32_t *size) {
    const uint32_t first = soothi_export_start(trees, k), count = soothi_export_start(trees, k + 1) - first;
    for (uint32_t i = 0; i < count; ++i)
        if (!(trees->node[first + i].link & 1u)) size[i] = 0x80000000u + (*leaves)++;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t link = trees->node[first + i].link, left = i + (link >> trees->shift);
        if (!(link & 1u)) continue;
        size[i] = soothi_export_leaves(size[left]) + soothi_export_leaves(size[left + 1]);
    }
}

SOOTHI_LOCAL void soothi_export_indent(const soothi_export_job *job, uint32_t level) {
    for (; level; --level) soothi_export_say(job, "    ");
}

/* Writes one tree. The side of a node with fewer leaves goes into the braces, and the other one follows. Thus
   braces nest at most log2(leaves) deep, and a stack of 32 nodes is enough. */
SOOTHI_LOCAL void soothi_export_say_tree(const soothi_export_job *job, uint32_t k, const uint32_t *size) {
    const soothi_export_trees *trees = &job->trees;
    const sooth_tree_node *node = trees->node + soothi_export_start(trees, k);
    uint32_t later[32], depth = 0, at = 0;
    soothi_export_say(job, "\nstatic %s @_tree%u(const %s *x) {\n",
                      soothi_export_by_leaf(trees) ? "uint32_t"
                      : job->whole                 ? job->whole
                                                   : "float",
                      k, job->whole ? job->whole : "float");
    if (!(node[0].link & 1u)) soothi_export_say(job, "    (void)x;\n");
    for (;;) {
        if (node[at].link & 1u) {
            const uint32_t left = at + (node[at].link >> trees->shift);
            const int right = soothi_export_leaves(size[left + 1]) < soothi_export_leaves(size[left]);
            const uint32_t fewer = right ? left + 1 : left, more = right ? left : left + 1;
            soothi_export_indent(job, depth + 1);
            soothi_export_say(job, "if (");
            soothi_export_say_condition(job, node + at, right);
            soothi_export_say(job, ") ");
            if (!(node[fewer].link & 1u)) {
                soothi_export_say_return(job, node + fewer, size[fewer]);
                at = more;
            } else {
                soothi_export_say(job, "{\n");
                later[depth++] = more;
                at = fewer;
            }
        } else {
            soothi_export_indent(job, depth + 1);
            soothi_export_say_return(job, node + at, size[at]);
            if (depth == 0) break;
            at = later[--depth];
            soothi_export_indent(job, depth + 1);
            soothi_export_say(job, "}\n");
        }
    }
    soothi_export_say(job, "}\n");
}

SOOTHI_LOCAL sooth_status soothi_export_say_branches(soothi_export_job *job) {
    uint32_t most = 0, leaves = 0;
    for (uint32_t k = 0; k < job->trees.trees; ++k) {
        const uint32_t count = soothi_export_start(&job->trees, k + 1) - soothi_export_start(&job->trees, k);
        if (count > most) most = count;
    }
    uint32_t *size = (uint32_t *)sooth_alloc(job->env, most, sizeof *size);
    if (!size) return sooth_no_memory(job->env, "the export of a tree", soothi_product(most, sizeof *size));
    for (uint32_t k = 0; k < job->trees.trees && !job->sink->failed; ++k) {
        soothi_export_measure(&job->trees, k, &leaves, size);
        soothi_export_say_tree(job, k, size);
    }
    sooth_free(job->env, size, most, sizeof *size);
    return SOOTH_OK;
}

/* ---- sums ---- */

/* Writes the elements of an array: the values of leaves, or their low parts. */
SOOTHI_LOCAL void soothi_export_say_values(soothi_export_job *job, int low) {
    const soothi_export_trees *trees = &job->trees;
    size_t done = 0;
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const sooth_tree_node *node = trees->node + i;
        for (uint32_t t = 0; !(node->link & 1u) && t < trees->width; ++t)
            soothi_export_element(job, done++,
                                  low            ? trees->low[i]
                                  : trees->value ? trees->value[(size_t)node->u.at * trees->width + t]
                                                 : node->u.value);
    }
    soothi_export_say(job, "};\n");
}

/* Writes the arrays of linear leaves: the offset of each leaf's record, then per record and per term one
   integer and four floats. */
SOOTHI_LOCAL void soothi_export_say_planes(soothi_export_job *job, uint32_t leaves) {
    const soothi_export_trees *trees = &job->trees;
    const uint32_t *record = trees->at + trees->nodes;
    uint32_t done = 0;
    soothi_export_say(job,
                      "\n/* By leaf: 0, or the number of its plane + 1. */\n"
                      "static const uint32_t @_plane_of[%u] $_FLASH = {",
                      leaves);
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        if (trees->node[i].link & 1u) continue;
        soothi_export_next(job, done++, 6);
        soothi_export_say(job, "%uu", trees->at[i]);
    }
    soothi_export_say(job,
                      "};\n\n/* Planes, each with its terms behind it: how many they are, or a feature. */\n"
                      "static const uint32_t @_whole[%u] $_FLASH = {",
                      trees->planes);
    for (uint32_t i = 0; i < trees->planes; ++i) {
        soothi_export_next(job, i, 4);
        soothi_export_say(job, "%uu", record[SOOTHI_LINEAR_LEAF_WORDS * (size_t)i]);
    }
    soothi_export_say(job,
                      "};\n\n/* Of a plane: the constant, its low part, the least and the most it says. Of a "
                      "term: the slope, %s,\n   the least and the most that the feature counts as. */\n"
                      "static const float @_number[%z] $_FLASH = {",
                      trees->low ? "its low part" : "the feature's middle", 4 * (size_t)trees->planes);
    for (size_t i = 0; i < 4 * (size_t)trees->planes; ++i)
        soothi_export_element(job, i, soothi_of_bits(record[SOOTHI_LINEAR_LEAF_WORDS * (i / 4) + 1 + i % 4]));
    soothi_export_say(job, "};\n");
}

/* Writes soothi_linear_leaf_predict or soothi_linear_leaf_predict_exact, and adds its result. */
SOOTHI_LOCAL void soothi_export_say_linear_leaf(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0, low = trees->low != NULL;
    soothi_export_say(job, "\nstatic float @_within(float v, float least, float most) {\n"
                           "    return v < least ? least : v > most ? most : v;\n}\n");
    if (low)
        soothi_export_say(job, "\nstatic float @_half(float v) {\n    const float big = v * 4097.0f;\n"
                               "    return big - (big - v);\n}\n");
    soothi_export_say(job, "\nstatic void @_leaf(uint32_t leaf, const float *x, float *out%s) {\n",
                      exact ? ", float *lost" : "");
    soothi_export_say(job,
                      "    const uint32_t at = $_WORD32(&@_plane_of[leaf]);\n"
                      "    float v = $_FLOAT(&@_value[leaf])%s;\n"
                      "    if (at) {\n"
                      "        const float *n = @_number + (at - 1u) * 4u;\n"
                      "        const uint32_t *feature = @_whole + (at - 1u);\n"
                      "        float high = $_FLOAT(n)%s;\n"
                      "        const float least = $_FLOAT(n + 2), most = $_FLOAT(n + 3);\n"
                      "        uint32_t k = $_WORD32(feature);\n"
                      "        for (n += 4, ++feature; k; --k, n += 4, ++feature) {\n"
                      "            const float of = x[$_WORD32(feature)], slope = $_FLOAT(n);\n"
                      "            const float u = @_within(of, $_FLOAT(n + 2), $_FLOAT(n + 3));\n"
                      "%s            if (!(of <= of)) break;\n",
                      low ? ", rest = $_FLOAT(&@_rest[leaf])" : "", low ? ", low = $_FLOAT(n + 1)" : "",
                      low ? "            const float uh = @_half(u), sh = @_half(slope), ul = u - uh, "
                            "sl = slope - sh;\n"
                            "            const float p = slope * u, "
                            "e = ((sh * uh - p) + sh * ul + sl * uh) + sl * ul;\n"
                            "            const float sum = high + p, back = sum - high;\n"
                          : "");
    if (low)
        soothi_export_say(job, "            low += ((high - (sum - back)) + (p - back)) + "
                               "(e + $_FLOAT(n + 1) * u);\n"
                               "            high = sum;\n"
                               "        }\n"
                               "        if (!k) {\n"
                               "            v = high + low;\n"
                               "            rest = low - (v - high);\n"
                               "            if (!(v >= least && v <= most)) {\n"
                               "                v = @_within(v, least, most);\n"
                               "                rest = 0.0f;\n"
                               "            }\n"
                               "        }\n");
    else
        soothi_export_say(job, "            high += slope * (u - $_FLOAT(n + 1));\n        }\n"
                               "        if (!k) v = @_within(high, least, most);\n");
    soothi_export_say(job, "    }\n    %s;\n}\n",
                      exact          ? low ? "@_add(v, rest, out, lost)" : "@_add(v, 0.0f, out, lost)"
                      : trees->start ? "*out += v"
                                     : "*out = v");
}

/* Writes the values of leaves that are not in the nodes, and a function that adds one to the sums. */
SOOTHI_LOCAL void soothi_export_say_leaves(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    uint32_t leaves;
    if (!soothi_export_by_leaf(trees)) return;
    soothi_export_largest_link(trees, &leaves);
    soothi_export_say(job, "\n/* By leaf: what it answers. */\nstatic const float @_value[%u] $_FLASH = {",
                      leaves * trees->width);
    soothi_export_say_values(job, 0);
    if (trees->low) {
        soothi_export_say(
            job, "\n/* By leaf: the low part of its answer. */\nstatic const float @_rest[%u] $_FLASH = {",
            leaves);
        soothi_export_say_values(job, 1);
    }
    if (trees->at) {
        soothi_export_say_planes(job, leaves);
        soothi_export_say_linear_leaf(job);
        return;
    }
    soothi_export_say(job, "\nstatic void @_leaf(uint32_t leaf, float *out%s) {\n",
                      exact ? ", float *lost" : "");
    if (trees->width == 1)
        soothi_export_say(job, "    @_add($_FLOAT(&@_value[leaf]), $_FLOAT(&@_rest[leaf]), out, lost);\n}\n");
    else
        soothi_export_say(job,
                          "    const float *value = @_value + leaf * %uu;\n    uint32_t t;\n"
                          "    for (t = 0; t < %uu; ++t) %s;\n}\n",
                          trees->width, trees->width,
                          !trees->start ? "out[t] = $_FLOAT(&value[t])"
                          : exact       ? "@_add($_FLOAT(&value[t]), 0.0f, &out[t], &lost[t])"
                                        : "out[t] += $_FLOAT(&value[t])");
}

/* Writes the statement that adds the value of tree k (branches) or of each tree (a table) to the sums. */
SOOTHI_LOCAL void soothi_export_say_sum(const soothi_export_job *job, uint32_t k) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0, by_leaf = soothi_export_by_leaf(trees);
    const int table = job->form == SOOTH_EXPORT_TABLE;
    char at[32], walk[96];
    if (trees->width > 1 || trees->targets == 1) sooth_text_format(at, sizeof at, "[0]");
    else if (table) sooth_text_format(at, sizeof at, "[k %%%% %uu]", trees->targets);
    else sooth_text_format(at, sizeof at, "[%u]", k % trees->targets);
    if (!table) sooth_text_format(walk, sizeof walk, "@_tree%u(x)", k);
    else
        sooth_text_format(walk, sizeof walk,
                          by_leaf ? "@_walk(%s, x)" : "$_FLOAT(&@_threshold[@_walk(%s, x)])",
                          !trees->start                            ? "0"
                          : soothi_export_bits(trees->nodes) == 16 ? "$_WORD16(&@_start[k])"
                                                                   : "$_WORD32(&@_start[k])");
    if (by_leaf)
        soothi_export_say(job, exact ? "@_leaf(%s%s, &out%s, &lost%s);\n" : "@_leaf(%s%s, &out%s);\n", walk,
                          trees->at ? ", x" : "", at, at);
    else if (exact) soothi_export_say(job, "@_add(%s, 0.0f, &out%s, &lost%s);\n", walk, at, at);
    else soothi_export_say(job, trees->start ? "out%s += %s;\n" : "out%s = %s;\n", at, walk);
}

SOOTHI_LOCAL void soothi_export_say_sums(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    /* bases of a plain sum lose the sign of zero, as if 0 had been added: the library does so at the end */
    const int plain = !(trees->flags & (SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_MEAN));
    const int loop = trees->start && job->form == SOOTH_EXPORT_TABLE;
    for (uint32_t t = 0; trees->start && t < job->targets; ++t) {
        soothi_export_say(job, "    out[%u] = %f;\n", t,
                          (double)(plain ? trees->base[t] + 0.0f : trees->base[t]));
        if (exact) soothi_export_say(job, "    lost[%u] = %f;\n", t, (double)trees->base[job->targets + t]);
    }
    for (uint32_t k = 0; k < (loop ? 1 : trees->trees); ++k) {
        soothi_export_say(job, loop ? "    for (k = 0; k < %uu; ++k) " : "    ", trees->trees);
        soothi_export_say_sum(job, k);
    }
}

/* soothi_ensemble_linked */
SOOTHI_LOCAL void soothi_export_say_ends(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    for (uint32_t t = 0; t < job->targets; ++t) {
        if (trees->flags & SOOTH_ENSEMBLE_MEAN) {
            soothi_export_say(job,
                              exact ? "    out[%u] = @_divide(out[%u], lost[%u], %u.0f);\n"
                                    : "    out[%u] = @_divide(out[%u], 0.0f, %u.0f);\n",
                              t, t, exact ? t : trees->each, trees->each);
            soothi_export_say(job, "    out[%u] = @_clip(out[%u], %f, %f);\n", t, t,
                              (double)trees->hull[2 * t], (double)trees->hull[2 * t + 1]);
        } else if (exact) {
            soothi_export_say(job, "    out[%u] += lost[%u];\n", t, t);
        } else if (trees->share > 0.0f) {
            soothi_export_say(job, "    out[%u] = @_clip(out[%u] * %f, %f, %f);\n", t, t,
                              (double)trees->share, (double)trees->hull[2 * t],
                              (double)trees->hull[2 * t + 1]);
        }
        if (trees->link == SOOTH_ENSEMBLE_LINK_EXP)
            soothi_export_say(job, "    out[%u] = @_exp(@_clip(out[%u], -104.0f, 88.7f));\n", t, t);
        if (trees->link == SOOTH_ENSEMBLE_LINK_LOGISTIC)
            soothi_export_say(job, "    out[%u] = @_logistic(out[%u]);\n", t, t);
    }
    if (trees->flags & SOOTH_ENSEMBLE_QUANTILES) /* soothi_ensemble_sort */
        soothi_export_say(job,
                          "    for (n = 1; n < %uu; ++n)\n"
                          "        for (at = n; at > 0 && out[at - 1] > out[at]; --at) {\n"
                          "            const float v = out[at];\n"
                          "            out[at] = out[at - 1];\n"
                          "            out[at - 1] = v;\n"
                          "        }\n",
                          job->targets);
}

/* ---- plain sums ---- */

/* Switches to sums of floats: low parts of leaves are dropped, and the mean is a product. */
SOOTHI_LOCAL void soothi_export_make_plain(soothi_export_trees *trees) {
    if (trees->flags & SOOTH_ENSEMBLE_MEAN) trees->share = 1.0f / (float)trees->each;
    trees->flags &= ~(uint32_t)(SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_MEAN);
    trees->low = NULL;
}

/* Returns the value of leaf `node` for target t, as a float. */
SOOTHI_LOCAL float soothi_export_plain_leaf(const soothi_export_trees *trees, uint32_t node, uint32_t t) {
    return trees->value ? trees->value[(size_t)trees->node[node].u.at * trees->width + t]
                        : trees->node[node].u.value;
}

/* Predicts target t by plain sums, in the order of the written code. */
SOOTHI_LOCAL float soothi_export_plain(const soothi_export_trees *trees, const sooth_block *predictor,
                                       uint32_t t, const float *x) {
    const uint32_t step = trees->width > 1 ? 1 : trees->targets;
    float sum = trees->start ? trees->share > 0.0f ? trees->base[t] : trees->base[t] + 0.0f : 0.0f;
    for (uint32_t k = trees->width > 1 ? 0 : t; k < trees->trees; k += step) {
        uint32_t at = soothi_export_start(trees, k);
        while (trees->node[at].link & 1u) {
            const sooth_tree_node *node = trees->node + at;
            const float v = x[soothi_export_feature(trees, node)], limit = node->u.threshold;
            uint32_t set;
            at += node->link >> trees->shift;
            if (v <= v && soothi_export_asks(trees, node, &set))
                at += (uint32_t)!soothi_sets_contain(&trees->sets, set, v);
            else at += (uint32_t)(node->link & 2u ? !(v <= limit) : v > limit);
        }
        if (!trees->start) return soothi_export_plain_leaf(trees, at, t);
        sum += soothi_export_plain_leaf(trees, at, t);
    }
    if (trees->share > 0.0f) {
        const float *hull = trees->hull + 2 * (size_t)t;
        sum = sum * trees->share;
        sum = sum < hull[0] ? hull[0] : sum > hull[1] ? hull[1] : sum;
    }
    return trees->start ? soothi_ensemble_linked((const sooth_ensemble *)(const void *)predictor, sum) : sum;
}

/* Returns a bound of the difference between plain sums of target t and the model's, before a link or a
   transform. Let u = 2^-24, b the base of the sum, and m_k the largest absolute leaf value of tree k. Every
   partial sum is at most S = |b| + sum of m_k. Every addition has an error of at most u S (1 + n u) (Higham,
   Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2), so n additions have at most n u S.
   To this add the dropped low parts; for a mean the rounded 1 / n and the product, 2 u; and the model's own
   rounding, 2 u. */
SOOTHI_LOCAL double soothi_export_plain_error(const soothi_export_trees *trees, const float *low,
                                              uint32_t t) {
    const double u = 1.0 / 16777216.0, n = trees->width > 1 ? trees->trees : trees->each;
    const uint32_t step = trees->width > 1 ? 1 : trees->targets;
    const float *base = trees->base;
    double size = base ? soothi_abs((double)base[t]) : 0.0, dropped = 0.0;
    for (uint32_t k = trees->width > 1 ? 0 : t; k < trees->trees; k += step) {
        double most = 0.0, rest = 0.0;
        for (uint32_t i = soothi_export_start(trees, k); i < soothi_export_start(trees, k + 1); ++i) {
            if (trees->node[i].link & 1u) continue;
            const double v = soothi_abs((double)soothi_export_plain_leaf(trees, i, t));
            const double r = low ? soothi_abs((double)low[i]) : 0.0;
            most = v > most ? v : most;
            rest = r > rest ? r : rest;
        }
        size += most;
        dropped += rest;
    }
    const double share = trees->share > 0.0f ? 1.0 / n : 1.0;
    return ((n + 4.0) * u * (size + dropped) * (1.0 + (n + 4.0) * 4.0 * u) + dropped) * share + 1e-44;
}

/* ---- the kinds that are made of trees ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_tree(soothi_export_job *job) {
    soothi_export_trees *trees = &job->trees;
    uint32_t leaves = 0;
    soothi_export_open(job->parts.predictor, trees);
    if (trees->sets.first && job->form == SOOTH_EXPORT_TABLE) {
        const sooth_status status = soothi_export_check_kinds(job);
        if (status != SOOTH_OK) return status;
    }
    if (job->plain) soothi_export_make_plain(trees);
    if (trees->share > 0.0f) job->needs |= SOOTHI_EXPORT_CLIP;
    if (trees->flags & SOOTH_ENSEMBLE_EXACT) job->needs |= SOOTHI_EXPORT_ADD;
    if (trees->flags & SOOTH_ENSEMBLE_MEAN) job->needs |= SOOTHI_EXPORT_DIVIDE | SOOTHI_EXPORT_CLIP;
    if (trees->link == SOOTH_ENSEMBLE_LINK_EXP) job->needs |= SOOTHI_EXPORT_EXP;
    if (trees->link == SOOTH_ENSEMBLE_LINK_LOGISTIC) job->needs |= SOOTHI_EXPORT_LOGISTIC;
    uint32_t most = soothi_export_largest_link(trees, &leaves);
    job->bytes = 4 * (size_t)leaves * (trees->width + (trees->low ? 1 : 0));
    if (trees->at) job->bytes += 4 * (size_t)leaves + sizeof(soothi_linear_leaf) * (size_t)trees->planes;
    if (job->form == SOOTH_EXPORT_TABLE) {
        job->bytes += (size_t)trees->nodes * (4 + soothi_export_bits(most) / 8);
        if (trees->start) job->bytes += (size_t)trees->trees * (soothi_export_bits(trees->nodes) / 8);
        if (trees->sets.first) job->bytes += 4 * ((size_t)trees->set_count + 1) + trees->features;
    }
    if (trees->sets.first) job->bytes += 4 * (size_t)trees->sets.first[trees->set_count];
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_tree(const soothi_export_job *job) {
    soothi_export_say(job, "A regression tree");
}

SOOTHI_LOCAL void soothi_export_text_forest(const soothi_export_job *job) {
    if (job->trees.trees == 1) soothi_export_text_tree(job);
    else sooth_text_put(job->sink, "A forest of %u trees", job->trees.trees);
}

SOOTHI_LOCAL void soothi_export_text_boost(const soothi_export_job *job) {
    if (job->trees.trees == 1) soothi_export_text_tree(job);
    else sooth_text_put(job->sink, "%u boosted trees", job->trees.trees);
}

SOOTHI_LOCAL sooth_status soothi_export_code_tree(soothi_export_job *job) {
    const int table = job->form == SOOTH_EXPORT_TABLE;
    sooth_status status = SOOTH_OK;
    if (job->trees.sets.first) soothi_export_say_sets(job);
    if (table && job->trees.sets.first) status = soothi_export_say_categories(job);
    if (!table) status = soothi_export_say_branches(job);
    if (status != SOOTH_OK) return status;
    if (table) soothi_export_say_table(job);
    soothi_export_say_leaves(job);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n");
    if (job->trees.flags & SOOTH_ENSEMBLE_EXACT) soothi_export_say(job, "    float lost[$_TARGETS];\n");
    if (job->trees.start && job->form == SOOTH_EXPORT_TABLE) soothi_export_say(job, "    uint32_t k;\n");
    if (job->trees.flags & SOOTH_ENSEMBLE_QUANTILES) soothi_export_say(job, "    uint32_t n, at;\n");
    soothi_export_say_sums(job);
    soothi_export_say_ends(job);
    soothi_export_say(job, "}\n");
    return SOOTH_OK;
}

SOOTHI_LOCAL float soothi_export_near_tree(const soothi_export_job *job, uint32_t j, uint32_t number) {
    (void)job, (void)j, (void)number;
    return 0.0f;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
