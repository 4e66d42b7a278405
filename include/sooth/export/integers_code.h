/* export/integers_code.h - writes integer models as source code: C, C for the Linux kernel (BPF), Rust, Go.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The code needs no library, no allocation and no floating point. It returns the same sums as
 * sooth_integers_sum, and contains rows to verify this.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/export.h"
 *     #include <stdio.h>
 *
 *     static int to_file(void *user, const char *text, size_t size) {
 *         return fwrite(text, 1, size, (FILE *)user) != size;
 *     }
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10, 10, 20, 20};
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         sooth_integers_options options = {.bits = 16};
 *         sooth_integers_code_options form = {.name = "watts", .form = SOOTH_INTEGERS_CODE_C_BRANCHES};
 *         sooth_sink sink = {.write_fn = to_file, .user = stdout};
 *         sooth_integers *whole;
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         const sooth_model *model = sooth_model_from_block(&tree->head);
 *         if (sooth_integers_convert(&env, model, &options, &whole) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         if (sooth_integers_code(&env, whole, &form, &sink) != SOOTH_OK)  //> int32_t watts_sum(
 *             return puts(env.sentence), 1;
 *         sooth_integers_free(&env, whole);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Cost: one pass over the model; for C 12 bytes per node of the largest tree. Size of the code:
 *   - tables in C have 4 bytes a node for 8 and 16 bits; 8 for 32 bits, or if a large tree meets many
 *     features
 *   - tables in Rust and Go have (bits + 16) / 8 bytes a node, and 2 more in large trees
 *   - branches have 8 to 16 bytes of machine code a node, and take half the steps
 */
#if !defined(SOOTH_EXPORT_INTEGERS_CODE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_CODE_IMPLEMENTED))
#include "integers_convert.h"
#endif

#if !defined(SOOTH_EXPORT_INTEGERS_CODE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_INTEGERS_CODE_H
SOOTHI_C_BEGIN

/* Language and form of the code. */
typedef enum sooth_integers_code_form {
    SOOTH_INTEGERS_CODE_C = 0,      /* arrays and a loop */
    SOOTH_INTEGERS_CODE_C_BRANCHES, /* a function of if and return per tree */
    SOOTH_INTEGERS_CODE_BPF,  /* branches for clang --target=bpf. Four trees form a global function, which the
                              verifier checks separately; at most 1,016 trees */
    SOOTH_INTEGERS_CODE_RUST, /* arrays and a loop; a module without std */
    SOOTH_INTEGERS_CODE_GO,   /* arrays and a loop; a package */
    SOOTH_INTEGERS_CODE_FORMS
} sooth_integers_code_form;

/* Zero bytes are the defaults. */
typedef struct sooth_integers_code_options {
    const char *name;        /* prefix of names: a letter, then letters, digits, '_'; NULL means "model" */
    uint32_t form;           /* a sooth_integers_code_form */
    uint32_t no_selftest;    /* 1: leave the self-test and its rows out */
    const sooth_model *from; /* the original model, for the names on its card; NULL: none */
} sooth_integers_code_options;

/* Writes the code to the sink. For the name "model" it defines, in C,

     MODEL_FEATURES, MODEL_TARGETS
     MODEL_SCALE                                   predictions are sums x 2^-MODEL_SCALE, before a link
     int32_t model_sum(const int16_t *row);        for one target
     void model_sum(const int16_t *row, int32_t *sum);   for several, where target t has MODEL_SCALE_t
     int16_t model_key(uint32_t j, int32_t x, int32_t per);
                                                   the key of feature j for the value x / per in the model's
                                                   unit: 215 and 10 are 21.5. per >= 1. A value beyond all
                                                   keys has the nearest, which predicts the same
     int32_t model_value(int32_t sum, int32_t per);
                                                   the prediction times per, rounded, in +-(2^31 - 1); not
                                                   with a link. For several targets: (t, sum, per)
     int model_selftest(void);                     0, or the number (from 1) of the first row with another sum

   Everything else in the file is static. A row has MODEL_FEATURES keys of 8, 16 or 32 bits. With
   SOOTH_INTEGERS_KEYS_FLOAT it has floats, NaN if missing, which are compared as integers. Sums have 32 bits
   if every possible sum fits, else 64. The file includes only <stdint.h>: it compiles freestanding, also for
   WebAssembly.
   - BPF: rows are a struct model_keys of sooth_integers_key_count keys. The caller defines int32_t and
     int64_t. There are only the constants, the sum and model_key(j, x), which takes an integer.
   - Rust: the functions and constants of a module.
   - Go: package model with Features, Scale, Sum, Key, Value and Selftest.

   The form SOOTH_INTEGERS_CODE_C keeps the mandatory and required rules of MISRA C:2012 that cppcheck checks.

   A checked model may come from anyone. Returns SOOTH_BAD_ARGUMENT and sets a message for wrong options, too
   many trees for BPF, and a tree too large for its keys (C). Returns SOOTH_CANCELLED if the sink failed. */
SOOTH_API sooth_status sooth_integers_code(sooth_env *env, const sooth_integers *model,
                                           const sooth_integers_code_options *options, sooth_sink *sink);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_INTEGERS_CODE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_CODE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_INTEGERS_CODE_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_CODE_TESTS = 8, SOOTHI_CODE_PART = 4, SOOTHI_CODE_MOST_PARTS = 254 };

/* The state of writing code: a job of export/writer.h, and the integers. */
typedef struct soothi_code {
    soothi_export_job job;
    const sooth_integers *m;
    uint32_t language; /* 0 C, 1 Rust, 2 Go */
    uint32_t keys, link_bits, sum_bits;
    uint32_t largest;               /* nodes of the largest tree */
    uint32_t wide, in_bytes, place; /* of the table in C: see soothi_code_choose_words */
} soothi_code;

/* Computes the range of what the leaves of a tree add to target t. */
SOOTHI_LOCAL void soothi_code_range(const sooth_integers *m, uint32_t k, uint32_t t, int64_t *least,
                                    int64_t *most) {
    const uint32_t *start = soothi_integers_start(m);
    *least = INT32_MAX;
    *most = INT32_MIN;
    for (uint32_t i = start[k]; i < start[k + 1]; ++i) {
        const sooth_integers_node *node = soothi_integers_nodes(m) + i;
        if (node->link & 1u) continue;
        const int64_t v =
            m->values ? soothi_integers_values(m)[(size_t)(uint32_t)node->number * m->head.targets + t]
                      : node->number;
        if (v < *least) *least = v;
        if (v > *most) *most = v;
    }
}

/* Returns 1 if a final or partial sum may exceed 32 bits. */
SOOTHI_LOCAL int soothi_code_is_wide(const sooth_integers *m) {
    for (uint32_t t = 0; t < m->head.targets; ++t) {
        int64_t low = soothi_integers_base(m, t), high = low;
        for (uint32_t k = 0; k <= m->trees; ++k) {
            int64_t least, most;
            if (low < -INT32_MAX || high > INT32_MAX) return 1;
            if (k == m->trees || (!m->values && k % m->head.targets != t)) continue;
            soothi_code_range(m, k, t, &least, &most);
            low += least < 0 ? least : 0;
            high += most > 0 ? most : 0;
        }
    }
    return 0;
}

/* ---- types and arrays ---- */

SOOTHI_LOCAL const char *soothi_code_signed(const soothi_code *x, uint32_t bits) {
    static const char name[3][4][8] = {{"int8_t", "int16_t", "int32_t", "int64_t"},
                                       {"i8", "i16", "i32", "i64"},
                                       {"int8", "int16", "int32", "int64"}};
    return name[x->language][bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3];
}

SOOTHI_LOCAL const char *soothi_code_unsigned(const soothi_code *x, uint32_t bits) {
    static const char name[3][2][9] = {{"uint16_t", "uint32_t"}, {"u16", "u32"}, {"uint16", "uint32"}};
    return name[x->language][bits == 32];
}

SOOTHI_LOCAL const char *soothi_code_row(const soothi_code *x) {
    static const char name[3][8] = {"float", "f32", "float32"};
    return x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT ? name[x->language] : soothi_code_signed(x, x->m->bits);
}

