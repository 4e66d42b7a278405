#!/bin/sh
# build/cards beside numpy, SciPy and scikit-learn (tests/golden/cards.py): translation cards between three
# GPUs by families left out, silhouettes of cards; with SOOTH_SLOW=1 slowdowns of pairs too.
# Ends with "cards: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
golden=tests/golden/cards.csv

# near FILE GOLDEN WITHIN: as many lines; equal words, numbers within so much of each other
near() {
    awk -F, -v within="$3" '
        NR == FNR { line[FNR] = $0; lines = FNR; next }
        { n = split(line[FNR], cell, ",") }
        n != NF { print "line " FNR ": " n " cells, not " NF; bad = 1 }
        {
            for (k = 1; k <= NF; ++k) {
                off = cell[k] - $k; if (off < 0) off = -off
                if (cell[k] != $k && (k < 3 || cell[k] == "" || off > within)) {
                    print "line " FNR ", cell " k ": " cell[k] ", not " $k; bad = 1
                }
            }
        }
        END { if (lines != FNR || FNR == 0) { print lines " lines, not " FNR; bad = 1 } exit bad }
    ' "$1" "$2"
}

check "cards of times" sh -c "build/cards --only times > $work/times"
# direction, way, and the numbers; a direction stands in the first of its lines
sed 's/[()]/ /g; s/+-/ /' "$work/times" | awk '
    /^  (K80|P100|V100) +to / { from = $1 " to " $3 }
    match($0, /(same time|mean ratio|plain card|card) +[0-9]/) {
        rest = substr($0, RSTART); way = rest; sub(/ +[0-9].*/, "", way); sub(/^[a-z ]*[a-z] +/, "", rest)
        gsub(/ +/, ",", rest); sub(/,$/, "", rest); print from "," way "," rest
    }' | sort -t, -k1,2 > "$work/times.csv"
grep -E ',(same time|mean ratio|card|plain card),' $golden | sort -t, -k1,2 > "$work/expected.csv"
check "are those of numpy" near "$work/times.csv" "$work/expected.csv" 0.051

# up to 6 clusters: of more, 200 starts need not end in the same best
check "clusters" sh -c "build/cards --only clusters > $work/clusters"
sed -n '/^Cards/,/^Combinations/s/[()]/ /gp' "$work/clusters" | awk '
    $2 ~ /^[0-9]+$/ && NF == 16 {
        printf "%s,cards", $1; for (k = 2; k <= 12; ++k) printf ",%s", $k; print ""
    }
' > "$work/clusters.csv"
grep ',cards,' $golden | cut -d, -f1-13 > "$work/expected.csv"
check "have the silhouettes of scikit-learn" near "$work/clusters.csv" "$work/expected.csv" 0.0051
check "three are not supported anywhere" \
    [ "$(grep -c 'three clusters.* are not supported' "$work/clusters")" -eq 8 ]

if [ -z "$SOOTH_SLOW" ]; then slow=2
else
    check "slowdowns of pairs" sh -c "build/cards --only pairs > $work/pairs"
    sed 's/+-/ /g' "$work/pairs" | awk '
        /^  (K80|P100|V100) +to / && NF == 16 {
            printf "%s to %s,slowdowns", $1, $3; for (k = 4; k <= 10; ++k) printf ",%s", $k; print ""
        }' > "$work/pairs.csv"
    grep ',slowdowns,' $golden > "$work/expected.csv"
    check "by what learns little are those of numpy" near "$work/pairs.csv" "$work/expected.csv" 0.051
    check "by cards measured there are nearer to the truth" awk '
        /^  (K80|P100|V100) +to / && NF == 22 { ++n; if (!($20 < $11 && $20 < $14 && $20 < $17)) bad = 1 }
        END { exit bad || n != 6 }' "$work/pairs"
fi

# the experiment and the command say the same of the same times
build/cards --times > "$work/solo.csv"
check "sooth card reads the times" sh -c "build/sooth card make $work/solo.csv --here K80 --there P100 \
    --group family -o $work/card > $work/made"
check "and is as far off" grep -q 'K80 to P100 .* 54.9 %' "$work/made"
check "with what needs no line" \
    grep -q 'the same time is off by 256.7 %, the mean ratio by 49.9 %' "$work/made"
check "two machines of one's own" sh -c "
    build/cards --times a=examples/colocate/data b=examples/colocate/data |
    build/sooth card make - --here a --there b --group program -o $work/own > $work/made"
check "and they are the same" grep -q 'same time is off by 0.0 %, the mean ratio by 0.0 %' "$work/made"
check "no recording" refused 1 "cannot read none/instances.csv" build/cards none
check "no name" refused 1 "the name of a recording must be" build/cards "a,b=examples/colocate/data"
check "no part" refused 1 "--only must be times, pairs or clusters" build/cards --only time
ended cards
