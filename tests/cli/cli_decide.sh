#!/bin/sh
# Black-box tests of `sooth correlate`, `cluster`, `card`, `fairness`, `slowdown`, `allocate`, `bags`: what
# they find, beside what SciPy, scikit-learn, numpy and brute force find (tests/golden/decide.py) or what
# comes out by hand, and what they say of bad input.
# Ends with "cli_decide: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh
golden=$golden/decide

# near FILE GOLDEN WITHIN: the same cells, numbers within so much of each other, relatively (absolutely where
# they are small)
near() {
    if awk -F, -v within="$3" '
        NR == FNR { line[NR] = $0; lines = NR; next }
        {
            n = split(line[FNR], cell, ",")
            if (n != NF) { print "line " FNR ": " n " cells, not " NF; bad = 1 }
            for (k = 1; k <= NF; ++k) {
                if (cell[k] == $k) continue
                off = cell[k] - $k; if (off < 0) off = -off
                size = $k < 0 ? -$k : $k; if (size < 1e-3) size = 1e-3
                if (cell[k] !~ /^[-+0-9.e]+$/ || $k !~ /^[-+0-9.e]+$/ || off > within * size) {
                    print "line " FNR ", cell " k ": " cell[k] ", not " $k; bad = 1
                }
            }
        }
        END { if (lines != FNR) { print lines " lines, not " FNR; bad = 1 } exit bad }
    ' "$1" "$2" > differences; then ok; else fail "$1 and $2 differ"; head -4 differences; fi
}

for c in correlate cluster card fairness slowdown allocate bags; do
    expect 0 "sooth $c" help $c
    cp out help_text
    expect 0 Example $c --help
    check "help $c and $c --help" cmp -s help_text out
    expect 2 'usage: sooth' $c
done

# ---- correlate

in=$golden/correlate_in.csv
learn="$in --target watts --group program"
expect 0 'watts and 6 features in 60 rows' correlate $learn --limit 0.85 -o correlated.csv
near correlated.csv $golden/correlate_out.csv 1e-9
check "what to keep" grep -q '4 of 6 features kept: --features other,volts,ways,same' out
check "whom it is like" grep -q 'clock .* no: .* with volts' out
expect 2 'correlated.csv already exists' correlate $learn -o correlated.csv
expect 0 feature correlate $learn --by kendall -j 3 -o kendall.csv
check "by kendall alone" [ "$(head -1 kendall.csv)" = feature,kendall,p_kendall,within_kendall,rows ]
expect 0 feature correlate $learn --by kendall -o one.csv
check "the same with three threads" cmp -s one.csv kendall.csv
expect 0 '"pearson": {' correlate $in --target watts --json
expect 1 'has no column watt for --target; did you mean watts?' correlate $in --target watt
expect 1 'line 2, column 1 (program): "p0" is not a number' correlate $in --target program
expect 2 '--target COLUMN is missing' correlate $in
expect 2 'correlate takes one' correlate $in --target watts,clock
expect 2 '--by is kendal, but must be of spearman, kendall, pearson; did you mean kendall?' \
    correlate $learn --by kendal
expect 2 '--by has kendall twice' correlate $learn --by kendall,kendall
expect 2 '--limit is 2, but must be a number between 0 and 1' correlate $learn --limit 2
expect 2 '--limit is empty' correlate $learn --limit ''
expect 1 'cannot read none.csv' correlate none.csv --target y

# ---- cluster

in=$golden/cluster_in.csv
expect 0 '3 clusters are supported: their mean silhouette, 0.91' cluster $in -o clusters.csv
near clusters.csv $golden/cluster_out.csv 1e-5
run cluster $in --most 5 --json
awk 'BEGIN { print "clusters,silhouette" }
    /"clusters":/ { k = $2 + 0 }
    /"silhouette":/ { sub(",", "", $2); print k "," $2 }' \
    out > scores.csv
near scores.csv $golden/cluster_scores.csv 1e-6
expect 0 '2 clusters are not supported: the mean silhouette is 0.62, which is not above 0.7' cluster $in -k 2
check "which are" grep -q 'The best is 3, with 0.91' out
expect 0 'No number of clusters is supported: of 3, the best, the mean silhouette is' \
    cluster $golden/uniform.csv
