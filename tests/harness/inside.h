/* inside.h - for tests that call internal functions: these they have from the headers, and public ones from
 * the object that the library was compiled to; the compiler reads those, but does not write them again. With
 * optimize(0) gcc does not even analyse them, nor what only they call, which halves the time of a test.
 * Included before anything else (tests/harness/linked.sh), with -fno-inline.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifdef __clang__
#define SOOTH_API extern __inline__ __attribute__((gnu_inline, noinline))
#else
#define SOOTH_API extern __inline__ __attribute__((gnu_inline, noinline, optimize(0)))
#endif
