/* rows.h - rows that are predicted inside the kernel, as both sides of tests/hosts/kernel.sh see them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef KERNEL_ROWS_H
#define KERNEL_ROWS_H

enum { ROWS = 16384, ROWS_KEYS = 32, ROWS_WHOLE = 8 };

struct rows {
    __u32 next, whole; /* whole: keys of the first ROWS_WHOLE features are made in the kernel */
    __s32 key[ROWS][ROWS_KEYS];
    __s64 value[ROWS][ROWS_WHOLE];
    __s64 sum[ROWS];
};

/* Cuts a row's number so that the verifier sees it. */
#define SOOTH_ROW(at)                \
    __asm__ volatile("" : "+r"(at)); \
    at &= ROWS - 1

#endif /* KERNEL_ROWS_H */