# the example of cluster.h, by hand: parted half way between 2 and 41, and 41 and 78.67
printf 'job,misses\n' > misses.csv
for m in a,2 b,41 a,3 a,1 b,38 c,80 b,44 c,77 c,79; do echo $m; done >> misses.csv
expect 0 'split at 21.5000, 59.8333' cluster misses.csv --group job
check "groups in clusters" grep -q '3 of 3 groups lie in one cluster each' out
check "the second cluster" grep -q 'misses  *2.000  *41.00  *78.67' out
printf 'a\n1\n2\n1\n2\n90\n' > odd.csv
expect 0 'Cluster 2 has only line 6 of odd.csv' cluster odd.csv -k 2
check "one odd row is no cluster" grep -q '2 clusters are not supported: the mean silhouette, 0.79, is' out
printf 'a,b\n1,2\n3,\n5,1\n2,9\n' > gap.csv
expect 1 'line 3: b is missing, and distances need every value' cluster gap.csv
expect 0 'left out    1 row in which a feature is missing' cluster gap.csv --drop-missing -o kept.csv
check "a row left out has no cluster" grep -q '^3,,,$' kept.csv
printf 'a,b\n1,2\n3,4\n' > few_rows.csv
expect 1 '2 rows is too few for clusters' cluster few_rows.csv
expect 2 '--clusters is 1, but must be' cluster $in -k 1
expect 1 '50 clusters need at least that number of rows, but there are 45' cluster $in -k 50
printf 'a\n1\n2\n1\n2\n2\n' > two.csv
expect 1 'there are fewer than 4 different rows' cluster two.csv -k 4
printf 'a\n1\n1\n1\n' > same.csv
expect 1 'n_clusters is 2, but the table has only 1 distinct row' cluster same.csv
expect 2 '--transform is minmx, but must be one of standard|minmax' cluster $in --transform minmx
expect 1 'has no column program for --group' cluster $in --group program

# ---- card

times=$golden/times.csv
for form in log plain; do
    plain=; [ $form = log ] || plain=--plain
    expect 0 'old to new' card make $times --here old --there new --group family $plain -o $form.card
    sed -n '/^intercept/,$s/ = /,/p' $form.card > $form.csv
    near $form.csv $golden/card_$form.csv 1e-6
done
check "its unit" grep -q '^unit = s$' log.card
printf 'time\n1.5\n20.0\n0.25\n' > mine.csv
expect 0 '1 row outside of the range of the card' card translate log.card mine.csv -o there.csv
near there.csv $golden/translated.csv 1e-6
expect 0 'old to new' card compare log.card plain.card
expect 2 '-o FILE is missing' card make $times --here old --there new
expect 2 'log.card already exists' card make $times --here old --there new -o log.card
expect 2 'mak is not one of make, compare, translate; did you mean make?' card mak x
expect 2 '--here does not apply to `sooth card translate`' card translate log.card mine.csv --here a
expect 2 '--output does not apply to `sooth card compare`' card compare log.card -o x
expect 2 'usage: sooth card translate CARD DATA.csv' card translate log.card
expect 2 'are the same column' card make $times --here old --there old -o m
expect 1 'has no column nwe for --there; did you mean new?' card make $times --here old --there nwe -o m
expect 1 'has old in s and new in ms; a card needs one unit' card make - --here old --there new -o m << 'END'
old [s],new [ms]
1,2
2,3
END
expect 1 'line 3: the times are 2 and 0, but must be above 0' card make - --here a --there b -o m << 'END'
a,b
1,2
2,0
END
expect 1 'points is 1, but must be at least 2' card make - --here a --there b -o m << 'END'
a,b
1,2
2,
END
absent m
# broken NAME=VALUE SENTENCE: the card with one line changed; a name alone takes the line away
broken() {
    grep -v "^${1%%=*} =" log.card > bad.card
    [ "${1#*=}" = "$1" ] || echo "${1%%=*} = ${1#*=}" >> bad.card
    expect 1 "$2" card translate bad.card mine.csv
}
broken slope 'slope is missing'
broken slope=steep 'slope is steep, but must be a finite number'
broken slope=inf 'but must be a finite number'
broken least=-1 'least is -1, but must be above 0'
broken least=99 'least is 99, but must be below most'
broken points=1 'points is 1, but must be an integer, 2 or more'
broken points=2.5 'but must be an integer'
broken form=cubic 'form is cubic, but must be log or plain'
broken sooth_translation_card=2 'the card is of version 2, but this sooth reads version 1'
broken sooth_translation_card 'it is not a translation card'
broken slop=1 'unknown field slop; did you mean slope?'
broken from= 'from has no value'
broken "to=$(printf 'a\033[2Jb')" 'to is not text'
broken "to=$(printf '%064d' 0)" 'to has more than 63 bytes'
{ cat log.card; echo 'slope = 1'; } > bad.card
expect 1 'slope appears twice' card translate bad.card mine.csv
printf 'watts\n' > bad.card
expect 1 'line 1: "watts" is not "name = value"' card compare bad.card
expect 1 'it holds bytes that are not text' card compare "$sooth"
printf 'time [ms]\n1\n' > ms.csv
expect 1 'has time in ms, but log.card translates times in s' card translate log.card ms.csv
printf 'time\n1\n-1\n' > below.csv
expect 1 'line 3: time is -1, but must be above 0' card translate log.card below.csv
printf 'seconds\n1\n' > named.csv
expect 2 'has no column time; name the column with --time' card translate log.card named.csv
# two cards from one machine cross at exp((i1 - i2) / (s2 - s1)) = e^2 = 7.39
for to in 'a 0 1' 'b 1 0.5'; do
    set -- $to
    sed "s/^to = .*/to = $1/; s/^intercept = .*/intercept = $2/; s/^slope = .*/slope = $3/" log.card > $1.card
