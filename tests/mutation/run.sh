#!/bin/bash
# run.sh - mutation testing; see mutation.py.
#
#     run.sh            a fixed sixth of the mutants, as the gate has them in three days
#     run.sh 1|2|3      a third of this sixth, as the gate has it on one of three days
#     run.sh all        all mutants
#
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
for tool in python3 tcc; do
    command -v $tool > /dev/null && continue
    printf 'skipped: mutation testing (%s is not here)\n0 passed, 0 failed\n' $tool
    exit
done
case $1 in
all) set -- ;;
[123]) set -- -s 6 -d "$1" ;;
*) set -- -s 6 ;;
esac
exec python3 tests/mutation/mutation.py -j "${JOBS:-2}" "$@"
