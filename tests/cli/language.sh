#!/bin/sh
# Black-box tests of operators of language models: `sooth gpu time` with data types, in tables and one by one,
# and `sooth gpu network --model`. Sums are added again by awk from the times of single operators, tokens a
# second from the batch, and every wrong name or number is a sentence.
# Ends with "language: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh

# near X Y SHARE: they differ by no more than this share of Y
near() { awk "BEGIN { d = $1 - $2; b = ($3) * ($2); exit !(d * d <= b * b) }"; }
# ms_of PATTERN [FILE]: the predicted time of the first row that matches
ms_of() { awk -F, -v words="$1" '$0 ~ words && !n++ { print $(NF - 3) }' "${2:-times.csv}"; }
# json NAME: the first number of that name in out
json() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" out | head -n 1; }

# ---- tables: every kind, as the columns of one file

cat > ops.csv << 'END'
op,gpu,dtype,m,n,k,batch,tokens,context,heads,kv_heads,head_dim,window,hidden,inter,topk,experts,tp,ep,skew
gemm,h200,bf16,128,4096,4096,,,,,,,,,,,,,,,0.5,"a, b"
gemm,B200,nvfp4,4096,7168,2048,,,,,,,,,,,,,,,,c
prefill,h100,fp8,,,,2,2048,,32,8,128,0,,,,,,,,,
prefill,h100,bf16,,,,1,8192,,32,8,128,,,,,,,,,,
decode,a100-80gb-sxm,bf16,,,,64,,4095,32,8,128,0,,,,,,,,,
moe,l40s,bf16,,,,,128,,,,,,4096,14336,2,8,2,1,1.2,,
moe,b200,fp8-block,,,,,128,,,,,,7168,2048,8,256,,8,,,
mla-prefill,h200,bf16,,,,1,1024,,16,,,,,,,,,,,,
mla-decode,h200,fp8,,,,16,4095,,16,,,,,,,,,,,,
add,t4,,,,1024,,,,,,,,,,,,,,,,
END
awk -F, -v OFS=, 'NR == 1 { print $0, "ms,note,b"; next } { print $0, $1 == "add" ? 4096 : "" }' \
    ops.csv > with_b.csv
run gpu time --csv with_b.csv -o times.csv
check "a table of all kinds" [ $rc -eq 0 ]
[ $rc -eq 0 ] || cat err
check "comes back as it is, with four columns behind" eval \
    'sed "s/,[^,]*,[^,]*,[^,]*,[^,]*$//" times.csv | cmp - with_b.csv'
check "named for what they are" grep -q ',b,predicted_ms,low_ms,high_ms,trust$' times.csv
awk -F, 'NR > 1 && !($(NF - 3) > 0 && $(NF - 2) < $(NF - 3) && $(NF - 1) > $(NF - 3) &&
    $NF ~ /^(inside|edge|outside)$/)' times.csv > wrong
check "each row with a time, an interval around it and a trust" [ ! -s wrong ]
check "learned GPUs and types are inside" eval \
    '[ "$(grep -cE "^(gemm|decode|mla-decode).*,inside$" times.csv)" -ge 3 ]'
sed 's/,0.5,"a, b"/,500,x/' with_b.csv > other.csv
run gpu time --csv other.csv
check "what was measured is not used" [ "$(ms_of ^gemm out)" = "$(ms_of ^gemm)" ]

# GPUs that are not among the learned ones: a time, and trust that tells how far they are
grep -v -e ^add -e nvfp4 -e fp8-block with_b.csv > plain.csv
for gpu in gb200 b300 gb300 rtx-pro-6000 b60; do
    cut -d , -f 1,3- plain.csv > no_gpu.csv
    run gpu time --csv no_gpu.csv --gpu $gpu -o far.csv --force
    check "$gpu has times" eval '[ $rc -eq 0 ] &&
        [ "$(awk -F, "\$(NF - 3) > 0 && NR > 1" far.csv | wc -l)" -eq 7 ]'
done
check "another maker's GPU is outside" [ "$(grep -c ',outside$' far.csv)" -eq 7 ]
run gpu time --csv no_gpu.csv --gpu rtx-pro-6000 -o far.csv --force
check "another kind of GPU is not inside" [ "$(grep -c ',inside$' far.csv)" -eq 0 ]