done
expect 0 'a up to 7.4' card compare a.card b.card
check "and then the other" grep -q ', then b$' out

# ---- fairness: by hand. Others of sift beside itself press with 4e6, High: 1.4 / 1.9; beside blur with 1e6,
# Medium: 1.2 / 1.3; blur beside sift is High: 1.2 / 1.5; the longest task comes first

cat > cards.csv << 'END'
name,alone_time,pressure,slowdown_low,slowdown_medium,slowdown_high,caused_low,caused_medium,caused_high
sift,2.5,4e6,1.1,1.3,1.9,1.2,1.2,1.4
blur,3,1e6,1.0,1.1,1.2,1.0,1.05,1.5
hash,1,2e5,1,1,1,1,1,1
END
printf 'a,b,time\nsift,sift,3\nsift,blur,3.5\nhash,blur,3\nhash,,1\n' > bags.csv
cat > expected.csv << 'END'
a,b,time,alone_time_1,alone_time_2,fairness_1,fairness_2
sift,sift,3,2.5,2.5,0.73684211,0.73684211
sift,blur,3.5,3,2.5,0.8,0.92307692
hash,blur,3,3,1,1,1
hash,,1,,,,
END
bags="bags.csv --cards cards.csv --tasks a,b"
expect 0 '1 bag with other numbers of tasks' fairness $bags --count 2 -o vectors.csv
near vectors.csv expected.csv 1e-6
# sums of 2e5, 1e6, 1e6, 4e6, 4e6, 4e6: half way between three centres
check "thresholds of three clusters" grep -q -e '--thresholds 600000,2500000 ' out
expect 0 '3 bags of 2 tasks' fairness $bags --count 2 --thresholds 1e6,3e6 -o again.csv
check "the same with like thresholds" cmp -s vectors.csv again.csv
# Table 7, row 17: GP L F CPs
sed '1s/$/,alone_power,llc_miss/; 2s/$/,50,7/; 3s/$/,60,8/; 4s/$/,70,9/' cards.csv > full.csv
sed '1s/$/,cpu_power/; 2,$s/$/,33/' bags.csv > powered.csv
columns=alone_power_1,alone_power_2,llc_miss_1,llc_miss_2,fairness_1,fairness_2,bag_cpu_power
expect 0 "a,b,time,cpu_power,$columns" \
    fairness powered.csv --cards full.csv --tasks a,b --count 2 --combination 17
check "its second bag" grep -q '^sift,blur,3.5,33,60,50,8,7,0.8,0.923077,33$' out
expect 1 'line 5: this bag has 1 task, but all bags must have the same number of tasks' fairness $bags
expect 1 'line 2: the card of sift has no cpu_power' fairness $bags --count 2 --combination 16
expect 1 'bags.csv has no bag of 5 tasks' fairness $bags --count 5
cut -d, -f1-6 cards.csv > half.csv # a missing column is named
expect 1 'line 2: the card of sift has no caused_high, which fairness needs in this bag' \
    fairness bags.csv --cards half.csv --tasks a,b --count 2 --thresholds 1e6,3e6
sed 's/1.4$/0/' cards.csv > zero.csv
expect 1 'line 2: caused_high is 0 on the card of sift, but fairness needs a number above 0' \
    fairness bags.csv --cards zero.csv --tasks a,b --count 2 --thresholds 1e6,3e6
expect 2 '--cards CARDS.csv is missing' fairness bags.csv --tasks a,b
expect 2 '--tasks names 1 column, but a bag has 2 to 16 tasks' fairness bags.csv --cards cards.csv --tasks a
expect 1 'has no column c for --tasks' fairness bags.csv --cards cards.csv --tasks a,c
expect 2 'unknown field fairnes; did you mean fairness?' fairness $bags --fields fairnes
expect 2 'exclude each other' fairness $bags --fields ipc --combination 3
expect 2 '--combination is 21' fairness $bags --combination 21
expect 2 '--thresholds is 3,1, but must be' fairness $bags --count 2 --thresholds 3,1
expect 2 '--thresholds needs fairness or slowdown' \
    fairness $bags --count 2 --fields alone_time --thresholds 1,3
sed 's/hash/hsah/' bags.csv > typo.csv
expect 1 'line 4: cards.csv has no card of hsah; did you mean hash?' \
    fairness typo.csv --cards cards.csv --tasks a,b --count 2
