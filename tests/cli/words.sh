#!/bin/sh
# Black-box tests of what the `sooth` command knows beside models: dates, a demonstration, warnings, how far
# it is, and what the READMEs say to it. Ends with "words: N passed, N failed", as the test programs do.
# SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/command.sh
unset NO_COLOR

says() { if grep -qF -e "$2" "$1"; then ok; else fail "$1 does not say \"$2\""; head -20 "$1"; fi; }

# ---- dates: every instant as Python's datetime has it ----

# Linear models of a feature that is the target find the target only where it is derived aright. The days of
# 2023 at odd hours, in quotes here and there, with CRLF, an empty cell, a row cut short, a blank one.
awk 'BEGIN {
    printf "job,when,size,seconds\r\n"
    split("31 28 31 30 31 30 31 31 30 31 30 31", length_of, " ")
    for (m = 1; m <= 12; ++m) for (d = 1; d <= length_of[m]; d += 2) {
        ++n; h = n * 7 % 24
        when = sprintf("2023-%02d-%02d%s%02d:%02d", m, d, n % 2 ? "T" : " ", h, n * 11 % 60)
        if (n % 3 == 0) when = "\"" when ":30\""
        printf "%s,%s,%d,%d\r\n", n % 5 ? "a" : "\"b, c\"", when, n % 9, 10 + 100 * h
    }
    printf "a,,3,10\r\n\r\na\r\na,NA,1,10\r\n"
}' > dated.csv
learn='dated.csv -t seconds --drop size -m linear --folds 0'
expect 0 'derived     when:hour' fit $learn --derive when:hour --drop-missing -o hour.sooth
says out 'from 1 feature, 186 rows'
says out 'short       1 row with fewer cells than the header, the first in line 190'
expect 0 'seconds is in the file: R2 1.000' predict hour.sooth dated.csv -o told.csv
check "the table is as it was, the cell that is missing too" \
    [ "$(sed -n 188p told.csv | tr -d '\r')" = 'a,,3,10,,0' ]
check "and has as many cells in a short row" [ "$(sed -n 189p told.csv | tr -d '\r')" = 'a,,,,,0' ]
expect 0 'exported code takes it as input: 0 to 23' describe hour.sooth
expect 0 'when:hour: the command derives it from when' export hour.sooth --to c -o hour.c
says hour.c '[0] when:hour, 0 to 23 in training'
grep -E '^job|2023' dated.csv > full.csv
expect 0 'when:hour' explain hour.sooth full.csv --by permutation
expect 0 'derived     when:hour' validate dated.csv -t seconds --drop size --derive when:hour -m tree \
    --repeats 1 --drop-missing
expect 0 'from 4 features' \
    fit $learn --derive 'when:hour-circle,month' --derive when:weekday -o m.sooth \
    --drop-missing
expect 0 'from 2 features' fit dated.csv -t seconds -m tree -f size --derive when:hour -o m.sooth --force
expect 0 'when:weekday with 7 levels' fit dated.csv -t seconds -m tree --derive when:weekday --folds 0 \
    --categorical when:weekday -o m.sooth --force
expect 0 'unseen when:month' fit dated.csv -t seconds -m tree --derive when:month,hour -g when:month \
    -o m.sooth --force --json
rm -f m.sooth
# --memory: the same model, to the byte; and of lines longer than what is read at once
for m in linear boost; do
    [ $m = boost ] && file=dated.csv || file=full.csv
    expect 0 'from 3 features' fit $file -t seconds -m $m --derive when:hour,weekday --folds 0 \
        -o whole.sooth --force
    cp out whole_out
    expect 0 'from 3 features' fit $file -t seconds -m $m --derive when:hour,weekday --memory 40M -o m.sooth \
        --force
    same whole.sooth m.sooth "$m with --memory"
    grep -E '^  (short|missing|left)' whole_out > want; grep -E '^  (short|missing|left)' out > got
    same want got "what is said of the table with --memory"
done
awk 'BEGIN { print "text,when,y"; for (i = 0; i < 40; ++i) {
    printf "\""; for (k = 0; k < 3000 + 97 * i; ++k) printf "word %d\"\",\n", k
    printf "\",2024-02-%02d%s,%d%s", i % 28 + 1, i % 2 ? "" : " 13:00Z", i * i % 17, i < 39 ? "\n" : ""
} }' > long.csv
expect 0 'from 1 feature, 40 rows' fit long.csv -t y -m boost --derive when:weekday --folds 0 -o m.sooth \
    --force
