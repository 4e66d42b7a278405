#!/bin/bash
# soak.sh - hours of fuzzing: every target with libFuzzer under AddressSanitizer and UBSan, some with AFL++
# too, the corpora once under MemorySanitizer, nasty tables and peers with many seeds, every mutant.
# `HOURS=1 make soak` gives each target an hour (JOBS=N targets at a time, one per processor unless said); a
# break is fine: what was found stays in build/soak, the table is printed all the same, and the next run goes
# on from there.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     soak.sh [TARGET...]     fuzzes these targets, or all
#     soak.sh keep            merges what was found into tests/fuzz/corpus, at most 2 MB in all
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
soak=build/soak way=build/fuzz/libfuzzer
seconds=$(awk -v hours="${HOURS:-1}" 'BEGIN { printf "%d", hours * 3600 }')
all=$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')
command -v clang > /dev/null || { echo "skipped: make soak (clang is not here)"; exit 0; }

seeds() { # FOLDER: what every target begins with
    local target
    for target in $all; do mkdir -p "$1/$target"; done
    tests/fuzz/build.sh seeds && build/fuzz/seeds/seeds "$1" || exit 1
    cp tests/golden/ptx/*.ptx "$1/ptx"
    cp tests/fuzz/corpus/csv/* "$1/blocks"
    find tests/golden -name 'import_*' ! -name '*.h' -exec cp {} "$1/import" \;
    for target in trees nets laws envelopes; do
        for file in tests/kept/*/*.sooth; do cp "$file" "$1/$target/$(basename "$file")"; done
    done
}

# Minimised by what they reach; in the order of their names, which are hashes: a fair choice where there are
# more than the target has room for.
keep() {
    local target room file
    for target in $all; do
        [ -d $soak/corpus/"$target" ] || continue
        case $target in
        blocks | words) room=13000 ;;
        command) room=40000 ;;
        cards | csv | laws | libsvm | rules) room=95000 ;;
        envelopes) room=340000 ;;
        *) room=275000 ;;
        esac
        rm -rf $soak/merged; mkdir -p $soak/merged tests/fuzz/corpus/"$target"
        $way/"$target" -set_cover_merge=1 -max_len=16384 -rss_limit_mb=4000 $soak/merged \
            tests/fuzz/corpus/"$target" $soak/corpus/"$target" $soak/seeds/"$target" > $soak/merge.log 2>&1 ||
            { tail $soak/merge.log; exit 1; }
        sha1sum tests/golden/ptx/* tests/golden/import_* tests/kept/*/* | # they are there already
            while read -r name _; do rm -f $soak/merged/"$name"; done
        [ "$target" != blocks ] || # which begins with those of csv
            for file in tests/fuzz/corpus/csv/*; do rm -f $soak/merged/"${file##*/}"; done
        rm -rf tests/fuzz/corpus/"$target"; mkdir -p tests/fuzz/corpus/"$target"
        ls $soak/merged | while read -r file; do
            room=$((room - $(wc -c < $soak/merged/"$file")))
            [ $room -lt 0 ] || cp $soak/merged/"$file" tests/fuzz/corpus/"$target"/"$file"
        done
        echo "$target: $(ls tests/fuzz/corpus/"$target" | wc -l) of $(ls $soak/merged | wc -l) files," \
            "$(cat tests/fuzz/corpus/"$target"/* | wc -c) bytes"
    done
}

count() { find "$1" -type f 2> /dev/null | wc -l; }
log() { sed -n "$2" $soak/log/"$1" 2> /dev/null | tail -n 1; }
number() { # TARGET NAME: a number of AFL++'s
    sed -n "s/^$2 *: //p" $soak/afl/"$1"/default/fuzzer_stats 2> /dev/null
}
table() {
    local target form='%-10s %13s %8s %8s %8s %8s %11s %8s\n'
    {
        printf "\n$form" target executions covered before after crashes 'by AFL++' crashes
        for target in $targets; do
            printf "$form" "$target" "$(log "$target" 's/^#\([0-9]*\): cov.*/\1/p')" \
                "$(log "$target" 's/^#.*: cov: \([0-9]*\).*/\1/p')" \
                "$(cat $soak/log/"$target".before 2> /dev/null)" "$(count $soak/corpus/"$target")" \
                "$(count $soak/crash/"$target")" "$(number "$target" execs_done)" \
                "$(number "$target" saved_crashes)"
        done
        cat $soak/log/memory $soak/log/nasty $soak/log/peers $soak/log/mutation 2> /dev/null
        echo "before, after: files of the corpus; crashes lie in $soak/crash/TARGET and" \
            "$soak/afl/TARGET/default/crashes"
    } | tee $soak/table.txt
}