/* Begins an array of `count` elements; soothi_code_end ends it. */
SOOTHI_LOCAL void soothi_code_begin(const soothi_code *x, const char *name, const char *type, size_t count) {
    switch (x->language) {
    case 0: soothi_export_say(&x->job, "static const %s @_%s[%z] $_FLASH = {", type, name, count); break;
    case 1: soothi_export_say(&x->job, "static %s: [%s; %z] = [", name, type, count); break;
    default: soothi_export_say(&x->job, "var %s = [%z]%s{", name, count, type);
    }
}

SOOTHI_LOCAL const char *soothi_code_end(const soothi_code *x) {
    static const char end[3][4] = {"};\n", "];\n", "}\n"};
    return end[x->language];
}

/* The arrays of the model. */
typedef enum soothi_code_array {
    SOOTHI_CODE_NUMBER,
    SOOTHI_CODE_LINK,
    SOOTHI_CODE_START,
    SOOTHI_CODE_VALUE
} soothi_code_array;

/* Returns the element of an array for node i. If leaves have rows of values, a leaf's link is twice its row,
   and its number is 0. */
SOOTHI_LOCAL int64_t soothi_code_element(const sooth_integers *m, uint32_t array, size_t i) {
    const sooth_integers_node *node = soothi_integers_nodes(m) + i;
    const int row = m->values && array <= SOOTHI_CODE_LINK && !(node->link & 1u);
    switch (array) {
    case SOOTHI_CODE_NUMBER: return row ? 0 : node->number;
    case SOOTHI_CODE_LINK: return row ? 2 * (int64_t)node->number : (int64_t)node->link;
    case SOOTHI_CODE_START: return (int64_t)soothi_integers_start(m)[i];
    default: return soothi_integers_values(m)[i];
    }
}

SOOTHI_LOCAL void soothi_code_say_array(soothi_code *x, uint32_t array, uint32_t bits, size_t count,
                                        const char *comment) {
    static const char name[2][4][7] = {{"number", "link", "start", "leaves"},
                                       {"NUMBER", "LINK", "START", "LEAVES"}};
    const int whole = array == SOOTHI_CODE_NUMBER || array == SOOTHI_CODE_VALUE;
    soothi_export_say(&x->job, x->language ? "\n// %s\n" : "\n/* %s */\n", comment);
    soothi_code_begin(x, name[x->language == 1][array],
                      whole ? soothi_code_signed(x, bits) : soothi_code_unsigned(x, bits), count);
    for (size_t i = 0; i < count; ++i) {
        soothi_export_next(&x->job, i, bits == 8 ? 4 : bits == 16 ? 6 : 11);
        soothi_export_say_number(&x->job, soothi_code_element(x->m, array, i));
    }
    soothi_export_say(&x->job, x->language == 2 ? ",%s" : "%s", soothi_code_end(x));
}

SOOTHI_LOCAL void soothi_code_say_arrays(soothi_code *x) {
    const sooth_integers *m = x->m;
    if (x->language)
        soothi_code_say_array(x, SOOTHI_CODE_NUMBER, m->bits, m->nodes,
                              m->values ? "By node: the threshold, up to which left."
                                        : "By node: the threshold, up to which left; or what a leaf adds.");
    if (x->language)
        soothi_code_say_array(
            x, SOOTHI_CODE_LINK, x->link_bits, m->nodes,
            "By node. Bit 0: inner; then the key it asks for, then how much further its left "
            "child stands.");
    if (x->language && m->trees > 1)
        soothi_code_say_array(x, SOOTHI_CODE_START, soothi_export_bits(m->nodes), m->trees,
                              "Where each tree begins.");
    if (m->values)
        soothi_code_say_array(x, SOOTHI_CODE_VALUE, m->bits, (size_t)m->values * m->head.targets,
                              "By leaf: what it adds to each target.");
}

/* ---- the first comment ---- */

SOOTHI_LOCAL const char *soothi_code_line(const soothi_code *x) { return x->language ? "//" : " *"; }

/* Writes "watts [W]: the sum times 2^-7; at most 0.02 off from the float model". */
SOOTHI_LOCAL void soothi_code_say_target(const soothi_code *x, uint32_t t) {
    static const char link[4][30] = {"s", "e^s", "1 / (1 + e^-s)", "e^s - 1 (below 0: 1 - e^-s)"};
    const sooth_integers_target *target = sooth_integers_targets(x->m) + t;
    soothi_export_say(&x->job, "%s ", soothi_code_line(x));
    soothi_export_say_column(&x->job, x->job.features + t);
    sooth_text_put(x->job.sink, ": %s, for s the sum times 2^%d, which is off by at most %G\n",
                   link[x->m->link], -(int)target->scale, (double)target->error);
}

/* Writes " row[2]: clock [MHz], times 2^3, minus 40". */
SOOTHI_LOCAL void soothi_code_say_feature(const soothi_code *x, uint32_t j) {
    const sooth_integers_column *column = soothi_integers_columns(x->m) + j;
    soothi_export_say(&x->job, "%s   row[%u]: ", soothi_code_line(x), j);
    soothi_export_say_column(&x->job, j);
    if (column->shift) sooth_text_put(x->job.sink, "; times 2^%d", (int)column->shift);
    if (column->offset) {
        soothi_export_say(&x->job, "; less ");
        soothi_export_say_number(&x->job, column->offset);
    }
    soothi_export_say(&x->job, "\n");
}

/* Returns 1 if the rows have keys of integers, which @_key computes; 1 if @_value converts the sums. */
SOOTHI_LOCAL int soothi_code_has_key(const soothi_code *x) { return x->m->rule == SOOTH_INTEGERS_KEYS_WHOLE; }
SOOTHI_LOCAL int soothi_code_has_value(const soothi_code *x) { return x->m->link == SOOTH_INTEGERS_IDENTITY; }

/* Writes how a row is made and its prediction read, with numbers in thousandths. */
SOOTHI_LOCAL void soothi_code_say_call(const soothi_code *x) {
    static const char key[3][64] = {"for (j = 0; j < $_FEATURES; ++j) row[j] = @_key(j, x[j], 1000);",
                                    "for j in 0..FEATURES { row[j] = @_key(j, x[j], 1000); }",
                                    "for j := range row { row[j] = Key(j, x[j], 1000) }"};
    static const char one[] = "y = @_value(@_sum(row), 1000);";
    static const char sums[3][80] = {"@_sum(row, sum); y[t] = @_value(t, sum[t], 1000);",
                                     "let sum = @_sum(&row); y[t] = @_value(t, sum[t], 1000);",
                                     "sum := Sum(&row); y[t] = Value(t, sum[t], 1000)"};
    const char *line = soothi_code_line(x);
    if (!soothi_code_has_key(x) && !soothi_code_has_value(x)) return;
    if (x->job.form == SOOTH_INTEGERS_CODE_BPF) {
        if (soothi_code_has_key(x))
            soothi_export_say(&x->job, " *\n * With integers: keys.key[j] = @_key(j, x[j]), for each j.\n");
        return;
    }
    soothi_export_say(&x->job, "%s\n%s With numbers in thousandths of these units:\n", line, line);
    if (soothi_code_has_key(x)) soothi_export_say(&x->job, "%s   %s\n", line, key[x->language]);
    if (soothi_code_has_value(x))
        soothi_export_say(&x->job, "%s   %s\n", line,
                          x->job.targets == 1 && !x->language ? one : sums[x->language]);
}

SOOTHI_LOCAL void soothi_code_say_head(const soothi_code *x) {
    const char *line = soothi_code_line(x);
    const int floats = x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    soothi_export_say(&x->job, x->language ? "// " : "/* ");
    sooth_text_put(x->job.sink, x->m->trees == 1 ? "A regression tree" : "%u regression trees", x->m->trees);
    sooth_text_put(x->job.sink, " in whole numbers of %u bits, written by sooth ", x->m->bits);
    soothi_export_say(&x->job,
                      SOOTH_VERSION_TEXT
                      ".\n%s Generated code belongs to whoever generated it: use this file "
                      "under any terms you like;\n%s the licence of sooth does not extend to "
                      "it.\n%s\n",
                      line, line, line);
    for (uint32_t t = 0; t < x->job.targets && t < 16; ++t) soothi_code_say_target(x, t);
    soothi_export_say(&x->job, "%s from what the float model says%s.\n%s\n", line,
                      floats ? "" : " of the row below, as it stands there in whole numbers", line);
    soothi_export_say(
        &x->job, "%s At most %u comparisons and %u additions. The row, %s:\n", line,
        sooth_integers_cost(x->m).comparisons, x->m->trees * (x->m->values ? x->job.targets : 1),
        floats ? "NaN where a value is missing" : "rounded down and clipped; missing values do not exist");
    for (uint32_t j = 0; j < x->job.features; ++j) soothi_code_say_feature(x, j);
    soothi_code_say_call(x);
    soothi_export_say(&x->job, x->language ? "" : " */\n");
}