# one row on the command line, in two ways, is the row of the table
"$sooth" gpu time --op gemm --shape 128,4096,4096 --dtype bf16 --gpu h200 --json > out
ms=$(json ms)
check "an operator is that of the table" near "$ms" "$(ms_of ^gemm,h200)" 1e-6
"$sooth" gpu time --op gemm --shape n=4096,m=128,k=4096 --dtype bf16 --gpu h200 --json > out
check "by names in any order, too" [ "$ms" = "$(json ms)" ]
"$sooth" gpu time --op moe --shape 128,4096,14336,2,8,2,1,1.2 --dtype bf16 --gpu l40s --json > out
check "so is a layer of experts" near "$(json ms)" "$(ms_of ^moe,l40s)" 1e-6
"$sooth" gpu time --op prefill --shape 1,8192,32,8,128 --dtype bf16 --gpu h100 --json > out
check "no window is one of 0" near "$(json ms)" "$(ms_of ^prefill,h100,bf16)" 1e-6
expect 0 '"dtype": "bf16"' gpu time --op mla-decode --shape 16,16,4095 --dtype bf16 --gpu h200 --json

# ---- mistakes

expect 2 'choose the data type of gemm with --dtype' gpu time --op gemm --shape 1,2,3 --gpu h200
expect 2 'unknown data type bf61; did you mean bf16?' gpu time --op gemm --shape 1,2,3 --dtype bf61 --gpu h200
# shape MESSAGE SHAPE: a gemm of these sizes is refused
shape() { expect 2 "--shape is $2, but $1; gemm has m, n, k: numbers" \
    gpu time --op gemm --shape "$2" --dtype bf16 --gpu h200; }
shape 'k is missing' 1,2
shape 'these are too many numbers' 1,2,3,4
shape 'm is given twice' m=1,m=2,n=3
shape 'there is no size h' m=1,n=2,h=3
shape 'k is empty, not a number' m=1,n=2,k=
expect 2 'context is missing; decode has batch, context, heads, kv_heads, head_dim and optionally window' \
    gpu time --op decode --shape batch=4,heads=8 --dtype bf16 --gpu h200
expect 2 'no size hiden; did you mean hidden?; moe has tokens, hidden, inter, topk, experts and optionally ' \
    gpu time --op moe --shape tokens=4,hiden=8 --dtype bf16 --gpu h200
expect 2 'm is 4.096, and must be an integer' gpu time --op gemm --dtype bf16 --shape 4.096,64,64 --gpu h100
expect 2 '4.096 is no integer' gpu time --op conv --shape 1,4.096,64,64 --gpu h100
printf 'op;b;m;n;k\nbmm;1;4.096;1024;4096\n' > german.csv
expect 1 'm of bmm is 4.096, but must be an integer; write thousands without a mark' \
    gpu time --csv german.csv --gpu h100
rm german.csv
expect 2 'tp is 0, and must be 1 or more' \
    gpu time --op moe --shape 128,4096,14336,2,8,0 --dtype bf16 --gpu l40s
"$sooth" gpu time --op gemm --shape 128,4096,4096 --dtype bf16 --gpu h200 > named
for type in bfloat16 BF16 BFloat16; do
    run gpu time --op GEMM --shape 128,4096,4096 --dtype $type --gpu h200
    check "GEMM in $type" cmp -s out named
done
for type in float8:fp8 fp8_e4m3:fp8 FP8_BLOCK:fp8-block half:fp16 float16:fp16; do
    expect 0 "gemm, ${type#*:}: m 128, n 4096, k 4096" \
        gpu time --op gemm --shape 128,4096,4096 --dtype "${type%:*}" --gpu h200
done
expect 1 'm of gemm is 0' gpu time --op gemm --shape 0,2,3 --dtype bf16 --gpu h200
expect 1 'kv_heads' gpu time --op decode --shape 1,100,8,3,128 --dtype bf16 --gpu h200
# line MESSAGE HEADER ROW...: a table whose second row is wrong
line() {
    words=$1; shift
    printf '%s\n' "$@" > bad.csv
    expect 1 "$words" gpu time --csv bad.csv
}
good=gemm,h200,bf16,1,2,3
line 'bad.csv: line 3: unknown operator gemn; did you mean gemm?' op,gpu,dtype,m,n,k $good \
    gemn,h200,bf16,1,2,3
line 'bad.csv: line 3: unknown data type fp9; did you mean fp8?' op,gpu,dtype,m,n,k $good \
    gemm,h200,fp9,1,2,3
line 'bad.csv: line 3: column gpu: there is no GPU called h2000' op,gpu,dtype,m,n,k $good \
    gemm,h2000,bf16,1,2,3
