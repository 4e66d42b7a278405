#!/bin/sh
# Black-box tests of columns that floats merge: seconds since 1970, milliseconds, dates as numbers, ids at
# 2^53 and 2^63, bytes, targets near 10^9. Counts and predictions are by hand; a model of such a column
# predicts what the model of the column minus its zero predicts.
# Ends with "digits: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh

lacks() { if cat out err | grep -qF -e "$1"; then fail "it prints \"$1\""; else ok; fi; }

# column FIRST LEADING STEP: 24 numbers whose last digits are FIRST, FIRST + STEP, ... after the LEADING ones
column() {
    awk -v first="$1" -v lead="$2" -v step="$3" 'BEGIN {
        for (i = 0; i < 24; ++i) printf "%s%0*d\n", lead, length(first), first + step * i
    }'
}
targets() { awk 'BEGIN { for (i = 0; i < 24; ++i) print i < 7 ? 3 : i < 12 ? 9 : i < 18 ? 4 : 7 }'; }
{ echo y; targets; } > y

# kind FIRST LEADING STEP FLOATS ZERO: floats that remain of 24 numbers, and what the column counts from
kind() {
    kind=$1 first=$2 lead=$3 step=$4 floats=$5 zero=$6
    { echo start; column "$first" "$lead" "$step"; } | paste -d, - y > "$kind.csv"
    expect 0 "centred     start: 24 different values would be $floats as floats, so it counts from $zero" \
        fit "$kind.csv" --target y --model tree --folds 0 -o "$kind.sooth"
    lacks constant
    lacks repeated
    expect 0 "counts from $zero: start" predict "$kind.sooth" "$kind.csv" -o predicted.csv --force
    cut -d, -f3 predicted.csv | tail -n +2 > got
    targets > want
    check "$kind: no two rows are merged" cmp -s want got
}
kind seconds 000 1700000 1 1 1700000000
kind milliseconds 000 1700000000 1 1 1700000038912
kind date 08 202601 1 13 20260120
kind bytes 000000 1000000 4096 2 1000000061440
kind id53 0980 900719925474 1 1 9007199254740992
kind id63 000 9223372036854775 1 1 9223372036854775808

# the column minus its zero, by hand: the same model, and the same predictions to the last digit
{ echo start; column 000 1700000 1 | awk '{ print substr($0, 8) + 0 }'; } | paste -d, - y > by_hand.csv
for model in tree forest boost linear mlp svr gauss sofnn; do
    set -- --target y --model $model --interval 0.9 --folds 0 --force
    "$sooth" fit by_hand.csv "$@" -o hand.sooth > out 2>&1
    "$sooth" fit seconds.csv "$@" -o far.sooth > out 2>&1
    "$sooth" predict hand.sooth by_hand.csv 2> err | cut -d, -f2- > hand
    "$sooth" predict far.sooth seconds.csv 2> err | cut -d, -f2- > far
    check "$model: predictions of the centred table" cmp -s hand far
    check "$model: there are predictions" test "$(wc -l < far)" -eq 25
done
{ echo start; echo 1700000006; echo 1700000007; } > new.csv
"$sooth" predict seconds.sooth new.csv 2> err | cut -d, -f2 | tail -n +2 | tr '\n' ' ' > got
check 'one second apart' test "$(cat got)" = '3 9 '

# a target near 10^9
{ echo x,y; targets | awk '{ print NR "," $1 + 1000000000 }'; } > target.csv
expect 0 'centred     y: 4 different values would be 1 as floats, so it counts from 1000000000' \
    fit target.csv --target y --model tree -o target.sooth
expect 0 'R2 1.000, RMSE 0, MAE 0, MAPE 0 %' predict target.sooth target.csv -o predicted.csv --force
cut -d, -f2 target.csv > a
cut -d, -f3 predicted.csv | sed 1s/predicted_// > b
check 'predictions have the digits of both' cmp -s a b
awk -F, 'NR == 1 || NR % 2' target.csv > learn.csv
{ echo x,y; targets | awk '{ print NR "," $1 }'; } > low.csv
awk -F, 'NR == 1 || NR % 2' low.csv > low_learn.csv
"$sooth" fit learn.csv --target y --model linear --interval 0.8 --folds 0 -o a.sooth > out
"$sooth" fit low_learn.csv --target y --model linear --folds 0 --interval 0.8 -o b.sooth > out
"$sooth" predict a.sooth target.csv --json > a 2> err
r2=$("$sooth" predict b.sooth low.csv --json 2> err | sed -n 's/.*"R2": //p' | cut -c1-8)
check 'R2 of the centred table' grep -q "\"R2\": $r2" a
# ends MODEL FILE COLUMN ZERO: the ends of the intervals, from zero
ends() {
    "$sooth" predict "$1" "$2" 2> err | awk -F, -v name="$3" -v zero="$4" '
        NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) k = i; next }
        { printf "%.4f\n", $k - zero }'
}
for what in low_y high_y; do
    ends a.sooth target.csv $what 1000000000 > a
    ends b.sooth low.csv $what 0 > b
    awk '{ getline other < "b"; d = $1 - other; if (d < 0) d = -d; if (d > 1e-4 && other > 0) bad = 1 }
        END { exit bad }' a
    check "$what" test $? -eq 0