/* ---- C ---- */

SOOTHI_LOCAL void soothi_code_say_c_head(const soothi_code *x) {
    const int bpf = x->job.form == SOOTH_INTEGERS_CODE_BPF;
    const char *sum = soothi_code_signed(x, x->sum_bits);
    soothi_export_say(&x->job, "%s#define $_FEATURES %u\n#define $_TARGETS %u\n",
                      bpf ? "" : "#include <stdint.h>\n\n", x->job.features, x->job.targets);
    for (uint32_t t = 0; t < x->job.targets; ++t) {
        soothi_export_say(&x->job, "#define $_SCALE");
        if (x->job.targets > 1) soothi_export_say(&x->job, "_%u", t);
        sooth_text_put(x->job.sink, " %d\n", (int)sooth_integers_targets(x->m)[t].scale);
    }
    if (bpf) {
        soothi_export_say(&x->job, "\nstruct @_keys {\n    int32_t key[%u];\n};\n", x->keys);
        return;
    }
    const int table = x->job.form == SOOTH_INTEGERS_CODE_C, values = x->m->values > 0;
    const char *type = soothi_code_signed(x, x->m->bits);
    const int units = soothi_code_has_key(x) || (soothi_code_has_value(x) && x->job.targets > 1);
    if (table || values || units) {
        soothi_export_say(&x->job,
                          "\n#if defined(__AVR__)\n#  include <avr/pgmspace.h>\n#  define $_FLASH PROGMEM\n");
        if (table) soothi_export_say(&x->job, "#  define $_NODE(p) pgm_read_dword(p)\n");
        if (values)
            soothi_export_say(&x->job, "#  define $_NUMBER(p) ((%s)pgm_read_%s(p))\n", type,
                              x->m->bits == 8    ? "byte"
                              : x->m->bits == 16 ? "word"
                                                 : "dword");
        if (units) soothi_export_say(&x->job, "#  define $_UNIT(p) ((int32_t)pgm_read_dword(p))\n");
        soothi_export_say(
            &x->job, "#else\n#  define $_FLASH\n%s%s%s#endif\n", table ? "#  define $_NODE(p) (*(p))\n" : "",
            values ? "#  define $_NUMBER(p) (*(p))\n" : "", units ? "#  define $_UNIT(p) (*(p))\n" : "");
    }
    soothi_export_say(&x->job, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    soothi_export_say(
        &x->job, x->job.targets == 1 ? "%s @_sum(const %s *row);\n" : "void @_sum(const %s *row, %s *sum);\n",
        x->job.targets == 1 ? sum : soothi_code_row(x), x->job.targets == 1 ? soothi_code_row(x) : sum);
    if (soothi_code_has_key(x))
        soothi_export_say(&x->job, "%s @_key(uint32_t j, int32_t x, int32_t per);\n", type);
    if (soothi_code_has_value(x))
        soothi_export_say(&x->job, "int32_t @_value(%s%s sum, int32_t per);\n",
                          x->job.targets > 1 ? "uint32_t t, " : "", sum);
    soothi_export_say(&x->job, "%s#ifdef __cplusplus\n}\n#endif\n",
                      x->job.tests ? "int @_selftest(void);\n" : "");
}

/* For keys of floats: computes the keys of a row, with separate ones for missing values. */
SOOTHI_LOCAL void soothi_code_say_c_keys(const soothi_code *x) {
    soothi_export_say(&x->job,
                      "\n/* The bits of floats, in an order that whole numbers have too. */\n"
                      "static void @_keys(const float *row, int32_t *key) {\n"
                      "    uint32_t j;\n"
                      "    for (j = 0; j < %uu; ++j) {\n"
                      "        union {\n            float value;\n            uint32_t bits;\n        } v;\n"
                      "        uint32_t size;\n"
                      "        v.value = row[j];\n"
                      "        size = v.bits & 0x7FFFFFFFu;\n"
                      "        key[j] = (v.bits == size) ? (int32_t)size : (-1 - (int32_t)size);\n"
                      "        key[j + %uu] = key[j];\n"
                      "        if (size > 0x7F800000u) {\n"
                      "            key[j] = 0x7FFFFFFF;\n"
                      "            key[j + %uu] = -0x7FFFFFFF - 1;\n"
                      "        }\n    }\n}\n",
                      x->job.features, x->job.features, x->job.features);
}

/* Chooses how the table in C packs a node. Even small cores are fast at loading a word, shifting it and
   testing its sign. So a node is one word of 32 bits if it fits, else two. Nodes are stored depth first: the
   left child is the next node, and a leaf skips the rest of the tree.

     bit 31           1: a leaf
     bits place to 30 inner: the offset of its key in the row, in bytes (in_bytes) or, if these do not
                      fit, in keys
     below            the nodes to skip to the right child, or from a leaf to the next tree
     bits 0 to 15     the threshold, the leaf's value, or the index of its row of values; with `wide` a
                      separate word before this one

   Returns 0 if a node does not fit in two words. */
SOOTHI_LOCAL int soothi_code_choose_words(soothi_code *x) {
    const uint32_t element = x->m->bits == 32 ? 2 : x->m->bits == 16 ? 1 : 0; /* log2 of its bytes */
    uint32_t key = 0;
    while (x->keys > 1u << key) ++key; /* a block has at most 2^30 keys */
    for (x->wide = x->m->bits > 16 || x->m->values > 0x10000u; x->wide < 2; ++x->wide)
        for (x->in_bytes = element > 0;; --x->in_bytes) {
            const uint32_t bits = (x->wide ? 31u : 15u), wanted = key + (x->in_bytes ? element : 0);
            x->place = 31 - wanted;
            if (wanted <= bits && (uint64_t)x->largest <= (uint64_t)1 << (bits - wanted)) return 1;
            if (!x->in_bytes) break;
        }
    return 0;
}

/* Writes one tree of the table. `size` has space for three numbers per node. */
SOOTHI_LOCAL void soothi_code_say_tree(soothi_code *x, uint32_t k, uint32_t *size) {
    const sooth_integers *m = x->m;
    const uint32_t first = soothi_integers_start(m)[k], count = soothi_integers_start(m)[k + 1] - first;
    const sooth_integers_node *node = soothi_integers_nodes(m) + first;
    const uint32_t element = x->in_bytes ? m->bits / 8 : 1;
    uint32_t *at = size + count, *order = at + count;
    for (uint32_t i = count; i-- > 0;) { /* nodes in the subtree: children follow their parents */
        const uint32_t left = i + (node[i].link >> m->shift);
        size[i] = node[i].link & 1u ? 1 + size[left] + size[left + 1] : 1;
    }
    at[0] = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t left = i + (node[i].link >> m->shift);
        order[at[i]] = i;
        if (!(node[i].link & 1u)) continue;
        at[left] = at[i] + 1;
        at[left + 1] = at[left] + size[left];
    }
    for (uint32_t n = 0; n < count; ++n) {
        const uint32_t i = order[n], link = node[i].link, key = (link & ((1u << m->shift) - 1u)) >> 1;
        const uint32_t low = x->wide ? 0 : (uint32_t)node[i].number & 0xFFFFu;
        const uint32_t skip = link & 1u ? size[i + (link >> m->shift)] : count - 1 - n;
        const uint32_t place = link & 1u ? (key * element) << (x->place & 31u) : 0x80000000u;
        soothi_export_next(&x->job, first + n, x->wide ? 22 : 11);
        if (x->wide) sooth_text_put(x->job.sink, "%uu, ", (uint32_t)node[i].number);
        sooth_text_put(x->job.sink, "%uu", place | skip << (x->wide ? 0 : 16) | low);
    }
}