line 'bad.csv: line 3: gpu is missing' op,gpu,dtype,m,n,k $good gemm,,bf16,1,2,3
line 'bad.csv: line 3: unknown operator ' op,gpu,dtype,m,n,k $good ,h200,bf16,1,2,3
line 'bad.csv: line 3: dtype of gemm is missing' op,gpu,dtype,m,n,k $good gemm,h200,,1,2,3
line 'bad.csv: line 3: n of gemm is missing' op,gpu,dtype,m,n,k $good gemm,h200,bf16,1,,3
line 'bad.csv: line 3: n of gemm is -2' op,gpu,dtype,m,n,k $good gemm,h200,bf16,1,-2,3
line 'bad.csv: line 3: n of gemm is 2.5' op,gpu,dtype,m,n,k $good gemm,h200,bf16,1,2.5,3
line 'bad.csv has no column batch, but decode in line 3 needs it' op,gpu,dtype,m,n,k,context $good, \
    decode,h200,bf16,1,2,3,4
line 'bad.csv has no column op' gpu,dtype,m,n,k h200,bf16,1,2,3
line 'dtype of gemm is missing; it needs a column dtype or --dtype' op,gpu,m,n,k gemm,h200,1,2,3
line 'bad.csv: line 3: ep of moe is 0, but must be 1 or more' \
    op,gpu,dtype,tokens,hidden,inter,topk,experts,ep moe,h200,bf16,9,4096,14336,2,8,1 \
    moe,h200,bf16,9,4096,14336,2,8,0
check "a row that cannot be answered writes nothing" [ ! -s out ]
line 'bad.csv has more than one column n; leave one of them' op,gpu,dtype,m,n,k,n $good,9 $good,9

# an option of a table is that of cells that are empty or missing; another one is refused, not preferred
printf '%s\n' op,gpu,dtype,m,n,k gemm,H200,bf16,128,4096,4096 gemm,,,128,4096,4096 > holes.csv
run gpu time --csv holes.csv --gpu h200 --dtype bf16
check "empty cells take the options" eval '[ $rc -eq 0 ] &&
    [ "$(ms_of ^gemm,H200 out)" = "$(ms_of ^gemm,, out)" ]'
expect 1 'holes.csv: line 2: gpu is H200, but --gpu is b200' \
    gpu time --csv holes.csv --gpu b200 --dtype bf16
expect 1 'holes.csv: line 2: dtype is bf16, but --dtype is fp8' \
    gpu time --csv holes.csv --gpu h200 --dtype fp8
expect 1 'holes.csv: line 2: gpu is H200, but --gpu is b200' \
    gpu time --csv holes.csv --gpu b200 --dtype bf16 --next 1

# options that a form does not use
expect 2 'time --csv does not take --grid' gpu time --csv holes.csv --grid 3
expect 2 'time --op does not take --model' gpu time --op add --shape 9 --gpu t4 --model llama-3.1-8b
expect 2 'time --op does not take --output' gpu time --op add --shape 9 --gpu t4 -o out.csv
expect 2 'time --op does not take --page' gpu time --op add --shape 9 --gpu t4 --page p.html
expect 2 'network with a table does not take --shape' gpu network holes.csv --shape 1,2,3 --gpu t4
expect 2 'network with a table does not take --batch' gpu network holes.csv --batch decode=1 --gpu t4
expect 2 'network --model does not take --measured' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1 --gpu t4 --measured holes.csv
expect 2 'network --model does not take --csv' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1 --gpu t4 --csv holes.csv
expect 2 'compare does not take --dtype' gpu compare k.ptx --dtype bf16 --gpu t4
expect 2 'the description of GPUs does not take --gpu' gpu --gpu t4

# with semicolons, times have the decimal mark of the numbers
printf '%s\n' 'op;gpu;dtype;m;n;k' 'gemm;h200;bf16;128;4096;4096' > points.csv
printf '%s\n' 'op;gpu;dtype;m;n;k;ms' 'gemm;h200;bf16;128;4096;4096;0,5' > commas.csv
run gpu time --csv points.csv
check "a point where no number has a mark" eval 'sed -n 2p out | grep -qE "^[^,]*;0\.[0-9]+;[^,]*;inside$"'
run gpu time --csv commas.csv
check "else a comma" eval 'sed -n 2p out | grep -qE "^[^.]*;0,[0-9]+;[^.]*;inside$"'
printf 'op,gpu,m,n,k\ngemm,h200,128,4096,4096\n' > plain.csv
expect 0 inside gpu time --csv plain.csv --dtype bf16

# ---- a few measured operators of a new GPU

awk -F, 'BEGIN { print "op,gpu,dtype,m,n,k,ms" }
    { print "gemm,b300,bf16," $0 }' > few.csv << 'END'
