#!/bin/sh
# measure.sh - measures the GPU of this machine in one go: tables, their origin, a summary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     bench/cuda/measure.sh OUT [MINUTES, 8]
#     bench/cuda/measure.sh --check OUT      compute-sanitizer on the programs, 30 s; OUT/sanitizer.txt
#
# It builds the programs with the nvcc that is there, runs each within its share of the minutes, and writes to
# the folder OUT
#
#     check.csv       the device against gpu.h and ptx.h: occupancy, limits, PTX
#     latency.csv     cycles of instructions and memories
#     power.csv       watts and times of kernels alone
#     bags.csv        watts, times and slowdowns of one to five kernels at once
#     operators.csv   times of matrix products and other operators
#     pairs.csv       slowdowns of two kernels on divided multiprocessors
#     origin.txt      device, driver, clocks as found, what ran how long
#
# Rows are written one by one, and the last line of a table begins with "# end:" and names what was skipped.
# So a run that is cut leaves whole tables. The most valuable ones come first. The script changes no setting
# of the card: no clocks, limits or modes. It needs CUDA, a shell and python3 (its standard library).
# PROGRAMS=FOLDER runs programs that are built already. Exit code 1: a part failed.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
LC_ALL=C; export LC_ALL
parts="check latency power bags operators pairs"
sanitize=
[ "$1" != --check ] || { sanitize=1; shift; }
out=$1 minutes=${2:-8}
case $minutes in '' | *[!0-9.]*) out= ;; esac
if [ -z "$out" ] || [ $# -gt 2 ]; then sed -n '5,7s/^# *//p' "$0"; exit 2; fi
mkdir -p "$out" || exit 1
started=$(date +%s)
end=$((started + $(awk "BEGIN { printf \"%d\", 60 * $minutes }")))
work=$(mktemp -d) || exit 1
programs=${PROGRAMS:-$work/programs} running='' failed=''
mkdir -p "$programs" "$work/log"

left() { echo $((end - $(date +%s))); }

# ---- tables ----

# last_words [FILE]: what went wrong, in one line
last_words() { grep -v '^ *$' "$@" 2> /dev/null | tail -n 1 | tr -d '\r#' | cut -c 1-160; }
# close_table NAME WHY: drops half a row and writes the last line, if the program did not
close_table() {
    table=$out/$1.csv
    [ -s "$table" ] && [ "$(tail -c 1 "$table" | od -An -c | tr -d ' ')" != '\n' ] &&
        { sed '$d' "$table" > "$work/whole" && cat "$work/whole" > "$table"; }
    tail -n 1 "$table" 2> /dev/null | grep -q '^# end:' && return
    rows=$(grep -vc '^#' "$table" 2> /dev/null)
    [ "${rows:-0}" -gt 0 ] && rows=$((rows - 1)) # the header
    echo "# end: ${rows:-0} rows, cut: $2" >> "$table"
}
# one NAME WEIGHT: runs a program within its share of the time that is left
one() {
    name=$1 table=$out/$1.csv reserve=$((60 < end - started ? 10 : 1))
    rest=$(($(left) - reserve))
    share=$((rest * $2 / weights)) weights=$((weights - $2))
    [ $share -gt 0 ] || [ $rest -lt 1 ] || share=1
    : > "$table"
    if [ ! -x "$programs/$name" ]; then
        close_table "$name" "it did not compile: $(grep -i -m 1 error "$work/log/$name.build" | last_words)"
        failed="$failed $name"; echo "$name: did not compile" >> "$out/origin.txt"
        return
    fi
    if [ $share -lt 1 ]; then
        close_table "$name" "no time was left"; echo "$name: not run, no time was left" >> "$out/origin.txt"
        return
    fi
    grace=$((share < 15 ? share : 15)) from=$(date +%s)
    timeout -k 5 $((share + grace)) "$programs/$name" $share "$programs/kernels.ptx" "$3" > "$table" \
        2> "$work/log/$name" &
    running=$!
    wait $running; code=$?
    running=''
    case $code in
    0) ;;
    124 | 137) close_table "$name" "ended after its $share s and $grace more" ;;
    *) close_table "$name" "exit code $code: $(last_words "$work/log/$name")" ;;
    esac
    close_table "$name" "the program did not close it"
    [ $code -eq 0 ] || failed="$failed $name"
    echo "$name: $(($(date +%s) - from)) s of $share, exit code $code$([ $code -eq 0 ] ||
        last_words "$work/log/$name" | sed 's/^/: /')" >> "$out/origin.txt"
}
# stopped: the whole run was ended
stopped() {
    [ -z "$running" ] || kill "$running" 2> /dev/null
    mps_end
    for name in $parts; do [ ! -e "$out/$name.csv" ] || close_table "$name" "the run was ended"; done
    echo "ended by a signal after $(($(date +%s) - started)) s" >> "$out/origin.txt"
    rm -rf "$work"
    exit 1
}
trap stopped TERM INT HUP
trap 'rm -rf "$work"' EXIT

# ---- building ----

