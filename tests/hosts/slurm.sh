#!/bin/sh
# Inside Slurm: slurmctld and slurmd on the loopback with the plugin of examples/hosts/slurm. What becomes of
# a job's limits is what `sooth predict` says of its row; who is expected to end first starts first; the
# epilog keeps what a job took; a new model is taken, a broken one refused, and jobs run on. Logs and the
# configuration stay in build/slurm. Nothing depends on how fast this machine is.
# Ends with "slurm: N passed, N failed"; where Slurm is not installed or does not start it says so and passes
# nothing.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
here=examples/hosts/slurm run=$PWD/build/slurm sooth=$PWD/build/sooth started=

skipped() {
    echo "  skipped: $*"
    echo "slurm: 0 passed, 0 failed"
    exit 0
}
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch scontrol squeue scancel; do
    command -v $program > /dev/null ||
        skipped "Slurm is not here: no $program (on Debian: slurm-wlm munge libslurm-dev)"
done
echo '#include <slurm/spank.h>' | ${CC:-cc} -E - > /dev/null 2>&1 ||
    skipped "Slurm's headers are not here (on Debian: libslurm-dev)"

# within SECONDS COMMAND...: it comes true
within() {
    turns=$(($1 * 5)); shift
    while [ $turns -gt 0 ]; do
        "$@" > /dev/null 2>&1 && return
        sleep 0.2; turns=$((turns - 1))
    done
    false
}

# ---- a cluster of its own: what this script started it ends, and nothing else ----
begin() { "$@" > "$run/$1.out" 2>&1 & started="$! $started"; }
end() {
    if [ -n "$started" ]; then
        timeout 10 scancel --user="$(id -un)" 2> /dev/null
        within 10 sh -c 'timeout 5 squeue --noheader > "$1" && [ ! -s "$1" ]' sh "$work/queue"
    fi
    for signal in TERM KILL; do
        for process in $started; do kill -$signal "$process" 2> /dev/null; done
        [ $signal = KILL ] || within 10 none
    done
    started=
}
none() { for process in $started; do ! kill -0 "$process" || return; done; }
trap 'end; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

rm -rf "$run" && mkdir -p "$run/state" "$run/spool" || exit 1
check "the plugin and what the epilog runs compile" make -s slurm
grep "$here.*warning:" "$work/log"
[ $failed -eq 0 ] || { ended slurm; exit; }
# lines that are neither blank nor only a comment, behind what is included
code() { sed '1,/^extern void slurm_x/d' $here/job_submit_sooth.c | grep -vcE '^ *$|^ \*|^/\*'; }
check "what a host writes is under 40 lines of code" less "$(code)" 40
plugins=$(find /usr/lib /usr/lib64 /usr/local/lib -name job_submit_defaults.so 2> /dev/null | head -n 1)
plugins=$(dirname "$plugins")
port=$((20000 + $$ % 5000 * 2))
sed -e "s|@RUN@|$run|g; s|@PLUGINS@|$plugins|; s|@HOST@|$(hostname -s)|; s|@USER@|$(id -un)|" \
    -e "s|@PORT@|$port|; s|@PORT2@|$((port + 1))|; s|@SOCKET@|$work/munge|" \
    $here/slurm.conf.in > "$run/slurm.conf"
cp $here/relearn.sh "$run"
# Slurm tells an epilog everything but which configuration is its own, where it is not the usual one.
sed "2i export SLURM_CONF='$run/slurm.conf'" $here/epilog.sh > "$run/epilog.sh" && chmod +x "$run/epilog.sh"
export SLURM_CONF="$run/slurm.conf" SOOTH_MODEL="$run/model.sooth"
(umask 077; head -c 1024 /dev/urandom > "$work/munge.key")
begin munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge" \
    --pid-file="$work/munge.pid" --log-file="$run/munged.log" --seed-file="$work/munge.seed"
