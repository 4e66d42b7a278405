#!/bin/sh
# What Frama-C's WP proves of the check and the walk of a tree, for any number of nodes and columns, and of
# the parts of those of an ensemble: see tree.acsl and ensemble.acsl. A goal that is proved has passed; one in
# the list below is known to be left unproved, and is shown; any other has failed. Needs frama-c, why3, z3 and
# cvc4 (Debian's packages). A minute. Ends with "proofs: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
for tool in frama-c why3 z3 cvc4; do
    command -v $tool > /dev/null || { echo "  skipped: proofs ($tool is not here)"
        echo "proofs: 0 passed, 0 failed"; exit 0; }
done

unproved=""

mkdir -p build/proofs
cat tests/proofs/tree.acsl tests/proofs/ensemble.acsl > build/proofs/trees.acsl
sed -n 's|^//s ||p' build/proofs/trees.acsl > build/proofs/trees.sed
awk -f tests/proofs/pull.awk build/proofs/trees.acsl | sed -f build/proofs/trees.sed > build/proofs/trees.c
[ -f build/proofs/why3.conf ] ||
    why3 --config build/proofs/why3.conf config detect > build/proofs/why3.log 2>&1
WHY3CONFIG=$PWD/build/proofs/why3.conf; export WHY3CONFIG
frama-c -wp -wp-rte -wp-prover z3,cvc4 -wp-timeout 30 -wp-par 2 build/proofs/trees.c \
    > build/proofs/trees.log 2>&1

passed=$(sed -n 's/^.*Proved goals: *\([0-9]*\) .*/\1/p' build/proofs/trees.log)
if [ -z "$passed" ]; then tail -n 20 build/proofs/trees.log; echo "proofs: 0 passed, 1 failed"; exit 1; fi
failed=0
ways='Failed\|Timeout\|Unknown'
goals=$(sed -n "/\[\($ways\)\]/s/.* Goal \([a-z0-9_]*\).*/\1/p" build/proofs/trees.log)
for goal in $goals; do
    case " $(echo $unproved) " in
    *" $goal "*) echo "  unproved, as known: $goal" ;;
    *) failed=$((failed + 1)); echo "  FAILED  $goal is not proved" ;;
    esac
done
echo "proofs: $passed passed, $failed failed"
[ $failed -eq 0 ]
