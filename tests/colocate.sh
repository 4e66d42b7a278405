#!/bin/sh
# The main job on recorded measurements: it ends well, writes what it says, twice the same, and refuses what it cannot use.
# Ends with "colocate: N passed, N failed".
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
run=build/colocate data=examples/colocate/data

check "recorded run" $run --recorded $data --out "$work/a"
check "again" $run --recorded $data --out "$work/b"
for file in model.sooth report.html predicted.svg; do
    check "$file is there" test -s "$work/a/$file"
    check "$file is the same twice" cmp "$work/a/$file" "$work/b/$file"
done
check "the model is one that the command knows" build/sooth describe "$work/a/model.sooth"
check "nothing unfinished is left" test ! -e "$work/a/unfinished"
# better than ideal processor sharing on bags of three and more with a workload that was left out, as the table says
$run --recorded $data --out "$work/a" > "$work/table"
sharing=$(awk '/processor sharing/ { print $4; exit }' "$work/table") ours=$(awk '/tree, over sharing/ { print $5; exit }' "$work/table")
check "larger bags: $ours % is below processor sharing's $sharing %" awk "BEGIN { exit !($ours < 0.6 * $sharing) }"
# the page's headline is the nested figure of the table, and the kept model one of those it was chosen from
pairs=$(awk '/chosen without looking/ { print $4; exit }' "$work/table") larger=$(awk '/chosen without looking/ { print $5; exit }' "$work/table")
check "headline: $pairs and $larger" grep -q "<b>$pairs&nbsp;%</b> for pairs and <b>$larger&nbsp;%</b>" "$work/a/report.html"
check "kept model" grep -q "Model: .*, over sharing" "$work/table"
check "importances are told" grep -q "What the trees look at" "$work/table"

check "missing folder" refused 1 "cannot" $run --recorded "$work/none" --out "$work/c"
check "unknown option" refused 2 "no option --speed" $run --speed 3
check "bad number" refused 2 "--seconds is \"soon\"" $run --seconds soon
mkdir "$work/bad"; cp $data/instances.csv "$work/bad"; head -5 $data/bags.csv | cut -c1-60 > "$work/bad/bags.csv"
check "truncated records" refused 1 "bags.csv" $run --recorded "$work/bad" --out "$work/c"
check "a folder that cannot be made" refused 1 "cannot" $run --recorded $data --out "$work/log/x"
check "nothing was written for them" test ! -e "$work/c/model.sooth"

echo "colocate: $passed passed, $failed failed"
[ $failed -eq 0 ]
