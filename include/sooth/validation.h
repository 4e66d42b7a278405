/* validation.h - errors, and splits that are honest about what was not seen.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#if !defined(SOOTH_VALIDATION_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_VALIDATION_IMPLEMENTED))
#define SOOTH_VALIDATION_H
#include "validation/metrics.h"
#include "validation/split.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_VALIDATION_IMPLEMENTED
#endif
#endif
