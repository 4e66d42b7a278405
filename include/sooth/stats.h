/* stats.h - which columns belong together, which rows form groups.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#if !defined(SOOTH_STATS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_STATS_IMPLEMENTED))
#define SOOTH_STATS_H
#include "stats/correlate.h"
#include "stats/cluster.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_STATS_IMPLEMENTED
#endif
#endif
