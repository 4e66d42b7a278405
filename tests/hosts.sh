#!/bin/sh
# The scheduler on recorded measurements: twice the same, and the predicted placement is better than the two that know nothing.
# Ends with "hosts: N passed, N failed".
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
    name=$1; shift
    if "$@" > "$work/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "  FAILED  $name"; head -5 "$work/log"; fi
}
# refused CODE WORDS COMMAND...: one sentence with these words and this exit code
refused() {
    code=$1 words=$2; shift 2
    "$@" > "$work/log" 2>&1
    [ $? -eq "$code" ] && grep -qF -e "$words" "$work/log"
}
run=build/hosts data=examples/colocate/data

$run --recorded $data --schedule "$work/schedule" > "$work/a" || echo "  it fails"
cp "$work/schedule" "$work/first"
$run --recorded $data --schedule "$work/schedule" > "$work/b"
check "the table is the same twice" cmp "$work/a" "$work/b"
check "the schedule is the same twice" cmp "$work/first" "$work/schedule"

# of POLICY COLUMN: a figure of the table
of() { awk -v p="$1" -v c="$2" '$1 == p { print $c + 0 }' "$work/a"; }
less() { awk "BEGIN { exit !($1 < $2) }"; }
for other in first-come random; do
    check "makespan is below that of $other" less "$(of predicted 2)" "$(of $other 2)"
    check "unfairness is below that of $other" less "$(of predicted 3)" "$(of $other 3)"
    check "no more deadlines missed than by $other" less "$(of predicted 4)" "$(of $other 4) + 1e-9"
done
# the rounds of the schedule, one after the other, are the makespan that is told
told=$(awk '/^schedule of/ { print $3 }' "$work/a")
sum=$(awk -F, '{ s += $3 > $4 ? $3 : $4 } END { printf "%.6f", s }' "$work/schedule")
check "the schedule takes $sum ms, told are $told" awk "BEGIN { d = $sum - $told; exit !(d < 1e-3 && d > -1e-3) }"

check "missing folder" refused 1 "cannot" $run --recorded "$work/none"
check "unknown option" refused 2 "no option --speed" $run --speed 3
check "an option without its path" refused 2 "--recorded needs a path" $run --recorded
check "a schedule that cannot be written" refused 1 "cannot write" $run --recorded $data --schedule "$work/none/x"

echo "hosts: $passed passed, $failed failed"
[ $failed -eq 0 ]