expect 0 'from 1 feature, 40 rows' fit long.csv -t y -m boost --derive when:weekday --memory 90M -o long.sooth
same m.sooth long.sooth "long rows with --memory"
# seconds since 1970: what a float does not hold is told apart
awk 'BEGIN { print "start;y"
    for (i = 0; i < 60; ++i) print 1700000000 + 60 * i ",5;" (i + 13) % 60 }' > unix.csv
run fit unix.csv -t y -m linear -d start --derive start@unix:minute --folds 0 -o u.sooth
expect 0 'R2 1.000' predict u.sooth unix.csv -o u.csv
expect 1 'line 2, column 1 (start): "1700000000,5" is a number; if it counts seconds since 1970, add @unix' \
    fit unix.csv -t y --derive start:hour -o m

# the day or the month first: the name of the column says which, and travels with the model
awk 'BEGIN { print "when,y"
    for (i = 1; i <= 28; ++i) print i "/11/2025 10:00," i % 7 }' > dmy.csv
expect 1 'add @dmy or @mdy after the name of the column' fit dmy.csv -t y --derive when:weekday -o m
expect 1 'line 14, column 1 (when): "13/11/2025 10:00" is not a day of the calendar' \
    fit dmy.csv -t y --derive when@mdy:weekday -o m
run fit dmy.csv -t y -m tree --derive when@dmy:weekday --folds 0 -o dmy.sooth
expect 0 'R2 1.000' predict dmy.sooth dmy.csv -o dmy_out.csv

# a name steers no terminal, wherever it is told: escape is one character of ASCII, and its kin are two bytes
printf 'wh\033[31m\302\233en,y\n2024-01-01T10:00,1\n2024-01-02T11:00,2\n2024-01-03T12:00,4\n' > odd.csv
expect 0 '"wh\u001b[31m\u009ben:hour"' fit odd.csv -t y -m tree --folds 0 -o odd.sooth --json \
    --derive "$(printf 'wh\033[31m\302\233en:hour')"
expect 0 'wh?[31m??en:hour: the command derives it from wh?[31m??en,' describe odd.sooth
expect 1 'odd.csv has no column x' fit odd.csv -t x -o m
expect 1 'it has wh?[31m??en, y' fit odd.csv -t far -o m
rm -f odd.sooth

# ---- dates that are refused, by row and column ----

# odd TABLE WORDS ARGUMENTS...
odd() { printf "$1" > odd.csv; words=$2; shift 2; expect 1 "$words" fit odd.csv -t y -o odd.sooth "$@"; }
odd 'y,when\n1,2024-01-02\n2,01/02/2024\n3,2024-01-04\n' \
    'odd.csv: line 3, column 2 (when): "01/02/2024" does not show which is the day' --derive when:month
odd 'y,when\n1,2024-01-02\n2,2024-01-03\n3,2024-01-04\n' \
    'line 2, column 2 (when): "2024-01-02" has no time of day, which hour needs' --derive when:hour
odd 'y,when\n1,2024-01-02 10:00\n2,2024-01-03 10:00Z\n' \
    'line 3, column 2 (when): "2024-01-03 10:00Z" has a time zone, but line 2 has none' --derive when:hour
odd 'y,when\n1,2024-01-02\n2,2024-01-03,x\n' 'line 3 has a cell in column 3, but the header has 2 columns' \
    --derive when:day
odd 'y,when\n1,2024-01-02\n2,17\n3,2024-01-04\n' \
    'line 3, column 2 (when): "17" is a plain number, but other cells are dates; --derive when:weekday' \
    -f when
odd 'y,when\n1,2024-01-02\n2,17\n3,2024-01-04\n' \
    'it is a date; 1 of 3 cells are numbers; --derive COLUMN:weekday makes numbers of it' \
    -f when --memory 9M
odd 'y,when,when:hour\n1,2016-12-31T23:59:60,1\n' 'leap second' --derive when:minute
odd 'y,when\n1,2024-01-02\n' 'has no column wen for --derive; did you mean when?' --derive wen:day
odd 'y,when\n1,x\n' 'line 2, column 2 (when): "x" is not an ISO 8601 date or time' --derive when:day \
    --memory 9M
for bad in 'hour' 'when:' ':hour' 'when'; do
    expect 2 'must be COLUMN:PART' fit dated.csv -t seconds -o m --derive "$bad"
