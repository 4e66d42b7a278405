#!/bin/sh
# Black-box tests of the `sooth` command: what it prints, what it returns, what it leaves behind.
# Ends with "cli: N passed, N failed", as the test programs do. SOOTH=path tests another binary.
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
root=$(pwd)
sooth=${SOOTH:-$root/build/sooth}
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "  skipped $1: $2"; }
run() { "$sooth" "$@" > out 2> err; rc=$?; }

# expect CODE WORDS COMMAND...: exit code, and words in what it printed; a failure says so on stderr in one line, and a success is silent there
expect() {
    code=$1 words=$2; shift 2
    run "$@"
    if [ $rc -ne "$code" ]; then fail "sooth $* returned $rc, not $code"; head -3 out err; return; fi
    if ! cat out err | grep -qF -e "$words"; then fail "sooth $*: no \"$words\""; head -5 out err; return; fi
    if [ "$code" -ne 0 ] && { [ "$(wc -l < err)" -ne 1 ] || [ -s out ]; }; then fail "sooth $*: not one sentence"; cat out err; return; fi
    ok
}
same() { if cmp -s "$1" "$2"; then ok; else fail "$1 and $2 differ${3:+: $3}"; fi; }
check() { name=$1; shift; if "$@"; then ok; else fail "$name"; fi; }
absent() { if [ -e "$1" ]; then fail "$1 is there"; else ok; fi; }

# ---- a table: seconds of runs of six programs, by threads and size; a column of text, one with gaps, CRLF, quotes, a unit

awk 'BEGIN {
    printf "program,threads,size [MiB],gaps,\"time, measured [s]\",comment\r\n"
    n = 0
    for (p = 1; p <= 6; ++p) for (t = 1; t <= 8; t *= 2) for (s = 1; s <= 5; ++s) {
        gap = ++n % 9 ? n % 7 : "#DIV/0!"
        printf "prog%d,%d,%d,%s,%.4g,%s\r\n", p, t, s * 64, gap, (p + 0.3) * s * 10 / t + 0.5 * t + (n * 7 % 5) / 10, n % 10 ? "x" : "\"two\r\nlines, \"\"quoted\"\"\""
    }
}' > runs.csv
target='time, measured'
fit() { "$sooth" fit runs.csv --target "$target" --group program --model "$1" --drop gaps -o "$2" > /dev/null; }

# ---- help, and wrong use

expect 0 'sooth fit' help
for c in fit predict describe validate help version; do
    expect 0 "sooth $c" help $c
    cp out help_text
    expect 0 Example $c --help
    same help_text out "help $c and $c --help"
done
expect 0 max_depth help tree
expect 0 'one of least_squares' help linear
expect 0 'sooth 0.' version
expect 0 'sooth 0.' --version
expect 0 Models --help
run; [ $rc -eq 2 ] && grep -q validate err && [ ! -s out ] && ok || fail "no command at all"
expect 2 'did you mean fit?' fitt runs.csv
expect 2 'there is no command xyzzy; `sooth help` lists them' xyzzy
expect 2 'did you mean validate?' help valdate
expect 2 'did you mean --target?' fit runs.csv --tarket y -o m
expect 2 'there is no option --xyzzy; see `sooth help fit`' fit runs.csv --xyzzy
expect 2 'there is no option -q' fit runs.csv -q
expect 2 '--target needs a value' fit runs.csv -o m --target
expect 2 '--json takes no value' fit runs.csv --json=1
expect 2 '--seed is given twice' fit runs.csv --seed 1 --seed 2
expect 2 'usage: sooth fit' fit
expect 2 'one word too many' describe a b
expect 2 '-o FILE is missing' fit runs.csv --target "$target"
expect 2 'did you mean tree?' fit runs.csv --target "$target" --model tre -o m
expect 2 'there are linear, tree' fit runs.csv --target "$target" --model xyzzy -o m
expect 2 'did you mean max_depth?' fit runs.csv --target "$target" --set max_dept=3 -o m
expect 2 'must be OPTION=VALUE' fit runs.csv --target "$target" --set max_depth -o m
expect 2 'max_depth is "deep", but must be a number' fit runs.csv --target "$target" --set max_depth=deep -o m
expect 2 'max_depth is -3, but must be between' fit runs.csv --target "$target" --set max_depth=-3 -o m
expect 2 'which is none of the models' validate runs.csv --target "$target" --model linear --set tree.max_depth=3
expect 2 'there is no transform standrad' fit runs.csv --target "$target" --transform standrad -o m
expect 2 'has both standard and minmax' fit runs.csv --target "$target" --transform standard,minmax -o m
expect 2 '--folds is 1' fit runs.csv --target "$target" --folds 1 -o m
expect 2 '--repeats is 1e3, but must be a whole number between' validate runs.csv --target "$target" --repeats 1e3
expect 2 '--seed is 99999999999, but must be a whole number between' fit runs.csv --target "$target" --seed 99999999999 -o m
expect 2 'runs.csv has the columns program, threads, size, gaps' fit runs.csv -o m
absent m

