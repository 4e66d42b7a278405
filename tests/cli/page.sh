#!/bin/sh
# The pages of --page: what a command prints stays as it is but for one line; numbers in the tables behind the
# pictures are those that the command tells and those that can be worked out from them; every picture has a
# table, nothing outside is needed, names are escaped, refusals are sentences. With SOOTH_SLOW=1 also tidy on
# the HTML, a browser (chromium, headless) as wide as a telephone and a desk, and scikit-learn.
# Ends with "page: N passed, N failed". SOOTH=path tests another binary.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
root=$(pwd) sooth=${SOOTH:-$(pwd)/build/sooth} kth=$(pwd)/../shared/data/queues/KTH-SP2.swf
cd "$work" || exit 1

# ---- a table: runs of five programs whose names mean something to HTML, and rows for a queue

awk 'BEGIN {
    print "program,threads,size [MiB],time [s]"
    for (p = 1; p <= 5; ++p) for (t = 1; t <= 8; t *= 2) for (s = 1; s <= 6; ++s) {
        ++n
        seconds = (p + 0.3) * s * 10 / t + 0.5 * t + n * 7 % 5 / 10
        printf "\"a<%d>&\"\"b\"\"\",%d,%d,%.4g\n", p, t, s * 64, seconds
    }
}' > runs.csv
awk 'BEGIN {
    print "; MaxProcs: 16"
    for (i = 1; i <= 400; ++i) {
        run = 20 + i * 7919 % 600
        print i, i * 60 + i * 31 % 47, -1, run, 1 + i * 13 % 16, -1, -1, 1 + i * 13 % 16, run + 900, -1, 1, \
            i % 9, 1, 1, 1, -1, -1, -1
    }
}' > log.swf
data="runs.csv --target time --group program"

# ---- tables of a page

# tables PAGE: a line for each row of a table: its number, then the cells, with tabs between
tables() {
    sed -n -e 's/.*<table>//; /^<tr>/p' -e 's|^</table>.*|=|p' "$1" | awk '
        BEGIN { n = 1 }
        $0 == "=" { ++n; next }
        {
            gsub(/<\/t[hd]>/, "\t"); gsub(/<[^>]*>/, "")
            gsub(/&lt;/, "<"); gsub(/&gt;/, ">"); gsub(/&quot;/, "\""); gsub(/&amp;/, "\\&")
            sub(/\t$/, "")
            print n "\t" $0
        }'
}
# behind CAPTION PAGE: the cells of the table behind the first picture whose line above says this, without
# the head
behind() {
    n=$(awk -v words="$1" '/<figcaption>/ && !found && index($0, words) { found = 1; print n + 1 }
        /<\/table>/ { ++n }' "$2")
    tables "$2" | awk -F '\t' -v n="$n" '$1 == n && seen++ { sub(/^[^\t]*\t/, ""); print }'
}
# json FILE PATH...: a number of a JSON file that the command wrote, by its keys in their order
json() {
    file=$1; shift
    awk -v path="$*" 'BEGIN { keys = split(path, key, " "); at = 1 }
        at <= keys && index($0, "\"" key[at] "\"") {
            if (at++ == keys) { sub(/^[^:]*: */, ""); sub(/,$/, ""); print; exit }
        }' "$file"
}
# near X Y SHARE: they differ by no more than this share of Y (a millionth)
near() { awk "BEGIN { d = $1 - $2; b = $2; s = ${3:-1e-6}; exit !(d * d <= s * s * (b * b + 1e-12)) }"; }

# same_but_a_line PAGE COMMAND...: with --page one line more, that names it; tables for the pictures
same_but_a_line() {
    file=$1; shift
    "$sooth" "$@" > without 2> errors || return 1
    "$sooth" "$@" --page "$file" > with 2> errors || return 1
    echo "page: $file" | cat without - | cmp - with
}
# whole PAGE: begun and ended, a table behind every picture, each picture drawn twice
whole() {
    head -n 1 "$1" | grep -qx '<!doctype html>' && tail -n 1 "$1" | grep -qx '</body></html>' &&
        awk '/<figure>/ { ++figures; open = 1; drawings = tables = 0 }
            /<svg / { if (!open) exit 1; ++drawings }
            /<table>/ && open { ++tables }
            /<\/figure>/ { if (drawings != 2 || tables != 1) exit 1; open = 0 }
            END { exit !(figures > 0 && !open) }' "$1"
}
# alone PAGE: it names nothing outside, runs nothing, and says what made it
alone() {
    ! sed 's|xmlns="http://www.w3.org/2000/svg"||g' "$1" |
        grep -qiE 'https?:|<(script|link|img|iframe)|url\(|@import' &&
        grep -q "<code>sooth $2 .*</code>, sooth [0-9.]*<" "$1"
}

# ---- validate

check "validate prints what it prints" same_but_a_line v.html validate $data --model tree,linear --repeats 1
check "its page is whole" whole v.html
check "and needs nothing" alone v.html validate
"$sooth" validate $data --model tree,linear --repeats 1 --json > v.json
"$sooth" validate $data --model tree,linear --repeats 1 --json --page j.html > j.json 2> j.err
check "JSON stays JSON, and stderr names the page" eval \
    'cmp v.json j.json && [ "$(cat j.err)" = "page: j.html" ]'
best=$(sed -n 's/.*<h2>\(.*\), row by row<.*/\1/p' v.html | head -n 1)
behind "$best: predicted against measured" v.html > rows
check "every row is told" [ "$(wc -l < rows)" -eq 120 ]
# the lines of the file, their targets and groups as they stand in it
awk -F '\t' 'FILENAME == "rows" { y[$1] = $3; g[$1] = $2; next }
    FNR > 1 {
        group = $0; sub(/",[^"]*$/, "", group); sub(/^"/, "", group); gsub(/""/, "\"", group)
        n = split($0, cell, ",")
        if (y[FNR] + 0 != cell[n] + 0 || g[FNR] != group) { print FNR ": " $0; }
    }' rows runs.csv > wrong
