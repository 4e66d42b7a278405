/* msvc.h - read before a header of ours by clang's front end for MSVC (headers are MinGW's), so that what is
 * there for MSVC alone is what is compiled: the system's headers first, then all that says clang or gcc goes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include <_mingw.h>
/* MinGW's headers take any compiler that is not gcc for one without attributes. */
#undef __attribute__
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
#undef __MINGW_NOTHROW
#define __MINGW_NOTHROW
#define _setjmp unused_setjmp /* clang declares its own */
#include <setjmp.h>
#undef _setjmp
#include <intrin.h>
#include <float.h>
#include <math.h>
#include <process.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#undef __clang__
#undef __GNUC__
#undef __GCC_ATOMIC_POINTER_LOCK_FREE
