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
expect 2 'it has the columns' fit runs.csv -o m 2> /dev/null || :
absent m

# ---- columns

expect 1 'did you mean size?' fit runs.csv --target "$target" --features threads,sise -o m
expect 1 'has no column watts for --target; it has program, threads' fit runs.csv --target watts -o m
expect 1 'did you mean program?' validate runs.csv --target "$target" --group progam
expect 1 'line 2, column 1 (program): "prog1" is not a number' fit runs.csv --target "$target" --features program,threads -o m
expect 1 'line 2, column 1 (program): "prog1" is not a number' fit runs.csv --target program -o m
expect 0 'ignored     program, comment (text)' fit runs.csv --target "$target" -o m --json --force
grep -q '"ignored_text_columns"' out && ok || fail 'no list of ignored columns in JSON'
expect 0 'ignored     program, comment (text)' fit runs.csv --target "$target" -o m --force
expect 0 'missing     gaps 13' fit runs.csv --target "$target" -o m --force
expect 1 'gaps is missing, and linear needs every value; --drop-missing' fit runs.csv --target "$target" --model linear -o m --force
expect 1 'line 11: gaps is missing' validate runs.csv --target "$target" --model tree,linear
expect 0 'left out    13 rows in which a feature is missing' fit runs.csv --target "$target" --model linear --drop-missing -o m --force
rm -f m