# ---- columns

expect 1 'did you mean size?' fit runs.csv --target "$target" --features threads,sise -o m
expect 1 'has no column watts for --target; it has program, threads' fit runs.csv --target watts -o m
expect 1 'did you mean program?' validate runs.csv --target "$target" --group progam
expect 1 'line 2, column 1 (program): "prog1" is not a number' fit runs.csv --target "$target" --features program,threads -o m
expect 1 'line 2, column 1 (program): "prog1" is not a number' fit runs.csv --target program -o m
expect 0 '"ignored_text_columns"' fit runs.csv --target "$target" -o m --json
expect 0 'ignored     program, comment (text)' fit runs.csv --target "$target" -o m --force
expect 0 'missing     gaps 13' fit runs.csv --target "$target" -o m --force
expect 1 'gaps is missing, and linear needs every value; --drop-missing' fit runs.csv --target "$target" --model linear -o m --force
expect 1 'line 10: gaps is missing' validate runs.csv --target "$target" --model tree,linear
expect 0 'left out    13 rows in which a feature is missing' fit runs.csv --target "$target" --model linear --drop-missing -o m --force
rm -f m

# ---- fit, predict, describe, validate

expect 0 'unseen groups (each program left out in turn)' fit runs.csv --target "$target" --group program --drop gaps -o tree.sooth
expect 0 'time, measured [s] from 2 features, 120 rows' fit runs.csv --target "$target" --drop gaps,comment -o linear.sooth --model linear --transform log,standard,log-target
expect 0 'regression tree: predicts time, measured [s] from 2 features' describe tree.sooth
expect 0 'R2, unseen program' describe tree.sooth
expect 0 'MiB ' describe tree.sooth
expect 0 'log1p_standard' describe linear.sooth
expect 0 '"input_scale": "log1p_standard"' describe linear.sooth --json
expect 0 'time, measured is in the file: R2' predict tree.sooth runs.csv -o answers.csv
# every byte of a record is kept, two columns are added, line ends are those of the file
head -n 1 answers.csv | tr -d '\r' > got; printf 'program,threads,size [MiB],gaps,"time, measured [s]",comment,"predicted_time, measured",outside\n' > want
same got want
sed 's/,[^,]*,[0-9]*\r$/\r/' answers.csv | tail -n +2 > got; tail -n +2 runs.csv > want
same got want "what was in the table before"
"$sooth" predict tree.sooth runs.csv > piped.csv 2> summary; same piped.csv answers.csv "to the standard output"
grep -q 'of 120 rows predicted by tree.sooth' summary && ok || fail "summary on stderr"
"$sooth" predict tree.sooth - < runs.csv 2> err > piped.csv; same piped.csv answers.csv "from the standard input"
"$sooth" predict - runs.csv < tree.sooth 2> err > piped.csv; same piped.csv answers.csv "model from the standard input"
expect 2 'cannot both be -' predict - -
expect 0 'predicted_time, measured.2' predict tree.sooth answers.csv
# other order, other columns, rows beyond the training ranges, missing cells
printf 'size,x,threads\n64,1,1\n64,2,100\n9999,3,100\n,4,2\n' > new.csv
expect 0 '2 rows beyond what the model has seen in training, a guess at best: threads 2, size 1' predict tree.sooth new.csv -o new_answers.csv
[ "$(awk -F, '{ print $NF }' new_answers.csv | tr '\n' ' ')" = "outside 0 1 2 0 " ] && ok || { fail "outside column"; cat new_answers.csv; }
expect 0 'unanswered  1 row' predict linear.sooth new.csv -o new_linear.csv
grep -q '^,4,2,,0$' new_linear.csv && ok || fail "an unanswered row has an empty cell"
expect 0 '"rows_outside": 2' predict tree.sooth new.csv --json
printf 'thread,y\n1,2\n' > new2.csv
expect 1 'new2.csv lacks 2 of the 2 columns that tree.sooth needs: threads (is it thread?), size' predict tree.sooth new2.csv
expect 2 '--features names 1 column, but tree.sooth has 2 features' predict tree.sooth new2.csv --features y
expect 0 '1 row predicted' predict tree.sooth new2.csv --features thread,y
printf 'threads,size [GiB]\n1,2\n' > units.csv
expect 1 'has size in GiB, but tree.sooth learned it in MiB' predict tree.sooth units.csv
printf 'threads,size\n1,big\n' > word.csv
expect 1 'line 2, column 2 (size): "big" is not a number' predict tree.sooth word.csv
printf 'threads;size\n1;64\n2;128;\n\n4\n' > semicolons.csv
"$sooth" predict tree.sooth semicolons.csv 2> err > out; [ "$(sed -n 4p out | tr -cd ';')" = ';;;' ] && grep -q '^4;;.*;0$' out && ok || { fail semicolons; cat out err; }