sed '4s/hash/sift/' cards.csv > twice.csv
expect 1 'line 4: sift already has a card' fairness bags.csv --cards twice.csv --tasks a,b --count 2
sed '3s/1.1/-1.1/' cards.csv > below.csv
expect 1 'line 3: slowdown_medium is -1.1, but must be 0 or above' \
    fairness bags.csv --cards below.csv --tasks a,b --count 2

# ---- slowdown: the simulator's kernels, as tests/test_slowdown.c learns them

"$root/build/runs" learn > learn.csv
"$root/build/runs" pairs > pairs.csv
expect 0 'slowdowns from 1800 rows of learn.csv' slowdown fit learn.csv -o ksm.sooth
check "producers are neighbours" grep -q '1800 rows without slowdowns' out
# test_slowdown prints the same 7.3 % for pairs of kernels never seen
expect 0 'off by 7.3 % there' slowdown predict ksm.sooth pairs.csv -o predicted.csv
# the same by hand: neighbours' sums and logarithms by awk, the network by `sooth predict`
awk -F, -v OFS=, '
    NR == FNR { if (FNR > 1) for (k = 9; k <= 11; ++k) sum[$1, k] += $k; next }
    FNR == 1 {
        print "ln(units),ln(ipc + 0.001),ln(l1d_access + 0.001),ln(l1d_miss + 0.001)," \
            "ln(l1c_access + 0.001),ln(l1c_miss + 0.001),ln(l2_access + 0.001),ln(l2_miss + 0.001)," \
            "ln(bandwidth + 0.001),ln(others'"'"' l2_access + 0.001),ln(others'"'"' l2_miss + 0.001)," \
            "ln(others'"'"' bandwidth + 0.001)"
        next
    }
    {
        line = sprintf("%.9g", log($3))
        for (k = 4; k <= 11; ++k) line = line sprintf(",%.9g", log($k + 0.001))
        for (k = 9; k <= 11; ++k) line = line sprintf(",%.9g", log(sum[$1, k] - $k + 0.001))
        print line
    }' pairs.csv pairs.csv > logs.csv
run predict ksm.sooth logs.csv -o by_hand.csv
awk -F, -v OFS=, 'FNR > 1 { for (k = 13; k <= 14; ++k) if ($k < 1) $k = 1; print $13, $14 }' by_hand.csv \
    > by_hand
cut -d, -f14,15 predicted.csv | sed 1d > by_sooth
near by_sooth by_hand 1e-4
check "slowdown is their product" awk -F, '
    FNR > 1 { d = $14 * $15 - $16; if (d > 1e-5 || d < -1e-5) exit 1 }' predicted.csv
# a program left out, by hand: fit the other runs, predict its own
awk -F, 'FNR == 1 || $1 <= 360' learn.csv > few.csv
expect 0 '3 programs, 360 rows' slowdown fit few.csv --group program --set epochs=5 -o few.sooth
cp out told
for program in mriq ctcp wall; do
    awk -F, -v p=$program '
        NR == FNR { if ($2 == p) with[$1]; next }
        FNR == 1 { print > "others.csv"; print > "own.csv"; next }
        { print > ($1 in with ? "own.csv" : "others.csv") }' few.csv few.csv
    "$sooth" slowdown fit others.csv --set epochs=5 -o others.sooth --force > /dev/null
    "$sooth" slowdown predict others.sooth own.csv -o own_predicted.csv --force > /dev/null
    awk -F, -v p=$program '$2 == p { print $16 / ($12 * $13) - 1 }' own_predicted.csv
done | awk '
    { sum += $1 < 0 ? -$1 : $1 }
    END { printf "off by %.1f %% for an unseen program\n", 100 * sum / NR }' > by_hand
check "each program left out: $(cat by_hand)" grep -qFf by_hand told
# another kind, both programs of each pair left out; by hand: fit to the runs without either
trees="--model extratrees --set n_estimators=3 --set no_copies=1"
expect 0 '% for runs of unseen programs (7 programs, 294 rows' \
    slowdown fit pairs.csv --group program $trees -o pairs.sooth
check "the rule is named" grep -q 'verdict     extratrees, .* %; the best rule, the network, has 33.4 %' out
sed -n 's/.*off by \([0-9.]*\) % for runs.*/\1/p' out > told
for a in pfn tpac bp srd2 mrig kmns sten; do
    for b in pfn tpac bp srd2 mrig kmns sten; do
        expr "$a" '>' "$b" > /dev/null && continue
        awk -F, -v a=$a -v b=$b '
            NR == FNR { if ($2 == a) has[$1, a]; else if ($2 == b) has[$1, b]
                if ($2 != a && $2 != b) other[$1]; next }
            FNR == 1 { print > "others.csv"; print > "own.csv"; next }
            ($1, a) in has && (a == b || ($1, b) in has) && !($1 in other) { print > "own.csv" }
            !(($1, a) in has) && !(($1, b) in has) { print > "others.csv" }' pairs.csv pairs.csv
        "$sooth" slowdown fit others.csv $trees -o others.sooth --force > /dev/null
        "$sooth" slowdown predict others.sooth own.csv -o own_predicted.csv --force > /dev/null
        awk -F, 'FNR > 1 { print $16 / ($12 * $13) - 1 }' own_predicted.csv
    done
