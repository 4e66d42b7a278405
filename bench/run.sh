#!/bin/bash
# Times sooth beside the libraries people use: same data, same run, one thread, process CPU time, medians of
# fresh processes taken in turn; then what a second thread brings, in wall time.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# run.sh BENCH [smoke]   smoke: the smallest sizes once, to see that everything runs
# In the environment, less than everything: ROUNDS=5 SIZES="1000 10000" COLUMNS_OF_DATA=10 TASKS="dt rf";
# PYTHON=.../bin/python3 for peers from PyPI (current scikit-learn, xgboost, lightgbm) instead of Debian's.
#
# Peers are used where they are installed (Debian: python3-sklearn python3-xgboost libxgboost-dev libgsl-dev
# libopenblas-dev liblapacke-dev libopencv-ml-dev); a missing one is named.
cd "$(dirname "$0")/.." || exit 1
bench=${1:-build/bench} mode=${2:-full}
data=build/bench-data; mkdir -p $data build/peers
export BENCH_CLOCK=cpu OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
rounds=${ROUNDS:-5} sizes=${SIZES:-1000 10000 100000 1000000} columns=${COLUMNS_OF_DATA:-10 30}
tasks=${TASKS:-qmc scaling drift host conformal probability encode dt rf et gb ols nn svr gauss sofnn best}
python=${PYTHON:-/usr/bin/python3}
updates=1000000
[ "$mode" = smoke ] && rounds=1 sizes=300 columns=10 updates=10000

for d in $columns; do
    for n in $sizes; do
        [ -s $data/train_${n}_$d ] ||
            $bench task=friedman out=$data/train_${n}_$d n=$n d=$d seed=$n > /dev/null || exit 1
    done
    [ -s $data/test_$d ] || $bench task=friedman out=$data/test_$d n=10000 d=$d seed=7 > /dev/null || exit 1
done

# The entrants of each task, as name=command; the first is the yardstick that ratios are taken against.
native=${bench}-native
trees=("sooth=$bench" "sooth, native=$native" "sooth, 256 bins=$bench bins=256")
forests=("sooth=$bench" "sooth, native=$native")
boosts=("sooth=$bench" "sooth, native=$native"
    "sooth, by leaf=$bench grow=lossguide leaves=64" "sooth, symmetric=$bench grow=symmetric"
    "sooth, scorer=$bench scorer=1")
lines=("sooth=$bench" "sooth, native=$native")
nets=("sooth=$bench" "sooth, native=$native")
for peer in scikit-learn lightgbm xgboost; do
    if $python -c "import ${peer/scikit-/sk}" 2> /dev/null; then
        [ $peer = scikit-learn ] && trees+=("$peer=$python bench/peers/trees_peer.py") &&
            forests+=("$peer=$python bench/peers/trees_peer.py")
        boosts+=("$peer=$python bench/peers/trees_peer.py peer=$peer")
        [ $peer = lightgbm ] &&
            boosts+=("$peer, by leaf=$python bench/peers/trees_peer.py peer=$peer grow=lossguide leaves=64")
    else echo "$peer is not here"; fi
done
if $python -c "import fastforest" 2> /dev/null; then
    forests+=("fastforest=$python bench/peers/trees_peer.py peer=fastforest")
else echo "fastforest is not here"; fi
for peer in ydf lleaves tl2cgen; do
    if $python -c "import $peer" 2> /dev/null; then
        boosts+=("$peer=$python bench/peers/many_peer.py peer=$peer")
        [ $peer = ydf ] && forests+=("$peer=$python bench/peers/many_peer.py peer=$peer")
    else echo "$peer is not here"; fi
done
# built NAME COMPILER SOURCE LIBRARIES...: a peer of C or C++ under build/peers
built() {
    local name=$1 compiler=$2 source=$3; shift 3
    $compiler -O2 -Iinclude -I/usr/include/opencv4 bench/peers/$source -o build/peers/$name "$@" -lm \
        2> build/peers/log ||
        { echo "$name is not here: $(grep -m 1 -E 'error|cannot find' build/peers/log)"; return 1; }
}
built xgboost cc boost_xgboost.c -lxgboost && boosts+=("XGBoost's C API=build/peers/xgboost")
built linear cc linear_peer.c -lopenblas -llapacke -lgsl &&
    for peer in dgels multifit tsqr normal; do lines+=("$peer=build/peers/linear peer=$peer"); done
built opencv c++ tree_opencv.cpp -lopencv_ml -lopencv_core &&
    trees+=("OpenCV=build/peers/opencv")
