#!/bin/sh
# Table 7 on recorded measurements: against the same worked out here, with what a recording may have and lack.
# Ends with "table7: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
run=build/table7 data=examples/colocate/data

# recording NAME ROWS: a part of the bags (a condition of awk), and all cards
recording() {
    mkdir "$work/$1"
    cp $data/instances.csv "$work/$1"
    awk -F, "NR == 1 || ($2)" $data/bags.csv > "$work/$1/bags.csv"
}

# Every program left out in turn, pairs: a line through both times alone, by its normal equations; the mean.
unseen_twin() {
    awk -F, -v what="$1" '
        NR > 1 && $3 == 2 { ++n; y[n] = $29; p[n] = $4; q[n] = $9; name[$4]; name[$9]
            x[n, 0] = 1; x[n, 1] = $6 > $11 ? $6 : $11; x[n, 2] = $6 > $11 ? $11 : $6 }
        function holds(i, w) { return p[i] == w || q[i] == w }
        function fit(w,    i, j, k, t, a) {
            for (i = 1; i <= n; ++i) if (!holds(i, w))
                for (j = 0; j < 3; ++j) {
                    for (k = 0; k < 3; ++k) a[j, k] += x[i, j] * x[i, k]
                    a[j, 3] += x[i, j] * y[i]
                }
            for (j = 0; j < 3; ++j) for (i = 0; i < 3; ++i) if (i != j) {
                t = a[i, j] / a[j, j]
                for (k = j; k < 4; ++k) a[i, k] -= t * a[j, k]
            }
            for (j = 0; j < 3; ++j) b[j] = a[j, 3] / a[j, j]
            mean = a[0, 0] ? 0 : 0
            for (i = 1; i <= n; ++i) if (!holds(i, w)) { sum += y[i]; ++trains }
            mean = sum / trains; sum = trains = 0
        }
        END {
            for (w in name) {
                fit(w); e = m = 0
                for (i = 1; i <= n; ++i) if (holds(i, w)) {
                    said = what == "mean" ? mean : b[0] + b[1] * x[i, 1] + b[2] * x[i, 2]
                    e += (said > y[i] ? said - y[i] : y[i] - said) / y[i]; ++m
                }
                all += 100 * e / m; ++programs
            }
            print all / programs
        }' "$work/pairs/bags.csv"
}
near() { less "$1 - 0.06" "$2" && less "$2" "$1 + 0.06"; }
# cell FILE ROW WORD: the number of a table's first block in the line with ROW, the WORD-th behind its columns
cell() { awk -v row="$2" -v k="$3" '$1 == row { for (i = 2; i <= NF; ++i) if ($i ~ /^[0-9.]+[*|]*$/) {
    if (--k == 0) { sub(/[*|]+/, "", $i); print $i; exit } } }' "$work/$1.out"; }

# The same of pairs on a GPU, whose time is twice that of the longer one; ROLES: the jobs that are left out.
shared_twin() {
    awk -F, -v gpu="$1" -v roles="$2" '
        BEGIN { ends = split(roles, role, "/") }
        NR > 1 { i = ++jobs[$1]; family[i] = $2; name[i] = $3; alone[$1, i] = $4
            for (j = 1; j <= 26; ++j) rate[$1, i, j] = $(4 + j) }
        function ran(g, i, j) { return rate[g, i, j] > 0 && rate[g, j, i] > 0 }
        function time(a, b) { return a < b ? 1 / a : 1 / b }
        END {
            for (i = 1; i <= 26; ++i) for (k = 1; k <= ends; ++k) if (name[i] == role[k]) is[k] = i
            for (i = 1; i <= 26; ++i) for (k = 1; k <= ends; ++k)
                if (i == is[k] || !ran(gpu, i, is[k])) out[i] = 1
            for (i = 1; i <= 26; ++i) for (j = i; j <= 26; ++j) {
                if (out[i] || out[j]) continue
                if (!ran("K80", i, j) || !ran("P100", i, j) || !ran("V100", i, j)) continue
                truth = time(rate[gpu, i, j], rate[gpu, j, i])
                e = 2 * time(alone[gpu, i], alone[gpu, j]) / truth - 1
                e = e < 0 ? -e : e
                sum[family[i]] += e; ++n[family[i]]
                if (family[i] != family[j]) { sum[family[j]] += e; ++n[family[j]] }
            }
            for (f in n) { all += 100 * sum[f] / n[f]; ++families }
            print all / families
        }' examples/papers/data/gavel.csv
}

recording pairs '$3 == 2 && ++n <= 60'
check "pairs alone" sh -c "$run --recorded $work/pairs > $work/pairs.out"
check "a line of the times alone is one worked out here, $(unseen_twin line)" \
    near "$(unseen_twin line)" "$(cell pairs comb6 3)"
