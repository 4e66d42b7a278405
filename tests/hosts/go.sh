#!/bin/sh
# The reader in Go: its own tests; C's answers bit by bit, for kept, imported and freshly fitted models and
# for hostile changes of them; the same on emulated processors that fuse products with additions; the example
# program; and the headers through cgo without a flag of theirs. Says what one prediction takes.
# Ends with "go: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
root=$(pwd) sooth=$(pwd)/build/sooth reader=examples/hosts/go
GOCACHE=$root/build/go GOPROXY=off GOTOOLCHAIN=local; export GOCACHE GOPROXY GOTOOLCHAIN
if ! command -v go > /dev/null; then echo "  skipped: go is not here"; ended go; exit; fi

# within FOLDER COMMAND...
within() { (cd "$1" && shift && "$@"); }
# fuses FILE: how many fused operations the package has in a program for arm64
fuses() { go tool objdump -s '^sooth\.' "$1" | grep -cE 'FN?M(ADD|SUB)'; }
prints_router() { "$work/router" | grep -qx '3 quantiles, ascending'; }
unformatted() { gofmt -l $reader tests/hosts/go | grep . && return 1; return 0; }
imports() { ! grep -rnE '"(C|unsafe)"|go:linkname' $reader; }

check "gofmt" unformatted
check "go vet" within $reader go vet ./...
check "neither cgo nor unsafe" imports
check "no dependency" sh -c "! grep -q require $reader/go.mod"
check "its own tests" within $reader go test ./...
check "its tests as one program" within $reader go test -c -o "$work/reader" .
check "C's answers compile" cc -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -Iinclude \
    tests/hosts/go/answers.c -o "$work/answers"

