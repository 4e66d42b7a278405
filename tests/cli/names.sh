#!/bin/sh
# Black-box tests of cells that are names: groups, categories, programs and runs are the texts of their cells,
# in training, prediction and every other command; and of rows without any value, which stay. The targets of
# each name are constant, so what a name should be predicted as is known by hand.
# Ends with "names: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh

# rows FILE NAME...: thirty rows of each name, whose target is 10, 20, 40, ...
rows() {
    file=$1; shift
    echo lib,x,y > "$file"
    value=5
    for name; do
        value=$((value * 2))
        awk -v name="$name" -v y=$value 'BEGIN {
            for (i = 0; i < 30; ++i) print name "," i * 7 % 30 "," y
        }' >> "$file"
    done
}

# ---- categories

# column NAME...: each name is predicted as it was learned, also where it stands alone in a file
column() {
    rows t.csv "$@"
    for encode in native target ordinal; do
        expect 0 "categories  lib with $# levels" fit t.csv --target y --features x --categorical lib \
            --encode $encode --model boost --folds 0 -o m.sooth --force
        value=5
        for name; do
            value=$((value * 2))
            printf 'lib,x\n%s,3\n' "$name" > q.csv
            run predict m.sooth q.csv
            check "$encode: $name is $value" awk -F, -v want=$value '
                NR == 2 { bad = !($NF == 0 && $(NF - 1) > 0.8 * want && $(NF - 1) < 1.2 * want) }
                END { exit bad }' out
            check "$name is known" sh -c '! grep -q unknown err'
        done
    done
}
column 3.10 3.9 3.1
column 3.10 3.9 3.1 dev
column 007 7 07 70
column 39e1804 12e4567 77e5555
column 864691135341199281 864691135341199282
column 1700000000 1700000001 1700000002
column 16777216 16777217
column -7 7 +7
column 1e3 1000 0x10
column 1.0 1 1.00
column Bfs bfs bFS
column 'a b' a ' "a  b"' é e
column '"1,5"' 1.5
column '10 MB' '10.0 MB' '10 GB'
column 00:10:00 00:10:00.0 1-00:10:00
column ? -- 7
column 2026/03/01 2026-03-01

# a name that was not learned is unknown; a level that is the same number or word is named next to it
rows t.csv 1.0 2.0 auto
run fit t.csv --model tree --target y --features x --categorical lib --folds 0 -o m.sooth --force
printf 'lib,x\n1,3\nAUTO,3\n3,3\n,3\nNA,3\n' > q.csv
expect 0 'unknown     lib 3 (levels unknown to the model)' predict m.sooth q.csv -o p.csv --force
check "the same number" grep -q 'similar     lib has no level 1; it has 1.0$' out
check "as many rows" test "$(wc -l < p.csv)" -eq 6
printf 'lib,x\nAUTO,3\n' > q.csv
expect 0 'lib has no level AUTO; it has auto' predict m.sooth q.csv
# each unknown level with the most similar one: the same text but for the decimal mark, number, word
echo 'lib;x;y' > t.csv
for row in 1 2 3 4 5 6 7 8; do
    for name in 3,1 3,10 2,5 Abc 07 1e3; do echo "$name;$row;$row"; done >> t.csv
done
run fit t.csv --model tree --target y --features x --categorical lib --folds 0 -o n.sooth --force
printf 'lib,x\n3.10,1\n3.1,1\n2.50,1\nabc,1\n7,1\n1000,1\n7.0,1\n3.10,2\n70,3\n' > q.csv
run predict n.sooth q.csv -o p.csv --force
sed -n 's/^  similar     //p' out > similar
cat << END > want
lib has no level 3.10; it has "3,10"
lib has no level 3.1; it has "3,1"
lib has no level 2.50; it has "2,5"
lib has no level abc; it has Abc
lib has no level 7; it has 07
lib has no level 1000; it has 1e3
lib: 1 more
END
check "all similar levels" cmp -s want similar
printf 'x\n1\n' > q.csv
expect 1 'lacks 1 of the 2 columns that m.sooth needs: lib' predict m.sooth q.csv
# numbers stay numbers where the column is a feature: 007 is 7
rows t.csv 007 7 9
run fit t.csv --target y --features lib --model linear --folds 0 -o m.sooth --force
printf 'lib\n7.0\n7\n007\n' > q.csv
run predict m.sooth q.csv
check "one number" test "$(tail -n +2 out | cut -d, -f2 | sort -u | wc -l)" -eq 1

