/* sooth.h - all of sooth in one include.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth predicts what running a program will cost before it runs: time, watts, slowdown next to a neighbour.
 * A program includes sooth/NAME.h for what it needs, or this file for everything. Every header works alone.
 * Its top comment has a summary, an example, notes, the method with its papers, and the cost.
 *
 *     #define SOOTH_IMPLEMENTATION           // in exactly one file of the program; elsewhere just include
 *     #include "sooth.h"
 *
 * threads.h and files.h are not included here, because they need the operating system. Three macros change
 * what a header provides. Define them for the whole program, or before the first #include:
 *
 *     SOOTH_STATIC          every function is static; no file defines SOOTH_IMPLEMENTATION
 *     SOOTH_PREDICT_ONLY    only the code that checks models and predicts
 *     SOOTH_LINKED          only declarations; the program is linked with the code
 *
 * The map: 32 headers in seven layers. A header includes headers of its own layer or of lower ones.
 *
 *     ground     base.h threads.h              status, memory, tables, text, mathematics; a thread pool
 *     measure    validation.h preprocess.h     metrics and honest splits; scaling and categories
 *                stats.h conformal.h           correlation and clusters; intervals that hold
 *     models     linear.h tree.h forest.h      least squares; regression trees, random forests
 *                boost.h mlp.h svr.h           gradient boosting, neural networks, support vectors
 *                gaussian_process.h sofnn.h    Gaussian processes, self-organising fuzzy networks
 *                scaling.h adapt.h             Amdahl, USL and relatives; correction by a few launches
 *     samplers   halton.h sobol.h              points that fill a space
 *     features   ptx.h gpu.h                   CUDA kernels read from PTX, devices, features of kernels
 *                fairness.h                    features of programs that share a machine
 *     files      model.h train.h explain.h     any model behind one type: load and predict; fit; explain
 *                csv.h import.h export.h       tables in; models of other libraries in; models as code out
 *                files.h                       files, sinks, models by their path
 *     decide     gpu_time.h configure.h        times of GPU operators; configurations of a program
 *                slowdown.h online.h           slowdowns of neighbours; learning while running
 *
 * A path with two slashes, such as sooth/tree/grow.h, is a part. Its folder has the name of the header that
 * it belongs to, and only headers and tests include it.
 *
 * To change the library, read nine files in this order, first their top comments and declarations:
 *
 *     base.h               the types that every function takes: status, env, table, block
 *     validation/split.h   a short module as all are written: options, checks, code, in 500 lines
 *     linear.h             a whole kind of model: fit, check, predict, cost; its layout as one block
 *     tree/criterion.h     what a split gains; tree/grow.h after it: how a tree grows
 *     boost.h              gradients, rounds, and how one engine serves three kinds of trees
 *     model.h              the list of kinds in use: how any model is loaded, checked and used
 *     train.h              the same list for fitting, intervals and search
 *     tests/README.md      what proves it all, and where a new test goes
 *
 * .github/CONTRIBUTING.md describes how the library is kept, how a kind of model is added and how a test is
 * named.
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