# same NAME CHANGES FILE...: C and Go say the same of these files and of changes of them
same() {
    what=$1; shift
    "$work/answers" "$@" |
        (cd $reader && SOOTH_CASES=/dev/stdin $under "$test" -test.run Cases) > "$work/said" 2>&1
    check "$what" sh -c "tail -n 1 '$work/said' | grep -qx PASS && grep -q '[1-9][0-9]* rows' '$work/said'"
    sed -n '/^PASS/!s/^/    /p' "$work/said" | head -n 5
}
test=$work/reader under=
same "kept models and changes of them" 100 tests/kept/*/*.sooth
same "the corpus of hostile models" 0 tests/fuzz/corpus/trees/* tests/fuzz/corpus/envelopes/* \
    tests/fuzz/corpus/laws/*

# Imported models: sums of 48 bits, sets, spellings of categories, linear leaves, links.
for file in tests/golden/import_*.txt tests/golden/import_*.json tests/golden/import_*.ubj; do
    "$sooth" import "$file" -o "$work/import_$(basename "$file" | tr . _).sooth" > /dev/null 2>&1
done
same "imported models" 0 "$work"/import_*.sooth

# Freshly fitted ones, from a table with two columns of categories and missing cells.
awk 'BEGIN {
    srand(7); split("anna,bert,carl,dora,emil,fine,40,40.0,True", user, ",")
    print "user,device,size,threads,late,program,load,seconds,watts"
    for (i = 0; i < 700; i++) {
        u = user[1 + int(rand() * 9)]; s = int(exp(rand() * 9)); t = 2 ^ int(rand() * 6); l = rand()
        v = 0.5 + s / t * (1 + length(u) / 5) * (0.6 + 0.8 * rand()) / 100 * (l > 0.7 ? 3 : 1)
        print u ",gpu" int(rand() * int(1 + rand() * 60)) "," s "," t "," (v > 20) ",p" int(rand() * 14) "," \
            (i % 9 ? l : "") "," v "," 50 + 20 * t * rand() + s / 100
    }
}' > "$work/table.csv"
fit() { # NAME OPTION...
    name=$1; shift
    check "fit $name" "$sooth" fit "$work/table.csv" -o "$work/$name.sooth" --folds 0 "$@"
}
time="--target seconds --drop watts,late,program"
late="--target late --drop seconds,watts,program"
both="--target seconds,watts --drop late,program"
# shellcheck disable=SC2086
{
    fit tree $time -m tree --categorical user,device --encode native
    fit boost_200 $time -m boost --set n_estimators=200 --set max_depth=6
    fit boost_native $time -m boost --categorical user,device --encode native --set n_estimators=40 \
        -x log-target
    fit boost_statistics $time -m boost --categorical user,device --encode target --interval 0.9 \
        --set n_estimators=40 -x log,standard,clip,log-target
    fit boost_upper $time -m boost --categorical user --encode ordinal --interval 0.9 --upper \
        --set loss=quantile --set quantile=0.9 --set n_estimators=40
    fit boost_leaves $time -m boost --set n_estimators=40 --set grow_policy=lossguide --set max_leaves=31
    fit boost_symmetric $time -m boost --set n_estimators=40 --set grow_policy=symmetric
    fit boost_linear $time -m boost --set n_estimators=20 --set linear_leaves=1 --drop-missing
    fit boost_gamma $time -m boost --set n_estimators=20 --set loss=gamma
    fit boost_isotonic $late -m boost --calibrate isotonic --set n_estimators=20
    fit tree_sigmoid $late -m tree --calibrate sigmoid --categorical user
    fit forest $time -m forest --set n_estimators=20
    fit forest_rows $time -m forest --set n_estimators=10 --set keep_rows=1
    fit forest_linear $time -m forest --set n_estimators=10 --set linear_leaves=1 --set min_samples_leaf=9
    fit extra $time -m extratrees --set n_estimators=20 --categorical user
    fit boost_quantiles $time -m boost --set quantiles=0.1,0.5,0.9 --set n_estimators=20
    fit boost_quantiles_8 $time -m boost --set quantiles=0.05,0.1,0.2,0.3,0.5,0.7,0.9,0.99 -x log,log-target \
        --set n_estimators=8 --set grow_policy=symmetric
    fit boost_quantiles_native $time -m boost --set quantiles=0.1,0.9 --categorical user,device \
        --encode native --set n_estimators=20
    fit boost_quantiles_statistics $time -m boost --set quantiles=0.5,0.9 --categorical user,device \
        --encode target --set n_estimators=5 --set max_depth=4 -x log,standard,clip,log-target
    fit boost_quantiles_linear $time -m boost --set quantiles=0.1,0.5,0.9 --set n_estimators=5 \
        --set linear_leaves=1 --drop-missing
    fit ratio $time -m boost --set n_estimators=20 --ratio-to "2.5*size+threads+10" --interval 0.9
    fit ratio_shrunk --target seconds --drop watts,late --group program -m boost --set n_estimators=20 \
        --ratio-to learn:size+threads --categorical user
    fit ratio_quantiles $time -m boost --set quantiles=0.5,0.9 --set n_estimators=5 --ratio-to size+1 \
        --categorical user,device --encode target -x log,clip
    fit ratio_best --target seconds --drop watts,late,program --ratio-to size+1 --set effort=low
    fit boost_2 $both -m boost --set n_estimators=20
    fit forest_2 $both -m forest --set n_estimators=10 --interval 0.9
    fit adapts --target seconds --drop watts,late --group program -m boost --interval 0.9 \
        --set n_estimators=20
    fit linear $time -m linear --drop-missing -x log,log-target --interval 0.9
    fit products $time -m linear --set products=1 -x clip,log-target --drop-missing
    fit best --target seconds --drop watts,late,program --categorical user --set effort=low --interval 0.9
    fit rule --target load --drop watts,late,program,seconds,user,device --set effort=low
}

# Laws of threads, frequency and speed on two sockets of twelve cores, and a mixture that has one.
awk 'BEGIN {
    srand(5); print "threads,GHz,speed,seconds,watts"
    for (i = 0; i < 240; i++) {
        t = 1 + i % 24; g = 1.2 + 0.4 * int(i / 24) % 4; k = t > 12 ? 2 : 1; s = 0.2 + rand()
        print t "," g "," s "," (9 / g + 90 / g / t + 0.1 * t) * (0.9 + 0.2 * rand()) "," \
            (20 * k + 9 * g * g * g * t * (0.9 + 0.2 * rand()) + 5 * s)
    }
}' > "$work/laws.csv"
law() { # FEATURES TARGET LAW OPTION...
    features=$1 target=$2 name=$3; shift 3
    check "fit the law $name" "$sooth" fit "$work/laws.csv" -o "$work/law_$name.sooth" --folds 0 -m scaling \
        --features "$features" --target "$target" --set law="$name" --set cores=12 --set sockets=2 "$@"
}
for name in amdahl gustafson usl usl_known power_law; do law threads seconds $name; done
law threads,GHz seconds time
law threads,GHz seconds time_log --interval 0.9
law threads,GHz watts power
law threads,GHz watts power_printed
law threads,GHz,speed watts power_speed --interval 0.9
check "fit a mixture with a law" "$sooth" fit "$work/laws.csv" -o "$work/best_law.sooth" --folds 0 \
    --features threads,GHz --target seconds --set effort=low
check "which it has" sh -c "'$sooth' describe '$work/best_law.sooth' | grep -q 'of scaling law=time'"
models=$(ls "$work"/*.sooth | grep -v /import_)
# shellcheck disable=SC2086
same "fitted models" 0 $models
# shellcheck disable=SC2046
same "changes of small ones" 40 $(find "$work" -name '*.sooth' -size -24k ! -name 'import_*' | sort)

check "20,000 mutations by go's fuzzer" within $reader go test -run xxx -fuzz FuzzRead -fuzztime 20000x .

# Processors on which Go fuses products with additions.
for machine in "arm64 qemu-aarch64" "s390x qemu-s390x"; do
    under=${machine#* } arch=${machine% *} test=$work/reader_${machine% *}
    command -v "$under" > /dev/null || { echo "  skipped: $arch ($under is not here)"; continue; }
    check "its tests compile for $arch" within $reader env GOARCH="$arch" go test -c -o "$test" .
    [ "$arch" != arm64 ] || check "nothing is fused on $arch" [ "$(fuses "$test")" -eq 0 ]
    same "kept models on $arch" 0 tests/kept/*/*.sooth
    same "some fitted ones on $arch" 0 "$work"/boost_[ilsu]*.sooth "$work"/forest_2.sooth \
        "$work"/best*.sooth "$work"/law_*.sooth "$work"/boost_quantiles_[ls]*.sooth
