/* export.h - a model as source code or as a file of another library, in integers, and its cost on a core.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Writes a model as code that needs no library, allocates nothing and predicts the same bits as sooth, or as
 * the file of another library. The parts are:
 *
 *   export/c.h                 any model as one C file, with its transforms, interval and adaptation:
 *                              sooth_export_c; a network with integer weights: sooth_export_quantise
 *   export/xgboost.h           trees, forests and boosted trees as JSON of XGBoost: sooth_export_xgboost
 *   export/onnx.h              trees, linear models and networks as ONNX: sooth_export_onnx
 *   export/integers.h          trees in integers, for kernels and cores without floats: prediction from a
 *                              block of memory, sooth_integers_sum
 *   export/integers_convert.h  converts a model of trees to such a block: sooth_integers_convert
 *   export/integers_code.h     writes such a block as C, C for the Linux kernel (BPF), Rust or Go:
 *                              sooth_integers_code
 *   export/core_cost.h         flash, memory, stack and steps of each form on a core, before compilation:
 *                              sooth_core_estimate
 *
 * Example
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
 *         sooth_export_c_options options = {.name = "watts", .form = SOOTH_EXPORT_BRANCHES};
 *         sooth_sink sink = {.write_fn = to_file, .user = stdout};
 *         sooth_core_cost cost;
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         const sooth_model *model = sooth_model_from_block(&tree->head);
 *         if (sooth_core_estimate(&env, model, SOOTH_CORE_CORTEX_M4, SOOTH_CORE_FORM_C_IF, &cost) !=
 *             SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%s\n", cost.flash < 1024 ? "it fits" : "too large");   //> it fits
 *         if (sooth_export_c(&env, model, &options, &sink) != SOOTH_OK)  //> float watts_predict(
 *             return puts(env.sentence), 1;
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - The C file is C99 and C++11. Compile it with -ffp-contract=off if the model is more than trees. Its
 *   self-test (watts_selftest) finds compilers and flags that change bits.
 * - A checked model may come from anyone. Names on its card are written into comments only, without
 *   characters that could end the comment or disguise code.
 * - A file of trees as tables is smaller, and one of branches needs no memory for tables. On cores without
 *   floating point use integers, or plain sums (sooth_export_c_options.sum), and read their error bound.
 * - Support vectors are written as a file of LIBSVM by import.h (sooth_libsvm_write).
 * - Every part but export/integers.h is left out with SOOTH_PREDICT_ONLY.
 *
 * Method and references
 *
 * Every function in a written file repeats a function of the library, operation by operation and in the same
 * order, so its result has the same bits. Trees become branches with the smaller child nested, so blocks nest
 * at most log2(leaves) deep. Integer keys preserve the order of thresholds, and integer leaves have a proven
 * error bound (see export/integers.h). The cost on a core is a weighted sum of counts; the weights were
 * measured with compilers and emulators (see export/core_cost.h). Comments are safe against disguised code
 * (Boucher and Anderson, Trojan Source, 2021).
 *
 * Cost
 *
 * One pass over the model for C, ten over each tree for XGBoost, a few for integers; nearly all of the time
 * is spent on writing decimals. The source of trees has about 25 bytes a node as a table and 60 as branches.
 * Compiled, these are 6 to 8 and 8 to 16 bytes. Each part documents its memory.
 */
#if !defined(SOOTH_EXPORT_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_IMPLEMENTED))
#define SOOTH_EXPORT_H
#include "export/c.h"
#include "export/xgboost.h"
#include "export/onnx.h"
#include "export/integers_code.h"
#include "export/core_cost.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_EXPORT_IMPLEMENTED
#endif
#endif
