/* check.h - what must hold, or the target ends and the fuzzer keeps its input.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define check(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

static void check_failed(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d does not hold: %s\n", file, line, condition);
    abort();
}

#endif /* CHECK_H */
