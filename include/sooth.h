/* sooth.h - all of sooth in one include.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth tells a program what running something will cost before it runs. Each header below works alone and
 * begins with what it is, an example and what it costs; a header uses only those above it. threads.h, which
 * needs POSIX threads, is not among them.
 *
 *     #define SOOTH_IMPLEMENTATION           in exactly one file of the program; elsewhere just include
 *     #include "sooth.h"
 */
#include "sooth/text.h"
#include "sooth/base.h"
#include "sooth/num.h"
#include "sooth/solve.h"

#include "sooth/metrics.h"
#include "sooth/split.h"
#include "sooth/scale.h"
#include "sooth/correlate.h"
#include "sooth/cluster.h"

#include "sooth/linear.h"
#include "sooth/tree.h"
#include "sooth/ensemble.h"
#include "sooth/forest.h"
#include "sooth/boost.h"
#include "sooth/mlp.h"
#include "sooth/svr.h"
#include "sooth/sofnn.h"
#include "sooth/scaling.h"
#include "sooth/curve.h"

#include "sooth/halton.h"
#include "sooth/sobol.h"

#include "sooth/gpu.h"
#include "sooth/ptx.h"
#include "sooth/penalty.h"
#include "sooth/pfea.h"
#include "sooth/fairness.h"

#include "sooth/configure.h"
#include "sooth/slowdown.h"
#include "sooth/allocate.h"

#include "sooth/explain.h"

#include "sooth/model.h"
#include "sooth/describe.h"
#include "sooth/csv.h"
#include "sooth/import.h"
#include "sooth/export_c.h"
#include "sooth/export_xgboost.h"
#include "sooth/svg.h"
