#!/bin/bash
# faults.sh - the command while the system fails it: files, memory, signals, power.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# Every command runs with the n-th call of a kind failing, for n = 1, 2, ... until none is left to fail (see
# tests/cli/faults/io.c). Then it has ended as if nothing were, or with status 1 or 2 and one sentence. Under
# the output's name stands the whole old file or the whole new one, and no other file is beside it. What a
# signal has merely interrupted, and reads and writes that are short, change nothing. After a power cut, too,
# there is the old file or the new one; after the command's end, the new one.
#
# `tests/cli/faults.sh NAME...` runs some of the commands below; SOOTH names another binary. Ends with
# "faults: N passed, N failed".
cd "$(dirname "$0")/../.." || exit 1
only=" $* "
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
sooth=${SOOTH:-$PWD/build/sooth} golden=$PWD/tests/golden io=$work/io.so
"$sooth" version > "$work/log" || { echo "FAILED  there is no $sooth"; failed=1; ended faults; exit; }
${CC:-cc} -O1 -shared -fPIC tests/cli/faults/io.c -o "$io" 2> "$work/log" || {
    echo "  skipped: a library to preload cannot be built here: $(head -n 1 "$work/log")"
    ended faults; exit
}
LD_PRELOAD=$io "$sooth" version > "$work/log" 2>&1 && ! grep -q preload "$work/log" || {
    echo "  skipped: a library cannot be preloaded here: $(head -n 1 "$work/log")"
    ended faults; exit
}
mkdir "$work/here" && cd "$work/here" || exit 1
shopt -s dotglob nullglob

awk 'BEGIN {
    print "x,y,z"
    for (i = 0; i < 30; ++i) { a = i * 17 % 23; b = i * 7 % 13; print a "," b "," 2 * a + b * b / 7 + 1 }
}' > data.csv
awk 'BEGIN {
    print "threads,GHz,time,power"
    for (t = 1; t < 5; ++t) for (f = 1; f < 3; ++f) print t "," f "," 60 / t / f + t "," 10 + 3 * t * f + f
}' > runs.csv
cp "$golden"/import_xgboost_1.7.4_pruned.json trees.json
cp "$golden"/ptx/nested.ptx kernel.ptx
cp "$golden"/ptx/loops.ptx loops.ptx
cp "$golden"/watts/kernels.ptx "$golden"/watts/latency.csv .
head -9 "$golden"/watts/power.csv > launches.csv
"$sooth" fit data.csv --target z --model boost --set n_estimators=3 --folds 0 -o boost.sooth > /dev/null &&
    "$sooth" fit data.csv --target z --model linear --folds 0 -o linear.sooth > /dev/null || exit 1

awk 'BEGIN {
    print "p,a,y"
    for (i = 0; i < 48; ++i) {
        a = 1 + i * 7 % 16
        print i % 6 "," a "," (10 + a) * (1 + i % 6 / 9) + i % 5 / 4
    }
}' > programs.csv
head -n 4 programs.csv > measured.csv
head -n 12 data.csv > tried.csv
awk 'BEGIN {
    print "when,task,y"
    for (i = 0; i < 12; ++i) printf "2024-03-%02d 1%d:30,%c,%d\n", 1 + i, i % 4, 97 + i % 2, i * i % 17
}' > dates.csv
awk 'BEGIN {
    print "; MaxProcs: 4"
    for (i = 1; i < 9; ++i) {
        wide = 1 + i % 4
        print i, 3 * i, -1, 5 + i % 3, wide, -1, -1, wide, 20, -1, 1, 1, 1, 1, 1, -1, -1, -1
    }
}' > log.swf
printf 'op,b,m,n,k\nbmm,8,64,64,64\nsoftmax,64,,,512\n' > operators.csv
printf 'name,ipc,llc_miss\na,1.5,20\nb,0.5,70\n' > cards.csv
printf 'first,second,time\na,b,3\nb,b,4\n' > bags.csv
printf 'program,sd_scal,sd_inter\na,1.5,1.1\nb,2.5,1.4\n' > shares.csv
"$sooth" fit programs.csv --target y --group p --interval 0.6 --model linear --folds 0 -o new.sooth \
    > /dev/null || exit 1

