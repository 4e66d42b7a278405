#!/bin/sh
# What Frama-C's WP proves: of the check and the walk of a tree, for any number of nodes and columns, and of
# the parts of those of an ensemble (tree.acsl, ensemble.acsl); of the arena (arena.acsl); of the reading of a
# number (text.acsl). A goal that is proved has passed; any other has failed. Needs frama-c, why3, z3 and cvc4
# (Debian's packages). Three minutes. Ends with "proofs: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
for tool in frama-c why3 z3 cvc4; do
    command -v $tool > /dev/null || { echo "  skipped: proofs ($tool is not here)"
        echo "proofs: 0 passed, 0 failed"; exit 0; }
done

mkdir -p build/proofs
[ -f build/proofs/why3.conf ] ||
    why3 --config build/proofs/why3.conf config detect > build/proofs/why3.log 2>&1
WHY3CONFIG=$PWD/build/proofs/why3.conf; export WHY3CONFIG
passed=0 failed=0

prove() { # NAME PART...: what the parts say, as one file
    file=build/proofs/$1; shift
    cat "$@" > "$file.acsl"
    sed -n 's|^//s ||p' "$file.acsl" > "$file.sed"
    awk -f tests/proofs/pull.awk "$file.acsl" | sed -f "$file.sed" > "$file.c"
    frama-c -wp -wp-rte -wp-prover z3,cvc4 -wp-timeout 120 -wp-par 2 "$file.c" > "$file.log" 2>&1
    proved=$(sed -n 's/^.*Proved goals: *\([0-9]*\) .*/\1/p' "$file.log")
    if [ -z "$proved" ]; then tail -n 20 "$file.log"; failed=$((failed + 1)); return; fi
    passed=$((passed + proved))
    for goal in $(sed -n '/\[\(Failed\|Timeout\|Unknown\)\]/s/.* Goal \([a-z0-9_]*\).*/\1/p' "$file.log"); do
        failed=$((failed + 1)); echo "  FAILED  $goal is not proved"
    done
}
prove trees tests/proofs/tree.acsl tests/proofs/ensemble.acsl
sed '/^#define SOOTHI_TREE_AHEAD/d' tests/proofs/tree.acsl > build/proofs/plain.acsl
prove plain_trees build/proofs/plain.acsl # as other processors walk
prove arena tests/proofs/arena.acsl
prove text tests/proofs/text.acsl
echo "proofs: $passed passed, $failed failed"
[ $failed -eq 0 ]
