/* library.c - what the targets of models are linked with: everything that takes a model, compiled once.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/adapt.h"
#include "sooth/calibrate.h"
#include "sooth/conformal.h"
#include "sooth/probability.h"
#include "sooth/describe.h"
#include "sooth/encode.h"
#include "sooth/levels.h"
#include "sooth/explain.h"
#include "sooth/export_c.h"
#include "sooth/export_integers.h"
#include "sooth/core_cost.h"
#include "sooth/integers_code.h"
#include "sooth/export_xgboost.h"
#include "sooth/import.h"
#include "sooth/libsvm.h"
#include "sooth/model.h"
#include "sooth/quantise.h"
#include "sooth/rules.h"
#include "sooth/scorer.h"
#include "sooth/slot.h"
#include "sooth/slowdown_model.h"
#include "sooth/sofnn_learn.h"

/* Makes a checksum right: a mutator changes what a checksum would otherwise keep from being tried. */
void fuzz_seal(sooth_block *block);
void fuzz_seal(sooth_block *block) { soothi_block_seal(block); }