check "with what was measured, and of which program" none wrong
mae=$(awk -F '\t' '{ e = $4 - $3; s += e < 0 ? -e : e } END { printf "%.9g", s / NR }' rows)
# groups_of FILE MODEL: what JSON of validate says of a model for groups left out
groups_of() { sed -n '/"groups_left_out"/,$p' "$1" | sed -n "/\"model\": \"$2\"/,\$p" > part.json; }
groups_of v.json "$best"
check "their mean absolute error is that of the JSON" near "$mae" "$(json part.json MAE mean)"
mape=$(awk -F '\t' '{ e = 100 * ($4 - $3) / $3; s += e < 0 ? -e : e } END { printf "%.9g", s / NR }' rows)
check "and so is that in per cent" near "$mape" "$(json part.json MAPE_percent mean)"
behind "$best: errors" v.html > groups
awk -F '\t' 'FILENAME == "rows" {
        e = 100 * ($4 - $3) / $3; s[$2] += e < 0 ? -e : e; m[$2] += e; ++n[$2]
        next
    }
    {
        a = s[$1] / n[$1]; b = m[$1] / n[$1]
        if (n[$1] != $2 || (a - $3) ^ 2 > (0.006 * a) ^ 2 || (b - $4) ^ 2 > (0.006 * b) ^ 2 + 1e-9) print
        if (FNR > 1 && $3 + 0 > last + 0) print "not the worst first: " $0
        last = $3
    }
    END { if (FNR != 5) print FNR " groups" }' rows groups > wrong
check "groups, the worst first, by the rows" none wrong
behind "$best: mean absolute error of small and large" v.html > sizes
check "fifths of the rows" [ "$(awk -F '\t' '$2 == 24 { ++n } END { print n }' sizes)" -eq 5 ]
behind "$best: number of rows by error" v.html > spread
check "every row is off by something" [ "$(awk -F '\t' '{ n += $2 } END { print n }' spread)" -eq 120 ]
few=$(awk -F '\t' '{ e = 100 * ($4 - $3) / $3; n += e > -5 && e <= 5 } END { print n }' rows)
check "bands by the rows" [ "$few" -eq "$(awk -F '\t' '$1 == "-5 to 5 %" { print $2 }' spread)" ]
# every line of the tables that the command prints stands on the page, cell by cell
tables v.html | cut -f 2- | tr '\t' ' ' | tr -s ' ' > cells
for name in tree linear mean median; do grep -E "^  $name " without; done | tr -s ' ' | sed 's/^ //' |
    while read -r line; do grep -qxF -e "$line" cells || echo "$line"; done > wrong
