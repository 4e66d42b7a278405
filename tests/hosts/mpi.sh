#!/bin/sh
# Over MPI: 2 to 8 processes whose rows differ learn the very bytes of one process with all rows, with threads
# too; one that fails ends all with its sentence, one that dies ends all.
# Ends with "mpi: N passed, N failed"; where Open MPI is not installed it says so and passes nothing.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_base_warn_component_unused=0

if ! command -v mpicc > /dev/null || ! command -v mpirun > /dev/null; then
    echo "  skipped: Open MPI is not here (on Debian: libopenmpi-dev openmpi-bin)"
    echo "mpi: 0 passed, 0 failed"
    exit 0
fi
check "it compiles" make -s build/mpi/fit
grep -q 'warning:' "$work/log" && cat "$work/log"

# What a host copies: lines that are neither blank, comment, include nor guard.
code() {
    sed '1,/^#define SOOTH_MPI_H/d' examples/hosts/mpi/sooth_mpi.h |
        grep -cv '^#\(include\|endif\)\|^$\|^/\*.*\*/$'
}
check "the integration is under 40 lines of code" less "$(code)" 40

together() { # PROCESSES OPTION=VALUE...
    ranks=$1; shift
    timeout 300 mpirun -n "$ranks" build/mpi/fit "$@"
}
# same NAME PROCESSES OPTION=VALUE...: the bytes that one process writes
same() {
    name=$1 ranks=$2; shift 2
    build/mpi/fit "$@" out="$work/one" > "$work/said" 2>&1 &&
        together "$ranks" "$@" share=1 out="$work/many" keep=$((ranks - 1)) kept="$work/last" \
            > "$work/said" 2>&1
    check "$name, $ranks processes: the bytes of one" cmp "$work/one" "$work/many"
    check "$name: the last process has them too" cmp "$work/one" "$work/last"
    rm -f "$work/one" "$work/many" "$work/last"
}
same "boosting" 2 rows=20000 set="n_estimators=20"
same "boosting" 3 rows=7001 cols=17 set="n_estimators=10 grow_policy=lossguide"
same "boosting" 4 rows=20000 set="n_estimators=10 subsample=0.7 colsample_bytree=0.6 seed=7"
same "symmetric trees" 5 rows=5000 set="n_estimators=5 grow_policy=symmetric"
same "boosting" 8 rows=100000 set="n_estimators=5 max_depth=8"
same "boosting in two threads each" 2 rows=70000 workers=2 set="n_estimators=5"
same "a forest" 3 model=forest rows=3000 set="n_estimators=20 min_samples_leaf=5"
same "least squares" 4 model=linear rows=200000
same "a file" 3 data=examples/scale/data/titanx.csv target="$(head -1 examples/scale/data/titanx.csv |
    tr ',' '\n' | tail -1)" set="n_estimators=5"

check "one that fails ends all with its sentence" refused 1 "rank 2 of 4: row 1 has no finite target" \
    together 4 rows=1000 fail=2
# asked for the 30th time: in the middle of a tree, whose histograms the others wait for
together 4 rows=1000 set="n_estimators=20" die=1 at=30 out="$work/none" > "$work/said" 2>&1
ended_with=$?
check "one that dies ends all" [ $ended_with -ne 0 ]
check "without a wait" [ $ended_with -ne 124 ]
check "and no model is written" [ ! -e "$work/none" ]
check "what cannot be is said" refused 1 "losses that need medians" together 2 rows=1000 set="loss=absolute"
ended mpi
