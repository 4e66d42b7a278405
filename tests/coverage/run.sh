#!/bin/bash
# coverage.sh - what the tests in C take of the headers: lines, branches, conditions.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     tests/coverage/run.sh                        all tests; a table, and what falls short
#     tests/coverage/run.sh tree.h                 runs test_tree.c; lists what nothing takes in tree.h
#     tests/coverage/run.sh tree.h golden model    the same after running test_golden.c and test_model.c
#
# The lists count what the other tests took when they last ran, so run the whole once first. Each header must
# have 99 % of its lines and 95 % of its branches taken, a branch being one outcome of one condition. In the
# functions that check and predict - all that SOOTH_PREDICT_ONLY compiles, and those of the same names - each
# condition must be shown to decide alone (MC/DC). Exceptions stand in tests/coverage/coverage.py, with their
# reasons.
#
# Every test is compiled as if it were the file /dev/null: then an internal function has one name in all the
# programs, and their counters add up.
cd "$(dirname "$0")/../.." || exit 1
to=build/coverage
count="-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
flags="-std=c11 -ffp-contract=off -w -O0 -Iinclude -Itests -Itests/harness"
skip() { echo "skipped: coverage ($1)"; echo "0 passed, 0 failed"; exit; }
for tool in clang-19 llvm-profdata-19 llvm-cov-19 python3; do
    command -v $tool > /dev/null || skip "$tool is not here"
done
mkdir -p $to
whole="-femit-all-decls -DSOOTH_IMPLEMENTATION -include sooth.h -include sooth/threads.h"
whole="$whole -include sooth/files.h -x c -c /dev/null"

# one TEST: compiles and runs it; what fails leaves a file .failed
one() {
    local name=$1 linked=
    local source; source=$(find tests -name "test_$name.c")
    linked=$(tests/harness/linked.sh "$source" "$to/sooth.o")
    case $linked in -DSOOTH_LINKED*) ;; *) linked= ;; esac
    rm -f "$to/$name".*
    { clang-19 $flags $count $linked -include "$source" -x c /dev/null -o "$to/test_$name" \
        -lm -pthread &&
        env -u SOOTH_SLOW LLVM_PROFILE_FILE="$to/$name.profraw" timeout 900 "$to/test_$name" &&
        # what tests/export/export.sh and tests/export/integers.sh compile and compare
        case $name in export | integers_code)
            mkdir -p $to/written &&
                LLVM_PROFILE_FILE="$to/$name.written.profraw" "$to/test_$name" $to/written ;;
        esac
    } > "$to/$name.out" 2>&1 || touch "$to/$name.failed"
}
if [ "$1" = one ]; then one "$2"; exit; fi

header=$1; shift
if [ "$header" ]; then names=${*:-${header%.h}}
else
    rm -f $to/*.profraw $to/*.failed
    names=$(find tests -name 'test_*.c' | xargs ls -S | sed 's|^.*/test_\(.*\)\.c$|\1|')
fi
clang-19 $flags $count $whole -o $to/sooth.o 2> $to/sooth.out ||
    { cat $to/sooth.out; echo "0 passed, 1 failed"; exit 1; }
# shellcheck disable=SC2086
printf '%s\n' $names |
    xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -I {} bash tests/coverage/run.sh one {}
for name in $names; do
    [ ! -f "$to/$name.failed" ] || { echo "FAILED  test_$name.c"; tail -n 5 "$to/$name.out"; }
done
clang-19 $flags -DSOOTH_PREDICT_ONLY $whole -o $to/predict.o &&
    nm $to/predict.o | sed -n 's/^.* [tT] //p' > $to/names &&
    llvm-profdata-19 merge $to/*.profraw -o $to/all.profdata &&
    llvm-cov-19 export $to/sooth.o -instr-profile=$to/all.profdata > $to/all.json &&
    llvm-cov-19 export -format=lcov $to/sooth.o -instr-profile=$to/all.profdata > $to/all.lcov &&
    python3 tests/coverage/coverage.py $to "$(ls $to/*.failed 2> /dev/null | wc -l)" $header
