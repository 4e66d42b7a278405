/* online.h - learning while running: drift, a history for each key, a model that is replaced in use.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#if !defined(SOOTH_ONLINE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_IMPLEMENTED))
#define SOOTH_ONLINE_H
#include "online/drift.h"
#include "online/recorder.h"
#include "online/slot.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_ONLINE_IMPLEMENTED
#endif
#endif