check "the figures that it prints" none wrong
check "six of them" [ "$(grep -cE '^  (tree|linear|mean|median) +[0-9-]' without)" -eq 12 ]
check "names are escaped" eval 'grep -q "a&lt;1&gt;&amp;&quot;b&quot;" v.html && ! grep -q "a<1>" v.html'
printf 'x,Gr\366\337e\n1,2\n2,3\n3,5\n4,4\n5,7\n6,9\n' > latin.csv
size=$(printf 'Gr\366\337e')
"$sooth" validate latin.csv --target "$size" --model linear --folds 2 --page latin.html --force > shown
"$sooth" correlate latin.csv --target "$size" --json > latin.json
check "a name in Latin-1 is one in a page and in JSON" eval \
    'grep -q "Gr&#246;&#223;e" latin.html && grep -qF "\"Gr\\u00f6\\u00dfe\"" latin.json'
check "and neither holds a byte that is no UTF-8" iconv -f UTF-8 -t UTF-8 latin.html latin.json
awk 'BEGIN { print "x,y"; for (i = 0; i < 900; ++i) print i % 31 "," i + 1 }' > many.csv
"$sooth" validate many.csv --target y --model tree --repeats 1 --page many.html > out
behind "tree: predicted against measured" many.html > rows
check "of many rows some, from the least to the greatest" eval '[ "$(wc -l < rows)" -eq 300 ] &&
    grep -q "300 of 900 rows, evenly spaced" many.html &&
    [ "$(sed -n "1p;\$p" rows | cut -f 2 | tr "\n" " ")" = "1 900 " ]'
awk 'BEGIN {
    print "g,x,y"
    for (i = 0; i < 1100; ++i) print "p" i "," i % 31 "," i % 31 + i % 7 / 9 + 1
}' > apart.csv
"$sooth" validate apart.csv --target y --group g --model linear --repeats 1 --page apart.html > out
check "a long table ends" [ "$(behind 'linear: errors' apart.html | wc -l)" -eq 1000 ]
check "and says so" grep -q 'The first 1000 of 1100 rows' apart.html

# rows that count as often as their weight says, and the same rows so often
awk -F , 'NR == 1 { print $0 ",often"; next } {
    often = /a<4>/ ? 0 : NR * 11 % 4
    print $0 "," often
}' runs.csv > weighted.csv
awk -F , 'NR == 1 { sub(/,often$/, ""); print } NR > 1 {
    often = $NF; sub(/,[0-9]*$/, ""); for (i = 0; i < often; ++i) print
}' weighted.csv > repeated.csv
for file in weighted repeated; do
    weight=; [ $file = repeated ] || weight="--weight often"
    for as in "--page $file.html" --json; do
        "$sooth" validate $file.csv --target time --group program $weight --model linear --repeats 1 $as
    done > $file.json
    awk '/_(median|worst)_group/ { printf "%s %.9g\n", $1, $2 }' $file.json > $file.said
    behind "linear: errors" $file.html > $file.groups
    behind "linear: number of rows by error" $file.html > $file.bands
done
check "the pictures count a row by its weight: groups" eval \
    'cut -f 1,3- weighted.groups | cmp - repeated.groups && [ "$(wc -l < repeated.groups)" -eq 4 ]'
check "bands" eval \
    'cut -f 1,3- weighted.bands | cmp - repeated.bands && [ "$(wc -l < repeated.bands)" -eq 9 ]'
check "and so does what is told of groups" eval \
    'cmp weighted.said repeated.said && [ "$(wc -l < repeated.said)" -ge 8 ]'
for file in weighted repeated; do
    weight=; [ $file = repeated ] || weight="--weight often"
    "$sooth" fit $file.csv --target time --group program $weight --model linear --page $file.html --force \
        -o $file.sooth > log
    behind "Error against rows" $file.html | tail -n 1 | cut -f 3,5 > $file.curve
done
check "learning curves, too" eval 'cmp weighted.curve repeated.curve && [ -s repeated.curve ]'

# ---- fit

check "fit prints what it prints" \
    same_but_a_line f.html fit $data --model boost --set n_estimators=40 --force -o m.sooth
