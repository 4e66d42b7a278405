#!/bin/sh
# build/serving on a trace: the same twice, each order knows what it may know, mistakes are sentences. With
# SERVING_TRACES=FOLDER also the shares held on recorded traces (FOLDER/*-h200.csv), of which none is here.
# Ends with "serving_trace: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
run=build/serving

awk 'BEGIN {
    srand(3)
    print "kv_cache_percentage,input_token_length,num_request_waiting,num_request_running," \
        "prefill_tokens_in_flight,actual_ttft_ms,actual_tpot_ms"
    for (i = 0; i < 1600; i++) {
        w = int(i / 400) * 10 + int(rand() * 5); n = 50 + int(rand() * 4000); p = w * 2000
        v = (n + p + 500 - (p < 8192 ? p : 8192) / 2) * 0.1 * (0.8 + 0.4 * rand())
        print rand() "," n "," w "," w + 8 "," p "," (i % 2 ? 0 : v) "," (i % 2 ? 20 + 5 * rand() : 0)
    }
}' > "$work/trace.csv"
# held TRACE PREDICTIONS LABEL COLUMN: the share of rows from the 300th label on that are at or below it, %
held() {
    paste -d , "$1" "$2" | awk -F, -v label="$3" -v column="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at[label] > 0 && ++n > 300 { ++all; inside += $at[label] <= $at[column] }
        END { print 100 * inside / all }'
}
for order in seen late; do
    check "order $order" $run --trace "$work/trace.csv" --order $order -o "$work/$order.csv"
    check "a line for each row" [ "$(wc -l < "$work/$order.csv")" -eq 1601 ]
    for target in ttft tpot; do
        share=$(held "$work/trace.csv" "$work/$order.csv" actual_${target}_ms ${target}_p90)
        check "$target $order: 90 % hold, not $share" less 86 "$share"
        check "$target $order: and no more" less "$share" 94
    done
done
check "the same on the standard output" \
    sh -c "$run --trace '$work/trace.csv' --order seen | cmp - '$work/seen.csv'"
check "the orders differ" sh -c "! cmp -s '$work/seen.csv' '$work/late.csv'"
# What comes later changes nothing: the first half of the trace alone has the same predictions.
head -n 801 "$work/trace.csv" > "$work/half.csv"
check "seen knows no later row" \
    sh -c "head -n 801 '$work/seen.csv' > '$work/a'
        $run --trace '$work/half.csv' --order seen | cmp - '$work/a'"
# In order late the last row may not know the labels before it, for 2 x 30 rows and more.
awk -F, -v OFS=, 'NR > 1550 { if ($6 > 0) $6 = $6 * 9; if ($7 > 0) $7 = $7 * 9 } { print }' \
    "$work/trace.csv" > "$work/other.csv"
check "late does not know the newest labels" \
    sh -c "$run --trace '$work/other.csv' --order late | cmp - '$work/late.csv'"
check "but seen does" sh -c "! $run --trace '$work/other.csv' --order seen | cmp -s - '$work/seen.csv'"

check "no such order" refused 2 "seen or late" $run --trace "$work/trace.csv" --order best
check "no such option" refused 2 "no option --speed" $run --speed 3
check "an option without its value" refused 2 "needs a value" $run --trace
check "no such file" refused 1 "cannot read" $run --trace "$work/none.csv"
check "a column is missing" refused 1 "no column kv_cache_percentage" $run --trace "$work/seen.csv"

if [ -d "${SERVING_TRACES:-}" ]; then
    for trace in "$SERVING_TRACES"/*-h200.csv; do
        case $trace in */xgboost-*) continue ;; esac
        for order in seen late; do
            $run --trace "$trace" --order $order -o "$work/p.csv"
            for target in ttft tpot; do
                share=$(held "$trace" "$work/p.csv" actual_${target}_ms ${target}_p90)
                check "$(basename "$trace") $order $target: 90 % hold, not $share" less 86 "$share"
                check "$(basename "$trace") $order $target: and no more" less "$share" 96
            done
        done
    done
else echo "  skipped: recorded traces (SERVING_TRACES is not set)"
fi
ended serving_trace
