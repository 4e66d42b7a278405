#!/bin/sh
# The numbered lessons and the study of examples/gpu run: their pictures are whole, and the figures that
# lesson 07 and the study end with lie within wide bounds. With SOOTH_SLOW the study runs on made-up launches,
# and on published ones where they are, and examples/airborne runs.
# Ends with "lessons: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
. tests/checks.sh
root=$(pwd)

# run NAME COMMAND...: in $work; the output is in $work/NAME
run() { (cd "$work" && name=$1 && shift && timeout 300 "$@" > "$name"); }

# drawn NAME: each picture that its lines "drawn: A.svg, B.svg" name is whole
drawn() {
    for picture in $(sed -n 's/^ *drawn: //p' "$work/$1" | tr -d ,); do
        [ "$(cd "$work" && tail -c 7 "$picture")" = "</svg>" ] || { echo "$picture is not whole"; return 1; }
    done
}

# figure NAME ROW WORD: the number behind WORD in the line of the output that holds ROW
figure() { sed -n "s/^ *$2.*$3 *\\(-\\{0,1\\}[0-9.]*\\).*/\\1/p" "$work/$1"; }
# after NAME ROW LAUNCHES [WHICH]: the number under 0, 1, 2, 3 or 5 launches, in the first or WHICH such line
after() {
    awk -v row="$2" -v at="$3" -v which="${4:-1}" '
        index($0, row) && ++n == which { print $(NF - (at == 5 ? 0 : 4 - at)) }' "$work/$1"
}
# within LOW NUMBER HIGH
within() { [ "$2" ] && less "$1 - 1e-9" "$2" && less "$2" "$3 + 1e-9"; }

for lesson in build/teach/0*; do
    [ -x "$lesson" ] && [ -f "$lesson" ] || continue
    name=$(basename "$lesson")
    check "$name runs" run "$name" "$root/$lesson"
    check "$name draws what it says" drawn "$name"
done

l=07_programs_never_seen
check "shuffled, the forest looks good" within 0.9 "$(figure $l 'shuffled: a forest' R2)" 1
check "and so does a memory of names" within 0.9 "$(figure $l 'shuffled: a memory' R2)" 1
check "not so on programs left out" within -1 "$(figure $l 'a program left out' R2)" 0.5
check "nor on new ones, where it beats the median" \
    less "$(figure $l 'the forest of all' by)" "$(figure $l 'the median' by)"
check "shuffled intervals hold shuffled rows" within 86 "$(figure $l 'calibrated on shuffled' hold)" 94
check "and far too little of new programs" within 20 "$(figure $l 'the same, judged' hold)" 70
check "those of programs left out hold them" within 80 "$(figure $l 'calibrated on programs' hold)" 97
check "three launches take two thirds of the error away" \
    less "3 * $(after $l 'launches chosen' 3)" "$(after $l 'launches chosen' 0)"
for k in 1 2 3 5; do
    check "chosen launches tell more than random ones, $k" \
        less "$(after $l 'launches chosen' $k)" "$(after $l 'launches at random' $k)"
    check "and these more than their mean, $k" \
        less "$(after $l 'launches at random' $k)" "$(after $l 'the mean of' $k)"
    check "intervals hold after $k" within 83 "$(after $l 'hold %, chosen' $k)" 98
    check "and after $k random ones" within 83 "$(after $l 'hold %, at random' $k)" 98
done

# Twelve kernels of 14 launches: power grows with the threads, and by a factor of each kernel that no column
# tells.
made_up() {
    awk 'BEGIN {
        print "benchmark,grid_size,block_size,comp_inst_kernel,glob_inst_kernel,misc_inst_kernel," \
            "glob_load_sm,glob_store_sm,inst_issue_cycles,reg_thread,Power"
        for (g = 0; g < 12; g++) for (k = 0; k < 14; k++) {
            grid = 2 ^ (k % 7); block = k < 7 ? 128 : 256; threads = grid * block; compute = 20 + g * 7 % 40
            watts = (40 + 60 * threads / (threads + 3000)) * (0.85 + 0.3 * (g * 5 % 12) / 11)
            printf "kernel%c,%d,%d,%d,%d,8,%d,%d,%d,%d,%.3f\n", 97 + g, grid, block, compute, 4 + g % 5,
                grid * 4, grid * 2, threads * compute / 32, 16 + g % 3 * 8, watts * (1 + k * 7 % 5 / 200)
        }
    }'
}

