/* core_cost.h - what a model costs on a core, before anyone compiles it: flash, memory, stack, steps.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Firmware has 8 KB of flash left and 500 instructions of time. Which model fits, and in which form? What
 * `sooth export` writes for a model has a plain structure: arrays of so many bytes, or branches for so many
 * nodes; so many comparisons on the deepest way through each tree; so many products. Its cost is close to a
 * weighted sum of these counts, and the weights were measured: tests/firmware/measure.sh compiles some
 * thirty models in all their forms, runs them in emulators and counts. The table below is what it wrote.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/core_cost.h"
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
 *             sooth_core_cost_of(&env, &tree->head, SOOTH_CORE_CORTEX_M0, SOOTH_CORE_FORM_C_IF_16, &cost) !=
 *                 SOOTH_OK)
 *             return puts(env.sentence);
 *         printf("%s\n", cost.flash < 100 && cost.steps < 40 ? "it fits" : "too much");  //> it fits
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * What the numbers are:
 *
 *   flash    bytes that the program grows by when it calls the model, at -Os, with what it needs of the
 *            compiler's own library (additions of floats where there is no unit for them)
 *   memory   bytes of variables; on an AVR the tables of float trees stand there, all else in flash
 *   stack    bytes below the caller's
 *   steps    instructions of one prediction at most; on an AVR cycles
 *
 * How far to trust them: they are upper bounds of everything that was measured, every row of every model,
 * and SOOTH_CORE_MARGIN above that; models kept apart from the fit stayed below them as well. That is
 * evidence, not a proof: another compiler, other flags, memory that makes an instruction wait are not in
 * the table. On a core with a cache or wait states, steps are instructions still, but not cycles. Forms of
 * whole numbers are costed as they are exported, without the last step from a sum to the unit of the target.
 *
 * Costs: a pass over the nodes; for whole numbers the model is made once and freed.
 */
#if !defined(SOOTH_CORE_COST_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CORE_COST_IMPLEMENTED))
#include "integers_code.h"
#endif

#if !defined(SOOTH_CORE_COST_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CORE_COST_H
SOOTHI_C_BEGIN

#define SOOTH_CORE_MARGIN 0.1      /* share that the table says above the most that was measured */
#define SOOTH_CORE_STACK_MARGIN 16 /* and bytes of stack */

/* The cores that were measured: X(name, NAME, what it is). */
#define SOOTH_CORE_LIST(X)                                                                  \
    X("cortex-m0", CORTEX_M0, "Arm Cortex-M0: no floating point")                           \
    X("cortex-m4", CORTEX_M4, "Arm Cortex-M4F: floats of 32 bits in hardware")              \
    X("avr", AVR, "ATmega328P: 8 bits, 32 KiB of flash, 2 KiB of memory; steps are cycles") \
    X("rv32", RV32, "RISC-V rv32imac: no floating point")

typedef enum sooth_core {
#define SOOTHI_ITEM(name, NAME, what) SOOTH_CORE_##NAME,
    SOOTH_CORE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_CORES
} sooth_core;

/* The forms that models are exported in: X(name, NAME, bits of whole numbers or 0, branches). */
#define SOOTH_CORE_FORM_LIST(X)        \
    X("c", C, 0, 0)                    \
    X("c-if", C_IF, 0, 1)              \
    X("c, 8 bits", C_8, 8, 0)          \
    X("c, 16 bits", C_16, 16, 0)       \
    X("c, 32 bits", C_32, 32, 0)       \
    X("c-if, 8 bits", C_IF_8, 8, 1)    \
    X("c-if, 16 bits", C_IF_16, 16, 1) \
    X("c-if, 32 bits", C_IF_32, 32, 1)

typedef enum sooth_core_form {
#define SOOTHI_ITEM(name, NAME, bits, branches) SOOTH_CORE_FORM_##NAME,
    SOOTH_CORE_FORM_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_CORE_FORMS
} sooth_core_form;

/* What one form of a model takes on a core; see above. */
typedef struct sooth_core_cost {
    uint32_t flash, memory, stack, steps;
    uint32_t comparisons; /* of one prediction, on the deepest way through every tree */
    uint32_t multiply_adds;
    uint32_t functions; /* calls of exp, log, tanh */
    uint32_t bits;      /* of whole numbers; 0: floats */
    float error;        /* of whole numbers: the most that an answer is off before a link or logarithm; of a
                           network's within the training ranges, a share where logarithms were learned */
} sooth_core_cost;

/* "cortex-m0", "c-if, 16 bits"; what a core is, and which compiler its part of the table is of. NULL past the
   end. */
