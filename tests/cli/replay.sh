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

# lines of a log: number submit run processors requested user [status]
swf() {
    echo "; MaxNodes: 7"
    echo ";  MaxProcs: 10"
    awk '{ print $1, $2, -1, $3, $4, -1, -1, $4, $5, -1, $7 == "" ? 1 : $7, $6, 1, 1, 1, -1, -1, -1 }'
}

# ---- by hand: ten processors; see tests/cli/test_queue.c for more

swf << END > hand.swf
1 0 10 6 10 1
2 0 4 4 4 1
3 1 1 10 1 2
4 2 6 4 6 3
5 3 4 4 4 4
6 40 0 1 5 1 5
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

# ---- by the definition of the format, by hand: a run time of 0 is less than half a second, times may have
# ---- fractions, status 5 is cancelled, and status 2 to 4 are parts of jobs that have a line of their own

job() { # NUMBER SUBMIT RUN ALLOCATED STATUS [REQUESTED [USER [PROCESSORS]]]
    echo "$1 $2 -1 $3 $4 -1 -1 ${8:-4} ${6:-100} -1 $5 ${7:-1} 1 1 1 1 -1 -1"
}
log() { # HEADER, then jobs from standard input
    printf '%s\n' "$1"
    cat
}
{
    job 1 0 0 4 1; job 2 0.6 0.4 4 5; job 3 2 0 4 5; job 4 3 0 4 0; job 5 4 0 -1 0; job 6 5 0 -1 1
    job 7 6 -1 4 0; job 8 -5 20 4 1; job 9 -1 20 4 1; job 10 7 30 4 1; job 10 7 10 4 2; job 10 -1 20 4 3
    job 11 10.4 20.5 4 1 100.5; job 11 12 5 4 1 0.2
} | log '; MaxProcs: 16 (4 nodes of 4)' > format.swf
expect 0 '7 jobs on 16 processors' replay format.swf --predict requested -o format.csv
cat << END > format_expected.txt
format.swf: 7 jobs on 16 processors
  left out: 2 partial executions (status 2 to 4), which a line with status 0 or 1 sums up
  left out: 2 without a submit time (negative)
  left out: 3 that never ran (run time not known, or 0 of a cancelled job)
  cut: 1 that ran longer than requested
  as one second: 4 that ran for less than half a second
  rounded to seconds: 2 with fractions of seconds
  repeated: 1 job number of several jobs; each line is replayed as a job
END
head -8 out | cmp -s - format_expected.txt && ok || { fail "what is left out or changed"; head -9 out; }
cat << END > format_expected.csv
job,submit,processors,run,requested,predicted_requested,start_requested
1,0,4,1,100,100,0
2,1,4,1,100,100,1
4,3,4,1,100,100,3
6,5,4,1,100,100,5
10,7,4,30,100,100,7
11,10,4,21,101,101,10
11,12,4,1,1,1,12
END
check "the times of the format" cmp format.csv format_expected.csv
run=$("$sooth" replay format.swf --predict requested --json | tr -d ' \n')
for words in '"partial":2' '"no_submit_time":2' '"never_ran":3' '"below_half_a_second":4' '"rounded":2' \
    '"repeated_numbers":1' '"processors_from":"MaxProcs"'; do
    case $run in *"$words"*) ok ;; *) fail "JSON: no $words" ;; esac
done

# ---- the processors of the header

