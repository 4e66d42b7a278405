#!/bin/sh
# build/themis on recorded runs: the table of build/runs, which `sooth slowdown` tells of too (7.3 % in
# tests/cli/cli_decide.sh), and what is refused.
# Ends with "themis: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
themis=${THEMIS:-$(pwd)/build/themis}

build/runs learn > "$work/runs.csv" && build/runs pairs > "$work/pairs.csv"
{ cat "$work/runs.csv"; tail -n +2 "$work/pairs.csv"; } > "$work/both.csv"
check "recorded runs are told of" sh -c "$themis --simulator $work/both.csv > $work/both"
check "all of the unseen kernels" grep -q '^  294 rows of 7 programs; .* the runs beside' "$work/both"
check "as sooth slowdown tells them" grep -q '^  Themis, ours (one network) *mean *7[.]3 ' "$work/both"
check "ASM at best, as the study has it" grep -q '(ASM at best) *mean *35[.]7 ' "$work/both"
check "Fair and QoS on recorded pairs" grep -q '^---- Fair and QoS: 49 pairs' "$work/both"
check "eight events" [ "$(grep -c '^  [A-Za-z0-9]*\( *0[.][0-9][0-9]\)\{4\}$' "$work/both")" -eq 8 ]

check "no file" refused 1 'none.csv cannot be read' "$themis" --simulator "$work/none.csv"
cut -d, -f1-12 "$work/pairs.csv" > "$work/short.csv"
check "a column less" refused 1 'no column sd_inter of numbers' "$themis" --simulator "$work/short.csv"
sed 's/,pfn,/,7,/' "$work/pairs.csv" | sed 's/,[a-z][a-z0-9]*,\([1-5]0\),/,8,\1,/' > "$work/numbers.csv"
check "programs without names" refused 1 'column program of names' "$themis" --simulator "$work/numbers.csv"
sed '5s/^[0-9]*/x/' "$work/pairs.csv" > "$work/text.csv"
check "a run that is no number" refused 1 'no column run of numbers' "$themis" --simulator "$work/text.csv"
head -n 2 "$work/pairs.csv" > "$work/one.csv"
check "nothing to learn from" refused 1 'fewer than two rows' "$themis" --simulator "$work/one.csv"
sed '7s/^\([^,]*,[^,]*,[^,]*\),[^,]*,/\1,,/' "$work/pairs.csv" > "$work/gap.csv"
check "an event that was not counted" refused 1 'line 7: ipc is missing' "$themis" --simulator "$work/gap.csv"

ended themis