SOOTHI_LOCAL sooth_status soothi_code_say_c_table(soothi_code *x) {
    const sooth_integers *m = x->m;
    const size_t numbers = soothi_product(3, x->largest);
    uint32_t *size = (uint32_t *)sooth_alloc(x->job.env, numbers, sizeof *size);
    if (!size)
        return sooth_no_memory(x->job.env, "the export of a tree", soothi_product(numbers, sizeof *size));
    soothi_export_say(
        &x->job,
        "\n/* The nodes, depth first: the left child follows.\n"
        " *   %s: the threshold, up to which left; %s\n"
        " *   then to bit %u: the nodes to skip to the right child or, from a leaf, to the next tree\n"
        " *   then to bit 30: the key that is asked for, by its place%s\n"
        " *   bit 31: a leaf */\n",
        x->wide ? "a word, and of another one from bit 0" : "bits 0 to 15",
        m->values ? "or the row of a leaf's values" : "or what a leaf adds", x->place - 1,
        x->in_bytes ? " in bytes" : "");
    soothi_code_begin(x, "node", "uint32_t", (size_t)m->nodes * (x->wide ? 2 : 1));
    for (uint32_t k = 0; k < m->trees && !x->job.sink->failed; ++k) soothi_code_say_tree(x, k, size);
    soothi_export_say(&x->job, "};\n");
    sooth_free(x->job.env, size, numbers, sizeof *size);
    return SOOTH_OK;
}

/* Writes the code of a leaf, and the end of the last tree. */
SOOTHI_LOCAL void soothi_code_say_c_leaf(const soothi_code *x) {
    const uint32_t targets = x->job.targets;
    const char *number = x->wide ? "number" : "(uint16_t)number";
    if (targets == 1 && x->m->trees == 1) {
        soothi_export_say(&x->job, "            return sum + number;\n        }\n");
        return;
    }
    if (x->m->values)
        soothi_export_say(&x->job,
                          "            const uint32_t leaf = (uint32_t)%s * %uu;\n"
                          "            for (t = 0u; t < %uu; ++t) {\n"
                          "                sum[t] += $_NUMBER(@_leaves + leaf + t);\n            }\n",
                          number, targets, targets);
    else if (targets == 1) soothi_export_say(&x->job, "            sum += number;\n");
    else
        soothi_export_say(&x->job,
                          "            sum[t] += number;\n            if (++t == %uu) {\n"
                          "                t = 0u;\n            }\n",
                          targets);
    soothi_export_say(&x->job,
                      x->m->trees == 1 ? "            return%s;\n        }\n"
                                       : "            if (--trees == 0u) {\n                return%s;\n"
                                         "            }\n        } else ",
                      targets == 1 ? " sum" : "");
}

/* Writes the loop over all trees, after the initial values of the sums. */
SOOTHI_LOCAL void soothi_code_say_c_walk(const soothi_code *x) {
    const char *type = soothi_code_signed(x, x->m->bits), *word = x->wide ? "link" : "word";
    char place[64];
    if (x->place >= 24)
        sooth_text_format(place, sizeof place, "(uint8_t)(%s >> 24) >> %u", word, x->place - 24);
    else if (x->place >= 16)
        sooth_text_format(place, sizeof place, "(uint16_t)(%s >> 16) >> %u", word, x->place - 16);
    else sooth_text_format(place, sizeof place, "%s >> %u", word, x->place);
    soothi_export_say(&x->job, x->wide ? "    for (;;) {\n"
                                         "        const int32_t number = (int32_t)$_NODE(at);\n"
                                         "        const uint32_t link = $_NODE(at + 1);\n"
                                         "        at += 2;\n"
                                       : "    for (;;) {\n"
                                         "        const uint32_t word = $_NODE(at);\n"
                                         "        const int16_t number = (int16_t)word;\n"
                                         "        ++at;\n");
    soothi_export_say(&x->job, "        if ((%s >> 31) != 0u) {\n", word);
    soothi_code_say_c_leaf(x);
    if (x->m->trees == 1) soothi_export_say(&x->job, "        ");
    if (x->in_bytes)
        soothi_export_say(
            &x->job,
            "if (*(const %s *)(const void *)((const char *)x + (%s)) <= number) {\n            continue;\n",
            type, place);
    else soothi_export_say(&x->job, "if (x[%s] <= number) {\n            continue;\n", place);
    soothi_export_say(&x->job, x->m->trees == 1 ? "        }\n"
                                                : "        } else {\n            /* to the right */\n"
                                                  "        }\n");
    if (x->wide)
        soothi_export_say(&x->job, "        at += 2u * (link & %uu);\n    }\n}\n", (1u << x->place) - 1u);
    else
        soothi_export_say(&x->job, "        at += (uint16_t)(word >> 16) & %uu;\n    }\n}\n",
                          (1u << (x->place - 16)) - 1u);
}

/* Writes the statement that adds the value of tree k. */
SOOTHI_LOCAL void soothi_code_say_c_add(const soothi_code *x, uint32_t k) {
    if (x->m->values)
        soothi_export_say(&x->job,
                          "    {\n        const uint32_t leaf = @_tree%u(x);\n"
                          "        for (t = 0u; t < %uu; ++t) {\n"
                          "            sum[t] += $_NUMBER(@_leaves + leaf * %uu + t);\n        }\n    }\n",
                          k, x->job.targets, x->job.targets);
    else if (x->job.targets == 1) soothi_export_say(&x->job, "    sum += @_tree%u(x);\n", k);
    else soothi_export_say(&x->job, "    sum[%u] += @_tree%u(x);\n", k % x->job.targets, k);
}

/* Writes " int32_t sum = 12;", or one such value per target. */
SOOTHI_LOCAL void soothi_code_say_c_bases(const soothi_code *x) {
    for (uint32_t t = 0; t < x->job.targets; ++t) {
        if (x->job.targets == 1)
            soothi_export_say(&x->job, "    %s sum = ", soothi_code_signed(x, x->sum_bits));
        else soothi_export_say(&x->job, "    sum[%u] = ", t);
        soothi_export_say_number(&x->job, soothi_integers_base(x->m, t));
        soothi_export_say(&x->job, ";\n");
    }
}

SOOTHI_LOCAL void soothi_code_say_c_sum(const soothi_code *x) {
    const int table = x->job.form == SOOTH_INTEGERS_CODE_C,
              turns = table && x->job.targets > 1 && !x->m->values;
    const int floats = x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT, one = x->job.targets == 1;
    const char *sum = soothi_code_signed(x, x->sum_bits);
    soothi_export_say(&x->job,
                      one ? "\n%s @_sum(const %s *%s) {\n" : "\nvoid @_sum(const %s *%s, %s *sum) {\n",
                      one ? sum : soothi_code_row(x),
                      one      ? soothi_code_row(x)
                      : floats ? "row"
                               : "x",
                      one ? floats ? "row" : "x" : sum);
    if (floats) soothi_export_say(&x->job, "    int32_t x[%u];\n", x->keys);
    if (one) soothi_code_say_c_bases(x);
    if (table) soothi_export_say(&x->job, "    const uint32_t *at = @_node;\n");
    if (table && x->m->trees > 1)
        soothi_export_say(&x->job,
                          x->m->trees > 0xFFFF ? "    uint32_t trees = %uu;\n"
                                               : "    uint_fast16_t trees = %uu;\n",
                          x->m->trees);
    if (x->m->values || turns)
        soothi_export_say(&x->job, turns ? "    uint32_t t = 0u;\n" : "    uint32_t t;\n");
    if (!one) soothi_code_say_c_bases(x);
    if (floats) soothi_export_say(&x->job, "    @_keys(row, x);\n");
    if (table) {
        soothi_code_say_c_walk(x);
        return;
    }
    for (uint32_t k = 0; k < x->m->trees; ++k) soothi_code_say_c_add(x, k);
    soothi_export_say(&x->job, one ? "    return sum;\n}\n" : "}\n");
}

/* ---- physical units ---- */