done
under=

# The example says what the command says.
columns() { # FILE COLUMN...: these columns by their names, without the first line
    awk -F, -v wanted="$2 $3 $4 $5" '
        NR == 1 { n = split(wanted, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = ""; for (k = 1; k <= n; k++) line = line "," $at[name[k]]; print line }' "$1"
}
check "the example compiles" within $reader go build -o "$work/predict" ./predict
# agree MODEL COLUMN...: both say the same in these columns, for all 700 rows
agree() {
    model=$work/$1.sooth; shift
    "$work/predict" "$model" "$work/table.csv" > "$work/go.csv" &&
        "$sooth" predict "$model" "$work/table.csv" --force -o "$work/c.csv" > "$work/log" 2>&1 &&
        columns "$work/go.csv" "$@" > "$work/go.txt" && columns "$work/c.csv" "$@" > "$work/c.txt" &&
        cmp "$work/go.txt" "$work/c.txt" && [ "$(grep -c '[0-9],.*[0-9]' "$work/go.txt")" -eq 700 ]
}
check "and predicts what sooth predict does" \
    agree boost_statistics predicted_seconds low_seconds high_seconds trust
check "and all of several quantiles" \
    agree boost_quantiles_statistics predicted_seconds_p50 predicted_seconds_p90
check "it refuses a table as a model" \
    refused 1 "this is not a model file" "$work/predict" "$work/table.csv" "$work/c.csv"
check "it refuses a network" \
    refused 1 "of kind mlp" "$work/predict" tests/kept/0.0.100/network.sooth "$work/c.csv"
check "it says what is missing" refused 1 "it needs" "$work/predict" "$work/boost_2.sooth" "$work/go.csv"
check "usage" refused 2 "usage: predict" "$work/predict"

# A predictor in a router of LLM servers: what C says of a stream of requests, Go says too, whatever fuses.
check "the stream of requests compiles" cc -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -Iinclude \
    tests/hosts/go/serving.c -o "$work/stream"
mkdir "$work/serving"
check "it runs" sh -c "'$work/stream' '$work/serving' > '$work/serving/said'"
SOOTH_SERVING=$work/serving; export SOOTH_SERVING
check "Go routes with the bits of C" within $reader go test -count 1 -run TestServing .
command -v qemu-aarch64 > /dev/null &&
    check "and on arm64" within $reader qemu-aarch64 "$work/reader_arm64" -test.run TestServing
check "the predictor through cgo compiles without a flag" \
    within tests/hosts/go/router go build -o "$work/router" .
check "and predicts" prints_router
(cd $reader && SOOTH_BENCH=1 go test -count 1 -v -run TestServingAsC .) |
    sed -n 's/^.*: \(16 pods.*\)/    \1/p'

# The headers keep their bits without -ffp-contract=off, even where the processor could fuse.
check "the headers through cgo compile" within tests/hosts/go/cgo go build -o "$work/cgo" .
# shellcheck disable=SC2086
"$work/cgo" tests/kept/*/*.sooth "$work"/boost_[2i]*.sooth "$work/best.sooth" > "$work/said"
check "and have the bits of Go" grep -qE '^[1-9][0-9]{4,} rows, 0 with other bits$' "$work/said"
sed 's/^/    /' "$work/said"

(cd $reader && SOOTH_BENCH="$work/boost_200.sooth $work/forest.sooth" go test -run xxx -bench . .) |
    sed -n 's/^Benchmark/    /p'
ended go