64,4096,4096,0.02
128,8192,4096,0.04
1024,4096,8192,0.2
4096,4096,4096,0.35
8192,8192,8192,2.8
16,16384,4096,0.05
2048,2048,2048,0.06
512,12288,4096,0.15
END
printf 'op,gpu,dtype,m,n,k\ngemm,b300,bf16,256,4096,4096\ngemm,h200,bf16,256,4096,4096\n' > new.csv
"$sooth" gpu time --csv new.csv > before 2> err
run gpu time --csv new.csv --measured few.csv
check "measured operators correct their GPU, and no other" eval '[ $rc -eq 0 ] &&
    [ "$(sed -n 3p before)" = "$(sed -n 3p out)" ] && [ "$(sed -n 2p before)" != "$(sed -n 2p out)" ]'
check "another GPU is named as not measured" grep -q 'no row was measured on h200' err
sed 's/,ms$/,milliseconds/' few.csv > other.csv
expect 1 'has no column measured_ms (or latency_ms, or ms)' gpu time --csv new.csv --measured other.csv
head -n 1 few.csv > none.csv
expect 0 'none.csv has no rows, so no time is corrected' gpu time --csv new.csv --measured none.csv
sed '3s/,[^,]*$/,/' few.csv > hole.csv
expect 1 'hole.csv: line 3: ms is missing' gpu time --csv new.csv --measured hole.csv
sed 's/,bf16,/,,/' few.csv > untyped.csv
run gpu time --csv new.csv --measured untyped.csv --dtype bf16
mv out untyped
run gpu time --csv new.csv --measured few.csv
check "measured rows without a type have that of --dtype" cmp -s out untyped
expect 1 'cannot read gone.csv' gpu time --csv few.csv --next 1 --measured gone.csv

# times in other units, in cells or in the header, are those in ms; sizes have none
sed 3q few.csv > in_ms.csv
"$sooth" gpu time --csv new.csv --measured in_ms.csv > in_ms 2> err
for unit in us:1000 ns:1000000 s:0.001; do
    awk -F, -v OFS=, -v f="${unit#*:}" -v u="${unit%:*}" 'NR > 1 { $7 = $7 * f " " u } { print }' \
        in_ms.csv > unit.csv
    run gpu time --csv new.csv --measured unit.csv
    check "times in ${unit%:*} become ms" awk -F, 'NR == FNR { of[FNR] = $7; next } FNR > 1 {
        d = $7 / of[FNR] - 1; bad += !(d * d < 1e-11) } END { exit bad || FNR != 3 }' in_ms out
done
sed '1s/ms$/measured_ms [us]/; s/0.02$/20/; s/0.04$/40/' in_ms.csv > unit.csv
run gpu time --csv new.csv --measured unit.csv
check "so do those of a header" cmp -s out in_ms
sed 's/,0.02$/,20 MB/; s/,0.04$/,40 MB/' in_ms.csv > unit.csv
expect 1 'unit.csv: column ms is in MB, but must be in a unit that becomes ms' \
    gpu time --csv new.csv --measured unit.csv
for m in 64K '64 KB'; do
    sed "s/,64,/,$m,/; s/,128,/,$m,/" in_ms.csv > unit.csv
    expect 1 'unit.csv: column m is in ' gpu time --csv unit.csv
done
printf 'op,gpu,dtype,m,n,k,count,label_ms\ngemm,h100,bf16,128,8192,8192,2,52 us\n' > net.csv
run gpu network net.csv --json
check "so does label_ms" near "$(json measured_ms)" 0.104 1e-5
sed 's/,2,52/,2 KB,52/' net.csv > unit.csv
expect 1 'column count is in kB' gpu network unit.csv

# a unit that was forgotten
sed 's/,0.02$/,20/; s/,0.04$/,40/' in_ms.csv > odd.csv
run gpu time --csv new.csv --measured odd.csv
check "a thousand times the prediction is said" grep -qE \
    '^odd.csv: 2 of 2 rows on b300 differ .* factor of 5 \(line 2: 20.0 ms, predicted 0.0[0-9]+\); check' err
run gpu time --csv new.csv --measured in_ms.csv
check "what is near is not" eval '! grep -q differ err'

# rows that a GPU cannot run are unknown, and the others have their times
printf 'op,gpu,dtype,m,n,k\ngemm,h200,bf16,64,4096,4096\ngemm,h200,nvfp4,64,4096,4096\n' > some.csv
run gpu time --csv some.csv
check "an unknown row has its reason" eval '[ $rc -eq 0 ] &&
    grep -q "1 unknown: see the column why_unknown" err &&
    grep -qE "^gemm,h200,nvfp4,.*,,,,unknown,\"?the GPU h200 has no units for data type nvfp4" out &&
    grep -qE "^gemm,h200,bf16,.*,inside,$" out'
