#!/bin/sh
# Models of whole numbers inside this machine's kernel: what `sooth export --to bpf` and `--to bpf-map` write
# passes the verifier, and every sum is the host's, for 10,000 rows, missing values among them; and the
# example that learns from this machine's tasks and predicts their bursts. Prints what the verifier and the
# clock say. Needs clang, libbpf and leave to call bpf(); says so where one is missing.
# Ends with "kernel: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
sooth=$(pwd)/build/sooth
multiarch=/usr/include/$(cc -print-multiarch 2> /dev/null)
skip() { echo "  skipped: $1"; ended kernel; exit; }

command -v clang > /dev/null || skip "clang is not here"
printf '#include <bpf/bpf.h>\n' | cc -E - > /dev/null 2>&1 || skip "libbpf is not here"
[ "$(uname -s)" = Linux ] || skip "this is not Linux"

bpf() { clang -O2 -g --target=bpf -Wall -Wextra -Werror -Wno-unused-function -I"$multiarch" "$@"; }
table() { # columns that are whole numbers, one with values missing
    awk -v seed="$1" 'BEGIN {
        srand(seed); print "priority,switches,kilobytes,burst"
        for (i = 0; i < 900; i++) {
            p = int(rand() * 40); s = int(rand() * 5000); k = int(rand() * 100000) - 500
            t = p * 100 + s / (1 + p) + (k > 40000) * 700 + int(rand() * 40)
            print p "," s "," (i % 9 ? k : "") "," t
        }
    }'
}
inside() { # NAME PROGRAM BLOCK: the same bits
    "$work/load" "$2" "$3" > "$work/said" 2>&1
    inside_ended=$?
    [ $inside_ended -ne 77 ] || skip "bpf() is not allowed here"
    check "$1" sh -c "[ $inside_ended -eq 0 ] && grep -q 'same: 10000 of 10000 rows' '$work/said'"
    sed 's/^/    /' "$work/said"
}

code() { sed -n 's/ bytes of code.*//p' "$work/said"; }
told() { "$sooth" describe "$work/$1.sooth" --for bpf --json | # MODEL QUANTITY, of the form bpf
    awk -v what="\"$2\":" '/"form": "bpf"/ { on = 1 } on && $1 == what { print $2 + 0; exit }'; }
# as_told MODEL: what the verifier says of its branches is at most what `sooth describe` says. The code is
# that beyond a tree of one leaf; the first stack is the program's own.
as_told() {
    depth=$(sed -n 's/.*stack depth //p' "$work/said")
    [ $(($(code) - leaf_code)) -le "$(told "$1" flash)" ] &&
        echo "${depth#*+}" | tr + '\n' |
        awk -v most="$(told "$1" stack)" '$1 > most { exit 1 }'
}

check "the loader compiles" cc -std=c11 -O2 -Wall -Wextra -Werror -ffp-contract=off -Iinclude \
    tests/hosts/kernel/load.c -o "$work/load" -lbpf
check "the program over a map compiles" bpf -c tests/hosts/kernel/rows.bpf.c -o "$work/map.o"
table 16 > "$work/t.csv"
"$sooth" fit "$work/t.csv" --target burst -m tree --set min_samples_split=2000 -o "$work/leaf.sooth" \
    > /dev/null 2>&1
"$sooth" export "$work/leaf.sooth" --to bpf-map -o "$work/block" 2> /dev/null
"$sooth" export "$work/leaf.sooth" --to bpf -o "$work/model.h" 2> /dev/null
check "a leaf compiles" bpf -DMODEL="\"$work/model.h\"" -c tests/hosts/kernel/rows.bpf.c -o "$work/if.o"
inside "a leaf, as branches" "$work/if.o" "$work/block"
leaf_code=$(code)
for model in tree forest boost; do
    case $model in
    tree) set -- ;;
    forest) set -- --set n_estimators=20 --set max_depth=8 ;;
    boost) set -- --set n_estimators=100 --set max_depth=6 ;;
    esac
    "$sooth" fit "$work/t.csv" --target burst -m $model "$@" -o "$work/$model.sooth" > /dev/null 2>&1
    for keys in whole float; do
        "$sooth" export "$work/$model.sooth" --to bpf-map --keys $keys -o "$work/block" --force \
            2> /dev/null
        inside "$model, keys $keys, as a map's value" "$work/map.o" "$work/block"
        "$sooth" export "$work/$model.sooth" --to bpf --keys $keys -o "$work/model.h" --force \
            2> /dev/null
        check "$model, keys $keys: branches compile" \
            bpf -DMODEL="\"$work/model.h\"" -c tests/hosts/kernel/rows.bpf.c -o "$work/if.o"
        inside "$model, keys $keys, as branches" "$work/if.o" "$work/block"
        [ $keys = float ] || check "$model costs what is told at most" as_told $model
    done
done

check "make kernel: the example and its policy compile" make -s kernel
example=build/kernel/kernel
"$example" --gather 2 --predict 2 --out "$work" > "$work/said" 2>&1
ended_with=$?
[ $ended_with -ne 77 ] || skip "$(head -n 2 "$work/said")"
check "the example ends well" [ $ended_with -eq 0 ]
check "every sum of the kernel is the host's" grep -q '^  same bits: ' "$work/said"
check "its picture is whole" grep -q '</svg>' "$work/bursts.svg"
sed 's/^/    /' "$work/said"
"$example" --gather 60 --out "$work" > "$work/said" 2>&1 &
sleep 1; kill -INT $!; wait $!
check "interrupted it says so" [ $? -eq 130 ]
check "and takes all away" grep -q 'all programs are detached' "$work/said"
if command -v bpftool > /dev/null; then
    # (the kernel gives programs back a moment later)
    for _ in 1 2 3 4 5; do bpftool prog show | grep -q 'name on_switch' && sleep 0.4; done
    check "no program stays" sh -c '! bpftool prog show | grep -q "name on_switch"'
fi
check "a wrong word gets the usage" refused 2 "usage: kernel" "$example" --gathr 3
[ -e /sys/kernel/sched_ext ] ||
    check "no policy without sched_ext" refused 77 "no sched_ext" "$example" --policy
ended kernel