SOOTH_API const char *sooth_core_name(uint32_t core);
SOOTH_API const char *sooth_core_text(uint32_t core);
SOOTH_API const char *sooth_core_form_name(uint32_t form);
SOOTH_API const char *sooth_core_compiler(uint32_t core);

/* The core of this name. SOOTH_BAD_ARGUMENT with the names that there are. */
SOOTH_API sooth_status sooth_core_named(sooth_env *env, const char *name, uint32_t *core);

/* What the model takes on a core, a sooth_core, exported in this form, a sooth_core_form. Trees, forests and
   boosted trees have all forms, networks those without branches of 0, 8 and 16 bits, linear models c.
   SOOTH_BAD_ARGUMENT and a sentence: a form that this model does not have or whole numbers that it does not
   become (sooth_integers_make, sooth_export_quantise), a kind that was not measured, several targets, planes
   in leaves. A checked model may come from anyone. */
SOOTH_API sooth_status sooth_core_cost_of(sooth_env *env, const sooth_model *model, uint32_t core,
                                          uint32_t form, sooth_core_cost *cost);

/* What the options of `sooth export` are for this form of the model: "--to c-if --integers 16". */
SOOTH_API const char *sooth_core_export_words(const sooth_model *model, uint32_t form);

/* The least and the most that target t can be predicted: of trees from their leaves, whatever the row; of
   networks and linear models by interval arithmetic, for rows in the training ranges on the card. A little
   wider than that, for what floats round away. SOOTH_BAD_ARGUMENT: another kind, planes in leaves, a
   network of integers, no ranges, no such target, a sum that is no number. A checked model may come from
   anyone. */
SOOTH_API sooth_status sooth_core_range(sooth_env *env, const sooth_model *model, uint32_t t, float *least,
                                        float *most);

SOOTHI_C_END
#endif /* SOOTH_CORE_COST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CORE_COST_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CORE_COST_IMPLEMENTED
SOOTHI_C_BEGIN

/* What the cost of a model's code is a sum of, each times a number of the table. */
enum {
    SOOTHI_CORE_ONE,   /* 1 */
    SOOTHI_CORE_BYTES, /* of its arrays, where it is of floats, or of a network's weights */
    SOOTHI_CORE_NODES,
    SOOTHI_CORE_COMPARISONS, /* of the deepest way through each tree */
    SOOTHI_CORE_ALONE, /* 1 for a tree alone, which needs no sum: its nodes and comparisons count here */
    SOOTHI_CORE_ALONE_NODES,
    SOOTHI_CORE_ALONE_COMPARISONS,
    SOOTHI_CORE_TREES,
    SOOTHI_CORE_EXACT,    /* trees that are added with an error term, as those of forests are */
    SOOTHI_CORE_PRODUCTS, /* multiply-adds */
    SOOTHI_CORE_CALLS,    /* of exp, log, tanh */
    SOOTHI_CORE_SCALED,   /* features that a transform divides */
    SOOTHI_CORE_HELPERS,  /* functions like exp that come with it */
    SOOTHI_CORE_WIDTH,    /* numbers kept while it computes: a row scaled, layers */
    SOOTHI_CORE_COUNTS
};

/* What the table tells of each class of code. */
enum { SOOTHI_CORE_FLASH, SOOTHI_CORE_MEMORY, SOOTHI_CORE_STACK, SOOTHI_CORE_STEPS, SOOTHI_CORE_QUANTITIES };

/* The classes of code: trees in each form, then these. */
enum {
    SOOTHI_CORE_NETWORK = SOOTH_CORE_FORMS,
    SOOTHI_CORE_NETWORK_8,
    SOOTHI_CORE_NETWORK_16,
    SOOTHI_CORE_LINEAR,
    SOOTHI_CORE_CLASSES
};
#define SOOTHI_CORE_CLASS_NAMES                                                                        \
    "trees c", "trees c-if", "trees c 8", "trees c 16", "trees c 32", "trees c-if 8", "trees c-if 16", \
        "trees c-if 32", "network", "network 8", "network 16", "linear"