# an empty cell and NA are no levels; the dictionary of a column with a name and a number has both
printf 'lib,x,y\nNA,1,1\n,2,1\nnull,3,1\n7,1,5\n007,2,9\n7,3,5\n' > t.csv
expect 0 'categories  lib with 2 levels' \
    fit t.csv -m tree --target y --categorical lib --folds 0 -o m.sooth --force

# categories by --features under another name, and without a header
rows t.csv 3.10 3.1
run fit t.csv --target y --features x --categorical lib --model tree --folds 0 -o m.sooth --force
printf 'speed,version\n3,3.10\n3,3.1\n' > q.csv
expect 0 'y of 2 rows' predict m.sooth q.csv --features speed,version -o p.csv --force
check "by another name" test "$(tail -n +2 p.csv | cut -d, -f3 | tr '\n' ' ')" = '10 20 '
printf '3,3.10\n3,3.1\n' > q.csv
expect 0 'has no header' predict m.sooth q.csv -o p.csv --force
check "without a header" test "$(cut -d, -f3 p.csv | tr '\n' ' ')" = '10 20 '

# a column of dates becomes a category: the derived cells are names
{ echo when,y; printf '2024-01-0%d,1\n2024-01-0%d,2\n' 1 2 3 4 5 6 7 8; } > t.csv
expect 0 'when:day with 8 levels' \
    fit t.csv -m tree --target y --derive when:day --categorical when:day --folds 0 \
    -o m.sooth --force

# ---- a model of an earlier version, whose levels are floats, and what that version predicted

expect 0 'unknown     lib 1 (' predict "$golden/names_float.sooth" "$golden/names_query.csv" -o p.csv --force
check "levels by number, as before" awk -F, 'NR > 1 && $3 != $4 { bad = 1 } END { exit bad || NR != 9 }' p.csv

# ---- groups

# groups NAME...: as many groups as names
groups() {
    rows t.csv "$@"
    expect 0 "$# groups (lib)" validate t.csv --target y --group lib --features x --model linear
    expect 0 "$# groups" correlate t.csv --target y --group lib --features x
    expect 0 "of $# groups lie in one cluster" cluster t.csv --group lib --features x,y -k 2
    run fit t.csv --target y --group lib --features x --model linear --folds 0 -o m.sooth --force
    run fit t.csv --target y --group lib --features x --model linear --folds 0 --memory 8M -o n.sooth --force
    for model in m n; do
        expect 0 "groups        $#" describe $model.sooth
    done
    sed 's/lib,x,y/lib,a,b/; s/,0,/,30,/' t.csv > times.csv
    expect 0 'a to b' card make times.csv --here a --there b --group lib -o c.card --force
    sed 's/^[^l]/t&/' times.csv > text.csv
    expect 0 'a to b' card make text.csv --here a --there b --group lib -o d.card --force
    same c.card d.card "groups as numbers and as texts"
}
groups 1 2 3 4 5
groups 16777216 16777217 16777218 16777219 16777220
groups 1700000000 1700000001 1700000002 1700000003 1700000004
groups 864691135341199281 864691135341199282 864691135341199283
groups 39e1804 12e4567 88e9012
groups 888E010010 888E050011 001E010015
groups 007 7 07 70 700
groups 1.10 1.1 1.2 1.20 2.0
groups -1 1 +1
groups '10 MB' '10.0 MB' '10 GB'
groups 00:10:00 00:10:00.0
groups ? -- 7

# several columns, where a name in either is the same group: 007, 7, 7.0
printf 'a,b,x,y\n007,7,1,1\n7,7.0,2,3\n7.0,7.0,3,2\n007,,4,5\n' > t.csv
expect 0 '3 groups (a or b)' validate t.csv --target y --group a,b --features x --model linear
# the group is a feature as well: there it is a number
rows t.csv 007 7 9
expect 0 '3 groups (lib)' validate t.csv --target y --group lib --features lib,x --model linear
expect 1 'has no column lob for --group; did you mean lib?' validate t.csv --target y --group lob
expect 2 '--group names the column lib twice' validate t.csv --target y --group lib,lib

# ---- adapt and next

awk 'BEGIN {
    print "job,x,y"
    for (p = 0; p < 12; ++p) for (i = 0; i < 8; ++i) printf "17000000%02d,%d,%g\n", p, i, (p + 2) * (i + 1)
}' > learn.csv
expect 0 '12 programs' fit learn.csv --target y --group job --interval 0.9 --model tree -o a.sooth
printf 'job,x,y\n7,0,50\n7,1,100\n007,0,5\n007,1,10\n7.0,2,300\n' > measured.csv
printf 'job,x\n7,2\n007,2\n,\n7.00,2\n' > new.csv
expect 1 'holds several programs (job 7 and 007): adapt to one at a time' adapt a.sooth measured.csv new.csv
expect 0 'unmeasured  1 row of programs without measurements' \
    adapt a.sooth measured.csv new.csv --group job -o adapted.csv
