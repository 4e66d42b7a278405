#!/bin/sh
# The main job on recorded measurements: it ends well, writes what it says, twice the same, and refuses what
# it cannot use.
# Ends with "colocate: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
run=build/colocate data=examples/colocate/data

$run --recorded $data --out "$work/a" > "$work/table" 2>&1
check "recorded run" [ $? -eq 0 ]
for file in model.sooth report.html predicted.svg; do check "$file is there" test -s "$work/a/$file"; done
if [ "$SOOTH_SLOW" ]; then
    check "again" $run --recorded $data --out "$work/b"
    for file in model.sooth report.html predicted.svg; do
        check "$file is the same twice" cmp "$work/a/$file" "$work/b/$file"
    done
else slow=$((slow + 4)); fi
check "the model is one that the command knows" build/sooth describe "$work/a/model.sooth"
check "nothing unfinished is left" test ! -e "$work/a/unfinished"
# better than ideal processor sharing on bags of three and more with a workload that was left out
sharing=$(awk '/processor sharing/ { print $4; exit }' "$work/table")
ours=$(awk '/tree, over sharing/ { print $5; exit }' "$work/table")
check "larger bags: $ours % is below processor sharing's $sharing %" \
    awk "BEGIN { exit !($ours < 0.6 * $sharing) }"
# the page's headline is the nested figure of the table, and the kept model one of those it was chosen from
pairs=$(awk '/chosen without looking/ { print $4; exit }' "$work/table")
larger=$(awk '/chosen without looking/ { print $5; exit }' "$work/table")
check "headline: $pairs and $larger" \
    grep -q "<b>$pairs&nbsp;%</b> for pairs and <b>$larger&nbsp;%</b>" "$work/a/report.html"
check "kept model" grep -q "Model: .*, over sharing" "$work/table"
check "importances are told" grep -q "What the trees look at" "$work/table"

check "paths are of bags left out" grep -q "for bags whose workload was left out" "$work/table"
check "both kinds of thresholds are compared" grep -q "tree, + fairness, clusters" "$work/table"
check "whether fairness helps is told" grep -q "^Fairness .* the paper's tree:" "$work/table"

# three and more from pairs alone: better than processor sharing, which knows no more of them
pairs_only=$(awk '/beside each, from pairs/ { print $6; exit }' "$work/table")
check "from pairs alone: $pairs_only %" awk "BEGIN { exit !($pairs_only < 0.6 * $sharing) }"
check "no energy is said" grep -q "^Time only" "$work/table"
check "the decision is on the page" grep -q "What to run together" "$work/a/report.html"
check "all placements were run" grep -q "^of 105 placements, each pair" "$work/table"
chosen=$(sed -n 's/^The chosen placement took \([0-9.]*\).*/\1/p' "$work/table")
random=$(sed -n 's/.*random one takes \([0-9.]*\).*/\1/p' "$work/table")
check "the chosen placement, $chosen % above the best, is better than a random one, $random %" \
    awk "BEGIN { exit !($chosen < $random) }"

# power that follows from the number of tasks is learned; a placement that was not run is told
if [ "$SOOTH_SLOW" ]; then
    mkdir "$work/watts"; cp $data/instances.csv "$work/watts"
    awk -F, -v OFS=, 'NR == 1 { print $0, "watts"; next } { print $0, 20 + 5 * $3 }' $data/bags.csv \
        > "$work/watts/bags.csv"
    $run --recorded "$work/watts" --out "$work/w" > "$work/power" 2>&1
    check "measurements with power" [ $? -eq 0 ]
    power=$(awk '/power, forest/ { print $6, $7; exit }' "$work/power")
    check "power: $power %" awk -v power="$power" 'BEGIN { split(power, p); exit !(p[1] < 1 && p[2] < 3) }'
    check "energy in the report" grep -q "predicted, J" "$work/w/report.html"
    check "not run" grep -q "It was not run" "$work/power"
    mkdir "$work/odd"; cp $data/*.csv "$work/odd"; head -3 $data/placement.csv > "$work/odd/placement.csv"
    check "too few pairs" refused 1 "different jobs" $run --recorded "$work/odd" --out "$work/c"
    check "a folder that cannot be made" refused 1 "cannot" $run --recorded $data --out "$work/log/x"
else slow=$((slow + 6)); fi

# every regressor with every combination, of a few bags: half a minute
if [ "$SOOTH_SLOW" ]; then
    mkdir "$work/few"; cp $data/instances.csv "$work/few"
    awk 'NR == 1 || NR % 6 == 1' $data/bags.csv > "$work/few/bags.csv"
    check "all regressors" $run --recorded "$work/few" --all --out "$work/all"
    cp "$work/log" "$work/every"
    check "none is said to be the paper's" grep -q "none of them is the paper's" "$work/every"
    check "what the paper's combinations hold" \
        grep -q "comb16: cpu_power, alone_power, llc_miss, fairness" "$work/every"
    # 14 regressors, a cell each; the SVR whose epsilon is a watt has none on a ratio
    check "an SVR that would learn nothing is not shown" \
        awk '/over sharing \(ours\)/ { bad += NF != 17 || $17 != "-"; ++n } END { exit !(n == 4 && !bad) }' \
        "$work/every"
    check "all else is" sh -c "! grep -i nan '$work/every'"
fi

check "missing folder" refused 1 "cannot" $run --recorded "$work/none" --out "$work/c"
check "unknown option" refused 2 "no option --speed" $run --speed 3
check "bad number" refused 2 "--seconds is \"soon\"" $run --seconds soon
mkdir "$work/bad"; cp $data/instances.csv "$work/bad"
head -5 $data/bags.csv | cut -c1-60 > "$work/bad/bags.csv"
check "truncated records" refused 1 "bags.csv" $run --recorded "$work/bad" --out "$work/c"
check "nothing was written for them" test ! -e "$work/c/model.sooth"

ended colocate