run gpu time --csv new.csv
check "without any there is no such column" eval '! grep -q why_unknown out'
sed 2d some.csv > none_runs.csv
expect 1 'none_runs.csv: line 2: the GPU h200 has no units' gpu time --csv none_runs.csv

# rows of one GPU in several spellings are one network; rows of others are counted
printf '%s\n' op,m,n,k,dtype,gpu gemm,128,8192,8192,bf16,h100 gemm,128,8192,8192,fp8,h100 \
    gemm,1,64,64,fp8,b200 > same.csv
sed '3s/h100/NVIDIA H100 80GB HBM3/' same.csv > spelt.csv
"$sooth" gpu network same.csv --gpu h100 > named 2> err
check "a row of another GPU is left out" \
    grep -q '^same.csv: 1 row of other GPUs left out of the times on h100' err
run gpu network spelt.csv --gpu h100
check "two spellings of a GPU are one" cmp -s out named
run gpu network spelt.csv --gpu b200 --json
"$sooth" gpu time --op gemm --shape 1,64,64 --dtype fp8 --gpu b200 --json > one.json
check "another GPU has its own rows" eval 'near "$(json ms)" "$(cp one.json out; json ms)" 1e-6 &&
    grep -q "2 rows of other GPUs left out of the times on b200" err'
run gpu network spelt.csv
check "each GPU once" grep -qE '^ +ms \(90 %\) +h100 +b200$' out

# a name that leaves the board open
run gpu time --op gemm --shape 64,4096,4096 --dtype bf16 --gpu "A100 80GB"
check "the board that was taken is named" grep -q '^A100 80GB is taken as a100-80gb, the board on PCIe' err
run gpu time --op gemm --shape 64,4096,4096 --dtype bf16 --gpu a100-80gb,"NVIDIA A100 80GB PCIe"
check "a full name is not" [ ! -s err ]
expect 2 'there is no GPU called h201; did you mean h200?; there are k20, m60, p4, p100, p100-pcie, ' \
    gpu time --op gemm --shape 64,4096,4096 --dtype bf16 --gpu h201

# no lower end below the roof: 2 x 8192^3 operations at 165.2 TFLOPS; 128 tokens of a step of at least 9 ms
"$sooth" gpu time --op gemm --shape 8192,8192,8192 --dtype bf16 --gpu rtx4090 --json > out
check "a low end is not below the roof" near "$(json low_ms)" 6.6556 1e-3
check "the sizes as they were understood" eval '[ "$(json m)" = 8192 ] && grep -q "\"shape\": {" out'
expect 0 'conv, fp32: b 32, m 3, n 224, k 224 (b groups of channels; m images' \
    gpu time --op conv --shape 32,3,224,224 --gpu h100
expect 0 'linear, fp32: b 1, m 7, n 8, k 9 (b products of m x n by n x k)' \
    gpu time --op linear --shape 7,8,9 --gpu h100
expect 0 'add, fp32: b 7, k 8 (b rows of k elements)' gpu time --op add --shape 7,8 --gpu h100

# which to measure: rows of the candidates as they are, none twice, none that was measured
awk -F, -v OFS=, 'NR == 1 { print "op,gpu,dtype,m,n,k,note"; next }
    { print $1, $2, $3, $4, $5, $6, "row " NR }' few.csv > candidates.csv
run gpu time --csv candidates.csv --next 3 -o next.csv
check "three of the candidates" eval '[ $rc -eq 0 ] && [ "$(wc -l < next.csv)" -eq 4 ] &&
    [ "$(sort -u next.csv | grep -cFx -f - candidates.csv)" -eq 4 ] && grep -q "3 operators to" err'
awk -F, -v OFS=, 'NR == 1 { print "op,gpu,dtype,m,n,k,ms"; next } { $7 = 0.1; print }' next.csv > measured.csv
run gpu time --csv candidates.csv --next 8 --measured measured.csv -o rest.csv
check "then the others, and no more" eval '[ $rc -eq 0 ] && [ "$(wc -l < rest.csv)" -eq 6 ] &&
    ! sed 1d next.csv | grep -qFx -f - rest.csv && grep -q "all others were measured" err'
cut -d , -f 1,3- candidates.csv > anywhere.csv
run gpu time --csv anywhere.csv --next 3 --gpu gb300
check "on another GPU, by --gpu" grep -q 'to measure on gb300' err
printf 'op,gpu,b,k\nadd,h100,4096,1024\nadd,h100,64,64\nln,h100,4096,1024\n' > others.csv
run gpu time --csv others.csv --next 2
check "of other operators, too" eval '[ $rc -eq 0 ] && [ "$(grep -cFx -f others.csv out)" -eq 3 ]'
expect 2 '--next chooses for one GPU, but new.csv names 2' gpu time --csv new.csv --next 1
expect 2 '--next chooses rows of a table' \
    gpu time --op gemm --shape 1,2,3 --dtype bf16 --gpu h200 --next 1