/* The terms of a line of the table: which quantity, and times which count. */
enum { SOOTHI_CORE_TERMS = 22 };
static const uint8_t soothi_core_term[SOOTHI_CORE_TERMS][2] = {
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_ONE},      {SOOTHI_CORE_FLASH, SOOTHI_CORE_BYTES},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_NODES},    {SOOTHI_CORE_FLASH, SOOTHI_CORE_TREES},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_EXACT},    {SOOTHI_CORE_FLASH, SOOTHI_CORE_SCALED},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_HELPERS},  {SOOTHI_CORE_MEMORY, SOOTHI_CORE_BYTES},
    {SOOTHI_CORE_STACK, SOOTHI_CORE_ONE},      {SOOTHI_CORE_STACK, SOOTHI_CORE_WIDTH},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_ONE},      {SOOTHI_CORE_STEPS, SOOTHI_CORE_TREES},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_EXACT},    {SOOTHI_CORE_STEPS, SOOTHI_CORE_COMPARISONS},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_PRODUCTS}, {SOOTHI_CORE_STEPS, SOOTHI_CORE_CALLS},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_SCALED},   {SOOTHI_CORE_STEPS, SOOTHI_CORE_WIDTH},
    {SOOTHI_CORE_FLASH, SOOTHI_CORE_ALONE},    {SOOTHI_CORE_FLASH, SOOTHI_CORE_ALONE_NODES},
    {SOOTHI_CORE_STEPS, SOOTHI_CORE_ALONE},    {SOOTHI_CORE_STEPS, SOOTHI_CORE_ALONE_COMPARISONS}};

/* clang-format off */
/* the table begins: tests/firmware/measure.sh --write */
SOOTHI_LOCAL const char *soothi_core_compiler(uint32_t core) {
    static const char text[SOOTH_CORES][80] = {
        "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
        "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
        "avr-gcc (GCC) 5.4.0",
        "riscv64-unknown-elf-gcc (12.2.0-14+deb12u1+11+b2) 12.2.0"};
    return text[core];
}