done | awk '{ sum += $1 < 0 ? -$1 : $1 } END { printf "%.1f\n", 100 * sum / NR }' > by_hand
check "both programs of a pair left out: $(cat by_hand)" cmp -s by_hand told
# a kind of one target has the part as a feature; rows as learned are inside
expect 0 'verdict     svr is not better than the best rule, the network' \
    slowdown fit few.csv --group program --model svr -o svr.sooth
expect 0 'predicts part of the slowdown from 13 features' describe svr.sooth
expect 0 '' slowdown predict svr.sooth few.csv -o svr.csv
check "rows as learned are inside" \
    test "$(awk -F, 'FNR > 1 && $12 != "" && $17 != "inside"' svr.csv | wc -l)" = 0
expect 2 'there is no model svrr' slowdown fit few.csv --model svrr -o m
expect 2 'unknown option epochs' slowdown fit few.csv --model extratrees --set epochs=3 -o m
expect 2 '--transform needs --model' slowdown fit few.csv --transform log -o m
expect 2 'leave transform out' slowdown fit few.csv --model best --transform log -o m
expect 1 'the table has 13 columns, but amdahl takes 1' slowdown fit few.csv --model scaling -o m
# the same slowdowns from three times
awk -F, -v OFS=, 'FNR == 1 { print $0, "alone,alone_here,beside"; next }
    { print $0, 10, $12 == "" ? "" : 10 * $12, $12 == "" ? "" : 10 * $12 * $13 }' few.csv |
    sed '1s/sd_scal,sd_inter/s,i/' > timed.csv
for table in few timed; do
    run slowdown predict few.sooth $table.csv -o $table.predicted
    grep measured out > $table.error
done
check "from times as from slowdowns" cmp -s few.error timed.error
check "measured rows are told" grep -q "360 rows; off by" few.error
expect 0 'slowdowns from 360 rows' slowdown fit timed.csv --set epochs=2 -o timed.sooth
cut -d, -f1-14 timed.csv > untold.csv
expect 2 'has neither the columns sd_scal and sd_inter nor alone' slowdown fit untold.csv -o m
expect 1 'has no column sm for --units; did you mean sms?' slowdown fit few.csv --units sm -o m
printf 'sms,x\n1,2\n' > two_columns.csv
expect 2 'has no column ipc; name the eight columns of events with --events' \
    slowdown predict few.sooth two_columns.csv
expect 2 'has no column units or sms' slowdown predict few.sooth mine.csv
expect 2 '--events names 2 columns, but there are 8' slowdown fit few.csv --events ipc,l2_miss -o m
expect 1 'has no column sd_scale for --scal; did you mean sd_scal?' slowdown fit few.csv --scal sd_scale -o m
expect 1 'log.card' slowdown predict log.card few.csv
awk 'BEGIN { print "a,y"; for (i = 0; i < 20; ++i) print i "," i * 3 % 7 }' > other.csv
"$sooth" fit other.csv --model tree --target y --folds 0 -o other.sooth > /dev/null
expect 1 'other.sooth is a model, but not one of `sooth slowdown fit`' slowdown predict other.sooth few.csv
expect 2 'fitt is not one of fit, predict; did you mean fit?' slowdown fitt few.csv
expect 2 '-o FILE is missing' slowdown fit few.csv
expect 2 'ksm.sooth already exists' slowdown fit few.csv -o ksm.sooth
expect 2 'must be OPTION=VALUE' slowdown fit few.csv --set epochs -o m
expect 2 'epoch' slowdown fit few.csv --set epoch=3 -o m
expect 2 'epochs is 0, but must be between 1 and' slowdown fit few.csv --set epochs=0 -o m
expect 2 'epochs is -3' slowdown fit few.csv --set epochs=-3 -o m
expect 2 'do not apply to `sooth slowdown predict`' slowdown predict few.sooth few.csv --group program
head -2 few.csv > one.csv
expect 1 '1 row with both slowdowns is not enough' slowdown fit one.csv -o m
awk -F, -v OFS=, 'FNR == 3 { $8 = -1 } 1' few.csv > bad.csv
expect 1 'line 3: l1c_miss is -1, but must be 0 or above' slowdown fit bad.csv -o m
awk -F, -v OFS=, 'FNR == 2 { $3 = "" } 1' few.csv > bad.csv
expect 1 'line 2: sms is missing, but must be above 0' slowdown fit bad.csv -o m
awk -F, -v OFS=, 'FNR == 2 { $12 = 0 } 1' few.csv > bad.csv
expect 1 'line 2: the slowdowns, or the times they come from, must be above 0' slowdown fit bad.csv -o m
awk -F, -v OFS=, 'FNR > 1 { $1 = 1 } 1' few.csv > bad.csv
expect 1 'a run of more than 64 programs' slowdown fit bad.csv -o m
awk -F, 'FNR == 1 || $2 ~ /mriq|cache|bandwidth/' few.csv > bad.csv
expect 1 'without the runs of this program there is nothing to fit to' \
    slowdown fit bad.csv --group program -o m