cut -d , -f 1,3- with_b.csv > mixed.csv
expect 1 'operators of language models and others' gpu time --csv mixed.csv --gpu b200 --next 1
expect 2 '--next is 0' gpu time --csv candidates.csv --next 0

# ---- a step of a language model

batch=decode=64,context=2048,tp=4
run gpu network --model llama-3.1-70b --batch $batch --gpu h200,b200
check "a column for each GPU" grep -qE '^ +ms \(90 %\) +runs +h200 +b200$' out
check "a line for each operator, as often as there are layers" \
    [ "$(grep -cE '^ +(qkv|decode|output|gate-up|down) +80 ' out)" -eq 5 ]
check "the vocabulary once" grep -qE '^ +vocabulary +1 ' out
check "parameters, and their source" \
    grep -qF '70.6 billion parameters, of which a token meets 69.5 billion; numbers: huggingface.co/meta' out
check "joules of all GPUs" grep -qE '^ +J, all GPUs +[0-9]+' out
check "what is not counted" grep -q 'Not counted: norms' out
run gpu network --model llama-3.1-70b --batch $batch --gpu h200 -o step.csv --json
cp out step.json
check "the operators as a table" [ "$(wc -l < step.csv)" -eq 7 ]
"$sooth" gpu time --csv step.csv --gpu h200 2> err > each.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) col[$i] = i; next }
    { sum += $col["count"] * $col["predicted_ms"] } END { printf "%.9g\n", sum }' each.csv > sum
check "their times, each so often, are the sum" near "$(cat sum)" "$(json ms)" 1e-5
check "64 new tokens in that time" near "$(json new_tokens_per_second)" "64000 / $(json ms)" 1e-5
"$sooth" gpu network step.csv --gpu h200 --json > out
check "as a network it is the same" eval 'near "$(json ms)" "$(cat sum)" 1e-5 &&
    near "$(json low_ms)" "$(sed -n "s/^ *\"low_ms\": \([^,]*\),*$/\1/p" step.json | head -n 1)" 1e-5'
check "joules are watts times time, of four GPUs" near "$(cp step.json out; json joules)" "$(awk -F '[:,]' '
    /"parts"/ { parts = 1 } parts && /"ms"/ { ms = $2 } parts && /"watts"/ { sum += ms * $2 }
    END { printf "%.9g", 4e-3 * sum }' step.json)" 1e-5
check "weights of a quarter of 141 GB" near "$(cp step.json out; json weight_bytes)" 141.1e9/4 1e-3
run gpu network --model deepseek-v3 --batch decode=32,context=1000,ep=32,dtype=fp8-block --gpu b200 --json
check "32 GPUs with a batch each" near "$(json new_tokens_per_second)" "32 * 32000 / $(json ms)" 1e-5
check "DeepSeek's attention is latent" grep -q '"op": "mla-decode"' out
run gpu network --model gpt-oss-120b --batch prefill=2,tokens=3000,decode=16,context=4000 --gpu b200
check "windows alternate" [ "$(grep -cE '^ +(prefill|decode), window 128 +18 ' out)" -eq 2 ]
check "tokens of prompts, too" grep -qE '^ +prompt tokens/s +[0-9.]+ \(at most [0-9.]+\)$' out
expect 0 '; bf16, experts nvfp4, cache fp8;' gpu network --model mixtral-8x7b --gpu b200 \
    --batch decode=1,context=1,dtype=bf16,expert_dtype=nvfp4,cache_dtype=fp8
# more tokens than at most do not come: the shortest time of the interval
run gpu network --model llama-3.1-70b --batch $batch,prefill=2,tokens=100 --gpu h200 --json
check "at most is of the shortest time" eval '
    near "$(json most_new_tokens_per_second)" "66000 / $(json low_ms)" 1e-5 &&
    near "$(json most_prompt_tokens_per_second)" "200000 / $(json low_ms)" 1e-5 &&
    near "$(json prompt_tokens_per_second)" "200000 / $(json ms)" 1e-5'

# the example of examples/README.md is what the command prints
sed -n '/^    \$ sooth gpu network --model llama-3.1-8b/,/^$/s/^    //p' "$root/examples/README.md" > page
set -- $(sed -n '1s/^\$ sooth //p' page)
"$sooth" "$@" > out
check "each line of the README is printed" eval '[ "$(wc -l < page)" -eq 14 ] &&
    sed "1d; /^  \.\.\.$/d" page | while IFS= read -r line; do grep -qxF -e "$line" out || exit 1; done'