done
expect 2 'unknown part hours; did you mean hour?' fit dated.csv -t seconds -o m --derive when:hours
expect 2 'unknown part fortnight; the parts are year, month' \
    fit dated.csv -t seconds -o m --derive when:fortnight
expect 2 'has when:hour twice' fit dated.csv -t seconds -o m --derive when:hour,hour
printf 'y,when,when:hour\n1,2024-01-02,1\n' > odd.csv
expect 2 'already has a column when:hour' fit odd.csv -t y -o m --derive when:hour
expect 1 'lacks 1 of the 1 columns that hour.sooth needs: when:hour' predict hour.sooth unix.csv
absent odd.sooth; absent m
printf 'when:hour\n13\n' > made.csv # a file that has the column is taken at its word
expect 0 '13,1310,0' predict hour.sooth made.csv

# ---- random instants, as Python's datetime has them ----

if command -v python3 > /dev/null && [ -x "$root/build/tests/test_instant" ]; then
    cat > oracle.py <<'END'
import datetime as d, random, sys
random.seed(7)
with open("instants", "w") as texts, open("want", "w") as want:
    for i in range(20000):
        t = d.datetime.min + d.timedelta(days=random.randrange(1, 3652058), seconds=random.randrange(86400))
        zone = random.choice([None, 0, random.randrange(-1439, 1440)])
        at = t if zone is None else t.replace(tzinfo=d.timezone(d.timedelta(minutes=zone)))
        text = at.isoformat(sep=random.choice("T "))
        if zone == 0 and random.random() < 0.5: text = text.replace("+00:00", "Z")
        utc = (at if zone is not None else at.replace(tzinfo=d.timezone.utc))
        epoch = (utc - d.datetime(1970, 1, 1, tzinfo=d.timezone.utc)) // d.timedelta(seconds=1)
        if i % 5 == 0:
            t = d.datetime(1970, 1, 1) + d.timedelta(seconds=epoch)
            text = "@%d" % epoch
        print(text, file=texts)
        print(t.year, t.month, t.day, t.timetuple().tm_yday, t.weekday(), t.hour, t.minute, epoch, file=want)
END
    if python3 oracle.py 2> err; then
        "$root/build/tests/test_instant" parts < instants | cut -d' ' -f1-8 > got
        same want got "20,000 instants and Python's datetime"
    else fail "the oracle"; cat err; fi
else skip "Python's datetime" "python3 or build/tests/test_instant is not here"; fi

# ---- what a CSV was read as, and files that are none: in every form of reading ----

run fit unix.csv -t y -m linear --folds 0 -o m.sooth --force
says out 'read as     semicolons between the columns, decimal commas'
run fit unix.csv -t y -m linear --memory 9M -o m.sooth --force
says out 'read as     semicolons between the columns, decimal commas'
run validate unix.csv -t y -m linear --repeats 1
says out 'read as     semicolons between the columns, decimal commas'
run predict m.sooth unix.csv -o told2.csv
says out 'read as     semicolons between the columns, decimal commas'
run explain m.sooth unix.csv --by permutation
says out 'read as     semicolons between the columns, decimal commas'
printf 'PK\003\004\000\000[Content_Types].xml xl/workbook.xml' > t.xlsx
for c in 'fit t.xlsx -t y -o m' 'fit t.xlsx -t y -o m --memory 9M' 'validate t.xlsx -t y' \
    'predict m.sooth t.xlsx' 'explain m.sooth t.xlsx' 'correlate t.xlsx -t y' 'cluster t.xlsx' \
    'scale t.xlsx --axes a --time t --power p'; do
    expect 1 't.xlsx is not CSV but an Excel workbook (.xlsx); save the sheet as CSV UTF-8' $c
done

# ---- a table of one column: as many rows come out as went in ----

awk 'BEGIN { print "x,day,y"
    for (i = 1; i < 25; ++i) printf "%d,2024-01-%02d,%d\n", i, i, 3 * i }' > line.csv
