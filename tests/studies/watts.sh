#!/bin/sh
# From PTX to watts, and from measured latencies to a device: the commands that examples/README.md gives, in
# their order, with files that tests/golden/watts.py made up (tests/golden/watts) where a GPU would be.
# The table is held against one that was computed without sooth.
# Ends with "watts: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh
is() { if [ "$2" = "$3" ]; then ok; else fail "$1 is $2, not $3"; fi; }
# column FILE NAME: the cells of a column, whatever its unit
column() {
    awk -F, -v want="$2" '
        NR == 1 { for (i = 1; i <= NF; ++i) { sub(/ \[.*/, "", $i); if ($i == want) c = i } }
        NR > 1 { print c ? $c : "no column " want }' "$1"
}
cp "$golden/watts/kernels.ptx" "$golden/watts/power.csv" "$golden/watts/latency.csv" .
cp "$golden/ptx/matmul.ptx" .

# ---- the recorded files have the form in which the measuring programs print

if command -v python3 > /dev/null; then
    mkdir -p again/watts && cp kernels.ptx again/watts && cp "$golden/watts.py" again
    (cd again && python3 ./watts.py)
    for file in power latency expected; do
        check "$file.csv is the script's" cmp -s "again/watts/$file.csv" "$golden/watts/$file.csv"
    done
else skip "the script" "python3 is not here"; fi
printed() { # PROGRAM FIRST: the header that a program prints, which begins with this word
    tr -d '\n' < "$root/bench/cuda/$1" | grep -o "printf(\"$2,[^;]*" | head -1 |
        sed 's/^printf("//; s/\\n")$//; s/" *"//g'
}
is "the header of power.csv" "$(sed -n 2p power.csv)" "$(printed power.cu kernel)"
is "the header of latency.csv" "$(sed -n 2p latency.csv)" "$(printed latency.cu what)"
sed -n 's/^ *X(\([a-z0-9_]*\), [a-z]*, ".*/\1/p' "$root/bench/cuda/latency.cu" > theirs
sed -n 's|^\([a-z0-9]*_[a-z0-9_]*\),[0-9].*|\1|p' latency.csv | grep -v '^l2_' > ours
is "operations that are measured" "$(sort theirs)" "$(sort ours)"
is "kernels that are measured" "$(grep -c '^            \(if (.*) \)\?JOB(' "$root/bench/cuda/kernels.cuh")" \
    "$(grep -c '^\.visible \.entry' kernels.ptx)"

# ---- the five commands, as the page gives them

# Those that need no GPU are read off examples/README.md, so that what stands there is what is tested.
awk '/^## From your GPU to watts/ { on = 1; next } /^## / { on = 0 }
    on && /^    \$ sooth / { print substr($0, 7) }
' "$root/examples/README.md" > commands
is "commands on the page" "$(wc -l < commands)" 6
while read -r first rest; do
    is "the command" "$first" sooth
    eval "\"\$sooth\" $rest" > "now" 2>> notes || fail "sooth $rest"
    ok
    cat now >> said
done < commands
said_once() { if [ "$(grep -c "$1" notes)" -eq 1 ]; then ok; else fail "not once: $1"; fi; }
said_once '^sooth gpu: latency.csv: 17 latencies measured; set to a measured one: move, compare, '
said_once '; kept from a100: f16, '
said_once 'in kernels.ptx, 9 kernels were not measured: nbody, '
said_once '120 launches of 14 kernels; fit a model to them with: sooth fit TABLE --group kernel --target'
check "a power comes out" \
    grep -q '^  power [0-9.]*, [0-9.]* to [0-9.]* (90 % of the launches of an unseen kernel' said
check "a time comes out" grep -q '^  time [0-9.]*' said

# ---- the device

for line in 'sms = 100' 'compute = 8.0' 'clock_mhz = 1500' 'l2_bytes = 41943040' 'memory_gbs = 1210' \
    'latency_add = 4.3    # measured' 'latency_multiply = 4.5    # measured' \
    'latency_move = 4.3    # as add' \
    'latency_global_load = 480 ' 'latency_global_store = 480    # as global_load' 'latency_l1 = 35 ' \
    'latency_l2 = 215 ' 'latency_f16 = 3    # kept' 'fp32_units = 64' 'name = Made Up 100'; do
    check "mine.gpu has $line" grep -qF "$line" mine.gpu
done
expect 0 'latency_shared_load = 24' gpu mine.gpu
expect 0 'a100' gpu
expect 0 'name = other' gpu mine.gpu --name other
bad() { # NAME SED WORDS: what a spoilt file of latencies is refused with
    sed "$2" latency.csv > bad.csv
    expect 1 "$3" gpu a100 --latency bad.csv
}
bad zero '/^add_s32/s/4.60/0.00/' 'line 7: latency_cycles of add_s32 is 0, but must be a number above 0'
bad gone '/^add_s32/s/4.60//' 'line 7: latency_cycles of add_s32 is missing'
bad text '/^add_s32/s/4.60/four/' 'line 7, column 2 (latency_cycles): "four" is not a number'
bad what 's/^add_s32/add_s31/' 'line 7: unknown measurement add_s31'
bad ring 's/^global 8 KiB/global 8 MiB/' 'global 8 MiB is not a ring such as'
bad fact 's/^sms/smx/' 'line 4: '
bad compute '/^compute/s/80/81/' 'line 3: '
bad header '2s/latency_cycles/cycles/' 'bad.csv has no column latency_cycles'
expect 2 'need a device to start from' gpu --latency latency.csv
expect 2 'there is no GPU called gtx' gpu gtx
expect 0 'name = h100-pcie' gpu 'NVIDIA H100 PCIe'
expect 2 'must have 1 to 23 characters' gpu a100 --name 'a name that is much too long'
head -8 latency.csv > few.csv
expect 0 'kept from k20: divide, ' gpu k20 --latency few.csv
check "what is not told is kept" grep -qF 'latency_f32_sqrt = 432    # kept' out
check "what it stands in for goes along" grep -qF 'latency_f32 = 4.6    # as add' out

# ---- the table, beside one made without sooth

is "rows" "$(wc -l < table.csv)" "$(grep -vc "^#" power.csv)"
awk -F, 'NR == 1 || $2 ~ /^(polynomial|vector_add|saxpy|matrix_product)$/' table.csv > four.csv
for name in $(head -1 "$golden/watts/expected.csv" | tr , ' '); do
    column four.csv $name > ours
    column "$golden/watts/expected.csv" $name > theirs
    paste -d' ' ours theirs > both
    check "the column $name" awk '
        $1 != $2 && !($1 - $2 < 1e-6 * $2 && $2 - $1 < 1e-6 * $2) { print "row " NR ": " $0; bad = 1 }
        END { exit bad || NR != 30 }' both
done

# ---- the model's answer for a launch is its answer for the table's row

run predict power.sooth table.csv -o predicted.csv
run ptx kernels.ptx --launches power.csv --gpu mine.gpu --predict power.sooth
column out predicted_power > ours; column predicted.csv predicted_power > theirs
check "predicted for each launch as for its row" cmp -s ours theirs
is "rows with predictions" "$(wc -l < ours)" 120
check "beside what was measured" test "$(column out power | head -1)" = 229.05
run ptx kernels.ptx --kernel vector_add --grid 4096 --block 64 --value 3=262144 --regs 12 --gpu mine.gpu \
    --predict power.sooth --csv
is "and alone" "$(column out predicted_power)" "$(sed -n 10p theirs)"
run ptx kernels.ptx --launches power.csv --gpu mine.gpu --predict power.sooth --json
if command -v python3 > /dev/null; then
    check "as JSON" python3 -c '
import json
k = json.load(open("out"))["kernels"]
assert len(k) == 120 and k[0]["measured"]["power"] > 229 and "power" in k[0]["predicted"]'
else skip "JSON" "python3 is not here"; fi

# ---- several targets at once

"$sooth" fit table.csv --target power,time --group kernel --model extratrees --folds 2 \
    -o both.sooth > said 2>&1
run ptx kernels.ptx --kernel gather --grid 4096 --block 64 --value 3=262144 --regs 10 --gpu mine.gpu \
    --predict both.sooth --csv
is "columns of two targets" "$(head -1 out | grep -o ',predicted_power.*')" \
    ",predicted_power,low_power,high_power,predicted_time,low_time,high_time,outside"
check "two intervals" awk -F, 'NR == 2 { exit !($(NF - 5) <= $(NF - 6) && $(NF - 2) <= $(NF - 3)) }' out

# ---- the model knows its form and its device

launch="kernels.ptx --kernel gather --grid 4096 --block 64 --value 3=262144 --regs 10"
expect 0 'gpu: Made Up 100' describe power.sooth
expect 2 'was fitted to launches on Made Up 100, which is not a known device; give its file with --gpu' \
    ptx $launch --predict power.sooth
cp mine.gpu 'Made Up 100' # a model says which device, and never which file to open
expect 2 'not a known device' ptx $launch --predict power.sooth
expect 1 'form "corrected" (avg_comp_lat), but these are "printed": leave --printed' \
    ptx $launch --gpu mine.gpu --predict power.sooth --printed
run ptx $launch --gpu v100 --predict power.sooth
check "another device is said" grep -qx \
    'sooth ptx: power.sooth was fitted to launches on Made Up 100, not on v100, .*' err
for form in printed compat; do
    run ptx kernels.ptx --launches power.csv --gpu k20 --$form -o $form.csv
    "$sooth" fit $form.csv --target power --drop time --group kernel --model tree --folds 0 --note mine \
        -o $form.sooth > said 2>&1
    expect 0 'mine; gpu: k20' describe $form.sooth
    run ptx $launch --gpu k20 --predict $form.sooth --csv
    cp out by_itself
    run ptx $launch --gpu k20 --predict $form.sooth --csv --$form
    check "$form is the model's own form" cmp -s out by_itself
    run ptx $launch --predict $form.sooth --csv
    check "$form: and k20 its own device" cmp -s out by_itself
done
expect 1 'form "printed" (avg_comp_lat), but these are "tool": give --printed' \
    ptx $launch --gpu k20 --predict printed.sooth --compat
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ /^gpu$/) c = i }
    NR == 3 { sub(",k20,", ",v100,") } { print }' printed.csv > mixed.csv