done
# MAPE is of the numbers themselves: every prediction is wrong by at most 6 of 10^9
expect 0 'e-0' validate target.csv --target y --model tree,linear

# every kind: a target near 10^9 or 10^10 is predicted as the same numbers near 0
moved() { awk -F, -v by="$1" 'NR > 1 { $3 = sprintf("%.0f", $3 + by) } { print $1 "," $2 "," $3 }' "$2"; }
awk 'BEGIN { print "x,z,y"
    for (i = 0; i < 100; ++i) print i "," i * 7 % 11 "," i * 3 + i * 7 % 11 * (i % 4) }' > few.csv
for zero in 1000000000 10000000000; do
    moved $zero few.csv > many.csv
    for model in best tree forest boost linear mlp svr gauss sofnn; do
        set -- --target y --model $model --folds 0 --force
        expect 0 'centred     y: 78' fit many.csv "$@" -o many.sooth
        counts=$(sed -n 's/.*so it counts from //p' out)
        moved "-$counts" many.csv > less.csv
        "$sooth" fit less.csv "$@" -o hand.sooth > out 2>&1
        for file in hand many; do
            table=many.csv
            test $file = many || table=less.csv
            "$sooth" predict $file.sooth $table 2> err | cut -d, -f4 > $file
        done
        check "$model: a target near $zero" awk -v zero="$counts" '
            { getline far < "many"; d = far - zero - $1; if (d < 0) d = -d; if (NR > 1 && d > 2e-5) bad = 1 }
            END { exit bad || NR != 101 }' hand
    done
done
# best alone keeps the numbers themselves if they span more than a quarter of their size, since its errors are
# relative then, and if it is asked for relative errors
awk 'BEGIN { print "x,y"
    for (i = 0; i < 40; ++i) print i "," (i < 20 ? 1000000000 + i : 5 * 2 ^ i) }' > span.csv
expect 0 'centred     y: 40' fit span.csv --target y --model tree --folds 0 -o span.sooth
expect 0 'merged      y: 40' fit span.csv --target y --set effort=low -o span.sooth --force
check 'relative errors' grep -q 'MAPE, held out' out
lacks centred
expect 1 'values of y are one as floats' fit many.csv --target y --model best --by mre -o span.sooth --force

# where the numbers themselves are needed, nothing is subtracted, and the line has the cure
expect 0 'merged      start: 24 different values are 1 as floats; subtract 1700000000' \
    fit seconds.csv --model tree --target y -x log --folds 0 -o log.sooth
lacks constant
check 'rows repeat as floats' grep -q 'repeated    23 rows with all features of an earlier row, as floats' out
expect 1 'the 4 different values of y are one as floats; subtract a number near 1000000000 from them' \
    fit target.csv --target y -x log-target --folds 0 -o log.sooth --force
expect 0 'start: 24 different values are 1 as floats' \
    fit seconds.csv --target y --budget flash=8K,ram=512 --for cortex-m0 -o small.sooth
expect 0 'merged      start: 24 different values are 1 as floats; subtract 1700000000' \
    fit seconds.csv --target y --model linear --memory 100M --folds 0 -o large.sooth
check 'without --memory it is centred' grep -q '^  not centred 1 column: --memory subtracts nothing' out
expect 1 'the different values of y are one as floats; subtract a number near 1000000000 from them' \
    fit target.csv --target y --model linear --memory 100M -o large.sooth --force