/* Writes the shifts and offsets of the features as pairs, or the scales of the targets. */
SOOTHI_LOCAL void soothi_code_say_units(soothi_code *x, int targets) {
    const size_t count = targets ? x->job.targets : x->job.features;
    const char *open = x->language == 1 && !targets ? "(" : x->language == 2 && !targets ? "{" : "";
    const char *close = *open == '(' ? ")" : *open ? "}" : "";
    for (size_t i = 0; i < count; ++i) {
        const sooth_integers_column *column = soothi_integers_columns(x->m) + i;
        soothi_export_next(&x->job, i, targets ? 4 : 14);
        soothi_export_say(&x->job, "%s", open);
        soothi_export_say_number(&x->job, targets ? sooth_integers_targets(x->m)[i].scale : column->shift);
        if (targets) continue;
        soothi_export_say(&x->job, ", ");
        soothi_export_say_number(&x->job, column->offset);
        soothi_export_say(&x->job, "%s", close);
    }
}

/* Writes @_key: floor(x 2^shift / per) - offset, clipped, by long division. */
SOOTHI_LOCAL void soothi_code_say_c_key(soothi_code *x) {
    const char *type = soothi_code_signed(x, x->m->bits);
    soothi_export_say(&x->job,
                      "\n/* The key of feature j for the value x / per; per is 1 or more. */\n"
                      "%s @_key(uint32_t j, int32_t x, int32_t per) {\n"
                      "    static const int32_t unit[%z] $_FLASH = { /* shift and offset of each */",
                      type, (size_t)x->job.features * 2);
    soothi_code_say_units(x, 0);
    soothi_export_say(&x->job, "};\n"
                               "    const int64_t limit = 0x10000000000;\n"
                               "    int32_t shift = $_UNIT(&unit[2u * j]);\n"
                               "    const int32_t whole = x / per;\n"
                               "    int64_t key = whole;\n"
                               "    int32_t rest = x %% per;\n"
                               "    if (rest < 0) {\n        rest += per;\n        key -= 1;\n    }\n"
                               "    while ((shift > 0) && (key < limit) && (key > -limit)) {\n"
                               "        key *= 2;\n"
                               "        if (rest >= (per - rest)) {\n            rest -= per - rest;\n"
                               "            key += 1;\n"
                               "        } else {\n            rest += rest;\n        }\n"
                               "        shift -= 1;\n    }\n"
                               "    while (shift < 0) {\n"
                               "        key = (key < 0) ? (((key + 1) / 2) - 1) : (key / 2);\n"
                               "        shift += 1;\n    }\n"
                               "    key -= $_UNIT(&unit[(2u * j) + 1u]);\n");
    const uint32_t most = (uint32_t)soothi_integers_most(x->m->bits);
    soothi_export_say(&x->job,
                      "    if (key > %u) {\n        key = %u;\n    }\n"
                      "    if (key < (-%u - 1)) {\n        key = -%u - 1;\n    }\n"
                      "    return (%s)key;\n}\n",
                      most, most, most, most, type);
}

/* Writes @_value: sum x per x 2^-scale, rounded and clipped, without a division. */
SOOTHI_LOCAL void soothi_code_say_c_value(soothi_code *x) {
    const int one = x->job.targets == 1;
    soothi_export_say(&x->job,
                      "\n/* The prediction times per, rounded; per is 1 or more. */\n"
                      "int32_t @_value(%s%s sum, int32_t per) {\n",
                      one ? "" : "uint32_t t, ", soothi_code_signed(x, x->sum_bits));
    if (!one) {
        soothi_export_say(&x->job, "    static const int32_t scales[%u] $_FLASH = {", x->job.targets);
        soothi_code_say_units(x, 1);
        soothi_export_say(&x->job, "};\n");
    }
    soothi_export_say(&x->job,
                      "    const uint64_t most = 0x7FFFFFFF, one = 1u;\n"
                      "    uint64_t size = (sum < 0) ? (0u - (uint64_t)sum) : (uint64_t)sum;\n"
                      "    uint64_t rest;\n"
                      "    int32_t scale = %s;\n"
                      "    while (scale > 31) {\n        size >>= 1;\n        scale -= 1;\n    }\n"
                      "    while (scale < 0) {\n        size = (size <= most) ? (2u * size) : size;\n"
                      "        scale += 1;\n    }\n"
                      "    rest = (size & ((one << (uint32_t)scale) - 1u)) * (uint64_t)per;\n"
                      "    size >>= (uint32_t)scale;\n"
                      "    size = ((size > most) ? most : size) * (uint64_t)per;\n"
                      "    size += (rest + ((one << (uint32_t)scale) / 2u)) >> (uint32_t)scale;\n"
                      "    size = (size > most) ? most : size;\n"
                      "    return (sum < 0) ? -(int32_t)size : (int32_t)size;\n}\n",
                      one ? "$_SCALE" : "$_UNIT(&scales[t])");
}

/* Writes @_key and @_value in Rust, in 128 bits. */
SOOTHI_LOCAL void soothi_code_say_rust_units(soothi_code *x) {
    const char *type = soothi_code_signed(x, x->m->bits);
    if (soothi_code_has_key(x)) {
        soothi_export_say(&x->job,
                          "\n// Shift and offset of each feature.\nstatic UNIT: [(i32, i32); FEATURES] = [");
        soothi_code_say_units(x, 0);
        soothi_export_say(&x->job,
                          "];\n\n// The key of feature j for the value x / per; per is 1 or more.\n"
                          "pub fn @_key(j: usize, x: i32, per: i32) -> %s {\n"
                          "    let (shift, offset) = UNIT[j];\n"
                          "    let (up, down) = (shift.max(0), (-shift).max(0));\n"
                          "    let key = ((x as i128) << up).div_euclid(per as i128) >> down;\n"
                          "    (key - offset as i128).clamp(%s::MIN as i128, %s::MAX as i128) as %s\n}\n",
                          type, type, type, type);
    }
    if (soothi_code_has_value(x))
        soothi_export_say(
            &x->job,
            "\n// The prediction of target t times per, rounded; per is 1 or more.\n"
            "pub fn @_value(t: usize, sum: %s, per: i32) -> i32 {\n"
            "    let (up, down) = (SCALE[t].min(0).abs(), SCALE[t].max(0));\n"
            "    let size = ((sum as i128).abs().min(1 << 62) << up).min(1 << 93) * per as i128;\n"
            "    let size = (((size + ((1_i128 << down) >> 1)) >> down).min(0x7FFF_FFFF)) as i32;\n"
            "    if sum < 0 {\n        -size\n    } else {\n        size\n    }\n}\n",
            soothi_code_signed(x, x->sum_bits));
}

SOOTHI_LOCAL void soothi_code_say_go_units(soothi_code *x) {
    const char *type = soothi_code_signed(x, x->m->bits);
    if (soothi_code_has_key(x) || soothi_code_has_value(x))
        soothi_export_say(&x->job,
                          "\nfunc clip(v, low, high int64) int64 {\n\tif v < low {\n\t\treturn low\n\t}\n"
                          "\tif v > high {\n\t\treturn high\n\t}\n\treturn v\n}\n");
    if (soothi_code_has_key(x)) {
        soothi_export_say(&x->job, "\n// Shift and offset of each feature.\nvar unit = [Features][2]int64{");
        soothi_code_say_units(x, 0);
        soothi_export_say(
            &x->job,
            "}\n\n// Key returns the key of feature j for the value x / per; per is 1 or more.\n"
            "func Key(j int, x, per int32) %s {\n"
            "\tconst limit, most = 1 << 40, 1<<%u - 1\n"
            "\tkey, rest, p := int64(x)/int64(per), int64(x)%%int64(per), int64(per)\n"
            "\tif rest < 0 {\n\t\trest += p\n\t\tkey--\n\t}\n"
            "\tshift := unit[j][0]\n"
            "\tfor ; shift > 0 && key < limit && key > -limit; shift-- {\n"
            "\t\trest *= 2\n\t\tkey = 2*key + rest/p\n\t\trest %%= p\n\t}\n"
            "\tfor ; shift < 0; shift++ {\n\t\tkey >>= 1\n\t}\n"
            "\treturn %s(clip(key-unit[j][1], -most-1, most))\n}\n",
            type, x->m->bits - 1, type);
    }
    if (soothi_code_has_value(x))
        soothi_export_say(
            &x->job,
            "\n// Value returns the prediction of target t times per, rounded; per is 1 or more.\n"
            "func Value(t int, sum %s, per int32) int32 {\n"
            "\tconst most = 1<<31 - 1\n"
            "\tscale, size := Scale[t], int64(sum)\n"
            "\tif sum < 0 {\n\t\tsize = -size\n\t}\n"
            "\tfor ; scale > 31; scale-- {\n\t\tsize >>= 1\n\t}\n"
            "\tfor ; scale < 0; scale++ {\n\t\tif size <= most {\n\t\t\tsize *= 2\n\t\t}\n\t}\n"
            "\trest := (size & (1<<scale - 1)) * int64(per)\n"
            "\tsize = clip(size>>scale, 0, most) * int64(per)\n"
            "\tsize = clip(size+(rest+1<<scale/2)>>scale, 0, most)\n"
            "\tif sum < 0 {\n\t\treturn int32(-size)\n\t}\n\treturn int32(size)\n}\n",
            soothi_code_signed(x, x->sum_bits));
}