"$sooth" fit mixed.csv --model tree --target power --drop time --folds 0 -o mixed.sooth > said 2>&1
expect 2 'the features need the device: give --gpu' ptx $launch --predict mixed.sooth
# the tables beside the paper write _sim for _sm and name no units
sed '1s/ \[[^]]*\]//g; 1s/_sm,/_sim,/g; 1s/total_threads/Total Threads/' compat.csv > published.csv
"$sooth" fit published.csv --target power --features comp_inst_sim,'Total Threads' --model linear --folds 0 \
    -o published.sooth > said 2>&1
expect 1 'a model of the tables published with the paper needs --compat, with --gpu k20-2023' \
    ptx $launch --gpu k20 --predict published.sooth
run ptx $launch --gpu k20 --predict published.sooth --compat
check "which published form is said" grep -q 'for the tables published with the paper give --gpu k20-2023' err
expect 0 '  power ' ptx $launch --gpu k20-2023 --predict published.sooth --compat
check "and nothing else" test ! -s err || cat err
"$sooth" fit table.csv --model tree --target power --group kernel --folds 0 -o leak.sooth > said 2>&1
expect 1 'leak.sooth needs time, which neither the PTX nor the launch determines' \
    ptx $launch --gpu mine.gpu --predict leak.sooth