# outliers, such as the 0, -1 or 4294967295 of a job that never started, do not hide the others: the zero is
# near most values, and all rows are predicted as their own
# outlier NAME VALUE...: 24 seconds from 1769000000 on, then these values; each row has another target
outlier() {
    log=$1; shift
    { echo start,y; awk 'BEGIN { for (i = 0; i < 24; ++i) print 1769000000 + i "," i * 7 % 25 }'
        target=30; for value; do echo "$value,$target"; target=$((target + 5)); done; } > "$log.csv"
    expect 0 'centred     start: ' \
        fit "$log.csv" --model tree --target y --set min_samples_leaf=1 --folds 0 -o "$log.sooth"
    for word in constant merged; do lacks $word; done
    "$sooth" predict "$log.sooth" "$log.csv" 2> err | awk -F, 'NR > 1 && NR < 26 { print $3 }' > got
    awk -F, 'NR > 1 && NR < 26 { print $2 }' "$log.csv" > want
    same got want "$log: no two seconds are merged"
}
outlier never 0
outlier minus -1
outlier both 0 -1
check 'which the zero draws together' grep -q 'so it counts from 1769000064, which keeps 25' out
check 'a row' grep -q 'repeated    1 row with all features of an earlier row, as floats' out
outlier ceiling 4294967295
outlier farther 99999999999999
outlier earlier 1500000000
outlier infinite_late 1.8e19 -2147483648
# of 60 rows, more than half have no start; and no row has one at the right end of the range
{ echo start,y
    awk 'BEGIN { for (i = 0; i < 60; ++i) print (i % 5 < 3 ? -1 : 1769000000 + i) "," i }'; } > most.csv
expect 0 'centred     start: 25 different values would be 2 as floats' \
    fit most.csv --model tree --target y --folds 0 -o most.sooth
# ids near 2^63 and a 0; hours since 1970 in numbers that are not integers
{ echo id,y
    awk 'BEGIN { print "0,1"; for (i = 100; i < 130; ++i) print "9223372036854775" i "," i % 7 }'; } > id.csv
expect 0 'centred     id: 31 different values would be 2 as floats' \
    fit id.csv --model tree --target y --folds 0 -o id.sooth
{ echo t,y; awk 'BEGIN { print "0.5,1"
    for (i = 0; i < 60; ++i) printf "%.5f,%d\n", 473000 + i / 3600, i % 7 }'; } > hours.csv
expect 0 'centred     t: 61 different values would be' \
    fit hours.csv -m tree --target y --folds 0 -o hours.sooth
# the other commands, and what subtracts nothing
expect 0 'centred     start: 25 different values would be 3 as floats' correlate never.csv --target y
expect 0 'centred     start: 25 different values would be 3 as floats' validate never.csv --target y -m tree
expect 0 'never.csv: 25 different values of start are 3 as floats; subtract a number near them' \
    cluster never.csv
expect 0 'merged      start: 25 different values are 3 as floats; subtract 17690000' \
    fit never.csv --model tree --target y -x log --folds 0 -o log.sooth --force
expect 0 'merged      start: 25 different values are 3 as floats; subtract 17690000' \
    fit never.csv --target y --model linear --memory 10M -o large.sooth --force
check 'how to centre it' grep -q 'not centred 1 column' out
{ echo start,y; targets | awk '{ print NR "," $1 }'; } > plain.csv
"$sooth" fit plain.csv --target y --model tree --folds 0 -o plain.sooth --force > out
expect 0 'never.csv: 25 different values of start are 3 as floats; to keep them apart, subtract one' \
    predict plain.sooth never.csv

# bytes at three sizes: no number separates them, and the line says so; the rows repeat as floats only
awk 'BEGIN { print "bytes,y"
    for (i = 0; i < 300; ++i) printf "%.0f,%d\n", 2 ^ (33 + i % 3) + i, i % 11 }' > bytes3.csv
apart='300 different values are 3 as floats; no number to subtract keeps them apart, so split the column'
for flags in '--model tree --folds 0' '--folds 0 -x log' '--model linear --memory 10M'; do
    # shellcheck disable=SC2086 # words of a command
    expect 0 "merged      bytes: $apart" fit bytes3.csv --target y $flags -o bytes3.sooth --force
    lacks centred
done
expect 0 "merged      bytes: $apart" correlate bytes3.csv --target y
check 'equal as floats' grep -q 'repeated    297 rows with all features of an earlier row, as floats' out
expect 0 'no number to subtract keeps them apart' predict bytes3.sooth bytes3.csv
expect 0 'no number to subtract keeps them apart' cluster bytes3.csv
# sums of bytes that are all over the place lose less than one value in a hundred: no line, but rows that are
# equal as floats are not called equal
awk 'BEGIN { srand(3); print "bytes,y"
    for (i = 0; i < 3000; ++i) printf "%.0f,%d\n", 1e9 + 1e9 * i, i % 11
    print "500000000001,3"; print "500000000002,4" }' > wide.csv