/* Writes @_key and @_value if the model has them. */
SOOTHI_LOCAL void soothi_code_say_physical(soothi_code *x) {
    if (x->language == 1) soothi_code_say_rust_units(x);
    else if (x->language == 2) soothi_code_say_go_units(x);
    else {
        if (soothi_code_has_key(x)) soothi_code_say_c_key(x);
        if (soothi_code_has_value(x)) soothi_code_say_c_value(x);
    }
}

/* ---- BPF ---- */

/* Writes @_key of an integer: floor(x 2^shift) - offset, clipped. It has no division and no loop, and with a
   constant j only a few instructions are left. */
SOOTHI_LOCAL void soothi_code_say_bpf_key(const soothi_code *x) {
    const uint32_t most = (uint32_t)soothi_integers_most(x->m->bits);
    soothi_export_say(&x->job,
                      "\n/* The key of feature j for the integer x. */\n"
                      "static __attribute__((always_inline, unused)) int32_t @_key(int32_t j, int64_t x) {\n"
                      "    const int64_t limit = 0x4000000000000000, most = %u;\n"
                      "    int32_t shift = 0, offset = 0;\n    (void)j;\n",
                      most);
    for (uint32_t j = 0; j < x->job.features; ++j) {
        const sooth_integers_column *column = soothi_integers_columns(x->m) + j;
        if (!column->shift && !column->offset) continue;
        soothi_export_say(&x->job, "    if (j == %u) {\n        shift = ", j);
        soothi_export_say_number(&x->job, column->shift);
        soothi_export_say(&x->job, ";\n        offset = ");
        soothi_export_say_number(&x->job, column->offset);
        soothi_export_say(&x->job, ";\n    }\n");
    }
    soothi_export_say(
        &x->job, "    if (shift > 0) {\n        const int64_t room = limit >> (shift & 63);\n"
                 "        x = x > room ? limit : x < -room ? -limit : x * ((int64_t)1 << (shift & 63));\n"
                 "    } else {\n        x >>= -shift & 63;\n    }\n"
                 "    x = (x > limit ? limit : x < -limit ? -limit : x) - offset;\n"
                 "    return (int32_t)(x > most ? most : x < -most - 1 ? -most - 1 : x);\n}\n");
}

/* Writes trees in groups of four, each a global function. The verifier checks such a function once, not along
   every path through those before. A global function must check its pointer itself. */
SOOTHI_LOCAL void soothi_code_say_bpf(const soothi_code *x) {
    const sooth_integers *m = x->m;
    if (soothi_code_has_key(x)) soothi_code_say_bpf_key(x);
    const uint32_t parts = (m->trees + SOOTHI_CODE_PART - 1) / SOOTHI_CODE_PART;
    for (uint32_t p = 0; p < parts; ++p) {
        const uint32_t first = p * SOOTHI_CODE_PART;
        soothi_export_say(&x->job,
                          "\n__attribute__((noinline)) int64_t @_part%u(const struct @_keys *keys) {\n"
                          "    int64_t sum = 0;\n    const int32_t *x;\n"
                          "    if (!keys) return 0;\n    x = keys->key;\n",
                          p);
        for (uint32_t k = first; k < m->trees && k < first + SOOTHI_CODE_PART; ++k)
            soothi_export_say(&x->job, "    sum += @_tree%u(x);\n", k);
        soothi_export_say(&x->job, "    return sum;\n}\n");
    }
    soothi_export_say(&x->job,
                      "\nstatic __attribute__((always_inline)) int64_t @_sum(const struct @_keys *keys) {\n"
                      "    int64_t sum = ");
    soothi_export_say_number(&x->job, soothi_integers_base(m, 0));
    soothi_export_say(&x->job, ";\n");
    for (uint32_t p = 0; p < parts; ++p) soothi_export_say(&x->job, "    sum += @_part%u(keys);\n", p);
    soothi_export_say(&x->job, "    return sum;\n}\n");
}

/* ---- Rust and Go ---- */

SOOTHI_LOCAL void soothi_code_say_bases(const soothi_code *x) {
    for (uint32_t t = 0; t < x->job.targets; ++t) {
        if (t) soothi_export_say(&x->job, ", ");
        soothi_export_say_number(&x->job, soothi_integers_base(x->m, t));
    }
}

SOOTHI_LOCAL void soothi_code_say_rust(const soothi_code *x) {
    const char *sum = soothi_code_signed(x, x->sum_bits);
    const uint32_t mask = (1u << x->m->shift) - 1u;
    const int floats = x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    soothi_export_say(&x->job, "\npub const FEATURES: usize = %u;\npub const TARGETS: usize = %u;\n",
                      x->job.features, x->job.targets);
    soothi_export_say(&x->job, "pub const SCALE: [i32; TARGETS] = [");
    for (uint32_t t = 0; t < x->job.targets; ++t) {
        if (t) soothi_export_say(&x->job, ", ");
        soothi_export_say_number(&x->job, sooth_integers_targets(x->m)[t].scale);
    }
    soothi_export_say(&x->job, "];\n");
    if (floats)
        soothi_export_say(&x->job, "\nfn key(value: f32, missing: i32) -> i32 {\n"
                                   "    let bits = value.to_bits();\n"
                                   "    let size = (bits & 0x7FFF_FFFF) as i32;\n"
                                   "    if size > 0x7F80_0000 {\n        missing\n"
                                   "    } else if bits >> 31 == 1 {\n        -1 - size\n"
                                   "    } else {\n        size\n    }\n}\n");
    soothi_export_say(
        &x->job,
        "\npub fn @_sum(row: &[%s; FEATURES]) -> [%s; TARGETS] {\n    let mut sum: [%s; TARGETS] = [",
        soothi_code_row(x), sum, sum);
    soothi_code_say_bases(x);
    soothi_export_say(&x->job, "];\n");
    soothi_export_say(&x->job, x->m->trees > 1 ? "    for (_tree, start) in START.iter().enumerate() {\n"
                                                 "        let mut at = *start as usize;\n"
                                               : "    {\n        let mut at = 0;\n");
    soothi_export_say(&x->job,
                      "        while LINK[at] & 1 == 1 {\n"
                      "            let link = LINK[at] as usize;\n"
                      "            let feature = (link & %u) >> 1;\n",
                      mask);
    if (floats)
        soothi_export_say(&x->job,
                          "            let missing = if feature < FEATURES { i32::MAX } else { i32::MIN };\n"
                          "            let value = key(row[feature %% FEATURES], missing);\n");
    else soothi_export_say(&x->job, "            let value = row[feature];\n");
    soothi_export_say(&x->job, "            at += (link >> %u) + (value > NUMBER[at]) as usize;\n        }\n",
                      x->m->shift);
    if (x->m->values)
        soothi_export_say(&x->job,
                          "        let leaf = (LINK[at] >> 1) as usize;\n"
                          "        for t in 0..TARGETS {\n"
                          "            sum[t] += LEAVES[leaf * TARGETS + t] as %s;\n        }\n",
                          sum);
    else
        soothi_export_say(&x->job, "        sum[%s] += NUMBER[at] as %s;\n",
                          x->job.targets > 1 ? "_tree %% TARGETS" : "0", sum);
    soothi_export_say(&x->job, "    }\n    sum\n}\n");
}

