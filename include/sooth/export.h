/* export.h - a model as code: C, Rust, Go, BPF, XGBoost's JSON; in integers; and what it costs on a core.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#if !defined(SOOTH_EXPORT_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_IMPLEMENTED))
#define SOOTH_EXPORT_H
#include "export/c.h"
#include "export/xgboost.h"
#include "export/integers_code.h"
#include "export/core_cost.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_EXPORT_IMPLEMENTED
#endif
#endif