header() { # EXPECTED HEADER: the processors that a header means for two jobs of 4
    { job 1 0 20 4 1; job 2 10 20 4 1; } | log "$2" > header.swf
    expect 0 "2 jobs on $1" replay header.swf --predict requested
}
header '16 processors' '; MaxProcs: 16'
header '16 processors' '	 ;maxprocs:16'
header '16 processors' "$(printf '\357\273\277; MaxProcs: 16')"
header '16 processors' "$(printf '; MaxProcs: 16\r')"
header '16 processors' '; MaxProcs: 16, of them 4 for tests'
header '16 processors' '; MaxProcs: 16 4 nodes'
header '4 processors' '; MaxProcs: -1'
check "the largest job is told" grep -q 'is that of the largest job: the header has none' out
header '4 processors' '; Note: none'
header '16 processors' '; MaxNodes: 16'
check "nodes are told" grep -q 'is MaxNodes: the header has no MaxProcs' out
header '1024 processors' '; MaxProcs: 1,024'
check "a comma is told" grep -qx 'header.swf: line 1: MaxProcs is "1,024", taken as 1024 processors' err
header '1048576 processors' '; MaxProcs: 1,048,576'
for value in 1,02 1,0244 ,024 1,,024 1,024,5 1.5 16x sixteen 1e10 0x10 nan '1 024'; do
    job 1 0 20 4 1 | log "; MaxProcs: $value" > header.swf
    expect 1 "header.swf: line 1: MaxProcs is \"$value\", but must be an integer; correct it, or use" \
        replay header.swf
    expect 0 '1 job on 8 processors' replay header.swf --predict requested --processors 8
done

# ---- predictions are of what had ended: recomputed from the starts

programs() { # JOBS APART POWER: users repeat four programs, on 1 to 4 processors p; run time by p^POWER
    awk -v jobs="$1" -v apart="$2" -v power="$3" 'BEGIN {
    s = 7
    for (i = 1; i <= jobs; ++i) {
        s = (s * 16807) % 2147483647; t += s % apart
        s = (s * 16807) % 2147483647; u = s % 23
        s = (s * 16807) % 2147483647; p = 1 + s % 4
        s = (s * 16807) % 2147483647
        run = int((20 + u * u * p ^ power) * (0.8 + (s % 400) / 1000))
        s = (s * 16807) % 2147483647
        print i, t, run, p, run * (1 + s % 4) + 600, u
    }
    }' | swf
}
programs 900 260 1 > users.swf
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
# the learner answers once 200 jobs have ended; the verdict names the rule, and which of both to use
check "sooth learns" grep -q '^sooth answered with, jobs: last2 206, learned 694\.$' told
check "the verdict names the rule" \
    grep -q '^Bounded slowdown: sooth 9.198, last2 8.926. Use last2 on this' told
# with times that the last two do not tell, its times are near 0.6 of the truth
programs 1500 3600 3 > programs.swf
expect 0 '. Use sooth on this log.' replay programs.swf -o programs.csv
awk -F, 'FNR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k; next }
    FNR > 750 {
        a = $at["predicted_sooth"] / $4; b = $at["predicted_last2"] / $4
        near += a > 0.3 && a < 1.2; peer += b > 0.5 && b < 2; ++n
    }
    END { print near / n, peer / n; exit !(near > 0.95 * n && peer < 0.9 * n) }' programs.csv > differences
check "sooth knows users and their programs: $(cat differences)" [ $? -eq 0 ]

# ---- time runs forward: other run times and requests after job 1000 change no prediction before

awk '/^;/ || $1 <= 1000 { print; next } { $4 = 1 + $4 * 7 % 5000; $9 = 9999; $8 = 1; print }' \
    programs.swf > future.swf
expect 0 'sooth answered with' replay future.swf -o future.csv
for file in programs future; do
    awk -F, 'FNR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k; next }
        $1 <= 1000 { print $1, $at["predicted_sooth"], $at["predicted_last2"] }' $file.csv > $file.past
done
check "the future is not used" cmp -s programs.past future.past
check "the future differs" [ "$(tail -1 programs.csv)" != "$(tail -1 future.csv)" ]

# ---- run times that nothing tells: sooth stays within 5 % of the last two

