#!/bin/sh
# Black-box tests of `sooth replay`: a schedule by hand, predictions recomputed from the schedule that they
# made, logs that are broken, and, where SOOTH_KTH names the log KTH-SP2.swf of the Parallel Workloads
# Archive, the figures that the authors of the SC 2015 paper published of it (jad-darrous/predictsim,
# metrics_complete).
# Ends with "replay: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
sooth=${SOOTH:-$(pwd)/build/sooth}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; }
check() { name=$1; shift; if "$@"; then ok; else fail "$name"; fi; }

# expect CODE WORDS COMMAND...: exit code, and words in what it printed; a failure says so in one line
expect() {
    code=$1 words=$2; shift 2
    "$sooth" "$@" > out 2> err; rc=$?
    if [ $rc -ne "$code" ]; then fail "sooth $* returned $rc, not $code"; head -3 out err; return; fi
    if ! cat out err | grep -qF -e "$words"; then fail "sooth $*: no \"$words\""; head -5 out err; return; fi
    if [ "$code" -ne 0 ] && { [ "$(wc -l < err)" -ne 1 ] || [ -s out ]; }; then
        fail "sooth $*: not one sentence"; cat out err; return
    fi
    ok
}

# lines of a log: number submit run processors requested user
swf() {
    echo "; MaxNodes: 7"
    echo ";  MaxProcs: 10"
    awk '{ print $1, $2, -1, $3, $4, -1, -1, $4, $5, -1, 1, $6, 1, 1, 1, -1, -1, -1 }'
}

# ---- by hand: ten processors; see tests/cli/test_queue.c for more

swf << END > hand.swf
1 0 10 6 10 1
2 0 4 4 4 1
3 1 1 10 1 2
4 2 6 4 6 3
5 3 4 4 4 4
6 40 0 1 5 1
7 41 5 0 5 1
8 42 5 11 5 1
9 43 5 1 -1 1
10 44 9 1 5 1
END
expect 0 '6 jobs on 10 processors' replay hand.swf --predict requested,perfect -o hand.csv
for words in '1 that never ran' '1 without a number of processors' '1 without a requested time' \
    '1 that request more processors than the machine has' 'cut: 1 that ran longer than requested'; do
    check "$words" grep -qF "$words" out
done
cat << END > hand_expected.csv
job,submit,processors,run,requested,predicted_requested,start_requested,predicted_perfect,start_perfect
1,0,6,10,10,10,0,10,0
2,0,4,4,4,4,0,4,0
3,1,10,1,1,1,10,1,10
4,2,4,6,6,6,4,6,11
5,3,4,4,4,4,11,4,4
10,44,1,5,5,5,44,5,44
END
check "the schedule by hand" cmp hand.csv hand_expected.csv
expect 0 '"bounded_slowdown": 1.033333333333333' replay hand.swf --predict requested --json
expect 2 'hand.csv already exists; --force replaces it' replay hand.swf -o hand.csv
expect 0 '7 jobs on 12 processors' replay hand.swf --predict perfect --processors 12

# ---- predictions are of what had ended: recomputed from the starts

awk 'BEGIN {
    s = 7
    for (i = 1; i <= 900; ++i) {
        s = (s * 16807) % 2147483647; t += s % 260
        s = (s * 16807) % 2147483647; u = s % 23
        s = (s * 16807) % 2147483647; p = 1 + s % 4
        s = (s * 16807) % 2147483647
        run = int((20 + u * u * p) * (0.8 + (s % 400) / 1000))
        s = (s * 16807) % 2147483647
        print i, t, run, p, run * (1 + s % 4) + 600, u
    }
}' | swf > users.swf
expect 0 'of the improvement from last2 to perfect times' replay users.swf -o users.csv --picture users.svg
cp out told
check "a picture" grep -q '<svg' users.svg
for who in requested last2 sooth perfect; do check "$who in the picture" grep -q ">$who<" users.svg; done
awk -F, 'NR == FNR { if (!/^;/) { split($0, f, " "); user[f[1]] = f[12] } next }
    FNR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k; next }
    { n = FNR - 1; id[n] = user[$1]; submit[n] = $2; run[n] = $4; requested[n] = $5
      start[n] = $at["start_last2"]; said[n] = $at["predicted_last2"] }
    END {
        for (i = 1; i <= n; ++i) { # the two of this user that ended last before it came
            e1 = e2 = -1
            for (k = 1; k < i; ++k) {
                end = start[k] + run[k]
                if (id[k] != id[i] || end >= submit[i]) continue
                if (end > e1 || (end == e1 && start[k] >= b1)) {
                    e2 = e1; r2 = r1; e1 = end; r1 = run[k]; b1 = start[k]
                }
                else if (end > e2) { e2 = end; r2 = run[k] }
            }
            p = e2 < 0 ? requested[i] : int((r1 + r2) / 2)
            if (p > requested[i]) p = requested[i]
            if (p != said[i]) { print "job " i ": " said[i] ", not " p; bad = 1 }
        }
        exit bad
    }' users.swf users.csv > differences