# ---- a run ----

# faulty FAULT COMMAND...: runs it with that fault; its end is in $rc
faulty() {
    local fault=$1; shift
    : > ../saw
    FAULT=$fault FAULT_LOG=../saw LD_PRELOAD=$io "$sooth" "$@" < data.csv > ../said 2> ../wrong
    rc=$?
}
happened() { [[ $(< ../saw) == *fault* ]]; }
bad() { echo "$fault: $*"; echo "status $rc"; head -n 3 ../wrong; ls -A to; return 1; }

# before MODE: what stands in the folder `to` before a run: nothing, or a file that --force replaces
before() {
    local name
    for name in to/*; do rm -f "$name"; done
    [ "$1" = new ] || printf 'the old file, longer than a block of nothing\n' > to/out
}
is_new() { cmp -s to/out ../new; }
is_old() { if [ "$mode" = new ]; then [ ! -e to/out ]; else cmp -s to/out ../old; fi }
whole() { # old or new
    if [ "$writes" ]; then is_new || is_old || bad "the output is neither the old one nor the new one"
    else true; fi
}
alone() { # nothing beside the output
    local name
    for name in to/*; do [ "$name" = to/out ] || { bad "$name is left"; return 1; }; done
}
unharmed() { # as if nothing were
    [ $rc -eq 0 ] || { bad "it should not matter"; return 1; }
    cmp -s ../said ../said.good || { bad "something else is printed"; return 1; }
    [ -z "$writes" ] || is_new || bad "the output is not the new one"
}
# A sentence of the command is the last line on stderr.
sentence() {
    local text; text=$(tail -n 1 ../wrong)
    [[ $text == "sooth"*": "?* ]] || bad "there is no sentence"
}
refusal() {
    if [ $rc -eq 0 ]; then unharmed
    elif [ $rc -le 2 ]; then sentence && whole
    else bad "it crashed"; fi
}

judge() { # HOW: what a run with this fault must have come to
    case $1 in
    EINTR | SHORT) unharmed && alone ;;
    INT | TERM | HUP | QUIT)
        local number=$((128 + $(kill -l "$1")))
        [ $rc -eq $number ] || { bad "the status should be $number"; return 1; }
        whole && alone ;;
    LOST | HALF | UNDONE)
        [ $rc -eq 99 ] || { bad "the power was not cut"; return 1; }
        whole ;;
    *)
        refusal || return 1
        case $fault in # what no command may pass over
        fsync:*:EINVAL | link:*:EPERM) ;;
        open:* | read:* | write:* | fsync:* | rename:* | link:*)
            [ $rc -ne 0 ] || { bad "not told"; return 1; } ;;
        esac
        [[ $fault == unlink:* ]] || alone ;; # what cannot be removed stays
    esac
}

# series MODE CALL HOW COMMAND...: that fault at call 1, 2, ... until there is no such call; beyond 40 calls
# every 7th, beyond 400 every 53rd
series() {
    local call=$2 how=$3 n=1; mode=$1; shift 3
    [ "$mode" = new ] || set -- "$@" --force
    while :; do
        fault=$call:$n:$how
        before "$mode"
        faulty "$fault" "$@"
        happened || break
        runs=$((runs + 1))
        judge "${how%+}" || return 1
        n=$((n + (n < 40 ? 1 : n < 400 ? 7 : 53)))
    done
    fault="$call, $n calls"
    case $call in # what writing a file takes: else the library to preload does not see how it is done
    open | write | fsync) [ $n -gt 1 ] || [ -z "$writes" ] || { bad "there is no such call"; return 1; } ;;
    esac
    unharmed && alone
}

# What the power leaves after the last call: the new file.
after_the_end() {
    mode=$1; shift
    [ "$mode" = new ] || set -- "$@" --force
    fault=exit:1:UNDONE
    before "$mode"
    faulty "$fault" "$@"
    [ $rc -eq 99 ] && is_new || bad "what was reported as written is lost"
}

# Of the temporary: written, synchronised, closed, given its name, the folder synchronised, in this order.
order() {
    mode=$1; shift
    [ "$mode" = new ] || set -- "$@" --force
    before "$mode"
    faulty none:1:EIO "$@"
    awk '
        $1 == "open" && $3 == "write" { file = $2; step = "opened" }
        $1 == "open" && $3 == "folder" && step == "named" { folder = $2 }
        $1 == "write" && $2 == file {
            if (step != "opened" && step != "written") exit wrong = 1
            step = "written"
        }
        $1 == "fsync" && $2 == file && step == "written" { step = "saved" }
        $1 == "close" && $2 == file && step == "saved" { step = "closed"; file = -1 }
        ($1 == "rename" || $1 == "link") { if (step != "closed") exit wrong = 1; step = "named" }
        $1 == "fsync" && $2 == folder && step == "named" { step = "done" }
        END { exit wrong || step != "done" }' ../saw || { bad "out of order"; cat ../saw; return 1; }
}

# What could not be printed is told; where there is nothing to print, all is well.
told() { if [ -s ../said.good ]; then [ $rc -eq 1 ] && sentence; else [ $rc -eq 0 ]; fi; }

# The standard output is full, or closed; and all standard files are.
without_stdout() {
    mode=new fault=stdout
    before new
    "$sooth" "$@" > /dev/full 2> ../wrong; rc=$?
    told || { bad "/dev/full"; return 1; }
    before new
    "$sooth" "$@" >&- 2> ../wrong; rc=$?
    told || { bad "closed"; return 1; }
    [ -z "$writes" ] || is_new || { bad "the output is not the new one"; return 1; }
    before new
    "$sooth" "$@" > /dev/null 2>&-
    [ -z "$writes" ] || is_new || { bad "without stderr: not the new output"; return 1; }
    before new
    "$sooth" "$@" <&- >&- 2>&-; rc=$?
    [ $rc -le 1 ] && alone && { [ -z "$writes" ] || is_new || bad "all closed: not the new output"; }
}

# A limit on the size of files, below what is written.
limited() {
    mode=$1 fault=ulimit; shift
    [ "$mode" = new ] || set -- "$@" --force
    before "$mode"
    (ulimit -f 1; exec "$sooth" "$@") > /dev/null 2> ../wrong; rc=$?
    [ $rc -eq 1 ] && sentence && is_old && alone || bad "a file beyond the limit"
}

# ---- every command ----

# meets NAME COMMAND...: all faults; a command with -o to/out is one that writes
meets() {
    local what=$1 modes=new; shift
    [ "$only" = "  " ] || [[ $only == *" $what "* ]] || return
    writes=; [[ " $* " != *" to/out "* ]] || writes=1
    mkdir -p to; printf 'the old file, longer than a block of nothing\n' > ../old
    before new
    rm -f ../new
    fault=none
    "$sooth" "$@" < data.csv > ../said.good 2> ../wrong || { check "$what" bad "it fails by itself"; return; }
    [ -z "$writes" ] || { cp to/out ../new; modes="new old"; }
    for mode in $modes; do
        for fault in $faults ${writes:+$of_writers}; do
            check "$what, $mode, $fault" series "$mode" "${fault%%:*}" "${fault#*:}" "$@"
        done
        if [ "$writes" ]; then
            check "$what, $mode, after the end" after_the_end "$mode" "$@"
            check "$what, $mode, order" order "$mode" "$@"
            [ "$(wc -c < ../new)" -le 1024 ] || check "$what, $mode, limited" limited "$mode" "$@"
        fi
    done
    [ ! -c /dev/full ] || [[ " $* " == *" - "* ]] || check "$what, standard files" without_stdout "$@"
}

faults="open:EIO open:EMFILE open:EINTR read:EIO read:EINTR read:SHORT stat:EIO malloc:ENOMEM malloc:ENOMEM+
    open:INT read:TERM close:EINTR"
of_writers="write:ENOSPC write:EIO write:EINTR write:SHORT fsync:EIO fsync:ENOSPC fsync:EINTR fsync:EINVAL
    close:EIO rename:EIO rename:ENOSPC link:EIO link:EPERM link:EACCES unlink:EIO change:INT change:TERM
    change:HUP change:QUIT change:LOST change:HALF change:UNDONE"
runs=0
meets fit fit data.csv --target z --model tree --folds 0 -o to/out
meets fit-memory fit data.csv --target z --model boost --set n_estimators=2 --memory 64M -o to/out
meets fit-folds fit data.csv --target z --model linear --folds 3 -o to/out
meets fit-interval fit programs.csv --target y --group p --interval 0.6 --model linear --folds 0 -o to/out
meets fit-tune fit data.csv --target z --model linear --tune random --trials 2 --inner 2 --outer 0 -o to/out
meets fit-derive fit dates.csv --target y --derive when:day,hour --model tree --folds 0 -o to/out
meets next next new.sooth programs.csv --measured measured.csv --count 3 -o to/out
meets adapt adapt new.sooth measured.csv programs.csv --group p -o to/out
meets predict predict boost.sooth data.csv -o to/out
meets predict-stdin predict boost.sooth - -o to/out
meets import import trees.json -o to/out
meets export export linear.sooth --to c -o to/out
meets export-json export boost.sooth --to xgboost -o to/out
meets dependence explain boost.sooth data.csv --dependence x --points 4 -o to/out
meets ptx ptx kernel.ptx -o to/out
meets ptx-json ptx loops.ptx --json -o to/out
meets ptx-svg ptx kernel.ptx --svg to/out
meets ptx-launches ptx kernels.ptx --launches launches.csv --gpu k20 -o to/out
meets gpu gpu k20 --latency latency.csv -o to/out
meets sample sample halton --dims 2 --points 9 -o to/out
meets sample-long sample halton --dims 2 --points 600 -o to/out
meets scale scale runs.csv --threads threads --frequency GHz --time time --power power --min-energy -o to/out
meets settings next data.csv --target z --measured tried.csv --prior tried.csv --count 3 -o to/out
meets replay replay log.swf --predict requested,last2 -o to/out
meets gpu-time gpu time --csv operators.csv --gpu t4 -o to/out
meets card card make runs.csv --here time --there power -o to/out
meets fairness fairness bags.csv --cards cards.csv --tasks first,second --fields ipc,llc_miss -o to/out
meets allocate allocate shares.csv --units 12 -o to/out
meets export-integers export boost.sooth --to c --integers 16 -o to/out
meets describe describe boost.sooth
meets validate validate data.csv --target z --model linear --folds 2
meets validate-page validate data.csv --target z --model linear --folds 2 --repeats 1 --page to/out
meets explain explain boost.sooth data.csv
meets predict-stdout predict boost.sooth data.csv
meets help help tree

# ---- several at once ----

# at_once FLAG...: eight fits of the same file; their statuses are in $ended_with
at_once() {
    local n pids=
    for n in 1 2 3 4 5 6 7 8; do
        "$sooth" fit data.csv --target z --model tree --folds 0 -o to/out "$@" > /dev/null 2> "../wrong$n" &
        pids="$pids $!"
    done
    ended_with=
    for n in $pids; do wait "$n"; ended_with="$ended_with$?"; done
}
all_replace() {
    mode=old fault="eight with --force"
    before old
    at_once --force
    rc=$ended_with
    [ "$ended_with" = 00000000 ] && is_new && alone || bad "they end with $ended_with"
}
one_is_first() {
    mode=new fault="eight without"
    before new
    at_once
    rc=$ended_with
    local refused=${ended_with//0/}
    [ "$refused" = 2222222 ] && is_new && alone || bad "they end with $ended_with"
}
if [ "$only" = "  " ]; then
    mkdir -p to; rm -f to/* ../new
    "$sooth" fit data.csv --target z --model tree --folds 0 -o to/out > /dev/null && cp to/out ../new
    for k in 1 2 3 4 5; do
        check "eight at once replace, $k" all_replace
        check "of eight at once one is first, $k" one_is_first
    done
fi

echo "$runs runs with a fault"
ended faults