$python -c "import sklearn" 2> /dev/null && nets+=("scikit-learn=$python bench/peers/mlp_peer.py")
built fann cc mlp_fann.c -lfann && nets+=("FANN=build/peers/fann")
built opencv-mlp c++ mlp_opencv.cpp -lopencv_ml -lopencv_core && nets+=("OpenCV=build/peers/opencv-mlp")

vectors=("sooth=$bench" "sooth, native=$native")
built svr cc svr_peer.c -lsvm && vectors+=("LIBSVM=build/peers/svr")
$python -c "import sklearn" 2> /dev/null &&
    vectors+=("scikit-learn=$python bench/peers/svr_peer.py")
built opencv-svr c++ svr_opencv.cpp -lopencv_ml -lopencv_core && vectors+=("OpenCV=build/peers/opencv-svr")

processes=("sooth=$bench" "sooth, native=$native")
$python -c "import sklearn" 2> /dev/null &&
    processes+=("scikit-learn=$python bench/peers/gauss_peer.py")
$python -c "import gpboost" 2> /dev/null &&
    processes+=("GPBoost=$python bench/peers/gauss_peer.py peer=gpboost")

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
            for (i = 1; i < n; ++i)
                for (j = i; j > 0 && v[j - 1] > v[j]; --j) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
            return n % 2 ? v[(n - 1) / 2] : (v[n / 2 - 1] + v[n / 2]) / 2
        }
        function seconds(s) {
            if (s == "") return "-"
            if (s < 1e-3) return sprintf("%.1f us", s * 1e6)
            return s < 1 ? sprintf("%.2f ms", s * 1e3) : sprintf("%.2f s", s)
        }
        function told(format, v) { return v == "" ? "-" : sprintf(format, v) }
        {
            if (!($1 in seen)) { seen[$1] = 1; order[++names] = $1 }
            for (k = 1; k <= 5; ++k) add($1, key[k], field($2, key[k]))
        }
        BEGIN { split("train_s r2 single_ns batch_rows_s model_bytes", key, " ") }
        END {
            form = "  %-24s %12s %9s %9s %14s %16s %12s\n"
            printf form, "", "train", "x sooth", "test R2", "one row", "rows a second", "model"
            for (k = 1; k <= names; ++k) {
                m = order[k]; t = median(m, "train_s")
                printf form, m, seconds(t), told("%.2f", t == "" ? "" : t / median(order[1], "train_s")),
                    told("%.4f", median(m, "r2")), told("%.1f ns", median(m, "single_ns")),
                    told("%.3g", median(m, "batch_rows_s")), told("%d B", median(m, "model_bytes"))
            }
        }' build/peers/results
}

echo "sooth beside its peers; $(${CC:-cc} --version | head -n 1); $(getconf _NPROCESSORS_ONLN) cores;" \
    "one thread, CPU time, median of $rounds"
# each TASK TITLE MOST WORDS ENTRANT...: a table for every size up to MOST rows of 10 columns, a tenth else
once="threads=1 predict=1 reps=5 budget=0.5"
each() {
    local task=$1 title=$2 most=$3 words=$4 d n; shift 4
    [[ " $tasks " == *" $task "* ]] || return
    for d in $columns; do
        for n in $sizes; do
            [ "$n" -gt $((d > 10 ? most / 10 : most)) ] && continue
            table "$title, $n rows x $d" \
                "$words task=$task data=$data/train_${n}_$d test=$data/test_$d d=$d n=$n $once" "$@"
        done
    done
}
# Points that fill a space: sooth's blocks beside GSL's, both by turns in one process; then a fit and
# a choice among 312 configurations.
if [[ " $tasks " == *" qmc "* ]] && built samplers cc samplers_gsl.c -O3 -lgsl -lgslcblas; then
    printf '\npoints per second of sooth and of GSL\n'
    if [ "$mode" = smoke ]; then build/peers/samplers d=2; else build/peers/samplers; fi | sed 's/^/  /'
fi
[[ " $tasks " == *" scaling "* ]] &&
    table "fit time and power to 4 runs, choose among 312 configurations" "task=scaling" \
        "ours=$bench" "ours, native=$native" "De Sensi's laws=$bench law=paper"
[[ " $tasks " == *" conformal "* ]] &&
    table "an interval calibrated on 100,000 rows" "task=conformal n=100000" "sooth=$bench" \
        "sooth, native=$native" "sooth, 1,000 groups=$bench groups=1000" \
        "MAPIE=$python bench/peers/conformal_peer.py"
for method in sigmoid isotonic; do
    [[ " $tasks " == *" probability "* ]] &&
        table "a map from scores to probabilities, $method, of 100,000 rows; one score" \
            "task=probability method=$method n=100000" "sooth=$bench" "sooth, native=$native" \
            "scikit-learn=$python bench/peers/probability_peer.py"