expect 0 'Whole groups left out, each of 6 (program) in turn' validate runs.csv --target "$target" --group program --drop gaps
expect 0 'only the second table counts' validate runs.csv --target "$target" --group program --drop gaps --repeats 1
expect 0 'Name the column that tells programs apart with --group' validate runs.csv --target "$target" --drop gaps
expect 0 '"groups_left_out"' validate runs.csv --target "$target" --group program --drop gaps --json
expect 0 '120 of 120 rows were tested while a row with the same features' validate runs.csv --target "$target" --features threads,size --repeats 2 --folds 60
printf 'a,g,y\n1,x,1\n2,x,3\n3,x,9\n1000,z,27\n1001,z,81\n' > far.csv
expect 0 'linear: 2 predictions were infinite' validate far.csv -t y -g g -m linear -x log-target --folds 5 --repeats 1
expect 1 'folds' validate runs.csv --target "$target" --drop gaps --folds 121
if command -v python3 > json_python; then
    for c in "fit runs.csv -t time,\ measured -g program -d gaps -o j --force --json" "describe tree.sooth --json" "describe linear.sooth --json" \
        "predict tree.sooth runs.csv --json" "validate runs.csv -t time,\ measured -g program -d gaps --json"; do
        if eval "\"$sooth\" $c" 2> err | python3 -c 'import json, sys; json.load(sys.stdin)' 2> err; then ok; else fail "JSON of $c"; fi
    done
else skip JSON "python3 is not here"; fi

# the same bytes again, from a pipe, with threads
fit tree again.sooth; same tree.sooth again.sooth "fitted twice"
"$sooth" fit - --target "$target" --group program --drop gaps -o again2.sooth < runs.csv > out 2>&1; same tree.sooth again2.sooth "fitted from a pipe"
"$sooth" fit runs.csv --target "$target" --group program --drop gaps -o again3.sooth --threads 4 > out 2>&1; same tree.sooth again3.sooth "four threads"
"$sooth" validate runs.csv --target "$target" --group program --drop gaps > one; "$sooth" validate runs.csv --target "$target" --group program --drop gaps --threads 3 > three
same one three "validated with three threads"

# ---- tables that cannot be learned from

: > empty.csv;                                      expect 1 'empty.csv: the file is empty' fit empty.csv -t y -o m
printf 'a,y\n' > header.csv;                        expect 1 'but no rows' fit header.csv -t y -o m
printf 'a,y\n1,2\n' > one.csv;                      expect 1 'one row with y is not enough' fit one.csv -t y -o m
printf 'y\n1\n2\n3\n' > column.csv;                 expect 1 'no column of numbers is left to be a feature' fit column.csv -t y -o m
printf 'a,y\n1,5\n2,5\n3,5\n' > constant.csv;       expect 1 'y is 5 in all 3 rows; there is nothing to learn' fit constant.csv -t y -o m
                                                    expect 1 'there is nothing to learn' validate constant.csv -t y