/* By core, class and term. */
static const double soothi_core_table[SOOTH_CORES][SOOTHI_CORE_CLASSES][SOOTHI_CORE_TERMS] = {
    {/* cortex-m0 */
     {/* trees c */
      1425.58, 0, 7.76331, 42.4673, 0, 0, 1671.3, 0, 88.0009,
      0, 12.4611, 87.3748, 1493.35, 70.8191, 86.5859, 2390.41, 0, 0, 0, 5.0944, 0, 67.9819},
     {/* trees c-if */
      1137.82, 0, 19.0925, 48.3055, 0, 0, 1112.1, 0, 114.401,
      0, 3.48006, 70.8557, 1304.72, 47.6491, 67.8688, 2359.27, 0, 0, 0, 13.8633, 0, 48.7356},
     {/* trees c 8 */
      54.0154, 0, 4.50354, 1.17387, 0, 0, 0, 0, 17.6002,
      0, 0.0305055, 14.2999, 0, 14.2999, 0, 0, 0, 0, 0, 4.38029, 11.6295, 14.0815},
     {/* trees c 16 */
      54.1123, 0, 4.50252, 1.15902, 0, 0, 0, 0, 22.0002,
      0, 0.0305055, 14.2999, 0, 14.2999, 0, 0, 0, 0, 0, 4.38878, 9.65039, 14.52},
     {/* trees c 32 */
      68.3447, 0, 9.01383, 2.33016, 0, 0, 0, 0, 35.2004,
      0, 4.44739, 20.8992, 0, 14.3003, 0, 0, 0, 0, 0, 8.78679, 12.0578, 14.3023},
     {/* trees c-if 8 */
      0, 0, 19.6015, 0, 0, 0, 0, 0, 22.0002,
      0, 0, 1.64057, 0, 3.87782, 0, 0, 0, 0, 7.88343, 6.17233, 9.33781, 4.22173},
     {/* trees c-if 16 */
      0, 0, 24.1577, 0, 0, 0, 0, 0, 22.0002,
      0, 0, 1.95572, 0, 3.78018, 0, 0, 0, 0, 8.51204, 8.89616, 6.59746, 4.40176},
     {/* trees c-if 32 */
      0, 0, 31.2829, 0, 0, 0, 0, 0, 52.8005,
      0, 0, 3.66564, 0, 4.39114, 0, 0, 0, 0, 22.7863, 8.53823, 10.2151, 4.08595},
     {/* network */
      3559.81, 1.31164, 0, 0, 0, 19.0881, 687.667, 0, 159.351,
      4.7569, 1757.79, 0, 0, 0, 218.353, 2866.74, 0, 179.724, 0, 0, 0, 0},
     {/* network 8 */
      4146.53, 1.84162, 0, 0, 0, 15.744, 485.016, 0, 119.116,
      6.09368, 711.98, 0, 0, 0, 1.94858, 2958.63, 0, 1083.26, 0, 0, 0, 0},
     {/* network 16 */
      7912.76, 1.49736, 0, 0, 0, 16.7303, 655.686, 0, 198.308,
      6.09419, 1392.76, 0, 0, 0, 25.1416, 3023.05, 0, 1265.38, 0, 0, 0, 0},
     {/* linear */
      2102.39, 1.27151, 0, 0, 0, 0, 529.406, 0, 96.801,
      0, 292.905, 0, 0, 0, 305.785, 2134.94, 0, 0, 0, 0, 0, 0}},
    {/* cortex-m4 */
     {/* trees c */
      110.198, 0, 7.67624, 2.40003, 0, 0, 126.901, 0, 22.0002,
      0, 10.588, 11.3627, 38.5053, 21.3389, 1.85364, 50.7255, 0, 0, 0, 6.59534, 0, 20.556},
     {/* trees c-if */
      4.76079, 0, 15.206, 1.30244, 0, 0, 112.738, 0, 17.6002,
      0, 7.49, 3.24969, 28.5276, 5.27973, 10.4917, 59.0458, 0, 0, 0, 16.0132, 0.679716, 4.97962},
     {/* trees c 8 */
      54.1123, 0, 4.50252, 1.15902, 0, 0, 0, 0, 17.6002,
      0, 3.33633, 12.0997, 0, 12.0999, 0, 0, 0, 0, 0, 4.38878, 6.56705, 12.102},
     {/* trees c 16 */
      55.9761, 0, 4.53476, 1.56665, 0, 0, 0, 0, 17.6002,
      0, 3.33633, 12.0997, 0, 12.0999, 0, 0, 0, 0, 0, 4.3851, 7.66796, 12.1017},
     {/* trees c 32 */
      68.8988, 0, 8.88942, 0.86704, 0, 0, 0, 0, 22.0002,
      0, 2.23759, 13.1996, 0, 12.1, 0, 0, 0, 0, 0, 8.79437, 9.86653, 14.3025},
     {/* trees c-if 8 */
      0, 0, 18.5941, 0, 0, 0, 0, 0, 22.0002,
      0, 0, 2.11419, 0, 2.76253, 0, 0, 0, 0, 9.48369, 5.23448, 6.60397, 3.29972},
     {/* trees c-if 16 */
      0, 0, 21.8728, 0, 0, 0, 0, 0, 22.0002,
      0, 0, 2.93943, 0, 2.85461, 0, 0, 0, 0, 14.4661, 7.24901, 11.0092, 2.56518},
     {/* trees c-if 32 */
      0, 0, 26.7697, 0, 0, 0, 0, 0, 35.2004,
      0, 0, 4.0483, 0, 2.82677, 0, 0, 0, 0, 17.1676, 7.65558, 9.90345, 2.56629},
     {/* network */
      0, 1.3747, 0, 0, 0, 29.9219, 404.749, 0, 122.391,
      4.20059, 231.283, 0, 0, 0, 5.69965, 56.4231, 0, 19.3142, 0, 0, 0, 0},
     {/* network 8 */
      0, 1.25383, 0, 0, 0, 64.5841, 414.395, 0, 48.5275,
      6.10411, 32.4247, 0, 0, 0, 4.90467, 58.4252, 0, 51.2926, 0, 0, 0, 0},
     {/* network 16 */
      651.639, 1.2165, 0, 0, 0, 60.4509, 412.097, 0, 73.0331,
      6.20937, 35.2611, 0, 0, 0, 4.90646, 59.3876, 0, 77.3115, 0, 0, 0, 0},
     {/* linear */
      0, 0.971663, 0, 0, 0, 0, 153.123, 0, 48.4005,
      0, 50.0059, 0, 0, 0, 16.9659, 46.9867, 0, 0, 0, 0, 0, 0}},
    {/* avr */
     {/* trees c */
      718.816, 0, 15.1857, 0, 393.413, 0, 0, 1.10001, 41.8004,
      0, 65.5249, 195.842, 2457.88, 233.752, 969.17, 2719.87, 0, 0, 0, 5.05528, 23.6, 201.061},
     {/* trees c-if */
      147.699, 0, 22.2812, 77.7175, 131.456, 0, 533.798, 0, 77.0008,
      0, 1.40974, 166.045, 2247.13, 68.3277, 0, 3741.3, 0, 0, 0, 18.6323, 0, 90.1656},
     {/* trees c 8 */
      144.242, 0, 4.61947, 3.10461, 0, 0, 0, 0, 13.2001,
      0, 51.3779, 43.8209, 0, 48.3794, 0, 0, 0, 0, 0, 4.32817, 0, 47.2033},
     {/* trees c 16 */
      138.252, 0, 4.63758, 3.37527, 0, 0, 0, 0, 13.2001,
      0, 39.1908, 44.0839, 0, 48.4596, 0, 0, 0, 0, 0, 4.32696, 10.3571, 46.2053},
     {/* trees c 32 */
      256.22, 0, 9.6858, 13.8974, 0, 0, 0, 0, 30.8003,
      0, 96.9429, 146.733, 0, 76.2352, 0, 0, 0, 0, 0, 8.59847, 0, 78.5124},
     {/* trees c-if 8 */
      0, 0, 5.29752, 20.5178, 0, 0, 0, 0, 17.6002,
      0, 4.71671, 15.6601, 0, 5.40299, 0, 0, 0, 0, 16.9983, 5.33438, 15.0897, 4.40016},
     {/* trees c-if 16 */
      14.0112, 0, 8.12796, 19.345, 0, 0, 0, 0, 17.6002,
      0, 21.7662, 16.2328, 0, 7.32654, 0, 0, 0, 0, 0, 7.92235, 0, 6.76683},
     {/* trees c-if 32 */
      45.7173, 0, 14.6251, 55.0546, 0, 0, 0, 0, 35.2004,
      0, 52.8373, 51.9021, 0, 14.8443, 0, 0, 0, 0, 0, 13.4576, 0, 12.0955},
     {/* network */
      556.298, 1.35067, 0, 0, 0, 92.8407, 1158.87, 0, 131.538,
      5.15913, 24.6231, 0, 0, 0, 285.593, 4438.52, 1310.63, 313.25, 0, 0, 0, 0},
     {/* network 8 */
      1717.23, 2.27953, 0, 0, 0, 63.5908, 805.457, 0, 69.7435,
      6.06538, 1628.46, 0, 0, 0, 68.3689, 4428.39, 0, 1613.84, 0, 0, 0, 0},
     {/* network 16 */
      1769.87, 1.74816, 0, 0, 0, 68.0755, 957.143, 0, 82.9432,
      6.06543, 2419.97, 0, 0, 0, 186.506, 4395.59, 0, 1407.27, 0, 0, 0, 0},
     {/* linear */
      624.833, 2.11688, 0, 0, 0, 0, 386.768, 0, 52.8005,
      0, 278.066, 0, 0, 0, 628.028, 3239.22, 0, 0, 0, 0, 0, 0}},
    {/* rv32 */
     {/* trees c */
      1368.98, 0, 7.89354, 88.7076, 0, 0, 1479.18, 0, 83.6008,
      0, 30.2059, 85.7068, 1261.29, 47.3677, 64.5184, 2173.89, 0, 0, 0, 4.79815, 0, 45.3325},
     {/* trees c-if */
      483.429, 0, 29.5107, 207.184, 451.413, 0, 742.96, 0, 123.201,
      0, 8.32617, 78.0214, 1093.98, 31.876, 48.372, 2171.22, 0, 0, 0, 20.2917, 0, 34.6431},
     {/* trees c 8 */
      67.7972, 0, 4.53924, 1.87973, 0, 0, 0, 0, 0,
      0, 5.11584, 14.6005, 0, 15.3128, 0, 0, 0, 0, 0, 4.37914, 8.12475, 15.3987},
     {/* trees c 16 */
      77.3996, 0, 4.52772, 1.75943, 0, 0, 0, 0, 0,
      0, 6.02375, 14.3129, 0, 15.342, 0, 0, 0, 0, 0, 4.37756, 9.70008, 15.086},
     {/* trees c 32 */
      75.5965, 0, 8.98131, 1.84708, 0, 0, 0, 0, 0,
      0, 5.21823, 17.6424, 0, 13.2321, 0, 0, 0, 0, 0, 8.78984, 11.9713, 12.9775},
     {/* trees c-if 8 */
      0, 0, 20.5529, 0, 0, 0, 0, 0, 0,
      0, 0.258529, 1.66145, 0, 2.71749, 0, 0, 0, 0, 9.76088, 6.97602, 7.99724, 2.75104},
     {/* trees c-if 16 */
      0, 0, 25.1514, 0, 0, 0, 0, 0, 0,
      0, 0, 3.0125, 0, 2.81755, 0, 0, 0, 0, 7.93889, 9.44417, 11.5533, 2.74972},
     {/* trees c-if 32 */
      0, 0, 36.563, 0, 0, 0, 0, 0, 0,
      0, 0, 6.45612, 0, 3.05897, 0, 0, 0, 0, 12.5713, 10.4764, 14.3042, 2.56622},
     {/* network */
      3516.27, 1.33118, 0, 0, 0, 38.0627, 869.365, 0, 158.695,
      5.38671, 1703.2, 0, 0, 0, 207.916, 2447.46, 0, 104.085, 0, 0, 0, 0},
     {/* network 8 */
      4343.32, 2.03361, 0, 0, 0, 24.9842, 624.659, 0, 167.477,
      6.09589, 524.706, 0, 0, 0, 8.75514, 2506.55, 0, 584.231, 0, 0, 0, 0},
     {/* network 16 */
      4345.39, 1.59838, 0, 0, 0, 26.7589, 844.912, 0, 171.877,
      6.0959, 355.464, 0, 0, 0, 13.3598, 2510.42, 0, 646.733, 0, 0, 0, 0},
     {/* linear */
      2563.95, 1.19236, 0, 0, 0, 0, 458.849, 0, 83.6008,
      0, 310.895, 0, 0, 0, 293.995, 1972.88, 0, 0, 0, 0, 0, 0}}
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

/* Opens the model as an export of this form would. */
SOOTHI_LOCAL sooth_status soothi_core_open(sooth_env *env, const sooth_model *model, uint32_t form,
                                           soothi_export_job *job) {
    memset(job, 0, sizeof *job);
    job->env = env;
    job->name = "model";
    sooth_model_open(model, &job->parts);
    job->model = job->parts.predictor;
    job->features = model->features;
    job->targets = model->targets;
    job->form = soothi_core_branches(form) ? SOOTH_EXPORT_BRANCHES : SOOTH_EXPORT_TABLE;
    if (!soothi_export_kind_of(job->parts.predictor, &job->kind))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the model is of kind %u, which cannot be exported as C",
                           soothi_model_kind(job->parts.predictor));
    return job->kind.open(job);
}

