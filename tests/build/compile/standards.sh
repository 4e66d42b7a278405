#!/bin/bash
# All headers together in every standard of C and C++ that a compiler here knows, without a warning; and by
# clang's front end for MSVC, whose system headers are MinGW's here (see msvc.h).
# Ends with "standards: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../../.." || exit 1
export LC_ALL=C
to=build/standards
mkdir -p $to
passed=0 failed=0 skipped=0
check() {
    local name=$1; shift
    if "$@" > $to/log 2>&1 && ! [ -s $to/log ]; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "  FAILED  $name"; head -n 8 $to/log; fi
}
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }
printf '%s\n' '#define SOOTH_IMPLEMENTATION' '#include "sooth.h"' '#include "sooth/threads.h"' \
    '#include "sooth/files.h"' > $to/all.c
warn="-Werror $(make -s --no-print-directory warnings) -ffp-contract=off -Iinclude -fsyntax-only"
each() { # LANGUAGE COMPILER STANDARD...
    local language=$1 cc=$2 standard; shift 2
    command -v "$cc" > /dev/null || { skip "$cc is not here"; return; }
    for standard; do
        if ! echo | "$cc" -std="$standard" -x "$language" -fsyntax-only - 2> $to/log; then
            skip "$cc does not know $standard"; continue
        fi
        check "$cc $standard" "$cc" -x "$language" -std="$standard" $warn $to/all.c
    done
}
for cc in gcc clang clang-19; do each c $cc c99 c11 c17 c2x; done
for cc in g++ clang++ clang++-19; do each c++ $cc c++11 c++14 c++17 c++20 c++23; done

headers=/usr/share/mingw-w64/include
msvc="--driver-mode=cl --target=x86_64-pc-windows-msvc /W4 /WX /nologo /fp:precise /Iinclude
    /FItests/build/compile/msvc.h -Wno-builtin-macro-redefined -Wno-unused-function
    /clang:-idirafter /clang:$headers /clang:-fsyntax-only /c"
if command -v clang-19 > /dev/null && [ -d $headers ]; then
    for standard in c11 c17; do check "MSVC $standard" clang-19 $msvc /std:$standard /Tc$to/all.c; done
    for standard in c++14 c++20; do
        check "MSVC $standard" clang-19 $msvc /permissive- /std:$standard /Tp$to/all.c
    done
else skip "MSVC's rules (clang-19 or MinGW's headers are not here)"; fi
echo "standards: $passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