printf 'a,y\n1,5\ninf,6\n3,7\n' > infinite.csv;     expect 1 'line 3: a is infinite' fit infinite.csv -t y -o m
printf 'a,y\n1,5\n2,-inf\n3,7\n' > infinite.csv;    expect 1 'line 3: y is infinite' fit infinite.csv -t y -o m
printf 'a,y\n1,NaN\n2,NA\n' > nothing.csv;          expect 1 'no row is left' fit nothing.csv -t y -o m
printf 'a,y\n1,5\n2,NaN\n3,7\n4,8\n' > gap.csv;     expect 0 'left out    1 row without y' fit gap.csv -t y -o gap.sooth
printf 'a,w,y\n1,1,5\n2,-1,6\n3,1,7\n' > weight.csv; expect 1 'line 3: the weight is -1' fit weight.csv -t y -w w -o m
printf 'a,y\n1,5\n2,0\n3,7\n' > zero.csv;           expect 1 'line 3: y is 0, which has no logarithm' fit zero.csv -t y -x log-target -o m
printf 'a,y\n1,2\n3,4,5\n' > long.csv;              expect 1 'line 3 has a cell in column 3' fit long.csv -t y -o m
printf 'a,y\n1,"2\n3,4\n' > quote.csv;              expect 1 'a quote is opened and never closed' fit quote.csv -t y -o m
printf 'a,y\n1,\0002\n' > zero_byte.csv;            expect 1 'not a text file' fit zero_byte.csv -t y -o m
printf 'a,g,y\n1,x,2\n3,x,4\n5,x,7\n' > group.csv;  expect 1 'group' validate group.csv -t y -g g --folds 2
expect 1 'cannot read nowhere.csv: No such file' fit nowhere.csv -t y -o m
expect 1 'it is a folder' fit . -t y -o m
absent m
awk 'BEGIN { for (r = 0; r < 4; ++r) { for (c = 0; c < 1000000; ++c) printf "%s,", r ? (c + r) % 10 : "c" c; print r ? r : "y" } }' > wide.csv
expect 0 'y from 1000000 features, 3 rows' fit wide.csv -t y -o wide.sooth --folds 0
expect 0 '3 rows predicted' predict wide.sooth wide.csv -o wide_answers.csv
(ulimit -v 4000000 && exec "$sooth" fit wide.csv -t y -m linear -o wide2.sooth --folds 0 > out 2> err); rc=$?
[ $rc -eq 1 ] && grep -q 'no memory for least squares' err && ok || { fail "least squares of a million columns: $rc"; head -3 err; }
absent wide2.sooth
rm -f wide.csv wide_answers.csv wide.sooth

# ---- model files that are none

size=$(wc -c < tree.sooth)
expect 1 'runs.csv: this is not a model file' describe runs.csv
expect 1 'the model file is empty' describe empty.csv
head -c $((size - 100)) tree.sooth > cut.sooth;     expect 1 'is cut short' predict cut.sooth runs.csv
head -c 20 tree.sooth > cut.sooth;                  expect 1 'not a model file' describe cut.sooth
{ cat tree.sooth; echo more; } > long.sooth;        expect 1 'but the model ends after' describe long.sooth
for at in 40 $((size / 3)) $((size / 2)) $((size - 30)); do
    { head -c "$at" tree.sooth; printf '\245'; tail -c +$((at + 2)) tree.sooth; } > flipped.sooth
    expect 1 'changed or damaged' describe flipped.sooth
done
head -c "$size" /dev/urandom > noise.sooth;         expect 1 'not a model file' predict noise.sooth runs.csv

# ---- files that must not be written

cp tree.sooth kept.sooth
expect 2 'tree.sooth is there already; --force replaces it' fit runs.csv --target "$target" -o tree.sooth
same tree.sooth kept.sooth "not overwritten"
expect 2 'answers.csv is there already; --force replaces it' predict tree.sooth runs.csv -o answers.csv
cp runs.csv runs_kept.csv; ln -s runs.csv link.csv; ln runs.csv hard.csv
for name in runs.csv ./runs.csv link.csv hard.csv; do expect 2 'is an input' fit runs.csv --target "$target" -o $name --force; done
expect 2 'is an input' predict tree.sooth runs.csv -o tree.sooth --force
same runs.csv runs_kept.csv "the input"
chmod a-w kept.sooth; expect 1 'it is write-protected' fit runs.csv --target "$target" -o kept.sooth --force; chmod u+w kept.sooth
same tree.sooth kept.sooth "write-protected"
mkdir folder; expect 2 'folder is a folder' fit runs.csv --target "$target" -o folder
expect 1 'cannot write nowhere/m: No such file' fit runs.csv --target "$target" -o nowhere/m
expect 1 'cannot write /proc/m' fit runs.csv --target "$target" -o /proc/m
if [ "$(id -u)" != 0 ]; then
    chmod a-w folder; expect 1 'Permission denied' fit runs.csv --target "$target" -o folder/m; chmod u+w folder
fi
if [ -c /dev/full ]; then
    expect 1 'cannot write /dev/full: No space left' fit runs.csv --target "$target" -o /dev/full
    expect 1 'cannot write /dev/full: No space left' predict tree.sooth runs.csv -o /dev/full
    for c in help "describe tree.sooth" "predict tree.sooth runs.csv"; do
        "$sooth" $c > /dev/full 2> err; [ $? -eq 1 ] && grep -q 'No space left' err && ok || { fail "$c to a full disk"; cat err; }
    done