for seed in 11 22 33; do
    awk -v s=$seed 'function draw(below) { s = (s * 16807) % 2147483647; return s % below }
        BEGIN {
            draw(2); draw(2); draw(2)
            for (i = 1; i <= 3000; ++i) {
                t += draw(1150); run = int(exp(2 + draw(7000) / 1000)); p = 1 + draw(4)
                print i, t, run, p, 8200, draw(20)
            }
        }' | swf > random.swf
    "$sooth" replay random.swf --predict last2,sooth --json > out
    check "random times, $seed" \
        awk '/"bounded_slowdown":/ { v[++n] = $2 + 0 } END { exit !(n == 2 && v[2] < 1.05 * v[1]) }' out
done

"$sooth" replay users.swf > again
check "the same again" cmp -s told again
check "the same bits everywhere" [ "$(cksum < programs.csv)" = "34323295 108088" ]
expect 0 '"correction": "steps"' replay users.swf --predict last2 --correct steps --json

# users, groups, executables and queues are texts: other names for them, the same predictions
renamed() { # NAME AWK: what last2 and perfect do with the log does not change
    awk "/^;/ { print; next } { $2; print }" users.swf > renamed.swf
    expect 0 'jobs on' replay renamed.swf --predict last2 -o renamed.csv --force
    check "$1" cmp -s last2.csv renamed.csv
}
expect 0 'jobs on' replay users.swf --predict last2 -o last2.csv
renamed 'users above 2^32' '$12 = "170000000" sprintf("%02d", $12)'
renamed 'groups and queues above 2^64' '$13 = "98765432109876543210" $13; $15 = "36893488147419103232"'
renamed 'leading zeros' '$12 = "00" $12; $14 = "0" $14'
renamed 'users 007 and 7 are two' '$12 = $12 == 8 ? "007" : $12 == 9 ? "0007" : $12'
renamed 'written as floats' '$12 = $12 ".0"'
renamed 'a user between 2^31 and 2^32' '$12 = $12 == 3 ? 4294967294 : $12 == 4 ? 2147483648 : $12'
awk '/^;/ { print; next } { $12 = $12 == 8 ? "07" : $12 == 9 ? 7 : $12; print }' users.swf > zeros.swf
expect 0 'jobs on' replay zeros.swf --predict last2 --page zeros.html
check "the page has user 07" grep -q 'user 07' zeros.html
awk '/^;/ { print; next } { $12 = $12 == 8 ? 7 : $12; print }' users.swf > merged.swf
expect 0 'jobs on' replay merged.swf --predict last2 -o merged.csv
check "one user less is another schedule" sh -c '! cmp -s last2.csv merged.csv'

# ---- mistakes

expect 0 Example help replay
expect 2 'usage: sooth' replay
expect 2 'unknown predictor last; the predictors are requested, last2, sooth, perfect; did you mean last2?' \
    replay hand.swf --predict last
expect 2 '--predict names last2 twice' replay hand.swf --predict last2,last2
expect 2 '--correct is double, but must be requested or steps' replay hand.swf --correct double
expect 1 'no.swf' replay no.swf
printf 'user,run\nann,3\n' > table.csv
expect 1 'table.csv: line 1: "user,run" is not a number; is this a log in the Standard Workload Format?' \
    replay table.csv
echo '1 2 3' > short.swf
expect 1 'short.swf: line 1: there are 3 numbers, but a job has 18' replay short.swf
echo '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19' > long.swf
expect 1 'long.swf: line 1: there are more than 18 numbers' replay long.swf
echo '1 2 3 4 5 6 7 8 1e16 10 11 12 13 14 15 16 17 18' > far.swf
expect 1 'far.swf: line 1: field 9, the requested time, is beyond 10^15' replay far.swf
printf '; MaxProcs: 5\n\n' > empty.swf
expect 1 'empty.swf: the log has no jobs' replay empty.swf
awk 'BEGIN { for (i = 1; i < 4500; ++i) print i, i, 1e15, 10, 1e15, 1 }' | swf > ages.swf
expect 1 'ages.swf: the requested times add up to 4.5e+18 s, beyond the maximum of 4e18' replay ages.swf
echo '1 2 3 -1 5 6 7 8 9 10 11 12 13 14 15 16 17 18' > none.swf
expect 1 'none.swf: no job can be replayed: 1 that never ran' replay none.swf