run fit line.csv -t y -f x -m linear --folds 0 -o line.sooth
run fit line.csv -t y --derive day:day -d x -m linear --folds 0 -o day.sooth
printf 'x\n1\n\n3\n\n\n' > one.csv
expect 0 'y of 3 rows predicted' predict line.sooth one.csv -o got.csv
printf 'x,predicted_y,outside\n1,3,0\n,,0\n3,9,0\n' > want.csv
same want.csv got.csv
printf '1\n\n3\n\n' > bare.csv
expect 0 'y of 3 rows predicted' predict line.sooth bare.csv -o got.csv --force
sed 1d want.csv > bare_want.csv
same bare_want.csv got.csv 'without a header'
printf 'day\n2024-01-01\n\n# x\n2024-01-03\n\n' > one.csv
expect 0 'y of 3 rows predicted' predict day.sooth one.csv -o got.csv --force
printf 'day,predicted_y,outside\n2024-01-01,3,0\n,,0\n2024-01-03,9,0\n' > want.csv
same want.csv got.csv 'with a derived column'

# ---- which of several lines with # is the header ----

printf '#a,b,y\n#1,2,3\n4,5,6\n7,8,1\n' > hash.csv
for more in '--folds 0' '--memory 9M'; do
    expect 0 'y from 1 feature, 3 rows' fit hash.csv -t y -m linear $more -o hash.sooth --force
    says err 'hash.csv: line 1 is taken as the header and line 2, which begins with # too, as a row'
done
printf '#1,2,3\n#a,b,y\n4,5,6\n7,8,1\n' > hash.csv
expect 0 'y from 2 features, 2 rows' fit hash.csv -t y -m linear --folds 0 -o hash.sooth --force
says err 'line 2 is taken as the header and line 1, which begins with #, as a comment'
printf '#a,b,y\n4,5,6\n7,8,1\n# 5,6,7\n' > hash.csv
expect 0 'y from 2 features, 2 rows' fit hash.csv -t y -m linear --folds 0 -o hash.sooth --force
check "a header without doubts" [ ! -s err ]

# ---- --memory gives the hints that blocks of rows allow ----

awk 'BEGIN { print "job_id,k,x,when,y"
    for (i = 1; i <= 60; ++i) printf "%d,7,%d,2024-01-%02d,%d\n", 1000 + 3 * i, i % 13, i % 28 + 1, i
}' > hint.csv
for more in '--folds 0' '--memory 9M'; do
    run fit hint.csv -t y -m tree $more -o hint.sooth --force
    says out 'identifier  job_id is another integer in every row; --drop it if it only names the row'
    says out 'constant    k (the same in every row)'
    says out 'weekday makes features of them)'
    check "x is neither" eval '! grep -qE "(identifier|constant) .*x" out'
done
says out 'not sought  repeated rows, and identifiers that are not in order'
{ cat hint.csv; echo '1004,7,1,2024-01-01,1'; } > hint2.csv # out of order, so not known to be different
run fit hint2.csv -t y -m tree --memory 9M -o hint.sooth --force
check "no identifier that is not known to be one" eval '! grep -q identifier.*job_id.*another out'

# ---- figures that are not defined are a dash and the reason, in JSON null ----

printf 'x,y\n5,16\n' > one.csv
expect 0 'y is in the file: R2 -, RMSE ' predict line.sooth one.csv -o got.csv --force
says out 'R2 is not defined: there is one row'
printf 'x,y\n5,0\n6,0\n' > one.csv
expect 0 'MAPE - % over 2 rows' predict line.sooth one.csv -o got.csv --force
says out 'MAPE is not defined: the target is 0 in every row'
for table in 5,16 5,0; do
    printf 'x,y\n%s\n' $table > one.csv
    run predict line.sooth one.csv --json
    check "no nan of $table" [ "$(grep -cwi nan out err)" = "$(printf 'out:0\nerr:0')" ]
    says out '"R2": null'
done

# ---- a row that is refused is named by its line, whatever was left out before it ----

awk 'BEGIN { print "x,y"; for (i = 1; i <= 20; ++i) print i ","
    for (i = 1; i <= 40; ++i) print i "," i }' > good.csv
for more in '--folds 0' '--folds 5' '--memory 9M'; do
    { cat good.csv; echo '7,-5'; } > odd.csv
    expect 1 'odd.csv: line 62: y is -5, but targets must not be negative with loss=poisson (boost)' \
        fit odd.csv -t y -m boost --set loss=poisson $more -o odd.sooth
    { cat good.csv; echo ',5'; } > odd.csv
    expect 1 'odd.csv: line 62: x is missing, and linear needs every value; --drop' \
        fit odd.csv -t y -m linear $more -o odd.sooth
    { cat good.csv; echo '1e39,5'; } > odd.csv
    expect 1 'odd.csv: line 62: x is infinite' fit odd.csv -t y -m linear $more -o odd.sooth