/* The class of an open job's code; SOOTHI_CORE_CLASSES where none was measured. */
SOOTHI_LOCAL uint32_t soothi_core_class(const soothi_export_job *job, uint32_t form) {
    if (job->trees.node) return form;
    switch (soothi_model_kind(job->parts.predictor)) {
    case SOOTH_KIND_MLP:
        return job->bits == 8    ? (uint32_t)SOOTHI_CORE_NETWORK_8
               : job->bits == 16 ? (uint32_t)SOOTHI_CORE_NETWORK_16
                                 : (uint32_t)SOOTHI_CORE_NETWORK;
    case SOOTH_KIND_LINEAR: return SOOTHI_CORE_LINEAR;
    default: return SOOTHI_CORE_CLASSES;
    }
}

/* Moves what is counted apart of a tree alone. Its one stays for what stack and transforms take. */
SOOTHI_LOCAL void soothi_core_alone(const soothi_export_job *job, double *count) {
    if (!job->trees.node || job->trees.trees > 1) return;
    count[SOOTHI_CORE_ALONE] = 1.0;
    count[SOOTHI_CORE_ALONE_NODES] = count[SOOTHI_CORE_NODES];
    count[SOOTHI_CORE_ALONE_COMPARISONS] = count[SOOTHI_CORE_COMPARISONS];
    count[SOOTHI_CORE_NODES] = count[SOOTHI_CORE_COMPARISONS] = count[SOOTHI_CORE_TREES] = 0.0;
    count[SOOTHI_CORE_EXACT] = 0.0;
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
        if (trees->link != SOOTH_LINK_IDENTITY) count[SOOTHI_CORE_CALLS] += 1.0;
    } else {
        count[SOOTHI_CORE_PRODUCTS] = (double)cost.multiply_adds;
        count[SOOTHI_CORE_CALLS] = (double)cost.functions;
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
    if (soothi_model_kind(job->parts.predictor) == SOOTH_KIND_MLP) {
        const sooth_mlp *m = (const sooth_mlp *)job->model;
        for (uint32_t i = 0; i + 1 < m->layers; ++i)
            count[SOOTHI_CORE_WIDTH] += (double)sooth_mlp_layers(m)[i].outputs;
    }
}