check "as many rows" test "$(wc -l < adapted.csv)" -eq 5
check "a row without any value is not adapted" grep -q '^,,,,,outside,$' adapted.csv
check "it is told" grep -q 'empty       1 row without any value' out
check "7 is not 007" awk -F, 'NR == 2 { a = $3 } NR == 3 { b = $3 } END { exit !(a > 3 * b) }' adapted.csv
printf 'job,x\n,\n7,2\n7,5\n,\n7,0\n' > candidates.csv
expect 0 '2 launches of 3 candidates' next a.sooth candidates.csv --count 2 -o chosen.csv
check "rows of the file, without those that are empty" \
    awk 'NR > 1 && $1 !~ /^[124]$/ { bad = 1 } END { exit bad }' chosen.csv
expect 2 '--count is 4, but candidates.csv has 3 rows' next a.sooth candidates.csv --count 4

# ---- other tables of names

printf 'program,units,observed\n007,20,2\n7,40,4\n' > now.csv
expect 0 '2 programs on 60 units' allocate now.csv --units 60 -o units.csv
check "their names" grep -q '^007,' units.csv
printf 'name,alone_time\n1.10,4\n1.1,8\n' > cards.csv
printf 'a,b\n1.1,1.10\n,\n1.10,1.1\n' > bags.csv
expect 0 '2 bags of 2 tasks' fairness bags.csv --cards cards.csv --tasks a,b --fields alone_time --count 2 \
    -o v.csv
check "the longest first" test "$(cut -d, -f3,4 v.csv | tr '\n' ' ')" = 'alone_time_1,alone_time_2 8,4 , 8,4 '
check "an empty bag stays" test "$(wc -l < v.csv)" -eq 4
printf 'job,threads,t,p\n007,1,8,1\n007,2,4,2\n007,4,2,4\n7,1,8,5\n7,2,7,6\n7.0,1,9,5\n7.0,2,7,6\n' > tp.csv
scale() { expect "$1" "$2" scale tp.csv --threads threads --time t --power p --group job --program "$3"; }
scale 0 '3 runs' 007
scale 0 '2 runs' 7
scale 1 'has no run of 07' 07

# ---- as many rows out as in

# table NAME ROWS: the rows of table q.csv in every command that adds columns
table() {
    expect 0 'y of' predict rows.sooth q.csv -o o.csv --force
    check "$1: predict" test "$(tail -n +2 o.csv | grep -vc '^y",')" -eq "$2"
    tail -n +2 q.csv > in; tail -n +2 o.csv | sed 's/,[^,]*,[^,]*$//' > back
    same in back "$1: unchanged and in order"
    "$sooth" predict rows.sooth q.csv --json > out 2> err
    check "$1: JSON" test "$(awk '/"outside_features"/ { on = 1; next } on && /]/ { exit }
        on { n += gsub(/[0-9]+/, "") } END { print n }' out)" -eq "$2"
}
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 30; ++i) print i "," i % 3 "," 2 * i + i % 3 }' > t.csv
run fit t.csv --target y --model tree --folds 0 -o rows.sooth
printf 'a,b\n1,2\n,\n3,4\n' > q.csv; table empty 3
expect 0 'empty       1 row without any feature, predicted as if all were missing' predict rows.sooth q.csv
printf 'a,b\n1,2\nNA,NA\n3,4\n' > q.csv; table NA 3
printf 'id,a,b\nx,1,2\ny,,\nz,3,4\n' > q.csv; table "with an id" 3
printf 'a,b\n1,2\n  ,  \n3,4\n' > q.csv; table blanks 3
printf 'a,b\n1,2\n"",""\n3,4\n' > q.csv; table quoted 3
printf 'a,b\n,\n1,2\n,\n,\n' > q.csv; table "at both ends" 4
printf 'id,a,b\n"x\ny",1,2\n"z\nz",,\n' > q.csv
expect 0 'y of 2 rows' predict rows.sooth q.csv -o o.csv --force
printf '\357\273\277"a","b"\n1,2\n3,4\n' > q.csv; table "a byte-order mark" 2
printf 'a , b \n1,2\n3,4\n' > q.csv; table "blanks after names" 2
run fit t.csv --target y --model linear --folds 0 -o line.sooth
printf 'a,b\n1,2\n,\n3,4\n' > q.csv
expect 0 'unpredicted 1 row' predict line.sooth q.csv -o o.csv --force
check "no prediction without a feature" test "$(sed -n 3p o.csv)" = ',,,0'
run fit t.csv --target y --model tree --interval 0.9 --folds 0 -o sure.sooth
expect 0 'empty       1 row' predict sure.sooth q.csv -o o.csv --force
check "it is outside" grep -q '^,,.*,outside,$' o.csv
printf 'time\n1.5\n""\n20.0\nNA\n' > q.csv
printf 'a,b\n1,2\n2,4\n3,6\n' > times.csv
run card make times.csv --here a --there b -o m.card
expect 0 'q.csv: the new cells of 2 rows without any value are empty' \
    card translate m.card q.csv -o o.csv --force
