/* preprocess.h - features and targets made ready for a model: scaled, and categories as numbers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
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
