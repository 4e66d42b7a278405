/* export/core_cost.h - predicts what a model costs on a core before compilation: flash, memory, stack, steps.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Firmware has 8 KB of flash left and 500 instructions of time. Which model fits, and in which form? The code
 * that `sooth export` writes has a simple structure: arrays of known size or branches per node, a number of
 * comparisons on the longest path of each tree, a number of products. Its cost is close to a weighted sum of
 * these counts. The weights were measured: tests/firmware/measure.sh compiles some sixty models in all their
 * forms, runs them in emulators and counts. It wrote the table below.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/export.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10, 10, 20, 20};
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         sooth_core_cost cost;
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK ||
 *             sooth_core_estimate(&env, sooth_model_from_block(&tree->head), SOOTH_CORE_CORTEX_M0,
 *                                 SOOTH_CORE_FORM_C_IF_16, &cost) !=
 *                 SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%s\n", cost.flash < 100 && cost.steps < 40 ? "it fits" : "too much");  //> it fits
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * The costs are:
 *
 *   flash    growth of the program in bytes when it calls the model, at -Os, including what it needs of the
 *            compiler's own library (additions of floats if there is no unit for them)
 *   memory   bytes of variables; all tables are in flash, on an AVR too
 *   stack    bytes in addition to the caller's
 *   steps    maximum number of instructions of one prediction; on an AVR cycles
 *
 * The core "bpf" is the Linux kernel. Its programs have two forms of trees in integers of 32 bits, compiled
 * at -O2. Flash is the size of the program before the verifier rewrites it. Stack is counted as for a
 * program's limit of 512 bytes, in frames of multiples of 32. In the form bpf the model is code. In the form
 * bpf-map one program (examples/kernel/sooth.bpf.h, up to 32 keys and 32 levels) walks any model. The model
 * is then memory: the value of a map, whose size is a power of two. Eight trees are walked in parallel, each
 * to the depth of the deepest, so all rows take the same steps.
 *
 * Accuracy: the costs are above every measurement, of every row of every model, with SOOTH_CORE_MARGIN added.
 * Models left out of the fit stayed below them too. This is evidence, not a proof. The table does not cover
 * other compilers, other flags, or memory that delays instructions. With a cache or wait states, steps are
 * still instructions, but not cycles. Integer forms are costed as exported, without the final conversion of a
 * sum to the unit of the target.
 *
 * Cost: a pass over the nodes; for integers the model is made once and freed.
 */
#if !defined(SOOTH_EXPORT_CORE_COST_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_CORE_COST_IMPLEMENTED))
#include "integers_code.h"
#endif

#if !defined(SOOTH_EXPORT_CORE_COST_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_CORE_COST_H
SOOTHI_C_BEGIN

#define SOOTH_CORE_MARGIN 0.1      /* margin of the table above the largest measurement, as a share */
#define SOOTH_CORE_STACK_MARGIN 16 /* and in bytes of stack */

/* The measured cores: X(name, NAME, description). */
#define SOOTH_CORE_LIST(X)                                                                  \
    X("cortex-m0", CORTEX_M0, "Arm Cortex-M0: no floating point")                           \
    X("cortex-m4", CORTEX_M4, "Arm Cortex-M4F: floats of 32 bits in hardware")              \
    X("avr", AVR, "ATmega328P: 8 bits, 32 KiB of flash, 2 KiB of memory; steps are cycles") \
    X("rv32", RV32, "RISC-V rv32imac: no floating point")                                   \
    X("bpf", BPF, "BPF in the Linux kernel: memory is the value of the map with the model")

typedef enum sooth_core {
#define SOOTHI_ITEM(name, NAME, what) SOOTH_CORE_##NAME,
    SOOTH_CORE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_CORES
} sooth_core;

/* The forms of exported models: X(name, NAME, bits of integers or 0, branches). */
#define SOOTH_CORE_FORM_LIST(X)        \
    X("c", C, 0, 0)                    \
    X("c-if", C_IF, 0, 1)              \
    X("c, 8 bits", C_8, 8, 0)          \
    X("c, 16 bits", C_16, 16, 0)       \
    X("c, 32 bits", C_32, 32, 0)       \
    X("c-if, 8 bits", C_IF_8, 8, 1)    \
    X("c-if, 16 bits", C_IF_16, 16, 1) \
    X("c-if, 32 bits", C_IF_32, 32, 1) \
    X("bpf", BPF, 32, 1)               \
    X("bpf-map", BPF_MAP, 32, 0)

typedef enum sooth_core_form {
#define SOOTHI_ITEM(name, NAME, bits, branches) SOOTH_CORE_FORM_##NAME,
    SOOTH_CORE_FORM_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_CORE_FORMS
} sooth_core_form;

/* The cost of one form of a model on a core; see above. */
typedef struct sooth_core_cost {
    uint32_t flash, memory, stack, steps;
    uint32_t comparisons; /* of one prediction, on the longest path of every tree */
    uint32_t multiply_adds;
    uint32_t functions; /* calls of exp, log, tanh */
    uint32_t bits;      /* of integers; 0: floats */
    float error;        /* of integers: maximum error before a link or logarithm. For networks it holds within
                           the training ranges, and is relative if logarithms were learned */
} sooth_core_cost;

/* Return "cortex-m0"; the core's description; the compiler of its part of the table; "c-if, 16 bits". NULL
   past the end. */
SOOTH_API const char *sooth_core_name(size_t core);
SOOTH_API const char *sooth_core_text(size_t core);
SOOTH_API const char *sooth_core_form_name(size_t form);
SOOTH_API const char *sooth_core_compiler(size_t core);

/* Finds the core of this name. Returns SOOTH_BAD_ARGUMENT and lists all names if there is none. */
SOOTH_API sooth_status sooth_core_named(sooth_env *env, const char *name, sooth_core *core);