within 20 test -S "$work/munge" || skipped "munged does not start: $(tail -n 1 "$run/munged.out")"
begin slurmctld -D
controller=$!
if ! within 20 timeout 5 scontrol ping; then # whose fault is it?
    why=$(tail -n 1 "$run/slurmctld.log")
    sed -i '/^JobSubmitPlugins/d' "$run/slurm.conf"
    begin slurmctld -D
    within 20 timeout 5 scontrol ping || skipped "slurmctld does not start: $why"
    check "slurmctld starts with the plugin: $why" false
    ended slurm; exit
fi
begin slurmd -D -N n1
idle() { timeout 5 scontrol -o show node n1 | grep -q 'State=IDLE '; }
within 30 idle || skipped "slurmd does not start: $(tail -n 1 "$run/slurmd.log")"

# ---- jobs ----
user=$(id -u) log=$run/slurmctld.log
# job NAME COMMAND OPTION...: its number
job() {
    name=$1 command=$2; shift 2
    sbatch --parsable -J "$name" -D "$work" -o /dev/null "$@" --wrap "$command"
}
# field JOB NAME
field() { scontrol -o show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"; }
is_now() { test "$(field "$1" "$2")" = "$3"; }
clock() { printf '%02d:%02d:00' $(($1 / 60)) $(($1 % 60)); }
# line LIMIT TASKS: what `sooth predict` says of a job, as the plugin logs it, up to what becomes of the
# limits; `most`: the upper end in minutes
line() {
    printf 'limit,tasks,cpus,nodes\n%s,%s,1,1\n' "$1" "$2" > "$work/row.csv"
    "$sooth" predict "$SOOTH_MODEL" "$work/row.csv" 2> /dev/null > "$work/answer.csv"
    most=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 { print int($at["high_took"] / 60) + 1 }' "$work/answer.csv")
    said=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 {
            printf "limit=%s tasks=%s cpus=%s nodes=%s: %.1f s, %.1f to %.1f s, %s what is known", $1, $2, $3,
                $4, $at["predicted_took"], $at["low_took"], $at["high_took"], $at["trust"]
        }' "$work/answer.csv")
}
# logged NAME END: the plugin's line of that job
logged() { grep -qE "sooth: job $1 of user $user: $said: $2\$" "$log"; }

first=$(job first "sleep 0.1" -t 60)
check "without a model a job runs" within 60 is_now "$first" JobState COMPLETED
check "and the log says so" grep -qF "sooth: $SOOTH_MODEL is not taken: it cannot be read" "$log"

# 12 users, jobs whose time goes with tasks and processors: 120 s each, and up to a fifth more or less. Limits
# are 2 minutes and multiples of a step; with a last word those that meet theirs are cut off.
history() { # JOBS FACTOR STEP [cut]
    awk -v jobs="$1" -v factor="$2" -v step="$3" -v cutting="$4" '
        function draw(n) { s = (s * 16807) % 2147483647; return int(s / 65536) % n }
        BEGIN {
            s = 7
            for (i = 0; i < jobs; ++i) {
                tasks = 2 ^ draw(4); cpus = 1 + draw(2); limit = 2 + step * draw(5)
                took = int(factor * tasks * cpus * (96 + 2.4 * draw(21)))
                cut = cutting && took > 60 * limit
                print 1000 + i % 12 "," limit "," tasks "," cpus ",1," (cut ? 60 * limit : took) "," !cut
            }
        }'
}
history 240 1 60 > "$run/history.csv"
check "a model is learned" env SOOTH="$sooth" "$run/relearn.sh"

endless=$(job endless "sleep 600" -t 1 -n 3) # its limit ends it, while the others go on
# Held: backfill does not touch the limits.
line 60 4
held=$(job held "sleep 0.3" -t 60 -n 4 -H)
check "it is taken without a restart" grep -qF "sooth: $SOOTH_MODEL is taken" "$log"
check "the log has the row, the prediction, its range and trust" logged held "least limit"
check "TimeMin is the upper end" is_now "$held" TimeMin "$(clock "$most")"
check "the limit stays" is_now "$held" TimeLimit 01:00:00
line 2 4
check "the user's limit is below the upper end" less 2 "$most"
short=$(job short true -t 2 -n 4 -H)
check "so nothing changes, says the log" logged short "as asked"
check "and does" is_now "$short" TimeMin N/A
line 60 32
wide=$(job wide true -t 60 -n 32 -H)
check "outside what the model knows the log says so" logged wide "as asked"
check "and nothing changes" is_now "$wide" TimeMin N/A
own=$(job own true -t 60 --time-min 3 -n 4 -H)
check "a least limit of the user's own stays" is_now "$own" TimeMin 00:03:00
open=$(job open true -n 4 -H)
check "without a limit that was asked for nothing is known" \
    grep -q "sooth: job open of user $user: limit=nan .* outside what is known" "$log"
check "and nothing changes" is_now "$open" TimeMin N/A
if [ "$user" = 0 ]; then # only root may submit for others
    other=$(job other true -t 60 -n 4 -H --uid=65534)
    check "a row has the user whose job it is" is_now "$other" AdminComment sooth:65534,60,4,1,1
    scancel "$other"
fi
scancel "$short" "$wide" "$own"

# ---- the epilog ----
kept() { test "$(wc -l < "$run/history.csv")" = $((rows + 1)); }
scontrol release "$open"
check "what was not asked for is missing in its row" within 60 grep -qE "^$user,nan,4,1,1,[0-9]+,1\$" \
    "$run/history.csv"
rows=$(wc -l < "$run/history.csv")
scontrol release "$held"
check "a released job runs" within 60 is_now "$held" JobState COMPLETED
check "the epilog keeps what it took" within 60 kept
begun=$(date -d "$(field "$held" StartTime)" +%s) ended_at=$(date -d "$(field "$held" EndTime)" +%s)
check "with its row, as it was asked for, and what it took" \
    test "$(tail -n 1 "$run/history.csv")" = "$user,60,4,1,1,$((ended_at - begun)),1"
failing=$(job failing "exit 3" -t 60)
check "a job that fails" within 60 is_now "$failing" JobState FAILED
stopped=$(job stopped "sleep 600" -t 60)
check "a job runs" within 60 is_now "$stopped" JobState RUNNING
scancel "$stopped"
check "and is cancelled" within 60 is_now "$stopped" JobState CANCELLED
after=$(job after "sleep 0.1" -t 60)
rows=$((rows + 1))
check "and one after it" within 60 is_now "$after" JobState COMPLETED
within 60 kept
check "that one is kept" test "$(tail -n 1 "$run/history.csv" | cut -d , -f 1-5)" = "$user,60,1,1,1"
check "not the one that failed nor the one that was cancelled" kept
check "a job that takes longer than its limit" within 150 is_now "$endless" JobState TIMEOUT
rows=$((rows + 1))
check "is kept, too" within 60 kept
cut=$(tail -n 1 "$run/history.csv")
check "as one that its limit has ended" test "${cut%,*,*} ${cut##*,}" = "$user,1,3,1,1 0"
check "whose time is the limit at least" less 59 "$(echo "$cut" | cut -d , -f 6)"

# ---- priority: while one job has the whole node, others wait ----
blocker=$(job blocker "while [ -d $work -a ! -e $work/go ]; do sleep 0.1; done" -t 240 --exclusive)
check "a job has the node" within 60 is_now "$blocker" JobState RUNNING
waiting=
for tasks in 8 1 4 2; do
    line 240 $tasks
    expected=$((7 * 24 * 60 - most)) # what site_factor adds
    id=$(job tasks$tasks "echo $tasks >> $work/order" -t 240 -n $tasks --exclusive)
    waiting="$waiting $id"
    check "$tasks tasks: the priority is by prediction" within 30 is_now "$id" Priority $expected
done
check "which may change while it waits" scontrol update JobId="$id" SiteFactor=77
check "and does" within 30 is_now "$id" Priority 77
check "and back" scontrol update JobId="$id" SiteFactor="$expected"
touch "$work/go"
ordered() { test "$(wc -l < "$work/order")" = 4; }
check "they all run" within 90 ordered
check "the shortest first" test "$(tr '\n' ' ' < "$work/order")" = "1 2 4 8 "

# ---- what relearn.sh makes of jobs that met their limit: 8 tasks of 2 processors take 1,920 s ----
# predicted LIMIT NAME SED: by a model of the history of cut-off jobs, after sed
predicted() {
    mkdir -p "$work/jobs-$2" && cp $here/relearn.sh "$work/jobs-$2"
    history 1500 1 12 cut | sed "$3" > "$work/jobs-$2/history.csv"
    SOOTH="$sooth" "$work/jobs-$2/relearn.sh" > "$work/log" 2>&1
    printf 'limit,tasks,cpus,nodes\n%s,8,2,1\n' "$1" > "$work/row.csv"
    "$sooth" predict "$work/jobs-$2/model.sooth" "$work/row.csv" 2> /dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR == 2 { print $at["predicted_took"] }'
}
for limit in 14 26; do
    taken=$(predicted $limit taken) apart=$(predicted $limit apart '/,0$/d')
    plain=$(predicted $limit plain 's/,0$/,1/')
    echo "  with a limit of $limit minutes: $taken s; without those that were cut $apart, as they are $plain"
    check "a limit of $limit minutes: what was cut is expected to take longer" less 1824 "$taken"
    check "but no longer than it takes" less "$taken" 2016
    check "which those that ended by themselves do not tell" less "$apart" "$taken - 100"
    check "nor their times as they are" less "$plain" "$taken - 100"
done

# ---- other models ----
before=$most
history 240 3 60 >> "$run/history.csv"
check "it learns anew, with what the epilog kept" env SOOTH="$sooth" "$run/relearn.sh"
line 240 2
again=$(job again true -t 240 -n 2)
check "the new model is in use" logged again "least limit"
check "and says something else" test "$most" -gt "$before"

# refuses WORDS: what is now there is refused with these, and a job runs by the model before
refuses() {
    id=$(job after true -t 240 -n 2) &&
        grep -qF "sooth: $SOOTH_MODEL is not taken: $1" "$log" &&
        test "$(grep -cF "sooth: job after of user $user: $said: least limit" "$log")" = "$2" &&
        within 60 is_now "$id" JobState COMPLETED
}
good=$work/good.sooth
cp "$SOOTH_MODEL" "$good"
head -c 5000 "$good" > "$work/next" && mv "$work/next" "$SOOTH_MODEL"
check "a file that is cut short is refused" refuses "the model file is cut short" 1
{ head -c 3000 "$good"; printf 'soot'; tail -c +3005 "$good"; } > "$work/next"
mv "$work/next" "$SOOTH_MODEL"
check "a damaged one, too" refuses "the model file was changed or damaged" 2
{ echo user,limit,tasks,cpus,nodes,took,ended; cat "$run/history.csv"; } |
    "$sooth" fit - --target took --features limit,tasks,cpus,nodes \
    -m tree -o "$work/plain" > "$work/log" 2>&1
mv "$work/plain" "$SOOTH_MODEL"
check "and one that has no interval" refuses "it has no interval" 3
"$sooth" fit examples/scale/data/titanx.csv --target power_w --drop time_ms --model tree -o "$work/other" \
    > "$work/log" 2>&1
mv "$work/other" "$SOOTH_MODEL"
check "and one of something else" refuses "it wants what is not known of a job" 4
rm "$SOOTH_MODEL"
job without true -t 240 -n 2 > /dev/null
check "without the file the last model answers" logged without "least limit"
check "and the controller is the one that was started" kill -0 "$controller"
mv "$good" "$SOOTH_MODEL"

# ---- the limit itself ----
scancel --user="$(id -un)"
kill "$controller"; wait "$controller" 2> /dev/null
started=$(echo "$started" | sed "s/\<$controller\>//")
export SOOTH_LIMIT=1
begin slurmctld -D
check "slurmctld starts again" within 30 timeout 5 scontrol ping
line 240 2
limited=$(job limited true -t 240 -n 2 -H)
check "the limit becomes the upper end" is_now "$limited" TimeLimit "$(clock "$most")"
check "and the log says so" logged limited "limit"
scancel "$limited"

ended slurm