cp m.sooth with.sooth
"$sooth" fit $data --model boost --set n_estimators=40 --force -o m.sooth --history h.csv --json > f.json
check "the model is the same bytes" cmp m.sooth with.sooth
check "its page is whole" whole f.html
check "and needs nothing" alone f.html fit
behind "Loss after every training step" f.html > steps
awk 'FILENAME == "steps" { x[FNR] = $2; next } FNR > 1 {
    split($0, c, ","); d = c[2] - x[FNR - 1]; if (d * d > (1e-5 * c[2]) ^ 2) print
} END { if (FNR != 41) print FNR }' steps h.csv > wrong
check "losses are those of --history" none wrong
behind "Error against rows" f.html > curve
shares=$(cut -f 1,2 curve | tr '\t\n' '  ')
check "from one group to all but one" [ "$shares" = "12.5 % 24 50.0 % 48 100 % 96 " ]
unseen=$(sed -n 's/.*"MAPE \[%\], unseen program": \([^,]*\),*/\1/p' f.json)
all=$(tail -n 1 curve | cut -f 3)
check "all rows but a program's, five times, is leaving each out" near "$all" "$unseen" 1e-3
"$sooth" validate $data --model boost --set n_estimators=40 --repeats 1 --json > b.json
groups_of b.json median
median=$(json part.json MAPE_percent mean)
behind "Mean relative error (MAPE)" f.html > base
check "the median beside it is that of validate" \
    near "$(awk -F '\t' '$1 == "whole groups" && $2 == "median" { print $6 + 0 }' base)" "$median" 6e-3
check "the first sentence has that figure, too" grep -qE \
    'For an unseen program its MAPE is [0-9.]* %; the best rule here, the [a-z ]*, has [0-9.]* %' f.html
for by in rmse mae; do
    "$sooth" fit $data --model tree --by $by --force -o by.sooth --page by.html --json \
        > by.json 2> /dev/null
    name=$(echo $by | tr a-z A-Z)
    behind "Error against rows" by.html > curve
    check "the curve is that of --by $by" near "$(tail -n 1 curve | cut -f 3)" \
        "$(sed -n "s/.*\"$name \[s\], unseen program\": \([^,]*\),*/\1/p" by.json)" 1e-3
done
"$sooth" fit $data --model tree --set max_leaves=7 --teacher linear --force -o taught.sooth \
    --page taught.html > taught
check "what a teacher gained is that of the text" \
    grep -qF "<p>Teacher $(sed -n 's/^  teacher     \(linear: on unseen \)/\1/p' taught).</p>" taught.html
check "and its page is whole" whole taught.html
check "a best prints what it prints" \
    same_but_a_line best.html fit $data --set effort=low --force -o best.sooth
check "and its page is whole" whole best.html
"$sooth" fit $data --set effort=low --force -o best.sooth --json > best.json
behind "Mean relative error (MAPE), whole groups left out" best.html > base
check "with all candidates" [ "$(wc -l < base)" -eq "$(grep -c '"recipe"' best.json)" ]
check "and the error of the first, in per cent" near "$(awk -F '\t' 'NR == 1 { print $3 / 100 }' base)" \
    "$(json best.json candidates error)" 6e-3
behind "Bytes of flash" f.html > flash
for core in cortex-m0 avr; do
    "$sooth" describe m.sooth --for $core > core
    least=$(awk '/^  --to/ { print $(NF - 7) }' core | sort -n | head -n 1)
    check "flash on $core" [ "$(awk -F '\t' -v c=$core '$1 == c { print $3 }' flash)" = "$least" ]
done
check "the size of the file" grep -q ": $(wc -c < m.sooth | tr -d ' ') bytes as a file" f.html

# ---- explain

check "explain prints what it prints" same_but_a_line e.html explain m.sooth runs.csv
check "its page is whole" whole e.html
check "and needs nothing" alone e.html explain
tables e.html | cut -f 2- | tr '\t' ' ' > cells
grep -E '^  (threads|size)' without | grep % | tr -s ' ' | sed 's/^ //' |
    while read -r line; do grep -qxF -e "$line" cells || echo "$line"; done > wrong