/* Computes the cost of the model on a core, exported in a form. Trees,
   forests and boosted trees have all forms. Networks have those without branches with 0, 8 and 16 bits;
   linear models and scaling laws up to SOOTH_SCALING_TIME have c. The two bpf forms belong to that core only.
   A checked model may come from anyone.
   Returns SOOTH_BAD_ARGUMENT and sets a message for:
   - a form that this model does not have, or integers that cannot represent it (sooth_integers_convert,
     sooth_export_quantise)
   - a kind that was not measured, several targets, linear leaves, a probability
   - more than 1,016 trees in the form bpf, or more than 32 keys or levels in bpf-map */
SOOTH_API sooth_status sooth_core_estimate(sooth_env *env, const sooth_model *model, sooth_core core,
                                           sooth_core_form form, sooth_core_cost *cost);

/* Computes bounds of the predictions of a target. Bounds of trees follow from their leaves and hold for every
   row. Bounds of networks and linear models are by interval arithmetic, for rows in the training ranges on
   the card. They include a small margin for rounding. A checked model may come from anyone. Returns
   SOOTH_BAD_ARGUMENT for other kinds, linear leaves, a network of integers, missing ranges, an invalid
   target, and a sum that is NaN. */
SOOTH_API sooth_status sooth_core_range(sooth_env *env, const sooth_model *model, size_t target, float *least,
                                        float *most);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_CORE_COST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_CORE_COST_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_CORE_COST_IMPLEMENTED
SOOTHI_C_BEGIN

/* The counts: the cost of code is the sum of all counts, each times a weight of the table. */
enum {
    SOOTHI_CORE_ONE,   /* 1 */
    SOOTHI_CORE_BYTES, /* of its arrays if they hold floats, or of a network's weights */
    SOOTHI_CORE_NODES,
    SOOTHI_CORE_COMPARISONS, /* on the longest path of each tree */
    SOOTHI_CORE_ALONE, /* 1 for a single tree, which needs no sum: its nodes and comparisons count here */
    SOOTHI_CORE_ALONE_NODES,
    SOOTHI_CORE_ALONE_COMPARISONS,
    SOOTHI_CORE_TREES,
    SOOTHI_CORE_EXACT,    /* trees added with an error term, as in forests */
    SOOTHI_CORE_PRODUCTS, /* multiply-adds */
    SOOTHI_CORE_CALLS,    /* of exp, log, tanh */
    SOOTHI_CORE_SCALED,   /* features that a transform divides */
    SOOTHI_CORE_HELPERS,  /* functions like exp that the code includes */
    SOOTHI_CORE_WIDTH,    /* numbers stored while it computes: a scaled row, layers */
    SOOTHI_CORE_COUNTS
};

/* The quantities in the table, per class of code. */
enum { SOOTHI_CORE_FLASH, SOOTHI_CORE_MEMORY, SOOTHI_CORE_STACK, SOOTHI_CORE_STEPS, SOOTHI_CORE_QUANTITIES };

/* The classes of code: trees in each form, then these. */
enum {
    SOOTHI_CORE_NETWORK = SOOTH_CORE_FORMS,
    SOOTHI_CORE_NETWORK_8,
    SOOTHI_CORE_NETWORK_16,
    SOOTHI_CORE_LINEAR,
    SOOTHI_CORE_LINEAR_SCALED, /* of a transformed row */
    SOOTHI_CORE_LINEAR_PRODUCTS,
    SOOTHI_CORE_SCALING,
    SOOTHI_CORE_CLASSES
};
#define SOOTHI_CORE_CLASS_NAMES                                                                        \
    "trees c", "trees c-if", "trees c 8", "trees c 16", "trees c 32", "trees c-if 8", "trees c-if 16", \
        "trees c-if 32", "trees bpf", "trees bpf-map", "network", "network 8", "network 16", "linear", \
        "linear scaled", "linear products", "scaling"
/* The terms of a row of the table: quantity and count. Terms of integers come first. */
enum { SOOTHI_CORE_TERMS = 22 };
static const uint8_t soothi_core_term[SOOTHI_CORE_TERMS][2] = {
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_ONE},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_NODES},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_TREES},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_ALONE},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_ALONE_NODES},
    {SOOTHI_CORE_STACK, SOOTHI_CORE_ONE},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_ONE},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_TREES},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_COMPARISONS},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_ALONE},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_ALONE_COMPARISONS},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_BYTES},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_EXACT},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_SCALED},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_HELPERS},
    {SOOTHI_CORE_MEMORY, SOOTHI_CORE_BYTES},
    {SOOTHI_CORE_STACK, SOOTHI_CORE_WIDTH},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_EXACT},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_PRODUCTS},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_CALLS},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_SCALED},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_WIDTH}};

/* The weights of one class of code on a core. */
typedef struct soothi_core_row {
    uint8_t core, class_of;
    double value[SOOTHI_CORE_TERMS];
} soothi_core_row;

/* clang-format off */
/* the table begins: tests/firmware/measure.sh --write */
SOOTHI_LOCAL const char *soothi_core_compiler(uint32_t core) {
    static const char text[SOOTH_CORES][80] = {
        "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
        "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
        "avr-gcc (GCC) 5.4.0",
        "riscv64-unknown-elf-gcc (12.2.0-14+deb12u1+11+b2) 12.2.0",
        "Debian clang version 14.0.6"};
    return text[core];
}