# find_packages: headers and libraries of cuBLAS and CUPTI that came with Python packages, after the toolkit's
find_packages() {
    headers=''
    packages=$(python3 -c 'import glob, sys
print("\n".join(sorted({f.rsplit("/", 2)[0] for p in sys.path for h in ("cublasLt.h", "cupti.h")
                        for f in glob.glob(p + "/nvidia/*/include/" + h)})))' 2> /dev/null)
    for folder in $packages; do
        headers="$headers -isystem $folder/include"
        LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$folder/lib
    done
    LD_LIBRARY_PATH=$root/lib64:$root/extras/CUPTI/lib64:$LD_LIBRARY_PATH; export LD_LIBRARY_PATH
}

build() {
    nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null)
    if [ -z "$nvcc" ]; then
        echo "measure.sh: there is no nvcc, neither in PATH nor in /usr/local/cuda/bin" >&2
        exit 1
    fi
    root=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
    find_packages
    compile native
    if grep -q 'Cannot find valid GPU' "$work"/log/*.build; then # it would take some older architecture
        capability=$(smi compute_cap | tr -d .)
        case $capability in '' | *[!0-9]*) ;; *) compile "sm_$capability" ;; esac
    fi
}
compile() { # ARCHITECTURE
    for name in $parts; do
        # shellcheck disable=SC2086 # a word for each folder
        "$nvcc" -O2 -std=c++17 "-arch=$1" -I"$here/../../include" -I"$root/extras/CUPTI/include" $headers \
            "$here/$name.cu" -o "$programs/$name" -ldl > "$work/log/$name.build" 2>&1 &
    done
    "$nvcc" -O2 -std=c++17 -ptx -arch=compute_80 "$here/kernels.cu" -o "$programs/kernels.ptx" \
        > "$work/log/ptx.build" 2>&1 &
    wait
}

# ---- where the numbers come from ----

# smi FIELD,FIELD...: one query of the driver, which may take seconds to wake the device
smi() { timeout 20 nvidia-smi --query-gpu="$1" --format=csv,noheader 2> /dev/null | head -n 1; }
state() {
    smi clocks.sm,clocks.mem,temperature.gpu,power.draw | awk -F', ' -v when="$1" '{
        print when ": SM clock " $1 ", memory clock " $2 ", " $3 " C, " $4 }'
}
origin() {
    echo "measured by bench/cuda/measure.sh for $minutes minutes on $(date -u +%Y-%m-%d)"
    if command -v nvidia-smi > /dev/null; then
        smi name,memory.total,driver_version,clocks.max.sm,clocks.max.mem,power.limit,persistence_mode,\
compute_mode,mig.mode.current | awk -F', ' '{
            print "device: " $1 ", " $2 ", driver " $3
            print "limits: SM clock up to " $4 ", memory clock up to " $5 ", power " $6
            print "modes: persistence " $7 ", compute " $8 ", MIG " $9 }'
        echo "MPS: $(mps)"
        state "found at the start"
    else echo "nvidia-smi is not here"; fi
    [ -z "$nvcc" ] || "$nvcc" --version 2> /dev/null | sed -n 's/^Cuda compilation tools, /nvcc: /p'
    ! grep -q 'Cannot find valid GPU' "$work"/log/*.build 2> /dev/null ||
        echo "built for nvcc's default architecture, since it found no GPU"
    echo "system: $(uname -s -m)"
}
mps() {
    if [ -e "${CUDA_MPS_PIPE_DIRECTORY:-/tmp/nvidia-mps}/control" ]; then echo "its daemon runs"
    else echo "no daemon runs"; fi
}

# A daemon of our own, with pipes in the working folder, for the bags alone; nothing where it does not start.
mps=
mps_begin() {
    command -v nvidia-cuda-mps-control > /dev/null || return
    mps=$work/mps
    mkdir -p "$mps"
    mps_control -d > /dev/null 2>&1 || mps=
    echo "MPS for some bags: $(if [ -n "$mps" ]; then echo yes; else echo "the daemon did not start"; fi)" \
        >> "$out/origin.txt"
}
mps_control() {
    CUDA_MPS_PIPE_DIRECTORY=$work/mps CUDA_MPS_LOG_DIRECTORY=$work/mps timeout 8 nvidia-cuda-mps-control "$@"
}
mps_end() { [ -z "$mps" ] || { echo quit | mps_control > /dev/null 2>&1; mps=; }; }

# ---- the run ----

nvcc=
[ -n "$PROGRAMS" ] || build
if [ -n "$sanitize" ]; then
    tool=$(command -v compute-sanitizer || ls "$root/bin/compute-sanitizer" 2> /dev/null)
    [ -n "$tool" ] || { echo "measure.sh: compute-sanitizer is not here" >&2; exit 1; }
    built=$(date +%s)
    for name in check operators bags latency power; do
        limit=$((30 - $(date +%s) + built))
        [ $limit -gt 2 ] || break
        timeout -k 2 $((limit < 12 ? limit : 12)) "$tool" --error-exitcode 9 "$programs/$name" 2 \
            "$programs/kernels.ptx" > "$work/log/$name" 2>&1 &
        running=$!
        wait $running; code=$?
        running=''
        case $code in 0 | 124 | 137) ;; *) failed="$failed $name" ;; esac
        echo "== $name: exit code $code (124, 137: cut)"
        grep '=========' "$work/log/$name" | head -n 30
    done > "$out/sanitizer.txt"
    cat "$out/sanitizer.txt"
    [ -z "$failed" ]
    exit
fi
rm -f "$out/origin.txt"
for name in $parts; do rm -f "$out/$name.csv"; done
origin > "$out/origin.txt"
echo "built in $(($(date +%s) - started)) s" >> "$out/origin.txt"
weights=44
one check 2
one latency 4
one power 11
mps_begin
one bags 13 "$mps"
mps_end
one operators 7
# (what ended check early may have been the counters)
! tail -n 1 "$out/check.csv" | grep -q ' rows, cut: ' || { NO_EVENTS=1; export NO_EVENTS; }
one pairs 7
! command -v nvidia-smi > /dev/null || state "found at the end" >> "$out/origin.txt"
echo "$(($(date +%s) - started)) s in all" >> "$out/origin.txt"
python3 "$here/summary.py" "$out"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