check "its figures" none wrong
"$sooth" explain m.sooth runs.csv --dependence threads > threads.csv
behind "threads: mean prediction" e.html > line
awk 'FILENAME == "line" { x[FNR] = $1; y[FNR] = $2; next } FNR > 1 {
    split($0, c, ","); d = c[2] - y[FNR - 1]; if (c[1] != x[FNR - 1] || d * d > (1e-4 * c[2]) ^ 2) print
} END { if (FNR != 5) print FNR }' line threads.csv > wrong
check "dependence is that of --dependence" none wrong
check "a row: what it prints" same_but_a_line er.html explain m.sooth runs.csv --row 3
behind "What each column adds" er.html | awk -F '\t' '
    $1 == "together" { whole = $3 } $1 != "together" { sum += $3 }
    END { d = sum - whole; exit !(NR == 4 && d * d < 1e-6 * whole * whole) }' > log
check "the average and what columns add make the answer" [ $? -eq 0 ]
head -n 2 runs.csv > one.csv
check "one row" same_but_a_line e1.html explain m.sooth one.csv
awk -F , 'NR == 1 { print "a,gap,y" } NR > 1 { print $2 "," $3 "," $4 }' runs.csv | sed 's/"//g' > gaps.csv
"$sooth" fit gaps.csv --model tree --target y --folds 0 -o gaps.sooth > out
awk -F , 'NR > 1 { $2 = "NA" } { print $1 "," $2 "," $3 }' gaps.csv > missing.csv
check "a column without any value" same_but_a_line gaps.html explain gaps.sooth missing.csv
check "is said to have no picture" grep -q '<p>gap has no picture' gaps.html
check "groups of columns" same_but_a_line eg.html explain m.sooth runs.csv --groups "threads+size"
"$sooth" explain m.sooth runs.csv --dependence threads --page d.html > out 2> err
check "what goes to the standard output stays a table" eval \
    'cmp out threads.csv && grep -qx "page: d.html" err'

# ---- scale

awk -F , 'NR == 1 { print "threads,freq [MHz],time [s],power [W]" }
    NR > 1 && /^blackscholes/ && $2 ~ /^(1|2|8|24)$/ && $3 ~ /^(1200|1800|2400)$/ {
        printf "%s,%s,%.6g,%s\n", $2, $3, 1e8 / $6, $5
    }' "$root/examples/scale/data/parsec.csv" > few.csv
scale="few.csv --threads threads --frequency freq --time time --power power --thread-levels 24"
check "scale prints what it prints" same_but_a_line s.html scale $scale --min-power-for 5
check "its page is whole" whole s.html
check "and needs nothing" alone s.html scale
"$sooth" scale $scale -o grid.csv > out
behind "time: the law" s.html > law
awk -F '\t' 'FILENAME == "law" {
        key = $1 " " $2; v[key] = $3; low[key] = $4; high[key] = $5; m[key] = $6
        next
    }
    FNR > 1 {
        split($0, c, ","); key = c[1] " " c[2]
        a = c[3] * exp(-c[4]); b = c[3] * exp(c[4])
        if (v[key] != c[3] || (low[key] - a) ^ 2 > (1e-3 * a) ^ 2 || (high[key] - b) ^ 2 > (1e-3 * b) ^ 2 ||
            (m[key] == "yes") != c[7]) print
    } END { if (FNR != 73) print FNR }' law grid.csv > wrong
check "laws and their intervals are those of --output" none wrong
grep -v '^8,1800,' few.csv > others.csv
"$sooth" scale others.csv --threads threads --frequency freq --time time --power power --thread-levels 24 \
    --frequency-levels 1200/1800/2400 -o without.csv > out
behind "time: predicted against" s.html | awk -F '\t' '$1 == "8 threads at 1800 MHz" { print $3 }' > left
check "a run left out is what the others say of it" [ "$(cat left)" = \
    "$(sed -n 's/^8,1800,\([^,]*\),.*/\1/p' without.csv)" ]
awk -F , 'NR == 1 || /^2dconvolution/ && NR % 3 == 1' "$root/examples/scale/data/titanx.csv" > axes.csv
check "other knobs" same_but_a_line s2.html scale axes.csv --axes core_mhz:frequency:1.5,mem_mhz:frequency \
    --time time_ms --power power_w --min-energy

# ---- gpu network