# the memory of the boards: 141.1 GB of weights and 43 GB of cache
big="gpu network --model llama-3.1-70b --batch decode=64,context=2048"
expect 0 'h200: does not fit: 171 of 141 GiB' $big --gpu h200,b300
check "a larger board holds it" eval '! grep -q "^b300: does" out'
run $big --gpu h200,b300,v100 --json
check "JSON says so" eval '[ "$(grep -c "\"memory\": \"does not fit: 171 of 141 GiB\"" out)" -eq 1 ] &&
    near "$(json needed_gb)" "1e-9 * ($(json weight_bytes) + $(json cache_bytes))" 1e-6 &&
    [ "$(json memory_gb)" = 141 ] && [ "$(json memory_bytes)" = 151397597184 ]'
printf 'name = odd\nlike = h200\nmemory_gb = 0\n' > odd.gpu
expect 0 'odd: 171 GiB of a memory whose size is not known' $big --gpu odd.gpu
expect 2 'the GPU v100-pcie has no units for data type bf16' $big --gpu v100
expect 0 'memory_gb = 80' gpu h100
printf 'name = big\nlike = h200\nmemory_gb = 190\n' > big.gpu
run $big --gpu big.gpu
check "a described board has its own" eval '[ $rc -eq 0 ] && ! grep -q "does not fit" out'

# 24.65e9 bytes are 22.96 GiB, and the driver of an RTX 4090 reports 24,564 MiB
run gpu network --model llama-3.1-8b --batch decode=32,context=2048 --gpu rtx4090
check "a board that is full is not too small" eval '[ $rc -eq 0 ] && ! grep -q "does not fit" out &&
    grep -qx "each GPU holds 15.0 GiB of weights and 8.00 GiB of cache" out'

# types: what is assumed, and what is published
assumed='no dtype is given, so bf16 is assumed'
run gpu network --model llama-3.1-8b --batch decode=1,context=1 --gpu h200
check "BF16 is assumed" grep -qx "$assumed" out
expect 0 "$assumed; the published weights are FP8 with a scale for each 128 x 128: dtype=fp8-block" \
    gpu network --model deepseek-v3 --batch decode=1,context=1 --gpu h200
expect 0 "$assumed; the published weights are MXFP4 in the experts" \
    gpu network --model openai/GPT-OSS-20b --batch decode=1,context=1 --gpu b200
for types in dtype=bf16 expert_dtype=nvfp4; do
    run gpu network --model gpt-oss-20b --batch decode=1,context=1,$types --gpu b200
    check "nothing is assumed with $types" eval '[ $rc -eq 0 ] && ! grep -q assumed out'
done
run gpu network --model llama-3.1-8b --batch decode=1,context=1,dtype=fp8 --gpu h200
mv out in_batch
run gpu network --model llama-3.1-8b --batch decode=1,context=1 --dtype fp8 --gpu h200
check "--dtype is that of the batch" cmp -s out in_batch
expect 2 'dtype and dtype of --batch are both given' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,dtype=fp8 --dtype fp8 --gpu h200

