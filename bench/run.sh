#!/bin/bash
# Times sooth beside the libraries people use: same data, same run, one thread, process CPU time, medians of fresh processes taken in
# turn. run.sh BENCH [smoke]   smoke: the smallest sizes once, to see that everything runs
# ROUNDS=5 SIZES="1000 10000" COLUMNS_OF_DATA=10 in the environment choose less than everything.
#
# Peers are used where they are installed (Debian: python3-sklearn, libgsl-dev, libopenblas-dev liblapacke-dev); a missing one is named.
cd "$(dirname "$0")/.." || exit 1
bench=${1:-build/bench} mode=${2:-full}
data=build/bench-data; mkdir -p $data build/peers
export BENCH_CLOCK=cpu OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
rounds=${ROUNDS:-5} sizes=${SIZES:-1000 10000 100000 1000000} columns=${COLUMNS_OF_DATA:-10 30}
[ "$mode" = smoke ] && rounds=1 sizes=1000 columns=10

for d in $columns; do
    for n in $sizes; do [ -s $data/train_${n}_$d ] || $bench task=friedman out=$data/train_${n}_$d n=$n d=$d seed=$n > /dev/null || exit 1; done
    [ -s $data/test_$d ] || $bench task=friedman out=$data/test_$d n=10000 d=$d seed=7 > /dev/null || exit 1
done

# name=command; the first is the yardstick that ratios are taken against
native=${bench}-native
trees=("sooth=$bench" "sooth, native=$native" "sooth, 256 bins=$bench bins=256")
lines=("sooth=$bench" "sooth, native=$native")
if /usr/bin/python3 -c 'import sklearn' 2> /dev/null; then trees+=("scikit-learn=/usr/bin/python3 bench/peers/tree_peer.py")
else echo "scikit-learn is not here (python3-sklearn)"; fi
if [ -f bench/peers/linear_peer.c ]; then
    if cc -O2 -Iinclude bench/peers/linear_peer.c -o build/peers/linear -lopenblas -llapacke -lgsl -lm 2> build/peers/log; then
        for peer in dgels multifit tsqr normal; do lines+=("$peer=build/peers/linear peer=$peer"); done
    else echo "GSL and OpenBLAS are not here (libgsl-dev libopenblas-dev liblapacke-dev)"; fi
fi
if [ -f bench/peers/tree_opencv.cpp ] &&
    c++ -O2 -I/usr/include/opencv4 bench/peers/tree_opencv.cpp -o build/peers/opencv -lopencv_ml -lopencv_core 2> build/peers/log; then
    trees+=("OpenCV=build/peers/opencv")
fi

# table TITLE WORDS ENTRANT...: every entrant `rounds` times in turn, then medians
table() {
    local title=$1 words=$2 round entrant line; shift 2
    : > build/peers/results
    for ((round = 0; round < rounds; ++round)); do
        for entrant in "$@"; do
            line=$(eval "${entrant#*=}" "$words" 2> build/peers/log) && [ -n "$line" ] || continue
            printf '%s\t%s\n' "${entrant%%=*}" "$line" >> build/peers/results
        done
    done
    printf '\n%s\n' "$title"
    awk -F '\t' '
        function field(json, key) {
            if (!match(json, "\"" key "\": *[-0-9.e+]+")) return ""
            key = substr(json, RSTART, RLENGTH)
            sub(/.*: */, "", key)
            return key + 0
        }
        function add(name, key, v) { if (v != "") value[name, key, count[name, key]++] = v }
        function median(name, key,    n, i, j, t, v) {
            n = count[name, key]
            if (!n) return ""
            for (i = 0; i < n; ++i) v[i] = value[name, key, i]
            for (i = 1; i < n; ++i) for (j = i; j > 0 && v[j - 1] > v[j]; --j) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
            return n % 2 ? v[(n - 1) / 2] : (v[n / 2 - 1] + v[n / 2]) / 2
        }
        function seconds(s) { return s == "" ? "-" : s < 1e-3 ? sprintf("%.1f us", s * 1e6) : s < 1 ? sprintf("%.2f ms", s * 1e3) : sprintf("%.2f s", s) }
        { if (!($1 in seen)) { seen[$1] = 1; order[++names] = $1 }
          add($1, "train", field($2, "train_s")); add($1, "r2", field($2, "r2")); add($1, "single", field($2, "single_ns"))
          add($1, "batch", field($2, "batch_rows_s")); add($1, "bytes", field($2, "model_bytes")) }
        END {
            printf "  %-24s %12s %9s %9s %14s %16s %12s\n", "", "train", "x sooth", "test R2", "one row", "rows a second", "model"
            for (k = 1; k <= names; ++k) {
                m = order[k]; t = median(m, "train"); b = median(m, "batch"); s = median(m, "single"); z = median(m, "bytes")
                printf "  %-24s %12s %9s %9s %14s %16s %12s\n", m, seconds(t), t != "" ? sprintf("%.2f", t / median(order[1], "train")) : "-",
                    median(m, "r2") != "" ? sprintf("%.4f", median(m, "r2")) : "-", s != "" ? sprintf("%.1f ns", s) : "-",
                    b != "" ? sprintf("%.3g", b) : "-", z != "" ? sprintf("%d B", z) : "-"
            }
        }' build/peers/results
}

echo "sooth beside its peers; $(${CC:-cc} --version | head -n 1); $(getconf _NPROCESSORS_ONLN) cores; one thread, CPU time, median of $rounds"
for d in $columns; do
    for n in $sizes; do
        [ "$n" -gt 100000 ] && [ "$d" -gt 10 ] && continue
        table "regression tree, full depth, $n rows x $d" "task=dt data=$data/train_${n}_$d test=$data/test_$d d=$d n=$n threads=1 predict=1 reps=5 budget=0.5" "${trees[@]}"
    done
done
for d in $columns; do
    for n in $sizes; do
        table "least squares with intercept, $n rows x $d" "task=ols data=$data/train_${n}_$d test=$data/test_$d d=$d n=$n threads=1 predict=1 reps=15 budget=0.5" "${lines[@]}"
    done
done
grep -h -A 14 'Floor' bench/tree.h bench/linear.h 2> /dev/null | sed -n 's/^ \* \{0,1\}/  /p'
