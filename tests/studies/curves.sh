#!/bin/sh
# How cost grows is what the headers' comments on costs state: instructions, counted under valgrind at three
# sizes, and bytes asked of the allocator, against the formulas of bench/curves.c. No clock is read.
# Ends with "curves: N passed, N failed"; without valgrind it says so and passes nothing.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh

if ! command -v valgrind > /dev/null; then
    echo "  skipped: valgrind is not here (on Debian: valgrind)"
    echo "curves: 0 passed, 0 failed"
    exit 0
fi
check "it compiles" make -s build/curves/curves build/bench
build/curves/curves counted=1 out="$work/curves" > "$work/said" 2>&1
check "it ends well" [ $? -lt 2 ]
grep '^FAILED' "$work/said"
failed=$((failed + $(grep -c '^FAILED' "$work/said")))
passed=$((passed + $(grep -c '^[a-z].*, stated ' "$work/said")))
check "every model was counted" [ "$(grep -c ' instructions .*, stated ' "$work/said")" -ge 18 ]
ended curves
