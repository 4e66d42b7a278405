#!/bin/sh
# linked.sh TEST.c OBJECT: how a program that includes headers of ours is compiled with the object that the
# library was compiled to: flags that stand behind the program's name. Most programs only declare. One that
# calls internal functions has those from the headers (tests/harness/inside.h). One that defines something
# before the first header, which changes the code there, has all from the headers, and no object.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
defined() { sed '/^#include "sooth/q' "$1" | grep -q "^#define $2.* ."; }
if defined "$1" SOOTHI_; then :
elif ! grep -q soothi_ "$1"; then echo "-DSOOTH_LINKED $2"
elif ! defined "$1" '[A-Za-z]'; then
    echo "-fno-inline -isystem include -include tests/harness/inside.h $2"
fi