# a GPU that lacks the type is unknown; the others have their times
fp4="--batch decode=8,context=100,dtype=nvfp4"
run gpu network --model llama-3.1-8b $fp4 --gpu b200
sed -n 's/^ *all operators *//p' out > alone
run gpu network --model llama-3.1-8b $fp4 --gpu h200,b200 --page unknown.html
check "of several GPUs one may be unknown" eval '[ $rc -eq 0 ] &&
    [ "$(sed -n "s/^ *all operators *unknown *//p" out)" = "$(cat alone)" ] &&
    grep -q "^h200: unknown: qkv: the GPU h200 has no units for data type nvfp4" out'
check "its page says why" grep -q 'class="lead">h200: unknown: qkv: the GPU h200 has no units' unknown.html
expect 0 '"unknown": "qkv: the GPU h200' gpu network --model llama-3.1-8b $fp4 --gpu h200,b200 --json
expect 2 'h200: qkv: the GPU h200 has no units' gpu network --model llama-3.1-8b $fp4 --gpu h200
run gpu time --op gemm --shape 64,4096,4096 --dtype nvfp4 --gpu h200,b200
check "one operator, too" eval '[ $rc -eq 0 ] && grep -qE "^ +h200 +unknown" out && grep -qE "b200 +0" out'
expect 1 'the GPU h200 has no units' gpu time --op gemm --shape 64,4096,4096 --dtype nvfp4 --gpu h200

# what was not learned stands in the first lines of a page and in the table
run gpu network --model deepseek-v3 --batch decode=8,context=100,tp=8,ep=8 --gpu gb300,b60 --page far.html
check "watts that were not learned" grep -qE '^ +watts not as learned +100 % +100 %$' out
check "so does the page" eval 'grep "class=\"lead\">b60" far.html > lead &&
    grep -qE " J on all GPUs \([0-9.]+ to [0-9.]+\)" lead &&
    grep -q "100 % of the time is not as learned" lead &&
    grep -q "The watts of 100 % of the joules are not as learned" lead'
run gpu network --model deepseek-v3 --batch prefill=1,tokens=64,decode=8,context=100 \
    --gpu a100-80gb-sxm,rtx-pro-6000 --page long.html
check "labels are whole" eval '! grep -q "…" long.html far.html && grep -q ">absorbed-values<" long.html &&
    grep -q ">a100-80gb-sxm<" long.html && ! grep -q "values that are not finite" long.html'

# names: as published, in any case; all of them are in the help and in the book
"$sooth" gpu network --model llama-3.1-8b --batch decode=8,context=100 --gpu h200 > named
for name in meta-llama/Llama-3.1-8B META-LLAMA/LLAMA-3.1-8b Llama-3.1-8B \
    huggingface.co/meta-llama/Llama-3.1-8B; do
    run gpu network --model $name --batch decode=8,context=100 --gpu h200
    check "$name" cmp -s out named
done
expect 2 'no language model called llama-3.1-7b; did you mean llama-3.1-8b?; known are llama-3.1-8b, ' \
    gpu network --model llama-3.1-7b --batch decode=1,context=1 --gpu h200
tr ' ' '\n' < err | sed -n '/^known$/,/^or$/s/[,;]$//p' > models
"$sooth" help gpu > help
check "22 models, in the help and the book" eval '[ "$(wc -l < models)" -eq 22 ] &&
    for name in $(cat models); do
        grep -qF "$name" help && grep -qF "$name" "$root/examples/book/language.md" || exit 1; done'

# a model by its numbers is the one of that name
numbers=layers=32,hidden=4096,heads=32,kv_heads=8,head_dim=128,inter=14336,vocabulary=128256
run gpu network --model $numbers --batch decode=8,context=100 -o numbers.csv
run gpu network --model llama-3.1-8b --batch decode=8,context=100 -o named.csv
same numbers.csv named.csv "a model by its numbers"
run gpu network --model llama-3.1-8b,layers=64 --batch decode=8,context=100 -o - --force
check "a known one, changed" eval 'grep -q "^qkv,gemm,bf16,64," out'

expect 2 'no language model called llama-9; known are llama-3.1-8b' \
    gpu network --model llama-9 --batch decode=1,context=1 --gpu h200
expect 2 '--model: there is no option layer' gpu network --model layer=3 --batch decode=1,context=1 --gpu h200
expect 2 '--model has 7, but must be name=value' \
    gpu network --model llama-3.1-8b,7 --batch decode=1,context=1 --gpu h200
expect 2 'hidden is missing' gpu network --model layers=3 --batch decode=1,context=1 --gpu h200
expect 2 '--model needs a --batch' gpu network --model llama-3.1-8b --gpu h200
expect 2 '--batch has no tpp; did you mean tp?; it has prefill, tokens, decode, context, tp, ep, skew, dt' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,tpp=2 --gpu h200
expect 2 '--batch: tp is 0, but must be 1 or more' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,tp=0 --gpu h200
expect 2 '--batch is given twice' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1 --batch decode=2 --gpu h200
expect 2 '--batch has decode twice' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,decode=2 --gpu h200
expect 2 'skew is 5, but must be between 0 and 4' \
    gpu network --model mixtral-8x7b --batch decode=1,context=1,skew=5 --gpu h200
expect 2 'context is 0' gpu network --model llama-3.1-8b --batch decode=1 --gpu h200
expect 2 'heads is 32, but must be divisible by tp' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,tp=5 --gpu h200
expect 2 'unknown data type fp7' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,dtype=fp7 --gpu h200
expect 2 'dtype is fp32, but language models run in fp16' \
    gpu network --model llama-3.1-8b --batch decode=1,context=1,dtype=fp32 --gpu h200
expect 2 'takes the place of a table' gpu network step.csv --model llama-3.1-8b --batch decode=1,context=1
expect 2 'choose the GPUs with --gpu' gpu network --model llama-3.1-8b --batch decode=1,context=1
expect 2 'or a language model, with --model' gpu network --gpu h200
printf 'kernels,count\ngemm:1:2:3:4,1\n' > bad.csv
expect 1 'bad.csv: line 2: kernels has gemm, but its sizes and data type need columns' \
    gpu network bad.csv --gpu h200

echo "language: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
