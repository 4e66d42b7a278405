#!/bin/sh
# The scheduler on recorded measurements: twice the same, and the predicted placement is better than the two
# that know nothing.
# Ends with "hosts: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
run=build/hosts data=examples/colocate/data

$run --recorded $data > "$work/a" || echo "  it fails"
$run --recorded $data > "$work/b"
check "the table is the same twice" cmp "$work/a" "$work/b"

table=$work/a
for other in first-come random; do
    check "makespan is below that of $other" less "$(of predicted 2)" "$(of $other 2)"
    check "unfairness is below that of $other" less "$(of predicted 3)" "$(of $other 3)"
    check "no more deadlines missed than by $other" less "$(of predicted 4)" "$(of $other 4) + 1e-9"
done
check "the bound is below all" less "$(of bound 2)" "$(of predicted 2)"
check "and above the work itself" less "$(of "no" 3)" "$(of bound 2)"

check "missing folder" refused 1 "cannot" $run --recorded "$work/none"
check "unknown option" refused 2 "no option --speed" $run --speed 3
check "an option without its path" refused 2 "--recorded needs a path" $run --recorded

ended hosts
