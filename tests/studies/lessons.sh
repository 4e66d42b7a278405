#!/bin/sh
# The numbered lessons and the study of examples/gpu run: their pictures are whole, and the figures that
# the study ends with lie within wide bounds. With SOOTH_SLOW the study runs on made-up launches,
# and on published ones where they are, and examples/airborne and examples/papers run.
# Ends with "lessons: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
root=$(pwd)

# run NAME COMMAND...: in $work; the output is in $work/NAME
run() { (cd "$work" && name=$1 && shift && timeout 900 "$@" > "$name"); }

# drawn NAME: each picture that its lines "drawn: A.svg, B.svg" name is whole
drawn() {
    for picture in $(sed -n 's/^ *drawn: //p' "$work/$1" | tr -d ,); do
        [ "$(cd "$work" && tail -c 7 "$picture")" = "</svg>" ] || { echo "$picture is not whole"; return 1; }
    done
}

# after NAME ROW LAUNCHES [WHICH]: the number under 0, 1, 2, 3 or 5 launches, in the first or WHICH such line
after() {
    awk -v row="$2" -v at="$3" -v which="${4:-1}" '
        index($0, row) && ++n == which { print $(NF - (at == 5 ? 0 : 4 - at)) }' "$work/$1"
}
# within LOW NUMBER HIGH
within() { [ "$2" ] && less "$1 - 1e-9" "$2" && less "$2" "$3 + 1e-9"; }

# A lesson runs in build/teach, from where it finds measurements in examples.
mkdir -p "$work/build/teach" && ln -s "$root/examples" "$work/examples" || exit 1
teach() { (cd "$work/build/teach" && timeout 900 "$root/build/teach/$1" > "$work/$1" &&
    find . -name "*.svg" -exec mv {} "$work" \;); }
for lesson in build/teach/[012]*; do
    [ -x "$lesson" ] && [ -f "$lesson" ] || continue
    name=$(basename "$lesson")
    check "$name runs" teach "$name"
    check "$name draws what it says" drawn "$name"
done

# Lesson by lesson, that it says what it is for.
check "01: by hand as fast, to the bit" grep -q 'the difference is at most 0 W' "$work/01_a_tree_by_hand"
check "02: the tree flatters itself" less "2 * $(sed -n 's/.*a tree *R2 *\([0-9.]*\),.*/\1/p' \
    "$work/02_why_random_splits_flatter" | tail -n 1)" "$(sed -n 's/.*a tree *R2 *\([0-9.]*\),.*/\1/p' \
    "$work/02_why_random_splits_flatter" | head -n 1)"
check "18: a model helps a scheduler" within 90 "$(sed -n 's/.*goes \([0-9]*\) %.*/\1/p' \
    "$work/18_a_model_inside_a_scheduler")" 100

check "16: three launches take two thirds of the error away" \
    less "3 * $(awk '$1 == 3 { print $2 }' "$work/16_intervals_and_a_few_launches")" \
    "$(awk '$1 == 0 { print $2 }' "$work/16_intervals_and_a_few_launches")"

# gain TOKENS FIELD: how many times as fast as BF16 a type is, in the table of lesson 19
types=$work/19_rooflines_with_data_types
gain() { awk -v m="$1" -v field="$2" 'NF == 6 && $1 == m { print $field }' "$types"; }
check "19: half the bits gain little with few tokens" within 0.8 "$(gain 16 4)" 1.2
check "19: and with many, but not twice" within 1.4 "$(gain 2560 4)" 1.7
check "19: a launch inside the roofline takes a quarter of the error of BF16 away" \
    less "$(sed -n 's/^  bf16  *the roof.* inside \([0-9]*\)$/\1/p' "$types")" \
    "0.75 * $(sed -n 's/^  bf16  *the roof \([0-9]*\),.*/\1/p' "$types")"

