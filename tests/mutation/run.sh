#!/bin/bash
# run.sh - mutation testing: a fixed sixth of the mutants, or with `all` every one; see mutation.py.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
for tool in python3 tcc; do
    command -v $tool > /dev/null && continue
    printf 'skipped: mutation testing (%s is not here)\n0 passed, 0 failed\n' $tool
    exit
done
case $1 in
all) exec python3 tests/mutation/mutation.py -j "${JOBS:-2}" ;;
*) exec python3 tests/mutation/mutation.py -s 6 -j "${JOBS:-2}" ;;
esac
