/* preprocess.h - features and targets made ready for a model: scales, and categories as numbers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Models differ in what they accept. Trees do not depend on units; support vectors, neural networks and
 * distances do. Trees split categories by sets of levels; every other model needs numbers. This header has
 * three transforms:
 *
 *     sooth_scale    numeric columns: mean 0 and deviation 1, the range 0..1, or a logarithm; and back
 *     sooth_levels   text columns: names and codes of levels, frozen after training; a level may be replaced
 *                    by the mean target of its rows
 *     sooth_encode   columns of thousands of levels (users, job names) that come and go while a program runs:
 *                    the mean target of a level, its count, its age and its last values, learned row by row
 *
 * model.h stores a scale and levels in the model file, and applies them.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/preprocess.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float train[] = {1, 100, 2, 10000, 4, 1000000};  // threads and bytes of three runs
 *         const float test[] = {3, 10000};
 *         sooth_scale_options options = {.transform = SOOTH_SCALE_LOG1P_MINMAX};
 *         sooth_scale *scale;
 *         sooth_table table;
 *         sooth_env env;
 *         float scaled[2];
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, train, 3, 2);
 *         if (sooth_scale_fit(&env, &table, &options, &scale) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_scale_apply(scale, test, scaled);
 *         printf("%g %g\n", scaled[0], scaled[1]);  //> 0.756471 0.49947
 *         sooth_scale_free(&env, scale);
 *         return 0;
 *     }
 *
 * Text columns:
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/preprocess.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const char *names[] = {"sort", "scan"}, *const *text[] = {names, NULL}; // of the first column
 *         const float x[] = {0, 1, 1, 1, 1, 2, 0, 2, 1, 4}, seconds[] = {4, 1, 2, 6, 3};
 *         const uint8_t categorical[] = {1, 0};
 *         const sooth_table table = sooth_table_of(x, seconds, 5, 2);
 *         sooth_table coded = table;
 *         sooth_levels *levels, *learned;
 *         float codes[10], rows[10], asked[] = {0, 3};
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_levels_fit(&env, &table, categorical, text, NULL, codes, &levels) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         coded.x = codes;
 *         if (sooth_levels_fit_statistics(&env, levels, &coded, NULL, rows, &learned) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         asked[0] = sooth_levels_code(learned, 0, "sort", 4);
 *         printf("sort is %g, ", asked[0]);
 *         sooth_levels_apply(learned, asked, asked);
 *         printf("its statistic %.2f\n", asked[0]);               //> sort is 1, its statistic 4.40
 *         printf("%s is 0\n", sooth_levels_name(learned, 0, 0));  //> scan is 0
 *         sooth_levels_free(&env, learned);
 *         sooth_levels_free(&env, levels);
 *         return 0;
 *     }
 *
 * Jobs of users that arrive one by one:
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/preprocess.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[2048];  // 16 kB: room for 256 levels
 *         const sooth_encode_options options = {.columns = 1, .last = 2, .max_bytes = sizeof memory};
 *         const char *name[] = {"ann", "bob", "ann", "ann"};
 *         const float minutes[] = {10, 300, 14, 12};
 *         sooth_encode *encode;
 *         sooth_env env;
 *         float row[5];
 *         sooth_env_init(&env);
 *         if (sooth_encode_init(&env, &options, memory, sizeof memory, &encode) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (uint32_t i = 0; i < 4; ++i) {  // as jobs end: first what is known, then the target
 *             const uint64_t level = sooth_encode_text(name[i], 3);
 *             sooth_encode_row(encode, &level, 60 * i, row);
 *             printf("%s: %g by %g before, the last %g\n", name[i], row[0], row[1], row[3]);
 *             sooth_encode_update(encode, &level, minutes[i], 60 * i);
 *         }
 *         //> ann: 0 by 0 before, the last nan
 *         //> bob: 10 by 0 before, the last nan
 *         //> ann: 82.5 by 1 before, the last 10
 *         //> ann: 44 by 2 before, the last 14
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Fit on training rows only: a scale fitted on test rows leaks them. Take the training rows first
 *   (sooth_split_take, sooth_table_take), fit on that table, and ship the transform with the model.
 * - To scale targets, fit on a table whose x is the targets.
 * - The choice of a scale matters: on GPU power data support vectors rose from R2 0.42 (MINMAX) to 0.78
 *   (LOG1P_STANDARD).
 * - Training rows must not contain their own target, or the model trusts the mean target of a level too much.
 *   In training each row therefore gets the mean of the rows before it, in a random order or in the order of
 *   time. Predictions use the mean of all rows.
 * - The blocks of levels and encoders have a budget in bytes. The dictionary keeps the levels with the most
 *   rows; unknown levels become missing values. The encoder replaces the level with the oldest update.
 * - Any number of threads may apply a transform. An encoder that learns belongs to one.
 *
 * Method and references
 *
 * Scales map each column by
 *
 *     apply   z = (f(x) - shift) / width
 *     invert  x = f^-1(z width + shift)
 *
 * where f is the identity or a logarithm, and shift and width come from the training rows:
 *
 *     SOOTH_SCALE_STANDARD   shift: mean      width: standard deviation (of the population: divided by n)
 *     SOOTH_SCALE_MINMAX     shift: min       width: max - min; training values are in 0..1, ends included
 *     SOOTH_SCALE_ROBUST     shift: median    width: upper - lower quartile; robust to outliers
 *     SOOTH_SCALE_NONE       shift: 0         width: 1
 *
 * each alone, or after one of
 *
 *     LOG1P   f(x) = log(1 + x), and -log(1 - x) below 0: for counts, sizes and times that span powers of ten
 *     LOG     f(x) = log(x): for targets whose relative error matters; at 0 it is -infinity, below it is NaN
 *
 * The statistic of a level is (sum + a p) / (count + a) of its targets: their mean, shrunk towards the mean p
 * of all targets as if by a more values of p (Micci-Barreca, SIGKDD Explorations 3(1), 2001, equation 3). A
 * missing or unknown level becomes p. The mean over the rows before is the ordered target statistic of
 * CatBoost (Prokhorenkova et al., NeurIPS 2018, section 3.2). The last values of a level follow "the last two
 * run times of this user" (Tsafrir, Etsion, Feitelson, IEEE TPDS 18(6), 2007).
 *
 * Cost
 *
 *     scale    40 + 20 bytes per column. Fitting reads each column up to 3 times, with ROBUST up to 25 times,
 *              without scratch. Applying takes a division per column, and a logarithm if the transform has
 *              one
 *     levels   20 bytes per column; 8 bytes per level, its name and a zero, and 4 for its statistic. Making a
 *              dictionary takes O(n log n) time and 16 bytes per row, learning one pass, a row one lookup per
 *              column
 *     encode   76 bytes, and 4 (7 + last) per level of capacity. A row or an update tests 8 levels per
 *              column. If levels fill half of the capacity, 1 % are replaced too early; at a quarter 0.02 %
 *
 * Applying and updating use no allocation and no double.
 */
#if !defined(SOOTH_PREPROCESS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_IMPLEMENTED))
#define SOOTH_PREPROCESS_H
#include "preprocess/scale.h"
#include "preprocess/levels.h"
#include "preprocess/encode.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_PREPROCESS_IMPLEMENTED
#endif
#endif