check "the last two that had ended" [ ! -s differences ]
head -3 differences
# sooth says 0.4 of what it expects: within a factor of two for most jobs, more of them than by the last two
awk -F, 'FNR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k; next }
    FNR > 450 {
        a = $at["predicted_sooth"] / (0.4 * $4); b = $at["predicted_last2"] / $4
        near += a > 0.5 && a < 2; peer += b > 0.5 && b < 2; ++n
    }
    END { print near / n, peer / n; exit !(near > 0.95 * n && peer < 0.9 * n) }' users.csv > differences
check "sooth knows users and their programs: $(cat differences)" [ $? -eq 0 ]
"$sooth" replay users.swf > again
check "the same again" cmp -s told again
check "the same bits everywhere" [ "$(cksum < users.csv)" = "841930073 54315" ]
expect 0 '"correction": "steps"' replay users.swf --predict last2 --correct steps --json

# ---- mistakes

expect 0 Example help replay
expect 2 'usage: sooth' replay
expect 2 'unknown predictor last; the predictors are requested, last2, sooth, perfect; did you mean last2?' \
    replay hand.swf --predict last
expect 2 '--predict names last2 twice' replay hand.swf --predict last2,last2
expect 2 '--correct is double, but must be requested or steps' replay hand.swf --correct double
expect 1 'no.swf' replay no.swf
printf 'user,run\nann,3\n' > table.csv
expect 1 'table.csv: line 1: "user" is not a number; is this a log in the Standard Workload Format?' \
    replay table.csv
echo '1 2 3' > short.swf
expect 1 'short.swf: line 1: there are 3 numbers, but a job has 18' replay short.swf
echo '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19' > long.swf
expect 1 'long.swf: line 1: there are more than 18 numbers' replay long.swf
echo '1 2 3 4 5 6 7 8 1e16 10 11 12 13 14 15 16 17 18' > far.swf
expect 1 'far.swf: line 1: number 9 is beyond 10^15' replay far.swf
printf '; MaxProcs: 5\n\n' > empty.swf
expect 1 'empty.swf: the log has no jobs' replay empty.swf
awk 'BEGIN { for (i = 1; i < 4500; ++i) print i, i, 1e15, 10, 1e15, 1 }' | swf > ages.swf
expect 1 'ages.swf: the requested times add up to 4.5e+18 s, beyond the maximum of 4e18' replay ages.swf
echo '1 2 3 -1 5 6 7 8 9 10 11 12 13 14 15 16 17 18' > none.swf
expect 1 'none.swf: no job can be replayed' replay none.swf
printf '\037\213\010\000\000\000' > packed.swf
expect 1 'packed.swf is compressed by gzip; unpack it' replay packed.swf

# ---- published

if [ -f "${SOOTH_KTH:-}" ]; then
    figure() { # WHO VALUE FLAGS...: to the digits that are published
        who=$1 value=$2; shift 2
        "$sooth" replay "$SOOTH_KTH" --predict "$who" --json "$@" > out
        check "$who $*: $value" awk -v v="$value" '/"bounded_slowdown":/ { d = $2 - v } END {
            exit !(d < 1e-8 && d > -1e-8) }' out
    }
    figure requested 92.57653973362949
    figure perfect 49.8477189313406
    figure last2 62.8568827272923
    figure last2 63.5006771704074 --correct steps
    check "28481 jobs" grep -q '"jobs": 28481' out
else
    skipped=1
    echo "skipped the published figures: SOOTH_KTH does not name KTH-SP2.swf"
fi

printf 'replay: %d passed, %d failed' $passed $failed
[ $skipped -eq 0 ] || printf ', %d skipped' $skipped
echo
[ $failed -eq 0 ]