check "so is the mean, $(unseen_twin mean)" near "$(unseen_twin mean)" "$(cell pairs mean 1)"
check "the paper's stand beside" grep -q "^  comb6 .*| *4.41 *3.76 *4.53 *7.58 *3.88 *6.65" "$work/pairs.out"
check "what has no column is not run" grep -q "columns is here: comb12, comb15\\." "$work/pairs.out"
check "what is left has the same numbers" [ "$(cell pairs comb1 1)" = "$(cell pairs comb18 1)" ]
check "what is missing is said" grep -q "IPC  *- missing: the recording has no instructions" "$work/pairs.out"
check "that time stands for power, too" grep -q "since no watts are recorded" "$work/pairs.out"
check "more tasks are too few" grep -q "Bags of 5 are not learned: there are 0, and 10" "$work/pairs.out"
check "whether fairness helps is told" grep -q "^In the table, fairness .* here" "$work/pairs.out"
check "GPU_time is on all paths" grep -q "^  2 .* GPU_time 100 " "$work/pairs.out"
check "nothing is not a number" sh -c "! grep -iw nan $work/pairs.out"

# which columns there are takes a few bags, of which nothing is learned: another machine; watts, and counters
recording few '$3 == 2 && ++n <= 10'
recording other '$3 == 2 && ++n <= 5'
recording another '$3 == 2 && ++n <= 5'
check "two machines" sh -c "$run --recorded A=$work/another $work/other > $work/two.out"
check "the first by its name" grep -q "^== A: 5 bags; the other machine: other" "$work/two.out"
check "have times of the other" grep -q "CPU_power_sh  *the time of the bag on the other" "$work/two.out"
check "and all combinations" sh -c "! grep -q 'Not run' $work/two.out"
check "which differ in more" grep -q "Of the 20 combinations 14 differ" "$work/two.out"
awk -F, -v OFS=, 'NR == 1 { print $0, "watts"; next } { print $0, 10 + $6 }' "$work/few/bags.csv" > "$work/w"
mv "$work/w" "$work/few/bags.csv"
awk -F, -v OFS=, '{ if (NR > 1) { $22 = 1e6 + NR; $23 = 5e5; $24 = 100 * NR; $25 = 2e5 + 7 * NR } print }' \
    $data/instances.csv > "$work/few/instances.csv"
check "a recording with watts and counters" sh -c "$run --recorded $work/few > $work/watts.out"
check "predicts watts" grep -q "^Predicted.*: the watts of a bag on this machine" "$work/watts.out"
check "knows misses" grep -q "LLC_miss  *misses per 1000 instructions" "$work/watts.out"
check "knows no power alone" grep -q "GPU_power  *- missing: no recording has the power" "$work/watts.out"
check "has a part of the mix" grep -q "insmix  *of Table 4: Control alone" "$work/watts.out"
check "compares with no time" sh -c "! grep -q 'longest alone' $work/watts.out"

if [ "$SOOTH_SLOW" ]; then
    check "all sizes, drawn" sh -c "$run --recorded $data --out $work > $work/all.out"
    check "fourteen pictures" [ "$(grep -c 'drawn: ' "$work/all.out")" = 14 ]
    for picture in $(sed -n 's/^ *drawn: //p' "$work/all.out"); do
        check "$picture is whole" [ "$(tail -c 7 "$picture")" = "</svg>" ]
    done
    check "pairs on GPUs" sh -c "$run --gavel examples/papers/data/gavel.csv > $work/gpus.out"
    for gpu in K80 P100 V100; do
        sed -n "/^== $gpu/,/^In the table/p" "$work/gpus.out" > "$work/$gpu.out"
        roles=$(tr '\n' ' ' < "$work/$gpu.out" |
            sed -n 's|.*played by \([^,]*\), \([^,]*\) and \([^.]*\)\. .*|\1/\2/\3|p')
        check "$gpu beside $roles: even sharing errs by $(shared_twin $gpu "$roles")" \
            near "$(shared_twin $gpu "$roles")" "$(cell $gpu even 1)"
    done
    check "few bags are told" grep -q "^Up to 15 columns are learned from as few as" "$work/all.out"
else slow=$((slow + 4)); fi

check "missing folder" refused 1 "cannot" $run --recorded "$work/none"
check "no recording" refused 2 "table7 [--recorded [NAME=]DIR ...]" $run
check "no such seed" refused 2 "table7 [--recorded [NAME=]DIR ...]" $run --recorded $data --seed -1
check "a folder of pictures that is not there" \
    sh -c "$run --recorded $work/few --out $work/none | grep -q 'cannot be written: no picture'"

ended table7
