#!/bin/sh
# Black-box tests of sooth import: names of categories, the best iteration, origins, blanks in names, formats
# that are recognised. The models and what their libraries predict stand in tests/golden/import_names.h.
# Ends with "import: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
sooth=${SOOTH:-$(pwd)/build/sooth} golden=$(pwd)/tests/golden
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; }

# expect CODE WORDS COMMAND...: exit code, and words in what it printed
expect() {
    code=$1 words=$2; shift 2
    "$sooth" "$@" > out 2> err; rc=$?
    if [ $rc -ne "$code" ]; then fail "sooth $* returned $rc, not $code"; head -3 out err; return; fi
    if ! cat out err | grep -qF -e "$words"; then fail "sooth $*: no \"$words\""; head -5 out err; return; fi
    ok
}
lacks() { if cat out err | grep -qF -e "$1"; then fail "it prints \"$1\""; else ok; fi; }

# The cells and answers of import_names.h as CSV. table NAME COLUMNS HEADER: NAME.csv and NAME.want
table() {
    for what in cells answers; do
        sed -n "/names_$1_$what\[\]/,/^};/p" "$golden/import_names.h" | sed '1d;$d' > $what
    done
    { echo "$3"; sed 's/^ *//; s/,$//; s/", "/"\
"/g' cells | sed 's/^"//; s/"$//' | while IFS= read -r cell; do printf -- "$cell\n"; done |
        sed 's/"/""/g; s/.*/"&"/; s/^""$//' | paste -d, $(yes - | head -n "$2"); } > "$1.csv"
    tr -d ' \nf' < answers | tr , '\n' | grep . > "$1.want"
}
# equal NAME MODEL: the predictions are the library's answers, as floats
equal() {
    expect 0 predicted predict "$2" "$1.csv" -o "$1.out" --force
    awk -F, 'NR > 1 { print $(NF - 1) }' "$1.out" > got
    if [ -s got ] && paste got "$1.want" |
        awk '{ d = $1 < $2 ? $2 - $1 : $1 - $2; if ($1 == "" || d > 1e-7 * ($2 < 0 ? -$2 : $2)) exit 1 }'
    then ok
    else fail "$1: other predictions"; paste got "$1.want" | head -30; fi
}

expect 0 'categories  threads with 5 levels (1, 2, 4, ...)' \
    import "$golden/import_names_numbers.txt" -o numbers.sooth
table numbers 2 threads,x
equal numbers numbers.sooth
if grep -qF 'unknown     threads 2' out err; then ok
else fail "two cells of threads are unknown"; cat out err; fi
expect 0 'app with 5 levels (1.0, cg, f"t, ...)' import "$golden/import_names_texts.txt" -o texts.sooth
table texts 3 x,app,plain
equal texts texts.sooth
expect 0 'GHz with 4 levels (1.5, 2, 40, ...)' import "$golden/import_names_mixed.txt" -o mixed.sooth
table mixed 7 size,GHz,x,turbo,app,threads,one
equal mixed mixed.sooth
expect 0 'app with 5 levels' import "$golden/import_names_named.ubj" -o named.sooth
# a dictionary has names; codes of training have none
expect 0 'codes       1 categorical feature (threads): the file has no names of categories' \
    import "$golden/import_names_codes.txt" -o codes.sooth
table codes 2 x,threads
equal codes codes.sooth
expect 1 'app have letters beyond ASCII' import "$golden/import_names_refused_latin.json" -o m
expect 1 'numbers of ratio at 0.3000000000' import "$golden/import_names_refused_close.txt" -o m
[ -e m ] && fail "a refused model leaves a file"

for ending in json ubj; do
    expect 0 'trees: up to the best iteration, 0 (from 0); --all-trees takes all' \
        import "$golden/import_names_best.$ending" -o best.sooth --force
    table best_$ending 2 a,b
    equal best_$ending best.sooth
    expect 0 'XGBoost' import "$golden/import_names_best.$ending" -o all.sooth --all-trees --force
    lacks 'best iteration'
    table best_${ending}_all 2 a,b
    equal best_${ending}_all all.sooth
done

for name in seconds before dates millis one_split; do
    expect 0 'counts from' import "$golden/import_names_$name.txt" -o origin.sooth --force
    case $name in
    dates) table dates 2 day,x ;;
    millis) table millis 2 ms,x ;;
    seconds) table seconds 2 start,x ;;
    *) table $name 1 start ;;
    esac
    equal $name origin.sooth
done
expect 0 'start counts from' \
    import "$golden/import_names_histogram.json" -o origin.sooth --force --features start,x
table histogram_json 2 start,x
equal histogram_json origin.sooth

# LightGBM writes my_column for "my column"
sed 's/^feature_names=.*/feature_names=my_column x/' "$golden/import_names_seconds.txt" > blank.txt
expect 0 'of 2 features' import blank.txt -o blank.sooth
sed '1s/.*/my column,x/' seconds.csv > blank.csv; cp seconds.want blank.want
equal blank blank.sooth
if grep -qF 'the column my column is taken for the feature my_column of blank.sooth' err; then ok
else fail "no note"; cat err; fi
sed '1s/.*/my column,x/' seconds.csv | awk -F, '{ print $0 "," (NR > 1 ? 1 : "my_column") }' > both.csv
expect 0 predicted predict blank.sooth both.csv
lacks 'is taken for'
printf 'my x_y,my_x y,x\n1,2,3\n' > two.csv
sed 's/^feature_names=.*/feature_names=my_x_y x/' "$golden/import_names_seconds.txt" > blank.txt
expect 0 'of 2 features' import blank.txt -o blank.sooth --force
expect 1 'lacks 1 of the 2 columns' predict blank.sooth two.csv

printf 'CBM1\020\000\000\000' > model.cbm
expect 1 'save_model(FILE, format="json")' import model.cbm -o m
printf '\010\003\022\010CatBoost\032\002' > model.onnx
expect 1 'this ONNX file is damaged or incomplete' import model.onnx -o m
printf '\010\007\022\010skl2onnx' > model.onnx
expect 1 'does not import the operators ai.onnx.ml' import model.onnx -o m
printf 'binf\000\000\000\000' > model.bin
expect 1 "XGBoost's old binary format" import model.bin -o m

# ONNX: the format by its bytes, a refusal, and a model that goes out and comes back with its predictions
expect 0 'ONNX, TreeEnsembleRegressor' import "$golden/import_onnx_1.32.0_boosting.onnx" -o onnx.sooth
expect 1 'BRANCH_EQ' import "$golden/import_onnx_1.32.0_refused_sets.onnx" -o m
"$sooth" export onnx.sooth --to onnx -o back.onnx || fail "sooth export --to onnx"
expect 0 'ONNX, TreeEnsemble)' import back.onnx -o back.sooth
echo 'f1,f2,f3,f4,f5' > x.csv
awk 'BEGIN { for (i = 0; i < 200; ++i) print i % 7 - 3 "." i, i % 5 - 2 "." i, i % 3, "", i % 11 - 5 }' |
    tr ' ' , >> x.csv
"$sooth" predict onnx.sooth x.csv -o there.csv > out 2> err
"$sooth" predict back.sooth x.csv -o again.csv >> out 2>> err
if [ "$(wc -l < there.csv)" -eq 201 ] && cmp -s there.csv again.csv; then ok
else fail 'other predictions after export and import'; cat out err; fi

echo "import: $passed passed, $failed failed"
[ $failed -eq 0 ]