check "card translate" test "$(tr '\n' ' ' < o.csv)" = 'time,time_b,outside 1.5,3,0 "",, 20.0,40,1 NA,, '
printf 'a,b\n1,2\n,\n3,4\n8,9\n9,9\n' > q.csv
expect 0 'q.csv: the new cells of 1 row without any value are empty' cluster q.csv -k 2 -o o.csv --force
check "cluster" test "$(sed -n 3p o.csv) $(wc -l < o.csv)" = ',,, 6'
printf 'op,gpu,b,k\nrelu,V100,64,4096\n,,,\nrelu,V100,64,4096\n' > q.csv
expect 0 'the new cells of 1 row without any value are empty' gpu time --csv q.csv -o o.csv --force
check "gpu time" test "$(wc -l < o.csv)" -eq 4

# ---- words for missing among names: told with the column, the first word and the cure

printf '%s\n' user,x,w,y bob,1,1,2 NA,2,1,3 al,3,1,4 null,4,1,5 -,5,1,6 NaN,6,,5 \
    ,7,1,8 al,8,1,7 bob,9,1,9 > na.csv
word='missing     user: 4 cells like NA in line 3, taken as missing; write another name if it is one'
for flags in '--folds 0' '--folds 0 -m linear --memory 10M'; do
    # shellcheck disable=SC2086 # words of a command
    expect 0 "$word" fit na.csv -t y -f x -g user $flags -o na.sooth --force
    check 'the option, no other' grep -q '^  left out    5 rows without user (--group)$' out
done
expect 0 '"user": 4' fit na.csv --model tree -t y -f x -g user --folds 0 -o na.sooth --force --json
expect 0 'left out    5 rows without user (--group) or w (--weight)' \
    fit na.csv --model tree -t y -f x -g user -w w --folds 0 -o na.sooth --force
expect 0 'left out    1 row without w (--weight)' \
    fit na.csv -m tree -t y -f x -w w --folds 0 -o na.sooth --force
check 'no name is missing' sh -c '! grep -q "another name" out'
for command in "validate na.csv -t y -f x -g user -m tree" "correlate na.csv -t y -f x -g user" \
    "cluster na.csv -f x -g user"; do
    # shellcheck disable=SC2086 # words of a command
    expect 0 "$word" $command
done
expect 0 "$word" fit na.csv --model tree -t y -f x --categorical user --folds 0 -o na.sooth --force
expect 0 "$word" predict na.sooth na.csv -o na_out.csv --force
printf 'user,x\nbob,1\nN/a,2\n' > na_new.csv
expect 0 'user: 1 cell like N/a in line 3' predict na.sooth na_new.csv
printf 'user,x\nbob,1\n,2\nNAN2,2\nnone,3\n' > na_new.csv
expect 0 'user 2 (levels unknown' predict na.sooth na_new.csv
check 'an empty cell is no word' sh -c '! grep -q "another name" err'
run fit na.csv --model tree -t y -f x --folds 0 -o na.sooth --force
check 'columns of text without a role' sh -c '! grep -q "another name" out'
awk 'BEGIN { print "user,x,y"; for (i = 1; i < 13; ++i) for (x = 1; x < 5; ++x)
    print "p" i "," x "," i * x + 3 }' > adapt.csv
run fit adapt.csv --model tree -t y -g user --interval 0.8 --folds 0 -o adapt.sooth --force
printf 'user,x,y\nNA,1,5\nNA,2,9\np1,3,6\n' > measured.csv
expect 0 'user: 2 cells like NA in line 2' adapt adapt.sooth measured.csv adapt.csv -g user
expect 1 'line 2: user is missing; NA, null, nan and - are no names, write others' \
    adapt adapt.sooth adapt.csv measured.csv -g user

# ---- numbers that are names

