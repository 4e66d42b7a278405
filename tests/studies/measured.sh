#!/bin/sh
# The chapter of `make papers` on measured tables (examples/measured.sh), over tables with known truth
# (tests/golden/measured.py) and runs of build/runs. What is known is worked out again here.
# Ends with "measured: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
if ! command -v python3 > /dev/null; then
    echo "measured: 0 passed, 0 failed, 1 skipped: python3 is not here"
    exit 0
fi
tables=${KEEP:-$work}/tables own=$work/own
python3 tests/golden/measured.py "$tables" || exit 1
echo "made up by tests/golden/measured.py" > "$tables/origin.txt"
{
    echo "# pairs on Made Up 100, by build/runs"
    build/runs learn; build/runs pairs | tail -n +2
    echo "# end: 3894 rows, skipped none"
} > "$tables/pairs.csv"

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
run() {
    to=$work/$1.txt; shift
    sh -c "$*" > "$to" 2>&1 || echo "ended with a failure" >> "$to"
}
. examples/measured.sh
measured "$tables" "$own" > "$work/page"
said() { grep -q -e "$2" "$work/measured_$1.txt"; }
check "all parts ran" test "$(cat "$work"/measured_*.txt | grep -c 'ended with a failure')" = 0
check "the board has its heading" grep -q '<h3>NVIDIA A100-SXM4-40GB</h3>' "$work/page"

# ---- latencies: tests/golden/watts/latency.csv has 4.30 for adds on average, A100's table has 4
check "a latency that was measured" said latency '^  add  *4  *4.3  *+7 %  measured'
check "a latency that was not" said latency '^  texture .* +0 %  kept'
awk -F' *[=#] *' 'FNR == 1 { ++file } !/^latency_/ { next } file == 1 { known[$1] = $2; next }
    / measured$/ { ++n; d = $2 / known[$1] - 1; sum += d < 0 ? -d : d } END { printf "%.0f\n", 100 * sum / n }
' "$own/known.gpu" "$own/mine.gpu" > "$work/off"
check "the table is off by so much on average" said latency "are off by $(cat "$work/off") % on average"

# ---- watts from PTX

check "launches measured again are left out" said power 'launches.csv: 160 launches of 14 benchmarks'
check "kernels never seen" said power 'Never seen: all launches of a benchmark left out'
check "a few launches revealed" test "$(sed -n '/^9  An unseen kernel/,$p' "$work/measured_power.txt" |
    grep -c 'Left out')" = 0

# ---- watts of bags: the mean of training and the most watts alone, worked out again

check "all bags are there" said table7 '^== bags on a GPU: 300 bags$'
cat > "$work/twin.awk" << 'AWK'
/^#/ || $2 == "how" { next }
$3 == 2 && $4 == 0 { first = $5; watts = $14 }
$3 == 2 && $4 == 1 && $5 !~ /^(low|medium|high)$/ {
    ++n; y[n] = $15; name[first]; name[$5]
    who[n, 0] = first; who[n, 1] = $5; most[n] = watts > $14 ? watts : $14
}
END {
    for (w in name) {
        sum = trains = mine = plain = m = 0
        for (i = 1; i <= n; ++i) if (who[i, 0] != w && who[i, 1] != w) { sum += y[i]; ++trains }
        for (i = 1; i <= n; ++i) if (who[i, 0] == w || who[i, 1] == w) {
            mine += abs(sum / trains / y[i] - 1); plain += abs(most[i] / y[i] - 1); ++m
        }
        mean += 100 * mine / m; alone += 100 * plain / m; ++programs
    }
    printf "%.1f %.1f\n", mean / programs, alone / programs
}
function abs(x) { return x < 0 ? -x : x }
AWK
awk -F, -f "$work/twin.awk" "$tables/bags.csv" > "$work/twin"
read -r mean alone < "$work/twin"
check "pairs: the mean of training" said table7 "^ *mean of training  *$mean  *|"
check "pairs: the most watts alone" said table7 "^ *most watts alone  *$alone  *|"
best=$(sed -n '/^Table 7, bags of 2:/,/^Least/s/^Least of .*, \([0-9.]*\) %; what.*/\1/p' \
    "$work/measured_table7.txt")
check "watts alone and fairness tell more than the mean" less "$best" "$mean / 2"

# ---- slowdowns

check "as build/themis alone" said themis '^  Themis, ours (one network) *mean *7[.]3 '
build/runs pairs | awk -F, '
    NR > 1 && $1 != run { run = $1; a = $2; s = $12 * $13; n = $3; next }
    NR > 1 { t = $12 * $13; key = a " " $2; u = s > t ? (s - t) / s : (t - s) / t
        d = n > $3 ? n - $3 : $3 - n
        if (!(key in best) || u < best[key]) best[key] = u
        if (!(key in apart) || d < apart[key]) { apart[key] = d; even[key] = u } }
    END { for (k in best) { ++n_; b += best[k]; e += even[k] } printf "%d %.3f %.3f\n", n_, e / n_, b / n_ }
' > "$work/fair"
read -r pairs even best < "$work/fair"
check "pairs to choose for" said themis "^---- Fair and QoS: $pairs pairs on three recorded splits"
check "the even and the best split" said themis "even split $even, the best there is $best"

# ---- operators: linear layers in fp32 are bound by compute or memory; the roofline's error worked out again

awk -F, '/^#/ || $1 == "op" { next }
    $2 == "fp32" && ++seen > 10 && $1 == "add" {
        bytes = 12 * $3 * $6; t = bytes / 3350e6; t = t > 0.005 ? t : 0.005
        d = t / $7 - 1; sum += d < 0 ? -d : d; ++n } END { printf "%.1f\n", 100 * sum / n }
' "$tables/operators.csv" > "$work/roof"
check "the roofline's error" said operators "^  add  *fp32  *9  *$(cat "$work/roof") "
check "a loss is said" said operators '^  all  *fp32 .* loses$'
check "the picture" test -s "$own/measured_roof.svg"

# ---- what is refused

operators=build/gpu_operators
check "no file" refused 1 'cannot be read' $operators "$work/none.csv"
sed 1d "$tables/operators.csv" > "$work/bare.csv"
check "no board" refused 1 'give --gpu' $operators "$work/bare.csv"
check "a board by name" sh -c "$operators $work/bare.csv --gpu h200 | grep -q 'predicted for h200'"
sed '5s/,fp32,/,fp31,/' "$tables/operators.csv" > "$work/type.csv"
check "an unknown type" refused 1 'unknown operator or type' $operators "$work/type.csv"
sed 's/,slowdown,/,slow,/' "$tables/bags.csv" > "$work/bags.csv"
check "bags without a column" refused 1 'has no column slowdown of numbers' \
    build/table7 --bags "$work/bags.csv"
head -n 700 "$tables/bags.csv" > "$work/cut.csv"
check "bags of a cut table" sh -c "build/table7 --bags $work/cut.csv | grep -q '^== bags on a GPU: [0-9]'"

ended measured