# bytes with a unit are those without
awk -F, -v OFS=, '!/^#/ && $1 != "kernel" { $8 = 4096 } { print }' power.csv > plain.csv
"$sooth" ptx kernels.ptx --launches plain.csv --gpu mine.gpu > plain 2> err
awk -F, -v OFS=, '!/^#/ && $1 != "kernel" { $8 = NR % 2 ? "4 KiB" : "4096 B" } { print }' power.csv > unit.csv
run ptx kernels.ptx --launches unit.csv --gpu mine.gpu
check "4 KiB are 4096 bytes" eval '[ -s out ] && cmp -s out plain'

# ---- what cannot be joined

refuse() { # SED WORDS
    sed "$1" power.csv > bad.csv
    expect 1 "$2" ptx kernels.ptx --launches bad.csv --gpu mine.gpu
}
refuse '5s/^[a-z_]*/hash_wards/' 'bad.csv: line 5: kernels.ptx: there is no kernel hash_wards; there are '
refuse '5s/^[a-z_]*//' 'bad.csv: line 5 has no kernel'
refuse '3s/,4096,64,/,4096,2048,/' 'bad.csv: line 3: polynomial: threads is 2048, but must be from 1 to 1024'
refuse '3s/,11,0,32,/,11,999999,32,/' 'bad.csv: line 3: polynomial: shared is 999999 bytes'
refuse '2s/shared_bytes/& [KiB]/;3s/,11,0,32,/,11,400,32,/' \
    'bad.csv: line 3: polynomial: shared is 409600 bytes'