# cells beyond the floats: the cell and the cures; a hint if two texts are one number
printf 'version,y\n1,3\n3,2\n4,5\n5,5\n"39e1804",5\n' > v.csv
cell='line 6: version is infinite: "39e1804"; empty the cell,'
expect 1 "$cell give --drop version, or keep names with --categorical version" \
    fit v.csv -t y -o v.sooth
expect 1 "$cell or give --drop version" cluster v.csv
expect 1 'line 6: version is infinite: "39e1804"; empty the cell to leave the row out' \
    fit v.csv -t version -f y -o v.sooth
expect 1 'line 6: version is infinite; empty the cell, or give --drop version' \
    fit v.csv -t y -m linear --memory 10M -o v.sooth
expect 0 'categories  version with 5 levels' fit v.csv -m tree -t y --categorical version --folds 0 -o v.sooth
# hint NUMBER NUMBER [SENTENCE]: of a column with these
hint() {
    printf 'x,v,y\n1,%s,2\n2,%s,3\n3,8.55,4\n4,9,5\n' "$1" "$2" > v.csv
    run fit v.csv --model tree -t y --folds 0 -o v.sooth --force
    if [ "$3" ]; then
        told="  hint        v has $3, which are one number; if they are names, give --categorical v"
        check "$1 and $2" grep -qF "$told" out
    else check "no hint for $1 and $2" sh -c '! grep -q hint out'; fi
}
hint 3.10 3.1 '3.1 and 3.10'
hint 007 7 '007 and 7'
hint +7 7 '+7 and 7'
hint 07 007 '007 and 07'
hint -3.10 -3.100 '-3.10 and -3.100'
hint 007 8
hint 1.0 1
hint 0 0.0
hint 0.50 0.51
hint 3.10 -3.1
hint 1e1 10
hint 3.10 3.10
printf 'x,v,y\n1,3.1,2\n2,3.10,3\n3,8.55,4\n4,9,5\n' > v.csv
expect 0 '2 features' fit v.csv --model tree -t y -f x,v --folds 0 -o v.sooth --force
check 'no hint if the features are named' sh -c '! grep -q hint out'
expect 0 'hint        v has' validate v.csv -t y -m tree --folds 2

# ---- a header of numbers

printf '1,10\n2,20\n3,30\n4,50\n' > none.csv
says='none.csv: line 1 is taken as the header, but has only numbers; if it is a row, write a line of names'
for command in 'fit none.csv -t 10 --folds 0 -o none.sooth' 'correlate none.csv -t 10' 'cluster none.csv' \
    'validate none.csv -t 10 -m tree --folds 2' 'fit none.csv -t 10 -m linear --memory 10M -o none2.sooth'; do
    # shellcheck disable=SC2086 # words of a command
    expect 0 "$says" $command
    check 'once' test "$(grep -c 'taken as the header' err)" -eq 1
done
expect 0 "$says" predict none.sooth none.csv
(echo x,y; cat none.csv) > named.csv
expect 0 '' fit named.csv -t y -m linear --folds 0 -o named.sooth
check 'a header of names' test ! -s err
cut -d, -f1 none.csv > one.csv
expect 0 'one.csv has no header' predict named.sooth one.csv
check 'but rows' sh -c 'test "$(wc -l < out)" -eq 4 && ! grep -q "taken as the header" err'

# ---- sooth help tables: each word of the headers, and its commands do what it says

run help tables
tr '\n' ' ' < out > flat
sed -n '/^static const char soothi_csv_mark/,/};/p' "$root/include/sooth/csv/forms.h" | grep -o '"[^"]*"' |
    tr -d '"' > words
sed -n '/is_missing(const char/,/};/p' "$root/include/sooth/csv/forms.h" | grep -o '"[^"]*"' | tr -d '"' |
    sed '/^nan$/d' >> words
check 'there are words' test "$(wc -l < words)" -gt 40
while read -r each; do check "help tables has $each" grep -qiF -e "$each" flat; done < words
printf '%s\n' '# started on Mon' '' 812.5,msec,task-clock,812,100.00,, 5000,,cycles,812,100.00,, \
    '<not counted>,,misses,0,0,,' > run.perf
sed -n '/^  awk -F,/p' out > perf.sh
check 'perf stat -x,' test "$(sh perf.sh | tr '\n' ' ')" = \
    'task-clock,cycles,misses 812.5,5000,<not counted> '
printf 'a,y\n1,2\n3,4\na,y\n5,6\n' > joined.csv
grep "^  awk .*joined" out > joined.sh
sh joined.sh
check 'joined files' test "$(tr '\n' ' ' < table.csv)" = 'a,y 1,2 3,4 5,6 '

echo "names: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
