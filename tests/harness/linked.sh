#!/bin/sh
# linked.sh TEST.c OBJECT [HEADER]: how a program that includes headers of ours is compiled with the object of
# the library: flags that stand behind the name of the program. Most programs only declare. One that
# calls internal functions has those from the headers (tests/harness/inside.h). One that defines something
# before the first header, which changes the code there, has all from the headers, and no object.
#
# linked.sh precompile HEADER COMPILER FLAGS...: writes inside.h and sooth.h as one, and compiles it. gcc
# then reads no header again for programs with the same flags, unless one chooses what the system's declare.
# (clang gains nothing.)
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
inside="-fno-inline -isystem include -include"
if [ "$1" = precompile ]; then
    header=$2; shift 2
    cat tests/harness/inside.h > "$header"
    printf '%s\n' '#define SOOTH_IMPLEMENTATION' '#include "sooth.h"' >> "$header"
    "$@" ${inside%-include} -pthread -x c-header "$header" -o "$header.gch"
    exit
fi
header=tests/harness/inside.h
[ -z "$3" ] || grep -q '^#define _' "$1" || header=$3
defined() { sed '/^#include "sooth/q' "$1" | grep -q "^#define $2.* ."; }
if defined "$1" SOOTHI_; then :
elif ! grep -q soothi_ "$1"; then echo "-DSOOTH_LINKED $2"
elif ! defined "$1" '[A-Za-z]'; then
    echo "$inside $header $2"
fi
