#!/bin/sh
# bench/cuda/measure.sh without a GPU: programs that print made-up tables (tests/golden/measured.py) play the
# measuring ones. They end well, are cut, fail, or are missing. Then the kernels' own arithmetic, on the host.
# Ends with "measure: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh
is() { if [ "$2" = "$3" ]; then ok; else fail "$1 is $2, not $3"; fi; }
parts="check latency power bags operators pairs"
if ! command -v python3 > /dev/null; then
    echo "measure: 0 passed, 0 failed, 1 skipped: python3 is not here"
    exit 0
fi
python3 "$golden/measured.py" tables || exit 1

# ---- the stand-ins

# play NAME < SCRIPT: a program; its first word is its seconds
play() {
    { echo '#!/bin/sh'; echo "echo $1 \"\$1\" >> $work/asked"; cat; } > "stubs/$1"
    chmod +x "stubs/$1"
}
fresh() { # every program prints its whole table
    rm -rf stubs out asked settings; mkdir stubs
    for name in $parts; do echo "cat $work/tables/$name.csv" | play "$name"; done
}
mkdir driver
cat > driver/nvidia-smi << 'END'
#!/bin/sh
echo "$*" >> settings
case $1 in
*=name,*) echo "Made Up 100, 81559 MiB, 580.1, 1980 MHz, 2619 MHz, 700.00 W, Disabled, Default, N/A" ;;
*=compute_cap) echo 9.0 ;;
*) echo "[N/A], [N/A], 30, [N/A]" ;;
esac
END
chmod +x driver/nvidia-smi
measure() { # MINUTES
    PATH=$work/driver:$PATH PROGRAMS=$work/stubs "$root/bench/cuda/measure.sh" out "$1" > said 2> err; rc=$?
}
last() { tail -n 1 "out/$1.csv"; }

# ---- whole

fresh; measure 8
is "the exit code" $rc 0
for name in $parts; do
    same "out/$name.csv" "tables/$name.csv"
    check "$name.csv is closed" grep -q '^# end: [0-9]* rows, skipped none$' "out/$name.csv"
done
is "the files" "$(cd out && echo *)" \
    "bags.csv check.csv latency.csv operators.csv origin.txt pairs.csv power.csv"
check "the driver is asked, and told nothing" test \
    "$(grep -vc '^--query-gpu=[a-z_.,]* --format=csv,noheader$' settings)" = 0
is "queries of the driver, which may take seconds each" "$(wc -l < settings)" 3
check "the device is named" grep -qx 'device: Made Up 100, 81559 MiB, driver 580.1' out/origin.txt
check "its modes are said" grep -qx 'modes: persistence Disabled, compute Default, MIG N/A' out/origin.txt
check "what is not known is said" grep -qx \
    'found at the end: SM clock \[N/A\], memory clock \[N/A\], 30 C, \[N/A\]' out/origin.txt