/* ---- names ---- */

SOOTH_API const char *sooth_core_name(uint32_t core) {
    static const char name_of[][12] = {
#define SOOTHI_ITEM(name, NAME, what) name,
        SOOTH_CORE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return core < SOOTH_CORES ? name_of[core] : NULL;
}

SOOTH_API const char *sooth_core_text(uint32_t core) {
    static const char text_of[][80] = {
#define SOOTHI_ITEM(name, NAME, what) what,
        SOOTH_CORE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return core < SOOTH_CORES ? text_of[core] : NULL;
}

SOOTH_API const char *sooth_core_form_name(uint32_t form) {
    static const char name_of[][16] = {
#define SOOTHI_ITEM(name, NAME, bits, branches) name,
        SOOTH_CORE_FORM_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return form < SOOTH_CORE_FORMS ? name_of[form] : NULL;
}

SOOTH_API const char *sooth_core_compiler(uint32_t core) {
    return core < SOOTH_CORES ? soothi_core_compiler(core) : NULL;
}

SOOTH_API sooth_status sooth_core_named(sooth_env *env, const char *name, uint32_t *core) {
    char known[120];
    size_t n = 0;
    for (uint32_t k = 0; k < SOOTH_CORES; ++k) {
        if (soothi_same_text(name, sooth_core_name(k))) {
            *core = k;
            return SOOTH_OK;
        }
        n += sooth_text_format(known + n, sizeof known - n, k ? ", %s" : "%s", sooth_core_name(k));
    }
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "there is no core \"%s\"; those measured are %s", name,
                       known);
}

SOOTH_API const char *sooth_core_export_words(const sooth_model *model, uint32_t form) {
    static const char words[2][SOOTH_CORE_FORMS][24] = {
        {"--to c", "--to c-if", "--to c --integers 8", "--to c --integers 16", "--to c --integers 32",
         "--to c-if --integers 8", "--to c-if --integers 16", "--to c-if --integers 32"},
        {"--to c", "--to c-if", "--to c --bits 8", "--to c --bits 16", "", "", "", ""}};
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return form < SOOTH_CORE_FORMS ? words[soothi_model_kind(parts.predictor) == SOOTH_KIND_MLP][form] : "";
}

/* ---- what it costs ---- */

SOOTHI_LOCAL sooth_status soothi_core_check(const soothi_export_job *job, uint32_t form) {
    const int network = soothi_model_kind(job->parts.predictor) == SOOTH_KIND_MLP;
    const uint32_t bits = soothi_core_bits(form);
    if (job->targets > 1)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the model has %u targets; what code with one costs is known", job->targets);
    if (job->trees.at)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "what planes in leaves cost was not measured");
    if (job->trees.sets.first)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "what sets of categories cost was not measured");
    if (soothi_core_class(job, form) == SOOTHI_CORE_CLASSES)
        return soothi_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "what a model of kind %u costs was not measured; trees, networks and linear models "
            "were",
            soothi_model_kind(job->parts.predictor));
    if (job->trees.node || (!bits && !soothi_core_branches(form)) ||
        (network && !soothi_core_branches(form) && bits != 32 && !job->bits))
        return SOOTH_OK;
    return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "the model has no form \"%s\"",
                       sooth_core_form_name(form));
}