SOOTHI_LOCAL void soothi_code_say_go(const soothi_code *x) {
    const char *sum = soothi_code_signed(x, x->sum_bits);
    const uint32_t mask = (1u << x->m->shift) - 1u;
    const int floats = x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    soothi_export_say(
        &x->job,
        "\npackage @\n%s\nconst Features = %u\nconst Targets = %u\n\n// The scale of each target.\n"
        "var Scale = [Targets]int{",
        floats ? "\nimport \"math\"\n" : "", x->job.features, x->job.targets);
    for (uint32_t t = 0; t < x->job.targets; ++t) {
        if (t) soothi_export_say(&x->job, ", ");
        soothi_export_say_number(&x->job, sooth_integers_targets(x->m)[t].scale);
    }
    soothi_export_say(&x->job, "}\n");
    if (floats)
        soothi_export_say(&x->job, "\nfunc key(value float32, missing int32) int32 {\n"
                                   "\tbits := math.Float32bits(value)\n"
                                   "\tsize := int32(bits & 0x7FFFFFFF)\n"
                                   "\tif size > 0x7F800000 {\n\t\treturn missing\n\t}\n"
                                   "\tif bits>>31 == 1 {\n\t\treturn -1 - size\n\t}\n\treturn size\n}\n");
    soothi_export_say(&x->job, "\nfunc Sum(row *[Features]%s) [Targets]%s {\n\tsum := [Targets]%s{",
                      soothi_code_row(x), sum, sum);
    soothi_code_say_bases(x);
    soothi_export_say(&x->job, "}\n");
    soothi_export_say(&x->job, x->m->trees > 1 ? "\tfor tree, first := range start {\n\t\tat := int(first)\n"
                                               : "\tfor tree := 0; tree < 1; tree++ {\n\t\tat := 0\n");
    soothi_export_say(&x->job,
                      "\t\tfor link[at]&1 == 1 {\n"
                      "\t\t\tfeature := int(link[at]&%u) >> 1\n",
                      mask);
    if (floats)
        soothi_export_say(&x->job,
                          "\t\t\tmissing := int32(math.MaxInt32)\n"
                          "\t\t\tif feature >= Features {\n\t\t\t\tmissing = math.MinInt32\n\t\t\t}\n"
                          "\t\t\tvalue := key(row[feature%%Features], missing)\n");
    else soothi_export_say(&x->job, "\t\t\tvalue := row[feature]\n");
    soothi_export_say(&x->job,
                      "\t\t\tright := value > number[at]\n"
                      "\t\t\tat += int(link[at] >> %u)\n"
                      "\t\t\tif right {\n\t\t\t\tat++\n\t\t\t}\n\t\t}\n",
                      x->m->shift);
    if (x->m->values)
        soothi_export_say(&x->job,
                          "\t\t_ = tree\n\t\tleaf := int(link[at] >> 1)\n"
                          "\t\tfor t := range sum {\n\t\t\tsum[t] += %s(leaves[leaf*Targets+t])\n\t\t}\n",
                          sum);
    else soothi_export_say(&x->job, "\t\tsum[tree%%Targets] += %s(number[at])\n", sum);
    soothi_export_say(&x->job, "\t}\n\treturn sum\n}\n");
}

/* ---- the self-test ---- */

/* Returns a value of feature j at or just above a threshold on it, or any value. */
SOOTHI_LOCAL int32_t soothi_code_pick(const sooth_integers *m, sooth_rng *rng, uint32_t j) {
    const int32_t most = soothi_integers_most(m->bits);
    for (uint32_t turn = 0; turn < 64; ++turn) {
        const sooth_integers_node *node = soothi_integers_nodes(m) + sooth_rng_below(rng, m->nodes);
        const uint32_t key = (node->link & ((1u << m->shift) - 1u)) >> 1;
        if (node->link & 1u && key % m->head.features == j)
            return node->number < most ? node->number + (int32_t)sooth_rng_below(rng, 2) : most;
    }
    return (int32_t)sooth_rng_below(rng, 100);
}

/* Returns the bits of the float with this key. */
SOOTHI_LOCAL uint32_t soothi_code_bits(int32_t key) {
    return key < 0 ? (uint32_t)(-1 - key) | 0x80000000u : (uint32_t)key;
}

/* The rows of the self-test: integers, or the bits of floats. In the last row of floats all are missing. */
typedef struct soothi_code_rows {
    int32_t *row, *key; /* SOOTHI_CODE_TESTS x features; keys */
    int64_t *sum;       /* SOOTHI_CODE_TESTS x targets */
} soothi_code_rows;

SOOTHI_LOCAL void soothi_code_lay_out(const soothi_code *x, soothi_carver *c, soothi_code_rows *rows) {
    rows->row = (int32_t *)soothi_carve(c, SOOTHI_CODE_TESTS * (size_t)x->job.features, sizeof(int32_t));
    rows->key = (int32_t *)soothi_carve(c, x->keys, sizeof(int32_t));
    rows->sum = (int64_t *)soothi_carve(c, SOOTHI_CODE_TESTS * (size_t)x->job.targets, sizeof(int64_t));
}

SOOTHI_LOCAL void soothi_code_make_rows(const soothi_code *x, const soothi_code_rows *rows) {
    const uint32_t features = x->job.features;
    sooth_rng rng;
    sooth_rng_init(&rng, 2026, 0);
    for (uint32_t i = 0; i < SOOTHI_CODE_TESTS; ++i) {
        int32_t *row = rows->row + (size_t)i * features;
        for (uint32_t j = 0; j < features; ++j) {
            rows->key[j] = row[j] = soothi_code_pick(x->m, &rng, j);
            if (x->m->rule == SOOTH_INTEGERS_KEYS_WHOLE) continue;
            const uint32_t bits = i + 1 < SOOTHI_CODE_TESTS ? soothi_code_bits(row[j]) : SOOTHI_MISSING_BITS;
            row[j] = (int32_t)bits;
            rows->key[j] = soothi_integers_key(x->m, j, soothi_of_bits(bits));
            rows->key[j + features] = soothi_integers_key(x->m, j + features, soothi_of_bits(bits));
        }
        sooth_integers_sum(x->m, rows->key, rows->sum + (size_t)i * x->job.targets);
    }
}

/* Writes all elements of the rows or of the sums, one array after another in the language's brackets. */
SOOTHI_LOCAL void soothi_code_say_rows(soothi_code *x, const soothi_code_rows *rows, int sums) {
    const uint32_t width = sums ? x->job.targets : x->job.features;
    const int bits = !sums && x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    for (uint32_t i = 0; i < SOOTHI_CODE_TESTS; ++i) {
        soothi_export_say(&x->job, x->language == 1 ? "\n        [" : "\n        {");
        x->job.column = 8;
        for (uint32_t j = 0; j < width; ++j) {
            const size_t at = (size_t)i * width + j;
            const int64_t v = sums ? rows->sum[at] : rows->row[at];
            if (j) soothi_export_next(&x->job, j, 11);
            if (bits) soothi_export_say(&x->job, "%u", (uint32_t)v);
            else soothi_export_say_number(&x->job, v);
        }
        soothi_export_say(&x->job, x->language == 1 ? "]," : "},");
    }
}