check "the host is not named" test "$(grep -cw -e "$(uname -n)" out/origin.txt)" = 0
check "40 lines at most" test "$(wc -l < said)" -le 40
check "what differs is said" grep -q 'differs: limit warps: ours 64, theirs 48' said
check "the noise is said" grep -qE 'measured again: (1.99[0-9]|2) to 2(.00[0-9])?, median 2 %' said
grep -oE '[0-9]+ bags of' said > bags
check "all bags are counted" test "$(awk '{ n += $1 } END { print n }' bags)" = 443
check "rates of products" grep -q 'linear, most TFLOPS: fp32 44.97' said
# The shares of 470 s by the weights 2, 4, 11, 13, 7, 7: what a program leaves goes to the next ones. Some
# seconds may pass meanwhile.
for line in "check 21" "latency 44" "power 136" "bags 226" "operators 235" "pairs 470"; do
    name=${line% *} most=${line#* }
    check "the seconds of $name" awk -v name="$name" -v most="$most" '
        $1 == name { good = $2 <= most && $2 >= 0.85 * most } END { exit !good }' asked
done
is "the order" "$(cut -d' ' -f1 asked | tr '\n' ' ')" "check latency power bags operators pairs "
fresh; measure 1
check "a short run gives short seconds" test "$(awk '$1 == "check" { print $2 }' asked)" -le 3

# ---- cut

# half of the table, half a row, and then no end in sight
fresh
play power << END
head -n 12 $work/tables/power.csv; printf 'polynomial,compute,26'; exec sleep 600
END
measure 0.2
is "the exit code of a cut run" $rc 1
is "rows of a cut table" "$(grep -vc '^#' out/power.csv)" 11
check "half a row is dropped" test "$(grep -c '^polynomial,compute,26$' out/power.csv)" = 0
check "a cut table says so" grep -qE '^# end: 10 rows, cut: ended after its [0-9]+ s' out/power.csv
for name in check latency bags operators; do
    check "$name.csv is whole or says why" grep -qE \
        '^# end: ([0-9]+ rows, skipped none|0 rows, cut: no time was left)$' "out/$name.csv"
done
check "latency came before" cmp -s out/latency.csv tables/latency.csv
check "the summary lives" grep -q '^power: 10 rows; 10 rows, cut' said

# ---- failing, and not compiled

fresh
play latency << END
head -n 7 $work/tables/latency.csv; echo 'line 160: cudaMemcpy: unspecified launch failure' >&2; exit 1
END
rm stubs/bags
measure 8
is "the exit code of a failed run" $rc 1
check "what failed is said" grep -q '^failed: latency bags$' said
is "a failed table's end" "$(last latency)" \
    "# end: 5 rows, cut: exit code 1: line 160: cudaMemcpy: unspecified launch failure"
check "what did not compile is said" grep -q '^# end: 0 rows, cut: it did not compile' out/bags.csv
for name in check power operators pairs; do same "out/$name.csv" "tables/$name.csv"; done

# ---- built anew: a compiler that finds no GPU, and then is told which; one source that it refuses

fresh
cat > driver/nvcc << 'END'
#!/bin/sh
case $* in
--version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit ;;
*-arch=native*) echo "nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used" >&2 ;;
*operators.cu*) echo 'operators.cu(7): error: identifier "x" is undefined' >&2; exit 1 ;;
esac
to= from=
for word; do
    case $before in -o) to=$word ;; esac
    case $word in *.cu) from=${word##*/} ;; esac
    before=$word
done
echo "$from $*" >> built
rm -f "$to"; [ "$from" = kernels.cu ] || { cp "stubs/${from%.cu}" "$to"; chmod +x "$to"; }
END
chmod +x driver/nvcc
rm -f stubs/operators
PATH=$work/driver:$PATH "$root/bench/cuda/measure.sh" out 8 > said 2> err
is "the exit code of a run with a source that does not compile" $? 1
is "sources compiled for the device's own capability" "$(grep -c -e '-arch=sm_90 ' built)" 5
check "the PTX of compute capability 8.0" grep -q '^kernels.cu .*-ptx -arch=compute_80 ' built
is "what did not compile is said" "$(last operators)" \
    '# end: 0 rows, cut: it did not compile: operators.cu(7): error: identifier "x" is undefined'
for name in check latency power bags pairs; do same "out/$name.csv" "tables/$name.csv"; done
check "the compiler is said" grep -qx 'nvcc: release 13.0, V13.0.88' out/origin.txt
check "and no default architecture" test "$(grep -c 'default architecture' out/origin.txt)" = 0
rm driver/nvcc

# ---- the whole run is ended

fresh
play operators << END
head -n 40 $work/tables/operators.csv; echo \$\$ > $work/reached; exec sleep 600
END
end_it() { # SIGNAL: begins, and ends the run while the operators are measured
    rm -f reached
    PATH=$work/driver:$PATH PROGRAMS=$work/stubs "$root/bench/cuda/measure.sh" out 8 > said 2>&1 &
    pid=$! turns=0
    while [ ! -e reached ] && [ $turns -lt 300 ]; do sleep 0.1; turns=$((turns + 1)); done
    kill -"$1" $pid; wait $pid 2> /dev/null
    kill "$(cat reached)" 2> /dev/null
}
end_it TERM
is "an ended table's end" "$(last operators)" "# end: 38 rows, cut: the run was ended"
for name in check latency power bags; do same "out/$name.csv" "tables/$name.csv"; done
absent out/pairs.csv
end_it KILL
for name in check latency power bags; do same "out/$name.csv" "tables/$name.csv"; done
python3 "$root/bench/cuda/summary.py" out > said 2>&1
check "a table without a last line" grep -q '^operators: 38 rows; cut without a last line' said

# ---- a daemon of MPS, for the bags alone

cat > driver/nvidia-cuda-mps-control << 'END'
#!/bin/sh
[ "$1" = -d ] || set -- "$(cat)"
echo "$1 $CUDA_MPS_PIPE_DIRECTORY" >> daemon
END
chmod +x driver/nvidia-cuda-mps-control
fresh
for name in $parts; do echo "echo $name \$3 >> $work/pipes; cat $work/tables/$name.csv" | play "$name"; done
measure 8
check "begun and ended" test "$(cut -d' ' -f1 daemon | tr '\n' ' ')" = "-d quit "
check "one folder of pipes, which is gone" test "$(cut -d' ' -f2 daemon | sort -u | wc -l)" = 1 -a \
    ! -e "$(tail -n 1 daemon | cut -d' ' -f2)"
is "who knows it" "$(awk 'NF == 2 { print $1 }' pipes)" bags
is "and its folder" "$(awk 'NF == 2 { print $2 }' pipes)" "$(head -n 1 daemon | cut -d' ' -f2)"
check "the origin has it" grep -q '^MPS for some bags: yes$' out/origin.txt
rm driver/nvidia-cuda-mps-control

# ---- compute-sanitizer

printf '%s\n' '#!/bin/sh' 'echo "========= ERROR SUMMARY: 0 errors"' 'case $3 in *latency) exit 9 ;; esac' \
    'shift 2; exec "$@"' > driver/compute-sanitizer
chmod +x driver/compute-sanitizer
fresh
PATH=$work/driver:$PATH PROGRAMS=$work/stubs "$root/bench/cuda/measure.sh" --check out > said 2> err
is "the exit code of a program with errors" $? 1
check "what was found is said" grep -q '^== latency: exit code 9' out/sanitizer.txt
is "programs under the sanitizer" "$(grep -c '^== ' said)" 5
is "and no table" "$(cd out && echo *)" sanitizer.txt

# ---- words

for words in '' 'out x' 'out 1 2'; do
    # shellcheck disable=SC2086
    PROGRAMS=$work/stubs "$root/bench/cuda/measure.sh" $words > said 2>&1
    is "bad use: $words" "$?" 2
done

# ---- the stand-ins have the form in which the programs print

printed() { # PROGRAM FIRST: the header that a program prints, which begins with this word
    tr -d '\n' < "$root/bench/cuda/$1.cu" | grep -o "printf(\"$2,[^;]*" | head -1 |
        sed 's/^printf("//; s/\\n")$//; s/" *"//g'
}
for line in "check what" "latency what" "power kernel" "bags bag" "operators op" "pairs run"; do
    name=${line% *}
    grep -v '^#' "tables/$name.csv" | head -n 1 > header
    is "the header of $name.csv" "$(cat header)" "$(printed "$name" "${line#* }")"
done

# ---- the programs themselves, on a device that takes time and watts but computes nothing (stand_in.cpp)

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null)
built=$root/build/cuda
stand_in() {
    mkdir device
    printf 'GLIBC_2.17 { global: clock_gettime; };\nGLIBC_2.2.5 { global: nanosleep; };\n' > version
    printf 'libcudart.so.13 { global: *; };\n' >> version
    "${CXX:-g++}" -std=c++17 -O1 -fPIC -shared -I"$(dirname "$nvcc")/../include" \
        "$root/tests/studies/stand_in.cpp" -o device/libcudart.so.13 -Wl,-soname,libcudart.so.13 \
        -Wl,--version-script=version && ln -s libcudart.so.13 device/libnvidia-ml.so.1 &&
        ln -s libcudart.so.13 device/libcuda.so.1 && ln -s libcudart.so.13 device/libcupti.so
}
# all FILE NAME CONDITION: a condition of awk holds in all rows of a table; fields by name, as in f["power"]
all() {
    check "$2" awk -F, '
        /^#/ { next }
        !head { for (i = 1; i <= NF; ++i) { sub(/ \[.*/, "", $i); at[$i] = i } head = 1; next }
        { for (name in at) f[name] = $at[name]; ++n; if (!('"$3"')) { print; ++bad } }
        function near(a, b, by) { return a > b * (1 - by) && a < b * (1 + by) }
        END { exit !n || bad }' "out/$1.csv"
}
if [ -z "$nvcc" ]; then skip "the programs" "nvcc is not here"
elif ! ldd "$built/power" 2> /dev/null | grep -q libcudart.so.13; then
    skip "the programs" "make cuda has not built them with CUDA 13's shared runtime"
elif ! stand_in > said 2>&1; then fail "stand_in.cpp compiles"; cat said
else
    rm -rf out; head -c 8 /dev/zero > clock
    LD_LIBRARY_PATH=$work/device STAND_IN_LOG=$work/took STAND_IN_CLOCK=$work/clock PROGRAMS=$built \
        "$root/bench/cuda/measure.sh" out 3 > said 2> err
    is "the exit code of the programs" $? 0
    for name in $parts; do
        check "$name.csv is closed by the program" grep -qE '^# end: [0-9]+ rows, skipped ' "out/$name.csv"
    done
    # each within its seconds, as origin.txt has them, on the made-up clock
    sed -n 's/^\([a-z]*\): [0-9]* s of \([0-9]*\), exit code 0$/\1 \2/p' out/origin.txt > shares
    is "programs that ended well" "$(wc -l < shares)" 6
    awk 'FNR == NR { share[$1] = $2; next } { took[$1] = $2 }
        END { for (p in share) if (!(took[p] <= share[p] + 1)) print p, took[p], share[p] }
        ' shares took > late
    check "all keep their time" test ! -s late || cat late
    all check "the device is as gpu.h has it" 'f["equal"] == 1 || f["what"] == "executed"'
    is "launches whose occupancy is checked" "$(grep -c ^occupancy, out/check.csv)" 414
    all power "watts of a busy board" 'near(f["power"], 270, 0.02) && f["idle"] == "70.00"'
    all power "the time of a launch" 'near(f["time"], 0.002 + 1e-5 * f["grid"], 0.02 + 0.004 / f["time"])'
    check "the counter's interval is found" grep -qE '^# energy counter: changes every 5[01]\.. ms, by 3\.5' \
        out/power.csv
    check "the counter stands beside the driver's reading" grep -qE \
        "^# polynomial: 2(69|70)\\... W by the counter, 123.00 W by the driver's reading" out/power.csv
    grep -v ',processes,' out/bags.csv > streams && cp streams out/streams.csv
    check "a bag's tasks share one device" awk -F, '/,streams,/ { share[$1] += 1 / $12 }
        END { for (b in share) { ++n; if (share[b] < 0.97 || share[b] > 1.03) print b, ++bad }
            exit bad || n < 100 }
        ' out/bags.csv
    all streams "a bag's tasks take turns" 'near(f["slowdown"], f["tasks"], 0.25)'
    all streams "the work of a bag" 'near(f["span"], 20 * f["tasks"], 0.1)'
    all streams "watts of bags" 'near(f["power"], 270, 0.02)'
    rm out/streams.csv
    check "bags of five" grep -q ',streams,5,4,' out/bags.csv
    check "bags by processes" grep -q ',processes,2,1,' out/bags.csv
    all operators "times of operators" 'f["op"] != "add" ||
        near(f["latency_ms"], 0.002 + 1e-5 * f["b"] * f["k"] / 256, 0.02 + 0.01 / f["latency_ms"])'
    # (two threads on one clock: now and then one is a little late)
    check "a part of the device of one's own" awk -F, '
        /^[0-9]/ && $13 != "" { ++n; late += $13 > 1.1 || $13 < 0.9 }
        END { exit !(n > 1000 && late < 0.05 * n) }' out/pairs.csv
    if [ -e "$(dirname "$nvcc")/../include/cupti_range_profiler.h" ]; then
        is "kernels that are counted" "$(grep -c '^executed,[a-z_]*,,[0-9]' out/check.csv)" 23
        all pairs "events of all" 'near(f["l2_access"], 6 * f["ipc"], 1e-6) && f["ipc"] > 0'
    else skip "events" "CUPTI's headers are not here"; fi
    check "all divisions" test "$(cut -d, -f3 out/pairs.csv | sort -un | tail -n +2 | wc -l)" -ge 9
fi

# ---- every chain of latencies has its instructions: the assembler has combined or moved none

# size NAME: bytes of a kernel's code for compute capability 9.0, where an instruction takes 16
size() {
    echo $((0x0$(sed -n "s/.* \\.text\\..*chain_$1P.* PROGBITS *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p" \
        code)))
}
if [ -z "$nvcc" ] || ! command -v readelf > /dev/null; then skip "the chains" "nvcc or readelf is not here"
else
    check "latency.cu compiles" \
        "$nvcc" -O2 -std=c++17 -cubin -arch=sm_90 "$root/bench/cuda/latency.cu" -o cubin
    readelf -SW cubin > code 2> /dev/null
    sed -n 's/^ *X(\([a-z0-9_]*\), .*, \(ONE\|TWO\|MANY\)).*/\1 \2 &/p' \
        "$root/bench/cuda/latency.cu" > chains
    is "chains" "$(wc -l < chains)" 24
    while read -r name steps all; do
        case "$steps $all" in
        TWO*AND_MAD* | ONE*) least=256 ;;
        TWO*) least=128 ;;
        *) least=$((8 * 32)) ;;
        esac
        check "$name: $least instructions" test "$(size "$name")" -ge $((16 * least))
    done < chains
fi

# ---- the kernels, on the host

if command -v "${CXX:-g++}" > /dev/null; then
    check "kernels.cpp compiles" "${CXX:-g++}" -std=c++17 -O1 -Wall -Wextra -Wno-clobbered -I"$root" \
        "$root/tests/studies/kernels.cpp" -o kernels
    ./kernels > said 2>&1
    line=$(tail -n 1 said)
    p=${line#kernels: } f=${line#*, }
    passed=$((passed + ${p%% *})) failed=$((failed + ${f%% *}))
    grep FAILED said
else skip "the kernels" "there is no C++ compiler"; fi

also=
[ $skipped -eq 0 ] || also=", $skipped skipped"
echo "measure: $passed passed, $failed failed$also"
[ "$failed" -eq 0 ]
