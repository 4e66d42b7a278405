#!/bin/sh
# A schedule that our predictions made, run in SimGrid: makespan and joules below those of first-come and
# random, and near the best there is.
# Ends with "simgrid: N passed, N failed"; where SimGrid is not installed it says so and passes nothing.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh

if ! echo '#include <simgrid/s4u.hpp>' | ${CXX:-g++} -std=c++17 -fsyntax-only -x c++ - 2> "$work/log"; then
    echo "  skipped: SimGrid is not here (on Debian: libsimgrid-dev), so no schedule was simulated"
    echo "simgrid: 0 passed, 0 failed"
    exit 0
fi
check "it compiles" ${CXX:-g++} -std=c++17 -O1 -Wall -Wextra -Iinclude \
    bench/peers/simgrid_hosts.cpp -o "$work/run" -lsimgrid
check "it runs" "$work/run"
cat "$work/log"
cp "$work/log" "$work/first"
check "it runs again" "$work/run"
cp "$work/log" "$work/second"
check "and says the same" cmp "$work/first" "$work/second"

table=$work/first
for other in first-come random; do
    check "makespan is below that of $other" less "$(of predicted 2)" "$(of $other 2)"
    check "energy is below that of $other" less "$(of predicted 3)" "$(of $other 3)"
done
check "makespan is within 3 % of the best" less "$(of predicted 2)" "1.03 * $(of best 2)"
check "none is better than the best" less "$(of best 2)" "$(of predicted 2) + 1e-9"

ended simgrid