/* Core, class and terms; missing terms at the end are 0. */
static const soothi_core_row soothi_core_table[] = {
    /* cortex-m0 */
    {0, 0, {1427, 7.771, 42.51, 0, 5.099, 88.09, 12.47, 87.46, 70.89, 0, 68.05,
            0, 0, 0, 1673, 0, 0, 1495, 86.67, 2393}}, /* trees c */
    {0, 1, {1139, 19.11, 48.35, 0, 13.88, 114.5, 3.484, 70.93, 47.7, 0, 48.78,
            0, 0, 0, 1113, 0, 0, 1306, 67.94, 2362}}, /* trees c-if */
    {0, 2, {54.07, 4.508, 1.175, 0, 4.385, 17.62, 0.03054, 14.31, 14.31, 11.64, 14.1}}, /* trees c 8 */
    {0, 3, {54.17, 4.507, 1.16, 0, 4.393, 22.02, 0.03054, 14.31, 14.31, 9.66, 14.53}}, /* trees c 16 */
    {0, 4, {68.41, 9.023, 2.332, 0, 8.795, 35.24, 4.452, 20.92, 14.31, 12.07, 14.32}}, /* trees c 32 */
    {0, 5, {0, 19.62, 0, 7.891, 6.178, 22.02, 0, 1.642, 3.882, 9.347, 4.226}}, /* trees c-if 8 */
    {0, 6, {0, 24.18, 0, 8.52, 8.905, 22.02, 0, 1.958, 3.784, 6.604, 4.406}}, /* trees c-if 16 */
    {0, 7, {0, 31.31, 0, 22.81, 8.547, 52.85, 0, 3.669, 4.395, 10.23, 4.09}}, /* trees c-if 32 */
    {0, 10, {3563, 0, 0, 0, 0, 159.5, 1760, 0, 0, 0, 0,
            1.313, 0, 19.11, 688.3, 0, 4.762, 0, 218.6, 2870, 0, 179.9}}, /* network */
    {0, 11, {4151, 0, 0, 0, 0, 119.2, 712.7, 0, 0, 0, 0,
            1.843, 0, 15.76, 485.5, 0, 6.1, 0, 1.951, 2962, 0, 1084}}, /* network 8 */
    {0, 12, {4228, 0, 0, 0, 0, 145.7, 78.17, 0, 0, 0, 0,
            1.472, 0, 19.82, 491.4, 0, 6.1, 0, 8.262, 2964, 0, 1331}}, /* network 16 */
    {0, 13, {2104, 0, 0, 0, 0, 96.9, 293.2, 0, 0, 0, 0,
            1.273, 0, 0, 529.9, 0, 0, 0, 306.1, 2137}}, /* linear */
    {0, 14, {4104, 0, 0, 0, 0, 146.8, 0, 0, 0, 0, 0,
            0, 0, 0, 266.9, 0, 3.915, 0, 0, 3054, 827.1}}, /* linear scaled */
    {0, 15, {967.2, 0, 0, 0, 0, 94.16, 259.1, 0, 0, 0, 0,
            4.004, 0, 10.85, 756.3, 0, 8.303, 0, 211.4, 3205, 0, 100.5}}, /* linear products */
    {0, 16, {651.2, 0, 0, 0, 0, 96.9, 1184, 0, 0, 0, 0,
            227.5, 0, 0, 748, 0, 0, 0, 31.92, 2073}}, /* scaling */
    /* cortex-m4 */
    {1, 0, {110.3, 7.684, 2.402, 0, 6.602, 22.02, 10.6, 11.37, 21.36, 0, 20.58,
            0, 0, 0, 127, 0, 0, 38.54, 1.855, 50.78}}, /* trees c */
    {1, 1, {4.766, 15.22, 1.304, 0, 16.03, 17.62, 7.497, 3.253, 5.285, 0.6804, 4.985,
            0, 0, 0, 112.8, 0, 0, 28.56, 10.5, 59.1}}, /* trees c-if */
    {1, 2, {54.17, 4.507, 1.16, 0, 4.393, 17.62, 3.34, 12.11, 12.11, 6.574, 12.11}}, /* trees c 8 */
    {1, 3, {56.03, 4.539, 1.568, 0, 4.389, 17.62, 3.34, 12.11, 12.11, 7.676, 12.11}}, /* trees c 16 */
    {1, 4, {68.97, 8.898, 0.8679, 0, 8.803, 22.02, 2.24, 13.21, 12.11, 9.876, 14.32}}, /* trees c 32 */
    {1, 5, {0, 18.61, 0, 9.493, 5.24, 22.02, 0, 2.116, 2.765, 6.611, 3.303}}, /* trees c-if 8 */
    {1, 6, {0, 21.89, 0, 14.48, 7.256, 22.02, 0, 2.942, 2.857, 11.02, 2.568}}, /* trees c-if 16 */
    {1, 7, {0, 26.8, 0, 17.18, 7.663, 35.24, 0, 4.052, 2.83, 9.913, 2.569}}, /* trees c-if 32 */
    {1, 10, {0, 0, 0, 0, 0, 122.5, 226.9, 0, 0, 0, 0,
            1.376, 0, 29.95, 405.1, 0, 4.205, 0, 5.628, 56.2, 0, 20.16}}, /* network */
    {1, 11, {0, 0, 0, 0, 0, 48.58, 32.46, 0, 0, 0, 0,
            1.255, 0, 64.65, 414.8, 0, 6.11, 0, 4.91, 58.48, 0, 51.34}}, /* network 8 */
    {1, 12, {33.43, 0, 0, 0, 0, 48.58, 34.54, 0, 0, 0, 0,
            1.149, 0, 68.99, 414.2, 0, 6.11, 0, 4.915, 58.79, 0, 57.95}}, /* network 16 */
    {1, 13, {0, 0, 0, 0, 0, 48.45, 50.06, 0, 0, 0, 0,
            0.9726, 0, 0, 153.3, 0, 0, 0, 16.98, 47.03}}, /* linear */
    {1, 14, {101.1, 0, 0, 0, 0, 44.05, 12.33, 0, 0, 0, 0,
            3.89, 0, 0, 156.2, 0, 4.404, 0, 0, 65.11, 34.29}}, /* linear scaled */
    {1, 15, {0, 0, 0, 0, 0, 57.26, 0, 0, 0, 0, 0,
            1.188, 0, 48.76, 158.7, 0, 4.405, 0, 16.07, 80.6, 10.48}}, /* linear products */
    {1, 16, {57.14, 0, 0, 0, 0, 8.809, 12.09, 0, 0, 0, 0,
            2.217, 0, 0, 268.9, 0, 0, 0, 0.2779, 55.61}}, /* scaling */
    /* avr */
    {2, 0, {778.5, 7.951, 23.36, 0, 5.888, 41.84, 107.2, 187.3, 213.1, 0, 205.3,
            0, 0, 0, 601, 0, 0, 2440, 79.58, 3714}}, /* trees c */
    {2, 1, {147.8, 22.3, 77.79, 0, 18.65, 77.08, 1.411, 166.2, 68.4, 0, 90.25,
            0, 131.6, 0, 534.3, 0, 0, 2249, 0, 3745}}, /* trees c-if */
    {2, 2, {144.4, 4.624, 3.108, 0, 4.332, 13.21, 51.43, 43.86, 48.43, 0, 47.25}}, /* trees c 8 */
    {2, 3, {138.4, 4.642, 3.379, 0, 4.331, 13.21, 39.23, 44.13, 48.51, 10.37, 46.25}}, /* trees c 16 */
    {2, 4, {256.5, 9.695, 13.91, 0, 8.607, 30.83, 97.04, 146.9, 76.31, 0, 78.59}}, /* trees c 32 */
    {2, 5, {0, 5.303, 20.54, 17.02, 5.34, 17.62, 4.721, 15.68, 5.408, 15.1, 4.405}}, /* trees c-if 8 */
    {2, 6, {14.03, 8.136, 19.36, 0, 7.93, 17.62, 21.79, 16.25, 7.334, 0, 6.774}}, /* trees c-if 16 */
    {2, 7, {45.76, 14.64, 55.11, 0, 13.47, 35.24, 52.89, 51.95, 14.86, 0, 12.11}}, /* trees c-if 32 */
    {2, 10, {556.8, 0, 0, 0, 0, 131.7, 24.65, 0, 0, 0, 0,
            1.352, 0, 92.93, 1160, 0, 5.164, 0, 285.9, 4443, 1312, 313.6}}, /* network */
    {2, 11, {1719, 0, 0, 0, 0, 69.81, 1630, 0, 0, 0, 0,
            2.282, 0, 63.65, 806.3, 0, 6.071, 0, 68.44, 4433, 0, 1615}}, /* network 8 */
    {2, 12, {2140, 0, 0, 0, 0, 87.43, 6900, 0, 0, 0, 0,
            2.181, 0, 37.61, 785.8, 0, 6.071, 0, 375.8, 4294, 0, 655.5}}, /* network 16 */
    {2, 13, {625.5, 0, 0, 0, 0, 52.85, 278.3, 0, 0, 0, 0,
            2.119, 0, 0, 387.2, 0, 0, 0, 628.6, 3242}}, /* linear */
    {2, 14, {1539, 0, 0, 0, 0, 88.09, 0, 0, 0, 0, 0,
            1.104, 0, 0, 454.7, 0, 6.606, 0, 0, 5006, 1350}}, /* linear scaled */
    {2, 15, {0, 0, 0, 0, 0, 48.9, 1409, 0, 0, 0, 0,
            4.47, 0, 38.88, 598.3, 0, 9.322, 0, 338.3, 5002, 0, 188.6}}, /* linear products */
    {2, 16, {967.3, 0, 0, 0, 0, 56.16, 1101, 0, 0, 0, 0,
            17.82, 0, 0, 592.1, 0, 0, 0, 98.11, 3450}}, /* scaling */
    /* rv32 */
    {3, 0, {1370, 7.901, 88.8, 0, 4.803, 83.68, 30.24, 85.79, 47.41, 0, 45.38,
            0, 0, 0, 1481, 0, 0, 1263, 64.58, 2176}}, /* trees c */
    {3, 1, {483.9, 29.54, 207.4, 0, 20.31, 123.3, 8.334, 78.1, 31.91, 0, 34.68,
            0, 451.9, 0, 743.7, 0, 0, 1095, 48.42, 2173}}, /* trees c-if */
    {3, 2, {67.86, 4.544, 1.882, 0, 4.383, 0, 5.121, 14.61, 15.33, 8.133, 15.41}}, /* trees c 8 */
    {3, 3, {77.48, 4.532, 1.761, 0, 4.382, 0, 6.03, 14.33, 15.36, 9.71, 15.1}}, /* trees c 16 */
    {3, 4, {75.67, 8.99, 1.849, 0, 8.799, 0, 5.223, 17.66, 13.25, 11.98, 12.99}}, /* trees c 32 */
    {3, 5, {0, 20.57, 0, 9.771, 6.983, 0, 0.2588, 1.663, 2.72, 8.005, 2.754}}, /* trees c-if 8 */
    {3, 6, {0, 25.18, 0, 7.947, 9.454, 0, 0, 3.015, 2.82, 11.56, 2.752}}, /* trees c-if 16 */
    {3, 7, {0, 36.6, 0, 12.58, 10.49, 0, 0, 6.463, 3.062, 14.32, 2.569}}, /* trees c-if 32 */
    {3, 10, {3520, 0, 0, 0, 0, 158.9, 1705, 0, 0, 0, 0,
            1.333, 0, 38.1, 870.2, 0, 5.392, 0, 208.1, 2450, 0, 104.2}}, /* network */
    {3, 11, {4348, 0, 0, 0, 0, 167.6, 525.2, 0, 0, 0, 0,
            2.036, 0, 25.01, 625.3, 0, 6.102, 0, 8.764, 2509, 0, 584.8}}, /* network 8 */
    {3, 12, {4423, 0, 0, 0, 0, 167.6, 464.6, 0, 0, 0, 0,
            1.635, 0, 24.04, 640.1, 0, 6.102, 0, 14.74, 2520, 0, 769}}, /* network 16 */
    {3, 13, {2566, 0, 0, 0, 0, 83.68, 311.2, 0, 0, 0, 0,
            1.194, 0, 0, 459.3, 0, 0, 0, 294.3, 1975}}, /* linear */
    {3, 14, {4336, 0, 0, 0, 0, 136.5, 0, 0, 0, 0, 0,
            0, 0, 0, 289.8, 0, 5.871, 0, 0, 3221, 525.6}}, /* linear scaled */
    {3, 15, {1303, 0, 0, 0, 0, 109.1, 326, 0, 0, 0, 0,
            5.112, 0, 0, 753, 0, 6.687, 0, 209.4, 3076, 0, 73.31}}, /* linear products */
    {3, 16, {769.8, 0, 0, 0, 0, 101.3, 470.3, 0, 0, 0, 0,
            245.1, 0, 0, 798.8, 0, 0, 0, 37.7, 2267}}, /* scaling */
    /* bpf */
    {4, 8, {0, 27.54, 0, 48.92, 27.74, 105.7, 0, 3.711, 5.502, 9.913, 5.506}}, /* trees bpf */
    {4, 9, {5523, 0, 0, 0, 0, 211.4, 4.085, 31.3, 47.21}}, /* trees bpf-map */
};
/* the table ends */
/* clang-format on */