fi
(ulimit -f 1 && "$sooth" fit runs.csv --target "$target" -o small.sooth > out 2> err); rc=$?
[ $rc -eq 1 ] && grep -q 'cannot write small.sooth: File too large' err && ok || { fail "a disk that fills up: $rc"; cat err; }
absent small.sooth
expect 0 'at most' fit runs.csv --target "$target" --drop gaps -o again.sooth --force --model linear
cmp -s again.sooth tree.sooth && fail "--force did not replace" || ok
ln -s again.sooth alias.sooth; expect 0 'at most' fit runs.csv --target "$target" --drop gaps -o alias.sooth --force
check "a link is kept" [ -L alias.sooth ]
"$sooth" predict tree.sooth runs.csv 2> err | head -n 1 > out; grep -q predicted out && ok || fail "a closed pipe"

# ---- Ctrl-C: exit code 130, nothing left. A shell without job control starts background commands with Ctrl-C ignored; env undoes that.

if env --default-signal=INT true 2> err; then
    mkdir quiet
    mkfifo slow.csv
    env --default-signal=INT "$sooth" fit slow.csv --target y -o quiet/m > out 2> err & pid=$!
    exec 3<> slow.csv
    n=0; while [ -z "$(ls -A quiet)" ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
    kill -INT $pid; wait $pid; rc=$?
    exec 3>&-
    [ $rc -eq 130 ] && grep -q 'nothing was written' err && [ -z "$(ls -A quiet)" ] && ok || { fail "Ctrl-C while reading: $rc"; ls -A quiet; cat err; }
    awk 'BEGIN { s = 1; print "a,b,c,d,e,f,y"; for (r = 0; r < 100000; ++r) { for (c = 0; c < 7; ++c) { s = (s * 16807) % 2147483647; printf "%s%d", c ? "," : "", s } print "" } }' > big.csv
    env --default-signal=INT "$sooth" fit big.csv --target y -o quiet/m > out 2> err & pid=$!
    n=0; while [ -z "$(ls -A quiet)" ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
    sleep 0.5; kill -INT $pid; wait $pid; rc=$?
    if [ $rc -eq 0 ]; then skip "Ctrl-C in a long fit" "it was done before"
    elif [ $rc -eq 130 ] && [ -z "$(ls -A quiet)" ]; then ok
    else fail "Ctrl-C in a long fit: $rc"; ls -A quiet; cat err; fi
else skip Ctrl-C "env --default-signal is not here"; fi
rm -rf quiet big.csv slow.csv
strange=$(ls -A | grep -E '\.[0-9]+$'); [ -z "$strange" ] && ok || fail "left behind: $strange"

# ---- published data, where they are (not part of the project): K20 power, leave one benchmark out

k20=$root/../shared/data/power/k20.csv
if [ -f "$k20" ]; then
    run validate "$k20" --target Power --group benchmark --set tree.max_depth=14 --set tree.min_samples_split=5 --json
    # scikit-learn: tree R2 0.81 +- 0.01 on shuffled rows, -0.21 on unseen benchmarks; least squares -29.85 there, the mean -0.047
    r2() { awk -v part="\"$1\"" -v model="\"model\": \"$2\"" 'index($0, part) { on = 1 } on && index($0, model) { hit = 1 } hit && /"mean":/ { gsub(/[^-0-9.e]/, "", $2); print $2; exit }' out; }
    near() { if awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a != "" && a - b <= t && b - a <= t) }'; then ok; else fail "$1 is $2, expected $3 within $4"; fi; }
    near "K20 tree, rows" "$(r2 rows_left_out tree)" 0.81 0.03
    near "K20 tree, benchmarks" "$(r2 groups_left_out tree)" -0.21 0.15
    near "K20 linear, benchmarks" "$(r2 groups_left_out linear)" -29.8534 0.001
    near "K20 mean, benchmarks" "$(r2 groups_left_out mean)" -0.0471 0.0001
    run validate "$k20" --target Power --group benchmark --model linear --transform log,standard --json
    near "K20 linear of log, benchmarks" "$(r2 groups_left_out linear)" 0.3428 0.001
else skip "K20 power" "../shared/data/power/k20.csv is not here"; fi

printf 'cli: %d passed, %d failed' $passed $failed
[ $skipped -eq 0 ] || printf ', %d skipped' $skipped
printf '\n'
[ $failed -eq 0 ]
