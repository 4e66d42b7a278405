#!/bin/sh
# How long `sooth replay` takes for a made-up log: bench/replay.sh [JOBS=1000000], seconds of one processor
# for each predictor, reading included. 500 users on 1,000 processors, each with programs of his own, nine
# tenths of the machine in use.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
jobs=${1:-1000000}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
awk -v jobs="$jobs" '
    function draw(below) { s = (s * 16807) % 2147483647; return s % below }
    BEGIN {
        s = 7
        print "; MaxProcs: 1000"
        for (i = 1; i <= jobs; ++i) {
            t += draw(190)
            u = draw(500); p = draw(6); wide = 2 ^ ((u + p) % 8)
            run = int(exp(2 + ((u * 31 + p * 17) % 60) / 8 + draw(1000) / 1000)) + 1
            if (draw(12) == 0) run = 1 + draw(20)
            requested = (1 + draw(3)) * 2 ^ (1 + int(log(run) / log(2)))
            print i, t, -1, run, wide, -1, -1, wide, requested, -1, 1, u, 1, p, 1, -1, -1, -1
        }
    }' > "$log"
used() { # seconds that commands of this shell have taken so far, in the file of `times`
    awk 'NR == 2 { gsub(/[ms]/, " "); print 60 * ($1 + $3) + $2 + $4 }' "$log.times"
}
times > "$log.times"
for who in requested last2 perfect sooth; do
    before=$(used)
    build/sooth replay "$log" --predict $who --json > "$log.out" || exit 1
    times > "$log.times"
    awk -v who=$who -v took="$(used)" -v before="$before" '/"bounded_slowdown":/ {
        printf "%-10s %5.1f s   bounded slowdown %.1f\n", who, took - before, $2 }' "$log.out"
done
rm -f "$log.out" "$log.times"