step="gpu network --model mixtral-8x7b --batch prefill=1,tokens=700,decode=8,context=500 --gpu h200,b200"
check "a step of a language model prints what it prints" same_but_a_line g.html $step
check "its page is whole" whole g.html
check "and needs nothing" alone g.html gpu
behind "Time of a step by operator" g.html | tr '\t' ' ' | tr -s ' ' > cells
grep -E '^  [a-z]' without | grep -v '^  ms ' | tr -s ' ' | sed 's/^ //; s/ $//' |
    while read -r line; do grep -qxF -e "$line" cells || echo "$line"; done > wrong
check "every line that is printed stands on it" none wrong
grep -oE 'text-anchor="end"[^>]*>[a-z0-9-]+<' g.html | sed 's/.*>//; s/<//' | paste - - - |
    sort | uniq -c > bars
check "a bar for each operator on each GPU, named, in both drawings" \
    [ "$(grep -cE '^ *2 [a-z-]+	h200	b200$' bars)-$(wc -l < bars)" = 7-7 ]

# ---- replay

check "replay prints what it prints" same_but_a_line r.html replay log.swf
check "its page is whole" whole r.html
check "and needs nothing" alone r.html replay
"$sooth" replay log.swf -o jobs.csv > out
behind "Mean bounded slowdown" r.html > time
awk -F , 'FILENAME == "jobs.csv" && FNR > 1 {
        for (k = 0; k < 4; ++k) {
            s = ($(7 + 2 * k) - $2 + $4) / ($4 > 10 ? $4 : 10); sum[k] += s > 1 ? s : 1
            mean[FNR - 1, k] = sum[k] / (FNR - 1)
        }
        next
    }
    FILENAME == "time" {
        split($0, c, "\t")
        for (k = 0; k < 4; ++k) { m = mean[c[1], k]; if ((c[3 + k] - m) ^ 2 > (1e-3 * m) ^ 2) print }
        last = c[1]
    }
    END { if (last != 400 || FNR != 100) print "the last is " last }' jobs.csv time > wrong
check "slowdowns over time, worked out from --output" none wrong
behind "by number of processors" r.html > widths
awk -F , 'FILENAME == "jobs.csv" && FNR > 1 {
        w = $3; k = 1; while (k * 2 <= w) k *= 2
        ++n[k]; l = log($6 / $4); off[k] += l < 0 ? -l : l
        next
    }
    FILENAME == "widths" {
        split($0, c, "\t"); split(c[1], from, " "); k = from[1]; sub(/x /, "", c[3])
        if (c[2] != n[k] || (exp(off[k] / n[k]) - c[3]) ^ 2 > 0.00006) print
        jobs += c[2]
    }
    END { if (jobs != 400) print jobs " jobs" }' jobs.csv widths > wrong
check "factors by size, worked out from --output" none wrong
check "nine users" [ "$(behind 'predictions, by user' r.html | wc -l)" -eq 9 ]
if [ -r "$kth" ] && [ "$SOOTH_SLOW" ]; then
    check "a real log" same_but_a_line kth.html replay "$kth"
    check "of its users those with the most jobs" grep -q '15 of [0-9]*, those with the most jobs' kth.html
fi

# ---- refusals, and little data

for c in "validate $data" "fit $data -o n.sooth" "explain m.sooth runs.csv" "scale $scale" \
    "replay log.swf"; do
    check "${c%% *}: a page that is there" \
        refused 2 'v.html already exists; --force' "$sooth" $c --page v.html
    check "${c%% *}: no name" refused 2 '--page needs a file name' "$sooth" $c --page -
    check "${c%% *}: a folder that is not there" refused 1 'no/p.html' "$sooth" $c --page no/p.html
done
cp runs.csv kept.csv
check "an input" refused 2 'runs.csv is an input' "$sooth" validate $data --model tree --page runs.csv --force
check "which is as it was" cmp runs.csv kept.csv
check "the name of the model" refused 2 'both name n.sooth' "$sooth" fit $data -o n.sooth --page n.sooth
check "a budget" refused 2 'excludes --budget and --memory' \
    "$sooth" fit $data -o n.sooth --budget ram=512 --for avr --page p.html
head -n 1 runs.csv > empty.csv
check "no rows" refused 1 'no rows' "$sooth" validate empty.csv --target time --page p.html
check "one row" refused 1 'not enough to fit a model to' "$sooth" validate one.csv --target time --page p.html
check "and no page" [ ! -e p.html ]
head -n 3 runs.csv > two.csv
check "two rows" same_but_a_line two.html validate two.csv --target time --model tree
check "whole" whole two.html
check "two rows to fit" same_but_a_line two_fit.html fit two.csv --target time -o two.sooth --force
check "nothing tested" same_but_a_line untested.html fit $data --model tree -o two.sooth --force --folds 0
check "says so" grep -q 'it was not tested' untested.html
check "--force replaces" "$sooth" validate two.csv --target time --model tree --page two.html --force