SOOTHI_LOCAL void soothi_code_say_selftest(soothi_code *x, const soothi_code_rows *rows) {
    static const char begin[3][80] = {
        "\nint @_selftest(void) {\n    static const %s row[%u][$_FEATURES] = {",
        "\npub fn @_selftest() -> usize {\n    let rows: [[%s; FEATURES]; %u] = [",
        "\nfunc Selftest() int {\n\trows := [...][Features]%s{"};
    static const char middle[3][80] = {"};\n    static const %s expected[%u][$_TARGETS] = {",
                                       "];\n    let expected: [[%s; TARGETS]; %u] = [",
                                       "}\n\texpected := [...][Targets]%s{"};
    const int floats = x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    const char *sum = soothi_code_signed(x, x->sum_bits);
    soothi_export_say(&x->job, begin[x->language], floats ? soothi_code_unsigned(x, 32) : soothi_code_row(x),
                      (uint32_t)SOOTHI_CODE_TESTS);
    soothi_code_say_rows(x, rows, 0);
    soothi_export_say(&x->job, middle[x->language], sum, (uint32_t)SOOTHI_CODE_TESTS);
    soothi_code_say_rows(x, rows, 1);
    if (x->language == 1) {
        soothi_export_say(&x->job, "];\n    for i in 0..rows.len() {\n");
        if (floats)
            soothi_export_say(&x->job, "        let mut row = [0f32; FEATURES];\n"
                                       "        for j in 0..FEATURES {\n"
                                       "            row[j] = f32::from_bits(rows[i][j]);\n        }\n");
        soothi_export_say(&x->job,
                          "        if @_sum(&%s) != expected[i] {\n            return i + 1;\n        }\n"
                          "    }\n    0\n}\n",
                          floats ? "row" : "rows[i]");
        return;
    }
    if (x->language == 2) {
        soothi_export_say(&x->job, "}\n\tfor i := range rows {\n");
        if (floats)
            soothi_export_say(&x->job, "\t\tvar row [Features]float32\n\t\tfor j, bits := range rows[i] {\n"
                                       "\t\t\trow[j] = math.Float32frombits(bits)\n\t\t}\n");
        soothi_export_say(&x->job,
                          "\t\tif Sum(&%s) != expected[i] {\n\t\t\treturn i + 1\n\t\t}\n\t}\n\treturn 0\n}\n",
                          floats ? "row" : "rows[i]");
        return;
    }
    soothi_export_say(
        &x->job, "};\n    int i;\n    int t;\n    for (i = 0; i < %u; ++i) {\n        %s sum[$_TARGETS];\n",
        (uint32_t)SOOTHI_CODE_TESTS, sum);
    if (floats)
        soothi_export_say(&x->job,
                          "        float x[$_FEATURES];\n        int j;\n"
                          "        for (j = 0; j < $_FEATURES; ++j) {\n"
                          "            union {\n                uint32_t bits;\n"
                          "                float value;\n            } v;\n"
                          "            v.bits = row[i][j];\n            x[j] = v.value;\n        }\n");
    soothi_export_say(&x->job,
                      x->job.targets == 1 ? "        sum[0] = @_sum(%s);\n" : "        @_sum(%s, sum);\n",
                      floats ? "x" : "row[i]");
    soothi_export_say(&x->job, "        for (t = 0; t < $_TARGETS; ++t) {\n"
                               "            if (sum[t] != expected[i][t]) {\n                return i + 1;\n"
                               "            }\n        }\n    }\n    return 0;\n}\n");
}

/* ---- the whole file ---- */

SOOTHI_LOCAL sooth_status soothi_code_say_all(soothi_code *x, const soothi_code_rows *rows) {
    sooth_status status = SOOTH_OK;
    const uint32_t form = x->job.form;
    soothi_code_say_head(x);
    if (form <= SOOTH_INTEGERS_CODE_BPF) soothi_code_say_c_head(x);
    if (x->language == 1) soothi_code_say_rust(x);
    if (x->language == 2) soothi_code_say_go(x);
    if (form != SOOTH_INTEGERS_CODE_BPF) soothi_code_say_arrays(x);
    if (form == SOOTH_INTEGERS_CODE_C) status = soothi_code_say_c_table(x);
    if (form == SOOTH_INTEGERS_CODE_C_BRANCHES || form == SOOTH_INTEGERS_CODE_BPF)
        status = soothi_export_say_branches(&x->job);
    if (form == SOOTH_INTEGERS_CODE_BPF) {
        soothi_code_say_bpf(x);
    } else if (!x->language) {
        if (x->m->rule == SOOTH_INTEGERS_KEYS_FLOAT) soothi_code_say_c_keys(x);
        soothi_code_say_c_sum(x);
    }
    if (form != SOOTH_INTEGERS_CODE_BPF) soothi_code_say_physical(x);
    if (rows) soothi_code_say_selftest(x, rows);
    return status == SOOTH_OK ? soothi_export_done(x->job.env, x->job.sink) : status;
}

SOOTHI_LOCAL sooth_status soothi_code_check(soothi_code *x, const sooth_integers_code_options *o) {
    sooth_env *env = x->job.env;
    if (!soothi_export_is_name(x->job.name))
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "name is \"%s\", but must be a letter and then at most 62 letters, digits or underscores",
            x->job.name);
    if (o->form >= SOOTH_INTEGERS_CODE_FORMS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "form is %u, but must be below %u", o->form,
                          (uint32_t)SOOTH_INTEGERS_CODE_FORMS);
    if (o->no_selftest > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "no_selftest is %u, but must be 0 or 1", o->no_selftest);
    if (o->from && (o->from->head.features != x->job.features || o->from->head.targets != x->job.targets))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "`from` has %u features and %u targets, but the integer model has %u and %u",
                          o->from->head.features, o->from->head.targets, x->job.features, x->job.targets);
    if (o->form == SOOTH_INTEGERS_CODE_BPF && x->job.targets > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model has %u targets, but a BPF program can have only one", x->job.targets);
    if (o->form == SOOTH_INTEGERS_CODE_BPF && x->m->trees > SOOTHI_CODE_PART * SOOTHI_CODE_MOST_PARTS)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model has %u trees, but a BPF program can have at most %u; use the form bpf-map",
            x->m->trees, (uint32_t)(SOOTHI_CODE_PART * SOOTHI_CODE_MOST_PARTS));
    if (o->form == SOOTH_INTEGERS_CODE_C && !soothi_code_choose_words(x))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a tree of %u nodes is too large for %u keys: both must fit 31 bits of a node",
                          x->largest, x->keys);
    return SOOTH_OK;
}

/* Presents the trees to export/trees.h: its nodes have the same layout, two words with the link last. */
SOOTHI_LOCAL void soothi_code_open(soothi_code *x) {
    const sooth_integers *m = x->m;
    soothi_export_trees *trees = &x->job.trees;
    trees->node = (const sooth_tree_node *)(const void *)soothi_integers_nodes(m);
    trees->start = soothi_integers_start(m);
    trees->nodes = m->nodes;
    trees->trees = trees->each = m->trees;
    trees->shift = m->shift;
    trees->features = m->head.features;
    trees->targets = m->head.targets;
    trees->width = m->values ? m->head.targets : 1;
    x->job.features = m->head.features;
    x->job.targets = m->head.targets;
    x->job.whole = soothi_code_signed(x, x->job.form == SOOTH_INTEGERS_CODE_BPF ? 32 : m->bits);
    x->keys = sooth_integers_key_count(m);
    x->sum_bits = soothi_code_is_wide(m) || x->job.form == SOOTH_INTEGERS_CODE_BPF ? 64 : 32;
    x->link_bits = 16;
    for (size_t i = 0; i < m->nodes; ++i)
        if (soothi_code_element(m, SOOTHI_CODE_LINK, i) > 0xFFFF) x->link_bits = 32;
    for (uint32_t k = 0; k < m->trees; ++k) {
        const uint32_t count = soothi_integers_start(m)[k + 1] - soothi_integers_start(m)[k];
        if (count > x->largest) x->largest = count;
    }
}

SOOTH_API sooth_status sooth_integers_code(sooth_env *env, const sooth_integers *model,
                                           const sooth_integers_code_options *options, sooth_sink *sink) {
    sooth_integers_code_options defaults;
    soothi_code_rows rows;
    soothi_carver carver = {NULL, 0};
    soothi_code x;
    memset(&defaults, 0, sizeof defaults);
    if (!options) options = &defaults;
    memset(&x, 0, sizeof x);
    x.job.env = env;
    x.job.sink = sink;
    x.job.name = options->name ? options->name : "model";
    x.job.form = options->form;
    x.m = model;
    x.language = options->form == SOOTH_INTEGERS_CODE_RUST ? 1
                 : options->form == SOOTH_INTEGERS_CODE_GO ? 2
                                                           : 0;
    if (options->from) sooth_model_open(options->from, &x.job.parts);
    soothi_code_open(&x);
    const sooth_status status = soothi_code_check(&x, options);
    if (status != SOOTH_OK) return status;
    if (options->no_selftest || options->form == SOOTH_INTEGERS_CODE_BPF)
        return soothi_code_say_all(&x, NULL);
    soothi_code_lay_out(&x, &carver, &rows);
    const size_t bytes = carver.used;
    carver.memory = (unsigned char *)sooth_alloc(env, bytes, 1);
    if (!carver.memory) return sooth_no_memory(env, "the self-test", bytes);
    carver.used = 0;
    soothi_code_lay_out(&x, &carver, &rows);
    soothi_code_make_rows(&x, &rows);
    x.job.tests = SOOTHI_CODE_TESTS;
    const sooth_status said = soothi_code_say_all(&x, &rows);
    sooth_free(env, carver.memory, bytes, 1);
    return said;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