# Lesson 20: the columns of a row of its table: cards, without, the job's own mean, hours
jobs=$work/20_next_to_whom
waits() { awk -v runs="$1" -v field="$2" '$1 == runs && NF == 8 { print $field }' "$jobs"; }
check "20: cards help before pairs ran" less "$(waits 0 2)" "0.9 * $(waits 0 4)"
check "20: runs replace them" less "$(waits 240 4)" "$(waits 0 2)"
check "20: the job's own mean is worse" less "$(waits 240 2)" "0.8 * $(waits 240 6)"
check "20: placements learn" less "$(waits 240 8)" "$(waits 0 8) - 2"
check "20: and come near the best" less "$(waits 240 8)" \
    "1.05 * $(sed -n 's/.*wait, and \([0-9.]*\) at best.*/\1/p' "$jobs")"
check "20: all ways are no better by the same numbers" \
    less "$(sed -n 's/^Placements are at most \([0-9.]*\) %.*/\1/p' "$jobs")" 1

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

# row NAME TEXT FIELD: that field, from the last, of the first line that begins with the text
row() {
    awk -v text="$2" -v field="$3" 'index($0, "   " text) == 1 { print $(NF - field); exit }' "$work/$1"
}
# table5 NAME REGRESSOR: its shuffled R2
table5() { sed -n "s/^   $2  *\\(-\\{0,1\\}[0-9.]*\\) .*/\\1/p" "$work/$1" | head -n 1; }