expect 0 'repeated    2 rows with all features of an earlier row, as floats' \
    fit wide.csv --model tree --target y --folds 0 -o wide.sooth
lacks merged
lacks centred
# integers that floats hold are no matter: sizes in bytes that are powers of two, many rows each
awk 'BEGIN { print "bytes,y"
    for (i = 0; i < 300; ++i) printf "%.0f,%d\n", 2 ^ (20 + i % 15), i % 11 }' > powers.csv
expect 0 'from 1 feature' fit powers.csv --model tree --target y --folds 0 -o powers.sooth
lacks merged
lacks centred

# readers: those that subtract, and those that refuse
expect 0 'counts from 1700000000: start' describe seconds.sooth
expect 0 '"counts_from": [0, 1000000000]' describe target.sooth --json
expect 0 'counts from 1700000000: start' explain seconds.sooth seconds.csv
check 'permutation sees the column' awk '$1 == "start" { exit !($4 > 1) }' out
expect 0 'counts from 1000000000: y' explain target.sooth target.csv
for refused in 'export seconds.sooth --to c -o x.c' 'describe seconds.sooth --for cortex-m0'; do
    # shellcheck disable=SC2086 # words of a command
    expect 1 'counts start from 1700000000, and this command cannot' $refused
done
# programs of jobs that start within two hours: adapting is that of the centred table
awk -v zero=0 'BEGIN { print "program,start,size,y"
    for (i = 0; i < 96; ++i) { p = i % 12; t = (i * 41) % 96
        printf "p%d,%d,%d,%.4f\n", p, zero + t, 1 + i % 5, (1 + i % 5) * (10 + p) + t / 9 } }' > near.csv
awk -F, 'NR == 1 { print; next } { printf "%s,%d,%s,%s\n", $1, $2 + 1700000000, $3, $4 }' near.csv > far.csv
{ head -1 near.csv; echo p99,50,2,40; echo p99,60,3,66; } > near_measured.csv
{ head -1 near.csv; echo p99,1700000050,2,40; echo p99,1700000060,3,66; } > far_measured.csv
for where in near far; do
    "$sooth" fit $where.csv --target y --group program --model tree --interval 0.8 --folds 0 \
        -o ${where}_adapts.sooth > out 2>&1
    "$sooth" adapt ${where}_adapts.sooth ${where}_measured.csv $where.csv 2> err | cut -d, -f3- > $where
    "$sooth" next ${where}_adapts.sooth $where.csv --measured ${where}_measured.csv --count 3 2> err |
        sed 's/,17000000*/,/g' > $where.next
done
check 'next chooses as from the centred table' cmp -s near.next far.next
check 'next chooses' test -s far.next
check 'there are corrections' test "$(wc -l < far)" -eq 97
check 'adapt as to the centred table' cmp -s near far
awk -F, 'NR == 1 { print; next }
    { printf "%s,%s,%s,%.4f\n", $1, $2, $3, $4 + 1000000000 }' near.csv > high.csv
expect 0 'does not adapt to a new program: y does not count from 0' \
    fit high.csv -m tree --target y --group program \
    --interval 0.8 --folds 0 -o target_adapts.sooth
expect 1 'counts y from 1000000064, and this command cannot' adapt target_adapts.sooth far.csv far.csv

# explain shows such a column from its zero, and others as they are
awk -F, 'NR == 1 { print $0 ",a"; next } { print $0 "," NR % 4 }' seconds.csv > two.csv
awk -F, 'NR == 1 { print $0 ",a"; next } { print $0 "," NR % 4 }' by_hand.csv > two_hand.csv
"$sooth" fit two.csv --target y --model tree --folds 0 -o two.sooth > out
"$sooth" fit two_hand.csv --target y --model tree --folds 0 -o two_hand.sooth > out
for column in a start; do
    "$sooth" explain two.sooth two.csv --dependence $column --points 24 --each > far 2> err
    "$sooth" explain two_hand.sooth two_hand.csv --dependence $column --points 24 --each > near 2> err
    awk -F, -v OFS=, -v zero=$([ $column = a ] && echo 0 || echo 1700000000) '
        NR > 1 { $1 = sprintf("%.0f", $1 + zero) } { print }' near > hand
    check "dependence of $column" cmp -s hand far
    check "dependence of $column: there are lines" test "$(wc -l < far)" -gt 4