SOOTHI_LOCAL uint32_t soothi_core_bits(uint32_t form) {
    static const uint8_t bits_of[] = {
#define SOOTHI_ITEM(name, NAME, bits, branches) bits,
        SOOTH_CORE_FORM_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return bits_of[form];
}

SOOTHI_LOCAL int soothi_core_branches(uint32_t form) {
    static const uint8_t is[] = {
#define SOOTHI_ITEM(name, NAME, bits, branches) branches,
        SOOTH_CORE_FORM_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return is[form];
}

SOOTHI_LOCAL uint32_t soothi_core_ones(unsigned v) {
    uint32_t n = 0;
    for (; v; v &= v - 1u) ++n;
    return n;
}

SOOTHI_LOCAL sooth_status soothi_core_open(sooth_env *env, const sooth_model *model, uint32_t form,
                                           soothi_export_job *job) {
    memset(job, 0, sizeof *job);
    job->env = env;
    job->name = "model";
    sooth_model_open(model, &job->parts);
    job->model = job->parts.predictor;
    job->features = model->head.features;
    job->targets = model->head.targets;
    job->form = soothi_core_branches(form) ? SOOTH_EXPORT_BRANCHES : SOOTH_EXPORT_TABLE;
    if (!soothi_export_kind_of(job->parts.predictor, &job->kind))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "models of kind %s cannot be exported as C",
                          soothi_export_kind_word(job->parts.predictor));
    if (soothi_model_statistics(&job->parts))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model encodes categories, whose cost on a core was not measured");
    return job->kind.open(job);
}

/* Returns the measurements of a class of code on a core, or NULL if there are none. */
SOOTHI_LOCAL const soothi_core_row *soothi_core_measured(uint32_t core, uint32_t class_of) {
    for (size_t k = 0; k < sizeof soothi_core_table / sizeof *soothi_core_table; ++k)
        if (soothi_core_table[k].core == core && soothi_core_table[k].class_of == class_of)
            return &soothi_core_table[k];
    return NULL;
}

/* Returns the class of an open job's code, or SOOTHI_CORE_CLASSES if none was measured. */
SOOTHI_LOCAL uint32_t soothi_core_class(const soothi_export_job *job, uint32_t form) {
    if (job->trees.node) return form;
    switch (soothi_model_kind(job->parts.predictor)) {
    case SOOTH_KIND_MLP:
        return job->bits == 8    ? (uint32_t)SOOTHI_CORE_NETWORK_8
               : job->bits == 16 ? (uint32_t)SOOTHI_CORE_NETWORK_16
                                 : (uint32_t)SOOTHI_CORE_NETWORK;
    case SOOTH_KIND_LINEAR:
        return job->needs & SOOTHI_EXPORT_PRODUCTS ? (uint32_t)SOOTHI_CORE_LINEAR_PRODUCTS
               : job->parts.input                  ? (uint32_t)SOOTHI_CORE_LINEAR_SCALED
                                                   : (uint32_t)SOOTHI_CORE_LINEAR;
    case SOOTH_KIND_SCALING: /* the laws without sockets and voltages */
        return ((const sooth_scaling *)job->model)->law <= SOOTH_SCALING_TIME ? SOOTHI_CORE_SCALING
                                                                              : SOOTHI_CORE_CLASSES;
    default: return SOOTHI_CORE_CLASSES;
    }
}

/* Moves the counts of a single tree to their separate entries. SOOTHI_CORE_ONE stays, for stack and
   transforms. */
SOOTHI_LOCAL void soothi_core_alone(const soothi_export_job *job, uint32_t form, double *count) {
    if (!job->trees.node || job->trees.trees > 1 || form == SOOTH_CORE_FORM_BPF_MAP) return;
    count[SOOTHI_CORE_ALONE] = 1.0;
    count[SOOTHI_CORE_ALONE_NODES] = count[SOOTHI_CORE_NODES];
    count[SOOTHI_CORE_ALONE_COMPARISONS] = count[SOOTHI_CORE_COMPARISONS];
    count[SOOTHI_CORE_NODES] = count[SOOTHI_CORE_COMPARISONS] = count[SOOTHI_CORE_TREES] = 0.0;
    count[SOOTHI_CORE_EXACT] = 0.0;
}

/* Returns the levels of the deepest tree. */
SOOTHI_LOCAL uint32_t soothi_core_deepest(const soothi_export_trees *trees) {
    uint32_t deepest = 0;
    for (uint32_t k = 0; k < trees->trees; ++k) {
        const uint32_t depth = soothi_export_depth(trees, k);
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

SOOTHI_LOCAL void soothi_core_counts(const soothi_export_job *job, uint32_t form, double *count) {
    const soothi_export_trees *trees = &job->trees;
    const sooth_cost cost = soothi_model_predictor_cost(job->parts.predictor);
    const unsigned needs = job->needs | soothi_export_scale_needs(job->parts.input, 0) |
                           soothi_export_scale_needs(job->parts.target, 1);
    for (size_t k = 0; k < SOOTHI_CORE_COUNTS; ++k) count[k] = 0.0;
    count[SOOTHI_CORE_ONE] = 1.0;
    count[SOOTHI_CORE_BYTES] = (double)job->bytes;
    if (trees->node) {
        count[SOOTHI_CORE_NODES] = (double)trees->nodes;
        count[trees->flags & SOOTH_ENSEMBLE_EXACT ? SOOTHI_CORE_EXACT : SOOTHI_CORE_TREES] =
            (double)trees->trees;
        for (uint32_t k = 0; k < trees->trees; ++k)
            count[SOOTHI_CORE_COMPARISONS] += (double)soothi_export_depth(trees, k);
        if (trees->link != SOOTH_ENSEMBLE_LINK_IDENTITY) count[SOOTHI_CORE_CALLS] += 1.0;
    } else {
        count[SOOTHI_CORE_PRODUCTS] = (double)cost.multiply_adds;
        count[SOOTHI_CORE_CALLS] = (double)cost.functions;
    }
    if (form == SOOTH_CORE_FORM_BPF_MAP) { /* eight trees in parallel, to the lowest level of any */
        const double walks = 8.0 * (double)((trees->trees + 7) / 8);
        count[SOOTHI_CORE_NODES] = 0.0;
        count[SOOTHI_CORE_TREES] = walks;
        count[SOOTHI_CORE_COMPARISONS] = walks * (double)soothi_core_deepest(trees);
        count[SOOTHI_CORE_EXACT] = count[SOOTHI_CORE_CALLS] = count[SOOTHI_CORE_BYTES] = 0.0;
        return;
    }
    if (trees->node && soothi_core_bits(form)) { /* sums, before the link and the transform */
        count[SOOTHI_CORE_TREES] += count[SOOTHI_CORE_EXACT];
        count[SOOTHI_CORE_EXACT] = count[SOOTHI_CORE_CALLS] = count[SOOTHI_CORE_BYTES] = 0.0;
        return;
    }
    count[SOOTHI_CORE_HELPERS] = (double)soothi_core_ones(needs);
    if (job->parts.input) {
        const sooth_cost scale = sooth_scale_cost(job->parts.input);
        count[SOOTHI_CORE_SCALED] = (double)job->features;
        count[SOOTHI_CORE_CALLS] += (double)scale.functions;
        count[SOOTHI_CORE_WIDTH] += (double)job->features;
    }
    if (job->parts.target) {
        const sooth_cost scale = sooth_scale_cost(job->parts.target);
        count[SOOTHI_CORE_CALLS] += (double)scale.functions;
        count[SOOTHI_CORE_PRODUCTS] += (double)scale.multiply_adds;
    }
    if (job->parts.ratio) count[SOOTHI_CORE_PRODUCTS] += (double)job->parts.ratio->terms + 1.0;
    if (job->needs & SOOTHI_EXPORT_PRODUCTS) count[SOOTHI_CORE_WIDTH] += (double)job->features;
    if (soothi_model_kind(job->parts.predictor) == SOOTH_KIND_MLP) {
        const sooth_mlp *m = (const sooth_mlp *)job->model;
        for (uint32_t i = 0; i + 1 < m->layers; ++i)
            count[SOOTHI_CORE_WIDTH] += (double)sooth_mlp_layers(m)[i].outputs;
    }
}

/* ---- names ---- */

SOOTH_API const char *sooth_core_name(size_t core) {
    static const char name_of[][12] = {
#define SOOTHI_ITEM(name, NAME, what) name,
        SOOTH_CORE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return core < SOOTH_CORES ? name_of[core] : NULL;
}

SOOTH_API const char *sooth_core_text(size_t core) {
    static const char text_of[][80] = {
#define SOOTHI_ITEM(name, NAME, what) what,
        SOOTH_CORE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return core < SOOTH_CORES ? text_of[core] : NULL;
}

SOOTH_API const char *sooth_core_form_name(size_t form) {
    static const char name_of[][16] = {
#define SOOTHI_ITEM(name, NAME, bits, branches) name,
        SOOTH_CORE_FORM_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return form < SOOTH_CORE_FORMS ? name_of[form] : NULL;
}

SOOTH_API const char *sooth_core_compiler(size_t core) {
    return core < SOOTH_CORES ? soothi_core_compiler((uint32_t)core) : NULL;
}

SOOTH_API sooth_status sooth_core_named(sooth_env *env, const char *name, sooth_core *core) {
    char known[120];
    size_t n = 0;
    for (size_t k = 0; k < SOOTH_CORES; ++k) {
        if (soothi_same_text(name, sooth_core_name(k))) {
            *core = (sooth_core)k;
            return SOOTH_OK;
        }
        n += sooth_text_format(known + n, sizeof known - n, k ? ", %s" : "%s", sooth_core_name(k));
    }
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no core \"%s\"; the measured cores are %s", name,
                      known);
}

/* ---- what it costs ---- */

/* Fails if the model exceeds the limits of the kernel's two forms. */
SOOTHI_LOCAL sooth_status soothi_core_check_bpf(const soothi_export_job *job, uint32_t form) {
    const uint32_t most = SOOTHI_CODE_PART * SOOTHI_CODE_MOST_PARTS, room = 32;
    const uint32_t depth = form == SOOTH_CORE_FORM_BPF_MAP ? soothi_core_deepest(&job->trees) : 0;
    if (form == SOOTH_CORE_FORM_BPF && job->trees.trees > most)
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "the model has %u trees, but a BPF program can have at most %u; use the form bpf-map",
            job->trees.trees, most);
    if (form == SOOTH_CORE_FORM_BPF_MAP && (job->features > room || depth > room))
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "the model has %u features and %u levels, but a BPF map supports at most %u of each",
            job->features, depth, room);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_core_check(const soothi_export_job *job, uint32_t core, uint32_t form) {
    const int network = soothi_model_kind(job->parts.predictor) == SOOTH_KIND_MLP;
    const uint32_t bits = soothi_core_bits(form), class_of = soothi_core_class(job, form);
    if (job->targets > 1)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model has %u targets; costs are known for one target only", job->targets);
    if (job->trees.at)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the cost of linear leaves was not measured");
    if (job->trees.sets.first)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the cost of sets of categories was not measured");
    if (job->parts.probability)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the cost of a probability was not measured");
    if (class_of == SOOTHI_CORE_CLASSES)
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "the cost of models of kind %s was not measured; use trees, a network, a linear model or a "
            "scaling law up to time",
            soothi_export_kind_word(job->parts.predictor));
    if (!job->trees.node && (soothi_core_branches(form) || bits == 32 || (bits && (!network || job->bits))))
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the model has no form \"%s\"",
                          sooth_core_form_name(form));
    if (!soothi_core_measured(core, class_of))
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the model has no form \"%s\" on %s",
                          sooth_core_form_name(form), sooth_core_name(core));
    return soothi_core_check_bpf(job, form);
}

/* Computes the error of integer trees and, for a map, the size of the value that holds them. */
SOOTHI_LOCAL sooth_status soothi_core_integers(sooth_env *env, const sooth_model *model, uint32_t form,
                                               sooth_core_cost *cost) {
    sooth_integers_options options;
    sooth_integers *whole;
    memset(&options, 0, sizeof options);
    options.bits = soothi_core_bits(form);
    const sooth_status status = sooth_integers_convert(env, model, &options, &whole);
    if (status != SOOTH_OK) return status;
    cost->error = sooth_integers_targets(whole)[0].error;
    if (form == SOOTH_CORE_FORM_BPF_MAP)
        for (cost->memory = 1; cost->memory < whole->head.size;) cost->memory *= 2;
    sooth_integers_free(env, whole);
    return SOOTH_OK;
}

SOOTHI_LOCAL uint32_t soothi_core_whole(double v) {
    return v >= 4294967295.0 ? UINT32_MAX : (uint32_t)(v + 0.999999);
}

SOOTHI_LOCAL void soothi_core_fill(const soothi_export_job *job, uint32_t core, uint32_t form,
                                   sooth_core_cost *cost) {
    const double *value = soothi_core_measured(core, soothi_core_class(job, form))->value;
    double count[SOOTHI_CORE_COUNTS], sum[SOOTHI_CORE_QUANTITIES] = {0, 0, 0, 0};
    soothi_core_counts(job, form, count);
    cost->comparisons = soothi_core_whole(count[SOOTHI_CORE_COMPARISONS]);
    soothi_core_alone(job, form, count);
    for (size_t k = 0; k < SOOTHI_CORE_TERMS; ++k)
        sum[soothi_core_term[k][0]] += value[k] * count[soothi_core_term[k][1]];
    cost->flash = soothi_core_whole(sum[SOOTHI_CORE_FLASH]);
    cost->memory += soothi_core_whole(sum[SOOTHI_CORE_MEMORY]);
    cost->stack = soothi_core_whole(sum[SOOTHI_CORE_STACK]) + SOOTH_CORE_STACK_MARGIN;
    cost->steps = soothi_core_whole(sum[SOOTHI_CORE_STEPS]);
    cost->multiply_adds = soothi_core_whole(count[SOOTHI_CORE_PRODUCTS]);
    cost->functions = soothi_core_whole(count[SOOTHI_CORE_CALLS]);
    cost->bits = soothi_core_bits(form);
}

SOOTH_API sooth_status sooth_core_estimate(sooth_env *env, const sooth_model *model, sooth_core core,
                                           sooth_core_form form, sooth_core_cost *cost) {
    soothi_export_job job;
    sooth_model *quantised = NULL;
    memset(cost, 0, sizeof *cost);
    if (core >= SOOTH_CORES || form >= SOOTH_CORE_FORMS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "core is %u and form is %u, but must be below %u and %u",
                          core, form, SOOTH_CORES, SOOTH_CORE_FORMS);
    sooth_status status = soothi_core_open(env, model, form, &job);
    if (status == SOOTH_OK) status = soothi_core_check(&job, core, form);
    if (status == SOOTH_OK && soothi_core_bits(form)) {
        if (job.trees.node) {
            status = soothi_core_integers(env, model, form, cost);
        } else {
            status = sooth_export_quantise(env, model, soothi_core_bits(form), &cost->error, &quantised);
            if (status == SOOTH_OK) status = soothi_core_open(env, quantised, form, &job);
        }
    }
    if (status == SOOTH_OK) soothi_core_fill(&job, core, form, cost);
    sooth_model_free(env, quantised);
    return status;
}

/* ---- bounds of predictions ---- */

/* Returns the range before the link and the transform of targets. */
SOOTHI_LOCAL soothi_interval soothi_core_trees_range(const soothi_export_job *job, uint32_t t) {
    soothi_integers_job whole;
    soothi_interval range = {0.0, 0.0};
    memset(&whole, 0, sizeof whole);
    whole.trees = job->trees; /* without target transform */
    if (job->trees.base) {
        range.low = (double)job->trees.base[t];
        if (job->trees.flags & SOOTH_ENSEMBLE_EXACT) range.low += (double)job->trees.base[job->targets + t];
        range.low /= soothi_integers_over(&whole);
        range.high = range.low;
    }
    for (uint32_t k = soothi_integers_from(&whole, t); k < job->trees.trees;
         k += soothi_integers_stride(&whole)) {
        const soothi_interval leaf = soothi_integers_range(&whole, k, t);
        range.low += leaf.low;
        range.high += leaf.high;
    }
    return range;
}

/* Converts to float, clipped to the largest float. */
SOOTHI_LOCAL float soothi_core_held(double v) {
    const double most = (double)FLT_MAX;
    return (float)(v < -most ? -most : v > most ? most : v);
}

/* Applies the link to a value of the predictor. */
SOOTHI_LOCAL double soothi_core_linked(const soothi_export_job *job, double v) {
    if (job->trees.link == SOOTH_ENSEMBLE_LINK_EXP)
        return (double)soothi_exp_f(v > 88.7 ? 88.7f : soothi_core_held(v));
    if (job->trees.link == SOOTH_ENSEMBLE_LINK_LOGISTIC) return (double)soothi_sigmoid_f(soothi_core_held(v));
    return v;
}

SOOTHI_LOCAL soothi_interval soothi_core_linear_range(const soothi_export_job *job, const float *box,
                                                      uint32_t t) {
    const sooth_linear *m = (const sooth_linear *)job->model;
    const float *slope = soothi_linear_slope(m) + (size_t)t * job->features, *mean = soothi_linear_mean(m);
    soothi_interval range;
    range.low = range.high = (double)soothi_linear_offset(m)[t];
    for (uint32_t j = 0; j < job->features; ++j) {
        const double a = (double)slope[j] * ((double)box[2 * j] - (double)mean[j]);
        const double b = (double)slope[j] * ((double)box[2 * j + 1] - (double)mean[j]);
        range.low += a < b ? a : b;
        range.high += a < b ? b : a;
    }
    for (uint32_t k = 0; k < m->products; ++k) { /* at the corners of the two columns */
        const float *scale = soothi_linear_scale(m);
        const uint32_t a = soothi_linear_pair(m)[k] >> 16, b = soothi_linear_pair(m)[k] & 0xFFFFu;
        const double times =
            (double)soothi_linear_product(m)[t * m->products + k] * (double)scale[a] * (double)scale[b];
        double low = SOOTHI_INFINITE, high = -SOOTHI_INFINITE;
        for (uint32_t corner = 0; corner < 4; ++corner) {
            const double v = times * ((double)box[2 * a + (corner & 1u)] - (double)mean[a]) *
                             ((double)box[2 * b + (corner >> 1)] - (double)mean[b]);
            if (v < low) low = v;
            if (v > high) high = v;
        }
        range.low += low;
        range.high += high;
    }
    return range;
}

/* Computes the range of a network or a linear model, for rows in the training ranges. */
SOOTHI_LOCAL sooth_status soothi_core_box_range(const soothi_export_job *job, uint32_t t,
                                                soothi_interval *range) {
    const size_t numbers = 2 * ((size_t)job->features + job->targets);
    sooth_status status = SOOTH_OK;
    for (uint32_t j = 0; j < job->features; ++j)
        if (!job->parts.card || !(sooth_model_card_range(job->parts.card)[2 * j] <=
                                  sooth_model_card_range(job->parts.card)[2 * j + 1]))
            return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the model has no training range of feature %u",
                              j + 1);
    float *box = (float *)sooth_alloc(job->env, numbers, sizeof *box);
    if (!box) return sooth_no_memory(job->env, "the ranges", numbers * sizeof *box);
    soothi_export_box(&job->parts, job->features, box);
    if (soothi_model_kind(job->parts.predictor) == SOOTH_KIND_LINEAR) {
        *range = soothi_core_linear_range(job, box, t);
    } else {
        float *out = box + 2 * (size_t)job->features;
        status = sooth_mlp_bounds(job->env, (const sooth_mlp *)job->model, box, out);
        range->low = (double)out[2 * t];
        range->high = (double)out[2 * t + 1];
    }
    sooth_free(job->env, box, numbers, sizeof *box);
    return status;
}