# a sentence has the line, the field and at most 40 bytes of the word
bad() { # WORDS LINE: an error in line 3, after a good one
    { job 1 0 20 4 1; echo "$2"; job 3 20 20 4 1; } | log '; MaxProcs: 16' > bad.swf
    expect 1 "bad.swf: line 3: $1" replay bad.swf
    check "one short sentence: $1" [ "$(wc -c < err)" -lt 240 ]
}
bad 'field 12, the user, is "alice", but must be a number; -1 means not known, and names are numbered' \
    "$(job 2 10 20 4 1 100 alice)"
bad 'field 1, the job number, is ""2", but must be a number' "\"$(job 2 10 20 4 1)"
bad 'field 9, the requested time, is "1:00:00", but must be a number' "$(job 2 10 20 4 1 1:00:00)"
bad 'field 4, the run time, is "nan", but must be a number' "$(job 2 10 nan 4 1)"
{ job 1 0 20 4 1; printf '2 10 -1 20\0005 4\n'; } | log '; MaxProcs: 16' > zero.swf
expect 1 'zero.swf: line 3: field 4, the run time, is "20?5", but must be a number' replay zero.swf
bad "field 12, the user, is \"$(printf '%40s' '' | tr ' ' u)...\"" \
    "$(job 2 10 20 4 1 100 "$(printf '%9000s' '' | tr ' ' u)")"
bad 'field 12, the user, is 1.5, but must be an integer, 0 or above, or -1' "$(job 2 10 20 4 1 100 1.5)"
bad 'field 12, the user, is -2, but must be an integer, 0 or above, or -1' "$(job 2 10 20 4 1 100 -2)"
bad 'field 8, the number of requested processors, is 2.5, but must be an integer' \
    "$(job 2 10 20 4 1 100 1 2.5)"
bad 'there are 17 numbers, but a job has 18; -1 means not known' '2 10 -1 20 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1'
bad 'there are more than 18 numbers; a job has 18' "$(job 2 10 20 4 1) 7"
job 5000000000 0 20 4 1 | log '; MaxProcs: 16' > large.swf
expect 0 '1 job on' replay large.swf --predict requested -o large.csv
check "large job numbers" grep -q '^5000000000,0,4,20,' large.csv

# no job at all: why, and what to do
none() { # WORDS HEADER: a log whose jobs cannot be replayed
    log "$2" > none.swf
    expect 1 "none.swf: no job can be replayed: $1" replay none.swf
}
{ job 1 0 20 4 1 -1; job 2 0 20 4 1 -1; } |
    none '2 without a requested time; write the time limit of each job into field 9; backfilling needs it' ';'
{ job 1 0 20 4 1; job 2 0 0 4 5; job 3 9 8 4 1; } |
    none '1 that never ran (run time not known, or 0 of a cancelled job), 2 that request' '; MaxProcs: 2'
check "the number of processors" grep -q 'more processors than the machine has, 2; --processors N sets' err
job 1 0 20 -1 1 9 1 -1 | none '1 without a number of processors; write it into field 8, or into field 5' ';'
job 1 -1 20 4 1 | none '1 without a submit time (negative); write seconds since the start of the log' ';'
printf '\037\213\010\000\000\000' > packed.swf
printf '\377\376\000\334 \000' > wide.swf # half of a pair
expect 1 'wide.swf is UTF-16; save it as UTF-8' replay wide.swf
expect 1 'packed.swf is compressed by gzip; unpack it' replay packed.swf

# ---- published

if [ -f "${SOOTH_KTH:-}" ]; then
    awk '/^;/ || $4 > 0' "$SOOTH_KTH" > kth.swf # the authors leave out eight jobs with a run time of 0
    figure() { # WHO VALUE FLAGS...: to the digits that are published
        who=$1 value=$2; shift 2
        "$sooth" replay kth.swf --predict "$who" --json "$@" > out
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