# study NAME: what examples/gpu says of unseen kernels
study() {
    check "$1: three chosen launches take a third of the error away" \
        less "1.5 * $(after "$1" 'chosen by sooth' 3)" "$(after "$1" 'chosen by sooth' 0)"
    check "$1: random ones are better than their mean" \
        less "$(after "$1" 'at random' 5)" "$(after "$1" 'the mean of the random' 5)"
    for k in 0 1 2 3 5; do
        check "$1: intervals hold after $k" within 82 "$(after "$1" 'interval holds %' $k 1)" 100
        check "$1: and after $k random ones" within 82 "$(after "$1" 'interval holds %' $k 2)" 100
    done
    check "$1: the last sentence says what to do" grep -q 'measure three' "$work/$1"
    check "$1: the picture is whole" drawn "$1"
}
if [ -x build/gpu ]; then
    check "the study without files says where they are" run none "$root/build/gpu"
    check "and names the place" grep -q github.com "$work/none"
    check "a file that is not there is left out" run none "$root/build/gpu" none.csv
    check "and says so" grep -q 'none.csv is not here' "$work/none"
fi
power=$root/../shared/data/power/m60_raw.csv
if [ -z "$SOOTH_SLOW" ] || [ ! -x build/gpu ]; then slow=2
else
    made_up > "$work/made_up.csv"
    check "the study of made-up kernels runs" run made_up "$root/build/gpu" --out . made_up.csv
    study made_up
    if [ -f "$power" ]; then
        check "the study of M60 runs" run m60_raw "$root/build/gpu" --out . "$power"
        study m60_raw
        check "ours is off by about 15 % there" within 13 "$(awk '/^ *OURS/ { print $4 }' "$work/m60_raw")" 17
    else
        echo "  skipped: the published launches are not here"
    fi
fi

# The periodic applications of Yao et al.: their own network, ours, the pictures. It takes half a minute.
if [ "$SOOTH_SLOW" ] && [ -x build/airborne ]; then
    at_arrival() { awk -v at="$1" '$1 == "mean" && ++n == 1 { print $(at + 1) }' "$work/airborne"; }
    check "the periodic applications run" run airborne "$root/build/airborne" --out .
    check "and are drawn" drawn airborne
    check "ours is near the floor of the paper's inputs" within "$(at_arrival 3)" "$(at_arrival 8)" 15
    check "the paper's own network is not, with 0 for what rests" within 40 "$(at_arrival 4)" 90
    check "nor with the usual time" within 15 "$(at_arrival 5)" 25
    check "two more inputs halve the error" less "2 * $(at_arrival 10)" "$(at_arrival 8)"
fi

# The page of the five papers, a quarter of a minute; on De Sensi's measurements another hand found 94.45 and
# 95.83 % from four points of reverse Halton.
if [ "$SOOTH_SLOW" ] && [ -x build/scale ] && [ -x build/runs ]; then
    check "the page of the papers is made" run papers "$root/examples/papers.sh"
    page=$root/build/papers/index.html
    check "no command of it failed" [ "$(grep -c 'ended with a failure' "$page")" -eq 0 ]
    check "it has five chapters" [ "$(grep -c '<h2>' "$page")" -eq 5 ]
    check "and eight pictures, whole" [ "$(grep -c '</svg>' "$page")" -eq 8 ]
    check "four points of reverse Halton" grep -q '^  Reverse Halton  *94.45 .* 95.83 ' \
        "$root/build/papers/de_sensi.txt"
fi

ended lessons