absent m

# ---- bags: a known truth, all placements tried, and sets left out by hand

# Eight jobs: the slowdown of i next to j is exp(s_i + p_j). Half of the pairs ran.
truth='function s(i) { return 0.02 + i * 3 % 8 / 20 } function p(i) { return 0.02 + i * 5 % 8 / 25 }
    function alone(i) { return 10 + i * 7 % 8 }'
awk "$truth"' BEGIN {
    print "run,job,seconds"
    for (i = 0; i < 8; ++i) for (j = i + 1; j < 8; ++j) if ((i + j) % 4 % 3) for (k = 0; k < 4; ++k) {
        print ++n ",job" i "," alone(i) * exp(s(i) + p(j)); print n ",job" j "," alone(j) * exp(s(j) + p(i))
    }
    for (i = 0; i < 8; ++i) print ++n ",job" i "," alone(i)
}' > bags_in.csv
json() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" out; }
run bags bags_in.csv --bag job0,job4 --bag job1,job0 --json
check "a pair that never ran" eval '[ $rc -eq 0 ] && json slowdown | awk "$truth"'\'' { is[NR] = $1 } END {
    true_0 = exp(s(0) + p(4)); true_4 = exp(s(4) + p(0))
    exit !(is[1] / true_0 < 1.02 && is[1] / true_0 > 0.98 && is[2] / true_4 < 1.02 && is[2] / true_4 > 0.98)
}'\'
check "is learned, one that ran is measured" [ "$(json basis | tr -d '\n')" = '"learned""measured"' ]
check "and the mean of a job's slowdowns is worse" \
    eval 'awk "BEGIN { exit !($(json error) < 0.03 && $(json error_of_the_mean) > 0.06) }"'
cp out told
awk -F, 'NR == 1; NR > 1 { line[++n] = $0 } END { for (i = n; i; --i) print line[i] }' bags_in.csv |
    sed 's/seconds/t [ms]/' > turned.csv
run bags turned.csv --time t --bag job0,job4 --json
check "jobs alone may come last or first" eval '[ $rc -eq 0 ] && awk "BEGIN {
    off = $(json time | head -1) / $(grep \"time\" told | head -1 | tr -dc 0-9.) - 1
    exit !(off < 1e-3 && off > -1e-3) }"'
expect 0 'alone [ms]' bags turned.csv --time t

# Two jobs of 10 and 4 s, both 1.5 times slower: after 6 s the short one ends, and the other needs 6 more.
awk 'BEGIN { print "run,job,seconds\na,long,10\nb,short,4"
    for (i = 0; i < 2000; ++i) print i ",long,15\n" i ",short,6" }' > pair.csv
expect 0 'long,short: 12.00 s until the last one ends; measured' bags pair.csv --bag long,short

# Five jobs on two slots: no way to pair them or leave them alone has a smaller sum.
all=; for a in 0 1 2 3 4; do
    all="$all --bag job$a"
    for b in 0 1 2 3 4; do [ $a -lt $b ] && all="$all --bag job$a,job$b"; done
done
run bags bags_in.csv $all --queue job0,job1,job2,job3,job4 --json
check "a placement" [ $rc -eq 0 ]
awk '/"job":/ { gsub("[^0-9]", ""); bag = bag $0 } /"bags": \[/ { bag = "" } /"queues"/ { queues = 1 }
    /"time":/ { sub(",", "", $2); if (queues) { placed = $2; exit } time[bag] = $2; bag = "" }
    function best(left, first, rest, k, t, least) {
        if (left == "") return 0
        first = substr(left, 1, 1); rest = substr(left, 2); least = time[first] + best(rest)
        for (k = 1; k <= length(rest); ++k) {
            t = time[first substr(rest, k, 1)] + best(substr(rest, 1, k - 1) substr(rest, k + 1))
            if (t < least) least = t
        }
        return least
    }
    END { print placed, best("01234") }
' out > placed
check "is the best of all: $(cat placed)" awk '{ exit !($1 < 1.005 * $2 && $1 > 0.999999 * $2) }' placed
check "and better than their order, and than one by one" \
    awk -v order="$(json time_in_order)" -v single="$(json time_one_by_one)" \
    '{ exit !($1 < order && $1 < single) }' placed