done
expect 0 'counts from 1700000000: start' explain two.sooth two.csv --page page.html
check 'the axis of the page' grep -q 'start - 1700000000' page.html
expect 0 '1700000002' explain two.sooth two.csv --row 3
expect 0 'counts from' explain two.sooth two.csv --dependence start -o start.svg
check 'the axis of the drawing' grep -q 'start - 1700000000' start.svg
"$sooth" explain id63.sooth id63.csv --dependence start --points 2 2> err | cut -d, -f1 | tr '\n' ' ' > got
check 'ids with all their digits' test "$(cat got)" = 'value 9223372036854775000 9223372036854775023 '
"$sooth" explain target.sooth target.csv --dependence x --points 24 2> err | cut -d, -f2 | tail -n +2 > got
cut -d, -f2 target.csv | tail -n +2 > want
check 'the target from its zero' cmp -s want got
expect 2 '--page needs a target that counts from 0, but y counts from 1000000000' \
    explain target.sooth target.csv --page m.html
expect 0 'y 1000000003' explain target.sooth target.csv --row 3

# an earlier model meets such a file: it says so
"$sooth" fit plain.csv --target y --model tree --folds 0 -o plain.sooth --force > out
lacks centred
expect 0 '24 different values of start are 1 as floats; to keep them apart, subtract one number' \
    predict plain.sooth seconds.csv
expect 0 'outside' predict plain.sooth plain.csv
lacks floats

# ordinary columns stay as they are: their bytes have no zero, and no line is printed
awk 'BEGIN { srand(1); print "year,mhz,kelvin,gigabytes,unit,y"
    for (i = 0; i < 200; ++i) printf "%d,%d,%.3f,%d,%.9f,%d\n", 2000 + i % 25, 1200 + i % 7,
        295 + 10 * rand(), 1e12 * rand(), rand(), i % 9 }' > usual.csv
expect 0 '5 features' fit usual.csv --model tree --target y --folds 0 -o usual.sooth
lacks centred
lacks merged
check 'no zero' sh -c '! grep -q "counts from" out'

# derived columns are columns
{ echo when,y; awk 'BEGIN { for (i = 0; i < 24; ++i) printf "2024-02-29T13:05:%02dZ\n", i }' |
    awk '{ print $1 "," (NR < 8 ? 3 : 9) }'; } > when.csv
expect 0 'centred     when:epoch: 24 different values would be 1 as floats' \
    fit when.csv --model tree --target y --derive when:epoch --folds 0 -o when.sooth
expect 0 'R2 1.000' predict when.sooth when.csv

# with a decimal comma
{ echo 'start;y'; targets | awk '{ printf "1700000000,%02d;%s\n", NR, $1 }'; } > comma.csv
expect 0 'centred     start: 24 different values would be 1 as floats' \
    fit comma.csv --model tree --target y --folds 0 -o comma.sooth
expect 0 'R2 1.000' predict comma.sooth comma.csv

# identifiers: one word of advice, few false alarms
{ echo 'jobid,threads,y'; targets | awk '{ print 99999 + NR "," NR % 5 "," $1 }'; } > job.csv
expect 0 'identifier  jobid is another integer in every row; --drop it' \
    fit job.csv --model tree --target y --folds 0 -o job.sooth
for name in 'job_id' 'JobID' 'Job Id' 'row' 'index' 'run.id'; do
    sed "1s/jobid/$name/" job.csv > named.csv
    expect 0 "identifier  $name is another" fit named.csv -m tree --target y --folds 0 -o job.sooth --force
done
for name in 'width' 'grid' 'threads2' 'voided' 'rows_per_block' 'bandwidth' 'n'; do
    sed "1s/jobid/$name/" job.csv > named.csv
    expect 0 "2 features" fit named.csv --model tree --target y --folds 0 -o job.sooth --force
    lacks identifier
done
awk -F, 'NR == 1 { print "uuid,user,y"; next } { print "u" $1 ",v" $2 "," $3 }' job.csv > named.csv
expect 0 'identifier  uuid is another name in every row' \
    fit named.csv --model tree --target y --categorical uuid,user --folds 0 -o job.sooth --force
check 'and only that' test "$(grep -c identifier out)" = 1
sed '1s/threads/core_id/' job.csv > named.csv # five cores, each in several rows
expect 0 'identifier  jobid' fit named.csv --model tree --target y --folds 0 -o job.sooth --force
lacks core_id

echo "digits: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