/* Of trees in whole numbers: how far off they are. */
SOOTHI_LOCAL sooth_status soothi_core_integers(sooth_env *env, const sooth_model *model, uint32_t bits,
                                               sooth_core_cost *cost) {
    sooth_integers_options options;
    sooth_integers *whole;
    memset(&options, 0, sizeof options);
    options.bits = bits;
    const sooth_status status = sooth_integers_make(env, model, &options, &whole);
    if (status != SOOTH_OK) return status;
    cost->error = sooth_integers_targets(whole)[0].error;
    sooth_integers_free(env, whole);
    return SOOTH_OK;
}

SOOTHI_LOCAL uint32_t soothi_core_whole(double v) {
    return v >= 4294967295.0 ? UINT32_MAX : (uint32_t)(v + 0.999999);
}

SOOTHI_LOCAL void soothi_core_fill(const soothi_export_job *job, uint32_t core, uint32_t form,
                                   sooth_core_cost *cost) {
    const double *row = soothi_core_table[core][soothi_core_class(job, form)];
    double count[SOOTHI_CORE_COUNTS], sum[SOOTHI_CORE_QUANTITIES] = {0, 0, 0, 0};
    soothi_core_counts(job, form, count);
    cost->comparisons = soothi_core_whole(count[SOOTHI_CORE_COMPARISONS]);
    soothi_core_alone(job, count);
    for (size_t k = 0; k < SOOTHI_CORE_TERMS; ++k)
        sum[soothi_core_term[k][0]] += row[k] * count[soothi_core_term[k][1]];
    cost->flash = soothi_core_whole(sum[SOOTHI_CORE_FLASH]);
    cost->memory = soothi_core_whole(sum[SOOTHI_CORE_MEMORY]);
    cost->stack = soothi_core_whole(sum[SOOTHI_CORE_STACK]) + SOOTH_CORE_STACK_MARGIN;
    cost->steps = soothi_core_whole(sum[SOOTHI_CORE_STEPS]);
    cost->multiply_adds = soothi_core_whole(count[SOOTHI_CORE_PRODUCTS]);
    cost->functions = soothi_core_whole(count[SOOTHI_CORE_CALLS]);
    cost->bits = soothi_core_bits(form);
}