# two machines: bags start in turn, where one is free; at most the time of one machine
run bags bags_in.csv --queue job0,job1,job2,job3,job4,job5 --machines 2 --json
check "two machines" awk '/"machine":/ { m = $2 + 0 } /"start":/ { start = $2 + 0 }
    /"time":/ { t = $2 + 0; if (!queue) { if (!placed) placed = t } }
    /"basis":/ { bag = 1 }
    /"time":/ && bag { if (start > end[m] + 1e-9 || start < end[m] - 1e-9) exit 1; end[m] = start + t; bag = 0
        if (end[m] > last) last = end[m] }
    END { exit !(placed && last > placed * 0.999999 && last < placed * 1.000001 && end[1] && end[2]) }' out

# Sets left out by hand: three sets of three jobs
cat > three.csv << 'END'
run,job,seconds
1,a,10
2,b,20
3,c,5
4,a,15
4,b,22
5,a,12
5,c,9
6,b,30
6,c,6
END
for out_of in 4 5 6; do
    set -- $(awk -F, -v r=$out_of '$1 == r { printf "%s %s ", $2, $3 }' three.csv)
    grep -v "^$out_of," three.csv > two_sets.csv
    run bags two_sets.csv --bag $1,$3 --json
    json slowdown | head -n 2 | awk -v t1=$2 -v t2=$4 -v n1=$1 -v n2=$3 '
        function alone(n) { return n == "a" ? 10 : n == "b" ? 20 : 5 }
        { off = NR == 1 ? $1 / (t1 / alone(n1)) : $1 / (t2 / alone(n2)); print off < 1 ? 1 - off : off - 1 }'
done | awk '{ sum += $1 } END { printf "off by %.1f %% (6 slowdowns)\n", 100 * sum / NR }' > by_hand
expect 0 'a,b,c: ' bags three.csv --bag a,b,c
check "three that never ran together" grep -q 'until the last one ends; pairs measured' out
run bags three.csv
check "sets left out: $(cat by_hand)" grep -qFf by_hand out

# A microbenchmark without an end: it needs no time alone. A job that was never next to others is outside.
cat >> three.csv << 'END'
7,a,14
7,High,
8,d,7
END
printf 'run,job,seconds\n1,a,10\n2,b,20\n3,a,15\n3,b,\n' > solo.csv
expect 0 'a,d: ' bags three.csv --bag a,d
check "outside" grep -q 'until the last one ends; outside' out
check "and why" grep -q 'd: no time next to another job is known' out
expect 0 'a: no time of another job next to it is known' bags solo.csv --bag a,b
check "a microbenchmark slows" eval '"$sooth" bags three.csv | grep -q "^  High *- *0 "'
expect 0 'd: 7.000 s until the last one ends; measured' bags three.csv --bag d
expect 1 'three.csv: High was not measured alone; add a run with this job only' bags three.csv --bag a,High
expect 1 'three.csv has no job hihg; did you mean High?' bags three.csv --queue a,hihg
expect 2 '--bag names 17 jobs, but a bag has 1 to 16' bags three.csv --bag a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a
expect 2 '--slots is 17' bags three.csv --queue a --slots 17
expect 2 '--slots needs --queue' bags three.csv --slots 3
expect 2 '--machines needs --queue' bags three.csv --machines 3
expect 2 'has no column seconds; name the column with --time' bags turned.csv
expect 2 'has no column run; name the column with --run' bags mine.csv
# bad_run ROW SENTENCE: a table with one bad row
bad_run() { { cat three.csv; echo "$1"; } > bad.csv; expect 1 "$2" bags bad.csv; }
bad_run '9,,3' 'line 14: the job is missing'
bad_run ',a,3' 'line 14: the run is missing'
bad_run '9,a,0' 'line 14: the time of a is 0, but must be above 0'
bad_run '9,a,-2' 'line 14: the time of a is -2, but must be above 0'
bad_run '9,a,' 'line 14: a was alone, but its time is missing'
bad_run '7,High,20' 'line 11: High has a time next to others, but none alone; add a run with this job only'
head -4 three.csv > bad.csv
expect 1 'bad.csv has no run of two or more jobs' bags bad.csv
printf 'run,job,seconds\n1,a,10\n2,b,20\n3,a,15\n3,b,22\n3,a,15\n' > bad.csv
expect 1 'line 6: this run has a with the time 15 twice' bags bad.csv
printf 'run,job,ms\n1,a,10 s\n2,b,20 s\n4,a,30 s\n3,a,45 s\n3,b,22 s\n' > bad.csv
expect 0 'a took 10 to 30 alone; its slowdowns count from the mean' bags bad.csv --time ms
expect 0 '"unit": "s"' bags bad.csv --time ms --json
{ echo run,job,seconds; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo 1,j$i,3; done; } > bad.csv
expect 1 'line 18: this run has more than 16 jobs; name the column that identifies runs with --run' \
    bags bad.csv