done
{ cat good.csv; echo ',-5'; } > odd.csv # what is missing is not what is wrong
expect 1 'line 62: y is -5' fit odd.csv -t y -m boost --set loss=poisson --folds 0 -o odd.sooth
awk 'BEGIN { print "u,y"; for (i = 1; i <= 40; ++i) print "u" i "," i }' > odd.csv
for more in '--folds 0' '--memory 9M'; do # --levels is named, and what would do; 48 bytes hold no level
    expect 2 'odd.csv: --levels is 1, but 1 columns need at least ' \
        fit odd.csv -t y -m tree --categorical u --levels 1 $more -o odd.sooth --force
    bytes=$(sed 's/.*at least \([0-9]*\) bytes.*/\1/' err)
    expect 2 'at least' fit odd.csv -t y -m tree --categorical u --levels $((bytes - 1)) $more -o odd.sooth \
        --force
    expect 0 'categories  u' fit odd.csv -t y -m tree --categorical u --levels "$bytes" $more -o odd.sooth \
        --force
done
rm -f odd.sooth

# ---- predicting what the model was fitted to is no test, and a line says so ----

awk 'BEGIN { print "a,b,y"
    for (i = 1; i <= 30; ++i) print i "," i * 7 % 11 "," (i % 6 ? i * i % 13 + 0.5 : "") }' > rows.csv
run fit rows.csv -t y -m tree --folds 0 -o table.sooth
run fit rows.csv -t y -m boost --memory 9M -o parts.sooth
for model in table parts; do
    cp $model.sooth rows.sooth
    # another order, another name, without the rows that have no target; some of them, and among others
    { head -1 rows.csv; sed 1d rows.csv | sort -r; } > other.csv
    grep -v ',$' other.csv > same_rows.csv
    { cat same_rows.csv; echo 99,2,400; } > more_rows.csv
    sed 7d same_rows.csv > fewer.csv
    awk -F, -v OFS=, 'NR == 5 { $3 += 100 } { print }' same_rows.csv > other_target.csv
    { head -4 same_rows.csv; sed 1d same_rows.csv | awk -F, '{ print $1 + 50 "," $2 "," $3 }'; } > few.csv
    while read -r file n rows; do
        run predict rows.sooth $file.csv -o p.csv --force
        says err "warning: rows.sooth was fitted to $n of the $rows rows of $file.csv: scores on these"
        check "$file: in one line" [ "$(wc -l < err)" -eq 1 ]
        run predict rows.sooth $file.csv --json
        says out "\"rows_learned_from\": $n"
    done << END
same_rows 25 25
rows 25 25
more_rows 25 26
fewer 24 24
other_target 24 25
few 3 28
END
    # other rows, or no target: nothing is said
    sed 1d same_rows.csv | awk -F, 'BEGIN { print "a,b,y" } { print $1 + 50 "," $2 "," $3 }' > others.csv
    cut -d, -f1,2 same_rows.csv > no_target.csv
    for file in others no_target; do
        run predict rows.sooth $file.csv -o p.csv --force
        check "nothing is said of $file" [ ! -s err ]
    done
done

run fit rows.csv -t y -m tree --folds 0 -o forgets.sooth --forget
run predict forgets.sooth rows.csv -o p.csv --force
check "--forget: nothing is known of rows" [ ! -s err ]
less=$(($(wc -c < table.sooth) - $(wc -c < forgets.sooth)))
check "and the file is smaller by 25 hashes and 4 bytes, in steps of 16" [ $less -ge 96 -a $less -le 112 ]