# ---- two classes

awk 'BEGIN {
    print "g,a,b,late"
    for (i = 0; i < 200; ++i) {
        a = i * 37 % 101 / 101; b = i * 61 % 89 / 89
        print "p" i % 5 "," a "," b "," (a + 0.3 * b > 0.7)
    }
}' > late.csv
late="late.csv --target late --group g --model forest --repeats 1"
check "probabilities" same_but_a_line late.html validate $late
"$sooth" validate $late --json > late.json
behind "Predicted and observed" late.html > said
error=$(awk -F '\t' '{ d = $2 * ($3 - $4); s += d < 0 ? -d : d; n += $2 } END { printf "%.6g", s / n }' said)
groups_of late.json forest
check "the calibration error of the picture is that of the JSON" \
    near "$error" "$(json part.json calibration_error)" 2e-3

# ---- other readers

slow=3
if [ "$SOOTH_SLOW" ]; then
    slow=0
    if command -v tidy > /dev/null; then
        for page in *.html; do tidied "$page" | sed "s/^/$page: /"; done > wrong
        check "tidy finds nothing" none wrong
    else echo "  skipped: tidy is not here"; fi
    if [ "$browser" ]; then
        "$sooth" gpu network --model deepseek-v3 --batch decode=8,context=100 \
            --gpu a100-80gb-sxm,rtx-pro-6000 --page step.html > out
        for page in v f e er s s2 r late two step; do
            # in a frame as wide as a telephone, which is narrower than a browser's window can be
            for width in 360 1280; do
                {
                    printf '<!doctype html><title></title>'
                    printf '<iframe id="f" style="width:%dpx;height:800px"' $width
                    printf ' srcdoc="'; sed 's/&/\&amp;/g; s/"/\&quot;/g' $page.html
                    cat << 'END'
"></iframe><script>addEventListener("load", () => {
    const d = f.contentDocument, all = s => [...d.querySelectorAll(s)], box = x => x.getBoundingClientRect();
    all("details").forEach(x => { x.open = true; });
    const shown = all("svg").filter(x => box(x).width > 0);
    const cut = shown.filter(x => [...x.querySelectorAll("text")].some(
        t => box(t).left < box(x).left - 1 || box(t).right > box(x).right + 1));
    const small = shown.filter(x => 12 * box(x).width / x.viewBox.baseVal.width < 9);
    document.title = "seen " + (2 * shown.length === all("svg").length ? "half" : "not half") +
        (d.documentElement.scrollWidth > f.clientWidth ? " too wide" : " fits") +
        (small.length ? " too small" : " readable") + (cut.length ? ", cut" : "");
});</script>
END
                } > frame.html
                check "$page.html, $width wide: one drawing of two, no wider than that, to be read" \
                    [ "$(titled "$work/frame.html" 1400)" = "seen half fits readable" ]
            done
        done
    else echo "  skipped: no browser is here"; fi
    python=${PYTHON:-python3}
    if $python -c 'import sklearn' 2> /dev/null; then
        cat > peer.py << 'END'
import csv, sys
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneGroupOut
rows = list(csv.reader(open("runs.csv")))[1:]
x = np.array([[float(v) for v in r[1:3]] for r in rows])
y = np.array([float(r[3]) for r in rows])
of = np.array([r[0] for r in rows])
held = np.empty(len(y))
for train, test in LeaveOneGroupOut().split(x, y, of):
    held[test] = LinearRegression().fit(x[train], y[train]).predict(x[test])
seen = {int(c[0]): float(c[3]) for c in (line.rstrip("\n").split("\t") for line in open("linear"))}
far = max(abs(seen[i + 2] - held[i]) for i in range(len(y)))
print(far)
sys.exit(int(far > 1e-4))
END
        behind "linear: predicted against measured" v.html > linear
        check "what linear says of programs left out, by scikit-learn" $python peer.py
    else echo "  skipped: scikit-learn is not here"; fi
fi
ended page