awk 'BEGIN { print "run,job,seconds"; for (i = 0; i < 1025; ++i) print i ",j" i ",3" }' > bad.csv
expect 1 'line 1026: j1024 is one job too many; at most 1024 are learned' bags bad.csv

# ---- allocate: what is best of all 55 allocations, and Algorithm 1 step by step

programs=$golden/programs.csv
for policy in fair least-worst most-progress; do
    expect 0 "3 programs on 12 units, $policy" allocate $programs --units 12 --policy $policy -o $policy.csv
    near $policy.csv $golden/allocated_$policy.csv 1e-5
done
# the example of allocate.h
printf 'program,units,sd_scal,sd_inter\na,30,1.9,1.4\nb,30,1.2,1.0\n' > two.csv
expect 0 'Unfairness 0.377, before 0.549' allocate two.csv --units 60
check "35 and 25" awk '/^  a/ { a = $4 } /^  b/ { b = $4 } END { exit !(a == 35 && b == 25) }' out
# sharing by weight: 45 of 60, and progress in proportion until more is known: 60 / 15 = 4 times slower
printf 'program,observed,weight\na,1.5,3\nb,4,1\n' > weights.csv
expect 0 'sharing is not worth it' allocate weights.csv --units 60 --policy even
check "by weight" awk '/^  a/ { a = $5 } /^  b/ { b = $5 } END { exit !(a == 45 && b == 15) }' out
# a promise that is kept with the fewest units: 0.7 / (1 / 1.2) of 30 by a straight line is 25.2
printf 'program,units,sd_scal,target\na,30,1.9,\nb,30,1.2,0.7\n' > promise.csv
expect 0 qos allocate promise.csv --units 60 --policy qos
check "26 units keep it" awk '/^  b/ { exit $5 != 26 }' out
expect 1 'the targets cannot be met on 60 units' allocate - --units 60 --policy qos << 'END'
program,units,sd_scal,target
a,30,1.9,0.9
b,30,1.2,0.9
END
# straight from the slowdowns that are predicted
awk -F, '$1 == "run" || $1 == 5' pairs.csv | cut -d, -f1-11 > now.csv
"$sooth" slowdown predict ksm.sooth now.csv 2> err > piped.csv
expect 0 '2 programs on 60 units, fair' allocate piped.csv --units 60
expect 0 '"unfairness_before"' allocate two.csv --units 60 --json
expect 2 '--units N is missing' allocate two.csv
expect 2 '--units is 0' allocate two.csv --units 0
expect 1 'have 60 units together, but the machine has 50' allocate two.csv --units 50
expect 1 'units is 1, but must be from 2 (programs)' allocate two.csv --units 1
expect 2 '--policy is fare, but must be one of fair, qos' allocate two.csv --units 60 --policy fare
expect 2 '--guard applies only to the policy qos' allocate two.csv --units 60 --guard 0.1
expect 2 '--threshold applies only to the policy fair' allocate two.csv -u 60 -p qos --threshold 0.1
expect 2 '--max-distance applies only to' allocate two.csv -u 60 -p even --max-distance 3
expect 2 'has no column program; name the column with --program' allocate mine.csv --units 4
expect 2 'has no column sd_scal or observed' allocate misses.csv --program job --units 4
# row CELLS SENTENCE: a table with one bad row
row() {
    printf 'program,units,sd_scal,sd_inter,weight,target,least\na,30,1.5,1,1,,\n%s\n' "$1" > bad.csv
    expect 1 "$2" allocate bad.csv --units 60
}
row 'b,30,,1,1,,' 'line 3: b has neither a slowdown by its units nor an observed one'
row 'b,30,-1,1,1,,' 'must be above 0 and finite'
row 'b,2.5,2,1,1,,' 'line 3: units is 2.5, but must be an integer between 1 and 60'
row 'b,,2,1,1,,' 'line 3: units is 0, but must be an integer'
row 'b,30,2,1,0,,' 'line 3: the weight is 0, but must be above 0'
row 'b,30,2,1,1,70,' 'line 3: the target is 70, but must be between 0 and 1'
row 'b,30,2,1,1,,99' 'line 3: least is 99, but must be an integer between 1 and 60'
row ',30,2,1,1,,' 'line 3: the program is missing'
row 'b,30,2,1,1,,60' 'sum of least over all programs is 61'
{ echo program,sd_scal; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo p$i,2; done; } > many.csv
expect 1 'p17 is one program too many; at most 16' allocate many.csv --units 60
printf 'program,sd_scal\na,2\na,1.5\nb,2\n' > twice.csv
expect 1 'a has several rows, but no column has the number of units' allocate twice.csv --units 60

echo "cli_decide: $passed passed, $failed failed"
[ $failed -eq 0 ]