# study NAME: what examples/gpu says of the paper's tables and of unseen kernels
study() {
    check "$1: the network of Table 3 learns" less 0.5 "$(table5 "$1" 'ANN, inverse t.')"
    check "$1: at the rate 0.9 it does not" less "$(row "$1" 'the same, rate 0.9' 0)" 0.1
    check "$1: nor at the rate 0.5" less "$(row "$1" 'the same, rate 0.5' 0)" 0.1
    check "$1: tuned on shuffled launches a tree claims less error than on whole benchmarks" \
        less "$(row "$1" 'shuffled launches' 5)" "$(row "$1" 'whole benchmarks' 5)"
    check "$1: three chosen launches take a third of the error away" \
        less "1.5 * $(after "$1" 'chosen by sooth' 3)" "$(after "$1" 'chosen by sooth' 0)"
    check "$1: random ones are better than their mean" \
        less "$(after "$1" 'at random' 5)" "$(after "$1" 'the mean of the random' 5)"
    for k in 0 1 2 3 5; do
        check "$1: intervals hold after $k" within 82 "$(after "$1" 'interval holds %' $k 1)" 100
        check "$1: and after $k random ones" within 82 "$(after "$1" 'interval holds %' $k 2)" 100
    done
    check "$1: the last sentence says what to do" grep -q 'measure three' "$work/$1"
    check "$1: the pictures are whole" drawn "$1"
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
    check "the study of made-up kernels runs, all of it" \
        run made_up "$root/build/gpu" --all --out . made_up.csv
    study made_up
    if [ -f "$power" ]; then
        check "the study of M60 runs" run m60_raw "$root/build/gpu" --out . "$power"
        study m60_raw
        # the paper's Tables 5 and 6, as near as another shuffle comes
        check "a forest, R2 of Table 5" within 0.92 "$(table5 m60_raw 'random forest')" 0.96
        check "XGBoost, R2 of Table 5" within 0.93 "$(table5 m60_raw XGBoost)" 0.965
        check "its five shuffles, R2 of Table 6" within 0.93 "$(table5 m60_raw R2)" 0.96
        check "SVR, R2 of Table 5, with features of variance 1" within 0.52 "$(table5 m60_raw SVR)" 0.65
        check "which MinMaxScaler does not reach" less "$(table5 m60_raw 'SVR, min-max')" 0.4
        check "the network, R2 of Table 5" within 0.68 "$(table5 m60_raw 'ANN, uniform')" 0.79
        check "noise in an autoencoder leaves nothing" less "$(row m60_raw 'the same, as much noise' 0)" 0.2
        check "seven pictures" [ "$(grep -c 'drawn: ' "$work/m60_raw")" -eq 7 ]
        check "ours is off by about 15 % there" within 13 "$(awk '/^ *OURS/ { print $4 }' "$work/m60_raw")" 17
    else
        echo "  skipped: the published launches are not here"
    fi
fi

# The page of the papers, three minutes of one core; the figures of its chapters lie within wide bounds.
# On De Sensi's measurements another hand found 94.45 and 95.83 % from four points of reverse Halton; its
# prototype of the equations of examples/simulator found an error of 35.8 % by the true interference alone,
# and 0.159 for the unfairness of a split by weight.
if [ "$SOOTH_SLOW" ] && [ -x build/airborne ] && [ -x build/cards ] && [ -x build/themis ]; then
    said=$root/build/papers page=$root/build/papers/index.html
    at_arrival() { awk -v at="$1" '$1 == "mean" && ++n == 1 { print $(at + 1) }' "$said/yao.txt"; }
    # says NAME ROW FIELD [WHICH]: the field behind the words of the first or WHICH line that holds them
    says() {
        awk -v row="$2" -v field="$3" -v which="${4:-1}" '{ i = index($0, row) }
            i && ++n == which { split(substr($0, i + length(row)), f, " "); print f[field] + 0 }' \
            "$said/$1.txt"
    }
    check "the page of the papers is made" run papers "$root/examples/papers.sh"
    check "no command of it failed" [ "$(grep -c 'ended with a failure' "$page")" -eq 0 ]
    check "a chapter for each paper, one beside them, one of a GPU of our own" \
        [ "$(grep -c '<h2 ' "$page")" -eq 7 ]
    check "and its pictures, whole" [ "$(grep -c '</svg>' "$page")" -ge 60 ]
    check "a card between GPUs of families it has not seen" \
        within 54 "$(awk '/^  K80 +to P100/ { on = 1 } on && $1 == "card" { print $(NF - 2); exit }' \
            "$said/cards.txt")" 56
    check "and the command says the same" grep -q 'K80 to P100 .* 54.9 %' "$said/card.txt"
    check "four points of reverse Halton" grep -q '^  Reverse Halton  *94.45 .* 95.83 ' "$said/de_sensi.txt"
    check "Yao, ours: near the floor of the paper's inputs" within "$(at_arrival 3)" "$(at_arrival 8)" 15
    check "the paper's own network is not, with 0 for what rests" within 40 "$(at_arrival 4)" 90
    check "nor with the usual time" within 15 "$(at_arrival 5)" 25
    check "two more inputs halve the error" less "2 * $(at_arrival 10)" "$(at_arrival 8)"
    for on in themis themis_equations; do
        check "the literal network is worse, $on" less "1.3 * $(says $on 'Themis, ours' 1)" \
            "$(says $on 'Themis, literal' 1)"
        check "so is ASM, $on" less "1.3 * $(says $on 'Themis, ours' 1)" "$(says $on 'ASM at best' 1)"
        check "Themis-Fair is fairer than a split by weight, $on" less "$(says $on 'Themis-Fair' 1)" \
            "$(says $on 'HP (by weight)' 1)"
        check "and than ASM-PSP, $on" less "$(says $on 'Themis-Fair' 1)" "$(says $on 'ASM-PSP' 1)"
        check "weights make Bubble-PSP unfair, $on" within 0.55 "$(says $on 'Bubble-PSP' 1 2)" 0.7
        check "it costs more than sharing brings, $on" less "$(says $on 'Bubble-PSP' 4)" 1
        check "fed back, bounds are kept, $on" within 90 "$(says $on ' with feedback' 1 8)" 100
    done
    check "ours on the equations" within 6 "$(says themis_equations 'Themis, ours' 1)" 9.5
    check "ASM at best there" within 35.4 "$(says themis_equations 'ASM at best' 1)" 36.1
    check "HP there" within 0.158 "$(says themis_equations 'HP (by weight)' 1)" 0.160
fi

ended lessons