SOOTH_API sooth_status sooth_core_cost_of(sooth_env *env, const sooth_model *model, uint32_t core,
                                          uint32_t form, sooth_core_cost *cost) {
    soothi_export_job job;
    sooth_model *small = NULL;
    memset(cost, 0, sizeof *cost);
    if (core >= SOOTH_CORES || form >= SOOTH_CORE_FORMS)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "core %u or form %u is none of those that there are",
                           core, form);
    sooth_status status = soothi_core_open(env, model, form, &job);
    if (status == SOOTH_OK) status = soothi_core_check(&job, form);
    if (status == SOOTH_OK && soothi_core_bits(form)) {
        if (job.trees.node) {
            status = soothi_core_integers(env, model, soothi_core_bits(form), cost);
        } else {
            status = sooth_export_quantise(env, model, soothi_core_bits(form), &cost->error, &small);
            if (status == SOOTH_OK) status = soothi_core_open(env, small, form, &job);
        }
    }
    if (status == SOOTH_OK) soothi_core_fill(&job, core, form, cost);
    sooth_model_free(env, small);
    return status;
}

/* ---- what it can answer ---- */

/* Before the link and the transform of targets. */
SOOTHI_LOCAL soothi_interval soothi_core_trees_range(const soothi_export_job *job, uint32_t t) {
    soothi_integers_job whole;
    soothi_interval range = {0.0, 0.0};
    memset(&whole, 0, sizeof whole);
    whole.trees = job->trees; /* without the transform of targets */
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

/* As a float, cut where these end. */
SOOTHI_LOCAL float soothi_core_held(double v) {
    const double most = (double)FLT_MAX;
    return (float)(v < -most ? -most : v > most ? most : v);
}

/* What this value of the predictor's becomes behind the link. */
SOOTHI_LOCAL double soothi_core_linked(const soothi_export_job *job, double v) {
    if (job->trees.link == SOOTH_LINK_EXP)
        return (double)soothi_exp_f(v > 88.7 ? 88.7f : soothi_core_held(v));
    if (job->trees.link == SOOTH_LINK_LOGISTIC) return (double)soothi_sigmoid_f(soothi_core_held(v));
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
    return range;
}

/* Of a network or a linear model, for rows in the training ranges. */
SOOTHI_LOCAL sooth_status soothi_core_box_range(const soothi_export_job *job, uint32_t t,
                                                soothi_interval *range) {
    const size_t numbers = 2 * ((size_t)job->features + job->targets);
    sooth_status status = SOOTH_OK;
    for (uint32_t j = 0; j < job->features; ++j)
        if (!job->parts.card ||
            !(sooth_card_range(job->parts.card)[2 * j] <= sooth_card_range(job->parts.card)[2 * j + 1]))
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "the model has no training range of feature %u",
                               j + 1);
    float *box = (float *)soothi_alloc(job->env, numbers, sizeof *box);
    if (!box) return soothi_no_memory(job->env, "the ranges", numbers * sizeof *box);
    soothi_export_box(&job->parts, job->features, box);
    if (soothi_model_kind(job->parts.predictor) == SOOTH_KIND_LINEAR) {
        *range = soothi_core_linear_range(job, box, t);
    } else {
        float *out = box + 2 * (size_t)job->features;
        status = sooth_mlp_bounds(job->env, (const sooth_mlp *)job->model, box, out);
        range->low = (double)out[2 * t];
        range->high = (double)out[2 * t + 1];
    }
    soothi_free(job->env, box, numbers, sizeof *box);
    return status;
}

SOOTH_API sooth_status sooth_core_range(sooth_env *env, const sooth_model *model, uint32_t t, float *least,
                                        float *most) {
    soothi_export_job job;
    soothi_interval range = {0.0, 0.0};
    sooth_status status = soothi_core_open(env, model, 0, &job);
    if (status != SOOTH_OK) return status;
    const uint32_t kind = soothi_model_kind(job.parts.predictor);
    if (t >= job.targets)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "there is no target %u, but %u of them", t, job.targets);
    if (job.trees.at || (!job.trees.node && kind != SOOTH_KIND_MLP && kind != SOOTH_KIND_LINEAR))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "no bounds are known of %s",
                           job.trees.at ? "planes in leaves" : "a model of this kind");
    if (job.trees.node) range = soothi_core_trees_range(&job, t);
    else status = soothi_core_box_range(&job, t, &range);
    if (status != SOOTH_OK) return status;
    const double reach = soothi_interval_reach(range), slack = reach <= (double)FLT_MAX ? 1e-5 * reach : 0.0;
    const float low = soothi_core_held(soothi_core_linked(&job, range.low - slack));
    const float high = soothi_core_held(soothi_core_linked(&job, range.high + slack));
    *least = job.parts.target ? sooth_scale_invert_one(job.parts.target, t, low) : low;
    *most = job.parts.target ? sooth_scale_invert_one(job.parts.target, t, high) : high;
    if (*least <= *most) return SOOTH_OK;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "what the model adds up is not a number");
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
