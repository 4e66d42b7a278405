/* sooth.h - all of sooth in one include.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth tells a program what running something will cost before it runs: how long, how many watts, how much
 * slower beside which neighbour. Each header works alone and begins with what it is, an example and what it
 * costs. The house has eight floors; a header includes only headers of its own floor or of a lower one.
 *
 *     ground     text.h base.h num.h solve.h             status, env, tables; text; exp, dot, gemm; QR
 *                sketch.h source.h                       ranks of very many numbers; rows in blocks
 *                threads.h reduce.h                      the system's threads; rows of several processes
 *     measure    metrics.h split.h scale.h               errors, honest splits, units
 *                seen.h                                  what a model has seen
 *                levels.h encode.h                       categories by name, and as numbers
 *                correlate.h cluster.h                   which columns, which groups
 *                drift.h                                 has a stream of residuals changed
 *                conformal.h probability.h               intervals and probabilities that hold
 *     models     linear.h categories.h columns.h         learn from a table, predict a row; categories,
 *                shards.h gain.h packed.h grow.h         the engine under the trees: columns, gain,
 *                passes.h symmetric.h leaves.h           packed, grow, passes, symmetric and leaves
 *                tree.h ensemble.h forest.h boost.h
 *                scorer.h mlp.h quantise.h
 *                svr_kernel.h svr.h
 *                blocks.h integers.h                     tables larger than memory; whole numbers
 *                gauss_law.h gauss.h sofnn.h
 *                sofnn_learn.h scaling.h space.h curve.h
 *     samplers   halton.h sobol.h                        points that fill a space
 *     features   gpu.h ptx*.h pfea.h                     what a program or a device is, as numbers
 *                roofline.h fairness.h
 *     decide     adapt.h gpu_time.h configure.h          what is new, what to run where, and with what
 *                slowdown.h
 *                allocate.h recorder.h slot.h
 *     explain    explain.h                               what a model looked at
 *     files      model.h calibrate.h fit.h tune.h        any model behind one handle; text in and out
 *                model_source.h csv_blocks.h             what is larger than memory
 *                describe.h csv.h
 *                libsvm.h rules.h import*.h export*.h
 *                integers_code.h core_cost.h svg.h
 *
 *     #define SOOTH_IMPLEMENTATION           // in exactly one file of the program; elsewhere just include
 *     #include "sooth.h"
 *
 * threads.h is not included here: it needs the system. Three macros change what a header brings, for a whole
 * program or before the first #include: SOOTH_STATIC makes every function static (no file implements),
 * SOOTH_PREDICT_ONLY keeps checking and predicting alone, and SOOTH_LINKED only declares.
 *
 * How this house is kept:
 *   - What two headers need goes down a floor, once. A new header is named in the map above and included
 *     below, is in README.md's table, has an example that runs as printed and tests/test_NAME.c.
 *   - A header says, in this order: what it is, the method and its paper, an example, what it costs, the
 *     public functions with their shapes, units and errors; then the code. `//> text` behind a line of the
 *     example is what that line prints, to the letter.
 *   - Names and verbs are those of the table in base.h. Zero bytes of an options struct mean the defaults,
 *     and every legal value can be asked for.
 *   - A new kind of model is a line in base.h's list of kinds, its header, its facts in describe.h, its
 *     section in export_kinds.h, a golden hash, a fuzzer and a row of the bench.
 *   - A test is a sentence (held_out_groups_are_whole) and proves against something that we did not write: a
 *     paper's table, another library's numbers kept in tests/golden, or a naive twin of ten lines. A defect
 *     gets a test that fails before it is mended. What takes long begins with CHECK_SLOW().
 *   - `make test` takes less than 90 seconds and needs a C compiler and make; `make check` is everything.
 *   - Never: a writable global, a pointer inside a model, an allocation or a double in a prediction, a sum
 *     whose order depends on the number of workers, a dependency, a moved hash in tests/golden/hashes.h
 *     without its reason in the commit, an error without a sentence, a line above 110 columns, a function
 *     above 80 lines.
 */
#include "sooth/base.h"

#include "sooth/validation.h"
#include "sooth/preprocess.h"
#include "sooth/stats.h"
#include "sooth/conformal.h"

#include "sooth/linear.h"
#include "sooth/tree.h"
#include "sooth/forest.h"
#include "sooth/boost.h"
#include "sooth/mlp.h"
#include "sooth/svr.h"
#include "sooth/gaussian_process.h"
#include "sooth/sofnn.h"
#include "sooth/scaling.h"
#include "sooth/adapt.h"

#include "sooth/halton.h"
#include "sooth/sobol.h"

#include "sooth/ptx.h"
#include "sooth/gpu.h"
#include "sooth/pfea.h"
#include "sooth/fairness.h"

#include "sooth/csv.h"
#include "sooth/model.h"
#include "sooth/explain.h"
#include "sooth/train.h"
#include "sooth/import.h"
#include "sooth/export.h"

#include "sooth/gpu_time.h"
#include "sooth/configure.h"
#include "sooth/slowdown.h"
#include "sooth/online.h"