/* Multiplies bounds of predictions by those of the form in the training ranges. */
SOOTHI_LOCAL sooth_status soothi_core_form_range(const soothi_export_job *job, float *least, float *most) {
    const sooth_ratio *ratio = job->parts.ratio;
    const float *range = job->parts.card ? sooth_model_card_range(job->parts.card) : NULL;
    double low = (double)ratio->constant, high = low;
    for (uint32_t k = 0; k < ratio->terms; ++k) {
        const sooth_ratio_term term = sooth_ratio_terms(ratio)[k];
        if (!range || !(range[2 * term.column] <= range[2 * term.column + 1]))
            return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "the model has no training range of feature %u",
                              term.column + 1);
        low += (double)term.coefficient * (double)range[2 * term.column];
        high += (double)term.coefficient * (double)range[2 * term.column + 1];
    }
    const double slack = 1e-5 * high; /* of the sum in floats */
    low = low > slack ? low - slack : 0.0;
    high += slack;
    *least = soothi_core_held((double)*least * (*least > 0.0f ? low : high));
    *most = soothi_core_held((double)*most * (*most > 0.0f ? high : low));
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_core_range(sooth_env *env, const sooth_model *model, size_t target, float *least,
                                        float *most) {
    soothi_export_job job;
    soothi_interval range = {0.0, 0.0};
    sooth_status status = soothi_core_open(env, model, 0, &job);
    if (status != SOOTH_OK) return status;
    const uint32_t kind = soothi_model_kind(job.parts.predictor);
    if (target >= job.targets)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "target is %z, but must be below %u", target, job.targets);
    const uint32_t t = (uint32_t)target;
    if (job.trees.at || (!job.trees.node && kind != SOOTH_KIND_MLP && kind != SOOTH_KIND_LINEAR))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there are no bounds for %s",
                          job.trees.at ? "linear leaves" : "models of this kind");
    if (job.trees.node) range = soothi_core_trees_range(&job, t);
    else status = soothi_core_box_range(&job, t, &range);
    for (uint32_t k = 0; job.trees.flags & SOOTH_ENSEMBLE_QUANTILES && k < job.targets; ++k) {
        const soothi_interval one = soothi_core_trees_range(&job, k); /* sorting may put any of them here */
        if (one.low < range.low) range.low = one.low;
        if (one.high > range.high) range.high = one.high;
    }
    if (status != SOOTH_OK) return status;
    const double reach = soothi_interval_reach(range), slack = reach <= (double)FLT_MAX ? 1e-5 * reach : 0.0;
    const float low = soothi_core_held(soothi_core_linked(&job, range.low - slack));
    const float high = soothi_core_held(soothi_core_linked(&job, range.high + slack));
    *least = job.parts.target ? sooth_scale_invert_one(job.parts.target, t, low) : low;
    *most = job.parts.target ? sooth_scale_invert_one(job.parts.target, t, high) : high;
    if (job.parts.ratio) status = soothi_core_form_range(&job, least, most);
    if (status != SOOTH_OK) return status;
    if (job.parts.probability) *least = 0.0f, *most = 1.0f;
    if (*least <= *most) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the sum of the model is NaN");
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