fuzz() { # TARGET
    mkdir -p $soak/corpus/"$1" $soak/crash/"$1" tests/fuzz/corpus/"$1"
    count $soak/corpus/"$1" > $soak/log/"$1".before
    $way/"$1" -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -max_total_time=$seconds \
        -max_len=16384 -timeout=30 -rss_limit_mb=4000 -artifact_prefix=$soak/crash/"$1"/ \
        $soak/corpus/"$1" tests/fuzz/corpus/"$1" $soak/seeds/"$1" > $soak/log/"$1" 2>&1
}
second() { # TARGET: by AFL++, a fourth as long
    local from=-
    mkdir -p $soak/afl
    [ -d $soak/afl/"$1"/default ] || from=$soak/seeds/"$1"
    AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 \
        env -u ASAN_OPTIONS -u UBSAN_OPTIONS timeout -s INT -k 60 $((seconds / 4 + 10)) \
        afl-fuzz -i "$from" -o $soak/afl/"$1" -m none -t 5000 -V $((seconds / 4 + 1)) \
        -- build/fuzz/afl/"$1" > $soak/log/"$1".afl 2>&1
}
memory() { # TARGET: every file once
    local said=$soak/log/memory.$1
    build/fuzz/memory/"$1" 0 $(find $soak/corpus/"$1" tests/fuzz/corpus/"$1" $soak/seeds/"$1" -type f) \
        > "$said" 2>&1 || echo "failed: $said" >> "$said"
    echo "MemorySanitizer, $1: $(tail -n 1 "$said")" >> $soak/log/memory
}
nasty() {
    local flags="-std=c11 -O1 -g1 -ffp-contract=off -fno-sanitize-recover=all"
    flags="$flags -isystem include -Itests -Itests/harness"
    gcc $flags -fsanitize=address,undefined tests/library/test_nasty.c -o $soak/nasty -lm -pthread &&
        SOOTH_SLOW=1 SOOTH_SEEDS=$((seconds / 60 + 1)) timeout -k 10 $((seconds + 600)) $soak/nasty \
            > $soak/log/nasty.full 2>&1
    tail -n 1 $soak/log/nasty.full > $soak/log/nasty
}

peers() { # with other data than the gate has
    local seed
    for seed in $(seq $((seconds / 600 + 1))); do
        SOOTH_SEED=$seed tests/peers/run.sh > $soak/log/peers."$seed" 2>&1
        echo "peers, seed $seed: $(tail -n 1 $soak/log/peers."$seed")" >> $soak/log/peers
    done
}
mutation() { # all of it, which takes some hours
    tests/mutation/run.sh all > $soak/log/mutation.full 2>&1
    echo "mutation: $(tail -n 1 $soak/log/mutation.full)" > $soak/log/mutation
}

if [ "$1" = keep ]; then
    mkdir -p $soak
    seeds $soak/seeds
    tests/fuzz/build.sh libfuzzer && keep
    exit
fi
targets=${*:-$all}
mkdir -p $soak/log
rm -f $soak/log/{memory,nasty,peers,mutation}
seeds $soak/seeds
tests/fuzz/build.sh libfuzzer $targets || exit 1

set -m # every job is a process group of its own, which a break ends (libFuzzer's forks live on after INT)
trap 'for job in $(jobs -p); do kill -TERM -- -"$job"; done; wait; table; exit 1' INT TERM
each() { # WHAT TARGET...: for every target, some at a time
    local what=$1 target; shift
    for target; do
        while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" ]; do wait -n; done
        $what "$target" &
    done
    wait
}
each fuzz $targets
if command -v afl-clang-fast > /dev/null && command -v afl-fuzz > /dev/null; then
    texts=$(printf '%s\n' $targets | grep -xE 'csv|import|ptx')
    [ -z "$texts" ] || { tests/fuzz/build.sh afl $texts && each second $texts; }
else echo "skipped: AFL++ (afl++ is not here)"; fi
# not the command: what fstat writes counts as not written here
checked=$(printf '%s\n' $targets | grep -vx command)
[ -z "$checked" ] || { tests/fuzz/build.sh memory $checked && each memory $checked; }
each nasty once
each peers once
[ $# -gt 0 ] || each mutation once # (some targets alone go without it)
table