refuse '2s/shared_bytes/& [ms]/' 'bad.csv: column shared_bytes is in ms, but must be in a unit that becomes B'
refuse '2s/block/& [K]/' 'bad.csv: column block is in K, but must have no unit'
refuse '2s/registers/& [K]/' 'bad.csv: column registers is in K, but must have no unit'
refuse '3s/,11,0,32,/,1.5,0,32,/' 'line 3: registers is 1.5, but must be an integer between 1 and 255'
refuse '3s/,4096,64,/,0,64,/' 'bad.csv: line 3: grid is 0, but must be a size'
refuse '3s/,4096,64,/,,64,/' 'bad.csv: line 3 has no grid'
refuse '3s/229.05/many/' 'bad.csv: line 3, column 11 (power): "many" is not a number'
refuse '3s/229.05/-3/' 'bad.csv: line 3: power is -3, but a measurement must be above 0'
refuse '3s/3=512/9=512/' 'bad.csv: line 3: the kernel polynomial has no parameter 9'
refuse '3s/3=512/3=1e30/' 'line 3: values has 3=1e30, but must have PARAMETER=NUMBER'
refuse '3s/3=512/512/' 'bad.csv: line 3: values has 512, but must have PARAMETER=NUMBER'
refuse '2s/grid/grids/' 'bad.csv has no column grid; a file of launches has the columns kernel, grid, block'
refuse '2s/time/t/;2s/power/p/' \
    'neither a column time nor a column power; name the measured columns with --measured'
cp kernels.ptx twice.ptx
expect 1 'kernel polynomial is in kernels.ptx and in twice.ptx: give only the file that ran' \
    ptx kernels.ptx twice.ptx --launches power.csv --gpu mine.gpu
expect 1 'kernel polynomial is in none of the 2 PTX files' \
    ptx "$golden/ptx/vecadd.ptx" "$golden/ptx/matmul.ptx" --launches power.csv --gpu mine.gpu
expect 2 'leave out --kernel, --grid, --block and --svg' \
    ptx kernels.ptx --launches power.csv --gpu mine.gpu --grid 64
expect 2 '--measured names columns of --launches' ptx kernels.ptx --measured x
expect 2 'the features need the device' ptx kernels.ptx --launches power.csv
sed '3s/,229.05,/,,/' power.csv > gap.csv
run ptx kernels.ptx "$golden/ptx/vecadd.ptx" --launches gap.csv --gpu mine.gpu
check "several files, one without a launch" \
    grep -q 'in these files, 10 kernels were not measured: nbody, ' err
check "a launch without watts" grep -qx 'sooth ptx: gap.csv has no power in 1 row' err
sed '3s/,11,0,32,/,11,0,8,/' power.csv > odd.csv
run ptx kernels.ptx --launches odd.csv --gpu mine.gpu
check "another number of blocks" grep -qF \
    'blocks on an SM differs from the number that fits (line 3: 8, where a Made Up 100 holds 32)' err
printf 'kernel,grid,block,joules\nsaxpy,8x8,16x16,3.5\n' > own.csv
run ptx kernels.ptx --launches own.csv --measured joules --gpu a100
is "one's own columns" "$(column out total_threads) $(column out joules)" "16384 3.5"

also=
[ $skipped -eq 0 ] || also=", $skipped skipped"
echo "watts: $passed passed, $failed failed$also"
[ "$failed" -eq 0 ]