# of many rows a sample: about as many as there are, and the same model read in parts; missing and text, too
awk 'BEGIN { print "a,b,kind,y"
    for (i = 1; i <= 9000; ++i) print i "," (i % 5 ? i * 7 % 11 : "") ",k" i % 3 "," i * 7919 % 1009 / 7
}' > all.csv
awk 'NR == 1 || NR % 3' all.csv > six.csv
run fit six.csv -t y -m boost --set n_estimators=5 --folds 0 -o six.sooth
run fit six.csv -t y -m boost --set n_estimators=5 --memory 64M -o parts.sooth --force
same six.sooth parts.sooth "hashes of rows read in parts"
run fit six.csv -t y -m boost --set n_estimators=5 --folds 0 --categorical kind -o kinds.sooth
for model in six kinds; do
    run predict $model.sooth all.csv --json
    check "$model: about two thirds of 9000" awk '/rows_learned_from/ { n = $2 + 0 }
        END { exit !(n > 6000 - 3 * 500 && n < 6000 + 3 * 500) }' out # 60 or so can be told: 6 % is 500
    n=$(sed -n 's/.*rows_learned_from": \([0-9]*\),/\1/p' out)
    about=$(sed -n 's/.* fitted to about \([0-9]*\) of the 9000 rows of all.csv, estimated from .*/\1/p' err)
    check "$model: the warning says the same" [ $((about - n)) -gt -60 -a $((about - n)) -lt 60 ]
    run predict $model.sooth six.csv --json
    says out '"rows_learned_from": 6000'
    awk 'NR == 1 || NR % 3 == 0' all.csv > three.csv
    run predict $model.sooth three.csv --json
    says out '"rows_learned_from": 0'
    check "$model: nothing is said of the others" [ ! -s err ]
done

# ---- sooth demo: the same bytes each time, and what the commands say when they are typed ----

mkdir checkout; cd checkout || exit 1
git init -q . 2> /dev/null
expect 0 'Next: sooth help fit' demo
check "sooth demo is silent on stderr" [ ! -s err ]
mv out ../first_demo
if git status --porcelain > ../seen 2> /dev/null; then
    check "git does not list the files of a demo in a checkout" [ "$(cat ../seen)" = '?? err' ]
    mkdir own && "$sooth" demo --out own --force > tour
    check "a folder that was there gets no .gitignore" [ ! -e own/.gitignore ]
else skip "a demo in a checkout" "git is not here"; fi
cd ..; mv checkout/sooth-demo .
expect 2 'sooth-demo already exists; --force uses it, --out names another folder' demo
expect 0 'The files are in sooth-demo' demo --force
same first_demo out "a second demo"
expect 1 'cannot make the folder no/where' demo --out no/where
mkdir typed
for file in known 3mm candidates measured plan; do cp sooth-demo/$file.csv typed; done
grep '^[$] sooth ' first_demo | sed 's/^[$] sooth //' > commands
check "the demo shows seven commands" [ "$(wc -l < commands)" -eq 7 ]
while read -r line; do
    (cd typed && "$sooth" $line < /dev/null) > said 2>&1
    awk -v from="\$ sooth $line" -v lines="$(wc -l < said)" 'on-- > 0 { print } $0 == from { on = lines }' \
        first_demo > shown
    same shown said "what the demo shows of $line"
done < commands
for file in power.sooth unseen.csv next.csv adapted.csv; do same typed/$file sooth-demo/$file; done
check "the demo's table and licence are those of the repository" sh -c "
    { cat sooth-demo/known.csv; tail -n +2 sooth-demo/3mm.csv; } | sort > got
    sort \"$root/examples/scale/data/titanx.csv\" | cmp - got &&
    cmp \"$root/examples/scale/data/LICENSE.titanx\" sooth-demo/LICENSE.titanx"
check "what was measured is what was asked for" [ "$(sed 1d sooth-demo/next.csv | while read -r row; do
    sed -n "$((row + 2))p" sooth-demo/3mm.csv; done | sort)" = "$(sed 1d sooth-demo/measured.csv | sort)" ]