done
[[ " $tasks " == *" encode "* ]] &&
    table "100,000 rows of three columns of categories encoded; one row" "task=encode n=100000" \
        "sooth, 10,000 levels=$bench levels=10000" "sooth, 1,000 levels=$bench levels=1000"
each dt "regression tree, full depth" 1000000 "" "${trees[@]}"
each rf "random forest, 100 full trees, a third of the columns per split" 100000 "mf=0.3333" "${forests[@]}"
each rf "random forest, 100 full trees, all columns" 10000 "" "${forests[@]}"
each et "extra-trees, 100 full trees, all columns" 100000 "" "${forests[@]}"
each gb "boosting by histograms, 100 trees of depth 6" 1000000 "" "${boosts[@]}"
each gb "boosting by histograms, 500 trees of depth 6" 10000 "trees=500 lr=0.05" "${boosts[@]}"
each nn "network 64-64-128, 20 epochs in batches of 32" 10000 "epochs=20" "${nets[@]}"
each svr "support vectors, C 10, gamma 0.5, epsilon 0.5" 10000 \
    "C=10 gamma=0.5 epsilon=0.5 cache=200" "${vectors[@]}"
each svr "support vectors, C 200, gamma 0.5, epsilon 1" 1000 \
    "C=200 gamma=0.5 epsilon=1 cache=200" "${vectors[@]}"
each gauss "Gaussian process, Matern 3/2, a length for each column" 2000 "" "${processes[@]}"
# A network of as many parameters, 500, as a yardstick: there is no other C library that grows fuzzy rules.
each sofnn "fuzzy network, 16 rules; perceptron 10-41-1, 200 epochs" 10000 "rules=16" \
    "sooth=$bench" "sooth, native=$native" \
    "scikit-learn's MLP=$python bench/peers/mlp_peer.py task=nn h1=41 h2=0 h3=0 epochs=200"
each best "the best of rules and models; boosting as a yardstick" 3000 "" "sooth=$bench" \
    "sooth, low effort=$bench effort=low" "sooth, boosting=$bench task=gb trees=500 lr=0.05"
for rules in 8 32; do
    [[ " $tasks " == *" sofnn "* ]] &&
        table "fuzzy network, $rules rules of 14 inputs: one update (train, of $updates), memory" \
            "task=sofnn what=learn rules=$rules d=14 updates=$updates predict=1" \
            "sooth=$bench" "sooth, native=$native" \
            "sooth, global=$bench recursion=global updates=10000"
done
for detector in page_hinkley cusum adwin location; do
    [[ " $tasks " == *" drift "* ]] || continue
    streams=("sooth=$bench" "sooth, native=$native")
    $python -c "import river" 2> /dev/null && streams+=("river=$python bench/peers/drift_peer.py")
    table "a detector of drift, $detector: one update" "task=drift detector=$detector n=$updates" \
        "${streams[@]}"
done
for what in slot publish observe find choices each map why; do
    [[ " $tasks " == *" host "* ]] &&
        table "what a scheduler calls, $what: nanoseconds that it adds to a loop" "task=host what=$what" \
            "sooth=$bench" "sooth, native=$native"
done
each ols "least squares with intercept" 1000000 "" "${lines[@]}"

# What a second thread brings: wall time, so a quiet machine is needed. Then what more workers would bring to
# boosting, by simulation (bench/tasks/workers.h).
export BENCH_CLOCK=wall
for task in rf et gb; do
    [[ " $tasks " == *" $task "* ]] || continue
    for n in $sizes; do
        [ $n -ge 10000 ] || [ $mode = smoke ] || continue
        [ $n -le 10000 ] || [ $task = gb ] || continue
        threads=("two threads=$bench threads=2" "one thread=$bench threads=1")
        for peer in lightgbm xgboost; do
            [ $task = gb ] && $python -c "import $peer" 2> /dev/null || continue
            call="$python bench/peers/trees_peer.py peer=$peer"
            threads+=("$peer, two=OMP_NUM_THREADS=2 $call threads=2" "$peer, one=$call threads=1")
        done
        table "task $task with one thread and two, $n rows x 10, wall time" \
            "task=$task data=$data/train_${n}_10 test=$data/test_10 d=10 n=$n" "${threads[@]}"
        [ $task = gb ] && $bench task=threads data=$data/train_${n}_10 d=10 n=$n |
            sed -n 's/.*"note":"\([^"]*\)".*/  \1/p'
    done
done
sed -n '/^ \* Floor/,/^ \*[ \/]*$/ { /[a-z]/ s/^ \* \{0,1\}/  /p }' bench/*.h
