#!/bin/sh
# The scheduler on recorded measurements: twice the same, and the predicted placement is better than the two
# that know nothing. The loops in C and C++: they print what they are to print, and are as short as they say.
# Ends with "hosts: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
run=build/hosts data=examples/colocate/data

$run --recorded $data > "$work/a" || echo "  it fails"
$run --recorded $data > "$work/b"
check "the table is the same twice" cmp "$work/a" "$work/b"

table=$work/a
for other in first-come random; do
    check "makespan is below that of $other" less "$(of predicted 2)" "$(of $other 2)"
    check "unfairness is below that of $other" less "$(of predicted 3)" "$(of $other 3)"
    check "no more deadlines missed than by $other" less "$(of predicted 4)" "$(of $other 4) + 1e-9"
done
check "the bound is below all" less "$(of bound 2)" "$(of predicted 2)"
check "and above the work itself" less "$(of "no" 3)" "$(of bound 2)"

check "missing folder" refused 1 "cannot" $run --recorded "$work/none"
check "unknown option" refused 2 "no option --speed" $run --speed 3
check "an option without its path" refused 2 "--recorded needs a path" $run --recorded

# code FILE: lines that are neither blank nor only a comment
code() { grep -vcE '^ *$|^ \*|^/\*|^ *//' "$1"; }
# prints WORDS COMMAND...: in the output
prints() {
    words=$1; shift
    "$@" > "$work/out" 2>&1 && grep -qxF -e "$words" "$work/out"
}
build/loop "$work/model.sooth" > "$work/loop" || echo "  the loop fails"
cat > "$work/expected" << 'END'
by turns           4441 ms
with a model       1907 ms
if all was known   1885 ms
84 spikes, 8 shifts of the machine
END
check "the loop learns to choose" cmp "$work/loop" "$work/expected"
check "in 60 lines of C, of which less than 40 are for sooth" \
    [ "$(code examples/hosts/loop.c)" -le 60 -a "$(grep -c sooth_ examples/hosts/loop.c)" -lt 40 ]
build/late > "$work/late" || echo "  the router fails"
sed -n '/^                    90 % holds/,/^    and waiting/s/^    //p' examples/hosts/README.md \
    > "$work/expected"
check "the router prints what its page shows" cmp "$work/late" "$work/expected"
table=$work/late
check "tickets hold more than answers taken as known at once" \
    less "$(of "as" 5)" "$(of "tickets" 2)"
build/bags > "$work/bags" || echo "  the queue fails"
sed -n '/^    as they wait /,/^    once learned /s/^    //p' examples/hosts/README.md > "$work/expected"
check "the queue prints what its page shows" cmp "$work/bags" "$work/expected"
check "in 60 lines of C" [ "$(code examples/hosts/bags.c)" -le 60 ]
build/launches > "$work/launches" || echo "  the launches fail"
sed -n 's|^ *//> ||p' examples/hosts/launches.c > "$work/expected"
check "a log, from categories to updates, prints what it shows" cmp "$work/launches" "$work/expected"
check "in less than 100 lines of C" [ "$(code examples/hosts/launches.c)" -lt 100 ]
cxx="${CXX:-c++} -std=c++17 -ffp-contract=off -Iinclude -pthread"
if command -v "${CXX:-c++}" > /dev/null; then
    check "the loop in C++ compiles without a warning" \
        $cxx -Wall -Wextra -pedantic -Werror -Og examples/hosts/loop.cpp -o "$work/loop-cpp"
    check "and predicts from that file in two threads" \
        prints "with a model 1888 ms" "$work/loop-cpp" "$work/model.sooth"
    head -c 5000 "$work/model.sooth" > "$work/cut.sooth"
    check "a file cut short is refused" refused 1 "cut short" "$work/loop-cpp" "$work/cut.sooth"
    build/sooth fit examples/scale/data/titanx.csv --target power_w --drop time_ms --model tree \
        -o "$work/other.sooth" > "$work/log" 2>&1
    check "a model of something else, too" \
        refused 1 "this host does not know" "$work/loop-cpp" "$work/other.sooth"
    check "in 60 lines of C++" [ "$(code examples/hosts/loop.cpp)" -le 60 ]
else echo "  skipped: the loop in C++ (${CXX:-c++} is not here)"
fi

ended hosts
