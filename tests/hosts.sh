#!/bin/sh
# The scheduler on recorded measurements: twice the same, and the predicted placement is better than the two
# that know nothing.
# Ends with "hosts: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
    name=$1; shift
    if "$@" > "$work/log" 2>&1; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "  FAILED  $name"
    head -5 "$work/log"
}
# refused CODE WORDS COMMAND...: one sentence with these words and this exit code
refused() {
    code=$1 words=$2; shift 2
    "$@" > "$work/log" 2>&1
    [ $? -eq "$code" ] && grep -qF -e "$words" "$work/log"
}
run=build/hosts data=examples/colocate/data

$run --recorded $data > "$work/a" || echo "  it fails"
$run --recorded $data > "$work/b"
check "the table is the same twice" cmp "$work/a" "$work/b"

# of POLICY COLUMN: a figure of the table
of() { awk -v p="$1" -v c="$2" '$1 == p { print $c + 0 }' "$work/a"; }
less() { awk "BEGIN { exit !($1 < $2) }"; }
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

echo "hosts: $passed passed, $failed failed"
[ $failed -eq 0 ]
