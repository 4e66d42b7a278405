#!/bin/sh
# How well `sooth replay` does on many logs: bench/queues.sh [LOG.swf [COPIES=0-8]]. Needs build/sooth and
# build/logs. With a log, copies of its halves, also with shorter queues; and logs of a model. Prints the
# geometric mean of the average bounded slowdown of each predictor, the share of the way from last2 to perfect
# of these means; of the ratios of sooth to last2 the geometric mean, the spread (standard deviation of the
# logarithms), the worst, and the number above 1.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
log=$1 copies=${2:-0 1 2 3 4 5 6 7 8}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

one() { # arguments of build/logs: the slowdowns of a log
    build/logs "$@" > "$work/log.swf" && build/sooth replay "$work/log.swf" --json > "$work/out" || exit 1
    awk '/"bounded_slowdown":/ { printf "%s ", $2 + 0 } END { print "" }' "$work/out" >> "$work/all"
}
report() { # NAME: of the logs since the last report
    awk -v name="$1" '{
            for (k = 1; k <= 4; ++k) sum[k] += log($k)
            r = $3 / $2; above += r > 1; worst = r > worst ? r : worst
            ratios += log(r); squares += log(r) ^ 2
        }
        END {
            for (k = 1; k <= 4; ++k) mean[k] = exp(sum[k] / NR)
            printf "%-34s %2d logs  requested %.1f  last2 %.1f  sooth %.1f  perfect %.1f", name, NR, mean[1],
                mean[2], mean[3], mean[4]
            printf "  way %.0f %%", 100 * (mean[2] - mean[3]) / (mean[2] - mean[4])
            middle = ratios / NR
            printf "  ratio %.2f +- %.0f %%", exp(middle), 100 * sqrt((squares - NR * middle ^ 2) / (NR - 1))
            printf "  worst %.2f  above 1: %d\n", worst, above
        }' "$work/all"
    rm "$work/all"
}

if [ "$log" ]; then
    for stretch in 1 1.25 2 3; do
        for half in 1 2; do
            for copy in $copies; do one copy "$log" $half "$copy" $stretch; done
            report "half $half, submissions x $stretch apart"
        done
    done
fi
for load in 0.5 0.6; do # seeds on which nothing was chosen
    case $load in 0.5) seeds="21 22 23 24 25 26" ;; *) seeds="11 12 13 14 15 16" ;; esac
    for repeats in 0 1; do
        for seed in $seeds; do one model $seed 6000 $load $repeats; done
        report "model, load $load, repeats $repeats"
    done
done