check "six launches are planned with what they took, and 26 without" [ "$(awk -F, 'NR > 1 { n[$5 != ""]++ }
    END { print n[1], n[0] }' sooth-demo/plan.csv)" = '6 26' ]

# ---- how far it is: bars on terminals, lines where they are asked for; colours ----

stages() { # STAGE COMMAND...
    stage=$1; shift
    "$sooth" "$@" --progress > out 2> err
    grep -Eq "^$stage (8[0-9]|9[0-9]|100) %" err && ok ||
        { fail "sooth $* does not tell of $stage"; sort err | uniq -c | head; }
    "$sooth" "$@" > out2 2> err
    check "nothing is told of $stage where nobody asks" sh -c '! grep -q "%" err'
}
fit="fit $root/examples/scale/data/titanx.csv -t power_w -g program -d time_ms --force -o p.sooth"
stages validating $fit -m boost --set n_estimators=20
stages boosting $fit --folds 0 -m boost
stages calibrating $fit --folds 0 -m boost --set n_estimators=10 --interval 0.9
check "an interval is told of as one" [ "$("$sooth" $fit --folds 0 -m boost --set n_estimators=10 \
    --interval 0.9 --progress 2>&1 > /dev/null | grep -c '^calibrating')" -le 12 ]
stages tuning $fit --tune random --trials 4 --outer 0 -m tree
stages boosting fit "$root/examples/scale/data/titanx.csv" -t power_w -d time_ms -m boost --force -o p.sooth \
    --memory 20M
stages 'permuting columns' explain p.sooth "$root/examples/scale/data/titanx.csv" --by permutation
stages 'predicting rows' predict p.sooth "$root/examples/scale/data/titanx.csv" --force -o p.csv
stages validating validate "$root/examples/scale/data/titanx.csv" -t power_w -g program -d time_ms -m tree

expect 2 '--color is sometimes, but must be auto, always or never' help --color sometimes
expect 2 'did you mean --color?' help --colour always
expect 0 '--color WHEN' help allocate
escape=$(printf '\033')
colours() { grep -q "$escape\[" "$@"; }
run describe nothing --color always
check "errors are red" grep -q "^$escape\[1;31msooth describe:$escape\[0m " err
run help fit --color=always
check "headings are bold" grep -q "^$escape\[1m" out
run help fit
check "no colours in files" sh -c '! grep -q "$1" out' sh "$escape"
sed "s/$escape\[[0-9;]*m//g" out > plain
run help fit --color=always
sed "s/$escape\[[0-9;]*m//g" out > coloured
same plain coloured "colours aside it is the same text"
if command -v python3 > /dev/null && python3 -c 'import pty' 2> err; then
    # on FILE COMMAND...: what the command says on a terminal
    cat > terminal.py <<'END'
import os, pty, sys
said = b""
child, fd = pty.fork()
if child == 0: os.execv(sys.argv[2], sys.argv[2:])
while True:
    try: some = os.read(fd, 4096)
    except OSError: break
    if not some: break
    said += some
os.waitpid(child, 0)
open(sys.argv[1], "wb").write(said)
END
    on() { python3 terminal.py "$@"; }
    TERM=xterm on said "$sooth" describe nothing
    check "errors are red on a terminal" colours said
    TERM=xterm on said "$sooth" describe nothing --color never
    check "--color never" sh -c '! grep -q "$1" said' sh "$escape"
    TERM=xterm NO_COLOR=1 on said "$sooth" describe nothing
    check "NO_COLOR" sh -c '! grep -q "$1" said' sh "$escape"
    TERM=xterm NO_COLOR= on said "$sooth" describe nothing
    check "NO_COLOR that is empty" colours said
    TERM=xterm NO_COLOR=1 on said "$sooth" describe nothing --color=always
    check "--color=always in spite of NO_COLOR" colours said
    TERM=dumb on said "$sooth" describe nothing
    check "a dumb terminal" sh -c '! grep -q "$1" said' sh "$escape"
    TERM=xterm on said "$sooth" $fit -m boost --folds 2
    check "a bar on a terminal" grep -q '\[#####* *\] *[0-9]*%' said
else skip "terminals" "python3 with pty is not here"; fi

# ---- every command line of the READMEs: a command that there is, and its options ----

cat "$root"/README.md "$root"/examples/README.md "$root"/examples/*/README.md "$root"/examples/*/*/README.md |
    sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' | sed '/^    /!d; s/  *#.*//' | tr '|' '\n' |
    grep -E '^ *(\$ )?([^ ]*build/)?sooth [a-z]' > lines
while read -r line; do
    # shellcheck disable=SC2086
    set -- ${line#*sooth }
    [ -f "help.$1" ] || "$sooth" help "$1" > "help.$1" 2> err || { fail "no command: $line"; continue; }
    wrong=
    for word; do
        case $word in
        --*) grep -qE -e "(^|[ ,])${word%%=*}( |,|\$)" "help.$1" || wrong="$wrong $word" ;;
        -[a-zA-Z]) grep -qE -e "^  $word, |[[ ]$word " "help.$1" || wrong="$wrong $word" ;;
        esac
    done
    check "sooth $1 has$wrong, of: $line" [ ! "$wrong" ]
done < lines
check "the READMEs show commands" [ "$(wc -l < lines)" -gt 40 ]

printf 'words: %d passed, %d failed' $passed $failed
[ $skipped -gt 0 ] && printf ', %d skipped' $skipped
echo
[ $failed -eq 0 ]
