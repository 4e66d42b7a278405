#!/bin/sh
# The main job on recorded measurements: it ends well, writes what it says, twice the same, and refuses what
# it cannot use.
# Ends with "colocate: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
run=build/colocate data=examples/colocate/data

# the recording with a made-up table of what is fought over, and of many instances of one program
mkdir "$work/data"; cp $data/*.csv $data/origin.txt "$work/data"
{ echo slowed,beside,cores,slowdown,lower_quartile,noise,present,repetitions
  for a in bandwidth faults pipes; do for b in bandwidth faults pipes; do
      case $a-$b in bandwidth-bandwidth) s=1.42;; faults-faults) s=1.6;; pipes-faults) s=1.3;; *) s=1.01; esac
      low=$s; [ $a-$b != pipes-faults ] || low=0.97
      echo $a,$b,2,$s,$low,1.02,1,7
  done; done; } > "$work/data/contention.csv"
{ echo workload,size,cores,instances,ms,core_share,spread,joules,repetitions
  for n in 1,10,1 2,10,1 4,40,0.5 8,50,1 16,120,1; do echo "sort,4096,2,$n,0.1,,3"; done; } \
    > "$work/data/scaling.csv"
$run --recorded "$work/data" --out "$work/a" > "$work/table" 2>&1
check "recorded run" [ $? -eq 0 ]
files="model.sooth report.html predicted.svg"
for file in $files contention.svg scaling.svg; do check "$file is there" test -s "$work/a/$file"; done
check "energy that was not measured is not drawn" test ! -e "$work/a/energy.svg"
head -1 "$work/table" > "$work/first"
check "the first line tells what is fought over" grep -q \
    "^On this machine programs fight over page faults (1.60) and memory bandwidth (1.42); not over pipes.$" \
    "$work/first"
check "and so does the page" grep -q "page faults (1.60)" "$work/a/report.html"
check "a star above the noise" grep -q "page faults .* 1.60\* " "$work/table"
check "a question mark where a quarter of the repetitions is not" grep -q "pipes .* 1.30? " "$work/table"
check "the page draws both" sh -c "grep -q 'programs fight over here' '$work/a/report.html' &&
    grep -q 'Many of one program' '$work/a/report.html'"
check "instances: the time on the cores" \
    grep -q "sort 4096 .*10.00 ms *1.00 *2.00 *5.00 *12.00$" "$work/table"
check "other programs are told" grep -q "had only 50 % of the cores" "$work/table"
if [ "$SOOTH_SLOW" ]; then
    $run --recorded $data --out "$work/b" > "$work/old" 2>&1
    check "a recording without it" [ $? -eq 0 ]
    check "says so first" sh -c "head -1 '$work/old' | grep -q 'does not hold what programs fought over'"
    check "nothing is drawn of it" test ! -e "$work/b/contention.svg"
    for file in model.sooth predicted.svg; do
        check "$file is the same with and without" cmp "$work/a/$file" "$work/b/$file"
    done
    check "again" $run --recorded "$work/data" --out "$work/b"
    for file in $files contention.svg scaling.svg; do
        check "$file is the same twice" cmp "$work/a/$file" "$work/b/$file"
    done
    # on this machine, whatever it fights over
    check "only contention" $run --contention --seconds 5 --out "$work/live"
    cp "$work/log" "$work/words"
    check "its first line is a finding" grep -qE "^(No contention above the noise|On this machine programs)" \
        "$work/words"
    for file in contention.csv contention.svg; do check "$file is there" test -s "$work/live/$file"; done
    check "on one core" $run --contention --seconds 5 --cores 1 --out "$work/live"
else slow=$((slow + 16)); fi
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
check "whether fairness helps is told" \
    grep -q "^Fairness helps the paper's tree with .*: [0-9.]* and [0-9.]* % without" "$work/table"

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

{ head -1 "$work/data/contention.csv"; echo luck,pipes,2,1,1,1,1,3; } > "$work/odd.csv"
mkdir "$work/luck"; cp "$work/data/instances.csv" "$work/data/bags.csv" "$work/luck"
cp "$work/odd.csv" "$work/luck/contention.csv"
check "odd contention" refused 1 "line 2: slowed is nothing that we know" \
    $run --recorded "$work/luck" --out "$work/c"
check "missing folder" refused 1 "cannot" $run --recorded "$work/none" --out "$work/c"
check "unknown option" refused 2 "no option --speed" $run --speed 3
check "contention of a recording" refused 2 "measures this machine" $run --contention --recorded $data
check "bad number" refused 2 "--seconds is \"soon\"" $run --seconds soon
mkdir "$work/bad"; cp $data/instances.csv "$work/bad"
head -5 $data/bags.csv | cut -c1-60 > "$work/bad/bags.csv"
check "truncated records" refused 1 "bags.csv" $run --recorded "$work/bad" --out "$work/c"
check "nothing was written for them" test ! -e "$work/c/model.sooth"

ended colocate
